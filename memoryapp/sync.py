"""Let a device follow one person's memories: changes after a cursor, tombstones without content.

A page tells the present state of what changed, so that applying it twice, late or after a loss ends in
the same copy. A device's cursor acknowledges everything before it, deletions included. A cursor that is
unknown, or older than the oldest tombstone kept, is answered with where to start anew: the device drops its
copy and follows from there.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core import signing
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from memoryapp import browse, changes, export_parts, shapes
from memoryapp.errors import CursorExpired
from memoryapp.models import (
    GUARDED,
    Device,
    Memory,
    Scope,
    Status,
    Summary,
    SyncChange,
    SyncCounter,
)
from memoryapp.one_by_one import each
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of
from speakers.models import Person

UPSERT, DELETE = "upsert", "delete"
_SALT = "memoryapp.sync"


class MustResync(CursorExpired):
    """This cursor is unknown or has expired: drop the copy and start again."""

    def __init__(self, resync_from: str) -> None:
        super().__init__("drop the local copy and follow from resync_from")
        self.resync_from = resync_from


@dataclass(frozen=True, kw_only=True)
class Change:
    """One thing as it is now, or that it is gone; then there is no payload."""

    seq: int
    op: str
    kind: str
    id: uuid.UUID
    payload: dict[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class Page:
    """What changed after a cursor, in order, and the cursor to go on from."""

    changes: list[Change]
    cursor: str
    version: str
    has_more: bool


@dataclass(frozen=True, kw_only=True)
class Follower:
    """A device that keeps a copy, and the deletions it is not yet known to have carried out."""

    device: Device
    deletions_pending: int


def pull(permit: Permit, device_id: str, cursor: str | None, limit: int) -> Page:
    """The changes after a cursor. Raises MustResync."""
    counter = _counter(permit.person)
    seq = _position(permit, counter, cursor)
    _seen(permit, device_id, acked=seq)
    rows = list(_after(permit, seq)[: limit + 1])
    page, more = rows[:limit], len(rows) > limit
    # Numbers commit in order, so nothing at or below `last_seq` can still turn up.
    reached = page[-1].seq if more else max([counter.last_seq, *(row.seq for row in page)])
    return Page(
        changes=_told(permit, page),
        cursor=_cursor(permit, counter, reached),
        version=f"v{reached}",
        has_more=more,
    )


def current(permit: Permit, memory: Memory, box: Box) -> dict[str, Any] | None:
    """A memory as devices may hold it; None for what they must not."""
    return shapes.opened(memory, box) if _may_travel(memory) else None


def followers(person: Person) -> list[Follower]:
    """The devices that keep a copy, for the person to see which deletions each has confirmed."""
    gone = list(
        SyncChange.objects.filter(person=person, gone=True).values_list("seq", "service_id").order_by("seq")
    )
    return [
        Follower(device=device, deletions_pending=_pending(device, gone))
        for device in person.devices.select_related("service").order_by("-last_seen_at")
    ]


def purge(before: datetime) -> int:
    """Drop tombstones from before a time; devices away for longer have to start anew. → how many."""
    old = SyncChange.objects.filter(gone=True, at__lt=before)
    tops = old.values("person_id").annotate(top=Max("seq")).values_list("person_id", "top")
    return each("tombstones", list(tops), lambda one: _purge_one(*one, before))


def device_of(permit: Permit, device_id: str) -> Device:
    """The device's row, made when it is first heard of."""
    return _seen(permit, device_id, acked=0)


# ------------------------------------------------------------------ cursors


def _counter(person: Person) -> SyncCounter:
    return SyncCounter.objects.get_or_create(person=person)[0]


def _cursor(permit: Permit, counter: SyncCounter, seq: int) -> str:
    """Opaque and signed: bound to person, service, what it may see, and this life of the database."""
    bound = [permit.person.pk, permit.service.pk, _scopes(permit), counter.epoch]
    return signing.dumps([*bound, seq], salt=_SALT)


def _position(permit: Permit, counter: SyncCounter, cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        *bound, seq = signing.loads(cursor, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        bound, seq = [], -1
    ours = bound == [permit.person.pk, permit.service.pk, _scopes(permit), counter.epoch]
    # A cursor ahead of us is of a database that was since restored from a backup.
    if not ours or seq > counter.last_seq or 0 < seq < counter.floor_seq:
        raise MustResync(_cursor(permit, counter, 0))
    return int(seq)


def _scopes(permit: Permit) -> str:
    """What may travel. A device that may see more than before has to fetch what was passed over."""
    return ",".join(sorted(permit.scopes & set(permit.revision.recall_scopes)))


# ------------------------------------------------------------------ changes


def _after(permit: Permit, seq: int) -> QuerySet[SyncChange]:
    scopes = _scopes(permit).split(",")
    visible = Q(service__isnull=True) if Scope.PERSONAL in scopes else Q(pk__in=[])
    if Scope.SERVICE in scopes:
        visible |= Q(service=permit.service)
    rows = SyncChange.objects.filter(visible, person=permit.person, seq__gt=seq).order_by("seq")
    return rows if seq else rows.exclude(gone=True)  # an empty copy has nothing to delete


def _told(permit: Permit, rows: Sequence[SyncChange]) -> list[Change]:
    box = box_of(permit.person)
    states = {**_memories(permit, rows, box), **_summaries(permit, rows, box)}
    return [
        Change(
            seq=row.seq,
            op=DELETE if (payload := states.get(row.object_id)) is None else UPSERT,
            kind=row.kind,
            id=row.object_id,
            payload=payload,
        )
        for row in rows
    ]


def _memories(permit: Permit, rows: Sequence[SyncChange], box: Box) -> dict[uuid.UUID, dict[str, Any] | None]:
    wanted = [row.object_id for row in rows if row.kind == changes.MEMORY]
    found = browse.visible(permit).filter(pk__in=wanted)
    return {memory.pk: current(permit, memory, box) for memory in found}


def _summaries(
    permit: Permit, rows: Sequence[SyncChange], box: Box
) -> dict[uuid.UUID, dict[str, Any] | None]:
    wanted = [row.object_id for row in rows if row.kind == changes.SUMMARY]
    found = Summary.objects.filter(
        pk__in=wanted, person=permit.person, service=permit.service, content__isnull=False
    )
    return {
        summary.pk: export_parts.summary_json(summary, box) for summary in found.select_related("service")
    }


def _may_travel(memory: Memory) -> bool:
    """What holds, is not guarded and not held back. For a device, anything else is gone."""
    return memory.status == Status.CONFIRMED and memory.sensitivity not in GUARDED and not memory.quarantine


# ------------------------------------------------------------------ devices


def _seen(permit: Permit, device_id: str, *, acked: int) -> Device:
    now = timezone.now()
    device, made = Device.objects.get_or_create(
        person=permit.person,
        service=permit.service,
        device_id=device_id,
        defaults={"last_seen_at": now, "acked_seq": acked, "acked_at": now if acked else None},
    )
    if made:
        return device
    device.last_seen_at = now
    if acked > device.acked_seq:
        device.acked_seq, device.acked_at = acked, now
    device.save(update_fields=["last_seen_at", "acked_seq", "acked_at"])
    return device


def _pending(device: Device, gone: Sequence[tuple[int, int | None]]) -> int:
    """Deletions it could have held a copy of and has not acknowledged."""
    return sum(seq > device.acked_seq and service_id in (None, device.service_id) for seq, service_id in gone)


def _purge_one(person_id: int, top: int, before: datetime) -> int:
    with transaction.atomic():
        counter = SyncCounter.objects.select_for_update().get(person_id=person_id)
        counter.floor_seq = max(counter.floor_seq, top)
        counter.save(update_fields=["floor_seq"])
        old = SyncChange.objects.filter(person_id=person_id, gone=True, at__lt=before, seq__lte=top)
        return old.delete()[0]
