"""Bring in memories: another assistant's as candidates for the person to decide on (X7), our own as they were."""

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from consent import ledger
from consent.domains import Domain
from memoryapp import content as contents
from memoryapp import foreign, gate, lifecycle, own_lines, reconcile, remember, sensitivity
from memoryapp.content import Content
from memoryapp.errors import Invalid
from memoryapp.extract import rules
from memoryapp.extract.base import Fact
from memoryapp.foreign import Kept, Line, Skipped
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import ChatService, Forgotten, Memory, MemoryType, Origin, Scope, Status
from memoryapp.permit import Permit
from memoryapp.reconcile import Known
from memoryapp.text import clean
from memoryapp.vault import Box, box_of

OURS = "jsonl"
SOURCES = (*foreign.SOURCES, OURS)
MAX_LINES = 1000
#: New memories from one reading of our own lines: the rest comes when the same text is read again.
MOST_NEW = 5000
#: Memories are written in parts, so that the person's lock is never held for long.
PART = 100
#: So many lines that were left out are named; all are counted.
NAMED = 200
_NOW = (Status.CONFIRMED, Status.CANDIDATE)


@dataclass(kw_only=True)
class Report:
    """What became of an import: each entry is made, a duplicate of what is known, or left out for a reason (a code)."""

    read: int = 0
    candidates: list[uuid.UUID] = field(default_factory=list)
    restored: list[uuid.UUID] = field(default_factory=list)
    duplicates: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    more: bool = False  # the limit was reached: read the same text again

    @property
    def made(self) -> list[uuid.UUID]:
        return [*self.candidates, *self.restored]

    def skip(self, item: Skipped) -> None:
        self.left_out[item.reason] += 1
        if len(self.skipped) < NAMED:
            self.skipped.append(item)


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """One line, read as a fact."""

    place: int
    fact: Fact
    content: Content
    said_at: datetime | None = None  # None = when it happened
    kept: Kept | None = None


@dataclass(frozen=True, kw_only=True)
class Around:
    """What there is already around the lines of one part."""

    ids: set[uuid.UUID]
    marks: set[tuple[int | None, str, int, str]]  # service, project, fingerprint, status
    forgotten: set[int]
    confirmed: list[Known]  # what may contradict them


def bring(permit: Permit, source: str, text: str | Iterable[bytes], *, project_id: str = "") -> Report:
    """Bring in what a text holds; our own lines may come one by one. Raises Invalid for another format or too much,
    Refused without consent.

    Nothing that is known is replaced or ended. What another assistant kept becomes a candidate. What our own export
    says was kept comes back as it was, or as a candidate where it contradicts what holds now. What the person has
    deleted is not brought in again. Bringing the same text twice adds nothing.
    """
    report = Report()
    items = _items(source, text)
    while part := list(islice(items, PART)):
        report.read += len(part)
        lines = [item for item in part if isinstance(item, Line)]
        for item in part:
            if isinstance(item, Skipped):
                report.skip(item)
        _take(permit, lines, project_id, report)
        if len(report.made) >= MOST_NEW:
            report.more = next(items, None) is not None
            break
    report.skipped.sort(key=lambda item: item.place)
    return report


def _items(source: str, text: str | Iterable[bytes]) -> Iterator[Line | Skipped]:
    if source == OURS:
        # Not splitlines(): it also cuts at separators that may stand inside a JSON string.
        return own_lines.read(text.split("\n") if isinstance(text, str) else text)
    try:
        found = foreign.read(source, text if isinstance(text, str) else b"".join(text).decode())
    except foreign.Unreadable as error:
        raise Invalid(
            f"this is no text of that source: {error}", {"text": ["Not in this format."]}
        ) from error
    if len(found.lines) > MAX_LINES:
        raise Invalid("too many memories at once", {"text": [f"At most {MAX_LINES} memories."]})
    return iter([*found.lines, *found.skipped])


def _prepare(permit: Permit, line: Line) -> Prepared:
    statement = clean(line.statement).strip()
    fact = rules.read_statement(statement, line.said_at or timezone.now(), ZoneInfo(permit.person.zone))
    label = sensitivity.normalise(line.sensitivity) if line.sensitivity is not None else fact.sensitivity
    known_type = line.memory_type in MemoryType.values and line.memory_type != MemoryType.ENTRY
    fact = replace(
        fact,
        memory_type=line.memory_type if known_type else fact.memory_type,
        sensitivity=label,
        keywords=line.keywords or fact.keywords,
    )
    fact = _as_kept(fact, line, line.kept) if line.kept else _as_told(fact, line)
    if fact.valid_from and fact.valid_to and fact.valid_to < fact.valid_from:
        fact = replace(fact, valid_from=None)
    texts = {name: text for name, text in line.kept.texts.items() if text} if line.kept else {}
    content = remember.content_of(fact, **{"statement": statement, "raw_content": statement, **texts})
    # A label is a floor, and what stands in any of the texts raises it.
    fact = replace(fact, sensitivity=sensitivity.raise_to(label, sensitivity.detect_in(content.texts())))
    said_at = line.said_at if line.kept else None
    return Prepared(place=line.place, fact=fact, content=content, said_at=said_at, kept=line.kept)


def _as_told(fact: Fact, line: Line) -> Fact:
    return replace(
        fact,
        occurred_at=fact.occurred_at or line.said_at,
        valid_from=line.valid_from or fact.valid_from,
        valid_to=line.valid_to or fact.valid_to,
        confidence=min(fact.confidence, 0.6),  # hearsay until the person says so
    )


def _as_kept(fact: Fact, line: Line, kept: Kept) -> Fact:
    """What an export says of times stands, also where it says nothing."""
    return replace(
        fact,
        occurred_at=kept.occurred_at or line.said_at,
        valid_from=line.valid_from,
        valid_to=line.valid_to,
        confidence=kept.confidence,
        entities=kept.entities or fact.entities,
        quarantine=fact.quarantine or kept.quarantine,
    )


def _take(permit: Permit, lines: Sequence[Line], project_id: str, report: Report) -> None:
    """Write one part, and add to the report."""
    if not lines:
        return
    prepared = [_prepare(permit, line) for line in lines]  # before the lock
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        services = _services(permit, prepared)
        around = _around(permit, box, prepared)
        drafts = []
        for item in prepared:
            service = services[item.kept.service if item.kept else ""]
            if isinstance(service, str):
                report.skip(Skipped(item.place, service))
                continue
            draft = _draft(permit, item, service, project_id)
            verdict = _verdict(box, item, draft, around)
            if verdict == "forgotten":
                report.skip(Skipped(item.place, verdict))
            elif verdict == "known":
                report.duplicates += 1
            else:
                drafts.append(replace(draft, status=verdict))
        deed = Deed(action="import", actor=permit.caller.name)
        made = lifecycle.insert_many(permit.person, box, drafts, deed)
    for memory in made:
        waits = memory.status == Status.CANDIDATE
        (report.candidates if waits else report.restored).append(memory.pk)


def _services(permit: Permit, prepared: Sequence[Prepared]) -> dict[str | None, ChatService | str | None]:
    """Where each line's service is, by slug: the service, None for personal scope, or why it cannot be used."""
    slugs = {item.kept.service for item in prepared if item.kept}
    found = {service.slug: service for service in ChatService.objects.filter(slug__in=slugs - {"", None})}
    places: dict[str | None, ChatService | str | None] = {"": None, None: "service-unknown"}
    for slug in slugs - {"", None}:
        service = found.get(slug or "")
        places[slug] = service if service and _allowed(permit, service) else _why(permit, service)
    return places


def _allowed(permit: Permit, service: ChatService) -> bool:
    if permit.caller.service is not None:
        return service == permit.caller.service and Scope.SERVICE in permit.scopes
    standings = ledger.standings(permit.person, service.slug)
    return standings.allows(Domain.SERVICE_MEMORY)


def _why(permit: Permit, service: ChatService | None) -> str:
    """A service is not told which others there are."""
    if permit.caller.service is not None and service != permit.caller.service:
        return "other-service"
    return "no-consent" if service else "service-unknown"


def _around(permit: Permit, box: Box, prepared: Sequence[Prepared]) -> Around:
    marks = {lifecycle.fingerprint(box, item.content) for item in prepared}
    slots = {mark for item in prepared for mark in remember.slot_marks(box, item.content) if item.kept}
    ids = {pk for item in prepared if item.kept for pk in _ids(permit, item.kept)}
    rows = Memory.objects.filter(
        Q(pk__in=ids) | Q(fingerprint__in=marks) | Q(slot__in=slots), person=permit.person
    )
    found = list(rows)
    told_to = permit.caller.service
    alive = [row for row in found if row.deleted_at is None and not remember.hidden_from(told_to, row)]
    gone = Forgotten.objects.filter(person=permit.person, fingerprint__in=marks)
    return Around(
        ids={row.pk for row in found},
        marks={(row.service_id, row.project_id, row.fingerprint, row.status) for row in alive},
        forgotten=set(gone.values_list("fingerprint", flat=True)),
        confirmed=[
            Known(memory=row, content=contents.read(row, box), fingerprint=row.fingerprint)
            for row in alive
            if row.status == Status.CONFIRMED and row.slot in slots
        ],
    )


def _verdict(box: Box, item: Prepared, draft: Draft, around: Around) -> str:
    """The status to keep a line with, "known" or "forgotten"; notes it among what there is."""
    mark, service_id = lifecycle.fingerprint(box, item.content), draft.service.pk if draft.service else None
    if mark in around.forgotten:
        return "forgotten"
    if draft.id in around.ids or (item.kept and item.kept.memory_id in around.ids):
        return "known"
    # A value that held before may stand beside the same one that holds now; for hearsay any is enough.
    like = _NOW if item.kept else Status.values
    if draft.status in _NOW and any(
        (service_id, draft.project_id, mark, status) in around.marks for status in like
    ):
        return "known"
    rivals = [
        known
        for known in around.confirmed
        if (known.memory.service_id, known.memory.project_id) == (service_id, draft.project_id)
    ]
    contradicted = draft.status == Status.CONFIRMED and reconcile.replaced_by(item.content, mark, rivals)
    status = str(Status.CANDIDATE if contradicted else draft.status)
    around.marks.add((service_id, draft.project_id, mark, status))
    if draft.id:
        around.ids.add(draft.id)
    return status


def _draft(permit: Permit, item: Prepared, service: ChatService | None, project_id: str) -> Draft:
    fact, kept = item.fact, item.kept
    return Draft(
        id=_id_of(permit, kept) if kept else None,
        content=item.content,
        memory_type=fact.memory_type,
        origin=Origin.IMPORT,
        status=kept.status if kept and not fact.quarantine else Status.CANDIDATE,
        occurred_at=fact.occurred_at or timezone.now(),
        said_at=item.said_at,
        sensitivity=fact.sensitivity,
        confidence=fact.confidence,
        service=service,
        origin_service=permit.caller.service or service,
        project_id=project_id or (kept.project_id if kept else ""),
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        quarantine=fact.quarantine,
    )


def _ids(permit: Permit, kept: Kept) -> tuple[uuid.UUID, uuid.UUID]:
    """The ids under which a memory of an export may be here: the one it had, and the one it came back with."""
    return kept.memory_id, _id_of(permit, kept)


def _id_of(permit: Permit, kept: Kept) -> uuid.UUID:
    """The same each time, so that nothing comes back twice; never that of somebody else's row."""
    return uuid.uuid5(permit.person.public_id, str(kept.memory_id))
