"""The `[plugins.render]` table, checked."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sidecar.api import ConfigError


@dataclass(frozen=True)
class RenderSettings:
    """`quills` is the folder of the user's quills; "" means `quills` beside the configuration and in the data
    directory. The cache keeps `max_entries` artifacts of `max_bytes` together for `max_age_days`. A rendering may take
    `timeout` seconds, `max_memory_bytes`, `max_pages`, and `max_input_bytes` of Markdown."""

    quills: str = ""
    max_entries: int = 50
    max_bytes: int = 256 << 20
    max_age_days: float = 30.0
    timeout: float = 30.0
    max_memory_bytes: int = 1 << 30
    max_pages: int = 1000
    max_input_bytes: int = 4 << 20

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "RenderSettings":
        """Raises ConfigError for an unknown key or a value of the wrong kind."""
        known = {item.name: item for item in fields(cls)}
        for key, value in table.items():
            if key not in known:
                raise ConfigError(f"unknown key; valid keys are {', '.join(known)}.", key=f"plugins.render.{key}")
            kind = type(known[key].default)
            right = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
            if not right or (kind is not str and value <= 0):
                wanted = "text" if kind is str else "a positive number" if kind is float else "a positive whole number"
                raise ConfigError(f"expected {wanted}, got {value!r}.", key=f"plugins.render.{key}")
        return cls(**table)

    def folders(self, data_dir: Path) -> tuple[str, ...]:
        """Where quills are looked for, first the one that wins; they need not exist."""
        home = _config_folder()
        if self.quills:
            return (os.path.normpath(home / Path(os.path.expandvars(self.quills)).expanduser()),)
        return (str(home / "quills"), str(data_dir / "quills"))


def _config_folder() -> Path:
    named = os.environ.get("DOCSIDECAR_CONFIG")
    if named:
        return Path(named).expanduser().absolute().parent
    import platformdirs

    return Path(platformdirs.user_config_dir("docsidecar", appauthor=False))
