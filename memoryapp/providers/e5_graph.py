"""Builds the ONNX graph of multilingual-e5-small from its 4-bit weights, once, into a cache folder."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.providers.e5_weights import WEIGHTS_SHA256, Weights, dequantise

# Part of the file's name: raise it when the graph built here changes.
_VERSION = 1
_MICROSOFT = "com.microsoft"
# 8 bits in blocks of 128 hold the 4-bit weights to a cosine of 0.9996 and run 1.4 times as fast as 4 bits in
# blocks of 32 (6.0 against 9.1 ms a question). Dynamic int8 would take 2.5 ms, at a cosine of 0.99.
_BLOCK = 128


def graph_path(cache: Path) -> Path:
    """Where the graph of these weights is kept below the cache folder."""
    return cache / f"e5-small-{WEIGHTS_SHA256[:8]}-v{_VERSION}.onnx"


def build(weights: Weights, target: Path) -> None:
    """Write the graph (22 MB). Processes may do so at once: each writes aside, the last rename wins."""
    target.parent.mkdir(parents=True, exist_ok=True)
    model = _Graph(weights).model()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(model)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink()
        raise


class _Graph:
    """Collects nodes and constants. Inputs: `words`, `places` (embeddings), `present` (1 or 0)."""

    def __init__(self, weights: Weights) -> None:
        # onnx takes 0.3 s and 60 MB to import and is needed in the one process that builds.
        from onnx import helper, numpy_helper

        self._helper = helper
        self._numpy = numpy_helper
        self._weights = weights
        self._shape = weights.shape
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        self._constants.append(self._numpy.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(
        self, operator: str, *inputs: str, domain: str = "", output: str = "", **attributes: Any
    ) -> str:
        result = output or f"t{len(self._nodes)}"
        self._nodes.append(
            self._helper.make_node(operator, inputs, [result], domain=domain, name=f"n{result}", **attributes)
        )
        return result

    def _normalise(self, x: str, name: str) -> str:
        weight = self._constant(f"{name}.w", self._weights.floats(f"{name}.w"))
        bias = self._constant(f"{name}.b", self._weights.floats(f"{name}.b"))
        return self._node("LayerNormalization", x, weight, bias, axis=-1, epsilon=self._shape.epsilon)

    def _linear(self, x: str, name: str, width_in: int, width_out: int) -> str:
        scales, values = _requantise(dequantise(self._weights.blocks(f"{name}.w", width_in)))
        product = self._node(
            "MatMulNBits",
            x,
            self._constant(f"{name}.q", values),
            self._constant(f"{name}.s", scales),
            domain=_MICROSOFT,
            K=width_in,
            N=width_out,
            bits=8,
            block_size=_BLOCK,
            accuracy_level=4,
        )
        return self._node("Add", product, self._constant(f"{name}.b", self._weights.floats(f"{name}.b")))

    def _attention(self, x: str, layer: str) -> str:
        hidden = self._shape.hidden
        q, k, v = (self._linear(x, f"{layer}.{part}", hidden, hidden) for part in "qkv")
        mixed = self._node(
            "MultiHeadAttention",
            q,
            k,
            v,
            "",
            "present",
            domain=_MICROSOFT,
            num_heads=self._shape.heads,
        )
        return self._linear(mixed, f"{layer}.ao", hidden, hidden)

    def _layer(self, x: str, layer: str) -> str:
        hidden, wide = self._shape.hidden, self._shape.feed_forward
        x = self._normalise(self._node("Add", x, self._attention(x, layer)), f"{layer}.aln")
        inner = self._node("Gelu", self._linear(x, f"{layer}.fi", hidden, wide), domain=_MICROSOFT)
        return self._normalise(
            self._node("Add", x, self._linear(inner, f"{layer}.fo", wide, hidden)), f"{layer}.oln"
        )

    def _mean(self, x: str) -> None:
        from onnx import TensorProto

        axis = self._constant("tokens_axis", np.array([1], np.int64))
        last = self._constant("last_axis", np.array([2], np.int64))
        present = self._node("Cast", "present", to=TensorProto.FLOAT)
        mask = self._node("Unsqueeze", present, last)
        total = self._node("ReduceSum", self._node("Mul", x, mask), axis, keepdims=0)
        count = self._node("ReduceSum", mask, axis, keepdims=0)
        self._node("Div", total, count, output="sentence")

    def model(self) -> bytes:
        """The serialised graph."""
        from onnx import TensorProto

        x = self._normalise(self._node("Add", "words", "places"), "emb.ln")
        for layer in range(self._shape.layers):
            x = self._layer(x, f"l{layer}")
        self._mean(x)
        hidden = self._shape.hidden
        value = self._helper.make_tensor_value_info
        graph = self._helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [
                value("words", TensorProto.FLOAT, ["texts", "tokens", hidden]),
                value("places", TensorProto.FLOAT, [1, "tokens", hidden]),
                value("present", TensorProto.INT32, ["texts", "tokens"]),
            ],
            [value("sentence", TensorProto.FLOAT, ["texts", hidden])],
            self._constants,
        )
        opsets = [self._helper.make_opsetid("", 17), self._helper.make_opsetid(_MICROSOFT, 1)]
        model = self._helper.make_model(graph, opset_imports=opsets)
        # Understood by every onnxruntime since 1.16.
        model.ir_version = 9
        return bytes(model.SerializeToString())


def _requantise(weights: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Scales (flat) and values (rows, blocks, 128) in 8 bits around 128, as MatMulNBits takes them."""
    blocks = weights.reshape(weights.shape[0], -1, _BLOCK)
    scales = np.maximum(np.abs(blocks).max(axis=-1, keepdims=True), 1e-12) / 127
    values = (np.rint(blocks / scales) + 128).astype(np.uint8)
    return scales.astype(np.float32).reshape(-1), values
