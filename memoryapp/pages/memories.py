"""My memories: the list with its filters, and deleting what is ticked."""

import uuid
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryapp import browse, gate, verdict
from memoryapp.api.pagination import page
from memoryapp.browse import Filters, Kind
from memoryapp.errors import Conflict, NotFound
from memoryapp.forget import Deleted, forget
from memoryapp.forms.own import FilterForm
from memoryapp.models import Scope
from memoryapp.pages.base import htmx, own_page
from memoryapp.pages.listed import listed
from memoryapp.permit import Act, Permit
from memoryapp.vault import box_of
from speakers.models import Person

ROWS = 30


@own_page
@require_GET
def memories(request: HttpRequest, person: Person) -> HttpResponse:
    """The list: tabs for the scope, more filters below them, thirty rows at a time."""
    permit = gate.own(person, Act.SEE)
    kinds = browse.kinds(permit)
    form = FilterForm(request.GET, choices=_choices(kinds))
    filters = form.filters()
    rows, after = page(browse.listing(permit, filters), request.GET.get("cursor"), ROWS)
    context = {
        "form": form,
        "filters": filters,
        "scope": filters.scope or "",
        "rows": listed(rows, box_of(person)),
        "next": _link(request.GET, cursor=after) if after else "",
        "first_page": "cursor" not in request.GET,
    }
    if htmx(request) and not context["first_page"]:
        return render(request, "mypage/memories_rows.html", context)
    waiting = sum(kind.count for kind in kinds if kind.candidate)
    context |= {"tabs": _tabs(request.GET, filters, kinds), "waiting": waiting}
    return render(request, "mypage/memories.html", context)


@own_page
@require_POST
def delete(request: HttpRequest, person: Person) -> HttpResponseBase:
    """Delete what is ticked. Without the dialog's yes it asks on a page of its own first."""
    permit = gate.own(person, Act.FORGET)
    ids = _ids(request.POST.getlist("ids"))
    back = _back(request.POST)
    if not ids:
        messages.warning(request, _("Nothing was selected."))
        return redirect(back)
    if request.POST.get("confirmed") != "yes":
        return _ask(request, permit, ids, back)
    try:
        deleted = forget(permit, ids)
    except NotFound:
        messages.error(request, _("Some of these are no longer there, so nothing was deleted. Look again."))
        return redirect(back)
    _tell(request, deleted)
    return redirect(back)


@own_page
@require_POST
def judge(request: HttpRequest, person: Person) -> HttpResponseBase:
    """Approve or decline the ticked candidates, each for itself: one that is gone holds up none of the others."""
    approving = request.POST.get("verdict") == "approve"
    permit = gate.own(person, Act.SAVE if approving else Act.FORGET)
    verb = verdict.approve if approving else verdict.decline
    done = 0
    for memory_id in _ids(request.POST.getlist("ids")):
        try:
            verb(permit, memory_id)
        except (NotFound, Conflict):
            messages.warning(request, _("One of these is no longer waiting and was left as it is."))
        else:
            done += 1
    if approving:
        text = ngettext("%(count)d memory was approved.", "%(count)d memories were approved.", done)
    else:
        text = ngettext("%(count)d memory was declined.", "%(count)d memories were declined.", done)
    messages.success(request, text % {"count": done})
    return redirect(_back(request.POST))


def _ask(request: HttpRequest, permit: Permit, ids: list[uuid.UUID], back: str) -> HttpResponse:
    rows = browse.visible(permit).filter(pk__in=ids).order_by("-created_at", "-pk")
    context = {"rows": listed(rows, box_of(permit.person)), "back": back}
    return render(request, "mypage/memories_delete.html", context)


def _tell(request: HttpRequest, deleted: Deleted) -> None:
    count = len(deleted.ids)
    text = ngettext("%(count)d memory was deleted.", "%(count)d memories were deleted.", count) % {
        "count": count
    }
    messages.success(request, text)
    if deleted.warnings:
        messages.warning(
            request, _("Some had already been lost from the search index; they were cleaned up too.")
        )


def _tabs(query: QueryDict, filters: Filters, kinds: Sequence[Kind]) -> list[dict[str, object]]:
    """all / personal / service, each with its count."""
    counts = {
        "": sum(kind.count for kind in kinds),
        Scope.PERSONAL.value: sum(kind.count for kind in kinds if not kind.service),
        Scope.SERVICE.value: sum(kind.count for kind in kinds if kind.service),
    }
    names = {"": _("All"), Scope.PERSONAL.value: _("Personal"), Scope.SERVICE.value: _("Service")}
    return [
        {
            "label": label,
            "count": counts[scope],
            "href": _link(query, scope=scope, cursor=None, service=None),
            "current": (filters.scope or "") == scope,
        }
        for scope, label in names.items()
    ]


def _choices(kinds: Sequence[Kind]) -> Mapping[str, list[str]]:
    """The services and projects that occur among one's own memories."""
    return {
        "service": sorted({kind.service for kind in kinds if kind.service}),
        "project_id": sorted({kind.project_id for kind in kinds if kind.project_id}),
    }


def _link(query: QueryDict, **changes: str | None) -> str:
    kept = {name: value for name, value in query.items() if value and name in FilterForm.base_fields}
    wanted = {name: value for name, value in {**kept, **changes}.items() if value}
    return reverse("memories") + (f"?{urlencode(wanted)}" if wanted else "")


def _back(data: QueryDict) -> str:
    """Back to the list as it was filtered; only our own filter names are taken over."""
    return _link(QueryDict(data.get("back", "").partition("?")[2]))


def _ids(texts: list[str]) -> list[uuid.UUID]:
    try:
        return [uuid.UUID(text) for text in dict.fromkeys(texts)][:500]
    except ValueError as error:
        raise NotFound("no such memory") from error
