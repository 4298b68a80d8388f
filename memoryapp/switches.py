"""The super-admin's switches. Every process reads the row afresh, so a change needs no deployment (G5)."""

from memoryapp.models import SystemSettings
from speakers.models import User


def allow_per_turn_extraction(allowed: bool, by: User | None = None) -> SystemSettings:
    """Allow or stop per-turn extraction everywhere; it is ANDed with each revision's own switch."""
    row = SystemSettings.current()
    row.per_turn_extraction_allowed, row.updated_by = allowed, by
    row.save(update_fields=["per_turn_extraction_allowed", "updated_by", "updated_at"])
    return row
