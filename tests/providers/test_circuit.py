"""A provider that keeps failing is left alone, and found again."""

import pytest

from memoryapp.providers.base import EmbedderDown, EmbedderRefused
from memoryapp.providers.circuit import Circuit


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def fail(circuit: Circuit, error: type[EmbedderDown] = EmbedderDown) -> None:
    with pytest.raises(error), circuit.guard():
        raise error("failed")


def reached(circuit: Circuit) -> bool:
    try:
        with circuit.guard():
            return True
    except EmbedderDown:
        return False


def test_after_enough_outages_nobody_waits() -> None:
    clock = Clock()
    circuit = Circuit(outages=3, rest=10, clock=clock)
    for _ in range(3):
        fail(circuit)

    assert not reached(circuit)


def test_after_a_rest_one_caller_tries_and_the_others_wait() -> None:
    clock = Clock()
    circuit = Circuit(outages=1, rest=10, clock=clock)
    fail(circuit)
    clock.now = 11

    fail(circuit)
    assert not reached(circuit)
    clock.now = 22
    assert reached(circuit)
    assert reached(circuit)


def test_outages_between_successes_do_not_add_up() -> None:
    circuit = Circuit(outages=2, rest=10, clock=Clock())
    for _ in range(5):
        fail(circuit)
        assert reached(circuit)


def test_a_refused_text_is_no_outage() -> None:
    circuit = Circuit(outages=1, rest=10, clock=Clock())
    for _ in range(5):
        fail(circuit, EmbedderRefused)

    assert reached(circuit)
