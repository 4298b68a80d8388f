"""What the frame around every page shows: where one is, and whether memory is on."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from consent import ledger
from consent.domains import MASTER
from speakers.models import Person, User

THEME_COOKIE = "theme"
THEMES = ("light", "dark")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Lazy throughout: a page that does not draw the frame costs no query."""
    user = getattr(request, "user", None)
    person: Person | None = getattr(request, "person", None)
    parts = request.path.strip("/").split("/")
    section = parts[1] if parts[0] == "me" and len(parts) > 1 else parts[0]
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return {
        "section": section,
        "theme": theme if theme in THEMES else "",
        "can_mail": settings.CAN_MAIL,
        "memory_on": SimpleLazyObject(lambda: _memory_on(person)),
        "administers": SimpleLazyObject(lambda: _administers(user)),
    }


def _memory_on(person: Person | None) -> bool:
    return ledger.standings(person).by_domain[MASTER].granted


def _administers(user: Any) -> bool:
    if not isinstance(user, User):
        return False
    return user.is_superuser or user.services.exists()
