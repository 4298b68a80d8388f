"""What is personal is guarded wherever in a memory it stands, and by whatever door it came in."""

import json

import pytest

from memoryapp.extract.fake import chat_endpoint
from memoryapp.models import Memory, Vector

PHONE = "010-1234-5678"
NUMBER = "900101-1234567"


def listed(runtime) -> str:
    return runtime.get("memories", user_id="minji").content.decode()


def test_a_number_among_the_keywords_of_a_save_guards_it(minji, assistant):
    saved = assistant.save("minji", "제 연락처예요", keywords=[PHONE]).json()["memory"]
    assert (saved["sensitivity"], saved["index_state"]) == ("pii", "excluded")
    assert "5678" not in listed(assistant)


@pytest.mark.parametrize(
    "fields",
    [
        {"raw_content": f"주민번호 {NUMBER}"},
        {"normalized_fact": f"주민번호 {NUMBER}"},
        {"entities": [f"주민번호 {NUMBER}"]},
        {"keywords": [f"주민번호 {NUMBER}"]},
        {"memory_subtype": f"주민번호 {NUMBER}"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_number_in_any_field_of_a_correction_guards_it(minji, assistant, fields):
    memory = assistant.save("minji", "저는 판교에 살아요").json()["memory"]
    body = {"user_id": "minji", "sensitivity": "normal", **fields}
    assert assistant.patch(f"memories/{memory['memory_id']}", body).status_code == 200
    assert Memory.objects.get().sensitivity == "restricted"
    assert Vector.objects.count() == 0
    assert "1234567" not in listed(assistant)


@pytest.mark.parametrize("name", ["keywords", "entities", "slot"])
def test_a_number_a_model_puts_anywhere_guards_the_fact(minji, make_runtime, work, name):
    value = {"subject": "user", "attribute": "phone", "object": PHONE} if name == "slot" else [PHONE]
    said = "제 연락처예요"
    fact = {"statement": said, "quote": said, "sensitivity": "normal", name: value}
    with chat_endpoint(json.dumps({"facts": [fact]})) as endpoint:
        runtime = make_runtime("assistant", extractor="llm", extractor_url=endpoint.url, extractor_model="m")
        runtime.report("minji", said)
        work()
    assert Memory.objects.get().sensitivity == "pii"


def test_words_that_only_meet_in_two_fields_are_no_number(minji, assistant):
    saved = assistant.save("minji", "동생은 010 세대예요", keywords=["1234", "5678"]).json()["memory"]
    assert saved["sensitivity"] == "normal"
