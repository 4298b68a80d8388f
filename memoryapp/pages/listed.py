"""Memories as a person's list shows them: opened, masked, and nothing more than the row needs."""

from collections.abc import Iterable
from dataclasses import dataclass

from memoryapp import content as contents
from memoryapp import shapes
from memoryapp.models import GUARDED, IndexState, Memory, Status
from memoryapp.vault import Box


@dataclass(frozen=True)
class Listed:
    """One row of a list. `statement` is masked when the memory is guarded, unless it was revealed."""

    memory: Memory
    statement: str
    masked: bool
    index_state: str

    @property
    def index_label(self) -> str:
        return str(IndexState(self.index_state).label)

    @property
    def candidate(self) -> bool:
        return self.memory.status == Status.CANDIDATE


def listed(rows: Iterable[Memory], box: Box) -> list[Listed]:
    return [one(memory, box) for memory in rows]


def one(memory: Memory, box: Box, *, reveal: bool = False) -> Listed:
    masked = memory.sensitivity in GUARDED and not reveal
    shown = shapes.memory_json(memory, contents.read(memory, box), masked=masked)
    return Listed(memory, shown["statement"], masked, shown["index_state"])
