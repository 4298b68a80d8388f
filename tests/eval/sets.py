"""The retrieval sets: questions of people, and which of their memories answer them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).with_name("sets")
_CLOCK = re.compile(r"(\d+):(\d+) ([ap])m on (\d+) (\w+), (\d{4})")


@dataclass(frozen=True, kw_only=True)
class Doc:
    """One memory. With an author it is a raw turn of a session, else a fact."""

    id: str
    text: str
    author: str
    session: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Question:
    text: str
    category: str
    gold: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """One person's memories in the order in which they came, and the questions about them."""

    name: str
    docs: list[Doc] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def names(folder: Path) -> list[str]:
    """The sets in a folder."""
    return sorted(path.name.removesuffix("_docs.jsonl") for path in folder.glob("*_docs.jsonl"))


def read(folder: Path, name: str) -> list[Corpus]:
    """One set. Raises OSError and ValueError for a folder that does not hold it as it should be."""
    corpora: dict[str, Corpus] = {}
    for row in _rows(folder / f"{name}_docs.jsonl"):
        corpora.setdefault(row["corpus"], Corpus(name=row["corpus"])).docs.append(_doc(row))
    for row in _rows(folder / f"{name}_queries.jsonl"):
        corpora[row["corpus"]].questions.append(
            Question(text=row["query"], category=row["cat"], gold=frozenset(row["gold"]))
        )
    return list(corpora.values())


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _doc(row: dict[str, Any]) -> Doc:
    caption = row.get("caption", "")
    return Doc(
        id=row["id"],
        text=f"{row['text']} [{caption}]" if caption else row["text"],
        author=row.get("speaker", ""),
        session=str(row.get("session", row.get("date", ""))) if "speaker" in row else "",
        at=_time(row.get("date", "2024-01-01")),
    )


def _time(text: str) -> datetime:
    clock = _CLOCK.match(text)
    if clock is None:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    hour, minute, half, day, month, year = clock.groups()
    return datetime.strptime(f"{hour}:{minute} {half}m {day} {month} {year}", "%I:%M %p %d %B %Y").replace(
        tzinfo=UTC
    )
