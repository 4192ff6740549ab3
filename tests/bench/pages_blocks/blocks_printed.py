"""Prints documents in several ways, without tags and bookmarks, so that the page alone says what its blocks are: web
pages by Chromium as they are, office files by LibreOffice, others by pandoc and Chromium, LibreOffice, Typst,
WeasyPrint or LaTeX, whichever a hash of their name chooses. What was printed before is kept."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from blocks_truth import FORMATS

SECONDS = 90  # for a file
PLAIN = {name: {"type": "boolean", "value": "false"} for name in ("UseTaggedPDF", "ExportBookmarks")}
WRITER = f"pdf:writer_pdf_Export:{json.dumps(PLAIN)}"
CHROMIUM = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-pdf-tagging")
SHEETS = {
    "site": "body{font:16px/1.5 'Liberation Sans',sans-serif;margin:2em auto;max-width:46em}h1,h2{border-bottom:1px "
    "solid #ddd;padding-bottom:.3em}code{background:#f0f0f0;font-size:85%}pre{background:#f6f8fa;padding:16px}pre code"
    "{background:none}blockquote{border-left:.25em solid #ddd;padding:0 1em;color:#666}table{border-collapse:collapse}"
    "td,th{border:1px solid #ddd;padding:6px 13px}",
    "book": "body{font:10.5pt/1.35 'Liberation Serif',serif;text-align:justify;hyphens:auto}p{margin:0;text-indent:"
    "1.4em}h1,h2,h3{font-family:'Liberation Sans'}pre{border:1px solid #999;padding:6px;font-size:8.5pt;white-space:"
    "pre-wrap}li p{text-indent:0}h1+p,h2+p,h3+p{text-indent:0}",
    "columns": "body{font:9.5pt/1.3 'DejaVu Serif',serif;columns:2;column-gap:2em}pre{font-size:7pt;white-space:"
    "pre-wrap}h1{column-span:all;text-align:center}h2{font-variant:small-caps}",
}  # fmt: skip
"""Style sheets for what pandoc makes HTML of."""
WAYS = ("site", "book", "columns", "headed", "writer", "typst", "weasyprint", "latex")


def way_of(path: Path) -> str:
    """How a document is printed."""
    suffix = path.suffix.lower()
    if suffix in {".docx", ".odt"}:
        return "office"
    if suffix in {".html", ".htm"}:
        return "web"
    digest = hashlib.sha1(path.name.encode(), usedforsecurity=False).digest()
    return WAYS[digest[1] % len(WAYS)]


def print_documents(files: Sequence[Path], folder: Path, pandoc: str) -> list[tuple[Path, Path]]:
    """The sources that could be printed, each with its PDF in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    printed: list[tuple[Path, Path]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for source in files:
            target = folder / f"{source.name}.pdf"
            if not target.exists():
                try:
                    _print(source, way_of(source), target, Path(scratch), pandoc)
                except (subprocess.SubprocessError, OSError) as error:
                    print(f"{source.name} is not printed ({way_of(source)}): {type(error).__name__}")
            if target.exists():
                printed.append((source, target))
    return printed


def _print(source: Path, way: str, target: Path, scratch: Path, pandoc: str) -> None:
    made = scratch / f"{source.stem}.pdf"
    reads = [pandoc, "-s", "-f", FORMATS[source.suffix.lower()], str(source), "--metadata", f"pagetitle={source.stem}"]
    if way in {"web", "site", "book", "columns", "headed", "weasyprint"}:
        page = source
        if way != "web":
            page = scratch / f"{source.stem}.html"
            sheet = scratch / "sheet.css"
            sheet.write_text(SHEETS.get(way, SHEETS["site"]))
            styled = ["-c", str(sheet)] if way in SHEETS or way == "weasyprint" else []
            _run([*reads, "-t", "html", *styled, "-o", str(page)], source.parent)
        if way == "weasyprint":
            _run([sys.executable, "-m", "weasyprint", str(page), str(made)], source.parent)
        else:
            bare = [] if way == "headed" else ["--no-pdf-header-footer"]
            profile = f"--user-data-dir={scratch}/profile"
            _run(["chromium", *CHROMIUM, *bare, profile, f"--print-to-pdf={made}", page.as_uri()], source.parent)
    elif way in {"office", "writer"}:
        document = source
        if way == "writer":
            document = scratch / f"{source.stem}.docx"
            _run([*reads, "-o", str(document)], source.parent)
        profile = f"-env:UserInstallation={(scratch / 'office').as_uri()}"
        _run(
            ["soffice", profile, "--headless", "--convert-to", WRITER, "--outdir", str(scratch), str(document)], scratch
        )
    elif way == "typst":
        text = scratch / f"{source.stem}.typ"
        _run([*reads, "-t", "typst", "-o", str(text)], source.parent)
        program = f"import typst; typst.compile({str(text)!r}, output={str(made)!r})"
        _run([sys.executable, "-c", program], source.parent)
    else:
        _run([*reads, "--pdf-engine=pdflatex", "-V", "fontfamily=charter", "-o", str(made)], source.parent)
    if made.exists():
        shutil.move(made, target)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=True)


def lacking(pandoc: str) -> list[str]:
    """What is not installed."""
    programs = [name for name in (pandoc, "chromium", "soffice", "pdflatex") if shutil.which(name) is None]
    return programs + [name for name in ("typst", "weasyprint") if importlib.util.find_spec(name) is None]
