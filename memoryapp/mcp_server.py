"""The MCP door: the official SDK's server, without sessions, behind the same credentials as the REST API.

Every HTTP request is authenticated on its own: the service by its key, the user by `X-Memory-User` or a
signed assertion. Nothing is kept between requests, so any worker can answer any of them.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit

import mcp_types as mcp
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http.request import split_domain_port, validate_host
from django.utils import translation
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from rest_framework.exceptions import ValidationError

from memoryapp import assertions, keys, limits, mcp_tools, problems
from memoryapp.api.fields import IdField
from memoryapp.errors import DatabaseUnavailable, Forbidden, Invalid, NotFound, Problem, Unauthenticated
from memoryapp.mcp_tools import Visitor

P = ParamSpec("P")
T = TypeVar("T")
Message = MutableMapping[str, Any]
Context = ServerRequestContext[Any, Any]

USER, PROJECT, ASSERTION = "x-memory-user", "x-memory-project", "x-user-assertion"
_VISITOR = "memoryapp.visitor"
#: Threads for the synchronous verbs; each borrows a database connection only while it works.
_THREADS = ThreadPoolExecutor(max_workers=8, thread_name_prefix="mcp")

# The SDK's own records quote what was sent; what a tool call holds is content.
logging.getLogger("mcp").setLevel(logging.CRITICAL)


def visitor(headers: Mapping[str, str]) -> Visitor:
    """Who is calling, by header (lower-case names). Raises Unauthenticated, Forbidden or Invalid."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    caller = keys.recognise(secret.strip()) if scheme.lower() == "bearer" and secret.strip() else None
    if caller is None:
        raise Unauthenticated("send Authorization: Bearer <service key>")
    caller = assertions.apply(caller, headers.get(ASSERTION))
    user_id = _id(headers, USER) or caller.asserted_user_id
    if not user_id:
        raise Invalid("send X-Memory-User: <user id>", {"X-Memory-User": ["This header is required."]})
    if caller.asserted_user_id is not None and caller.asserted_user_id != user_id:
        raise Forbidden("X-Memory-User is not the user of the assertion")
    limits.spend(caller, user_id)
    return Visitor(caller=caller, user_id=user_id, project_id=_id(headers, PROJECT) or "")


def build(identify: Callable[[Context], Awaitable[Visitor]]) -> Server[Any]:
    """The MCP server; `identify` tells whose request this is."""

    async def list_tools(context: Context, params: mcp.PaginatedRequestParams | None) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=mcp_tools.offered(await identify(context)))

    async def call_tool(context: Context, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        if mcp_tools.schema(params.name) is None:
            raise MCPError(code=mcp.INVALID_PARAMS, message="There is no such tool.")
        return await in_thread(mcp_tools.call)(await identify(context), params.name, params.arguments or {})

    server: Server[Any] = Server(
        "memoryapp",
        title="Long-term memory",
        version="1",
        instructions=mcp_tools.WORDS["server"]["instructions"].strip(),
        get_tool_input_schema=mcp_tools.schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # tracing, which would carry arguments to wherever traces go
    return server


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Run a synchronous function in a thread of ours, and give its database connection back afterwards."""

    def clean(*args: P.args, **kwargs: P.kwargs) -> T:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return sync_to_async(clean, thread_sensitive=False, executor=_THREADS)


class Door:
    """The ASGI application behind `/mcp/`, or behind another address with another server."""

    def __init__(self, server: Server[Any] | None = None) -> None:
        self._manager = StreamableHTTPSessionManager(
            app=server or build(of_request),
            json_response=True,
            stateless=True,
            # The door looks at Origin itself, by Django's settings; the host is Django's to check behind a proxy.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        #: Enter this for as long as the process serves.
        self.running = self._manager.run

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        try:
            found = await self.admit(scope)
        except Problem as problem:
            await _refuse(send, problem)
            return
        except (OperationalError, InterfaceError):
            await _refuse(send, DatabaseUnavailable())
            return
        if scope["method"] != "POST":
            await _respond(
                send, 405, problems.document(status_code=405, title="Send POST.", detail="", code="invalid")
            )
            return
        await self._manager.handle_request({**scope, _VISITOR: found}, receive, send)

    async def admit(self, scope: Message) -> Visitor:
        """Who sends this request. Raises a Problem, with which the request is refused."""
        headers = _headers(scope["headers"])
        if headers.get("origin") and not ours(headers["origin"]):
            raise Forbidden(
                "this Origin may not call; it is neither in ALLOWED_HOSTS nor CSRF_TRUSTED_ORIGINS"
            )
        found = await in_thread(visitor)(headers)
        if headers.get("mcp-session-id"):
            raise NotFound("this server keeps no sessions; leave Mcp-Session-Id out and initialise anew")
        return found


async def of_request(context: Context) -> Visitor:
    """The visitor whom the door admitted with this very request."""
    found: Visitor = context.request.scope[_VISITOR]  # type: ignore[union-attr]
    return found


def _headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by lower-case name. Raises Invalid when one that names somebody comes twice or is no UTF-8."""
    headers: dict[str, str] = {}
    for name, value in raw:
        key = name.decode("latin-1").lower()
        if key in headers and key in ("authorization", USER, PROJECT, ASSERTION):
            raise Invalid("a header is given more than once", {key: ["Given more than once."]})
        try:
            headers[key] = value.decode()
        except UnicodeDecodeError as error:
            if key in (USER, PROJECT):
                raise Invalid("a header is not UTF-8", {key: ["Not UTF-8."]}) from error
            headers[key] = value.decode("latin-1")
    return headers


def ours(origin: str) -> bool:
    """Whether a browser that calls has our own page open, or one that is trusted. Programs send no Origin."""
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    try:
        domain, _port = split_domain_port(urlsplit(origin).netloc)
    except ValueError:  # "http://[": no address at all
        return False
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _id(headers: Mapping[str, str], name: str) -> str:
    """An id from a header, held to the rules of the REST API; "" when absent."""
    if name not in headers:
        return ""
    try:
        with translation.override("en"):  # for who wrote the caller, as in the REST API
            checked: str = IdField(allow_blank=name == PROJECT).run_validation(headers[name])
    except ValidationError as error:
        raise Invalid(f"{name} is not a valid id", {name: [str(item) for item in error.detail]}) from error
    return checked


async def _refuse(send: Any, problem: Problem) -> None:
    more = [(name.lower().encode(), value.encode()) for name, value in problems.headers(problem).items()]
    await _respond(send, problem.status, problems.body(problem), more)


async def _respond(
    send: Any, status: int, document: Mapping[str, Any], more: list[tuple[bytes, bytes]] | None = None
) -> None:
    body = json.dumps(document, ensure_ascii=False).encode()
    headers = [(b"content-type", problems.MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    if status == 405:
        headers.append((b"allow", b"POST"))
    await send({"type": "http.response.start", "status": status, "headers": headers + (more or [])})
    await send({"type": "http.response.body", "body": body})
