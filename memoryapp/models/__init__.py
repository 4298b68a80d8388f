"""The canonical store, by subject."""

from memoryapp.models.index import EmbeddingSpace, IndexEntry, IndexState, SpaceState, Vector
from memoryapp.models.keys import PersonKey, VaultSeal
from memoryapp.models.memories import (
    GUARDED,
    Forgotten,
    Memory,
    MemoryHistory,
    MemoryType,
    Origin,
    Scope,
    Sensitivity,
    Status,
)
from memoryapp.models.records import CostEntry, Erasure, IdempotentAnswer, Recall
from memoryapp.models.services import (
    AssertionKey,
    ChatService,
    CostBearer,
    ExtractorKind,
    InjectionMode,
    RevisionState,
    ServiceKey,
    ServiceMember,
    ServiceRevision,
    SystemSettings,
)
from memoryapp.models.turns import Extraction, NightlyRun, Turn, TurnState

__all__ = [
    "GUARDED",
    "AssertionKey",
    "ChatService",
    "CostBearer",
    "CostEntry",
    "EmbeddingSpace",
    "Erasure",
    "Extraction",
    "ExtractorKind",
    "Forgotten",
    "IdempotentAnswer",
    "IndexEntry",
    "IndexState",
    "InjectionMode",
    "Memory",
    "MemoryHistory",
    "MemoryType",
    "NightlyRun",
    "Origin",
    "PersonKey",
    "Recall",
    "RevisionState",
    "Scope",
    "Sensitivity",
    "ServiceKey",
    "ServiceMember",
    "ServiceRevision",
    "SpaceState",
    "Status",
    "SystemSettings",
    "Turn",
    "TurnState",
    "Vector",
    "VaultSeal",
]
