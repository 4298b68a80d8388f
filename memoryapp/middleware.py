"""Around every request: an id, one line in the log, the time taken; and what a browser may load with the answer."""

import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from memoryapp.logs import ROUTE, current_id, method_of, route_of
from memoryapp.metrics import REQUESTS

log = logging.getLogger("memoryapp.requests")

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
HEADER = "X-Request-Id"
_GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_QUIET = frozenset({"healthz", "readyz", "metrics"})


class RequestIdMiddleware:
    """Outermost, so that everything else runs under the id and inside the time taken.

    What it logs and counts goes by the route, because a path may name somebody.
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
        started, name = time.perf_counter(), _begin(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101 - a synchronous chain
        return _end(request, response, started, name)

    async def _acall(self, request: HttpRequest) -> HttpResponseBase:
        started, name = time.perf_counter(), _begin(request)
        response = self.get_response(request)
        answered = response if isinstance(response, HttpResponseBase) else await response
        return _end(request, answered, started, name)


class PolicyMiddleware(CSPMiddleware):
    """The content security policy, with what the operators' admin needs added there."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if not report_only and request.path_info.startswith("/admin/"):
            parts.update = settings.ADMIN_CONTENT_SECURITY_POLICY
        return parts


def _begin(request: HttpRequest) -> str:
    """A proxy's id if it looks like one, so that its log and ours meet; otherwise a new one."""
    given = request.headers.get(HEADER, "")
    name = given if _GOOD_ID.fullmatch(given) else uuid.uuid4().hex
    current_id.set(name)
    return name


def _end(request: HttpRequest, response: HttpResponseBase, started: float, name: str) -> HttpResponseBase:
    seconds = time.perf_counter() - started
    method, route = method_of(request), route_of(request)
    REQUESTS.labels(method, route, response.status_code).observe(seconds)
    response.headers[HEADER] = name
    # SecurityMiddleware's own refusal of a host does not get what it gives to others.
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    getattr(request, "scope", {})[ROUTE] = route
    if route not in _QUIET:
        fields = {
            "method": method,
            "route": route,
            "status": response.status_code,
            "ms": round(seconds * 1000, 1),
        }
        log.info("%s %s %d %.1f ms", *fields.values(), extra={"fields": fields})
    return response
