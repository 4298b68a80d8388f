"""Embedding providers, one adapter per file."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryapp.providers.base import Embedder

CALIBRATIONS = Path(__file__).with_name("calibrations")


@dataclass(frozen=True, kw_only=True)
class FirstSpace:
    """How a new database's space of a built-in provider is set up."""

    model: str
    dims: int

    # The calibration centres each language by itself, which leaves nothing for a bonus between them.
    cross_language_bonus = 0.0

    def calibration(self) -> dict[str, Any]:
        """What `manage.py calibrate --built-in` has written for it, its `lexical_weight` included."""
        data: dict[str, Any] = json.loads((CALIBRATIONS / f"{self.model}.json").read_text())
        return data


SPACES = {
    "e5": FirstSpace(model="multilingual-e5-small", dims=384),
    "fake": FirstSpace(model="fake", dims=384),
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
    if provider == "openai":
        from django.conf import settings

        from memoryapp.providers.openai_embeddings import OpenAIEmbeddings

        return OpenAIEmbeddings(model=model, base_url=base_url, api_key=settings.EMBEDDING_API_KEY, dims=dims)
    raise LookupError(f"unknown embedding provider {provider}")
