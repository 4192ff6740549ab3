"""The plugin class: registers the sentence embedder. How it is run in a worker is `worker`'s."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sidecar.api import ConfigError, Embedder, Registrar

DIMENSIONS = 384
_UNRELATED = 0.25
"""Cosine that no text on one subject reached for questions of another (0.23 at most, abstracts of cisi); the nearest to
each question of cisi and cranfield is at 0.36 or more."""
_WEAK = 0.3
"""Of 5,378 hits for questions that nothing in a collection answers 95 % are below this and hold fewer than two thirds
of the question's words, of 793 that answer 2 %: questions of cisi, cranfield and two mixed folders, each asked of its
own collection and of the others (tests/bench/search/weak_hits.py)."""


_KEYS: Mapping[str, type] = {
    "enabled": bool, "model": str, "dimensions": int, "passage_prefix": str, "query_prefix": str,
}  # fmt: skip
_KINDS = {bool: "true or false", str: "a text", int: "a number"}


class SemanticFeature:
    """Registers the embedder. Settings: `enabled` (default true); `model`, a folder with a model of the user's own, and
    for that `dimensions`, `passage_prefix` and `query_prefix`."""

    name = "semantic"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError for settings it does not know, and for a model that is not there."""
        for key, value in settings.items():
            if key not in _KEYS:
                raise ConfigError(f"unknown key `{key}`; there are {', '.join(_KEYS)}.", key="plugins.semantic")
            if type(value) is not _KEYS[key]:
                raise ConfigError(f"expected {_KINDS[_KEYS[key]]}.", key=f"plugins.semantic.{key}")
        if settings.get("dimensions", 1) < 1:
            raise ConfigError("expected 1 or more.", key="plugins.semantic.dimensions")
        if settings.get("enabled", True):
            registrar.embedder(_own(settings) if settings.get("model") else _BUNDLED)


_BUNDLED = Embedder(
    name="all-MiniLM-L6-v2-int8", version="1", dimensions=DIMENSIONS, target="sidecar_semantic.worker:embed",
    known_target="sidecar_semantic.worker:known", unrelated=_UNRELATED, weak=_WEAK,
)  # fmt: skip


def _own(settings: Mapping[str, Any]) -> Embedder:
    """What is near and what is not differs from model to model, so nothing is left out or called weak for that."""
    from sidecar_semantic import own_model

    model = own_model.describe(settings["model"], settings)
    return Embedder(
        name=Path(model.folder).name, version=model.version, dimensions=model.dimensions,
        target="sidecar_semantic.own_model:embed", query_target="sidecar_semantic.own_model:embed_query",
        arguments=(json.dumps(model),),
    )  # fmt: skip
