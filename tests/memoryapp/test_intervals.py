"""The same words of another time are another memory; what is newly said of when a fact holds counts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.models import Memory

FACT = "I rent a flat in Mapo"


def day(number: int) -> str:
    """Midnight UTC, so many days from today."""
    return (timezone.now() + timedelta(days=number)).strftime("%Y-%m-%dT00:00:00Z")


def save(runtime, fact=FACT, **fields):
    answer = runtime.save("minji", fact, **fields)
    assert answer.status_code == 201, answer.content
    return answer.json()


def intervals(minji):
    rows = minji.memories.filter(status="confirmed").order_by("created_at")
    return [
        tuple(moment and moment.strftime("%Y-%m-%dT00:00:00Z") for moment in (row.valid_from, row.valid_to))
        for row in rows
    ]


def test_what_had_ended_and_is_said_again_holds_again(minji, assistant):
    save(assistant, valid_to=day(-30))
    assert assistant.facts("minji", FACT) == []
    assert save(assistant)["operation"] == "insert"
    assert assistant.facts("minji", FACT) == [FACT]
    assert save(assistant)["operation"] == "merge"
    assert Memory.objects.count() == 2


def test_the_same_interval_again_is_the_same_memory(minji, assistant):
    save(assistant, valid_to=day(-30))
    assert save(assistant, valid_to=day(-30))["operation"] == "merge"
    save(assistant, "I am in Tokyo on business", valid_from=day(-20), valid_to=day(-15))
    save(assistant, "I am in Tokyo on business", valid_from=day(-2), valid_to=day(9))
    save(assistant, "I am in Tokyo on business", valid_from=day(-20), valid_to=day(-15))
    save(assistant, "I am in Tokyo on business", valid_from=day(-300), valid_to=day(-290))
    tokyo = [(day(-20), day(-15)), (day(-2), day(9)), (day(-300), day(-290))]
    assert intervals(minji) == [(None, day(-30)), *tokyo]


def test_a_turn_about_what_was_closed_by_hand_teaches_it_anew(minji, assistant, work):
    saved = save(assistant, "나는 요가를 배워")["memory"]["memory_id"]
    closed = {"user_id": "minji", "valid_to": (timezone.now() - timedelta(hours=1)).isoformat()}
    Memory.objects.update(occurred_at=timezone.now() - timedelta(days=3))
    assert assistant.patch(f"memories/{saved}", closed).status_code == 200
    assistant.report("minji", "나는 요가를 배워")
    work()
    assert assistant.facts("minji", "요가") == ["나는 요가를 배워"]


def test_an_older_turn_about_the_time_when_it_held_adds_nothing(minji, assistant, work):
    save(assistant, "나는 요가를 배워", valid_to=day(-1))
    assistant.report("minji", "나는 요가를 배워", occurred_at=day(-40))
    work()
    assert minji.memories.count() == 1


@pytest.mark.parametrize(("said", "told"), [
    ({"valid_from": day(-10)}, (day(-10), None)),
    ({"valid_to": day(-10)}, (None, day(-10))),
    ({"valid_from": day(-10), "valid_to": day(10)}, (day(-10), day(10))),
    ({}, (None, None)),
])  # fmt: skip
def test_when_it_holds_can_be_said_later(minji, assistant, said, told):
    save(assistant)
    assert save(assistant, **said)["operation"] == "merge"
    assert intervals(minji) == [told]
    save(assistant, **said)
    assert intervals(minji) == [told]


def test_an_end_that_was_said_is_not_moved_by_a_new_value(minji, assistant):
    save(assistant, "내 프로젝트는 오로라야", valid_to=day(-30))
    save(assistant, "내 프로젝트는 오로라야!")
    assert intervals(minji) == [(None, day(-30)), (None, None)]


def test_what_is_over_already_ends_nothing_that_holds(minji, assistant):
    save(assistant, "I live in Busan")
    save(assistant, "I live in Seoul", valid_from=day(-900), valid_to=day(-300))
    assert assistant.facts("minji", "I live in Busan") == ["I live in Busan"]
    assert intervals(minji) == [(None, None), (day(-900), day(-300))]
