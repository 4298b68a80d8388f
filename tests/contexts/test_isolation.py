"""Whose blocks they are: one session of one person at one service, unless shared, and only with consent."""

import json
from typing import Any

import pytest
from django.db import connection

from consent import ledger
from consent.domains import Domain
from memoryapp import keys
from memoryapp.models import ContextBlock, ContextEntry, ContextGrant, ContextLoad, FrozenPrompt
from tests.conftest import Runtime, withdraw
from tests.contexts.conftest import Chat

ZEBRA = "zebra-7731"


@pytest.fixture
def full(chat: Chat) -> Chat:
    """A session with something in each kind of block."""
    chat.put("soul", "readonly", content=f"soul {ZEBRA}")
    chat.put("memory", "writable", content=f"memory {ZEBRA}", description=f"for {ZEBRA}")
    chat.put("knowledge", "searchable")
    chat.put("skills", "loadable")
    chat.write("knowledge", f"knowledge {ZEBRA}", title=f"About {ZEBRA}")
    chat.write("skills", f"skills {ZEBRA}", title=f"Do {ZEBRA}", metadata={"description": ZEBRA})
    chat.said("load_context", label="skills", key=f"do-{ZEBRA}")
    assert ZEBRA in chat.refresh()
    return chat


def test_jiho_in_a_session_of_the_same_name_sees_nothing_of_minjis(full: Chat, jiho: Any) -> None:
    other = Chat(full.runtime, "jiho")
    _sees_nothing(other)
    assert other.delete("memory").status_code == 404
    assert ZEBRA in full.prompt


def test_the_homebot_sees_nothing_of_the_assistants_sessions(full: Chat, homebot: Runtime) -> None:
    other = Chat(homebot, "minji")
    _sees_nothing(other)
    assert other.delete("memory").status_code == 404
    assert ZEBRA in full.prompt


def test_another_session_sees_nothing(full: Chat) -> None:
    _sees_nothing(Chat(full.runtime, "minji", "s2"))


def _sees_nothing(other: Chat) -> None:
    assert other.prompt == ""
    assert other.refresh() == ""
    assert other.tools() == []
    for label in ("soul", "memory", "knowledge", "skills"):
        assert other.block(label).status_code == 404
        assert ZEBRA not in other.failed("search_context", label=label, query=ZEBRA)
    listed = other.runtime.get(f"sessions/{other.session_id}/contexts", user_id=other.user_id)
    assert listed.json() == {"items": [], "next": None}


def test_a_key_without_the_permission_may_not_touch_contexts(full: Chat) -> None:
    _, secret = keys.issue(full.runtime.service, ["recall", "save", "manage"])
    other = Chat(Runtime(full.runtime.service, secret, full.runtime.http), "minji")
    assert other.block("memory").status_code == 403
    assert other.put("memory", "writable").status_code == 403
    assert other.call("search_context", label="knowledge", query=ZEBRA).status_code == 403


@pytest.mark.parametrize("user_id", ["", "  ", None])
def test_a_blank_user_is_refused(chat: Chat, user_id: Any) -> None:
    assert Chat(chat.runtime, user_id).put("memory", "writable").status_code == 400
    assert chat.runtime.get("sessions/s1/prompt", user_id=user_id or "").status_code == 400
    assert ContextBlock.objects.count() == 0


def test_strange_session_ids_are_exact(chat: Chat) -> None:
    for session_id in ("kim_a", "kim-a", "%25", "a/b", "세션"):
        assert (
            Chat(chat.runtime, "minji", session_id).put("memory", "writable", content=session_id).status_code
            == 201
        )
    for session_id in ("kim_a", "kim-a", "%25", "a/b", "세션"):
        assert session_id in Chat(chat.runtime, "minji", session_id).prompt
    assert Chat(chat.runtime, "minji", "kim%01").put("memory", "writable").status_code == 404


@pytest.mark.parametrize("label", ["a%20%20b", "%20a", "a=b", "x" * 65, "a%0Ab", "═"])
def test_a_label_is_a_plain_name(chat: Chat, label: str) -> None:
    assert chat.put(label, "writable").status_code == 400


def test_two_labels_that_read_the_same_are_refused(chat: Chat) -> None:
    assert chat.put("Memory", "writable").status_code == 201
    assert chat.put("memory", "writable").status_code == 409
    assert chat.put("메모", "writable").status_code == 201


def test_a_block_that_holds_something_does_not_change_its_nature(chat: Chat) -> None:
    chat.put("memory", "writable", content="Tea.")
    assert chat.put("memory", "loadable").status_code == 409
    assert chat.put("memory", "readonly").json()["content"] == "Tea."
    chat.put("empty", "writable")
    assert chat.put("empty", "loadable").status_code == 200


# ------------------------------------------------------------------ sharing


def test_sharing_is_explicit_and_revocable(full: Chat) -> None:
    child = Chat(full.runtime, "minji", "sub-agent")
    child.put("own", "writable", content="Child.")
    assert child.refresh().count("═" * 46) == 2
    assert full.share("memory", "sub-agent").status_code == 201
    assert full.share("memory", "sub-agent").status_code == 200
    assert ZEBRA not in child.prompt  # frozen
    assert child.refresh().index("OWN") < child.prompt.index("MEMORY")
    child.write("memory", "from the child", action="append")
    assert full.block("memory").json()["content"].endswith("from the child")
    assert full.block("memory").json()["shared_with"] == ["sub-agent"]
    assert child.block("memory").json()["shared_from"] == "s1"
    assert child.delete("memory").status_code == 404  # not the child's to delete
    assert full.revoke("memory", "sub-agent").status_code == 200
    assert ZEBRA not in child.prompt
    assert "Child." in child.prompt
    assert child.block("memory").status_code == 404
    assert full.revoke("memory", "sub-agent").status_code == 404
    assert ZEBRA in full.prompt


def test_what_is_loaded_is_each_sessions_own(full: Chat) -> None:
    child = Chat(full.runtime, "minji", "sub-agent")
    full.share("skills", "sub-agent")
    assert child.block("skills").json()["entries"][0]["loaded"] is False
    child.said("load_context", label="skills", key=f"do-{ZEBRA}")
    full.said("unload_context", label="skills", key=f"do-{ZEBRA}")
    assert child.block("skills").json()["entries"][0]["loaded"] is True


def test_sharing_reaches_no_other_person_and_no_other_service(
    full: Chat, jiho: Any, homebot: Runtime
) -> None:
    full.share("memory", "s2")
    _sees_nothing(Chat(full.runtime, "jiho", "s2"))
    _sees_nothing(Chat(homebot, "minji", "s2"))


def test_a_share_cannot_hide_a_block_of_the_other_session(full: Chat) -> None:
    other = Chat(full.runtime, "minji", "s2")
    other.put("memory", "writable")
    assert full.share("memory", "s2").status_code == 409
    full.share("skills", "s2")
    assert other.put("SKILLS", "writable").status_code == 409
    assert full.share("skills", "s1").status_code == 400
    assert full.share("nothing", "s2").status_code == 404


def test_deleting_a_shared_block_takes_it_from_both_prompts(full: Chat) -> None:
    child = Chat(full.runtime, "minji", "sub-agent")
    full.share("memory", "sub-agent")
    assert ZEBRA in child.refresh()
    full.delete("memory")
    assert ZEBRA not in child.prompt
    assert f"memory {ZEBRA}" not in full.prompt
    assert _stored_prompts(full) == 1  # the child's held nothing else


def _stored_prompts(chat: Chat) -> int:
    return FrozenPrompt.objects.filter(person__user_id=chat.user_id).count()


# ------------------------------------------------------------------ consent


def test_without_consent_nothing_is_stored(assistant: Runtime, make_person: Any) -> None:
    make_person("sora", consents=())
    for user_id in ("sora", "nobody"):
        chat = Chat(assistant, user_id)
        refused = chat.put("memory", "writable", content="Tea.")
        assert refused.status_code == 403
        assert refused.json()["code"] == "consent-required"
        assert chat.call("set_context", label="memory", content="Tea.").status_code == 403
        assert chat.prompt_answer() == {"prompt": "", "tokens": 0, "frozen_at": None, "reason": "no-consent"}
        assert chat.tools() == []
        assert chat.said("search_context", label="memory", query="tea") == "Nothing is available."
    assert ContextBlock.objects.count() == 0


def test_a_withdrawal_empties_prompt_and_tools_at_once_and_erases_nothing(full: Chat, minji: Any) -> None:
    before = full.prompt
    withdraw(minji)
    assert full.prompt == ""
    assert full.refresh() == ""
    assert full.tools() == []
    assert full.block("memory").status_code == 403
    for tool, argument in (("search_context", "query"), ("load_context", "key"), ("unload_context", "key")):
        assert full.said(tool, label="skills", **{argument: ZEBRA}) == "Nothing is available."
    ledger.decide(minji, Domain.LONG_TERM_MEMORY, True, actor="person", source="my-page")
    assert full.prompt == before


def test_a_person_who_lets_services_keep_nothing_has_no_blocks(full: Chat, minji: Any) -> None:
    ledger.decide(minji, Domain.SERVICE_MEMORY, False, actor="person", source="my-page")
    assert full.prompt_answer()["reason"] == "no-consent"
    assert full.put("memory", "writable").status_code == 403
    assert full.delete("memory").status_code == 200


def test_deleting_needs_no_consent(full: Chat, minji: Any) -> None:
    withdraw(minji)
    assert full.delete("memory").status_code == 200
    assert full.delete("memory").status_code == 404


def test_with_memory_off_the_service_has_no_contexts(full: Chat) -> None:
    full.runtime.configure(memory_enabled=False)
    assert full.prompt_answer()["reason"] == "memory-off"
    assert full.put("memory", "writable").json()["code"] == "memory-off"


# ------------------------------------------------------------------ at rest, export, erasure


def test_nothing_of_it_is_readable_in_the_database(full: Chat) -> None:
    assert ZEBRA not in _dump()
    assert "do-zebra" not in _dump()


def test_the_export_holds_blocks_entries_and_prompts(full: Chat) -> None:
    answer = full.runtime.get("export", user_id="minji")
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    blocks = {line["label"]: line for line in lines if line["kind"] == "context"}
    assert set(blocks) == {"soul", "memory", "knowledge", "skills"}
    assert blocks["memory"]["content"] == f"memory {ZEBRA}"
    assert blocks["memory"]["context_kind"] == "writable"
    assert blocks["skills"]["entries"][0]["content"] == f"skills {ZEBRA}"
    prompts = [line for line in lines if line["kind"] == "prompt"]
    assert [line["prompt"] for line in prompts] == [full.prompt]


def test_erasing_the_person_leaves_no_row(full: Chat) -> None:
    full.share("memory", "s2")
    assert full.runtime.delete("users/minji").status_code == 200
    for model in (ContextBlock, ContextEntry, ContextGrant, ContextLoad, FrozenPrompt):
        assert model._default_manager.count() == 0


def test_deleting_the_session_deletes_its_blocks_and_its_prompt(full: Chat) -> None:
    child = Chat(full.runtime, "minji", "sub-agent")
    child.put("own", "writable", content="Child.")
    full.share("memory", "sub-agent")
    assert ZEBRA in child.refresh()
    answer = full.runtime.delete("sessions/s1?user_id=minji")
    assert (answer.status_code, answer.json()["contexts"]) == (200, 4)
    assert full.prompt == ""
    assert ZEBRA not in child.prompt
    assert "Child." in child.prompt
    assert full.runtime.delete("sessions/s1?user_id=minji").status_code == 404


def _dump() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [row[0] for row in cursor.fetchall()]
        texts = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608 - names from the catalogue
            texts += [row[0] for row in cursor.fetchall()]
    return "\n".join(texts)
