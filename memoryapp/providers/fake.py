"""An embedder for tests: character n-grams hashed into a vector. Similar words, similar vectors; no model."""

import hashlib
from collections.abc import Sequence

import numpy as np

from memoryapp.providers.base import EmbedderDown, Kind, Vectors


class Fake:
    """Deterministic. `down` makes every call fail, `poison` those whose texts contain it."""

    name = "fake"

    def __init__(self, dims: int = 384) -> None:
        self.dims = dims
        self.down = False
        self.poison = ""

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        if self.down or (self.poison and any(self.poison in text for text in texts)):
            raise EmbedderDown("the fake embedder is down")
        vectors = np.zeros((len(texts), self.dims), np.float32)
        for row, text in enumerate(texts):
            vectors[row, 0] = 0.5
            padded = f" {text.lower()} "
            for size in (2, 3):
                for i in range(len(padded) - size + 1):
                    digest = hashlib.blake2b(
                        padded[i : i + size].encode("utf-8", "replace"), digest_size=4
                    ).digest()
                    vectors[row, int.from_bytes(digest, "big") % self.dims] += 1
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
