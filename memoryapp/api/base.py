"""What every endpoint shares: the caller, strict input, idempotent writes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from unicodedata import normalize

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp import gate, limits
from memoryapp.errors import Forbidden, Invalid
from memoryapp.idempotency import About, answer_once
from memoryapp.permit import Caller

V = TypeVar("V", bound="ApiView")
MAX_KEY = 255


class ApiView(APIView):
    """An endpoint. `permission` (or `permissions` per method) names what the key must carry."""

    permission: str | None = None
    permissions: dict[str, str] = {}

    @property
    def caller(self) -> Caller:
        return cast("Caller", self.request.user)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Times are told in the service's zone."""
        super().initial(request, *args, **kwargs)
        if self.caller is not None and self.caller.service is not None:
            limits.spend(self.caller, str(kwargs.get("user_id") or _named(request)))
            timezone.activate(self.caller.service.zone)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        timezone.deactivate()
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def body(self, serializer: type[Any]) -> dict[str, Any]:
        """The validated JSON body. Raises ValidationError for anything unknown or wrong, Invalid for a query beside it."""
        if self.request.query_params:
            beside = {name: ["Belongs in the body."] for name in self.request.query_params}
            raise Invalid("this takes no query parameters", beside)
        return self._validated(serializer, self.request.data)

    def query(self, serializer: type[Any]) -> dict[str, Any]:
        """The validated query string. A parameter given twice is an error."""
        given = self.request.query_params
        if self.request.method == "DELETE" and self.request.data:
            raise Invalid("this takes query parameters and no body")
        twice = {name: ["Given more than once."] for name in given if len(given.getlist(name)) > 1}
        if twice:
            raise Invalid("a parameter is given more than once", twice)
        return self._validated(serializer, given.dict())

    def about(self, request: Request) -> About:
        """Whom the answer to a keyed write is about. Views whose requests name no `user_id` say it themselves."""
        return About(gate.find(_user_id(request)))

    def tell_again(self, request: Request, data: Any) -> Any:
        """A kept answer, as far as it may be told today: views whose answers hold words ask for leave again.

        Raises what the request would meet today.
        """
        return data

    def _validated(self, serializer: type[Any], data: Any) -> dict[str, Any]:
        zone = self.caller.service.zone if self.caller.service else "Asia/Seoul"
        checked = serializer(data=data, context={"zone": zone})
        checked.is_valid(raise_exception=True)
        valid: dict[str, Any] = checked.validated_data
        asserted = self.caller.asserted_user_id
        if asserted is not None and "user_id" in valid and valid["user_id"] != asserted:
            raise Forbidden("user_id is not the user of the assertion")
        return valid


def idempotent(method: Callable[..., Response]) -> Callable[..., Response]:
    """Let a write honour `Idempotency-Key`."""

    @wraps(method)
    def wrapper(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _idempotency_key(request)
        if key is None or view.caller.service is None:
            return method(view, request, *args, **kwargs)

        first: list[Response] = []

        def act() -> tuple[int, Any]:
            first.append(method(view, request, *args, **kwargs))
            return first[0].status_code, first[0].data

        status, data = answer_once(
            view.caller.service, key, _identity_of(request), lambda: view.about(request), act
        )
        return first[0] if first else Response(view.tell_again(request, data), status=status)

    return wrapper


def answered_once(view: ApiView, request: Request, act: Callable[[], None]) -> None:
    """Do something once per `Idempotency-Key`, where the answer is content that must not be kept with the key."""
    key = _idempotency_key(request)
    if key is None or view.caller.service is None:
        act()
        return

    def done() -> tuple[int, Any]:
        act()
        return 200, None

    answer_once(view.caller.service, key, _identity_of(request), About, done)


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and (not key.strip() or len(key) > MAX_KEY or not key.isprintable()):
        raise Invalid("Idempotency-Key must be 1 to 255 printable characters")
    return key


def _identity_of(request: Request) -> bytes:
    version = request.headers.get("If-Match", "")
    return f"{request.method} {request.get_full_path()} {version}\n".encode() + request._request.body


def _named(request: Request) -> str:
    """Whom a request is about, as far as it says so; a body is looked at only where one belongs."""
    if request.method in ("POST", "PUT", "PATCH"):
        return _user_id(request)
    return request.query_params.get("user_id") or ""


def _user_id(request: Request) -> str:
    data = request.data if isinstance(request.data, dict) else {}
    given = str(data.get("user_id") or request.query_params.get("user_id") or "")
    return normalize("NFC", given)  # as IdField does, or it would be nobody's
