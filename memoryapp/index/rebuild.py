"""Heal and rebuild the index: what waits, is stale or failed, and what a new embedding space still lacks.

Work is claimed row by row with SKIP LOCKED, so any number of workers share it, it can be stopped at any
moment, and goes on where it was. One bad item never holds up the others: it is `failed`, with the reason, and
tried again later. One that takes its worker down is tried alone, and last.
"""

import logging
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import numpy as np
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Least
from django.utils import timezone
from numpy.typing import NDArray

from memoryapp import claims, costs
from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.errors import VaultUnavailable
from memoryapp.index import embed, refresh, spaces
from memoryapp.models import EmbeddingSpace, IndexEntry, IndexState, Memory, Status, Vector
from memoryapp.one_by_one import of_the_row
from memoryapp.providers.base import EmbedderDown
from memoryapp.vault import Box, box_of

log = logging.getLogger(__name__)

CLAIM_SECONDS = 120
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(minutes=30)
BATCH = 32
ATTEMPTS_BEFORE_FAILED = 3
#: Why a row failed that so many workers in turn were lost over. It is tried alone.
WORKER_LOST = "worker-lost"
_MOST_ATTEMPTS = 1000
_WAITING = (IndexState.PENDING, IndexState.STALE, IndexState.FAILED)


T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A claimed memory with its text, as it was when it was claimed."""

    memory: Memory
    content: Content
    box: Box
    text: str


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a new space is: memories with a vector in it, of all that can have one."""

    done: int
    total: int


def heal(limit: int = BATCH) -> int:
    """Index one batch of what is due in the serving space, and in the one being built. → items indexed."""
    new, serving = spaces.building(), spaces.serving()
    under_way = new if new and not new.paused_at else None
    done = sum(_heal_space(space, limit) for space in (under_way, serving) if space)
    _switch_when_complete()
    return done


def progress(space: EmbeddingSpace) -> Progress:
    entries = _searchable()
    return Progress(done=entries.filter(_has(space)).count(), total=entries.count())


def coverage() -> dict[str, int]:
    """Memories by the state of their index, all seven; those whose index row is lost count as `delete_pending`."""
    counts = dict(IndexEntry.objects.values_list("state").annotate(Count("pk")))
    # By numbers that indexes tell alone: to look for each lost row would read every memory.
    alive = Memory.objects.count() - Memory.objects.filter(deleted_at__isnull=False).count()
    lost = max(0, alive - sum(counts.values()))
    return {state.value: counts.get(state.value, 0) for state in IndexState} | {
        IndexState.DELETE_PENDING.value: lost
    }


def _heal_space(space: EmbeddingSpace, limit: int) -> int:
    rows = _claim(space, limit) or _claim_suspect(space)
    claimed = [item for memory in rows if (item := _own_fault(memory, partial(_open, memory)))]
    if not claimed:
        return 0
    with costs.upkeep_charged():
        vectors = _together(space, claimed)
        return sum(
            _own_fault(item.memory, partial(_finish, item, space, vector)) or 0
            for item, vector in zip(claimed, vectors, strict=True)
        )


def _claim(space: EmbeddingSpace, limit: int) -> list[Memory]:
    """Due entries without a vector in this space, ours until CLAIM_SECONDS have passed."""
    now = timezone.now()
    abandoned = Q(claims.given_up(now, CLAIM_SECONDS), state=IndexState.INDEXING)
    lacking = Q(state=IndexState.INDEXED) & ~_has(space)
    # Stale for another space only: embedding it here once more would be paid for and change nothing.
    elsewhere = Q(state=IndexState.STALE) & _has(space)
    with transaction.atomic():
        due = _due(now).filter((Q(state__in=_WAITING) & ~elsewhere) | abandoned | lacking)
        ids = list(due.exclude(_suspect(now)).values_list("pk", flat=True)[:limit])
        IndexEntry.objects.filter(pk__in=ids).update(
            state=IndexState.INDEXING, claimed_at=now, attempts=Least(F("attempts") + 1, _MOST_ATTEMPTS)
        )
    return _memories(ids)


def _claim_suspect(space: EmbeddingSpace) -> list[Memory]:
    """One entry that workers were lost over, given up before it is tried: if this one is lost too, that stands."""
    now = timezone.now()
    with transaction.atomic():
        ids = list(_due(now).filter(_suspect(now)).values_list("pk", flat=True)[:1])
        IndexEntry.objects.filter(pk__in=ids).update(
            state=IndexState.FAILED,
            error=WORKER_LOST,
            claimed_at=None,
            next_try_at=now + LONGEST_WAIT,
            attempts=Least(F("attempts") + 1, _MOST_ATTEMPTS),
        )
    return _memories(ids)


def _due(now: datetime) -> QuerySet[IndexEntry]:
    waited = Q(next_try_at__isnull=True) | claims.due("next_try_at", now, LONGEST_WAIT)
    return IndexEntry.objects.select_for_update(skip_locked=True).filter(waited).order_by("next_try_at")


def _suspect(now: datetime) -> Q:
    abandoned = Q(claims.given_up(now, CLAIM_SECONDS), state=IndexState.INDEXING)
    return Q(abandoned, attempts__gte=ATTEMPTS_BEFORE_FAILED) | Q(state=IndexState.FAILED, error=WORKER_LOST)


def _memories(ids: Sequence[uuid.UUID]) -> list[Memory]:
    return list(Memory.objects.filter(pk__in=ids).select_related("person__key"))


def _own_fault(memory: Memory, step: Callable[[], T]) -> T | None:
    """One step for one row. What goes wrong there fails alone, is shown as `failed`, and is tried again later."""
    try:
        return step()
    except VaultUnavailable as error:
        _postpone(memory.pk, error.code)
    except EmbedderDown:
        _postpone(memory.pk, "embedding-unavailable")
    except Exception as error:  # a fault of ours, or a row that is not what we wrote
        if not of_the_row(error):
            raise
        log.error("memory %s cannot be indexed", memory.pk, exc_info=True)
        _postpone(memory.pk, type(error).__name__)
    return None


def _open(memory: Memory) -> Opened:
    box = box_of(memory.person)
    content = contents.read(memory, box)
    return Opened(memory=memory, content=content, box=box, text=content.searchable())


def _together(space: EmbeddingSpace, items: Sequence[Opened]) -> list[NDArray[np.float32] | None]:
    """The vectors of all in one call; None for each where that fails: then a single bad text fails alone."""
    if len(items) > 1:
        try:
            return list(embed.passages(space, [item.text for item in items]))
        except Exception as error:
            if not of_the_row(error):
                raise
            log.warning("a batch cannot be embedded (%s): one by one", type(error).__name__)
    return [None] * len(items)


def _finish(item: Opened, space: EmbeddingSpace, vector: NDArray[np.float32] | None) -> int:
    """Write only what still holds: the text may have been corrected or deleted while it was embedded."""
    if vector is None:
        [vector] = embed.passages(space, [item.text])
    with transaction.atomic():
        memory = Memory.objects.select_for_update().filter(pk=item.memory.pk).first()
        if memory is None or memory.status == Status.DELETED:
            return 0
        if memory.content_version != item.memory.content_version:
            IndexEntry.objects.filter(pk=memory.pk).update(
                state=IndexState.STALE, next_try_at=None, attempts=0
            )
            return 0
        if refresh.belongs(memory):
            refresh.store_vector(memory, item.content, space.pk, vector)
        refresh.put(memory, item.content, item.box, None)
    return 1


def _postpone(memory_id: uuid.UUID, error: str) -> None:
    entry = IndexEntry.objects.filter(pk=memory_id).first()
    if entry is None:
        return
    entry.state = IndexState.FAILED if entry.attempts >= ATTEMPTS_BEFORE_FAILED else IndexState.PENDING
    entry.next_try_at = timezone.now() + min(FIRST_WAIT * 2 ** min(entry.attempts - 1, 6), LONGEST_WAIT)
    entry.error, entry.claimed_at = error, None
    entry.save(update_fields=["state", "next_try_at", "error", "claimed_at", "updated_at"])


def _switch_when_complete() -> None:
    """Let the new space serve once every memory that can be embedded has its vector there."""
    space = spaces.building()
    if space is None or space.paused_at:
        return
    if not _searchable().exclude(state=IndexState.FAILED).exclude(_has(space)).exists():
        spaces.switch(space)


def _searchable() -> QuerySet[IndexEntry]:
    return IndexEntry.objects.exclude(state__in=[IndexState.EXCLUDED, IndexState.DELETE_PENDING])


def _has(space: EmbeddingSpace) -> Exists:
    return Exists(Vector.objects.filter(memory_id=OuterRef("pk"), space=space))
