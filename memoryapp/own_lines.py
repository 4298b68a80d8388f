"""Read our own lines, one at a time: our export, or {"statement" or "fact", …}.

Pure, like foreign.py. A line of an export tells how its memory was kept; any other is a memory somebody else kept.
"""

import json
import math
import unicodedata
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from memoryapp.foreign import Kept, Line, Skipped, fit, moment, words
from memoryapp.text import TextTooLong, clean

#: Longer than any memory with all its texts; what is longer was never ours.
MAX_LINE = 1024 * 1024
STATUSES = ("confirmed", "candidate", "superseded", "expired")
_TEXTS = ("raw_content", "normalized_fact", "memory_subtype")
_MAX_ID = 255


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, one in memory at a time; of one that is too long the beginning, which is no JSON."""
    while line := file.readline(MAX_LINE):
        piece = line
        while not piece.endswith(b"\n") and len(piece) == MAX_LINE:
            piece = file.readline(MAX_LINE)
        yield line


def read(lines: Iterable[str | bytes]) -> Iterator[Line | Skipped]:
    """What each line holds. Blank ones count as lines and are passed over."""
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError):
            yield Skipped(place, "not-json")
        else:
            yield fit(_own(place, item))


def _own(place: int, item: Any) -> Line | Skipped:
    if not isinstance(item, dict) or item.get("kind", "memory") != "memory":
        return Skipped(place, "not-a-memory")
    statement = item.get("statement", item.get("fact"))
    if not isinstance(statement, str):
        return Skipped(place, "not-a-memory")
    if item.get("memory_type") == "ENTRY":
        return Skipped(place, "entry")  # the service that stored it knows it by an id we do not give out
    try:
        kept = _kept(item) if "kind" in item and "memory_id" in item else None
    except (ValueError, TypeError, OverflowError):
        return Skipped(place, "not-a-memory")
    if kept is None and item.get("status", "confirmed") not in ("confirmed", "candidate"):
        return Skipped(place, "not-current")
    label = item.get("sensitivity")
    return Line(
        place=place,
        statement=statement,
        said_at=moment(item.get("said_at")) or moment(item.get("occurred_at")),
        memory_type=str(item.get("memory_type") or ""),
        keywords=words(item.get("keywords"), **({"most": 100, "longest": 500} if kept else {})),
        sensitivity=label if isinstance(label, str) else None,
        valid_from=moment(item.get("valid_from")),
        valid_to=moment(item.get("valid_to")),
        kept=kept,
    )


def _kept(item: Mapping[str, Any]) -> Kept:
    """Raises ValueError, TypeError or OverflowError for what an export never says."""
    if item["status"] not in STATUSES:
        raise ValueError("no status of a memory")
    confidence = float(item["confidence"])
    if not math.isfinite(confidence):
        raise ValueError("no number")
    return Kept(
        memory_id=uuid.UUID(str(item["memory_id"])),
        status=item["status"],
        service=_id(item.get("service")) or None if item["scope"] == "service" else "",
        project_id=_id(item.get("project_id")),
        confidence=min(max(confidence, 0.0), 1.0),
        quarantine=_text(item.get("quarantine"))[:64],
        occurred_at=moment(item.get("occurred_at")),
        texts={name: _text(item.get(name)) for name in _TEXTS},
        entities=words(item.get("entities"), most=100, longest=500),
    )


def _id(value: Any) -> str:
    text = unicodedata.normalize("NFC", _string(value))
    if len(text) > _MAX_ID or any(unicodedata.category(c) in ("Cc", "Cs") for c in text):
        raise ValueError("no id")
    return text


def _string(value: Any) -> str:
    if not isinstance(value, str | None):
        raise TypeError("no string")
    return value or ""


def _text(value: Any) -> str:
    try:
        return clean(_string(value))
    except TextTooLong as error:
        raise ValueError("too long") from error
