"""The data of a form field in a Word file: what kind it is of, its entries and its help ([MS-DOC] 2.9.157, 2.9.78)."""

import struct

from sidecar.toolkit.word.conventions import KINDS, UNANSWERED, FormField

_KIND, _VALUE, _VALUE_AT = 3, 31, 2
"""Of the flags: the kind, and behind it the box's state or the entry chosen."""
_HEAD = struct.Struct("<4xHHH")
"""Of the field: version, flags, the longest text, the size of a box."""
_MAX_ENTRIES = 100
"""Word allows 25."""


def read_form(data: bytes, offset: int) -> FormField | None:
    """The form field at an offset of the data stream, None where there is none."""
    try:
        length, head = struct.unpack_from("<iH", data, offset)
        return _field(data[offset + head : offset + length])
    except struct.error:
        return None


def _field(data: bytes) -> FormField | None:
    flags = _HEAD.unpack_from(data)[0]
    if flags & _KIND >= len(KINDS):
        return None
    form = FormField(KINDS[flags & _KIND], value=flags >> _VALUE_AT & _VALUE)
    form.name, at = _string(data, _HEAD.size)
    if form.kind == "text":
        form.default, at = _string(data, at)
    else:
        default, at = struct.unpack_from("<H", data, at)[0], at + 2
        form.value = default if form.value == UNANSWERED else form.value
    texts: list[str] = []
    for _ in range(5):  # format, help, line of status, macros at entry and at exit
        text, at = _string(data, at)
        texts.append(text)
    form.help = [texts[2], texts[1]]
    if form.kind == "dropdown":
        count = min(struct.unpack_from("<2xH", data, at)[0], _MAX_ENTRIES)  # an STTB, of texts in Unicode
        at += 6
        for _ in range(count):
            length = 2 * struct.unpack_from("<H", data, at)[0]
            form.choices.append(data[at + 2 : at + 2 + length].decode("utf-16-le", "replace"))
            at += 2 + length
    return form


def _string(data: bytes, at: int) -> tuple[str, int]:
    """A text behind its length and before a NUL, and where the next one is."""
    length = 2 * struct.unpack_from("<H", data, at)[0]
    return data[at + 2 : at + 2 + length].decode("utf-16-le", "replace"), at + 4 + length
