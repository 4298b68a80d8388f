"""A draft tried on a day's turns of somebody who agreed: facts and cost beside the deployed revision's.

The only pages of the console that show what was said, and they say by whose leave.
"""

import uuid
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from memoryapp import gate, replay_grants
from memoryapp import replay as trials
from memoryapp.errors import Invalid, Refused
from memoryapp.forms.console import ReplayForm
from memoryapp.models import (
    ChatService,
    ExtractorKind,
    MemoryType,
    Replay,
    ReplayState,
    RevisionState,
    ServiceRevision,
)
from memoryapp.pages.base import member_page, user_of
from memoryapp.pages.console_revisions import revision_of
from memoryapp.permit import Act, Caller, Permit
from memoryapp.replay_results import compare
from speakers.models import User

#: What remembering a fact would do now, or why nothing.
OUTCOMES = {
    "insert": _("a new memory"),
    "merge": _("confirms a memory"),
    "update": _("adds detail to a memory"),
    "replace": _("replaces a memory"),
    "expire": _("ends a memory"),
    "older-statement": _("kept as past: something newer is known"),
    "held-back": _("held back until the person approves"),
    "same-source": _("remembered already"),
    "known": _("remembered already"),
    "ended-since": _("had ended by then"),
    "forgotten": _("was deleted by the person"),
    "corrected-by-person": _("was corrected by the person"),
}
ERRORS = {
    "ExtractorDown": _("The extractor did not answer."),
    "BadOutput": _("The extractor's answer could not be read."),
    "memory-off": _("Memory is off in this revision: it reads nothing."),
    "no-consent": _("The person's agreement has ended."),
    "budget-spent": _("This month's budget is spent."),
    "worker-lost": _("Reading a turn failed again and again."),
}


@member_page
@require_http_methods(["GET", "POST"])
def replays(request: HttpRequest, service: ChatService, number: int) -> HttpResponse:
    """Who agreed, and the trials of this revision; a POST starts one."""
    draft, deployed = revision_of(service, number), _deployed(service)
    people = list(replay_grants.holding().filter(service=service).values_list("person__user_id", flat=True))
    today = timezone.now().astimezone(ZoneInfo(service.zone)).date()
    form = ReplayForm(request.POST or None, people=sorted(people), today=today)
    if request.method == "POST" and form.is_valid():
        made = _started(service, draft, form, user_of(request))
        if made is not None:
            return redirect("replay", service.slug, number, made.pk)
    context = {
        "service": service,
        "tab": "revisions",
        "revision": draft,
        "deployed": deployed,
        "form": form,
        "people": people,
        "may_start": draft.state == RevisionState.DRAFT and deployed is not None,
        "days": settings.RETENTION_DAYS["replay"],
        "rows": _counted(draft),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "console/replays.html", context, status=status)


@member_page
@require_GET
def replay(request: HttpRequest, service: ChatService, number: int, replay_id: uuid.UUID) -> HttpResponse:
    """What both sides found in each turn, and the sums."""
    draft = revision_of(service, number)
    row = _counted(draft).filter(pk=replay_id).first()
    if row is None:
        raise Http404
    try:
        permit = _permit(service, row.grant.person.user_id)
    except Refused as refusal:  # what nobody may see any more is not there any more
        raise Http404 from refusal
    found = compare(permit, row, by=user_of(request))
    context = {
        "service": service,
        "tab": "revisions",
        "revision": draft,
        "replay": row,
        "most": trials.MOST_TURNS if len(found.lines) >= trials.MOST_TURNS else None,
        "going": row.state in (ReplayState.PENDING, ReplayState.RUNNING),
        "complaint": ERRORS.get(row.error, row.error),
        "reads_with": {side: _spoken(row.tried[side]) for side in trials.SIDES},
        "found": found,
        "outcomes": OUTCOMES,
        "errors": ERRORS,
        "types": dict(MemoryType.choices),
    }
    return render(request, "console/replay.html", context)


def _deployed(service: ChatService) -> ServiceRevision | None:
    return service.revisions.filter(state=RevisionState.DEPLOYED).first()


def _permit(service: ChatService, user_id: str) -> Permit:
    return gate.admit(Caller(service=service, revision=_deployed(service)), user_id, Act.REPLAY)


def _started(service: ChatService, draft: ServiceRevision, form: ReplayForm, by: User) -> Replay | None:
    try:
        permit = _permit(service, form.cleaned_data["person"])
        return trials.start(permit, draft, form.cleaned_data["day"], by=by)
    except Refused:
        form.add_error("person", gettext("The person's agreement has ended, or memory is off."))
    except Invalid as error:
        form.take(error)
    return None


def _counted(draft: ServiceRevision) -> QuerySet[Replay]:
    """The trials of a revision that may still be seen, the newest first, with how far each is."""
    read = Count("turns", filter=Q(turns__content__isnull=False))
    rows = Replay.objects.filter(draft=draft, grant__in=replay_grants.holding())
    rows = rows.select_related("grant__person", "asked_by", "deployed", "draft")
    return rows.annotate(total=Count("turns"), read=read).order_by("-created_at")


def _spoken(tried: dict[str, str]) -> str:
    kind = str(ExtractorKind(tried["extractor"]).label)
    return f"{kind} · {tried['extractor_model']}" if tried["extractor_model"] else kind
