"""Pivot tables of .xls: fields, items, place and source; records of a source that is not in the workbook."""

from __future__ import annotations

import struct

import pytest
from contract.conformance import outcome
from contract.containers import compound_file
from sidecar_xlsx.plugin import XlsxFormat
from support.formats.plugin_reading import of, read

from sidecar.api import Limits, Note, ParsedDocument, Source, Table

XLSX = XlsxFormat()


def record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def text(words: str) -> bytes:
    return struct.pack("<HB", len(words), 0) + words.encode("latin-1")


def bare(words: str) -> bytes:
    return b"\0" + words.encode("latin-1")


def cache() -> bytes:
    """Two fields, the second without items, and two records."""
    out = record(0xC6, struct.pack("<IHH", 2, 1, 0) + bytes(12))
    out += record(0xC7, struct.pack("<HHHHHHH", 1, 0xFFFF, 0, 0, 0, 0, 3) + text("Bird"))
    out += record(0xCD, text("Weka")) + record(0xCE, struct.pack("<HHBBBB", 2024, 3, 1, 0, 0, 0)) + record(0xCF)
    out += record(0xC7, struct.pack("<HHHHHHH", 0, 0xFFFF, 0, 0, 0, 0, 0) + text("Count"))
    out += (
        record(0xC8, b"\0")
        + record(0xC9, struct.pack("<d", 2.5))
        + record(0xC8, b"\1")
        + record(0xCC, struct.pack("<h", 7))
    )
    return out + record(0x0A)


def workbook(source: str) -> bytes:
    view = struct.pack("<10H", 2, 6, 0, 2, 3, 4, 1, 0, 0, 1)
    view += struct.pack("<12H", 0, 2, 1, 0, 1, 1, 2, 1, 3, 1, len("Flock"), len("Data")) + bare("Flock") + bare("Data")
    sheet = record(0x809, struct.pack("<HHIII", 0x600, 0x10, 0, 0, 0)) + record(
        0x204, struct.pack("<HHH", 0, 0, 0) + text("x")
    )
    sheet += record(0xB0, view) + record(0xB1, struct.pack("<HHHHH", 1, 1, 0, 0, 0xFFFF))
    sheet += record(0xB1, struct.pack("<HHHHH", 8, 0, 0, 0, 4) + bare("Seen")) + record(0xB4, struct.pack("<h", 0))
    title = "Sum of Count"
    sheet += record(0xC5, struct.pack("<7H", 1, 0, 0, 0, 0, 0, len(title)) + bare(title)) + record(0x0A)
    named = record(0x51, struct.pack("<HHBB", 0, 3, 0, 1) + text("\2" + source))
    head = record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0)) + record(0xE0, bytes(20))
    tail = record(0xD5, struct.pack("<H", 1)) + record(0xE3, struct.pack("<H", 1)) + named + record(0x0A)
    name = struct.pack("<BB", 4, 0) + b"Data"
    at = len(head) + 4 + 6 + len(name) + len(tail)
    book = head + record(0x85, struct.pack("<IBB", at, 0, 0) + name) + tail + sheet
    return compound_file({"Workbook": book, "_SX_DB_CUR/0001": cache()})


def document(source: str) -> ParsedDocument:
    return read(XLSX, workbook(source), "birds.xls")


def test_a_pivot_table_is_told_by_its_fields_items_and_source() -> None:
    [note] = of(document("Data"), Note)
    assert note.target == "A3:C7"
    assert note.text.splitlines() == [
        "Pivot table Flock", "Rows: Bird", "Values: Sum of Count", "Captions: Seen", "Pivot cache from Data!A1:B4",
        "Bird: Weka, 2024-03-01", "Other fields: Count",
    ]  # fmt: skip


def test_records_whose_source_is_elsewhere_are_a_sheet() -> None:
    rows = [table.rows for table in of(document("Gone"), Table)]
    assert (("Bird", "Count"), ("Weka", "2.5"), ("2024-03-01", "7")) in rows


@pytest.mark.parametrize("place", range(0, len(cache()), 7))
def test_a_spoiled_cache_costs_nothing_else(place: int) -> None:
    data = workbook("Gone")
    at = data.index(cache()[:40]) + place
    spoiled = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
    found = outcome(XLSX, Source.of_bytes(spoiled, "birds.xls"), Limits(ocr=False))
    assert isinstance(found, ParsedDocument)
