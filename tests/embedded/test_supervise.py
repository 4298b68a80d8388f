"""The supervisor: what dies is started again, and nothing is left when it stops or is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memoryapp.embedded import children, leftovers, supervise
from memoryapp.embedded.supervise import Service, keep_running, stop_all
from memoryapp.embedded.wakeups import ASKS_TO_STOP, Wakeups
from tests.embedded.conftest import Start, first_line

SLEEP = "import time; time.sleep(600)"
DEAF = f"""
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
{SLEEP}
"""
START_A_GRANDCHILD = f"""
import os, signal, subprocess, sys
deaf = lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c", {SLEEP!r}], preexec_fn=deaf)
print(grandchild.pid, flush=True)
"""
SUPERVISE_A_SLEEPER = f"""
import os, sys, time
from pathlib import Path
from memoryapp.embedded import children, leftovers
data = Path(sys.argv[1])
env = dict(os.environ) | leftovers.mark(data)
child = children.spawn([sys.executable, "-c", {SLEEP!r}], env=env, cwd=Path("/"), log=data / "log")
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def wakeups() -> Iterator[Wakeups]:
    numbers = (*ASKS_TO_STOP, signal.SIGCHLD)
    before = {number: signal.getsignal(number) for number in numbers}
    yield Wakeups(on_stop=lambda: None)
    signal.set_wakeup_fd(-1)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def service(tmp_path: Path) -> Callable[[str], Service]:
    def make(code: str) -> Service:
        log = tmp_path / "service.log"

        def start() -> "subprocess.Popen[bytes]":
            return children.spawn([sys.executable, "-c", code], env=os.environ, cwd=tmp_path, log=log)

        return Service("homebot", start, str(log), delay=0.05)

    return make


def run_until(condition: Callable[[], bool], services: list[Service], wakeups: Wakeups) -> None:
    deadline = time.monotonic() + 60
    keep_running(services, wakeups, until=lambda: condition() or time.monotonic() > deadline)
    assert condition()


def logged(service: Service) -> str:
    return Path(service.log).read_text(encoding="utf-8") if Path(service.log).exists() else ""


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split(") ")[1][0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


def test_a_service_that_dies_is_started_again(service: Callable[[str], Service], wakeups: Wakeups) -> None:
    homebot = service("print('here', flush=True)")
    run_until(lambda: logged(homebot).count("here") >= 3, [homebot], wakeups)
    stop_all([homebot], wakeups, patience=5)


def test_each_death_in_a_row_doubles_the_pause_up_to_a_limit(
    service: Callable[[str], Service], wakeups: Wakeups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "LONGEST_DELAY", 0.15)
    homebot = service("raise SystemExit(3)")
    run_until(lambda: homebot.deaths == 1, [homebot], wakeups)
    assert homebot.delay == 0.1
    run_until(lambda: homebot.deaths == 3, [homebot], wakeups)
    assert homebot.delay == 0.15


def test_what_a_dead_service_had_started_is_ended_before_it_starts_again(
    service: Callable[[str], Service], wakeups: Wakeups
) -> None:
    homebot = service(START_A_GRANDCHILD)
    homebot.delay = 60
    run_until(lambda: homebot.deaths == 1, [homebot], wakeups)
    wait_until(lambda: not is_running(int(logged(homebot))))


def test_a_request_to_stop_ends_the_waiting_at_once(
    service: Callable[[str], Service], wakeups: Wakeups
) -> None:
    sleeper = service(SLEEP)
    run_until(sleeper.alive, [sleeper], wakeups)
    os.kill(os.getpid(), signal.SIGINT)
    keep_running([sleeper], wakeups, until=lambda: False)
    started = time.monotonic()
    stop_all([sleeper], wakeups, patience=60)
    assert not sleeper.alive()
    assert time.monotonic() - started < 30


def test_a_second_request_does_not_wait_for_a_service_that_will_not_end(
    service: Callable[[str], Service], wakeups: Wakeups
) -> None:
    deaf = service(DEAF)
    run_until(lambda: "deaf" in logged(deaf), [deaf], wakeups)
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)
    started = time.monotonic()
    stop_all([deaf], wakeups, patience=60)
    assert not deaf.alive()
    assert time.monotonic() - started < 30


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends what is left")
def test_a_killed_supervisor_takes_its_services_along(tmp_path: Path, start_python: Start) -> None:
    supervisor = start_python(SUPERVISE_A_SLEEPER, tmp_path)
    child = int(first_line(supervisor))
    supervisor.kill()
    supervisor.wait()
    wait_until(lambda: not is_running(child))


def test_the_next_start_ends_what_is_left_of_this_data_folder_and_of_no_other(
    tmp_path: Path, start_python: Start
) -> None:
    def left_behind(data: str) -> "subprocess.Popen[str]":
        process = start_python(DEAF, env=dict(os.environ) | leftovers.mark(tmp_path / data))
        first_line(process)
        return process

    ours, another = left_behind("minji"), left_behind("minji-2")
    assert leftovers.sweep(tmp_path / "minji", patience=0.3) == 1
    assert ours.wait() == -signal.SIGKILL
    assert another.poll() is None


def test_a_log_that_grew_large_makes_room_for_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "LOG_LIMIT", 10)
    log = tmp_path / "web.log"
    for text in (b"a line that is too long\n", b"new\n"):
        with children.open_log(log) as file:
            file.write(text)
    assert log.read_bytes() == b"new\n"
    assert (tmp_path / "web.old").read_bytes() == b"a line that is too long\n"
