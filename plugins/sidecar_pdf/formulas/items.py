"""The stretches of a formula that stand as one: signs, and what is drawn in several pieces, such as tall delimiters,
words, numbers, dots and extended arrows."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar_pdf.formulas.pieces import CLOSE, OPEN, OPERATORS, Piece, symbol
from sidecar_pdf.text.glyphs import Glyph

_PIECES = {
    **dict.fromkeys("⎛⎜⎝", "("), **dict.fromkeys("⎞⎟⎠", ")"), **dict.fromkeys("⎡⎢⎣", "["), **dict.fromkeys("⎤⎥⎦", "]"),
    **dict.fromkeys("⎧⎨⎩⎪", "{"), **dict.fromkeys("⎫⎬⎭", "}"), "⎷": "√", "∣": "|", "❘": "|", "‾": "¯", "∥": "‖",
    "◦": "∘", "\ue150": "╭", "\ue151": "╮", "\ue152": "╰", "\ue153": "╯",
}  # fmt: skip
"""What the pieces of tall delimiters belong to, MathJax's of braces that lie, and signs that are drawn alike."""
_JOINED = {
    **dict.fromkeys("⎧⎫", (True, "⎨⎬")), **dict.fromkeys("⎩⎭", (False, "⎨⎬")),
    **{one: (True, other) for one, other in zip("⎛⎞⎡⎤", "⎝⎠⎣⎦", strict=True)},
    **{other: (False, one) for one, other in zip("⎛⎞⎡⎤", "⎝⎠⎣⎦", strict=True)}, "⎨": (False, ""), "⎬": (False, ""),
}  # fmt: skip
"""Ends of tall delimiters, whether they are upper ones, and what they reach down or up to."""
_SLASHES = frozenset("\u0338\ue020")
"""What negates the relation that it is drawn over; KaTeX's has a private place."""
_ROOT_PIECES = frozenset("\ue000\ue001")
_LOW_PIECES = _ROOT_PIECES | {"{", "}"}
"""Pieces of roots, and of braces around two rows, which may be no taller than a line."""
_VARIATIONS = "".join(map(chr, range(0xFE00, 0xFE10)))
"""Variation selectors: behind signs of TeX's extension font they say how tall these are (glyphtounicode, cmap)."""
_BRACE_LINE = "\ue154"
"""What MathJax draws between the tips of a brace that lies; nothing of it is left out where they are joined."""
_DOTS = frozenset(".·⋅")
DELIMITERS = frozenset(OPEN + CLOSE + "|‖")
_TIPS = frozenset("╭╮╰╯")
_BRACES = {"╰": ("⏟", "╮╭╯"), "╭": ("⏞", "╯╰╮")}
"""Braces that lie, by their first tip, and the other three."""
# Ems of the line, unless said.
AXIS = 0.25  # of the middle of signs over the baseline
SCRIPT_SHIFT = 0.1  # by which scripts stand off the baseline
_TALL = 1.25  # height of delimiters that have no baseline of their own
_LETTERS_APART, _DIGITS_APART = 0.18, 0.38  # between the letters of a word, the digits of a number
_NAME_APART = 0.12  # from the name of a function to a letter that goes on with it: TeX sets 1/6 to its argument
_MIN_STEP, _MAX_STEP, _SAME_STEP = 0.2, 0.75, 0.12  # from dot to dot of an ellipsis; by which its steps differ
_INTEGRALS_APART = 0.72  # from one integral sign to the next of a double one
_BESIDE = 0.3  # by which the middle of an item may be above or below a tall delimiter that it stands beside
_CHAIN_GAP = 0.35  # to what goes on from a limit
_BOLD_WORD = 4  # letters from which on bold ones are a word
_LOOKED_BACK = 64  # signs, by their left edge, among which a word or delimiter goes on


@dataclass(eq=False)
class Item:
    """A stretch that stands as one: a glyph, a word, or what was made of several."""

    piece: Piece
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    upright: bool = False
    """A letter in upright type, of a word perhaps; bold ones are vectors and matrices."""
    made: bool = False
    """Made of several glyphs."""

    @property
    def middle(self) -> float:
        """Where it is, across the page, in points."""
        return (self.x0 + self.x1) / 2

    @property
    def center(self) -> float:
        """Where it is, down the page, in points."""
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        """How tall it is, in points."""
        return self.y1 - self.y0


def items_of(glyphs: Sequence[Glyph]) -> list[Item]:
    """The items that glyphs draw, by their left edge."""
    shown = [glyph for glyph in glyphs if glyph.text.strip(_VARIATIONS + _BRACE_LINE).strip()]
    if any(glyph.math and glyph.text.isalpha() for glyph in shown):  # letters in the italics of text are words then
        shown = [glyph if glyph.math else glyph._replace(italic=False) for glyph in shown]
    return _merged([_item(glyph) for glyph in _closed_up(shown)])


def tall_delimiters(glyphs: Sequence[Glyph]) -> list[Item]:
    """The delimiters among glyphs that are taller than a line, by their left edge, each with all of its pieces."""
    found = [glyph for glyph in glyphs if _PIECES.get(glyph.text, glyph.text) in DELIMITERS]
    return [item for item in items_of(found) if is_tall(item)]


def _closed_up(glyphs: list[Glyph]) -> list[Glyph]:
    """The glyphs with the ends of tall delimiters as far as to what they join: to the middles of braces, whose piece
    between these pdfium leaves out where it is the same over the middle, and to the other end, where a browser draws
    what is between them as a shape."""
    ends = [glyph for glyph in glyphs if glyph.text in _JOINED]
    made: list[Glyph] = []
    for glyph in glyphs:
        upper, others = _JOINED.get(glyph.text, (False, ""))
        near = [e for e in ends if e.text in others and e.x0 < glyph.x1 and glyph.x0 < e.x1] if others else []
        if upper:
            made.append(glyph._replace(y1=max(glyph.y1, min((e.y0 for e in near if e.y0 > glyph.y0), default=0.0))))
        elif near:
            over = max((e.y1 for e in near if e.y1 < glyph.y1), default=glyph.y0)
            made.append(glyph._replace(y0=min(glyph.y0, over)))
        else:
            made.append(glyph)
    return made


def _item(glyph: Glyph) -> Item:
    text = glyph.text.strip(_VARIATIONS)
    text = _PIECES.get(text, text)
    piece = symbol(text, italic=glyph.italic, bold=glyph.bold)
    base = glyph.base
    if text in DELIMITERS or text in OPERATORS or text == "√":
        tall = glyph.y1 - glyph.y0 > _TALL * glyph.size or text in OPERATORS
        base = (glyph.y0 + glyph.y1) / 2 + AXIS * glyph.size if tall else base
    upright = text.isascii() and text.isalpha() and not glyph.italic and not glyph.bold
    return Item(piece, text, glyph.x0, glyph.y0, glyph.x1, glyph.y1, base, glyph.size, upright)


def _with_braces(items: list[Item]) -> list[Item]:
    """With a brace that lies under or over a stretch, which TeX draws of four tips, as one sign."""
    found = [i for i in items if i.text not in _TIPS]
    tips = sorted((i for i in items if i.text in _TIPS), key=lambda i: i.x0)
    while tips:
        first = tips.pop(0)
        wanted = _BRACES.get(first.text, ("", ""))
        run = [first]
        for tip in wanted[1]:
            after = next((t for t in tips if t.text == tip and abs(t.center - first.center) < first.size), None)
            run += [after] if after is not None and after.x0 > run[-1].x0 else []
        if len(run) < len("╰╮╭╯"):
            continue
        tips = [tip for tip in tips if tip not in run]
        first.x1, first.y0, first.y1 = run[-1].x1, min(i.y0 for i in run), max(i.y1 for i in run)
        first.text, first.piece = wanted[0], symbol(wanted[0], italic=False, bold=False)
        found.append(first)
    return found


def _joined(one: Item, other: Item) -> str:
    """The sign that two make which TeX draws over or close beside one another; "" where they are two."""
    level = (
        abs(one.base - other.base) < SCRIPT_SHIFT * one.size and abs(one.size - other.size) < SCRIPT_SHIFT * one.size
    )
    if one.text in _SLASHES or other.text in _SLASHES:
        sign = unicodedata.normalize("NFC", (one.text if other.text in _SLASHES else other.text) + "\u0338")
        return sign if len(sign) == 1 and level and other.x0 < one.x1 else ""
    if one.text[-1] in "∫∬" and other.text == "∫" and level:
        return {"∫": "∬", "∬": "∭"}[one.text] if other.x0 - one.x0 < _INTEGRALS_APART * one.size else ""
    return ""


def _with_dots(items: list[Item]) -> list[Item]:
    """With three dots at even steps, level, upright or sloping, as one sign."""
    dots = sorted((i for i in items if i.text in _DOTS), key=lambda i: (i.x0, i.y0))
    if len(dots) < len("..."):
        return items
    taken: set[int] = set()
    for first in dots:
        run = [first, *_steps(first, [i for i in dots if id(i) not in taken and i is not first])]
        sign = _dots_sign(run) if id(first) not in taken and len(run) == len("...") else ""
        if sign:
            first.x1, first.base = max(i.x1 for i in run), max(i.base for i in run)
            first.y0, first.y1 = min(i.y0 for i in run), max(i.y1 for i in run)
            first.text, first.piece = sign, symbol(sign, italic=False, bold=False)
            taken.update(id(i) for i in run)
            taken.add(id(first))
            items = [i for i in items if i is first or i not in run]
    return items


def _steps(first: Item, dots: list[Item]) -> list[Item]:
    """The two dots that follow one at the same step."""
    em = first.size
    for second in dots:
        x, y = second.middle - first.middle, second.center - first.center
        if second.text != first.text or not _MIN_STEP * em < max(abs(x), abs(y)) < _MAX_STEP * em:
            continue
        third = next(
            (i for i in dots if i is not second and i.text == first.text
             and abs(i.middle - second.middle - x) + abs(i.center - second.center - y) < _SAME_STEP * em), None
        )  # fmt: skip
        if third is not None and x > -_SAME_STEP * em:
            return [second, third]
    return []


def _dots_sign(run: list[Item]) -> str:
    em = run[0].size
    x, y = run[1].middle - run[0].middle, run[1].center - run[0].center
    if abs(y) < _SAME_STEP * em:
        return "…" if run[0].text == "." else "⋯"
    if abs(x) < _SAME_STEP * em:
        return "⋮"
    return "⋱" if y > 0 else "⋰"


def _merged(items: list[Item]) -> list[Item]:
    """With the pieces of tall delimiters, and the letters and digits of words and numbers, as one."""
    merged: list[Item] = []
    for item in sorted(_with_dots(_with_braces(items)), key=lambda i: (i.x0, i.y0)):
        for other in reversed(merged[-_LOOKED_BACK:]):
            if sign := _joined(other, item):
                other.text, other.piece = sign, symbol(sign, italic=False, bold=False)
                other.x1 = max(other.x1, item.x1)
                other.y0, other.y1 = min(other.y0, item.y0), max(other.y1, item.y1)
                break
            if _is_stacked(other, item):
                other.y0, other.y1 = min(other.y0, item.y0), max(other.y1, item.y1)
                other.x1 = max(other.x1, item.x1)
                other.base = (other.y0 + other.y1) / 2 + AXIS * other.size
                break
            if _runs_on(other, item):
                other.text, other.x1 = other.text + item.text, item.x1
                other.y0, other.y1 = min(other.y0, item.y0), max(other.y1, item.y1)
                other.piece = symbol(other.text, italic=False, bold=False)
                break
        else:
            merged.append(item)
    return _with_bold_words(_with_pieces(_with_figured_names(merged)))


def _with_figured_names(items: list[Item]) -> list[Item]:
    """With a name in upright type that figures stand in, such as `log1p`, as one word."""
    found: list[Item] = []
    for item in items:
        name, figures = found[-2:] if len(found) > 1 else (item, item)
        named = name.upright and len(name.text) > 1 and figures.text.isdigit() and item.upright
        if named and _spells_on(name, figures) and _spells_on(figures, item):
            del found[-1]
            name.text, name.x1 = name.text + figures.text + item.text, item.x1
            name.y0, name.y1 = min(name.y0, figures.y0, item.y0), max(name.y1, figures.y1, item.y1)
            name.piece = symbol(name.text, italic=False, bold=False)
        else:
            found.append(item)
    return found


def _with_bold_words(items: list[Item]) -> list[Item]:
    """With bold letters that spell a word, such as keywords, as one; few bold letters are a product of vectors."""
    runs: list[list[Item]] = []
    for item in items:
        if not item.piece.latex.startswith(r"\mathbf{") or not item.text.islower():
            continue
        run = next((run for run in reversed(runs) if _spells_on(run[-1], item)), None)
        if run is None:
            runs.append([item])
        else:
            run.append(item)
    taken: set[int] = set()
    for run in runs:
        text = "".join(item.text for item in run)
        piece = symbol(text, italic=False, bold=False)
        if len(run) < _BOLD_WORD and (len(run) < len("log") or piece.kind != "function"):
            continue
        first = run[0]
        first.text, first.x1, first.upright = text, run[-1].x1, True
        first.y0, first.y1 = min(item.y0 for item in run), max(item.y1 for item in run)
        first.piece = piece if piece.kind == "function" else piece._replace(latex=rf"\textbf{{{text}}}")
        taken.update(id(item) for item in run[1:])
    return [item for item in items if id(item) not in taken]


def _spells_on(letter: Item, item: Item) -> bool:
    """Whether a letter stands right behind another, on its line and in its size."""
    near = SCRIPT_SHIFT * letter.size
    level = abs(letter.base - item.base) < near and abs(letter.size - item.size) < near
    return level and -near < item.x0 - letter.x1 < near


def _with_pieces(items: list[Item]) -> list[Item]:
    """With the halves of tall delimiters as one that the pieces between them went to in turn."""
    found: list[Item] = []
    for item in items:
        tall = is_tall(item) or item.text in _LOW_PIECES
        half = next((other for other in found if tall and _is_stacked(other, item)), None)
        if half is None:
            found.append(item)
            continue
        half.y0, half.y1 = min(half.y0, item.y0), max(half.y1, item.y1)
        half.base = half.center + AXIS * half.size
    return found


def _is_stacked(one: Item, other: Item) -> bool:
    """Whether two items are pieces of one tall sign, of a root those at MathJax's private places."""
    if (one.text != other.text or one.text not in DELIMITERS) and (one.text != "√" or other.text not in _ROOT_PIECES):
        return False
    across = min(one.x1, other.x1) - max(one.x0, other.x0) > 0
    apart = max(one.y0, other.y0) - min(one.y1, other.y1)
    return across and apart < SCRIPT_SHIFT * max(one.size, other.size)


def _runs_on(word: Item, item: Item) -> bool:
    """Whether a letter goes on a word in upright type, or a digit a number."""
    em = word.size
    if abs(word.base - item.base) > SCRIPT_SHIFT * em or abs(word.size - item.size) > SCRIPT_SHIFT * em:
        return False
    number = word.piece.kind == "number"
    apart = _DIGITS_APART if number else _NAME_APART if word.piece.kind == "function" else _LETTERS_APART
    if not -_LETTERS_APART * em < item.x0 - word.x1 < apart * em:
        return False
    if number:
        return item.text.isdigit() or (item.text in ".," and word.text[-1].isdigit())
    return word.upright and item.upright and not (word.piece.kind == "function" and item.text.isupper())


def is_tall(item: Item) -> bool:
    """Whether an item is a delimiter taller than its line."""
    return item.text in DELIMITERS and item.height > _TALL * item.size


def stands_beside(item: Item, delimiter: Item, em: float) -> bool:
    """Whether an item stands between the ends of a tall delimiter."""
    middle = (item.y0 + item.y1) / 2
    return delimiter.y0 - _BESIDE * em < middle < delimiter.y1 + _BESIDE * em


def chain(items: list[Item], sign: Item, em: float) -> list[Item]:
    """Those of the items over or under an operator, and what goes on from them without a gap."""
    taken = [i for i in items if i.x0 < sign.x1 and i.x1 > sign.x0]
    left = [i for i in items if i not in taken]
    grown = bool(taken)
    while grown:
        x0, x1 = min(i.x0 for i in taken), max(i.x1 for i in taken)
        more = [i for i in left if i.x0 < x1 + _CHAIN_GAP * em and i.x1 > x0 - _CHAIN_GAP * em]
        taken += more
        left = [i for i in left if i not in more]
        grown = bool(more)
    return taken
