"""Taking back what a turn taught: first what would happen, then one batch, which can be undone."""

import uuid

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import gate, pairs, rollback, sensitivity
from memoryapp.models import GUARDED, Rollback
from memoryapp.pages.base import own_page
from memoryapp.pages.listed import listed
from memoryapp.permit import Act
from memoryapp.rollback import PAIR, Plan, Source
from memoryapp.sensitivity import RANK
from memoryapp.vault import box_of
from speakers.models import Person


@own_page
@require_GET
def batches(request: HttpRequest, person: Person) -> HttpResponse:
    """What was taken back, newest first."""
    rows = Rollback.objects.filter(person=person).defer("content").order_by("-at")[:100]
    return render(request, "mypage/undo.html", {"batches": rows})


@own_page
@require_http_methods(["GET", "POST"])
def turn(request: HttpRequest, person: Person, turn_pk: uuid.UUID) -> HttpResponse:
    """Everything that came from one turn; a POST takes it back."""
    source = Source(kind=PAIR, id=str(turn_pk))
    if request.method == "POST":
        rollback.withdraw(gate.own(person, Act.FORGET), source)
        messages.success(request, _("Taken back. You can undo it here."))
        return redirect("undo")
    with transaction.atomic():  # the plan locks the rows it looks at
        plan = rollback.preview(gate.own(person, Act.SEE), source)
    box = box_of(person)
    context = {
        "turn_pk": turn_pk,
        "said": [_masked(pair.user, plan) for pair in pairs.read_all(plan.turns, box) if pair.user],
        "removed": listed(plan.removed, box),
        "reduced": listed([item.memory for item in plan.reduced], box),
        "restored": listed([heir.memory for heir in plan.restored], box),
        "counts": plan.counts,
    }
    return render(request, "mypage/undo_turn.html", context)


def _masked(text: str, plan: Plan) -> str:
    """What was said, masked like the memories below it: also where only somebody's label says that it is guarded."""
    touched = [*plan.removed, *(item.memory for item in plan.reduced)]
    guarded = [memory.sensitivity for memory in touched if memory.sensitivity in GUARDED]
    return sensitivity.mask(text, max(guarded, key=RANK.__getitem__)) if guarded else sensitivity.beside(text)


@own_page
@require_POST
def put_back(request: HttpRequest, person: Person, batch_id: uuid.UUID) -> HttpResponse:
    rollback.undo(gate.own(person, Act.SAVE), batch_id)
    messages.success(request, _("Put back, except what you have changed since."))
    return redirect("undo")
