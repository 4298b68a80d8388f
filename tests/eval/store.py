"""Put a corpus into the product's tables, as entries or facts, and search it with the product's own search."""

import uuid
from datetime import timedelta

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray
from pgvector import HalfVector

from memoryapp import persons, rank
from memoryapp.content import Content
from memoryapp.index import asked, refresh, search, terms
from memoryapp.models import EmbeddingSpace, IndexEntry, IndexState, Memory, MemoryType, Origin, Vector
from memoryapp.vault import Box, box_of
from speakers.models import Person
from tests.eval.sets import Corpus, Doc, Question

ZONE = "UTC"


class Stored:
    """One person whose memories are the corpus."""

    def __init__(self, space: EmbeddingSpace, corpus: Corpus, vectors: NDArray[np.float32]) -> None:
        self._space = space
        self._person, _ = persons.register(f"eval-{uuid.uuid4()}")
        self._box = box_of(self._person)
        # Long after the last of them, as somebody who looks back.
        self._now = max(doc.at for doc in corpus.docs) + timedelta(days=1)
        self._ids = {}
        rows = []
        for place, doc in enumerate(corpus.docs):
            rows.append(_memory(self._person, doc, place))
            self._ids[rows[-1].pk] = doc.id
        Memory.objects.bulk_create(rows)
        IndexEntry.objects.bulk_create(
            _entry(memory, content(doc), self._box) for memory, doc in zip(rows, corpus.docs, strict=True)
        )
        Vector.objects.bulk_create(
            _vector(memory, doc, space, vector)
            for memory, doc, vector in zip(rows, corpus.docs, vectors, strict=True)
        )

    def find(self, question: Question, vector: NDArray[np.float32]) -> list[tuple[str, search.Hit]]:
        """What the product finds, best first, with the ids of the corpus."""
        query = search.Query(
            owner_id=self._person.pk,
            space=self._space,
            vector=vector,
            asked=asked.read(question.text, self._box.mark, self._now, ZONE),
            personal=True,
            service_id=None,
            project_id="",
            at=(timezone.now(), timezone.now()),
        )
        return [(self._ids[hit.memory_id], hit) for hit in search.hybrid(query)]

    def plain(self, question: Question, found: list[tuple[str, search.Hit]]) -> list[str]:
        """The same by meaning and words alone, without what surrounds an entry."""
        weight = rank.weight(self._space.lexical_weight, terms.language(question.text))

        def fused(hit: search.Hit) -> float:
            return (hit.numbers["closeness"] or 0.0) + weight * (hit.numbers["lexical"] or 0.0)

        return [name for name, hit in sorted(found, key=lambda pair: -fused(pair[1]))]


def content(doc: Doc) -> Content:
    """As it would be stored."""
    return Content(statement=doc.text, author=doc.author)


def _memory(person: Person, doc: Doc, place: int) -> Memory:
    entry = bool(doc.author)
    return Memory(
        person=person,
        memory_type=MemoryType.ENTRY if entry else MemoryType.FACT,
        origin=Origin.ENTRY if entry else Origin.SAVE,
        session_id=doc.session,
        content=b"",
        fingerprint=place,
        occurred_at=doc.at,
    )


def _entry(memory: Memory, words: Content, box: Box) -> IndexEntry:
    keys, counts, length = refresh.keyed_terms(words, box)
    return IndexEntry(
        memory=memory,
        owner_id=memory.person_id,
        state=IndexState.INDEXED,
        lang=terms.language(words.statement),
        terms=keys,
        tfs=counts,
        length=length,
        analyser=terms.ANALYSER,
    )


def _vector(memory: Memory, doc: Doc, space: EmbeddingSpace, vector: NDArray[np.float32]) -> Vector:
    return Vector(
        memory=memory,
        owner_id=memory.person_id,
        space=space,
        lang=terms.language(doc.text),
        embedding=HalfVector(vector),
    )
