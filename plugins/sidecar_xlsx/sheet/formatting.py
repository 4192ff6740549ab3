"""How a sheet looks: sizes of rows and columns, fonts, fills, borders and alignment of cells (ECMA-376 part 1 §18.8),
and where pictures and charts stand (§20.5). Not responsible for values."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sidecar.api import DamagedError, EmbedKind
from sidecar.toolkit.cell_references import CellRange, parse_cell, parse_range
from sidecar.toolkit.drawn.model import Align, Anchor, Stroke
from sidecar.toolkit.drawn.sheets import CellStyle, PlacedFigure, SheetStyle
from sidecar.toolkit.ooxml.drawing import visible_children
from sidecar.toolkit.ooxml.hidden_text import hex_colour
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, children_by_name, etree, local_name, unsigned
from sidecar_xlsx.cells.styles import FIXED, PALETTE, Colours, read_theme
from sidecar_xlsx.sheet.drawings import corner, offset

_EMU = 12700
_DIGIT, _PADDING, _PIXEL = 7.0, 5.0, 0.75
"""Pixels of a digit of the usual type and of a column's padding (§18.3.1.13), and points in a pixel."""
_MAX_ROWS, _MAX_COLUMNS = 20_000, 1024
"""Cells beyond are drawn as any other cell."""
_MAX_LOOKS = 200_000
_MAX_MERGES = 2000
_ON = frozenset(("1", "true", "on"))
_DASHED = {"dashed": "dashed", "mediumDashed": "dashed", "dashDot": "dashed", "mediumDashDot": "dashed",
           "dotted": "dotted", "hair": "dotted", "dashDotDot": "dotted"}  # fmt: skip
_WIDTHS = {"hair": 0.3, "thin": 0.6, "dotted": 0.6, "dashed": 0.6, "double": 1.5, "thick": 2.2}
_MEDIUM = 1.3
_ALIGNED: Mapping[str, Align] = {
    "left": "left", "center": "center", "right": "right", "justify": "justify", "centerContinuous": "center",
    "distributed": "justify", "fill": "left",
}  # fmt: skip
_ANCHORS: Mapping[str, Anchor] = {"top": "top", "center": "middle", "justify": "middle", "distributed": "middle"}
_KINDS: Mapping[str, EmbedKind] = {"pic": "image", "graphicFrame": "chart"}


def read_sheet_style(package: Package, main: str, part: str) -> SheetStyle:
    """What the sheet in `part` of the workbook `main` says of its look; what is damaged says nothing."""
    looks = _styles(package, main)
    try:
        data = package.markup(part)
    except DamagedError:
        return SheetStyle()
    read = _SheetFormatting(looks)
    for _, node in etree.iterparse(io.BytesIO(data), tag="{*}*", recover=True, huge_tree=True, resolve_entities=False):
        if not read.take(node):
            break
    return replace(read.look(), placed=tuple(_placed(package, part)))


class _SheetFormatting:
    """Collects what the elements of a worksheet part say, one after another."""

    def __init__(self, looks: list[CellStyle]) -> None:
        self._looks = looks
        self._widths: dict[int, float] = {}
        self._columns: dict[int, CellStyle] = {}
        self._heights: dict[int, float] = {}
        self._cells: dict[tuple[int, int], CellStyle] = {}
        self._width, self._height = 64 * _PIXEL, 15.0
        self._grid = True
        self._known = False
        self._merges: list[CellRange] = []
        self._omitted: dict[str, int] = {}

    def take(self, node: XmlElement) -> bool:
        """One element that has been read whole; False when no more is needed."""
        name = node.tag.rpartition("}")[2]
        if name == "c":
            self._cell(node)
        elif name == "row":
            self._one_row(node)
            node.clear()
        elif name == "col":
            self._column(node)
        elif name == "sheetFormatPr":
            self._height = _number(node, "defaultRowHeight", self._height)
            self._width = _points(_number(node, "defaultColWidth", 0.0)) or self._width
        elif name == "sheetView":
            self._grid = node.get("showGridLines", "1") in _ON
        elif name == "mergeCell" and len(self._merges) < _MAX_MERGES:
            area = parse_range(node.get("ref", ""))
            self._merges += [area] if area is not None else []
        elif name == "conditionalFormatting":
            self._omitted["conditional format"] = self._omitted.get("conditional format", 0) + 1
        return len(self._cells) < _MAX_LOOKS

    def _column(self, node: XmlElement) -> None:
        self._known = True
        first, last = (int(_number(node, key)) for key in ("min", "max"))
        hidden = node.get("hidden") in _ON
        width = 0.0 if hidden else _points(_number(node, "width", 0.0)) or self._width
        look = self._look(node.get("style"))
        for column in range(max(first, 1) - 1, min(last, _MAX_COLUMNS)):
            self._widths[column] = width
            if look is not None:
                self._columns[column] = look

    def _one_row(self, node: XmlElement) -> None:
        number = int(_number(node, "r")) - 1
        if 0 <= number < _MAX_ROWS:
            if node.get("hidden") in _ON:
                self._heights[number] = 0.0
            elif node.get("ht"):
                self._known = True
                self._heights[number] = min(_number(node, "ht", self._height), 409.5)

    def _cell(self, node: XmlElement) -> None:
        place = parse_cell(node.get("r", ""))
        if place is not None and place[0] < _MAX_ROWS and place[1] < _MAX_COLUMNS:
            look = self._look(node.get("s")) or self._columns.get(place[1])
            if look is not None:
                self._cells[place] = look

    def _look(self, index: str | None) -> CellStyle | None:
        number = int(index[:6]) if index and index.isdecimal() else 0
        return self._looks[number] if index is not None and number < len(self._looks) else None

    def look(self) -> SheetStyle:
        """All of it."""
        default = self._looks[0] if self._looks else CellStyle()
        return SheetStyle(
            widths=self._widths, heights=self._heights, width=self._width, height=self._height, cells=self._cells,
            merges=self._merges, default=default, grid=self._grid, known=self._known or bool(self._looks),
            omitted=tuple(f"{count} {what}{'s' * (count > 1)}" for what, count in self._omitted.items()),
        )  # fmt: skip


def _points(characters: float) -> float:
    """The width of a column of that many digits, in points."""
    return (characters * _DIGIT + _PADDING) * _PIXEL if characters > 0 else 0.0


def _number(node: XmlElement | None, name: str, default: float = 0.0) -> float:
    try:
        found = float(node.get(name, default)) if node is not None else default
    except ValueError:
        return default
    return found if 0 <= found < 1e6 else default


@dataclass(frozen=True)
class _Tables:
    """The tables of a styles part that cell styles refer to by number."""

    fonts: list[XmlElement]
    fills: list[XmlElement]
    borders: list[XmlElement]
    colours: Colours


def _styles(package: Package, main: str) -> list[CellStyle]:
    """The looks of a workbook's cell styles, by their index."""
    named = {found.type: found.target for found in package.relationships(main).values()}
    try:
        root = package.xml(named.get("styles", "xl/styles.xml"))
    except DamagedError:
        return []
    theme = ""
    try:
        if named.get("theme", "") in package:
            theme = package.shared(named["theme"], read_theme)
    except DamagedError:
        theme = ""
    own = [hex_colour(node.get("rgb")) for node in root.iterfind("{*}colors/{*}indexedColors/{*}rgbColor")]
    palette = own[FIXED:] if len(own) > FIXED else PALETTE
    colours = Colours(tuple(map(hex_colour, theme.split(","))), palette) if theme else Colours(palette=palette)

    def listed(name: str) -> list[XmlElement]:
        return [entry for holder in root.iterchildren(f"{{*}}{name}") for entry in holder.iterchildren("{*}*")]

    tables = _Tables(listed("fonts"), listed("fills"), listed("borders"), colours)
    return [_look(node, tables) for node in listed("cellXfs")]


def _look(style: XmlElement, tables: _Tables) -> CellStyle:
    def named(entries: list[XmlElement], key: str) -> XmlElement | None:
        number = int(_number(style, key))
        return entries[number] if number < len(entries) else None

    look = _with_font(CellStyle(), named(tables.fonts, "fontId"), tables.colours)
    alignment = next(style.iterchildren("{*}alignment"), None)
    if alignment is not None:
        look = replace(
            look,
            align=_ALIGNED.get(alignment.get("horizontal", "")),
            anchor=_ANCHORS.get(alignment.get("vertical", ""), "bottom"),
            wrap=alignment.get("wrapText") in _ON,
            indent=_number(alignment, "indent") * 9 * _PIXEL,
        )
    return replace(
        look,
        fill=_fill(named(tables.fills, "fillId"), tables.colours),
        strokes=_strokes(named(tables.borders, "borderId"), tables.colours),
    )


def _with_font(look: CellStyle, font: XmlElement | None, colours: Colours) -> CellStyle:
    if font is None:
        return look
    by_name = children_by_name(font)

    def on(name: str) -> bool:
        return name in by_name and by_name[name].get("val", "1") in {*_ON, "single", "double", "singleAccounting"}

    size = _number(by_name.get("sz"), "val", look.size)
    return replace(
        look, colour=_hex(colours.of(by_name.get("color"))) or "#000000", size=min(max(size, 1.0), 409.0), bold=on("b"),
        italic=on("i"), underline=on("u"), strike=on("strike"),
    )  # fmt: skip


def _fill(node: XmlElement | None, colours: Colours) -> str:
    """The colour of a fill (§18.8.20), "" for none; a gradient is its last colour, a pattern the one behind it."""
    pattern = node.find("{*}patternFill") if node is not None else None
    if pattern is None:
        stops = list(node.iter("{*}stop")) if node is not None else []
        return _hex(colours.of(stops[-1].find("{*}color"))) if stops else ""
    kind = pattern.get("patternType", "none")
    if kind == "none":
        return ""
    wanted = "{*}fgColor" if kind == "solid" else "{*}bgColor"
    return _hex(colours.of(pattern.find(wanted))) or ("" if kind == "solid" else "#e0e0e0")


def _strokes(
    node: XmlElement | None, colours: Colours
) -> tuple[Stroke | None, Stroke | None, Stroke | None, Stroke | None]:
    found: list[Stroke | None] = []
    for side in ("left", "top", "right", "bottom"):
        edge = next(node.iterchildren(f"{{*}}{side}"), None) if node is not None else None
        style = edge.get("style", "none") if edge is not None else "none"
        if edge is None or style == "none":
            found.append(None)
            continue
        colour = _hex(colours.of(next(edge.iterchildren("{*}color"), None))) or "#000000"
        dash = _DASHED.get(style, "solid")
        kind = "dashed" if dash == "dashed" else "dotted" if dash == "dotted" else "solid"
        found.append(Stroke(colour=colour, width=_WIDTHS.get(style, _MEDIUM), dash=kind))
    return found[0], found[1], found[2], found[3]


def _hex(colour: int | None) -> str:
    return f"#{colour:06x}" if colour is not None else ""


def _placed(package: Package, sheet: str) -> Iterator[PlacedFigure]:
    """The anchors of pictures and charts (§20.5.2.33, §20.5.2.24)."""
    for drawing in package.related(sheet, "drawing"):
        try:
            root = package.xml(drawing.target)
        except DamagedError:
            continue
        for anchor in visible_children(root):
            corners = {local_name(child): child for child in visible_children(anchor)}
            kind: EmbedKind | None = next((_KINDS[name] for name in corners if name in _KINDS), None)
            start = _corner(corners.get("from"))
            if kind is None or start is None:
                continue
            end = _corner(corners.get("to"))
            extent = corners.get("ext")
            size = (_length(extent, "cx"), _length(extent, "cy")) if extent is not None else None
            yield PlacedFigure(kind, start[0], start[1], *(end or (None, (0.0, 0.0))), size)


def _length(node: XmlElement, name: str) -> float:
    return unsigned(node.get(name)) / _EMU


def _corner(node: XmlElement | None) -> tuple[tuple[int, int], tuple[float, float]] | None:
    """The cell of a `xdr:from` or `xdr:to`, and how far into it in points."""
    place = corner(node)
    if node is None or place is None:
        return None
    return place, (offset(node, "colOff") / _EMU, offset(node, "rowOff") / _EMU)
