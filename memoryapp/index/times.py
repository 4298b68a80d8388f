"""The time a question asks about, and whether a memory lies in it: it helps ranking and never filters."""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memoryapp import dates

_MONTH = re.compile(r"월|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
_YEAR = re.compile(r"\d{4}|년|해|last|this|next|지난|이번|다음|저번|달", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class AskedTime:
    """`start` ≤ t < `end`. A month or a day named without a year ("in May") means that of any year."""

    start: datetime
    end: datetime
    any_year: bool = False

    def covers(
        self, occurred_at: datetime, valid_from: datetime | None = None, valid_to: datetime | None = None
    ) -> bool:
        """Whether what happened then, or held from then to then, lies in the time asked for."""
        if valid_from is None and valid_to is None:
            return self._covers_moment(occurred_at)
        begins = valid_from or occurred_at
        return begins < self.end and (valid_to is None or valid_to > self.start)

    def _covers_moment(self, moment: datetime) -> bool:
        if not self.any_year:
            return self.start <= moment < self.end
        local = moment.astimezone(self.start.tzinfo)
        try:
            return self.start <= local.replace(year=self.start.year) < self.end
        except ValueError:  # 29 February in a year without one
            return False


def asked_time(question: str, now: datetime, zone: ZoneInfo) -> AskedTime | None:
    """What time a question names, seen from `now` in the given zone; None when it names none."""
    span = dates.time_span(question, now, zone)
    if span is None:
        return None
    named = dates.resolve(question, now, zone, "past")
    words = question[named.begin : named.stop] if named else ""
    any_year = (
        named is not None and named.bound == "at" and bool(_MONTH.search(words)) and not _YEAR.search(words)
    )
    return AskedTime(start=span[0], end=span[1], any_year=any_year)
