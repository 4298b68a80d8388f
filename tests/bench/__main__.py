"""`make bench`: recall, search, writes and pages beside a bare `SELECT 1` view, all in one run.

Times are printed with their ratio to the yardstick, never asserted: a busy machine slows both alike.
"""

import os
import statistics
import time
from collections.abc import Callable

import django

PEOPLE_SIZES = (100, 1_000, 10_000)
TABLE_SIZES = (10_000, 100_000, int(os.environ.get("MEMORYAPP_BENCH_ROWS", "100000")))
ROUNDS, WRITES = 150, 100
QUESTION = "어디서 일하는지 알아?"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    from django.core.management import call_command

    from memoryapp import vault

    call_command("migrate", verbosity=0)
    vault.initialise()
    _run()


def _run() -> None:
    from memoryapp.index import spaces
    from tests.bench import store

    space = spaces.ensure_first()
    secret = _service()
    yardstick = _show("SELECT 1 view", _yardstick())
    have = 0
    for rows in sorted(set(TABLE_SIZES)):
        store.add_crowd(space, rows - have)
        have = rows
        if rows == min(TABLE_SIZES):
            for size in PEOPLE_SIZES:
                store.add_person(space, f"bench-{size}", size)
                _consent(f"bench-{size}")
        store.settle()
        for size in PEOPLE_SIZES:
            _show(
                f"recall, {size:,} of one person, {rows:,} in all",
                _recall(secret, f"bench-{size}"),
                yardstick,
            )
            _show(f"  its statement alone, {size:,}", _statement(f"bench-{size}"), yardstick)
    _show("list, 10,000 memories", _list(secret, "bench-10000"), yardstick)
    _writes(secret, "bench-100")


def _yardstick() -> Callable[[], object]:
    from django.db import connection
    from django.http import HttpRequest, HttpResponse
    from django.test import RequestFactory

    def view(request: HttpRequest) -> HttpResponse:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return HttpResponse(str(cursor.fetchone()))

    request = RequestFactory().get("/")
    return lambda: view(request)


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
    from django.utils import timezone

    from memoryapp import gate
    from memoryapp.index import asked, embed, search, spaces
    from memoryapp.vault import box_of

    person, now, space = gate.find(user_id), timezone.now(), spaces.ensure_first()
    if person is None:
        raise SystemExit(f"nobody is called {user_id}")
    query = search.Query(
        owner_id=person.pk,
        space=space,
        vector=embed.query(space, QUESTION),
        asked=asked.read(QUESTION, box_of(person).mark, now, "Asia/Seoul"),
        personal=True,
        service_id=None,
        project_id="",
        at=(now, now),
    )
    return lambda: search.hybrid(query)


def _writes(secret: str, user_id: str) -> None:
    begin = time.perf_counter()
    for number in range(WRITES):
        _call(
            secret, "post", "memories", {"user_id": user_id, "fact": f"{number}번 서랍에는 공구가 있어요"}
        )()
    print(
        f"{'writes, each reconciled and indexed':52} {WRITES / (time.perf_counter() - begin):8.1f} a second"
    )


def _service() -> str:
    from memoryapp import keys, revisions
    from memoryapp.models import ChatService

    service = ChatService.objects.create(slug="bench", name="Bench")
    draft = revisions.draft(service)
    revisions.deploy(revisions.edit(draft, memory_enabled=True, recall_scopes=["personal", "service"]))
    return keys.issue(service)[1]


def _consent(user_id: str) -> None:
    from consent import ledger
    from consent.domains import MASTER
    from speakers.models import Person

    person = Person.objects.get(user_id=user_id)
    ledger.decide(person, MASTER, True, actor="person", source="bench")


def _show(name: str, work: Callable[[], object], yardstick: float | None = None) -> float:
    for _ in range(5):
        work()
    times = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    ratio = f"{p50 / yardstick:6.1f} × the view" if yardstick else ""
    print(f"{name:52} p50 {p50:7.2f} ms  p95 {p95:7.2f} ms  {ratio}", flush=True)
    return p50


if __name__ == "__main__":
    main()
