"""The node database of an Outlook data file ([MS-PST] 2.2): B-trees of pages that lead to nodes and to blocks.

Read where it is asked for: a file of gigabytes costs the pages on the way to a node and the node's own blocks. What it
says its nodes are is `properties`'s."""

import struct
from collections.abc import Iterator
from typing import IO, NamedTuple

from sidecar.api import DamagedError, EncryptedError, LimitError, UnsupportedError
from sidecar_pst.encoding import CYCLIC, NONE, PERMUTE, begins_data_file, decoded

_ANSI, _MIN_UNICODE, _FOUR_K = (14, 15), 23, 36
_MAX_BLOCK_BYTES = 8192
_PAGE = 512
_BLOCKS, _NODES = 0x80, 0x81
_MAX_DEPTH = 12
_KEPT_PAGES = 512
_TREE, _SUBNODES = 1, 2


class Node(NamedTuple):
    """A node: its id, the block of its data, the block of its subnodes (0 none), the id of the folder it is in."""

    identity: int
    data: int
    below: int
    parent: int = 0


class Layout(NamedTuple):
    """Where things stand in files of a kind: offsets in bytes, and structures."""

    root: int
    crypt: int
    word: str
    counts: int
    branch: struct.Struct
    node: struct.Struct
    block: struct.Struct
    subnodes_at: int
    subnode: struct.Struct


_UNICODE_LAYOUT = Layout(216, 513, "Q", 488, struct.Struct("<QQQ"), struct.Struct("<IxxxxQQI4x"),
                         struct.Struct("<QQHHxxxx"), 8, struct.Struct("<IxxxxQQ"))  # fmt: skip
_ANSI_LAYOUT = Layout(184, 461, "I", 496, struct.Struct("<III"), struct.Struct("<IIII"), struct.Struct("<IIHH"), 4,
                      struct.Struct("<III"))  # fmt: skip


class Database:
    """An open data file. `most` bounds the bytes of all blocks together that are read from it.

    Raises:
        DamagedError: it is none, or cut short.
        EncryptedError: Windows' information protection encrypts it.
        UnsupportedError: it has the pages of 4 KiB that only Outlook's offline stores have."""

    def __init__(self, file: IO[bytes], size: int, name: str, most: int) -> None:
        self._file, self._size, self.name, self._left = file, size, name, most
        self._pages: dict[int, tuple[int, bytes, int, int]] = {}
        head = self._at(0, 564)
        if not head:
            raise DamagedError(f"{name} is empty.")
        version = int.from_bytes(head[10:12], "little")
        if len(head) < 564 or not begins_data_file(head):
            raise DamagedError(f"{name} is not an Outlook data file, or its header is damaged.")
        if version >= _FOUR_K:
            raise UnsupportedError(
                f"{name} is an offline store of Outlook 2013 or later; export it as .pst to index it."
            )
        if version not in _ANSI and version < _MIN_UNICODE:
            raise DamagedError(f"{name} has a version number that no Outlook data file has ({version}).")
        self.layout = _ANSI_LAYOUT if version in _ANSI else _UNICODE_LAYOUT
        roots = struct.unpack_from(f"<4{self.layout.word}", head, self.layout.root)
        self._node_root, self._block_root = roots[1], roots[3]
        self._crypt = head[self.layout.crypt]
        if self._crypt not in (NONE, PERMUTE, CYCLIC):
            raise EncryptedError(f"{name} is encrypted by information protection; save a copy without it to index it.")

    def _at(self, start: int, count: int) -> bytes:
        if start >= self._size:
            return b""
        self._file.seek(start)
        return self._file.read(count)

    def _page(self, start: int, kind: int) -> tuple[int, bytes, int, int]:
        """`(level, entries, how many, bytes of one)` of a page of a B-tree (2.2.2.7.7.1)."""
        if start in self._pages:
            return self._pages[start]
        data = self._at(start, _PAGE)
        end = self.layout.counts
        if len(data) < _PAGE or data[end + 8 if end == 488 else end + 4] != kind:
            raise DamagedError(f"{self.name} is damaged: its index of blocks and nodes cannot be followed.")
        count, _, width, level = data[end : end + 4]
        if count and (not width or count * width > end):
            raise DamagedError(f"{self.name} is damaged: its index of blocks and nodes cannot be followed.")
        if len(self._pages) >= _KEPT_PAGES:
            self._pages.clear()
        found = self._pages[start] = level, data[:end], count, width
        return found

    def nodes(self) -> Iterator[Node]:
        """All nodes, in the order of their ids. A page that cannot be read ends only what hangs on it."""
        pending, seen = [(self._node_root, _MAX_DEPTH)], set[int]()
        read = False
        while pending:
            start, most = pending.pop()
            if start in seen:
                continue
            seen.add(start)
            try:
                level, entries, count, width = self._page(start, _NODES)
            except DamagedError:
                if not read and not pending:
                    raise
                continue
            if level == 0:
                node = self.layout.node
                for at in range(0, count * width if width >= node.size else 0, width):
                    read = True
                    yield Node(*node.unpack_from(entries, at))
            elif level < most:
                branch = self.layout.branch
                steps = range(0, count * width if width >= branch.size else 0, width)
                pending += [(branch.unpack_from(entries, at)[2], level) for at in reversed(steps)]

    def node(self, identity: int) -> Node | None:
        """The node of that id; None where there is none. Raises DamagedError."""
        entry = self._find(self._node_root, _NODES, identity, self.layout.node)
        return Node(*entry) if entry else None

    def _find(self, start: int, kind: int, key: int, leaf: struct.Struct) -> tuple[int, ...] | None:
        most = _MAX_DEPTH
        while True:
            level, entries, count, width = self._page(start, kind)
            entry = leaf if level == 0 else self.layout.branch
            if level >= most or (count and width < entry.size):
                raise DamagedError(f"{self.name} is damaged: its index of blocks and nodes leads in a circle.")
            most = level
            low, high = 0, count
            while low < high:
                middle = (low + high) // 2
                if entry.unpack_from(entries, middle * width)[0] <= key:
                    low = middle + 1
                else:
                    high = middle
            if not low:
                return None
            found = entry.unpack_from(entries, (low - 1) * width)
            if level == 0:
                return found if found[0] == key else None
            start = found[2]

    def _block(self, identity: int) -> bytes:
        """A block as it is meant; the last bit of an id means nothing, the one before it that it is not encoded."""
        found = self._find(self._block_root, _BLOCKS, identity & ~1, self.layout.block)
        if found is None:
            raise DamagedError(f"{self.name} is damaged: one of its blocks is missing.")
        start, size = found[1], found[2]
        if size > _MAX_BLOCK_BYTES:
            raise DamagedError(f"{self.name} is damaged: one of its blocks is too long.")
        self._left -= size
        if self._left < 0:
            raise LimitError(f"What is asked of {self.name} is more than max_file_bytes allows.")
        data = self._at(start, size)
        if len(data) < size:
            raise DamagedError(f"{self.name} is cut short.")
        return data if identity & 2 else decoded(data, self._crypt, identity)

    def blocks(self, identity: int, most: int = 2) -> Iterator[bytes]:
        """The data blocks of a node, in order: one, or a tree of them (2.2.2.8.3.2). Raises DamagedError."""
        if not identity:
            return
        data = self._block(identity)
        if not identity & 2:
            yield data
            return
        if len(data) < 8 or data[0] != _TREE or not 0 < data[1] <= most:
            raise DamagedError(f"{self.name} is damaged: a tree of blocks cannot be read.")
        word = self.layout.word
        count = min(int.from_bytes(data[2:4], "little"), (len(data) - 8) // struct.calcsize(word))
        for one in struct.unpack_from(f"<{count}{word}", data, 8):
            yield from self.blocks(one, data[1] - 1)

    def subnodes(self, identity: int, depth: int = 2) -> dict[int, Node]:
        """The subnodes of a node by their ids (2.2.2.8.3.3). Raises DamagedError."""
        if not identity:
            return {}
        data = self._block(identity | 2)
        if len(data) < 4 or data[0] != _SUBNODES or data[1] > 1 or not depth:
            raise DamagedError(f"{self.name} is damaged: a list of subnodes cannot be read.")
        found: dict[int, Node] = {}
        start = self.layout.subnodes_at
        entry = struct.Struct(f"<2{self.layout.word}") if data[1] else self.layout.subnode
        count = min(int.from_bytes(data[2:4], "little"), (len(data) - start) // entry.size)
        for at in range(start, start + count * entry.size, entry.size):
            values = entry.unpack_from(data, at)
            found |= self.subnodes(values[1], depth - 1) if data[1] else {values[0]: Node(*values)}
        return found
