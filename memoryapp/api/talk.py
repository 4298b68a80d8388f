"""Turns and recall: what runtimes call on every exchange."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate, turns
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import (
    AsOfField,
    CountField,
    FlagField,
    IdField,
    MomentField,
    NumberField,
    SessionIdField,
    StrictSerializer,
    TextField,
)
from memoryapp.api.people import UserQuery
from memoryapp.errors import NotFound, Refused
from memoryapp.models import Scope, Turn
from memoryapp.permit import Act
from memoryapp.recall import Answer, Question, Remembered, nothing, recall
from memoryapp.shapes import time_json
from memoryapp.text import tidy
from memoryapp.turns import TurnReport
from speakers.identity import Speaker


class SpeakerBody(StrictSerializer):
    speaker_id = IdField(required=False, default="", allow_blank=True)
    speaker_state = serializers.ChoiceField(choices=["identified", "unknown", "ambiguous"], default="unknown")
    speaker_confidence = NumberField(min_value=0, max_value=1, required=False, default=0.0)
    multi_speaker = FlagField(required=False, default=False)
    overlap = FlagField(required=False, default=False)


class IncognitoBody(StrictSerializer):
    no_read = FlagField(required=False, default=False)
    no_write = FlagField(required=False, default=False)


class TurnBody(StrictSerializer):
    user_id = IdField()
    session_id = SessionIdField()
    turn_id = IdField()
    user_text = TextField(allow_blank=True)
    assistant_text = TextField(allow_blank=True, required=False, default="")
    occurred_at = MomentField(required=False, allow_null=True, default=None)
    project_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)
    route_family = IdField(required=False, allow_null=True, allow_blank=True, default=None, max_length=64)
    workflow_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)
    speaker = SpeakerBody(required=False, allow_null=True, default=None)
    incognito = IncognitoBody(required=False, allow_null=True, default=None)


class RecallBody(StrictSerializer):
    user_id = IdField()
    query = TextField(allow_blank=True)
    execution_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)
    project_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.values), required=False, allow_null=True, default=None
    )
    top_k = CountField(min_value=1, max_value=100, required=False, allow_null=True, default=None)
    threshold = NumberField(min_value=0, max_value=1, required=False, allow_null=True, default=None)
    max_tokens = CountField(min_value=1, max_value=32000, required=False, allow_null=True, default=None)
    as_of = AsOfField(required=False, allow_null=True, default=None)
    include_history = FlagField(required=False, default=False)
    explain = FlagField(required=False, default=False)
    speaker = SpeakerBody(required=False, allow_null=True, default=None)
    incognito = IncognitoBody(required=False, allow_null=True, default=None)


def speaker_of(body: dict[str, Any]) -> Speaker | None:
    return Speaker(**body["speaker"]) if body.get("speaker") is not None else None


class TurnsView(ApiView):
    """Report a turn."""

    permission = "turns"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(TurnBody)
        report = TurnReport(
            session_id=body["session_id"],
            turn_id=body["turn_id"],
            user_text=body["user_text"],
            assistant_text=body["assistant_text"],
            occurred_at=body["occurred_at"],
            project_id=body["project_id"] or "",
            route_family=body["route_family"] or "",
            workflow_id=body["workflow_id"] or "",
        )
        kept = turns.record(
            self.caller,
            body["user_id"],
            report,
            speaker=speaker_of(body),
            no_write=bool(body["incognito"] and body["incognito"]["no_write"]),
        )
        answer = {
            "turn_id": kept.turn_id,
            "stored": kept.stored,
            "extraction": kept.extraction,
            "reason": kept.reason,
        }
        return Response(answer, status=202)


class TurnView(ApiView):
    """What became of a turn."""

    permission = "turns"

    def get(self, request: Request, turn_id: str) -> Response:
        user_id = self.query(UserQuery)["user_id"]
        turn = Turn.objects.filter(
            service=self.caller.service, person__user_id=user_id, turn_id=tidy(turn_id)
        ).first()
        if turn is None:
            raise NotFound("no such turn")
        return Response(
            {
                "turn_id": turn.turn_id,
                "session_id": turn.session_id,
                "state": turn.state,
                "extraction": turn.extraction,
                "counts": turn.counts,
                "error": turn.error or None,
                "attempts": turn.attempts,
                "occurred_at": time_json(turn.occurred_at),
                "finished_at": time_json(turn.finished_at),
            }
        )


class RecallView(ApiView):
    """Ask for memories. Never an error that would stop a chat."""

    permission = "recall"

    def post(self, request: Request) -> Response:
        body = self.body(RecallBody)
        try:
            permit = gate.admit(
                self.caller,
                body["user_id"],
                Act.RECALL,
                speaker=speaker_of(body),
                incognito=bool(body["incognito"] and body["incognito"]["no_read"]),
            )
            answer = recall(permit, _question(body))
        except Refused as refusal:
            return Response(answer_json(nothing(refusal.reason), explain=False))
        return Response(answer_json(answer, explain=body["explain"]))


def _question(body: dict[str, Any]) -> Question:
    return Question(
        query=body["query"],
        execution_id=body["execution_id"] or "",
        project_id=body["project_id"] or "",
        scopes=body["scopes"],
        top_k=body["top_k"],
        threshold=body["threshold"],
        max_tokens=body["max_tokens"],
        as_of=body["as_of"],
        include_history=body["include_history"],
        explain=body["explain"],
    )


def answer_json(answer: Answer, *, explain: bool) -> dict[str, Any]:
    return {
        "memories": [remembered_json(item, explain=explain) for item in answer.memories],
        "context": answer.context,
        "injection_mode": answer.injection_mode,
        "count": len(answer.memories),
        "tokens": answer.tokens,
        "query_time": time_json(answer.query_time),
        "safety": answer.safety,
        "snapshot_id": str(answer.snapshot_id) if answer.snapshot_id else None,
        "below_threshold": answer.below_threshold,
        "degraded": answer.degraded,
        "reason": answer.reason,
    }


def remembered_json(item: Remembered, *, explain: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "memory_id": str(item.memory_id),
        "memory_type": item.memory_type,
        "fact": item.fact,
        "score": item.score,
        "scope": item.scope,
        "temporal_relevance": item.temporal_relevance,
        "source_event_ids": item.source_event_ids,
        "valid_from": time_json(item.valid_from),
        "valid_to": time_json(item.valid_to),
        "confidence": item.confidence,
    }
    return {**data, "explain": item.numbers} if explain else data
