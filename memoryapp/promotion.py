"""When signs make a belief. Every weight and threshold of promotion is in this file. Pure.

Each day counts once, by its strongest sign, and each leaves a share of the doubt there was before it; a sign
loses half its weight in HALF_LIFE_DAYS. So confidence grows with every further day and fades without.

A belief is confirmed by the person's own words or answers on CONFIRM_DAYS separate days, or on
CONFIRM_DAYS_ACCEPTED days when one more time a suggestion was accepted; one utterance never confirms.
What only the device or the assistant concluded (`resolved`) adds confidence but never confirms.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

WEIGHTS = {"resolved": 0.5, "said": 1.0, "stated": 1.5, "accepted": 2.0, "declined": -1.5}
OWN_WORDS = frozenset({"said", "stated", "accepted"})
DOUBT_LEFT = 0.65  # by one plain sign: 0.35 after one day, 0.58 after two, 0.73 after three
HALF_LIFE_DAYS = 180.0  # a habit told in spring still holds in winter
CONFIRM_DAYS = 3
CONFIRM_DAYS_ACCEPTED = 2
#: A confirmed item that faded below this waits for evidence again.
FADED = 0.2
MOST_SURE = 0.98


@dataclass(frozen=True, kw_only=True)
class Sign:
    """One piece of evidence, on one local day of the person."""

    kind: str
    day: date


@dataclass(frozen=True, kw_only=True)
class Belief:
    """How much the signs are worth together."""

    confidence: float
    confirmed: bool
    days: int


def weigh(signs: Iterable[Sign], today: date) -> Belief:
    """Judge all evidence of one profile item as of `today`."""
    by_day: dict[date, list[str]] = {}
    for sign in signs:
        by_day.setdefault(sign.day, []).append(sign.kind)
    score = sum(_of_day(kinds) * _left(today, day) for day, kinds in by_day.items())
    confidence = min(MOST_SURE, 1 - DOUBT_LEFT ** max(0.0, score))
    own = [day for day, kinds in by_day.items() if OWN_WORDS & set(kinds) and "declined" not in kinds]
    return Belief(
        confidence=round(confidence, 2),
        confirmed=_enough(by_day, own) and confidence >= FADED,
        days=len(own),
    )


def _enough(by_day: dict[date, list[str]], own: list[date]) -> bool:
    accepted = any("accepted" in by_day[day] for day in own)
    before = [day for day in own if set(by_day[day]) & {"said", "stated"}]
    return len(own) >= CONFIRM_DAYS or (accepted and len(before) >= CONFIRM_DAYS_ACCEPTED)


def _of_day(kinds: list[str]) -> float:
    best = max(WEIGHTS[kind] for kind in kinds)
    return min(best, WEIGHTS["declined"]) if "declined" in kinds else best


def _left(today: date, day: date) -> float:
    return math.pow(0.5, max(0, (today - day).days) / HALF_LIFE_DAYS)
