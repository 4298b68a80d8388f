"""What a search needs to know of a question, besides its vector. Nothing in it tells the words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memoryapp.index import terms, times
from memoryapp.index.times import AskedTime


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Keyed terms to look for, keyed words that may name an author, the language, the time asked about."""

    terms: list[int]
    names: list[int]
    language: int
    time: AskedTime | None


def read(question: str, mark: Callable[[str], int], now: datetime, zone: str) -> Asked:
    """Read a question; `mark` is the keyed hash of the person whose memories are searched."""
    return Asked(
        terms=[mark(term) for term in terms.asked(question)],
        names=[mark(name) for name in terms.names(question)],
        language=terms.language(question),
        time=times.asked_time(question, now, ZoneInfo(zone)),
    )
