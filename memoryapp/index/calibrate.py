"""Learn how one embedding space's raw numbers are to be read, from labelled pairs of a question and a memory.

The pairs (calibration_pairs.jsonl, written for this project) say of each question whether the memory is
`unrelated`, `related`, in `near`ly the same words, or the `same` text. From them come the centres of the
space, the weight of the lexical half, and two curves per language that put unrelated below 0.3, related
above, nearly the same words at 0.7 and more, the same text at 0.9 and more. rank.py says how they are used.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp import rank
from memoryapp.index import terms
from memoryapp.providers.base import Embedder

PAIRS = Path(__file__).with_name("calibration_pairs.jsonl")
UNRELATED, RELATED, NEAR, SAME = "unrelated", "related", "near", "same"
BOUNDS = {UNRELATED: (0.0, 0.3), RELATED: (0.3, 0.7), NEAR: (0.7, 1.0), SAME: (0.9, 1.0)}
VERSION = 1
# The weight of the lexical half against the spread of the closeness of unrelated English pairs.
_WEIGHT_PER_SPREAD = 18.0
_DIGITS = 5


@dataclass(frozen=True, kw_only=True)
class Pair:
    question: str
    memory: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One pair with its raw numbers."""

    pair: Pair
    language: int
    closeness: float
    words: rank.Lexical
    fused: float


def pairs() -> list[Pair]:
    """The labelled pairs, in the order of the file."""
    with PAIRS.open(encoding="utf-8") as lines:
        return [Pair(**json.loads(line)) for line in lines]


def learn(embedder: Embedder, examples: Sequence[Pair]) -> dict[str, Any]:
    """The JSON for EmbeddingSpace.calibration, its `lexical_weight` included. Raises EmbedderDown."""
    questions = _embed(embedder, [pair.question for pair in examples], "query")
    memories = _embed(embedder, [pair.memory for pair in examples], "passage")
    centres = rank.Calibration(
        questions=_means(
            {p.question: questions[p.question] for p in examples if p.label in (UNRELATED, RELATED)}
        ),
        memories=_means(memories),
    )
    weight = _WEIGHT_PER_SPREAD * _spread(centres, questions, memories)
    numbers = [_measure(pair, centres, questions, memories, weight) for pair in examples]
    return {
        "version": VERSION,
        "lexical_weight": round(weight, 3),
        "questions": {k: _rounded(mean) for k, mean in centres.questions.items()},
        "memories": {k: _rounded(mean) for k, mean in centres.memories.items()},
        "related": {language: _related(_by_label(numbers, language)) for language in centres.questions},
        "near": {language: _near(_by_label(numbers, language)) for language in centres.questions},
        "blind": round(_blind(numbers, weight), _DIGITS),
    }


def measure(embedder: Embedder, data: dict[str, Any], examples: Sequence[Pair]) -> list[tuple[Pair, float]]:
    """The score of every pair in a store that holds nothing else. Raises EmbedderDown."""
    questions = _embed(embedder, [pair.question for pair in examples], "query")
    memories = _embed(embedder, [pair.memory for pair in examples], "passage")
    reading = rank.Calibration.read(data)
    found = [_measure(pair, reading, questions, memories, data["lexical_weight"]) for pair in examples]
    return [
        (each.pair, reading.score(each.fused, each.closeness, each.words.covered, each.language))
        for each in found
    ]


def _embed(embedder: Embedder, texts: Sequence[str], kind: Any) -> dict[str, rank.Vector]:
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, embedder.embed(distinct, kind=kind), strict=True))


def _means(vectors: dict[str, rank.Vector]) -> dict[int, rank.Vector]:
    groups: dict[int, list[rank.Vector]] = defaultdict(list)
    for text, vector in vectors.items():
        groups[terms.language(text)].append(vector)
    return {language: np.mean(group, axis=0) for language, group in sorted(groups.items())}


def _spread(
    centres: rank.Calibration, questions: dict[str, rank.Vector], memories: dict[str, rank.Vector]
) -> float:
    """Standard deviation of the closeness of English questions to all English memories."""
    there = np.array([vector for text, vector in memories.items() if terms.language(text) == 0])
    found = []
    for text in (text for text in questions if terms.language(text) == 0):
        centred, base = centres.centre(questions[text], 0)
        found.append(there @ centred - base[0])
    return float(
        np.std(np.sort(np.concatenate(found))[: -len(found)])
    )  # without as many as there are answers


def _measure(
    pair: Pair,
    centres: rank.Calibration,
    questions: dict[str, rank.Vector],
    memories: dict[str, rank.Vector],
    lexical_weight: float,
) -> Measured:
    language = terms.language(pair.question)
    centred, base = centres.centre(questions[pair.question], language)
    closeness = float(centred @ memories[pair.memory]) - base[terms.language(pair.memory)]
    words = _words(pair)
    fused = closeness + rank.weight(lexical_weight, language) * words.share
    return Measured(pair=pair, language=language, closeness=closeness, words=words, fused=fused)


def _words(pair: Pair) -> rank.Lexical:
    asked, told = terms.asked(pair.question), terms.analyse(pair.memory)
    return rank.lexical(asked, told, dict.fromkeys(set(asked) & set(told), 1))


def _by_label(numbers: Sequence[Measured], language: int) -> dict[str, list[Measured]]:
    groups: dict[str, list[Measured]] = defaultdict(list)
    for each in numbers:
        if each.language == language:
            groups[each.pair.label].append(each)
    return groups


def _related(groups: dict[str, list[Measured]]) -> list[list[float]]:
    """fused → share of being related; a related pair that is nothing more reaches 0.3 of the score at 3/7."""
    unrelated, related, near = (
        np.array([each.fused for each in groups[label]]) for label in (UNRELATED, RELATED, NEAR)
    )
    return _rising(
        [
            (np.quantile(unrelated, 0.02), 0.0),
            (_border(unrelated, related), 0.3 / rank.RELATED),
            (np.quantile(related, 0.6), 0.75),
            (np.quantile(near, 0.25), 0.97),
            (np.quantile(near, 0.5) * 3, 1.0),
        ]
    )


def _near(groups: dict[str, list[Measured]]) -> list[list[float]]:
    """closeness → share of being nearly the same words."""
    related, near, same = (
        np.array([each.closeness for each in groups[label]]) for label in (RELATED, NEAR, SAME)
    )
    border = _border(related, near, dear=2.0)
    return _rising(
        [
            (min(np.quantile(related, 0.8), border * 0.9), 0.0),
            (border, 0.12),
            (same.min(), 0.8),
            (np.quantile(same, 0.95), 1.0),
        ]
    )


def _border(low: NDArray[np.float64], high: NDArray[np.float64], *, dear: float = 1.0) -> float:
    """Where the fewest of both groups, by share, lie on the wrong side; one of `high` may count for more."""
    places = np.sort(np.concatenate([low, high]))
    middles = (places[1:] + places[:-1]) / 2
    wrong = [float((low > x).mean() + dear * (high <= x).mean()) for x in middles]
    best = np.flatnonzero(np.isclose(wrong, min(wrong)))
    return float(middles[best[len(best) // 2]])


def _rising(points: Sequence[tuple[float, float]]) -> list[list[float]]:
    curve: list[list[float]] = []
    for x, y in points:
        least = curve[-1][0] + 10**-_DIGITS if curve else -np.inf
        curve.append([round(float(max(x, least)), _DIGITS), round(y, _DIGITS)])
    return curve


def _blind(numbers: Sequence[Measured], weight: float) -> float:
    """How much closeness comes with a full lexical match, among related pairs that share words."""
    shares = [
        each.closeness / each.words.share
        for each in numbers
        if each.pair.label == RELATED and each.words.share > 0.2
    ]
    return float(np.median(shares)) if shares else weight


def _rounded(mean: rank.Vector) -> list[float]:
    return [round(float(value), _DIGITS) for value in mean]
