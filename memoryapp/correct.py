"""Correct a memory: the allowed fields only, against the version the person has seen."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from memoryapp import browse, gate, lifecycle, sensitivity
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.errors import Conflict, Invalid, Stale
from memoryapp.extract import rules
from memoryapp.index import refresh
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed
from memoryapp.models import GUARDED, IndexEntry, Memory, Origin, Status
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of

#: What may be corrected (G18). Everything else about a memory is immutable.
TEXT_FIELDS = frozenset(
    {"statement", "raw_content", "normalized_fact", "keywords", "entities", "memory_subtype"}
)
COLUMN_FIELDS = frozenset({"sensitivity", "confidence", "valid_from", "valid_to", "sources"})
ALLOWED = TEXT_FIELDS | COLUMN_FIELDS


@dataclass(frozen=True)
class Corrected:
    """The memory as it is now, and a warning code when its index rows were already gone."""

    memory: Memory
    content: Content
    warning: str = ""


def correct(
    permit: Permit, memory_id: uuid.UUID, changes: Mapping[str, Any], version: int | None
) -> Corrected:
    """Apply a correction. Raises Stale when `version` is not the current one, Invalid for other fields.

    Fields that are not named keep their value. A new statement without a new normalized_fact renews
    that too. The index follows in the same transaction, or nothing changes.
    """
    _check_fields(changes)
    seen = browse.one(permit, memory_id)
    box = box_of(permit.person)
    text = _new_content(permit, seen, contents.read(seen, box), changes)
    columns = _new_columns(seen, text, changes)
    embedded = _embed(text, columns)
    with transaction.atomic():
        permit = gate.again(permit)
        memory = browse.one(permit, memory_id)
        if version is not None and memory.version != version:
            raise Stale("somebody changed this memory in the meantime")
        if memory.version != seen.version:
            raise Conflict("somebody changed this memory at this very moment; read it again")
        return _write(permit, box, memory, text, columns, embedded)


def _check_fields(changes: Mapping[str, Any]) -> None:
    wrong = sorted(set(changes) - ALLOWED)
    if wrong:
        raise Invalid(
            "some fields cannot be corrected", {name: ["This field cannot be changed."] for name in wrong}
        )
    if not changes:
        raise Invalid("name at least one field to correct")


def _new_content(permit: Permit, memory: Memory, old: Content, changes: Mapping[str, Any]) -> Content:
    texts = {name: value for name, value in changes.items() if name in TEXT_FIELDS}
    new = replace(old, **texts)
    if new.statement == old.statement:
        return new
    fact = rules.read_statement(new.statement, memory.occurred_at, ZoneInfo(permit.person.zone))
    renewed = {
        "normalized_fact": new.statement,
        "raw_content": new.statement,
        "keywords": list(fact.keywords),
        "entities": list(fact.entities),
    }
    named: dict[str, Any] = {name: value for name, value in renewed.items() if name not in changes}
    return replace(new, normalized=fact.normalized, slot=asdict(fact.slot) if fact.slot else None, **named)


def _new_columns(memory: Memory, text: Content, changes: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: value for name, value in changes.items() if name in COLUMN_FIELDS}
    if "sensitivity" in columns:
        columns["sensitivity"] = sensitivity.normalise(columns["sensitivity"])
    # A label may be lowered by its owner, but never below what stands in any of its texts.
    label = columns.get("sensitivity", memory.sensitivity)
    columns["sensitivity"] = sensitivity.raise_to(label, sensitivity.detect_in(text.texts()))
    start = columns.get("valid_from", memory.valid_from)
    end = columns.get("valid_to", memory.valid_to)
    if start and end and end < start:
        raise Invalid("the interval ends before it begins", {"valid_to": ["Must not be before valid_from."]})
    return columns


def _embed(text: Content, columns: Mapping[str, Any]) -> Embedded:
    if columns["sensitivity"] in GUARDED:
        return Embedded(None, None)
    return refresh.prepare([text.searchable()])[0]


def _write(
    permit: Permit, box: Box, memory: Memory, text: Content, columns: dict[str, Any], embedded: Embedded
) -> Corrected:
    gone = (
        memory.status in (Status.CONFIRMED, Status.CANDIDATE)
        and not IndexEntry.objects.filter(pk=memory.pk).exists()
    )
    if gone:
        # The searchable surface cannot be restored to what the person saw: the row goes too, and they are told.
        deed = Deed(action="delete", actor=permit.caller.name, reason="index-gone")
        return Corrected(lifecycle.delete(memory, box, deed, may_return=True), text, warning="index-gone")
    # If it changes anything it is the newest word on it, also when the person's own assistant passes it on.
    memory.said_at = timezone.now()
    if permit.caller.service is None:
        memory.origin = Origin.PERSON
    deed = Deed(action="correct", actor=permit.caller.name)
    memory = lifecycle.amend(memory, box, deed, content=text, embedded=embedded, **columns)
    return Corrected(memory, text)
