"""Embedding providers, one adapter per file."""

from dataclasses import dataclass, field

from memoryapp.providers.base import Embedder


@dataclass(frozen=True, kw_only=True)
class FirstSpace:
    """How a new database's space of a built-in provider is set up; `calibration` maps raw to score."""

    model: str
    dims: int
    lexical_weight: float = 0.25
    cross_language_bonus: float = 0.087
    calibration: list[list[float]] = field(default_factory=list)


SPACES = {
    "e5": FirstSpace(model="multilingual-e5-small", dims=384),
    "fake": FirstSpace(model="fake", dims=384, lexical_weight=0.5, cross_language_bonus=0.0),
}


def open_embedder(provider: str, *, model: str, base_url: str, dims: int) -> Embedder:
    """The adapter for a space. Nothing is loaded before its first use."""
    if provider == "e5":
        from django.conf import settings

        from memoryapp.providers.e5 import E5

        return E5(cache=settings.MODEL_CACHE_DIR)
    if provider == "fake":
        from memoryapp.providers.fake import Fake

        return Fake(dims)
    raise LookupError(f"unknown embedding provider {provider}")
