"""What was said in one order comes in in another: the newest word holds, and what was taken back stays away."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp.models import Memory

NOW = timezone.now()
NEXT = 15  # the moment of saying it


def day(number: int) -> str:
    """Some day of the last two weeks, as a runtime would send it."""
    moment = timezone.now() if number == NEXT else NOW - timedelta(days=14 - number)
    return moment.isoformat()


@pytest.fixture
def hear(minji, assistant, work):
    """Minji says something on a day; it is read when it comes in, which may be much later."""
    count = iter(range(1000))

    def say(text: str, on: int) -> dict[str, int]:
        turn_id = f"t{next(count)}"
        assistant.report("minji", text, turn_id, occurred_at=day(on))
        work()
        return assistant.get(f"turns/{turn_id}", user_id="minji").json()["counts"]

    return say


def current(assistant, as_of: str | None = None) -> list[str]:
    """What is held true, now or at a time."""
    when = {"as_of": as_of} if as_of else {}
    found = assistant.recall("minji", "무엇이든", threshold=0, top_k=50, **when)["memories"]
    return sorted(memory["fact"] for memory in found)


def remove(assistant, fact: str) -> None:
    [row] = [m for m in assistant.get("memories", user_id="minji").json()["items"] if m["statement"] == fact]
    assert assistant.delete(f"memories/{row['memory_id']}?user_id=minji").status_code == 200


def test_older_talk_does_not_bring_back_what_has_ended(hear, assistant):
    hear("I live in Busan.", 0)
    hear("I no longer live in Busan.", 6)
    assert hear("I live in Busan.", 3) == {"noop": 1}
    assert current(assistant) == []
    assert hear("I live in Busan.", 9) == {"insert": 1}
    assert current(assistant) == ["I live in Busan."]


def test_an_older_ending_does_not_end_what_was_said_again_since(hear, assistant):
    hear("I live in Busan.", 0)
    hear("I live in Busan.", 6)
    assert hear("I no longer live in Busan.", 3) == {"noop": 1}
    assert current(assistant) == ["I live in Busan."]


def test_an_ending_that_ends_nothing_is_one_memory_however_often_it_is_said(hear):
    for on in (1, 2, 3):
        hear("I quit smoking.", on)
    assert Memory.objects.count() == 1


def test_a_value_of_the_past_takes_its_place_between_two_others(hear, assistant):
    hear("저는 부산에 살아요", 0)
    hear("저는 판교에 살아요", 10)
    hear("저는 대전에 살아요", 5)
    assert current(assistant) == ["저는 판교에 살아요"]
    for on, place in ((3, "부산"), (7, "대전"), (12, "판교")):
        assert current(assistant, day(on)) == [f"저는 {place}에 살아요"]
    assert hear("저는 대구에 살아요", 7) == {"insert": 1}
    for on, place in ((3, "부산"), (6, "대전"), (8, "대구"), (12, "판교")):
        assert current(assistant, day(on)) == [f"저는 {place}에 살아요"]


def test_an_announced_change_can_be_called_off(minji, assistant):
    next_month = (timezone.now() + timedelta(days=30)).isoformat()
    assistant.save("minji", "저는 부산에 살아요")
    assert (
        assistant.save("minji", "저는 서울에 살아요", valid_from=next_month).json()["operation"] == "replace"
    )
    assert assistant.save("minji", "저는 부산에 살아요").json()["operation"] == "replace"
    assert current(assistant) == ["저는 부산에 살아요"]


def test_no_interval_ends_before_it_begins(hear, assistant):
    for on, place in ((3, "부산"), (1, "판교"), (8, "대전"), (2, "대구"), (0, "수지"), (5, "광주")):
        hear(f"저는 {place}에 살아요", on)
    rows = Memory.objects.exclude(valid_to=None)
    assert rows.count() == 5
    assert all(row.valid_to and row.valid_to >= (row.valid_from or row.occurred_at) for row in rows)


def test_what_a_newer_word_covers_was_never_so_at_any_time(hear, assistant):
    hear("저는 판교에 살아요", 5)
    [row] = assistant.get("memories", user_id="minji").json()["items"]
    assistant.patch(f"memories/{row['memory_id']}", {"user_id": "minji", "statement": "저는 분당에 살아요"})
    hear("저는 수지에 살아요", 9)
    assert Memory.objects.filter(status="superseded").count() == 1
    for on in (6, 8, 9, 10, 14):
        assert current(assistant, day(on)) == ["저는 분당에 살아요"]


@pytest.mark.parametrize("by", ["the assistant", "Minji herself"])
@pytest.mark.parametrize("older", ["저는 수지에 살아요", "저는 판교에 살아요", "집이 판교예요"])
def test_a_correction_stands_against_talk_from_before_it(hear, assistant, minji, by, older):
    hear("저는 판교에 살아요", 5)
    [row] = assistant.get("memories", user_id="minji").json()["items"]
    if by == "the assistant":
        body = {"user_id": "minji", "statement": "저는 분당에 살아요"}
        assistant.patch(f"memories/{row['memory_id']}", body)
    else:
        from memoryapp import correct, gate
        from memoryapp.permit import Act

        memory = Memory.objects.get()
        correct.correct(gate.own(minji, Act.CORRECT), memory.pk, {"statement": "저는 분당에 살아요"}, None)
    hear(older, 13)
    assert current(assistant) == ["저는 분당에 살아요"]
    assert hear("저는 서울에 살아요", NEXT) == {"replace": 1}, "the newest word"


def test_a_corrected_fact_is_not_learnt_again_beside_its_correction(hear, assistant):
    hear("저는 커피를 좋아해요", 5)
    [row] = assistant.get("memories", user_id="minji").json()["items"]
    assistant.patch(f"memories/{row['memory_id']}", {"user_id": "minji", "statement": "저는 녹차를 좋아해요"})
    hear("저는 커피를 좋아해요", 6)
    hear("커피 좋아해", 7)
    assert current(assistant) == ["저는 녹차를 좋아해요"]


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("저는 판교에 살아요", "저는 판교에 살아요"),
        ("저는 판교에 살아요", "집이 판교예요"),
        ("저는 판교에 살아요", "저는 부산에 살아요"),
        ("저는 땅콩 알레르기가 있어요", "땅콩 알레르기 있어"),
        ("I live in Busan.", "My home is in Busan."),
    ],
)
def test_a_deleted_fact_is_not_learnt_again_from_older_talk_in_any_words(hear, assistant, said, again):
    hear(said, 5)
    remove(assistant, current(assistant)[0])
    hear(again, 6)
    assert current(assistant) == []


def test_every_wording_a_deleted_memory_has_had_is_forgotten(hear, assistant):
    hear("저는 판교에 살아요", 5)
    [row] = assistant.get("memories", user_id="minji").json()["items"]
    assistant.patch(f"memories/{row['memory_id']}", {"user_id": "minji", "statement": "저는 분당에 살아요"})
    remove(assistant, "저는 분당에 살아요")
    for older in ("저는 판교에 살아요", "저는 분당에 살아요"):
        hear(older, 6)
    assert current(assistant) == []


def test_a_fresh_statement_brings_a_deleted_fact_back(hear, assistant, work):
    hear("저는 판교에 살아요", 5)
    remove(assistant, "저는 판교에 살아요")
    assistant.report("minji", "저는 판교에 살아요", "fresh")
    work()
    assert current(assistant) == ["저는 판교에 살아요"]


def test_deleting_a_value_of_the_past_leaves_the_present_to_be_told(hear, assistant, work):
    hear("저는 부산에 살아요", 0)
    hear("저는 판교에 살아요", 6)
    past = Memory.objects.get(status="superseded")
    assert assistant.delete(f"memories/{past.pk}?user_id=minji").status_code == 200
    assert hear("저는 판교에 살아요", 8) == {"merge": 1}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("저는 판교에 살아요", "집이 판교예요"),
        ("판교 살아요", "저는 판교에 살아요"),
        ("I live in Busan.", "My home is in Busan."),
        ("네이버에서 일해요", "저는 네이버에 다녀요"),
        ("저는 채식주의자예요", "말했듯이 저는 채식주의자입니다"),
    ],
)
def test_another_wording_of_one_value_is_more_evidence(hear, assistant, one, other):
    hear(one, 1)
    assert hear(other, 5) == {"merge": 1}
    assert Memory.objects.get().evidence_count == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("저는 판교에 살아요", "저는 부산에 살아요"),
        ("저는 부산에 살아요", "부산에서 서울로 이사했어요"),
        ("I work at Google as an engineer.", "I work at Google as a manager."),
        ("저는 의사예요", "저는 교사예요"),
    ],
)
def test_another_value_takes_the_place_of_the_first(hear, one, other):
    hear(one, 1)
    assert hear(other, 5) == {"replace": 1}


def test_a_stricter_label_holds_for_what_is_known_already(minji, assistant):
    assistant.save("minji", "저는 고양이를 키워요")
    again = assistant.save("minji", "저는 고양이를 키워요", sensitivity="restricted").json()
    assert (again["operation"], again["memory"]["sensitivity"], again["memory"]["index_state"]) == (
        "merge",
        "restricted",
        "excluded",
    )
    less = assistant.save("minji", "저는 고양이를 키워요", sensitivity="normal").json()
    assert less["memory"]["sensitivity"] == "restricted"
