"""The workbook part of an .xlsb: sheets, names, and what formulas name by number ([MS-XLSB] 2.1.7.61)."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.layouts import BIFF12
from sidecar_xlsx.binary.tokens import formula_text
from sidecar_xlsx.binary.xlsb.records import Fields, records

_STATES: Final = ("visible", "hidden", "veryHidden")
_EVERYWHERE: Final = 0xFFFFFFFF
_WHOLE_BOOK: Final = -2
_GONE: Final = "#REF!"
_OWN, _OTHER, _ADD_INS = "own", "other", "add-ins"
_SUPPORTING: Final = {355: _OTHER, 357: _OWN, 358: _OWN, 667: _ADD_INS}
"""BrtSupBookSrc, BrtSupSelf, BrtSupSame, BrtSupAddin."""


@dataclass(frozen=True)
class External:
    """Another workbook: how formulas call it, its sheets, and the names in it (functions of an add-in too)."""

    title: str = ""
    sheets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass
class BookPart:
    """What the part says; `tokens.Scope` for the formulas of all parts. `external` reads the part of a relationship,
    `tables` gives the Excel tables by their number."""

    external: Callable[[str, int], External]
    tables: Callable[[], dict[int, tuple[str, tuple[str, ...]]]]
    sheets_listed: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Name, state, relationship."""
    date1904: bool = False
    anew: bool = False
    names: list[tuple[str, int, bool, str, bytes, bytes]] = field(
        default_factory=list[tuple[str, int, bool, str, bytes, bytes]]
    )
    """Name, sheet or -1, hidden, comment, tokens and what stands behind them."""
    _supporting: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _links: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    _known: dict[int, External] = field(default_factory=dict[int, External])

    def done(self) -> bytes:
        """The part as SpreadsheetML."""
        names = [
            (name, meaning, sheet, hidden, comment)
            for name, sheet, hidden, comment, tokens, extra in self.names
            if (meaning := formula_text(tokens, extra, BIFF12, self, (0, 0)))
        ]
        externals = [key for kind, key in self._supporting if kind == _OTHER]
        return markup.book(self.sheets_listed, names, externals, date1904=self.date1904, anew=self.anew)

    def take(self, kind: int, content: bytes) -> None:
        """One record."""
        fields = Fields(content)
        if kind in _SUPPORTING:
            self._supporting.append((_SUPPORTING[kind], fields.text() if kind == 355 else ""))
        elif kind == 153:  # BrtWbProp
            self.date1904 = bool(fields.number("I") & 1)
        elif kind == 157:  # BrtCalcProp
            self.anew = len(content) >= 26 and bool(struct.unpack_from("<H", content, 24)[0] & 1)
        elif kind == 156:  # BrtBundleSh
            state, _ = fields.number("I"), fields.number("I")
            key, name = fields.text(), fields.text()
            self.sheets_listed.append((name, _STATES[min(state, 2)], key))
        elif kind == 39:  # BrtName
            self._add_name(fields)
        elif kind == 362:  # BrtExternSheet
            count = fields.number("I")
            raw = fields.bytes(12 * count)
            self._links += [struct.unpack_from("<Iii", raw, 12 * index) for index in range(len(raw) // 12)]

    def _add_name(self, fields: Fields) -> None:
        flags, _, sheet, name = fields.number("I"), fields.number("B"), fields.number("I"), fields.text()
        if flags & 0x20 and not name.startswith("_xlnm."):  # fBuiltin
            name = f"_xlnm.{name}"
        tokens, extra = fields.formula()
        comment = fields.text() if fields.at + 4 <= len(fields.data) else ""
        self.names.append((name, -1 if sheet == _EVERYWHERE else sheet, bool(flags & 1), comment, tokens, extra))

    def _other(self, number: int) -> External:
        if number not in self._known:
            kind, key = self._supporting[number]
            place = sum(1 for other, _ in self._supporting[: number + 1] if other == _OTHER)
            self._known[number] = self.external(key, place) if kind == _OTHER else External()
        return self._known[number]

    # what `tokens.Scope` asks

    def sheet(self, index: int) -> str:
        """See `tokens.Scope`."""
        if index >= len(self._links):
            return _GONE
        number, first, last = self._links[index]
        if number >= len(self._supporting) or self._supporting[number][0] == _OWN:
            return self.sheets(first, last)
        other = self._other(number)
        if first == _WHOLE_BOOK:
            return f"{other.title}!" if other.title else ""
        if 0 <= first < len(other.sheets):
            return markup.sheet_prefix(other.sheets[first], book=other.title.strip("[]"))
        return _GONE

    def sheets(self, first: int, last: int) -> str:
        """See `tokens.Scope`."""
        listed = self.sheets_listed
        if not (0 <= first < len(listed) and 0 <= last < len(listed)):
            return "" if first == _WHOLE_BOOK else _GONE
        return markup.sheet_prefix(listed[first][0], listed[last][0])

    def name(self, index: int) -> str:
        """See `tokens.Scope`."""
        return self.names[index - 1][0] if 0 < index <= len(self.names) else "#NAME?"

    def external_name(self, sheet: int, index: int) -> str:
        """See `tokens.Scope`."""
        if sheet >= len(self._links) or self._links[sheet][0] >= len(self._supporting):
            return "#NAME?"
        number = self._links[sheet][0]
        if self._supporting[number][0] == _OWN:
            return self.name(index)
        other = self._other(number)
        name = other.names[index - 1] if 0 < index <= len(other.names) else "#NAME?"
        return f"{other.title}!{name}" if other.title else name

    def table(self, number: int) -> tuple[str, tuple[str, ...]]:
        """See `tokens.Scope`."""
        return self.tables().get(number, ("", ()))


def read_book(
    data: bytes, external: Callable[[str, int], External], tables: Callable[[], dict[int, tuple[str, tuple[str, ...]]]]
) -> BookPart:
    """The workbook in a part; broken records are passed over."""
    book = BookPart(external, tables)
    for kind, content in records(data):
        try:
            book.take(kind, content)
        except (struct.error, IndexError):
            continue
    return book


def read_external(data: bytes, title: str) -> External:
    """Another workbook's sheets and names as this one remembers them (BrtSupTabs, BrtSupNameStart)."""
    sheets: list[str] = []
    names: list[str] = []
    for kind, content in records(data):
        fields = Fields(content)
        try:
            if kind == 359:  # BrtSupTabs
                sheets += [fields.text() for _ in range(min(fields.number("I"), 4096))]
            elif kind == 577:  # BrtSupNameStart
                names.append(fields.text())
        except struct.error:
            continue
    return External(title, tuple(sheets), tuple(names))
