"""The runs of a plain paragraph read from its text into a `Line`, and what its properties say; see `plain` for what is
plain. Not responsible for anything else a paragraph may hold: `inline` reads that from a tree, and to the same result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sidecar.toolkit.ooxml.markup import unescape
from sidecar_docx.controls import better_anchor
from sidecar_docx.looks import BITS, UNDERLINE, mask_of
from sidecar_docx.names import whole
from sidecar_docx.plain import Piece

if TYPE_CHECKING:
    from sidecar_docx.inline import Line

_CHARACTERS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_ELEMENT = re.compile(r"<([\w:]+)([^<>]*)>")
_NUMBERS = re.compile(r"<w:(pStyle|numId|ilvl|outlineLvl)\b([^<>]*)>")
_VAL, _NAME, _TYPE = (re.compile(rf""" w:{name}=(?:"([^"<]*)"|'([^'<]*)')""") for name in ("val", "name", "type"))
_TELLING = frozenset({"w:rStyle", *(f"w:{tag.rpartition('}')[2]}" for tag in BITS)})
_BROKEN_LINES = re.compile(r"[ \t\r]*\n[ \t\r\n]*")


class Irregular(Exception):  # not an error: the document is read as a tree
    """Something in a plain paragraph is not written the way the scanner knows."""


@dataclass(frozen=True)
class Properties:
    """What a `w:pPr` says of its paragraph itself (§17.3.1.26); None where it says nothing."""

    style: str | None = None
    num: str | None = None
    num_level: int | None = None
    outline: int | None = None


@lru_cache(maxsize=1024)
def read_properties(inside: str) -> Properties:
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
    return Properties(style, num, num_level, outline)


@lru_cache(maxsize=1024)
def _run_look(inside: str) -> tuple[bool, str | None, int, int]:
    """`(styled, style, kept, set)` of the inside of an `w:rPr`: see `looks.mask_of`."""
    elements = [(name, _value(_VAL, attributes)) for name, attributes in _ELEMENT.findall(inside) if name in _TELLING]
    # The schema puts a style first (§17.3.2.28), and `inline` looks for it there only.
    styled = inside.startswith(("<w:rStyle ", "<w:rStyle/"))
    return styled, elements[0][1] if styled else None, *mask_of(elements)


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
    look = inherited
    add = line.add
    for properties, tag, written, name, attributes in pieces:
        if written:
            text = _unescaped(written) if "&" in written else written
            if "\n" in text or "\xad" in text:
                text = tidy(text, preserved='xml:space="preserve"' in tag)
            add(text, look)
        elif not name:  # a new run
            look = inherited
            if properties:
                styled, style, kept, on = _run_look(properties)
                if styled:
                    look |= line.story.reading.styles.style(style).look & ~UNDERLINE
                look = look & kept | on
        elif name in _CHARACTERS:
            add(_CHARACTERS[name], look)
        elif name == "br":
            line.add_break(_value(_TYPE, attributes), look)
        elif name == "bookmarkStart":
            line.anchor = better_anchor(line.anchor, _value(_NAME, attributes) or "")


def _unescaped(text: str) -> str:
    plain = unescape(text)
    if plain is None:
        raise Irregular
    return plain


def tidy(text: str, *, preserved: bool) -> str:
    """Line ends inside `w:t` are white space, not breaks; soft hyphens show only where a line ends."""
    text = text.replace("\xad", "")
    if "\n" in text:
        text = text.replace("\n", " ") if preserved else _BROKEN_LINES.sub(" ", text)
    return text
