"""Ligatures by the encodings a file declares: `/Differences` name glyphs by code (ISO 32000-1, 9.6.6), which pdfium
uses and does not tell. Looked for in the file's own objects, packed ones included, and only where letters lack."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from sidecar_pdf.pdfium.type1 import letters_of

_OBJECT = re.compile(rb"(?<!\d)(\d{1,8})\s+\d{1,5}\s+obj\b(.{0,20000}?)(?:endobj|stream\r?\n)", re.DOTALL)
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_PAIR = re.compile(rb"(\d+)\s+(\d+)")
_NUMBERS = re.compile(rb"/(N|First)\s+(\d{1,9})\b")
_BASE = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]{1,100})")
_ENCODING = re.compile(rb"/Encoding\s+(\d{1,8})\s+\d{1,5}\s+R")
_FIRST = re.compile(rb"/FirstChar\s+(\d{1,3})\b")
_WIDTHS = re.compile(rb"/Widths\s*(?:(\d{1,8})\s+\d{1,5}\s+R|\[([^\]]*)\])")
_DIFFERENCES = re.compile(rb"/Differences\s*\[([^\]]*)\]")
_TOKEN = re.compile(rb"(\d{1,3})|/([^\s/<>\[\]()]{1,60})")
_MAX_PACKED, _MAX_UNPACKED = 2_000, 64 << 20


class Declared(NamedTuple):
    """What one font of the file declares: ligatures by code, and widths of codes in thousandths of the type size."""

    ligatures: dict[int, str]
    widths: dict[int, float]


def declared_ligatures(data: bytes) -> dict[str, list[Declared]]:
    """The fonts of a file by name, without subset tag, as far as their encodings name ligatures."""
    objects = dict(_objects(data))
    found: dict[str, list[Declared]] = {}
    for body in objects.values():
        name = _BASE.search(body)
        if not name:
            continue
        reference = _ENCODING.search(body)
        named = _DIFFERENCES.search(objects.get(int(reference[1]), b"") if reference else body)
        letters = _named(named[1]) if named else {}
        if letters:
            font = Declared(letters, _widths(body, objects))
            found.setdefault(name[1].decode("latin-1"), []).append(font)
    return found


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """`(number, text)` of the objects that matter here; those packed in streams come after the others."""
    packed: list[tuple[bytes, int]] = []
    for match in _OBJECT.finditer(data):
        body = match[2]
        if b"/Differences" in body or b"/BaseFont" in body or body.lstrip()[:1] == b"[":
            yield int(match[1]), body
        elif _PACKED.search(body) and len(packed) < _MAX_PACKED:
            packed.append((body, match.end()))
    left = _MAX_UNPACKED
    for body, start in packed:
        end = data.find(b"endstream", start)
        try:
            text = zlib.decompressobj().decompress(data[start : end if end > 0 else len(data)], left)
        except zlib.error:
            continue
        left -= len(text)
        if left <= 0:
            return
        numbers = {key: int(value) for key, value in _NUMBERS.findall(body)}
        first = numbers.get(b"First", 0)
        places = [(int(number), first + int(at)) for number, at in _PAIR.findall(text[:first])]
        for place, (number, at) in enumerate(places):
            stop = places[place + 1][1] if place + 1 < len(places) else len(text)
            yield number, text[at:stop]


def _named(differences: bytes) -> dict[int, str]:
    found: dict[int, str] = {}
    code = 0
    for number, name in _TOKEN.findall(differences):
        if number:
            code = int(number)
            continue
        letters = letters_of(name.decode("latin-1"))
        if letters:
            found[code] = letters
        code += 1
    return found


def _widths(body: bytes, objects: dict[int, bytes]) -> dict[int, float]:
    first, widths = _FIRST.search(body), _WIDTHS.search(body)
    if not first or not widths:
        return {}
    text = objects.get(int(widths[1]), b"") if widths[1] else widths[2]
    values = re.findall(rb"-?\d+(?:\.\d+)?", text)
    return {int(first[1]) + at: float(value) for at, value in enumerate(values[:256])}
