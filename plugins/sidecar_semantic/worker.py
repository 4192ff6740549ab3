"""Runs the model; imported only in a worker process, which keeps the session until it retires."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

MAX_TOKENS = 128
"""Longer texts are cut: measured on both retrieval collections, 256 tokens cost twice the time and gain nothing."""
_BATCH_TOKENS = 2048
"""Tokens of a batch, padding included: larger batches are no faster on a CPU and only cost memory."""


@cache
def _model() -> tuple[Any, Any]:
    """The tokenizer and the ONNX session, loaded at the first call (0.2 s)."""
    import onnxruntime
    from tokenizers import Tokenizer

    folder = files("sidecar_semantic") / "model"
    tokenizer: Any = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    # One core stays free for the assistant and the indexer; spinning would burn the other while idle.
    options.intra_op_num_threads = max((os.cpu_count() or 2) // 2, 1)
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        (folder / "model.onnx").read_bytes(), options, providers=["CPUExecutionProvider"]
    )
    return tokenizer, session


def embed(texts: list[str]) -> bytes:
    """Embeddings of the texts: float32, little endian, shape `(len(texts), 384)`, rows of unit length.

    Texts of like length are run together, because a batch is padded to its longest.
    """
    tokenizer, session = _model()
    # Nothing after the first 128 tokens is seen; cutting characters first spares tokenizing whole chapters.
    encoded = [item.ids for item in tokenizer.encode_batch([text[: MAX_TOKENS * 12] for text in texts])]
    result = np.zeros((len(texts), 384), np.float32)
    order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end + 1 - start) * len(encoded[order[end]]) <= _BATCH_TOKENS:
            end += 1
        rows = order[start:end]
        length = max(len(encoded[rows[-1]]), 1)
        ids = np.zeros((len(rows), length), np.int32)
        mask = np.zeros((len(rows), length), np.int32)
        for row, index in enumerate(rows):
            ids[row, : len(encoded[index])] = encoded[index]
            mask[row, : len(encoded[index])] = 1
        result[rows] = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        start = end
    return result.astype("<f4", copy=False).tobytes()
