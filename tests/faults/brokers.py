"""Real brokers, started for a test on a free port of this machine and ended with it."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from memoryapp.embedded.database import broker_dsn, ensure_broker


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], object], seconds: float = 30.0, what: str = "") -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what or condition}"
        time.sleep(0.1)


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Broker(Protocol):
    """A message broker that can go and come back."""

    def environment(self, database_url: str) -> dict[str, str]: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def messages(self) -> bytes:
        """Whatever it has on disk."""


class Pgmq:
    """The database itself; it goes and comes with the database."""

    def environment(self, database_url: str) -> dict[str, str]:
        ensure_broker(database_url)
        return {"MEMORYAPP_PGMQ_DSN": broker_dsn(database_url), "CELERY_BROKER_URL": "pgmq://"}

    def start(self) -> None:
        """Nothing to do."""

    def stop(self) -> None:
        """Nothing to do."""

    def messages(self) -> bytes:
        return b""


class Redis:
    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def environment(self, database_url: str) -> dict[str, str]:
        return {"CELERY_BROKER_URL": f"redis://127.0.0.1:{self.port}/0"}

    def start(self) -> None:
        options = [
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--dir",
            str(self.folder),
            "--appendonly",
            "yes",
        ]
        self.process = subprocess.Popen(["redis-server", *options, "--save", ""], stdout=subprocess.DEVNULL)
        wait_until(lambda: accepts(self.port), what="redis")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def messages(self) -> bytes:
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


class RabbitMq:
    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.inner = folder, free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def environment(self, database_url: str) -> dict[str, str]:
        return {"CELERY_BROKER_URL": f"amqp://guest:guest@127.0.0.1:{self.port}//"}

    def start(self) -> None:
        (self.folder / "enabled_plugins").write_text("[].\n")
        self.process = subprocess.Popen(
            [_server()],
            env=self._own(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(lambda: accepts(self.port), 90, "rabbitmq")

    def stop(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, 15)
            self.process.wait(60)
            self.process = None

    def messages(self) -> bytes:
        return b"".join(path.read_bytes() for path in (self.folder / "mnesia").rglob("*") if path.is_file())

    def _own(self) -> dict[str, str]:
        """Everything in our folder and on our ports: another RabbitMQ of this machine is not touched."""
        return {
            "PATH": os.environ["PATH"] + ":/usr/lib/rabbitmq/bin",
            "HOME": str(self.folder),
            "RABBITMQ_NODENAME": f"faults{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self.inner),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "enabled_plugins"),
            "RABBITMQ_PID_FILE": str(self.folder / "pid"),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(free_port()),
        }


def _server() -> str:
    """Debian's wrapper insists on its own user; the server itself does not."""
    return shutil.which("rabbitmq-server", path="/usr/lib/rabbitmq/bin") or "rabbitmq-server"


def make(name: str, folder: Path) -> Broker:
    if name == "pgmq":
        return Pgmq()
    folder.mkdir(parents=True, exist_ok=True)
    return Redis(folder) if name == "redis" else RabbitMq(folder)


def is_installed(name: str) -> bool:
    program = {"redis": "redis-server", "rabbitmq": "rabbitmq-server"}.get(name)
    return program is None or shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin") is not None
