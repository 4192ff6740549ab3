"""The runs of a plain paragraph read from its text into a `Line`, and what its properties say; `scanning` tells what is
plain. Not responsible for anything else a paragraph may hold: `paragraph` reads that from a tree, to the same result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sidecar_docx.body.paragraph import Line
from sidecar_docx.body.scanning import Piece
from sidecar_docx.body.text import better_anchor, tidy
from sidecar_docx.qualified_names import whole
from sidecar_docx.styles.run_properties import BITS, UNDERLINE, mask_change

_CHARACTERS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_ELEMENT = re.compile(r"<([\w:]+)([^<>]*)>")
_NUMBERS = re.compile(r"<w:(pStyle|numId|ilvl|outlineLvl)\b([^<>]*)>")
_VAL, _NAME, _TYPE = (re.compile(rf""" w:{name}=(?:"([^"<]*)"|'([^'<]*)')""") for name in ("val", "name", "type"))
_TELLING = frozenset({"w:rStyle", *(f"w:{tag.rpartition('}')[2]}" for tag in BITS)})
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
_REFERENCE = re.compile(r"&(?:(lt|gt|quot|apos|amp)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")


class Irregular(Exception):  # not an error: the document is read as a tree
    """Something in a plain paragraph is not written the way the scanner knows."""


@dataclass(frozen=True)
class ParagraphProperties:
    """What a `w:pPr` says of its paragraph itself (§17.3.1.26); None where it says nothing."""

    style: str | None = None
    num: str | None = None
    num_level: int | None = None
    outline: int | None = None


@lru_cache(maxsize=1024)
def read_properties(inside: str) -> ParagraphProperties:
    """What the inside of a `w:pPr` says. The same few stand in all paragraphs of a document."""
    style, num, num_level, outline = None, None, None, None
    for name, attributes in _NUMBERS.findall(inside):
        value = _value(_VAL, attributes)
        if name == "pStyle":
            style = value
        elif name == "numId":
            num = "0" if value is None else value
        elif name == "ilvl":
            num_level = whole(value)
        else:
            outline = whole(value, 9)
    return ParagraphProperties(style, num, num_level, outline)


@lru_cache(maxsize=1024)
def _run_mask(inside: str) -> tuple[bool, str | None, int, int]:
    """`(styled, style, kept, set)` of the inside of an `w:rPr`: see `mask_change`."""
    elements = [(name, _value(_VAL, attributes)) for name, attributes in _ELEMENT.findall(inside) if name in _TELLING]
    # The schema puts a style first (§17.3.2.28), and `paragraph` looks for it there only.
    styled = inside.startswith(("<w:rStyle ", "<w:rStyle/"))
    return styled, elements[0][1] if styled else None, *mask_change(elements)


def _value(pattern: re.Pattern[str], attributes: str) -> str | None:
    """An attribute of a start tag. Raises Irregular where it is written with references."""
    match = pattern.search(attributes)
    if match is None:
        return None
    value = match[1] if match[1] is not None else match[2]
    if "&" in value:
        raise Irregular
    return value


def read_pieces(line: Line, pieces: list[Piece], inherited: int) -> None:
    """Append the pieces of a paragraph to `line`. Raises Irregular."""
    mask = inherited
    add = line.add
    for properties, tag, written, name, attributes in pieces:
        if written:
            text = _unescaped(written) if "&" in written else written
            if "\n" in text or "\xad" in text:
                text = tidy(text, preserved='xml:space="preserve"' in tag)
            add(text, mask)
        elif not name:  # a new run
            mask = inherited
            if properties:
                styled, style, kept, on = _run_mask(properties)
                if styled:
                    mask |= line.story.document.styles.style(style).run_mask & ~UNDERLINE
                mask = mask & kept | on
        elif name in _CHARACTERS:
            add(_CHARACTERS[name], mask)
        elif name == "br":
            line.add_break(_value(_TYPE, attributes), mask)
        elif name == "bookmarkStart":
            line.anchor = better_anchor(line.anchor, _value(_NAME, attributes) or "")


def _unescaped(text: str) -> str:
    """The text scanned character data stands for. Raises Irregular when a reference in it stands for no character."""
    if len(_REFERENCE.findall(text)) != text.count("&"):
        raise Irregular
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    """Raises Irregular for what is no character of XML 1.0 (§2.2)."""
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    forbidden = 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF) or code > 0x10FFFF
    if forbidden or (code < 0x20 and code not in (0x09, 0x0A, 0x0D)):
        raise Irregular
    return chr(code)
