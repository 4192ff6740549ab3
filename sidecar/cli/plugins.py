"""`docsidecar plugins`: which plugins are loaded, from where, and which failed to load and why; and the commands that
feature plugins add, loaded only when the word on the command line is none of the built-in ones."""

import argparse
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sidecar.api import Command, ConfigError
from sidecar.cli.output import Commands, print_json, print_table
from sidecar.cli.progress import working
from sidecar.config import Config, Overrides, fallback, load

if TYPE_CHECKING:
    from sidecar.registry import Features, Formats, LoadFailure


@dataclass(frozen=True)
class LoadedPlugins:
    """The plugins that loaded, and what did not."""

    formats: "Formats"
    features: "Features"
    failures: "tuple[LoadFailure, ...]"


def load_plugins(config: Config) -> LoadedPlugins:
    """Load all plugins, as `serve` does."""
    # `serve` loads this module too, for its options.
    from sidecar.registry import allow_plugins, load_features, load_formats

    refused = allow_plugins(config.plugin_directory, config.plugins_allowed)
    formats = load_formats(config.plugins_disabled, config.plugin_settings)
    features = load_features(config.plugins_disabled, config.feature_settings())
    return LoadedPlugins(formats, features, (*refused, *formats.failures, *features.failures))


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "plugins", parents=[shared], help="list the plugins",
        description="List the plugins: what they read or add, where they come from, and which failed to load.",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """List them; exit code 1 when one failed to load."""
    from sidecar.registry import waiting_plugins

    config = load(overrides)
    loaded = load_plugins(config)
    formats, features, failures = loaded.formats, loaded.features, loaded.failures
    waiting = waiting_plugins(config.plugin_directory, config.plugins_allowed)
    if arguments.json:
        print_json(
            {
                "formats": [
                    {"name": e.name, "version": e.version, "suffixes": e.suffixes, "distribution": e.distribution}
                    for e in formats.entries
                ],
                "features": features.entries,
                "failures": failures,
                "disabled": sorted(config.plugins_disabled),
                "not_allowed": waiting,
            }
        )
        return 1 if failures else 0
    rows = [("format", e.name, e.version, " ".join(e.suffixes)[:60], e.distribution) for e in formats.entries]
    rows += [("feature", e.name, e.version, " ".join(e.tools)[:60], e.distribution) for e in features.entries]
    print_table(("kind", "name", "version", "suffixes or tools", "from"), rows)
    for name in sorted(config.plugins_disabled):
        print(f"disabled: {name}")
    for name in waiting:
        print(f'not allowed: {name} in {config.plugin_directory}; [plugins] allowed = ["{name}"] would load it')
    for failure in failures:
        print(f"failed: {failure.name} of {failure.distribution}: {failure.reason}")
    return 1 if failures else 0


def register_commands(commands: Commands, shared: argparse.ArgumentParser, overrides: Overrides) -> None:
    """Add every plugin's command to the parser; a broken configuration leaves the defaults."""
    from sidecar.registry import allow_plugins, load_features  # `serve` loads no plugin before its client

    try:
        config = load(overrides)
    except ConfigError as error:
        config = fallback(error, overrides)
    allow_plugins(config.plugin_directory, config.plugins_allowed)
    features = load_features(config.plugins_disabled, config.feature_settings())
    for command in features.commands.values():
        parser = commands.add_parser(command.name, parents=[shared], help=command.help, description=command.help)
        command.arguments(parser)
        parser.set_defaults(run=partial(_run_command, command))


def _run_command(command: Command, arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Open everything, run a plugin's command, give its exit status."""
    from sidecar import app

    async def ask(application: "app.Application") -> int:
        application.services.working = working
        return await command.run(arguments, application.services)

    return app.run_command(load(overrides), ask)
