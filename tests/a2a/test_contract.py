"""The documented examples, to the letter; and everything a device could send instead."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.a2a import contract
from memoryapp.a2a.contract import Route

GOLDEN = Path(__file__).parent.parent / "contract"


def golden(name: str) -> Any:
    return json.loads((GOLDEN / f"{name}.json").read_text())


SNAPSHOT = golden("a2a-request-with-snapshot")["voice_context"]["memory_snapshot"]
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


def test_the_documented_snapshot_becomes_exactly_the_documented_context():
    result = contract.normalise(SNAPSHOT)
    assert result.context == golden("a2a-normalized-context")
    assert result.dropped == 0


def test_the_planners_documented_context_survives_normalising_again():
    planned = golden("a2a-planner-input")["memory_context"]
    result = contract.normalise(planned)
    assert result.context == {**planned, "source": ""}
    assert result.dropped == 0


def test_a_finished_turn_gives_exactly_the_documented_update():
    update = contract.update(
        user_text="나는 거실을 자주 청정해",
        route=Route(route_family="DEF"),
        sync=SNAPSHOT["sync"],
        speaker=None,
        candidates=[],
        session_summary="",
    )
    assert update == golden("a2a-memory-update")


@pytest.mark.parametrize("nothing", [None, {}, [], "", 0, False, "snapshot", [[]], 1.5])
def test_missing_parts_are_empty(nothing):
    context = contract.normalise(nothing).context
    assert context == {
        "contract_version": "a2a-memory-context-v1",
        "source": "",
        "current_turn_priority": "required",
        "short_term": {"recent_pairs": [], "session_summary": ""},
        "mid_term": {"daily_summaries": [], "weekly_digest": ""},
        "long_term": {"profile_items": []},
        "sync": {"cursor": "", "version": ""},
    }


def test_unknown_parts_are_dropped_and_counted():
    junk = {
        **SNAPSHOT,
        "route_override": "DEF",
        "current_turn_priority": "none",
        "short_term": {**SNAPSHOT["short_term"], "mood": "bad"},
        "long_term": {"profile_items": [{"key": "a", "value": 1, "route_family": "ODL"}, {"value": 2}, 3]},
    }
    result = contract.normalise(junk)
    assert result.context["current_turn_priority"] == "required"
    assert result.context["long_term"]["profile_items"] == [{"key": "a", "value": 1}]
    assert "route_override" not in result.context
    assert result.dropped == 5


def test_day_and_date_are_both_understood():
    days = [{"day": "2026-06-24", "summary": "가"}, {"date": "2026-06-25", "summary": "나"}]
    context = contract.normalise({"mid_term": {"daily_summaries": days}}).context
    assert context["mid_term"]["daily_summaries"] == days


def test_a_flood_is_cut_to_its_newest_part():
    pairs = [{"user": f"{number}", "assistant": "가" * 5000} for number in range(500)]
    result = contract.normalise({"short_term": {"recent_pairs": pairs, "session_summary": "나" * 10**6}})
    kept = result.context["short_term"]["recent_pairs"]
    assert [pair["user"] for pair in kept] == [str(number) for number in range(480, 500)]
    assert all(len(pair["assistant"]) == 1000 for pair in kept)
    assert len(result.context["short_term"]["session_summary"]) == 2000
    assert result.dropped == 480 + 20 + 1


def test_text_is_normalised_and_unstorable_characters_go():
    context = contract.normalise({"source": "캐\x00시\ud800"}).context
    assert context["source"] == "캐시"


@given(anything)
def test_no_json_whatever_breaks_normalising(snapshot):
    _check(contract.normalise(snapshot).context)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "source": anything,
            "short_term": anything | st.fixed_dictionaries({"recent_pairs": anything | st.lists(anything)}),
            "mid_term": anything | st.fixed_dictionaries({"daily_summaries": st.lists(anything)}),
            "long_term": st.fixed_dictionaries(
                {"profile_items": st.lists(st.fixed_dictionaries({"key": anything, "value": anything}))}
            ),
            "sync": anything,
        },
    )
)
def test_no_part_of_a_snapshot_breaks_normalising(snapshot):
    _check(contract.normalise(snapshot).context)


def _check(context: dict[str, Any]) -> None:
    text = json.dumps(context, ensure_ascii=False, allow_nan=False).encode()
    assert json.loads(text) == context
    assert context["current_turn_priority"] == "required"
    assert set(context) == set(golden("a2a-normalized-context"))
    assert contract.normalise(context).context == context
