"""Tells files whose end is missing, of formats that say themselves where it is, and remarks on what is read of them."""

import bz2
import contextlib
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec

from sidecar.api import DamagedError, Notice, ParsedDocument, Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.text import few

_CUT: Final = Notice(
    "truncated_at", "The file is cut short: its end is missing. What is there is read; copy or download it again."
)
_COMPOUND_HEAD: Final = 512
_FAT_SECTORS: Final = 109
"""Numbers of sectors of the allocation table that stand in the header of a compound file (MS-CFB 2.2)."""
_MARKS_FROM: Final = 0xFFFFFFFA
_TAIL: Final = 4096
"""Bytes at the end of a file among which its mark stands; some programs write more behind it (ISO 32000-1, annex H)."""
_GZIP_CHUNK: Final = 2**18
_MAX_GZIP: Final = 2**26
"""Unpacked bytes after which it is no longer looked whether a compressed file is whole."""
_MAX_MEMBERS: Final = 100_000
"""Of a tar archive, and blocks of a frame of Zstandard, that are looked at."""
_TAR_MARK_AT, _TAR_SIZE_AT, _TAR_BLOCK = 257, 124, 512
_PALM_COUNT_AT, _PALM_ENTRY = 76, 8
_BOUNDARY: Final = re.compile(rb"""boundary[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))""", re.IGNORECASE)
_MAX_MAIL: Final = 2**26
"""Bytes of a mail in which its last boundary is looked for."""
_BLANK: Final = b"\0\t\n\r\x1a "


def with_cut_notice(parsed: ParsedDocument, source: Source, cut: Sequence[str]) -> ParsedDocument:
    """The document, with a remark where the end of its file is missing, or that of parts of it that `cut` names (see
    `cut_parts`). Raises OSError, and DamagedError where nothing is left of it."""
    if not is_cut_short(source):
        if not cut:
            return parsed
        names = few([*dict.fromkeys(name.rpartition(": ")[2] for name in cut)])  # of what was made of the file as well
        said = Notice("truncated_at", f"The end of {names} is missing in the file; what is there is read.")
        return msgspec.structs.replace(parsed, notices=(*parsed.notices, said))
    if not any(part.blocks for part in parsed.parts):
        raise DamagedError(f"{source.name} is cut short: its end is missing; copy or download it again.")
    return msgspec.structs.replace(parsed, notices=(*parsed.notices, _CUT))


def is_cut_short(source: Source) -> bool:
    """Whether the end of a file is missing that its format makes sure of: of a zip package, a compound file of old
    Office programs, a PDF, a database of SQLite or Access, an Arrow file, XML, a tar archive, compiled help, a book of
    Kindle, a mail of several parts, and what gzip, bzip2, xz or Zstandard compressed. Raises OSError."""
    head = source.head
    if head.startswith(b"PK\3\4"):
        with source.open() as file:
            return not zipfile.is_zipfile(file)
    if head.startswith(OLE_MAGIC):
        return len(head) > _COMPOUND_HEAD and _is_cut_compound(source)
    if head.startswith(b"%PDF-"):
        tail = _tail(source).strip(b"\0")  # servers pad files with zeros
        return bool(tail) and b"%%EOF" not in tail and b"startxref" not in tail
    if head.startswith(b"SQLite format 3\0") and len(head) > _COMPOUND_HEAD:
        return _is_cut_database(source)
    if head.startswith(b"ARROW1\0\0"):
        return not _tail(source).endswith(b"ARROW1")
    if head.startswith((b"<?xml", b"<svg", b"\xef\xbb\xbf<?xml")):
        return not _tail(source).rstrip(_BLANK).endswith(b">")
    if head.startswith((b"\0\1\0\0Standard Jet DB", b"\0\1\0\0Standard ACE DB")):
        return len(head) > 20 and source.size % (4096 if head[20] else 2048) > 0  # a file is pages of one size
    if head.startswith(b"\xfd7zXZ\0"):
        return not _tail(source).rstrip(b"\0").endswith(b"YZ")
    if source.suffix == ".eml":
        return _is_cut_mail(source)
    test = next((test for at, mark, test in _TESTS if head.startswith(mark, at)), None)
    return test is not None and test(source)


def _tail(source: Source) -> bytes:
    with source.open() as file:
        file.seek(max(source.size - _TAIL, 0))
        return file.read(_TAIL)


def _is_cut_compound(source: Source) -> bool:
    """Whether the directory, the last part of the allocation table or a sector that one names begins behind the end.
    In a file with more of them than the header names, the last that it does name is asked."""
    head = source.head
    (shift,) = struct.unpack_from("<H", head, 30)
    if not 7 <= shift <= 20:
        return False
    tables, directory = struct.unpack_from("<2I", head, 44)
    tables = min(tables, _FAT_SECTORS)

    def is_behind(sector: int) -> bool:
        return (sector + 1) << shift >= source.size  # sectors are counted from behind the header, which fills one

    if is_behind(directory) or not tables:
        return is_behind(directory)
    (last,) = struct.unpack_from("<I", head, 76 + 4 * (tables - 1))
    if last >= _MARKS_FROM:
        return False
    if is_behind(last):
        return True
    with source.open() as file:
        file.seek((last + 1) << shift)
        table = file.read(1 << shift)
    entries = struct.unpack(f"<{len(table) // 4}I", table[: len(table) // 4 * 4])
    # Only a sector that the one before goes on to must be there: some writers mark what they never wrote as an end of a
    # chain, and a number spoiled by itself says nothing about the end.
    first = (tables - 1) * ((1 << shift) // 4)
    return any(entry == at and is_behind(at) for at, entry in enumerate(entries, first + 1))


def _is_cut_database(source: Source) -> bool:
    """Whether pages are missing; the header says how many there are where the version that wrote that is the one that
    changed the file last (https://sqlite.org/fileformat2.html, 1.3.7)."""
    (page,) = struct.unpack_from(">H", source.head, 16)
    changed, pages = struct.unpack_from(">2I", source.head, 24)
    (valid_for,) = struct.unpack_from(">I", source.head, 92)
    return changed == valid_for and pages * (65536 if page == 1 else page) > source.size


def _is_cut_gzip(source: Source) -> bool:
    """Whether the first stream of a compressed file has no end (RFC 1952)."""
    unpacker, out = zlib.decompressobj(31), 0
    with source.open() as file, contextlib.suppress(zlib.error):
        while out < _MAX_GZIP and not unpacker.eof:
            data = unpacker.unconsumed_tail or file.read(_GZIP_CHUNK)
            if not data:
                return True
            out += len(unpacker.decompress(data, _GZIP_CHUNK))
    return False


def _is_cut_bzip2(source: Source) -> bool:
    """Whether the first stream of a compressed file has no end."""
    unpacker, out = bz2.BZ2Decompressor(), 0
    with source.open() as file, contextlib.suppress(OSError, EOFError):
        while out < _MAX_GZIP and not unpacker.eof:
            data = file.read(_GZIP_CHUNK) if unpacker.needs_input else b""
            if not data and unpacker.needs_input:
                return True
            out += len(unpacker.decompress(data, _GZIP_CHUNK))
    return False


def _is_cut_zstandard(source: Source) -> bool:
    """Whether the first frame has no last block; blocks say how long they are (RFC 8878, 3.1.1)."""
    with source.open() as file:
        if len(head := file.read(5)) < 5:
            return True
        flags = head[4]
        sizes = (0, 1, 2, 4)[flags & 3], ((1 if flags & 0x20 else 0), 2, 4, 8)[flags >> 6]
        at = 5 + (0 if flags & 0x20 else 1) + sum(sizes)
        for _ in range(_MAX_MEMBERS):
            file.seek(at)
            if len(block := file.read(3)) < 3:
                return True
            about = int.from_bytes(block, "little")
            at += 3 + (1 if about >> 1 & 3 == 1 else about >> 3)
            if about & 1:
                return at > source.size
    return False


def _is_cut_tar(source: Source) -> bool:
    """Whether a member is longer than what is there of the archive (POSIX.1-2017, pax, "ustar Interchange Format")."""
    at = 0
    with source.open() as file:
        for _ in range(_MAX_MEMBERS):
            file.seek(at)
            head = file.read(_TAR_BLOCK)
            size = head[_TAR_SIZE_AT : _TAR_SIZE_AT + 12].strip(b"\0 ")
            if head[_TAR_MARK_AT : _TAR_MARK_AT + 5] != b"ustar" or not size.isdigit() or size.strip(b"01234567"):
                return 0 < len(head) < _TAR_BLOCK and at > 0
            at += _TAR_BLOCK
            if at + int(size, 8) > source.size:
                return True
            at += -(-int(size, 8) // _TAR_BLOCK) * _TAR_BLOCK
    return False


def _is_cut_help(source: Source) -> bool:
    """Whether compiled help is shorter than its first section says (ITSF)."""
    at = int.from_bytes(source.head[0x38:0x40], "little")
    with source.open() as file:
        file.seek(min(at, source.size))
        head = file.read(16)
    return len(head) < 16 or int.from_bytes(head[8:], "little") > source.size


def _is_cut_book(source: Source) -> bool:
    """Whether the last record of a Palm database begins behind the end."""
    with source.open() as file:
        file.seek(_PALM_COUNT_AT)
        count = int.from_bytes(file.read(2), "big")
        file.seek(_PALM_COUNT_AT + 2 + _PALM_ENTRY * max(count - 1, 0))
        entry = file.read(_PALM_ENTRY)
    return count > 0 and (len(entry) < _PALM_ENTRY or int.from_bytes(entry[:4], "big") >= source.size)


def _is_cut_mail(source: Source) -> bool:
    """Whether a mail of several parts has no last boundary (RFC 2046, 5.1.1)."""
    with source.open() as file:
        data = file.read(_MAX_MAIL + 1)
    heads = re.split(rb"\r?\n\r?\n", data[:_GZIP_CHUNK], maxsplit=1)[0]
    name = _BOUNDARY.search(heads) if b"multipart/" in heads.lower() else None
    if name is None or len(data) > _MAX_MAIL:
        return False
    boundary = b"--" + (name[1] or name[2]).rstrip()
    return boundary in data and boundary + b"--" not in data


_TESTS: Final = (
    (0, b"\x1f\x8b", _is_cut_gzip), (0, b"BZh", _is_cut_bzip2), (0, b"\x28\xb5\x2f\xfd", _is_cut_zstandard),
    (0, b"ITSF", _is_cut_help), (60, b"BOOKMOBI", _is_cut_book), (_TAR_MARK_AT, b"ustar", _is_cut_tar),
)  # fmt: skip
"""By the mark a file has at a place."""
