"""Prints the web pages of the twelfth truth of `pdf_pages.py`, and writes down what their tables say.

    python tests/bench/pages_made/pdf_pages_web.py FOLDER --corpus CORPUS_DOCS [--seed N]

Chromium prints each page without tags, most in two styles that people meet on the web. FOLDER gets the PDFs and
`truth.json`, as `pdf_pages.py` reads it: rows as they stand in the HTML, each on the page Chromium set it on, which a
second print with a link to every row tells. Every other table is held back, with all its styles.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import pypdfium2
import pypdfium2.raw as pdfium
from bench.shared.pdf_pages_files import CHROMIUM, SECONDS
from pdf_pages_web_contents import Cell, Content, corpus_contents, own_contents

SOURCES = (
    "docling-project__docling/docs/usage/api_server/deployment.md",
    "docling-project__docling/docs/usage/api_server/rest_api.md",
    "docling-project__docling/docs/reference/cli.md",
    "docling-project__docling/docs/usage/gpu.md",
    "docling-project__docling/docs/usage/model_catalog.md",
    "docling-project__docling/docs/usage/processing_audio_media.md",
    "docling-project__docling/docs/usage/vision_models.md",
    "docling-project__docling/docs/usage/supported_formats.md",
    "docling-project__docling/docs/concepts/serialization.md",
    "docling-project__docling/docs/getting_started/installation.md",
    "docling-project__docling/tests/data/ppt/groundtruth/legacy_sample.ppt.md",
    "docling-project__docling/tests/data/html/sources/html_rich_table_cells.html",
    "kreuzberg-dev__html-to-markdown/test_documents/html/wikipedia/medium_python.html",
    "kreuzberg-dev__html-to-markdown/test_documents/html/wikipedia/small_html.html",
    "kreuzberg-dev__html-to-markdown/test_documents/html/wikipedia/tables_countries.html",
    "kreuzberg-dev__html-to-markdown/test_documents/html/issues/gh-140-table-cell-pipe.html",
    "kreuzberg-dev__html-to-markdown/test_documents/test_data/hocr_expected/embedded_tables.md",
    "microsoft__markitdown/packages/markitdown/tests/test_files/test_wikipedia.html",
    "adbar__trafilatura/tests/resources/scam.html",
    "py-pdf__pypdf/docs/user/installation.md",
    "py-pdf__pypdf/docs/user/pdf-version-support.md",
)
STYLES = {
    "plain": "",
    "github": "table{border-collapse:collapse} td,th{border:1px solid #d0d7de;padding:6px 13px}"
    "tr:nth-child(2n) td{background:#f6f8fa} th{font-weight:600}",
    "bootstrap": "table{border-collapse:collapse;width:100%} td,th{padding:.5rem;border-bottom:1px solid #dee2e6;"
    "vertical-align:top;text-align:left} thead th{border-bottom:2px solid #212529}",
    "striped": "table{border-collapse:collapse;width:100%} td,th{padding:.3rem .5rem;text-align:left;"
    "vertical-align:top} tbody tr:nth-child(odd) td{background:#f2f2f2}",
    "borderless": "table{border-collapse:collapse} td,th{padding:.25rem .6rem;text-align:left}",
    "wikipedia": "table{border-collapse:collapse;background:#f8f9fa} td,th{border:1px solid #a2a9b1;padding:.2em .4em}"
    "th{background:#eaecf0;text-align:center}",
    "booktabs": "table{border-collapse:collapse} td,th{padding:2px 8px;text-align:left} thead tr:first-child th{"
    "border-top:1.5px solid} thead tr:last-child th{border-bottom:1px solid} tbody tr:last-child td{"
    "border-bottom:1.5px solid}",
    "headfill": "table{border-collapse:collapse;width:100%} td,th{padding:5px 9px;text-align:left}"
    "thead th{background:#24527a;color:#fff}",
    "middle": "table{border-collapse:collapse;width:85%} td,th{padding:6px 10px;vertical-align:middle;"
    "border-bottom:1px solid #ccc;text-align:left}",
    "open": "table{border-collapse:separate;border-spacing:14px 5px} td,th{text-align:left;vertical-align:top}",
    "openmiddle": "table{border-collapse:collapse;width:90%} td,th{padding:7px 10px;text-align:left}",
    "bottom": "table{border-collapse:collapse} td,th{padding:3px 7px;vertical-align:bottom;text-align:left}"
    "thead th{border-bottom:1px solid #888}",
    "attributes": "table{border:1px outset gray;border-spacing:2px} td,th{border:1px inset gray;padding:3px}",
    "dotted": "table{border-collapse:collapse;width:100%} td,th{padding:4px 6px;border-bottom:1px dotted #999;"
    "text-align:left;vertical-align:baseline}",
    "framed": "table{border:1px solid #666;border-collapse:collapse} td,th{padding:4px 10px;text-align:left}"
    "thead th{border-bottom:1px solid #666}",
    "pillars": "table{border-collapse:collapse} td,th{padding:3px 9px;border-left:1px solid #bbb;text-align:left}"
    "td:first-child,th:first-child{border-left:0} thead th{border-bottom:2px solid #bbb}",
    "cards": "table{border-collapse:separate;border-spacing:0 6px;width:100%} td{background:#eef3f7}"
    "td,th{padding:6px 10px;text-align:left}",
    "dense": "table{border-collapse:collapse;font-size:.78em;line-height:1.2} td,th{padding:1px 5px;text-align:left}"
    "tbody tr:nth-child(even) td{background:#eee} thead th{border-bottom:1px solid}",
    "centred": "table{border-collapse:collapse;margin:auto} td,th{padding:4px 12px;text-align:center}"
    "tr{border-bottom:1px solid #ddd}",
    "rowheads": "table{border-collapse:collapse} td,th{padding:4px 10px;border-top:1px solid #c8ccd1;text-align:left;"
    "vertical-align:top} tbody th{background:#eaecf0}",
}
SEPARATED = ("github", "bootstrap", "wikipedia", "attributes", "dotted")
"""Styles that draw where rows and the cells over several of them end: in the others a label in the middle of its rows
stands on one of them."""
FONTS = ("Liberation Sans", "Liberation Serif", "DejaVu Sans", "Liberation Sans Narrow", "DejaVu Serif")
PROSE = (
    "This page is kept by volunteers. If you find a mistake, write to the address at the end, and say where it is.",
    "All figures are those of the last survey. What was changed since then is listed under the heading of news, with "
    "the name of whoever changed it and the date on which the change was made.",
    "Not everything applies to every edition: compare the number on the label with the first column, and ask before "
    "you order parts that are marked as out of stock.",
    "The service was moved last spring. Old addresses lead to the new ones until the end of the year.",
)
DECOYS = (
    "<ul style='list-style:none;display:flex;gap:1.4em;padding:0'><li>Home</li><li>News</li><li>Archive</li>"
    "<li>About us</li><li>Contact</li></ul>",
    "<dl><dt><b>Cache</b></dt><dd>What is kept near at hand so that it need not be fetched again.</dd>"
    "<dt><b>Lease</b></dt><dd>The right to work on something for a while.</dd></dl>",
    "<ul><li><a href='#a'>Getting started</a></li><li><a href='#a'>Settings</a><ul><li>General</li><li>Colours</li>"
    "</ul></li><li><a href='#a'>Questions</a></li></ul>",
    "<pre>for name in names:\n    print(name)      # one a line\n    total += 1       # counted</pre>",
    "<ol><li>Open the lid.</li><li>Take out the filter, rinse it and let it dry for a day.</li><li>Put it back.</li>"
    "</ol>",
    "<div style='display:flex;justify-content:space-between'><span>« Previous page</span><span>Contents</span>"
    "<span>Next page »</span></div>",
)


@dataclass
class Look:
    """How one table is set."""

    style: str
    figures: str
    width: str
    row_heads: bool
    breaking: bool


def _is_figure(text: str) -> bool:
    return sum(char.isdigit() for char in text) * 2 >= max(len(text), 1)


def table_html(content: Content, look: Look, name: str) -> str:
    """A table, its rows marked by `name` and number."""
    grid = content.grid()
    body = grid[content.head :]
    figured = [sum(_is_figure(row[c]) for row in body) * 2 > len(body) for c in range(len(grid[0]))]
    lines: list[str] = []
    covered: set[tuple[int, int]] = set()
    for r, row in enumerate(content.rows):
        at, cells = 0, list[str]()
        for cell in row:
            while (r, at) in covered:
                at += 1
            covered |= {(r + i, at + j) for i in range(cell.rows) for j in range(cell.columns)}
            tag = "th" if r < content.head or (look.row_heads and at == 0) else "td"
            own = f' style="text-align:{look.figures}"' if look.figures and figured[at] else ""
            own = ' style="text-align:center"' if cell.columns > 1 and tag == "th" else own
            cells.append(f'<{tag} rowspan="{cell.rows}" colspan="{cell.columns}"{own}>{cell.html}</{tag}>')
            at += cell.columns
        lines.append(f'<tr id="{name}-{r}">{"".join(cells)}</tr>')
    head, rest = "".join(lines[: content.head]), "".join(lines[content.head :])
    inner = (f"<thead>{head}</thead>" if head else "") + f"<tbody>{rest}</tbody>"
    together = "" if look.breaking else "break-inside:avoid;"
    width = f"width:{look.width};" if look.width else ""
    return f'<table style="{together}{width}">{inner}</table>'


def page_html(r: random.Random, tables: list[tuple[Content, Look]], *, beside: bool) -> str:
    """A page with its tables, all in the style of the first, and what stands around them."""
    style = tables[0][1].style
    font, size, leading = r.choice(FONTS), r.choice((12, 13, 14, 16)), r.choice((1.2, 1.35, 1.5, 1.65))
    body = [
        r.choice(DECOYS[:1] + ("",) * 2),
        f"<h1>{r.choice(('Overview', 'Reference', 'Information', 'Tables'))}</h1>",
    ]
    pieces = [table_html(content, look, f"t{at}") for at, (content, look) in enumerate(tables)]
    if beside:
        pieces = ["<div style='display:flex;gap:2.5em;align-items:flex-start'>" + "".join(pieces) + "</div>"]
    for at, piece in enumerate(pieces):
        body += [f"<h2>{at + 1}. Part</h2>" if r.random() < 0.5 else "", f"<p>{r.choice(PROSE)}</p>", piece]
        body.append(r.choice(DECOYS) if r.random() < 0.45 else f"<p>{r.choice(PROSE)}</p>")
    css = (
        f"body{{font:{size}px/{leading} '{font}'}} tr{{break-inside:avoid}} @page{{margin:{r.choice((10, 16, 22))}mm}}"
    )
    code = "code,pre,kbd{font-family:'Liberation Mono';font-size:.88em}"
    code += r.choice(("", "code{background:#eff1f3;padding:1px 3px}"))
    head = f"<meta charset=utf-8><title>Page</title><style>{css}{code}{STYLES[style]}</style>"
    return f"<!doctype html><html><head>{head}</head><body>{''.join(body)}"


def printed(source: str, target: Path, *, feet: bool) -> None:
    """Prints HTML as PDF, with the browser's own head and foot where asked."""
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch, "page.html")
        page.write_text(source, encoding="utf-8")
        options = [option for option in CHROMIUM if not (feet and option == "--no-pdf-header-footer")]
        command = [*options, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)


def row_pages(source: str, names: list[str], *, feet: bool) -> dict[str, int]:
    """The page of each row, from 1, as a print tells that has links to them at its end."""
    links = "".join(f"<a href='#{name}'>{name}</a> " for name in names)
    with tempfile.TemporaryDirectory() as scratch:
        linked = Path(scratch, "linked.pdf")
        printed(f"{source}<div style='break-before:page'>{links}</div>", linked, feet=feet)
        with pypdfium2.PdfDocument(linked) as document:
            found: dict[str, int] = {}
            for name in names:
                place = pdfium.FPDF_GetNamedDestByName(document.raw, ctypes.c_char_p(name.encode()))
                found[name] = pdfium.FPDFDest_GetDestPageIndex(document.raw, place) + 1
            return found


def as_printed(content: Content, look: Look) -> list[list[list[str]]]:
    """The ways in which a table can be read: labels over several rows in the first of them, or on their middle line."""
    grid = content.grid()
    if not content.has_tall() or look.style in SEPARATED:
        return [grid]
    other = [list(row) for row in grid]
    for r, row in enumerate(content.rows):
        for cell in row[:1]:
            if cell.rows > 1:
                other[r][0], other[r + (cell.rows - 1) // 2][0] = "", cell.text
    return [grid, other]


def entries(content: Content, look: Look, pages: dict[str, int], name: str) -> list[tuple[int, Any]]:
    """What of a table stands on each page; the head may be read again overleaf or not."""
    found: list[tuple[int, Any]] = []
    numbers = [pages[f"{name}-{r}"] for r in range(len(content.rows))]
    for page in sorted(set(numbers)):
        ways: list[list[list[str]]] = []
        for grid in as_printed(content, look):
            own = [row for row, number in zip(grid, numbers, strict=True) if number == page]
            ways += [own] if page == numbers[0] else [own, grid[: content.head] + own]
        found.append((page, ways[0] if len(ways) == 1 else {"either": [[way] for way in ways]}))
    return found


def documents(r: random.Random, contents: list[Content]) -> list[tuple[list[tuple[Content, Look]], bool]]:
    """The tables of each page, and whether they stand side by side: every content once, most twice."""
    names, at = list(STYLES), r.randrange(len(STYLES))
    queue = [*contents, *r.sample(contents, len(contents) * 2 // 3)]
    found: list[tuple[list[tuple[Content, Look]], bool]] = []
    while queue:
        small = sum(len(content.rows[-1]) <= 3 and len(content.rows) < 9 for content in queue[:2]) == 2
        beside = small and r.random() < 0.4
        own, queue = queue[: 2 if beside or r.random() < 0.3 else 1], queue[2 if beside else 1 :]
        if not beside:
            queue = queue[len(own) - 1 :]
        style, at = names[at % len(names)], at + 1
        figures, row_heads = r.choice(("", "right", "center")), r.random() < 0.25 or style == "rowheads"
        width = "48%" if beside else r.choice(("", "", "60%", "100%", "75%"))
        looks = [Look(style, figures, width, row_heads, not content.has_tall()) for content in own]
        found.append((list(zip(own, looks, strict=True)), beside))
    return found


def long_table(r: random.Random) -> Content:
    """A table over several pages."""
    head = tuple(Cell(text) for text in ("No.", "Parish", "Recorded", "Depth (m)", "Remarks"))
    remarks = ("", "dry in summer", "iron", "capped; the key is kept at the rectory", "not found again")
    parishes = ("Abbots Lea", "Long Sutton", "Thornbury", "St Mary Cray", "Upper Hale", "Netherby")
    rows: list[tuple[Cell, ...]] = []
    for at in range(1, r.randint(60, 95)):
        parish = r.choice(parishes)
        day = f"{r.randint(1, 28):02}/0{r.randint(1, 9)}/19{r.randint(10, 99)}"
        rows.append((Cell(str(at)), Cell(parish), Cell(day), Cell(f"{r.uniform(2, 60):.1f}"),
                     Cell(r.choice(remarks))))  # fmt: skip
    return Content((head, *rows), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    r = random.Random(arguments.seed)
    contents = [*own_contents(), *corpus_contents(arguments.corpus, SOURCES), long_table(r), long_table(r)]
    truth: dict[str, Any] = {}
    for half in (0, 1):
        for at, (tables, beside) in enumerate(documents(r, contents[half::2])):
            file = f"{'held' if half else 'worked'}-{at:02}-{tables[0][1].style}.pdf"
            feet, source = r.random() < 0.25, page_html(r, tables, beside=beside)
            names = [f"t{i}-{row}" for i, (content, _) in enumerate(tables) for row in range(len(content.rows))]
            places = row_pages(source, names, feet=feet)
            printed(source, arguments.folder / file, feet=feet)
            with pypdfium2.PdfDocument(arguments.folder / file) as document:
                pages: dict[str, Any] = {str(n): {"tables": []} for n in range(1, len(document) + 1)}
            for i, (content, look) in enumerate(tables):
                for page, entry in entries(content, look, places, f"t{i}"):
                    pages[str(page)]["tables"].append(entry)
            truth[file] = {"pages": pages} | ({"held": True} if half else {})
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
