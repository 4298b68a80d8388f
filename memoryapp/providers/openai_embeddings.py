"""Embeddings from any service that speaks OpenAI's `/v1/embeddings`."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from memoryapp import in_time
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
PASSAGE_SECONDS = 30.0  # with all tries
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
        self._base_url, self._api_key = base_url or None, api_key or "none"
        self._connected: tuple[int, openai.AsyncOpenAI] | None = None

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
        waited = kind == "query" or somebody_waits()
        seconds, retries = (WAITED_SECONDS, 0) if waited else (PASSAGE_SECONDS, RETRIES)
        # The SDK waits between tries, longer each time, and heeds Retry-After.
        client = self._client().with_options(timeout=seconds, max_retries=retries)
        try:
            return in_time.run(seconds, self._answered(client, texts))
        except TimeoutError:
            raise EmbedderDown("no answer from the provider in time") from None
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            raise EmbedderRefused(f"the provider refused the input: {error.status_code}") from None
        except openai.APIStatusError as error:
            raise EmbedderDown(f"the provider answered {error.status_code}") from None
        except openai.OpenAIError as error:  # its message may quote what was sent: only its kind is told
            raise EmbedderDown(f"no answer from the provider: {type(error).__name__}") from None
        except ValueError:
            raise EmbedderDown("the provider's answer is no JSON") from None

    async def _answered(self, client: openai.AsyncOpenAI, texts: Sequence[str]) -> Any:
        return await client.embeddings.create(
            model=self.name,
            input=[_sendable(text) for text in texts],
            encoding_format="float",
            dimensions=self.dims if self._shorten else openai.omit,
        )

    def _client(self) -> openai.AsyncOpenAI:
        """One for each process, whose loop keeps its connections."""
        if self._connected is None or self._connected[0] != os.getpid():
            client = openai.AsyncOpenAI(base_url=self._base_url, api_key=self._api_key)
            self._connected = os.getpid(), client
        return self._connected[1]

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
