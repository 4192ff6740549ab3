"""Characters of mathematics as LaTeX commands: the tables `omml` translates by. No XML here."""

import re
import unicodedata


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return {words[i]: "\\" + words[i + 1] for i in range(0, len(words), 2)}


SYMBOLS = _pairs(
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa "
    "λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi "
    "ψ psi ω omega Γ Gamma Δ Delta ∆ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega "
    "± pm ∓ mp × times ÷ div ∗ ast ⋆ star ∘ circ • bullet · cdot ⋅ cdot ∩ cap ∪ cup ⊎ uplus ⊓ sqcap ⊔ sqcup ∨ vee "
    "∧ wedge ∖ setminus ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot † dagger ‡ ddagger "
    "≤ leq ≥ geq ≪ ll ≫ gg ≠ neq ≡ equiv ∼ sim ≃ simeq ≈ approx ≅ cong ∝ propto ≐ doteq ≺ prec ≻ succ ≼ preceq "
    "≽ succeq ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∈ in ∋ ni ∉ notin ⊢ vdash ⊣ dashv ⊨ models ⊥ perp ∥ parallel "
    "∣ mid ≜ triangleq ≔ coloneqq "
    "← leftarrow → rightarrow ↔ leftrightarrow ⇐ Leftarrow ⇒ Rightarrow ⇔ Leftrightarrow ↑ uparrow ↓ downarrow "
    "↦ mapsto ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ⇌ rightleftharpoons "
    "↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow "
    "∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ¬ neg ∅ emptyset ℏ hbar ℓ ell ℜ Re ℑ Im ℘ wp ∠ angle "
    "△ triangle □ square ◇ diamond ′ prime ″ prime\\prime … ldots ⋯ cdots ⋮ vdots ⋱ ddots ∴ therefore ∵ because "
    "√ surd ° circ ℵ aleph ⊤ top ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ⟨ langle ⟩ rangle ‖ Vert "
    "∫ int ∬ iint ∭ iiint ∮ oint ∑ sum ∏ prod ∐ coprod ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes"
) | {"°": "^{\\circ}", "′": "'", "″": "''", "‴": "'''", "\u2061": "", "\u2062": "", "\u2063": "", "\u200b": ""}
"""Character → LaTeX in mathematics."""

NARY = _pairs(
    "∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ∑ sum ∏ prod ∐ coprod ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge "
    "⨁ bigoplus ⨂ bigotimes ⨀ bigodot ⨆ bigsqcup ⨄ biguplus"
)

DELIMITERS = {
    "(": "(", ")": ")", "[": "[", "]": "]", "{": r"\{", "}": r"\}", "|": "|", "‖": r"\|", "∥": r"\|", "⟨": r"\langle",
    "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "/": "/", "∣": "|", "⟦": r"\llbracket", "⟧": r"\rrbracket", "<": "<", ">": ">", "": ".",
}  # fmt: skip

ACCENTS = {
    "\u0302": r"\hat", "^": r"\hat", "ˆ": r"\hat", "\u0303": r"\tilde", "~": r"\tilde", "˜": r"\tilde",
    "\u0304": r"\bar", "\u0305": r"\overline", "¯": r"\bar", "ˉ": r"\bar", "\u0306": r"\breve", "˘": r"\breve",
    "\u0307": r"\dot", "˙": r"\dot", "\u0308": r"\ddot", "¨": r"\ddot", "\u20db": r"\dddot",
    "\u030a": r"\mathring", "\u030c": r"\check", "ˇ": r"\check", "\u0300": r"\grave", "\u0301": r"\acute",
    "´": r"\acute", "\u20d7": r"\vec", "→": r"\vec", "\u20d6": r"\overleftarrow",
    "\u20e1": r"\overleftrightarrow", "\u0332": r"\underline", "\u033f": r"\overline",
}  # fmt: skip

SCRIPTS = {
    "script": r"\mathcal", "fraktur": r"\mathfrak", "double-struck": r"\mathbb", "sans-serif": r"\mathsf",
    "monospace": r"\mathtt",
}  # fmt: skip
"""`m:scr` values (ECMA-376 part 1 §22.9.2.13) → LaTeX alphabets; roman needs none."""

_FUNCTION_NAMES = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log "
    "max min Pr sec sin sinh sup tan tanh"
)
FUNCTIONS = {name: "\\" + name for name in _FUNCTION_NAMES.split()}

_ESCAPES = {"\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#", "_": r"\_", "~": r"\sim "}
_TEXT_ESCAPES = _ESCAPES | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "&": r"\&",
}  # fmt: skip
_STYLES = (
    ("BOLD ITALIC ", r"\boldsymbol"), ("BOLD SCRIPT ", r"\mathcal"), ("BOLD FRAKTUR ", r"\mathfrak"),
    ("BOLD ", r"\mathbf"), ("ITALIC ", ""), ("SCRIPT ", r"\mathcal"), ("FRAKTUR ", r"\mathfrak"),
    ("DOUBLE-STRUCK ", r"\mathbb"), ("SANS-SERIF ", r"\mathsf"), ("MONOSPACE ", r"\mathtt"),
)  # fmt: skip
_APPLIED = re.compile("([A-Za-z]{0,40})\u2061")
_SPECIAL = re.compile(r"[^A-Za-z0-9 +\-=*/()\[\]|<>,.;:!?'\"&^]")


def latex_of(text: str) -> str:
    """Characters as LaTeX in mathematics; `&` (alignment) and `^` pass, other special characters are escaped."""
    if not _SPECIAL.search(text):
        return text
    if "\u2061" in text:  # "function application" tells a name from a product of letters
        pieces = _APPLIED.split(text)
        named = [FUNCTIONS.get(piece, piece) if odd % 2 else latex_of(piece) for odd, piece in enumerate(pieces)]
        return " ".join(piece for piece in named if piece)
    made, in_command = "", False  # whether a letter more would lengthen the name of a command
    for character in text:
        piece = _ESCAPES.get(character) or (character if character < "\x7f" else _symbol(character))
        if apart := in_command and piece[:1].isalpha():
            made += " "
        made += piece
        if "\\" in piece:
            in_command = piece.rpartition("\\")[2].isalpha()
        elif piece:
            in_command = in_command and not apart and piece.isalpha()
    return made


def escape_text(text: str) -> str:
    r"""Text for inside `\text{…}`."""
    return "".join(_TEXT_ESCAPES.get(character, character) for character in text)


def _symbol(character: str) -> str:
    known = SYMBOLS.get(character)
    if known is not None:
        return known
    if not 0x1D400 <= ord(character) <= 0x1D7FF and not 0x2100 <= ord(character) <= 0x214F:
        return character
    # Mathematical alphanumerics (Unicode block 1D400) carry their look in their name.
    base = unicodedata.normalize("NFKC", character)
    name = unicodedata.name(character, "").removeprefix("MATHEMATICAL ")
    inner = SYMBOLS.get(base, base)
    for look, command in _STYLES:
        if name.startswith(look):
            return f"{command}{{{inner}}}" if command else inner
    return inner
