"""Long-term ways of a person: signs become candidates, candidates with enough evidence become profile items.

A profile item is a memory with rows of evidence. Candidates are kept under the master consent; confirming one
needs the consent `profile`. Judging is `promotion`'s; this file reads and writes what is judged.
"""

import uuid
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from consent import ledger
from consent.domains import Domain
from memoryapp import content as contents
from memoryapp import gate, lifecycle, pairs, promotion, sensitivity, signals
from memoryapp.content import Content
from memoryapp.errors import NoConsent
from memoryapp.extract.rules import guard
from memoryapp.index.refresh import Embedded
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import (
    GUARDED,
    ChatService,
    Evidence,
    Forgotten,
    Memory,
    MemoryHistory,
    Origin,
    Scope,
    Status,
    Summary,
    Turn,
)
from memoryapp.one_by_one import each
from memoryapp.pairs import Pair, local_day
from memoryapp.permit import Act, Permit
from memoryapp.signals import ROOM_ALIAS, USUAL_RESERVATION, Signal
from memoryapp.vault import Box, box_of
from speakers.models import Person

#: One current value per person; of cleaned rooms there may be several.
SINGLE = frozenset({ROOM_ALIAS, USUAL_RESERVATION})
#: A yes answers what was suggested this long ago at most.
ANSWERED_WITHIN = timedelta(minutes=10)
SHORT_ANSWER = 20
#: A smaller change of confidence is not worth a line of history.
NOTABLE = 0.05
SYSTEM = "system"
ALIVE = (Status.CANDIDATE, Status.CONFIRMED)


def observe(permit: Permit, turn: Turn) -> int:
    """Note the signs in one turn. Safe to run twice: a turn is evidence once. → how many signs."""
    box = box_of(permit.person)
    pair = pairs.read(turn, box)
    found = signals.read(pair.user, pair.assistant, pair.before or _said_before(turn, pair, box))
    if not found:
        return 0
    with transaction.atomic():
        permit = gate.again(permit)
        # What was withdrawn while it was being read is no evidence.
        current = Turn.objects.filter(pk=turn.pk, content=turn.content).first()
        if current is None:
            return 0
        return sum(_note(permit, box, signal, _Origin.of(turn, permit.person)) for signal in found)


def propose(
    permit: Permit, signal: Signal, *, pair_id: uuid.UUID, session_id: str, at: datetime
) -> Memory | None:
    """Take a candidate that a device concluded, in the caller's transaction. None = it was deleted before."""
    permit = gate.again(permit)
    day = local_day(at, permit.person.zone)
    origin = _Origin(permit.service, pair_id, session_id, at, day, event_ids=[])
    box = box_of(permit.person)
    _note(permit, box, signal, origin)
    return _find(permit, signal, _content(signal), box)


def settle_all(person: Person, box: Box) -> None:
    """Judge every profile item afresh, in the caller's transaction, under the person's lock."""
    alive = Memory.objects.filter(
        person=person, evidence__isnull=False, status__in=ALIVE, deleted_at__isnull=True
    )
    each("profile items", alive.distinct(), lambda memory: _settle_alone(person, box, memory))


def _settle_alone(person: Person, box: Box, memory: Memory) -> int:
    with transaction.atomic():
        settle(person, box, memory)
    return 1


def settle(person: Person, box: Box, memory: Memory) -> Memory:
    """Bring one profile item in step with its evidence: confidence, sources, candidate or confirmed."""
    rows = list(memory.evidence.order_by("at", "pk"))
    today = local_day(timezone.now(), person.zone)
    belief = promotion.weigh((promotion.Sign(kind=row.kind, day=row.day) for row in rows), today)
    vouched = _vouched(memory)
    columns: dict[str, Any] = {
        "sources": _sources(memory, rows),
        "evidence_count": len(rows),
        "confidence": _confidence(memory, belief.confidence, vouched),
    }
    if memory.status == Status.CANDIDATE and belief.confirmed and _may_confirm(person, box, memory):
        return _confirm(person, box, memory, columns)
    if memory.status == Status.CONFIRMED and not belief.confirmed and not vouched:
        return lifecycle.move(memory, box, Status.CANDIDATE, Deed(action="demote", actor=SYSTEM), **columns)
    return lifecycle.amend(memory, box, Deed(action="weigh", actor=SYSTEM), **columns)


def settle_everybody() -> int:
    """Once a day: let confidence fade, and confirm what a new consent now allows. → people judged."""
    people = Person.objects.filter(evidence__isnull=False).distinct()
    return each("profiles", people.iterator(), _settle_one)


def drop_stale_candidates(now: datetime | None = None) -> int:
    """Candidates that nothing spoke for in their time are deleted; guarded ones sooner. → how many."""
    now = now or timezone.now()
    dropped = 0
    for guarded, kind in ((False, "candidate"), (True, "candidate_guarded")):
        before = now - timedelta(days=settings.RETENTION_DAYS[kind])
        stale = Memory.objects.filter(status=Status.CANDIDATE, updated_at__lt=before, evidence__isnull=False)
        stale = stale.filter(sensitivity__in=GUARDED) if guarded else stale.exclude(sensitivity__in=GUARDED)
        dropped += each("candidates", stale.select_related("person__key").distinct(), _drop)
    return dropped


class _Origin:
    """Where and when a sign was seen."""

    def __init__(
        self,
        service: ChatService,
        pair_id: uuid.UUID,
        session_id: str,
        at: datetime,
        day: date,
        event_ids: list[str],
    ) -> None:
        self.service, self.pair_id, self.session_id = service, pair_id, session_id
        self.at, self.day, self.event_ids = at, day, event_ids

    @classmethod
    def of(cls, turn: Turn, person: Person) -> "_Origin":
        day = local_day(turn.occurred_at, person.zone)
        return cls(turn.service, turn.pk, turn.session_id, turn.occurred_at, day, [turn.turn_id])


def _said_before(turn: Turn, pair: Pair, box: Box) -> str:
    """What the assistant said last in this session, if the turn could be an answer to it."""
    if len(pair.user.strip()) > SHORT_ANSWER:
        return ""
    last = (
        Turn.objects.filter(
            person_id=turn.person_id,
            service_id=turn.service_id,
            session_id=turn.session_id,
            occurred_at__lt=turn.occurred_at,
            occurred_at__gte=turn.occurred_at - ANSWERED_WITHIN,
        )
        .order_by("-occurred_at", "-pk")
        .first()
    )
    return pairs.read(last, box).assistant if last else ""


def _note(permit: Permit, box: Box, signal: Signal, origin: _Origin) -> int:
    content = _content(signal)
    mark = lifecycle.fingerprint(box, content)
    if Forgotten.objects.filter(person=permit.person, fingerprint=mark, at__gte=origin.at).exists():
        return 0
    if signal.kind == "stated" and _stored_by_extraction(permit.person, signal, origin):
        return 0
    memory = _find(permit, signal, content, box)
    if memory is None:
        if signal.kind == "declined":
            return 0
        memory = _candidate(permit, box, signal, content, origin)
    Evidence.objects.get_or_create(
        memory=memory,
        pair_id=origin.pair_id,
        kind=signal.kind,
        defaults={
            "person": permit.person,
            "service": origin.service,
            "session_id": origin.session_id,
            "day": origin.day,
            "at": origin.at,
        },
    )
    settle(permit.person, box, memory)
    return 1


def _content(signal: Signal) -> Content:
    text = signals.spoken(signal.key, signal.value)
    return Content(
        statement=text,
        normalized_fact=text,
        normalized=f"profile|{signal.key}|{signal.value}",
        memory_subtype=signal.key,
        keywords=[signal.value],
    )


def _find(permit: Permit, signal: Signal, content: Content, box: Box) -> Memory | None:
    return Memory.objects.filter(
        person=permit.person,
        fingerprint=lifecycle.fingerprint(box, content),
        memory_type=signal.memory_type,
        service=_scope(permit),
        status__in=ALIVE,
        deleted_at__isnull=True,
    ).first()


def _scope(permit: Permit) -> ChatService | None:
    """Personal, unless the revision keeps to its own service."""
    return permit.service if permit.revision.recall_scopes == [Scope.SERVICE] else None


def _candidate(permit: Permit, box: Box, signal: Signal, content: Content, origin: _Origin) -> Memory:
    draft = Draft(
        content=content,
        memory_type=signal.memory_type,
        origin=Origin.EXTRACTION,
        occurred_at=origin.at,
        status=Status.CANDIDATE,
        # A value may come from a device as it likes: it is classified and held back like any other text.
        sensitivity=sensitivity.detect(content.statement),
        quarantine="looks like an injected instruction" if guard.injected(signal.value) else "",
        confidence=0.0,
        service=_scope(permit),
        origin_service=origin.service,
        session_id=origin.session_id,
        sources={"event_ids": origin.event_ids},
    )
    deed = Deed(action="propose", actor=permit.caller.name, reason=signal.kind)
    return lifecycle.insert(permit.person, box, draft, Embedded(None, None), deed)


def _stored_by_extraction(person: Person, signal: Signal, origin: _Origin) -> bool:
    """The extractor has kept this very statement as a fact: no second memory of it."""
    return Memory.objects.filter(
        person=person,
        memory_type=signal.memory_type,
        status=Status.CONFIRMED,
        evidence__isnull=True,
        sources__pair_ids__contains=[str(origin.pair_id)],
    ).exists()


def _sources(memory: Memory, rows: Iterable[Evidence]) -> dict[str, list[str]]:
    """The chain of A5: candidate → summaries → sessions → pairs."""
    rows = list(rows)
    pair_ids = list(dict.fromkeys(row.pair_id for row in rows))
    found = Summary.objects.filter(person_id=memory.person_id, pair_ids__overlap=pair_ids).order_by(
        "day", "pk"
    )
    turns = (
        Turn.objects.filter(pk__in=pair_ids).order_by("occurred_at", "pk").values_list("turn_id", flat=True)
    )
    return {
        "event_ids": list(dict.fromkeys([*memory.sources.get("event_ids", []), *turns])),
        "candidate_ids": [str(row.pk) for row in rows],
        "summary_ids": [str(pk) for pk in found.values_list("pk", flat=True)],
        "session_ids": list(dict.fromkeys(row.session_id for row in rows if row.session_id)),
        "pair_ids": [str(pk) for pk in pair_ids],
    }


def _confidence(memory: Memory, judged: float, vouched: bool) -> float:
    wanted = max(judged, memory.confidence) if vouched else judged
    return wanted if abs(wanted - memory.confidence) >= NOTABLE else memory.confidence


def _vouched(memory: Memory) -> bool:
    """The person approved or corrected it: their word needs no further evidence."""
    if memory.origin == Origin.PERSON:
        return True
    return MemoryHistory.objects.filter(memory=memory, action__in=["approve", "correct"]).exists()


def _may_confirm(person: Person, box: Box, memory: Memory) -> bool:
    slug = memory.origin_service.slug if memory.origin_service else ""
    if memory.quarantine or not ledger.standings(person, slug).allows(Domain.PROFILE):
        return False
    return not any(_vouched(rival) for rival in _rivals(person, box, memory))


def _confirm(person: Person, box: Box, memory: Memory, columns: dict[str, Any]) -> Memory:
    """Confirm, and close the value that this one takes the place of."""
    rivals = _rivals(person, box, memory)
    memory = lifecycle.move(memory, box, Status.CONFIRMED, Deed(action="promote", actor=SYSTEM), **columns)
    for rival in rivals:
        end = max(timezone.now(), rival.valid_from or rival.occurred_at)
        deed = Deed(action="replace", actor=SYSTEM, reason="other-value")
        lifecycle.move(rival, box, Status.SUPERSEDED, deed, valid_to=end, superseded_by=memory)
    return memory


def _rivals(person: Person, box: Box, memory: Memory) -> list[Memory]:
    """Confirmed items with another value of the same single-valued key."""
    key = contents.read(memory, box).memory_subtype
    if key not in SINGLE:
        return []
    others = Memory.objects.filter(
        person=person,
        memory_type=memory.memory_type,
        service_id=memory.service_id,
        status=Status.CONFIRMED,
        evidence__isnull=False,
    ).exclude(pk=memory.pk)
    return [other for other in others.distinct() if contents.read(other, box).memory_subtype == key]


def _settle_one(person: Person) -> int:
    try:
        permit = gate.own(person, Act.EXTRACT)
        with transaction.atomic():
            permit = gate.again(permit)
            settle_all(permit.person, box_of(permit.person))
    except NoConsent:
        return 0
    return 1


def _drop(memory: Memory) -> int:
    with transaction.atomic():
        permit = gate.again(gate.own(memory.person, Act.FORGET))
        current = Memory.objects.filter(pk=memory.pk, status=Status.CANDIDATE, version=memory.version).first()
        if current is None:
            return 0
        deed = Deed(action="delete", actor=SYSTEM, reason="no-evidence")
        lifecycle.delete(current, box_of(permit.person), deed, may_return=True)
    return 1
