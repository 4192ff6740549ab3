"""The tree of an equation object as Office mathematics (OMML): what each template means, in versions 2 to 4 and in
version 5 of MTEF (see `records` for the sources)."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.word.mathtype.characters import (
    ACCENTS,
    NAMES,
    NEGATED,
    PRIMES,
    STRUCK,
    UNDERLINED,
    add_function,
    add_run,
    last_child,
    letter_of,
    pop_base,
    style_of,
)
from sidecar.toolkit.word.mathtype.records import Char, Line, Matrix, Node, Pile, Template
from sidecar.toolkit.xml import XmlElement, etree


class _Meaning(NamedTuple):
    """What a template is: the method that writes it, and the detail it is given."""

    write: "Callable[[_Writer, XmlElement, Template, str], None]"
    detail: str = ""


class _Writer:
    """Writes nodes into an OMML element."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._meanings = _MEANINGS_5 if version >= 5 else _MEANINGS_3

    def nodes(self, parent: XmlElement, nodes: Iterable[Node]) -> None:
        """What stands in a slot. A script has no base of its own: that is what stands before it, or behind it."""
        waiting: XmlElement | None = None
        for is_plain, group in groupby(nodes, lambda node: isinstance(node, Char) and not node.marks):
            for node in [list(group)] if is_plain else group:
                if isinstance(node, list):
                    self._runs(parent, [one for one in node if isinstance(one, Char)])
                else:
                    self._node(parent, node)
                behind = waiting.getnext() if waiting is not None else None
                if waiting is not None and behind is not None:  # scripts that precede their base
                    waiting.find(f"{M}e").append(behind)
                    waiting = None
                last = last_child(parent)
                if last is not None and last.tag == f"{M}sPre" and last_child(last.find(f"{M}e")) is None:
                    waiting = last

    def line(self, parent: XmlElement, name: str, line: Line) -> XmlElement:
        """A slot as an element of that name."""
        made = etree.SubElement(parent, M + name)
        self.nodes(made, line.objects)
        return made

    def _node(self, parent: XmlElement, node: Node) -> None:
        if isinstance(node, Char):
            self._embellished(parent, node)
        elif isinstance(node, Line):
            self.nodes(parent, node.objects)
        elif isinstance(node, Pile):
            self._rows(parent, node.lines)
        elif isinstance(node, Matrix):
            made = etree.SubElement(parent, f"{M}m")
            for at in range(0, len(node.cells), max(node.columns, 1)):
                row = etree.SubElement(made, f"{M}mr")
                for cell in node.cells[at : at + max(node.columns, 1)]:
                    self.line(row, "e", cell)
        else:
            meaning = self._meanings.get(node.selector, _Meaning(_Writer.contents))
            meaning.write(self, parent, node, meaning.detail)

    def _rows(self, parent: XmlElement, lines: list[Line]) -> None:
        if len(lines) == 1:
            self.nodes(parent, lines[0].objects)
            return
        made = etree.SubElement(parent, f"{M}eqArr")
        for line in lines:
            self.line(made, "e", line)

    # Characters.

    def _runs(self, parent: XmlElement, chars: list[Char]) -> None:
        for style, group in groupby(chars, lambda char: style_of(char.face)):
            text = "".join(letter_of(char, self._version) for char in group)
            if style != "p":
                add_run(parent, text, style)
                continue
            for piece in NAMES.findall(text):  # brackets beside the name have its face
                if len(piece) > 1 and piece.isalpha():
                    add_function(parent, piece)
                else:
                    add_run(parent, piece, "")

    def _embellished(self, parent: XmlElement, char: Char) -> None:
        letter = letter_of(char, self._version)
        if STRUCK in char.marks:
            letter = NEGATED.get(letter, letter + "\u0338")
        inner = parent
        for mark in char.marks:
            if mark in ACCENTS:
                made = _with(inner, "acc", "accPr", {"chr": ACCENTS[mark]})
                inner = etree.SubElement(made, f"{M}e")
            elif mark == UNDERLINED:
                inner = etree.SubElement(_with(inner, "bar", "barPr", {"pos": "bot"}), f"{M}e")
        add_run(inner, letter, style_of(char.face))
        primes = "".join(PRIMES[mark] for mark in char.marks if mark in PRIMES)
        if primes:
            add_run(parent, primes, "")

    # Templates, each by the order of its slots.

    def contents(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """Slots one after the other: of a template that says nothing about words."""
        for slot in template.slots:
            self.nodes(parent, slot.objects)

    def fence(self, parent: XmlElement, template: Template, detail: str) -> None:
        """Brackets: what is left out is not drawn."""
        left, right = detail[0], detail[-1]
        if self._version >= 5:
            has_left, has_right = template.variation & 1, template.variation & 2
        else:
            has_left, has_right = template.variation != 2, template.variation != 1
        self._between(parent, template, left if has_left else "", right if has_right else "")

    def mixed_fence(self, parent: XmlElement, template: Template, detail: str) -> None:
        """Brackets of two kinds: by the selector, or by the variation."""
        if not detail:
            detail = "()[]"[template.variation & 3] + "()[]"[template.variation >> 4 & 3]
        self._between(parent, template, detail[0], detail[-1])

    def _between(self, parent: XmlElement, template: Template, left: str, right: str) -> None:
        made = _with(parent, "d", "dPr", {"begChr": left, "endChr": right})
        self.line(made, "e", _slot(template, 0))

    def root(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """A root: what is under it, then its degree."""
        made = etree.SubElement(parent, f"{M}rad")
        if template.variation & 1 and len(template.slots) > 1:
            self.line(made, "deg", template.slots[1])
        self.line(made, "e", _slot(template, 0))

    def fraction(self, parent: XmlElement, template: Template, detail: str) -> None:
        """Numerator and denominator, with a bar or a slash between them."""
        slashed = detail == "lin" or (self._version >= 5 and template.variation & 2)
        made = _with(parent, "f", "fPr", {"type": "lin"} if slashed else {})
        self.line(made, "num", _slot(template, 0))
        self.line(made, "den", _slot(template, 1))

    def script(self, parent: XmlElement, template: Template, detail: str) -> None:
        """Scripts: subscript, superscript. `detail` is which are there, where the selector says it, and "<" before."""
        slots = template.slots
        sub, sup = _slot(template, 0), _slot(template, 1)
        if len(slots) == 1:  # one that is not there need not be written
            only_sub = detail == "sub" or (detail in ("", "<") and template.variation == 1)
            sub, sup = (slots[0], Line()) if only_sub else (Line(), slots[0])
        precedes = detail == "<" or (self._version >= 5 and template.variation & 1)
        if precedes:
            made = etree.SubElement(parent, f"{M}sPre")
            self.line(made, "sub", sub)
            self.line(made, "sup", sup)
            etree.SubElement(made, f"{M}e")
            return
        kind = "sSubSup" if sub.objects and sup.objects else "sSup" if sup.objects else "sSub"
        base = pop_base(parent)
        made = etree.SubElement(parent, M + kind)
        inner = etree.SubElement(made, f"{M}e")
        if base is not None:
            inner.append(base)
        if kind != "sSup":
            self.line(made, "sub", sub)
        if kind != "sSub":
            self.line(made, "sup", sup)

    def bar(self, parent: XmlElement, template: Template, detail: str) -> None:
        """A line above or below."""
        made = _with(parent, "bar", "barPr", {"pos": detail})
        self.line(made, "e", _slot(template, 0))

    def accent(self, parent: XmlElement, template: Template, detail: str) -> None:
        """A mark over a whole slot."""
        if detail == "vector":
            detail = "\u20d6" if template.variation & 3 == 1 else "\u20e1" if template.variation & 3 == 3 else "\u20d7"
        elif detail == "over arrow":
            detail = {0: "\u20d6", 2: "\u20e1"}.get(template.variation, "\u20d7")
        made = _with(parent, "acc", "accPr", {"chr": detail})
        self.line(made, "e", _slot(template, 0))

    def arrow(self, parent: XmlElement, template: Template, detail: str) -> None:
        """An arrow with words above or below it."""
        slots = [slot for slot in template.slots if slot.objects]
        if not detail:
            detail = {0x10: "←", 0x20: "→"}.get(template.variation & 0x30, "↔")
            upper, lower = (slots[:1], slots[1:]) if template.variation & 4 else ([], slots[:1])
        else:
            upper, lower = (slots[:1], []) if template.variation == 0 else ([], slots[:1])
        outer = parent
        if upper:
            outer = etree.SubElement(outer, f"{M}limUpp")
        inner = etree.SubElement(outer, f"{M}e") if upper else outer
        if lower:
            low = etree.SubElement(inner, f"{M}limLow")
            add_run(etree.SubElement(low, f"{M}e"), detail, "")
            self.line(low, "lim", lower[0])
        else:
            add_run(inner, detail, "")
        if upper:
            self.line(outer, "lim", upper[0])

    def operator(self, parent: XmlElement, template: Template, detail: str) -> None:
        """A sum, an integral, a union: what it is over, lower and upper limit; the sources have these two the other way
        round, all real files seen this way."""
        sign = detail or next((letter_of(char, self._version) for char in template.chars), "") or "∫"
        if detail == "∫" and self._version >= 5:
            looped = template.variation & 0xC
            sign = ("∮∯∰" if looped else "∫∬∭")[max(template.variation & 3, 1) - 1]
        made = _with(parent, "nary", "naryPr", {"chr": sign})
        self.line(made, "sub", _slot(template, 1))
        self.line(made, "sup", _slot(template, 2))
        self.line(made, "e", _slot(template, 0))

    def loop(self, parent: XmlElement, template: Template, detail: str) -> None:
        """An integral of the older versions: the last variations have a loop."""
        plain_sign, looped, first_looped = detail[0], detail[1], int(detail[2])
        has_loop = template.variation == 0 if first_looped == 9 else template.variation >= first_looped
        self.operator(parent, template, looped if has_loop else plain_sign)

    def limit(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """A word with what stands below and above it."""
        lower, upper = _slot(template, 1), _slot(template, 2)
        if len(template.slots) == 2 and (template.variation == 0 if self._version < 5 else template.variation & 3 == 2):
            lower, upper = Line(), template.slots[1]
        outer = etree.SubElement(parent, f"{M}limUpp") if upper.objects else parent
        inner = etree.SubElement(outer, f"{M}e") if upper.objects else outer
        if lower.objects:
            low = etree.SubElement(inner, f"{M}limLow")
            self.line(low, "e", _slot(template, 0))
            self.line(low, "lim", lower)
        else:
            self.nodes(inner, _slot(template, 0).objects)
        if upper.objects:
            self.line(outer, "lim", upper)

    def brace(self, parent: XmlElement, template: Template, detail: str) -> None:
        """A brace along a slot, with words at it."""
        above = detail == "top" or (not detail and template.variation & 1)
        outer = etree.SubElement(parent, f"{M}limUpp" if above else f"{M}limLow")
        made = _with(
            etree.SubElement(outer, f"{M}e"), "groupChr", "groupChrPr",
            {"chr": "⏞" if above else "⏟", "pos": "top" if above else "bot"},
        )  # fmt: skip
        self.line(made, "e", _slot(template, 0))
        self.line(outer, "lim", _slot(template, 1))

    def division(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """Long division: the quotient stands above."""
        made = _with(parent, "d", "dPr", {"begChr": ")", "endChr": ""})
        self.line(made, "e", _slot(template, 0))
        if _slot(template, 1).objects:
            add_run(parent, "=", "")
            self.nodes(parent, _slot(template, 1).objects)

    def dirac(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """Bra and ket, or one of them."""
        parts = [slot for slot in template.slots if slot.objects]
        variation = template.variation & 3 if self._version >= 5 else (3, 1, 2)[min(template.variation, 2)]
        left, right = ("⟨" if variation & 1 else "|"), ("⟩" if variation & 2 else "|")
        made = _with(parent, "d", "dPr", {"begChr": left, "endChr": right, "sepChr": "|"})
        for part in parts or [Line()]:
            self.line(made, "e", part)

    def box(self, parent: XmlElement, template: Template, _detail: str) -> None:
        """A frame around a slot."""
        self.line(etree.SubElement(parent, f"{M}borderBox"), "e", _slot(template, 0))


def _slot(template: Template, number: int) -> Line:
    return template.slots[number] if number < len(template.slots) else Line()


def _with(parent: XmlElement, name: str, properties: str, values: dict[str, str]) -> XmlElement:
    """An element of that name with properties."""
    made = etree.SubElement(parent, M + name)
    holder = etree.SubElement(made, M + properties)
    for key, value in values.items():
        etree.SubElement(holder, M + key).set(f"{M}val", value)
    return made


_MEANINGS_3: dict[int, _Meaning] = {
    0: _Meaning(_Writer.fence, "⟨⟩"), 1: _Meaning(_Writer.fence, "()"), 2: _Meaning(_Writer.fence, "{}"),
    3: _Meaning(_Writer.fence, "[]"), 4: _Meaning(_Writer.fence, "||"), 5: _Meaning(_Writer.fence, "‖‖"),
    6: _Meaning(_Writer.fence, "⌊⌋"), 7: _Meaning(_Writer.fence, "⌈⌉"),
    8: _Meaning(_Writer.mixed_fence, "[["), 9: _Meaning(_Writer.mixed_fence, "]]"),
    10: _Meaning(_Writer.mixed_fence, "]["), 11: _Meaning(_Writer.mixed_fence, "[)"),
    12: _Meaning(_Writer.mixed_fence, "(]"), 13: _Meaning(_Writer.root), 14: _Meaning(_Writer.fraction),
    15: _Meaning(_Writer.script), 16: _Meaning(_Writer.bar, "bot"), 17: _Meaning(_Writer.bar, "top"),
    18: _Meaning(_Writer.arrow, "←"), 19: _Meaning(_Writer.arrow, "→"), 20: _Meaning(_Writer.arrow, "↔"),
    21: _Meaning(_Writer.loop, "∫∮3"), 22: _Meaning(_Writer.loop, "∬∯2"), 23: _Meaning(_Writer.loop, "∭∰2"),
    24: _Meaning(_Writer.loop, "∫∮2"), 25: _Meaning(_Writer.loop, "∬∯9"), 26: _Meaning(_Writer.loop, "∭∰9"),
    27: _Meaning(_Writer.brace, "top"), 28: _Meaning(_Writer.brace, "bot"),
    **{29 + at: _Meaning(_Writer.operator, "∑∑∏∏∐∐⋃⋃⋂⋂"[at]) for at in range(10)},
    39: _Meaning(_Writer.limit), 40: _Meaning(_Writer.division), 41: _Meaning(_Writer.fraction, "lin"),
    42: _Meaning(_Writer.operator), 43: _Meaning(_Writer.operator), 44: _Meaning(_Writer.script, "<"),
    45: _Meaning(_Writer.dirac), 46: _Meaning(_Writer.bar, "bot"), 47: _Meaning(_Writer.accent, "over arrow"),
    48: _Meaning(_Writer.accent, "\u0311"),
}  # fmt: skip
"""Templates of versions 2 to 4 by their selectors ("Template Selectors and Variations")."""

_MEANINGS_5: dict[int, _Meaning] = {
    **{at: _MEANINGS_3[at] for at in range(8)},
    8: _Meaning(_Writer.fence, "⟦⟧"), 9: _Meaning(_Writer.mixed_fence), 10: _Meaning(_Writer.root),
    11: _Meaning(_Writer.fraction), 12: _Meaning(_Writer.bar, "bot"), 13: _Meaning(_Writer.bar, "top"),
    14: _Meaning(_Writer.arrow), 15: _Meaning(_Writer.operator, "∫"),
    **{16 + at: _Meaning(_Writer.operator, "∑∏∐⋃⋂"[at]) for at in range(5)},
    21: _Meaning(_Writer.operator), 22: _Meaning(_Writer.operator), 23: _Meaning(_Writer.limit),
    24: _Meaning(_Writer.brace), 25: _Meaning(_Writer.brace), 26: _Meaning(_Writer.division),
    27: _Meaning(_Writer.script, "sub"), 28: _Meaning(_Writer.script, "sup"), 29: _Meaning(_Writer.script),
    30: _Meaning(_Writer.dirac), 31: _Meaning(_Writer.accent, "vector"), 32: _Meaning(_Writer.accent, "\u0303"),
    33: _Meaning(_Writer.accent, "\u0302"), 34: _Meaning(_Writer.accent, "\u0311"), 37: _Meaning(_Writer.box),
}  # fmt: skip
"""Templates of version 5 ("Template selectors and variations"); a strike and a joint status show what is in them."""


def written(version: int, nodes: Iterable[Node]) -> XmlElement:
    """An `m:oMath` of what stands in an equation."""
    root = etree.Element(f"{M}oMath")
    _Writer(version).nodes(root, nodes)
    return root
