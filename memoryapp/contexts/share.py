"""Share a block with another session of the same person at the same service, until that is revoked."""

from django.db import transaction

from memoryapp.contexts import leave, limits, prompt, reach
from memoryapp.contexts.reach import Session
from memoryapp.errors import Conflict, Invalid, NotFound
from memoryapp.models import ContextBlock, ContextGrant, ContextLoad
from memoryapp.permit import Permit
from memoryapp.vault import box_of


def share(permit: Permit, session_id: str, label: str, to_session_id: str) -> tuple[ContextBlock, bool]:
    """Grant the other session the use of a block, as its kind allows. → (the block, newly granted?)"""
    if to_session_id == session_id:
        raise Invalid("the same session", {"to_session_id": ["A session has its own blocks anyway."]})
    with transaction.atomic():
        permit = leave.again(permit)
        block = reach.own(Session.at(permit, session_id), label)
        other = reach.shown(Session.at(permit, to_session_id))
        if any(row.pk == block.pk for row in other):
            return block, False
        if any(reach.reads_alike(row.label, label) for row in other):
            raise Conflict("the other session has a block whose label reads the same")
        _room(block, len(other))
        ContextGrant.objects.create(
            block=block, person_id=block.person_id, service_id=block.service_id, to_session_id=to_session_id
        )
        return block, True


def _room(block: ContextBlock, blocks_there: int) -> None:
    if block.grants.count() >= limits.GRANTS_PER_BLOCK:
        raise Invalid("shared too often", {"to_session_id": [f"At most {limits.GRANTS_PER_BLOCK} sessions."]})
    if blocks_there >= limits.BLOCKS_PER_SESSION:
        raise Invalid(
            "too many blocks", {"to_session_id": [f"It has {limits.BLOCKS_PER_SESSION} blocks already."]}
        )


def revoke(permit: Permit, session_id: str, label: str, to_session_id: str) -> None:
    """End it: the block leaves the other session, its frozen prompt included. Raises NotFound."""
    with transaction.atomic():
        permit = leave.again(permit)
        block = reach.own(Session.at(permit, session_id), label)
        gone, _ = ContextGrant.objects.filter(block=block, to_session_id=to_session_id).delete()
        if not gone:
            raise NotFound("no such grant")
        ContextLoad.objects.filter(entry__block=block, session_id=to_session_id).delete()
        prompt.mend(box_of(permit.person), block, to_session_id)
