"""Read what other assistants give out: mem0's JSON, ChatGPT's and Claude's text, our own lines.

Pure: text in, lines out. What cannot be read is named with its place and a reason, never with its content.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any

from memoryapp.text import TextTooLong, clean

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
        if isinstance(item, Line) and (reason := _unfit(item)):
            item = Skipped(item.place, reason)
        found.append(item) if isinstance(item, Line) else skipped.append(item)
    return Read(found, skipped)


def _unfit(line: Line) -> str:
    try:
        statement = clean(line.statement).strip()
    except TextTooLong:
        return "too-long"
    if not statement:
        return "empty"
    return "too-long" if len(statement) > MAX_CHARACTERS else ""


# ------------------------------------------------------------------ mem0


def _mem0(text: str) -> Iterator[Line | Skipped]:
    """A list of {"memory", "created_at", …}, alone or under "results" or "memories"."""
    try:
        data = json.loads(text)
    except ValueError as error:
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
        said_at = _moment(about.get("updated_at") or about.get("created_at"))
        yield Line(
            place=place, statement=statement, said_at=said_at, keywords=_words(about.get("categories"))
        )


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


# ------------------------------------------------------------------ our own lines


def _jsonl(text: str) -> Iterator[Line | Skipped]:
    """Our export, or lines of {"statement" or "fact", …}. Only what holds now is taken."""
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except ValueError:
            yield Skipped(place, "not-json")
            continue
        yield _own(place, item)


def _own(place: int, item: Any) -> Line | Skipped:
    if not isinstance(item, dict) or item.get("kind", "memory") != "memory":
        return Skipped(place, "not-a-memory")
    statement = item.get("statement", item.get("fact"))
    if not isinstance(statement, str):
        return Skipped(place, "not-a-memory")
    if item.get("status", "confirmed") not in ("confirmed", "candidate"):
        return Skipped(place, "not-current")
    label = item.get("sensitivity")
    return Line(
        place=place,
        statement=statement,
        said_at=_moment(item.get("occurred_at")),
        memory_type=str(item.get("memory_type") or ""),
        keywords=_words(item.get("keywords")),
        sensitivity=label if isinstance(label, str) else None,
        valid_from=_moment(item.get("valid_from")),
        valid_to=_moment(item.get("valid_to")),
    )


def _moment(value: Any) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if moment is None or moment.year < 1900:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _words(value: Any) -> tuple[str, ...]:
    words = value if isinstance(value, list) else []
    return tuple(word[:100] for word in words if isinstance(word, str) and word.strip())[:20]


SOURCES: dict[str, Callable[[str], Iterator[Line | Skipped]]] = {
    "mem0": _mem0,
    "chatgpt": _lines,
    "claude": _lines,
    "jsonl": _jsonl,
}
