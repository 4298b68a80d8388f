"""The data folder: private, one supervisor at a time, and never blocked by a dead one."""

import stat
from pathlib import Path

import pytest

from memoryapp.embedded.folder import DataFolder, Lock, open_data_folder, secret_key
from memoryapp.embedded.quickstart import describe, read_quickstart, write_addresses, write_quickstart
from memoryapp.embedded.refusals import CannotStart
from tests.embedded.conftest import Start, first_line

HOLD_THE_LOCK = """
import sys, time
from pathlib import Path
from memoryapp.embedded.folder import Lock, open_data_folder
lock = Lock(open_data_folder(Path(sys.argv[1])))
if len(sys.argv) > 2:
    lock.note("stopping")
print("held", flush=True)
time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return open_data_folder(tmp_path / "data")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_owner_can_look_into_it(folder: DataFolder) -> None:
    assert {mode(part) for part in (folder.root, folder.logs, folder.run)} == {0o700}


def test_a_place_that_cannot_be_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotStart, match="file/data cannot be used"):
        open_data_folder(tmp_path / "file/data")


def test_the_secret_key_is_made_once_and_is_private(folder: DataFolder) -> None:
    made = secret_key(folder)
    assert len(made) >= 50
    assert secret_key(folder) == made
    assert mode(folder.root / "secret_key") == 0o600


def test_a_second_start_is_refused_and_told_who_runs(folder: DataFolder, start_python: Start) -> None:
    holder = start_python(HOLD_THE_LOCK, folder.root)
    first_line(holder)
    with pytest.raises(CannotStart, match=rf"Already running .*process {holder.pid}"):
        Lock(folder)


def test_a_start_waits_for_one_that_is_just_stopping(folder: DataFolder, start_python: Start) -> None:
    first_line(start_python(HOLD_THE_LOCK, folder.root, 1))
    Lock(folder, patience=20).release()


def test_a_killed_holder_does_not_block(folder: DataFolder, start_python: Start) -> None:
    holder = start_python(HOLD_THE_LOCK, folder.root)
    first_line(holder)
    holder.kill()
    holder.wait()
    Lock(folder).release()


def test_quickstart_is_private_and_keeps_its_credentials_when_the_addresses_change(
    folder: DataFolder,
) -> None:
    minji = {"username": "minji", "password": "민지의 암호", "user_id": "minji"}
    write_quickstart(folder.quickstart, {"base_url": "http://old", "users": [minji]})
    write_addresses(folder.quickstart, base_url="http://127.0.0.1:8001", database_url="postgresql:///x")
    assert mode(folder.quickstart) == 0o600
    assert read_quickstart(folder.quickstart) == {
        "base_url": "http://127.0.0.1:8001",
        "database_url": "postgresql:///x",
        "users": [minji],
    }


def test_the_terminal_shows_where_to_go_and_how_to_sign_in() -> None:
    lines = describe(
        {
            "base_url": "http://127.0.0.1:8000",
            "users": [{"username": "minji", "password": "pw-1"}],
            "super_admin": {"username": "root", "password": "pw-2"},
            "services": [{"slug": "homebot", "api_key": "key-1"}],
        }
    )
    shown = "\n".join(lines)
    for part in ("http://127.0.0.1:8000/", "minji", "pw-1", "root", "pw-2", "homebot", "key-1"):
        assert part in shown
