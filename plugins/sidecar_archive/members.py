"""The members of an archive and their bytes, by the standard library's readers and ours for 7z, RAR and help files,
within bounds.

Names never leave the archive: they are names only, nothing is ever unpacked to a disk. Links, devices and what is
protected by a password are listed and not opened."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import PurePosixPath
from typing import IO

from sidecar.api import DamagedError, EncryptedError, LimitError, Limits, NotFoundError, Source, UnsupportedError
from sidecar.toolkit.unpacking import UNPACKING_FAULTS, ZstdDecompressor, ZstdFile, unpack_streams
from sidecar.toolkit.zip_recovery import recovered
from sidecar_archive.base import MIN_RATED, Archive, Member, Unpacked, check_ratio, check_sum, number_of, stamp
from sidecar_archive.help_file import MAGIC as HELP_FILE
from sidecar_archive.names import inside, tar_names, zip_names
from sidecar_archive.packing.deflate64 import inflate64
from sidecar_archive.rar import MAGIC as RAR
from sidecar_archive.seven_zip import MAGIC as SEVEN_ZIP
from sidecar_archive.solid import HelpArchive, RarArchive, SevenZipArchive
from sidecar_archive.web import MAGIC as WARC
from sidecar_archive.web import WarcArchive

_STREAMS = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\0", ".lzma": b"\x5d\0\0", ".zst": b"\x28\xb5\x2f\xfd"}
_READ_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})
_DEFLATE64, _ZSTD, _XZ = 9, 93, 95
_MAX_DEFLATE64 = 32 * 2**20
"""Unpacking it takes a second for about 1.5 million bytes (measured on one core of a slow machine)."""
_LOCAL_HEAD = 30
"""Bytes of the header before a member, without its name and extra field, whose lengths end it (APPNOTE.TXT 4.3.7)."""
_OWN_METHODS = frozenset({_DEFLATE64, _ZSTD, _XZ})
_METHODS = {1: "Shrink", 6: "Implode", 96: "JPEG", 97: "WavPack", 98: "PPMd"}
"""APPNOTE.TXT 4.4.5."""
_CHUNK = 2**20
_TAR_BLOCK = 512
_TAR_SUFFIXES = frozenset({".tar", ".cbt"})
_FAULTS = (
    *UNPACKING_FAULTS, zipfile.BadZipFile, tarfile.TarError, NotImplementedError, ValueError, OverflowError,
    RuntimeError, struct.error,
)  # fmt: skip
"""What the readers raise for damaged archives; RuntimeError also where a password is asked for."""


def _is_directory(info: zipfile.ZipInfo) -> bool:
    """`ZipInfo.is_dir` of Python 3.11 raises where a damaged entry has no name."""
    return info.filename.endswith("/")


class _Zip(Archive):
    def __init__(self, file: zipfile.ZipFile, data: IO[bytes]) -> None:
        self._file, self._bytes = file, data
        self._infos = file.infolist()
        self._names = [inside(name) for name in zip_names(self._infos)]
        members = [
            Member(str(number), self._names[number], info.file_size, _zip_time(info), _closed(info))
            for number, info in enumerate(self._infos)
            if not _is_directory(info)
        ]
        super().__init__("zip", members)

    def read(self, ref: str, limits: Limits) -> bytes:
        info, name = self._infos[number_of(ref, len(self._infos))], self._names[int(ref)]
        if _is_directory(info):
            raise NotFoundError(f"{name} is not a regular file.")
        if info.flag_bits & 1:
            raise EncryptedError(f"{name} is protected by a password.")
        if closed := _closed(info):
            raise UnsupportedError(f"{name} is {closed}.")
        check_ratio(name, info.file_size, info.compress_size, limits)
        if info.compress_type in _OWN_METHODS:
            return self._unpacked(info, name, limits)
        with self._file.open(info) as member:
            return _read(member, name, limits)

    def _unpacked(self, info: zipfile.ZipInfo, name: str, limits: Limits) -> bytes:
        """A member packed by a method that the standard library's reader of zip does not know."""
        most = min(limits.max_file_bytes, _MAX_DEFLATE64) if info.compress_type == _DEFLATE64 else limits.max_file_bytes
        if info.file_size > most:
            raise LimitError(f"{name} is of {info.file_size:,} bytes; more than {most:,} are not unpacked.")
        method = info.compress_type
        self._bytes.seek(info.header_offset)
        head = self._bytes.read(_LOCAL_HEAD)
        self._bytes.seek(sum(struct.unpack("<HH", head[-4:])), io.SEEK_CUR)  # the name and the extra field
        packed = self._bytes.read(info.compress_size)
        if method == _DEFLATE64:
            data = inflate64(packed, info.file_size)
        else:
            data = unpack_streams(
                ZstdDecompressor if method == _ZSTD else lzma.LZMADecompressor, packed, info.file_size
            )
        check_sum(name, data, info.CRC)
        return data


def _closed(info: zipfile.ZipInfo) -> str:
    """Why a member cannot be opened; "" it can."""
    if info.flag_bits & 1:
        return "protected by a password"
    if info.compress_type in _READ_METHODS | _OWN_METHODS:
        return ""
    return f"packed with {_METHODS.get(info.compress_type, f'method {info.compress_type}')}, which is not supported"


class _Tar(Archive):
    def __init__(self, file: tarfile.TarFile, limits: Limits) -> None:
        self._file = file
        self._infos: list[tarfile.TarInfo] = []
        try:
            for info in file:
                self._infos.append(info)
                if len(self._infos) > limits.max_embedded:
                    break
        except tarfile.ReadError:  # its end is missing
            if not self._infos:
                raise
        self._names = [inside(name) for name in tar_names([info.name for info in self._infos])]
        members = [
            Member(
                str(number), self._names[number], info.size, stamp(info.mtime),
                "" if info.isreg() else "a link" if info.issym() or info.islnk() else "not a regular file",
            )
            for number, info in enumerate(self._infos) if not info.isdir()
        ]  # fmt: skip
        super().__init__("tar", members)

    def read(self, ref: str, limits: Limits) -> bytes:
        info = self._infos[number_of(ref, len(self._infos))]
        member = self._file.extractfile(info) if info.isreg() else None
        if member is None:
            raise NotFoundError(f"{self._names[int(ref)]} is not a regular file.")
        return _read(member, self._names[int(ref)], limits)


class _Stream(Archive):
    """One file, compressed."""

    def __init__(self, name: str, suffix: str, data: io.BufferedIOBase) -> None:
        self._data = data
        super().__init__(suffix[1:], [Member("0", name, -1)])

    def read(self, ref: str, limits: Limits) -> bytes:
        number_of(ref, 1)
        self._data.seek(0)
        return _read(self._data, self.members[0].name, limits)


@contextmanager
def open_archive(source: Source, limits: Limits, unpacked: Unpacked) -> Generator[Archive]:
    """The archive, open as long as the block runs, or until others were opened.

    Raises:
        DamagedError: it is not an archive, or it cannot be read.
        LimitError: it unpacks to more than `limits` allow."""
    try:
        archive = unpacked.opened(source)
        if archive is not None:
            yield archive
            return
        with ExitStack() as stack:
            archive = stack.enter_context(_opened(source, stack.enter_context(source.open()), limits, unpacked))
            with unpacked.keep_open(source, archive, stack.pop_all()):
                yield archive
    except (MemoryError, DamagedError, LimitError, NotFoundError, EncryptedError, UnsupportedError):
        raise
    except _FAULTS as error:
        raise DamagedError(f"{source.name} is damaged and cannot be unpacked.") from error


@contextmanager
def _opened(source: Source, file: IO[bytes], limits: Limits, unpacked: Unpacked) -> Generator[Archive]:
    head = source.head
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        held = b""
        if not zipfile.is_zipfile(file):
            held = recovered(source.read(limits.max_file_bytes), limits)
            file = io.BytesIO(held)
        with zipfile.ZipFile(file) as packed:
            claimed = sum(info.file_size for info in packed.infolist())
            _check_expanded(source, claimed, limits)
            archive = _Zip(packed, file)
            archive.held = len(held)
            yield archive
        return
    if head.startswith(SEVEN_ZIP):
        seven = SevenZipArchive(source, file, unpacked)
        claimed = sum(max(member.size, 0) for member in seven.members)
        _check_expanded(source, claimed, limits)
        yield seven
        return
    if head.startswith(HELP_FILE):
        yield HelpArchive(source, limits, unpacked)
        return
    if head.startswith(RAR):
        rar = RarArchive(source, file, unpacked)
        _check_expanded(source, sum(member.size for member in rar.members), limits)
        yield rar
        return
    if head.startswith(WARC):
        yield WarcArchive(source, file)
        return
    suffix = next((suffix for suffix, magic in _STREAMS.items() if head.startswith(magic)), "")
    if not suffix:
        if source.suffix not in _TAR_SUFFIXES and not head.strip(b"\0"):  # which as a tar is one without members
            raise DamagedError(f"{source.name} holds only zero bytes at its beginning.")
        with tarfile.open(fileobj=file, mode="r:") as plain:
            yield _Tar(plain, limits)
        return
    with _opened_stream(source, file, suffix, limits, unpacked) as archive:
        yield archive


@contextmanager
def _opened_stream(
    source: Source, file: IO[bytes], suffix: str, limits: Limits, unpacked: Unpacked
) -> Generator[Archive]:
    """What is compressed as a whole: an archive of either kind below, or one file."""
    data = unpacked.get(source)
    if not data:
        with _unpacking(suffix, file) as stream:
            head = stream.read(_TAR_BLOCK)
            stream.seek(0)
            is_web = head.startswith(WARC)
            if head[257:262] != b"ustar" and not is_web:
                yield _Stream(_inner_name(source.name), suffix, stream)
                return
            data = _bounded(stream, source, limits)
        unpacked.put(source, data)
    if data.startswith(WARC):
        web = WarcArchive(source, io.BytesIO(data))
        web.held = len(data)
        yield web
        return
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as packed:
        archive = _Tar(packed, limits)
        archive.held = len(data)
        yield archive


def _inner_name(name: str) -> str:
    """The name of what a compressed file unpacks to."""
    path = PurePosixPath(name)
    return (
        f"{path.stem}.tar" if path.suffix.lower() in (".tgz", ".tbz2", ".txz", ".tlz", ".tzst") else path.stem or "file"
    )


def _unpacking(suffix: str, file: IO[bytes]) -> io.BufferedIOBase:
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=file)
    if suffix == ".zst":
        return ZstdFile(file)
    return bz2.BZ2File(file) if suffix == ".bz2" else lzma.LZMAFile(file)


def _bounded(stream: io.BufferedIOBase, source: Source, limits: Limits) -> bytes:
    """All of a stream. Raises LimitError where it is more than may be unpacked."""
    most = min(limits.max_file_bytes, max(source.size * limits.max_ratio, MIN_RATED))
    out = bytearray()
    while chunk := stream.read(_CHUNK):
        out += chunk
        if len(out) > most:
            raise LimitError(f"{source.name} unpacks to more than {most:,} bytes; unpack it to index what is in it.")
    return bytes(out)


def _read(member: IO[bytes] | io.BufferedIOBase, name: str, limits: Limits) -> bytes:
    out = bytearray()
    while chunk := member.read(_CHUNK):
        out += chunk
        if len(out) > limits.max_file_bytes:
            raise LimitError(f"{name} is larger than max_file_bytes ({limits.max_file_bytes:,}).")
    return bytes(out)


def _check_expanded(source: Source, claimed: int, limits: Limits) -> None:
    if claimed > limits.max_expanded_bytes:
        raise LimitError(f"{source.name} unpacks to {claimed:,} bytes; unpack it to index what is in it.")


def _zip_time(info: zipfile.ZipInfo) -> str:
    try:
        # A zip keeps local time and not where that was.
        return datetime(*info.date_time).isoformat()  # noqa: DTZ001
    except ValueError:
        return ""
