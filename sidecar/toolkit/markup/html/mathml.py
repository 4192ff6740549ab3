"""MathML to LaTeX: the author's own TeX annotation where there is one, else the presentation tree written out.

Source: MathML 3 §3 (presentation), §5.1 (annotations)."""

from sidecar.toolkit.ooxml.mathsymbols import ACCENTS, FUNCTIONS, SCRIPTS, escape_text, latex_of
from sidecar.toolkit.xml import XmlElement

_MAX_DEPTH = 100


class Formula(tuple[str, str]):
    """`(plain text, LaTeX)` of a formula."""

    __slots__ = ()


def read_math(node: XmlElement) -> Formula:
    """A `math` element as plain text and LaTeX."""
    latex = ""
    for note in node.iter():
        tag = _local(note)
        if tag == "annotation" and "tex" in (note.get("encoding") or "").lower() and note.text:
            latex = _unwrapped(note.text)
            break
    if not latex:
        latex = _unwrapped(node.get("alttext") or "") or _tex(node, 0).strip()
    return Formula((" ".join(_plain(node, 0).split()) or latex, latex))


def _unwrapped(latex: str) -> str:
    """MediaWiki wraps every formula as `{\\displaystyle …}`."""
    latex = " ".join(latex.split())
    if latex.startswith(r"{\displaystyle") and latex.endswith("}"):
        return latex[len(r"{\displaystyle") : -1].strip()
    return latex


def _local(node: XmlElement) -> str:
    tag = node.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _plain(node: XmlElement, depth: int) -> str:
    tag = _local(node)
    if tag in ("annotation", "annotation-xml"):
        return ""
    if depth > _MAX_DEPTH:
        return "".join(node.itertext()).strip()
    children = list(node)
    if not children:
        return node.text or ""
    inner = [_plain(child, depth + 1).strip() for child in children]
    if tag == "mfrac" and len(inner) == 2:
        return f"({inner[0]})/({inner[1]})"
    if _accent(node, children):
        return inner[0] + _COMBINING.get(inner[1], inner[1])
    if signs := _SCRIPTED.get((tag, len(inner))):
        return inner[0] + "".join(f"{sign}{one}" for sign, one in zip(signs, inner[1:], strict=True))
    if tag == "msqrt":
        return f"√({''.join(inner)})"
    return (" " if tag in ("mtr", "mtd") else "").join(filter(None, [(node.text or "").strip(), *inner]))


_SCRIPTED = {
    ("msub", 2): "_", ("munder", 2): "_", ("msup", 2): "^", ("mover", 2): "^", ("msubsup", 3): "_^",
    ("munderover", 3): "_^",
}  # fmt: skip
"""The signs before the scripts of elements, by how many children they have to have."""
_BARS = frozenset("¯‾\u0304\u0305")
_COMBINING = {"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "→": "\u20d7"} | dict.fromkeys(_BARS, "̄")
"""Marks over letters, by the sign that stands for one."""


def _accent(node: XmlElement, children: list[XmlElement]) -> str:
    """The command of an accent that an `mover` sets over its base; "" where that is not an accent."""
    mark = (children[1].text or "").strip() if _local(node) == "mover" and len(children) == 2 else ""
    if _local(children[-1]) != "mo" or not mark:
        return ""
    if mark in _BARS:
        return r"\bar" if len("".join(children[0].itertext()).strip()) == 1 else r"\overline"
    return ACCENTS.get(mark, "")


_FORMS = {
    ("mfrac", 2): r"\frac{{{0}}}{{{1}}}", ("mroot", 2): r"\sqrt[{1}]{{{0}}}",
    ("msub", 2): "{base}_{{{1}}}", ("munder", 2): "{base}_{{{1}}}",
    ("msup", 2): "{base}^{{{1}}}", ("mover", 2): "{base}^{{{1}}}",
    ("msubsup", 3): "{base}_{{{1}}}^{{{2}}}", ("munderover", 3): "{base}_{{{1}}}^{{{2}}}",
}  # fmt: skip
"""LaTeX of elements by how many children they have to have; `base` is the first child, ready to bear scripts."""


def _tex(node: XmlElement, depth: int) -> str:
    tag = _local(node)
    if tag in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if depth > _MAX_DEPTH:
        return _token("mtext", "".join(node.itertext()).strip())
    children = list(node)
    if not children:
        token, alphabet = _token(tag, (node.text or "").strip()), SCRIPTS.get(node.get("mathvariant") or "")
        return f"{alphabet}{{{token}}}" if alphabet and token else token
    inner = [_tex(child, depth + 1) for child in children]
    if accent := _accent(node, children):
        return f"{accent}{{{inner[0]}}}"
    if tag == "mfrac" and len(inner) == 2 and (node.get("linethickness") or "").strip() in ("0", "0pt", "0px"):
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{inner[0]}}}{{{inner[1]}}}"
    if form := _FORMS.get((tag, len(inner))):
        return form.format(*inner, base=_base(inner[0]))
    if tag == "msqrt":
        return rf"\sqrt{{{_run(inner)}}}"
    if tag == "mfenced":
        return (node.get("open") or "(") + ", ".join(inner) + (node.get("close") or ")")
    if tag == "mtable":
        return r"\begin{matrix} " + r" \\ ".join(inner) + r" \end{matrix}"
    if tag in ("mtr", "mlabeledtr"):
        return " & ".join(inner)
    return _run(inner)


def _token(tag: str, text: str) -> str:
    if tag in ("mtext", "ms"):
        return rf"\text{{{escape_text(text)}}}" if text else ""
    if tag == "mspace":
        return " "
    if tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha():
        return FUNCTIONS.get(text) or rf"\mathrm{{{text}}}"
    return latex_of(text.replace("−", "-")).replace("&", r"\&")


def _base(latex: str) -> str:
    return latex if len(latex) == 1 or (latex.startswith("\\") and latex[1:].isalpha()) else f"{{{latex}}}"


def _run(pieces: list[str]) -> str:
    """Pieces side by side; a command name needs a blank before a letter."""
    joined = ""
    for piece in pieces:
        if piece and joined and joined[-1].isalpha() and piece[0].isalpha() and "\\" in joined[joined.rfind(" ") + 1 :]:
            joined += " "
        joined += piece
    return joined
