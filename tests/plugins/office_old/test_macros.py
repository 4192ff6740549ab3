"""The source of macros, as every Office format attaches it, and objects in workbooks, which hold files alike."""

import struct
from collections.abc import Mapping
from importlib.metadata import entry_points

import pytest
from contract.containers import compound_file
from hypothesis import given
from hypothesis import strategies as st
from support.formats.plugin_reading import read
from support.office.docx_files import package, para
from support.office_old.excel_binary import xls_stream
from support.office_old.powerpoint_binary import Slide, deck, record
from support.office_old.word_binary import Para, WordFile

from sidecar.api import FormatPlugin, Limits, OpensEmbedded, Source
from sidecar.toolkit.ole.compound import Compound, write_compound
from sidecar.toolkit.ole.vba import macro_source

SOURCE = 'Attribute VB_Name = "Bills"\r\nSub Überweisen()\r\n  MsgBox "paid paid paid"\r\nEnd Sub\r\n'
SHOWN = b'\' Bills\nSub \xc3\x9cberweisen()\n  MsgBox "paid paid paid"\nEnd Sub\n'


def format_plugin(name: str) -> FormatPlugin:
    [entry] = entry_points(group="docsidecar.formats", name=name)
    return entry.load()()


def container(text: bytes, *, packed: bool = True) -> bytes:
    """A compressed container ([MS-OVBA] 2.4.1): what stood three bytes or more before, five back, is told by place."""
    out, at = bytearray(), 0
    while packed and at < len(text):
        flags, group = 0, bytearray()
        for bit in range(8):
            wide = max((at - 1).bit_length(), 4)
            if at >= 5 and text[at : at + 3] == text[at - 5 : at - 2]:
                flags |= 1 << bit
                group += struct.pack("<H", 4 << 16 - wide)
                at += 3
            else:
                group += text[at : at + 1]
                at += 1
        out += bytes([flags]) + group
    body = bytes(out) if packed else text.ljust(4096, b"\0")
    return b"\1" + struct.pack("<H", len(body) - 1 | 0x3000 | 0x8000 * packed) + body


def project(source: str = SOURCE, *, packed: bool = True) -> dict[str, bytes]:
    def one(kind: int, data: bytes) -> bytes:
        return struct.pack("<HI", kind, len(data)) + data

    module = one(0x19, b"Bills") + one(0x1A, b"Bills") + one(0x31, struct.pack("<I", 7)) + one(0x2B, b"")
    empty = one(0x19, b"Sheet1") + one(0x1A, b"Sheet1") + one(0x31, struct.pack("<I", 0)) + one(0x2B, b"")
    version = struct.pack("<HIIH", 9, 4, 1, 2)
    listed = one(3, struct.pack("<H", 1252)) + version + module + empty
    return {
        "dir": container(listed), "Bills": b"pcode.." + container(source.encode("cp1252"), packed=packed),
        "Sheet1": container(b'Attribute VB_Name = "Sheet1"\r\n'),
    }  # fmt: skip


def below(folder: str, streams: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": data for name, data in streams.items()}


def ppt_file() -> bytes:
    inner = compound_file(below("VBA", project()))
    head = record(0x03FF, record(0x0400, struct.pack("<III", 500, 1, 2)), holds=True)
    return deck([Slide([])], document=head, objects={500: record(0x1011, inner)})


FILES: list[tuple[str, str, bytes]] = [
    ("doc", "a.doc", WordFile(body=[Para(["x"])], streams=below("Macros/VBA", project())).build()),
    ("xlsx", "a.xls", compound_file({"Workbook": xls_stream(), **below("_VBA_PROJECT_CUR/VBA", project())})),
    ("ppt", "a.ppt", ppt_file()),
    ("docx", "a.docm", package(para("x"), {"word/vbaProject.bin": compound_file(below("VBA", project()))})),
]


@pytest.mark.parametrize(("kind", "name", "data"), FILES, ids=[name for _, name, _ in FILES])
def test_the_source_of_macros_is_an_attached_file(kind: str, name: str, data: bytes) -> None:
    plugin = format_plugin(kind)
    found = read(plugin, data, name)
    [embed] = [embed for embed in found.embedded if embed.name == "macros.bas"]
    assert (embed.kind, embed.media_type, embed.size) == ("attachment", "text/x-vba", len(SHOWN))
    assert isinstance(plugin, OpensEmbedded)
    assert plugin.open_embedded(Source.of_bytes(data, name), embed.ref, Limits()).data == SHOWN
    assert ["macros.bas" in notice.message for notice in found.notices if notice.code == "macros"] == [True]


def test_a_chunk_that_is_not_compressed() -> None:
    assert macro_source(Compound(write_compound(project(packed=False)))).encode().startswith(SHOWN[:-1])


@given(st.binary(max_size=40), st.integers(0, 200))
def test_damaged_projects_say_what_is_left_of_them(noise: bytes, at: int) -> None:
    for name, data in project().items():
        assert "\0" not in macro_source(Compound(write_compound(project() | {name: data[:at] + noise})))


def test_files_in_a_workbook_are_attached_to_it() -> None:
    native = b"\x02\0note.txt\0C:\\note.txt\0" + struct.pack("<HHI", 0, 3, 5) + b"temp\0"
    native += struct.pack("<I", 5) + b"hello"
    objects = {
        "MBD001/\x01Ole10Native": struct.pack("<I", len(native)) + native,
        "MBD002/CONTENTS": b"%PDF-1.4",
        "MBD003/\x01CompObj": b"nothing that is a file",
    }
    data = compound_file({"Workbook": xls_stream()} | objects)
    plugin = format_plugin("xlsx")
    assert isinstance(plugin, OpensEmbedded)
    found = read(plugin, data, "a.xls")
    files = {embed.name: embed for embed in found.embedded if embed.kind == "attachment"}
    assert set(files) == {"note.txt", "MBD002.pdf"}
    for name, said in (("note.txt", b"hello"), ("MBD002.pdf", b"%PDF-1.4")):
        assert plugin.open_embedded(Source.of_bytes(data, "a.xls"), files[name].ref, Limits()).data == said
