"""Turns spoken to the assistant on Saturday 16 May 2026 in Seoul, and what is read out of them."""

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memoryapp.extract.base import Fact, Utterance
from memoryapp.extract.rules import RulesExtractor

SEOUL = ZoneInfo("Asia/Seoul")
SATURDAY = datetime(2026, 5, 16, 15, 0, tzinfo=SEOUL)


def turn(user_text: str, assistant_text: str = "", at: datetime = SATURDAY) -> Utterance:
    return Utterance(user_text=user_text, assistant_text=assistant_text, occurred_at=at, zone=SEOUL)


@pytest.fixture
def read() -> Callable[..., list[Fact]]:
    """The facts worth keeping that the rules find in what Minji says."""
    extractor = RulesExtractor()

    def facts(text: str, assistant_text: str = "") -> list[Fact]:
        found = extractor.extract(turn(text, assistant_text))
        return [fact for fact in found if not fact.only_settles]

    return facts


@pytest.fixture
def only(read: Callable[..., list[Fact]]) -> Callable[[str], Fact]:
    """The one fact of a sentence."""

    def one(text: str) -> Fact:
        (fact,) = read(text)
        return fact

    return one
