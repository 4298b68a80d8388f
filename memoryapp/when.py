"""Spans of calendar time in one person's zone: the arithmetic under `dates`. Pure."""

import re
from calendar import isleap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from memoryapp import feasts

Precision = Literal["minute", "day", "week", "month", "season", "year", "range"]
Bound = Literal["at", "since", "until"]
Lean = Literal["past", "future"]

NOON = time(12)
LEAP_DAY = (2, 29)


def is_tellable(moment: datetime) -> bool:
    """Whether a moment that somebody gave can be told in every zone. What is no such moment is never stored.

    At the edges of the calendar (`9999-12-31T23:59:59Z`, many people's "for ever") it is in another year there.
    """
    return 1 < moment.year < 9999


@dataclass(frozen=True, kw_only=True)
class When:
    """A span of time named in a text: `start` ≤ t < `end`, both aware and in the person's zone.

    `begin`/`stop` are the place in the text. `bound` says whether the text means the span itself ("at"),
    everything from it on ("since") or everything up to it ("until").
    """

    start: datetime
    end: datetime
    precision: Precision
    begin: int = 0
    stop: int = 0
    bound: Bound = "at"
    moves: bool = False  # "next Friday" is another day when it is said another time

    @property
    def moment(self) -> datetime:
        """One instant that stands for the span: its first day at local noon, so that no other zone's
        calendar moves it to the day before; the exact start when the text gave a time of day."""
        if self.precision == "minute":
            return self.start
        return datetime.combine(self.start.date(), NOON, self.start.tzinfo)

    def placed(self, begin: int, stop: int) -> "When":
        return replace(self, begin=begin, stop=stop)


@dataclass(frozen=True)
class NoDay:
    """What looks like a date and is none ("2월 30일"), with its place: no part of it is read as another date."""

    begin: int
    stop: int


def shift_month(day: date, months: int) -> date:
    """The same day of another month, or that month's last day when it is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    first_of_next = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    return date(year, month + 1, min(day.day, (first_of_next - timedelta(days=1)).day))


class Calendar:
    """Names spans relative to one anchor in one zone. `lean` decides where "금요일" alone lies."""

    def __init__(self, anchor: datetime, zone: ZoneInfo, lean: Lean | None = None) -> None:
        if anchor.tzinfo is None:
            raise ValueError("the anchor must be an aware datetime")
        self.now = anchor.astimezone(zone)
        self.today = self.now.date()
        self.zone = zone
        self.lean = lean

    def span(self, first: date, after: date, precision: Precision) -> When:
        return When(start=self._midnight(first), end=self._midnight(after), precision=precision)

    def on(self, day: date) -> When:
        return self.span(day, day + timedelta(days=1), "day")

    def day(self, offset: int) -> When:
        return self.on(self.today + timedelta(days=offset))

    def week(self, offset: int) -> When:
        monday = self._monday(offset)
        return self.span(monday, monday + timedelta(days=7), "week")

    def weekend(self, offset: int) -> When:
        monday = self._monday(offset)
        return self.span(monday + timedelta(days=5), monday + timedelta(days=7), "range")

    def weekday_of_week(self, offset: int, weekday: int) -> When:
        return self.on(self._monday(offset) + timedelta(days=weekday))

    def weekday_before(self, weekday: int) -> When:
        return self.day(-((self.today.weekday() - weekday - 1) % 7 + 1))

    def weekday_after(self, weekday: int) -> When:
        return self.day((weekday - self.today.weekday() - 1) % 7 + 1)

    def nth_weekday(self, month: When, nth: int, weekday: int) -> When:
        """The nth such day of a month, counted from 1; -1 is its last."""
        first, after = month.start.date(), month.end.date()
        if nth < 0:
            return self.on(after - timedelta(days=(after.weekday() - weekday - 1) % 7 + 1))
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
        if day >= after:
            raise ValueError("no such weekday in this month")
        return self.on(day)

    def first_day(self, when: When) -> When:
        return self.on(when.start.date())

    def last_day(self, when: When) -> When:
        return self.on(when.end.date() - timedelta(days=1))

    def months_away(self, count: int) -> When:
        return self.on(shift_month(self.today, count))

    def feast(self, name: str, step: int | None = None) -> When | None:
        """The feast before (-1) or after (1) today, this year's (0), or without a step the one on the side the
        sentence leans to; None where its day is not known."""
        if step is None:
            step = {"past": -1, "future": 1}.get(self.lean or "", 0)
        here = feasts.day_of(name, self.today.year)
        passed = here is not None and here <= self.today
        year = self.today.year + (step > 0 and passed) - (step < 0 and not passed)
        return self.feast_of(name, year)

    def feast_of(self, name: str, year: int) -> When | None:
        day = feasts.day_of(name, year)
        return None if day is None else self.on(day)

    def bare_weekday(self, weekday: int) -> When:
        """A weekday without "last" or "next": the nearest one on the side the sentence leans to."""
        return self.weekday_before(weekday) if self.lean == "past" else self.weekday_after(weekday)

    def month_of(self, year: int, month: int) -> When:
        first = date(year, month, 1)
        return self.span(first, shift_month(first, 1), "month")

    def month(self, offset: int) -> When:
        first = shift_month(self.today.replace(day=1), offset)
        return self.month_of(first.year, first.month)

    def bare_month(self, month: int) -> When:
        return self.month_of(self._year_of(month, None), month)

    def year_of(self, year: int) -> When:
        return self.span(date(year, 1, 1), date(year + 1, 1, 1), "year")

    def year(self, offset: int) -> When:
        return self.year_of(self.today.year + offset)

    def bare_date(self, month: int, day: int) -> When:
        if (month, day) == LEAP_DAY:
            return self.on(self._leap_day())
        return self.on(date(self._year_of(month, day), month, day))

    def bare_day(self, day: int) -> When:
        """The Nth of this month, or of the neighbour month the sentence leans to."""
        here = self.today.replace(day=1)
        if self.lean == "past" and day > self.today.day:
            here = shift_month(here, -1)
        if self.lean == "future" and day < self.today.day:
            here = shift_month(here, 1)
        return self.on(here.replace(day=day))

    def day_behind(self, begins: Callable[[], When], day: int, month: int | None = None) -> When | None:
        """The Nth (of a month) that follows a day: what ends a range lies behind its beginning.

        None when the range begins on a day that never was, and the last day can be told without it.
        """
        try:
            first = begins().start.date()
        except ValueError:
            if month is None:
                raise
            return None
        if month is None:
            return self.on(shift_month(first.replace(day=1), int(day < first.day)).replace(day=day))
        return self.on(date(first.year + ((month, day) < (first.month, first.day)), month, day))

    def quarter(self, year: int, number: int) -> When:
        first = date(year, 3 * number - 2, 1)
        return self.span(first, shift_month(first, 3), "season")

    def season(self, year: int, first_month: int) -> When:
        first = date(year, first_month, 1)
        return self.span(first, shift_month(first, 3), "season")

    def bare_season(self, first_month: int) -> When:
        season = self.season(self.today.year, first_month)
        if self.lean == "past" and season.start > self.now:
            return self.season(self.today.year - 1, first_month)
        if self.lean == "future" and season.end <= self.now:
            return self.season(self.today.year + 1, first_month)
        return season

    def away(self, count: int, unit: str) -> When:
        """`count` units from now (negative: ago), as exact as the unit: 3 days ago is a day."""
        if unit in ("minute", "hour"):
            start = self.now + timedelta(**{f"{unit}s": count})
            return When(start=start, end=start + timedelta(minutes=1), precision="minute")
        if unit == "day":
            return self.day(count)
        if unit == "week":
            return self.day(7 * count)
        if unit == "month":
            return self.months_away(count)
        return self.year(count)

    def stretch(self, count: int, unit: str) -> When:
        """The last `count` units up to and including today."""
        if unit in ("minute", "hour"):
            return replace(self.away(-count, unit), end=self.now, precision="range")
        first = (
            shift_month(self.today, -12 * count) if unit == "year" else self.away(-count, unit).start.date()
        )
        return self.span(first, self.today + timedelta(days=1), "range")

    def at_time(self, when: When, hour: int, minute: int) -> When:
        """`hour` may pass 23: midnight of a day is where it ends."""
        start = datetime.combine(when.start.date(), time(), self.zone) + timedelta(hours=hour, minutes=minute)
        return replace(when, start=start, end=start + timedelta(minutes=1), precision="minute")

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self.zone)

    def _monday(self, offset: int) -> date:
        return self.today + timedelta(days=7 * offset - self.today.weekday())

    def _leap_day(self) -> date:
        """The nearest 29 February on the side the sentence leans to; without a lean the nearest of all."""
        years = range(
            max(self.today.year - 8, 1), min(self.today.year + 8, 9999) + 1
        )  # 1900 was no leap year
        days = [date(year, *LEAP_DAY) for year in years if isleap(year)]
        if self.lean == "past":
            days = [day for day in days if day <= self.today]
        if self.lean == "future":
            days = [day for day in days if day >= self.today]
        return min(days, key=lambda day: abs(day - self.today))

    def _year_of(self, month: int, day: int | None) -> int:
        here = (month, day or self.today.day)
        now = (self.today.month, self.today.day)
        if self.lean == "past" and here > now:
            return self.today.year - 1
        if self.lean == "future" and here < now:
            return self.today.year + 1
        return self.today.year


#: A pattern and what its match names: None when it is no date after all; ValueError when no calendar has it.
Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Calendar], When | None]]


def named(rules: tuple[Rule, ...], text: str, calendar: Calendar) -> Iterator[When | NoDay]:
    """What the rules find, each with its place: the group `here` of the pattern, or all of it."""
    for pattern, make in rules:
        place = "here" if "here" in pattern.groupindex else 0
        for found in pattern.finditer(text):
            begin, stop = found.span(place)
            try:
                when = make(found, calendar)
            except (ValueError, OverflowError):
                yield NoDay(begin, stop)
                continue
            if when is not None:
                yield when.placed(begin, stop)
