"""The same small workbook as .xls (BIFF8) and as .xlsb (BIFF12), written record by record: formulas of every kind,
number formats, names, comments, links, hidden rows, columns and sheets; in .xls a chart and a picture, too."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Sequence

from support.office_old.word_binary import compound_file

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020806000000"
    "72b60d24000000164944415478da63fccf50cf00024c0c0c0c8c0c0c0c000d2402016ef0c4d10000000049454e44ae426082"
)
LONG = "Zeile für Zeile " * 700
"""A text that goes on in further records of an .xls, with letters beyond Latin behind the first of them."""
STRINGS = ("Region", "Units", "Revenue", "North", "South", "Total revenue", "Ж" + LONG, "bold move", "Share")
FORMATS = {164: '#,##0.00 "EUR"', 165: "dd.mm.yyyy"}
MONEY, DATE, PERCENT, WHITE, PLAIN = 1, 2, 3, 4, 0
SHEETS = (("Sales", 0), ("Rates & Co", 0), ("Secret", 2), ("Aside", 1))
LINK = "https://example.org/prices"


def _token(kind: int, form: str = "", *values: float) -> bytes:
    return bytes([kind]) + struct.pack(f"<{form}", *values)


class Tokens:
    """Tokens of formulas in one version: `rows` is how rows are packed."""

    def __init__(self, biff: int) -> None:
        self.biff = biff
        self.rows = "I" if biff == 12 else "H"

    def ref(self, row: int, col: int, *, fixed: bool = False, kind: int = 0x44) -> bytes:
        return _token(kind, f"{self.rows}H", row, col | (0 if fixed else 0xC000))

    def relative(self, down: int, across: int) -> bytes:
        """A cell counted from the one that has the formula."""
        rows = 1_048_576 if self.biff == 12 else 65_536
        return _token(0x4C, f"{self.rows}H", down % rows, (across % (16_384 if self.biff == 12 else 256)) | 0xC000)

    def area(self, top: int, left: int, bottom: int, right: int, *, fixed: bool = False) -> bytes:
        flags = 0 if fixed else 0xC000
        return _token(0x25, f"{self.rows}{self.rows}HH", top, bottom, left | flags, right | flags)

    def far(self, sheet: int, row: int, col: int) -> bytes:
        return _token(0x3A, f"H{self.rows}H", sheet, row, col)

    def gone(self, kind: int, sheet: int | None = None) -> bytes:
        """A reference to a cell, or to an area, that was deleted."""
        form = f"{self.rows}H" if kind & 0x3F in (0x2A, 0x3C) else f"{self.rows}{self.rows}HH"
        return _token(kind, "" if sheet is None else "H", *(() if sheet is None else (sheet,))) + bytes(
            struct.calcsize(f"<{form}")
        )

    def name(self, index: int) -> bytes:
        return _token(0x43, "I", index)

    def text(self, text: str) -> bytes:
        if self.biff == 12:
            return _token(0x17, "H", len(text)) + text.encode("utf-16-le")
        return _token(0x17, "BB", len(text), 0) + text.encode("latin-1")

    def exp(self, row: int, col: int) -> bytes:
        return _token(0x01, "I", row) if self.biff == 12 else _token(0x01, "HH", row, col)

    def attribute(self, kind: int, value: int = 0) -> bytes:
        return _token(0x19, "BH", kind, value)


def formulas(t: Tokens) -> dict[tuple[int, int], tuple[bytes, bytes, float | str | bool, str]]:
    """The formulas of sheet Sales: place → tokens, what stands behind them, result, and how Excel would show them."""
    num, add, times, less, concat = 0x1F, b"\x03", b"\x05", b"\x09", b"\x08"
    sum_ = t.attribute(0x10)
    array = _token(0x60, "14x" if t.biff == 12 else "7x")
    constants = (
        struct.pack("<IIBdBH", 1, 2, 0, 1, 1, 1) + "x".encode("utf-16-le")
        if t.biff == 12
        else struct.pack("<BHBdBHB", 1, 0, 1, 1, 2, 1, 0) + b"x"
    )  # fmt: skip
    return {
        (3, 2): (t.area(1, 2, 2, 2) + sum_, b"", 3700.5, "=SUM(C2:C3)"),
        (3, 3): (t.ref(3, 2) + t.name(1) + times, b"", 4625.625, "=C4*Rate"),
        (4, 2): (t.ref(3, 2) + t.far(1, 0, 1) + times, b"", 4625.625, "=C4*'Rates & Co'!$B$1"),
        (5, 2): (
            t.ref(3, 1) + _token(0x1E, "H", 7) + less + t.attribute(0x02) + t.text('say "hi"') + t.attribute(0x08)
            + t.text("no") + t.attribute(0x08) + _token(0x42, "BH", 3, 1),
            b"", "no", '=IF(B4<7,"say ""hi""","no")',
        ),
        (6, 2): (_token(num, "d", 0.5) + b"\x13" + b"\x15" + b"\x14", b"", -0.005, "=(-0.5)%"),
        (7, 2): (array + _token(0x1E, "H", 2) + _token(0x42, "BH", 2, 29), constants, "x", '=INDEX({1,"x"},2)'),
        (8, 2): (t.area(1, 1, 2, 1, fixed=True) + _token(0x21, "H", 76), b"", 2, "=ROWS($B$2:$B$3)"),
        (9, 2): (t.area(0, 1, (1_048_575 if t.biff == 12 else 65_535), 1) + sum_ + t.text("a") + concat, b"", "40a",
                 '=SUM(B:B)&"a"'),
        (10, 2): (_token(0x1D, "B", 1), b"", True, "=TRUE"),
        (11, 2): (t.ref(1, 1) + add + add, b"", 1, ""),  # broken: an operator without operands
        (12, 2): (
            t.gone(0x2A) + b"\x16" + t.gone(0x2B) + _token(0x42, "BH", 3, 1), b"", 0.0, "=IF(#REF!,,#REF!)",
        ),
        (14, 2): (t.gone(0x3C, sheet=1) + t.gone(0x3D, sheet=1) + add, b"", 0.0,
                  "='Rates & Co'!#REF!+'Rates & Co'!#REF!"),
        (12, 3): (_token(0x29, "H", 7) + t.area(1, 2, 2, 2) + sum_, b"", 3700.5, "=SUM(C2:C3)"),
        (14, 3): (_token(0x26, "4xH", 7) + t.area(1, 2, 2, 2) + sum_, b"", 3700.5, "=SUM(C2:C3)"),
    }  # fmt: skip


SHARED = {(1, 3): "=C2/B2", (2, 3): "=C3/B3"}
"""Two cells of one shared formula."""
CHOICES = "North,South"


# .xls


def _record(kind: int, data: bytes) -> bytes:
    pieces = [data[at : at + 8224] for at in range(0, len(data), 8224)] or [b""]
    return b"".join(
        struct.pack("<HH", kind if index == 0 else 0x3C, len(piece)) + piece for index, piece in enumerate(pieces)
    )


def _text8(text: str, count: int = 2) -> bytes:
    head = struct.pack("<B" if count == 1 else "<H", len(text.encode("utf-16-le")) // 2)
    if all(ord(mark) < 256 for mark in text):
        return head + b"\0" + text.encode("latin-1")
    return head + b"\1" + text.encode("utf-16-le")


def _strings8() -> bytes:
    """The shared strings; the long one is cut in its middle, and goes on with one byte a letter."""
    head = struct.pack("<II", len(STRINGS), len(STRINGS))
    before = b"".join(map(_text8, STRINGS[:6]))
    long = STRINGS[6]
    first = struct.pack("<HB", len(long), 1) + long[:3000].encode("utf-16-le")
    second = b"\0" + long[3000:].encode("latin-1")
    rich = struct.pack("<HBH", len(STRINGS[7]), 0x8, 1) + STRINGS[7].encode() + struct.pack("<HH", 5, 5)
    data = head + before + first
    rest = second + rich + _text8(STRINGS[8])
    return struct.pack("<HH", 0xFC, len(data)) + data + struct.pack("<HH", 0x3C, len(rest)) + rest


def _formula8(place: tuple[int, int], tokens: bytes, extra: bytes, result: float | str | bool) -> bytes:
    if isinstance(result, bool):
        value = struct.pack("<BxB3xH", 1, result, 0xFFFF)
    elif isinstance(result, str):
        value = struct.pack("<B5xH", 0, 0xFFFF)
    else:
        value = struct.pack("<d", result)
    data = struct.pack("<HHH", *place, PLAIN) + value + struct.pack("<HIH", 0, 0, len(tokens)) + tokens + extra
    return _record(0x06, data) + (_record(0x207, _text8(result)) if isinstance(result, str) else b"")


def _shape(number: int, anchor: tuple[int, int, int, int], picture: int = 0) -> bytes:
    """A shape's container: head, properties, and the cells it covers (left, top, right, bottom)."""

    def art(kind: int, instance: int, version: int, content: bytes) -> bytes:
        return struct.pack("<HHI", instance << 4 | version, kind, len(content)) + content

    left, top, right, bottom = anchor
    inside = art(0xF00A, 1, 2, struct.pack("<II", number, 0xA00))
    if picture:
        inside += art(0xF00B, 1, 3, struct.pack("<HI", 0x0104, picture))
    inside += art(0xF010, 0, 0, struct.pack("<9H", 2, left, 0, top, 0, right, 0, bottom, 0))
    return art(0xF004, 0, 0xF, inside)


def _object(kind: int, number: int) -> bytes:
    return _record(0x5D, struct.pack("<HHHH", 0x15, 0x12, kind, number) + bytes(14))


def _box8(number: int, words: str) -> bytes:
    """A text box: its shape, its object and its words."""
    out = _record(0xEC, _shape(number, (1, 1, 2, 2))) + _object(0x06, number)
    out += _record(0x1B6, struct.pack("<HH6xHHI", 0, 0, len(words), 16, 0))
    return out + _record(0x3C, b"\0" + words.encode()) + _record(0x3C, bytes(16))


def _chart8(within: bytes = b"") -> bytes:
    """A chart's stream; `within` are records at its beginning."""
    t = Tokens(8)

    def link(kind: int, tokens: bytes) -> bytes:
        return _record(0x1051, struct.pack("<BBHHH", kind, 2 if tokens else 1, 0, 0, len(tokens)) + tokens)

    def words(text: str) -> bytes:
        return _record(0x100D, b"\0\0" + _text8(text, 1))

    begin, end = _record(0x1033, b""), _record(0x1034, b"")
    area = _token(0x3B, "HHHHH", 0, 1, 2, 2, 2)
    labels = _token(0x3B, "HHHHH", 0, 1, 2, 0, 0)
    series = (
        _record(0x1003, bytes(12)) + begin + link(0, t.far(0, 0, 2)) + words("Revenue") + link(1, area)
        + link(2, labels) + _record(0x1045, struct.pack("<H", 0)) + end
    )  # fmt: skip
    title = (
        _record(0x1025, bytes(32)) + begin + link(0, b"") + words("Revenue by region")
        + _record(0x1027, struct.pack("<HHH", 1, 0, 0)) + end
    )  # fmt: skip
    title += (
        _record(0x1025, bytes(32)) + begin + link(0, b"") + words("Euros") + _record(0x1032, bytes(4)) + begin
        + _record(0x100A, bytes(16)) + end + _record(0x1027, struct.pack("<HHH", 2, 0, 0)) + end
    )  # fmt: skip
    plot = _record(0x1014, bytes(20)) + begin + _record(0x1017, struct.pack("<hHH", 0, 150, 1)) + end
    cache = _record(0x1065, struct.pack("<H", 1)) + b"".join(
        _record(0x203, struct.pack("<HHHd", point, 0, 0, value)) for point, value in enumerate((1200.5, 2500))
    ) + _record(0x1065, struct.pack("<H", 2)) + b"".join(
        _record(0x204, struct.pack("<HHH", point, 0, 0) + _text8(name)) for point, name in enumerate(("North", "South"))
    )  # fmt: skip
    head = _record(0x809, struct.pack("<HHIII", 0x600, 0x20, 0, 0, 0))
    return head + within + begin + series + title + plot + end + cache + _record(0x0A, b"")


def xls_of_charts() -> bytes:
    """An .xls with a chart on a sheet and one that is a sheet; in each is a text box, and both have a page's head."""
    edge = _record(0x14, _text8('&C&"Arial,Bold"&20Head of a chart')) + _record(0x15, _text8("&RFoot of a chart"))
    sheet = _record(0x809, struct.pack("<HHIII", 0x600, 0x10, 0, 0, 0)) + _record(0xEC, _shape(2, (5, 1, 9, 12)))
    sheet += _object(0x05, 2) + _chart8(edge + _box8(3, "Said in the first")) + _record(0x0A, b"")
    charts = _chart8(edge + _box8(1, "Said in the second"))
    out = _record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0)) + _record(0x42, struct.pack("<H", 1200))
    names = [_text8(name, 1) for name in ("Data", "Chart1")]
    at = len(out) + sum(10 + len(name) for name in names) + 4
    for name, start, kind in zip(names, (at, at + len(sheet)), (0, 2), strict=True):
        out += _record(0x85, struct.pack("<IBB", start, 0, kind) + name)
    return compound_file({"Workbook": out + _record(0x0A, b"") + sheet + charts})


def _sales8() -> bytes:
    t = Tokens(8)
    out = _record(0x809, struct.pack("<HHIII", 0x600, 0x10, 0, 0, 0))
    out += _record(0x14, _text8("&LSales &P of &N")) + _record(0x7D, struct.pack("<HHHHH", 4, 4, 2560, 0, 1))
    out += _record(0x208, struct.pack("<HHHHHHI", 2, 0, 5, 300, 0, 0, 0x120))  # the row of South is hidden
    for col, index in enumerate((0, 1, 2, 8)):
        out += _record(0xFD, struct.pack("<HHHI", 0, col, PLAIN, index))
    out += _record(0xFD, struct.pack("<HHHI", 1, 0, PLAIN, 3)) + _record(0xFD, struct.pack("<HHHI", 2, 0, PLAIN, 4))
    out += _record(0xBD, struct.pack("<HHHIHIH", 1, 1, PLAIN, 10 << 2 | 2, MONEY, 120_050 << 2 | 3, 2))
    out += _record(0x27E, struct.pack("<HHHI", 2, 1, PLAIN, 30 << 2 | 2))
    out += _record(0x203, struct.pack("<HHHd", 2, 2, MONEY, 2500.0))
    out += _record(0xFD, struct.pack("<HHHI", 3, 0, PLAIN, 5))
    shared = t.relative(0, -1) + t.relative(0, -2) + b"\x06"
    first = True
    for place in SHARED:
        out += _formula8(place, t.exp(1, 3), b"", 120.05 if first else 2500 / 30)
        if first:
            out += _record(0x4BC, struct.pack("<HHBBBBH", 1, 2, 3, 3, 0, 2, len(shared)) + shared)
        first = False
    for place, (tokens, extra, result, _) in formulas(t).items():
        out += _formula8(place, tokens, extra, result)
    out += _record(0x203, struct.pack("<HHHd", 12, 0, DATE, 45657.0))
    out += _record(0x203, struct.pack("<HHHd", 12, 1, PERCENT, 0.125))
    out += _record(0xFD, struct.pack("<HHHI", 13, 0, PLAIN, 6)) + _record(0xFD, struct.pack("<HHHI", 13, 1, PLAIN, 7))
    out += _record(0x204, struct.pack("<HHH", 14, 0, WHITE) + _text8("nobody sees this"))
    out += _record(0x205, struct.pack("<HHHBB", 14, 1, PLAIN, 0x07, 1))
    out += _record(0xE5, struct.pack("<HHHHH", 1, 13, 13, 1, 3))
    url = (LINK + "\0").encode("utf-16-le")
    clsid = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
    link = bytes(16) + struct.pack("<II", 2, 0x3) + clsid + struct.pack("<I", len(url)) + url
    out += _record(0x1B8, struct.pack("<HHHH", 1, 1, 0, 0) + link)
    out += _record(0x800, struct.pack("<HHHHH", 0x800, 1, 1, 0, 0) + "Opens the map\0".encode("utf-16-le"))
    edges = [_text8(text) for text in ("&CEven", "&CFirst")]
    sizes = struct.pack("<HHHHH", 3, 6, 0, 0, 7)  # of the header of even pages and the footer of the first
    out += _record(0x89C, struct.pack("<HH8x16x", 0x89C, 0) + sizes + b"".join(edges))
    choices = t.text(CHOICES.replace(",", "\0"))
    strings = b"".join(map(_text8, ("Where", "\0", "Pick a region", "\0")))
    out += _record(
        0x1BE,
        struct.pack("<I", 0x83) + strings + struct.pack("<HH", len(choices), 0) + choices + bytes(4)
        + struct.pack("<HHHHH", 1, 1, 2, 0, 0),
    )  # fmt: skip
    out += _record(0xEC, _shape(1, (0, 0, 1, 1))) + _object(0x19, 1)
    note = "Checked twice"
    out += _record(0x1B6, struct.pack("<HH6xHHI", 0, 0, len(note), 16, 0))
    out += _record(0x3C, b"\0" + note.encode()) + _record(0x3C, bytes(16))
    out += _record(0xEC, _shape(2, (5, 1, 9, 12))) + _object(0x05, 2) + _chart8()
    out += _record(0xEC, _shape(3, (5, 14, 7, 18), picture=1)) + _object(0x08, 3)
    out += _record(0x1C, struct.pack("<HHHH", 1, 1, 0, 1) + _text8("Ada"))
    return out + _record(0x0A, b"")


def _plain8(values: dict[tuple[int, int], float | str], frozen: int = 0) -> bytes:
    out = _record(0x809, struct.pack("<HHIII", 0x600, 0x10, 0, 0, 0))
    if frozen:
        out += _record(0x23E, struct.pack("<HHH12x", 0x8, 0, 0)) + _record(0x41, struct.pack("<5H", 0, frozen, 1, 0, 2))
    for place, value in values.items():
        if isinstance(value, str):
            out += _record(0x204, struct.pack("<HHH", *place, PLAIN) + _text8(value))
        else:
            out += _record(0x203, struct.pack("<HHHd", *place, PLAIN, value))
    return out + _record(0x0A, b"")


OTHERS: dict[int, dict[tuple[int, int], float | str]] = {
    1: {(0, 0): "USD per EUR", (0, 1): 1.25}, 2: {(0, 0): "for macros"}, 3: {(0, 0): "aside"},
}  # fmt: skip


def _font8(height: int, colour: int, weight: int = 400) -> bytes:
    return _record(0x31, struct.pack("<HHHHHBBBB", height, 0, colour, weight, 0, 0, 0, 0, 0) + _text8("Arial", 1))


def _xf8(format_: int, font: int) -> bytes:
    return _record(0xE0, struct.pack("<HHHBBBBIIH", font, format_, 1, 0, 0, 0, 0, 0, 0, 0))


def _globals8(starts: list[int]) -> bytes:
    t = Tokens(8)
    out = _record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0)) + _record(0x42, struct.pack("<H", 1200))
    out += _record(0x22, b"\0\0")
    out += b"".join(_font8(200, 0x7FFF) for _ in range(4)) + _font8(200, 0x7FFF, 700) + _font8(200, 9)
    out += b"".join(_record(0x41E, struct.pack("<H", number) + _text8(code)) for number, code in FORMATS.items())
    out += _xf8(0, 0) + _xf8(164, 0) + _xf8(165, 0) + _xf8(10, 0) + _xf8(0, 6)
    for (name, state), at in zip(SHEETS, starts, strict=True):
        out += _record(0x85, struct.pack("<IBB", at, state, 0) + _text8(name, 1))
    out += _record(0x1AE, struct.pack("<HH", len(SHEETS), 0x0401))
    out += _record(0x17, struct.pack("<H", 2) + struct.pack("<Hhh", 0, 0, 0) + struct.pack("<Hhh", 0, 1, 1))
    meaning = t.far(1, 0, 1)
    out += _record(0x18, struct.pack("<HBBHHHI", 0, 0, 4, len(meaning), 0, 0, 0) + b"\0Rate" + meaning)
    filtered = _token(0x3B, "HHHHH", 0, 0, 2, 0, 2)
    out += _record(0x18, struct.pack("<HBBHHHI", 0x21, 0, 1, len(filtered), 0, 1, 0) + b"\0\x0d" + filtered)
    blip = struct.pack("<HHI", 0x6E0 << 4, 0xF01E, 17 + len(PNG)) + bytes(17) + PNG
    entry = struct.pack("<HHI", 6 << 4 | 2, 0xF007, 36 + len(blip)) + bytes(36) + blip
    store = struct.pack("<HHI", 1 << 4 | 0xF, 0xF001, len(entry)) + entry
    out += _record(0xEB, struct.pack("<HHI", 0xF, 0xF000, len(store)) + store)
    return out + _strings8() + _record(0x0A, b"")


def later_colour(kind: int, how: int, value: int, tint: int = 0) -> bytes:
    """A property of an XFExt: a colour by index (1), value (2) or theme (3)."""
    return struct.pack("<HHHhI8x", kind, 20, how, tint, value)


def styled_xls(
    texts: tuple[str, str],
    ink: int,
    fill: int = 0,
    palette: dict[int, int] | None = None,
    later: Sequence[bytes] = (),
    theme: bytes = b"",
    condition: bytes = b"",
) -> bytes:
    """An .xls with two cells, the second with text of a colour (index) on a fill (0 for none), the workbook's own
    colours (index → 0xRRGGBB), those that an XFExt gives the second besides (`later_colour`), a theme's package, and
    a conditional format of the second (`painted_where`)."""
    out = _record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0)) + _record(0x42, struct.pack("<H", 1200))
    out += b"".join(_font8(200, 0x7FFF) for _ in range(4)) + _font8(200, ink) + _xf8(0, 0)
    filled = 1 << 26 if fill else 0
    out += _record(0xE0, struct.pack("<HHHBBBBIIH", 5, 0, 1, 0, 0, 0, 0, 0, filled, fill))
    if later:
        head = struct.pack("<HH8xHHHH", 0x87D, 0, 0, 1, 0, len(later))
        out += _record(0x87D, head + b"".join(later))
    if palette:
        colours = b"".join(palette.get(number, 0x808080).to_bytes(3, "big") + b"\0" for number in range(8, 64))
        out += _record(0x92, struct.pack("<H", 56) + colours)
    out += _record(0x896, struct.pack("<H14x", 0x896) + theme) if theme else b""
    sheet = _record(0x809, struct.pack("<HHIII", 0x600, 0x10, 0, 0, 0))
    for row, text in enumerate(texts):
        sheet += _record(0x204, struct.pack("<HHH", row, 0, row) + _text8(text))
    sheet += condition
    name = _text8("Data", 1)
    at = len(out) + 4 + 6 + len(name) + 4
    out += _record(0x85, struct.pack("<IBB", at, 0, 0) + name) + _record(0x0A, b"")
    return compound_file({"Workbook": out + sheet + _record(0x0A, b"")})


def painted_where(
    tokens: bytes, operator: int = 0, ink: int = -1, behind: int = 0, front: int = 0, *, more: bool = False
) -> bytes:
    """Records CONDFMT and CF for the cell A2: a formula, or an operator and what it compares with; colours (index, none
    for -1 and 0) of text and fill, and with `more` a number format, alignment, borders and protection besides."""
    area = struct.pack("<HHHH", 1, 1, 0, 0)
    flags = (ink >= 0) << 26 | bool(behind or front) << 29 | (not front) << 17 | (not behind) << 18
    look = b""
    if more:
        flags |= 1 << 25 | 1 << 27 | 1 << 28 | 1 << 30
        look += struct.pack("<H", 2 + len(_text8("0.00"))) + _text8("0.00")
    look += bytes(80) + struct.pack("<i34x", ink) if ink >= 0 else b""
    look += bytes(16) if more else b""
    look += struct.pack("<HH", 1 << 10, front | behind << 7) if behind or front else b""
    look += bytes(2) if more else b""
    head = struct.pack("<BBHHIH", 1 if operator else 2, operator, len(tokens), 0, flags, more)
    return _record(0x1B0, struct.pack("<HH", 1, 0) + area + struct.pack("<H", 1) + area) + _record(
        0x1B1, head + look + tokens
    )


def xls_stream(frozen: int = 0) -> bytes:
    """The stream `Workbook`; so many rows of the sheets after the first stay in view."""
    sheets = [_sales8(), *(_plain8(values, frozen) for values in OTHERS.values())]
    at = len(_globals8([0] * len(SHEETS)))
    starts: list[int] = []
    for sheet in sheets:
        starts.append(at)
        at += len(sheet)
    return _globals8(starts) + b"".join(sheets)


def xls(frozen: int = 0) -> bytes:
    """The workbook as .xls; so many rows of the sheets after the first stay in view."""
    return compound_file({"Workbook": xls_stream(frozen)})


# .xls of Excel 5 and 95 (BIFF5)


def _text5(text: str, count: int = 1) -> bytes:
    return struct.pack("<B" if count == 1 else "<H", len(text)) + text.encode("cp1252")


def _begin5(kind: int) -> bytes:
    return _record(0x809, struct.pack("<HHHH", 0x500, kind, 0, 1995))


def _formula5(place: tuple[int, int], tokens: bytes, result: float | str) -> bytes:
    value = struct.pack("<B5xH", 0, 0xFFFF) if isinstance(result, str) else struct.pack("<d", result)
    data = struct.pack("<HHH", *place, PLAIN) + value + struct.pack("<HIH", 0, 0, len(tokens)) + tokens
    return _record(0x06, data) + (_record(0x207, _text5(result, 2)) if isinstance(result, str) else b"")


def xls5() -> bytes:
    """Two sheets in the code page of Western Europe: texts, formats, a sum, a cell of the other sheet, a text of a
    formula, a hidden row, a boolean and an error."""
    sum_up = _token(0x25, "HHBB", 0xC001, 0xC002, 1, 1) + _token(0x42, "BH", 1, 4)
    far = _token(0x5A, "h8xHHHB", -1, 1, 1, 0xC000, 1) + _token(0x44, "HB", 0xC003, 1) + b"\x05"
    joined = _token(0x44, "HB", 0xC001, 0) + _token(0x17, "B", 1) + b"!" + b"\x08"
    sales = _begin5(0x10) + _record(0x208, struct.pack("<HHHHHHI", 2, 0, 2, 300, 0, 0, 0x120))
    for place, text in {(0, 0): "Größe", (0, 1): "Menge", (1, 0): "Süd", (2, 0): "Nord", (3, 0): "Summe"}.items():
        sales += _record(0x204, struct.pack("<HHH", *place, PLAIN) + _text5(text, 2))
    sales += _record(0x203, struct.pack("<HHHd", 1, 1, MONEY, 1200.5)) + _record(
        0x27E, struct.pack("<HHHI", 2, 1, MONEY, 30 << 2 | 2)
    )
    sales += _formula5((3, 1), sum_up, 1230.5) + _formula5((4, 1), far, 1538.125) + _formula5((5, 1), joined, "Süd!")
    sales += _record(0x203, struct.pack("<HHHd", 6, 1, DATE, 45657))
    sales += _record(0x205, struct.pack("<HHHBB", 7, 0, PLAIN, 1, 0)) + _record(
        0x205, struct.pack("<HHHBB", 7, 1, PLAIN, 7, 1)
    )
    rates = _begin5(0x10) + _record(0x204, struct.pack("<HHH", 0, 0, PLAIN) + _text5("Kurs", 2))
    rates += _record(0x203, struct.pack("<HHHd", 0, 1, PLAIN, 1.25)) + _record(0x0A, b"")
    sheets = {"Umsätze": sales + _record(0x0A, b""), "Kurse": rates}

    def book(starts: list[int]) -> bytes:
        out = _begin5(5) + _record(0x42, struct.pack("<H", 1252))
        out += _record(0x31, struct.pack("<HHHHHBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0) + _text5("Arial")) * 4
        out += b"".join(_record(0x41E, struct.pack("<H", number) + _text5(code)) for number, code in FORMATS.items())
        for code in (0, 164, 165):
            out += _record(0xE0, struct.pack("<HHHHHHHH", 0, code, 1, 0, 0, 0, 0, 0))
        for name, start in zip(sheets, starts, strict=True):
            out += _record(0x85, struct.pack("<IH", start, 0) + _text5(name))
        return out + _record(0x0A, b"")

    first = len(book([0, 0]))
    starts = [first, first + len(sheets["Umsätze"])]
    return compound_file({"Book": book(starts) + b"".join(sheets.values())})


# .xlsb


def _record12(kind: int, data: bytes = b"") -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = b"", len(data)
    while True:
        size += bytes([length & 0x7F | (0x80 if length > 0x7F else 0)])
        length >>= 7
        if not length:
            return head + size + data


def _text12(text: str) -> bytes:
    return struct.pack("<I", len(text.encode("utf-16-le")) // 2) + text.encode("utf-16-le")


def _formula12(tokens: bytes, extra: bytes) -> bytes:
    return struct.pack("<I", len(tokens)) + tokens + struct.pack("<I", len(extra)) + extra


def _cell12(kind: int, col: int, style: int, value: bytes) -> bytes:
    return _record12(kind, struct.pack("<II", col, style) + value)


def _sales12() -> bytes:
    t = Tokens(12)
    rows: dict[int, bytes] = {}

    def add(row: int, data: bytes) -> None:
        rows[row] = rows.get(row, b"") + data

    for col, index in enumerate((0, 1, 2, 8)):
        add(0, _cell12(7, col, PLAIN, struct.pack("<I", index)))
    add(1, _cell12(7, 0, PLAIN, struct.pack("<I", 3)) + _cell12(2, 1, PLAIN, struct.pack("<I", 10 << 2 | 2)))
    add(1, _cell12(2, 2, MONEY, struct.pack("<I", 120_050 << 2 | 3)))
    add(2, _cell12(7, 0, PLAIN, struct.pack("<I", 4)) + _cell12(2, 1, PLAIN, struct.pack("<I", 30 << 2 | 2)))
    add(2, _cell12(5, 2, MONEY, struct.pack("<d", 2500)))
    add(3, _cell12(7, 0, PLAIN, struct.pack("<I", 5)))
    shared = t.relative(0, -1) + t.relative(0, -2) + b"\x06"
    for row, col in SHARED:
        value = struct.pack("<dH", 120.05 if row == 1 else 2500 / 30, 0)
        add(row, _cell12(9, col, PLAIN, value + _formula12(t.exp(1, 3), struct.pack("<I", 3))))
        if row == 1:
            add(row, _record12(427, struct.pack("<IIII", 1, 2, 3, 3) + _formula12(shared, b"")))
    for (row, col), (tokens, extra, result, _) in formulas(t).items():
        if isinstance(result, bool):
            kind, value = 10, struct.pack("<B", result)
        elif isinstance(result, str):
            kind, value = 8, _text12(result)
        else:
            kind, value = 9, struct.pack("<d", result)
        add(row, _cell12(kind, col, PLAIN, value + struct.pack("<H", 0) + _formula12(tokens, extra)))
    add(12, _cell12(5, 0, DATE, struct.pack("<d", 45657)) + _record12(16, struct.pack("<Id", PERCENT, 0.125)))
    add(13, _cell12(7, 0, PLAIN, struct.pack("<I", 6)) + _cell12(7, 1, PLAIN, struct.pack("<I", 7)))
    add(14, _cell12(6, 0, WHITE, _text12("nobody sees this")) + _cell12(3, 1, PLAIN, b"\x07"))
    out = _record12(129) + _record12(60, struct.pack("<IIIIH", 4, 4, 2560, 0, 1)) + _record12(145)
    for row, data in sorted(rows.items()):
        flags = 0x10 if row == 2 else 0
        out += _record12(0, struct.pack("<IIHBBBI", row, 0, 300, 0, flags, 0, 0)) + data
    out += _record12(146) + _record12(161, struct.pack("<4I", 0, 2, 0, 2)) + _record12(162)
    out += _record12(176, struct.pack("<4I", 13, 13, 1, 3))
    none, choices = struct.pack("<I", 0xFFFFFFFF), t.text(CHOICES)
    strings = none + none + _text12("Where") + _text12("Pick a region")
    out += _record12(
        64,
        struct.pack("<I", 0x3) + struct.pack("<5I", 1, 1, 2, 0, 0) + strings + _formula12(choices, b"")
        + _formula12(b"", b""),
    )  # fmt: skip
    out += _record12(494, struct.pack("<4I", 1, 1, 0, 0) + _text12("rId2") + _text12("") * 3)
    out += _record12(479, struct.pack("<H", 0) + _text12("&LSales &P of &N") + none * 5)
    return out + _record12(130)


def _plain12(values: dict[tuple[int, int], float | str], frozen: int = 0) -> bytes:
    out = _record12(129)
    if frozen:
        out += (
            _record12(133) + _record12(137, bytes(30)) + _record12(151, struct.pack("<ddIIIB", 0, frozen, 1, 0, 2, 3))
        )
        out += _record12(138) + _record12(134)
    out += _record12(145) + _record12(0, struct.pack("<IIHBBBI", 0, 0, 300, 0, 0, 0, 0))
    for (_, col), value in values.items():
        if isinstance(value, str):
            out += _cell12(6, col, PLAIN, _text12(value))
        else:
            out += _cell12(5, col, PLAIN, struct.pack("<d", value))
    return out + _record12(146) + _record12(130)


def _colour12(kind: int, rgb: int = 0) -> bytes:
    return struct.pack("<BBh4B", kind << 1 | 1, 0, 0, rgb >> 16, rgb >> 8 & 255, rgb & 255, 255)


def _styles12() -> bytes:
    out = _record12(278)
    out += b"".join(_record12(44, struct.pack("<H", number) + _text12(code)) for number, code in FORMATS.items())
    for colour, weight in ((_colour12(0), 400), (_colour12(0), 700), (_colour12(2, 0xFFFFFF), 400)):
        out += _record12(
            43, struct.pack("<HHHHBBBB", 200, 0, weight, 0, 0, 0, 0, 0) + colour + b"\0" + _text12("Arial")
        )
    out += _record12(45, struct.pack("<I", 0) + bytes(64)) + _record12(45, struct.pack("<I", 17) + bytes(64))
    out += _record12(626) + _record12(47, struct.pack("<HHHHHBBHH", 0xFFFF, 9, 0, 0, 0, 0, 0, 0, 0)) + _record12(627)
    out += _record12(617)
    for format_, font in ((0, 0), (164, 0), (165, 0), (10, 0), (0, 2)):
        out += _record12(47, struct.pack("<HHHHHBBHH", 0, format_, font, 0, 0, 0, 0, 0, 0))
    return out + _record12(618) + _record12(279)


def _book12() -> bytes:
    t = Tokens(12)
    out = _record12(131) + _record12(153, struct.pack("<II", 0, 0) + _text12(""))
    for index, (name, state) in enumerate(SHEETS, 1):
        out += _record12(156, struct.pack("<II", state, index) + _text12(f"rId{index}") + _text12(name))
    out += (
        _record12(353)
        + _record12(357)
        + _record12(362, struct.pack("<I", 2) + struct.pack("<IiiIii", 0, 0, 0, 0, 1, 1))
    )
    out += _record12(354)
    meaning = _formula12(t.far(1, 0, 1), b"")
    out += _record12(
        39, struct.pack("<IBI", 0, 0, 0xFFFFFFFF) + _text12("Rate") + meaning + struct.pack("<I", 0xFFFFFFFF)
    )
    return out + _record12(132)


def _rels(*entries: tuple[str, str, str]) -> str:
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    items = "".join(
        f'<Relationship Id="{key}" Type="{base}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if kind == "hyperlink" else "/>")
        for key, kind, target in entries
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>'
    )


def xlsb(frozen: int = 0) -> bytes:
    """The workbook as .xlsb; so many rows of the sheets after the first stay in view."""
    strings = _record12(159, struct.pack("<II", len(STRINGS), len(STRINGS)))
    for index, text in enumerate(STRINGS):
        runs = struct.pack("<IHH", 1, 5, 1) if index == 7 else b""
        strings += _record12(19, bytes([1 if runs else 0]) + _text12(text) + runs)
    comments = _record12(628) + _record12(630) + _record12(632, _text12("Ada")) + _record12(631) + _record12(633)
    comments += _record12(635, struct.pack("<5I", 0, 1, 1, 1, 1) + bytes(16))
    comments += _record12(637, b"\0" + _text12("Checked twice")) + _record12(636) + _record12(634) + _record12(629)
    sheets = [(f"rId{index}", "worksheet", f"worksheets/sheet{index}.bin") for index in range(1, len(SHEETS) + 1)]
    others = (("rId8", "styles", "styles.bin"), ("rId9", "sharedStrings", "sharedStrings.bin"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
        )
        package.writestr("_rels/.rels", _rels(("rId1", "officeDocument", "xl/workbook.bin")))
        package.writestr("xl/workbook.bin", _book12())
        package.writestr("xl/_rels/workbook.bin.rels", _rels(*sheets, *others))
        package.writestr("xl/worksheets/sheet1.bin", _sales12())
        package.writestr(
            "xl/worksheets/_rels/sheet1.bin.rels",
            _rels(("rId1", "comments", "../comments1.bin"), ("rId2", "hyperlink", LINK)),
        )
        for index, values in OTHERS.items():
            package.writestr(f"xl/worksheets/sheet{index + 1}.bin", _plain12(values, frozen))
        package.writestr("xl/comments1.bin", comments)
        package.writestr("xl/styles.bin", _styles12())
        package.writestr("xl/sharedStrings.bin", strings + _record12(160))
    return out.getvalue()


def _pivots12() -> tuple[bytes, bytes, bytes]:
    """A pivot cache of a sheet that is gone, its records in both ways they are written, and a pivot table."""

    def day(month: int, day: int) -> bytes:
        return struct.pack("<HHBBBB", 2024, month, day, 0, 0, 0)

    definition = _record12(179, bytes(17) + struct.pack("<I", 3)) + _record12(185, bytes(8))
    place = bytes([0, 0, 2]) + _text12("Gone") + struct.pack("<4I", 0, 4, 0, 2)
    definition += _record12(187, place) + _record12(188) + _record12(186) + _record12(181)
    items = _record12(24, _text12("Aa")) + _record12(20) + _record12(31, _text12("Bb") + bytes(6))
    for name, flags, own in (("Shop", 0x8, items), ("Sold", 0x40, b""), ("Day", 0x4, b"")):
        definition += _record12(183, struct.pack("<HihIII", 4, 0, 0, 0, 0, 0) + _text12(name))
        definition += _record12(189, struct.pack("<H", flags)) + own + _record12(190) + _record12(184)
    records = _record12(193, struct.pack("<I", 3))
    records += _record12(33, struct.pack("<Id", 2, 12.5) + day(1, 31)) + _record12(
        33, struct.pack("<Id", 0, 3) + day(2, 1)
    )
    records += _record12(34) + _record12(26, struct.pack("<I", 2)) + _record12(21, struct.pack("<d", 4)) + _record12(20)
    view = _record12(280, bytes(32) + _text12("Sales by shop")) + _record12(
        314, struct.pack("<4I", 3, 6, 5, 6) + bytes(20)
    )
    view += _record12(309, struct.pack("<Ii", 1, 0)) + _record12(
        293, struct.pack("<6iB", 1, 0, 0, 0, 0, 0, 1) + _text12("Sum")
    )
    return definition + _record12(180), records + _record12(194), view + _record12(281)


def xlsb_with_pivot() -> bytes:
    """The workbook as .xlsb with a pivot table on its first sheet, whose source is gone."""
    definition, records, view = _pivots12()
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsb())) as old, zipfile.ZipFile(out, "w") as new:
        cache, table = ("rId70", "pivotCacheDefinition", "{}pivotCache/definition1.bin"), "pivotTables/table1.bin"
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(("workbook.bin.rels", "sheet1.bin.rels")):
                entry = (
                    (*cache[:2], cache[2].format("")) if "workbook" in name else ("rId71", "pivotTable", f"../{table}")
                )
                content = content.replace(b"</Relationships>", _rels(entry).partition(">")[2].encode())
            new.writestr(name, content)
        new.writestr("xl/pivotCache/definition1.bin", definition)
        new.writestr("xl/pivotCache/_rels/definition1.bin.rels", _rels(("rId1", "pivotCacheRecords", "records1.bin")))
        new.writestr("xl/pivotCache/records1.bin", records)
        new.writestr(f"xl/{table}", view)
        new.writestr("xl/pivotTables/_rels/table1.bin.rels", _rels((*cache[:2], cache[2].format("../"))))
    return out.getvalue()


def xlsb_with_rich_values(structures: str, values: str) -> bytes:
    """The workbook as .xlsb whose second sheet holds "#VALUE!" in B1, C1 and D1: B1 has the first rich value, C1 none,
    D1 the second. `structures` and `values` are what stands in their parts."""
    types = _record12(334, struct.pack("<I", 2))
    types += b"".join(_record12(335, bytes(8) + _text12(name)) for name in ("XLDAPR", "XLRICHVALUE"))
    entries = _record12(339, struct.pack("<I", 1) + _text12("XLDAPR")) + _record12(52) + _record12(4097, bytes(4))
    entries += _record12(53) + _record12(340) + _record12(339, struct.pack("<I", 2) + _text12("XLRICHVALUE"))
    for index in (0, 1):
        entries += _record12(52) + _record12(5003, struct.pack("<II", 0, index)) + _record12(53)
    cells = _record12(337, struct.pack("<II", 1, 1)) + _record12(51, struct.pack("<3I", 1, 1, 0)) + _record12(338)
    blocks = _record12(337, struct.pack("<II", 2, 0))
    blocks += b"".join(_record12(51, struct.pack("<3I", 1, 2, index)) for index in (0, 1)) + _record12(338)
    metadata = _record12(332) + types + _record12(336) + entries + _record12(340) + cells + blocks + _record12(333)
    sheet = _record12(129) + _record12(145) + _record12(0, struct.pack("<IIHBBBI", 0, 0, 300, 0, 0, 0, 0))
    sheet += _cell12(6, 0, PLAIN, _text12("seen"))
    for col, meta in ((1, 1), (2, 0), (3, 2)):
        sheet += (_record12(50, struct.pack("<I", meta)) if meta else b"") + _cell12(3, col, PLAIN, b"\x0f")
    links = (
        ("rId80", "sheetMetadata", "metadata.bin"), ("rId81", "rdRichValue", "richData/rdrichvalue.xml"),
        ("rId82", "rdRichValueStructure", "richData/rdrichvaluestructure.xml"),
    )  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsb())) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("workbook.bin.rels"):
                content = content.replace(b"</Relationships>", _rels(*links).partition(">")[2].encode())
            new.writestr(name, sheet + _record12(146) + _record12(130) if name.endswith("sheet2.bin") else content)
        new.writestr("xl/metadata.bin", metadata)
        new.writestr("xl/richData/rdrichvalue.xml", f"<rvData>{values}</rvData>")
        new.writestr("xl/richData/rdrichvaluestructure.xml", f"<rvStructures>{structures}</rvStructures>")
    return out.getvalue()
