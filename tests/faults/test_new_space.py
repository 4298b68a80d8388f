"""The embedding changes under load: two web processes and a worker follow within 60 s, and no answer is an error."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.index import embed
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

PROPOSE = """
from memoryapp.index import spaces
from memoryapp.models import EmbeddingSpace
spaces.propose(EmbeddingSpace(provider="fake", model="fake-wide", dims=512))
"""
FACTS = [f"저는 부산에서 {number}번째 카페를 좋아해요" for number in range(1, 41)]
#: A change is promised to reach everybody within 60 s.
FOLLOWED_WITHIN = min(60, embed.FRESH_SECONDS + 5)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, Pgmq(), web_processes=2) as house:
        house.welcome("kim")
        for fact in FACTS:
            house.call("POST", "memories", {"user_id": "kim", "fact": fact}).raise_for_status()
        yield house


class Asker(threading.Thread):
    """Somebody who asks without a pause, and keeps what was not answered well."""

    def __init__(self, house: House) -> None:
        super().__init__(daemon=True)
        self.house, self.answers = house, 0
        self.bad: list[tuple[int, str | None, int]] = []
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            answer = self.house.call(
                "POST", "recall", {"user_id": "kim", "query": "부산 카페", "threshold": 0}
            )
            body = answer.json()
            self.answers += 1
            if answer.status_code != 200 or body["degraded"] or not body["memories"]:
                self.bad.append((answer.status_code, body.get("reason"), body.get("count")))

    def __enter__(self) -> "Asker":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.enough.set()
        self.join(30)


def serving(house: House) -> str:
    return str(house.sql("SELECT model FROM memoryapp_embeddingspace WHERE state = 'serving'")[0][0])


def test_everybody_follows_a_new_space_and_nobody_is_refused(house: House) -> None:
    with Asker(house) as asker:
        house.django(PROPOSE)
        wait_until(lambda: serving(house) == "fake-wide", 90, "the new space serves")
        time.sleep(FOLLOWED_WITHIN)
        # Whoever still searched in the old space would now find nothing by meaning.
        house.sql(
            "DELETE FROM memoryapp_vector USING memoryapp_embeddingspace AS space"
            " WHERE space.id = space_id AND space.state = 'retired'"
        )
        before = asker.answers
        wait_until(lambda: asker.answers > before + 40, 60, "more answers")
        found = [
            house.call(
                "POST", "recall", {"user_id": "kim", "query": "카페", "threshold": 0, "explain": True}
            ).json()["memories"]
            for _ in range(20)
        ]
    assert asker.answers > 100
    assert asker.bad == []
    assert all(one["explain"]["closeness"] for memories in found for one in memories)
