"""Errors as RFC 9457 problem documents: the one place where refusals become HTTP."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.response import Response

from memoryapp.errors import DatabaseUnavailable, NotFound, Problem
from memoryapp.text import TextTooLong

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
#: How Django names the constraints of what points to a person.
PERSON_KEY = "_fk_speakers_person_id"

_CODES = {
    400: "invalid", 401: "unauthenticated", 403: "forbidden", 404: "not-found", 405: "invalid",
    406: "invalid", 413: "invalid", 415: "invalid", 429: "rate-limited",
}  # fmt: skip


def body(problem: Problem) -> dict[str, Any]:
    return document(
        status_code=problem.status,
        title=problem.title,
        detail=problem.detail,
        code=problem.code,
        errors=problem.errors,
        reason=getattr(problem, "reason", ""),
    )


def document(
    *,
    status_code: int,
    title: str,
    detail: str,
    code: str,
    errors: dict[str, list[str]] | None = None,
    reason: str = "",
) -> dict[str, Any]:
    """A problem document. `type` is a relative reference into our own docs page."""
    result: dict[str, Any] = {
        "type": f"/docs/#{code}",
        "title": title,
        "status": status_code,
        "detail": detail or title,
        "code": code,
    }
    if errors:
        result["errors"] = errors
    if reason:
        result["reason"] = reason
    return result


def of_database(error: BaseException | None) -> bool:
    """Whether the database itself refuses: gone, restarting, or out of room."""
    return isinstance(error, OperationalError | InterfaceError)


def of_nobody(error: BaseException | None) -> bool:
    """Whether something could not be noted since the person was erased while the request was under way."""
    told = getattr(getattr(error, "__cause__", None), "diag", None)
    constraint = getattr(told, "constraint_name", None) or ""
    return isinstance(error, IntegrityError) and constraint.endswith(PERSON_KEY)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. Returns None for what is not ours to explain: Django logs and answers 500."""
    if isinstance(error, Problem):
        return _response(body(error), error.status, headers(error))
    if of_database(error):
        log.warning("the database refuses: %s", type(error.__cause__ or error).__name__)
        unavailable = DatabaseUnavailable()
        return _response(body(unavailable), unavailable.status, headers(unavailable))
    if of_nobody(error):
        nobody = NotFound("no such user_id")
        return _response(body(nobody), nobody.status, headers(nobody))
    if isinstance(error, TextTooLong):
        error = exceptions.ValidationError({"non_field_errors": [str(error)]})
    if isinstance(error, RequestDataTooBig):
        data = document(status_code=413, title="The request is too large.", detail="", code="invalid")
        return _response(data, 413)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(error, exceptions.ValidationError):
        return _invalid(error)
    if isinstance(error, exceptions.APIException):
        return _from_drf(error)
    return None


@csrf_exempt
def not_found(request: HttpRequest) -> JsonResponse:
    """A path under /api/ that does not exist."""
    data = document(status_code=404, title="There is no such thing.", detail="", code="not-found")
    return JsonResponse(data, status=404, content_type=MEDIA_TYPE)


def server_error(request: HttpRequest) -> JsonResponse:
    """Something of ours broke. Says nothing of what was in the request."""
    data = document(status_code=500, title="Something went wrong on our side.", detail="", code="internal")
    return JsonResponse(data, status=500, content_type=MEDIA_TYPE)


def _invalid(error: exceptions.ValidationError) -> Response:
    errors = flatten(error.detail)
    named = ", ".join(sorted(errors))
    data = document(
        status_code=400,
        title="The request is not valid.",
        detail=f"Look at: {named}" if named else "",
        code="invalid",
        errors=errors,
    )
    return _response(data, 400)


def _from_drf(error: exceptions.APIException) -> Response:
    code = _CODES.get(error.status_code, "invalid")
    # Not DRF's own detail: it repeats what was sent, and in another language than the title.
    detail = (
        "This is not valid JSON, or it gives a name twice."
        if isinstance(error, exceptions.ParseError)
        else ""
    )
    data = document(
        status_code=error.status_code, title=status_title(error.status_code), detail=detail, code=code
    )
    headers = _headers(error.status_code)
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return _response(data, error.status_code, headers)


def status_title(status_code: int) -> str:
    return {
        401: "A valid service key is needed.",
        403: "This key may not do that.",
        404: "There is no such thing.",
        405: "This method is not offered here.",
        406: "Only JSON is offered.",
        413: "The request is too large.",
        415: "Send JSON.",
        429: "Too many requests.",
    }.get(status_code, "The request is not valid.")


def flatten(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Nested errors as {"entries.0.content": [...]}."""
    if isinstance(detail, dict):
        items = [(str(key), value) for key, value in detail.items()]
    elif isinstance(detail, list) and any(isinstance(item, dict | list) for item in detail):
        items = [(str(index), value) for index, value in enumerate(detail) if value]
    else:
        texts = detail if isinstance(detail, list) else [detail]
        return {path or "non_field_errors": [_without_input(text) for text in texts]}
    result: dict[str, list[str]] = {}
    for key, value in items:
        result.update(flatten(value, f"{path}.{key}" if path else key))
    return result


def _without_input(text: Any) -> str:
    """DRF repeats a wrong choice in its message; what was sent is never repeated."""
    return "Not one of the choices." if getattr(text, "code", "") == "invalid_choice" else str(text)


def headers(problem: Problem) -> dict[str, str]:
    """The headers that belong to a refusal."""
    wait = {"Retry-After": str(problem.wait)} if problem.wait else {}
    return _headers(problem.status) | wait


def _headers(status_code: int) -> dict[str, str]:
    return (
        {"WWW-Authenticate": 'Bearer realm="memoryapp"'}
        if status_code == status.HTTP_401_UNAUTHORIZED
        else {}
    )


def _response(data: dict[str, Any], status_code: int, headers: dict[str, str] | None = None) -> Response:
    return Response(data, status=status_code, headers=headers or {}, content_type=MEDIA_TYPE)
