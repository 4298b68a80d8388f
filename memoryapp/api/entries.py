"""Entries: the MemoryService that agent frameworks expect (ADK's shape)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import entries, gate, rfc3339
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import (
    CountField,
    FlagField,
    IdField,
    JsonField,
    MomentField,
    NumberField,
    SessionIdField,
    StrictSerializer,
    TextField,
)
from memoryapp.api.people import UserQuery
from memoryapp.entries import STORED, Found, Kept, NewEntry, SearchAnswer
from memoryapp.errors import NotFound, Refused
from memoryapp.permit import Act, Permit

MAX_ENTRIES = 500


class EntryBody(StrictSerializer):
    content = TextField()
    author = IdField()
    timestamp = MomentField()
    event_id = IdField(required=False, allow_null=True, default=None)
    metadata = JsonField(required=False, allow_null=True, default=None)

    def to_internal_value(self, data: Any) -> NewEntry:
        given = super().to_internal_value(data)
        return NewEntry(
            content=given["content"],
            author=given["author"],
            timestamp=given["timestamp"],
            event_id=given["event_id"] or "",
            metadata=given["metadata"] or {},
        )


def _project() -> IdField:
    return IdField(required=False, allow_null=True, allow_blank=True, default=None)


class SessionBody(StrictSerializer):
    user_id = IdField()
    project_id = _project()
    entries = serializers.ListField(child=EntryBody(), min_length=1, max_length=MAX_ENTRIES)


class OneEntryBody(StrictSerializer):
    user_id = IdField()
    project_id = _project()
    entry = EntryBody()


class SearchBody(StrictSerializer):
    user_id = IdField()
    query = TextField(allow_blank=True)
    top_k = CountField(min_value=1, max_value=100, required=False, allow_null=True, default=None)
    threshold = NumberField(min_value=0, max_value=1, required=False, allow_null=True, default=None)
    project_id = _project()


class EntriesDeleteBody(StrictSerializer):
    user_id = IdField()
    query = TextField()
    project_id = _project()
    dry_run = FlagField(required=False, default=False)


class SessionEntriesView(ApiView):
    """Store the entries of a session."""

    permission = "save"

    @idempotent
    def post(self, request: Request, session_id: str) -> Response:
        body = self.body(SessionBody)
        permit = gate.admit(self.caller, body["user_id"], Act.SAVE)
        kept = entries.add(
            permit, body["entries"], project_id=body["project_id"] or "", session_id=_session(session_id)
        )
        stored = sum(item.result == STORED for item in kept)
        data = {"stored": stored, "entries": [kept_json(item) for item in kept]}
        return Response(data, status=201 if stored else 200)


class EntriesView(ApiView):
    """Store one entry."""

    permission = "save"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(OneEntryBody)
        permit = gate.admit(self.caller, body["user_id"], Act.SAVE)
        kept = entries.add(permit, [body["entry"]], project_id=body["project_id"] or "")[0]
        return Response(kept_json(kept), status=201 if kept.result == STORED else 200)


class EntrySearchView(ApiView):
    """Find entries. Never an error that would stop a chat."""

    permission = "recall"

    def post(self, request: Request) -> Response:
        body = self.body(SearchBody)
        try:
            permit = gate.admit(self.caller, body["user_id"], Act.RECALL)
        except Refused as refusal:
            return Response(answer_json(entries.nothing(refusal.reason)))
        revision, asked = permit.revision, body["threshold"]
        answer = entries.find(
            permit,
            body["query"],
            top_k=body["top_k"] or revision.recall_top_k,
            project_id=body["project_id"] or "",
            threshold=revision.recall_threshold if asked is None else asked,
        )
        return Response(answer_json(answer))


class EntryDeleteView(ApiView):
    """Delete by query: exactly what contains all its words, in exactly this project."""

    permission = "manage"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(EntriesDeleteBody)
        permit = _admit(self, body["user_id"])
        ids = entries.delete_matching(
            permit, body["query"], project_id=body["project_id"] or "", dry_run=body["dry_run"]
        )
        deleted = 0 if body["dry_run"] else len(ids)
        return Response({"deleted": deleted, "ids": [str(pk) for pk in ids], "dry_run": body["dry_run"]})


class SessionView(ApiView):
    """Forget a session."""

    permission = "manage"

    @idempotent
    def delete(self, request: Request, session_id: str) -> Response:
        permit = _admit(self, self.query(UserQuery)["user_id"])
        gone = entries.delete_session(permit, _session(session_id))
        ids = [str(pk) for pk in gone.entries]
        counts = {"entries": len(ids), "turns": gone.turns, "contexts": gone.contexts}
        return Response({"deleted": sum(counts.values()), **counts, "ids": ids})


def kept_json(kept: Kept) -> dict[str, Any]:
    return {
        "entry_id": str(kept.entry_id) if kept.entry_id else None,
        "event_id": kept.event_id or None,
        "result": kept.result,
    }


def answer_json(answer: SearchAnswer) -> dict[str, Any]:
    return {
        "entries": [_found_json(item) for item in answer.entries],
        "count": len(answer.entries),
        "degraded": answer.degraded,
        "reason": answer.reason,
    }


def _found_json(item: Found) -> dict[str, Any]:
    return {
        "entry_id": str(item.entry_id),
        "content": item.content,
        "author": item.author,
        "timestamp": rfc3339.tell(item.timestamp),
        "session_id": item.session_id or None,
        "project_id": item.project_id or None,
        "event_id": item.event_id or None,
        "metadata": dict(item.metadata),
        "score": item.score,
    }


def _admit(view: ApiView, user_id: str) -> Permit:
    """An unknown user_id is answered like an unknown session."""
    if gate.find(user_id) is None:
        raise NotFound("no such user_id")
    return gate.admit(view.caller, user_id, Act.FORGET)


def _session(session_id: str) -> str:
    """A session id from the path, held to the same rules as one from a body."""
    checked: str = SessionIdField().run_validation(session_id)
    return checked
