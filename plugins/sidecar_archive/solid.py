"""Archives that unpack many members together: 7z, RAR and Microsoft's help files."""

from pathlib import PurePosixPath
from typing import IO

from sidecar.api import EncryptedError, LimitError, Limits, NotFoundError, Source, UnsupportedError
from sidecar_archive.base import Archive, Member, Unpacked, check_ratio, check_sum, number_of, stamp
from sidecar_archive.help_file import HelpFile
from sidecar_archive.names import inside
from sidecar_archive.rar import PASSWORD, Rar
from sidecar_archive.seven_zip import SevenZip, unpack

_MAX_RAR = 32 * 2**20
"""Unpacking it takes a second for about a million bytes (measured on one core of a slow machine)."""


class SevenZipArchive(Archive):
    """A 7z: a folder of it is unpacked whole."""

    def __init__(self, source: Source, file: IO[bytes], unpacked: Unpacked) -> None:
        self._source, self._file, self._unpacked = source, file, unpacked
        found = SevenZip.read(file, source.name)
        self._folders, self._entries = found.folders, found.entries
        self._unnamed = PurePosixPath(source.name).stem
        members = [
            Member(
                str(number), inside(entry.name or self._unnamed), entry.size,
                "" if entry.modified is None else stamp(entry.modified),
                self._folders[entry.folder].closed if entry.folder >= 0 else "",
            )
            for number, entry in enumerate(self._entries) if not entry.is_directory
        ]  # fmt: skip
        super().__init__("7z", members)

    def read(self, ref: str, limits: Limits) -> bytes:
        """See `Archive.read`."""
        entry = self._entries[number_of(ref, len(self._entries))]
        name = inside(entry.name or self._unnamed)
        if entry.is_directory:
            raise NotFoundError(f"{name} is not a regular file.")
        if entry.folder < 0:
            return b""
        folder = self._folders[entry.folder]
        check_ratio(name, folder.size, folder.packed, limits)
        if folder.size > limits.max_file_bytes:
            raise LimitError(
                f"{name} is packed with others in a block of {folder.size:,} bytes; max_file_bytes is "
                f"{limits.max_file_bytes:,}."
            )
        data = self._unpacked.get(self._source, entry.folder)
        if not data:
            data = unpack(self._file, folder, name)
            self._unpacked.put(self._source, data, entry.folder)
        part = data[entry.start : entry.start + entry.size]
        check_sum(name, part, entry.crc)
        return part


class HelpArchive(Archive):
    """A help file: its section that is compressed is unpacked whole."""

    def __init__(self, source: Source, limits: Limits, unpacked: Unpacked) -> None:
        self._source, self._unpacked = source, unpacked
        self._file = HelpFile(source.read(limits.max_file_bytes), source.name)
        members = [Member(str(number), inside(one.name), one.size) for number, one in enumerate(self._file.entries)]
        super().__init__("chm", members)

    def read(self, ref: str, limits: Limits) -> bytes:
        """See `Archive.read`."""
        entry = self._file.entries[number_of(ref, len(self._file.entries))]
        if not entry.section:
            return self._file.stored(entry)
        data = self._unpacked.get(self._source)
        if not data:
            data = self._file.unpacked()
            self._unpacked.put(self._source, data)
        return data[entry.start : entry.start + entry.size]


class RarArchive(Archive):
    """A RAR: members of a solid one are unpacked with all before them."""

    def __init__(self, source: Source, file: IO[bytes], unpacked: Unpacked) -> None:
        self._source, self._file, self._unpacked = source, file, unpacked
        self._rar = Rar.read(file, source.name)
        members = [
            Member(str(number), inside(entry.name), entry.size, entry.modified, entry.closed)
            for number, entry in enumerate(self._rar.entries) if not entry.is_directory
        ]  # fmt: skip
        super().__init__("rar", members, is_cut=self._rar.is_cut)

    def read(self, ref: str, limits: Limits) -> bytes:
        """See `Archive.read`."""
        number = number_of(ref, len(self._rar.entries))
        entry = self._rar.entries[number]
        name = inside(entry.name)
        if entry.is_directory:
            raise NotFoundError(f"{name} is not a regular file.")
        if entry.closed == PASSWORD:
            raise EncryptedError(f"{name} is {entry.closed}.")
        if entry.closed:
            raise UnsupportedError(f"{name} is {entry.closed}.")
        check_ratio(name, entry.size, entry.packed, limits)
        size = sum(self._rar.entries[at].size for at in self._rar.group(number))
        if size > min(limits.max_file_bytes, _MAX_RAR):
            raise LimitError(
                f"{name} is packed with others in {size:,} bytes; more than {_MAX_RAR:,} are not unpacked."
            )
        data, state = self._rar.unpack(self._file, number, name, self._unpacked.progress(self._source))
        self._unpacked.save_progress(self._source, number, state)
        check_sum(name, data, entry.crc)
        return data
