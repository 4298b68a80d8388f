"""The product as a real server with two web workers: throughput, and the first byte of the pages."""

import functools
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.bench import timing

WORKERS, THREADS, SECONDS = 2, 8, 8
PROJECT = Path(__file__).resolve().parents[2]


@contextmanager
def server() -> Iterator[str]:
    """Its address. It works on the database and with the key of this process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = (
        f"granian --interface asgi --no-ws --log-level warning --workers-kill-timeout 5 --workers {WORKERS} "
        f"--host 127.0.0.1 --port {port} tests.bench.asgi:application"
    )
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *command.split()],
            cwd=PROJECT,
            env={**os.environ, "LOG_LEVEL": "WARNING"},
            stdout=log,
            stderr=log,
        )
        try:
            yield _answering(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(20)


def _answering(address: str) -> str:
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up:
        try:
            if httpx.get(f"{address}/healthz", timeout=2).status_code == 200:
                return address
        except httpx.HTTPError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def throughput(address: str, secret: str, user_id: str, question: str) -> None:
    """Requests per second of eight callers at once: the yardstick view, then recall."""
    headers = {"Authorization": f"Bearer {secret}"}
    body = {"user_id": user_id, "query": question}
    plain = _rate(lambda http: http.get(f"{address}/select-1"))
    recall = _rate(lambda http: http.post(f"{address}/api/v1/recall", json=body, headers=headers))
    timing.show_rate(f"SELECT 1 view, {WORKERS} web workers, {THREADS} callers", plain)
    timing.show_rate(
        f"recall of 1,000, {WORKERS} web workers, {THREADS} callers",
        recall,
        f"1/{plain / recall:.1f} of the view",
    )


def _rate(call: Callable[[httpx.Client], httpx.Response]) -> float:
    done = [0] * THREADS
    until = time.monotonic() + SECONDS

    def caller(number: int) -> None:
        with httpx.Client(timeout=30) as http:
            while time.monotonic() < until:
                call(http).raise_for_status()
                done[number] += 1

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(THREADS)]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done) / (time.monotonic() - begin)


def pages(address: str, cookies: dict[str, str], memory_id: str) -> None:
    """First byte of the list and of one memory for a person with 10,000, by themself."""
    with httpx.Client(base_url=address, cookies=cookies, timeout=30) as http:
        yardstick = timing.show("SELECT 1 view, served", timing.timed(lambda: _first_byte(http, "/select-1")))
        for name, path in (
            ("my page: list", "/me/memories/"),
            ("my page: one memory", f"/me/memories/{memory_id}/"),
        ):
            times = timing.timed(functools.partial(_first_byte, http, path))
            timing.show(f"{name}, 10,000 memories, first byte", times, yardstick)


def _first_byte(http: httpx.Client, path: str) -> None:
    with http.stream("GET", path) as answer:
        if answer.status_code != 200:
            raise SystemExit(f"{path} answered {answer.status_code}")
        next(answer.iter_raw())
