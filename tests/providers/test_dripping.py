"""A server that answers byte by byte, without end: each call to it is over when its time is."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings

from memoryapp import in_time
from memoryapp.extract.base import ExtractorDown, Utterance
from memoryapp.extract.llm import LlmExtractor
from memoryapp.extract.remote import RemoteExtractor
from memoryapp.models import ExtractorKind, ServiceRevision
from memoryapp.providers import openai_embeddings
from memoryapp.providers.base import EmbedderDown, waited_for
from memoryapp.providers.openai_embeddings import OpenAIEmbeddings
from memoryapp.reading import extractor_for
from memoryapp.summarise import Line, SummariserDown
from memoryapp.summarise_llm import LlmSummariser

PATIENCE = 0.5
#: For all else that a call takes, on a machine that does other things too.
A_MOMENT = 2.0
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n"
#: What the server sends at once; the rest of its answer comes byte by byte.
AT_ONCE = {"the head drips": HEAD + b"X-Slow: ", "the body drips": HEAD + b"\r\n["}
SAID = Utterance(user_text="저는 부산에서 살아요", occurred_at=datetime.now(UTC), zone=ZoneInfo("Asia/Seoul"))


@pytest.fixture(params=list(AT_ONCE.values()), ids=list(AT_ONCE))
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    over = threading.Event()

    def drip(caller: socket.socket) -> None:
        with caller, suppress(OSError):
            caller.recv(65536)
            caller.sendall(request.param)
            while not over.wait(0.05):
                caller.sendall(b" ")

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=drip, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        over.set()


def took(call: Callable[[], object], error: type[Exception]) -> float:
    began = time.monotonic()
    with pytest.raises(error):
        call()
    return time.monotonic() - began


def test_an_embedder(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_embeddings, "WAITED_SECONDS", PATIENCE)
    monkeypatch.setattr(openai_embeddings, "PASSAGE_SECONDS", PATIENCE)
    ours = OpenAIEmbeddings(model="m", base_url=url, api_key="k", dims=8)
    assert took(lambda: ours.embed(["x"], kind="query"), EmbedderDown) < PATIENCE + A_MOMENT
    assert took(lambda: ours.embed(["x"], kind="passage"), EmbedderDown) < PATIENCE + A_MOMENT
    with waited_for():
        assert took(lambda: ours.embed(["x"], kind="passage"), EmbedderDown) < PATIENCE + A_MOMENT


def test_a_language_model_that_reads(url: str) -> None:
    ours = LlmExtractor(base_url=url, api_key="k", model="m", timeout=PATIENCE)
    assert took(lambda: ours.extract(SAID), ExtractorDown) < PATIENCE + A_MOMENT


def test_a_language_model_that_summarises(url: str) -> None:
    ours = LlmSummariser(base_url=url, api_key="k", model="m", timeout=PATIENCE)
    lines = [Line(text="저는 부산에서 살아요", pair_ids=(), at=SAID.occurred_at)]
    assert took(lambda: ours.summarise("day", lines), SummariserDown) < PATIENCE + A_MOMENT


def test_a_remote_memory_server(url: str) -> None:
    ours = RemoteExtractor(url=url, timeout=PATIENCE)
    assert took(lambda: ours.extract(SAID), ExtractorDown) < PATIENCE + A_MOMENT


def test_a_remote_memory_server_has_the_time_of_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LLM_SECONDS", 7.0)
    revision = ServiceRevision(extractor=ExtractorKind.REMOTE, extractor_url="http://127.0.0.1:9/")
    ours = extractor_for(revision)
    assert isinstance(ours, RemoteExtractor)
    assert ours.timeout == 7.0


def test_a_fork_has_a_loop_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = in_time._loop()
    assert in_time._loop() is ours
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert in_time._loop() is not ours
