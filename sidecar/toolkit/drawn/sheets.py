"""A sheet as a grid with column letters and row numbers: its cells as they look, pictures and charts at their anchors.

Not responsible for reading looks: a format gives what its files say as `SheetStyle`. Lengths in points."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.api import ChartData, EmbedKind, Figure, Merge, ParsedDocument, Part, Table
from sidecar.toolkit.cell_references import CellRange, cell_name, parse_range
from sidecar.toolkit.drawn.model import (
    Align,
    Anchor,
    ChartItem,
    PageDrawing,
    PictureItem,
    PlacedItem,
    ShapeItem,
    Stroke,
    TextBody,
    TextParagraph,
    TextRun,
    solid,
)

_MAX_ROWS, _MAX_COLUMNS = 80, 40
_MAX_HEIGHT, _MAX_WIDTH = 1600.0, 1600.0
_HEAD_HEIGHT, _HEAD_WIDTH = 14.0, 32.0
_FIRST = 8
"""A range that begins further away than this many rows or columns is shown from where it begins."""
_CHART_SIZE = (360.0, 216.0)
"""What Excel gives a new chart."""
_POINTS_A_PIXEL = 0.75
_CHARACTER = 0.5
"""About how wide a digit is, as a share of the type size."""
_NUMBER = re.compile(r"[-+(]?\s?[^\w\s]?\s?\d[\d.,  '’]*\s?[%)€$£¥]*(?:[eE][-+]?\d+)?")
_GRID = Stroke(colour="#d9d9d9", width=0.4)
_HEAD_FILL, _HEAD_INK = "#f0f0f0", "#606060"
_REMARK = "Drawn by DocSidecar, not by a spreadsheet program."


@dataclass(frozen=True)
class CellStyle:
    """How a cell looks; "" for what the application decides. Strokes are left, top, right, bottom."""

    fill: str = ""
    colour: str = "#000000"
    size: float = 11.0
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    align: Align | None = None
    anchor: Anchor = "bottom"
    wrap: bool = False
    indent: float = 0.0
    strokes: tuple[Stroke | None, Stroke | None, Stroke | None, Stroke | None] = (None, None, None, None)


@dataclass(frozen=True)
class PlacedFigure:
    """Where a picture or chart stands: the cell at its top left and how far in, and its size or the cell at its bottom
    right and how far in."""

    kind: EmbedKind
    start: tuple[int, int]
    inset: tuple[float, float] = (0.0, 0.0)
    end: tuple[int, int] | None = None
    end_inset: tuple[float, float] = (0.0, 0.0)
    size: tuple[float, float] | None = None


@dataclass(frozen=True)
class SheetStyle:
    """What a file says of a sheet's look, by 0-based row and column; widths and heights of 0 are hidden."""

    widths: Mapping[int, float] = field(default_factory=dict[int, float])
    heights: Mapping[int, float] = field(default_factory=dict[int, float])
    width: float = 48.0
    height: float = 15.0
    cells: Mapping[tuple[int, int], CellStyle] = field(default_factory=dict[tuple[int, int], CellStyle])
    default: CellStyle = CellStyle()
    merges: Sequence[CellRange] = ()
    """Merged cells that the tables do not tell of."""
    grid: bool = True
    placed: Sequence[PlacedFigure] = ()
    omitted: Sequence[str] = ()
    known: bool = True
    """False where nothing is known of widths: columns are then as wide as their words."""


Bytes = Callable[[EmbedKind, int], bytes]
"""The bytes of an embed by kind and id; b"" where they cannot be had."""


def draw_sheet(document: ParsedDocument, number: int, style: SheetStyle, data: Bytes) -> PageDrawing:
    """Sheet `number`, 1-based: as much of its used range as can be read in one picture."""
    return _Sheet(document, document.parts[number - 1], style, data).draw()


class _Sheet:
    def __init__(self, document: ParsedDocument, part: Part, style: SheetStyle, data: Bytes) -> None:
        self.style = style
        self.data = data
        self.charts: dict[int, ChartData] = {
            embed.id: embed.chart for embed in document.embedded if embed.kind == "chart" and embed.chart is not None
        }
        self.sizes = {(embed.kind, embed.id): (embed.width, embed.height) for embed in document.embedded}
        self.texts: dict[tuple[int, int], str] = {}
        self.numbers: set[tuple[int, int]] = set()
        self.merges: dict[tuple[int, int], Merge] = {}
        self.covered: set[tuple[int, int]] = set()
        self.hidden_rows: set[int] = set()
        self.hidden_columns: set[int] = set()
        for block in part.blocks:
            if isinstance(block, Table) and not block.hidden:
                self._add_texts(block)
        for area in style.merges:
            height, width = area.bottom - area.top + 1, area.right - area.left + 1
            self._merge(area.top, area.left, height, width)
        self.figures = list(self._figures(part))
        self.items: list[PlacedItem] = []
        self.omitted = list(style.omitted)

    def _add_texts(self, table: Table) -> None:
        for r, row in enumerate(table.rows, table.first_row):
            for c, text in enumerate(row, table.first_col):
                if text:
                    self.texts[r, c] = text
        for cell in table.cells:
            place = (cell.row + table.first_row, cell.col + table.first_col)
            if (isinstance(cell.value, int | float) and not isinstance(cell.value, bool)) or cell.format:
                self.numbers.add(place)
        for merge in table.merges:
            self._merge(merge.row + table.first_row, merge.col + table.first_col, merge.rows, merge.cols)
        self.hidden_rows |= {row + table.first_row for row in table.hidden_rows}
        self.hidden_columns |= {column + table.first_col for column in table.hidden_cols}

    def _merge(self, row: int, column: int, rows: int, columns: int) -> None:
        """Take a merged region in, no larger than what is drawn: a file may merge all of a sheet."""
        rows, columns = min(rows, _MAX_ROWS), min(columns, _MAX_COLUMNS)
        self.merges[row, column] = Merge(0, 0, rows, columns)
        places = {(row + down, column + across) for down in range(rows) for across in range(columns)}
        self.covered |= places - {(row, column)}

    def _figures(self, part: Part) -> Iterator[tuple[Figure, PlacedFigure]]:
        """The figures that have something to show, with their places."""
        rest: dict[EmbedKind, list[PlacedFigure]] = {}
        for placed in self.style.placed:
            rest.setdefault(placed.kind, []).append(placed)
        for block in part.blocks:
            if not isinstance(block, Figure) or block.embed is None or block.hidden:
                continue
            kind = block.embed[0]
            area = parse_range(block.anchor) if block.anchor else None
            if kind not in ("image", "chart"):
                continue
            figures = rest.get(kind, [])
            found = next((one for one in figures if area is None or one.start == (area.top, area.left)), None)
            if found is not None:
                figures.remove(found)
                yield block, found
            elif area is not None:
                width, height = self.sizes.get(block.embed, (0, 0))
                size = (width * _POINTS_A_PIXEL, height * _POINTS_A_PIXEL) if width and height else _CHART_SIZE
                yield block, PlacedFigure(kind, (area.top, area.left), size=size)

    def draw(self) -> PageDrawing:
        """The drawing; its remark says which cells it shows."""
        corners = [*self.texts, *(place for place, style in self.style.cells.items() if style.fill)]
        for _, placed in self.figures:
            corners += [placed.start, placed.end or (placed.start[0] + 14, placed.start[1] + 7)]
        bottom = max((row for row, _ in corners), default=0)
        right = max((column for _, column in corners), default=0)
        top, left = min((row for row, _ in corners), default=0), min((column for _, column in corners), default=0)
        top, left = (0 if top <= _FIRST else top), (0 if left <= _FIRST else left)
        self.rows = _lines(top, bottom, _MAX_ROWS, _MAX_HEIGHT, self._height)
        self.columns = _lines(left, right, _MAX_COLUMNS, _MAX_WIDTH, self._width)
        self.ys = _edges(self.rows, _HEAD_HEIGHT, self._height)
        self.xs = _edges(self.columns, _HEAD_WIDTH, self._width)
        width, height = max(self.xs.values()), max(self.ys.values())
        self._heads(width, height)
        self._cells()
        for block, placed in self.figures:
            self._figure(block, placed)
        shown = f"{cell_name(top, left)}:{cell_name(self.rows[-1], self.columns[-1])}"
        whole = self.rows[-1] >= bottom and self.columns[-1] >= right
        extent = f" It shows {shown} of {cell_name(top, left)}:{cell_name(bottom, right)}."
        return PageDrawing(
            width=width + 4, height=height + 4, fill=solid("#ffffff"), items=tuple(self.items),
            omitted=tuple(self.omitted), remark=_REMARK if whole else _REMARK + extent,
        )  # fmt: skip

    def _height(self, row: int) -> float:
        return 0.0 if row in self.hidden_rows else self.style.heights.get(row, self.style.height)

    def _width(self, column: int) -> float:
        if column in self.hidden_columns:
            return 0.0
        if not self.style.known:
            longest = max((len(text) for (_, c), text in self.texts.items() if c == column), default=0)
            return min(max(longest * 5.6 + 8, 40.0), 220.0)
        return self.style.widths.get(column, self.style.width)

    def _heads(self, width: float, height: float) -> None:
        """Column letters, row numbers, and the grid."""
        head = solid(_HEAD_FILL)
        self.items += [
            ShapeItem(box=(0, 0, width, _HEAD_HEIGHT), fill=head),
            ShapeItem(box=(0, 0, _HEAD_WIDTH, height), fill=head),
        ]
        spans = [(column, self.xs[column], self.xs[column + 1]) for column in self.columns]
        for column, start, end in spans:
            name = cell_name(0, column).rstrip("1")
            self._head(name, (start, 0, end, _HEAD_HEIGHT))
        for row in self.rows:
            self._head(str(row + 1), (0, self.ys[row], _HEAD_WIDTH, self.ys[row + 1]))
        far = (width, height) if self.style.grid else (_HEAD_WIDTH, _HEAD_HEIGHT)
        for x in dict.fromkeys((_HEAD_WIDTH, *self.xs.values())):
            self.items.append(ShapeItem(box=(x, 0, x, far[1]), stroke=_GRID, lines=(((0, 0), (0, 1)),)))
        for y in dict.fromkeys((_HEAD_HEIGHT, *self.ys.values())):
            self.items.append(ShapeItem(box=(0, y, far[0], y), stroke=_GRID, lines=(((0, 0), (1, 0)),)))

    def _head(self, text: str, box: tuple[float, float, float, float]) -> None:
        if box[2] - box[0] < 1 or box[3] - box[1] < 5:
            return  # hidden
        run = TextRun(text=text, size=8, colour=_HEAD_INK)
        body = TextBody(
            paragraphs=(TextParagraph(runs=(run,), align="center"),), inset=(0, 0, 0, 0), anchor="middle", wrap=False,
            clip=True,
        )  # fmt: skip
        self.items.append(ShapeItem(box=box, body=body))

    def _box(self, row: int, column: int) -> tuple[float, float, float, float]:
        merge = self.merges.get((row, column))
        rows, columns = (merge.rows, merge.cols) if merge is not None else (1, 1)
        last_row, last_column = min(row + rows - 1, self.rows[-1]), min(column + columns - 1, self.columns[-1])
        return self.xs[column], self.ys[row], self.xs[last_column + 1], self.ys[last_row + 1]

    def _cells(self) -> None:
        """Fills below, then words, then borders, so that no fill covers a neighbour's line."""
        words: list[PlacedItem] = []
        edges: list[PlacedItem] = []
        for row in self.rows:
            for column in self.columns:
                place = (row, column)
                style = self.style.cells.get(place, self.style.default)
                box = self._box(row, column)
                if box[2] - box[0] < 1 or box[3] - box[1] < 1:
                    continue
                if place not in self.covered:
                    if style.fill or (place in self.merges and self.style.grid):
                        fill = solid(style.fill or "#ffffff")
                        self.items.append(ShapeItem(box=box, fill=fill, stroke=None if style.fill else _GRID))
                    if place in self.texts:
                        words.append(self._words(place, style, box))
                edges += _borders(style, (self.xs[column], self.ys[row], self.xs[column + 1], self.ys[row + 1]))
        self.items += [*words, *edges]

    def _words(self, place: tuple[int, int], style: CellStyle, box: tuple[float, float, float, float]) -> PlacedItem:
        text = self.texts[place]
        number = place in self.numbers or _NUMBER.fullmatch(text) is not None
        usual: Align = "right" if number else "center" if text in ("TRUE", "FALSE") else "left"
        align = style.align or usual
        lines = text.split("\n") if style.wrap or "\n" in text else [text]
        room = box[2] - box[0] - 4
        size = style.size
        wide = max(map(len, lines)) * _CHARACTER * size
        if number and wide > room:
            size = max(size * room / wide, 4.0)  # part of a number would be another number
        elif not style.wrap and wide > room and align in ("left", "center") and place not in self.merges:
            over = wide - room if align == "left" else (wide - room) / 2
            right = self._overflow(place, box[2] + over)
            box = (box[0] - (right - box[2] if align == "center" else 0.0), box[1], right, box[3])
        run = TextRun(
            text=text, size=size, colour=style.colour, bold=style.bold, italic=style.italic, underline=style.underline,
            strike=style.strike,
        )  # fmt: skip
        body = TextBody(
            paragraphs=(TextParagraph(runs=(run,), align=align, indent=style.indent),),
            inset=(2, 0.5, 2, 0.5), anchor=style.anchor, wrap=style.wrap, clip=True,
        )  # fmt: skip
        return ShapeItem(box=box, body=body)

    def _overflow(self, place: tuple[int, int], needed: float) -> float:
        """How far to the right words may run: over empty cells."""
        row, column = place
        after = column + 1
        while after in self.columns and self.xs[after] < needed:
            if (row, after) in self.texts or (row, after) in self.covered or (row, after) in self.merges:
                break
            after += 1
        return self.xs[after]

    def _at(self, place: tuple[int, int], inset: tuple[float, float]) -> tuple[float, float]:
        """A point of the page; cells that are not shown stand at its edge."""
        row, column = place
        y = self.ys.get(row, _HEAD_HEIGHT if row < self.rows[0] else max(self.ys.values()))
        x = self.xs.get(column, _HEAD_WIDTH if column < self.columns[0] else max(self.xs.values()))
        return x + inset[0], y + inset[1]

    def _figure(self, block: Figure, placed: PlacedFigure) -> None:
        if block.embed is None or placed.start[0] > self.rows[-1] or placed.start[1] > self.columns[-1]:
            return
        left, top = self._at(placed.start, placed.inset)
        if placed.end is not None:
            right, bottom = self._at(placed.end, placed.end_inset)
        else:
            wide, high = placed.size or _CHART_SIZE
            right, bottom = left + wide, top + high
        box = (left, top, max(right, left + 4), max(bottom, top + 4))
        kind, number = block.embed
        if kind == "image":
            self.items.append(PictureItem(box=box, data=self.data(kind, number), alt=block.alt))
        elif number in self.charts:
            self.items.append(ChartItem(box=box, chart=self.charts[number]))
        else:
            self.omitted.append("1 chart")


def _lines(first: int, last: int, most: int, room: float, size: Callable[[int], float]) -> range:
    """The rows or columns from the first on that one picture has room for."""
    taken, used = first, 0.0
    while taken <= last and taken - first < most and (used < room or taken == first):
        used += size(taken)
        taken += 1
    return range(first, max(taken, first + 1))


def _edges(lines: range, start: float, size: Callable[[int], float]) -> dict[int, float]:
    """Where each row or column begins, and behind the last one where that ends."""
    found = {lines[0]: start}
    for line in lines:
        found[line + 1] = found[line] + size(line)
    return found


def _borders(style: CellStyle, box: tuple[float, float, float, float]) -> Iterator[PlacedItem]:
    left, top, right, bottom = box
    places = (
        (left, top, left, bottom), (left, top, right, top), (right, top, right, bottom), (left, bottom, right, bottom),
    )  # fmt: skip
    for stroke, edge in zip(style.strokes, places, strict=True):
        if stroke is not None:
            yield ShapeItem(box=edge, stroke=stroke, lines=(((0, 0), (1, 1)),))
