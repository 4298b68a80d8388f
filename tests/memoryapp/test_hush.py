"""Minji wants nothing of what follows remembered, until she says otherwise or another session begins."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.models import Memory, Turn
from tests.memoryapp.test_take_back import SECRET, WORK, known, say

__all__ = ["say"]  # fixture


def test_what_follows_is_not_even_kept(minji, assistant, work):
    assistant.report("minji", "지금부터 하는 얘기는 기억하지 마", "t1")
    answer = assistant.report("minji", SECRET, "t2").json()
    work()
    assert (answer["stored"], answer["reason"]) == (False, "incognito")
    assert [turn.turn_id for turn in Turn.objects.all()] == ["t1"]
    assert known() == []


@pytest.mark.parametrize("again", ["이제 다시 기억해도 돼", "You can remember again."])
def test_it_ends_when_she_says_so(say, work, assistant, again):
    say("지금부터 하는 얘기는 기억하지 마", SECRET, again, WORK)
    work()
    assert _listed(assistant) == [WORK]


def test_it_ends_with_the_session(say, work, assistant):
    say("From now on, don't remember what I say", SECRET)
    say(WORK, session="another")
    work()
    assert _listed(assistant) == [WORK]


def test_others_are_not_hushed(say, work, assistant, jiho):
    say("지금부터 하는 얘기는 기억하지 마")
    assert assistant.report("jiho", WORK, "t9").json()["stored"]


def test_one_wish_for_one_turn_hushes_nothing_else(say, work, assistant):
    say(f"이건 기억하지 마. {SECRET}", WORK)
    work()
    assert _listed(assistant) == [WORK]


def test_a_turn_that_came_in_before_the_words_is_emptied(minji, assistant, work):
    later = timezone.now()
    assistant.report("minji", SECRET, "t2", occurred_at=later.isoformat())
    early = later - timedelta(minutes=1)
    assistant.report("minji", "지금부터 하는 얘기는 기억하지 마", "t1", occurred_at=early.isoformat())
    work()
    assert not Memory.objects.exists()
    assert Turn.objects.get(turn_id="t2").error == "incognito"


def _listed(assistant):
    items = assistant.get("memories", user_id="minji").json()["items"]
    return [
        assistant.get(f"memories/{row['memory_id']}", user_id="minji").json()["statement"] for row in items
    ]
