"""Sets the business documents of the twenty-third truth of `pdf_pages.py`, and writes down what their tables say.

    PYTHON tests/bench/pages_business/pdf_pages_business.py FOLDER

PYTHON has reportlab and fpdf2; `chromium` is on the path. FOLDER gets the PDFs and `truth.json`, as `pdf_pages.py`
reads it: rows as they were set, lines of a cell joined; sums below belong to the table or are one of their own, and
facts in two columns over it may be a table or none. Half of the files, by a hash of their names, are held back. It
knows nothing of how they are read.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from fpdf import FPDF
from pdf_pages_business_contents import PAPERS, Paper
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

SECONDS = 60
FONTS = Path("/usr/share/fonts/truetype/liberation")
SIZE = 9  # points
LEFT, WIDTH, LEADING = 48.0, 499.0, 11.5
SENDER = ("Hallmann & Reyes", "14 Quay Street")
BACK = {"lines": "#fff", "bands": "#33558b", "head": "#e4e4e4", "grid": "#f0f0f0", "white": "#fff"}


def draw(name: str, choices: int) -> int:
    """A number below `choices` that a name always gives."""
    return hashlib.sha256(name.encode()).digest()[1] % choices


def cells_of(paper: Paper, row: str) -> list[list[str]]:
    """The lines of each cell of a row."""
    if row.startswith("#"):
        return [[row[1:]], *([""] for _ in paper.columns[1:])]
    return [cell.split("|") for cell in row.split(";")]


def sum_cells(paper: Paper, row: str) -> list[str]:
    """A sum in the columns of its table."""
    label, *figures = row.split(";")
    cells = [""] * len(paper.columns)
    cells[paper.label] = label
    cells[-len(figures) :] = figures
    return cells


def truth_of(paper: Paper, *, aligned: bool) -> list[Any]:
    """What the tables of a page say, in each way it can be read."""
    head = [[" ".join(c[0].split("|")) for c in paper.columns]]
    rows = [[" ".join(lines).strip() for lines in cells_of(paper, row)] for row in paper.rows]
    sums = [sum_cells(paper, row) for row in paper.sums]
    bodies = [[head + rows + sums]]
    if sums:
        bodies.append([head + rows, [row.split(";") for row in paper.sums]])
    facts = [fact.split(": ", 1) for fact in paper.facts.split("|") if ": " in fact]
    before: list[list[list[list[str]]]] = [[]]
    if aligned:  # first, as of ways that fit alike the first counts
        before = [[[[f"{a}:", b] for a, b in facts]], []]
    return [{"either": [first + body for first, body in product(before, bodies)]}]


def edges(paper: Paper) -> list[tuple[float, float]]:
    """Left and right end of each column, in points."""
    whole, at, found = sum(column[1] for column in paper.columns), LEFT, list[tuple[float, float]]()
    for _, share, _ in paper.columns:
        found.append((at, at + WIDTH * share / whole))
        at = found[-1][1]
    return found


class Sheet:
    """A page that text is put on at points, the top one first."""

    def __init__(self, path: Path) -> None:
        for name, file in (("Body", "LiberationSans-Regular.ttf"), ("Bold", "LiberationSans-Bold.ttf")):
            pdfmetrics.registerFont(TTFont(name, FONTS / file))
        self.canvas = Canvas(str(path), pagesize=A4)
        self.y = A4[1] - 60

    def put(self, x0: float, x1: float, text: str, align: str = "l", *, bold: bool = False, lower: float = 0) -> None:
        self.canvas.setFont("Bold" if bold else "Body", SIZE)
        y = self.y - lower
        if align == "r":
            self.canvas.drawRightString(x1 - 3, y, text)
        elif align == "c":
            self.canvas.drawCentredString((x0 + x1) / 2, y, text)
        else:
            self.canvas.drawString(x0 + 3, y, text)

    def row(self, spans: list[tuple[float, float]], aligns: Sequence[str], cells: list[list[str]], **how: Any) -> None:
        deep = max(map(len, cells))
        for (x0, x1), align, lines in zip(spans, aligns, cells, strict=True):
            for at, line in enumerate(lines):
                down = deep - len(lines) if how.get("foot") else 0
                self.put(x0, x1, line, align, bold=how.get("bold", False), lower=(at + down) * LEADING)
        self.y -= deep * LEADING

    def rule(self, x0: float, x1: float, lower: float = 0) -> None:
        self.canvas.setLineWidth(0.6)
        self.canvas.line(x0, self.y - lower, x1, self.y - lower)


def put_letterhead(sheet: Sheet, paper: Paper, *, aligned: bool) -> None:
    """What stands over the table."""
    for line in SENDER:
        sheet.put(LEFT, LEFT, line)
        sheet.y -= LEADING
    sheet.y -= 22
    sheet.put(LEFT, LEFT, paper.title, bold=True)
    sheet.y -= 20
    for fact in paper.facts.split("|"):
        label, _, value = fact.partition(": ")
        if aligned and value:
            sheet.put(LEFT, LEFT, f"{label}:")
            sheet.put(LEFT + 130, LEFT, value)
        else:
            sheet.put(LEFT, LEFT, fact)
        sheet.y -= LEADING
    sheet.y -= 24


def by_canvas(paper: Paper, look: str, path: Path, *, aligned: bool) -> None:
    """A page that a program writes piece by piece."""
    sheet, spans, aligns = Sheet(path), edges(paper), [column[2] for column in paper.columns]
    put_letterhead(sheet, paper, aligned=aligned)
    top = sheet.y + SIZE + 2
    if look == "lines":
        sheet.rule(LEFT, LEFT + WIDTH, -SIZE - 2)
    sheet.row(spans, aligns, [column[0].split("|") for column in paper.columns], bold=True, foot=True)
    if look in ("lines", "boxed"):
        sheet.rule(LEFT, LEFT + WIDTH, -SIZE + 2)
    sheet.y -= 4
    for row in paper.rows:
        sheet.row(spans, aligns, cells_of(paper, row), bold=row.startswith("#"))
        sheet.y -= 2 + draw(paper.name + look, 3) * 2
    bottom = sheet.y + SIZE - 2
    if look == "boxed":
        for x in [LEFT] + [x1 for _, x1 in spans]:
            sheet.canvas.line(x, top, x, bottom)
        sheet.canvas.line(LEFT, top, LEFT + WIDTH, top)
        sheet.canvas.line(LEFT, bottom, LEFT + WIDTH, bottom)
    if paper.sums:
        sheet.y -= 4
        if look == "lines":
            sheet.rule(spans[paper.label][0], LEFT + WIDTH, -SIZE - 1)
    for at, row in enumerate(paper.sums):
        sheet.row(spans, aligns, [[cell] for cell in sum_cells(paper, row)], bold=at == len(paper.sums) - 1)
        sheet.y -= 2
    if look == "panel":
        sheet.canvas.roundRect(LEFT - 6, sheet.y + 2, WIDTH + 12, top - sheet.y + 4, 6)
    sheet.y -= 30
    sheet.put(LEFT, LEFT, paper.after)
    sheet.canvas.save()


def as_html(lines: list[str]) -> str:
    return "<br>".join(map(html.escape, lines))


def by_chromium(paper: Paper, look: str, path: Path, *, aligned: bool) -> None:
    def cell(tag: str, at: int, lines: list[str]) -> str:
        return f'<{tag} class="{paper.columns[at][2]}">{as_html(lines)}</{tag}>'

    facts = [fact.partition(": ") for fact in paper.facts.split("|")]
    over = "".join(
        f"<tr><td>{html.escape(a)}:</td><td>{html.escape(b)}</td></tr>" if aligned and b
        else f"<tr><td colspan=2>{html.escape(a + s + b)}</td></tr>" for a, s, b in facts
    )  # fmt: skip
    head = "".join(cell("th", at, c[0].split("|")) for at, c in enumerate(paper.columns))
    body = "".join(
        f'<tr class="group"><td colspan="{len(paper.columns)}">{html.escape(row[1:])}</td></tr>' if row[0] == "#"
        else f"<tr>{''.join(cell('td', at, lines) for at, lines in enumerate(cells_of(paper, row)))}</tr>"
        for row in paper.rows
    )  # fmt: skip
    apart = bool(draw(paper.name + look, 2)) and len(paper.sums) > 1
    sums = [sum_cells(paper, row) for row in paper.sums]
    foot = "".join(f"<tr>{''.join(cell('td', at, [c]) for at, c in enumerate(row))}</tr>" for row in sums)
    below = "".join(
        f"<tr><td>{html.escape(row.split(';')[0])}</td><td class=r>{html.escape(row.split(';')[-1])}</td></tr>"
        for row in paper.sums
    )  # fmt: skip
    border = {"lines": "border-bottom:1px solid #ccc", "grid": "border:1px solid #555"}.get(look, "")
    zebra = "tbody tr:nth-child(2n) td{background:#f1f4f9}" if look == "bands" else ""
    widths = "".join(f'<col style="width:{column[1]}%">' for column in paper.columns)
    page = f"""<!doctype html><meta charset="utf-8"><style>
    body{{font:9pt "Liberation Sans";margin:0}} h1{{font-size:16pt}} table{{border-collapse:collapse}}
    .main{{width:100%;margin-top:8mm;table-layout:fixed}}
    .main td,.main th{{padding:3px 5px;vertical-align:top;{border}}}
    th{{background:{BACK[look]};color:{"#fff" if look == "bands" else "#000"};vertical-align:bottom}}
    .l{{text-align:left}} .r{{text-align:right}} .c{{text-align:center}} .group td{{font-weight:bold}}
    tfoot tr:last-child td{{font-weight:bold}} .below{{margin:4mm 0 0 auto;width:45%}} .below td{{padding:2px 5px}}
    .facts td{{padding-right:8mm}} {zebra} p{{margin-top:10mm}}</style>
    <div>{"<br>".join(map(html.escape, SENDER))}</div>
    <h1>{html.escape(paper.title)}</h1><table class="facts">{over}</table>
    <table class="main"><colgroup>{widths}</colgroup>
    <thead><tr>{head}</tr></thead><tbody>{body}</tbody>{"" if apart else f"<tfoot>{foot}</tfoot>"}</table>
    {f'<table class="below">{below}</table>' if apart else ""}<p>{html.escape(paper.after)}</p>"""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page, encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--disable-pdf-tagging"]
        command = ["chromium", *flags, f"--user-data-dir={folder}", f"--print-to-pdf={path}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)


def by_fpdf(paper: Paper, look: str, path: Path, *, aligned: bool) -> None:
    pdf = FPDF(unit="pt", format="A4")
    pdf.add_font("Body", "", FONTS / "LiberationSans-Regular.ttf")
    pdf.add_font("Body", "B", FONTS / "LiberationSans-Bold.ttf")
    pdf.add_page()
    pdf.set_margins(LEFT, 40)
    pdf.set_font("Body", size=SIZE)
    for line in [*SENDER, "", paper.title, ""]:
        pdf.cell(0, LEADING, line, new_x="LMARGIN", new_y="NEXT")
    for fact in paper.facts.split("|"):
        label, _, value = fact.partition(": ")
        if aligned and value:
            pdf.cell(130, LEADING, f"{label}:")
            pdf.cell(0, LEADING, value, new_x="LMARGIN", new_y="NEXT")
        else:
            pdf.cell(0, LEADING, fact, new_x="LMARGIN", new_y="NEXT")
    pdf.set_y(pdf.get_y() + 20)
    spans = edges(paper)

    def row(cells: list[list[str]], *, bold: bool = False, fill: bool = False, borders: bool = True) -> None:
        top, deep = pdf.get_y(), max(map(len, cells)) * LEADING + 4
        pdf.set_font("Body", "B" if bold else "", SIZE)
        for (x0, x1), (_, _, align), lines in zip(spans, paper.columns, cells, strict=True):
            if fill:
                pdf.set_fill_color(222, 226, 232)
                pdf.rect(x0, top, x1 - x0, deep, style="F")
            if look == "grid" and borders:
                pdf.rect(x0, top, x1 - x0, deep)
            for at, line in enumerate(lines):
                pdf.set_xy(x0, top + 2 + at * LEADING)
                pdf.cell(x1 - x0, LEADING, line, align=align.upper())
        pdf.set_xy(LEFT, top + deep)

    row([column[0].split("|") for column in paper.columns], bold=True, fill=True)
    for text in paper.rows:
        row(cells_of(paper, text), bold=text.startswith("#"))
    for at, text in enumerate(paper.sums):
        row([[c] for c in sum_cells(paper, text)], bold=at == len(paper.sums) - 1, borders=False)
    pdf.output(str(path))


PRODUCERS: dict[str, Callable[..., None]] = {"canvas": by_canvas, "chromium": by_chromium, "fpdf": by_fpdf}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    for paper in PAPERS:
        for producer, look in (look.split() for look in paper.looks):
            name = f"{paper.name}-{producer}-{look}.pdf"
            aligned = draw(name, 3) == 0
            if not (folder / name).exists():
                PRODUCERS[producer](paper, look, folder / name, aligned=aligned)
            held = {"held": True} if hashlib.sha256(name.encode()).digest()[0] % 2 else {}
            truth[name] = {"pages": {"1": {"tables": truth_of(paper, aligned=aligned)}}} | held
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
