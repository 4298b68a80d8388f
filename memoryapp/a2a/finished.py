"""The memory_update after a finished turn: what the device may keep, and what we keep ourselves.

A turn is kept here only through `turns`, and so through the gate. Candidates are proposals: what becomes of
them is decided by evidence, never by one turn.
"""

import uuid
from typing import Any

from django.db import DatabaseError

from memoryapp import compress, gate, signals, turns
from memoryapp.a2a import contract, known, nobody
from memoryapp.a2a.contract import Route
from memoryapp.a2a.request import Asked, Who, said_before, whose
from memoryapp.errors import Incognito, Refused, VaultUnavailable
from memoryapp.permit import Act, Caller, Permit
from memoryapp.turns import TurnReport
from memoryapp.vault import box_of
from memoryapp.voices import scope_json

#: How sure one sign makes a candidate, in the contract's words.
_SURE = {"stated": "high", "accepted": "medium", "resolved": "medium", "said": "low"}


def update(caller: Caller, asked: Asked, route: Route) -> dict[str, Any]:
    """The contract's memory_update of a turn. Keeps nothing; `keep` does."""
    context = contract.normalise(asked.voice.snapshot).context
    who = whose(caller, asked)
    permit = _permit(caller, asked, who)
    return contract.update(
        user_text=asked.voice.text,
        route=route,
        sync=context["sync"],
        speaker=scope_json(who.scope) if who.scope else None,
        candidates=_candidates(asked, who, route, said_before(context)) if permit else [],
        session_summary=_session_summary(permit, asked) if permit else "",
    )


def keep(caller: Caller, asked: Asked, route: Route) -> None:
    """Keep the turn: as its person's if they allow it; of nobody's talk a pair for some hours."""
    who = whose(caller, asked)
    if who.user_id is None:
        nobody.keep(caller, asked, who, route)
        return
    voice = asked.voice
    report = TurnReport(
        session_id=voice.session_id,
        turn_id=voice.turn_id or f"a2a-{uuid.uuid4()}",
        user_text=voice.text,
        assistant_text=route.assistant_text,
        occurred_at=voice.occurred_at,
        route_family=route.route_family,
        workflow_id=route.workflow_id,
        before=said_before(contract.normalise(voice.snapshot).context),
    )
    kept = turns.record(caller, who.user_id, report, speaker=voice.speaker, no_write=asked.no_write)
    if kept.stored and voice.closed:
        _close(caller, who.user_id, voice.session_id)


def _close(caller: Caller, user_id: str, session_id: str) -> None:
    person = gate.find(user_id)
    if person is not None and caller.service is not None:
        compress.close(person, caller.service, session_id)


def _permit(caller: Caller, asked: Asked, who: Who) -> Permit | None:
    try:
        if who.user_id is None or asked.no_write:
            raise Incognito
        return gate.admit(caller, who.user_id, Act.RECORD, speaker=asked.voice.speaker)
    except Refused:
        return None


def _candidates(asked: Asked, who: Who, route: Route, before: str) -> list[dict[str, Any]]:
    """Proposed only for a speaker who is known: a candidate without a person is nobody's profile."""
    if who.scope is None or who.person is None:
        return []
    ids = {"speaker_id": who.scope.speaker_id, "person_id": str(who.person.public_id)}
    found = signals.read(asked.voice.text, route.assistant_text, before)
    return [
        {
            **ids,
            "type": "habit" if signal.memory_type == "HABIT" else "preference",
            "key": signal.key,
            "value": signal.value,
            "confidence": _SURE[signal.kind],
        }
        for signal in found
        if signal.kind != "declined"
    ]


def _session_summary(permit: Permit, asked: Asked) -> str:
    """For the device's cache. A store that fails costs the summary, not the update."""
    try:
        return known.session_summary(permit, box_of(permit.person), asked.voice.session_id)
    except (DatabaseError, VaultUnavailable):
        return ""
