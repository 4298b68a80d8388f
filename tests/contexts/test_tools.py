"""The tools that follow from a session's blocks, and what they do."""

from typing import Any

import pytest

from memoryapp import tokens
from memoryapp.contexts import limits
from memoryapp.contexts.usage import usage
from memoryapp.models import ContextEntry
from tests.contexts.conftest import Chat


def names(chat: Chat) -> list[str]:
    return [tool["name"] for tool in chat.tools()]


def test_tools_follow_from_the_kinds(chat: Chat) -> None:
    assert names(chat) == []
    chat.put("soul", "readonly", content="Kind.")
    assert names(chat) == []
    chat.put("memory", "writable")
    assert names(chat) == ["set_context"]
    chat.put("knowledge", "searchable")
    assert names(chat) == ["set_context", "search_context"]
    chat.put("skills", "loadable")
    assert names(chat) == ["set_context", "search_context", "load_context", "unload_context"]


def test_a_tool_is_plain_json_schema_and_takes_no_user(chat: Chat) -> None:
    chat.put("memory", "writable", description="Facts about Minji")
    chat.put("skills", "loadable")
    tool = chat.tools()[0]
    assert tool["parameters"] == {
        "type": "object",
        "properties": {
            "label": {"type": "string", "description": "The block.", "enum": ["memory", "skills"]},
            "content": tool["parameters"]["properties"]["content"],
            "action": tool["parameters"]["properties"]["action"],
            "metadata": tool["parameters"]["properties"]["metadata"],
        },
        "required": ["label", "content"],
        "additionalProperties": False,
    }
    assert "- memory: Facts about Minji\n- skills: loadable" in tool["description"]
    assert not any("user" in name for t in chat.tools() for name in t["parameters"]["properties"])


def test_tools_come_in_the_shapes_of_openai_and_mcp(chat: Chat) -> None:
    chat.put("memory", "writable")
    plain = chat.tools()[0]
    assert chat.tools(style="openai") == [{"type": "function", "function": plain}]
    assert chat.tools(style="mcp") == [
        {"name": "set_context", "description": plain["description"], "inputSchema": plain["parameters"]}
    ]


def test_replace_and_append_answer_with_the_usage(chat: Chat) -> None:
    chat.put("memory", "writable", max_tokens=2000)
    assert chat.write("memory", "저는 엔지니어입니다.").startswith("Written to memory. Usage: 0% — ")
    chat.write("memory", "고수를 못 먹어요.", action="append")
    text = "저는 엔지니어입니다.\n고수를 못 먹어요."
    assert chat.block("memory").json()["content"] == text
    assert chat.block("memory").json()["usage"] == usage(tokens.count(text), 2000)
    chat.write("memory", "처음부터.")
    assert chat.block("memory").json()["content"] == "처음부터."


def test_over_the_limit_nothing_is_written_and_it_says_by_how_much(chat: Chat) -> None:
    chat.put("memory", "writable", max_tokens=20, content="Likes tea.")
    before = chat.block("memory").json()
    long = "안녕하세요 " * 20
    would = tokens.count(f"Likes tea.\n{long}")
    said = chat.failed("set_context", label="memory", content=long, action="append")
    assert f"{would} of 20 tokens, {would - 20} too many" in said
    assert chat.block("memory").json() == before


def test_a_declaration_that_does_not_fit_is_refused(chat: Chat) -> None:
    chat.put("memory", "writable", max_tokens=20, content="Likes tea.")
    before = chat.block("memory").json()
    content = chat.put("memory", "writable", max_tokens=20, content="word " * 50)
    assert content.status_code == 400
    assert "too many" in content.json()["errors"]["content"][0]
    limit = chat.put("memory", "writable", max_tokens=1)
    assert limit.status_code == 400
    assert "max_tokens" in limit.json()["errors"]
    assert chat.block("memory").json() == before


def test_a_readonly_block_cannot_be_written(chat: Chat) -> None:
    chat.put("soul", "readonly", content="Kind.")
    assert (
        chat.failed("set_context", label="soul", content="Rude.") == "soul is readonly: it cannot be written."
    )
    assert chat.block("soul").json()["content"] == "Kind."


def test_an_unknown_label_is_told_to_the_model_with_those_there_are(chat: Chat) -> None:
    assert "no context blocks" in chat.failed("search_context", label="knowledge", query="tea")
    chat.put("memory", "writable")
    assert "Blocks: memory." in chat.failed("set_context", label="memories", content="x")


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("set_context", {"label": "memory"}, "arguments.content"),
        ("set_context", {"label": "memory", "content": "x", "action": "prepend"}, "arguments.action"),
        ("set_context", {"label": "memory", "content": "x", "user_id": "jiho"}, "arguments.user_id"),
        (
            "set_context",
            {"label": "memory", "content": "x", "metadata": {"name": "y"}},
            "arguments.metadata.name",
        ),
        ("search_context", {"label": "memory", "query": 7}, "arguments.query"),
        ("load_context", {"label": "memory"}, "arguments.key"),
    ],
)
def test_a_malformed_call_is_the_runtimes_problem(
    chat: Chat, tool: str, arguments: dict[str, Any], field: str
) -> None:
    answer = chat.call(tool, **arguments)
    assert answer.status_code == 400
    assert answer["Content-Type"].startswith("application/problem+json")
    assert field in answer.json()["errors"]


def test_an_unknown_tool_is_not_found(chat: Chat) -> None:
    assert chat.call("drop_context", label="memory").status_code == 404


def test_entries_are_keyed_by_their_titles(chat: Chat) -> None:
    chat.put("skills", "loadable")
    assert "key fry-an-egg." in chat.write("skills", "Heat the pan.", title="Fry an egg")
    assert "key 계란-부치기." in chat.write("skills", "팬을 달군다.", title="계란 부치기")
    assert chat.write("skills", "Heat it more.", title="fry an EGG!").startswith("Replaced in skills")
    keys = [(entry["key"], entry["content"]) for entry in chat.block("skills").json()["entries"]]
    assert keys == [("fry-an-egg", "Heat it more."), ("계란-부치기", "팬을 달군다.")]


def test_an_entry_without_a_title_goes_by_its_first_line(chat: Chat) -> None:
    chat.put("knowledge", "searchable")
    assert "key 회의는-5월-3일" in chat.write("knowledge", "회의는 5월 3일\n장소는 부산")
    assert "metadata.title" in chat.failed("set_context", label="knowledge", content="!!!")


def test_appending_to_an_entry_keeps_its_description(chat: Chat) -> None:
    chat.put("skills", "loadable")
    chat.write("skills", "Heat the pan.", title="Fry an egg", metadata={"description": "Breakfast"})
    chat.write("skills", "Break the egg.", title="Fry an egg", action="append")
    entry = chat.block("skills").json()["entries"][0]
    assert (entry["content"], entry["description"]) == ("Heat the pan.\nBreak the egg.", "Breakfast")


def test_an_empty_text_removes_an_entry_and_clears_a_block(chat: Chat) -> None:
    chat.put("skills", "loadable", max_tokens=100)
    chat.write("skills", "Heat the pan.", title="Fry an egg")
    assert "Removed from skills, key fry-an-egg. Usage: 0% — 0/100" in chat.write(
        "skills", "", title="Fry an egg"
    )
    assert chat.block("skills").json()["entries"] == []
    assert "no entry" in chat.failed("set_context", label="skills", content="", metadata={"title": "Fry"})
    chat.put("memory", "writable", content="Tea.")
    chat.write("memory", "")
    assert chat.block("memory").json()["content"] == ""


def test_the_limit_of_an_entries_block_is_for_all_entries_together(chat: Chat) -> None:
    chat.put("knowledge", "searchable", max_tokens=30)
    chat.write("knowledge", "tea " * 10, title="One")
    said = chat.failed("set_context", label="knowledge", content="tea " * 30, metadata={"title": "Two"})
    assert "of 30 tokens" in said
    chat.write("knowledge", "tea", title="One")
    chat.write("knowledge", "tea " * 20, title="Two")
    assert ContextEntry.objects.count() == 2


def test_search_finds_by_the_words_of_either_language(chat: Chat) -> None:
    chat.put("knowledge", "searchable")
    chat.write("knowledge", "민지는 부산에서 살아요.", title="사는 곳")
    chat.write("knowledge", "The deployments run every Friday.", title="Release days")
    assert (
        chat.said("search_context", label="knowledge", query="부산은") == "[사는-곳]\n민지는 부산에서 살아요."
    )
    assert chat.said("search_context", label="knowledge", query="deploying on fridays").startswith(
        "[release-days]"
    )
    for nothing in ("회의", "도로", "", "   ", "&|!", "'\":*", "the"):
        assert chat.said("search_context", label="knowledge", query=nothing) == "Nothing found in knowledge."


def test_search_puts_the_best_first_and_follows_changes(chat: Chat) -> None:
    chat.put("knowledge", "searchable")
    chat.write("knowledge", "Alpha is mentioned once here among many other words of little use.", title="One")
    chat.write("knowledge", "Alpha alpha.", title="Two")
    assert chat.said("search_context", label="knowledge", query="alpha").startswith("[two]")
    chat.write("knowledge", "Beta.", title="Two")
    found = chat.said("search_context", label="knowledge", query="alpha")
    assert found.startswith("[one]")
    assert "[two]" not in found
    assert chat.said("search_context", label="knowledge", query="beta").startswith("[two]")


def test_search_gives_at_most_the_best_few_and_cuts_long_ones(chat: Chat) -> None:
    chat.put("knowledge", "searchable")
    for number in range(limits.SEARCH_RESULTS + 3):
        chat.write(
            "knowledge", f"tea number {number} " + "x " * limits.RESULT_CHARACTERS, title=f"Tea {number}"
        )
    found = chat.said("search_context", label="knowledge", query="tea")
    assert found.count("[tea-") == limits.SEARCH_RESULTS
    assert len(found) < limits.SEARCH_RESULTS * (limits.RESULT_CHARACTERS + 100)
    assert "characters)" in found


def test_identity_numbers_get_into_no_index_but_the_words_beside_them_do(chat: Chat) -> None:
    chat.put("knowledge", "searchable")
    chat.write("knowledge", "민지 전화번호 010-1234-5678", title="연락처")
    assert "010-1234-5678" in chat.said("search_context", label="knowledge", query="전화번호")
    assert chat.said("search_context", label="knowledge", query="1234 5678") == "Nothing found in knowledge."


def test_a_document_is_loaded_and_unloaded(chat: Chat) -> None:
    chat.put("skills", "loadable")
    chat.write("skills", "Heat the pan.", title="Fry an egg")
    frozen = chat.prompt
    assert chat.said("load_context", label="skills", key="fry-an-egg") == "Heat the pan."
    assert chat.said("load_context", label="skills", key="Fry an egg") == "Heat the pan."
    assert chat.block("skills").json()["entries"][0]["loaded"] is True
    assert chat.prompt == frozen
    assert "- fry-an-egg (loaded)\n" in chat.refresh()
    assert chat.said("unload_context", label="skills", key="fry-an-egg") == "Unloaded fry-an-egg of skills."
    assert chat.block("skills").json()["entries"][0]["loaded"] is False
    assert "not loaded" in chat.failed("unload_context", label="skills", key="fry-an-egg")
    assert chat.refresh() == frozen


def test_what_a_block_cannot_do_is_told(chat: Chat) -> None:
    chat.put("memory", "writable")
    chat.put("skills", "loadable")
    assert "cannot be searched" in chat.failed("search_context", label="memory", query="tea")
    assert "nothing can be loaded" in chat.failed("load_context", label="memory", key="tea")
    assert "no document" in chat.failed("load_context", label="skills", key="tea")


def test_declared_content_of_an_entries_block_is_an_entry(chat: Chat) -> None:
    chat.put("knowledge", "searchable", content="Release days\nEvery Friday.")
    chat.put("knowledge", "searchable", content="Release days\nEvery Friday.")
    assert [entry["key"] for entry in chat.block("knowledge").json()["entries"]] == ["release-days"]
    assert "Every Friday." in chat.said("search_context", label="knowledge", query="friday")
