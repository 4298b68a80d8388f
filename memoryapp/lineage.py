"""What rests on which turns: found by the sources of memories and by the history of how they changed."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp import content as contents
from memoryapp import lifecycle
from memoryapp.content import Content
from memoryapp.models import Evidence, Memory, MemoryHistory, Origin, Status
from memoryapp.vault import Box
from speakers.models import Person

TEXT = frozenset({"statement", "normalized_fact", "raw_content", "keywords", "entities", "memory_subtype"})
#: What a turn may have changed besides the text, and what is brought back with it.
COLUMNS = ("status", "valid_from", "valid_to")


@dataclass(frozen=True, kw_only=True)
class Heir:
    """A memory that was replaced by one that goes: it holds again, or passes to who replaced that one."""

    memory: Memory
    successor: Memory | None


@dataclass(frozen=True, kw_only=True)
class Reversion:
    """A memory that stays, with what it loses and what it goes back to."""

    memory: Memory
    sources: dict[str, list[str]]
    lost: int
    content: Content | None = None
    columns: dict[str, Any] = field(default_factory=dict)


def resting_on(person: Person, pair_ids: set[str], evidence: Iterable[Evidence]) -> list[Memory]:
    """The memories with one of these pairs among their sources, or one of these rows as evidence."""
    rows = Memory.objects.filter(person=person, deleted_at__isnull=True, sources__has_key="pair_ids")
    named = [
        pk for pk, sources in rows.values_list("pk", "sources") if pair_ids & set(sources.get("pair_ids", []))
    ]
    wanted = {*named, *(row.memory_id for row in evidence)}
    return list(
        Memory.objects.select_for_update()
        .filter(pk__in=wanted, deleted_at__isnull=True)
        .order_by("created_at", "pk")
    )


def stands_alone(memory: Memory, gone: set[str], going: set[uuid.UUID]) -> bool:
    """Whether anything else supports it: other turns or evidence, a save, or the person's own word."""
    if memory.origin != Origin.EXTRACTION or _vouched(memory):
        return True
    rows = set(memory.evidence.values_list("pk", flat=True))
    if rows:
        return bool(rows - going)
    return bool(set(memory.sources.get("pair_ids", [])) - gone)


def reversion(memory: Memory, box: Box, gone: set[str]) -> Reversion:
    """What a memory goes back to without these pairs: the text and state from before they changed it last."""
    pairs = memory.sources.get("pair_ids", [])
    kept = [pk for pk in pairs if pk not in gone]
    sources = {**memory.sources, "pair_ids": kept}
    steps = _steps(memory, box)
    content = _text_before(steps, gone)
    columns = {name: value for name in COLUMNS if (value := _column_before(steps, gone, name)) is not _SAME}
    if columns.get("status") not in (None, *lifecycle.MOVES[memory.status]):
        columns = {}
    return Reversion(
        memory=memory, sources=sources, lost=len(pairs) - len(kept), content=content, columns=columns
    )


def heirs(removed: Sequence[Memory]) -> list[Heir]:
    """The memories that those had replaced, with who replaces them now."""
    going = {memory.pk: memory for memory in removed}
    replaced = Memory.objects.select_for_update().filter(
        superseded_by__in=going, status=Status.SUPERSEDED, deleted_at__isnull=True
    )
    return [
        Heir(memory=memory, successor=_successor(memory, going)) for memory in replaced.exclude(pk__in=going)
    ]


def _successor(memory: Memory, going: dict[uuid.UUID, Memory]) -> Memory | None:
    seen: set[uuid.UUID] = set()
    after = memory.superseded_by
    while after is not None and after.pk in going and after.pk not in seen:
        seen.add(after.pk)
        after = after.superseded_by
    return None if after is None or after.pk in going or after.status == Status.DELETED else after


@dataclass(frozen=True, kw_only=True)
class _Step:
    """One change: which fields, how they were before, and which pairs it brought in."""

    changed: frozenset[str]
    before: dict[str, Any]
    brought: frozenset[str]


_SAME = object()


def _steps(memory: Memory, box: Box) -> list[_Step]:
    """The changes of a memory, newest first; what one brought in is the difference of the sources."""
    entries = MemoryHistory.objects.filter(memory=memory, before__isnull=False).order_by("-pk")
    steps, after = [], set(memory.sources.get("pair_ids", []))
    for entry in entries:
        before = box.open(bytes(entry.before or b""), lifecycle.history_place(memory, entry.version))
        earlier = set((before.get("sources") or {}).get("pair_ids", []))
        steps.append(
            _Step(changed=frozenset(entry.changed), before=before, brought=frozenset(after - earlier))
        )
        after = earlier
    return steps


def _last_run(steps: Sequence[_Step], gone: set[str], fields: frozenset[str]) -> dict[str, Any] | None:
    """How things were before the latest changes of these fields, if withdrawn pairs made those changes."""
    before = None
    for step in steps:
        if not fields & step.changed:
            continue
        if not step.brought & gone:
            break
        before = step.before
    return before


def _text_before(steps: Sequence[_Step], gone: set[str]) -> Content | None:
    before = _last_run(steps, gone, TEXT)
    return contents.from_json(before) if before else None


def _column_before(steps: Sequence[_Step], gone: set[str], name: str) -> Any:
    before = _last_run(steps, gone, frozenset({name}))
    if before is None:
        return _SAME
    value = before.get(name)
    return datetime.fromisoformat(value) if name.startswith("valid_") and value else value


def _vouched(memory: Memory) -> bool:
    """The person approved or corrected it themself."""
    if memory.origin == Origin.PERSON:
        return True
    own = MemoryHistory.objects.filter(memory=memory, action__in=["approve", "correct"], actor="person")
    return own.exists()
