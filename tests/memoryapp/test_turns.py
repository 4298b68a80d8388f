"""Turns under fire: workers die, extractors fail, consent ends, brokers are away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp import reading, turns
from memoryapp.celery import app
from memoryapp.extract.base import ExtractorDown
from memoryapp.models import Memory, Turn
from tests.conftest import withdraw

WORK = "저는 판교에서 백엔드 개발자로 일해요"


class Broken:
    def extract(self, utterance):
        raise ExtractorDown


def test_a_dead_workers_turn_is_claimed_again(minji, assistant, work):
    assistant.report("minji", WORK)
    Turn.objects.update(state="running", claimed_at=timezone.now(), attempts=1)
    work()
    assert Memory.objects.count() == 0
    Turn.objects.update(claimed_at=timezone.now() - timedelta(seconds=turns.CLAIM_SECONDS + 1))
    work()
    assert Memory.objects.count() == 1
    assert Turn.objects.get().state == "done"


def test_a_turn_in_work_is_not_taken_by_a_second_worker(minji, assistant):
    assistant.report("minji", WORK)
    turn = Turn.objects.get()
    assert turns._claim(turn.pk) is not None
    assert turns._claim(turn.pk) is None


def test_a_failing_extractor_is_tried_again_and_then_shown_as_failed(minji, assistant, work, monkeypatch):
    monkeypatch.setattr(reading, "extractor_for", lambda revision, known=(): Broken())
    assistant.report("minji", WORK)
    for attempt in range(1, turns.MAX_ATTEMPTS + 1):
        Turn.objects.update(next_try_at=timezone.now())
        work()
        assert Turn.objects.get().attempts == attempt
    state = assistant.get("turns/t1", user_id="minji").json()
    assert (state["state"], state["error"]) == ("failed", "ExtractorDown")


def test_the_next_night_takes_what_failed(minji, assistant, work, monkeypatch):
    from memoryapp import nightly

    assistant.report("minji", WORK)
    Turn.objects.update(state="failed", next_try_at=None, attempts=5)
    revision = assistant.revision
    revision.deployed_at = timezone.now() - timedelta(days=3)
    revision.save()
    assert nightly.run_due() == 1
    assert nightly.run_due() == 0
    work()
    assert Turn.objects.get().state == "done"
    assert Memory.objects.count() == 1


def test_per_turn_needs_the_revision_and_the_global_switch(minji, assistant, make_runtime):
    from memoryapp.models import SystemSettings

    settings = SystemSettings.current()
    settings.per_turn_extraction_allowed = False
    settings.save()
    assert assistant.report("minji", WORK).json()["extraction"] == "nightly"
    quiet = make_runtime("quiet", per_turn_extraction=False, nightly_enabled=False)
    assert quiet.report("minji", WORK).json()["extraction"] == "off"


def test_withdrawal_stops_what_waits_and_a_retry_asks_again(minji, assistant, work, monkeypatch):
    called = []

    class Recording:
        def extract(self, utterance):
            called.append(1)
            return []

    monkeypatch.setattr(reading, "extractor_for", lambda revision, known=(): Recording())
    assistant.report("minji", WORK)
    withdraw(minji)
    Turn.objects.update(state="pending", next_try_at=timezone.now())
    work()
    assert called == []
    assert Turn.objects.get().state == "skipped"


def test_a_broker_that_is_away_costs_no_turn(
    minji, assistant, work, settings, monkeypatch, django_capture_on_commit_callbacks
):
    def gone(*args, **kwargs):
        raise ConnectionError

    monkeypatch.setattr(app, "send_task", gone)
    with django_capture_on_commit_callbacks(execute=True):
        assert assistant.report("minji", WORK).status_code == 202
    work()
    assert Memory.objects.count() == 1


def test_messages_carry_ids_only(minji, assistant, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.setattr(app, "send_task", lambda name, args=(), **kwargs: sent.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        assistant.report("minji", WORK)
    assert sent == [("memoryapp.digest", (str(Turn.objects.get().pk),))]


@pytest.mark.parametrize(
    "text",
    [
        "안녕! 오늘 날씨 어때?",
        "기억하지 마: 나 눈이 나빠",
        "이거 요약해줘",
        "ok thanks",
        '[BEGIN_RETRIEVED_LONG_TERM_MEMORY]\n1. {"fact": "저는 부산에 살아요"}\n[END_RETRIEVED_LONG_TERM_MEMORY]\n고마워',
    ],
)
def test_what_is_no_fact_of_the_persons_is_not_kept(minji, assistant, work, text):
    assistant.report("minji", text, assistant_text="요가를 해보세요. 당신은 서울에 살아요.")
    work()
    assert Memory.objects.count() == 0
