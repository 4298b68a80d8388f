"""What is plainly said of somebody and lasts is kept, whatever the verb; what is not kept has one of a few reasons."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memoryapp.extract.base import Utterance
from memoryapp.extract.rules import RulesExtractor

ZONE = ZoneInfo("Asia/Seoul")
AT = datetime(2026, 5, 16, 15, 0, tzinfo=ZONE)  # a Saturday

KEPT = [
    ("책은 종이책이 좋더라", "PREFERENCE"), ("향신료 강한 음식은 좀 힘들어", "PREFERENCE"), ("고수는 진짜 냄새도 못 맡겠어", "PREFERENCE"), ("나는 산보다는 바다파지", "PREFERENCE"), ("드라마는 몰아서 보는 스타일이야", "PREFERENCE"),
    ("난 연차가 15개야", "FACT"), ("저 호텔 프런트에서 일한 지 반년 됐어요", "FACT"), ("대기업 다니다가 지금은 동네 책방 해요", "FACT"), ("헬스장 끊고 집에서 운동해", "FACT"), ("저는 사투리가 심해요", "FACT"), ("아내가 저보다 다섯 살 많아요", "FACT"),
    ("와이프가 미용실 해서 주말에 바빠요", "FACT"), ("우리 딸은 낯을 많이 가려", "FACT"), ("노트북은 엘지 그램 써요", "FACT"), ("저 왼쪽 무릎에 철심 박혀 있어요", "FACT"), ("유튜브는 1.5배속으로 봐요", "HABIT"), ("우리 가족은 설에 다 같이 여행 가", "FACT"),
    ("인스타 계정 삭제했어", "EVENT"), ("나 드디어 정규직 전환됐어", "EVENT"), ("난 군대를 해병대로 갔다 왔어", "EVENT"), ("이메일 주소가 바뀌었어요 이제 mina@example.com이에요", "PROFILE"), ("집 주소 바뀌었어 이제 성북구 동소문로 25야", "PROFILE"),
    ("손톱 물어뜯는 버릇이 있어요", "PROFILE"), ("저는 가계부를 손으로 써요", "FACT"),
    ("My uncle was a fisherman.", "FACT"), ("Growing up, we spoke Cantonese at home.", "FACT"), ("I can't hear well out of my right ear.", "FACT"), ("We've got three goats and a very old donkey.", "PROFILE"), ("Our apartment doesn't have air conditioning.", "FACT"),
    ("Mint chocolate is hands down the best ice cream flavor for me.", "PREFERENCE"), ("Big crowds wear me out.", "PREFERENCE"), ("I find open offices unbearable.", "PREFERENCE"), ("Olives are gross, I never eat them.", "PREFERENCE"),
    ("I still drive the same Corolla I bought in 2009.", "FACT"), ("I barely watch TV these days.", "FACT"), ("I need absolute silence to sleep.", "FACT"), ("Fridays we get takeout.", "HABIT"), ("Mondays and Thursdays are my gym days.", "HABIT"),
    ("Just got laid off from the shipyard last week.", "EVENT"), ("We got rid of our TV.", "EVENT"), ("I'm the only vegetarian in the family.", "PROFILE"), ("My phone number changed, it's 555-0134 now.", "PROFILE"), ("There are six of us in a two-bedroom.", "FACT"),
]  # fmt: skip
NOT_KEPT = {
    "question": ["그거 말고 다른 방법은 없어?", "이거 어떻게 쓰는 거야", "Do you think I should quit?"],
    "order": ["로봇청소기 충전해", "제목을 좀 더 세련되게 뽑아줘", "Make the second paragraph funnier.", "Give me one more example."],
    "proposal": ["우리 내일 만나서 얘기할까", "We should grab coffee sometime."],
    "hearsay of strangers": ["친구가 그러는데 그 집 파스타가 맛있대", "My neighbor's kid is learning the drums, it's torture.", "Apparently the mayor resigned."],
    "second person": ["너 진짜 똑똑하다", "You make a good point."],
    "passing state": ["나 지금 좀 예민해", "나 오늘 좀 꾸몄어", "나 배 아파", "I'm on the train right now.", "I just woke up.", "my toast is burning brb"],
    "world": ["파이썬은 들여쓰기가 중요하지", "요즘 젊은 사람들은 결혼을 안 하려고 해", "우리나라 축구는 수비가 약해", "교실에서 선생님이 수학을 가르쳐요", "Most cats hate water.", "Rent is insane everywhere."],
    "the talk itself": ["제 생각엔 두 번째가 나아요", "방금 알려준 거 해봤는데 안 되네", "답변이 아까랑 다른데요", "I like the second draft better.", "My code throws a null pointer on line 12.", "I have ten tabs open."],
    "hypothetical": ["돈이 많으면 세계 일주나 하고 싶다", "로또 되면 회사 그만둘 거야", "If I were rich I'd quit tomorrow."],
    "things of the day": ["저녁은 치킨 시켰어", "택시가 안 잡혀", "강아지가 짖어서 시끄러워", "We won 3-1!", "I got an email from HR."],
}  # fmt: skip


def facts(text):
    found = RulesExtractor().extract(Utterance(user_text=text, occurred_at=AT, zone=ZONE))
    return [fact for fact in found if not fact.quarantine and not fact.only_settles]


@pytest.mark.parametrize(("text", "kind"), KEPT)
def test_what_lasts_is_kept(text, kind):
    assert kind in [fact.memory_type for fact in facts(text)]


@pytest.mark.parametrize(
    ("reason", "text"), [(reason, text) for reason, texts in NOT_KEPT.items() for text in texts]
)
def test_what_has_a_reason_against_it_is_not_kept(reason, text):
    assert facts(text) == [], reason


@pytest.mark.parametrize(("text", "day"), [
    ("We have a table booked for Saturday.", "2026-05-23"), ("We're getting our kitchen remodeled in September.", "2026-09-01"), ("어제 이사했어 부천으로", "2026-05-15"),
])  # fmt: skip
def test_its_day_is_read(text, day):
    (fact,) = facts(text)
    assert str(fact.occurred_at.astimezone(ZONE).date()) == day


@pytest.mark.parametrize(
    "text", ["저는 팀장이 아니에요", "저 이제 팀장 아니야", "I'm not a team lead anymore."]
)
def test_a_denied_role_has_the_slot_of_the_role(text):
    (fact,) = facts(text)
    assert (fact.slot.attribute, fact.slot.negated, fact.ends) == ("occupation", True, True)


def test_all_that_is_said_of_a_group_is_not_said_of_the_user():
    assert [fact.statement for fact in facts("우리 팀은 다섯 명인데 다 개발자야")] == [
        "우리 팀은 다섯 명인데 다 개발자야"
    ]
