"""One request as data, and how each kind of request is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from memoryapp import rfc3339

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Call(Generic[T]):
    """One request. A `write` gets an idempotency key, which makes it safe to send again."""

    method: str
    path: str
    read: Callable[[Any], T]
    json: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    write: bool = False
    accept: frozenset[int] = frozenset()  # statuses beyond 2xx that are answers, not failures
    user_id: str | None = None  # whose call this is, for a signed assertion


def read(path: str, reader: Callable[[Any], T], asked: Mapping[str, Any]) -> Call[T]:
    """A question: safe to repeat."""
    query = {name: str(value) for name, value in asked.items()}
    return Call(method="GET", path=path, query=query, read=reader, user_id=query.get("user_id"))


def write(
    method: str,
    path: str,
    body: Mapping[str, Any],
    reader: Callable[[Any], T],
    headers: Mapping[str, str] | None = None,
) -> Call[T]:
    """A change: it gets an idempotency key, so that it is done once however often it is sent."""
    return Call(
        method=method,
        path=path,
        json=body,
        read=reader,
        headers=headers or {},
        write=True,
        user_id=body.get("user_id"),
    )


def delete(path: str, reader: Callable[[Any], T], user_id: str) -> Call[T]:
    query = {"user_id": user_id}
    return Call(method="DELETE", path=path, query=query, read=reader, write=True, user_id=user_id)


def given(**values: Any) -> dict[str, Any]:
    """Without what is None."""
    return {name: value for name, value in values.items() if value is not None}


def listed(values: Sequence[str] | None) -> list[str] | None:
    return list(values) if values is not None else None


def iso(when: date | None) -> str | None:
    """A moment with its offset, or a day."""
    if when is None:
        return None
    return rfc3339.tell(when) if isinstance(when, datetime) else when.isoformat()


def part(text: str) -> str:
    """A text as one part of a path, slashes and all."""
    return quote(text, safe="")
