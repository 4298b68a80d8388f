"""A form whose answer shows what is never shown again: reloading that answer must not do it a second time."""

import secrets

from django.http import HttpRequest

_USED, _KEPT = "tickets_used", 50


def ticket() -> str:
    """The hidden field `once` of a form."""
    return secrets.token_urlsafe(12)


def again(request: HttpRequest) -> bool:
    """Whether this very form was sent before; from now on it was. A form without a ticket is always new."""
    given = request.POST.get("once", "")
    used: list[str] = request.session.get(_USED, [])
    mark = f"{request.path} {given}"
    if not given or len(given) > 32:
        return False
    if mark in used:
        return True
    request.session[_USED] = [*used, mark][-_KEPT:]
    return False
