"""The contract `a2a-memory-context-v1` between a device and the planner. Pure: JSON in, JSON out.

What a device sends is whitelisted, typed and bounded here: unknown parts are dropped, missing parts are
empty, and nothing it says can raise. Memory is evidence for the planner and never names a route for the
present utterance, whose priority is always `required`.
"""

from dataclasses import dataclass
from typing import Any

from memoryapp.a2a.sieve import Sieve

VERSION = "a2a-memory-context-v1"
UPDATE_SOURCE = "cloud_a2a_runtime"
PRIORITY = "required"

PAIRS, DAYS, ITEMS = 20, 31, 50
#: Characters. What was said just now may be longer than what is told again of it.
SPOKEN, UTTERANCE, SUMMARY, NAME, ROUTE = 8000, 1000, 2000, 255, 64

_SNAPSHOT = frozenset({"source", "short_term", "mid_term", "long_term", "sync"})
#: Ours to say; a device may echo them, and that is no junk.
_ECHOED = frozenset({"contract_version", "current_turn_priority", "speaker_scope"})
_SHORT = frozenset({"recent_pairs", "session_summary"})
_MID = frozenset({"daily_summaries", "weekly_digest"})
_LONG = frozenset({"profile_items"})
_SYNC = frozenset({"cursor", "version"})
_PAIR = frozenset({"user", "assistant", "route_family", "speaker_id", "person_id"})
_DAY = frozenset({"day", "date", "summary"})
_ITEM = frozenset({"key", "category", "value", "confidence", "speaker_id", "person_id"})


@dataclass(frozen=True)
class Normalised:
    """A memory_context made of a snapshot, and how much of the snapshot was left out."""

    context: dict[str, Any]
    dropped: int


@dataclass(frozen=True, kw_only=True)
class Route:
    """What the runtime did with the present utterance. It comes from there alone, never from memory."""

    route_family: str = ""
    workflow_id: str = ""
    assistant_text: str = ""


def normalise(snapshot: Any) -> Normalised:
    """The documented memory_context of a `memory_snapshot`, whatever that is."""
    sieve = Sieve()
    whole = sieve.table(snapshot, _SNAPSHOT | _ECHOED)
    short = sieve.table(whole.get("short_term"), _SHORT)
    mid = sieve.table(whole.get("mid_term"), _MID)
    long = sieve.table(whole.get("long_term"), _LONG)
    sync = sieve.table(whole.get("sync"), _SYNC)
    context = {
        "contract_version": VERSION,
        "source": sieve.text(whole.get("source"), NAME),
        "current_turn_priority": PRIORITY,
        "short_term": {
            "recent_pairs": _pairs(sieve, short.get("recent_pairs")),
            "session_summary": sieve.text(short.get("session_summary"), SUMMARY),
        },
        "mid_term": {
            "daily_summaries": _days(sieve, mid.get("daily_summaries")),
            "weekly_digest": sieve.text(mid.get("weekly_digest"), SUMMARY),
        },
        "long_term": {"profile_items": _items(sieve, long.get("profile_items"))},
        "sync": {name: sieve.text(sync.get(name), NAME) for name in ("cursor", "version")},
    }
    return Normalised(context, sieve.dropped)


def route_of(data: Any) -> Route:
    """A `route_result`, of which runtimes send more than we need."""
    sieve = Sieve()
    table = sieve.table(data, frozenset({"route_family", "workflow_id", "assistant_text"}))
    return Route(
        route_family=sieve.text(table.get("route_family"), ROUTE),
        workflow_id=sieve.text(table.get("workflow_id"), NAME),
        assistant_text=sieve.text(table.get("assistant_text"), SPOKEN),
    )


def update(
    *,
    user_text: str,
    route: Route,
    sync: dict[str, str],
    speaker: dict[str, Any] | None,
    candidates: list[dict[str, Any]],
    session_summary: str,
) -> dict[str, Any]:
    """The documented memory_update of one finished turn. `speaker` is given only when a speaker was."""
    pair = {
        "user_text": user_text,
        "assistant_text": route.assistant_text,
        "route_family": route.route_family,
        "workflow_id": route.workflow_id,
    }
    ids = ("speaker_id", "person_id", "identity_link_state")
    who = {name: speaker[name] for name in ids} if speaker is not None else {}
    return {
        "contract_version": VERSION,
        "source": UPDATE_SOURCE,
        "sync": {"cursor": sync["cursor"], "version": sync["version"]},
        "write_candidates": {"short_term_pair": {**who, **pair}, "profile_candidates": candidates},
        "device_cache_update": {
            "active_workflow_id": route.workflow_id,
            "last_route": route.route_family,
            "session_summary": session_summary,
        },
    }


def _pairs(sieve: Sieve, value: Any) -> list[dict[str, Any]]:
    pairs = []
    for row in sieve.rows(value, _PAIR, PAIRS):
        pair = {name: sieve.text(row.get(name), UTTERANCE) for name in ("user", "assistant")}
        if pair["user"] or pair["assistant"]:
            pairs.append({**pair, **_named(sieve, row, ("route_family", "speaker_id", "person_id"))})
        else:
            sieve.dropped += 1
    return pairs


def _days(sieve: Sieve, value: Any) -> list[dict[str, Any]]:
    """Devices say `day` or `date`; each keeps the name it uses."""
    days = []
    for row in sieve.rows(value, _DAY, DAYS):
        when = _named(sieve, row, ("day",)) or _named(sieve, row, ("date",))
        summary = sieve.text(row.get("summary"), SUMMARY)
        if when and summary:
            days.append({**when, "summary": summary})
        else:
            sieve.dropped += 1
    return days


def _items(sieve: Sieve, value: Any) -> list[dict[str, Any]]:
    items = []
    for row in sieve.rows(value, _ITEM, ITEMS):
        item = _named(sieve, row, ("speaker_id", "person_id", "key", "category"))
        content = sieve.value(row.get("value"))
        if content in (None, "", [], {}) or not {"key", "category"} & set(item):
            sieve.dropped += 1
            continue
        item["value"] = content
        confidence = sieve.number(row.get("confidence"), 0, 1)
        items.append(item if confidence is None else {**item, "confidence": confidence})
    return items


def _named(sieve: Sieve, row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The short texts among `names` that are there and not empty."""
    texts = {name: sieve.text(row.get(name), NAME) for name in names if name in row}
    return {name: text for name, text in texts.items() if text}
