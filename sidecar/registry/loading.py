"""Loading one entry point: import, construct, and an honest sentence when that fails. Knows no kind of plugin."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

logger = logging.getLogger(__name__)

CORE_DISTRIBUTION = "docsidecar"


@dataclass(frozen=True)
class LoadFailure:
    """A plugin that could not be loaded; `reason` is one sentence, shown by `docsidecar plugins` and `doctor`."""

    group: str
    name: str
    distribution: str
    reason: str


@dataclass(frozen=True)
class Loaded:
    """A constructed plugin and where it came from."""

    name: str
    distribution: str
    plugin: Any

    @property
    def builtin(self) -> bool:
        """Whether it came with DocSidecar."""
        return self.distribution == CORE_DISTRIBUTION


def load_group(
    group: str, disabled: frozenset[str], settings: Mapping[str, Mapping[str, Any]], failures: list[LoadFailure]
) -> Iterator[Loaded]:
    """Construct every enabled plugin of an entry-point group, built-ins first, then by distribution and name.

    A plugin class that takes a parameter named `settings` is given its `[plugins.NAME]` table.
    """
    points = {(_distribution(point), point.name): point for point in entry_points(group=group)}
    for (distribution, name), point in sorted(
        points.items(), key=lambda item: (item[0][0] != CORE_DISTRIBUTION, item[0])
    ):
        if name in disabled:
            continue
        try:
            factory = point.load()
            plugin = factory(settings=settings.get(name, {})) if _takes_settings(factory) else factory()
        except Exception as error:  # a plugin may raise anything at import or construction; it must not stop the rest
            reason = f"{type(error).__name__}: {error}"
            logger.warning("plugin %s of %s could not be loaded: %s", name, distribution, reason)
            failures.append(LoadFailure(group, name, distribution, reason))
            continue
        yield Loaded(name, distribution, plugin)


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "unknown"


def _takes_settings(factory: Any) -> bool:
    try:
        return "settings" in inspect.signature(factory).parameters
    except (TypeError, ValueError):  # builtins have no signature
        return False
