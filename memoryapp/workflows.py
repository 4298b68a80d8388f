"""Whose workflow is running: only its owner can say "cancel that" and be obeyed at once."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp.errors import Conflict, NotFound
from memoryapp.models import ChatService, Workflow
from memoryapp.permit import Caller
from memoryapp.spoken import say
from memoryapp.voices import scope_of
from speakers.identity import Speaker, SpeakerScope


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether it may be done at once, else whose word is needed, and what to say."""

    allowed: bool
    needs_confirmation_from: str | None = None
    message: str = ""


def register(
    caller: Caller, workflow_id: str, speaker: Speaker, *, expires_at: datetime | None = None
) -> tuple[Workflow, bool]:
    """Note who started a workflow. Raises Conflict while it runs for somebody else. → (workflow, made?)"""
    service = _service(caller)
    now = timezone.now()
    scope = scope_of(caller, speaker)
    with transaction.atomic():
        running = (
            Workflow.objects.select_for_update().filter(service=service, workflow_id=workflow_id).first()
        )
        if running is not None and running.expires_at > now:
            if not _is_owner(scope, running):
                raise Conflict("this workflow is running for another speaker")
            return running, False
        flow, _ = Workflow.objects.update_or_create(
            service=service,
            workflow_id=workflow_id,
            defaults={
                "speaker_id": speaker.speaker_id,
                "person": scope.person,
                "registered_at": now,
                "expires_at": expires_at or now + timedelta(hours=settings.WORKFLOW_HOURS),
            },
        )
    return flow, True


def authorize(caller: Caller, workflow_id: str, speaker: Speaker) -> Verdict:
    """Whether this speaker may act on a running workflow. Raises NotFound for none, or an expired one."""
    flow = _running(caller, workflow_id)
    if not _is_somebody_elses(caller, flow) and _is_owner(scope_of(caller, speaker), flow):
        return Verdict(allowed=True)
    return Verdict(allowed=False, needs_confirmation_from=flow.speaker_id, message=say("ask-owner"))


def finish(caller: Caller, workflow_id: str) -> None:
    """The workflow has ended. Raises NotFound, for one of somebody else than the asserted user too."""
    flow = _running(caller, workflow_id)
    if _is_somebody_elses(caller, flow) or (caller.asserted_user_id is not None and flow.person is None):
        raise NotFound("no such workflow")
    flow.delete()


def _is_owner(scope: SpeakerScope, flow: Workflow) -> bool:
    """The same voice, or another voice of the same person; a voice that is not certain is nobody's."""
    if not scope.certain:
        return False
    same_person = scope.person is not None and scope.person.pk == flow.person_id
    return same_person or scope.speaker_id == flow.speaker_id


def _is_somebody_elses(caller: Caller, flow: Workflow) -> bool:
    """A signed word on who the user is counts for more than a voice that says to be another's."""
    asserted = caller.asserted_user_id
    return asserted is not None and flow.person is not None and flow.person.user_id != asserted


def _running(caller: Caller, workflow_id: str) -> Workflow:
    running = Workflow.objects.select_related("person").filter(expires_at__gt=timezone.now())
    flow = running.filter(service=_service(caller), workflow_id=workflow_id).first()
    if flow is None:
        raise NotFound("no such workflow")
    return flow


def _service(caller: Caller) -> ChatService:
    if caller.service is None:
        raise NotFound("no such workflow")
    return caller.service
