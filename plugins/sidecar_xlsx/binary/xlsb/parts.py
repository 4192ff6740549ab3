"""The other binary parts of an .xlsb: shared strings, styles, comments, Excel tables, metadata ([MS-XLSB] 2.1.7)."""

import struct
from collections.abc import Iterator
from typing import Final

from sidecar.toolkit.cell_references import CellRange
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.markup import in_runs
from sidecar_xlsx.binary.xlsb.records import Fields, records

_BOLD: Final = 600
_TWIPS: Final = 20
_SCRIPTS: Final = {1: "superscript", 2: "subscript"}
_SOLID: Final = 1
_INDEXED, _RGB, _THEME = 1, 2, 3
"""Kinds of colours ([MS-XLSB] 2.5.12 BrtColor)."""
_TINTS: Final = 32767


def strings_part(data: bytes, fonts: list[str]) -> bytes:
    """The shared strings (BrtSSTItem)."""
    return markup.strings((in_runs(*Fields(content).rich()) for kind, content in records(data) if kind == 19), fonts)


def styles_of(data: bytes) -> tuple[bytes, list[str]]:
    """The styles part, and the properties of its fonts."""
    formats: dict[int, str] = {}
    fonts: list[str] = []
    fills: list[str] = []
    cells: list[tuple[int, int, int]] = []
    of_cells = False
    for kind, content in records(data):
        fields = Fields(content)
        try:
            if kind == 44:  # BrtFmt
                number = fields.number("H")
                formats[number] = fields.text()
            elif kind == 43:  # BrtFont
                fonts.append(_font(fields))
            elif kind == 45:  # BrtFill
                fills.append(_fill(fields))
            elif kind in (617, 618):  # BrtBeginCellXFs, BrtEndCellXFs
                of_cells = kind == 617
            elif kind == 47 and of_cells:  # BrtXF
                _, format_, font, fill = struct.unpack_from("<4H", content)
                cells.append((format_, font, fill))
        except struct.error:
            continue
    # The first two fills are those no style means here, too.
    return markup.styles(formats, fonts, fills, ((format_, font, fill) for format_, font, fill in cells)), fonts


def _font(fields: Fields) -> str:
    height, flags, weight, script, underline, *_ = struct.unpack_from("<4HB", fields.data)
    names = (("b", weight >= _BOLD), ("i", flags & 0x2), ("strike", flags & 0x8), ("u", underline))
    pieces = [f"<{name}/>" for name, given in names if given]
    if script in _SCRIPTS:
        pieces.append(f'<vertAlign val="{_SCRIPTS[script]}"/>')
    return "".join([*pieces, f'<sz val="{height / _TWIPS:g}"/>', _colour("color", fields.data[12:20])])


def _fill(fields: Fields) -> str:
    pattern = fields.number("I")
    if not pattern:
        return '<patternFill patternType="none"/>'
    kind = "solid" if pattern == _SOLID else "gray125" if pattern < 0x28 else ""
    if not kind:
        return "<gradientFill/>"
    return f'<patternFill patternType="{kind}">{_colour("fgColor", fields.data[4:12])}</patternFill>'


def _colour(name: str, data: bytes) -> str:
    if len(data) < 8:
        return ""
    kind, index, tint, red, green, blue = struct.unpack_from("<BBhBBB", data)
    given = {
        _INDEXED: f'indexed="{index}"', _RGB: f'rgb="FF{red:02X}{green:02X}{blue:02X}"',
        _THEME: f'theme="{index}" tint="{tint / _TINTS:g}"',
    }.get(kind >> 1)  # fmt: skip
    return f"<{name} {given}/>" if given else ""


def comments_part(data: bytes) -> bytes:
    """The comments of a sheet."""
    return markup.comments(_comments(data))


def _comments(data: bytes) -> Iterator[tuple[str, str, str]]:
    authors: list[str] = []
    author, cell = "", ""
    for kind, content in records(data):
        fields = Fields(content)
        try:
            if kind == 632:  # BrtCommentAuthor
                authors.append(fields.text())
            elif kind == 635:  # BrtBeginComment
                number, area = fields.number("I"), fields.area()
                author = authors[number] if number < len(authors) else ""
                cell = str(CellRange(area.top, area.left, area.top, area.left))
            elif kind == 637:  # BrtCommentText
                yield cell, author, fields.rich()[0]
        except struct.error:
            continue


def _table(data: bytes) -> tuple[CellRange, int, int, int, str, list[str]]:
    """Range, number, rows of headings and of totals, name, columns of an Excel table."""
    area, number, headings, totals, name = CellRange(0, 0, 0, 0), 0, 1, 0, ""
    columns: list[str] = []
    for kind, content in records(data):
        fields = Fields(content)
        if kind == 343:  # BrtBeginList
            area = fields.area()
            _, number, headings, totals = (fields.number("I") for _ in range(4))
            fields.at += 32  # flags, formats of its parts, connection
            short, name = fields.text(), fields.text()
            name = name or short
        elif kind == 347:  # BrtBeginListCol
            fields.at += 24
            unique, caption = fields.text(), fields.text()
            columns.append(caption or unique)
    return area, number, headings, totals, name, columns


def read_columns(data: bytes) -> tuple[int, str, tuple[str, ...]]:
    """Number, name and columns of an Excel table. Raises struct.error."""
    _, number, _, _, name, columns = _table(data)
    return number, name, tuple(columns)


def table_part(data: bytes) -> bytes:
    """An Excel table as its part in an .xlsx."""
    try:
        area, number, headings, totals, name, columns = _table(data)
    except struct.error:
        return markup.part("table", "")
    listed = "".join(f'<tableColumn id="{index}" name="{markup.attribute(one)}"/>' for index, one in enumerate(columns))
    return markup.part(
        "table",
        f"<tableColumns>{listed}</tableColumns>",
        id=str(number), displayName=name, ref=str(area), headerRowCount=str(headings), totalsRowCount=str(totals),
    )  # fmt: skip


def metadata_part(data: bytes) -> bytes:
    """What cells' values are beyond their plain ones ([MS-XLSB] 2.1.7.34). Raises struct.error."""
    types: list[str] = []
    rich: list[int] = []
    values: list[list[tuple[int, int]]] = []
    of, of_values = "", False
    for kind, content in records(data):
        fields = Fields(content)
        if kind == 335:  # BrtMdtinfo
            fields.at += 8  # how it is pasted, and from which version on it is known
            types.append(fields.text())
        elif kind == 339:  # BrtBeginEsfmd
            fields.at += 4
            of = fields.text()
        elif kind == 5003 and of == markup.RICH_VALUE:  # the rich value of an entry
            fields.at += 4
            rich.append(fields.number("I"))
        elif kind == 337:  # BrtBeginEsmdb
            fields.at += 4
            of_values = not fields.number("I") & 1
        elif kind == 51 and of_values:  # BrtMdb
            count = min(fields.number("I"), len(content) // 8)
            values.append([(fields.number("I"), fields.number("I")) for _ in range(count)])
    return markup.metadata(types, rich, values)
