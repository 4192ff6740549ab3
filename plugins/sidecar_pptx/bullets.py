"""Bullets and numbers of paragraphs, resolved as PowerPoint does and written as a reader sees them.

ECMA-376 part 1 §21.1.2.4. Not responsible for text. A paragraph without a bullet of its own takes it from the
shape's list style, its layout's, its master's placeholder, and last from the master's text styles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sidecar.toolkit.ooxml.drawing import DrawnParagraph
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement

_NONE, _CHAR, _AUTO, _BLIP, _FONT = f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip", f"{A}buFont"
_LEVELS = tuple(f"{A}lvl{n}pPr" for n in range(1, 10))
_SYMBOL_FONTS = ("wingdings", "symbol", "webdings", "zapf")
_SYMBOLS = {"ü": "✓", "û": "✗", "Ø": "➢", "§": "▪", "q": "❑", "v": "❖", "à": "→", "è": "➔", "o": "○", "n": "■"}
_SCHEME = re.compile(r"(alphaLc|alphaUc|romanLc|romanUc|arabic|circleNum)\w*?(ParenBoth|ParenR|Period|Plain)?$")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip

Styles = Callable[[], Iterable[XmlElement]]
"""Gives the list styles (`a:lstStyle`, `p:bodyStyle` …) from the nearest to the farthest."""


@dataclass
class Bullets:
    """The running numbers of one text body; one is made per shape."""

    styles: Styles
    counts: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])
    _inherited: dict[int, tuple[XmlElement, str] | None] = field(
        default_factory=dict[int, "tuple[XmlElement, str] | None"]
    )

    def marker(self, paragraph: DrawnParagraph) -> tuple[str, bool] | None:
        """What stands before the paragraph and whether it counts: `("•", False)`, `("2.", True)`; None for nothing."""
        level = paragraph.level
        found = _bullet(paragraph.properties) if paragraph.properties is not None else None
        if found is None:
            if level not in self._inherited:
                self._inherited[level] = inherited_bullet(self.styles(), level)
            found = self._inherited[level]
        for deeper in [key for key in self.counts if key > level]:
            del self.counts[deeper]
        if found is None or found[0].tag == _NONE:
            self.counts.pop(level, None)
            return None
        bullet, font = found
        if bullet.tag != _AUTO:
            self.counts.pop(level, None)
            return (_symbol(bullet.get("char", ""), font) if bullet.tag == _CHAR else "•"), False
        scheme, start = bullet.get("type", ""), bullet.get("startAt", "1")
        first = int(start) if start.isdecimal() and len(start) < 6 else 1
        kept = self.counts.get(level)
        number = kept[1] + 1 if kept is not None and kept[0] == scheme + start else first
        self.counts[level] = (scheme + start, number)
        return numbered(number, scheme), True


def inherited_bullet(styles: Iterable[XmlElement], level: int) -> tuple[XmlElement, str] | None:
    """The bullet the nearest style gives that level, with its font; None where no style says."""
    for style in styles:
        node = style.find(_LEVELS[level])
        found = _bullet(node) if node is not None else None
        if found is not None:
            return found
    return None


def _bullet(properties: XmlElement) -> tuple[XmlElement, str] | None:
    font = ""
    for node in properties:
        if node.tag == _FONT:
            font = node.get("typeface", "")
        elif node.tag in {_NONE, _CHAR, _AUTO, _BLIP}:
            return node, font
    return None


def _symbol(char: str, font: str) -> str:
    """Symbol fonts draw letters as bullets; what the reader sees is the sign, not the letter."""
    if font.lower().startswith(_SYMBOL_FONTS):
        return _SYMBOLS.get(char, "•")
    return char if char and char.isprintable() and not 0xE000 <= ord(char[0]) < 0xF900 else "•"


def numbered(number: int, scheme: str) -> str:
    """A number in an `ST_TextAutonumberScheme` (§20.1.10.61): `(2, "alphaLcParenR")` → "b)". Schemes of scripts whose
    digits we do not draw are shown in Arabic digits."""
    match = _SCHEME.match(scheme)
    base, shape = (match[1], match[2] or "Plain") if match else ("arabic", "Period")
    if base.startswith("alpha"):
        # After z comes aa, then bb: the letter repeats.
        text = chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1) if 0 < number < 26 * 40 else str(number)
    elif base.startswith("roman") and 0 < number < 4000:
        text, rest = "", number
        for value, sign in _ROMAN:
            text += sign * (rest // value)
            rest %= value
    elif base == "circleNum" and 0 < number <= 20:
        return chr(0x2460 + number - 1)
    else:
        text = str(number)
    if base.endswith("Uc"):
        text = text.upper()
    return {"ParenBoth": f"({text})", "ParenR": f"{text})", "Period": f"{text}.", "Plain": text}[shape]
