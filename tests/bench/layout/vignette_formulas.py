"""Formulas of the vignettes of R packages as we read them, against the TeX they were set from.

    python tests/bench/layout/vignette_formulas.py FOLDER [--fresh] [--half worked|held] [--list]

FOLDER gets the packages that `vignette_truth` names, through apt. A displayed formula is looked for among the equations
behind the prose before it, or those before the prose after it: `told` is one that has any, `linear` one whose linear
text is one a reader may type (`formula_spellings`), `LaTeX` one whose LaTeX says the same; rows may be one equation
or several. An inline formula is what stands between the letters before and after it. Formulas whose prose stands
nowhere in the PDF are not counted, nor are those with a sign `formula_spellings` does not know.

First counts of the first packages, by a form of this bench that left brackets of the sentence about inline formulas:
linear 125 and LaTeX 123 of 156 displayed, 97 of 132 inline (held half), 121 and 118 of 151, 109 of 136 (worked half);
after the work on both halves, by this form: 122 and 120 of 151, 117 of 135 (worked half). The fresh ones, counted once
before and once after by the former form: 82 and 81 of 108, 99 of 125 inline; 81 and 82, 103.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

from formula_spellings import canonical, folded, spellings
from sidecar_pdf import PdfFormat
from vignette_truth import FIRST, FRESH, Formula, fetch, formulas

from sidecar.api import AnyBlock, Equation, Figure, Limits, Source

REACH = 14  # blocks behind the prose
INLINE = 40  # letters between those before and after


@cache
def blocks_of(pdf: Path) -> list[AnyBlock]:
    """The blocks of a PDF, in order."""
    document = PdfFormat().parse(Source.of_bytes(pdf.read_bytes(), pdf.name), Limits(ocr=False))
    return [block for part in document.parts for block in part.blocks]


@cache
def letters_of(pdf: Path) -> list[str]:
    """The letters of each block, equations aside."""
    return [
        "" if isinstance(block, Equation) else re.sub(r"[^a-z]", "", _plain(getattr(block, "text", "")).lower())
        for block in blocks_of(pdf)
    ]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def beside(formula: Formula) -> list[Equation] | None:
    """The equations where a displayed formula stands; None where its prose is not found."""
    blocks, letters = blocks_of(formula.pdf), letters_of(formula.pdf)
    told = len("sentence")
    if len(formula.before) >= told:
        ends = (formula.before, formula.before[:-1])
        at = [at for at, text in enumerate(letters) if text.endswith(ends)]
        at = at or [at for at, text in enumerate(letters) if formula.before in text]
        if len(at) > 1 and len(formula.after) >= told:
            at = [one for one in at if any(formula.after in text for text in letters[one + 1 : one + 8])]
        if len(at) == 1:
            run = blocks[at[0] + 1 : at[0] + 1 + REACH]
            end = next((n for n, block in enumerate(run) if not isinstance(block, Equation | Figure)), len(run))
            return [block for block in run[:end] if isinstance(block, Equation)]
    at = [at for at, text in enumerate(letters) if len(formula.after) >= told and text.startswith(formula.after)]
    if len(at) != 1:
        return None
    start = at[0]
    while start and isinstance(blocks[start - 1], Equation):
        start -= 1
    return [block for block in blocks[start : at[0]] if isinstance(block, Equation)]


def between(formula: Formula) -> list[str]:
    """What stands between the letters before and after an inline formula, wherever they are."""
    found: list[str] = []
    for block in blocks_of(formula.pdf):
        text = "" if isinstance(block, Equation) else _plain(getattr(block, "text", ""))
        places = [at for at, char in enumerate(text) for one in char.lower() if "a" <= one <= "z"]
        letters = "".join(one for char in text for one in char.lower() if "a" <= one <= "z")
        at = letters.find(formula.before)
        while at >= 0:
            start = at + len(formula.before)
            end = letters.find(formula.after, start)
            if 0 <= end - start < INLINE:
                found.append(text[places[start - 1] + 1 : places[end]])
            at = letters.find(formula.before, at + 1)
    return found


def shown_right(run: list[Equation], latex: str) -> tuple[bool, bool]:
    """Whether some stretch of equations has the linear text, and the LaTeX, of a formula."""
    wanted, typed = canonical(latex), spellings(latex)
    stretches = [run[start:end] for start in range(len(run)) for end in range(start + 1, len(run) + 1)]
    linear = any(folded("".join(one.text for one in stretch)) in typed for stretch in stretches)
    sure = [stretch for stretch in stretches if all(one.latex for one in stretch)]
    return linear, any(canonical(" ".join(one.latex for one in stretch)) == wanted for stretch in sure)


def inline_right(found: list[str], latex: str) -> bool:
    """Whether any of what was found is a formula, stops and brackets of the sentence aside."""
    ends = [re.sub(r"[,.;:\"”]+$", "", folded(text)) for text in found]
    ends += [re.sub(r"^[(,.;:\"“-]+(?=[^)]*$)|[),.;:\"”-]+$", "", folded(text)) for text in found]
    ends += [text[1:-1] for text in ends if text[:1] == "(" and text[-1:] == ")"]
    return not spellings(latex).isdisjoint(ends)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fresh", action="store_true", help="the packages that were never worked on")
    parser.add_argument("--half", choices=("worked", "held"))
    parser.add_argument("--list", action="store_true", help="what is wrong")
    arguments = parser.parse_args()
    folder: Path = arguments.folder / ("fresh" if arguments.fresh else "first")
    fetch(FRESH if arguments.fresh else FIRST, folder)
    counts: Counter[str] = Counter()
    for formula in formulas(folder):
        unknown = "\\" in " ".join(spellings(formula.latex)).replace("\\\\", "")
        if unknown or (arguments.half and formula.held is not (arguments.half == "held")):
            continue
        run = beside(formula) if formula.displayed else None
        found = [] if formula.displayed else between(formula)
        if run is None and not found:
            continue
        if run is not None:
            linear, latex = shown_right(run, formula.latex)
            for name, right in (("displayed", True), ("told", bool(run)), ("linear", linear), ("LaTeX", latex)):
                counts[name] += right
            right, have = linear and latex, [one.text for one in run]
        else:
            right, have = inline_right(found, formula.latex), found
            counts["inline"] += 1
            counts["inline right"] += right
        if arguments.list and not right:
            print(f"{formula.pdf.name}: {formula.latex}\n  have {have}")
    print(", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
