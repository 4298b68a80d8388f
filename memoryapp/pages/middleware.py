"""Show a person their times in their own zone."""

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone

from speakers.models import Person

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


class PersonZoneMiddleware:
    """Puts the signed-in login's Person at `request.person` and activates that person's time zone.

    A request without a session cookie (every call of the runtime API) costs nothing here, not even a query.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self.is_async:
            return self._acall(request)
        _enter(request)
        return self.get_response(request)

    async def _acall(self, request: HttpRequest) -> HttpResponseBase:
        if _has_session(request):
            await sync_to_async(_enter, thread_sensitive=True)(request)
        else:
            _enter(request)
        response = self.get_response(request)
        return response if isinstance(response, HttpResponse | HttpResponseBase) else await response


def _has_session(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES and not request.path.startswith(("/api/", "/mcp/"))


def _enter(request: HttpRequest) -> None:
    person = _person(request) if _has_session(request) else None
    request.person = person  # type: ignore[attr-defined]
    if _has_session(request):
        # A login that is nobody's memory-owner (an admin) works in the services' zone.
        timezone.activate(_zone(person.zone if person else settings.SERVICE_ZONE))
    else:
        timezone.deactivate()


def _person(request: HttpRequest) -> Person | None:
    if not request.user.is_authenticated:
        return None
    return Person.objects.select_related("key").filter(login=request.user).first()


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(settings.SERVICE_ZONE)
