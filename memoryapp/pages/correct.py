"""Correct a memory: common fields as a form, all allowed ones as JSON. No conflict or deletion loses what was typed."""

import json
import uuid
from collections.abc import Collection, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from memoryapp import browse, gate
from memoryapp.correct import Corrected, correct
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.forms.own import CorrectionForm
from memoryapp.models import Memory
from memoryapp.pages import anew, recent
from memoryapp.pages.base import own_page
from memoryapp.pages.json_editor import JsonCorrectionForm
from memoryapp.permit import Act, Permit
from memoryapp.shapes import opened
from memoryapp.vault import box_of
from speakers.models import Person

Form = CorrectionForm | JsonCorrectionForm


@own_page
@require_http_methods(["GET", "POST"])
def as_form(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    return _correct(request, person, memory_id, CorrectionForm, "form")


@own_page
@require_http_methods(["GET", "POST"])
def as_json(request: HttpRequest, person: Person, memory_id: uuid.UUID) -> HttpResponse:
    return _correct(request, person, memory_id, JsonCorrectionForm, "json")


def _correct(
    request: HttpRequest, person: Person, memory_id: uuid.UUID, kind: type[Form], mode: str
) -> HttpResponse:
    permit = gate.own(person, Act.CORRECT)
    try:
        return _corrected(request, permit, memory_id, kind, mode)
    except NotFound:
        if request.method == "GET":
            raise
        return anew.gone(request)


def _corrected(
    request: HttpRequest, permit: Permit, memory_id: uuid.UUID, kind: type[Form], mode: str
) -> HttpResponse:
    row = browse.one(permit, memory_id)
    if recent.must_ask(request, row):
        # What was typed must not wait in the session for the password: only the way back is kept.
        return recent.ask(request, request.path)
    shown = opened(row, box_of(permit.person))
    if request.method == "GET":
        return _show(request, row, shown, kind.of(row, shown), mode)
    form = kind(request.POST)
    if not form.is_valid():
        return _show(request, row, shown, form, mode, status=422)
    return _apply(request, permit, row, shown, form, mode)


def _apply(
    request: HttpRequest, permit: Permit, row: Memory, shown: Mapping[str, Any], form: Form, mode: str
) -> HttpResponse:
    changes = form.changes(shown)
    if not changes:
        messages.info(request, _("Nothing was changed."))
        return redirect("memory", row.pk)
    try:
        corrected = correct(permit, row.pk, changes, form.cleaned_data["version"])
    except Conflict:
        return _conflict(request, permit, row.pk, form, mode)
    except Invalid as error:
        form.take(error)
        return _show(request, row, shown, form, mode, status=422)
    return _done(request, corrected)


def _done(request: HttpRequest, corrected: Corrected) -> HttpResponse:
    if corrected.warning == "index-gone":
        messages.warning(
            request,
            _(
                "Its entry in the search index was already gone, so the memory was removed as well. "
                "Save it anew if you need it."
            ),
        )
        return redirect("memories")
    messages.success(
        request, _("Corrected. The earlier wording stays in the history and is not used any more.")
    )
    return redirect("memory", corrected.memory.pk)


def _conflict(
    request: HttpRequest, permit: Permit, memory_id: uuid.UUID, form: Form, mode: str
) -> HttpResponse:
    """Somebody was faster: show theirs, keep what the person changed and nothing else, let the person decide."""
    row = browse.one(permit, memory_id)
    shown = opened(row, box_of(permit.person))
    news = form.changed_elsewhere(row, shown)
    return _show(request, row, shown, form.on_top_of(row, shown), mode, status=409, news=news)


def _show(
    request: HttpRequest,
    row: Memory,
    shown: Mapping[str, Any],
    form: Form,
    mode: str,
    *,
    status: int = 200,
    news: Collection[str] | None = None,
) -> HttpResponse:
    """`news` names the fields that somebody else changed meanwhile; the statement stands there in any case."""
    told = ["statement", *(name for name in sorted(news or ()) if name != "statement")]
    context = {
        "memory": row,
        "shown": shown,
        "news": told,
        "current": json.dumps({name: shown[name] for name in told}, ensure_ascii=False, indent=2),
        "form": form,
        "mode": mode,
        "conflict": news is not None,
    }
    return render(request, "mypage/memory_correct.html", context, status=status)
