"""The services I administer, and one of them at a glance."""

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from memoryapp.forms.console import RevisionForm
from memoryapp.labels import ACTIONS, COLUMNS, PERMISSIONS
from memoryapp.models import AdminAction, ChatService, RevisionState, ServiceRevision, TurnState
from memoryapp.pages.base import own_services, service_page, user_of


@never_cache
@login_required
@require_GET
def services(request: HttpRequest) -> HttpResponse:
    """Own services only, each with what is deployed and what is stuck."""
    user = user_of(request)
    deployed = ServiceRevision.objects.filter(state=RevisionState.DEPLOYED)
    rows = list(
        own_services(user)
        .prefetch_related(Prefetch("revisions", deployed, to_attr="deployed"))
        .annotate(
            waiting=Count("turns", filter=Q(turns__state__in=[TurnState.PENDING, TurnState.RUNNING])),
            failed=Count("turns", filter=Q(turns__state=TurnState.FAILED)),
        )
    )
    if not rows and not user.is_superuser:
        raise PermissionDenied
    return render(request, "console/services.html", {"services": rows})


@service_page
@require_GET
def service(request: HttpRequest, service: ChatService) -> HttpResponse:
    """Its revisions, newest first, with who deployed what and when."""
    revisions = service.revisions.select_related("created_by", "deployed_by").order_by("-number")
    context = {
        "actions": [
            _told(one) for one in AdminAction.objects.filter(service=service.slug).order_by("-pk")[:20]
        ],
        "service": service,
        "tab": "revisions",
        "revisions": revisions,
        "deployed": next((one for one in revisions if one.state == RevisionState.DEPLOYED), None),
        "drafts": [one for one in revisions if one.state == RevisionState.DRAFT],
    }
    return render(request, "console/service.html", context)


#: By these, a key's permissions are kept; by those after them, names of settings.
_OF_A_KEY = {"key.issue", "key.rotate"}
_OF_SETTINGS = {"revision.edit", "service.change"}


def _told(action: AdminAction) -> dict[str, object]:
    """An action in plain words. Ids of what was acted on are kept, but tell nobody anything."""
    return {
        "what": ACTIONS.get(action.action, action.action),
        "changed": _changed(action),
        "who": action.actor_name,
        "at": action.at,
    }


def _changed(action: AdminAction) -> list[object]:
    if action.action in _OF_A_KEY:
        return [PERMISSIONS.get(code, code) for code in action.changed]
    if action.action in _OF_SETTINGS:
        settings = RevisionForm.base_fields
        return [
            settings[name].label if name in settings else COLUMNS.get(name, name) for name in action.changed
        ]
    return []
