"""The ASGI application: Django and the MCP server, behind a refusal to start with the wrong keys."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

from django.core.asgi import get_asgi_application

_django = get_asgi_application()

from django.conf import settings  # noqa: E402

from memoryapp import restore, vault, warm  # noqa: E402
from memoryapp.logs import ROUTE  # noqa: E402
from memoryapp.mcp_contexts import PREFIX, SessionsDoor  # noqa: E402
from memoryapp.mcp_server import Door  # noqa: E402

vault.verify()
restore.refuse_revenants()

#: What Django's own middleware gives to all other answers, as far as it means anything for JSON.
_HEADERS = {b"x-content-type-options": b"nosniff", b"cache-control": b"no-store"}
if settings.BEHIND_TLS:
    _HEADERS[b"strict-transport-security"] = (
        b"max-age=%d; includeSubDomains; preload" % settings.SECURE_HSTS_SECONDS
    )


def _strict(send: Any) -> Any:
    async def strict(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": list({**_HEADERS, **dict(message["headers"])}.items())}
        await send(message)

    return strict


class Application:
    """Django does not speak ASGI's lifespan, which the MCP server needs; this router does."""

    def __init__(self) -> None:
        self._mcp = Door()
        self._sessions = SessionsDoor()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"] in ("/mcp", "/mcp/"):
            scope[ROUTE] = "mcp/"
            await self._mcp(scope, receive, _strict(send))
        elif scope["type"] == "http" and scope["path"].startswith(PREFIX):
            scope[ROUTE] = "mcp/sessions/<session_id>/"
            await self._sessions(scope, receive, _strict(send))
        else:
            await _django(scope, receive, send)

    async def _lifespan(self, receive: Any, send: Any) -> None:
        await receive()  # startup
        warm.in_background()
        async with self._mcp.running(), self._sessions.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()  # shutdown
        await send({"type": "lifespan.shutdown.complete"})


application: Any = Application()
if settings.TELEMETRY:
    from memoryapp.telemetry import Traced

    application = Traced(application)
