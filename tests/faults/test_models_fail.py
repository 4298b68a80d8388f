"""The language model and the embedder fail in every way under real processes: chats go on, and all of it heals."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.extract import fake
from memoryapp.extract.fake import ScriptedServer
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House
from tests.providers.test_openai_embeddings import Service

pytestmark = pytest.mark.xdist_group("models")  # one house for all of them

FACT = "저는 부산에서 살아요"
FOUND = json.dumps({"facts": [{"statement": FACT, "quote": FACT, "memory_type": "PROFILE"}]})
BY_MODEL = """
from memoryapp import revisions
from memoryapp.models import ChatService
service = ChatService.objects.order_by("pk").first()
revisions.deploy(revisions.edit(revisions.draft(service), extractor="llm"))
"""
BY_NIGHT = """
from datetime import timedelta
from django.utils import timezone
from memoryapp import revisions
from memoryapp.models import ChatService, ServiceRevision
service = ChatService.objects.order_by("pk").first()
draft = revisions.draft(service)
settings = {"extractor": "llm", "per_turn_extraction": False, "nightly_enabled": True}
revisions.deploy(revisions.edit(draft, nightly_at=timezone.localtime().time(), **settings))
ServiceRevision.objects.update(deployed_at=timezone.now() - timedelta(days=2))
"""
NIGHT = """
from memoryapp import nightly
nightly.run_due()
"""
BY_SERVICE = """
from memoryapp.index import spaces
from memoryapp.models import EmbeddingSpace
spaces.propose(EmbeddingSpace(provider="openai", model="m", base_url={url!r}))
"""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with fake.chat_endpoint('{"facts": []}') as server:
        yield server


@pytest.fixture(scope="module")
def embedder() -> Iterator[Service]:
    service = Service()
    threading.Thread(target=service.serve_forever, daemon=True).start()
    yield service
    service.shutdown()
    service.server_close()


@pytest.fixture(scope="module")
def house(
    model: ScriptedServer, embedder: Service, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("models")
    talks = {"MEMORYAPP_LLM_BASE_URL": model.url, "MEMORYAPP_LLM_API_KEY": "k", "MEMORYAPP_LLM_MODEL": "m"}
    with House(folder, Pgmq(), variables={**talks, "MEMORYAPP_EMBEDDING_API_KEY": "k"}) as house:
        house.welcome("kim")
        house.django(BY_MODEL)
        yield house


def told(house: House, turn_id: str) -> tuple[str, str]:
    body = house.call("GET", f"turns/{turn_id}?user_id=kim").json()
    return body["state"], body.get("error") or ""


def time_passes(house: House) -> None:
    house.sql("UPDATE memoryapp_turn SET next_try_at = now() WHERE state = 'pending'")
    house.sql("UPDATE memoryapp_indexentry SET next_try_at = NULL")


def test_a_language_model_that_fails_costs_time_and_no_turn(house: House, model: ScriptedServer) -> None:
    model.replies[:] = [503]
    assert house.report("kim", "t1", FACT).status_code == 202
    wait_until(lambda: told(house, "t1") == ("pending", "ExtractorDown"), 60, "the model is down")
    assert house.call("POST", "recall", {"user_id": "kim", "query": "어디 살아?"}).status_code == 200

    model.replies[:] = ["I would rather talk about the weather."]
    time_passes(house)
    wait_until(lambda: told(house, "t1") == ("pending", "BadOutput"), 60, "the model talks nonsense")
    assert house.facts("kim") == []

    model.replies[:] = [FOUND]
    time_passes(house)
    house.wait_for("kim", "t1", seconds=60)
    assert house.facts("kim") == [FACT]
    assert FACT not in house.logs()


def test_a_language_model_that_never_makes_sense_fails_the_turn_visibly(
    house: House, model: ScriptedServer
) -> None:
    model.replies[:] = ["{"]
    house.report("kim", "t2", "저는 커피를 좋아해요")

    def given_up() -> bool:
        time_passes(house)
        return told(house, "t2") == ("failed", "BadOutput")

    wait_until(given_up, 90, "it is given up")
    assert house.report("kim", "t3", "네").status_code == 202


def test_a_night_in_which_one_person_hangs_is_read_for_the_others(
    house: House, model: ScriptedServer
) -> None:
    let_go = threading.Event()

    def answers(body: dict[str, Any]) -> str:
        if "minji" in json.dumps(body):
            let_go.wait(50)
        return FOUND

    everybody = ("minji", "jiho", "sua", "hana")
    for name in everybody:
        house.welcome(name)
    house.django(BY_NIGHT)
    model.replies[:] = [answers]
    for name in everybody:
        assert house.report(name, "n1", f"{FACT}. ({name})").json()["extraction"] == "nightly"
    house.django(NIGHT)
    for name in everybody[1:]:
        house.wait_for(name, "n1", seconds=40)
    assert house.state("minji", "n1") == "running"
    assert not let_go.is_set(), "the others did not wait for her"
    let_go.set()
    house.wait_for("minji", "n1", seconds=40)
    nights = "SELECT count(*), count(DISTINCT night_id) FROM memoryapp_turn WHERE turn_id = 'n1'"
    assert house.sql(nights) == [(4, 1)]
    assert [house.facts(name) for name in everybody] == [[FACT]] * 4


def test_an_embedder_that_fails_costs_the_meaning_and_no_memory(house: House, embedder: Service) -> None:
    house.django(BY_SERVICE.format(url=embedder.base_url))
    state = "SELECT model FROM memoryapp_embeddingspace WHERE state = 'serving'"
    wait_until(lambda: house.sql(state)[0][0] == "m", 90, "the service embeds")
    house.restart("web")  # which would go on with the old one for 20 s

    embedder.statuses[:] = [500] * 1000
    saved = house.call("POST", "memories", {"user_id": "kim", "fact": "저는 판교에서 일해요"})
    assert saved.status_code == 201
    assert saved.json()["memory"]["index_state"] in ("pending", "indexing")  # the worker tries it already
    found = house.call("POST", "recall", {"user_id": "kim", "query": "판교", "threshold": 0}).json()
    assert (found["degraded"], found["reason"]) == (True, "embedding-unavailable")
    assert "저는 판교에서 일해요" in [one["fact"] for one in found["memories"]]

    embedder.statuses[:] = []
    embedder.wrong = {"data": "nonsense"}
    found = house.call("POST", "recall", {"user_id": "kim", "query": "판교", "threshold": 0})
    assert (found.status_code, found.json()["degraded"]) == (200, True)

    embedder.wrong = None

    def healed() -> bool:
        time_passes(house)
        waiting = house.sql("SELECT count(*) FROM memoryapp_indexentry WHERE state <> 'indexed'")
        return bool(waiting[0][0] == 0)

    wait_until(healed, 120, "every row is searchable again")

    def asked() -> bool:
        body = house.call("POST", "recall", {"user_id": "kim", "query": "판교", "threshold": 0}).json()
        return not body["degraded"]

    wait_until(asked, 60, "questions are embedded again")
