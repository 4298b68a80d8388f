"""The person's own hand: change a block or an entry on my page. It shows at once, in frozen prompts too."""

from django.db import transaction

from memoryapp.contexts import entries, leave, prompt, store, words
from memoryapp.errors import NotFound, Stale
from memoryapp.models import ContextBlock, ContextEntry
from memoryapp.permit import Permit
from memoryapp.vault import box_of


def edit(
    permit: Permit, block: ContextBlock, text: str, version: int, *, entry: ContextEntry | None = None
) -> ContextBlock:
    """Replace the text of a block, or of one of its entries.

    `version` is the block's as it was read. Raises Stale when it has changed since, Cannot when too long.
    """
    with transaction.atomic():
        permit = leave.again(permit)
        block = _locked(permit, block, version)
        box = box_of(permit.person)
        block.edition += 1
        if entry is None:
            store.set_text(block, box, text)
        else:
            title = words.read_heading(entry, box).title
            entries.put(block, box, title=title, description=None, content=text)
        prompt.mend(box, block)
    return block


def _locked(permit: Permit, block: ContextBlock, version: int) -> ContextBlock:
    row = ContextBlock.objects.select_for_update().filter(pk=block.pk, person=permit.person).first()
    if row is None:
        raise NotFound("no such context")
    if row.version != version:
        raise Stale
    return row
