from django.apps import AppConfig


class MemoryAppConfig(AppConfig):
    """What is remembered."""

    name = "memoryapp"

    def ready(self) -> None:
        from memoryapp import checks, receivers  # noqa: F401 - they register themselves
