"""Give failed turns another chance, because an admin says so."""

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from memoryapp import audit
from memoryapp.hurry import hurry
from memoryapp.models import ChatService, Extraction, Turn, TurnState
from speakers.models import User


def retry_failed(service: ChatService, turn_ids: Sequence[str] | None, *, by: User | None = None) -> int:
    """Make failed turns of this service due now; None = all. Foreign and unknown ids are ignored. → how many.

    Consent, switches and revision are asked again when a turn is read, as always.
    """
    failed = Turn.objects.filter(service=service, state=TurnState.FAILED)
    if turn_ids is not None:
        failed = failed.filter(pk__in=[pk for pk in map(_uuid, turn_ids) if pk])
    with transaction.atomic():
        ids = list(failed.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Turn.objects.filter(pk__in=ids).update(
            state=TurnState.PENDING,
            extraction=Extraction.QUEUED,
            attempts=0,
            error="",
            next_try_at=timezone.now(),
            finished_at=None,
        )
        audit.note(by, "turns.retry", service=service.slug, changed=[str(pk) for pk in ids[:100]])
        for pk in ids:
            hurry("memoryapp.digest", str(pk))
    return len(ids)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
