"""Reads what a model answered: JSON with prose around it, in code fences, cut off, with nulls and extra keys.

Nothing a model says is trusted: each fact must rest on the user's own words, and code sets its dates, its
sensitivity and its quarantine.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from memoryapp import dates
from memoryapp.extract.base import BadOutput, Fact, Slot, Utterance
from memoryapp.extract.rules.extractor import labelled, normalized

TYPES = frozenset("PROFILE PREFERENCE RULE TASK AGREEMENT EVENT HABIT ALIAS FACT ENTRY".split())
USER_NAMES = frozenset(
    {"", "user", "the user", "i", "me", "myself", "self", "speaker", "나", "저", "사용자", "유저", "본인"}
)
FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*$", re.MULTILINE)
HANGUL = re.compile(r"[가-힣]")
WORD = re.compile(r"[가-힣]{2,}|[A-Za-z]{3,}|\d+")
LONGEST = 1000  # characters of one statement
MOST = 20  # facts of one turn
DEFAULT_CONFIDENCE = 0.7

Item = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """One fact as a model proposes it. `about` is the 1-based number of the known memory it concerns."""

    fact: Fact
    about: int | None = None


def items(text: str) -> list[Item]:
    """The facts in a model's answer; whole ones are kept when the end is cut off.

    Raises BadOutput when there is no JSON in it that could hold facts.
    """
    text = FENCE.sub("", text).strip()
    for value in _values(text):
        found = _listed(value)
        if found is not None:
            return found
    partial = list(_whole_objects(text))
    if not partial:
        raise BadOutput("the answer holds no readable facts")
    return partial


def proposals(text: str, utterance: Utterance, known: int = 0) -> list[Proposed]:
    """The answer's facts that rest on the user's words. `known`: how many memories were offered by number."""
    read = (_proposed(item, utterance, known) for item in items(text)[:MOST])
    return [proposed for proposed in read if proposed is not None]


def _values(text: str) -> Iterator[Any]:
    """Every JSON value in the text, outermost first."""
    decoder, at = json.JSONDecoder(), 0
    while (found := re.search(r"[\[{]", text[at:])) is not None:
        at += found.start()
        try:
            value, at = decoder.raw_decode(text, at)
        except ValueError:
            return  # cut off: `_whole_objects` takes what is complete
        yield value


def _whole_objects(text: str) -> Iterator[Item]:
    """The complete fact objects of a list that was cut off or is broken in places."""
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", text):
        try:
            value, _ = decoder.raw_decode(text, found.start())
        except ValueError:
            continue
        if isinstance(value, dict) and _statement(value):
            yield value


def _listed(value: Any) -> list[Item] | None:
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)] if not value or _any_object(value) else None
    if not isinstance(value, dict):
        return None
    for name in ("facts", "memories", "items", "results", "memory"):
        if name in value:
            inner = value[name] or []
            return [item for item in inner if isinstance(item, dict)] if isinstance(inner, list) else None
    return [value] if _statement(value) else None


def _any_object(values: list[Any]) -> bool:
    return any(isinstance(value, dict) for value in values)


def _statement(item: Item) -> str:
    for name in ("statement", "fact", "text", "memory", "content"):
        if isinstance(item.get(name), str) and item[name].strip():
            return re.sub(r"\s+", " ", str(item[name])).strip()[:LONGEST]
    return ""


def _proposed(item: Item, utterance: Utterance, known: int) -> Proposed | None:
    statement, quote = _statement(item), _text(item, "quote")
    if not statement or not _rests_on(statement, quote, utterance.user_text):
        return None
    if HANGUL.search(utterance.user_text) and not HANGUL.search(statement) and HANGUL.search(quote):
        statement = quote  # the person's language is kept
    fact = Fact(
        statement=statement,
        memory_type=_type(item),
        normalized=normalized(statement),
        slot=_slot(item),
        ends=item.get("ends") is True,
        sensitivity=_text(item, "sensitivity") or "normal",
        confidence=_share(item.get("confidence")),
        keywords=_words(item, "keywords"),
        entities=_words(item, "entities"),
    )
    about = item.get("about")
    number = about if isinstance(about, int) and not isinstance(about, bool) and 1 <= about <= known else None
    return Proposed(fact=labelled(_dated(fact, item, quote or statement, utterance)), about=number)


def _rests_on(statement: str, quote: str, said: str) -> bool:
    """Whether the user said it: the quote stands in the turn, or else some of the statement's words do."""
    if quote and _plain(quote) in _plain(said):
        return True
    heard = _plain(said)
    words = [word.lower() for word in WORD.findall(statement)]
    return sum(word[:2] in heard if HANGUL.match(word) else word in heard for word in words) * 2 >= max(
        len(words), 1
    )


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _dated(fact: Fact, item: Item, said: str, utterance: Utterance) -> Fact:
    """Dates in the user's words are resolved by code; the model's own count only where code reads none."""
    anchor, zone = utterance.occurred_at, utterance.zone
    own = dates.resolve(said, anchor, zone, "future" if fact.memory_type == "TASK" else None)
    happened = own.moment if own and own.bound != "since" else _moment(item.get("occurred_at"), zone)
    begins = own.start if own and own.bound == "since" else _start(item.get("valid_from"), zone)
    ends = _start(item.get("valid_to"), zone)
    if begins and ends and ends <= begins:
        ends = None
    return replace(fact, occurred_at=happened, valid_from=begins, valid_to=ends)


def _day(value: Any) -> date | datetime | None:
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        text = value.strip().replace("Z", "+00:00")
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def _moment(value: Any, zone: ZoneInfo) -> datetime | None:
    return _at(_day(value), time(12), zone)


def _start(value: Any, zone: ZoneInfo) -> datetime | None:
    return _at(_day(value), time(), zone)


def _at(day: date | datetime | None, clock: time, zone: ZoneInfo) -> datetime | None:
    if isinstance(day, datetime):
        return day if day.tzinfo else day.replace(tzinfo=zone)
    return datetime.combine(day, clock, zone) if day else None


def _slot(item: Item) -> Slot | None:
    slot = item.get("slot")
    if not isinstance(slot, dict):
        return None
    attribute = _text(slot, "attribute").lower()
    if not attribute:
        return None
    subject, single = _text(slot, "subject").lower(), slot.get("single") is True
    named = "" if single else _text(slot, "object").lower()
    if not single and not named:
        return None  # facts that only share an attribute must not compete
    return Slot(
        subject="user" if subject in USER_NAMES else subject,
        attribute=attribute,
        object=named,
        negated=slot.get("negated") is True,
        single=single,
    )


def _type(item: Item) -> str:
    name = (_text(item, "memory_type") or _text(item, "type")).upper()
    return name if name in TYPES else "FACT"


def _text(item: Item, name: str) -> str:
    value = item.get(name)
    return value.strip() if isinstance(value, str) else ""


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return DEFAULT_CONFIDENCE
    return min(max(float(value), 0.0), 0.95)


def _words(item: Item, name: str) -> tuple[str, ...]:
    value = item.get(name)
    listed = value if isinstance(value, list) else []
    return tuple(
        dict.fromkeys(word.strip()[:60] for word in listed if isinstance(word, str) and word.strip())
    )[:12]
