"""Who may take a row: a claim holds it for a while, a wait keeps it for later, and both end with a clock set back.

A worker marks a row with the time; if it dies, the row is anybody's once that time is long past. A machine whose
clock ran ahead leaves marks of a time that is still to come. Nobody makes such a mark today, so it counts as over.
"""

from datetime import datetime, timedelta

from django.db.models import Q

#: Clocks of two machines may differ by this much without a mark counting as one of a wrong clock.
SKEW = timedelta(minutes=1)


def given_up(now: datetime, seconds: float) -> Q:
    """Rows whose `claimed_at` holds them no longer: none, older than this many seconds, or yet to come."""
    old, ahead = Q(claimed_at__lt=now - timedelta(seconds=seconds)), Q(claimed_at__gt=now + SKEW)
    return Q(claimed_at__isnull=True) | old | ahead


def holds(claimed_at: datetime | None, now: datetime, seconds: float) -> bool:
    """The same of one row, the other way round."""
    return claimed_at is not None and now - timedelta(seconds=seconds) <= claimed_at <= now + SKEW


def due(field: str, now: datetime, longest: timedelta) -> Q:
    """Rows whose time in this column has come, or lies further ahead than anybody waits (`longest`)."""
    return Q(**{f"{field}__lte": now}) | Q(**{f"{field}__gt": now + longest + SKEW})
