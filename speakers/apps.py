from django.apps import AppConfig


class SpeakersConfig(AppConfig):
    """Whose voice, whose memory."""

    name = "speakers"
