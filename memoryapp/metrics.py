"""What Prometheus reads at /metrics: counts and times, by route and state, never by person.

Gauges are read from the database at each scrape. Histograms belong to a process; with several web processes set
PROMETHEUS_MULTIPROC_DIR to a folder they share, emptied at start.
"""

import os
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from typing import ParamSpec, Protocol, TypeVar

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from memoryapp.models import Erasure, IndexEntry, IndexState, KeyUrl, Turn, TurnState

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUESTS = Histogram(
    "memoryapp_request_seconds", "Requests by route.", ["method", "route", "status"], buckets=_SECONDS
)
RECALLS = Histogram("memoryapp_recall_seconds", "Recalls, over REST and MCP.", buckets=_SECONDS)
DEGRADED = Counter("memoryapp_recall_degraded_total", "Recalls that were answered by half.", ["reason"])

P = ParamSpec("P")


class _Answer(Protocol):
    @property
    def degraded(self) -> bool: ...

    @property
    def reason(self) -> str | None: ...


A = TypeVar("A", bound=_Answer)


def recall_measured(function: Callable[P, A]) -> Callable[P, A]:
    """Time each recall and count those that were degraded."""

    @wraps(function)
    def measured(*args: P.args, **kwargs: P.kwargs) -> A:
        started = time.perf_counter()
        answer = function(*args, **kwargs)
        RECALLS.observe(time.perf_counter() - started)
        if answer.degraded:
            DEGRADED.labels(answer.reason or "unknown").inc()
        return answer

    return measured


class _Stored(Collector):
    """What the tables say at the moment of the scrape."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        yield _by_state(
            "memoryapp_turns", "Turns by state.", TurnState.values,
            dict(Turn.objects.order_by().values_list("state").annotate(Count("pk"))),
        )  # fmt: skip
        yield _by_state(
            "memoryapp_index_entries", "Index entries by state.", IndexState.values,
            dict(IndexEntry.objects.order_by().values_list("state").annotate(Count("pk"))),
        )  # fmt: skip
        due = Turn.objects.filter(state=TurnState.PENDING, next_try_at__lte=timezone.now())
        late = _seconds_since(due.aggregate(oldest=Min("next_try_at"))["oldest"])
        yield GaugeMetricFamily("memoryapp_backlog_seconds", "How long the oldest due turn waits.", late)
        failing = _seconds_since(KeyUrl.objects.aggregate(oldest=Min("failing_since"))["oldest"])
        yield GaugeMetricFamily(
            "memoryapp_key_url_failing_seconds",
            "For how long a service's key URL has failed, at most.",
            failing,
        )
        waiting = Erasure.objects.filter(kept_outside_at=None).count()
        yield GaugeMetricFamily(
            "memoryapp_erasures_waiting", "Certificates not yet in the ledger outside.", waiting
        )


def _seconds_since(moment: datetime | None) -> float:
    return (timezone.now() - moment).total_seconds() if moment else 0.0


def _by_state(name: str, text: str, states: Iterable[str], counts: dict[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=["state"])
    for state in states:
        family.add_metric([state], counts.get(state, 0))
    return family


def page() -> bytes:
    """Everything in Prometheus' text format."""
    stored = CollectorRegistry()
    stored.register(_Stored())
    return generate_latest(_processes()) + generate_latest(stored)


def _processes() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together
