"""How long things take, beside the yardstick of the same run."""

import statistics
import time
from collections.abc import Callable, Sequence

ROUNDS = 150


def timed(work: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Milliseconds of each round, after a few that do not count."""
    for _ in range(5):
        work()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return times


def show(name: str, times: Sequence[float], yardstick: float | None = None) -> float:
    """Print one line. → p50 in milliseconds."""
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    ratio = f"{p50 / yardstick:6.1f} × the view" if yardstick else ""
    line = f"{name:56} p50 {p50:7.2f} ms  p95 {p95:7.2f} ms  p95/p50 {p95 / p50:4.1f}  {ratio}"
    print(line.rstrip(), flush=True)
    return p50


def show_rate(name: str, rate: float, note: str = "") -> None:
    print(f"{name:56} {rate:9.1f} a second  {note}".rstrip(), flush=True)
