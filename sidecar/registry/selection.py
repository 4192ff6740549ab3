"""Which tools the configuration lets through, and the names in it that are of no tool and no plugin.

A plugin checks its own settings itself."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sidecar.api.features import Tool
from sidecar.registry.features import GROUP as FEATURES
from sidecar.registry.features import Features
from sidecar.registry.formats import GROUP as FORMATS
from sidecar.registry.loading import installed_names
from sidecar.toolkit.text import did_you_mean, without_steering

if TYPE_CHECKING:  # workers load this room too, and no configuration
    from sidecar.config import Config

MINIMAL = frozenset({"search_documents", "list_documents", "get_outline", "read", "get_library_status"})
"""The set "minimal" of `[server] tools`; "all" is everything, and each feature plugin's name is a set of its tools."""


def chosen_tools(features: Features, chosen: Sequence[str]) -> dict[str, Tool[Any]]:
    """The tools that `[server] tools` lets through, in the order the plugins registered them: those of "minimal" where
    the names are none of any tool, for a server without tools would tell nobody what is wrong."""
    if "all" in chosen:
        return dict(features.tools)
    sets = _sets(features)
    names = frozenset().union(*(sets.get(name, frozenset({name})) for name in chosen))
    if chosen and names.isdisjoint(features.tools):
        names = MINIMAL
    return {name: tool for name, tool in features.tools.items() if name in names}


def unused_settings(features: Features, config: "Config") -> Iterator[str]:
    """A sentence with the key in front for each name of `[server] tools`, of a `[plugins.NAME]` table, and of
    `[plugins] disabled` that is none."""
    known = {*features.tools, *_sets(features), "all"}
    for name in config.server.tools:
        if name not in known:
            meant = did_you_mean(name, known, "`docsidecar plugins` lists them.", mark='"')
            yield f'server.tools: no tool and no set is called "{without_steering(name)}"; {meant}'
    plugins = installed_names((FORMATS, FEATURES))
    for key, names in (("plugins.{}", config.plugin_settings), ("plugins.disabled", config.plugins_disabled)):
        # What lies in the plugin directory is said to fail by itself.
        for name in sorted(names):
            if name not in plugins and name not in config.plugins_allowed:
                meant = did_you_mean(name, plugins, "`docsidecar plugins` lists them.", mark="`")
                shown = without_steering(name)
                yield f"{key.format(shown)}: no plugin is called `{shown}`; {meant}"


def _sets(features: Features) -> dict[str, frozenset[str]]:
    return {entry.name: frozenset(entry.tools) for entry in features.entries} | {"minimal": MINIMAL}
