"""A person's leave for trials: for one service and one week, and gone with all that was found when they say so."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from consent import ledger
from consent.domains import MASTER
from memoryapp.errors import NoConsent
from memoryapp.models import ChatService, ReplayGrant
from speakers.locks import lock_person
from speakers.models import Person


def give(person: Person, service: ChatService) -> ReplayGrant:
    """From now on, for as long as results are kept. Raises NoConsent while memory is off for this service."""
    with transaction.atomic():
        lock_person(person)
        if not ledger.standings(person, service.slug).allows(MASTER):
            raise NoConsent
        mine = ReplayGrant.objects.filter(person=person, service=service)
        # What was found under a leave that has run out is not shown again under a new one.
        mine.filter(until__lte=timezone.now()).delete()
        until = timezone.now() + timedelta(days=settings.RETENTION_DAYS["replay"])
        return mine.get_or_create(person=person, service=service, defaults={"until": until})[0]


def take_back(person: Person, service_slug: str = "") -> int:
    """End the leave for one service, or for all. When this returns no result is left. → rows removed."""
    with transaction.atomic():
        lock_person(person)  # a turn that is being read at this moment finds no leave when it comes to write
        mine = ReplayGrant.objects.filter(person=person)
        return (mine.filter(service__slug=service_slug) if service_slug else mine).delete()[0]


def holding() -> QuerySet[ReplayGrant]:
    """The leaves that hold now."""
    return ReplayGrant.objects.filter(until__gt=timezone.now())
