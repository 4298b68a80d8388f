"""LangGraph's store over HTTP: what LangGraph's own tests of its stores expect, as far as it applies.

Where its tests use ("test", "docs"), "test" is the user and "docs" the project. What does not apply: listing
across users, which no key may do, and the embeddings of one's own choice.
"""

import time
from datetime import datetime

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
)

from memoryapp.client.errors import ConsentRequired
from memoryapp.client.langgraph import MemoryStore
from memoryapp.models import IndexEntry, Memory
from tests.client.conftest import run
from tests.conftest import withdraw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(make_person):
    return make_person("test"), make_person("prod")


@pytest.fixture
def store(people, live, assistant):
    store = MemoryStore(live.base_url, assistant.secret)
    yield store
    store.close()


def test_put_get_update_and_delete(store):
    namespace, value = ("test", "documents"), {"title": "Test Document", "content": "Hello, World!"}
    store.put(namespace, "doc1", value)
    item = store.get(namespace, "doc1")
    assert isinstance(item, Item)
    assert (item.namespace, item.key, item.value) == (namespace, "doc1", value)
    assert isinstance(item.created_at, datetime)
    store.put(namespace, "doc1", {"title": "Updated"})
    updated = store.get(namespace, "doc1")
    assert updated.value == {"title": "Updated"}
    assert updated.updated_at > item.updated_at
    assert updated.created_at == item.created_at
    assert store.get(("test", "other"), "doc1") is None
    store.delete(namespace, "doc1")
    assert store.get(namespace, "doc1") is None
    store.delete(namespace, "doc1")


def test_a_batch_answers_in_order_and_reads_what_was_before(store):
    store.put(("test", "foo"), "key1", {"data": "value1"})
    store.put(("test", "bar"), "key2", {"data": "value2"})
    listing = ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("test",)),), limit=10)
    results = store.batch(
        [
            GetOp(("test", "foo"), "key1"),
            PutOp(("test", "bar"), "key2", {"data": "new"}),
            SearchOp(("test",), {"data": "value1"}, 10, 0),
            listing,
            GetOp(("test",), "key3"),
            GetOp(("test", "bar"), "key2"),
        ]
    )
    assert results[0].value == {"data": "value1"}
    assert results[1] is None
    assert [item.key for item in results[2]] == ["key1"]
    assert set(results[3]) == {("test", "foo"), ("test", "bar")}
    assert results[4] is None
    assert results[5].value == {"data": "value2"}
    assert store.get(("test", "bar"), "key2").value == {"data": "new"}


def test_a_batch_may_concern_several_users(store):
    results = store.batch(
        [
            PutOp(("test", ""), "k", {"v": "t"}),
            PutOp(("prod", ""), "k", {"v": "p"}),
            PutOp(("test", ""), "gone", None),
        ]
    )
    assert results == [None, None, None]
    assert [store.get((user, ""), "k").value["v"] for user in ("test", "prod")] == ["t", "p"]


def test_a_big_batch_goes_out_in_parts(store):
    store.batch([PutOp(("test", ""), f"k{number}", {"n": number}, index=False) for number in range(230)])
    assert len(store.search(("test", ""), limit=300)) == 230
    assert Memory.objects.count() == 230


def test_search_by_prefix_filter_and_page(store):
    for namespace, key, value in (
        (("test", "docs"), "doc1", {"title": "First Doc", "author": "Alice", "tags": ["important"]}),
        (("test", "docs"), "doc2", {"title": "Second Doc", "author": "Bob", "tags": ["draft"]}),
        (("test", "images"), "img1", {"title": "Image 1", "author": "Alice", "tags": ["final"]}),
    ):
        store.put(namespace, key, value)
    assert len(store.search(["test"])) == 3
    assert {item.key for item in store.search(("test", "docs"))} == {"doc1", "doc2"}
    assert {item.key for item in store.search(("test",), filter={"author": "Alice"})} == {"doc1", "img1"}
    assert [item.key for item in store.search(("test",), filter={"tags": ["draft"]})] == ["doc2"]
    assert len(store.search(("test",), limit=2)) == 2
    assert len(store.search(("test",), offset=2)) == 1
    assert store.search(("prod",)) == []


def test_numbers_are_compared_as_numbers(store):
    for key, score in (("a", 2), ("b", 9), ("c", 10), ("d", 9.5)):
        store.put(("test", "scores"), key, {"score": score})

    def scores(condition):
        return sorted(
            item.value["score"] for item in store.search(("test", "scores"), filter={"score": condition})
        )

    assert scores({"$gte": 9.5}) == [9.5, 10]
    assert scores({"$lt": 9}) == [2]
    assert scores({"$gt": 2, "$ne": 10}) == [9, 9.5]
    assert scores({"$eq": 9}) == [9]
    assert scores({"$lte": "x"}) == []


def test_search_by_meaning(store):
    store.put(("test", ""), "tea", {"text": "민지는 녹차를 좋아해요"})
    store.put(("test", ""), "meeting", {"text": "회의는 세 시예요"})
    first, second = store.search(("test", ""), query="무슨 차를 좋아해?")
    assert isinstance(first, SearchItem)
    assert first.key == "tea"
    assert first.score is not None
    assert second.score is not None
    assert 0 <= second.score < first.score <= 1


def test_what_an_item_is_found_by_may_be_chosen(store):
    store.put(
        ("test", ""),
        "doc",
        {"title": "여행", "chapters": [{"body": "부산 바다"}, {"body": "제주 오름"}]},
        ["chapters[*].body"],
    )
    store.put(("test", ""), "hidden", {"text": "부산 바다"}, index=False)
    store.put(("test", ""), "empty", {"text": "부산 바다"}, ["nothing"])
    searchable = IndexEntry.objects.exclude(state="excluded")
    assert [entry.memory.memory_type for entry in searchable] == ["ENTRY"]
    results = store.search(("test", ""), query="부산")
    assert [(item.key, item.score is None) for item in results] == [
        ("doc", False),
        ("hidden", True),
        ("empty", True),
    ]


def test_fields_of_the_store_hold_for_every_item(people, live, assistant):
    store = MemoryStore(live.base_url, assistant.secret, fields=["body"])
    store.put(("test", ""), "doc", {"title": "여행", "body": "부산 바다"})
    assert assistant.facts("test", "바다") == ["부산 바다"]


def test_namespaces_are_listed_for_one_user(store):
    for namespace in (
        ("test", "documents", "public"),
        ("test", "documents", "private"),
        ("test", "images", "public"),
        ("prod", "documents", "public"),
    ):
        store.put(namespace, "dummy", {"content": "dummy"})
    assert len(store.list_namespaces(prefix=("test",))) == 3
    assert store.list_namespaces(prefix=("test", "images")) == [("test", "images", "public")]
    assert len(store.list_namespaces(prefix=("test",), suffix=("public",))) == 2
    assert store.list_namespaces(prefix=("test", "*", "public"), max_depth=2) == [
        ("test", "documents"),
        ("test", "images"),
    ]
    assert len(store.list_namespaces(prefix=("test",), limit=2)) == 2
    assert len(store.list_namespaces(prefix=("test",), offset=2)) == 1
    for anonymous in ({}, {"suffix": ("public",)}, {"prefix": ("*", "documents")}):
        with pytest.raises(InvalidNamespaceError):
            store.list_namespaces(**anonymous)


def test_an_item_lives_as_long_as_it_is_used(people, live, assistant):
    store = MemoryStore(
        live.base_url, assistant.secret, ttl={"default_ttl": 1.5 / 60, "refresh_on_read": True}
    )
    store.put(("test", ""), "used", {"v": "1"}, index=False)
    store.put(("test", ""), "unused", {"v": "1"}, index=False)
    store.put(("test", ""), "forever", {"v": "1"}, index=False, ttl=None)
    for _ in range(4):
        time.sleep(0.6)
        assert store.get(("test", ""), "used") is not None
    assert store.get(("test", ""), "unused") is None
    assert {item.key for item in store.search(("test", ""), refresh_ttl=False)} == {"used", "forever"}
    time.sleep(1.6)
    assert {item.key for item in store.search(("test", ""))} == {"forever"}


@pytest.mark.parametrize(
    "namespace",
    [
        (),
        ("",),
        ("  ", ""),
        ("langgraph", ""),
        ("test", "", ""),
        ("test", "a.b"),
        ("test", 5),
        ("test", "a\x00"),
    ],
)
def test_a_bad_namespace_is_refused(store, namespace):
    for work in (
        lambda: store.put(namespace, "k", {}),
        lambda: store.get(namespace, "k"),
        lambda: store.search(namespace),
        lambda: store.delete(namespace, "k"),
    ):
        with pytest.raises(InvalidNamespaceError):
            work()


def test_a_user_id_may_hold_a_period_and_the_project_may_be_empty(make_person, store):
    make_person("min.ji@example.org")
    store.put(("min.ji@example.org", ""), "k", {"v": "1"})
    assert store.get(("min.ji@example.org", ""), "k").namespace == ("min.ji@example.org", "")
    assert store.get(("min.ji@example.org",), "k") is None


def test_users_services_and_projects_are_kept_apart(store, live, homebot):
    store.put(("test", "acme"), "k", {"v": "1"})
    assert store.get(("prod", "acme"), "k") is None
    assert store.search(("test", "")) == []
    assert MemoryStore(live.base_url, homebot.secret).get(("test", "acme"), "k") is None


def test_without_consent_a_put_is_refused_and_reads_are_empty(people, store):
    store.put(("test", ""), "k", {"v": "1"})
    withdraw(people[0])
    with pytest.raises(ConsentRequired):
        store.put(("test", ""), "k2", {"v": "1"})
    assert store.get(("test", ""), "k") is None
    assert store.search(("test", "")) == []
    assert store.list_namespaces(prefix=("test",)) == []
    store.delete(("test", ""), "k")
    assert not Memory.objects.filter(deleted_at__isnull=True).exists()


def test_everything_has_an_awaiting_twin(store):
    async def work():
        await store.aput(("test", ""), "k", {"text": "커피"}, ttl=10)
        item = await store.aget(("test", ""), "k")
        found = await store.asearch(("test",), query="커피", filter={"text": "커피"})
        names = await store.alist_namespaces(prefix=("test",))
        await store.adelete(("test", ""), "k")
        after = await store.abatch([GetOp(("test", ""), "k")])
        await store.aclose()
        return item.value, [one.key for one in found], names, after

    assert run(work()) == ({"text": "커피"}, ["k"], [("test", "")], [None])
    assert run(work()) == ({"text": "커피"}, ["k"], [("test", "")], [None])
