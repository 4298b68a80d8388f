"""What I allow: one switch per domain with its plain notice, its history, and receipts to take away."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from consent import ledger
from consent.domains import FOLLOWS_MASTER, MASTER, Domain
from consent.models import ConsentEvent, ConsentState, Notice
from consent.notices import Outdated
from memoryapp import receipts as taken
from memoryapp import replay_grants
from memoryapp.forms.own import ConsentForm
from memoryapp.models import ChatService, Memory, Recall, Replay, ReplayGrant, Turn
from memoryapp.pages.base import own_page
from speakers.models import Person


@own_page
@require_GET
def consent(request: HttpRequest, person: Person) -> HttpResponse:
    """What holds, the notices, what was decided; who knows me, what holds there, and their trials."""
    return _show(request, person)


def _show(request: HttpRequest, person: Person, status: int = 200) -> HttpResponse:
    standings = ledger.standings(person)
    notices = {notice.domain: notice for notice in _latest_notices()}
    events = _events_by_domain(person)
    cards = [
        {
            "domain": standing.domain,
            "standing": standing,
            "notice": notices.get(standing.domain),
            "text": _text(notices.get(standing.domain)),
            "events": events[standing.domain],
            "master": standing.domain == MASTER,
            "follows": standing.domain in FOLLOWS_MASTER and standing.source == MASTER,
            "idle": standing.granted and not standings.allows(standing.domain),
        }
        for standing in standings
    ]
    context = {
        "cards": cards,
        "on": standings.allows(MASTER),
        "services": _services(person),
        "master_notice": notices.get(MASTER),
        "trial_days": settings.RETENTION_DAYS["replay"],
    }
    return render(request, "mypage/consent.html", context, status=status)


@own_page
@require_POST
def decide(request: HttpRequest, person: Person, domain: str) -> HttpResponse:
    """Switch one domain on or off. It holds when this returns. 409 for a yes to a text that was replaced meanwhile."""
    known = _domain(domain)
    form = ConsentForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for texts in form.errors.values() for text in texts))
        return redirect("consent")
    granted = form.cleaned_data["granted"] == "on"
    expires_at: datetime | None = form.cleaned_data["expires_at"]
    service = _service(form.cleaned_data["service"])
    try:
        ledger.decide(
            person,
            known,
            granted,
            actor="person",
            source="my-page",
            service=service,
            expires_at=expires_at,
            notice_version=form.cleaned_data["notice"],
        )
    except Outdated:
        messages.error(
            request,
            _("The text of “%(name)s” has changed meanwhile. Nothing was decided: read it and decide again.")
            % {"name": known.label},
        )
        return _show(request, person, status=409)
    messages.success(request, _after(known, granted, service))
    return redirect("consent")


@own_page
@require_GET
def receipts(request: HttpRequest, person: Person, domain: str) -> JsonResponse:
    """Every receipt of one domain, oldest first, and the signed head: to be checked without us."""
    known = _domain(domain)
    decided = taken.events(person, known)
    items = [ledger.receipt(event) for event in decided]
    answer = JsonResponse(
        {"domain": known, "receipts": items, "head": taken.head(decided)},
        json_dumps_params={"ensure_ascii": False, "indent": 2},
    )
    answer["Content-Disposition"] = f'attachment; filename="consent-{known}.json"'
    return answer


def _domain(text: str) -> Domain:
    try:
        return Domain(text)
    except ValueError as error:
        raise Http404 from error


def _service(slug: str) -> str:
    if slug and not ChatService.objects.filter(slug=slug).exists():
        raise Http404
    return slug


def _services(person: Person) -> list[dict[str, Any]]:
    """The services that have to do with this person, and whether one was shut out."""
    mine = {"person": person}
    states = {
        state.service: state
        for state in ConsentState.objects.filter(**mine, domain=MASTER).exclude(service="")
    }
    known = (
        Q(slug__in=states)
        | Exists(Turn.objects.filter(**mine, service=OuterRef("pk")))
        | Exists(Recall.objects.filter(**mine, service=OuterRef("pk")))
        | Exists(Memory.objects.filter(Q(service=OuterRef("pk")) | Q(origin_service=OuterRef("pk")), **mine))
    )
    grants = {grant.service_id: grant for grant in _grants(person)}
    return [
        {
            "service": service,
            "allowed": service.slug not in states or states[service.slug].granted,
            "grant": grants.get(service.pk),
        }
        for service in ChatService.objects.filter(known | Q(pk__in=grants)).order_by("name")
    ]


def _grants(person: Person) -> QuerySet[ReplayGrant]:
    """The leaves for trials that hold, each with the trials made under it."""
    trials = Replay.objects.select_related("draft").annotate(read=Count("turns")).order_by("-created_at")
    return replay_grants.holding().filter(person=person).prefetch_related(Prefetch("replays", trials))


def _latest_notices() -> list[Notice]:
    return list(Notice.objects.order_by("domain", "-version").distinct("domain"))


def _events_by_domain(person: Person) -> dict[str, list[ConsentEvent]]:
    """Newest first."""
    found: dict[str, list[ConsentEvent]] = defaultdict(list)
    for event in ConsentEvent.objects.filter(person=person).order_by("-pk"):
        found[event.domain].append(event)
    return found


def _text(notice: Notice | None) -> str:
    if notice is None:
        return ""
    texts: dict[str, Any] = notice.texts
    language = (get_language() or "ko").partition("-")[0]
    return str(texts.get(language) or next(iter(texts.values()), ""))


def _after(domain: Domain, granted: bool, service: str) -> str:
    if domain != MASTER or service:
        return _("Switched on.") if granted else _("Switched off. It holds from now on.")
    if granted:
        return _("Long-term memory is on. Services that use memory remember from now on.")
    return _(
        "Long-term memory is off. Nothing is remembered or used from now on; "
        "what was remembered stays in your list."
    )
