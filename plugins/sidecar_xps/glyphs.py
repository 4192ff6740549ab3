"""The text of one page of an XPS document: runs of glyphs put together to lines and paragraphs (ECMA-388 12.1, 14).

In the order of the file, which is that in which programs print: by baselines and gaps alone. What stands in columns is
read one after the other where it was printed so."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sidecar.api.model import Span
from sidecar.toolkit.drawn.affine import IDENTITY, Affine, concatenated
from sidecar.toolkit.xml import XmlElement, local_name

_USUAL_ADVANCE: Final = 50.0
"""Hundredths of the type size that a letter is wide, where nothing is said."""
_SAME_LINE: Final = 0.35
_NEXT_LINE: Final = 1.75
_BLANK: Final = 0.15
_SHIFT: Final = 3.0
"""In type sizes: how far apart baselines of one line are at most, those of lines of a paragraph, and letters without a
blank between; and how far to the right of the one above a line begins that goes on with its paragraph."""
_MAX_DEPTH: Final = 100
BULLETS: Final = frozenset("•‣◦▪▫■□●○–")
"""Signs that a line begins with which is an item of a list."""


class GlyphRun(NamedTuple):
    """A run of glyphs: its text, where it begins, how wide it is, its type size and where it leads to."""

    text: str
    x: float
    y: float
    width: float
    size: float
    link: str


@dataclass
class ParagraphText:
    """A paragraph, as far as read."""

    text: str = ""
    spans: list[Span] = field(default_factory=list[Span])

    def add(self, run: GlyphRun, between: str) -> None:
        """A run goes on with it."""
        self.text += between
        start = len(self.text)
        self.text += run.text
        if run.link:
            self.spans.append(Span("link", start, len(self.text), run.link))


def runs(node: XmlElement, matrix: Affine = IDENTITY, link: str = "", depth: int = 0) -> Iterator[GlyphRun | str]:
    """The runs of a page's element in their order, and the names of pictures between them."""
    kind = local_name(node)
    matrix = concatenated(_transform(node), matrix)
    link = node.get("FixedPage.NavigateUri") or link
    if kind == "ImageBrush" and node.get("ImageSource"):
        yield node.get("ImageSource", "")
    elif kind == "Glyphs":
        run = _run(node, matrix, link)
        if run is not None:
            yield run
    else:
        for child in node.iterchildren() if depth < _MAX_DEPTH else node.iter("{*}Glyphs"):
            yield from runs(child, matrix, link, depth + 1)


def paragraphs(page: list[GlyphRun | str]) -> Iterator[ParagraphText | str]:
    """The paragraphs of a page, and the names of pictures between them."""
    text, last, edge = ParagraphText(), None, 0.0
    for one in page:
        if isinstance(one, str):
            if text.text:
                yield text
            text, last = ParagraphText(), None
            yield one
            continue
        joint = _joint(last, one, edge) if last is not None else None
        if joint is None:
            if text.text:
                yield text
            text, joint = ParagraphText(), ""
        if last is None or (joint in ("", "\n") and abs(one.y - last.y) > _SAME_LINE * one.size):
            edge = one.x
        between = "" if text.text.endswith((" ", "-")) and joint != " " else joint
        text.add(one, " " if between == "\n" else between)
        last = one
    if text.text:
        yield text


def _joint(last: GlyphRun, one: GlyphRun, edge: float) -> str | None:
    """What stands between two runs: nothing, a blank, a line end; None where they belong to two paragraphs."""
    size = max(last.size, one.size)
    down = one.y - last.y
    if abs(down) <= _SAME_LINE * size:
        gap = one.x - last.x - last.width
        if gap < -_SHIFT * size:
            return None
        return " " if gap > _BLANK * size and not last.text.endswith(" ") and not one.text.startswith(" ") else ""
    goes_on = 0 < down <= _NEXT_LINE * size and abs(one.x - edge) <= _SHIFT * size and one.text[:1] not in BULLETS
    return "\n" if goes_on and math.isclose(last.size, one.size, rel_tol=0.1) else None


def _run(node: XmlElement, matrix: Affine, link: str) -> GlyphRun | None:
    text = node.get("UnicodeString") or ""
    text = text.removeprefix("{}")
    size = number_of(node.get("FontRenderingEmSize"))
    if not text:
        return None
    x, y = number_of(node.get("OriginX")), number_of(node.get("OriginY"))
    scale = math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])) or 1.0
    width = size * scale * sum(_advances(node.get("Indices") or "", len(text))) / 100
    return GlyphRun(
        text, x * matrix[0] + y * matrix[2] + matrix[4], x * matrix[1] + y * matrix[3] + matrix[5], width, size * scale,
        link,
    )  # fmt: skip


def _advances(indices: str, count: int) -> Iterator[float]:
    """How far each glyph takes the pen, in hundredths of the type size."""
    entries = indices.split(";")[:count]
    for one in entries:
        parts = one.split(",")
        yield number_of(parts[1]) if len(parts) > 1 and parts[1] else _USUAL_ADVANCE
    yield from [_USUAL_ADVANCE] * (count - len(entries))


def _transform(node: XmlElement) -> Affine:
    """The element's own transformation, in an attribute or in an element."""
    matrix = node.get("RenderTransform") or ""
    if not matrix:
        for child in node.iterchildren():
            if local_name(child).endswith(".RenderTransform"):
                matrix = next((inner.get("Matrix") or "" for inner in child.iterchildren()), "")
    numbers = [number_of(part) for part in matrix.split(",")]
    return (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]) if len(numbers) == 6 else IDENTITY


def number_of(text: str | None) -> float:
    """An attribute that is a number; 0 for what is none, or is not finite."""
    try:
        value = float(text or 0)
    except ValueError:
        return 0.0
    return value if math.isfinite(value) else 0.0
