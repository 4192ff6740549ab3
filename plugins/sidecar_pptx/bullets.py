"""Bullets and numbers of paragraphs, resolved as PowerPoint does and written as a reader sees them.

ECMA-376 part 1 §21.1.2.4. Not responsible for text. A paragraph without a bullet of its own takes it from the shape's
list style, its layout's, its master's placeholder, and last from the master's text styles."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sidecar.toolkit.ooxml.drawing import DrawnParagraph
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.visible import moved
from sidecar.toolkit.word.number_formats import AutoNumbers
from sidecar.toolkit.xml import XmlElement, unsigned

_LIST_STYLE = f"{A}lstStyle"
_NONE, _CHAR, _AUTO, _BLIP, _FONT = f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip", f"{A}buFont"
_LEVELS = tuple(f"{A}lvl{n}pPr" for n in range(1, 10))
_SYMBOL_FONTS = ("wingdings", "symbol", "webdings", "zapf")
_SYMBOLS = {"ü": "✓", "û": "✗", "Ø": "➢", "§": "▪", "q": "❑", "v": "❖", "à": "→", "è": "➔", "o": "○", "n": "■"}

Styles = Callable[[], Iterable[XmlElement]]
"""Gives the list styles (`a:lstStyle`, `p:bodyStyle` …) from the nearest to the farthest."""


@dataclass
class Bullets:
    """The running numbers of one text body; one is made per shape."""

    styles: Styles
    numbers: AutoNumbers = field(default_factory=AutoNumbers)
    _inherited: dict[int, tuple[XmlElement, str] | None] = field(
        default_factory=dict[int, "tuple[XmlElement, str] | None"]
    )

    def marker(self, paragraph: DrawnParagraph) -> tuple[str, bool] | None:
        """What stands before the paragraph and whether it counts: `("•", False)`, `("2.", True)`; None for nothing."""
        level = paragraph.level
        found = _bullet(paragraph.properties) if paragraph.properties is not None else None
        if found is None:
            if level not in self._inherited:
                self._inherited[level] = _inherited_bullet(self.styles(), level)
            found = self._inherited[level]
        if found is None or found[0].tag == _NONE:
            self.numbers.stop(level)
            return None
        bullet, font = found
        if bullet.tag != _AUTO:
            self.numbers.stop(level)
            return (_symbol(bullet.get("char", ""), font) if bullet.tag == _CHAR else "•"), False
        return self.numbers.next(level, bullet.get("type", ""), unsigned(bullet.get("startAt"), 1)), True


def marked(body: XmlElement, paragraphs: list[DrawnParagraph]) -> list[DrawnParagraph]:
    """The paragraphs of a table's cell with what stands before them. A bullet before a lone one sets it apart from
    nothing, and would make a text of a number."""
    bullets = Bullets(lambda: body.iterchildren(_LIST_STYLE))
    seen = [
        bool(one.text.strip()) and not any(s.kind == "hidden" and not s.start for s in one.spans) for one in paragraphs
    ]
    found = [(one, bullets.marker(one) if shown else None) for one, shown in zip(paragraphs, seen, strict=True)]
    alone = sum(seen) == 1
    return [
        replace(one, text=f"{marker[0]} {one.text}", spans=tuple(moved(one.spans, len(marker[0]) + 1)))
        if marker is not None and (marker[1] or not alone)
        else one
        for one, marker in found
    ]


def _inherited_bullet(styles: Iterable[XmlElement], level: int) -> tuple[XmlElement, str] | None:
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
