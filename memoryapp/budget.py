"""How many model tokens a service may spend a month (X10)."""

from memoryapp.models import ChatService


def set_budget(service: ChatService, tokens: int | None) -> None:
    """Set or lift (None) the month's budget. When it is spent, extraction pauses; recall and saving go on."""
    service.monthly_token_budget = tokens
    service.save(update_fields=["monthly_token_budget"])
