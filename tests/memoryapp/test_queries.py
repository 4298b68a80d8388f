"""How many queries a request takes: constant, whatever the size of the store."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext


def count(call) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert call().status_code < 300
    return len([q for q in captured.captured_queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))])


@pytest.fixture
def warm(minji, assistant):
    """One of each call first, so that per-process caches are filled and the key's last use is noted."""
    assistant.save("minji", "저는 판교에서 일해요")
    assistant.recall("minji", "판교")
    return assistant


def test_a_recall_takes_seven_queries_at_any_size(minji, warm):
    def call():
        return warm.post("recall", {"user_id": "minji", "query": "어디서 일해?"})

    few = count(call)
    for number in range(25):
        warm.save("minji", f"판교에서 {number}번째 회의를 했다")
    # key with service, deployed revision, person with key, consent, the cost, the search, the receipt
    assert few == count(call) == 7


def test_a_list_takes_the_same_number_of_queries_at_any_size(minji, warm):
    def call():
        return warm.get("memories", user_id="minji", limit=50)

    few = count(call)
    for number in range(25):
        warm.save("minji", f"판교에서 {number}번째 회의를 했다")
    assert few == count(call) <= 6


def test_the_history_of_a_memory_does_not_cost_a_query_an_entry(minji, warm):
    memory = warm.save("minji", "메모 하나").json()["memory"]

    def call():
        return warm.get(f"memories/{memory['memory_id']}/history", user_id="minji")

    few = count(call)
    for number in range(5):
        warm.patch(f"memories/{memory['memory_id']}", {"user_id": "minji", "statement": f"메모 {number}"})
    assert few == count(call)
