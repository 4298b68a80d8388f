"""Read what other assistants give out: mem0's JSON, ChatGPT's and Claude's text. Our own lines: own_lines.py.

Pure: text in, lines out. What cannot be read is named with its place and a reason, never with its content.
"""

import json
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from memoryapp import rfc3339
from memoryapp.text import TextTooLong, clean, tidy
from memoryapp.when import is_tellable

#: One memory as the person will read it in a list; longer texts are documents.
MAX_CHARACTERS = 2000


class Unreadable(ValueError):
    """This is not in the format that was named."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One memory somebody else kept. `place` is its number in the text, from 1."""

    place: int
    statement: str
    said_at: datetime | None = None
    memory_type: str = ""
    keywords: tuple[str, ...] = ()
    sensitivity: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    kept: "Kept | None" = None  # from our own export


@dataclass(frozen=True, kw_only=True)
class Kept:
    """How our own export says a memory was kept."""

    memory_id: uuid.UUID
    status: str
    service: str | None  # slug, "" = personal scope; None = a service's own, and not told whose
    project_id: str
    confidence: float
    quarantine: str
    occurred_at: datetime | None
    texts: Mapping[str, str]  # raw_content, normalized_fact, memory_subtype
    entities: tuple[str, ...]


@dataclass(frozen=True)
class Skipped:
    """What was left out, and why (a code)."""

    place: int
    reason: str


@dataclass(frozen=True)
class Read:
    """What was found in a text."""

    lines: list[Line] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def read(source: str, text: str) -> Read:
    """Read a text of this source. Raises Unreadable when it is something else."""
    found: list[Line] = []
    skipped: list[Skipped] = []
    for item in SOURCES[source](text):
        item = fit(item)
        found.append(item) if isinstance(item, Line) else skipped.append(item)
    return Read(found, skipped)


def fit(item: Line | Skipped) -> Line | Skipped:
    """The line, if its statement can be kept: what we kept ourselves may be as long as any text here."""
    if isinstance(item, Skipped):
        return item
    try:
        statement = clean(item.statement).strip()
    except TextTooLong:
        return Skipped(item.place, "too-long")
    if not statement:
        return Skipped(item.place, "empty")
    too_long = item.kept is None and len(statement) > MAX_CHARACTERS
    return Skipped(item.place, "too-long") if too_long else item


# ------------------------------------------------------------------ mem0


def _mem0(text: str) -> Iterator[Line | Skipped]:
    """A list of {"memory", "created_at", …}, alone or under "results" or "memories"."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not JSON") from error
    if isinstance(data, dict):
        data = data.get("results", data.get("memories"))
    if not isinstance(data, list):
        raise Unreadable("no list of memories")
    for place, item in enumerate(data, 1):
        statement = item.get("memory", item.get("text")) if isinstance(item, dict) else item
        if not isinstance(statement, str):
            yield Skipped(place, "not-a-memory")
            continue
        about: Mapping[str, Any] = item if isinstance(item, dict) else {}
        said_at = moment(about.get("updated_at") or about.get("created_at"))
        yield Line(place=place, statement=statement, said_at=said_at, keywords=words(about.get("categories")))


# ------------------------------------------------------------------ text of chat assistants

_FENCE = re.compile(r"^\s*(```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*•·–—▪◦]|\d{1,3}[.)])\s+")
_DATED = re.compile(r"^\s*\[([^\]]{0,40})\]\s*(?:[-–—:]\s*)?")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[^.!?。]{1,60}:\s*$)")
_EMPHASIS = re.compile(r"\*\*([^*]+)\*\*")
_DAY = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")


def _lines(text: str) -> Iterator[Line | Skipped]:
    """One memory a line, with or without bullet and [date]; inside the code block if there is one."""
    numbered = list(enumerate(text.splitlines(), 1))
    for place, line in _inside_fence(numbered) or numbered:
        if not line.strip() or _FENCE.match(line) or set(line.strip()) <= set("-=*_"):
            continue
        if _HEADING.match(line) and not _BULLET.match(line) and not _DATED.match(line):
            continue
        rest = _BULLET.sub("", line, count=1)
        dated = _DATED.match(rest)
        statement = rest[dated.end() :] if dated else rest
        statement = _EMPHASIS.sub(r"\1", statement).strip()
        yield Line(place=place, statement=statement, said_at=_day(dated[1]) if dated else None)


def _inside_fence(numbered: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """What stands in code blocks; the sentences around them are talk."""
    inside, kept = False, []
    for place, line in numbered:
        if _FENCE.match(line):
            inside = not inside
        elif inside:
            kept.append((place, line))
    return kept


def _day(text: str) -> datetime | None:
    """A date at noon UTC, which is the same day in every zone where people live."""
    found = _DAY.search(text)
    if found is None:
        return None
    try:
        return datetime.combine(date(*map(int, found.groups())), time(12), UTC)
    except ValueError:
        return None


def moment(value: Any) -> datetime | None:
    """A time as our export writes it, or as others do: any ISO 8601, in UTC when nothing says where."""
    try:
        moment = (rfc3339.read(value) or datetime.fromisoformat(value)) if isinstance(value, str) else None
    except ValueError:
        return None
    if moment is None or moment.year < 1900 or not is_tellable(moment):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def words(value: Any, *, most: int = 20, longest: int = 100) -> tuple[str, ...]:
    found = value if isinstance(value, list) else []
    tidied = (tidy(word)[:longest] for word in found if isinstance(word, str))
    return tuple(word for word in tidied if word.strip())[:most]


SOURCES: dict[str, Callable[[str], Iterator[Line | Skipped]]] = {
    "mem0": _mem0,
    "chatgpt": _lines,
    "claude": _lines,
}
