from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SpeakersConfig(AppConfig):
    """Whose voice, whose memory."""

    name = "speakers"
    verbose_name = _("People and their voices")
