"""Sleep until a signal or a time-out, and remember that someone asked us to stop."""

import os
import select
import signal
from collections.abc import Callable
from types import FrameType

ASKS_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Wakeups:
    """`stops` counts the requests to stop: one means gently, more mean now."""

    def __init__(self, on_stop: Callable[[], None]) -> None:
        """`on_stop` runs inside the signal handler, at the first request only."""
        self.stops = 0
        self._on_stop = on_stop
        self._reader, writer = os.pipe()
        for end in (self._reader, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in ASKS_TO_STOP:
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # respect nohup
                signal.signal(number, self._ask)
        signal.signal(signal.SIGCHLD, self._child_ended)

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or as soon as a child ended or a signal came."""
        if select.select([self._reader], [], [], max(0.0, seconds))[0]:
            os.read(self._reader, 4096)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.stops += 1
        if self.stops == 1:
            self._on_stop()

    def _child_ended(self, number: int, frame: FrameType | None) -> None:
        """Only there so that the signal wakes `wait`."""
