"""Revisions of a service: make a draft, edit it, compare, deploy, roll back."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import revisions
from memoryapp.errors import Conflict, Invalid
from memoryapp.forms.console import RevisionForm
from memoryapp.models import ChatService, RevisionState, ServiceRevision
from memoryapp.pages.base import htmx, is_member, service_page, user_of
from memoryapp.render import Line, Rendered, prompt
from memoryapp.render import render as render_block
from speakers.models import User

_SAVED = 303


@service_page
@require_POST
def draft(request: HttpRequest, service: ChatService) -> HttpResponse:
    """A new draft, a copy of what is deployed."""
    made = revisions.draft(service, user_of(request))
    return redirect("revision", service.slug, made.number)


@service_page
@require_http_methods(["GET", "POST"])
def revision(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """A draft's settings to edit, to save, and to deploy as they stand; or another revision's to read."""
    row = revision_of(service, number)
    form = RevisionForm(request.POST) if request.method == "POST" else RevisionForm.of(row)
    status = _save(request, row, form) if request.method == "POST" else 200
    if status == _SAVED:
        if request.POST.get("then") == "deploy":
            return _take_effect(request, service, row)
        messages.success(request, _("The draft was saved. It has no effect until it is deployed."))
        return redirect("revision", service.slug, number)
    return render(
        request, "console/revision.html", _context(service, row, form, user_of(request)), status=status
    )


@service_page
@require_POST
def preview(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """What is typed into the template, filled with sample memories. Saves nothing, shows nobody's memory."""
    row = revision_of(service, number)
    form = RevisionForm(request.POST)
    form.is_valid()
    context = {
        "preview": _filled(form.cleaned_data),
        "complaint": " ".join(str(text) for text in form.errors.get("context_template", [])),
        "mode": form.cleaned_data.get("injection_mode"),
    }
    if htmx(request):
        return render(request, "console/preview.html", context)
    return render(request, "console/revision.html", _context(service, row, form, user_of(request)) | context)


@service_page
@require_POST
def deploy(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """Let this revision take effect; for an earlier one that is a roll-back."""
    return _take_effect(request, service, revision_of(service, number))


def _take_effect(request: HttpRequest, service: ChatService, row: ServiceRevision) -> HttpResponse:
    back = row.state == RevisionState.RETIRED
    revisions.deploy(row, user_of(request))
    words = _("Rolled back to revision %(number)d.") if back else _("Revision %(number)d is deployed.")
    messages.success(request, words % {"number": row.number})
    return redirect("console_service", service.slug)


def _context(service: ChatService, row: ServiceRevision, form: RevisionForm, by: User) -> dict[str, Any]:
    deployed = service.revisions.filter(state=RevisionState.DEPLOYED).first()
    return {
        "service": service,
        "tab": "revisions",
        "revision": row,
        "form": form,
        "seen": revisions.state(row),
        "editable": row.state == RevisionState.DRAFT,
        "triable": row.state == RevisionState.DRAFT and is_member(service, by),
        "deployed": deployed,
        "changes": _differences(deployed, row),
        "default_template": prompt("recall_context.txt"),
    }


def _filled(data: dict[str, Any]) -> Rendered | None:
    """The finished block; None when the template cannot be filled."""
    if "context_template" not in data:
        return None
    limit = data.get("recall_max_tokens") or 2000
    return render_block(data["context_template"], samples(), max_tokens=limit, query_time=timezone.now())


def samples() -> list[Line]:
    """Three invented memories, so that no admin needs a real one."""
    facts = (
        ("PROFILE", "current", _("Works in Pangyo as a backend developer")),
        ("PREFERENCE", "current", _("Prefers green tea to coffee")),
        ("EVENT", "past", _("Moved house in May 2026")),
    )
    return [
        Line(
            memory_id=f"00000000-0000-4000-8000-00000000000{number}",
            memory_type=kind,
            temporal_relevance=when,
            source_event_ids=[f"turn-{number}"],
            fact=fact,
        )
        for number, (kind, when, fact) in enumerate(facts, 1)
    ]


def _save(request: HttpRequest, row: ServiceRevision, form: RevisionForm) -> int:
    """Save what is typed, or say beside the fields why not; nothing that is typed is lost. → a status"""
    if not form.is_valid():
        return 422
    try:
        seen = request.POST.get("seen", "")
        revisions.edit(row, by=user_of(request), seen=seen, **form.cleaned_data)
    except Invalid as error:
        form.take(error)
        return 422
    except Conflict:
        row.refresh_from_db()
        form.differs(row)
        return 409
    return _SAVED


def revision_of(service: ChatService, number: int) -> ServiceRevision:
    """By its number; 404 for one that does not exist."""
    found = service.revisions.filter(number=number).select_related("created_by", "deployed_by").first()
    if found is None:
        raise Http404
    return found


def _differences(deployed: ServiceRevision | None, row: ServiceRevision) -> list[dict[str, Any]]:
    """The settings in which a revision differs from the deployed one, in words."""
    if deployed is None or deployed.pk == row.pk:
        return []
    old, new = RevisionForm.of(deployed), RevisionForm.of(row)
    return [
        {"label": new.fields[name].label, "old": old.spoken(name), "new": new.spoken(name)}
        for name in revisions.SETTINGS
        if getattr(deployed, name) != getattr(row, name)
    ]
