"""What waits to be read, and what failed: ids and codes, never what was said."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryapp import nightly
from memoryapp.models import ChatService, TurnState
from memoryapp.pages.base import service_page, user_of
from memoryapp.retry import retry_failed

ROWS = 50
NIGHTS = 7


@service_page
@require_GET
def extraction(request: HttpRequest, service: ChatService) -> HttpResponse:
    """Turns by state, the failed ones by id and error code, the last nights."""
    failed = service.turns.filter(state=TurnState.FAILED).order_by("-finished_at", "-pk").defer("content")
    context = {
        "service": service,
        "tab": "extraction",
        "states": _states(service),
        "page": Paginator(failed, ROWS).get_page(request.GET.get("page")),
        "nights": _nights(service),
    }
    return render(request, "console/extraction.html", context)


def _nights(service: ChatService) -> list[dict[str, Any]]:
    """The last nights, with how many of their turns stand where; `moved`: taken again by a later night, or gone."""
    nights = list(service.nights.order_by("-local_date")[:NIGHTS])
    progress = nightly.progress_of(nights)
    return [
        {
            "night": night,
            "states": [
                (TurnState(state).label, count) for state, count in progress.get(night.pk, {}).items()
            ],
            "moved": max(night.turns - sum(progress.get(night.pk, {}).values()), 0),
        }
        for night in nights
    ]


def _states(service: ChatService) -> list[dict[str, Any]]:
    """How many turns stand where, and since when the oldest of them."""
    rows = service.turns.order_by().values("state").annotate(count=Count("pk"), oldest=Min("received_at"))
    found = {row["state"]: (row["count"], row["oldest"]) for row in rows}
    none = (0, None)
    return [
        {"state": state, "count": found.get(state, none)[0], "oldest": found.get(state, none)[1]}
        for state in TurnState
    ]


@service_page
@require_POST
def retry(request: HttpRequest, service: ChatService) -> HttpResponse:
    """Make failed turns due again: the ticked ones, or all."""
    ids = None if request.POST.get("all") else request.POST.getlist("ids")
    count = retry_failed(service, ids, by=user_of(request))
    text = ngettext("%(count)d turn is being tried again.", "%(count)d turns are being tried again.", count)
    messages.success(request, text % {"count": count})
    return redirect("console_extraction", service.slug)
