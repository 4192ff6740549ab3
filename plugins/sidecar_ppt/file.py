"""The streams of a PowerPoint file and its objects by the numbers they are kept under ([MS-PPT] 2.1, 2.3). The kinds of
records in a presentation ([MS-PPT] 2.13.24, RecordType), and of text and placeholders in them."""

import struct
import zlib

from sidecar.api import DamagedError, EncryptedError, Payload
from sidecar.toolkit.ole.compound import Compound, damage_errors
from sidecar.toolkit.ole.objects import inner_file
from sidecar.toolkit.ole.officeart import Record, records, stored_pictures


class Kind:
    """Kinds of records ([MS-PPT] 2.13.24, RecordType; those from 0xF000 on [MS-ODRAW] 2.2)."""

    DOCUMENT, SLIDE, SLIDE_HEAD, NOTES = 0x03E8, 0x03EE, 0x03EF, 0x03F0
    DOCUMENT_HEAD, SLIDE_PLACE, SHOW_INFO = 0x03E9, 0x03F3, 0x03F9
    MACROS, DRAWING = 0x0400, 0x040C
    SLIDE_LIST = 0x0FF0
    TEXT_HEAD, TEXT_WIDE, TEXT_LOOKS, TEXT_NARROW, OUTLINE_TEXT = 0x0F9F, 0x0FA0, 0x0FA1, 0x0FA8, 0x0F9E
    TEXT_STYLES = 0x0FA3
    STRING = 0x0FBA
    FONT, SOUND, SOUND_DATA = 0x0FB7, 0x07E6, 0x07E7
    LINK, LINK_HEAD, OBJECT, OBJECT_HEAD, OBJECT_STORAGE = 0x0FD7, 0x0FD3, 0x0FCC, 0x0FC3, 0x1011
    ACTION, ACTION_HEAD, ACTION_RANGE = 0x0FF2, 0x0FF3, 0x0FDF
    SLIDE_NUMBER, DATE, GENERIC_DATE, HEADER, FOOTER = 0x0FD8, 0x0FF7, 0x0FF8, 0x0FF9, 0x0FFA
    PLACEHOLDER, OBJECT_REFERENCE = 0x0BC3, 0x0BC1
    EDGES, EDGES_HEAD = 0x0FD9, 0x0FDA
    TAGS, TAG, TAG_DATA = 0x1388, 0x138A, 0x138B
    DOCUMENT_TAGS = 0x07D0
    TEXT_NUMBERS, OUTLINE_NUMBERS, OUTLINE_NUMBERS_HEAD = 0x0FAC, 0x0FAE, 0x0FAF
    COMMENT, COMMENT_HEAD = 0x2EE0, 0x2EE1
    EDIT, NUMBERS = 0x0FF5, 0x1772
    GROUP, SHAPE, GROUP_BOX, CHILD_ANCHOR, ANCHOR, CLIENT_DATA, TEXT_BOX = (
        0xF003, 0xF004, 0xF009, 0xF00F, 0xF010, 0xF011, 0xF00D,
    )  # fmt: skip


TITLES = frozenset([0, 6])
"""Kinds of text ([MS-PPT] 2.13.33): a title, one in the middle."""
SUBTITLE = 5
BODY = 1
BODIES = frozenset([BODY, 7, 8])
"""Text with bullets where neither it nor the master says anything else; the others are like the first."""

EDGE_PLACES = {0x07: "footer", 0x08: "number", 0x09: "footer", 0x0A: "header"}
"""Placeholders ([MS-PPT] 2.13.21) on a page's edges: date, slide number, footer, header."""
NOTES_EDGES = frozenset([0x07, 0x08, 0x09, 0x0A, 0x05, 0x0B])
"""Those of a notes page that are not notes: its edges and the picture of the slide."""


_ENCRYPTED_TOKEN = b"\xdf\xc4\xd1\xf3"
"""In the stream "Current User" of a file protected by a password ([MS-PPT] 2.3.2)."""
_MAX_EDITS = 10_000
_MAX_BYTES = 256 * 2**20
"""Of one inflated object."""


class PptFile:
    """One file, opened. `document` is the content of its document container.

    Raises:
        EncryptedError: protected by a password.
        DamagedError: there is no presentation in it, or it cannot be found."""

    def __init__(self, data: bytes, name: str) -> None:
        with damage_errors(name):
            self.compound = Compound(data)
            main = self.compound.stream_in((), "PowerPoint Document") or self.compound.stream("PowerPoint Document")
            user = self.compound.stream_in((), "Current User") or b""
        if "EncryptedPackage" in self.compound or user[12:16] == _ENCRYPTED_TOKEN:
            raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
        if main is None:
            raise DamagedError(f"{name} is a compound file without a presentation.")
        self._main = main
        self._pictures = self.compound.stream_in((), "Pictures") or b""
        self._places: dict[int, int] = {}
        document = self._read_edits(user)
        if document is None:
            raise DamagedError(f"{name} does not say where its slides are.")
        self.document = document

    def object(self, number: int) -> Record | None:
        """The object kept under a number, None where there is none."""
        at = self._places.get(number)
        return self._at(at) if at is not None else None

    def pictures(self) -> list[bytes]:
        """The records of the pictures that shapes refer to, from 1."""
        return stored_pictures(self.document, self._pictures)

    def stored(self, number: int) -> Payload | None:
        """The attached object kept under a number, as a file."""
        record = self.object(number)
        if record is None or record.kind != Kind.OBJECT_STORAGE:
            return None
        data = record.content
        if record.instance == 1:  # its size, then deflated
            try:
                data = zlib.decompressobj().decompress(data[4:], _MAX_BYTES)
            except zlib.error:
                return None
        return inner_file(data) if data else None

    def _at(self, at: int) -> Record | None:
        return next(records(self._main[at : at + 8 + int.from_bytes(self._main[at + 4 : at + 8], "little")]), None)

    def _read_edits(self, user: bytes) -> bytes | None:
        """Follow the edits from the last to the first; the later place of an object counts."""
        at = int.from_bytes(user[16:20], "little") if len(user) >= 20 else 0
        root = 0
        seen: set[int] = set()
        while at and at not in seen and len(seen) < _MAX_EDITS:
            seen.add(at)
            edit = self._at(at)
            if edit is None or edit.kind != Kind.EDIT or len(edit.content) < 20:
                break
            at, numbers, document = struct.unpack_from("<III", edit.content, 8)
            root = root or document
            self._read_numbers(numbers)
        found = self.object(root)
        if found is None or found.kind != Kind.DOCUMENT:
            # The last edit is lost: take the document that was written last.
            found = None
            for record in records(self._main):
                if record.kind == Kind.DOCUMENT:
                    found = record
                elif record.kind == Kind.NUMBERS:
                    self._add_numbers(record.content, over=True)
        return found.content if found is not None else None

    def _read_numbers(self, at: int) -> None:
        record = self._at(at)
        if record is not None and record.kind == Kind.NUMBERS:
            self._add_numbers(record.content, over=False)

    def _add_numbers(self, content: bytes, *, over: bool) -> None:
        """Runs of places ([MS-PPT] 2.3.5): the first number, how many, then their places."""
        at = 0
        while at + 4 <= len(content):
            head = int.from_bytes(content[at : at + 4], "little")
            first, count = head & 0xFFFFF, min(head >> 20, (len(content) - at - 4) // 4)
            for step, place in enumerate(struct.unpack_from(f"<{count}I", content, at + 4)):
                if over:
                    self._places[first + step] = place
                else:
                    self._places.setdefault(first + step, place)
            at += 4 + 4 * count
            if count == 0:
                break


def text_of(record: Record) -> str:
    """The text of a record that holds nothing else (UTF-16)."""
    return record.content.decode("utf-16-le", "replace").split("\0", 1)[0]
