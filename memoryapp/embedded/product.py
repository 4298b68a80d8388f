"""The product's own processes: how each is started, and the environment they share."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memoryapp.embedded import children, leftovers
from memoryapp.embedded.database import broker_dsn
from memoryapp.embedded.folder import DataFolder, secret_key
from memoryapp.embedded.quickstart import write_addresses
from memoryapp.embedded.refusals import CannotStart
from memoryapp.embedded.supervise import Service
from memoryapp.embedded.wakeups import Wakeups

HOST = "127.0.0.1"
PROJECT = Path(__file__).resolve().parent.parent.parent
# Without a kill time-out granian waits for ever for a worker that hangs.
WEB = "granian --interface asgi --no-ws --log-level warning --workers-kill-timeout 5"
# Workers here tell each other nothing: it would be an error a second in the log of a database that is the broker too.
QUIETLY = "--without-gossip --without-heartbeat --without-mingle"
WORKER = f"celery --app memoryapp.celery worker --loglevel warning --concurrency 2 {QUIETLY}"
BEAT = "celery --app memoryapp.celery beat --loglevel warning --pidfile="


@dataclass(frozen=True)
class Product:
    """Where one running product lives."""

    folder: DataFolder
    port: int
    database_url: str

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def uses_own_broker(self) -> bool:
        """Whether the database is the broker too, because no other one was given."""
        return not os.environ.get("CELERY_BROKER_URL")

    def environment(self) -> dict[str, str]:
        """What every process of the product gets, on top of what we were given ourselves."""
        ours = {
            "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
            "DATABASE_URL": self.database_url,
            "MEMORYAPP_DATA_DIR": str(self.folder.root),
            "PORT": str(self.port),
            "SECRET_KEY": os.environ.get("SECRET_KEY") or secret_key(self.folder),
            "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"),
            **leftovers.mark(self.folder.root),
        }
        if self.uses_own_broker:
            ours["MEMORYAPP_PGMQ_DSN"] = broker_dsn(self.database_url)
        return {**os.environ, **ours}

    def services(self) -> list[Service]:
        """web, worker and beat, not started yet."""
        environment = self.environment()
        web = [*WEB.split(), "--host", HOST, "--port", str(self.port), "memoryapp.asgi:application"]
        commands = {"web": web, "worker": WORKER.split(), "beat": BEAT.split()}
        return [self._service(name, command, environment) for name, command in commands.items()]

    def prepare(self, wakeups: Wakeups) -> None:
        """Migrate, make keys, demo and quickstart.json; ends early when asked to stop. Raises CannotStart."""
        log = self.folder.logs / "prepare.log"
        log.unlink(missing_ok=True)  # so that its end is about this start
        command = ["memoryapp.embedded.django_steps", str(self.folder.quickstart)]
        process = _spawn(command, self.environment(), log)
        while process.poll() is None and not wakeups.stops:
            wakeups.wait(0.5)
        if wakeups.stops:
            process.terminate()
            process.wait()
            return
        if process.returncode != 0:
            raise CannotStart(f"Preparing the database failed:\n{children.log_tail(log)}")
        write_addresses(self.folder.quickstart, base_url=self.base_url, database_url=self.database_url)

    def _service(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Service:
        log = self.folder.logs / f"{name}.log"
        return Service(name, lambda: _spawn(command, environment, log), str(log))


def _spawn(
    module_and_arguments: Sequence[str], environment: Mapping[str, str], log: Path
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", *module_and_arguments]
    return children.spawn(command, env=environment, cwd=PROJECT, log=log)
