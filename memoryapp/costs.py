"""What extraction, embedding, recall and replays cost, who bears it, and when a service's budget is spent (G8, X10)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import DateTimeField, F, Func, QuerySet, Sum, Value
from django.db.models.functions import TruncDate, TruncDay
from django.utils import timezone

from memoryapp.models import ChatService, CostBearer, CostEntry
from memoryapp.permit import Permit
from memoryapp.providers.base import metered
from speakers.models import Person

EXTRACTION, EMBEDDING, RECALL, REPLAY = "extraction", "embedding", "recall", "replay"


@dataclass(frozen=True, kw_only=True)
class Used:
    """Model calls made and tokens read and written."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@contextmanager
def embedding_charged(permit: Permit, stage: str) -> Iterator[None]:
    """Record what the embedder used inside the block. The person's own page is charged to nobody."""
    with metered() as usage:
        yield
    if permit.caller.service is not None:
        charge(permit, stage, Used(calls=usage.requests, tokens_in=usage.tokens))


def charge(permit: Permit, stage: str, used: Used) -> None:
    """Add one line to the ledger, borne by whom the revision says; a replay is never the person's to pay."""
    revision = permit.caller.revision
    entry = CostEntry(
        service=permit.caller.service,
        revision=revision,
        person=permit.person,
        stage=stage,
        bearer=revision.cost_bearer if revision and stage != REPLAY else CostBearer.SYSTEM,
        calls=used.calls,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
    )
    try:
        with transaction.atomic():
            entry.save(force_insert=True)
    except IntegrityError:  # the person was erased while the model worked; its cost stays
        entry.person = None
        entry.save(force_insert=True)


@contextmanager
def upkeep_charged() -> Iterator[None]:
    """Record what re-indexing used: nobody asked for it, so the system bears it."""
    with metered() as usage:
        yield
    if usage.requests:
        CostEntry.objects.create(
            stage=EMBEDDING, bearer=CostBearer.SYSTEM, calls=usage.requests, tokens_in=usage.tokens
        )


def unname(person: Person) -> None:
    """What an erased person cost stays spent, or their service would get its budget back: nameless, by the day."""
    theirs = CostEntry.objects.filter(person=person)
    for zone in set(theirs.values_list("service__zone", flat=True)):
        local = zone or settings.SERVICE_ZONE
        day = TruncDay("at", tzinfo=ZoneInfo(local))
        start = Func(Value(local), day, function="timezone", output_field=DateTimeField())
        theirs.filter(service__zone=zone).update(person=None, at=start)


def spent_this_month(service: ChatService, now: datetime | None = None) -> int:
    """Tokens in and out of a service since the month began in its zone."""
    local = (now or timezone.now()).astimezone(ZoneInfo(service.zone))
    start = datetime.combine(local.date().replace(day=1), time(), local.tzinfo)
    used = CostEntry.objects.filter(service=service, at__gte=start).aggregate(
        total=Sum(F("tokens_in") + F("tokens_out"))
    )
    return used["total"] or 0


def budget_is_spent(service: ChatService) -> bool:
    """Whether extraction pauses: recall and saving go on, they cost little and people wait for them."""
    return (
        service.monthly_token_budget is not None and spent_this_month(service) >= service.monthly_token_budget
    )


def by_day(services: QuerySet[ChatService], since: date) -> QuerySet[CostEntry, Any]:
    """Sums per service, revision, day, stage and bearer, for charts and the CSV."""
    zone = ZoneInfo(settings.SERVICE_ZONE)
    start = datetime.combine(since, time(), zone)
    return (
        CostEntry.objects.filter(service__in=services, at__gte=start)
        .annotate(day=TruncDate("at", tzinfo=zone))
        .values("service__slug", "revision__number", "day", "stage", "bearer")
        .annotate(calls=Sum("calls"), tokens_in=Sum("tokens_in"), tokens_out=Sum("tokens_out"))
        .order_by("day", "service__slug", "revision__number", "stage", "bearer")
    )


def pause() -> timedelta:
    """How long a turn waits before the budget is looked at again."""
    return timedelta(hours=1)
