"""Whoever indexes memories, or rebuilds them in a new space, is killed: it goes on where it was, and does nothing twice."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq
from tests.faults.house import House
from tests.faults.test_new_space import PROPOSE

pytestmark = pytest.mark.xdist_group("indexing")

HEAL = "tasks.heal()"
FACTS = [f"저는 부산에서 {number}번째 카페를 좋아해요" for number in range(1, 9)]
#: In the order in which indexing comes to them.
STEPS = [
    "memoryapp_indexentry",
    "LOCK TABLE memoryapp_indexentry IN SHARE MODE",  # it has chosen rows
    "LOCK TABLE memoryapp_memory IN ACCESS EXCLUSIVE MODE",  # it has claimed them
    "memoryapp_memory",  # it has embedded them
    "LOCK TABLE memoryapp_vector IN SHARE MODE",
]
PART = 4
HEAL_IN_PARTS = f"from memoryapp.index import rebuild\nwhile rebuild.heal({PART}): pass"
FIRST = """
UPDATE memoryapp_indexentry SET next_try_at = now() - interval '1 hour' WHERE memory_id = ANY(%s::uuid[])
"""
ROW = "SELECT 1 FROM memoryapp_memory WHERE id = '{}' FOR UPDATE"
VECTORS = """
SELECT memory_id::text, v.xmin::text FROM memoryapp_vector AS v JOIN memoryapp_embeddingspace AS s ON s.id = space_id
WHERE s.model = %s AND owner_id = %s ORDER BY 1
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("indexing")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        yield house


def unindexed(house: House) -> str:
    """Somebody with memories that wait for their vectors, as an import leaves them."""
    user_id = f"kim-{uuid.uuid4().hex[:8]}"
    house.welcome(user_id)
    for fact in FACTS:
        house.call("POST", "memories", {"user_id": user_id, "fact": fact}).raise_for_status()
    owner = house.person_pk(user_id)
    house.sql("DELETE FROM memoryapp_vector WHERE owner_id = %s", owner)
    house.sql("UPDATE memoryapp_indexentry SET state = 'pending' WHERE owner_id = %s", owner)
    return user_id


def spaces(house: House, state: str) -> list[str]:
    found = house.sql("SELECT model FROM memoryapp_embeddingspace WHERE state = %s ORDER BY id", state)
    return [model for (model,) in found]


def states(house: House, user_id: str) -> dict[str, int]:
    rows = "SELECT state, count(*)::int FROM memoryapp_indexentry WHERE owner_id = %s GROUP BY state"
    return dict(house.sql(rows, house.person_pk(user_id)))


def test_indexing_that_dies_is_done_in_the_end(house: House) -> None:
    kim = unindexed(house)
    for step in STEPS:
        house.killed_at(step, HEAL)
        assert states(house, kim).get("indexed", 0) == 0
        found = house.call("POST", "recall", {"user_id": kim, "query": "부산 카페", "threshold": 0}).json()
        assert found["memories"], "its words are found meanwhile"
        house.age_claims()
    house.do(HEAL)
    assert states(house, kim) == {"indexed": len(FACTS)}
    [serving] = spaces(house, "serving")
    assert len(house.sql(VECTORS, serving, house.person_pk(kim))) == len(FACTS)


def test_a_new_space_goes_on_where_it_was_and_serves_once(house: House) -> None:
    kim = unindexed(house)
    house.do(HEAL)
    owner, [old] = house.person_pk(kim), spaces(house, "serving")
    house.do(PROPOSE)
    line = [pk for pk, _ in house.sql(VECTORS, old, owner)]
    house.sql("UPDATE memoryapp_indexentry SET next_try_at = now() WHERE state = 'stale'")
    house.sql(FIRST, line[:PART])
    house.killed_at(ROW.format(line[-1]), HEAL_IN_PARTS)
    half = house.sql(VECTORS, "fake-wide", owner)
    assert PART <= len(half) < len(FACTS)
    assert (spaces(house, "serving"), spaces(house, "building")) == ([old], ["fake-wide"])
    assert len(house.sql(VECTORS, old, owner)) == len(FACTS), "searches go on in the old one"

    house.age_claims()
    house.killed_at("LOCK TABLE memoryapp_embeddingspace IN SHARE MODE", HEAL)
    whole = house.sql(VECTORS, "fake-wide", owner)
    assert len(whole) == len(FACTS)
    assert set(half) < set(whole), "what was done is not done again"
    assert (spaces(house, "serving"), spaces(house, "retired")) == ([old], [])

    house.do(HEAL)
    house.do(HEAL)
    assert (spaces(house, "serving"), spaces(house, "retired")) == (["fake-wide"], [old])
    assert spaces(house, "building") == []
    assert house.sql(VECTORS, "fake-wide", owner) == whole
    assert states(house, kim) == {"indexed": len(FACTS)}
