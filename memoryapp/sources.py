"""Where a memory comes from, down to what was said."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from memoryapp import pairs, sensitivity
from memoryapp.models import Memory, Turn
from memoryapp.permit import Permit
from memoryapp.vault import box_of

#: A fact said a hundred times names its last twenty turns.
LIMIT = 20


@dataclass(frozen=True)
class SourceTurn:
    """One turn that taught a memory, as its owner may read it."""

    pk: uuid.UUID
    turn_id: str
    service: str
    session_id: str
    said: str
    answered: str
    at: datetime


def turns_of(permit: Permit, memory: Memory) -> list[SourceTurn]:
    """The turns a memory names as its sources and that are still kept, newest first, in one query.

    Whatever else in the turn is more sensitive than the memory stays masked.
    """
    ids = [pk for pk in map(_uuid, memory.sources.get("pair_ids", [])) if pk]
    turns = Turn.objects.filter(person=permit.person, pk__in=ids).select_related("service")
    box = box_of(permit.person)
    found = []
    for turn in turns.order_by("-occurred_at", "-pk")[:LIMIT]:
        pair = pairs.read(turn, box)
        if pair.user:
            found.append(
                SourceTurn(
                    pk=turn.pk,
                    turn_id=turn.turn_id,
                    service=turn.service.name,
                    session_id=turn.session_id,
                    said=sensitivity.beside(pair.user, memory.sensitivity),
                    answered=sensitivity.beside(pair.assistant, memory.sensitivity),
                    at=turn.occurred_at,
                )
            )
    return found


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
