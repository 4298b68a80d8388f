"""The super-admin's page: switches above all services, the embedding that serves, the index's state."""

from time import perf_counter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import audit, switches
from memoryapp.forms.console import SpaceForm
from memoryapp.index import embed, rebuild, spaces
from memoryapp.index.spaces import SpaceRefused
from memoryapp.models import EmbeddingSpace, IndexState, SystemSettings
from memoryapp.pages.base import system_page, user_of

BUILT_IN = "multilingual-e5-small"


@system_page
@require_http_methods(["GET", "POST"])
def system(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        allowed = request.POST.get("per_turn_extraction_allowed") == "on"
        switches.allow_per_turn_extraction(allowed, user_of(request))
        words = (
            _("Per-turn extraction is allowed again.")
            if allowed
            else _("Per-turn extraction is off everywhere.")
        )
        messages.success(request, words)
        return redirect("console_system")
    return _page(request, SpaceForm())


def _page(request: HttpRequest, form: SpaceForm) -> HttpResponse:
    building = spaces.building()
    context = {
        "form": form,
        "building": building,
        "progress": rebuild.progress(building) if building else None,
        "switches": SystemSettings.current(),
        "spaces": EmbeddingSpace.objects.order_by("-serving_since", "-pk"),
        "coverage": _coverage(),
    }
    return render(request, "console/system.html", context, status=422 if form.errors else 200)


@system_page
@require_POST
def test_embedding(request: HttpRequest) -> HttpResponse:
    """Ask the serving provider for one vector, and say how long it took."""
    space = spaces.serving()
    began = perf_counter()
    if space is None or not embed.healthy(space):
        messages.error(
            request, _("The embedding provider does not answer. Search goes on by keywords alone.")
        )
    else:
        took = {"ms": round(1000 * (perf_counter() - began))}
        messages.success(request, _("The embedding provider answers, in %(ms)d ms.") % took)
    return redirect("console_system")


@system_page
@require_POST
def propose_embedding(request: HttpRequest) -> HttpResponse:
    """Begin another space, if its provider answers; searches stay in the old one until it is complete."""
    form = SpaceForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    data = form.cleaned_data
    model = BUILT_IN if data["provider"] == "e5" else data["model"]
    space = EmbeddingSpace(
        provider=data["provider"], model=model, base_url=data["base_url"], dims=data["dims"] or 0
    )
    try:
        spaces.propose(space)
    except SpaceRefused:
        form.add_error(
            None, _("The provider does not answer, or its vectors are too wide. Nothing was changed.")
        )
        return _page(request, form)
    audit.note(user_of(request), "embedding.propose", object_id=space.pk)
    messages.success(
        request, _("The new space is being built. Searches go on in the old one until it is complete.")
    )
    return redirect("console_system")


@system_page
@require_POST
def pause_building(request: HttpRequest) -> HttpResponse:
    """Stop building for now: the provider, or the machine, is needed for something else."""
    if spaces.pause():
        audit.note(user_of(request), "embedding.pause")
    messages.success(request, _("Building has stopped. What is done is kept."))
    return redirect("console_system")


@system_page
@require_POST
def resume_building(request: HttpRequest) -> HttpResponse:
    """Go on where it stopped."""
    if spaces.resume():
        audit.note(user_of(request), "embedding.resume")
    messages.success(request, _("Building goes on where it stopped."))
    return redirect("console_system")


@system_page
@require_POST
def cancel_building(request: HttpRequest) -> HttpResponse:
    """Give up the space that is being built; what serves goes on serving."""
    spaces.cancel()
    audit.note(user_of(request), "embedding.cancel")
    messages.success(request, _("The new space was given up. Nothing changes for searches."))
    return redirect("console_system")


def _coverage() -> list[dict[str, object]]:
    """How many memories' index stands where, over everybody."""
    counts = rebuild.coverage()
    total = sum(counts.values())
    return [
        {
            "state": state,
            "count": counts[state.value],
            "percent": round(100 * counts[state.value] / total, 1) if total else 0,
        }
        for state in IndexState
    ]
