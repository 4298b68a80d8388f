"""Keyset pagination: each row exactly once, whatever was added or removed meanwhile."""

import base64
import binascii
import uuid
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from rest_framework import serializers

from memoryapp.api.fields import CountField, IdField, StrictSerializer
from memoryapp.errors import Invalid

M = TypeVar("M", bound=Model)
MAX_LIMIT = 200
DEFAULT_LIMIT = 50
MAX_DIGITS = 18  # a bigint, safely


class PageQuery(StrictSerializer):
    """Whose list, and which part of it. A blank cursor is the start."""

    user_id = IdField()
    cursor = serializers.CharField(required=False, allow_blank=True, default=None, max_length=500)
    limit = CountField(min_value=1, max_value=MAX_LIMIT, required=False, default=DEFAULT_LIMIT)


class LogQuery(PageQuery):
    """A log is short, and mostly read as a whole."""

    limit = CountField(min_value=1, max_value=MAX_LIMIT, required=False, default=MAX_LIMIT)


def page(rows: QuerySet[M], cursor: str | None, limit: int) -> tuple[list[M], str | None]:
    """One page of rows ordered by (-created_at, -pk). → (rows, the next cursor or None)."""
    if cursor:
        at, pk = _decode(cursor)
        rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=pk))
    found = list(rows[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    return found, _encode(found[-1]) if more else None


def page_of_log(rows: QuerySet[M], cursor: str | None, limit: int) -> tuple[list[M], str | None]:
    """One page of an append-only log, oldest first, by its running number. → (rows, the next cursor or None)."""
    if cursor:
        rows = rows.filter(pk__gt=_number(cursor))
    found = list(rows.order_by("pk")[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    return found, _sealed(str(found[-1].pk)) if more else None


def _encode(row: Any) -> str:
    return _sealed(f"{row.created_at.isoformat()}|{row.pk}")


def _decode(cursor: str) -> tuple[datetime, uuid.UUID]:
    at, _, pk = _opened(cursor).partition("|")
    try:
        moment, key = datetime.fromisoformat(at), uuid.UUID(pk)
    except ValueError as error:
        raise _not_ours() from error
    if moment.tzinfo is None:
        raise _not_ours()
    return moment, key


def _number(cursor: str) -> int:
    text = _opened(cursor)
    if not (text.isascii() and text.isdecimal()) or len(text) > MAX_DIGITS:
        raise _not_ours()
    return int(text)


def _sealed(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _opened(cursor: str) -> str:
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (ValueError, binascii.Error) as error:
        raise _not_ours() from error


def _not_ours() -> Invalid:
    return Invalid("this cursor is not one of ours", {"cursor": ["Not a cursor."]})
