"""What the planner gets: the device's snapshot made safe, and what our store adds for whom it may."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from consent.domains import Domain
from memoryapp import compress, tokens
from memoryapp.models import DevicePair, Recall
from tests.a2a.test_contract import golden
from tests.conftest import withdraw

BOTH = (Domain.LONG_TERM_MEMORY, Domain.PROFILE)
REQUEST = golden("a2a-request-with-snapshot")
EMPTY = {"recognized_text": "평소처럼 예약해줘", "session_id": "s1"}


@pytest.fixture
def minji(make_person):
    return make_person("minji", consents=BOTH)


@pytest.fixture
def jiho(make_person):
    return make_person("jiho", consents=BOTH)


def ask(runtime, voice=None, **fields):
    return runtime.post("a2a/context", {"voice_context": voice or EMPTY, **fields})


def context(runtime, voice=None, **fields):
    answer = ask(runtime, voice, **fields)
    assert answer.status_code == 200, answer.content
    return answer.json()["memory_context"]


def items(memory_context):
    return memory_context["long_term"]["profile_items"]


def heard(speaker_id, **fields):
    return {"speaker_id": speaker_id, "speaker_state": "identified", "speaker_confidence": 0.72, **fields}


def test_the_documented_request_gets_exactly_the_documented_context(homebot):
    answer = homebot.post("a2a/context", REQUEST)
    assert answer.json() == {"memory_context": golden("a2a-normalized-context")}


def test_without_a_snapshot_everything_is_there_and_empty(homebot):
    made = context(homebot)
    assert made["current_turn_priority"] == "required"
    assert made["short_term"] == {"recent_pairs": [], "session_summary": ""}
    assert items(made) == []
    assert "speaker_scope" not in made


def test_junk_is_counted(homebot):
    answer = ask(homebot, {**EMPTY, "memory_snapshot": {"route": "DEF", "short_term": 7}}).json()
    assert answer["dropped"] == 2


@pytest.mark.parametrize(
    "body",
    [
        [], "x", 1, None, {}, {"voice_context": None}, {"voice_context": []}, {"voice_context": {}, "x": 1},
        {"voice_context": {}, "user_id": " "}, {"voice_context": {}, "max_tokens": 0},
        {"voice_context": {}, "device_context": "a"},
    ],
)  # fmt: skip
def test_what_is_no_request_is_a_clear_400(homebot, body):
    answer = homebot.post("a2a/context", json.dumps(body) if body is None else body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"


def test_a_key_without_the_permission_is_refused(homebot):
    homebot.service.keys.update(permissions=["save"])
    assert ask(homebot).status_code == 403


def test_our_store_adds_confirmed_items_with_confidence(minji, homebot):
    homebot.save("minji", "평소 예약은 평일 오전 8시 전체청정", memory_type="HABIT")
    homebot.save("minji", "나는 조용한 방을 좋아해", memory_type="PREFERENCE")
    made = context(homebot, user_id="minji")
    first, second = items(made)
    assert (first["key"], first["value"]) == ("usual_reservation", "평일 오전 8시 전체청정")
    assert 0 < first["confidence"] <= 1
    assert second["value"] == "나는 조용한 방을 좋아해"
    assert made["source"] == "cloud_memory"
    receipt = Recall.objects.get(person=minji)
    assert len(receipt.items) == 2


def test_without_consent_to_a_profile_nothing_is_added(make_person, homebot):
    make_person("minji")
    homebot.save("minji", "평소 예약은 밤 10시 나이트모드", memory_type="HABIT")
    assert items(context(homebot, user_id="minji")) == []
    assert Recall.objects.count() == 0


def test_candidates_and_guarded_items_are_not_given(minji, homebot, work):
    homebot.report("minji", "안방 청정해줘")
    homebot.save("minji", "내 전화는 010-1234-5678", memory_type="PROFILE")
    work()
    assert items(context(homebot, user_id="minji")) == []


def test_nobodys_items_are_given_to_nobody(minji, homebot):
    homebot.save("minji", "평소 예약은 밤 10시 나이트모드", memory_type="HABIT")
    assert items(context(homebot)) == items(context(homebot, user_id="jiho")) == []


def test_after_withdrawal_not_even_the_devices_copy_is_used(minji, homebot):
    homebot.save("minji", "평소 예약은 밤 10시 나이트모드", memory_type="HABIT")
    withdraw(minji)
    made = context(homebot, REQUEST["voice_context"], user_id="minji")
    assert items(made) == []
    assert made["mid_term"] == {"daily_summaries": [], "weekly_digest": ""}
    assert made["short_term"]["session_summary"] != ""


def test_a_confirmed_item_of_ours_takes_the_place_of_the_devices(minji, homebot):
    homebot.save("minji", "내 방은 서재야", memory_type="ALIAS")
    snapshot = {"long_term": {"profile_items": [{"key": "my_room_alias", "value": "안방"}]}}
    made = context(homebot, {**EMPTY, "memory_snapshot": snapshot}, user_id="minji")
    assert [(item["key"], item["value"]) for item in items(made)] == [("my_room_alias", "서재")]


def test_a_deleted_memory_is_gone_from_the_next_context(minji, homebot):
    memory = homebot.save("minji", "평소 예약은 밤 10시 나이트모드", memory_type="HABIT").json()["memory"]
    homebot.delete(f"memories/{memory['memory_id']}?user_id=minji")
    assert items(context(homebot, user_id="minji")) == []


def test_summaries_come_in_and_stay_inside_their_service(minji, homebot, assistant):
    at = datetime.now(UTC) - timedelta(days=1)
    for number in range(3):
        homebot.report(
            "minji", "거실 청정해줘", turn_id=f"t{number}", session_id="s1", occurred_at=at.isoformat()
        )
    for _ in range(3):
        for pk in compress.waiting():
            compress.write(pk)
    made = context(homebot, user_id="minji")
    assert made["short_term"]["session_summary"] == "거실 청정해줘 (3번)"
    assert len(made["short_term"]["recent_pairs"]) == 3
    [day] = made["mid_term"]["daily_summaries"]
    assert "거실 청정해줘" in day["summary"]
    assert "거실" in made["mid_term"]["weekly_digest"]
    other = context(assistant, user_id="minji")
    assert other["mid_term"] == {"daily_summaries": [], "weekly_digest": ""}
    assert other["short_term"]["recent_pairs"] == []


def test_the_context_keeps_to_its_budget_with_hangul(minji, homebot):
    for number in range(30):
        homebot.save("minji", f"{number}번째 취향: " + "가나다라마바사 " * 20, memory_type="PREFERENCE")
    pairs = [{"user": "거실 청정해줘 " * 30, "assistant": "네 " * 200} for _ in range(20)]
    voice = {
        **EMPTY,
        "memory_snapshot": {"short_term": {"recent_pairs": pairs, "session_summary": "안" * 2000}},
    }
    for limit in (200, 500, 2000):
        made = context(homebot, voice, user_id="minji", max_tokens=limit)
        assert tokens.count(json.dumps(made, ensure_ascii=False)) <= limit
    assert made["short_term"]["recent_pairs"]


def test_dad_and_the_child_mean_different_rooms(minji, jiho, homebot, link):
    """Example A."""
    link(minji, "dad"), link(jiho, "child")
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    homebot.save("jiho", "내 방은 아이방이야", memory_type="ALIAS")
    voice = {"recognized_text": "내 방 청정해줘", "session_id": "s1"}
    for speaker_id, person, room in (("dad", minji, "안방"), ("child", jiho, "아이방")):
        made = context(homebot, {**voice, "speaker_context": heard(speaker_id)})
        assert made["speaker_scope"] == {
            "speaker_id": speaker_id,
            "person_id": str(person.public_id),
            "identity_link_state": "linked",
            "speaker_confidence": 0.72,
            "personalization_allowed": True,
        }
        [item] = items(made)
        assert (item["speaker_id"], item["person_id"]) == (speaker_id, str(person.public_id))
        assert (item["key"], item["value"]) == ("my_room_alias", room)
        assert room in homebot.facts(person.user_id, "내 방 청정해줘")[0]


def test_mum_and_dad_have_different_usuals(minji, jiho, homebot, link):
    """Example B."""
    link(minji, "mum"), link(jiho, "dad")
    homebot.save("minji", "평소 예약은 평일 오전 8시 전체청정", memory_type="HABIT")
    homebot.save("jiho", "평소 예약은 밤 10시 나이트모드", memory_type="HABIT")
    for speaker_id, person, usual in (
        ("mum", minji, "평일 오전 8시 전체청정"),
        ("dad", jiho, "밤 10시 나이트모드"),
    ):
        [item] = items(context(homebot, {**EMPTY, "speaker": heard(speaker_id)}))
        assert item["value"] == usual
        assert usual in homebot.facts(person.user_id, "평소처럼 예약해줘")[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"speaker_id": "stranger"}, {"speaker_state": "unknown"}, {"speaker_state": "ambiguous"},
        {"speaker_confidence": 0.2}, {"multi_speaker": True}, {"overlap": True}, {"overlap": "no"},
        {"speaker_id": ""}, {"speaker_id": 7}, {"speaker_confidence": "high"}, {"speaker_state": None},
    ],
)  # fmt: skip
def test_an_uncertain_voice_learns_nothing_not_even_that_there_is_something(minji, homebot, link, changed):
    link(minji, "dad")
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    snapshot = {**REQUEST["voice_context"]["memory_snapshot"]}
    snapshot["long_term"] = {
        "profile_items": [{"key": "preferred_room", "value": "거실", "speaker_id": "dad"}]
    }
    voice = {**EMPTY, "memory_snapshot": snapshot, "speaker_context": {**heard("dad"), **changed}}
    answer = ask(homebot, voice, user_id="minji").json()
    made = answer["memory_context"]
    assert items(made) == []
    assert made["short_term"] == {"recent_pairs": [], "session_summary": ""}
    assert made["mid_term"] == {"daily_summaries": [], "weekly_digest": ""}
    scope = made["speaker_scope"]
    assert (scope["person_id"], scope["identity_link_state"], scope["personalization_allowed"]) == (
        None, "unlinked", False,
    )  # fmt: skip
    assert answer["notice"] == "개인 기록은 확인할 수 없습니다."
    assert str(minji.public_id) not in json.dumps(answer)


def test_the_notice_is_in_the_callers_language(homebot):
    body = {"voice_context": {**EMPTY, "speaker": heard("stranger")}}
    answer = homebot.post("a2a/context", body, **{"Accept-Language": "en-GB,en;q=0.9"})
    assert answer.json()["notice"] == "Personal records cannot be shown."


def test_a_speaker_who_is_not_the_named_user_gets_neither_memory(minji, jiho, homebot, link):
    link(jiho, "child")
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    homebot.save("jiho", "내 방은 아이방이야", memory_type="ALIAS")
    made = context(homebot, {**EMPTY, "speaker": heard("child")}, user_id="minji")
    assert items(made) == []
    assert made["speaker_scope"]["person_id"] is None


def test_a_device_copy_tagged_as_anothers_is_not_served(minji, jiho, homebot, link):
    link(minji, "dad")
    tagged = [
        {"key": "a", "value": "mine", "speaker_id": "dad", "person_id": str(minji.public_id)},
        {"key": "b", "value": "hers", "speaker_id": "mum"},
        {"key": "c", "value": "once his", "speaker_id": "dad", "person_id": str(jiho.public_id)},
        {"key": "d", "value": "everybody's"},
        {"key": "e", "value": "the device's own name", "speaker_id": "dad", "person_id": "person_001"},
    ]
    voice = {**EMPTY, "memory_snapshot": {"long_term": {"profile_items": tagged}}, "speaker": heard("dad")}
    assert [item["key"] for item in items(context(homebot, voice))] == ["a", "d", "e"]


def test_a_person_who_forbade_being_recognised_is_a_stranger(minji, homebot, link):
    link(minji, "dad")
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    withdraw(minji, Domain.VOICE)
    made = context(homebot, {**EMPTY, "speaker": heard("dad")})
    assert items(made) == []
    assert made["speaker_scope"]["person_id"] is None


def test_a_strangers_talk_goes_on_within_one_session_and_ends_with_it(minji, homebot, link):
    link(minji, "dad")
    voice = {
        "recognized_text": "불 켜줘 zebra-7731",
        "session_id": "s9",
        "device_id": "d1",
        "speaker": heard("guest"),
    }
    route = {"route_family": "ODL", "workflow_id": "", "assistant_text": "켤게요."}
    homebot.post("a2a/update", {"voice_context": voice, "route_result": route})
    [pair] = context(homebot, {**voice, "recognized_text": "더 밝게"})["short_term"]["recent_pairs"]
    assert pair == {"user": "불 켜줘 zebra-7731", "assistant": "켤게요.", "route_family": "ODL"}
    for changed in (
        {"session_id": "s10"},
        {"device_id": "d2"},
        {"speaker": heard("dad")},
        {"speaker": heard("else")},
    ):
        assert context(homebot, {**voice, **changed})["short_term"]["recent_pairs"] == []
    assert b"zebra" not in bytes(DevicePair.objects.get().content)
    assert minji.turns.count() == 0


def test_incognito_reads_nothing(minji, homebot):
    homebot.save("minji", "내 방은 안방이야", memory_type="ALIAS")
    made = context(homebot, user_id="minji", incognito={"no_read": True})
    assert items(made) == []
