"""What commands of LaTeX mathematics are in Typst: closed lists, so that nothing else is ever written as code."""

from collections.abc import Mapping

from sidecar.toolkit.ooxml.mathsymbols import NARY, SYMBOLS

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
