"""Read a stranger's JSON: take what has the right type, within bounds, and count what is left out. Pure."""

import math
from typing import Any

from memoryapp.text import tidy

#: Numbers beyond this do not survive a JSON reader that uses doubles.
BIGGEST = 2**53
VALUE_DEPTH = 4
VALUE_ITEMS = 50
VALUE_CHARACTERS = 1000
KEY_CHARACTERS = 100


class Sieve:
    """Takes values out of untrusted JSON. Nothing raises; `dropped` counts what was left out or cut."""

    def __init__(self) -> None:
        self.dropped = 0

    def text(self, value: Any, limit: int) -> str:
        """A string, cleaned and cut to `limit` characters; "" for nothing and for anything else."""
        if not isinstance(value, str):
            self.dropped += value is not None
            return ""
        # Cut before normalising: a long run of combining marks is slow to put in order.
        text = tidy(value[: limit * 2])
        self.dropped += len(value) > limit * 2 or len(text) > limit
        return text[:limit]

    def number(self, value: Any, low: float, high: float) -> float | None:
        """A finite number in [low, high]; None for nothing and for anything else."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.dropped += value is not None
            return None
        return value

    def flag(self, value: Any, *, otherwise: bool) -> bool:
        """true or false; False when it is missing, `otherwise` for anything else."""
        if value is None or isinstance(value, bool):
            return bool(value)
        self.dropped += 1
        return otherwise

    def table(self, value: Any, known: frozenset[str]) -> dict[str, Any]:
        """An object's known members; {} for nothing and for anything else."""
        if not isinstance(value, dict):
            self.dropped += value is not None
            return {}
        kept = {key: item for key, item in value.items() if key in known}
        self.dropped += len(value) - len(kept)
        return kept

    def rows(self, value: Any, known: frozenset[str], limit: int) -> list[dict[str, Any]]:
        """The last `limit` objects of a list, each with its known members."""
        if not isinstance(value, list):
            self.dropped += value is not None
            return []
        self.dropped += max(0, len(value) - limit)
        tables = [self.table(item, known) for item in value[-limit:]]
        return [table for table in tables if table]

    def value(self, value: Any, depth: int = VALUE_DEPTH) -> Any:
        """Any small JSON value: text, number, flag, or a shallow list or object of these. None = left out."""
        if isinstance(value, str):
            return self.text(value, VALUE_CHARACTERS)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._finite(value)
        if depth == 0 or len(value) > VALUE_ITEMS:
            self.dropped += 1
            return None
        if isinstance(value, list):
            return [kept for item in value if (kept := self.value(item, depth - 1)) is not None]
        named = {self.text(key, KEY_CHARACTERS): self.value(item, depth - 1) for key, item in value.items()}
        return {key: item for key, item in named.items() if item is not None}

    def _finite(self, value: float) -> float | None:
        if math.isfinite(value) and abs(value) <= BIGGEST:
            return value
        self.dropped += 1
        return None
