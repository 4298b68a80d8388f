"""Replay: read a day's turns with a draft as well, of a person who agreed, and remember nothing of it (X8).

The row is the job: a worker takes its turns one by one, asks the gate before each, and what a dead worker
left behind is claimed again.
"""

import copy
import time
import uuid
from datetime import date, datetime, timedelta
from datetime import time as midnight
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from memoryapp import audit, claims, compress, costs, gate, lifecycle, reading, remember, sensitivity, turns
from memoryapp.errors import Invalid, MemoryOff, Refused
from memoryapp.extract.base import BadOutput, ExtractorDown
from memoryapp.hurry import hurry
from memoryapp.models import (
    GUARDED,
    WITHDRAWN,
    Replay,
    ReplayedTurn,
    ReplayState,
    RevisionState,
    ServiceRevision,
    Turn,
)
from memoryapp.permit import Act, Caller, Permit
from memoryapp.reconcile import NOTHING_TO_SETTLE, Decision, Operation
from memoryapp.remember import Item
from memoryapp.vault import box_of
from speakers.models import User

DEPLOYED, DRAFT = "deployed", "draft"
SIDES = (DEPLOYED, DRAFT)
#: What decides which facts a revision finds, and where it would put them.
READS_WITH = ("extractor", "extractor_url", "extractor_model", "recall_scopes")
MOST_TURNS = 200  # of one day; the first ones
SLICE_SECONDS = 240  # then the worker lets others have their turn
CLAIM_SECONDS = 300  # longer than two models take over one turn
MAX_ATTEMPTS = 5
DOWN_IN_A_ROW = 3  # so many turns without an answer, and the rest is not tried


def start(permit: Permit, draft: ServiceRevision, day: date, *, by: User | None = None) -> Replay:
    """Note what is to be read; the worker reads it. `day` is the person's own. Raises Invalid with what is wrong."""
    if draft.state != RevisionState.DRAFT:
        raise Invalid("only a draft can be tried", {"draft": ["Only a draft can be tried."]})
    if costs.budget_is_spent(permit.service):
        raise Invalid("the budget is spent", {"budget": ["This month's budget is spent."]})
    with transaction.atomic():
        permit = gate.again(permit)
        grant = permit.person.replay_grants.get(service=permit.service)
        under_way = Q(state__in=[ReplayState.PENDING, ReplayState.RUNNING])
        if grant.replays.filter(under_way, draft=draft, day=day).exists():
            raise Invalid("under way already", {"day": ["This trial is under way already."]})
        said = _said(permit, day)
        if not said:
            raise Invalid("no turns", {"day": ["Nothing was said on this day."]})
        replay = Replay.objects.create(
            grant=grant,
            deployed=permit.revision,
            draft=draft,
            tried={DEPLOYED: _settings(permit.revision), DRAFT: _settings(draft)},
            day=day,
            asked_by=by,
        )
        ReplayedTurn.objects.bulk_create([ReplayedTurn(replay=replay, turn_id=pk) for pk in said])
        audit.note(by, "replay.start", service=permit.service.slug, object_id=replay.pk)
        hurry("memoryapp.replay", str(replay.pk))
    return replay


def run(replay_pk: uuid.UUID) -> None:
    """Read what is not read yet. Safe to run twice, at once, or after a crash."""
    replay = _claim(replay_pk)
    if replay is None:
        return
    try:
        state, error = _read_on(replay)
    except Refused as refusal:  # taken back, and the row with it; or memory was switched off
        _keep(replay, state=ReplayState.FAILED, error=refusal.reason, finished_at=timezone.now())
    except Exception as problem:  # a fault of ours: told, and the admin may start anew
        code = type(problem).__name__
        _keep(replay, state=ReplayState.FAILED, error=code, finished_at=timezone.now())
        raise
    else:
        finished_at = None if state == ReplayState.PENDING else timezone.now()
        _keep(replay, state=state, error=error, finished_at=finished_at)
        if state == ReplayState.PENDING:
            hurry("memoryapp.replay", str(replay.pk))


def waiting(limit: int = 20) -> list[uuid.UUID]:
    """Those that nobody has taken yet, and those a worker left behind."""
    left = Q(claims.given_up(timezone.now(), CLAIM_SECONDS), state=ReplayState.RUNNING)
    due = Q(state=ReplayState.PENDING) | left
    return list(Replay.objects.filter(due).order_by("created_at").values_list("pk", flat=True)[:limit])


def place(row: ReplayedTurn) -> str:
    return f"replayed:{row.pk}"


def _settings(revision: ServiceRevision) -> dict[str, Any]:
    return {name: getattr(revision, name) for name in READS_WITH}


def _said(permit: Permit, day: date) -> list[uuid.UUID]:
    """The turns of a day, without those whose words were taken back or for which there was no consent."""
    start = datetime.combine(day, midnight(), ZoneInfo(permit.person.zone))
    rows = Turn.objects.filter(
        person=permit.person,
        service=permit.service,
        occurred_at__gte=start,
        occurred_at__lt=datetime.combine(day + timedelta(days=1), midnight(), start.tzinfo),
    )
    silenced = Q(error__in=[WITHDRAWN, "no-consent"]) | Q(pk__in=compress.hushed(permit.person))
    rows = rows.exclude(silenced).order_by("occurred_at", "pk")
    return list(rows.values_list("pk", flat=True)[:MOST_TURNS])


def _claim(replay_pk: uuid.UUID) -> Replay | None:
    now = timezone.now()
    with transaction.atomic():
        replay = (
            Replay.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("grant__person", "grant__service", "deployed", "draft")
            .filter(pk=replay_pk, state__in=[ReplayState.PENDING, ReplayState.RUNNING])
            .first()
        )
        if replay is None:
            return None
        if replay.state == ReplayState.RUNNING and claims.holds(replay.claimed_at, now, CLAIM_SECONDS):
            return None
        if replay.attempts >= MAX_ATTEMPTS:  # one of its turns took the worker down each time
            _keep(replay, state=ReplayState.FAILED, error="worker-lost", finished_at=now)
            return None
        _keep(replay, state=ReplayState.RUNNING, claimed_at=now, attempts=replay.attempts + 1)
    return replay


def _read_on(replay: Replay) -> tuple[ReplayState, str]:
    """Turn by turn, until all are read or time is over. → the state it is in then, and why it stopped."""
    stop_at, down = time.monotonic() + SLICE_SECONDS, 0
    while (row := _next(replay)) is not None:
        if costs.budget_is_spent(replay.grant.service):
            return ReplayState.FAILED, "budget-spent"
        if time.monotonic() > stop_at:
            return ReplayState.PENDING, ""
        found = _read(replay, row)
        down = down + 1 if _down(found) else 0
        if down == DOWN_IN_A_ROW:
            return ReplayState.FAILED, ExtractorDown.__name__
    return ReplayState.DONE, ""


def _next(replay: Replay) -> ReplayedTurn | None:
    unread = ReplayedTurn.objects.filter(replay=replay, content__isnull=True).select_related("turn")
    return unread.order_by("turn__occurred_at", "turn_id").first()


def _read(replay: Replay, row: ReplayedTurn) -> dict[str, Any]:
    """Both sides' findings in one turn, kept if the leave still holds when they are there."""
    permit = _ask(replay)
    found = {side: _side(replay, side, row.turn) for side in SIDES}
    with transaction.atomic():
        permit = gate.again(permit)
        sealed = box_of(permit.person).seal(found, place(row))
        ReplayedTurn.objects.filter(pk=row.pk).update(content=sealed)
        _keep(replay, claimed_at=timezone.now(), attempts=0)
    return found


def _ask(replay: Replay) -> Permit:
    """The gate, now: consent, the leave for trials and the service's own switch as they are, not as they were."""
    service = replay.grant.service
    revision = service.revisions.filter(state=RevisionState.DEPLOYED).first()
    return gate.admit(Caller(service=service, revision=revision), replay.grant.person.user_id, Act.REPLAY)


def _side(replay: Replay, side: str, turn: Turn) -> dict[str, Any]:
    """What one revision finds in a turn, what remembering it would do now, and what the finding took."""
    caller = Caller(service=replay.grant.service, revision=_as_tried(replay, side))
    try:
        permit = gate.admit(caller, replay.grant.person.user_id, Act.REPLAY)
    except MemoryOff as refusal:  # this revision would read nothing at all
        return _findings([], costs.Used(), costs.Used(), refusal.reason)
    reader, found, error = reading.Reader(permit, turn), [], ""
    try:
        found = reader.read()
    except (ExtractorDown, BadOutput) as failure:
        error = type(failure).__name__
    finally:
        for used in (reader.used, reader.looked_up):
            if used.calls:
                costs.charge(permit, costs.REPLAY, used)
    items = [turns.item_of(turn, permit, one) for one in found]
    foreseen = [one for one in remember.foresee(permit, items) if one[1].reason != NOTHING_TO_SETTLE]
    facts = [_fact(permit, item, decision) for item, decision in foreseen]
    return _findings(facts, reader.used, reader.looked_up, error)


def _as_tried(replay: Replay, side: str) -> ServiceRevision:
    """The revision as it was when the trial was asked for: a draft may be edited meanwhile. Never saved."""
    revision = copy.copy(replay.draft if side == DRAFT else replay.deployed)
    for name, value in replay.tried[side].items():
        setattr(revision, name, value)
    return revision


def _findings(
    facts: list[dict[str, Any]], used: costs.Used, looked_up: costs.Used, error: str
) -> dict[str, Any]:
    return {
        "facts": facts,
        "calls": used.calls,
        "tokens_in": used.tokens_in,
        "tokens_out": used.tokens_out,
        "looked_up": looked_up.tokens_in,
        "error": error,
    }


def _fact(permit: Permit, item: Item, decision: Decision) -> dict[str, Any]:
    """A fact as the admins may see it: guarded words are masked before they are kept."""
    fact = item.fact
    guarded = fact.sensitivity in GUARDED
    return {
        "statement": sensitivity.mask(fact.statement, fact.sensitivity) if guarded else fact.statement,
        "memory_type": fact.memory_type,
        "guarded": guarded,
        "outcome": _outcome(decision, held=bool(fact.quarantine)),
        "mark": lifecycle.fingerprint(box_of(permit.person), item.content),
    }


def _outcome(decision: Decision, *, held: bool) -> str:
    """What remembering would do, as a code: the operation, or what makes it less than that."""
    if decision.operation == Operation.NOOP or decision.late:
        return decision.reason
    return "held-back" if held else decision.operation.value


def _down(found: dict[str, Any]) -> bool:
    return any(found[side]["error"] == ExtractorDown.__name__ for side in SIDES)


def _keep(replay: Replay, **columns: Any) -> None:
    """Write these columns, if the row is still there: the leave may have been taken back meanwhile."""
    Replay.objects.filter(pk=replay.pk).update(**columns)
