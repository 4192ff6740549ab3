"""Gathers the files of `pdf_pages_seventh.json` in a folder: the corpus's, those printed from it, those of packages.

    python tests/bench/shared/pdf_pages_files.py CORPUS_DOCS FOLDER [--truth FILE]

FOLDER gets links to what CORPUS_DOCS has, what an installed Debian package has unpacked under `packages`, and under
`printed` documents of the corpus as PDF: web pages by Chromium (without tags, so that the page alone counts), the
others by LibreOffice, unless the truth says which; a name that begins with a slash is that of an installed file. Text
that neither opens goes `through` HTML or Word, by pandoc. The eleventh truth of tables and the fifth of headings are
printed by WeasyPrint 70 (in one of four `style`s) and rst2pdf 0.105, which must be on the path. The truth was written
down from Chromium 156's and LibreOffice 7.4.7's pages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

TRUTH = Path(__file__).parents[1] / "pages" / "data" / "pdf_pages_seventh.json"
CHROMIUM = (
    "chromium",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-pdf-header-footer",
    "--disable-pdf-tagging",
)
SECONDS = 120
STYLES = (
    "table{border-collapse:collapse}th,td{border:1px solid #999;padding:3px 6px}",
    "table{border-collapse:collapse;border-top:1.2px solid;border-bottom:1.2px solid}"
    "thead{border-bottom:.7px solid}td,th{padding:2px 7px;text-align:left;vertical-align:top}",
    "tr:nth-child(even){background:#eee}th{background:#345;color:#fff;text-align:left}"
    "td,th{padding:4px 8px;vertical-align:middle}",
    "td,th{padding:2px 12px 2px 0;text-align:left;vertical-align:top}",
)


def print_file(source: Path, target: Path, printer: str, through: str, style: int | None = None) -> None:
    """Prints a document as PDF."""
    with tempfile.TemporaryDirectory() as scratch:
        if through:
            opened = Path(scratch, f"opened.{through}")
            title = ("--metadata", "title=x")
            subprocess.run(["pandoc", "-s", *title, str(source), "-o", str(opened)], check=True, timeout=SECONDS)
            source = opened
            if style is not None:
                page = opened.read_text(encoding="utf-8").replace("</head>", f"<style>{STYLES[style]}</style></head>")
                opened.write_text(page, encoding="utf-8")
        if printer == "weasyprint":
            subprocess.run(["weasyprint", "-q", str(source), str(target)], check=True, timeout=SECONDS)
            return
        if printer == "rst2pdf":  # without Sphinx's roles and directives, which it does not know
            opened = Path(scratch, "opened.rst")
            subprocess.run(["pandoc", "-s", str(source), "-t", "rst", "-o", str(opened)], check=True, timeout=SECONDS)
            text = re.sub(r"(?m)^\.\. (highlight|currentmodule|_\S+?:$).*$", "", opened.read_text(encoding="utf-8"))
            opened.write_text(re.sub(r":[\w:]+:`", "`", text), encoding="utf-8")
            subprocess.run(["rst2pdf", str(opened), "-o", str(target)], check=True, timeout=SECONDS)
            return
        if printer == "chromium":
            made = Path(scratch, "made.pdf")
            command = [*CHROMIUM, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={made}", source.as_uri()]
        else:
            made = Path(scratch, source.stem + ".pdf")
            profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
            command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", scratch, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        shutil.copy(made, target)


def gather(corpus: Path, folder: Path, truth: dict[str, Any]) -> None:
    """Puts every file of the truth that can be had into a folder."""
    for name, entry in truth.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            continue
        if "printed_from" in entry:
            source = corpus / entry["printed_from"]
            usual = "chromium" if source.suffix == ".html" else "office"
            with tempfile.TemporaryDirectory() as scratch:
                if entry["printed_from"].startswith("/") and usual == "office":  # plain text, perhaps without suffix
                    packed = source.suffix == ".gz"
                    text = Path(scratch, f"{target.stem}.txt")
                    text.write_bytes((gzip.decompress if packed else bytes)(source.read_bytes()))
                    source = text
                print_file(source, target, entry.get("printed_by", usual), entry.get("through", ""), entry.get("style"))
        elif "package" in entry:
            installed = Path("/", *Path(name).parts[1:])
            packed = installed.with_name(installed.name + ".gz")
            if packed.is_file():
                target.write_bytes(gzip.decompress(packed.read_bytes()))
            elif installed.is_file():
                shutil.copy(installed, target)
            else:
                print(f"{installed} is absent: install {entry['package']} {entry['version']}")
        else:
            target.symlink_to(corpus / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truth", type=Path, default=TRUTH)
    arguments = parser.parse_args()
    truth: dict[str, Any] = json.loads(arguments.truth.read_text(encoding="utf-8"))
    gather(arguments.corpus.resolve(), arguments.folder.resolve(), truth)


if __name__ == "__main__":
    main()
