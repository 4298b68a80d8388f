"""Each how-to of the docs works as it stands, against the real server, with a scripted model."""

import asyncio
import json
import sys
from typing import ClassVar

import httpx
import httpx2
import pytest
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai.types import Content, Part
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from memoryapp.models import Memory, Turn
from tests.live import PROJECT, server_environment

pytestmark = pytest.mark.django_db(transaction=True)
ALLERGY = "저는 땅콩 알레르기가 있어요"


@pytest.fixture(autouse=True)
def credentials(live, assistant, monkeypatch):
    monkeypatch.setenv("MEMORY_URL", live.base_url)
    monkeypatch.setenv("MEMORY_KEY", assistant.secret)


def run_code(code):
    """Run a how-to's code. → its names."""
    names = {"__name__": "howto"}
    exec(compile(code, "howto", "exec"), names)  # noqa: S102 - our own documentation
    return names


def filled(code, live, assistant, **more):
    """A how-to's settings with the placeholders filled in, as its reader would."""
    values = {"http://127.0.0.1:8000": live.base_url, "mk_YOUR_KEY": assistant.secret, **more}
    for placeholder, value in values.items():
        code = code.replace(placeholder, value)
    return json.loads(code)


def sent(messages):
    return "\n".join(message["content"] for message in messages)


def test_the_docs_hold_every_howto(howto):
    assert set(howto) == {
        "chat",
        "adk",
        "langgraph",
        "flowise-mcp",
        "flowise-http",
        "mcp-http",
        "mcp-stdio",
        "import",
    }


def test_a_chat_loop_remembers(minji, assistant, howto, model):
    assistant.save("minji", ALLERGY)
    turn = run_code(howto["chat"])["turn"]
    history: list[dict[str, str]] = []
    assert turn(history, "minji", "s1", "땅콩 먹어도 돼?") == model.says
    turn(history, "minji", "s1", "저는 부산에서 살아요")
    assert ALLERGY in sent(model.asked[0])
    assert model.asked[0][-1]["content"] == "땅콩 먹어도 돼?"
    assert ALLERGY not in sent(history)
    assert [message["role"] for message in history] == ["user", "assistant", "user", "assistant"]
    assert Turn.objects.filter(person=minji, session_id="s1").count() == 2


class Scripted(BaseLlm):
    """ADK's name for a model that answers from a script."""

    asked: ClassVar[list[list[str]]] = []

    @classmethod
    def supported_models(cls):
        return ["scripted"]

    async def generate_content_async(self, llm_request, stream=False):
        Scripted.asked.append([part.text for content in llm_request.contents for part in content.parts])
        yield LlmResponse(content=Content(role="model", parts=[Part(text="네, 알겠어요.")]))


def test_an_adk_agent_remembers(minji, assistant, howto, model):
    LLMRegistry.register(Scripted)
    Scripted.asked.clear()
    assistant.save("minji", ALLERGY)
    names = run_code(howto["adk"])

    async def talk():
        app = names["APP"]
        session = await names["sessions"].create_session(app_name=app, user_id="minji", session_id="s1")
        question = Content(role="user", parts=[Part(text="땅콩 먹어도 돼?")])
        async for _ in names["runner"].run_async(user_id="minji", session_id="s1", new_message=question):
            pass
        found = await names["memory"].search_memory(app_name=app, user_id="minji", query="땅콩")
        return session, [memory.content.parts[0].text for memory in found.memories]

    _, kept = asyncio.run(talk())
    assert ALLERGY in Scripted.asked[0][0]
    assert Scripted.asked[0][-1] == "땅콩 먹어도 돼?"
    assert "땅콩 먹어도 돼?" in kept
    assert Memory.objects.filter(memory_type="ENTRY", session_id="s1").exists()


def test_a_langgraph_agent_remembers(minji, assistant, howto, model):
    assistant.save("minji", ALLERGY)
    graph = run_code(howto["langgraph"])["graph"]
    asked = {"role": "user", "content": "땅콩 먹어도 돼?"}
    first = graph.invoke({"user_id": "minji", "run_id": "r1", "messages": [asked]})
    graph.invoke({"user_id": "minji", "run_id": "r2", "messages": [asked]})
    assert first["messages"][-1]["content"] == model.says
    assert ALLERGY in sent(model.asked[0])
    assert "asked: 땅콩 먹어도 돼?" not in sent(model.asked[0])
    assert "asked: 땅콩 먹어도 돼?" in sent(model.asked[1])


async def over_http(url, headers, fact):
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        McpClient(streamable_http_client(url, http_client=http)) as agent,
    ):
        tools = [tool.name for tool in (await agent.list_tools()).tools]
        await agent.call_tool("save", {"fact": fact})
        recalled = await agent.call_tool("recall", {"query": "땅콩"})
        return tools, recalled.structured_content["memories"][0]["fact"]


def test_flowises_mcp_node_gets_the_tools(live, minji, assistant, howto):
    node = filled(howto["flowise-mcp"], live, assistant, **{"{{$vars.user_id}}": "minji"})
    assert asyncio.run(over_http(node["url"], node["headers"], ALLERGY)) == (
        ["recall", "detail", "save"],
        ALLERGY,
    )


def test_flowises_http_node_gets_the_context(live, minji, assistant, howto):
    assistant.save("minji", ALLERGY)
    variables = {
        "{{$vars.user_id}}": "minji",
        "{{question}}": "땅콩 먹어도 돼?",
        "{{$flow.chatId}}": "chat-1",
    }
    node = filled(howto["flowise-http"], live, assistant, **variables)
    answer = httpx.request(node["method"], node["url"], headers=node["headers"], json=node["body"])
    assert ALLERGY in answer.json()["context"]


def test_claude_code_and_cursor_connect_over_http(live, minji, assistant, howto):
    server = filled(howto["mcp-http"], live, assistant)["mcpServers"]["memory"]
    assert asyncio.run(over_http(server["url"], server["headers"], ALLERGY))[1] == ALLERGY


def test_claude_desktop_connects_over_stdio(live, minji, assistant, howto):
    ours = server_environment()
    values = {
        "PROJECT_FOLDER/.venv/bin/python": sys.executable,
        "PROJECT_FOLDER/.data": ours["MEMORYAPP_DATA_DIR"],
        "PROJECT_FOLDER": str(PROJECT),
        "YOUR_DATABASE_URL": ours["DATABASE_URL"],
        "YOUR_SECRET_KEY": "only-for-tests",
    }
    server = filled(howto["mcp-stdio"], live, assistant, **values)["mcpServers"]["memory"]
    keyset = {"MEMORYAPP_MASTER_KEYSET": ours["MEMORYAPP_MASTER_KEYSET"]}  # real ones lie in the data folder

    async def work():
        parameters = StdioServerParameters(
            command=server["command"], args=server["args"], env=server["env"] | keyset, cwd="/"
        )
        async with McpClient(parameters) as agent:
            await agent.call_tool("save", {"fact": ALLERGY})
            recalled = await agent.call_tool("recall", {"query": "땅콩"})
            return recalled.structured_content["memories"][0]["fact"]

    assert asyncio.run(work()) == ALLERGY


def test_memories_of_another_assistant_come_as_candidates(minji, howto, capsys):
    run_code(howto["import"])
    assert capsys.readouterr().out == "2 to approve, 0 known, 0 skipped\n"
    assert Memory.objects.filter(status="candidate").count() == 2
