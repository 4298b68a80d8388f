"""The extractor a revision has chosen: rules, a language model, a remote memory server."""

import json

import pytest
from django.utils import timezone

from memoryapp.extract.fake import chat_endpoint, memory_server
from memoryapp.models import CostEntry, Memory, Turn


def fact(statement, **more):
    return {"statement": statement, "quote": statement, "memory_type": "PROFILE", **more}


def answer(*facts, before="", after=""):
    return before + json.dumps({"facts": list(facts)}, ensure_ascii=False) + after


def reader(make_runtime, kind, url):
    return make_runtime("assistant", extractor=kind, extractor_url=url, extractor_model="scripted")


def read(runtime, work, text, turn_id="t1"):
    runtime.report("minji", text, turn_id=turn_id)
    work()
    return runtime.get(f"turns/{turn_id}", user_id="minji").json()


def test_a_model_reads_a_turn_in_one_call_and_its_use_is_charged(minji, make_runtime, work):
    with chat_endpoint(answer(fact("저는 판교에서 일해요"))) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        state = read(runtime, work, "저는 판교에서 일해요. 반가워요!")
    assert (state["state"], state["counts"]) == ("done", {"insert": 1})
    assert len(endpoint.requests) == 1
    assert runtime.facts("minji", "어디서 일해?") == ["저는 판교에서 일해요"]
    assert CostEntry.objects.get(stage="extraction").calls == 1


@pytest.mark.parametrize(
    ("before", "after"), [("물론이죠! 결과입니다:\n```json\n", "\n```"), ("", ", 도움이 되었길 바랍니다")]
)
def test_prose_around_the_answer_does_no_harm(minji, make_runtime, work, before, after):
    with chat_endpoint(answer(fact("저는 판교에서 일해요"), before=before, after=after)) as endpoint:
        state = read(reader(make_runtime, "llm", endpoint.url), work, "저는 판교에서 일해요")
    assert state["state"] == "done"
    assert Memory.objects.count() == 1


def test_of_eight_proposals_seven_are_kept_and_the_rejection_is_recorded(minji, make_runtime, work):
    said = [f"제 동생 {number}호는 도시{number}에 살아요" for number in range(7)]
    with chat_endpoint(answer(*map(fact, said), fact("저는 요가를 좋아해요"))) as endpoint:
        state = read(reader(make_runtime, "llm", endpoint.url), work, ". ".join(said))
    assert (state["state"], state["counts"]) == ("done", {"insert": 7, "rejected": 1})


def test_a_date_no_calendar_holds_locks_nobody_out(minji, make_runtime, work):
    odd = {"occurred_at": "0001-01-01", "valid_from": "0001-01-01T00:00:00+14:00", "valid_to": "9999-12-31"}
    with chat_endpoint(answer(fact("저는 판교에서 일해요", **odd))) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        read(runtime, work, "저는 판교에서 일해요")
    assert runtime.get("memories", user_id="minji").status_code == 200
    assert runtime.facts("minji", "어디서 일해?") == ["저는 판교에서 일해요"]


@pytest.mark.parametrize("reply", ["모르겠어요", "", 500, 429])
def test_an_answer_that_cannot_be_read_is_tried_again_and_nothing_is_lost(minji, make_runtime, work, reply):
    with chat_endpoint(reply, answer(fact("저는 판교에서 일해요"))) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        state = read(runtime, work, "저는 판교에서 일해요")
        assert (state["state"], state["attempts"]) == ("pending", 1)
        Turn.objects.update(next_try_at=timezone.now())
        work()
    assert runtime.get("turns/t1", user_id="minji").json()["state"] == "done"
    assert Memory.objects.count() == 1


def test_a_model_that_points_at_a_memory_replaces_it(minji, make_runtime, work):
    with chat_endpoint(answer(fact("내 강아지 이름은 초코야"))) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        read(runtime, work, "내 강아지 이름은 초코야")
    [old] = Memory.objects.all()
    with chat_endpoint(answer(fact("강아지는 이제 보리라고 불러", about=1))) as endpoint:
        runtime.configure(extractor="llm", extractor_url=endpoint.url, extractor_model="scripted")
        state = read(runtime, work, "강아지는 이제 보리라고 불러", turn_id="t2")
    assert "초코" in json.dumps(endpoint.requests[0], ensure_ascii=False)
    assert state["counts"] == {"replace": 1}
    old.refresh_from_db()
    assert old.status == "superseded"


def slot(attribute, subject="user", **more):
    return {
        "subject": subject,
        "attribute": attribute,
        "object": "",
        "negated": False,
        "single": True,
        **more,
    }


@pytest.mark.parametrize(
    ("known", "said", "found"),
    [
        ("저는 네이버에 다녀요", "아내는 카카오에서 일해요", slot("employer", "아내")),
        ("I live in Busan.", "I have a peanut allergy.", slot("allergy", object="peanut", single=False)),
        ("제 이름은 민지예요", "고양이 두 마리를 키워요", slot("pet", object="고양이", single=False)),
        ("저는 네이버에 다녀요", "아내는 카카오를 그만뒀어요", slot("employer", "아내")),
    ],
)
def test_a_model_that_points_at_a_stranger_closes_nothing(minji, make_runtime, work, known, said, found):
    more = {"ends": True} if "그만" in said else {}
    with chat_endpoint(answer(fact(said, about=1, slot=found, **more))) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        runtime.save("minji", known)
        state = read(runtime, work, said)
    assert state["counts"] == {"insert": 1}
    assert Memory.objects.filter(status="confirmed").count() == 2


def test_the_prompt_of_somebody_with_many_memories_stays_lean(minji, make_runtime, work):
    with chat_endpoint(answer()) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        for number in range(60):
            runtime.save("minji", f"판교에서 {number}번째 회의를 했고 그 내용은 " + "아주 길었다 " * 20)
        read(runtime, work, "판교 회의는 늘 길어요. " * 400)
    prompt = endpoint.requests[0]["messages"][0]["content"]
    assert len(endpoint.requests) == 1
    assert len(prompt) <= 8000


def test_a_remote_memory_server_reads_a_turn_without_knowing_whose(minji, make_runtime, work):
    with memory_server(answer(fact("저는 판교에서 일해요"))) as server:
        runtime = reader(make_runtime, "remote", server.url)
        state = read(runtime, work, "저는 판교에서 일해요")
    assert (state["state"], state["counts"]) == ("done", {"insert": 1})
    assert "minji" not in json.dumps(server.requests)


def test_a_recall_calls_no_model(minji, make_runtime):
    with chat_endpoint(answer()) as endpoint:
        runtime = reader(make_runtime, "llm", endpoint.url)
        runtime.save("minji", "저는 판교에서 일해요")
        runtime.recall("minji", "어디서 일해?")
    assert endpoint.requests == []
