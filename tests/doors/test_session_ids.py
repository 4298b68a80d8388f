"""A session id may have slashes; one that reads like an address under another session is refused, at every door."""

import pytest

from memoryapp.a2a.request import voice_of
from speakers.session_ids import addressable
from tests.sync.test_pushing import push

MINJI = {"user_id": "minji"}
#: Each would be asked for at an address that belongs to the session "a".
ROUTES = [
    "a/contexts",
    "a/contexts/notes",
    "a/prompt",
    "a/prompt/refresh",
    "a/entries",
    "a/tools/set_context",
]
FREE = ["a", "a/b", "contexts/notes", "prompt", "거실/말하기", "a/my-prompt", "a/b/contextual"]


@pytest.mark.parametrize("session_id", FREE)
def test_other_slashes_are_fine(minji, assistant, session_id):
    assert addressable(session_id)
    assert assistant.report("minji", "안녕", session_id=session_id).status_code == 202
    assert (
        assistant.put(f"sessions/{session_id}/contexts/b", {**MINJI, "kind": "writable"}).status_code == 201
    )
    gone = assistant.delete(f"sessions/{session_id}?user_id=minji").json()
    assert (gone["turns"], gone["contexts"]) == (1, 1)


@pytest.mark.parametrize("session_id", ROUTES)
def test_no_door_takes_one(minji, assistant, session_id):
    assistant.put("sessions/a/contexts/notes", {**MINJI, "kind": "writable", "content": "x"})
    turn = assistant.report("minji", "안녕", session_id=session_id)
    assert (turn.status_code, list(turn.json()["errors"])) == (400, ["session_id"])
    grant = assistant.post("sessions/a/contexts/notes/grants", {**MINJI, "to_session_id": session_id})
    assert (grant.status_code, list(grant.json()["errors"])) == (400, ["to_session_id"])
    entry = {"content": "hello", "author": "user", "timestamp": "2026-01-01T00:00:00Z"}
    kept = assistant.post(f"sessions/{session_id}/entries", {**MINJI, "entries": [entry]})
    assert kept.status_code == 400
    block = assistant.put(f"sessions/{session_id}/contexts/l", {**MINJI, "kind": "writable"})
    assert block.status_code == 404
    pair = {"user_text": "안녕", "assistant_text": "네", "session_id": session_id, "turn_id": "t"}
    pushed = push(assistant, {"client_id": "c1", "kind": "pair", "payload": pair})
    assert (pushed[0]["result"], pushed[0]["reason"]) == ("refused", "invalid")
    assert not minji.turns.exists()


@pytest.mark.parametrize("session_id", ROUTES)
def test_a_device_that_says_one_says_none(session_id):
    """What a device says is never refused as a whole: an id that cannot be used is left out."""
    assert voice_of({"recognized_text": "x", "session_id": session_id}, {}, None).session_id == ""
