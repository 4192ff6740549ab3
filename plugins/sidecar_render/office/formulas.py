"""Trees of LaTeX mathematics as Office mathematics (OMML, ECMA-376 part 1 §22.1), which Word and PowerPoint set and let
their users edit."""

import unicodedata
from collections.abc import Sequence

from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.xml import XmlElement, etree
from sidecar_render.markdown.tex import tree
from sidecar_render.markdown.tex.parsing import parse_tex
from sidecar_render.markdown.tex.tree import Math, is_empty
from sidecar_render.office.content import clean

_NAMESPACES = {"m": M[1:-1]}
_SPACES = {
    "thin": "\u2009", "med": "\u205f", "thick": "\u2004", "space": "\u00a0", "quad": "\u2003", "wide": "\u2003\u2003",
    "back": "",
}  # fmt: skip
_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304", "vec": "\u20d7",
    "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300",
    "mathring": "\u030a", "overrightarrow": "\u20d7", "overleftarrow": "\u20d6",
}  # fmt: skip
"""Combining characters over an argument (§22.1.2.20)."""
_LONG_ARROWS = {"→": "⟶", "←": "⟵"}
_BARS = {"overline": "top", "underline": "bot"}
_BRACES = {"overbrace": ("⏞", "top"), "underbrace": ("⏟", "bot")}
_ALPHABETS = {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR"}
"""`m:scr` (§22.9.2.13) → how Unicode names the letters."""
_STYLES: dict[str, tuple[tuple[str, str], ...]] = {
    "mathbf": (("sty", "b"),), "boldsymbol": (("sty", "bi"),), "bm": (("sty", "bi"),), "pmb": (("sty", "bi"),),
    "mathrm": (("sty", "p"),), "mathit": (("sty", "i"),), "mathnormal": (("sty", "i"),),
    "mathbb": (("scr", "double-struck"), ("sty", "p")), "mathcal": (("scr", "script"), ("sty", "p")),
    "mathscr": (("scr", "script"), ("sty", "p")), "mathfrak": (("scr", "fraktur"), ("sty", "p")),
    "mathsf": (("scr", "sans-serif"), ("sty", "p")), "mathtt": (("scr", "monospace"), ("sty", "p")),
}  # fmt: skip
"""`m:scr` and `m:sty` of a run (§22.1.2.94 and .111), in the schema's order."""
_UNSEEN = tree.Character("\u200b")
"""Stands where there is nothing, for Word shows an empty operand as a dotted box."""
_UNDER_AND_OVER = frozenset("∑∏∐⋃⋂⋁⋀⨁⨂⨀⨆⨄")
_CLOSING = {"(": ")", "[": "]"}
_INTEGRALS = frozenset("∫∬∭∮∯∰")


def to_omml(tex: str) -> XmlElement | None:
    """An `m:oMath` for a formula without its dollar signs; None when it is not understood."""
    found = parse_tex(tex)
    if found is None or is_empty(found):
        return None
    made: XmlElement = etree.Element(f"{M}oMath", nsmap=_NAMESPACES)
    _write(made, found, ())
    return made


def displayed(formula: XmlElement) -> XmlElement:
    """An `m:oMathPara`: the formula as a paragraph of its own."""
    made: XmlElement = etree.Element(f"{M}oMathPara", nsmap=_NAMESPACES)
    made.append(formula)
    return made


Properties = tuple[tuple[str, str], ...]


def _write(parent: XmlElement, node: Math, properties: Properties) -> None:
    items = node.items if isinstance(node, tree.Row) else (node,)
    if any(isinstance(item, tree.Break) for item in items):
        _lines(parent, items, properties)
        return
    at = 0
    while at < len(items):
        at += _item(parent, items[at], items[at + 1 :], properties)


def _lines(parent: XmlElement, items: Sequence[Math], properties: Properties) -> None:
    """Lines under one another: cells of a matrix without gaps where they are aligned, else an array (§22.1.2.34).
    LibreOffice knows no alignment within an array."""
    lines: list[list[list[Math]]] = [[[]]]
    for item in items:
        if isinstance(item, tree.Break):
            lines.append([[]])
        elif isinstance(item, tree.Align):
            lines[-1].append([_UNSEEN])  # LibreOffice wants something before a sign of relation
        else:
            lines[-1][-1].append(item)
    rows = [[tree.Row(tuple(cell)) for cell in line] for line in lines if any(line)]
    if any(len(row) > 1 for row in rows):
        _cells(parent, rows, ("right", "left"), properties)
        return
    array = _add(parent, "eqArr")
    for (line,) in rows:
        _put(array, "e", line, properties)


def _item(parent: XmlElement, node: Math, rest: Sequence[Math], properties: Properties) -> int:
    """Write one item, with what it takes of those behind it; the number of items written."""
    base = node.base if isinstance(node, tree.Scripts) else node
    if isinstance(base, tree.Character) and base.text in _UNDER_AND_OVER | _INTEGRALS:
        return 1 + _nary(parent, node, base.text, rest, properties)
    if isinstance(base, tree.Function):
        return 1 + _function(parent, node, base, rest, properties)
    if isinstance(node, tree.Scripts) and is_empty(node.base):
        if rest and node.below is not None and node.above is not None:  # before what follows: isotopes
            made = _add(parent, "sPre")
            _put(made, "sub", node.below, properties)
            _put(made, "sup", node.above, properties)
            return 1 + _operand(made, rest, properties)
        node = tree.Scripts(_UNSEEN, node.below, node.above)
    _single(parent, node, properties)
    return 1


def _single(parent: XmlElement, node: Math, properties: Properties) -> None:
    match node:
        case tree.Row():
            _write(parent, node, properties)
        case tree.Character(text):
            _run(parent, text, properties)
        case tree.Space(width):
            _run(parent, _SPACES[width], properties)
        case tree.Words(text):
            _run(parent, text, (("nor", ""),))
        case tree.Scripts():
            _scripts(parent, node, properties)
        case tree.Fraction(above, below, binomial):
            inner = _add(_add(parent, "d"), "e") if binomial else parent
            made = _add(inner, "f", type="noBar") if binomial else _add(inner, "f")
            _put(made, "num", above, properties)
            _put(made, "den", below, properties)
        case tree.Root(body, degree):
            made = _add(parent, "rad") if degree is not None else _add(parent, "rad", degHide="1")
            _put(made, "deg", degree, properties)
            _put(made, "e", body, properties)
        case tree.Accent(command, body):
            _accent(parent, command, body, properties)
        case tree.Style(command, body):
            _write(parent, body, _STYLES[command])
        case _:
            _structure(parent, node, properties)


def _structure(parent: XmlElement, node: Math, properties: Properties) -> None:
    match node:
        case tree.Fenced():
            _fenced(parent, node, properties)
        case tree.Middle(bracket):
            _run(parent, bracket, properties)
        case tree.Stacked(base, mark, below):
            made = _add(parent, "limLow" if below else "limUpp")
            _put(made, "e", base, properties)
            _put(made, "lim", mark, properties)
        case tree.Arrow(arrow, above, below):
            over = tree.Stacked(tree.Character(_LONG_ARROWS[arrow]), above, below=False)
            _single(parent, over if below is None else tree.Stacked(over, below, below=True), properties)
        case tree.Matrix(opening, closing, rows):
            inner = _add(_add(parent, "d", begChr=opening, endChr=closing), "e") if opening else parent
            _cells(inner, rows, ("center",), properties)
        case tree.Cases(rows):
            _cells(_add(_add(parent, "d", begChr="{", endChr=""), "e"), rows, ("left",), properties)
        case _:
            pass


def _scripts(parent: XmlElement, node: tree.Scripts, properties: Properties) -> None:
    if isinstance(node.base, tree.Accent) and node.base.command in _BRACES:
        outer = parent
        for name, mark in (("limLow", node.below), ("limUpp", node.above)):
            if mark is not None:  # what stands at a brace stands under or over it
                made = _add(outer, name)
                _put(made, "e", node.base, properties)
                _put(made, "lim", mark, properties)
                return
    both = node.below is not None and node.above is not None
    made = _add(parent, "sSubSup" if both else "sSub" if node.below is not None else "sSup")
    _put(made, "e", node.base, properties)
    if node.below is not None:
        _put(made, "sub", node.below, properties)
    if node.above is not None:
        _put(made, "sup", node.above, properties)


def _nary(parent: XmlElement, node: Math, sign: str, rest: Sequence[Math], properties: Properties) -> int:
    """A sum or an integral with its limits, over what follows it (§22.1.2.70)."""
    below = node.below if isinstance(node, tree.Scripts) else None
    above = node.above if isinstance(node, tree.Scripts) else None
    made = _add(
        parent, "nary", chr=sign, limLoc="undOvr" if sign in _UNDER_AND_OVER else "subSup",
        subHide="1" if below is None else "0", supHide="1" if above is None else "0",
    )  # fmt: skip
    _put(made, "sub", below, properties)
    _put(made, "sup", above, properties)
    return _operand(made, rest, properties)


def _function(
    parent: XmlElement, node: Math, function: tree.Function, rest: Sequence[Math], properties: Properties
) -> int:
    """A function's name, with its scripts, before its argument (§22.1.2.39)."""
    made = _add(parent, "func")
    name = _add(made, "fName")
    upright = (("sty", "p"),)
    if not isinstance(node, tree.Scripts):
        _run(name, function.name, upright)
    elif function.limits and node.below is not None and node.above is None:
        limit = _add(name, "limLow")
        _run(_add(limit, "e"), function.name, upright)
        _put(limit, "lim", node.below, properties)
    else:
        _scripts(
            name, tree.Scripts(tree.Style("mathrm", tree.Character(function.name)), node.below, node.above), properties
        )
    return _operand(made, rest, properties)


def _operand(parent: XmlElement, rest: Sequence[Math], properties: Properties) -> int:
    """What an operator takes of what follows it: spaces and the next item; the number of items taken."""
    inner = _add(parent, "e")
    taken = 0
    while taken < len(rest) and isinstance(rest[taken], tree.Space):
        taken += 1
    if taken == len(rest) or isinstance(rest[taken], tree.Align | tree.Break):
        _single(inner, _UNSEEN, properties)
        return 0
    closing = _CLOSING.get(_sign(rest[taken]), "")
    depth, end = 0, taken
    while closing and end < len(rest):  # all that stands in brackets
        depth += (_sign(rest[end]) == _sign(rest[taken])) - (_sign(rest[end]) == closing)
        end += 1
        if not depth:
            _write(inner, tree.Row(tuple(rest[taken:end])), properties)
            return end
    return taken + _item(inner, rest[taken], rest[taken + 1 :], properties)


def _sign(node: Math) -> str:
    """The sign of a character, with or without scripts."""
    base = node.base if isinstance(node, tree.Scripts) else node
    return base.text if isinstance(base, tree.Character) else ""


def _accent(parent: XmlElement, command: str, body: Math, properties: Properties) -> None:
    if command == "cancel" and isinstance(body, tree.Character):
        _run(parent, unicodedata.normalize("NFC", f"{body.text}\u0338"), properties)
        return
    if command in _ACCENTS:
        made = _add(parent, "acc", chr=_ACCENTS[command])
    elif command in _BARS:
        made = _add(parent, "bar", pos=_BARS[command])
    elif command in _BRACES:
        sign, place = _BRACES[command]
        made = _add(parent, "groupChr", chr=sign, pos=place, vertJc="bot" if place == "top" else "top")
    elif command == "cancel":
        made = _add(parent, "borderBox", hideTop="1", hideBot="1", hideLeft="1", hideRight="1", strikeBLTR="1")
    else:
        made = _add(parent, "borderBox")
    _put(made, "e", body, properties)


def _fenced(parent: XmlElement, node: tree.Fenced, properties: Properties) -> None:
    r"""Brackets; what `\middle` parts stands in elements of its own."""
    items = node.body.items if isinstance(node.body, tree.Row) else (node.body,)
    parted: list[list[Math]] = [[]]
    bracket = ""
    for item in items:
        if isinstance(item, tree.Middle) and bracket in ("", item.bracket):
            bracket = item.bracket
            parted.append([])
        else:
            parted[-1].append(item)
    between = {"sepChr": bracket} if len(parted) > 1 else {}
    made = _add(parent, "d", begChr=node.opening, **between, endChr=node.closing)
    for part in parted:
        _put(made, "e", tree.Row(tuple(part)), properties)


def _cells(parent: XmlElement, rows: Sequence[Sequence[Math]], sides: Sequence[str], properties: Properties) -> None:
    """A matrix (§22.1.2.60) whose columns stand at these sides in turn."""
    close = {"cGpRule": "3", "cGp": "0"} if len(sides) > 1 else {}
    made = _add(parent, "m", plcHide="1", **close)
    columns = _add(made[0], "mcs")
    width = max(map(len, rows))
    for col in range(width if len(sides) > 1 else 1):
        shape = _add(_add(columns, "mc"), "mcPr")
        for name, value in (("count", "1" if len(sides) > 1 else str(width)), ("mcJc", sides[col % len(sides)])):
            _add(shape, name).set(f"{M}val", value)
    for row in rows:
        line = _add(made, "mr")
        for cell in (*row, *[tree.Row(())] * (width - len(row))):
            _put(line, "e", cell, properties)


def _add(parent: XmlElement, name: str, **properties: str) -> XmlElement:
    """A new element with its properties ("fPr"), which come first, in the schema's order as they are given."""
    made: XmlElement = etree.SubElement(parent, M + name)
    if properties:
        kept: XmlElement = etree.SubElement(made, f"{M}{name}Pr")
        for key, value in properties.items():
            etree.SubElement(kept, M + key).set(f"{M}val", value)
    return made


def _put(parent: XmlElement, name: str, node: Math | None, properties: Properties) -> None:
    made = _add(parent, name)
    if node is not None:
        _write(made, node, properties)


def _run(parent: XmlElement, text: str, properties: Properties) -> None:
    """A run; one that goes on in the look of the last is the same run."""
    alphabet = _ALPHABETS.get(properties[0][1]) if properties else None
    if alphabet is not None:
        text, properties = "".join(_letter(one, alphabet) for one in text), ()
    if not text:
        return
    last = parent[-1] if len(parent) and parent[-1].tag == f"{M}r" else None
    if last is not None and _properties_of(last) == properties:
        last[-1].text += clean(text)
        return
    made = _add(parent, "r")
    if properties:
        kept: XmlElement = etree.SubElement(made, f"{M}rPr")
        for name, value in properties:
            node = etree.SubElement(kept, M + name)
            if value:
                node.set(f"{M}val", value)
    run_text: XmlElement = etree.SubElement(made, f"{M}t")
    run_text.text = clean(text)
    run_text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _letter(character: str, alphabet: str) -> str:
    """A letter or digit of Unicode's mathematical alphabets, which every program shows; others as they are."""
    kind, _, name = unicodedata.name(character, "").rpartition(" ")
    if not character.isascii() or not character.isalnum():
        return character
    case = kind.removeprefix("LATIN ").removesuffix(" LETTER")
    for family in (f"MATHEMATICAL {alphabet}", alphabet, "BLACK-LETTER"):  # ℝ, ℒ and ℭ are older than the others
        try:
            return unicodedata.lookup(f"{family} {case} {name}")
        except KeyError:
            continue
    return character


def _properties_of(run: XmlElement) -> Properties:
    kept = run.find(f"{M}rPr")
    if kept is None:
        return ()
    return tuple((node.tag[len(M) :], node.get(f"{M}val", "")) for node in kept)
