"""Run by test_telemetry.py in a process of its own, which traces: requests with content everywhere, or tasks.

python -m tests.operations.traced requests SERVICE_KEY | tasks
"""

import asyncio
import sys
import threading
from contextlib import asynccontextmanager
from typing import Any

import django

django.setup()

import httpx  # noqa: E402
from celery.contrib.testing.worker import start_worker  # noqa: E402
from celery.signals import task_postrun  # noqa: E402
from opentelemetry.trace import SpanKind  # noqa: E402

from memoryapp import telemetry, turns, warm  # noqa: E402
from memoryapp.celery import app  # noqa: E402

MARK = "zebra-7731"
TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = f"00-{TRACE}-b7ad6b7169203331-01"


async def requests(application: Any, secret: str) -> None:
    """Content in every place that a request has: body, query, path, headers, method."""
    warm.in_background = lambda: None
    head = {"Authorization": f"Bearer {secret}", "User-Agent": MARK, "Referer": f"https://{MARK}/"}
    trace = {
        "traceparent": CALLER,
        "tracestate": f"say={MARK}",
        "baggage": f"say={MARK}",
        "X-Request-Id": "proxy-12345",
    }
    door = httpx.ASGITransport(app=application, raise_app_exceptions=False)
    async with (
        alive(application),
        httpx.AsyncClient(transport=door, base_url="http://localhost", headers=head, timeout=60) as http,
    ):
        fact = f"제 별명은 {MARK} 얼룩말이에요"
        saved = await http.post("/api/v1/memories", json={"user_id": "minji", "fact": fact})
        saved.raise_for_status()
        query = {"user_id": "minji", "query": f"{MARK} 얼룩말"}
        (await http.post("/api/v1/recall", json=query, headers=trace)).raise_for_status()
        await http.get("/api/v1/memories", params={"user_id": "minji", "q": MARK})
        await http.get(f"/api/v1/{MARK}")
        await http.delete(f"/api/v1/users/{MARK}")
        await http.request(MARK.upper(), f"/api/v1/{MARK}")
        call = {"name": "recall", "arguments": {"query": MARK}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        accepts = {"Accept": "application/json, text/event-stream", "X-Memory-User": "minji"}
        (await http.post("/mcp/", json=message, headers=accepts)).raise_for_status()


@asynccontextmanager
async def alive(application: Any) -> Any:
    """The application between its startup and its shutdown, as a server holds it."""
    orders: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    started = asyncio.Event()

    async def told(message: dict[str, str]) -> None:
        started.set()

    await orders.put({"type": "lifespan.startup"})
    life = asyncio.create_task(application({"type": "lifespan"}, orders.get, told))
    await started.wait()
    yield
    await orders.put({"type": "lifespan.shutdown"})
    await life


class Broken(Exception):
    """An error as careless libraries raise it: with the value in its words."""


def tasks() -> None:
    """A task that is sent inside a request's trace, and breaks; over a broker and a worker in this process."""

    def broken(*args: Any) -> None:
        raise Broken(f"{MARK} 얼룩말")

    turns._claim = broken  # type: ignore[assignment]
    done = threading.Event()
    task_postrun.connect(lambda **kwargs: done.set(), weak=False)
    parent = telemetry._parent({"traceparent": CALLER})
    with (
        start_worker(app, pool="solo", perform_ping_check=False),
        telemetry._span("request", SpanKind.SERVER, parent),
    ):
        app.send_task("memoryapp.digest", args=("00000000-0000-0000-0000-000000000001",))
        assert done.wait(60)


if __name__ == "__main__":
    if sys.argv[1] == "requests":
        from memoryapp.asgi import application

        asyncio.run(requests(application, sys.argv[2]))
    else:
        tasks()
    telemetry._provider.shutdown()
