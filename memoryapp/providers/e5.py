"""The built-in embedder: multilingual-e5-small in 4 bits on onnxruntime, with nothing fetched at run time."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.providers.base import EmbedderDown, Kind, Vectors, count_usage, unit
from memoryapp.providers.e5_graph import build, graph_path
from memoryapp.providers.e5_tokenizer import Tokenizer
from memoryapp.providers.e5_weights import Weights, dequantise, verify, weights_path

DIMS = 384
# Memory of one run grows with its padded tokens: 2,048 keep it below 100 MB.
_TOKENS_PER_RUN = 2048
# Recent questions whose vectors are kept (1.5 kB each).
_QUESTIONS = 1024


class E5:
    """Embedder for multilingual-e5-small. Loaded at the first use (0.5 s); one instance serves all."""

    name = "multilingual-e5-small"
    dims = DIMS

    def __init__(self, *, cache: Path, threads: int = 1) -> None:
        self._cache = cache
        self._threads = threads
        self._lock = threading.Lock()
        self._engine: _Engine | None = None
        self._questions: OrderedDict[bytes, Vectors] = OrderedDict()

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Vectors:
        """See Embedder. What lies beyond 512 tokens of a text is left out."""
        if kind == "query" and len(texts) == 1:
            return self._remembered(texts[0])
        return self._embed(texts, kind)

    def _remembered(self, question: str) -> Vectors:
        """A question is often asked again at once: by the next agent node, or with other options."""
        # The digest, so that no question outlives its request in memory.
        key = hashlib.blake2b(question.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            known = self._questions.pop(key, None)
        vectors = self._embed([question], "query") if known is None else known
        with self._lock:
            self._questions[key] = vectors
            if len(self._questions) > _QUESTIONS:
                self._questions.popitem(last=False)
        return vectors.copy()

    def _embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        engine = self._loaded()
        rows = [engine.tokenizer.encode(f"{kind}: {text}") for text in texts]
        vectors = np.zeros((len(rows), DIMS), np.float32)
        for batch in _batches(rows):
            vectors[batch] = engine.run([rows[i] for i in batch])
        count_usage(sum(map(len, rows)))
        return unit(vectors) if rows else vectors

    def _loaded(self) -> "_Engine":
        if self._engine is None:
            with self._lock:
                if self._engine is None:
                    self._engine = _Engine(self._cache, self._threads)
        return self._engine


def _batches(rows: list[list[int]]) -> Iterator[list[int]]:
    """Positions of `rows` in groups of like length, so that little is padded."""
    batch: list[int] = []
    for i in sorted(range(len(rows)), key=lambda i: len(rows[i])):
        if batch and len(rows[i]) * (len(batch) + 1) > _TOKENS_PER_RUN:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


class _Engine:
    """The loaded model: tokenizer, word table, session. Immutable after construction."""

    def __init__(self, cache: Path, threads: int) -> None:
        path = weights_path()
        weights = Weights(path)
        pieces = weights.pieces()
        self._pad = pieces.pad
        self.tokenizer = Tokenizer(pieces, weights.shape.positions)
        self._words = weights.blocks("emb.word", DIMS)
        types = weights.floats("emb.type").reshape(-1, DIMS)
        self._places = weights.floats("emb.pos").reshape(-1, DIMS) + types[0]
        self._session = _session(weights, path, graph_path(cache), threads)

    def run(self, rows: list[list[int]]) -> Vectors:
        """Mean token vectors of one batch, not yet of length 1."""
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._pad, np.int64)
        present = np.zeros((len(rows), longest), np.int32)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            present[i, : len(row)] = 1
        distinct, where = np.unique(ids, return_inverse=True)
        words = dequantise(self._words[distinct])[where.reshape(-1)].reshape(*ids.shape, DIMS)
        inputs = {"words": words, "places": self._places[None, :longest], "present": present}
        sentence: NDArray[np.float32] = self._session.run(None, inputs)[0]
        return sentence


def _session(weights: Weights, source: Path, graph: Path, threads: int) -> Any:
    # From 1.29 on, importing it makes an id for this machine and reports its use to Microsoft, unless told not to before.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Warnings name nodes only, but a library does not write to our log.
    options.log_severity_level = 3

    def load() -> Any:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])

    try:
        if graph.is_file():
            return load()
    except Exception:  # noqa: BLE001 - onnxruntime's errors share no base; an unreadable file is built anew
        graph.unlink(missing_ok=True)
    try:
        verify(source)
        build(weights, graph)
        return load()
    except OSError as error:
        raise EmbedderDown(f"the model's cache folder cannot be written: {error.strerror}") from None
