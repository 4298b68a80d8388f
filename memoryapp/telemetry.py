"""Traces for an OpenTelemetry collector, when OTEL_EXPORTER_OTLP_ENDPOINT names one; otherwise never imported.

Every span is written here, and nothing but names of ours goes into it: a route, a table, a task, a status, a type
of error. The ready-made instrumentations record addresses (which name people), statements and the words of errors.
"""

import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

from celery.signals import before_task_publish, task_failure, task_postrun, task_prerun
from django.apps import apps
from django.db.backends.signals import connection_created
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from memoryapp.logs import METHODS, ROUTE

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

# Not the global provider: libraries that trace on their own would find it, and they do carry arguments away.
_provider = TracerProvider(
    resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME") or "memoryapp"})
)
_tracer = _provider.get_tracer("memoryapp")
_propagator = TraceContextTextMapPropagator()
_PARENT = "traceparent"
_TABLE = re.compile(r'\b(?:FROM|INTO|UPDATE|JOIN)\s+"?([a-z_]+)"?', re.IGNORECASE)
_VERBS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK"})


def start() -> None:
    """Send spans from now on, in this process and in those forked from it. Where to, and how many: OTEL_* variables."""
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    connection_created.connect(_watch_statements)
    before_task_publish.connect(_pass_on)
    task_prerun.connect(_task_begins)
    task_failure.connect(_task_fails)
    task_postrun.connect(_task_ends)


@contextmanager
def _span(name: str, kind: SpanKind, parent: Context | None = None) -> Iterator[Span]:
    """A span that keeps of an error its type only."""
    with _tracer.start_as_current_span(
        name, parent, kind, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            _failed(span, error)
            raise


def _failed(span: Span, error: BaseException) -> None:
    span.set_attribute("error.type", type(error).__name__)
    span.set_status(StatusCode.ERROR)


def _parent(carrier: Mapping[str, str]) -> Context:
    """The trace that the caller is in, by its numbers: `tracestate` and `baggage` are free text and stay out."""
    given = {_PARENT: carrier[_PARENT]} if _PARENT in carrier else {}
    return _propagator.extract(given)


# ------------------------------------------------------------------ requests


class Traced:
    """An ASGI application with one span a request, named after the route that was taken."""

    def __init__(self, application: Asgi) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        with _span(method, SpanKind.SERVER, _parent(headers)) as span:

            async def seen(message: Message) -> None:
                if message["type"] == "http.response.start":
                    _answered(span, method, scope.get(ROUTE, "unknown"), message)
                await send(message)

            await self._application(scope, receive, seen)


def _answered(span: Span, method: str, route: str, message: Message) -> None:
    status = message["status"]
    span.update_name(f"{method} {route}")
    span.set_attributes(
        {"http.request.method": method, "http.route": route, "http.response.status_code": status}
    )
    for name, value in message.get("headers", ()):
        if name.lower() == b"x-request-id":
            span.set_attribute("memoryapp.request_id", value.decode("latin-1"))  # the one in the log
    if status >= 500:
        span.set_status(StatusCode.ERROR)


# ------------------------------------------------------------------ statements


def _watch_statements(connection: Any, **kwargs: Any) -> None:
    if _statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(_statement)


def _statement(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    with _span(summary(str(sql)), SpanKind.CLIENT) as span:
        span.set_attribute("db.system.name", "postgresql")
        return execute(sql, params, many, context)


def summary(sql: str) -> str:
    """A statement's verb and our tables in it, e.g. `SELECT memoryapp_memory`: no value can be among them."""
    verb = (sql.split(None, 1) or [""])[0].upper()
    found = [name for name in dict.fromkeys(_TABLE.findall(sql)) if name in _tables()]
    return " ".join([verb if verb in _VERBS else "SQL", *found])


@cache
def _tables() -> frozenset[str]:
    return frozenset(model._meta.db_table for model in apps.get_models(include_auto_created=True))


# ------------------------------------------------------------------ tasks

_running: dict[str, tuple[AbstractContextManager[Span], Span]] = {}


def _pass_on(headers: dict[str, Any], **kwargs: Any) -> None:
    """A message carries the numbers of the trace it was sent in."""
    _propagator.inject(headers)


def _task_begins(task_id: str, task: Any, **kwargs: Any) -> None:
    parent = getattr(task.request, _PARENT, None)
    opened = _span(f"task {task.name}", SpanKind.CONSUMER, _parent({_PARENT: parent} if parent else {}))
    _running[task_id] = opened, opened.__enter__()


def _task_fails(task_id: str, exception: BaseException, **kwargs: Any) -> None:
    if task_id in _running:
        _failed(_running[task_id][1], exception)


def _task_ends(task_id: str, **kwargs: Any) -> None:
    if task_id in _running:
        _running.pop(task_id)[0].__exit__(None, None, None)
