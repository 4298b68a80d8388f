"""Google ADK's memory service over HTTP: what ADK's own tests expect, as far as it applies."""

import logging
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.events import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.genai.types import Content, Part

from memoryapp.client.adk import MemoryService, OtherApp, ProjectScopingUnsupported, RecallCallback
from memoryapp.client.errors import Refusal
from memoryapp.models import Memory, Recall
from tests.client.conftest import run
from tests.conftest import withdraw

pytestmark = pytest.mark.django_db(transaction=True)
APP = "assistant"


def said(event_id, text, author="user", timestamp=12345.0, **more):
    content = Content(role="user" if author == "user" else "model", parts=[Part(text=text)]) if text else None
    return Event(
        id=event_id, invocation_id="inv", author=author, timestamp=timestamp, content=content, **more
    )


def session(*events, user_id="minji", session_id="s1", app_name=APP):
    return Session(app_name=app_name, user_id=user_id, id=session_id, events=list(events))


@pytest.fixture
def service(live, assistant):
    return MemoryService(live.base_url, assistant.secret)


def found(service, query, user_id="minji"):
    response = run(service.search_memory(app_name=APP, user_id=user_id, query=query))
    return [memory.content.parts[0].text for memory in response.memories]


def test_a_session_is_stored_without_what_has_no_text(minji, service):
    thought = Event(
        id="e4", author="model", timestamp=1.0, content=Content(parts=[Part(text="hmm", thought=True)])
    )
    run(
        service.add_session_to_memory(
            session(
                said("e1", "The ADK is a great toolkit."),
                said("e2", None),
                said("e3", "I agree. The Agent Development Kit rocks!", "model"),
                thought,
                said("e5", "half a sen", "model", partial=True),
            )
        )
    )
    assert Memory.objects.count() == 2
    [memory] = run(service.search_memory(app_name=APP, user_id="minji", query="great toolkit")).memories[:1]
    assert memory.content.parts[0].text == "The ADK is a great toolkit."
    assert (memory.author, memory.content.role) == ("user", "user")
    assert memory.timestamp.startswith("1970-01-01T")
    assert memory.id == str(Memory.objects.get(pk=memory.id).pk)
    assert memory.custom_metadata["session_id"] == "s1"


def test_an_empty_session_is_no_error(minji, service):
    run(service.add_session_to_memory(session()))
    assert not Memory.objects.exists()


def test_the_same_events_are_stored_once_and_new_ones_are_added(minji, service):
    run(service.add_session_to_memory(session(said("e1", "커피는 블랙으로"))))
    run(service.add_session_to_memory(session(said("e1", "커피는 블랙으로"), said("e2", "우산을 챙겨요"))))
    run(
        service.add_events_to_memory(
            app_name=APP,
            user_id="minji",
            session_id="s1",
            events=[said("e1", "other words"), said("e3", "회의는 세 시")],
        )
    )
    run(service.add_events_to_memory(app_name=APP, user_id="minji", events=[said("e9", "세션 없이")]))
    assert Memory.objects.count() == 4
    assert "other words" not in found(service, "other words")


def test_explicit_memories_keep_author_time_and_metadata(minji, service):
    memory = MemoryEntry(
        content=Content(parts=[Part(text="민지는 고양이를 키워요")]),
        author="import",
        timestamp="2026-05-16T09:00:00+09:00",
        custom_metadata={"source": "crm"},
    )
    undated = MemoryEntry(content=Content(parts=[Part(text="민지는 금붕어를 키워요")]), timestamp="last week")
    run(
        service.add_memory(
            app_name=APP, user_id="minji", memories=[memory, undated], custom_metadata={"batch": 1}
        )
    )
    first = run(service.search_memory(app_name=APP, user_id="minji", query="고양이")).memories[0]
    assert (first.author, first.content.role) == ("import", "model")
    assert first.timestamp == "2026-05-16T00:00:00+00:00" or first.timestamp == "2026-05-16T09:00:00+09:00"
    assert {"source": "crm", "batch": 1}.items() <= first.custom_metadata.items()
    assert Memory.objects.count() == 2


def test_a_search_finds_whatever_case_and_script(minji, service):
    run(
        service.add_session_to_memory(
            session(
                said("e1", "I like to code in Python."),
                said("e2", "제 이름은 민수입니다"),
                said("e3", "The deploy is ready."),
            )
        )
    )
    assert found(service, "PYTHON")[0] == "I like to code in Python."
    assert found(service, "민수")[0] == "제 이름은 민수입니다"
    assert found(service, "deploy ready")[0] == "The deploy is ready."
    assert found(service, "")[:0] == []


def test_top_k_and_threshold_limit_what_comes_back(minji, live, assistant):
    keen = MemoryService(live.base_url, assistant.secret, top_k=2)
    notes = [said(f"n{number}", f"note {number} about work") for number in range(5)]
    run(keen.add_session_to_memory(session(*notes)))
    assert len(found(keen, "work note")) == 2
    assert found(MemoryService(live.base_url, assistant.secret, threshold=1.0), "unrelated quokka") == []


def test_users_are_kept_apart(minji, jiho, service):
    run(service.add_session_to_memory(session(said("e1", "This is a secret."), user_id="jiho")))
    assert found(service, "secret") == []
    assert found(service, "secret", "jiho") == ["This is a secret."]
    assert found(service, "secret", "jiho/minji") == []


def test_apps_are_kept_apart_because_a_key_stands_for_one(minji, service, live, homebot):
    run(service.add_session_to_memory(session(said("e1", "This is a secret."))))
    with pytest.raises(OtherApp):
        run(service.search_memory(app_name="another", user_id="minji", query="secret"))
    other = MemoryService(live.base_url, homebot.secret, app_name="homebot")
    assert run(other.search_memory(app_name="homebot", user_id="minji", query="secret")).memories == []


def test_a_project_sees_itself_and_what_is_global_and_deletes_only_itself(minji, service):
    acme = service.for_project("acme")
    run(service.add_session_to_memory(session(said("g", "커피 전체"))))
    run(acme.add_session_to_memory(session(said("a", "커피 에이크미"))))
    assert found(service, "커피") == ["커피 전체"]
    assert set(found(acme, "커피")) == {"커피 전체", "커피 에이크미"}
    plan = run(acme.delete_entries(app_name=APP, user_id="minji", query="커피", dry_run=True))
    assert (plan.deleted, len(plan.ids)) == (0, 1)
    assert run(acme.delete_entries(app_name=APP, user_id="minji", query="커피")).deleted == 1
    assert found(acme, "커피") == ["커피 전체"]


def test_where_projects_cannot_be_kept_apart_nothing_is_written_or_deleted(minji, service, monkeypatch):
    acme = service.for_project("acme")
    monkeypatch.setattr(acme, "_scoping", False)
    for work in (
        acme.add_session_to_memory(session(said("a", "커피"))),
        acme.delete_entries(app_name=APP, user_id="minji", query="커피"),
    ):
        with pytest.raises(ProjectScopingUnsupported):
            run(work)
    assert not Memory.objects.exists()
    assert run(service.supports_project_scoping()) is True


def test_a_deleted_memory_does_not_come_back_with_its_session(minji, service):
    both = session(said("e1", "커피는 블랙으로"), said("e2", "우산을 챙겨요"))
    run(service.add_session_to_memory(both))
    memory = run(service.search_memory(app_name=APP, user_id="minji", query="커피")).memories[0]
    run(service.delete_memory(app_name=APP, user_id="minji", memory_id=memory.id))
    run(service.delete_memory(app_name=APP, user_id="minji", memory_id=memory.id))
    run(service.delete_memory(app_name=APP, user_id="minji", memory_id=None))
    run(service.add_session_to_memory(both))
    assert found(service, "커피") == ["우산을 챙겨요"]


def test_sessions_and_users_can_be_deleted(minji, service):
    run(service.add_session_to_memory(session(said("e1", "커피"), said("e2", "우산"))))
    assert run(service.delete_session(app_name=APP, user_id="minji", session_id="s1")) == 2
    assert run(service.delete_session(app_name=APP, user_id="minji", session_id="s1")) == 0
    assert run(service.delete_user(app_name=APP, user_id="minji")).key_destroyed


def test_without_consent_nothing_is_stored_and_the_agent_goes_on(minji, service, caplog):
    withdraw(minji)
    with caplog.at_level(logging.INFO, logger="memoryapp.client"):
        run(service.add_session_to_memory(session(said("e1", "zebra-7731"))))
    assert not Memory.objects.exists()
    assert found(service, "zebra-7731") == []
    assert "consent-required" in caplog.text
    assert "zebra" not in "".join(
        r.getMessage() for r in caplog.records if r.name.startswith("memoryapp.client")
    )


def test_a_wrong_key_is_an_error(minji, live):
    with pytest.raises(Refusal):
        run(MemoryService(live.base_url, "nonsense").add_session_to_memory(session(said("e1", "커피"))))


def test_its_health_can_be_asked(service):
    assert run(service.healthy())
    assert not run(MemoryService("http://127.0.0.1:9", "x", retries=0).healthy())


# ------------------------------------------------------------------ in an agent


class Scripted(BaseLlm):
    """A model that says the same again and keeps what it was asked."""

    model: str = "scripted"
    asked: list[Any] = []

    async def generate_content_async(self, llm_request, stream=False):
        self.asked.append(llm_request)
        yield LlmResponse(content=Content(role="model", parts=[Part(text="네.")]))


async def talk(agent, memory, text):
    sessions = InMemorySessionService()
    chat = await sessions.create_session(app_name=APP, user_id="minji", session_id="s1")
    runner = Runner(app_name=APP, agent=agent, session_service=sessions, memory_service=memory)
    question = Content(role="user", parts=[Part(text=text)])
    async for _ in runner.run_async(user_id="minji", session_id=chat.id, new_message=question):
        pass
    return await sessions.get_session(app_name=APP, user_id="minji", session_id=chat.id)


def test_an_agent_gets_what_is_remembered_and_its_history_does_not(minji, assistant, live, service):
    assistant.save("minji", "저는 땅콩 알레르기가 있어요")
    model = Scripted()
    agent = LlmAgent(
        name="helper", model=model, before_model_callback=RecallCallback(live.base_url, assistant.secret)
    )

    async def work():
        history = await talk(agent, service, "땅콩 먹어도 돼?")
        await service.add_session_to_memory(history)
        return history

    history = run(work())
    sent = [part.text for content in model.asked[0].contents for part in content.parts]
    assert "땅콩 알레르기" in sent[0]
    assert sent[-1] == "땅콩 먹어도 돼?"
    assert len(sent) == 2
    assert "알레르기" not in str([event.content for event in history.events])
    assert set(found(service, "땅콩")) == {"땅콩 먹어도 돼?", "네."}
    assert Recall.objects.exclude(execution_id="").count() == 1


def test_in_system_mode_the_block_goes_to_the_instructions(minji, assistant, live, service):
    assistant.configure(injection_mode="system")
    assistant.save("minji", "저는 땅콩 알레르기가 있어요")
    model = Scripted()
    callback = RecallCallback(live.base_url, assistant.secret)
    agent = LlmAgent(name="helper", model=model, instruction="Be kind.", before_model_callback=callback)
    run(talk(agent, service, "땅콩 먹어도 돼?"))
    instruction = model.asked[0].config.system_instruction
    assert instruction.startswith("Be kind.")
    assert "땅콩 알레르기" in instruction


def test_a_memory_service_that_is_down_does_not_stop_the_agent(minji, assistant, live, service):
    model = Scripted()
    callback = RecallCallback("http://127.0.0.1:9", "x")
    agent = LlmAgent(name="helper", model=model, before_model_callback=callback)
    history = run(talk(agent, service, "안녕?"))
    assert history.events[-1].content.parts[0].text == "네."
