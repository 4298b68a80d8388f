"""See what is remembered: lists, details and history, limited by owner and scope in the WHERE clause.

Works without index, broker, model or MCP server: it reads the canonical rows only (G24).
"""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Count, ExpressionWrapper, Q, QuerySet
from django.utils import timezone

from memoryapp.errors import NotFound
from memoryapp.models import Memory, MemoryHistory, Scope, Status
from memoryapp.permit import Permit


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What to list. None or "" = no restriction; projects: None = all, "" = global only."""

    scope: str | None = None
    project_id: str | None = None
    memory_type: str | None = None
    validity: str = "all"  # current | past | all
    status: str | None = None
    service: str | None = None
    sensitivity: str | None = None
    index_state: str | None = None


def visible(permit: Permit) -> QuerySet[Memory]:
    """Every row this permit may see: the person's own; for a service, personal ones and its own."""
    rows = Memory.objects.filter(in_scope(permit), person=permit.person, deleted_at__isnull=True)
    return rows.select_related("index", "service", "origin_service")


def in_scope(permit: Permit) -> Q:
    """The scopes of a permit as a condition. The person's own page sees every scope."""
    if permit.caller.service is None:
        return Q()
    allowed = Q(pk__in=[])
    if Scope.PERSONAL in permit.scopes:
        allowed |= Q(service__isnull=True)
    if Scope.SERVICE in permit.scopes:
        allowed |= Q(service=permit.caller.service)
    return allowed


def listing(permit: Permit, filters: Filters, now: datetime | None = None) -> QuerySet[Memory]:
    """The memories that match, newest first, in an order that no two rows share."""
    rows = visible(permit)
    exact = {
        "project_id": filters.project_id,
        "memory_type": filters.memory_type,
        "status": filters.status,
        "service__slug": filters.service,
        "sensitivity": filters.sensitivity,
        "index__state": filters.index_state,
    }
    rows = rows.filter(**{name: value for name, value in exact.items() if value is not None})
    if filters.scope is not None:
        rows = rows.filter(service__isnull=filters.scope == Scope.PERSONAL)
    if filters.validity != "all":
        current = is_current(now or timezone.now())
        rows = rows.filter(current) if filters.validity == "current" else rows.exclude(current)
    return rows.order_by("-created_at", "-pk")


@dataclass(frozen=True)
class Kind:
    """How many memories there are of one service ("" = personal), project and standing."""

    service: str
    project_id: str
    candidate: bool
    count: int


def kinds(permit: Permit) -> list[Kind]:
    """What there is to filter by, with its numbers, in one pass over the person's rows."""
    rows = (
        visible(permit)
        .order_by()
        .annotate(waits=ExpressionWrapper(Q(status=Status.CANDIDATE), output_field=BooleanField()))
        .values_list("service__slug", "project_id", "waits")
        .annotate(count=Count("pk"))
    )
    return [Kind(slug or "", project, candidate, count) for slug, project, candidate, count in rows]


def is_current(now: datetime) -> Q:
    """Neither replaced nor ended, and its time has not run out."""
    return Q(status__in=[Status.CONFIRMED, Status.CANDIDATE]) & (
        Q(valid_to__isnull=True) | Q(valid_to__gt=now)
    )


def one(permit: Permit, memory_id: uuid.UUID) -> Memory:
    """One memory. Unknown, foreign and deleted ones are the same NotFound."""
    memory = visible(permit).filter(pk=memory_id).first()
    if memory is None:
        raise NotFound("no such memory")
    return memory


def history(permit: Permit, memory_id: uuid.UUID) -> QuerySet[MemoryHistory]:
    """Each change of one memory, oldest first."""
    return MemoryHistory.objects.filter(memory=one(permit, memory_id)).select_related("memory").order_by("pk")
