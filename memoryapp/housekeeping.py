"""Retention: whatever is kept for a time only goes when that is over (A9)."""

from datetime import datetime, timedelta

from axes.helpers import get_cool_off
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from memoryapp import changes, profile, sync
from memoryapp.models import (
    ContextBlock,
    CostEntry,
    Device,
    DevicePair,
    Forgotten,
    FrozenPrompt,
    HushedPair,
    IdempotentAnswer,
    PushedWrite,
    Recall,
    Replay,
    ReplayGrant,
    Reveal,
    Rollback,
    Summary,
    SummaryLevel,
    Turn,
    TurnState,
    Workflow,
)
from speakers.models import Identity, IdentityLink, LinkState


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
        "reveal": Reveal.objects.filter(at__lt=keep["recall"]).delete()[0],
        "context": _unused(ContextBlock, keep["context"]),
        "prompt": _unused(FrozenPrompt, keep["prompt"]),
        "device": Device.objects.filter(last_seen_at__lt=keep["device"]).delete()[0],
        "revoked_link": _revoked(keep["revoked_link"]),
        "cost": CostEntry.objects.filter(at__lt=keep["cost"]).delete()[0],
        "forgotten": Forgotten.objects.filter(at__lt=keep["forgotten"]).delete()[0],
        **_sign_ins(now, keep["sign_in"]),
        **{f"{level}_summary": _summaries(level, keep[f"{level}_summary"]) for level in SummaryLevel.values},
    }


def _unused(model: type[ContextBlock | FrozenPrompt], before: datetime) -> int:
    """What no session has had since. Locked and looked at again, for one may come back at this moment."""
    with transaction.atomic():
        old = model._default_manager.filter(used_at__lt=before).select_for_update(skip_locked=True)
        return model._default_manager.filter(pk__in=[row.pk for row in old.only("pk")]).delete()[0]


def _revoked(before: datetime) -> int:
    """Links that were taken away, with their steps, and identities that are then nobody's."""
    gone = IdentityLink.objects.filter(state=LinkState.REVOKED, updated_at__lt=before).delete()[0]
    return gone + Identity.objects.filter(links__isnull=True, created_at__lt=before).delete()[0]


def _sign_ins(now: datetime, before: datetime) -> dict[str, int]:
    """Browser sessions that have run out, wrong passwords that lock nobody out any more, and who signed in when."""
    attempts = AccessAttempt.objects.filter(attempt_time__lt=now - (get_cool_off() or timedelta()))
    logs = (AccessLog, AccessFailureLog)
    return {
        "session": Session.objects.filter(expire_date__lt=now).delete()[0],
        "attempt": attempts.delete()[0],
        "sign_in": sum(log.objects.filter(attempt_time__lt=before).delete()[0] for log in logs),
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
