"""Sync: a device follows one person's memories, and hands in what it wrote while it was away."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate, problems
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import (
    CountField,
    FlagField,
    IdField,
    MomentField,
    NumberField,
    SessionIdField,
    StrictSerializer,
    TextField,
    WordsField,
)
from memoryapp.api.pagination import MAX_LIMIT
from memoryapp.models import MemoryType, Scope, Status
from memoryapp.permit import Act, Permit
from memoryapp.sync import Change, MustResync, pull
from memoryapp.sync_push import CANDIDATE, MEMORY, PAIR, REFUSED, Result, Write, push, standing

MAX_WRITES = 200


class SyncQuery(StrictSerializer):
    user_id = IdField()
    device_id = IdField()
    cursor = serializers.CharField(required=False, allow_blank=True, default=None, max_length=1000)
    limit = CountField(min_value=1, max_value=MAX_LIMIT, required=False, default=MAX_LIMIT)


class WriteBody(StrictSerializer):
    client_id = IdField()
    kind = IdField(max_length=32)
    payload = serializers.DictField()
    base_version = CountField(min_value=0, max_value=2**31 - 1, required=False, allow_null=True, default=None)


class SyncBody(StrictSerializer):
    user_id = IdField()
    device_id = IdField()
    writes = serializers.ListField(child=WriteBody(), max_length=MAX_WRITES)


#: What a pulled memory also tells. A device may hand it back as it came; none of it is the device's to change.
_TOLD = frozenset(
    {"version", "memory_subtype", "normalized_fact", "raw_content", "entities", "masked", "quarantine"}
    | {"created_at", "updated_at", "index_state", "sources", "supersedes", "superseded_by"}
)


class MemoryPayload(StrictSerializer):
    """A new memory; or, with its id and the write's base_version, a changed or deleted one."""

    memory_id = serializers.UUIDField(required=False, allow_null=True, default=None)
    statement = TextField(required=False)
    fact = TextField(required=False)
    deleted = FlagField(required=False, default=False)
    status = serializers.ChoiceField(
        choices=[Status.CONFIRMED.value], required=False
    )  # all that a device holds
    memory_type = serializers.ChoiceField(choices=MemoryType.values, required=False)
    scope = serializers.ChoiceField(choices=Scope.values, required=False)
    project_id = IdField(required=False, allow_blank=True, allow_null=True)
    sensitivity = TextField(required=False, max_length=64)
    keywords = WordsField(required=False)
    confidence = NumberField(min_value=0, max_value=1, required=False)
    occurred_at = MomentField(required=False, allow_null=True)
    valid_from = MomentField(required=False, allow_null=True)
    valid_to = MomentField(required=False, allow_null=True)

    def to_internal_value(self, data: dict[str, Any]) -> Any:
        return super().to_internal_value({name: value for name, value in data.items() if name not in _TOLD})

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        statement = data.pop("fact", None) or data.get("statement")
        start, end = data.get("valid_from"), data.get("valid_to")
        if start and end and end < start:
            raise serializers.ValidationError({"valid_to": ["Must not be before valid_from."]})
        return {**data, "statement": statement} if statement else data


class PairPayload(StrictSerializer):
    """A short-term pair as the update of the A2A contract gives it to the device."""

    user_text = TextField(allow_blank=True)
    assistant_text = TextField(required=False, allow_blank=True, default="")
    route_family = IdField(required=False, allow_blank=True, default="", max_length=64)
    workflow_id = IdField(required=False, allow_blank=True, default="")
    session_id = SessionIdField(required=False, allow_blank=True, default="")
    turn_id = IdField(required=False, allow_blank=True, default="")
    occurred_at = MomentField(required=False, allow_null=True, default=None)
    speaker_id = IdField(required=False, allow_blank=True, allow_null=True, default="")
    speaker_confidence = NumberField(min_value=0, max_value=1, required=False, allow_null=True, default=None)
    person_id = IdField(required=False, allow_blank=True, allow_null=True)
    identity_link_state = IdField(required=False, allow_blank=True, allow_null=True)


class CandidatePayload(StrictSerializer):
    """A profile candidate as the update of the A2A contract gives it to the device."""

    key = IdField(max_length=100)
    value = TextField(max_length=200)
    type = IdField(required=False, max_length=32)
    confidence = serializers.JSONField(required=False)
    session_id = SessionIdField(required=False, allow_blank=True, default="")
    occurred_at = MomentField(required=False, allow_null=True, default=None)
    speaker_id = IdField(required=False, allow_blank=True, allow_null=True)
    person_id = IdField(required=False, allow_blank=True, allow_null=True)


_PAYLOADS: dict[str, type[StrictSerializer]] = {
    MEMORY: MemoryPayload,
    PAIR: PairPayload,
    CANDIDATE: CandidatePayload,
}


class SyncView(ApiView):
    """Follow, and hand in."""

    permission = "manage"

    def get(self, request: Request) -> Response:
        query = self.query(SyncQuery)
        permit = gate.admit(self.caller, query["user_id"], Act.RECALL)
        try:
            page = pull(permit, query["device_id"], query["cursor"], query["limit"])
        except MustResync as expired:
            return _resync(expired)
        return Response(
            {
                "changes": [_change_json(change) for change in page.changes],
                "cursor": page.cursor,
                "version": page.version,
                "has_more": page.has_more,
            }
        )

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(SyncBody)
        permit = gate.admit(self.caller, body["user_id"], Act.SAVE)
        checked = [_checked(write) for write in body["writes"]]
        done = push(permit, body["device_id"], [write for write in checked if isinstance(write, Write)])
        results = iter(done)
        answers = [next(results) if isinstance(write, Write) else write for write in checked]
        return Response({"results": [_result_json(answer) for answer in answers]})

    def tell_again(self, request: Request, data: Any) -> Any:
        """The answers from then; of a conflict the state that stands now."""
        permit = gate.admit(self.caller, self.body(SyncBody)["user_id"], Act.SAVE)
        return {"results": [_standing_now(permit, result) for result in data["results"]]}


def _standing_now(permit: Permit, result: dict[str, Any]) -> dict[str, Any]:
    if "current" not in result:
        return result
    version, current = standing(permit, result["id"])
    return {**result, "version": version, "current": current}


def _checked(data: dict[str, Any]) -> Write | Result:
    """A write with its payload read, or why it is refused: one bad write costs no other."""
    serializer = _PAYLOADS.get(data["kind"])
    if serializer is None:
        return Result(client_id=data["client_id"], result=REFUSED, reason="unknown-kind")
    payload = serializer(data=data["payload"])
    if not payload.is_valid():
        return Result(client_id=data["client_id"], result=REFUSED, reason="invalid")
    return Write(
        client_id=data["client_id"],
        kind=data["kind"],
        payload=payload.validated_data,
        raw=data["payload"],
        base_version=data["base_version"],
    )


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "seq": change.seq,
        "op": change.op,
        "kind": change.kind,
        "id": str(change.id),
        "payload": change.payload,
    }


def _result_json(result: Result) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "client_id": result.client_id,
        "result": result.result,
        "reason": result.reason or None,
        "id": result.id or None,
        "version": result.version,
    }
    return {**answer, "current": result.current} if result.result == "conflict" else answer


def _resync(expired: MustResync) -> Response:
    data = {**problems.body(expired), "resync_from": expired.resync_from}
    return Response(data, status=expired.status, content_type=problems.MEDIA_TYPE)
