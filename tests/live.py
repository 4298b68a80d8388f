"""The product's real ASGI server on the test database, for tests that speak HTTP to it.

The fixture `live`: its `base_url` answers until the test ends. There is one server for each test worker, started
when a test first asks for it; each test finds it on an empty database.
"""

import fcntl
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx
import pytest
from django.conf import settings
from django.db import connection

from memoryapp import vault
from memoryapp.index import embed
from memoryapp.models import EmbeddingSpace, SpaceState, Vector

PROJECT = Path(__file__).resolve().parent.parent
WORKERS = 2
STARTS_WITHIN_SECONDS = 180
#: The serving space keeps this id from test to test, because server processes remember it for a while.
SPACE_ID = 7731


@dataclass
class LiveServer:
    """A server process; `start` once there is a database for it."""

    port: int
    log: Path
    process: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        if self.process is not None:
            return
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self._command(), cwd=PROJECT, env=server_environment(), stdout=log, stderr=log
            )
        self._wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)

    def _command(self) -> list[str]:
        granian = "granian --interface asgi --no-ws --log-level warning --workers-kill-timeout 5"
        where = f"--host 127.0.0.1 --port {self.port} --workers {WORKERS} memoryapp.asgi:application"
        return [sys.executable, "-m", *granian.split(), *where.split()]

    def _wait(self) -> None:
        give_up = time.monotonic() + STARTS_WITHIN_SECONDS
        while time.monotonic() < give_up and self.process and self.process.poll() is None:
            try:
                httpx.get(f"{self.base_url}/healthz", timeout=2).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.2)
            else:
                return
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()[-2000:]}")


def server_environment() -> dict[str, str]:
    """What another process needs to work on the test database with the test keys."""
    parts = urlsplit(os.environ["DATABASE_URL"])
    here = urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))
    return {
        **os.environ,
        "DATABASE_URL": here,
        "MEMORYAPP_MASTER_KEYSET": settings.MASTER_KEYSET,
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        "LOG_LEVEL": "WARNING",
    }


@pytest.fixture(scope="session")
def static_files(django_db_setup: None) -> None:
    """The files as production serves them: hashed and compressed, once for all test workers."""
    folder = Path(settings.STATIC_ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "staticfiles.json").exists():
            # No page uses what these bring.
            others = [f"--ignore={name}" for name in ("rest_framework", "allauth", "account")]
            command = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v", "0", *others]
            subprocess.run(command, cwd=PROJECT, env=server_environment(), check=True)


@pytest.fixture(scope="session")
def web(
    django_db_setup: None, static_files: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveServer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = LiveServer(port, tmp_path_factory.mktemp("live") / "server.log")
    yield server
    server.stop()


@pytest.fixture
def live(transactional_db: None, web: LiveServer) -> LiveServer:
    """The running server, on the emptied test database."""
    _keep_the_space_id()
    # As init_vault does, though people with keys may be there already.
    vault.set_seal()
    web.start()
    return web


def _keep_the_space_id() -> None:
    space = EmbeddingSpace.objects.get(state=SpaceState.SERVING)
    if space.pk == SPACE_ID:
        return
    old, space.pk = space.pk, SPACE_ID
    EmbeddingSpace.objects.filter(pk=old).update(state=SpaceState.RETIRED)
    space.save(force_insert=True)
    Vector.objects.filter(space_id=old).update(space=space)
    EmbeddingSpace.objects.filter(pk=old).delete()
    embed.forget_serving()
