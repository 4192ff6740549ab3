"""Makes the fourteenth truth of `pdf_pages.py`: tables of `pdf_pages_mixed_contents.py` by seven producers in 44 looks.

    PYTHON tests/bench/pages_made/pdf_pages_mixed.py FOLDER [--seed N] [--count N]

PYTHON has reportlab, fpdf2, typst, openpyxl, python-docx, python-pptx and pypdfium2; `chromium` and `soffice`
print. FOLDER gets one PDF for each content and look, and `truth.json`, as `pdf_pages.py` reads it: rows as they were
set, each on the page that holds its first cell. Every other file is held back. It knows nothing of how they are read.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import pypdfium2
from bench.shared.pdf_pages_files import SECONDS, print_file
from pdf_pages_made import folded
from pdf_pages_mixed_contents import CONTENTS, PROSE, Content

ALIGN = {"l": "left", "w": "left", "r": "right", "c": "center"}
WIDE = {"w": 150}
"""Points of a column whose words wrap."""
CSS = {
    "bordered": "td,th{border:1px solid #dee2e6;padding:.5rem} thead th{border-bottom-width:2px}",
    "striped": "table{width:100%} td,th{padding:.5rem;border-top:1px solid #dee2e6}"
    "tbody tr:nth-of-type(odd){background:#f4f4f5}",
    "card": "div.t{border:1px solid #d4d4d8;border-radius:8px;overflow:hidden;display:inline-block}"
    "td,th{padding:10px 16px}"
    "thead{background:#f8fafc} tbody tr+tr td{border-top:1px solid #e4e4e7}",
    "material": "table{width:100%} td,th{padding:14px 16px;border-bottom:1px solid rgba(224,224,224,1);font-size:13px}"
    "th{font-weight:500}",
    "tailwind": "table{width:100%} th{font-size:10px;letter-spacing:.05em;color:#6b7280;background:#f9fafb;"
    "padding:12px 18px}"
    "td{padding:12px 18px;font-size:13px;border-top:1px solid #e5e7eb}",
    "govuk": "th,td{padding:10px 20px 10px 0;border-bottom:1px solid #b1b4b6;font-size:16px}",
    "dark": "th{background:#111;color:#fff;padding:7px 12px} td{padding:7px 12px}",
    "vertical": "td,th{padding:4px 10px} td+td,th+th{border-left:1px solid #888}",
    "newspaper": "table{font-family:'Liberation Serif';font-size:13px} td,th{padding:1px 8px}"
    "thead th{border-top:3px double #000;"
    "border-bottom:1px solid #000} tbody tr:last-child td{border-bottom:3px double #000}",
    "quiet": "td,th{padding:3px 14px 3px 0;font-size:12px} th{color:#777;font-weight:400}",
    "pastel": "table{border-collapse:separate;border-spacing:2px} td{background:#eef6f0;padding:5px 9px}"
    "th{background:#b7d8c2;padding:5px 9px}",
    "rowlabel": "td,th{padding:5px 10px;border-bottom:1px solid #ccc}"
    "tbody td:first-child{background:#f0f0f0;font-weight:700}",
}  # fmt: skip


def _library(name: str) -> Any:
    return importlib.import_module(name)


def _mark(text: str) -> tuple[str, str]:
    return text.partition("^")[0], text.partition("^")[2]


def spans(content: Content) -> dict[tuple[int, int], tuple[int, int]]:
    """How many rows and columns each cell covers; those merged away are missing."""
    rows, found = content.rows, dict[tuple[int, int], tuple[int, int]]()
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text in ("<", "^"):
                continue
            wide = next((n for n in range(1, len(row) - c) if row[c + n] != "<"), len(row) - c)
            found[r, c] = (next((n for n in range(1, len(rows) - r) if rows[r + n][c] != "^"), len(rows) - r), wide)
    return found


def chromium(content: Content, look: str, r: random.Random, target: Path) -> None:
    cells, lines = spans(content), list[str]()
    for at, row in enumerate(content.rows):
        tag = "th" if at < content.head else "td"
        parts = [f"<tr{' class=g' if row[1] == '<' else ''}>"]
        for c, text in enumerate(row):
            if (at, c) in cells:
                high, wide = cells[at, c]
                shown, mark = _mark(text)
                body = escape(shown).replace("\n", "<br>") + (f"<sup>{mark}</sup>" if mark else "")
                align = "center" if wide > 1 and at < content.head else ALIGN[content.columns[c]]
                parts.append(f'<{tag} rowspan={high} colspan={wide} style="text-align:{align}">{body}</{tag}>')
        lines.append("".join([*parts, "</tr>"]))
    head, body = "".join(lines[: content.head]), "".join(lines[content.head :])
    serif = "Noto Serif CJK SC" if "cjk" in content.needs else "Liberation Serif"
    css = f"body{{font:{r.choice((12, 13, 15))}px/{r.choice((1.2, 1.4, 1.6))} "
    css += f"'{r.choice(('Liberation Sans', 'DejaVu Sans', serif))}'}}"
    css += (
        "table{border-collapse:collapse} td{vertical-align:"
        + r.choice(("top", "middle", "baseline"))
        + "} tr{break-inside:avoid}"
    )
    css += "@page{size:A4 landscape;margin:12mm}" if "wide" in content.needs else "@page{size:A4;margin:15mm}"
    page = f"<meta charset=utf-8><title>Page</title><style>{css}{CSS[look]}</style>"
    page += f"<h1>{r.choice(('Summary', 'Annex', 'Details'))}</h1><p>{r.choice(PROSE)}</p>"
    page += f"<div class=t><table><thead>{head}</thead><tbody>{body}</tbody></table></div><p>{r.choice(PROSE)}</p>"
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "made.html").write_text(f"<!doctype html>{page}", encoding="utf-8")
        print_file(Path(scratch, "made.html"), target, "chromium", "")


def _office(source: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", scratch, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        target.write_bytes(Path(scratch, f"{source.stem}.pdf").read_bytes())


def docx(content: Content, look: str, r: random.Random, target: Path) -> None:
    library, shared, align = _library("docx"), _library("docx.shared"), _library("docx.enum.text").WD_ALIGN_PARAGRAPH
    document = library.Document()
    document.add_heading("Record", 1)
    document.add_paragraph(r.choice(PROSE))
    table = document.add_table(len(content.rows), len(content.columns), style=look if look != "None" else None)
    for (at, c), (high, wide) in spans(content).items():
        cell = table.cell(at, c)
        if high * wide > 1:
            cell = cell.merge(table.cell(at + high - 1, c + wide - 1))
        cell.text = content.rows[at][c]
        paragraph = cell.paragraphs[0]
        paragraph.alignment = {"r": align.RIGHT, "c": align.CENTER}.get(
            content.columns[c] if wide == 1 else "l", align.LEFT
        )
        for run in paragraph.runs:
            run.font.size = shared.Pt(9)
            run.bold = at < content.head or None
    document.add_paragraph(r.choice(PROSE))
    with tempfile.TemporaryDirectory() as scratch:
        document.save(Path(scratch, "made.docx"))
        _office(Path(scratch, "made.docx"), target)


def xlsx(content: Content, look: str, r: random.Random, target: Path) -> None:
    library, styles, letter = (
        _library("openpyxl"),
        _library("openpyxl.styles"),
        _library("openpyxl.utils").get_column_letter,
    )
    book = library.Workbook()
    sheet: Any = book.active
    sheet["A1"], top = "Report of the month", 3
    side = styles.Side(style="thin" if look != "hair" else "hair")
    for at, row in enumerate(content.rows):
        for c, text in enumerate(row):
            cell = sheet.cell(top + at, c + 1, "" if text in ("<", "^") else text)
            cell.alignment = styles.Alignment(
                horizontal=ALIGN[content.columns[c]],
                vertical=r.choice(("top", "center")),
                wrap_text=content.columns[c] == "w" or "\n" in text,
            )
            cell.font = styles.Font(bold=at < content.head)
            if look in ("grid", "hair"):
                cell.border = styles.Border(side, side, side, side)
            elif look == "totals" and (at < content.head or at == len(content.rows) - 1):
                cell.border = styles.Border(top=side, bottom=side)
            if (look == "banded" and at % 2) or (look in ("headfill", "banded") and at < content.head):
                cell.fill = styles.PatternFill("solid", fgColor="DDE6F0")
    for at, row in enumerate(content.rows):  # LibreOffice leaves the heights that openpyxl does not write
        lines = [
            len(text.split("\n")) if kind != "w" else len(text) // 26 + 1
            for text, kind in zip(row, content.columns, strict=True)
        ]
        sheet.row_dimensions[top + at].height = 14 * max(lines) + 2
    for (at, c), (high, wide) in spans(content).items():
        if high * wide > 1:
            sheet.merge_cells(start_row=top + at, start_column=c + 1, end_row=top + at + high - 1, end_column=c + wide)
    for c, kind in enumerate(content.columns):
        own = [
            max(map(len, row[c].split("\n")))
            for at, row in enumerate(content.rows)
            if spans(content).get((at, c), (1, 2))[1] == 1
        ]
        sheet.column_dimensions[letter(c + 1)].width = 34 if kind == "w" else max(own, default=8) * 1.15 + 2
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight, sheet.sheet_properties.pageSetUpPr = (
        1,
        0,
        _library("openpyxl.worksheet.properties").PageSetupProperties(fitToPage=True),
    )
    with tempfile.TemporaryDirectory() as scratch:
        book.save(Path(scratch, "made.xlsx"))
        _office(Path(scratch, "made.xlsx"), target)


def pptx(content: Content, look: str, r: random.Random, target: Path) -> None:
    library, util = _library("pptx"), _library("pptx.util")
    deck = library.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Where we stand"
    shape = slide.shapes.add_table(
        len(content.rows), len(content.columns), util.Inches(0.5), util.Inches(1.5), util.Inches(9), util.Inches(3)
    )
    table = shape.table
    table.horz_banding = look == "banded"
    for (at, c), (high, wide) in spans(content).items():
        cell = table.cell(at, c)
        if high * wide > 1:
            cell.merge(table.cell(at + high - 1, c + wide - 1))
        cell.text = content.rows[at][c]
        for paragraph in cell.text_frame.paragraphs:
            paragraph.font.size = util.Pt(11)
    with tempfile.TemporaryDirectory() as scratch:
        deck.save(Path(scratch, "made.pptx"))
        _office(Path(scratch, "made.pptx"), target)


TYPST = {
    "booktabs": "stroke: (x, y) => (top: if y == 0 {{0.9pt}} else if y == {head} {{0.5pt}} else {{0pt}}, "
    "bottom: if y == {last} {{0.9pt}} else {{0pt}})",
    "rows": "stroke: (x, y) => (bottom: 0.3pt + gray)",
    "stripes": "stroke: none, fill: (x, y) => if y < {head} {{luma(200)}} else if calc.odd(y) {{luma(240)}}",
    "columns": "stroke: (x, y) => (left: if x > 0 {{0.5pt}} else {{0pt}}, "
    "bottom: if y == {head} - 1 {{0.5pt}} else {{0pt}})",
    "none": "stroke: none, column-gutter: 8pt",
    "gutter": "stroke: none, gutter: 3pt, fill: luma(235)",
}  # fmt: skip


def typst(content: Content, look: str, r: random.Random, target: Path) -> None:
    def set_as(text: str) -> str:
        shown, mark = _mark(text)
        lines = " + linebreak() + ".join(json.dumps(line, ensure_ascii=False) for line in shown.split("\n"))
        return f"[#({lines})" + (f"#super[{mark}]]" if mark else "]")

    cells: list[str] = []
    for (at, c), (high, wide) in spans(content).items():
        body = set_as(content.rows[at][c])
        body = f"[#strong{body}]" if at < content.head else body
        cells.append(f"table.cell(x: {c}, y: {at}, rowspan: {high}, colspan: {wide}){body}")
    widths = ", ".join("1fr" if kind == "w" else "auto" for kind in content.columns)
    aligns = ", ".join(ALIGN[kind] for kind in content.columns)
    style = TYPST[look].format(head=content.head, last=len(content.rows) - 1)
    head = (
        f"table.header({', '.join(cells[: sum(1 for key in spans(content) if key[0] < content.head)])})"
        if "long" in content.needs
        else ""
    )
    rest = cells[sum(1 for key in spans(content) if key[0] < content.head) :] if head else cells
    turned = ", flipped: true" if "wide" in content.needs else ""
    source = f'#set page(paper: "a4"{turned}, margin: 50pt)\n#set text(size: {r.choice((9, 10, 11))}pt, '
    source += f'font: ("{r.choice(("Libertinus Serif", "DejaVu Sans", "Liberation Sans"))}", "Noto Serif CJK SC"))\n'
    source += f"= Findings\n{r.choice(PROSE)}\n\n#table(columns: ({widths},), align: ({aligns},), {style}, "
    source += f"{head + ', ' if head else ''}{', '.join(rest)})\n\n{r.choice(PROSE)}\n"
    target.write_bytes(_library("typst").compile(source.encode(), format="pdf"))


def platypus(content: Content, look: str, r: random.Random, target: Path) -> None:
    pages, units, styles = (
        _library("reportlab.lib.pagesizes"),
        _library("reportlab.platypus"),
        _library("reportlab.lib.styles"),
    )
    sheet = styles.getSampleStyleSheet()
    small = styles.ParagraphStyle("small", parent=sheet["Normal"], fontSize=9, leading=11)
    head, last = content.head, len(content.rows) - 1
    commands: list[tuple[Any, ...]] = [
        ("FONTSIZE", (0, 0), (-1, -1), 9),
        ("FONTNAME", (0, 0), (-1, head - 1), "Helvetica-Bold"),
        ("VALIGN", (0, 0), (-1, -1), r.choice(("TOP", "MIDDLE"))),
    ]
    commands += [("ALIGN", (c, 0), (c, -1), ALIGN[kind].upper()) for c, kind in enumerate(content.columns)]
    commands += [
        ("SPAN", (c, at), (c + wide - 1, at + high - 1))
        for (at, c), (high, wide) in spans(content).items()
        if high * wide > 1
    ]
    commands += {
        "grid": [("GRID", (0, 0), (-1, -1), 0.4, "#666666")],
        "underlined": [("LINEBELOW", (0, 0), (-1, -1), 0.25, "#999999")],
        "bands": [
            ("ROWBACKGROUNDS", (0, head), (-1, -1), ["#ffffff", "#eeeeee"]),
            ("LINEBELOW", (0, head - 1), (-1, head - 1), 1, "#000000"),
        ],
        "pillars": [
            ("LINEBEFORE", (1, 0), (-1, -1), 0.4, "#888888"),
            ("LINEBELOW", (0, head - 1), (-1, head - 1), 0.8, "#000000"),
        ],
        "boxed": [
            ("BOX", (0, 0), (-1, -1), 0.8, "#000000"),
            ("LINEBELOW", (0, head - 1), (-1, head - 1), 0.4, "#000000"),
        ],
        "headfill": [
            ("BACKGROUND", (0, 0), (-1, head - 1), "#334e68"),
            ("TEXTCOLOR", (0, 0), (-1, head - 1), "#ffffff"),
        ],
        "sums": [
            ("LINEABOVE", (0, last), (-1, last), 0.6, "#000000"),
            ("LINEBELOW", (0, last), (-1, last), 1.2, "#000000"),
        ],
    }[look]
    texts: list[list[Any]] = []
    texts += [
        [
            ""
            if text in ("<", "^")
            else units.Paragraph(escape(text), small)
            if content.columns[c] == "w"
            else units.Paragraph("{}<super size=6>{}</super>".format(*_mark(text)), small)
            if "^" in text
            else text
            for c, text in enumerate(row)
        ]
        for row in content.rows
    ]
    widths = [WIDE["w"] if kind == "w" else None for kind in content.columns]
    table = units.Table(
        texts, colWidths=widths, repeatRows=head, hAlign=r.choice(("LEFT", "CENTER")), style=units.TableStyle(commands)
    )
    size = pages.landscape(pages.A4) if "wide" in content.needs else pages.A4
    story = [
        units.Paragraph("Statement", sheet["Heading1"]),
        units.Paragraph(r.choice(PROSE), sheet["Normal"]),
        units.Spacer(1, 12),
        table,
    ]
    units.SimpleDocTemplate(str(target), pagesize=size).build(
        [*story, units.Spacer(1, 12), units.Paragraph(r.choice(PROSE), sheet["Normal"])]
    )


def fpdf(content: Content, look: str, r: random.Random, target: Path) -> None:
    library, fonts, enums = _library("fpdf"), _library("fpdf.fonts"), _library("fpdf.enums")
    sheet: Any = library.FPDF(orientation="L" if "wide" in content.needs else "P", format="A4")
    for style, file in (("", "Regular"), ("B", "Bold")):
        sheet.add_font("Sans", style, f"/usr/share/fonts/truetype/liberation/LiberationSans-{file}.ttf")
    sheet.add_page()
    sheet.set_font("Sans", size=r.choice((9, 10)))
    sheet.multi_cell(0, text=r.choice(PROSE), new_x="LMARGIN", new_y="NEXT")
    sheet.ln(4)
    layout, fill = {"all": ("ALL", "NONE"), "minimal": ("MINIMAL", "NONE"), "lines": ("HORIZONTAL_LINES", "NONE"),
                    "top": ("SINGLE_TOP_LINE", "NONE"),
                    "rows": ("NONE", "ROWS"), "internal": ("INTERNAL", "NONE")}[look]  # fmt: skip
    widths = [
        max(max(len(part) for row in content.rows for part in row[c].split("\n")) if kind != "w" else 26, 4)
        for c, kind in enumerate(content.columns)
    ]
    aligns = tuple({"r": "RIGHT", "c": "CENTER"}.get(kind, "LEFT") for kind in content.columns)
    head = fonts.FontFace(emphasis="BOLD")
    with sheet.table(
        borders_layout=layout,
        cell_fill_mode=enums.TableCellFillMode[fill],
        cell_fill_color=(230, 236, 244),
        headings_style=head,
        num_heading_rows=content.head,
        text_align=aligns,
        col_widths=tuple(widths),
        line_height=1.6 * sheet.font_size,
        padding=r.choice((0, 1)),
    ) as table:
        own = spans(content)
        for at, texts in enumerate(content.rows):
            line = table.row()
            for c, text in enumerate(texts):
                if (at, c) in own:
                    line.cell(text, rowspan=own[at, c][0], colspan=own[at, c][1])
    sheet.ln(4)
    sheet.multi_cell(0, text=r.choice(PROSE))
    sheet.output(str(target))


PLATYPUS = ("grid", "underlined", "bands", "pillars", "boxed", "headfill", "sums")
DOCX = (
    "Table Grid",
    "Light List Accent 1",
    "Light Grid Accent 2",
    "Medium Shading 1 Accent 1",
    "Light Shading",
    "None",
)
MAKERS: dict[str, tuple[Callable[[Content, str, random.Random, Path], None], tuple[str, ...], str]] = {
    "chromium": (chromium, tuple(CSS), "marks spans cjk arabic wide long"),
    "typst": (typst, tuple(TYPST), "marks spans cjk wide long"),
    "platypus": (platypus, PLATYPUS, "marks spans wide long"),
    "fpdf": (fpdf, ("all", "minimal", "lines", "top", "rows", "internal"), "spans wide"),
    "docx": (docx, DOCX, "spans cjk arabic"),
    "xlsx": (xlsx, ("grid", "hair", "totals", "banded", "headfill"), "spans cjk wide"),
    "pptx": (pptx, ("banded", "plain"), "spans"),
}  # fmt: skip
"""How each producer sets tables, its looks, and what it can do."""


def placed(path: Path, content: Content) -> dict[str, Any]:
    """The rows of each page: those whose first cell or longest one stands on it, in order."""
    with pypdfium2.PdfDocument(path) as document:
        texts = [folded(document[at].get_textpage().get_text_bounded()) for at in range(len(document))]
    grid, at, rows = content.grid(), 0, dict[int, list[list[str]]]()
    for row in grid[content.head :]:
        key = folded(row[0]) if "long" in content.needs else max(map(folded, row), key=len)
        if key not in texts[at] and at + 1 < len(texts) and key in texts[at + 1]:
            at += 1
        rows.setdefault(at, []).append(row)
    pages: dict[str, Any] = {str(n + 1): {"tables": []} for n in range(len(texts))}
    for number, own in rows.items():
        ways = [grid[: content.head] + own] if not number else [own, grid[: content.head] + own]
        pages[str(number + 1)]["tables"].append(ways[0] if len(ways) == 1 else {"either": [[way] for way in ways]})
    return pages


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--rounds", type=int, default=3, help="files of each look")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    order = random.Random(arguments.seed)
    for producer, (make, looks, abilities) in MAKERS.items():
        able = [name for name in CONTENTS if CONTENTS[name](random.Random(0)).needs <= set(abilities.split())]
        order.shuffle(able)
        for at, look in enumerate(looks * arguments.rounds):
            name = able[at % len(able)]
            file = f"{producer}-{look.replace(' ', '_')}-{name}.pdf"
            if file in truth:
                continue
            r = random.Random(f"{arguments.seed} {file}")
            content = CONTENTS[name](r)
            if not (arguments.folder / file).exists():
                make(content, look, r, arguments.folder / file)
            truth[file] = {"pages": placed(arguments.folder / file, content)}
    for at, entry in enumerate(truth.values()):
        if at % 2:
            entry["held"] = True
    (arguments.folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
