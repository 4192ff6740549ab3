"""Files whose end is missing: it is said, whether anything of them can be read or not, and of whole ones it is not."""

import bz2
import gzip
import io
import lzma
import os
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.samples import SAMPLES
from support.databases.access_files import access
from support.formats.pdf_builder import Pdf, text

from sidecar.api import Limits
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader, Outcome
from sidecar.toolkit.ole.compound import write_compound
from sidecar.toolkit.text.cut_parts import cut_parts
from sidecar.toolkit.xml import parse_xml


def test_files_whose_end_is_missing_are_said_to_be_cut_short(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        members.writestr("[Content_Types].xml", "<Types/>" * 200)
    package = packed.getvalue()[:1000]
    old = struct.pack("<8s22xHH14xI", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 9, 6, 50)  # the directory is in sector 50
    cut = {"a.docx": package, "a.doc": old + bytes(8000), "a.pdf": b"%PDF-1.7\n1 0 obj\n<</Type"}
    detector = detector_of(Loader())
    for name, data in cut.items():
        path = tmp_path / name
        path.write_bytes(data)
        found = read_file(Job(os.fsencode(path)), detector, Limits())
        assert (found.state, found.reason) == (
            "damaged",
            f"{name} is cut short: its end is missing; copy or download it again.",
        )


def test_of_a_package_whose_end_is_missing_what_is_there_is_read_and_said(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        members.writestr("notes.txt", "zebra")
        members.writestr("more.bin", bytes(5000))
    (tmp_path / "a.zip").write_bytes(packed.getvalue()[:3000])
    found = read_file(Job(os.fsencode(tmp_path / "a.zip")), detector_of(Loader()), Limits())
    assert found.kind == "read"
    assert found.prepared
    assert any("cut short" in notice.message for notice in found.prepared.notices)


def _database(path: Path) -> bytes:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE animals (name TEXT)")
        database.executemany("INSERT INTO animals VALUES (?)", [("zebra " * 50,)] * 100)
    database.close()
    return path.read_bytes()


def _found(path: Path, data: bytes) -> Outcome:
    path.write_bytes(data)
    return read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits())


def _says_cut(found: Outcome) -> bool:
    notices = found.prepared.notices if found.prepared else ()
    return any("is cut short" in said for said in (found.reason, *(notice.message for notice in notices)))


def _tar(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name, data in members.items():
            told = tarfile.TarInfo(name)
            told.size = len(data)
            made.addfile(told, io.BytesIO(data))
    return out.getvalue()


def _zstandard(data: bytes) -> bytes:
    """A frame of two blocks that are not compressed, its checksum left out."""
    blocks = (data[:1000], data[1000:])
    heads = [(len(block) << 3 | (block is blocks[-1])).to_bytes(3, "little") for block in blocks]
    return b"\x28\xb5\x2f\xfd\x80\x58" + struct.pack("<I", len(data)) + heads[0] + blocks[0] + heads[1] + blocks[1]


def _mail() -> bytes:
    head = "From: a@example.org\r\nSubject: zebra\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n"
    return f'{head}\tboundary="=z"\r\n\r\n--=z\r\n\r\n{"zebra " * 300}\r\n--=z--\r\n'.encode()


def _book() -> bytes:
    records = struct.pack(">H8I", 4, *(one for at in (200, 300, 4000, 5000) for one in (at, 0)))
    head = b"zebra".ljust(60, b"\0") + b"BOOKMOBI".ljust(16, b"\0") + records
    return head.ljust(201, b"\0") + b"\1".ljust(5798, b"\0") + b"z"


def _help() -> bytes:
    return (
        (b"ITSF".ljust(0x38, b"\0") + struct.pack("<2Q", 0x60, 0x18)).ljust(0x60, b"\0")
        + struct.pack("<2Q", 510, 4000)
        + b"z" * 3888
    )


def test_the_members_of_a_tar_archive_without_its_end_are_kept(tmp_path: Path) -> None:
    made = _tar({"a.txt": b"zebra " * 2000, "b.txt": b"gnu " * 4000})
    found = _found(tmp_path / "a.tar", made[:16_000])
    assert found.prepared
    assert [embed.name for embed in found.prepared.embedded] == ["a.txt", "b.txt"]
    assert _says_cut(found)


@pytest.mark.parametrize("kept", [1.0, 0.8])
def test_what_is_read_of_a_file_without_its_end_bears_a_notice(tmp_path: Path, kept: float) -> None:
    xml = b"<?xml version='1.0'?>\n<notes>" + b"<note>zebra</note>" * 300 + b"</notes>\r\n"
    message = {"__substg1.0_0037001F": "zebra".encode("utf-16-le"), "__substg1.0_1000001F": b"z\0" * 30_000}
    pdf = Pdf()
    pdf.page(text(72, 700, "The zebra is striped") * 200)
    files = {
        "a.xml": xml, "a.svg": b"<svg><text>zebra</text>" * 99 + b"</svg>" * 99, "a.msg": write_compound(message),
        "a.tar": _tar({"a.txt": b"zebra " * 2000, "b.txt": b"gnu " * 4000}), "a.xml.bz2": bz2.compress(xml),
        "a.xml.xz": lzma.compress(xml) + bytes(8), "a.xml.zst": _zstandard(xml), "a.eml": _mail(),
        "a.mdb": access([]), "a.mobi": _book(), "a.chm": _help(),
        "a.pdf": pdf.bytes() + bytes(5000), "a.xml.gz": gzip.compress(xml), "a.sqlite": _database(tmp_path / "made.db"),
    }  # fmt: skip
    for name, data in files.items():
        found = _found(tmp_path / name, data[: int(len(data.rstrip(b"\0")) * kept)] if kept < 1 else data)
        assert _says_cut(found) == (kept < 1), (name, found.reason)


@pytest.mark.parametrize("kept", range(4, 9))
def test_the_first_bytes_of_a_compressed_file_alone_are_cut_short(tmp_path: Path, kept: int) -> None:
    for name, data in (("a.xml.zst", _zstandard(b"<a/>")), ("a.xml.xz", lzma.compress(b"<a/>")), ("a.chm", _help())):
        found = _found(tmp_path / name, data[:kept])
        assert found.state == "damaged", (name, found.reason)


def test_a_sector_number_that_is_spoiled_is_no_missing_end(tmp_path: Path) -> None:
    data = bytearray(write_compound({"__substg1.0_0037001F": "zebra".encode("utf-16-le")}))
    (table,) = struct.unpack_from("<I", data, 76)
    struct.pack_into("<I", data, (table + 1) * 512, 0x00FFFFF0)
    assert not _says_cut(_found(tmp_path / "a.msg", bytes(data)))


def _rewritten(package: bytes, member: str, to: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as whole, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in whole.namelist():
            made.writestr(name, to(whole.read(name)) if name == member else whole.read(name))
    return out.getvalue()


def _spreadsheet() -> bytes:
    row = "<table:table-row><table:table-cell><text:p>zebra</text:p></table:table-cell></table:table-row>"
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    sheet = f'<table:table table:name="t">{row * 20}</table:table>'
    body = f"<office:body><office:spreadsheet>{sheet}</office:spreadsheet></office:body>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        made.writestr("content.xml", f"<office:document-content{spaces}>{body}</office:document-content>")
    return out.getvalue()


@pytest.mark.parametrize(
    "member",
    [
        "word/document.xml", "word/styles.xml", "ppt/slides/slide1.xml", "content.xml", "xl/charts/chart1.xml",
        "OEBPS/text/a.xhtml", "OEBPS/nav.xhtml", "visio/pages/page1.xml", "Contents/section0.xml",
    ],
)  # fmt: skip
def test_parts_of_a_sound_package_whose_end_is_missing_are_named(tmp_path: Path, member: str) -> None:
    files = {name: data for plugin in ("docx", "pptx", "odf", "xlsx", "epub", "visio", "hwpx")
             for name, data in SAMPLES[plugin]().items() if data.startswith(b"PK")}  # fmt: skip
    files["a.ods"] = _spreadsheet()
    tried = {name: data for name, data in files.items() if member in zipfile.ZipFile(io.BytesIO(data)).namelist()}
    assert tried
    for name, data in tried.items():
        for again in ("", "again "):  # what a worker remembers of a part does not hide its end's absence
            cut = _found(tmp_path / (again + name), _rewritten(data, member, lambda part: part[: len(part) * 3 // 4]))
            assert cut.prepared, (name, cut.reason)
            assert cut.prepared.parts
            said = [notice.message for notice in cut.prepared.notices if notice.code == "truncated_at"]
            assert said == [f"The end of {member} is missing in the file; what is there is read."], name


@pytest.mark.parametrize(("spoiled", "lost"), [
    (b"<a b='1' b='2'/>", False), (b"<a>zebra \x01</a>", False), (b"<a>zebra &foo;</a>\0\0", False),
    (b"<a><b>zebra</a>", False), (b"<a>\xff zebra</a><!-- <b> -->\n", False),
    ("<a>zebra &foo;</a>".encode("utf-16"), False),
    (b"<x:a>zebra</x:a>", False), (b"<a>zebra</a><b>gnu</b>", True), (b"<a>zebra<b>", True), (b"<a><a>zebra</a>", True),
])  # fmt: skip
def test_faults_of_markup_that_lose_nothing_are_no_missing_end(spoiled: bytes, lost: bool) -> None:
    with cut_parts() as names:
        parse_xml(spoiled, "a")
    assert names == ["a"] * lost


@pytest.mark.parametrize(
    ("spoiled", "named"), [("chain", "the stream __substg1.0_1000001F"), ("tree", "its directory")]
)
def test_parts_of_a_compound_file_that_are_not_all_there_are_named(tmp_path: Path, spoiled: str, named: str) -> None:
    """Of a stream the chain of sectors ends early, or a name's neighbour lies behind the directory's end."""
    body = "zebra ".encode("utf-16-le") * 2_000
    data = bytearray(write_compound({"__substg1.0_0037001F": b"z\0e\0", "__substg1.0_1000001F": body}))
    table, directory = 512, 1024
    if spoiled == "chain":
        (start,) = struct.unpack_from("<I", data, directory + 2 * 128 + 116)
        struct.pack_into("<I", data, table + 4 * (start + 3), 0xFFFFFFFE)
    else:
        struct.pack_into("<I", data, directory + 128 + 72, 4_000)
    found = _found(tmp_path / "a.msg", bytes(data))
    assert found.prepared
    said = [notice.message for notice in found.prepared.notices if notice.code == "truncated_at"]
    assert said == [f"The end of {named} is missing in the file; what is there is read."]
