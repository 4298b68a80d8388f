"""The nightly run: once per revision and local date, it hands over what per-turn extraction left (G6)."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from memoryapp.hurry import hurry
from memoryapp.models import Extraction, NightlyRun, RevisionState, ServiceRevision, Turn, TurnState
from memoryapp.one_by_one import each

#: How long a night tries failed turns again. What waits for a night waits as long as it takes.
TRIED_AGAIN_FOR = timedelta(days=7)


def run_due(now: datetime | None = None) -> int:
    """Start the runs whose time has come, also those missed while nothing was running. → runs started."""
    now = now or timezone.now()
    revisions = ServiceRevision.objects.filter(
        state=RevisionState.DEPLOYED, memory_enabled=True, nightly_enabled=True
    )
    return each("nights", revisions.select_related("service"), lambda revision: _run(revision, now))


def due_date(revision: ServiceRevision, now: datetime) -> datetime:
    """The latest moment at or before now at which this revision's night begins."""
    local = now.astimezone(ZoneInfo(settings.SERVICE_ZONE))
    start = datetime.combine(local.date(), revision.nightly_at, local.tzinfo)
    return start if start <= local else start - timedelta(days=1)


def _run(revision: ServiceRevision, now: datetime) -> int:
    start = due_date(revision, now)
    if revision.deployed_at and start < revision.deployed_at:
        return 0
    try:
        with transaction.atomic():
            run = NightlyRun.objects.create(
                service=revision.service, revision=revision, local_date=start.date(), started_at=now
            )
            turns = _missed(revision, now, run)
            run.turns = len(turns)
            run.save(update_fields=["turns"])
            for turn in turns:
                hurry("memoryapp.digest", str(turn.pk))
    except IntegrityError:  # this date's run was started already, by us or another beat
        return 0
    return 1


def _missed(revision: ServiceRevision, now: datetime, run: NightlyRun) -> list[Turn]:
    """Turns kept for the night, and failed ones, made due now. Turns that per-turn has read stay read."""
    turns = list(
        Turn.objects.select_for_update(skip_locked=True)
        .filter(
            Q(state=TurnState.PENDING, extraction=Extraction.NIGHTLY)
            | Q(state=TurnState.FAILED, received_at__gte=now - TRIED_AGAIN_FOR),
            service=revision.service,
        )
        .order_by("occurred_at")
    )
    for turn in turns:
        turn.state, turn.attempts, turn.next_try_at, turn.error = TurnState.PENDING, 0, now, ""
        turn.night = run
    Turn.objects.bulk_update(turns, ["state", "attempts", "next_try_at", "error", "night"], batch_size=500)
    return turns


def progress(run: NightlyRun) -> dict[str, int]:
    """How the turns of a night stand: state → number."""
    return progress_of([run]).get(run.pk, {})


def progress_of(runs: Iterable[NightlyRun]) -> dict[int, dict[str, int]]:
    """The same for several nights, in one query: night → state → number."""
    rows = Turn.objects.filter(night__in=[run.pk for run in runs]).values_list("night", "state")
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for night, state, count in rows.annotate(Count("pk")).order_by("night", "state"):
        found[night][state] = count
    return found
