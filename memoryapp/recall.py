"""Recall: the memories that help with a question, from one statement over one person's rows.

permit → snapshot, or hybrid search (which re-reads the canonical rows) → threshold → twins → top-k → token budget.
Nothing in here may stop a chat: what fails makes the answer degraded, not an error.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp import browse, costs
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.errors import NoConsent, VaultUnavailable
from memoryapp.index import asked, embed, search
from memoryapp.index.search import Hit, Query
from memoryapp.metrics import recall_measured
from memoryapp.models import GUARDED, Memory, Recall, Scope, Status
from memoryapp.permit import Permit
from memoryapp.providers.base import EmbedderDown
from memoryapp.render import Line, Rendered, prompt, render
from memoryapp.twins import distinct
from memoryapp.vault import Box, box_of

log = logging.getLogger(__name__)

CURRENT, PAST, UPCOMING = "current", "past", "upcoming"


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, and how the answer may be narrowed. None = as the revision says."""

    query: str
    execution_id: str = ""
    project_id: str = ""
    scopes: Sequence[str] | None = None
    top_k: int | None = None
    threshold: float | None = None
    max_tokens: int | None = None
    as_of: tuple[datetime, datetime] | None = None  # [start, end): an instant, or a whole day
    include_history: bool = False
    explain: bool = False


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """One memory in an answer. `score` is in [0, 1] and means the same at any size of store."""

    memory_id: uuid.UUID
    memory_type: str
    fact: str
    score: float
    scope: str
    temporal_relevance: str
    source_event_ids: list[str]
    valid_from: datetime | None
    valid_to: datetime | None
    confidence: float
    content_version: int = 1
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a runtime gets: the memories, and the block that is ready to inject ("" when there is none)."""

    memories: list[Remembered]
    query_time: datetime
    context: str = ""
    injection_mode: str = "userContext"
    tokens: int = 0
    snapshot_id: uuid.UUID | None = None
    below_threshold: int = 0
    degraded: bool = False
    reason: str | None = None

    @property
    def safety(self) -> str:
        return prompt("recall_safety.txt")


@recall_measured
def recall(permit: Permit, question: Question) -> Answer:
    """Answer a question from memory. Never raises for a failing index, model or key: it degrades."""
    now = timezone.now()
    mode = permit.revision.injection_mode
    wanted = _wanted(permit, question)
    if wanted and not wanted & permit.scopes:
        return nothing(NoConsent.reason)
    try:
        if question.execution_id:
            earlier = Recall.objects.filter(
                person=permit.person, service=permit.service, execution_id=question.execution_id
            ).first()
            if earlier is not None:
                return _from_snapshot(permit, earlier)
        return _fresh(permit, question, now)
    except (DatabaseError, VaultUnavailable) as error:
        log.warning("recall failed: %s", type(error).__name__)
        return Answer(
            memories=[], query_time=now, injection_mode=mode, degraded=True, reason="index-unavailable"
        )


def nothing(reason: str) -> Answer:
    """The answer to a recall that the gate refused."""
    return Answer(memories=[], query_time=timezone.now(), reason=reason)


def _fresh(permit: Permit, question: Question, now: datetime) -> Answer:
    box = box_of(permit.person)
    hits, degraded = _search(permit, question, box, now)
    threshold = permit.revision.recall_threshold if question.threshold is None else question.threshold
    above = [hit for hit in hits if hit.score >= threshold]
    found = [_remembered(hit, box, question, now) for hit in above]
    chosen = distinct(found, limit=_top_k(permit, question))
    rendered = _render(permit, chosen, question.max_tokens, now)
    kept = [chosen[index] for index in rendered.kept]
    record, ours = _record(permit, question, kept, now, len(hits) - len(above), degraded)
    if not ours:
        return _from_snapshot(permit, record)
    return _answer(permit, record, kept, rendered, degraded)


def _search(permit: Permit, question: Question, box: Box, now: datetime) -> tuple[list[Hit], str]:
    """Both halves; or the keyword half alone when the embedder is down."""
    space = embed.serving()
    vector, degraded = None, "no-embedding-space" if space is None else ""
    if space is not None:
        try:
            with costs.embedding_charged(permit, costs.RECALL):
                vector = embed.query(space, question.query)
        except EmbedderDown:
            degraded = "embedding-unavailable"
    scopes = _scopes(permit, question)
    if not scopes:
        return [], degraded
    query = Query(
        owner_id=permit.person.pk,
        space=space,
        vector=vector,
        asked=asked.read(question.query, box.mark, now, permit.service.zone),
        personal=Scope.PERSONAL in scopes,
        service_id=permit.service.pk if Scope.SERVICE in scopes else None,
        project_id=question.project_id,
        at=question.as_of or (now, now),
        known_by_then=question.as_of is not None,
        include_history=question.include_history,
        limit=2 * _top_k(permit, question),  # twins are taken out
    )
    return search.hybrid(query), degraded


def _scopes(permit: Permit, question: Question) -> set[str]:
    """What is wanted and consent permits."""
    return _wanted(permit, question) & permit.scopes


def _wanted(permit: Permit, question: Question) -> set[str]:
    """What the revision allows; the caller may narrow it, never widen it."""
    allowed = set(permit.revision.recall_scopes)
    return allowed if question.scopes is None else allowed & set(question.scopes)


def _top_k(permit: Permit, question: Question) -> int:
    return permit.revision.recall_top_k if question.top_k is None else question.top_k


def _remembered(hit: Hit, box: Box, question: Question, now: datetime) -> Remembered:
    content = contents.from_json(box.open(hit.content, f"memory:{hit.memory_id}"))
    start, end = question.as_of or (now, now)
    return Remembered(
        memory_id=hit.memory_id,
        memory_type=hit.memory_type,
        fact=content.statement,
        score=round(hit.score, 4),
        scope=Scope.PERSONAL if hit.service_id is None else Scope.SERVICE,
        temporal_relevance=relevance(hit.status, hit.valid_from, hit.valid_to, start, end),
        source_event_ids=list(hit.sources.get("event_ids", [])),
        valid_from=hit.valid_from,
        valid_to=hit.valid_to,
        confidence=hit.confidence,
        content_version=hit.content_version,
        numbers=hit.numbers if question.explain else {},
    )


def relevance(
    status: str, valid_from: datetime | None, valid_to: datetime | None, start: datetime, end: datetime
) -> str:
    """Whether a memory is past, current or upcoming, seen from an instant or a whole day."""
    if valid_from is not None and valid_from > end:
        return UPCOMING
    if valid_to is not None and valid_to <= start:
        return PAST
    return PAST if status in (Status.SUPERSEDED, Status.EXPIRED) and valid_to is None else CURRENT


def _render(permit: Permit, found: Sequence[Remembered], max_tokens: int | None, now: datetime) -> Rendered:
    limit = permit.revision.recall_max_tokens if max_tokens is None else max_tokens
    lines = [
        Line(
            memory_id=str(item.memory_id),
            memory_type=item.memory_type,
            temporal_relevance=item.temporal_relevance,
            source_event_ids=item.source_event_ids,
            fact=item.fact,
        )
        for item in found
    ]
    return render(permit.revision.context_template, lines, max_tokens=limit, query_time=now)


def _record(
    permit: Permit, question: Question, kept: Sequence[Remembered], now: datetime, below: int, degraded: str
) -> tuple[Recall, bool]:
    """The person's receipt and, with an execution_id, the snapshot: ids and scores only. → (it, made by us?)"""
    record = Recall(
        person=permit.person,
        service=permit.service,
        revision=permit.revision,
        execution_id=question.execution_id,
        at=now,
        items=[
            {"memory_id": str(item.memory_id), "content_version": item.content_version, "score": item.score}
            for item in kept
        ],
        options={
            "below_threshold": below,
            "max_tokens": question.max_tokens,
            "as_of": [moment.isoformat() for moment in question.as_of] if question.as_of else None,
        },
        degraded=degraded,
    )
    try:
        with transaction.atomic():
            record.save(force_insert=True)
    except IntegrityError:
        # The same execution asked twice at once: the first answer is the snapshot of both.
        first = Recall.objects.filter(
            person=permit.person, service=permit.service, execution_id=question.execution_id
        ).first()
        if first is None or not question.execution_id:
            raise NoConsent from None  # there was no other one: the person was erased meanwhile
        return first, False
    return record, True


def _from_snapshot(permit: Permit, snapshot: Recall) -> Answer:
    """The same answer again, without what was since deleted or corrected, or is no longer consented to."""
    box = box_of(permit.person)
    wanted = {item["memory_id"]: item for item in snapshot.items}
    rows = (
        browse.visible(permit)
        .filter(pk__in=list(wanted))
        .exclude(Q(sensitivity__in=GUARDED) | Q(status=Status.CANDIDATE))
    )
    as_of = snapshot.options.get("as_of")
    span = tuple(datetime.fromisoformat(moment) for moment in as_of) if as_of else (snapshot.at, snapshot.at)
    still = {
        str(row.pk): _of_row(row, contents.read(row, box), wanted[str(row.pk)]["score"], span)
        for row in rows
        if row.content_version == wanted[str(row.pk)]["content_version"]
    }
    kept = [still[key] for key in wanted if key in still]
    rendered = _render(permit, kept, snapshot.options.get("max_tokens"), snapshot.at)
    return _answer(permit, snapshot, kept, rendered, snapshot.degraded)


def _of_row(row: Memory, content: Content, score: float, span: Sequence[datetime]) -> Remembered:
    return Remembered(
        memory_id=row.pk,
        memory_type=row.memory_type,
        fact=content.statement,
        score=score,
        scope=row.scope,
        temporal_relevance=relevance(row.status, row.valid_from, row.valid_to, span[0], span[-1]),
        source_event_ids=list(row.sources.get("event_ids", [])),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        confidence=row.confidence,
        content_version=row.content_version,
    )


def _answer(
    permit: Permit, record: Recall, kept: list[Remembered], rendered: Rendered, degraded: str
) -> Answer:
    return Answer(
        memories=kept,
        query_time=record.at,
        context=rendered.context,
        injection_mode=permit.revision.injection_mode,
        tokens=rendered.tokens,
        snapshot_id=record.pk,
        below_threshold=record.options.get("below_threshold", 0),
        degraded=bool(degraded),
        reason=degraded or None,
    )
