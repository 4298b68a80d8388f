"""The key-value store for agents: values under a namespace and a key, in the service's own scope."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memoryapp import keys, store
from memoryapp.models import IndexEntry, Memory, MemoryHistory, Recall, Vector
from tests.conftest import withdraw


def batch(runtime, user_id, *operations):
    return runtime.post("store/batch", {"user_id": user_id, "operations": list(operations)})


def do(runtime, user_id, **operation):
    answer = batch(runtime, user_id, operation)
    assert answer.status_code == 200, answer.json()
    return answer.json()["results"][0]


def put(runtime, user_id, key, value, namespace=("",), **more):
    return do(runtime, user_id, op="put", namespace=list(namespace), key=key, value=value, **more)["result"]


def get(runtime, user_id, key, namespace=("",)):
    item = do(runtime, user_id, op="get", namespace=list(namespace), key=key)["item"]
    return item and item["value"]


def search(runtime, user_id, prefix=(), **more):
    return [item["key"] for item in do(runtime, user_id, op="search", prefix=list(prefix), **more)["items"]]


def test_a_value_is_stored_read_replaced_and_deleted(minji, assistant):
    assert get(assistant, "minji", "drink") is None
    assert put(assistant, "minji", "drink", {"text": "블랙 커피", "cups": 2, "hot": True}) == "stored"
    assert get(assistant, "minji", "drink") == {"text": "블랙 커피", "cups": 2, "hot": True}
    put(assistant, "minji", "drink", {"text": "녹차"})
    assert get(assistant, "minji", "drink") == {"text": "녹차"}
    assert Memory.objects.count() == 1
    assert [entry.action for entry in MemoryHistory.objects.all()] == ["insert", "update"]
    assert do(assistant, "minji", op="delete", namespace=[""], key="drink")["result"] == "deleted"
    assert do(assistant, "minji", op="delete", namespace=[""], key="drink")["result"] == "absent"
    assert get(assistant, "minji", "drink") is None
    assert put(assistant, "minji", "drink", {"text": "녹차"}) == "stored"


def test_items_are_keyed_by_service_user_namespace_and_key(minji, jiho, assistant, homebot):
    put(assistant, "minji", "k", {"v": "1"}, ("", "notes"))
    for runtime, user, namespace in (
        (assistant, "jiho", ("", "notes")),
        (homebot, "minji", ("", "notes")),
        (assistant, "minji", ("",)),
        (assistant, "minji", ("acme", "notes")),
        (assistant, "minji", ("", "%")),
    ):
        assert get(runtime, user, "k", namespace) is None


def test_a_search_follows_prefix_filter_limit_and_offset(minji, assistant):
    put(assistant, "minji", "a", {"text": "커피", "n": 1, "kind": "drink"}, ("", "x"))
    put(assistant, "minji", "b", {"text": "녹차", "n": 2, "kind": "drink"}, ("", "x", "y"))
    put(assistant, "minji", "c", {"text": "빵", "n": 3, "kind": "food"}, ("", "z"))
    put(assistant, "minji", "d", {"text": "우유", "n": 4, "kind": "drink"}, ("acme", "x"))
    assert search(assistant, "minji") == ["a", "b", "c", "d"]
    assert search(assistant, "minji", ("",)) == ["a", "b", "c"]
    assert search(assistant, "minji", ("", "x")) == ["a", "b"]
    assert search(assistant, "minji", ("acme",)) == ["d"]
    assert search(assistant, "minji", filter={"kind": "drink"}) == ["a", "b", "d"]
    assert search(assistant, "minji", filter={"n": {"$gt": 1, "$lte": 3}}) == ["b", "c"]
    assert search(assistant, "minji", filter={"n": {"$ne": 1}, "kind": "drink"}) == ["b", "d"]
    assert search(assistant, "minji", filter={"missing": {"$gt": 1}}) == []
    assert search(assistant, "minji", limit=1, offset=1) == ["b"]


def test_a_query_ranks_by_meaning_and_words(minji, assistant):
    put(assistant, "minji", "coffee", {"text": "민지는 커피를 좋아해요"})
    put(assistant, "minji", "meeting", {"text": "회의는 세 시예요"})
    put(assistant, "minji", "hidden", {"text": "커피를 좋아해요"}, index=False)
    [first, second, last] = do(assistant, "minji", op="search", query="커피 좋아해?")["items"]
    assert [item["key"] for item in (first, second, last)] == ["coffee", "meeting", "hidden"]
    assert first["score"] > second["score"]
    assert last["score"] is None
    assert search(assistant, "minji", query="커피", filter={"text": "회의는 세 시예요"}) == ["meeting"]


def test_an_item_that_is_not_to_be_indexed_is_nowhere_in_the_index(minji, assistant):
    put(assistant, "minji", "hidden", {"text": "커피를 좋아해요"}, index=False)
    assert not Vector.objects.exists()
    assert IndexEntry.objects.get().state == "excluded"
    assert assistant.facts("minji", "커피") == []


def test_the_text_to_search_by_may_be_chosen(minji, assistant):
    put(assistant, "minji", "k", {"title": "여행", "body": "부산 바다"}, text="부산 바다")
    assert assistant.facts("minji", "바다") == ["부산 바다"]


def test_items_end_with_their_time_to_live_unless_they_are_used(minji, assistant):
    put(assistant, "minji", "soon", {"text": "커피"}, ttl_minutes=10)
    put(assistant, "minji", "gone", {"text": "녹차"}, ttl_minutes=0)
    assert search(assistant, "minji") == ["soon"]
    assert get(assistant, "minji", "gone") is None
    ends = timezone.now() + timedelta(minutes=2)
    Memory.objects.exclude(valid_to__lt=timezone.now()).update(valid_to=ends)
    do(assistant, "minji", op="get", namespace=[""], key="soon", refresh_ttl=False)
    assert Memory.objects.filter(valid_to=ends).exists()
    get(assistant, "minji", "soon")
    assert not Memory.objects.filter(valid_to=ends).exists()
    assert MemoryHistory.objects.count() == 2
    assert (store.purge(), store.purge()) == (1, 0)
    assert Memory.objects.filter(deleted_at__isnull=True).count() == 1
    assert IndexEntry.objects.count() == 1
    put(assistant, "minji", "gone", {"text": "녹차"})
    assert get(assistant, "minji", "gone") == {"text": "녹차"}


def test_an_expired_item_that_is_put_again_lives(minji, assistant):
    put(assistant, "minji", "k", {"text": "녹차"}, ttl_minutes=0)
    put(assistant, "minji", "k", {"text": "녹차"})
    assert get(assistant, "minji", "k") == {"text": "녹차"}


def test_namespaces_are_listed(minji, jiho, assistant):
    put(assistant, "minji", "a", {"v": "1"}, ("", "x"))
    put(assistant, "minji", "b", {"v": "1"}, ("", "x"))
    put(assistant, "minji", "c", {"v": "1"}, ("acme", "y"))
    put(assistant, "jiho", "d", {"v": "1"}, ("", "z"))
    assert do(assistant, "minji", op="list_namespaces")["namespaces"] == [["", "x"], ["acme", "y"]]


def test_a_batch_reads_what_was_before_and_the_last_put_wins(minji, assistant):
    put(assistant, "minji", "k", {"v": "old"})
    answer = batch(
        assistant,
        "minji",
        {"op": "put", "namespace": [""], "key": "k", "value": {"v": "1"}},
        {"op": "get", "namespace": [""], "key": "k"},
        {"op": "put", "namespace": [""], "key": "k", "value": {"v": "2"}},
        {"op": "delete", "namespace": [""], "key": "none"},
    ).json()["results"]
    assert answer[1]["item"]["value"] == {"v": "old"}
    assert [answer[at]["result"] for at in (0, 2, 3)] == ["stored", "stored", "absent"]
    assert get(assistant, "minji", "k") == {"v": "2"}


def test_without_consent_reads_are_empty_writes_refused_and_deletion_works(minji, assistant):
    put(assistant, "minji", "k", {"text": "커피"})
    withdraw(minji)
    answer = batch(assistant, "minji", {"op": "get", "namespace": [""], "key": "k"}, {"op": "search"}).json()
    assert answer["results"] == [{"op": "get", "item": None}, {"op": "search", "items": []}]
    assert answer["reason"] == "no-consent"
    refused = batch(assistant, "minji", {"op": "put", "namespace": [""], "key": "k2", "value": {"v": "1"}})
    assert (refused.status_code, refused.json()["code"]) == (403, "consent-required")
    assert do(assistant, "minji", op="delete", namespace=[""], key="k")["result"] == "deleted"


def test_minji_sees_an_item_corrects_it_and_the_agent_gets_the_correction(minji, assistant):
    put(assistant, "minji", "drink", {"text": "커피를 좋아해요", "n": 1})
    [item] = assistant.get("memories", user_id="minji", type="ENTRY").json()["items"]
    assert (item["statement"], item["memory_subtype"]) == ("커피를 좋아해요 1", "item")
    put(assistant, "minji", "drink", {"text": "커피를 좋아해요"})
    assistant.patch(f"memories/{item['memory_id']}", {"user_id": "minji", "statement": "녹차를 좋아해요"})
    assert get(assistant, "minji", "drink") == {"text": "녹차를 좋아해요"}


def test_what_minji_deleted_is_not_put_back_but_something_new_is(minji, assistant):
    put(assistant, "minji", "drink", {"text": "커피를 좋아해요"})
    [item] = assistant.get("memories", user_id="minji").json()["items"]
    assistant.delete(f"memories/{item['memory_id']}?user_id=minji")
    assert put(assistant, "minji", "drink", {"text": "커피를 좋아해요"}) == "forgotten"
    assert get(assistant, "minji", "drink") is None
    assert put(assistant, "minji", "drink", {"text": "녹차를 좋아해요"}) == "stored"


def test_a_phone_number_is_kept_but_never_indexed(minji, assistant):
    put(assistant, "minji", "phone", {"number": "010-1234-5678"})
    assert Memory.objects.get().sensitivity == "pii"
    assert not Vector.objects.exists()
    assert get(assistant, "minji", "phone") == {"number": "010-1234-5678"}


def test_the_row_tells_neither_key_nor_value(minji, assistant):
    put(assistant, "minji", "zebra-7731", {"zebra-7731": "zebra-7731"}, ("", "zebra-7731"))
    row = Memory.objects.values().get()
    assert b"zebra" not in bytes(row.pop("content"))
    assert "zebra" not in str(row)


def test_entries_and_items_do_not_mix(minji, assistant):
    put(assistant, "minji", "k", {"text": "커피"})
    entry = {"content": "커피 한 잔", "author": "user", "timestamp": "2026-05-16T09:00:00Z"}
    assistant.post("entries", {"user_id": "minji", "entry": entry})
    found = assistant.post("entries/search", {"user_id": "minji", "query": "커피"}).json()["entries"]
    assert [item["content"] for item in found] == ["커피 한 잔"]
    assert search(assistant, "minji", query="커피") == ["k"]
    assert assistant.post("entries/delete", {"user_id": "minji", "query": "커피"}).json()["deleted"] == 1
    assert get(assistant, "minji", "k") == {"text": "커피"}


def test_reading_leaves_a_receipt(minji, assistant):
    put(assistant, "minji", "k", {"text": "커피"})
    get(assistant, "minji", "k")
    get(assistant, "minji", "none")
    assert Recall.objects.get().options == {"door": "store"}


@pytest.mark.parametrize(
    ("operation", "field"),
    [
        ({"op": "take"}, "operations.0.op"),
        ({}, "operations.0.op"),
        ({"op": "get", "namespace": [""], "key": "k", "user_id": "jiho"}, "operations.0.user_id"),
        ({"op": "get", "namespace": ["", ""], "key": "k"}, "operations.0.namespace"),
        ({"op": "get", "namespace": [""], "key": ""}, "operations.0.key"),
        ({"op": "put", "namespace": [""], "key": "k", "value": "text"}, "operations.0.value"),
        ({"op": "put", "namespace": [""], "key": "k", "value": {"v": "x" * 40000}}, "operations.0.value"),
        (
            {"op": "put", "namespace": [""], "key": "k", "value": {}, "ttl_minutes": -1},
            "operations.0.ttl_minutes",
        ),
        ({"op": "search", "limit": -1}, "operations.0.limit"),
    ],
)
def test_a_malformed_operation_is_refused_and_the_field_named(minji, assistant, operation, field):
    answer = batch(assistant, "minji", operation)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]
    assert not Memory.objects.exists()


def test_each_operation_asks_for_its_own_permission(minji, assistant):
    _, assistant.secret = keys.issue(assistant.service, ["recall"])
    assert get(assistant, "minji", "k") is None
    for operation in (
        {"op": "put", "namespace": [""], "key": "k", "value": {}},
        {"op": "delete", "namespace": [""], "key": "k"},
    ):
        assert batch(assistant, "minji", operation).status_code == 403
