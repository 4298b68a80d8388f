"""Extractors without a model, for tests: scripted facts, a chat endpoint and a memory server on a script."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memoryapp.extract.base import Fact, Utterance
from memoryapp.extract.usage import Used

Answer = str | int | dict[str, Any]
Reply = Answer | Callable[[dict[str, Any]], Answer]


@dataclass
class ScriptedExtractor:
    """Answers each turn with the next of `script`; an exception is raised. `seen`: what it was shown."""

    script: list[Sequence[Fact] | Exception]
    seen: list[Utterance] = field(default_factory=list)
    used: Used = field(default_factory=Used)

    def extract(self, utterance: Utterance) -> list[Fact]:
        self.seen.append(utterance)
        self.used += Used(calls=1)
        step = self.script.pop(0) if self.script else ()
        if isinstance(step, Exception):
            raise step
        return list(step)


@dataclass
class ScriptedServer:
    """A local HTTP server that answers from a script. `requests` holds the JSON bodies it was sent."""

    replies: list[Reply]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)

    def reply_to(self, body: dict[str, Any]) -> Answer:
        self.requests.append(body)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(body) if callable(reply) else reply


@contextmanager
def chat_endpoint(*replies: Reply) -> Iterator[ScriptedServer]:
    """An OpenAI-compatible endpoint. A reply is the model's text, a failing status, or a function of what was
    asked that gives one of them; the last repeats."""
    with _serving(ScriptedServer(list(replies)), _chat, "/v1") as server:
        yield server


@contextmanager
def memory_server(*replies: Reply) -> Iterator[ScriptedServer]:
    """A memory MCP server whose only tool is `remember`. A reply is the tool's text, its structured answer
    or a failing status; the last repeats."""
    with _serving(ScriptedServer(list(replies)), _mcp, "/mcp/") as server:
        yield server


@contextmanager
def _serving(script: ScriptedServer, answer: Any, path: str) -> Iterator[ScriptedServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
            status, payload = answer(script, body)
            data = json.dumps(payload).encode() if payload is not None else b""
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.send_error(405)

        def do_DELETE(self) -> None:
            self.send_error(405)

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """What is asked here is content; nothing of it is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}{path}"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _chat(script: ScriptedServer, body: dict[str, Any]) -> tuple[int, dict[str, Any] | None]:
    reply = script.reply_to(body)
    if isinstance(reply, int):
        return reply, {"error": {"message": "scripted failure", "type": "scripted"}}
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    tokens = {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": len(text) // 4}
    return 200, {
        "id": "scripted", "object": "chat.completion", "created": 0, "model": body.get("model", ""),
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {**tokens, "total_tokens": sum(tokens.values())},
    }  # fmt: skip


def _mcp(script: ScriptedServer, body: dict[str, Any]) -> tuple[int, dict[str, Any] | None]:
    method, number = body.get("method"), body.get("id")
    if number is None:
        return 202, None
    if method == "initialize":
        version = body.get("params", {}).get("protocolVersion", "2025-11-25")
        info = {"name": "scripted", "version": "1"}
        return 200, _result(
            number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
        )
    if method == "tools/list":
        tool = {"name": "remember", "description": "", "inputSchema": {"type": "object"}}
        return 200, _result(number, {"tools": [tool]})
    if method != "tools/call":
        return 200, _failure(number, -32601, "no such method")
    reply = script.reply_to(body["params"])
    if isinstance(reply, int):
        return reply, {
            "jsonrpc": "2.0",
            "id": number,
            "error": {"code": -32000, "message": "scripted failure"},
        }
    if isinstance(reply, dict):
        return 200, _result(number, {"content": [], "structuredContent": reply})
    return 200, _result(number, {"content": [{"type": "text", "text": reply}]})


def _failure(number: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def _result(number: Any, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}
