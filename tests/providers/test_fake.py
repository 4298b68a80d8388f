"""The fake embedder that ships for tests."""

import numpy as np
import pytest

from memoryapp.providers.base import EmbedderDown
from memoryapp.providers.fake import Fake


def test_like_words_are_near_and_it_is_always_the_same() -> None:
    one, like, other = Fake(64).embed(["땅콩 알레르기", "땅콩 알레르기 있어", "zebra"], kind="passage")

    assert one @ like > one @ other
    assert np.array_equal(one, Fake(64).embed(["땅콩 알레르기"], kind="query")[0])


def test_it_can_be_down_or_fail_for_one_text() -> None:
    fake = Fake(16)
    fake.poison = "second"
    with pytest.raises(EmbedderDown):
        fake.embed(["first", "the second"], kind="passage")
    assert fake.embed(["first"], kind="passage").shape == (1, 16)

    fake.down = True
    with pytest.raises(EmbedderDown):
        fake.embed(["first"], kind="passage")
