"""The key-value store for agents: several operations in one request, as LangGraph's adapter sends them."""

import json
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate, rfc3339, store
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import CountField, FlagField, IdField, NumberField, StrictSerializer, TextField
from memoryapp.errors import Forbidden, NotFound, Refused
from memoryapp.permit import Act
from memoryapp.store import Get, Item, ListNamespaces, Put, Search
from memoryapp.text import MAX_BYTES, clean_json

MAX_OPERATIONS = 200
MAX_DEPTH = 16
#: What each operation needs the key to carry.
PERMISSIONS = {
    "put": "save",
    "delete": "manage",
    "get": "recall",
    "search": "recall",
    "list_namespaces": "recall",
}


class NamespaceField(serializers.ListField):
    """A path of labels; the first one, the project, may be empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=IdField(allow_blank=True), max_length=MAX_DEPTH, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        labels: list[str] = super().to_internal_value(data)
        if any(not label.strip() for label in labels[1:]):
            raise serializers.ValidationError("Only the first label, the project, may be empty.")
        return labels


class ValueField(serializers.JSONField):
    """A JSON object of at most 32 KiB; its strings are cleaned."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("Must be an object.")
        if len(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")) > MAX_BYTES:
            raise serializers.ValidationError(f"At most {MAX_BYTES} bytes (32 KiB).")
        return clean_json(data)


class PutBody(StrictSerializer):
    op = serializers.CharField()
    namespace = NamespaceField()
    key = IdField()
    value = ValueField()
    text = TextField(required=False, allow_null=True, allow_blank=True, default=None)
    index = FlagField(required=False, default=True)
    ttl_minutes = NumberField(
        required=False, allow_null=True, default=None, min_value=0, max_value=60 * 24 * 3660
    )


class DeleteBody(StrictSerializer):
    op = serializers.CharField()
    namespace = NamespaceField()
    key = IdField()


class GetBody(DeleteBody):
    refresh_ttl = FlagField(required=False, default=True)


class SearchBody(StrictSerializer):
    op = serializers.CharField()
    prefix = NamespaceField(required=False, default=list)
    query = TextField(required=False, allow_null=True, allow_blank=True, default=None)
    filter = ValueField(required=False, allow_null=True, default=None)
    limit = CountField(required=False, default=10, min_value=0, max_value=1000)
    offset = CountField(required=False, default=0, min_value=0, max_value=100_000)
    refresh_ttl = FlagField(required=False, default=True)


class ListBody(StrictSerializer):
    op = serializers.CharField()


BODIES = {
    "put": PutBody,
    "delete": DeleteBody,
    "get": GetBody,
    "search": SearchBody,
    "list_namespaces": ListBody,
}


class OperationField(serializers.Field[dict[str, Any], Any, Any, Any]):
    """One operation: an object whose `op` says what its other fields are."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        name = data.get("op") if isinstance(data, dict) else None
        if not isinstance(name, str) or name not in BODIES:
            raise serializers.ValidationError({"op": [f"One of: {', '.join(BODIES)}."]})
        body = BODIES[name](data=data)
        body.is_valid(raise_exception=True)
        valid: dict[str, Any] = body.validated_data
        return valid


class BatchBody(StrictSerializer):
    user_id = IdField()
    operations = serializers.ListField(child=OperationField(), min_length=1, max_length=MAX_OPERATIONS)


class BatchView(ApiView):
    """Reads see what was there before; then the writes happen, together or not at all."""

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(BatchBody)
        operations: list[dict[str, Any]] = body["operations"]
        self._may(operations)
        read, reason = self._read(body["user_id"], operations)
        written = self._write(body["user_id"], operations)
        results = [{"op": item["op"], **(read | written)[at]} for at, item in enumerate(operations)]
        return Response({"results": results, "reason": reason})

    def tell_again(self, request: Request, data: Any) -> Any:
        """What became of the writes. What was told by a read is read anew: it may be gone by now."""
        body = self.body(BatchBody)
        self._may(body["operations"])
        fresh, reason = self._read(body["user_id"], body["operations"])
        told = data["results"]
        again = {at: _still_there(told[at], found) for at, found in fresh.items()}
        return {
            "results": [{**result, **again.get(at, {})} for at, result in enumerate(told)],
            "reason": reason,
        }

    def _may(self, operations: list[dict[str, Any]]) -> None:
        held = self.caller.key.permissions if self.caller.key else []
        lacking = sorted({PERMISSIONS[item["op"]] for item in operations} - set(held))
        if lacking:
            raise Forbidden(f"this key lacks the permission {', '.join(lacking)}")

    def _read(self, user_id: str, operations: list[dict[str, Any]]) -> tuple[dict[int, Any], str | None]:
        wanted = {at: item for at, item in enumerate(operations) if item["op"] not in ("put", "delete")}
        if not wanted:
            return {}, None
        try:
            permit = gate.admit(self.caller, user_id, Act.RECALL)
            return {
                at: _answer(item, store.read(permit, _reading(item))) for at, item in wanted.items()
            }, None
        except Refused as refusal:
            return {at: _nothing(item) for at, item in wanted.items()}, refusal.reason

    def _write(self, user_id: str, operations: list[dict[str, Any]]) -> dict[int, Any]:
        results: dict[int, Any] = {}
        puts = {at: item for at, item in enumerate(operations) if item["op"] in ("put", "delete")}
        if any(item["op"] == "put" for item in puts.values()):
            permit = gate.admit(self.caller, user_id, Act.SAVE)
            done = store.write(permit, [_putting(item) for item in puts.values()])
            return {at: {"result": result} for at, result in zip(puts, done, strict=True)}
        for at, item in puts.items():
            if gate.find(user_id) is None:
                raise NotFound("no such user_id")
            permit = gate.admit(self.caller, user_id, Act.FORGET)
            results[at] = {"result": store.delete(permit, tuple(item["namespace"]), item["key"])}
        return results


def _reading(item: dict[str, Any]) -> store.Read:
    if item["op"] == "list_namespaces":
        return ListNamespaces()
    given = _given(item)
    return Get(**given) if item["op"] == "get" else Search(**given)


def _putting(item: dict[str, Any]) -> Put:
    return Put(**{"value": None, **_given(item)})


def _given(item: dict[str, Any]) -> dict[str, Any]:
    """An operation's own fields, with its path as the store takes it."""
    given = {name: value for name, value in item.items() if name != "op"}
    return {name: tuple(value) if name in ("namespace", "prefix") else value for name, value in given.items()}


def _answer(item: dict[str, Any], found: Any) -> dict[str, Any]:
    if item["op"] == "get":
        return {"item": item_json(found) if found else None}
    if item["op"] == "search":
        return {"items": [item_json(one) for one in found]}
    return {"namespaces": [list(namespace) for namespace in found]}


def _nothing(item: dict[str, Any]) -> dict[str, Any]:
    return _answer(item, None if item["op"] == "get" else [])


def _still_there(told: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Of what is found now, what was told: the writes that followed the first read stay out of sight."""
    if "namespaces" in found:
        return {"namespaces": [one for one in found["namespaces"] if one in told["namespaces"]]}
    if "item" in found:
        return {"item": found["item"] if told["item"] else None}
    known = {one["memory_id"] for one in told["items"]}
    return {"items": [one for one in found["items"] if one["memory_id"] in known]}


def item_json(item: Item) -> dict[str, Any]:
    return {
        "memory_id": str(item.memory.pk),
        "namespace": list(item.namespace),
        "key": item.key,
        "value": dict(item.value),
        "created_at": item.memory.created_at.isoformat(),
        "updated_at": item.memory.updated_at.isoformat(),
        "expires_at": rfc3339.tell(item.memory.valid_to) if item.memory.valid_to else None,
        "score": item.score,
    }
