"""Bench of the spreadsheet plugin: files a second against peers on the same files, and one million cells in bounded
memory. Prints ratios; asserts nothing.

    python tests/bench/parse_xlsx.py [--peers PYTHON] [--million]

`--peers` is a Python that has markitdown and kreuzberg installed. Files come from DOCSIDECAR_CORPUS.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from sidecar_xlsx import XlsxFormat

from sidecar.api import FormatError, Limits, Source

_ROUNDS = 3
_PEER = """
import asyncio, json, sys, time, warnings
warnings.simplefilter("ignore")
name, files = sys.argv[1], json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    read = MarkItDown(enable_plugins=False).convert
else:
    import kreuzberg
    read = kreuzberg.extract_file_sync
best, done = 1e9, 0
for _ in range(int(sys.argv[2])):
    start, done = time.perf_counter(), 0
    for file in files:
        try:
            read(file)
            done += 1
        except Exception:
            pass
    best = min(best, time.perf_counter() - start)
print(json.dumps({"seconds": best, "done": done}))
"""


def ours(files: list[Path]) -> tuple[float, int]:
    """Best seconds of several rounds, and how many files could be read."""
    plugin, limits = XlsxFormat(), Limits()
    best, done = 1e9, 0
    for _ in range(_ROUNDS):
        start, done = time.perf_counter(), 0
        for file in files:
            try:
                plugin.parse(Source.of(file), limits)
                done += 1
            except FormatError:
                pass
        best = min(best, time.perf_counter() - start)
    return best, done


def peer(python: str, name: str, files: list[Path]) -> tuple[float, int]:
    rounds = 1 if name == "markitdown" else _ROUNDS
    done = subprocess.run(
        [python, "-c", _PEER, name, str(rounds)], input=json.dumps([str(file) for file in files]),
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    return answer["seconds"], answer["done"]


def write_million(path: Path) -> None:
    """100,000 rows of ten columns: words, numbers, dates, money and a formula, as Excel writes them."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    words = [f"word {i} of many" for i in range(50_000)]
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
            "xl/sharedStrings.xml",
            f'<sst xmlns="{main}">{"".join(f"<si><t>{word}</t></si>" for word in words)}</sst>',
        )
        with out.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(f'<worksheet xmlns="{main}"><sheetData>'.encode())
            for row in range(1, 100_001):
                cells = "".join(
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
                )
                sheet.write(f'<row r="{row}">{cells}</row>'.encode())
            sheet.write(b"</sheetData></worksheet>")


def million() -> None:
    """Parses the big workbook in a process of its own, so that its peak memory is its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.xlsx"
        write_million(path)
        code = f"import sys; sys.argv = ['x', '--one', {str(path)!r}]; exec(open({__file__!r}).read())"
        subprocess.run([sys.executable, "-c", code], check=True)


def one(path: Path) -> None:
    import msgspec

    def peak() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 2**20)

    start = time.perf_counter()
    document = XlsxFormat().parse(Source.of(path), Limits())
    seconds = time.perf_counter() - start
    cells = sum(len(row) for block in document.parts[0].blocks for row in getattr(block, "rows", ()))
    print(f"million cells: {cells:,} cells in {seconds:.2f} s, peak {peak():.0f} MB, {path.stat().st_size:,} bytes")
    encoded = msgspec.msgpack.encode(document)
    print(f"  encoded whole {len(encoded):,} bytes, peak {peak():.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", default="")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--one", type=Path)
    options = parser.parse_args()
    if options.one:
        one(options.one)
        return
    if options.million:
        million()
        return
    default = Path(__file__).parents[3] / "shared" / "corpus"
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", default)) / "docs"
    files = sorted(file for file in corpus.rglob("*") if file.suffix.lower() in (".xlsx", ".xlsm"))
    seconds, done = ours(files)
    rate = done / seconds
    print(f"docsidecar  {rate:8.1f} files/s  ({done} of {len(files)})")
    for name in ("kreuzberg", "markitdown") if options.peers else ():
        theirs, read = peer(options.peers, name, files)
        print(f"{name:11} {read / theirs:8.1f} files/s  ({read} of {len(files)})  ratio {rate * theirs / read:.2f}")


if __name__ == "__main__":
    main()
