"""Makes a workbook of a stored document's blocks, in a worker; no file is opened. Finds the cell that a person calls by
words: "Total revenue", "EBIT 2024", by the texts of its row and column."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from msgspec.structs import replace

from sidecar.api import Note, StoredDocument, Table, decode_blocks
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.visible import visible
from sidecar_formulas.workbook import CellContent, Filled, NamedTable, Place, Sheet, Workbook, cell_record

_WORD = re.compile(r"[^\W_]+")
_MAX_ACROSS, _MAX_DOWN = 256, 5000
"""How many columns right of a text, and rows below it, belong to it."""
_MAX_TEXTS = 500
"""How many texts with a word of the question are looked at."""


@dataclass
class _Candidate:
    place: Place
    computed: bool
    words: list[str]
    exact: bool = False


def _words_of(text: str) -> list[str]:
    """The words of a text in lower case, digits too."""
    return [word.casefold() for word in _WORD.findall(text)]


def find_labelled(book: Workbook, sheets: Iterable[int], label: str) -> list[Place]:
    """The cells whose row or column is called so, best first: most words, then exact texts, then formulas before
    typed-in values, then the last of a row, where the total stands."""
    wanted = set(_words_of(label))
    candidates: dict[Place, _Candidate] = {}
    for sheet in sheets:
        named = wanted & set(_words_of(book.sheets[sheet].name))
        for row, col, words, exact in _texts(book, sheet, wanted, label):
            for place, found in _labelled_cells(book, sheet, row, col):
                known = candidates.setdefault(place, _Candidate(place, bool(found.formula), sorted(named)))
                known.words += words
                known.exact |= exact
    best = max((len(set(one.words)) for one in candidates.values()), default=0)
    fitting = [one for one in candidates.values() if len(set(one.words)) == best]
    fitting.sort(key=_rank)
    return [one.place for one in fitting]


def _rank(one: _Candidate) -> tuple[int, ...]:
    sheet, row, col = one.place
    return -one.exact, -one.computed, -len(one.words), sheet, row, -col


def _texts(book: Workbook, sheet: int, wanted: set[str], label: str) -> Iterator[tuple[int, int, list[str], bool]]:
    """The texts of a sheet with words of the question: where, which words, and whether it is the question itself. Of
    those with equally many of its words, only the first ones."""
    used = book.sheets[sheet].used()
    asked = _words_of(label)
    counts: Counter[int] = Counter()
    for row, col, found in book.sheets[sheet].cells(used) if used is not None else ():
        text = found.text.casefold()
        if found.formula or not any(word in text for word in wanted):
            continue
        words = _words_of(text)
        common = sorted(wanted.intersection(words))
        counts[len(common)] += 1
        if common and counts[len(common)] <= _MAX_TEXTS:
            yield row, col, common, words == asked


def _labelled_cells(book: Workbook, sheet: int, row: int, col: int) -> Iterator[tuple[Place, CellContent]]:
    """The numbers and formulas a text names: those right of it to the next table, those below it to the next text."""
    book_sheet = book.sheets[sheet]
    for _, at, found in book_sheet.cells(CellRange(row, col + 1, row, col + _MAX_ACROSS)):
        if found.formula or found.number is not None:
            yield (sheet, row, at), found
    for at, _, found in book_sheet.cells(CellRange(row + 1, col, row + _MAX_DOWN, col)):
        if found.formula or found.number is not None:
            yield (sheet, at, col), found
        elif found.text:
            return


_MAX_FORMULAS = 200_000
"""How many formulas of a workbook are looked through."""
_KEPT = 2


@lru_cache(maxsize=_KEPT)
def open_workbook(document: StoredDocument) -> Workbook:
    """The workbook of a stored document; the last few stay open in the worker, for questions come in rows."""
    book = Workbook()
    placed: list[tuple[int, str, str]] = []
    for part in document.parts:
        sheet = Sheet(part.name or part.title or f"Sheet{part.n}")
        book.sheets.append(sheet)
        for data in part.segments:
            for block in decode_blocks(data):
                if isinstance(block, Table):
                    sheet.tables.append(_without_hidden_words(block))
                elif isinstance(block, Note) and block.kind == "annotation" and block.anchor:
                    name, _, meant = block.text.partition(" = ")
                    if name == f"Table {block.anchor}":
                        placed.append((len(book.sheets) - 1, block.anchor, meant))
                    else:
                        book.names[block.anchor.lower()] = meant
        sheet.order()
    for index, sheet in enumerate(book.sheets):
        _add_formulas(book, index, sheet)
        _add_tables(book, index, sheet)
    for index, name, meant in placed:
        area = parse_range(meant.rpartition("!")[2].partition(" ")[0])
        if area is not None:
            book.tables[name.lower()] = NamedTable(name, index, area, 0 if meant.endswith(")") else 1)
    return book


def _without_hidden_words(table: Table) -> Table:
    """The table without words that its readers do not see; hidden numbers and their formulas explain others."""
    shown = visible(table)
    if shown is table:
        return table
    kept = shown.rows if isinstance(shown, Table) else ((),) * len(table.rows)
    rows = tuple(
        tuple(text if _is_number(text) else seen for text, seen in zip_longest(row, seen_row[: len(row)], fillvalue=""))
        for row, seen_row in zip(table.rows, kept, strict=True)
    )
    cells = tuple(
        cell
        for cell in table.cells
        if rows[cell.row][cell.col : cell.col + 1] == table.rows[cell.row][cell.col : cell.col + 1]
    )
    return replace(table, rows=rows, cells=cells)


def _is_number(text: str) -> bool:
    return cell_record(text, None).number is not None


def _add_formulas(book: Workbook, index: int, sheet: Sheet) -> None:
    for table in sheet.tables:
        for cell in table.cells:
            if cell.formula:
                if len(book.formulas) >= _MAX_FORMULAS:
                    book.complete = False
                    return
                place = index, table.first_row + cell.row, table.first_col + cell.col
                book.formulas[place] = cell.formula
                if area := parse_range(cell.array):
                    book.arrays.setdefault(index, []).append(Filled(area, place))


def _add_tables(book: Workbook, index: int, sheet: Sheet) -> None:
    """Excel tables come as windows of one name, one below the other; the first has the heading."""
    for table in sheet.tables:
        if not table.name:
            continue
        right = table.first_col + max(map(len, table.rows), default=1) - 1
        area = CellRange(table.first_row, table.first_col, table.first_row + len(table.rows) - 1, right)
        known = book.tables.get(table.name.lower())
        if known is not None and known.sheet == index:
            low = known.area
            area = CellRange(
                min(low.top, area.top), min(low.left, area.left), max(low.bottom, area.bottom), max(low.right, right)
            )
        heads = table.header_rows or (known.header_rows if known is not None else 0)
        book.tables[table.name.lower()] = NamedTable(table.name, index, area, heads)
