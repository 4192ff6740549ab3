"""Where properties stand in a Word file: pages of formatted runs, property modifiers, the style sheet ([MS-DOC] 2.6,
2.9.22, 2.9.47, 2.9.271). What a property means is decided elsewhere."""

import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar_doc.file import DocFile, Place, places

_PAGE = 512
_DEFINES_TABLE, _CHANGES_TABS = 0xD608, 0xC615
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of an operand by the top three bits of its modifier (spra)."""
_VARIABLE = 6
_HUGE = (0x6645, 0x6646, 0x646B)
"""Modifiers that say that the properties stand in the data stream."""
_PAGES_AT = {Place.CHARACTER_PAGES: 0x18E, Place.PARAGRAPH_PAGES: 0x190}
"""Where the information block of Word 6 says how many pages there are."""
_PARAGRAPH_STYLE, _CHARACTER_STYLE = 1, 2
_MAX_STYLE_DEPTH = 20


class Modifier(NamedTuple):
    """A property modifier (sprm) and its operand; `value` is it as a number, little-endian, without sign."""

    kind: int
    operand: bytes

    @property
    def value(self) -> int:
        """The operand as a number."""
        return int.from_bytes(self.operand, "little")


def modifiers(data: bytes) -> Iterator[Modifier]:
    """The modifiers of a list (grpprl), until one that does not fit."""
    at, end = 0, len(data)
    while at + 2 < end:
        kind = data[at] | data[at + 1] << 8
        at += 2
        size = _SIZES.get(kind >> 13, 0)
        if kind >> 13 == _VARIABLE:
            if kind == _DEFINES_TABLE:
                size = max((data[at] | (data[at + 1] << 8 if at + 1 < end else 0)) - 1, 0)
                at += 2
            elif kind == _CHANGES_TABS and data[at] == 255:
                return
            else:
                size = data[at]
                at += 1
        yield Modifier(kind, data[at : at + size])
        at += size


_LEFT = (0x845E, 0x840F)
"""The modifiers that indent paragraphs (sprmPDxaLeft, sprmPDxaLeft80, [MS-DOC] 2.6.2)."""


def left_indent(kinds: Mapping[int, Modifier]) -> int | None:
    """How far in the modifiers put a paragraph, in twips; None where they do not say."""
    found = next((kinds[kind] for kind in _LEFT if kind in kinds), None)
    return int.from_bytes(found.operand, "little", signed=True) if found is not None else None


@dataclass
class FormattedRuns:
    """Runs of equally formatted text by the offsets at which they begin; `kept[i]` goes until `starts[i + 1]`."""

    starts: list[int] = field(default_factory=list[int])
    kept: list[bytes] = field(default_factory=list[bytes])

    def at(self, offset: int) -> bytes:
        """What the run at an offset of the file has, b"" for nothing."""
        found = bisect_right(self.starts, offset) - 1
        return self.kept[found] if found >= 0 else b""

    def between(self, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
        """The runs of a range, cut to it."""
        at = bisect_right(self.starts, start) - 1
        while start < end:
            stop = self.starts[at + 1] if at + 1 < len(self.starts) else end
            stop = min(stop, end)
            yield start, stop, self.kept[at] if at >= 0 else b""
            start, at = stop, at + 1

    def add(self, start: int, end: int, kept: bytes) -> None:
        """Append a run; between it and the one before lies text without properties."""
        if self.starts and start < self.starts[-1]:
            return  # pages of a damaged file
        if self.starts and self.starts[-1] == start:
            self.starts.pop()
            self.kept.pop()
        self.starts += (start, end)
        self.kept += (kept, b"")


def text_runs(file: DocFile) -> FormattedRuns:
    """The runs of characters; `kept` is a list of modifiers."""
    runs = FormattedRuns()
    for page in _pages(file, Place.CHARACTER_PAGES):
        count = page[_PAGE - 1]
        if 4 * (count + 1) + count > _PAGE - 1:
            continue
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for number in range(count):
            at = page[4 * (count + 1) + number] * 2
            kept = file.modifiers(page[at + 1 : at + 1 + page[at]]) if at else b""
            runs.add(bounds[number], bounds[number + 1], kept)
    return runs


def paragraph_runs(file: DocFile) -> FormattedRuns:
    """The runs of paragraphs; `kept` is the number of the style in two bytes, then a list of modifiers."""
    runs = FormattedRuns()
    size = file.layout.paragraph_entry
    for page in _pages(file, Place.PARAGRAPH_PAGES):
        count = page[_PAGE - 1]
        if 4 * (count + 1) + size * count > _PAGE - 1:
            continue
        bounds = struct.unpack_from(f"<{count + 1}I", page)
        for number in range(count):
            at = page[4 * (count + 1) + size * number] * 2
            kept = b""
            if at and file.layout.is_old:
                kept = page[at + 1 : at + 1 + page[at] * 2]
                kept = kept[:2] + file.modifiers(kept[2:])
            elif at:
                length = page[at] * 2 - 1
                if page[at] == 0:
                    at += 1
                    length = page[at] * 2
                kept = _with_huge(page[at + 1 : at + 1 + max(length, 0)], file.data)
            runs.add(bounds[number], bounds[number + 1], kept)
    return runs


def _pages(file: DocFile, place: Place) -> Iterator[bytes]:
    _, entries = places(file.table(place), file.layout.page_entry)
    numbers = [int.from_bytes(entry, "little") & 0x3FFFFF for entry in entries]
    if file.layout.is_old and numbers:
        # The table may name the first pages only; the others follow the last of them.
        count = int.from_bytes(file.main[_PAGES_AT[place] : _PAGES_AT[place] + 2], "little")
        numbers += range(numbers[-1] + 1, numbers[-1] + 1 + count - len(numbers))
    for number in numbers:
        page = file.main[number * _PAGE : (number + 1) * _PAGE]
        if len(page) == _PAGE:
            yield page


def _with_huge(kept: bytes, data: bytes) -> bytes:
    """A paragraph's properties with what is too long for a page and stands in the data stream."""
    for modifier in modifiers(kept[2:]):
        if modifier.kind in _HUGE and modifier.value + 2 <= len(data):
            length = int.from_bytes(data[modifier.value : modifier.value + 2], "little")
            kept += data[modifier.value + 2 : modifier.value + 2 + length]
    return kept


@dataclass(frozen=True)
class Style:
    """A style: its name, what Word knows it as (`sti`: 1–9 headings), and its modifiers, those of its bases first."""

    name: str = ""
    known_as: int = -1
    paragraph: bytes = b""
    characters: bytes = b""


@dataclass(frozen=True)
class _StyleEntry:
    name: str
    known_as: int
    base: int
    paragraph: bytes
    characters: bytes


def read_styles(file: DocFile) -> list[Style]:
    """The styles by number; an empty one for a slot that is not used."""
    data = file.table(Place.STYLES)
    entries: list[_StyleEntry | None] = []
    try:
        head = struct.unpack_from("<H", data)[0]
        count, base_size = struct.unpack_from("<HH", data, 2)
        at = 2 + head
        for _ in range(count):
            length = struct.unpack_from("<H", data, at)[0]
            entries.append(_style(file, data[at + 2 : at + 2 + length], base_size) if length else None)
            at += 2 + length
    except struct.error:
        pass
    return [_resolved(entries, number) for number in range(len(entries))]


def _style(file: DocFile, data: bytes, base_size: int) -> _StyleEntry | None:
    """One style ([MS-DOC] 2.9.258, STD)."""
    try:
        first, second, third = struct.unpack_from("<HHH", data)
        if file.layout.is_old:
            at = base_size + 1 + data[base_size]
            name = data[base_size + 1 : at].decode(file.encoding, "replace")
            at += 1
        else:
            at = base_size + 2 + struct.unpack_from("<H", data, base_size)[0] * 2
            name = data[base_size + 2 : at].decode("utf-16-le", "replace")
            at += 2
        parts: list[bytes] = []
        for _ in range(min(third & 0xF, 3)):
            size = struct.unpack_from("<H", data, at)[0]
            parts.append(data[at + 2 : at + 2 + size])
            at += 2 + size + (size & 1)
    except (struct.error, IndexError):
        return None
    kind, base = second & 0xF, second >> 4
    paragraph = parts[0][2:] if kind == _PARAGRAPH_STYLE and parts else b""
    characters = b""
    if kind == _CHARACTER_STYLE and parts:
        characters = parts[0]
    elif kind == _PARAGRAPH_STYLE and len(parts) > 1:
        characters = parts[1]
    paragraph, characters = file.modifiers(paragraph), file.modifiers(characters)
    return _StyleEntry(name.split(",")[0], first & 0xFFF, base, paragraph, characters)


def _resolved(entries: list[_StyleEntry | None], number: int) -> Style:
    own = entries[number]
    if own is None:
        return Style()
    paragraph = characters = b""
    entry: _StyleEntry | None = own
    for _ in range(_MAX_STYLE_DEPTH):  # a damaged style may be its own base
        if entry is None:
            break
        paragraph, characters = entry.paragraph + paragraph, entry.characters + characters
        entry = entries[entry.base] if entry.base < len(entries) else None
    return Style(own.name, own.known_as, paragraph, characters)
