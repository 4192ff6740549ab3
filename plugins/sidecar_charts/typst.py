"""A scene as PNG through quillmark's Typst engine: the shapes as an SVG picture, the words set by Typst above it.

Not responsible for layout. A drawing needs a quill on disk, so each gets a temporary folder of its own. Scripts the
engine's font lacks are set in a font of the machine; where there is none, the picture says so.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from sidecar.api import UnavailableError
from sidecar.api.fonts import Coverage, FontChoice, bold_of, choose_fonts, covered
from sidecar_charts.scene import SOFT, Circle, Scene, Words, fitted
from sidecar_charts.scene import Path as Outline
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
_FIGTREE = (
    (0x20, 0x113), (0x116, 0x127), (0x12A, 0x12B), (0x12E, 0x137), (0x139, 0x13E), (0x141, 0x148), (0x14A, 0x14D),
    (0x150, 0x161), (0x164, 0x165), (0x16A, 0x17E), (0x218, 0x21B), (0x2C6, 0x2C7), (0x2D8, 0x2DD), (0x300, 0x304),
    (0x306, 0x308), (0x30A, 0x30C), (0x326, 0x328), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EF2, 0x1EF3),
    (0x2000, 0x200F), (0x2013, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2020, 0x2022), (0x2026, 0x202F),
    (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x2070), (0x2074, 0x2079), (0x2080, 0x2089), (0x20AC, 0x20AC),
    (0x20B9, 0x20B9), (0x2122, 0x2122), (0x215B, 0x215E), (0x2190, 0x2193), (0x2196, 0x2199), (0x2212, 0x2212),
    (0x2215, 0x2215), (0x2260, 0x2260), (0x2264, 0x2265),
)  # fmt: skip
"""What the engine's own font can show, found by drawing each character: the font itself cannot be asked."""
_OWN = Coverage(*zip(*_FIGTREE, strict=True))


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
        text = {char for mark in scene.marks if isinstance(mark, Words) for char in mark.text}
        choice = choose_fonts("".join(char for char in text if ord(char) not in _OWN))
        _add_fonts(home, choice)
        (home / "plate.typ").write_text(_plate(_honest(scene, choice)), encoding="utf-8")
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


def _honest(scene: Scene, choice: FontChoice) -> Scene:
    """The scene with a remark that names the scripts no font of the machine has, and "?" where they would be blank."""
    if not choice.missing:
        return scene
    marks: list[Outline | Circle | Words] = []
    for mark in scene.marks:
        if isinstance(mark, Words):
            marks.append(replace(mark, text="".join(char if _shown(char, choice) else "?" for char in mark.text)))
        else:
            marks.append(mark)
    size = max(8.0, min(scene.width / 960, scene.height / 540) * 11)
    scripts = ", ".join(script for script, _, _ in choice.missing)
    remark = fitted(f"No font on this machine has: {scripts}", size, scene.width - 2 * size)
    marks.append(Words(scene.width - size * 0.6, scene.height - size * 0.8, remark, size, "end", SOFT))
    return Scene(scene.width, scene.height, scene.title, marks)


def _shown(char: str, choice: FontChoice) -> bool:
    return ord(char) in _OWN or not char.isprintable() or any(ord(char) in covered(path) for path in choice.files)


def _add_fonts(home: Path, choice: FontChoice) -> None:
    """Fonts of the machine for what the engine's own font lacks. Fonts in a quill replace that font, so they are added
    only when needed, and then one for Latin text with them."""
    if not choice.files:
        return
    latin = choose_fonts("\u0416").files  # a sans-serif with Cyrillic has Latin and Greek too
    folder = home / "assets" / "fonts"
    folder.mkdir(parents=True)
    for font in dict.fromkeys((*latin, *choice.files)):
        for path in (font, bold_of(font)):
            if path is not None:  # the engine does not follow links, and takes a collection under any suffix
                suffix = ".otf" if path.suffix.lower() in (".ttc", ".otc") else path.suffix.lower()
                shutil.copyfile(path, folder / (path.stem + suffix))
