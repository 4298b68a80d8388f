"""Each level is kept for its own time, then really deleted, and the person is told how long in plain words."""

from datetime import UTC, datetime, timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session

from memoryapp import gate, housekeeping, retention, rollback
from memoryapp.models import (
    ContextBlock,
    CostEntry,
    Device,
    DevicePair,
    Forgotten,
    FrozenPrompt,
    HushedPair,
    Reveal,
    Rollback,
    Summary,
    Turn,
    Workflow,
)
from memoryapp.permit import Act
from memoryapp.rollback import Source
from speakers import identity
from speakers.models import Identity, IdentityLink, LinkState
from tests.a2a.test_context import heard
from tests.contexts.conftest import Chat
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
    assert untold == {"idempotency", "pushed", "dropped_key"}


def test_contexts_go_when_no_session_has_had_them_for_their_time(minji, assistant):
    used, idle = Chat(assistant, "minji", "used"), Chat(assistant, "minji", "idle")
    for chat in (used, idle):
        chat.put("notes", "writable", content="메모")
        assert chat.prompt
    long_ago = ago(settings.RETENTION_DAYS["context"] + 1)
    ContextBlock.objects.update(updated_at=ago(4000), created_at=ago(4000), used_at=long_ago)
    FrozenPrompt.objects.update(frozen_at=ago(4000), used_at=long_ago)
    assert used.prompt  # a session that is still there; nothing in it has changed for years
    done = housekeeping.purge()
    assert (done["context"], done["prompt"]) == (1, 1)
    assert set(ContextBlock.objects.values_list("session_id", flat=True)) == {"used"}
    assert "메모" in used.prompt
    assert idle.prompt == ""


def test_a_block_that_is_shared_is_used_where_it_is_shared(minji, assistant):
    chat, other = Chat(assistant, "minji", "s1"), Chat(assistant, "minji", "s2")
    chat.put("notes", "writable", content="메모")
    chat.share("notes", "s2")
    ContextBlock.objects.update(used_at=ago(4000))
    assert other.prompt
    housekeeping.purge()
    assert ContextBlock.objects.exists()


def test_devices_links_costs_and_marks_go_when_their_time_is_over(minji, assistant):
    service = assistant.service
    memory = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]
    Reveal.objects.create(person=minji, memory_id=memory["memory_id"])
    Device.objects.create(person=minji, service=service, device_id="d", last_seen_at=ago(1))
    CostEntry.objects.create(person=minji, service=service, stage="recall", bearer="system")
    Forgotten.objects.create(person=minji, fingerprint=1, at=ago(1))
    for state in (LinkState.REVOKED, LinkState.LINKED):
        link, _ = identity.attach(minji, kind="voice", external_id=state)
        identity.move(link, state, actor="person")
    housekeeping.purge()
    tables = {
        "reveal": (Reveal, "at"), "device": (Device, "last_seen_at"), "cost": (CostEntry, "at"),
        "forgotten": (Forgotten, "at"), "revoked_link": (IdentityLink, "updated_at"),
    }  # fmt: skip
    for model, field in tables.values():
        assert model._default_manager.exists(), model
        model._default_manager.update(**{field: ago(4000)})
    Identity.objects.update(created_at=ago(4000))
    done = housekeeping.purge()
    assert all(done[kind] for kind in tables)
    assert IdentityLink.objects.get().state == LinkState.LINKED
    assert [one.external_id for one in Identity.objects.all()] == ["linked"]


def test_browser_sessions_and_traces_of_sign_ins_go(db):
    for model, more in ((AccessAttempt, {"failures_since_start": 1}), (AccessLog, {})):
        model.objects.create(username="minji", ip_address="127.0.0.1", **more)
        model.objects.create(username="minji", ip_address="127.0.0.2", **more)
        model.objects.filter(ip_address="127.0.0.2").update(attempt_time=ago(4000))
    Session.objects.create(session_key="old", session_data="", expire_date=ago(1))
    Session.objects.create(session_key="now", session_data="", expire_date=ago(-1))
    housekeeping.purge()
    assert [one.session_key for one in Session.objects.all()] == ["now"]
    assert AccessLog.objects.count() == AccessAttempt.objects.count() == 1


def test_a_mark_outlives_everything_that_could_teach_its_fact_again():
    days = settings.RETENTION_DAYS
    teaches = ("turn", "session_summary", "day_summary", "week_summary", "device", "tombstone", "deleted")
    assert days["forgotten"] > max(days[kind] for kind in teaches)
    assert days["device"] > max(days["tombstone"], days["pushed"])
