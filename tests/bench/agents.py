"""What an agent waits for: recall over REST and over MCP in one run, entries, and fifty agents at once.

Run it as `python -m memoryapp.embedded.temporary --durable python -m tests.bench.agents`.
"""

import asyncio
import os
import socket
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import django
import httpx2

ROUNDS, MEMORIES, AT_ONCE = 200, 200, 50
QUESTION = "무슨 커피를 마셔?"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from memoryapp import master, vault
    from tests.live import LiveServer

    call_command("migrate", verbosity=0)
    settings.MASTER_KEYSET = master.new_keyset()
    vault.initialise()
    key = _people()
    with tempfile.TemporaryDirectory() as folder:
        server = LiveServer(_free_port(), Path(folder) / "server.log")
        server.start()
        try:
            asyncio.run(_measure(server.base_url, key))
        finally:
            server.stop()


def _people() -> str:
    from consent import ledger
    from consent.domains import Domain
    from memoryapp import keys, persons, revisions
    from memoryapp.models import ChatService

    for user_id in ("minji", "jiho"):
        person, _ = persons.register(user_id)
        ledger.decide(person, Domain.LONG_TERM_MEMORY, True, actor="person", source="bench")
    service = ChatService.objects.create(slug="bench", name="bench")
    draft = revisions.draft(service)
    revisions.deploy(revisions.edit(draft, memory_enabled=True, recall_scopes=["personal", "service"]))
    return keys.issue(service)[1]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def _measure(url: str, key: str) -> None:
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    from memoryapp.client.http import AsyncClient
    from memoryapp.client.shapes import Entry

    async with AsyncClient(url, key, timeout=60) as rest:
        for number in range(MEMORIES):
            for user_id in ("minji", "jiho"):
                await rest.save(user_id, f"{user_id}의 {number}번째 메모: 커피 원두 {number}호를 골랐다")
        headers = {"Authorization": f"Bearer {key}", "X-Memory-User": "minji"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            for mode in ("legacy", "2026-07-28"):
                async with Client(
                    streamable_http_client(f"{url}/mcp/", http_client=http), mode=mode
                ) as agent:
                    works: dict[str, Callable[[], Awaitable[object]]] = {
                        "REST recall": lambda: rest.recall("minji", QUESTION),
                        f"MCP recall ({mode})": lambda a=agent: a.call_tool("recall", {"query": QUESTION}),
                    }
                    await _compare(works)
            await _together(url, http, key)
        now = datetime.now(UTC)
        ten = [Entry(content=f"{n}번째 말", author="user", timestamp=now) for n in range(10)]
        await _compare({"entries: search": lambda: rest.search_entries("minji", QUESTION)})
        await _compare(
            {
                "entries: add 10 new": lambda: rest.add_session("minji", f"s{time.perf_counter_ns()}", ten),
                "entries: add 10 known": lambda: rest.add_session("minji", "s", ten),
            }
        )


async def _compare(works: dict[str, Callable[[], Awaitable[object]]]) -> None:
    """The works in turn, so that a busy machine is busy for all of them."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for at in range(ROUNDS + 10):
        for name, work in works.items():
            begun = time.perf_counter()
            await work()
            if at >= 10:
                times[name].append((time.perf_counter() - begun) * 1000)
    for name, values in times.items():
        tail = statistics.quantiles(values, n=20)[-1]
        print(f"{name:28} p50 {statistics.median(values):7.1f} ms   p95 {tail:7.1f} ms")


async def _together(url: str, http: httpx2.AsyncClient, key: str) -> None:
    """Fifty calls at once for two people, all with the same JSON-RPC id."""
    call = {"name": "recall", "arguments": {"query": QUESTION}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    async def one(user_id: str) -> bool:
        headers = {"X-Memory-User": user_id, "Accept": "application/json, text/event-stream"}
        answer = await http.post(f"{url}/mcp/", json=body, headers=headers)
        memories = answer.json()["result"]["structuredContent"]["memories"]
        return bool(memories) and all(memory["fact"].startswith(user_id) for memory in memories)

    begun = time.perf_counter()
    right = await asyncio.gather(*(one(("minji", "jiho")[at % 2]) for at in range(AT_ONCE)))
    print(
        f"{AT_ONCE} MCP calls at once          {time.perf_counter() - begun:.2f} s, {sum(right)} with their own"
    )


if __name__ == "__main__":
    main()
