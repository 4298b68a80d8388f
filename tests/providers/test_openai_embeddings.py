"""An OpenAI-compatible service, played by a small server: what is sent, and what each failure becomes."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

import numpy as np
import pytest

from memoryapp.providers import openai_embeddings
from memoryapp.providers.base import EmbedderDown, EmbedderRefused, Kind, metered, waited_for
from memoryapp.providers.circuit import Circuit
from memoryapp.providers.openai_embeddings import OpenAIEmbeddings

SECRET = "zebra-7731"


class Service(ThreadingHTTPServer):
    """Answers each request as the test says; remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.width = 8
        self.shortens = False
        self.statuses: list[int] = []  # for the next requests; then 200
        self.poison = ""
        self.shuffle = False
        self.wrong: Any = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def answer(self, body: dict[str, Any]) -> tuple[int, Any]:
        self.asked.append(body)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return status, {"error": {"message": f"no: {body['input']}"}}
        if self.poison and any(self.poison in text for text in body["input"]):
            return 400, {"error": {"message": f"cannot embed {body['input']}"}}
        if self.wrong is not None:
            return 200, self.wrong
        width = body.get("dimensions", self.width) if self.shortens else self.width
        rows = [
            {"object": "embedding", "index": i, "embedding": [len(text) + 1.0] + [1.0] * (width - 1)}
            for i, text in enumerate(body["input"])
        ]
        used = {"prompt_tokens": 7, "total_tokens": 7}
        return 200, {
            "object": "list",
            "model": "m",
            "data": rows[::-1] if self.shuffle else rows,
            "usage": used,
        }


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, answer = self.server.answer(body)
        payload = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()
    thread = threading.Thread(target=service.serve_forever, daemon=True)
    thread.start()
    yield service
    service.shutdown()
    service.server_close()


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
    monkeypatch.setattr("openai._base_client.MAX_RETRY_DELAY", 0.001)


def embedder(service: Service, **options: Any) -> OpenAIEmbeddings:
    return OpenAIEmbeddings(model="m", base_url=service.base_url, api_key="k", **options)


def test_vectors_come_back_in_order_with_length_one(service: Service) -> None:
    service.shuffle = True

    vectors = embedder(service).embed(["a", "four"], kind="passage")

    assert vectors.shape == (2, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors[1, 0] > vectors[0, 0]


def test_many_texts_go_in_batches_and_are_counted(service: Service) -> None:
    with metered() as usage:
        vectors = embedder(service).embed([str(n) for n in range(150)], kind="passage")

    assert [len(body["input"]) for body in service.asked] == [64, 64, 22]
    assert len(vectors) == 150
    assert (usage.requests, usage.tokens) == (3, 21)


def test_an_empty_text_and_a_lone_surrogate_are_sent_as_something(service: Service) -> None:
    embedder(service).embed(["", "a\ud800"], kind="passage")

    assert service.asked[0]["input"] == [".", "a?"]


@pytest.mark.usefixtures("no_waiting")
def test_a_passing_failure_is_tried_again(service: Service) -> None:
    service.statuses = [500, 429]

    assert embedder(service).embed(["x"], kind="passage").shape == (1, 8)
    assert len(service.asked) == 3


def test_a_question_is_not_tried_again(service: Service) -> None:
    service.statuses = [500]

    with pytest.raises(EmbedderDown):
        embedder(service).embed(["x"], kind="query")
    assert len(service.asked) == 1


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_an_outage_does_not_tell_what_was_asked(service: Service, status: int) -> None:
    service.statuses = [status] * 3

    with pytest.raises(EmbedderDown) as caught:
        embedder(service).embed([SECRET], kind="passage")
    assert SECRET not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert not isinstance(caught.value, EmbedderRefused)


def test_a_refused_text_is_told_from_an_outage(service: Service) -> None:
    service.poison = SECRET
    ours = embedder(service, circuit=Circuit(outages=1))

    with pytest.raises(EmbedderRefused) as caught:
        ours.embed(["fine", SECRET], kind="passage")
    assert SECRET not in repr(caught.value)
    assert ours.embed(["fine"], kind="passage").shape == (1, 8)


def test_nobody_there_is_an_outage_and_then_nobody_waits() -> None:
    ours = OpenAIEmbeddings(
        model="m", base_url="http://127.0.0.1:9/v1", api_key="k", circuit=Circuit(outages=1)
    )
    for _ in range(2):
        with pytest.raises(EmbedderDown):
            ours.embed(["x"], kind="query")


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_a_slow_answer_to_who_waits_for_it_is_an_outage(
    service: Service, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    monkeypatch.setattr(openai_embeddings, "WAITED_SECONDS", 0.05)
    gate, calls = threading.Event(), count()
    monkeypatch.setattr(service, "answer", lambda body: (next(calls), gate.wait(2), (500, {}))[2])

    with pytest.raises(EmbedderDown), waited_for():
        embedder(service).embed(["x"], kind=kind)
    assert next(calls) == 1, "it was asked once"
    gate.set()


def test_another_width_is_asked_for_as_wanted(service: Service) -> None:
    service.shortens = True
    ours = embedder(service, dims=4)

    assert ours.embed(["x"], kind="passage").shape == (1, 4)
    assert [body.get("dimensions") for body in service.asked] == [None, 4]


def test_a_width_that_cannot_be_had_is_an_outage(service: Service) -> None:
    with pytest.raises(EmbedderDown):
        embedder(service, dims=4).embed(["x"], kind="passage")


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"object": "embedding", "index": 0, "embedding": []}],
        [{"object": "embedding", "index": 0, "embedding": [0.0, 0.0]}],
        [{"object": "embedding", "index": i, "embedding": [1.0]} for i in range(2)],
    ],
    ids=["nothing", "no numbers", "no direction", "one too many"],
)
def test_an_answer_that_makes_no_sense_is_an_outage(service: Service, data: Any) -> None:
    service.wrong = {"object": "list", "model": "m", "data": data}

    with pytest.raises(EmbedderDown):
        embedder(service).embed(["x"], kind="passage")


@pytest.mark.parametrize(
    "answer",
    [
        {"data": "nonsense"},
        {"data": [1, 2]},
        {"data": [{"index": 0, "embedding": "abc"}]},
        {"data": [{"index": 0, "embedding": [None, 1.0]}]},
        {"data": [{"index": 0, "embedding": [float("nan"), 1.0]}]},
        {"data": [{"index": 0, "embedding": [[1.0], [2.0]]}]},
        {"data": {"0": [1.0]}},
        {"error": "quota"},
        "sorry",
        [],
        7,
        b"<html>busy</html>",
        b"",
    ],
    ids=str,
)
def test_any_other_answer_is_an_outage_too(service: Service, answer: Any) -> None:
    service.wrong = answer
    with pytest.raises(EmbedderDown):
        embedder(service).embed(["x"], kind="passage")
