"""The night: once per date and service, after downtime too, and only what per-turn extraction missed."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from memoryapp import nightly
from memoryapp.models import NightlyRun, Turn

SEOUL = ZoneInfo("Asia/Seoul")
WORK = "저는 판교에서 백엔드 개발자로 일해요"


@pytest.fixture
def sleeper(make_runtime):
    """A service that reads turns only at night, deployed a week ago."""
    runtime = make_runtime("assistant", per_turn_extraction=False, nightly_at=time(3, 30))
    revision = runtime.revision
    revision.deployed_at -= timedelta(days=7)
    revision.save()
    return runtime


def at(hour: int, minute: int, days: int = 1) -> datetime:
    day = datetime.now(SEOUL).date() + timedelta(days=days)
    return datetime.combine(day, time(hour, minute), SEOUL)


def test_a_turn_waits_for_the_night_and_is_read_then(minji, sleeper, work):
    assert sleeper.report("minji", WORK).json()["extraction"] == "nightly"
    work()
    assert Turn.objects.get().state == "pending"
    nightly.run_due(at(3, 30))
    Turn.objects.update(next_try_at=datetime.now(SEOUL))
    work()
    assert Turn.objects.get().state == "done"
    assert nightly.progress(NightlyRun.objects.get()) == {"done": 1}


def test_a_date_has_one_night_whatever_runs_twice(sleeper):
    assert nightly.run_due(at(3, 30)) == 1
    assert (
        nightly.run_due(at(3, 31)) == nightly.run_due(at(23, 59)) == nightly.run_due(at(3, 29, days=2)) == 0
    )
    assert nightly.run_due(at(3, 30, days=2)) == 1
    assert NightlyRun.objects.count() == 2


def test_a_night_missed_in_downtime_is_caught_up(sleeper):
    assert nightly.run_due(at(11, 0)) == 1
    assert NightlyRun.objects.get().local_date == at(11, 0).date()


def test_a_turn_waits_for_a_night_however_long_there_was_none(minji, sleeper, work):
    sleeper.report("minji", WORK)
    Turn.objects.update(received_at=datetime.now(SEOUL) - timedelta(days=30))
    nightly.run_due(at(3, 30))
    Turn.objects.update(next_try_at=datetime.now(SEOUL))
    work()
    assert Turn.objects.get().state == "done"


def test_what_per_turn_has_read_stays_read(minji, assistant, work):
    assistant.report("minji", WORK)
    work()
    revision = assistant.revision
    revision.deployed_at -= timedelta(days=7)
    revision.save()
    nightly.run_due(at(3, 30))
    assert NightlyRun.objects.get().turns == 0
    assert Turn.objects.get().attempts == 1


def test_a_service_without_memory_or_night_has_none(sleeper):
    sleeper.configure(memory_enabled=False, nightly_enabled=True)
    assert nightly.run_due(at(3, 30)) == 0


def test_one_services_night_leaves_the_others_turns_alone(minji, sleeper, make_runtime):
    other = make_runtime("homebot", per_turn_extraction=False, nightly_enabled=True, nightly_at=time(5, 0))
    revision = other.revision
    revision.deployed_at = at(0, 0)  # its first night is still to come, whatever hour it is now
    revision.save()
    other.report("minji", WORK)
    assert nightly.run_due(at(3, 30)) == 1
    assert Turn.objects.get().night is None
