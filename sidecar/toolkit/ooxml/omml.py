"""Office mathematics (OMML, ECMA-376 part 1 §22.1) as LaTeX and as one line of plain text.

Not responsible for where an equation stands. Total: unknown structures give what they contain, and structures nested
beyond `_MAX_DEPTH` give their bare characters."""

from collections.abc import Callable

from sidecar.toolkit.ooxml.mathsymbols import ACCENTS, DELIMITERS, FUNCTIONS, NARY, SCRIPTS, escape_text, latex_of
from sidecar.toolkit.ooxml.namespaces import M, W
from sidecar.toolkit.xml import XmlElement

_VAL = f"{M}val"
_TEXTS = frozenset({f"{M}t", f"{W}t", "{http://schemas.openxmlformats.org/drawingml/2006/main}t"})
_MAX_DEPTH = 60


def latex(node: XmlElement) -> str:
    """LaTeX (amsmath) of an `m:oMath`, `m:oMathPara` or any math element, without dollar signs."""
    if node.tag == f"{M}oMathPara":
        lines = [_children(child, 0) for child in node.iterchildren(f"{M}oMath")]
        lines = [line for line in lines if line]
        return _environment("gathered", lines) if len(lines) > 1 else "".join(lines)
    return _children(node, 0)


def plain(node: XmlElement) -> str:
    """The characters of an equation in one line, with `/`, `^`, `_` and brackets where two dimensions need them."""
    return _linear(node, 0).replace("\u2061", "").strip()


def _children(node: XmlElement | None, depth: int) -> str:
    if node is None:
        return ""
    if depth > _MAX_DEPTH:
        return latex_of("".join(text.text or "" for text in node.iter(*_TEXTS)))
    pieces: list[str] = []
    for child in node:
        tag = child.tag
        if not isinstance(tag, str):
            continue
        name = tag.rpartition("}")[2]
        structure = _STRUCTURES.get(name) if tag.startswith(M) else None
        if structure is not None:
            pieces.append(structure(child, depth + 1))
        elif not name.endswith("Pr") and name not in _SKIPPED:
            pieces.append(_children(child, depth + 1))
    return _join(pieces)


def _join(pieces: list[str]) -> str:
    """Concatenate, with a space where a control word would swallow the letter that follows it."""
    joined = ""
    for piece in pieces:
        if not piece:
            continue
        if joined and piece[0].isalpha() and _ends_in_word(joined):
            joined += " "
        joined += piece
    return joined.strip()


def _ends_in_word(text: str) -> bool:
    bare = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return bare != text and bare.endswith("\\")


def _part(node: XmlElement, name: str, depth: int) -> str:
    return _children(node.find(f"{M}{name}"), depth)


def _prop(node: XmlElement, properties: str, name: str) -> str | None:
    """`m:val` of a property; "" when it is there without a value; None when it is absent."""
    found = node.find(f"{M}{properties}/{M}{name}")
    return found.get(_VAL, "") if found is not None else None


def _on(value: str | None) -> bool:
    return value is not None and value not in {"0", "off", "false"}


def _run(node: XmlElement, depth: int) -> str:
    text = "".join(child.text or "" for child in node if child.tag in _TEXTS)
    if not text:
        return ""
    if _on(_prop(node, "rPr", "nor")):
        return rf"\text{{{escape_text(text)}}}" if text.strip() else text
    made = latex_of(text)
    script = SCRIPTS.get(_prop(node, "rPr", "scr") or "")
    style = _prop(node, "rPr", "sty")
    if script:
        return rf"{script}{{{made}}}"
    if style == "p" and text.isalpha() and text.isascii() and len(text) > 1:
        return FUNCTIONS.get(text) or rf"\mathrm{{{made}}}"
    if style in {"b", "bi"} and made.strip():
        return rf"\mathbf{{{made}}}" if style == "b" else rf"\boldsymbol{{{made}}}"
    return FUNCTIONS.get(text, made)


def _fraction(node: XmlElement, depth: int) -> str:
    top, bottom = _part(node, "num", depth), _part(node, "den", depth)
    kind = _prop(node, "fPr", "type")
    if kind == "noBar":
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{top}}}{{{bottom}}}"
    if kind == "lin":
        return f"{top}/{bottom}"
    if kind == "skw":
        return rf"{{}}^{{{top}}}/_{{{bottom}}}"
    return rf"\frac{{{top}}}{{{bottom}}}"


def _base(node: XmlElement, depth: int) -> str:
    """The base of a script, in braces where it is more than one symbol."""
    base = _part(node, "e", depth)
    simple = len(base) <= 1 or (base.startswith("\\") and base[1:].isalpha())
    return base or "{}" if simple else f"{{{base}}}"


def _sup(node: XmlElement, depth: int) -> str:
    return f"{_base(node, depth)}^{{{_part(node, 'sup', depth)}}}"


def _sub(node: XmlElement, depth: int) -> str:
    return f"{_base(node, depth)}_{{{_part(node, 'sub', depth)}}}"


def _subsup(node: XmlElement, depth: int) -> str:
    return f"{_base(node, depth)}_{{{_part(node, 'sub', depth)}}}^{{{_part(node, 'sup', depth)}}}"


def _pre(node: XmlElement, depth: int) -> str:
    return f"{{}}_{{{_part(node, 'sub', depth)}}}^{{{_part(node, 'sup', depth)}}}{_base(node, depth)}"


def _root(node: XmlElement, depth: int) -> str:
    body, degree = _part(node, "e", depth), _part(node, "deg", depth)
    if degree and not _on(_prop(node, "radPr", "degHide")):
        return rf"\sqrt[{degree}]{{{body}}}"
    return rf"\sqrt{{{body}}}"


def _nary(node: XmlElement, depth: int) -> str:
    """§22.1.2.70: the operator is an integral when none is given."""
    symbol = _prop(node, "naryPr", "chr")
    made = NARY.get(symbol or "∫") or latex_of(symbol or "∫")
    lower, upper = _part(node, "sub", depth), _part(node, "sup", depth)
    if lower and not _on(_prop(node, "naryPr", "subHide")):
        made += f"_{{{lower}}}"
    if upper and not _on(_prop(node, "naryPr", "supHide")):
        made += f"^{{{upper}}}"
    return f"{made} {_part(node, 'e', depth)}".rstrip()


def _delimited(node: XmlElement, depth: int) -> str:
    opening, closing = _prop(node, "dPr", "begChr"), _prop(node, "dPr", "endChr")
    between = _prop(node, "dPr", "sepChr")
    left = DELIMITERS.get("(" if opening is None else opening, ".")
    right = DELIMITERS.get(")" if closing is None else closing, ".")
    separator = "|" if between is None else between
    middle = rf" \middle{DELIMITERS[separator]} " if separator in DELIMITERS else f" {latex_of(separator)} "
    parts = [_children(child, depth) for child in node.iterchildren(f"{M}e")]
    if opening == "(" or opening is None:
        # A bare binomial: brackets round a fraction without a bar.
        inner = parts[0] if len(parts) == 1 else ""
        head = r"\genfrac{}{}{0pt}{}"
        if (
            right == ")"
            and inner.startswith(head)
            and node.find(f"{M}e/{M}f") is not None
            and len(node.find(f"{M}e")) == 1
        ):
            return r"\binom" + inner[len(head) :]
    return rf"\left{left} {middle.join(parts)} \right{right}"


def _function(node: XmlElement, depth: int) -> str:
    name = _part(node, "fName", depth)
    plain_name = name.removeprefix(r"\mathrm{").removesuffix("}") if name.startswith(r"\mathrm{") else name
    if plain_name in FUNCTIONS:
        name = FUNCTIONS[plain_name]
    elif plain_name.isalpha() and len(plain_name) > 1:
        name = rf"\operatorname{{{plain_name}}}"
    return _join([name, _part(node, "e", depth)])


def _limit_low(node: XmlElement, depth: int) -> str:
    base, limit = _part(node, "e", depth), _part(node, "lim", depth)
    if base in FUNCTIONS:
        base = FUNCTIONS[base]
    if base.startswith(("\\lim", "\\max", "\\min", "\\sup", "\\inf", "\\limsup", "\\liminf", "\\arg", "\\underbrace")):
        return f"{base}_{{{limit}}}"
    return rf"\underset{{{limit}}}{{{base}}}"


def _limit_up(node: XmlElement, depth: int) -> str:
    base, limit = _part(node, "e", depth), _part(node, "lim", depth)
    return f"{base}^{{{limit}}}" if base.startswith("\\overbrace") else rf"\overset{{{limit}}}{{{base}}}"


def _accent(node: XmlElement, depth: int) -> str:
    mark = _prop(node, "accPr", "chr")
    return rf"{ACCENTS.get(mark or '̂', chr(92) + 'hat')}{{{_part(node, 'e', depth)}}}"


def _bar(node: XmlElement, depth: int) -> str:
    return rf"\{'overline' if _prop(node, 'barPr', 'pos') == 'top' else 'underline'}{{{_part(node, 'e', depth)}}}"


def _group(node: XmlElement, depth: int) -> str:
    mark, place = _prop(node, "groupChrPr", "chr"), _prop(node, "groupChrPr", "pos")
    body = _part(node, "e", depth)
    if mark in {None, "", "⏟"}:
        return rf"\underbrace{{{body}}}"
    if mark == "⏞":
        return rf"\overbrace{{{body}}}"
    if mark in {"→", "⃗"}:
        return rf"\xrightarrow{{{body}}}" if place != "top" else rf"\overrightarrow{{{body}}}"
    if mark == "←":
        return rf"\xleftarrow{{{body}}}" if place != "top" else rf"\overleftarrow{{{body}}}"
    return rf"\{'overset' if place == 'top' else 'underset'}{{{latex_of(mark or '')}}}{{{body}}}"


def _matrix(node: XmlElement, depth: int) -> str:
    rows = [
        " & ".join(_children(cell, depth) for cell in row.iterchildren(f"{M}e")) for row in node.iterchildren(f"{M}mr")
    ]
    sides = [side.get(_VAL) for side in node.iterfind(f"{M}mPr/{M}mcs/{M}mc/{M}mcPr/{M}mcJc")]
    aligned = len(sides) > 1 and all(side == ("right", "left")[col % 2] for col, side in enumerate(sides))
    return _environment("aligned" if aligned else "matrix", rows)


def _array(node: XmlElement, depth: int) -> str:
    rows = [_children(child, depth) for child in node.iterchildren(f"{M}e")]
    if len(rows) == 1:
        return rows[0]
    return _environment("aligned" if any("&" in row for row in rows) else "gathered", rows)


def _environment(name: str, rows: list[str]) -> str:
    return rf"\begin{{{name}}}" + r" \\ ".join(rows) + rf"\end{{{name}}}"


def _boxed(node: XmlElement, depth: int) -> str:
    return rf"\boxed{{{_part(node, 'e', depth)}}}"


def _phantom(node: XmlElement, depth: int) -> str:
    body = _part(node, "e", depth)
    shown = _prop(node, "phantPr", "show")
    return rf"\phantom{{{body}}}" if shown is not None and not _on(shown) else body


_STRUCTURES: dict[str, Callable[[XmlElement, int], str]] = {
    "r": _run, "f": _fraction, "sSup": _sup, "sSub": _sub, "sSubSup": _subsup, "sPre": _pre, "rad": _root,
    "nary": _nary, "d": _delimited, "func": _function, "limLow": _limit_low, "limUpp": _limit_up, "acc": _accent,
    "bar": _bar, "groupChr": _group, "m": _matrix, "eqArr": _array, "borderBox": _boxed, "phant": _phantom,
}  # fmt: skip
_SKIPPED = frozenset({"instrText", "delInstrText", "rPrChange"})

_LINEAR = {"f": ("num", "/", "den"), "sSup": ("e", "^", "sup"), "sSub": ("e", "_", "sub")}


def _linear(node: XmlElement, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return "".join(text.text or "" for text in node.iter(*_TEXTS))
    pieces: list[str] = []
    for child in node:
        tag = child.tag
        if not isinstance(tag, str) or tag.endswith("Pr"):
            continue
        if tag in _TEXTS:
            pieces.append(child.text or "")
        else:
            pieces.append(_linear_structure(child, tag.rpartition("}")[2] if tag.startswith(M) else "", depth))
    return "".join(pieces)


def _linear_structure(node: XmlElement, name: str, depth: int) -> str:
    if name in _LINEAR:
        first, sign, second = _LINEAR[name]
        return _grouped(_linear_part(node, first, depth)) + sign + _grouped(_linear_part(node, second, depth))
    if name == "nary":
        limits = _scripted(_prop(node, "naryPr", "chr") or "∫", node, depth)
        return f"{limits} {_linear_part(node, 'e', depth)}".rstrip()
    if name == "sSubSup":
        return _scripted(_grouped(_linear_part(node, "e", depth)), node, depth)
    if name == "rad":
        return f"{_linear_part(node, 'deg', depth)}√({_linear_part(node, 'e', depth)})"
    if name == "d":
        opening, closing = _prop(node, "dPr", "begChr"), _prop(node, "dPr", "endChr")
        inner = ", ".join(_linear(part, depth + 1) for part in node.iterchildren(f"{M}e"))
        return f"{'(' if opening is None else opening}{inner}{')' if closing is None else closing}"
    if name in {"eqArr", "m"}:
        rows = node.iterchildren(f"{M}e", f"{M}mr")
        cells = (cell for row in rows for cell in (row if row.tag == f"{M}mr" else (row,)))
        return " ".join(_linear(cell, depth + 1) for cell in cells if isinstance(cell.tag, str))
    if name == "func":
        return f"{_linear_part(node, 'fName', depth)} {_linear_part(node, 'e', depth)}"
    return _linear(node, depth + 1)


def _scripted(base: str, node: XmlElement, depth: int) -> str:
    for sign, name in (("_", "sub"), ("^", "sup")):
        script = _linear_part(node, name, depth)
        base += sign + _grouped(script) if script else ""
    return base


def _linear_part(node: XmlElement, name: str, depth: int) -> str:
    part = node.find(f"{M}{name}")
    return _linear(part, depth + 1) if part is not None else ""


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() or _is_bracketed(text) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """Whether one pair of round brackets holds all of it."""
    if text[0] != "(" or text[-1] != ")":
        return False
    depth = 0
    for character in text[:-1]:
        depth += (character == "(") - (character == ")")
        if depth <= 0:
            return False
    return True
