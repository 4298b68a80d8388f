"""Reads what a model answered: JSON with prose around it, in code fences, cut off, with nulls and extra keys.

Nothing a model says is trusted: each fact must rest on the user's own words, and code sets its dates, its
sensitivity and its quarantine.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from memoryapp import dates
from memoryapp.extract.base import BadOutput, Fact, Slot, Utterance
from memoryapp.extract.rules import guard
from memoryapp.extract.rules.extractor import labelled, normalized

TYPES = frozenset("PROFILE PREFERENCE RULE TASK AGREEMENT EVENT HABIT ALIAS FACT ENTRY".split())
USER_NAMES = frozenset(
    {"", "user", "the user", "i", "me", "myself", "self", "speaker", "나", "저", "사용자", "유저", "본인"}
)
#: Words by which every statement is about somebody, and none tells what it is about.
TELLS_NOTHING = re.compile(
    r"^(?:the|and|user|users|has|have|had|is|are|was|not|does|that|this|with|for|사용자.?|유저.?|본인.?|저는|나는|제가|내가)$"
)
FENCE = re.compile(r"^[ \t]*```[\w-]*[ \t]*$", re.MULTILINE)
HANGUL = re.compile(r"[가-힣]")
WORD = re.compile(r"[가-힣]{2,}|[A-Za-z]{3,}|\d+")
QUESTION = re.compile(r"[^.!?\n]*\?")
LONGEST = 1000  # characters of one statement
MOST = 20  # facts of one turn
MOST_TRIES = 200  # braces at which a fact may begin in an answer that is broken
DEFAULT_CONFIDENCE = 0.7

Item = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """One fact as a model proposes it. `about` is the 1-based number of the known memory it concerns."""

    fact: Fact
    about: int | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a model's answer is worth: the facts to go on with, and how many of its entries are no facts."""

    proposed: tuple[Proposed, ...] = ()
    rejected: int = 0


def read(text: str, utterance: Utterance, known: int = 0) -> Answer:
    """The facts that rest on the user's words. `known`: how many memories were offered by number.

    Raises BadOutput when there is no JSON that could hold facts, or none of its entries can be read.
    """
    entries = _entries(text)
    if entries and not any(map(_statement, entries)):
        raise BadOutput("the answer holds no readable facts")
    proposed = [_proposed(entry, utterance, known) for entry in entries[:MOST]]
    kept = tuple(one for one in proposed if one is not None)
    return Answer(proposed=kept, rejected=len(entries) - len(kept))


def _entries(text: str) -> list[Item]:
    """What a model lists as facts, readable or not; whole ones are kept when the end is cut off."""
    text = FENCE.sub("", text).strip()
    listed = [found for value in _values(text) if (found := _listed(value)) is not None]
    if listed:
        return [entry for found in listed for entry in found]
    partial = list(_whole_objects(text))
    if not partial:
        raise BadOutput("the answer holds no readable facts")
    return partial


def _values(text: str) -> Iterator[Any]:
    """Every JSON value in the text, outermost first."""
    decoder, at = json.JSONDecoder(), 0
    while (found := re.search(r"[\[{]", text[at:])) is not None:
        at += found.start()
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return  # cut off: `_whole_objects` takes what is complete
        yield value


def _whole_objects(text: str) -> Iterator[Item]:
    """The complete fact objects of a list that was cut off or is broken in places."""
    decoder = json.JSONDecoder()
    for found in islice(re.finditer(r"\{", text), MOST_TRIES):
        try:
            value, _ = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and _statement(value):
            yield value


def _listed(value: Any) -> list[Item] | None:
    """The entries of a value that is a list of facts, holds one, or is a fact itself; None for anything else."""
    if isinstance(value, list):
        return [_entry(item) for item in value] if not value or any(map(_entry, value)) else None
    if not isinstance(value, dict):
        return None
    for name in ("facts", "memories", "items", "results", "memory"):
        if name in value:
            inner = value[name] or []
            return [_entry(item) for item in inner] if isinstance(inner, list) else None
    return [value] if _statement(value) else None


def _entry(value: Any) -> Item:
    """A fact's object; a bare sentence is its statement, and what is neither tells nothing."""
    if isinstance(value, str):
        return {"statement": value}
    return value if isinstance(value, dict) else {}


def _statement(item: Item) -> str:
    for name in ("statement", "fact", "text", "memory", "content"):
        if text := _text(item, name):
            return text[:LONGEST]
    return ""


def _proposed(item: Item, utterance: Utterance, known: int) -> Proposed | None:
    statement, quote = _statement(item), _text(item, "quote")
    said = utterance.user_text
    if bool(HANGUL.search(said)) != bool(HANGUL.search(statement)) and _stands_in(quote, said):
        statement = quote[:LONGEST]  # the person's language is kept
    if not statement or not _rests_on(statement, quote, said):
        return None
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
    fact = labelled(_dated(fact, item, quote or statement, utterance))
    return Proposed(fact=fact, about=_number(item.get("about"), known))


def _number(value: Any, known: int) -> int | None:
    """The number of an offered memory, however the model has written it."""
    text = str(value).removesuffix(".0") if isinstance(value, int | float | str) else ""
    return int(text) if text.isdecimal() and len(text) < 4 and 1 <= int(text) <= known else None


def _rests_on(statement: str, quote: str, said: str) -> bool:
    """Whether the user said it: the quote stands in the turn, is no question, and tells of the same; without
    such a quote half of the statement's words have to stand there."""
    if _stands_in(quote, said):
        return not _is_asked(quote, said) and _shared(statement, quote) * 3 >= 1
    return _shared(statement, QUESTION.sub(" ", said)) * 2 >= 1


def _stands_in(quote: str, said: str) -> bool:
    return bool(_plain(quote)) and _plain(quote) in _plain(said)


def _is_asked(quote: str, said: str) -> bool:
    """Whether a question mark follows the quote wherever it stands: "Do I live in Busan?" states nothing."""
    asked, part = _plain(said, keep="?"), _plain(quote)
    found = [match.end() for match in re.finditer(re.escape(part), asked)]
    return bool(found) and all(asked[end : end + 1] == "?" for end in found)


def _shared(statement: str, heard: str) -> float:
    """The share of the statement's words that were heard; Korean words by how they begin."""
    plain = _plain(heard)
    words = [word for word in map(str.lower, WORD.findall(statement)) if not TELLS_NOTHING.match(word)]
    if not words:
        return float(bool(plain) and (_plain(statement) in plain or plain in _plain(statement)))
    return sum(word[:2] in plain if HANGUL.match(word) else word in plain for word in words) / len(words)


def _plain(text: str, keep: str = "") -> str:
    return re.sub(rf"[^\w{keep}]+|_+", "", text.lower())


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
    """The moment, unless it lies so near the edge of time that no other zone has it: then it is no date."""
    if day is None:
        return None
    moment = day if isinstance(day, datetime) else datetime.combine(day, clock)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    try:
        return moment if 1 < moment.astimezone(UTC).year < 9999 else None
    except OverflowError:
        return None


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
    return guard.clean(value) if isinstance(value, str) else ""


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # NaN
        return DEFAULT_CONFIDENCE
    return float(min(max(value, 0), 0.95))


def _words(item: Item, name: str) -> tuple[str, ...]:
    value = item.get(name)
    listed = value if isinstance(value, list) else []
    return tuple(
        dict.fromkeys(
            word[:60] for value in listed if isinstance(value, str) and (word := guard.clean(value))
        )
    )[:12]
