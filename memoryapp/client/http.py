"""The plain client, blocking and awaiting: typed results, time-outs, retries that are safe to make.

    client = Client("http://127.0.0.1:8000", "mk_…")
    client.recall("minji", "점심 뭐 먹지?").context

A write carries an idempotency key, so sending it again after a time-out stores nothing twice.
"""

import random
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import anyio
import httpx

from memoryapp.client import calls, device_calls, session_calls
from memoryapp.client.call import Call
from memoryapp.client.errors import Unreachable, refusal

P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT = httpx.Timeout(10.0, connect=3.0)
RETRIES = 3
_AGAIN = frozenset({429, 502, 503, 504})
_LONGEST_WAIT = 5.0

#: Makes the signed `X-User-Assertion` of a user_id, for services that require one.
Assert = Callable[[str], str]


class _Base:
    """What both clients share: the address, the key, and what a request looks like."""

    def __init__(self, base_url: str, api_key: str, *, retries: int, assertion: Assert | None) -> None:
        self._base_url = base_url.rstrip("/").removesuffix("/api/v1")
        self._api_key = api_key
        self._retries = retries
        self._assertion = assertion

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"  # never the key

    def _request(self, call: Call[Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json", **call.headers}
        if call.write:
            headers["Idempotency-Key"] = uuid.uuid4().hex
        if self._assertion is not None and call.user_id is not None:
            headers["X-User-Assertion"] = self._assertion(call.user_id)
        prefix = "" if call.path in ("/readyz", "/healthz") else "/api/v1"
        request = {"method": call.method, "url": f"{self._base_url}{prefix}{call.path}", "headers": headers}
        return {**request, "params": dict(call.query) or None, "json": call.json}


class _Sends(Protocol):
    def send(self, call: Call[T]) -> T: ...


class _Awaits(Protocol):
    async def send(self, call: Call[T]) -> T: ...


def _blocking(build: Callable[P, Call[T]]) -> Callable[Concatenate[_Sends, P], T]:
    """The method that sends what `build` describes, with its signature and docstring."""

    @wraps(build)
    def method(self: _Sends, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.send(build(*args, **kwargs))

    return method


def _awaiting(build: Callable[P, Call[T]]) -> Callable[Concatenate[_Awaits, P], Awaitable[T]]:
    @wraps(build)
    async def method(self: _Awaits, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.send(build(*args, **kwargs))

    return method


class Client(_Base):
    """The blocking client. Use it as a context manager or call `close`; threads may share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: int = RETRIES,
        assertion: Assert | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, api_key, retries=retries, assertion=assertion)
        self._http = httpx.Client(timeout=timeout, transport=transport)

    recall = _blocking(calls.recall)
    save = _blocking(calls.save)
    list_memories = _blocking(calls.list_memories)
    get_memory = _blocking(calls.get_memory)
    update_memory = _blocking(calls.update_memory)
    delete_memory = _blocking(calls.delete_memory)
    report_turn = _blocking(calls.report_turn)
    add_session = _blocking(calls.add_session)
    add_entry = _blocking(calls.add_entry)
    search_entries = _blocking(calls.search_entries)
    delete_entries = _blocking(calls.delete_entries)
    delete_session = _blocking(calls.delete_session)
    delete_user = _blocking(calls.delete_user)
    consents = _blocking(calls.consents)
    set_consent = _blocking(calls.set_consent)
    import_memories = _blocking(calls.import_memories)
    store_batch = _blocking(calls.store_batch)
    capabilities = _blocking(calls.capabilities)
    healthy = _blocking(calls.healthy)
    put_context = _blocking(session_calls.put_context)
    get_context = _blocking(session_calls.get_context)
    delete_context = _blocking(session_calls.delete_context)
    prompt = _blocking(session_calls.prompt)
    refresh_prompt = _blocking(session_calls.refresh_prompt)
    tools = _blocking(session_calls.tools)
    call_tool = _blocking(session_calls.call_tool)
    resolve_speaker = _blocking(device_calls.resolve_speaker)
    a2a_context = _blocking(device_calls.a2a_context)
    a2a_update = _blocking(device_calls.a2a_update)
    pull_changes = _blocking(device_calls.pull_changes)
    push_writes = _blocking(device_calls.push_writes)
    register_workflow = _blocking(device_calls.register_workflow)
    authorize_workflow = _blocking(device_calls.authorize_workflow)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send one call, again while that is worth it. Raises Refusal or Unreachable."""
        request = self._request(call)
        for attempt in range(self._retries + 1):
            answer: httpx.Response | None = None
            try:
                answer = self._http.request(**request)
            except httpx.TransportError as error:
                if attempt == self._retries:
                    raise Unreachable(type(error).__name__) from error
            if answer is not None and not _worth_another(call, answer, attempt, self._retries):
                return _read(call, answer)
            time.sleep(_pause(attempt, answer))
        raise Unreachable("no retries left")


class AsyncClient(_Base):
    """The awaiting client. Use it as an async context manager or call `aclose`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        retries: int = RETRIES,
        assertion: Assert | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, api_key, retries=retries, assertion=assertion)
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    recall = _awaiting(calls.recall)
    save = _awaiting(calls.save)
    list_memories = _awaiting(calls.list_memories)
    get_memory = _awaiting(calls.get_memory)
    update_memory = _awaiting(calls.update_memory)
    delete_memory = _awaiting(calls.delete_memory)
    report_turn = _awaiting(calls.report_turn)
    add_session = _awaiting(calls.add_session)
    add_entry = _awaiting(calls.add_entry)
    search_entries = _awaiting(calls.search_entries)
    delete_entries = _awaiting(calls.delete_entries)
    delete_session = _awaiting(calls.delete_session)
    delete_user = _awaiting(calls.delete_user)
    consents = _awaiting(calls.consents)
    set_consent = _awaiting(calls.set_consent)
    import_memories = _awaiting(calls.import_memories)
    store_batch = _awaiting(calls.store_batch)
    capabilities = _awaiting(calls.capabilities)
    healthy = _awaiting(calls.healthy)
    put_context = _awaiting(session_calls.put_context)
    get_context = _awaiting(session_calls.get_context)
    delete_context = _awaiting(session_calls.delete_context)
    prompt = _awaiting(session_calls.prompt)
    refresh_prompt = _awaiting(session_calls.refresh_prompt)
    tools = _awaiting(session_calls.tools)
    call_tool = _awaiting(session_calls.call_tool)
    resolve_speaker = _awaiting(device_calls.resolve_speaker)
    a2a_context = _awaiting(device_calls.a2a_context)
    a2a_update = _awaiting(device_calls.a2a_update)
    pull_changes = _awaiting(device_calls.pull_changes)
    push_writes = _awaiting(device_calls.push_writes)
    register_workflow = _awaiting(device_calls.register_workflow)
    authorize_workflow = _awaiting(device_calls.authorize_workflow)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Send one call, again while that is worth it. Raises Refusal or Unreachable."""
        request = self._request(call)
        for attempt in range(self._retries + 1):
            answer: httpx.Response | None = None
            try:
                answer = await self._http.request(**request)
            except httpx.TransportError as error:
                if attempt == self._retries:
                    raise Unreachable(type(error).__name__) from error
            if answer is not None and not _worth_another(call, answer, attempt, self._retries):
                return _read(call, answer)
            await anyio.sleep(_pause(attempt, answer))
        raise Unreachable("no retries left")


def _worth_another(call: Call[Any], answer: httpx.Response, attempt: int, retries: int) -> bool:
    return answer.status_code in _AGAIN and answer.status_code not in call.accept and attempt < retries


def _pause(attempt: int, answer: httpx.Response | None) -> float:
    """Seconds: what the server asks for, else doubling from 0.1 with jitter."""
    asked = answer.headers.get("Retry-After", "") if answer is not None else ""
    if asked.isdecimal():
        return min(float(asked), _LONGEST_WAIT)
    return float(min(0.1 * 2**attempt, _LONGEST_WAIT)) * (0.5 + random.random() / 2)  # noqa: S311 - jitter, no secret


def _read(call: Call[T], answer: httpx.Response) -> T:
    if answer.is_success or answer.status_code in call.accept:
        return call.read(answer.json())
    raise refusal(answer.status_code, _problem(answer))


def _problem(answer: httpx.Response) -> Mapping[str, Any]:
    try:
        data = answer.json()
    except ValueError:  # not ours: a proxy's page
        data = None
    return data if isinstance(data, dict) else {}
