"""Fits the score of headings on lines of `pdf_heading_lines.py`, and counts rules alone against rules with the score.

    python tests/bench/pages/pdf_heading_score.py LINES ... [--weights]

Counted are printed documents whose sources tell at least two headings that stand on their pages, `clean` ones by
themselves (`is_clean`), and truths, each half by itself. `--weights` fits on the clean ones and the truths that are
not held back, and prints the numbers of `headings/evidence.py`.

Counts on printed documents that are clean, 92 of each half: worked rules 978 found, 245 missed, 90 wrong, with the
score 1057, 166, 91; held 1727, 218, 155 and 1784, 161, 161 (with a limit of .88 for the .87 there is). A score that
takes out what rules found (chance under .1) was tried with folds by document: of the truths it took 3 right ones and 2
wrong ones out, so it only adds.
With the fifteenth to the eighteenth truth added (142 documents worked on, five folds by document) a score in place of
the rules, with a limit of .3, finds 620 of 646 headings with 75 wrong, rules and score 629 with 37; one that weighs the
rules beside its facts 628 with 43, and one that takes out what they found under .2 627 with 34.
With the fourteenth to the twentieth truth and those of the corpus (375 documents, 1,555 headings), each set counted by
what is fitted on the others: rules and score find 1,377 with 89 wrong. In their place regression finds 1,304 with 133
(limit .5), 1,249 with 84 (.7); 80 small trees 1,295 with 128, 1,220 with 83. With what the rules say as one fact, 1,355
with 81, and trees 1,366 with 82. With 26 facts more, taking out what the rules found costs 3 right for 7 wrong (under
.2), 12 for 14 (.5); adding gains 2 right for 6 wrong. Rules had been mended on these sets, but the first counts of the
nineteenth and twentieth (precision .90 and .86, recall .87 and .89) are above regression fitted without them too (.86
and .83, .84 and .86). Of the 178 missed 140 stand on no line that is weighed, but on one with text beside or under, in
a table, drawing or form, or in no text as it was written down: weights cannot find these.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pdf_heading_lines import LABELS, Document, Line

Numbers = NDArray[np.float64]

_TOLD = 0.85  # of the headings of a source, that stand on the pages of one that is told well
_UNSTYLED = 1 / 3  # of bold lines standing alone, from which on an author did not style headings
_SEVERAL = 3  # such lines, from which on that can be said
_PLAIN = 1 / 3  # of the headings that look like text, from which on a document shows none
_LOOKS = ("bold", "larger", "large", "italic", "capitals", "colour of its own", "named as parts are", "numbered")
_AS_LINES = 25  # as many lines all those of a longer document count
_HAND = 2.0  # times a line of a page written down by hand counts
_PENALTY = 3.0  # of the squares of the weights, each in deviations of its fact
_STEPS, _SETTLED = 25, 1e-6  # of Newton's method: at most, and the step at which it ends


def documents(files: Iterable[Path]) -> list[Document]:
    """The documents of files of lines."""
    lines = [line for file in files for line in file.read_text(encoding="utf-8").split("\n") if line]
    found: list[Document] = []
    for line in lines:
        values: dict[str, Any] = json.loads(line)
        told = [Line(**line) for line in values.pop("lines")]
        found.append(Document(**values, lines=told))
    return found


def is_told(doc: Document) -> bool:
    """Whether the source of a document tells headings, and they stand on its pages."""
    return doc.headings > 1 and len(doc.missed) <= (1 - _TOLD) * doc.headings


def is_clean(doc: Document) -> bool:
    """Whether its author styled the headings, and they look like some: fewer than a third of the bold lines that stand
    alone are none, and fewer than a third of the headings are set as the text."""
    bold = [line for line in doc.lines if line.facts and line.facts["bold"] and line.facts["alone"]]
    none = sum(line.label == LABELS["none"] for line in bold)
    heads = [line.facts for line in doc.lines if line.facts and line.label == LABELS["heading"]]
    plain = sum(not any(facts[look] for look in _LOOKS) for facts in heads)
    styled = none < _SEVERAL or none <= _UNSTYLED * len(bold)
    return is_told(doc) and styled and plain <= _PLAIN * len(heads)


def counts(docs: Iterable[Document], verdict: Callable[[Line], bool]) -> str:
    """Found, missed and wrong headings, precision and recall."""
    tally: Counter[str] = Counter()
    for doc in docs:
        tally["missed"] += len(doc.missed)
        for line in doc.lines:
            if line.label == LABELS["heading"]:
                tally["found" if verdict(line) else "missed"] += 1
            elif line.label == LABELS["none"] and line.facts is not None:
                tally["wrong"] += verdict(line)
    found, missed, wrong = tally["found"], tally["missed"], tally["wrong"]
    precision, recall = found / max(found + wrong, 1), found / max(found + missed, 1)
    return f"{found:5} found {missed:4} missed {wrong:4} wrong, precision {precision:.3f} recall {recall:.3f}"


class Examples:
    """Lines as rows of numbers, with what they are and how much each counts."""

    def __init__(self, docs: Iterable[Document], names: list[str]) -> None:
        rows: list[list[float]] = []
        self.documents = 0
        told: list[bool] = []
        weights: list[float] = []
        for doc in docs:
            lines = [line for line in doc.lines if line.facts and line.label != LABELS["optional"]]
            share = min(1.0, _AS_LINES / max(len(lines), 1)) * (_HAND if doc.kind == "truth" else 1.0)
            kept = [line for line in lines if doc.weighed and (line.rules or not line.settled)]
            self.documents += bool(kept)
            rows += [[line.facts[name] for name in names] for line in kept if line.facts]
            told += [line.label != LABELS["none"] for line in kept]
            weights += [share] * len(kept)
        self.facts: Numbers = np.array(rows)
        self.told: Numbers = np.array(told, dtype=float)
        self.weights: Numbers = np.array(weights)


def fitted(
    facts: Numbers, told: Numbers, counts: Numbers | float = 1.0, squares: float = _PENALTY
) -> tuple[float, Numbers]:
    """Intercept and weights of a logistic regression of what is `told` of rows of facts, each of which counts so much,
    with a penalty of the squares of weights, by Newton's method."""
    mean, deviation = facts.mean(0), facts.std(0) + 1e-9
    scaled = np.c_[(facts - mean) / deviation, np.ones(len(facts))]
    penalty = np.eye(scaled.shape[1]) * squares
    penalty[-1, -1] = 1e-3
    solved = np.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ solved, -30, 30)))
        slope = scaled.T @ (counts * (told - chance)) - penalty @ solved
        bend = (scaled.T * (counts * chance * (1 - chance))) @ scaled + penalty
        step = np.linalg.solve(bend, slope)
        solved += step
        if abs(step).max() < _SETTLED:
            break
    weights = solved[:-1] / deviation
    return float(solved[-1] - weights @ mean), weights


def print_regression(called: tuple[str, str], names: Iterable[str], regression: tuple[float, Numbers]) -> None:
    """Prints intercept and weights under the names that `evidence.py` has for them."""
    print(f"{called[0]} = {regression[0]:.2f}", f"{called[1]} = {{", sep="\n")
    print(*(f'    "{name}": {weight:.2f},' for name, weight in zip(names, regression[1], strict=True)), "}", sep="\n")


def print_weights(docs: list[Document]) -> None:
    """Prints what is fitted on printed documents and truths that are not held back, as `evidence.py` has it."""
    names = next(list(line.facts) for doc in docs for line in doc.lines if line.facts)
    used = [doc for doc in docs if not doc.held and (doc.kind == "truth" or is_clean(doc))]
    examples = Examples(used, names)
    print(
        f"# fitted on {len(examples.told):,} lines of {examples.documents} documents, "
        f"{int(examples.told.sum()):,} of them headings"
    )
    regression = fitted(examples.facts, examples.told, examples.weights)
    print_regression(("_INTERCEPT", "_WEIGHTS"), names, regression)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", type=Path, nargs="+")
    parser.add_argument("--weights", action="store_true")
    arguments = parser.parse_args()
    docs = documents(arguments.lines)
    printed = [doc for doc in docs if doc.kind != "truth"]
    for held in (False, True):
        half = "held" if held else "worked"
        sets = {
            f"printed, {half}": [doc for doc in printed if is_told(doc) and doc.held == held],
            f"printed, clean, {half}": [doc for doc in printed if is_clean(doc) and doc.held == held],
            f"truths, {half}": [doc for doc in docs if doc.kind == "truth" and doc.held == held],
        }
        for name, chosen in sets.items():
            print(f"{name:24}{len(chosen):4} rules {counts(chosen, lambda line: line.rules)}")
            print(f"{'':28} score {counts(chosen, lambda line: line.scored)}")
    if arguments.weights:
        print_weights(docs)


if __name__ == "__main__":
    main()
