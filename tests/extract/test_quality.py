"""The rules are right on the sentences written for them, those held out while they were written included."""

from collections import Counter

import pytest

from memoryapp.extract.rules import RulesExtractor
from tests.eval import extraction

ROWS = extraction.load()


@pytest.mark.parametrize("language", ["ko", "en"])
def test_precision_and_recall_hold(language):
    score = extraction.score(RulesExtractor(), ROWS, lambda row: row["lang"] == language)
    assert score.precision >= 0.95, score.misses
    assert score.recall >= 0.85, score.misses
    assert score.summary()["operation_accuracy"] >= 0.9, score.misses
    assert score.summary()["date_accuracy"] >= 0.9, score.misses


def test_the_set_is_large_and_balanced():
    languages = Counter(row["lang"] for row in ROWS)
    assert min(languages.values()) >= 100
    assert sum(not row["keep"] for row in ROWS) >= 100
