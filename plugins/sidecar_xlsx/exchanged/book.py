"""A workbook collected cell by cell and written as a package, which is read as any .xlsx is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from sidecar.api import Limits, Source
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, cell_name
from sidecar.toolkit.ooxml.package import Package
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.markup import MAIN, PackageParts, SheetMarkup
from sidecar_xlsx.binary.tokens import number_text

_FIRST_OWN_FORMAT: Final = 164
"""Numbers below are those of formats every workbook has (ECMA-376 part 1 §18.8.30)."""
_MAX_CELLS: Final = 4_000_000

Opened = tuple[Package, dict[str, str]]


@dataclass
class Sheet:
    """A sheet while it is read."""

    name: str
    state: str = "visible"
    markup: SheetMarkup = field(default_factory=SheetMarkup)
    comments: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Cell, author, text."""


class CollectedBook:
    """All sheets, and the number formats of their cells."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self.names: list[tuple[str, str, int, bool, str]] = []
        self._formats: dict[str, int] = {"": 0, "General": 0}
        self.left = _MAX_CELLS

    def sheet(self, name: str, state: str = "visible") -> Sheet:
        """A new sheet behind the others."""
        self.sheets.append(Sheet(name or f"Sheet{len(self.sheets) + 1}", state))
        return self.sheets[-1]

    def put(
        self, sheet: Sheet, place: tuple[int, int], value: float | str | bool | None, code: str = "", formula: str = "",
        area: str = "",
    ) -> None:  # fmt: skip
        """A cell, row and column from 0, with its number format; None where a formula has no result in the file, an
        area where it fills one. What is beyond a sheet, or too much, is dropped."""
        row, col = place
        self.left -= 1
        if not (0 <= row < MAX_ROWS and 0 <= col < MAX_COLS) or self.left < 0:
            return
        style = self._formats.setdefault(code, len(self._formats) - 1)
        if isinstance(value, bool):
            sheet.markup.cell(row, col, style, "b", str(int(value)), formula, area)
        elif isinstance(value, str):
            sheet.markup.cell(row, col, style, "str", value, formula, area)
        elif value is None:
            sheet.markup.cell(row, col, style, "", "", formula, area)
        else:
            sheet.markup.cell(row, col, style, "", number_text(value), formula, area)

    def error(self, sheet: Sheet, place: tuple[int, int], value: str, formula: str = "", area: str = "") -> None:
        """A cell with an error."""
        sheet.markup.cell(*place, 0, "e", markup.text(value), formula, area)

    def comment(self, sheet: Sheet, place: tuple[int, int], author: str, text: str) -> None:
        """A remark on a cell."""
        sheet.comments.append((cell_name(*place), author, text))

    def package(self, source: Source, limits: Limits) -> Package:
        """The workbook as a package whose main part is `xl/workbook.xml`."""
        parts, listed = PackageParts(), list[tuple[str, str, str]]()
        for index, sheet in enumerate(self.sheets, 1):
            name = f"xl/worksheets/sheet{index}.xml"
            listed.append((sheet.name, sheet.state, f"s{index}"))
            parts.link(MAIN, f"s{index}", "worksheet", f"worksheets/sheet{index}.xml")
            if sheet.comments:
                parts.link(name, "comments", "comments", f"../comments{index}.xml")
                parts.data[f"xl/comments{index}.xml"] = markup.comments(sheet.comments)
            sheet.markup.sort()
            parts.data[name] = sheet.markup.done()
        parts.link(MAIN, "styles", "styles", "styles.xml")
        parts.link("", "r1", "officeDocument", MAIN)
        parts.data["xl/styles.xml"] = self._styles()
        parts.data[MAIN] = markup.book(listed, self.names, date1904=False)
        return Package(Source.of_bytes(parts.packed(), source.name), limits)

    def _styles(self) -> bytes:
        codes: Sequence[str] = [code for code, style in self._formats.items() if style]
        formats = {_FIRST_OWN_FORMAT + number: code for number, code in enumerate(codes)}
        cells = [(0, 0, 0), *((number, 0, 0) for number in formats)]
        return markup.styles(formats, [""], ['<patternFill patternType="none"/>'] * 2, cells)


def finite_number(text: str) -> float | None:
    """The number that is written there; None of anything else, what is endless included."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None
