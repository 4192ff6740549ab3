"""Hancom documents of version 5 (.hwp, an OLE file of records; Hancom's "HWP Document File Formats 5.0") written as the
OWPML package they stand for, which `parse` reads. Only what `body` looks at is written."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.api import DamagedError, EncryptedError, LimitError, Limits, Source, UnsupportedError
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.ooxml.package import RATIO_FLOOR
from sidecar.toolkit.text.strings import NO_XML
from sidecar.toolkit.xml import XmlElement, etree

_SIGNATURE = b"HWP Document File"
_PACKED, _PROTECTED, _FOR_DISTRIBUTION = 1, 2 | 16 | 256, 4
# Records of the document's facts, and of its text.
_BIN_DATA, _CHAR_SHAPE, _PARA_SHAPE = 18, 21, 25
_PARAGRAPH, _TEXT, _RUNS, _CONTROL, _LIST, _TABLE, _PICTURE, _EQUATION = 66, 67, 68, 71, 72, 77, 85, 88
_LONG = 0xFFF
_MAX_RECORDS = 500_000
"""Of one section: a paragraph has about four, a book of a thousand pages two hundred thousand."""
_MAX_DEPTH = 40
_HEADINGS = {1: "OUTLINE", 2: "NUMBER", 3: "BULLET"}
_NARROW = frozenset((0, 10, 13, *range(24, 32)))
"""Control characters of one unit; all others below 32 take eight."""
_EXTENDED = frozenset((1, 2, 3, 11, 12, 14, 15, 16, 17, 18, 21, 22, 23))
"""Those that stand for a control of the paragraph, in order."""
_BREAKS = {9: "tab", 10: "lineBreak", 24: "hyphen", 30: "nbSpace", 31: "fwSpace"}
_FIELD_END = 4
_NOTES = {"fn  ": "footNote", "en  ": "endNote", "head": "header", "foot": "footer", "tcmt": "hiddenComment"}
_COUNTED = (3, 4, 5)
"""Pictures, tables and equations: their numbers are part of the captions."""


def _is_hwp(head: bytes) -> bool:
    """Whether bytes begin an OLE file or a Hancom document of version 3."""
    return head.startswith((OLE_MAGIC, _SIGNATURE))


def packed(source: Source, limits: Limits) -> Source:
    """The source itself, or of an older document the package it stands for.

    Raises:
        EncryptedError: a password, rights management or its author locks it.
        UnsupportedError: it is of version 3.
        DamagedError, LimitError: it cannot be read, or unpacks to too much."""
    if not _is_hwp(source.head):
        return source
    if source.head.startswith(_SIGNATURE):
        raise UnsupportedError(f"{source.name} is of Hancom's version 3; save it as .hwpx to index it.")
    reader = _HwpFile(source, limits)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in reader.parts():
            package.writestr(name, data)
    return Source.of_bytes(out.getvalue(), source.name, source.media_type)


@dataclass
class _Record:
    kind: int
    data: bytes
    below: "list[_Record]" = field(default_factory=list["_Record"])


class _HwpFile:
    def __init__(self, source: Source, limits: Limits) -> None:
        self._name = source.name
        self._left = limits.max_file_bytes
        self._ratio = limits.max_ratio
        self._ole = Compound(source.read(limits.max_file_bytes))
        head = self._ole.stream_in((), "FileHeader") or b""
        if not head.startswith(_SIGNATURE) or len(head) < 40:
            raise DamagedError(f"{source.name} is not a Hancom document, or its header is damaged.")
        self._flags = int.from_bytes(head[36:40], "little")
        if self._flags & _PROTECTED:
            raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
        if self._flags & _FOR_DISTRIBUTION:
            raise EncryptedError(f"{source.name} is locked for distribution; ask its author for an open copy.")

    def _unpacked(self, data: bytes, flags: int) -> bytes:
        if flags & _PACKED:
            unpacker = zlib.decompressobj(-15)
            most = max(RATIO_FLOOR, self._ratio * len(data))
            try:
                data = unpacker.decompress(data, min(self._left, most) + 1)
            except zlib.error as error:
                raise DamagedError(f"{self._name} is damaged and cannot be unpacked.") from error
            if len(data) > most:
                raise LimitError(f"{self._name} expands more than max_ratio ({self._ratio}) times.")
        self._left -= len(data)
        if self._left < 0:
            raise LimitError(f"{self._name} unpacks to more than max_file_bytes.")
        return data

    def _records(self, data: bytes) -> list[_Record]:
        records = _records(data)
        if records is None:
            raise LimitError(f"{self._name} holds more than {_MAX_RECORDS:,} records in one stream.")
        return records

    def parts(self) -> Iterator[tuple[str, bytes]]:
        """The files of the package."""
        records = self._records(self._unpacked(self._ole.stream_in((), "DocInfo") or b"", self._flags))
        names = sorted(
            (name for name in self._ole.storage(("BodyText",)) if name[7:].isdecimal()), key=lambda name: int(name[7:])
        )
        if not names:
            raise DamagedError(f"{self._name} is a damaged Hancom document: it has no text.")
        items: list[tuple[str, str]] = []
        for number, record in enumerate((one for one in records if one.kind == _BIN_DATA), 1):
            name, data = self._file(record.data)
            if data:
                items.append((f"image{number}", name))
                yield name, data
        sections: list[str] = []
        for number, name in enumerate(names):
            data = self._unpacked(self._ole.stream_in(("BodyText",), name) or b"", self._flags)
            sections.append(f"Contents/section{number}.xml")
            yield sections[-1], bytes(etree.tostring(_Body().section(self._records(data))))
        yield "Contents/header.xml", bytes(etree.tostring(_properties(records)))
        yield "Contents/content.hpf", bytes(etree.tostring(self._contents(items, sections)))

    def _file(self, data: bytes) -> tuple[str, bytes]:
        """The name and the bytes of an embedded file; none where it lies elsewhere or is damaged."""
        if len(data) < 6 or data[0] & 15 != 1:
            return "", b""
        number, length = struct.unpack_from("<HH", data, 2)
        name = f"BIN{number:04X}.{_text(data[6 : 6 + 2 * min(length, 10)])}"
        found = self._ole.stream_in(("BinData",), name) or b""
        how = data[0] >> 4 & 3
        try:
            return f"BinData/{name}", self._unpacked(found, how or self._flags)
        except DamagedError:
            return "", b""

    def _contents(self, items: list[tuple[str, str]], sections: list[str]) -> XmlElement:
        root = etree.Element("package")
        facts = {name: NO_XML.sub("", text) for name, text in read_properties(self._ole).items()}
        etree.SubElement(root, "title").text = facts.get("title", "")
        named = {"author": "creator", "modified_by": "lastsaveby", "created": "CreatedDate",
                 "modified": "ModifiedDate", "keywords": "keyword", "subject": "subject"}  # fmt: skip
        for name, key in named.items():
            if facts.get(name):
                etree.SubElement(root, "meta", name=key).text = facts[name]
        for key, name in [*items, *((name, name) for name in sections)]:
            etree.SubElement(root, "item", id=key, href=name)
        for name in sections:
            etree.SubElement(root, "itemref", idref=name)
        return root


def _records(data: bytes) -> list[_Record] | None:
    """The records of a stream as a tree: each says how deep it stands. What is cut short ends the list; None where
    there are too many."""
    top: list[_Record] = []
    open_lists = [top]
    at = count = 0
    while at + 4 <= len(data):
        count += 1
        if count > _MAX_RECORDS:
            return None
        head = int.from_bytes(data[at : at + 4], "little")
        kind, level, size = head & 0x3FF, head >> 10 & 0x3FF, head >> 20
        at += 4
        if size == _LONG:
            size = int.from_bytes(data[at : at + 4], "little")
            at += 4
        if at + size > len(data):
            break
        record = _Record(kind, data[at : at + size])
        at += size
        del open_lists[min(level, len(open_lists) - 1) + 1 :]
        open_lists[-1].append(record)
        open_lists.append(record.below)
    return top


def _properties(records: list[_Record]) -> XmlElement:
    """The shapes of characters and paragraphs, as `Looks` wants them."""
    root = etree.Element("head")
    counts = {_CHAR_SHAPE: 0, _PARA_SHAPE: 0}
    for record in records:
        if record.kind not in counts:
            continue
        key, data = str(counts[record.kind]), record.data
        counts[record.kind] += 1
        if record.kind == _CHAR_SHAPE and len(data) >= 50:
            height, flags = struct.unpack_from("<iI", data, 42)
            look = etree.SubElement(root, "charPr", id=key, height=str(max(height, 0)))
            for name, value in (("italic", flags & 1), ("bold", flags & 2), ("underline", flags & 12),
                                ("strikeout", flags >> 18 & 7)):  # fmt: skip
                if value:
                    etree.SubElement(look, name)
        elif record.kind == _PARA_SHAPE and len(data) >= 4:
            flags = int.from_bytes(data[:4], "little")
            look = etree.SubElement(root, "paraPr", id=key)
            if kind := _HEADINGS.get(flags >> 23 & 3):
                etree.SubElement(look, "heading", type=kind, level=str(flags >> 25 & 7))
    return root


def _text(data: bytes) -> str:
    return NO_XML.sub("", data[: len(data) // 2 * 2].decode("utf-16-le", "replace"))


class _Body:
    """Writes the paragraphs of a section."""

    def __init__(self) -> None:
        self._depth = 0
        self._fields: list[str] = []
        self._count = 0

    def section(self, records: list[_Record]) -> XmlElement:
        root = etree.Element("sec")
        self._paragraphs(records, root)
        return root

    def _paragraphs(self, records: list[_Record], into: XmlElement) -> None:
        for record in records:
            if record.kind == _PARAGRAPH:
                self._paragraph(record, into)

    def _list(self, records: list[_Record], into: XmlElement) -> None:
        """Paragraphs of a cell, a note or a box."""
        self._depth += 1
        if self._depth < _MAX_DEPTH:
            self._paragraphs(records, etree.SubElement(into, "subList"))
        self._depth -= 1

    def _paragraph(self, record: _Record, into: XmlElement) -> None:
        shape = int.from_bytes(record.data[8:10], "little")
        made = etree.SubElement(into, "p", paraPrIDRef=str(shape))
        text = next((one.data for one in record.below if one.kind == _TEXT), b"")
        looks = next((one.data for one in record.below if one.kind == _RUNS), b"")
        controls = iter([one for one in record.below if one.kind == _CONTROL])
        starts = list(struct.iter_unpack("<II", looks[: len(looks) // 8 * 8])) or [(0, 0)]
        ends = [start for start, _ in starts[1:]] + [len(text)]
        at = 0
        for (_, look), end in zip(starts, ends, strict=True):
            run = etree.SubElement(made, "run", charPrIDRef=str(look))
            at = self._run(text, at, end, run, controls)
        rest = etree.SubElement(made, "run")
        for control in controls:  # whose characters are missing
            self._control(control, rest)

    def _run(self, text: bytes, at: int, end: int, run: XmlElement, controls: Iterator[_Record]) -> int:
        """From one unit of the text to another; where it ends, which may be behind a control that crosses the end."""
        while at < end and 2 * at + 1 < len(text):
            unit = text[2 * at] | text[2 * at + 1] << 8
            if unit >= 32:
                stop = at
                while stop < end and 2 * stop + 1 < len(text) and (text[2 * stop] >= 32 or text[2 * stop + 1]):
                    stop += 1
                etree.SubElement(run, "t").text = _text(text[2 * at : 2 * stop])
                at = stop
                continue
            if unit in _BREAKS:
                etree.SubElement(etree.SubElement(run, "t"), _BREAKS[unit])
            elif unit == _FIELD_END and self._fields:
                etree.SubElement(etree.SubElement(run, "ctrl"), "fieldEnd", beginIDRef=self._fields.pop())
            elif unit in _EXTENDED and (control := next(controls, None)):
                self._control(control, run)
            at += 1 if unit in _NARROW else 8
        return at

    def _control(self, record: _Record, run: XmlElement) -> None:
        name = record.data[3::-1].decode("latin-1") if len(record.data) >= 4 else ""
        if name in _NOTES:
            note = etree.SubElement(etree.SubElement(run, "ctrl"), _NOTES[name])
            self._list(record.below, note)
        elif name.startswith("%"):
            self._field(name, record.data, run)
        elif name == "atno" and len(record.data) >= 10 and record.data[4] & 15 in _COUNTED:
            etree.SubElement(run, "t").text = str(int.from_bytes(record.data[8:10], "little"))
        elif name == "eqed":
            data = next((one.data for one in record.below if one.kind == _EQUATION), b"")
            length = int.from_bytes(data[4:6], "little")
            etree.SubElement(etree.SubElement(run, "equation"), "script").text = _text(data[6 : 6 + 2 * length])
        elif name == "tbl ":
            self._table(record.below, run)
        elif name == "gso ":
            self._drawn(record.below, etree.SubElement(run, "container"))

    def _field(self, name: str, data: bytes, run: XmlElement) -> None:
        self._count += 1
        self._fields.append(str(self._count))
        kind = "HYPERLINK" if name == "%hlk" else ""
        begin = etree.SubElement(etree.SubElement(run, "ctrl"), "fieldBegin", id=self._fields[-1], type=kind)
        length = int.from_bytes(data[9:11], "little")
        etree.SubElement(begin, "stringParam", name="Command").text = _text(data[11 : 11 + 2 * length])

    def _table(self, records: list[_Record], run: XmlElement) -> None:
        table = etree.SubElement(run, "tbl")
        rows: dict[int, XmlElement] = {}
        repeated = begun = False
        for record, inside in _lists(records):
            if record.kind == _TABLE:
                begun, repeated = True, bool(record.data[:1] and record.data[0] & 4)
            elif record.kind == _LIST and not begun:
                self._list(inside, etree.SubElement(table, "caption"))
            elif record.kind == _LIST and len(record.data) >= 16:
                column, row, wide, high = struct.unpack_from("<4H", record.data, 8)
                if row not in rows:
                    rows[row] = etree.SubElement(table, "tr")
                cell = etree.SubElement(rows[row], "tc", header="1" if repeated and not row else "0")
                etree.SubElement(cell, "cellAddr", colAddr=str(column), rowAddr=str(row))
                etree.SubElement(cell, "cellSpan", colSpan=str(wide), rowSpan=str(high))
                self._list(inside, cell)

    def _drawn(self, records: list[_Record], into: XmlElement) -> None:
        """What stands in a drawing: pictures, boxes with text, groups of both."""
        self._depth += 1
        for record, inside in _lists(records) if self._depth < _MAX_DEPTH else ():
            if record.kind == _LIST:
                self._list(inside, etree.SubElement(into, "drawText"))
            elif record.kind == _PICTURE and len(record.data) >= 73:
                number = int.from_bytes(record.data[71:73], "little")
                etree.SubElement(etree.SubElement(into, "pic"), "img", binaryItemIDRef=f"image{number}")
            elif record.kind != _PARAGRAPH and record.below:
                self._drawn(record.below, etree.SubElement(into, "container"))
        self._depth -= 1


def _lists(records: list[_Record]) -> Iterator[tuple[_Record, list[_Record]]]:
    """Each record with the paragraphs that follow it at its own level: those of a list stand beside its head."""
    at = 0
    while at < len(records):
        end = at + 1
        while end < len(records) and records[end].kind == _PARAGRAPH:
            end += 1
        yield records[at], records[at + 1 : end]
        at = end
