"""What the service answers, typed. A field that a newer server adds is ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, TypeVar

from memoryapp import rfc3339

T = TypeVar("T")
_TIMES = frozenset(
    [
        "valid_from",
        "valid_to",
        "occurred_at",
        "created_at",
        "updated_at",
        "timestamp",
        "query_time",
        "since",
        "expires_at",
        "erased_at",
    ]
)


def read(kind: type[T], data: Mapping[str, Any], **ready: Any) -> T:
    """Make a result from JSON; `ready` holds fields that were already converted."""
    known = {item.name for item in fields(kind)} - set(ready)  # type: ignore[arg-type]
    values = {
        name: _time(value) if name in _TIMES else value for name, value in data.items() if name in known
    }
    return kind(**values, **ready)


def _time(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None


@dataclass(frozen=True, kw_only=True)
class RecalledMemory:
    """One memory that helps with the question. `score` is in [0, 1]."""

    memory_id: str
    memory_type: str
    fact: str
    score: float
    scope: str
    temporal_relevance: str
    source_event_ids: list[str] = field(default_factory=list)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confidence: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """An answer to a recall. `context` is ready to inject, "" when there is nothing."""

    memories: list[RecalledMemory] = field(default_factory=list)
    context: str = ""
    injection_mode: str = "userContext"
    tokens: int = 0
    query_time: datetime | None = None
    safety: str = ""
    snapshot_id: str | None = None
    below_threshold: int = 0
    degraded: bool = False
    reason: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Recalled":
        return read(cls, data, memories=[read(RecalledMemory, item) for item in data["memories"]])


@dataclass(frozen=True, kw_only=True)
class Memory:
    """A memory as its owner may see it; guarded text is masked in lists."""

    memory_id: str
    version: int
    memory_type: str
    statement: str
    status: str
    scope: str
    sensitivity: str
    confidence: float
    index_state: str
    memory_subtype: str = ""
    normalized_fact: str = ""
    raw_content: str = ""
    keywords: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)
    project_id: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    occurred_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    sources: dict[str, list[str]] = field(default_factory=dict)
    supersedes: str | None = None
    superseded_by: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Memory":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class Saved:
    """What became of a fact: the memory it is now in, by which operation, and which memories that touched."""

    memory: Memory
    operation: str
    affected: list[str] = field(default_factory=list)
    reason: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Saved":
        return read(cls, data, memory=Memory.from_json(data["memory"]))


@dataclass(frozen=True, kw_only=True)
class MemoryPage:
    """One page of memories; `next` is the cursor of the page after it."""

    items: list[Memory]
    next: str | None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MemoryPage":
        return cls(items=[Memory.from_json(item) for item in data["items"]], next=data["next"])


@dataclass(frozen=True, kw_only=True)
class TurnReceipt:
    """What became of a reported turn. Without consent nothing is stored, and `reason` says so."""

    turn_id: str
    stored: bool
    extraction: str
    reason: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "TurnReceipt":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry to be stored as it is. The same `event_id` is stored once."""

    content: str
    author: str
    timestamp: datetime  # aware
    event_id: str | None = None
    metadata: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "content": self.content,
            "author": self.author,
            "timestamp": rfc3339.tell(self.timestamp),
        }
        if self.event_id is not None:
            data["event_id"] = self.event_id
        if self.metadata:
            data["metadata"] = dict(self.metadata)
        return data


@dataclass(frozen=True, kw_only=True)
class StoredEntry:
    """What became of one entry: "forgotten" means that it was deleted before and is not learnt again."""

    entry_id: str | None
    result: Literal["stored", "duplicate", "forgotten"]
    event_id: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "StoredEntry":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class FoundEntry:
    """An entry that matches a question."""

    entry_id: str
    content: str
    author: str
    timestamp: datetime
    score: float
    session_id: str | None = None
    project_id: str | None = None
    event_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FoundEntries:
    """The entries that match, best first. Empty with a `reason` when the person has not agreed."""

    entries: list[FoundEntry] = field(default_factory=list)
    degraded: bool = False
    reason: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FoundEntries":
        return read(cls, data, entries=[read(FoundEntry, item) for item in data["entries"]])


@dataclass(frozen=True, kw_only=True)
class Deleted:
    """How many were deleted, and which. A dry run deletes 0 and names those it would."""

    deleted: int
    ids: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Deleted":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class Consent:
    """How one domain stands for one person."""

    domain: str
    granted: bool
    since: datetime | None = None
    expires_at: datetime | None = None
    notice_version: int | None = None
    source: str | None = None
    receipt_id: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Consent":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class ErasureCertificate:
    """Proof that a person was erased."""

    erased_at: datetime
    counts: dict[str, int]
    key_destroyed: bool
    certificate_id: str | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ErasureCertificate":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What this key's service can do."""

    service: str | None
    memory_enabled: bool
    permissions: list[str]
    project_scoping: bool
    revision: int | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Capabilities":
        return read(cls, data)


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What became of each line of an import. Candidates wait for the person's approval; `more`: send it again."""

    read: int
    candidates: int
    duplicates: int
    restored: int = 0
    skipped: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    more: bool = False
    ids: list[str] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ImportReport":
        return read(cls, data)
