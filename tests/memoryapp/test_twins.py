"""What an answer shows once, and what keeps one subject from filling it."""

from dataclasses import dataclass

from memoryapp.twins import distinct


@dataclass(frozen=True)
class Told:
    fact: str


def shown(*facts: str, limit: int = 8) -> list[str]:
    return [item.fact for item in distinct([Told(fact) for fact in facts], limit=limit)]


def test_the_same_fact_in_other_particles_is_told_once() -> None:
    assert shown("부산에서 살아요", "부산에 살아요", "부산에서  살아요.") == ["부산에서 살아요"]


def test_yes_and_no_are_not_twins() -> None:
    assert len(shown("땅콩 알레르기 있어", "땅콩 알레르기 없어")) == 2
    assert len(shown("I like tea", "I do not like tea", "I don't like tea")) == 2


def test_who_did_it_to_whom_is_kept_apart() -> None:
    assert len(shown("Minji invited Jiho", "Jiho invited Minji")) == 2


def test_texts_without_words_are_compared_as_they_are() -> None:
    assert shown("?!", "?!", "…") == ["?!", "…"]


def test_look_alikes_make_room_for_something_else() -> None:
    coffees = [f"I drank a large coffee at the office on day {day}" for day in range(6)]

    assert shown(*coffees, "The cat is called Momo", limit=4) == [*coffees[:3], "The cat is called Momo"]


def test_look_alikes_fill_the_answer_when_there_is_nothing_else() -> None:
    coffees = [f"I drank a large coffee at the office on day {day}" for day in range(6)]

    assert shown(*coffees, limit=5) == coffees[:5]
