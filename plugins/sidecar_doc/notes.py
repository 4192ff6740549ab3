"""What a Word file sets apart from its text: footnotes, endnotes, comments, headers and footers, text boxes ([MS-DOC]
2.8.5–2.8.9, 2.8.25): where each is referred to, and which characters it consists of; and its bookmarks."""

import re
import struct
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sidecar.api.model import NoteKind
from sidecar.toolkit.word.conventions import moment
from sidecar_doc.file import DocFile, Place, StoryPlace, places
from sidecar_doc.word_95 import byte_strings, header_flags

_OWN_NUMBERS = re.compile(r"_(?:Toc|Ref|Hlt|GoBack|Hlk)")
"""Bookmarks that Word sets; nobody knows them by name."""
_DATE_BYTES = 18
_NOTE_BYTES = 2
_INITIALS_CHARS = 9
_HEADER_KINDS: tuple[NoteKind, ...] = ("header", "header", "footer", "footer", "header", "footer")
"""Of a section: even, odd, even, odd, first, first."""
_SECTION_BYTES = 12
_SEPARATORS = 6
"""Stories before those of the first section: lines that part notes from the text."""


class NoteText(NamedTuple):
    """A note: characters `start` to `end`; author and date (ISO 8601) of a comment, the number of its shape."""

    kind: NoteKind
    start: int
    end: int
    author: str = ""
    date: str = ""
    shape: int = 0


@dataclass(frozen=True)
class _Kind:
    kind: NoteKind
    references: Place
    texts: Place
    story: StoryPlace


_KINDS = (
    _Kind("footnote", Place.FOOTNOTE_REFERENCES, Place.FOOTNOTES, StoryPlace.FOOTNOTES),
    _Kind("endnote", Place.ENDNOTE_REFERENCES, Place.ENDNOTES, StoryPlace.ENDNOTES),
    _Kind("comment", Place.COMMENT_REFERENCES, Place.COMMENTS, StoryPlace.COMMENTS),
)


def references(file: DocFile) -> dict[int, list[NoteText]]:
    """The notes by the character of the main story that refers to them."""
    found: dict[int, list[NoteText]] = {}
    for kind in _KINDS:
        size = file.layout.comment if kind.kind == "comment" else _NOTE_BYTES
        bounds, entries = places(file.table(kind.references), size)
        texts = _ranges(file, kind.texts, kind.story)
        people = _comment_people(file, entries) if kind.kind == "comment" else []
        for number, (at, _, (start, end)) in enumerate(zip(bounds, entries, texts, strict=False)):
            author, date = people[number] if number < len(people) else ("", "")
            found.setdefault(at, []).append(NoteText(kind.kind, start, end, author, date))
    return found


def headers(file: DocFile) -> list[NoteText]:
    """The headers and footers of all sections; one that is empty repeats the one before."""
    texts = _ranges(file, Place.HEADERS, StoryPlace.HEADERS)
    kinds: Sequence[NoteKind]
    if file.layout.is_plain:  # nothing says which is which
        kinds = [_HEADER_KINDS[0] for _ in texts]
    elif file.layout.is_old:
        kinds = _kinds_there(file)
        texts = texts[max(len(texts) - len(kinds), 0) :]
    else:
        texts = texts[_SEPARATORS:]
        kinds = [_HEADER_KINDS[number % len(_HEADER_KINDS)] for number in range(len(texts))]
    return [NoteText(kind, start, end) for kind, (start, end) in zip(kinds, texts, strict=False) if end > start]


def _kinds_there(file: DocFile) -> list[NoteKind]:
    """The headers and footers that are in a file of Word 6, which keeps no empty ones: as its sections say."""
    kinds: list[NoteKind] = []
    for entry in places(file.table(Place.SECTIONS), _SECTION_BYTES)[1]:
        at = struct.unpack_from("<I", entry, 2)[0]
        length = int.from_bytes(file.main[at : at + 2], "little")
        flags = header_flags(file.main[at + 2 : at + 2 + length])
        kinds.extend(kind for bit, kind in enumerate(_HEADER_KINDS) if flags >> bit & 1)
    return kinds


def text_boxes(file: DocFile, *, of_headers: bool = False) -> dict[int, NoteText]:
    """The texts of shapes, by the number of the shape."""
    place = Place.HEADER_TEXT_BOXES if of_headers else Place.TEXT_BOXES
    story = StoryPlace.HEADER_TEXT_BOXES if of_headers else StoryPlace.TEXT_BOXES
    size = file.layout.text_box
    if not size:  # nothing says which shape a text belongs to
        texts = _ranges(file, place, story)
        return {-number: NoteText("textbox", start, end) for number, (start, end) in enumerate(texts, 1) if end > start}
    _, entries = places(file.table(place), size)
    found: dict[int, NoteText] = {}
    for entry, (start, end) in zip(entries, _ranges(file, place, story, size=size), strict=False):
        shape = struct.unpack_from("<I", entry, 14)[0]
        found.setdefault(shape, NoteText("textbox", start, end, shape=shape))
    return found


def _ranges(file: DocFile, place: Place, story: StoryPlace, *, size: int = 0) -> list[tuple[int, int]]:
    """The characters of each text of a story; the table's last bounds close the story and hold no text."""
    first, last = file.story(story)
    data = file.table(place)
    if size:
        bounds, _ = places(data, size)
    else:
        bounds = struct.unpack_from(f"<{len(data) // 4}I", data)
    cut = [min(first + bound, last) for bound in bounds]
    return [(start, max(end, start)) for start, end in pairwise(cut)]


def _comment_people(file: DocFile, entries: list[bytes]) -> list[tuple[str, str]]:
    """Author (initials where there is no name) and date of each comment."""
    if file.layout.is_old:
        owners = byte_strings(file.table(Place.COMMENT_AUTHORS), file.encoding, headed=False)
        return [(owners[n] if (n := int.from_bytes(e[10:12], "little")) < len(owners) else "", "") for e in entries]
    owners = _owners(file.table(Place.COMMENT_AUTHORS))
    dates = file.table(Place.COMMENT_DATES)
    if len(dates) != _DATE_BYTES * len(entries):
        dates = b""  # older programs kept none
    people: list[tuple[str, str]] = []
    for number, entry in enumerate(entries):
        length = min(struct.unpack_from("<H", entry)[0], _INITIALS_CHARS)
        initials = entry[2 : 2 + 2 * length].decode("utf-16-le", "replace")
        owner = struct.unpack_from("<H", entry, 20)[0]
        date = moment(struct.unpack_from("<I", dates, _DATE_BYTES * number)[0]) if dates else ""
        people.append((owners[owner] if owner < len(owners) else initials, date))
    return people


def _owners(data: bytes) -> list[str]:
    """Names one after another, each with its length before it (Xst)."""
    found: list[str] = []
    at = 0
    while at + 2 <= len(data):
        length = struct.unpack_from("<H", data, at)[0]
        found.append(data[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace"))
        at += 2 + 2 * length
    return found


@dataclass(frozen=True)
class Bookmarks:
    """The names of places: `names[i]` is that of the character `at[i]`."""

    at: list[int]
    names: list[str]

    def between(self, start: int, stop: int) -> str:
        """The first bookmark that begins among these characters, "" for none."""
        found = bisect_left(self.at, start)
        return self.names[found] if found < len(self.at) and self.at[found] < stop else ""


def bookmarks(file: DocFile) -> Bookmarks:
    """The bookmarks that somebody named, in the text's order."""
    names = file.strings(Place.BOOKMARK_NAMES)
    bounds, _ = places(file.table(Place.BOOKMARKS), 4)
    named = sorted((at, name) for at, name in zip(bounds, names, strict=False) if not _OWN_NUMBERS.match(name))
    return Bookmarks([at for at, _ in named], [name for _, name in named])
