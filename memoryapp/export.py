"""Everything kept about a person, one JSON object per line, streamed so that its size does not matter."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse

from consent import ledger
from memoryapp import browse, export_parts, receipts, rfc3339, shapes
from memoryapp.contexts import shape as contexts
from memoryapp.models import CostEntry, MemoryHistory, Recall, Turn
from memoryapp.pairs import place
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of

_CHUNK = 500


def response(permit: Permit) -> StreamingHttpResponse:
    """The export as a download."""
    answer = StreamingHttpResponse(lines(permit), content_type="application/x-ndjson; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="memory-export.ndjson"'
    answer["Cache-Control"] = "no-store"
    return answer


def lines(permit: Permit) -> Iterator[bytes]:
    for record in records(permit):
        yield json.dumps(record, ensure_ascii=False).encode() + b"\n"


def records(permit: Permit) -> Iterator[dict[str, Any]]:
    """What there is, by kind: person, consent, consent_head, identity, memory, history, turn, context, prompt,
    summary and the other parts, activity, cost. A test compares them with the tables."""
    box = box_of(permit.person)
    for part in _PARTS:
        yield from part(permit, box)


def _person(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """Who they are here; their sign-in is told to themself only."""
    person = permit.person
    line = {
        "kind": "person",
        "person_id": str(person.public_id),
        "user_id": person.user_id,
        "display_name": person.display_name,
        "language": person.language,
        "zone": person.zone,
        "created_at": rfc3339.tell(person.created_at),
    }
    login = person.login if permit.caller.service is None else None
    yield {**line, "login": {"username": login.username, "email": login.email}} if login else line


def _consents(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """The receipts, and the signed head that tells whether any was changed or left out since."""
    decided = receipts.events(permit.person)
    for event in decided:
        yield {"kind": "consent", **ledger.receipt(event)}
    if head := receipts.head(decided):
        yield head


def _identities(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    rows = permit.person.links.select_related("identity").prefetch_related("changes")
    for link in rows.order_by("created_at", "pk"):
        yield {
            "kind": "identity",
            "identity_id": str(link.pk),
            "identity_kind": link.identity.kind,
            "provider": link.identity.provider,
            "external_id": link.identity.external_id,
            "state": link.state,
            "evidence": link.evidence,
            "created_at": rfc3339.tell(link.created_at),
            "history": [
                {
                    "from": change.from_state,
                    "to": change.to_state,
                    "actor": change.actor,
                    "evidence": change.evidence,
                    "at": rfc3339.tell(change.at),
                }
                for change in link.changes.all()
            ],
        }


def _memories(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    rows = browse.visible(permit).order_by("created_at", "pk")
    for memory in rows.iterator(_CHUNK):
        yield {
            "kind": "memory",
            **shapes.opened(memory, box),
            "service": memory.service.slug if memory.service else None,
            "said_at": shapes.time_json(memory.said_at),
        }


def _history(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    visible = browse.visible(permit).values("pk")
    rows = MemoryHistory.objects.filter(memory__in=visible).select_related("memory").order_by("pk")
    for entry in rows.iterator(_CHUNK):
        yield {"kind": "history", "memory_id": str(entry.memory_id), **shapes.history_json(entry, box)}


def _turns(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    rows = _mine(permit, Turn.objects.all()).select_related("service").order_by("occurred_at", "pk")
    for turn in rows.iterator(_CHUNK):
        yield {
            "kind": "turn",
            "service": turn.service.slug,
            "turn_id": turn.turn_id,
            "session_id": turn.session_id,
            "project_id": turn.project_id or None,
            "occurred_at": rfc3339.tell(turn.occurred_at),
            "state": turn.state,
            "speaker_id": turn.speaker_id or None,
            "person_id": str(permit.person.public_id),
            "route_family": turn.route_family or None,
            "workflow_id": turn.workflow_id or None,
            **box.open(turn.content, place(turn)),
        }


def _contexts(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    yield from contexts.exported(permit, box)


def _activity(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    rows = _mine(permit, Recall.objects.all()).select_related("service").order_by("at", "pk")
    for recall in rows.iterator(_CHUNK):
        yield {
            "kind": "activity",
            "service": recall.service.slug,
            "at": rfc3339.tell(recall.at),
            "memory_ids": [item["memory_id"] for item in recall.items],
            "snapshot_id": str(recall.pk),
        }


def _costs(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    rows = _mine(permit, CostEntry.objects.all()).select_related("service").order_by("at", "pk")
    for entry in rows.iterator(_CHUNK):
        yield {
            "kind": "cost",
            "service": entry.service.slug if entry.service else None,
            "stage": entry.stage,
            "bearer": entry.bearer,
            "calls": entry.calls,
            "tokens_in": entry.tokens_in,
            "tokens_out": entry.tokens_out,
            "at": rfc3339.tell(entry.at),
        }


def _looks(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """The person's own looks at masked values; a service has no part in them."""
    if permit.caller.service is not None:
        return
    for look in permit.person.reveals.order_by("pk").iterator(_CHUNK):
        yield {
            "kind": "activity",
            "action": "reveal",
            "at": rfc3339.tell(look.at),
            "memory_ids": [str(look.memory_id)],
        }


def _mine(permit: Permit, rows: QuerySet[Any]) -> QuerySet[Any]:
    rows = rows.filter(person=permit.person)
    return rows if permit.caller.service is None else rows.filter(service=permit.caller.service)


_PARTS: tuple[Callable[[Permit, Box], Iterator[dict[str, Any]]], ...] = (
    _person,
    _consents,
    _identities,
    _memories,
    _history,
    _turns,
    _contexts,
    *export_parts.PARTS,
    _activity,
    _looks,
    _costs,
)
