"""Google ADK: a memory service, and a callback that recalls before the model is called.

    runner = Runner(agent=agent, memory_service=MemoryService(url, key), …)
    agent = LlmAgent(…, before_model_callback=RecallCallback(url, key))

The key stands for one app. `user_id` is the person's; with a `project_id` everything is kept in, searched in
(along with what is global) and deleted from that project.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.adk.agents.callback_context import CallbackContext
from google.adk.events import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.llm_request import LlmRequest
from google.adk.sessions import Session
from google.genai.types import Content, Part

from memoryapp.client.errors import ConsentRequired, MemoryServiceError, NotFound, Refusal
from memoryapp.client.hook import AsyncRecallHook
from memoryapp.client.http import AsyncClient
from memoryapp.client.loops import PerLoop
from memoryapp.client.shapes import Deleted, Entry, ErasureCertificate, FoundEntry

log = logging.getLogger(__name__)

BATCH = 500
_NOT_NOW = frozenset({"consent-required", "memory-off", "speaker-not-allowed"})


class ProjectScopingUnsupported(MemoryServiceError):
    """This service cannot keep projects apart, so nothing is written or deleted for one."""


class OtherApp(MemoryServiceError):
    """A key stands for one app; use another MemoryService, with that app's key, for another app."""


class MemoryService(BaseMemoryService):
    """Entries kept word for word by the service. All methods of BaseMemoryService, and those of K2.

    A person who has not agreed to memory is no error of the agent: nothing is stored, nothing found, and the
    log says so. `app_name` fixes the ADK app that the key stands for; without it, the first app to call does.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        project_id: str | None = None,
        *,
        app_name: str | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        **options: Any,
    ) -> None:
        self._clients = PerLoop(lambda: AsyncClient(base_url, api_key, **options))
        self._project_id = project_id
        self._app_name = app_name
        self._wanted: dict[str, Any] = {"top_k": top_k, "threshold": threshold}
        self._scoping: bool | None = None

    def for_project(self, project_id: str | None) -> "MemoryService":
        """The same service, scoped to another project (None = global)."""
        other: MemoryService = object.__new__(type(self))
        other.__dict__ = {**self.__dict__, "_project_id": project_id}
        return other

    async def add_session_to_memory(self, session: Session) -> None:
        """Store a session's events; those already stored are stored once, those deleted stay deleted."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store these events, whatever else the session holds. Text only: no thoughts, calls or files."""
        entries = [entry for event in events if (entry := _entry_of(event, custom_metadata))]
        await self._add(app_name, user_id, entries, session_id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Store these entries, which belong to no session."""
        entries = [entry for memory in memories if (entry := _entry_of_memory(memory, custom_metadata))]
        await self._add(app_name, user_id, entries, None)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The entries that fit, best first; nothing when the person has not agreed or the service fails."""
        self._check_app(app_name)
        try:
            found = await self._clients.client.search_entries(
                user_id, query, project_id=self._project_id, **self._wanted
            )
        except MemoryServiceError as error:
            log.warning("searching without memory: %s", type(error).__name__)
            return SearchMemoryResponse()
        return SearchMemoryResponse(memories=[_memory_of(entry) for entry in found.entries])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Delete one entry by the id that a search gave. An unknown id is no error."""
        self._check_app(app_name)
        if not memory_id:
            return
        try:
            await self._clients.client.delete_memory(user_id, memory_id)
        except NotFound:
            log.info("nothing to delete under this id")

    async def delete_entries(
        self, *, app_name: str, user_id: str, query: str, dry_run: bool = False
    ) -> Deleted:
        """Delete the entries that contain every word of the query, in exactly this project."""
        self._check_app(app_name)
        await self._check_project()
        return await self._clients.client.delete_entries(
            user_id, query, project_id=self._project_id, dry_run=dry_run
        )

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> int:
        """Delete all that was kept of a session, in every project. → how many entries and turns."""
        self._check_app(app_name)
        try:
            return (await self._clients.client.delete_session(user_id, session_id)).deleted
        except NotFound:
            return 0

    async def delete_user(self, *, app_name: str, user_id: str) -> ErasureCertificate:
        """Erase a person for good, with everything kept about them."""
        self._check_app(app_name)
        return await self._clients.client.delete_user(user_id)

    async def supports_project_scoping(self) -> bool:
        """Whether the service keeps projects apart."""
        if self._scoping is None:
            self._scoping = (await self._clients.client.capabilities()).project_scoping
        return self._scoping

    async def healthy(self) -> bool:
        """Whether the service answers and its database works."""
        try:
            return await self._clients.client.healthy()
        except MemoryServiceError:
            return False

    async def aclose(self) -> None:
        await self._clients.aclose()

    async def _add(
        self, app_name: str, user_id: str, entries: Sequence[Entry], session_id: str | None
    ) -> None:
        self._check_app(app_name)
        await self._check_project()
        try:
            await self._send(user_id, entries, session_id)
        except Refusal as refusal:
            if refusal.code not in _NOT_NOW:
                raise
            log.info("nothing was stored: %s", refusal.code)

    async def _send(self, user_id: str, entries: Sequence[Entry], session_id: str | None) -> None:
        client = self._clients.client
        if session_id is None:
            for entry in entries:
                await client.add_entry(user_id, entry, project_id=self._project_id)
            return
        for start in range(0, len(entries), BATCH):
            part = entries[start : start + BATCH]
            await client.add_session(user_id, session_id, part, project_id=self._project_id)

    def _check_app(self, app_name: str) -> None:
        if self._app_name is None:
            self._app_name = app_name
        if app_name != self._app_name:
            raise OtherApp(f"this key stands for the app {self._app_name!r}")

    async def _check_project(self) -> None:
        """Never write or delete more widely than asked (K4)."""
        if self._project_id and not await self.supports_project_scoping():
            raise ProjectScopingUnsupported


class RecallCallback:
    """A `before_model_callback`: gives the model what is remembered, without it entering the session.

    One agent run gets one snapshot, however often the model is called in it. Never stops the run.
    """

    def __init__(self, base_url: str, api_key: str, project_id: str | None = None, **options: Any) -> None:
        self._clients = PerLoop(lambda: AsyncClient(base_url, api_key))
        self._options = {"project_id": project_id, **options}

    async def __call__(self, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        query = _text(callback_context.user_content)
        if not query:
            return
        hook = AsyncRecallHook(self._clients.client, **self._options)
        run = f"{callback_context.invocation_id}:{callback_context.agent_name}"
        recalled = await hook.recall(query, user_id=callback_context.user_id, execution_id=run)
        if not recalled.context:
            return
        if recalled.injection_mode == "system":
            llm_request.append_instructions([recalled.context])
            return
        block = Content(role="user", parts=[Part(text=recalled.context)])
        llm_request.contents.insert(_place(llm_request.contents), block)


def _place(contents: Sequence[Content]) -> int:
    """Where the present question stands: the last user content with text."""
    places = [at for at, content in enumerate(contents) if content.role == "user" and _text(content)]
    return places[-1] if places else len(contents)


def _entry_of(event: Event, more: Mapping[str, object] | None) -> Entry | None:
    text = _text(event.content)
    if not text.strip() or event.partial:
        return None
    return Entry(
        content=text,
        author=event.author or "user",
        timestamp=datetime.fromtimestamp(event.timestamp, UTC),
        event_id=event.id or None,
        metadata=_plain(more),
    )


def _entry_of_memory(memory: MemoryEntry, more: Mapping[str, object] | None) -> Entry | None:
    text = _text(memory.content)
    if not text.strip():
        return None
    return Entry(
        content=text,
        author=memory.author or "user",
        timestamp=_moment(memory.timestamp),
        event_id=memory.id,
        metadata=_plain({**memory.custom_metadata, **(more or {})}),
    )


def _memory_of(found: FoundEntry) -> MemoryEntry:
    content = Content(role="user" if found.author == "user" else "model", parts=[Part(text=found.content)])
    known = {"score": found.score, "session_id": found.session_id, "project_id": found.project_id}
    return MemoryEntry(
        id=found.entry_id,
        content=content,
        author=found.author,
        timestamp=found.timestamp.isoformat(),
        custom_metadata={**found.metadata, **{k: v for k, v in known.items() if v is not None}},
    )


def _text(content: Content | None) -> str:
    parts = content.parts or [] if content else []
    return "\n".join(part.text for part in parts if part.text and not part.thought)


def _moment(text: str | None) -> datetime:
    """A time without an offset is UTC; what is no time at all is now."""
    try:
        moment = datetime.fromisoformat(text) if text else datetime.now(UTC)
    except ValueError:
        moment = datetime.now(UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _plain(metadata: Mapping[str, object] | None) -> dict[str, Any] | None:
    """As JSON can carry it."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(metadata or {}), default=str))
    return plain or None


__all__ = ["ConsentRequired", "MemoryService", "OtherApp", "ProjectScopingUnsupported", "RecallCallback"]
