"""Approve or decline a candidate: the person's own word on what was inferred or brought in (X7)."""

import uuid

from django.db import transaction
from django.utils import timezone

from memoryapp import browse, gate, lifecycle, reconcile, remember
from memoryapp import content as contents
from memoryapp.errors import Conflict
from memoryapp.index import refresh
from memoryapp.lifecycle import Deed
from memoryapp.models import Memory, Status
from memoryapp.permit import Permit
from memoryapp.reconcile import Known
from memoryapp.vault import Box, box_of


def approve(permit: Permit, memory_id: uuid.UUID) -> Memory:
    """Take a candidate into memory; what it contradicts becomes the past.

    Raises NotFound, Conflict when it is no candidate.
    """
    text = contents.read(_candidate(permit, memory_id), box_of(permit.person))
    embedded = refresh.prepare([text.searchable()])[0]
    with transaction.atomic():
        permit = gate.again(permit)
        box = box_of(permit.person)
        memory = _candidate(permit, memory_id)
        now = timezone.now()
        replaced = _replaced(memory, box)
        deed = Deed(action="approve", actor=permit.caller.name)
        columns = {"quarantine": "", "said_at": now}
        memory = lifecycle.move(memory, box, Status.CONFIRMED, deed, embedded=embedded, **columns)
        deed = Deed(action="replace", actor=permit.caller.name, reason="other-value")
        remember.succeed(memory, box, replaced, deed, at=memory.valid_from or now)
        return memory


def decline(permit: Permit, memory_id: uuid.UUID) -> Memory:
    """Turn a candidate down: it is deleted, and not proposed again from the same talk."""
    with transaction.atomic():
        permit = gate.again(permit)
        memory = _candidate(permit, memory_id)
        deed = Deed(action="decline", actor=permit.caller.name)
        return lifecycle.delete(memory, box_of(permit.person), deed)


def _candidate(permit: Permit, memory_id: uuid.UUID) -> Memory:
    memory = browse.one(permit, memory_id)
    if memory.status != Status.CANDIDATE:
        raise Conflict("only a candidate can be approved or declined")
    return memory


def _replaced(memory: Memory, box: Box) -> tuple[Known, ...]:
    """What stands now and cannot stand beside it."""
    content, mark = contents.read(memory, box), memory.fingerprint
    concerned = remember.known(
        memory.person, box, content, mark, service=memory.service, project_id=memory.project_id, told_to=None
    )
    return reconcile.replaced_by(content, mark, concerned)
