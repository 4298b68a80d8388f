"""Whether a statement failed only because somebody else was writing the same rows: tried again, it may well succeed."""

from django.db import OperationalError

#: deadlock_detected, serialization_failure
_BETWEEN_TWO = frozenset({"40P01", "40001"})


def lost(error: OperationalError) -> bool:
    """Of two who waited for each other this one was ended. Any other fault of the database is no better next time."""
    return getattr(error.__cause__, "sqlstate", None) in _BETWEEN_TWO
