"""One worksheet part: its grid as `Table` blocks, and the elements that stand beside the rows.

Not responsible for other parts the sheet refers to (drawings, comments), only for finding them."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from sidecar.api import DamagedError, Table
from sidecar.toolkit.cell_references import EVERYWHERE, CellRange, parse_range
from sidecar.toolkit.ooxml.hidden_text import HiddenText
from sidecar.toolkit.ooxml.namespaces import R, parse_part
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement, unsigned
from sidecar_xlsx.cells.conditions import conditions, may_lose, table_paints
from sidecar_xlsx.cells.reading import Workbook, read_cells
from sidecar_xlsx.cells.rich_values import CellPicture, with_rich_values
from sidecar_xlsx.cells.scanning import IrregularRow, split_sheet, split_sheet_slowly
from sidecar_xlsx.cells.tables import GridLayout, TableBuilder, TableRegion
from sidecar_xlsx.cells.visibility import CellVisibility, Painted
from sidecar_xlsx.sheet.words import ReadWhole, SheetWords

_NARROW = re.compile(r"0(?:\.[0-2]\d*)?$")
"""Widths of less than three tenths of a character."""
_MAX_LINKED = 10_000
"""Cells one `hyperlink` element may cover before only its first cell is linked."""


@dataclass(frozen=True)
class Hyperlink:
    """A link on a cell or range: `target` a URL or `#Sheet2!A1`."""

    area: CellRange
    target: str
    display: str = ""
    tooltip: str = ""


@dataclass(frozen=True)
class Worksheet:
    """What the sheet's own part holds. `rest` is its tree without the rows; names in it have the main namespace."""

    part: str
    rest: XmlElement
    relationships: dict[str, Relationship]
    tables: tuple[Table, ...] = ()
    links: tuple[Hyperlink, ...] = ()
    regions: tuple[TableRegion, ...] = ()
    hidden_rows: int = 0
    hidden_cols: int = 0
    complete: bool = True
    """False when the text limit stopped the reading."""
    faults: tuple[str, ...] = ()
    hidden_text: HiddenText = field(default_factory=HiddenText)
    words: SheetWords | None = None
    """What may be asked for the texts of its cells, where these were not read (`Workbook.words_only`)."""
    pictures: tuple[CellPicture, ...] = ()
    date1904: bool = False
    """Whether days count from 1904."""


def children(root: XmlElement, *names: str) -> Iterator[XmlElement]:
    """Descendants along a path of local names, whatever the namespace."""
    found = root.iterchildren(f"{{*}}{names[0]}")
    if len(names) == 1:
        yield from found
        return
    for node in found:
        yield from children(node, *names[1:])


def read_worksheet(package: Package, part: str, book: Workbook) -> Worksheet:
    """Read one sheet. Raises DamagedError when its part is absent or no worksheet, LimitError for bombs, ReadWhole
    where its words alone were asked for and cannot be told."""
    data = package.read(part)
    relationships = package.relationships(part)
    sheet, pictures = with_rich_values(split_sheet(data, part), book.rich)
    faults: list[str] = []
    if sheet.cut:
        faults.append(f"{part} is cut short; the rows up to there were read.")
    regions = tuple(_regions(package, sheet.rest, relationships, book, faults))
    links = tuple(_links(sheet.rest, relationships))
    layout = _layout(sheet.rest, (*regions, *_pivots(package, relationships)))
    by_row = _by_row(links)
    room = book.room
    styles = book.cell_styles
    paints = [*conditions(sheet.rest, styles), *(paint for region in regions for paint in region.paints)]
    areas = tuple(_painted(sheet.rest, regions)) if styles.hidden or book.strings.inks else ()
    painted = Painted(areas, paints if may_lose(paints, styles) else ())
    hidden = HiddenText()
    if book.words_only:
        if painted.paints:
            raise ReadWhole
        words = SheetWords(sheet.rows, book, CellVisibility(styles, painted, hidden), layout.merges)
        return Worksheet(
            part, sheet.rest, relationships, links=links, regions=regions, faults=tuple(faults), words=words,
            pictures=pictures, date1904=book.date1904,
        )  # fmt: skip
    builder = TableBuilder(layout)
    try:
        complete = read_cells(sheet, book, builder, by_row, hidden, painted)
    except IrregularRow:
        book.room, hidden, builder = room, HiddenText(), TableBuilder(layout)
        sheet, pictures = with_rich_values(split_sheet_slowly(data, part), book.rich)
        complete = read_cells(sheet, book, builder, by_row, hidden, painted)
    tables = builder.finish()
    return Worksheet(
        part, sheet.rest, relationships, tuple(tables), links, regions, complete=complete, faults=tuple(faults),
        hidden_rows=sum(len(table.hidden_rows) for table in tables), hidden_text=hidden, pictures=pictures,
        hidden_cols=sum(last - first + 1 for first, last in layout.hidden_cols), date1904=book.date1904,
    )  # fmt: skip


def _painted(rest: XmlElement, regions: tuple[TableRegion, ...]) -> Iterator[CellRange]:
    """The ranges whose background does not come from the cells' styles: Excel tables, conditional formats (§18.3.1.18),
    and the whole sheet where a picture lies behind it."""
    yield from (region.area for region in regions)
    for node in rest.iter("{*}conditionalFormatting"):
        ranges = node.get("sqref") or " ".join("".join(child.itertext()) for child in children(node, "sqref"))
        yield from (area for area in map(parse_range, ranges.split()) if area is not None)
    if next(children(rest, "picture"), None) is not None:
        yield EVERYWHERE


def _layout(rest: XmlElement, regions: tuple[TableRegion, ...]) -> GridLayout:
    merges = [parse_range(node.get("ref", "")) for node in children(rest, "mergeCells", "mergeCell")]
    header = next((parse_range(node.get("ref", "")) for node in children(rest, "autoFilter")), None)
    hidden: list[tuple[int, int]] = []
    for node in children(rest, "cols", "col"):
        first, last = node.get("min", ""), node.get("max", "")
        if (
            (node.get("hidden") in ("1", "true", "on") or _NARROW.match(node.get("width", "")))
            and first.isdecimal()
            and last.isdecimal()
        ):
            hidden.append((int(first[:7]) - 1, min(int(last[:7]), 16_384) - 1))
    columns = tuple(_with_default(rest, hidden))
    return GridLayout(tuple(area for area in merges if area), regions, header, columns, _frozen(rest))


def _frozen(rest: XmlElement) -> int:
    """The last row that stays in view when the sheet is scrolled (§18.3.1.66), 0-based; -1 where none does."""
    for view in children(rest, "sheetViews", "sheetView"):
        for pane in children(view, "pane"):
            whole = view.get("topLeftCell", "A1").lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "1"
            if whole and pane.get("state", "").startswith("frozen"):
                return unsigned(pane.get("ySplit", "").partition(".")[0]) - 1
    return -1


def _with_default(rest: XmlElement, hidden: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Hidden columns, those of no width of their own among them where the usual width is none (§18.3.1.81)."""
    usual = next(children(rest, "sheetFormatPr"), None)
    if usual is None or not _NARROW.match(usual.get("defaultColWidth", "")):
        return hidden
    named = [(node.get("min", ""), node.get("max", "")) for node in children(rest, "cols", "col")]
    ends = sorted(
        (int(first[:7]) - 1, int(last[:7])) for first, last in named if first.isdecimal() and last.isdecimal()
    )
    starts = [0, *(last for _, last in ends)]
    gaps = zip(starts, [first for first, _ in ends] + [16_384], strict=True)
    return hidden + [(start, end - 1) for start, end in gaps if end > start]


def _links(rest: XmlElement, relationships: dict[str, Relationship]) -> Iterator[Hyperlink]:
    for node in children(rest, "hyperlinks", "hyperlink"):
        area = parse_range(node.get("ref", ""))
        if area is None:
            continue
        relationship = relationships.get(node.get(f"{R}id", ""))
        location = node.get("location", "")
        target = relationship.target if relationship else ""
        if location:
            target = f"{target}#{location.lstrip('#')}"
        if target:
            yield Hyperlink(area, target, node.get("display", ""), node.get("tooltip", ""))


def _by_row(links: tuple[Hyperlink, ...]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    for link in links:
        top, left, bottom, right = link.area
        if (bottom - top + 1) * (right - left + 1) > _MAX_LINKED:
            bottom, right = top, left
        for row in range(top, bottom + 1):
            columns = found.setdefault(row, {})
            for column in range(left, right + 1):
                columns[column] = link.target
    return found


def _regions(
    package: Package, rest: XmlElement, relationships: dict[str, Relationship], book: Workbook, faults: list[str]
) -> Iterator[TableRegion]:
    """The Excel tables of the sheet (ECMA-376 part 1 §18.5.1.2)."""
    for node in children(rest, "tableParts", "tablePart"):
        relationship = relationships.get(node.get(f"{R}id", ""))
        if relationship is None or relationship.external:
            continue
        try:
            root = package.xml(relationship.target)
        except DamagedError as error:
            faults.append(str(error))
            continue
        area = parse_range(root.get("ref", ""))
        name = root.get("displayName") or root.get("name") or ""
        if area and name:
            declared = root.get("headerRowCount", "1")
            heads = int(declared) if declared in ("0", "1", "2") else 1
            style = next(children(root, "tableStyleInfo"), None)
            paints = tuple(table_paints(area, style, heads, book.cell_styles))
            yield TableRegion(name, area, heads, paints, _alternative(root))


def _alternative(table: XmlElement) -> str:
    """The alternative text of an Excel table: its title and description ([MS-XLSX] §2.6.62)."""
    for node in table.iter("{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}table"):
        return ": ".join(text for key in ("altText", "altTextSummary") if (text := node.get(key, "").strip()))
    return ""


def _pivots(package: Package, relationships: dict[str, Relationship]) -> Iterator[TableRegion]:
    """The pivot tables of the sheet from the rows that head them on (§18.10.1.49): what stands above names fields. A
    damaged one is told of where pivot tables are read."""
    for relationship in relationships.values():
        if relationship.type != "pivotTable" or relationship.target not in package:
            continue
        with suppress(DamagedError):
            root = package.shared(relationship.target, pivot_tree)
            for node in children(root, "location"):
                area = parse_range(node.get("ref", ""))
                head, data = (unsigned(node.get(key)) for key in ("firstHeaderRow", "firstDataRow"))
                if area and data:
                    first = min(head, data - 1)
                    name = root.get("name") or "pivot table"
                    yield TableRegion(name, area._replace(top=area.top + first), data - first)


def pivot_tree(data: bytes, what: str, _how: str) -> XmlElement:
    """The tree of a pivot table, which its sheet's rows and its own note are made from; not to be changed."""
    return parse_part(data, what)
