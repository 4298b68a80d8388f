"""The ASGI application: Django and the MCP server, behind a refusal to start with the wrong keys."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

from django.core.asgi import get_asgi_application

_django = get_asgi_application()

from memoryapp import restore, vault, warm  # noqa: E402
from memoryapp.mcp_contexts import PREFIX, SessionsDoor  # noqa: E402
from memoryapp.mcp_server import Door  # noqa: E402

vault.verify()
restore.refuse_revenants()


class Application:
    """Django does not speak ASGI's lifespan, which the MCP server needs; this router does."""

    def __init__(self) -> None:
        self._mcp = Door()
        self._sessions = SessionsDoor()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http" and scope["path"] in ("/mcp", "/mcp/"):
            await self._mcp(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await self._sessions(scope, receive, send)
        else:
            await _django(scope, receive, send)

    async def _lifespan(self, receive: Any, send: Any) -> None:
        await receive()  # startup
        warm.in_background()
        async with self._mcp.running(), self._sessions.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()  # shutdown
        await send({"type": "lifespan.shutdown.complete"})


application = Application()
