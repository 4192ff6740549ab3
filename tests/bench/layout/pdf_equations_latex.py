"""Typesets the equations of `pdf_equations.py` by LaTeX, as papers are made: pdflatex with the fonts of TeX and others
(no ToUnicode), and lualatex with OpenType fonts for mathematics; in one column, or two."""

from __future__ import annotations

import subprocess
import tempfile
import zlib
from pathlib import Path

UNICODE = r"\usepackage{amsmath}\usepackage{unicode-math}"
TYPE1 = r"\usepackage[T1]{fontenc}"
FONTS = {
    "cm": r"\usepackage{amsmath,amssymb}",
    "ec": TYPE1 + r"\usepackage{lmodern}\usepackage{amsmath,amssymb}",
    "times": TYPE1 + r"\usepackage{amsmath,amssymb}\usepackage{mathptmx}",
    "palatino": TYPE1 + r"\usepackage{amsmath,amssymb}\usepackage{mathpazo}",
    "txfonts": TYPE1 + r"\usepackage{amsmath}\usepackage{txfonts}",
    "opentype": UNICODE + r"\setmathfont{Latin Modern Math}",
    "dejavu": UNICODE + r"\setmathfont{DejaVu Math TeX Gyre}",
}
"""Preambles by the name of their fonts."""
SETTINGS = (
    "{0}\n", "Note of number {1}:\n", "\\begin{{itemize}}\\item {0}\n", "\\section*{{Rules of number {1}}}\n",
    "{0} If they hold, then\n",
)  # fmt: skip
"""What stands before an equation, in turn."""


def half_of(latex: str) -> int:
    """Which half of a truth an equation is in: 0 was worked on, 1 held back."""
    return zlib.crc32(latex.encode()) & 1


def shown(latex: str, at: int) -> str:
    """An equation displayed: every other one numbered."""
    if latex.startswith(r"\begin{align}"):
        return latex + "\n"
    return f"\\begin{{equation}}{latex}\\end{{equation}}\n" if at % 2 == 0 else f"\\[{latex}\\]\n"


def document(prose: list[str], equations: list[str], after: str) -> str:
    """The source of a paper: each equation behind its prose, every fifth in the midst of a sentence that ends with
    `after`."""
    lines: list[str] = []
    for at, latex in enumerate(equations):
        setting = SETTINGS[at % len(SETTINGS)]
        lines.append(setting.format(prose[at], at) + shown(latex, at).replace("\n\n", "\n"))
        lines.append({2: "\\end{itemize}\n\n", 4: f"{after}\n\n"}.get(at % len(SETTINGS), "\n"))
    return "".join(lines) + prose[-1]


def typeset(body: str, fonts: str, *, columns: bool = False) -> bytes:
    """A paper as a PDF, without the compression that takes time to undo by eye."""
    options = "10pt,a4paper" + (",twocolumn" if columns else "")
    packages = FONTS[fonts]
    program = "lualatex" if UNICODE in packages else "pdflatex"
    source = rf"\documentclass[{options}]{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "paper.tex").write_text(source, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "paper.tex"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, check=False)
        made = Path(scratch, "paper.pdf")
        errors = [line for line in done.stdout.decode("utf-8", "replace").splitlines() if line.startswith("!")]
        if errors or not made.exists():
            raise RuntimeError(f"{program}: {errors[:3]}")
        return made.read_bytes()
