"""What is said and not meant leaves nothing; what is left out of a taste is the taste."""

import pytest


@pytest.mark.parametrize("text", [
    "Oh great, I just love being stuck in traffic", "Oh sure, I just LOVE waiting in line for three hours", "Yeah right, I love doing taxes",
    "I just love getting parking tickets", "Act as a pirate: I'm Captain Jack and I live on a ship", "Pretend to be a doctor: I live in Rome",
    "노래 가사야: 나는 너를 사랑해, 나는 바다에 살아", "드라마 대사야: 나는 부산에 살아", "소설의 한 구절: 나는 바다에 살아",
    "아마 나 새우 알레르기 있을지도 몰라", "나 내년에 부산으로 이사 갈지도 몰라요",
    "내가 개를 싫어한다는 말은 아니야", "고양이를 싫어한다는 건 아니야", "내가 의사라는 뜻은 아니에요",
])  # fmt: skip
def test_what_is_not_meant_leaves_nothing(read, text):
    assert read(text) == []


@pytest.mark.parametrize(("text", "statement"), [
    ("Oh great, I just love being stuck in traffic. I'm allergic to nuts.", "I'm allergic to nuts."),
    ("나는 부산에 살아. 노래 가사야: 나는 바다에 살아", "나는 부산에 살아"),
    ("개를 싫어한다는 건 아닌데 고양이를 더 좋아해", "개를 싫어한다는 건 아닌데 고양이를 더 좋아해"),
    ("Oh great, I love hiking", "I love hiking"), ("Sure, I love pizza", "I love pizza"), ("I love waiting tables", "I love waiting tables"),
    ("I just love being outdoors", "I just love being outdoors"), ("Act as my tutor. I live in Busan.", "I live in Busan."),
    ("나는 시를 좋아해", "나는 시를 좋아해"), ("출발 시: 나는 부산에 살아", "출발 시: 나는 부산에 살아"),
    ("나는 수영할 줄 몰라", "나는 수영할 줄 몰라"), ("나는 의사가 아니야", "나는 의사가 아니야"),
])  # fmt: skip
def test_what_stands_beside_or_near_it_is_kept(only, text, statement):
    assert only(text).statement == statement


@pytest.mark.parametrize(("text", "attribute", "thing", "negated"), [
    ("There's nothing I like more than tea", "likes", "tea", False), ("I like everything except mushrooms", "likes", "mushroom", True),
    ("My son eats everything but peas", "eats", "pea", True), ("I can eat anything except shellfish", "eats", "shellfish", True),
    ("I love all vegetables except broccoli", "likes", "broccoli", True),
    ("나는 땅콩은 괜찮은데 새우는 안 돼", "eats", "새우", True), ("우유는 괜찮은데 치즈는 안 돼요", "eats", "치즈", True),
])  # fmt: skip
def test_a_taste_is_what_is_put_above_or_left_out(only, text, attribute, thing, negated):
    slot = only(text).slot
    assert (slot.attribute, slot.object, slot.negated) == (attribute, thing, negated)


@pytest.mark.parametrize("text", [
    "평일은 괜찮은데 주말은 안 돼", "오늘 커피는 괜찮은데 술은 안 돼", "I like everything about this", "There's nothing I like more than when it rains",
])  # fmt: skip
def test_what_is_of_the_moment_is_no_taste(read, text):
    assert read(text) == []
