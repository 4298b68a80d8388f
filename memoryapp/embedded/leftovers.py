"""Find and end what an earlier supervisor of the same data folder left running after it was killed.

Every supervised process carries the data folder in its environment, and so do the processes it starts itself.
Pids in a file would not do: they are reused, and a killed web server's workers keep the port under pids that
nobody wrote down.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "MEMORYAPP_SUPERVISED"


def mark(data: Path) -> dict[str, str]:
    """The environment variable that ties a process to its data folder."""
    return {MARK: str(data)}


def sweep(data: Path, *, patience: float = 8.0) -> int:
    """End every process marked with `data`, gently for `patience` seconds, then for good. Returns how many.

    Only for the holder of the data folder's lock: nobody else's processes can carry the mark then.
    """
    found = marked(data)
    for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, 3.0)):
        deadline = time.monotonic() + seconds
        for pid in marked(data):
            _send(pid, number)
        while marked(data) and time.monotonic() < deadline:
            time.sleep(0.1)
    return len(found)


def _send(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return  # it went by itself meanwhile


def marked(data: Path) -> list[int]:
    """Pids of the living processes that belong to this data folder."""
    wanted = f"{MARK}={data}"
    return [pid for pid, variables in _environments() if wanted in variables and pid != os.getpid()]


def _environments() -> Iterator[tuple[int, list[str]]]:
    if sys.platform == "linux":
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                yield int(entry.name), _linux_environment(entry)
        return
    listing = subprocess.run(
        ["ps", "-axwwE", "-o", "pid=,command="], capture_output=True, text=True, check=False
    )
    for line in listing.stdout.splitlines():
        pid, _, rest = line.strip().partition(" ")
        if pid.isdigit():
            yield int(pid), rest.split(" ")


def _linux_environment(entry: Path) -> list[str]:
    try:
        return (entry / "environ").read_bytes().decode(errors="surrogateescape").split("\0")
    except OSError:
        return []  # another user's process, or it ended while we looked
