"""The single steps of a roll-back, each with what is needed to undo it."""

import base64
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from memoryapp import compress, lifecycle, rfc3339
from memoryapp import content as contents
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed
from memoryapp.lineage import Heir, Reversion
from memoryapp.models import Evidence, Memory, MemoryHistory, Status, Turn
from memoryapp.vault import Box
from speakers.models import Person

#: What a step may change in a memory, so what undoing it sets back.
COLUMNS = ("status", "confidence", "evidence_count", "sources", "valid_from", "valid_to", "superseded_by_id")
TURN = ("speaker_id", "route_family", "workflow_id", "state", "error")
_NOTHING = Embedded(None, None)


@dataclass(kw_only=True)
class Step:
    """How a memory was before a roll-back, and the version the roll-back left it in."""

    memory_id: uuid.UUID
    columns: dict[str, Any]
    content: dict[str, Any]
    version: int = 0

    @classmethod
    def before(cls, memory: Memory, box: Box) -> "Step":
        columns = {name: _plain(getattr(memory, name)) for name in COLUMNS}
        return cls(memory_id=memory.pk, columns=columns, content=asdict(contents.read(memory, box)))

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "memory_id": str(self.memory_id)}


def record_before(box: Box, turns: Sequence[Turn], evidence: Sequence[Evidence]) -> dict[str, Any]:
    """Turns and evidence as they are, for a sealed batch."""
    return {
        "turns": [
            {
                "id": str(turn.pk),
                "content": base64.b64encode(bytes(turn.content)).decode(),
                **{name: getattr(turn, name) for name in TURN},
            }
            for turn in turns
        ],
        "evidence": [
            {
                "id": str(row.pk),
                "memory_id": str(row.memory_id),
                "service_id": row.service_id,
                "pair_id": str(row.pair_id),
                "session_id": row.session_id,
                "kind": row.kind,
                "day": row.day.isoformat(),
                "at": row.at.isoformat(),
            }
            for row in evidence
        ],
    }


def remove(memory: Memory, box: Box, actor: str) -> Step:
    """Delete what rests on withdrawn turns alone; said afresh by its owner, it may be learnt again."""
    step = Step.before(memory, box)
    lifecycle.delete(memory, box, _deed("rollback", actor), may_return=True)
    return step


def revert(item: Reversion, box: Box, actor: str) -> Step:
    """Take the withdrawn turns out of a memory that stays."""
    step = Step.before(item.memory, box)
    count = max(1, item.memory.evidence_count - item.lost)
    lifecycle.amend(
        item.memory,
        box,
        _deed("rollback", actor),
        content=item.content,
        embedded=_NOTHING if item.content else None,
        sources=item.sources,
        evidence_count=count,
        **item.columns,
    )
    return step


def reinstate(heir: Heir, box: Box, actor: str) -> Step:
    """Let a memory hold again whose replacement goes, or pass it to the one that replaced that."""
    memory = heir.memory
    step = Step.before(memory, box)
    if heir.successor is not None:
        end = heir.successor.valid_from or heir.successor.occurred_at
        start = memory.valid_from or memory.occurred_at
        columns: dict[str, Any] = {"superseded_by": heir.successor, "valid_to": max(end, start)}
        lifecycle.amend(memory, box, _deed("rollback", actor), **columns)
        return step
    columns = {"superseded_by": None, "valid_to": _end_before(memory, box)}
    lifecycle.move(memory, box, Status.CONFIRMED, _deed("rollback", actor), **columns)
    return step


def put_back(person: Person, box: Box, batch: dict[str, Any], *, actor: str) -> None:
    """Undo a batch, in the caller's transaction. What was changed or purged since stays as it is."""
    for step in reversed(batch["memories"]):
        _put_back_memory(person, box, step, actor)
    turns = _put_back_turns(person, batch["turns"])
    _put_back_evidence(person, batch["evidence"])
    for turn in turns:
        compress.touch(turn, person)


def _put_back_memory(person: Person, box: Box, step: dict[str, Any], actor: str) -> None:
    memory = Memory.objects.select_for_update().filter(person=person, pk=step["memory_id"]).first()
    if memory is None or memory.version != step["version"]:
        return
    columns = {name: _typed(name, value) for name, value in step["columns"].items()}
    deed = _deed("rollback-undone", actor)
    if memory.status == Status.DELETED:
        lifecycle.restore(memory, box, deed, **columns)
        return
    content = contents.from_json(step["content"])
    lifecycle.amend(memory, box, deed, content=content, embedded=_NOTHING, **columns)


def _put_back_turns(person: Person, rows: Sequence[dict[str, Any]]) -> list[Turn]:
    before = {row["id"]: row for row in rows}
    turns = list(Turn.objects.filter(person=person, pk__in=before).select_related("service"))
    for turn in turns:
        row = before[str(turn.pk)]
        turn.content = base64.b64decode(row["content"])
        for name in TURN:
            setattr(turn, name, row[name])
        turn.next_try_at = timezone.now() if turn.state in ("pending", "running") else None
    Turn.objects.bulk_update(turns, ["content", "next_try_at", *TURN], batch_size=500)
    return turns


def _put_back_evidence(person: Person, rows: Sequence[dict[str, Any]]) -> None:
    alive = set(
        Memory.objects.filter(person=person, pk__in=[row["memory_id"] for row in rows]).values_list(
            "pk", flat=True
        )
    )
    Evidence.objects.bulk_create(
        [Evidence(person=person, **row) for row in rows if uuid.UUID(row["memory_id"]) in alive],
        ignore_conflicts=True,
    )


def _end_before(memory: Memory, box: Box) -> datetime | None:
    """When a memory was to end, before it was replaced."""
    entry = MemoryHistory.objects.filter(
        memory=memory, changed__contains=["status"], before__isnull=False
    ).last()
    if entry is None:
        return None
    before = box.open(bytes(entry.before or b""), lifecycle.history_place(memory, entry.version))
    return datetime.fromisoformat(before["valid_to"]) if before.get("valid_to") else None


def _deed(action: str, actor: str) -> Deed:
    return Deed(action=action, actor=actor)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339.tell(value)
    return str(value) if isinstance(value, uuid.UUID) else value


def _typed(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name.startswith("valid_"):
        return datetime.fromisoformat(value)
    return uuid.UUID(value) if name.endswith("_id") else value
