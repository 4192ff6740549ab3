"""Text that who opens an Office file does not see: its colour against what is behind it, its size, and how many pieces
of each kind a document has. It is flagged, never taken out. Not responsible for finding runs, shapes or cells."""

import io
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from sidecar.api import DamagedError, LimitError, Notice, Span
from sidecar.toolkit.hidden import MIN_POINTS
from sidecar.toolkit.ooxml.colours import FILLS, changed, plain_colour
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import sniff_image
from sidecar.toolkit.visible import invisible_spans
from sidecar.toolkit.xml import XmlElement, child_of

HiddenKind = Literal["formatting", "colour", "size", "characters", "place"]
"""Hidden by its formatting (`w:vanish`), in the colour of its background, too small to read, spelt in characters
without shape, or standing off the page or slide."""

WHITE = 0xFFFFFF
_NEAR = 30
"""Difference of two colours, summed over red, green and blue (0 to 255 each), that an eye does not tell on a screen:
#F5F5F5 on white."""
_SOLID, _NO_FILL, _HIGHLIGHT, _LINE = f"{A}solidFill", f"{A}noFill", f"{A}highlight", f"{A}ln"
_PANEL_FILLS = (f"{A}solidFill", f"{A}gradFill")
_SQUARE = frozenset({"rect", "roundRect", "snip1Rect", "round1Rect", "flowChartProcess"})
_MAX_PICTURE_BYTES = 32 * 2**20
"""How much of a picture is looked into."""
_COLOURED = frozenset((f"{A}solidFill", f"{A}gradFill", f"{A}pattFill"))
_PNG_COLOUR_TYPE = 25
"""Where the header of a PNG tells its colour type."""
_WITHOUT_ALPHA = (b"\0", b"\2", b"\3")
"""Those of grey, of colour and of a palette."""
_USUAL_SIZE = 1800
"""Hundredths of a point of type that is not told how large it is (§21.1.2.3.9)."""
USUAL_SCHEME: Mapping[str, int] = {"bg1": WHITE, "lt1": WHITE, "tx1": 0, "dk1": 0}
"""The theme's colours that are alike in nearly every theme."""
_OPAQUE = 250
"""Of 255: the least opacity of a picture's pixels that hide what is below."""
_TITLE = "{http://schemas.openxmlformats.org/drawingml/2006/chart}title"
_FAINT = 5_000
"""Thousandths of a per cent of opacity below which nothing shows."""
_WORDS: dict[HiddenKind, str] = {
    "formatting": "hidden by formatting",
    "colour": "in the colour of the background",
    "size": f"smaller than {MIN_POINTS:.0f} pt",
    "characters": "of invisible characters",
    "place": "off the page or behind a picture",
}


@dataclass
class HiddenText:
    """How many pieces of text (paragraphs, cells) are hidden, by kind."""

    counts: dict[HiddenKind, int] = field(default_factory=dict[HiddenKind, int])

    def add(self, kind: HiddenKind) -> None:
        """Count one more."""
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def notices(self, part: int | None = None) -> list[Notice]:
        """The remark that counts them; none where nothing is hidden."""
        if not self.counts:
            return []
        counted = ", ".join(f"{self.counts[kind]:,} {words}" for kind, words in _WORDS.items() if kind in self.counts)
        return [Notice("hidden_content", f"Text that readers do not see, kept and flagged: {counted}.", part)]


def hex_colour(value: str | None) -> int | None:
    """The colour of "RRGGBB" or "AARRGGBB"; None for anything else ("auto", names)."""
    if value is None or len(value) not in (6, 8):
        return None
    try:
        return int(value[-6:], 16)
    except ValueError:
        return None


def similar_colours(one: int, other: int) -> bool:
    """Whether two colours (0xRRGGBB) look the same."""
    red, green, blue = ((one >> 16) - (other >> 16), (one >> 8 & 255) - (other >> 8 & 255), (one & 255) - (other & 255))
    return abs(red) + abs(green) + abs(blue) <= _NEAR


def with_invisible(text: str, spans: tuple[Span, ...], found: HiddenText) -> tuple[Span, ...]:
    """`spans` with those of invisible characters in `text`, which are counted."""
    more = invisible_spans(text)
    if not more:
        return spans
    found.add("characters")
    return (*spans, *more)


@dataclass
class DrawnText:
    """Whether runs of a DrawingML text body can be seen, where the text stands on `behind` (None: not told), by colours
    that `colour_of` resolves (None: cannot be told)."""

    found: HiddenText
    behind: Callable[[int], int | None]
    """The background, for text of the colour given: what is dear to find out is asked only where it matters."""
    colour_of: Callable[[XmlElement], int | None]
    inherited: Callable[[int], Sequence[XmlElement]] = lambda _: ()
    """The run properties that a level of text inherits from outside its text body, the nearest first."""
    usual: Callable[[], int | None] = lambda: None
    """The colour of words that nobody gives one, where it is told."""
    scale: float = 1.0
    """Of the size of type that is asked for (`fontScale`, §21.1.2.1.3)."""

    def hides(self, properties: Sequence[XmlElement], level: int = 0) -> bool:
        """Whether run properties (`a:rPr`, `a:defRPr`; the nearest first) hide their text, which is counted."""
        kind = self._hidden_by([*properties, *self.inherited(level)])
        if kind is not None:
            self.found.add(kind)
        return kind is not None

    def _hidden_by(self, properties: Sequence[XmlElement]) -> HiddenKind | None:
        sizes = (node.get("sz") or "" for node in properties)
        size = next((int(size[:9]) for size in sizes if size.isdecimal()), 0)
        spread = next((spread for node in properties if (spread := node.get("spc"))), "")
        heaped = spread.startswith("-") and spread[1:].isdecimal() and 2 * int(spread[1:9]) >= (size or _USUAL_SIZE)
        if heaped or 0 < (size or _USUAL_SIZE) * self.scale < MIN_POINTS * 100:
            return "size"
        fill = next((child for node in properties for child in node if child.tag in FILLS), None)
        marked = [node for run in properties if (node := child_of(run, _HIGHLIGHT)) is not None and len(node)]
        behind = partial(self._marked, marked[0][0]) if marked else self.behind
        if fill is None:
            usual = self.usual()
            return "colour" if usual is not None and self._is_on(usual, behind) else None
        lines = [node for run in properties if (node := child_of(run, _LINE)) is not None]
        if any(child_of(line, _SOLID) is not None for line in lines):
            return None  # letters are seen by what is drawn around them
        if fill.tag == _NO_FILL:
            return "colour"
        colours = _fill_colours(fill)
        return "colour" if colours and all(self._is_invisible(node, behind) for node in colours) else None

    def _marked(self, highlight: XmlElement, _colour: int) -> int | None:
        return self.colour_of(highlight)

    def _is_on(self, colour: int, behind: Callable[[int], int | None]) -> bool:
        ground = behind(colour)
        return ground is not None and similar_colours(colour, ground)

    def _is_invisible(self, node: XmlElement, behind: Callable[[int], int | None]) -> bool:
        """Whether words in a colour are not seen."""
        alpha = _alpha(node)
        if alpha.isdecimal() and int(alpha[:9]) < _FAINT:
            return True
        colour = self.colour_of(node)
        return colour is not None and self._is_on(colour, behind)


def _fill_colours(fill: XmlElement) -> list[XmlElement]:
    """The colours of a fill (§20.1.8): of each stop of a gradient, both of a pattern; none for pictures."""
    if fill.tag not in _COLOURED:
        return []
    if fill.tag == _SOLID:
        return [fill[0]] if len(fill) else []
    nodes = fill.findall(f"{A}gsLst/{A}gs") or fill.findall(f"{A}fgClr") + fill.findall(f"{A}bgClr") or [fill]
    return [node[0] for node in nodes if len(node)]


def is_solid(data: bytes) -> bool:
    """Whether a JPEG or PNG has no pixel that lets through what is below it; False for every other picture."""
    seen = sniff_image(data)
    if seen is None or seen.media_type not in ("image/jpeg", "image/png") or not seen.width:
        return False
    # Most are told by their heads: a worker that never opens a picture need not import what does.
    return seen.media_type == "image/jpeg" or _is_png_without_alpha(data) or _has_opaque_pixels(data)


def is_solid_part(package: Package, part: str) -> bool:
    """The same of a picture in a package; False where it is damaged or not there."""
    try:
        return part in package and is_solid(package.read(part, _MAX_PICTURE_BYTES))
    except (DamagedError, LimitError):
        return False


def _is_png_without_alpha(data: bytes) -> bool:
    """Whether a PNG has neither a channel of alpha nor a chunk `tRNS`, which stands before the first of pixels
    (ISO/IEC 15948 §11.2.2, §5.6)."""
    if data[_PNG_COLOUR_TYPE : _PNG_COLOUR_TYPE + 1] not in _WITHOUT_ALPHA:
        return False
    at = 8  # behind the signature
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name in (b"IDAT", b"tRNS"):
            return name == b"IDAT"
        at += 12 + length
    return False


def _has_opaque_pixels(data: bytes) -> bool:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if "A" not in picture.getbands() and "transparency" not in picture.info:
                return True
            low, _ = picture.convert("RGBA").getchannel("A").getextrema()
    except (OSError, ValueError, Image.DecompressionBombError):
        return False
    return isinstance(low, int) and low >= _OPAQUE


def is_panel(properties: XmlElement | None) -> bool:
    """Whether shape properties (§20.1.2.2.35) fill the whole box of the shape, letting nothing through."""
    if properties is None or next(properties.iter(f"{A}alpha", f"{A}alphaModFix"), None) is not None:
        return False
    if not any(properties.find(fill) is not None for fill in _PANEL_FILLS):
        return False
    geometry = properties.find(f"{A}prstGeom")
    return geometry.get("prst") in _SQUARE if geometry is not None else _is_square(properties.find(f"{A}custGeom"))


def _is_square(drawn: XmlElement | None) -> bool:
    """Whether a shape of its own (§20.1.9.8) is one path around its whole box."""
    paths = drawn.findall(f"{A}pathLst/{A}path") if drawn is not None else []
    if len(paths) != 1:
        return False
    wide, high = paths[0].get("w", ""), paths[0].get("h", "")
    points = {(point.get("x"), point.get("y")) for point in paths[0].iter(f"{A}pt")}
    straight = all(step.tag in (f"{A}moveTo", f"{A}lnTo", f"{A}close") for step in paths[0])
    return straight and points == {("0", "0"), (wide, "0"), (wide, high), ("0", high)}


def remove_hidden(root: XmlElement, seen: DrawnText) -> list[str]:
    """Take the runs that nobody sees out of a chart or diagram part, and give their texts.

    Titles stand on what the chart is filled with, else on what `seen` says is behind it; other words may stand on a
    bar, a sector or a shape, whose colour a style may give, so that only their size and ink tell."""
    filled, fill = fill_of(root.find("{*}spPr"), seen.colour_of)
    titles = DrawnText(seen.found, (lambda _: fill) if filled else seen.behind, seen.colour_of)
    others = DrawnText(seen.found, lambda _: None, seen.colour_of)
    found: list[str] = []
    for paragraph in list(root.iter(f"{A}p")):
        default = paragraph.find(f"{A}pPr/{A}defRPr")
        titled = next(paragraph.iterancestors(_TITLE), None) is not None
        for run in paragraph.findall(f"{A}r"):
            own = [node for node in (run.find(f"{A}rPr"), default) if node is not None]
            text = run.findtext(f"{A}t") or ""
            if own and text.strip() and (titles if titled else others).hides(own):
                found.append(text)
                paragraph.remove(run)
    return found


def drawn_colour(node: XmlElement, scheme: Mapping[str, int]) -> int | None:
    """A DrawingML colour (§20.1.2.3) as 0xRRGGBB, `scheme` giving the theme's; None for one that is not known."""
    rgb = plain_colour(node, lambda name: f"{scheme[name]:06x}" if name in scheme else "")
    if rgb is None:
        return None
    red, green, blue = (round(part * 255) for part in changed(node, rgb))
    return red << 16 | green << 8 | blue


def fill_of(properties: XmlElement | None, colour_of: Callable[[XmlElement], int | None]) -> tuple[bool, int | None]:
    """Whether shape or cell properties fill, and with which colour (None: not one that can be told)."""
    fill = next((child for child in properties if child.tag in FILLS), None) if properties is not None else None
    if fill is None or fill.tag == _NO_FILL:
        return False, None
    colours = [colour_of(node) for node in _fill_colours(fill)]
    first = colours[0] if colours else None
    same = first is not None and all(one is not None and similar_colours(first, one) for one in colours)
    return True, first if same else None


def _alpha(colour: XmlElement) -> str:
    node = child_of(colour, f"{A}alpha")
    return node.get("val", "") if node is not None else ""
