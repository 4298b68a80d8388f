"""The super-admin's switches. Every process reads the row afresh, so a change needs no deployment (G5)."""

from django.db import transaction

from memoryapp import audit
from memoryapp.models import SystemSettings
from speakers.models import User


def allow_per_turn_extraction(allowed: bool, by: User | None = None) -> SystemSettings:
    """Allow or stop per-turn extraction everywhere; it is ANDed with each revision's own switch."""
    row = SystemSettings.current()
    with transaction.atomic():
        row.per_turn_extraction_allowed, row.updated_by = allowed, by
        row.save(update_fields=["per_turn_extraction_allowed", "updated_by", "updated_at"])
        audit.note(by, "switch.per-turn." + ("allow" if allowed else "stop"))
    return row
