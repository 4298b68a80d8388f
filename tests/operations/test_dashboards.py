"""What the dashboard and the alerts ask for is what /metrics exports."""

import json
import re
from typing import Any

import pytest
import yaml
from django.test import Client

from memoryapp.models import IndexState, TurnState
from memoryapp.pages.operations import tables
from tests.live import PROJECT

FOLDER = PROJECT / "static" / "operations"
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "grafana-dashboard.json").read_text())
RULES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "prometheus-rules.yml").read_text())["groups"][0][
    "rules"
]
SUFFIXES = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("",), "gauge": ("",)}
LABELS = {
    "memoryapp_request_seconds": {"method", "route", "status", "le"},
    "memoryapp_recall_seconds": {"le"},
    "memoryapp_recall_degraded_total": {"reason"},
    "memoryapp_turns": {"state"},
    "memoryapp_index_entries": {"state"},
    "up": {"job"},  # Prometheus' own
}


def expressions() -> list[str]:
    shown = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return shown + [rule["expr"] for rule in RULES]


def exported(client: Client) -> set[str]:
    found = re.findall(r"^# TYPE (\w+) (\w+)$", client.get("/metrics").content.decode(), re.MULTILINE)
    return {name + suffix for name, kind in found for suffix in SUFFIXES.get(kind, ())}


@pytest.mark.django_db
def test_every_metric_that_is_asked_for_is_exported_and_shown(client: Client) -> None:
    asked = {name for text in expressions() for name in re.findall(r"\bmemoryapp_\w+", text)}
    assert asked <= exported(client)
    # When a series began, which the library adds, tells nothing; and a histogram is shown by its buckets.
    ours = {
        name
        for name in exported(client)
        if name.startswith("memoryapp_") and not name.endswith(("_sum", "_created"))
    }
    shown = {
        name
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\bmemoryapp_\w+", target["expr"])
    }
    assert shown == ours


@pytest.mark.parametrize("text", expressions())
def test_labels_and_states_are_those_of_the_metric(text: str) -> None:
    names = re.findall(r"\b(memoryapp_\w+?)(?:_bucket|_count|_sum)?\b(?=[{\[) ]|$)", text) or ["up"]
    allowed = set().union(*(LABELS.get(name, set()) for name in names))
    used = set(re.findall(r"[{,]\s*(\w+)\s*=", text))
    for group in re.findall(r"by \(([^)]*)\)", text):
        used |= {label.strip() for label in group.split(",")}
    assert used <= allowed
    known = {*TurnState.values, *IndexState.values}
    assert set(re.findall(r'state="(\w+)"', text)) <= known


def test_every_alert_leads_to_its_part_of_the_runbook() -> None:
    named = {entry["name"] for entry in tables()["runbook"] if "name" in entry}
    for rule in RULES:
        assert rule["annotations"]["see"] in named
        assert rule["labels"]["severity"] in {"page", "ticket"}


def test_the_dashboard_is_one_grafana_can_import() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(ids) == len(set(ids))
    assert {panel["type"] for panel in DASHBOARD["panels"]} <= {"timeseries", "stat"}
    assert DASHBOARD["templating"]["list"][0]["query"] == "prometheus"
