"""Archives: their members as attachments, within bounds; names that lead out, bombs, passwords, damage."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.conformance import check_embedded
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sidecar_archive import ArchiveFormat
from support.formats.help_files import help_file
from support.formats.plugin_reading import of, read
from support.formats.seven_zip_samples import SEVEN_ZIPS

from sidecar.api import (
    DamagedError,
    EncryptedError,
    FormatError,
    LimitError,
    Limits,
    NotFoundError,
    ParsedDocument,
    Source,
    Table,
    UnsupportedError,
)

ARCHIVE = ArchiveFormat()
READ_7Z = ("lzma", "lzma2", "bzip2", "deflate", "copy", "bcj", "bcjl2", "delta", "nonsolid", "plainhead")
FILES = {"report.md": b"# Report\n\nThe capybara rests.", "inner/table.csv": b"a,b\n1,2\n"}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        packed.mkdir("inner")
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name, (2024, 12, 24, 9, 30, 0)), data, method)
    return out.getvalue()


def tarred(files: dict[str, bytes], more: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_735_032_600
            packed.addfile(info, io.BytesIO(data))
        for info in more:
            packed.addfile(info)
    return out.getvalue()


PACKED: dict[str, Callable[[], bytes]] = {
    "a.zip": lambda: zipped(FILES), "b.tar": lambda: tarred(FILES), "c.tar.gz": lambda: gzip.compress(tarred(FILES)),
    "d.tgz": lambda: gzip.compress(tarred(FILES)), "e.tar.bz2": lambda: bz2.compress(tarred(FILES)),
    "f.txz": lambda: lzma.compress(tarred(FILES)),
}  # fmt: skip
ALL = PACKED | {f"{method}.7z": (lambda data=data: data) for method, data in SEVEN_ZIPS.items() if method in READ_7Z}
"""Seven-zips too, which have a file more."""


def document(data: bytes, name: str = "a.zip", limits: Limits | None = None) -> ParsedDocument:
    return read(ARCHIVE, data, name, limits)


@pytest.mark.parametrize("name", PACKED)
def test_members_are_listed_and_opened(name: str) -> None:
    data = PACKED[name]()
    source = Source.of_bytes(data, name)
    assert ARCHIVE.score(source) == 70
    found = document(data, name)
    assert [(e.kind, e.name, e.media_type, e.size) for e in found.embedded] == [
        ("attachment", "report.md", "text/markdown", 29), ("attachment", "inner/table.csv", "text/csv", 8),
    ]  # fmt: skip
    [table] = of(found, Table)
    assert [row[:2] for row in table.rows] == [
        ("Name", "Size in bytes"), ("report.md", "29"), ("inner/table.csv", "8"),
    ]  # fmt: skip
    assert table.rows[1][2].startswith("2024-12-24T09:30:00")
    check_embedded(ARCHIVE, source, found)
    assert ARCHIVE.open_embedded(source, found.embedded[1].ref, Limits()).data == FILES["inner/table.csv"]
    with pytest.raises(NotFoundError, match="no member"):
        ARCHIVE.open_embedded(source, "99", Limits())
    if name.endswith(".zip"):
        with pytest.raises(NotFoundError, match="inner is not a regular file"):
            ARCHIVE.open_embedded(source, "0", Limits())


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_a_single_compressed_file(suffix: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(b"Words")
    found = document(data, f"notes.txt{suffix}")
    assert [(e.name, e.media_type) for e in found.embedded] == [("notes.txt", "text/plain")]
    assert ARCHIVE.open_embedded(Source.of_bytes(data, f"notes.txt{suffix}"), "0", Limits()).data == b"Words"


@pytest.mark.parametrize("method", READ_7Z)
def test_the_members_of_a_7z_are_listed_and_opened(method: str) -> None:
    source = Source.of_bytes(SEVEN_ZIPS[method], "a.7z")
    assert ARCHIVE.score(source) == 70
    found = ARCHIVE.parse(source, Limits())
    assert found.notices == ()
    opened = {e.name: ARCHIVE.open_embedded(source, e.ref, Limits()).data for e in found.embedded}
    assert opened == FILES | {"nothing.txt": b""}
    [table] = of(found, Table)
    assert {row[0]: row[1:] for row in table.rows}["inner/table.csv"] == ("8", "2024-12-24T09:30:00Z")
    with pytest.raises(NotFoundError, match="no member"):
        ARCHIVE.open_embedded(source, "99", Limits())
    with pytest.raises(LimitError, match=r"packed with others in a block|larger than max_file_bytes"):
        ARCHIVE.open_embedded(source, found.embedded[1].ref, Limits(max_file_bytes=2))


def with_method(packed: bytes, plain: bytes, method: int) -> bytes:
    """A zip of one file, a.txt, that was packed by a method which the standard library does not write."""
    data = bytearray(zipped({"a.txt": packed}, zipfile.ZIP_STORED))
    for mark, at in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        head = data.index(mark, data.index(b"a.txt") - 60 if mark == b"PK\3\4" else data.rindex(b"a.txt") - 46)
        struct.pack_into("<H", data, head + at, method)
        struct.pack_into("<I", data, head + at + 6, zlib.crc32(plain))
        struct.pack_into("<I", data, head + at + 14, len(plain))
    return bytes(data)


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def bits(*codes: tuple[int, int, bool]) -> bytes:
    """`(value, bits, most significant first)` one after another, as Deflate packs them."""
    found = ""
    for value, count, reverse in codes:
        written = f"{value:0{count}b}"
        found += written if reverse else written[::-1]
    found += "0" * (-len(found) % 8)
    return bytes(int(found[at : at + 8][::-1], 2) for at in range(0, len(found), 8))


WORDS = " ".join(f"the capybara rests {number} times" for number in range(400)).encode()
# Fixed codes: "x", then the length that Deflate has no bits for: three and 997 more, one byte back; the end.
LONG_MATCH = bits((1, 1, False), (1, 2, False), (0x30 + ord("x"), 8, True), (0b11000101, 8, True), (997, 16, False),
                  (0, 5, True), (0, 7, True))  # fmt: skip


@pytest.mark.parametrize(
    ("method", "packed", "plain"),
    [
        (9, deflated(WORDS), WORDS), (9, LONG_MATCH, b"x" * 1001), (95, lzma.compress(WORDS), WORDS),
        (9, b"\1\3\0\xfc\xffabc", b"abc"),
    ],
)  # fmt: skip
def test_methods_that_the_standard_library_does_not_know(method: int, packed: bytes, plain: bytes) -> None:
    data = with_method(packed, plain, method)
    assert ARCHIVE.open_embedded(Source.of_bytes(data, "a.zip"), "1", Limits()).data == plain
    with pytest.raises(LimitError):
        ARCHIVE.open_embedded(Source.of_bytes(data, "a.zip"), "1", Limits(max_file_bytes=2))
    broken = with_method(packed[:-4] + b"\xff\xff\xff\xff", plain, method)
    with pytest.raises(DamagedError):
        ARCHIVE.open_embedded(Source.of_bytes(broken, "a.zip"), "1", Limits())


def test_deflate64_that_says_nothing_over_and_over_ends() -> None:
    empty = bits(*[(0, 1, False), (1, 2, False), (0, 7, True)] * 4) * 100_000
    with pytest.raises(DamagedError):
        ARCHIVE.open_embedded(Source.of_bytes(with_method(empty, b"x" * 500, 9), "a.zip"), "1", Limits())


@pytest.mark.parametrize(
    ("codec", "names"),
    [
        ("cp437", ["Größe.md", "été.md"]), ("cp866", ["Привет мир.md", "отчёт.md"]), ("utf-8", ["Größe.md", "名前.md"]),
        ("cp932", ["報告書のコピー.md", "あいう.md"]), ("gb18030", ["新建文本文档.md", "工作报告.md"]),
        ("cp949", ["새 문서.md", "보고서.md"]),
        ("cp950", ["繁體中文.md", "會議記錄.md"]), ("cp1251", ["Привет мир.md"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_in_the_code_page_of_a_country(codec: str, names: list[str], kind: str) -> None:
    if kind == "zip":
        files = {f"{at}{'x' * (len(name.encode(codec)) - 1)}": name.encode(codec) for at, name in enumerate(names)}
        data = zipped(files, zipfile.ZIP_STORED)
        for plain, name in files.items():
            data = data.replace(plain.encode(), name)
        # The name stands twice in the zip, and is its content.
    elif codec == "cp437":
        return  # no tar comes from there
    else:
        data = b""
        for name in names:
            info = tarfile.TarInfo("x")
            head = bytearray(info.tobuf(tarfile.GNU_FORMAT))
            head[: len(name.encode(codec))] = name.encode(codec)
            head[148:156] = b" " * 8
            head[148:156] = b"%06o\0 " % sum(head)
            data += bytes(head)
        data += bytes(1024)
    assert [embed.name for embed in document(data, f"a.{kind}").embedded if embed.name != "inner"] == names


def test_the_name_that_a_zip_keeps_as_unicode_besides() -> None:
    plain = b"Preis.md"
    extra = b"\1" + struct.pack("<I", zlib.crc32(plain.replace(b"P", b"\x9c"))) + "Präis ☃.md".encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        info = zipfile.ZipInfo("Preis.md")
        info.extra = struct.pack("<HH", 0x7075, len(extra)) + extra
        packed.writestr(info, b"x")
    data = out.getvalue().replace(plain, plain.replace(b"P", b"\x9c"))
    assert [embed.name for embed in document(data).embedded] == ["Präis ☃.md"]


@pytest.mark.parametrize(("method", "why"), [("ppmd", "packed with PPMd"), ("password", "protected by a password")])
def test_members_of_a_7z_that_cannot_be_unpacked_are_listed_and_named(method: str, why: str) -> None:
    source = Source.of_bytes(SEVEN_ZIPS[method], "a.7z")
    found = ARCHIVE.parse(source, Limits())
    assert [e.name for e in found.embedded] == ["nothing.txt"]
    assert len(of(found, Table)[0].rows) == 4
    assert f"report.md ({why}" in found.notices[0].message
    with pytest.raises((EncryptedError, UnsupportedError), match=why):
        ARCHIVE.open_embedded(source, "3", Limits())


def test_members_of_a_7z_without_names_are_named_for_it() -> None:
    data = bytearray(SEVEN_ZIPS["plainhead"])
    at, size = (int.from_bytes(data[start : start + 8], "little") for start in (12, 20))
    head = data[32 + at : 32 + at + size]
    names = head.rindex(0x11, 0, head.index("report".encode("utf-16-le")))
    head[names] = 0x19  # filling
    data[32 + at : 32 + at + size] = head
    data[28:32] = zlib.crc32(head).to_bytes(4, "little")
    data[8:12] = zlib.crc32(data[12:32]).to_bytes(4, "little")
    found = document(bytes(data), "backup.7z")
    assert {embed.name for embed in found.embedded} == {"backup"}


def test_a_7z_of_which_even_the_names_are_protected_says_so() -> None:
    with pytest.raises(EncryptedError, match=r"a\.7z is protected by a password; unpack it"):
        document(SEVEN_ZIPS["hidden"], "a.7z")


def test_other_packages_are_not_taken() -> None:
    data = zipped({"META-INF/MANIFEST.MF": b"x"})
    for name in ("a.jar", "a.docx", "a.epub", "a"):
        assert ARCHIVE.score(Source.of_bytes(data, name)) == 0
    assert ARCHIVE.score(Source.of_bytes(b"words", "a.zip")) == 10


def test_names_do_not_lead_out_of_the_archive() -> None:
    names = {"../../etc/passwd": b"a", "/etc/shadow": b"b", "C:\\secret.txt": b"c", "x\n[continues: y].txt": b"d"}
    assert [e.name for e in document(zipped(names)).embedded] == [
        "etc/passwd", "etc/shadow", "secret.txt", "x_[continues: y].txt",
    ]  # fmt: skip


def test_links_and_devices_are_named_and_not_opened() -> None:
    link, device = tarfile.TarInfo("link"), tarfile.TarInfo("device")
    link.type, link.linkname, device.type = tarfile.SYMTYPE, "/etc/passwd", tarfile.CHRTYPE
    data = tarred(FILES, (link, device))
    found = document(data, "a.tar")
    assert [e.name for e in found.embedded] == list(FILES)
    [notice] = found.notices
    assert notice.code == "left_out"
    assert "2 of 4 members cannot be opened: link (a link), device (not a regular file)." in notice.message
    with pytest.raises(NotFoundError, match="not a regular file"):
        ARCHIVE.open_embedded(Source.of_bytes(data, "a.tar"), "2", Limits())


def test_bombs_are_left_alone() -> None:
    bomb = zipped({"zeros.txt": bytes(8 * 2**20)})
    source = Source.of_bytes(bomb, "bomb.zip")
    strict = Limits(max_ratio=100)
    with pytest.raises(LimitError, match="left alone"):
        ARCHIVE.open_embedded(source, "1", strict)
    with pytest.raises(LimitError, match="unpacks to 8,388,608 bytes"):
        document(bomb, "bomb.zip", Limits(max_expanded_bytes=2**20))
    tar = gzip.compress(tarred({"zeros.txt": bytes(8 * 2**20)}))
    with pytest.raises(LimitError, match="unpacks to more than"):
        document(tar, "bomb.tgz", strict)
    with pytest.raises(LimitError, match="max_file_bytes"):
        ARCHIVE.open_embedded(Source.of_bytes(gzip.compress(bytes(2**20)), "a.gz"), "0", Limits(max_file_bytes=1000))


def test_an_archive_with_a_password_says_so() -> None:
    data = bytearray(zipped({"a.txt": b"x"}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = data.rindex(mark) + (6 if mark.endswith(b"\x03\x04") else 8)
        data[at] |= 1
    with pytest.raises(EncryptedError, match="password"):
        document(bytes(data))


@pytest.mark.parametrize(("method", "name"), [(98, "PPMd"), (97, "WavPack"), (77, "method 77")])
def test_a_method_that_is_not_read_is_named(method: int, name: str) -> None:
    data = bytearray(zipped({"a.txt": b"x", "b.txt": b"y"}))
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.rindex(mark) + at, method)
    found = document(bytes(data))
    assert [e.name for e in found.embedded] == ["a.txt"]
    [notice] = found.notices
    assert f"1 of 2 members cannot be opened: b.txt (packed with {name}, which is not supported)." in notice.message
    with pytest.raises(UnsupportedError, match=f"b.txt is packed with {name}"):
        ARCHIVE.open_embedded(Source.of_bytes(bytes(data), "a.zip"), "2", Limits())


def test_many_members_are_cut_and_said() -> None:
    data = zipped({f"{n}.txt": b"x" for n in range(20)})
    found = document(data, "a.zip", Limits(max_embedded=5))
    assert len(found.embedded) == 5
    assert "truncated_at" in [notice.code for notice in found.notices]


@pytest.mark.parametrize("name", ALL)
def test_damaged_archives_end_in_a_sentence(name: str) -> None:
    data = ALL[name]()
    for cut in (5, len(data) // 2):
        with contextlib.suppress(FormatError):
            document(data[:cut], name)
    with pytest.raises(DamagedError):
        document(b"no archive at all", name)
    if not name.endswith(".tar"):
        with pytest.raises(DamagedError, match="zero bytes"):
            document(bytes(10_240), name)


@settings(max_examples=200)
@given(st.sampled_from(sorted(ALL)), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8))
@example("a.zip", [(136, 0), (329, 0)])  # no central directory, and a member without a name
def test_any_damage_ends_in_a_document_or_a_sentence(name: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(ALL[name]())
    for at, value in changes:
        data[at % len(data)] = value
    source = Source.of_bytes(bytes(data), name)
    with contextlib.suppress(FormatError):
        found = ARCHIVE.parse(source, Limits())
        for embed in found.embedded:
            with contextlib.suppress(FormatError, NotFoundError):
                ARCHIVE.open_embedded(source, embed.ref, Limits(max_file_bytes=2**20))


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for name, pack in ALL.items():
        source = Source.of_bytes(pack(), name)
        for embed in ARCHIVE.parse(source, Limits()).embedded:
            ARCHIVE.open_embedded(source, embed.ref, Limits())
    assert list(tmp_path.iterdir()) == []


TOPICS = {"/start.htm": b"<p>Welcome, welcome, welcome to the manual", "/in/long.htm": b"<p>capybaras " * 4_000}


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_the_topics_of_a_help_file_are_its_members(kind: int) -> None:
    data = help_file(TOPICS, kind, stored={"/plain.txt": b"as it is"})
    source = Source.of_bytes(data, "manual.chm")
    found = read(ARCHIVE, data, "manual.chm")
    assert ARCHIVE.score(source) == 70
    assert [embed.name for embed in found.embedded] == ["plain.txt", "start.htm", "in/long.htm"]
    said = [ARCHIVE.open_embedded(source, embed.ref, Limits()).data for embed in found.embedded]
    assert said == [b"as it is", *TOPICS.values()]


HELP = help_file({"/a.htm": b"<p>words and words and words and words"}, 2)


@given(st.lists(st.tuples(st.integers(4, len(HELP) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_damaged_help_files_end_in_files_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    spoiled = bytearray(HELP)
    for at, byte in changes:
        spoiled[at] = byte
    source = Source.of_bytes(bytes(spoiled), "a.chm")
    with contextlib.suppress(FormatError, NotFoundError):
        for embed in ARCHIVE.parse(source, Limits()).embedded:
            ARCHIVE.open_embedded(source, embed.ref, Limits())


def test_a_member_without_a_name_costs_no_other() -> None:
    packed = zipped({"a.txt": b"one", "b.txt": b"two"})
    at = packed.rindex(b"PK\1\2")
    nameless = bytearray(packed[:at] + packed[at:].replace(b"b.txt", b""))
    struct.pack_into("<H", nameless, at + 28, 0)
    end = nameless.rindex(b"PK\5\6")
    struct.pack_into("<I", nameless, end + 12, end - struct.unpack_from("<I", nameless, end + 16)[0])
    assert any("a.txt" in one.name for one in document(bytes(nameless)).embedded)
