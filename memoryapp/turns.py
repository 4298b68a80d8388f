"""Turns: record what was said (in the request), read it for facts (in the worker).

The row is the job. A message to the worker only hurries it; a sweep finds what no message announced,
and what a dead worker left behind is claimed again.
"""

import logging
import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp import claims, compress, costs, gate, hush, profile, reading, remember, take_back
from memoryapp.errors import Incognito, Refused
from memoryapp.extract.base import BadOutput, ExtractorDown
from memoryapp.hurry import hurry
from memoryapp.models import (
    Extraction,
    Origin,
    RevisionState,
    Scope,
    ServiceRevision,
    SystemSettings,
    Turn,
    TurnState,
)
from memoryapp.pairs import seal
from memoryapp.permit import Act, Caller, Permit
from memoryapp.reading import Found
from memoryapp.reconcile import NOTHING_TO_SETTLE
from memoryapp.remember import Item
from memoryapp.vault import box_of
from speakers.identity import Speaker
from speakers.models import Person

log = logging.getLogger(__name__)

CLAIM_SECONDS = 300
MAX_ATTEMPTS = 5
FIRST_WAIT = timedelta(seconds=15)  # and four times as long after each further failure
LONGEST_WAIT = max(FIRST_WAIT * 4 ** (MAX_ATTEMPTS - 2), costs.pause())


@dataclass(frozen=True, kw_only=True)
class TurnReport:
    """One turn as a runtime reports it."""

    session_id: str
    turn_id: str
    user_text: str
    assistant_text: str = ""
    occurred_at: datetime | None = None
    project_id: str = ""
    route_family: str = ""
    workflow_id: str = ""
    before: str = ""  # what the assistant had said last, if the runtime tells: perhaps a suggestion


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What became of a report: kept or not, when it will be read, and why not."""

    turn_id: str
    stored: bool
    extraction: str
    reason: str | None = None


def record(
    caller: Caller,
    user_id: str,
    report: TurnReport,
    *,
    speaker: Speaker | None = None,
    no_write: bool = False,
) -> Recorded:
    """Keep a turn if the person allows it. A refusal keeps nothing and is an answer, not an error."""
    try:
        if no_write:
            raise Incognito
        permit = gate.admit(caller, user_id, Act.RECORD, speaker=speaker)
        turn, made = _store(permit, report)
    except Refused as refusal:
        return Recorded(
            turn_id=report.turn_id, stored=False, extraction=Extraction.OFF, reason=refusal.reason
        )
    if made and turn.extraction == Extraction.QUEUED:
        hurry("memoryapp.digest", str(turn.pk))
    return Recorded(turn_id=turn.turn_id, stored=True, extraction=turn.extraction)


def _store(permit: Permit, report: TurnReport) -> tuple[Turn, bool]:
    """One row per (service, person, turn_id), however often it is reported."""
    with transaction.atomic():
        permit = gate.again(permit)
        known = Turn.objects.filter(
            service=permit.service, person=permit.person, turn_id=report.turn_id
        ).first()
        if known is not None:
            return known, False
        turn = build(permit, report)
        if hush.covers(turn):
            raise Incognito
        turn.save(force_insert=True)
        compress.touch(turn, permit.person)
    return turn, True


def build(permit: Permit, report: TurnReport, extraction: Extraction | None = None) -> Turn:
    """The row of a report, sealed and not yet saved. `extraction` None = as the switches are now."""
    extraction = extraction or when(permit.revision)
    turn = Turn(
        service=permit.service,
        person=permit.person,
        revision=permit.revision,
        turn_id=report.turn_id,
        session_id=report.session_id,
        project_id=report.project_id,
        speaker_id=permit.speaker.speaker_id if permit.speaker else "",
        route_family=report.route_family,
        workflow_id=report.workflow_id,
        occurred_at=report.occurred_at or timezone.now(),
        extraction=extraction,
        state=TurnState.SKIPPED if extraction == Extraction.OFF else TurnState.PENDING,
        next_try_at=timezone.now() if extraction == Extraction.QUEUED else None,
        hush=hush.mark(report.user_text),
    )
    turn.content = seal(box_of(permit.person), turn, report.user_text, report.assistant_text, report.before)
    return turn


def when(revision: ServiceRevision) -> Extraction:
    """Per-turn needs the revision's switch and the global one; what is left waits for the night."""
    if revision.per_turn_extraction and SystemSettings.current().per_turn_extraction_allowed:
        return Extraction.QUEUED
    return Extraction.NIGHTLY if revision.nightly_enabled else Extraction.OFF


def digest(turn_pk: uuid.UUID) -> None:
    """Read one turn for facts and remember them. Safe to run twice, at once, or after a crash."""
    turn = _claim(turn_pk)
    if turn is None:
        return
    try:
        permit = _permit(turn)
        if hush.heed(permit, turn):
            raise Incognito
        take_back.heed(permit, turn)
        if costs.budget_is_spent(turn.service):
            _pause(turn)
            return
        found, rejected = reading.read(permit, turn)
        outcomes = remember.remember(permit, [item_of(turn, permit, item) for item in found])
        profile.observe(permit, turn)
    except Refused as refusal:
        _finish(turn, TurnState.SKIPPED, error=refusal.reason)
    except (ExtractorDown, BadOutput) as error:
        _retry(turn, type(error).__name__)
    except Exception as error:  # a fault of ours: told, tried again, and not for ever
        _retry(turn, type(error).__name__)
        raise
    else:
        counts = Counter(one.operation.value for one in outcomes if one.reason != NOTHING_TO_SETTLE)
        _finish(turn, TurnState.DONE, counts=dict(counts) | ({"rejected": rejected} if rejected else {}))


def waiting(limit: int = 100) -> list[uuid.UUID]:
    """The turns that are due, and those a worker left behind, for the sweep to send off again."""
    now = timezone.now()
    return list(
        Turn.objects.filter(
            Q(claims.due("next_try_at", now, LONGEST_WAIT), state=TurnState.PENDING)
            | Q(claims.given_up(now, CLAIM_SECONDS), state=TurnState.RUNNING)
        )
        .order_by("next_try_at")
        .values_list("pk", flat=True)[:limit]
    )


def _claim(turn_pk: uuid.UUID) -> Turn | None:
    now = timezone.now()
    with transaction.atomic():
        turn = (
            Turn.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("service", "person")
            .filter(pk=turn_pk, state__in=[TurnState.PENDING, TurnState.RUNNING])
            .first()
        )
        if turn is None:
            return None
        if turn.state == TurnState.RUNNING and claims.holds(turn.claimed_at, now, CLAIM_SECONDS):
            return None
        if turn.attempts >= MAX_ATTEMPTS:  # it took its worker down each time
            _finish(turn, TurnState.FAILED, error="worker-lost")
            return None
        turn.state, turn.claimed_at, turn.attempts = TurnState.RUNNING, now, turn.attempts + 1
        turn.save(update_fields=["state", "claimed_at", "attempts"])
    return turn


def _permit(turn: Turn) -> Permit:
    """Ask the gate again, now: consent, switches and revision as they are, not as they were."""
    revision = turn.service.revisions.filter(state=RevisionState.DEPLOYED).first()
    caller = Caller(service=turn.service, revision=revision)
    return gate.admit(caller, turn.person.user_id, Act.EXTRACT)


def item_of(turn: Turn, permit: Permit, found: Found) -> Item:
    """A fact found in a turn, on its way into memory."""
    fact = found.fact
    only_service = permit.revision.recall_scopes == [Scope.SERVICE]
    return Item(
        fact=fact,
        # The clause, not the whole turn: what else was said in it may be more sensitive than this fact.
        content=remember.content_of(fact, raw_content=fact.statement),
        origin=Origin.EXTRACTION,
        said_at=turn.occurred_at,
        about=found.about,
        scope=Scope.SERVICE if only_service and Scope.SERVICE in permit.scopes else Scope.PERSONAL,
        project_id=turn.project_id,
        session_id=turn.session_id,
        sources={"event_ids": [turn.turn_id], "session_ids": [turn.session_id], "pair_ids": [str(turn.pk)]},
    )


def _finish(turn: Turn, state: TurnState, *, counts: dict[str, int] | None = None, error: str = "") -> None:
    turn.state, turn.counts, turn.error = state, counts or {}, error
    turn.finished_at, turn.claimed_at, turn.next_try_at = timezone.now(), None, None
    _keep(turn, "state", "counts", "error", "finished_at", "claimed_at", "next_try_at")


def _pause(turn: Turn) -> None:
    """The service's budget is spent: the turn waits, visibly, and costs no attempt."""
    turn.state, turn.error, turn.claimed_at = TurnState.PENDING, "budget-spent", None
    turn.attempts -= 1
    turn.next_try_at = timezone.now() + costs.pause()
    _keep(turn, "state", "error", "claimed_at", "attempts", "next_try_at")


def _retry(turn: Turn, error: str) -> None:
    """Back off and try again; after the last attempt it is `failed`, visible and retryable."""
    if turn.attempts >= MAX_ATTEMPTS:
        _finish(turn, TurnState.FAILED, error=error)
        return
    turn.state, turn.error, turn.claimed_at = TurnState.PENDING, error, None
    turn.next_try_at = timezone.now() + FIRST_WAIT * 4 ** (turn.attempts - 1)
    _keep(turn, "state", "error", "claimed_at", "next_try_at")


def _keep(turn: Turn, *names: str) -> None:
    """Write these columns, if the turn is still there: its person may have been erased meanwhile."""
    Turn.objects.filter(pk=turn.pk).update(**{name: getattr(turn, name) for name in names})


def skip_waiting(person: Person, service_slug: str = "") -> int:
    """After a withdrawal: what was not read yet is not read any more. → turns skipped."""
    waiting = Turn.objects.filter(person=person, state=TurnState.PENDING)
    if service_slug:
        waiting = waiting.filter(service__slug=service_slug)
    return waiting.update(state=TurnState.SKIPPED, error="no-consent", finished_at=timezone.now())
