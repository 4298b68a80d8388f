"""Minji takes back what she has said before, in words, and it is as if she had not said it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.extract.rules.taking_back import reach
from memoryapp.models import ChatService, CostEntry, Memory, Rollback, Turn

SECRET = "저는 공황장애 진단을 받았어요"
WORK = "저는 판교에서 백엔드 개발자로 일해요"


@pytest.fixture
def say(minji, assistant):
    """Minji says things one after the other in one session; nothing is read until `work`."""
    start, count = timezone.now() - timedelta(minutes=10), iter(range(100))

    def report(*texts: str, session: str = "s1") -> None:
        for text in texts:
            number = next(count)
            at = (start + timedelta(seconds=number)).isoformat()
            assistant.report("minji", text, f"t{number}", session_id=session, occurred_at=at)

    return report


def known() -> list[str]:
    return sorted(memory.status for memory in Memory.objects.filter(deleted_at=None))


@pytest.mark.parametrize("read_before", [True, False])
def test_what_was_just_said_is_taken_back(say, work, assistant, read_before):
    say(WORK, SECRET)
    if read_before:
        work()
        assert len(known()) == 2
    say("방금 한 말은 기억하지 마")
    work()
    assert assistant.facts("minji", "판교 개발자", threshold=0) == [WORK]
    assert known() == ["confirmed"]
    assert [turn.error for turn in Turn.objects.order_by("occurred_at")] == ["", "withdrawn", ""]


def test_everything_said_in_the_session_is_taken_back(say, work, assistant):
    say(WORK, session="other")
    say(SECRET, "저는 커피를 좋아해요", "지금까지 한 얘기는 전부 잊어줘")
    work()
    assert assistant.facts("minji", "무엇", threshold=0) == [WORK]


def test_a_turn_that_takes_back_its_own_words_leaves_the_one_before(say, work, assistant):
    say(WORK, f"{SECRET}. 방금 한 말은 기억하지 마")
    work()
    assert assistant.facts("minji", "무엇", threshold=0) == [WORK]


def test_taken_back_before_anything_was_said_does_nothing(say, work):
    say("방금 한 말은 잊어줘")
    work()
    assert Turn.objects.get().state == "done"


def test_read_twice_it_takes_back_once(say, work, assistant):
    say(WORK, SECRET, "Forget what I just said.")
    work()
    Turn.objects.filter(turn_id="t2").update(state="pending", next_try_at=timezone.now())
    work()
    assert assistant.facts("minji", "무엇", threshold=0) == [WORK]


def test_minji_can_undo_it_on_her_page(say, work, assistant):
    say(SECRET)
    work()
    say("방금 한 말은 잊어줘")
    work()
    assert known() == []
    batch = Rollback.objects.get()
    assert assistant.post(f"rollbacks/{batch.pk}/undo", {"user_id": "minji"}).status_code == 200
    assert known() == ["confirmed"]


def test_a_spent_budget_pauses_reading_and_not_forgetting(say, work, assistant):
    say(SECRET)
    work()
    ChatService.objects.update(monthly_token_budget=100)
    CostEntry.objects.create(service=assistant.service, stage="extraction", bearer="system", tokens_in=100)
    say("방금 한 말은 잊어줘")
    work()
    assert assistant.get("turns/t1", user_id="minji").json()["error"] == "budget-spent"
    assert known() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("방금 한 말은 기억하지 마", "turn"),
        ("아, 잠깐만. 방금 말한 거 잊어줘", "turn"),
        ("아까 한 얘기는 없던 걸로 해줘", "turn"),
        ("좀 전에 말한 건 저장하지 말아줘", "turn"),
        ("방금 얘기는 지워줘", "turn"),
        ("Please forget what I just said.", "turn"),
        ("Don't remember what I told you", "turn"),
        ("Scratch my last message", "turn"),
        ("Pretend I never said that", "turn"),
        ("지금까지 한 말 다 잊어줘", "session"),
        ("내가 한 말 전부 지워줘", "session"),
        ("Forget everything I said", "session"),
        ("Delete everything I've told you", "session"),
        ("저는 어제 한 말을 잊어버렸어요", None),
        ("기억하지 마: 나 눈이 나빠", None),
        ("저 이혼했어요. 방금 한 말은 기억하지 마", None),
        ("엄마가 방금 한 말을 기억해줘", None),
        ("I forget what day it is", None),
        ("Don't forget what I like", None),
        ("방금 점심 먹었어요", None),
        ("내가 한 말 기억해?", None),
        ("장바구니에 담은 거 전부 지워줘", None),
        ("방금 만든 거 지워줘", None),
        ("방금 한 거 취소해줘", None),
        ("아까 말한 거 취소해줘", None),
        ("민수 얘기 전부 지워줘", None),
        ("Delete everything in the trash folder", None),
        ("Don't save anything to the desktop", None),
        ("Delete the last message from Bob", None),
        ("", None),
    ],
)
def test_how_far_back_a_turn_reaches(text, expected):
    assert reach(text) == expected
