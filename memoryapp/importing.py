"""Bring in what another assistant remembered: as candidates, which the person approves or declines (X7)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from memoryapp import foreign, gate, lifecycle, remember, sensitivity
from memoryapp.content import Content
from memoryapp.errors import Invalid
from memoryapp.extract import rules
from memoryapp.extract.base import Fact
from memoryapp.foreign import Line, Skipped
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import Forgotten, Memory, MemoryType, Origin, Status
from memoryapp.permit import Permit
from memoryapp.text import clean
from memoryapp.vault import Box, box_of

MAX_LINES = 1000
#: Candidates are written in parts, so that the person's lock is never held for long.
PART = 100


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of an import: each entry is a candidate, a duplicate of what is known, or skipped."""

    read: int
    candidates: list[uuid.UUID]
    duplicates: int
    skipped: list[Skipped]


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """One line, read as a fact."""

    place: int
    fact: Fact
    content: Content


def bring(permit: Permit, source: str, text: str, *, project_id: str = "") -> Report:
    """Propose what a text holds. Raises Invalid for another format or too much, Refused without consent.

    Nothing is confirmed, replaced or ended by an import; what is known already is left as it is. What the
    person has deleted is not proposed again. Importing the same text twice adds nothing.
    """
    try:
        found = foreign.read(source, text)
    except foreign.Unreadable as error:
        raise Invalid(
            f"this is no text of that source: {error}", {"text": ["Not in this format."]}
        ) from error
    if len(found.lines) > MAX_LINES:
        raise Invalid("too many memories at once", {"text": [f"At most {MAX_LINES} memories."]})
    prepared = [_prepare(permit, line) for line in found.lines]
    candidates: list[uuid.UUID] = []
    skipped, duplicates = list(found.skipped), 0
    for start in range(0, len(prepared), PART):
        made, known, forgotten = _propose(permit, prepared[start : start + PART], project_id)
        candidates += made
        duplicates += known
        skipped += forgotten
    return Report(
        read=len(found.lines) + len(found.skipped),
        candidates=candidates,
        duplicates=duplicates,
        skipped=sorted(skipped, key=lambda item: item.place),
    )


def _prepare(permit: Permit, line: Line) -> Prepared:
    statement = clean(line.statement).strip()
    fact = rules.read_statement(statement, line.said_at or timezone.now(), ZoneInfo(permit.person.zone))
    label = sensitivity.normalise(line.sensitivity) if line.sensitivity is not None else fact.sensitivity
    known_type = line.memory_type in MemoryType.values and line.memory_type != MemoryType.ENTRY
    fact = replace(
        fact,
        memory_type=line.memory_type if known_type else fact.memory_type,
        sensitivity=sensitivity.raise_to(label, sensitivity.detect(statement)),
        occurred_at=fact.occurred_at or line.said_at,
        valid_from=line.valid_from or fact.valid_from,
        valid_to=line.valid_to or fact.valid_to,
        keywords=line.keywords or fact.keywords,
    )
    if fact.valid_from and fact.valid_to and fact.valid_to < fact.valid_from:
        fact = replace(fact, valid_from=None)
    content = remember.content_of(fact, statement=statement, raw_content=statement)
    return Prepared(place=line.place, fact=fact, content=content)


def _propose(
    permit: Permit, prepared: Sequence[Prepared], project_id: str
) -> tuple[list[uuid.UUID], int, list[Skipped]]:
    """Write one part. → (candidates, duplicates, what the person had deleted)."""
    made: list[uuid.UUID] = []
    duplicates, forgotten = 0, []
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        marks = [lifecycle.fingerprint(box, item.content) for item in prepared]
        known, gone = _known(permit, marks, project_id), _gone(permit, marks)
        for item, mark in zip(prepared, marks, strict=True):
            if mark in gone:
                forgotten.append(Skipped(item.place, "forgotten"))
            elif mark in known:
                duplicates += 1
            else:
                known.add(mark)
                made.append(_insert(permit, box, item, project_id))
    return made, duplicates, forgotten


def _known(permit: Permit, marks: Sequence[int], project_id: str) -> set[int]:
    rows = Memory.objects.filter(
        person=permit.person,
        service=None,
        project_id=project_id,
        fingerprint__in=marks,
        deleted_at__isnull=True,
    )
    return set(rows.values_list("fingerprint", flat=True))


def _gone(permit: Permit, marks: Sequence[int]) -> set[int]:
    rows = Forgotten.objects.filter(person=permit.person, fingerprint__in=marks)
    return set(rows.values_list("fingerprint", flat=True))


def _insert(permit: Permit, box: Box, item: Prepared, project_id: str) -> uuid.UUID:
    fact = item.fact
    draft = Draft(
        content=item.content,
        memory_type=fact.memory_type,
        origin=Origin.IMPORT,
        status=Status.CANDIDATE,
        occurred_at=fact.occurred_at or timezone.now(),
        sensitivity=fact.sensitivity,
        confidence=min(fact.confidence, 0.6),  # hearsay until the person says so
        origin_service=permit.caller.service,
        project_id=project_id,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        quarantine=fact.quarantine,
    )
    deed = Deed(action="import", actor=permit.caller.name)
    return lifecycle.insert(permit.person, box, draft, Embedded(None, None), deed).pk
