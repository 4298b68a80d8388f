"""Delete blocks: with their entries and grants, and out of every frozen prompt, at once."""

from django.db import transaction

from memoryapp.contexts import leave, prompt
from memoryapp.contexts.reach import Session
from memoryapp.contexts.said import Cannot
from memoryapp.contexts.set_context import remove_entry as _remove_entry
from memoryapp.errors import NotFound
from memoryapp.models import ContextBlock, ContextGrant, FrozenPrompt
from memoryapp.permit import Permit
from memoryapp.vault import box_of


def remove(permit: Permit, block: ContextBlock) -> None:
    """Delete one block, found with reach.own or reach.by_id, so that it is this permit's to delete."""
    with transaction.atomic():
        permit = leave.again(permit)
        shared_with = list(block.grants.values_list("to_session_id", flat=True))
        ContextBlock.objects.filter(pk=block.pk, person=permit.person).delete()
        prompt.mend(box_of(permit.person), block, *shared_with)


def remove_entry(permit: Permit, block: ContextBlock, key: str) -> None:
    """Delete one entry of a block, by its key or title. Raises NotFound."""
    with transaction.atomic():
        permit = leave.again(permit)
        block = ContextBlock.objects.select_for_update().get(pk=block.pk, person=permit.person)
        try:
            _remove_entry(block, box_of(permit.person), key)
        except Cannot as problem:
            raise NotFound("no such entry") from problem


def remove_session(permit: Permit, session_id: str) -> int:
    """Delete everything of one session: its blocks, its prompt, and that others' were shared with it.

    → the number of blocks.
    """
    with transaction.atomic():
        permit = leave.again(permit)
        session = Session.at(permit, session_id)
        blocks = ContextBlock.objects.filter(**session.whose, session_id=session_id)
        count = blocks.count()
        for block in blocks.filter(grants__isnull=False).distinct():
            remove(permit, block)
        blocks.delete()
        ContextGrant.objects.filter(**session.whose, to_session_id=session_id).delete()
        FrozenPrompt.objects.filter(**session.whose, session_id=session_id).delete()
        return count
