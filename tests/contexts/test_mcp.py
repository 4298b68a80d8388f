"""A session's tools over MCP, at an address of its own."""

import json
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from memoryapp import keys
from tests.conftest import Runtime, withdraw
from tests.contexts.conftest import Chat
from tests.live import LiveServer
from tests.mcp.conftest import run

pytestmark = pytest.mark.django_db(transaction=True)


class Agent:
    """An agent that is connected to one session."""

    def __init__(self, base_url: str, secret: str, user_id: str, session_id: str) -> None:
        self.url = f"{base_url}/mcp/sessions/{session_id}/"
        self.headers = {"Authorization": f"Bearer {secret}", "X-Memory-User": user_id}

    def tools(self) -> list[Any]:
        async def work(client: Client) -> Any:
            return (await client.list_tools()).tools

        found: list[Any] = self._with(work)
        return found

    def call(self, name: str, **arguments: Any) -> tuple[str, bool]:
        async def work(client: Client) -> Any:
            return await client.call_tool(name, arguments)

        result = self._with(work)
        return "\n".join(part.text for part in result.content), bool(result.is_error)

    def _with(self, work: Any) -> Any:
        async def connected() -> Any:
            async with httpx2.AsyncClient(headers=self.headers, timeout=30) as http:
                transport = streamable_http_client(self.url, http_client=http)
                async with Client(transport) as client:
                    return await work(client)

        return run(connected)


@pytest.fixture
def agent(live: LiveServer, chat: Chat) -> Agent:
    return Agent(live.base_url, chat.runtime.secret, "minji", "s1")


def test_the_tools_are_those_of_the_session(agent: Agent, chat: Chat) -> None:
    assert agent.tools() == []
    chat.put("memory", "writable")
    chat.put("skills", "loadable")
    tools = agent.tools()
    assert [tool.name for tool in tools] == ["set_context", "load_context", "unload_context"]
    assert tools[0].input_schema == chat.tools()[0]["parameters"]
    assert not {"anyOf", "oneOf", "$ref"} & set(json.dumps([tool.input_schema for tool in tools]).split('"'))


def test_an_agent_writes_searches_and_loads(agent: Agent, chat: Chat) -> None:
    chat.put("memory", "writable", max_tokens=2000)
    chat.put("knowledge", "searchable")
    chat.put("skills", "loadable")
    text, failed = agent.call("set_context", label="memory", content="저는 엔지니어입니다.")
    assert (failed, text.startswith("Written to memory. Usage: 0% — ")) == (False, True)
    agent.call("set_context", label="knowledge", content="부산에서 살아요", metadata={"title": "사는 곳"})
    assert agent.call("search_context", label="knowledge", query="부산") == (
        "[사는-곳]\n부산에서 살아요",
        False,
    )
    agent.call("set_context", label="skills", content="Heat it.", metadata={"title": "Fry an egg"})
    assert agent.call("load_context", label="skills", key="fry-an-egg") == ("Heat it.", False)
    assert "저는 엔지니어입니다." in chat.refresh()
    agent.call("set_context", label="memory", content="")
    assert chat.block("memory").json()["content"] == ""


def test_what_goes_wrong_is_a_result_that_a_model_can_read(agent: Agent, chat: Chat, minji: Any) -> None:
    chat.put("memory", "writable", max_tokens=2)
    text, failed = agent.call("set_context", label="memory", content="much too long for two tokens")
    assert failed
    assert "too many" in text
    text, failed = agent.call("set_context", label="memory", content="x", user_id="jiho")
    assert failed
    assert text.startswith("invalid: ")
    assert "user_id" in text
    withdraw(minji)
    assert agent.tools() == []
    text, failed = agent.call("set_context", label="memory", content="x")
    assert failed
    assert text.startswith("consent-required: ")
    assert agent.call("search_context", label="memory", query="x") == ("Nothing is available.", False)


def test_another_session_another_user_and_another_key_get_nothing(
    live: LiveServer,
    chat: Chat,
    jiho: Any,
    homebot: Runtime,
) -> None:
    chat.put("memory", "writable", content="zebra-7731")
    _, weak = keys.issue(chat.runtime.service, ["recall"])
    others = [
        Agent(live.base_url, chat.runtime.secret, "minji", "s2"),
        Agent(live.base_url, chat.runtime.secret, "jiho", "s1"),
        Agent(live.base_url, homebot.secret, "minji", "s1"),
        Agent(live.base_url, weak, "minji", "s1"),
    ]
    for other in others:
        assert other.tools() == []
        text, failed = other.call("set_context", label="memory", content="x")
        assert failed
        assert "zebra" not in text
    assert chat.block("memory").json()["content"] == "zebra-7731"


def test_a_session_id_may_hold_a_slash(live: LiveServer, chat: Chat) -> None:
    own = Chat(chat.runtime, "minji", "team/7")
    own.put("memory", "writable")
    agent = Agent(live.base_url, chat.runtime.secret, "minji", "team/7")
    assert [tool.name for tool in agent.tools()] == ["set_context"]
