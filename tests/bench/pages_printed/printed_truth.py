"""What the sources of printed files say of their tables, as our readers of those formats give them, as far as it stands
on the pages: rows whose cells are all on one page. Tables that lay a page out, and those of next to nothing, are left
out."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lxml.html
import pypdfium2
from sidecar_doc import DocFormat
from sidecar_docx import DocxFormat
from sidecar_html import HtmlFormat
from sidecar_odf import OdfFormat
from sidecar_rtf import RtfFormat
from sidecar_xlsx import XlsxFormat

from sidecar.api import FormatPlugin, Limits, Source, Table

READERS: dict[str, type[FormatPlugin]] = {
    ".docx": DocxFormat, ".doc": DocFormat, ".odt": OdfFormat, ".rtf": RtfFormat, ".xlsx": XlsxFormat,
    ".xls": XlsxFormat, ".ods": OdfFormat, ".html": HtmlFormat, ".htm": HtmlFormat,
}  # fmt: skip
MOST_PAGES, MOST_ROWS, MOST_BYTES = 60, 400, 8_000_000  # of a file, of a table, of its PDF
LONG_CELL = 400  # characters: of a table that lays out a page
ON_PAGE, IN_LINE = 0.8, 0.6  # of a table's rows, that stand on a page; of a sheet's, whose cells stand on one line
SEVERAL, FILLED, SHORT = 0.6, 0.45, 0.8  # of rows with several cells, of cells with text, of cells of a letter or two
USED = 0.3  # of the rows, in which a column holds text, of which there are two at least
SIGNS = re.compile(r"[•◦▪‣■➢·●○□☐☑☒✓✔\uf000-\uf0ff\u00ad\u200b\ufeff^\s]")
SHAPES = str.maketrans("’‘“”−–‐‑", "''\"\"----")
MARKS_OF_TEMPLATES = ("\\(", "\\frac", "{%")

Cells = list[list[str]]


@dataclass(frozen=True)
class PrintedTable:
    """A table of a source: the rows that stand on pages, and the page of each, from 0."""

    rows: Cells
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Truth:
    """What a source says: its tables, the words of tables that are not judged, and those of running text, where any
    table of them would be invented."""

    tables: list[PrintedTable]
    others: Counter[str]
    paragraphs: Counter[str] | None


@dataclass(frozen=True)
class _Page:
    """The words of a printed page, all of its letters, and those of each line."""

    words: frozenset[str]
    letters: str
    lines: list[str]

    def holds(self, cell: str) -> bool:
        """Whether the words of a cell stand on the page."""
        return all(word in self.words or word in self.letters for word in map(folded, cell.split()))


def folded(text: str) -> str:
    """What cells are compared by: no white space, no marks of lists, one shape of dashes and quotes."""
    return SIGNS.sub("", unicodedata.normalize("NFKC", text).translate(SHAPES))


def words_in(rows: Cells) -> Iterator[str]:
    """The words of rows, as they are compared."""
    return (word for row in rows for cell in row for word in map(folded, cell.split()) if word)


def trimmed(rows: Cells) -> Cells:
    """Rows of one width without those and without the columns that hold nothing."""
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    kept = [at for at in range(width) if any(folded(row[at]) for row in rows)]
    return [[row[at] for at in kept] for row in rows if any(map(folded, row))]


def paragraphs_in(source: Path) -> Counter[str]:
    """The words of a source outside its tables."""
    parts = READERS[source.suffix.lower()]().parse(Source.of(source), Limits(ocr=False)).parts
    texts = (getattr(block, "text", "") for part in parts for block in part.blocks if not isinstance(block, Table))
    return Counter(word for text in texts for word in map(folded, str(text or "").split()) if word)


def truth_of(source: Path, pdf: Path, kind: str) -> Truth | str:
    """What a source says of its printed tables, or why that does not count."""
    if pdf.stat().st_size > MOST_BYTES:
        return "the PDF is larger than 8 MB"
    pages = _pages(pdf)
    if len(pages) > MOST_PAGES:
        return "more than 60 pages"
    wanted: list[PrintedTable] = []
    others: Counter[str] = Counter()
    start = 0
    for rows in _tables(source, kind):
        table = _on_pages(rows, pages, start, in_lines=kind == "sheet") if _is_judged(rows) else None
        if table is None:
            others.update(words_in(rows))
        else:
            wanted.append(table)
            start = table.pages[-1]
    running = None if kind == "sheet" or (kind == "html" and _is_laid_out(source)) else paragraphs_in(source)
    return Truth(wanted, others, running)


def _tables(source: Path, kind: str) -> Iterator[Cells]:
    """The tables of a source, those of a sheet parted where a row is empty; titles over all columns are none's."""
    found: list[Cells] = []
    for part in READERS[source.suffix.lower()]().parse(Source.of(source), Limits(ocr=False)).parts:
        for block in () if part.hidden else part.blocks:
            if not isinstance(block, Table):
                continue
            shown = [row for at, row in enumerate(block.rows) if at not in block.hidden_rows]
            rows = [[cell for at, cell in enumerate(row) if at not in block.hidden_cols] for row in shown]
            if block.first_row and found:
                found[-1] += rows
            else:
                found.append(rows)
    for rows in found:
        for piece in _parted(rows[:MOST_ROWS]) if kind == "sheet" else [rows[:MOST_ROWS]]:
            table = trimmed(piece)
            while table and sum(bool(folded(cell)) for cell in table[0]) < 2:
                table = trimmed(table[1:])
            if table:
                yield table


def _parted(rows: Cells) -> list[Cells]:
    pieces: list[Cells] = [[]]
    for row in rows:
        if any(map(folded, row)):
            pieces[-1].append(row)
        else:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _is_judged(rows: Cells) -> bool:
    """Whether a table holds data: several cells in most rows, two columns that are used, cells of no page's length."""
    if len(rows) < 2:
        return False
    filled = [sum(bool(folded(cell)) for cell in row) for row in rows]
    used = [sum(bool(folded(cell)) for cell in column) for column in zip(*rows, strict=True)]
    if sum(count >= 2 for count in filled) < max(2, SEVERAL * len(rows)):
        return False
    if sum(count >= max(2, USED * len(rows)) for count in used) < 2:
        return False
    cells = [cell.strip() for row in rows for cell in row if cell.strip()]
    if max(map(len, cells)) > LONG_CELL or sum(filled) < FILLED * len(rows) * len(rows[0]):
        return False
    return not _is_odd(rows, cells)


def _is_odd(rows: Cells, cells: list[str]) -> bool:
    """Whether a table is set mathematics, a template's, of single letters, or a bar of links from page to page."""
    if any(mark in cell for cell in cells for mark in MARKS_OF_TEMPLATES) or {"(", ")"} & set(cells):
        return True
    if sum(len(folded(cell)) <= 2 for cell in cells) > SHORT * len(cells):
        return True
    return rows[0][0].strip() in ("Prev", "Previous", "<<") or rows[0][-1].strip() == "Next"


def _on_pages(rows: Cells, pages: list[_Page], start: int, *, in_lines: bool) -> PrintedTable | None:
    """The rows of a table whose cells are all on one page, from page `start` on; None where most are not."""
    kept: list[tuple[list[str], int]] = []
    lined = 0
    for row in rows:
        cells = [cell for cell in row if folded(cell)]
        order = [*range(start, len(pages)), *range(start)]
        at = next((at for at in order if all(map(pages[at].holds, cells))), None)
        if at is not None:
            start = at
            kept.append((row, at))
            lined += in_lines and _is_in_line(cells, pages[at].lines)
    if len(kept) < max(2, ON_PAGE * len(rows)) or (in_lines and lined < IN_LINE * len(rows)):
        return None
    return PrintedTable([row for row, _ in kept], tuple(at for _, at in kept))


def _is_in_line(cells: list[str], lines: list[str]) -> bool:
    """Whether a line of a page holds the beginnings of all cells in their order."""
    starts = [folded(cell.split("\n")[0])[:12] for cell in cells]
    return any(re.search(".*?".join(map(re.escape, starts)), line) for line in lines)


def _pages(pdf: Path) -> list[_Page]:
    """The words of each page, as pdfium gives them in the order of the file, and by the lines they stand on."""
    document = pypdfium2.PdfDocument(pdf)
    found: list[_Page] = []
    for page in document:
        text = page.get_textpage()
        whole = text.get_text_bounded()
        boxes = (text.get_rect(at) for at in range(text.count_rects()))
        rows: dict[int, list[tuple[float, str]]] = {}
        for left, bottom, right, top in boxes:
            rows.setdefault(round((bottom + top) / 8), []).append(
                (left, text.get_text_bounded(left, bottom, right, top))
            )
        lines = [folded("".join(piece for _, piece in sorted(row))) for row in rows.values()]
        words = frozenset(map(folded, whole.split()))
        found.append(_Page(words, folded(whole) + "\0" + "\0".join(lines), lines))
    document.close()
    return found


def _is_laid_out(source: Path) -> bool:
    """Whether tables of a web page lie in one another: then they lay it out."""
    root = lxml.html.fromstring(source.read_bytes())
    return any(table.find(".//table") is not None for table in root.iter("table"))
