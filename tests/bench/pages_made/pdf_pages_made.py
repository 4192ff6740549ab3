"""Makes the documents of the ninth truth of `pdf_pages.py`: business and science as people print it, by nine producers.

    PYTHON tests/bench/pages_made/pdf_pages_made.py FOLDER --corpus CORPUS_DOCS [--seed N]

PYTHON has reportlab, typst, fpdf2, cairocffi, matplotlib, openpyxl, python-docx and pypdfium2; `chromium` and
`soffice` print. FOLDER gets the PDFs, links to pages of the corpus without a table, and `truth.json`, as `pdf_pages.py`
reads it: rows as they were set, each on the page that holds the text of its first cells. Half of the files, by a hash
of their names, are held back. It knows nothing of how they are read; every page was looked at.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pypdfium2
from pdf_pages_contents import CONTENTS, NO_TABLES, Page
from pdf_pages_producers import PRODUCERS

NO_TABLE_PAGES = {
    "Unstructured-IO__unstructured/example-docs/pdf/copy-protected.pdf": 2,
    "Unstructured-IO__unstructured/example-docs/pdf/loremipsum-flat.pdf": 1,
    "Unstructured-IO__unstructured/example-docs/pdf/fake-memo.pdf": 1,
    "jsvine__pdfplumber/tests/pdfs/issue-203-decimalize.pdf": 2,
    "jsvine__pdfplumber/tests/pdfs/issue-842-example.pdf": 1,
    "jsvine__pdfplumber/tests/pdfs/mcid_example.pdf": 1,
    "jsvine__pdfplumber/tests/pdfs/pr-88-example.pdf": 1,
    "py-pdf__pypdf/resources/multilang.pdf": 1,
    "py-pdf__pypdf/resources/outlines-with-invalid-destinations.pdf": 1,
    "pdfminer__pdfminer.six/samples/nonfree/175.pdf": 2,
}
"""Pages of the corpus that no truth of tables names, and that hold none."""
LOOKS: dict[str, tuple[tuple[str, str], ...]] = {
    "invoice": (("chromium", "lines"), ("canvas", "white"), ("fpdf", "grid")),
    "statement": (("canvas", "white"), ("chromium", "bands"), ("cairo", "booktabs")),
    "timetable": (("chromium", "white"), ("typst", "bands"), ("xlsx", "white")),
    "laboratory": (("office", "booktabs"), ("canvas", "lines"), ("docx", "grid")),
    "prices": (("chromium", "bands"), ("platypus", "headfill"), ("typst", "lines")),
    "census": (("typst", "booktabs"), ("office", "booktabs"), ("platypus", "lines")),
    "balance": (("canvas", "white"), ("chromium", "white"), ("xlsx", "white")),
    "ledger": (("chromium", "headfill"), ("platypus", "grid"), ("docx", "lines")),
    "results": (("typst", "booktabs"), ("cairo", "booktabs"), ("chromium", "booktabs")),
    "columns": (("typst", "booktabs"), ("chromium", "booktabs")),
    "tax": (("platypus", "bands"), ("office", "lines")),
    "specification": (("chromium", "lines"), ("fpdf", "headfill"), ("docx", "bands")),
    "league": (("chromium", "bands"), ("fpdf", "white"), ("matplotlib", "grid")),
    "features": (("chromium", "rotated"), ("typst", "rotated")),
    "timesheet": (("chromium", "grid"), ("office", "grid")),
    "beside": (("chromium", "headfill"), ("typst", "booktabs"), ("canvas", "white")),
    "menu": (("canvas", "white"), ("office", "white")),
    "risks": (("chromium", "headfill"), ("docx", "grid"), ("typst", "lines")),
    "survey": (("typst", "headfill"), ("cairo", "white"), ("platypus", "booktabs")),
    "shipping": (("fpdf", "grid"), ("canvas", "bands")),
}
"""How each content is printed: the producer and the look of its tables."""


def folded(text: str) -> str:
    return re.sub(r"[\s^]+", "", text)


def placed(path: Path, page: Page) -> dict[str, Any]:
    """The tables of each page of a file: a row is where the text of its cells is, in order; a header that repeats on a
    later page may be there or not."""
    with pypdfium2.PdfDocument(path) as document:
        texts = [folded(document[at].get_textpage().get_text_bounded()) for at in range(len(document))]
    pages: dict[str, Any] = {str(at + 1): {"tables": []} for at in range(len(texts))}
    for table in page.tables:
        head, at = table.rows[: table.header_rows], 0
        rows: dict[int, list[list[str]]] = {}
        for row in table.rows[table.header_rows :]:
            key = max((folded(cell) for cell in row), key=len) if not table.keyed else folded(row[0])
            if key not in texts[at] and at + 1 < len(texts) and key in texts[at + 1]:
                at += 1
            rows.setdefault(at, []).append([cell.replace("^*", "*") for cell in row])
        for number, own in rows.items():
            ways = [head + own] if number == min(rows) else [own, head + own]
            entry = ways[0] if len(ways) == 1 else {"either": [[way] for way in ways]}
            pages[str(number + 1)]["tables"].append(entry)
    return pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=9)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    looks = [(name, *look) for name, own in LOOKS.items() for look in own]
    looks += [(name, producer, "white") for name, producer in NO_TABLES]
    for name, producer, look in looks:
        file = f"{name}-{producer}-{look}.pdf"
        page = CONTENTS[name](random.Random(f"{arguments.seed} {file}"))
        if not (arguments.folder / file).exists():
            PRODUCERS[producer](page, look, arguments.folder / file)
        truth[file] = {"pages": placed(arguments.folder / file, page)}
    for name, number in NO_TABLE_PAGES.items():
        target = arguments.folder / Path(name).name
        if not target.exists():
            target.symlink_to((arguments.corpus / name).resolve())
        truth[target.name] = {"pages": {str(number): {"tables": []}}}
    for name, entry in truth.items():
        if hashlib.sha256(name.encode()).digest()[0] % 2:
            entry["held"] = True
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
