"""Show a person a masked value of their own, and keep a receipt of the look."""

import uuid

from django.db import IntegrityError

from memoryapp import browse
from memoryapp.errors import NotFound
from memoryapp.models import GUARDED, Memory, Reveal
from memoryapp.permit import Permit


def reveal(permit: Permit, memory_id: uuid.UUID) -> Memory:
    """One memory to be shown in the open. A look at a guarded one leaves a Reveal. Raises NotFound."""
    memory = browse.one(permit, memory_id)
    if memory.sensitivity in GUARDED:
        try:
            Reveal.objects.create(person=permit.person, memory=memory)
        except IntegrityError as error:  # purged or erased at this very moment
            raise NotFound("no such memory") from error
    return memory
