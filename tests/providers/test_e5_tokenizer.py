"""The tokenizer cuts as the reference library does."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.providers.e5_tokenizer import Tokenizer
from memoryapp.providers.e5_weights import Weights, weights_path

# Made with tokenizers 0.23 from the same vocabulary.
CUTS = json.loads(Path(__file__).with_name("segmentations.json").read_text(encoding="utf-8"))
TOKENIZER = Tokenizer(Weights(weights_path()).pieces(), 512)


@pytest.mark.parametrize("cut", CUTS, ids=range(len(CUTS)))
def test_a_text_is_cut_as_the_reference_cuts_it(cut: dict[str, object]) -> None:
    assert TOKENIZER.encode(str(cut["text"])) == cut["ids"]


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_begins_and_ends_as_it_should(text: str) -> None:
    ids = TOKENIZER.encode(text)

    assert (ids[0], ids[-1]) == (0, 2)
    assert len(ids) <= 512
    assert all(0 <= piece < 250_002 for piece in ids)


def test_a_long_text_keeps_both_ends() -> None:
    ids = TOKENIZER.encode("민지 " * 5000)

    assert len(ids) == 512
    assert (ids[0], ids[-1]) == (0, 2)
