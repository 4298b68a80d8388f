"""Pairs become sessions, days and weeks, each with its sources; what is withdrawn is in none of them."""

from datetime import UTC, datetime, timedelta

import pytest

from memoryapp import compress, rollback, summarisers
from memoryapp.models import Summary, SummaryState
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
    import json

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

    def meanwhile(permit):
        monkeypatch.setattr(summarisers, "chosen", real)
        rollback.withdraw_turns(evening, [turn])
        return real(permit)

    monkeypatch.setattr(summarisers, "chosen", meanwhile)
    condense()
    assert "현관 불 꺼줘" not in " ".join(item["summary"] for item in summaries(homebot).values())
