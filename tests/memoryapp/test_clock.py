"""A clock that ran ahead and is set back: nothing waits for the time that was."""

from datetime import timedelta

import pytest
from celery import Celery
from celery.beat import Scheduler as CelerysScheduler
from celery.schedules import crontab
from django.utils import timezone

from memoryapp import compress, replay, turns
from memoryapp.index import rebuild
from memoryapp.models import IndexEntry, Summary, Turn
from memoryapp.schedule import Scheduler

WORK = "저는 판교에서 백엔드 개발자로 일해요"
A_DAY = timedelta(days=1)


@pytest.fixture
def tomorrow():
    return timezone.now() + A_DAY


def test_a_turn_claimed_by_a_clock_that_ran_ahead_is_free(minji, assistant, tomorrow):
    assistant.report("minji", WORK)
    Turn.objects.update(state="running", claimed_at=tomorrow, attempts=1)
    assert turns.waiting() == [Turn.objects.get().pk]
    turns.digest(Turn.objects.get().pk)
    assert Turn.objects.get().state == "done"


def test_a_turn_put_off_by_a_clock_that_ran_ahead_is_due(minji, assistant, tomorrow):
    assistant.report("minji", WORK)
    Turn.objects.update(next_try_at=timezone.now() + turns.LONGEST_WAIT)
    assert turns.waiting() == []
    Turn.objects.update(next_try_at=tomorrow)
    assert turns.waiting() == [Turn.objects.get().pk]


def test_a_summary_claimed_or_put_off_by_a_clock_that_ran_ahead_is_due(minji, assistant, work, tomorrow):
    assistant.report("minji", WORK)
    work()
    assert compress.waiting() == []  # its session is not idle yet
    Summary.objects.update(due_at=tomorrow)
    assert compress.waiting() == [Summary.objects.get().pk]
    Summary.objects.update(state="running", claimed_at=tomorrow)
    compress.write(Summary.objects.get().pk)
    assert Summary.objects.get(level="session").state == "done"


def test_a_summary_that_takes_its_worker_down_is_not_tried_for_ever(minji, assistant, work):
    assistant.report("minji", WORK)
    work()
    Summary.objects.update(state="running", attempts=compress.MAX_ATTEMPTS, claimed_at=None)
    compress.write(Summary.objects.get().pk)
    assert (Summary.objects.get().state, Summary.objects.get().error) == ("skipped", "worker-lost")


def test_an_index_row_claimed_or_put_off_by_a_clock_that_ran_ahead_is_due(minji, assistant, tomorrow):
    assistant.save("minji", WORK)
    for marks in (
        {"state": "indexing", "claimed_at": tomorrow},
        {"state": "pending", "next_try_at": tomorrow},
    ):
        IndexEntry.objects.update(claimed_at=None, next_try_at=None)
        IndexEntry.objects.update(**marks)
        assert rebuild.heal() == 1
    assert rebuild.heal() == 0


def test_marks_of_a_machine_that_is_seconds_ahead_hold(minji, assistant):
    assistant.report("minji", WORK)
    Turn.objects.update(state="running", claimed_at=timezone.now() + timedelta(seconds=30), attempts=1)
    assert turns.waiting() == []
    assert replay.waiting() == []


class Beat:
    """Beat without a broker: counts what it would send, by a clock that can be moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kind: type[CelerysScheduler]) -> None:
        self.clock = timezone.now()
        app = Celery("test", broker="memory://")
        app.conf.beat_schedule = {
            "sweep": {"task": "sweep", "schedule": 20.0},
            "settle": {"task": "settle", "schedule": crontab(hour="19", minute="17")},
        }
        monkeypatch.setattr(app, "now", lambda: self.clock)
        self.scheduler = kind(app)
        self.sent: list[str] = []
        monkeypatch.setattr(
            self.scheduler, "apply_entry", lambda entry, producer=None: self.sent.append(entry.name)
        )

    def goes_on(self, seconds: float = 0) -> list[str]:
        """What is sent after so many seconds, also after fewer than none."""
        self.sent.clear()
        self.clock += timedelta(seconds=seconds)
        while not self.scheduler.tick():
            continue
        return sorted(self.sent)


def test_beat_sends_everything_at_its_start_and_then_in_its_time(monkeypatch):
    beat = Beat(monkeypatch, Scheduler)
    assert beat.goes_on() == ["settle", "sweep"]
    assert beat.goes_on() == beat.goes_on(10) == []
    assert beat.goes_on(11) == ["sweep"]
    assert "settle" in beat.goes_on(86400)


def test_beat_goes_on_after_the_clock_is_set_back(monkeypatch):
    beat = Beat(monkeypatch, Scheduler)
    beat.goes_on()
    assert beat.goes_on(-86400) == ["settle", "sweep"]
    assert beat.goes_on(10) == []
    assert beat.goes_on(11) == ["sweep"]


def test_celerys_own_beat_would_wait_until_that_time_comes_again(monkeypatch):
    beat = Beat(monkeypatch, CelerysScheduler)
    beat.goes_on()
    assert beat.goes_on(-86400) == beat.goes_on(3600) == []
