"""The lines of PDFs with what the product knows of them, and which of them are headings by their sources or by truths.

    python tests/bench/pages/pdf_heading_lines.py OUT --printed SOURCES PDFS --truth FILE DOCUMENTS [--layouts FOLDER]

`--printed` names a folder of documents of word processors and web pages and one of the same printed without tags and
bookmarks, under the same names as PDF: headings are what our readers of the sources say, the half by a hash of the
name. `--truth` names a truth of `pdf_pages.py` and its documents. OUT gets a line of JSON for each document, which
`pdf_heading_score.py` fits and counts: for each line its text, whether it is a heading (LABELS), the evidence that
`headings.evidence` weighs, and whether the rules alone, and the rules with the score, take it for one. Layouts are
kept in FOLDER, by hashes of the files, so that after a change of headings (not of layout) a run takes minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import pickle
import signal
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from pdf_pages import NUMBER, letter_choices, letters
from sidecar_doc import DocFormat
from sidecar_docx import DocxFormat
from sidecar_html import HtmlFormat
from sidecar_odf import OdfFormat
from sidecar_pdf import PdfFormat
from sidecar_pdf.pdfium.info import OutlineItem
from sidecar_pdf.reading import document
from sidecar_pdf.structure.headings import finding
from sidecar_pdf.structure.headings.evidence import evidence, is_weighed, likely_headings
from sidecar_pdf.structure.headings.levels import Headings
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import StyleUsage, is_template
from sidecar_rtf import RtfFormat

from sidecar.api import FormatError, Heading, Limits, Source

LABELS = {"none": 0, "heading": 1, "part of a heading": 2, "optional": 3}
"""What a line is: parts are lines of a heading that stands on two, and count neither as found nor as wrong."""
READERS = {".docx": DocxFormat, ".odt": OdfFormat, ".doc": DocFormat, ".rtf": RtfFormat, ".html": HtmlFormat}
OPTIONAL = frozenset({
    "contents", "tableofcontents", "inhaltsverzeichnis", "inhalt", "index", "sommaire", "tabledesmatières", "índice",
    "navigation", "alphabeticalindex", "bibliography",
})  # fmt: skip
"""Headings by programs: authors style them or not."""
_SECONDS = 90
_MAX_PAGES = 150
_LEAST_LETTERS = 5  # of a heading that a line may only begin with
_LONGER, _MORE = 1.3, 3  # times the letters of a heading, and more of them, that such a line may have
_PIECES_LETTERS, _PIECE_LETTERS = 8, 4  # of a heading over two lines, and of its first

Pages = list[PageRegions]


class Text(NamedTuple):
    """A line that may be a heading: its letters, with a number and without, and how much it looks like one (-1 to 1),
    which decides between lines that say the same."""

    letters: str
    bare: str
    looks: float


@dataclass
class Line:
    """A line of a document; `facts` is none for one that is not weighed (a title run in with its paragraph)."""

    page: int
    text: str
    label: int
    rules: bool
    scored: bool
    settled: bool = False
    facts: dict[str, float] | None = None


@dataclass
class Document:
    """A document with its lines. Missed headings are on none of them; decks and typewritten ones are not weighed."""

    name: str
    kind: str
    held: bool
    headings: int
    weighed: bool
    missed: list[str] = field(default_factory=list[str])
    lines: list[Line] = field(default_factory=list[Line])


class _LaidOut(Exception):
    """Carries the layout out of the reading of a document."""


def _carry(pages: Pages, outline: list[OutlineItem]) -> Headings:
    raise _LaidOut(pages, outline)


def layout(path: Path, kept: Path | None) -> bytes:
    """Pages and outline of a PDF before its headings are told, pickled, since telling them changes the pages."""
    file = kept and kept / f"{hashlib.sha256(path.read_bytes()).hexdigest()}.pickle"
    if file and file.exists():
        return file.read_bytes()
    try:
        with patch.object(document, "find_headings", _carry):
            PdfFormat().parse(Source.of(path), Limits(ocr=False))
    except _LaidOut as laid:
        pages, outline = laid.args
        for page in pages:
            page.notes = []
        told = pickle.dumps((pages, outline))
        if file:
            file.write_bytes(told)
        return told
    return pickle.dumps(([], []))


class Told(NamedTuple):
    """What the product tells of a document: its lines in order, the evidence of those it weighs, and its headings."""

    regions: list[tuple[int, Region]]
    facts: dict[int, dict[str, float]]
    settled: set[int]
    found: Headings
    weighed: bool

    def line(self, at: int) -> str:
        """The words of a line: a title run in with its paragraph by itself."""
        region = self.regions[at][1]
        length = self.found.title(region)[0]
        return region.text[:length] if length else f"{region.marker} {region.text}".strip()


def told(laid: bytes, *, score: bool) -> Told:
    """The headings by the rules, and with the `score`."""
    pages, outline = pickle.loads(laid)  # noqa: S301 (written by `layout` alone)
    facts: dict[int, dict[str, float]] = {}
    settled: set[int] = set()

    def weigh(pages: Pages, styles: StyleUsage, found: Headings, others: set[int]) -> list[Region]:
        facts.update({id(r): {k: float(v) for k, v in x.items()} for r, x in evidence(pages, styles, found.body)})
        settled.update(others)
        return likely_headings(pages, styles, found, others) if score else []

    with patch.object(finding, "likely_headings", weigh):
        found = finding.find_headings(pages, outline)
    kept = [(n, r) for n, page in enumerate(pages) for r in page.regions if r.kind in {"text", "list"} and not r.hidden]
    return Told(kept, facts, settled, found, is_weighed(pages, found))


def wanted(heading: str) -> set[str]:
    """The letters a line of a heading may have: with its number, with half of it, and without."""
    bare = NUMBER.sub("", NUMBER.sub("", heading.strip(), count=1).strip(), count=1)
    return letter_choices(heading) | ({letters(bare)} if len(letters(bare)) > len("day") else set())


def _texts(doc: Told, lines: Sequence[int]) -> list[Text]:
    texts: list[Text] = []
    for at in lines:
        region, line = doc.regions[at][1], doc.line(at)
        larger = math.log(max(region.size, 1.0) / max(doc.found.body, 1.0))
        looks = 0.25 * min(max(larger, -0.5), 1.0) + 0.05 * region.bold - 0.3 * bool(region.running)
        texts.append(Text(letters(line), letters(NUMBER.sub("", line, count=1)), looks))
    return texts


def _possible(headings: Sequence[set[str]], texts: Sequence[Text]) -> list[dict[int, float]]:
    """For each heading the lines it may be, each with how well it fits."""
    where: dict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        for said in {text.letters, text.bare} - {""}:
            where[said].append(at)
    possible: list[dict[int, float]] = []
    for heading in headings:
        fits = {at: 1.0 + texts[at].looks for said in heading for at in where.get(said, ())}
        longest = max(heading, key=len, default="")
        if not fits and len(longest) >= _LEAST_LETTERS:
            most = _LONGER * len(longest) + _MORE
            near = [at for at, t in enumerate(texts) if t.letters.startswith(longest) and len(t.letters) < most]
            fits = {at: 0.8 + texts[at].looks for at in near}
        possible.append(fits)
    return possible


def aligned(headings: Sequence[set[str]], texts: Sequence[Text]) -> tuple[dict[int, int], list[int]]:
    """Lines with their labels, and the headings that no line says. Headings are laid on lines in order as well as can
    be (a chain of the greatest sum), then what stands out of order, then what stands on two lines."""
    possible = _possible(headings, texts)
    best: list[tuple[float, tuple[int, int, Any] | None]] = [(0.0, None)] * (len(texts) + 1)
    for number, fits in enumerate(possible):
        after = list(best)
        for at, fit in fits.items():
            gain = best[at][0] + fit
            if gain > after[at + 1][0]:
                after[at + 1] = (gain, (number, at, best[at][1]))
        for at in range(1, len(after)):
            after[at] = max(after[at], after[at - 1], key=lambda chain: chain[0])
        best = after
    labels: dict[int, int] = {}
    left = set(range(len(headings)))
    chain = best[-1][1]
    while chain:
        number, at, chain = chain
        labels[at] = LABELS["heading"]
        left.discard(number)
    for number in sorted(left):
        free = [(-fit, at) for at, fit in possible[number].items() if at not in labels]
        if free:
            labels[min(free)[1]] = LABELS["heading"]
            left.discard(number)
    for number in sorted(left):
        if pieces := _on_two_lines(max(headings[number], key=len, default=""), texts, labels):
            labels.update(dict.fromkeys(pieces, LABELS["part of a heading"]))
            left.discard(number)
    return labels, sorted(left)


def _on_two_lines(heading: str, texts: Sequence[Text], labels: dict[int, int]) -> tuple[int, int] | None:
    if len(heading) <= _PIECES_LETTERS:
        return None
    for at in range(len(texts) - 1):
        first, second = texts[at].letters, texts[at + 1].letters
        free = at not in labels and at + 1 not in labels and len(first) >= _PIECE_LETTERS and second
        if free and heading.startswith(first + second):
            return at, at + 1
    return None


def add_lines(
    into: Document, rules: Told, scored: Told, lines: Sequence[int], entry: tuple[list[str], list[str]]
) -> None:
    """Adds the lines of a document, or of a page, whose headings, and what may be one, `entry` tells."""
    headings, optional = entry
    labels, missed = aligned([wanted(heading) for heading in headings], _texts(rules, lines))
    into.headings += len(headings)
    into.missed += [headings[number] for number in missed]
    free = [letters(text) for text in optional if letters(text)]
    for place, at in enumerate(lines):
        page, region = rules.regions[at]
        text = rules.line(at)
        label = labels.get(place, LABELS["none"])
        said = letters(text)
        may = said in OPTIONAL or any(said.startswith(o) or letters(region.text).startswith(o) for o in free)
        if is_template(region.text) or (may and not label):
            label = LABELS["optional"]
        run_in = bool(rules.found.title(region)[0])
        facts = None if run_in else rules.facts.get(id(region))
        by_rules, by_score = (
            bool(told.found.level(told.regions[at][1]) or told.found.title(told.regions[at][1])[0])
            for told in (rules, scored)
        )
        if run_in or facts or label in (1, 2):
            settled = id(region) in rules.settled
            into.lines.append(Line(page, text[:120], label, by_rules, by_score, settled=settled, facts=facts))


def source_headings(source: Path) -> list[str]:
    """The headings of a document by its own styles, with their numbers."""
    parts = READERS[source.suffix.lower()]().parse(Source.of(source), Limits(ocr=False)).parts
    blocks = [block for part in parts if not part.hidden for block in part.blocks if isinstance(block, Heading)]
    said = [f"{block.number} {block.text}".strip() for block in blocks]
    return [text for text in said if letters(text) and letters(text) not in OPTIONAL]


class Job(NamedTuple):
    """A PDF, and its source or what a truth says of it."""

    pdf: Path
    source: Path | None
    truth: dict[str, Any]
    name: str


def printed_jobs(sources: Path, pdfs: Path) -> Iterator[Job]:
    """The documents of a folder that were printed."""
    for source in sorted(sources.iterdir()):
        pdf = pdfs / f"{source.stem}.pdf"
        if source.suffix.lower() in READERS and pdf.is_file():
            yield Job(pdf, source, {}, source.name)


def truth_jobs(truth: Path, documents: Path) -> Iterator[Job]:
    """The documents of a truth that are there and whose headings it tells."""
    for name, entry in json.loads(truth.read_text(encoding="utf-8")).items():
        if (documents / name).is_file() and any("headings" in page for page in entry["pages"].values()):
            yield Job(documents / name, None, entry, name)


def is_held(name: str) -> bool:
    """Whether a printed document is held back from the fit."""
    return hashlib.sha1(name.encode()).hexdigest()[0] < "8"  # noqa: S324 (parts a set in two)


def read(job: Job, kept: Path | None) -> Document | None:
    """The lines of a document; none where it has no pages that are read, or too many."""
    laid = layout(job.pdf, kept)
    rules, scored = told(laid, score=False), told(laid, score=True)
    pages = {page for page, _ in rules.regions}
    if not pages or max(pages) >= _MAX_PAGES:
        return None
    if job.source:
        result = Document(job.name, job.source.suffix[1:].lower(), is_held(job.name), 0, rules.weighed)
        add_lines(result, rules, scored, range(len(rules.regions)), (source_headings(job.source), []))
        return result
    result = Document(job.name, "truth", job.truth.get("held", False), 0, rules.weighed)
    for number, page in job.truth["pages"].items():
        if "headings" in page and not page.get("scan"):
            lines = [at for at, (n, _) in enumerate(rules.regions) if n == int(number) - 1]
            headings = [entry[1] if isinstance(entry, list) else entry for entry in page["headings"]]
            add_lines(result, rules, scored, lines, (headings, page.get("optional", [])))
    return result


def _timed(job: Job, kept: Path | None) -> str:
    """A line of JSON, or why there is none."""

    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(_SECONDS)
    try:
        found = read(job, kept)
        return json.dumps(asdict(found)) if found else f"{job.name}: no pages, or too many"
    except (FormatError, OSError, TimeoutError, RecursionError) as error:
        return f"{job.name}: {type(error).__name__} {error}"
    finally:
        signal.alarm(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--printed", type=Path, nargs=2, action="append", default=[], metavar=("SOURCES", "PDFS"))
    parser.add_argument("--truth", type=Path, nargs=2, action="append", default=[], metavar=("FILE", "DOCUMENTS"))
    parser.add_argument("--layouts", type=Path)
    arguments = parser.parse_args()
    jobs = [job for folders in arguments.printed for job in printed_jobs(*folders)]
    jobs += [job for folders in arguments.truth for job in truth_jobs(*folders)]
    if arguments.layouts:
        arguments.layouts.mkdir(parents=True, exist_ok=True)
    with arguments.out.open("w", encoding="utf-8") as out, ProcessPoolExecutor(os.cpu_count()) as pool:
        for line in pool.map(partial(_timed, kept=arguments.layouts), jobs, chunksize=4):
            print(line, file=out if line.startswith('{"') else None)


if __name__ == "__main__":
    main()
