"""Many agents at once, on several workers, never get each other's memories."""

import asyncio
import json
import subprocess
import sys

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters

from memoryapp.models import Memory
from tests.live import PROJECT, server_environment
from tests.mcp.conftest import run

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 50
OF_MINJI, OF_JIHO = "민지의 암호는 사과나무예요", "지호의 암호는 배나무예요"


@pytest.fixture
def two_secrets(minji, jiho, assistant):
    assistant.save("minji", OF_MINJI)
    assistant.save("jiho", OF_JIHO)
    return {"minji": OF_MINJI, "jiho": OF_JIHO}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_fifty_agents_of_two_people_each_get_their_own(two_secrets, assistant, connect, mode):
    async def one(user_id):
        async with connect(assistant, user_id, mode=mode) as agent:
            result = await agent.call_tool("recall", {"query": "암호가 뭐예요?"})
            return user_id, [item["fact"] for item in result.structured_content["memories"]]

    async def work():
        return await asyncio.gather(*(one(("minji", "jiho")[number % 2]) for number in range(AT_ONCE)))

    for user_id, facts in run(work):
        assert facts == [two_secrets[user_id]]


def test_fifty_calls_at_once_with_the_same_json_rpc_id_do_not_cross(live, two_secrets, assistant):
    """Raw requests over shared connections: the same id, both users, in any order."""
    arguments = {"name": "recall", "arguments": {"query": "암호가 뭐예요?"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}

    async def work():
        async with httpx2.AsyncClient(timeout=60) as http:

            async def one(user_id):
                headers = {
                    "Authorization": f"Bearer {assistant.secret}",
                    "X-Memory-User": user_id,
                    "Accept": "application/json, text/event-stream",
                }
                answer = await http.post(f"{live.base_url}/mcp/", json=body, headers=headers)
                return user_id, answer.json()

            return await asyncio.gather(*(one(("minji", "jiho")[number % 2]) for number in range(AT_ONCE)))

    for user_id, answer in run(work):
        assert answer["id"] == 1
        assert [m["fact"] for m in answer["result"]["structuredContent"]["memories"]] == [
            two_secrets[user_id]
        ]


def test_eight_agents_that_save_the_same_fact_make_one_memory(minji, assistant, connect):
    async def one():
        async with connect(assistant, "minji") as agent:
            return (await agent.call_tool("save", {"fact": "저는 부산에서 살아요"})).structured_content[
                "memory_id"
            ]

    async def work():
        return await asyncio.gather(*(one() for _ in range(8)))

    assert len(set(run(work))) == 1
    assert Memory.objects.count() == 1


# ------------------------------------------------------------------ stdio


@pytest.fixture
def over_stdio(live):
    """The settings with which a desktop agent starts `manage.py mcp`."""

    def parameters(runtime, user_id):
        own = {"MEMORYAPP_API_KEY": runtime.secret, "MEMORYAPP_USER_ID": user_id}
        return StdioServerParameters(
            command=sys.executable,
            args=["manage.py", "mcp"],
            env=server_environment() | own,
            cwd=str(PROJECT),
        )

    return parameters


def test_the_same_tools_work_over_stdio(minji, assistant, over_stdio):
    async def work():
        async with Client(over_stdio(assistant, "minji")) as agent:
            tools = [tool.name for tool in (await agent.list_tools()).tools]
            await agent.call_tool("save", {"fact": "저는 부산에서 살아요"})
            recalled = await agent.call_tool("recall", {"query": "어디 살아?"})
            return tools, recalled.structured_content["memories"][0]["fact"]

    assert run(work) == (["recall", "detail", "save"], "저는 부산에서 살아요")


def test_stdout_carries_the_protocol_only(minji, assistant, over_stdio):
    settings = over_stdio(assistant, "minji")
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    process = subprocess.run(
        [settings.command, *settings.args],
        input=json.dumps(hello) + "\n",
        env={**settings.env, "LOG_LEVEL": "DEBUG"},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = process.stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [1]


@pytest.mark.parametrize(("secret", "user"), [("nonsense", "minji"), (None, "")])
def test_without_credentials_it_does_not_start(assistant, over_stdio, secret, user):
    settings = over_stdio(assistant, user)
    environment = settings.env | {"MEMORYAPP_API_KEY": secret or assistant.secret}
    process = subprocess.run(
        [settings.command, *settings.args],
        env=environment,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert process.stdout == ""
    assert "CommandError" in process.stderr


def test_what_was_asked_stays_out_of_the_servers_log(live, minji, assistant):
    headers = {
        "Authorization": f"Bearer {assistant.secret}",
        "X-Memory-User": "minji",
        "Accept": "application/json, text/event-stream",
    }
    call = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": %s}'
    broken = [
        call % '{"name": "recall", "arguments": "zebra-7731"}',
        call % '{"name": "save", "arguments": {"zebra-7731": 1}}',
        '{"jsonrpc": "2.0", "id": 1, "method": "zebra-7731"}',
        '{"zebra-7731',
    ]
    for body in broken:
        httpx.post(
            f"{live.base_url}/mcp/", content=body, headers=headers | {"Content-Type": "application/json"}
        )
    assert "zebra-7731" not in live.log.read_text()
