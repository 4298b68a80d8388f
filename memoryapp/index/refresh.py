"""Keep the index in step with the memories: its rows are written with them, in the same transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray
from pgvector import HalfVector

from memoryapp.content import Content
from memoryapp.index import embed, terms
from memoryapp.models import GUARDED, IndexEntry, IndexState, Memory, SpaceState, Status, Vector
from memoryapp.providers.base import EmbedderDown, waited_for
from memoryapp.vault import Box


@dataclass(frozen=True)
class Embedded:
    """A passage's vector, made before any lock is taken. `vector` is None when the embedder is down."""

    space_id: int | None
    vector: NDArray[np.float32] | None


_ENTRY_FIELDS = [
    "owner_id", "state", "lang", "terms", "tfs", "length", "analyser",
    "attempts", "next_try_at", "claimed_at", "error", "updated_at",
]  # fmt: skip


def prepare(texts: Sequence[str]) -> list[Embedded]:
    """Embed passages outside any transaction. An outage costs the vector, never the memory, and seconds at most."""
    space = embed.serving()
    if space is None:
        return [Embedded(None, None)] * len(texts)
    try:
        with waited_for():
            return [Embedded(space.pk, vector) for vector in embed.passages(space, list(texts))]
    except EmbedderDown:
        return [Embedded(space.pk, None)] * len(texts)


def put(memory: Memory, content: Content, box: Box, embedded: Embedded | None) -> None:
    """Write a memory's index rows, in the caller's transaction. `embedded` None = the text is as it was."""
    if not belongs(memory) or not content.searchable().strip():
        Vector.objects.filter(memory=memory).delete()
        _store(memory, IndexState.EXCLUDED, None, box)
        return
    if embedded is not None:
        Vector.objects.filter(memory=memory).delete()
        if embedded.vector is not None and embedded.space_id is not None:
            store_vector(memory, content, embedded.space_id, embedded.vector)
    found = Vector.objects.filter(memory=memory, space__state=SpaceState.SERVING).exists()
    _store(memory, IndexState.INDEXED if found else IndexState.PENDING, content, box)


def put_new(made: Sequence[tuple[Memory, Content]], box: Box) -> None:
    """Write the index rows of memories that were made just now, in one statement; their vectors come later."""
    entries = []
    for memory, content in made:
        wanted = belongs(memory) and content.searchable().strip()
        state = IndexState.PENDING if wanted else IndexState.EXCLUDED
        entries.append(_entry(memory, state, content if wanted else None, box))
    IndexEntry.objects.bulk_create(entries)


def belongs(memory: Memory) -> bool:
    """Whether a memory may be searched: not while it waits for approval, never guarded content."""
    return memory.status not in (Status.CANDIDATE, Status.DELETED) and memory.sensitivity not in GUARDED


def drop(memory: Memory) -> None:
    """Take a memory out of the index at once, in the caller's transaction."""
    Vector.objects.filter(memory=memory).delete()
    IndexEntry.objects.filter(memory=memory).delete()


def _store(memory: Memory, state: IndexState, content: Content | None, box: Box) -> None:
    entry = _entry(memory, state, content, box)
    # One statement, where update_or_create takes four and holds the person's lock as long.
    IndexEntry.objects.bulk_create(
        [entry], update_conflicts=True, unique_fields=["memory"], update_fields=_ENTRY_FIELDS
    )
    memory.index = entry


def _entry(memory: Memory, state: IndexState, content: Content | None, box: Box) -> IndexEntry:
    keys, counts, length = keyed_terms(content, box) if content else ([], [], 0)
    return IndexEntry(
        memory=memory,
        owner_id=memory.person_id,
        state=state,
        lang=terms.language(content.statement) if content else 0,
        terms=keys,
        tfs=counts,
        length=length,
        analyser=terms.ANALYSER,
        updated_at=timezone.now(),
    )


def keyed_terms(content: Content, box: Box) -> tuple[list[int], list[int], int]:
    """Keyed terms, counts and length; the author's names are findable but are no part of the text."""
    words = terms.analyse(content.searchable())
    keys, counts, _ = terms.keyed([*words, *terms.names(content.author)], box.prf)
    return keys, counts, len(words)


def store_vector(memory: Memory, content: Content, space_id: int, vector: NDArray[np.float32]) -> None:
    """Keep a memory's vector in one space, once."""
    row = Vector(
        memory=memory,
        owner_id=memory.person_id,
        space_id=space_id,
        lang=terms.language(content.statement),
        embedding=HalfVector(vector),
    )
    Vector.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["memory", "space"],
        update_fields=["owner_id", "lang", "embedding"],
    )
