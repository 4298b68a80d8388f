"""Puts the dates of a clause where they belong: when it happened, since when it holds, when it is due."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from memoryapp.dates import When
from memoryapp.extract.rules.slots import Finding

RECURRENT = (
    "birthday",
    "anniversary",
    "event:",
    "day:",
)  # their date is what they say, not when they begin to hold


@dataclass(frozen=True)
class Times:
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def place(finding: Finding, whens: list[When], now: datetime) -> Times:
    """An event happens at its date (and what it brings holds from then on); a task is due at its date but stays open
    after it, for overdue is not done; a state holds since or until its date. A state "at" a date only begins there
    when the date is past or ahead, not today."""
    if not whens:
        return Times()
    if finding.settles is not None and finding.settles.how == "moved":
        return Times(occurred_at=whens[-1].moment)  # "화요일에서 목요일로"
    when = whens[0]
    recurs = finding.slot is not None and finding.slot.attribute.startswith(RECURRENT)
    if finding.course == "task":
        return Times(occurred_at=_due(whens[-1]))
    if finding.course == "event":
        begins = finding.slot is not None and finding.slot.single and not (finding.ends or recurs)
        return Times(occurred_at=when.moment, valid_from=when.start if begins else None)
    if recurs and when.moves:
        return Times(occurred_at=when.moment)  # "my birthday is next Friday" does not say which day that is
    since = next((w.start for w in whens if w.bound == "since"), None)
    until = next((w.end for w in whens if w.bound == "until"), None)
    if until is not None and until <= now and since is None:
        return Times(occurred_at=when.moment)
    if since is None and until is None and when.start > now and not recurs:
        since = when.start
    if since is not None and until is not None and until <= since:
        until = None
    return Times(valid_from=since, valid_to=until)


def _due(when: When) -> datetime:
    """ "이번 주까지", "by the end of May": there is time until its last day."""
    if when.bound == "until" and when.precision in ("week", "range"):
        return when.end - timedelta(hours=12)
    return when.moment
