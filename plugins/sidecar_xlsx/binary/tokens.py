"""Token streams of formulas as text: those of BIFF5, BIFF8 ([MS-XLS] 2.5.198) and BIFF12 ([MS-XLSB] 2.5.97).

Formulas stand in reverse Polish order, parentheses as tokens of their own. What names and sheets are called is the
workbook's (`Scope`)."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sidecar.toolkit.cell_references import column_name
from sidecar_xlsx.binary.layouts import BIFF5, BIFF8, BIFF12, ERRORS, USER_DEFINED, Cell, Scope, TokenLayout, functions

_INFIX: Final = {
    0x03: "+", 0x04: "-", 0x05: "*", 0x06: "/", 0x07: "^", 0x08: "&", 0x09: "<", 0x0A: "<=", 0x0B: "=", 0x0C: ">=",
    0x0D: ">", 0x0E: "<>", 0x0F: " ", 0x10: ",", 0x11: ":",
}  # fmt: skip
_EXP: Final = 0x01
_TABLE: Final = 0x02
_CLASSED: Final = 0x20
"""From here on tokens come in three classes (reference, value, array), 0x20 apart, which say nothing of the text."""
_IS_EXTERNAL_LIST: Final = 0x19
_ROW_ITEMS: Final = {
    0x01: ("#All",), 0x02: ("#Headers",), 0x06: ("#Headers", "#Data"), 0x08: ("#Totals",), 0x0C: ("#Data", "#Totals"),
    0x10: ("#This Row",),
}  # fmt: skip
"""[MS-XLSB] 2.5.97.60 PtgList, rowType."""
_MAX_CHARS: Final = 32_768
"""Of one formula; tokens of a damaged file may multiply what stands on the stack."""
_COLUMN_BITS: Final = 0x3FFF


class _Unknown(Exception):  # not an error: the formula is not told
    """A token nobody knows, or one that is cut off."""


def formula_text(tokens: bytes, extra: bytes, layout: TokenLayout, scope: Scope, base: Cell) -> str:
    """A formula without its equals sign as the cell `base` has it; "" for one that cannot be read. `extra` is what
    follows the tokens: the constants of arrays."""
    try:
        return _Tokens(tokens, extra, layout, scope, base).read()
    except (_Unknown, struct.error, IndexError, UnicodeDecodeError):
        return ""


def anchor_of(tokens: bytes, extra: bytes, layout: TokenLayout) -> Cell | None:
    """The first cell of the shared or array formula, or of the data table, that a cell belongs to; None where it has a
    formula of its own."""
    if not tokens or (tokens[0] != _EXP and (tokens[0] != _TABLE or layout is BIFF12)):
        return None
    try:
        if layout is BIFF12:
            return struct.unpack_from("<I", tokens, 1)[0], struct.unpack_from("<I", extra)[0]
        row, col = struct.unpack_from("<HH", tokens, 1)
    except struct.error:
        return None
    return row, col


def number_text(value: float) -> str:
    """A number as formulas and cells write it."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass
class _Tokens:
    tokens: bytes
    extra: bytes
    layout: TokenLayout
    scope: Scope
    base: Cell
    stack: list[str] = field(default_factory=list[str])
    at: int = 0
    extra_at: int = 0

    def read(self) -> str:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            self._token(token)
        if len(self.stack) != 1:
            raise _Unknown
        return self.stack[0]

    def _token(self, token: int) -> None:
        if token >= 3 * _CLASSED + _CLASSED:
            raise _Unknown
        if token >= _CLASSED:
            token = _CLASSED | (token & 0x1F)
        if token in _INFIX:
            right, left = self._pop(), self._pop()
            self._push(f"{left}{_INFIX[token]}{right}")
            return
        handler = _HANDLERS.get(token)
        if handler is None:
            raise _Unknown
        handler(self)

    def _push(self, text: str) -> None:
        if len(text) > _MAX_CHARS:
            raise _Unknown
        self.stack.append(text)

    def _pop(self) -> str:
        if not self.stack:
            raise _Unknown
        return self.stack.pop()

    def _take(self, form: str) -> int:
        """The next number of the stream."""
        value = struct.unpack_from(form, self.tokens, self.at)[0]
        self.at += struct.calcsize(form)
        return value

    def _skip(self, count: int) -> None:
        self.at += count

    # operands

    def string(self) -> None:
        self._push(f'"{self._characters().replace(chr(34), chr(34) * 2)}"')

    def _characters(self) -> str:
        if self.layout is BIFF12:
            return self._decoded(2 * self._take("<H"), "utf-16-le")
        count = self._take("<B")
        if self.layout is BIFF5:
            return self._decoded(count, "cp1252")
        return self._decoded(2 * count, "utf-16-le") if self._take("<B") & 1 else self._decoded(count, "latin-1")

    def _decoded(self, size: int, encoding: str) -> str:
        text = self.tokens[self.at : self.at + size].decode(encoding, "replace")
        self.at += size
        return text

    def error(self) -> None:
        self._push(ERRORS.get(self._take("<B"), "#N/A"))

    def boolean(self) -> None:
        self._push("TRUE" if self._take("<B") else "FALSE")

    def whole(self) -> None:
        self._push(str(self._take("<H")))

    def number(self) -> None:
        value: float = struct.unpack_from("<d", self.tokens, self.at)[0]
        self.at += 8
        self._push(number_text(value))

    def missing(self) -> None:
        self._push("")

    def array(self) -> None:
        """The constants stand behind the tokens ([MS-XLS] 2.5.198.58 PtgExtraArray)."""
        self._skip(self.layout.array_bytes)
        if self.layout is BIFF12:
            rows, cols = struct.unpack_from("<II", self.extra, self.extra_at)
            self.extra_at += 8
        else:
            cols, rows = struct.unpack_from("<BH", self.extra, self.extra_at)
            self.extra_at += 3
            cols, rows = cols + 1, rows + 1
        if rows * cols > len(self.extra):
            raise _Unknown
        lines = [",".join(self._constant() for _ in range(cols)) for _ in range(rows)]
        self._push("{" + ";".join(lines) + "}")

    def _constant(self) -> str:
        kind, at = self.extra[self.extra_at], self.extra_at + 1
        numeric = 0x00 if self.layout is BIFF12 else 0x01
        if kind == (0x01 if self.layout is BIFF12 else 0x02):
            return self._constant_text(at)
        if kind == numeric:
            self.extra_at = at + 8
            return number_text(struct.unpack_from("<d", self.extra, at)[0])
        value = self.extra[at]
        self.extra_at = at + (8 if self.layout is not BIFF12 else 4 if kind == 0x04 and value in ERRORS else 1)
        if kind in (0x04, 0x10) and (kind == 0x10 or self.layout is BIFF12):
            return ERRORS.get(value, "#N/A")
        return ("TRUE" if value else "FALSE") if kind in (0x02, 0x04) else ""

    def _constant_text(self, at: int) -> str:
        if self.layout is BIFF5:
            size, at, encoding = self.extra[at], at + 1, "cp1252"
        else:
            size, at, encoding = struct.unpack_from("<H", self.extra, at)[0], at + 2, "utf-16-le"
        if self.layout is BIFF8:
            encoding = "utf-16-le" if self.extra[at] & 1 else "latin-1"
            at += 1
        size *= 2 if encoding == "utf-16-le" else 1
        self.extra_at = at + size
        text = self.extra[at : at + size].decode(encoding, "replace")
        return f'"{text.replace(chr(34), chr(34) * 2)}"'

    # references

    def reference(self) -> None:
        self._push(self._cell(shared=False))

    def area(self) -> None:
        self._push(self._range(shared=False))

    def shared_reference(self) -> None:
        self._push(self._cell(shared=True))

    def shared_area(self) -> None:
        self._push(self._range(shared=True))

    def gone(self) -> None:
        self._skip(self.layout.reference.size)
        self._push("#REF!")

    def gone_area(self) -> None:
        self._skip(self.layout.area.size)
        self._push("#REF!")

    def far_reference(self) -> None:
        self._push(_joined(self._sheet(), self._cell(shared=False)))

    def far_area(self) -> None:
        self._push(_joined(self._sheet(), self._range(shared=False)))

    def far_gone(self) -> None:
        sheet = self._sheet()
        self._skip(self.layout.reference.size)
        self._push(_joined(sheet, "#REF!"))

    def far_gone_area(self) -> None:
        sheet = self._sheet()
        self._skip(self.layout.area.size)
        self._push(_joined(sheet, "#REF!"))

    def _sheet(self) -> str:
        if self.layout is not BIFF5:
            return self.scope.sheet(self._take("<H"))
        index, first, last = struct.unpack_from("<h8xHH", self.tokens, self.at)
        self._skip(14)
        return self.scope.sheet(index) if index > 0 else self.scope.sheets(first, last)

    def _cell(self, *, shared: bool) -> str:
        row, col = self.layout.reference.unpack_from(self.tokens, self.at)
        self._skip(self.layout.reference.size)
        return self._place(row, col, shared=shared)

    def _range(self, *, shared: bool) -> str:
        top, bottom, left, right = self.layout.area.unpack_from(self.tokens, self.at)
        self._skip(self.layout.area.size)
        last_row, last_col = self.layout.rows - 1, self.layout.cols - 1
        rows = (top & last_row, bottom & last_row)
        cols = (left & last_col & _COLUMN_BITS, right & last_col & _COLUMN_BITS)
        first, last = self._place(top, left, shared=shared), self._place(bottom, right, shared=shared)
        if not shared and rows == (0, last_row):
            return f"{_letters(first)}:{_letters(last)}"
        if not shared and cols == (0, last_col):
            return f"{_digits(first)}:{_digits(last)}"
        return f"{first}:{last}"

    def _place(self, row: int, col: int, *, shared: bool) -> str:
        """A cell's name. The two highest bits, of the row in BIFF5 and of the column after it, say what is relative;
        in a shared formula that is counted from the cell."""
        layout = self.layout
        flags = row if layout is BIFF5 else col
        relative_col, relative_row = bool(flags & 0x4000), bool(flags & 0x8000)
        row = row & _COLUMN_BITS if layout is BIFF5 else row
        col = col & _COLUMN_BITS if layout is not BIFF5 else col
        if shared:
            row = (self.base[0] + row) % layout.rows if relative_row else row
            col = (self.base[1] + col) % layout.cols if relative_col else col
        return f"{'' if relative_col else '$'}{column_name(col)}{'' if relative_row else '$'}{row + 1}"

    def name(self) -> None:
        index = self._take("<H") if self.layout is BIFF5 else self._take("<I")
        if self.layout is BIFF5:
            self._skip(12)
        self._push(self.scope.name(index))

    def external_name(self) -> None:
        if self.layout is BIFF5:
            sheet, index = struct.unpack_from("<h8xH", self.tokens, self.at)
            self._skip(24)
        else:
            sheet, index = struct.unpack_from("<HI", self.tokens, self.at)
            self._skip(6)
        self._push(self.scope.external_name(sheet, index))

    def list_reference(self) -> None:
        """A structured reference to an Excel table ([MS-XLSB] 2.5.97.60); older versions have natural-language labels
        here, which nobody writes any more."""
        if self.layout is not BIFF12 or self._take("<B") != _IS_EXTERNAL_LIST:
            raise _Unknown
        _, flags, number, first, last = struct.unpack_from("<HHIHH", self.tokens, self.at)
        self._skip(12)
        name, columns = self.scope.table(number)
        if not name:
            raise _Unknown
        pieces = [f"[{item}]" for item in _ROW_ITEMS.get(flags >> 2 & 0x1F, ())]
        which = flags & 0x3
        if which:
            ends = [f"[{_escaped(columns[index])}]" for index in ((first, last) if which == 2 else (first,))]
            pieces.append(":".join(ends))
        inside = ",".join(pieces)
        self._push(f"{name}{inside if len(pieces) == 1 and ':' not in inside else f'[{inside}]' if inside else ''}")

    # operations

    def plus(self) -> None:
        self._push(f"+{self._pop()}")

    def minus(self) -> None:
        self._push(f"-{self._pop()}")

    def percent(self) -> None:
        self._push(f"{self._pop()}%")

    def parentheses(self) -> None:
        self._push(f"({self._pop()})")

    def attribute(self) -> None:
        """Hints for who calculates; only the sum of one argument is text ([MS-XLS] 2.5.198.35 and following)."""
        kind, value = struct.unpack_from("<BH", self.tokens, self.at)
        self._skip(3)
        if kind & 0x04:
            self._skip(2 * value + 2)
        elif kind & 0x10:
            self._push(f"SUM({self._pop()})")

    def function(self) -> None:
        number = self._take("<H")
        name, count = functions().get(number, ("", -1))
        if count < 0:
            raise _Unknown
        self._call(name, count)

    def function_of_several(self) -> None:
        count = self._take("<B") & 0x7F
        number = self._take("<H")
        if number == USER_DEFINED:
            arguments = self._arguments(count)
            self._push(f"{arguments[0]}({','.join(arguments[1:])})")
            return
        name, _ = functions().get(number, ("", -1))
        if number & 0x8000 or not name:  # commands of macro sheets
            raise _Unknown
        self._call(name, count)

    def _call(self, name: str, count: int) -> None:
        self._push(f"{name}({','.join(self._arguments(count))})")

    def _arguments(self, count: int) -> list[str]:
        if count > len(self.stack):
            raise _Unknown
        arguments = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return arguments

    def memory(self) -> None:
        """The size of a reference that is calculated; its tokens follow."""
        self._skip(6)

    def short_memory(self) -> None:
        self._skip(2)


def _joined(sheet: str, place: str) -> str:
    return "#REF!" if sheet == "#REF!" else f"{sheet}{place}"


def _letters(place: str) -> str:
    return place.rstrip("0123456789").removesuffix("$") or place


def _digits(place: str) -> str:
    number = place.lstrip("$").lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return number or place


def _escaped(column: str) -> str:
    """A column's heading within brackets, where these and the hash sign are marked."""
    return "".join(f"'{mark}" if mark in "[]#'" else mark for mark in column)


_HANDLERS: Final[Mapping[int, Callable[[_Tokens], None]]] = {
    0x12: _Tokens.plus, 0x13: _Tokens.minus, 0x14: _Tokens.percent, 0x15: _Tokens.parentheses, 0x16: _Tokens.missing,
    0x17: _Tokens.string, 0x18: _Tokens.list_reference, 0x19: _Tokens.attribute, 0x1C: _Tokens.error,
    0x1D: _Tokens.boolean, 0x1E: _Tokens.whole, 0x1F: _Tokens.number, 0x20: _Tokens.array, 0x21: _Tokens.function,
    0x22: _Tokens.function_of_several, 0x23: _Tokens.name, 0x24: _Tokens.reference, 0x25: _Tokens.area,
    0x26: _Tokens.memory, 0x27: _Tokens.memory, 0x28: _Tokens.memory, 0x29: _Tokens.short_memory,
    0x2A: _Tokens.gone, 0x2B: _Tokens.gone_area, 0x2C: _Tokens.shared_reference, 0x2D: _Tokens.shared_area,
    0x2E: _Tokens.short_memory, 0x2F: _Tokens.short_memory, 0x39: _Tokens.external_name, 0x3A: _Tokens.far_reference,
    0x3B: _Tokens.far_area, 0x3C: _Tokens.far_gone, 0x3D: _Tokens.far_gone_area,
}  # fmt: skip
