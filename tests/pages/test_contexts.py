"""Minji looks at what assistants keep for a conversation with her, changes it, deletes it."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from memoryapp.models import ContextBlock, ContextEntry
from tests.conftest import Runtime, withdraw
from tests.contexts.conftest import Chat

NOTE = "민지는 고수를 못 먹어요"


@pytest.fixture
def chat(assistant: Runtime, minji: Any) -> Chat:
    """Minji's session s1 with the assistant."""
    return Chat(assistant, "minji")


@pytest.fixture
def block(chat: Chat) -> ContextBlock:
    chat.put("memory", "writable", description="민지에 대한 메모", max_tokens=200, content=NOTE)
    return ContextBlock.objects.get()


@pytest.fixture
def entry(chat: Chat) -> ContextEntry:
    chat.put("skills", "loadable")
    chat.write("skills", "팬을 달군다.", title="계란 부치기")
    return ContextEntry.objects.get()


def page(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.status_code
    return unescape(answer.content.decode())


def typed(browser: Client, path: str, text: str) -> dict[str, str]:
    """The edit form as the page fills it, with this text typed in."""
    version = re.search(r'name="version" value="(\d+)"', page(browser, path))
    assert version
    return {"version": version[1], "text": text}


def test_blocks_are_listed_under_their_sessions_without_their_words(
    at_minjis: Client,
    chat: Chat,
    block: ContextBlock,
    homebot: Any,
) -> None:
    Chat(homebot, "minji", "kitchen").put("notes", "writable", content="우유")
    shown = page(at_minjis, "/me/contexts/")
    assert shown.index("Homebot") < shown.index("Assistant")
    assert "<code>kitchen</code>" in shown
    assert f'href="/me/contexts/{block.pk}/"' in shown
    assert "고수" not in shown
    assert "우유" not in shown


def test_a_block_shows_all_it_holds(at_minjis: Client, block: ContextBlock, entry: ContextEntry) -> None:
    shown = page(at_minjis, f"/me/contexts/{block.pk}/")
    assert NOTE in shown
    assert "민지에 대한 메모" in shown
    assert "/200 tokens" in shown
    shown = page(at_minjis, f"/me/contexts/{entry.block_id}/")
    assert "계란 부치기" in shown
    assert "팬을 달군다." in shown


def test_an_edit_holds_at_once_also_in_the_frozen_prompt(
    at_minjis: Client, chat: Chat, block: ContextBlock
) -> None:
    assert NOTE in chat.prompt
    path = f"/me/contexts/{block.pk}/edit/"
    answer = at_minjis.post(path, typed(at_minjis, path, "민지는 고수를\r\n좋아해요"), follow=True)
    assert "Saved." in answer.content.decode()
    assert NOTE not in chat.prompt
    assert "민지는 고수를\n좋아해요" in chat.prompt


def test_an_entry_is_edited_in_place(at_minjis: Client, chat: Chat, entry: ContextEntry) -> None:
    path = f"/me/contexts/{entry.block_id}/entries/{entry.pk}/edit/"
    at_minjis.post(path, typed(at_minjis, path, "물을 끓인다."))
    assert chat.said("load_context", label="skills", key="계란-부치기") == "물을 끓인다."
    assert ContextEntry.objects.get().pk == entry.pk


def test_whoever_is_second_sees_the_conflict_and_keeps_what_was_typed(
    at_minjis: Client,
    chat: Chat,
    block: ContextBlock,
) -> None:
    path = f"/me/contexts/{block.pk}/edit/"
    form = typed(at_minjis, path, "내가 쓴 것")
    chat.write("memory", "그 사이에 쓰인 것")
    answer = at_minjis.post(path, form)
    shown = answer.content.decode()
    assert answer.status_code == 409
    assert "그 사이에 쓰인 것" in shown
    assert "내가 쓴 것" in shown
    assert chat.block("memory").json()["content"] == "그 사이에 쓰인 것"
    version = re.search(r'name="version" value="(\d+)"', shown)
    assert version
    assert at_minjis.post(path, {**form, "version": version[1]}).status_code == 302
    assert chat.block("memory").json()["content"] == "내가 쓴 것"


def test_a_text_that_does_not_fit_is_refused_and_kept_in_the_form(
    at_minjis: Client,
    chat: Chat,
    block: ContextBlock,
) -> None:
    path = f"/me/contexts/{block.pk}/edit/"
    answer = at_minjis.post(path, typed(at_minjis, path, "길다 " * 300))
    assert answer.status_code == 422
    assert "too many" in answer.content.decode()
    assert chat.block("memory").json()["content"] == NOTE


def test_deleting_asks_first_and_takes_it_from_the_prompt(
    at_minjis: Client, chat: Chat, block: ContextBlock
) -> None:
    assert NOTE in chat.prompt
    path = f"/me/contexts/{block.pk}/delete/"
    assert "Keep" in at_minjis.post(path).content.decode()
    assert ContextBlock.objects.count() == 1
    assert at_minjis.post(path, {"confirmed": "yes"}, follow=True).status_code == 200
    assert chat.prompt == ""
    assert ContextBlock.objects.count() == 0


def test_one_entry_is_deleted(at_minjis: Client, chat: Chat, entry: ContextEntry) -> None:
    assert "계란-부치기" in chat.prompt
    path = f"/me/contexts/{entry.block_id}/entries/{entry.pk}/delete/"
    assert "계란 부치기" in at_minjis.post(path).content.decode()
    at_minjis.post(path, {"confirmed": "yes"})
    assert "계란-부치기" not in chat.prompt
    assert ContextEntry.objects.count() == 0


def test_everything_works_while_consent_is_off(
    at_minjis: Client,
    chat: Chat,
    block: ContextBlock,
    minji: Any,
) -> None:
    withdraw(minji)
    assert NOTE in page(at_minjis, f"/me/contexts/{block.pk}/")
    path = f"/me/contexts/{block.pk}/edit/"
    assert at_minjis.post(path, typed(at_minjis, path, "다르게")).status_code == 302
    assert at_minjis.post(f"/me/contexts/{block.pk}/delete/", {"confirmed": "yes"}).status_code == 302
    assert chat.prompt == ""


def test_jiho_gets_none_of_it(at_jihos: Client, block: ContextBlock, entry: ContextEntry) -> None:
    assert "memory" not in re.findall(
        r"<a href=\"/me/contexts/[^\"]+\">(\w+)", page(at_jihos, "/me/contexts/")
    )
    base, inner = f"/me/contexts/{block.pk}/", f"/me/contexts/{entry.block_id}/entries/{entry.pk}/"
    for path in (base, f"{base}edit/", f"{inner}edit/"):
        assert at_jihos.get(path).status_code == 404
    for path in (f"{base}edit/", f"{base}delete/", f"{inner}edit/", f"{inner}delete/"):
        answer = at_jihos.post(path, {"confirmed": "yes", "text": "x", "version": "1"})
        assert answer.status_code == 404
    assert (ContextBlock.objects.count(), ContextEntry.objects.count()) == (2, 1)


def test_an_entry_is_only_reached_through_its_own_block(
    at_minjis: Client, block: ContextBlock, entry: ContextEntry
) -> None:
    assert at_minjis.get(f"/me/contexts/{block.pk}/entries/{entry.pk}/edit/").status_code == 404


def test_markup_in_a_block_is_plain_text(at_minjis: Client, chat: Chat) -> None:
    chat.put("memory", "writable", content="<img src=x onerror=alert(1)>", description="<b>x</b>")
    raw = at_minjis.get(f"/me/contexts/{ContextBlock.objects.get().pk}/").content.decode()
    assert "<img src=x" not in raw
    assert "&lt;img src=x" in raw
    assert "<b>x</b>" not in raw


def test_restricted_values_ask_for_the_password_again(at_minjis: Client, chat: Chat) -> None:
    chat.put("memory", "writable", content="주민등록번호 900101-1234567")
    block = ContextBlock.objects.get()
    assert "900101-1234567" in page(at_minjis, f"/me/contexts/{block.pk}/")  # just signed in
    session = at_minjis.session
    for record in session["account_authentication_methods"]:
        record["at"] = 0
    session.save()
    for path in (f"/me/contexts/{block.pk}/", f"/me/contexts/{block.pk}/edit/"):
        answer = at_minjis.get(path)
        assert answer.status_code == 303
        assert "reauthenticate" in answer["Location"]
