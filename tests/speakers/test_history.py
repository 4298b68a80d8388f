"""A device's history file comes in whole, once, and only as the memory of whose voice it is."""

import json

import pytest
from hypothesis import given

from consent.domains import Domain
from speakers import history
from tests.a2a.test_contract import anything, golden
from tests.conftest import withdraw

FILE = golden("speaker-device-history")


def turn(user="거실 청정해줘", **fields):
    return {"user": user, "assistant": "네.", "speaker_confidence": 0.9, **fields}


def file(*turns, session_id="sess_001", time="2026-07-07T10:00:00+09:00"):
    return {
        "speaker_id": "user_001",
        "sessions": [{"session_id": session_id, "time": time, "turns": list(turns)}],
    }


def take_in(runtime, data):
    answer = runtime.post("speakers/history", data)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.fixture
def voice(minji, link):
    return link(minji, "user_001")


def exported_turns(runtime):
    lines = b"".join(runtime.get("export", user_id="minji").streaming_content).splitlines()
    return [item for item in map(json.loads, lines) if item["kind"] == "turn"]


def test_the_documented_file_is_taken_in_with_its_session_and_turn(minji, homebot, voice):
    done = take_in(homebot, FILE)
    assert (done["stored"], done["sessions"], done["imported"], done["problems"]) == (True, 1, 1, [])
    [kept] = exported_turns(homebot)
    assert (kept["session_id"], kept["user_text"], kept["assistant_text"]) == (
        "sess_001", "거실 청정해줘", "거실 청정을 시작할게요.",
    )  # fmt: skip
    assert kept["occurred_at"].startswith("2026-07-07T01:00:00")
    row = minji.turns.get()
    assert (row.speaker_id, row.route_family) == ("user_001", "ODL")


def test_the_same_file_again_adds_nothing_and_a_longer_one_only_what_is_new(minji, homebot, voice):
    take_in(homebot, file(turn(), turn(), turn("안방 청정해줘")))
    again = take_in(homebot, file(turn(), turn(), turn("안방 청정해줘")))
    assert (again["imported"], again["duplicates"]) == (0, 3)
    longer = take_in(homebot, file(turn(), turn(), turn("안방 청정해줘"), turn("불 꺼줘")))
    assert (longer["imported"], longer["duplicates"]) == (1, 3)
    assert minji.turns.count() == 4


def test_a_bad_row_is_reported_with_its_place_and_costs_no_other(minji, homebot, voice):
    data = file(turn(), 7, {"user": 3}, {"user": " "}, turn("불 꺼줘", speaker_confidence=2))
    data["sessions"] += [
        "x", {"session_id": "", "time": "2026-07-07T10:00:00+09:00"},
        {"session_id": "s", "time": "2026-07-07T10:00:00"},
        {"session_id": "s", "time": "soon"}, {"session_id": "s", "time": "2026-07-07T10:00:00Z", "turns": {}},
        {"session_id": "s/prompt", "time": "2026-07-07T10:00:00Z"},
    ]  # fmt: skip
    done = take_in(homebot, data)
    assert [problem["at"] for problem in done["problems"]] == [
        "sessions.0.turns.1", "sessions.0.turns.2.user", "sessions.0.turns.3.user",
        "sessions.0.turns.4.speaker_confidence", "sessions.1", "sessions.2.session_id", "sessions.3.time",
        "sessions.4.time", "sessions.5.turns", "sessions.6.session_id",
    ]  # fmt: skip
    assert (done["imported"], done["problem_count"]) == (1, 10)


def test_rows_of_an_uncertain_voice_are_left_out(minji, homebot, voice):
    done = take_in(homebot, file(turn(), turn("비밀", speaker_confidence=0.3)))
    assert (done["imported"], done["uncertain"]) == (1, 1)
    assert minji.turns.count() == 1


def test_nobodys_voice_and_nobodys_consent_keep_nothing(minji, homebot, link):
    assert take_in(homebot, FILE)["reason"] == "speaker-not-allowed"
    link(minji, "user_001", "candidate")
    assert take_in(homebot, FILE)["stored"] is False
    link(minji, "user_001")
    withdraw(minji, Domain.LONG_TERM_MEMORY)
    assert take_in(homebot, FILE)["reason"] == "no-consent"
    assert minji.turns.count() == 0


def test_what_is_imported_is_learnt_from_like_any_turn(minji, homebot, voice, work):
    take_in(homebot, file(turn("저는 땅콩 알레르기가 있어요")))
    work()
    assert homebot.facts("minji", "알레르기") == ["저는 땅콩 알레르기가 있어요"]


def test_a_long_file_is_taken_in_whole(minji, homebot, voice):
    done = take_in(homebot, file(*[turn(f"{number}번째 말") for number in range(1200)]))
    assert done["imported"] == minji.turns.count() == 1200


@given(anything)
def test_no_file_whatever_breaks_reading(data):
    found = history.read(data if isinstance(data, list) else [data])
    assert len(found.problems) >= len([row for row in found.turns if not row.session_id])
