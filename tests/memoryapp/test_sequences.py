"""Minji says one thing and later another: what she sees as current is what holds now."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "eval" / "sequences.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " › ".join(row["turns"]))
def test_what_is_current_at_the_end(row, minji, assistant, work):
    start = timezone.now() - timedelta(hours=1)
    for number, text in enumerate(row["turns"]):
        at = (start + timedelta(minutes=number)).isoformat()
        assistant.report("minji", text, f"t{number}", session_id="s1", occurred_at=at)
        work()
    current = " / ".join(_statements(assistant))
    assert all(word in current for word in row["current"]), current
    assert not any(word in current for word in row["gone"]), current


def _statements(assistant):
    """Everything current, unmasked as its owner reads it one by one."""
    listed = assistant.get("memories", user_id="minji", validity="current").json()["items"]
    rows = (assistant.get(f"memories/{row['memory_id']}", user_id="minji").json() for row in listed)
    return [row["statement"] for row in rows]
