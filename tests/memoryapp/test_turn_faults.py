"""What a turn's reading meets that nobody foresaw: told, tried again, and given up visibly."""

import pytest

from memoryapp import erase, gate, hurry, reading, turns
from memoryapp.models import Turn, TurnState
from memoryapp.permit import Act


class Unforeseen(Exception):
    """A fault of ours."""


def fails(*args: object, **kwargs: object) -> None:
    raise Unforeseen("zebra-7731")


def test_an_unforeseen_error_is_tried_again_and_then_failed(assistant, minji, monkeypatch, work):
    assistant.report("minji", "저는 부산에서 살아요")
    monkeypatch.setattr(reading, "read", fails)
    turn = Turn.objects.get()
    for attempt in range(1, turns.MAX_ATTEMPTS + 1):
        Turn.objects.update(next_try_at=turn.received_at)
        with pytest.raises(Unforeseen):
            turns.digest(turn.pk)
        turn.refresh_from_db()
        assert turn.attempts == attempt
    assert (turn.state, turn.error) == (TurnState.FAILED, "Unforeseen")
    monkeypatch.undo()
    Turn.objects.update(state=TurnState.PENDING, attempts=0, next_try_at=turn.received_at)
    work()
    assert assistant.facts("minji", "부산") == ["저는 부산에서 살아요"]


def test_somebody_erased_while_their_turn_is_read_is_no_error(
    transactional_db, assistant, minji, monkeypatch
):
    assistant.report("minji", "저는 부산에서 살아요")
    turn = Turn.objects.get()

    def erased_meanwhile(permit, turn):
        erase.erase(gate.own(minji, Act.ERASE))
        return [], 0

    monkeypatch.setattr(reading, "read", erased_meanwhile)
    turns.digest(turn.pk)
    assert not Turn.objects.exists()


def test_a_broker_that_hangs_costs_one_request_and_not_each(monkeypatch):
    calls = []

    def hangs(*args: object, **kwargs: object) -> None:
        calls.append(args)
        raise TimeoutError

    monkeypatch.setattr(hurry, "_pause_until", 0.0)
    monkeypatch.setattr("memoryapp.celery.app.send_task", hangs)
    for _ in range(5):
        hurry._send("memoryapp.digest", ("id",))
    assert len(calls) == 1
    monkeypatch.setattr(hurry, "_pause_until", 0.0)
    hurry._send("memoryapp.digest", ("id",))
    assert len(calls) == 2
