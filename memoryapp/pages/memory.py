"""One memory: what is known, where it comes from, how it changed; revealing, approving, declining."""

import json
import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryapp import browse, gate, verdict
from memoryapp.models import GUARDED, Memory, MemoryHistory
from memoryapp.pages import listed, recent
from memoryapp.pages.base import htmx, own_page
from memoryapp.pages.changes import steps
from memoryapp.pages.listed import Listed
from memoryapp.pages.timeline import timeline
from memoryapp.permit import Act, Permit
from memoryapp.reveal import reveal
from memoryapp.shapes import opened
from memoryapp.sources import turns_of
from memoryapp.vault import box_of
from speakers.models import Person


@own_page
@require_GET
def memory(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    """The structured fields in the open, and the raw JSON. A restricted one asks first who is there."""
    permit = gate.own(person, Act.SEE)
    row = browse.one(permit, memory_id)
    if recent.must_ask(request, row):
        return recent.ask(request, request.path)
    if row.sensitivity in GUARDED:
        reveal(permit, memory_id)
    box = box_of(person)
    shown = opened(row, box)
    history = _entries(row)
    earlier, later = _neighbours(permit, row)
    context = {
        "row": Listed(row, shown["statement"], False, shown["index_state"]),
        "shown": shown,
        "raw": json.dumps(shown, ensure_ascii=False, indent=2),
        "history": steps(history, shown["statement"], box),
        "timeline": timeline(row, earlier, later, history),
        "turns": turns_of(permit, row),
        "sources": [(name, ids) for name, ids in shown["sources"].items() if ids],
        "looks": row.reveals.order_by("-at")[:20] if row.sensitivity in GUARDED else [],
    }
    return render(request, "mypage/memory.html", context)


@own_page
@require_POST
def show(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    """Lift the mask of one row of the list. Without htmx, its detail does."""
    permit = gate.own(person, Act.SEE)
    detail = reverse("memory", args=[memory_id])
    if recent.must_ask(request, browse.one(permit, memory_id)):
        return recent.ask(request, detail)
    if not htmx(request):
        return redirect(detail)
    row = listed.one(reveal(permit, memory_id), box_of(person), reveal=True)
    return render(request, "mypage/memory_what.html", {"row": row, "memory": row.memory})


@own_page
@require_POST
def approve(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    verdict.approve(gate.own(person, Act.SAVE), memory_id)
    messages.success(request, _("Approved. It is used from now on."))
    return redirect(_after(request))


@own_page
@require_POST
def decline(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    verdict.decline(gate.own(person, Act.FORGET), memory_id)
    messages.success(request, _("Declined and deleted. It is not learnt again from the same conversation."))
    return redirect(_after(request))


def _after(request: HttpRequest) -> str:
    """Whoever decides in the list of candidates goes on there."""
    return reverse("memories") + ("?status=candidate" if request.POST.get("back") else "")


def _entries(row: Memory) -> list[MemoryHistory]:
    entries = list(row.history.order_by("pk"))
    for entry in entries:
        entry.memory = row
    return entries


def _neighbours(permit: Permit, row: Memory) -> tuple[Memory | None, Memory | None]:
    """The memory this one replaced, and the one that replaced it, in at most one query."""
    ids = [pk for pk in (row.supersedes_id, row.superseded_by_id) if pk]
    found = browse.visible(permit).in_bulk(ids) if ids else {}
    earlier = found.get(row.supersedes_id) if row.supersedes_id else None
    return earlier, found.get(row.superseded_by_id) if row.superseded_by_id else None
