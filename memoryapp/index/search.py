"""The one statement of recall: exact hybrid search over one person's rows, re-read from the canonical table.

Two halves propose, both with the owner first, so that other people's memories cost nothing: the vectors (an
index-only scan of a covering index, every vector compared) and BM25 over keyed terms (a GIN index). Going
down the fused order, the canonical row decides in the same statement whether it may be seen: owner, scope,
project, status, validity, sensitivity. That goes on until `limit` rows are found, so the answer is complete
however few of the owner's memories pass. rank.py explains the numbers.
"""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper

from memoryapp import rank
from memoryapp.index import embed
from memoryapp.index.asked import Asked
from memoryapp.models import EmbeddingSpace

#: What surrounds a row can lift it past others, so at least as many are looked at.
CANDIDATES = 80
# What an embedding space is taken for while there is none.
_NO_WEIGHT = 1.0


@dataclass(frozen=True, kw_only=True)
class Query:
    """What to search for, and within which rows. `vector` None = keyword half only."""

    owner_id: int
    space: EmbeddingSpace | None
    vector: NDArray[np.float32] | None
    asked: Asked
    personal: bool
    service_id: int | None
    project_id: str
    at: tuple[datetime, datetime]
    known_by_then: bool = False  # leave out what begins only after `at`: a past moment is asked about
    include_history: bool = False
    limit: int = CANDIDATES
    event_prefix: str = ""  # only rows whose event_id begins with this
    among: Sequence[uuid.UUID] | None = None  # only these rows


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One canonical row with how well it fits. `score` is calibrated, in [0, 1]."""

    memory_id: uuid.UUID
    content: bytes
    content_version: int
    memory_type: str
    service_id: int | None
    status: str
    sources: dict[str, Any]
    valid_from: datetime | None
    valid_to: datetime | None
    confidence: float
    score: float
    numbers: dict[str, Any] = field(default_factory=dict)


# Whose canonical row `m` must be: the words of no other row count, not even by being frequent.
_OURS = """m.person_id = %(owner)s::bigint AND m.deleted_at IS NULL
    AND m.sensitivity NOT IN ('pii', 'restricted') AND m.project_id IN ('', %(project)s)
    AND (%(personal)s AND m.service_id IS NULL OR m.service_id = %(service)s::bigint)"""
# What else it must say for the question to see it.
_ASKED = """(%(prefix)s = '' OR starts_with(m.event_id, %(prefix)s))
    AND (%(among)s::uuid[] IS NULL OR m.id = ANY(%(among)s))
    AND (%(end)s::timestamptz IS NULL OR coalesce(m.valid_from, '-infinity') <= %(end)s) AND CASE WHEN %(history)s
        THEN m.status <> 'candidate'
        ELSE coalesce(m.valid_to, 'infinity') > %(start)s AND (m.status = 'confirmed'
            OR m.valid_to > coalesce(m.valid_from, '-infinity') AND m.status IN ('superseded', 'expired')) END"""
# Of a vector `v`: its product with the question, both seen from the middle of their languages.
_CLOSENESS = "-(v.embedding <#> %(vector)s::halfvec) - (%(base)s::float8[])[v.lang + 1]"
# Of a dense half `d` and a lexical half `l`, either of which may be missing.
_FUSED = "coalesce(d.closeness, %(blind)s * l.share) + %(weight)s * coalesce(l.share, 0)"
# An entry's place in the index memory_in_session, where its neighbours in the talk are its neighbours.
_PLACE = "{0}.session_id, {0}.occurred_at, {0}.created_at, {0}.id"

# OFFSET 0 keeps a subquery from being merged into the one around it. So the planner looks each row up by its key,
# in the order given, however little it knows of the tables; left alone it may read all of a person's rows each
# time. In the same way `beside` gets a hash join, whatever the planner thinks of the number of words found.
READABLE = f"""
WITH matched AS MATERIALIZED (
    SELECT i.memory_id AS id, i.length, t.term, t.tf
    FROM memoryapp_indexentry i
    CROSS JOIN LATERAL unnest(i.terms, i.tfs) t(term, tf)
    CROSS JOIN LATERAL (SELECT m.* FROM memoryapp_memory m WHERE m.id = i.memory_id OFFSET 0) m
    WHERE i.owner_id = %(owner)s::bigint AND i.terms && %(terms)s::bigint[] AND t.term = ANY(%(terms)s)
        AND {_OURS}
),
rarity AS (
    SELECT term, ln(1 + ({rank.COLLECTION} - known + 0.5) / (known + 1.5)) AS idf
    FROM (
        SELECT term, least(count(m.id), {rank.COLLECTION - 1})::float8 AS known
        FROM unnest(%(terms)s::bigint[]) q(term) LEFT JOIN matched m USING (term) GROUP BY term
    ) counted
),
lexical AS MATERIALIZED (
    SELECT id, sum(idf * tf / (tf + {rank.SATURATION} * (
        {1 - rank.LENGTH_SHARE} + {rank.LENGTH_SHARE} * length / {rank.USUAL_LENGTH}::float8
    ))) / max(total) AS share, sum(idf) / max(total) AS covered
    FROM matched JOIN rarity USING (term), (SELECT sum(idf) AS total FROM rarity) r GROUP BY id
),
dense AS (
    SELECT v.memory_id AS id, {_CLOSENESS} AS closeness FROM memoryapp_vector v
    WHERE v.owner_id = %(owner)s::bigint AND v.space_id = %(space)s AND %(vector)s::halfvec IS NOT NULL
),
found AS MATERIALIZED (
    SELECT o.closeness, o.share, o.covered, o.fused, m.*
    FROM (
        SELECT coalesce(d.id, l.id) AS id, closeness, share, covered, {_FUSED} AS fused
        FROM dense d FULL JOIN lexical l ON l.id = d.id ORDER BY fused DESC
    ) o
    CROSS JOIN LATERAL (SELECT m.* FROM memoryapp_memory m WHERE m.id = o.id OFFSET 0) m
    WHERE {_OURS} AND {_ASKED}
    ORDER BY fused DESC LIMIT %(limit)s
),
next AS MATERIALIZED (
    SELECT t.id, m.id AS beside
    FROM found t
    CROSS JOIN LATERAL (
        (SELECT m.* FROM memoryapp_memory m
         WHERE m.memory_type = 'ENTRY' AND m.session_id <> '' AND m.deleted_at IS NULL
            AND (m.person_id, {_PLACE.format("m")}) < (%(owner)s::bigint, {_PLACE.format("t")})
         ORDER BY m.person_id DESC, {_PLACE.format("m").replace(",", " DESC,")} DESC LIMIT 1)
        UNION ALL
        (SELECT m.* FROM memoryapp_memory m
         WHERE m.memory_type = 'ENTRY' AND m.session_id <> '' AND m.deleted_at IS NULL
            AND (m.person_id, {_PLACE.format("m")}) > (%(owner)s::bigint, {_PLACE.format("t")})
         ORDER BY m.person_id, {_PLACE.format("m")} LIMIT 1)
    ) m
    WHERE t.memory_type = 'ENTRY' AND t.session_id <> '' AND m.session_id = t.session_id
        AND m.status = 'confirmed' AND {_OURS}
),
beside AS (
    SELECT j.id, max(j.fused) AS fused
    FROM (
        SELECT n.id, {_FUSED} AS fused
        FROM next n
        LEFT JOIN LATERAL (
            SELECT {_CLOSENESS} AS closeness FROM memoryapp_vector v
            WHERE v.memory_id = n.beside AND v.space_id = %(space)s AND %(vector)s::halfvec IS NOT NULL OFFSET 0
        ) d ON true
        FULL JOIN lexical l ON l.id = n.beside
        OFFSET 0
    ) j
    WHERE j.id IS NOT NULL GROUP BY j.id
)
SELECT f.id, f.content, f.content_version, f.memory_type, f.service_id, f.status, f.sources,
    f.valid_from, f.valid_to, f.confidence, f.closeness, f.share, f.covered, f.fused, coalesce(b.fused, 0),
    f.memory_type = 'ENTRY' AND coalesce((
        SELECT i.terms && %(names)s::bigint[] FROM memoryapp_indexentry i WHERE i.memory_id = f.id
    ), false),
    f.occurred_at
FROM found f LEFT JOIN beside b ON b.id = f.id
ORDER BY f.fused DESC, f.id
"""  # noqa: S608 - only constants of our own are put in, values are bound

#: Without needless space: psycopg remembers its reading of a statement of up to 4,096 characters.
STATEMENT = re.sub(r" ?([(),=<>*/+]) ?", r"\1", " ".join(READABLE.split()))


def hybrid(query: Query) -> list[Hit]:
    """Run the statement. Best first, at most `limit`."""
    reading = embed.reading(query.space)
    _send_vectors_in_binary()
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, parameters(query))
        found = [(row, _numbers(row, query, reading)) for row in cursor.fetchall()]
    found.sort(key=lambda pair: (-pair[1]["score"], -pair[1]["fused"]))
    return [_hit(row, numbers) for row, numbers in found[: query.limit]]


def _send_vectors_in_binary() -> None:
    """0.005 ms a vector instead of 0.4. Without a type of its own the parameter takes that of its cast."""
    connection.ensure_connection()
    adapters = connection.connection.adapters
    adapters.register_dumper(HalfVector, HalfVectorDumper)  # for the log of queries in debugging
    adapters.register_dumper(HalfVector, HalfVectorBinaryDumper)


def parameters(query: Query) -> dict[str, Any]:
    """What the statement is run with."""
    space, reading = query.space, embed.reading(query.space)
    vector: HalfVector | None = None
    base: dict[int, float] = {}
    if query.vector is not None:
        centred, base = reading.centre(query.vector, query.asked.language)
        vector = HalfVector(centred)
    bonus = space.cross_language_bonus if space and query.asked.language == 1 else 0.0
    return {
        "owner": query.owner_id,
        "personal": query.personal,
        "service": query.service_id,
        "project": query.project_id,
        "history": query.include_history,
        "start": query.at[0],
        "end": query.at[1] if query.known_by_then else None,
        "terms": query.asked.terms,
        "names": query.asked.names,
        "vector": vector,
        "base": [base.get(0, 0.0) - bonus, base.get(1, 0.0)],
        "space": space.pk if space else 0,
        "weight": rank.weight(space.lexical_weight if space else _NO_WEIGHT, query.asked.language),
        "blind": reading.blind,
        "limit": max(query.limit, CANDIDATES),
        "prefix": query.event_prefix,
        "among": list(query.among) if query.among is not None else None,
    }


def _numbers(row: tuple[Any, ...], query: Query, reading: rank.Calibration) -> dict[str, Any]:
    """The score of a row and what it was made of."""
    closeness, lexical, covered, fused, beside, by_author, occurred_at = row[10:]
    time = query.asked.time
    in_time = time is not None and time.covers(occurred_at, row[7], row[8])
    value = rank.in_context(fused, beside=beside, by_author=by_author, in_time=in_time)
    # What lifts a row lifts both parts of its score, or the second would undo the order of the first.
    near = closeness * value / fused if closeness is not None and fused > 0 else closeness
    return {
        "score": reading.score(value, near, covered or 0.0, query.asked.language),
        "closeness": closeness,
        "lexical": lexical,
        "covered": covered,
        "beside": beside,
        "by_author": by_author,
        "in_time": in_time,
        "fused": value,
    }


def _hit(row: tuple[Any, ...], numbers: dict[str, Any]) -> Hit:
    return Hit(
        memory_id=row[0],
        content=bytes(row[1]),
        content_version=row[2],
        memory_type=row[3],
        service_id=row[4],
        status=row[5],
        sources=json.loads(row[6]),
        valid_from=row[7],
        valid_to=row[8],
        confidence=row[9],
        score=numbers.pop("score"),
        numbers=numbers,
    )
