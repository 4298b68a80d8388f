"""Korean names of days, weeks, months and years ("그제", "지난주 금요일", "두 달 뒤", "5월 16일"). Pure.

A rule raises ValueError for what no calendar has ("2월 30일").
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from memoryapp import feasts
from memoryapp.when import Bound, Calendar, NoDay, Rule, When, named

NATIVE = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "석": 3, "셋": 3, "네": 4, "넉": 4, "넷": 4, "다섯": 5, "여섯": 6,
    "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12, "스무": 20, "몇": 3,
}  # fmt: skip
SINO = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9, "십": 10, "백": 100}
COUNTED_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "보름": 15,
}  # fmt: skip
DAYS = {
    "그끄저께": -3, "그저께": -2, "그제": -2, "엊그제": -2, "엊그저께": -2, "어제": -1, "어저께": -1, "오늘": 0,
    "내일모레": 2, "모레": 2, "내일": 1, "글피": 3, "금일": 0, "익일": 1, "명일": 1, "작일": -1,
}  # fmt: skip
NIGHTS = {"어젯밤": -1, "간밤": -1, "그젯밤": -2, "오늘밤": 0, "오늘밤에": 0}
STEPS = {
    "지지난": -2, "저저번": -2, "지난": -1, "저번": -1, "전": -1, "이번": 0, "요번": 0, "금": 0, "이": 0,
    "다음": 1, "담": 1, "차": 1, "내": 1, "다다음": 2, "다담": 2,
}  # fmt: skip
YEARS = {
    "재작년": -2, "작년": -1, "지난해": -1, "거년": -1, "올해": 0, "금년": 0, "올": 0, "이번": 0, "지난": -1,
    "내년": 1, "다음": 1, "다음해": 1, "내후년": 2, "후년": 2,
}  # fmt: skip
WEEKDAYS = "월화수목금토일"
WEEKS_OF_MONTH = {"첫": 0, "둘": 1, "셋": 2, "넷": 3, "마": -1}
SEASONS = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}
UNITS = {
    "분": "minute", "시간": "hour", "일": "day", "주": "week", "주일": "week", "개월": "month", "달": "month",
    "년": "year", "해": "year",
}  # fmt: skip

_feasts = "|".join(name if name != "설" else r"설(?=에|때|연휴|까지|부터|\s|$)" for name in feasts.KOREAN)
_step = r"(?P<step>지지난|저저번|다다음|지난|저번|이번|요번|다음|다담|담)"
_count = (
    r"(?P<count>\d{1,3}|한두|두세|서너|열한|열두|하나|다섯|여섯|일곱|여덟|아홉|스무|열|한|두|세|석|네|넉|몇"
    r"|[일이삼사오육칠팔구십]{1,3})"
)
_unit = r"(?P<unit>시간|분|일|주일|주|개월|달|년|해)"
_that_month = rf"(?:{_step}\s?달|이달|당월|(?:(?P<year>작년|지난\s?해|올해|내년)\s{{0,3}})?(?<!\d)(?P<m>\d{{1,2}})월)(?:의|\s){{0,3}}"
_year = r"(?P<year>재작년|작년|지난\s?해|거년|올해|금년|내후년|후년|내년|다음\s?해)"


def count(text: str) -> int | None:
    """3, "3", "세", "서너", "십오" → a number; None when it is no number."""
    if text.isdigit():
        return int(text)
    if text in ("한두", "두세", "서너"):
        return {"한두": 2, "두세": 3, "서너": 4}[text]
    if text in NATIVE:
        return NATIVE[text]
    total, last = 0, 0
    for letter in text:
        if letter not in SINO:
            return None
        value = SINO[letter]
        total, last = (total + max(last, 1) * value, 0) if value >= 10 else (total, value)
    return total + last


def _year_number(text: str) -> int:
    year = int(text)
    return year if year > 99 else year + (1900 if year > 49 else 2000)


def _part(when: When, calendar: Calendar, part: str | None) -> When:
    """The beginning, middle or end of a month or year: 초, 중순, 말."""
    if not part:
        return when
    first, after = when.start.date(), when.end.date()
    days = (after - first).days
    if part.endswith("주"):
        week = WEEKS_OF_MONTH[part[0]]
        first = after - timedelta(days=7) if week < 0 else first + timedelta(days=7 * week)
        return calendar.span(first, first + timedelta(days=7), "week")
    if part == "말":
        first = after - timedelta(days=max(days // 12, 10) if days > 40 else days // 3)
    elif part == "초":
        after = first + timedelta(days=max(days // 12, 10))
    else:
        first, after = first + timedelta(days=days // 3), first + timedelta(days=2 * days // 3)
    return calendar.span(first, after, "range")


def _full_date(found: re.Match[str], calendar: Calendar) -> When:
    year, month, day = _year_number(found["y"]), int(found["m"]), int(found["d"])
    return calendar.on(date(year, month, day))


def _year_month(found: re.Match[str], calendar: Calendar) -> When:
    year, month = _year_number(found["y"]), int(found["m"])
    return _part(calendar.month_of(year, month), calendar, found["part"])


def _named_year(found: re.Match[str], calendar: Calendar) -> When:
    year = calendar.today.year + YEARS[found["year"].replace(" ", "")]
    month, day = found["m"], found["d"]
    if month and day:
        return calendar.on(date(year, int(month), int(day)))
    if month:
        return _part(calendar.month_of(year, int(month)), calendar, found["part"])
    if found["season"]:
        return calendar.season(year, SEASONS[found["season"]])
    if found["quarter"]:
        return calendar.quarter(year, int(found["quarter"]))
    if found["half"]:
        return _half(calendar, year, found["half"])
    return _part(calendar.year_of(year), calendar, found["part2"])


def _that_month_of(found: re.Match[str], calendar: Calendar) -> When:
    if not found["m"]:
        return calendar.month(STEPS[found["step"] or "이"])
    if not found["year"]:
        return calendar.bare_month(int(found["m"]))
    return calendar.month_of(calendar.today.year + YEARS[found["year"].replace(" ", "")], int(found["m"]))


def _nth_weekday(found: re.Match[str], calendar: Calendar) -> When:
    """ "다음 달 첫째 주 월요일" is its first Monday."""
    nth = -1 if found["nth"] == "마지막" else count(found["nth"]) or 1
    weekday = WEEKDAYS.index(found["wd"])
    return calendar.nth_weekday(_that_month_of(found, calendar), nth, weekday)


def _edge(found: re.Match[str], calendar: Calendar) -> When:
    """ "이번 달 말일", "지난달 마지막 날", "다음 달 첫날"."""
    edge = calendar.first_day if found["edge"].startswith("첫") else calendar.last_day
    return edge(_that_month_of(found, calendar))


def _feast(found: re.Match[str], calendar: Calendar) -> When | None:
    name = found["feast"]
    if found["year"]:
        return calendar.feast_of(name, calendar.today.year + YEARS[found["year"].replace(" ", "")])
    return calendar.feast(name, STEPS[found["step"]])


def _half_year(found: re.Match[str], calendar: Calendar) -> When | None:
    """ "반년 전", "1년 반 전"."""
    years = count(found["count"]) if found["count"] else 0
    months = None if years is None else 12 * years + 6
    return None if months is None else calendar.months_away(-months if found["way"] == "전" else months)


def _half(calendar: Calendar, year: int, half: str) -> When:
    middle = date(year, 7, 1)
    if half == "상":
        return calendar.span(date(year, 1, 1), middle, "range")
    return calendar.span(middle, date(year + 1, 1, 1), "range")


def _season(found: re.Match[str], calendar: Calendar) -> When:
    step = found["step"] or ""
    season = calendar.season(calendar.today.year, SEASONS[found["season"]])
    if step in ("지난", "저번") and season.end > calendar.now:
        return calendar.season(calendar.today.year - 1, SEASONS[found["season"]])
    if step in ("다음", "다담") and season.start <= calendar.now:
        return calendar.season(calendar.today.year + 1, SEASONS[found["season"]])
    return season


def _week(found: re.Match[str], calendar: Calendar) -> When:
    offset = STEPS[found["step"]]
    if found["end"]:
        return calendar.weekend(offset)
    if found["wd"]:
        return calendar.weekday_of_week(offset, WEEKDAYS.index(found["wd"]))
    return calendar.week(offset)


def _step_weekday(found: re.Match[str], calendar: Calendar) -> When:
    weekday, step = WEEKDAYS.index(found["wd"]), STEPS[found["step"]]
    if step < 0:
        return calendar.weekday_before(weekday)
    return calendar.weekday_after(weekday) if step > 0 else calendar.weekday_of_week(0, weekday)


def _month(found: re.Match[str], calendar: Calendar) -> When:
    offset = STEPS[found["step"] or "이"]
    month = calendar.month(offset)
    if found["d"]:
        return calendar.on(month.start.date().replace(day=int(found["d"])))
    return _part(month, calendar, found["part"])


def _bare_date(found: re.Match[str], calendar: Calendar) -> When:
    return calendar.bare_date(int(found["m"]), int(found["d"]))


def _last_of_range(found: re.Match[str], calendar: Calendar) -> When | None:
    """ "4월 29일부터 3일까지", "12월 30일부터 1월 2일까지": the second day lies behind the first, wherever today is."""
    month = int(found["m2"]) if found["m2"] else None
    return calendar.day_behind(lambda: _first_of_range(found, calendar), int(found["last"]), month)


def _first_of_range(found: re.Match[str], calendar: Calendar) -> When:
    if found["step"]:
        return _month(found, calendar)
    if found["y"]:
        return _full_date(found, calendar)
    return _named_year(found, calendar) if found["year"] else _bare_date(found, calendar)


def _bare_month(found: re.Match[str], calendar: Calendar) -> When:
    return _part(calendar.bare_month(int(found["m"])), calendar, found["part"])


def _away(found: re.Match[str], calendar: Calendar) -> When | None:
    number = COUNTED_DAYS.get(found["days"] or "") or count(found["count"] or "")
    if number is None:
        return None
    unit = "day" if found["days"] else UNITS[found["unit"]]
    return calendar.away(-number if found["way"] == "전" else number, unit)


def _stretch(found: re.Match[str], calendar: Calendar) -> When | None:
    number = COUNTED_DAYS.get(found["days"] or "") or count(found["count"] or "")
    return (
        None if number is None else calendar.stretch(number, "day" if found["days"] else UNITS[found["unit"]])
    )


def _lasting(found: re.Match[str], calendar: Calendar) -> When | None:
    """ "3년째", "만난 지 3년 됐어": since that long ago."""
    number = COUNTED_DAYS.get(found["days"] or "") or count(found["count"] or "")
    if number is None:
        return None
    start = calendar.away(-number, "day" if found["days"] else UNITS[found["unit"]])
    return replace(start, bound="since")


def _quarter(found: re.Match[str], calendar: Calendar) -> When:
    year, number = calendar.today.year, (calendar.today.month + 2) // 3
    if found["step"]:
        index = 4 * year + number - 1 + STEPS[found["step"]]
        year, number = index // 4, index % 4 + 1
    else:
        number = int(found["q"])
    return calendar.quarter(year, number)


_part_pattern = (
    r"(?:\s{0,3}(?P<part>초|중순|말|첫째\s?주|첫\s?주|둘째\s?주|셋째\s?주|넷째\s?주|마지막\s?주)"
    r"(?=까지|에|엔|부터|쯤|경|이|로|의|\s|$|[.,!?]))?"
)
_full = r"(?<!\d)(?P<y>\d{4}|\d{2})년도?\s{0,3}(?P<m>\d{1,2})월"
#: "16일", and the 16 of "16~18일".
_day = r"\s{0,3}(?P<d>\d{1,2})(?:일|(?=\s?[~∼–-]\s?\d{1,2}일))"
#: The month of a range's first day: "2026년 5월", "내년 5월", "5월", "다음 달".
_first_month = rf"(?:(?:(?<!\d)(?P<y>\d{{4}}|\d{{2}})년도?\s{{0,3}}|{_year}\s{{0,3}})?(?<!\d)(?P<m>\d{{1,2}})월|{_step}\s?달)"
_amount = rf"(?:(?P<days>{'|'.join(COUNTED_DAYS)})|{_count}\s?{_unit})"

RULES: tuple[Rule, ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (_full + _day, _full_date),
        (
            r"(?<![\d.])(?P<y>(?:19|20)\d{2})\s?[-./]\s?(?P<m>\d{1,2})\s?[-./]\s?(?P<d>\d{1,2})(?!\d)",
            _full_date,
        ),
        (rf"{_full}(?!{_day}){_part_pattern}", _year_month),
        (
            _year
            + rf"(?:\s{{0,3}}(?P<m>\d{{1,2}})월(?:{_day})?"
            + _part_pattern
            + r"|\s{0,3}(?P<season>봄|여름|가을|겨울)|\s{0,3}(?P<quarter>[1-4])분기|\s{0,3}(?P<half>상|하)반기"
            r"|\s{0,3}(?P<part2>초|말)(?=까지|에|엔|부터|쯤|경|이|로|의|\s|$|[.,!?]))?",
            _named_year,
        ),
        (
            r"(?P<part2>연)(?P<what>말|초)(?=까지|에|엔|쯤|부터|\s|$)",
            lambda m, c: _part(c.year(0), c, m["what"]),
        ),
        (
            _that_month
            + r"(?P<nth>마지막|첫|둘|셋|넷|다섯|두|세|네|[1-5])(?:\s?번?째)?\s?(?:주(?:의|차)?\s?)?(?P<wd>[월화수목금토일])요일",
            _nth_weekday,
        ),
        (_that_month + r"(?P<edge>말일|마지막\s?날|첫\s?날)", _edge),
        (
            r"(?<![가-힣])(?P<edge>월말)(?=\s?까지)",
            lambda m, c: c.last_day(c.month(0)),
        ),
        (
            _year + r"\s{0,3}(?P<edge>마지막\s?날|첫\s?날)",
            lambda m, c: (c.first_day if m["edge"][0] == "첫" else c.last_day)(
                c.year(YEARS[m["year"].replace(" ", "")])
            ),
        ),
        (
            _year + r"\s{0,3}(?:오늘|이맘\s?때)",
            lambda m, c: c.months_away(12 * YEARS[m["year"].replace(" ", "")]),
        ),
        (
            rf"(?:{_year}|{_step})\s{{0,3}}(?P<feast>{_feasts})",
            _feast,
        ),
        (
            r"(?<![가-힣\d])(?:반\s?년|(?P<count>\d{1,2}|한|두|세|네|일|이|삼)\s?년\s?반)\s?(?:쯤|정도)?\s?(?P<way>전|뒤|후)",
            _half_year,
        ),
        (r"(?<!\d)(?P<y>(?:19|20)\d{2})년(?:도|생)?", lambda m, c: c.year_of(int(m["y"]))),
        (
            r"(?<![가-힣])(?P<day>" + "|".join(sorted(DAYS, key=len, reverse=True)) + r")(?!모레|은행)",
            lambda m, c: c.day(DAYS[m["day"]]),
        ),
        (r"(?P<day>" + "|".join(NIGHTS) + ")", lambda m, c: c.day(NIGHTS[m["day"]])),
        (
            _step + r"\s?주(?!년|기|소|차)(?:(?P<end>\s?말)|(?:의|에)?\s{0,3}(?P<wd>[월화수목금토일])요일)?",
            _week,
        ),
        (r"(?P<step>금)주(?=에|\s|까지|의)(?P<end>말)?(?:\s{0,3}(?P<wd>[월화수목금토일])요일)?", _week),
        (_step + r"\s?(?P<wd>[월화수목금토일])요일", _step_weekday),
        (
            rf"(?:{_step}\s?달|이달|(?P<x>당월))(?:{_day})?{_part_pattern}",
            _month,
        ),
        (
            rf"{_first_month}{_day}\s?(?:부터|에서|[~∼–-])\s{{0,3}}(?P<here>(?:(?P<m2>\d{{1,2}})월\s{{0,3}})?(?P<last>\d{{1,2}})일)",
            _last_of_range,
        ),
        (r"(?<!\d)(?P<m>\d{1,2})월" + _day, _bare_date),
        (r"(?<![\d/])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?=일?(?:까지|에|부터))", _bare_date),
        (r"(?<!\d)(?P<m>\d{1,2})월(?!\s{0,3}\d)" + _part_pattern, _bare_month),
        (r"(?:" + _step + r"\s?분기|(?<!\d)(?P<q>[1-4])분기)", _quarter),
        (r"(?:(?P<step>지난|저번|이번|올|다음)\s?)(?P<season>봄|여름|가을|겨울)", _season),
        (
            r"(?:지난|최근)\s{0,3}" + _amount + r"(?:간|동안|\s?사이)?(?!\s?(?:전|뒤|후))",
            _stretch,
        ),
        (
            r"(?<![가-힣\d])"
            + _amount
            + r"\s?(?:쯤|정도|쯤에)?\s?(?P<way>전|뒤|후)(?![가-힣]{2}(?<!에는)(?<!부터)(?<!까지))",
            _away,
        ),
        (r"(?<![가-힣\d])" + _amount + r"(?:\s?째|(?=\s?(?:차|됐|되었|되|정도 됐|쯤 됐)))", _lasting),
        (
            r"(?<!\d)(?P<d>\d{1,2})일(?=에|까지|부터|날|\s?(?:오전|오후|아침|저녁|밤|새벽))",
            lambda m, c: c.bare_day(int(m["d"])),
        ),
    )
)
WEEKDAY = re.compile(r"(?<![가-힣])(?P<wd>[월화수목금토일])요일")
WEEKEND = re.compile(r"(?<![가-힣])주말")
#: "주말엔", "주말 아침에는": any weekend, none in particular.
USUAL_WEEKEND = re.compile(r"(?:\s?(?:아침|오전|점심|낮|오후|저녁|밤|새벽))?(?:마다|에만|에는|엔|이면)")
EVERY = re.compile(r"(?:매주|매월|매달|매년|마다|격주|요일(?:과|이랑|하고|,|/))\s{0,3}$")
REPEATING = ("마다", "은", "이면", "엔", "에는", "에만", "과 ", "이랑 ", "하고 ", ", ", "/")
TIME = re.compile(
    r"^(?:에|의|은|는|날)?\s{0,3}(?P<half>오전|오후|아침|저녁|밤|새벽|낮|점심)?(?:에)?\s{0,3}"
    r"(?P<hour>\d{1,2}|열두|열한|열|한|두|세|네|다섯|여섯|일곱|여덟|아홉)\s?시(?!간)(?:\s{0,3}(?P<minute>\d{1,2})분|\s{0,3}(?P<thirty>반))?"
)
NAMED_TIME = re.compile(r"^(?:에|의|날)?\s{0,3}(?:밤\s?)?(?P<name>정오|자정)")
#: What is done at six in the morning; a dentist or a meeting at three is in the afternoon.
AT_DAWN = re.compile(r"일어나|일어날|기상|알람|깨(?:야|워)|해돋이|일출|새벽")


def mentions(text: str, calendar: Calendar) -> Iterator[When | NoDay]:
    """Every span the text names, each with its place; they may overlap."""
    yield from named(RULES, text, calendar)
    if calendar.lean is not None:
        yield from _leaning(text, calendar)


#: "추석에 부산 갔어"; "추석에는 늘 모여요", "크리스마스마다" name no one day.
FEAST = re.compile(
    rf"(?<![가-힣])(?P<feast>{_feasts})(?:\s?(?:연휴|당일|전날|날|때))*(?=(?:에|때|까지|전까지|부터|\s전에?)(?!는|마다|도)|\s[^.!?]*[았었갔왔했됐봤]|\s[^.!?]*기로)"
)
ONE_TIME = re.compile(
    r"\s?(?:거|예정|계획)(?:야|예|에|입|임|이|다)|기로|려고|까지|전에|야 (?:하|해|돼|되|함|됨)|이번|올해"
)
EVERY_YEAR = re.compile(r"매년|매번|매해|항상|늘|보통|해마다|주로|원래|마다|언제나|좋아|싫어")


def _leaning(text: str, calendar: Calendar) -> Iterator[When]:
    one_time = calendar.lean == "past" or ONE_TIME.search(text)  # "설에 다 같이 여행 가" may be every year
    for found in FEAST.finditer(text) if one_time and not EVERY_YEAR.search(text) else ():
        when = calendar.feast(found["feast"])
        if when is not None:
            yield when.placed(found.start("feast"), found.end())
    for found in WEEKDAY.finditer(text):
        listed = text[found.end() :].startswith(REPEATING)
        if not listed and not EVERY.search(text[: found.start()]):
            yield calendar.bare_weekday(WEEKDAYS.index(found["wd"])).placed(found.start(), found.end())
    for found in WEEKEND.finditer(text):
        if not USUAL_WEEKEND.match(text, found.end()):
            past = calendar.lean == "past" and calendar.today.weekday() < 5
            yield calendar.weekend(-1 if past else 0).placed(found.start(), found.end())


def bound(after: str) -> Bound:
    """What the particle behind a date makes of it: "부터" since, "까지" until."""
    if re.match(r"\s?(?:쯤|경|날|정도)?\s?(?:부터|이후|이래)", after):
        return "since"
    return "until" if re.match(r"\s?(?:쯤|경|날)?\s?(?:까지|전까지|안에|내로|안으로)", after) else "at"


def time_of_day(after: str) -> tuple[int, int, int] | None:
    """Hour, minute and how many letters they took, when a time of day follows a date."""
    named = NAMED_TIME.match(after)
    if named:
        return (12 if named["name"] == "정오" else 24), 0, named.end()
    found = TIME.match(after)
    if not found:
        return None
    hour = count(found["hour"])
    minute = 30 if found["thirty"] else int(found["minute"] or 0)
    if hour is None or hour > 24 or minute > 59:
        return None
    return _hour(hour, found["half"], after[found.end() :]), minute, found.end()


def _hour(hour: int, half: str | None, behind: str) -> int:
    """The hour of the day, past 24 for what is still called the night of that day."""
    if half is None:
        return hour + 12 if 1 <= hour <= 6 and not AT_DAWN.search(behind) else hour
    if half == "밤" and hour in (12, 1, 2, 3, 4):
        return 24 + hour % 12
    if half in ("오전", "새벽"):
        return hour % 12 if hour == 12 else hour
    late = half in ("오후", "저녁", "밤", "점심", "낮") and hour < 12
    return hour + 12 if late and not (half in ("점심", "낮") and hour > 9) else hour
