"""When a text says something happens, counted from the turn's own time and zone."""

import itertools
from calendar import monthrange
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
    ("a fortnight ago", "2026-05-02"), ("two fortnights ago", "2026-04-18"), ("in a fortnight", "2026-05-30"),
    ("다음 달 첫째 주 월요일", "2026-06-01"), ("다음 달 마지막 주 금요일", "2026-06-26"), ("이번 달 셋째 주 토요일", "2026-05-16"), ("6월 두 번째 수요일", "2026-06-10"),
    ("the first Monday of next month", "2026-06-01"), ("on the last Friday of this month", "2026-05-29"), ("the second Tuesday in July", "2026-07-14"),
    ("the first Monday of the month", None), ("by the end of this month", "2026-05-31"), ("end of next month", "2026-06-30"), ("by the end of March", "2026-03-31"),
    ("이번 달 말일까지", "2026-05-31"), ("지난달 마지막 날", "2026-04-30"), ("다음 달 첫날", "2026-06-01"), ("올해 마지막 날", "2026-12-31"), ("월말까지", "2026-05-31"),
    ("작년 크리스마스에", "2025-12-25"), ("last Christmas", "2025-12-25"), ("내년 어린이날", "2027-05-05"), ("next Halloween", "2026-10-31"),
    ("a week from Friday", "2026-05-29"), ("half a year ago", "2025-11-16"), ("반년 전", "2025-11-16"), ("1년 반 전", "2024-11-16"),
    ("작년 오늘", "2025-05-16"), ("a year ago today", "2025-05-16"), ("My flight is on 3/4.", "2026-03-04"), ("1/2 of the cake", None),
    ("for 10 years", None), ("I've lived here for 10 years", "2016-01-01"), ("2월 30일", None), ("매주 수요일", None), ("I may go", None),
    ("6월 다섯째 주 월요일", "2026-06-29"), ("I'm on 24/7", None),
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


@pytest.mark.parametrize(("text", "moment"), [
    ("오늘 밤 12시까지", "2026-05-17T00:00"), ("tonight at midnight", "2026-05-17T00:00"), ("내일 자정까지", "2026-05-18T00:00"), ("내일 정오에", "2026-05-17T12:00"),
    ("오늘 밤 1시에", "2026-05-17T01:00"), ("내일 3시에 치과", "2026-05-17T15:00"), ("내일 새벽 3시에 출발", "2026-05-17T03:00"), ("내일 6시에 일어나야 해", "2026-05-17T06:00"),
])  # fmt: skip
def test_hours_are_those_people_mean(text, moment):
    assert dates.resolve(text, SATURDAY, SEOUL).moment.isoformat().startswith(moment)


@pytest.mark.parametrize(("text", "day"), [
    ("그저께 고양이를 입양했어요", "2026-05-14"), ("My mom's birthday is next Friday.", "2026-05-22"), ("엄마 생일은 다음 주 금요일이에요", "2026-05-22"),
    ("이번 달 말까지 보고서를 내야 해요", "2026-05-31"), ("제 생일은 5월 3일이에요", None), ("강아지를 입양했어요", None),
])  # fmt: skip
def test_a_day_that_is_another_one_tomorrow_is_put_to_the_fact(only, text, day):
    at = only(text).occurred_at
    assert (at and str(at.date())) == day


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


#: Ways to write a day of a month; the year, where there is one, is part of the writing.
WITH_YEAR = ("{y}년 {m}월 {d}일에", "{y}년 {m}월 {d}일 오후 3시까지", "{y}-{m:02}-{d:02}", "{y}.{m}.{d}에", "since {y}/{m:02}/{d:02}", "{name} {d}, {y}", "the {d}th of {name} {y}", "on {d} {name} {y}", "by {name} {d}th of {y}", "on {m}/{d}/{y}")  # fmt: skip
WITHOUT_YEAR = ("{m}월 {d}일에", "{m}월{d}일까지", "{m}/{d}까지", "{m}월 {d}일 오후 3시에", "{m}월 {d}일 전에", "지난 {m}월 {d}일에", "{name} {d}", "by {name} the {d}th", "from the {d}th of {name}", "until {d} {name}", "on {m}/{d}")  # fmt: skip
NAMES = ("January", "Feb", "March", "Apr", "May", "June", "July", "August", "Sept", "October", "November", "Dec")  # fmt: skip
FIRST, LAST = datetime(1900, 1, 1), datetime(2100, 12, 31)  # noqa: DTZ001
MOMENTS = st.datetimes(timezones=st.just(SEOUL), min_value=FIRST, max_value=LAST)
LEANS = st.sampled_from(("past", "future", None))


@given(
    st.sampled_from(WITH_YEAR),
    st.integers(1950, 2049),
    st.integers(1, 12),
    st.integers(1, 31),
    MOMENTS,
    LEANS,
)
def test_a_date_with_its_year_is_that_date_or_none(form, y, m, d, at, lean):
    text = form.format(y=y, m=m, d=d, name=NAMES[m - 1])
    found = dates.find(text, at, SEOUL, lean)
    if d <= monthrange(y, m)[1]:
        assert [str(when.start.date()) for when in found] == [f"{y}-{m:02}-{d:02}"], text
    else:
        assert found == [], text


@given(st.sampled_from(WITHOUT_YEAR), st.integers(1, 12), st.integers(1, 31), MOMENTS, LEANS)
def test_a_date_without_a_year_has_its_month_and_day_or_is_none(form, m, d, at, lean):
    text = form.format(m=m, d=d, name=NAMES[m - 1])
    found = dates.find(text, at, SEOUL, lean)
    if d > monthrange(2024, m)[1]:
        assert found == [], text
        return
    (when,) = found
    assert (when.start.month, when.start.day) == (m, d), text
    assert lean != "past" or when.start.date() <= at.date()
    assert lean != "future" or when.start.date() >= at.date()


@pytest.mark.parametrize(("at", "past", "future", "nearest"), [
    (SATURDAY, "2024-02-29", "2028-02-29", "2028-02-29"),
    (datetime(2028, 2, 29, 9, tzinfo=SEOUL), "2028-02-29", "2028-02-29", "2028-02-29"),
    (datetime(2025, 1, 5, tzinfo=SEOUL), "2024-02-29", "2028-02-29", "2024-02-29"),
    (datetime(1903, 5, 1, tzinfo=SEOUL), "1896-02-29", "1904-02-29", "1904-02-29"),
])  # fmt: skip
@pytest.mark.parametrize("text", ["2월 29일에", "on Feb 29"])
def test_a_leap_day_lies_in_the_nearest_year_that_has_one(text, at, past, future, nearest):
    assert [day(text, lean, at) for lean in ("past", "future", None)] == [past, future, nearest]


@pytest.mark.parametrize(("text", "days"), [
    ("4월 29일부터 31일까지", ["2026-04-29"]), ("2월 30일부터 3월 2일까지", ["2026-03-02"]), ("2월 29일부터 3월 1일까지", ["2024-02-29", "2024-03-01"]),
    ("내년 5월 3일부터 5일까지", ["2027-05-03", "2027-05-05"]), ("다음 달 29일에서 3일까지", ["2026-06-29", "2026-07-03"]),
    ("12월 30일부터 1월 2일까지", ["2025-12-30", "2026-01-02"]), ("2026년 5월 9~11일에", ["2026-05-09", "2026-05-11"]),
    ("2월 28~30일에", ["2026-02-28"]), ("from April 29 until the 31st", ["2026-04-29"]), ("Feb 29-30", ["2024-02-29"]),
    ("from February 29th to March 1st", ["2024-02-29", "2024-03-01"]), ("May 3 to 5.", ["2026-05-03", "2026-05-05"]),
    ("Dec 30 through Jan 2", ["2025-12-30", "2026-01-02"]), ("We met on May 3 to 5 people's delight", ["2026-05-03"]),
    ("on 5 April 31 people came", ["2026-04-05"]), ("8월 5번째 월요일", []),
])  # fmt: skip
def test_a_range_ends_behind_its_first_day_or_is_open(text, days):
    found = dates.find(text, SATURDAY, SEOUL, "past")
    assert [str(when.start.date()) for when in found if when.precision == "day"] == days


@pytest.mark.parametrize("text", [
    "2월 30일에 이사했어요", "2025년 2월 29일에 이사했어요", "4월 31일에 강아지를 입양했어요",
    "I moved to Busan on February 30th.", "I adopted a dog on 31 April 2025.",
])  # fmt: skip
def test_what_happened_on_a_day_that_never_was_is_kept_without_a_date(read, text):
    facts = read(text)
    assert facts
    assert all((fact.occurred_at, fact.valid_from, fact.valid_to) == (None, None, None) for fact in facts)
