"""Retention: turns, recall receipts, snapshots and idempotent answers go when their time is over (A9)."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from memoryapp.models import IdempotentAnswer, Recall, Turn, TurnState


def purge() -> dict[str, int]:
    """Delete what is older than RETENTION_DAYS. → rows per kind."""
    now = timezone.now()
    keep = {kind: now - timedelta(days=days) for kind, days in settings.RETENTION_DAYS.items()}
    finished = [TurnState.DONE, TurnState.SKIPPED, TurnState.FAILED]
    snapshots = Recall.objects.exclude(execution_id="").filter(at__lt=now - timedelta(hours=settings.SNAPSHOT_HOURS))
    return {
        "snapshot": snapshots.update(execution_id=""),
        "turn": Turn.objects.filter(received_at__lt=keep["turn"], state__in=finished).delete()[0],
        "recall": Recall.objects.filter(at__lt=keep["recall"]).delete()[0],
        "idempotency": IdempotentAnswer.objects.filter(at__lt=keep["idempotency"]).delete()[0],
    }
