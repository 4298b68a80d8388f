"""What holds for every endpoint: keys, problems, times, text, pages, idempotency."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import InterfaceError, OperationalError, connection, connections
from django.test import Client
from django.utils import timezone

from memoryapp import keys
from memoryapp.models import Memory
from tests.conftest import withdraw


def test_without_a_key_nothing_answers(assistant, client):
    for headers in (
        {},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic x"},
        {"Authorization": "Bearer "},
    ):
        answer = client.get("/api/v1/capabilities", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert answer["Content-Type"] == "application/problem+json"


def test_a_revoked_or_expired_key_is_no_key(assistant):
    key = assistant.service.keys.get()
    key.expires_at = timezone.now() - timedelta(seconds=1)
    key.save()
    assert assistant.get("capabilities").status_code == 401
    key.expires_at = None
    key.save()
    assert assistant.get("capabilities").status_code == 200
    keys.revoke(key)
    assert assistant.get("capabilities").status_code == 401


def test_a_key_may_do_only_what_it_carries(minji, assistant):
    _, assistant.secret = keys.issue(assistant.service, ["recall"])
    assert assistant.post("recall", {"user_id": "minji", "query": "무엇"}).status_code == 200
    refused = assistant.save("minji", "사실")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert assistant.put("consents/profile", {"user_id": "minji", "granted": True}).status_code == 403


def test_keys_are_stored_hashed(assistant):
    assert assistant.secret not in json.dumps(list(assistant.service.keys.values()), default=str)


def test_unknown_paths_and_methods_are_problems_too(assistant):
    assert assistant.get("nothing/here").json()["code"] == "not-found"
    assert assistant.post("nothing/here").json()["status"] == 404
    wrong = assistant.put("recall", {})
    assert (wrong.status_code, wrong["Content-Type"]) == (405, "application/problem+json")


def test_errors_are_in_one_language(assistant):
    """Whoever reads them wrote the caller; the notices for its user are in the user's language."""
    wrong = {"user_id": "", "query": 7, "top_k": "x", "scopes": ["elsewhere"], "threshold": 9}
    for answer in (
        assistant.post("recall", wrong),
        assistant.put("recall", {}),
        assistant.post("memories", {}),
    ):
        assert answer.status_code in (400, 405)
        assert re.search("[가-힣]", answer.content.decode()) is None, answer.json()


@pytest.mark.parametrize("body", ["{", "[]", '"text"', "null", "17", '{"user_id": NaN}', ""])
def test_a_body_that_is_no_object_is_refused(assistant, body):
    answer = assistant.http.post(
        "/api/v1/recall",
        data=body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {assistant.secret}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


@pytest.mark.parametrize(
    "moment", ["2026-05-16T09:00:00", "yesterday", "2026-13-01T00:00:00Z", 5, "2026-05-16"]
)
def test_a_time_without_an_offset_is_refused(minji, assistant, moment):
    answer = assistant.save("minji", "사실", occurred_at=moment)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["occurred_at"])


def test_the_same_instant_in_two_spellings_is_the_same(minji, assistant):
    assistant.save("minji", "저는 부산에서 살아요", valid_from="2026-05-16T00:00:00Z")
    for as_of in ("2026-05-16T12:00:00Z", "2026-05-16T21:00:00+09:00"):
        assert assistant.facts("minji", "부산", as_of=as_of) == ["저는 부산에서 살아요"]


def test_text_is_cleaned_and_compared_in_one_form(minji, assistant):
    import unicodedata

    decomposed = unicodedata.normalize("NFD", "한글 자모는 아름답다")
    saved = assistant.save("minji", decomposed + "\u0000").json()
    assert saved["memory"]["statement"] == "한글 자모는 아름답다"
    again = assistant.save("minji", "한글 자모는 아름답다").json()
    assert (again["operation"], again["memory"]["memory_id"]) == ("merge", saved["memory"]["memory_id"])
    assert assistant.facts("minji", decomposed) == ["한글 자모는 아름답다"]


def test_lone_surrogates_do_no_harm(minji, assistant):
    body = '{"user_id": "minji", "fact": "\\ud800 짝 없는 대리 문자", "keywords": ["\\udfff키"]}'
    answer = assistant.http.post(
        "/api/v1/memories",
        data=body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {assistant.secret}"},
    )
    assert answer.status_code == 201
    assert answer.json()["memory"]["keywords"] == ["키"]


def test_a_text_over_32_kib_is_refused_with_the_limit_named(minji, assistant):
    answer = assistant.save("minji", "가" * 11_000)
    assert answer.status_code in (400, 413)
    assert "32" in json.dumps(answer.json())
    assert Memory.objects.count() == 0


def test_an_interval_that_ends_before_it_begins_is_refused(minji, assistant):
    answer = assistant.save(
        "minji", "사실", valid_from="2026-05-16T00:00:00Z", valid_to="2026-05-15T00:00:00Z"
    )
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["valid_to"])


def test_120_rows_of_one_moment_come_each_once(minji, assistant):
    for number in range(120):
        assert assistant.save("minji", f"항목 번호 {number} 입니다").status_code == 201
    Memory.objects.update(created_at=timezone.now())
    seen, cursor = [], None
    while True:
        query = {"user_id": "minji", "limit": 50, **({"cursor": cursor} if cursor else {})}
        page = assistant.get("memories", **query).json()
        seen += [item["memory_id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 120


@pytest.mark.parametrize(
    "query",
    [
        {"sort": "nonexistent"},
        {"limit": 201},
        {"limit": 0},
        {"limit": "x"},
        {"cursor": "zzz"},
        {"validity": "x"},
    ],
)
def test_a_parameter_that_would_be_ignored_is_refused(minji, assistant, query):
    assert assistant.get("memories", user_id="minji", **query).status_code == 400


def _pages(assistant, path, **query):
    """Every page of a list, one row each."""
    seen, cursor = [], ""
    while cursor is not None:
        answer = assistant.get(path, limit=1, cursor=cursor, **query).json()
        seen += answer["items"]
        cursor = answer["next"]
    return seen


@pytest.mark.parametrize(("method", "path", "body"), [
    ("POST", "memories/delete?dry_run=true", {"user_id": "minji", "ids": ["{id}"]}),
    ("POST", "memories?user_id=jiho", {"user_id": "minji", "fact": "저는 부산에서 살아요"}),
    ("PATCH", "memories/{id}?version=1", {"user_id": "minji", "statement": "저는 서울에서 살아요"}),
    ("POST", "recall?project_id=p", {"user_id": "minji", "query": "부산"}),
    ("PUT", "consents/profile?granted=false", {"user_id": "minji", "granted": True}),
    ("DELETE", "memories/{id}?user_id=minji", {"user_id": "jiho"}),
])  # fmt: skip
def test_what_stands_where_nobody_looks_is_refused(minji, assistant, method, path, body):
    """A parameter of the query beside a body, or a body beside the query of a deletion, would be ignored."""
    saved = assistant.save("minji", "저는 고양이를 키워요").json()["memory"]["memory_id"]
    sent = json.loads(json.dumps(body).replace("{id}", saved))
    answer = assistant.call(method, path.replace("{id}", saved), sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert minji.memories.get().version == 1


@pytest.mark.parametrize("consents", [True, False])
def test_somebody_else_s_memory_is_unknown_also_to_one_who_consented_to_nothing(
    minji, make_person, assistant, consents
):
    make_person("jiho", **({} if consents else {"consents": ()}))
    saved = assistant.save("minji", "저는 고양이를 키워요").json()["memory"]["memory_id"]
    jiho, path = {"user_id": "jiho"}, f"memories/{saved}"
    answers = [
        assistant.patch(path, {**jiho, "statement": "x"}),
        assistant.post(f"{path}/approve", jiho),
        assistant.post(f"{path}/decline", jiho),
        assistant.post("memories/delete", {**jiho, "ids": [saved]}),
        assistant.delete(f"{path}?user_id=jiho"),
        assistant.get(path, **jiho),
        assistant.get(f"{path}/history", **jiho),
    ]
    assert {answer.status_code for answer in answers} == {404}


def test_a_history_and_receipts_come_in_pages_too(minji, assistant):
    memory_id = assistant.save("minji", "저는 부산에서 살아요").json()["memory"]["memory_id"]
    for number in range(3):
        body = {"user_id": "minji", "confidence": number / 4}
        assert assistant.patch(f"memories/{memory_id}", body).status_code == 200
        assistant.put("consents/profile", {"user_id": "minji", "granted": number % 2 == 0})
    for path, count in ((f"memories/{memory_id}/history", 4), ("consents/profile/receipts", 3)):
        whole = assistant.get(path, user_id="minji").json()
        assert (len(whole["items"]), whole["next"]) == (count, None)
        assert _pages(assistant, path, user_id="minji") == whole["items"]
        for wrong in ({"limit": 201}, {"cursor": "zzz"}, {"cursor": "LTE"}):
            assert assistant.get(path, user_id="minji", **wrong).status_code == 400


@pytest.mark.parametrize("nobody", ["", "  ", "\u3000", "\u200b", "\u2060 \ufeff", None, 5])
def test_nobody_is_asked_for_under_a_name_that_cannot_be_seen(assistant, nobody):
    answer = assistant.post("recall", {"user_id": nobody, "query": "x"})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["user_id"])


@pytest.mark.parametrize("project", ["  ", "\u3000", "\u200b"])
def test_no_project_has_a_name_that_cannot_be_seen(minji, assistant, project):
    answer = assistant.save("minji", "저는 부산에서 살아요", project_id=project)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["project_id"])


def test_a_person_who_came_without_a_name_gets_the_first_that_is_told(assistant):
    assistant.put("consents/profile", {"user_id": "sora", "granted": True})
    told = [
        assistant.post("persons", {"user_id": "sora", "display_name": name}).json()["display_name"]
        for name in ("소라", "다른 이름")
    ]
    assert told == ["소라", "소라"]


def test_evidence_may_be_a_sentence(minji, assistant):
    body = {"user_id": "minji", "granted": True, "evidence": "동의 버튼을 눌렀다"}
    assert assistant.put("consents/profile", body).status_code == 200
    receipts = assistant.get("consents/profile/receipts", user_id="minji").json()["items"]
    assert receipts[-1]["evidence"] == {"note": "동의 버튼을 눌렀다"}


def test_the_first_answer_is_given_again(minji, assistant):
    body = {"user_id": "minji", "fact": "저는 부산에서 살아요"}
    first = assistant.post("memories", body, **{"Idempotency-Key": "k1"})
    again = assistant.post("memories", body, **{"Idempotency-Key": "k1"})
    assert (again.status_code, again.json()) == (201, first.json())
    other = assistant.post("memories", {**body, "fact": "다른 사실"}, **{"Idempotency-Key": "k1"})
    assert (other.status_code, other.json()["code"]) == (409, "conflict")
    assert Memory.objects.count() == 1


def test_a_kept_answer_tells_nothing_that_was_deleted_or_is_no_longer_consented_to(minji, assistant):
    body, key = {"user_id": "minji", "fact": "저는 부산에서 살아요"}, {"Idempotency-Key": "k1"}
    first = assistant.post("memories", body, **key).json()
    withdraw(minji)
    refused = assistant.post("memories", body, **key)
    assert (refused.status_code, "부산" in refused.content.decode()) == (403, False)

    assistant.put("consents/long_term_memory", {"user_id": "minji", "granted": True})
    assistant.delete(f"memories/{first['memory']['memory_id']}?user_id=minji")
    assert assistant.post("memories", body, **key).status_code == 404
    assert minji.memories.filter(deleted_at__isnull=True).count() == 0


def test_an_error_leaves_the_idempotency_key_free(minji, assistant):
    bad = assistant.post("memories", {"user_id": "minji"}, **{"Idempotency-Key": "k2"})
    good = assistant.post("memories", {"user_id": "minji", "fact": "사실이에요"}, **{"Idempotency-Key": "k2"})
    assert (bad.status_code, good.status_code) == (400, 201)


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_under_one_key_make_one_row(minji, assistant):
    def send(_: int) -> str:
        try:
            answer = Client().post(
                "/api/v1/memories",
                data={"user_id": "minji", "fact": "저는 부산에서 살아요"},
                content_type="application/json",
                headers={"Authorization": f"Bearer {assistant.secret}", "Idempotency-Key": "k3"},
            )
            return answer.json()["memory"]["memory_id"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(10) as pool:
        ids = set(pool.map(send, range(20)))
    assert len(ids) == Memory.objects.count() == 1
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_eight_writers_of_one_fact_make_one_row(minji, assistant):
    def send(number: int) -> str:
        try:
            answer = Client().post(
                "/api/v1/memories",
                data={"user_id": "minji", "fact": "저는 부산에서 살아요", "source_event_ids": [f"e{number}"]},
                content_type="application/json",
                headers={"Authorization": f"Bearer {assistant.secret}"},
            )
            return answer.json()["memory"]["memory_id"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(send, range(8)))
    assert len(ids) == Memory.objects.count() == 1


@pytest.mark.parametrize("query", ["what's", "a:b", "&|!", "'\":*", "", "   ", "🙂", "ﷺ" * 10, "a" * 5000])
def test_odd_questions_are_answered(minji, assistant, query):
    assistant.save("minji", "저는 부산에서 살아요")
    assert assistant.post("recall", {"user_id": "minji", "query": query}).status_code == 200


def test_the_schema_is_openapi_3_1(client):
    answer = client.get("/api/v1/schema/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert answer.json()["openapi"].startswith("3.1")
    for accepted in ("application/json", "application/vnd.oai.openapi+json", "application/yaml"):
        assert client.get("/api/v1/schema/", headers={"Accept": accepted}).status_code == 200


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_database_that_is_gone_is_told_so_and_when_to_come_back(assistant, minji, error):
    with patch("memoryapp.api.talk.turns.record", side_effect=error("zebra")):
        answer = assistant.report("minji", "저는 부산에서 살아요", "t-1")
    assert (answer.status_code, answer.json()["code"]) == (503, "database-unavailable")
    assert int(answer["Retry-After"]) > 0
    assert "zebra" not in answer.content.decode()


HUGE = "1" + "0" * 400


@pytest.mark.parametrize("number", [HUGE, "1e999", "-1e999", "NaN", "Infinity"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("recall", '{"user_id": "minji", "query": "x", "threshold": %s}'),
        ("memories", '{"user_id": "minji", "fact": "x", "confidence": %s}'),
        ("speakers/resolve", '{"speaker_id": "x", "speaker_confidence": %s}'),
        ("sync", '{"user_id": "minji", "device_id": "d", "writes": [{"confidence": %s}]}'),
    ],
)
def test_a_number_beyond_every_number_is_refused(minji, assistant, path, body, number):
    assert assistant.call("POST", path, body % number).status_code in (200, 400)
    assert minji.memories.count() == 0


@pytest.mark.parametrize(
    "body",
    [
        '{"user_id": "minji", "user_id": "jiho", "fact": "x"}',
        '{"user_id": "minji", "fact": "x", "metadata": {"a": 1e999}}',
        '{"user_id": "minji", "fact": "x", "metadata": {"a": 1, "a": 2}}',
    ],
)
def test_json_that_every_reader_takes_differently_is_refused(minji, jiho, assistant, body):
    answer = assistant.call("POST", "memories", body)
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "This is not valid JSON, or it gives a name twice.",
    )
    assert Memory.objects.count() == 0


def test_a_turn_is_found_by_its_id_in_either_form(minji, assistant):
    assistant.report("minji", "네", turn_id="e\u0301x")
    for form in ("e\u0301x", "\u00e9x"):
        assert assistant.get(f"turns/{form}", user_id="minji").status_code == 200


@pytest.mark.parametrize(
    "nothing", ["\u3164", "\u115f", "\uffa0", "\u2800", "\u200b", "\ufeff", "\u00ad \u3164"]
)
def test_what_cannot_be_seen_is_blank(minji, assistant, nothing):
    assert assistant.post("persons", {"user_id": nothing}).status_code == 400
    assert assistant.save("minji", nothing).status_code == 400


def test_an_id_that_is_no_utf_8_names_nobody(assistant, make_person):
    assert assistant.post("persons", {"user_id": "\ufffd"}).status_code == 400
    headers = {"Authorization": f"Bearer {assistant.secret}"}
    assert assistant.http.get("/api/v1/memories?user_id=%FF", headers=headers).status_code == 400
