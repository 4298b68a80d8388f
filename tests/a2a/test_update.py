"""What a device gets after a turn, and what we keep of it ourselves."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from consent.domains import Domain
from memoryapp import compress
from memoryapp.models import DevicePair, IdempotentAnswer, Turn
from tests.a2a.test_context import heard
from tests.a2a.test_contract import anything, golden
from tests.conftest import withdraw

REQUEST = golden("a2a-request-with-snapshot")
DEF = {"route_family": "DEF", "workflow_id": "", "assistant_text": ""}
ODL = {"route_family": "ODL", "workflow_id": "wf_001", "assistant_text": "안방 청정을 시작할게요."}
MY_ROOM = {"recognized_text": "내 방 청정해줘", "session_id": "s1"}


@pytest.fixture
def minji(make_person):
    return make_person("minji", consents=(Domain.LONG_TERM_MEMORY, Domain.PROFILE))


def finish(runtime, voice, route=ODL, **fields):
    headers = fields.pop("headers", {})
    return runtime.post("a2a/update", {"voice_context": voice, "route_result": route, **fields}, **headers)


def update(runtime, voice, route=ODL, **fields):
    answer = finish(runtime, voice, route, **fields)
    assert answer.status_code == 200, answer.content
    return answer.json()["memory_update"]


def test_the_documented_turn_gets_exactly_the_documented_update(homebot):
    answer = finish(homebot, REQUEST["voice_context"], DEF)
    assert answer.json() == {"memory_update": golden("a2a-memory-update")}


def test_the_assistants_answer_comes_from_the_route_result(homebot):
    made = update(homebot, MY_ROOM)
    assert made["write_candidates"]["short_term_pair"]["assistant_text"] == "안방 청정을 시작할게요."
    assert made["device_cache_update"] == {
        "active_workflow_id": "wf_001",
        "last_route": "ODL",
        "session_summary": "",
    }
    assert made["sync"] == {"cursor": "", "version": ""}


def test_a_known_speaker_gets_the_documented_candidates(minji, homebot, link):
    link(minji, "user_001")
    documented = golden("speaker-memory-update")["memory_update"]["write_candidates"]
    expected = json.loads(json.dumps(documented).replace("person_001", str(minji.public_id)))
    made = update(homebot, {**MY_ROOM, "speaker": heard("user_001")})
    assert made["write_candidates"] == expected


def test_an_unknown_speaker_gets_no_candidates_and_no_person(minji, homebot):
    made = update(homebot, {**MY_ROOM, "speaker": heard("user_001")}, user_id="minji")
    pair = made["write_candidates"]["short_term_pair"]
    assert (pair["person_id"], pair["identity_link_state"]) == (None, "unlinked")
    assert made["write_candidates"]["profile_candidates"] == []
    assert Turn.objects.count() == 0


def test_the_turn_of_a_known_speaker_is_kept_with_voice_and_person(minji, homebot, link):
    link(minji, "user_001")
    update(homebot, {**MY_ROOM, "speaker": heard("user_001"), "turn_id": "t-7"})
    turn = minji.turns.get()
    assert (turn.turn_id, turn.speaker_id, turn.route_family, turn.workflow_id) == (
        "t-7",
        "user_001",
        "ODL",
        "wf_001",
    )
    assert homebot.get("turns/t-7", user_id="minji").json()["state"] == "pending"


def test_without_a_person_nothing_long_term_is_written(homebot):
    update(homebot, MY_ROOM)
    assert Turn.objects.count() == 0
    assert DevicePair.objects.count() == 1


def test_a_person_who_has_not_agreed_leaves_no_trace(make_person, homebot, link):
    minji = make_person("minji", consents=())
    link(minji, "user_001")
    made = update(homebot, {**MY_ROOM, "speaker": heard("user_001")})
    update(homebot, MY_ROOM, user_id="minji")
    assert made["write_candidates"]["profile_candidates"] == []
    assert Turn.objects.count() == DevicePair.objects.count() == 0


def test_incognito_keeps_nothing(minji, homebot):
    update(homebot, MY_ROOM, user_id="minji", incognito={"no_write": True})
    update(homebot, MY_ROOM, incognito={"no_write": True})
    assert Turn.objects.count() == DevicePair.objects.count() == 0


def test_the_same_turn_twice_is_kept_once(minji, homebot):
    for _ in range(3):
        update(homebot, {**MY_ROOM, "turn_id": "t-1"}, user_id="minji")
        update(homebot, MY_ROOM, user_id="minji", headers={"Idempotency-Key": "k1"})
    assert minji.turns.count() == 2
    other = finish(homebot, {**MY_ROOM, "session_id": "s2"}, headers={"Idempotency-Key": "k1"})
    assert other.status_code == 409
    assert "청정" not in str([bytes(row.content or b"").decode() for row in IdempotentAnswer.objects.all()])


def test_a_yes_to_the_devices_suggestion_is_evidence(minji, homebot, work):
    for ago in (5, 4):
        at = (datetime.now(UTC) - timedelta(days=ago)).isoformat()
        update(homebot, {**MY_ROOM, "recognized_text": "안방 청정해줘", "occurred_at": at}, user_id="minji")
    suggestion = {"short_term": {"recent_pairs": [{"user": "", "assistant": "안방 청정을 시작할까요?"}]}}
    update(
        homebot, {"recognized_text": "응", "session_id": "s5", "memory_snapshot": suggestion}, user_id="minji"
    )
    work()
    [item] = homebot.get("memories", user_id="minji").json()["items"]
    assert (item["status"], item["memory_subtype"]) == ("confirmed", "preferred_cleaning_space")
    context = homebot.post("a2a/context", {"user_id": "minji", "voice_context": MY_ROOM}).json()[
        "memory_context"
    ]
    [told] = context["long_term"]["profile_items"]
    assert (told["key"], told["value"]) == ("preferred_cleaning_space", "안방")
    assert told["confidence"] == item["confidence"]


def test_a_closed_session_is_summarised_at_once(minji, homebot):
    update(homebot, {**MY_ROOM, "recognized_text": "안방 청정해줘"}, user_id="minji")
    assert compress.waiting() == []
    update(homebot, {**MY_ROOM, "recognized_text": "불 꺼줘", "session_closed": True}, user_id="minji")
    for pk in compress.waiting():
        compress.write(pk)
    made = update(homebot, {**MY_ROOM, "recognized_text": "응"}, user_id="minji")
    assert made["device_cache_update"]["session_summary"] == "안방 청정해줘, 불 꺼줘"


def test_after_withdrawal_no_candidate_is_proposed(minji, homebot, link):
    link(minji, "user_001")
    withdraw(minji)
    made = update(homebot, {**MY_ROOM, "speaker": heard("user_001")})
    assert made["write_candidates"]["profile_candidates"] == []


def test_memory_never_names_a_route(homebot):
    snapshot = {"short_term": {"recent_pairs": [{"user": "a", "assistant": "b", "route_family": "ODL"}]}}
    made = update(homebot, {"recognized_text": "c", "memory_snapshot": snapshot}, DEF)
    assert made["write_candidates"]["short_term_pair"]["route_family"] == "DEF"
    assert made["device_cache_update"]["last_route"] == "DEF"


@pytest.mark.parametrize(
    "body",
    [
        {"voice_context": {}}, {"route_result": {}}, {"voice_context": {}, "route_result": []},
        {"voice_context": "x", "route_result": {}}, {"voice_context": {}, "route_result": {}, "mood": 1},
        [], 3,
    ],
)  # fmt: skip
def test_what_is_no_update_is_a_clear_400(homebot, body):
    assert homebot.post("a2a/update", body).status_code == 400


loose = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        (
            "recognized_text", "session_id", "turn_id", "device_id", "occurred_at", "memory_snapshot",
            "speaker_context", "speaker", "speaker_id", "speaker_confidence",
        ),
        anything,
    ),
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(voice=loose, route=anything, whole=anything, device=anything)
def test_no_json_whatever_is_an_internal_error(minji, homebot, voice, route, whole, device):
    bodies = [
        {
            "voice_context": voice,
            "route_result": {"route_family": route, "assistant_text": whole},
            "user_id": "minji",
        },
        {"voice_context": voice, "route_result": {}, "device_context": device},
        {"voice_context": whole, "route_result": route},
        whole,
    ]
    for body in bodies:
        text = json.dumps(body)
        for path in ("a2a/update", "a2a/context"):
            headers = {"Authorization": f"Bearer {homebot.secret}"}
            answer = homebot.http.post(
                f"/api/v1/{path}", text, content_type="application/json", headers=headers
            )
            assert answer.status_code in (200, 400), answer.content


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"voice_context":' + '{"a":' * 50_000, "1e999", "NaN", '{"a": 1e999}']
)
def test_json_that_no_parser_should_follow_is_a_400(homebot, text):
    headers = {"Authorization": f"Bearer {homebot.secret}"}
    answer = homebot.http.post("/api/v1/a2a/context", text, content_type="application/json", headers=headers)
    assert answer.status_code == 400
