"""Texts to vectors in the space that serves, by whichever provider that space names."""

import time
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from memoryapp import providers, rank
from memoryapp.models import EmbeddingSpace, SpaceState
from memoryapp.providers.base import Embedder, EmbedderDown

#: How long a process may go on with the space it knows: a change reaches everyone within this time (G5).
FRESH_SECONDS = 20.0

_lock = Lock()
_known: tuple[float, EmbeddingSpace | None] = (0.0, None)
# By space: the JSON that was read, and what it says. Reading it takes 0.3 ms, too long for every recall.
_readings: dict[int, tuple[object, rank.Calibration]] = {}


def serving() -> EmbeddingSpace | None:
    """The space that searches run in, read again every FRESH_SECONDS."""
    global _known
    read_at, space = _known
    if space is None or time.monotonic() - read_at > FRESH_SECONDS:
        space = EmbeddingSpace.objects.filter(state=SpaceState.SERVING).first()
        with _lock:
            _known = (time.monotonic(), space)
    return space


def forget_serving() -> None:
    """Read the serving space anew at the next call: after a switch, and between tests."""
    global _known
    with _lock:
        _known = (0.0, None)


def query(space: EmbeddingSpace, text: str) -> NDArray[np.float32]:
    """A question's vector. Raises EmbedderDown."""
    return embedder(space).embed([text], kind="query")[0]


def passages(space: EmbeddingSpace, texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """The vectors of memories, in order. Raises EmbedderDown."""
    return list(embedder(space).embed(texts, kind="passage")) if texts else []


def reading(space: EmbeddingSpace | None) -> rank.Calibration:
    """How the raw numbers of a space become scores."""
    if space is None:
        return rank.Calibration()
    source, known = _readings.get(space.pk, (None, None))
    if known is None or source is not space.calibration:
        known = rank.Calibration.read(space.calibration)
        _readings[space.pk] = (space.calibration, known)
    return known


def healthy(space: EmbeddingSpace) -> bool:
    """Whether the provider answers."""
    try:
        query(space, "ping")
    except EmbedderDown:
        return False
    return True


def embedder(space: EmbeddingSpace) -> Embedder:
    """The adapter for a space, one for the whole process."""
    return _open(space.provider, space.model, space.base_url, space.dims)


@lru_cache(maxsize=8)
def _open(provider: str, model: str, base_url: str, dims: int) -> Embedder:
    return providers.open_embedder(provider, model=model, base_url=base_url, dims=dims)
