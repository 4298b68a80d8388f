"""System checks: what would go wrong later is said at start."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register

LONGEST_LLM_SECONDS = 120


@register()
def broker_is_named(app_configs: Any, **kwargs: Any) -> list[Error]:
    """Without a broker nothing would ever be read."""
    if settings.CELERY_BROKER_URL:
        return []
    return [
        Error(
            "No broker: set CELERY_BROKER_URL (Redis or RabbitMQ), or MEMORYAPP_PGMQ_DSN.",
            id="memoryapp.E001",
        )
    ]


@register()
def model_is_not_waited_for_too_long(app_configs: Any, **kwargs: Any) -> list[Error]:
    """A worker holds what it reads for 300 s, and a trial asks two models; then another worker takes it as well."""
    if 0 < settings.LLM_SECONDS <= LONGEST_LLM_SECONDS:
        return []
    return [
        Error(
            f"MEMORYAPP_LLM_SECONDS must be above 0, and {LONGEST_LLM_SECONDS} at most.", id="memoryapp.E003"
        )
    ]


@register(deploy=True)
def key_file_is_private(app_configs: Any, **kwargs: Any) -> list[Error]:
    """The master keyset is for its owner's eyes only."""
    path = settings.MASTER_KEYSET_FILE
    if settings.MASTER_KEYSET or not path.exists() or path.stat().st_mode & 0o077 == 0:
        return []
    return [Error(f"{path.name} can be read by others: chmod 600.", id="memoryapp.E002")]
