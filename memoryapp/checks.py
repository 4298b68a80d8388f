"""System checks: what would go wrong later is said at start."""

from typing import Any

from django.conf import settings
from django.core.checks import Error, register


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


@register(deploy=True)
def key_file_is_private(app_configs: Any, **kwargs: Any) -> list[Error]:
    """The master keyset is for its owner's eyes only."""
    path = settings.MASTER_KEYSET_FILE
    if settings.MASTER_KEYSET or not path.exists() or path.stat().st_mode & 0o077 == 0:
        return []
    return [Error(f"{path.name} can be read by others: chmod 600.", id="memoryapp.E002")]
