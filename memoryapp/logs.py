"""Log lines without content: a request's or task's id on each, and of an exception its type and place only.

An exception's own words may quote a value (a database error does), so they are never written. Nor is the path of
a request, which may name somebody: its route stands for it.
"""

import json
import logging
import traceback
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from django.http import HttpRequest

#: The id of the request or task under way; "-" outside of both.
current_id: ContextVar[str] = ContextVar("current_id", default="-")
#: Where an ASGI scope says which route was taken: what is told of a request instead of its path.
ROUTE = "memoryapp.route"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Line(logging.Formatter):
    """One line a record, for people. Exceptions follow as type and frames."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(current_id)s] %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        record.current_id = current_id.get()
        record.exc_text = None  # another handler may have cached the exception's words
        return super().format(_without_words(record))

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - logging's name
        return places(ei[1])


class Json(logging.Formatter):
    """One JSON object a record, for machines."""

    def format(self, record: logging.LogRecord) -> str:
        record = _without_words(record)
        data: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "id": current_id.get(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            data["exception"] = places(record.exc_info[1])
        return json.dumps(data, ensure_ascii=False)


def method_of(request: HttpRequest) -> str:
    """The request's method; one that somebody made up is not repeated."""
    return request.method if request.method in METHODS else "OTHER"


def route_of(request: HttpRequest) -> str:
    """The route that was taken, for its path; `unknown` before one was found."""
    return request.resolver_match.route if request.resolver_match else "unknown"


def places(error: BaseException | None) -> str:
    """An exception as types and places, its causes included: never its message, never a local variable."""
    lines: list[str] = []
    while error is not None and len(lines) < 200:
        lines.append(type(error).__name__)
        lines += [
            f"  {frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        error = error.__cause__ or error.__context__
    return "\n".join(lines)


def _without_words(record: logging.LogRecord) -> logging.LogRecord:
    """Replace a message that repeats a path, or its exception's words: Celery's, asyncio's and the pool's do."""
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest):
        return _by_route(record, request)
    error = record.exc_info[1] if record.exc_info else None
    if error is not None and len(str(error)) > 2 and str(error) in record.getMessage():
        record = logging.makeLogRecord(record.__dict__)
        record.msg, record.args = f"{type(error).__name__} (see the places)", None
    elif record.args and any(isinstance(arg, BaseException) for arg in _values(record.args)):
        record = logging.makeLogRecord(record.__dict__)
        record.args = _types_only(record.args)
    return record


def _by_route(record: logging.LogRecord, request: HttpRequest) -> logging.LogRecord:
    """Django's own words (django.request, django.security.*) repeat the path, or the header that was refused."""
    record = logging.makeLogRecord(record.__dict__)
    record.msg = "%s %s %s"
    record.args = method_of(request), route_of(request), getattr(record, "status_code", "")
    return record


def _values(args: Any) -> list[Any]:
    return (
        list(args.values()) if isinstance(args, dict) else list(args) if isinstance(args, tuple) else [args]
    )


def _types_only(args: Any) -> Any:
    def plain(value: Any) -> Any:
        return type(value).__name__ if isinstance(value, BaseException) else value

    if isinstance(args, dict):
        return {key: plain(value) for key, value in args.items()}
    return tuple(plain(value) for value in args)
