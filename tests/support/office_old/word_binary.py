"""Writes small Word 97–2003 files ([MS-DOC]) for tests: the tables that programs write, at their documented places."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contract.containers import compound_file

__all__ = ["Note", "Para", "Run", "WordFile", "blip", "cells", "number", "office_art"]

_TEXT_AT = 2048
_PAGE = 512


def number(kind: int, value: int) -> bytes:
    """A property modifier with a number."""
    size = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2}[kind >> 13]
    return struct.pack("<H", kind) + value.to_bytes(size, "little")


def cells(*edges: int, flags: Sequence[int] = ()) -> bytes:
    """The modifier that defines a row's cells by their edges; `flags` as TCGRF has them."""
    count = len(edges) - 1
    shapes = b"".join(struct.pack("<H18x", flags[n] if n < len(flags) else 0) for n in range(count))
    operand = struct.pack(f"<B{count + 1}h", count, *edges) + shapes
    return struct.pack("<HH", 0xD608, len(operand) + 1) + operand


@dataclass
class Run:
    """Text with its modifiers."""

    text: str
    look: bytes = b""


@dataclass
class Para:
    """A paragraph: runs, the mark that ends it, its style and modifiers."""

    runs: Sequence[Run | str]
    style: int = 0
    look: bytes = b""
    mark: str = "\r"


@dataclass
class Note:
    """A note by the character of the main text that refers to it."""

    at: int
    text: str
    author: str = ""


@dataclass
class WordFile:
    """What `build` writes. `small` writes the text one byte a character."""

    body: Sequence[Para] = ()
    styles: Sequence[tuple[str, int, bytes, bytes]] = (("Normal", 0, b"", b""), ("heading 1", 1, b"", b""))
    """Names, built-in numbers, paragraph and character modifiers."""
    footnotes: Sequence[Note] = ()
    endnotes: Sequence[Note] = ()
    comments: Sequence[Note] = ()
    headers: Sequence[str] = ()
    """Of one section: even, odd header; even, odd footer; first header, footer."""
    boxes: Sequence[tuple[int, int, str]] = ()
    """Text boxes: the character that anchors the shape, its number, its text."""
    anchors: Sequence[tuple[int, int]] = ()
    places: Mapping[int, tuple[int, int, int, int, int]] = field(
        default_factory=dict[int, "tuple[int, int, int, int, int]"]
    )
    """Of shapes by their number: the edges in twips, and flags (Spa)."""
    authors: Sequence[str] = ()
    fonts: Sequence[str] = ("Times New Roman",)
    bookmarks: Sequence[tuple[int, str]] = ()
    lists: tuple[bytes, bytes, bytes] = (b"", b"", b"")
    """The definitions, their levels (which stand behind them, in no length of theirs), and the overrides."""
    data: bytes = b""
    drawings: bytes = b""
    small: bool = False
    flags: int = 0x0200
    version: int = 0xC1
    streams: dict[str, bytes] = field(default_factory=dict[str, bytes])
    changes: Sequence[bytes] = ()
    """Property lists before the piece table; the text's one piece refers to the first."""
    bounds: Sequence[int] = ()
    """What the piece table says of where its pieces begin, whatever it is; a piece has ten characters."""

    def build(self) -> bytes:
        """The file."""
        stories = [list(self.body)]
        stories.append([Para([note.text]) for note in self.footnotes])
        heads = [Para([text]) if text else None for text in self.headers]
        stories.append([para for para in heads if para])
        stories.append([Para([note.text]) for note in self.comments])
        stories.append([Para([note.text]) for note in self.endnotes])
        stories.append([Para([text]) for _, _, text in self.boxes])
        lengths = [sum(len(_text(para)) for para in story) for story in stories]
        paras = [para for story in stories for para in story]
        text = "".join(map(_text, paras))
        width = 1 if self.small else 2
        tables: dict[int, bytes] = {
            1: _stylesheet(self.styles),
            12: b"", 13: b"",
            15: _fonts(self.fonts),
            33: _bounded(self.bounds, width) if self.bounds else _pieces(len(text), width, self.changes),
            51: _strings(self.authors),
        }  # fmt: skip
        tables |= self._notes(lengths)
        if self.bookmarks:
            tables[21] = _strings([name for _, name in self.bookmarks])
            tables[22] = _plc([at for at, _ in self.bookmarks], lengths[0], [bytes(4)] * len(self.bookmarks))
        if self.drawings:
            tables[50] = self.drawings
        if self.lists[0]:
            tables[73], _, tables[74] = self.lists
        body = text.encode("cp1252" if self.small else "utf-16-le")
        main = bytearray(_TEXT_AT)
        main += body
        main += bytes(-len(main) % _PAGE)
        tables[12], tables[13] = _pages(main, paras, width)
        return self._container(main, tables, lengths)

    def _notes(self, lengths: list[int]) -> dict[int, bytes]:
        tables: dict[int, bytes] = {}
        for notes, references, texts, data in (
            (self.footnotes, 2, 3, bytes(2)), (self.endnotes, 46, 47, bytes(2)), (self.comments, 4, 5, b""),
        ):  # fmt: skip
            if notes:
                entries = [data or _comment(n, note.author) for n, note in enumerate(notes)]
                tables[references] = _plc([note.at for note in notes], lengths[0], entries)
                tables[texts] = _bounds([len(note.text) + 1 for note in notes])
        if self.comments:
            names = [note.author for note in self.comments]
            tables[36] = b"".join(struct.pack("<H", len(name)) + name.encode("utf-16-le") for name in names)
        if self.headers:
            tables[11] = _bounds([0] * 6 + [len(text) + 1 if text else 0 for text in self.headers])
        anchors = [*self.anchors, *[(at, shape) for at, shape, _ in self.boxes]]
        if anchors:
            entries = [
                struct.pack("<I4iH4x", shape, *self.places.get(shape, (0, 0, 2880, 1440, 0))) for _, shape in anchors
            ]
            tables[40] = _plc([at for at, _ in anchors], lengths[0], entries)
        if self.boxes:
            starts = [sum(len(text) + 1 for _, _, text in self.boxes[:n]) for n in range(len(self.boxes))]
            entries = [struct.pack("<14xii", shape, 0) for _, shape, _ in self.boxes]
            tables[56] = _plc(starts, lengths[5], entries)
        return tables

    def _container(self, main: bytearray, tables: dict[int, bytes], lengths: list[int]) -> bytes:
        table = bytearray()
        count = 0x88
        struct.pack_into("<HHHHHH", main, 0, 0xA5EC, self.version, 0, 0, 0, self.flags)
        struct.pack_into("<H", main, 32, 14)
        struct.pack_into("<H", main, 62, 22)
        body, footnotes, headers, comments, endnotes, boxes = lengths
        counts = (0, 0, 0, body, footnotes, headers, 0, comments, endnotes, boxes, 0)
        struct.pack_into("<11i", main, 64, *counts)
        struct.pack_into("<H", main, 152, count)
        for place, content in sorted(tables.items(), key=lambda item: item[0] == 73):
            struct.pack_into("<II", main, 154 + 8 * place, len(table), len(content))
            table += content
        table += self.lists[1]
        name = "1Table" if self.flags & 0x0200 else "0Table"
        streams = {"WordDocument": bytes(main), name: bytes(table), **self.streams}
        return compound_file(streams | ({"Data": self.data} if self.data else {}))


def _text(para: Para) -> str:
    return "".join(run if isinstance(run, str) else run.text for run in para.runs) + para.mark


def _plc(starts: Sequence[int], end: int, entries: Sequence[bytes]) -> bytes:
    return struct.pack(f"<{len(starts) + 1}I", *starts, end) + b"".join(entries)


def _bounds(lengths: Sequence[int]) -> bytes:
    """Where texts of these lengths begin, the end of the last one, and the end of the story."""
    bounds = [sum(lengths[:n]) for n in range(len(lengths) + 1)]
    return struct.pack(f"<{len(bounds) + 1}I", *bounds, bounds[-1])


def _comment(number: int, author: str) -> bytes:
    initials = author[:1].encode("utf-16-le")
    return (struct.pack("<H", len(initials) // 2) + initials).ljust(20, b"\0") + struct.pack("<HHHi", number, 0, 0, -1)


def _strings(texts: Sequence[str]) -> bytes:
    body = b"".join(struct.pack("<H", len(text)) + text.encode("utf-16-le") for text in texts)
    return struct.pack("<HHH", 0xFFFF, len(texts), 0) + body


def _fonts(names: Sequence[str]) -> bytes:
    entries = b""
    for name in names:
        entry = bytes(39) + name.encode("utf-16-le") + b"\0\0"
        entries += bytes([len(entry)]) + entry
    return struct.pack("<HH", len(names), 0) + entries


def _stylesheet(styles: Sequence[tuple[str, int, bytes, bytes]]) -> bytes:
    out = struct.pack("<H", 18) + struct.pack("<HH14x", len(styles), 10)
    for index, (name, known, paragraph, characters) in enumerate(styles):
        style = struct.pack("<HHHHH", known, 1 | 0xFFF << 4, 2, 0, 0)
        style += struct.pack("<H", len(name)) + name.encode("utf-16-le") + b"\0\0"
        for part in (struct.pack("<H", index) + paragraph, characters):
            style += struct.pack("<H", len(part)) + part + bytes(len(part) & 1)
        out += struct.pack("<H", len(style)) + style
    return out


def _pieces(count: int, width: int, changes: Sequence[bytes]) -> bytes:
    lists = b"".join(b"\x01" + struct.pack("<H", len(change)) + change for change in changes)
    offset = _TEXT_AT * 2 | 1 << 30 if width == 1 else _TEXT_AT
    piece = struct.pack("<IIHIH", 0, count, 0, offset, 1 if changes else 0)
    return lists + b"\x02" + struct.pack("<I", len(piece)) + piece


def _bounded(bounds: Sequence[int], width: int) -> bytes:
    piece = struct.pack(f"<{len(bounds)}I", *bounds)
    for number in range(len(bounds) - 1):
        at = _TEXT_AT + 10 * number * width
        piece += struct.pack("<HIH", 0, at * 2 | 1 << 30 if width == 1 else at, 0)
    return b"\x02" + struct.pack("<I", len(piece)) + piece


def _pages(main: bytearray, paras: Sequence[Para], width: int) -> tuple[bytes, bytes]:
    """The pages of character and paragraph runs, appended to the main stream; the tables that name them."""
    runs: list[tuple[int, bytes]] = []
    blocks: list[tuple[int, bytes]] = []
    at = _TEXT_AT
    for para in paras:
        begun = at
        for run in para.runs:
            text, look = (run, b"") if isinstance(run, str) else (run.text, run.look)
            runs.append((at, look))
            at += len(text) * width
        runs.append((at, b""))
        at += len(para.mark) * width
        blocks.append((begun, struct.pack("<H", para.style) + para.look))
    character, paragraph = _cut(runs, 5), _cut(blocks, 17)
    made: list[bytes] = []
    for pages, head in ((character, 1), (paragraph, 13)):
        first, bounds = len(main) // _PAGE, [page[0][0] for page in pages] + [at]
        for page, end in zip(pages, bounds[1:], strict=True):
            main += _page(page, end, head)
        made.append(struct.pack(f"<{len(bounds)}I{len(pages)}I", *bounds, *range(first, first + len(pages))))
    return made[0], made[1]


def _cut(runs: list[tuple[int, bytes]], each: int) -> list[list[tuple[int, bytes]]]:
    pages: list[list[tuple[int, bytes]]] = [[]]
    used = 8
    for run in runs:
        size = each + len(run[1]) + 4
        if used + size > _PAGE - 8:
            pages.append([])
            used = 8
        pages[-1].append(run)
        used += size
    return pages


def _page(runs: list[tuple[int, bytes]], end: int, head: int) -> bytes:
    page = bytearray(_PAGE)
    count = len(runs)
    struct.pack_into(f"<{count + 1}I", page, 0, *[at for at, _ in runs], end)
    top = _PAGE - 2
    for index, (_, look) in enumerate(runs):
        if not look:
            continue
        packed = bytes([len(look)]) + look if head == 1 else b""
        if head == 13:
            packed = (
                bytes([0, -(-len(look) // 2)]) + look if len(look) % 2 == 0 else bytes([(len(look) + 1) // 2]) + look
            )
        top = (top - len(packed)) & ~1
        page[top : top + len(packed)] = packed
        page[4 * (count + 1) + head * index] = top // 2
    page[-1] = count
    return bytes(page)


def office_art(kind: int, content: bytes, instance: int = 0, version: int = 0) -> bytes:
    """A record of a drawing."""
    return struct.pack("<HHI", instance << 4 | version, kind, len(content)) + content


def blip(png: bytes) -> bytes:
    """A picture record that holds a PNG."""
    return office_art(0xF01E, bytes(16) + b"\xff" + png, 0x6E0)
