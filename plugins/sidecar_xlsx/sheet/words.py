"""The texts of a sheet's cells, each once, without its numbers, formulas and places: a twentieth of what reading the
rows costs. For large workbooks whose words are wanted first.

What a reader of the sheet does not see must not be among them: a cell that its style may hide, or that may lie under
something, gives none, and a sheet whose rows are written in another way than most programs' gives none at all."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sidecar.api import Paragraph
from sidecar.toolkit.cell_references import CellRange, cell_name
from sidecar.toolkit.visible import invisible_spans
from sidecar_xlsx.cells.reading import Workbook
from sidecar_xlsx.cells.scanning import unescape
from sidecar_xlsx.cells.visibility import CellVisibility

_SHARED = rb's"[^>]*+>\s*+<v>([0-9]{1,9}+)</v>'
_RESULT = (
    rb'str"[^>]*+>\s*+(?:<f\b[^>]*/>|<f\b[^>]*+>[^<]*+</f>)?+\s*+(?:<v/>|<v(?: xml:space="preserve")?+>([^<]*+)</v>)'
)
_OWN = rb'inlineStr"[^>]*+>\s*+<is>\s*+(?:<t/>|<t\b[^>]*+>([^<]*+)</t>)\s*+</is>'
_TEXTS = rb' t="(?:%b|%b|%b)' % (_SHARED, _RESULT, _OWN)
_CELL = re.compile(_TEXTS)
"""A cell with a text: the number of a shared one, the result of a formula, or its own."""
_NAMED = re.compile(rb'<c r="([A-Z]{1,3}+[0-9]{1,7}+)"(?: s="([0-9]++)")?+' + _TEXTS)
"""The same with the cell's name and the number of its style."""
_TYPES = (b' t="s"', b' t="str"', b' t="inlineStr"')
_LATE_STYLE = re.compile(rb'<c\b[^>]* t="[^>]* s="')
_EMPTY = re.compile(rb' t="(?:s|str|inlineStr)"[^>]*(?:/>|></c>)')
_MAX_COVERED = 20_000
"""Cells of a sheet that may lie under others or under something drawn; of more, their texts are not told apart."""
_PARAGRAPH_CHARS = 1000


class ReadWhole(Exception):  # not an error: the workbook is read in the usual way
    """The words of a sheet cannot be told without reading it."""


@dataclass(frozen=True)
class SheetWords:
    """The rows of a sheet (`SheetText.rows`) whose texts may be asked for; `merges` are its merged cells."""

    rows: bytes
    book: Workbook
    visibility: CellVisibility
    merges: Sequence[CellRange]

    def paragraphs(self, covered: Iterable[CellRange]) -> list[Paragraph]:
        """The texts in paragraphs, but for cells that pictures and shapes of these areas cover. Raises ReadWhole."""
        found: list[Paragraph] = []
        texts: list[str] = []
        size = 0
        for text in self._texts(covered):
            texts.append(text)
            size += len(text)
            if size >= _PARAGRAPH_CHARS:
                found.append(Paragraph(text=" | ".join(texts)))
                texts, size = [], 0
        return [*found, Paragraph(text=" | ".join(texts))] if texts else found

    def _texts(self, covered: Iterable[CellRange]) -> Iterator[str]:
        odd, under = self.visibility.unsure | self.book.worded_styles.keys(), self._under(covered)
        rows = self.rows
        if under or any(self._has_style(style) for style in odd):
            named = _NAMED.findall(rows)
            self._check(len(named))
            if _LATE_STYLE.search(rows):
                raise ReadWhole
            skipped = {style.encode() for style in odd}
            cells = [cell[2:] for cell in named if cell[0] not in under and cell[1] not in skipped]
        else:
            cells = _CELL.findall(rows)
            self._check(len(cells))
        strings = self.book.strings
        for number in sorted(map(int, {cell[0] for cell in cells if cell[0]})):
            if number < len(strings.texts) and not strings.is_partly_hidden(number):
                yield strings.texts[number]
        for own in dict.fromkeys(cell[1] or cell[2] for cell in cells if not cell[0]):
            text = unescape(own.decode("utf-8", "replace"))
            if not invisible_spans(text):
                yield text

    def _has_style(self, style: str) -> bool:
        return not style or b' s="%b"' % style.encode() in self.rows

    def _check(self, found: int) -> None:
        """Raises ReadWhole where cells with texts were missed."""
        if found + len(_EMPTY.findall(self.rows)) != sum(map(self.rows.count, _TYPES)):
            raise ReadWhole

    def _under(self, covered: Iterable[CellRange]) -> set[bytes]:
        """The names of cells that may not be seen. Raises ReadWhole."""
        areas = [*covered]
        for top, left, bottom, right in self.merges:
            areas += [CellRange(top, left + 1, top, right), CellRange(top + 1, left, bottom, right)]
        if (
            sum(max(bottom - top + 1, 0) * max(right - left + 1, 0) for top, left, bottom, right in areas)
            > _MAX_COVERED
        ):
            raise ReadWhole
        return {
            cell_name(row, column).encode()
            for top, left, bottom, right in areas
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        }
