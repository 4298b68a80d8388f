"""What a replay found, side by side, for the admins of the service and as long as the person's leave holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp import audit
from memoryapp.models import AdminAction, Replay, ReplayedTurn
from memoryapp.permit import Permit
from memoryapp.replay import DEPLOYED, DRAFT, place
from memoryapp.vault import Box, box_of
from speakers.models import User

COUNTED = ("calls", "tokens_in", "tokens_out", "looked_up")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One fact. `only_here`: the other side did not find it. `outcome`: what remembering it would do now, or
    why nothing (a code)."""

    statement: str
    memory_type: str
    guarded: bool
    outcome: str
    only_here: bool


@dataclass(frozen=True, kw_only=True)
class Side:
    """One revision's part of a turn."""

    findings: list[Finding]
    error: str
    counts: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One turn; its sides are None while it is unread."""

    turn_id: str
    at: datetime
    deployed: Side | None = None
    draft: Side | None = None


@dataclass(kw_only=True)
class Total:
    """The sums of one side."""

    facts: int = 0
    only_here: int = 0
    failed: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))


@dataclass(frozen=True, kw_only=True)
class Comparison:
    lines: list[Line]
    read: int
    deployed: Total
    draft: Total


def compare(permit: Permit, replay: Replay, *, by: User) -> Comparison:
    """Open the findings of a replay over this person's turns. That somebody looked is noted, once for each."""
    box = box_of(permit.person)
    rows = replay.turns.filter(replay__grant__person=permit.person, replay__grant__service=permit.service)
    lines = [_line(row, box) for row in rows.select_related("turn").order_by("turn__occurred_at", "turn_id")]
    _note_look(permit, replay, by)
    return Comparison(
        lines=lines,
        read=sum(line.draft is not None for line in lines),
        deployed=_total(line.deployed for line in lines),
        draft=_total(line.draft for line in lines),
    )


def _line(row: ReplayedTurn, box: Box) -> Line:
    if row.content is None:
        return Line(turn_id=row.turn.turn_id, at=row.turn.occurred_at)
    found = box.open(row.content, place(row))
    return Line(
        turn_id=row.turn.turn_id,
        at=row.turn.occurred_at,
        deployed=_side(found[DEPLOYED], found[DRAFT]),
        draft=_side(found[DRAFT], found[DEPLOYED]),
    )


def _side(found: dict[str, Any], other: dict[str, Any]) -> Side:
    theirs = {fact["mark"] for fact in other["facts"]}
    return Side(
        findings=[_finding(fact, theirs) for fact in found["facts"]],
        error=found["error"],
        counts={name: found[name] for name in COUNTED},
    )


def _finding(fact: dict[str, Any], theirs: set[int]) -> Finding:
    shown = {name: value for name, value in fact.items() if name != "mark"}
    return Finding(**shown, only_here=fact["mark"] not in theirs)


def _total(sides: Iterable[Side | None]) -> Total:
    total = Total()
    for side in sides:
        if side is not None:
            total.facts += len(side.findings)
            total.only_here += _only_here(side.findings)
            total.failed += bool(side.error)
            for name in COUNTED:
                total.counts[name] += side.counts[name]
    return total


def _only_here(findings: Sequence[Finding]) -> int:
    return sum(finding.only_here for finding in findings)


def _note_look(permit: Permit, replay: Replay, by: User) -> None:
    known = {"actor": by, "action": "replay.look", "object_id": str(replay.pk)}
    if not AdminAction.objects.filter(**known).exists():
        audit.note(by, "replay.look", service=permit.service.slug, object_id=replay.pk)
