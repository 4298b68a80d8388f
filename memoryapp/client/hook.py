"""The recall hook: puts what is remembered before the present question, once per agent run.

    hook = RecallHook(client)
    answer = model(hook.inject(messages, user_id="minji", execution_id=run_id))

`messages` is a list of {"role", "content"} as chat models take it. It is never changed: recalled text must
not enter the history. Within one run every call to the model gets the same block, because the service answers
the same `execution_id` with the same snapshot, except for what was deleted meanwhile. A failing service never
stops the chat.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from memoryapp.client.errors import MemoryServiceError
from memoryapp.client.http import AsyncClient, Client
from memoryapp.client.shapes import Recalled

log = logging.getLogger(__name__)

Message = Mapping[str, Any]


class RecallHook:
    """For blocking agents. `options` go to every recall: project_id, scopes, top_k, threshold, max_tokens."""

    def __init__(self, client: Client, **options: Any) -> None:
        self._client = client
        self._options = options

    def inject(
        self, messages: Sequence[Message], *, user_id: str, execution_id: str, query: str | None = None
    ) -> list[Message]:
        """A new list with the block in it; an equal one when there is nothing to add."""
        asked = question(messages, query)
        return insert(messages, self.recall(asked, user_id=user_id, execution_id=execution_id))

    def recall(self, query: str, *, user_id: str, execution_id: str) -> Recalled:
        """The answer, or an empty degraded one."""
        try:
            return self._client.recall(user_id, query, execution_id=execution_id, **self._options)
        except MemoryServiceError as error:
            return without_memory(error)

    def report(
        self, user_id: str, session_id: str, turn_id: str, user_text: str, assistant_text: str
    ) -> None:
        """Report the finished turn. A service that is down costs the memory of it, never the turn."""
        try:
            self._client.report_turn(user_id, session_id, turn_id, user_text, assistant_text)
        except MemoryServiceError as error:
            without_memory(error)


class AsyncRecallHook:
    """For awaiting agents; otherwise as RecallHook."""

    def __init__(self, client: AsyncClient, **options: Any) -> None:
        self._client = client
        self._options = options

    async def inject(
        self, messages: Sequence[Message], *, user_id: str, execution_id: str, query: str | None = None
    ) -> list[Message]:
        """A new list with the block in it; an equal one when there is nothing to add."""
        asked = question(messages, query)
        return insert(messages, await self.recall(asked, user_id=user_id, execution_id=execution_id))

    async def recall(self, query: str, *, user_id: str, execution_id: str) -> Recalled:
        """The answer, or an empty degraded one."""
        try:
            return await self._client.recall(user_id, query, execution_id=execution_id, **self._options)
        except MemoryServiceError as error:
            return without_memory(error)

    async def report(
        self, user_id: str, session_id: str, turn_id: str, user_text: str, assistant_text: str
    ) -> None:
        """Report the finished turn. A service that is down costs the memory of it, never the turn."""
        try:
            await self._client.report_turn(user_id, session_id, turn_id, user_text, assistant_text)
        except MemoryServiceError as error:
            without_memory(error)


def without_memory(error: MemoryServiceError) -> Recalled:
    """What an agent goes on with when the service fails. The log names the failure, never the question."""
    log.warning("going on without memory: %s", type(error).__name__)
    return Recalled(degraded=True, reason="unavailable")


def question(messages: Sequence[Message], query: str | None = None) -> str:
    """The present question: the text of the last user message."""
    if query is not None:
        return query
    at = _last_user(messages)
    return _text(messages[at].get("content")) if at is not None else ""


def insert(messages: Sequence[Message], recalled: Recalled) -> list[Message]:
    """The messages with the block in: before the present question, or at the end of the system prompt."""
    if not recalled.context:
        return list(messages)
    if recalled.injection_mode == "system":
        return _into_system(messages, recalled.context)
    at = _last_user(messages)
    at = len(messages) if at is None else at
    return [*messages[:at], {"role": "user", "content": recalled.context}, *messages[at:]]


def _into_system(messages: Sequence[Message], context: str) -> list[Message]:
    if messages and messages[0].get("role") in ("system", "developer"):
        first = {**messages[0], "content": f"{_text(messages[0].get('content'))}\n\n{context}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": context}, *messages]


def _last_user(messages: Sequence[Message]) -> int | None:
    places = [at for at, message in enumerate(messages) if message.get("role") == "user"]
    return places[-1] if places else None


def _text(content: Any) -> str:
    """The text of a message whose content is a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and "text" in part)
