"""The answer kept under an Idempotency-Key: the first one again, but never words that may not be told any more."""

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from consent import ledger
from consent.domains import Domain
from speakers.models import Person
from tests.conftest import Runtime
from tests.doors.conftest import MARK, OURS, saved
from tests.doors.walk import API, Call, address, addresses, filled

TAKEN = "taken over"
KEY = {"Idempotency-Key": "k1"}
MINJI = {"user_id": "minji"}
BLOCK = "sessions/s1/contexts/notes"
#: Words that may be told without consent: what a person has decided, or who they are.
FACTS_OF_ACCESS = {"identities/<str:identity_id>", "persons/<str:person_id>/identities"}


def keyed() -> list[Call]:
    """Every write that honours the key."""
    views = addresses("api/v1/")
    return [
        call
        for call in API
        if call.method != "get"
        and hasattr(getattr(views[f"api/v1/{call.path}"].cls, call.method), "__wrapped__")
    ]


def send(runtime: Runtime, call: Call, ids: dict[str, str]) -> Any:
    given = filled(call.given, ids)
    head = {"Authorization": f"Bearer {runtime.secret}", **KEY}
    place = f"/api/v1/{address(call, ids)}"
    if call.method == "delete":
        return runtime.http.delete(place, query_params=given, headers=head)
    body = json.dumps(given)
    return getattr(runtime.http, call.method)(place, body, content_type="application/json", headers=head)


def withdraw(person: Person) -> None:
    for domain in Domain:
        ledger.decide(person, domain, False, actor="person", source="my-page")


def test_every_keyed_write_gives_its_first_answer_again(ids, assistant):
    assert len(keyed()) > 20
    for call in keyed():
        with transaction.atomic():
            first, again = send(assistant, call, ids), send(assistant, call, ids)
            assert (first.status_code, again.status_code) == (call.own, call.own), call.path
            assert again.content == first.content, call.path
            assert again.headers.get("ETag") == first.headers.get("ETag"), call.path
            transaction.set_rollback(True)


def test_no_kept_answer_tells_words_without_consent(ids, assistant):
    for call in keyed():
        with transaction.atomic():
            send(assistant, call, ids)
            withdraw(Person.objects.filter(user_id="minji").first() or _nobody())
            text = send(assistant, call, ids).content.decode()
            told = [word for word in (MARK, OURS, TAKEN, "부산") if word in text]
            assert call.path in FACTS_OF_ACCESS or not told, f"{call.method} {call.path} tells {told}"
            transaction.set_rollback(True)


def _nobody() -> Person:
    """Minji has been erased by the call: there is somebody of her name again, who has allowed nothing."""
    return Person.objects.create(user_id="minji")


# ------------------------------------------------------------------ and nothing that was deleted


def test_a_correction(minji, assistant):
    memory = saved(assistant, "제 별명은 참새예요")
    body = {**MINJI, "statement": "제 별명은 제비예요"}
    assistant.patch(f"memories/{memory}", body, **KEY)
    assistant.patch(f"memories/{memory}", {**MINJI, "statement": "제 별명은 까치예요"})
    again = assistant.patch(f"memories/{memory}", body, **KEY)
    assert (again.status_code, again.json()["statement"]) == (200, "제 별명은 까치예요")
    assert again.headers["ETag"] == '"3"'
    assistant.delete(f"memories/{memory}?user_id=minji")
    gone = assistant.patch(f"memories/{memory}", body, **KEY)
    assert (gone.status_code, "별명" in gone.content.decode()) == (404, False)


@pytest.mark.parametrize("verdict", ["approve", "decline"])
def test_a_verdict(verdict, minji, assistant):
    memory = saved(assistant, "제 별명은 참새예요")
    minji.memories.update(status="candidate")
    first = assistant.post(f"memories/{memory}/{verdict}", MINJI, **KEY)
    again = assistant.post(f"memories/{memory}/{verdict}", MINJI, **KEY)
    assert (again.status_code, again.json()) == (200, first.json())
    assert ("참새" in again.content.decode()) == (verdict == "approve")
    if verdict == "approve":
        assistant.delete(f"memories/{memory}?user_id=minji")
        assert assistant.post(f"memories/{memory}/approve", MINJI, **KEY).status_code == 404


def test_reads_of_the_store(minji, assistant):
    put = {"op": "put", "namespace": ["p"], "key": "k", "value": {"is": "참새"}}
    assistant.post("store/batch", {**MINJI, "operations": [put]})
    get, search = {"op": "get", "namespace": ["p"], "key": "k"}, {"op": "search", "prefix": ["p"]}
    later = {"op": "put", "namespace": ["q"], "key": "new", "value": {"is": "제비"}}
    body = {**MINJI, "operations": [get, search, {"op": "list_namespaces"}, later]}
    first = assistant.post("store/batch", body, **KEY).json()
    assert assistant.post("store/batch", body, **KEY).json() == first
    assert first["results"][2]["namespaces"] == [["p"]]

    assistant.post("store/batch", {**MINJI, "operations": [{**get, "op": "delete"}]})
    again = assistant.post("store/batch", body, **KEY).json()["results"]
    assert again == [
        {"op": "get", "item": None},
        {"op": "search", "items": []},
        {"op": "list_namespaces", "namespaces": []},
        {"op": "put", "result": "stored"},
    ]


def test_a_block_and_its_prompt(minji, assistant):
    body = {**MINJI, "kind": "writable", "content": "참새"}
    first = assistant.put(BLOCK, body, **KEY).json()
    assert assistant.put(BLOCK, body, **KEY).json() == first
    frozen = assistant.post("sessions/s1/prompt/refresh", MINJI, **{"Idempotency-Key": "k2"}).json()
    assert "참새" in frozen["prompt"]
    assert assistant.post("sessions/s1/prompt/refresh", MINJI, **{"Idempotency-Key": "k2"}).json() == frozen

    assistant.delete(f"{BLOCK}?user_id=minji")
    assert assistant.put(BLOCK, body, **KEY).status_code == 404
    again = assistant.post("sessions/s1/prompt/refresh", MINJI, **{"Idempotency-Key": "k2"}).json()
    assert "참새" not in again["prompt"]


def test_an_entry_that_was_read(minji, assistant):
    assistant.put("sessions/s1/contexts/shelf", {**MINJI, "kind": "searchable"})
    entry = {"label": "shelf", "content": "참새 이야기", "metadata": {"title": "새"}}
    assistant.post("sessions/s1/tools/set_context", {**MINJI, "arguments": entry})
    asked = {**MINJI, "arguments": {"label": "shelf", "query": "참새"}}
    search = "sessions/s1/tools/search_context"
    assert "이야기" in assistant.post(search, asked, **KEY).json()["result"]
    assistant.post("sessions/s1/contexts/shelf/entries/delete", {**MINJI, "key": "새"})
    assert "이야기" not in assistant.post(search, asked, **KEY).json()["result"]


def test_the_state_that_stands_against_a_device(minji, assistant):
    memory = saved(assistant, "제 별명은 참새예요")
    assistant.get("sync", user_id="minji", device_id="d1")
    write = {
        "client_id": "c1",
        "kind": "memory",
        "payload": {"memory_id": memory, "statement": "제 별명은 제비예요"},
        "base_version": 7,
    }
    body = {**MINJI, "device_id": "d1", "writes": [write]}
    first = assistant.post("sync", body, **KEY).json()
    assert first["results"][0]["current"]["statement"] == "제 별명은 참새예요"
    assert assistant.post("sync", body, **KEY).json() == first
    assistant.delete(f"memories/{memory}?user_id=minji")
    [gone] = assistant.post("sync", body, **KEY).json()["results"]
    assert (gone["result"], gone["version"], gone["current"]) == ("conflict", None, None)


def test_a_repeat_of_a_deletion_needs_no_consent(minji, assistant, client: Client):
    memory = saved(assistant, "제 별명은 참새예요")
    first = assistant.delete(f"memories/{memory}?user_id=minji", **KEY)
    withdraw(minji)
    again = assistant.delete(f"memories/{memory}?user_id=minji", **KEY)
    assert (again.status_code, again.json()) == (200, first.json())
