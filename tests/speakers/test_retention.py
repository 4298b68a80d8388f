"""Each level is kept for its own time, then really deleted, and the person is told how long in plain words."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from memoryapp import gate, housekeeping, retention, rollback
from memoryapp.models import DevicePair, HushedPair, Rollback, Summary, Turn, Workflow
from memoryapp.permit import Act
from memoryapp.rollback import Source
from tests.a2a.test_context import heard
from tests.speakers.test_compression import condense, evening, report  # noqa: F401 - a fixture
from tests.sync.test_following import changes


def ago(days: float) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


@pytest.mark.parametrize("level", ["session", "day", "week"])
def test_a_summary_outlives_its_turns_and_not_its_own_time(evening, homebot, level):  # noqa: F811
    condense()
    cursor = changes(homebot)["cursor"]
    kept = settings.RETENTION_DAYS[f"{level}_summary"]
    Turn.objects.update(received_at=ago(91))
    Summary.objects.update(created_at=ago(kept - 1), day=ago(kept - 1).date())
    housekeeping.purge()
    assert Turn.objects.count() == 0
    assert Summary.objects.filter(level=level).exists()
    Summary.objects.filter(level=level).update(created_at=ago(kept + 1), day=ago(kept + 1).date())
    housekeeping.purge()
    assert not Summary.objects.filter(level=level).exists()
    assert ("summary", "delete") in {
        (item["kind"], item["op"]) for item in changes(homebot, cursor)["changes"]
    }


def test_what_belongs_to_nobody_or_is_over_goes(minji, homebot, work):
    voice = {"recognized_text": "불 켜줘", "session_id": "s1", "speaker": heard("guest")}
    homebot.post("a2a/update", {"voice_context": voice, "route_result": {}})
    homebot.post("workflows", {"workflow_id": "w", "speaker": heard("guest")})
    report(homebot, "저는 땅콩 알레르기가 있어요", "t1")
    work()
    [item] = homebot.get("memories", user_id="minji").json()["items"]
    homebot.delete(f"memories/{item['memory_id']}?user_id=minji")
    rollback.withdraw(gate.own(minji, Act.FORGET), Source(kind="pair", id="t1"))
    for model, field in ((DevicePair, "at"), (Workflow, "expires_at"), (HushedPair, "at"), (Rollback, "at")):
        assert model.objects.count() == 1
        model.objects.update(**{field: ago(91)})
    done = housekeeping.purge()
    assert {done[kind] for kind in ("device_pair", "workflow", "hushed", "rollback")} == {1}


def test_every_time_that_is_told_is_one_that_is_kept():
    told = retention.told()
    assert {item.days for item in told} <= set(settings.RETENTION_DAYS.values())
    assert all(str(item.words) for item in told)
    untold = set(settings.RETENTION_DAYS) - {item.kind for item in told}
    assert untold == {"idempotency", "pushed"}
