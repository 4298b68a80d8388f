"""The memory_context of a present utterance: the device's snapshot, made safe, and what our store adds.

Memory is evidence only. Nothing here reads a route; the present utterance is always the required priority.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from consent import ledger
from consent.domains import MASTER, Domain
from memoryapp import gate
from memoryapp.a2a import budget, contract, known, nobody
from memoryapp.a2a.budget import Part
from memoryapp.a2a.request import Asked, Who, whose
from memoryapp.errors import Incognito, Refused, VaultUnavailable
from memoryapp.models import Memory, Recall
from memoryapp.permit import Act, Caller, Permit
from memoryapp.spoken import say
from memoryapp.vault import box_of
from memoryapp.voices import scope_json
from speakers.identity import voices_of
from speakers.models import Person

log = logging.getLogger(__name__)

CLOUD = "cloud_memory"


@dataclass(frozen=True, kw_only=True)
class Context:
    """The contract's memory_context; how much junk was in the snapshot; what to say to a stranger."""

    memory_context: dict[str, Any]
    dropped: int = 0
    notice: str = ""


def context(caller: Caller, asked: Asked) -> Context:
    """Normalise, keep what is this speaker's, add what our store knows, within the budget. Refuses nobody."""
    given = contract.normalise(asked.voice.snapshot)
    who = whose(caller, asked)
    permit = _permit(caller, asked, who)
    have = _theirs(caller, given.context, who)
    added = _added(permit, caller, asked, who, have)
    frame = {**have, "source": have["source"] or (CLOUD if added else "")}
    if who.scope is not None:
        frame["speaker_scope"] = scope_json(who.scope)
    tagged = [_tagged(part, who) for part in added]
    made, kept = budget.assemble(frame, _merged(budget.parts_of(have), tagged), asked.max_tokens)
    _receipt(permit, [part.source for part in kept if part.source is not None])
    return Context(memory_context=made, dropped=given.dropped, notice=say("stranger") if who.refused else "")


def _permit(caller: Caller, asked: Asked, who: Who) -> Permit | None:
    try:
        if who.user_id is None or asked.no_read:
            raise Incognito
        return gate.admit(caller, who.user_id, Act.RECALL, speaker=asked.voice.speaker)
    except Refused:
        return None


def _added(permit: Permit | None, caller: Caller, asked: Asked, who: Who, have: dict[str, Any]) -> list[Part]:
    """What we know. A failing store costs what it would have added, never the turn."""
    now = timezone.now()
    voice = asked.voice
    try:
        if permit is not None:
            return known.parts(
                permit, box_of(permit.person), have, session_id=voice.session_id, text=voice.text, now=now
            )
        return nobody.parts(caller, asked, who, have)
    except (DatabaseError, VaultUnavailable) as error:
        log.warning("context is not enriched: %s", type(error).__name__)
        return []


def _theirs(caller: Caller, have: dict[str, Any], who: Who) -> dict[str, Any]:
    """The parts of a snapshot that may be used for who is speaking now.

    A stranger hears nothing but what the same voice said before. Somebody's own voice is not served what is
    tagged as another's. Long-term parts are left out when their owner has switched memory off.
    """
    if who.scope is None:
        return _consented(caller, have, gate.find(who.user_id) if who.user_id and _lasting(have) else None)
    if who.person is None:
        mine = {who.scope.speaker_id} if who.scope.certain else set[str]()
        pairs = [pair for pair in have["short_term"]["recent_pairs"] if pair.get("speaker_id") in mine]
        bare = contract.normalise(None).context
        short = {**bare["short_term"], "recent_pairs": pairs}
        return {**bare, "source": have["source"], "sync": have["sync"], "short_term": short}
    return _consented(caller, _own(have, who.person), who.person)


def _own(have: dict[str, Any], person: Person) -> dict[str, Any]:
    voices, person_id = voices_of(person), str(person.public_id)

    def own(entry: dict[str, Any]) -> bool:
        voice, owner = entry.get("speaker_id"), entry.get("person_id")
        return (voice is None or voice in voices) and (owner in (None, person_id) or not _is_ours(owner))

    pairs = [pair for pair in have["short_term"]["recent_pairs"] if own(pair)]
    items = [item for item in have["long_term"]["profile_items"] if own(item)]
    return {
        **have,
        "short_term": {**have["short_term"], "recent_pairs": pairs},
        "long_term": {"profile_items": items},
    }


def _is_ours(person_id: str) -> bool:
    """Whether it looks like an id we gave out; a device may have names of its own for people."""
    try:
        uuid.UUID(person_id)
    except ValueError:
        return False
    return True


def _consented(caller: Caller, have: dict[str, Any], person: Person | None) -> dict[str, Any]:
    """Somebody who has switched memory off is not served the device's old copy of it either."""
    if person is None or not _lasting(have):
        return have
    standings = ledger.standings(person, caller.service.slug if caller.service else "")
    bare = contract.normalise(None).context
    if standings.forbids(MASTER):
        return {**have, "mid_term": bare["mid_term"], "long_term": bare["long_term"]}
    return {**have, "long_term": bare["long_term"]} if standings.forbids(Domain.PROFILE) else have


def _lasting(have: dict[str, Any]) -> bool:
    """Whether a snapshot holds anything but the session of now."""
    mid, long = have["mid_term"], have["long_term"]
    return bool(mid["daily_summaries"] or mid["weekly_digest"] or long["profile_items"])


def _tagged(part: Part, who: Who) -> Part:
    """With a speaker given, an item says whose it is (S4)."""
    if part.place != budget.ITEMS or who.scope is None or who.person is None:
        return part
    ids = {"speaker_id": who.scope.speaker_id, "person_id": str(who.person.public_id)}
    return Part(place=part.place, value={**ids, **part.value}, source=part.source)


def _merged(given: Sequence[Part], added: Sequence[Part]) -> list[Part]:
    """Both, days in their order. A confirmed item of ours replaces the device's for the same key."""
    keys = {part.value["key"] for part in added if part.place == budget.ITEMS and "key" in part.value}
    kept = [part for part in given if part.place != budget.ITEMS or part.value.get("key") not in keys]
    both = [*added, *kept]
    days = sorted((part for part in both if part.place == budget.DAYS), key=_day)
    return [*(part for part in both if part.place != budget.DAYS), *days]


def _day(part: Part) -> str:
    return str(part.value.get("day") or part.value.get("date"))


def _receipt(permit: Permit | None, used: Sequence[Memory]) -> None:
    """The person sees which memories went to which service, and when (X3). Ids only."""
    if permit is None or not used:
        return
    items = [
        {"memory_id": str(memory.pk), "content_version": memory.content_version, "score": 1.0}
        for memory in used
    ]
    Recall.objects.create(
        person=permit.person, service=permit.service, revision=permit.revision, at=timezone.now(), items=items
    )
