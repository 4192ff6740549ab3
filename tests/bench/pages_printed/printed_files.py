"""Prints office files by LibreOffice and web pages by Chromium, without tags and bookmarks, so that the page alone says
what is a table. What was printed before is kept."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

KINDS = {
    ".docx": "text", ".doc": "text", ".odt": "text", ".rtf": "text",
    ".xlsx": "sheet", ".xls": "sheet", ".ods": "sheet", ".html": "html", ".htm": "html",
}  # fmt: skip
"""The kinds of files, by the ends of their names."""
FILTERS = {"text": "writer_pdf_Export", "sheet": "calc_pdf_Export"}
PLAIN = {name: {"type": "boolean", "value": "false"} for name in ("UseTaggedPDF", "ExportBookmarks")}
CHROMIUM = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--disable-pdf-tagging")
SECONDS = 60  # for a file


def kind_of(path: Path) -> str:
    """The kind of a file; an empty one where it is none of them."""
    return KINDS.get(path.suffix.lower(), "")


def print_all(files: Sequence[Path], folder: Path) -> Iterator[tuple[Path, Path | None, str]]:
    """The PDF of each file in a folder, or None and why there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    programs = {kind: shutil.which("chromium" if kind == "html" else "soffice") for kind in KINDS.values()}
    with tempfile.TemporaryDirectory() as scratch:
        for source in files:
            kind = kind_of(source)
            target, program = folder / f"{source.name}.pdf", programs[kind]
            if target.exists():
                yield source, target, ""
            elif program is None:
                yield source, None, f"{'Chromium' if kind == 'html' else 'LibreOffice'} is not installed"
            elif _print(program, kind, source, target, Path(scratch)):
                yield source, target, ""
            else:
                yield source, None, "not printed"


def _print(program: str, kind: str, source: Path, target: Path, scratch: Path) -> bool:
    """Prints a file; whether that made a PDF."""
    made = scratch / f"{source.stem}.pdf"
    if kind == "html":
        command = [program, *CHROMIUM, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={made}", source.as_uri()]
    else:
        profile = f"-env:UserInstallation={(scratch / kind).as_uri()}"
        how = f"pdf:{FILTERS[kind]}:{json.dumps(PLAIN)}"
        command = [program, profile, "--headless", "--convert-to", how, "--outdir", str(scratch), str(source)]
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    if not made.exists():
        return False
    shutil.move(made, target)
    return True
