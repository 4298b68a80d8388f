"""A worker is killed between what it remembers of a turn and the signs it notes: both are there once in the end."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq
from tests.faults.house import House

pytestmark = pytest.mark.xdist_group("turns")

FACT, WISH = "저는 판교에서 일해요.", "안방 청정해줘"
DIGEST = "from memoryapp import turns\nfor pk in turns.waiting(): turns.digest(pk)"
#: In the order in which reading a turn comes to them; what it remembers is committed before the second.
STEPS = {
    "memoryapp_memoryhistory": 0,
    "LOCK TABLE memoryapp_evidence IN SHARE MODE": 1,
}
REMEMBERED = """
SELECT count(*)::int FROM memoryapp_memory
WHERE person_id = %s AND NOT EXISTS (SELECT 1 FROM memoryapp_evidence WHERE memory_id = memoryapp_memory.id)
AND status = 'confirmed'
"""
SIGNS = "SELECT count(*)::int FROM memoryapp_evidence WHERE person_id = %s"
ALL = "SELECT status, version, evidence_count FROM memoryapp_memory WHERE person_id = %s ORDER BY status"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("turns")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        yield house


def told(house: House) -> str:
    user_id = f"kim-{uuid.uuid4().hex[:8]}"
    house.welcome(user_id)
    house.report(user_id, "t1", f"{FACT} {WISH}", "네, 시작할게요.").raise_for_status()
    return user_id


def test_a_turn_whose_worker_dies_on_the_way_is_remembered_and_noted_once(house: House) -> None:
    undisturbed = told(house)
    house.do(DIGEST)
    wanted = house.sql(ALL, house.person_pk(undisturbed))
    assert (len(wanted), house.sql(SIGNS, house.person_pk(undisturbed))) == (2, [(1,)])

    kim = told(house)
    owner = house.person_pk(kim)
    for step, remembered in STEPS.items():
        house.killed_at(step, DIGEST)
        assert house.sql(REMEMBERED, owner) == [(remembered,)]
        assert house.sql(SIGNS, owner) == [(0,)]
        assert house.state(kim, "t1") == "running"
        house.age_claims()
    house.do(DIGEST)
    assert house.state(kim, "t1") == "done"
    assert house.sql(ALL, owner) == wanted
    assert house.sql(SIGNS, owner) == [(1,)]
