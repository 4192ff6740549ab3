"""A scene as PNG through quillmark's Typst engine: the shapes as an SVG picture, the words set by Typst above it.

Not responsible for layout. A drawing needs a quill on disk, so each gets a temporary folder of its own. Scripts the
engine's font lacks are set in a font of the machine; where there is none, the picture says so."""

import tempfile
from dataclasses import replace
from pathlib import Path

from sidecar.api import UnavailableError
from sidecar.toolkit.fonts.files import ENGINE_FONT, FontChoice, bold_of, choose_fonts, copy_font, covered
from sidecar_charts.scene import SOFT, Scene, SceneText, fitted
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


def draw_png(scene: Scene) -> bytes:
    """The scene as PNG, one pixel a unit. Raises UnavailableError when the engine cannot draw it."""
    from quillmark import OutputFormat, Quill, Quillmark, QuillmarkError

    with tempfile.TemporaryDirectory(prefix="docsidecar-chart-") as folder:
        home = Path(folder)
        (home / "Quill.yaml").write_text(_QUILL, encoding="utf-8")
        (home / "assets").mkdir()
        (home / "assets" / "shapes.svg").write_text(write_svg(scene, words=False), encoding="utf-8")
        text = {char for mark in scene.marks if isinstance(mark, SceneText) for char in mark.text}
        choice = choose_fonts("".join(char for char in text if ord(char) not in ENGINE_FONT))
        _add_fonts(home, choice)
        (home / "plate.typ").write_text(_plate(_with_missing_glyphs(scene, choice)), encoding="utf-8")
        try:
            quill = Quill.from_path(home)
            result = Quillmark().render(quill, quill.parse(_DOCUMENT), OutputFormat.PNG, ppi=_PPI)
        except QuillmarkError as error:
            raise UnavailableError(f"The chart cannot be drawn as PNG ({error}); ask for svg.") from error
        return bytes(result.artifacts[0].bytes)


def _plate(scene: Scene) -> str:
    lines = [_PREAMBLE.format(width=scene.width, height=scene.height)]
    for mark in scene.marks:
        if isinstance(mark, SceneText) and mark.text:
            weight = 600 if mark.bold else 400
            lines.append(
                f"#w({mark.x:.2f}, {mark.y:.2f}, {mark.size:.2f}, {weight}, {_string(mark.colour)}, {mark.turn:.1f},"
                f" {_SIDES[mark.anchor]}, {_string(plain(mark.text))})"
            )
    return "\n".join(lines)


def _string(text: str) -> str:
    """A Typst string literal: in it nothing but the backslash and the quote means anything."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\r", " ") + '"'


def _with_missing_glyphs(scene: Scene, choice: FontChoice) -> Scene:
    """The scene with a remark that names the scripts no font of the machine has, and "?" where they would be blank."""
    if not choice.missing:
        return scene
    marks = [
        replace(mark, text="".join(char if _has_glyph(char, choice) else "?" for char in mark.text))
        if isinstance(mark, SceneText)
        else mark
        for mark in scene.marks
    ]
    size = max(8.0, min(scene.width / 960, scene.height / 540) * 11)
    scripts = ", ".join(script for script, _, _ in choice.missing)
    remark = fitted(f"No font on this machine has: {scripts}", size, scene.width - 2 * size)
    marks.append(SceneText(scene.width - size * 0.6, scene.height - size * 0.8, remark, size, "end", SOFT))
    return Scene(scene.width, scene.height, scene.title, marks)


def _has_glyph(char: str, choice: FontChoice) -> bool:
    return (
        ord(char) in ENGINE_FONT or not char.isprintable() or any(ord(char) in covered(path) for path in choice.files)
    )


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
            if path is not None:
                copy_font(path, folder)
