"""The recall hook: once per run, before the question, never into the history, never in the way."""

from typing import Any

import pytest

from memoryapp.client.hook import AsyncRecallHook, RecallHook, insert
from memoryapp.client.http import AsyncClient, Client
from memoryapp.client.shapes import Recalled
from memoryapp.models import Memory, Recall
from tests.client.conftest import run
from tests.conftest import withdraw

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "안녕"},
    {"role": "assistant", "content": "안녕하세요"},
    {"role": "user", "content": [{"type": "text", "text": "땅콩 먹어도 돼?"}]},
]


def test_the_block_stands_before_the_present_question():
    chat = insert(CHAT, Recalled(context="BLOCK"))
    assert chat == [*CHAT[:3], {"role": "user", "content": "BLOCK"}, CHAT[3]]
    assert len(CHAT) == 4


def test_in_system_mode_it_ends_the_system_prompt():
    recalled = Recalled(context="BLOCK", injection_mode="system")
    assert insert(CHAT, recalled) == [{"role": "system", "content": "Be kind.\n\nBLOCK"}, *CHAT[1:]]
    assert insert(CHAT[1:], recalled)[0] == {"role": "system", "content": "BLOCK"}


def test_nothing_remembered_changes_nothing():
    assert insert(CHAT, Recalled()) == CHAT
    assert insert([], Recalled(context="BLOCK")) == [{"role": "user", "content": "BLOCK"}]


@pytest.mark.django_db(transaction=True)
def test_one_run_gets_one_snapshot_without_what_was_deleted(minji, assistant, agent):
    allergy = assistant.save("minji", "저는 땅콩 알레르기가 있어요").json()["memory"]["memory_id"]
    hook = RecallHook(agent)

    def block(run_id):
        return str(hook.inject(CHAT, user_id="minji", execution_id=run_id))

    first = block("r1")
    assert "땅콩 알레르기" in first
    assistant.save("minji", "저는 호두도 못 먹어요")
    assert block("r1") == first
    assert "호두" in block("r2")
    assert Recall.objects.count() == 2
    assistant.delete(f"memories/{allergy}?user_id=minji")
    assert "알레르기" not in block("r1")
    withdraw(minji)
    assert hook.inject(CHAT, user_id="minji", execution_id="r2") == CHAT
    assert Memory.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_the_awaiting_hook_does_the_same(minji, assistant, live):
    assistant.save("minji", "저는 땅콩 알레르기가 있어요")

    async def work():
        async with AsyncClient(live.base_url, assistant.secret) as client:
            hook = AsyncRecallHook(client, top_k=1)
            return await hook.inject(CHAT, user_id="minji", execution_id="r1")

    assert "땅콩 알레르기" in run(work())[3]["content"]


def test_a_service_that_is_down_is_no_error_and_the_question_is_not_logged(caplog):
    with Client("http://127.0.0.1:9", "x", retries=0) as client:
        chat = [{"role": "user", "content": "zebra-7731"}]
        assert RecallHook(client).inject(chat, user_id="minji", execution_id="r1") == chat
        answer = RecallHook(client).recall("zebra-7731", user_id="minji", execution_id="r1")
    assert answer.degraded
    assert "Unreachable" in caplog.text
    assert "zebra" not in caplog.text
