"""The MemoryService: entries kept word for word, keyed by app, user and project."""

import uuid

import pytest

from memoryapp import keys
from memoryapp.models import Forgotten, IndexEntry, Memory, MemoryHistory, Recall, Turn, Vector
from tests.conftest import withdraw

MORNING = "2026-05-16T09:00:00+09:00"


def entry(content, event_id=None, author="user", timestamp=MORNING, **more):
    return {
        "content": content,
        "author": author,
        "timestamp": timestamp,
        **({"event_id": event_id} if event_id else {}),
        **more,
    }


def add(runtime, user_id, *contents, session="s1", **fields):
    entries = [entry(text, f"e-{text}") for text in contents]
    return runtime.post(f"sessions/{session}/entries", {"user_id": user_id, "entries": entries, **fields})


def found(runtime, user_id, query, **fields):
    answer = runtime.post("entries/search", {"user_id": user_id, "query": query, **fields})
    assert answer.status_code == 200
    return [item["content"] for item in answer.json()["entries"]]


def test_a_session_is_stored_word_for_word_and_found_at_once(minji, assistant):
    text = "  I prefer dark mode — 다크 모드가 좋아요!  "
    answer = assistant.post(
        "sessions/s1/entries",
        {
            "user_id": "minji",
            "entries": [entry(text, "e1", metadata={"lang": "mixed"}), entry("Noted.", "e2", "assistant")],
        },
    )
    assert answer.status_code == 201
    assert answer.json()["stored"] == 2
    first = assistant.post("entries/search", {"user_id": "minji", "query": "dark mode"}).json()["entries"][0]
    assert first["content"] == text
    assert (first["author"], first["session_id"], first["project_id"], first["event_id"]) == (
        "user",
        "s1",
        None,
        "e1",
    )
    assert first["timestamp"] == "2026-05-16T00:00:00+00:00"
    assert first["metadata"] == {"lang": "mixed"}
    assert 0 <= first["score"] <= 1
    assert first["entry_id"] == answer.json()["entries"][0]["entry_id"]


def test_one_entry_needs_no_session(minji, assistant):
    answer = assistant.post("entries", {"user_id": "minji", "entry": entry("커피는 블랙으로")})
    assert (answer.status_code, answer.json()["result"]) == (201, "stored")
    assert found(assistant, "minji", "커피") == ["커피는 블랙으로"]


def test_the_same_event_is_stored_once(minji, assistant):
    first = add(assistant, "minji", "커피는 블랙으로").json()
    again = add(assistant, "minji", "커피는 블랙으로", "우산을 챙겨요")
    assert again.json()["stored"] == 1
    assert again.json()["entries"][0] == {**first["entries"][0], "result": "duplicate"}
    twice = assistant.post(
        "sessions/s9/entries",
        {"user_id": "minji", "entries": [entry("물 마시기", "w"), entry("물 마시기", "w")]},
    ).json()
    assert [item["result"] for item in twice["entries"]] == ["stored", "duplicate"]
    assert Memory.objects.count() == 3


def test_without_an_event_id_the_same_words_at_the_same_time_are_the_same_entry(minji, assistant):
    body = {"user_id": "minji", "entries": [entry("커피는 블랙으로")]}
    assert assistant.post("sessions/s1/entries", body).status_code == 201
    assert assistant.post("sessions/s1/entries", body).status_code == 200
    later = {"user_id": "minji", "entries": [entry("커피는 블랙으로", timestamp="2026-05-17T09:00:00Z")]}
    assert assistant.post("sessions/s1/entries", later).status_code == 201
    assert Memory.objects.count() == 2


def test_an_entry_is_keyed_by_app_and_user(minji, jiho, assistant, homebot):
    add(assistant, "minji", "민지는 커피를 마셔요")
    assert found(assistant, "jiho", "커피") == []
    assert found(homebot, "minji", "커피") == []
    add(homebot, "minji", "민지는 커피를 마셔요")
    assert Memory.objects.count() == 2


def test_a_project_search_is_global_and_that_project_and_a_global_one_is_global_only(minji, assistant):
    add(assistant, "minji", "커피 전체")
    add(assistant, "minji", "커피 에이크미", project_id="acme")
    add(assistant, "minji", "커피 글로벡스", project_id="globex")
    assert found(assistant, "minji", "커피") == ["커피 전체"]
    assert set(found(assistant, "minji", "커피", project_id="acme")) == {"커피 전체", "커피 에이크미"}
    assert found(assistant, "minji", "커피", project_id="%") == ["커피 전체"]


def test_the_same_event_may_stand_in_two_projects(minji, assistant):
    add(assistant, "minji", "커피")
    assert add(assistant, "minji", "커피", project_id="acme").json()["stored"] == 1


def test_entries_come_back_in_order_of_fit_and_no_more_than_asked_for(minji, assistant):
    add(assistant, "minji", "민지는 커피를 좋아해요", "회의는 세 시예요", "우산은 현관에 있어요")
    assert found(assistant, "minji", "커피 좋아해요?", top_k=1) == ["민지는 커피를 좋아해요"]


def test_entries_are_memories_like_any_other(minji, assistant):
    add(assistant, "minji", "민지는 커피를 마셔요")
    [item] = assistant.get("memories", user_id="minji", type="ENTRY").json()["items"]
    assert (item["statement"], item["scope"], item["index_state"]) == (
        "민지는 커피를 마셔요",
        "service",
        "indexed",
    )
    assert "민지는 커피를 마셔요" in assistant.facts("minji", "커피")
    export = b"".join(assistant.get("export", user_id="minji").streaming_content).decode()
    assert export.count("민지는 커피를 마셔요") >= 1


def test_a_saved_fact_and_an_entry_of_the_same_words_stay_apart(minji, assistant):
    add(assistant, "minji", "민지는 커피를 마셔요")
    saved = assistant.save("minji", "민지는 커피를 마셔요", scope="service").json()
    assert saved["operation"] == "insert"
    assert Memory.objects.count() == 2


def test_the_search_leaves_a_receipt_for_minji(minji, assistant):
    stored = add(assistant, "minji", "민지는 커피를 마셔요").json()["entries"][0]["entry_id"]
    found(assistant, "minji", "커피")
    recall = Recall.objects.get()
    assert (recall.service, recall.items[0]["memory_id"]) == (assistant.service, stored)


def test_without_consent_nothing_is_stored_and_nothing_found(minji, assistant):
    add(assistant, "minji", "민지는 커피를 마셔요")
    withdraw(minji)
    refused = add(assistant, "minji", "우산")
    assert (refused.status_code, refused.json()["code"]) == (403, "consent-required")
    answer = assistant.post("entries/search", {"user_id": "minji", "query": "커피"})
    assert (answer.status_code, answer.json()["entries"], answer.json()["reason"]) == (200, [], "no-consent")
    assert (
        assistant.post("entries/search", {"user_id": "nobody", "query": "커피"}).json()["reason"]
        == "no-consent"
    )
    assert assistant.post("entries", {"user_id": "nobody", "entry": entry("x")}).status_code == 403
    assert Memory.objects.count() == 1
    gone = assistant.post("entries/delete", {"user_id": "minji", "query": "커피"})
    assert gone.json()["deleted"] == 1


def test_without_consent_to_service_memory_there_are_no_entries(minji, assistant):
    from consent.domains import Domain

    withdraw(minji, Domain.SERVICE_MEMORY)
    assert add(assistant, "minji", "우산").json()["code"] == "consent-required"
    assert (
        assistant.post("entries/search", {"user_id": "minji", "query": "우산"}).json()["reason"]
        == "no-consent"
    )


def test_a_service_with_memory_off_stores_nothing(minji, assistant):
    assistant.configure(memory_enabled=False)
    assert add(assistant, "minji", "우산").json()["code"] == "memory-off"
    assert (
        assistant.post("entries/search", {"user_id": "minji", "query": "우산"}).json()["reason"]
        == "memory-off"
    )


def test_a_resident_number_is_kept_but_never_indexed(minji, assistant):
    add(assistant, "minji", "제 주민번호는 900101-1234567 이에요")
    memory = Memory.objects.get()
    assert memory.sensitivity == "restricted"
    assert not Vector.objects.exists()
    assert IndexEntry.objects.get().terms == []
    assert found(assistant, "minji", "주민번호") == []
    [item] = assistant.get("memories", user_id="minji").json()["items"]
    assert "1234567" not in item["statement"]


def test_a_query_deletes_what_contains_all_its_words_and_a_dry_run_only_names_it(minji, assistant):
    add(
        assistant,
        "minji",
        "민지는 아침에 커피를 마셔요",
        "민지는 저녁에 차를 마셔요",
        "커피 원두가 떨어졌어요",
    )
    plan = assistant.post(
        "entries/delete", {"user_id": "minji", "query": "커피 마셔요", "dry_run": True}
    ).json()
    assert (plan["deleted"], len(plan["ids"])) == (0, 1)
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 3
    done = assistant.post("entries/delete", {"user_id": "minji", "query": "커피 마셔요"}).json()
    assert (done["deleted"], done["ids"]) == (1, plan["ids"])
    assert set(found(assistant, "minji", "커피 마셔요")) == {
        "민지는 저녁에 차를 마셔요",
        "커피 원두가 떨어졌어요",
    }
    assert not IndexEntry.objects.filter(pk=plan["ids"][0]).exists()


def test_english_words_are_compared_by_their_stem(minji, assistant):
    add(assistant, "minji", "I prefer dark mode", "The education team likes cats")
    assert assistant.post("entries/delete", {"user_id": "minji", "query": "the cat"}).json()["deleted"] == 1
    assert (
        assistant.post("entries/delete", {"user_id": "minji", "query": "dark mode preference"}).json()[
            "deleted"
        ]
        == 1
    )


def test_a_deletion_is_never_widened_beyond_its_project(minji, jiho, assistant, homebot):
    for project in (None, "acme", "globex"):
        add(assistant, "minji", "커피", project_id=project)
    add(homebot, "minji", "커피")
    add(assistant, "jiho", "커피")
    assistant.save("minji", "민지는 커피를 좋아해요")
    gone = assistant.post(
        "entries/delete", {"user_id": "minji", "query": "커피", "project_id": "acme"}
    ).json()
    assert gone["deleted"] == 1
    assert Memory.objects.get(pk=gone["ids"][0]).project_id == "acme"
    gone = assistant.post("entries/delete", {"user_id": "minji", "query": "커피"}).json()
    assert [Memory.objects.get(pk=pk).project_id for pk in gone["ids"]] == [""]
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 4


def test_a_guarded_entry_can_be_deleted_by_its_number(minji, assistant):
    add(assistant, "minji", "전화는 010-1234-5678 이에요", "전화는 받기 싫어요")
    assert (
        assistant.post("entries/delete", {"user_id": "minji", "query": "010-1234-5678"}).json()["deleted"]
        == 1
    )


@pytest.mark.parametrize("query", ["", "   ", "?!", "the and of", None, 5])
def test_a_query_without_a_word_deletes_nothing(minji, assistant, query):
    add(assistant, "minji", "the cat and the dog of mine")
    answer = assistant.post("entries/delete", {"user_id": "minji", "query": query})
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (
        400,
        "invalid",
        ["query"],
    )
    assert not Memory.objects.filter(deleted_at__isnull=False).exists()


def test_a_deleted_entry_does_not_come_back_with_its_session(minji, assistant):
    add(assistant, "minji", "커피")
    assistant.post("entries/delete", {"user_id": "minji", "query": "커피"})
    again = add(assistant, "minji", "커피", "우산").json()
    assert [item["result"] for item in again["entries"]] == ["forgotten", "stored"]
    assert found(assistant, "minji", "커피 우산") == ["우산"]
    said_anew = assistant.post("entries", {"user_id": "minji", "entry": entry("커피", "e-new")})
    assert said_anew.json()["result"] == "stored"


def test_a_session_is_deleted_with_its_entries_and_turns(minji, jiho, assistant, homebot, work):
    add(assistant, "minji", "커피", session="a/b")
    add(assistant, "minji", "우산", session="s2")
    add(assistant, "jiho", "커피", session="a/b")
    add(homebot, "minji", "커피", session="a/b")
    assistant.report("minji", "안녕하세요", session_id="a/b")
    answer = assistant.delete("sessions/a%2Fb?user_id=minji")
    assert (answer.status_code, answer.json()["deleted"], answer.json()["turns"]) == (200, 2, 1)
    assert not Turn.objects.exists()
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 3
    assert assistant.delete("sessions/a%2Fb?user_id=minji").status_code == 404
    assert assistant.delete("sessions/unknown?user_id=nobody").status_code == 404


def test_erasing_minji_takes_her_entries_along(minji, assistant):
    add(assistant, "minji", "zebra-7731", project_id="acme")
    assert assistant.delete("users/minji").json()["counts"]["memory"] == 1
    assert not Memory.objects.exists()
    assert not MemoryHistory.objects.exists()
    assert not Forgotten.objects.exists()


def test_the_row_tells_neither_words_nor_event(minji, assistant):
    add(assistant, "minji", "zebra-7731")
    row = Memory.objects.values().get()
    assert b"zebra" not in bytes(row.pop("content"))
    row.pop("sources")  # ids that the service chose
    assert "zebra" not in str(row)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"entries": []}, "entries"),
        ({"entries": [{"content": "x", "author": "user"}]}, "entries.0.timestamp"),
        ({"entries": [entry("x", timestamp="2026-05-16T09:00:00")]}, "entries.0.timestamp"),
        ({"entries": [entry("  ")]}, "entries.0.content"),
        ({"entries": [entry("x", author="")]}, "entries.0.author"),
        ({"entries": [entry("x", autor="user")]}, "entries.0.autor"),
        ({"entries": [entry("x" * 40000)]}, "entries.0.content"),
        ({"entries": [entry("x")], "project_name": "acme"}, "project_name"),
        ({"entries": [entry("x")], "user_id": "  "}, "user_id"),
    ],
)
def test_a_malformed_session_is_refused_and_the_field_named(minji, assistant, body, field):
    answer = assistant.post("sessions/s1/entries", {"user_id": "minji", **body})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert not Memory.objects.exists()


def test_a_misspelt_project_is_never_an_unscoped_answer(minji, assistant):
    add(assistant, "minji", "커피")
    answer = assistant.post("entries/search", {"user_id": "minji", "query": "커피", "project": "acme"})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["project"])


def test_odd_queries_find_or_find_nothing_but_never_fail(minji, assistant):
    add(assistant, "minji", "what's a:b up")
    for query in ("what's", "a:b", "&|!", "'\":*", "", "   ", "\u0000", "%"):
        found(assistant, "minji", query)


def test_each_door_asks_for_its_own_permission(minji, assistant):
    _, assistant.secret = keys.issue(assistant.service, ["recall"])
    assert found(assistant, "minji", "커피") == []
    assert add(assistant, "minji", "커피").status_code == 403
    assert assistant.post("entries/delete", {"user_id": "minji", "query": "커피"}).status_code == 403
    assert assistant.delete("sessions/s1?user_id=minji").status_code == 403


def test_a_repeated_write_is_answered_once(minji, assistant):
    key = {"Idempotency-Key": str(uuid.uuid4())}
    body = {"user_id": "minji", "entry": entry("커피")}
    first = assistant.post("entries", body, **key)
    again = assistant.post("entries", body, **key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    other = assistant.post("entries", {"user_id": "minji", "entry": entry("차")}, **key)
    assert other.status_code == 409


def test_the_capabilities_tell_that_projects_are_kept_apart(assistant):
    assert assistant.get("capabilities").json()["project_scoping"] is True
    assert assistant.http.get("/healthz").status_code == 200
