"""`make run`, as a person and as a crash see it: the whole product in processes of its own."""

import http.client
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from memoryapp.embedded import leftovers
from memoryapp.embedded.quickstart import read_quickstart

pytestmark = pytest.mark.xdist_group("product")  # one running product serves most of these tests
PROJECT = Path(__file__).resolve().parent.parent.parent
GIVEN = (
    "DATABASE_URL",
    "CELERY_BROKER_URL",
    "MEMORYAPP_DATA_DIR",
    "SECRET_KEY",
    "PORT",
    "DJANGO_SETTINGS_MODULE",
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(data: Path, port: int) -> "subprocess.Popen[str]":
    """What `make run` starts once everything is installed, in the environment of somebody who set nothing."""
    environment = {name: value for name, value in os.environ.items() if name not in GIVEN}
    return subprocess.Popen(
        [sys.executable, "-m", "memoryapp.embedded"],
        cwd=PROJECT,
        env=environment | {"MEMORYAPP_DATA_DIR": str(data), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def wait_until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert condition()


def says_ready(process: "subprocess.Popen[str]") -> str:
    """All it said until it was ready, or until it ended."""
    assert process.stdout
    said = ""
    for line in process.stdout:
        said += line
        if "logs in" in line:
            break
    return said


def is_healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def pids_of(data: Path, what: str) -> list[int]:
    """Pids of the supervised processes with `what` in their command line."""
    return [pid for pid in leftovers.marked(data) if what in command_of(pid)]


def command_of(pid: int) -> str:
    """Its command line; "" of a process that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def running(data: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    process = start(data, port)
    said = says_ready(process)
    assert process.poll() is None, said
    yield process
    process.kill()
    process.wait()


@pytest.mark.usefixtures("running")
def test_quickstart_holds_the_addresses_and_the_cast_for_the_owner_only(data: Path, port: int) -> None:
    quickstart = data / "quickstart.json"
    content = read_quickstart(quickstart)
    assert stat.S_IMODE(quickstart.stat().st_mode) == 0o600
    assert content["base_url"] == f"http://127.0.0.1:{port}"
    assert [user["username"] for user in content["users"]] == ["minji", "jiho"]
    assert [service["slug"] for service in content["services"]] == ["assistant", "homebot"]
    with psycopg.connect(content["database_url"]) as connection:
        assert connection.execute("SELECT to_regclass('memoryapp_memory') IS NOT NULL").fetchone() == (True,)


@pytest.mark.usefixtures("running")
def test_the_workers_cause_no_errors_in_the_log_of_the_database(data: Path) -> None:
    worker = data / "logs/worker.log"
    wait_until(worker.exists)
    time.sleep(15)  # a worker starts within some, and would tell the others every other second that it lives
    assert pids_of(data, "celery")
    assert "ERROR" not in (data / "logs/postgres.log").read_text()


@pytest.mark.usefixtures("running")
def test_a_second_start_on_the_same_data_is_refused(data: Path) -> None:
    second = start(data, free_port())
    said, _ = second.communicate(timeout=120)
    assert second.returncode == 1
    assert "Already running" in said
    assert "Traceback" not in said


@pytest.mark.usefixtures("running")
def test_a_busy_port_is_refused_with_a_way_out(tmp_path: Path, port: int) -> None:
    second = start(tmp_path, port)
    said, _ = second.communicate(timeout=120)
    assert second.returncode == 1
    assert f"Port {port} is in use" in said
    assert f"make run PORT={port + 1}" in said


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("what", ["granian", "celery"])
def test_a_killed_process_is_started_again(data: Path, port: int, what: str) -> None:
    killed = pids_of(data, what)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: len(pids_of(data, what)) >= len(killed) and not set(killed) & set(pids_of(data, what)))
    wait_until(lambda: is_healthy(port))


def test_a_killed_supervisor_leaves_nothing_that_blocks_the_next_start(
    running: "subprocess.Popen[str]", data: Path, port: int
) -> None:
    """Nothing is waited for in between: the next start has to clear up by itself."""
    credentials = read_quickstart(data / "quickstart.json")
    running.kill()
    second = start(data, port)
    said = says_ready(second)
    assert second.poll() is None, said
    assert read_quickstart(data / "quickstart.json") == credentials
    second.send_signal(signal.SIGINT)
    assert second.wait(180) == 0
    assert leftovers.marked(data) == []
    assert not (data / "postgres/postmaster.pid").exists()
