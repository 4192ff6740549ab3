"""Sets the pages of `pdf_pages_contents.py` as PDF by ten producers. A look says how tables are drawn: `white`
nothing, `booktabs` three rules, `lines` one below every row, `grid`, `bands` every other row filled, `headfill` the
header filled, `rotated` heads that run upwards."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.pdf_pages_files import CHROMIUM
from pdf_pages_contents import Made, Page

FONT, BOLD = "/usr/share/fonts/truetype/liberation/LiberationSans-{}.ttf".format, "Bold"
ALIGN = {"l": "left", "r": "right", "c": "center"}


def _library(name: str) -> Any:
    return importlib.import_module(name)


def _ruled(table: Made, look: str, row: int) -> bool:
    """Whether a rule runs above a row (the one past the last included)."""
    if look == "booktabs":
        return row in (0, table.header_rows, len(table.rows)) or row in table.rules
    return look in ("lines", "grid") or row in table.rules or (look == "rotated" and row == table.header_rows)


def _filled(table: Made, look: str, row: int) -> bool:
    if look == "headfill":
        return row < table.header_rows
    return look == "bands" and row >= table.header_rows and (row - table.header_rows) % 2 == 0


def _parted(text: str) -> tuple[str, str]:
    return text.partition("^")[0], text.partition("^")[2]


# HTML, by Chromium and LibreOffice


def _html_table(table: Made, look: str) -> str:
    covered, rows = table.covered(), list[str]()
    for r, row in enumerate(table.rows):
        cells: list[str] = []
        for c, text in enumerate(row):
            if (r, c) in covered:
                continue
            (high, wide), (shown, mark) = table.span(r, c), _parted(text)
            style = f"text-align:{'center' if wide > 1 and r < table.header_rows else ALIGN[table.aligns[c]]};"
            style += f"width:{table.wraps[c]}pt;" if c in table.wraps else "white-space:nowrap;"
            style += "border-top:0.6pt solid black;" if _ruled(table, look, r) and (look != "grid") else ""
            style += (
                "border-bottom:0.6pt solid black;"
                if _ruled(table, look, r + high) and r + high == len(table.rows)
                else ""
            )
            style += "border:0.6pt solid #555;" if look == "grid" else ""
            style += "background:#dde6f0;" if _filled(table, look, r) else ""
            style += "font-weight:bold;" if r in table.bold else "font-weight:normal;"
            body = escape(shown) + (f"<sup>{mark}</sup>" if mark else "")
            if look == "rotated" and r < table.header_rows and text:
                body = f'<span style="writing-mode:vertical-rl;transform:rotate(180deg)">{body}</span>'
            cells.append(f'<td rowspan="{high}" colspan="{wide}" style="{style}">{body}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    head, body = "".join(rows[: table.header_rows]), "".join(rows[table.header_rows :])
    return f'<table cellspacing="0"><thead>{head}</thead><tbody>{body}</tbody></table>'


def html_source(page: Page, look: str) -> str:
    parts: list[str] = []
    for kind, what in page.items:
        if kind == "t":
            parts.append(_html_table(what, look))
        elif kind == "pair":
            cells = "".join(f'<td style="padding-right:30pt">{_html_table(t, look)}</td>' for t in what)
            parts.append(f"<table><tr>{cells}</tr></table>")
        else:
            tag = "h2" if kind == "h" else "p"
            parts.append(f"<{tag}>{escape(what)}</{tag}>")
    return (
        f"<!doctype html><html><head><meta charset='utf-8'><style>body{{font:{page.size}pt Liberation Sans;"
        f"column-count:{page.columns};text-align:justify}}td{{padding:2pt 5pt;vertical-align:top}}"
        f"table{{border-collapse:collapse;margin:6pt 0}}@page{{margin:20mm}}</style></head>"
        f"<body>{''.join(parts)}</body></html>"
    )


def _office(source: Path, target: Path, how: str = "pdf") -> None:
    with tempfile.TemporaryDirectory() as scratch:
        profile = f"-env:UserInstallation={Path(scratch, 'profile').as_uri()}"
        command = ["soffice", profile, "--headless", "--convert-to", how, "--outdir", scratch, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        shutil.copy(Path(scratch, source.stem + ".pdf"), target)


def chromium(page: Page, look: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch, "page.html"), Path(scratch, "made.pdf")
        source.write_text(html_source(page, look), encoding="utf-8")
        command = [*CHROMIUM, f"--user-data-dir={scratch}/profile", f"--print-to-pdf={made}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        shutil.copy(made, target)


def office(page: Page, look: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "page.html")
        source.write_text(html_source(page, look), encoding="utf-8")
        _office(source, target, "pdf:writer_web_pdf_Export")


# Word and Excel, by LibreOffice


def docx(page: Page, look: str, target: Path) -> None:
    library, shared = _library("docx"), _library("docx.shared")
    oxml, ns = _library("docx.oxml").OxmlElement, _library("docx.oxml.ns").qn
    document = library.Document()
    document.styles["Normal"].font.size = shared.Pt(page.size)
    document.styles["Normal"].paragraph_format.space_after = shared.Pt(3)
    for kind, what in page.items:
        if kind != "t":
            document.add_heading(what, 2) if kind == "h" else document.add_paragraph(what)
            continue
        table = document.add_table(len(what.rows), len(what.rows[0]))
        table.style = "Table Grid" if look == "grid" else None
        for r, row in enumerate(what.rows):
            for c, text in enumerate(row):
                cell, covered = table.cell(r, c), what.covered()
                high, wide = what.span(r, c)
                if (r, c) in covered:
                    continue
                if (high, wide) != (1, 1):
                    cell = cell.merge(table.cell(r + high - 1, c + wide - 1))
                shown, mark = _parted(text)
                run = cell.paragraphs[0].add_run(shown)
                run.bold = r in what.bold
                cell.paragraphs[0].add_run(mark).font.superscript = True
                cell.paragraphs[0].alignment = "lcr".index(what.aligns[c])
                properties = cell._tc.get_or_add_tcPr()
                if look == "lines":
                    borders = oxml("w:tcBorders")
                    bottom = oxml("w:bottom")
                    for key, value in (("val", "single"), ("sz", "4")):
                        bottom.set(ns(f"w:{key}"), value)
                    borders.append(bottom)
                    properties.append(borders)
                if _filled(what, look, r):
                    shade = oxml("w:shd")
                    shade.set(ns("w:val"), "clear")
                    shade.set(ns("w:fill"), "DDE6F0")
                    properties.append(shade)
    with tempfile.TemporaryDirectory() as scratch:
        document.save(str(Path(scratch, "page.docx")))
        _office(Path(scratch, "page.docx"), target)


def xlsx(page: Page, look: str, target: Path) -> None:
    library, styles = _library("openpyxl"), _library("openpyxl.styles")
    book = library.Workbook()
    sheet, at = book.active, 1
    side = styles.Side(style="thin")
    for kind, what in page.items:
        if kind != "t":
            sheet.cell(at, 1, what).font = styles.Font(bold=kind == "h")
            at += 2
            continue
        for r, row in enumerate(what.rows):
            for c, text in enumerate(row):
                cell = sheet.cell(at + r, c + 1, text.replace("^", ""))
                cell.font = styles.Font(bold=r in what.bold, size=9)
                cell.alignment = styles.Alignment(horizontal=ALIGN[what.aligns[c]])
                if look == "grid":
                    cell.border = styles.Border(side, side, side, side)
                elif _ruled(what, look, r):
                    cell.border = styles.Border(top=side)
                width = sheet.column_dimensions["ABCDEFGHIJKL"[c]]
                width.width = max(width.width if r else 4, len(text) * 0.95 + 1)
        at += len(what.rows) + 1
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr = _library("openpyxl.worksheet.properties").PageSetupProperties(fitToPage=True)
    with tempfile.TemporaryDirectory() as scratch:
        book.save(Path(scratch, "page.xlsx"))
        _office(Path(scratch, "page.xlsx"), target)


# Typst


def _typst_table(table: Made, look: str) -> str:
    widths = ", ".join(f"{table.wraps[c]}pt" if c in table.wraps else "auto" for c in range(len(table.aligns)))
    aligns = ", ".join(ALIGN[a] for a in table.aligns)
    fills = ", ".join(str(r) for r in range(len(table.rows)) if _filled(table, look, r)) or "-2"
    lines = [f"#table(columns: ({widths}), align: ({aligns}), stroke: {'0.5pt' if look == 'grid' else 'none'}, "
             f"inset: (x: 4pt, y: 2.6pt), fill: (x, y) => if ({fills}, -1).contains(y) {{ luma(222) }},"]  # fmt: skip
    covered = table.covered()
    for r, row in enumerate(table.rows):
        lines += ["table.hline(stroke: 0.6pt),"] if _ruled(table, look, r) else []
        for c, text in enumerate(row):
            if (r, c) in covered:
                continue
            (high, wide), (shown, mark) = table.span(r, c), _parted(text)
            body = f"#{json.dumps(shown, ensure_ascii=False)}" + (f"#super({json.dumps(mark)})" if mark else "")
            body = f"*{body}*" if r in table.bold and text else body
            if look == "rotated" and r < table.header_rows and text:
                body = f"#rotate(-90deg, reflow: true)[{body}]"
            if look == "booktabs" and wide > 1 and r < table.header_rows:
                lines.append(f"table.hline(y: {r + 1}, start: {c}, end: {c + wide}, stroke: 0.4pt),")
            center = ", align: center" if wide > 1 else ""
            lines.append(f"table.cell(rowspan: {high}, colspan: {wide}{center})[{body}],")
    lines += ["table.hline(stroke: 0.6pt),"] if _ruled(table, look, len(table.rows)) else []
    return "\n".join(lines) + ")\n"


def typst(page: Page, look: str, target: Path) -> None:
    parts = [
        f"#set page(margin: 56pt, columns: {page.columns})\n#set text(size: {page.size}pt)\n#set par(justify: true)\n"
    ]
    for kind, what in page.items:
        if kind == "t":
            parts.append(f"#figure({_typst_table(what, look).lstrip('#')}, caption: [Summary.], kind: table)\n"
                         if page.columns > 1 else _typst_table(what, look))  # fmt: skip
        elif kind == "pair":
            tables = ", ".join(f"[{_typst_table(t, look)}]" for t in what)
            parts.append(f"#grid(columns: 2, gutter: 26pt, {tables})\n")
        else:
            text = json.dumps(what, ensure_ascii=False)
            parts.append(f"#heading(level: 2, {text})\n" if kind == "h" else f"#{text}\n\n")
    target.write_bytes(_library("typst").compile("".join(parts).encode()))


# ReportLab's flowables


def platypus(page: Page, look: str, target: Path) -> None:
    platypus, styles = _library("reportlab.platypus"), _library("reportlab.lib.styles").getSampleStyleSheet()
    fonts, true_type = _library("reportlab.pdfbase.pdfmetrics"), _library("reportlab.pdfbase.ttfonts").TTFont
    for name, file in (("Body", "Regular"), ("BodyBold", "Bold")):
        fonts.registerFont(true_type(name, FONT(file)))
    colour = _library("reportlab.lib.colors").HexColor("#dde6f0")
    styles["Normal"].fontName = "Body"
    story: list[Any] = []
    for kind, what in page.items:
        if kind != "t":
            story += [
                platypus.Paragraph(escape(what), styles["Heading2" if kind == "h" else "Normal"]),
                platypus.Spacer(1, 6),
            ]
            continue
        commands: list[Any] = [
            ("FONT", (0, 0), (-1, -1), "Body", page.size), ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5), ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]  # fmt: skip
        commands += [("ALIGN", (c, 0), (c, -1), ALIGN[a].upper()) for c, a in enumerate(what.aligns)]
        commands += [("SPAN", (c, r), (c + w - 1, r + h - 1)) for r, c, h, w in what.spans]
        commands += [("FONT", (0, r), (-1, r), "BodyBold", page.size) for r in what.bold]
        commands += [("GRID", (0, 0), (-1, -1), 0.5, "black")] if look == "grid" else []
        commands += [
            ("LINEABOVE", (0, r), (-1, r), 0.6, "black") for r in range(len(what.rows)) if _ruled(what, look, r)
        ]
        commands += [("BACKGROUND", (0, r), (-1, r), colour) for r in range(len(what.rows)) if _filled(what, look, r)]
        data = [[platypus.Paragraph(re.sub(r"\^(.)", r"<super>\1</super>", escape(t)), styles["Normal"])
                 if "^" in t or (c in what.wraps and r and t) else t for c, t in enumerate(row)]
                for r, row in enumerate(what.rows)]  # fmt: skip
        widths = [what.wraps.get(c) for c in range(len(what.aligns))]
        story += [
            platypus.Table(data, colWidths=widths, style=commands, repeatRows=what.header_rows),
            platypus.Spacer(1, 8),
        ]
    platypus.SimpleDocTemplate(str(target)).build(story)


# Cell by cell at given places: ReportLab's canvas and cairo


@dataclass
class _Pen:
    """Sets a page with `draw.text(x, y, text, size, bold)`, `draw.rule(x0, x1, y)` and `draw.fill(x0, y0, x1, y1)`."""

    look: str
    size: float
    width: Callable[[str, float, bool], float]
    draw: Any
    new_page: Callable[[], None]

    def wrapped(self, text: str, room: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            fits = self.width(longer, self.size, False) <= room or not lines[-1]
            lines = [*lines[:-1], longer] if fits else [*lines, word]
        return lines

    def table(self, made: Made, x: float, y: float) -> float:
        """Sets a table at a place and returns where it ends."""
        natural = [
            max(self.width(row[c], self.size, True) for r, row in enumerate(made.rows) if made.span(r, c)[1] == 1)
            for c in range(len(made.aligns))
        ]
        widths = [made.wraps.get(c, wide + 13) for c, wide in enumerate(natural)]
        xs = [x + sum(widths[:c]) for c in range(len(widths) + 1)]
        covered = made.covered()
        for r, row in enumerate(made.rows):
            cells = {
                c: self.wrapped(text, widths[c]) if c in made.wraps else [text]
                for c, text in enumerate(row) if (r, c) not in covered
            }  # fmt: skip
            high = max(map(len, cells.values())) * self.size * 1.25 + 3
            if y + high > 780:
                self.new_page()
                y = 70.0
            if _filled(made, self.look, r):
                self.draw.fill(xs[0], y, xs[-1], y + high)
            if _ruled(made, self.look, r):
                self.draw.rule(xs[0], xs[-1], y)
            for c, lines in cells.items():
                self.cell(made, r, c, lines, (xs[c], xs[c + made.span(r, c)[1]], y, y + high))
            y += high
        if _ruled(made, self.look, len(made.rows)):
            self.draw.rule(xs[0], xs[-1], y)
        return y

    def cell(self, made: Made, r: int, c: int, lines: list[str], box: tuple[float, float, float, float]) -> None:
        left, right, top, bottom = box
        wide, bold, size = made.span(r, c)[1] > 1 and r < made.header_rows, r in made.bold, self.size
        if self.look == "booktabs" and wide:
            self.draw.rule(left + 3, right - 3, bottom)
        for at, line in enumerate(lines):
            shown, mark = _parted(line)
            taken = self.width(shown, size, bold)
            start = left + 4 if made.aligns[c] == "l" else right - taken - 6
            start = (left + right - taken) / 2 if made.aligns[c] == "c" or wide else start
            self.draw.text(start, top + size * (1 + 1.25 * at) + 1, shown, size, bold)
            if mark:
                self.draw.text(start + taken, top + size * (0.7 + 1.25 * at) + 1, mark, size * 0.65, bold)


def _drawn(
    page: Page, look: str, width: Callable[[str, float, bool], float], draw: Any, new_page: Callable[[], None]
) -> None:
    pen, left, right, y = _Pen(look, page.size, width, draw, new_page), 60.0, 535.0, 70.0
    for kind, what in page.items:
        if kind == "t":
            y = pen.table(what, left, y) + 14
        elif kind == "pair":
            y = max(pen.table(made, left + at * 245, y) for at, made in enumerate(what)) + 14
        else:
            own = page.size * 1.4 if kind == "h" else page.size
            for line in pen.wrapped(what, right - left):
                draw.text(left, y + own, line, own, kind == "h")
                y += own * 1.3
            y += 6


def canvas(page: Page, look: str, target: Path) -> None:
    fonts, true_type = _library("reportlab.pdfbase.pdfmetrics"), _library("reportlab.pdfbase.ttfonts").TTFont
    for name, file in (("Body", "Regular"), ("BodyBold", "Bold")):
        fonts.registerFont(true_type(name, FONT(file)))
    sheet = _library("reportlab.pdfgen.canvas").Canvas(str(target), (595, 842))

    class Draw:
        def text(self, x: float, y: float, text: str, size: float, bold: bool) -> None:
            sheet.setFont("BodyBold" if bold else "Body", size)
            sheet.drawString(x, 842 - y, text)

        def rule(self, x0: float, x1: float, y: float) -> None:
            sheet.line(x0, 842 - y, x1, 842 - y)

        def fill(self, x0: float, y0: float, x1: float, y1: float) -> None:
            sheet.setFillGray(0.87)
            sheet.rect(x0, 842 - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
            sheet.setFillGray(0)

    _drawn(page, look, lambda t, s, b: fonts.stringWidth(t, "BodyBold" if b else "Body", s), Draw(), sheet.showPage)
    sheet.save()


def cairo(page: Page, look: str, target: Path) -> None:
    library = _library("cairocffi")
    surface = library.PDFSurface(str(target), 595, 842)
    context = library.Context(surface)
    context.set_line_width(0.6)

    def font(size: float, bold: bool) -> None:
        context.select_font_face("DejaVu Serif", library.FONT_SLANT_NORMAL, int(bold))
        context.set_font_size(size)

    def width(text: str, size: float, bold: bool) -> float:
        font(size, bold)
        return context.text_extents(text)[4]

    class Draw:
        def text(self, x: float, y: float, text: str, size: float, bold: bool) -> None:
            font(size, bold)
            context.move_to(x, y)
            context.show_text(text)

        def rule(self, x0: float, x1: float, y: float) -> None:
            context.move_to(x0, y)
            context.line_to(x1, y)
            context.stroke()

        def fill(self, x0: float, y0: float, x1: float, y1: float) -> None:
            context.set_source_rgb(0.87, 0.87, 0.87)
            context.rectangle(x0, y0, x1 - x0, y1 - y0)
            context.fill()
            context.set_source_rgb(0, 0, 0)

    _drawn(page, look, width, Draw(), context.show_page)
    surface.finish()


# fpdf2 and matplotlib


def fpdf(page: Page, look: str, target: Path) -> None:
    library = _library("fpdf")
    sheet: Any = library.FPDF(unit="pt", format="A4")
    for style, file in (("", "Regular"), ("B", "Bold")):
        sheet.add_font("Body", style, FONT(file))
    sheet.add_page()
    layouts = {"grid": "ALL", "white": "NONE", "headfill": "MINIMAL"}
    for kind, what in page.items:
        sheet.set_font("Body", "B" if kind == "h" else "", page.size * (1.4 if kind == "h" else 1))
        if kind == "t":
            longest = [max(len(row[c]) for row in what.rows) for c in range(len(what.aligns))]
            widths = [what.wraps.get(c, 6.2 * n + 12) for c, n in enumerate(longest)]
            scale, aligns = min(1.0, 480 / sum(widths)), [ALIGN[a].upper() for a in what.aligns]
            sizes = {"col_widths": [w * scale for w in widths], "width": sum(widths) * scale}
            options = {**sizes, "align": "LEFT", "text_align": aligns, "line_height": page.size * 1.4}
            with sheet.table(borders_layout=layouts[look], **options) as table:
                for row in what.rows:
                    table.row(row)
        else:
            sheet.multi_cell(0, page.size * 1.4, what, new_x="LMARGIN", new_y="NEXT")
        sheet.ln(8)
    sheet.output(str(target))


def matplotlib(page: Page, look: str, target: Path) -> None:
    library = _library("matplotlib.figure")
    _library("matplotlib").rcParams["pdf.fonttype"] = 42
    figure = library.Figure(figsize=(8.27, 6))
    axes = figure.subplots()
    axes.axis("off")
    axes.set_title(page.items[0][1])
    rows = page.tables[0].rows
    axes.table(cellText=rows[1:], colLabels=rows[0], loc="center").auto_set_column_width(list(range(len(rows[0]))))
    figure.savefig(target)


PRODUCERS: dict[str, Callable[[Page, str, Path], None]] = {
    f.__name__: f for f in (chromium, office, docx, xlsx, typst, platypus, canvas, cairo, fpdf, matplotlib)
}
