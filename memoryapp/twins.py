"""Twins and look-alikes: the same fact is told once, and one subject does not fill the answer."""

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from memoryapp.index import terms

# At most so many that say nearly the same, as long as there is something else to show.
ALIKE = 3
_ALIKE_FROM = 0.7
_NEGATION = re.compile(r"\b(?:not?|never|cannot|without)\b|n['’]t\b|안 |못|없|않|말고|마세|마요|마라|아니")


class Found(Protocol):
    @property
    def fact(self) -> str: ...


F = TypeVar("F", bound=Found)


def distinct(found: Sequence[F], *, limit: int) -> list[F]:
    """The best `limit` in the order given: no twin of a better one, and first no more than ALIKE look-alikes.

    Twins have the same words in the same order, apart from particles, endings, spacing and case, and agree in
    saying yes or no.
    """
    kept: list[tuple[int, F, frozenset[str]]] = []
    spare: list[tuple[int, F, frozenset[str]]] = []
    seen: set[tuple[object, ...]] = set()
    for place, item in enumerate(found):
        told = terms.asked(item.fact)
        same = _key(item.fact, told)
        if same in seen:
            continue
        seen.add(same)
        words = frozenset(told)
        alike = sum(_overlap(words, other) >= _ALIKE_FROM for _, _, other in kept)
        (spare if alike >= ALIKE else kept).append((place, item, words))
        if len(kept) == limit:
            break
    best = (kept + spare)[:limit]
    return [item for _, item, _ in sorted(best, key=lambda entry: entry[0])]


def _key(fact: str, told: list[str]) -> tuple[object, ...]:
    if not told:
        return ("".join(fact.casefold().split()),)
    return (*told, bool(_NEGATION.search(fact.casefold())))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
