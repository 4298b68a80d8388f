"""Entries: what an agent keeps word for word, with its author and time (K1–K5).

An entry is a memory of type ENTRY in the scope of the calling service: (app, user) is (service, person).
With a project it belongs to that project; without one it is global within the service.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from memoryapp import compress, costs, gate, lifecycle, own, sensitivity
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.contexts.remove import remove_session
from memoryapp.errors import Invalid, NoConsent, NotFound
from memoryapp.index import refresh, terms
from memoryapp.index.refresh import Embedded
from memoryapp.index.search import Hit
from memoryapp.lifecycle import Deed, Draft
from memoryapp.models import GUARDED, Forgotten, Memory, MemoryType, Origin, Scope, Turn
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of

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
    contexts: int


def add(
    permit: Permit, entries: Sequence[NewEntry], *, project_id: str = "", session_id: str = ""
) -> list[Kept]:
    """Store entries, each once however often it is sent; they are searchable when this returns.

    Raises NoConsent. Embedding happens before the lock is taken, and only for what is not known yet.
    """
    own.scope(permit)
    box = box_of(permit.person)
    marks = [_mark(box, entry, project_id, session_id) for entry in entries]
    labels = [sensitivity.detect(entry.content) for entry in entries]
    with costs.embedding_charged(permit, costs.EMBEDDING):
        embedded = _embed(entries, marks, labels, _known(permit, marks))
    with transaction.atomic():
        permit = gate.again(permit)
        own.scope(permit)
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


def find(
    permit: Permit, query: str, *, top_k: int = 10, project_id: str = "", threshold: float = 0.0
) -> SearchAnswer:
    """Entries that match: global ones, and with a project that project's too. Degrades, never raises.

    A threshold of 0 excludes nothing: then even what hardly fits comes back, last.
    """
    if Scope.SERVICE not in permit.scopes:
        return nothing(NoConsent.reason)
    hits = own.find(permit, query, own.ENTRY, project_id=project_id, limit=top_k)
    fitting = [hit for hit in hits.found if hit.score >= threshold]
    found = _open(permit, fitting, hits.degraded) if fitting else []
    return SearchAnswer(entries=found, degraded=bool(hits.degraded), reason=hits.degraded or None)


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
    rows = own.rows(permit, own.ENTRY).filter(project_id=project_id).order_by("occurred_at", "pk")
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
    """Delete every entry, turn and context block of one session here. Raises NotFound for none."""
    with transaction.atomic():
        permit = gate.again(permit)
        entries = _delete(permit, list(own.rows(permit, own.ENTRY).filter(session_id=session_id)))
        turns = Turn.objects.filter(person=permit.person, service=permit.service, session_id=session_id)
        compress.strip(permit.person, box_of(permit.person), list(turns))
        number, _ = turns.delete()
        contexts = remove_session(permit, session_id)
        if not entries and not number and not contexts:
            raise NotFound("no such session")
    return SessionDeleted(entries=entries, turns=number, contexts=contexts)


def _mark(box: Box, entry: NewEntry, project_id: str, session_id: str) -> str:
    """What makes an entry the same one when it is sent again."""
    if entry.event_id:
        return own.mark(box, own.ENTRY, project_id, entry.event_id)
    said = entry.timestamp.timestamp()
    return own.mark(box, own.ENTRY, project_id, session_id, entry.author, said, entry.content)


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
    texts = [Content(statement=entries[at].content, author=entries[at].author).searchable() for at in wanted]
    vectors = dict(zip(wanted, refresh.prepare(texts), strict=True))
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


def _open(permit: Permit, hits: Sequence[Hit], degraded: str) -> list[Found]:
    box = box_of(permit.person)
    rows = own.rows(permit, own.ENTRY).in_bulk([hit.memory_id for hit in hits])
    used = [(rows[hit.memory_id], hit.score) for hit in hits if hit.memory_id in rows]
    own.receipt(permit, used, "entries", degraded)
    return [_found(row, contents.read(row, box), score) for row, score in used]


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


def _delete(permit: Permit, rows: Sequence[Memory]) -> list[uuid.UUID]:
    box = box_of(permit.person)
    for row in rows:
        lifecycle.delete(row, box, _deed(permit, "delete"))
    return [row.pk for row in rows]


def _deed(permit: Permit, action: str) -> Deed:
    return Deed(action=action, actor=permit.caller.name)
