"""Trees of LaTeX mathematics as Typst mathematics.

Every piece written is a character, a quoted string, or a call from the closed lists below, so the result can be
evaluated whatever the formula says."""

import re
from collections.abc import Mapping

from sidecar_render.markdown.tex import tree
from sidecar_render.markdown.tex.parsing import parse_tex
from sidecar_render.markdown.tex.tree import Math

_ACCENTS = {
    "hat": "hat", "widehat": "hat", "tilde": "tilde", "widetilde": "tilde", "bar": "macron", "vec": "arrow",
    "dot": "dot", "ddot": "dot.double", "check": "caron", "breve": "breve", "acute": "acute", "grave": "grave",
    "mathring": "circle", "overline": "overline", "underline": "underline", "overrightarrow": "arrow",
    "overleftarrow": "arrow.l", "overbrace": "overbrace", "underbrace": "underbrace", "cancel": "cancel",
}  # fmt: skip
_STYLES = {
    "mathbf": "bold(upright(", "boldsymbol": "bold(", "bm": "bold(", "mathrm": "upright(", "mathit": "italic(",
    "mathbb": "bb(", "mathcal": "cal(", "mathscr": "scr(", "mathfrak": "frak(", "mathsf": "sans(", "mathtt": "mono(",
    "pmb": "bold(", "mathnormal": "italic(",
}  # fmt: skip
_DELIMITERS: Mapping[str, str] = {
    "(": "paren.l", ")": "paren.r", "[": "bracket.l", "]": "bracket.r", "{": "brace.l", "}": "brace.r", "|": "bar.v",
    "‖": "bar.v.double", "/": r"\/",
}  # fmt: skip


def to_typst(tex: str) -> str | None:
    """Typst mathematics for a formula without its dollar signs; None when it is not understood."""
    found = parse_tex(tex)
    return None if found is None else _write(found)


def _write(node: Math) -> str:
    match node:
        case tree.Row(items):
            return " ".join(filter(None, map(_write, items)))
        case tree.Character(text):
            return _character(text)
        case tree.Space(width):
            return "#h(-0.17em)" if width == "back" else width
        case tree.Words(text):
            return _string(text)
        case tree.Function(name, limits):
            return f"op({_string(name)}, limits: {'#true' if limits else '#false'})"
        case tree.Align():
            return "&"
        case tree.Break():
            return "\\\n"
        case _:
            return _structure(node)


def _structure(node: Math) -> str:
    match node:
        case tree.Scripts(base, below, above):
            top = f", t: {_filled(above)}" if above is not None else ""
            bottom = f", b: {_filled(below)}" if below is not None else ""
            return f"attach({_filled(base)}{top}{bottom})"
        case tree.Fraction(above, below, binomial):
            return f"{'binom' if binomial else 'frac'}({_filled(above)}, {_filled(below)})"
        case tree.Root(body, degree):
            return f"sqrt({_filled(body)})" if degree is None else f"root({_write(degree)}, {_filled(body)})"
        case tree.Accent(command, body):
            return f"{_ACCENTS[command]}({_filled(body)})" if command in _ACCENTS else _filled(body)
        case tree.Style(command, body):
            call = _STYLES[command]
            return f"{call}{_filled(body)}{')' * call.count('(')}"
        case tree.Fenced(opening, body, closing):
            return f"lr({_delimiter(opening)} {_write(body)} {_delimiter(closing)})"
        case tree.Middle(bracket):
            return f"mid({_delimiter(bracket)})"
        case tree.Stacked(base, mark, below):
            return f"attach(limits({_filled(base)}), {'b' if below else 't'}: {_filled(mark)})"
        case tree.Arrow(arrow, above, below):
            bottom = f", b: {_write(below)}" if below is not None else ""
            return f"attach(limits(stretch({arrow}, size: #(100% + 1.2em))), t: {_filled(above)}{bottom})"
        case tree.Matrix(opening, _, rows):
            delimiter = _string(opening) if opening else "#none"
            return f"mat(delim: {delimiter}, {'; '.join(', '.join(map(_filled, row)) for row in rows)})"
        case tree.Cases(rows):
            return f"cases({', '.join(' & quad '.join(map(_filled, row)) for row in rows)})"
        case _:
            return ""


def _filled(node: Math) -> str:
    """Calls want something for each argument."""
    text = _write(node)
    return text if text.strip() else '""'


def _delimiter(bracket: str) -> str:
    return _DELIMITERS.get(bracket, bracket)


def _character(character: str) -> str:
    if character.isalnum() or ord(character[0]) > 127 or re.fullmatch(r"\d+\.\d+", character):
        return character
    return "\\" + character


def _string(text: str) -> str:
    return '"' + re.sub(r"\s+", " ", text).replace("\\", "\\\\").replace('"', '\\"') + '"'
