"""RAR archives and Zstandard: members of both generations of RAR, solid, locked, damaged, in parts."""

from __future__ import annotations

import io
import struct
import sys
import tarfile
import zipfile
import zlib

import pytest
from contract.conformance import check_embedded, outcome
from sidecar_archive import ArchiveFormat
from support.formats.plugin_reading import of, read
from support.formats.rar_files import rar_4, rar_5

from sidecar.api import DamagedError, EncryptedError, LimitError, Limits, Source, Table, UnsupportedError

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    from backports.zstd import compress

ARCHIVE = ArchiveFormat()
FILES = {
    "report.md": b"# Report\n\nThe capybara rests. " * 30,
    "inner/table.csv": b"a,b\n1,2\nThe capybara rests.\n" * 9,
}
RARS = {
    "stored 5": rar_5(FILES, method=0), "packed 5": rar_5(FILES), "solid 5": rar_5(FILES, solid=True),
    "stored 4": rar_4(FILES, method=0), "packed 4": rar_4(FILES), "solid 4": rar_4(FILES, solid=True),
    "packed 4, codes left": rar_4(FILES, keeps=True),
}  # fmt: skip


@pytest.mark.parametrize("kind", RARS)
def test_members_of_a_rar_are_listed_and_opened(kind: str) -> None:
    source = Source.of_bytes(RARS[kind], "a.rar")
    assert ARCHIVE.score(source) == 70
    found = read(ARCHIVE, RARS[kind], "a.rar")
    assert found.notices == ()
    [table] = of(found, Table)
    assert [row[0] for row in table.rows[1:]] == list(FILES)
    assert table.rows[1][2].startswith("2024-12-24T09:30:00")
    check_embedded(ARCHIVE, source, found)
    assert [ARCHIVE.open_embedded(source, embed.ref, Limits()).data for embed in found.embedded] == [*FILES.values()]
    assert ARCHIVE.open_embedded(source, found.embedded[1].ref, Limits()).data == FILES["inner/table.csv"]


@pytest.mark.parametrize(
    "times",
    [
        struct.pack("<BI", 0b11, 1_735_032_600),
        struct.pack("<BQ", 0b10, (1_735_032_600 + 11_644_473_600) * 10**7),  # since 1601, as Windows counts
    ],
    ids=["seconds", "tenths of microseconds"],
)
def test_finer_times_of_a_rar_are_told(times: bytes) -> None:
    [table] = of(read(ARCHIVE, rar_5(FILES, times=times), "a.rar"), Table)
    assert [row[2][:19] for row in table.rows[1:]] == ["2024-12-24T09:30:00"] * 2


def test_differences_of_channels_are_summed_up() -> None:
    from sidecar_archive.packing.rar_codes import State, unpack_5
    from support.formats.rar_files import packed_5

    raw = bytes([256 - 1, 0, 0, 256 - 5, 256 - 1, 0])
    assert unpack_5(packed_5(raw, delta=2), len(raw), State.new()) == bytes([1, 5, 1, 6, 1, 6])


def test_what_is_locked_in_a_rar_is_said() -> None:
    for locked in (rar_5(FILES, locked=True), rar_4(FILES, locked=2), rar_4(FILES, locked=1)):
        with pytest.raises(EncryptedError, match="protected by a password"):
            ARCHIVE.parse(Source.of_bytes(locked, "a.rar"), Limits())


def test_what_older_rars_packed_is_listed_and_said() -> None:
    found = read(ARCHIVE, rar_4(FILES, version=20), "a.rar")
    assert found.embedded == ()
    [notice] = found.notices
    assert "packed as RAR 2.0 did" in notice.message


def test_a_damaged_rar_gives_what_stands_before_the_damage() -> None:
    whole = RARS["stored 5"]
    at = whole.index(b"inner/table.csv")
    cut = whole[: at - 30] + bytes(60)
    found = read(ARCHIVE, cut, "a.rar")
    assert [embed.name for embed in found.embedded] == ["report.md"]
    assert [notice.code for notice in found.notices] == ["damaged_part"]
    with pytest.raises(DamagedError, match="no directory"):
        ARCHIVE.parse(Source.of_bytes(whole[:8] + bytes(40), "a.rar"), Limits())
    changed = whole.replace(b"The capybara rests", b"The capybara walks", 1)
    with pytest.raises(DamagedError, match="checksum"):
        ARCHIVE.open_embedded(Source.of_bytes(changed, "a.rar"), "0", Limits())


@pytest.mark.parametrize("kind", ["packed 5", "solid 4"])
def test_spoiled_rars_are_read_or_refused(kind: str) -> None:
    data = RARS[kind]
    for at in range(0, len(data), 41):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            source = Source.of_bytes(spoiled, "a.rar")
            found = outcome(ARCHIVE, source, Limits())
            if not isinstance(found, Exception):
                check_embedded(ARCHIVE, source, found, sound=False)


def test_a_rar_that_unpacks_to_too_much_is_left_alone() -> None:
    bomb = rar_4({"big.bin": b"x" * 100}, method=3).replace(struct.pack("<I", 100), struct.pack("<I", 2**31), 1)
    with pytest.raises(LimitError, match="unpacks to"):
        ARCHIVE.open_embedded(Source.of_bytes(bomb, "a.rar"), "0", Limits())


def test_zstandard_alone_around_a_tar_and_in_a_zip() -> None:
    alone = compress(b"Words")
    assert [(e.name, e.media_type) for e in read(ARCHIVE, alone, "notes.txt.zst").embedded] == [
        ("notes.txt", "text/plain")
    ]
    assert ARCHIVE.open_embedded(Source.of_bytes(alone, "notes.txt.zst"), "0", Limits()).data == b"Words"
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        info = tarfile.TarInfo("note.txt")
        info.size = 5
        packed.addfile(info, io.BytesIO(b"Words"))
    source = Source.of_bytes(compress(out.getvalue()), "a.tar.zst")
    assert [e.name for e in ARCHIVE.parse(source, Limits()).embedded] == ["note.txt"]
    assert ARCHIVE.open_embedded(source, "0", Limits()).data == b"Words"
    for spoiled in (source.head[:-9], source.head[:20] + b"zz" + source.head[22:]):
        assert outcome(ARCHIVE, Source.of_bytes(spoiled, "a.tar.zst"), Limits())


def test_a_member_of_a_zip_that_is_packed_with_zstandard_is_opened() -> None:
    packed, out = compress(b"Words"), io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("note.txt", packed)
    data = out.getvalue()
    for sign, method, crc, size in ((b"PK\3\4", 8, 14, 22), (b"PK\1\2", 10, 16, 24)):
        at = data.index(sign)
        data = data[: at + method] + b"\x5d\0" + data[at + method + 2 :]
        data = data[: at + crc] + struct.pack("<I", zlib.crc32(b"Words")) + data[at + crc + 4 :]
        data = data[: at + size] + struct.pack("<I", 5) + data[at + size + 4 :]
    assert ARCHIVE.open_embedded(Source.of_bytes(data, "a.zip"), "0", Limits()).data == b"Words"


def test_a_rar_of_an_unknown_generation_is_said() -> None:
    with pytest.raises(UnsupportedError, match="unknown version of RAR"):
        ARCHIVE.parse(Source.of_bytes(b"Rar!\x1a\x07\x05\x00" + bytes(50), "a.rar"), Limits())
