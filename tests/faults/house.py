"""The whole product in processes of its own, any of which a test may kill, stop or start again."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import psycopg

from memoryapp.embedded.database import ensure_broker, ensure_database
from memoryapp.embedded.postgres import Postgres
from tests.faults.brokers import Broker, free_port, wait_until
from tests.faults.hands import Hands

PROJECT = Path(__file__).resolve().parent.parent.parent
PREPARE = """
import sys, django
from django.core.management import call_command
django.setup()
call_command("migrate", "--no-input", verbosity=0)
call_command("init_vault", verbosity=0)
call_command("seed_demo", "--quickstart", sys.argv[1], verbosity=0)
"""
GRANIAN = "granian --interface asgi --no-ws --log-level warning --workers-kill-timeout 5 --host 127.0.0.1"
WORKER = "celery --app memoryapp.celery worker --concurrency 2 --without-gossip"
BEAT = "celery --app memoryapp.celery beat --pidfile="
#: What holds a row for whoever works on it.
CLAIMED = ("memoryapp_turn", "memoryapp_summary", "memoryapp_indexentry", "memoryapp_replay")
AGE = "UPDATE {} SET claimed_at = now() - interval '1 hour' WHERE state IN ('running', 'indexing')"
WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
LEFT = "SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)"


@cache
def furnished(provider: str) -> Path:
    """A data folder with a database that is migrated and seeded. Made once a run: it takes half a minute."""
    folder = Path(os.environ["MEMORYAPP_DATA_DIR"]) / f"house-{provider}"  # a run's own, removed at its end
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _furnish(folder.with_suffix(".new"), provider)
            folder.with_suffix(".new").rename(folder)
    return folder


def _furnish(folder: Path, provider: str) -> None:
    folder.mkdir()
    with Postgres(folder / "postgres", log=folder / "postgres.log") as postgres:
        database_url = ensure_database(postgres)
        ensure_broker(database_url)
        subprocess.run(
            [sys.executable, "-c", PREPARE, str(folder / "quickstart.json")],
            cwd=PROJECT, env=variables_for(folder, database_url, provider), check=True,
        )  # fmt: skip
    shutil.rmtree(folder / "run", ignore_errors=True)  # its sockets


def variables_for(folder: Path, database_url: str, provider: str) -> dict[str, str]:
    """What the product's processes are told, and nothing of this test run's own settings."""
    ours = ("MEMORYAPP_", "CELERY_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(ours)},
        "DJANGO_SETTINGS_MODULE": "memoryapp.settings",
        "DATABASE_URL": database_url,
        "MEMORYAPP_DATA_DIR": str(folder),
        "MEMORYAPP_EMBEDDING_PROVIDER": provider,
        "MEMORYAPP_SWEEP_SECONDS": "1",
        "SECRET_KEY": "only-for-tests",
        "LOG_LEVEL": "INFO",
    }


class House:
    """A database, a broker, web, worker and beat. `with` starts all of them and ends what is left.

    `at_work` names the processes to start. A test that kills in the middle of a piece of work leaves out worker
    and beat, which would do that work meanwhile, and does it by `hands`.
    """

    def __init__(
        self,
        folder: Path,
        broker: Broker,
        *,
        provider: str = "fake",
        web_processes: int = 1,
        application: str = "memoryapp.asgi:application",
        variables: dict[str, str] | None = None,
        at_work: Sequence[str] = ("web", "worker", "beat"),
    ) -> None:
        self.folder, self.broker, self.port = folder, broker, free_port()
        self.postgres = Postgres(folder / "postgres", log=folder / "postgres.log")
        self.provider, self.web_processes, self.application = provider, web_processes, application
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.at_work = at_work
        self._hands: Hands | None = None
        self.database_url = ""
        self.variables: dict[str, str] = variables or {}
        self.quickstart: dict[str, Any] = {}

    def __enter__(self) -> "House":
        # With its owner: PostgreSQL runs as somebody else where we are root.
        subprocess.run(["cp", "-a", f"{furnished(self.provider)}/.", str(self.folder)], check=True)
        self.postgres.start()
        self.database_url = ensure_database(self.postgres)
        self.broker.start()
        self.variables = {
            **variables_for(self.folder, self.database_url, self.provider),
            **self.broker.environment(self.database_url),
            **self.variables,
        }
        self.quickstart = json.loads((self.folder / "quickstart.json").read_text())
        for name in self.at_work:
            self.start(name)
        wait_until(self.is_up, 60, "web")
        return self

    def __exit__(self, *error: object) -> None:
        for name in list(self.processes):
            self.kill(name)
        if self._hands is not None:
            self._hands.close()
        self.broker.stop()
        self.postgres.stop()

    def start(self, name: str) -> None:
        """Start a process; a name like `beat2` is another of the same kind."""
        command = {
            "web": f"{GRANIAN} --workers {self.web_processes} --port {self.port} {self.application}",
            "worker": WORKER,
            "beat": BEAT,
        }[name.rstrip("0123456789")]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", *command.split()],
                cwd=PROJECT, env=self.variables, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> None:
        """End a process with all its children, without a word of warning."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        process.wait(30)

    def restart(self, name: str) -> None:
        """As a deployment does."""
        self.kill(name)
        self.start(name)
        wait_until(self.is_up, 60, "web")

    def django(self, code: str) -> None:
        """Run code where the product's own modules can be used, as an operator's shell does."""
        command = [sys.executable, "-c", f"import django; django.setup()\n{code}"]
        subprocess.run(command, cwd=PROJECT, env=self.variables, check=True)

    def manage(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A command of manage.py, as an operator gives it."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=PROJECT, env=self.variables, capture_output=True, text=True, check=False
        )

    def revive(self) -> None:
        """Start again what ended by itself, as a supervisor does. kombu ends a worker (exit 1) when Redis goes
        while one of its tasks is not acknowledged yet."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                self.start(name)

    def restart_database(self) -> None:
        self.postgres.stop()
        self.postgres.start()

    # -------------------------------------------------------------- work that is killed in the middle

    @property
    def hands(self) -> Hands:
        if self._hands is None:
            self._hands = Hands(self.variables, PROJECT, self.folder / "hands.log")
        return self._hands

    def do(self, code: str) -> None:
        """Do a piece of work to its end."""
        self.hands.begin(code)
        assert self.hands.end() == 0, (self.folder / "hands.log").read_text()[-3000:]

    def kill_web_at(self, locks: Sequence[str], requests: Sequence[Callable[[], httpx.Response]]) -> None:
        """Let these requests come, each as far as one of these locks, and kill the web process there."""
        with ThreadPoolExecutor(len(requests)) as people:
            with self.held(*locks):
                answers = [people.submit(request) for request in requests]
                stopped = self.wait_at_locks("the requests", len(requests))
                self.kill("web")
            assert all(isinstance(answer.exception(30), httpx.HTTPError) for answer in answers)
        self.wait_until_gone(stopped)
        self.start("web")
        wait_until(self.is_up, 60, "web")

    def killed_at(self, lock: str, code: str) -> None:
        """Do a piece of work as far as this lock, and kill it there."""
        with self.held(lock):
            self.hands.begin(code)
            stopped = self.wait_at_locks(lock)
            self.hands.kill()
        self.wait_until_gone(stopped)

    @contextlib.contextmanager
    def held(self, *locks: str) -> Iterator[None]:
        """Nobody gets past the locks of these statements inside the block. A bare name is a table nobody writes to."""
        with psycopg.connect(self.database_url) as holder:
            for lock in locks:
                holder.execute(lock if " " in lock else f"LOCK TABLE {lock} IN EXCLUSIVE MODE")
            yield

    def wait_at_locks(self, what: str, number: int = 1) -> list[int]:
        """Until so many are held up. → their backends"""
        wait_until(lambda: len(self.sql(WAITING)) >= number, 30, f"{number} at {what}")
        return [pid for (pid,) in self.sql(WAITING)]

    def wait_until_gone(self, backends: list[int]) -> None:
        """Whoever died while they waited: the statement they waited with may have been carried out since."""
        wait_until(lambda: self.sql(LEFT, backends) == [(0,)], 30, "the dead have gone")

    # -------------------------------------------------------------- as a runtime

    def call(self, method: str, path: str, body: Any = None, *, once: str = "") -> httpx.Response:
        """`once`: an Idempotency-Key."""
        key = self.quickstart["services"][0]["api_key"]
        head = {"Authorization": f"Bearer {key}"} | ({"Idempotency-Key": once} if once else {})
        return httpx.request(method, f"{self.base_url}/api/v1/{path}", json=body, headers=head, timeout=30)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def is_up(self) -> bool:
        try:
            return httpx.get(f"{self.base_url}/healthz", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False

    def welcome(self, user_id: str) -> None:
        """Somebody who has switched memory on."""
        self.call("POST", "persons", {"user_id": user_id, "display_name": user_id})
        self.call(
            "PUT", "consents/long_term_memory", {"user_id": user_id, "granted": True}
        ).raise_for_status()

    def report(self, user_id: str, turn_id: str, text: str, answer: str = "") -> httpx.Response:
        body = {"user_id": user_id, "session_id": "s1", "turn_id": turn_id, "user_text": text}
        body |= {"assistant_text": answer} if answer else {}
        return self.call("POST", "turns", body)

    def state(self, user_id: str, turn_id: str) -> str:
        return str(self.call("GET", f"turns/{turn_id}?user_id={user_id}").json().get("state"))

    def facts(self, user_id: str) -> list[str]:
        rows = self.call("GET", f"memories?user_id={user_id}&validity=all&limit=200").json()["items"]
        return sorted(row["statement"] for row in rows)

    def wait_for(self, user_id: str, turn_id: str, state: str = "done", seconds: float = 45) -> None:
        def is_there() -> bool:
            self.revive()
            return self.state(user_id, turn_id) == state

        wait_until(is_there, seconds, f"{turn_id} is {state}")

    # -------------------------------------------------------------- as somebody at the database

    def sql(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            cursor = connection.execute(statement, values)
            return list(cursor) if cursor.description else []

    def person_pk(self, user_id: str) -> int:
        return int(self.sql("SELECT id FROM speakers_person WHERE user_id = %s", user_id)[0][0])

    def age_claims(self) -> None:
        """Time passes: what a dead worker had claimed may be claimed again."""
        for table in CLAIMED:
            self.sql(AGE.format(table))

    def logs(self) -> str:
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("*.log"))
