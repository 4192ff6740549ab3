"""HTML tables as grids: row and column spans become merges, cells keep links and nested tables.

Tells tables of data from tables used for layout. Algorithm: HTML Living Standard §4.9.12 "forming a table"."""

from sidecar.api.model import TABLE_WINDOW, Cell, Figure, Merge, Paragraph, Span, Table
from sidecar.toolkit.markup.grid import cell_content, table_windows
from sidecar.toolkit.markup.html.chrome import text_length
from sidecar.toolkit.markup.html.reader import HtmlReader
from sidecar.toolkit.xml import XmlElement, etree, words_of

_MAX_COLUMNS = 1000
_MIN_PLACES, _MAX_SPREAD = 20_000, 20
"""Places that cells of any table may span, and for each cell of a large one; beyond them cells span none but their
own, so that a few bytes do not fill a grid of thousands of columns."""
_SECTIONS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_ASIDE = ("caption", "colgroup", "col", "script", "style", "template")


def _rows(table: XmlElement) -> list[XmlElement]:
    """The rows of this table itself, heads first and feet last, as they are drawn."""
    heads: list[XmlElement] = []
    bodies: list[XmlElement] = []
    feet: list[XmlElement] = []
    for child in table:
        if child.tag == "tr":
            bodies.append(child)
        elif child.tag in _SECTIONS:
            own = [row for row in child if row.tag == "tr"]
            (heads if child.tag == "thead" else feet if child.tag == "tfoot" else bodies).extend(own)
    return heads + bodies + feet


def foster(table: XmlElement) -> XmlElement:
    """Mend the table as browsers do, in place (§13.2.6.4.9 to 13.2.6.4.14): cells in no row get one, and what may not
    stand between rows and cells goes before the table. Gives the latter; an element around rows or cells is taken
    away, and they stay."""
    strays = etree.Element("div")
    _sort_out(table, ("tr", *_SECTIONS, *_CELLS, *_ASIDE), strays)
    for section in [table, *table.iterchildren(*_SECTIONS)]:
        if section is not table:
            _sort_out(section, ("tr", *_CELLS, *_ASIDE), strays)
        _wrap_in_rows(section)
        for row in section.iterchildren("tr"):
            _sort_out(row, (*_CELLS, *_ASIDE), strays)
    return strays


def _sort_out(section: XmlElement, allowed: tuple[str, ...], strays: XmlElement) -> None:
    """Move what is not allowed right inside to the strays."""
    _append_text(strays, section.text)
    section.text = None
    child = next(iter(section), None)
    while child is not None:
        _append_text(strays, child.tail)
        child.tail = None
        if not isinstance(child.tag, str) or child.tag in allowed:
            child = child.getnext()
        elif next(child.iterdescendants("tr", *_CELLS), None) is not None and child.tag != "table":
            _append_text(strays, child.text)
            inner = list(child)
            for one in inner:
                child.addprevious(one)
            section.remove(child)
            child = inner[0]
        else:
            following = child.getnext()
            strays.append(child)
            child = following


def _append_text(strays: XmlElement, text: str | None) -> None:
    """Add a text behind all that is there."""
    if text is None or not text.strip():
        return
    if len(strays):
        strays[-1].tail = f"{strays[-1].tail or ''} {text}"
    else:
        strays.text = f"{strays.text or ''} {text}"


def _wrap_in_rows(section: XmlElement) -> None:
    """Put cells that stand in no row into one."""
    row: XmlElement = None
    for child in list(section):
        if child.tag in _CELLS:
            if row is None:
                row = etree.Element("tr")
                child.addprevious(row)
            row.append(child)
        elif isinstance(child.tag, str):
            row = None


def is_layout(table: XmlElement) -> bool:
    """Whether a table only places things on the page: no heading cells, caption or border, and one cell holds most."""
    role = table.get("role")
    if role in ("presentation", "none"):
        return True
    rows = _rows(table)
    cells = [cell for row in rows for cell in row if cell.tag in ("td", "th")]
    if len(cells) <= 1:
        return table.find("caption") is None
    if any(cell.tag == "th" for cell in cells) or any(child.tag in ("caption", "thead") for child in table):
        return False
    nested = next(table.iterdescendants("table"), None) is not None
    if not nested and (table.get("border") or "0") != "0":
        return False
    total = text_length(table)
    if nested and (max(text_length(cell) for cell in cells) > 0.5 * total or not _speaks(table)):
        return True
    return total > 600 * len(cells)


def _speaks(table: XmlElement) -> bool:
    """Whether a table has words that stand in no table within it."""
    inside = [table]
    while inside:
        for child in inside.pop():
            if (child.tail or "").strip():
                return True
            if isinstance(child.tag, str) and child.tag != "table":
                if (child.text or "").strip():
                    return True
                inside.append(child)
    return False


def read_table(table: XmlElement, reader: HtmlReader, *, hidden: bool) -> list[Table | Figure | Paragraph]:
    """The table in windows of at most `TABLE_WINDOW` rows, then the pictures that stood in its cells."""
    rows, headed = _rows(table), next(table.iter("th"), None) is not None
    grid: list[list[str]] = []
    merges: list[Merge] = []
    rich: list[Cell] = []
    figures: list[Figure] = []
    covered: dict[int, int] = {}  # column → rows below this one that a cell above still covers
    head = labelled = 0
    room = max(_MIN_PLACES, _MAX_SPREAD * sum(map(len, rows)))
    named = False  # whether a row above names columns
    for number, row in enumerate(rows):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        line: list[str] = []
        below: dict[int, int] = {}
        for cell in cells:
            while covered and covered.get(len(line), 0):
                line.append("")
            col = len(line)
            if col >= _MAX_COLUMNS:
                break
            text, spans, inner = _content(cell, reader, figures, headed=headed)
            wide, tall = _extent(cell, col, covered, len(rows), number) if room > 0 else (1, 1)
            room -= wide * tall
            line.append(text)
            if wide > 1 or tall > 1:
                line.extend([""] * (wide - 1))
                merges.append(Merge(number, col, tall, wide))
                if tall > 1:
                    below.update(dict.fromkeys(range(col, col + wide), tall - 1))
            if inner or spans:
                rich.append(_rich(number, col, text, spans, inner))
        tail = max([col for col, left in covered.items() if left], default=-1)
        line.extend([""] * (tail + 1 - len(line)))
        covered = {col: left - 1 for col, left in covered.items() if left > 1} | below
        band = named and merges and merges[-1] == Merge(number, 0, 1, len(line))  # names the rows below it
        if cells and head == number and _is_head(row, cells) and not band:
            head, named = head + 1, named or len(cells) > 1
        labelled += len(cells) > 1 and [cell.tag for cell in cells[:2]] == ["th", "td"]
        grid.append(line)
    title = _title(table)
    if head == len(grid):
        head = min(head, 1)  # a table of nothing but heading cells
    if not any(any(line) for line in grid) and not any(cell.table for cell in rich):
        blank: list[Table | Figure | Paragraph] = [Paragraph(text=title, style="caption")] if title else []
        return blank + figures
    name = table.get("id") or ""
    tables = table_windows(
        grid, header_rows=min(head, TABLE_WINDOW), header_cols=int(labelled * 2 > len(grid)), merges=merges, cells=rich,
        caption=title, name=name, hidden=hidden,
    )  # fmt: skip
    return [*tables, *figures]


def _title(table: XmlElement) -> str:
    caption = table.find("caption")
    return words_of(caption) if caption is not None else ""


def _extent(cell: XmlElement, col: int, covered: dict[int, int], rows: int, number: int) -> tuple[int, int]:
    """How many columns and rows a cell covers. Where it would lie over a cell from above, browsers draw one over the
    other; here it ends before that one."""
    wide = min(_count(cell.get("colspan")), _MAX_COLUMNS - col)
    if wide > 1 and covered:
        wide = next((step for step in range(1, wide) if covered.get(col + step, 0)), wide)
    return wide, min(_count(cell.get("rowspan"), zero=rows), rows - number)


def _content(
    cell: XmlElement, reader: HtmlReader, figures: list[Figure], *, headed: bool
) -> tuple[str, tuple[Span, ...], Table | None]:
    if not len(cell):
        return " ".join((cell.text or "").split()), (), None
    inner = reader.inner()
    inner.values_only |= headed
    inner.children(cell)
    inner.flush()
    text, spans, nested, loose = cell_content(inner.blocks, markers=True)
    figures += [block for block in loose if isinstance(block, Figure)]
    return text, spans, nested


def _rich(row: int, col: int, text: str, spans: tuple[Span, ...], inner: Table | None) -> Cell:
    """A cell that is one link says so as `link`; other spans are kept as they are."""
    if len(spans) == 1 and spans[0].kind == "link" and spans[0].start == 0 and spans[0].end == len(text):
        return Cell(row, col, link=spans[0].value, table=inner)
    return Cell(row, col, spans=spans, table=inner)


def _is_head(row: XmlElement, cells: list[XmlElement]) -> bool:
    parent = row.getparent()
    if parent is not None and parent.tag == "thead":
        return True
    # A row of th is a heading row, but one th beside td only names its own row.
    return all(cell.tag == "th" and (cell.get("scope") or "") not in ("row", "rowgroup") for cell in cells)


def _count(value: str | None, zero: int = 1) -> int:
    """A span attribute: 1 when missing or malformed; 0 means "to the end" where the standard says so."""
    if value is None:
        return 1
    digits = value.strip()
    if not (digits.isascii() and digits.isdecimal()):
        return 1
    return min(int(digits[:6]), 65_534) or zero
