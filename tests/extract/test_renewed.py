"""A new car, number, address, team or pet's name told later takes the place of the old one, and nothing else does."""

import pytest

from tests.extract.test_change import change


@pytest.mark.parametrize(("before", "after"), [
    ("저는 아반떼 타요", "차 바꿨어, 이제 아이오닉 타"), ("제 차는 아반떼예요", "차 바꿨어. 이제 아이오닉 타"), ("나 아이폰 13 써", "폰 바꿨어 이제 갤럭시 s24 써"), ("나 아이폰 써", "폰 갤럭시로 바꿨어"),
    ("우리집 주소는 성수동 123-4야", "주소 바뀌었어. 이제 합정동 77-1이야"), ("우리 강아지 이름은 콩이야", "강아지 이름 두부로 바꿨어"), ("우리 강아지 이름은 콩이야", "강아지 이름 콩이에서 두부로 바꿨어"),
    ("저는 마케팅팀이에요", "부서 옮겼어 이제 인사팀이야"), ("내 생일은 5월 3일이야", "생일 5월 3일 아니고 5월 13일이야"), ("I drive a Civic.", "I drive an Ioniq now."), ("I use an iPhone 13.", "I switched to a Galaxy S24."),
    ("I drive a Civic.", "I traded in the Civic for a Model 3"), ("My dog's name is Biscuit.", "We renamed our dog Waffles."), ("My dog's name is Biscuit.", "renamed the dog, he's Waffles now"), ("I'm on the marketing team.", "transferred to the HR team"), ("I'm 30 years old.", "actually I'm 31 not 30"),
    ("My address is 12 Oak Street.", "My address changed, it's 77 Elm Street now"),
])  # fmt: skip
def test_the_new_one_takes_the_place(before, after):
    assert change(before, after) == "replace"


@pytest.mark.parametrize(("before", "after"), [
    ("제 전화번호는 010-1234-5678이에요", "번호 바꿨어요 이제 010-2222-3333이에요"), ("제 전화번호는 010-1234-5678이에요", "새 번호는 010-2222-3333이에요"),
    ("My phone number is 555-0100.", "got a new number, it's 555-0199 now"), ("My phone number is 555-0100.", "My new phone number is 555-0199."),
])  # fmt: skip
def test_a_new_number_is_the_only_one(before, after):
    assert change(before, after) == "replace"


@pytest.mark.parametrize(("before", "after"), [
    ("저는 아반떼 타요", "저는 테슬라도 타요"), ("제 전화번호는 010-1234-5678이에요", "회사 번호는 02-222-3333이에요"), ("저는 아반떼 타요", "남편은 쏘렌토 타요"),
    ("나 아이폰 써", "저는 갤럭시탭을 써요"), ("I use an iPhone 13.", "I use a Galaxy Watch."), ("My phone number is 555-0100.", "My work number is 555-0199."),
])  # fmt: skip
def test_one_more_stands_beside(before, after):
    assert change(before, after) == "insert"


@pytest.mark.parametrize(("text", "wrong"), [
    ("나 고양이 키워. 이름은 나비야", "user"), ("우리집에 고양이 두 마리 있어. 이름은 나비랑 초코야", "user"), ("강아지 입양했어. 이름은 초코야", "user"),
])  # fmt: skip
def test_a_pets_name_is_not_the_users(read, text, wrong):
    names = [fact.slot for fact in read(text) if fact.slot and fact.slot.attribute == "name"]
    assert all(slot.subject != wrong for slot in names)


def test_where_one_learns_is_no_employer(only):
    fact = only("매주 수요일마다 도예 배우러 다녀")
    assert (fact.memory_type, fact.slot.attribute) == ("HABIT", "does")
