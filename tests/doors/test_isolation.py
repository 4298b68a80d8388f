"""Whose memory is whose: owner and scope are conditions of every statement."""

import pytest

from memoryapp.models import Memory
from speakers.models import Person

PATHS = ("memories/{id}", "memories/{id}/history")


def test_similar_user_ids_and_wildcards_are_literal(make_person, assistant):
    for user_id in ("kim_a", "kim-a", "kim_ab"):
        make_person(user_id)
        assistant.save(user_id, f"{user_id}의 비밀번호 찾기 질문은 고향이다")
    assert assistant.facts("kim_a", "비밀번호 찾기 질문") == ["kim_a의 비밀번호 찾기 질문은 고향이다"]
    for wild in ("%", "kim_", "kim%", "*", "kim-a' OR '1'='1"):
        assert assistant.recall(wild, "비밀번호 찾기 질문")["memories"] == []


def test_jiho_does_not_find_what_minji_said_in_the_same_session(minji, jiho, assistant, work):
    assistant.report("minji", "저는 판교에서 백엔드 개발자로 일해요")
    work()
    assert assistant.facts("jiho", "판교에서 백엔드 개발자로 일해요") == []


@pytest.mark.parametrize("user_id", [None, "", "  ", 7, ["minji"], {"a": 1}, "a\u0000b"])
def test_a_missing_or_odd_user_id_is_refused_and_nothing_is_stored(assistant, user_id):
    for path, body in (
        ("recall", {"query": "무엇"}),
        ("memories", {"fact": "사실"}),
        ("turns", {"session_id": "s", "turn_id": "t", "user_text": "안녕"}),
        ("persons", {}),
    ):
        answer = assistant.post(path, {"user_id": user_id, **body})
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
        assert "user_id" in answer.json()["errors"]
    assert assistant.post("recall", {"query": "무엇"}).status_code == 400
    assert assistant.get("memories").status_code == 400
    assert Person.objects.count() == Memory.objects.count() == 0


def test_a_misspelt_field_is_named_and_never_answered_without_scope(minji, assistant):
    answer = assistant.post("recall", {"user_id": "minji", "query": "무엇", "project_name": "x"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert "project_name" in answer.json()["errors"]


def test_an_empty_list_of_scopes_is_no_scope(minji, assistant):
    assistant.save("minji", "저는 부산에서 살아요")
    assert assistant.facts("minji", "부산", scopes=[]) == []
    assert assistant.facts("minji", "부산", scopes=["personal"]) == ["저는 부산에서 살아요"]


def test_jiho_is_told_that_minjis_memory_does_not_exist(minji, jiho, assistant):
    memory_id = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    before = Memory.objects.values().get(pk=memory_id)
    for path in PATHS:
        assert assistant.get(path.format(id=memory_id), user_id="jiho").status_code == 404
    for body, call in (
        ({"user_id": "jiho", "statement": "바뀐 말"}, lambda b: assistant.patch(f"memories/{memory_id}", b)),
        ({"user_id": "jiho"}, lambda b: assistant.post(f"memories/{memory_id}/approve", b)),
        ({"user_id": "jiho"}, lambda b: assistant.post(f"memories/{memory_id}/decline", b)),
        ({"user_id": "jiho", "ids": [memory_id]}, lambda b: assistant.post("memories/delete", b)),
    ):
        assert call(body).status_code == 404
    assert assistant.delete(f"memories/{memory_id}?user_id=jiho").status_code == 404
    assert memory_id not in assistant.get("export", user_id="jiho").getvalue().decode()
    assert Memory.objects.values().get(pk=memory_id) == before


def test_service_memory_stays_with_its_service(minji, assistant, homebot):
    own = assistant.save("minji", "회의록은 표로 정리한다", scope="service").json()["memory"]
    assistant.save("minji", "저는 채식주의자예요")
    assert homebot.facts("minji", "회의록 정리 방법") != ["회의록은 표로 정리한다"]
    assert assistant.facts("minji", "회의록 정리 방법", scopes=["service"]) == ["회의록은 표로 정리한다"]
    assert homebot.facts("minji", "채식주의자") == ["저는 채식주의자예요"]
    assert homebot.get(f"memories/{own['memory_id']}", user_id="minji").status_code == 404
    assert homebot.delete(f"memories/{own['memory_id']}?user_id=minji").status_code == 404


def test_a_caller_cannot_widen_the_scopes_of_its_revision(minji, make_runtime):
    narrow = make_runtime("narrow", recall_scopes=["service"])
    narrow.save("minji", "저는 부산에서 살아요", scope="personal")
    assert narrow.facts("minji", "부산", scopes=["personal", "service"]) == []


def test_a_project_search_sees_global_and_its_own(minji, assistant):
    assistant.save("minji", "회의는 영어로 한다")
    assistant.save("minji", "회의는 월요일 아침에 한다", project_id="apollo")
    assistant.save("minji", "회의는 금요일 저녁에 한다", project_id="gemini")
    seen = set(assistant.facts("minji", "회의", project_id="apollo"))
    assert seen == {"회의는 영어로 한다", "회의는 월요일 아침에 한다"}
    assert assistant.facts("minji", "회의") == ["회의는 영어로 한다"]


def test_asking_about_an_unknown_user_creates_no_row(assistant):
    items = assistant.get("consents", user_id="nobody").json()["items"]
    assert items[0]["domain"] == "long_term_memory"
    assert not any(item["granted"] for item in items)
    assert assistant.recall("nobody", "무엇")["reason"] == "no-consent"
    assert assistant.get("memories", user_id="nobody").json() == {"items": [], "next": None}
    assert assistant.save("nobody", "사실").status_code == 403
    assert not Person.objects.exists()
