"""JSON as it comes in: nested no deeper than anything here could need."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_DEPTH = 32


class ShallowJSONParser(JSONParser):
    """Refuses what would exhaust the stack, here or in whoever walks through it later."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.") from None
        if _deeper_than(data, MAX_DEPTH):
            raise ParseError("This JSON is nested too deeply.")
        return data


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
