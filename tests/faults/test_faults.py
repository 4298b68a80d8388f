"""Processes die, brokers and databases go and come back, messages come twice: nothing is lost, nothing done twice."""

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from celery import Celery

from tests.faults.brokers import is_installed, make, wait_until
from tests.faults.house import House

MARK = "zebra-7731"
FACT = "저는 부산에서 살아요"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("pgmq", marks=pytest.mark.xdist_group("pgmq")),
        pytest.param("redis", marks=[pytest.mark.broker, pytest.mark.xdist_group("redis")]),
        pytest.param("rabbitmq", marks=[pytest.mark.broker, pytest.mark.xdist_group("rabbitmq")]),
    ],
)
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if not is_installed(request.param):
        pytest.skip(f"{request.param} is not installed")
    folder: Path = tmp_path_factory.mktemp(request.param)
    with House(folder, make(request.param, folder / "broker")) as house:
        yield house


@pytest.fixture
def kim(house: House) -> str:
    """Somebody new, who has switched memory on."""
    user_id = f"kim-{uuid.uuid4().hex[:8]}"
    house.welcome(user_id)
    return user_id


def test_a_turn_becomes_one_memory(house: House, kim: str) -> None:
    house.report(kim, "t1", FACT)
    house.wait_for(kim, "t1")
    assert house.facts(kim) == [FACT]


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(house: House, kim: str) -> None:
    with house.held("memoryapp_memory"):  # the worker stops where it writes
        house.report(kim, "t1", FACT)
        house.wait_for(kim, "t1", "running")
        house.kill("worker")
    assert house.state(kim, "t1") == "running"
    assert house.facts(kim) == []
    house.age_claims()
    house.start("worker")
    house.wait_for(kim, "t1")
    assert house.facts(kim) == [FACT]


#: In the order in which reading a turn comes to them; each lock stops the worker there.
STEPS = ["memoryapp_costentry", "memoryapp_memory", "memoryapp_memoryhistory", "memoryapp_vector", "memoryapp_indexentry", "memoryapp_syncchange"]  # fmt: skip


# The steps are the database's; another broker makes no difference to them.
@pytest.mark.parametrize(
    "house", [pytest.param("pgmq", marks=pytest.mark.xdist_group("pgmq"))], indirect=True
)
def test_a_worker_killed_at_any_step_loses_and_doubles_nothing(house: House, kim: str) -> None:
    facts = [f"저는 {place}에서 살아요" for place in ("부산", "대구", "인천", "광주", "대전", "울산")]
    for number, (table, fact) in enumerate(zip(STEPS, facts, strict=True)):
        turn_id = f"t{number}"
        with house.held(table):
            house.report(kim, turn_id, fact)
            wait_until(lambda table=table: somebody_waits_for(house, table), 30, f"the worker is at {table}")
            house.kill("worker")
        house.age_claims()
        house.start("worker")
        house.wait_for(kim, turn_id)
    listed = house.call("GET", f"memories?user_id={kim}&validity=current").json()["items"]
    assert [row["statement"] for row in listed] == [facts[-1]]
    assert sorted(house.facts(kim)) == sorted(facts)


def somebody_waits_for(house: House, table: str) -> bool:
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
    return bool(house.sql(waiting, table)[0][0])


def test_turns_come_in_while_no_worker_runs(house: House, kim: str) -> None:
    house.kill("worker")
    for number in range(5):
        assert (
            house.report(kim, f"t{number}", f"제 동생 {number}번은 도시{number}에 살아요").status_code == 202
        )
    house.start("worker")
    for number in range(5):
        house.wait_for(kim, f"t{number}")
    assert len(house.facts(kim)) == len(set(house.facts(kim)))


def test_turns_come_in_while_the_broker_is_gone(house: House, kim: str) -> None:
    house.broker.stop()
    answer = house.report(kim, "t1", FACT)
    assert answer.status_code == 202
    assert answer.elapsed.total_seconds() < 5
    assert house.call("POST", "recall", {"user_id": kim, "query": "부산"}).status_code == 200
    house.broker.start()
    house.wait_for(kim, "t1", seconds=90)
    assert house.facts(kim) == [FACT]


def test_the_database_restarts_under_everybody(house: House, kim: str) -> None:
    house.report(kim, "t1", FACT)
    house.restart_database()
    wait_until(lambda: house.call("GET", "capabilities").status_code == 200, 30, "web is back")
    house.report(kim, "t2", "저는 커피를 좋아해요")
    house.age_claims()
    house.wait_for(kim, "t1", seconds=90)
    house.wait_for(kim, "t2", seconds=90)
    assert len(house.facts(kim)) == 2


def test_two_beats_do_nothing_twice(house: House, kim: str) -> None:
    house.start("beat2")
    for number in range(6):
        house.report(kim, f"t{number}", FACT if number % 2 else "저는 커피를 좋아해요")
    for number in range(6):
        house.wait_for(kim, f"t{number}")
    house.kill("beat2")
    assert len(house.facts(kim)) == 2
    assert house.sql(
        "SELECT max(n) FROM (SELECT count(*) n FROM memoryapp_nightlyrun GROUP BY service_id, local_date) runs"
    )[0][0] in (None, 1)


def test_a_message_that_comes_five_times_is_one_memory(house: House, kim: str) -> None:
    house.report(kim, "t1", FACT)
    turn_pk = str(house.sql("SELECT id FROM memoryapp_turn WHERE person_id = %s", house.person_pk(kim))[0][0])
    sender = sender_of(house)
    for _ in range(5):
        sender.send_task("memoryapp.digest", args=(turn_pk,), ignore_result=True)
    house.wait_for(kim, "t1")
    assert house.facts(kim) == [FACT]
    assert house.sql("SELECT attempts FROM memoryapp_turn WHERE id = %s::uuid", turn_pk) == [(1,)]


def test_a_message_that_overtakes_its_row_is_made_good_by_the_sweep(house: House, kim: str) -> None:
    """The row is not committed yet when the worker looks for it."""
    house.report(kim, "t1", FACT)
    house.wait_for(kim, "t1")
    late = uuid.uuid4()
    with psycopg.connect(house.database_url) as slow:
        slow.execute(
            "CREATE TEMP TABLE copy ON COMMIT DROP AS SELECT * FROM memoryapp_turn WHERE person_id = %s",
            [house.person_pk(kim)],
        )
        slow.execute(
            "UPDATE copy SET id = %s::uuid, turn_id = 'late', state = 'pending', finished_at = NULL, attempts = 0,"
            " next_try_at = now(), counts = '{}'",
            [late],
        )
        slow.execute("INSERT INTO memoryapp_turn SELECT * FROM copy")
        sender_of(house).send_task("memoryapp.digest", args=(str(late),), ignore_result=True)
        time.sleep(1)  # the message comes, and finds nothing
        slow.commit()
    # Its text is sealed for the row it was copied from, so it cannot be read; that is told, and not tried for ever.
    wait_until(lambda: tried(house, late) >= 1, 45, "the late turn was taken up")
    wait_until(lambda: house.state(kim, "late") == "pending", 10, "it is to be tried again")
    house.sql("UPDATE memoryapp_turn SET attempts = 4, next_try_at = now() WHERE id = %s::uuid", late)
    house.wait_for(kim, "late", "failed")
    assert house.call("GET", f"turns/late?user_id={kim}").json()["error"] == "VaultUnavailable"


def tried(house: House, turn_pk: uuid.UUID) -> int:
    return int(house.sql("SELECT attempts FROM memoryapp_turn WHERE id = %s::uuid", turn_pk)[0][0])


def test_a_turn_that_takes_every_worker_down_is_given_up_visibly(house: House, kim: str) -> None:
    house.report(kim, "t1", FACT)
    house.wait_for(kim, "t1")
    house.sql(
        "UPDATE memoryapp_turn SET state = 'running', attempts = 5, claimed_at = now() - interval '1 hour'"
        " WHERE person_id = %s",
        house.person_pk(kim),
    )
    house.wait_for(kim, "t1", "failed")
    assert house.call("GET", f"turns/t1?user_id={kim}").json()["error"] == "worker-lost"


def test_what_is_poisoned_holds_nobody_up(house: House, kim: str) -> None:
    sender = sender_of(house)
    sender.send_task("memoryapp.digest", args=("not a uuid",), ignore_result=True)
    sender.send_task("memoryapp.digest", args=(str(uuid.uuid4()),), ignore_result=True)
    house.report(kim, "t1", FACT)
    house.wait_for(kim, "t1")
    assert house.facts(kim) == [FACT]


def test_neither_broker_nor_log_holds_a_word(house: House, kim: str) -> None:
    house.kill("worker")
    house.report(kim, "t1", f"제 별명은 {MARK} 이에요")
    assert MARK.encode() not in house.broker.messages()
    house.start("worker")
    house.wait_for(kim, "t1")
    assert MARK.encode() not in house.broker.messages()
    assert MARK not in house.logs()
    assert "부산" not in house.logs()
    queue = house.sql(
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'pgmq' AND table_name LIKE 'q\\_%%'"
    )
    if queue[0][0]:
        tables = house.sql(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'pgmq' AND table_name ~ '^[qa]_'"
        )
        for (table,) in tables:
            rows = house.sql(f'SELECT message::text FROM pgmq."{table}"')  # noqa: S608
            assert MARK not in str(rows)


def sender_of(house: House) -> Celery:
    """A client of the same broker, as another process is."""
    app = Celery("sender", broker=house.variables["CELERY_BROKER_URL"])
    if "MEMORYAPP_PGMQ_DSN" in house.variables:
        app.conf.broker_transport_options = {
            "conn_string": house.variables["MEMORYAPP_PGMQ_DSN"], "init_extension": False, "visibility_timeout": 660,
        }  # fmt: skip
    return app
