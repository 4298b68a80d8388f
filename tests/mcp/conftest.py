"""Agents that are connected over MCP, with the SDK's own client."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import Runtime
from tests.live import LiveServer

T = TypeVar("T")
Connect = Callable[..., AbstractAsyncContextManager[Client]]


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run an agent's asynchronous work."""
    return asyncio.run(work())  # type: ignore[arg-type]


@pytest.fixture
def connect(live: LiveServer) -> Connect:
    """Connect an agent of a service for a user: `async with connect(assistant, "minji") as agent`."""

    @asynccontextmanager
    async def open_client(runtime: Runtime, user_id: str | None, mode: str = "auto", **headers: str) -> Any:
        credentials = {"Authorization": f"Bearer {runtime.secret}", **headers}
        if user_id is not None:
            credentials["X-Memory-User"] = user_id
        # Plain HTTP looks at no certificate, and loading them all takes 40 ms for each agent.
        async with httpx2.AsyncClient(headers=credentials, timeout=30, verify=False) as http:
            transport = streamable_http_client(f"{live.base_url}/mcp/", http_client=http)
            async with Client(transport, mode=mode) as client:
                yield client

    return open_client
