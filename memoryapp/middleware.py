"""Give each request an id, log it in one line, and time it: by its route, because a path may name somebody."""

import logging
import re
import time
import uuid
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

from memoryapp.logs import ROUTE, current_id, method_of, route_of
from memoryapp.metrics import REQUESTS

log = logging.getLogger("memoryapp.requests")

Next = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]
HEADER = "X-Request-Id"
_GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_QUIET = frozenset({"healthz", "readyz", "metrics"})


class RequestIdMiddleware:
    """Outermost, so that everything else runs under the id and inside the time taken."""

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
