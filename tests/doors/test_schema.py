"""The OpenAPI document says what the API takes, without anybody having to keep it so."""

import subprocess
import sys

import pytest
from django.core.management import call_command

from tests.live import PROJECT, server_environment


@pytest.fixture
def document(client, db):
    return client.get("/api/v1/schema/?format=json").json()


def operation(document, method, path):
    return document["paths"][f"/api/v1/{path}"][method]


def test_every_write_names_its_body(document):
    bare = [
        f"{method} {path}"
        for path, operations in document["paths"].items()
        for method, described in operations.items()
        if method in ("post", "put", "patch") and "requestBody" not in described
    ]
    assert bare == ["post /api/v1/sessions/{session_id}/tools/{tool}"]  # its body is each tool's own


def test_a_body_is_described_field_by_field(document):
    reference = operation(document, "post", "memories")["requestBody"]["content"]["application/json"][
        "schema"
    ]["$ref"]
    body = document["components"]["schemas"][reference.rsplit("/", 1)[1]]
    assert set(body["required"]) == {"user_id", "fact"}
    assert {"memory_type", "valid_to", "confidence"} <= set(body["properties"])
    assert body["properties"]["occurred_at"]["format"] == "date-time"


def test_a_query_is_described_too(document):
    names = {item["name"] for item in operation(document, "get", "memories")["parameters"]}
    assert {"user_id", "cursor", "limit", "validity"} <= names


def test_statuses_refusals_and_credentials_are_described(document):
    turns = operation(document, "post", "turns")
    assert {"202", "400", "401", "403", "404", "429"} <= set(turns["responses"])
    assert turns["security"] == [{"serviceKey": []}]
    assert "application/problem+json" in str(document["components"]) or turns["responses"]["400"]["content"]
    assert any(item["name"] == "Idempotency-Key" for item in turns["parameters"])


def test_the_document_is_drawn_without_a_warning(db, capsys, tmp_path):
    call_command("spectacular", "--fail-on-warn", "--validate", "--file", str(tmp_path / "schema.yml"))


def test_a_production_environment_passes_every_check(db):
    given = {
        "BEHIND_TLS": "1",
        "ALLOWED_HOSTS": "memory.example",
        "SECRET_KEY": "x9!" + "abcdefghijklmnopqrstuvwxyz0123456789" * 2,
        "CELERY_BROKER_URL": "redis://localhost",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=PROJECT, env=server_environment() | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
