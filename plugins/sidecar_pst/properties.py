"""What the nodes of an Outlook data file say of themselves ([MS-PST] 2.3): lists of properties and tables of them, kept
in heaps. Which property means what is `messages`'s."""

import struct
from collections.abc import Iterator

from sidecar.api import DamagedError
from sidecar.toolkit.ole.outlook_items import strings_codec
from sidecar.toolkit.text import without_surrogates
from sidecar_pst.database import Database, Node

_HEAP, _TABLE, _TREE = 0xEC, 0x7C, 0xB5
_MAX_RECORDS, _MAX_ROWS = 20_000, 20_000
_MAX_DEPTH = 8
_SHORT = {0x02: 2, 0x03: 4, 0x04: 4, 0x0A: 4, 0x0B: 1}
"""Types of values that stand in the record itself → their bytes ([MS-OXCDATA] 2.11.1)."""
_STRING8, _UNICODE, _OBJECT = 0x1E, 0x1F, 0x0D
_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE

Value = tuple[int, bytes]
"""Type and bytes of a property."""


class _Heap:
    """A node's data as a heap of allocations (2.3.1), with what lies in its subnodes."""

    def __init__(self, database: Database, node: Node) -> None:
        self._database = database
        self._blocks = list(database.blocks(node.data))
        self.below = database.subnodes(node.below)
        if not self._blocks or len(self._blocks[0]) < 12 or self._blocks[0][2] != _HEAP:
            raise DamagedError(f"{database.name} is damaged: a node holds no properties.")
        self.kind: int = self._blocks[0][3]
        self.root = int.from_bytes(self._blocks[0][4:8], "little")

    def allocation(self, identity: int) -> bytes:
        """The bytes behind a heap id; b"" for none."""
        block, index = identity >> 16, identity >> 5 & 0x7FF
        if not index or block >= len(self._blocks):
            return b""
        data = self._blocks[block]
        at = int.from_bytes(data[:2], "little") + 2 + index * 2
        if at + 4 > len(data):
            return b""
        start, end = struct.unpack_from("<HH", data, at)
        return data[start:end]

    def value(self, identity: int) -> bytes:
        """The bytes behind an id of an allocation or, where its type says so, of a subnode."""
        return b"".join(self.pieces(identity))

    def pieces(self, identity: int) -> Iterator[bytes]:
        if identity & 0x1F == 0:
            yield self.allocation(identity)
        elif identity in self.below:
            yield from self._database.blocks(self.below[identity].data)

    def records(self, root: int) -> Iterator[bytes]:
        """The records of a B-tree on the heap (2.3.2), key and data."""
        head = self.allocation(root)
        if len(head) < 8 or head[0] != _TREE:
            return
        key, data, levels = head[1], head[2], head[3]
        pending, seen = [(int.from_bytes(head[4:8], "little"), min(levels, _MAX_DEPTH))], 0
        while pending:
            identity, level = pending.pop()
            entries = self.allocation(identity)
            width = key + (4 if level else data)
            for at in range(0, len(entries) - width + 1 if width else 0, max(width, 1)):
                seen += 1
                if seen > _MAX_RECORDS:
                    return
                record = entries[at : at + width]
                if level:
                    pending.append((int.from_bytes(record[key:], "little"), level - 1))
                else:
                    yield record


class Properties:
    """The properties of an object: a node, or a row of a table."""

    def __init__(self, values: dict[int, Value], below: dict[int, Node], codec: str = "") -> None:
        self._values, self.below = values, below
        told = strings_codec(self.number(_MESSAGE_CODE_PAGE), self.number(_INTERNET_CODE_PAGE))
        self.codec = told or codec or "cp1252"

    @classmethod
    def of(cls, database: Database, node: Node, only: frozenset[int] | None = None) -> "Properties":
        """Those of a node (2.3.3), or only some of them. Raises DamagedError."""
        heap = _Heap(database, node)
        values: dict[int, Value] = {}
        for record in heap.records(heap.root):
            if len(record) < 8:
                continue
            identity, kind, value = struct.unpack_from("<HHI", record)
            if only is not None and identity not in only:
                continue
            short = _SHORT.get(kind)
            values[identity] = kind, record[4 : 4 + short] if short else heap.value(value)
        return cls(values, heap.below)

    def raw(self, identity: int) -> bytes | None:
        """The bytes of a property; None where there is none."""
        return self._values[identity][1] if identity in self._values else None

    def kind(self, identity: int) -> int:
        """The type of a property, 0 where there is none."""
        return self._values[identity][0] if identity in self._values else 0

    def number(self, identity: int) -> int:
        """A whole number, 0 where there is none."""
        return int.from_bytes(self.raw(identity) or b"", "little", signed=True)

    def text(self, *identities: int) -> str:
        """The first of these properties that says something; "" where none does."""
        for identity in identities:
            kind, data = self._values.get(identity, (0, b""))
            if kind == _UNICODE:
                found = data[: len(data) // 2 * 2].decode("utf-16-le", "replace")
            elif kind == _STRING8:
                found = data.decode(self.codec, "replace")
            else:
                continue
            if found := without_surrogates(found.rstrip("\0").replace("\0", " ")):
                return found
        return ""

    def inner(self, identity: int) -> Node | None:
        """The subnode that an object property leads to (2.3.3.5)."""
        data = self.raw(identity) or b""
        return self.below.get(int.from_bytes(data[:4], "little")) if self.kind(identity) == _OBJECT else None


def rows(database: Database, node: Node, codec: str) -> Iterator[Properties]:
    """The rows of a table (2.3.4). Raises DamagedError."""
    heap = _Heap(database, node)
    head = heap.allocation(heap.root)
    if heap.kind != _TABLE or len(head) < 22 or head[0] != _TABLE:
        raise DamagedError(f"{database.name} is damaged: one of its tables cannot be read.")
    columns = [struct.unpack_from("<IHBB", head, at) for at in range(22, 22 + head[1] * 8, 8) if at + 8 <= len(head)]
    marks, width = struct.unpack_from("<HH", head, 6)
    if not width:
        return
    count = 0
    for piece in heap.pieces(int.from_bytes(head[14:18], "little")):
        for at in range(0, len(piece) - width + 1, width):
            count += 1
            if count > _MAX_ROWS:
                return
            row = piece[at : at + width]
            yield Properties(_cells(heap, columns, row, row[marks:]), heap.below, codec)


def _cells(heap: _Heap, columns: list[tuple[int, int, int, int]], row: bytes, present: bytes) -> dict[int, Value]:
    found: dict[int, Value] = {}
    for tag, at, size, bit in columns:
        if bit // 8 >= len(present) or not present[bit // 8] & 0x80 >> bit % 8:
            continue
        data, kind = row[at : at + size], tag & 0xFFFF
        fixed = kind in _SHORT or kind in (0x14, 0x40)
        found[tag >> 16] = kind, data if fixed else heap.value(int.from_bytes(data, "little"))
    return found
