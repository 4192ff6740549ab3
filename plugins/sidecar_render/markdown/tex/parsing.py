"""LaTeX mathematics read into a tree: what papers, notebooks and chat answers really use; no macros, no packages.

What commands there are stands in closed lists, so that nothing else ever reaches who writes the tree. What is not
understood gives None, and the formula is then shown as its source."""

import re
from collections.abc import Callable, Mapping

from sidecar.toolkit.ooxml.mathsymbols import FUNCTIONS, NARY, SYMBOLS
from sidecar_render.markdown.tex import tree
from sidecar_render.markdown.tex.tree import Math, is_empty

_CHARACTERS: dict[str, str] = {
    command[1:]: character
    for character, command in (SYMBOLS | NARY).items()
    if command.startswith("\\") and command[1:].isalpha()
} | {
    "le": "≤", "ge": "≥", "ne": "≠", "to": "→", "gets": "←", "land": "∧", "lor": "∨", "lnot": "¬", "iff": "⟺",
    "implies": "⟹", "impliedby": "⟸", "dots": "…", "dotsc": "…", "dotsb": "⋯", "lvert": "|", "rvert": "|",
    "lVert": "‖", "rVert": "‖", "vert": "|", "Vert": "‖", "colon": ":", "backslash": "∖", "varnothing": "∅",
    "epsilon": "ϵ", "varphi": "φ", "phi": "ϕ", "cdot": "⋅", "mid": "∣", "mu": "μ", "Delta": "Δ", "geqslant": "⩾",
    "leqslant": "⩽", "lesssim": "≲", "gtrsim": "≳", "hookrightarrow": "↪", "rightharpoonup": "⇀", "blacksquare": "■",
    "Box": "□", "checkmark": "✓", "dag": "†", "ddag": "‡", "S": "§", "P": "¶", "pounds": "£", "lt": "<", "gt": ">",
    "upharpoonright": "↾", "nsubseteq": "⊈", "subsetneq": "⊊", "ltimes": "⋉", "rtimes": "⋊", "bowtie": "⋈",
    "leadsto": "⇝", "gimel": "ℷ", "beth": "ℶ", "imath": "ı", "jmath": "ȷ", "sqsubseteq": "⊑", "sqsupseteq": "⊒",
}  # fmt: skip
_SET = {"-": "−", "*": "∗", "'": "′", "`": "‘"}
_SPACES = {
    "quad": "quad", "qquad": "wide", ",": "thin", ":": "med", ">": "med", ";": "thick", " ": "space",
    "!": "back", "enspace": "med", "enskip": "med", "thinspace": "thin", "hspace": "med",
}  # fmt: skip
_ACCENTS = frozenset([
    "hat", "widehat", "tilde", "widetilde", "bar", "vec", "dot", "ddot", "check", "breve", "acute", "grave",
    "mathring", "overline", "underline", "overrightarrow", "overleftarrow", "overbrace", "underbrace", "boxed",
    "cancel",
])  # fmt: skip
_STYLES = frozenset([
    "mathbf", "boldsymbol", "bm", "mathrm", "mathit", "mathbb", "mathcal", "mathscr", "mathfrak", "mathsf", "mathtt",
    "pmb", "mathnormal",
])  # fmt: skip
_TEXTS = frozenset(["text", "textrm", "textnormal", "textbf", "textit", "texttt", "textsf", "mbox", "hbox", "mathop"])
_IGNORED = frozenset([
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "big", "Big", "bigg",
    "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl",
    "Biggr", "bigm", "nonumber", "notag", "noindent", "hline", "centering", "relax",
])  # fmt: skip
_DELIMITERS: Mapping[str, str] = {
    "(": "(", ")": ")", "[": "[", "]": "]", r"\{": "{", r"\}": "}", r"\lbrace": "{", r"\rbrace": "}", r"\lbrack": "[",
    r"\rbrack": "]", "|": "|", r"\|": "‖", r"\vert": "|", r"\Vert": "‖", "/": "/", ".": "", r"\lvert": "|",
    r"\rvert": "|", r"\lVert": "‖", r"\rVert": "‖", r"\langle": "⟨", r"\rangle": "⟩", r"\lfloor": "⌊",
    r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉", r"\uparrow": "↑", r"\downarrow": "↓", "<": "⟨", ">": "⟩",
}  # fmt: skip
_MATRICES = {
    "matrix": ("", ""), "smallmatrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"), "array": ("", ""),
}  # fmt: skip
_ALIGNED = frozenset(
    ["aligned", "align", "split", "eqnarray", "gather", "gathered", "multline", "equation", "alignat", "alignedat"]
)
_LIMITS = frozenset(["max", "min", "lim", "sup", "inf", "limsup", "liminf", "argmax", "argmin"])
"""Functions whose script stands under them in a displayed formula."""
_SHOWN = {"limsup": "lim sup", "liminf": "lim inf", "argmax": "arg max", "argmin": "arg min", "bmod": "mod"}


_MAX_CHARS, _MAX_DEPTH = 8000, 24
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|%[^\n]*|\s+|.", re.DOTALL)


class _Unknown(Exception):
    """The formula uses something that is not in the lists."""


def parse_tex(tex: str) -> Math | None:
    """The tree of a formula without its dollar signs; None when it is not understood."""
    if len(tex) > _MAX_CHARS:
        return None
    tokens = [piece for piece in _TOKEN.findall(tex) if not piece.startswith("%")]
    try:
        parser = _Parser(tokens)
        found = parser.row(frozenset())
    except (_Unknown, RecursionError):
        return None
    return None if parser.peek() else found


_NOTHING = tree.Row(())


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def peek(self) -> str:
        """The next token that is not a blank, "" at the end."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def row(self, ends: frozenset[str]) -> Math:
        """Everything up to a token of `ends`, or to what closes a group or a cell, as one sequence."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _Unknown
        items: list[Math] = []
        while (piece := self.peek()) and piece not in ends and piece not in ("}", r"\end", r"\right"):
            if piece == "&":
                self._at += 1
                items.append(tree.Align())
            elif piece in (r"\\", r"\cr", r"\newline"):
                self._at += 1
                self._optional()
                items.append(tree.Break())
            elif piece in (r"\over", r"\choose"):
                self._at += 1
                items = [tree.Fraction(_row(items), self.row(ends), piece == r"\choose")]
            else:
                items.append(self._scripted())
        self._depth -= 1
        return _row(items)

    def _next(self) -> str:
        piece = self.peek()
        if not piece:
            raise _Unknown
        self._at += 1
        return piece

    def _scripted(self) -> Math:
        base = _NOTHING if self.peek() in ("^", "_", "'") else self._atom()
        above: list[Math] = []
        below: list[Math] = []
        while (piece := self.peek()) in ("^", "_", "'", r"\limits", r"\nolimits"):
            self._at += 1
            if piece == "'":
                primes = 1
                while self.peek() == "'":
                    self._at += 1
                    primes += 1
                above.append(tree.Character("′" * primes))
            elif piece in ("^", "_"):
                (above if piece == "^" else below).append(self._argument())
        if not above and not below:
            return base
        return tree.Scripts(base, _row(below) if below else None, _row(above) if above else None)

    def _argument(self) -> Math:
        """A braced group or a single token."""
        piece = self.peek()
        if piece == "{":
            return self._group()
        if len(piece) > 1 and piece[0].isdigit():  # TeX takes one digit: \frac12 is a half, x^10 is x¹0
            self._tokens[self._at] = piece[1:]
            return tree.Character(piece[0])
        return self._atom()

    def _group(self) -> Math:
        if self._next() != "{":
            raise _Unknown
        inner = self.row(frozenset())
        if self._next() != "}":
            raise _Unknown
        return inner

    def _raw(self) -> str:
        """The text of a braced group as written."""
        if self._next() != "{":
            raise _Unknown
        depth, start = 1, self._at
        while self._at < len(self._tokens):
            piece = self._tokens[self._at]
            depth += (piece == "{") - (piece == "}")
            self._at += 1
            if not depth:
                return "".join(self._tokens[start : self._at - 1])
        raise _Unknown

    def _optional(self) -> Math | None:
        """A bracketed argument directly behind a command, None when there is none."""
        if self.peek() != "[":
            return None
        self._at += 1
        inner = self.row(frozenset({"]"}))
        if self._next() != "]":
            raise _Unknown
        return None if is_empty(inner) else inner

    def _atom(self) -> Math:
        piece = self._next()
        if piece == "{":
            self._at -= 1
            return self._group()
        if piece in ("}", "&", "^", "_"):
            raise _Unknown
        if piece[0] != "\\":
            return tree.Space("space") if piece == "~" else _sign(piece)
        name = piece[1:].rstrip("*") if len(piece) > 2 else piece[1:]
        return self._command(name)

    def _command(self, name: str) -> Math:
        listed = self._listed(name)
        if listed is not None:
            return listed
        structure = _STRUCTURES.get(name)
        if structure is not None:
            return structure(self, name)
        if len(name) == 1 and not name.isalnum():
            return tree.Space("space") if name == "~" else _sign("‖" if name == "|" else name)
        raise _Unknown

    def _listed(self, name: str) -> Math | None:
        """What the lists say of a command; None when they say nothing."""
        if name in _SPACES:
            if name == "hspace":
                self._raw()
            return tree.Space(_SPACES[name])
        if name in _CHARACTERS:
            return tree.Character(_CHARACTERS[name])
        if name in FUNCTIONS or name in ("operatorname", "mod", "bmod", "argmax", "argmin"):
            name = re.sub(r"[^\w ]", "", self._raw()) if name == "operatorname" else name
            return tree.Function(_SHOWN.get(name, name), name in _LIMITS)
        if name in _ACCENTS:
            return tree.Accent(name, self._argument())
        if name in _STYLES:
            return tree.Style(name, self._argument())
        if name in _TEXTS:
            return tree.Words(re.sub(r"\\([^A-Za-z])", r"\1", self._raw()).replace("$", "").replace("~", " "))
        return _NOTHING if name in _IGNORED else None

    def fraction(self, name: str) -> Math:
        return tree.Fraction(self._argument(), self._argument(), "binom" in name)

    def root(self, name: str) -> Math:
        degree = self._optional()
        return tree.Root(self._argument(), degree)

    def middle(self, name: str) -> Math:
        return tree.Middle(_DELIMITERS.get(self._next(), ""))

    def stacked(self, name: str) -> Math:
        mark = self._argument()
        return tree.Stacked(self._argument(), mark, name == "underset")

    def arrow(self, name: str) -> Math:
        below = self._optional()
        return tree.Arrow("→" if name == "xrightarrow" else "←", self._argument(), below)

    def tag(self, name: str) -> Math:
        return tree.Row((tree.Space("wide"), tree.Words(f"({self._raw()})")))

    def coloured(self, name: str) -> Math:
        self._raw()
        return self._argument()

    def unseen(self, name: str) -> Math:
        self._raw()
        return _NOTHING

    def struck(self, name: str) -> Math:
        return tree.Accent("cancel", self._argument())

    def modulo(self, name: str) -> Math:
        inner = (tree.Words("mod"), tree.Space("space"), self._argument())
        return tree.Row((tree.Space("space"), tree.Character("("), *inner, tree.Character(")")))

    def fenced(self, name: str) -> Math:
        opening = self._delimiter()
        inner = self.row(frozenset())
        if self._next() != r"\right":
            raise _Unknown
        return tree.Fenced(opening, inner, self._delimiter())

    def _delimiter(self) -> str:
        piece = self._next()
        if piece not in _DELIMITERS:
            raise _Unknown
        return _DELIMITERS[piece]

    def environment(self, name: str) -> Math:
        name = self._raw().rstrip("*")
        if name in ("array", "alignat", "alignedat"):
            self._optional()
            self._raw()
        if name in _ALIGNED:
            inner = self.row(frozenset())
        elif name in _MATRICES or name in ("cases", "dcases"):
            inner = self._cells(name)
        else:
            raise _Unknown
        if self._next() != r"\end" or self._raw().rstrip("*") != name:
            raise _Unknown
        return inner

    def _cells(self, name: str) -> Math:
        rows: list[list[Math]] = [[]]
        ends = frozenset({"&", r"\\", r"\hline"})
        while True:
            rows[-1].append(self.row(ends))
            piece = self.peek()
            if piece == "&":
                self._at += 1
            elif piece in (r"\\", r"\hline"):
                self._at += 1
                if piece == r"\\":
                    self._optional()
                    rows.append([])
            else:
                break
        rows = [row for row in rows if not all(map(is_empty, row))] or [[_NOTHING]]
        if name.endswith("cases"):
            return tree.Cases(tuple(map(tuple, rows)))
        width = max(map(len, rows))
        filled = tuple((*row, *[_NOTHING] * (width - len(row))) for row in rows)
        return tree.Matrix(*_MATRICES[name], filled)


_STRUCTURES: Mapping[str, Callable[[_Parser, str], Math]] = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom"), _Parser.fraction),
    **dict.fromkeys(("stackrel", "overset", "underset"), _Parser.stacked),
    **dict.fromkeys(("xrightarrow", "xleftarrow"), _Parser.arrow),
    **dict.fromkeys(("label", "color", "phantom", "vphantom", "hphantom"), _Parser.unseen),
    "sqrt": _Parser.root, "left": _Parser.fenced, "middle": _Parser.middle, "begin": _Parser.environment,
    "tag": _Parser.tag, "textcolor": _Parser.coloured, "not": _Parser.struck, "pmod": _Parser.modulo,
}  # fmt: skip
"""What reads the arguments of a command that has any, by its name."""


def _sign(typed: str) -> Math:
    """A sign as mathematics sets it: a minus, no hyphen."""
    return tree.Character(_SET.get(typed, typed))


def _row(items: list[Math]) -> Math:
    """The items as one; what is one already stays itself."""
    seen = [item for item in items if item != _NOTHING]
    return seen[0] if len(seen) == 1 else tree.Row(tuple(seen))
