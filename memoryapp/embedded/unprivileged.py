"""PostgreSQL refuses to run as root: find a way to start it, changing no account and no folder."""

import os
import pwd
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memoryapp.embedded.refusals import CannotStart

ACCOUNTS = ("postgres", "nobody")  # existing ones to appear as; nothing is created
NAMESPACE = ("unshare", "--user")


@dataclass(frozen=True)
class Way:
    """How to start a server program: what to put before its command line, and whose its files are."""

    prefix: tuple[str, ...]
    owner: int  # uid that must own the cluster's files, as seen from outside


def find_way(program: Path, death_signal: signal.Signals) -> Way:
    """The first way that works on this machine; nothing special for a normal user. Raises CannotStart."""
    uid = os.geteuid()
    if uid != 0 and _has_name(uid):
        return Way((), uid)
    for way in _ways_as_another(uid, death_signal):
        if _works(way, program):
            return way
    raise CannotStart(
        "PostgreSQL runs neither as root nor as a user without a name, and this machine allows neither user "
        "namespaces nor a change of user. Start as a normal user, or set DATABASE_URL."
    )


def _ways_as_another(uid: int, death_signal: signal.Signals) -> Iterator[Way]:
    account = next((found for name in ACCOUNTS if (found := _account(name))), None)
    if not account:
        return
    # In a user namespace we are seen as that account, while the files stay our own.
    yield Way((*NAMESPACE, f"--map-user={account.pw_uid}", f"--map-group={account.pw_gid}"), uid)
    if uid == 0:
        # Where namespaces are forbidden (containers): become the account, but keep the one capability that
        # lets it reach a data folder and a virtual environment under root's home, so no folder has to be
        # opened up. The death signal is set again because a change of user clears it.
        kept = "-all,+dac_override"
        user = (f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups")
        caps = (f"--inh-caps={kept}", f"--ambient-caps={kept}", f"--bounding-set={kept}")
        yield Way(("setpriv", *user, *caps, f"--pdeathsig={death_signal.name[3:]}"), account.pw_uid)


def _has_name(uid: int) -> bool:
    """initdb insists on a name; a container started with a bare user number has none."""
    try:
        return bool(pwd.getpwuid(uid))
    except KeyError:
        return False


def _account(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _works(way: Way, program: Path) -> bool:
    try:
        probe = subprocess.run(
            [*way.prefix, str(program), "--version"], capture_output=True, cwd="/", check=False
        )
    except OSError:
        return False  # the tool in front is not installed
    return probe.returncode == 0


def hand_over(tree: Path, owner: int) -> None:
    """Give a cluster to `owner` if it is not theirs: an earlier run may have found another way."""
    if tree.stat().st_uid == owner:
        return
    if os.geteuid() != 0:
        raise CannotStart(f"The database in {tree} belongs to another user, who must start it.")
    for folder, names, files in os.walk(tree):
        for name in (".", *names, *files):
            os.chown(Path(folder) / name, owner, -1, follow_symlinks=False)
