"""Sets the tables of the fifteenth truth of `pdf_pages.py` in LaTeX, in the looks that papers have."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from pdf_pages_latex_contents import BOLD, END, LOW, MONO, SLANTED, TURNED, UNDER, Content

SIGNS = {
    "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "±": r"$\pm$", "−": "$-$", "×": r"$\times$",
    "·": r"$\cdot$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$", "≤": r"$\le$", "≥": r"$\ge$", "<": "$<$", ">": "$>$",
    "–": "--",
    "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "Δ": r"$\Delta$", "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "λ": r"$\lambda$", "θ": r"$\theta$", "⊙": r"$_\odot$", "†": r"$^\dagger$", "✓": r"\ding{51}", "✗": r"\ding{55}",
    "Å": r"\AA{}",
    BOLD: r"\textbf{", UNDER: r"\underline{", SLANTED: r"\textit{", MONO: r"\texttt{", LOW: r"\textsubscript{",
    TURNED: r"\turned{",
    END: "}",
}  # fmt: skip
RULES = {
    "booktabs": (r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"),
    "sparse": (r"\toprule", r"\midrule", "", r"\bottomrule"),
    "spaced": (r"\toprule", r"\midrule", r"\addlinespace", r"\bottomrule"),
    "hline": (r"\hline", r"\hline", r"\hline", r"\hline"),
    "double": (r"\hline\hline", r"\hline", "", r"\hline\hline"),
    "vbars": (r"\hline", r"\hline", r"\hline", r"\hline"),
    "grid": (r"\hline", r"\hline", r"\hline", r"\hline"),
    "lined": (r"\hline", r"\hline", r"\hline", r"\hline"),
    "striped": (r"\toprule", r"\midrule", "", r"\bottomrule"),
    "headcolor": (r"\hline", r"\hline", r"\hline", r"\hline"),
    "dashed": (r"\toprule", r"\midrule", r"\hdashline", r"\bottomrule"),
    "midonly": ("", r"\hline", "", ""),
    "none": ("", "", "", ""),
}
"""The rules at the top, under the head, between groups, and at the foot."""
USUAL = (
    "booktabs",
    "booktabs",
    "booktabs",
    "sparse",
    "spaced",
    "hline",
    "double",
    "vbars",
    "grid",
    "lined",
    "striped",
    "headcolor",
    "dashed",
)
Cells = dict[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Look:
    """How a table is set."""

    rules: str
    size: str
    gap: float
    stretch: float
    figures: str
    above: bool
    width: str
    """`natural`, `shrunk` to the column, or `full`, stretched to it."""


def look(r: random.Random, content: Content, rules: str = "") -> Look:
    """A look that a content can have."""
    rules = rules or (
        "none"
        if content.loose and r.random() < 0.2
        else "midonly"
        if content.loose and r.random() < 0.1
        else r.choice(USUAL)
    )
    simple = rules not in ("vbars", "grid")
    return Look(
        rules, r.choice((r"\scriptsize", r"\footnotesize", r"\footnotesize", r"\small", r"\small", "")),
        r.choice((1.5, 2, 3, 4, 4, 5, 6, 6)) if rules != "none" else r.choice((5, 6, 8)),
        r.choice((1, 1, 1, 1.1, 1.2, 1.3, 0.9)),
        r.choice("ccrrS") if rules != "none" else r.choice("cr"), r.random() < 0.6,
        r.choice(("natural", "natural", "shrunk", "full" if simple else "shrunk")),
    )  # fmt: skip


def tex(text: str) -> str:
    """A cell's text as LaTeX."""

    def one(match: re.Match[str]) -> str:
        raised, stars, minus, char = match.groups()
        if raised:
            return f"$^{{{raised.replace('−', '-')}}}$" if raised[-1].isdigit() else rf"\textsuperscript{{{raised}}}"
        return rf"\textsuperscript{{{stars}}}" if stars else f"$-{minus}$" if minus else SIGNS.get(char, char)

    indent = r"\quad " if text.startswith("  ") else ""
    return indent + re.sub(r"\^(−?\w+)|(?<=\d)(\*+)|(?<!\w)−([\d.]+)|(.)", one, text.strip())


def spans(content: Content) -> Cells:
    """Of each cell that begins somewhere, the rows and columns it takes."""
    found: Cells = {}
    for at, row in enumerate(content.rows):
        for c, text in enumerate(row):
            if text in ("<", "^"):
                continue
            wide = next((k for k in range(1, len(row) - c) if row[c + k] != "<"), len(row) - c)
            high = next(
                (k for k in range(1, len(content.rows) - at) if content.rows[at + k][c] != "^"), len(content.rows) - at
            )
            found[at, c] = (high, wide)
    return found


def _columns(content: Content, style: Look) -> str:
    words = content.columns.count("w")
    wide = ">{\\raggedright\\arraybackslash}" + (
        "X" if style.width == "full" else f"p{{{0.62 / max(words, 1):.2f}\\linewidth}}"
    )
    kinds = {"w": wide, "n": style.figures, "S": "S"}
    own = [kinds.get(kind, kind) for kind in content.columns]
    if style.rules == "grid":
        return "|" + "|".join(own) + "|"
    if style.rules == "vbars":
        return own[0] + "|" + "".join(own[1:])
    stretched = r"@{\extracolsep{\fill}}" if style.width == "full" and not words else ""
    return stretched + "".join(own)


def _cell(content: Content, own: Cells, at: int, c: int, style: Look) -> str:
    text = content.rows[at][c]
    if (at, c) not in own:
        return ""
    high, wide = own[at, c]
    done = r"\makecell{" + r"\\".join(map(tex, text.split("\n"))) + "}" if "\n" in text else tex(text)
    if style.rules == "headcolor" and at < content.head and text:
        done = rf"\textbf{{{done}}}"
    if high > 1:
        done = rf"\multirow{{{high}}}{{*}}{{{done}}}"
    if wide > 1:
        titled = at >= content.head
        bar = "|" if style.rules == "grid" else ""
        return rf"\multicolumn{{{wide}}}{{{bar if not c else ''}{'l' if titled else 'c'}{bar}}}{{{done}}}"
    number = re.fullmatch(r"−?[\d.]+|\d+\.\d+(?: ?± ?[\d.]+)?", text)
    if content.columns[c] == "n" and style.figures == "S":
        return text.replace("−", "-").replace("±", r"\pm") if number and at >= content.head else f"{{{done}}}"
    return done


def _below(content: Content, own: Cells, at: int, style: Look) -> str:
    """The rule under a row."""
    top, head, between, bottom = RULES[style.rules]
    if at == len(content.rows) - 1:
        return bottom
    open_cells = {c for (start, c), (high, _) in own.items() if start <= at < start + high - 1}
    if at == content.head - 1:
        return head
    if at < content.head:
        if style.rules in ("none", "midonly"):
            return ""
        parts = [(c + 1, c + wide) for (start, c), (_, wide) in sorted(own.items()) if start == at and wide > 1]
        rule, trim = (r"\cmidrule", "(lr)") if top == r"\toprule" else (r"\cline", "")
        if not parts and style.rules == "grid" and not open_cells:
            return r"\hline"
        return "".join(f"{rule}{trim}{{{a}-{b}}}" for a, b in parts)
    if style.rules in ("grid", "lined"):
        if not open_cells:
            return r"\hline"
        return "".join(rf"\cline{{{c + 1}-{c + 1}}}" for c in range(len(content.columns)) if c not in open_cells)
    return between if at + 1 in content.groups else ""


def lines_of(content: Content, style: Look, name: str) -> list[str]:
    """The rows, each with a note of the page it comes to, and the rules under them."""
    own = spans(content)
    lines: list[str] = []
    for at, row in enumerate(content.rows):
        cells: list[str] = []
        c = 0
        while c < len(row):
            cells.append(_cell(content, own, at, c, style))
            c += own.get((at, c), (1, 1))[1]
        spanned = own.get((at, 0), (1, 1))[1] > 1
        mark = rf"\leavevmode\where{{{name} {at}}}"
        cells[0] = (
            cells[0][:-1] + mark + "}"
            if spanned
            else (f"{{{mark}{cells[0]}}}" if content.columns[0] != "n" else cells[0] + mark)
        )
        colour = ""
        if style.rules == "striped" and at >= content.head and (at - content.head) % 2:
            colour = r"\rowcolor{gray!15} "
        if style.rules == "headcolor" and at < content.head:
            colour = r"\rowcolor{blue!15} "
        lines.append(colour + " & ".join(cells) + r" \\ " + _below(content, own, at, style))
    return lines


def tabular(content: Content, style: Look, name: str) -> str:
    """A table without its caption."""
    if content.long and style.width == "full":
        style = replace(style, width="natural")
    top = RULES[style.rules][0]
    body = "\n".join([top, *lines_of(content, style, name)])
    columns = _columns(content, style)
    if style.width == "full":
        environment = "tabularx" if "w" in content.columns else "tabular*"
        made = f"\\begin{{{environment}}}{{\\linewidth}}{{{columns}}}\n{body}\n\\end{{{environment}}}"
    else:
        made = f"\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}"
        made = f"\\begin{{adjustbox}}{{max width=\\linewidth}}\n{made}\n\\end{{adjustbox}}"
    settings = f"{style.size}\\setlength\\tabcolsep{{{style.gap}pt}}\\renewcommand\\arraystretch{{{style.stretch}}}"
    notes = "".join(rf"\par\smallskip{{\scriptsize {tex_note(note)}}}" for note in content.notes)
    return f"{{{settings}\n{made}{notes}}}"


def tex_note(note: str) -> str:
    """A note under a table."""
    return re.sub(r"(?<!\S)(\*+)", r"\\textsuperscript{\1}", tex(note))


def long_tabular(content: Content, style: Look, name: str, caption: str) -> str:
    """A table that goes on overleaf, its head said again on every page."""
    top, _, _, bottom = RULES[style.rules]
    lines = lines_of(content, style, name)
    head = "\n".join(lines[: content.head])
    again = re.sub(r"\\leavevmode\\where\{[^}]*\}", "", head)
    count = len(content.columns)
    settings = f"{style.size}\\setlength\\tabcolsep{{{style.gap}pt}}\\renewcommand\\arraystretch{{{style.stretch}}}"
    foot = rf"\multicolumn{{{count}}}{{r}}{{\textit{{Continued on next page}}}} \\" if style.above else ""
    columns = _columns(content, replace(style, width="natural"))
    return (
        f"{{{settings}\\begin{{longtable}}{{{columns}}}\n\\caption{{{caption}}}\\\\\n{top}\n{head}\n\\endfirsthead\n"
        f"\\caption[]{{(continued)}}\\\\\n{top}\n{again}\n\\endhead\n"
        f"{bottom} {foot}\n\\endfoot\n{bottom}\n\\endlastfoot\n"
        + "\n".join([*lines[content.head : -1], lines[-1].removesuffix(bottom) if bottom else lines[-1]])
        + "\n\\end{longtable}}"
    )
