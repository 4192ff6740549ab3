"""Tables of PDFs against the structure they were typeset from, by style and producer, beside pdfplumber and markitdown.

    python tests/bench/pages/pdf_tables.py --peers PYTHON [--seed N] [--count N] [--folder FOLDER] [--wrong N]

PYTHON has typst, reportlab, pdfplumber and markitdown[pdf]; it makes the files (`pdf_table_files.py`) and reads them
with its readers. Counted are: TEDS (Zhong, ShafieiBavani & Jimeno Yepes, Image-based Table Recognition, 2020), with the
edit distance of table trees taken by aligning rows and, in them, cells; and the share of rows, header included, that
come out exactly: the same cells in the same order, white space and the sign before a raised mark aside. A table nobody
finds counts zero. `--wrong` lists rows of ours that are wrong; the last line says how often our flaw is right.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

PEERS = ("pdfplumber", "markitdown")
_T = TypeVar("_T")
Span = tuple[int, int, int, int]


@dataclass
class Grid:
    """A table to compare: texts, `[row, column, rows, columns]` of merged regions, and how sure its reader was."""

    rows: list[list[str]]
    spans: list[Span] = field(default_factory=list[Span])
    confidence: float = 1.0

    def cells(self) -> list[list[tuple[str, int, int]]]:
        """Of each row the cells that begin in it: folded text, rows, columns."""
        covered = {
            (i, j) for r, c, h, w in self.spans for i in range(r, r + h) for j in range(c, c + w) if (i, j) != (r, c)
        }
        sizes = {(r, c): (h, w) for r, c, h, w in self.spans}
        return [
            [(folded(text), *sizes.get((r, c), (1, 1))) for c, text in enumerate(row) if (r, c) not in covered]
            for r, row in enumerate(self.rows)
        ]

    def folded(self) -> list[tuple[str, ...]]:
        return [tuple(map(folded, row)) for row in self.rows]


def folded(text: str) -> str:
    """Without white space; a raised mark stands behind `^` or a space; letters of formulas are those of any text, and
    those with accents composed."""
    text = unicodedata.normalize("NFC", text).replace("∆", "Δ")  # the name of the glyph tells the increment
    text = re.sub("[\U0001d400-\U0001d7ff]+", lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = re.sub(r"(?<=[\d%\w)])[ ^]+(?=[\dab]$)", "^", text.strip())
    return re.sub(r"\s+", "", text)


def levenshtein(one: str, other: str) -> int:
    """The edit distance of two texts."""
    if one == other:
        return 0
    line = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, line[0] = line[0], i
        for j, b in enumerate(other, 1):
            before, line[j] = line[j], min(line[j] + 1, line[j - 1] + 1, before + (a != b))
    return line[-1]


def _cell_cost(one: tuple[str, int, int], other: tuple[str, int, int]) -> float:
    if one[1:] != other[1:]:
        return 1.0
    return levenshtein(one[0], other[0]) / max(len(one[0]), len(other[0]), 1)


def _aligned(one: list[_T], other: list[_T], gone: Callable[[_T], float], changed: Callable[[_T, _T], float]) -> float:
    """The least cost to make one sequence of the other."""
    line = [0.0]
    for item in other:
        line.append(line[-1] + gone(item))
    for a in one:
        before, line[0] = line[0], line[0] + gone(a)
        for j, b in enumerate(other, 1):
            best = min(line[j] + gone(a), line[j - 1] + gone(b))
            if best > before:
                best = min(best, before + changed(a, b))
            before, line[j] = line[j], best
    return line[-1]


def teds(truth: Grid, ours: Grid) -> float:
    """1 for equal tables, 0 for tables that share nothing."""
    one, other = truth.cells(), ours.cells()
    distance = _aligned(
        one, other, lambda row: 1.0 + len(row), lambda a, b: _aligned(a, b, lambda _: 1.0, _cell_cost)
    )  # fmt: skip
    nodes = max(sum(len(row) + 1 for row in one), sum(len(row) + 1 for row in other)) + 1
    return max(1.0 - distance / nodes, 0.0)


def exact_rows(truth: Grid, ours: Grid) -> list[bool]:
    """Which rows of the truth come out exactly, in order."""
    have, at = ours.folded(), 0
    found: list[bool] = []
    for row in truth.folded():
        place = next((i for i in range(at, len(have)) if have[i] == row), None)
        found.append(place is not None)
        at = at if place is None else place + 1
    return found


def paired(truth: list[Grid], found: list[Grid]) -> list[tuple[Grid, Grid | None]]:
    """Each table of the truth with the one found that is most like it; each is used once."""
    scores = sorted(((teds(t, f), i, j) for i, t in enumerate(truth) for j, f in enumerate(found)), reverse=True)
    match: dict[int, int] = {}
    for score, i, j in scores:
        if score > 0 and i not in match and j not in match.values():
            match[i] = j
    return [(table, found[match[i]] if i in match else None) for i, table in enumerate(truth)]


def docsidecar() -> Callable[[str], list[Grid]]:
    from sidecar_pdf import PdfFormat

    from sidecar.api import Limits, Source, Table

    plugin, limits = PdfFormat(), Limits(ocr=False)

    def read(path: str) -> list[Grid]:
        found: list[Grid] = []
        for part in plugin.parse(Source.of(path), limits).parts:
            for block in part.blocks:
                if not isinstance(block, Table):
                    continue
                grid = Grid(
                    [list(row) for row in block.rows], [(m.row, m.col, m.rows, m.cols) for m in block.merges],
                    block.confidence,
                )  # fmt: skip
                if block.first_row and found:  # a window of the table before, which may say its header again
                    header, by = block.header_rows, len(found[-1].rows)
                    found[-1].rows += grid.rows[header:]
                    found[-1].spans += [(r + by - header, c, h, w) for r, c, h, w in grid.spans if r >= header]
                else:
                    found.append(grid)
        return found

    return read


def pdfplumber() -> Callable[[str], list[Grid]]:
    library: Any = importlib.import_module("pdfplumber")

    def read(path: str) -> list[Grid]:
        with library.open(path) as document:
            tables: list[list[list[str | None]]] = [t for page in document.pages for t in page.extract_tables()]
        return [Grid([[text or "" for text in row] for row in table]) for table in tables]

    return read


def markitdown() -> Callable[[str], list[Grid]]:
    library: Any = importlib.import_module("markitdown")
    reader = library.MarkItDown()
    return lambda path: markdown_tables(reader.convert(path).text_content)


def kreuzberg() -> Callable[[str], list[Grid]]:
    library: Any = importlib.import_module("kreuzberg")
    config = library.ExtractionConfig(use_cache=False, output_format="markdown")

    def read(path: str) -> list[Grid]:
        result = library.extract_file_sync(path, config=config)
        return [Grid(table.cells) for table in result.tables] or markdown_tables(result.content)

    return read


def opendataloader() -> Callable[[str], list[Grid]]:
    library: Any = importlib.import_module("opendataloader_pdf")
    scratch = tempfile.TemporaryDirectory()
    converted: set[Path] = set()

    def read(path: str) -> list[Grid]:
        folder = Path(path).parent
        if folder not in converted:  # a whole folder in one Java process, as it is meant to be called
            library.convert(input_path=[str(folder)], output_dir=scratch.name, format="json", quiet=True)
            converted.add(folder)
        document = json.loads((Path(scratch.name) / Path(path).with_suffix(".json").name).read_text(encoding="utf-8"))
        return [_opendataloader_grid(element) for element in _elements(document) if element.get("type") == "table"]

    return read


def _elements(element: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The elements of OpenDataLoader's tree, those within tables aside."""
    for kid in element.get("kids", ()):
        yield kid
        if kid.get("type") != "table":
            yield from _elements(kid)


def _opendataloader_grid(table: dict[str, Any]) -> Grid:
    rows = [[""] * table["number of columns"] for _ in range(table["number of rows"])]
    spans: list[Span] = []
    for cell in (cell for row in table["rows"] for cell in row["cells"]):
        r, c, h, w = (cell[key] for key in ("row number", "column number", "row span", "column span"))
        rows[r - 1][c - 1] = " ".join(str(kid["content"]) for kid in _elements(cell) if "content" in kid)
        if h > 1 or w > 1:
            spans.append((r - 1, c - 1, h, w))
    return Grid(rows, spans)


def markdown_tables(text: str) -> list[Grid]:
    """The tables of a text in Markdown."""
    tables: list[Grid] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
        if not inside:
            tables.append(Grid([]))
        inside = True
        if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            tables[-1].rows.append(cells)
    return [table for table in tables if table.rows]


READERS: dict[str, Callable[[], Callable[[str], list[Grid]]]] = {
    "docsidecar": docsidecar, "pdfplumber": pdfplumber, "markitdown": markitdown,
    "kreuzberg": kreuzberg, "opendataloader": opendataloader,
}  # fmt: skip


def read_all(name: str, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What a reader finds in the files of a folder."""
    read = READERS[name]()
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob("*.pdf")):
        try:
            found[path.name] = [vars(grid) for grid in read(str(path))]
        except Exception as error:
            print(path.name, repr(error), file=sys.stderr)
            found[path.name] = []
    return found


@dataclass
class Score:
    """Sums over tables."""

    teds: float = 0.0
    tables: int = 0
    exact: int = 0
    rows: int = 0

    def line(self) -> str:
        return f"{self.teds / max(self.tables, 1):.3f} {self.exact / max(self.rows, 1):.3f}"


@dataclass
class Judged:
    """A table of the truth, what came out, and how right it is."""

    file: str
    style: str
    producer: str
    truth: Grid
    found: Grid | None
    teds: float
    exact: list[bool]


def judged(truth: dict[str, Any], found: dict[str, list[dict[str, Any]]]) -> list[Judged]:
    result: list[Judged] = []
    for name, entry in truth.items():
        wanted = [Grid(t["rows"], [(s[0], s[1], s[2], s[3]) for s in t["spans"]]) for t in entry["tables"]]
        for want, have in paired(wanted, [Grid(**grid) for grid in found.get(name, [])]):
            exact = exact_rows(want, have) if have else [False] * len(want.rows)
            score = teds(want, have) if have else 0.0
            result.append(Judged(name, entry["style"], entry["producer"], want, have, score, exact))
    return result


def scores(tables: Iterable[Judged], key: Callable[[Judged], str]) -> dict[str, Score]:
    result: dict[str, Score] = defaultdict(Score)
    for table in tables:
        score = result[key(table)]
        score.teds += table.teds
        score.tables += 1
        score.exact += sum(table.exact)
        score.rows += len(table.exact)
    return result


def flaws(tables: list[Judged], limit: float) -> str:
    """How often a table under the limit is wrong somewhere, and one over it is right."""
    known = [table for table in tables if table.found is not None]
    wrong = [table for table in known if not all(table.exact)]
    flagged = [table for table in known if table.found is not None and table.found.confidence < limit]
    right = sum(not all(table.exact) for table in flagged)
    trusted = [table for table in known if table.found is not None and table.found.confidence >= limit]
    sure = sum(all(table.exact) for table in trusted)
    return (
        f"flagged (confidence < {limit}): {len(flagged)}, rightly {right}; of {len(wrong)} tables with a wrong row; "
        f"trusted {len(trusted)}, wholly right {sure}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--wrong", type=int, default=0)
    parser.add_argument("--tight", action="store_true", help="columns set close to one another")
    parser.add_argument("--only", action="store_true", help="ours alone")
    parser.add_argument("--read", choices=READERS)
    arguments = parser.parse_args()
    if arguments.read:
        json.dump(read_all(arguments.read, arguments.folder), sys.stdout)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or Path(scratch)
        if not (folder / "truth.json").exists():
            maker = Path(__file__).with_name("pdf_table_files.py")
            options = ["--seed", str(arguments.seed), "--count", str(arguments.count)]
            options += ["--tight"] if arguments.tight else []
            subprocess.run([arguments.peers, str(maker), str(folder), *options], check=True)
        truth = json.loads((folder / "truth.json").read_text())
        found = {"docsidecar": read_all("docsidecar", folder)}
        for peer in () if arguments.only else PEERS:
            command = [arguments.peers, __file__, "--peers", arguments.peers, "--folder", str(folder), "--read", peer]
            found[peer] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    report({name: judged(truth, tables) for name, tables in found.items()}, arguments.wrong)


def report(results: dict[str, list[Judged]], wrong: int) -> None:
    names = list(results)
    print(f"{'TEDS, rows exact':26}", *(f"{name:>12}" for name in names))
    keys: tuple[Callable[[Judged], str], ...] = (
        lambda t: f"{t.style} {t.producer}", lambda t: t.style, lambda t: t.producer, lambda t: "all",
    )  # fmt: skip
    for key in keys:
        tallies = {name: scores(tables, key) for name, tables in results.items()}
        for line in tallies[names[0]]:
            print(f"{line:26}", *(f"{tallies[name][line].line():>12}" for name in names))
        print()
    ours = results["docsidecar"]
    for limit in (0.3, 0.4, 0.5, 0.6, 0.7):
        print(flaws(ours, limit))
    for table in sorted(ours, key=lambda table: table.teds)[:wrong]:
        if all(table.exact) and table.teds > 0.999:
            break
        print(f"\n{table.file} TEDS {table.teds:.3f} rows {sum(table.exact)}/{len(table.exact)}")
        lost = [row for row, right in zip(table.truth.rows, table.exact, strict=True) if not right][:4]
        print("  want", *lost, sep="\n    ")
        have = set(table.truth.folded())
        if table.found is not None:
            others = [row for row in table.found.rows if tuple(map(folded, row)) not in have][:5]
            print(f"  have ({table.found.confidence:.2f})", *others, sep="\n    ")


if __name__ == "__main__":
    main()
