"""Makes the documents of `pdf_pages_headings_sixth.json`, and that truth, of sources that say what their headings are.

    python tests/bench/pages_made/pdf_pages_headings_sixth.py CORPUS_DOCS FOLDER [--truth FILE]

Every source is printed twice, the second time with bookmarks: those are the headings, their levels and pages. The first
print, without bookmarks and tags, is what is read. The sources are those in `heading_documents/sixth` and, by SOURCES,
documents of the corpus: Word, OpenDocument and RTF by LibreOffice, Markdown and reStructuredText through Word or HTML,
by LibreOffice, Chromium, WeasyPrint and rst2pdf. OPTIONAL are lines that look like headings and are none by their
source. Needs what `heading_documents.py` needs, WeasyPrint 70, rst2pdf 0.105 and pypdf.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import pypdfium2
from bench.shared.pdf_pages_files import CHROMIUM
from heading_documents import filled, prose

HERE = Path(__file__).parent
MADE = HERE / "heading_documents" / "sixth"
DATA = HERE.parent / "pages" / "data" / "pdf_pages_headings_sixth.json"
NOTES = HERE / "heading_documents" / "sixth" / "sources.json"
"""The documents of the corpus with how they are printed, and the optional lines and left out pages of any."""
SECONDS = 180
PAGES = 8
"""Pages of a document that are counted."""
BARE = "<style>h1,h2,h3,h4,h5,h6{bookmark-level:none}</style>"
LOOKS = (
    "body{font:10pt/1.4 'Liberation Serif'}h1{font-size:20pt}h2{font-size:14pt;font-style:italic}h3{font-size:11pt}"
    "@page{size:A4;margin:2.4cm;@bottom-center{content:counter(page)}}",
    "body{font:9.5pt/1.35 'Liberation Sans'}h1{font-size:17pt;color:#046}h2{font-size:11pt;text-transform:uppercase}"
    "h3{font-size:9.5pt;margin-bottom:0}@page{size:letter;margin:2cm;@top-left{content:string(t)}}"
    "h1{string-set:t content()}",
    "body{font:11pt/1.4 'DejaVu Serif'}h1,h2,h3,h4{font-weight:normal}h1{font-size:22pt;text-align:center}"
    "h2{font-size:15pt}h3{font-size:12pt;text-decoration:underline}@page{size:A5;margin:1.5cm}",
    "body{font:10pt 'Liberation Sans'}h1{font-size:14pt;background:#eee}h2{font-size:12pt;color:#900}"
    "h3{font-size:10.5pt}h4{font-size:10pt;font-style:italic}",
)


def office(source: Path, target: Path, *, outline: bool) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        options = {"ExportBookmarks": outline, "UseTaggedPDF": False, "ExportNotes": False}
        told = json.dumps({k: {"type": "boolean", "value": str(v).lower()} for k, v in options.items()})
        profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", f"pdf:writer_pdf_Export:{told}"]
        command += ["--outdir", scratch]
        command += ["--infilter=HTML (StarWriter)"] if source.suffix == ".html" else []
        subprocess.run([*command, str(source)], check=True, capture_output=True, timeout=SECONDS)
        shutil.copy(Path(scratch, source.stem + ".pdf"), target)


def chromium(source: Path, target: Path, *, outline: bool) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        kept = [flag for flag in CHROMIUM if not (outline and flag == "--disable-pdf-tagging")]
        more = ["--generate-pdf-document-outline"] if outline else []
        command = [*kept, *more, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={target}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)


def weasyprint(source: Path, target: Path, *, outline: bool) -> None:
    page = source.read_text(encoding="utf-8") + ("" if outline else BARE)
    importlib.import_module("weasyprint").HTML(string=page, base_url=str(source)).write_pdf(target)


def rst2pdf(source: Path, target: Path, *, outline: bool) -> None:
    subprocess.run(["rst2pdf", "-q", str(source), "-o", str(target)], check=True, timeout=SECONDS)
    if not outline:
        pypdf: Any = importlib.import_module("pypdf")
        writer = pypdf.PdfWriter(clone_from=target)
        writer.root_object.pop("/Outlines", None)
        writer.write(target)


PRINTERS = {"office": office, "chromium": chromium, "weasyprint": weasyprint, "rst2pdf": rst2pdf}


def opened(source: Path, scratch: Path, printer: str, look: int) -> Path:
    """The source as its printer opens it."""
    if printer == "rst2pdf":
        written = scratch / (source.stem + ".rst")
        text = filled(source.read_text(encoding="utf-8"))
        if source.parent != MADE:  # without Sphinx's roles and directives, which it does not know
            subprocess.run(["pandoc", "-s", str(source), "-t", "rst", "-o", str(written)], check=True)
            text = re.sub(r"(?m)^\.\. (highlight|currentmodule|_\S+?:$).*$", "", written.read_text(encoding="utf-8"))
            text = re.sub(r":[\w:]+:`", "`", text)
        written.write_text(text, encoding="utf-8")
        return written
    if source.suffix in {".docx", ".odt", ".rtf", ".doc"} or (source.suffix == ".html" and source.parent != MADE):
        return source
    text = filled(source.read_text(encoding="utf-8"))
    written = scratch / source.name.replace(".chromium", "").replace(".weasyprint", "").replace(".office", "")
    written.write_text(text, encoding="utf-8")
    if source.suffix == ".html":
        return written
    made = written.with_suffix(".docx" if printer == "office" else ".html")
    blank = ["--metadata", "title= "] if made.suffix == ".html" else []
    subprocess.run(["pandoc", "-s", *blank, str(written), "-o", str(made)], check=True)
    if made.suffix == ".html":
        page = re.sub(r"(?s)<style>.*?</style>|<header.*?</header>", "", made.read_text(encoding="utf-8"))
        made.write_text(page.replace("</head>", f"<style>{LOOKS[look]}</style></head>"), encoding="utf-8")
    return made


def print_source(source: Path, target: Path, printer: str, look: int, *, outline: bool) -> None:
    """Prints a source as PDF, with bookmarks or without."""
    with tempfile.TemporaryDirectory() as folder:
        if source.suffix == ".py":
            spec = importlib.util.spec_from_file_location(source.stem, source)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            module.make(target, prose(), outline)
        elif source.suffix == ".typ":
            text = filled(source.read_text(encoding="utf-8"))
            text = text if outline else f"#set heading(bookmarked: false)\n{text}"
            typst: Any = importlib.import_module("typst")
            target.write_bytes(typst.compile(text.encode(), pdf_tags=False))
        else:
            PRINTERS[printer](opened(source, Path(folder), printer, look), target, outline=outline)


def headings_of(file: Path) -> dict[int, list[list[Any]]]:
    """The headings of each of the first pages, as the bookmarks tell them: level and text."""
    with pypdfium2.PdfDocument(file) as document:
        pages: dict[int, list[list[Any]]] = {at + 1: [] for at in range(min(len(document), PAGES))}
        for entry in document.get_toc():
            place = entry.get_dest()
            at = place.get_index() if place else None
            if at is not None and at + 1 in pages and entry.get_title().strip():
                pages[at + 1].append([entry.level + 1, " ".join(entry.get_title().split())])
    return pages


def title_of(source: Path) -> list[str]:
    """The first title of reStructuredText, which becomes that of the document, and none of its headings, where no other
    is of its rank."""
    if source.suffix != ".rst":
        return []
    match = re.search(r"(?m)^(\S.*)\n([=\-~#*^\"`+_])\2{2,}$", source.read_text(encoding="utf-8"))
    return [match[1].strip()] if match else []


def sources(corpus: Path) -> dict[str, tuple[Path, str, int]]:
    """Each document by its place in the folder: source, printer, look."""
    found: dict[str, tuple[Path, str, int]] = {}
    for source in sorted(MADE.iterdir()):
        if source.is_file() and source.suffix != ".json":
            printer = {".md": "office", ".rst": "rst2pdf"}.get(source.suffix, source.stem.partition(".")[2])
            found[f"made/{source.name.split('.')[0]}.pdf"] = (source, printer, 0)
    for place, printer, look in json.loads(NOTES.read_text(encoding="utf-8"))["corpus"]:
        found[f"printed/{printer}-{place.split('__')[0]}-{Path(place).name.replace('.', '_')}.pdf"] = (
            corpus / place, printer, look)  # fmt: skip
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--truth", type=Path, help="where to write the truth; without, only the documents are made")
    arguments = parser.parse_args()
    notes = json.loads(NOTES.read_text(encoding="utf-8"))
    truth: dict[str, Any] = {}
    for name, (source, printer, look) in sources(arguments.corpus.resolve()).items():
        target = arguments.folder.resolve() / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            if not target.exists():
                print_source(source, target, printer, look, outline=False)
            if not arguments.truth:
                continue
            with_bookmarks = target.with_suffix(".outline")
            if not with_bookmarks.exists():
                print_source(source, with_bookmarks, printer, look, outline=True)
        except (OSError, subprocess.SubprocessError) as error:
            print(name, repr(error)[:200])
            continue
        told = notes["documents"].get(name, {})
        pages: dict[str, Any] = {}
        for number, headings in headings_of(with_bookmarks).items():
            if number in told.get("without", ()):
                continue
            shown = told.get("as", {})
            pages[str(number)] = {"headings": [[level, shown.get(text, text)] for level, text in headings]}
            if optional := [*told.get("optional", ()), *title_of(source)]:
                pages[str(number)]["optional"] = optional
        held = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 1
        truth[name] = {"kind": printer or source.suffix[1:], "pages": pages} | ({"held": True} if held else {})
    if arguments.truth:
        arguments.truth.write_text(json.dumps(truth, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
