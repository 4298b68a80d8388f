"""Embedding spaces: the one that serves, and how a new database gets its first."""

from django.conf import settings
from django.utils import timezone

from memoryapp import providers
from memoryapp.models import EmbeddingSpace, SpaceState


def ensure_first() -> EmbeddingSpace:
    """The serving space; a new database gets the provider named in the settings."""
    space = EmbeddingSpace.objects.filter(state=SpaceState.SERVING).first()
    if space is not None:
        return space
    first = providers.SPACES[settings.EMBEDDING_PROVIDER]
    return EmbeddingSpace.objects.create(
        provider=settings.EMBEDDING_PROVIDER,
        model=first.model,
        dims=first.dims,
        lexical_weight=first.lexical_weight,
        cross_language_bonus=first.cross_language_bonus,
        calibration=first.calibration,
        state=SpaceState.SERVING,
        serving_since=timezone.now(),
    )
