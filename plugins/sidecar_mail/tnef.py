"""Outlook's envelope for what internet mail has no place for (winmail.dat, [MS-OXTNEF]) to a `Message`.

A stream of attributes; most of what matters stands in two of them as lists of MAPI properties, those of the message and
those of each attachment."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.api import DamagedError
from sidecar.toolkit.ole.outlook_items import NAMED, Identity, Value, facts
from sidecar.toolkit.text import code_page, decode, without_surrogates
from sidecar.toolkit.word.outlook_rtf import rtf_text, unpack_rtf
from sidecar_mail.message import Attachment, Message, file_time_text, full_address, is_tnef

# Attributes ([MS-OXTNEF] 2.1.3.2).
_SUBJECT, _BODY, _MESSAGE_PROPERTIES, _RECIPIENTS, _CODEPAGE = 0x8004, 0x800C, 0x9003, 0x9004, 0x9007
_CLASS = 0x8008
_RENDERING, _ATTACHED_DATA, _ATTACHED_TITLE, _ATTACHED_PROPERTIES = 0x9002, 0x800F, 0x8010, 0x9005
_FIXED = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8, 0x40: 8, 0x48: 16}
"""Property type → bytes of a value, padded to four."""
_VARIABLE = frozenset((0x0D, 0x1E, 0x1F, 0x102))
_OBJECT, _STRING8, _UNICODE = 0x0D, 0x1E, 0x1F
_SEVERAL = 0x1000
_FIRST_NAMED = 0x8000
_CC, _BCC = 2, 3
_MAX_DEPTH = 10

Values = dict[Identity, Value]
"""Property → its type and values; a named one by what names it."""


def read_tnef(data: bytes, name: str, prefix: str = "", depth: int = 0) -> Message:
    """The message in a stream; what is cut short is read as far as it goes. `prefix` begins attachments' references.

    Raises:
        DamagedError: it is none, or nothing in it can be read; `name` names the file."""
    if not is_tnef(data):
        raise DamagedError(f"{name} is not an Outlook envelope (TNEF).")
    stream = _Stream()
    for identity, value in _attributes(data):
        stream.add(identity, value)
    if not stream.seen:
        raise DamagedError(f"{name} is an Outlook envelope (TNEF) with nothing readable in it.")
    return _message(stream, prefix, depth)


@dataclass
class _Attached:
    title: str = ""
    data: bytes = b""
    values: Values = field(default_factory=Values)


@dataclass
class _Stream:
    """What the attributes say, put together."""

    seen: int = 0
    codepage: str = "cp1252"
    subject: bytes = b""
    body: bytes = b""
    kind: bytes = b""
    values: Values = field(default_factory=Values)
    recipients: list[Values] = field(default_factory=list[Values])
    attached: list[_Attached] = field(default_factory=list[_Attached])

    def add(self, identity: int, value: bytes) -> None:
        self.seen += 1
        if identity == _CODEPAGE and len(value) >= 4:
            self.codepage = code_page(struct.unpack_from("<I", value)[0])
        elif identity == _SUBJECT:
            self.subject = value
        elif identity == _BODY:
            self.body = value
        elif identity == _CLASS:
            self.kind = value
        elif identity == _MESSAGE_PROPERTIES:
            self.values.update(_properties(_PropertyReader(value)))
        elif identity == _RECIPIENTS:
            self.recipients += _rows(_PropertyReader(value))
        elif identity == _RENDERING:
            self.attached.append(_Attached())
        elif self.attached:
            self._add_to(self.attached[-1], identity, value)

    def _add_to(self, attached: _Attached, identity: int, value: bytes) -> None:
        if identity == _ATTACHED_DATA:
            attached.data = value
        elif identity == _ATTACHED_TITLE:
            attached.title = self.text(value)
        elif identity == _ATTACHED_PROPERTIES:
            attached.values.update(_properties(_PropertyReader(value)))

    def text(self, value: bytes) -> str:
        return without_surrogates(value.decode(self.codepage, "replace").rstrip("\0").replace("\0", " "))

    def first_text(self, values: Values, *identities: int) -> str:
        """The first text there is of these properties."""
        for identity in identities:
            kind, value = _first(values, identity)
            if kind == _UNICODE:
                text = value[: len(value) // 2 * 2].decode("utf-16-le", "replace").rstrip("\0").replace("\0", " ")
                return without_surrogates(text)
            if kind == _STRING8:
                return self.text(value)
        return ""


def _first(values: Values, identity: int) -> tuple[int, bytes]:
    """The type of a property and its first value; 0 and nothing where there is none."""
    found = values.get(identity, Value())
    return found.kind, next(iter(found.data), b"")


class _PropertyReader:
    """Little-endian values one after another. Raises struct.error at the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self) -> int:
        found: int = struct.unpack_from("<I", self._data, self._at)[0]
        self._at += 4
        return found

    def read(self, size: int) -> bytes:
        """The next `size` bytes, and the padding to four that follows them."""
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise struct.error("cut short")
        self._at += -(-size // 4) * 4
        return found


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """`(id, value)`: level, id, type, length, value, checksum ([MS-OXTNEF] 2.1.3.1)."""
    at = 6
    while at + 9 <= len(data):
        identity, _, size = struct.unpack_from("<HHI", data, at + 1)
        yield identity, data[at + 9 : at + 9 + size]
        at += 9 + size + 2


def _properties(reader: _PropertyReader) -> Values:
    """A list of MAPI properties ([MS-OXTNEF] 2.1.3.4); as many as can be read."""
    found: Values = {}
    try:
        for _ in range(reader.number()):
            _property(reader, found)
    except struct.error:
        pass
    return found


def _property(reader: _PropertyReader, found: Values) -> None:
    tag = reader.number()
    kind, identity = tag & 0xFFFF, tag >> 16
    key: Identity = identity
    if identity >= _FIRST_NAMED:
        reader.read(16)
        if reader.number():
            key = reader.read(reader.number()).decode("utf-16-le", "replace").rstrip("\0")
        else:
            key = NAMED + reader.number()
    base = kind & ~_SEVERAL
    if base not in _FIXED and base not in _VARIABLE:
        raise struct.error("a type that is not known: its length is not either")
    count = reader.number() if kind & _SEVERAL or base in _VARIABLE else 1
    data = [reader.read(_FIXED[base] if base in _FIXED else reader.number()) for _ in range(count)]
    found.setdefault(key, Value(base, data))


def _rows(reader: _PropertyReader) -> Iterator[Values]:
    try:
        count = reader.number()
    except struct.error:
        return
    for _ in range(count):
        values = _properties(reader)
        if not values:
            return
        yield values


def _message(stream: _Stream, prefix: str, depth: int) -> Message:
    attachments: list[Attachment] = []
    inner: list[Message] = []
    broken: list[str] = []
    for number, one in enumerate(stream.attached):
        ref = f"{prefix}{number}"
        title = (stream.first_text(one.values, 0x3707, 0x3704, 0x3001) or one.title or f"attachment{ref}").replace(
            "\\", "/"
        )
        kind, value = _first(one.values, 0x3701)
        if kind == _OBJECT and is_tnef(value[16:]) and depth < _MAX_DEPTH:  # a message; an interface id comes before it
            try:
                inner.append(read_tnef(value[16:], title, f"{ref}.", depth + 1))
                continue
            except DamagedError as error:
                broken.append(str(error))
        data = one.data or (value[16:] if kind == _OBJECT else value)
        media_type = stream.first_text(one.values, 0x370E)
        attachments.append(
            Attachment(
                ref, title.rpartition("/")[2] or f"attachment{ref}",
                media_type if media_type.count("/") == 1 else "application/octet-stream", data,
                stream.first_text(one.values, 0x3712),
            )
        )  # fmt: skip
    values = stream.values
    people: dict[int, list[str]] = {}
    for row in stream.recipients:
        kind = int.from_bytes(_first(row, 0x0C15)[1], "little")
        address = full_address(stream.first_text(row, 0x3001), stream.first_text(row, 0x39FE, 0x3003))
        people.setdefault(kind if kind in (_CC, _BCC) else 0, []).append(address)
    text, html = _bodies(stream)
    return Message(
        subject=stream.first_text(values, 0x0037) or stream.text(stream.subject) or stream.first_text(values, 0x3001),
        sender=full_address(stream.first_text(values, 0x0C1A, 0x0042), stream.first_text(values, 0x5D01, 0x0C1F)),
        to=", ".join(people.get(0, ())) or stream.first_text(values, 0x0E04),
        cc=", ".join(people.get(_CC, ())) or stream.first_text(values, 0x0E03),
        bcc=", ".join(people.get(_BCC, ())) or stream.first_text(values, 0x0E02),
        reply_to=stream.first_text(values, 0x0050), identity=stream.first_text(values, 0x1035),
        date=file_time_text(_first(values, 0x0039)[1]) or file_time_text(_first(values, 0x0E06)[1]),
        text=text, html=html,
        facts=tuple(facts(stream.first_text(values, 0x001A) or stream.text(stream.kind),
                          lambda identity: values.get(identity, Value()), stream.codepage)),
        attachments=tuple(attachments), inner=tuple(inner), broken=tuple(broken),
    )  # fmt: skip


def _bodies(stream: _Stream) -> tuple[str, str]:
    text = (stream.first_text(stream.values, 0x1000) or stream.text(stream.body)).strip()
    kind, raw = _first(stream.values, 0x1013)
    html = stream.first_text(stream.values, 0x1013)
    if not html and kind and raw:
        try:
            html = without_surrogates(decode(raw, "The body", "").text)
        except DamagedError:
            html = ""
    if not text and not html.strip():
        packed = _first(stream.values, 0x1009)[1]
        text = rtf_text(unpack_rtf(packed)) if packed else ""
    return text.replace("\r\n", "\n").replace("\r", "\n"), html
