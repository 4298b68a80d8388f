"""Voices, faces and accounts that may reach my memory, and the devices that keep a copy of it."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryapp import links, sync
from memoryapp.pages.base import own_page
from speakers.models import ACTIVE_LINKS, LinkState, Person


@own_page
@require_GET
def voices(request: HttpRequest, person: Person) -> HttpResponse:
    """Each link with its state and how it came to be; each device with the deletions it has yet to confirm."""
    rows = [
        {
            "link": link,
            "acts": link.state in ACTIVE_LINKS,
            "asks": link.state in (LinkState.UNLINKED, LinkState.CANDIDATE, LinkState.LINKED),
            "can_end": link.state != LinkState.REVOKED,
            "changes": list(link.changes.all()),
        }
        for link in links.mine(person)
    ]
    return render(request, "mypage/voices.html", {"rows": rows, "devices": sync.followers(person)})


@own_page
@require_POST
def confirm(request: HttpRequest, person: Person, link_id: uuid.UUID) -> HttpResponse:
    links.confirm(person, link_id)
    messages.success(request, _("Confirmed: this is you."))
    return redirect("voices")


@own_page
@require_POST
def reject(request: HttpRequest, person: Person, link_id: uuid.UUID) -> HttpResponse:
    links.reject(person, link_id)
    messages.success(request, _("Unlinked. What was learnt through it has left your memory."))
    return redirect("voices")
