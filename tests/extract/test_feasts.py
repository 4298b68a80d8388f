"""Feasts by their names, with no year told: the one that the sentence leans to."""

import pytest

from memoryapp import dates, feasts
from tests.extract.conftest import SATURDAY, SEOUL


def day(text, lean):
    found = dates.find(text, SATURDAY, SEOUL, lean)
    return str(found[0].start.date()) if found else None


@pytest.mark.parametrize(("text", "lean", "date"), [
    ("추석에 부산 갔어", "past", "2025-10-06"), ("추석에 부산 갈 거야", "future", "2026-09-25"), ("작년 추석에 부산 갔어", "past", "2025-10-06"), ("설날에 할머니 댁에 다녀왔어요", "past", "2026-02-17"),
    ("지난 설에 집에 갔어", "past", "2026-02-17"), ("어린이날에 에버랜드 갔어", "past", "2026-05-05"), ("at Christmas we went to Jeju", "past", "2025-12-25"), ("we spent Thanksgiving in Denver", "past", "2025-11-27"),
    ("I'm flying home for Christmas", "future", "2026-12-25"), ("We went to Rome over Easter", "past", "2026-04-05"), ("last Chuseok", "past", "2025-10-06"),
])  # fmt: skip
def test_the_nearest_on_its_side(text, lean, date):
    assert day(text, lean) == date


@pytest.mark.parametrize("text", ["추석에는 항상 모여요", "우리 가족은 설에 다 같이 여행 가", "크리스마스를 좋아해", "이번 설문조사 했어", "크리스마스마다 케이크를 구워", "We always meet at Christmas", "I love Christmas", "We go to Jeju for Chuseok"])  # fmt: skip
def test_every_year_is_no_day(text):
    assert day(text, "future") is None


def test_a_feast_of_the_moon_is_known_for_a_while():
    assert feasts.day_of("추석", 2009) is None
    assert feasts.day_of("설날", 2050).isoformat() == "2050-01-23"
