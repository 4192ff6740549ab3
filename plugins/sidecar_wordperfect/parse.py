"""Reads a WordPerfect document: its text, the notes and edges of pages, and what it says of itself."""

import struct
from typing import Final

from sidecar.api import DamagedError, EncryptedError, Limits, ParsedDocument, Part, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.text import cut_notice
from sidecar_wordperfect.story import Story, blocks, character

_HEAD: Final = struct.Struct("<4sIBBBBHH")
"""A mark, where the text begins, product, kind of file, versions, the key it is encrypted with, where the prefix is."""
_NEWER: Final = 2
_INDEX: Final = struct.Struct("<BBHHII")
"""An entry of the prefix: flags, its kind, how often it is used, and where its data are."""
_FIRST_INDEX: Final = 14
_TEXT, _SUMMARY = 0x08, 0x12
_END: Final = "\0"
_FACTS: Final = {
    5: "author", 46: "subject", 10: "category", 26: "keywords", 17: "title", 1: "description", 33: "company",
}  # fmt: skip
"""What is told of the document, by its number in the summary."""


class _WordPerfectFile:
    def __init__(self, data: bytes, name: str) -> None:
        if len(data) < _HEAD.size:
            raise DamagedError(f"{name} ends in the middle of its header.")
        mark, self.start, _, kind, self.major, _, key, index = _HEAD.unpack_from(data)
        if mark != b"\xffWPC" or kind != 10:
            raise UnsupportedError(f"{name} is not a document of WordPerfect 5 or newer.")
        if key:
            raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
        self.data = data
        self._packets: list[tuple[int, int, int]] = []
        if self.major == _NEWER and index + _FIRST_INDEX < len(data):
            count = int.from_bytes(data[index + 2 : index + 4], "little")
            for at in range(index + _FIRST_INDEX, min(index + _FIRST_INDEX * count, len(data) - 13), _FIRST_INDEX):
                _, kind, _, _, size, place = _INDEX.unpack_from(data, at)
                self._packets.append((kind, place, size))

    def referred(self, number: int) -> bytes:
        """The text that the prefix keeps under a number from 1."""
        if not 1 <= number <= len(self._packets) or self._packets[number - 1][0] != _TEXT:
            return b""
        packet = self._packet(number - 1)
        count = int.from_bytes(packet[:2], "little")
        return packet[6 + 4 * count :] if count else b""

    def summary(self) -> bytes:
        """What is told of the document."""
        number = next((at for at, (kind, *_) in enumerate(self._packets) if kind == _SUMMARY), None)
        return self._packet(number) if number is not None else b""

    def _packet(self, number: int) -> bytes:
        _, place, size = self._packets[number]
        return self.data[place : place + size]


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The text as a document of one chapter. Raises FormatError."""
    file = _WordPerfectFile(source.read(limits.max_file_bytes), source.name)
    story = Story(file.referred, limits.max_text_chars)
    body = file.data[file.start :]
    text = story.newer(body) if file.major == _NEWER else story.older(body)
    metadata = _summary_texts(file.summary())
    title = metadata.pop("title", "")
    found = (*blocks(text), *story.notes)
    parts = (Part(kind="chapter", title=title, blocks=found),) if found else ()
    notices = ()
    if story.cut:
        notices = (cut_notice(limits.max_text_chars),)
    return ParsedDocument(
        title=title, description=metadata.pop("description", ""), metadata=metadata, parts=parts,
        elements=elements_of(parts), notices=notices,
    )  # fmt: skip


def _summary_texts(summary: bytes) -> dict[str, str]:
    """The texts of the summary: each entry has its length, its number, and its name and value in WordPerfect's
    characters, two bytes each."""
    found: dict[str, str] = {}
    at = 0
    while at + 8 <= len(summary):
        size, number = struct.unpack_from("<HH", summary, at)
        if size < 8:
            break
        words = [character(*summary[place : place + 2]) for place in range(at + 6, min(at + size, len(summary)) - 1, 2)]
        # Its name, then what it is.
        value = " ".join("".join(words).partition(_END)[2].partition(_END)[0].split())
        if number in _FACTS and value:
            found.setdefault(_FACTS[number], value)
        at += size
    return found
