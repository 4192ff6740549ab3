"""Draws web pages with tables of data from the documentation of packages, and prints them under their own style sheets.

    python tests/bench/pages_printed/printed_packages.py UNPACKED FILES PRINTED [--weasyprint PYTHON]

UNPACKED holds a folder for each package, as `dpkg-deb -x` unpacks it. Of each, files are drawn by a hash of their
places, up to six that hold a table of data, and put into FILES as PACKAGE__WAY__FILE, whose tables `printed_tables`
counts; the way, by a hash too, is `c` (Chromium, half of them), `l` (LibreOffice) or `w` (WeasyPrint, of the Python
that `--weasyprint` names). They are printed where they lie, since their style sheets lie beside them."""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import lxml.etree
import lxml.html
from printed_files import CHROMIUM, PLAIN

MOST_FILES, MOST_TRIED = 6, 120  # of a package: drawn, and looked at
FEWEST_BYTES, MOST_BYTES = 2_000, 120_000  # of a file
FEWEST_ROWS, MOST_ROWS = 3, 45  # of a table
SEVERAL, FILLED = 0.7, 0.6  # of the rows with several cells, and of the cells with text
SHORTEST, LONGEST = 3, 300  # characters: of a cell on the average, and of any
SECONDS = 120  # for a file


def digest(text: str) -> str:
    """A hash to draw by."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def is_data(table: lxml.html.HtmlElement) -> bool:
    """Whether a table holds data and lays out no page."""
    if table.find(".//table") is not None or next(table.iterancestors("table"), None) is not None:
        return False
    rows = [row.xpath("./td|./th") for row in table.iter("tr")]
    cells = [str(cell.text_content()).strip() for row in rows for cell in row]
    lengths = [len(cell) for cell in cells if cell]
    if not FEWEST_ROWS <= len(rows) <= MOST_ROWS or not lengths or max(lengths) >= LONGEST:
        return False
    several = sum(len(row) > 1 for row in rows) >= SEVERAL * len(rows)
    return several and len(lengths) >= FILLED * len(cells) and sum(lengths) >= SHORTEST * len(lengths)


def drawn(package: Path) -> Iterator[Path]:
    """The files drawn from a package."""
    files = [f for f in package.rglob("*.html") if f.is_file() and FEWEST_BYTES < f.stat().st_size < MOST_BYTES]
    files = [f for f in files if not f.is_symlink() and b"<table" in f.read_bytes().lower()]
    count = 0
    for path in sorted(files, key=lambda f: digest(str(f.relative_to(package))))[:MOST_TRIED]:
        try:
            tables = lxml.html.fromstring(path.read_bytes()).iter("table")
        except (lxml.etree.LxmlError, ValueError):
            continue
        if count < MOST_FILES and any(map(is_data, tables)):
            count += 1
            yield path


def commands(source: Path, target: Path, scratch: Path, weasyprint: str) -> dict[str, list[str]]:
    """The command of each way to print a file."""
    office = f"pdf:writer_web_pdf_Export:{json.dumps(PLAIN)}"
    script = "import sys, weasyprint; weasyprint.HTML(sys.argv[1]).write_pdf(sys.argv[2])"
    return {
        "c": ["chromium", *CHROMIUM, f"--user-data-dir={scratch}/c", f"--print-to-pdf={target}", source.as_uri()],
        "l": [
            "soffice", f"-env:UserInstallation={(scratch / 'l').as_uri()}", "--headless", "--convert-to", office,
            "--outdir", str(scratch), str(source),
        ],
        "w": [weasyprint, "-c", script, str(source), str(target)],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("unpacked", "files", "printed"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--weasyprint", default="python3")
    arguments = parser.parse_args()
    files, printed = arguments.files.resolve(), arguments.printed.resolve()
    files.mkdir(parents=True, exist_ok=True)
    printed.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for package in sorted(arguments.unpacked.resolve().iterdir()):
            for source in drawn(package):
                drawn_by = int(digest(f"how{package.name}{source.name}")[0], 16)
                way = "c" if drawn_by < 8 else "l" if drawn_by < 12 else "w"
                name = f"{package.name}__{way}__{source.stem}.html"
                target = printed / f"{name}.pdf"
                if not target.exists():
                    command = commands(source, target, scratch, arguments.weasyprint)[way]
                    try:
                        subprocess.run(
                            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
                        )
                    except (subprocess.TimeoutExpired, FileNotFoundError) as error:
                        print(f"{name}: {type(error).__name__}")
                    if (made := scratch / f"{source.stem}.pdf").exists():
                        shutil.move(made, target)
                if target.exists():
                    shutil.copy(source, files / name)


if __name__ == "__main__":
    main()
