"""LaTeX mathematics as Typst mathematics: what papers, notebooks and chat answers really use; no macros, no packages.

Every piece written is a character, a quoted string, or a call from the closed lists below, so the result can be
evaluated whatever the formula says. What is not understood gives None, and the formula is then shown as its source.
What commands of LaTeX mathematics are in Typst: closed lists, so that nothing else is ever written as code."""

import re
from collections.abc import Callable, Mapping

from sidecar.toolkit.ooxml.mathsymbols import FUNCTIONS, NARY, SYMBOLS

CHARACTERS: dict[str, str] = {
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
PLAIN = {"-": "−", "*": "∗", "~": "space", "'": "′", "`": "‘"}
SPACES = {
    "quad": "quad", "qquad": "wide", ",": "thin", ":": "med", ">": "med", ";": "thick", " ": "space",
    "!": "#h(-0.17em)", "enspace": "med", "enskip": "med", "thinspace": "thin", "hspace": "med",
}  # fmt: skip
ACCENTS = {
    "hat": "hat", "widehat": "hat", "tilde": "tilde", "widetilde": "tilde", "bar": "macron", "vec": "arrow",
    "dot": "dot", "ddot": "dot.double", "check": "caron", "breve": "breve", "acute": "acute", "grave": "grave",
    "mathring": "circle", "overline": "overline", "underline": "underline", "overrightarrow": "arrow",
    "overleftarrow": "arrow.l", "overbrace": "overbrace", "underbrace": "underbrace", "boxed": "", "cancel": "cancel",
}  # fmt: skip
STYLES = {
    "mathbf": "bold(upright(", "boldsymbol": "bold(", "bm": "bold(", "mathrm": "upright(", "mathit": "italic(",
    "mathbb": "bb(", "mathcal": "cal(", "mathscr": "scr(", "mathfrak": "frak(", "mathsf": "sans(", "mathtt": "mono(",
    "pmb": "bold(", "mathnormal": "italic(",
}  # fmt: skip
TEXTS = frozenset(["text", "textrm", "textnormal", "textbf", "textit", "texttt", "textsf", "mbox", "hbox", "mathop"])
IGNORED = frozenset([
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "big", "Big", "bigg",
    "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl",
    "Biggr", "bigm", "nonumber", "notag", "noindent", "hline", "centering", "relax",
])  # fmt: skip
DELIMITERS: Mapping[str, str] = {
    "(": "paren.l", ")": "paren.r", "[": "bracket.l", "]": "bracket.r", r"\{": "brace.l", r"\}": "brace.r",
    r"\lbrace": "brace.l", r"\rbrace": "brace.r", r"\lbrack": "bracket.l", r"\rbrack": "bracket.r",
    "|": "bar.v", r"\|": "bar.v.double", r"\vert": "bar.v", r"\Vert": "bar.v.double", "/": r"\/", ".": "",
    r"\lvert": "bar.v", r"\rvert": "bar.v", r"\lVert": "bar.v.double", r"\rVert": "bar.v.double",
    r"\langle": "⟨", r"\rangle": "⟩", r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lceil": "⌈", r"\rceil": "⌉",
    r"\uparrow": "↑", r"\downarrow": "↓", "<": "⟨", ">": "⟩",
}  # fmt: skip
MATRICES = {
    "matrix": "#none", "smallmatrix": "#none", "pmatrix": '"("', "bmatrix": '"["', "Bmatrix": '"{"', "vmatrix": '"|"',
    "Vmatrix": '"‖"', "array": "#none",
}  # fmt: skip
ALIGNED = frozenset(
    ["aligned", "align", "split", "eqnarray", "gather", "gathered", "multline", "equation", "alignat", "alignedat"]
)


_LONGEST, _DEEPEST = 8000, 24
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|%[^\n]*|\s+|.", re.DOTALL)


class _Unknown(Exception):
    """The formula uses something that is not in the lists."""


def to_typst(tex: str) -> str | None:
    """Typst mathematics for a formula without its dollar signs; None when it is not understood."""
    if len(tex) > _LONGEST:
        return None
    tokens = [piece for piece in _TOKEN.findall(tex) if not piece.startswith("%")]
    try:
        parser = _Parser(tokens)
        pieces = parser.row(frozenset())
    except (_Unknown, RecursionError):
        return None
    return None if parser.peek() else pieces


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def peek(self) -> str:
        """The next token that is no blank, "" at the end."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def row(self, ends: frozenset[str]) -> str:
        """Everything up to a token of `ends`, or to what closes a group or a cell, as one sequence."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unknown
        pieces: list[str] = []
        while (piece := self.peek()) and piece not in ends and piece not in ("}", r"\end", r"\right"):
            if piece == "&":
                self._at += 1
                pieces.append("&")
            elif piece in (r"\\", r"\cr", r"\newline"):
                self._at += 1
                self._optional()
                pieces.append("\\\n")
            elif piece in (r"\over", r"\choose"):
                self._at += 1
                call = "frac" if piece == r"\over" else "binom"
                pieces = [f"{call}({_filled(' '.join(pieces))}, {_filled(self.row(ends))})"]
            else:
                pieces.append(self._scripted())
        self._depth -= 1
        return " ".join(filter(None, pieces))

    def _next(self) -> str:
        piece = self.peek()
        if not piece:
            raise _Unknown
        self._at += 1
        return piece

    def _scripted(self) -> str:
        base = '""' if self.peek() in ("^", "_", "'") else self._atom()
        above, below = "", ""
        while (piece := self.peek()) in ("^", "_", "'", r"\limits", r"\nolimits"):
            self._at += 1
            if piece == "'":
                above += "′"
            elif piece == "^":
                above = " ".join(filter(None, [above, self._argument()]))
            elif piece == "_":
                below = " ".join(filter(None, [below, self._argument()]))
        if not above and not below:
            return base
        marks = "".join((f", t: {above}" if above else "", f", b: {below}" if below else ""))
        return f"attach({_filled(base)}{marks})"

    def _argument(self) -> str:
        """A braced group or a single token."""
        piece = self.peek()
        if piece == "{":
            return _filled(self._group())
        if len(piece) > 1 and piece[0].isdigit():  # TeX takes one digit: \frac12 is a half, x^10 is x¹0
            self._tokens[self._at] = piece[1:]
            return piece[0]
        return _filled(self._atom())

    def _group(self) -> str:
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

    def _optional(self) -> str:
        """A bracketed argument directly behind a command, "" when there is none."""
        if self.peek() != "[":
            return ""
        self._at += 1
        inner = self.row(frozenset({"]"}))
        if self._next() != "]":
            raise _Unknown
        return inner

    def _atom(self) -> str:
        piece = self._next()
        if piece == "{":
            self._at -= 1
            return self._group()
        if piece in ("}", "&", "^", "_"):
            raise _Unknown
        if piece[0] != "\\":
            return _character(piece)
        name = piece[1:].rstrip("*") if len(piece) > 2 else piece[1:]
        return self._command(name)

    def _command(self, name: str) -> str:
        listed = self._listed(name)
        if listed is not None:
            return listed
        structure = _STRUCTURES.get(name)
        if structure is not None:
            return structure(self, name)
        if len(name) == 1 and not name.isalnum():
            return "‖" if name == "|" else _character(name)
        raise _Unknown

    def _listed(self, name: str) -> str | None:
        """What the lists of `texsymbols` say of a command; None when they say nothing."""
        if name in SPACES:
            if name == "hspace":
                self._raw()
            return SPACES[name]
        if name in CHARACTERS:
            return _character(CHARACTERS[name])
        if name in FUNCTIONS or name in ("operatorname", "mod", "bmod", "argmax", "argmin"):
            return self._operator(name)
        if name in ACCENTS:
            call = ACCENTS[name]
            return f"{call}({self._argument()})" if call else self._argument()
        if name in STYLES:
            call = STYLES[name]
            return f"{call}{self._argument()}{')' * call.count('(')}"
        if name in TEXTS:
            return _string(re.sub(r"\\([^A-Za-z])", r"\1", self._raw()).replace("$", "").replace("~", " "))
        return "" if name in IGNORED else None

    def fraction(self, name: str) -> str:
        return f"frac({self._argument()}, {self._argument()})"

    def binomial(self, name: str) -> str:
        return f"binom({self._argument()}, {self._argument()})"

    def root(self, name: str) -> str:
        degree = self._optional()
        return f"root({degree}, {self._argument()})" if degree else f"sqrt({self._argument()})"

    def middle(self, name: str) -> str:
        return f"mid({DELIMITERS.get(self._next(), '')})"

    def stacked(self, name: str) -> str:
        mark = self._argument()
        return f"attach(limits({self._argument()}), {'b' if name == 'underset' else 't'}: {mark})"

    def arrow(self, name: str) -> str:
        below = self._optional()
        arrow = "→" if name == "xrightarrow" else "←"
        bottom = f", b: {below}" if below else ""
        return f"attach(limits(stretch({arrow}, size: #(100% + 1.2em))), t: {self._argument()}{bottom})"

    def tag(self, name: str) -> str:
        return f"wide {_string(f'({self._raw()})')}"

    def coloured(self, name: str) -> str:
        self._raw()
        return self._argument()

    def unseen(self, name: str) -> str:
        self._raw()
        return ""

    def struck(self, name: str) -> str:
        return f"cancel({self._argument()})"

    def modulo(self, name: str) -> str:
        return f'space \\( "mod" space {self._argument()} \\)'

    def _operator(self, name: str) -> str:
        if name == "operatorname":
            name = re.sub(r"[^\w ]", "", self._raw())
        limits = (
            "#true" if name in ("max", "min", "lim", "sup", "inf", "limsup", "liminf", "argmax", "argmin") else "#false"
        )
        shown = {"limsup": "lim sup", "liminf": "lim inf", "argmax": "arg max", "argmin": "arg min", "bmod": "mod"}
        return f"op({_string(shown.get(name, name))}, limits: {limits})"

    def fenced(self, name: str) -> str:
        opening = self._delimiter()
        inner = self.row(frozenset())
        if self._next() != r"\right":
            raise _Unknown
        return f"lr({opening} {inner} {self._delimiter()})"

    def _delimiter(self) -> str:
        piece = self._next()
        if piece not in DELIMITERS:
            raise _Unknown
        return DELIMITERS[piece]

    def environment(self, name: str) -> str:
        name = self._raw().rstrip("*")
        if name in ("array", "alignat", "alignedat"):
            self._optional()
            self._raw()
        if name in ALIGNED:
            inner = self.row(frozenset())
        elif name in MATRICES or name in ("cases", "dcases"):
            inner = self._cells(name)
        else:
            raise _Unknown
        if self._next() != r"\end" or self._raw().rstrip("*") != name:
            raise _Unknown
        return inner

    def _cells(self, name: str) -> str:
        rows: list[list[str]] = [[]]
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
        rows = [row for row in rows if any(row)] or [[""]]
        if name.endswith("cases"):
            return f"cases({', '.join(' & quad '.join(map(_filled, row)) for row in rows)})"
        width = max(map(len, rows))
        filled = [[*map(_filled, row), *['""'] * (width - len(row))] for row in rows]
        return f"mat(delim: {MATRICES[name]}, {'; '.join(', '.join(row) for row in filled)})"


_STRUCTURES: Mapping[str, Callable[[_Parser, str], str]] = {
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), _Parser.fraction),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), _Parser.binomial),
    **dict.fromkeys(("stackrel", "overset", "underset"), _Parser.stacked),
    **dict.fromkeys(("xrightarrow", "xleftarrow"), _Parser.arrow),
    **dict.fromkeys(("label", "color", "phantom", "vphantom", "hphantom"), _Parser.unseen),
    "sqrt": _Parser.root, "left": _Parser.fenced, "middle": _Parser.middle, "begin": _Parser.environment,
    "tag": _Parser.tag, "textcolor": _Parser.coloured, "not": _Parser.struck, "pmod": _Parser.modulo,
}  # fmt: skip
"""What reads the arguments of a command that has any, by its name."""


def _filled(text: str) -> str:
    """Calls want something for each argument."""
    return text if text.strip() else '""'


def _character(character: str) -> str:
    if character in PLAIN:
        return PLAIN[character]
    if character.isalnum() or ord(character[0]) > 127:
        return character
    return "\\" + character


def _string(text: str) -> str:
    return '"' + re.sub(r"\s+", " ", text).replace("\\", "\\\\").replace('"', '\\"') + '"'
