"""Reads a section as OneNote for the desktop stores it ([MS-ONESTORE]): lists of file nodes, revision upon revision."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError, EncryptedError
from sidecar_onenote.spaces import Id, Object, PropertyReader, Section, Space

_ROOT_AT: Final = 172
"""Where the header tells the first list of file nodes (2.3.1, fcrFileNodeListRoot)."""
_MAX_NODES: Final = 2_000_000
_LIST_MARK: Final = 0xA4567AB1F5F7F4C4
_FILE_MARK: Final = bytes.fromhex("e716e3bd65261145a4c48d4d0b7a9eac")
_NOWHERE: Final = frozenset((0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF))
_SPACE_ROOT, _SPACE_LIST, _REVISION_LIST = 0x004, 0x008, 0x010
_BEGINS: Final = (0x01B, 0x01E, 0x01F, 0x021, 0x022)
"""Nodes that begin a revision or a table of ids."""
_ID = 0x024
_OBJECTS: Final = {0x0A4: 0, 0x0A5: 0, 0x0C4: 0, 0x0C5: 0, 0x041: 1, 0x042: 1}
"""Nodes that declare an object with its properties (0) or change those of one that is there (1)."""
_FILES: Final = (0x072, 0x073)
_ROOT_COMPACT, _ROOT_WHOLE, _GROUP, _LOCKED = 0x059, 0x05A, 0x0B0, 0x07C
_FILE_STORE, _FILE_OBJECT = 0x090, 0x094


@dataclass(frozen=True)
class _Node:
    kind: int
    at: int
    size: int
    body: bytes


@dataclass
class _State:
    """What the nodes of a revision refer to by index."""

    space: Space
    ids: dict[int, bytes] = field(default_factory=dict[int, bytes])

    def expand(self, compact: int) -> Id:
        """The extended GUID of a compact one (2.2.2)."""
        return self.ids.get(compact >> 8, bytes(16)), compact & 0xFF


class RevisionStore:
    """The file nodes of a section."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data, self._name = data, name
        self._left = _MAX_NODES
        self._files: dict[str, tuple[int, int]] = {}

    def section(self) -> Section:
        """Raises DamagedError, EncryptedError."""
        try:
            return self._section()
        except (struct.error, IndexError) as error:
            raise DamagedError(f"{self._name} is damaged and cannot be read.") from error

    def _section(self) -> Section:
        at, size = struct.unpack_from("<QI", self._data, _ROOT_AT)
        spaces: dict[Id, Space] = {}
        first: Id | None = None
        for node in self._nodes(at, size):
            if node.kind == _SPACE_ROOT:
                first = _extended(node.body)
            elif node.kind == _SPACE_LIST:
                spaces[_extended(node.body)] = self._space(node)
            elif node.kind == _FILE_STORE:
                for one in self._nodes(node.at, node.size):
                    if one.kind == _FILE_OBJECT:
                        self._files[_guid_text(one.body[:16])] = one.at, one.size
        if first is None or first not in spaces:
            raise DamagedError(f"{self._name} is damaged: it names no section.")
        return Section(spaces, first, self._file)

    def _file(self, name: str) -> bytes:
        """The bytes of a file in the section, b"" where they are not there (2.6.13)."""
        at, size = self._files.get(name.lower(), (0, 0))
        raw = self._data[at : at + size]
        if len(raw) < 36 or not raw.startswith(_FILE_MARK):
            return b""
        return raw[36 : 36 + int.from_bytes(raw[16:24], "little")]

    def _space(self, listed: _Node) -> Space:
        space = Space()
        revisions = [one for one in self._nodes(listed.at, listed.size) if one.kind == _REVISION_LIST]
        if revisions:  # the last list is the one in force (2.1.6)
            state = _State(space)
            for node in self._nodes(revisions[-1].at, revisions[-1].size):
                self._node(node, state, is_group=False)
        return space

    def _node(self, node: _Node, state: _State, *, is_group: bool) -> None:
        if node.kind in _BEGINS:
            state.ids = {}
        elif node.kind == _ID:
            state.ids[int.from_bytes(node.body[:4], "little")] = node.body[4:20]
        elif node.kind in _OBJECTS:
            self._object(node, state)
        elif node.kind in _FILES:
            self._declared_file(node, state)
        elif node.kind == _ROOT_COMPACT:
            compact, role = struct.unpack_from("<II", node.body)
            state.space.roots[role] = state.expand(compact)
        elif node.kind == _ROOT_WHOLE:
            state.space.roots[int.from_bytes(node.body[20:24], "little")] = _extended(node.body)
        elif node.kind == _LOCKED:
            raise EncryptedError(f"{self._name} is protected by a password; remove it in OneNote to index the section.")
        elif node.kind == _GROUP and not is_group:
            inner = _State(state.space)
            for one in self._nodes(node.at, node.size):
                self._node(one, inner, is_group=True)

    def _object(self, node: _Node, state: _State) -> None:
        oid = state.expand(int.from_bytes(node.body[:4], "little"))
        kind = state.space.objects[oid].kind if oid in state.space.objects else 0
        if not _OBJECTS[node.kind]:
            kind = int.from_bytes(node.body[4:8], "little")
        data = self._data[node.at : node.at + node.size]
        state.space.objects[oid] = Object(kind, PropertyReader(data).read(state.expand) if data else {})

    def _declared_file(self, node: _Node, state: _State) -> None:
        """A file's object: its reference says where the bytes are ("<ifndf>{GUID}", 2.5.27)."""
        at = 9 if node.kind == _FILES[0] else 12
        count = int.from_bytes(node.body[at : at + 4], "little")
        name = node.body[at + 4 : at + 4 + 2 * count].decode("utf-16-le", "replace")
        oid = state.expand(int.from_bytes(node.body[:4], "little"))
        kind = int.from_bytes(node.body[4:8], "little")
        state.space.objects[oid] = Object(kind, {}, name.rpartition(">")[2].strip("{}\0").lower())

    def _nodes(self, at: int, size: int) -> Iterator[_Node]:
        """The nodes of a list, fragment by fragment (2.4)."""
        seen: set[int] = set()
        while size and at not in seen and at not in _NOWHERE:
            seen.add(at)
            end = at + size
            if int.from_bytes(self._data[at : at + 8], "little") != _LIST_MARK or end > len(self._data):
                raise DamagedError(f"{self._name} is damaged: a list of its parts is not where it should be.")
            yield from self._fragment(at + 16, end - 20)
            at, size = struct.unpack_from("<QI", self._data, end - 20)

    def _fragment(self, at: int, end: int) -> Iterator[_Node]:
        while at + 4 <= end:
            self._left -= 1
            if self._left < 0:
                raise DamagedError(f"{self._name} has more parts than are read.")
            head = int.from_bytes(self._data[at : at + 4], "little")
            kind, size = head & 0x3FF, head >> 10 & 0x1FFF
            if kind in (0, 0xFF) or size < 4:
                return
            body = self._data[at + 4 : min(at + size, end)]
            place = length = used = 0
            if head >> 27 & 15:
                place, length, used = _chunk(body, head >> 23 & 3, head >> 25 & 3)
            yield _Node(kind, place, length, body[used:])
            at += size


_PLACE: Final[dict[int, tuple[int, int]]] = {0: (8, 1), 1: (4, 1), 2: (2, 8), 3: (4, 8)}
_LENGTH: Final[dict[int, tuple[int, int]]] = {0: (4, 1), 1: (8, 1), 2: (1, 8), 3: (2, 8)}
"""By format, how many bytes tell where a chunk is and how long, and what they are multiplied by (2.2.4.2)."""


def _chunk(body: bytes, place: int, length: int) -> tuple[int, int, int]:
    """Where a chunk is, how long, and how many bytes said so."""
    wide, times = _PLACE[place]
    at = int.from_bytes(body[:wide], "little")
    more, length_times = _LENGTH[length]
    size = int.from_bytes(body[wide : wide + more], "little")
    if at == (1 << 8 * wide) - 1:
        return 0, 0, wide + more
    return at * times, size * length_times, wide + more


def _extended(data: bytes) -> Id:
    return data[:16], int.from_bytes(data[16:20], "little")


def _guid_text(raw: bytes) -> str:
    first, second, third = struct.unpack("<IHH", raw[:8])
    return f"{first:08x}-{second:04x}-{third:04x}-{raw[8:10].hex()}-{raw[10:].hex()}"
