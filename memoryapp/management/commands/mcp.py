"""`manage.py mcp`: the MCP server on stdin and stdout, for one user of one service."""

import os
from typing import Any

import anyio
from django.core.management.base import BaseCommand, CommandError
from mcp.server.stdio import stdio_server

from memoryapp import restore, vault
from memoryapp.errors import Problem
from memoryapp.mcp_server import ASSERTION, PROJECT, USER, Context, build, in_thread, visitor
from memoryapp.mcp_tools import Visitor

#: Environment variable → the header that it stands for.
VARIABLES = {
    "MEMORYAPP_USER_ID": USER,
    "MEMORYAPP_PROJECT_ID": PROJECT,
    "MEMORYAPP_USER_ASSERTION": ASSERTION,
}


class Command(BaseCommand):
    help = (
        "Serve the memory tools over stdio. Set MEMORYAPP_API_KEY and MEMORYAPP_USER_ID "
        "(or MEMORYAPP_USER_ASSERTION). Only the protocol is written to stdout."
    )

    requires_system_checks: list[str] = []  # needs no broker: the tools send nothing to the worker

    def handle(self, *args: Any, **options: Any) -> None:
        headers = credentials()
        try:
            vault.verify()
            restore.refuse_revenants()
            visitor(headers)
        except Problem as problem:
            raise CommandError(f"{problem.title} {problem.detail}") from problem
        anyio.run(_serve, headers)


def credentials() -> dict[str, str]:
    """What the environment says about who is connected, as the headers of the HTTP door."""
    headers = {"authorization": f"Bearer {os.environ.get('MEMORYAPP_API_KEY', '')}"}
    named = {header: os.environ.get(variable, "") for variable, header in VARIABLES.items()}
    return headers | {header: value for header, value in named.items() if value}


async def _serve(headers: dict[str, str]) -> None:
    async def identify(context: Context) -> Visitor:
        return await in_thread(visitor)(headers)  # asked anew each time: the key may have been revoked

    server = build(identify)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
