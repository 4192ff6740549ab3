"""Writes small files of Word 95 ("Word 6.0 Binary File Format") for tests: what programs write, at its places."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from contract.containers import compound_file

__all__ = ["OldNote", "OldPara", "OldWordFile"]

_TEXT_AT = 2048
_PAGE = 512
_STYLES, _NOTE_MARKS, _NOTES, _COMMENT_MARKS, _COMMENTS, _SECTIONS, _HEADERS = 1, 2, 3, 4, 5, 6, 11
_CHARACTERS, _PARAGRAPHS, _FONTS, _AUTHORS, _BOXES = 12, 13, 15, 36, 56


@dataclass
class OldPara:
    """A paragraph: runs of bytes with their one-byte modifiers, then its style, its own modifiers and its mark."""

    runs: Sequence[tuple[bytes, bytes]]
    style: int = 0
    look: bytes = b""
    mark: bytes = b"\r"


@dataclass
class OldNote:
    """A note or comment by the character of the main text that refers to it."""

    at: int
    text: bytes
    author: str = ""


@dataclass
class OldWordFile:
    """What `build` writes. `styles` are name, what Word knows it as, and modifiers; `fonts` name and character set;
    `named_pages` is how many of its two pages each table of pages names."""

    body: Sequence[OldPara]
    styles: Sequence[tuple[str, int, bytes]] = (("Normal", 0, b""),)
    fonts: Sequence[tuple[str, int]] = ()
    notes: Sequence[OldNote] = ()
    comments: Sequence[OldNote] = ()
    header: bytes = b""
    footer: bytes = b""
    boxes: Sequence[bytes] = ()
    language: int = 0x0409
    flags: int = 0
    version: int = 0x68
    magic: int = 0xA5DC
    named_pages: int = 1
    char_bytes: int = 1

    def build(self) -> bytes:
        text = b""
        runs: list[tuple[int, bytes]] = []
        paragraphs: list[tuple[int, bytes]] = []
        for para in self.body:
            paragraphs.append((_TEXT_AT + len(text), struct.pack("<H", para.style) + para.look))
            for words, look in [*para.runs, (para.mark, para.runs[-1][1] if para.runs else b"")]:
                runs.append((_TEXT_AT + len(text), look))
                text += words
        main = len(text)
        stories = {
            4: [note.text + b"\r" for note in self.notes], 5: [self.header, self.footer],
            7: [note.text + b"\r" for note in self.comments], 9: [words + b"\r" for words in self.boxes],
        }  # fmt: skip
        counts = {3: main} | {story: sum(map(len, texts)) for story, texts in stories.items()}
        if any(counts[story] for story in stories):
            runs.append((_TEXT_AT + main, b""))
            paragraphs.append((_TEXT_AT + main, bytes(2)))
        text += b"".join(b"".join(texts) for texts in stories.values())
        end = _TEXT_AT + len(text)
        out = bytearray(_TEXT_AT) + text
        tables = self._tables(main, stories)
        for place, entries, head in ((_CHARACTERS, runs, 1), (_PARAGRAPHS, paragraphs, 7)):
            out += bytes(-len(out) % _PAGE)
            first, half, named = len(out) // _PAGE, (len(entries) + 1) // 2, self.named_pages
            out += _page(entries[:half], entries[half][0] if len(entries) > half else end, head)
            out += _page(entries[half:], end, head)
            tables[place] = bytes(4 * (named + 1)) + struct.pack(f"<{named}H", *range(first, first + named))
        if self.header or self.footer:
            section = bytes([153, 2 * bool(self.header) | 8 * bool(self.footer)])
            tables[_SECTIONS] = struct.pack("<IIHIHI", 0, main, 0, len(out), 0, 0)
            out += struct.pack("<H", len(section)) + section
        struct.pack_into("<HH2xH2xH", out, 0, self.magic, self.version, self.language, self.flags)
        struct.pack_into("<II", out, 24, _TEXT_AT, end)
        for story, count in counts.items():
            struct.pack_into("<i", out, 40 + 4 * story, count // self.char_bytes)
        struct.pack_into("<HH", out, 0x18E, 2, 2)
        for place, data in tables.items():
            struct.pack_into("<II", out, _pair_at(place), len(out), len(data))
            out += data
        return compound_file({"WordDocument": bytes(out)})

    def _tables(self, main: int, stories: dict[int, list[bytes]]) -> dict[int, bytes]:
        sheet = b"".join(_style(*style) for style in self.styles)
        fonts = b"".join(_font(*font) for font in self.fonts)
        tables = {
            _STYLES: struct.pack("<HHH14x", 18, len(self.styles), 8) + sheet,
            _FONTS: struct.pack("<H", len(fonts) + 2) + fonts,
        }
        if self.notes:
            tables[_NOTE_MARKS] = _marks(self.notes, main) + bytes(2 * len(self.notes))
            tables[_NOTES] = _bounds(stories[4])
        if self.comments:
            heads = (struct.pack("<10sH8x", b"\2AM", number) for number in range(len(self.comments)))
            tables[_COMMENT_MARKS] = _marks(self.comments, main) + b"".join(heads)
            tables[_COMMENTS] = _bounds(stories[7])
            tables[_AUTHORS] = b"".join(bytes([len(note.author)]) + note.author.encode() for note in self.comments)
        if self.boxes:
            tables[_BOXES] = _bounds(stories[9])
        if self.header or self.footer:
            tables[_HEADERS] = _bounds([words for words in stories[5] if words], end=False)
        return tables


def _pair_at(place: int) -> int:
    return 0x58 + 8 * place if place < 38 else 0x192 + 8 * (place - 38)


def _style(name: str, known: int, look: bytes) -> bytes:
    entry = struct.pack("<HHHH", known, 1 | 0xFFF << 4, 1, 0) + bytes([len(name)]) + name.encode() + b"\0"
    entry += struct.pack("<HH", 2 + len(look), 0) + look
    return struct.pack("<H", len(entry)) + entry


def _font(name: str, charset: int) -> bytes:
    entry = struct.pack("<BHBB", 0, 400, charset, 0) + name.encode() + b"\0"
    return bytes([len(entry)]) + entry


def _marks(notes: Sequence[OldNote], end: int) -> bytes:
    return struct.pack(f"<{len(notes) + 1}I", *[note.at for note in notes], end)


def _bounds(texts: Sequence[bytes], *, end: bool = True) -> bytes:
    """Where each text of a story begins and the last ends; then, in most stories, the end of the story."""
    bounds = [0, *accumulate(map(len, texts))]
    bounds += [bounds[-1] + 1] * end
    return struct.pack(f"<{len(bounds)}I", *bounds)


def _page(entries: Sequence[tuple[int, bytes]], end: int, head: int) -> bytes:
    """A page of formatted runs; `head` are the bytes of an entry."""
    page, top, count = bytearray(_PAGE), _PAGE - 1, len(entries)
    struct.pack_into(f"<{count + 1}I", page, 0, *[at for at, _ in entries], end)
    for index, (_, look) in enumerate(entries):
        packed = bytes([len(look)]) + look if head == 1 else bytes([-(-len(look) // 2)]) + look + bytes(len(look) % 2)
        if not look:
            continue
        top = (top - len(packed)) & ~1
        page[top : top + len(packed)] = packed
        page[4 * (count + 1) + head * index] = top // 2
    page[-1] = count
    return bytes(page)
