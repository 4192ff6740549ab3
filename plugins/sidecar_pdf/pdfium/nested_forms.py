"""Finds forms (ISO 32000-1, 8.10) that draw forms that draw forms, by way of themselves or not, until a few bytes make
millions of draws: pdfium follows them some forty levels deep and cannot be stopped from within. Looked for in the
bytes, since by the time pdfium is asked it is too late. Stream dictionaries are never compressed, so they are found.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter

_FORM = re.compile(rb"/Subtype\s*/Form\b")
_NAMED = re.compile(rb"/([^\s/<>\[\]()]{1,80})\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_XOBJECTS = re.compile(rb"/XObject\s*<<(.{0,20000}?)>>", re.DOTALL)
_INDIRECT = re.compile(rb"/(?:Resources|XObject)\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_DRAW = re.compile(rb"/([^\s/<>\[\]()]{1,80})\s+Do\b")
_MAX_FORMS = 4_000
_MAX_CONTENT = 1 << 20
_LEVELS = 40
"""How deep pdfium follows forms."""
_MAX_DRAWS = 1_000_000
"""Draws that one form may come to; pdfium takes about a microsecond for the shortest."""


def multiplies(data: bytes) -> bool:
    """Whether some form, followed through the forms it draws, comes to more draws than any page needs."""
    forms: dict[int, tuple[bytes, int]] = {}
    for match in _FORM.finditer(data):
        start = data.rfind(b"obj", max(match.start() - 8_000, 0), match.start())
        end = data.find(b"stream", match.end(), match.end() + 40_000)
        number = re.search(rb"(?<!\d)(\d{1,9})\s+\d{1,5}\s+$", data[max(start - 24, 0) : start])
        if start < 0 or end < 0 or number is None:
            continue
        dictionary = data[start:end]
        if b"/Resources" in dictionary:
            forms[int(number[1])] = (dictionary, end)
        if len(forms) > _MAX_FORMS:
            return False
    named = {number: _names(dictionary, data) for number, (dictionary, _) in forms.items()}
    parents = {number for number, names in named.items() if not forms.keys().isdisjoint(names.values())}
    called_by_parents = {called for number in parents for called in named[number].values()}
    draws: dict[int, Counter[int]] = {}
    for number in parents:
        if number in called_by_parents or not parents.isdisjoint(named[number].values()):
            dictionary, at = forms[number]
            content = _DRAW.findall(_content(dictionary, data, at))
            draws[number] = Counter(named[number][name] for name in content if name in named[number])
    total = dict.fromkeys(draws, 1)
    for _ in range(_LEVELS if draws else 0):
        total = {
            number: 1 + sum(times * total.get(called, 1) for called, times in counted.items())
            for number, counted in draws.items()
        }
        if max(total.values()) > _MAX_DRAWS:
            return True
    return False


def _names(dictionary: bytes, data: bytes) -> dict[bytes, int]:
    """What the form's resources call the objects it may draw; indirect resources are looked up two levels deep."""
    names: dict[bytes, int] = {}
    level = [dictionary]
    for _ in range(3):
        following: list[bytes] = []
        for text in level:
            for section in _XOBJECTS.findall(text) or ([text] if text is not dictionary else []):
                names.update({name: int(number) for name, number in _NAMED.findall(section)})
            following += [_object(int(number), data) for number in _INDIRECT.findall(text)[:4]]
        level = following
    return names


def _object(number: int, data: bytes) -> bytes:
    """The text of an uncompressed object; plain searches, since a file has megabytes and a form may name several."""
    head = b"%d 0 obj" % number
    at = data.find(head)
    while at > 0 and data[at - 1 : at].isdigit():
        at = data.find(head, at + 1)
    if at < 0:
        return b""
    end = data.find(b"endobj", at, at + 40_000)
    return data[at + len(head) : end] if end > 0 else b""


def _content(dictionary: bytes, data: bytes, at: int) -> bytes:
    """The form's content where it is plain or deflated; empty where it is packed otherwise."""
    start = at + len(b"stream")
    start += 2 if data[start : start + 2] == b"\r\n" else 1
    end = data.find(b"endstream", start)
    body = data[start : end if end > 0 else start + _MAX_CONTENT]
    if b"/Filter" not in dictionary:
        return body[:_MAX_CONTENT]
    if b"FlateDecode" not in dictionary:
        return b""
    try:
        return zlib.decompressobj().decompress(body, _MAX_CONTENT)
    except zlib.error:
        return b""
