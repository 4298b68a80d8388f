"""Each endpoint as data: what to send, and how to read the answer. `http.py` sends it, blocking or awaiting.

Arguments that are None are left out, so that the revision's settings apply.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from memoryapp.client import shapes
from memoryapp.client.call import Call, delete, given, iso, listed, part, read, write
from memoryapp.client.shapes import Entry


def recall(
    user_id: str,
    query: str,
    *,
    execution_id: str | None = None,
    project_id: str | None = None,
    scopes: Sequence[str] | None = None,
    top_k: int | None = None,
    threshold: float | None = None,
    max_tokens: int | None = None,
    as_of: datetime | date | None = None,
    include_history: bool | None = None,
    speaker: Mapping[str, Any] | None = None,
) -> Call[shapes.Recalled]:
    """Ask for memories that help with a question. The same `execution_id` gets the same snapshot again."""
    body = given(
        user_id=user_id,
        query=query,
        execution_id=execution_id,
        project_id=project_id,
        scopes=list(scopes) if scopes is not None else None,
        top_k=top_k,
        threshold=threshold,
        max_tokens=max_tokens,
        as_of=iso(as_of),
        include_history=include_history,
        speaker=speaker,
    )
    return Call(method="POST", path="/recall", json=body, read=shapes.Recalled.from_json, user_id=user_id)


def save(
    user_id: str,
    fact: str,
    *,
    memory_type: str | None = None,
    scope: str | None = None,
    project_id: str | None = None,
    sensitivity: str | None = None,
    keywords: Sequence[str] | None = None,
    occurred_at: datetime | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    source_event_ids: Sequence[str] | None = None,
    confidence: float | None = None,
) -> Call[shapes.Saved]:
    """Save one fact at once. Raises ConsentRequired."""
    body = given(
        user_id=user_id,
        fact=fact,
        memory_type=memory_type,
        scope=scope,
        project_id=project_id,
        sensitivity=sensitivity,
        keywords=listed(keywords),
        occurred_at=iso(occurred_at),
        valid_from=iso(valid_from),
        valid_to=iso(valid_to),
        source_event_ids=listed(source_event_ids),
        confidence=confidence,
    )
    return write("POST", "/memories", body, shapes.Saved.from_json)


def list_memories(
    user_id: str,
    *,
    scope: str | None = None,
    project_id: str | None = None,
    memory_type: str | None = None,
    validity: str | None = None,
    status: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
) -> Call[shapes.MemoryPage]:
    """One page of what is remembered, newest first."""
    asked = given(
        user_id=user_id,
        scope=scope,
        project_id=project_id,
        type=memory_type,
        validity=validity,
        status=status,
        cursor=cursor,
        limit=limit,
    )
    return read("/memories", shapes.MemoryPage.from_json, asked)


def get_memory(user_id: str, memory_id: str) -> Call[shapes.Memory]:
    """One memory, unmasked. Raises NotFound."""
    return read(f"/memories/{part(memory_id)}", shapes.Memory.from_json, {"user_id": user_id})


def update_memory(
    user_id: str, memory_id: str, *, version: int | None = None, **changes: Any
) -> Call[shapes.Memory]:
    """Correct a memory; `version` guards against overwriting somebody else's correction."""
    headers = {"If-Match": f'"{version}"'} if version is not None else {}
    body = {"user_id": user_id, **changes}
    return write("PATCH", f"/memories/{part(memory_id)}", body, shapes.Memory.from_json, headers=headers)


def delete_memory(user_id: str, memory_id: str) -> Call[shapes.Deleted]:
    """Delete one memory. Raises NotFound."""
    return delete(f"/memories/{part(memory_id)}", shapes.Deleted.from_json, user_id)


def report_turn(
    user_id: str,
    session_id: str,
    turn_id: str,
    user_text: str,
    assistant_text: str = "",
    *,
    occurred_at: datetime | None = None,
    project_id: str | None = None,
    speaker: Mapping[str, Any] | None = None,
    no_write: bool | None = None,
) -> Call[shapes.TurnReceipt]:
    """Report one exchange; the service decides what is worth keeping. The same `turn_id` is kept once."""
    body = given(
        user_id=user_id,
        session_id=session_id,
        turn_id=turn_id,
        user_text=user_text,
        assistant_text=assistant_text,
        occurred_at=iso(occurred_at),
        project_id=project_id,
        speaker=speaker,
        incognito={"no_write": no_write} if no_write is not None else None,
    )
    return write("POST", "/turns", body, shapes.TurnReceipt.from_json)


def add_session(
    user_id: str, session_id: str, entries: Sequence[Entry], *, project_id: str | None = None
) -> Call[list[shapes.StoredEntry]]:
    """Store the entries of a session verbatim; they can be found at once. Raises ConsentRequired."""
    body = given(user_id=user_id, project_id=project_id, entries=[entry.as_json() for entry in entries])
    return write("POST", f"/sessions/{part(session_id)}/entries", body, _stored)


def add_entry(user_id: str, entry: Entry, *, project_id: str | None = None) -> Call[shapes.StoredEntry]:
    """Store one entry that belongs to no session."""
    body = given(user_id=user_id, project_id=project_id, entry=entry.as_json())
    return write("POST", "/entries", body, shapes.StoredEntry.from_json)


def search_entries(
    user_id: str,
    query: str,
    *,
    top_k: int | None = None,
    threshold: float | None = None,
    project_id: str | None = None,
) -> Call[shapes.FoundEntries]:
    """Find entries: global ones, and with a project that project's too."""
    body = given(user_id=user_id, query=query, top_k=top_k, threshold=threshold, project_id=project_id)
    return Call(
        method="POST", path="/entries/search", json=body, read=shapes.FoundEntries.from_json, user_id=user_id
    )


def delete_entries(
    user_id: str, query: str, *, project_id: str | None = None, dry_run: bool = False
) -> Call[shapes.Deleted]:
    """Delete the entries with every word of the query, in exactly this project (None: global ones)."""
    body = given(user_id=user_id, query=query, project_id=project_id, dry_run=dry_run)
    return write("POST", "/entries/delete", body, shapes.Deleted.from_json)


def delete_session(user_id: str, session_id: str) -> Call[shapes.Deleted]:
    """Delete every entry and turn of one session."""
    return delete(f"/sessions/{part(session_id)}", shapes.Deleted.from_json, user_id)


def delete_user(user_id: str) -> Call[shapes.ErasureCertificate]:
    """Erase a person for good, in all services and projects."""
    path = f"/users/{part(user_id)}"
    return Call(
        method="DELETE", path=path, read=shapes.ErasureCertificate.from_json, write=True, user_id=user_id
    )


def consents(user_id: str) -> Call[list[shapes.Consent]]:
    """What a person has agreed to."""
    return read("/consents", _consents, {"user_id": user_id})


def set_consent(
    user_id: str,
    domain: str,
    granted: bool,
    *,
    evidence: Mapping[str, Any] | None = None,
    expires_at: datetime | None = None,
    notice_version: int | None = None,
) -> Call[shapes.Consent]:
    """Record a person's decision, for a service that shows the notice itself (permission `consents`).

    With the `notice_version` it showed, a yes to a text that was replaced meanwhile is a conflict.
    """
    body = given(
        user_id=user_id,
        granted=granted,
        evidence=evidence,
        expires_at=iso(expires_at),
        notice_version=notice_version,
    )
    return write("PUT", f"/consents/{part(domain)}", body, shapes.Consent.from_json)


def import_memories(
    user_id: str,
    text: str,
    *,
    source: str,
    project_id: str | None = None,
) -> Call[shapes.ImportReport]:
    """Bring in another assistant's memories as candidates, or our own export (jsonl) as it was kept.

    `source`: mem0, chatgpt, claude or jsonl.
    """
    body = given(user_id=user_id, text=text, source=source, project_id=project_id)
    return write("POST", "/import", body, shapes.ImportReport.from_json)


def store_batch(
    user_id: str, operations: Sequence[Mapping[str, Any]], *, project_id: str | None = None
) -> Call[list[Any]]:
    """Do several operations of a key-value store in one go; see `memoryapp.client.langgraph`."""
    body = given(user_id=user_id, project_id=project_id, operations=list(operations))
    return write("POST", "/store/batch", body, _results)


def capabilities() -> Call[shapes.Capabilities]:
    """What this key's service can do."""
    return read("/capabilities", shapes.Capabilities.from_json, {})


def healthy() -> Call[bool]:
    """Whether the service answers and its database works."""
    return Call(
        method="GET", path="/readyz", read=lambda data: bool(data["database"]["ok"]), accept=frozenset({503})
    )


def _stored(data: Mapping[str, Any]) -> list[shapes.StoredEntry]:
    return [shapes.StoredEntry.from_json(item) for item in data["entries"]]


def _consents(data: Mapping[str, Any]) -> list[shapes.Consent]:
    return [shapes.Consent.from_json(item) for item in data["items"]]


def _results(data: Mapping[str, Any]) -> list[Any]:
    return list(data["results"])
