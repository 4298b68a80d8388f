"""Taking something back over the API: shown first, done once, undone on request, and only one's own."""

from datetime import UTC, datetime, timedelta

from memoryapp import gate, rollback
from memoryapp.permit import Act
from memoryapp.rollback import Source


def ask(runtime, path, kind="pair", source_id="t1", user="minji", **headers):
    body = {"user_id": user, "source": {"kind": kind, "id": source_id}}
    return runtime.post(path, body, **headers)


def told(runtime, work):
    at = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    runtime.report("minji", "저는 땅콩 알레르기가 있어요", turn_id="t1", occurred_at=at)
    work()


def facts(runtime):
    return [item["statement"] for item in runtime.get("memories", user_id="minji").json()["items"]]


def test_preview_then_withdraw_then_undo(minji, homebot, work):
    told(homebot, work)
    plan = ask(homebot, "rollbacks/preview").json()
    assert plan["counts"]["removed"] == 1
    assert facts(homebot) == ["저는 땅콩 알레르기가 있어요"]
    done = ask(homebot, "rollbacks", **{"Idempotency-Key": "k"})
    assert done.status_code == 201
    assert ask(homebot, "rollbacks", **{"Idempotency-Key": "k"}).json() == done.json()
    assert facts(homebot) == []
    path = f"rollbacks/{done.json()['rollback_id']}/undo"
    assert homebot.post(path, {"user_id": "minji"}).status_code == 200
    assert facts(homebot) == ["저는 땅콩 알레르기가 있어요"]
    assert homebot.post(path, {"user_id": "minji"}).status_code == 409


def test_what_is_unknown_or_anothers_is_not_found(minji, jiho, homebot, assistant, work):
    told(homebot, work)
    for runtime, fields in (
        (homebot, {"source_id": "t2"}),
        (homebot, {"user": "jiho"}),
        (homebot, {"user": "nobody"}),
        (assistant, {}),
        (homebot, {"kind": "link", "source_id": "x"}),
        (homebot, {"kind": "candidate", "source_id": "x"}),
        (homebot, {"kind": "session", "source_id": "s2"}),
    ):
        for path in ("rollbacks/preview", "rollbacks"):
            assert ask(runtime, path, **fields).status_code == 404, fields
    assert ask(homebot, "rollbacks", kind="mood").status_code == 400
    undo = homebot.post("rollbacks/7e57d004-2b97-4e7a-b45f-5387367791cd/undo", {"user_id": "minji"})
    assert undo.status_code == 404
    assert len(facts(homebot)) == 1


def test_a_batch_is_undone_by_its_own_service_for_its_own_person_only(minji, jiho, homebot, assistant, work):
    told(homebot, work)
    path = f"rollbacks/{ask(homebot, 'rollbacks').json()['rollback_id']}/undo"
    assert homebot.post(path, {"user_id": "jiho"}).status_code == 404
    assert assistant.post(path, {"user_id": "minji"}).status_code == 404
    assert facts(homebot) == []
    assert homebot.post(path, {"user_id": "minji"}).status_code == 200


def test_a_service_does_not_undo_what_the_person_took_back(minji, homebot, work):
    told(homebot, work)
    batch = rollback.withdraw(gate.own(minji, Act.FORGET), Source(kind="pair", id="t1"))
    assert homebot.post(f"rollbacks/{batch.pk}/undo", {"user_id": "minji"}).status_code == 404
    assert facts(homebot) == []
