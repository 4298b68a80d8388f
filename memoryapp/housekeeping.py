"""Retention: turns, trials, recall receipts, snapshots and idempotent answers go when their time is over (A9)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp import changes, profile, sync
from memoryapp.models import (
    DevicePair,
    HushedPair,
    IdempotentAnswer,
    PushedWrite,
    Recall,
    Replay,
    ReplayGrant,
    Rollback,
    Summary,
    SummaryLevel,
    Turn,
    TurnState,
    Workflow,
)


def purge() -> dict[str, int]:
    """Delete what is older than RETENTION_DAYS. → rows per kind."""
    now = timezone.now()
    keep = {kind: now - timedelta(days=days) for kind, days in settings.RETENTION_DAYS.items()}
    # A turn that nobody came to read goes too: its time is promised, its reading is not.
    idle = Turn.objects.exclude(state=TurnState.RUNNING)
    snapshots = Recall.objects.exclude(execution_id="").filter(
        at__lt=now - timedelta(hours=settings.SNAPSHOT_HOURS)
    )
    return {
        "snapshot": snapshots.update(execution_id=""),
        "turn": idle.filter(received_at__lt=keep["turn"]).delete()[0],
        "recall": Recall.objects.filter(at__lt=keep["recall"]).delete()[0],
        "idempotency": IdempotentAnswer.objects.filter(at__lt=keep["idempotency"]).delete()[0],
        "device_pair": DevicePair.objects.filter(at__lt=keep["device_pair"]).delete()[0],
        "replay": Replay.objects.filter(created_at__lt=keep["replay"]).delete()[0],
        "replay_grant": ReplayGrant.objects.filter(until__lte=now).delete()[0],
        "workflow": Workflow.objects.filter(expires_at__lt=now).delete()[0],
        "rollback": Rollback.objects.filter(at__lt=keep["deleted"]).delete()[0],
        "pushed": PushedWrite.objects.filter(at__lt=keep["pushed"]).delete()[0],
        "hushed": HushedPair.objects.filter(at__lt=keep["turn"]).delete()[0],
        "candidate": profile.drop_stale_candidates(now),
        "tombstone": sync.purge(keep["tombstone"]),
        **{f"{level}_summary": _summaries(level, keep[f"{level}_summary"]) for level in SummaryLevel.values},
    }


def _summaries(level: str, before: datetime) -> int:
    """Summaries of one level whose time is over, with a tombstone for the devices that hold a copy."""
    old = Summary.objects.filter(level=level, day__lt=before.date(), created_at__lt=before)
    return sum(_drop(summary) for summary in old.only("pk", "person_id", "service_id").iterator())


def _drop(summary: Summary) -> int:
    with transaction.atomic():
        service_id = summary.service_id
        changes.note(summary.person_id, changes.SUMMARY, summary.pk, service_id=service_id, gone=True)
        summary.delete()
    return 1
