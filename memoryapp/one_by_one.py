"""Work that is done one by one: what cannot be done for one row is told, and costs none of its neighbours."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError

from memoryapp import deadlocks

log = logging.getLogger(__name__)

Row = TypeVar("Row")


def of_the_row(error: Exception) -> bool:
    """Whether it concerns this row alone. Else the database is away, or the task's time is over: no other can be done."""
    if isinstance(error, OperationalError):
        return deadlocks.lost(error)
    return not isinstance(error, InterfaceError | SoftTimeLimitExceeded)


def each(name: str, rows: Iterable[Row], work: Callable[[Row], int]) -> int:
    """Do the work for each row, which has to bring its own transaction. → the sum of what it gave.

    A row that fails stays as it is, for the next time. The log tells the places of the first fault of each kind, and
    how many there were.
    """
    done, faults = 0, Counter[str]()
    for row in rows:
        try:
            done += work(row)
        except Exception as error:
            if not of_the_row(error):
                raise
            kind = type(error).__name__
            if kind not in faults:
                log.error("%s: one cannot be done, the others go on", name, exc_info=True)
            faults[kind] += 1
    if faults:
        log.error("%s: not done: %s", name, dict(faults))
    return done
