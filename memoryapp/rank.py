"""From raw numbers to an order and a score. Pure."""

from collections.abc import Sequence
from typing import Protocol, TypeVar


class _Scored(Protocol):
    @property
    def fact(self) -> str: ...


S = TypeVar("S", bound=_Scored)


def score(raw: float, curve: Sequence[Sequence[float]]) -> float:
    """A raw fused value as a score in [0, 1], along a rising piecewise-linear curve."""
    points = curve or [[0.0, 0.0], [1.0, 1.0]]
    if raw <= points[0][0]:
        return float(points[0][1])
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if raw <= x1:
            return float(y0 + (y1 - y0) * (raw - x0) / (x1 - x0))
    return float(points[-1][1])


def distinct(found: Sequence[S], *, limit: int) -> list[S]:
    """The best `limit`, without a second copy of the same words."""
    seen: set[str] = set()
    kept: list[S] = []
    for item in found:
        words = "".join(item.fact.casefold().split())
        if words not in seen:
            seen.add(words)
            kept.append(item)
        if len(kept) == limit:
            break
    return kept
