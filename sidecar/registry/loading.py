"""Loading one entry point: import, construct, and an honest sentence when that fails. Knows no kind of plugin.

Third parties' plugins are installed beside docsidecar, or lie in the plugin directory, a folder each, from which only
those are imported that the configuration allows by name."""

import inspect
import logging
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import Distribution, entry_points
from pathlib import Path
from typing import Any

from sidecar.toolkit.platform import system

logger = logging.getLogger(__name__)

_CORE_DISTRIBUTION = "docsidecar"


@dataclass(frozen=True)
class LoadFailure:
    """A plugin that could not be loaded; `reason` is one sentence, shown by `docsidecar plugins` and `doctor`. `key` is
    the setting it refused, "" when it was none."""

    group: str
    name: str
    distribution: str
    reason: str
    key: str = ""


@dataclass(frozen=True)
class Loaded:
    """A constructed plugin and where it came from."""

    name: str
    distribution: str
    plugin: Any

    @property
    def builtin(self) -> bool:
        """Whether it came with DocSidecar."""
        return self.distribution == _CORE_DISTRIBUTION


def allow_plugins(directory: Path, allowed: frozenset[str]) -> list[LoadFailure]:
    """Have the folders of that name in the plugin directory on the module search path, last, where nothing of theirs
    takes the place of ours; gives those that cannot be. Of other folders nothing is read. Workers get the same path."""
    failures: list[LoadFailure] = []
    for name in sorted(allowed):
        place = directory / name
        if reason := _unfit(directory, name):
            logger.warning("the plugin %s in %s is left out: %s", name, directory, reason)
            failures.append(LoadFailure("plugins.allowed", name, str(place), reason, "plugins.allowed"))
        elif str(place) not in sys.path:
            sys.path.append(str(place))
    return failures


def waiting_plugins(directory: Path, allowed: frozenset[str]) -> list[str]:
    """The folders of the plugin directory that nobody has allowed."""
    try:
        return sorted(entry.name for entry in directory.iterdir() if entry.is_dir() and entry.name not in allowed)
    except OSError:
        return []


def _unfit(directory: Path, name: str) -> str:
    """Why the folder of that name may not be imported from, "" when it may."""
    place = directory / name
    if place.parent != directory or name in {"", ".", ".."}:
        return "a plugin's name is that of its folder, without slashes."
    if not place.is_dir():
        return f"there is no folder {name} in {directory}; unpack the plugin there, or take it off [plugins] allowed."
    if system.has_modes and any(one.stat().st_mode & stat.S_IWOTH for one in (directory, place)):
        return f"everybody may write to {place}; take that away (chmod -R o-w {directory})."
    native = next((file for file in place.rglob("*") if file.suffix in {".so", ".pyd", ".dll", ".dylib"}), None)
    if native is not None:
        return f"it has native code ({native.name}); install it beside docsidecar instead (pipx inject)."
    return ""


def installed_names(groups: Iterable[str]) -> frozenset[str]:
    """The names of all plugins of these entry-point groups, disabled and broken ones too."""
    return frozenset(point.name for group in groups for point in _installed(tuple(sys.path)).select(group=group))


def load_group(
    group: str, disabled: frozenset[str], settings: Mapping[str, Mapping[str, Any]], failures: list[LoadFailure]
) -> Iterator[Loaded]:
    """Construct every enabled plugin of an entry-point group, built-ins first, then by distribution and name.

    A plugin class that takes a parameter named `settings` is given its `[plugins.NAME]` table."""
    points = {(_name(point.dist), point.name): point for point in _installed(tuple(sys.path)).select(group=group)}
    for (distribution, name), point in sorted(
        points.items(), key=lambda item: (item[0][0] != _CORE_DISTRIBUTION, item[0])
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


@lru_cache(maxsize=1)  # a look reads the metadata of every distribution, and formats and features are looked for
def _installed(path: tuple[str, ...]) -> Any:
    """The entry points of all groups on the module search path, which is `path`."""
    return entry_points()


@lru_cache(maxsize=64)  # each look at a name parses all of the distribution's metadata
def _name(distribution: Distribution | None) -> str:
    return distribution.name if distribution is not None else "unknown"


def _takes_settings(factory: Any) -> bool:
    if type(factory) is type and factory.__init__ is object.__init__ and factory.__new__ is object.__new__:
        return False  # as of most formats, whose signature would be parsed from a text
    try:
        return "settings" in inspect.signature(factory).parameters
    except (TypeError, ValueError):  # builtins have no signature
        return False
