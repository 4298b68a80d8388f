"""Days that carry a name ("추석", "Christmas"): which day of a year each is. Pure.

설날 and 추석 follow the moon: their days stand in a table (2010 to 2050, the Korean calendar) and are unknown outside it.
"""

from datetime import date, timedelta

_FIXED_KOREAN = {
    "크리스마스 이브": (12, 24), "크리스마스이브": (12, 24), "크리스마스": (12, 25), "성탄절": (12, 25),
    "신정": (1, 1), "삼일절": (3, 1), "어린이날": (5, 5), "어버이날": (5, 8), "스승의 날": (5, 15), "현충일": (6, 6),
    "광복절": (8, 15), "개천절": (10, 3), "한글날": (10, 9), "밸런타인데이": (2, 14), "발렌타인데이": (2, 14),
    "화이트데이": (3, 14), "빼빼로데이": (11, 11), "만우절": (4, 1), "핼러윈": (10, 31), "할로윈": (10, 31),
}  # fmt: skip
_FIXED_ENGLISH = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "valentine's day": (2, 14),
    "valentine's": (2, 14), "halloween": (10, 31), "april fools": (4, 1), "independence day": (7, 4),
    "boxing day": (12, 26),
}  # fmt: skip
_FIRST_YEAR = 2010
_SEOLLAL = (
    "0214 0203 0123 0210 0131 0219 0208 0128 0216 0205 0125 0212 0201 0122 0210 0129 0217 0207 0127 0213 0203 "
    "0123 0211 0131 0219 0208 0128 0215 0204 0124 0212 0201 0122 0210 0130 0217 0206 0126 0214 0202 0123"
).split()
_CHUSEOK = (
    "0922 0912 0930 0919 0908 0927 0915 1004 0924 0913 1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 "
    "1001 0919 0908 0927 0916 1004 0924 0913 1002 0921 0910 0928 0917 1005 0925 0915 1004 0922 0911 0930"
).split()
_MOON = {"설날": _SEOLLAL, "구정": _SEOLLAL, "설": _SEOLLAL, "추석": _CHUSEOK, "한가위": _CHUSEOK,
         "seollal": _SEOLLAL, "lunar new year": _SEOLLAL, "chuseok": _CHUSEOK}  # fmt: skip
KOREAN = (*_FIXED_KOREAN, *(name for name in _MOON if not name.isascii()))
ENGLISH = (*_FIXED_ENGLISH, *(name for name in _MOON if name.isascii()), "thanksgiving", "easter")


def day_of(name: str, year: int) -> date | None:
    """The feast's day in a year; None for a feast of the moon outside the table."""
    fixed = _FIXED_KOREAN.get(name) or _FIXED_ENGLISH.get(name)
    if fixed is not None:
        return date(year, *fixed)
    if name == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    if name == "easter":
        return _easter(year)
    at = year - _FIRST_YEAR
    table = _MOON[name]
    return date(year, int(table[at][:2]), int(table[at][2:])) if 0 <= at < len(table) else None


def _easter(year: int) -> date:
    """The anonymous Gregorian computus."""
    golden, century = year % 19, year // 100
    moon = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (year % 100 // 4) - moon - year % 100 % 4) % 7
    shift = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * shift + 114, 31)
    return date(year, month, day + 1)
