"""Numbered paragraphs of a presentation: PowerPoint 2000 and later keep them beside the text, in tags named "___PPT9"
([MS-PPT] 2.9.26, StyleTextProp9Atom). Not responsible for counting."""

import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sidecar.toolkit.ole.officeart import Record, records
from sidecar_ppt.file import Kind

_PICTURE_BULLET, _HAS_NUMBER, _SCHEME, _LATER = 0x00800000, 0x02000000, 0x01000000, 0x04000000
"""Bits of the paragraph's mask (2.9.21, PFMasks)."""
_CHARACTERS_LATER = 0x00100000
_SPECIAL_LATER, _SPECIAL_BIDI = 0x20, 0x40
_PLAIN_SCHEME = 3
"""`ANM_ArabicPeriod`, where a number is asked for and nothing says which ([MS-PPT] 2.13.31)."""
_SCHEMES = (
    "alphaLcPeriod", "alphaUcPeriod", "arabicParenR", "arabicPeriod", "romanLcParenBoth", "romanLcParenR",
    "romanLcPeriod", "romanUcPeriod", "alphaLcParenBoth", "alphaLcParenR", "alphaUcParenBoth", "alphaUcParenR",
    "arabicParenBoth", "arabicPlain", "romanUcParenBoth", "romanUcParenR", "ea1ChsPlain", "ea1ChsPeriod",
    "circleNumDbPlain", "circleNumWdWhitePlain", "circleNumWdBlackPlain",
)  # fmt: skip
"""TextAutoNumberSchemeEnum ([MS-PPT] 2.13.31) by number, as ECMA-376 names them."""


class NumberScheme(NamedTuple):
    """A scheme (ST_TextAutonumberScheme) and the number it begins with."""

    scheme: str
    first: int


def read_numberings(data: bytes) -> list[NumberScheme | None]:
    """What each run of a StyleTextProp9Atom says, None for no number; what does not fit ends them."""
    found: list[NumberScheme | None] = []
    at = 0
    try:
        while at < len(data):
            mask, at = _number(data, at, "<I")
            at += 2 * bool(mask & _PICTURE_BULLET)
            numbered, scheme, first = 0, _PLAIN_SCHEME, 1
            if mask & _HAS_NUMBER:
                numbered, at = _number(data, at, "<H")
            if mask & _SCHEME:
                scheme, first = struct.unpack_from("<HH", data, at)
                at += 4
            at += 4 * bool(mask & _LATER)
            mask, at = _number(data, at, "<I")
            at += 4 * bool(mask & _CHARACTERS_LATER)
            mask, at = _number(data, at, "<I")
            at += 4 * bool(mask & _SPECIAL_LATER) + 2 * bool(mask & _SPECIAL_BIDI)
            name = _SCHEMES[scheme] if scheme < len(_SCHEMES) else ""
            found.append(NumberScheme(name, first) if numbered else None)
    except struct.error:
        pass
    return found


def outline_numbers(document: bytes) -> dict[tuple[int, int], bytes]:
    """Those of the texts in the outline: number of the slide and of the text on it → content of a StyleTextProp9Atom
    ([MS-PPT] 2.4.23.4 and 2.9.8)."""
    found: dict[tuple[int, int], bytes] = {}
    lists = (
        inner for record in records(document) if record.kind == Kind.DOCUMENT_TAGS for inner in records(record.content)
    )
    for container in tagged(lists, Kind.OUTLINE_NUMBERS):
        key = None
        for record in records(container.content):
            if record.kind == Kind.OUTLINE_NUMBERS_HEAD and len(record.content) >= 4:
                key = int.from_bytes(record.content[:4], "little"), record.instance
            elif record.kind == Kind.TEXT_NUMBERS and key is not None:
                found[key] = record.content
    return found


def tagged(level: Iterable[Record], kind: int) -> Iterator[Record]:
    """Records of a kind in the tags that stand in a run of records."""
    for container in (Kind.TAGS, Kind.TAG, Kind.TAG_DATA):
        level = [inner for record in level if record.kind == container for inner in records(record.content)]
    yield from (record for record in level if record.kind == kind)


def _number(data: bytes, at: int, form: str) -> tuple[int, int]:
    return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
