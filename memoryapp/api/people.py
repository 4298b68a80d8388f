"""People and consent."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from consent import ledger, notices
from consent.domains import Domain
from consent.models import ConsentEvent
from memoryapp import erase, export, gate, persons, receipts
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import (
    CountField,
    EvidenceField,
    FlagField,
    FutureField,
    IdField,
    StrictSerializer,
    TextField,
)
from memoryapp.api.pagination import LogQuery, page_of_log
from memoryapp.errors import Conflict, NotFound
from memoryapp.permit import Act
from memoryapp.shapes import time_json
from speakers.models import Person


class UserQuery(StrictSerializer):
    user_id = IdField()


class PersonBody(StrictSerializer):
    user_id = IdField()
    display_name = TextField(max_length=200, required=False, default="", allow_blank=True)


class ConsentBody(StrictSerializer):
    user_id = IdField()
    granted = FlagField()
    evidence = EvidenceField(required=False, default=dict)
    expires_at = FutureField(required=False, allow_null=True, default=None)
    notice_version = CountField(
        required=False, allow_null=True, default=None, min_value=1, max_value=2_147_483_647
    )


def person_json(person: Person) -> dict[str, Any]:
    return {
        "person_id": str(person.public_id),
        "user_id": person.user_id,
        "display_name": person.display_name,
    }


def standing_json(standing: ledger.Standing) -> dict[str, Any]:
    return {
        "domain": standing.domain.value,
        "granted": standing.granted,
        "since": time_json(standing.since),
        "expires_at": time_json(standing.expires_at),
        "notice_version": standing.notice_version,
        "source": standing.source,
    }


class PersonsView(ApiView):
    """Know a person."""

    permission = "manage"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(PersonBody)
        person, made = persons.register(body["user_id"], body["display_name"])
        return Response(person_json(person), status=201 if made else 200)


class ConsentsView(ApiView):
    """What a person has allowed."""

    def get(self, request: Request) -> Response:
        user_id = self.query(UserQuery)["user_id"]
        standings = ledger.standings(
            gate.find(user_id), self.caller.service.slug if self.caller.service else ""
        )
        return Response({"items": [standing_json(item) for item in standings]})


class ConsentView(ApiView):
    """Record a decision, for a service that shows the notice itself."""

    permission = "consents"

    @idempotent
    def put(self, request: Request, domain: str) -> Response:
        known = _domain(domain)
        body = self.body(ConsentBody)
        slug = self.caller.service.slug if self.caller.service else ""
        person, _ = persons.register(body["user_id"])
        try:
            event = ledger.decide(
                person,
                known,
                body["granted"],
                actor=self.caller.name,
                source=f"api:{slug}",
                evidence=body["evidence"],
                expires_at=body["expires_at"],
                notice_version=body["notice_version"],
            )
        except notices.Outdated as error:
            raise Conflict("another version of this notice is published now; show that one") from error
        state = ledger.standings(person, slug).by_domain[known]
        return Response({**standing_json(state), "receipt_id": str(event.receipt_id)})


class ReceiptsView(ApiView):
    """The receipts of one domain, oldest first, verifiable offline; each page has the signed head of the whole."""

    def get(self, request: Request, domain: str) -> Response:
        known, query = _domain(domain), self.query(LogQuery)
        person = gate.find(query["user_id"])
        decided = receipts.events(person, known)
        # No further than the head: what is decided meanwhile is in the next answer.
        rows: QuerySet[ConsentEvent] = ConsentEvent.objects.filter(pk__in=[event.pk for event in decided])
        events, after = page_of_log(rows.select_related("person"), query["cursor"], query["limit"])
        items = [ledger.receipt(event) for event in events]
        return Response({"items": items, "next": after, "head": receipts.head(decided)})


class UserView(ApiView):
    """Erase a person."""

    permission = "erase"

    @idempotent
    def delete(self, request: Request, user_id: str) -> Response:
        valid = UserQuery(data={"user_id": user_id})
        valid.is_valid(raise_exception=True)
        permit = gate.admit(self.caller, valid.validated_data["user_id"], Act.ERASE)
        return Response(erase.erase(permit).as_dict())


class ExportView(ApiView):
    """Everything about a person that this service may see, one JSON object per line."""

    permission = "manage"

    def get(self, request: Request) -> Any:
        permit = gate.admit(self.caller, self.query(UserQuery)["user_id"], Act.SEE)
        return export.response(permit)


def _domain(name: str) -> Domain:
    if name not in Domain.values:
        raise NotFound("no such domain")
    return Domain(name)
