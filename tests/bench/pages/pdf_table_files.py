"""Makes tables of known structure and typesets each to PDF by three producers: Typst, LibreOffice and ReportLab.
It knows nothing of how they are read.

    PYTHON tests/bench/pages/pdf_table_files.py FOLDER [--seed N] [--count N]

PYTHON has typst and reportlab; LibreOffice is `soffice`. FOLDER gets one PDF a table, style and producer, and
`truth.json`: `{file: {style, producer, tables: [{rows, spans, header_rows}]}}`. `rows` are the texts of the grid, in
the first cell of a merged region only; `spans` are `[row, column, rows, columns]`. What a raised mark follows is told
from it by `^`: a reader does not read it as one number.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

STYLES = (
    "booktabs", "ruled", "filled", "white", "levels", "groups", "wrapped", "notes", "beside", "continued", "rotated",
)  # fmt: skip
PRODUCERS = ("typst", "libreoffice", "reportlab")
WORDS = (
    "river", "stone", "method", "harbour", "signal", "winter", "copper", "garden", "market", "travel", "paper",
    "window", "engine", "forest", "bridge", "silver", "planet", "school", "doctor", "letter", "summer",
    "valley", "bottle", "camera", "island", "kitchen", "ladder", "mirror", "number", "orange", "pocket",
    "quartz", "ribbon", "saddle", "temple", "velvet", "walnut", "yellow", "zipper", "anchor", "basket",
    "candle", "desert",
)  # fmt: skip
CHARACTER = 0.56
"""Of the type size: about how wide a character is, where a producer must be told the widths of columns."""


@dataclass
class MadeTable:
    """A table and how it is to look. `rules` are horizontal: (boundary, first column, end column); a column with a
    width in `wraps` (points) breaks its lines; a text may end in `^` and a raised mark."""

    rows: list[list[str]]
    header_rows: int
    aligns: list[str]
    spans: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    rules: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    grid: bool = False
    fills: list[int] = field(default_factory=list[int])
    bold: list[int] = field(default_factory=list[int])
    wraps: dict[int, float] = field(default_factory=dict[int, float])
    rotated: bool = False

    @property
    def columns(self) -> int:
        return len(self.rows[0])

    def span(self, row: int, column: int) -> tuple[int, int]:
        return next(((h, w) for r, c, h, w in self.spans if (r, c) == (row, column)), (1, 1))

    def covered(self) -> set[tuple[int, int]]:
        return {
            (i, j) for r, c, h, w in self.spans for i in range(r, r + h) for j in range(c, c + w) if (i, j) != (r, c)
        }

    def truth(self) -> dict[str, Any]:
        return {"rows": self.rows, "spans": self.spans, "header_rows": self.header_rows}


@dataclass
class Sheet:
    """One file: its tables (two stand side by side), type and the text around them."""

    tables: list[MadeTable]
    size: float
    gap: float
    pad: float
    serif: bool
    caption: str
    above: str
    below: str


def _words(rng: random.Random, low: int, high: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))


def _prose(rng: random.Random, words: int) -> str:
    sentences: list[str] = []
    while sum(len(s.split()) for s in sentences) < words:
        sentences.append(_words(rng, 7, 16).capitalize() + ".")
    return " ".join(sentences)


VALUES: dict[str, Callable[[random.Random], str]] = {
    "int": lambda r: f"{r.randint(1, 98_000):,}",
    "dec": lambda r: f"{r.random():.3f}",
    "one": lambda r: f"{r.uniform(0, 500):.1f}",
    "pct": lambda r: f"{r.uniform(0, 100):.1f}%",
    "money": lambda r: f"${r.randint(10, 9000):,}",
    "pm": lambda r: f"{r.uniform(10, 99):.1f} ± {r.uniform(0, 3):.1f}",
    "date": lambda r: f"{r.randint(1990, 2025)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
    "word": lambda r: _words(r, 1, 2).capitalize(),
    "phrase": lambda r: _words(r, 2, 4).capitalize(),
    "yn": lambda r: r.choice(("yes", "no")),
}
WORDY = ("word", "phrase", "yn", "date")


def _body(rng: random.Random, rows: int, columns: int, *, figures: float) -> tuple[list[list[str]], list[str]]:
    """Body rows and the alignment of each column; `figures` is the chance of a column of figures."""
    names = rng.sample(WORDS, min(rows, len(WORDS)))
    body = [[(names[r % len(names)] + (f" {rng.choice(WORDS)}" if rng.random() < 0.4 else "")).capitalize()]
            for r in range(rows)]  # fmt: skip
    aligns = ["left"]
    for _ in range(1, columns):
        kind = rng.choice([k for k in VALUES if k not in WORDY] if rng.random() < figures else WORDY)
        aligns.append("left" if kind in WORDY else rng.choice(("right", "right", "center")))
        for row in body:
            row.append(VALUES[kind](rng) if rng.random() > 0.05 else rng.choice(("–", "")))
    return body, aligns


def _heads(rng: random.Random, columns: int) -> list[str]:
    return [rng.choice(WORDS).capitalize() + (" (kg)" if rng.random() < 0.15 else "") for _ in range(columns)]


def _plain(rng: random.Random, *, rows: tuple[int, int] = (4, 14), columns: tuple[int, int] = (3, 7)) -> MadeTable:
    count = rng.randint(*columns)
    body, aligns = _body(rng, rng.randint(*rows), count, figures=0.7)
    table = MadeTable([_heads(rng, count), *body], 1, aligns)
    table.bold = [0] if rng.random() < 0.5 else []
    return table


def _with_rules(table: MadeTable) -> MadeTable:
    """Top, middle and bottom rule."""
    table.rules = [(at, 0, table.columns) for at in (0, table.header_rows, len(table.rows))]
    return table


def _with_look(rng: random.Random, table: MadeTable) -> MadeTable:
    """Rules, a grid or filled rows, as chance has it."""
    look = rng.choice(("rules", "grid", "fill"))
    if look == "rules":
        return _with_rules(table)
    table.grid = look == "grid"
    table.fills = list(range(table.header_rows, len(table.rows), 2)) if look == "fill" else []
    return table


def _levels(rng: random.Random) -> MadeTable:
    groups = [rng.randint(2, 3) for _ in range(rng.randint(2, 3))]
    count = 1 + sum(groups)
    body, _ = _body(rng, rng.randint(4, 10), count, figures=1.0)
    lower = _heads(rng, count)
    upper = [""] * count
    table = MadeTable([upper, lower, *body], 2, ["left", *["center"] * (count - 1)])
    at = 1
    table.rules = [(0, 0, count), (2, 0, count), (len(body) + 2, 0, count)]
    for width in groups:
        upper[at] = _words(rng, 1, 2).capitalize()
        table.spans.append((0, at, 1, width))
        table.rules.append((1, at, at + width))
        at += width
    if rng.random() < 0.5:
        table.spans.append((0, 0, 2, 1))
        upper[0], lower[0] = lower[0], ""
    if rng.random() < 0.3:
        table.rules, table.grid = [], True
    return table


def _groups(rng: random.Random) -> MadeTable:
    table = _plain(rng, rows=(6, 12))
    header, body = table.rows[0], table.rows[1:]
    labelled = rng.random() < 0.5
    rows = [["", *header] if labelled else header]
    rows[0][0] = rows[0][0] or "Group"
    table.rules = [(0, 0, len(rows[0])), (1, 0, len(rows[0]))]
    while body:
        size = min(rng.randint(2, 4), len(body))
        own, body = body[:size], body[size:]
        name = _words(rng, 1, 2).capitalize()
        at = len(rows)
        if labelled:
            rows += [[name if i == 0 else "", *row] for i, row in enumerate(own)]
            if size > 1:
                table.spans.append((at, 0, size, 1))
        else:
            rows += [[name, *[""] * (len(header) - 1)], *own]
            table.spans.append((at, 0, 1, len(header)))
            table.bold.append(at)
        table.rules.append((len(rows), 0, len(rows[0])))
    table.rows = rows
    table.aligns = ["left", *table.aligns] if labelled else table.aligns
    if rng.random() < 0.3:
        table.rules, table.grid = [], True
    return table


def _wrapped(rng: random.Random) -> MadeTable:
    table = _plain(rng, rows=(4, 8), columns=(3, 5))
    at = rng.choice((0, table.columns - 1))
    table.wraps[at] = rng.uniform(90, 130)
    table.aligns[at] = "left"
    for row in table.rows[1:]:
        row[at] = _words(rng, 3, 9).capitalize()
    return _with_look(rng, table)


def _notes(rng: random.Random) -> MadeTable:
    table = _plain(rng)
    for row in table.rows:
        for c in range(table.columns):
            if row[c] and row[c] != "–" and rng.random() < 0.15:
                row[c] += rng.choice(("*", "†", "^a", "^b", "^1"))
    return _with_look(rng, table)


def made_sheet(style: str, rng: random.Random, *, tight: bool = False) -> Sheet:
    """A file's content in a style; `tight` sets columns so close that readers may take two for one."""
    makers = {
        "booktabs": lambda: _with_rules(_plain(rng)), "white": lambda: _plain(rng), "levels": lambda: _levels(rng),
        "groups": lambda: _groups(rng), "wrapped": lambda: _wrapped(rng), "notes": lambda: _notes(rng),
    }  # fmt: skip
    if style in makers:
        tables = [makers[style]()]
    elif style == "beside":
        tables = [_with_look(rng, _plain(rng, rows=(4, 8), columns=(2, 3))) for _ in range(2)]
    else:
        table = _plain(rng, rows=(70, 130), columns=(3, 6)) if style == "continued" else _plain(rng)
        if style == "continued":
            _with_look(rng, table)
        table.grid = table.grid or style == "ruled"
        if style == "filled":
            table.fills = list(range(rng.choice((0, 1)), len(table.rows), 2))
        if style == "rotated":
            table.rotated = True
            table.rows[0] = [head if c else "" for c, head in enumerate(table.rows[0])]
            _with_look(rng, table)
        tables = [table]
    caption = f"Table {rng.randint(1, 9)}: {_words(rng, 4, 10).capitalize()}." if rng.random() < 0.6 else ""
    gap = rng.uniform(2, 6) if tight else rng.uniform(9, 20)
    return Sheet(
        tables, rng.choice((8.0, 9.0, 10.0, 11.0)), gap, rng.uniform(2, 5), rng.random() < 0.5, caption,
        _prose(rng, rng.randint(40, 120)), _prose(rng, rng.randint(40, 120)),
    )  # fmt: skip


def _parted(text: str) -> tuple[str, str]:
    """The text and the raised mark after it."""
    before, caret, mark = text.partition("^")
    return (before, mark) if caret else (text, "")


def _widths(table: MadeTable, sheet: Sheet) -> list[float]:
    """Widths of the columns for producers that do not find them: what the longest cell of one column needs."""
    covered, widths = table.covered(), [0.0] * table.columns
    for r, row in enumerate(table.rows):
        for c, text in enumerate(row):
            if (r, c) not in covered and table.span(r, c)[1] == 1:
                shown = 2 if table.rotated and r == 0 else len(text)
                widths[c] = max(widths[c], (shown + 1) * CHARACTER * sheet.size + sheet.gap)
    return [table.wraps.get(c, width) for c, width in enumerate(widths)]


def _page_width(sheet: Sheet) -> float:
    """Of paper wide enough for the tables, in points."""
    return max(595.0, sum(sum(_widths(table, sheet)) + sheet.gap for table in sheet.tables) + 140.0)


# Typst


def _typst_text(text: str) -> str:
    shown, mark = _parted(text)
    quoted = json.dumps(shown, ensure_ascii=False)
    return f"#{quoted}" + (f"#super[{mark}]" if mark else "")


def _typst_table(table: MadeTable, sheet: Sheet) -> str:
    columns = ", ".join(f"{table.wraps[c]:.0f}pt" if c in table.wraps else "auto" for c in range(table.columns))
    fills = ", ".join(map(str, [*table.fills, -1]))
    lines = [
        f"#table(columns: ({columns}), stroke: {'0.5pt' if table.grid else 'none'}, align: ({', '.join(table.aligns)}),"
        f" inset: (x: {sheet.gap / 2:.1f}pt, y: {sheet.pad:.1f}pt),"
        f" fill: (x, y) => if ({fills},).contains(y) {{ luma(225) }},"
    ]
    covered = table.covered()
    for r, row in enumerate(table.rows):
        if r == 0:
            lines.append("table.header(")
        lines += [f"table.hline(start: {a}, end: {b}, stroke: 0.6pt)," for at, a, b in table.rules if at == r]
        for c, text in enumerate(row):
            if (r, c) in covered:
                continue
            body = _typst_text(text)
            if table.rotated and r < table.header_rows:
                body = f"#rotate(-90deg, reflow: true)[{body}]"
            body = f"*{body}*" if r in table.bold and text else body
            height, width = table.span(r, c)
            lines.append(f"table.cell(rowspan: {height}, colspan: {width})[{body}],")
        if r == table.header_rows - 1:
            lines.append("),")
    lines += [f"table.hline(start: {a}, end: {b}, stroke: 0.6pt)," for at, a, b in table.rules if at == len(table.rows)]
    return "\n".join(lines) + ")\n"


def typst_pdf(sheet: Sheet, path: Path) -> None:
    """Typesets with Typst."""
    font = "Libertinus Serif" if sheet.serif else "DejaVu Sans"
    tables = [_typst_table(table, sheet) for table in sheet.tables]
    shown = tables[0]
    if len(tables) > 1:
        shown = "#grid(columns: 2, gutter: 24pt, " + ", ".join(f"[{table}]" for table in tables) + ")"
    source = (
        f"#set page(width: {_page_width(sheet):.0f}pt, height: 842pt, margin: 60pt)\n"
        f"#set text(font: ({json.dumps(font)},), size: {sheet.size}pt)\n"
        f"#set par(justify: true)\n#{json.dumps(sheet.above)}\n\n#{json.dumps(sheet.caption)}\n\n{shown}\n"
        f"#{json.dumps(sheet.below)}\n"
    )
    typst: Any = importlib.import_module("typst")
    path.write_bytes(typst.compile(source.encode()))


# LibreOffice


def _odf_table(table: MadeTable, sheet: Sheet, name: str, styles: list[str]) -> str:
    widths, covered = _widths(table, sheet), table.covered()
    styles.append(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties '
        f'style:width="{sum(widths):.1f}pt" table:align="left"/></style:style>'
    )
    columns: list[str] = []
    for c, width in enumerate(widths):
        styles.append(
            f'<style:style style:name="{name}.c{c}" style:family="table-column"><style:table-column-properties '
            f'style:column-width="{width:.1f}pt"/></style:style>'
        )
        columns.append(f'<table:table-column table:style-name="{name}.c{c}"/>')
    rows: list[str] = []
    for r, row in enumerate(table.rows):
        cells: list[str] = []
        for c, text in enumerate(row):
            if (r, c) in covered:
                cells.append("<table:covered-table-cell/>")
                continue
            cells.append(_odf_cell(table, sheet, f"{name}.{r}.{c}", (r, c), text, styles))
        tall = ""
        if table.rotated and r < table.header_rows:
            tall = f' table:style-name="{name}.tall"'
            height = (max(map(len, row)) + 1) * CHARACTER * sheet.size + 2 * sheet.pad
            styles.append(
                f'<style:style style:name="{name}.tall" style:family="table-row"><style:table-row-properties '
                f'style:min-row-height="{height:.1f}pt"/></style:style>'
            )
        rows.append(f"<table:table-row{tall}>{''.join(cells)}</table:table-row>")
    head = f"<table:table-header-rows>{''.join(rows[: table.header_rows])}</table:table-header-rows>"
    body = "".join(rows[table.header_rows :])
    return f'<table:table table:name="{name}" table:style-name="{name}">{"".join(columns)}{head}{body}</table:table>'


def _odf_cell(table: MadeTable, sheet: Sheet, name: str, place: tuple[int, int], text: str, styles: list[str]) -> str:
    r, c = place
    height, width = table.span(r, c)
    line = "0.5pt solid #000000"
    borders = f'fo:border="{line}"' if table.grid else 'fo:border="none"'
    if any(at == r and a <= c < b for at, a, b in table.rules):
        borders += f' fo:border-top="{line}"'
    if any(at == r + height and a <= c < b for at, a, b in table.rules):
        borders += f' fo:border-bottom="{line}"'
    fill = ' fo:background-color="#e1e1e1"' if r in table.fills else ""
    turned = ' style:writing-mode="bt-lr"' if table.rotated and r < table.header_rows else ""
    styles.append(
        f'<style:style style:name="{name}" style:family="table-cell"><style:table-cell-properties {borders}{fill} '
        f"{turned} "
        f'fo:padding-left="{sheet.gap / 2:.1f}pt" fo:padding-right="{sheet.gap / 2:.1f}pt" '
        f'fo:padding-top="{sheet.pad:.1f}pt" fo:padding-bottom="{sheet.pad:.1f}pt"/></style:style>'
        f'<style:style style:name="{name}p" style:family="paragraph"><style:paragraph-properties '
        f'fo:text-align="{table.aligns[c]}"/><style:text-properties fo:font-size="{sheet.size}pt" '
        f'fo:font-weight="{"bold" if r in table.bold else "normal"}"/></style:style>'
    )
    shown, mark = _parted(text)
    raised = f'<text:span text:style-name="raised">{escape(mark)}</text:span>' if mark else ""
    return (
        f'<table:table-cell table:style-name="{name}" table:number-rows-spanned="{height}" '
        f'table:number-columns-spanned="{width}"><text:p text:style-name="{name}p">{escape(shown)}{raised}</text:p>'
        "</table:table-cell>"
    )


def odf_source(sheet: Sheet) -> str:
    """A flat OpenDocument text (ODF 1.3, part 3)."""
    styles: list[str] = []
    tables = [_odf_table(table, sheet, f"T{at}", styles) for at, table in enumerate(sheet.tables)]
    shown = tables[0]
    if len(tables) > 1:
        cells = "".join(f"<table:table-cell>{table}<text:p/></table:table-cell>" for table in tables)
        shown = (
            '<table:table table:name="Outer"><table:table-column table:number-columns-repeated="2"/>'
            f"<table:table-row>{cells}</table:table-row></table:table>"
        )
    font = "Liberation Serif" if sheet.serif else "Liberation Sans"
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"'
        for name, path in (
            ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"),
            ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"),
        )
    )  # fmt: skip
    paragraphs = [f'<text:p text:style-name="body">{escape(text)}</text:p>' for text in (sheet.above, sheet.caption)]
    return (
        f'<?xml version="1.0"?><office:document {spaces} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:font-face-decls><style:font-face '
        f'style:name="F" svg:font-family="{font}"/></office:font-face-decls><office:styles><style:default-style '
        f'style:family="paragraph"><style:text-properties style:font-name="F" fo:font-size="{sheet.size}pt"/>'
        "</style:default-style></office:styles><office:automatic-styles>"
        '<style:page-layout style:name="pm"><style:page-layout-properties '
        f'fo:page-width="{_page_width(sheet):.0f}pt" fo:page-height="842pt" '
        'fo:margin="50pt"/></style:page-layout>'
        '<style:style style:name="body" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="8pt" '
        'fo:text-align="justify"/></style:style><style:style style:name="raised" style:family="text">'
        f'<style:text-properties style:text-position="super 60%"/></style:style>{"".join(styles)}'
        "</office:automatic-styles><office:master-styles>"
        '<style:master-page style:name="Standard" style:page-layout-name="pm"/></office:master-styles>'
        f'<office:body><office:text>{"".join(paragraphs)}{shown}<text:p text:style-name="body">{escape(sheet.below)}'
        "</text:p></office:text></office:body></office:document>"
    )


# ReportLab


def _rl_table(table: MadeTable, sheet: Sheet, rl: dict[str, Any]) -> Any:
    covered = table.covered()
    fonts = ("Times-Roman", "Times-Bold") if sheet.serif else ("Helvetica", "Helvetica-Bold")
    style: list[tuple[Any, ...]] = [
        ("FONT", (0, 0), (-1, -1), fonts[0], sheet.size, sheet.size * 1.2), ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), sheet.gap / 2), ("RIGHTPADDING", (0, 0), (-1, -1), sheet.gap / 2),
        ("TOPPADDING", (0, 0), (-1, -1), sheet.pad), ("BOTTOMPADDING", (0, 0), (-1, -1), sheet.pad),
    ]  # fmt: skip
    style += [("ALIGN", (c, 0), (c, -1), align.upper()) for c, align in enumerate(table.aligns)]
    style += [("FONTNAME", (0, r), (-1, r), fonts[1]) for r in table.bold]
    style += [("BACKGROUND", (0, r), (-1, r), rl["colors"].Color(0.88, 0.88, 0.88)) for r in table.fills]
    style += [("SPAN", (c, r), (c + w - 1, r + h - 1)) for r, c, h, w in table.spans]
    if table.grid:
        style.append(("GRID", (0, 0), (-1, -1), 0.5, rl["colors"].black))
    for at, a, b in table.rules:
        where = ("LINEABOVE", at) if at < len(table.rows) else ("LINEBELOW", at - 1)
        style.append((where[0], (a, where[1]), (b - 1, where[1]), 0.6, rl["colors"].black))
    data: list[list[Any]] = []
    for r, row in enumerate(table.rows):
        data.append(["" if (r, c) in covered else _rl_cell(table, sheet, r, c, rl) for c in range(len(row))])
    widths = [table.wraps.get(c) for c in range(table.columns)] if table.wraps else None
    if any("^" in text for row in table.rows for text in row):
        widths = _widths(table, sheet)
    return rl["Table"](data, colWidths=widths, style=style, repeatRows=table.header_rows)


def _rl_cell(table: MadeTable, sheet: Sheet, r: int, c: int, rl: dict[str, Any]) -> Any:
    text = table.rows[r][c]
    shown, mark = _parted(text)
    if table.rotated and r < table.header_rows:
        return rl["turned"](text, "Times-Roman" if sheet.serif else "Helvetica", sheet.size)
    if not mark and c not in table.wraps:
        return text
    bold = r in table.bold
    name = ("Times-Bold" if bold else "Times-Roman") if sheet.serif else ("Helvetica-Bold" if bold else "Helvetica")
    style = rl["ParagraphStyle"](
        "cell", fontName=name, fontSize=sheet.size, leading=sheet.size * 1.2,
        alignment={"left": 0, "center": 1, "right": 2}[table.aligns[c]],
    )  # fmt: skip
    return rl["Paragraph"](escape(shown) + (f"<super>{mark}</super>" if mark else ""), style)


def _reportlab() -> dict[str, Any]:
    platypus: Any = importlib.import_module("reportlab.platypus")
    styles: Any = importlib.import_module("reportlab.lib.styles")

    class Turned(platypus.Flowable):
        """Text that runs upwards."""

        def __init__(self, text: str, font: str, size: float) -> None:
            super().__init__()
            self.text, self.font, self.size = text, font, size

        def wrap(self, *_: float) -> tuple[float, float]:
            metrics: Any = importlib.import_module("reportlab.pdfbase.pdfmetrics")
            return self.size, metrics.stringWidth(self.text, self.font, self.size) + 2

        def draw(self) -> None:
            canvas: Any = self.canv
            canvas.setFont(self.font, self.size)
            canvas.rotate(90)
            canvas.drawString(0, -self.size, self.text)

    return {
        "Table": platypus.Table, "Paragraph": platypus.Paragraph, "Spacer": platypus.Spacer, "turned": Turned,
        "SimpleDocTemplate": platypus.SimpleDocTemplate, "ParagraphStyle": styles.ParagraphStyle,
        "colors": importlib.import_module("reportlab.lib.colors"),
    }  # fmt: skip


def reportlab_pdf(sheet: Sheet, path: Path) -> None:
    """Typesets with ReportLab."""
    rl = _reportlab()
    body = rl["ParagraphStyle"](
        "body", fontName="Times-Roman" if sheet.serif else "Helvetica", fontSize=sheet.size, leading=sheet.size * 1.25,
        alignment=4,
    )  # fmt: skip
    tables = [_rl_table(table, sheet, rl) for table in sheet.tables]
    for table in tables:
        table.hAlign = "CENTER" if len(sheet.above) % 2 else "LEFT"
    shown = tables[0] if len(tables) == 1 else rl["Table"]([tables], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])
    template = rl["SimpleDocTemplate"](str(path), pagesize=(_page_width(sheet), 842), leftMargin=50, rightMargin=50)
    caption = [rl["Paragraph"](sheet.caption, body), rl["Spacer"](1, 8)] if sheet.caption else []
    template.build(
        [rl["Paragraph"](sheet.above, body), rl["Spacer"](1, 12), *caption, shown, rl["Spacer"](1, 12),
         rl["Paragraph"](sheet.below, body)]
    )  # fmt: skip


def make(folder: Path, seed: int, count: int, *, tight: bool) -> None:
    """Writes `count` files a style and producer, and `truth.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    truth: dict[str, Any] = {}
    flat: list[Path] = []
    for style in STYLES:
        for producer in PRODUCERS:
            for number in range(count):
                sheet = made_sheet(style, random.Random(f"{seed} {style} {producer} {number}"), tight=tight)
                path = folder / f"{style}-{producer}-{number}.pdf"
                if producer == "libreoffice":
                    flat.append(path.with_suffix(".fodt"))
                    flat[-1].write_text(odf_source(sheet), encoding="utf-8")
                else:
                    (typst_pdf if producer == "typst" else reportlab_pdf)(sheet, path)
                tables = [table.truth() for table in sheet.tables]
                truth[path.name] = {"style": style, "producer": producer, "tables": tables}
    command = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", str(folder), *map(str, flat)]
    subprocess.run(command, check=True, capture_output=True)
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--tight", action="store_true", help="columns set close to one another")
    arguments = parser.parse_args()
    make(arguments.folder, arguments.seed, arguments.count, tight=arguments.tight)


if __name__ == "__main__":
    main()
