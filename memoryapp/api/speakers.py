"""Speakers: people and their identities, whose voice it is, a device's history, whose workflow is running."""

import uuid
from typing import Any
from unicodedata import normalize

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from consent.domains import Domain
from memoryapp import device_history, links, rfc3339, workflows
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import EvidenceField, FutureField, IdField, StrictSerializer, TextField
from memoryapp.api.people import person_json
from memoryapp.api.talk import SpeakerBody
from memoryapp.errors import NotFound
from memoryapp.idempotency import About
from memoryapp.spoken import say
from memoryapp.voices import may_use, scope_json, scope_of
from speakers import identity
from speakers.identity import Speaker
from speakers.models import IdentityKind, IdentityLink, LinkState, Person


class IdentityBody(StrictSerializer):
    kind = serializers.ChoiceField(choices=IdentityKind.values)
    external_id = IdField()
    provider = IdField(required=False, allow_blank=True, default="", max_length=100)


class LinkBody(StrictSerializer):
    state = serializers.ChoiceField(choices=LinkState.values)
    evidence = EvidenceField(required=False, default=dict)


class NamedSpeakerBody(SpeakerBody):
    speaker_id = IdField()


class ResolveBody(StrictSerializer):
    speaker = SpeakerBody()
    domain = serializers.ChoiceField(choices=Domain.values, required=False, allow_null=True, default=None)


class WorkflowBody(StrictSerializer):
    workflow_id = IdField()
    speaker = NamedSpeakerBody()
    expires_at = FutureField(required=False, allow_null=True, default=None)

    def validate_workflow_id(self, value: str) -> str:
        if value.endswith("/authorize"):
            raise serializers.ValidationError(
                "Must not end with /authorize: that is another workflow's address."
            )
        return value


class AuthorizeBody(StrictSerializer):
    speaker = SpeakerBody()
    action = IdField()


class HistoryBody(StrictSerializer):
    speaker_id = IdField()
    display_name = TextField(required=False, allow_blank=True, default="", max_length=200)
    # A device's file, read row by row: a bad row is reported with its place and costs no other row.
    sessions = serializers.ListField(child=serializers.JSONField(), max_length=10_000)


def link_json(link: IdentityLink) -> dict[str, Any]:
    return {
        "identity_id": str(link.pk),
        "kind": link.identity.kind,
        "external_id": link.identity.external_id,
        "provider": link.identity.provider or None,
        "state": link.state,
        "evidence": link.evidence,
    }


class SpeakersView(ApiView):
    """What every endpoint about speakers needs."""

    permission = "speakers"

    def person(self, person_id: str) -> Person:
        """By the id we gave out. One that is unknown, or not the asserted user, is not found."""
        person = Person.objects.filter(public_id=as_uuid(person_id, "no such person")).first()
        asserted = self.caller.asserted_user_id
        if person is None or (asserted is not None and person.user_id != asserted):
            raise NotFound("no such person")
        return person


def about_voice(body: Any) -> About:
    """The person whose voice a body names, else the voice."""
    voice = normalize("NFC", str(body["speaker_id"]))  # as IdField does
    heard = Speaker(speaker_id=voice, speaker_state="identified", speaker_confidence=1.0)
    return About(identity.resolve(heard).person, voice=voice)


class PersonView(SpeakersView):
    """A person and the identities that may be theirs."""

    def get(self, request: Request, person_id: str) -> Response:
        person = self.person(person_id)
        found = sorted(identity.links_of(person), key=lambda link: link.created_at)
        return Response({**person_json(person), "identities": [link_json(link) for link in found]})


class IdentitiesView(SpeakersView):
    """Note that a voice, a face or an account may be this person's."""

    @idempotent
    def post(self, request: Request, person_id: str) -> Response:
        body = self.body(IdentityBody)
        link, made = identity.attach(self.person(person_id), **body)
        return Response(link_json(link), status=201 if made else 200)

    def about(self, request: Request) -> About:
        return About(self.person(self.kwargs["person_id"]))


class IdentityView(SpeakersView):
    """Link, verify, unlink or revoke, with the evidence for it."""

    @idempotent
    def patch(self, request: Request, identity_id: str) -> Response:
        body = self.body(LinkBody)
        link_id = as_uuid(identity_id, "no such identity")
        if self.caller.asserted_user_id is not None:
            self.person(_public_id_of(link_id))
        link = links.change(link_id, body["state"], actor=self.caller.name, evidence=body["evidence"])
        return Response(link_json(link))

    def about(self, request: Request) -> About:
        return About(Person.objects.get(links=self.kwargs["identity_id"]))


class ResolveView(SpeakersView):
    """Whose memory a voice may reach; with a domain named, whether that data of theirs may be used too (S3)."""

    def post(self, request: Request) -> Response:
        body = self.body(ResolveBody)
        scope = scope_of(self.caller, Speaker(**body["speaker"]))
        answer = scope_json(scope)
        if body["domain"] is not None:
            may = may_use(self.caller, scope, Domain(body["domain"]))
            answer |= {"domain": body["domain"], "domain_allowed": may}
        return Response(answer if scope.allowed else {**answer, "notice": say("stranger")})


class HistoryView(SpeakersView):
    """Import a device's history file."""

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(HistoryBody)
        done = device_history.take_in(self.caller, **body)
        return Response(device_history.report_json(done))

    def about(self, request: Request) -> About:
        return about_voice(request.data)


class WorkflowsView(SpeakersView):
    """Register who started a workflow."""

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(WorkflowBody)
        flow, made = workflows.register(
            self.caller, body["workflow_id"], Speaker(**body["speaker"]), expires_at=body["expires_at"]
        )
        answer = {
            "workflow_id": flow.workflow_id,
            "owner": flow.speaker_id,
            "expires_at": rfc3339.tell(flow.expires_at),
        }
        return Response(answer, status=201 if made else 200)

    def about(self, request: Request) -> About:
        data: Any = request.data
        return about_voice(data["speaker"])


class WorkflowView(SpeakersView):
    """End a workflow."""

    def delete(self, request: Request, workflow_id: str) -> Response:
        workflows.finish(self.caller, workflow_id)
        return Response(status=204)


class AuthorizeView(SpeakersView):
    """May this speaker do that to this workflow?"""

    def post(self, request: Request, workflow_id: str) -> Response:
        body = self.body(AuthorizeBody)
        verdict = workflows.authorize(self.caller, workflow_id, Speaker(**body["speaker"]))
        return Response(
            {
                "allowed": verdict.allowed,
                "needs_confirmation_from": verdict.needs_confirmation_from,
                "message": verdict.message,
            }
        )


def as_uuid(text: str, otherwise: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError as error:
        raise NotFound(otherwise) from error


def _public_id_of(link_id: uuid.UUID) -> str:
    link = IdentityLink.objects.select_related("person").filter(pk=link_id).first()
    if link is None:
        raise NotFound("no such identity")
    return str(link.person.public_id)
