"""Headings of real pages as ours and as other programs read them, in one run.

    python tests/bench/pages/pdf_heading_peers.py CORPUS_DOCS --peer NAME=PYTHON ... [--packages FOLDER]
        [--set NAME ...] [--held]

NAME is one of the readers below, PYTHON that of an environment of its own with the program (OpenDataLoader wants Java
besides). Every page with headings in a truth of `pdf_pages.py` is read as a file of that page alone, by all readers
alike, so that none knows the pages around it; FOLDER holds the files of `pdf_pages_packages.json`. Headings count as in
`pdf_pages.py`: markitdown and kreuzberg say them in their Markdown, pdfplumber has none.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2

SETS = ("pdf_pages", "pdf_pages_second", "pdf_pages_third", "pdf_pages_headings")
PACKAGES = "pdf_pages_packages"
_MARKDOWN = re.compile(r"(#{1,6})\s+(.+?)\s*#*$", re.MULTILINE)
_MARKS = re.compile(r"[*_`]|<[^>]+>")
Said = list[tuple[int, str]]
"""Level and text of each heading of a file."""


def docsidecar() -> Callable[[Path], Said]:
    from sidecar_pdf import PdfFormat

    from sidecar.api import Heading, Limits, Source

    def read(path: Path) -> Said:
        parts = PdfFormat().parse(Source.of(path), Limits(ocr=False)).parts
        blocks = [block for part in parts for block in part.blocks if isinstance(block, Heading)]
        return [(block.level, f"{block.number} {block.text}".strip()) for block in blocks]

    return read


def markitdown() -> Callable[[Path], Said]:
    reader: Any = importlib.import_module("markitdown").MarkItDown()
    return lambda path: _in_markdown(reader.convert(str(path)).text_content)


def kreuzberg() -> Callable[[Path], Said]:
    library: Any = importlib.import_module("kreuzberg")
    config = library.ExtractionConfig(use_cache=False, output_format="markdown")
    return lambda path: _in_markdown(library.extract_file_sync(str(path), config=config).content)


def opendataloader() -> Callable[[Path], Said]:
    library: Any = importlib.import_module("opendataloader_pdf")
    scratch = tempfile.TemporaryDirectory()
    converted: set[Path] = set()

    def read(path: Path) -> Said:
        if path.parent not in converted:  # a whole folder in one Java process, as it is meant to be called
            library.convert(input_path=[str(path.parent)], output_dir=scratch.name, format="json", quiet=True)
            converted.add(path.parent)
        return _in_tree(json.loads((Path(scratch.name) / f"{path.stem}.json").read_text(encoding="utf-8")))

    return read


def _in_markdown(text: str) -> Said:
    return [(len(marks), _MARKS.sub("", heading)) for marks, heading in _MARKDOWN.findall(text)]


def _in_tree(element: dict[str, Any]) -> Said:
    """The headings of OpenDataLoader's tree."""
    own: Said = []
    if element.get("type") == "heading":
        level = element.get("heading level", 0)
        own = [(level if isinstance(level, int) else 0, str(element.get("content", "")))]
    return own + [heading for kid in element.get("kids", ()) for heading in _in_tree(kid)]


READERS: dict[str, Callable[[], Callable[[Path], Said]]] = {
    "docsidecar": docsidecar, "markitdown": markitdown, "kreuzberg": kreuzberg, "opendataloader": opendataloader,
}  # fmt: skip


def read_all(name: str, folder: Path) -> dict[str, Said]:
    """What a reader says of the files of a folder; nothing of those it cannot read."""
    read = READERS[name]()
    said: dict[str, Said] = {}
    for path in sorted(folder.glob("*.pdf")):
        try:
            said[path.name] = read(path)
        except Exception as error:
            print(path.name, repr(error), file=sys.stderr)
    return said


def write_pages(files: Path, name: str, folder: Path, *, held: bool) -> dict[str, dict[str, Any]]:
    """Writes each page of a set that has text as a file; what the truth says of each."""
    truth: dict[str, Any] = json.loads((Path(__file__).parent / "data" / f"{name}.json").read_text(encoding="utf-8"))
    pages: dict[str, dict[str, Any]] = {}
    for place, entry in truth.items():
        if entry.get("held", False) != held:
            continue
        with pypdfium2.PdfDocument(files / place) as document:
            for number, page in entry["pages"].items():
                if page.get("scan") or "headings" not in page:
                    continue
                alone = pypdfium2.PdfDocument.new()
                alone.import_pages(document, [int(number) - 1])
                file = f"{len(pages):03}-{Path(place).stem}-{number}.pdf"
                alone.save(folder / file)
                pages[file] = page
    return pages


def judge(pages: dict[str, dict[str, Any]], said: dict[str, Said]) -> str:
    from pdf_pages import NUMBER, Tally, judge_headings

    from sidecar.api import Heading

    tally = Tally()
    for file, page in pages.items():
        ours: list[Heading] = []
        for level, text in said.get(file, ()):
            number = NUMBER.match(text)
            at = number.end() if number else 0
            ours.append(Heading(text=text[at:], number=text[:at].strip(), level=level))
        judge_headings(page["headings"], page.get("optional", []), ours, file, tally)
    precision = tally.found / max(tally.found + tally.wrong, 1)
    recall = tally.found / max(tally.found + tally.missed, 1)
    return f"{tally.found:6} {tally.missed:7} {tally.wrong:6} {precision:10.3f} {recall:7.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--peer", action="append", default=[], help="NAME=PYTHON")
    parser.add_argument("--packages", type=Path, help="where the files of the packages lie")
    parser.add_argument("--held", action="store_true", help="the files held back instead of the others")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--set", nargs="*", default=SETS, help="names of truths whose files CORPUS_DOCS has")
    arguments = parser.parse_args()
    if arguments.read:
        print(json.dumps(read_all(arguments.read[0], Path(arguments.read[1]))))
        return
    readers = {"docsidecar": sys.executable, **dict(peer.split("=", 1) for peer in arguments.peer)}
    places = {name: arguments.corpus for name in arguments.set if arguments.corpus}
    if arguments.packages:
        places[PACKAGES] = arguments.packages
    titles = f"{'found':>6} {'missed':>7} {'wrong':>6} {'precision':>10} {'recall':>7}"
    print(f"{'set':20} {'reader':15} {titles} {'seconds':>8}")
    for name, files in places.items():
        with tempfile.TemporaryDirectory() as scratch:
            pages = write_pages(files, name, Path(scratch), held=arguments.held)
            for reader, python in readers.items() if pages else ():
                start = time.perf_counter()
                command = [python, __file__, "--read", reader, scratch]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                seconds = time.perf_counter() - start
                said: dict[str, Said] = json.loads(done.stdout.strip().splitlines()[-1])
                print(f"{name:20} {reader:15} {judge(pages, said)} {seconds:8.1f}", flush=True)


if __name__ == "__main__":
    main()
