"""Captions, displayed formulas and order of PDFs as we read them, against the TeX sources that lie beside them.

    python tests/bench/pages_blocks/tex_sources.py FILES [--half worked|held] [--list] [--pandoc PATH]

FILES is searched for X.tex beside X.pdf; no more than two of a folder count, by the hash of their names. The truth is
what pandoc (3.2 or later) makes of the source; what it cannot read is said and left out. It does not know the macros
of packages, so that some of what it says stands on no page.

A caption is `found` where a figure or a table of ours has its letters, labels aside, and `of its kind` where that is
what the source says it is; else it may be a paragraph (`as text`). Of formulas each row counts: `told` is one of ours
set apart, `as its source` one whose TeX says the same but for spaces, braces and sizes of brackets, `linear` one that
has no TeX and the same letters and figures; `in text` one whose letters and figures stand in some paragraph. `order` is
the share of the paragraphs found that stand in one order with the source.

First counts, 27 documents of TeX Live's documentation, before any work on them: of captions 20 of 43 found and 17 of
their kind, rows of formulas told 17 of 34 and 11 as their source, order 402 of 423, worked; 21 of 33 and 15, 16 of 35
and 16, 397 of 415, held. Of 314 documents with formulas or captions (all of Debian's texlive-*-doc for science, base,
recommended, extra, publishers and humanities): of captions 314 of 474 found, then 320; rows of formulas told 729 of
1,804, then 758, as their source 360, then 376; of ours 1,630, then 1,773, held.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from blocks_truth import folded
from printed_blocks import in_order, is_held
from sidecar_pdf import PdfFormat

from sidecar.api import Equation, Figure, Limits, Paragraph, Source, Table

SECONDS = 60  # for a file
OF_FOLDER = 2  # documents
LEAST = 40  # letters of a paragraph that is looked for
LIKE = 0.6  # of two formulas that may be one
SAME = 0.97  # of two that are
SIZES = re.compile(
    r"\\(?:left|right|[Bb]ig+[lrm]?|,|;|!|:|quad|qquad|displaystyle|limits|nonumber)(?![a-z])|\\hspace\*?\{[^{}]*\}"
)
_ONE = r"(?:\{[^{}]*\}|\\[a-zA-Z]+|[^\\{}\s])"
ALIKE = (
    (r"\\[dt]frac", r"\\frac"), (r"\\implies", r"\\Longrightarrow"), (r"\\to(?![a-z])", r"\\rightarrow"),
    (r"\\(?:text|math)(?:rm|up)?(?![a-z])|\\(?:ensuremath|mbox|rm|symup)(?![a-z])", ""),
    (r"\\([lg])e(?![a-z])", r"\\\1eq"),
    (r"\\ne(?![a-z])", r"\\neq"), (r"\\(?:[lr]?vert|mid)(?![a-z])", "|"), (r"\\\||\|\|", r"\\Vert"),
    (r"\\(?:boldsymbol|bm|mathbf|symbf|bf)(?![a-z])", r"\\mathbf"), (r"\\(?:math)?cal(?![a-z])", r"\\mathcal"),
    (r"\\(?:[lc]?dots[bcmio]?)(?![a-z])", r"\\dots"), (r"\\var(epsilon|phi)(?![a-z])", r"\\\1"),
    (r"\\[lr]brace(?![a-z])|\\[{}]", ""), (rf"(\^{_ONE})\s*(_{_ONE})", r"\2\1"),
)  # fmt: skip
"""What is written in several ways, and what of it is not a sign."""
NOT_SHOWN = re.compile(r"\\(?:label|tag|ref|eqref)\{[^{}]*\}|\\begin\{\w+\*?\}|\\end\{\w+\*?\}|(?<!\\)&|[\s{}.,;~]")
LETTERS = re.compile(r"\\[a-zA-Z]+|[^0-9a-zA-Z]")
LABEL = re.compile(r"^(?:figure|fig\.?|table|abbildung|tabelle|tableau)?\s*[\dIVX.]*\s*[:.–—-]?\s*", re.IGNORECASE)


@dataclass
class Truth:
    """What a source says: captions with the kind of what they label, rows of formulas, and paragraphs."""

    captions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    formulas: list[str] = field(default_factory=list[str])
    paragraphs: list[str] = field(default_factory=list[str])


def read_tex(path: Path, pandoc: str) -> Truth:
    """What pandoc reads of a source."""
    command = [pandoc, "-f", "latex", "-t", "json", path.name]
    made = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True, cwd=path.parent)
    truth = Truth()
    _walk(json.loads(made.stdout)["blocks"], truth)
    return truth


def _walk(node: Any, truth: Truth) -> None:
    if isinstance(node, list):
        for child in node:
            _walk(child, truth)
        return
    if not isinstance(node, dict) or "t" not in node:
        return
    kind: str = node["t"]
    content: Any = node.get("c")
    if kind in {"Figure", "Table"}:
        if said := "".join(_text(content[1][1])):
            truth.captions.append((kind.lower(), said))
        if kind == "Figure":
            _walk([block for block in content[2] if block["t"] in {"Figure", "Table"}], truth)
        return
    if kind == "Math" and content[0]["t"] == "DisplayMath":
        truth.formulas += rows(content[1])
    if kind == "Para":
        truth.paragraphs.append(folded("".join(_text(content))))
    _walk(content, truth)


def _text(node: Any) -> Iterator[str]:
    """The words below a node, without mathematics."""
    if isinstance(node, list):
        for child in node:
            yield from _text(child)
    elif isinstance(node, dict) and "t" in node:
        if node["t"] in {"Str", "Space", "SoftBreak"}:
            yield node.get("c", " ")
        elif node["t"] not in {"Math", "Note", "RawInline", "RawBlock"}:
            yield from _text(node.get("c"))


def rows(latex: str) -> list[str]:
    """The rows of a formula as they are compared."""
    for written, one in ALIKE:
        latex = re.sub(written, one, latex)
    plain = (NOT_SHOWN.sub("", SIZES.sub("", row)) for row in re.split(r"\\\\(?:\[[^\]]*\])?", latex))
    return [row for row in plain if row]


def likeness(one: str, other: str) -> float:
    """How like two texts are, from 0 to 1."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def count(tally: Counter[str], truth: Truth, pdf: Path, name: str, *, listed: bool) -> None:
    """Counts a document."""
    blocks = [b for part in PdfFormat().parse(Source.of(pdf), Limits(ocr=False)).parts for b in part.blocks]
    whole = folded("".join(getattr(block, "text", "") for block in blocks))
    labelled: dict[str, set[str]] = defaultdict(set)
    for block in blocks:
        if isinstance(block, Figure | Table) and block.caption:
            labelled[folded(block.caption)].add("figure" if isinstance(block, Figure) else "table")
    for kind, caption in truth.captions:
        said = _said(caption)
        kinds = next((kinds for text, kinds in labelled.items() if said and said in text), set[str]())
        tally["captions"] += 1
        tally["captions found"] += bool(kinds)
        tally["captions of its kind"] += kind in kinds
        tally["captions as text"] += not kinds and said in whole
        if listed and kind not in kinds:
            print(f"{name} caption of {kind}, {sorted(kinds) or 'none'}: {caption[:100]!r}")
    ours = [(latex, block.text) for block in blocks if isinstance(block, Equation) for latex in _rows_of(block)]
    tally["our rows of formulas"] += len(ours)
    signs = LETTERS.sub("", "".join(block.text for block in blocks if isinstance(block, Paragraph)))
    for formula in truth.formulas:
        _count_formula(tally, formula, ours, signs, name, listed=listed)
    places = [whole.find(text[:LEAST]) for text in truth.paragraphs if len(text) >= LEAST]
    found = [place for place in places if place >= 0]
    tally["paragraphs"] += len(places)
    tally["paragraphs found"] += len(found)
    tally["paragraphs in order"] += in_order(found)


def _count_formula(
    tally: Counter[str], formula: str, ours: list[tuple[str, str]], signs: str, name: str, *, listed: bool
) -> None:
    letters = LETTERS.sub("", formula)
    scores = [likeness(formula, latex) if latex else likeness(letters, LETTERS.sub("", text)) for latex, text in ours]
    best = max(range(len(ours)), key=scores.__getitem__, default=-1)
    told = best >= 0 and scores[best] >= LIKE
    same = told and scores[best] >= SAME
    tally["rows of formulas"] += 1
    tally["formulas told"] += told
    tally["formulas as its source"] += same and bool(ours[best][0])
    tally["formulas linear"] += same and not ours[best][0]
    tally["formulas in text"] += not told and bool(letters) and letters in signs
    if listed and not same:
        print(f"{name} formula {formula[:100]!r}: {ours[best][0][:100] if told else ''!r}")
    if told:
        ours.pop(best)


def _rows_of(block: Equation) -> list[str]:
    return rows(block.latex) or [""]


def _said(caption: str) -> str:
    return folded(LABEL.sub("", caption.strip()))[:LEAST]


def _hash(path: Path) -> str:
    return hashlib.sha1(path.name.encode(), usedforsecurity=False).hexdigest()


def documents(folder: Path) -> list[Path]:
    """The sources beside PDFs, a few of each folder."""
    found: dict[Path, list[Path]] = defaultdict(list)
    for path in folder.rglob("*.tex"):
        if path.with_suffix(".pdf").exists():
            found[path.parent].append(path)
    return sorted(path for paths in found.values() for path in sorted(paths, key=_hash)[:OF_FOLDER])


def main() -> None:
    """Counts the documents of a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path)
    parser.add_argument("--half", choices=("worked", "held"))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--pandoc", default="pandoc")
    arguments = parser.parse_args()
    if arguments.list and arguments.half != "worked":
        parser.error("--list is for --half worked: a half that is looked at is held back no longer")
    tallies: dict[str, Counter[str]] = defaultdict(Counter[str])
    for path in documents(arguments.files):
        half = "held" if is_held(path) else "worked"
        if arguments.half in {None, half}:
            try:
                truth = read_tex(path, arguments.pandoc)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
                print(f"{path.name} is not read: {type(error).__name__}")
                continue
            tallies[half]["documents"] += 1
            count(tallies[half], truth, path.with_suffix(".pdf"), path.name, listed=arguments.list)
    for half, tally in sorted(tallies.items()):
        print(f"{half}: " + ", ".join(f"{name} {value}" for name, value in tally.items()))


if __name__ == "__main__":
    main()
