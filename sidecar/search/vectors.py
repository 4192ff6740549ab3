"""Vectors in a worker process: packs embeddings to int8 and finds the nearest to a query. Imported only there.

A vector is stored as a float32 scale and int8 values: 388 bytes for 384 dimensions, which keeps 99.5 % of the ten
nearest. The nearest are found in two steps: Hamming distance between sign bits chooses candidates (48 bytes a vector,
Charikar 2002), exact products order them. That takes less time than full products, and a third of float32's memory."""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sidecar.store.index.embeddings import VectorReader
from sidecar.toolkit.platform import system

Kind = Literal["passage", "element"]

EXACT_ROWS = 8000
"""Up to this many vectors every product is computed: it takes a millisecond."""
CANDIDATES = 10
"""Candidates by sign bits a result; at least `MIN_CANDIDATES`. Of the 10, 100 and 200 nearest by float32
products among 24,000 real texts 99.5, 99.6 and 99.5 % are found (tests/bench/search/vector_recall.py); by exact int8
products it were 99.5, 99.6 and 99.7 %."""
MIN_CANDIDATES = 1000
_PRODUCT_ROWS = 512
"""OpenBLAS takes several threads for larger products, which on a busy machine wait for one another: measured, 12 ms
for 1,200 rows against 0.6 ms for 4,000 in pieces."""
_RELOAD_SECONDS = 3.0
_NICE = 10
"""Below the processes that read files: a core that anyone else wants is theirs nine tenths of the time."""


def embed(target: str, texts: list[str], dimensions: int, arguments: list[str]) -> list[bytes]:
    """The texts' vectors, packed for the store. Runs `target` with lowered priority: nobody waits for it."""
    _yield_to_others()
    matrix = np.frombuffer(_function(target)(texts, *arguments), "<f4").reshape(len(texts), dimensions)
    return pack(matrix)


def nearest(
    path: str, model: str, target: str, known_target: str, dimensions: int, query: str, kind: Kind, limit: int,
    arguments: list[str],
) -> tuple[list[int], list[float], int, bool]:  # fmt: skip
    """The `limit` row ids whose texts come nearest to the query, best first, their cosines, how many rows have a
    vector, and whether the model knows the query's words (see `api.Embedder`). Two lists: what a worker answers is
    packed pair by pair, which takes longer than finding them."""
    index = _index(path, model, dimensions, kind)
    index.refresh()
    if not len(index.rows):
        return [], [], 0, True
    vector = np.frombuffer(_function(target)([query], *arguments), "<f4")
    rows, cosines = index.nearest(vector, limit)
    known = not known_target or bool(_function(known_target)([query], *arguments)[0])
    return rows, cosines, len(index.rows), known


def embedded(path: str, model: str, dimensions: int, kind: Kind, rows: list[int]) -> list[int]:
    """Those of `rows` that had a vector when the last query was answered."""
    asked = np.array(rows, np.int64)
    return asked[np.isin(asked, _index(path, model, dimensions, kind).rows)].tolist()


def pack(matrix: NDArray[np.float32]) -> list[bytes]:
    """One packed vector a row: float32 scale, then int8 values."""
    scale = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127.0
    values = np.rint(matrix / scale[:, None]).astype(np.int8)
    heads = scale.astype("<f4")
    return [heads[row].tobytes() + values[row].tobytes() for row in range(len(matrix))]


def _empty(shape: tuple[int, ...], kind: type[np.generic]) -> Any:
    return np.zeros(shape, kind)


@dataclass
class VectorIndex:
    """All vectors of one kind and model, in memory; follows the index file."""

    reader: VectorReader
    model: str
    dimensions: int
    kind: Kind
    rows: NDArray[np.int64] = field(default_factory=lambda: _empty((0,), np.int64))
    values: NDArray[np.int8] = field(default_factory=lambda: _empty((0, 1), np.int8))
    scales: NDArray[np.float32] = field(default_factory=lambda: _empty((0,), np.float32))
    signs: NDArray[np.uint64] = field(default_factory=lambda: _empty((0, 1), np.uint64))
    version: int = -1
    signature: tuple[int, ...] = ()
    loaded: float = 0.0
    cost: float = 0.0

    def refresh(self) -> None:
        """Load anew when the file has changed, but never spend more than a tenth of the time on it: while the index
        grows, a query may miss the newest vectors for a few seconds."""
        now = time.monotonic()
        if self.version >= 0 and now - self.loaded < max(_RELOAD_SECONDS, self.cost * 10):
            return
        version = self.reader.data_version()
        self.loaded = now
        if version == self.version:
            return
        signature = self.reader.signature(self.model, self.kind)
        if signature == self.signature:  # something else was written: a cached picture, a request
            self.version = version
            return
        rows, data = self.reader.load(self.model, self.kind)
        self.fill(rows, data)
        self.version, self.signature = version, signature
        self.cost = time.monotonic() - now

    def fill(self, rows: list[int], data: bytes) -> None:
        """Hold these rows; `data` are their packed vectors, one after the other."""
        packed = np.frombuffer(data, np.uint8).reshape(len(rows), 4 + self.dimensions)
        self.rows = np.array(rows, np.int64)
        self.scales = packed[:, :4].copy().view("<f4").reshape(len(rows))
        self.values = packed[:, 4:].view(np.int8)
        self.signs = _sign_bits(self.values)

    def nearest(self, vector: NDArray[np.float32], limit: int) -> tuple[list[int], list[float]]:
        """Row ids, best first, and their cosines."""
        chosen = np.arange(len(self.rows))
        if len(self.rows) > EXACT_ROWS:
            many = min(max(limit * CANDIDATES, MIN_CANDIDATES), len(self.rows) - 1)
            query = _sign_bits(np.where(vector < 0, -1, 1).astype(np.int8)[None, :])
            distance = np.bitwise_count(self.signs ^ query).sum(axis=1, dtype=np.uint16)
            chosen = np.argpartition(distance, many)[:many]
        pieces = np.array_split(chosen, len(chosen) // _PRODUCT_ROWS + 1)
        products = [self.values[piece].astype(np.float32) @ vector for piece in pieces]
        cosine = np.concatenate(products) * self.scales[chosen]
        best = np.argsort(-cosine)[:limit]
        return self.rows[chosen[best]].tolist(), cosine[best].tolist()


def _sign_bits(values: NDArray[np.int8]) -> NDArray[np.uint64]:
    bits = np.packbits(values < 0, axis=1)
    short = -bits.shape[1] % 8
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, short)))).view(np.uint64)


@cache
def _reader(path: str) -> VectorReader:
    return VectorReader(path)


@cache
def _index(path: str, model: str, dimensions: int, kind: Kind) -> VectorIndex:
    return VectorIndex(_reader(path), model, dimensions, kind)


@cache
def _function(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)


@cache
def _yield_to_others() -> None:
    system.lower_priority(_NICE)
