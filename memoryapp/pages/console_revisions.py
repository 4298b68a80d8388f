"""Revisions of a service: make a draft, edit it, compare, deploy, roll back."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import revisions
from memoryapp.errors import Invalid
from memoryapp.forms.console import RevisionForm
from memoryapp.models import ChatService, RevisionState, ServiceRevision
from memoryapp.pages.base import service_page, user_of
from memoryapp.render import prompt


@service_page
@require_POST
def draft(request: HttpRequest, service: ChatService) -> HttpResponse:
    """A new draft, a copy of what is deployed."""
    made = revisions.draft(service, user_of(request))
    return redirect("revision", service.slug, made.number)


@service_page
@require_http_methods(["GET", "POST"])
def revision(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """A draft's settings to edit, or another revision's to read."""
    row = _revision(service, number)
    editable = row.state == RevisionState.DRAFT
    form = RevisionForm(request.POST) if request.method == "POST" else RevisionForm.of(row)
    if request.method == "POST" and form.is_valid() and _saved(row, form):
        messages.success(request, _("The draft was saved. It has no effect until it is deployed."))
        return redirect("revision", service.slug, number)
    deployed = service.revisions.filter(state=RevisionState.DEPLOYED).first()
    context = {
        "service": service,
        "tab": "revisions",
        "revision": row,
        "form": form,
        "editable": editable,
        "deployed": deployed,
        "changes": _differences(deployed, row),
        "default_template": prompt("recall_context.txt"),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "console/revision.html", context, status=status)


@service_page
@require_POST
def deploy(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """Let this revision take effect; for an earlier one that is a roll-back."""
    row = _revision(service, number)
    back = row.state == RevisionState.RETIRED
    revisions.deploy(row, user_of(request))
    words = _("Rolled back to revision %(number)d.") if back else _("Revision %(number)d is deployed.")
    messages.success(request, words % {"number": number})
    return redirect("console_service", service.slug)


def _saved(row: ServiceRevision, form: RevisionForm) -> bool:
    try:
        revisions.edit(row, **form.cleaned_data)
    except Invalid as error:
        form.take(error)
        return False
    return True


def _revision(service: ChatService, number: int) -> ServiceRevision:
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
