"""What a device waits for, and what the night costs: context, compression, sync.

Run it as `python -m memoryapp.embedded.temporary --durable python -m tests.bench.household`. One process, no
network: the figures are the view with its middleware, database included.
"""

import os
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import django

MEMORIES, SUMMARIES, ROUNDS = 10_000, 500, 200
PEOPLE, TURNS = 1_000, 10
YESTERDAY = datetime.now(UTC) - timedelta(days=1)
VOICE = {"recognized_text": "평소처럼 거실 청정 예약해줘", "session_id": "bench"}
SAID = (
    "거실 청정해줘",
    "안방 청정해줘",
    "현관 불 꺼줘",
    "오늘 날씨 어때",
    "평일 오전 8시에 전체청정 예약해줘",
)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from memoryapp import vault

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    vault.initialise()
    service, key = _service()
    minji = _person("minji")
    _fill(minji, service)
    post, get = _client(key)
    _context(post, get)
    _sync(get)
    _compression(service)


def _context(post: Callable[..., Any], get: Callable[..., Any]) -> None:
    body = {"user_id": "minji", "voice_context": VOICE}
    floor = _p50(lambda: get("capabilities"))
    ours = _p50(lambda: post("a2a/context", body))
    made = post("a2a/context", body).json()["memory_context"]
    items, days = len(made["long_term"]["profile_items"]), len(made["mid_term"]["daily_summaries"])
    print(
        f"context, {MEMORIES:,} memories, {SUMMARIES} summaries: p50 {ours:.1f} ms "
        f"(a view that only knows its key: {floor:.1f} ms); {items} items, {days} days"
    )


def _sync(get: Callable[..., Any]) -> None:
    start, cursor, number, pages = time.perf_counter(), "", 0, []
    while True:
        begun = time.perf_counter()
        page = get("sync", user_id="minji", device_id="robot", cursor=cursor, limit=200).json()
        pages.append((time.perf_counter() - begun) * 1000)
        number, cursor = number + len(page["changes"]), page["cursor"]
        if not page["has_more"]:
            break
    took = time.perf_counter() - start
    idle = _p50(lambda: get("sync", user_id="minji", device_id="robot", cursor=cursor, limit=200))
    print(
        f"sync of {number:,} changes: {took:.2f} s, p50 {statistics.median(pages):.0f} ms a page of 200; "
        f"nothing new: {idle:.1f} ms"
    )


def _compression(service: Any) -> None:
    from memoryapp import compress

    caller = _caller(service)
    for number in range(PEOPLE):
        _day_of(_person(f"crowd-{number}"), caller)
    start, written = time.perf_counter(), 0
    while waiting := compress.waiting(1000):
        for pk in waiting:
            compress.write(pk)
            written += 1
    took = time.perf_counter() - start
    print(f"a day of {PEOPLE:,} people, {TURNS} turns each: {written:,} summaries in {took:.1f} s")


def _day_of(person: Any, caller: Any) -> None:
    from memoryapp import turns
    from memoryapp.turns import TurnReport

    for number in range(TURNS):
        report = TurnReport(
            session_id=f"s{number // 5}",
            turn_id=f"t{number}",
            user_text=SAID[number % len(SAID)],
            assistant_text="네, 알겠어요.",
            occurred_at=YESTERDAY + timedelta(minutes=number),
        )
        turns.record(caller, person.user_id, report)


def _fill(person: Any, service: Any) -> None:
    from django.db import transaction

    from memoryapp import lifecycle
    from memoryapp.content import Content
    from memoryapp.index.refresh import Embedded
    from memoryapp.lifecycle import Deed, Draft
    from memoryapp.vault import box_of

    box, deed, now = box_of(person), Deed(action="bench", actor="bench"), datetime.now(UTC)
    for start in range(0, MEMORIES, 1000):
        with transaction.atomic():
            for number in range(start, start + 1000):
                text = f"{number}번째로 {SAID[number % len(SAID)]}라고 했다"
                kind = ("PREFERENCE", "HABIT", "FACT", "EVENT", "PROFILE")[number % 5]
                draft = Draft(
                    content=Content(statement=text, normalized=text),
                    memory_type=kind,
                    origin="save",
                    occurred_at=now,
                    confidence=0.5 + number % 50 / 100,
                )
                lifecycle.insert(person, box, draft, Embedded(None, None), deed)
    _fill_summaries(person, service, box)


def _fill_summaries(person: Any, service: Any, box: Any) -> None:
    import uuid

    from memoryapp import compress
    from memoryapp.models import Summary

    for number in range(SUMMARIES):
        day = (YESTERDAY - timedelta(days=number // 2)).date()
        level = "day" if number % 2 else "session"
        summary = Summary(
            person=person, service=service, level=level, day=day, session_id="" if number % 2 else "bench"
        )
        line = {
            "text": SAID[0],
            "pair_ids": [str(uuid.uuid4())],
            "times": 1,
            "days": 1,
            "at": YESTERDAY.isoformat(),
        }
        summary.content = box.seal({"summary": SAID[0], "lines": [line]}, compress.place(summary))
        summary.state, summary.version, summary.made_at = "done", 1, YESTERDAY
        summary.save(force_insert=True)


def _service() -> tuple[Any, str]:
    from memoryapp import keys, revisions
    from memoryapp.models import ChatService

    service = ChatService.objects.create(slug="homebot", name="Homebot")
    draft = revisions.draft(service)
    settings: dict[str, Any] = {
        "memory_enabled": True,
        "per_turn_extraction": True,
        "recall_scopes": ["personal", "service"],
    }
    revisions.deploy(revisions.edit(draft, **settings))
    return service, keys.issue(service)[1]


def _caller(service: Any) -> Any:
    from memoryapp.models import RevisionState
    from memoryapp.permit import Caller

    return Caller(service=service, revision=service.revisions.get(state=RevisionState.DEPLOYED))


def _person(user_id: str) -> Any:
    from consent import ledger
    from consent.domains import Domain
    from memoryapp import persons

    person, _ = persons.register(user_id)
    for domain in (Domain.LONG_TERM_MEMORY, Domain.PROFILE):
        ledger.decide(person, domain, True, actor="person", source="my-page")
    return person


def _client(key: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    from django.test import Client

    client, headers = Client(), {"Authorization": f"Bearer {key}"}

    def post(path: str, body: Any) -> Any:
        return client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)

    def get(path: str, **query: Any) -> Any:
        return client.get(f"/api/v1/{path}", query, headers=headers)

    return post, get


def _p50(act: Callable[[], Any]) -> float:
    took = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        answer = act()
        took.append((time.perf_counter() - start) * 1000)
        assert answer.status_code == 200, answer.content
    return statistics.median(took)


if __name__ == "__main__":
    main()
