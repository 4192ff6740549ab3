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
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.conformance import check_embedded
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_archive import ArchiveFormat
from support.plugin_reading import of, read
from support.seven_zip_samples import SEVEN_ZIPS

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
        with pytest.raises(NotFoundError, match="inner is no plain file"):
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


@pytest.mark.parametrize(("method", "why"), [("ppmd", "packed with PPMd"), ("password", "protected by a password")])
def test_members_of_a_7z_that_cannot_be_unpacked_are_listed_and_named(method: str, why: str) -> None:
    source = Source.of_bytes(SEVEN_ZIPS[method], "a.7z")
    found = ARCHIVE.parse(source, Limits())
    assert [e.name for e in found.embedded] == ["nothing.txt"]
    assert len(of(found, Table)[0].rows) == 4
    assert f"report.md ({why}" in found.notices[0].message
    with pytest.raises((EncryptedError, UnsupportedError), match=why):
        ARCHIVE.open_embedded(source, "3", Limits())


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
    assert "2 of 4 members cannot be opened: link (a link), device (no plain file)." in notice.message
    with pytest.raises(NotFoundError, match="no plain file"):
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


@pytest.mark.parametrize(("method", "name"), [(9, "Deflate64"), (93, "Zstandard"), (77, "method 77")])
def test_a_method_that_is_not_read_is_named(method: int, name: str) -> None:
    data = bytearray(zipped({"a.txt": b"x", "b.txt": b"y"}))
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.rindex(mark) + at, method)
    found = document(bytes(data))
    assert [e.name for e in found.embedded] == ["a.txt"]
    [notice] = found.notices
    assert f"1 of 2 members cannot be opened: b.txt (packed with {name}, which is not read)." in notice.message
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


@settings(max_examples=200)
@given(st.sampled_from(sorted(ALL)), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=8))
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
