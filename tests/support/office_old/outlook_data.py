"""Writes Outlook data files ([MS-PST]): `pst(folders)`, for tests of what reads them.

A file has a message store, the folders, and their items with recipients and attachments; both layouts (Unicode and
ANSI), all three ways of encoding; as many levels of the B-trees as it takes.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sidecar_pst.encoding import CYCLIC, PERMUTE, decoded

Value = str | bytes | int | datetime
Properties = Mapping[int, Value]
STORE, NAMES, ROOT, TOP = 0x21, 0x61, 0x122, 0x8022
_PERMUTED = bytes(decoded(bytes([value]), PERMUTE, 0)[0] for value in range(256))
_ENCODED = bytes(_PERMUTED.index(value) for value in range(256))


@dataclass
class Attached:
    """A file, or where `message` is given a message in the message."""

    name: str = ""
    data: bytes = b""
    media_type: str = ""
    content_id: str = ""
    message: Mail | None = None


@dataclass
class Mail:
    subject: str = ""
    body: str = ""
    sender: tuple[str, str] = ("Ann", "ann@example.org")
    to: Sequence[tuple[str, str]] = ()
    cc: Sequence[tuple[str, str]] = ()
    date: datetime | None = datetime(2024, 3, 1, 9, 30, tzinfo=UTC)
    attached: Sequence[Attached] = ()
    kind: str = "IPM.Note"
    more: Properties = field(default_factory=dict[int, Value])
    """Other properties by their id."""


def pst(
    folders: Mapping[str, Sequence[Mail]], *, ansi: bool = False, crypt: int = PERMUTE, named: Mapping[int, int] = {}
) -> bytes:
    """The bytes of a data file; names of folders have their parents' before a "/". `named` are numbers of named
    properties and their ids."""
    file = _File(ansi, crypt)
    entry = bytes(20) + struct.pack("<I", TOP)
    file.node(STORE, file.properties({0x3001: "Mail of Ann", 0x35E0: entry, 0x0FF9: bytes(16)}))
    entries = b"".join(struct.pack("<IHH", number, 0, at - 0x8000) for number, at in named.items())
    file.node(NAMES, file.properties({0x0001: 251, 0x0002: b"", 0x0003: entries, 0x0004: b""}))
    file.node(ROOT, file.properties({0x3001: "", 0x3602: 0, 0x360A: 1}), parent=ROOT)
    file.node(TOP, file.properties({0x3001: "Top of Personal Folders", 0x3602: 0, 0x360A: 1}), parent=ROOT)
    known, number = {"": TOP}, 0x8042
    message = 0x200004
    for path, mails in folders.items():
        for end in [at for at, char in enumerate(path) if char == "/"] + [len(path)]:
            if path[:end] not in known:
                above = known[path[:end].rpartition("/")[0]]
                name = path[:end].rpartition("/")[2]
                file.node(number, file.properties({0x3001: name, 0x3602: len(mails), 0x360A: 0}), parent=above)
                known[path[:end]], number = number, number + 0x20
        for mail in mails:
            data, below = file.message(mail)
            file.node(message, data, below, known[path])
            message += 0x20
    return file.done()


class _File:
    def __init__(self, ansi: bool, crypt: int) -> None:
        self._ansi, self._crypt = ansi, crypt
        self._word = "I" if ansi else "Q"
        self._out = bytearray(0x4600)
        self._blocks: list[tuple[int, int, int]] = []
        self._nodes: list[tuple[int, int, int, int]] = []
        self._next = 4

    # Blocks

    def _block(self, data: bytes, internal: bool = False) -> int:
        assert len(data) <= 8176
        identity = self._next | (2 if internal else 0)
        self._next += 4
        if not internal and self._crypt == PERMUTE:
            data = data.translate(_ENCODED)
        elif not internal and self._crypt == CYCLIC:
            data = decoded(data, CYCLIC, identity)  # it undoes itself
        start, size = len(self._out), len(data)
        tail = 12 if self._ansi else 16
        padded = data.ljust(-(-(size + tail) // 64) * 64 - tail, b"\0")
        crc = _crc(data)
        ends = (size, _signature(start, identity), identity, crc) if self._ansi else (
            size, _signature(start, identity), crc, identity
        )  # fmt: skip
        self._out += padded + struct.pack("<HHII" if self._ansi else "<HHIQ", *ends)
        self._blocks.append((identity, start, size))
        return identity

    def data(self, data: bytes, pieces: Sequence[bytes] = ()) -> int:
        """The block, or tree of blocks, of that data."""
        pieces = pieces or [data[at : at + 8176] for at in range(0, max(len(data), 1), 8176)]
        blocks = [self._block(piece) for piece in pieces]
        if len(blocks) == 1:
            return blocks[0]
        total = sum(map(len, pieces))
        most = (8176 - 8) // struct.calcsize(self._word)
        trees = [
            self._block(struct.pack(f"<BBHI{len(some)}{self._word}", 1, 1, len(some), total, *some), internal=True)
            for some in (blocks[at : at + most] for at in range(0, len(blocks), most))
        ]  # fmt: skip
        if len(trees) == 1:
            return trees[0]
        return self._block(struct.pack(f"<BBHI{len(trees)}{self._word}", 1, 2, len(trees), total, *trees), True)

    def below(self, nodes: Sequence[tuple[int, int, int]], most: int = 300) -> int:
        """The list of subnodes: `(id, data, below)`; 0 for none."""
        if not nodes:
            return 0
        kind = "<III" if self._ansi else "<QQQ"
        lists: list[tuple[int, int]] = []
        ordered = sorted(nodes)
        for at in range(0, len(ordered), most):
            some = ordered[at : at + most]
            head = struct.pack("<BBH", 2, 0, len(some)) + (b"" if self._ansi else bytes(4))
            body = head + b"".join(struct.pack(kind, *one) for one in some)
            lists.append((some[0][0], self._block(body, internal=True)))
        if len(lists) == 1:
            return lists[0][1]
        head = struct.pack("<BBH", 2, 1, len(lists)) + (b"" if self._ansi else bytes(4))
        return self._block(head + b"".join(struct.pack(kind[:3], *one) for one in lists), internal=True)

    def node(self, identity: int, made: tuple[int, int] | int, below: int = 0, parent: int = 0) -> None:
        data, below = made if isinstance(made, tuple) else (made, below)
        self._nodes.append((identity, data, below, parent))

    # Heaps

    def properties(self, values: Properties, below: Sequence[tuple[int, int, int]] = ()) -> tuple[int, int]:
        """`(data, subnodes)` of a list of properties; what is long goes to subnodes."""
        heap, subnodes, records = _Heap(0xBC), list(below), b""
        for identity, value in sorted(values.items()):
            kind, data = self._raw(value)
            if kind in (3, 11):
                records += struct.pack("<HHi", identity, kind, int.from_bytes(data, "little", signed=True))
                continue
            if isinstance(value, tuple):
                kind = 0x0D
            if len(data) > 3000:
                at = 0x1F + 0x20 * (0x400 + len(subnodes))
                subnodes.append((at, self.data(data), 0))
                records += struct.pack("<HHI", identity, kind, at)
            else:
                records += struct.pack("<HHI", identity, kind, heap.add(data) if data else 0)
        heap.root = heap.add(struct.pack("<BBBBI", 0xB5, 2, 6, 0, heap.add(records)))
        return self.data(b"", heap.pieces()), self.below(subnodes)

    def _raw(self, value: Value | tuple[int, int]) -> tuple[int, bytes]:
        if isinstance(value, tuple):
            return 0x0D, struct.pack("<II", *value)
        if isinstance(value, bytes):
            return 0x102, value
        if isinstance(value, datetime):
            return 0x40, _steps(value)
        if isinstance(value, int):
            return 3, struct.pack("<i", value)
        return (0x1E, value.encode("cp1252", "replace")) if self._ansi else (0x1F, value.encode("utf-16-le"))

    def table(self, rows: Sequence[Properties]) -> int:
        """The block of a table with a row each."""
        heap = _Heap(0x7C)
        columns = sorted({identity for row in rows for identity in row} | {0x67F2})
        kinds = {
            identity: next((self._raw(row[identity])[0] for row in rows if identity in row), 3) for identity in columns
        }
        width = 4 * len(columns)
        marks = -(-len(columns) // 8)
        matrix = b""
        for number, row in enumerate(rows):
            cells, present = b"", bytearray(marks)
            for bit, identity in enumerate(columns):
                value = row.get(identity, number if identity == 0x67F2 else None)
                if value is None:
                    cells += bytes(4)
                    continue
                present[bit // 8] |= 0x80 >> bit % 8
                kind, data = self._raw(value)
                cells += data if kind == 3 else struct.pack("<I", heap.add(data))
            matrix += cells + present
        described = b"".join(
            struct.pack("<IHBB", identity << 16 | kinds[identity], 4 * bit, 4, bit)
            for bit, identity in enumerate(columns)
        )
        index = struct.Struct("<IH" if self._ansi else "<II")
        entries = heap.add(b"".join(index.pack(number, number) for number in range(len(rows))))
        tree = heap.add(struct.pack("<BBBBI", 0xB5, 4, index.size - 4, 0, entries))
        held = heap.add(matrix)
        ends = (width, width, width, width + marks)
        heap.root = heap.add(struct.pack("<BB4HIII", 0x7C, len(columns), *ends, tree, held, 0) + described)
        return self.data(b"", heap.pieces())

    def message(self, mail: Mail) -> tuple[int, int]:
        """`(data, subnodes)` of an item."""
        below: list[tuple[int, int, int]] = []
        people = [(1, one) for one in mail.to] + [(2, one) for one in mail.cc]
        if people:
            rows = [{0x0C15: kind, 0x3001: name, 0x39FE: address} for kind, (name, address) in people]
            below.append((0x692, self.table(rows), 0))
        for number, one in enumerate(mail.attached):
            values: dict[int, Value] = {0x3707: one.name, 0x3705: 1, 0x3701: one.data, 0x370E: one.media_type}
            inner: list[tuple[int, int, int]] = []
            if one.message:
                inner = [(0x10004, *self.message(one.message))]
                values |= {0x3705: 5, 0x3701: (0x10004, 0)}  # type: ignore[dict-item]
            if one.content_id:
                values[0x3712] = one.content_id
            below.append((0x8025 + 0x20 * number, *self.properties(values, inner)))
        values = {0x001A: mail.kind, 0x0037: mail.subject, 0x0C1A: mail.sender[0], 0x5D01: mail.sender[1],
                  0x0E04: "; ".join(name for name, _ in mail.to), 0x0E07: 1, 0x0E08: len(mail.body)}  # fmt: skip
        if mail.body:
            values[0x1000] = mail.body
        if mail.date:
            values |= {0x0039: mail.date, 0x0E06: mail.date}
        return self.properties(values | dict(mail.more), below)

    # B-trees

    def _tree(self, kind: int, entries: list[bytes], width: int) -> tuple[int, int]:
        """`(page's id, its offset)` of the root of a tree over entries that begin with their keys."""
        level, space = 0, 496 if self._ansi else 488
        size = struct.calcsize(self._word)
        while True:
            most = min(space // width, 15)
            pages: list[bytes] = []
            for at in range(0, len(entries), most):
                some = entries[at : at + most]
                identity = self._next
                self._next += 4
                self._out += bytes(-len(self._out) % 512)
                start = len(self._out)
                body = b"".join(some).ljust(space, b"\0") + bytes((len(some), most, width, level))
                body += b"" if self._ansi else bytes(4)
                mark = _signature(start, identity)
                self._out += body + (
                    struct.pack("<BBHII", kind, kind, mark, identity, _crc(body)) if self._ansi
                    else struct.pack("<BBHIQ", kind, kind, mark, _crc(body), identity)
                )  # fmt: skip
                key = some[0][:size]
                pages.append(key + struct.pack(f"<2{self._word}", identity, start))
            if len(pages) == 1:
                return struct.unpack_from(f"<2{self._word}", pages[0], size)
            entries, width, level = pages, 3 * size, level + 1

    def done(self) -> bytes:
        ansi = self._ansi
        block = struct.Struct("<IIHH" if ansi else "<QQHHI")
        node = struct.Struct("<IIII" if ansi else "<QQQII")
        rest = () if ansi else (0,)
        blocks = [block.pack(*one, 2, *rest) for one in sorted(self._blocks)]
        nodes = [node.pack(*one, *rest) for one in sorted(self._nodes)]
        places = (*self._tree(0x81, nodes, node.size), *self._tree(0x80, blocks, block.size))
        head = bytearray(564)
        head[:4], head[8:10] = b"!BDN", b"SM"
        struct.pack_into("<HHBB", head, 10, 14 if ansi else 23, 19, 1, 1)
        struct.pack_into(f"<{self._word}", head, 168 if ansi else 184, len(self._out))
        struct.pack_into(f"<4{self._word}", head, 184 if ansi else 216, *places)
        head[204 if ansi else 248] = 2
        at = 460 if ansi else 512
        head[at : at + 2] = bytes((0x80, self._crypt))
        struct.pack_into("<I", head, 4, _crc(bytes(head[8:479])))
        self._out[: len(head)] = head
        return bytes(self._out)


class _Heap:
    """Allocations in blocks; none is longer than 3,580 bytes."""

    def __init__(self, kind: int) -> None:
        self._kind, self.root = kind, 0
        self._blocks: list[list[bytes]] = [[]]

    def add(self, data: bytes) -> int:
        used = sum(map(len, self._blocks[-1])) + 4 * len(self._blocks[-1]) + 32
        if used + len(data) > 8100:
            self._blocks.append([])
        self._blocks[-1].append(data)
        return len(self._blocks[-1]) << 5 | (len(self._blocks) - 1) << 16

    def pieces(self) -> list[bytes]:
        made: list[bytes] = []
        for number, block in enumerate(self._blocks):
            size = 12 if not number else 66 if number % 128 == 8 else 2
            places = [size]
            for one in block:
                places.append(places[-1] + len(one))
            body = b"".join(block)
            pad = (size + len(body)) % 2
            start = size + len(body) + pad
            head = struct.pack("<HBBII", start, 0xEC, self._kind, self.root, 0) if not number else (
                struct.pack("<H", start) + bytes(size - 2)
            )  # fmt: skip
            made.append(head + body + bytes(pad) + struct.pack(f"<HH{len(places)}H", len(block), 0, *places))
        return made


def _steps(value: datetime) -> bytes:
    seconds = (value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()
    return struct.pack("<Q", int(seconds) * 10_000_000)


def _crc(data: bytes) -> int:
    return zlib.crc32(data, 0xFFFFFFFF) ^ 0xFFFFFFFF


def _signature(start: int, identity: int) -> int:
    mixed = start ^ identity
    return (mixed >> 16 ^ mixed) & 0xFFFF
