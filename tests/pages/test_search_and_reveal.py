"""Finding among one's own memories, and lifting a mask."""

import time
from typing import Any

import pytest
from django.test import Client

from memoryapp.models import Reveal
from speakers.models import Person
from tests.conftest import PASSWORD, Runtime

PHONE = "내 전화번호는 010-1234-5678이야"
SECRET = "공동현관 비밀번호는 1234* 이야"


def found(browser: Client, words: str) -> str:
    return browser.post("/me/memories/search/", {"q": words}).content.decode()


def test_a_word_is_found_inside_others_in_any_form(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", "부산에서 살아요")
    assistant.save("minji", "I work at Narae")

    decomposed_busan = "\u1107\u116e\u1109\u1161\u11ab"
    for words in ("부산", "부산에서", "살아요 부산", decomposed_busan):
        assert "부산에서 살아요" in found(at_minjis, words)
    assert "I work at Narae" in found(at_minjis, "NARAE")
    for words in ("회의", "도로", "부산 회의", "%", "_"):
        assert "Nothing was found" in found(at_minjis, words)


def test_nobody_finds_what_is_anothers(assistant: Runtime, minji: Person, at_jihos: Client) -> None:
    assistant.save("minji", "부산에서 살아요")

    assert "부산에서" not in found(at_jihos, "부산")


def test_what_is_behind_a_mask_cannot_be_guessed_by_searching(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", PHONE)

    for guess in ("010", "1234", "5678", "010-1234-5678"):
        assert "Nothing was found" in found(at_minjis, guess)
    assert "내 전화번호는" in found(at_minjis, "전화번호")


def test_the_words_never_stand_in_an_address(assistant: Runtime, at_minjis: Client) -> None:
    assistant.save("minji", "부산에서 살아요")

    assert "q=" not in found(at_minjis, "부산")
    assert at_minjis.get("/me/memories/search/?q=부산").status_code == 302


def test_the_search_goes_on_where_it_stopped(assistant: Runtime, at_minjis: Client) -> None:
    for number in range(40):
        assistant.save("minji", f"{number}번 버스를 자주 타요")

    first = found(at_minjis, "버스")
    assert 'name="skip" value="30"' in first
    rest = at_minjis.post("/me/memories/search/", {"q": "버스", "skip": "30"}).content.decode()
    assert (first.count('name="ids"'), rest.count('name="ids"')) == (30, 10)


def test_lifting_a_mask_leaves_a_receipt(assistant: Runtime, minji: Person, at_minjis: Client) -> None:
    memory_id = assistant.save("minji", PHONE).json()["memory"]["memory_id"]
    assert Reveal.objects.count() == 0

    answer = at_minjis.post(f"/me/memories/{memory_id}/reveal/", headers={"hx-request": "true"})

    assert "010-1234-5678" in answer.content.decode()
    assert str(Reveal.objects.get(person=minji).memory_id) == memory_id
    assert "When you looked at it" in at_minjis.get(f"/me/memories/{memory_id}/").content.decode()


@pytest.fixture
def long_ago(monkeypatch: Any) -> Any:
    """Makes the sign-in an old one."""

    def go() -> None:
        later = time.time() + 3600
        monkeypatch.setattr("memoryapp.pages.recent.time.time", lambda: later)

    return go


def test_a_restricted_value_asks_for_the_password_when_the_sign_in_is_old(
    assistant: Runtime, at_minjis: Client, long_ago: Any
) -> None:
    memory_id = assistant.save("minji", SECRET).json()["memory"]["memory_id"]
    assert "1234*" in at_minjis.get(f"/me/memories/{memory_id}/").content.decode()

    long_ago()
    for path in (f"/me/memories/{memory_id}/", f"/me/memories/{memory_id}/correct/"):
        answer = at_minjis.get(path)
        assert (answer.status_code, "1234*" in answer.content.decode()) == (303, False)
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    answer = at_minjis.post(f"/me/memories/{memory_id}/reveal/", headers={"hx-request": "true"})
    assert answer.headers["HX-Redirect"].startswith("/accounts/reauthenticate/")
    assert "1234*" not in answer.content.decode()


def test_the_export_asks_for_the_password_when_the_sign_in_is_old(
    assistant: Runtime, at_minjis: Client, long_ago: Any
) -> None:
    assistant.save("minji", SECRET)

    long_ago()
    answer = at_minjis.get("/me/export/memory-export.ndjson")
    assert (answer.status_code, answer.content) == (303, b"")
    assert answer.headers["Location"] == "/accounts/reauthenticate/?next=%2Fme%2Fexport%2F"
    assert " download" not in at_minjis.get("/me/export/").content.decode().partition("export.ndjson")[2][:40]


def test_after_the_password_it_goes_on_where_it_was_asked(
    assistant: Runtime, at_minjis: Client, long_ago: Any, monkeypatch: Any
) -> None:
    memory_id = assistant.save("minji", SECRET).json()["memory"]["memory_id"]
    path = f"/me/memories/{memory_id}/"

    answer = at_minjis.post(f"/accounts/reauthenticate/?next={path}", {"password": PASSWORD, "next": path})

    assert answer.headers["Location"] == path
