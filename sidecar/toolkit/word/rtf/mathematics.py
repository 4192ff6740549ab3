"""Equations in an RTF file (RTF 1.9.1, "Office Math"): its groups are the elements of Office mathematics (OMML) by the
same names with an m before them, so they become a tree of these, which knows its text and LaTeX."""

from collections.abc import Callable
from typing import Protocol

from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.word.story import Mark
from sidecar.toolkit.xml import XmlElement, etree

MATH = "moMath"
"""The destination of text in an equation."""
_STRUCTURES = frozenset((
    "acc", "bar", "box", "borderBox", "d", "eqArr", "f", "func", "groupChr", "limLow", "limUpp", "m", "nary", "phant",
    "rad", "sPre", "sSub", "sSubSup", "sSup", "r", "e", "num", "den", "sub", "sup", "deg", "lim", "fName", "mr",
))  # fmt: skip
_PROPERTIES = frozenset((
    "chr", "pos", "type", "begChr", "sepChr", "endChr", "degHide", "subHide", "supHide", "show", "limLoc", "grow",
    "vertJc",
))  # fmt: skip
"""Elements whose words are a value."""
_STYLES = {0: "p", 1: "b", 3: "bi"}
_SCRIPTS = {1: "script", 2: "fraktur", 3: "double-struck", 4: "sans-serif", 5: "monospace"}
_MAX_DEPTH = 200
"""Elements inside one another; the tree's readers go less deep."""


class _Group(Protocol):
    """What of a group's state an equation needs."""

    destination: str
    math: "MathTree | None"
    on_end: Callable[[], None] | None


def begin_math(state: _Group, add: Callable[[str, Mark], None]) -> None:
    """An equation begins in the group of a state; at its end it is added to the text."""
    math = state.math = MathTree()
    state.destination = MATH

    def end() -> None:
        shown = " ".join(plain(math.root).split())
        if shown:
            add(shown, Mark("math", latex(math.root)))

    state.on_end = end


class MathTree:
    """The equation being read."""

    def __init__(self) -> None:
        self.root: XmlElement = etree.Element(f"{M}oMath")
        self._open: list[XmlElement] = [self.root]

    def takes(self, state: _Group, word: str, number: int | None) -> bool:
        """Whether a control word is the equation's: it opens an element for its group, or says how a run looks."""
        name = word[1:] if word.startswith("m") else ""
        last = self._open[-1]
        if name == "nor" or (name == "sty" and number in _STYLES) or (name == "scr" and number in _SCRIPTS):
            value = _STYLES[number or 0] if name == "sty" else _SCRIPTS[number or 0] if name == "scr" else ""
            self._property(last, name, value)
            return True
        known = name in _STRUCTURES or name in _PROPERTIES or (name.endswith("Pr") and name != "ctrlPr")
        if not known or len(self._open) > _MAX_DEPTH:
            return False
        self._open.append(etree.SubElement(last, M + name))
        depth = len(self._open)
        state.on_end = lambda: self._close(depth)
        return True

    def text(self, text: str) -> None:
        """Words of a run, or the value of a property."""
        last = self._open[-1]
        name = last.tag.rpartition("}")[2]
        text = "".join(char for char in text if char.isprintable())
        if name in _PROPERTIES:
            last.set(f"{M}val", (last.get(f"{M}val") or "") + text.strip())
        elif text and not name.endswith("Pr"):
            run = last if name == "r" and last is not self.root else etree.SubElement(last, f"{M}r")
            etree.SubElement(run, f"{M}t").text = text

    def _property(self, run: XmlElement, name: str, value: str) -> None:
        found = run.find(f"{M}rPr")
        if found is None:
            found = etree.Element(f"{M}rPr")
            run.insert(0, found)
        etree.SubElement(found, M + name).set(f"{M}val", value)

    def _close(self, depth: int) -> None:
        """The group of the element ends that is `depth` deep."""
        del self._open[depth - 1 :]
