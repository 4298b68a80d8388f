"""The A2A contract: context before a turn, update after it."""

from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.a2a import contract
from memoryapp.a2a.context import context
from memoryapp.a2a.finished import keep, update
from memoryapp.a2a.request import Asked, voice_of
from memoryapp.api.base import ApiView, answered_once
from memoryapp.api.fields import CountField, IdField, StrictSerializer
from memoryapp.api.talk import IncognitoBody, SpeakerBody, speaker_of


class FreeObjectField(serializers.Field[dict[str, Any], Any, Any, Any]):
    """Any JSON object: what is in it is sieved by the contract, not refused."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise serializers.ValidationError("Must be an object.")
        return data


class A2ABody(StrictSerializer):
    """What both calls take. A user_id of null is no user_id."""

    user_id = IdField(required=False, allow_null=True)
    voice_context = FreeObjectField()
    device_context = FreeObjectField(required=False, allow_null=True, default=None)
    speaker = SpeakerBody(required=False, allow_null=True, default=None)
    incognito = IncognitoBody(required=False, allow_null=True, default=None)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in data.items() if name != "user_id" or value is not None}


class ContextBody(A2ABody):
    max_tokens = CountField(min_value=1, max_value=32000, required=False, allow_null=True, default=None)


class UpdateBody(A2ABody):
    route_result = FreeObjectField()


class ContextView(ApiView):
    """The memory_context for a present utterance. Never an error that would stop a turn."""

    permission = "recall"

    def post(self, request: Request) -> Response:
        made = context(self.caller, _asked(self.body(ContextBody)))
        extra = {"dropped": made.dropped, "notice": made.notice}
        return Response(
            {"memory_context": made.memory_context, **{name: value for name, value in extra.items() if value}}
        )


class UpdateView(ApiView):
    """The memory_update of a finished turn."""

    permission = "turns"

    def post(self, request: Request) -> Response:
        body = self.body(UpdateBody)
        asked, route = _asked(body), contract.route_of(body["route_result"])
        # What was said is not kept with the key: the answer is made again, only the keeping happens once.
        answered_once(self, request, lambda: keep(self.caller, asked, route))
        return Response({"memory_update": update(self.caller, asked, route)})


def _asked(body: dict[str, Any]) -> Asked:
    device = body["device_context"] or {}
    incognito = body["incognito"] or {"no_read": False, "no_write": False}
    return Asked(
        voice=voice_of(body["voice_context"], device, speaker_of(body)),
        user_id=body.get("user_id"),
        max_tokens=body.get("max_tokens") or settings.A2A_MAX_TOKENS,
        no_read=incognito["no_read"],
        no_write=incognito["no_write"],
    )
