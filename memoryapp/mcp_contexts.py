"""The MCP door of one session, `/mcp/sessions/<id>/`: its context tools, for the same credentials as `/mcp/`.

The session is part of the address, so no argument can name another one.
"""

import logging
from collections.abc import Mapping
from typing import Any

import mcp_types as mcp
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from rest_framework.exceptions import ValidationError

from memoryapp import mcp_server
from memoryapp.api.contexts import CALLS
from memoryapp.api.fields import SessionIdField
from memoryapp.contexts import leave, texts
from memoryapp.contexts.call import TOOLS, arguments_of, call
from memoryapp.contexts.tools import Tool, tools
from memoryapp.errors import Forbidden, Invalid, NotFound, Problem, Refused
from memoryapp.mcp_server import Context, Door, Message
from memoryapp.mcp_tools import Visitor
from memoryapp.permit import Caller
from memoryapp.problems import flatten

log = logging.getLogger(__name__)

PREFIX = "/mcp/sessions/"
_SESSION = "memoryapp.session"


class SessionsDoor(Door):
    """The ASGI application behind every `/mcp/sessions/<id>/`."""

    def __init__(self) -> None:
        super().__init__(_build())

    async def admit(self, scope: Message) -> Visitor:
        visitor = await super().admit(scope)
        scope[_SESSION] = _session_id(scope["path"])
        return visitor


def _build() -> Server[Any]:
    async def list_tools(context: Context, params: mcp.PaginatedRequestParams | None) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=await mcp_server.in_thread(_offered)(*await _who(context)))

    async def call_tool(context: Context, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(code=mcp.INVALID_PARAMS, message="There is no such tool.")
        who = await _who(context)
        return await mcp_server.in_thread(_call)(*who, params.name, params.arguments or {})

    server: Server[Any] = Server(
        "memoryapp-session",
        title="Session contexts",
        version="1",
        instructions=texts.instructions(),
        # Schemas differ from session to session; no parameter travels in a header.
        get_tool_input_schema=lambda name: {"type": "object"} if name in TOOLS else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # as for `/mcp/`: nothing that carries arguments away
    return server


async def _who(context: Context) -> tuple[Visitor, str]:
    visitor = await mcp_server.of_request(context)
    return visitor, context.request.scope[_SESSION]  # type: ignore[union-attr]


def _session_id(path: str) -> str:
    """The id in the address, slashes included. Raises NotFound for what cannot be one."""
    text = path.removeprefix(PREFIX).removesuffix("/")
    try:
        return str(SessionIdField().run_validation(text))
    except ValidationError as error:
        raise NotFound("no such session") from error


def _offered(visitor: Visitor, session_id: str) -> list[mcp.Tool]:
    """The session's tools; none where this key or this person allows none."""
    try:
        _may(visitor.caller)
        permit = leave.admit(visitor.caller, visitor.user_id, leave.USE)
    except (Forbidden, Refused):
        return []
    return [_described(tool) for tool in tools(permit, session_id)]


def _described(tool: Tool) -> mcp.Tool:
    reads = tool.name == "search_context"
    hints = mcp.ToolAnnotations(read_only_hint=reads, destructive_hint=False, open_world_hint=False)
    return mcp.Tool(
        name=tool.name, description=tool.description, input_schema=tool.parameters, annotations=hints
    )


def _call(visitor: Visitor, session_id: str, name: str, given: Mapping[str, Any]) -> mcp.CallToolResult:
    """Run a tool. Never raises: a failure is a result with `isError`."""
    try:
        _may(visitor.caller)
        arguments = arguments_of(name, _checked(visitor, name, given))
        said = call(visitor.caller, visitor.user_id, session_id, name, arguments)
        return _result(said.result, is_error=said.is_error)
    except Problem as problem:
        return _result(f"{problem.code}: {problem.title} {problem.detail}".strip(), is_error=True)
    except Exception as error:  # noqa: BLE001 - a broken tool must not break the chat, nor tell what was in it
        log.error("tool %s failed: %s", name, type(error).__name__)
        return _result("internal: Something went wrong on our side.", is_error=True)


def _may(caller: Caller) -> None:
    if caller.key is None or "contexts" not in caller.key.permissions:
        raise Forbidden("this key lacks the permission contexts")


def _checked(visitor: Visitor, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, held to the rules of the REST API. Raises Invalid naming those that break them."""
    body = CALLS[name](data={"user_id": visitor.user_id, "arguments": dict(given)})
    try:
        body.is_valid(raise_exception=True)
    except ValidationError as error:
        faults = flatten(error.detail)
        named = "; ".join(
            f"{field.removeprefix('arguments.')}: {' '.join(faults[field])}" for field in faults
        )
        raise Invalid(named) from error
    valid: dict[str, Any] = body.validated_data["arguments"]
    return valid


def _result(text: str, *, is_error: bool) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(type="text", text=text)], is_error=is_error)
