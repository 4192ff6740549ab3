"""Tells files whose end is missing, of formats that say themselves where it is, and remarks on what is read of them."""

import contextlib
import struct
import zipfile
import zlib
from typing import Final

import msgspec

from sidecar.api import DamagedError, Notice, ParsedDocument, Source
from sidecar.toolkit.ole.compound import OLE_MAGIC

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
_MOST_GZIP: Final = 2**26
"""Unpacked bytes after which it is no longer looked whether a compressed file is whole."""
_BLANK: Final = b"\0\t\n\r\x1a "


def with_cut_notice(parsed: ParsedDocument, source: Source) -> ParsedDocument:
    """The document, with a remark where the end of its file is missing. Raises OSError, and DamagedError where nothing
    is left of it."""
    if not is_cut_short(source):
        return parsed
    if not any(part.blocks for part in parsed.parts):
        raise DamagedError(f"{source.name} is cut short: its end is missing; copy or download it again.")
    return msgspec.structs.replace(parsed, notices=(*parsed.notices, _CUT))


def is_cut_short(source: Source) -> bool:
    """Whether the end of a file is missing that its format makes sure of: of a zip package, a compound file of old
    Office programs, a PDF, a database of SQLite, an Arrow file, XML, and what gzip compressed. Raises OSError."""
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
    return head.startswith(b"\x1f\x8b") and _is_cut_gzip(source)


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
        while out < _MOST_GZIP and not unpacker.eof:
            data = unpacker.unconsumed_tail or file.read(_GZIP_CHUNK)
            if not data:
                return True
            out += len(unpacker.decompress(data, _GZIP_CHUNK))
    return False
