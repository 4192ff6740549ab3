"""The formats of a worker process, loaded once and kept."""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import cast

import msgspec

from sidecar.ingest.detect import Detector, Format
from sidecar.ingest.jobs import Loader
from sidecar.ingest.worker_main import resolve

__all__ = ["detector_of"]


@lru_cache(maxsize=2)
def detector_of(loader: Loader) -> Detector:
    formats = resolve(loader.target)(loader.disabled, msgspec.json.decode(loader.settings))
    # Parsers make garbage by the million objects and rarely cycles; what is loaded by now stays for good.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    return Detector(cast("list[Format]", formats.entries))
