"""The tools that agents see over MCP: recall, detail, save. `remember` is internal and not among them (G11).

Who asks, for whom, and in which scope comes with the connection; no argument can say it. What goes wrong is
told as a tool result that a model can act on: a code, a sentence, and what to do.
"""

import logging
import tomllib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as mcp
from django.conf import settings
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from memoryapp import gate, rfc3339
from memoryapp.detail import detail
from memoryapp.errors import Forbidden, Invalid, MemoryOff, NotFound, Problem, Refused
from memoryapp.models import Memory, MemoryType, Scope, Status
from memoryapp.permit import Act, Caller
from memoryapp.recall import Answer, Question, Remembered, nothing, recall
from memoryapp.save import SaveRequest, save
from memoryapp.shapes import memory_json
from memoryapp.text import TextTooLong, clean_json
from memoryapp.when import is_tellable

log = logging.getLogger(__name__)

Arguments = Mapping[str, Any]
#: What a model reads, kept where all such texts are.
WORDS = tomllib.loads((settings.BASE_DIR / "templates" / "prompts" / "mcp.toml").read_text())


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Who is connected: a service by its key, for one user, perhaps in a project. From credentials only."""

    caller: Caller
    user_id: str
    project_id: str = ""


@dataclass(frozen=True)
class Tool:
    """A tool: what a model reads about it, what the key must carry, and what it does."""

    described: mcp.Tool
    permission: str
    run: Callable[[Visitor, Arguments], mcp.CallToolResult]

    @property
    def name(self) -> str:
        return self.described.name


def offered(visitor: Visitor) -> list[mcp.Tool]:
    """The tools this visitor may use now: none while the service's memory is off."""
    return [tool.described for tool in TOOLS.values() if _withheld(visitor, tool) is None]


def schema(name: str) -> Mapping[str, Any] | None:
    """A tool's input schema, or None for an unknown tool."""
    return TOOLS[name].described.input_schema if name in TOOLS else None


def call(visitor: Visitor, name: str, arguments: Arguments) -> mcp.CallToolResult:
    """Run a known tool. Never raises: a failure is a result with `isError`."""
    tool = TOOLS[name]
    try:
        withheld = _withheld(visitor, tool)
        if withheld is not None:
            raise withheld
        return tool.run(visitor, _checked(tool, arguments))
    except Problem as problem:
        return _failed(problem)
    except Exception as error:  # noqa: BLE001 - a broken tool must not break the chat, nor tell what was in it
        log.error("tool %s failed: %s", name, type(error).__name__)
        return _error("internal", "Something went wrong on our side.", _advice("internal"))


def _withheld(visitor: Visitor, tool: Tool) -> Problem | None:
    revision, key = visitor.caller.revision, visitor.caller.key
    if revision is None or not revision.memory_enabled:
        return MemoryOff()
    if key is None or tool.permission not in key.permissions:
        return Forbidden(f"this key lacks the permission {tool.permission}")
    return None


def _checked(tool: Tool, arguments: Arguments) -> Arguments:
    """Clean text, held against the schema. Raises Invalid naming the arguments, without repeating them."""
    try:
        cleaned: Arguments = clean_json(dict(arguments))
    except TextTooLong as error:
        raise Invalid(str(error)) from error
    faults = sorted(
        {_fault(error) for error in Draft202012Validator(tool.described.input_schema).iter_errors(cleaned)}
    )
    faults += [f"{name}: must not be blank" for name, value in cleaned.items() if _is_blank(value)]
    if faults:
        raise Invalid("; ".join(faults))
    return cleaned


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _fault(error: ValidationError) -> str:
    where = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        allowed = ", ".join(error.schema["properties"])
        return f"unknown argument; this tool takes only: {allowed}"
    if error.validator == "required":
        return f"missing argument: {error.message.split(chr(39))[1]}"
    wanted = error.validator_value
    return f"{where}: must satisfy {error.validator} {wanted}"


# ------------------------------------------------------------------ what each tool does


def _recall(visitor: Visitor, given: Arguments) -> mcp.CallToolResult:
    as_of = _moment(given, "as_of")
    question = Question(
        query=given["query"],
        project_id=visitor.project_id,
        top_k=int(given["top_k"]) if "top_k" in given else None,  # 1.0 is whole too, says JSON Schema
        as_of=(as_of, as_of) if as_of else None,
        include_history=given.get("include_history", False),
    )
    try:
        permit = gate.admit(visitor.caller, visitor.user_id, Act.RECALL)
        return _recalled(recall(permit, question))
    except Refused as refusal:
        return _recalled(nothing(refusal.reason))


def _detail(visitor: Visitor, given: Arguments) -> mcp.CallToolResult:
    permit = gate.admit(visitor.caller, visitor.user_id, Act.RECALL)
    try:
        memory_id = uuid.UUID(given["memory_id"])
    except ValueError as error:
        raise NotFound("no such memory") from error
    found = detail(permit, memory_id)
    memory = _present(memory_json(found.memory, found.content))
    lines = [
        f"{name}: {memory[name]}"
        for name in ("statement", "memory_type", "status", "valid_from", "valid_to")
        if name in memory
    ]
    return _done("\n".join(lines), {"memory": memory})


def _save(visitor: Visitor, given: Arguments) -> mcp.CallToolResult:
    permit = gate.admit(visitor.caller, visitor.user_id, Act.SAVE)
    starts, ends = _moment(given, "valid_from"), _moment(given, "valid_to")
    if starts and ends and ends < starts:
        raise Invalid("valid_to must not be before valid_from")
    request = SaveRequest(
        fact=given["fact"],
        memory_type=given.get("memory_type"),
        scope=_scope(visitor),
        project_id=visitor.project_id,
        keywords=given.get("keywords", ()),
        valid_from=starts,
        valid_to=ends,
    )
    outcome = save(permit, request)
    memory: Memory = outcome.memory  # type: ignore[assignment]  # save raises when nothing is kept
    told = {
        "memory_id": str(memory.pk),
        "operation": outcome.operation.value,
        "status": memory.status,
        "affected": [str(pk) for pk in outcome.affected],
    }
    note = WORDS["save"]["waits" if memory.status == Status.CANDIDATE else "kept"]
    return _done(f"Saved ({outcome.operation.value}) as {memory.pk}. {note}", told)


def _scope(visitor: Visitor) -> str:
    """Where this service keeps what it learns: fixed by its revision."""
    revision = visitor.caller.revision
    scopes = revision.recall_scopes if revision else []
    return Scope.SERVICE if scopes == [Scope.SERVICE] else Scope.PERSONAL


def _moment(given: Arguments, name: str) -> Any:
    if name not in given:
        return None
    moment = rfc3339.read(given[name])
    if moment is None or not is_tellable(moment):
        raise Invalid(f"{name}: must be an RFC 3339 time with an offset, e.g. 2026-05-16T09:00:00+09:00")
    return moment


# ------------------------------------------------------------------ results


def _recalled(answer: Answer) -> mcp.CallToolResult:
    structured = {
        "memories": [_remembered(item) for item in answer.memories],
        "count": len(answer.memories),
        "degraded": answer.degraded,
        "reason": answer.reason or "",
    }
    return _done(answer.context or _nothing(answer.reason), structured)


def _remembered(item: Remembered) -> dict[str, Any]:
    return _present(
        {
            "memory_id": str(item.memory_id),
            "memory_type": item.memory_type,
            "fact": item.fact,
            "score": item.score,
            "scope": item.scope,
            "temporal_relevance": item.temporal_relevance,
            "source_event_ids": item.source_event_ids,
            "valid_from": rfc3339.tell(item.valid_from) if item.valid_from else None,
            "valid_to": rfc3339.tell(item.valid_to) if item.valid_to else None,
            "confidence": item.confidence,
        }
    )


def _present(data: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is null, so that schemas need no unions."""
    return {name: value for name, value in data.items() if value is not None}


def _done(text: str, structured: Mapping[str, Any]) -> mcp.CallToolResult:
    content: list[mcp.ContentBlock] = [mcp.TextContent(type="text", text=text)]
    return mcp.CallToolResult(content=content, structured_content=dict(structured))


def _failed(problem: Problem) -> mcp.CallToolResult:
    message = f"{problem.title} {problem.detail}".strip()
    return _error(problem.code, message, _advice(problem.code))


def _error(code: str, message: str, advice: str) -> mcp.CallToolResult:
    text = f"{code}: {message}\nWhat to do: {advice}"
    return mcp.CallToolResult(content=[mcp.TextContent(type="text", text=text)], is_error=True)


def _advice(code: str) -> str:
    advice: dict[str, str] = WORDS["advice"]
    return advice.get(code, advice["internal"])


def _nothing(reason: str | None) -> str:
    texts: dict[str, str] = WORDS["nothing"]
    return texts.get(reason or "none", texts["none"])


# ------------------------------------------------------------------ schemas

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_TEXTS = {"type": "array", "items": _TEXT}
_WORDS = {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 20}


def _object(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """For arguments: nothing but these."""
    return {**_result(required, **properties), "additionalProperties": False}


def _result(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    """For results: a later version may add fields."""
    return {"type": "object", "properties": properties, "required": required}


def _tool(name: str, taken: dict[str, Any], given: dict[str, Any], *, reads: bool) -> mcp.Tool:
    """A tool with its words put in; each property is described where there is a text for it."""
    words = WORDS[name]
    for properties in (taken["properties"], given["properties"]):
        for key, value in properties.items():
            properties[key] = {**value, "description": words[key]} if key in words else value
    hints = mcp.ToolAnnotations(
        read_only_hint=reads, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    return mcp.Tool(
        name=name,
        title=words["title"],
        description=words["description"].strip(),
        input_schema=taken,
        output_schema=given,
        annotations=hints,
    )


RECALL = _tool(
    "recall",
    _object(
        ["query"],
        query={"type": "string", "minLength": 1},
        top_k={"type": "integer", "minimum": 1, "maximum": 50},
        include_history={"type": "boolean"},
        as_of=_TEXT,
    ),
    _result(
        ["memories", "count", "degraded", "reason"],
        memories={
            "type": "array",
            "items": _result(
                ["memory_id", "memory_type", "fact", "score", "scope", "temporal_relevance"],
                memory_id=_TEXT,
                memory_type=_TEXT,
                fact=_TEXT,
                score=_NUMBER,
                scope=_TEXT,
                temporal_relevance={"type": "string", "enum": ["current", "past", "upcoming"]},
                source_event_ids=_TEXTS,
                valid_from=_TEXT,
                valid_to=_TEXT,
                confidence=_NUMBER,
            ),
        },
        count={"type": "integer"},
        degraded={"type": "boolean"},
        reason=_TEXT,
    ),
    reads=True,
)
DETAIL = _tool(
    "detail",
    _object(["memory_id"], memory_id=_TEXT),
    _result(["memory"], memory={"type": "object"}),
    reads=True,
)
SAVE = _tool(
    "save",
    _object(
        ["fact"],
        fact={"type": "string", "minLength": 1},
        memory_type={"type": "string", "enum": [k for k in MemoryType.values if k != MemoryType.ENTRY]},
        keywords=_WORDS,
        valid_from=_TEXT,
        valid_to=_TEXT,
    ),
    _result(
        ["memory_id", "operation", "status", "affected"],
        memory_id=_TEXT,
        operation=_TEXT,
        status=_TEXT,
        affected=_TEXTS,
    ),
    reads=False,
)
TOOLS = {
    tool.name: tool
    for tool in (Tool(RECALL, "recall", _recall), Tool(DETAIL, "recall", _detail), Tool(SAVE, "save", _save))
}
