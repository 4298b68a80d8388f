"""One memory: what is known, where it comes from, how it changed; approving and declining a candidate."""

import json
import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from memoryapp import browse, gate, save
from memoryapp.models import Memory, MemoryHistory
from memoryapp.pages.base import own_page
from memoryapp.pages.changes import steps
from memoryapp.pages.listed import Listed
from memoryapp.permit import Act
from memoryapp.shapes import opened
from memoryapp.vault import box_of
from speakers.models import Person


@own_page
@require_GET
def memory(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    """The structured fields, and the raw JSON to read."""
    permit = gate.own(person, Act.SEE)
    row = browse.one(permit, memory_id)
    box = box_of(person)
    shown = opened(row, box)
    context = {
        "row": Listed(row, shown["statement"], False, shown["index_state"]),
        "shown": shown,
        "raw": json.dumps(shown, ensure_ascii=False, indent=2),
        "history": steps(_entries(row), shown["statement"], box),
        "sources": [(name, ids) for name, ids in shown["sources"].items() if ids],
    }
    return render(request, "mypage/memory.html", context)


@own_page
@require_POST
def approve(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    save.approve(gate.own(person, Act.SAVE), memory_id)
    messages.success(request, _("Approved. It is used from now on."))
    return redirect("memory", memory_id)


@own_page
@require_POST
def decline(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    save.decline(gate.own(person, Act.FORGET), memory_id)
    messages.success(request, _("Declined and deleted. It is not learnt again from the same conversation."))
    return redirect("memories")



def _entries(row: Memory) -> list[MemoryHistory]:
    entries = list(row.history.order_by("pk"))
    for entry in entries:
        entry.memory = row
    return entries
