"""An embedder for tests, run in worker processes: words hashed into a vector, and deaths on demand."""

from __future__ import annotations

import os
import signal
import zlib
from pathlib import Path

import numpy as np

DIMENSIONS = 64
SAME = {"feline": "cat", "kitten": "cat", "hound": "dog"}


def embed(texts: list[str]) -> bytes:
    """Texts with the same words are near; `SAME` words mean the same."""
    matrix = np.full((len(texts), DIMENSIONS), 1e-3, "<f4")
    for row, text in enumerate(texts):
        for word in text.lower().replace(".", " ").split():
            matrix[row, zlib.crc32(SAME.get(word, word).encode()) % DIMENSIONS] += 1
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix.tobytes()


def mortal(texts: list[str]) -> bytes:
    """Like `embed`, but kills its process while the file named by the environment is there."""
    if Path(os.environ["DOCSIDECAR_TEST_DEATH"]).exists():
        os.kill(os.getpid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    return embed(texts)
