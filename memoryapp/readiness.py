"""How each part is: database, index, broker, worker backlog, embedding, ledger of erasures."""

from datetime import timedelta
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import Count, Min
from django.utils import timezone

from memoryapp import erasures, turns
from memoryapp.celery import app
from memoryapp.index import embed, rebuild
from memoryapp.models import Turn, TurnState

BACKLOG_IS_LATE_AFTER = timedelta(minutes=5)


def report() -> dict[str, Any]:
    """{"status", "degraded": [names], and each part with "ok"}. Costs a handful of small queries."""
    database = _database()
    parts: dict[str, dict[str, Any]] = {"database": database}
    if database["ok"]:
        parts |= {
            "index": _index(),
            "backlog": _backlog(),
            "embedding": _embedding(),
            "erasures": _erasures(),
        }
    parts["broker"] = _broker()
    degraded = [name for name, part in parts.items() if not part["ok"]]
    return {"status": "degraded" if degraded else "ok", "degraded": degraded, **parts}


def _database() -> dict[str, Any]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True}


def _index() -> dict[str, Any]:
    states = rebuild.coverage()
    return {"ok": states["failed"] == 0, "states": states}


def _backlog() -> dict[str, Any]:
    late = timezone.now() - BACKLOG_IS_LATE_AFTER
    waiting = Turn.objects.filter(state__in=[TurnState.PENDING, TurnState.RUNNING], next_try_at__isnull=False)
    oldest = waiting.aggregate(oldest=Min("received_at"), number=Count("pk"))
    return {
        "ok": not (oldest["oldest"] and oldest["oldest"] < late and turns.waiting(1)),
        "waiting": oldest["number"],
        "failed": Turn.objects.filter(state=TurnState.FAILED).count(),
    }


def _embedding() -> dict[str, Any]:
    space = embed.serving()
    if space is None:
        return {"ok": False, "error": "no embedding space"}
    return {"ok": embed.healthy(space), "space": str(space)}


def _erasures() -> dict[str, Any]:
    number, late = erasures.waiting(timezone.now())
    return {"ok": not late, "waiting": number}


def _broker() -> dict[str, Any]:
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:  # noqa: BLE001 - each transport raises its own kind
        return {"ok": False, "error": type(error).__name__}
    return {"ok": True}
