"""What every extractor takes and gives: one turn in, the facts worth keeping out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from zoneinfo import ZoneInfo


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What an extractor may see of one turn. `occurred_at` is aware and the only time anchor."""

    user_text: str
    assistant_text: str = ""
    occurred_at: datetime
    zone: ZoneInfo


@dataclass(frozen=True, kw_only=True)
class Slot:
    """Which attribute of whom: two facts about one slot compete.

    `subject` is "user" or a named third party ("민호", "minsu"); `object` tells parallel values of a
    many-valued attribute apart ("땅콩") and is "" where one value at a time is kept (`single`).
    Same slot with the other `negated` is a contradiction.
    """

    subject: str
    attribute: str
    object: str = ""
    negated: bool = False
    single: bool = False


@dataclass(frozen=True, kw_only=True)
class Settling:
    """What a sentence does to an earlier plan or duty: it is off, has been moved, or is done.

    `words` tells which one: an earlier memory is meant when it names a word of each group ("보고서", "내야").
    `alone`: the sentence is worth nothing besides, and is forgotten where nothing was planned.
    """

    how: Literal["off", "moved", "done"]
    words: tuple[tuple[str, ...], ...]
    alone: bool = False


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing worth keeping, in the person's own words and language.

    `normalized` is equal for two wordings of one fact. `ends` closes what the slot says ("이제 운동 안 해").
    `occurred_at` is when the thing happened, resolved against the turn's own time; times are aware.
    A fact with a `quarantine` reason may be kept as a candidate and must never be confirmed.
    `settles` ends an earlier plan or duty, which has no slot of its own.
    """

    statement: str
    memory_type: str
    normalized: str
    slot: Slot | None
    ends: bool = False
    sensitivity: str = "normal"
    confidence: float = 0.8
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    quarantine: str = ""
    settles: Settling | None = None

    @property
    def only_settles(self) -> bool:
        """Whether it is nothing to keep, and only ends what was planned."""
        return self.settles is not None and self.settles.alone


class Extractor(Protocol):
    """Finds the facts of one turn. Raises ExtractorDown or BadOutput, both worth another try."""

    def extract(self, utterance: Utterance) -> list[Fact]: ...


class ExtractorDown(Exception):
    """The extractor cannot be reached now. Try again later."""


class BadOutput(Exception):
    """The extractor answered with something that holds no readable facts. Try again later."""
