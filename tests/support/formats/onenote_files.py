"""Sections of OneNote made object by object, stored both ways: as the desktop does ([MS-ONESTORE]) and as the web does
([MS-FSSHTTPB])."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

__all__ = ["Item", "element", "file", "page", "picture", "section", "stored", "table", "text", "web"]

GUID = bytes(range(16))
_SECTION = bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3")
_CHILDREN, _CONTENT, _STRUCTURE = 0x24001C20, 0x24001C1F, 0x24001D5F


@dataclass
class Item:
    """An object: its kind, its values by property, and the objects that its properties name."""

    kind: int
    values: dict[int, bytes | int] = field(default_factory=dict[int, "bytes | int"])
    below: dict[int, list[Item]] = field(default_factory=dict[int, "list[Item]"])
    data: bytes = b""
    spaces: list[int] = field(default_factory=list[int])


def _wide(text: str) -> bytes:
    return (text + "\0").encode("utf-16-le")


def text(
    words: str, *, style: str = "p", ascii_only: bool = False, runs: list[tuple[int, dict[int, int]]] | None = None
) -> Item:
    """A paragraph; `runs` are the looks of stretches and where each ends."""
    values: dict[int, bytes | int] = {0x1C003498: words.encode("cp1252")} if ascii_only else {0x1C001C22: _wide(words)}
    below = {0x2000342C: [Item(0x12004D, {0x1C00345A: _wide(style)})]}
    if runs:
        values[0x1C001E12] = struct.pack(f"<{len(runs)}I", *(end for end, _ in runs))
        below[0x24001E13] = [Item(0x12004D, dict(looks)) for _, looks in runs]
    return Item(0x6000E, values, below)


def element(*content: Item, children: list[Item] | None = None, mark: str = "") -> Item:
    """A line of an outline; `mark` is the format of its list."""
    below: dict[int, list[Item]] = {_CONTENT: list(content)}
    if children:
        below[_CHILDREN] = children
    if mark:
        below[0x24001C26] = [Item(0x60012, {0x1C001C1A: _wide(mark)})]
    return Item(0x6000D, {}, below)


def table(rows: list[list[str]]) -> Item:
    """A table of words."""
    made = [[Item(0x60024, {}, {_CHILDREN: [element(text(cell))]}) for cell in row] for row in rows]
    return Item(0x60022, {}, {_CHILDREN: [Item(0x60023, {}, {_CHILDREN: row}) for row in made]})


def picture(data: bytes, alt: str) -> Item:
    """A picture."""
    return Item(0x60011, {0x1C001E58: _wide(alt)}, {0x20001C3F: [Item(0x80039, data=data)]})


def file(name: str, data: bytes) -> Item:
    """An attached file."""
    return Item(0x60035, {0x1C001D9C: _wide(name)}, {0x20001D9B: [Item(0x80036, data=data)]})


def page(
    title: str, *outlines: list[Item], author: str = "Ann", down: tuple[float, ...] = ()
) -> list[tuple[int, Item]]:
    """The roots of a page's space by their roles; `down` is how far down each outline stands."""
    places = [struct.unpack("<I", struct.pack("<f", one))[0] for one in (*down, *[0.0] * len(outlines))]
    made = [
        Item(0x6000C, {0x14001C15: place}, {_CHILDREN: lines}) for place, lines in zip(places, outlines, strict=False)
    ]
    head = Item(
        0x6002C, {}, {_CHILDREN: [Item(0x6000C, {}, {_CHILDREN: [element(text(title)), element(text("Monday"))]})]}
    )
    body = Item(0x6000B, {0x1C001D75: _wide(author)}, {_CHILDREN: made, _STRUCTURE: [head]})
    about = Item(0x20030, {0x1C001CF3: _wide(title), 0x18001C65: 132_482_692_626_240_000})
    return [(1, Item(0x60037, {}, {_CONTENT: [body]})), (2, about)]


def section(*pages: list[tuple[int, Item]], named: int | None = None) -> list[list[tuple[int, Item]]]:
    """All spaces: the section's own, naming so many of the pages (all by default), and those of the pages."""
    count = len(pages) if named is None else named
    series = Item(0x60008, spaces=list(range(2, 2 + count)))
    return [[(1, Item(0x60007, {}, {_CHILDREN: [series]}))], *pages]


def _numbered(roots: list[tuple[int, Item]]) -> dict[int, tuple[int, Item]]:
    """All objects of a space by identity, numbered from 1."""
    found: dict[int, tuple[int, Item]] = {}
    waiting = [item for _, item in roots]
    while waiting:
        item = waiting.pop(0)
        found.setdefault(id(item), (len(found) + 1, item))
        waiting += [one for listed in item.below.values() for one in listed]
    return found


def _properties(item: Item, numbers: dict[int, tuple[int, Item]]) -> tuple[bytes, list[int], list[int]]:
    """An object's property set, and the numbers of the objects and spaces it names."""
    prids, data, references = list[int](), bytearray(), list[int]()
    for prid, value in item.values.items():
        kind = prid >> 26 & 31
        prids.append(prid | (0x80000000 if kind == 2 and value else 0))
        if isinstance(value, bytes):
            data += struct.pack("<I", len(value)) + value
        elif kind != 2:
            data += value.to_bytes({3: 1, 4: 2, 5: 4, 6: 8}[kind], "little")
    for prid, listed in item.below.items():
        prids.append(prid)
        data += struct.pack("<I", len(listed)) if prid >> 26 & 31 == 9 else b""
        references += [numbers[id(one)][0] for one in listed]
    if item.spaces:
        prids.append(0x2C001D63)
        data += struct.pack("<I", len(item.spaces))
    body = struct.pack("<H", len(prids)) + struct.pack(f"<{len(prids)}I", *prids) + bytes(data)
    head = struct.pack("<I", len(references) | (0 if item.spaces else 1 << 31))
    head += struct.pack(f"<{len(references)}I", *references)
    if item.spaces:
        head += struct.pack("<I", len(item.spaces)) + struct.pack(f"<{len(item.spaces)}I", *item.spaces)
    return head + body, references, item.spaces


class _File:
    def __init__(self) -> None:
        self.data = bytearray(1024)

    def put(self, chunk: bytes) -> tuple[int, int]:
        at = len(self.data)
        self.data += chunk
        return at, len(chunk)

    def list(self, nodes: list[bytes]) -> tuple[int, int]:
        body = b"".join(nodes)
        head = struct.pack("<QII", 0xA4567AB1F5F7F4C4, 16, 0)
        return self.put(head + body + bytes(4) + struct.pack("<QIQ", 2**64 - 1, 0, 0x8BC215C38233BA4B))


def _node(kind: int, body: bytes, chunk: tuple[int, int] | None = None, base: int = 1) -> bytes:
    """A file node; a chunk is told in four bytes and four."""
    told = struct.pack("<II", *chunk) if chunk else b""
    size = 4 + len(told) + len(body)
    return struct.pack("<I", kind | size << 10 | 1 << 23 | (base if chunk else 0) << 27 | 1 << 31) + told + body


def stored(spaces: list[list[tuple[int, Item]]], *, locked: bool = False) -> bytes:
    """The section as the desktop stores it."""
    made = _File()
    files, listed = list[bytes](), list[bytes]()
    for number, roots in enumerate(spaces, 1):
        numbers = _numbered(roots)
        group = [
            _node(0x0B4, GUID + struct.pack("<I", 9)),
            _node(0x022, b""),
            _node(0x024, struct.pack("<I", 0) + GUID),
        ]
        for oid, item in numbers.values():
            if item.data:
                guid = struct.pack("<IHH", oid, number, 0) + bytes(8)
                name = f"<ifndf>{{{oid:08x}-{number:04x}-0000-0000-000000000000}}"
                told = struct.pack("<IIBI", oid, item.kind, 1, len(name)) + name.encode("utf-16-le")
                group.append(_node(0x072, told))
                head = bytes.fromhex("e716e3bd65261145a4c48d4d0b7a9eac") + struct.pack("<QIQ", len(item.data), 0, 0)
                files.append(_node(0x094, guid, made.put(head + item.data + bytes(16))))
            else:
                chunk = made.put(_properties(item, numbers)[0])
                group.append(_node(0x0A4, struct.pack("<IIBB", oid, item.kind, 3, 1), chunk))
        inner = made.list(group)
        nodes = [_node(0x01E, bytes(48)), _node(0x0B0, GUID + bytes(4), inner, 2)]
        nodes += [_node(0x07C, b"", (0, 0))] if locked else []
        nodes += [_node(0x05A, GUID + struct.pack("<II", numbers[id(root)][0], role)) for role, root in roots]
        revisions = made.list(nodes)
        manifest = made.list([_node(0x010, b"", revisions, 2)])
        listed.append(_node(0x008, GUID + struct.pack("<I", number), manifest, 2))
    listed.append(_node(0x004, GUID + struct.pack("<I", 1)))
    if files:
        listed.append(_node(0x090, b"", made.list(files), 2))
    root = made.list(listed)
    made.data[:16] = _SECTION
    made.data[48:64] = bytes.fromhex("3fdd9a101b91f549a5d01791edc8aed8")
    struct.pack_into("<QI", made.data, 172, *root)
    return bytes(made.data)


def _compact(value: int) -> bytes:
    if not value:
        return b"\0"
    for size in range(1, 8):
        if value < 1 << 7 * size:
            return (value << size | 1 << size - 1).to_bytes(size, "little")
    return b"\x80" + value.to_bytes(8, "little")


def _id(number: int, guid: bytes = GUID) -> bytes:
    if number < 32:
        return bytes([4 | number << 3]) + guid
    return (0x20 | number << 6).to_bytes(2, "little") + guid


def _stream(kind: int, body: bytes = b"", *, compound: bool = False) -> bytes:
    if len(body) < 128 and kind < 64:
        return struct.pack("<H", compound << 2 | kind << 3 | len(body) << 9) + body
    length = min(len(body), 0x7FFF)
    more = _compact(len(body)) if length == 0x7FFF else b""
    return struct.pack("<I", 2 | compound << 2 | kind << 3 | length << 17) + more + body


def _end(kind: int) -> bytes:
    return bytes([1 | kind << 2]) if kind < 64 else struct.pack("<H", 3 | kind << 2)


def _ids(numbers: list[int]) -> bytes:
    return _compact(len(numbers)) + b"".join(map(_id, numbers))


def web(spaces: list[list[tuple[int, Item]]]) -> bytes:
    """The section as OneNote on the web hands it out: ids from 100 are those of data elements."""
    elements, index = b"", b""

    def put(oid: int, kind: int, body: bytes) -> None:
        nonlocal elements
        elements += _stream(1, _id(oid) + b"\0" + _compact(kind), compound=True) + body + _end(1)

    for number, roots in enumerate(spaces, 1):
        numbers = _numbered(roots)
        declared, bodies = b"", b""
        for oid, item in numbers.values():
            data, references, named = _properties(item, numbers)
            cells = _compact(len(named)) + b"".join(_id(1) + _id(one) for one in named)
            kinds = [(4, struct.pack("<I", item.kind)), (2, item.data) if item.data else (1, data)]
            for partition, content in kinds:
                declared += _stream(0x18, _id(oid) + _compact(partition) + _compact(len(content)) + b"\0\0")
                bodies += _stream(0x16, _ids(references) + cells + _compact(len(content)) + content)
        group = (
            _stream(0x1D, compound=True) + declared + _end(0x1D) + _stream(0x1E, compound=True) + bodies + _end(0x1E)
        )
        put(100 + number, 5, group)
        told = b"".join(_stream(0x0A, _id(role, bytes(15) + b"r") + _id(numbers[id(root)][0])) for role, root in roots)
        put(200 + number, 4, _stream(0x1A, _id(300 + number) + b"\0") + told + _stream(0x19, _id(100 + number)))
        put(400 + number, 3, _stream(0x0B, _id(300 + number)))
        index += _stream(0x0D, _id(300 + number) + _id(200 + number) + b"\0")
        index += _stream(0x0E, _id(1) + _id(number) + _id(400 + number) + b"\0")
    root = bytes.fromhex("b9fade84a3aa0d4aa3a8520c77ac7073")
    put(500, 2, _stream(0x07, _id(2, root) + _id(1) + _id(1)))
    put(501, 1, index)
    package = _stream(0x7A, _id(1) + GUID, compound=True) + _stream(0x15, b"\0", compound=True) + elements
    head = _SECTION + bytes(32) + bytes.fromhex("2fe98d63d4a6c14b9a36b3fc2511a5b7") + bytes(4)
    return head + package + _end(0x15) + _end(0x7A)
