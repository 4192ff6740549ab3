"""The formats of a worker process: how it is told of them, and their loading, once."""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import msgspec

from sidecar.ingest.reading.detect import Detector, Format
from sidecar.ingest.reading.jobs import Loader
from sidecar.workers.main import resolve

if TYPE_CHECKING:
    from sidecar.config import Config  # a worker reads no configuration, and what reads it takes long to load

__all__ = ["detector_of", "loader_of"]


def loader_of(config: Config, target: str = "sidecar.registry:load_formats") -> Loader:
    """How a worker gets the formats that a configuration leaves in force."""
    settings = {name: dict(table) for name, table in config.plugin_settings.items()}
    return Loader(target, config.plugins_disabled, msgspec.json.encode(settings))


@lru_cache(maxsize=2)
def detector_of(loader: Loader) -> Detector:
    formats = resolve(loader.target)(loader.disabled, msgspec.json.decode(loader.settings))
    # Parsers make garbage by the million objects and rarely cycles; what is loaded by now stays for good.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    return Detector(cast("list[Format]", formats.entries))
