"""The one statement of recall: exact hybrid search over one person's rows, re-read from the canonical table.

Two halves propose: the vectors of the person (an index-only scan of a covering index) and BM25 over keyed
terms (a GIN index with the owner inside the condition). The canonical row decides in the same statement:
owner, scope, project, status, validity, sensitivity.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from memoryapp import rank
from memoryapp.models import EmbeddingSpace

CANDIDATES = 100


@dataclass(frozen=True, kw_only=True)
class Query:
    """What to search for, and within which rows. `vector` None = keyword half only."""

    owner_id: int
    space: EmbeddingSpace | None
    vector: NDArray[np.float32] | None
    terms: list[int]
    lang: int
    personal: bool
    service_id: int | None
    project_id: str
    at: tuple[datetime, datetime]
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


_VISIBLE = """
    m.person_id = %(owner)s::bigint
    AND m.deleted_at IS NULL
    AND m.sensitivity NOT IN ('pii', 'restricted')
    AND ((%(personal)s AND m.service_id IS NULL) OR m.service_id = %(service)s::bigint)
    AND m.project_id IN ('', %(project)s)
    AND (%(prefix)s::text = '' OR starts_with(m.event_id, %(prefix)s::text))
    AND (%(among)s::uuid[] IS NULL OR m.id = ANY(%(among)s::uuid[]))
    AND CASE WHEN %(history)s THEN m.status <> 'candidate'
             ELSE (m.status = 'confirmed' OR (m.status IN ('superseded', 'expired') AND m.valid_to > %(start)s))
                  AND (m.valid_to IS NULL OR m.valid_to > %(start)s) END
"""

STATEMENT = f"""
WITH visible AS MATERIALIZED (
    SELECT m.id, i.terms, i.tfs, i.length FROM memoryapp_memory m
    JOIN memoryapp_indexentry i ON i.memory_id = m.id
    WHERE i.owner_id = %(owner)s::bigint AND {_VISIBLE}
),
stats AS (SELECT count(*)::float8 n, greatest(avg(length), 1)::float8 average FROM visible),
matched AS (
    SELECT v.id, v.length, t.term, t.tf FROM visible v, unnest(v.terms, v.tfs) t(term, tf)
    WHERE v.terms && %(terms)s::bigint[] AND t.term = ANY(%(terms)s::bigint[])
),
idf AS (
    SELECT term, ln(1 + (s.n - count(*) + 0.5) / (count(*) + 0.5)) idf FROM matched, stats s GROUP BY term, s.n
),
best AS (
    SELECT coalesce(sum(idf), 0)
        + (cardinality(%(terms)s::bigint[]) - count(*)) * ln(1 + (max(s.n) + 0.5) / 0.5) AS top
    FROM stats s LEFT JOIN idf ON true
),
lexical AS (
    SELECT m.id, sum(idf * m.tf * 1.9 / (m.tf + 0.9 * (0.6 + 0.4 * m.length / s.average)))
        / nullif(1.9 * max(b.top), 0) AS lex
    FROM matched m JOIN idf USING (term), stats s, best b
    GROUP BY m.id ORDER BY lex DESC LIMIT 100
),
dense AS (
    SELECT x.memory_id AS id, x.lang, 1 - (x.embedding <=> %(vector)s::halfvec) AS cosine
    FROM memoryapp_vector x JOIN visible v ON v.id = x.memory_id
    WHERE x.owner_id = %(owner)s::bigint AND x.space_id = %(space)s::bigint AND %(vector)s::halfvec IS NOT NULL
)
SELECT m.id, m.content, m.content_version, m.memory_type, m.service_id, m.status, m.sources,
       m.valid_from, m.valid_to, m.confidence, d.cosine, l.lex,
       coalesce(d.cosine, 0) + %(weight)s * coalesce(l.lex, 0)
           + CASE WHEN %(lang)s = 1 AND d.lang = 0 THEN %(bonus)s ELSE 0 END AS fused
FROM (SELECT id, cosine, lang FROM dense ORDER BY cosine DESC LIMIT 200) d
FULL JOIN lexical l ON l.id = d.id
JOIN memoryapp_memory m ON m.id = coalesce(d.id, l.id)
WHERE {_VISIBLE}
ORDER BY fused DESC, m.created_at DESC, m.id
LIMIT %(limit)s
"""


def hybrid(query: Query) -> list[Hit]:
    """Run the statement. Best first."""
    space = query.space
    parameters = {
        "owner": query.owner_id,
        "personal": query.personal,
        "service": query.service_id,
        "project": query.project_id,
        "history": query.include_history,
        "start": query.at[0],
        "terms": query.terms,
        "vector": HalfVector(query.vector).to_text() if query.vector is not None else None,
        "space": space.pk if space else 0,
        "weight": space.lexical_weight if space else 1.0,
        "bonus": space.cross_language_bonus if space else 0.0,
        "lang": query.lang,
        "limit": query.limit,
        "prefix": query.event_prefix,
        "among": list(query.among) if query.among is not None else None,
    }
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, parameters)
        return [_hit(row, space) for row in cursor.fetchall()]


def _hit(row: tuple[Any, ...], space: EmbeddingSpace | None) -> Hit:
    cosine, lex, fused = row[10], row[11], row[12]
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
        score=rank.score(fused, space.calibration if space else []),
        numbers={"cosine": cosine, "lexical": lex, "fused": fused},
    )
