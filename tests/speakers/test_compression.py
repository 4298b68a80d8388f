"""Pairs become sessions, days and weeks, each with its sources; what is withdrawn is in none of them."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from memoryapp import compress, rollback, summarisers
from memoryapp.extract.fake import chat_endpoint
from memoryapp.models import CostEntry, Summary, SummaryState
from memoryapp.vault import box_of
from tests.conftest import withdraw

TEN_DAYS_AGO = (datetime.now(UTC) - timedelta(days=10)).replace(hour=1, minute=0, second=0, microsecond=0)


def report(runtime, text, turn_id, hours=0.0, session="s1", user="minji"):
    at = (TEN_DAYS_AGO + timedelta(hours=hours)).isoformat()
    return runtime.report(user, text, turn_id=turn_id, session_id=session, occurred_at=at)


def condense() -> None:
    while waiting := compress.waiting():
        for pk in waiting:
            compress.write(pk)


def summaries(runtime, user="minji"):
    lines = b"".join(runtime.get("export", user_id=user).streaming_content).decode().splitlines()
    found = [json.loads(line) for line in lines]
    return {line["level"]: line for line in found if line["kind"] == "summary"}


@pytest.fixture
def evening(minji, homebot):
    for number, text in enumerate(["거실 청정해줘", "안방 청정해줘", "거실 청정해줘", "응"]):
        report(homebot, text, f"t{number}", hours=number / 10)
    report(homebot, "현관 불 꺼줘", "t9", hours=3, session="s2")
    return minji


def test_each_level_is_written_from_the_one_below_and_keeps_its_sources(evening, homebot):
    condense()
    found = summaries(homebot)
    assert set(found) == {"session", "day", "week"}
    week, day = found["week"], found["day"]
    assert "거실 청정해줘 (2번)" in day["summary"]
    assert "현관 불 꺼줘" in day["summary"]
    assert week["sources"]["session_ids"] == ["s1", "s2"]
    assert week["sources"]["summary_ids"] == [day["summary_id"]]
    assert len(day["sources"]["summary_ids"]) == 2
    turns = {str(turn.pk) for turn in evening.turns.exclude(turn_id="t3")}
    assert set(week["sources"]["pair_ids"]) == turns


def test_running_again_changes_nothing(evening, homebot):
    condense()
    before = list(Summary.objects.order_by("pk").values("pk", "version", "content"))
    Summary.objects.update(state=SummaryState.PENDING, due_at=datetime.now(UTC))
    condense()
    assert list(Summary.objects.order_by("pk").values("pk", "version", "content")) == before


def test_a_session_waits_until_it_is_idle(minji, homebot):
    homebot.report("minji", "거실 청정해줘")
    assert compress.waiting() == []
    due = Summary.objects.get().due_at
    assert due is not None
    assert due > datetime.now(UTC) + timedelta(minutes=20)


def test_minjis_own_zone_decides_the_day(minji, homebot):
    minji.zone = "America/New_York"
    minji.save()
    report(homebot, "거실 청정해줘", "t1")
    condense()
    assert Summary.objects.get(level="day").day == TEN_DAYS_AGO.date() - timedelta(days=1)


def test_a_session_past_midnight_belongs_to_both_days(minji, homebot):
    report(homebot, "거실 청정해줘", "t1", hours=13.9)  # 23:54 in Seoul
    report(homebot, "안방 청정해줘", "t2", hours=14.1)
    condense()
    assert Summary.objects.filter(level="session").count() == 2
    assert Summary.objects.filter(level="day").count() == 2


def test_a_late_turn_is_added(evening, homebot):
    condense()
    report(homebot, "베란다 청소해줘", "late", hours=1)
    condense()
    assert "베란다" in summaries(homebot)["week"]["summary"]


def test_guarded_words_and_words_off_the_record_are_in_no_summary(minji, homebot):
    report(homebot, "내 번호는 010-1234-5678이야", "t1")
    report(homebot, "기억하지 마: 나 눈이 나빠", "t2")
    report(homebot, "거실 청정해줘", "t3")
    condense()
    assert {item["summary"].removeprefix("아침: ") for item in summaries(homebot).values()} == {
        "거실 청정해줘"
    }


def test_purged_turns_stay_in_what_they_were_condensed_to(evening, homebot):
    condense()
    evening.turns.filter(session_id="s1").delete()
    report(homebot, "베란다 청소해줘", "late", hours=0.5)
    condense()
    text = summaries(homebot)["day"]["summary"]
    assert "거실 청정해줘" in text
    assert "베란다" in text


def test_without_consent_nothing_is_condensed(evening, homebot):
    withdraw(evening)
    condense()
    assert Summary.objects.filter(content__isnull=False).count() == 0
    assert {row.state for row in Summary.objects.all()} == {SummaryState.SKIPPED}


def test_a_withdrawn_pair_leaves_every_level_at_once(evening, homebot):
    condense()
    secret = evening.turns.get(turn_id="t9")
    rollback.withdraw_turns(evening, [secret])
    for item in summaries(homebot).values():
        assert "현관" not in item["summary"]
    condense()
    for item in summaries(homebot).values():
        assert "현관" not in item["summary"]
        assert str(secret.pk) not in item["sources"]["pair_ids"]
    assert "거실 청정해줘 (2번)" in summaries(homebot)["day"]["summary"]


def test_what_is_withdrawn_while_it_is_being_written_is_not_written(evening, homebot, monkeypatch):
    condense()
    turn = evening.turns.get(turn_id="t9")
    report(homebot, "현관 불 켜줘", "t10", hours=3.1, session="s2")
    real = summarisers.chosen

    def meanwhile(permit, attempts):
        monkeypatch.setattr(summarisers, "chosen", real)
        rollback.withdraw_turns(evening, [turn])
        return real(permit, attempts)

    monkeypatch.setattr(summarisers, "chosen", meanwhile)
    condense()
    assert "현관 불 꺼줘" not in " ".join(item["summary"] for item in summaries(homebot).values())


def test_a_model_may_write_and_points_at_what_it_rests_on(evening, homebot):
    answer = {
        "lines": [
            {"text": "거실을 두 번 청정했다", "from": [1, 3]},
            {"text": "없는 줄", "from": [9]},
            {"text": 3},
        ]
    }
    with chat_endpoint("Sure!\n```json\n" + json.dumps(answer) + "\n```") as endpoint:
        homebot.configure(extractor="llm", extractor_url=endpoint.url, extractor_model="m")
        condense()
        assert "거실 청정해줘" in endpoint.requests[0]["messages"][0]["content"]
    session = Summary.objects.get(level="session", session_id="s1")
    assert compress.read(session, box_of(evening)) == "거실을 두 번 청정했다."
    assert session.method == "llm-1:m"
    assert CostEntry.objects.filter(stage="summary").exists()
    rollback.withdraw_turns(evening, [evening.turns.get(turn_id="t0")])
    session.refresh_from_db()
    assert compress.read(session, box_of(evening)) == ""


@pytest.mark.parametrize("reply", [500, "I cannot do that.", {"lines": "none"}, '{"lines": ['])
def test_when_the_model_fails_the_built_in_way_writes_in_the_end(evening, homebot, reply):
    with chat_endpoint(reply) as endpoint:
        homebot.configure(extractor="llm", extractor_url=endpoint.url, extractor_model="m")
        for _ in range(4):
            condense()
            Summary.objects.filter(state=SummaryState.PENDING).update(due_at=datetime.now(UTC))
    session = Summary.objects.get(level="session", session_id="s1")
    assert (session.method, session.state) == ("extractive-1", SummaryState.DONE)


def test_words_of_a_deleted_memory_are_told_by_no_summary_again(minji, homebot, work):
    report(homebot, "저는 땅콩 알레르기가 있어요", "t1")
    report(homebot, "거실 청정해줘", "t2", hours=0.1)
    work()
    condense()
    assert "땅콩" in str(summaries(homebot))
    for item in homebot.get("memories", user_id="minji", status="confirmed").json()["items"]:
        homebot.delete(f"memories/{item['memory_id']}?user_id=minji")
    assert "땅콩" not in str(summaries(homebot))
    report(homebot, "안방 청정해줘", "t3", hours=0.2)
    condense()
    assert "땅콩" not in str(summaries(homebot))
    assert "안방 청정해줘" in summaries(homebot)["week"]["summary"]
    voice = {"recognized_text": "x", "session_id": "s1"}
    answer = homebot.post("a2a/context", {"user_id": "minji", "voice_context": voice})
    assert "땅콩" not in answer.content.decode()


def test_a_deleted_session_leaves_its_summaries(evening, homebot):
    condense()
    assert homebot.delete("sessions/s2?user_id=minji").status_code == 200
    assert "현관" not in str(summaries(homebot))
    condense()
    assert "현관" not in str(summaries(homebot))
    assert "거실" in str(summaries(homebot))
