"""The runs of a plain paragraph read from its text into a `Line`, and what its properties say; `scanning` tells what is
plain. Not responsible for anything else a paragraph may hold: `paragraph` reads that from a tree, to the same result.
"""

import re
from functools import lru_cache
from html import unescape

from sidecar.toolkit.ooxml.namespaces import MC
from sidecar.toolkit.xml import XmlElement, well_formed
from sidecar_docx.body.line import Line
from sidecar_docx.body.scanning import Piece
from sidecar_docx.body.text import better_anchor, normalized
from sidecar_docx.qualified_names import VAL, W14, W15, W
from sidecar_docx.styles.paragraph_properties import ParagraphProperties, paragraph_properties
from sidecar_docx.styles.run_properties import EVERY, UNDERLINE, inherited_mask, mask_of

_CHARACTERS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_NAME, _TYPE = (re.compile(rf""" w:{name}=(?:"([^"<]*)"|'([^'<]*)')""") for name in ("name", "type"))
_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{space[1:-1]}"' for prefix, space in (("w", W), ("w14", W14), ("w15", W15), ("mc", MC))
)
_REFERENCE = re.compile(r"&(?:lt|gt|quot|apos|amp);")


class IrregularParagraph(Exception):  # not an error: the document is read as a tree
    """Something in a plain paragraph is not written the way the scanner knows."""


@lru_cache(maxsize=1024)
def read_properties(inside: str) -> ParagraphProperties:
    """What the inside of a `w:pPr` says. The same few stand in all paragraphs of a document. Raises Irregular."""
    return paragraph_properties(_fragment(f"<w:pPr {_NAMESPACES}>{inside}</w:pPr>"))


@lru_cache(maxsize=1024)
def _run_mask(inside: str) -> tuple[bool, str | None, int, int]:
    """`(styled, style, kept, set)` of the inside of an `w:rPr`: the mask is `inherited & kept | set`. The same few
    stand in all runs of a document, so they are parsed. Raises Irregular."""
    properties = _fragment(f"<w:rPr {_NAMESPACES}>{inside}</w:rPr>")
    # The schema puts a style first (§17.3.2.28), and `paragraph` looks for it there only.
    styled = len(properties) > 0 and properties[0].tag == f"{W}rStyle"
    style = properties[0].get(VAL) if styled else None
    return styled, style, mask_of(properties, EVERY), mask_of(properties)


def _fragment(markup: str) -> XmlElement:
    node = well_formed(markup.encode())
    if node is None:
        raise IrregularParagraph
    return node


def _value(pattern: re.Pattern[str], attributes: str) -> str | None:
    """An attribute of a start tag. Raises Irregular where it is written with references."""
    match = pattern.search(attributes)
    if match is None:
        return None
    value = match[1] if match[1] is not None else match[2]
    if "&" in value:
        raise IrregularParagraph
    return value


def read_pieces(line: Line, pieces: list[Piece], inherited: int) -> None:
    """Append the pieces of a paragraph to `line`. Raises Irregular."""
    mask = inherited
    add = line.add
    for run, properties, first_tag, first, tag, more, name, attributes in pieces:
        if run:
            mask = inherited
            if properties:
                styled, style, kept, on = _run_mask(properties)
                if styled:
                    mask = inherited_mask(mask, line.story.document.styles.style(style).run_mask & ~UNDERLINE)
                mask = mask & kept | on
        if written := first or more:
            text = _unescaped(written) if "&" in written else written
            if "\n" in text or "\xad" in text:
                text = normalized(text, preserved='xml:space="preserve"' in (first_tag or tag))
            add(text, mask)
        elif name in _CHARACTERS:
            add(_CHARACTERS[name], mask)
        elif name == "br":
            line.add_break(_value(_TYPE, attributes), mask)
        elif name == "bookmarkStart":
            line.anchor = better_anchor(line.anchor, _value(_NAME, attributes) or "")


def _unescaped(text: str) -> str:
    """The text scanned character data stands for. Raises Irregular where another reference stands in it than XML's five
    named ones: programs write Word's files in UTF-8, and hardly ever a character by its number."""
    if len(_REFERENCE.findall(text)) != text.count("&"):
        raise IrregularParagraph
    return unescape(text)
