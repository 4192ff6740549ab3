"""A scene as PNG through quillmark's Typst engine: the shapes as an SVG picture, the words set by Typst above it.

Not responsible for layout. A drawing needs a quill on disk, so each gets a temporary folder of its own. Scripts the
engine's font lacks are set in a font of the machine, where a common one is found.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from sidecar.api import UnavailableError
from sidecar_charts.scene import Scene, Words
from sidecar_charts.svg import plain, write_svg

_QUILL = """quill:
  name: sidecar_chart
  version: "1.0.0"
  backend: typst
  description: One picture on one page.
main:
  fields: {}
typst:
  plate_file: plate.typ
"""
_DOCUMENT = "~~~\n$quill: sidecar_chart\n~~~\n"
_PREAMBLE = """#set page(width: {width}pt, height: {height}pt, margin: 0pt)
#set text(fallback: true)
#place(top + left, image(read("assets/shapes.svg", encoding: none), width: {width}pt, height: {height}pt))
#let w(x, y, size, weight, fill, turn, side, words) = place(top + left, dx: x * 1pt, dy: y * 1pt,
  rotate(turn * 1deg, origin: top + left, box(width: 0pt, height: 0pt,
    place(side + horizon, box(width: 8000pt, align(side,
      text(size: size * 1pt, weight: weight, fill: rgb(fill), words)))))))
"""
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_PPI = 72  # a point of the page is a pixel of the picture
_CJK = (
    *("NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "wqy-microhei.ttc", "DroidSansFallbackFull.ttf"),
    *("msyh.ttc", "malgun.ttf", "PingFang.ttc", "Hiragino Sans GB.ttc", "Arial Unicode.ttf"),
)
_WIDE = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "arial.ttf", "Arial.ttf", "LiberationSans-Regular.ttf")
_LATIN_END, _CJK_START = 0x250, 0x2E80
_PUNCTUATION = range(0x2000, 0x2300)


def draw_png(scene: Scene) -> bytes:
    """The scene as PNG, one pixel a unit. Raises UnavailableError when the engine cannot draw it."""
    try:
        from quillmark import OutputFormat, Quill, Quillmark, QuillmarkError
    except ImportError as error:
        raise UnavailableError(
            "Charts are drawn as PNG by the quillmark package; reinstall it, or ask for svg."
        ) from error
    with tempfile.TemporaryDirectory(prefix="docsidecar-chart-") as folder:
        home = Path(folder)
        (home / "Quill.yaml").write_text(_QUILL, encoding="utf-8")
        (home / "assets").mkdir()
        (home / "assets" / "shapes.svg").write_text(write_svg(scene, words=False), encoding="utf-8")
        (home / "plate.typ").write_text(_plate(scene), encoding="utf-8")
        _add_fonts(home, "".join(mark.text for mark in scene.marks if isinstance(mark, Words)))
        try:
            quill = Quill.from_path(home)
            result = Quillmark().render(quill, quill.parse(_DOCUMENT), OutputFormat.PNG, ppi=_PPI)
        except QuillmarkError as error:
            raise UnavailableError(f"The chart cannot be drawn as PNG ({error}); ask for svg.") from error
        return bytes(result.artifacts[0].bytes)


def _plate(scene: Scene) -> str:
    lines = [_PREAMBLE.format(width=scene.width, height=scene.height)]
    for mark in scene.marks:
        if isinstance(mark, Words) and mark.text:
            weight = 600 if mark.bold else 400
            lines.append(
                f"#w({mark.x:.2f}, {mark.y:.2f}, {mark.size:.2f}, {weight}, {_string(mark.colour)}, {mark.turn:.1f},"
                f" {_SIDES[mark.anchor]}, {_string(plain(mark.text))})"
            )
    return "\n".join(lines)


def _string(text: str) -> str:
    """A Typst string literal: in it nothing but the backslash and the quote means anything."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\r", " ") + '"'


def _add_fonts(home: Path, text: str) -> None:
    """Fonts of the machine for scripts the engine's own font lacks. Fonts in a quill replace that font, so they are
    added only when needed."""
    wanted = [ord(char) for char in set(text) if ord(char) >= _LATIN_END and ord(char) not in _PUNCTUATION]
    names: list[tuple[str, ...]] = [_WIDE] if wanted else []
    if any(code >= _CJK_START for code in wanted):
        names.append(_CJK)
    for choices in names:
        font = _system_font(choices)
        if font is not None:
            target = home / "assets" / "fonts" / font.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(font, target)  # the engine does not follow links


@cache
def _system_font(choices: tuple[str, ...]) -> Path | None:
    """The first of the named fonts that is installed."""
    if sys.platform == "win32":
        roots = [Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"]
    elif sys.platform == "darwin":
        roots = [Path("/System/Library/Fonts"), Path("/Library/Fonts")]
    else:
        roots = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts"]
    found: dict[str, Path] = {}
    for root in roots:
        for folder, _, files in os.walk(root):
            for name in files:
                if name in choices:
                    found.setdefault(name, Path(folder) / name)
    return next((found[name] for name in choices if name in found), None)
