"""Whoever removes what is past its time is killed at each step of it: the next run removes the rest, and no more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq
from tests.faults.house import House
from tests.faults.test_killed_summaries import COMPRESS

pytestmark = pytest.mark.xdist_group("purge")

PURGE = "tasks.purge()"
#: A space that nobody searches in any more, with a copy of each vector.
RETIRED = """
INSERT INTO memoryapp_embeddingspace
    (provider, model, base_url, dims, lexical_weight, cross_language_bonus, calibration, state, created_at, retired_at)
VALUES ('fake', %s, '', 8, 0, 0, '[]', 'retired', now(), now() - %s::interval)
"""
COPIES = """
INSERT INTO memoryapp_vector (memory_id, owner_id, space_id, lang, embedding)
SELECT memory_id, owner_id, space.id, lang, embedding
FROM memoryapp_vector, memoryapp_embeddingspace AS space WHERE space.state = 'retired'
"""
#: In the order in which a purge comes to them; twice where it comes to them twice.
STEPS = [
    "LOCK TABLE memoryapp_memory IN SHARE MODE",  # an item's life is over
    "memoryapp_syncchange",
    "memoryapp_memoryhistory",  # what was deleted long ago
    "memoryapp_recall",
    "memoryapp_turn",
    "memoryapp_idempotentanswer",
    "memoryapp_synccounter",  # old tombstones
    "LOCK TABLE memoryapp_costentry IN SHARE MODE",
    "LOCK TABLE memoryapp_summary IN SHARE MODE",
    "LOCK TABLE memoryapp_vector IN SHARE MODE",
]
#: Of each of these tables one row called `old` is made older than its time, beside one called `young`.
AGES = {
    "memoryapp_turn": ("turn_id", "received_at", "91 days"),
    "memoryapp_recall": ("execution_id", "at", "91 days"),
    "memoryapp_idempotentanswer": ("key", "at", "2 days"),
    "memoryapp_costentry": ("stage", "at", "731 days"),
    "memoryapp_summary": ("session_id", "created_at", "91 days"),
}
AGE = "UPDATE {table} SET {moment} = {moment} - %s::interval WHERE {name} = 'old'"
NAMES = "SELECT {name} FROM {table}"
COST = """
INSERT INTO memoryapp_costentry (stage, bearer, calls, tokens_in, tokens_out, at)
VALUES (%s, 'system', 1, 1, 1, now())
"""
DELETED = "UPDATE memoryapp_memory SET deleted_at = now() - interval '31 days' WHERE id = ANY(%s::uuid[])"
TOLD = "UPDATE memoryapp_syncchange SET at = now() - interval '181 days' WHERE object_id = %s::uuid"
SAID = "UPDATE memoryapp_summary SET day = day - 100 WHERE session_id = 'old' RETURNING id::text"
ITEMS = "SELECT id::text FROM memoryapp_memory WHERE event_id <> '' ORDER BY created_at"
RUN_OUT = "UPDATE memoryapp_memory SET valid_to = now() - interval '1 second' WHERE id = %s::uuid"
IN_SPACES = """
SELECT model, count(memory_id)::int FROM memoryapp_embeddingspace AS space
LEFT JOIN memoryapp_vector ON space_id = space.id WHERE state = 'retired' GROUP BY model
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("purge")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        house.welcome("kim")
        yield house


def save(house: House, fact: str) -> str:
    answer = house.call("POST", "memories", {"user_id": "kim", "fact": fact})
    return str(answer.json()["memory"]["memory_id"])


def forget(house: House, *memory_ids: str) -> None:
    body = {"user_id": "kim", "ids": list(memory_ids)}
    house.call("POST", "memories/delete", body).raise_for_status()


def pulled(house: House, cursor: str) -> tuple[dict[str, str], str]:
    """What a device hears of: operations by id, and where it is then."""
    page = house.call("GET", f"sync?user_id=kim&device_id=d1&cursor={cursor}").json()
    return {change["id"]: change["op"] for change in page["changes"]}, page["cursor"]


def use(house: House, name: str) -> None:
    """One row of this name in each of the tables, an item of the store, and a space that has retired."""

    def call(path: str, **body: object) -> None:
        house.call("POST", path, {"user_id": "kim", **body}).raise_for_status()

    value = {"op": "put", "namespace": ["n"], "key": name, "value": {"a": name}, "ttl_minutes": 60}
    call("store/batch", operations=[value])
    call("turns", session_id=name, turn_id=name, user_text=f"{name} 이야기를 했어요")
    call("recall", query=name, execution_id=name)
    house.call("POST", "persons", {"user_id": "kim"}, once=name).raise_for_status()
    house.sql(COST, name)
    house.sql(RETIRED, name, "2 hours" if name == "old" else "1 minute")


def names(house: House, table: str) -> list[str]:
    found = house.sql(NAMES.format(table=table, name=AGES[table][0]))
    return sorted(name for (name,) in found if name in ("old", "young"))


def test_a_purge_that_dies_is_finished_by_the_next_one_and_takes_nothing_younger(house: House) -> None:
    places = ("부산", "대구", "인천", "광주")
    old, young, oldest, kept = (save(house, f"제 동생은 {place}에서 살았어요") for place in places)
    for name in ("old", "young"):
        use(house, name)
    house.sql("UPDATE memoryapp_summary SET due_at = now() WHERE level = 'session'")
    house.do(COMPRESS)
    house.sql(COPIES)
    forget(house, oldest)
    _, cursor = pulled(house, "")
    forget(house, old, young)
    for table, (name, moment, age) in AGES.items():
        house.sql(AGE.format(table=table, moment=moment, name=name), age)
    [(summary,)] = house.sql(SAID)
    house.sql(DELETED, [old, oldest])
    house.sql(TOLD, oldest)
    (item,), (other_item,) = house.sql(ITEMS)
    house.sql(RUN_OUT, item)

    for step in STEPS:
        house.killed_at(step, PURGE)
    house.do(PURGE)

    for table in AGES:
        assert names(house, table) == ["young"], table
    states = dict(house.sql("SELECT id::text, status FROM memoryapp_memory"))
    gone, there = "deleted", "confirmed"  # what is deleted now is removed in its time
    assert states == {young: gone, item: gone, kept: there, other_item: there}
    vectors = dict(house.sql(IN_SPACES))
    assert vectors["old"] == 0
    assert vectors["young"] > 0
    changes, _ = pulled(house, cursor)
    assert {pk for pk, op in changes.items() if op == "delete"} == {old, young, item, summary}, (
        "of the oldest deletion no device has to be told any more"
    )
