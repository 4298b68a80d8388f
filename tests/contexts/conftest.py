"""Minji and Jiho in sessions with the assistant and the homebot."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Runtime

RULE = "═" * 46


@dataclass
class Chat:
    """One session of one person with a runtime."""

    runtime: Runtime
    user_id: str
    session_id: str = "s1"

    def put(self, label: str, kind: str, **fields: Any) -> Any:
        body = {"user_id": self.user_id, "kind": kind, **fields}
        return self.runtime.put(f"sessions/{self.session_id}/contexts/{label}", body)

    def block(self, label: str) -> Any:
        return self.runtime.get(f"sessions/{self.session_id}/contexts/{label}", user_id=self.user_id)

    def delete(self, label: str) -> Any:
        return self.runtime.delete(f"sessions/{self.session_id}/contexts/{label}?user_id={self.user_id}")

    def call(self, tool: str, **arguments: Any) -> Any:
        body = {"user_id": self.user_id, "arguments": arguments}
        return self.runtime.post(f"sessions/{self.session_id}/tools/{tool}", body)

    def said(self, tool: str, **arguments: Any) -> str:
        """What a tool says when it works."""
        answer = self.call(tool, **arguments).json()
        assert answer["is_error"] is False, answer
        return str(answer["result"])

    def failed(self, tool: str, **arguments: Any) -> str:
        """What a tool says when it cannot."""
        answer = self.call(tool, **arguments).json()
        assert answer["is_error"] is True, answer
        return str(answer["result"])

    def write(self, label: str, content: str, title: str = "", **fields: Any) -> str:
        if title:
            fields["metadata"] = {"title": title, **fields.get("metadata", {})}
        return self.said("set_context", label=label, content=content, **fields)

    @property
    def prompt(self) -> str:
        return str(self.prompt_answer()["prompt"])

    def prompt_answer(self) -> Any:
        return self.runtime.get(f"sessions/{self.session_id}/prompt", user_id=self.user_id).json()

    def refresh(self) -> str:
        body = {"user_id": self.user_id}
        return str(self.runtime.post(f"sessions/{self.session_id}/prompt/refresh", body).json()["prompt"])

    def tools(self, **query: Any) -> list[dict[str, Any]]:
        answer = self.runtime.get(f"sessions/{self.session_id}/tools", user_id=self.user_id, **query)
        found: list[dict[str, Any]] = answer.json()["tools"]
        return found

    def share(self, label: str, to_session_id: str) -> Any:
        body = {"user_id": self.user_id, "to_session_id": to_session_id}
        return self.runtime.post(f"sessions/{self.session_id}/contexts/{label}/grants", body)

    def revoke(self, label: str, to_session_id: str) -> Any:
        path = f"sessions/{self.session_id}/contexts/{label}/grants/{to_session_id}"
        return self.runtime.delete(f"{path}?user_id={self.user_id}")


@pytest.fixture
def chat(assistant: Runtime, minji: Any) -> Chat:
    """Minji's session s1 with the assistant."""
    return Chat(assistant, "minji")
