"""What an embedding provider is, how it fails, and how its use is counted."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Kind = Literal["query", "passage"]
Vectors: TypeAlias = NDArray[np.float32]


class EmbedderDown(Exception):
    """The embedding provider cannot answer now. The message never holds what was to be embedded."""


class EmbedderRefused(EmbedderDown):
    """The embedding provider answered, and refused this input; the next input may well succeed."""


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `embed` gives float32 of shape (len(texts), dims), each row of length 1, in the order of `texts`.
    It raises EmbedderDown and nothing else, may be called from several threads, and takes any `str`.
    """

    @property
    def name(self) -> str: ...

    @property
    def dims(self) -> int: ...

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors: ...


_somebody_waits: ContextVar[bool] = ContextVar("somebody_waits", default=False)


@contextmanager
def waited_for() -> Iterator[None]:
    """Inside the block somebody waits for the answer: a remote provider tries once, for a few seconds."""
    token = _somebody_waits.set(True)
    try:
        yield
    finally:
        _somebody_waits.reset(token)


def somebody_waits() -> bool:
    """Asked by an adapter before it calls a provider that may be slow."""
    return _somebody_waits.get()


@dataclass
class Usage:
    """Requests made and tokens read by embedders inside one `metered()` block."""

    requests: int = 0
    tokens: int = 0


_usage: ContextVar[Usage | None] = ContextVar("embedding_usage", default=None)


@contextmanager
def metered() -> Iterator[Usage]:
    """Count what the embedders called inside the block use, in this thread or task only."""
    usage = Usage()
    token = _usage.set(usage)
    try:
        yield usage
    finally:
        _usage.reset(token)


def count_usage(tokens: int) -> None:
    """Called by an adapter once per request it has made."""
    usage = _usage.get()
    if usage is not None:
        usage.requests += 1
        usage.tokens += tokens


def unit(vectors: Vectors) -> Vectors:
    """The rows scaled to length 1; raises EmbedderDown for a row that has no direction."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
        raise EmbedderDown("the provider gave a vector without a direction")
    return np.ascontiguousarray(vectors / lengths, dtype=np.float32)
