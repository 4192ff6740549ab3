"""Characters of an equation object as runs of Office mathematics: what each shows, how its face looks, its marks."""

import re

from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.word.mathtype.records import Char, Face
from sidecar.toolkit.word.symbols import symbol
from sidecar.toolkit.xml import XmlElement, etree

_TEXTS = (Face.TEXT, Face.TEXT_FAR_EAST)
_FONT_OF_FACE = {Face.LOWER_GREEK: "symbol", Face.UPPER_GREEK: "symbol", Face.SYMBOL: "symbol"}
_SPACES = {0xEF02: " ", 0xEF03: " ", 0xEF04: " ", 0xEF05: " ", 0xEF06: " "}
"""Thin to em spaces of MathType's private area; those of a point and less are left out."""
_EXTRA = {
    0x4B: "…", 0x4C: "⋯", 0x4D: "⋮", 0x4E: "⋰", 0x4F: "⋱", 0x49: "⋂", 0x55: "⋃", 0x43: "∐", 0x50: "∏", 0x51: "∵",
    0x46: "≺", 0x66: "≻", 0x61: "↦", 0x68: "ℏ", 0x6C: "ℓ", 0x6D: "∓", 0x6F: "∘", 0x70: "≺", 0x3D: "≈",
}  # fmt: skip
"""Places of the font MT Extra that are used in equations."""
_PRIVATE = range(0xE000, 0xF900)

ACCENTS = {
    2: "\u0307", 3: "\u0308", 4: "\u20db", 8: "\u0303", 9: "\u0302", 11: "\u20d7", 12: "\u20d6", 13: "\u20e1",
    14: "\u20d7", 15: "\u20d6", 17: "\u0305", 19: "\u0311", 20: "\u0306",
}  # fmt: skip
"""Embellishments above a character → the combining mark that Office mathematics has for them."""
PRIMES = {5: "′", 6: "″", 7: "‵", 18: "‴"}
UNDERLINED = 29
STRUCK = 10
NEGATED = {"=": "≠", "∈": "∉", "∋": "∌", "≡": "≢", "∃": "∄", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "~": "≁", "∼": "≁",
            "≈": "≉", "≅": "≇", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "∣": "∤", "∥": "∦", "⇒": "⇏"}  # fmt: skip


def letter_of(char: Char, version: int) -> str:
    """What a character shows as, without its embellishments; "" for blanks that are none in a line."""
    code = char.code or char.place
    if code in _SPACES:
        return _SPACES[code]
    if version < 3 and char.face in _FONT_OF_FACE:
        return symbol(code, _FONT_OF_FACE[Face(char.face)])
    if version < 3 and char.face == Face.EXTRA:
        return _EXTRA.get(code, "")
    if code in _PRIVATE:
        return symbol(code, "symbol") if 0xF020 <= code <= 0xF0FF else ""
    return chr(code) if code >= 0x20 and not 0xD800 <= code < 0xE000 else ""


def style_of(face: int) -> str:
    """How characters of a face look: "text", "p" (upright), "b" (bold), or "" as letters of mathematics do."""
    if face in _TEXTS:
        return "text"
    return {Face.FUNCTION: "p", Face.VECTOR: "b"}.get(Face(face), "") if face in _FACES else ""


_FACES = frozenset(Face)
NAMES = re.compile(r"[^\W\d_]+|[\W\d_]+")
_OPERANDS = tuple(M + name for name in ("r", "f", "rad", "d", "sSup", "sSub", "sSubSup", "func"))


def last_child(parent: XmlElement) -> XmlElement | None:
    """The last of an element's children, found without counting them."""
    return next(parent.iterchildren(reversed=True), None)


def add_run(parent: XmlElement, text: str, style: str) -> None:
    """A run of characters, where there are any."""
    if not text:
        return
    if style == "text" and not any(map(str.isalpha, text)):
        style = ""
    made = etree.SubElement(parent, f"{M}r")
    if style:
        name, value = ("nor", "") if style == "text" else ("sty", style)
        etree.SubElement(etree.SubElement(made, f"{M}rPr"), M + name).set(f"{M}val", value)
    etree.SubElement(made, f"{M}t").text = text


def add_function(parent: XmlElement, name: str) -> None:
    """The name of a function, which blanks set apart from what stands around it."""
    before = last_child(parent)
    if before is not None and before.tag in _OPERANDS:
        add_run(parent, " ", "")
    function = etree.SubElement(parent, f"{M}func")
    add_run(etree.SubElement(function, f"{M}fName"), name, "p")
    etree.SubElement(function, f"{M}e")


def pop_base(parent: XmlElement) -> XmlElement | None:
    """What stands before a script: the last symbol of a run, a whole name or number, or a whole structure."""
    last = last_child(parent)
    if last is None:
        return None
    if last.tag != f"{M}r":
        parent.remove(last)
        return last
    words = last.find(f"{M}t")
    text = (words.text or "").rstrip()
    upright = last.find(f"{M}rPr") is not None
    cut = len(text) - 1
    while cut > 0 and (text[cut - 1 : cut + 1].isdigit() or (upright and text[cut - 1 : cut + 1].isalpha())):
        cut -= 1
    if cut <= 0:
        parent.remove(last)
        return last
    base = etree.fromstring(etree.tostring(last))
    base.find(f"{M}t").text = text[cut:]
    words.text = text[:cut]
    return base
