"""A language model and an embedder that answer too late: nobody waits for them, and each fact is there once."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from memoryapp.extract import fake
from memoryapp.extract.fake import ScriptedServer
from memoryapp.providers.openai_embeddings import WAITED_SECONDS
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House
from tests.faults.test_models_fail import BY_MODEL, BY_SERVICE, FACT, FOUND, told
from tests.providers.test_openai_embeddings import Service

pytestmark = pytest.mark.xdist_group("slow")

PATIENCE = 3.0  # of ours with the language model
LATE = 30.0  # they answer then
A_MOMENT = 6.0  # for all else that an answer takes, on a machine that does other things too
COSTS = "SELECT sum(calls)::int FROM memoryapp_costentry WHERE stage = 'extraction'"


class SlowService(Service):
    """Takes its time, until `hurry` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.hurry = threading.Event()
        self.hurry.set()

    def answer(self, body: dict[str, Any]) -> tuple[int, Any]:
        self.hurry.wait(LATE)
        return super().answer(body)

    def handle_error(self, request: object, client_address: object) -> None:
        """Who was waiting has hung up."""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with fake.chat_endpoint('{"facts": []}') as server:
        yield server


@pytest.fixture(scope="module")
def embedder() -> Iterator[SlowService]:
    service = SlowService()
    threading.Thread(target=service.serve_forever, daemon=True).start()
    yield service
    service.shutdown()
    service.server_close()


@pytest.fixture(scope="module")
def house(model: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("slow")
    variables = {
        "MEMORYAPP_LLM_BASE_URL": model.url, "MEMORYAPP_LLM_API_KEY": "k", "MEMORYAPP_LLM_MODEL": "m",
        "MEMORYAPP_LLM_SECONDS": str(PATIENCE), "MEMORYAPP_EMBEDDING_API_KEY": "k",
    }  # fmt: skip
    with House(folder, Pgmq(), variables=variables) as house:
        house.welcome("kim")
        yield house


def timed(house: House, path: str, **body: Any) -> tuple[httpx.Response, float]:
    answer = house.call("POST", path, {"user_id": "kim", **body})
    return answer, answer.elapsed.total_seconds()


def test_a_language_model_that_answers_too_late_is_asked_again(house: House, model: ScriptedServer) -> None:
    house.do(BY_MODEL)
    late = threading.Event()

    def answers(body: dict[str, Any]) -> str:
        late.wait(LATE)
        return FOUND

    model.replies[:] = [answers]
    house.report("kim", "t1", FACT)
    wait_until(lambda: model.requests, 45, "the model is asked")
    assert house.state("kim", "t1") == "running"
    found, seconds = timed(house, "recall", query="어디 살아?")
    assert found.status_code == 200
    assert seconds < A_MOMENT
    wait_until(lambda: told(house, "t1") == ("pending", "ExtractorDown"), 30, "nobody waits any longer")
    late.set()  # it answers now, to nobody
    assert house.facts("kim") == []
    house.sql("UPDATE memoryapp_turn SET next_try_at = now() WHERE state = 'pending'")
    house.wait_for("kim", "t1")
    assert house.facts("kim") == [FACT]
    assert house.sql("SELECT attempts FROM memoryapp_turn") == [(2,)]
    assert house.sql(COSTS) == [(1,)], "what an answer that never came has cost, only the model's owner knows"


def test_an_embedder_that_answers_too_late_is_waited_for_once(house: House, embedder: SlowService) -> None:
    house.do(BY_SERVICE.format(url=embedder.base_url))
    serving = "SELECT model FROM memoryapp_embeddingspace WHERE state = 'serving'"
    wait_until(lambda: house.sql(serving) == [("m",)], 90, "the service embeds")
    house.restart("web")  # which would go on with the old one for 20 s

    timed(house, "memories", fact="저는 녹차를 좋아해요")  # the first one also loads what saving needs
    embedder.hurry.clear()
    found, seconds = timed(house, "recall", query="부산", threshold=0)
    assert (found.json()["degraded"], found.json()["reason"]) == (True, "embedding-unavailable")
    assert FACT in [memory["fact"] for memory in found.json()["memories"]]
    assert seconds < WAITED_SECONDS + A_MOMENT
    saved, seconds = timed(house, "memories", fact="저는 판교에서 일해요")
    assert saved.status_code == 201
    assert seconds < WAITED_SECONDS + A_MOMENT
    found, _ = timed(house, "recall", query="판교", threshold=0)
    assert "저는 판교에서 일해요" in [memory["fact"] for memory in found.json()["memories"]]

    embedder.hurry.set()

    def healed() -> bool:
        house.sql("UPDATE memoryapp_indexentry SET next_try_at = NULL")
        return house.sql("SELECT count(*) FROM memoryapp_indexentry WHERE state <> 'indexed'") == [(0,)]

    wait_until(healed, 90, "every memory has its vector")
    assert len(house.facts("kim")) == 3
