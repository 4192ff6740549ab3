"""Elements of PDFs, ours against what a reader sees: found, missed and wrong, per file and in all.

    python tests/bench/layout/pdf_elements.py CORPUS_DOCS [--set N] [--peers PYTHON] [--list]

`pdf_elements.json` in `data/` holds the truth, written down by looking at the pages before our output was seen:
for each file the pages judged and their elements (type, label, box as shares of the page, caption included; `body` is
the box without the caption; `optional` marks what readers may count or not). Each set was counted before anything was
changed for it; sets 1 to 3 were then used to find faults, and one fault of set 4 was mended, so all but the first
counts flatter. First counts (found, missed, wrong): set 1 25 29 19, set 2 27 9 16, set 3 20 6 11, set 4 14 2 2. Found
is an element of the right type (figure, chart, diagram, image, map count as one) and label whose box overlaps the
truth's by half or more (intersection over union, both widened by six points, since boxes were read off by eye). Wrong
is everything else we report; missed is what nothing matched. PYTHON has pdfplumber and markitdown: pdfplumber's
`find_tables` is judged on tables in the same way; for markitdown, which gives no boxes, the tables in its Markdown are
counted.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Box = tuple[float, float, float, float]
DATA = Path(__file__).parent / "data" / "pdf_elements.json"
AIR = 6.0
LEAST = 0.5


@dataclass
class Item:
    """An element: page from 1, box in points; `body` is the box without the caption, where the truth knows it."""

    page: int
    type: str
    label: str
    box: Box
    body: Box | None = None
    optional: bool = False


@dataclass
class Count:
    found: int = 0
    missed: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list[str])

    def add(self, other: Count) -> None:
        self.found += other.found
        self.missed += other.missed
        self.wrong += other.wrong

    def line(self, name: str) -> str:
        precision = self.found / max(self.found + self.wrong, 1)
        recall = self.found / max(self.found + self.missed, 1)
        counts = f"{self.found:4} found {self.missed:4} missed {self.wrong:4} wrong"
        return f"{name[-52:]:52} {counts}   precision {precision:.2f} recall {recall:.2f}"


def kind_of(name: str) -> str:
    return name if name in {"table", "equation"} else "figure"


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of the boxes, both widened by `AIR`."""
    a = one[0] - AIR, one[1] - AIR, one[2] + AIR, one[3] + AIR
    b = other[0] - AIR, other[1] - AIR, other[2] + AIR, other[3] + AIR
    shared = max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def compare(truth: list[Item], ours: list[Item], *, labels: bool = True) -> Count:
    """Pairs the two by overlap, the best first."""
    pairs = [
        (max(overlap(want.box, have.box), overlap(want.body, have.box) if want.body else 0.0), i, j)
        for i, want in enumerate(truth) for j, have in enumerate(ours)
        if want.page == have.page and kind_of(want.type) == kind_of(have.type)
    ]  # fmt: skip
    matched: dict[int, int] = {}
    best: dict[int, float] = {}
    for share, i, j in sorted(pairs, reverse=True):
        best[j] = max(best.get(j, 0.0), share)
        fits = not labels or not truth[i].label or truth[i].label == ours[j].label
        if share >= LEAST and fits and i not in matched and j not in matched.values():
            matched[i] = j
    count = Count()
    for i, want in enumerate(truth):
        if i in matched:
            count.found += not want.optional
        elif not want.optional:
            count.missed += 1
            count.notes.append(f"missed p{want.page} {want.type} {want.label or '-'} {_points(want.box)}")
    for j, have in enumerate(ours):
        if j not in matched.values():
            count.wrong += 1
            share = f"overlap {best.get(j, 0.0):.2f}"
            count.notes.append(f"wrong  p{have.page} {have.type} {have.label or '-'} {_points(have.box)} {share}")
    return count


def _points(box: Box) -> str:
    return "(" + " ".join(f"{value:.0f}" for value in box) + ")"


def truth_of(entry: dict[str, Any], sizes: dict[int, tuple[float, float]]) -> list[Item]:
    """The truth of one file in points."""

    def scaled(box: list[float], page: int) -> Box:
        width, height = sizes[page]
        return box[0] * width, box[1] * height, box[2] * width, box[3] * height

    return [
        Item(
            e["page"], e["type"], e.get("label", ""), scaled(e["box"], e["page"]),
            scaled(e["body"], e["page"]) if "body" in e else None, bool(e.get("optional")),
        )
        for e in entry["elements"]
    ]  # fmt: skip


def ours_of(path: Path, pages: list[int]) -> tuple[list[Item], dict[int, tuple[float, float]]]:
    """Our elements on the judged pages, and the sizes of the pages in points."""
    from sidecar_pdf import PdfFormat

    from sidecar.api import Limits, Source

    document = PdfFormat().parse(Source.of(str(path)), Limits(ocr=False))
    sizes = {at: (part.width or 1.0, part.height or 1.0) for at, part in enumerate(document.parts, 1)}
    items = [
        Item(e.page or 0, e.type, "" if e.generated else e.label, e.box)
        for e in document.elements if e.page in pages and e.box is not None
    ]  # fmt: skip
    return items, sizes


def peers_of(python: str, files: list[str]) -> dict[str, dict[str, Any]]:
    """`{path: {"tables": [[page, x0, y0, x1, y1]], "markdown": tables}}`, from a process of its own."""
    done = subprocess.run(
        [python, "-W", "ignore", __file__, "--worker"],
        input="\n".join(files), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {row["path"]: row for row in map(json.loads, done.stdout.splitlines())}


def work(files: list[str]) -> Iterator[str]:
    import pdfplumber  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter
    from markitdown import MarkItDown  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter

    converter: Any = MarkItDown()
    plumber: Any = pdfplumber
    for path in files:
        with plumber.open(path) as pdf:
            tables = [[at, *map(float, t.bbox)] for at, p in enumerate(pdf.pages, 1) for t in p.find_tables()]
        text = str(converter.convert(path).text_content)
        rules = [line for line in text.splitlines() if line.startswith("|") and set(line) <= set("|-: ")]
        yield json.dumps({"path": path, "tables": tables, "markdown": len(rules)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--set", type=int, default=0, help="only this set")
    parser.add_argument("--peers", help="interpreter that has pdfplumber and markitdown")
    parser.add_argument("--list", action="store_true", help="name what is missed and what is wrong")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        for line in work([line for line in sys.stdin.read().split("\n") if line]):
            print(line, flush=True)
        return
    entries: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
    for number in sorted({int(entry["set"]) for entry in entries}):
        if options.set in {0, number}:
            report(number, [e for e in entries if e["set"] == number], options)


def report(number: int, entries: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Prints one set."""
    paths = [options.corpus / entry["path"] for entry in entries]
    peers = peers_of(options.peers, [str(path) for path in paths]) if options.peers else {}
    total, by_kind, plumbed, markdown, tables = Count(), dict[str, Count](), Count(), 0, 0
    print(f"set {number}: {len(entries)} files, {sum(len(entry['pages']) for entry in entries)} pages")
    for entry, path in zip(entries, paths, strict=True):
        ours, sizes = ours_of(path, entry["pages"])
        truth = truth_of(entry, sizes)
        count = compare(truth, ours)
        print("  " + count.line(path.name))
        for note in count.notes if options.list else ():
            print("      " + note)
        total.add(count)
        for kind in ("figure", "table", "equation"):
            own = compare([t for t in truth if kind_of(t.type) == kind], [o for o in ours if kind_of(o.type) == kind])
            by_kind.setdefault(kind, Count()).add(own)
        if peers:
            row = peers[str(path)]
            seen = [Item(int(t[0]), "table", "", (t[1], t[2], t[3], t[4])) for t in row["tables"]]
            seen = [item for item in seen if item.page in entry["pages"]]
            plumbed.add(compare([t for t in truth if t.type == "table"], seen, labels=False))
            markdown += int(row["markdown"])
            tables += sum(t.type == "table" and not t.optional for t in truth)
    for kind, count in by_kind.items():
        print("  " + count.line(kind))
    print("  " + total.line("all"))
    if peers:
        print("  " + plumbed.line("pdfplumber, tables"))
        print(f"  markitdown: {markdown} tables in its Markdown (whole files); a reader sees {tables} on these pages")


if __name__ == "__main__":
    main()
