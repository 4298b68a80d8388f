"""Entries: what an agent keeps word for word, with its author and time (K1–K5).

An entry is a memory of type ENTRY in the scope of the calling service: (app, user) is (service, person).
With a project it belongs to that project; without one it is global within the service.
"""

import json
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from memoryapp import browse, gate, lifecycle, sensitivity
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.errors import Invalid, NoConsent, NotFound, VaultUnavailable
from memoryapp.index import embed, refresh, search, terms
from memoryapp.index.refresh import Embedded
from memoryapp.index.search import Hit, Query
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import GUARDED, Forgotten, Memory, MemoryType, Origin, Recall, Scope, Turn
from memoryapp.permit import Permit
from memoryapp.providers.base import EmbedderDown
from memoryapp.vault import Box, box_of

log = logging.getLogger(__name__)

#: How an entry's row is told from others: `event_id` holds this and a keyed hash of the entry's identity.
MARK = "entry:"
STORED, DUPLICATE, FORGOTTEN = "stored", "duplicate", "forgotten"


@dataclass(frozen=True, kw_only=True)
class NewEntry:
    """An entry as handed in. Without an event_id it is known by its words, author, time and session."""

    content: str
    author: str
    timestamp: datetime
    event_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What became of one entry. "forgotten": it was deleted before, and is not learnt again (X4)."""

    entry_id: uuid.UUID | None
    event_id: str
    result: str


@dataclass(frozen=True, kw_only=True)
class Found:
    """An entry that matches, with how well: `score` in [0, 1]."""

    entry_id: uuid.UUID
    content: str
    author: str
    timestamp: datetime
    session_id: str
    project_id: str
    event_id: str
    metadata: Mapping[str, Any]
    score: float


@dataclass(frozen=True, kw_only=True)
class SearchAnswer:
    """The entries found, best first; degraded when a half of the search, or all of it, did not work."""

    entries: list[Found]
    degraded: bool = False
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class SessionDeleted:
    """What a session held."""

    entries: list[uuid.UUID]
    turns: int


def add(
    permit: Permit, entries: Sequence[NewEntry], *, project_id: str = "", session_id: str = ""
) -> list[Kept]:
    """Store entries, each once however often it is sent; they are searchable when this returns.

    Raises NoConsent. Embedding happens before the lock is taken, and only for what is not known yet.
    """
    _own_scope(permit)
    box = box_of(permit.person)
    marks = [_mark(box, entry, project_id, session_id) for entry in entries]
    labels = [sensitivity.detect(entry.content) for entry in entries]
    embedded = _embed(entries, marks, labels, _known(permit, marks))
    with transaction.atomic():
        permit = gate.again(permit)
        _own_scope(permit)
        known, forgotten = _known(permit, marks), _forgotten(permit, box, marks)
        kept = []
        for entry, mark, label, vector in zip(entries, marks, labels, embedded, strict=True):
            if mark not in known and mark not in forgotten:
                draft = _draft(permit, entry, mark, label, project_id, session_id)
                known[mark] = lifecycle.insert(permit.person, box, draft, vector, _deed(permit, "insert")).pk
                kept.append(Kept(entry_id=known[mark], event_id=entry.event_id, result=STORED))
            else:
                result = DUPLICATE if mark in known else FORGOTTEN
                kept.append(Kept(entry_id=known.get(mark), event_id=entry.event_id, result=result))
    return kept


def find(permit: Permit, query: str, *, top_k: int = 10, project_id: str = "") -> SearchAnswer:
    """Entries that match: global ones, and with a project that project's too. Degrades, never raises."""
    if Scope.SERVICE not in permit.scopes:
        return SearchAnswer(entries=[], reason=NoConsent.reason)
    try:
        box = box_of(permit.person)
        hits, degraded = _hits(permit, query, box, top_k, project_id)
        found = _open(permit, box, hits)
        _receipt(permit, found, degraded)
    except (DatabaseError, VaultUnavailable) as error:
        log.warning("entry search failed: %s", type(error).__name__)
        return SearchAnswer(entries=[], degraded=True, reason="index-unavailable")
    return SearchAnswer(entries=found, degraded=bool(degraded), reason=degraded or None)


def nothing(reason: str) -> SearchAnswer:
    """The answer to a search that the gate refused."""
    return SearchAnswer(entries=[], reason=reason)


def matching(permit: Permit, query: str, *, project_id: str = "") -> list[Memory]:
    """The entries that a deletion by this query would remove: those that contain every word of it.

    Words are compared as keyword search does (English stems, pairs of Hangul syllables). Meaning alone never
    deletes, and no deletion is widened: with a project only its entries, without one only global ones.
    Raises Invalid for a query without a word.
    """
    wanted = set(terms.analyse(query))
    if not wanted:
        raise Invalid(
            "name at least one word to look for", {"query": ["It holds no word that can be searched."]}
        )
    box = box_of(permit.person)
    rows = _rows(permit).filter(project_id=project_id).order_by("occurred_at", "pk")
    return [row for row in rows if wanted <= set(terms.analyse(contents.read(row, box).statement))]


def delete_matching(
    permit: Permit, query: str, *, project_id: str = "", dry_run: bool = False
) -> list[uuid.UUID]:
    """Delete the entries that contain every word of the query. → their ids; a dry run deletes none."""
    if dry_run:
        return [row.pk for row in matching(permit, query, project_id=project_id)]
    with transaction.atomic():
        permit = gate.again(permit)
        return _delete(permit, matching(permit, query, project_id=project_id))


def delete_session(permit: Permit, session_id: str) -> SessionDeleted:
    """Delete every entry and turn of one session of this person and service. Raises NotFound for none."""
    with transaction.atomic():
        permit = gate.again(permit)
        entries = _delete(permit, list(_rows(permit).filter(session_id=session_id)))
        turns = Turn.objects.filter(person=permit.person, service=permit.service, session_id=session_id)
        number, _ = turns.delete()
        if not entries and not number:
            raise NotFound("no such session")
    return SessionDeleted(entries=entries, turns=number)


def _own_scope(permit: Permit) -> None:
    """Entries are service memory: without consent to that there are none."""
    if Scope.SERVICE not in permit.scopes:
        raise NoConsent


def _rows(permit: Permit) -> QuerySet[Memory]:
    """This person's entries at the calling service, and no other memory."""
    return browse.visible(permit).filter(service=permit.service, event_id__startswith=MARK)


def _mark(box: Box, entry: NewEntry, project_id: str, session_id: str) -> str:
    """What makes an entry the same one when it is sent again: keyed, so that the row does not tell it."""
    own = (
        [entry.event_id]
        if entry.event_id
        else [session_id, entry.author, entry.timestamp.timestamp(), entry.content]
    )
    return MARK + box.prf(json.dumps([MARK, project_id, *own]).encode()).hex()


def _known(permit: Permit, marks: Sequence[str]) -> dict[str, uuid.UUID]:
    rows = Memory.objects.filter(
        person=permit.person, service=permit.service, event_id__in=marks, deleted_at__isnull=True
    )
    return dict(rows.values_list("event_id", "pk"))


def _forgotten(permit: Permit, box: Box, marks: Sequence[str]) -> set[str]:
    prints = {lifecycle.fingerprint(box, Content(statement="", normalized=mark)): mark for mark in marks}
    rows = Forgotten.objects.filter(person=permit.person, fingerprint__in=list(prints))
    return {prints[value] for value in rows.values_list("fingerprint", flat=True)}


def _embed(
    entries: Sequence[NewEntry], marks: Sequence[str], labels: Sequence[str], known: Mapping[str, uuid.UUID]
) -> list[Embedded]:
    """Vectors for what is new and may be shown to an embedder."""
    wanted = [at for at, mark in enumerate(marks) if mark not in known and labels[at] not in GUARDED]
    vectors = dict(zip(wanted, refresh.prepare([entries[at].content for at in wanted]), strict=True))
    return [vectors.get(at, Embedded(None, None)) for at in range(len(entries))]


def _draft(permit: Permit, entry: NewEntry, mark: str, label: str, project_id: str, session_id: str) -> Draft:
    content = Content(
        statement=entry.content,
        raw_content=entry.content,
        author=entry.author,
        normalized=mark,  # an entry is itself, however alike two of them sound
        details={"metadata": dict(entry.metadata)} if entry.metadata else None,
    )
    sources = {
        "event_ids": [entry.event_id] if entry.event_id else [],
        "session_ids": [session_id] if session_id else [],
    }
    return Draft(
        content=content,
        memory_type=MemoryType.ENTRY,
        origin=Origin.ENTRY,
        occurred_at=entry.timestamp,
        sensitivity=label,
        service=permit.service,
        origin_service=permit.service,
        project_id=project_id,
        session_id=session_id,
        event_id=mark,
        sources={name: ids for name, ids in sources.items() if ids},
    )


def _hits(permit: Permit, query: str, box: Box, top_k: int, project_id: str) -> tuple[list[Hit], str]:
    space = embed.serving()
    vector, degraded = None, "no-embedding-space" if space is None else ""
    if space is not None:
        try:
            vector = embed.query(space, query)
        except EmbedderDown:
            degraded = "embedding-unavailable"
    now = timezone.now()
    question = Query(
        owner_id=permit.person.pk,
        space=space,
        vector=vector,
        terms=[box.mark(term) for term in dict.fromkeys(terms.analyse(query))],
        lang=terms.language(query),
        personal=False,
        service_id=permit.service.pk,
        project_id=project_id,
        at=(now, now),
        event_prefix=MARK,
        limit=top_k,
    )
    return search.hybrid(question), degraded


def _open(permit: Permit, box: Box, hits: Sequence[Hit]) -> list[Found]:
    rows = _rows(permit).in_bulk([hit.memory_id for hit in hits])
    found = []
    for hit in hits:
        row = rows.get(hit.memory_id)
        if row is not None:
            found.append(_found(row, contents.read(row, box), hit.score))
    return found


def _found(row: Memory, content: Content, score: float) -> Found:
    event_ids = row.sources.get("event_ids", [])
    return Found(
        entry_id=row.pk,
        content=content.statement,
        author=content.author,
        timestamp=row.occurred_at,
        session_id=row.session_id,
        project_id=row.project_id,
        event_id=event_ids[0] if event_ids else "",
        metadata=(content.details or {}).get("metadata", {}),
        score=round(score, 4),
    )


def _receipt(permit: Permit, found: Sequence[Found], degraded: str) -> None:
    """The person sees what was used, by whom, when (X3)."""
    items = [{"memory_id": str(item.entry_id), "content_version": 1, "score": item.score} for item in found]
    Recall.objects.create(
        person=permit.person,
        service=permit.service,
        revision=permit.revision,
        at=timezone.now(),
        items=items,
        options={"door": "entries"},
        degraded=degraded,
    )


def _delete(permit: Permit, rows: Sequence[Memory]) -> list[uuid.UUID]:
    box = box_of(permit.person)
    for row in rows:
        lifecycle.delete(row, box, _deed(permit, "delete"))
    return [row.pk for row in rows]


def _deed(permit: Permit, action: str) -> Deed:
    return Deed(action=action, actor=permit.caller.name)
