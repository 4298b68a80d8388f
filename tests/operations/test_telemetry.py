"""Traces reach a collector when one is named, tell what happened, and never what was said."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from memoryapp import vault
from speakers.models import Person
from tests.conftest import Runtime
from tests.live import PROJECT, server_environment

MARK, TRACE = "zebra-7731", "0af7651916cd43dd8448eb211c80319c"
#: All that a span may say.
ATTRIBUTES = {
    "http.request.method", "http.route", "http.response.status_code", "memoryapp.request_id", "db.system.name",
    "error.type",
}  # fmt: skip


@dataclass
class Collector:
    """An OpenTelemetry collector that keeps what it is sent."""

    url: str = ""
    raw: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        return [
            span
            for body in self.raw
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def names(self) -> set[str]:
        return {span.name for span in self.spans}

    def one(self, name: str) -> Span:
        return next(span for span in self.spans if span.name == name)

    def is_clean(self) -> bool:
        everything = b"".join(self.raw)
        known = {attribute.key for span in self.spans for attribute in span.attributes}
        free_text = [span for span in self.spans if span.events or span.trace_state or span.status.message]
        marked = MARK.encode() in everything or "얼룩말".encode() in everything
        return not marked and known <= ATTRIBUTES and not free_text


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            kept.raw.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", kept.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    yield kept
    server.shutdown()
    server.server_close()


def python(*arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *arguments], cwd=PROJECT, env=server_environment() | more,
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def traced(*arguments: str) -> None:
    done = python("-m", "tests.operations.traced", *arguments, CELERY_BROKER_URL="memory://")
    assert done.returncode == 0, done.stderr[-3000:]


def attributes(span: Span) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_requests_are_traced_by_route_and_table_and_say_nothing_of_their_content(
    transactional_db: None, minji: Person, assistant: Runtime, collector: Collector
) -> None:
    vault.set_seal()
    traced("requests", assistant.secret)
    names = collector.names()
    assert {"POST api/v1/recall", "POST mcp/", "DELETE api/v1/users/<path:user_id>"} <= names
    assert any(name.startswith("OTHER ") for name in names)
    assert collector.is_clean()
    recall = collector.one("POST api/v1/recall")
    assert recall.trace_id.hex() == TRACE
    assert recall.parent_span_id.hex() == "b7ad6b7169203331"
    told = attributes(recall)
    assert (told["http.route"], told["http.response.status_code"]) == ("api/v1/recall", 200)
    assert told["memoryapp.request_id"] == "proxy-12345"
    inside = {span.name for span in collector.spans if span.trace_id == recall.trace_id}
    assert any(name.startswith("SELECT") and "memoryapp_servicekey" in name for name in inside)
    in_mcp = {span.name for span in collector.spans if span.trace_id == collector.one("POST mcp/").trace_id}
    assert any(name.startswith("SELECT") for name in in_mcp)


def test_a_task_is_traced_by_name_in_the_trace_it_was_sent_from_and_an_error_by_its_type(
    transactional_db: None, collector: Collector
) -> None:
    vault.set_seal()
    traced("tasks")
    failed = collector.one("task memoryapp.digest")
    assert failed.status.code == Status.STATUS_CODE_ERROR
    assert attributes(failed) == {"error.type": "Broken"}
    assert failed.trace_id.hex() == TRACE
    assert failed.parent_span_id == collector.one("request").span_id
    assert collector.is_clean()


def test_without_a_collector_nothing_of_it_is_imported(db: None) -> None:
    code = (
        "import sys, django; django.setup(); import memoryapp.celery; "
        "print('opentelemetry.sdk' in sys.modules, 'memoryapp.telemetry' in sys.modules)"
    )
    for more in ({}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}):
        assert python("-c", code, **more).stdout == "False False\n"


def test_a_collector_without_the_packages_is_refused_with_what_to_install(db: None) -> None:
    code = "import sys, django; sys.modules['opentelemetry.sdk'] = None; django.setup()"
    refused = python("-c", code, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert refused.returncode != 0
    assert "install `.[otel]`" in refused.stderr
