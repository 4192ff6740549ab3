"""The `[plugins.render]` table, checked."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictFloat, StrictInt, StrictStr

_Count = Annotated[StrictInt, Field(gt=0)]
_Amount = Annotated[StrictFloat, Field(gt=0)]


@dataclass(frozen=True)
class RenderSettings:
    """`quills` is the folder of the user's quills; "" means `quills` beside the configuration and in the data
    directory. The cache keeps `max_entries` artifacts of `max_bytes` together for `max_age_days`. A rendering may take
    `timeout` seconds, `max_memory_bytes`, `max_pages`, and `max_input_bytes` of Markdown."""

    quills: StrictStr = ""
    max_entries: _Count = 50
    max_bytes: _Count = 256 << 20
    max_age_days: _Amount = 30.0
    timeout: _Amount = 30.0
    max_memory_bytes: _Count = 1 << 30
    max_pages: _Count = 1000
    max_input_bytes: _Count = 4 << 20

    def folders(self, config_dir: Path, data_dir: Path) -> tuple[str, ...]:
        """Where quills are looked for, first the one that wins; they need not exist."""
        if self.quills:
            return (os.path.normpath(config_dir / Path(os.path.expandvars(self.quills)).expanduser()),)
        return (str(config_dir / "quills"), str(data_dir / "quills"))
