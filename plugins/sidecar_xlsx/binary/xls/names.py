"""What formulas of an .xls name: sheets, defined names, other workbooks ([MS-XLS] 2.4.105, 2.4.150, 2.4.271)."""

import struct
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary.layouts import BIFF5, TokenLayout
from sidecar_xlsx.binary.markup import sheet_prefix
from sidecar_xlsx.binary.tokens import formula_text
from sidecar_xlsx.binary.xls.records import Record, RecordReader

_OWN: Final = 0x0401
_ADD_INS: Final = 0x3A01
_WHOLE_BOOK: Final = -2
_GONE: Final = "#REF!"
_BUILT_IN: Final = (
    "Consolidate_Area", "Auto_Open", "Auto_Close", "Extract", "Database", "Criteria", "Print_Area", "Print_Titles",
    "Recorder", "Data_Form", "Auto_Activate", "Auto_Deactivate", "Sheet_Title", "_FilterDatabase",
)  # fmt: skip


@dataclass(frozen=True)
class DefinedName:
    """A defined name and its tokens; `sheet` is the sheet it is known on, -1 for all."""

    name: str
    sheet: int
    hidden: bool
    tokens: bytes
    extra: bytes


@dataclass
class _SupBook:
    """A workbook references lead to: this one (`own`), add-ins, or another with its path and sheets."""

    own: bool = False
    path: str = ""
    sheets: tuple[str, ...] = ()
    names: list[str] = field(default_factory=list[str])


@dataclass
class Names:
    """Collects the records that name things; then what `tokens.Scope` asks for. `sheet_names` are this book's."""

    layout: TokenLayout
    encoding: str = ""
    sheet_names: list[str] = field(default_factory=list[str])
    defined: list[DefinedName] = field(default_factory=list[DefinedName])
    _books: list[_SupBook] = field(default_factory=list[_SupBook])
    _links: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])

    def add_name(self, record: Record) -> None:
        """A record NAME."""
        data = record.whole
        flags, _, count, size = struct.unpack_from("<HBBH", data)
        sheet = struct.unpack_from("<H", data, 8)[0]
        strings = RecordReader((data,), self.encoding, 0, 14)
        if self.encoding:
            name = strings.take(count).decode(self.encoding, "replace")
        else:
            name = strings.characters(count, wide=bool(strings.number(1) & 1))
        if flags & 0x20 and name:
            number = ord(name[0])
            name = f"_xlnm.{_BUILT_IN[number]}" if number < len(_BUILT_IN) else "_xlnm.Other"
        tokens, extra = data[strings.at : strings.at + size], data[strings.at + size :]
        self.defined.append(DefinedName(name, sheet - 1, bool(flags & 1), tokens, extra))

    def add_book(self, record: Record) -> None:
        """A record SUPBOOK."""
        count, mark = struct.unpack_from("<HH", record.data)
        if mark == _OWN:
            self._books.append(_SupBook(own=True))
        elif mark == _ADD_INS:
            self._books.append(_SupBook())
        else:
            strings = RecordReader.of(record, 2)
            path = strings.text()
            sheets = tuple(strings.text() for _ in range(min(count, 4096)))
            self._books.append(_SupBook(path=_file_name(path), sheets=sheets))

    def add_external_name(self, record: Record) -> None:
        """A record EXTERNNAME: a name in the workbook, or a function of the add-in, told of last."""
        if not self._books:
            self._books.append(_SupBook())
        self._books[-1].names.append(RecordReader.of(record, 6, self.encoding).text(1))

    def add_links(self, record: Record) -> None:
        """A record EXTERNSHEET: in BIFF8 the table of sheets, in BIFF5 one sheet or workbook of it."""
        if self.layout is not BIFF5:
            data = record.whole
            self._links += [struct.unpack_from("<Hhh", data, 2 + 6 * index) for index in range((len(data) - 2) // 6)]
            return
        count, mark = record.data[:1], record.data[1:2]
        text = record.data[2 : 2 + (count[0] if count else 0)].decode(self.encoding or "cp1252", "replace")
        if mark == b"\x03":  # a sheet of this workbook
            self._books.append(_SupBook(sheets=(text,)))
        else:
            path, _, sheet = text.rpartition("]")
            self._books.append(_SupBook(path=_file_name(path.replace("[", "")) if path else "", sheets=(sheet,)))
        self._links.append((len(self._books) - 1, 0, 0))

    def meaning(self, name: DefinedName) -> str:
        """What a defined name stands for; "" where its formula cannot be read."""
        return formula_text(name.tokens, name.extra, self.layout, self, (0, 0))

    # what `tokens.Scope` asks

    def sheet(self, index: int) -> str:
        """See `tokens.Scope`."""
        number = index - 1 if self.layout is BIFF5 else index
        if not 0 <= number < len(self._links):
            return _GONE
        book_index, first, last = self._links[number]
        book = self._books[book_index] if book_index < len(self._books) else _SupBook(own=True)
        if book.own:
            return self.sheets(first, last)
        if first == _WHOLE_BOOK:
            return sheet_prefix(book.path) if book.path else ""
        if 0 <= first < len(book.sheets):
            last_name = book.sheets[last] if 0 <= last < len(book.sheets) else ""
            return sheet_prefix(book.sheets[first], last_name, book.path)
        return _GONE

    def sheets(self, first: int, last: int) -> str:
        """See `tokens.Scope`."""
        names = self.sheet_names
        if not (0 <= first < len(names) and 0 <= last < len(names)):
            return "" if first == _WHOLE_BOOK else _GONE
        return sheet_prefix(names[first], names[last])

    def name(self, index: int) -> str:
        """See `tokens.Scope`."""
        return self.defined[index - 1].name if 0 < index <= len(self.defined) else "#NAME?"

    def external_name(self, sheet: int, index: int) -> str:
        """See `tokens.Scope`."""
        number = abs(sheet) - 1 if self.layout is BIFF5 else sheet
        if not 0 <= number < len(self._links):
            return "#NAME?"
        link = self._links[number]
        book = self._books[link[0]] if link[0] < len(self._books) else _SupBook(own=True)
        if book.own:
            return self.name(index)
        name = book.names[index - 1] if 0 < index <= len(book.names) else "#NAME?"
        return f"{sheet_prefix(book.path)}{name}" if book.path else name

    def table(self, number: int) -> tuple[str, tuple[str, ...]]:
        """See `tokens.Scope`; .xls files have no structured references."""
        return "", ()


def _file_name(path: str) -> str:
    """The file's name in an encoded path ([MS-XLS] 2.5.277): control characters part drives and folders."""
    cut = max(path.rfind(mark) for mark in "\x01\x02\x03\x05\x06\x07\x08/\\")
    return path[cut + 1 :].removeprefix("[").replace("]", "")
