"""LaTeX of formulas as a canonical string, and the linear texts a reader may type for it.

Settled before any output was looked at: sizes of brackets, blanks, styles, labels, bold and upright type, and stops at
the end say nothing; `dfrac` is `frac`, `le` is `leq`, all dots are alike, and so are the two forms of Greek letters; an
index stands before a power, `'` is a prime; rows of `align` run on, those of matrices and cases count. Linear text may
have parentheses about one factor of a fraction, a script of letters and the body of a root, or leave them out.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import Any

Node = tuple[Any, ...]
Row = list[Node]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split())


_TOKEN = re.compile(r"\\(?:operatorname|tag|hspace|vspace)\*|\\[a-zA-Z]+|\\.|[{}_^&~]|\s+|.", re.DOTALL)
_ALONE = re.compile(r"\{(?:\\ensuremath\{)?(\^(?:\\[a-zA-Z]+|\{[^{}]*\}|\w))\}?\}")
"""A power in braces of its own."""
_NOTHING = _words(
    r"\left \right \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \biggl \biggr \Biggl \Biggr \bigm \Bigm \middle \,"
    r" \; \! \: \quad \qquad \displaystyle \textstyle \scriptstyle \limits \nolimits \nonumber \notag \allowbreak"
    r" \hfill \noindent \bf \rm \it \sf \strut \mathstrut \hfil \relax \mathop \mathrel \mathbin \mathord \protect"
    r" \thinspace \enspace \medspace \hline \par \em \boldmath \displaybreak \displaylimits \null \small \normalsize"
    r" \unskip ~ \/ $"
) | {"\\ "}
_PLAIN = _words(
    r"\text \mathrm \operatorname \operatorname* \mbox \textrm \mathsf \textsf \mathit \textit \hbox \mathbf"
    r" \boldsymbol \bm \textbf \pmb \mathtt \texttt \code \fbox \ensuremath \mathnormal \symbf \symup \symit"
    r" \textnormal \mathsfit"
)
_DROPPED = _words(r"\label \tag \tag* \hspace \hspace* \vspace \vspace* \vphantom \hphantom \phantom \intertext \color")
_ALIKE = _pairs(
    r"\dfrac=\frac \tfrac=\frac \le=\leq \ge=\geq \ne=\neq \to=\rightarrow \gets=\leftarrow \ldots=\dots \cdots=\dots"
    r" \dotsc=\dots \dotsb=\dots \dotsm=\dots \varepsilon=\epsilon \varphi=\phi \vartheta=\theta \mid=| \vert=|"
    r" \lvert=| \rvert=| \|=\Vert \lVert=\Vert \rVert=\Vert \parallel=\Vert \widehat=\hat \widetilde=\tilde"
    r" \overline=\bar \land=\wedge \lor=\vee \ast=* \star=* \lbrace=\{ \rbrace=\} \iff=\Longleftrightarrow"
    r" \implies=\Longrightarrow \prime=' \leqslant=\leq \geqslant=\geq \thicksim=\sim \colon=: \lbrack=[ \rbrack=]"
    r" \tbinom=\binom \dbinom=\binom \Bbb=\mathbb \cal=\mathcal \mathscr=\mathcal \smallsetminus=\setminus"
    r" \longrightarrow=\rightarrow \emptyset=\varnothing \hslash=\hbar \top=\intercal \bigtriangleup=\Delta"
    r" \dag=\dagger \coloneqq=:= \%=% \#=# \lnot=\neg −=- …=\dots")  # fmt: skip
_FUNCTIONS = _words(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max"
    " min mod bmod Pr sec sin sinh sup tan tanh"
)
_ACCENTS = {
    r"\hat": "\u0302", r"\tilde": "\u0303", r"\bar": "\u0304", r"\dot": "\u0307", r"\ddot": "\u0308",
    r"\vec": "\u20d7", r"\check": "\u030c", r"\acute": "\u0301", r"\breve": "\u0306", r"\underline": "\u0332",
    r"\underbrace": "", r"\overbrace": "",
}  # fmt: skip
_FENCES = {
    "pmatrix": "()", "bmatrix": "[]", "vmatrix": "||", "Vmatrix": "‖‖", "Bmatrix": "{}", "cases": "{", "dcases": "{",
}  # fmt: skip
_ROWS = _words("aligned split gathered align align* multlined eqnarray alignedat")
_SIGNS = _pairs(
    r"\leq=≤ \geq=≥ \neq=≠ \rightarrow=→ \leftarrow=← \dots=… \sum=∑ \prod=∏ \int=∫ \iint=∬ \oint=∮ \infty=∞"
    r" \partial=∂ \nabla=∇ \times=× \cdot=· \pm=± \mp=∓ \sim=∼ \approx=≈ \equiv=≡ \propto=∝ \in=∈ \notin=∉"
    r" \subset=⊂ \subseteq=⊆ \cup=∪ \cap=∩ \wedge=∧ \vee=∨ \forall=∀ \exists=∃ \neg=¬ \Rightarrow=⇒"
    r" \Leftrightarrow=⇔ \Longrightarrow=⇒ \Longleftrightarrow=⇔ \mapsto=↦ \Vert=‖ \{={ \}=} \langle=⟨ \rangle=⟩"
    r" \lfloor=⌊ \rfloor=⌋ \lceil=⌈ \rceil=⌉ \otimes=⊗ \oplus=⊕ \circ=∘ \ell=ℓ \hbar=ℏ \varnothing=∅ \intercal=⊤"
    r" \bigcup=⋃ \bigcap=⋂ \ll=≪ \gg=≫ \simeq=≃ \cong=≅ \dagger=† \perp=⊥ \Re=ℜ \Im=ℑ \imath=ı \jmath=ȷ \_=_ \$=$"
    r" \&=& \div=÷ \triangleq=≜ \odot=⊙ \bullet=• \bigvee=⋁ \bigwedge=⋀ \downarrow=↓ \uparrow=↑ \vdots=⋮ \ddots=⋱"
    r" \models=⊨ \doteq=≐") | {r"\setminus": "\\"} | {
    "\\" + (name.capitalize() if "CAPITAL" in full else name): chr(code)
    for code in (*range(0x3C9, 0x390, -1), 0x3D5, 0x3F5, 0x3D1)
    if "FINAL" not in (full := unicodedata.name(chr(code), "FINAL"))
    for name in [(full.split()[1] if "SYMBOL" in full else full.split()[-1]).lower().replace("lamda", "lambda")]
}  # fmt: skip
_RELATIONS = _words("= < > ≤ ≥ ≠ → ← ≈ ∼ ≡ ∝ ∈ ∉ ⊂ ⊆ ⇒ ⇔ ↦ ≪ ≫ ≃ ≅ ≜ + - × ± ∓ ∪ ∩ ∧ ∨ ⊗ ⊕ ∘ ,")
_FOLDED = sorted(_words("−- –- ⋯… ∣| ∥‖ ϵε ϕφ ϑθ µμ ⋅· ∗* ⋆* ⟶→ ⟹⇒ ⟺⇔ '′ ℓl △Δ ∆Δ ⌀∅ ∖\\ ⩽≤ ⩾≥"))


class _Reader:
    """Reads LaTeX as a row of nodes, each a kind and its parts."""

    def __init__(self, latex: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(_ALONE.sub(r"\1 ", latex))
        self._at = 0

    def row(self, end: str | None = None) -> Row:
        """The nodes up to a token."""
        row: Row = []
        while (token := self._peek()) is not None and token != end:
            row += self._scripted([row.pop()] if token in ("_", "^") and row else self._atom())
        return row

    def _raw(self) -> str | None:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _peek(self) -> str | None:
        while (token := self._raw()) is not None and token in _NOTHING:
            self._at += 1
        return token

    def _group(self, end: str) -> Row:
        self._at += 1
        row = self.row(end)
        self._at += 1
        return row

    def _argument(self) -> Row:
        token = self._peek()
        return [] if token is None else self._group("}") if token == "{" else self._atom()

    def _option(self) -> Row:
        return self._group("]") if self._peek() == "[" else []

    def _name(self) -> str:
        """A word in braces, unread."""
        start, depth = self._at, 0
        while self._raw() is not None:
            depth += (self._tokens[self._at] == "{") - (self._tokens[self._at] == "}")
            self._at += 1
            if depth <= 0:
                break
        return "".join(self._tokens[start + 1 : self._at - 1]).strip("{ ")

    def _atom(self) -> Row:
        token = self._peek() or ""
        self._at += 1
        token = _ALIKE.get(token, token)
        if token == "{":
            self._at -= 1
            return self._group("}")
        if token in _DROPPED:
            self._name()
            return []
        if token in _PLAIN:
            return self._group("}") if self._raw() == "{" else self._atom() if self._peek() else []
        if (made := self._built(token)) is not None:
            return made
        if token in ("\\\\", "&", r"\cr", r"\end"):
            if token == r"\end":
                self._name()
            elif token != "&" and self._raw() == "[":
                self._option()
            return []
        if token == r"\not":
            negated = self._atom()
            sign = {"=": r"\neq", r"\in": r"\notin"}.get(negated[0][1] if negated else "")
            return [("sign", sign)] if sign else [("sign", token), *negated]
        name = token[1:].rstrip("*")
        known = token[0] == "\\" and name in _FUNCTIONS
        return [
            ("name", name.replace("bmod", "mod")) if known else ("sign", token.replace(r"\backslash", r"\setminus"))
        ]

    def _built(self, token: str) -> Row | None:
        """What a command makes of its arguments; None for one that has none."""
        if token in (r"\mathcal", r"\mathbb", r"\mathfrak"):
            return [("style", token, self._argument())]
        if token in (r"\frac", r"\binom"):
            return [(token[1:], self._argument(), self._argument())]
        if token in (r"\stackrel", r"\overset", r"\underset"):
            label, base = self._argument(), self._argument()
            return [("scripts", base, label, []) if token == r"\underset" else ("over", base, label)]
        if token == r"\sqrt":
            index = self._option()
            return [("root", self._argument(), index)]
        if token in _ACCENTS:
            return [("accent", token, self._argument())]
        if token == r"\xrightarrow":
            self._option()
            return [("over", [("sign", r"\rightarrow")], self._argument())]
        if token == r"\substack":
            return self._argument()
        if token == r"\pmod":
            return [("sign", sign) for sign in "(mod"] + self._argument() + [("sign", ")")]
        return self._environment(self._name()) if token == r"\begin" else None

    def _environment(self, name: str) -> Row:
        if name in ("array", "alignedat", "tabular"):
            self._option()
            self._name()
        elif name in ("aligned", "split", "gathered"):
            self._option()
        rows: list[list[Row]] = [[[]]]
        while (token := self._peek()) is not None:
            if token in (r"\end", "&", "\\\\", r"\cr"):
                self._at += 1
            if token == r"\end":
                self._name()
                break
            if token == "&":
                rows[-1].append([])
            elif token in ("\\\\", r"\cr"):
                if self._raw() == "[":
                    self._option()
                rows.append([[]])
            else:
                rows[-1][-1] += self._scripted(self._atom())
        rows = [row for row in rows if any(row)]
        if name in _ROWS:
            return [node for row in rows for cell in row for node in cell]
        return [("matrix", _FENCES.get(name, ""), rows)]

    def _scripted(self, base: Row) -> Row:
        low: Row = []
        high: Row = []
        primes: Row = []
        while (token := self._peek()) in ("_", "^", "'", r"\prime"):
            self._at += 1
            if token == "_":
                low += self._argument()
            elif token == "^":
                high += self._argument()
            else:
                primes.append(("sign", "'"))
        high = primes + high
        if not low and not high:
            return base
        if len(base) == 1 and base[0][0] == "scripts":
            return [("scripts", base[0][1], base[0][2] + low, base[0][3] + high)]
        return [("scripts", base, low, high)]


def _fenced(row: Row) -> Row:
    """The row with the brackets beside a matrix as its own."""
    found = list(row)
    at = 0
    while at < len(found):
        if found[at][:2] == ("matrix", ""):
            rows = found[at][2]
            left = found[at - 1][1] if at and found[at - 1][0] == "sign" else ""
            after: Node = found[at + 1] if at + 1 < len(found) else ("",)
            scripts = after if after[0] == "scripts" and len(after[1]) == 1 and after[1][0][0] == "sign" else None
            after = scripts[1][0] if scripts else after
            right = after[1] if after[0] == "sign" else ""
            if left in ("(", "[", "|", r"\{", r"\Vert") and right in (")", "]", "|", r"\}", r"\Vert"):
                made = ("matrix", {r"\{": "{}", r"\Vert": "‖‖"}.get(left, left + right), rows)
                found[at - 1 : at + 2] = [("scripts", [made], scripts[2], scripts[3]) if scripts else made]
                at -= 1
            elif left == r"\{":
                found[at - 1 : at + 1] = [("matrix", "{", rows)]
                at -= 1
        at += 1
    return found


def _canonical(row: Row) -> str:
    made: list[str] = []
    for kind, *parts in _fenced(row):
        if kind in ("sign", "name"):
            made.append(parts[0] or "")
        elif kind == "frac":
            made.append(rf"\frac{{{_canonical(parts[0])}}}{{{_canonical(parts[1])}}}")
        elif kind == "binom":
            made.append(f"(mat({_canonical(parts[0])};{_canonical(parts[1])}))")
        elif kind == "root":
            made.append(rf"\sqrt[{_canonical(parts[1])}]{{{_canonical(parts[0])}}}")
        elif kind in ("accent", "style"):
            made.append(f"{parts[0]}{{{_canonical(parts[1])}}}")
        elif kind == "over":
            made.append(rf"\over{{{_canonical(parts[0])}}}{{{_canonical(parts[1])}}}")
        elif kind == "scripts":
            low, high = _canonical(parts[1]), _canonical(parts[2])
            made.append(_canonical(parts[0]) + (f"_{{{low}}}" if parts[1] else "") + (f"^{{{high}}}" if high else ""))
        else:
            rows = ";".join(",".join(_canonical(cell).rstrip(",") for cell in cells) for cells in parts[1])
            made.append(f"(mat{parts[0][:1]}{rows}{parts[0][1:]})")
    return re.sub(r"\s+", "", "".join(made))


def _bare(latex: str) -> str:
    latex = re.sub(r"\\tag\*?\{[^{}]*\}|\\label\{[^{}]*\}", "", latex)
    return re.sub(r"\\(left|right)\s*\.", "", latex)


def canonical(latex: str) -> str:
    """What LaTeX is compared by."""
    return re.sub(r"[.,;]+$", "", _canonical(_Reader(_bare(latex)).row())).replace(r"\{", "{").replace(r"\}", "}")


class _Writer:
    """Writes linear text; `free` says of each choice whether it is taken: a product over a fraction and letters under
    it in parentheses, an index of letters, the body of a root, the prime before the index, commas between cells, none
    about a power of letters, and none about what has its own."""

    def __init__(self, free: tuple[int, ...]) -> None:
        self._free = free

    def write(self, row: Row) -> str:
        """Linear text of nodes."""
        return "".join(self._node(kind, parts) for kind, *parts in _fenced(row))

    def _node(self, kind: str, parts: list[Any]) -> str:
        if kind in ("sign", "name"):
            return _SIGNS.get(parts[0], parts[0] or "") if kind == "sign" else parts[0]
        if kind == "frac":
            over, under = self.write(parts[0]), self.write(parts[1])
            if _weight(parts[0]) > 1 or (self._free[0] and _weight(parts[0]) > 0):
                over = f"({over})"
            if _weight(parts[1]) > 0 or (self._free[1] and len(under) > 1 and not under.isdigit()):
                under = f"({under})"
            return f"{over}/{under}"
        if kind == "binom":
            return f"({self.write(parts[0])};{self.write(parts[1])})"
        if kind == "root":
            body, index = self.write(parts[0]), self.write(parts[1])
            body = f"({body})" if _weight(parts[0]) > 0 or (self._free[3] and len(body) > 1) else body
            return {"": "√", "3": "∛", "4": "∜"}.get(index, f"{index}√") + body
        if kind == "accent":
            body = self.write(parts[1])
            named = {r"\bar": "overline", r"\underline": "underline"}.get(parts[0]) or parts[0][1:] * (
                "brace" in parts[0]
            )
            return f"{named}({body})" if named and len(body) > 1 else body + _ACCENTS[parts[0]]
        if kind == "style":
            return self.write(parts[1])
        if kind == "over":
            return f"{self.write(parts[0])}^{self._script(parts[1])}"
        if kind == "scripts":
            return self._scripts(parts[0], parts[1], parts[2])
        rows = [[self.write(cell) for cell in cells] for cells in parts[1]]
        if parts[0] == "{":
            sign = "," if self._free[5] else ""
            return "{" + ";".join(sign.join(cell.rstrip(",") if sign else cell for cell in cells) for cells in rows)
        fence = parts[0] or "()"
        return fence[0] + ";".join(",".join(cells) for cells in rows) + fence[-1]

    def _scripts(self, base: Row, low: Row, high: Row) -> str:
        text = self.write(base)
        text = f"({text})" if _weight(base) > 0 and len(base) == 1 else text
        primes = "′" * sum(node == ("sign", "'") for node in high)
        high = [node for node in high if node != ("sign", "'")]
        index = f"_{self._script(low, index=True)}" if low else ""
        text += primes + index if self._free[4] else index + primes
        return text + (f"^{self._script(high)}" if high else "")

    def _script(self, row: Row, *, index: bool = False) -> str:
        text = self.write(row)
        name = all(node[0] == "name" for node in row)
        plain = len(text) == 1 or text.isdigit() or (text.isalnum() and ((index and not self._free[2]) or name))
        plain = plain or (self._free[6] and text.isalpha() and text.isascii())
        return text if plain or (self._free[7] and re.fullmatch(r"\([^()]*\)", text)) else f"({text})"


def _weight(row: Row) -> int:
    """0 of one sign, 1 of a product, 2 of a sum or relation outside brackets."""
    row = _fenced(row)
    if len(row) <= 1:
        long = row and row[0][0] == "sign" and len(row[0][1] or "") > 1 and row[0][1][0] != "\\"
        return 1 if row and (row[0][0] == "frac" or long) else 0
    depth = 0
    for node in row:
        if node[0] == "sign":
            sign = _SIGNS.get(node[1], node[1] or "")
            depth += (sign in "([{⟨⌊⌈") - (sign in ")]}⟩⌋⌉")
            if depth <= 0 and sign in _RELATIONS:
                return 2
    return 0 if all(node[0] == "sign" and (node[1].isdigit() or node[1] == ".") for node in row) else 1


def folded(text: str) -> str:
    """What linear text is compared by: no blanks, mathematical alphabets or stops at the end, signs alike as one."""
    text = re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).replace("...", "…").replace("^prime", "′")
    for one, other in _FOLDED:
        text = text.replace(one, other)
    text = text.replace("“", '"').replace("”", '"').replace("``", '"').replace("″", "′′").replace("‴", "′′′")
    return re.sub(r"[.,;]+$", "", text)


def spellings(latex: str) -> set[str]:
    """The linear texts, folded, that are right for LaTeX."""
    row = _Reader(_bare(latex)).row()
    return {folded(_Writer(free).write(row)) for free in itertools.product((0, 1), repeat=8)}
