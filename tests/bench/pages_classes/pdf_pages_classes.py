"""Makes the twenty-sixth truth of `pdf_pages.py`: tables of classes that are hard to read, by five producers.

    PYTHON tests/bench/pages_classes/pdf_pages_classes.py FOLDER [--seed N] [--rounds N]

PYTHON has reportlab, typst, weasyprint and pypdfium2; `chromium` and `soffice` print. FOLDER gets `rounds` PDFs of each
class and way to set it, and `truth.json`, as `pdf_pages.py` reads it, with the class of each file: rows as they were
set. Half of the files, by a hash of their names, are held back. It knows nothing of how they are read.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import random
import sys
import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.pdf_pages_files import print_file
from pdf_pages_classes_contents import CONTENTS, DRAWN, Made, Placed

ALIGN = {"l": "left", "r": "right", "c": "center", "w": "left"}
LOOKS = {
    "plain": "td,th{padding:2px 12px 2px 0}",
    "ruled": "td,th{border:1px solid #777;padding:3px 7px}",
    "lines": "table{border-top:1.2px solid;border-bottom:1.2px solid} thead{border-bottom:.7px solid} "
    "td,th{padding:2px 8px}",
    "filled": "td,th{padding:4px 9px} thead th{background:#2d4a6b;color:#fff}",
    "filled_gaps": "table{border-collapse:separate;border-spacing:2px} td,th{padding:4px 9px} "
    "thead th{background:#c9d8ea}"
    "tbody td{border-bottom:.5px solid #bbb}",
    "filled_bands": "td,th{padding:3px 9px} thead th{background:#ddd;border-left:1px solid #fff}"
    "tbody tr:nth-child(even){background:#f1f1f1}",
    "wide": "td,th{padding:3px 26px 3px 0}",
}  # fmt: skip


def _library(name: str) -> Any:
    return importlib.import_module(name)


def spans(rows: list[list[str]]) -> dict[tuple[int, int], tuple[int, int]]:
    """How many rows and columns each cell covers; those merged away are missing."""
    found = dict[tuple[int, int], tuple[int, int]]()
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text in ("<", "^"):
                continue
            wide = next((n for n in range(1, len(row) - c) if row[c + n] != "<"), len(row) - c)
            found[r, c] = (next((n for n in range(1, len(rows) - r) if rows[r + n][c] != "^"), len(rows) - r), wide)
    return found


def as_html(made: Made, r: random.Random) -> str:
    """The page of a content, its tables where `<!--t-->` stands in its text."""
    tables: list[str] = []
    for table in made.tables:
        cells, lines = spans(table.rows), list[str]()
        for at, row in enumerate(table.rows):
            tag, parts = "th" if at < table.head else "td", list[str]()
            for c, text in enumerate(row):
                if (at, c) in cells:
                    high, wide = cells[at, c]
                    body = text if text.startswith("<svg") else escape(text).replace("\n", "<br>")
                    style = f"text-align:{'center' if wide > 1 and at < table.head else ALIGN[table.columns[c]]}"
                    if (at, c) in table.styles:
                        style += f";{table.styles[at, c]}"
                    parts.append(f'<{tag} rowspan={high} colspan={wide} style="{style}">{body}</{tag}>')
            lines.append(f"<tr>{''.join(parts)}</tr>")
        head, body = "".join(lines[: table.head]), "".join(lines[table.head :])
        tables.append(f"<table><thead>{head}</thead><tbody>{body}</tbody></table>")
    page = made.page
    for table in tables:
        page = page.replace("<!--t-->", table, 1)
    size, leading = r.choice((11, 12, 13)), r.choice((1.25, 1.4))
    css = f"body{{font:{size}px/{leading} '{r.choice(('Liberation Sans', 'Liberation Serif', 'DejaVu Sans'))}'}}"
    css += "table{border-collapse:collapse;margin:8px 0} tr{break-inside:avoid} td,th{vertical-align:"
    css += f"{r.choice(('top', 'middle'))}}}@page{{size:A4;margin:16mm}}{LOOKS[made.look]}{made.css}"
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>Page</title><style>{css}</style>{page}"


def printed(by: str) -> Callable[[Made, random.Random, Path], None]:
    def make(made: Made, r: random.Random, target: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(scratch, "made.html")
            source.write_text(as_html(made, r), encoding="utf-8")
            if by == "weasyprint":
                _library("weasyprint").HTML(str(source)).write_pdf(str(target))
            else:
                print_file(source, target, by, "")

    return make


def typst(made: Made, r: random.Random, target: Path) -> None:
    """A page with the first table of a content, between its paragraphs."""
    table = made.tables[0]
    cells = list[str]()
    for (at, c), (high, wide) in spans(table.rows).items():
        lines = " + linebreak() + ".join(json.dumps(line, ensure_ascii=False) for line in table.rows[at][c].split("\n"))
        body = f"[#strong({lines})]" if at < table.head else f"[#({lines})]"
        align = "center" if wide > 1 and at < table.head else ALIGN[table.columns[c]]
        cells.append(f"table.cell(x: {c}, y: {at}, rowspan: {high}, colspan: {wide}, align: {align} + horizon){body}")
    style = {
        "ruled": "stroke: 0.4pt", "plain": "stroke: none, column-gutter: 6pt",
        "wide": "stroke: none, column-gutter: 16pt",
        "lines": f"stroke: (x, y) => (top: if y == 0 or y == {table.head} {{0.8pt}} else {{0pt}}, "
        f"bottom: if y == {len(table.rows) - 1} {{0.8pt}} else {{0pt}})",
        "filled": f"stroke: none, fill: (x, y) => if y < {table.head} {{rgb(190, 210, 230)}}",
        "filled_gaps": f"stroke: none, gutter: 2pt, fill: (x, y) => if y < {table.head} {{luma(205)}}",
        "filled_bands": f"stroke: none, fill: (x, y) => if y < {table.head} {{luma(190)}} "
        "else if calc.even(y) {luma(240)}",
    }[made.look]  # fmt: skip
    body = f"#table(columns: {len(table.columns)}, {style}, {', '.join(cells)})"
    if made.turned:
        body = f"#rotate(-90deg, reflow: true)[{body}]"
    before, after = (json.dumps(text) for text in made.around)
    source = f'#set page(paper: "a4", margin: 50pt)\n#set text(size: {r.choice((8, 9, 10))}pt, font: "'
    source += f'{r.choice(("Libertinus Serif", "DejaVu Sans", "Liberation Sans"))}")\n#set par(justify: true)\n'
    target.write_bytes(
        _library("typst").compile(f"{source}#({before})\n\n{body}\n\n#({after})\n".encode(), format="pdf")
    )


def canvas(made: Placed, r: random.Random, target: Path) -> None:
    """Pages of texts and lines that stand where the content puts them, in points from the top left corner."""
    units = _library("reportlab.pdfgen.canvas")
    sheet = units.Canvas(str(target), pagesize=(595, 842))
    for page in made.pages:
        for kind, *values in page:
            if kind == "text":
                x, y, text, size, font, anchor = values
                sheet.setFont(font, size)
                {"l": sheet.drawString, "r": sheet.drawRightString, "c": sheet.drawCentredString}[anchor](
                    x, 842 - y, text
                )
            elif kind == "turned":
                x, y, text, size, font, anchor = values
                sheet.saveState()
                sheet.translate(x, 842 - y)
                sheet.rotate(90)
                sheet.setFont(font, size)
                (sheet.drawRightString if anchor == "r" else sheet.drawString)(0, 0, text)
                sheet.restoreState()
            elif kind == "line":
                x0, y0, x1, y1, width = values
                sheet.setLineWidth(width)
                sheet.line(x0, 842 - y0, x1, 842 - y1)
            elif kind == "fill":
                x0, y0, x1, y1, colour = values
                sheet.setFillColorRGB(*colour)
                sheet.rect(x0, 842 - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
                sheet.setFillColorRGB(0, 0, 0)
            elif kind == "box":
                x0, y0, x1, y1 = values
                sheet.setLineWidth(0.7)
                sheet.rect(x0, 842 - y1, x1 - x0, y1 - y0)
            elif kind == "curve":
                path = sheet.beginPath()
                path.moveTo(values[0][0], 842 - values[0][1])
                for at in range(1, len(values) - 2, 3):
                    path.curveTo(*(n for x, y in values[at : at + 3] for n in (x, 842 - y)))
                sheet.setLineWidth(0.7)
                sheet.drawPath(path)
            elif kind == "stroke":
                path = sheet.beginPath()
                path.moveTo(values[0][0], 842 - values[0][1])
                for x, y in values[1:]:
                    path.lineTo(x, 842 - y)
                sheet.setLineWidth(1.1)
                sheet.drawPath(path)
        sheet.showPage()
    sheet.save()


WAYS: dict[str, Callable[[Made, random.Random, Path], None]] = {
    "chromium": printed("chromium"), "weasyprint": printed("weasyprint"), "office": printed("office"), "typst": typst,
}  # fmt: skip


def pages_of(path: Path, made: Made) -> dict[str, Any]:
    """Its tables on the page that holds the last cell of the first; LibreOffice begins web pages with an empty one."""
    own = [made.truth[at] if at in made.truth else table.grid() for at, table in enumerate(made.tables)]
    with _library("pypdfium2").PdfDocument(path) as document:
        texts = ["".join(page.get_textpage().get_text_bounded().split()) for page in document]
    last = "".join(max(own[0][-1], key=len).split()) if own and isinstance(own[0], list) else ""
    holder = next((at for at, text in enumerate(texts) if last in text), 0)
    return {str(at + 1): {"tables": own if at == holder else []} for at in range(len(texts))}


def truth_of(made: Made | Placed, path: Path) -> dict[str, Any]:
    """What `pdf_pages.py` knows of a file."""
    name = path.name
    held = hashlib.sha256(name.encode()).digest()[0] % 2 == 1
    if isinstance(made, Placed):
        return {
            "held": held,
            "class": name.split("-")[0],
            "pages": {str(n + 1): {"tables": own} for n, own in enumerate(made.truth)},
        }
    return {"held": held, "class": name.split("-")[0], "pages": pages_of(path, made)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=26)
    parser.add_argument("--rounds", type=int, default=2, help="files of each class and way")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    for kind, place in DRAWN.items():
        for turn in range(2 * arguments.rounds):
            name = f"{kind}-canvas-{turn}.pdf"
            r = random.Random(f"{arguments.seed}/{name}")
            page = place(r)
            canvas(page, r, arguments.folder / name)
            truth[name] = truth_of(page, arguments.folder / name)
    for kind, (content, ways) in CONTENTS.items():
        for way in ways:
            for turn in range(arguments.rounds):
                name = f"{kind}-{way}-{turn}.pdf"
                r = random.Random(f"{arguments.seed}/{name}")
                made = content(r)
                if not (arguments.folder / name).exists():
                    WAYS[way](made, r, arguments.folder / name)
                truth[name] = truth_of(made, arguments.folder / name)
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"{len(truth)} files, {sum(entry['held'] for entry in truth.values())} held back")


if __name__ == "__main__":
    main()
