"""Detail: one memory that a recall named, read in full by the agent that may recall it."""

import uuid
from dataclasses import dataclass

from memoryapp import browse, own
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.errors import NotFound
from memoryapp.models import GUARDED, Memory, Status
from memoryapp.permit import Permit
from memoryapp.vault import box_of


@dataclass(frozen=True)
class Detail:
    """A memory and its open content."""

    memory: Memory
    content: Content


def detail(permit: Permit, memory_id: uuid.UUID) -> Detail:
    """What recall could have brought back, and nothing else. Raises NotFound; leaves a receipt."""
    memory = browse.one(permit, memory_id)
    if not _recallable(permit, memory):
        raise NotFound("no such memory")
    content = contents.read(memory, box_of(permit.person))
    own.receipt(permit, [(memory, 1.0)], "detail")
    return Detail(memory, content)


def _recallable(permit: Permit, memory: Memory) -> bool:
    """The revision's scopes hold here too; guarded content and candidates are for the person alone."""
    allowed = memory.scope in permit.revision.recall_scopes
    return allowed and memory.sensitivity not in GUARDED and memory.status != Status.CANDIDATE
