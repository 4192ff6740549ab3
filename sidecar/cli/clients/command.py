"""The command that starts this very program from anywhere: absolute, with nothing left to the shell's environment."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from sidecar.api import UsageError
from sidecar.config import Overrides, config_path, load

_PROGRAM = "docsidecar.exe" if sys.platform == "win32" else "docsidecar"
_PASSING = {"uvx": ("archive-v0", "environments-v2", "builds-v0"), "pipx": (".cache", "Caches", "Cache")}
"""Directories in which `uvx` and `pipx run` keep programs for a while only."""


def own_command() -> tuple[str, ...]:
    """What starts this program: a frozen one, a script of pipx, uv or a virtual environment, or its Python.

    A link that the user started it by is kept: it outlives an upgrade. Raises UsageError for a copy that only
    `uvx` or `pipx run` could start again, and is not found."""
    started = shutil.which(sys.argv[0]) if sys.argv and sys.argv[0] else None
    path = Path(os.path.abspath(started)) if started else None  # noqa: PTH100 - resolve() would follow the link
    if getattr(sys, "frozen", False):
        program = Path(sys.executable)
        return (str(path if path is not None and path.resolve() == program.resolve() else program),)
    for runner, names in _PASSING.items():
        if set(names) & set(Path(sys.prefix).parts) and (runner == "uvx" or "pipx" in Path(sys.prefix).parts):
            found = shutil.which(runner)
            if found is None:
                raise UsageError(
                    f"{runner} keeps this copy for a while only; install it with `uv tool install docsidecar` or pipx."
                )
            return (found, "docsidecar") if runner == "uvx" else (found, "run", "docsidecar")
    scripts = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    scripts.append(Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))))
    for script in ([path] if path is not None and path.name == _PROGRAM else []) + [d / _PROGRAM for d in scripts]:
        if os.access(script, os.X_OK):
            return (str(script),)
    return (sys.executable, "-P", "-m", "sidecar.cli.main")


def serving_arguments(overrides: Overrides, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The arguments after it: `serve`, and what was said on our command line or in our environment, which a client that
    is started from a desktop does not have.

    Raises:
        ConfigError: the configuration is broken.
        UsageError: a folder is not there."""
    config = load(overrides, environment)
    arguments = ["serve"]
    named = overrides.folders or environment.get("DOCSIDECAR_FOLDERS")
    if named:
        for folder in config.folders:
            if not os.path.isdir(folder.path):  # noqa: PTH112 - pathlib's raises where a mount is broken
                raise UsageError(f"the folder {folder.path} does not exist; check the spelling.")
            arguments += ["--folder", str(folder.path)]
    file = config_path(overrides, environment)
    moved = overrides.config or environment.get("DOCSIDECAR_CONFIG") or environment.get("XDG_CONFIG_HOME")
    if moved and file.exists():
        arguments += ["--config", str(file)]
    if overrides.data_dir or environment.get("DOCSIDECAR_DATA_DIR") or environment.get("XDG_DATA_HOME"):
        arguments += ["--data-dir", str(config.data_dir)]
    return tuple(arguments)
