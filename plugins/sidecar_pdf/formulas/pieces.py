"""Stretches of a formula as linear text, such as a reader would type, and as LaTeX: how symbols, fractions, roots,
scripts and matrices are written, and where spaces go."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from sidecar.toolkit.ooxml.mathsymbols import ACCENTS, FUNCTIONS, NARY, escape_text, latex_of

Kind = Literal[
    "ordinary", "number", "word", "function", "operator", "relation", "binary", "open", "close", "comma", "fraction"
]

OPERATORS = frozenset(NARY) | {"⨅"}
LIMIT_NAMES = frozenset(("lim", "max", "min", "sup", "inf", "argmax", "argmin", "limsup", "liminf", "det", "Pr", "gcd"))
INTEGRALS = frozenset("∫∬∭∮∯∰")
RELATIONS = frozenset("=≠<>≤≥≪≫≈∼≃≅≡∝∈∉∋⊂⊆⊃⊇→←↔⇒⇐⇔↦⟶⟹⟺≜≔∣⊢⊨≺≻⩽⩾:≢≁≉⊄⊅⊈⊉⊊⊋∌∤∦⟸⟵⟷↩↪⇀↽⇌⊏⊐⊑⊒⊲⊳⊴⊵≲≳≍≐⊣⊩⊸⇝↠≽≼⪯⪰")
BINARY = frozenset("+−-–±∓×÷·⋅∗∘∪∩∧∨⊕⊗⊙∖⋆*⊖⊘⊓⊔⊎†‡⋈⋄⋉⋊")
_BARS = frozenset("|‖")
_PRODUCT = frozenset("·⋅")
"""Set without spaces, and no reason for parentheses."""
OPEN, CLOSE = "([{⟨⌊⌈", ")]}⟩⌋⌉"
_RAISED_ALONE = frozenset("∗*⋆†‡·⋅")
"""Binary signs that stand behind a letter as well, or for an argument."""
_PLACEHOLDERS = frozenset("⋮⋱⋰")
_NAMES = (
    frozenset(FUNCTIONS)
    | LIMIT_NAMES
    | {"sgn", "sign", "tr", "rank", "diag", "softmax", "sigmoid", "Var", "Cov", "mod"}
)
_COMBINING = {"~": "\u0303", "˜": "\u0303", "^": "\u0302", "ˆ": "\u0302", "¯": "\u0304", "ˉ": "\u0304",
              "→": "\u20d7", "˙": "\u0307", "¨": "\u0308", "˘": "\u0306", "ˇ": "\u030c"}  # fmt: skip
_WIDE = {r"\hat": r"\widehat", r"\tilde": r"\widetilde", r"\bar": r"\overline"}
_UNDERLINE = "\u0332"
_OPERANDS = frozenset(("ordinary", "number", "word", "close", "fraction"))
_SET_OFF = frozenset(("relation", "binary", "open", "close"))
"""What LaTeX parts from words, or nothing does."""
_MARKED = 2
"""Characters of a letter and the mark over it."""
_GAP, _WORD_GAP = 0.34, 0.12  # ems from one symbol, or word, to the next that are parted by a space
_CLOSED_GAP = 0.6  # ems from a closing bracket to a symbol after a space
_BAR_GAP = 0.27  # ems on both sides of a bar that is a sign between two terms ("given", "such that")
STACKED = r"\substack{"
"""What limits of several lines begin with; no half of a fraction has them."""
_TEXT = r"\text{"
_BLANK = re.compile(r"(?!(?<=\w) [A-Za-z]{2}|(?<=[A-Za-z]{2}) \w) ")
"""A blank of a script that parts no word from what stands beside it."""


class Piece(NamedTuple):
    """A stretch of a formula. `weight` is 0 for one symbol, 1 for a product, 2 for a sum or a relation; `sure` says
    that every sign has its LaTeX."""

    linear: str
    latex: str
    kind: Kind = "ordinary"
    weight: int = 0
    sure: bool = True


EMPTY = Piece("", "")


def symbol(text: str, *, italic: bool, bold: bool) -> Piece:
    """The piece of a single sign, or of a word or number set without gaps."""
    bare = unicodedata.normalize("NFD", text)
    if len(bare) == _MARKED and bare[0].isalpha() and bare[1] in ACCENTS:
        return accented(symbol(bare[0], italic=italic, bold=bold), bare[1])
    plain = "".join(map(_plain, text))
    letters = plain.isalnum() and plain.isascii() and plain[:1].isalpha()
    if letters and not italic and plain == text and len(plain) > 1:
        if plain in FUNCTIONS:
            return Piece(plain, FUNCTIONS[plain], "function")
        if plain in _NAMES:
            return Piece(plain, rf"\operatorname{{{plain}}}", "function")
        return Piece(plain, rf"\text{{{escape_text(plain)}}}", "word")
    latex = latex_of("-" if text in "−–" else text)
    if letters and bold and plain == text:
        latex = rf"\mathbf{{{plain}}}"
    return Piece(plain, latex, _kind(plain), 0, latex.isascii() and plain.isprintable() and "\ufffd" not in plain)


def _plain(char: str) -> str:
    """A letter without the slope and weight that mathematical alphabets give it."""
    if char == "⋅":
        return "·"
    if char < "\u2100":
        return char
    name = unicodedata.name(char, "")
    sloped = char in "ℎ𝚤𝚥" or name.startswith(("MATHEMATICAL ITALIC", "MATHEMATICAL BOLD"))
    return unicodedata.normalize("NFKC", char) if sloped and "SCRIPT" not in name and "FRAKTUR" not in name else char


def _kind(text: str) -> Kind:
    if text[:1].isdigit():
        return "number"
    if text in OPERATORS:
        return "operator"
    if text in RELATIONS:
        return "relation"
    if text in BINARY:
        return "binary"
    if text in ",;":
        return "comma"
    return "open" if text in OPEN else "close" if text in CLOSE else "ordinary"


def row(parts: Sequence[tuple[Piece, float]]) -> Piece:
    """Pieces on one line, each with the white space before it in ems."""
    if not parts:
        return EMPTY
    if len(parts) == 1:
        return parts[0][0]
    linear, before, depth, weight = "", EMPTY, 0, 1
    latex: list[str] = []
    given = _given(parts)
    for at, (piece, gap) in enumerate(parts):
        sign = piece.kind == "relation" or (piece.kind == "binary" and before.kind in _OPERANDS)
        sign = sign and piece.linear not in _PRODUCT
        parted = sign or at in given or at - 1 in given
        parted = at > 0 and (parted or _is_parted(before, piece, gap, parts, at))
        linear += (" " if parted else "") + piece.linear
        _add_latex(latex, before, piece, parted=parted)
        depth += (piece.kind == "open") - (piece.kind == "close")
        if (sign or piece.kind == "comma") and depth <= 0:
            weight = 2
        before = piece
    sure = all(piece.sure for piece, _ in parts) and not any(_is_odd(a, b) for (a, _), (b, _) in pairwise(parts))
    return Piece(linear, " ".join(latex), "ordinary", weight, sure)


def _is_odd(before: Piece, piece: Piece) -> bool:
    """Whether no formula has two pieces beside one another: an operator, or a sign between two terms, without the
    second, dots that stand for rows of a matrix in a line, a radical without what is under it, a sign twice."""
    if _PLACEHOLDERS & {before.linear, piece.linear}:
        return True
    if before.kind == "operator":
        return piece.kind in {"relation", "close"}
    if "√" in {before.linear, piece.linear} or (before.kind == "binary" and before.linear == piece.linear in "+−"):
        return True
    return before.kind == "binary" and piece.kind == "relation" and before.linear not in _RAISED_ALONE


def _add_latex(latex: list[str], before: Piece, piece: Piece, *, parted: bool) -> None:
    """Adds a piece to LaTeX. Blanks around words stand inside their `\\text`, but beside signs that LaTeX sets off."""
    after = parted and before.latex.startswith(_TEXT) and piece.kind not in _SET_OFF
    if not piece.latex.startswith(_TEXT):
        if after:
            latex[-1] = f"{latex[-1][:-1]} }}"
        latex.append(piece.latex)
    elif after:
        latex[-1] = f"{latex[-1][:-1]} {piece.latex.removeprefix(_TEXT)}"
    else:
        blank = " " if parted and before.kind not in _SET_OFF else ""
        latex.append(f"{_TEXT}{blank}{piece.latex.removeprefix(_TEXT)}")


def _given(parts: Sequence[tuple[Piece, float]]) -> set[int]:
    """The bars that stand between two terms, such as in `{x ∈ A | x > 0}`: with white space on both sides, and odd ones
    among those of their braces. Those in parentheses are typed without blanks: `P(A|B)`."""
    groups: list[tuple[str, list[int]]] = [("{", [])]
    found: set[int] = set()
    for at, (piece, _) in enumerate(parts):
        if piece.kind == "open":
            groups.append((piece.linear[:1], []))
        elif piece.linear in _BARS:
            groups[-1][1].append(at)
        elif piece.kind == "close" and len(groups) > 1:
            found |= _odd(parts, *groups.pop())
    return found.union(*(_odd(parts, *group) for group in groups))


def _odd(parts: Sequence[tuple[Piece, float]], opening: str, bars: list[int]) -> set[int]:
    if opening != "{" or len(bars) % 2 == 0:
        return set()
    inner = (at for at in bars if 0 < at < len(parts) - 1)
    return set(islice((at for at in inner if min(parts[at][1], parts[at + 1][1]) > _BAR_GAP), 1))


def _opens(parts: Sequence[tuple[Piece, float]], at: int) -> bool:
    """Whether a bar is the first of a pair."""
    return sum(piece.linear[:1] in _BARS for piece, _ in parts[:at]) % 2 == 0


def _is_parted(before: Piece, piece: Piece, gap: float, parts: Sequence[tuple[Piece, float]], at: int) -> bool:
    """Whether a space stands between two pieces."""
    if piece.kind in {"comma", "close"} or before.kind == "open":
        return False
    if before.kind in {"relation", "comma"}:
        return True
    if {before.linear, piece.linear} & _PRODUCT:
        return False
    if before.kind == "binary":
        return at > 1 and parts[at - 2][0].kind in _OPERANDS
    if piece.kind == "open":
        return before.kind in {"operator", "fraction"} or gap > 2 * _GAP
    if before.kind == "fraction" and piece.linear in _BARS and _opens(parts, at):
        return True
    barred = bool(_BARS & {before.linear[:1], piece.linear[:1]})
    if {before.kind, piece.kind} & {"function", "operator"} or (not barred and "fraction" in {before.kind, piece.kind}):
        return True
    if barred:
        return False
    if "/" in {before.linear, piece.linear} or "word" in {before.kind, piece.kind}:
        return gap > _WORD_GAP
    return gap > (_CLOSED_GAP if before.kind == "close" else _GAP)


def is_balanced(text: str) -> bool:
    """Whether as many brackets are opened as closed, of whichever form: intervals have two, cases one brace."""
    opened, closed = (sum(map(text.count, signs)) for signs in (OPEN.replace("{", ""), CLOSE.replace("}", "")))
    return opened == closed


def are_parted(lines: Sequence[Piece]) -> bool:
    """Whether lines of a display may be rows of one thing: one relates nothing, and neither it nor the next goes on."""
    for line, after in zip(lines, [*lines[1:], EMPTY], strict=True):
        related = _TEXT in line.latex or any(sign in RELATIONS for sign in line.linear)
        opens = [one.linear[:1] for one in (line, after)]
        if not related and not any(sign and sign in RELATIONS | BINARY for sign in opens):
            return len(lines) > 1
    return False


def _grouped(piece: Piece, most: int) -> str:
    """Linear text in parentheses where it is more than so heavy."""
    return f"({piece.linear})" if piece.weight > most else piece.linear


def fraction(above: Piece, below: Piece) -> Piece:
    """One over the other."""
    linear = f"{_grouped(above, 1)} / {_grouped(below, 0)}"
    return Piece(linear, rf"\frac{{{above.latex}}}{{{below.latex}}}", "fraction", 1, above.sure and below.sure)


def root(body: Piece, index: Piece) -> Piece:
    """A root, with its index where it has one."""
    latex = rf"\sqrt[{index.latex}]{{{body.latex}}}" if index.linear else rf"\sqrt{{{body.latex}}}"
    sign = {"": "√", "3": "∛", "4": "∜"}.get(index.linear, f"{_script(index)}√")
    return Piece(sign + f"({body.linear})" if body.weight or body.kind == "word" else sign + body.linear, latex,
                 "ordinary", 0, body.sure and index.sure)  # fmt: skip


def scripted(base: Piece, below: Piece, above: Piece) -> Piece:
    """A base with what stands at its foot and head, or under and over it."""
    linear, latex = base.linear, base.latex
    if base.kind == "fraction" or (base.weight > 0 and base.kind != "close"):
        linear, latex = f"({linear})", f"{{{latex}}}"
    if below.linear:
        linear, latex = f"{linear}_{_script(below, foot=True)}", f"{latex}_{{{below.latex}}}"
    if above.linear and not above.linear.strip("′″‴"):
        linear, latex = linear + above.linear, latex + above.latex
    elif above.linear:
        linear, latex = f"{linear}^{_script(above)}", f"{latex}^{{{above.latex}}}"
    kind = base.kind if base.kind in {"operator", "function", "close", "relation", "binary"} else "ordinary"
    again = base.kind == "operator" and ("^" in base.latex if above.linear else "_" in base.latex)
    return Piece(linear, latex, kind, 0, base.sure and below.sure and above.sure and not again)


def _script(piece: Piece, *, foot: bool = False) -> str:
    """A script, in parentheses where it is more than a sign, a number, or at the foot an index of letters."""
    tight = _BLANK.sub("", piece.linear)
    plain = tight.isdigit() or (tight.isalnum() and (foot or piece.kind in {"word", "function"}))
    return tight if plain or len(tight) == 1 else f"({tight})"


def accented(base: Piece, mark: str) -> Piece:
    """A sign, or several, with a mark over it."""
    name = ACCENTS.get(mark, "")
    name = _WIDE.get(name, name) if len(base.linear) > 1 else name
    combining = _COMBINING.get(mark, mark)
    linear = unicodedata.normalize("NFC", base.linear + combining) if not base.weight else f"{base.linear}{combining}"
    return Piece(linear, rf"{name}{{{base.latex}}}", base.kind, base.weight, base.sure and mark in ACCENTS)


def overlined(body: Piece) -> Piece:
    """A line over a stretch."""
    if len(body.linear) == 1:
        return accented(body, "\u0304")
    half = any(sign in OPERATORS for sign in body.linear)  # more likely one of a fraction
    return Piece(f"overline({body.linear})", rf"\overline{{{body.latex}}}", "ordinary", 0, body.sure and not half)


def underlined(body: Piece) -> Piece:
    """A line under a stretch; under a product or sum, it is more likely a fraction's whose lower half stands apart."""
    linear = f"{body.linear}{_UNDERLINE}" if len(body.linear.rstrip(_UNDERLINE)) == 1 else f"underline({body.linear})"
    return Piece(linear, rf"\underline{{{body.latex}}}", "ordinary", 0, body.sure and not body.weight)


def braced(body: Piece, label: Piece, *, under: bool) -> Piece:
    """A stretch with a brace under or over it, and what stands at the brace."""
    name, side = ("underbrace", "_") if under else ("overbrace", "^")
    linear, latex = f"{name}({body.linear})", rf"\{name}{{{body.latex}}}"
    if label.linear:
        linear, latex = f"{linear}{side}{_script(label, foot=under)}", f"{latex}{side}{{{label.latex}}}"
    bare = body.linear in RELATIONS | BINARY or "brace(" in body.linear
    return Piece(linear, latex, "ordinary", 0, body.sure and label.sure and not bare)


def labelled(sign: Piece, below: Piece, above: Piece) -> Piece:
    """A relation or an arrow with what stands over it, and under it."""
    arrow = {"⟶": "→", "⟵": "←"}.get(sign.linear, sign.linear)
    made = scripted(sign._replace(linear=arrow), below, above)
    under = f"[{below.latex}]" if below.linear else ""
    if arrow in "→←":
        return made._replace(latex=rf"\x{'right' if arrow == '→' else 'left'}arrow{under}{{{above.latex}}}")
    return made._replace(latex=rf"\stackrel{{{above.latex}}}{{{sign.latex}}}", sure=made.sure and not under)


def matrix(cells: list[list[Piece]], left: str, right: str) -> Piece:
    """Rows of cells between delimiters; "{" alone on the left opens cases."""
    sure = all(cell.sure for line in cells for cell in line)
    inside = r" \\ ".join(" & ".join(cell.latex for cell in line) for line in cells)
    linear = "; ".join(", ".join(cell.linear for cell in line) for line in cells)
    if left == "{" and not right:
        linear = "; ".join(" ".join(cell.linear.rstrip(",") + ("," if at + 1 < len(line) else "")
                           for at, cell in enumerate(line)) for line in cells)  # fmt: skip
        return Piece("{" + linear, rf"\begin{{cases}} {inside} \end{{cases}}", "ordinary", 1, sure)
    name = {"(": "p", "[": "b", "|": "v", "∣": "v", "‖": "V", "{": "B"}.get(left, "")
    return Piece(f"{left}{linear}{right}", rf"\begin{{{name}matrix}} {inside} \end{{{name}matrix}}", "ordinary", 0,
                 sure and bool(name))  # fmt: skip


def stacked(lines: list[Piece], *, nested: bool) -> Piece:
    """Lines under one another, of a display or `nested` in a limit."""
    if len(lines) == 1:
        return lines[0]
    inside, sure = r" \\ ".join(line.latex for line in lines), all(line.sure for line in lines)
    if nested:
        linear = ", ".join(line.linear.rstrip(",") for line in lines)
        return Piece(linear, f"{STACKED}{inside}}}", "ordinary", 2, sure)
    linear, latex = "\n".join(line.linear for line in lines), rf"\begin{{aligned}} {inside} \end{{aligned}}"
    return Piece(linear, latex, "ordinary", 2, sure)
