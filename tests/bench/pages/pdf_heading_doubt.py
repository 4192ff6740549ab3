"""What speaks against the headings we give, on truths and on pages read, and the score fitted on it.

    python tests/bench/pages/pdf_heading_doubt.py OUT [--truth FILE DOCUMENTS] ... [--read FILE] [--layouts FOLDER]

`--truth` names a truth of `pdf_pages.py` and its documents; `--read` a list of headings of ours on other pages of such
documents, each read with the line before and behind it and said to be one or none (`data/pdf_headings_read.json`:
SHA-256 of the document, page, text, whether it is one). OUT gets a line of JSON for each heading that nothing confirms,
before any is taken out, with the facts of `headings.evidence.against`; without `--truth` it is read.
Printed are the numbers of `evidence.py`, and what a limit takes out, each document judged by weights fitted on others.

Counts (293 documents of truths up to the thirty-fourth that could be fetched again and have at most 80 pages, with what
was read of other pages of theirs): 1,164 headings that nothing confirms, 113 of them wrong; of those that are confirmed
nearly none is. Eight folds by document, limit .7: 41 of the wrong taken out with 3 right ones (.6: 47 and 7; .5: 57 and
18; .4: 58 and 30). On 1,033 of them rules alone (the only plain one of its style; plain, in the size of the text and
over no text; far smaller than the text) took 28 with 8, a regression of 32 facts 45 with 29.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from pdf_heading_lines import Pages, layout
from pdf_heading_score import fitted, print_regression
from pdf_pages import letter_choices, letters
from sidecar_pdf.structure.headings import finding
from sidecar_pdf.structure.headings.evidence import against, is_confirmed
from sidecar_pdf.structure.headings.levels import Headings
from sidecar_pdf.structure.numbering import heading_text, number_and_text
from sidecar_pdf.structure.regions import Region
from sidecar_pdf.structure.styles import StyleUsage

_PENALTY = 2.0  # of the squares of the weights, each in deviations of its fact
_FOLDS = 8  # of the documents
_LIMITS = (0.4, 0.5, 0.6, 0.7)
_LEAST_LETTERS = 5  # of a heading of which ours may be the beginning or a part


@dataclass
class Example:
    """A heading of ours: whether it is one, and what speaks against it."""

    document: str
    page: int
    text: str
    right: bool
    facts: dict[str, float]


@dataclass
class Job:
    """A document with what truths say of its pages, and what was read of others (page and text)."""

    pdf: Path
    pages: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    read: dict[tuple[int, str], bool] = field(default_factory=dict[tuple[int, str], bool])


class Given(NamedTuple):
    """A heading we give without the score of doubts; `facts` is none for one that is confirmed."""

    page: int
    region: Region
    facts: dict[str, float] | None


def given_headings(laid: bytes) -> list[Given]:
    """The headings of a document, those the outline and the structure tree tell among them."""
    pages, outline = pickle.loads(laid)  # noqa: S301 (written by `layout` alone)
    doubts: dict[int, dict[str, float]] = {}

    def collect(pages: Pages, styles: StyleUsage, found: Headings, chosen: set[int]) -> set[int]:
        doubts.update(
            (id(region), {name: float(value) for name, value in facts.items()})
            for region, facts in against(pages, styles, {*found.levels, *chosen})
            if id(region) in chosen and not is_confirmed(region)
        )
        return set()

    with patch.object(finding, "doubtful", collect):
        found = finding.find_headings(pages, outline)
    return [
        Given(number, region, doubts.get(id(region)))
        for number, page in enumerate(pages, 1)
        for region in page.regions
        if found.level(region)
    ]


def judged(given: list[Given], truth: dict[str, Any]) -> list[tuple[Given, bool]]:
    """The headings of a page with whether they are right, optional ones left out; a part of one is right."""
    optional: list[str] = truth.get("optional", [])
    wanted = [
        letter_choices(said) | {letters(label + said) for label in optional}
        for said in (entry[1] if isinstance(entry, list) else entry for entry in truth["headings"])
    ]
    left, verdicts = list(wanted), list[tuple[Given, bool]]()
    for one in given:
        ways = [*map(letters, number_and_text(heading_text(one.region)))]
        ways = ["".join(ways), ways[1]]
        match = next((want for want in left if any(_is_said(choice, ways) for choice in want)), None)
        if match is not None:
            left.remove(match)
        elif any(way.startswith(letters(label)) for label in optional for way in ways):
            continue
        part = len(ways[1]) >= _LEAST_LETTERS and any(ways[1] in choice for want in wanted for choice in want)
        verdicts.append((one, match is not None or part))
    return verdicts


def _is_said(want: str, ways: list[str]) -> bool:
    return want in ways or (len(want) >= _LEAST_LETTERS and any(way.startswith(want) for way in ways))


def examples(job: Job, kept: Path | None) -> list[Example]:
    """The headings of a document that nothing confirms, on pages that are judged."""
    try:
        given = given_headings(layout(job.pdf, kept))
    except (OSError, ValueError, RecursionError):
        return []
    verdicts: list[tuple[Given, bool]] = []
    for number, truth in job.pages.items():
        verdicts += judged([one for one in given if one.page == number], truth)
    for one in given:
        said = job.read.get((one.page, letters(heading_text(one.region))))
        if said is not None and one.page not in job.pages:
            verdicts.append((one, said))
    return [
        Example(str(job.pdf), one.page, heading_text(one.region)[:120], right, one.facts)
        for one, right in verdicts
        if one.facts is not None
    ]


def jobs_of(truths: list[tuple[Path, Path]], read: Path | None) -> list[Job]:
    """One job for each document, however many truths it is in."""
    jobs: dict[str, Job] = {}
    for file, folder in truths:
        for name, entry in json.loads(file.read_text(encoding="utf-8")).items():
            pages = {int(n): p for n, p in entry["pages"].items() if "headings" in p and not p.get("scan")}
            if pages and (folder / name).is_file():
                sha = hashlib.sha256((folder / name).read_bytes()).hexdigest()
                job = jobs.setdefault(sha, Job(folder / name))
                job.pages = pages | job.pages
    for sha, page, text, right in json.loads(read.read_text(encoding="utf-8")) if read else ():
        if sha in jobs:
            jobs[sha].read[page, letters(text)] = right
    return [*jobs.values()]


def report(told: list[Example]) -> None:
    """Prints weights, and what limits take out."""
    names = [*told[0].facts]
    facts = np.array([[one.facts[name] for name in names] for one in told])
    wrong = np.array([not one.right for one in told], dtype=float)
    fold = np.array([int(hashlib.sha256(one.document.encode()).hexdigest(), 16) % _FOLDS for one in told])
    chance = np.zeros(len(told))
    for number in range(_FOLDS):
        intercept, weights = fitted(facts[fold != number], wrong[fold != number], squares=_PENALTY)
        chance[fold == number] = 1 / (1 + np.exp(-(facts[fold == number] @ weights + intercept)))
    print(f"{len(told)} headings of {len({one.document for one in told})} documents, {int(wrong.sum())} wrong")
    for limit in _LIMITS:
        out = chance > limit
        print(f"limit {limit}: {int(wrong[out].sum())} wrong taken out, {int((1 - wrong[out]).sum())} right")
    print_regression(("_AGAINST_INTERCEPT", "_AGAINST"), names, fitted(facts, wrong, squares=_PENALTY))


def collected(jobs: Iterable[Job], kept: Path | None) -> list[Example]:
    """The headings of all documents."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return [one for found in pool.map(partial(examples, kept=kept), jobs, chunksize=4) for one in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--truth", type=Path, nargs=2, action="append", default=[], metavar=("FILE", "DOCUMENTS"))
    parser.add_argument("--read", type=Path)
    parser.add_argument("--layouts", type=Path)
    arguments = parser.parse_args()
    if arguments.truth:
        told = collected(jobs_of(arguments.truth, arguments.read), arguments.layouts)
        arguments.out.write_text("".join(json.dumps(asdict(one)) + "\n" for one in told), encoding="utf-8")
    lines = arguments.out.read_text(encoding="utf-8").splitlines()
    report([Example(**json.loads(line)) for line in lines])


if __name__ == "__main__":
    main()
