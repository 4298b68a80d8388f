"""Take something back along its sources: a pair, a session, a piece of evidence, all that a voice taught.

First a plan that can be shown, then one batch that carries it out, which can itself be undone until its
retention ends. What rests on the withdrawn turns alone is deleted, what rests on others too is brought back
to what those support, what had been replaced by it holds again, and every summary is written without it.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryapp import compress, gate, lineage, pairs, profile, unwind
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.lineage import Reversion
from memoryapp.models import WITHDRAWN, Evidence, Memory, Rollback, Status, Summary, Turn, TurnState
from memoryapp.permit import Act, Permit
from memoryapp.unwind import Step
from memoryapp.vault import Box, box_of
from speakers.models import IdentityLink, Person

PAIR, SESSION, CANDIDATE, LINK = "pair", "session", "candidate", "link"
_NOBODY = uuid.UUID(int=0)
#: So many turns one batch may take back; a longer session is taken back in parts.
MOST_TURNS = 5000


@dataclass(frozen=True, kw_only=True)
class Source:
    """What to take back: a pair or evidence or link by its id, a session by its name."""

    kind: str
    id: str


@dataclass(kw_only=True)
class Plan:
    """Everything derived from a source, and what will become of it."""

    turns: list[Turn]
    evidence: list[Evidence]
    removed: list[Memory] = field(default_factory=list)  # rests on nothing else
    reduced: list[Reversion] = field(default_factory=list)  # rests on other turns too
    restored: list[lineage.Heir] = field(default_factory=list)  # was replaced by what goes
    summaries: list[Summary] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        named = ("turns", "evidence", "removed", "reduced", "restored", "summaries")
        return {name: len(getattr(self, name)) for name in named}


def preview(permit: Permit, source: Source) -> Plan:
    """What taking this back would do. Changes nothing. Raises NotFound."""
    return _plan(permit.person, box_of(permit.person), *_found(permit, source))


def withdraw(permit: Permit, source: Source) -> Rollback:
    """Take it back, in one batch. Raises NotFound."""
    with transaction.atomic():
        permit = gate.again(permit)
        turns, evidence = _found(permit, source)
        return _carry_out(permit.person, source, turns, evidence, actor=permit.caller.name)


def withdraw_turns(
    person: Person, turns: Sequence[Turn], *, source: Source | None = None, actor: str = "system"
) -> Rollback:
    """The same for turns at hand, e.g. those a wrong voice has spoken, in the person's own name."""
    with transaction.atomic():
        permit = gate.again(gate.own(person, Act.FORGET))
        source = source or Source(kind=PAIR, id=str(turns[0].pk) if turns else "")
        evidence = list(Evidence.objects.filter(person=person, pair_id__in=[turn.pk for turn in turns]))
        return _carry_out(permit.person, source, list(turns), evidence, actor=actor)


def undo(permit: Permit, rollback_id: uuid.UUID) -> Rollback:
    """Put back what a batch took, except what was changed since. Raises NotFound, or Conflict if undone.

    A service undoes what it took back itself: another's batch holds turns that are not its own to see.
    """
    with transaction.atomic():
        permit = gate.again(permit)
        batches = Rollback.objects.select_for_update().filter(pk=rollback_id, person=permit.person)
        if permit.caller.service is not None:
            batches = batches.filter(actor=permit.caller.name)
        batch = batches.first()
        if batch is None:
            raise NotFound("no such roll-back")
        if batch.undone_at is not None:
            raise Conflict("this roll-back was undone already")
        box = box_of(permit.person)
        unwind.put_back(permit.person, box, box.open(batch.content, place(batch)), actor=permit.caller.name)
        batch.undone_at = timezone.now()
        batch.save(update_fields=["undone_at"])
    return batch


def turns_of_voice(person: Person, speaker_id: str) -> QuerySet[Turn]:
    """What was kept as this person's because of one voice."""
    return Turn.objects.filter(person=person, speaker_id=speaker_id)


def place(batch: Rollback) -> str:
    return f"rollback:{batch.pk}"


# ------------------------------------------------------------------ the plan


def _found(permit: Permit, source: Source) -> tuple[list[Turn], list[Evidence]]:
    """The turns and the evidence that a source names, within what the permit may see."""
    if source.kind == CANDIDATE:
        return [], _evidence(permit, source.id)
    turns = list(_turns(permit, source).exclude(error=WITHDRAWN).order_by("pk")[:MOST_TURNS])
    if not turns:
        raise NotFound("no such source")
    return turns, list(Evidence.objects.filter(person=permit.person, pair_id__in=[turn.pk for turn in turns]))


def _turns(permit: Permit, source: Source) -> QuerySet[Turn]:
    turns = Turn.objects.filter(person=permit.person)
    if permit.caller.service is not None:
        turns = turns.filter(service=permit.caller.service)
    if source.kind == PAIR:
        return turns.filter(Q(turn_id=source.id) | Q(pk=_uuid(source.id)))
    if source.kind == SESSION:
        return turns.filter(session_id=source.id)
    if source.kind == LINK:
        return turns.filter(speaker_id=_voice(permit.person, source.id))
    raise Invalid("unknown kind of source", {"source": [f"One of {PAIR}, {SESSION}, {CANDIDATE}, {LINK}."]})


def _evidence(permit: Permit, evidence_id: str) -> list[Evidence]:
    rows = Evidence.objects.filter(person=permit.person, pk=_uuid(evidence_id))
    if permit.caller.service is not None:
        rows = rows.filter(service=permit.caller.service)
    found = list(rows)
    if not found:
        raise NotFound("no such source")
    return found


def _voice(person: Person, link_id: str) -> str:
    link = IdentityLink.objects.select_related("identity").filter(person=person, pk=_uuid(link_id)).first()
    if link is None:
        raise NotFound("no such source")
    return link.identity.external_id


def _uuid(text: str) -> uuid.UUID:
    """An id of ours; any other text is the id of nothing."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return _NOBODY


def _plan(person: Person, box: Box, turns: list[Turn], evidence: list[Evidence]) -> Plan:
    plan = Plan(turns=turns, evidence=evidence)
    gone = {str(turn.pk) for turn in turns}
    going = {row.pk for row in evidence}
    for memory in lineage.resting_on(person, gone, evidence):
        if lineage.stands_alone(memory, gone, going):
            plan.reduced.append(lineage.reversion(memory, box, gone))
        else:
            plan.removed.append(memory)
    plan.restored = lineage.heirs(plan.removed)
    plan.summaries = list(
        Summary.objects.filter(person=person, pair_ids__overlap=[turn.pk for turn in turns])
    )
    return plan


# ------------------------------------------------------------------ the batch


def _carry_out(
    person: Person, source: Source, turns: list[Turn], evidence: list[Evidence], *, actor: str
) -> Rollback:
    """In the caller's transaction, under the person's lock."""
    box = box_of(person)
    plan = _plan(person, box, turns, evidence)
    batch = Rollback(
        person=person,
        source_kind=source.kind,
        source_id=source.id,
        actor=actor,
        counts=plan.counts,
        at=timezone.now(),
    )
    undo_by = unwind.record_before(box, plan.turns, plan.evidence)
    Evidence.objects.filter(pk__in=[row.pk for row in plan.evidence]).delete()
    _empty(box, plan.turns)
    undo_by["memories"] = [step.as_json() for step in _change(person, box, plan, actor)]
    compress.strip(person, box, plan.turns)
    batch.content = box.seal(undo_by, place(batch))
    batch.save(force_insert=True)
    return batch


def _empty(box: Box, turns: list[Turn]) -> None:
    """A withdrawn turn keeps its row, so that it is not reported again, and no words."""
    for turn in turns:
        turn.content = pairs.seal(box, turn, "", "")
        turn.speaker_id = turn.route_family = turn.workflow_id = ""
        turn.state, turn.error, turn.next_try_at = TurnState.SKIPPED, WITHDRAWN, None
    fields = ["content", "speaker_id", "route_family", "workflow_id", "state", "error", "next_try_at"]
    Turn.objects.bulk_update(turns, fields, batch_size=500)


def _change(person: Person, box: Box, plan: Plan, actor: str) -> list[Step]:
    steps = [unwind.remove(memory, box, actor) for memory in plan.removed]
    steps += [unwind.revert(item, box, actor) for item in plan.reduced]
    steps += [unwind.reinstate(heir, box, actor) for heir in plan.restored]
    for item in plan.reduced:
        if item.memory.status in (Status.CANDIDATE, Status.CONFIRMED) and item.memory.evidence.exists():
            profile.settle(person, box, item.memory)
    for step in steps:
        step.version = Memory.objects.values_list("version", flat=True).get(pk=step.memory_id)
    return steps


def plan_json(plan: Plan) -> dict[str, Any]:
    """A plan for a door: ids and numbers, never words."""
    return {
        "counts": plan.counts,
        "pair_ids": [str(turn.pk) for turn in plan.turns],
        "removed": [str(memory.pk) for memory in plan.removed],
        "reduced": [str(item.memory.pk) for item in plan.reduced],
        "restored": [str(heir.memory.pk) for heir in plan.restored],
        "summary_ids": [str(summary.pk) for summary in plan.summaries],
    }
