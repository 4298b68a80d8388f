"""How long what is kept, in words for the person it is about. The numbers are settings.RETENTION_DAYS."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_WORDS: dict[str, str | Promise] = {
    "turn": _("What you said to an assistant, word for word"),
    "session_summary": _("Summaries of single conversations"),
    "day_summary": _("Summaries of a day"),
    "week_summary": _("Summaries of a week"),
    "candidate": _("Habits that were guessed and never confirmed"),
    "candidate_guarded": _("The same, if they hold personal data"),
    "deleted": _("Deleted memories, until they are gone for good"),
    "tombstone": _("The note to your devices that something was deleted"),
    "recall": _("Which memory was used when, and by whom"),
    "replay": _("What a trial of new settings found in what you said, if you agreed to trials"),
    "device_pair": _("What was said to a device by a voice nobody knows"),
    "context": _("Notes and documents of a conversation, after it was last used"),
    "prompt": _("What an assistant was told at the start of a conversation, after it was last used"),
    "device": _("A device that keeps a copy, after it was last heard of"),
    "revoked_link": _("A voice, face or account that was taken away from you"),
    "cost": _("How much computing was used for you, in numbers"),
    "forgotten": _("The mark of a deleted memory, so that old talk does not bring it back"),
    "sign_in": _("When you signed in, and from which address"),
}


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One kind of data, in words, and for how many days it is kept at most."""

    kind: str
    words: str | Promise
    days: int


def told() -> list[Kept]:
    """Everything that is kept for a time only. Confirmed memories are kept until their owner deletes them."""
    return [
        Kept(kind=kind, words=words, days=settings.RETENTION_DAYS[kind]) for kind, words in _WORDS.items()
    ]
