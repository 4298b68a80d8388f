"""The plain client: typed answers, clear refusals, and writes that are safe to send again."""

import re
import shutil
import subprocess
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx
import pytest

from memoryapp.client.errors import ConsentRequired, NotFound, Refusal, Unreachable
from memoryapp.client.http import AsyncClient, Client
from memoryapp.client.shapes import Entry
from tests.client.conftest import run
from tests.conftest import withdraw
from tests.live import PROJECT

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 5, 16, 9, tzinfo=timezone(timedelta(hours=9)))


def test_a_fact_is_saved_recalled_corrected_and_deleted(minji, agent):
    saved = agent.save("minji", "저는 부산에서 살아요", keywords=["집"])
    assert (saved.operation, saved.memory.scope, saved.memory.status) == ("insert", "personal", "confirmed")
    recalled = agent.recall("minji", "어디 살아?", execution_id="run-1")
    assert [memory.fact for memory in recalled.memories] == ["저는 부산에서 살아요"]
    assert "부산" in recalled.context
    assert recalled.query_time is not None
    corrected = agent.update_memory(
        "minji", saved.memory.memory_id, version=saved.memory.version, statement="저는 서울에서 살아요"
    )
    assert corrected.version > saved.memory.version
    with pytest.raises(Refusal) as stale:
        agent.update_memory("minji", saved.memory.memory_id, version=1, statement="저는 대구에서 살아요")
    assert stale.value.status == 412
    page = agent.list_memories("minji", validity="current", limit=10)
    assert [memory.statement for memory in page.items] == ["저는 서울에서 살아요"]
    assert agent.delete_memory("minji", saved.memory.memory_id).deleted == 1
    with pytest.raises(NotFound):
        agent.get_memory("minji", saved.memory.memory_id)


def test_entries_are_added_found_and_deleted(minji, agent):
    entries = [
        Entry(
            content="커피는 블랙으로", author="user", timestamp=NOW, event_id="e1", metadata={"mood": "good"}
        ),
        Entry(content="알겠어요", author="assistant", timestamp=NOW, event_id="e2"),
    ]
    assert [item.result for item in agent.add_session("minji", "s/1", entries)] == ["stored", "stored"]
    assert [item.result for item in agent.add_session("minji", "s/1", entries)] == ["duplicate", "duplicate"]
    alone = Entry(content="우산은 현관에", author="user", timestamp=NOW)
    assert agent.add_entry("minji", alone, project_id="acme").result == "stored"
    found = agent.search_entries("minji", "커피", top_k=1).entries[0]
    assert (found.content, found.author, found.timestamp, found.metadata) == (
        "커피는 블랙으로",
        "user",
        NOW,
        {"mood": "good"},
    )
    assert agent.delete_entries("minji", "우산", dry_run=True).ids == []
    assert agent.delete_entries("minji", "우산", project_id="acme", dry_run=True).deleted == 0
    assert agent.delete_entries("minji", "우산", project_id="acme").deleted == 1
    assert agent.delete_session("minji", "s/1").deleted == 2
    with pytest.raises(NotFound):
        agent.delete_session("minji", "s/1")


def test_a_session_has_blocks_a_frozen_prompt_and_tools(minji, agent):
    block = agent.put_context("minji", "s/1", "note", kind="writable", description="메모", max_tokens=200)
    assert (block.label, block.kind, block.content) == ("note", "writable", "")
    frozen = agent.prompt("minji", "s/1")
    assert "note".upper() in frozen.prompt
    assert [tool["name"] for tool in agent.tools("minji", "s/1")] == ["set_context"]
    said = agent.call_tool("minji", "s/1", "set_context", {"label": "note", "content": "우산 챙기기"})
    assert (said.is_error, "tokens" in said.result) == (False, True)
    assert agent.prompt("minji", "s/1") == frozen
    assert "우산 챙기기" in agent.refresh_prompt("minji", "s/1").prompt
    assert agent.get_context("minji", "s/1", "note").content == "우산 챙기기"
    assert agent.delete_context("minji", "s/1", "note").deleted == 1


def test_a_device_follows_and_hands_in(minji, agent):
    [done] = agent.push_writes(
        "minji",
        "speaker-1",
        [{"client_id": "w1", "kind": "memory", "payload": {"fact": "저는 부산에서 살아요"}}],
    )
    assert done["result"] == "applied"
    page = agent.pull_changes("minji", "speaker-1")
    assert [change["op"] for change in page.changes] == ["upsert"]
    assert not agent.pull_changes("minji", "speaker-1", cursor=page.cursor).changes
    lost = agent.pull_changes("minji", "speaker-1", cursor="no-such-cursor")
    assert lost.resync_from is not None


def test_an_unknown_voice_gets_nothing_personal(minji, agent):
    speaker = {"speaker_id": "voice-9", "speaker_state": "unknown", "speaker_confidence": 0.2}
    assert agent.resolve_speaker(speaker)["personalization_allowed"] is False
    context = agent.a2a_context({"utterance": "불 켜줘"})
    assert context["current_turn_priority"] == "required"
    known = {"speaker_id": "voice-1", "speaker_state": "identified", "speaker_confidence": 0.97}
    assert agent.register_workflow("laundry-1", known)["workflow_id"] == "laundry-1"
    assert agent.authorize_workflow("laundry-1", speaker, "cancel")["allowed"] is False


def test_turns_consents_and_erasure(minji, agent):
    receipt = agent.report_turn("minji", "s1", "t1", "저는 부산에서 살아요", "그렇군요", occurred_at=NOW)
    assert (receipt.stored, receipt.extraction) == (True, "queued")
    assert {item.domain: item.granted for item in agent.consents("minji")}["long_term_memory"]
    assert agent.set_consent("minji", "vital", True).receipt_id
    certificate = agent.delete_user("minji")
    assert certificate.key_destroyed
    assert certificate.counts["turn"] == 1
    assert agent.recall("minji", "부산").reason == "no-consent"


def test_what_the_person_has_not_agreed_to_is_an_error_of_its_own(minji, agent):
    withdraw(minji)
    with pytest.raises(ConsentRequired) as refused:
        agent.save("minji", "zebra-7731")
    assert refused.value.code == "consent-required"
    assert "zebra" not in str(refused.value)


def test_a_refusal_names_the_field_but_not_what_was_sent(minji, agent):
    with pytest.raises(Refusal) as refused:
        agent.save("minji", "x", memory_type="zebra-7731")
    assert (refused.value.status, list(refused.value.errors)) == (400, ["memory_type"])


def test_it_knows_what_the_service_can_do_and_whether_it_is_well(minji, agent):
    assert agent.capabilities().service == "assistant"
    assert agent.capabilities().project_scoping
    assert agent.healthy()


def test_the_awaiting_client_does_the_same(minji, assistant, live):
    async def work():
        async with AsyncClient(live.base_url + "/api/v1/", assistant.secret) as client:
            await client.save("minji", "저는 부산에서 살아요")
            return await client.recall("minji", "부산")

    assert [memory.fact for memory in run(work()).memories] == ["저는 부산에서 살아요"]


# ------------------------------------------------------------------ failures, without a server


def flaky(*answers):
    """A transport that gives these answers in turn, and the requests it saw."""
    seen = []

    def handle(request):
        seen.append(request)
        answer = answers[min(len(seen), len(answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return httpx.MockTransport(handle), seen


EMPTY = {"memories": [], "context": "", "injection_mode": "userContext", "count": 0}
TAKEN = {"turn_id": "t", "stored": True, "extraction": "queued", "reason": None}


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("memoryapp.client.http._pause", lambda attempt, answer: 0)


@pytest.mark.parametrize(
    "first", [httpx.ReadTimeout("x"), httpx.ConnectError("x"), httpx.Response(503), httpx.Response(429)]
)
def test_a_write_is_sent_again_under_the_same_idempotency_key(quick, first):
    transport, seen = flaky(first, httpx.Response(202, json=TAKEN))
    with Client("http://memory", "mk_x", transport=transport) as client:
        assert client.report_turn("minji", "s", "t", "안녕").stored
    keys = [request.headers["Idempotency-Key"] for request in seen]
    assert len(keys) == 2
    assert keys[0] == keys[1]


def test_two_writes_have_two_keys_and_a_read_has_none(quick):
    transport, seen = flaky(httpx.Response(202, json=TAKEN))
    with Client("http://memory", "mk_x", transport=transport) as client:
        client.report_turn("minji", "s", "t", "안녕")
        client.report_turn("minji", "s", "t", "안녕")
    assert seen[0].headers["Idempotency-Key"] != seen[1].headers["Idempotency-Key"]
    transport, seen = flaky(httpx.Response(200, json=EMPTY))
    with Client("http://memory", "mk_x", transport=transport) as client:
        client.recall("minji", "안녕")
    assert "Idempotency-Key" not in seen[0].headers


def test_after_all_retries_it_gives_up_without_telling_what_was_asked(quick):
    transport, seen = flaky(httpx.ConnectTimeout("zebra-7731"))
    with (
        Client("http://memory", "mk_x", transport=transport, retries=2) as client,
        pytest.raises(Unreachable) as error,
    ):
        client.recall("minji", "zebra-7731")
    assert len(seen) == 3
    assert "zebra" not in str(error.value)


def test_a_refusal_is_not_tried_again(quick):
    transport, seen = flaky(httpx.Response(400, json={"code": "invalid", "title": "No."}))
    with Client("http://memory", "mk_x", transport=transport) as client, pytest.raises(Refusal):
        client.recall("minji", "x")
    assert len(seen) == 1


def test_a_proxys_page_is_a_refusal_too(quick):
    transport, _ = flaky(httpx.Response(502, text="<html>"))
    with (
        Client("http://memory", "mk_x", transport=transport, retries=0) as client,
        pytest.raises(Refusal) as error,
    ):
        client.recall("minji", "x")
    assert error.value.status == 502


def test_a_service_that_requires_assertions_gets_one_for_each_user():
    transport, seen = flaky(httpx.Response(200, json=EMPTY))
    with Client(
        "http://memory", "mk_x", transport=transport, assertion=lambda user: f"signed-{user}"
    ) as client:
        client.recall("minji", "x")
        client.recall("jiho", "x")
    assert [request.headers["X-User-Assertion"] for request in seen] == ["signed-minji", "signed-jiho"]


def test_the_key_is_nowhere_to_be_read_by_accident():
    assert "mk_secret" not in repr(Client("http://memory", "mk_secret"))


# ------------------------------------------------------------------ the package


def test_the_client_imports_no_server_package():
    code = (
        "import sys, memoryapp.client.http, memoryapp.client.hook\n"
        "server = {'django', 'rest_framework', 'celery', 'psycopg', 'numpy', 'tink', 'mcp', 'langgraph'}\n"
        "print(sorted(server & {name.split('.')[0] for name in sys.modules}))"
    )
    clean = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert clean.stdout.strip() == "[]"


def test_the_wheel_builds_and_the_client_alone_pulls_no_server_package(tmp_path):
    source = tmp_path / "source"
    apart = shutil.ignore_patterns(".git", ".venv", ".data", "tests", "static", "*.egg-info", "build")
    shutil.copytree(PROJECT, source, ignore=apart)  # a build leaves folders behind
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), "."]
    built = subprocess.run(build, cwd=source, capture_output=True, text=True, check=False)
    if "No matching distribution found for setuptools" in built.stderr:
        pytest.skip("the build tool cannot be fetched here")
    assert built.returncode == 0, built.stderr
    [wheel] = Path(tmp_path).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [archive.read(name).decode() for name in names if name.endswith("/METADATA")]
    needed = [line.split(":", 1)[1] for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    alone = {re.split(r"[<>=;, ]", line.strip())[0] for line in needed if "extra ==" not in line}
    assert alone == {"anyio", "httpx"}
    assert [line for line in needed if 'extra == "client"' in line] == []
    assert {f"memoryapp/client/{name}.py" for name in ("http", "adk", "langgraph", "hook")} <= set(names)
