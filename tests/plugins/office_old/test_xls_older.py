"""Workbooks of Excel 2 to 4, streams without a compound file, and workbooks under Excel's own password."""

from __future__ import annotations

import contextlib
import hashlib
import struct
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_xlsx.plugin import XlsxFormat
from support.office_old.excel_binary import xls, xls_stream
from support.office_old.word_binary import compound_file

from sidecar.api import EncryptedError, FormatError, Limits, Note, ParsedDocument, Source, Table

XLSX = XlsxFormat()
PLAIN = Limits(ocr=False)


def read(data: bytes) -> ParsedDocument:
    return XLSX.parse(Source.of_bytes(data, "a.xls"), PLAIN)


def rows(document: ParsedDocument) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    return [(part.title, block.rows) for part in document.parts for block in part.blocks if isinstance(block, Table)]


def record(kind: int, *pieces: bytes) -> bytes:
    data = b"".join(pieces)
    return struct.pack("<HH", kind, len(data)) + data


def short(text: bytes) -> bytes:
    return bytes([len(text)]) + text


def excel_2() -> bytes:
    """A sheet whose second column is formatted by the second code."""

    def place(row: int, col: int, number: int = 0) -> bytes:
        return struct.pack("<HHBBB", row, col, 0, number, 0)

    return b"".join([
        record(0x09, struct.pack("<HH", 2, 0x10)), record(0x42, struct.pack("<H", 1252)),
        record(0x1E, short(b"General")), record(0x1E, short(b"0.00%")), record(0x14, short(b"&COn top")),
        record(0x04, place(0, 0), short(b"Caf\xe9")), record(0x04, place(0, 1), short(b"Share")),
        record(0x02, place(1, 0), struct.pack("<H", 7)), record(0x03, place(1, 1, 1), struct.pack("<d", 0.125)),
        record(0x05, place(2, 0), b"\1\0"), record(0x05, place(2, 1), b"\x07\1"),
        record(0x06, place(3, 0), struct.pack("<d", 2.5), b"\0", short(b"")),
        record(0x06, place(3, 1), b"\0\0\0\0\0\0\xff\xff", b"\0", short(b"")), record(0x07, short(b"said")),
        record(0x1C, struct.pack("<HHH", 1, 0, 4), b"Note"), record(0x0A),
    ])  # fmt: skip


def excel_3_or_4(version: int) -> bytes:
    begin, style = {3: (0x209, 0x243), 4: (0x409, 0x443)}[version]
    codes = [b"General", b"0.0"]
    formats = [record(0x41E, b"\0\0", short(code)) if version == 4 else record(0x1E, short(code)) for code in codes]

    def place(row: int, col: int, number: int = 0) -> bytes:
        return struct.pack("<HHH", row, col, number)

    return b"".join([
        record(begin, struct.pack("<HHH", version, 0x10, 0)),
        record(0x231, struct.pack("<HHH", 200, 1, 0x7FFF), short(b"A")),
        *formats, record(style, bytes([0, 0]), bytes(10)), record(style, bytes([0, 1]), bytes(10)),
        record(0x204, place(0, 0), struct.pack("<H", 4), b"Name"),
        record(0x203, place(0, 1, 1), struct.pack("<d", 1.25)),
        record(0x27E, place(1, 0), struct.pack("<I", 42 << 2 | 2)),
        record(0x206 if version == 3 else 0x406, place(1, 1), b"\0\0\0\0\0\0\xff\xff", bytes(2), struct.pack("<H", 0)),
        record(0x207, struct.pack("<H", 2), b"ok"), record(0x0A),
    ])  # fmt: skip


def test_excel_2() -> None:
    source = Source.of_bytes(excel_2(), "a.xls")
    assert XLSX.score(source) == 95
    found = read(excel_2())
    assert rows(found) == [("Sheet1", (("Café", "Share"), ("7", "12.50%"), ("TRUE", "#DIV/0!"), ("2.5", "said")))]
    notes = [(block.kind, block.text) for block in found.parts[0].blocks if isinstance(block, Note)]
    assert ("comment", "Note") in notes
    assert ("header", "On top") in notes


@pytest.mark.parametrize("version", [3, 4])
def test_excel_3_and_4(version: int) -> None:
    expected = [("Sheet1", (("Name", "1.3"), ("42", "ok")))]
    assert rows(read(excel_3_or_4(version))) == expected
    assert rows(read(compound_file({"Book": excel_3_or_4(version)}))) == expected


def test_a_workbook_of_excel_4_names_its_sheets() -> None:
    sheet = excel_3_or_4(4)
    book = b"".join([
        record(0x409, struct.pack("<HHH", 4, 0x100, 0)),
        *(record(0x8F, struct.pack("<I", len(sheet)), short(name)) + sheet for name in (b"One", b"Two")), record(0x0A),
    ])  # fmt: skip
    assert [part.title for part in read(book).parts] == ["One", "Two"]


def test_streams_that_lie_in_no_compound_file() -> None:
    assert rows(read(xls_stream())) == rows(read(xls()))
    lone = (
        record(0x809, struct.pack("<HHI", 0, 0x1000, 0))
        + record(0x203, bytes(6), struct.pack("<d", 1.5))
        + record(0x0A)
    )
    assert rows(read(lone)) == [("Sheet1", (("1.5",),))]


def test_workbooks_are_known_under_other_suffixes() -> None:
    for stream in ("Workbook", "Book"):
        assert XLSX.score(Source.of_bytes(compound_file({stream: xls_stream()}), "a.doc")) >= 85
    assert XLSX.score(Source.of_bytes(compound_file({"WordDocument": bytes(5000)}), "a.doc")) == 0
    for data in (excel_2(), excel_3_or_4(3), excel_3_or_4(4)):
        assert XLSX.score(Source.of_bytes(data, "a.bin")) == 95


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([excel_2(), excel_3_or_4(3), excel_3_or_4(4)]),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_damaged_older_files_end_in_a_workbook_or_a_sentence(data: bytes, changes: list[tuple[int, int]]) -> None:
    changed = bytearray(data)
    for at, value in changes:
        changed[at % len(data)] = value
    with contextlib.suppress(FormatError):
        read(bytes(changed))


sha1, md5 = (partial(hashlib.new, name, usedforsecurity=False) for name in ("sha1", "md5"))


def key_stream(key: bytes, count: int) -> bytes:
    """RC4."""
    state, j, out = list(range(256)), 0, []
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    for _ in range(count):
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(state[(state[i] + state[j]) % 256])
    return bytes(out)


def mixed(data: bytes, pad: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, pad, strict=False))


def locked(password: str, *, provided: bool) -> bytes:
    """A workbook encrypted with RC4: by Excel 97's own way, or by a provider's with keys of 40 bits."""
    salt, verifier, secret = bytes(range(16)), b"sixteen bytes ok", password.encode("utf-16-le")

    def key(block: int) -> bytes:
        if provided:
            first = sha1(salt + secret).digest()
            return sha1(first + struct.pack("<I", block)).digest()[:5] + bytes(11)
        first = md5((md5(secret).digest()[:5] + salt) * 16).digest()[:5]
        return md5(first + struct.pack("<I", block)).digest()

    proof = (sha1 if provided else md5)(verifier).digest()
    checked = mixed(verifier + proof, key_stream(key(0), 64))
    if provided:
        header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, 40, 1, 0, 0) + "P\0".encode("utf-16-le")
        told = struct.pack("<HHHII", 1, 2, 2, 4, len(header)) + header
        told += struct.pack("<I", 16) + salt + checked[:16] + struct.pack("<I", 20) + checked[16:]
    else:
        told = struct.pack("<HHH", 1, 1, 1) + salt + checked
    first = record(0x2F, told)
    plain = xls_stream()
    head = 4 + struct.unpack_from("<H", plain, 2)[0]
    stream, clear = bytearray(plain[:head] + first + plain[head:]), (0x809, 0x2F)
    pads = b"".join(key_stream(key(block), 1024) for block in range(len(stream) // 1024 + 1))
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        start, end = at + 4, at + 4 + length
        if kind == 0x85:
            struct.pack_into("<I", stream, start, struct.unpack_from("<I", stream, start)[0] + len(first))
            start += 4
        if kind not in clear:
            stream[start:end] = mixed(bytes(stream[start:end]), pads[start:end])
        at = end
    return compound_file({"Workbook": bytes(stream)})


@pytest.mark.parametrize("provided", [False, True])
def test_a_workbook_under_excels_own_password_is_open(provided: bool) -> None:
    assert rows(read(locked("VelvetSweatshop", provided=provided))) == rows(read(xls()))
    with pytest.raises(EncryptedError, match="password"):
        read(locked("another", provided=provided))
