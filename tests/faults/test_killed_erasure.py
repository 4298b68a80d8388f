"""Web dies in the middle of an erasure: nothing of a person is gone, or all of it is, with a certificate."""

import fcntl
import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

pytestmark = pytest.mark.xdist_group("erasure")

MARK = "zebra-7731"
FACT = "저는 부산에서 살아요"
DIGEST = "from memoryapp import turns\nfor pk in turns.waiting(): turns.digest(pk)"
SWEEP = "tasks.sweep()"
#: Rows of the person, in the order in which an erasure comes to them.
ROWS = (
    "memoryapp_personkey WHERE person_id = {pk}",
    "memoryapp_costentry WHERE person_id = {pk}",
    "memoryapp_memoryhistory WHERE memory_id IN (SELECT id FROM memoryapp_memory WHERE person_id = {pk})",
    "memoryapp_vector WHERE owner_id = {pk}",
    "memoryapp_turn WHERE person_id = {pk}",
    "memoryapp_syncchange WHERE person_id = {pk}",
    "consent_consentstate WHERE person_id = {pk}",
    "speakers_person WHERE id = {pk}",
)
HELD = "SELECT 1 FROM {} FOR UPDATE"
LAST = "LOCK TABLE memoryapp_erasure IN SHARE MODE"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("erasure")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        yield house


def somebody(house: House) -> str:
    """Somebody whose id would be found anywhere, and of whom something is remembered."""
    user_id = f"{MARK}-{uuid.uuid4().hex[:8]}"
    house.welcome(user_id)
    house.report(user_id, "t1", FACT)
    return user_id


def erase(house: House, user_id: str, once: str = "") -> httpx.Response:
    return house.call("DELETE", f"users/{user_id}", once=once)


def traces(house: House, word: str) -> list[str]:
    """The tables with a row that tells this word."""
    tables = house.sql(
        "SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables"
        " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    told = "SELECT 1 FROM {} AS t WHERE t::text LIKE %s LIMIT 1"
    return [table for (table,) in tables if house.sql(told.format(table), f"%{word}%")]


def is_good(house: House, certificate: dict[str, Any], folder: Path) -> bool:
    (folder / "certificate.json").write_text(json.dumps(certificate))
    checked = house.manage("verify_certificate", str(folder / "certificate.json"), "--database")
    return "Good" in checked.stdout


def erasures(house: House) -> int:
    return int(house.sql("SELECT count(*) FROM memoryapp_erasure")[0][0])


def ledger(house: House, certificate_id: str) -> int:
    """How often the file outside the database tells of this erasure."""
    return (house.folder / "erasures.jsonl").read_text().count(certificate_id)


def test_a_person_whose_erasure_died_is_as_before(house: House, tmp_path: Path) -> None:
    people = [somebody(house) for _ in (LAST, *ROWS)]
    house.do(DIGEST)
    before = erasures(house)
    held = [
        HELD.format(rows).format(pk=house.person_pk(who)) for rows, who in zip(ROWS, people[1:], strict=True)
    ]
    house.kill_web_at([*held, LAST], [partial(erase, house, user_id) for user_id in people])
    assert erasures(house) == before
    for user_id in people:
        assert house.facts(user_id) == [FACT]
        found = house.call("POST", "recall", {"user_id": user_id, "query": "부산"}).json()
        assert [memory["fact"] for memory in found["memories"]] == [FACT]
    for user_id in people:
        certificate = erase(house, user_id).json()
        assert certificate["key_destroyed"] is True
        assert ledger(house, certificate["certificate_id"]) == 1
        assert traces(house, user_id) == []
    assert is_good(house, certificate, tmp_path)


def test_an_erasure_that_died_before_it_answered_is_done_and_told_outside(
    house: House, tmp_path: Path
) -> None:
    """Killed after its commit, while it waits for the ledger, which this test holds."""
    kim = somebody(house)
    before = erasures(house)
    with (house.folder / "erasures.jsonl").open("ab") as file, ThreadPoolExecutor(1) as runtime:
        fcntl.flock(file, fcntl.LOCK_EX)
        answer = runtime.submit(erase, house, kim, "once")
        wait_until(lambda: erasures(house) == before + 1, 30, "it is committed")
        house.kill("web")
        assert isinstance(answer.exception(30), httpx.HTTPError)
    house.start("web")
    wait_until(house.is_up, 60, "web")
    [(certificate,)] = house.sql("SELECT certificate FROM memoryapp_erasure ORDER BY erased_at DESC LIMIT 1")
    assert ledger(house, certificate["certificate_id"]) == 0
    assert erase(house, kim, "once").json() == certificate, "the runtime asks again"
    assert erase(house, kim).status_code == 404
    assert erasures(house) == before + 1
    house.do(SWEEP)
    assert ledger(house, certificate["certificate_id"]) == 1
    assert is_good(house, certificate, tmp_path)
    assert traces(house, kim) == []


def test_a_line_of_the_ledger_that_nobody_ticked_off_is_written_again_and_harms_nothing(house: House) -> None:
    kim = somebody(house)
    certificate = erase(house, kim).json()
    house.sql(
        "UPDATE memoryapp_erasure SET kept_outside_at = NULL WHERE id = %s", certificate["certificate_id"]
    )
    house.killed_at("LOCK TABLE memoryapp_erasure IN SHARE MODE", SWEEP)
    assert ledger(house, certificate["certificate_id"]) == 2
    house.do(SWEEP)
    assert house.sql("SELECT count(*) FROM memoryapp_erasure WHERE kept_outside_at IS NULL") == [(0,)]
    assert "Nobody who was erased has come back" in house.manage("restore_check").stdout
