"""The default quill as the engine takes it: with the fonts a document needs, and with its data.

Most documents need the same fonts and show no pictures. For them the quill is loaded once in a worker and handed the
data as a field; others get a folder of their own, as pictures are files to the engine.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar_render.engine import load
from sidecar_render.model import DEFAULT_QUILL
from sidecar_render.quills import BUILTIN
from sidecar_render.typefaces import put_font

if TYPE_CHECKING:
    from quillmark import Quill

__all__ = ["furnished"]

_MOST_IN_FIELD = 1 << 18
"""Characters of data that go through the engine's YAML; a file is read faster from there on."""


def furnished(home: Path, fonts: Sequence[Path], blob: str) -> tuple[Quill, str]:
    """The quill for a document whose data are `blob` and whose pictures lie in `home`, and the root block to draw."""
    root = f"~~~\n$quill: {DEFAULT_QUILL}\n"
    if len(blob) <= _MOST_IN_FIELD and not (home / "assets" / "pictures").exists():
        return _standing(tuple(fonts)), f"{root}document: {json.dumps(blob)}\n~~~\n"
    _write(home, fonts)
    (home / "assets" / "document.json").write_text(blob, encoding="utf-8")
    return load(home), f"{root}~~~\n"


@lru_cache(maxsize=2)
def _standing(fonts: tuple[Path, ...]) -> Quill:
    with tempfile.TemporaryDirectory(prefix="docsidecar-quill-") as folder:
        home = Path(folder) / "quill"
        _write(home, fonts)
        return load(home)


def _write(home: Path, fonts: Sequence[Path]) -> None:
    folder = home / "assets" / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Quill.yaml", "plate.typ"):
        shutil.copyfile(BUILTIN / name, home / name)
    for path in fonts:
        put_font(path, folder)
