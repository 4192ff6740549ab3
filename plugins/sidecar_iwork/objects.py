"""The objects of an iWork document since 2013: every `.iwa` file of the package, as messages by number.

The layout is not published; after iWorkFileFormat (Docs/index.md, MIT) and the notes of the SheetJS project on IWA."""

import re
import zipfile

from sidecar.api import DamagedError, EncryptedError, LimitError, Limits, Source
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.unpacking import varint
from sidecar_iwork.wire import Message, blocks_unpacked

_PACKAGE_METADATA = 11006
_DATA_INFOS, _ID, _PREFERRED_NAME, _FILE_NAME = 4, 1, 3, 4
_NUMBERED = re.compile(r"-(\d+)\.\w+$")
_PASSWORD = (".iwpv2", ".iwph")


class Stored(Message):
    """An object: its message, with its own number and that of its type, 0 where there is none."""

    __slots__ = ("id", "kind")

    def __init__(self, id_: int, kind: int, data: bytes) -> None:
        super().__init__(data)
        self.id = id_
        self.kind = kind


class Objects:
    """The objects by number and the files of `Data/` by theirs. `skipped` names the `.iwa` files that are damaged.

    Raises:
        EncryptedError, DamagedError, LimitError."""

    def __init__(self, source: Source, package: Package, limits: Limits) -> None:
        self._payloads: dict[int, tuple[int, bytes]] = {}
        self._messages: dict[int, Stored] = {}
        self.skipped: list[str] = []
        names = list(package.names())
        if any(name.rpartition("/")[2] in _PASSWORD for name in names):
            raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
        self._room = limits.max_file_bytes
        inner = next((name for name in names if name.rpartition("/")[2] == "Index.zip"), "")
        if inner:
            with Package(Source.of_bytes(package.read(inner), f"{source.name}: Index.zip"), limits) as index:
                self._load(index, source.name)
        else:
            self._load(package, source.name)
        if not self._payloads:
            raise DamagedError(f"{source.name} has none of the objects an iWork document is made of.")
        self._files = self._data_files([name for name in names if "Data/" in name])

    def get(self, number: int) -> Stored:
        """An object, an empty one where there is none."""
        if number not in self._messages:
            kind, data = self._payloads.get(number, (0, b""))
            self._messages[number] = Stored(number, kind, data)
        return self._messages[number]

    def of_kind(self, *kinds: int) -> list[int]:
        """Numbers of the objects of these types, in the order they are kept in."""
        return [number for number, (kind, _) in self._payloads.items() if kind in kinds]

    def file(self, number: int) -> str:
        """The package member of a data reference, "" for none."""
        return self._files.get(number, "")

    def _load(self, package: Package, document: str) -> None:
        for name in package.names():
            if not name.endswith(".iwa"):
                continue
            try:
                data = blocks_unpacked(package.read(name))
                self._room -= len(data)
                self._add(data)
            except (ValueError, DamagedError, zipfile.BadZipFile):
                self.skipped.append(name)
            if self._room < 0:
                raise LimitError(f"{document} unpacks to more than max_file_bytes.")

    def _add(self, data: bytes) -> None:
        """Read what an `.iwa` file holds: before each object a message (`TSP.ArchiveInfo`) with its number and, for
        each message it is made of, type and length."""
        at = 0
        while at < len(data):
            size, at = varint(data, at)
            head = Message(data[at : at + size])
            at += size
            for place, info in enumerate(head.messages(2)):
                length = info.number(3)
                if place == 0:
                    self._payloads.setdefault(head.number(1), (info.number(1), data[at : at + length]))
                at += length

    def _data_files(self, names: list[str]) -> dict[int, str]:
        """Data references → members: by the package's own list, else by the number at the end of the name."""
        by_name = {name.rpartition("/")[2]: name for name in names}
        found: dict[int, str] = {}
        for name in names:
            numbered = _NUMBERED.search(name)
            if numbered:
                found[int(numbered[1])] = name
        for number in self.of_kind(_PACKAGE_METADATA):
            for info in self.get(number).messages(_DATA_INFOS):
                member = by_name.get(info.text(_FILE_NAME)) or by_name.get(info.text(_PREFERRED_NAME))
                if member:
                    found[info.number(_ID)] = member
        return found
