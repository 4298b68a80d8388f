"""Prometheus reads counts and times; a request's log line has its id and its route."""

import json
import logging

import pytest

from memoryapp import logs


def metrics(client, **more):
    return client.get("/metrics", **more)


def test_metrics_tell_times_by_route_and_states(assistant, minji, client):
    assistant.save("minji", "저는 부산에서 살아요")
    assistant.recall("minji", "부산")
    text = metrics(client).content.decode()
    assert 'memoryapp_request_seconds_count{method="POST",route="api/v1/recall",status="200"}' in text
    assert "memoryapp_recall_seconds_count" in text
    assert 'memoryapp_index_entries{state="indexed"} 1.0' in text
    assert 'memoryapp_turns{state="pending"} 0.0' in text
    assert "minji" not in text


def test_metrics_are_for_this_machine_or_the_holder_of_the_token(db, client, settings):
    assert metrics(client).status_code == 200
    assert metrics(client, REMOTE_ADDR="10.1.2.3").status_code == 404
    assert metrics(client, headers={"X-Forwarded-For": "10.1.2.3"}).status_code == 404
    settings.METRICS_TOKEN = "secret"
    assert metrics(client).status_code == 404
    right = {"Authorization": "Bearer secret"}
    assert metrics(client, REMOTE_ADDR="10.1.2.3", headers=right).status_code == 200
    assert metrics(client, headers={"Authorization": "Bearer wrong"}).status_code == 404


def test_a_request_has_one_id_in_answer_and_log(assistant, minji, caplog):
    caplog.set_level(logging.INFO, logger="memoryapp.requests")
    given = assistant.get("memories?user_id=minji")
    assert len(given["X-Request-Id"]) == 32
    answer = assistant.call("GET", "turns/unknown?user_id=minji", **{"X-Request-Id": "proxy-12345"})
    assert answer["X-Request-Id"] == "proxy-12345"
    odd = assistant.call("GET", "capabilities", **{"X-Request-Id": "a b\tc"})
    assert odd["X-Request-Id"] != "a b\tc"
    line = [record.getMessage() for record in caplog.records if record.name == "memoryapp.requests"][1]
    assert line.startswith("GET api/v1/turns/<path:turn_id> 404 ")
    assert "minji" not in caplog.text


@pytest.mark.parametrize("formatter", [logs.Line(), logs.Json()])
def test_a_logged_exception_keeps_its_words_to_itself(formatter):
    try:
        try:
            raise ValueError("zebra-7731")
        except ValueError as error:
            raise RuntimeError("because of zebra-7731") from error
    except RuntimeError as error:
        for message, args in (("it broke", ()), ("it broke: %s", (error,)), (f"it broke: {error}", ())):
            record = logging.LogRecord(
                "celery", logging.ERROR, __file__, 1, message, args, (type(error), error, None)
            )
            assert "zebra" not in formatter.format(record)
            assert "RuntimeError" in formatter.format(record)
        bare = logging.LogRecord("kombu", logging.ERROR, __file__, 1, "lost: %r", (error,), None)
        assert "zebra" not in formatter.format(bare)


def test_json_lines_are_json():
    record = logging.LogRecord("x", logging.INFO, __file__, 1, "said %s", ("안녕",), None)
    record.fields = {"route": "api/v1/recall"}
    line = json.loads(logs.Json().format(record))
    assert (line["message"], line["route"], line["level"]) == ("said 안녕", "api/v1/recall", "INFO")
