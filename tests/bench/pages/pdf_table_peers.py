"""Tables of real pages and of typeset ones, as ours and as other programs read them, in one run.

    python tests/bench/pages/pdf_table_peers.py CORPUS_DOCS --peer NAME=PYTHON ... [--generated FOLDER] [--held]
        [--set NAME | --truth FILE]

NAME is one of the readers of `pdf_tables.py`, PYTHON that of an environment of its own with the program (OpenDataLoader
wants Java besides). Every page of the truth of `pdf_pages.py` is read as a file of that page alone, without the tags
and the pages around it, by all readers alike; FOLDER holds files that `pdf_table_files.py` made. Printed are, for each
set and reader, the rows exactly right, the mean TEDS, the tables invented, and the seconds it took, start included.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pypdfium2
from pdf_pages import Tally, judge_tables, missing
from pdf_tables import Grid

PACKAGES = ("pdf_pages_fifth", "pdf_pages_sixth", "pdf_pages_seventh", "pdf_pages_eighth")
"""The sets whose files are not all of the corpus: CORPUS_DOCS is the folder they are unpacked or gathered in."""
SETS = ("pdf_pages", "pdf_pages_second", "pdf_pages_tables", "pdf_pages_fourth")


def write_pages(corpus: Path, data: Path, folder: Path, *, held: bool) -> dict[str, list[Any]]:
    """Writes each page of a set that has text as a file; the tables of each file."""
    truth: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
    tables: dict[str, list[Any]] = {}
    for place, entry in truth.items():
        if entry.get("held", False) != held:
            continue
        if fault := missing(corpus / place, entry):
            print(f"not counted: {fault}")
            continue
        with pypdfium2.PdfDocument(corpus / place) as document:
            for number, page in entry["pages"].items():
                if page.get("scan") or "tables" not in page:
                    continue
                alone = pypdfium2.PdfDocument.new()
                alone.import_pages(document, [int(number) - 1])
                file = f"{Path(place).stem}-{number}.pdf"
                alone.save(folder / file)
                tables[file] = page["tables"]
    return tables


def read(python: str, reader: str, folder: Path) -> dict[str, list[Grid]]:
    """What a reader finds in the files of a folder."""
    command = [python, str(Path(__file__).with_name("pdf_tables.py")), "--peers", python, "--folder", str(folder)]
    done = subprocess.run([*command, "--read", reader], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout[done.stdout.index("{") :])
    return {file: [Grid(**grid) for grid in grids] for file, grids in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--peer", action="append", default=[], help="NAME=PYTHON")
    parser.add_argument("--generated", type=Path)
    parser.add_argument("--held", action="store_true", help="the tables held back instead of the others")
    parser.add_argument("--set", choices=(*SETS, *PACKAGES), help="that set alone")
    parser.add_argument("--truth", type=Path, help="that file's set alone, as `pdf_pages_made.py` writes it")
    arguments = parser.parse_args()
    readers = {"docsidecar": sys.executable, **dict(peer.split("=", 1) for peer in arguments.peer)}
    print(f"{'set':18} {'reader':15} {'rows exactly right':>20} {'TEDS':>6} {'invented':>9} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        sets: dict[Path, dict[str, list[Any]]] = {}
        names = [arguments.set] if arguments.set else SETS[-1:] if arguments.held else SETS
        here = [Path(__file__).parent / "data" / f"{name}.json" for name in names]
        for data in [arguments.truth] if arguments.truth else here:
            folder = Path(scratch) / data.stem
            folder.mkdir()
            sets[folder] = write_pages(arguments.corpus, data, folder, held=arguments.held)
        if arguments.generated:
            made: dict[str, Any] = json.loads((arguments.generated / "truth.json").read_text(encoding="utf-8"))
            sets[arguments.generated] = {
                file: [table["rows"] for table in entry["tables"]] for file, entry in made.items()
            }
        for folder, truth in sets.items():
            for reader, python in readers.items():
                start = time.perf_counter()
                found = read(python, reader, folder)
                seconds = time.perf_counter() - start
                tally = Tally()
                for file, tables in truth.items():
                    judge_tables(tables, found.get(file, []), file, tally)
                rows = f"{tally.exact}/{tally.rows} = {tally.exact / tally.rows:.3f}"
                teds = sum(tally.teds) / len(tally.teds)
                print(f"{folder.name:18} {reader:15} {rows:>20} {teds:6.3f} {tally.invented:9} {seconds:8.1f}")


if __name__ == "__main__":
    main()
