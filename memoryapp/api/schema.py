"""The OpenAPI document, drawn from the code that answers.

A view's method names its body and its query as `self.body(X)` and `self.query(Y)`; that is read from its compiled
code, so document and behaviour cannot part, and no second description has to be kept.
"""

import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers

from memoryapp.api.fields import StrictSerializer

Shape = type[StrictSerializer]
_READS = {"body", "query"}
_KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, description="Same key and body: the first answer again."
)
_REFUSALS = {
    400: "The request is not valid; `errors` names each field.",
    401: "A valid service key is needed.",
    403: "Not allowed, or the person has not agreed.",
    404: "Unknown, or somebody else's.",
    429: "Too many requests; see Retry-After.",
}
PROBLEM = inline_serializer(
    "Problem",
    {
        "type": serializers.CharField(),
        "title": serializers.CharField(),
        "status": serializers.IntegerField(),
        "detail": serializers.CharField(),
        "code": serializers.CharField(),
        "errors": serializers.DictField(
            child=serializers.ListField(child=serializers.CharField()), required=False
        ),
        "reason": serializers.CharField(required=False),
    },
)


class Schema(AutoSchema):
    """What a method takes, from its own code; what it gives, from the statuses it names."""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]

    def get_operation_id(self) -> str:
        path = self.path.removeprefix("/api/v1/").replace("{", "").replace("}", "")
        return "_".join([self.method.lower(), *filter(None, path.replace("-", "_").split("/"))])

    def get_description(self) -> str:  # type: ignore[override]  # spectacular's own signature
        return inspect.getdoc(self.view) or ""

    def get_request_serializer(self) -> Any:
        return shapes(self._function()).get("body")

    def get_override_parameters(self) -> list[Any]:
        function = self._function()
        found: list[Any] = [shapes(function)["query"]] if "query" in shapes(function) else []
        return [*found, _KEY] if hasattr(function, "__wrapped__") else found

    def get_response_serializers(self) -> Any:
        good = dict.fromkeys(successes(self._function()), OpenApiTypes.OBJECT)
        return {**good, **{code: OpenApiResponse(PROBLEM, text) for code, text in _REFUSALS.items()}}

    def map_renderers(self, attribute: str) -> list[str]:
        return ["application/json"]

    def _function(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(type(self.view), self.method.lower())
        return function


def shapes(function: Callable[..., Any]) -> dict[str, Shape]:
    """The serializers a method reads its "body" and its "query" by, also through functions of its module."""
    found: dict[str, Shape] = {}
    for code, names in _codes(inspect.unwrap(function)):
        reads = [name for name in code.co_names if name in _READS]
        kinds = [names[name] for name in code.co_names if _is_shape(names.get(name))]
        for read, kind in zip(reads, kinds, strict=False):
            found.setdefault(read, kind)
    return found


def successes(function: Callable[..., Any]) -> list[int]:
    """The 2xx statuses a method names; 200 if it names none."""
    code = inspect.unwrap(function).__code__
    named = {value for value in _constants(code) if isinstance(value, int) and 200 <= value < 300}
    return sorted(named) or [200]


def _codes(function: Any, depth: int = 2) -> Iterator[tuple[CodeType, dict[str, Any]]]:
    if not isinstance(function, FunctionType):
        return
    yield function.__code__, function.__globals__
    for name in function.__code__.co_names if depth else ():
        helper = function.__globals__.get(name)
        if isinstance(helper, FunctionType) and helper.__module__ == function.__module__:
            yield from _codes(helper, depth - 1)


def _constants(code: CodeType) -> Iterator[Any]:
    for value in code.co_consts:
        yield from value if isinstance(value, tuple) else (value,)


def _is_shape(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, StrictSerializer)


class ServiceKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.auth.ServiceKeyAuthentication"
    name = "serviceKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A service key, mk_…"}


class MomentFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.fields.MomentField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "format": "date-time"}


class AsOfFieldSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.fields.AsOfField"

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, str]:
        return {"type": "string", "description": "An RFC 3339 time, or a date: that whole local day."}


class _ObjectSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Any JSON object."""

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {}}


class JsonFieldSchema(_ObjectSchema):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.fields.JsonField"


class FreeObjectFieldSchema(_ObjectSchema):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.a2a.FreeObjectField"


class OperationFieldSchema(_ObjectSchema):  # type: ignore[no-untyped-call]
    target_class = "memoryapp.api.store.OperationField"
