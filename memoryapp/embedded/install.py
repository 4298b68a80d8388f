"""Create `.venv` and install the project into it, only when something changed since the last time.

Run with the system's Python before anything is installed, so it uses nothing but the standard library, and
says what is missing when that Python is too old:

    python3 -I memoryapp/embedded/install.py EXTRA ...
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent.parent
VENV = PROJECT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed.json"
OLDEST = (3, 11)
NEWER = (
    "python3.13",
    "python3.12",
    "python3.11",
    "python3.14",
)  # names to look for when `python3` is too old


def main(extras: list[str]) -> None:
    """Make `.venv` hold the project with at least `extras`; exits with a message when it cannot."""
    if sys.version_info < OLDEST:
        _start_again_with_newer_python()
    with (PROJECT / ".venv.lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two `make run` in a fresh clone install once
        installed = _read_stamp()
        extras = sorted({*extras, *installed.get("extras", [])})
        wanted = {"state": _fingerprint(), "extras": extras}
        if installed != wanted or not _works():
            _install(extras)
            STAMP.write_text(json.dumps(wanted), encoding="ascii")


def _start_again_with_newer_python() -> None:
    for name in NEWER:
        path = shutil.which(name)
        # A pyenv shim exists for versions that are not switched on; ask before trusting the name.
        if path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            sys.exit(subprocess.run([path, "-I", *sys.argv], check=False).returncode)
    sys.exit(
        "Python 3.11 or newer is needed; set PYTHON to one, as in `make run PYTHON=/path/to/python3.12`."
    )


def _install(extras: list[str]) -> None:
    print(f"Installing into {VENV} (the first time takes a minute or two) ...", flush=True)
    STAMP.unlink(missing_ok=True)
    if not _works():
        made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False)
        if made.returncode != 0:
            sys.exit(
                "This Python cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv"
            )
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "--constraint", "constraints.txt", "--editable", f".[{','.join(extras)}]"]
    if subprocess.run(command, cwd=PROJECT, check=False).returncode != 0:
        sys.exit("The packages could not be installed; the reason stands above.")


def _works() -> bool:
    """Whether `.venv` has an interpreter that starts and its pip; a system upgrade can take either away."""
    if not PYTHON.exists():
        return False
    return subprocess.run([str(PYTHON), "-c", "import pip"], capture_output=True, check=False).returncode == 0


def _fingerprint() -> str:
    """Changes with what is to be installed, and with the place: an editable install knows its folder."""
    files = [(PROJECT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\0".join([os.fsencode(PROJECT), *files])).hexdigest()


def _read_stamp() -> dict[str, Any]:
    if not STAMP.exists():
        return {}
    content: dict[str, Any] = json.loads(STAMP.read_text(encoding="ascii"))
    return content


if __name__ == "__main__":
    main(sys.argv[1:])
