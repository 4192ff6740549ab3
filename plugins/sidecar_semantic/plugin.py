"""The plugin class: registers the sentence embedder. How it is run in a worker is `worker`'s."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sidecar.api import ConfigError, Embedder, Registrar

DIMENSIONS = 384
UNRELATED = 0.25
"""Cosine that no text on one subject reached for questions of another (0.23 at most, abstracts of cisi); the nearest to
each question of cisi and cranfield is at 0.36 or more."""
WEAK = 0.3
"""Of 5,378 hits for questions that nothing in a collection answers 95 % are below this and hold fewer than two thirds
of the question's words, of 793 that answer 2 %: questions of cisi, cranfield and two mixed folders, each asked of its
own collection and of the others (tests/bench/weak_hits.py)."""


class SemanticFeature:
    """Registers the embedder. Settings: `enabled` (default true)."""

    name = "semantic"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError for settings it does not know."""
        unknown = sorted(set(settings) - {"enabled"})
        if unknown:
            raise ConfigError(f"unknown key `{unknown[0]}`; the only one is `enabled`.", key="plugins.semantic")
        if not isinstance(settings.get("enabled", True), bool):
            raise ConfigError("expected true or false.", key="plugins.semantic.enabled")
        if settings.get("enabled", True):
            registrar.embedder(
                Embedder(
                    name="all-MiniLM-L6-v2-int8",
                    version="1",
                    dimensions=DIMENSIONS,
                    target="sidecar_semantic.worker:embed",
                    unrelated=UNRELATED,
                    weak=WEAK,
                )
            )
