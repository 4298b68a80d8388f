"""How much a session may hold, and that nothing is written beyond it."""

import unicodedata
from typing import Any

import pytest

from memoryapp.contexts import limits
from memoryapp.contexts.keys import MAX_LENGTH, key_of
from memoryapp.contexts.usage import percent
from memoryapp.models import ContextBlock, ContextEntry
from tests.contexts.conftest import Chat


def test_a_session_has_only_so_many_blocks(chat: Chat, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "BLOCKS_PER_SESSION", 2)
    assert chat.put("one", "writable").status_code == 201
    assert chat.put("two", "writable").status_code == 201
    assert chat.put("three", "writable").status_code == 400
    assert chat.put("two", "writable").status_code == 200
    assert ContextBlock.objects.count() == 2


def test_a_block_has_only_so_many_entries(chat: Chat, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "ENTRIES_PER_BLOCK", 2)
    chat.put("knowledge", "searchable")
    chat.write("knowledge", "a", title="One")
    chat.write("knowledge", "b", title="Two")
    assert "2 entries already" in chat.failed(
        "set_context", label="knowledge", content="c", metadata={"title": "Three"}
    )
    chat.write("knowledge", "bb", title="Two")
    assert ContextEntry.objects.count() == 2


def test_a_text_has_at_most_32_kib_also_after_appends(chat: Chat) -> None:
    chat.put("memory", "writable")
    piece = "가나다라 " * 1500  # 19.5 kB
    chat.write("memory", piece)
    said = chat.failed("set_context", label="memory", content=piece, action="append")
    assert "too many" in said
    assert chat.block("memory").json()["content"] == piece
    assert chat.call("set_context", label="memory", content="x" * (limits.TEXT_BYTES + 1)).status_code == 400


def test_a_session_holds_only_so_many_bytes_in_all(chat: Chat, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SESSION_BYTES", 100)
    chat.put("memory", "writable", content="x" * 60)
    chat.put("knowledge", "searchable")
    assert "can hold 100 bytes" in chat.failed(
        "set_context", label="knowledge", content="y" * 50, metadata={"title": "One"}
    )
    chat.write("knowledge", "y" * 40, title="One")
    other = Chat(chat.runtime, chat.user_id, "s2")
    assert other.put("memory", "writable", content="x" * 60).status_code == 201


@pytest.mark.parametrize("max_tokens", [0, -1, 10**9, "20", 1.5, True])
def test_a_limit_is_a_sensible_number(chat: Chat, max_tokens: Any) -> None:
    wanted = 201 if max_tokens == "20" else 400
    assert chat.put("memory", "writable", max_tokens=max_tokens).status_code == wanted


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Fry an egg", "fry-an-egg"),
        ("계란 부치기", "계란-부치기"),
        (unicodedata.normalize("NFD", "계란 부치기!"), "계란-부치기"),
        ("  A / B_c -- d! ", "a-b-c-d"),
        ("हिन्दी पाठ", "हिन्दी-पाठ"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "full-width"),
        ("!!!", ""),
        ("🍳", ""),
    ],
)
def test_keys_are_readable(title: str, key: str) -> None:
    assert key_of(title) == key
    assert key_of(key) == key


def test_long_titles_with_one_beginning_have_keys_of_their_own() -> None:
    one, two = key_of("word " * 40 + "one"), key_of("word " * 40 + "two")
    assert one != two
    assert max(len(one), len(two)) <= MAX_LENGTH


def test_percentages_are_rounded_half_up() -> None:
    assert [percent(7, 2000), percent(10, 2000), percent(1, 8), percent(2000, 2000)] == [0, 1, 13, 100]
