"""Embeddings from any service that speaks OpenAI's `/v1/embeddings`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from memoryapp.providers.base import (
    EmbedderDown,
    EmbedderRefused,
    Kind,
    Vectors,
    count_usage,
    somebody_waits,
    unit,
)
from memoryapp.providers.circuit import Circuit
from memoryapp.quiet_openai import openai, tokens

BATCH = 64
# A question waits for its vector in a chat, and who saves a fact waits too; then it goes on by keywords.
WAITED_SECONDS = 3.0
PASSAGE_SECONDS = 30.0
RETRIES = 2


class OpenAIEmbeddings:
    """Embedder for a remote model. `dims` 0 = not known yet: taken from the first answer.

    Where its vectors turn out to be of another width, the service is asked for `dims` dimensions from then on.
    """

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key: str,
        dims: int = 0,
        circuit: Circuit | None = None,
    ) -> None:
        self.name = model
        self.dims = dims
        self._shorten = False
        self._circuit = circuit or Circuit()
        # The SDK waits between tries, longer each time, and heeds Retry-After.
        self._client = openai.OpenAI(
            base_url=base_url or None, api_key=api_key or "none", max_retries=RETRIES, timeout=PASSAGE_SECONDS
        )

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See Embedder. A batch that is refused raises EmbedderRefused."""
        found = [self._batch(texts[i : i + BATCH], kind) for i in range(0, len(texts), BATCH)]
        return np.concatenate(found) if found else np.zeros((0, self.dims), np.float32)

    def _batch(self, texts: Sequence[str], kind: Kind) -> Vectors:
        with self._circuit.guard():
            vectors = _vectors(answer := self._ask(texts, kind))
            if not self._shorten and len(vectors) and self.dims not in (0, vectors.shape[1]):
                self._shorten = True
                vectors = _vectors(answer := self._ask(texts, kind))
            self._check(vectors, len(texts))
            count_usage(tokens(answer, "total_tokens"))
            return unit(vectors)

    def _ask(self, texts: Sequence[str], kind: Kind) -> Any:
        client = self._client
        if kind == "query" or somebody_waits():
            client = client.with_options(timeout=WAITED_SECONDS, max_retries=0)
        try:
            return client.embeddings.create(
                model=self.name,
                input=[_sendable(text) for text in texts],
                encoding_format="float",
                dimensions=self.dims if self._shorten else openai.omit,
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            raise EmbedderRefused(f"the provider refused the input: {error.status_code}") from None
        except openai.APIStatusError as error:
            raise EmbedderDown(f"the provider answered {error.status_code}") from None
        except openai.OpenAIError as error:  # its message may quote what was sent: only its kind is told
            raise EmbedderDown(f"no answer from the provider: {type(error).__name__}") from None
        except ValueError:
            raise EmbedderDown("the provider's answer is no JSON") from None

    def _check(self, vectors: Vectors, expected: int) -> None:
        if len(vectors) != expected:
            raise EmbedderDown("the provider gave another number of vectors than asked for")
        width = vectors.shape[1]
        if self.dims and width != self.dims:
            raise EmbedderDown(f"the provider gives {width} dimensions where {self.dims} are expected")
        self.dims = width


def _vectors(answer: Any) -> Vectors:
    """The rows of an answer by their index. The SDK checks no answer: it may be anything that is JSON."""
    try:
        rows = sorted(answer.data or [], key=lambda row: row.index)
        vectors = np.array([row.embedding for row in rows], np.float32)
    except (AttributeError, TypeError, ValueError):
        raise EmbedderDown("the provider's answer is no list of vectors") from None
    if rows and (vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all()):
        raise EmbedderDown("the provider's answer is no list of vectors")
    return vectors


def _sendable(text: str) -> str:
    """Such services refuse an empty text, and no JSON holds a lone surrogate."""
    return text.encode("utf-8", "replace").decode().strip() or "."
