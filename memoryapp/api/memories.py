"""Memories: save, list, read, correct, delete, approve.

Only the detail shows what is guarded: lists, and the answers to writes, have it masked, so that a value which a
write was merged with, or which somebody else put there, is not read from them.
"""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import browse, gate, save, verdict
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import (
    IdField,
    IdsField,
    JsonField,
    MomentField,
    NumberField,
    StrictSerializer,
    TextField,
    WordsField,
)
from memoryapp.api.pagination import LogQuery, PageQuery, page, page_of_log
from memoryapp.api.people import UserQuery
from memoryapp.browse import Filters
from memoryapp.correct import correct
from memoryapp.errors import Invalid, NotFound
from memoryapp.forget import forget
from memoryapp.models import MemoryType, Scope, Status
from memoryapp.permit import Act, Permit
from memoryapp.save import SaveRequest
from memoryapp.shapes import history_json, memory_json, opened, without_words
from memoryapp.vault import box_of

# A label that is not known becomes `unknown`, so it is a text and not a choice (G23).
SensitivityField = TextField


class SaveBody(StrictSerializer):
    user_id = IdField()
    fact = TextField()
    memory_type = serializers.ChoiceField(
        choices=MemoryType.values, required=False, allow_null=True, default=None
    )
    scope = serializers.ChoiceField(choices=Scope.values, required=False, default=Scope.PERSONAL)
    project_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)
    sensitivity = SensitivityField(
        required=False, allow_null=True, allow_blank=True, default=None, max_length=64
    )
    keywords = WordsField(required=False, default=list)
    occurred_at = MomentField(required=False, allow_null=True, default=None)
    valid_from = MomentField(required=False, allow_null=True, default=None)
    valid_to = MomentField(required=False, allow_null=True, default=None)
    source_event_ids = IdsField(required=False, default=list)
    confidence = NumberField(min_value=0, max_value=1, required=False, allow_null=True, default=None)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        return _in_order(data)


class ListQuery(PageQuery):
    scope = serializers.ChoiceField(choices=Scope.values, required=False, default=None)
    project_id = IdField(required=False, allow_blank=True, default=None)
    type = serializers.ChoiceField(choices=MemoryType.values, required=False, default=None)
    validity = serializers.ChoiceField(choices=["current", "past", "all"], required=False, default="all")
    status = serializers.ChoiceField(choices=Status.values, required=False, default=None)


class CorrectBody(StrictSerializer):
    user_id = IdField()
    statement = TextField(required=False)
    raw_content = TextField(required=False, allow_blank=True)
    normalized_fact = TextField(required=False, allow_blank=True)
    memory_subtype = TextField(required=False, allow_blank=True, max_length=64)
    keywords = WordsField(required=False)
    entities = WordsField(required=False)
    sensitivity = SensitivityField(required=False, max_length=64)
    confidence = NumberField(min_value=0, max_value=1, required=False)
    valid_from = MomentField(required=False, allow_null=True)
    valid_to = MomentField(required=False, allow_null=True)
    sources = JsonField(required=False)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        return _in_order(data)

    def validate_sources(self, value: dict[str, Any]) -> dict[str, Any]:
        names = {"candidate_ids", "summary_ids", "session_ids", "pair_ids", "event_ids"}
        lists = all(
            isinstance(ids, list) and all(isinstance(item, str) for item in ids) for ids in value.values()
        )
        if not set(value) <= names or not lists:
            raise serializers.ValidationError(f"Lists of ids under: {', '.join(sorted(names))}.")
        return value


class DeleteBody(StrictSerializer):
    user_id = IdField()
    ids = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=500)


class UserBody(StrictSerializer):
    user_id = IdField()


def _in_order(data: dict[str, Any]) -> dict[str, Any]:
    start, end = data.get("valid_from"), data.get("valid_to")
    if start and end and end < start:
        raise serializers.ValidationError({"valid_to": ["Must not be before valid_from."]})
    return data


class MemoriesView(ApiView):
    """Save a fact; list what is remembered."""

    permissions = {"POST": "save", "GET": "manage"}

    def tell_again(self, request: Request, data: Any) -> Any:
        permit = gate.admit(self.caller, self.body(SaveBody)["user_id"], Act.SAVE)
        return {**data, "memory": _told_again(permit, data["memory"])}

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(SaveBody)
        user_id = body.pop("user_id")
        body["project_id"] = body["project_id"] or ""
        permit = gate.admit(self.caller, user_id, Act.SAVE)
        outcome = save.save(permit, SaveRequest(**body))
        if outcome.memory is None or outcome.content is None:
            raise NotFound
        memory = browse.one(permit, outcome.memory.pk)
        answer = {
            "memory": memory_json(memory, outcome.content, masked=True),
            "operation": outcome.operation.value,
            "reason": outcome.reason,
            "affected": [str(pk) for pk in outcome.affected],
        }
        return Response(answer, status=201)

    def get(self, request: Request) -> Response:
        query = self.query(ListQuery)
        person = gate.find(query["user_id"])
        if person is None:
            return Response({"items": [], "next": None})
        permit = gate.admit(self.caller, query["user_id"], Act.SEE)
        filters = Filters(
            scope=query["scope"],
            project_id=query["project_id"],
            memory_type=query["type"],
            validity=query["validity"],
            status=query["status"],
        )
        rows, after = page(browse.listing(permit, filters), query["cursor"], query["limit"])
        box = box_of(permit.person)
        return Response({"items": [opened(row, box, masked=True) for row in rows], "next": after})


class MemoryView(ApiView):
    """One memory."""

    permission = "manage"

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """A memory is told with its version, for If-Match."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(answer.data, dict) and "version" in answer.data:
            answer.headers["ETag"] = f'"{answer.data["version"]}"'
        return answer

    def tell_again(self, request: Request, data: Any) -> Any:
        if request.method != "PATCH":
            return data
        permit = _admit(self, self.body(CorrectBody)["user_id"], Act.CORRECT)
        return _told_again(permit, data)

    def get(self, request: Request, memory_id: str) -> Response:
        permit = _admit(self, self.query(UserQuery)["user_id"], Act.SEE)
        return Response(opened(browse.one(permit, _uuid(memory_id)), box_of(permit.person)))

    @idempotent
    def patch(self, request: Request, memory_id: str) -> Response:
        changes = self.body(CorrectBody)
        permit = _admit_to(self, changes.pop("user_id"), Act.CORRECT, memory_id)
        version = _if_match(request)
        corrected = correct(permit, _uuid(memory_id), changes, version)
        answer = memory_json(corrected.memory, corrected.content, masked=True)
        if corrected.warning:
            answer["warnings"] = [corrected.warning]
        return Response(answer)

    @idempotent
    def delete(self, request: Request, memory_id: str) -> Response:
        permit = _admit(self, self.query(UserQuery)["user_id"], Act.FORGET)
        deleted = forget(permit, [_uuid(memory_id)], version=_if_match(request))
        return Response(_deleted(deleted.ids, deleted.warnings))


class DeleteView(ApiView):
    """Delete several memories, all or none."""

    permission = "manage"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(DeleteBody)
        permit = _admit(self, body["user_id"], Act.FORGET)
        deleted = forget(permit, body["ids"])
        return Response(_deleted(deleted.ids, deleted.warnings))


class HistoryView(ApiView):
    """How a memory came to be what it is."""

    permission = "manage"

    def get(self, request: Request, memory_id: str) -> Response:
        query = self.query(LogQuery)
        permit = _admit(self, query["user_id"], Act.SEE)
        box = box_of(permit.person)
        rows = browse.history(permit, _uuid(memory_id))
        entries, after = page_of_log(rows, query["cursor"], query["limit"])
        return Response({"items": [history_json(entry, box) for entry in entries], "next": after})


class JudgeView(ApiView):
    """Approve or decline a candidate."""

    permission = "manage"
    verdict = "approve"

    @idempotent
    def post(self, request: Request, memory_id: str) -> Response:
        permit = _admit_to(self, self.body(UserBody)["user_id"], Act.SAVE, memory_id)
        judge = verdict.approve if self.verdict == "approve" else verdict.decline
        memory = judge(permit, _uuid(memory_id))
        told = opened(memory, box_of(permit.person), masked=True)
        return Response(without_words(told) if memory.deleted_at else told)

    def tell_again(self, request: Request, data: Any) -> Any:
        permit = _admit(self, self.body(UserBody)["user_id"], Act.SAVE)
        return data if data["status"] == Status.DELETED else _told_again(permit, data)


def _admit(view: ApiView, user_id: str, act: Act) -> Permit:
    """An unknown user_id is answered like an unknown memory."""
    if gate.find(user_id) is None:
        raise NotFound("no such memory")
    return gate.admit(view.caller, user_id, act)


def _admit_to(view: ApiView, user_id: str, act: Act, memory_id: str) -> Permit:
    """Somebody else's memory is unknown to whoever asks, also to one who has consented to nothing."""
    browse.one(_admit(view, user_id, Act.SEE), _uuid(memory_id))
    return gate.admit(view.caller, user_id, act)


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise NotFound("no such memory") from error


def _if_match(request: Request) -> int | None:
    value = request.headers.get("If-Match")
    if value is None or value.strip() == "*":
        return None
    text = value.strip().removeprefix("W/").strip('"')
    if not text.isdecimal() or len(text) > 9:
        raise Invalid("If-Match must be the memory's version", {"If-Match": ["Not a version."]})
    return int(text)


def _told_again(permit: Permit, told: dict[str, Any]) -> dict[str, Any]:
    """A memory from a kept answer: the same while it is unchanged, else as it is now. Raises NotFound once deleted."""
    memory = browse.one(permit, _uuid(told["memory_id"]))
    if memory.version == told["version"]:
        return told
    return opened(memory, box_of(permit.person), masked=True)


def _deleted(ids: list[uuid.UUID], warnings: list[uuid.UUID]) -> dict[str, Any]:
    answer: dict[str, Any] = {"deleted": len(ids), "ids": [str(pk) for pk in ids]}
    if warnings:
        answer["warnings"] = [{"memory_id": str(pk), "code": "index-gone"} for pk in warnings]
    return answer
