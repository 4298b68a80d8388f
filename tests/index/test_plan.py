"""How the search reaches its rows: the owner first, whatever the size of the tables (STACK.md, traps)."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from memoryapp.index import asked, search, spaces
from memoryapp.index.search import Query
from memoryapp.models import EmbeddingSpace, Vector
from memoryapp.vault import box_of
from tests.bench import store

CROWD, PEOPLE, MINE = 20_000, 1_000, 300


@pytest.fixture
def query(transactional_db: None) -> Query:
    """A question of somebody with 300 memories among 20,000 of others, statistics fresh."""
    space: EmbeddingSpace = spaces.ensure_first()
    with connection.cursor() as cursor:  # of an earlier test on the same connection
        cursor.execute("DROP TABLE IF EXISTS bench_crowd, bench_pool")
    store.add_crowd(space, 0, CROWD, PEOPLE)
    person = store.add_person(space, "minji", MINE)
    store.settle()
    now = timezone.now()
    vector = np.asarray(Vector.objects.filter(owner_id=person.pk)[0].embedding, np.float32)
    return Query(
        owner_id=person.pk,
        space=space,
        vector=vector,
        asked=asked.read("부산에서 커피를 마셔요", box_of(person).mark, now, "Asia/Seoul"),
        personal=True,
        service_id=None,
        project_id="",
        at=(now, now),
    )


def explain(query: Query) -> dict[str, Any]:
    search._send_vectors_in_binary()
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + search.STATEMENT, search.parameters(query))
        plan = cursor.fetchone()[0]
    return (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def test_the_vector_half_reads_the_covering_index_alone(query):
    scans = [node for node in nodes(explain(query)) if node.get("Index Name") == "vector_of_owner"]
    assert scans
    for scan in scans:
        assert scan["Node Type"] == "Index Only Scan"
        assert "owner_id" in scan["Index Cond"]


def test_the_keyword_half_has_the_owner_inside_the_gin_condition(query):
    [scan] = [node for node in nodes(explain(query)) if node.get("Index Name") == "index_owner_terms"]
    assert "owner_id" in scan["Index Cond"]
    assert "terms" in scan["Index Cond"]


def test_no_table_is_read_from_end_to_end(query):
    read = [
        n["Relation Name"]
        for n in nodes(explain(query))
        if n["Node Type"] == "Seq Scan" and "Relation Name" in n
    ]
    assert [name for name in read if name.startswith("memoryapp_")] == []


def test_everything_of_one_person_is_found_among_others(query):
    assert len(search.hybrid(Query(**{**query.__dict__, "limit": MINE}))) == MINE
