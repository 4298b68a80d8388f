"""The words a model reads, from templates/prompts/contexts.toml."""

import tomllib
from functools import lru_cache

from django.conf import settings


def instructions() -> str:
    """What an agent that connects over MCP is told of the whole."""
    return _texts()["server"]["instructions"].strip()


def tool(name: str, blocks: str) -> str:
    """The description of a tool."""
    return _texts()["tools"][name].strip().format(blocks=blocks)


def parameter(name: str) -> str:
    return _texts()["parameters"][name]


def result(name: str, **values: object) -> str:
    return _texts()["results"][name].format(**values)


def failure(name: str, **values: object) -> str:
    return _texts()["failures"][name].format(**values)


def overview(name: str, **values: object) -> str:
    return _texts()["prompt"][name].format(**values)


@lru_cache(maxsize=1)
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads((settings.BASE_DIR / "templates" / "prompts" / "contexts.toml").read_text())
