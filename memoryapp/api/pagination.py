"""Keyset pagination: each row exactly once, whatever was added or removed meanwhile."""

import base64
import binascii
import uuid
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet

from memoryapp.errors import Invalid

M = TypeVar("M", bound=Model)
MAX_LIMIT = 200
DEFAULT_LIMIT = 50


def page(rows: QuerySet[M], cursor: str | None, limit: int) -> tuple[list[M], str | None]:
    """One page of rows ordered by (-created_at, -pk). → (rows, the next cursor or None)."""
    if cursor:
        at, pk = _decode(cursor)
        rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=pk))
    found = list(rows[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    return found, _encode(found[-1]) if more else None


def _encode(row: Any) -> str:
    return base64.urlsafe_b64encode(f"{row.created_at.isoformat()}|{row.pk}".encode()).decode().rstrip("=")


def _decode(cursor: str) -> tuple[datetime, uuid.UUID]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        at, _, pk = text.partition("|")
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            raise ValueError
        return moment, uuid.UUID(pk)
    except (ValueError, binascii.Error, UnicodeDecodeError) as error:
        raise Invalid("this cursor is not one of ours", {"cursor": ["Not a cursor."]}) from error
