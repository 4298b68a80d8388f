"""Condense what was said, level by level. The built-in way is extractive: the person's own words, counted.

Pure. A summary is a list of lines, each with the pairs it was taken from, so that what is withdrawn later can
be taken out of it line by line.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memoryapp import sensitivity
from memoryapp.extract.rules import guard
from memoryapp.extract.usage import Used
from memoryapp.index import terms

#: How many lines each level keeps.
LINES = {"session": 4, "day": 6, "week": 6}
LINE_CHARACTERS, PAIRS_PER_LINE = 120, 200
#: From this share of common terms on, two lines say the same.
ALIKE = 0.75
_HANGUL = re.compile(r"[가-힣]")
_CHATTER = re.compile(
    r"^\W*(?:응|어|네|예|넵|그래|좋아|아니|아니요|고마워|감사합니다|안녕|안녕하세요|알겠어|됐어|"
    r"yes|no|ok(?:ay)?|thanks?(?: you)?|hi|hello)\W*$",
    re.IGNORECASE,
)
_PARTS = (
    (5, "새벽", "night"),
    (11, "아침", "morning"),
    (17, "낮", "daytime"),
    (21, "저녁", "evening"),
    (24, "밤", "night"),
)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing that was said, how often and on how many days, and the pairs it stands for."""

    text: str
    pair_ids: tuple[UUID, ...]
    times: int = 1
    days: int = 1
    at: datetime  # local: when it was said last


@dataclass(frozen=True)
class Digest:
    """A summary: its text, and the lines the text is made of."""

    text: str
    lines: list[Line]


class Summariser(Protocol):
    """Condenses lines. `name` tells which method and version wrote a summary, `used` what a model was paid.

    Raises SummariserDown.
    """

    used: Used

    @property
    def name(self) -> str: ...

    def summarise(self, level: str, lines: Sequence[Line]) -> Digest: ...


class SummariserDown(Exception):
    """The summariser cannot be reached, or answered with nothing usable. Try again later."""


def utterance(text: str) -> str:
    """What of an utterance may stand in a summary: own words, none guarded or off the record. "" = none."""
    if guard.off_the_record(text) or guard.injected(text):
        return ""
    own = " ".join(guard.own_words(text).split())
    if not own or _CHATTER.match(own) or sensitivity.detect(own) in ("pii", "restricted"):
        return ""
    return own if len(own) <= LINE_CHARACTERS else own[: LINE_CHARACTERS - 1].rstrip() + "…"


class Extractive:
    """Keeps the lines that were said most and share most with the others, in the order they were said."""

    name = "extractive-1"
    used = Used()

    def summarise(self, level: str, lines: Sequence[Line]) -> Digest:
        merged = _merge(lines, new_day=level == "week")
        kept = sorted(_best(merged, LINES[level]), key=lambda line: line.at)
        return Digest(text_of(level, kept), kept)


def text_of(level: str, lines: Sequence[Line]) -> str:
    """The text of lines: with the part of the day in a day, with the number of days in a week."""
    return ", ".join(_told(level, line) for line in lines)


def _merge(lines: Iterable[Line], *, new_day: bool) -> list[Line]:
    """Join lines that say the same; the latest wording stays."""
    groups: list[tuple[set[str], Line]] = []
    for line in lines:
        words = set(terms.analyse(line.text))
        for index, (other, known) in enumerate(groups):
            if _alike(words, other):
                groups[index] = (other | words, _joined(known, line, new_day))
                break
        else:
            groups.append((words, line))
    return [line for _, line in groups]


def _alike(one: set[str], other: set[str]) -> bool:
    union = one | other
    return bool(union) and len(one & other) / len(union) >= ALIKE


def _joined(known: Line, line: Line, new_day: bool) -> Line:
    pairs = tuple(dict.fromkeys([*known.pair_ids, *line.pair_ids]))[-PAIRS_PER_LINE:]
    other_day = new_day and line.at.date() != known.at.date()
    return replace(
        line if line.at >= known.at else known,
        pair_ids=pairs,
        times=known.times + line.times,
        days=known.days + 1 if other_day else max(known.days, line.days),
    )


def _best(lines: Sequence[Line], limit: int) -> list[Line]:
    words = [set(terms.analyse(line.text)) for line in lines]
    common = {term: sum(term in each for each in words) for each_ in words for term in each_}

    def weight(index: int) -> tuple[float, datetime]:
        shared = sum(common[term] - 1 for term in words[index]) / (len(words[index]) or 1)
        return lines[index].times + 2 * (lines[index].days - 1) + shared, lines[index].at

    ranked = sorted(range(len(lines)), key=weight, reverse=True)
    return [lines[index] for index in ranked[:limit]]


def _told(level: str, line: Line) -> str:
    korean = _HANGUL.search(line.text) is not None
    text = line.text
    if level == "day":
        hour = line.at.hour
        part = next((ko if korean else en) for until, ko, en in _PARTS if hour < until)
        text = f"{part}: {text}"
    if level == "week" and line.days > 1:
        return f"{text} ({line.days}일)" if korean else f"{text} ({line.days} days)"
    if line.times > 1:
        return f"{text} ({line.times}번)" if korean else f"{text} ({line.times} times)"
    return text
