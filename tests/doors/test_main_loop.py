"""The main job: consent → turn → memory → recall → correct → delete → withdraw."""

import pytest

from consent import ledger
from consent.domains import Domain
from tests.conftest import withdraw

WORK = "저는 판교에서 백엔드 개발자로 일해요"
QUESTION = "어디서 일하는지 알아?"


def test_nothing_is_kept_while_minji_has_not_agreed(make_person, assistant, work):
    minji = make_person("minji", consents=())
    answer = assistant.report("minji", WORK).json()
    assert answer == {"turn_id": "t1", "stored": False, "extraction": "off", "reason": "no-consent"}
    work()
    assert minji.turns.count() == minji.memories.count() == 0
    assert assistant.recall("minji", QUESTION)["reason"] == "no-consent"


def test_what_minji_says_comes_back_when_it_helps(minji, assistant, work):
    answer = assistant.report("minji", WORK, turn_id="t-1")
    assert answer.status_code == 202
    assert answer.json() == {"turn_id": "t-1", "stored": True, "extraction": "queued", "reason": None}
    work()
    state = assistant.get("turns/t-1", user_id="minji").json()
    assert (state["state"], state["counts"]) == ("done", {"insert": 1})
    recalled = assistant.recall("minji", QUESTION)
    assert recalled["count"] == 1
    assert "판교" in recalled["memories"][0]["fact"]
    assert recalled["memories"][0]["source_event_ids"] == ["t-1"]
    assert "판교" in recalled["context"]
    assert recalled["context"].rstrip().endswith("[END_RETRIEVED_LONG_TERM_MEMORY]")
    assert recalled["injection_mode"] == "userContext"
    assert recalled["tokens"] > 0


def test_the_list_tells_type_scope_validity_and_index_state(minji, assistant, work):
    assistant.report("minji", WORK)
    work()
    [item] = assistant.get("memories", user_id="minji").json()["items"]
    assert item["scope"] == "personal"
    assert item["index_state"] == "indexed"
    assert item["status"] == "confirmed"
    assert item["memory_type"] == "PROFILE"


def test_a_correction_replaces_the_text_everywhere(minji, assistant):
    memory = assistant.save("minji", "프로젝트 암호명은 알파입니다").json()["memory"]
    corrected = assistant.patch(
        f"memories/{memory['memory_id']}",
        {"user_id": "minji", "statement": "프로젝트 암호명은 베타입니다"},
        **{"If-Match": str(memory["version"])},
    )
    assert corrected.status_code == 200
    assert corrected.json()["version"] == memory["version"] + 1
    assert assistant.facts("minji", "암호명") == ["프로젝트 암호명은 베타입니다"]
    assert not [fact for fact in assistant.facts("minji", "알파") if "알파" in fact]
    history = assistant.get(f"memories/{memory['memory_id']}/history", user_id="minji").json()["items"]
    assert history[-1]["before"]["statement"] == "프로젝트 암호명은 알파입니다"


def test_a_deletion_can_name_the_version_it_is_of(minji, assistant):
    memory = assistant.save("minji", "고양이 이름은 나비예요").json()["memory"]
    path = f"memories/{memory['memory_id']}?user_id=minji"
    assert assistant.delete(path, **{"If-Match": '"7"'}).status_code == 412
    assert assistant.delete(path, **{"If-Match": f'"{memory["version"]}"'}).status_code == 200


def test_a_deleted_memory_is_found_nowhere(minji, assistant):
    memory = assistant.save("minji", "고양이 이름은 나비예요").json()["memory"]
    path = f"memories/{memory['memory_id']}"
    assert assistant.delete(f"{path}?user_id=minji").status_code == 200
    assert assistant.facts("minji", "고양이 이름은 나비예요") == []
    assert assistant.get("memories", user_id="minji").json()["items"] == []
    assert assistant.get(path, user_id="minji").status_code == 404
    assert assistant.delete(f"{path}?user_id=minji").status_code == 404


def test_withdrawal_stops_use_at_once_and_erases_nothing(minji, assistant):
    assistant.save("minji", WORK)
    withdraw(minji)
    recalled = assistant.recall("minji", QUESTION)
    assert (recalled["memories"], recalled["context"], recalled["reason"]) == ([], "", "no-consent")
    assert len(assistant.get("memories", user_id="minji").json()["items"]) == 1
    assert assistant.save("minji", "새 사실").json()["code"] == "consent-required"
    ledger.decide(minji, Domain.LONG_TERM_MEMORY, True, actor="person", source="my-page")
    assert assistant.facts("minji", QUESTION) == [WORK]


def test_consent_withdrawn_before_the_worker_runs_means_no_work(minji, assistant, work):
    assistant.report("minji", WORK)
    withdraw(minji)
    work()
    assert minji.memories.count() == 0
    assert assistant.get("turns/t1", user_id="minji").json()["state"] == "skipped"


def test_memory_off_stops_everything_whatever_the_caller_asks(minji, assistant, work):
    assistant.save("minji", WORK)
    assistant.configure(memory_enabled=False)
    assert assistant.report("minji", "저는 부산에서 살아요").json()["reason"] == "memory-off"
    assert assistant.recall("minji", QUESTION)["reason"] == "memory-off"
    refused = assistant.save("minji", "새 사실")
    assert (refused.status_code, refused.json()["code"]) == (403, "memory-off")


def test_a_draft_has_no_effect_until_it_is_deployed(minji, make_runtime):
    from memoryapp import revisions

    assistant = make_runtime("assistant", memory_enabled=False)
    draft = revisions.edit(revisions.draft(assistant.service), memory_enabled=True)
    assert assistant.recall("minji", QUESTION)["reason"] == "memory-off"
    revisions.deploy(draft)
    assert assistant.recall("minji", QUESTION)["reason"] is None
    with pytest.raises(Exception, match="only a draft"):
        revisions.edit(draft, memory_enabled=False)


def test_the_same_execution_gets_the_same_snapshot_without_what_was_deleted(minji, assistant):
    first = assistant.save("minji", "커피는 산미 있는 원두를 좋아해요").json()["memory"]
    before = assistant.recall("minji", "커피 취향", execution_id="run-1")
    assistant.save("minji", "커피는 하루 두 잔 마셔요")
    again = assistant.recall("minji", "커피 취향", execution_id="run-1")
    assert (again["snapshot_id"], again["context"]) == (before["snapshot_id"], before["context"])
    assert len(assistant.recall("minji", "커피 취향")["memories"]) == 2
    assistant.delete(f"memories/{first['memory_id']}?user_id=minji")
    after = assistant.recall("minji", "커피 취향", execution_id="run-1")
    assert (after["snapshot_id"], after["memories"], after["context"]) == (before["snapshot_id"], [], "")


def test_incognito_turns_leave_nothing_behind(minji, assistant, work):
    answer = assistant.report("minji", WORK, incognito={"no_read": True, "no_write": True}).json()
    assert (answer["stored"], answer["reason"]) == (False, "incognito")
    work()
    assert minji.turns.count() == minji.memories.count() == 0
    recalled = assistant.recall("minji", QUESTION, incognito={"no_read": True, "no_write": False})
    assert (recalled["memories"], recalled["reason"]) == ([], "incognito")
