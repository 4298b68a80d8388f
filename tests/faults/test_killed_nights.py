"""The nightly run dies before its turns are sent, and a trial of a draft half-way: both go on where they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.brokers import Pgmq
from tests.faults.house import House
from tests.faults.test_killed_erasure import DIGEST

pytestmark = pytest.mark.xdist_group("nights")

FACT = "저는 부산에서 살아요"
BY_NIGHT = """
from datetime import timedelta
from django.utils import timezone
from memoryapp import revisions
from memoryapp.models import ChatService, ServiceRevision
draft = revisions.draft(ChatService.objects.order_by("pk").first())
settings = {"per_turn_extraction": False, "nightly_enabled": True}
revisions.deploy(revisions.edit(draft, nightly_at=timezone.localtime().time(), **settings))
ServiceRevision.objects.update(deployed_at=timezone.now() - timedelta(days=2))
"""
NIGHT = "from memoryapp import nightly\nnightly.run_due()"
TRIAL = """
from memoryapp import gate, replay, replay_grants, revisions
from memoryapp.models import ChatService, Turn
from memoryapp.pairs import local_day
from memoryapp.permit import Act, Caller
from speakers.models import Person
service, kim = ChatService.objects.order_by("pk").first(), Person.objects.get(user_id="kim")
replay_grants.give(kim, service)
caller = Caller(service=service, revision=service.revisions.get(state="deployed"))
day = local_day(Turn.objects.filter(person=kim).latest("occurred_at").occurred_at, kim.zone)
replay.start(gate.admit(caller, "kim", Act.REPLAY), revisions.draft(service), day)
"""
REPLAY = "from memoryapp import replay\nfor pk in replay.waiting(): replay.run(pk)"
RUNS = "SELECT turns FROM memoryapp_nightlyrun WHERE service_id = (SELECT min(id) FROM memoryapp_chatservice)"
QUEUES = "LOCK TABLE pgmq.meta IN ACCESS EXCLUSIVE MODE"
READ = """
SELECT turn.turn_id, tried.xmin::text FROM memoryapp_replayedturn AS tried JOIN memoryapp_turn AS turn ON turn.id = tried.turn_id
WHERE tried.content IS NOT NULL ORDER BY 1
"""
SECOND = """
SELECT 1 FROM memoryapp_replayedturn AS tried JOIN memoryapp_turn AS turn ON turn.id = tried.turn_id
WHERE turn.turn_id = 't2' FOR UPDATE OF tried
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("nights")
    with House(folder, Pgmq(), at_work=["web"]) as house:
        for user_id in ("kim", "lee"):
            house.welcome(user_id)
        yield house


def test_a_night_that_died_is_one_night_and_its_turns_are_read(house: House) -> None:
    house.do(BY_NIGHT)
    for user_id in ("kim", "lee"):
        assert house.report(user_id, "n1", FACT).json()["extraction"] == "nightly"

    house.killed_at("LOCK TABLE memoryapp_turn IN SHARE MODE", NIGHT)  # it has begun
    assert house.sql(RUNS) == []
    assert house.state("kim", "n1") == "pending"

    house.killed_at(QUEUES, NIGHT)  # it is noted, and nobody is told of its turns
    assert house.sql(RUNS) == [(2,)]
    assert house.facts("kim") == []

    house.do(NIGHT)
    assert house.sql(RUNS) == [(2,)]
    house.do(DIGEST)  # what the sweep sends
    assert house.facts("kim") == house.facts("lee") == [FACT]


def test_a_trial_that_died_goes_on_with_the_turn_it_was_at(house: House) -> None:
    for number, text in enumerate((FACT, "저는 커피를 좋아해요", "제 동생은 대구에 살아요"), start=1):
        assert house.report("kim", f"t{number}", text).status_code == 202
    before = house.facts("kim")
    house.do(TRIAL)
    house.killed_at(SECOND, REPLAY)
    half = house.sql(READ)
    assert [turn_id for turn_id, _ in half] == ["n1", "t1"]
    house.age_claims()
    house.do(REPLAY)
    whole = house.sql(READ)
    assert [turn_id for turn_id, _ in whole] == ["n1", "t1", "t2", "t3"]
    assert set(half) < set(whole), "what was read is not read again"
    assert house.sql("SELECT state FROM memoryapp_replay") == [("done",)]
    assert house.facts("kim") == before
