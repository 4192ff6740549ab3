"""Commands that feature plugins add: loaded only when the word on the command line is none of the built-in ones."""

from __future__ import annotations

import argparse
from typing import Any

from sidecar.api import Command, ConfigError
from sidecar.config import Overrides, fallback, load


def register(commands: Any, shared: argparse.ArgumentParser, overrides: Overrides) -> None:
    """Add every plugin's command to the parser; a broken configuration leaves the defaults."""
    from sidecar.registry import load_features  # only here: `serve` loads no plugin before its client

    try:
        config = load(overrides)
    except ConfigError as error:
        config = fallback(error, overrides)
    features = load_features(config.plugins_disabled, config.feature_settings())
    for command in features.commands.values():
        parser = commands.add_parser(command.name, parents=[shared], help=command.help, description=command.help)
        command.arguments(parser)
        parser.set_defaults(run=_Run(command))


class _Run:
    """One plugin command as the parser's `run`: opens everything, runs it, gives its exit status."""

    def __init__(self, command: Command) -> None:
        self._command = command

    def __call__(self, arguments: argparse.Namespace, overrides: Overrides) -> int:
        from sidecar import app

        async def ask(application: app.Application) -> int:
            return await self._command.run(arguments, application.services)

        return app.run_command(load(overrides), ask)
