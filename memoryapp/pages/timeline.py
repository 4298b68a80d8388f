"""When a memory holds, drawn: bars for it and its neighbours in time, marks for what happened to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from memoryapp.models import Memory, MemoryHistory, Status

_ROW = 44  # pixels of one bar with its label
_TOP = 8


@dataclass(frozen=True)
class Bar:
    """One memory's time, in percent of the width; an open end runs to the edge."""

    label: str
    kind: str  # this | other
    x: float
    width: float
    y: int
    open_start: bool
    open_end: bool


@dataclass(frozen=True)
class Mark:
    """A moment on this memory's bar."""

    label: str
    kind: str  # said | kept | changed
    at: datetime
    x: float


@dataclass(frozen=True)
class Timeline:
    bars: list[Bar]
    marks: list[Mark]
    start: datetime
    end: datetime
    now_x: float
    marks_y: int
    height: int

    @property
    def axis_y(self) -> int:
        return self.height - 22


def timeline(
    memory: Memory, earlier: Memory | None, later: Memory | None, history: Sequence[MemoryHistory]
) -> Timeline:
    """The chart of one memory, with the one it replaces and the one that replaced it."""
    now = timezone.now()
    rows = [row for row in (earlier, memory, later) if row is not None]
    happened = _happened(memory, history)
    known = [moment for row in rows for moment in (row.valid_from, row.valid_to) if moment]
    known += [moment for _label, _kind, moment in happened]
    start, end = min(known), max([*known, now])
    pad = max((end - start) * 0.06, timedelta(hours=1))
    start, end = start - pad, end + pad

    def x(moment: datetime) -> float:
        return round(100 * ((moment - start) / (end - start)), 2)

    bars = [_bar(row, memory, x, _TOP + _ROW * index) for index, row in enumerate(rows)]
    return Timeline(
        bars=bars,
        marks=[Mark(label, kind, moment, x(moment)) for label, kind, moment in happened],
        start=start,
        end=end,
        now_x=x(now),
        marks_y=_TOP + _ROW * rows.index(memory) + 28,
        height=_TOP + _ROW * len(rows) + 30,
    )


def _bar(row: Memory, memory: Memory, x: Callable[[datetime], float], y: int) -> Bar:
    start, end = row.valid_from, _end(row)
    left, right = x(start) if start else 0.0, x(end) if end else 100.0
    return Bar(
        label=_name(row, memory),
        kind="this" if row.pk == memory.pk else "other",
        x=left,
        width=max(round(right - left, 2), 0.8),
        y=y,
        open_start=start is None,
        open_end=end is None,
    )


def _name(row: Memory, memory: Memory) -> str:
    if row.pk == memory.pk:
        return _("This memory")
    return _("An earlier memory") if row.pk == memory.supersedes_id else _("A newer memory")


def _end(row: Memory) -> datetime | None:
    if row.valid_to is None and row.status in (Status.SUPERSEDED, Status.EXPIRED):
        return row.updated_at
    return row.valid_to


def _happened(memory: Memory, history: Sequence[MemoryHistory]) -> list[tuple[str, str, datetime]]:
    found = [
        (_("Said or happened"), "said", memory.occurred_at),
        (_("Remembered at"), "kept", memory.created_at),
    ]
    changes = [entry for entry in history if entry.action == "correct"]
    return found + [(_("Corrected"), "changed", entry.at) for entry in changes]
