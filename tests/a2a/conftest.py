"""Voices that belong to somebody."""

import pytest

from memoryapp import links
from speakers import identity
from speakers.models import IdentityLink


@pytest.fixture
def link():
    """Link a voice to a person. → the link"""

    def make(person, speaker_id: str, state: str = "linked") -> IdentityLink:
        found, _ = identity.attach(person, kind="voice", external_id=speaker_id)
        return links.change(found.pk, state, actor="test", evidence={})

    return make
