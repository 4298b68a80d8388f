"""Agents that use the client package against the real server."""

import asyncio
from collections.abc import Awaitable, Iterator
from typing import TypeVar

import pytest

from memoryapp.client.http import Client
from tests.conftest import Runtime
from tests.live import LiveServer

T = TypeVar("T")


def run(work: Awaitable[T]) -> T:
    """Run an agent's asynchronous work."""

    async def main() -> T:
        return await work

    return asyncio.run(main())


@pytest.fixture
def agent(live: LiveServer, assistant: Runtime) -> Iterator[Client]:
    """The assistant's blocking client."""
    with Client(live.base_url, assistant.secret) as client:
        yield client
