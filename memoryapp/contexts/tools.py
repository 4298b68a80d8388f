"""The tools a session offers to a model: they follow from the kinds of its blocks."""

from collections.abc import Sequence
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
    writable = [
        row for row in rows if row.kind != ContextKind.READONLY and row.source != ContextSource.MEMORY
    ]
    searchable = [row for row in rows if row.kind == ContextKind.SEARCHABLE]
    loadable = [row for row in rows if row.kind == ContextKind.LOADABLE]
    offered = [
        ("set_context", writable, _set_parameters(writable)),
        ("search_context", searchable, _parameters(searchable, query=_text("query"))),
        ("load_context", loadable, _parameters(loadable, key=_text("key"))),
        ("unload_context", loadable, _parameters(loadable, key=_text("key"))),
    ]
    return [
        Tool(name, texts.tool(name, _list(blocks, box)), parameters)
        for name, blocks, parameters in offered
        if blocks
    ]


def _list(blocks: Sequence[ContextBlock], box: Box) -> str:
    return "\n".join(f"- {row.label}: {words.read(row, box).description or row.kind}" for row in blocks)


def _set_parameters(blocks: Sequence[ContextBlock]) -> Schema:
    parameters = _parameters(blocks, content=_text("content"))
    action = {"type": "string", "enum": ["replace", "append"], "description": texts.parameter("action")}
    parameters["properties"]["action"] = action
    if any(row.keyed for row in blocks):
        parameters["properties"]["metadata"] = {
            "type": "object",
            "description": texts.parameter("metadata"),
            "properties": {"title": _text("title"), "description": _text("description")},
            "additionalProperties": False,
        }
    return parameters


def _parameters(blocks: Sequence[ContextBlock], **properties: Schema) -> Schema:
    label = {**_text("label"), "enum": [row.label for row in blocks]}
    return {
        "type": "object",
        "properties": {"label": label, **properties},
        "required": ["label", *properties],
        "additionalProperties": False,
    }


def _text(name: str) -> Schema:
    return {"type": "string", "description": texts.parameter(name)}
