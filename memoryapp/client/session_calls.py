"""The endpoints of a session: its context blocks, its frozen prompt, the tools to offer to the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from memoryapp.client.call import Call, delete, given, part, read, write
from memoryapp.client.shapes import Deleted
from memoryapp.client.shapes import read as shaped

Kind = Literal["readonly", "writable", "searchable", "loadable"]


@dataclass(frozen=True, kw_only=True)
class Block:
    """A context block. `content` is None where the block holds keyed `entries`."""

    session_id: str
    label: str
    kind: str
    max_tokens: int
    tokens: int
    usage: str
    description: str = ""
    source: str | None = None
    content: str | None = None
    version: int = 1
    entries: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Block":
        return shaped(cls, data)


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A session's system prompt, the same until it is refreshed."""

    prompt: str
    tokens: int
    frozen_at: datetime | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Prompt":
        return shaped(cls, data)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a tool answers: a text for the model, also when it did something wrong."""

    result: str
    is_error: bool = False
    reason: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Said":
        return shaped(cls, data)


def put_context(
    user_id: str,
    session_id: str,
    label: str,
    *,
    kind: Kind,
    description: str | None = None,
    max_tokens: int | None = None,
    content: str | None = None,
    source: Literal["memory"] | None = None,
) -> Call[Block]:
    """Make or redefine a block."""
    body = given(
        user_id=user_id,
        kind=kind,
        description=description,
        max_tokens=max_tokens,
        content=content,
        source=source,
    )
    return write("PUT", _block(session_id, label), body, Block.from_json)


def get_context(user_id: str, session_id: str, label: str) -> Call[Block]:
    """One block with its entries."""
    return read(_block(session_id, label), Block.from_json, {"user_id": user_id})


def delete_context(user_id: str, session_id: str, label: str) -> Call[Deleted]:
    """Delete a block with all that is in it."""
    return delete(_block(session_id, label), Deleted.from_json, user_id)


def prompt(user_id: str, session_id: str) -> Call[Prompt]:
    """The frozen system prompt."""
    return read(f"{_session(session_id)}/prompt", Prompt.from_json, {"user_id": user_id})


def refresh_prompt(user_id: str, session_id: str) -> Call[Prompt]:
    """Assemble the prompt anew; what was written since shows from now on."""
    return write("POST", f"{_session(session_id)}/prompt/refresh", {"user_id": user_id}, Prompt.from_json)


def tools(user_id: str, session_id: str, *, style: Literal["openai", "mcp"] | None = None) -> Call[list[Any]]:
    """The tools that follow from the session's blocks, as JSON Schema."""
    asked = given(user_id=user_id, style=style)
    return read(f"{_session(session_id)}/tools", lambda data: list(data["tools"]), asked)


def call_tool(user_id: str, session_id: str, tool: str, arguments: Mapping[str, Any]) -> Call[Said]:
    """Do what the model asks for."""
    body = given(user_id=user_id, arguments=dict(arguments))
    return write("POST", f"{_session(session_id)}/tools/{part(tool)}", body, Said.from_json)


def _session(session_id: str) -> str:
    return f"/sessions/{part(session_id)}"


def _block(session_id: str, label: str) -> str:
    return f"{_session(session_id)}/contexts/{part(label)}"
