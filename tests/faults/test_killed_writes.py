"""Web dies while it writes what a request asked for: the runtime asks again with the same key, and has it once."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from memoryapp.importing import PART
from tests.faults.brokers import Pgmq, wait_until
from tests.faults.house import House

pytestmark = pytest.mark.xdist_group("writes")

IMPORT = """
from memoryapp import gate, importing
from memoryapp.models import ChatService
from memoryapp.permit import Act, Caller
service = ChatService.objects.order_by("pk").first()
caller = Caller(service=service, revision=service.revisions.get(state="deployed"))
importing.bring(gate.admit(caller, {user_id!r}, Act.SAVE), "chatgpt", {text!r})
"""
COUNT = "SELECT count(*) FROM {} WHERE person_id = %s"
FACT, OTHER, THIRD = "저는 부산에서 살아요", "저는 대구에서 살아요", "저는 커피를 좋아해요"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("writes")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        yield house


class Request:
    """One request of a runtime, about somebody of its own, with a key of its own."""

    def __init__(self, house: House, method: str, path: str, **body: Any) -> None:
        self.house, self.method, self.user_id = house, method, f"kim-{uuid.uuid4().hex[:8]}"
        house.welcome(self.user_id)
        saved = house.call("POST", "memories", {"user_id": self.user_id, "fact": FACT}).json()
        self.memory_id = saved["memory"]["memory_id"]
        self.path = path.format(memory_id=self.memory_id)
        self.body = {"user_id": self.user_id, **body}
        if path.endswith("/delete"):
            self.body["ids"] = [self.memory_id]
        self.once = uuid.uuid4().hex

    def __call__(self) -> httpx.Response:
        return self.house.call(self.method, self.path, self.body, once=self.once)

    def rows(self, table: str) -> int:
        owner = self.house.person_pk(self.user_id)
        return int(self.house.sql(COUNT.format(table), owner)[0][0])


def test_a_request_whose_web_process_died_is_done_once_when_it_is_repeated(house: House) -> None:
    save = Request(house, "POST", "memories", fact=THIRD)
    report = Request(house, "POST", "turns", session_id="s1", turn_id="t1", user_text=THIRD)
    bring = Request(house, "POST", "import", source="chatgpt", text=f"{THIRD}\n제 동생은 대구에 살아요")
    correct = Request(house, "PATCH", "memories/{memory_id}", statement=OTHER)
    forget = Request(house, "POST", "memories/delete")
    decide = Request(house, "PUT", "consents/service_memory", granted=True)
    requests = [save, report, bring, correct, forget, decide]
    before = {request: request.rows("memoryapp_memory") for request in requests}

    house.kill_web_at(["memoryapp_syncchange", "memoryapp_turn", "consent_consentevent"], requests)

    for request in requests:
        assert request.rows("memoryapp_memory") == before[request]
        assert request.rows("memoryapp_turn") == 0
    assert house.facts(correct.user_id) == house.facts(forget.user_id) == [FACT]
    answers = {request: request() for request in requests}
    assert [answer.status_code for answer in answers.values()] == [201, 202, 201, 200, 200, 200]
    for request, answer in answers.items():
        assert request().json() == answer.json(), "and the same answer for who asks once more"
    assert house.facts(save.user_id) == sorted([FACT, THIRD])
    assert report.rows("memoryapp_turn") == 1
    assert bring.rows("memoryapp_memory") == 3
    assert house.facts(correct.user_id) == [OTHER]
    assert house.facts(forget.user_id) == []
    assert decide.rows("consent_consentevent") == 2


def test_an_import_that_died_between_two_parts_is_finished_when_it_is_brought_again(house: House) -> None:
    house.welcome("lee")
    lines = [f"제 동생 {number}번은 도시{number}에 살아요" for number in range(2 * PART + PART // 2)]
    bring = IMPORT.format(user_id="lee", text="\n".join(lines))
    count = (
        "SELECT count(*)::int, count(DISTINCT fingerprint)::int FROM memoryapp_memory WHERE person_id = %s"
    )
    lee = house.person_pk("lee")
    house.hands.begin(bring)
    wait_until(lambda: house.sql(count, lee)[0][0] >= PART, 60, "the first part is there")
    house.hands.kill()
    [(half, _)] = house.sql(count, lee)
    assert half % PART == 0
    assert half < len(lines)
    house.do(bring)
    assert house.sql(count, lee) == [(len(lines), len(lines))]
