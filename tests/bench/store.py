"""A database of many people's memories: a crowd made in SQL, and people whose memories can be read."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
from django.db import connection
from django.utils import timezone
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorDumper

from memoryapp import persons
from memoryapp.content import Content
from memoryapp.index import calibrate, embed, refresh, terms
from memoryapp.models import EmbeddingSpace, IndexEntry, IndexState, Memory, Vector
from memoryapp.vault import box_of
from speakers.models import Person

CROWD = 10_000  # people
WORDS = 4096
_BATCH = 2000
_STEP = 100_000

_MEMORIES = """
INSERT INTO memoryapp_memory (
    id, person_id, project_id, session_id, event_id, memory_type, status, sensitivity, origin, confidence,
    evidence_count, content, fingerprint, sources, said_at, occurred_at, quarantine, version, content_version,
    created_at, updated_at)
SELECT gen_random_uuid(), p.id, '', '', '', 'FACT', 'confirmed', 'normal', 'extraction', 0.8,
    1, decode(repeat(md5(g::text), 18), 'hex'), g, '{}', now(), now() - g * interval '1 minute', '', 1, 1,
    now(), now()
FROM generate_series(%(first)s + 1, %(last)s) g
JOIN bench_crowd p ON p.n = (hashint4(g) & 2147483647) %% %(people)s
"""

# Another person's terms are other numbers, as with a key of their own.
_ENTRIES = """
INSERT INTO memoryapp_indexentry (
    memory_id, owner_id, state, lang, terms, tfs, length, analyser, attempts, error, updated_at)
SELECT m.id, m.person_id, 'indexed', 1, t.terms, t.tfs, cardinality(t.terms), 2, 0, '', now()
FROM memoryapp_memory m
JOIN bench_crowd c ON c.id = m.person_id
JOIN bench_pool p ON p.n = m.fingerprint %% %(pool)s
CROSS JOIN LATERAL (
    SELECT array_agg(hashint8extended(m.person_id * 65536 + w, 7)) terms, array_agg(1::smallint) tfs
    FROM unnest(p.words) w
) t
WHERE m.fingerprint > %(first)s
"""

_VECTORS = """
INSERT INTO memoryapp_vector (memory_id, owner_id, space_id, lang, embedding)
SELECT m.id, m.person_id, %(space)s, 1, p.embedding
FROM memoryapp_memory m
JOIN bench_crowd c ON c.id = m.person_id
JOIN bench_pool p ON p.n = m.fingerprint %% %(pool)s
WHERE m.fingerprint > %(first)s
"""


def add_crowd(space: EmbeddingSpace, first: int, last: int, people: int = CROWD) -> None:
    """The crowd's memories after number `first` up to `last`, scattered over the tables as in time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO speakers_person (public_id, user_id, display_name, language, zone, created_at) "
            "SELECT gen_random_uuid(), 'crowd-' || n, '', 'ko', 'Asia/Seoul', now() "
            "FROM generate_series(1, %s) n ON CONFLICT DO NOTHING",
            [people],
        )
        cursor.execute(
            "CREATE TEMP TABLE IF NOT EXISTS bench_crowd AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id "
            "FROM speakers_person WHERE user_id LIKE 'crowd-%%'",
            [],
        )
        _make_pool(space)
        for begin in range(first, last, _STEP):
            end = min(begin + _STEP, last)
            values = {"first": begin, "last": end, "people": people, "pool": _BATCH, "space": space.pk}
            for statement in (_MEMORIES, _ENTRIES, _VECTORS):
                cursor.execute(statement, values)


def _make_pool(space: EmbeddingSpace) -> None:
    """Texts' words and vectors to draw from."""
    random = np.random.default_rng(1)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE IF NOT EXISTS bench_pool (n int PRIMARY KEY, words int[], embedding halfvec)"
        )
        cursor.execute("TRUNCATE bench_pool")
        connection.connection.adapters.register_dumper(HalfVector, HalfVectorDumper)
        rows = [
            (n, _words(random), HalfVector(vector).to_text())
            for n, vector in enumerate(_vectors(space, _BATCH, random))
        ]
        cursor.executemany("INSERT INTO bench_pool VALUES (%s, %s::int[], %s::halfvec)", rows)


def _words(random: np.random.Generator) -> list[int]:
    """Few words are frequent, most are rare."""
    return [int(word) for word in set((random.random(random.integers(6, 24)) ** 3 * WORDS).astype(int))]


def _vectors(space: EmbeddingSpace, number: int, random: np.random.Generator) -> np.ndarray:
    """Vectors in the cone where the space's own lie."""
    texts = list(dict.fromkeys(pair.memory for pair in calibrate.pairs()))
    known = np.stack(embed.passages(space, texts))
    mixed = known[random.integers(0, len(known), number)] + random.normal(0, 0.02, (number, known.shape[1]))
    return (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)


def add_person(space: EmbeddingSpace, user_id: str, memories: int) -> Person:
    """A person with so many memories that recall can open, of real words."""
    person, _ = persons.register(user_id)
    texts = _texts(memories)
    vectors = _vectors(space, memories, np.random.default_rng(memories))
    for start in range(0, memories, _BATCH):
        _add(space, person, texts[start : start + _BATCH], vectors[start : start + _BATCH])
    return person


def _texts(number: int) -> list[str]:
    known = list(dict.fromkeys(pair.memory for pair in calibrate.pairs()))
    return [f"{known[i % len(known)]} ({i // len(known)}번째 이야기, no. {i})" for i in range(number)]


def _add(space: EmbeddingSpace, person: Person, texts: Sequence[str], vectors: np.ndarray) -> None:
    box, now = box_of(person), timezone.now()
    made = [_memory(person, text, now - timedelta(minutes=i)) for i, text in enumerate(texts)]
    contents = [Content(statement=text) for text in texts]
    for memory, content in zip(made, contents, strict=True):
        memory.content = content.seal(box, memory)
    Memory.objects.bulk_create(made)
    IndexEntry.objects.bulk_create(
        _entry(memory, *refresh.keyed_terms(content, box))
        for memory, content in zip(made, contents, strict=True)
    )
    Vector.objects.bulk_create(
        Vector(
            memory=memory,
            owner_id=person.pk,
            space=space,
            lang=terms.language(text),
            embedding=HalfVector(vector),
        )
        for memory, text, vector in zip(made, texts, vectors, strict=True)
    )


def _memory(person: Person, text: str, at: datetime) -> Memory:
    return Memory(
        person=person, memory_type="FACT", origin="extraction", fingerprint=hash(text), occurred_at=at
    )


def _entry(memory: Memory, keys: list[int], counts: list[int], length: int) -> IndexEntry:
    return IndexEntry(
        memory=memory,
        owner_id=memory.person_id,
        state=IndexState.INDEXED,
        lang=1,
        terms=keys,
        tfs=counts,
        length=length,
        analyser=terms.ANALYSER,
    )


def settle() -> None:
    """What autovacuum does in time."""
    with connection.cursor() as cursor:
        for table in ("memoryapp_memory", "memoryapp_indexentry", "memoryapp_vector", "speakers_person"):
            cursor.execute(f"VACUUM (ANALYZE) {table}")
