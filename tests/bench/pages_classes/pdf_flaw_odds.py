"""How often tables with each flaw were read wrong, and what odds fit: what `known_flaws.py` has its odds from.

    python tests/bench/pages_classes/pdf_flaw_odds.py FOLDER=TRUTH... [--held] [--spread N]

Each TRUTH, as `pdf_pages.py` reads it, is of files in its FOLDER. A table is right where all its rows are; tables that
nobody found tell nothing. Printed are, of each flaw, the tables that have it, right and wrong, how much commoner it is
among wrong ones, its odds, and those of a logistic model of all flaws that is drawn to the present odds: `spread` is
how far their logarithms may stray (the deviation of a normal distribution around them). The last lines say how many
tables are flagged by the odds, how many of these are wrong, and the same where the model is fitted on the other five
sixths of the files, at as many flagged. `--held` takes the held halves: only their last lines are to be looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1] / "pages"))

import numpy as np
from bench.pages.pdf_pages import Grid, exact_rows, missing, paired, read_as
from numpy.typing import NDArray
from sidecar_pdf import PdfFormat
from sidecar_pdf.layout.tables import known_flaws
from sidecar_pdf.layout.tables.known_flaws import Flaw, Flaws
from sidecar_pdf.structure import page, regions

from sidecar.api import UNCERTAIN_TABLE, Limits, Source, Table

PARTS = 6  # of the files, each left out in turn
STEPS, RATE = 2000, 0.02  # of the descent that fits the model
Vector = NDArray[np.float64]


@dataclass
class Read:
    """A table as it was read: its file, its flaws, its confidence, and whether all its rows are right."""

    file: str
    flaws: Flaws
    confidence: float
    right: bool


def flaws_as_read() -> dict[tuple[tuple[str, ...], ...], Flaws]:
    """The flaws of tables by their rows, which fills while documents are read."""
    known: dict[tuple[tuple[str, ...], ...], Flaws] = {}
    table_region = regions.table_region

    def kept(table: regions.FoundTable, vocabulary: set[str]) -> regions.Region:
        region = table_region(table, vocabulary)
        known[tuple(map(tuple, region.rows))] = regions.flaws_of(table, region.rows)
        return region

    page.table_region = regions.table_region = kept
    return known


def read_tables(
    folder: Path, truth: Path, known: dict[tuple[tuple[str, ...], ...], Flaws], held: bool
) -> Iterator[Read]:
    """The tables we find on the pages of a truth."""
    entries: dict[str, Any] = json.loads(truth.read_text(encoding="utf-8"))
    for name, entry in entries.items():
        if entry.get("held", False) != held or missing(folder / name, entry):
            continue
        known.clear()
        parts = PdfFormat().parse(Source.of(folder / name), Limits(ocr=False)).parts
        for number, own in entry["pages"].items():
            if "tables" not in own or own.get("scan"):
                continue
            blocks = [block for block in parts[int(number) - 1].blocks if isinstance(block, Table)]
            grids = [Grid([list(row) for row in block.rows], confidence=block.confidence) for block in blocks]
            pairs = [(want, have) for want, have in paired(read_as(own["tables"], grids), grids) if have]
            right = {id(have): all(exact_rows(want, have)) for want, have in pairs}
            for grid in grids:
                flaws = known.get(tuple(map(tuple, grid.rows)))
                if flaws is not None and (id(grid) in right or not own.get("partial")):
                    yield Read(name, flaws, grid.confidence, right.get(id(grid), False))


def fitted(tables: Sequence[Read], flaws: Sequence[Flaw], spread: float) -> Vector:
    """The logarithms of odds that fit best, one for each flaw and that of a table without any."""
    seen = np.array([[float(flaw in table.flaws) for flaw in flaws] + [1.0] for table in tables])
    wrong = np.array([float(not table.right) for table in tables])
    likely = np.log([*(flaw.odds for flaw in flaws), 1 / known_flaws.FLAWLESS_ODDS])
    weights = likely.copy()
    for _ in range(STEPS if tables else 0):
        share = 1 / (1 + np.exp(-seen @ weights))
        weights -= RATE * (seen.T @ (share - wrong) + (weights - likely) / spread**2)
        weights[:-1] = np.maximum(weights[:-1], 0.0)
    return weights


def likelihoods(tables: Sequence[Read], flaws: Sequence[Flaw], weights: Vector) -> list[float]:
    """How likely tables are wrong, as the logarithm of the odds of it."""
    told = dict(zip(flaws, weights[:-1], strict=True))
    return [float(weights[-1]) + sum(told[flaw] for flaw in table.flaws) for table in tables]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truths", nargs="+", metavar="FOLDER=TRUTH")
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--spread", type=float, default=0.5)
    arguments = parser.parse_args()
    known, tables = flaws_as_read(), list[Read]()
    for one in arguments.truths:
        folder, _, truth = one.partition("=")
        tables += read_tables(Path(folder), Path(truth), known, arguments.held)
    flaws = sorted({flaw for table in tables for flaw in table.flaws}, key=lambda flaw: flaw.says)
    wrong = sum(not table.right for table in tables)
    weights = fitted(tables, flaws, arguments.spread)
    names = {flaw: name for name, flaw in vars(known_flaws).items() if isinstance(flaw, Flaw)}
    for flaw, weight in zip(flaws, weights[:-1], strict=True):
        own = [table.right for table in tables if flaw in table.flaws]
        bad, good = own.count(False), own.count(True)
        ratio = (bad + 0.5) / (wrong + 1) / ((good + 0.5) / (len(tables) - wrong + 1))
        print(f"{names[flaw]:20} wrong {bad:4} right {good:4} ratio {ratio:5.1f} odds {flaw.odds:5.1f}", end=" ")
        print(f"fitted {float(np.exp(weight)):5.1f}")
    flagged = [table for table in tables if table.confidence < UNCERTAIN_TABLE]
    hit = sum(not table.right for table in flagged)
    print(f"{len(tables)} tables, {wrong} wrong; flagged {len(flagged)}, of them wrong {hit}")
    parts = [int(hashlib.sha256(table.file.encode()).hexdigest(), 16) % PARTS for table in tables]
    told: dict[int, float] = {}
    for left in range(PARTS):
        others = [table for table, part in zip(tables, parts, strict=True) if part != left]
        out = [at for at, part in enumerate(parts) if part == left]
        fit = fitted(others, flaws, arguments.spread)
        told |= zip(out, likelihoods([tables[at] for at in out], flaws, fit), strict=True)
    likeliest = sorted(told, key=lambda at: -told[at])[: len(flagged)]
    print(f"fitted on others, at as many flagged: of them wrong {sum(not tables[at].right for at in likeliest)}")


if __name__ == "__main__":
    main()
