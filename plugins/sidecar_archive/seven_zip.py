"""Reads a 7z archive: its header into files and folders, and the bytes of a file from the folder it is packed in.

After the format's description in the LZMA SDK (`DOC/7zFormat.txt`, public domain). A folder is a stream that one or
more coders made, and holds one file or, in a solid archive, many behind one another."""

import lzma
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Final

from sidecar.api import DamagedError, EncryptedError, LimitError, UnsupportedError
from sidecar.toolkit.ole.properties import file_time
from sidecar.toolkit.unpacking import Cursor
from sidecar_archive.base import check_sum
from sidecar_archive.packing.coders import METHODS, undo

MAGIC: Final = b"7z\xbc\xaf\x27\x1c"
_HEADER_BYTES: Final = 64 * 2**20
"""More than the header of a million files takes."""
_SIGNATURE_BYTES: Final = 32
_HEADERS_IN_HEADERS: Final = 4
"""A header is compressed once; one that unpacks to itself would be so for ever."""

_END, _HEADER, _ARCHIVE_PROPERTIES, _ADDITIONAL_STREAMS, _MAIN_STREAMS, _FILES = 0, 1, 2, 3, 4, 5
_PACK, _UNPACK, _SUBSTREAMS, _SIZE, _CRC, _FOLDER = 6, 7, 8, 9, 10, 11
_UNPACK_SIZES, _STREAMS_A_FOLDER, _EMPTY_STREAM, _EMPTY_FILE, _ANTI, _NAMES = 12, 13, 14, 15, 16, 17
_MODIFIED, _ENCODED_HEADER = 20, 23
"""Property ids of the format."""

_AES: Final = b"\x06\xf1\x07\x01"
_OTHERS = {b"\x03\x04\x01": "PPMd", b"\x03\x03\x01\x1b": "BCJ2", b"\x04\x01\x09": "Deflate64"}


@dataclass(frozen=True)
class Folder:
    """A packed stream: where it lies in the file, its coders in the order they are undone with their properties and
    the bytes each gives, and why it cannot be unpacked ("" it can)."""

    start: int
    packed: int
    coders: tuple[tuple[bytes, bytes, int], ...]
    crc: int | None = None
    closed: str = ""

    @property
    def size(self) -> int:
        """Bytes it unpacks to."""
        return self.coders[-1][2] if self.coders else 0


@dataclass(frozen=True)
class SevenZipEntry:
    """A file or directory: `folder` is -1 where it has no bytes; `start` counts in the unpacked folder; `modified` is
    in seconds since 1970, None unknown."""

    name: str
    is_directory: bool = False
    folder: int = -1
    start: int = 0
    size: int = 0
    crc: int | None = None
    modified: float | None = None


@dataclass
class SevenZip:
    """What the header of an archive tells."""

    folders: list[Folder] = field(default_factory=list[Folder])
    entries: list[SevenZipEntry] = field(default_factory=list[SevenZipEntry])

    @classmethod
    def read(cls, file: IO[bytes], name: str) -> "SevenZip":
        """Raises DamagedError; EncryptedError where even the members' names are; LimitError, UnsupportedError."""
        try:
            return _read(file, name)
        except (EOFError, IndexError, ValueError, OverflowError, lzma.LZMAError, zlib.error, OSError) as error:
            raise DamagedError(f"{name} is damaged: its list of files cannot be read.") from error


def unpack(file: IO[bytes], folder: Folder, name: str) -> bytes:
    """The bytes of a folder, of which the caller has checked the size; `name` is for messages. Raises EncryptedError,
    UnsupportedError, DamagedError, and what the decompressors raise."""
    if folder.closed:
        kind = EncryptedError if folder.closed == _PROTECTED else UnsupportedError
        raise kind(f"{name} is {folder.closed}.")
    file.seek(folder.start)
    data = file.read(folder.packed)
    for method, properties, size in folder.coders:
        data = undo(method, properties, data, size)
        if len(data) != size:
            raise DamagedError(f"{name} is damaged: {len(data):,} of {size:,} bytes can be unpacked.")
    check_sum(name, data, folder.crc)
    return data


_PROTECTED: Final = "protected by a password"


class _Cursor(Cursor):
    """Reads the numbers of a header one after another."""

    def byte(self) -> int:
        return self.read(1)[0]

    def number(self) -> int:
        """A number of one to nine bytes: the ones that lead in the first byte count those that follow, low first."""
        first = self.byte()
        following = next((count for count in range(8) if not first & 0x80 >> count), 8)
        low = int.from_bytes(self.read(following), "little")
        high = first & (0x7F >> following) if following < 8 else 0
        return low | high << 8 * following

    def count(self) -> int:
        """A number of things that take a byte each at the least: more is damage, and no memory is reserved for it."""
        number = self.number()
        if number > self.left:
            raise EOFError
        return number

    def bits(self, count: int) -> list[bool]:
        data = self.read((count + 7) // 8)
        return [bool(data[n >> 3] & 0x80 >> (n & 7)) for n in range(count)]

    def bits_unless_all(self, count: int) -> list[bool]:
        return [True] * count if self.byte() else self.bits(count)

    def checksums(self, count: int) -> list[int | None]:
        return [int.from_bytes(self.read(4), "little") if known else None for known in self.bits_unless_all(count)]


def _read(file: IO[bytes], name: str) -> SevenZip:
    file.seek(0)
    head = file.read(_SIGNATURE_BYTES)
    if len(head) < _SIGNATURE_BYTES or not head.startswith(MAGIC):
        raise EOFError
    at, size, crc = (int.from_bytes(head[a:b], "little") for a, b in ((12, 20), (20, 28), (28, 32)))
    if size == 0:
        return SevenZip()
    header = _header_bytes(file, _SIGNATURE_BYTES + at, size, crc)
    cursor = _Cursor(header)
    kind = cursor.byte()
    for _ in range(_HEADERS_IN_HEADERS if kind == _ENCODED_HEADER else 0):
        folder = _streams(cursor)[0][0]
        if folder.closed == _PROTECTED:
            raise EncryptedError(f"{name} is protected by a password; unpack it to index what is in it.")
        if folder.size > _HEADER_BYTES:
            raise LimitError(f"{name} has a list of files of {folder.size:,} bytes; unpack it to index what is in it.")
        cursor = _Cursor(unpack(file, folder, name))
        kind = cursor.byte()
        if kind != _ENCODED_HEADER:
            break
    if kind != _HEADER:
        raise EOFError
    return _header(cursor)


def _header_bytes(file: IO[bytes], start: int, size: int, crc: int) -> bytes:
    file.seek(start)
    header = file.read(min(size, _HEADER_BYTES))
    if len(header) < size or zlib.crc32(header) != crc:
        raise EOFError
    return header


def _header(cursor: _Cursor) -> SevenZip:
    found = SevenZip()
    streams: list[tuple[int, int, int, int | None]] = []
    while (kind := cursor.byte()) != _END:
        if kind == _ARCHIVE_PROPERTIES:
            while cursor.byte() != _END:
                cursor.read(cursor.number())
        elif kind == _ADDITIONAL_STREAMS:
            _streams(cursor)
        elif kind == _MAIN_STREAMS:
            found.folders, streams = _streams(cursor)
        elif kind == _FILES:
            found.entries = _files(cursor, streams)
        else:
            raise EOFError
    return found


def _streams(cursor: _Cursor) -> tuple[list[Folder], list[tuple[int, int, int, int | None]]]:
    """The folders, and each file's stream: (folder, start in it, size, checksum)."""
    packs: list[tuple[int, int]] = []
    folders: list[Folder] = []
    streams: list[tuple[int, int, int, int | None]] | None = None
    while (kind := cursor.byte()) != _END:
        if kind == _PACK:
            packs = _packs(cursor)
        elif kind == _UNPACK:
            folders = _folders(cursor, packs)
        elif kind == _SUBSTREAMS:
            streams = _substreams(cursor, folders)
        else:
            raise EOFError
    if streams is None:
        streams = [(number, 0, folder.size, folder.crc) for number, folder in enumerate(folders)]
    return folders, streams


def _packs(cursor: _Cursor) -> list[tuple[int, int]]:
    """Start in the file and size of each packed stream."""
    start = _SIGNATURE_BYTES + cursor.number()
    count = cursor.count()
    sizes: list[int] = []
    while (kind := cursor.byte()) != _END:
        if kind == _SIZE:
            sizes = [cursor.number() for _ in range(count)]
        elif kind == _CRC:
            cursor.checksums(count)
        else:
            raise EOFError
    packs: list[tuple[int, int]] = []
    for size in sizes:
        packs.append((start, size))
        start += size
    return packs


@dataclass(frozen=True)
class _Coders:
    """A folder as the header writes it: its coders, the pairs (input, output) that are bound, its packed inputs."""

    coders: list[tuple[bytes, bytes]]
    bound: dict[int, int]
    inputs: list[int]
    simple: bool


def _folders(cursor: _Cursor, packs: Sequence[tuple[int, int]]) -> list[Folder]:
    if cursor.byte() != _FOLDER:
        raise EOFError
    count = cursor.count()
    if cursor.byte():  # kept in an additional stream: no program writes that
        raise EOFError
    made = [_coders(cursor) for _ in range(count)]
    sizes: list[list[int]] = []
    checksums: list[int | None] = [None] * count
    while (kind := cursor.byte()) != _END:
        if kind == _UNPACK_SIZES:
            sizes = [[cursor.number() for _ in one.coders] for one in made]
        elif kind == _CRC:
            checksums = cursor.checksums(count)
        else:
            raise EOFError
    folders: list[Folder] = []
    pack = 0
    for one, outs, crc in zip(made, sizes, checksums, strict=True):
        start, packed = packs[pack][0], packs[pack][1]
        folders.append(_folder(one, outs, start, packed, crc))
        pack += len(one.inputs)
    return folders


def _coders(cursor: _Cursor) -> _Coders:
    coders: list[tuple[bytes, bytes]] = []
    ins = outs = 0
    for _ in range(cursor.count()):
        flags = cursor.byte()
        method = cursor.read(flags & 0xF)
        many_in, many_out = (cursor.count(), cursor.count()) if flags & 0x10 else (1, 1)
        properties = cursor.read(cursor.count()) if flags & 0x20 else b""
        coders.append((method, properties))
        ins, outs = ins + many_in, outs + many_out
    bound = {cursor.number(): cursor.number() for _ in range(outs - 1)}
    packed = ins - len(bound)
    inputs = [cursor.number() for _ in range(packed)] if packed > 1 else [n for n in range(ins) if n not in bound][:1]
    return _Coders(coders, bound, inputs, simple=ins == outs == len(coders))


def _folder(made: _Coders, outs: Sequence[int], start: int, packed: int, crc: int | None) -> Folder:
    methods = [method for method, _ in made.coders]
    if _AES in methods:
        return Folder(start, packed, ((b"", b"", max(outs, default=0)),), crc, _PROTECTED)
    other = next((name for method, name in _OTHERS.items() if method in methods), "")
    if not other and not (made.simple and made.coders and METHODS.issuperset(methods)):
        other = " ".join(method.hex() for method in methods) or "nothing"
    if other:
        return Folder(
            start, packed, ((b"", b"", max(outs, default=0)),), crc, f"packed with {other}, which is not supported"
        )
    chain: list[int] = []
    coder = next((n for n in range(len(made.coders)) if n not in made.bound.values()), 0)  # the one whose output shows
    while coder not in chain:
        chain.insert(0, coder)
        coder = made.bound.get(coder, coder)
    return Folder(start, packed, tuple((*made.coders[n], outs[n]) for n in chain), crc)


def _substreams(cursor: _Cursor, folders: Sequence[Folder]) -> list[tuple[int, int, int, int | None]]:
    counts = [1] * len(folders)
    kind = cursor.byte()
    if kind == _STREAMS_A_FOLDER:
        counts = [cursor.count() for _ in folders]
        kind = cursor.byte()
    sizes: list[list[int]] = []
    for folder, count in zip(folders, counts, strict=True):
        firsts = [cursor.number() for _ in range(count - 1)] if kind == _SIZE else []
        if sum(firsts) > folder.size:
            raise EOFError
        sizes.append([*firsts, folder.size - sum(firsts)] if count else [])
    if kind == _SIZE:
        kind = cursor.byte()
    # A checksum stands here only for what the folder's own does not cover.
    known = [folder.crc if count == 1 else None for folder, count in zip(folders, counts, strict=True)]
    missing = sum(count for count, crc in zip(counts, known, strict=True) if crc is None)
    checksums: list[int | None] = [None] * missing
    while kind != _END:
        if kind != _CRC:
            raise EOFError
        checksums = cursor.checksums(missing)
        kind = cursor.byte()
    given = iter(checksums)
    streams: list[tuple[int, int, int, int | None]] = []
    for number, (crc, parts) in enumerate(zip(known, sizes, strict=True)):
        start = 0
        for size in parts:
            streams.append((number, start, size, crc if crc is not None else next(given)))
            start += size
    return streams


def _files(cursor: _Cursor, streams: Sequence[tuple[int, int, int, int | None]]) -> list[SevenZipEntry]:
    count = cursor.count()
    names: list[str] = []
    empty, plain = [False] * count, [False] * count
    modified: list[float | None] = [None] * count
    while (kind := cursor.byte()) != _END:
        value = _Cursor(cursor.read(cursor.number()))
        if kind == _NAMES and not value.byte():
            names = value.read(value.left).decode("utf-16-le", "replace").split("\0")[:count]
        elif kind == _EMPTY_STREAM:
            empty = value.bits(count)
        elif kind in (_EMPTY_FILE, _ANTI):
            marked = iter(value.bits(sum(empty)))
            plain = [no_stream and (next(marked) or was) for no_stream, was in zip(empty, plain, strict=True)]
        elif kind == _MODIFIED:
            modified = _times(value, count)
    names = names or [""] * count  # they may be left out: 7-Zip names such a file for its archive
    if len(names) < count or len(streams) < count - sum(empty):
        raise EOFError
    given = iter(streams)
    entries: list[SevenZipEntry] = []
    for name, no_stream, is_file, when in zip(names, empty, plain, modified, strict=True):
        place = (-1, 0, 0, None) if no_stream else next(given)
        entries.append(SevenZipEntry(name, no_stream and not is_file, *place, modified=when))
    return entries


def _times(value: _Cursor, count: int) -> list[float | None]:
    known = value.bits_unless_all(count)
    if value.byte():
        return [None] * count
    moments = [file_time(value.read(8)) if given else None for given in known]
    return [moment.timestamp() if moment else None for moment in moments]
