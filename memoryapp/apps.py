from django.apps import AppConfig, apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from memoryapp import labels


class MemoryAppConfig(AppConfig):
    """What is remembered."""

    name = "memoryapp"
    verbose_name = _("Memory")

    def ready(self) -> None:
        from memoryapp import checks, receivers  # noqa: F401 - they register themselves

        for app in ("memoryapp", "consent", "speakers", *labels.APPS):
            labels.put_on(apps.get_app_config(app))
        post_migrate.connect(_first_space, sender=self)
        if settings.TELEMETRY:
            _start_telemetry()


def _first_space(**kwargs: object) -> None:
    from memoryapp.index import spaces

    spaces.ensure_first()


def _start_telemetry() -> None:
    try:
        from memoryapp import telemetry
    except ModuleNotFoundError as error:
        raise ImproperlyConfigured(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not here: install `.[otel]`."
        ) from error
    telemetry.start()
