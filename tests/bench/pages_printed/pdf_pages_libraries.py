"""Tables as libraries set them that programs make invoices and reports with, and how many of their rows come out
exactly: the same cells in the same order, wherever on the pages.

    PYTHON tests/bench/pages_printed/pdf_pages_libraries.py FOLDER --make [--seed N] [--count N]
    node tests/bench/pages_printed/pdf_pages_libraries.js FOLDER NODE_MODULES
    python tests/bench/pages_printed/pdf_pages_libraries.py FOLDER [--wrong N]

The first makes documents by fpdf2, xhtml2pdf, matplotlib, ReportLab (which PYTHON has), wkhtmltopdf and LibreOffice,
where PYTHON has them by WeasyPrint and MuPDF as well, and `tables.json`; the second those of jsPDF with AutoTable,
pdfmake, react-pdf, pdfkit, pdfkit-table and voilab-pdf-table, of packages in NODE_MODULES; the third reads them.
LibreOffice cuts texts of sheets at the next cell,
so that of its cells what is left counts. Documents that are not there count for nobody.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

WORDS = (
    "Alder", "Brack", "Cold Ashby", "Dunmere", "Eastgate", "Farrow Hill", "Glenside", "Harwick", "Kingsbury Park",
    "Hex bolt", "Washer, zinc plated", "Bearing 6204", "Cable gland with a long name that may wrap within its cell",
    "Copper pipe 15 mm", "LED driver", "Terminal block, 12-way", "Filter", "Timer relay",
)  # fmt: skip
HEADS = (
    "Site", "Item", "Qty", "Price", "Amount", "Status", "Date", "Owner", "Note", "Share", "Depth (m)", "Order no.",
    "Price per unit in euros",
)  # fmt: skip
FIGURES = "idp"
"""Kinds of columns that are set to the right."""
NODE = ("striped", "grid", "plain", "default", "noBorders", "headerLineOnly", "lightHorizontalLines", "zebra")
"""Looks of jsPDF's tables, and of pdfmake's."""
MORE_NODE = (
    "react-plain", "react-grid", "react-dark", "react-striped", "react-lines", "pdfkit-borders", "pdfkit-bare",
    "pdfkit-lines", "pdfkittable-own", "voilab-own",
)  # fmt: skip
PLATYPUS = ("grid", "plain", "boxes", "middle", "rows")
"""Looks of ReportLab's tables; cells of boxes and of the middle are paragraphs, which wrap."""
BORDERS = ("ALL", "HORIZONTAL_LINES", "INTERNAL", "MINIMAL", "NO_HORIZONTAL_LINES", "SINGLE_TOP_LINE", "NONE")
_CELL = "th,td{padding:8px;border-top:1px solid #dee2e6;vertical-align:top}thead th{border-bottom:2px solid #dee2e6}"
SHEETS = {
    "bootstrap": f"table{{width:100%;border-collapse:collapse;font:14px Arial}}{_CELL}",
    "striped": f"table{{width:100%;border-collapse:collapse;font:14px Arial}}{_CELL}"
    "tbody tr:nth-child(odd) td{background:#f2f2f2}",
    "dark": "table{border-collapse:collapse;font:13px Verdana}th{background:#333;color:#fff;padding:6px 12px}"
    "td{padding:6px 12px}tr:nth-child(even) td{background:#eee}",
    "pandas": "table{border-collapse:collapse;font:12px Helvetica}td,th{text-align:right;padding:.5em;border:none}"
    "thead{border-bottom:1px solid black}tbody tr:nth-child(odd){background:#f5f5f5}",
    "bare": "table{font:13px Times}th,td{padding:3px 9px}",
}
BEFORE, AFTER = "The table shows what was ordered in this month by all of the sites.", "All amounts are in thousands."

Rows = list[list[str]]


def _drawn(chance: random.Random, rows: int, most: int = 6) -> tuple[Rows, str]:
    """The rows of a table by chance, its heads first, and the kind of each column by a letter."""
    kinds = "w" + "".join(chance.choice("widptsedi") for _ in range(chance.randint(1, most - 1)))
    cells: dict[str, Callable[[], str]] = {
        "w": lambda: chance.choice(WORDS), "i": lambda: str(chance.randint(1, 9999)),
        "d": lambda: f"{chance.random() * 900:,.2f}", "p": lambda: f"{chance.random() * 100:.1f}%",
        "t": lambda: f"20{chance.randint(10, 26)}-0{chance.randint(1, 9)}-{chance.randint(10, 28)}",
        "s": lambda: chance.choice(("open", "closed", "waiting")),
        "e": lambda: "" if chance.random() < 0.3 else str(chance.randint(1, 99)),
    }  # fmt: skip
    body = [[f"{chance.choice(WORDS)} {row + 1}", *(cells[kind]() for kind in kinds[1:])] for row in range(rows)]
    if chance.random() < 0.25 and len(kinds) > 2:
        body.append(["Total", *[""] * (len(kinds) - 2), str(chance.randint(100, 9999))])
    return [chance.sample(HEADS, len(kinds)), *body], kinds


def _by_fpdf(path: Path, rows: Rows, kinds: str, look: str, chance: random.Random) -> None:
    fpdf: Any = importlib.import_module("fpdf")
    fonts: Any = importlib.import_module("fpdf.fonts")
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=chance.choice((9, 10, 11)))
    pdf.multi_cell(0, 6, BEFORE, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(4)
    given: dict[str, Any] = {"line_height": pdf.font_size * chance.choice((1.3, 1.6, 2))}
    if chance.random() < 0.4:
        given |= {"cell_fill_color": (230, 235, 245), "cell_fill_mode": "ROWS"}
    if chance.random() < 0.5:
        given["headings_style"] = fonts.FontFace(emphasis="BOLD", color=255, fill_color=(40, 60, 120))
    aligned = tuple("RIGHT" if kind in FIGURES else "LEFT" for kind in kinds)
    with pdf.table(borders_layout=look, text_align=aligned, **given) as table:
        for row in rows:
            made = table.row()
            for cell in row:
                made.cell(cell)
    pdf.ln(4)
    pdf.multi_cell(0, 6, AFTER)
    pdf.output(str(path))


def _by_reportlab(path: Path, rows: Rows, kinds: str, look: str) -> None:
    platypus: Any = importlib.import_module("reportlab.platypus")
    grey: Any = importlib.import_module("reportlab.lib.colors").grey
    styles = importlib.import_module("reportlab.lib.styles").getSampleStyleSheet()
    wraps = look in ("boxes", "middle")
    cells = [[platypus.Paragraph(escape(cell), styles["BodyText"]) if wraps else cell for cell in row] for row in rows]
    whole, body = ((0, 0), (-1, -1)), ((0, 1), (-1, -1))
    drawn = {
        "grid": [("GRID", *whole, 0.5, grey)], "plain": [], "boxes": [("INNERGRID", *whole, 0.25, grey)],
        "middle": [("LINEBELOW", (0, 0), (-1, 0), 1, grey), ("VALIGN", *whole, "MIDDLE")],
        "rows": [("ROWBACKGROUNDS", *body, ["white", "lightgrey"]), ("BACKGROUND", (0, 0), (-1, 0), grey)],
    }[look]  # fmt: skip
    drawn += [("ALIGN", (at, 0), (at, -1), "RIGHT") for at, kind in enumerate(kinds) if kind in FIGURES]
    widths = [450 / len(kinds)] * len(kinds) if wraps else None
    table = platypus.Table(cells, repeatRows=1, colWidths=widths, style=platypus.TableStyle(drawn))
    before, after = (platypus.Paragraph(line, styles["BodyText"]) for line in (BEFORE, AFTER))
    white = platypus.Spacer(1, 8)
    platypus.SimpleDocTemplate(str(path)).build([before, white, table, white, after])


def _page(rows: Rows, kinds: str, sheet: str) -> str:
    sides = [' style="text-align:right"' if kind in FIGURES else "" for kind in kinds]
    lines = [
        "<tr>"
        + "".join(f"<{tag}{side}>{escape(cell)}</{tag}>" for cell, side in zip(row, sides, strict=True))
        + "</tr>"
        for tag, row in (("td" if at else "th", row) for at, row in enumerate(rows))
    ]
    table = f"<table><thead>{lines[0]}</thead><tbody>{''.join(lines[1:])}</tbody></table>"
    style = f"<meta charset=utf-8><style>{SHEETS[sheet]}</style>"
    return f"<html><head>{style}</head><body><h1>Report</h1><p>{BEFORE}</p>{table}<p>{AFTER}</p></body></html>"


def _by_weasyprint(path: Path, page: str) -> None:
    if importlib.util.find_spec("weasyprint") is not None:
        importlib.import_module("weasyprint").HTML(string=page).write_pdf(path)


def _by_mupdf(path: Path, page: str) -> None:
    if importlib.util.find_spec("pymupdf") is None:
        return
    mupdf: Any = importlib.import_module("pymupdf")
    story, writer, more = mupdf.Story(html=page), mupdf.DocumentWriter(str(path)), True
    while more:
        device = writer.begin_page(mupdf.Rect(0, 0, 595, 842))
        more, _ = story.place(mupdf.Rect(40, 40, 555, 800))
        story.draw(device)
        writer.end_page()
    writer.close()


def _by_matplotlib(path: Path, rows: Rows, edges: str) -> None:
    importlib.import_module("matplotlib").use("pdf")
    plot: Any = importlib.import_module("matplotlib.pyplot")
    figure, axes = plot.subplots(figsize=(8, 6))
    axes.axis("off")
    table = axes.table(cellText=rows[1:], colLabels=rows[0], loc="center", edges=edges)
    table.auto_set_font_size(value=False)
    table.set_fontsize(8)
    table.auto_set_column_width(list(range(len(rows[0]))))
    figure.savefig(path)
    plot.close(figure)


def _sheet(path: Path, rows: Rows, look: str, chance: random.Random) -> None:
    """A workbook with columns narrower than their texts."""
    book: Any = importlib.import_module("openpyxl").Workbook()
    styles: Any = importlib.import_module("openpyxl.styles")
    letter: Callable[[int], str] = importlib.import_module("openpyxl.utils").get_column_letter
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for at in range(len(rows[0])):
        sheet.column_dimensions[letter(at + 1)].width = chance.choice((6, 8, 9, 12))
    thin = styles.Side(style="thin")
    for row in sheet.iter_rows() if look == "border" else ():
        for cell in row:
            cell.border = styles.Border(left=thin, right=thin, top=thin, bottom=thin)
    for cell in sheet[1] if look == "filled" else ():
        cell.fill = styles.PatternFill("solid", start_color="FF4472C4")
        cell.font = styles.Font(color="FFFFFFFF", bold=True)
    book.save(path)


def make(folder: Path, seed: int, count: int) -> None:
    """Makes the documents, and says in `tables.json` what stands in them."""
    chance, said = random.Random(seed), dict[str, Any]()

    def table(name: str, most: int = 6, sizes: Sequence[int] = (3, 5, 8, 12, 30)) -> tuple[Path, Rows, str]:
        rows, kinds = _drawn(chance, chance.choice(sizes), most)
        said[name] = {"rows": rows, "kinds": kinds}
        return folder / f"{name}.pdf", rows, kinds

    pisa: Any = importlib.import_module("xhtml2pdf.pisa")
    for at in range(count):
        for look in BORDERS:
            path, rows, kinds = table(f"fpdf2-{look}-{at}")
            _by_fpdf(path, rows, kinds, look, chance)
        for sheet in SHEETS:
            path, rows, kinds = table(f"xhtml2pdf-{sheet}-{at}")
            with path.open("wb") as file:
                pisa.CreatePDF(_page(rows, kinds, sheet), dest=file)
            path, rows, kinds = table(f"wkhtmltopdf-{sheet}-{at}")
            page = folder / "page.html"
            page.write_text(_page(rows, kinds, sheet), encoding="utf-8")
            subprocess.run(["wkhtmltopdf", "-q", str(page), str(path)], check=False, capture_output=True)
        path, rows, _ = table(f"matplotlib-{at}", 5, (3, 5, 8, 12))
        _by_matplotlib(path, rows, chance.choice(("closed", "horizontal", "open")))
        for look in ("plain", "border", "filled"):
            path, rows, _ = table(f"cut-{look}-{at}", sizes=(12,))
            _sheet(path.with_suffix(".xlsx"), rows, look, chance)
        for look in PLATYPUS:
            path, rows, kinds = table(f"reportlab-{look}-{at}")
            _by_reportlab(path, rows, kinds, look)
        for name in (*(f"node-{look}" for look in NODE), *MORE_NODE):
            table(f"{name}-{at}")
    for at in range(count):  # behind all others, which are those of earlier counts with the same seed
        for sheet in SHEETS:
            path, rows, kinds = table(f"weasyprint-{sheet}-{at}")
            _by_weasyprint(path, _page(rows, kinds, sheet))
            path, rows, kinds = table(f"mupdf-{sheet}-{at}")
            _by_mupdf(path, _page(rows, kinds, sheet))
    books = [str(path) for path in sorted(folder.glob("cut-*.xlsx"))]
    profile = f"-env:UserInstallation={(folder / 'profile').resolve().as_uri()}"
    convert = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), *books]
    subprocess.run(convert, check=False, capture_output=True)
    (folder / "tables.json").write_text(json.dumps(said), encoding="utf-8")


def _is_row(ours: tuple[str, ...], row: list[str], *, cut: bool) -> bool:
    if not cut:
        return list(ours) == row
    left = zip(ours, row, strict=False)
    return len(ours) == len(row) and all(cell.startswith(own) and (own or not cell) for own, cell in left)


def read(folder: Path, wrong: int) -> None:
    """Prints rows right and all by library and look."""
    from sidecar_pdf import PdfFormat

    from sidecar.api import Limits, Source, Table

    right, whole = Counter[str](), Counter[str]()
    for name, table in json.loads((folder / "tables.json").read_text(encoding="utf-8")).items():
        path, library = folder / f"{name}.pdf", name.rpartition("-")[0]
        if not path.is_file():
            continue
        document = PdfFormat().parse(Source.of_bytes(path.read_bytes(), path.name), Limits(ocr=False))
        tables = [block for part in document.parts for block in part.blocks if isinstance(block, Table)]
        ours = [tuple(cell.strip() for cell in row) for one in tables for row in one.rows]
        for row in table["rows"]:
            own = next((one for one in ours if _is_row(one, row, cut=name.startswith("cut"))), None)
            whole[library] += 1
            if own is not None:
                ours.remove(own)
                right[library] += 1
            elif wrong > 0:
                wrong -= 1
                print(f"{path.name}: {row}")
    for library in whole:
        print(f"{library:34}{right[library]:6}{whole[library]:6}")
    print(f"{'all':34}{right.total():6}{whole.total():6}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--wrong", type=int, default=0)
    given = parser.parse_args()
    if given.make:
        given.folder.mkdir(parents=True, exist_ok=True)
        make(given.folder, given.seed, given.count)
    else:
        read(given.folder, given.wrong)


if __name__ == "__main__":
    main()
