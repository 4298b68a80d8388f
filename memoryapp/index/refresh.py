"""Keep the index in step with the memories: written with them, healed by the worker."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from pgvector import HalfVector

from memoryapp import content as contents
from memoryapp.content import Content
from memoryapp.index import embed, terms
from memoryapp.models import GUARDED, EmbeddingSpace, IndexEntry, IndexState, Memory, Status, Vector
from memoryapp.providers.base import EmbedderDown
from memoryapp.vault import Box, box_of

MAX_ATTEMPTS_BEFORE_FAILED = 3
CLAIM_SECONDS = 120


@dataclass(frozen=True)
class Embedded:
    """A passage's vector, made before any lock is taken. `vector` is None when the embedder is down."""

    space_id: int | None
    vector: np.ndarray | None


def prepare(texts: Sequence[str]) -> list[Embedded]:
    """Embed passages outside any transaction. An outage costs the vector, never the memory."""
    space = embed.serving()
    if space is None:
        return [Embedded(None, None)] * len(texts)
    try:
        return [Embedded(space.pk, vector) for vector in embed.passages(space, list(texts))]
    except EmbedderDown:
        return [Embedded(space.pk, None)] * len(texts)


def put(memory: Memory, content: Content, box: Box, embedded: Embedded) -> None:
    """Write a memory's index rows, in the caller's transaction."""
    Vector.objects.filter(memory=memory).delete()
    if not belongs(memory):
        _store(memory, IndexState.EXCLUDED, None, box)
        return
    has_vector = embedded.vector is not None
    _store(memory, IndexState.INDEXED if has_vector else IndexState.PENDING, content, box)
    if has_vector:
        _store_vector(memory, content, embedded)


def belongs(memory: Memory) -> bool:
    """Whether a memory may be searched: not while it waits for approval, never guarded content."""
    return memory.status not in (Status.CANDIDATE, Status.DELETED) and memory.sensitivity not in GUARDED


def drop(memory: Memory) -> None:
    """Take a memory out of the index at once, in the caller's transaction."""
    Vector.objects.filter(memory=memory).delete()
    IndexEntry.objects.filter(memory=memory).delete()


def heal(limit: int = 64) -> int:
    """Index what waits, is stale or failed. One bad item never holds up the others. → how many were indexed."""
    space = embed.serving()
    if space is None:
        return 0
    done = 0
    for memory_id in _claim(limit):
        done += _heal_one(memory_id, space)
    return done


def _claim(limit: int) -> list[object]:
    now = timezone.now()
    waiting = Q(state__in=[IndexState.PENDING, IndexState.STALE, IndexState.FAILED]) | Q(
        state=IndexState.INDEXING, claimed_at__lt=now - timedelta(seconds=CLAIM_SECONDS)
    )
    with transaction.atomic():
        ids = list(
            IndexEntry.objects.select_for_update(skip_locked=True)
            .filter(waiting, Q(next_try_at__isnull=True) | Q(next_try_at__lte=now))
            .order_by("next_try_at")
            .values_list("pk", flat=True)[:limit]
        )
        IndexEntry.objects.filter(pk__in=ids).update(state=IndexState.INDEXING, claimed_at=now)
    return ids


def _heal_one(memory_id: object, space: EmbeddingSpace) -> int:
    memory = Memory.objects.select_related("person__key").filter(pk=memory_id).first()
    if memory is None:
        return 0
    box = box_of(memory.person)
    content = contents.read(memory, box)
    try:
        vector = embed.passages(space, [content.searchable()])[0]
    except EmbedderDown as error:
        _postpone(memory_id, type(error).__name__)
        return 0
    return _finish(memory_id, memory.content_version, content, box, Embedded(space.pk, vector))


def _finish(memory_id: object, seen: int, content: Content, box: Box, embedded: Embedded) -> int:
    """Write only what still holds: the text may have been corrected while it was being embedded."""
    with transaction.atomic():
        memory = Memory.objects.select_for_update().filter(pk=memory_id).first()
        if memory is None or memory.status == Status.DELETED:
            return 0
        if memory.content_version != seen:
            IndexEntry.objects.filter(pk=memory_id).update(state=IndexState.STALE, next_try_at=None)
            return 0
        put(memory, content, box, embedded)
    return 1


def _postpone(memory_id: object, error: str) -> None:
    entry = IndexEntry.objects.get(pk=memory_id)
    entry.attempts = min(entry.attempts + 1, 1000)
    entry.state = IndexState.FAILED if entry.attempts >= MAX_ATTEMPTS_BEFORE_FAILED else IndexState.PENDING
    entry.next_try_at = timezone.now() + timedelta(seconds=min(30 * 2 ** min(entry.attempts - 1, 6), 1800))
    entry.error = error
    entry.save(update_fields=["attempts", "state", "next_try_at", "error", "updated_at"])


def mark_stale(space: EmbeddingSpace) -> int:
    """After the serving space changed: every entry without a vector in it waits to be rebuilt."""
    has = Vector.objects.filter(memory_id=OuterRef("pk"), space=space)
    return (
        IndexEntry.objects.filter(~Exists(has), state=IndexState.INDEXED)
        .update(state=IndexState.STALE, next_try_at=None, attempts=0)
    )


def _store(memory: Memory, state: IndexState, content: Content | None, box: Box) -> None:
    keys, counts, length = terms.keyed(terms.analyse(content.searchable()), box.prf) if content else ([], [], 0)
    IndexEntry.objects.update_or_create(
        memory=memory,
        defaults={
            "owner_id": memory.person_id,
            "state": state,
            "lang": terms.language(content.statement) if content else 0,
            "terms": keys,
            "tfs": counts,
            "length": length,
            "analyser": terms.ANALYSER,
            "attempts": 0,
            "next_try_at": None,
            "claimed_at": None,
            "error": "",
        },
    )


def _store_vector(memory: Memory, content: Content, embedded: Embedded) -> None:
    Vector.objects.create(
        memory=memory,
        owner_id=memory.person_id,
        space_id=embedded.space_id,
        lang=terms.language(content.statement),
        embedding=HalfVector(embedded.vector),
    )


