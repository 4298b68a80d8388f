"""Calls to models elsewhere, each over within its time, however slowly the answer drips.

A time-out of httpx begins anew with each byte that arrives; only cancelling ends a call as a whole. The calls run on
a loop in a thread of this process, so that its connections are kept from one call to the next.
"""

import asyncio
import os
from collections.abc import Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")
_lock = Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


def run(seconds: float, call: Coroutine[Any, Any, T]) -> T:
    """What the call gives. Raises TimeoutError when it is not over in time, else whatever it raises."""
    return asyncio.run_coroutine_threadsafe(_within(seconds, call), _loop()).result()


async def _within(seconds: float, call: Coroutine[Any, Any, T]) -> T:
    async with asyncio.timeout(seconds):
        return await call


def _loop() -> asyncio.AbstractEventLoop:
    """One for each process: a fork takes no threads along."""
    pid = os.getpid()
    with _lock:
        if pid not in _loops:
            _loops[pid] = asyncio.new_event_loop()
            Thread(target=_loops[pid].run_forever, name="models-elsewhere", daemon=True).start()
        return _loops[pid]
