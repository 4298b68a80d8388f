"""How a memory looks from outside: to the API, to MCP, to the export and to the raw JSON of my page."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from memoryapp import content as contents
from memoryapp import lifecycle, rfc3339, sensitivity
from memoryapp.content import Content
from memoryapp.models import GUARDED, IndexState, Memory, MemoryHistory
from memoryapp.vault import Box

_SOURCES = ("candidate_ids", "summary_ids", "session_ids", "pair_ids", "event_ids")


def memory_json(memory: Memory, content: Content, *, masked: bool = False) -> dict[str, Any]:
    """A memory as API.md describes it. `masked` hides guarded content, as lists do."""
    hide = masked and memory.sensitivity in GUARDED
    return {
        "memory_id": str(memory.pk),
        "version": memory.version,
        "memory_type": memory.memory_type,
        "memory_subtype": _subtype(content.memory_subtype, hide),
        "statement": _shown(content.statement, memory, hide),
        "normalized_fact": _shown(content.normalized_fact, memory, hide),
        "raw_content": _shown(content.raw_content, memory, hide),
        "keywords": [] if hide else content.keywords,
        "entities": [] if hide else content.entities,
        "masked": hide,
        "scope": memory.scope,
        "project_id": memory.project_id or None,
        "sensitivity": memory.sensitivity,
        "confidence": memory.confidence,
        "status": memory.status,
        "quarantine": memory.quarantine or None,
        "valid_from": time_json(memory.valid_from),
        "valid_to": time_json(memory.valid_to),
        "occurred_at": time_json(memory.occurred_at),
        "created_at": time_json(memory.created_at),
        "updated_at": time_json(memory.updated_at),
        "index_state": index_state(memory),
        "sources": {name: memory.sources.get(name, []) for name in _SOURCES},
        "supersedes": _id(memory.supersedes_id),
        "superseded_by": _id(memory.superseded_by_id),
    }


def opened(memory: Memory, box: Box, *, masked: bool = False) -> dict[str, Any]:
    return memory_json(memory, contents.read(memory, box), masked=masked)


def without_words(told: dict[str, Any]) -> dict[str, Any]:
    """What is left to say of a memory that is deleted."""
    texts = dict.fromkeys(("memory_subtype", "statement", "normalized_fact", "raw_content"), "")
    return {**told, **texts, "keywords": [], "entities": []}


def history_json(entry: MemoryHistory, box: Box) -> dict[str, Any]:
    """One change, with the fields as they were before it."""
    before = (
        box.open(entry.before, lifecycle.history_place(entry.memory, entry.version)) if entry.before else None
    )
    if before is not None:
        before = {key: value for key, value in before.items() if key not in ("normalized", "slot")}
    return {
        "version": entry.version,
        "action": entry.action,
        "actor": entry.actor,
        "reason": entry.reason or None,
        "changed": entry.changed,
        "before": before,
        "at": time_json(entry.at),
    }


def index_state(memory: Memory) -> str:
    """Where the memory's indexing stands; a row without index rows is waiting for them to be cleaned up."""
    entry = getattr(memory, "index", None)
    return entry.state if entry is not None else IndexState.DELETE_PENDING


def _shown(text: str, memory: Memory, hide: bool) -> str:
    return sensitivity.mask(text, memory.sensitivity) if hide and text else text


def _subtype(text: str, hide: bool) -> str:
    """A kind of fact as a rule, and shown; somebody may have written a number into it."""
    return sensitivity.mask(text) if hide and sensitivity.detect(text) != "normal" else text


def time_json(moment: datetime | None) -> str | None:
    """RFC 3339 in the zone at hand (the service's, or the person's on their page), so that days read as they were."""
    return rfc3339.tell(timezone.localtime(moment)) if moment else None


def _id(value: object) -> str | None:
    return str(value) if value else None
