"""Minji corrects: the form, the JSON editor, and what happens when somebody was faster."""

import json
import re
import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client

from consent import ledger
from consent.domains import MASTER
from memoryapp.models import IndexEntry, Memory, Origin, Status
from speakers.models import Person
from tests.conftest import Runtime

OLD = "저는 판교에서 백엔드 개발자로 일해요"
NEW = "저는 강남에서 백엔드 개발자로 일해요"


@pytest.fixture
def memory_id(assistant: Runtime, minji: Person) -> str:
    answer = assistant.save("minji", OLD, valid_from="2026-05-01T09:00:00+09:00", sensitivity="unknown")
    return str(answer.json()["memory"]["memory_id"])


def form_of(browser: Client, memory_id: str) -> dict[str, Any]:
    """The fields of the correction form as the page fills them."""
    return fields_in(browser.get(f"/me/memories/{memory_id}/correct/").content.decode())


def fields_in(page: str) -> dict[str, Any]:
    """The same, from a page that was answered."""
    inputs = re.findall(r'<input[^>]*name="([\w-]+)"(?:[^>]*?value="([^"]*)")?', page)
    fields = {name: unescape(value) for name, value in inputs}
    statement = re.search(r'<textarea name="statement"[^>]*>\s*(.*?)</textarea>', page, re.S)
    chosen = re.search(r'<option value="(\w+)" selected', page)
    assert statement
    assert chosen
    return {**fields, "statement": unescape(statement[1]), "sensitivity": chosen[1]}


def editor_of(browser: Client, memory_id: str) -> tuple[dict[str, str], dict[str, Any]]:
    """The hidden fields of the JSON editor, and its object."""
    page = browser.get(f"/me/memories/{memory_id}/correct/json/").content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(version|base)" value="([^"]*)"', page))
    body = re.search(r'<textarea name="body"[^>]*>\s*(.*?)</textarea>', page, re.S)
    assert body
    return {name: unescape(value) for name, value in hidden.items()}, json.loads(unescape(body[1]))


def test_a_corrected_statement_is_found_and_the_old_one_never_again(
    assistant: Runtime, at_minjis: Client, memory_id: str
) -> None:
    form = form_of(at_minjis, memory_id)
    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/", {**form, "statement": NEW}, follow=True)

    assert "Corrected." in answer.content.decode()
    assert "<del>판교에서</del>" in answer.content.decode()
    assert "<ins>강남에서</ins>" in answer.content.decode()
    assert assistant.facts("minji", "강남에서 일해?") == [NEW]


def test_a_correction_of_the_text_alone_leaves_everything_else_as_it_was(
    at_minjis: Client, memory_id: str
) -> None:
    before = Memory.objects.get(pk=memory_id)
    at_minjis.post(f"/me/memories/{memory_id}/correct/", {**form_of(at_minjis, memory_id), "statement": NEW})

    after = Memory.objects.get(pk=memory_id)
    kept = (
        "sensitivity",
        "service_id",
        "memory_type",
        "sources",
        "created_at",
        "occurred_at",
        "valid_from",
        "valid_to",
    )
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]


def test_saving_the_form_as_it_is_changes_nothing(at_minjis: Client, memory_id: str) -> None:
    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/", form_of(at_minjis, memory_id), follow=True)

    assert "Nothing was changed." in answer.content.decode()
    assert Memory.objects.get(pk=memory_id).version == 1


def test_of_two_tabs_the_second_sees_the_conflict_and_keeps_what_it_typed(
    at_minjis: Client, memory_id: str
) -> None:
    first = second = form_of(at_minjis, memory_id)
    at_minjis.post(f"/me/memories/{memory_id}/correct/", {**first, "statement": NEW})

    answer = at_minjis.post(
        f"/me/memories/{memory_id}/correct/", {**second, "statement": "저는 제주에서 일해요"}
    )
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "It was changed elsewhere in the meantime." in page
    assert NEW in page
    assert "저는 제주에서 일해요</textarea>" in page

    again = {**second, "statement": "저는 제주에서 일해요", "version": "2"}
    assert 'name="version" value="2"' in page
    at_minjis.post(f"/me/memories/{memory_id}/correct/", again)
    assert "저는 제주에서 일해요" in at_minjis.get(f"/me/memories/{memory_id}/").content.decode()


def test_mine_on_top_is_what_i_changed_and_brings_no_old_words_back(
    assistant: Runtime, at_minjis: Client, memory_id: str
) -> None:
    path = f"/me/memories/{memory_id}/correct/"
    first = second = form_of(at_minjis, memory_id)
    at_minjis.post(path, {**first, "statement": NEW})

    page = at_minjis.post(path, {**second, "statement": "저는 제주에서 요리해요"}).content.decode()
    assert "<dt>Keywords</dt>" in page
    assert "<dt>Sensitivity</dt>" not in page
    at_minjis.post(path, fields_in(page))

    body = editor_of(at_minjis, memory_id)[1]
    assert body["statement"] == body["normalized_fact"] == "저는 제주에서 요리해요"
    assert not any(word in json.dumps(body, ensure_ascii=False) for word in ("판교", "강남", "백엔드"))
    assert assistant.facts("minji", "판교 백엔드") in ([], ["저는 제주에서 요리해요"])


def test_mine_on_top_leaves_what_another_tab_restricted(at_minjis: Client, memory_id: str) -> None:
    path = f"/me/memories/{memory_id}/correct/"
    form = form_of(at_minjis, memory_id)
    at_minjis.post(path, {**form, "sensitivity": "restricted", "valid_to": "2027-01-01T00:00:00"})

    page = at_minjis.post(path, {**form, "statement": f"{OLD}."}).content.decode()
    for shown in ("<dt>Sensitivity</dt><dd>Restricted</dd>", "<dt>Holds until</dt>"):
        assert shown in page
    assert "<dt>Keywords</dt>" not in page
    at_minjis.post(path, fields_in(page))

    memory = Memory.objects.get(pk=memory_id)
    assert (memory.version, memory.sensitivity) == (3, "restricted")
    assert memory.valid_to
    assert editor_of(at_minjis, memory_id)[1]["statement"] == f"{OLD}."


def test_mine_on_top_of_the_json_editor_is_what_i_changed(at_minjis: Client, memory_id: str) -> None:
    path = f"/me/memories/{memory_id}/correct/json/"
    hidden, body = editor_of(at_minjis, memory_id)
    theirs = {**body, "statement": NEW, "normalized_fact": NEW, "raw_content": NEW, "keywords": ["강남"]}
    at_minjis.post(path, {**hidden, "body": json.dumps({**theirs, "sensitivity": "restricted"})})

    answer = at_minjis.post(path, {**hidden, "body": json.dumps({**body, "confidence": 0.5})})
    page = unescape(answer.content.decode())
    told = json.loads(page.partition("<code>")[2].partition("</code>")[0])
    assert answer.status_code == 409
    assert {"statement", "normalized_fact", "keywords", "sensitivity"} <= set(told)
    assert not {"confidence", "valid_to"} & set(told)
    again = dict(
        re.findall(r'<input type="hidden" name="(version|base)" value="([^"]*)"', answer.content.decode())
    )
    text = re.search(r'<textarea name="body"[^>]*>\s*(.*?)</textarea>', page, re.S)
    assert text
    at_minjis.post(path, {name: unescape(value) for name, value in again.items()} | {"body": text[1]})

    now = editor_of(at_minjis, memory_id)[1]
    assert (now["confidence"], now["sensitivity"], now["keywords"]) == (0.5, "restricted", ["강남"])
    assert "판교" not in json.dumps(now, ensure_ascii=False)


def test_an_interval_that_ends_before_it_begins_is_told_beside_its_field(
    at_minjis: Client, memory_id: str
) -> None:
    form = {**form_of(at_minjis, memory_id), "valid_to": "2020-01-01T00:00:00"}
    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/", form)

    assert answer.status_code == 422
    assert "Must not be before valid_from." in answer.content.decode()


def test_the_json_editor_changes_any_allowed_field(at_minjis: Client, memory_id: str) -> None:
    hidden, body = editor_of(at_minjis, memory_id)
    text = json.dumps({**body, "memory_subtype": "work", "confidence": 0.5}, ensure_ascii=False)
    at_minjis.post(f"/me/memories/{memory_id}/correct/json/", {**hidden, "body": text})

    _hidden, now = editor_of(at_minjis, memory_id)
    assert (now["memory_subtype"], now["confidence"]) == ("work", 0.5)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{\n  "statement": "a",\n  "confidence": 2\n}', "Line 3, confidence"),
        ('{\n  "person_id": 7\n}', "Line 2, person_id: Unknown field."),
        ('{\n  "occurred_at": "2026-05-16T00:00:00Z"\n}', "Line 2, occurred_at: Unknown field."),
        ('{\n  "keywords": "work"\n}', "Line 2, keywords"),
        ('{\n  "valid_from": "2026-05-16T09:00:00"\n}', "Line 2, valid_from: Must carry an offset"),
        ('{\n  "statement": "a"\n', "Line 3, column 1: this is not valid JSON."),
        ("[1]", "Write one JSON object"),
        ('{"confidence": ' + "9" * 5000 + "}", "A name stands here twice, or a number is too long"),
        ('{"confidence": 1, "confidence": 0}', "A name stands here twice, or a number is too long"),
        ('{"confidence": NaN}', "A name stands here twice, or a number is too long"),
        ("[" * 30000, "This JSON is nested too deeply."),
        ('{"\\ud800": 1}', "Unknown field."),
    ],
)
def test_the_json_editor_tells_the_line_and_keeps_what_was_typed(
    at_minjis: Client, memory_id: str, body: str, told: str
) -> None:
    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/json/", {"version": "1", "body": body})

    page = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert told in page
    assert body in page
    assert Memory.objects.get(pk=memory_id).version == 1


def test_a_memory_already_gone_from_the_index_is_removed_with_a_warning(
    at_minjis: Client, memory_id: str
) -> None:
    form = form_of(at_minjis, memory_id)
    IndexEntry.objects.filter(memory__id=memory_id).delete()

    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/", {**form, "statement": NEW}, follow=True)

    assert "was already gone" in answer.content.decode()
    assert at_minjis.get(f"/me/memories/{memory_id}/").status_code == 404


def test_a_number_in_the_corrected_text_raises_the_sensitivity_whatever_was_chosen(
    at_minjis: Client, memory_id: str
) -> None:
    form = {**form_of(at_minjis, memory_id), "statement": "연락처는 010-1234-5678", "sensitivity": "normal"}
    at_minjis.post(f"/me/memories/{memory_id}/correct/", form)

    assert Memory.objects.get(pk=memory_id).sensitivity == "pii"
    assert "010-1234-5678" not in at_minjis.get("/me/memories/").content.decode()


def test_of_two_tabs_the_second_keeps_what_it_typed_when_the_first_deleted_the_memory(
    at_minjis: Client, memory_id: str
) -> None:
    form = form_of(at_minjis, memory_id)
    at_minjis.post("/me/memories/delete/", {"ids": memory_id, "confirmed": "yes"})

    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/", {**form, "statement": NEW})
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "This memory was deleted meanwhile" in page
    assert f"{NEW}</textarea>" in page
    assert OLD not in page

    added = at_minjis.post("/me/memories/add/", {**form, "statement": NEW, "sensitivity": "pii"})
    memory = Memory.objects.get(deleted_at__isnull=True)
    assert added.headers["Location"] == f"/me/memories/{memory.pk}/"
    assert NEW in at_minjis.get(added.headers["Location"]).content.decode()
    assert (memory.origin, memory.status, memory.service) == (Origin.PERSON, Status.CONFIRMED, None)
    assert memory.sensitivity == "pii"
    assert memory.valid_from.isoformat() == "2026-05-01T00:00:00+00:00"


def test_the_json_editor_keeps_it_too(at_minjis: Client, memory_id: str) -> None:
    hidden, body = editor_of(at_minjis, memory_id)
    at_minjis.post("/me/memories/delete/", {"ids": memory_id, "confirmed": "yes"})
    text = json.dumps({**body, "statement": NEW, "memory_subtype": "work"}, ensure_ascii=False, indent=2)

    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/json/", {**hidden, "body": text})
    page = unescape(answer.content.decode())
    assert answer.status_code == 404
    assert text in page
    assert f"{NEW}</textarea>" in page


@pytest.mark.parametrize(
    "body", ["[" * 30000, '{"confidence": ' + "9" * 5000 + "}", '{"statement": "\\ud800"}']
)
def test_what_nobody_can_read_is_kept_as_it_was_typed(at_minjis: Client, memory_id: str, body: str) -> None:
    at_minjis.post("/me/memories/delete/", {"ids": memory_id, "confirmed": "yes"})

    answer = at_minjis.post(f"/me/memories/{memory_id}/correct/json/", {"version": "1", "body": body})
    assert answer.status_code == 404
    assert body in unescape(answer.content.decode())


def test_nothing_is_added_while_memory_is_off_and_the_words_are_still_there(
    at_minjis: Client, memory_id: str, minji: Person
) -> None:
    form = form_of(at_minjis, memory_id)
    at_minjis.post("/me/memories/delete/", {"ids": memory_id, "confirmed": "yes"})
    ledger.decide(minji, MASTER, False, actor="person", source="my-page")

    gone = at_minjis.post(f"/me/memories/{memory_id}/correct/", {**form, "statement": NEW})
    added = at_minjis.post("/me/memories/add/", {**form, "statement": NEW})
    for answer, status in ((gone, 404), (added, 403)):
        page = answer.content.decode()
        assert answer.status_code == status
        assert f"{NEW}</textarea>" in page
        assert "Keep it as a new memory" not in page
    assert not Memory.objects.filter(deleted_at__isnull=True).exists()


def test_somebody_elses_memory_and_none_at_all_answer_the_same(
    at_minjis: Client, assistant: Runtime, jiho: Person
) -> None:
    his = assistant.save("jiho", "저는 부산에서 일해요").json()["memory"]["memory_id"]
    form = {"version": "1", "statement": NEW, "sensitivity": "normal"}
    pages = [
        re.sub(r'value="\w{64}"', "", at_minjis.post(f"/me/memories/{pk}/correct/", form).content.decode())
        for pk in (his, uuid.uuid4())
    ]
    assert pages[0] == pages[1]
    assert "부산" not in pages[0]
