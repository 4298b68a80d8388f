"""A plan that is called off, moved or done: which earlier words are meant, and which are not."""

import pytest

from memoryapp.extract import matters
from memoryapp.extract.rules import RulesExtractor
from tests.extract.conftest import turn


def settling(text):
    found = [fact.settles for fact in RulesExtractor().extract(turn(text)) if fact.settles]
    return found[0] if found else None


@pytest.mark.parametrize(("before", "after", "how"), [
    ("다음 주 화요일 치과 예약했어", "치과 예약 취소했어", "off"), ("다음 주 화요일 치과 예약했어", "치과 예약 목요일로 옮겼어", "moved"), ("금요일까지 보고서 내야 해", "보고서 냈어", "done"),
    ("엄마한테 전화해야 돼", "엄마한테 전화했어", "done"), ("비자 신청해야 해", "비자 신청 완료했어", "done"), ("6월 10일에 건강검진 있어요", "건강검진 6월 20일로 미뤄졌어요", "moved"),
    ("주말에 지수랑 영화 보기로 했어", "지수랑 영화 보기로 한 거 취소됐어", "off"), ("내일 팀 회의 있어", "팀 회의 취소됐대", "off"), ("제주도 여행 가기로 했어", "제주도 여행 못 가게 됐어", "off"),
    ("금요일에 면접 있어", "면접 잘 봤어", "done"), ("다음 주에 병원 가야 해", "병원 다녀왔어", "done"), ("이번 달까지 보고서 내야 해", "보고서 안 내도 된대", "off"),
    ("I have a dentist appointment on Tuesday", "my dentist appointment got moved to Thursday", "moved"), ("I'm seeing the dentist on Tuesday", "cancelled the dentist appointment", "off"),
    ("I need to hand in the report by Friday", "I handed in the report", "done"), ("I have to call my mom tomorrow", "called my mom", "done"), ("I need to pay my taxes", "finally paid my taxes!", "done"),
    ("We're flying to Rome on June 3", "The Rome trip is cancelled", "off"), ("I'm meeting Sam on Saturday", "The meeting with Sam is off", "off"), ("I have an interview on Friday", "the interview went well", "done"),
    ("I need to renew my passport", "I don't need to renew my passport anymore", "off"), ("I need to finish the slides by Monday", "I'm done with the slides", "done"), ("The party is on Friday", "They moved the party to Saturday", "moved"),
    ("31일까지 종소세 신고해야 해", "종소세 신고 끝!", "done"), ("여름에 친구들이랑 몽골 가기로 했어", "몽골 여행 취소하기로 했어", "off"), ("I have to submit the grant application by June 1", "grant application submitted!", "done"),
    ("We're going on a trip to Kyoto in October", "we're not doing the Kyoto trip anymore", "off"),
])  # fmt: skip
def test_the_plan_that_is_meant(before, after, how):
    found = settling(after)
    assert found is not None
    assert found.how == how
    assert matters.means(found, before)


@pytest.mark.parametrize(("before", "after"), [
    ("토요일에 결혼식 가야 해", "치과 예약 취소했어"), ("보고서 써야 해", "보고서 읽었어"), ("내일 동생 면접 있어", "남편 면접 취소됐어"), ("약속 있어", "혈압약 타 왔어"),
    ("I have a wedding on Saturday", "I cancelled my dentist appointment"), ("I need to buy a car", "I washed the car"), ("I have to call my mom", "I called the plumber"), ("I need to carry boxes", "I paid for the car"),
])  # fmt: skip
def test_another_plan_is_left_alone(before, after):
    found = settling(after)
    assert found is None or not matters.means(found, before)


@pytest.mark.parametrize("text", ["치과 예약 취소할까?", "치과 예약 취소했어?", "회의 취소됐으면 좋겠다", "Should I cancel the dentist?", "I might cancel the trip", "If the meeting got cancelled I'd sleep in", "I moved from Glasgow to Cardiff in March."])  # fmt: skip
def test_a_question_or_a_wish_settles_nothing(text):
    assert settling(text) is None


@pytest.mark.parametrize("text", ["보고서 냈어", "우유 샀어", "엄마한테 전화했어", "I bought milk", "I called the plumber", "Cancelled the dentist appointment"])  # fmt: skip
def test_by_itself_it_is_not_worth_keeping(read, text):
    assert read(text) == []


def test_the_new_day_is_the_day_it_is_moved_to(only):
    assert only("치과 예약 목요일로 옮겼어").occurred_at.date().isoformat() == "2026-05-21"
    assert (
        only("The meeting got pushed from Tuesday to Thursday.").occurred_at.date().isoformat()
        == "2026-05-21"
    )
