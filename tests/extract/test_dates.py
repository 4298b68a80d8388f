"""When a text says something happens, counted from the turn's own time and zone."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import dates
from tests.extract.conftest import SATURDAY, SEOUL


def day(text, lean=None, at=SATURDAY):
    when = dates.resolve(text, at, SEOUL, lean)
    return when and str(when.start.date())


@pytest.mark.parametrize(("text", "first"), [
    ("어제 이사했어", "2026-05-15"), ("그제", "2026-05-14"), ("엊그제", "2026-05-14"), ("모레", "2026-05-18"), ("내일모레", "2026-05-18"),
    ("지난주 금요일", "2026-05-08"), ("지난 금요일", "2026-05-15"), ("다음 주 화요일까지", "2026-05-19"), ("이번 달", "2026-05-01"),
    ("지난달", "2026-04-01"), ("작년", "2025-01-01"), ("내년 4월 10일", "2027-04-10"), ("3일 전", "2026-05-13"), ("두 달 뒤", "2026-07-16"),
    ("사흘 뒤", "2026-05-19"), ("보름 전", "2026-05-01"), ("5월 16일", "2026-05-16"), ("2024년 3월", "2024-03-01"),
    ("2024년 3월 5일", "2024-03-05"), ("다음 달 5일", "2026-06-05"), ("일주일 전", "2026-05-09"), ("8월 마지막 주", "2026-08-25"),
    ("작년 여름", "2025-06-01"), ("다음 분기", "2026-07-01"), ("올해 9월 말", "2026-09-21"), ("3년째", "2023-01-01"),
    ("yesterday", "2026-05-15"), ("last Friday", "2026-05-15"), ("next Tuesday", "2026-05-19"), ("in two weeks", "2026-05-30"),
    ("3 days ago", "2026-05-13"), ("last month", "2026-04-01"), ("since 2019", "2019-01-01"), ("May 2024", "2024-05-01"),
    ("on the 5th", "2026-05-05"), ("March 3, 2025", "2025-03-03"), ("5th of May", "2026-05-05"), ("Friday next week", "2026-05-22"),
    ("last summer", "2025-06-01"), ("the day after tomorrow", "2026-05-18"), ("a couple of weeks ago", "2026-05-02"),
    ("for 10 years", None), ("I've lived here for 10 years", "2016-01-01"), ("2월 30일", None), ("매주 수요일", None), ("I may go", None),
])  # fmt: skip
def test_dates_count_from_the_turn(text, first):
    assert day(text) == first


def test_a_turn_of_may_read_in_november_still_means_may():
    when = dates.resolve("어제 이사했어", datetime(2026, 5, 16, 9, 0, tzinfo=SEOUL), SEOUL)
    assert str(when.start.date()) == "2026-05-15"
    assert when.moment.astimezone(UTC).date() == when.start.date()  # no zone's calendar moves it


def test_the_day_is_the_persons_local_day():
    late_in_utc = datetime(2026, 5, 15, 16, 0, tzinfo=UTC)  # 01:00 on the 16th in Seoul
    assert day("어제", at=late_in_utc) == "2026-05-15"


def test_a_bare_weekday_lies_where_the_sentence_leans():
    assert day("금요일에 만났어", "past") == "2026-05-15"
    assert day("금요일에 만나", "future") == "2026-05-22"
    assert day("금요일에") is None
    assert day("on Friday", "future") == "2026-05-22"


def test_a_time_of_day_belongs_to_its_date():
    assert (
        dates.resolve("내일 오후 3시에 치과", SATURDAY, SEOUL).moment.isoformat()
        == "2026-05-17T15:00:00+09:00"
    )
    assert dates.resolve("tomorrow at 3pm", SATURDAY, SEOUL).moment.isoformat() == "2026-05-17T15:00:00+09:00"


@pytest.mark.parametrize(("text", "bound"), [
    ("2019년부터", "since"), ("화요일까지는 다음 주 화요일까지", "until"), ("by next Friday", "until"), ("since 2019", "since"), ("어제", "at"),
])  # fmt: skip
def test_since_and_until_are_told_apart(text, bound):
    assert dates.resolve(text, SATURDAY, SEOUL).bound == bound


def test_a_question_about_a_time_asks_for_a_span():
    start, end = dates.time_span("지난달에 뭐 했지?", SATURDAY, SEOUL)
    assert (str(start.date()), str(end.date())) == ("2026-04-01", "2026-05-01")
    start, end = dates.time_span("what have I done since 2019?", SATURDAY, SEOUL)
    assert (start.year, end.date()) == (2019, SATURDAY.date()) or end >= SATURDAY
    assert dates.time_span("내가 좋아하는 색은?", SATURDAY, SEOUL) is None


def test_a_naive_anchor_is_refused():
    with pytest.raises(ValueError, match="aware"):
        dates.find("어제", SATURDAY.replace(tzinfo=None), SEOUL)


@given(
    st.text(alphabet="0123456789년월일주달전뒤지난다음 어제내일부터까지 lastnextdaysago of in", max_size=40)
)
def test_any_text_gives_spans_in_order(text):
    found = dates.find(text, SATURDAY, SEOUL, "future")
    assert all(when.start < when.end for when in found)
    assert all(one.stop <= other.begin for one, other in itertools.pairwise(found))


def test_a_day_is_as_long_as_the_calendar_says():
    when = dates.resolve("오늘", SATURDAY, SEOUL)
    assert when.end - when.start == timedelta(days=1)
