"""Who a sentence without a subject is about, and what one sentence lists."""

import pytest


def told(facts):
    return [(fact.statement, fact.slot and (fact.slot.subject, fact.slot.attribute)) for fact in facts]


def test_a_sentence_without_a_subject_is_about_the_person_before(read):
    assert told(read("제 여동생 이름은 수지예요. 부산에서 대학을 다녀요")) == [
        ("제 여동생 이름은 수지예요", ("여동생", "name")),
        ("여동생은 부산에서 대학을 다녀요", ("여동생", "school")),
    ]
    assert told(read("우리 형은 의사야. 대구에 살아"))[1] == ("형은 대구에 살아", ("형", "residence"))
    assert told(read("My boss is Karen and she hates surprises"))[1] == (
        "My boss Karen hates surprises",
        ("boss", "likes"),
    )
    assert told(read("My sister lives in Vancouver. She runs a bakery."))[1] == (
        "My sister runs a bakery.",
        ("sister", "business"),
    )


@pytest.mark.parametrize("text", [
    "우리 형은 의사야. 나는 대구에 살아", "우리 형은 의사야. 제가 대구에 살아요", "오늘 형 만났어. 대구에 살아",
])  # fmt: skip
def test_a_first_person_takes_the_sentence_back(read, text):
    assert read(text)[-1].slot.subject == "user"


def test_a_task_behind_a_relative_is_still_the_users(read):
    facts = read("엄마 생신이 5월 20일이야. 모레까지 선물을 사야 해")
    assert facts[-1].memory_type == "TASK"
    assert not facts[-1].statement.startswith("엄마")


@pytest.mark.parametrize(("text", "objects"), [
    ("새우랑 게 알레르기가 있어요", ["새우", "게"]), ("사과 알레르기가 있어요", ["사과"]), ("I'm allergic to shrimp and crab", ["shrimp", "crab"]),
])  # fmt: skip
def test_each_allergy_can_end_without_the_other(read, text, objects):
    assert [fact.slot.object for fact in read(text)] == objects


def test_not_eating_does_not_deny_the_allergy(read):
    (fact,) = read("복숭아 알레르기가 심해서 못 먹어요")
    assert (fact.slot.attribute, fact.slot.object, fact.slot.negated) == ("allergy", "복숭아", False)


def test_there_is_not_kept_without_its_place(read):
    assert [fact.statement for fact in read("I love the Seoul Library. I go there every Tuesday.")] == [
        "I love the Seoul Library."
    ]


def test_a_reason_is_no_part_of_the_slot(only):
    assert only("I don't eat pork for religious reasons").slot.object == "pork"


@pytest.mark.parametrize("text", [
    "술은 끊은 지 오래됐어", "나 담배 끊은 지 3년 됐어", "I used to smoke but quit two years ago", "I've stopped going to yoga.",
])  # fmt: skip
def test_what_was_given_up_ends(only, text):
    assert only(text).ends


def test_a_pass_is_bought_not_given_up(read):
    assert not any(fact.ends for fact in read("어제 헬스장 6개월 끊었어"))


@pytest.mark.parametrize("text", ["네가 면접관이고 나는 지원자야", "상황극 하자, 나는 의사고 너는 환자야"])
def test_parts_of_a_play_are_not_facts(read, text):
    assert read(text) == []
