"""More files of the sixth set: exports, reports, statements, attachments and caches, less usual than the others."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import openpyxl
import table_layouts_sixth as rare
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table as SheetTable
from table_blocks_sixth import (
    GOODS,
    TONGUES,
    At,
    Block,
    Cell,
    Column,
    Tongue,
    Value,
    losses,
    marks,
    plain,
    put,
    put_head,
    subtotals,
    totals,
    two_level,
    years,
)  # fmt: skip
from table_books_sixth import WRITERS, Made, chosen, some_tongue
from table_questions_sixth import Asked, Held
from table_writers_sixth import (
    Page,
    html_page,
    markdown,
    print_page,
    write_csv,
    write_docx,
    write_openpyxl,
    write_text,
    write_xlsxwriter,
)  # fmt: skip

Layout = Callable[[random.Random, Tongue], Block]


def minus(block: Block) -> Block:
    return rare.texted(block, lambda text: text.replace("-", "\u2212") if text[1:2].isdigit() else text)


def trailing(block: Block) -> Block:
    """Minus signs behind the figures, as SAP writes them."""
    return rare.texted(block, lambda text: text[1:] + "-" if text.startswith("-") and text[1:2].isdigit() else text)


def with_minus(rng: random.Random, tongue: Tongue) -> Block:
    return minus(losses(rng, replace(TONGUES["de"], dates=tongue.dates)))


def with_texts(rng: random.Random, tongue: Tongue) -> Block:
    return rare.texted(plain(rng, tongue))


def with_marked_texts(rng: random.Random, tongue: Tongue) -> Block:
    return rare.texted(marks(rng, tongue))


def money(shape: str) -> Layout:
    """A list of prices with the currency written in one of many ways."""

    def made(rng: random.Random, tongue: Tongue) -> Block:
        block = plain(rng, replace(tongue, money=shape))
        while not block.of("money"):
            block = plain(rng, replace(tongue, money=shape))
        return block

    return made


def bold(rng: random.Random, tongue: Tongue) -> Block:
    """Markdown whose last row is bold."""
    block = totals(rng, tongue)
    rare.texted(block)
    block.lines[-1] = [Cell(f"**{cell.value}**" if cell.value else None, "text") for cell in block.lines[-1]]
    return block


def words(make: Layout) -> str:
    return make.__name__.replace("_", " ")


SHEETS: dict[str, list[Layout]] = {
    "xlsx": [
        rare.outline, rare.total_first, rare.total_beside, rare.ruled, rare.total_column, rare.spread_heads,
        rare.three_level, rare.wrapped_heads, rare.numbered, rare.unnamed, rare.remarked, rare.titled_inside,
        rare.spaced, rare.flagged, rare.stamped, rare.statement, rare.large, with_texts,
        with_marked_texts,
    ],
    "xlsxwriter": [rare.total_column, rare.outline, rare.statement, rare.flagged],
    "ods": [rare.outline, rare.three_level, rare.statement, rare.stamped, rare.wrapped_heads, rare.flagged],
}  # fmt: skip
CSVS: list[tuple[str, str, str, Layout]] = [
    ("de", ";", "cp1252", rare.outline), ("us", ",", "utf-8", rare.total_first), ("us", ",", "utf-8", rare.ruled),
    ("fr", ";", "utf-8", rare.total_column), ("de", ";", "utf-8", rare.statement), ("us", ",", "utf-8", rare.remarked),
    ("us", ",", "utf-8", rare.unnamed), ("de", ";", "utf-8-sig", rare.wrapped_heads), ("fr", ";", "utf-8", rare.large),
    ("uk", ",", "utf-8", rare.stamped), ("de", ";", "utf-8", money("EUR #")), ("us", "\t", "utf-8", money("USD #")),
    ("fr", ";", "utf-8", money("# EUR")), ("ch", ";", "utf-8", money("# CHF")), ("de", ";", "utf-8", rare.spread_heads),
]  # fmt: skip
DOCUMENTS: dict[str, list[Layout]] = {
    "docx": [rare.titled_inside, rare.three_level, rare.statement, rare.total_beside, rare.numbered, with_minus,
             rare.total_column, rare.outline],
    "html": [rare.three_level, rare.statement, rare.titled_inside, with_minus, rare.outline, rare.total_first],
    "htm": [totals, two_level, rare.numbered],
    "pptx": [rare.statement, rare.titled_inside, rare.total_column, subtotals],
    "md": [bold, rare.numbered, with_minus, rare.total_column, subtotals],
    "eml": [rare.three_level, rare.statement],
    "ipynb": [rare.unnamed, rare.total_column],
}  # fmt: skip


def sheets(made: Made) -> None:
    for producer, layouts in SHEETS.items():
        for make in layouts:
            block = make(made.rng, some_tongue(made))
            suffix = "ods" if producer == "ods" else "xlsx"
            name, page = made.name(words(make), suffix), Page("Report")
            titled = made.rng.random() < 0.6 and make not in (rare.titled_inside, rare.unnamed, rare.large)
            first = page.write(block, 1, made.rng.randrange(1, 3) if titled else 1, titled, titled)
            if producer == "xlsxwriter":
                write_xlsxwriter(made.folder / name, [page])
            else:
                write_openpyxl(made.folder / name if suffix == "xlsx" else made.later(suffix, name), [page])
            made.offer(block, name, page.name, producer, words(make), first)


def texts(made: Made) -> None:
    for tongue, delimiter, encoding, make in CSVS:
        block = make(made.rng, TONGUES[tongue])
        if encoding == "cp1252":
            block.tongue = replace(block.tongue, thousands=".")
        label = words(make) if make.__name__ != "made" else "money " + make(made.rng, TONGUES[tongue]).tongue.money
        name, page = made.name(f"{make.__name__}-{tongue}", "csv"), Page("1")
        first = page.write(block, 1, 1, False, False)
        write_csv(made.folder / name, page, delimiter, encoding, made.rng.random() < 0.5)
        made.offer(block, name, "", "csv", label, first)
    tongue = TONGUES["de"]
    block = trailing(losses(made.rng, tongue))
    name, page = made.name("trailing-minus", "csv"), Page("1")
    made.offer(block, name, "", "csv", "trailing minus", page.write(block, 1, 1, False, False))
    write_csv(made.folder / name, page, ";", "utf-8", True)
    parameters(made, "csv")


def parameters(made: Made, suffix: str) -> None:
    """What a report was run with stands above its table; a remark stands beside it in a sheet."""
    block, page = plain(made.rng, TONGUES["de"]), Page("Bericht")
    for row, pair in enumerate(
        (("Mandant:", "100"), ("Zeitraum:", "01.01.2024 - 31.12.2024"), ("Nutzer:", "MEIER")), 1
    ):
        for column, text in enumerate(pair, 1):
            page.cells[row, column] = (Cell(text, "text"), block)
    first = page.write(block, 5, 1, False, False)
    name = made.name("parameters", suffix)
    if suffix == "csv":
        write_csv(made.folder / name, page, ";", "utf-8", True)
    else:
        page.cells[first + 3, len(block.columns) + 3] = (Cell("bitte prüfen, HM", "text"), block)
        write_openpyxl(made.folder / name, [page])
    made.offer(block, name, page.name if suffix == "xlsx" else "", suffix, "parameters", first)


def documents(made: Made) -> None:
    for suffix, layouts in DOCUMENTS.items():
        for make in layouts:
            block = make(made.rng, some_tongue(made))
            name = made.name(make.__name__, suffix)
            WRITERS[suffix](made.folder / name, block)
            made.offer(block, name, "", "html" if suffix == "htm" else suffix, words(make), 1)
    twins(made)
    nested(made)
    attached(made)


def twins(made: Made) -> None:
    """Two tables with the same headings in one text, told apart by the titles above them."""
    for suffix in ("docx", "html"):
        first = years(made.rng, TONGUES["de"])
        second = years(made.rng, TONGUES["de"])
        first.title, second.title = "Strom in MWh", "Wasser in m³"
        name = made.name("twins", suffix)
        if suffix == "docx":
            write_docx(made.folder / name, [first, second])
        else:
            write_text(made.folder / name, html_page([first, second]))
        for block in (first, second):
            made.offer(block, name, "", suffix, "twins", 1)


def nested(made: Made) -> None:
    """A web page laid out by a table, its menu in one cell and the table of data in another."""
    block = totals(made.rng, some_tongue(made))
    page = html_page([block], True).replace("<body>", "<body><table><tr><td><a>Home</a><br><a>News</a></td><td>", 1)
    name = made.name("nested", "html")
    write_text(made.folder / name, page.replace("</body>", "</td></tr></table></body>"))
    made.offer(block, name, "", "html", "nested", 1)


def attached(made: Made) -> None:
    """A message with a workbook."""
    block, page = totals(made.rng, some_tongue(made)), Page("Anlage")
    first, name = page.write(block, 1, 1, True, False), made.name("attached", "eml")
    draft = made.drafts / "anlage.xlsx"
    write_openpyxl(draft, [page])
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a.gross@example.org", "team@example.org", "Zahlen"
    mail.set_content("Anbei die Zahlen.\n")
    kind = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    mail.add_attachment(draft.read_bytes(), "application", kind, filename="anlage.xlsx")
    (made.folder / name).write_bytes(mail.as_bytes())
    made.offer(block, name, page.name, "eml", "attached", first)


def printed(made: Made) -> None:
    """PDFs of web pages without rules, of workbooks, of long Word tables and of Markdown set by Typst."""
    for make in (totals, rare.three_level, rare.outline) if shutil.which("chromium") else ():
        block, name = make(made.rng, some_tongue(made)), made.name(f"{make.__name__}-bare", "pdf")
        draft = made.drafts / (name[:-4] + ".html")
        style = "th{border-bottom:1px solid}td{padding:2px 14px}"
        write_text(draft, html_page([block]).replace(' border="1"', "").replace("</style>", f"{style}</style>"))
        print_page(draft, made.folder / name)
        made.offer(block, name, "", "pdf", f"{words(make)} bare", 1)
    if shutil.which("soffice"):
        for make in (totals, rare.statement, plain):
            block, name, page = make(made.rng, some_tongue(made)), made.name(f"{make.__name__}-sheet", "pdf"), Page("A")
            page.write(block, 1, 1, True, True)
            write_openpyxl(made.drafts / (name[:-4] + ".xlsx"), [page])
            made.waiting.setdefault("pdf", []).append(made.drafts / (name[:-4] + ".xlsx"))
            made.offer(block, name, "", "pdf", f"{words(make)} of a sheet", 1)
            made.unplaced()
        block, name = rare.large(made.rng, TONGUES["de"]), made.name("long", "pdf")
        block.lines, block.records = block.lines[:81], block.records[:80]
        write_docx(made.drafts / (name[:-4] + ".docx"), [block])
        made.waiting["pdf"].append(made.drafts / (name[:-4] + ".docx"))
        made.offer(block, name, "", "pdf", "over pages", 1)
        made.unplaced()
    for make in (plain, bold):
        block, name = make(made.rng, some_tongue(made)), made.name(f"{make.__name__}-typst", "pdf")
        write_text(made.drafts / "set.md", markdown(block))
        command = [sys.executable, "-m", "sidecar.cli.main", "render", str(made.drafts / "set.md")]
        subprocess.run([*command, "-o", str(made.folder / name)], check=True, capture_output=True, timeout=120)
        made.offer(block, name, "", "pdf", f"{words(make)} by Typst", 1)


def monthly(made: Made) -> None:
    """A sheet a month with the same columns: what they come to together."""
    rng, tongue, name = made.rng, some_tongue(made), made.name("monthly", "xlsx")
    pages, sums, tables = list[Page](), list[int](), dict[str, Held]()
    for key, month in zip("AB", ("2024-01", "2024-02"), strict=True):
        block = Block(f"Ausgang {month}", tongue, [Column(("Artikel",), "key"), Column(("Menge",), "int")], "%Y-%m-%d")
        put_head(block)
        pages.append(Page(month))
        for good in rng.sample(GOODS, 9):
            sums.append(rng.randrange(1, 500))
            put(block, [good, sums[-1]])
        first = pages[-1].write(block, 1, 1, True, False)
        made.offer(block, name, month, "xlsx", "monthly", first)
        tables[key] = Held(name, month, block.title, ("Artikel", "Menge"))
    write_openpyxl(made.folder / name, pages)
    sql = "SELECT sum(m) FROM (SELECT [A:Menge] AS m FROM [A] UNION ALL SELECT [B:Menge] FROM [B])"
    rows = [line + 3 for line in range(1, 10)]
    made.candidates.append([Asked("xlsx", "monthly", "Menge of both?", sql, [(sum(sums),)], tables, "1=1", rows)])


def looked_up(made: Made) -> None:
    """Formulas over another sheet: prices looked up, rebates by a condition, rounded; no results stored."""
    rng, tongue, name = made.rng, TONGUES["us"], made.name("lookup", "xlsx")
    prices = {good: rng.randrange(150, 9000) for good in rng.sample(GOODS, 8)}
    rates, orders = Page("Prices"), Page("Orders")
    listed = Block("Price list", tongue, [Column(("Item",), "key"), Column(("Price",), "money")], "%Y-%m-%d")
    heads = [("Order", "serial"), ("Item", "key"), ("Qty", "int"), ("Rebate", "pct"), ("Net", "money")]
    block = Block("Order book", tongue, [Column((h,), s) for h, s in heads], "%Y-%m-%d")
    put_head(listed)
    put_head(block)
    for good, cents in prices.items():
        put(listed, [good, cents / 100])
    rates.write(listed, 1, 1, False, False)
    for at in range(12):
        good, count = rng.choice([*prices]), rng.randrange(2, 60)
        rebate = 0.1 if count >= 30 else 0.0
        net = round(count * prices[good] * (0.9 if rebate else 1.0) / 100 + 1e-9, 2)
        record: list[Value] = [f"B-{at:03d}", good, count, rebate, net]
        line = len(block.lines)

        def rebate_of(at_: At, line: int = line) -> str:
            return f"=IF({at_(line, 2)}>=30,10%,0)"

        def net_of(at_: At, line: int = line) -> str:
            found = f"VLOOKUP({at_(line, 1)},Prices!$A$2:$B$9,2,FALSE)"
            return f"=ROUND({found}*{at_(line, 2)}*(1-{at_(line, 3)}),2)"

        shown = [Cell(value, column.style) for value, column in zip(record, block.columns, strict=True)]
        put(block, record, [*shown[:3], replace(shown[3], formula=rebate_of), replace(shown[4], formula=net_of)])
    made.offer(block, name, orders.name, "xlsx", "lookup", orders.write(block, 1, 1, False, False))
    made.candidates[-1] = [one for one in made.candidates[-1] if "Item" not in one.question]
    write_openpyxl(made.folder / name, [orders, rates])


def other_books(made: Made) -> None:
    """A workbook of 1904, and an Excel table with a row of totals."""
    block, page, name = plain(made.rng, TONGUES["us"]), Page("Sheet1"), made.name("1904", "xlsx")
    while not block.of("date"):
        block = plain(made.rng, TONGUES["us"])
    first = page.write(block, 1, 1, False, False)
    write_openpyxl(made.folder / name, [page], CALENDAR_MAC_1904)
    made.offer(block, name, page.name, "xlsx", "1904", first)
    block, page, name = totals(made.rng, TONGUES["us"]), Page("Sheet1"), made.name("table-totals", "xlsx")
    first = page.write(block, 3, 1, False, False)
    write_openpyxl(made.folder / name, [page])
    book = openpyxl.load_workbook(made.folder / name)
    table = SheetTable(displayName="Sales", ref=page.area(block, first, 1), totalsRowCount=1)
    sheet: Any = book.worksheets[0]
    sheet.add_table(table)
    book.save(made.folder / name)
    made.offer(block, name, page.name, "xlsx", "table with totals", first)


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKED = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

DATA_FIELD = ' dataField="1"'


def related(number: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{number}" Type="{KINDS}/{kind}" Target="{target}"/>'


def relations(*held: str) -> str:
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{"".join(held)}</Relationships>'


def cached(block: Block) -> dict[str, str]:
    """The parts of a pivot table whose source sheet is gone: its records stand in the cache alone."""
    fields, columns = list[str](), list[dict[Value, int]]()
    for at, column in enumerate(block.columns):
        held = [record[at] for _, record in block.records]
        texts = column.style not in ("int", "money", "num", "paren", "pct")
        items = {value: place for place, value in enumerate(dict.fromkeys(held))} if texts else {}
        shared = "".join(f"<s v={quoteattr(str(value))}/>" for value in items)
        kind = f'count="{len(items)}"' if texts else 'containsSemiMixedTypes="0" containsString="0" containsNumber="1"'
        name = quoteattr(column.heads[0])
        fields.append(f'<cacheField name={name} numFmtId="0"><sharedItems {kind}>{shared}</sharedItems></cacheField>')
        columns.append(items)
    rows = "".join(
        "<r>"
        + "".join(f'<x v="{s[v]}"/>' if s else f'<n v="{v}"/>' for v, s in zip(record, columns, strict=True))
        + "</r>"
        for _, record in block.records
    )
    count = len(block.records)
    shown = "".join(f'<pivotField showAll="0"{"" if held else DATA_FIELD}/>' for held in columns)
    source = f'<cacheSource type="worksheet"><worksheetSource ref="A1:F{count + 1}" sheet="Source"/></cacheSource>'
    cache = f'<cacheFields count="{len(fields)}">{"".join(fields)}</cacheFields>'
    place = '<location ref="A3:B7" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
    pivots = f'<pivotFields count="{len(fields)}">{shown}</pivotFields>'
    named = 'name="PivotTable1" cacheId="1" dataCaption="Values"'
    records = related("rId1", "pivotCacheRecords", "pivotCacheRecords1.xml")
    definition = related("rId1", "pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml")
    return {
        "xl/pivotCache/pivotCacheDefinition1.xml": f'<pivotCacheDefinition {MAIN} {LINKED} r:id="rId1" '
        f'recordCount="{count}">{source}{cache}</pivotCacheDefinition>',
        "xl/pivotCache/pivotCacheRecords1.xml": f'<pivotCacheRecords {MAIN} count="{count}">{rows}</pivotCacheRecords>',
        "xl/pivotTables/pivotTable1.xml": f"<pivotTableDefinition {MAIN} {named}>"
        f"{place}{pivots}</pivotTableDefinition>",
        "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": relations(records),
        "xl/pivotTables/_rels/pivotTable1.xml.rels": relations(definition),
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            related("rId1", "pivotTable", "../pivotTables/pivotTable1.xml")
        ),
    }


def pivot(made: Made) -> None:
    """A workbook that holds a pivot table and not the records it was made of, but in its cache."""
    block = plain(made.rng, TONGUES["us"])
    while block.of("date"):
        block = plain(made.rng, TONGUES["us"])
    kind, of = block.of("cat", "key")[0], block.of("money", "num", "int")[0]
    book, name, draft = openpyxl.Workbook(), made.name("pivot", "xlsx"), made.drafts / "pivot.xlsx"
    sheet: Any = book.worksheets[0]
    sums = dict[str, float]()
    for _, record in block.records:
        sums[str(record[kind])] = sums.get(str(record[kind]), 0) + float(str(record[of]))
    sheet.append([])
    sheet.append([])
    for row in (
        ("Row Labels", f"Sum of {block.columns[of].heads[0]}"),
        *sums.items(),
        ("Grand Total", sum(sums.values())),
    ):
        sheet.append(row)
    book.save(draft)
    parts = cached(block)
    with zipfile.ZipFile(draft) as source, zipfile.ZipFile(made.folder / name, "w", zipfile.ZIP_DEFLATED) as target:
        for part in source.namelist():
            text = source.read(part).decode()
            if part == "[Content_Types].xml":
                kinds = {
                    "pivotCacheDefinition": "pivotCache",
                    "pivotCacheRecords": "pivotCache",
                    "pivotTable": "pivotTables",
                }
                more = "".join(
                    f'<Override PartName="/xl/{place}/{kind}1.xml" ContentType="{TYPES}.{kind}+xml"/>'
                    for kind, place in kinds.items()
                )
                text = text.replace("</Types>", f"{more}</Types>")
            if part == "xl/workbook.xml":
                caches = f'<pivotCaches><pivotCache cacheId="1" {LINKED} r:id="rId99"/></pivotCaches>'
                text = text.replace("</workbook>", f"{caches}</workbook>")
            if part == "xl/_rels/workbook.xml.rels":
                more = related("rId99", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml")
                text = text.replace("</Relationships>", f"{more}</Relationships>")
            target.writestr(part, text)
        for part, text in parts.items():
            target.writestr(part, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}')
    made.offer(block, name, "", "xlsx", "pivot cache", 1)
    made.unplaced()


def make(folder: Path, seed: int, questions: int = 150) -> list[Asked]:
    """Writes the files of a seed; gives its questions, spread evenly over the tables."""
    with tempfile.TemporaryDirectory() as place:
        made = Made(folder, Path(place), random.Random(seed))
        made.files = 100
        sheets(made)
        texts(made)
        parameters(made, "xlsx")
        documents(made)
        printed(made)
        monthly(made)
        looked_up(made)
        other_books(made)
        pivot(made)
        return chosen(made, questions)
