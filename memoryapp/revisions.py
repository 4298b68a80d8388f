"""Revisions of a service: draft, edit, deploy, roll back. Only a draft can be edited, only a deployed one acts."""

import hashlib
import json
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from memoryapp import audit
from memoryapp.errors import Conflict, Invalid, Stale
from memoryapp.models import ChatService, ExtractorKind, RevisionState, Scope, ServiceRevision
from memoryapp.render import check_template
from speakers.models import User

#: What a service admin decides per revision (G3, G9).
SETTINGS = (
    "memory_enabled", "per_turn_extraction", "nightly_enabled", "nightly_at", "extractor", "extractor_url",
    "extractor_model", "cost_bearer", "recall_scopes", "recall_top_k", "recall_threshold", "recall_max_tokens",
    "injection_mode", "context_template",
)  # fmt: skip


def draft(service: ChatService, by: User | None = None) -> ServiceRevision:
    """A new draft that starts as a copy of what is deployed."""
    with transaction.atomic():
        ChatService.objects.select_for_update().get(pk=service.pk)
        deployed = service.revisions.filter(state=RevisionState.DEPLOYED).first()
        number = (service.revisions.aggregate(top=Max("number"))["top"] or 0) + 1
        start = {name: getattr(deployed, name) for name in SETTINGS} if deployed else {}
        made = ServiceRevision.objects.create(service=service, number=number, created_by=by, **start)
        audit.note(by, "revision.draft", service=service.slug, object_id=made.pk)
        return made


def state(revision: ServiceRevision) -> str:
    """What a revision's settings are, in short: as long as it is the same, nobody has changed them."""
    told = json.dumps({name: getattr(revision, name) for name in SETTINGS}, default=str, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def edit(
    revision: ServiceRevision, *, by: User | None = None, seen: str = "", **settings: Any
) -> ServiceRevision:
    """Change a draft's settings. `seen`: the state they were changed from.

    Raises Conflict for any other revision, Stale when somebody changed it since, Invalid for a bad value.
    """
    with transaction.atomic():
        revision = ServiceRevision.objects.select_for_update().get(pk=revision.pk)
        if revision.state != RevisionState.DRAFT:
            raise Conflict("only a draft can be edited; make a new draft")
        if seen and seen != state(revision):
            raise Stale("somebody changed this draft in the meantime")
        if unknown := sorted(set(settings) - set(SETTINGS)):
            raise Invalid("unknown setting", {name: ["Unknown setting."] for name in unknown})
        changed = sorted(name for name, value in settings.items() if getattr(revision, name) != value)
        for name, value in settings.items():
            setattr(revision, name, value)
        _check(revision)
        revision.save()
        audit.note(
            by,
            "revision.edit",
            service=revision.service.slug,
            object_id=revision.pk,
            changed=changed,
        )
    return revision


def deploy(revision: ServiceRevision, by: User | None = None) -> ServiceRevision:
    """Let a draft, or an earlier revision (a roll-back), take effect; the one before retires."""
    with transaction.atomic():
        ChatService.objects.select_for_update().get(pk=revision.service_id)
        revision = ServiceRevision.objects.select_for_update().get(pk=revision.pk)
        _check(revision)
        deployed = ServiceRevision.objects.filter(
            service_id=revision.service_id, state=RevisionState.DEPLOYED
        )
        deployed.exclude(pk=revision.pk).update(state=RevisionState.RETIRED)
        revision.state, revision.deployed_at, revision.deployed_by = (
            RevisionState.DEPLOYED,
            timezone.now(),
            by,
        )
        revision.save(update_fields=["state", "deployed_at", "deployed_by"])
        audit.note(by, "revision.deploy", service=revision.service.slug, object_id=revision.pk)
    return revision


def _check(revision: ServiceRevision) -> None:
    if revision.context_template:
        check_template(revision.context_template)
    if not revision.recall_scopes or not set(revision.recall_scopes) <= set(Scope.values):
        raise Invalid("recall needs a scope", {"recall_scopes": ["Choose personal, service or both."]})
    if revision.extractor == ExtractorKind.REMOTE and not revision.extractor_url:
        raise Invalid("no address", {"extractor_url": [_("A remote memory server needs its address.")]})
    try:
        revision.clean_fields()
    except ValidationError as error:
        raise Invalid("some settings are not valid", error.message_dict) from error
