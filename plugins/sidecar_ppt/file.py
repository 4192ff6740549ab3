"""The streams of a PowerPoint file and its objects by the numbers they are kept under ([MS-PPT] 2.1, 2.3)."""

import struct
import zlib

from sidecar.api import DamagedError, EncryptedError, Payload
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.ole.objects import inner_file
from sidecar.toolkit.ole.officeart import Record, records, stored_pictures
from sidecar_ppt.kinds import DOCUMENT, EDIT, NUMBERS, OBJECT_STORAGE

_ENCRYPTED_TOKEN = b"\xdf\xc4\xd1\xf3"
"""In the stream "Current User" of a file protected by a password ([MS-PPT] 2.3.2)."""
_MOST_EDITS = 10_000
_MOST_BYTES = 256 * 2**20
"""Of one inflated object."""


class PptFile:
    """One file, opened. `document` is the content of its document container.

    Raises:
        EncryptedError: protected by a password.
        DamagedError: there is no presentation in it, or it cannot be found.
    """

    def __init__(self, data: bytes, name: str) -> None:
        try:
            self.compound = Compound(data)
            main = self.compound.stream_in((), "PowerPoint Document") or self.compound.stream("PowerPoint Document")
            user = self.compound.stream_in((), "Current User") or b""
        except (DamagedError, struct.error) as error:
            raise DamagedError(f"{name} is a damaged compound file.") from error
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

    def kept(self, number: int) -> Record | None:
        """The object kept under a number, None where there is none."""
        at = self._places.get(number)
        return self._at(at) if at is not None else None

    def pictures(self) -> list[bytes]:
        """The records of the pictures that shapes refer to, from 1."""
        return stored_pictures(self.document, self._pictures)

    def stored(self, number: int) -> Payload | None:
        """The attached object kept under a number, as a file."""
        record = self.kept(number)
        if record is None or record.kind != OBJECT_STORAGE:
            return None
        data = record.content
        if record.instance == 1:  # its size, then deflated
            try:
                data = zlib.decompressobj().decompress(data[4:], _MOST_BYTES)
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
        while at and at not in seen and len(seen) < _MOST_EDITS:
            seen.add(at)
            edit = self._at(at)
            if edit is None or edit.kind != EDIT or len(edit.content) < 20:
                break
            at, numbers, document = struct.unpack_from("<III", edit.content, 8)
            root = root or document
            self._read_numbers(numbers)
        found = self.kept(root)
        if found is None or found.kind != DOCUMENT:
            # The last edit is lost: take the document that was written last.
            found = None
            for record in records(self._main):
                if record.kind == DOCUMENT:
                    found = record
                elif record.kind == NUMBERS:
                    self._add_numbers(record.content, over=True)
        return found.content if found is not None else None

    def _read_numbers(self, at: int) -> None:
        record = self._at(at)
        if record is not None and record.kind == NUMBERS:
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
