from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ConsentConfig(AppConfig):
    """Who allowed what."""

    name = "consent"
    verbose_name = _("Consent")

    def ready(self) -> None:
        post_migrate.connect(_publish_notices, sender=self)


def _publish_notices(**kwargs: object) -> None:
    from consent import notices

    notices.publish()
