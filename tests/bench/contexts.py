"""How long a session of 20 blocks takes: its prompt as frozen and assembled anew, its tools, a search.

Run it as `python -m memoryapp.embedded.temporary --durable python -m tests.bench.contexts`.
"""

import os
import statistics
import time
from collections.abc import Callable

import django

BLOCKS, ENTRIES, ROUNDS = 20, 5, 200
NOTE = "저는 판교에서 일하는 백엔드 개발자이고 커피보다 차를 좋아합니다. " * 20


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    from django.core.management import call_command

    from memoryapp import vault

    call_command("migrate", verbosity=0)
    vault.initialise()
    for name, work in _works().items():
        print(f"{name:42} {_measure(work)}")


def _works() -> dict[str, Callable[[], object]]:
    from memoryapp import keys
    from memoryapp.contexts import leave, prompt, tools
    from memoryapp.contexts.search_context import Search, search_context

    caller = keys.recognise(_service())
    assert caller is not None
    _consenting("bench")
    permit = leave.admit(caller, "bench", leave.USE)
    _fill(leave.admit(caller, "bench", leave.WRITE))
    search = Search(label="block2", query="메모 내용")
    return {
        "leave alone (the gate)": lambda: leave.admit(caller, "bench", leave.USE),
        f"frozen prompt of {BLOCKS} blocks": lambda: prompt.prompt(permit, "s1"),
        f"refresh of {BLOCKS} blocks": lambda: prompt.refresh(permit, "s1"),
        "tools": lambda: tools.tools(permit, "s1"),
        "search_context": lambda: search_context(permit, "s1", search),
    }


def _service() -> str:
    from memoryapp import keys, revisions
    from memoryapp.models import ChatService

    service = ChatService.objects.create(slug="bench", name="Bench")
    revisions.deploy(revisions.edit(revisions.draft(service), memory_enabled=True))
    return keys.issue(service)[1]


def _consenting(user_id: str) -> None:
    from consent import ledger
    from consent.domains import MASTER
    from memoryapp import persons

    person, _ = persons.register(user_id)
    ledger.decide(person, MASTER, True, actor="person", source="bench")


def _fill(permit: object) -> None:
    from memoryapp.contexts.put import Definition, put
    from memoryapp.contexts.set_context import Write, set_context
    from memoryapp.models import KEYED, ContextKind

    kinds = list(ContextKind)
    for number in range(BLOCKS):
        kind, label = kinds[number % len(kinds)], f"block{number}"
        content = None if kind in KEYED else NOTE
        put(permit, "s1", label, Definition(kind=kind, max_tokens=2000, content=content))  # type: ignore[arg-type]
        for entry in range(ENTRIES if kind in KEYED else 0):
            write = Write(label=label, content="메모 내용 " * 30, title=f"제목 {entry}", description="한 줄")
            set_context(permit, "s1", write)  # type: ignore[arg-type]


def _measure(work: Callable[[], object]) -> str:
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return f"p50 {statistics.median(times):6.2f} ms   best {min(times):6.2f} ms"


if __name__ == "__main__":
    main()
