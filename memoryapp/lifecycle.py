"""The life of a memory: the states, the only legal moves, and one history row for each.

Every function here runs in the caller's transaction, under the person's lock, and leaves memory,
history and index in step. Nothing else writes these tables.
"""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.dispatch import Signal
from django.utils import timezone

from memoryapp import changes, rfc3339
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.index import refresh
from memoryapp.index.refresh import Embedded
from memoryapp.models import ChatService, Forgotten, Memory, MemoryHistory, Status
from memoryapp.vault import Box
from speakers.models import Person

#: Sent with `person_id`, `box` and `statement` when the words a memory had are not to be used any more, in the
#: transaction that takes them back.
unsaid = Signal()
#: Changes of a text that take the old one back, where others add to it.
TAKES_BACK = frozenset({"correct", "rollback"})

MOVES: dict[str, frozenset[str]] = {
    Status.CANDIDATE: frozenset({Status.CONFIRMED, Status.DELETED}),
    Status.CONFIRMED: frozenset({Status.SUPERSEDED, Status.EXPIRED, Status.DELETED, Status.CANDIDATE}),
    Status.SUPERSEDED: frozenset({Status.CONFIRMED, Status.DELETED}),
    Status.EXPIRED: frozenset({Status.CONFIRMED, Status.DELETED}),
    Status.DELETED: frozenset(),
}

#: The columns whose earlier values a history row keeps.
KEPT = (
    "memory_type", "status", "sensitivity", "confidence", "evidence_count", "sources",
    "occurred_at", "valid_from", "valid_to", "project_id",
)  # fmt: skip


class IllegalMove(Exception):
    """A memory cannot go from its state to that one."""


@dataclass(frozen=True, kw_only=True)
class Deed:
    """Who changes a memory, what they do, and why (a code, never content)."""

    action: str
    actor: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A memory about to be made."""

    id: uuid.UUID | None = None  # None = a new one
    content: Content
    memory_type: str
    origin: str
    occurred_at: datetime
    said_at: datetime | None = None  # None = when it happened
    status: str = Status.CONFIRMED
    sensitivity: str = "normal"
    confidence: float = 0.8
    service: ChatService | None = None  # None = personal scope
    origin_service: ChatService | None = None
    project_id: str = ""
    session_id: str = ""
    event_id: str = ""
    sources: dict[str, list[str]] = field(default_factory=dict)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    quarantine: str = ""


def insert(person: Person, box: Box, draft: Draft, embedded: Embedded, deed: Deed) -> Memory:
    """Make a memory, its first history row and its index rows."""
    memory = _made(person, box, draft)
    memory.save(force_insert=True)
    _remember(memory, box, deed, before=None, changed=[])
    refresh.put(memory, draft.content, box, embedded)
    return memory


def insert_many(person: Person, box: Box, drafts: Sequence[Draft], deed: Deed) -> list[Memory]:
    """The same for many, in a number of queries that does not grow with them. The worker embeds them later."""
    memories = Memory.objects.bulk_create([_made(person, box, draft) for draft in drafts])
    MemoryHistory.objects.bulk_create([_entry(memory, deed) for memory in memories])
    changes.note_all(person.pk, changes.MEMORY, [(memory.pk, memory.service_id) for memory in memories])
    refresh.put_new(list(zip(memories, (draft.content for draft in drafts), strict=True)), box)
    return memories


def _made(person: Person, box: Box, draft: Draft) -> Memory:
    memory = Memory(
        id=draft.id or uuid.uuid4(),
        person=person,
        service=draft.service,
        origin_service=draft.origin_service,
        project_id=draft.project_id,
        session_id=draft.session_id,
        event_id=draft.event_id,
        memory_type=draft.memory_type,
        status=draft.status,
        sensitivity=draft.sensitivity,
        origin=draft.origin,
        confidence=draft.confidence,
        sources=draft.sources,
        said_at=draft.said_at or draft.occurred_at,
        occurred_at=draft.occurred_at,
        valid_from=draft.valid_from,
        valid_to=draft.valid_to,
        quarantine=draft.quarantine,
        fingerprint=fingerprint(box, draft.content),
        slot=slot_mark(box, draft.content),
    )
    memory.content = draft.content.seal(box, memory)
    return memory


def amend(
    memory: Memory,
    box: Box,
    deed: Deed,
    *,
    content: Content | None = None,
    embedded: Embedded | None = None,
    **columns: Any,
) -> Memory:
    """Change a memory's text and/or columns; keep how it was; bring the index along.

    A changed text needs `embedded`, made before the lock was taken.
    """
    old = contents.read(memory, box)
    before = _snapshot(memory, old)
    changed = [name for name, value in columns.items() if getattr(memory, name) != value]
    new_text = content is not None and content != old
    for name in changed:
        setattr(memory, name, columns[name])
    if content is not None and new_text:
        changed += _changed_fields(old, content)
        memory.content = content.seal(box, memory)
        memory.fingerprint, memory.slot = fingerprint(box, content), slot_mark(box, content)
    if not changed:
        return memory
    if new_text or deed.action == "correct":
        memory.content_version += 1
    if content is not None and content.statement != old.statement and deed.action in TAKES_BACK:
        _unsay(memory, box, old)
        if deed.action == "correct":
            _forget(memory, _marks(box, old) - _marks(box, content))
    memory.version += 1
    memory.save()
    _remember(memory, box, deed, before=before, changed=changed)
    if new_text or {"status", "sensitivity"} & set(changed):
        unknown = Embedded(None, None) if new_text else None
        refresh.put(memory, content or old, box, embedded or unknown)
    return memory


def move(memory: Memory, box: Box, status: str, deed: Deed, **columns: Any) -> Memory:
    """Take a memory to another state. Raises IllegalMove."""
    if status not in MOVES[memory.status]:
        raise IllegalMove(f"{memory.status} → {status}")
    return amend(memory, box, deed, status=status, **columns)


def delete(memory: Memory, box: Box, deed: Deed, *, may_return: bool = False) -> Memory:
    """Soft-delete: out of lists, index and recall at once; purged later.

    Its fingerprint is kept, keyed, so that old turns do not teach it again, unless `may_return`.
    """
    if Status.DELETED not in MOVES[memory.status]:
        raise IllegalMove(f"{memory.status} → deleted")
    old = contents.read(memory, box)
    before = _snapshot(memory, old)
    was_current = memory.status == Status.CONFIRMED
    memory.status, memory.deleted_at = Status.DELETED, timezone.now()
    memory.version += 1
    memory.content_version += 1
    memory.save()
    _remember(memory, box, deed, before=before, changed=["status"])
    refresh.drop(memory)
    _unsay(memory, box, old)
    if not may_return:
        _forget(memory, _told(memory, box, old, slots=was_current))
    return memory


def restore(memory: Memory, box: Box, deed: Deed, *, status: str, **columns: Any) -> Memory:
    """Bring a soft-deleted memory back as it was, which only the undoing of a roll-back may do."""
    if memory.status != Status.DELETED:
        raise IllegalMove(f"{memory.status} → {status}")
    content = contents.read(memory, box)
    before = _snapshot(memory, content)
    for name, value in columns.items():
        setattr(memory, name, value)
    memory.status, memory.deleted_at = status, None
    memory.version += 1
    memory.content_version += 1
    memory.save()
    _remember(memory, box, deed, before=before, changed=["status", *columns])
    refresh.put(memory, content, box, Embedded(None, None))
    return memory


def prolong(memory: Memory, until: datetime) -> None:
    """Move the end of a stored item's life on because it was used: no change, so no version and no history."""
    Memory.objects.filter(pk=memory.pk).update(valid_to=until)


def fingerprint(box: Box, content: Content) -> int:
    """The keyed mark of a fact: equal for two wordings of one fact of one person."""
    return box.mark(f"fact|{content.normalized or content.statement.casefold()}")


def slot_mark(box: Box, content: Content) -> int | None:
    """The keyed mark of whose attribute this is; None for a fact that competes with no other."""
    if not content.slot:
        return None
    slot = content.slot
    parts = [slot["subject"], slot["attribute"], "" if slot.get("single") else slot.get("object", "")]
    return box.mark("slot|" + "|".join(part.casefold() for part in parts))


def _marks(box: Box, content: Content, *, slots: bool = True) -> set[int]:
    """By what a text is known again: its words and, in other words, whose attribute it is."""
    mark = slot_mark(box, content) if slots else None
    return {fingerprint(box, content)} | ({mark} if mark is not None else set())


def _told(memory: Memory, box: Box, last: Content, *, slots: bool) -> set[int]:
    """The marks of all that a memory has ever said. `slots`: of its attribute too, where no other row tells it."""
    marks = _marks(box, last, slots=slots)
    for entry in memory.history.filter(changed__contains=["statement"]):
        if entry.before is not None:
            before = box.open(entry.before, history_place(memory, entry.version))
            marks |= _marks(box, contents.from_json(before), slots=slots)
    return marks


def _forget(memory: Memory, marks: set[int]) -> None:
    """Keep the marks of what is not to be learnt again from talk of before now."""
    rows = [Forgotten(person_id=memory.person_id, fingerprint=mark, at=timezone.now()) for mark in marks]
    Forgotten.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["person", "fingerprint"], update_fields=["at"]
    )


def history_place(memory: Memory, version: int) -> str:
    return f"history:{memory.pk}:{version}"


def _remember(
    memory: Memory, box: Box, deed: Deed, *, before: dict[str, Any] | None, changed: list[str]
) -> None:
    entry = _entry(memory, deed)
    entry.changed = changed
    entry.before = box.seal(before, history_place(memory, memory.version)) if before else None
    entry.save(force_insert=True)
    gone = memory.status == Status.DELETED
    changes.note(memory.person_id, changes.MEMORY, memory.pk, service_id=memory.service_id, gone=gone)


def _entry(memory: Memory, deed: Deed) -> MemoryHistory:
    return MemoryHistory(
        memory=memory, version=memory.version, action=deed.action, actor=deed.actor, reason=deed.reason
    )


def _unsay(memory: Memory, box: Box, old: Content) -> None:
    unsaid.send(Memory, person_id=memory.person_id, box=box, statement=old.statement)


def _snapshot(memory: Memory, content: Content) -> dict[str, Any]:
    columns = {name: getattr(memory, name) for name in KEPT}
    plain = {k: rfc3339.tell(v) if isinstance(v, datetime) else v for k, v in columns.items()}
    return {**plain, **asdict(content)}


def _changed_fields(old: Content, new: Content) -> list[str]:
    public = [name for name in asdict(old) if name not in ("normalized", "slot")]
    return [name for name in public if getattr(old, name) != getattr(new, name)]
