"""Erase a person: their key first of all, then every row. What remains proves it and names nobody."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.utils import timezone

from memoryapp import erasures, gate, signing
from memoryapp.models import DevicePair, Erasure, IdempotentAnswer, PersonKey, Workflow
from memoryapp.permit import Permit
from speakers.models import Identity, IdentityKind, Person


@dataclass(frozen=True)
class Certificate:
    """Proof of an erasure: when, how many rows of what, and that the key is gone."""

    erasure: Erasure

    def as_dict(self) -> dict[str, Any]:
        """The document, signed; `verify_certificate` checks it without a database."""
        return dict(self.erasure.certificate)


def erase(permit: Permit) -> Certificate:
    """Destroy a person's key and remove every row about them, in all services and projects."""
    with transaction.atomic():
        permit = gate.again(permit)
        person = permit.person
        counts = _counts(person)
        PersonKey.objects.filter(person=person).delete()
        _delete_what_voices_said(person)
        _delete_lonely_identities(person)
        person.delete()
        record = Erasure(
            public_id=person.public_id,
            erased_at=timezone.now(),
            requested_by=permit.caller.name,
            counts=counts,
            key_destroyed=True,
        )
        record.certificate = signing.sign(_statement(record))
        record.save(force_insert=True)
        transaction.on_commit(erasures.keep_at_once, robust=True)
    return Certificate(record)


def _statement(record: Erasure) -> dict[str, Any]:
    return {
        "certificate_id": str(record.pk),
        "person_id": str(record.public_id),
        "erased_at": record.erased_at.isoformat(),
        "counts": record.counts,
        "key_destroyed": record.key_destroyed,
    }


def _counts(person: Person) -> dict[str, int]:
    """Rows per table that point at this person, before they go."""
    counts: dict[str, int] = {}
    for model in apps.get_models():
        owner = _owner_field(model)
        if owner is not None:
            number = model._default_manager.filter(**{owner: person.pk}).count()
            if number:
                counts[model._meta.model_name or ""] = number
    return counts


def _owner_field(model: type[models.Model]) -> str | None:
    for field in model._meta.get_fields():
        if isinstance(field, models.ForeignKey) and field.related_model is Person:
            return field.name
    names = {field.name for field in model._meta.get_fields()}
    return "owner_id" if "owner_id" in names else None


def _delete_what_voices_said(person: Person) -> None:
    """A voice of theirs may have spoken before anybody knew whose it was."""
    voices = person.links.filter(identity__kind=IdentityKind.VOICE).values("identity__external_id")
    for model in (DevicePair, IdempotentAnswer, Workflow):
        model._default_manager.filter(speaker_id__in=voices).exclude(speaker_id="").delete()


def _delete_lonely_identities(person: Person) -> None:
    """A voice that was known only as this person's is forgotten too."""
    mine = Identity.objects.filter(links__person=person)
    shared = Identity.objects.filter(links__isnull=False).exclude(links__person=person)
    mine.exclude(pk__in=shared.values("pk")).delete()
