"""The all-MiniLM-L6-v2 encoder as an ONNX graph, written by hand from its published weights.

BERT (Devlin et al., 2019) with 6 layers, hidden size 384, 12 heads; mean pooling over the attention mask and L2
normalisation follow (Reimers & Gurevych, 2019, and the model's own `1_Pooling` and `2_Normalize`). ONNX Runtime's fused
embedding, attention and GELU of the `com.microsoft` domain are used directly: their int8 forms run twice as fast as the
plain graph's. Layer normalisation (Ba, Kiros & Hinton, 2016) is written out, because the fused one is a scalar loop on
CPUs: element-wise it takes a third of the time, which is a fifth of all. There is no attention mask: texts of one call
are of one length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS = 6
HEADS = 12
HIDDEN = 384
EPSILON = 1e-12

Array = np.ndarray[Any, np.dtype[Any]]


class _Graph:
    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, array: Array) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name: str, *, transpose: bool = False) -> str:
        array = self.weights[name]
        return self.constant(name, array.T if transpose else array)

    def node(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def fused(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        return self.node(kind, inputs, output, domain="com.microsoft", **attributes)


def build(weights: Mapping[str, Array]) -> onnx.ModelProto:
    """The fp32 graph: `input_ids` int32 (batch, length), nothing padded → `embedding` float32 (batch, 384)."""
    graph = _Graph(weights)
    graph.constant("epsilon", np.array(EPSILON, np.float32))
    embeddings = "embeddings"
    graph.nodes.append(
        helper.make_node(
            "EmbedLayerNormalization",
            [
                "input_ids",
                "",
                graph.weight(f"{embeddings}.word_embeddings.weight"),
                graph.weight(f"{embeddings}.position_embeddings.weight"),
                # Sentences are single segments: segment 0 is folded into the positions' bias below.
                "",
                graph.weight(f"{embeddings}.LayerNorm.weight"),
                graph.weight(f"{embeddings}.LayerNorm.bias"),
            ],
            ["hidden_0", "no_mask"],
            name="embed",
            domain="com.microsoft",
            epsilon=EPSILON,
        )
    )
    hidden = "hidden_0"
    for layer in range(LAYERS):
        hidden = _layer(graph, layer, hidden)
    graph.node("ReduceMean", [hidden], "mean", axes=[1], keepdims=0)
    graph.node("LpNormalization", ["mean"], "embedding", axis=1, p=2)
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["batch", "length"])],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", HIDDEN])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        producer_name="docsidecar",
    )
    model.ir_version = 8
    return model


def fold_segment(weights: dict[str, Array]) -> None:
    """Add the embedding of segment 0 to every position: there is only one segment, so the lookup can go."""
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    name = "embeddings.position_embeddings.weight"
    weights[name] = weights[name] + segment


def _layer(graph: _Graph, layer: int, hidden: str) -> str:
    prefix = f"encoder.layer.{layer}"
    attention = f"{prefix}.attention"
    kernels = [graph.weights[f"{attention}.self.{kind}.weight"].T for kind in ("query", "key", "value")]
    biases = [graph.weights[f"{attention}.self.{kind}.bias"] for kind in ("query", "key", "value")]
    attended = graph.fused(
        "Attention",
        [
            hidden,
            graph.constant(f"{attention}.qkv.weight", np.concatenate(kernels, axis=1)),
            graph.constant(f"{attention}.qkv.bias", np.concatenate(biases)),
        ],
        f"attended_{layer}",
        num_heads=HEADS,
    )
    projected = _dense(graph, attended, f"{attention}.output.dense", f"projected_{layer}")
    middle = _add_and_normalise(graph, projected, hidden, f"{attention}.output.LayerNorm", f"middle_{layer}")
    wide = _dense(graph, middle, f"{prefix}.intermediate.dense", f"wide_{layer}")
    active = graph.fused("Gelu", [wide], f"active_{layer}")
    narrow = _dense(graph, active, f"{prefix}.output.dense", f"narrow_{layer}")
    return _add_and_normalise(graph, narrow, middle, f"{prefix}.output.LayerNorm", f"hidden_{layer + 1}")


def _dense(graph: _Graph, inputs: str, name: str, output: str) -> str:
    """Weights and bias of layer `name`; quantised, ONNX Runtime makes one operator of both."""
    graph.node("MatMul", [inputs, graph.weight(f"{name}.weight", transpose=True)], f"{output}_product")
    return graph.node("Add", [f"{output}_product", graph.weight(f"{name}.bias")], output)


def _add_and_normalise(graph: _Graph, inputs: str, residual: str, name: str, output: str) -> str:
    """LayerNorm(inputs + residual). The variance is bounded below rather than added to, or ONNX Runtime would see the
    pattern and put its own operator in place of it."""
    total = graph.node("Add", [inputs, residual], f"{output}_sum")
    mean = graph.node("ReduceMean", [total], f"{output}_mean", axes=[-1], keepdims=1)
    centred = graph.node("Sub", [total, mean], f"{output}_centred")
    squares = graph.node("Mul", [centred, centred], f"{output}_squares")
    variance = graph.node("ReduceMean", [squares], f"{output}_variance", axes=[-1], keepdims=1)
    bounded = graph.node("Max", [variance, "epsilon"], f"{output}_bounded")
    deviation = graph.node("Sqrt", [bounded], f"{output}_deviation")
    unit = graph.node("Div", [centred, deviation], f"{output}_unit")
    scaled = graph.node("Mul", [unit, graph.weight(f"{name}.weight")], f"{output}_scaled")
    return graph.node("Add", [scaled, graph.weight(f"{name}.bias")], output)
