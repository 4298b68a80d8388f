"""Whoever writes a summary is killed at each step of it: one summary of each level, and nothing counted twice."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.extract import fake
from memoryapp.extract.fake import ScriptedServer
from tests.faults.brokers import Pgmq
from tests.faults.house import House
from tests.faults.test_models_fail import BY_MODEL

pytestmark = pytest.mark.xdist_group("summaries")

LEVELS = ("session", "day", "week")
#: As a worker's task does, but of one level: the next one is killed too.
COMPRESS = "from memoryapp import compress\nfor pk in compress.waiting(): compress.write(pk)"
#: In the order in which writing a summary comes to them.
STEPS = [
    "LOCK TABLE memoryapp_summary IN EXCLUSIVE MODE",  # before it takes the row
    "LOCK TABLE memoryapp_summary IN SHARE MODE",  # while it takes the row
    "LOCK TABLE memoryapp_turn, memoryapp_hushedpair, consent_consentstate IN ACCESS EXCLUSIVE MODE",
    "memoryapp_synccounter",  # between reading and writing
    "memoryapp_syncchange",
]
LINES = json.dumps({"lines": [{"text": "커피를 좋아한다", "from": [1]}]})
BOOKED = (
    "SELECT coalesce(sum(calls), 0), count(*) FROM memoryapp_costentry WHERE stage = 'summary' AND calls > 0"
)


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedServer]:
    with fake.chat_endpoint(LINES) as server:
        yield server


@pytest.fixture(scope="module")
def house(model: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("summaries")
    talks = {"MEMORYAPP_LLM_BASE_URL": model.url, "MEMORYAPP_LLM_API_KEY": "k", "MEMORYAPP_LLM_MODEL": "m"}
    with House(folder, Pgmq(), variables=talks, at_work=["web"]) as house:
        yield house


def talk(house: House) -> str:
    """Somebody new, who said the same thing in two sessions of this day and something else in one."""
    user_id = f"kim-{uuid.uuid4().hex[:8]}"
    house.welcome(user_id)
    said = [("s1", "저는 커피를 좋아해요"), ("s1", "제 동생은 대구에 살아요"), ("s2", "저는 커피를 좋아해요")]
    for number, (session, text) in enumerate(said):
        body = {"user_id": user_id, "session_id": session, "turn_id": f"t{number}", "user_text": text}
        house.call("POST", "turns", body).raise_for_status()
    house.sql("UPDATE memoryapp_summary SET due_at = now() WHERE state = 'pending'")
    return user_id


def summaries(house: House, user_id: str) -> list[dict[str, Any]]:
    lines = house.call("GET", f"export?user_id={user_id}").text.splitlines()
    return [row for row in map(json.loads, lines) if row["kind"] == "summary"]


def texts(house: House, user_id: str, level: str) -> list[str]:
    """Without the part of the day, which depends on when this runs."""
    found = [row["summary"] for row in summaries(house, user_id) if row["level"] == level]
    return sorted(", ".join(part.split(": ")[-1] for part in text.split(", ")) for text in found)


@pytest.mark.parametrize("step", STEPS)
def test_a_summary_that_is_killed_is_written_once_in_the_end(house: House, step: str) -> None:
    kim = talk(house)
    for level in LEVELS:
        if level == "session" or "turn" not in step:  # the levels above do not read turns
            house.killed_at(step, COMPRESS)
        assert [row for row in summaries(house, kim) if row["level"] == level] == []
        house.age_claims()
        house.do(COMPRESS)
    assert texts(house, kim, "session") == [
        "저는 커피를 좋아해요",
        "저는 커피를 좋아해요, 제 동생은 대구에 살아요",
    ]
    for level in ("day", "week"):
        assert texts(house, kim, level) == ["제 동생은 대구에 살아요, 저는 커피를 좋아해요 (2번)"]
    states = "SELECT state, claimed_at, version FROM memoryapp_summary WHERE person_id = %s"
    assert house.sql(states, house.person_pk(kim)) == [("done", None, 1)] * 4


def test_a_model_is_booked_as_often_as_it_was_asked(house: House, model: ScriptedServer) -> None:
    house.django(BY_MODEL)
    kim = talk(house)
    # What dies between an answer and its booking is not booked.
    house.killed_at("memoryapp_costentry", COMPRESS)
    assert (len(model.requests), house.sql(BOOKED)) == (1, [(0, 0)])
    house.age_claims()
    house.killed_at("memoryapp_synccounter", COMPRESS)  # it was booked, but not written
    assert (len(model.requests), house.sql(BOOKED)) == (2, [(1, 1)])
    house.age_claims()
    house.do(COMPRESS)  # both answers about this session were paid, so both are booked
    assert (len(model.requests), house.sql(BOOKED)) == (4, [(3, 3)])
    assert texts(house, kim, "session") == ["커피를 좋아한다."] * 2
