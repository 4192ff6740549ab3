"""Reads a section as OneNote on the web and OneDrive hand it out: the elements of its last revision in a package
([MS-ONESTORE] 2.8, [MS-FSSHTTPB] 2.2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError
from sidecar.toolkit.unpacking import Cursor
from sidecar_onenote.spaces import CONTENT_ROLE, METADATA_ROLE, NIL, Id, Object, PropertyReader, Section, Space

_FORMAT_AT: Final = 48
_FORMAT: Final = bytes.fromhex("2fe98d63d4a6c14b9a36b3fc2511a5b7")
_ROOT_DATA: Final = bytes.fromhex("b9fade84a3aa0d4aa3a8520c77ac7073")
"""The GUID of the root that names the section's own space, with the number 2 ([MS-ONESTORE] 2.8)."""
_INDEX, _MANIFEST, _BLOB = 1, 2, 10
_KIND, _DATA = 4, 1
"""Partitions of an object: what it is, and its properties; others hold files."""
_MAX_HEADERS: Final = 4_000_000


def is_package(data: bytes) -> bool:
    """Whether the file is such a package."""
    return data[_FORMAT_AT : _FORMAT_AT + 16] == _FORMAT


def read_package(data: bytes, name: str) -> Section:
    """Raises DamagedError."""
    try:
        return _Package(data).section()
    except (EOFError, IndexError, KeyError, ValueError, StopIteration) as error:
        raise DamagedError(f"{name} is damaged and cannot be read.") from error


class _Bytes(Cursor):
    """A place in bytes, and the numbers and ids that begin there ([MS-FSSHTTPB] 2.2.1)."""

    def number(self) -> int:
        """A compact number: the zeros below its lowest set bit tell how many bytes it has."""
        first = self.data[self.at]
        if not first:
            self.at += 1
            return 0
        zeros = (first & -first).bit_length() - 1
        if zeros == 7:
            self.at += 1
            return int.from_bytes(self.read(8), "little")
        return int.from_bytes(self.read(zeros + 1), "little") >> zeros + 1

    def id(self) -> Id:
        first = self.data[self.at]
        if not first:
            self.at += 1
            return NIL
        if first & 7 == 4:
            number = self.read(1)[0] >> 3
        elif first & 0x3F == 0x20:
            number = int.from_bytes(self.read(2), "little") >> 6
        elif first & 0x7F == 0x40:
            number = int.from_bytes(self.read(3), "little") >> 7
        elif first == 0x80:
            number = int.from_bytes(self.read(5), "little") >> 8
        else:
            raise ValueError("no id")
        return self.read(16), number

    def ids(self) -> list[Id]:
        return [self.id() for _ in range(self._count(1))]

    def cells(self) -> list[Id]:
        """The spaces of cells, without their contexts."""
        return [(self.id(), self.id())[1] for _ in range(self._count(2))]

    def _count(self, least: int) -> int:
        count = self.number()
        if count * least > self.left:
            raise ValueError("more than there are")
        return count

    def header(self) -> tuple[int, int, bool]:
        """Of the next stream object: its kind (-1 where one ends), its length, whether others are in it (2.2.1.5)."""
        first = self.data[self.at]
        way = first & 3
        if way == 0:
            head = int.from_bytes(self.read(2), "little")
            return head >> 3 & 0x3F, head >> 9, bool(head & 4)
        if way == 2:
            head = int.from_bytes(self.read(4), "little")
            length = head >> 17
            return head >> 3 & 0x3FFF, self.number() if length == 0x7FFF else length, bool(head & 4)
        self.read(1 if way == 1 else 2)
        return -1, 0, False


@dataclass
class _DataElement:
    """A data element: its stream objects in order, kind and bytes."""

    kind: int
    objects: list[tuple[int, bytes]] = field(default_factory=list[tuple[int, bytes]])

    def of(self, kind: int) -> Iterator[_Bytes]:
        """The stream objects of a kind."""
        return (_Bytes(data) for one, data in self.objects if one == kind)


class _Package:
    def __init__(self, data: bytes) -> None:
        self._elements: dict[Id, _DataElement] = {}
        self._blobs: dict[str, bytes] = {}
        self._read(_Bytes(data, _FORMAT_AT + 16 + 4))

    def _read(self, place: _Bytes) -> None:
        """All data elements. The package's own head, the file's index and kind, stands before them."""
        element: _DataElement | None = None
        depth = 0
        for _ in range(_MAX_HEADERS):
            if place.at >= len(place.data):
                return
            kind, length, is_compound = place.header()
            if kind < 0:
                depth -= 1
                if depth <= 0:
                    return
                element = None if depth <= 2 else element
                continue
            body = _Bytes(place.read(length))
            depth += is_compound
            if kind == 0x01 and is_compound:
                oid = body.id()
                body.at += 1 if not body.data[body.at] else 25
                element = self._elements[oid] = _DataElement(body.number())
            elif element is not None:
                element.objects.append((kind, body.data))

    def section(self) -> Section:
        """The section, space by space."""
        index = next(one for one in self._elements.values() if one.kind == _INDEX)
        storage = next(one for one in self._elements.values() if one.kind == _MANIFEST)
        roots = [_three(entry) for entry in storage.of(0x07)]
        context, first = next((context, space) for root, context, space in roots if root == (_ROOT_DATA, 2))
        cells: dict[Id, Id] = {}
        for entry in index.of(0x0E):
            own, space, cell = _three(entry)
            if own == context:  # others are former versions of pages
                cells[space] = cell
        revisions = {entry.id(): entry.id() for entry in index.of(0x0D)}
        spaces = {space: self._space(cell, revisions) for space, cell in cells.items() if cell in self._elements}
        if first not in spaces:
            raise ValueError("no space of its own")
        return Section(spaces, first, self._file)

    def _space(self, cell: Id, revisions: dict[Id, Id]) -> Space:
        """A space as its last revision has it: those it is based on come first."""
        current = next((entry.id() for entry in self._elements[cell].of(0x0B)), NIL)
        chain: list[_DataElement] = []
        seen: set[Id] = set()
        while current != NIL and current not in seen:
            seen.add(current)
            element = self._elements.get(revisions.get(current, NIL))
            if element is None:
                break
            chain.append(element)
            current = next(((entry.id(), entry.id())[1] for entry in element.of(0x1A)), NIL)
        space = Space()
        for revision in reversed(chain):
            for entry in revision.of(0x0A):
                root, space.roots[{1: CONTENT_ROLE, 2: METADATA_ROLE}.get(root[1], root[1])] = entry.id(), entry.id()
            for entry in revision.of(0x19):
                group = self._elements.get(entry.id())
                if group is not None:
                    self._group(group, space)
        return space

    def _group(self, group: _DataElement, space: Space) -> None:
        declared = [
            (entry.id(), entry.number()) if kind == 0x18 else ((entry.id(), entry.id())[0], entry.number())
            for kind, entry in ((kind, _Bytes(data)) for kind, data in group.objects if kind in (0x18, 0x05))
        ]
        bodies = [(kind, _Bytes(data)) for kind, data in group.objects if kind in (0x16, 0x1C)]
        for (oid, partition), (kind, body) in zip(declared, bodies, strict=False):
            one = space.objects.setdefault(oid, Object())
            references, spaces = body.ids(), body.cells()
            if kind == 0x1C:
                one.file = _key(body.id())
                continue
            data = body.read(body.number())
            if partition == _KIND:
                one.kind = int.from_bytes(data[:4], "little")
            elif partition == _DATA:
                one.properties = PropertyReader(data, references, spaces).read()
            else:
                one.file = _key(oid)
                self._blobs[one.file] = data

    def _file(self, name: str) -> bytes:
        if name in self._blobs:
            return self._blobs[name]
        blob = next((one for oid, one in self._elements.items() if one.kind == _BLOB and _key(oid) == name), None)
        entry = next(blob.of(0x02), None) if blob is not None else None
        return entry.read(entry.number()) if entry is not None else b""


def _three(entry: _Bytes) -> tuple[Id, Id, Id]:
    return entry.id(), entry.id(), entry.id()


def _key(oid: Id) -> str:
    return f"{oid[0].hex()}-{oid[1]}"
