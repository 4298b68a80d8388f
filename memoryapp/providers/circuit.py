"""A circuit breaker: a provider that keeps failing is left alone for a while, so that no caller waits for it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memoryapp.providers.base import EmbedderDown, EmbedderRefused


class Circuit:
    """Opens after so many outages in a row; after `rest` seconds one call may try. Safe for threads.

    EmbedderDown counts as an outage. EmbedderRefused does not: the provider answered.
    """

    def __init__(
        self, *, outages: int = 4, rest: float = 15.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._outages = outages
        self._rest = rest
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._opened_at: float | None = None

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around one call. Raises EmbedderDown at once while the circuit is open."""
        self._enter()
        try:
            yield
        except EmbedderRefused:
            self._succeeded()
            raise
        except EmbedderDown:
            self._outage()
            raise
        self._succeeded()

    def _enter(self) -> None:
        with self._lock:
            if self._opened_at is None:
                return
            if self._clock() - self._opened_at < self._rest:
                raise EmbedderDown("the embedding provider failed again and again and is left alone for now")
            # This caller tries; the others wait for another rest.
            self._opened_at = self._clock()

    def _succeeded(self) -> None:
        with self._lock:
            self._failed, self._opened_at = 0, None

    def _outage(self) -> None:
        with self._lock:
            self._failed += 1
            if self._failed >= self._outages:
                self._opened_at = self._clock()
