"""Save a fact at once, because the person or their assistant asked for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from memoryapp import remember, sensitivity
from memoryapp.errors import NoConsent, NotFound
from memoryapp.extract import rules
from memoryapp.models import Origin, Scope
from memoryapp.permit import Permit
from memoryapp.remember import Item, Outcome


@dataclass(frozen=True, kw_only=True)
class SaveRequest:
    """A fact to save. What is None is found in the statement itself."""

    fact: str
    memory_type: str | None = None
    scope: str = Scope.PERSONAL
    project_id: str = ""
    sensitivity: str | None = None
    keywords: Sequence[str] = ()
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    source_event_ids: Sequence[str] = ()
    confidence: float | None = None


def save(permit: Permit, request: SaveRequest) -> Outcome:
    """Reconcile one fact with what is known and store it. Raises NoConsent for a scope not allowed."""
    if request.scope not in permit.scopes:
        raise NoConsent
    outcome = remember.remember(permit, [_item(permit, request)])[0]
    if outcome.memory is None:
        raise NotFound
    return outcome


def _item(permit: Permit, request: SaveRequest) -> Item:
    said_at = request.occurred_at or timezone.now()
    fact = rules.read_statement(request.fact, said_at, ZoneInfo(permit.person.zone))
    label = (
        sensitivity.normalise(request.sensitivity) if request.sensitivity is not None else fact.sensitivity
    )
    fact = replace(
        fact,
        memory_type=request.memory_type or fact.memory_type,
        # The caller's label is a floor: what is found in the text can only raise it.
        sensitivity=sensitivity.raise_to(label, sensitivity.detect_in([request.fact, *request.keywords])),
        occurred_at=request.occurred_at or fact.occurred_at,
        valid_from=request.valid_from or fact.valid_from,
        valid_to=request.valid_to or fact.valid_to,
        confidence=fact.confidence if request.confidence is None else request.confidence,
        keywords=tuple(request.keywords) or fact.keywords,
        ends=fact.ends and request.valid_from is None,
    )
    return Item(
        fact=fact,
        content=remember.content_of(fact, statement=request.fact, raw_content=request.fact),
        origin=Origin.SAVE if permit.caller.service else Origin.PERSON,
        said_at=said_at,
        scope=request.scope,
        project_id=request.project_id,
        sources={"event_ids": list(request.source_event_ids)} if request.source_event_ids else {},
    )
