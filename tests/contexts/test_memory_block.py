"""A searchable block that stands for the person's own long-term memory (C7)."""

from memoryapp import keys
from memoryapp.models import Recall
from tests.conftest import Runtime, withdraw
from tests.contexts.conftest import Chat


def test_it_finds_what_the_person_remembers(chat: Chat) -> None:
    chat.runtime.save("minji", "저는 땅콩 알레르기가 있어요")
    chat.put("me", "searchable", source="memory")
    found = chat.said("search_context", label="me", query="땅콩 알레르기")
    assert "땅콩 알레르기" in found
    assert "RETRIEVED_LONG_TERM_MEMORY" in found  # delimited, as recall gives it


def test_a_search_is_a_recall_with_its_receipt(chat: Chat) -> None:
    chat.runtime.save("minji", "Minji plays the cello")
    chat.put("me", "searchable", source="memory")
    chat.said("search_context", label="me", query="cello")
    assert [len(row.items) for row in Recall.objects.all()] == [1]


def test_nothing_of_memory_is_ever_frozen_in(chat: Chat) -> None:
    saved = chat.runtime.save("minji", "My code word is zebra-7731").json()["memory"]["memory_id"]
    chat.put("me", "searchable", source="memory", description="What Minji told")
    frozen = chat.refresh()
    assert "ME (What Minji told) [searchable]" in frozen
    assert "zebra" not in frozen
    chat.said("search_context", label="me", query="code word")
    assert chat.refresh() == frozen
    chat.runtime.delete(f"memories/{saved}?user_id=minji")
    assert chat.prompt == frozen
    assert "zebra" not in chat.said("search_context", label="me", query="code word")


def test_it_offers_a_search_and_no_write(chat: Chat) -> None:
    chat.put("me", "searchable", source="memory")
    assert [tool["name"] for tool in chat.tools()] == ["search_context"]
    assert "cannot be written here" in chat.failed("set_context", label="me", content="Tea.")


def test_without_consent_nothing_is_available(chat: Chat, minji: object) -> None:
    chat.runtime.save("minji", "Minji plays the cello")
    chat.put("me", "searchable", source="memory")
    withdraw(minji)  # type: ignore[arg-type]
    answer = chat.call("search_context", label="me", query="cello").json()
    assert answer == {"result": "Nothing is available.", "is_error": False, "reason": "no-consent"}


def test_another_person_finds_nothing_in_theirs(chat: Chat, jiho: object) -> None:
    chat.runtime.save("minji", "Minji plays the cello")
    other = Chat(chat.runtime, "jiho")
    other.put("me", "searchable", source="memory")
    assert other.said("search_context", label="me", query="cello") == "Nothing found in me."


def test_a_key_that_may_not_recall_does_not_get_there_through_a_block(chat: Chat) -> None:
    chat.runtime.save("minji", "Minji plays the cello")
    chat.put("me", "searchable", source="memory")
    _, secret = keys.issue(chat.runtime.service, ["contexts"])
    other = Chat(Runtime(chat.runtime.service, secret, chat.runtime.http), "minji")
    assert other.said("search_context", label="me", query="cello") == "Nothing is available."
    assert other.put("me2", "searchable", source="memory").status_code == 403


def test_only_a_searchable_block_without_content_can_stand_for_memory(chat: Chat) -> None:
    assert chat.put("me", "writable", source="memory").status_code == 400
    assert chat.put("me", "searchable", source="memory", content="x").status_code == 400
    assert chat.put("me", "searchable", source="web").status_code == 400


def test_its_max_tokens_bounds_what_a_search_brings_back(chat: Chat) -> None:
    for number in range(8):
        chat.runtime.save("minji", f"Minji plays the cello in concert hall number {number} every week")
    chat.put("me", "searchable", source="memory")
    everything = chat.said("search_context", label="me", query="cello concert")
    chat.put("me", "searchable", source="memory", max_tokens=250)
    assert len(chat.said("search_context", label="me", query="cello concert")) < len(everything)
