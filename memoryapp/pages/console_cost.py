"""What a service's memory costs: tokens per day and stage, by revision, against the budget."""

import csv
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from memoryapp import costs
from memoryapp.budget import set_budget
from memoryapp.forms.console import BudgetForm
from memoryapp.models import ChatService
from memoryapp.pages.base import service_page, user_of

DAYS = 30
STAGES = (costs.EXTRACTION, costs.EMBEDDING, costs.RECALL, costs.REPLAY)
HEIGHT = 160  # pixels of the tallest bar

Row = dict[str, Any]


@dataclass(frozen=True)
class Piece:
    """One stage's part of a day's bar, in pixels from the top."""

    stage: str
    y: float
    height: float


@dataclass(frozen=True)
class Day:
    """One day's bar, in percent of the width."""

    day: date
    tokens: int
    x: float
    width: float
    pieces: list[Piece]


@service_page
@require_http_methods(["GET", "POST"])
def cost(request: HttpRequest, service: ChatService) -> HttpResponse:
    """Thirty days as a chart and as a table; a POST sets the month's budget."""
    form = BudgetForm(request.POST) if request.method == "POST" else BudgetForm.of(service)
    if request.method == "POST" and form.is_valid():
        set_budget(service, form.cleaned_data["tokens"], by=user_of(request))
        return redirect("console_cost", service.slug)
    rows = _rows(service)
    days = _days(rows)
    context = {
        "service": service,
        "tab": "cost",
        "form": form,
        "days": days,
        "stages": [(stage, _stage(stage)) for stage in STAGES],
        "height": HEIGHT,
        "top": max((day.tokens for day in days), default=0),
        "spent": costs.spent_this_month(service),
        "totals": _totals(rows),
    }
    return render(request, "console/cost.html", context, status=422 if form.errors else 200)


@service_page
@require_GET
def table(request: HttpRequest, service: ChatService) -> HttpResponse:
    """The same rows for a spreadsheet."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="cost-{service.slug}.csv"'
    out = csv.writer(answer)
    out.writerow(["day", "revision", "stage", "bearer", "calls", "tokens_in", "tokens_out"])
    for row in _rows(service):
        names = ("day", "revision__number", "stage", "bearer", "calls", "tokens_in", "tokens_out")
        out.writerow([row[name] for name in names])
    return answer


def _today() -> date:
    return timezone.now().astimezone(ZoneInfo(settings.SERVICE_ZONE)).date()


def _rows(service: ChatService) -> list[Row]:
    since = _today() - timedelta(days=DAYS - 1)
    return list(costs.by_day(ChatService.objects.filter(pk=service.pk), since))


def _days(rows: Iterable[Row]) -> list[Day]:
    """A bar for each of the thirty days, also for those without cost."""
    tokens: dict[date, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        tokens[row["day"]][row["stage"]] += row["tokens_in"] + row["tokens_out"]
    top = max((sum(day.values()) for day in tokens.values()), default=0) or 1
    first, slot = _today() - timedelta(days=DAYS - 1), 100 / DAYS
    return [
        _bar(first + timedelta(days=index), tokens[first + timedelta(days=index)], top, index * slot, slot)
        for index in range(DAYS)
    ]


def _bar(day: date, stages: dict[str, int], top: int, x: float, slot: float) -> Day:
    pieces, y = [], float(HEIGHT)
    for stage in STAGES:
        height = HEIGHT * stages.get(stage, 0) / top
        if height:
            y -= height
            pieces.append(Piece(stage, round(y, 1), round(height, 1)))
    return Day(day, sum(stages.values()), round(x + slot * 0.15, 2), round(slot * 0.7, 2), pieces)


def _totals(rows: Iterable[Row]) -> list[Row]:
    """Sums per revision, stage and bearer."""
    sums: dict[tuple[Any, str, str], Row] = {}
    for row in rows:
        key = (row["revision__number"], row["stage"], row["bearer"])
        total = sums.setdefault(key, {"calls": 0, "tokens_in": 0, "tokens_out": 0})
        for name in total:
            total[name] += row[name]
    return [
        {"revision": revision, "stage": _stage(stage), "bearer": _bearer(bearer), **total}
        for (revision, stage, bearer), total in sorted(sums.items(), key=_in_order)
    ]


def _in_order(item: tuple[tuple[Any, str, str], Row]) -> tuple[int, str, str]:
    revision, stage, bearer = item[0]
    return revision or 0, stage, bearer


def _stage(stage: str) -> str:
    names = {
        costs.EXTRACTION: _("Extraction"),
        costs.EMBEDDING: _("Indexing"),
        costs.RECALL: _("Recall"),
        costs.REPLAY: _("Trials"),
    }
    return names.get(stage, stage)


def _bearer(bearer: str) -> str:
    return _("the user") if bearer == "user" else _("the system")
