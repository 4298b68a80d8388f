"""Delete memories: soft, at once, out of every list, index and snapshot; purged after the retention time."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from memoryapp import browse, compress, gate, lifecycle
from memoryapp.errors import NotFound, Stale
from memoryapp.lifecycle import Deed
from memoryapp.models import IndexEntry, Memory
from memoryapp.permit import Permit
from memoryapp.vault import box_of


@dataclass(frozen=True)
class Deleted:
    """What was deleted; `warnings` names those whose index rows were already gone."""

    ids: list[uuid.UUID]
    warnings: list[uuid.UUID]


def forget(
    permit: Permit, memory_ids: Sequence[uuid.UUID], *, may_return: bool = False, version: int | None = None
) -> Deleted:
    """Delete all of these or none.

    Raises NotFound when one is unknown, foreign or already deleted, Stale when it is no longer of `version`.
    """
    wanted = list(dict.fromkeys(memory_ids))
    with transaction.atomic():
        permit = gate.again(permit)
        rows = list(browse.visible(permit).select_for_update(of=("self",)).filter(pk__in=wanted))
        if len(rows) != len(wanted):
            raise NotFound("no such memory")
        if version is not None and any(row.version != version for row in rows):
            raise Stale("somebody changed this memory in the meantime")
        indexed = set(IndexEntry.objects.filter(pk__in=wanted).values_list("pk", flat=True))
        box = box_of(permit.person)
        for memory in rows:
            lifecycle.delete(
                memory, box, Deed(action="delete", actor=permit.caller.name), may_return=may_return
            )
        compress.hush(permit.person, box, rows)
    return Deleted(ids=wanted, warnings=[pk for pk in wanted if pk not in indexed])


def purge() -> int:
    """Remove for good what was deleted longer ago than the retention time. → rows removed."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS["deleted"])
    return Memory.objects.filter(deleted_at__lt=before).delete()[0]
