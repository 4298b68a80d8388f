"""What Minji says later meets what she said before: it ends it, takes its place, or says it again."""

from datetime import timedelta

import pytest

from memoryapp.extract.rules import RulesExtractor
from tests.eval.extraction import operation
from tests.extract.conftest import SATURDAY, turn


def change(before, after):
    """What the second sentence does to the first, judged by their slots."""
    (old,) = RulesExtractor().extract(turn(before, at=SATURDAY - timedelta(days=9)))
    (new,) = RulesExtractor().extract(turn(after))
    return operation(old, new)


@pytest.mark.parametrize(("before", "after"), [
    ("저는 매일 아침 커피를 마셔요", "이제 커피 안 마셔요"), ("커피를 하루에 두 잔씩 마셔요", "커피 끊었어요"), ("하루에 한 갑씩 담배를 피워요", "지난달에 담배 끊었어요"),
    ("매일 밤 맥주 한 캔 마셔요", "맥주 끊었어요"), ("I smoke about a pack a day.", "I quit smoking in March."), ("I drink two cups of coffee a day.", "I quit coffee."),
    ("I go to the gym every morning.", "I stopped going to the gym."), ("I go to the gym three times a week.", "I no longer go to the gym."),
    ("I run five kilometers every morning.", "I don't run anymore."), ("I play tennis every Sunday.", "I quit tennis."), ("I eat beef every day.", "I stopped eating beef."),
    ("혈압약을 먹고 있어요", "혈압약은 이제 안 먹어요"), ("I take metformin twice a day.", "I'm off metformin now."), ("I'm on a keto diet.", "I'm no longer on keto."),
    ("저는 요즘 스페인어를 배우고 있어요", "스페인어 공부는 그만뒀어요"), ("저는 매주 화요일에 요가를 해요", "이제 요가 안 해요"), ("주말마다 등산을 해요", "이제 등산 안 다녀요"),
    ("넷플릭스를 구독하고 있어요", "넷플릭스 해지했어요"), ("이사는 6월 3일이에요", "이사 취소됐어요"), ("I'm allergic to peanuts.", "I no longer have a peanut allergy."), ("저는 삼성에서 일해요", "삼성 그만뒀어요"), ("I work at Samsung.", "I quit Samsung."),
])  # fmt: skip
def test_the_end_meets_what_it_ends(before, after):
    assert change(before, after) == "expire"


@pytest.mark.parametrize(("before", "after"), [
    ("I'm allergic to peanuts.", "I have a peanut allergy."), ("My mother is allergic to eggs.", "My mom has an egg allergy."), ("어머니는 커피를 좋아하세요", "우리 엄마는 커피를 정말 좋아하세요"),
    ("I'm married.", "I married Tom in 2015."), ("와이프는 새우 알레르기가 있어요", "제 아내는 새우 알레르기가 심해요"),
])  # fmt: skip
def test_other_words_for_one_thing_are_one_memory(before, after):
    assert change(before, after) in ("update", "merge")


@pytest.mark.parametrize(("before", "after"), [
    ("결혼식은 10월 3일이에요", "결혼식이 10월 10일로 미뤄졌어요"), ("우리 강아지 이름은 초코예요", "강아지 이름을 보리로 바꿨어요"), ("제 이름은 김민지예요", "이름을 김서연으로 개명했어요"), ("저는 미혼이에요", "저 지난 주말에 결혼했어요"),
    ("저는 유부남이에요", "작년에 이혼했어요"), ("I'm single.", "I got married last month."), ("Call me MJ.", "Don't call me MJ, call me Minji."), ("My name is Jon.", "I changed my name to Seoyeon."),
    ("I live in Austin.", "Correction: I live in Dallas, not Austin."), ("저는 마케팅팀이에요", "마케팅팀이 아니라 영업팀이에요"), ("저는 울산 출신이에요", "울산이 아니라 부산 출신이에요"),
    ("My mother lives in Daegu.", "My mom moved to Busan."), ("아버지는 대구에 사세요", "아빠가 지난달에 부산으로 이사하셨어요"), ("My hubby is allergic to cats.", "My husband isn't allergic to cats."),
    ("우리 강아지는 닭고기를 못 먹어요", "우리 강아지 이제 닭고기 먹어요"), ("I can't eat spicy food.", "I can eat spicy food now."), ("매운 거 못 먹어요", "매운 거 이제 먹을 수 있어요"),
])  # fmt: skip
def test_what_is_possible_again_takes_the_place(before, after):
    assert change(before, after) == "replace"


def test_a_call_at_any_time_is_no_name(read):
    assert not any(fact.slot for fact in read("You can call me anytime now."))
    assert not any(fact.slot for fact in read("Call me whenever you want."))


@pytest.mark.parametrize(("before", "after"), [
    ("I work at Samsung.", "I quit tennis."), ("저는 삼성에서 일해요", "피아노 그만뒀어요"), ("커피를 매일 마셔요", "이제 녹차 안 마셔요"), ("I drink beer every night.", "I don't drink on weekdays."),
])  # fmt: skip
def test_another_thing_is_left_alone(before, after):
    assert change(before, after) == "insert"
