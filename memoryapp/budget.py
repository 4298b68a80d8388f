"""How many model tokens a service may spend a month (X10)."""

from django.db import transaction

from memoryapp import audit
from memoryapp.models import ChatService
from speakers.models import User


def set_budget(service: ChatService, tokens: int | None, *, by: User | None = None) -> None:
    """Set or lift (None) the month's budget. When it is spent, extraction pauses; recall and saving go on."""
    with transaction.atomic():
        service.monthly_token_budget = tokens
        service.save(update_fields=["monthly_token_budget"])
        audit.note(by, "budget.set", service=service.slug, object_id=service.pk)
