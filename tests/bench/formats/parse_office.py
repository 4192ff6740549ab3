"""Files a second of the Word, Excel and PowerPoint plugins against peers on the same files in one run, one process
each, parsing alone; a workbook of a million cells with its peak memory, and a Word file of 800 pages. Asserts nothing.

    python tests/bench/formats/parse_office.py [--peers PYTHON] [--large]

`--peers` is a Python that has markitdown and kreuzberg installed; `--large` does the large files only. Files
come from DOCSIDECAR_CORPUS. What the readers that scan text gain is what `twins.py` tells.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from sidecar_docx import DocxFormat
from sidecar_pptx import PptxFormat
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import cell, numbered, para, row, run, styled, table

from sidecar.api import FormatError, Limits, ParsedDocument, Source


class Parses(Protocol):
    """The part of a format plugin a bench needs."""

    def parse(self, source: Source, limits: Limits) -> ParsedDocument: ...


FORMATS: dict[str, tuple[type[Parses], tuple[str, ...]]] = {
    "docx": (DocxFormat, (".docx", ".docm", ".dotx")),
    "xlsx": (XlsxFormat, (".xlsx", ".xlsm")),
    "pptx": (PptxFormat, (".pptx", ".pptm", ".potx", ".ppsx")),
}
ROUNDS = {"docsidecar": 3, "kreuzberg": 3, "markitdown": 1}
_PEER = """
import json, logging, sys, time, warnings
warnings.simplefilter("ignore")
logging.disable()
name, rounds, files = sys.argv[1], int(sys.argv[2]), json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    read = MarkItDown(enable_plugins=False).convert
else:
    import kreuzberg
    config = kreuzberg.ExtractionConfig(use_cache=False)  # else every round after the first reads its cache
    read = lambda file: kreuzberg.extract_file_sync(file, config=config)
best, done = 1e9, 0
for _ in range(rounds):
    start, done = time.perf_counter(), 0
    for file in files:
        try:
            read(file)
            done += 1
        except Exception:
            pass
    best = min(best, time.perf_counter() - start)
print(json.dumps([best, done]))
"""


def ours(kind: str, files: list[Path]) -> tuple[float, int]:
    """Best seconds of several rounds, and how many files could be read. Each round is a process of its own: what a
    worker remembers of one file must not make reading the same file again look fast."""
    names = json.dumps([str(file) for file in files])
    rounds: list[tuple[float, int]] = []
    for _ in range(ROUNDS["docsidecar"]):
        done = subprocess.run(
            [sys.executable, __file__, "--round", kind], input=names, stdout=subprocess.PIPE, text=True, check=True,
            encoding="utf-8",
        )  # fmt: skip
        seconds, read = json.loads(done.stdout)
        rounds.append((seconds, read))
    return min(rounds)


def one_round(plugin: Parses, files: list[Path]) -> tuple[float, int]:
    """Seconds, and how many files could be read; the first is read once before, as a worker has by then."""
    limits = Limits(ocr=False)  # results of formulas and pages of scans, which other programs give, come later
    # As a worker does (`ingest.reading`): parsers make garbage by the million objects and rarely cycles.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    begun, done = 0.0, 0
    for file in [files[0], *files]:
        try:
            plugin.parse(Source.of(file), limits)
            done += 1
        except FormatError:
            pass
        if not begun:
            begun, done = time.perf_counter(), 0
    return time.perf_counter() - begun, done


def theirs(python: str, name: str, files: list[Path]) -> tuple[float, int]:
    """The same of a peer."""
    done = subprocess.run(
        [python, "-c", _PEER, name, str(ROUNDS[name])], input=json.dumps([str(file) for file in files]),
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    seconds, read = json.loads(done.stdout.strip().splitlines()[-1])
    return seconds, read


def compare(kind: str, files: list[Path], peers: str) -> None:
    seconds, done = ours(kind, files)
    rate = done / seconds
    print(f"{kind}: {len(files)} files; docsidecar {rate:.0f} files/s ({done} read)")
    for name in ("markitdown", "kreuzberg") if peers else ():
        seconds, done = theirs(peers, name, files)
        print(f"    {name} {done / seconds:.0f} files/s ({done} read); ratio {rate * seconds / done:.2f}")


def write_long(path: Path) -> None:
    """About 800 pages: chapters, sections, formatted paragraphs in several runs, lists and tables."""
    chance = random.Random(7)
    words = [f"w{chance.randrange(10**6):x}" for _ in range(5000)]

    def sentence(count: int) -> str:
        return " ".join(chance.choices(words, k=count))

    body: list[str] = []
    for page in range(800):
        if page % 20 == 0:
            body.append(para(f"Chapter {page // 20 + 1}", "berschrift1"))
        body.append(para(f"Section {page + 1}", "berschrift2"))
        for _ in range(4):
            runs = run(sentence(30) + " ") + run(sentence(5), "<w:b/><w:color w:val='FF0000'/><w:sz w:val='24'/>")
            body.append(para(runs + run(" " + sentence(45))))
        body += [numbered(sentence(12), 2) for _ in range(3)]
        body.append(table(*[row(*[cell(sentence(3)) for _ in range(4)]) for _ in range(5)]))
    path.write_bytes(styled("".join(body)))


def write_million(path: Path) -> None:
    """100,000 rows of ten columns: words, numbers, dates, money and a formula, as Excel writes them."""
    words = [f"word {i} of many" for i in range(50_000)]
    rows = (
        (
            f'<c r="A{row}"><v>{row}</v></c>',
            f'<c r="B{row}" t="s"><v>{row % 50_000}</v></c>',
            f'<c r="C{row}" s="1"><v>{40_000 + row % 5000}</v></c>',
            f'<c r="D{row}" s="2"><v>{row * 1.17:.2f}</v></c>',
            f'<c r="E{row}"><v>{row / 7}</v></c>',
            f'<c r="F{row}"><f>A{row}*D{row}</f><v>{row * row * 1.17}</v></c>',
            f'<c r="G{row}" t="s"><v>{row * 7 % 50_000}</v></c>',
            f'<c r="H{row}"><v>{row % 97}</v></c>',
            f'<c r="I{row}" t="b"><v>{row % 2}</v></c>',
            f'<c r="J{row}" t="s"><v>{row * 3 % 50_000}</v></c>',
        )
        for row in range(1, 100_001)
    )
    write_workbook(path, words, rows)


def write_workbook(path: Path, words: list[str], rows: Iterable[tuple[str, ...]]) -> None:
    """A workbook of one sheet with these shared strings, and rows of cells as written in the file."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        out.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="rId1" Type="{relations}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        out.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="Big" sheetId="1" r:id="rId1"/>'
            "</sheets></workbook>",
        )
        out.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="rId1" Type="{relations}/worksheet" '
            f'Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="{relations}/sharedStrings" '
            f'Target="sharedStrings.xml"/><Relationship Id="rId3" Type="{relations}/styles" Target="styles.xml"/>'
            "</Relationships>",
        )
        out.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{main}"><numFmts count="1"><numFmt numFmtId="164" '
            'formatCode="#,##0.00\\ &quot;€&quot;"/></numFmts><cellXfs count="3"><xf numFmtId="0"/>'
            '<xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        )
        out.writestr(
            "xl/sharedStrings.xml", f'<sst xmlns="{main}">{"".join(f"<si><t>{word}</t></si>" for word in words)}</sst>'
        )
        with out.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(f'<worksheet xmlns="{main}"><sheetData>'.encode())
            for number, cells in enumerate(rows, 1):
                sheet.write(f'<row r="{number}">{"".join(cells)}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")


def large(path: Path) -> None:
    """Parse in a process of its own, so that its peak memory is its own."""
    subprocess.run([sys.executable, __file__, "--one", str(path)], check=True)


def one(path: Path) -> None:
    def peak() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 2**20)

    plugin, _ = FORMATS[path.suffix[1:]]
    start = time.perf_counter()
    document = plugin().parse(Source.of(path), Limits())
    seconds = time.perf_counter() - start
    print(f"{path.name}: {path.stat().st_size / 2**20:.1f} MB in {seconds:.2f} s, peak {peak():.0f} MB")
    print(f"    encoded {len(msgspec.msgpack.encode(document)) / 2**20:.1f} MB, peak {peak():.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="", help="a Python with markitdown and kreuzberg")
    parser.add_argument("--large", action="store_true", help="the large files only")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--round", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.round:
        print(json.dumps(one_round(FORMATS[options.round][0](), [Path(name) for name in json.load(sys.stdin)])))
        return
    if options.one:
        one(options.one)
        return
    default = Path(__file__).parents[4] / "shared" / "corpus"
    docs = Path(os.environ.get("DOCSIDECAR_CORPUS", default)) / "docs"
    with tempfile.TemporaryDirectory() as folder:
        long, million = Path(folder) / "800-pages.docx", Path(folder) / "million-cells.xlsx"
        write_long(long)
        write_million(million)
        large(long)
        large(million)
    if options.large:
        return
    for kind, (_, suffixes) in FORMATS.items():
        files = sorted(file for file in docs.rglob("*") if file.suffix.lower() in suffixes)
        if files:
            compare(kind, files, options.peers)
        else:
            print(f"no {kind} under {docs}; set DOCSIDECAR_CORPUS")


if __name__ == "__main__":
    main()
