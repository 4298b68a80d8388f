"""Minji wants nothing of what follows remembered, until she says otherwise or another session begins."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from memoryapp.models import Memory, Turn
from memoryapp.pairs import read
from memoryapp.signals import ROOM_ALIAS
from memoryapp.vault import box_of
from tests.a2a.conftest import link
from tests.memoryapp.test_take_back import SECRET, WORK, known, say
from tests.speakers.test_history import file, take_in, turn
from tests.sync.test_pushing import push, write

__all__ = ["link", "say"]  # fixtures


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


def pair(number, text, at, **fields):
    said = {"user_text": text, "occurred_at": at.isoformat(), **fields}
    return write(f"c{number}", kind="pair", **said)


def test_talk_without_a_session_is_hushed_for_a_day_and_not_for_ever(minji, homebot):
    now = timezone.now()
    said = [(30, "지금부터 하는 얘기는 기억하지 마"), (29.9, SECRET), (6.1, SECRET), (5.9, WORK)]
    results = push(homebot, *(pair(n, text, now - timedelta(hours=h)) for n, (h, text) in enumerate(said)))
    assert [one["result"] for one in results] == ["applied", "refused", "refused", "applied"]
    assert {one["reason"] for one in results if one["result"] == "refused"} == {"incognito"}
    again = push(homebot, pair(9, SECRET, now - timedelta(hours=20)), device="another")
    assert again[0]["reason"] == "incognito", "whichever of her devices heard it"


def test_a_hush_without_a_session_touches_no_talk_that_has_one_and_ends_by_words(minji, homebot):
    now = timezone.now() - timedelta(minutes=10)
    results = push(
        homebot,
        pair(1, "지금부터 하는 얘기는 기억하지 마", now),
        pair(2, SECRET, now + timedelta(minutes=1)),
        pair(3, WORK, now + timedelta(minutes=2), session_id="s1"),
        pair(4, "이제 다시 기억해도 돼", now + timedelta(minutes=3)),
        pair(5, WORK, now + timedelta(minutes=4)),
    )
    assert [one["result"] for one in results] == ["applied", "refused", "applied", "applied", "applied"]


def test_what_a_device_concluded_from_hushed_talk_is_not_kept_either(minji, homebot):
    now = timezone.now() - timedelta(minutes=10)
    concluded = {
        "key": ROOM_ALIAS,
        "value": "안방",
        "occurred_at": (now + timedelta(minutes=1)).isoformat(),
    }
    results = push(
        homebot,
        pair(1, "지금부터 하는 얘기는 기억하지 마", now, session_id="s1"),
        write("c2", kind="profile_candidate", session_id="s1", **concluded),
        write("c3", kind="profile_candidate", session_id="s2", **concluded),
    )
    assert [one["reason"] for one in results] == [None, "incognito", None]
    assert [one["result"] for one in results] == ["applied", "refused", "applied"]


def test_everything_said_without_a_session_is_taken_back_for_the_last_day_only(minji, homebot, work):
    now = timezone.now() - timedelta(minutes=10)
    push(homebot, pair(1, WORK, now - timedelta(hours=25)), pair(2, SECRET, now - timedelta(hours=2)))
    push(homebot, pair(3, "지금까지 한 얘기는 전부 잊어줘", now))
    work()
    errors = Turn.objects.order_by("occurred_at").values_list("error", flat=True)
    assert list(errors) == ["", "withdrawn", ""]


def test_a_history_file_is_stopped_at_the_door(minji, homebot, link):
    link(minji, "user_001")
    said = [WORK, "지금부터 하는 얘기는 기억하지 마", SECRET, "이제 다시 기억해도 돼", "저는 커피를 좋아해요"]
    done = take_in(homebot, file(*map(turn, said)))
    assert (done["imported"], done["hushed"], done["duplicates"]) == (4, 1, 0)
    again = take_in(homebot, file(*map(turn, said)))
    assert (again["imported"], again["hushed"], again["duplicates"]) == (0, 1, 4)
    assert SECRET not in {read(one, box_of(minji)).user for one in minji.turns.all()}


def test_a_history_file_is_hushed_by_what_was_told_before_it_came(minji, homebot, link):
    link(minji, "user_001")
    early = datetime.fromisoformat(file()["sessions"][0]["time"]) - timedelta(minutes=1)
    homebot.report(
        "minji", "지금부터 하는 얘기는 기억하지 마", session_id="sess_001", occurred_at=early.isoformat()
    )
    assert take_in(homebot, file(turn(SECRET)))["hushed"] == 1
