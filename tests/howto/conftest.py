"""How-tos as the docs page shows them, and a model that answers from a script."""

import html
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.template.loader import render_to_string

BLOCK = re.compile(r'<code class="language-(?:python|json)" data-howto="([\w-]+)">(.*?)</code>', re.DOTALL)


@pytest.fixture
def howto() -> dict[str, str]:
    """The code of each how-to by its name, exactly as a reader would copy it."""
    page = render_to_string("docs/howto/index.html")
    return {name: html.unescape(code) for name, code in BLOCK.findall(page)}


@dataclass
class ScriptedModel:
    """An OpenAI-compatible server that always says the same and keeps what it was asked."""

    url: str = ""
    asked: list[list[dict[str, Any]]] = field(default_factory=list)
    says: str = "네, 알겠어요."

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request["messages"])
        return {"choices": [{"message": {"role": "assistant", "content": self.says}}]}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    scripted = ScriptedModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(scripted.answer(request)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    scripted.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name, value in {"MODEL_URL": scripted.url, "MODEL_KEY": "x", "MODEL": "scripted"}.items():
        monkeypatch.setenv(name, value)
    yield scripted
    server.shutdown()
    server.server_close()
