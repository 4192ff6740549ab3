"""Displayed equations of PDFs, ours against what was typeset: linear text and LaTeX.

    python tests/bench/layout/pdf_equations.py [--list] [--by chromium|office|cm|…] [--columns] [--truth FILE]
        [--half 0|1]

The equations of `pdf_equations.txt` in `data/` (LaTeX, then the linear text a reader would type, one a line,
parted by " ⟶ ") are typeset by the engine aboard, in prose, and read back. LaTeX is compared without its spaces and the
braces that change nothing. They were written down before any of them was read; how products, scripts of
several letters and sums over fractions are typed was settled after the first reading, in seven of the 44.
`--by` prints them by Chromium (as MathML), through pandoc. `pdf_equations_second.txt` are thirty more, written down
before any of them was read; three were settled after it (a prime, a product, a limit before a bracket), one binomial is
a matrix of two rows. First counts: linear 25, LaTeX 26, by Chromium 7 and 12; after the work on them 29 and 29, 15 and
21. `pdf_equations_inline.txt` are forty formulas in the middle of sentences with what a reader would type, spaces and
mathematical alphabets aside; that an index of letters has no parentheses was settled after the first reading, in two.
First counts: 13, by Chromium 12; after the work on them 36 and 31, after that on fractions 40 and 40.
`pdf_equations_inline_second.txt` are thirty more, held back: 16 and 10 before that work, counted after it 25 and
25, at last 26 and 26.
`pdf_equations_third.txt` (60) and `pdf_equations_inline_third.txt` (40) were written down before any was read; there
displayed ones stand after long and short lines, list items and headings, every fifth in the midst of a sentence, and
`--columns` sets them in two columns with numbers at the margin; that a single sign with scripts has no parentheses
under a bar was settled after the first reading, in six. `--half` counts every other one: 0 was worked on.
`pdf_equations_latex.txt` (68) and `pdf_equations_inline_latex.txt` (70) are for `--by cm`, `times`, `palatino`,
`txfonts`, `opentype`: LaTeX with these fonts (`pdf_equations_latex.py`), linear text compared without mathematical
alphabets. That a bar in parentheses has no blanks was settled after the first reading, in four. First counts of half
0: 16, 9, 14, 7, 20 of 33; of the other 12 (cm), 8 (times) and 27 (opentype) of 35, counted after it 19, 19, 29.
`pdf_equations_latex_second.txt` (36) are of the kinds papers hold most; first counts of half 0 (12): 7 by cm and by
opentype, three of the others for a blank before a fraction that its truth leaves out.
`pdf_equations_latex_third.txt` (28) and `pdf_equations_inline_latex_second.txt` (12) are of powers of powers,
binomials, cases, aligned lines, matrices, accents, primes, limits and double sums; five of half 0 (where products and
scripts have blanks or parentheses) were settled after the first reading. First counts of half 0 (17 and 8): by cm,
opentype and chromium 16, 16, 15 and 6, 6, 1; of the other half (11 and 4) 8, 8, 7 and 2, 1, 1, counted after the work
8, 8, 7 and 2, 2, 1. `--by office` needs LibreOffice Math.
`pdf_equations_latex_fourth.txt` (40) are those that textbooks hold most; nothing of it was settled after the reading.
First counts of half 0 (16), linear and LaTeX: by cm 13 and 14, times 12 and 12, palatino 12 and 13, chromium 11 and 12,
of which one was mended (13); of the other (24) 19 and 18, 17 and 16, 16 and 17, 13 and 16, the last after it, too; the
first three of either half were counted once only.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.shared.pdf_pages_files import print_file
from pdf_equations_latex import FONTS, document, half_of, typeset
from sidecar_pdf import PdfFormat
from support.clients.rendering import drawn

from sidecar.api import Block, Equation, Heading, Limits, Source, Table

DATA = Path(__file__).parent / "data" / "pdf_equations.txt"
SUBJECTS = ("Measures", "Tables", "Harbours", "Rivers", "Annexes", "Columns", "Letters", "Winters", "Engines", "Roofs",
            "Bridges", "Windows", "Mills")  # fmt: skip
PROSE = "{0} of number {1} hold here as well, and all of them show by how much each changed from one year to the next."
SETTINGS = (PROSE, "Note of number {1}:", "- {0} of number {1} are written in this way.", "## {0} of number {1}",
            PROSE + " If they hold, then")  # fmt: skip
AFTER = "where every letter stands for what it stood for before, and no other of them is changed by any of these rules."
COLUMNS = """<style>body{columns:2;max-width:none;font-size:11px;padding:0;margin:0}
.shown{display:flex;justify-content:space-between;align-items:center;padding-left:3em}</style></head>"""
_DISPLAYED = re.compile(r'<math display="block".*?</math>', re.DOTALL)
_NUMBERED = re.compile(r"of number (\d+)\b")


def same_latex(text: str) -> str:
    """What LaTeX is compared by."""
    if text.startswith(r"\begin{align}"):
        text = re.sub(r"\\(?:begin|end)\{align\}|&|\\\\", "", text)
    for old, new in (
        ("widehat", "hat"),
        ("widetilde", "tilde"),
        ("implies", "Longrightarrow"),
        ("|", "Vert"),
        ("iff", "Longleftrightarrow"),
        ("mid", "|"),
        ("cdots", "dots"),
        ("ldots", "dots"),
        ("|", "|"),
    ):
        text = text.replace(rf"\{old}", "|" if new == "|" else rf"\{new}")
    text = re.sub(r"\\overline\{(\w)\}", r"\\bar{\1}", text)
    text = re.sub(r"\\(?:left|right|,|;|!|quad|limits|displaystyle)(?![a-zA-Z])", "", text)
    text = re.sub(r"\\(?:operatorname|text|mathrm)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\{([A-Za-z0-9])\}", r"\1", text)
    return re.sub(r"\s+", "", text)


def printed(text: str, program: str, *, columns: bool = False) -> bytes:
    """Markdown as a PDF of the engine aboard, of a browser or of an office."""
    if not program:
        return drawn(text).data[0]
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "made.docx" if program == "office" else "made.html")
        target = Path(scratch, "out.pdf")
        command = ["pandoc", "-s", "--mathml", "--metadata", "title=Numbers", "-o", str(source)]
        subprocess.run(command, input=text.encode(), check=True, capture_output=True)
        if columns:
            page = source.read_text(encoding="utf-8").replace("</head>", COLUMNS)
            numbers = iter(range(1, 1000))
            page = _DISPLAYED.sub(lambda m: f'<div class="shown">{m[0]}<span>({next(numbers)})</span></div>', page)
            source.write_text(page, encoding="utf-8")
        print_file(source, target, program, "")
        return target.read_bytes()


def plain(text: str) -> str:
    """What typed text is compared by: letters of mathematical alphabets as the letters they stand for, no spaces."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def in_half(latex: str, at: int, arguments: argparse.Namespace) -> bool:
    """Whether an equation is of the half that is counted."""
    if arguments.half is None:
        return True
    return (half_of(latex) if "latex" in arguments.truth.stem else at % 2) == arguments.half


def judge_inline(truth: list[list[str]], arguments: argparse.Namespace) -> None:
    """Formulas in the middle of sentences."""
    sentence = "In case {} the term ${}$ stands here, as the notes on the measure say of all years before it.\n\n"
    text = "".join(sentence.format(at, latex) for at, (latex, _) in enumerate(truth))
    by: str = arguments.by
    data = typeset(text, by, columns=arguments.columns) if by in FONTS else printed(text, by)
    parts = PdfFormat().parse(Source.of_bytes(data, "made.pdf"), Limits()).parts
    text = " ".join(getattr(block, "text", "") for part in parts for block in part.blocks)
    ours = dict(re.findall(r"In case (\d+) the term (.*?) stands here", text))
    right = counted = 0
    for at, (latex, typed) in enumerate(truth):
        if not in_half(latex, at, arguments):
            continue
        counted += 1
        same = plain(ours.get(str(at), "")) == plain(typed)
        right += same
        if arguments.list and not same:
            print(f"{latex}\n  want {typed}\n  have {ours.get(str(at))}")
    print(f"{counted} inline formulas: typed right {right}")


def judge_latex(truth: list[list[str]], arguments: argparse.Namespace) -> None:
    """Displayed equations of a paper, with their numbers, and what they do to the text around them."""
    prose = [PROSE.format(SUBJECTS[at % len(SUBJECTS)], at) for at in range(len(truth) + 1)]
    data = typeset(document(prose, [latex for latex, _ in truth], AFTER), arguments.by, columns=arguments.columns)
    blocks = [b for p in PdfFormat().parse(Source.of_bytes(data, "made.pdf"), Limits()).parts for b in p.blocks]
    judge_shown(truth, blocks, len(prose), arguments)
    text = bare(" ".join(getattr(block, "text", "") for block in blocks))
    asked = [prose[at] for at in range(len(truth)) if at % len(SETTINGS) not in (1, 3)]
    whole = sum(bare(sentence) in text for sentence in asked)
    after = text.count(bare(AFTER))
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    false = [text for text in headings if not text.startswith("Rules of number")]
    missed = len(truth[3::5]) - len(headings) + len(false)
    tables = sum(isinstance(block, Table) for block in blocks)
    print(f"  sentences whole {whole}/{len(asked)}, after equations {after}/{len(truth[4::5])}; "
          f"headings missed {missed}, of no heading {len(false)}, tables {tables}")  # fmt: skip
    if arguments.list:
        print("  headings of none:", *false, sep="\n    ")


def bare(text: str) -> str:
    """Letters and figures alone."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def judge_shown(truth: list[list[str]], blocks: Sequence[Block], count: int, arguments: argparse.Namespace) -> None:
    """Displayed equations, each behind the number of its prose."""
    found: list[list[Equation]] = [[] for _ in range(count)]
    number = 0
    for block in blocks:
        opening = _NUMBERED.search(getattr(block, "text", ""))
        if isinstance(block, Equation):
            found[number].append(block)
        elif opening:
            number = int(opening[1])
    linear_right = latex_right = sure = counted = labelled = labels = last = 0
    papers = arguments.by in FONTS
    for at, ((latex, linear), shown) in enumerate(zip(truth, found, strict=False)):
        numbers = 2 if latex.startswith(r"\begin{align}") else (at + 1) % 2
        wanted_labels = [str(number) for number in range(last + 1, last + numbers + 1)]
        last += numbers
        if not in_half(latex, at, arguments):
            continue
        counted += 1
        wanted = linear.replace("\\n", "\n")
        ours = "\n".join(block.text for block in shown)
        made = "".join(block.latex for block in shown)
        same = folded(ours) == folded(wanted) if papers else ours == wanted
        linear_right += same
        sure += bool(made)
        right = same_latex(made) == same_latex(latex)
        latex_right += right
        labels += numbers
        labelled += len({block.label.strip("()") for block in shown} & set(wanted_labels))
        if arguments.list and (not same or not right):
            print(f"{latex}\n  want {wanted}\n  have {ours}\n  tex  {made}")
    numbered = f", numbers {labelled}/{labels}" if papers else ""
    print(f"{counted} equations: linear {linear_right}, LaTeX given {sure}, the same {latex_right}{numbered}")


def folded(text: str) -> str:
    """Linear text with letters of mathematical alphabets as the letters they stand for."""
    return unicodedata.normalize("NFKC", text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="what is wrong")
    parser.add_argument("--by", default="", choices=("", "chromium", "office", *FONTS))
    parser.add_argument("--columns", action="store_true", help="two columns with numbered equations (chromium)")
    parser.add_argument("--half", type=int, choices=(0, 1), help="every other one alone")
    parser.add_argument("--truth", type=Path, default=DATA)
    arguments = parser.parse_args()
    truth = [line.split(" ⟶ ") for line in arguments.truth.read_text(encoding="utf-8").splitlines() if line]
    if "inline" in arguments.truth.stem:
        judge_inline(truth, arguments)
        return
    if arguments.by in FONTS:
        judge_latex(truth, arguments)
        return
    settings = SETTINGS if "third" in arguments.truth.stem else (PROSE,)
    prose = [settings[at % len(settings)].format(SUBJECTS[at % len(SUBJECTS)], at) for at in range(len(truth) + 1)]
    after = f"\n\n{AFTER}" if len(settings) > 1 else ""
    shown = [f"{text}\n\n$${latex}$${after if text.endswith('then') else ''}"
             for text, (latex, _) in zip(prose, truth, strict=False)]  # fmt: skip
    data = printed("\n\n".join([*shown, prose[-1]]), arguments.by, columns=arguments.columns)
    parts = PdfFormat().parse(Source.of_bytes(data, "made.pdf"), Limits()).parts
    judge_shown(truth, [block for part in parts for block in part.blocks], len(prose), arguments)


if __name__ == "__main__":
    main()
