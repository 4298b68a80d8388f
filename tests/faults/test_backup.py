"""A backup taken with pg_dump is restored for real; who was erased after it does not come back."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from memoryapp.embedded.postgres import find_binaries
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

FACT = "저는 부산에서 살아요"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, Pgmq()) as house:
        yield house


def program(name: str, *arguments: str) -> None:
    environment = {"PATH": os.environ["PATH"]}
    subprocess.run([str(find_binaries() / name), *arguments], env=environment, check=True)


def restore(house: House, dump: Path) -> None:
    """As the operators' docs have it: stop everything, an empty database, the backup into it as its owner."""
    for name in list(house.processes):
        house.kill(name)
    superuser = house.postgres.url("postgres")
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("DROP DATABASE memoryapp WITH (FORCE)")
        connection.execute("CREATE DATABASE memoryapp OWNER memoryapp")
    with psycopg.connect(house.postgres.url("memoryapp"), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    told = ("--exit-on-error", "--no-owner", "--no-comments")
    program("pg_restore", *told, "--dbname", house.database_url, str(dump))


def test_who_was_erased_after_the_backup_stays_erased_after_the_restore(house: House, tmp_path: Path) -> None:
    for user_id in ("kim", "lee"):
        house.welcome(user_id)
        house.report(user_id, "t1", FACT)
        house.wait_for(user_id, "t1")
    dump = tmp_path / "backup.dump"
    program("pg_dump", "--format=custom", "--file", str(dump), house.database_url)

    certificate = house.call("DELETE", "users/kim").json()
    assert certificate["key_destroyed"] is True
    ledger = tmp_path / "erasures.jsonl"
    wait_until(lambda: ledger.exists() and certificate["certificate_id"] in ledger.read_text())

    restore(house, dump)
    assert house.sql("SELECT count(*) FROM speakers_person WHERE user_id = 'kim'") == [(1,)]
    house.start("web")
    wait_until(lambda: "restore_check" in (tmp_path / "web.log").read_text(), what="web refuses")
    assert not house.is_up()
    house.kill("web")

    assert "1 people erased again" in house.manage("restore_check").stdout
    assert house.sql("SELECT count(*) FROM speakers_person WHERE user_id = 'kim'") == [(0,)]
    for name in ("web", "worker", "beat"):
        house.start(name)
    wait_until(house.is_up, 60, "web serves")
    assert house.facts("lee") == [FACT]
    found = house.call("POST", "recall", {"user_id": "lee", "query": "부산"}).json()
    assert [memory["fact"] for memory in found["memories"]] == [FACT]
    house.report("lee", "t2", "저는 커피를 좋아해요")
    house.wait_for("lee", "t2")
    assert house.call("POST", "recall", {"user_id": "kim", "query": "부산"}).json()["reason"] == "no-consent"
    keys = house.call("GET", "../../.well-known/memoryapp-keys.json").json()
    (tmp_path / "keys.json").write_text(json.dumps(keys))
    (tmp_path / "certificate.json").write_text(json.dumps(certificate))
    checked = house.manage(
        "verify_certificate", str(tmp_path / "certificate.json"), "--keys", str(tmp_path / "keys.json")
    )
    assert "Good" in checked.stdout
