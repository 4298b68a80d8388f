"""From two kinds of evidence to one order and one score in [0, 1]. Pure: no database.

closeness = how near a memory's vector is to the question's, seen from the middle of its language
lexical   = BM25 over keyword terms, as a share of what a memory with all the words could reach
fused     = closeness + weight · lexical, the order of the answer
covered   = the share of the question's terms that the memory holds, by their rarity
score     = fused on a rising curve, plus a part that only nearly the same words earn: close and covered

The vectors of a space lie in a narrow cone: unrelated texts of multilingual-e5 have cosines of 0.7 to 0.84,
depending on the two languages and on how plain the texts are. So both sides are centred: half the mean of
many questions is taken off the question (half is measured best), the mean of many memories of the same
language off the memory. What is left is near 0 for unrelated texts, in every language pair.

Nothing in here depends on how many memories there are, so that a score means the same in any store; only the
words of other memories count, by how many of them share a word.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Curve = Sequence[Sequence[float]]

# BM25. The collection has a fixed size and usual length: a person's own would make scores drift as it grows.
SATURATION = 0.9
LENGTH_SHARE = 0.4
USUAL_LENGTH = 20
COLLECTION = 1000
# Hangul terms are pairs of syllables: one word brings several, and counts that much less each.
KOREAN_SHARE = 0.5
# How much of the mean question is taken off a question.
CENTRED = 0.5
# What surrounds a memory: the better of the turns before and after it, its author named, its time asked for.
NEIGHBOUR = 0.3
AUTHOR = 0.25
TIME = 0.5
# Share of the score for being related; the rest is for nearly the same words.
RELATED = 0.7
# Nearly the same words have nearly all of the question's.
_COVERED = ((0.4, 0.0), (0.7, 1.0))
_STRAIGHT = ((0.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """How raw numbers of one embedding space are to be read. Mappings by language: 0 other, 1 Korean."""

    questions: Mapping[int, Vector] = field(default_factory=dict)  # mean vector of many questions
    memories: Mapping[int, Vector] = field(default_factory=dict)  # mean vector of many memories
    related: Mapping[int, Curve] = field(default_factory=dict)  # fused → [0, 1], by language of the question
    near: Mapping[int, Curve] = field(default_factory=dict)  # closeness → [0, 1], likewise
    blind: float = 0.0  # closeness that a full keyword match stands for where there is no vector

    @classmethod
    def read(cls, data: Any) -> "Calibration":
        """From the JSON kept with a space. Anything but a dict is a space that nobody calibrated."""
        if not isinstance(data, dict):
            return cls()

        def by_language(name: str) -> dict[int, Any]:
            return {int(language): value for language, value in data[name].items()}

        return cls(
            questions={k: np.asarray(v, np.float32) for k, v in by_language("questions").items()},
            memories={k: np.asarray(v, np.float32) for k, v in by_language("memories").items()},
            related=by_language("related"),
            near=by_language("near"),
            blind=float(data["blind"]),
        )

    def centre(self, question: Vector, language: int) -> tuple[Vector, dict[int, float]]:
        """The question's centred vector, and what to take off its product with a memory, by language."""
        if not self.questions:
            return question, {0: 0.0, 1: 0.0}
        centred = (question - CENTRED * self.questions[language]).astype(np.float32)
        return centred, {k: float(centred @ mean) for k, mean in self.memories.items()}

    def score(self, fused: float, closeness: float | None, covered: float, language: int) -> float:
        """A score in [0, 1]; `closeness` None = the memory or the question has no vector."""
        related = along(self.related.get(language, _STRAIGHT), fused)
        near = 0.0 if closeness is None else along(self.near.get(language, _STRAIGHT), closeness)
        return RELATED * related + (1 - RELATED) * min(near, along(_COVERED, covered))


def along(curve: Curve, x: float) -> float:
    """The height of a rising piecewise-linear curve at x; level beyond its ends."""
    right = bisect_left(curve, x, key=itemgetter(0))
    if right == 0:
        return float(curve[0][1])
    if right == len(curve):
        return float(curve[-1][1])
    (x0, y0), (x1, y1) = curve[right - 1], curve[right]
    return float(y0 + (y1 - y0) * (x - x0) / (x1 - x0))


def weight(lexical_weight: float, language: int) -> float:
    """What the lexical half counts for a question of this language."""
    return lexical_weight * (KOREAN_SHARE if language == 1 else 1)


def rarity(shared_by: int) -> float:
    """The weight of a term that so many of a person's memories hold (Lucene's idf, fixed collection)."""
    known = min(shared_by, COLLECTION - 1)
    return log(1 + (COLLECTION - known + 0.5) / (known + 1.5))


@dataclass(frozen=True, kw_only=True)
class Lexical:
    """What the words of one memory say: see the top of this file."""

    share: float = 0.0
    covered: float = 0.0


def lexical(asked: Sequence[str], memory: Sequence[str], shared_by: Mapping[str, int]) -> Lexical:
    """BM25 of one memory as a share of its bound, in [0, 1]. The search statement computes the same."""
    counts = Counter(memory)
    brevity = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * len(memory) / USUAL_LENGTH)
    rarities = {term: rarity(shared_by.get(term, 0)) for term in asked}
    total = sum(rarities.values())
    if not total:
        return Lexical()
    found = {term: rare for term, rare in rarities.items() if counts[term]}
    share = sum(rare * counts[term] / (counts[term] + brevity) for term, rare in found.items())
    return Lexical(share=share / total, covered=sum(found.values()) / total)


def in_context(fused: float, *, beside: float = 0.0, by_author: bool = False, in_time: bool = False) -> float:
    """A fused value with what surrounds the memory. Factors, so that what is unrelated stays so."""
    raised = fused + NEIGHBOUR * max(beside, 0.0)
    return raised * (1 + AUTHOR * by_author + TIME * in_time) if raised > 0 else raised
