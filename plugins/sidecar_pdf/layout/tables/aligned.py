"""Tells whether rows of text are a table by their columns alone: between rules, or set off by nothing but white space.

Without rules the bar is high (several rows, several columns, short cells, clean white between them), since running text
in columns must never become a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.tables.columns.bands import banded_rows
from sidecar_pdf.layout.tables.columns.fields import PAIR_SPREAD, PAIRED_ROWS, SAME_EDGE, are_fields, are_labelled
from sidecar_pdf.layout.tables.columns.stretches import goes_on, is_beside
from sidecar_pdf.layout.tables.columns.told import are_cells, are_told, parted, stands_under
from sidecar_pdf.layout.tables.ends import are_marks, is_bold_head, is_short
from sidecar_pdf.layout.tables.flaws.confidence import grid_flaws
from sidecar_pdf.layout.tables.found import (
    NUMERIC,
    FoundTable,
    are_pages,
    header_rows,
    is_contents,
    is_list,
    share_of_figures,
    spread_of,
)
from sidecar_pdf.layout.tables.grid import TableGrid, table_grid
from sidecar_pdf.layout.tables.grid_rows import Cells, bold_lines, word_lines
from sidecar_pdf.layout.tables.known_flaws import (
    BANDED,
    BETWEEN_RULES,
    OF_PARTED_ROWS,
    SUSPECT,
    UNEVEN_CELLS,
    WHITE_SPACE,
)
from sidecar_pdf.layout.tables.listings import is_listing, is_prose
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Shares of rows or cells unless said. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
_BODY_ROWS = 0.6  # of the rows, at least, have several cells
_PARTED_LINES, _CLOSE_NUMERIC = 0.6, 0.5  # rows with wide gaps in a table; figures in one whose columns stand close
_STAGGERED = 0.3  # of the height of a line, between the tops of cells set in the middle of their row
_RULED_FILLED, _FREE_FILLED = 0.4, 0.55  # cells that hold text, between rules and without any
_SHEET_FILLED = 0.5  # cells that hold text in a sheet
_RULED_NUMERIC = 0.2  # figures that make a table between rules whatever its columns
_SOME_NUMERIC, _MOSTLY_NUMERIC = 0.3, 0.7  # figures that allow longer cells, and that make a table of two columns
_FIGURED_LINES = 0.3  # lines with figures, where hardly any is parted
_LISTED_ROWS, _LISTED_FIGURES = 0.4, 0.8  # rows of several cells in a list between vertical rules; those with figures
_CLEAR, _FULL = 0.7, 0.8  # confidence of a table whose ends are sure; cells with text in a few rows of words
_USED_ROWS = 0.3  # rows in which a column that counts holds text
_LEADING_ROWS, _LEADING_FILLED = 0.4, 0.8  # rows with a first cell, and those of them with a second one
_EVEN_SIZES = 0.75  # segments in the usual size
# Characters.
_RULED_MEAN, _NUMERIC_MEAN, _WORDS_MEAN = 60, 34, 22  # mean cell by kind of table
# Ems of the first row.
_FREE_GAP = 0.7  # white between two columns without any rule: wider than that between justified words
_EDGE_SPREAD = 0.8  # median distance of a column's segments from their common edge or middle
_TOLD_SPREAD = 0.2  # the same where the file alone tells the pieces apart
_SIZE_SPREAD = 0.12  # of the usual size, within which a segment is set in it
_TITLE_SIZE = 1.1  # times the type below, from which on a line is its title
# Points.
_DEFAULT_SIZE, _MIN_SIZE = 9.0, 4.0  # where the size of type is not known, or absurd
# Counts.
_SHEET_ROWS = 2  # of several cells in a table of a sheet
_MIN_ROWS, _WORDY_ROWS = 3, 4  # of several segments in a table without rules; of words in one without figures
_ACROSS = 2  # columns that a cell of the last row reaches over, at most
_DESCRIBED = 3  # columns of a table whose last one may hold sentences
_PAIRED_BODY, _NAMED_PAIRS = 4, 5  # rows of a table of two columns, with figures and with words


def table_between_rules(
    lines: list[list[Segment]],
    stops: Sequence[float],
    rules: Sequence[Rule],
    turned: Sequence[Segment] = (),
    *,
    named: int = 0,
) -> FoundTable | None:
    """Consecutive lines between horizontal rules as a table if their columns line up, else None. `stops` are the
    heights of the rules across it, `rules` all horizontal rules of the page, `turned` headers that run up or down;
    the first `named` lines are its header where that is known."""
    whole, lines = lines, [parted(line) for line in lines]
    if not _may_be_rows(lines):
        return None
    grid = table_grid(lines, stops, rules, turned, named=named)
    if grid is None:
        return None
    texts, figures = grid.texts, share_of_figures(grid.texts)
    if len(texts) < 2 or is_listing(lines, texts, figures, headed=grid.header_rows > 0) or is_prose(grid):
        return None
    if not (_fits_between_rules(texts, figures) or are_marks(texts, grid.header_rows)):
        return None
    several = sum(sum(map(bool, row)) > 1 for row in texts)
    parted_lines = sum(len(line) > 1 for line in lines)
    apart = parted_lines > 1 and parted_lines + sum(map(_is_staggered, grid.cells)) >= _PARTED_LINES * several
    if several < _BODY_ROWS * len(texts) or not (apart or figures >= _CLOSE_NUMERIC):
        return None
    table = _found([*whole, list(turned)] if turned else whole, texts)
    _complete(table, grid, lines, BETWEEN_RULES)
    if sum(lines[0][0].y0 < y < lines[-1][0].y1 for y in stops) >= len(texts) - 1:
        table.flaws = tuple(flaw for flaw in table.flaws if flaw not in OF_PARTED_ROWS)
    table.header_rows = grid.header_rows or header_rows(texts, bold=all(s.style.bold for s in lines[0]))
    return table


def _is_staggered(cells: Cells) -> bool:
    """Whether cells of a row begin at different heights, and so were never parts of one line."""
    tops = [min(w.y0 for w in words) for words in cells if words]
    height = max((words[0].y1 - words[0].y0 for words in cells if words), default=0.0)
    return len(tops) > 1 and max(tops) - min(tops) > _STAGGERED * height


def aligned_tables(rows: list[list[Segment]]) -> list[tuple[int, int, FoundTable]]:
    """The tables of a stretch of lines, each with its first line and the one past its last: the whole stretch where
    that is certain, else what its titles part it into where that is more certain."""
    whole = _aligned_table(rows)
    beside = _fields_beside(rows) if whole is not None else []
    if beside:
        return [(0, len(rows), table) for table in beside]
    if whole is not None and whole.score >= SUSPECT:
        return [_without_ends(rows, whole)]
    titles = [at for at, row in enumerate(rows) if _is_title(row, rows[at + 1 : at + 2])]
    bounds = [-1, *titles, len(rows)] if titles else []
    parts = [
        (start + 1, end, _aligned_table(rows[start + 1 : end])) for start, end in pairwise(bounds) if end > start + 1
    ]
    found = [(start, end, table) for start, end, table in parts if table is not None]
    if whole is None and not found and len(rows) > _MIN_ROWS:  # the first line, or lines, may be of the text before
        start = _later_start(rows)
        if is_bold_head(rows) and len(rows[0]) == len(rows[1]):
            return []  # names of columns, with which they are not a table
        later = _aligned_table(rows[start:])
        return [(start, len(rows), later)] if later is not None else []
    better = found and (whole is None or min(table.score for _, _, table in found) > whole.score)
    return found if better or whole is None else [_without_ends(rows, whole)]


def banded_tables(rows: list[list[Segment]]) -> list[tuple[int, int, FoundTable]]:
    """The tables among lines whose rows of several lines only white parts, each with its first line and the one past
    its last."""
    found: list[tuple[int, int, FoundTable]] = []
    for start, end, (texts, cells, columns, named, even) in banded_rows(rows):
        own = rows[start:end]
        if is_listing(own, texts, share_of_figures(texts), headed=True):
            continue
        table = _found(own, texts)
        _complete(table, TableGrid(texts, cells, columns, header_rows=named), own, BANDED)
        table.header_rows = named
        table.flaws += () if even else (UNEVEN_CELLS,)
        found.append((start, end, table))
    return found


def _without_ends(rows: list[list[Segment]], whole: FoundTable) -> tuple[int, int, FoundTable]:
    """A table whose first or last line may be one of the text before or after: without it where that is more certain,
    and of fewer columns or no longer uncertain, or the last runs across columns as a note under them does."""
    if whole.score < _CLEAR and len(rows) > _MIN_ROWS:
        named = bold_lines(rows) or is_bold_head(rows)
        own = len(rows[-1]) == 1 and (goes_on(rows[-2], rows[-1]) or is_beside(rows, len(rows) - 1))
        ends = [] if own else [(0, len(rows) - 1)]
        for start, end in ends if named else [*ends, (_later_start(rows), len(rows))]:
            less = _aligned_table(rows[start:end])
            if less is None or less.score <= whole.score:
                continue
            noted = end < len(rows) and any(
                sum(s.x0 < right and s.x1 > left for left, right in less.columns) > _ACROSS for s in rows[-1]
            )
            if len(less.rows[0]) < len(whole.rows[0]) or whole.score < SUSPECT <= less.score or noted:
                return start, end, less
    return 0, len(rows), whole


def _later_start(rows: list[list[Segment]]) -> int:
    """The next line of several pieces but the first: where a table begins if that is one of the text before."""
    return next((at for at, row in enumerate(rows) if at and len(row) > 1), 1)


def _may_be_rows(lines: list[list[Segment]]) -> bool:
    """Whether lines can be rows at all: two are parted, or many hold a figure behind their first word. Much of a page
    lies between some two of its rules, and this is told before any column is looked for."""
    if sum(len(line) > 1 for line in lines) > 1:
        return True
    figured = sum(any(NUMERIC.match(w.text) for s in line for w in s.words[1:]) for line in lines)
    return figured >= _FIGURED_LINES * len(lines)


def list_table(rows: list[list[Segment]]) -> FoundTable | None:
    """Lines between vertical rules as a table if they list names and figures, with titles in between, else None."""
    grid = table_grid(rows, (), (), gap=_FREE_GAP, listed=True)
    if grid is None:
        return None
    texts = grid.texts
    several = [row for row in texts if sum(map(bool, row)) > 1]
    figures = sum(bool(NUMERIC.match(row[-1])) for row in several)
    if len(several) < max(_MIN_ROWS, _LISTED_ROWS * len(texts)) or figures < _LISTED_FIGURES * len(several):
        return None
    if is_listing(rows, texts, share_of_figures(texts)) or is_contents(texts):
        return None
    table = _found(rows, texts)
    _complete(table, grid, rows, BETWEEN_RULES)
    return table


def _fields_beside(rows: list[list[Segment]]) -> list[FoundTable]:
    """Labels and values side by side with others, as a table each; none where the lines are anything else."""
    edges = sorted(row[at].x0 for row in (sorted(r, key=lambda s: s.x0) for r in rows) if len(row) > 3 for at in (2,))
    if not edges or edges[-1] - edges[0] > SAME_EDGE:
        return []
    halves = ([[s for s in row if (s.x0 < edges[0] - SAME_EDGE) == left] for row in rows] for left in (True, False))
    parts = [[row for row in half if row] for half in halves]
    if not all(len(row) == 2 for part in parts for row in part) or not all(map(are_fields, parts)):
        return []
    tables = [_aligned_table(part) for part in parts]
    return [table for table in tables if table is not None] if all(tables) else []


def _is_title(row: list[Segment], below: list[list[Segment]]) -> bool:
    """Whether a line of one piece, in bold or larger type than the line of several below it, is the title of that."""
    if len(row) > 1 or not below or len(below[0]) < 2:
        return False
    if are_told([row, *below]) and not row[0].style.bold and all(s.style.bold for s in below[0]):
        return True
    larger = row[0].style.size > _TITLE_SIZE * below[0][0].style.size
    return larger or (row[0].style.bold and not all(s.style.bold for s in below[0]))


def _aligned_table(rows: list[list[Segment]]) -> FoundTable | None:
    """Consecutive lines of text as a table if their columns line up by white space alone, else None."""
    body = [row for row in rows if len(row) >= 2]
    further, opening = 0, rows[0]
    for at, (above, row) in enumerate(pairwise(rows)):
        opening = opening if goes_on(opening, above) else above
        own = goes_on(opening, row) or stands_under(rows[: at + 1], row) or is_beside(rows, at + 1)
        further += len(row) == 1 and own
    if len(body) + further < _BODY_ROWS * len(rows):
        return None
    sheet = are_cells(body)
    named = len(rows[0]) >= _DESCRIBED and is_bold_head(rows)
    if len(body) < (_SHEET_ROWS if sheet else _MIN_ROWS) and not (named or is_short(body) or are_fields(body)):
        return None
    grid = table_grid(rows, (), (), gap=_FREE_GAP, named=bold_lines(rows) or word_lines(rows))
    if grid is None:
        return None
    texts = grid.texts
    if not (_filled_and_mean(texts)[0] >= _SHEET_FILLED if sheet else _fits_page(grid, rows, body)):
        return None
    table = _found(rows, texts)
    _complete(table, grid, rows, WHITE_SPACE)
    table.header_rows = grid.header_rows or header_rows(texts, bold=all(s.style.bold for s in rows[0]))
    return table


def _fits_page(grid: TableGrid, rows: list[list[Segment]], body: list[list[Segment]]) -> bool:
    """Whether lines, those of several pieces being the `body`, are a table, and nothing else that lines up."""
    texts, figures = grid.texts, share_of_figures(grid.texts)
    described = _are_described(rows, texts)
    if is_listing(rows, texts, figures, headed=described) or is_contents(texts):
        return False
    if not are_labelled(texts) and is_prose(grid):
        return False
    return _fits_freely(grid, figures, body, described=described)


def _complete(table: FoundTable, grid: TableGrid, lines: list[list[Segment]], base: float) -> None:
    """Gives the table what its grid tells, and its lines as they stand where that is uncertain."""
    em = max(median(s.style.size for line in lines for s in line), _MIN_SIZE)
    table.merges, table.columns = tuple(grid.merges), grid.columns
    table.mend(grid.cells)
    table.base, table.flaws = base, grid_flaws(grid, em, typed=are_told(lines))


def _found(rows: list[list[Segment]], texts: list[list[str]]) -> FoundTable:
    segments = [segment for row in rows for segment in row]
    order, box = min(s.order for s in segments), bounding_box(segment.box for segment in segments)
    return FoundTable(*box, texts, order=order, segments=segments)


def _filled_and_mean(texts: list[list[str]]) -> tuple[float, float]:
    """The share of cells that hold text, and their mean length."""
    lengths = [len(text) for row in texts for text in row if text]
    return len(lengths) / (len(texts) * len(texts[0])), sum(lengths) / len(lengths)


def _fits_between_rules(texts: list[list[str]], figures: float) -> bool:
    filled, mean = _filled_and_mean(texts)
    enough = filled >= _RULED_FILLED if figures >= _RULED_NUMERIC else filled >= _FREE_FILLED and _is_filled(texts)
    return mean <= _RULED_MEAN and enough


def _are_described(rows: list[list[Segment]], texts: list[list[str]]) -> bool:
    """Whether names in bold stand over columns of which the last may hold sentences, each beside short cells."""
    if len(texts[0]) < _DESCRIBED or len(rows[0]) != len(texts[0]) or not all(texts[0]):
        return False
    if not all(s.style.bold for s in rows[0]) or any(all(s.style.bold for s in row) for row in rows[1:]):
        return False
    names = [text for row in texts[1:] for text in row[:-1]]
    return sum(map(bool, names)) >= _FULL * len(names)


def _fits_freely(grid: TableGrid, figures: float, body: list[list[Segment]], *, described: bool) -> bool:
    texts = grid.texts
    filled, mean = _filled_and_mean([row[:-1] for row in texts] if described else texts)
    named = are_fields(body, typed=True)
    fields, short, typed = named or are_fields(body), is_short(body), are_told(body)
    longest = _RULED_MEAN if typed or named else _NUMERIC_MEAN if fields or figures > _SOME_NUMERIC else _WORDS_MEAN
    few = figures <= _SOME_NUMERIC and len(body) < _WORDY_ROWS
    if few and not (fields or short or described or (typed and filled > _FULL)):
        return False
    return (
        filled >= _FREE_FILLED and mean <= longest
        and _is_even(grid) and _lines_up(grid, _TOLD_SPREAD if typed else _EDGE_SPREAD)
        and (fields or short or described or _used(texts) >= 3 or _is_paired(body, texts, figures))
    )  # fmt: skip


def _is_filled(texts: list[list[str]]) -> bool:
    """Whether at least three columns, or two in most rows, hold words: an address between two rules has none of it."""
    if _used(texts) >= 3:
        return True
    leading = [row for row in texts if row[0]]  # the others carry on a cell of the row above
    seconds = sum(bool(row[1]) for row in leading)
    return (
        len(texts[0]) == 2 and len(leading) >= _LEADING_ROWS * len(texts) and seconds >= _LEADING_FILLED * len(leading)
    )


def _used(texts: list[list[str]]) -> int:
    """Columns that hold more than a stray cell."""
    least = max(2, _USED_ROWS * len(texts))
    return sum(sum(bool(row[column]) for row in texts) >= least for column in range(len(texts[0])))


def _is_even(grid: TableGrid) -> bool:
    """Whether the cells of each column, but for code, are set in one size: letterheads and forms mix several."""
    uneven = cells = 0
    for column in zip(*grid.cells, strict=True):
        own = [words[0].style for words in column if words]
        sizes = [style.size for style in own if not style.mono] or [style.size for style in own]
        usual = median(sizes) if sizes else 0.0
        uneven += sum(abs(size - usual) > _SIZE_SPREAD * usual for size in sizes)
        cells += len(sizes)
    return uneven <= (1 - _EVEN_SIZES) * cells


def _lines_up(grid: TableGrid, spread: float) -> bool:
    """Whether the cells of each column share an edge or their middle, but for `spread` ems; justified lines do not."""
    em = grid.cells[0][0][0].style.size if grid.cells[0][0] else _DEFAULT_SIZE
    for column in range(len(grid.columns)):
        own = [cells[column] for cells in grid.cells if cells[column]]
        if len(own) < 3:
            continue
        starts, ends = [words[0].x0 for words in own], [max(w.x1 for w in words) for words in own]
        middles = [(start + end) / 2 for start, end in zip(starts, ends, strict=True)]
        if min(spread_of(values) for values in (starts, ends, middles)) > spread * (em or _DEFAULT_SIZE):
            return False
    return True


def _is_paired(body: list[list[Segment]], texts: list[list[str]], figures: float) -> bool:
    """Two columns are a table where the second holds figures, or where names stand against values in five rows or
    more, in fewer where the file tells them apart, each column on its own left edge, or the names on their right."""
    typed, numbered = are_told(body), all(NUMERIC.match(text) for row in texts for text in row)
    if len(body) < (_MIN_ROWS if typed or numbered else _PAIRED_BODY):
        return False
    if are_pages([row[1] for row in texts]) and not numbered:
        return False  # titles and their pages: contents
    if figures >= _MOSTLY_NUMERIC:
        return True
    if is_list(texts):
        return False  # bullets or numbers before text: a list
    em = body[0][0].style.size or _DEFAULT_SIZE
    pairs = [sorted(row, key=lambda s: s.x0) for row in body if len(row) == 2]
    if len(pairs) < (_MIN_ROWS if typed else _NAMED_PAIRS) or len(pairs) < PAIRED_ROWS * len(body):
        return False
    gutter = min(right.x0 - left.x1 for left, right in pairs)
    names = min(spread_of([p[0].x0 for p in pairs]), spread_of([p[0].x1 for p in pairs]))
    even = max(names, spread_of([p[1].x0 for p in pairs])) < PAIR_SPREAD
    return even and (typed or gutter > em)
