"""What is masked for a service cannot be guessed by what its own writes are answered with."""

import pytest

from memoryapp.models import GUARDED

RIGHT, WRONG = "내 계좌 비밀번호는 4821이야", "내 계좌 비밀번호는 1111이야"


def told(answer):
    """An answer without what differs between any two memories."""
    memory = answer.json()["memory"]
    chance = {"memory_id", "created_at", "updated_at", "occurred_at", "sources"}
    kept = {name: value for name, value in memory.items() if name not in chance}
    return {**answer.json(), "memory": kept}


@pytest.fixture
def secret(minji, assistant):
    saved = assistant.save("minji", RIGHT).json()["memory"]
    assert saved["sensitivity"] in GUARDED
    return saved["memory_id"]


def test_saving_tells_another_service_nothing(secret, homebot):
    right, wrong = homebot.save("minji", RIGHT), homebot.save("minji", WRONG)
    assert told(right) == told(wrong)
    assert right.json()["memory"]["memory_id"] != secret


def test_a_label_of_the_one_is_no_hint_for_the_other(minji, assistant, homebot):
    fact = "나는 우울증 약을 먹고 있어"
    assistant.save("minji", fact, sensitivity="restricted")
    right, wrong = homebot.save("minji", fact), homebot.save("minji", "나는 당뇨 약을 먹고 있어")
    assert (right.json()["operation"], right.json()["memory"]["sensitivity"]) == ("insert", "normal")
    assert (wrong.json()["operation"], wrong.json()["memory"]["sensitivity"]) == ("insert", "normal")


def test_a_turn_and_an_import_and_a_device_tell_nothing(secret, minji, homebot, work):
    counts = []
    for number, fact in enumerate((RIGHT, WRONG)):
        homebot.report("minji", fact, f"t{number}")
        work()
        counts.append(homebot.get(f"turns/t{number}", user_id="minji").json()["counts"])
    assert counts[0] == counts[1]

    brought = [
        homebot.post(
            "import", {"user_id": "minji", "source": "chatgpt", "text": fact, "project_id": "p"}
        ).json()
        for fact in (RIGHT, WRONG)
    ]
    assert [item["duplicates"] for item in brought] == [0, 0]

    homebot.get("sync", user_id="minji", device_id="d1")
    writes = [
        {"client_id": f"c{number}", "kind": "memory", "payload": {"statement": fact, "project_id": "q"}}
        for number, fact in enumerate((RIGHT, WRONG))
    ]
    pushed = homebot.post("sync", {"user_id": "minji", "device_id": "d1", "writes": writes}).json()["results"]
    assert {(item["result"], item["version"]) for item in pushed} == {("applied", 1)}


def test_who_brought_it_may_say_it_again(secret, minji, assistant):
    again = assistant.save("minji", RIGHT).json()
    assert (again["operation"], again["memory"]["memory_id"]) == ("merge", secret)
    assert minji.memories.count() == 1
