"""Configuration, folders, index, lease, plugins and the model of search by meaning."""

import logging
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sidecar.api import ConfigError, SidecarError
from sidecar.cli.checks import Finding
from sidecar.cli.plugins import LoadedPlugins, load_plugins
from sidecar.config import Config, Overrides, fallback, load
from sidecar.toolkit.platform import system

_HUNG_SECONDS = 10.0
"""After this long without a beat of the holder the others take over (see `ingest.indexing.indexer`)."""


def configuration(overrides: Overrides) -> tuple[Config, Finding]:
    """What is in force, and whether it is what the file says."""
    try:
        config = load(overrides)
    except ConfigError as error:
        remedy = f"mend {error.file}; `docsidecar config check` tells when it is right."
        return fallback(error, overrides), Finding("problem", "configuration", str(error), remedy)
    return config, Finding("ok", "configuration", f"{config.source} is right.")


def folders(config: Config) -> Iterator[Finding]:
    """Whether there are folders, and each can be read."""
    problems = config.folder_problems()
    for problem in problems:
        message, _, remedy = problem.partition("; ")
        yield Finding("problem", "folders", f"{message.rstrip('.')}.", remedy)
    if not config.folders:
        yield Finding("note", "folders", "none is watched yet.", "add one with `docsidecar add FOLDER`.")
    elif not problems:
        yield Finding("ok", "folders", f"{len(config.folders)} watched.")


def index(config: Config) -> Iterator[Finding]:
    """Whether the index opens and a worker runs, what is in it, who keeps it up to date, whether the model works."""
    import sqlite3

    from sidecar import app

    yield Finding("ok", "SQLite", sqlite3.sqlite_version)
    model: list[Finding] = []

    async def ask(application: "app.Application") -> tuple[dict[str, Any], float]:
        await application.workers.run("os:getpid")
        model.extend([await _model(application)])
        return await application.library.status(), application.lease.last_beat() / 1e9

    try:
        status, beat = app.run_command(config, ask)
    except SidecarError as error:
        remedy = "do what it says; an index can always be made anew from the folders."
        yield Finding("problem", "index", str(error), remedy)
        return
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(status["states"].items())) or "empty"
    yield Finding("ok", "index", f"{states}.")
    if status.get("remark"):
        yield Finding(
            "note", "index", status["remark"], "nothing need be done; `docsidecar status` tells how far it is."
        )
    if status.get("confinement"):
        yield Finding("ok", "workers", f"{status['confinement']}.")
    else:
        message = "readers of documents run unconfined: this system has neither landlock nor seccomp."
        yield Finding("note", "workers", message, "use Linux 5.13 or newer where documents come from anybody.")
    yield _lease(status["lease"].get("holder_pid"), beat)
    yield from model


async def _model(application: Any) -> Finding:
    """The embedder, asked for one embedding in a worker process."""
    if not application.features.embedders:
        remedy = 'take `enabled = false` out of [plugins.semantic], or "semantic" out of `disabled`, to have it.'
        if application.features.failures:
            remedy = "mend what is said of plugins above."
        return Finding("note", "model", "search by meaning is off.", remedy)
    embedder = application.features.embedders[0]
    try:
        vector = await application.workers.run(embedder.target, ["docsidecar"], *embedder.arguments, timeout=120.0)
    except SidecarError as error:
        own = "mend or take out `model` of [plugins.semantic]."
        remedy = own if embedder.arguments else "install docsidecar anew: its model or onnxruntime is not whole."
        remedy = f"{remedy} Search by words works."
        return Finding("problem", "model", f"{embedder.name} does not run: {error}", remedy)
    if len(vector) != embedder.dimensions * 4:
        return Finding("problem", "model", f"{embedder.name} gives wrong vectors.", "install docsidecar anew.")
    return Finding("ok", "model", f"{embedder.name} embeds.")


def _lease(holder: int | None, beat: float) -> Finding:
    if holder is None:
        return Finding("ok", "lease", "nobody indexes just now; the next docsidecar that is started will.")
    silent = time.time() - beat
    if _stopped(holder) or silent > _HUNG_SECONDS:
        how = "is stopped" if _stopped(holder) else f"has not moved for {silent:.0f} seconds"
        message = f"process {holder}, which indexes, {how}."
        end = system.kill_command(holder)
        return Finding("problem", "lease", message, f"end it with `{end}`; another takes over.")
    return Finding("ok", "lease", f"process {holder} keeps the index up to date.")


def _stopped(pid: int) -> bool:
    """Linux: whether the process is stopped (proc(5), state T or t)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] in "Tt"
    except (OSError, IndexError):
        return False


def plugins(config: Config) -> Iterator[Finding]:
    """Whether every plugin that is installed loads, and takes what the configuration says of it."""
    loaded, problems = checked_plugins(config)
    for failure in loaded.failures:
        if not failure.key:
            message = f"{failure.name} of {failure.distribution} failed to load ({failure.reason})."
            yield Finding("problem", "plugin", message, f"update or uninstall {failure.distribution}.")
    remedy = f"mend {config.source}; `docsidecar config check` tells when it is right."
    for problem in problems:
        yield Finding("problem", "configuration", problem, remedy)
    yield Finding("ok", "plugins", f"{len(loaded.formats.entries)} formats, {len(loaded.features.entries)} features.")


def checked_plugins(config: Config) -> tuple[LoadedPlugins, list[str]]:
    """What loads, and a sentence for each setting that a plugin refuses or nothing takes; neither is printed."""
    from sidecar.registry import unused_settings
    from sidecar.server.client_rules import mistaken_rules

    logging.getLogger("sidecar.registry").addHandler(logging.NullHandler())
    loaded = load_plugins(config)
    refused = [failure.reason for failure in loaded.failures if failure.key]
    unused = unused_settings(loaded.features, config)
    return loaded, [*refused, *unused, *mistaken_rules(config.server.client_rules), *_not_there(config)]


def _not_there(config: Config) -> Iterator[str]:
    """A sentence for each folder and program that the settings of plugins name and that is not there: it may come (a
    drive, a program that is installed later), so no plugin is left out for it."""
    usual = config.source is None or config.plugin_directory == config.source.parent / "plugins"
    if not usual and not config.plugin_directory.is_dir():
        yield f"plugins.directory: there is no folder {config.plugin_directory}; create it or take the setting out."
    for name, settings in config.plugin_settings.items():
        for key, value in settings.items():
            place = _expanded(os.path.expandvars(value)) if isinstance(value, str) else Path()
            if place.is_absolute() and not place.exists():
                yield f"plugins.{name}.{key}: there is no {place}; create it or take the setting out."
    servers = (
        (f"{section}.{name}", server) for section, tables in config.sections.items() for name, server in tables.items()
    )
    for where, server in servers:
        command, variables = str(server.get("command") or ""), str(server.get("env") or "")
        if not command or server.get("enabled") is False:
            continue
        place = _expanded(str(server.get("cwd") or "."))  # the plugin says of what is no text that it should be
        if "$" not in str(place) and not place.is_dir():
            yield f"{where}.cwd: there is no folder {place}; create it or take the setting out."
        if "PATH" in variables:  # where it looks is not known here
            continue
        found = _expanded(command) if command.startswith("~") else command  # else it may be a bare name
        if shutil.which(found) is None:
            yield f"{where}.command: {command} is not found; install it or give its full path."


def _expanded(name: str) -> Path:
    """The path with its `~`, which stays where there is no such user: pathlib raises there."""
    return Path(os.path.expanduser(name))  # noqa: PTH111
