"""Put facts into a person's memory: reconcile under their lock, carry the decision out, tell what was done.

Internal: an explicit `save` and the reading of turns both end here; agents never see it (G11).
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from memoryapp import content as contents
from memoryapp import costs, gate, lifecycle
from memoryapp.content import Content
from memoryapp.extract.base import Fact
from memoryapp.index import refresh
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import (
    GUARDED,
    WITHDRAWN,
    ChatService,
    Forgotten,
    Memory,
    Origin,
    Scope,
    Sensitivity,
    Status,
    Turn,
)
from memoryapp.permit import Permit
from memoryapp.reconcile import MAX_CLOSED, PLANS, Decision, Known, Operation, Proposal, decide, since
from memoryapp.vault import Box, box_of
from speakers.models import Person

CLOSING = (Operation.REPLACE, Operation.EXPIRE)
MOST_PLANS = 100
#: Why a fact is held back that would have been one change too many of its turn.
MANY_CHANGES = "changes many memories at once"


@dataclass(frozen=True, kw_only=True)
class Item:
    """One fact on its way into memory, with where it came from."""

    fact: Fact
    content: Content
    origin: str
    said_at: datetime
    scope: str = Scope.PERSONAL
    project_id: str = ""
    session_id: str = ""
    about: uuid.UUID | None = None  # the known memory that a model says this concerns
    sources: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one fact. `memory` is None when nothing is kept of it."""

    operation: Operation
    reason: str
    memory: Memory | None
    content: Content | None
    affected: tuple[uuid.UUID, ...] = ()


def content_of(fact: Fact, **extra: object) -> Content:
    """The content of a memory made from a fact."""
    base = Content(
        statement=fact.statement,
        normalized_fact=fact.statement,
        normalized=fact.normalized,
        keywords=list(fact.keywords),
        entities=list(fact.entities),
        slot=asdict(fact.slot) if fact.slot else None,
    )
    return replace(base, **extra)  # type: ignore[arg-type]


def remember(permit: Permit, items: Sequence[Item]) -> list[Outcome]:
    """Store facts. Embedding happens first, outside the lock; then one transaction decides and writes all.

    Raises Refused when consent was withdrawn in the meantime: then nothing at all is written.
    """
    with costs.embedding_charged(permit, costs.EMBEDDING):
        embedded = refresh.prepare([item.content.searchable() if _searchable(item) else "" for item in items])
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        alive = _sources_alive(items)
        outcomes: list[Outcome] = []
        for item, vector in zip(items, embedded, strict=True):
            outcomes.append(_one(permit, box, item, vector, outcomes) if alive(item) else _withdrawn())
        return outcomes


def _sources_alive(items: Sequence[Item]) -> Callable[[Item], bool]:
    """Whether the turns behind a fact still stand: one may have been withdrawn while it was read."""
    named = {pk for item in items for pk in item.sources.get("pair_ids", [])}
    standing = Turn.objects.filter(pk__in=named).exclude(error=WITHDRAWN).values_list("pk", flat=True)
    alive = {str(pk) for pk in standing} if named else set()
    return lambda item: item.origin != Origin.EXTRACTION or alive.issuperset(item.sources.get("pair_ids", []))


def _withdrawn() -> Outcome:
    return Outcome(operation=Operation.NOOP, reason="source-withdrawn", memory=None, content=None)


def _searchable(item: Item) -> bool:
    """Guarded content is not shown to the embedder, nor what only ends another memory: it is not kept."""
    settles = item.fact.settles
    if settles is not None and settles.alone and settles.how != "moved":
        return False
    return item.fact.sensitivity not in (Sensitivity.PII, Sensitivity.RESTRICTED)


def foresee(permit: Permit, items: Sequence[Item]) -> list[tuple[Item, Decision]]:
    """What remembering the facts of a turn would do to what is known now. Writes nothing, holds nothing.

    → each fact as it would be kept (some may be held back) with the decision on it.
    """
    box = box_of(permit.person)
    foreseen: list[tuple[Item, Decision]] = []
    before: list[Outcome] = []
    for item in items:
        weighed, decision = _weigh(permit, box, item, before, hold=False)
        affected = tuple(target.memory.pk for target in decision.targets)
        before.append(_outcome(decision, None, None, affected))
        foreseen.append((weighed, decision))
    return foreseen


def _one(permit: Permit, box: Box, item: Item, embedded: Embedded, before: Sequence[Outcome]) -> Outcome:
    item, decision = _weigh(permit, box, item, before, hold=True)
    deed = Deed(action=decision.operation.value, actor=permit.caller.name, reason=decision.reason)
    return _CARRY_OUT[decision.operation](permit, box, item, embedded, decision, deed)


def _weigh(
    permit: Permit, box: Box, item: Item, before: Sequence[Outcome], *, hold: bool
) -> tuple[Item, Decision]:
    """Decide on a fact; one change too many of its turn is held back.

    `before`: what became of the facts of the same turn until now. `hold`: lock what it was decided on.
    """
    decision = _decision(permit, box, item, hold=hold)
    if _closes_too_many(decision, before):
        item = replace(item, fact=replace(item.fact, quarantine=MANY_CHANGES))
        decision = _decision(permit, box, item, hold=hold)
    return item, decision


def _closes_too_many(decision: Decision, before: Sequence[Outcome]) -> bool:
    """Whether the turn would have closed more than a few memories; what it made itself does not count."""
    if decision.operation not in CLOSING:
        return False
    made = {
        one.memory.pk
        for one in before
        if one.memory and one.operation in (Operation.INSERT, Operation.REPLACE)
    }
    closed = {pk for one in before if one.operation in CLOSING for pk in one.affected}
    return len(closed.union(target.memory.pk for target in decision.targets) - made) > MAX_CLOSED


def _decision(permit: Permit, box: Box, item: Item, *, hold: bool) -> Decision:
    mark = lifecycle.fingerprint(box, item.content)
    if _was_forgotten(permit.person, {mark, *slot_marks(box, item.content)}, item):
        return Decision(operation=Operation.NOOP, reason="forgotten")
    service = permit.service if item.scope == Scope.SERVICE else None
    concerned = known(
        permit.person,
        box,
        item.content,
        mark,
        service=service,
        project_id=item.project_id,
        told_to=permit.caller.service,
        about=item.about,
        plans=item.fact.settles is not None,
        hold=hold,
    )
    return decide(_proposal(item, mark), concerned)


def _was_forgotten(person: Person, marks: set[int], item: Item) -> bool:
    """Old talk does not teach a deleted fact again, in these words or others; saying it afresh, later, does."""
    return (
        item.origin == Origin.EXTRACTION
        and Forgotten.objects.filter(person=person, fingerprint__in=marks, at__gte=item.said_at).exists()
    )


def known(
    person: Person,
    box: Box,
    content: Content,
    mark: int,
    *,
    service: ChatService | None,
    project_id: str,
    told_to: ChatService | None,
    about: uuid.UUID | None = None,
    plans: bool = False,
    hold: bool = True,
) -> list[Known]:
    """The memories that a fact can concern: same words, same attribute, or the one pointed at. `hold` locks them.

    `told_to`: the service that gets to know what becomes of the fact; None for the person. What is hidden from a
    service is compared with nothing that it says, or it would find out by guessing.
    `plans`: the latest plans and duties too, for one that settles some of them.
    """
    slots = slot_marks(box, content)
    concerned = Q(fingerprint=mark) | Q(slot__in=slots) | Q(pk=about)
    if plans:
        concerned |= Q(pk__in=_plans(person))
    rows = Memory.objects.filter(
        concerned,
        person=person,
        service=service,
        project_id=project_id,
        deleted_at__isnull=True,
    )
    rows = rows.select_for_update(of=("self",)) if hold else rows
    return [
        Known(memory=row, content=contents.read(row, box), fingerprint=row.fingerprint)
        for row in rows.order_by("created_at")[:200]
        if not hidden_from(told_to, row)
    ]


def hidden_from(service: ChatService | None, memory: Memory) -> bool:
    """Whether what a memory says is masked for a service that did not bring it itself."""
    return service is not None and memory.sensitivity in GUARDED and memory.origin_service_id != service.pk


def _plans(person: Person) -> list[uuid.UUID]:
    rows = Memory.objects.filter(person=person, memory_type__in=PLANS, deleted_at__isnull=True)
    standing = rows.filter(status__in=[Status.CONFIRMED, Status.EXPIRED])
    return list(standing.order_by("-created_at").values_list("pk", flat=True)[:MOST_PLANS])


def slot_marks(box: Box, content: Content) -> set[int]:
    """The marks under which memories of the same attribute may be kept."""
    marks = (lifecycle.slot_mark(box, form) for form in _slot_forms(content))
    return {mark for mark in marks if mark is not None}


def _slot_forms(content: Content) -> list[Content]:
    """A single-valued attribute is marked without its value, a many-valued one with it: look under both."""
    if not content.slot:
        return []
    return [replace(content, slot={**content.slot, "single": single}) for single in (True, False)]


def _proposal(item: Item, mark: int) -> Proposal:
    fact = item.fact
    holds_from = fact.valid_from or fact.occurred_at or item.said_at
    return Proposal(
        content=item.content,
        fingerprint=mark,
        said_at=item.said_at,
        holds_from=holds_from,
        begins=None if fact.valid_to and fact.valid_to <= holds_from else holds_from,
        until=fact.valid_to,
        origin=item.origin,
        ends=fact.ends,
        about=item.about,
        event_ids=tuple(item.sources.get("event_ids", [])),
        tentative=bool(fact.quarantine),
        settles=fact.settles,
    )


def _draft(permit: Permit, item: Item, decision: Decision) -> Draft:
    fact = item.fact
    starts = fact.valid_from or decision.opens_at
    if decision.operation == Operation.REPLACE and starts is None:
        starts = decision.closes_at
    return Draft(
        content=item.content,
        memory_type=fact.memory_type,
        origin=item.origin,
        said_at=item.said_at,
        occurred_at=fact.occurred_at or item.said_at,
        status=_status(item, decision),
        sensitivity=fact.sensitivity,
        confidence=fact.confidence,
        service=permit.service if item.scope == Scope.SERVICE else None,
        origin_service=permit.caller.service,
        project_id=item.project_id,
        session_id=item.session_id,
        sources=item.sources,
        valid_from=starts,
        valid_to=decision.closes_at if decision.late else fact.valid_to,
        quarantine=fact.quarantine,
    )


def _status(item: Item, decision: Decision) -> str:
    if item.fact.quarantine:
        return Status.CANDIDATE
    return Status.SUPERSEDED if decision.late else Status.CONFIRMED


def _approved(memory: Memory) -> str:
    """A candidate that is now said outright needs no further approval, unless it is held back."""
    return Status.CANDIDATE if memory.quarantine else Status.CONFIRMED


def _insert(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    memory = lifecycle.insert(permit.person, box, _draft(permit, item, decision), embedded, deed)
    if decision.successor is not None:
        memory.superseded_by = decision.successor.memory
        memory.save(update_fields=["superseded_by"])
        if decision.closes_at == since(decision.successor.memory):
            _begin(decision.successor.memory, box, decision.closes_at)
    if decision.follows is not None:
        _make_room(memory, decision.follows.memory, box, deed)
    return _outcome(decision, memory, item.content)


def _begin(successor: Memory, box: Box, at: datetime | None) -> None:
    """What came before it is known now, so it is also known when it began."""
    if successor.valid_from is None and at is not None:
        lifecycle.amend(successor, box, Deed(action="update", actor="system", reason="began"), valid_from=at)


def _make_room(memory: Memory, before: Memory, box: Box, deed: Deed) -> None:
    """What held when a value of the past began ends there, and no longer where the next known one began."""
    lifecycle.amend(before, box, deed, valid_to=since(memory), superseded_by=memory)
    memory.supersedes = before
    memory.save(update_fields=["supersedes"])


def _merge(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    memory = _again(box, decision.targets[0], item, embedded, deed)
    return _outcome(decision, memory, decision.targets[0].content, affected=(memory.pk,))


def _again(box: Box, known: Known, item: Item, embedded: Embedded, deed: Deed) -> Memory:
    """The same fact once more: more evidence, and the end of waiting for a candidate."""
    memory = known.memory
    begins, ends = _interval(memory, item)
    return lifecycle.amend(
        memory,
        box,
        deed,
        embedded=embedded,
        status=_approved(memory),
        said_at=max(memory.said_at, item.said_at),
        evidence_count=memory.evidence_count + 1,
        confidence=max(memory.confidence, min(0.99, memory.confidence + 0.05)),
        sensitivity=_stricter(memory.sensitivity, item.fact.sensitivity),
        sources=_joined(memory.sources, item.sources),
        valid_from=begins,
        valid_to=ends,
    )


def _interval(memory: Memory, item: Item) -> tuple[datetime | None, datetime | None]:
    """When a fact holds that is said once more: what is newly said of it counts, and what is not said stays."""
    known, said = (memory.valid_from, memory.valid_to), (item.fact.valid_from, item.fact.valid_to)
    kept = memory.origin == Origin.PERSON and item.origin == Origin.EXTRACTION
    newer = item.said_at >= memory.said_at and not kept
    begins, ends = (
        new if new and (newer or old is None) else old for old, new in zip(known, said, strict=True)
    )
    return known if begins and ends and ends < begins else (begins, ends)


def _update(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    target = decision.targets[0]
    memory = lifecycle.amend(
        target.memory,
        box,
        deed,
        content=item.content,
        embedded=embedded,
        said_at=max(target.memory.said_at, item.said_at),
        evidence_count=target.memory.evidence_count + 1,
        sensitivity=_stricter(target.memory.sensitivity, item.fact.sensitivity),
        sources=_joined(target.memory.sources, item.sources),
    )
    return _outcome(decision, memory, item.content, affected=(memory.pk,))


def _replace(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    if decision.approves is not None:
        memory = _again(box, decision.approves, item, embedded, deed)
    else:
        memory = lifecycle.insert(permit.person, box, _draft(permit, item, decision), embedded, deed)
    succeed(memory, box, decision.targets, deed, at=decision.closes_at)
    return _outcome(decision, memory, item.content, affected=tuple(t.memory.pk for t in decision.targets))


def _expire(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    """Close what has ended, and note what ended it, so that it can be taken back."""
    for target in decision.targets:
        sources = _joined(target.memory.sources, item.sources)
        _close(target.memory, box, Status.EXPIRED, deed, decision.closes_at, sources=sources)
    target = decision.targets[-1]
    return _outcome(
        decision, target.memory, target.content, affected=tuple(t.memory.pk for t in decision.targets)
    )


def _noop(
    permit: Permit, box: Box, item: Item, embedded: Embedded, decision: Decision, deed: Deed
) -> Outcome:
    target = decision.targets[0] if decision.targets else None
    return _outcome(decision, target.memory if target else None, target.content if target else None)


_CARRY_OUT = {
    Operation.INSERT: _insert,
    Operation.MERGE: _merge,
    Operation.UPDATE: _update,
    Operation.REPLACE: _replace,
    Operation.EXPIRE: _expire,
    Operation.NOOP: _noop,
}


def succeed(memory: Memory, box: Box, targets: Sequence[Known], deed: Deed, *, at: datetime | None) -> None:
    """Let a memory take the place of others, from `at` on; they stay as what was true before."""
    for target in targets:
        _close(target.memory, box, Status.SUPERSEDED, deed, at, superseded_by=memory)
    if targets:
        memory.supersedes = targets[-1].memory
        memory.save(update_fields=["supersedes"])


def _close(memory: Memory, box: Box, status: str, deed: Deed, at: datetime | None, **columns: object) -> None:
    # An interval may end where it began, never before.
    end = max(at or since(memory), since(memory))
    lifecycle.move(memory, box, status, deed, valid_to=end, **columns)


def _outcome(
    decision: Decision, memory: Memory | None, content: Content | None, affected: tuple[uuid.UUID, ...] = ()
) -> Outcome:
    return Outcome(
        operation=decision.operation,
        reason=decision.reason,
        memory=memory,
        content=content,
        affected=affected,
    )


def _joined(old: dict[str, list[str]], new: dict[str, list[str]]) -> dict[str, list[str]]:
    return {key: list(dict.fromkeys([*old.get(key, []), *new.get(key, [])])) for key in {*old, *new}}


def _stricter(old: str, new: str) -> str:
    order = [Sensitivity.NORMAL, Sensitivity.UNKNOWN, Sensitivity.PII, Sensitivity.RESTRICTED]
    return max(old, new, key=lambda label: order.index(Sensitivity(label)))
