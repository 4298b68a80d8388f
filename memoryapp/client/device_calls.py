"""The endpoints of a household device: whose voice, the A2A contract, sync, whose workflow is running."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoryapp.client.call import Call, given, part, read, write
from memoryapp.client.shapes import read as shaped

JSON = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What changed since a cursor. Keep `cursor` for the next question; ask again while `has_more`.

    `resync_from` is set when the cursor is not known any more: drop what is kept and start there.
    """

    changes: list[JSON] = field(default_factory=list)
    cursor: str = ""
    version: int = 0
    has_more: bool = False
    resync_from: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Changes":
        return shaped(cls, data)


def resolve_speaker(speaker: Mapping[str, Any]) -> Call[JSON]:
    """Whose voice it is, and whether anything personal may be used: the speaker_scope."""
    return write("POST", "/speakers/resolve", {"speaker": dict(speaker)}, dict)


def a2a_context(
    voice_context: Mapping[str, Any],
    *,
    user_id: str | None = None,
    device_context: Mapping[str, Any] | None = None,
    max_tokens: int | None = None,
) -> Call[JSON]:
    """The memory_context for a present utterance. Evidence only: the utterance wins."""
    body = given(
        user_id=user_id,
        voice_context=dict(voice_context),
        device_context=device_context,
        max_tokens=max_tokens,
    )
    return write("POST", "/a2a/context", body, lambda data: dict(data["memory_context"]))


def a2a_update(
    voice_context: Mapping[str, Any], route_result: Mapping[str, Any], *, user_id: str | None = None
) -> Call[JSON]:
    """The memory_update of a finished turn, for the device to keep."""
    body = given(user_id=user_id, voice_context=dict(voice_context), route_result=dict(route_result))
    return write("POST", "/a2a/update", body, lambda data: dict(data["memory_update"]))


def pull_changes(
    user_id: str, device_id: str, *, cursor: str | None = None, limit: int | None = None
) -> Call[Changes]:
    """What changed since `cursor`; without one, everything."""
    asked = given(user_id=user_id, device_id=device_id, cursor=cursor, limit=limit)
    call = read("/sync", Changes.from_json, asked)
    return Call(**{**call.__dict__, "accept": frozenset({410})})


def push_writes(user_id: str, device_id: str, writes: Sequence[Mapping[str, Any]]) -> Call[list[JSON]]:
    """Hand in what the device did meanwhile. Per write: applied, duplicate, conflict or refused, and why."""
    body = {"user_id": user_id, "device_id": device_id, "writes": [dict(each) for each in writes]}
    return write("POST", "/sync", body, lambda data: list(data["results"]))


def register_workflow(workflow_id: str, speaker: Mapping[str, Any]) -> Call[JSON]:
    """Say who started a workflow."""
    return write("POST", "/workflows", {"workflow_id": workflow_id, "speaker": dict(speaker)}, dict)


def authorize_workflow(workflow_id: str, speaker: Mapping[str, Any], action: str) -> Call[JSON]:
    """May this speaker do that? Names whose confirmation it needs, if not."""
    body = {"speaker": dict(speaker), "action": action}
    return write("POST", f"/workflows/{part(workflow_id)}/authorize", body, dict)
