"""The tools a session offers to a model: they follow from the kinds of its blocks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.contexts import reach, texts, words
from memoryapp.contexts.reach import Session
from memoryapp.models import ContextBlock, ContextKind, ContextSource
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of

Schema = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool as a model sees it; `parameters` is plain JSON Schema."""

    name: str
    description: str
    parameters: Schema


def tools(permit: Permit, session_id: str) -> list[Tool]:
    """What this session's blocks can do. The list changes only when blocks do: prompts stay cached."""
    rows, box = reach.shown(Session.at(permit, session_id)), box_of(permit.person)
    offered = [(name, [row for row in rows if can(row)]) for name, can in _CAN.items()]
    return [
        Tool(name, texts.tool(name, _list(blocks, box)), _schema(name, blocks))
        for name, blocks in offered
        if blocks
    ]


def _schema(name: str, blocks: Sequence[ContextBlock]) -> Schema:
    """The parameters of a tool for these blocks."""
    required = {parameter: _text(parameter) for parameter in ("label", *_REQUIRED[name])}
    optional: Schema = {}
    if name == "set_context":
        actions = {"type": "string", "enum": ["replace", "append"], "description": texts.parameter("action")}
        optional["action"] = actions
        if any(row.keyed for row in blocks):
            optional["metadata"] = _metadata()
    required["label"]["enum"] = [row.label for row in blocks]
    return _object({**required, **optional}, required=list(required))


def _writable(block: ContextBlock) -> bool:
    return block.kind != ContextKind.READONLY and block.source != ContextSource.MEMORY


def _searchable(block: ContextBlock) -> bool:
    return block.kind == ContextKind.SEARCHABLE


def _loadable(block: ContextBlock) -> bool:
    return block.kind == ContextKind.LOADABLE


_CAN: dict[str, Callable[[ContextBlock], bool]] = {
    "set_context": _writable,
    "search_context": _searchable,
    "load_context": _loadable,
    "unload_context": _loadable,
}
_REQUIRED = {
    "set_context": ("content",),
    "search_context": ("query",),
    "load_context": ("key",),
    "unload_context": ("key",),
}


def _list(blocks: Sequence[ContextBlock], box: Box) -> str:
    return "\n".join(f"- {row.label}: {words.read(row, box).description or row.kind}" for row in blocks)


def _metadata() -> Schema:
    properties = {"title": _text("title"), "description": _text("description")}
    return {**_object(properties, required=[]), "description": texts.parameter("metadata")}


def _object(properties: Schema, *, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def _text(name: str) -> Schema:
    return {"type": "string", "description": texts.parameter(name)}
