"""JSON as it comes in: what other readers of the same bytes would understand too, and nothing deeper than needed."""

import json
import math
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, get_encoding  # type: ignore[attr-defined]  # newer than its stubs

MAX_DEPTH = 32


class TooDeep(ValueError):
    """More levels of lists and objects than needed."""


class ShallowJSONParser(JSONParser):
    """Refuses what would exhaust the stack, here or in whoever walks through it later; numbers that are none in JSON
    (`1e999` too, which Python reads as infinity); and a name given twice, of which each reader takes another.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        charset = get_encoding(parser_context or {})
        try:
            return read(stream.read().decode(charset))
        except TooDeep:
            raise ParseError("This JSON is nested too deeply.") from None
        except ValueError:
            raise ParseError("This is not JSON.") from None


def read(text: str) -> Any:
    """The value of a JSON text. Raises TooDeep, JSONDecodeError with its place, or ValueError without one."""
    try:
        data = json.loads(
            text, parse_constant=_number, parse_float=_number, object_pairs_hook=_each_name_once
        )
    except RecursionError:
        raise TooDeep from None
    if _deeper_than(data, MAX_DEPTH):
        raise TooDeep
    return data


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no number of JSON's")
    return number


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice")
    return found


def _deeper_than(data: Any, limit: int) -> bool:
    level = _inside([data])
    for _ in range(limit):
        if not level:
            return False
        level = _inside(
            [item for each in level for item in (each.values() if isinstance(each, dict) else each)]
        )
    return bool(level)


def _inside(items: list[Any]) -> list[Any]:
    return [item for item in items if isinstance(item, dict | list)]
