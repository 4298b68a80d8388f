"""Keep a memory_context compact: whole parts, the most useful first, while the budget lasts. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memoryapp import tokens

#: A list or text of the contract, by its place in it.
Place = tuple[str, str]
PAIRS, SESSION = ("short_term", "recent_pairs"), ("short_term", "session_summary")
DAYS, WEEK = ("mid_term", "daily_summaries"), ("mid_term", "weekly_digest")
ITEMS = ("long_term", "profile_items")
LISTS = (PAIRS, DAYS, ITEMS)

#: So many of the newest pairs come before anything else.
FIRST_PAIRS = 3
_RANKS = {SESSION: 1, ITEMS: 2, WEEK: 3, DAYS: 4, PAIRS: 5}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One pair, day, item or text. `source` is what it came from in our store, for the receipt."""

    place: Place
    value: Any
    source: Any = field(default=None, compare=False)


def parts_of(context: dict[str, Any]) -> list[Part]:
    """A memory_context in parts, in the order of the contract."""
    parts = []
    for place in (PAIRS, SESSION, DAYS, WEEK, ITEMS):
        content = context[place[0]][place[1]]
        values = content if place in LISTS else [content] if content else []
        parts += [Part(place=place, value=value) for value in values]
    return parts


def assemble(
    frame: dict[str, Any], parts: Sequence[Part], max_tokens: int
) -> tuple[dict[str, Any], list[Part]]:
    """Fill a frame (everything but parts) with what fits. → (the context, the parts that are in it)

    The frame itself is never cut: versions, priority, speaker and sync are the contract.
    """
    left = max_tokens - _cost(_filled(frame, []))
    kept = []
    for index in _by_use(parts):
        cost = _cost(parts[index].value) + 1
        if cost <= left:
            kept.append(index)
            left -= cost
    chosen = [parts[index] for index in sorted(kept)]
    context = _filled(frame, chosen)
    while kept and _cost(context) > max_tokens:
        kept.pop()  # the least useful first
        chosen = [parts[index] for index in sorted(kept)]
        context = _filled(frame, chosen)
    return context, chosen


def _by_use(parts: Sequence[Part]) -> list[int]:
    """Indexes, the most useful part first: the newest pairs and days, the first items."""
    ranks: list[tuple[int, int, int]] = []
    for place in _RANKS:
        same = [index for index, part in enumerate(parts) if part.place == place]
        for order, index in enumerate(same if place == ITEMS else reversed(same)):
            first = place == PAIRS and order < FIRST_PAIRS
            ranks.append((0 if first else _RANKS[place], order, index))
    return [index for _, _, index in sorted(ranks)]


def _filled(frame: dict[str, Any], parts: Sequence[Part]) -> dict[str, Any]:
    context = {name: dict(value) if isinstance(value, dict) else value for name, value in frame.items()}
    for place in (PAIRS, SESSION, DAYS, WEEK, ITEMS):
        values = [part.value for part in parts if part.place == place]
        context[place[0]][place[1]] = values if place in LISTS else "".join(values[:1])
    return context


def _cost(value: Any) -> int:
    return tokens.count(json.dumps(value, ensure_ascii=False))
