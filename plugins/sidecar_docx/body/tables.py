"""Tables as a grid: merged cells, nested tables, header rows, tracked rows (ECMA-376 part 1 §17.4).

A table that only lays out a page (one cell around many blocks, cells around tables) or an equation with its number
gives its content."""

from typing import Final

from sidecar.api.model import TABLE_WINDOW, AnyBlock, Cell, Equation, Figure, Merge, Paragraph, Span, SpanKind, Table
from sidecar.toolkit.captions import match_caption
from sidecar.toolkit.markup.grid import laid_out
from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS, HiddenKind
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.body.context import StoryState
from sidecar_docx.body.lines import rows_of_lines
from sidecar_docx.body.text import flattened, text_of
from sidecar_docx.qualified_names import (
    ALTERNATE,
    AUTHOR,
    CHOICE,
    CUSTOM_XML,
    DATE,
    DEL,
    FALLBACK,
    INS,
    SDT,
    SDT_CONTENT,
    SHD,
    TBLPR,
    TC,
    TCPR,
    TR,
    TRPR,
    VAL,
    W,
    decimal_attribute,
    is_on,
)
from sidecar_docx.styles.run_properties import UNKNOWN, shading

_MIN_HEIGHT = MIN_POINTS * 20
"""Twentieths of a point (§17.4.81)."""
_MAX_NAME_CHARS = 120
"""Characters of a column's name."""
_MAX_COLUMNS = 4096
"""Columns of a table; Word stops at 63. What cells beyond hold follows the table."""
_MAX_SPAN = 128
"""Columns that one cell, or nothing before the first, may claim, each of which takes a place."""
_MAX_DEPTH: Final = 60
"""Tables, and what stands around rows and cells, in one another; rows and cells deeper than that follow each other."""
_HEADING_ROWS: Final = 3
"""More rows that are marked to be repeated on each page, and half of the table or all of it, name no columns: who marks
a whole table so says nothing of its head."""
_CHANGES: dict[str, SpanKind] = {INS: "ins", DEL: "del", f"{W}cellIns": "ins", f"{W}cellDel": "del"}


_Change = tuple[SpanKind, str, str]
"""A tracked change: its kind, author and date."""


class _Grid:
    """The table being read."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.merges: list[Merge] = []
        self.cells: list[Cell] = []
        self.floats: list[AnyBlock] = []
        self.header_rows = 0
        self.background = 0
        """What is behind cells that say nothing of it themselves."""
        self.hidden_rows: list[int] = []
        self.changed = False
        """Whether a row or a cell is hidden, inserted or deleted: what its own blocks do not say."""
        self.content: list[list[AnyBlock]] = []
        self.open: dict[int, tuple[int, int]] = {}
        """Grid column → (row, width) of the vertical merge that is still growing there."""


class _Row:
    """The row being read: its index, how deep its table is nested, its tracked change, and the vertical merges it
    continues."""

    def __init__(self, index: int, depth: int) -> None:
        self.index, self.depth = index, depth
        self.change: _Change | None = None
        self.grown: set[int] = set()

    def hide(self, story: StoryState, kind: HiddenKind) -> None:
        """Flag all that the row says, which is counted."""
        self.change = ("hidden", "", "")
        story.document.hidden.add(kind)


def read_table(story: StoryState, node: XmlElement, out: list[AnyBlock], depth: int) -> None:
    """Append a `w:tbl` to `out`, then the figures and notes standing in it."""
    grid = _Grid()
    properties = child_of(node, TBLPR)
    grid.background = _table_background(story, properties)
    for row in _children(node, TR, depth):
        for line in rows_of_lines(row):
            _read_row(story, line, grid, depth)
    for column, (row, width) in list(grid.open.items()):
        _close(grid, column, row, width, len(grid.rows))
    cells = [cell for cell in grid.content if cell]
    if len(grid.rows) == len(grid.content) == len(cells) == 1 and not grid.changed:
        out += cells[0]
        return
    if not grid.changed and (tables := laid_out(cells)) is not None:
        placed = set(map(id, tables))
        out += [*tables, *(block for block in grid.floats if id(block) not in placed)]
        return
    if cells and (_laid_out_equations(grid, out) or _laid_out_pictures(grid, out)):
        return
    if not any(text for row in grid.rows for text in row) and not any(cell.table for cell in grid.cells):
        out += grid.floats
        return
    marked = grid.header_rows if grid.header_rows <= _HEADING_ROWS or grid.header_rows * 2 < len(grid.rows) else 0
    header_rows = marked or (1 if _headed(story, properties, grid) else 0)
    _emit(grid, header_rows, _described(properties), out)
    out += grid.floats


def _described(properties: XmlElement | None) -> str:
    """Title and description of a table's alternative text (ISO 29500-1 §17.4.41, §17.4.46)."""
    found = properties.iterchildren(f"{W}tblCaption", f"{W}tblDescription") if properties is not None else ()
    return ": ".join(dict.fromkeys(text for node in found if (text := node.get(VAL, "").strip())))


def _children(node: XmlElement, wanted: str, depth: int) -> list[XmlElement]:
    """Rows or cells, also those inside content controls, custom XML and alternate content."""
    found: list[XmlElement] = []
    for child in node:
        tag = child.tag
        if tag == wanted:
            found.append(child)
        elif depth > _MAX_DEPTH:
            found += child.iter(wanted)
        elif tag == SDT:
            content = child_of(child, SDT_CONTENT)
            if content is not None:
                found += _children(content, wanted, depth + 1)
        elif tag in (CUSTOM_XML, INS, DEL):
            found += _children(child, wanted, depth + 1)
        elif tag == ALTERNATE:
            branches = [_children(branch, wanted, depth + 1) for branch in child.iterchildren(CHOICE, FALLBACK)]
            found += next((branch for branch in branches if branch), [])
    return found


def _read_row(story: StoryState, node: XmlElement, grid: _Grid, depth: int) -> None:
    row = _Row(len(grid.rows), depth)
    properties = child_of(node, TRPR)
    column = _row_properties(story, properties, grid, row) if properties is not None else 0
    grid.rows.append([""] * column)
    for cell in _children(node, TC, depth):
        column = _read_cell(story, cell, grid, row, column)
    for at, (start, width) in list(grid.open.items()):
        if at not in row.grown and start != row.index:
            _close(grid, at, start, width, row.index)


def _row_properties(story: StoryState, properties: XmlElement, grid: _Grid, row: _Row) -> int:
    """What a `w:trPr` says of its row; the grid column its first cell stands at."""
    column = 0
    for child in properties:
        tag = child.tag
        if tag == f"{W}gridBefore":
            column = min(decimal_attribute(child.get(VAL)), _MAX_SPAN)
        elif tag == f"{W}tblHeader" and is_on(child.get(VAL)) and grid.header_rows == row.index:
            grid.header_rows += 1
        elif tag == f"{W}hidden" and is_on(child.get(VAL)):
            grid.hidden_rows.append(row.index)
            row.hide(story, "formatting")
        elif tag == f"{W}trHeight" and child.get(f"{W}hRule") == "exact":
            if decimal_attribute(child.get(VAL), 240) < _MIN_HEIGHT:
                row.hide(story, "size")
        elif tag in _CHANGES:
            row.change = (_CHANGES[tag], child.get(AUTHOR, ""), child.get(DATE, ""))
            story.document.changes += 1
    return column


def _read_cell(story: StoryState, node: XmlElement, grid: _Grid, row: _Row, column: int) -> int:
    """Read one cell standing at grid `column`; the column after it."""
    properties = child_of(node, TCPR)
    width, vertical, horizontal, change = _cell_properties(properties, row.change)
    grid.changed = grid.changed or change is not None
    if column + width > _MAX_COLUMNS:
        grid.floats += story.inner(node, row.depth + 1)
        return column
    texts = grid.rows[row.index]
    continued = vertical == "continue" and column in grid.open
    outer = story.background, story.covered
    story.background, story.covered = _cell_fill(properties) or grid.background, continued
    blocks = story.inner(node, row.depth + 1)
    story.background, story.covered = outer
    if continued:
        _continue_merge(story, blocks, grid)
        row.grown.add(column)
        texts += [""] * width
        return column + width
    if horizontal == "continue" and column and not blocks:
        texts.append("")
        _widen_merge(grid, row.index, column)
        return column + 1
    if column in grid.open:
        _close(grid, column, *grid.open.pop(column), row.index)
    if vertical == "restart":
        grid.open[column] = (row.index, width)
        row.grown.add(column)
    elif width > 1:
        grid.merges.append(Merge(row.index, column, 1, width))
    _fill(grid, row.index, column, blocks, change)
    texts += [""] * (width - 1)
    return column + width


def _table_background(story: StoryState, properties: XmlElement | None) -> int:
    """What is behind a table's cells: its own shading, what its style makes of it, else what the table stands on."""
    own = child_of(properties, SHD) if properties is not None else None
    fill = shading(own) if own is not None else 0
    style = child_of(properties, f"{W}tblStyle") if properties is not None else None
    if fill == 0 and style is not None and story.document.styles.shades(style.get(VAL, "")):
        return UNKNOWN
    return fill or story.background


def _cell_fill(properties: XmlElement | None) -> int:
    own = child_of(properties, SHD) if properties is not None else None
    return shading(own) if own is not None else 0


def _cell_properties(properties: XmlElement | None, change: _Change | None) -> tuple[int, str, str, _Change | None]:
    """Grid columns, vertical and horizontal merge ("restart", "continue" or ""), and tracked change of a cell; `change`
    is that of its row (§17.4.69)."""
    width, vertical, horizontal = 1, "", ""
    for child in properties if properties is not None else ():
        tag = child.tag
        if tag == f"{W}gridSpan":
            width = min(max(decimal_attribute(child.get(VAL), 1), 1), _MAX_SPAN)
        elif tag == f"{W}vMerge":
            vertical = child.get(VAL, "continue")
        elif tag == f"{W}hMerge":
            horizontal = child.get(VAL, "continue")
        elif tag in _CHANGES:
            change = (_CHANGES[tag], child.get(AUTHOR, ""), child.get(DATE, ""))
    return width, vertical, horizontal, change


def _continue_merge(story: StoryState, blocks: list[AnyBlock], grid: _Grid) -> None:
    """What a cell holds that a vertical merge covers: Word keeps such text but never shows it."""
    hidden, _, rest = flattened(blocks) if blocks else ("", (), [])
    if hidden.strip():
        story.document.hidden.add("formatting")
        grid.floats.append(Paragraph(text=hidden.strip(), hidden=True))
    grid.floats += rest


def _widen_merge(grid: _Grid, row: int, column: int) -> None:
    """A cell joined to the one before it (`w:hMerge`, written by old programs)."""
    last = grid.merges[-1] if grid.merges else None
    if last is not None and last.row == row and last.col + last.cols == column:
        grid.merges[-1] = Merge(row, last.col, last.rows, last.cols + 1)
    else:
        grid.merges.append(Merge(row, column - 1, 1, 2))


def _fill(grid: _Grid, row: int, column: int, blocks: list[AnyBlock], change: _Change | None) -> None:
    grid.content.append(blocks)
    nested = next((block for block in blocks if isinstance(block, Table)), None)
    text, spans, rest = flattened([block for block in blocks if block is not nested] if nested else blocks)
    grid.rows[row].append(text)
    grid.floats += rest
    if change is not None and text:
        spans = (*spans, Span(change[0], 0, len(text), change[1], change[2]))
    if spans or nested is not None:
        link = spans[0].value if len(spans) == 1 and spans[0].kind == "link" and spans[0].end == len(text) else ""
        grid.cells.append(Cell(row=row, col=column, link=link, spans=spans, table=nested))


def _close(grid: _Grid, column: int, start: int, width: int, end: int) -> None:
    grid.open.pop(column, None)
    if end - start > 1 or width > 1:
        grid.merges.append(Merge(start, column, end - start, width))


def _headed(story: StoryState, properties: XmlElement | None, grid: _Grid) -> bool:
    """Whether the first row heads the table: its style makes it look so, it is bold, or what a writer says of every
    table (`tblLook`) is not contradicted by what the row holds."""
    if len(grid.rows) < 2 or not any(grid.rows[0]):
        return False
    first = [column for column, text in enumerate(grid.rows[0]) if text]
    bold = {cell.col for cell in grid.cells if cell.row == 0 and any(span.kind == "bold" for span in cell.spans)}
    look = child_of(properties, f"{W}tblLook") if properties is not None else None
    if look is None:
        return bold.issuperset(first)
    if not _has_header_row(look):
        return False
    style = child_of(properties, f"{W}tblStyle") if properties is not None else None
    if style is not None and story.document.styles.heads(style.get(VAL, "")):
        return True
    return bold.issuperset(first) or not (_is_form_row(grid, first) or (0 in bold and len(first) > 1))


def _has_header_row(look: XmlElement) -> bool:
    """What a `w:tblLook` says of the first row (§17.4.55); Word says so of every new table."""
    first = look.get(f"{W}firstRow")
    if first is not None:
        return is_on(first)
    try:
        return bool(int(look.get(VAL, "0"), 16) & 0x20)
    except ValueError:
        return False


def _is_form_row(grid: _Grid, filled: list[int]) -> bool:
    """Whether a row holds a label and what is to be filled in, or prose, rather than the names of columns."""
    row = grid.rows[0]
    across = [merge for merge in grid.merges if merge.row == 0]
    covered = {col for one in across for col in range(one.col + 1, min(one.col + one.cols, len(row)))}
    blank = [column for column in range(1, len(row)) if not row[column] and column not in covered]
    labels = any(row[column].rstrip().endswith((":", "：")) for column in filled)
    return bool(blank) or labels or len(filled) == 1 or any(len(row[column]) > _MAX_NAME_CHARS for column in filled)


def _laid_out_equations(grid: _Grid, out: list[AnyBlock]) -> bool:
    """The usual way to number equations before Word could: a borderless row of blank, equation, number."""
    if max(len(row) for row in grid.rows) > 3 or len(grid.content) % len(grid.rows):
        return False
    wide = len(grid.content) // len(grid.rows)
    made: list[Equation] = []
    for at in range(0, len(grid.content), wide):
        blocks = [block for cell in grid.content[at : at + wide] for block in cell]
        equations = [block for block in blocks if isinstance(block, Equation)]
        others = [text_of(block).strip() for block in blocks if not isinstance(block, Equation)]
        label = others[0] if others else ""
        if len(equations) != 1 or len(others) > 1 or (label and not (label[0] in "([" and len(label) <= 12)):
            return False
        if wide > 1 and not label and not equations[0].label:
            return False
        first = equations[0]
        made.append(Equation(text=first.text, latex=first.latex, label=first.label or label, anchor=first.anchor))
    out += made
    return bool(made)


def _laid_out_pictures(grid: _Grid, out: list[AnyBlock]) -> bool:
    """Pictures side by side with their captions: a table only in the file, so its content is given in order."""
    blocks = [block for cell in grid.content for block in cell]
    figures = sum(isinstance(block, Figure) for block in blocks)
    words = [block.text.strip() for block in blocks if isinstance(block, Paragraph)]
    if not figures or figures + len(words) != len(blocks) or not all(map(_labels_a_picture, words)):
        return False
    # Within a row the pictures come first, then the captions of the row below: pair them column by column.
    width = max(len(row) for row in grid.rows)
    regular = width > 1 and len(grid.content) == width * len(grid.rows)
    if regular:
        order = [at + row * width for at in range(width) for row in range(len(grid.rows))]
        blocks = [block for at in order for block in grid.content[at]]
    out += blocks
    return True


def _labels_a_picture(text: str) -> bool:
    return match_caption(text) is not None or (len(text) <= 40 and text.startswith("("))


def _emit(grid: _Grid, header_rows: int, name: str, out: list[AnyBlock]) -> None:
    """One block, or consecutive windows of at most `TABLE_WINDOW` rows."""
    total = len(grid.rows)
    merges = sorted(grid.merges, key=lambda merge: (merge.row, merge.col))
    for first in range(0, total, TABLE_WINDOW):
        end = min(first + TABLE_WINDOW, total)
        inside = (
            (max(m.row, first), min(m.row + m.rows, end), m.col, m.cols)
            for m in merges
            if m.row < end and m.row + m.rows > first
        )
        cells = grid.cells
        if total > TABLE_WINDOW:
            cells = [
                Cell(row=c.row - first, col=c.col, link=c.link, spans=c.spans, table=c.table)
                for c in cells
                if first <= c.row < end
            ]
        out.append(
            Table(
                rows=tuple(tuple(row) for row in grid.rows[first:end]),
                header_rows=min(header_rows, end) if first == 0 else 0,
                first_row=first,
                merges=tuple(
                    Merge(top - first, col, bottom - top, cols)
                    for top, bottom, col, cols in inside
                    if bottom - top > 1 or cols > 1
                ),
                cells=tuple(cells),
                name=name,
                hidden_rows=tuple(row - first for row in grid.hidden_rows if first <= row < end),
            )
        )
