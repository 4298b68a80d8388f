"""Take in what a device wrote while it was away: each write once, by (device, client_id).

The rule for conflicts: a change to a memory names the version it was made from. If that is still the current
one, it is applied; if not, whoever wrote first stands, and the device gets the current state back to decide
anew. Nothing that was deleted comes back through a device: neither by its id, nor by its words, unless they
were said after the deletion.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from memoryapp import browse, gate, hush, lifecycle, profile, remember, save, sync, turns
from memoryapp.correct import correct
from memoryapp.errors import Conflict, Invalid, NotFound, Refused
from memoryapp.extract import rules
from memoryapp.forget import forget
from memoryapp.models import Device, Forgotten, Memory, PushedWrite
from memoryapp.permit import Permit
from memoryapp.save import SaveRequest
from memoryapp.signals import MEMORY_TYPE, Signal
from memoryapp.turns import TurnReport
from memoryapp.vault import box_of
from speakers.identity import Speaker

APPLIED, DUPLICATE, CONFLICT, REFUSED = "applied", "duplicate", "conflict", "refused"
MEMORY, PAIR, CANDIDATE = "memory", "pair", "profile_candidate"
_SPACE = uuid.UUID("5a1c0a52-6f0e-4f43-9a53-0d6a7f0b2c11")

#: A device whose clock is further ahead does not know when anything was said.
AHEAD = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True)
class Write:
    """One write of a device. `payload` is checked already; `raw` is as it came, to know a repeat by."""

    client_id: str
    kind: str
    payload: Mapping[str, Any]
    raw: Any
    base_version: int | None = None


@dataclass(frozen=True, kw_only=True)
class Result:
    """What became of it; with a conflict, `current` is the state that stands."""

    client_id: str
    result: str
    reason: str = ""
    id: str = ""
    version: int | None = None
    current: dict[str, Any] | None = field(default=None)


class _Refuse(Exception):
    """A write that cannot be taken, for a reason that repeating will not change."""


def push(permit: Permit, device_id: str, writes: Sequence[Write]) -> list[Result]:
    """Apply writes in order, each on its own: one that is refused costs no other. Raises NoConsent."""
    device = sync.device_of(permit, device_id)
    return [_once(permit, device, write) for write in writes]


def _once(permit: Permit, device: Device, write: Write) -> Result:
    """The effect and its answer commit together. A repeat, also at the same moment, gets the answer again."""
    told = json.dumps([write.kind, write.base_version, write.raw], ensure_ascii=False, sort_keys=True)
    mark = box_of(permit.person).mark(f"pushed|{told}")
    with transaction.atomic():
        new = PushedWrite(device=device, client_id=write.client_id, payload_mark=mark, result="")
        PushedWrite.objects.bulk_create([new], ignore_conflicts=True)
        row = PushedWrite.objects.select_for_update().get(device=device, client_id=write.client_id)
        if row.payload_mark != mark:
            return Result(client_id=write.client_id, result=REFUSED, reason="client-id-reused")
        if row.result:
            return _again(permit, row)
        result = _tried(permit, device, write)
        row.result, row.reason, row.object_id, row.version = (
            result.result, result.reason, result.id, result.version,
        )  # fmt: skip
        row.save(update_fields=["result", "reason", "object_id", "version"])
    return result


def _tried(permit: Permit, device: Device, write: Write) -> Result:
    try:
        with transaction.atomic():
            return _KINDS[write.kind](permit, device, write)
    except _Refuse as refusal:
        return Result(client_id=write.client_id, result=REFUSED, reason=str(refusal))
    except Conflict:
        return _conflict(permit, write)
    except NotFound:
        return Result(client_id=write.client_id, result=REFUSED, reason="gone")
    except Invalid:
        return Result(client_id=write.client_id, result=REFUSED, reason="invalid")
    except Refused as refusal:
        return Result(client_id=write.client_id, result=REFUSED, reason=refusal.reason)


def _again(permit: Permit, row: PushedWrite) -> Result:
    result = DUPLICATE if row.result == APPLIED else row.result
    again = Result(
        client_id=row.client_id, result=result, reason=row.reason, id=row.object_id, version=row.version
    )
    return _with_current(permit, again) if result == CONFLICT else again


def _conflict(permit: Permit, write: Write) -> Result:
    result = Result(
        client_id=write.client_id, result=CONFLICT, reason="changed-since", id=str(write.payload["memory_id"])
    )
    return _with_current(permit, result)


def _with_current(permit: Permit, result: Result) -> Result:
    version, current = standing(permit, result.id)
    return replace(result, version=version, current=current)


def standing(permit: Permit, memory_id: str) -> tuple[int | None, dict[str, Any] | None]:
    """The version and the state of a memory that stands now, as devices may hold it; None without one."""
    memory = browse.visible(permit).filter(pk=memory_id).first()
    if memory is None:
        return None, None
    return memory.version, sync.current(permit, memory, box_of(permit.person))


# ------------------------------------------------------------------ the kinds of writes


def _memory(permit: Permit, device: Device, write: Write) -> Result:
    if write.payload.get("memory_id") is not None:
        return _change(permit, write)
    if not write.payload.get("statement"):
        raise _Refuse("invalid")
    return _new(permit, write)


def _change(permit: Permit, write: Write) -> Result:
    permit = gate.again(permit)  # its lock, so that the version compared is the version changed
    memory = browse.one(permit, write.payload["memory_id"])
    if write.base_version is None:
        raise _Refuse("base-version-needed")
    if memory.version != write.base_version:
        raise Conflict("changed since")
    if write.payload.get("deleted"):
        forget(permit, [memory.pk])
        return _applied(write, memory, memory.version + 1)
    named = {name: value for name, value in write.payload.items() if name in _CHANGES}
    done = correct(permit, memory.pk, named, write.base_version)
    return _applied(write, done.memory, done.memory.version)


_CHANGES = frozenset({"statement", "keywords", "sensitivity", "confidence", "valid_from", "valid_to"})
_SAVES = _CHANGES | {"memory_type", "scope", "project_id", "occurred_at"}


def _new(permit: Permit, write: Write) -> Result:
    _not_deleted_before(permit, write)
    named = {name: value for name, value in write.payload.items() if name in _SAVES and value is not None}
    request = SaveRequest(fact=named.pop("statement"), **named)
    outcome = save.save(permit, request)
    if outcome.memory is None:
        raise NotFound
    return _applied(write, outcome.memory, outcome.memory.version)


def _not_deleted_before(permit: Permit, write: Write) -> None:
    """A device may have kept words that were deleted long ago; said after that, they are new.

    Where they are still to be said, its clock is wrong and tells nothing.
    """
    statement, said_at = write.payload["statement"], write.payload.get("occurred_at")
    fact = rules.read_statement(statement, said_at or timezone.now(), ZoneInfo(permit.person.zone))
    content = remember.content_of(fact, statement=statement, raw_content=statement)
    mark = lifecycle.fingerprint(box_of(permit.person), content)
    forgotten = Forgotten.objects.filter(person=permit.person, fingerprint=mark)
    if said_at is not None and said_at <= timezone.now() + AHEAD:
        forgotten = forgotten.filter(at__gte=said_at)
    if forgotten.exists():
        raise _Refuse("deleted")


def _pair(permit: Permit, device: Device, write: Write) -> Result:
    payload = write.payload
    name = payload.get("turn_id") or f"sync-{_own_id(device, write)}"
    report = TurnReport(
        session_id=payload.get("session_id") or "",
        turn_id=name,
        user_text=payload["user_text"],
        assistant_text=payload.get("assistant_text") or "",
        occurred_at=payload.get("occurred_at"),
        route_family=payload.get("route_family") or "",
        workflow_id=payload.get("workflow_id") or "",
    )
    kept = turns.record(permit.caller, permit.person.user_id, report, speaker=_speaker(payload))
    if not kept.stored:
        raise _Refuse(kept.reason or "refused")
    return Result(client_id=write.client_id, result=APPLIED, id=name)


def _speaker(payload: Mapping[str, Any]) -> Speaker | None:
    """Who spoke, as the device recognised it then; whose voice that is, the link says now."""
    if not payload.get("speaker_id"):
        return None
    sure = payload.get("speaker_confidence")
    return Speaker(
        speaker_id=payload["speaker_id"],
        speaker_state="identified",
        speaker_confidence=1.0 if sure is None else sure,
    )


def _candidate(permit: Permit, device: Device, write: Write) -> Result:
    key, at = write.payload["key"], write.payload.get("occurred_at") or timezone.now()
    if key not in MEMORY_TYPE:
        raise _Refuse("unknown-key")
    session_id = write.payload.get("session_id") or ""
    hush.refuse(permit, session_id, at)
    memory = profile.propose(
        permit,
        Signal(kind="resolved", key=key, value=write.payload["value"]),
        pair_id=_own_id(device, write),
        session_id=session_id,
        at=at,
    )
    if memory is None:
        raise _Refuse("deleted")
    return _applied(write, memory, memory.version)


_KINDS = {MEMORY: _memory, PAIR: _pair, CANDIDATE: _candidate}


def _own_id(device: Device, write: Write) -> uuid.UUID:
    """The same for every repeat of one write, and for no other."""
    return uuid.uuid5(_SPACE, json.dumps([device.pk, write.client_id]))


def _applied(write: Write, memory: Memory, version: int) -> Result:
    return Result(client_id=write.client_id, result=APPLIED, id=str(memory.pk), version=version)
