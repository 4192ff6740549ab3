"""Reads the cells of a sheet: what each shows, and what it holds besides (raw value, formula, format, link, spans).

Source: ECMA-376 part 1 §18.3.1.4 (c), §18.3.1.40 (f), §18.18.11 (cell types)."""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import TypeAlias

from sidecar.api import FormulaState, Span
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, column_index, parse_cell, parse_range
from sidecar.toolkit.ooxml.hidden_text import HiddenText, with_invisible
from sidecar.toolkit.times import serial_iso, serial_of
from sidecar_xlsx.cells.references import SharedFormula
from sidecar_xlsx.cells.rich_values import RichValue
from sidecar_xlsx.cells.scanning import RawCell, SheetText, attributes, parse_fragment, scan_rows, unescape
from sidecar_xlsx.cells.strings import Inks, SharedStrings, seen_text
from sidecar_xlsx.cells.styles import CellStyles
from sidecar_xlsx.cells.tables import CellExtra, TableBuilder
from sidecar_xlsx.cells.visibility import CellVisibility, Painted
from sidecar_xlsx.number_formats.formats import GENERAL, NumberFormat

_FORMULA = re.compile(r"<f((?: [\w:]+=\"[^\"]*\")*)\s*(?:/>|>([^<]*)</f>)")
_VALUE = re.compile(r"<v(?:\s[^>]*)?>([^<]*)</v>")
_INLINE = re.compile(r"<is>.*?</is>", re.DOTALL)
_PLAIN_INLINE = re.compile(r'<is><t(?: xml:space="preserve")?>([^<]*)</t></is>$')
_MASTER = re.compile(rb'<c r="([A-Z]{1,3}\d{1,7})"[^>]*>\s*<f([^>]*?\bt="shared"[^>]*?)>([^<]+)</f>')
_ROW_NUMBER = re.compile(r'\br="(\d{1,9})"')
_HIDDEN = re.compile(r'\bhidden="(?:1|true|on)"|\bht="[01](?:\.\d*)?"')
"""Rows that are hidden, or lower than two points."""
_FUTURE = re.compile(r"_xl(?:fn|ws|pm|udf)\.(?:_xl(?:ws|pm)\.)?")
_SPILL = re.compile(r"\bANCHORARRAY\(([^()]*)\)")
_EXTERNAL = re.compile(r"\[(\d{1,4})\]")
_CACHE = 100_000

Shown: TypeAlias = tuple[str, str | int | float | None]
"""What a cell shows, and its raw value where that says more."""


@dataclass
class Workbook:
    """What cells refer to, shared by the sheets of one workbook."""

    strings: SharedStrings = field(default_factory=SharedStrings)
    cell_styles: CellStyles = field(default_factory=CellStyles)
    date1904: bool = False
    externals: Sequence[str] = ()
    """The workbooks `[1]`, `[2]`, … of formulas stand for."""
    formula_state: FormulaState = ""
    """Of formulas with a result: "unverified" where the workbook asks for all to be calculated anew."""
    room: int = 0
    """Characters of text that may still be read."""
    words_only: bool = False
    """Whether the texts of cells will do for now."""
    rich: Mapping[str, RichValue] = field(default_factory=dict[str, RichValue])
    """Values besides the plain ones by what cells call them."""
    lost_texts: int = 0
    """Cells that name a shared string which the workbook does not hold."""
    _numbers: dict[tuple[str, str], Shown] = field(default_factory=dict[tuple[str, str], "Shown"])
    _styles: dict[str, NumberFormat] = field(default_factory=dict[str, NumberFormat])

    def __post_init__(self) -> None:
        self._styles = {str(index): form for index, form in enumerate(self.cell_styles.formats)}
        self._styles[""] = self._styles.get("0", GENERAL)  # §18.3.1.4: `s` is 0 where it is absent

    def style(self, number: str) -> NumberFormat:
        """The number format of a style number as written in `s`; General for one the workbook has not."""
        return self._styles.get(number, GENERAL)

    @cached_property
    def plain_styles(self) -> set[str]:
        """The style numbers, as written in `s`, that show numbers as they are."""
        return {number for number, form in self._styles.items() if form.is_general}

    @cached_property
    def worded_styles(self) -> dict[str, Callable[[str], str]]:
        """The style numbers that add words to strings."""
        return {number: form.text for number, form in self._styles.items() if form.text and not form.hides_strings}

    def shown(self, style: str, text: str) -> Shown:
        """What a number shows under a style, and its raw value where that says more. Not a number: the text itself."""
        key = (style, text)
        known = self._numbers.get(key)
        if known is None:
            if len(self._numbers) >= _CACHE:
                self._numbers.clear()
            known = self._numbers[key] = self._show(self.style(style), text)
        return known

    def _show(self, form: NumberFormat, text: str) -> Shown:
        try:
            number = float(text)
        except ValueError:
            return unescape(text), None
        if not isfinite(number):
            return text, None
        value: int | float = number
        if number.is_integer() and abs(number) < 1e15:
            value = int(number)
        shown = form.number(number)
        if form.dated:
            return shown, serial_iso(number, date1904=self.date1904) or value
        if form.is_general:
            # Digits beyond the fifteen Excel keeps are noise of binary fractions.
            return shown, None if shown == text or float(shown) == float(f"{number:.15g}") else value
        return shown, value


def read_cells(
    sheet: SheetText,
    book: Workbook,
    builder: TableBuilder,
    links: Mapping[int, Mapping[int, str]],
    hidden: HiddenText,
    painted: Painted,
) -> bool:
    """Feed the rows of a sheet to `builder`; False when the text limit stopped it early. What is hidden is counted in
    `hidden`.

    Raises:
        Irregular: the sheet must be rewritten first."""
    reader = _CellReader(book, _shared_masters(sheet.rows), hidden, painted)
    return reader.run(scan_rows(sheet.rows, checked=not sheet.rewritten), builder, links)


def _shared_masters(rows: bytes) -> dict[str, SharedFormula]:
    """Shared formulas by their index. Looked for ahead, since a cell may use one before the cell that spells it."""
    masters: dict[str, SharedFormula] = {}
    if b't="shared"' in rows:
        for name, inside, formula in _MASTER.findall(rows):
            place = parse_cell(name.decode())
            index = attributes(inside.decode("utf-8", "replace")).get("si")
            if place and index is not None and index not in masters:
                masters[index] = SharedFormula(as_typed(unescape(formula.decode("utf-8", "replace"))), *place)
    return masters


def as_typed(formula: str) -> str:
    """A formula as Excel's formula bar shows it, without the prefixes that mark functions newer than the format."""
    if "_xl" in formula:
        formula = _FUTURE.sub("", formula)
        formula = _SPILL.sub(r"\1#", formula)
    return formula


class _CellReader:
    """The cells of one sheet; `masters` are its shared formulas by their index."""

    def __init__(self, book: Workbook, masters: dict[str, SharedFormula], found: HiddenText, painted: Painted) -> None:
        self._book = book
        self._masters = masters
        self._found = found
        self._visibility = CellVisibility(book.cell_styles, painted, found)
        self._plain = book.plain_styles - self._visibility.hidden.keys()
        self._worded = book.worded_styles

    def run(
        self, rows: Iterator[tuple[str, list[RawCell]]], builder: TableBuilder, links: Mapping[int, Mapping[int, str]]
    ) -> bool:
        """Feed rows to `builder`; False when the text limit stopped it early."""
        book = self._book
        index = highest = -1
        late: list[tuple[int, int, list[str], list[CellExtra], bool]] = []
        for head, cells in rows:
            number = _ROW_NUMBER.search(head) if head else None
            index = int(number[1]) - 1 if number else index + 1
            if not 0 <= index < MAX_ROWS or not cells:
                continue
            first, texts, extras = self._row(index, cells)
            if first < 0:
                continue
            if index in links:
                extras = _linked(index, first, texts, extras, links[index])
            book.room -= sum(map(len, texts))
            hidden = bool(head) and _HIDDEN.search(head) is not None
            if index <= highest:
                late.append((index, first, texts, extras, hidden))
            else:
                highest = index
                builder.add(index, first, texts, extras, hidden=hidden)
            if book.room < 0:
                return False
        for row in sorted(late, key=lambda row: row[0]):
            # Rows out of order or given twice: Excel would repair the file; nothing of them is lost here.
            builder.add(*row[:4], hidden=row[4])
        return True

    def _row(self, index: int, cells: list[RawCell]) -> tuple[int, list[str], list[CellExtra]]:
        """The column of a row's first text (-1 for an empty row), its texts from there on, and its extras."""
        first = col = -1
        end = 0  # the column after the last text
        texts: list[str] = []
        extras: list[CellExtra] = []
        plain, read, may_hide = self._plain, self._read, self._visibility.may_hide
        for letters, own_style, own_kind, more, raw, inside in cells:
            style, kind = own_style, own_kind
            col = column_index(letters) if letters else col + 1
            if more:
                style, kind, col = _given(more, style, kind, col, named=bool(letters))
            if col >= MAX_COLS:
                continue
            if not kind and not inside and style in plain and len(raw) < 11 and raw.isdecimal():
                text = raw
            else:
                text, extra = read(index, col, style, kind, raw, inside)
                if (
                    may_hide
                    and (text or extra is not None)
                    and (why := self._visibility.why(index, col, style, kind, text))
                ):
                    extra = extra or CellExtra(index, col)
                    extra = extra._replace(spans=(*extra.spans, *self._visibility.flag(why, text)))
                if extra is not None:
                    extras.append(extra)
                elif not text:
                    continue
            if col == end and first >= 0:
                texts.append(text)
                end += 1
            else:
                first, end = _put(texts, first, end, col, text)
        return first, texts, extras

    def _read(self, row: int, col: int, style: str, kind: str, raw: str, inside: str) -> tuple[str, CellExtra | None]:
        """What a cell shows and what it holds besides; `("", None)` for an empty one."""
        book = self._book
        if inside:
            return self._full(row, col, style, kind, raw, inside)
        if kind == "s":
            return self._shared(row, col, style, raw)
        if not raw:
            return "", None
        if not kind or kind == "n":
            text, value = book.shown(style, raw)
            return text, None if value is None else CellExtra(row, col, value, "", book.style(style).code)
        return self._typed(row, col, style, kind, raw)

    def _shared(self, row: int, col: int, style: str, raw: str) -> tuple[str, CellExtra | None]:
        """A shared string by its index; nothing for one the table does not have."""
        strings = self._book.strings
        place = int(raw) if raw.isdecimal() and len(raw) < 10 else len(strings.texts)
        if place >= len(strings.texts):
            self._book.lost_texts += bool(raw)
            return "", None
        text, spans = strings.texts[place], strings.spans.get(place, ())
        if place in strings.inks:
            spans = (*spans, *self._visibility.lost(row, col, style, strings.inks[place]))
        if style in self._worded:
            return self._worded[style](text), CellExtra(row, col, text, "", self._book.style(style).code, spans=spans)
        return text, CellExtra(row, col, spans=spans) if spans else None

    def _full(self, row: int, col: int, style: str, kind: str, raw: str, inside: str) -> tuple[str, CellExtra | None]:
        """A cell with a formula or an inline string."""
        if (kind == "inlineStr" or not raw) and (plain := _PLAIN_INLINE.match(inside)):  # as nearly all of them are
            text = unescape(plain[1] or raw)
            spans = with_invisible(text, (), self._found)
            return text, CellExtra(row, col, spans=spans) if spans else None
        formula = _FORMULA.search(inside)
        if not raw and (value := _VALUE.search(inside)):
            raw = value[1]
        if kind == "inlineStr" or (not raw and "<is" in inside):
            text, spans, inks = _inline(inside, self._found)
            text = text or unescape(raw)
            spans = (
                *with_invisible(text, spans, self._found),
                *(self._visibility.lost(row, col, style, inks) if inks else ()),
            )
            extra = CellExtra(row, col, spans=spans) if spans else None
        else:
            text, extra = self._read(row, col, style, kind, raw.strip() if kind in ("", "n", "s") else raw, "")
        given = attributes(formula[1]) if formula is not None and formula[1] else {}
        if formula is not None and (typed := self._formula(given, formula[2] or "", row, col)):
            calculated = bool(text or raw.strip()) or (kind == "str" and "<v" in inside)
            state = self._book.formula_state if calculated else "not_computed"
            extra = (extra or CellExtra(row, col))._replace(formula=typed, state=state, array=_filled_range(given))
        return text, extra

    def _typed(self, row: int, col: int, style: str, kind: str, raw: str) -> tuple[str, CellExtra | None]:
        if kind == "b":
            boolean = raw.strip() in ("1", "true", "TRUE")
            return ("TRUE" if boolean else "FALSE"), CellExtra(row, col, boolean)
        if kind == "d":
            return self._iso_date(row, col, style, raw.strip())
        text = unescape(raw)
        if not text.isascii() and (spans := with_invisible(text, (), self._found)):
            return text, CellExtra(row, col, spans=spans)
        if kind == "str" and (shown := self._book.style(style).text):
            text = shown(text)
        return text, None  # "str", "e", and types no standard knows

    def _iso_date(self, row: int, col: int, style: str, raw: str) -> tuple[str, CellExtra | None]:
        """A date written out (ISO 8601, strict files); shown by its number format, as if it were a serial."""
        try:
            at = dt.datetime.fromisoformat(raw.removesuffix("Z"))
        except ValueError:
            return raw, None
        serial = serial_of(at, date1904=self._book.date1904)
        form = self._book.style(style)
        if not form.dated:
            return raw, None
        return form.number(serial), CellExtra(
            row, col, serial_iso(serial, date1904=self._book.date1904) or raw, "", form.code
        )

    def _formula(self, given: Mapping[str, str], text: str, row: int, col: int) -> str:
        kind = given.get("t", "")
        text = as_typed(unescape(text))
        if kind == "shared" and not text:
            master = self._masters.get(given.get("si", ""))
            text = master.at(row, col) if master else ""
        if kind == "dataTable":
            inputs = [given.get("r1", ""), given.get("r2", "")]
            if given.get("dt2D") not in ("1", "true"):
                inputs = [inputs[0], ""] if given.get("dtr") in ("1", "true") else ["", inputs[0]]
            return f"{{=TABLE({','.join(inputs)})}}"
        if not text:
            return ""
        if "[" in text and self._book.externals:
            text = _EXTERNAL.sub(self._external, text)
        return f"{{={text}}}" if kind == "array" else f"={text}"

    def _external(self, match: re.Match[str]) -> str:
        number = int(match[1]) - 1
        names = self._book.externals
        return f"[{names[number].rpartition('/')[2]}]" if 0 <= number < len(names) and names[number] else match[0]


def _filled_range(given: Mapping[str, str]) -> str:
    """The cells, more than one, that an array formula or a data table with these attributes fills (§18.3.1.40)."""
    area = parse_range(given.get("ref", "")) if given.get("t") in ("array", "dataTable") else None
    return "" if area is None or area[:2] == area[2:] else str(area)


def _inline(inside: str, found: HiddenText) -> tuple[str, tuple[Span, ...], Inks]:
    match = _INLINE.search(inside)
    item = parse_fragment(match[0]) if match else None
    return seen_text(item, found) if item is not None else ("", (), ())


def _given(more: str, style: str, kind: str, col: int, *, named: bool) -> tuple[str, str, int]:
    """Style, type and column of a cell with further attributes, or with the usual ones in another order."""
    given = attributes(more)
    place = None if named else parse_cell(given.get("r", ""))
    if place is not None:
        col = place[1]
    return given.get("s", style), given.get("t", kind), col


def _put(texts: list[str], first: int, end: int, col: int, text: str) -> tuple[int, int]:
    """Write a cell's text at its column into a row's texts, which reach from `first` to before `end`; the new two."""
    if first < 0:
        texts.append(text)
        return col, col + 1
    if col >= end:
        texts.extend([""] * (col - end))
        texts.append(text)
        return first, col + 1
    if col >= first:
        texts[col - first] = text
        return first, end
    texts[:0] = [text, *[""] * (first - col - 1)]
    return col, end


def _linked(
    row: int, first: int, texts: list[str], extras: list[CellExtra], links: Mapping[int, str]
) -> list[CellExtra]:
    """Extras with the hyperlinks of the row's non-empty cells put in."""
    by_column = {extra.col: extra for extra in extras}
    for col, link in links.items():
        if first <= col < first + len(texts) and (texts[col - first] or col in by_column):
            by_column[col] = by_column.get(col, CellExtra(row, col))._replace(link=link)
    return [by_column[col] for col in sorted(by_column)]
