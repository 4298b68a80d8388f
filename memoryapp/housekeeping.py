"""Retention: whatever is kept for a time only goes when that is over (A9)."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from axes.helpers import get_cool_off
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp import changes, profile, sync
from memoryapp.models import (
    AssertionKey,
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
from memoryapp.one_by_one import each
from speakers.models import Identity, IdentityLink, LinkState


def purge() -> dict[str, int]:
    """Delete what is older than RETENTION_DAYS. → rows per kind; a kind that failed is not in it."""
    now = timezone.now()
    keep = {kind: now - timedelta(days=days) for kind, days in settings.RETENTION_DAYS.items()}
    # A turn that nobody came to read goes too: its time is promised, its reading is not.
    idle = Turn.objects.exclude(state=TurnState.RUNNING)
    snapshots = Recall.objects.exclude(execution_id="").filter(
        at__lt=now - timedelta(hours=settings.SNAPSHOT_HOURS)
    )
    old: dict[str, QuerySet[Any]] = {
        "turn": idle.filter(received_at__lt=keep["turn"]),
        "recall": Recall.objects.filter(at__lt=keep["recall"]),
        "idempotency": IdempotentAnswer.objects.filter(at__lt=keep["idempotency"]),
        "device_pair": DevicePair.objects.filter(at__lt=keep["device_pair"]),
        "replay": Replay.objects.filter(created_at__lt=keep["replay"]),
        "replay_grant": ReplayGrant.objects.filter(until__lte=now),
        "workflow": Workflow.objects.filter(expires_at__lt=now),
        "rollback": Rollback.objects.filter(at__lt=keep["deleted"]),
        "pushed": PushedWrite.objects.filter(at__lt=keep["pushed"]),
        "hushed": HushedPair.objects.filter(at__lt=keep["turn"]),
        "reveal": Reveal.objects.filter(at__lt=keep["recall"]),
        "device": Device.objects.filter(last_seen_at__lt=keep["device"]),
        "cost": CostEntry.objects.filter(at__lt=keep["cost"]),
        "forgotten": Forgotten.objects.filter(at__lt=keep["forgotten"]),
        "dropped_key": AssertionKey.objects.filter(dropped=True, revoked_at__lt=keep["dropped_key"]),
        **_sign_ins(now, keep["sign_in"]),
    }
    return _each_kind(
        {
            "snapshot": lambda: snapshots.update(execution_id=""),
            **{kind: partial(_delete, rows) for kind, rows in old.items()},
            "candidate": partial(profile.drop_stale_candidates, now),
            "tombstone": partial(sync.purge, keep["tombstone"]),
            "context": partial(_unused, ContextBlock, keep["context"]),
            "prompt": partial(_unused, FrozenPrompt, keep["prompt"]),
            "revoked_link": partial(_revoked, keep["revoked_link"]),
            **{
                f"{level}_summary": partial(_summaries, level, keep[f"{level}_summary"])
                for level in SummaryLevel.values
            },
        }
    )


def _each_kind(steps: Mapping[str, Callable[[], int]]) -> dict[str, int]:
    """A kind that cannot be purged is left out, and told; the others keep what was promised of them."""
    done: dict[str, int] = {}

    def purge_one(kind: str) -> int:
        done[kind] = steps[kind]()
        return done[kind]

    each("retention", steps, purge_one)
    return done


def _delete(rows: QuerySet[Any]) -> int:
    return rows.delete()[0]


def _unused(model: type[ContextBlock | FrozenPrompt], before: datetime) -> int:
    """What no session has had since. Locked and looked at again, for one may come back at this moment."""
    with transaction.atomic():
        old = model._default_manager.filter(used_at__lt=before).select_for_update(skip_locked=True)
        return model._default_manager.filter(pk__in=[row.pk for row in old.only("pk")]).delete()[0]


def _revoked(before: datetime) -> int:
    """Links that were taken away, with their steps, and identities that are then nobody's."""
    gone = IdentityLink.objects.filter(state=LinkState.REVOKED, updated_at__lt=before).delete()[0]
    return gone + Identity.objects.filter(links__isnull=True, created_at__lt=before).delete()[0]


def _sign_ins(now: datetime, before: datetime) -> dict[str, QuerySet[Any]]:
    """Browser sessions that have run out, wrong passwords that lock nobody out any more, and who signed in when."""
    return {
        "session": Session.objects.filter(expire_date__lt=now),
        "attempt": AccessAttempt.objects.filter(attempt_time__lt=now - (get_cool_off() or timedelta())),
        "sign_in": AccessLog.objects.filter(attempt_time__lt=before),
        "sign_in_failed": AccessFailureLog.objects.filter(attempt_time__lt=before),
    }


def _summaries(level: str, before: datetime) -> int:
    """Summaries of one level whose time is over, with a tombstone for the devices that hold a copy."""
    old = Summary.objects.filter(level=level, day__lt=before.date(), created_at__lt=before)
    return each("summaries", old.only("pk", "person_id", "service_id").iterator(), _drop)


def _drop(summary: Summary) -> int:
    with transaction.atomic():
        service_id = summary.service_id
        changes.note(summary.person_id, changes.SUMMARY, summary.pk, service_id=service_id, gone=True)
        summary.delete()
    return 1
