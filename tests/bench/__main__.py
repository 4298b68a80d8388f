"""`make bench`: recall, search, writes, reading and pages beside a `SELECT 1` view, all in one run.

Times are printed with their ratio to the yardstick, never asserted: a busy machine slows both alike.
MEMORYAPP_BENCH_ROWS=1000000 adds the largest table (some minutes more).
"""

import os
import re
import time
from collections.abc import Callable
from typing import Any

import django

from tests.bench import timing

PEOPLE_SIZES = (100, 1_000, 10_000)
TABLE_SIZES = (10_000, 100_000, int(os.environ.get("MEMORYAPP_BENCH_ROWS", "100000")))
WRITES = 100
_LONG_VECTOR = re.compile(r"'\[[-\d.,e]{100,}\]'")
QUESTION = "어디서 일하는지 알아?"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from memoryapp import vault

    settings.ROOT_URLCONF = "tests.bench.urls"

    call_command("migrate", verbosity=0)
    vault.initialise()
    _run()


def _run() -> None:
    from memoryapp.index import spaces
    from tests.bench import reading, store

    space = spaces.ensure_first()
    service, secret = _service()
    yardstick = timing.show("SELECT 1 view", timing.timed(_get("/select-1")))
    have = 0
    for rows in sorted(set(TABLE_SIZES)):
        store.add_crowd(space, have, rows)
        have = rows
        if rows == min(TABLE_SIZES):
            for size in PEOPLE_SIZES:
                store.add_person(space, f"bench-{size}", size)
                _consent(f"bench-{size}")
        store.settle()
        for size in PEOPLE_SIZES:
            what = f"{size:,} of one person, {rows:,} in all"
            timing.show(f"recall, {what}", timing.timed(_recall(secret, f"bench-{size}")), yardstick)
            timing.show("  its search alone", timing.timed(_statement(f"bench-{size}")), yardstick)
            timing.show("  of that in the database", _in_database(f"bench-{size}"), yardstick)
    timing.show("list over the API, 10,000 memories", timing.timed(_list(secret, "bench-10000")), yardstick)
    _served(secret)
    _writes(secret, "bench-100")
    reading.rules(service, "bench-100")
    reading.model(service, "bench-1000", _recall(secret, "bench-1000"))
    _explain("bench-1000")


def _served(secret: str) -> None:
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from memoryapp.models import Memory
    from speakers.models import Person
    from tests.bench import served

    call_command("collectstatic", interactive=False, verbosity=0)
    person = Person.objects.get(user_id="bench-10000")
    person.login = get_user_model().objects.create_user("bench-10000")
    person.save()
    browser = Client(SERVER_NAME="localhost")
    browser.force_login(person.login)
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    memory = Memory.objects.filter(person=person).order_by("pk").values_list("pk", flat=True)[0]
    with served.server() as address:
        served.throughput(address, secret, "bench-1000", QUESTION)
        served.pages(address, cookies, str(memory))


def _get(path: str) -> Callable[[], object]:
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    return lambda: client.get(path)


def _call(secret: str, method: str, path: str, body: dict[str, object]) -> Callable[[], object]:
    from django.test import Client

    client, headers = Client(SERVER_NAME="localhost"), {"Authorization": f"Bearer {secret}"}

    def send() -> object:
        json = {} if method == "get" else {"content_type": "application/json"}
        answer = getattr(client, method)(f"/api/v1/{path}", data=body, headers=headers, **json)
        if answer.status_code >= 300:
            raise SystemExit(f"{path} answered {answer.status_code}")
        return answer

    return send


def _recall(secret: str, user_id: str) -> Callable[[], object]:
    return _call(secret, "post", "recall", {"user_id": user_id, "query": QUESTION})


def _list(secret: str, user_id: str) -> Callable[[], object]:
    return _call(secret, "get", "memories", {"user_id": user_id, "limit": 50})


def _statement(user_id: str) -> Callable[[], object]:
    from memoryapp.index import search

    query = _query(user_id)
    return lambda: search.hybrid(query)


def _in_database(user_id: str) -> list[float]:
    """Milliseconds of execution as PostgreSQL counts them: the plan is kept, rows are sent and read later."""
    from django.db import connection

    from memoryapp.index import search

    query, times = _query(user_id), []
    search.hybrid(query)  # vectors are sent as recall sends them
    statement, values = (
        f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {search.STATEMENT}",
        search.parameters(query),
    )
    with connection.cursor() as cursor:
        for _ in range(timing.ROUNDS):
            cursor.execute(statement, values)
            [plan] = cursor.fetchone()[0]
            times.append(plan["Execution Time"])
    return times


def _explain(user_id: str) -> None:
    """The plan of the search statement, as the docs keep it."""
    from django.db import connection

    from memoryapp.index import search

    search.hybrid(_query(user_id))  # vectors are sent as recall sends them
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {search.STATEMENT}", search.parameters(_query(user_id)))
        lines = [_LONG_VECTOR.sub("'[…]'", row[0]) for row in cursor.fetchall()]
    print("", *lines, sep="\n")


def _query(user_id: str) -> Any:
    from django.utils import timezone

    from memoryapp import gate
    from memoryapp.index import asked, embed, search, spaces
    from memoryapp.vault import box_of

    person, now, space = gate.find(user_id), timezone.now(), spaces.ensure_first()
    if person is None:
        raise SystemExit(f"nobody is called {user_id}")
    return search.Query(
        owner_id=person.pk,
        space=space,
        vector=embed.query(space, QUESTION),
        asked=asked.read(QUESTION, box_of(person).mark, now, "Asia/Seoul"),
        personal=True,
        service_id=None,
        project_id="",
        at=(now, now),
    )


def _writes(secret: str, user_id: str) -> None:
    begin = time.perf_counter()
    for number in range(WRITES):
        fact = f"{number}번 서랍에는 공구가 있어요"
        _call(secret, "post", "memories", {"user_id": user_id, "fact": fact})()
    timing.show_rate("writes, each reconciled and indexed", WRITES / (time.perf_counter() - begin))


def _service() -> tuple[Any, str]:
    from memoryapp import keys, revisions
    from memoryapp.models import ChatService

    service = ChatService.objects.create(slug="bench", name="Bench")
    draft = revisions.draft(service)
    scopes = ["personal", "service"]
    draft = revisions.edit(draft, memory_enabled=True, per_turn_extraction=True, recall_scopes=scopes)
    revisions.deploy(draft)
    return service, keys.issue(service)[1]


def _consent(user_id: str) -> None:
    from consent import ledger
    from consent.domains import MASTER
    from speakers.models import Person

    person = Person.objects.get(user_id=user_id)
    ledger.decide(person, MASTER, True, actor="person", source="bench")


if __name__ == "__main__":
    main()
