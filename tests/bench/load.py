"""Mixed traffic on two web and two worker processes, for as long as you like.

    python -m tests.bench.load [--minutes 10] [--threads 6] [--people 50] [--embedder e5] [--broker pgmq]

Each thread acts as a runtime for one person after another: it reports turns, recalls, saves, lists, corrects and
deletes, and looks at a `SELECT 1` view, the yardstick. Told at the end: requests per second, latencies by kind, errors,
the memory of the processes by the minute, and how long the backlog took to drain. Only addresses of this machine are asked, and it stops by itself.
"""

import argparse
import os
import random
import shutil
import statistics
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from tests.faults.brokers import make
from tests.faults.house import House

CITIES = ("부산", "대구", "광주", "대전", "인천", "제주", "강릉", "전주", "수원", "춘천")
TASTES = ("커피", "녹차", "김치찌개", "파스타", "초밥", "떡볶이", "샐러드", "냉면", "만두", "카레")
HOBBIES = ("등산", "수영", "기타", "그림", "요가", "달리기", "낚시", "바둑", "사진", "자전거")
VIEW = "tests.bench.asgi:application"
VIEW_SECONDS = 20
#: What people's runtimes do, by weight; `view` is the yardstick under the same load.
MIX = {"recall": 50, "turn": 25, "save": 10, "list": 8, "correct": 4, "delete": 3, "view": 5}


class Runtime:
    """One thread of traffic."""

    def __init__(self, house: House, people: list[str], seed: int, until: float) -> None:
        self.view = f"{house.base_url}/select-1"
        self.people, self.until, self.random = people, until, random.Random(seed)  # noqa: S311 - not for secrets
        key = house.quickstart["services"][0]["api_key"]
        self.http = httpx.Client(
            base_url=f"{house.base_url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=30
        )
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.turns = 0
        self.name = f"r{seed}"

    def run(self, kinds: Sequence[str] = tuple(MIX)) -> None:
        while time.monotonic() < self.until:
            kind = self.random.choices(kinds, [MIX[kind] for kind in kinds])[0]
            self._timed(kind, getattr(self, f"_{kind}"), self.random.choice(self.people))

    def _timed(self, kind: str, act: Any, user_id: str) -> None:
        started = time.perf_counter()
        try:
            answer: httpx.Response | None = act(user_id)
        except httpx.HTTPError as error:
            self.errors[f"{kind} {type(error).__name__}"] += 1
            return
        if answer is None:
            return
        self.seconds[kind].append(time.perf_counter() - started)
        if answer.status_code >= 400:
            self.errors[f"{kind} {answer.status_code}"] += 1
        elif kind == "recall" and answer.json()["degraded"]:
            self.errors["recall degraded"] += 1

    def _sentence(self) -> str:
        pick = self.random.choice
        number = self.random.randrange(1000)
        return pick(
            [
                f"저는 {pick(CITIES)}에서 살아요",
                f"요즘 {pick(TASTES)} {number}번 가게를 좋아해요",
                f"주말마다 {pick(HOBBIES)} {number}번 모임에 가요",
                f"제 동생은 {pick(CITIES)}에서 {pick(HOBBIES)} 일을 해요",
            ]
        )

    def _recall(self, user_id: str) -> httpx.Response:
        words = self.random.choice([*CITIES, *TASTES, *HOBBIES])
        return self.http.post("recall", json={"user_id": user_id, "query": f"{words} 이야기 기억나?"})

    def _turn(self, user_id: str) -> httpx.Response:
        self.turns += 1
        name = f"{self.name}-{self.turns}"
        body = {"user_id": user_id, "session_id": "load", "turn_id": name, "user_text": self._sentence()}
        return self.http.post("turns", json=body)

    def _save(self, user_id: str) -> httpx.Response:
        return self.http.post("memories", json={"user_id": user_id, "fact": self._sentence()})

    def _list(self, user_id: str) -> httpx.Response:
        return self.http.get("memories", params={"user_id": user_id, "limit": 50})

    def _one(self, user_id: str) -> str | None:
        items = self._list(user_id).json().get("items", [])
        return str(self.random.choice(items)["memory_id"]) if items else None

    def _correct(self, user_id: str) -> httpx.Response | None:
        memory_id = self._one(user_id)
        body = {"user_id": user_id, "statement": self._sentence()}
        return self._unless_gone(self.http.patch(f"memories/{memory_id}", json=body)) if memory_id else None

    def _delete(self, user_id: str) -> httpx.Response | None:
        memory_id = self._one(user_id)
        if memory_id is None:
            return None
        return self._unless_gone(self.http.delete(f"memories/{memory_id}", params={"user_id": user_id}))

    def _view(self, user_id: str) -> httpx.Response:
        return self.http.get(self.view)

    def _unless_gone(self, answer: httpx.Response) -> httpx.Response | None:
        """Another thread may have deleted or replaced it meanwhile, which is no error."""
        return None if answer.status_code in (404, 409) else answer


def memory_of(house: House) -> dict[str, int]:
    """MiB of resident memory by kind of process, children included."""
    sums: Counter[str] = Counter()
    for name, process in house.processes.items():
        for pid in _family(process.pid):
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            sums[name] += pages * 4096 // 2**20
    return dict(sums)


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--threads", type=int, default=6)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--embedder", default="e5")
    parser.add_argument("--broker", default="pgmq", choices=["pgmq", "redis", "rabbitmq"])
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    os.environ["MEMORYAPP_DATA_DIR"] = str(folder / "run")
    try:
        (folder / "run").mkdir()
        broker = make(options.broker, folder / "broker")
        with House(
            folder / "house", broker, provider=options.embedder, web_processes=2, application=VIEW
        ) as house:
            house.start("worker2")
            people = [f"person-{number}" for number in range(options.people)]
            for user_id in people:
                house.welcome(user_id)
            yardstick(house, options.threads)
            measure(house, people, options.minutes, options.threads)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def yardstick(house: House, threads: int) -> None:
    """How often the view alone can be had by as many callers."""
    until = time.monotonic() + VIEW_SECONDS
    runtimes = [Runtime(house, ["nobody"], seed, until) for seed in range(threads)]
    running = [threading.Thread(target=runtime.run, args=[["view"]]) for runtime in runtimes]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    print(f"the view alone, {threads} callers:")
    tell(runtimes, VIEW_SECONDS)


def measure(house: House, people: list[str], minutes: float, threads: int) -> None:
    until = time.monotonic() + minutes * 60
    runtimes = [Runtime(house, people, seed, until) for seed in range(threads)]
    running = [threading.Thread(target=runtime.run) for runtime in runtimes]
    started = time.monotonic()
    for thread in running:
        thread.start()
    minute = 0
    while any(thread.is_alive() for thread in running):
        for thread in running:
            thread.join(timeout=60 / threads)
        if time.monotonic() - started >= minute * 60:
            print(f"minute {minute}: MiB {memory_of(house)}, due {backlog(house)}", flush=True)
            minute += 1
    seconds = time.monotonic() - started
    tell(runtimes, seconds)
    drained = time.monotonic()
    while backlog(house) and time.monotonic() - drained < 600:
        time.sleep(1)
    print(f"backlog drained in {time.monotonic() - drained:.0f} s, left {backlog(house)}")
    states = house.sql("SELECT state, count(*) FROM memoryapp_turn GROUP BY state ORDER BY state")
    index = house.sql("SELECT state, count(*) FROM memoryapp_indexentry GROUP BY state ORDER BY state")
    print(f"turns {states}, index {index}, memory MiB {memory_of(house)}")


def backlog(house: House) -> int:
    return int(house.sql("SELECT count(*) FROM memoryapp_turn WHERE state IN ('pending', 'running')")[0][0])


def tell(runtimes: list[Runtime], seconds: float) -> None:
    total = sum(len(times) for runtime in runtimes for times in runtime.seconds.values())
    print(f"{total} requests in {seconds:.0f} s: {total / seconds:.1f} a second")
    for kind in MIX:
        times = sorted(second for runtime in runtimes for second in runtime.seconds[kind])
        if times:
            p50, p95, p99 = (
                1000 * times[min(len(times) - 1, int(len(times) * q))] for q in (0.5, 0.95, 0.99)
            )
            print(
                f"  {kind:8} {len(times):6} p50 {p50:6.1f} p95 {p95:6.1f} p99 {p99:6.1f} ms, mean {1000 * statistics.mean(times):.1f}"
            )
    print("errors", dict(sum((runtime.errors for runtime in runtimes), Counter())))


if __name__ == "__main__":
    main()
