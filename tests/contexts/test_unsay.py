"""A deleted or corrected memory leaves the blocks and prompts that its words were copied to."""

from typing import Any

import pytest

from memoryapp import tokens
from memoryapp.contexts.unsay import _remover
from memoryapp.models import ContextEntry
from tests.contexts.conftest import Chat

FACT = "저는 땅콩 알레르기가 있어요"


@pytest.fixture
def memory_id(chat: Chat) -> str:
    return str(chat.runtime.save("minji", FACT).json()["memory"]["memory_id"])


def forget(chat: Chat, memory_id: str) -> None:
    assert chat.runtime.delete(f"memories/{memory_id}?user_id=minji").status_code == 200


def test_a_deleted_memory_leaves_block_and_frozen_prompt_at_once(chat: Chat, memory_id: str) -> None:
    chat.put("memory", "writable", max_tokens=500, content=f"- 부산에 산다.\n- {FACT}.\n- 차를 좋아한다.")
    assert FACT in chat.prompt
    forget(chat, memory_id)
    assert FACT not in chat.prompt
    block = chat.block("memory").json()
    assert block["content"] == "- 부산에 산다.\n- 차를 좋아한다."
    assert block["tokens"] == tokens.count(block["content"])


def test_also_when_only_the_frozen_prompt_still_shows_it(chat: Chat, memory_id: str) -> None:
    chat.put("memory", "writable", content=FACT)
    chat.put("soul", "readonly", content="친절하게.")
    assert FACT in chat.prompt
    chat.write("memory", "다른 이야기")
    assert FACT in chat.prompt
    forget(chat, memory_id)
    assert FACT not in chat.prompt
    assert "친절하게." in chat.prompt
    answer = chat.prompt_answer()
    assert answer["tokens"] == tokens.count(answer["prompt"])


def test_a_corrected_memory_leaves_too(chat: Chat, memory_id: str) -> None:
    chat.put("memory", "writable", content=f"메모: {FACT}!")
    assert FACT in chat.prompt
    body = {"user_id": "minji", "statement": "저는 새우 알레르기가 있어요"}
    assert chat.runtime.patch(f"memories/{memory_id}", body).status_code == 200
    assert FACT not in chat.prompt
    assert chat.block("memory").json()["content"] == "메모: !"


def test_a_correction_of_other_fields_takes_nothing_out(chat: Chat, memory_id: str) -> None:
    chat.put("memory", "writable", content=FACT)
    assert (
        chat.runtime.patch(f"memories/{memory_id}", {"user_id": "minji", "confidence": 0.5}).status_code
        == 200
    )
    assert chat.block("memory").json()["content"] == FACT


def test_it_leaves_entries_and_what_lists_them(chat: Chat, memory_id: str) -> None:
    chat.put("knowledge", "searchable")
    chat.put("skills", "loadable")
    chat.write("knowledge", f"첫 줄\n{FACT}", title="One")
    chat.write("knowledge", FACT, title="Two")
    chat.write("skills", "요리법", title="요리", metadata={"description": f"{FACT}, 조심"})
    assert FACT in chat.refresh()
    forget(chat, memory_id)
    assert FACT not in chat.prompt
    assert "\n1 entry indexed.\n" in chat.prompt
    assert (
        chat.said("search_context", label="knowledge", query="땅콩 알레르기") == "Nothing found in knowledge."
    )
    assert ContextEntry.objects.count() == 2


def test_it_leaves_nobody_elses(chat: Chat, memory_id: str, jiho: Any) -> None:
    other = Chat(chat.runtime, "jiho")
    other.put("memory", "writable", content=FACT)
    forget(chat, memory_id)
    assert other.block("memory").json()["content"] == FACT


def test_every_service_and_session_is_cleared(chat: Chat, memory_id: str, homebot: Any) -> None:
    others = [Chat(homebot, "minji"), Chat(chat.runtime, "minji", "s2")]
    for other in others:
        other.put("memory", "writable", content=FACT)
        assert FACT in other.prompt
    forget(chat, memory_id)
    assert [FACT in other.prompt for other in others] == [False, False]


@pytest.mark.parametrize(
    ("statement", "text", "rest"),
    [
        ("Minji lives in Seoul.", "minji  lives\nin seoul, I think", ", I think"),
        ("Minji lives in Seoul", "* Minji lives in Seoul.\nTea.", "Tea."),
        ("커피", "커피를 좋아해\n- 커피\n끝", "커피를 좋아해\n끝"),
        ("차", "차", ""),
        ("a.b*c (d) plus", "x a.b*c (d) plus y", "x  y"),
        ("부산에서 살아요", "서울에서 살아요", "서울에서 살아요"),
    ],
)
def test_only_the_statement_goes(statement: str, text: str, rest: str) -> None:
    without = _remover(statement)
    assert without is not None
    assert without(text) == rest


def test_a_statement_without_words_takes_nothing_out() -> None:
    assert _remover(" .!? ") is None
