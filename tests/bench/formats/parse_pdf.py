"""Pages per second of the PDF plugin, elements included, against other extractors on the same files in one run.

    python tests/bench/formats/parse_pdf.py FOLDER --peers PYTHON [--limit N] [--texts DIR]

PYTHON is an interpreter that has pdfminer.six, pdfplumber, markitdown and kreuzberg; each runs in its own process, one
file after the other, OCR off everywhere. Files one of them cannot read within the time limit count with the time spent.
Prints seconds, pages/s, files/s and the ratio of each peer's time to ours. `--texts` keeps the texts.

pdfium, which we and kreuzberg read with, is the floor: it opens a file, loads its pages and gives their text, and
nothing is made of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAMES: tuple[str, ...] = ("docsidecar", "pdfium", "kreuzberg", "markitdown", "pdfminer.six", "pdfplumber")
OWN = NAMES[:2]
"""Those that run in this interpreter."""


def docsidecar() -> Callable[[str], str]:
    from sidecar_pdf import PdfFormat

    from sidecar.api import Limits, Source

    plugin, limits = PdfFormat(), Limits(ocr=False)

    def read(path: str) -> str:
        document = plugin.parse(Source.of(path), limits)
        lines: list[str] = []
        for part in document.parts:
            lines += part.metadata.values()
            for block in part.blocks:
                rows: Any = getattr(block, "rows", None)
                if rows is not None:
                    lines += [" ".join(row) for row in rows]
                else:
                    words = [str(getattr(block, name, "")) for name in ("number", "marker", "text", "label")]
                    lines.append(" ".join(word for word in words if word))
        return "\n".join(lines)

    return read


def pdfium() -> Callable[[str], str]:
    import pypdfium2

    def read(path: str) -> str:
        with pypdfium2.PdfDocument(path) as pdf:
            texts: list[str] = []
            for page in pdf:
                text = page.get_textpage()
                texts.append(text.get_text_range())
                text.close()
                page.close()
        return "\n".join(texts)

    return read


def kreuzberg() -> Callable[[str], str]:
    import kreuzberg  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter

    def read(path: str) -> str:
        return str(kreuzberg.extract_file_sync(path).content)

    return read


def markitdown() -> Callable[[str], str]:
    from markitdown import MarkItDown  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter

    converter = MarkItDown()
    return lambda path: str(converter.convert(path).text_content)


def pdfminer() -> Callable[[str], str]:
    from pdfminer.high_level import extract_text  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter

    return lambda path: str(extract_text(path))


def pdfplumber() -> Callable[[str], str]:
    import pdfplumber  # pyright: ignore[reportMissingImports] - a peer, in its own interpreter

    def read(path: str) -> str:
        with pdfplumber.open(path) as pdf:
            return "\n".join(page.extract_text() or "" for page in pdf.pages)

    return read


MAKERS: dict[str, Callable[[], Callable[[str], str]]] = dict(
    zip(NAMES, (docsidecar, pdfium, kreuzberg, markitdown, pdfminer, pdfplumber), strict=True)
)


def work(name: str, files: list[str]) -> None:
    """Runs one extractor over the files; a line of JSON each."""
    read = MAKERS[name]()
    for path in files:
        started, busy = time.perf_counter(), time.process_time()
        text, error = "", ""
        try:
            text = read(path)
        except Exception as problem:
            error = type(problem).__name__
        seconds, cpu = time.perf_counter() - started, time.process_time() - busy
        line = {"path": path, "seconds": seconds, "cpu": cpu, "text": text, "error": error}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def run(name: str, python: str, files: list[str]) -> list[dict[str, Any]]:
    here = Path(__file__).resolve()
    paths = [str(here.parents[2]), str(here.parents[2] / "plugins")] if name == "docsidecar" else []
    done = subprocess.run(
        [python, str(here), "--worker", name],
        input="\n".join(files),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore"},
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"path"')]


def page_counts(files: list[str]) -> dict[str, int]:
    import pypdfium2

    counts: dict[str, int] = {}
    for path in files:
        try:
            pdf = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            continue
        counts[path] = len(pdf)
        pdf.close()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--peers", help="interpreter that has the peers")
    parser.add_argument("--limit", type=int, default=0, help="only the first N files")
    parser.add_argument("--texts", help="folder to keep the texts in, one JSON file an extractor")
    parser.add_argument("--worker", choices=NAMES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(options.worker, [line for line in sys.stdin.read().split("\n") if line])
        return
    files = sorted(str(path) for path in Path(options.folder).rglob("*.pdf"))
    counts = page_counts(files)
    files = [path for path in files if path in counts][: options.limit or None]
    pages = sum(counts[path] for path in files)
    print(f"{len(files)} files, {pages} pages")
    ours = 0.0
    for name in NAMES if options.peers else OWN:
        rows = run(name, sys.executable if name in OWN else options.peers, files)
        seconds = sum(row["seconds"] for row in rows)
        ours = ours or seconds
        cpu = sum(row["cpu"] for row in rows)
        failed = sum(bool(row["error"]) for row in rows) + len(files) - len(rows)
        print(
            f"{name:14} {seconds:8.2f} s  {pages / seconds:8.1f} pages/s  {len(files) / seconds:7.1f} files/s"
            f"  {seconds / ours:6.1f} x our time  {cpu:7.2f} s of processor  {failed} failed"
        )
        if options.texts:
            Path(options.texts).mkdir(parents=True, exist_ok=True)
            (Path(options.texts) / f"{name}.json").write_text(json.dumps({r["path"]: r["text"] for r in rows}))


if __name__ == "__main__":
    main()
