"""The vocabulary of consent. One file, so that nobody invents a domain in passing."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Domain(TextChoices):
    """What a person can allow. `long_term_memory` is the master: while it is off, the others have no effect."""

    LONG_TERM_MEMORY = "long_term_memory", _("Long-term memory")
    SERVICE_MEMORY = "service_memory", _("Memory inside one service")
    PROFILE = "profile", _("Long-term profile")
    VITAL = "vital", _("Vital signs")
    EXTERNAL_ACCOUNT = "external_account", _("Linked accounts")
    VOICE = "voice", _("Recognising my voice")


MASTER = Domain.LONG_TERM_MEMORY

#: Domains that need no switch of their own: they follow the master until the person decides on them.
FOLLOWS_MASTER = frozenset({Domain.SERVICE_MEMORY})
