"""What both ways of storing a section hold ([MS-ONESTORE], [MS-FSSHTTPB]): spaces of objects, one for the section and
one for each page, and the properties of an object."""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError

Id = tuple[bytes, int]
"""An extended GUID: 16 bytes and a number ([MS-ONESTORE] 2.2.1)."""
Value = bytes | int | list[Id] | list["Properties"]
Properties = dict[int, Value]
"""By property id, type and all ([MS-ONE] 2.1.12)."""

NIL: Final[Id] = (bytes(16), 0)
CONTENT_ROLE, METADATA_ROLE = 1, 2
_MAX_PROPERTIES: Final = 10_000
_MAX_DEPTH: Final = 20
_FIXED: Final = {3: 1, 4: 2, 5: 4, 6: 8}
"""Bytes of a value by the type of its property ([MS-ONESTORE] 2.6.6)."""


@dataclass
class Object:
    """An object: what it is ([MS-ONE] 2.1.13), and its properties; `file` names the bytes of one that holds a file."""

    kind: int = 0
    properties: Properties = field(default_factory=dict[int, Value])
    file: str = ""


@dataclass
class Space:
    """Objects that refer to one another, and those to begin with by their roles."""

    objects: dict[Id, Object] = field(default_factory=dict[Id, Object])
    roots: dict[int, Id] = field(default_factory=dict[int, Id])

    def root(self, role: int) -> Object | None:
        """The object of that role."""
        return self.objects.get(self.roots.get(role, NIL))

    def below(self, one: Object, prid: int) -> list[Object]:
        """The objects that a property names."""
        value = one.properties.get(prid)
        if not isinstance(value, list):
            return []
        return [self.objects[ref] for ref in value if isinstance(ref, tuple) and ref in self.objects]


@dataclass
class Section:
    """All spaces, which of them is the section's own, and how the bytes of a file are had."""

    spaces: dict[Id, Space]
    first: Id
    file: Callable[[str], bytes]


class PropertyReader:
    """Reads the properties of one object ([MS-ONESTORE] 2.6.1)."""

    def __init__(self, data: bytes, references: Sequence[Id] | None = None, spaces: Sequence[Id] | None = None) -> None:
        self._data = data
        self._at = 0
        self._objects = list(references) if references is not None else []
        self._spaces = list(spaces) if spaces is not None else []
        self._known = references is not None
        self._used_objects = self._used_spaces = 0

    def read(self, expand: Callable[[int], Id] | None = None) -> Properties:
        """The properties; `expand` tells the extended GUID of a compact id not handed in. Raises DamagedError."""
        try:
            objects, more, extended = self._ids(expand)
            spaces: list[Id] = []
            if more:
                spaces, _, extended = self._ids(expand)
            if extended:
                self._ids(expand)
            if not self._known:
                self._objects, self._spaces = objects, spaces
            return self._set(0)
        except (struct.error, IndexError) as error:
            raise DamagedError("An object of the section is damaged.") from error

    def _ids(self, expand: Callable[[int], Id] | None) -> tuple[list[Id], bool, bool]:
        """The ids of a stream, whether one of spaces comes next, and whether one of contexts does."""
        head = self._number(4)
        count = head & 0xFFFFFF
        raw = self._bytes(4 * count)
        ids = [expand(one) for one in struct.unpack(f"<{count}I", raw)] if expand is not None else []
        return ids, not head >> 31, bool(head >> 30 & 1)

    def _set(self, depth: int) -> Properties:
        if depth > _MAX_DEPTH:
            raise DamagedError("An object of the section is nested too deeply.")
        count = self._number(2)
        prids = struct.unpack(f"<{count}I", self._bytes(4 * count))
        found: Properties = {}
        for prid in prids:
            found[prid & 0x7FFFFFFF] = self._value(prid, depth)
        return found

    def _value(self, prid: int, depth: int) -> Value:
        kind = prid >> 26 & 31
        if kind == 2:
            return prid >> 31
        if kind in _FIXED:
            return self._number(_FIXED[kind])
        if kind == 7:
            return self._bytes(self._number(4))
        if kind in (8, 9):
            return self._taken(self._objects, 1 if kind == 8 else self._number(4), is_space=False)
        if kind in (10, 11, 12, 13):
            count = 1 if kind in (10, 12) else self._number(4)
            return self._taken(self._spaces, count, is_space=True) if kind in (10, 11) else []
        if kind == 16:
            count = self._number(4)
            if count > _MAX_PROPERTIES:
                raise DamagedError("An object of the section is damaged.")
            if count:
                self._number(4)
            return [self._set(depth + 1) for _ in range(count)]
        return [self._set(depth + 1)] if kind == 17 else 0

    def _taken(self, ids: list[Id], count: int, *, is_space: bool) -> list[Id]:
        start = self._used_spaces if is_space else self._used_objects
        if is_space:
            self._used_spaces += count
        else:
            self._used_objects += count
        return ids[start : start + count]

    def _number(self, size: int) -> int:
        return int.from_bytes(self._bytes(size), "little")

    def _bytes(self, count: int) -> bytes:
        data = self._data[self._at : self._at + count]
        if len(data) < count:
            raise IndexError
        self._at += count
        return data
