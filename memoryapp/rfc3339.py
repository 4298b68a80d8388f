"""Times as others read and write them: RFC 3339, always with an offset. Pure."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

_DAY = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
_MOMENT = re.compile(
    _DAY + r"[Tt ](?P<hour>\d\d):(?P<minute>\d\d):(?P<second>[0-5]\d|60)(?:\.(?P<fraction>\d{1,30}))?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d))",
    re.ASCII,
)
_DATE = re.compile(_DAY, re.ASCII)
_MINUTE = timedelta(minutes=1)


def tell(moment: datetime) -> str:
    """An aware moment as RFC 3339 tells it, in its own zone.

    Offsets there are whole minutes. Seoul's was 8:27:52 until 1908: such a moment is told with the next whole minute,
    which keeps the instant and, but for the last minute of a day, the day as well.
    """
    offset = moment.utcoffset()
    if offset is None:
        raise ValueError("a time without an offset names no moment")
    if offset % _MINUTE:
        moment = moment.astimezone(timezone(-(-offset // _MINUTE) * _MINUTE))
    return moment.isoformat()


def read(text: str) -> datetime | None:
    """The aware moment an RFC 3339 date-time names, to the microsecond; None for anything else.

    A leap second (`:60`) is the beginning of the next minute, for no clock here has one.
    """
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    number = {name: int(found[name]) for name in ("year", "month", "day", "hour", "minute")}
    second = int(found["second"])
    micros = int((found["fraction"] or "")[:6].ljust(6, "0"))
    try:
        moment = datetime(**number, second=min(second, 59), microsecond=micros, tzinfo=_zone(found))
        return moment + timedelta(seconds=second // 60)
    except (ValueError, OverflowError):  # 30 February, 24:00:00, a leap second at the end of time
        return None


def read_day(text: str) -> date | None:
    """The day of an RFC 3339 full-date, `2026-05-16`; None for anything else."""
    found = _DATE.fullmatch(text)
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"])) if found else None
    except ValueError:
        return None


def _zone(found: re.Match[str]) -> timezone:
    if not found["sign"]:
        return UTC
    offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"]))
    return timezone(-offset if found["sign"] == "-" else offset)
