"""The data folder: where things lie in it, who may use it, and its one secret that Django needs."""

import fcntl
import os
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from memoryapp.embedded.refusals import CannotStart

STOPPING = "stopping"


@dataclass(frozen=True)
class DataFolder:
    root: Path  # absolute

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def quickstart(self) -> Path:
        return self.root / "quickstart.json"


def open_data_folder(path: Path) -> DataFolder:
    """Create the folder (mode 700) if need be. Raises CannotStart when it cannot be used by this user."""
    root = path.expanduser().absolute()
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = root.resolve()
        for part in (root / "logs", root / "run"):
            part.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise CannotStart(f"The data folder {root} cannot be used: {error.strerror}.") from error
    if not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        raise CannotStart(
            f"The data folder {root} belongs to another user. Set MEMORYAPP_DATA_DIR to one of yours."
        )
    return DataFolder(root)


def secret_key(folder: DataFolder) -> str:
    """Django's SECRET_KEY, made once (mode 600) and kept. Call it while holding the lock."""
    path = folder.root / "secret_key"
    if not path.exists():
        write_private(path, secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8").strip()


def write_private(path: Path, text: str) -> None:
    """Write `text` to `path`, mode 600, all or nothing: a reader or a crash never meets half a file."""
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Lock:
    """One supervisor a data folder. The kernel drops the lock with its holder, so a crash never blocks."""

    def __init__(self, folder: DataFolder, *, patience: float = 30.0) -> None:
        """Take the lock; waits `patience` seconds for a holder that is already stopping, else CannotStart."""
        self._path = folder.root / "lock"
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + patience
        while not self._take():
            holder = self._path.read_text(encoding="utf-8").split()
            if STOPPING not in holder or time.monotonic() > deadline:
                os.close(self._file)
                raise CannotStart(_already_running(folder, holder[0] if holder else "unknown"))
            time.sleep(0.1)
        self.note("running")

    def note(self, state: str) -> None:
        """Say in the lock file what we are doing; safe to call from a signal handler."""
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()} {state}\n".encode(), 0)

    def release(self) -> None:
        os.close(self._file)

    def _take(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _already_running(folder: DataFolder, pid: str) -> str:
    return (
        f"Already running on {folder.root} (process {pid}). Stop that one first, "
        "or start another with its own MEMORYAPP_DATA_DIR and PORT."
    )
