"""Erase a person: their key first of all, then every row. What remains proves it and names nobody."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError, transaction
from django.utils import timezone

from memoryapp import costs, deadlocks, erasures, gate, logins, signing
from memoryapp.errors import NotFound
from memoryapp.logins import counted
from memoryapp.models import DevicePair, Erasure, IdempotentAnswer, PersonKey, Workflow
from memoryapp.permit import Permit
from speakers.locks import lock_person
from speakers.models import Identity, IdentityKind, Person

#: A deadlock ends one of two; the other is then done.
TRIES = 3


@dataclass(frozen=True)
class Certificate:
    """Proof of an erasure: when, how many rows of what, and that the key is gone."""

    erasure: Erasure

    def as_dict(self) -> dict[str, Any]:
        """The document, signed; `verify_certificate` checks it without a database."""
        return dict(self.erasure.certificate)


def erase(permit: Permit) -> Certificate:
    """Destroy a person's key and remove every row about them, in all services and projects, and their login.

    A login that also administers stays (`logins.stays`). Raises NotFound for whom another call has erased meanwhile.
    """
    for _ in range(TRIES - 1):
        try:
            return _erase(permit)
        except OperationalError as error:
            if not deadlocks.lost(
                error
            ):  # else somebody who was writing about them waited for us, and we for them
                raise
    return _erase(permit)


def _erase(permit: Permit) -> Certificate:
    with transaction.atomic():
        lock_person(permit.person)
        # Whoever notes a use or a cost holds no such lock; their rows wait for this one, and then have nobody.
        if not Person.objects.select_for_update().filter(pk=permit.person.pk).exists():
            raise NotFound("no such user_id")
        permit = gate.again(permit)
        record = Erasure(
            public_id=permit.person.public_id,
            erased_at=timezone.now(),
            requested_by=permit.caller.name,
            counts=dict(_delete(permit.person)),
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


def _delete(person: Person) -> Counter[str]:
    """→ rows by model, as the deletions themselves tell: no table is looked through twice, and none is missed."""
    login = logins.of(person)
    gone = counted(PersonKey.objects.filter(person=person).delete())
    gone += _delete_what_voices_said(person)
    gone += _delete_lonely_identities(person)
    costs.unname(person)
    gone += counted(person.delete())
    if login is not None and not logins.stays(login):
        gone += logins.remove(login)
    return gone


def _delete_what_voices_said(person: Person) -> Counter[str]:
    """A voice of theirs may have spoken before anybody knew whose it was."""
    voices = person.links.filter(identity__kind=IdentityKind.VOICE).values("identity__external_id")
    gone: Counter[str] = Counter()
    for model in (DevicePair, IdempotentAnswer, Workflow):
        rows = model._default_manager.filter(speaker_id__in=voices).exclude(speaker_id="")
        gone += counted(rows.delete())
    return gone


def _delete_lonely_identities(person: Person) -> Counter[str]:
    """A voice that was known only as this person's is forgotten too."""
    mine = Identity.objects.filter(links__person=person)
    shared = Identity.objects.filter(links__isnull=False).exclude(links__person=person)
    return counted(mine.exclude(pk__in=shared.values("pk")).delete())
