"""What the product's search is compared with: textbook BM25 alone, cosine alone."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from memoryapp.index import terms

K1, B = 0.9, 0.4


class Bm25:
    """BM25 (Lucene's idf) over the terms that the product indexes."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms.analyse(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], float)
        self._brevity = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9))
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for i, count in enumerate(counts):
            for term, number in count.items():
                self._postings[term].append((i, number))
        self._size = len(texts)

    def order(self, question: str) -> list[int]:
        """Positions of the texts that share a term, best first."""
        scores = np.zeros(self._size)
        for term in dict.fromkeys(terms.analyse(question)):
            found = self._postings.get(term, [])
            rarity = log(1 + (self._size - len(found) + 0.5) / (len(found) + 0.5))
            for i, number in found:
                scores[i] += rarity * number * (K1 + 1) / (number + self._brevity[i])
        return [int(i) for i in np.argsort(-scores, kind="stable") if scores[i] > 0]


def cosine_order(question: NDArray[np.float32], memories: NDArray[np.float32]) -> list[int]:
    """Positions of the memories, nearest first."""
    return [int(i) for i in np.argsort(-(memories @ question), kind="stable")]
