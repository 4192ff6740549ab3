"""Workbooks of other programs: Gnumeric, SYLK, DIF, Lotus 1-2-3 and Quattro Pro."""

from __future__ import annotations

import gzip
import struct

import pytest
from contract.conformance import outcome
from sidecar_xlsx import XlsxFormat
from support.formats.plugin_reading import of, read

from sidecar.api import EncryptedError, Limits, Note, Source, Table

XLSX = XlsxFormat()
GNUMERIC = """<?xml version="1.0"?>
<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:o="http://www.gnome.org/gnumeric/v14">
<office:document-meta><office:meta><dc:title>Birds</dc:title></office:meta></office:document-meta>
<gnm:Sheets><gnm:Sheet Visibility="GNM_SHEET_VISIBILITY_VISIBLE"><gnm:Name>Seen</gnm:Name>
<gnm:Styles><gnm:StyleRegion startCol="2" startRow="1" endCol="2" endRow="1"><gnm:Style Format="yyyy-mm-dd"/>
</gnm:StyleRegion></gnm:Styles>
<gnm:Rows><gnm:RowInfo No="3" Hidden="1"/></gnm:Rows>
<gnm:Cells><gnm:Cell Row="0" Col="0" ValueType="60">Name</gnm:Cell>
<gnm:Cell Row="0" Col="1" ValueType="60">Count</gnm:Cell>
<gnm:Cell Row="1" Col="0" ValueType="60">Weka</gnm:Cell>
<gnm:Cell Row="1" Col="1" ValueType="40" ValueFormat="0.00">2.5</gnm:Cell>
<gnm:Cell Row="1" Col="2" ValueType="40">45292</gnm:Cell><gnm:Cell Row="2" Col="1">=SUM(B2:B2)</gnm:Cell>
<gnm:Cell Row="3" Col="0" ValueType="20">TRUE</gnm:Cell></gnm:Cells>
<gnm:MergedRegions><gnm:Merge>A5:B5</gnm:Merge></gnm:MergedRegions>
<gnm:Objects>
<gnm:CellComment Author="Ann" Text="Really?" ObjectBound="B2:B2"/></gnm:Objects>
</gnm:Sheet><gnm:Sheet Visibility="GNM_SHEET_VISIBILITY_HIDDEN"><gnm:Name>Kept</gnm:Name>
<gnm:Cells><gnm:Cell Row="0" Col="0" ValueType="60">aside</gnm:Cell></gnm:Cells></gnm:Sheet>
</gnm:Sheets></gnm:Workbook>"""
SYLK = (
    'ID;PWXL;N;E\nP;PGeneral\nP;Pdd/mm/yyyy\nC;Y1;X1;K"Name; of all"\nC;X2;K"Day"\nC;Y2;X1;K"Weka"\n'
    "F;P1;FG0G;X2\nC;K45292\nC;Y3;X1;K7;EB1+1\nC;Y3;X2;KTRUE\nC;Y3;X2;ARemark\nE\n"
).replace("Name; of", "Name;; of")
DIF = (
    'TABLE\n0,1\n"X"\nVECTORS\n0,2\n""\nTUPLES\n0,2\n""\nDATA\n0,0\n""\n-1,0\nBOT\n1,0\n"Name"\n1,0\n"Seen"\n'
    '-1,0\nBOT\n1,0\n"Weka"\n0,2.5\nV\n-1,0\nEOD\n'
)


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def wk1(*, locked: bool = False) -> bytes:
    cells = record(0x0F, struct.pack("<BHH", 0xFF, 0, 0) + b"'Name\0")
    cells += record(0x0D, struct.pack("<BHHh", 0x22, 1, 0, 2)) + record(0x0E, struct.pack("<BHHd", 0x72, 2, 0, 45292.0))
    cells += record(0x10, struct.pack("<BHHdH", 0x02, 0, 1, 1.25, 0)) + record(0x0D, b"\0")
    return (
        record(0, struct.pack("<H", 0x0406)) + (record(0x4B, b"\1\2\3\4") if locked else b"") + cells + record(1, b"")
    )


def wk3() -> bytes:
    def real(value: int) -> bytes:
        shift = 64 - value.bit_length()
        return struct.pack("<QH", value << shift, 16383 + 63 - shift)

    sheets = record(0x1B, struct.pack("<HH", 14_000, 0) + b"Birds\0") + record(
        0x1B, struct.pack("<HH", 14_000, 1) + b"More\0"
    )
    cells = record(0x16, struct.pack("<HBB", 0, 0, 0) + b"'Name\0") + record(
        0x17, struct.pack("<HBB", 1, 0, 0) + real(45)
    )
    cells += record(0x18, struct.pack("<HBBh", 1, 0, 1, 14)) + record(0x27, struct.pack("<HBBd", 0, 1, 0, 2.5))
    cells += record(0x25, struct.pack("<HBBI", 1, 1, 0, 125 << 6 | 0x32)) + record(  # -125 / 10², and 7 × 10³
        0x25, struct.pack("<HBBI", 1, 1, 1, 7 << 6 | 3)
    )
    return record(0, struct.pack("<H", 0x1000) + bytes(24)) + sheets + cells + record(1, b"")


def wb1() -> bytes:
    cells = record(0x0F, struct.pack("<BBHH", 0, 0, 0, 0) + b"'Name\0") + record(
        0x0E, struct.pack("<BBHHd", 1, 0, 0, 0, 2.5)
    )
    return record(0, struct.pack("<H", 0x1001)) + cells + record(1, b"")


FILES = {
    "a.gnumeric": gzip.compress(GNUMERIC.encode(), mtime=0), "a.slk": SYLK.encode(), "a.dif": DIF.encode(),
    "a.wk1": wk1(),
    "a.wk3": wk3(), "a.wb1": wb1(),
}  # fmt: skip


def rows(name: str) -> list[tuple[tuple[str, ...], ...]]:
    assert XLSX.score(Source.of_bytes(FILES[name], name)) == 95
    return [table.rows for table in of(read(XLSX, FILES[name], name), Table)]


def test_a_workbook_of_gnumeric() -> None:
    found = read(XLSX, FILES["a.gnumeric"], "a.gnumeric")
    assert (found.title, [(part.name, part.hidden) for part in found.parts]) == (
        "Birds",
        [("Seen", False), ("Kept", True)],
    )
    table = of(found, Table)[0]
    assert table.rows[:2] == (("Name", "Count"), ("Weka", "2.50", "2024-01-01"))
    assert [cell.formula for cell in table.cells if cell.formula] == ["=SUM(B2:B2)"]
    assert table.hidden_rows == (3,)
    assert [(note.text, note.author, note.target) for note in of(found, Note)] == [("Really?", "Ann", "B2")]
    assert read(XLSX, GNUMERIC, "plain.xml").parts[0].name == "Seen"


def test_array_formulas_of_gnumeric_have_their_range() -> None:
    cells = (
        '<gnm:Cell Row="20" Col="1" Rows="2" Cols="2">=transpose(A1:B2)</gnm:Cell>'
        '<gnm:Cell Row="21" Col="1" ValueType="40">4</gnm:Cell><gnm:Cell Row="23" Col="1">=1+1</gnm:Cell>'
    )
    tables = of(read(XLSX, GNUMERIC.replace("</gnm:Cells>", f"{cells}</gnm:Cells>", 1), "a.gnumeric"), Table)
    found = {(cell.row + one.first_row, cell.formula, cell.array) for one in tables for cell in one.cells}
    assert {(20, "{=transpose(A1:B2)}", "B21:C22"), (23, "=1+1", "")} <= found


def test_formulas_of_gnumeric_that_cells_share_move_and_lack_results() -> None:
    """Gnumeric keeps no results."""
    shared = '<gnm:Cell Row="5" Col="{}" ExprID="1"{}'
    cells = shared.format(2, ">=SUM(C1:C$5)</gnm:Cell>") + shared.format(3, "/>")
    table = of(read(XLSX, GNUMERIC.replace("</gnm:Cells>", f"{cells}</gnm:Cells>", 1), "a.gnumeric"), Table)[0]
    assert [(cell.formula, cell.state) for cell in table.cells if cell.row == 5] == [
        ("=SUM(C1:C$5)", "not_computed"),
        ("=SUM(D1:D$5)", "not_computed"),
    ]


def test_sheets_exchanged_as_text() -> None:
    [sylk] = rows("a.slk")
    assert sylk == (("Name; of all", "Day"), ("Weka", "01/01/2024"), ("7", "TRUE"))
    assert rows("a.dif") == [(("Name", "Seen"), ("Weka", "2.5"))]


def test_worksheets_of_lotus_and_quattro_pro() -> None:
    assert rows("a.wk1") == [(("Name", "$2.00", "1-Jan-24"), ("1.25",))]
    assert rows("a.wk3") == [(("Name",), ("45", "7")), (("2.5",), ("-1.25", "7000"))]
    assert [part.name for part in read(XLSX, FILES["a.wk3"], "a.wk3").parts] == ["Birds", "More"]
    assert rows("a.wb1") == [(("Name", "2.5"),)]
    with pytest.raises(EncryptedError, match="password"):
        read(XLSX, wk1(locked=True), "a.wk1")


def test_other_text_under_these_names_is_not_a_sheets() -> None:
    for name in ("a.slk", "a.dif", "a.123"):
        assert XLSX.score(Source.of_bytes(b"plain words\n", name)) < 10


@pytest.mark.parametrize("name", FILES)
def test_spoiled_ones_are_read_or_refused(name: str) -> None:
    data = FILES[name]
    for at in range(0, len(data), max(len(data) // 12, 1)):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            outcome(XLSX, Source.of_bytes(spoiled, name), Limits(ocr=False))
