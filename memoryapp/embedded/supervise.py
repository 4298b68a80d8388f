"""Keep a handful of processes running: restart what dies, stop everything in order."""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memoryapp.embedded import children
from memoryapp.embedded.refusals import CannotStart
from memoryapp.embedded.say import say
from memoryapp.embedded.wakeups import Wakeups

FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0  # seconds before a restart, doubled each time
STEADY_SECONDS = 60.0  # a process that lived this long starts over with the first delay


@dataclass
class Service:
    """One supervised process. `start` launches it and returns once it is launched."""

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    log: str
    deaths: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    started: float = 0.0
    due: float = 0.0  # when to start it; meaningless while it runs
    delay: float = FIRST_DELAY

    def launch(self) -> None:
        """Start it; a refusal counts as a death, to be tried again like any other."""
        self.started = time.monotonic()
        try:
            self.process = self.start()
        except CannotStart as refusal:
            self._again(str(refusal).splitlines()[0])

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def bury(self, process: subprocess.Popen[bytes]) -> None:
        """The process ended by itself: end what it started, and set the time of the next try."""
        children.signal_group(process, signal.SIGKILL)  # orphaned web workers would keep the port
        self.process = None
        if time.monotonic() - self.started > STEADY_SECONDS:
            self.delay = FIRST_DELAY
        self._again(_reason(process.returncode))

    def _again(self, why: str) -> None:
        self.deaths += 1
        self.due = time.monotonic() + self.delay
        say(f"{self.name} ended ({why}), again in {self.delay:.0f} s; see {self.log}")
        self.delay = min(self.delay * 2, LONGEST_DELAY)


def keep_running(services: Sequence[Service], wakeups: Wakeups, until: Callable[[], bool]) -> None:
    """Start the services, restart those that end, and return when `until()` or somebody asks us to stop.

    `until` is asked every half second, so it must be quick.
    """
    while not wakeups.stops and not until():
        for service in services:
            if service.process is not None and service.process.poll() is not None:
                service.bury(service.process)
            if service.process is None and service.due <= time.monotonic() and not wakeups.stops:
                service.launch()
        wakeups.wait(0.5)


def stop_all(services: Sequence[Service], wakeups: Wakeups, patience: float) -> None:
    """Ask all to finish; after `patience` seconds, or at a second request to stop, end them for good."""
    running = [service for service in services if service.process is not None]
    for service in running:
        if service.alive() and service.process is not None:
            service.process.terminate()
    deadline = time.monotonic() + patience
    while any(service.alive() for service in running) and time.monotonic() < deadline and wakeups.stops < 2:
        wakeups.wait(0.5)
    for service in running:
        if service.alive():
            say(f"{service.name} did not finish in time and is ended")
        if service.process is not None:
            children.signal_group(service.process, signal.SIGKILL)
            service.process.wait()
            service.process = None


def _reason(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
