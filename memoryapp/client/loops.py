"""One awaiting client per event loop: frameworks run an agent's work now in one loop, now in another."""

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from memoryapp.client.http import AsyncClient


class PerLoop:
    """Gives the client of the running loop, made when first asked for. Connections cannot change loops."""

    def __init__(self, make: Callable[[], AsyncClient]) -> None:
        self._make = make
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncClient] = WeakKeyDictionary()

    @property
    def client(self) -> AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients[loop] = self._make()
        return self._clients[loop]

    async def aclose(self) -> None:
        """Close the running loop's client."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()
