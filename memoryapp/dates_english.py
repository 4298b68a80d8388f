"""English names of days, weeks, months and years ("last Friday", "in two weeks", "on the 5th"). Pure.

A rule raises ValueError for what no calendar has ("February 30").
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from memoryapp import feasts
from memoryapp.when import Bound, Calendar, NoDay, Rule, When, named

NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "couple": 2, "few": 3, "several": 4,
}  # fmt: skip
WEEKDAYS = {name: day for day, names in enumerate((
    ("monday", "mon"), ("tuesday", "tues", "tue"), ("wednesday", "wed"), ("thursday", "thurs", "thur", "thu"),
    ("friday", "fri"), ("saturday", "sat"), ("sunday", "sun"),
)) for name in names}  # fmt: skip
MONTHS = {name: month for month, names in enumerate((
    ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"), ("may",), ("june", "jun"),
    ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"), ("november", "nov"),
    ("december", "dec"),
), 1) for name in names}  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}
DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0,
    "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "the day after tomorrow": 2,
    "day after tomorrow": 2, "tomorrow": 1,
}  # fmt: skip
NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
STEPS = {
    "last": -1,
    "previous": -1,
    "past": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
}

_weekday = rf"(?P<wd>{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})"
_month = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_step = rf"(?P<step>{'|'.join(STEPS)})"
_feast_name = f"(?P<feast>{'|'.join(feasts.ENGLISH)})".replace("'", "[’']")
_count = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})(?:\s{{1,3}}of)?"
_unit = r"(?P<unit>minute|min|hour|day|week|fortnight|month|year)s?"
_day = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
#: In "on 5 April 31 people came" the day is in front of its month.
_no_day_before = r"(?<!\b\d\s)(?<!\b\d\d\s)(?<!\d(?:st|nd|rd|th)\s)"
_of_year = r"(?:,?\s{1,3}(?:(?:of|in)\s{1,3})?(?P<y>(?:19|20)\d{2}))?"
#: The end of a range: "-5" of "May 3-5", "until the 5th", "to June 5"; the 5 of "to 5 people" or "to 5 pm" is no day.
_to = r"(?:(?:to|until|till|through)\s{1,3}(?:the\s{1,3})?|[-–]\s?)"
_last = (
    rf"(?:\s{{1,3}}|(?=[-–]))(?P<here>{_to}(?:(?P<m2>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?\s{{1,3}}(?:the\s{{1,3}})?)?(?P<last>\d{{1,2}})"
    r"(?:(?:st|nd|rd|th)\b|(?=\s{0,3}(?:$|[,;!?)]|\.(?!\d)|(?:in|at|with|for|i|we)\b))))"
)


_of_month = rf"(?:of|in)\s{{1,3}}(?:the\s{{1,3}})?(?:{_step}\s{{1,3}}month|{_month}(?:,?\s{{1,3}}(?P<y>(?:19|20)\d{{2}}))?(?![a-z])|(?P<plain>month)\b)"


def count(text: str) -> int:
    """ "3", "three", "a couple" → 3, 3, 2."""
    word = text.lower().split()[-1] if not text.isdigit() else text
    return int(word) if word.isdigit() else NUMBERS[word]


def _iso(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.on(date(int(found["y"]), int(found["m"]), int(found["d"])))


def _month_day(found: re.Match[str], calendar: Calendar) -> When:
    month, day, year = MONTHS[found["month"].lower()], int(found["d"]), found["y"]
    if year:
        return calendar.on(date(int(year), month, day))
    return calendar.bare_date(month, day)


def _last_of_range(found: re.Match[str], calendar: Calendar) -> When | None:
    """ "April 29 to the 3rd", "Dec 30 until Jan 2": the second day lies behind the first, wherever today is."""
    month = MONTHS[found["m2"].lower()] if found["m2"] else None
    return calendar.day_behind(lambda: _month_day(found, calendar), int(found["last"]), month)


def _month_year(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.month_of(int(found["y"]), MONTHS[found["month"].lower()])


def _bare_month(found: re.Match[str], calendar: Calendar) -> When:
    month, step = MONTHS[found["month"].lower()], (found["step"] or "").lower()
    if not step:
        return calendar.bare_month(month)
    here = calendar.month_of(calendar.today.year, month)
    if STEPS[step] < 0 and here.end > calendar.now:
        return calendar.month_of(calendar.today.year - 1, month)
    if STEPS[step] > 0 and here.start <= calendar.now:
        return calendar.month_of(calendar.today.year + 1, month)
    return here


def _step_weekday(found: re.Match[str], calendar: Calendar) -> When:
    weekday, step = WEEKDAYS[found["wd"].lower()], found["step"].lower()
    if STEPS[step] < 0:
        return calendar.weekday_before(weekday)
    if step in ("coming", "upcoming"):
        return calendar.weekday_after(weekday)
    return calendar.weekday_of_week(STEPS[step], weekday)  # "next Friday" is the Friday of next week


def _weekday_week(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.weekday_of_week(STEPS[found["step"].lower()], WEEKDAYS[found["wd"].lower()])


def _step_unit(found: re.Match[str], calendar: Calendar) -> When:
    step, unit = STEPS[found["step"].lower()], found["unit"].lower()
    if unit == "week":
        return calendar.week(step)
    if unit == "weekend":
        past_today = calendar.today.weekday() < 5
        return calendar.weekend(step if step >= 0 or past_today else -1)
    if unit == "month":
        return calendar.month(step)
    if unit == "quarter":
        index = 4 * calendar.today.year + (calendar.today.month - 1) // 3 + step
        return calendar.quarter(index // 4, index % 4 + 1)
    if unit == "year":
        return calendar.year(step)
    season = calendar.season(calendar.today.year, SEASONS[unit])
    if step < 0 and season.end > calendar.now:
        return calendar.season(calendar.today.year - 1, SEASONS[unit])
    if step > 0 and season.start <= calendar.now:
        return calendar.season(calendar.today.year + 1, SEASONS[unit])
    return season


def _that_month(found: re.Match[str], calendar: Calendar) -> When:
    if not found["month"]:
        return calendar.month(STEPS[(found["step"] or "this").lower()])
    month = MONTHS[found["month"].lower()]
    return calendar.month_of(int(found["y"]), month) if found["y"] else calendar.bare_month(month)


def _nth_weekday(found: re.Match[str], calendar: Calendar) -> When | None:
    if found["plain"]:
        return None  # "the first Monday of the month" is one of every month
    return calendar.nth_weekday(
        _that_month(found, calendar), NTH[found["nth"].lower()], WEEKDAYS[found["wd"].lower()]
    )


def _edge(found: re.Match[str], calendar: Calendar) -> When:
    edge = calendar.last_day if found["edge"].lower() in ("end", "last day") else calendar.first_day
    return edge(_that_month(found, calendar))


def _edge_of_unit(found: re.Match[str], calendar: Calendar) -> When:
    """ "the end of the year", "the beginning of next week"."""
    edge = calendar.last_day if found["edge"].lower() in ("end", "last day") else calendar.first_day
    step = STEPS[(found["step"] or "this").lower()]
    return edge(calendar.week(step) if found["unit"].lower() == "week" else calendar.year(step))


def _feast(found: re.Match[str], calendar: Calendar) -> When | None:
    return calendar.feast(_plain(found["feast"]), STEPS[found["step"].lower()])


def _plain(feast: str) -> str:
    return feast.lower().replace("’", "'")


def _from_weekday(found: re.Match[str], calendar: Calendar) -> When:
    """ "a week from Friday": seven days after the coming one."""
    weekday, step = WEEKDAYS[found["wd"].lower()], (found["step"] or "coming").lower()
    base = calendar.weekday_of_week(1, weekday) if step == "next" else calendar.weekday_after(weekday)
    days = count(found["count"]) * (7 if found["unit"].lower() == "week" else 1)
    return calendar.on(base.start.date() + timedelta(days=days))


def _half_year_ago(found: re.Match[str], calendar: Calendar) -> When:
    years = count(found["count"]) if found["count"] else 0
    return calendar.months_away(-12 * years - 6)


def _to_the_day(found: re.Match[str], calendar: Calendar) -> When:
    """ "a year ago today", "this time last year"."""
    number = count(found["count"]) if found["count"] else 1
    unit = (found["unit"] or "year").lower()
    return calendar.months_away(-12 * number) if unit == "year" else calendar.away(-number, unit)


def _slashed(found: re.Match[str], calendar: Calendar) -> When:
    """ "on 3/4" is the fourth of March; "on 25/12" can only be the other way round."""
    month, day = int(found["m"]), int(found["d"])
    month, day = (day, month) if month > 12 else (month, day)
    year = int(found["y"]) + (2000 if int(found["y"]) < 100 else 0) if found["y"] else None
    return calendar.on(date(year, month, day)) if year else calendar.bare_date(month, day)


def _length(found: re.Match[str]) -> tuple[int, str]:
    """How many of which unit of the calendar; a fortnight is two weeks."""
    number, unit = count(found["count"]), found["unit"].lower()
    return (2 * number, "week") if unit == "fortnight" else (number, "minute" if unit == "min" else unit)


def _ago(found: re.Match[str], calendar: Calendar) -> When:
    number, unit = _length(found)
    return calendar.away(-number, unit)


def _ahead(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.away(*_length(found))


def _stretch(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.stretch(*_length(found))


def _lasting(found: re.Match[str], calendar: Calendar) -> When:
    """ "I've worked here for three years": since three years ago."""
    return replace(_ago(found, calendar), bound="since")


RULES: tuple[Rule, ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (r"(?<!\d)(?P<y>(?:19|20)\d{2})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)", _iso),
        (rf"\b(?:the\s{{1,3}})?(?P<nth>{'|'.join(NTH)})\s{{1,3}}{_weekday}\s{{1,3}}{_of_month}", _nth_weekday),
        (rf"\b(?:the\s{{1,3}})?(?:very\s{{1,3}})?(?P<edge>end|last day|beginning|start|first day)\s{{1,3}}{_of_month}(?!\s{{1,3}}\d)", _edge),
        (rf"\b(?:the\s{{1,3}})?(?P<edge>end|last day|beginning|start|first day)\s{{1,3}}of\s{{1,3}}(?:the|{_step})\s{{1,3}}(?P<unit>week|year)\b", _edge_of_unit),
        (rf"\b{_step}\s{{1,3}}{_feast_name}\b", _feast),
        (rf"\b{_count}\s{{1,3}}(?P<unit>week|day)s?\s{{1,3}}from\s{{1,3}}(?:(?P<step>this|next)\s{{1,3}})?{_weekday}\b", _from_weekday),
        (rf"\b(?:half a year|{_count}\s{{1,3}}years?\s{{1,3}}and\s{{1,3}}a\s{{1,3}}half)\s{{1,3}}ago\b", _half_year_ago),
        (rf"\b{_count}\s{{1,3}}(?P<unit>week|month|year)s?\s{{1,3}}ago\s{{1,3}}(?:today|to the day)\b|\b(?:this (?:time|day)|today) last year\b", _to_the_day),
        (r"\b(?:on|by|before|until|till|since|from|due)\s{1,3}(?!24/7\b)(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>(?:19|20)\d{2}|\d{2}))?(?![/\d])", _slashed),
        (rf"{_no_day_before}\b{_month}\s{{1,3}}(?:the\s{{1,3}})?{_day}(?!\d){_of_year}", _month_day),
        (rf"\b(?:the\s{{1,3}})?{_day}\s{{1,3}}(?:of\s{{1,3}})?{_month}(?![a-z]){_of_year}", _month_day),
        (rf"\b{_month}\s{{1,3}}(?:the\s{{1,3}})?{_day}(?!\d){_of_year}{_last}", _last_of_range),
        (rf"\b{_month},?\s{{1,3}}(?:of\s{{1,3}})?(?P<y>(?:19|20)\d{{2}})\b", _month_year),
        (r"\b(?:the )?(?P<day>day (?:before|after) (?:yesterday|tomorrow)|yesterday|today|tomorrow|tonight|last night"
         r"|this (?:morning|afternoon|evening))\b", lambda m, c: c.day(DAYS[m["day"].lower()])),
        (rf"\b{_weekday}\s{{1,3}}(?:of\s{{1,3}})?{_step}\s{{1,3}}week\b", _weekday_week),
        (rf"\b{_step}\s{{1,3}}week(?:'s)?,?\s{{1,3}}(?:on\s{{1,3}})?{_weekday}\b", _weekday_week),
        (rf"\b{_step}\s{{1,3}}{_weekday}\b", _step_weekday),
        (rf"\b{_step}\s{{1,3}}(?P<unit>weekend|week|month|quarter|year|spring|summer|fall|autumn|winter)\b", _step_unit),
        (rf"\b(?:(?:in|since|until|till|by|during|early|late|mid|of|from|before|after|around)\s{{1,3}}|(?P<step>last|this|next)\s{{1,3}})"
         rf"(?:early\s{{1,3}}|late\s{{1,3}}|mid-?)?{_month}(?![a-z])(?!\s{{1,3}}(?:the\s{{1,3}})?\d)", _bare_month),
        (r"\b(?:in|since|until|till|by|during|of|from|before|after|around|back in|early|late)\s{1,3}(?P<y>(?:19|20)\d{2})\b(?![-/]\d)",
         lambda m, c: c.year_of(int(m["y"]))),
        (rf"\b(?:about |around )?(?:a\s{{1,3}})?{_count}\s{{1,3}}{_unit}\s{{1,3}}(?:ago|back|earlier)\b", _ago),
        (rf"\b(?:in|within)\s{{1,3}}(?:about\s{{1,3}})?(?:a\s{{1,3}}|the next\s{{1,3}})?{_count}\s{{1,3}}{_unit}(?:'?\s{{1,3}}time)?\b", _ahead),
        (rf"\b(?:a\s{{1,3}})?{_count}\s{{1,3}}{_unit}\s{{1,3}}from\s{{1,3}}(?:now|today)\b", _ahead),
        (rf"\b(?:the\s{{1,3}})?(?:last|past)\s{{1,3}}{_count}\s{{1,3}}{_unit}\b", _stretch),
        (rf"\b(?:'ve|have|has|been)\b[^.;]*?\b(?P<here>for\s{{1,3}}(?:the (?:last|past) |about |over |almost |nearly )?(?:a\s{{1,3}})?{_count}\s{{1,3}}{_unit}"
         r"(?:\s{1,3}now)?)\b", _lasting),
        (rf"\b(?:on|by|before|until|since|from) the (?P<d>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s{{1,3}}(?:floor|of|century|grade|{_month}))",
         lambda m, c: c.bare_day(int(m["d"]))),
    )
)  # fmt: skip
WEEKDAY = re.compile(
    rf"\b(?P<lead>on|by|until|till|before|since|from|this|due|(?:booked|reserved|scheduled|planned|arranged|tickets?|reservations?) for)\s{{1,3}}{_weekday}\b(?!s)",
    re.IGNORECASE,
)
#: "At Christmas we went to Jeju"; "we always meet at Christmas" names no one day.
FEAST = re.compile(
    rf"\b(?:at|on|over|for|during|around|by|before|until|till|since|spent|spend|spending|celebrated|hosted|hosting)\s{{1,3}}{_feast_name}\b(?!\s(?:tree|cards?|songs?|movies?|presents?|gifts?|carols?|music|market|cookies|recipes?))",
    re.IGNORECASE,
)
ONE_TIME = re.compile(
    r"\b(?:am|are|is|will|have to|need to|must|by|before|until|till|booked|decided|agreed)\b|['’](?:m|re|ll|s)\b",
    re.IGNORECASE,
)
EVERY_YEAR = re.compile(
    r"\b(?:every|each|always|usually|normally|traditionally|never|love|like|hate|favou?rite|enjoy|tradition|most)\b",
    re.IGNORECASE,
)
WEEKEND = re.compile(r"\b(?:over|on|at) the weekend\b", re.IGNORECASE)
SINCE = re.compile(
    r"\b(?:since|from|starting|as of)(?:\s{1,3}(?:about|early|late|around))?\s{0,3}$", re.IGNORECASE
)
UNTIL = re.compile(
    r"\b(?:until|till|by|before|due|no later than)(?:\s{1,3}(?:the end of|early|late|around|on))?\s{0,3}$",
    re.IGNORECASE,
)
TIME = re.compile(
    r"^,?\s{0,3}(?:at|from|by|around)\s{1,3}(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s{0,3}(?P<half>[ap]\.?m\b\.?)?|(?P<noon>noon|midnight))",
    re.IGNORECASE,
)


def mentions(text: str, calendar: Calendar) -> Iterator[When | NoDay]:
    """Every span the text names, each with its place; they may overlap."""
    yield from named(RULES, text, calendar)
    if calendar.lean is not None:
        yield from _leaning(text, calendar)


def _leaning(text: str, calendar: Calendar) -> Iterator[When]:
    for found in WEEKDAY.finditer(text):
        weekday = WEEKDAYS[found["wd"].lower()]
        yield calendar.bare_weekday(weekday).placed(found.start("wd"), found.end("wd"))
    for found in WEEKEND.finditer(text):
        past = calendar.lean == "past" and calendar.today.weekday() < 5
        yield calendar.weekend(-1 if past else 0).placed(found.start(), found.end())
    one_time = calendar.lean == "past" or ONE_TIME.search(text)
    for found in FEAST.finditer(text) if one_time and not EVERY_YEAR.search(text) else ():
        when = calendar.feast(_plain(found["feast"]))
        if when is not None:
            yield when.placed(found.start("feast"), found.end("feast"))


def bound(before: str, own: str) -> Bound:
    """What the word in front of a date (or at its beginning) makes of it."""
    head = own.split(" ", 1)[0] if " " in own else ""
    if SINCE.search(before) or SINCE.search(head):
        return "since"
    return "until" if UNTIL.search(before) or UNTIL.search(head) else "at"


def time_of_day(after: str) -> tuple[int, int, int] | None:
    """Hour, minute and how many letters they took, when a time of day follows a date."""
    found = TIME.match(after)
    if not found:
        return None
    if found["noon"]:
        return (12 if found["noon"].lower() == "noon" else 24), 0, found.end()
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), (found["half"] or "").lower()
    if hour > 23 or minute > 59 or (half and hour > 12):
        return None
    if half:
        hour = hour % 12 + (12 if half[0] == "p" else 0)
    elif hour < 7:  # "Friday at 3" is in the afternoon
        hour += 12
    return hour, minute, found.end()
