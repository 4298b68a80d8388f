"""Facts by a remote memory server: its MCP tool `remember` reads the turn and answers with what it found."""

import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from memoryapp import rfc3339
from memoryapp.extract import answers
from memoryapp.extract.base import BadOutput, ExtractorDown, Fact, Utterance
from memoryapp.extract.rules import guard
from memoryapp.extract.usage import Used

TOOL = "remember"


@dataclass
class RemoteExtractor:
    """Calls `remember` of one memory MCP server over streamable HTTP, once a turn.

    The tool gets `user_text`, `occurred_at` (RFC 3339) and `zone`, and answers with facts as JSON,
    in structured content or in text. It is told no user id: whose turn it is stays here.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    used: Used = field(default_factory=Used)
    rejected: int = 0

    def extract(self, utterance: Utterance) -> list[Fact]:
        """Raises ExtractorDown when the server cannot be used, BadOutput when its answer is unreadable."""
        said = guard.own_words(utterance.user_text)
        if not said or guard.off_the_record(utterance.user_text) or guard.joking(said):
            return []
        arguments = {
            "user_text": said,
            "occurred_at": rfc3339.tell(utterance.occurred_at.astimezone(utterance.zone)),
            "zone": utterance.zone.key,
        }
        self.used += Used(calls=1)
        answer = anyio.run(self._call, arguments)
        heard = Utterance(user_text=said, occurred_at=utterance.occurred_at, zone=utterance.zone)
        found = answers.read(answer, heard)
        self.rejected = found.rejected
        return [proposal.fact for proposal in found.proposed]

    async def _call(self, arguments: dict[str, Any]) -> str:
        try:
            with anyio.fail_after(self.timeout):
                async with AsyncExitStack() as stack:
                    session = httpx2.AsyncClient(headers=dict(self.headers), timeout=self.timeout)
                    http = await stack.enter_async_context(session)
                    transport = streamable_http_client(self.url, http_client=http)
                    client = await stack.enter_async_context(Client(transport))
                    return _text(await client.call_tool(TOOL, arguments))
        except BadOutput:
            raise
        except (MCPError, httpx2.HTTPError, OSError, TimeoutError, ExceptionGroup) as error:
            if isinstance(error, ExceptionGroup) and error.subgroup(BadOutput):
                raise BadOutput("the remote server reported an error") from None
            raise ExtractorDown(type(error).__name__) from None  # a message may quote the turn


def _text(result: Any) -> str:
    """The tool's answer as text that may hold JSON."""
    if result.is_error:
        raise BadOutput("the remote server reported an error")
    if result.structured_content:
        return json.dumps(result.structured_content, ensure_ascii=False)
    return "\n".join(block.text for block in result.content if getattr(block, "text", None))
