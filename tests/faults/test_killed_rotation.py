"""The rotation of the master key dies half-way: everybody is read meanwhile, and it is finished by running it again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq
from tests.faults.house import House

pytestmark = pytest.mark.xdist_group("rotation")

PEOPLE = [f"kim-{number}" for number in range(6)]
FACT = "저는 부산에서 살아요"
#: As manage.py does, in smaller steps.
ROTATE = """
from memoryapp import rotation
with rotation.alone():
    if not rotation.is_unfinished():
        rotation.add_key()
    rotation.rewrap(batch=2)
"""
RETIRE = """
from memoryapp import rotation
with rotation.alone():
    rotation.retire()
"""
WRAPPED = "SELECT wrapped_by, count(*)::int FROM memoryapp_personkey GROUP BY wrapped_by"
SIXTH = """
SELECT 1 FROM memoryapp_personkey WHERE person_id =
(SELECT person_id FROM memoryapp_personkey ORDER BY person_id OFFSET 5 LIMIT 1) FOR UPDATE
"""
AUDIT = "memoryapp_adminaction"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("rotation")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        for user_id in PEOPLE:
            house.welcome(user_id)
            save(house, user_id)
        yield house


def save(house: House, user_id: str) -> None:
    house.call("POST", "memories", {"user_id": user_id, "fact": FACT}).raise_for_status()


def keys(house: House) -> list[str]:
    """The names in the key file, the primary one last."""
    keyset = json.loads((house.folder / "keys" / "master.json").read_text())
    return sorted(
        (str(key["keyId"]) for key in keyset["key"]), key=lambda name: name == str(keyset["primaryKeyId"])
    )


def everybody_is_read(house: House) -> bool:
    return all(house.facts(user_id) == [FACT] for user_id in PEOPLE)


def test_a_rotation_that_dies_is_finished_later_and_nobody_notices(house: House) -> None:
    [old] = keys(house)
    house.killed_at(AUDIT, ROTATE)  # the file has the new key, and nothing says so yet
    [_, new] = keys(house)
    assert everybody_is_read(house)

    house.killed_at(SIXTH, ROTATE)
    assert keys(house) == [old, new], "it goes on with the key that it had made"
    wrapped = dict(house.sql(WRAPPED))
    assert wrapped[new] == 4
    assert wrapped[old] > 0
    assert everybody_is_read(house)
    house.welcome("lee")  # whose key is wrapped by the new one
    save(house, "lee")
    refused = house.manage("rotate_master_key", "--retire")
    assert refused.returncode != 0
    assert "rotate first" in refused.stderr
    assert keys(house) == [old, new]

    for table in ("memoryapp_signingkey", "memoryapp_vaultseal"):
        house.killed_at(f"LOCK TABLE {table} IN SHARE MODE", ROTATE)
    house.do(ROTATE)
    assert keys(house) == [old, new]
    assert list(dict(house.sql(WRAPPED))) == [new]
    house.killed_at(AUDIT, RETIRE)
    assert keys(house) == [old, new]
    house.do(RETIRE)
    assert keys(house) == [new]
    assert everybody_is_read(house)
    house.restart("web")
    assert everybody_is_read(house)
    assert house.facts("lee") == [FACT]
