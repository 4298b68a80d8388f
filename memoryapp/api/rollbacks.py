"""Roll-backs: what taking something back would do, taking it back, and undoing that."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate, rollback
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import IdField, StrictSerializer
from memoryapp.api.memories import UserBody
from memoryapp.api.speakers import as_uuid
from memoryapp.errors import NotFound
from memoryapp.models import Rollback
from memoryapp.permit import Act, Permit
from memoryapp.rollback import CANDIDATE, LINK, PAIR, SESSION, Source


class SourceBody(StrictSerializer):
    kind = serializers.ChoiceField(choices=[PAIR, SESSION, CANDIDATE, LINK])
    id = IdField()


class RollbackBody(StrictSerializer):
    user_id = IdField()
    source = SourceBody()  # type: ignore[assignment]  # DRF's own Field.source is another thing


def rollback_json(batch: Rollback) -> dict[str, Any]:
    return {
        "rollback_id": str(batch.pk),
        "source": {"kind": batch.source_kind, "id": batch.source_id},
        "counts": batch.counts,
        "at": batch.at.isoformat(),
        "undone_at": batch.undone_at.isoformat() if batch.undone_at else None,
    }


class RollbacksView(ApiView):
    """Take something back along its sources."""

    permission = "manage"

    @idempotent
    def post(self, request: Request) -> Response:
        permit, source = _asked(self)
        return Response(rollback_json(rollback.withdraw(permit, source)), status=201)


class PreviewView(ApiView):
    """What taking it back would do. Changes nothing."""

    permission = "manage"

    def post(self, request: Request) -> Response:
        permit, source = _asked(self)
        return Response(rollback.plan_json(rollback.preview(permit, source)))


class UndoView(ApiView):
    """Undo a roll-back while it is kept."""

    permission = "manage"

    @idempotent
    def post(self, request: Request, rollback_id: str) -> Response:
        permit = _admit(self, self.body(UserBody)["user_id"])
        return Response(rollback_json(rollback.undo(permit, as_uuid(rollback_id, "no such roll-back"))))


def _asked(view: ApiView) -> tuple[Permit, Source]:
    body = view.body(RollbackBody)
    return _admit(view, body["user_id"]), Source(**body["source"])


def _admit(view: ApiView, user_id: str) -> Permit:
    """An unknown user_id is answered like an unknown source."""
    if gate.find(user_id) is None:
        raise NotFound("no such source")
    return gate.admit(view.caller, user_id, Act.FORGET)
