"""Whatever is sent, the answer is one of ours and never a server error: by the document, and by plain noise."""

import json
import os
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

#: Cases per operation; MEMORYAPP_FUZZ=300 for a long run.
EXAMPLES = int(os.environ.get("MEMORYAPP_FUZZ", "8"))
QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize="MEMORYAPP_FUZZ" not in os.environ,
    database=None,
)


@pytest.fixture
def head(live, assistant, minji) -> dict[str, str]:
    assistant.save("minji", "저는 부산에서 살아요")
    return {"Authorization": f"Bearer {assistant.secret}"}


@pytest.fixture
def http(live, head) -> Iterator[httpx.Client]:
    """One for all cases: a client by itself takes 40 ms to load its certificates."""
    json_of_ours = head | {"Content-Type": "application/json"}
    with httpx.Client(base_url=f"{live.base_url}/api/v1/", headers=json_of_ours, timeout=30) as http:
        yield http


def operations() -> dict[str, Any]:
    document = SchemaGenerator().get_schema(request=None, public=True)
    found = schemathesis.openapi.from_dict(json.loads(json.dumps(document, default=str)))
    return {item.ok().label: item.ok() for item in found.get_all_operations()}


OPERATIONS = operations()


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_no_request_by_the_document_is_a_server_error(live, head, operation):
    @QUICK
    @given(case=operation.as_strategy())
    def ask(case: Any) -> None:
        for part in (case.body, case.query):  # most ways lead on only for somebody known
            if isinstance(part, dict) and "user_id" in part:
                part["user_id"] = "minji"
        answer = case.call(base_url=live.base_url, headers=head)
        assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.text}"

    ask()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside, max_size=4),
    max_leaves=12,
)
ODD_TEXT = st.text(alphabet=st.characters(codec="utf-8", categories=None), max_size=200) | st.sampled_from(
    [
        "%",
        "_",
        "\\",
        "'",
        '"',
        "&|!:*",
        "'\":*",
        "\u0000",
        "\ufdfa" * 20,
        "가" * 1000,
        "​",
        "😀",
        "a:b",
        "what's",
    ]
)


def ours(answer: httpx.Response) -> None:
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code


@QUICK
@given(
    value=ANYTHING,
    path=st.sampled_from(
        ["recall", "memories", "turns", "entries", "entries/search", "sync", "a2a/context", "store/batch"]
    ),
)
def test_any_json_is_answered(http, value, path):
    ours(http.post(path, content=json.dumps(value)))


@QUICK
@given(raw=st.binary(max_size=200), path=st.sampled_from(["recall", "memories", "turns", "users/minji"]))
def test_any_bytes_are_answered(http, raw, path):
    ours(http.post(path, content=raw))


@QUICK
@given(text=ODD_TEXT)
def test_any_text_is_saved_found_and_asked_for(http, text):
    def post(path: str, body: dict[str, Any]) -> httpx.Response:
        return http.post(path, content=json.dumps(body))

    saved = post(
        "memories", {"user_id": "minji", "fact": text, "keywords": [text[:50]] if text.strip() else []}
    )
    ours(saved)
    ours(post("recall", {"user_id": "minji", "query": text}))
    ours(
        post("turns", {"user_id": "minji", "session_id": text[:40], "turn_id": text[:40], "user_text": text})
    )
    ours(post("entries/delete", {"user_id": "minji", "query": text, "dry_run": True}))
    if saved.status_code == 201:
        memory_id = saved.json()["memory"]["memory_id"]
        ours(http.get(f"memories/{memory_id}", params={"user_id": "minji"}))


@QUICK
@given(
    text=ODD_TEXT.filter(lambda text: text.isprintable()),
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
)
def test_any_address_is_answered(http, text, method):
    path = httpx.URL("/").copy_with(path="/" + text).raw_path.decode()
    answer = http.request(method, f"{http.base_url}{path.removeprefix('/')}")
    assert answer.status_code < 500
