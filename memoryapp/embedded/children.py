"""Start processes that cannot outlive us, and end them with everything they started."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

# Linux tells a child when its parent dies (prctl PR_SET_PDEATHSIG = 1). Elsewhere `leftovers.sweep` mops up.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1
LOG_LIMIT = 5_000_000


def follow_parent(death_signal: signal.Signals) -> None:
    """Ask the kernel to send us `death_signal` when the thread that started us is gone."""
    if _LIBC:
        _LIBC.prctl(_PR_SET_PDEATHSIG, int(death_signal))


def spawn(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    cwd: Path,
    log: Path,
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, writing to `log`; it gets `death_signal` when we die.

    Must be called from the main thread: the death signal is tied to the thread that forks.
    """
    with open_log(log) as output:
        return subprocess.Popen(
            [str(part) for part in command],
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C in the terminal reaches us first, and we decide the order
            preexec_fn=_leash(death_signal),
        )


def _leash(death_signal: signal.Signals) -> Callable[[], None]:
    parent = os.getpid()

    def before_exec() -> None:
        # `make run &` in a script hands down an ignored SIGINT, which would make children deaf to it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        follow_parent(death_signal)
        if os.getppid() != parent:  # we died between fork and prctl: nobody will ever tell this child
            os._exit(1)

    return before_exec


def open_log(path: Path) -> BinaryIO:
    """`path` for appending, private to its owner; what was there moves to `.old` above LOG_LIMIT bytes."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LOG_LIMIT:
        path.replace(path.with_suffix(".old"))
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")


def log_tail(path: Path, lines: int = 15) -> str:
    """The last lines of a log, for a message to the person who started us."""
    if not path.exists():
        return "(nothing was logged)"
    with path.open("rb") as log:
        log.seek(max(0, path.stat().st_size - 8_000))
        return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send `number` to the process and all it started, also when the process itself is already gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nothing is left, or only zombies (macOS)
        os.killpg(process.pid, number)
