from django.apps import AppConfig
from django.db.models.signals import post_migrate


class MemoryAppConfig(AppConfig):
    """What is remembered."""

    name = "memoryapp"

    def ready(self) -> None:
        from memoryapp import checks, receivers  # noqa: F401 - they register themselves

        post_migrate.connect(_first_space, sender=self)


def _first_space(**kwargs: object) -> None:
    from memoryapp.index import spaces

    spaces.ensure_first()
