"""Recall and nDCG with yes-or-no relevance."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2


@dataclass(frozen=True, kw_only=True)
class Figures:
    recall5: float
    recall10: float
    ndcg10: float


def figures(order: Sequence[str], gold: frozenset[str]) -> Figures:
    """Of one question; `order` is what was found, best first."""
    gain = sum(1 / log2(place + 2) for place, name in enumerate(order[:10]) if name in gold)
    best = sum(1 / log2(place + 2) for place in range(min(10, len(gold))))
    return Figures(
        recall5=len(gold & set(order[:5])) / len(gold),
        recall10=len(gold & set(order[:10])) / len(gold),
        ndcg10=gain / best,
    )


def mean(rows: Sequence[Figures]) -> Figures:
    """In per cent."""
    share = 100 / len(rows)
    return Figures(
        recall5=share * sum(row.recall5 for row in rows),
        recall10=share * sum(row.recall10 for row in rows),
        ndcg10=share * sum(row.ndcg10 for row in rows),
    )
