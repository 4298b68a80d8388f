"""Minji's ways become known by evidence on several days, never by one utterance."""

from datetime import UTC, datetime, timedelta

import pytest

from consent import ledger
from consent.domains import Domain
from memoryapp import profile
from memoryapp.models import Memory, Status
from tests.conftest import withdraw

BOTH = (Domain.LONG_TERM_MEMORY, Domain.PROFILE)


@pytest.fixture
def minji(make_person):
    return make_person("minji", consents=BOTH)


def days_ago(number: int) -> str:
    return (datetime.now(UTC) - timedelta(days=number)).isoformat()


def tell(runtime, work, text, ago, turn_id=None, answer="네, 시작할게요.", session=None):
    runtime.report(
        "minji",
        text,
        turn_id=turn_id or f"t-{ago}-{text[:6]}",
        session_id=session or f"s-{ago}",
        assistant_text=answer,
        occurred_at=days_ago(ago),
    )
    work()


def items(runtime, status=None):
    query = {"user_id": "minji", **({"status": status} if status else {})}
    return runtime.get("memories", **query).json()["items"]


def test_one_request_is_a_candidate_and_never_more(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 1)
    [item] = items(homebot)
    assert (item["status"], item["memory_type"]) == ("candidate", "PREFERENCE")
    assert item["confidence"] < 0.5
    assert "안방" in item["statement"]
    profile.settle_everybody()
    assert items(homebot, "confirmed") == []
    assert homebot.facts("minji", "안방 청정") == []


def test_ten_requests_in_one_day_are_one_day(minji, homebot, work):
    for number in range(10):
        tell(homebot, work, "안방 청정해줘", 1, turn_id=f"t{number}")
    assert [item["status"] for item in items(homebot)] == ["candidate"]


def test_the_documented_days_become_a_confirmed_preference(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 6)
    tell(homebot, work, "안방 좀 깨끗하게 해줘", 5)
    assert [item["status"] for item in items(homebot)] == ["candidate"]
    tell(homebot, work, "잘 때는 안방 먼저 청정해", 3)
    tell(homebot, work, "오늘 공기가 안 좋네", 1, answer="안방 청정을 시작할까요?")
    tell(homebot, work, "응, 그래", 1, turn_id="yes", session="s-1")
    [item] = [item for item in items(homebot, "confirmed") if item["memory_type"] == "PREFERENCE"]
    assert item["memory_subtype"] == "preferred_cleaning_space"
    assert item["confidence"] > 0.8
    assert len(item["sources"]["candidate_ids"]) == 4
    assert len(item["sources"]["pair_ids"]) == 4
    assert sorted(item["sources"]["session_ids"]) == ["s-1", "s-3", "s-5", "s-6"]
    assert item["statement"] in homebot.facts("minji", "주로 청정하는 공간")
    asked = {"user_id": "minji", "voice_context": {"recognized_text": "청정해줘", "session_id": "s-0"}}
    made = homebot.post("a2a/context", asked).json()["memory_context"]
    told = [(item["key"], item["value"]) for item in made["long_term"]["profile_items"]]
    assert told == [("preferred_cleaning_space", "안방")]  # once, though she also said so outright


def test_two_days_and_an_accepted_suggestion_are_enough(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 6)
    tell(homebot, work, "안방 청정해줘", 5)
    tell(homebot, work, "답답하네", 2, answer="안방 청정을 시작할까요?")
    tell(homebot, work, "좋아", 2, turn_id="yes", session="s-2")
    assert len([item for item in items(homebot, "confirmed") if item["memory_type"] == "PREFERENCE"]) == 1


def test_without_consent_to_a_profile_it_stays_a_candidate_until_minji_agrees(make_person, homebot, work):
    minji = make_person("minji")
    for ago in (6, 5, 4):
        tell(homebot, work, "안방 청정해줘", ago)
    assert [item["status"] for item in items(homebot)] == ["candidate"]
    ledger.decide(minji, Domain.PROFILE, True, actor="person", source="my-page")
    profile.settle_everybody()
    assert [item["status"] for item in items(homebot)] == ["confirmed"]


def test_confidence_fades_and_a_faded_item_waits_again(minji, homebot, work):
    for ago in (600, 599, 598):
        tell(homebot, work, "안방 청정해줘", ago)
    [item] = items(homebot)
    assert item["status"] == "candidate"
    for ago in (3, 2, 1):
        tell(homebot, work, "안방 청정해줘", ago)
    [fresh] = items(homebot)
    assert fresh["status"] == "confirmed"
    minji.evidence.update(day=datetime.now(UTC).date() - timedelta(days=800))
    for number, row in enumerate(minji.evidence.all()):
        row.day -= timedelta(days=number)
        row.save()
    profile.settle_everybody()
    [faded] = items(homebot)
    assert faded["status"] == "candidate"
    assert faded["confidence"] < fresh["confidence"]


def test_what_minji_approved_needs_no_evidence(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 1)
    [item] = items(homebot)
    homebot.post(f"memories/{item['memory_id']}/approve", {"user_id": "minji"})
    profile.settle_everybody()
    assert [item["status"] for item in items(homebot)] == ["confirmed"]


def test_a_declined_candidate_is_not_proposed_from_the_same_talk(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 1)
    [item] = items(homebot)
    homebot.post(f"memories/{item['memory_id']}/decline", {"user_id": "minji"})
    turn = minji.turns.get()
    turn.state, turn.next_try_at = "pending", turn.received_at
    turn.save()
    work()
    assert items(homebot) == []


def test_a_device_that_reads_my_room_alone_never_confirms(minji, homebot, work):
    for ago in range(1, 8):
        tell(homebot, work, "내 방 청정해줘", ago, answer="안방 청정을 시작할게요.")
    [item] = items(homebot)
    assert (item["status"], item["memory_subtype"]) == ("candidate", "my_room_alias")


def test_an_outright_statement_is_kept_once(minji, homebot, work):
    tell(homebot, work, "내 방은 안방이야", 1)
    assert [item["memory_type"] for item in items(homebot)] == ["ALIAS"]


def test_a_new_usual_takes_the_place_of_the_old(minji, homebot, work):
    for ago in (20, 19, 18):
        tell(homebot, work, "평일 오전 8시에 전체청정 예약해줘", ago)
    for ago in (5, 4, 3):
        tell(homebot, work, "밤 10시 나이트모드로 예약해줘", ago)
    [current] = items(homebot, "confirmed")
    [before] = items(homebot, "superseded")
    assert "나이트모드" in current["statement"]
    assert before["superseded_by"] == current["memory_id"]


def test_nothing_is_learnt_after_withdrawal(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 6)
    homebot.report("minji", "안방 청정해줘", turn_id="late", occurred_at=days_ago(1))
    withdraw(minji)
    work()
    assert minji.evidence.count() == 1


def test_a_candidate_nothing_spoke_for_is_deleted_in_time(minji, homebot, work):
    tell(homebot, work, "안방 청정해줘", 1)
    Memory.objects.update(updated_at=datetime.now(UTC) - timedelta(days=181))
    assert profile.drop_stale_candidates() == 1
    assert Memory.objects.get().status == Status.DELETED
