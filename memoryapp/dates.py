"""When a text says something happens: relative and absolute dates, Korean and English, against one anchor.

`find` gives every date a text names, `resolve` the first. The anchor is the turn's own time, never the clock.
"""

import re
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memoryapp import dates_english, dates_korean
from memoryapp.when import Bound, Calendar, Lean, NoDay, Precision, When

__all__ = ["Bound", "Lean", "Precision", "When", "find", "resolve", "time_span"]

HANGUL = re.compile(r"[가-힣]")


def find(text: str, anchor: datetime, zone: ZoneInfo, lean: Lean | None = None) -> list[When]:
    """Every date the text names, in the order of the text, none overlapping.

    `anchor` is aware; the spans are local days, weeks, months or years of `zone`. `lean` says to which side of
    the anchor a bare "금요일" / "on Friday" or "5월 16일" without a year belongs; without it a bare weekday names no
    date and a date without a year lies in the anchor's year; 29 February lies in the nearest year that has one.
    A day that no calendar has ("2월 30일") is no date, nor is any part of it. Raises ValueError for a naive anchor.
    """
    calendar = Calendar(anchor, zone, lean)
    spans: list[When | NoDay] = [*dates_korean.mentions(text, calendar)] if HANGUL.search(text) else []
    spans += dates_english.mentions(text, calendar)
    spans.sort(key=lambda when: (when.begin, -when.stop))
    chosen: list[When | NoDay] = []
    for when in sorted(spans, key=lambda when: when.begin - when.stop):
        if all(when.stop <= other.begin or other.stop <= when.begin for other in chosen):
            chosen.append(when)
    dated = [when for when in sorted(chosen, key=lambda when: when.begin) if isinstance(when, When)]
    return [_finish(text, when, calendar) for when in dated]


def resolve(text: str, anchor: datetime, zone: ZoneInfo, lean: Lean | None = None) -> When | None:
    """The first date the text names, or None."""
    found = find(text, anchor, zone, lean)
    return found[0] if found else None


def time_span(text: str, anchor: datetime, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """The time a question asks about ("지난달에 뭐 했지?", "what did I do last week?"): start ≤ t < end, or None.

    "since 2019" runs to the anchor, "until Friday" starts at the anchor.
    """
    when = resolve(text, anchor, zone, "future" if FUTURE.search(text) else "past")
    if when is None:
        return None
    if when.bound == "since":
        return when.start, max(when.end, anchor.astimezone(zone))
    if when.bound == "until":
        return min(when.start, anchor.astimezone(zone)), when.end
    return when.start, when.end


FIXED = re.compile(
    r"\d\s?월|\d[/.-]\d|\d{4}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE
)
FUTURE = re.compile(
    r"할\s?(?:거|것|일)|해야|예정|계획|약속|일정|ㄹ까|\b(?:will|going to|upcoming|plan|have to|schedule[d]?|due|coming)\b|뭐 있"
)


def _finish(text: str, when: When, calendar: Calendar) -> When:
    """Adds the time of day behind a date and the "since" / "until" around it."""
    before, own, after = text[: when.begin], text[when.begin : when.stop], text[when.stop :]
    bound = when.bound
    if bound == "at":
        bound = dates_korean.bound(after) if HANGUL.search(own) else dates_english.bound(before, own)
    if when.precision == "day":
        clock = dates_korean.time_of_day(after) or dates_english.time_of_day(after)
        if clock:
            hour, minute, taken = clock
            when = calendar.at_time(when, hour, minute).placed(when.begin, when.stop + taken)
            if HANGUL.search(own) and bound == "at":
                bound = dates_korean.bound(text[when.stop :])
    return replace(when, bound=bound, moves=not FIXED.search(own))
