"""Rows of tables and headings of real PDFs, ours against what a reader sees on the page.

    python tests/bench/pdf_pages.py CORPUS_DOCS [--list] [--truth FILE]

`pdf_pages.json` beside this file holds the truth, written down from the pictures of the pages before our output of them
was looked at: for each file (its place in the corpus) and page the rows of tables and the headings, numbers aside.
`optional` headings are those readers may count or not; `scan` marks pages without text, which are not judged. Row for
row a table counts as in `pdf_tables.py`; a heading is found where ours has the same letters and digits, or begins with
them. First counts: rows 115 of 145, headings 62 found, 21 missed, 6 wrong; the pages were then used to find faults, so
all but these flatter. `pdf_pages_second.json` is a second set, written down in the same way: first counts rows 62 of
110, headings 28 found, 12 missed, 10 wrong.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pdf_tables import Grid, exact_rows, paired, teds
from sidecar_pdf import PdfFormat

from sidecar.api import Heading, Limits, Source, Table

DATA = Path(__file__).with_suffix(".json")


@dataclass
class Tally:
    """What was found of the truth, what was not, and what was none; `notes` say which."""

    rows: int = 0
    exact: int = 0
    teds: list[float] = field(default_factory=list[float])
    found: int = 0
    missed: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list[str])


def letters(text: str) -> str:
    """What headings are compared by."""
    return "".join(char for char in text.casefold() if char.isalnum())


def judge_tables(truth: list[list[list[str]]], ours: list[Grid], name: str, tally: Tally) -> None:
    """Adds a page's tables."""
    for want, have in paired([Grid(rows) for rows in truth], ours):
        exact = exact_rows(want, have) if have else [False] * len(want.rows)
        tally.rows += len(exact)
        tally.exact += sum(exact)
        tally.teds.append(teds(want, have) if have else 0.0)
        tally.notes += [
            f"{name} row {row} not in {[r for r in have.rows if r[0] == row[0]] if have else None}"
            for row, right in zip(want.rows, exact, strict=True) if not right
        ]  # fmt: skip


def judge_headings(truth: list[str], optional: list[str], ours: list[tuple[str, str]], name: str, tally: Tally) -> None:
    """Adds a page's headings; ours are number and text, and the number may belong to the text."""
    left = [(letters(number), letters(text)) for number, text in ours]
    for want in map(letters, truth):
        match = next(
            (one for one in left if want in (one[1], "".join(one)) or (len(want) > 4 and one[1].startswith(want))), None
        )
        if match is None:
            tally.missed += 1
            tally.notes.append(f"{name} heading missed: {want}")
        else:
            tally.found += 1
            left.remove(match)
    free = [letters(text) for text in optional]
    for _, text in left:
        if not any(text.startswith(other) for other in free):
            tally.wrong += 1
            tally.notes.append(f"{name} no heading: {text[:80]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--truth", type=Path, default=DATA)
    parser.add_argument("--list", action="store_true", help="what is wrong, one a line")
    arguments = parser.parse_args()
    truth: dict[str, Any] = json.loads(arguments.truth.read_text(encoding="utf-8"))
    tally, scans = Tally(), 0
    for name, entry in truth.items():
        parts = PdfFormat().parse(Source.of(arguments.corpus / name), Limits(ocr=False)).parts
        for number, page in entry["pages"].items():
            blocks = parts[int(number) - 1].blocks
            scans += len(page["tables"]) if page.get("scan") else 0
            if page.get("scan"):
                continue
            short = f"{Path(name).name}:{number}"
            judge_tables(
                page.get("tables", []), [Grid([list(r) for r in b.rows]) for b in blocks if isinstance(b, Table)],
                short, tally,
            )  # fmt: skip
            if "headings" in page:
                ours = [(block.number, block.text) for block in blocks if isinstance(block, Heading)]
                judge_headings(page["headings"], page.get("optional", []), ours, short, tally)
    if arguments.list:
        print(*tally.notes, sep="\n")
    rows = f"rows exactly right {tally.exact}/{tally.rows} = {tally.exact / tally.rows:.3f}"
    print(f"{len(tally.teds)} tables ({scans} more in scans are not judged): {rows}")
    print(f"headings: {tally.found} found, {tally.missed} missed, {tally.wrong} wrong; ", end="")
    precision, recall = tally.found / (tally.found + tally.wrong), tally.found / (tally.found + tally.missed)
    print(f"precision {precision:.3f} recall {recall:.3f}")


if __name__ == "__main__":
    main()
