"""What formulas take in and what uses a cell: references followed through sheets, defined names and Excel tables.

Bounded everywhere: a workbook may name a million cells, or itself."""

import re
from collections import deque
from dataclasses import dataclass, field

from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar_formulas.references import Reference, computed_functions, references
from sidecar_formulas.workbook import NamedTable, Place, Workbook

_NAME_DEPTH = 5
"""Names may stand for names; so far they are followed."""
_MAX_SHEETS = 50
_MAX_IN_CYCLE = 2000
"""How many formulas are followed to find out whether a cell depends on itself."""
_RELATIVE = re.compile(r"(?<![\w.$'])(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?![\w(.])")


@dataclass(frozen=True)
class Target:
    """A range a formula takes in. `written` is how the formula says it."""

    written: str
    sheet: int
    area: CellRange

    @property
    def single(self) -> Place | None:
        """The cell, where it is only one."""
        top, left, bottom, right = self.area
        return (self.sheet, top, left) if (top, left) == (bottom, right) else None


@dataclass
class Precedents:
    """What one formula takes in, and what cannot be told about it."""

    targets: list[Target] = field(default_factory=list[Target])
    remarks: list[str] = field(default_factory=list[str])


def precedents_of(book: Workbook, place: Place) -> Precedents:
    """What the formula of a cell takes in."""
    formula = book.formulas.get(book.source(place), "")
    tracer = _Tracer(book, place)
    for reference in references(formula):
        tracer.follow(reference, reference.text)
    for function in computed_functions(formula):
        tracer.found.remarks.append(f"{function} chooses cells while calculating; those are not listed.")
    return tracer.found


def resolved(book: Workbook, place: Place, reference: Reference) -> list[Target]:
    """What one reference of the formula of a cell leads to."""
    tracer = _Tracer(book, place)
    tracer.follow(reference, reference.text)
    return tracer.found.targets


class _Tracer:
    """Follows references of the formula of one cell, and gathers in `found` what they lead to."""

    def __init__(self, book: Workbook, place: Place) -> None:
        self.found = Precedents()
        self._book, self._place = book, place

    def follow(self, reference: Reference, written: str, depth: int = _NAME_DEPTH) -> None:
        """A reference, for which the formula has what is `written`; `depth` more names are followed."""
        book, found = self._book, self.found
        if reference.book:
            found.remarks.append(f"{written} is in another workbook, {reference.book}.")
            return
        sheet = self._place[0]
        if reference.sheet:
            named = book.sheet_index(reference.sheet)
            if named is None:
                found.remarks.append(f"{written}: there is no sheet {reference.sheet}.")
                return
            sheet = named
        if reference.area is not None:
            last = book.sheet_index(reference.last_sheet) if reference.last_sheet else None
            first, last = sorted((sheet, sheet if last is None else last))  # sheets may have been moved since
            for index in range(first, min(last + 1, first + _MAX_SHEETS)):
                found.targets.append(Target(written, index, reference.area))
        elif reference.structured:
            self._follow_structured(reference)
        else:
            self._follow_name(reference, written, depth)

    def _follow_name(self, reference: Reference, written: str, depth: int) -> None:
        """A word in a formula is a name only if the workbook defines it, or an Excel table is called so."""
        book, found = self._book, self.found
        name = reference.name.lower()
        own = book.sheets[self._place[0]].name.lower()
        meant = book.names.get(f"{reference.sheet.lower() or own}!{name}") or book.names.get(name)
        if meant is None:
            table = book.tables.get(name)
            if table is not None:
                found.targets.append(Target(written, table.sheet, self._rows(table, frozenset())))
            return
        inner = references(meant)
        if not inner or depth == 0:
            found.remarks.append(f"{reference.name} stands for {meant[:80]}.")
        for one in inner if depth else ():
            self.follow(one, written, depth - 1)

    def _follow_structured(self, reference: Reference) -> None:
        book, found = self._book, self.found
        table = book.tables.get(reference.table.lower()) if reference.table else book.table_around(self._place)
        if table is None:
            found.remarks.append(f"{reference.text}: the place of that table is not known.")
            return
        rows = self._rows(table, reference.items)
        headings = {
            " ".join(cell.text.split()).casefold(): col
            for _, col, cell in book.sheets[table.sheet].cells(
                CellRange(table.area.top, table.area.left, table.area.top, table.area.right)
            )
        } if table.header_rows else {}  # fmt: skip
        for first, last in reference.columns or (("", ""),):
            ends = [headings.get(" ".join(name.split()).casefold()) for name in (first, last)]
            if first and None in ends:
                found.remarks.append(f"{reference.text}: {table.name} has no column {first}.")
                continue
            left, right = (ends[0] or 0, ends[1] or 0) if first else (table.area.left, table.area.right)
            area = CellRange(rows.top, min(left, right), rows.bottom, max(left, right))
            found.targets.append(Target(reference.text, table.sheet, area))

    def _rows(self, table: NamedTable, items: frozenset[str]) -> CellRange:
        """The rows of a table that the items name; the data without them."""
        top, left, bottom, right = table.area
        data = top + table.header_rows
        totals = bottom if _has_totals(self._book, table) else None
        if "#this row" in items:
            return CellRange(self._place[1], left, self._place[1], right)
        if items == frozenset(("#headers",)):
            return CellRange(top, left, max(data - 1, top), right)
        if items == frozenset(("#totals",)):
            return CellRange(bottom, left, bottom, right)
        first = top if items & {"#all", "#headers"} else data
        last = bottom if totals is None or items & {"#all", "#totals"} else totals - 1
        return CellRange(first, left, max(last, first), right)


def _has_totals(book: Workbook, table: NamedTable) -> bool:
    """Whether the last row is one of totals: a formula there that takes in a whole column of its own table would, in a
    row of data, take in itself."""
    row = CellRange(table.area.bottom, table.area.left, table.area.bottom, table.area.right)
    for place in book.formulas_in(table.sheet, row):
        formula = book.formulas[place]
        if "SUBTOTAL(" in formula.upper():
            return True
        for one in references(formula):
            mine = one.structured and one.table.lower() in ("", table.name.lower())
            if mine and not one.items & {"#this row", "#headers", "#totals"}:
                return True
    return False


def cycle_through(book: Workbook, place: Place) -> list[Place]:
    """The cells of a shortest way from a cell's formula back to the cell; [] where it does not depend on itself."""
    came: dict[Place, Place] = {}
    queue = deque([place])
    while queue and len(came) < _MAX_IN_CYCLE:
        here = queue.popleft()
        for target in precedents_of(book, here).targets:
            for other in book.formulas_in(target.sheet, target.area):
                if other == place:
                    way = [here]
                    while way[-1] != place:
                        way.append(came[way[-1]])
                    return [*reversed(way), place]
                if other not in came:
                    came[other] = here
                    queue.append(other)
    return []


def relative_formula(formula: str, place: Place) -> str:
    """The formula with its references counted from the cell: equal for formulas that were copied down or across."""

    def relative(match: re.Match[str]) -> str:
        area = parse_range(match[0])
        if area is None:
            return match[0]
        row = f"R{area.top}" if match[3] else f"r{area.top - place[1]}"
        col = f"C{area.left}" if match[1] else f"c{area.left - place[2]}"
        return row + col

    return _RELATIVE.sub(relative, formula)
