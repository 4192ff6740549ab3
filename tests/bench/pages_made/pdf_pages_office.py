"""Makes the thirteenth truth of `pdf_pages.py`: workbooks and Word files with tables, printed by LibreOffice.

    python tests/bench/pages_made/pdf_pages_office.py FOLDER --corpus CORPUS_DOCS [--count N] [--seed N]

Needs openpyxl, python-docx and `soffice`. Tables are put together of columns as offices have them (names, amounts,
dates with and without times, remarks that are mostly empty, lists, long texts), in sheets with columns as wide as their
text or set by hand, with and without borders, and in Word's table styles; and workbooks and Word files of the corpus
that no truth names are printed. FOLDER gets the PDFs and `truth.json`: the cells as LibreOffice writes them to CSV, or
as python-docx has them, each row on the page with its text. Half of the files, by a hash of their names, are held
back. It knows nothing of how they are read.
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import hashlib
import itertools
import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pypdfium2
from docx.oxml import OxmlElement
from docx.shared import Cm, Pt
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from PIL import ImageFont

Rows = list[list[str]]
_MAX_ORDERS = 6  # sheets, fewer of which are tried in any order
CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1"
MEASURE = ImageFont.truetype("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", 100)
FIRST = re.split(
    " ", "Anna Bernd Clara Dmitri Elif Femke Goran Hanne Ingrid Jonas Kaja Luca Mira Nils Oksana Piet Rosa Sven"
)
LAST = re.split(
    " ", "Aalto Brandt Costa Dijkstra Eriksen Ferrari Gruber Horvat Ivanova Jensen Kowalski Lindqvist Moreau Nowak"
)
TOWNS = ["Aarhus", "Bergen", "Cork", "Den Haag", "Esbjerg", "Freiburg im Breisgau", "Ghent", "Hull", "Izmir", "Kiel"]
GOODS = ["Angle bracket", "Bolt M8 x 40", "Cable tie, black", "Drill bit set", "Epoxy resin 2 kg", "Filter bag",
         "Gasket", "Hose clamp", "Ink cartridge", "Junction box", "Key cabinet",
         "LED panel 60x60", "Mains switch"]  # fmt: skip
STATES = ["open", "closed", "in progress", "waiting", "done", "n/a", "ordered"]
SPECIES = ["Quercus robur", "Pinus sylvestris", "Acer campestre", "Betula pendula", "Fagus sylvatica", "Salix alba"]
WORDS = re.split(
    " ",
    "the pump was taken apart and cleaned after leakage had been seen at the second flange; the supplier will send a "
    "new seal before the end of the month and the work goes on as planned without further costs for the harbour office "
    "until an inspection of all moorings has been carried out by an accredited company",
)


def phrase(rng: random.Random, least: int, most: int) -> str:
    start = rng.randrange(len(WORDS) - most)
    return " ".join(WORDS[start : start + rng.randint(least, most)]).capitalize()


def name(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def day(rng: random.Random) -> dt.datetime:
    return dt.datetime.fromisoformat("2024-01-01") + dt.timedelta(minutes=rng.randrange(60 * 24 * 700))


Column = tuple[str, Callable[[random.Random], Any], str]
KEYS: list[Column] = [
    ("Name", name, ""),
    ("Item", lambda r: f"{r.choice(GOODS)}", ""),
    ("No.", lambda r: r.randint(1, 999), "0"),
    ("Order no.", lambda r: f"PO-{r.randint(10000, 99999)}", ""),
    ("Date", day, "yyyy-mm-dd"),
    ("Town", lambda r: r.choice(TOWNS), ""),
    ("Species", lambda r: r.choice(SPECIES), ""),
    ("Code", lambda r: f"{r.choice('ABCDE')}{r.randint(10, 99)}-{r.randint(1, 9)}", ""),
    ("Berth", lambda r: f"Quay {r.choice('NSEW')} {r.randint(1, 40)}", ""),
    ("Timestamp", day, "yyyy-mm-dd hh:mm"),
]
FURTHER: list[Column] = [
    ("Quantity", lambda r: r.randint(1, 5000), "#,##0"),
    ("Amount", lambda r: r.randint(100, 9_000_000) / 100, "#,##0.00"),
    ("Price (EUR)", lambda r: r.randint(50, 90_000) / 100, "#,##0.00 [$€-407]"),
    ("Share", lambda r: r.random(), "0.0%"),
    ("Due", day, "dd.mm.yyyy"),
    ("Start", day, "hh:mm"),
    ("Arrival", day, "dd/mm/yyyy hh:mm"),
    ("Last change", day, "yyyy-mm-dd hh:mm:ss"),
    ("Responsible", name, ""),
    ("E-mail", lambda r: f"{r.choice(FIRST).lower()}.{r.choice(LAST).lower()}@example.org", ""),
    ("Phone", lambda r: f"+49 {r.randint(30, 999)} {r.randint(100000, 999999)}", ""),
    ("Status", lambda r: r.choice(STATES), ""),
    ("Town", lambda r: r.choice(TOWNS), ""),
    ("Weight kg", lambda r: r.randint(1, 99_999) / 1000, "0.000"),
    ("Temp. °C", lambda r: r.randint(-300, 400) / 10, "0.0"),
    ("OK", lambda r: r.choice(["x", "", "x", "–"]), ""),
    ("Yes/No", lambda r: r.choice(["Yes", "No"]), ""),
    ("Balance", lambda r: r.randint(-900_000, 900_000) / 100, "#,##0.00;[Red]-#,##0.00"),
    ("Unit", lambda r: r.choice(["pcs", "kg", "m", "box", "l"]), ""),
    ("Dept.", lambda r: r.choice(["IT", "HR", "Sales", "Legal", "Port control", "Finance"]), ""),
    ("ID", lambda r: r.randint(100_000, 999_999), "0"),
    ("Valid", lambda r: r.choice([True, False]), ""),
]
LONG: list[Column] = [
    ("Remarks", lambda r: phrase(r, 2, 5) if r.random() < 0.3 else "", ""),
    ("Description", lambda r: phrase(r, 8, 26), ""),
    ("Action", lambda r: phrase(r, 5, 14), ""),
    ("Reference", lambda r: f"https://example.org/{r.choice(LAST).lower()}/{r.randint(1, 99)}", ""),
]
LISTS: Column = ("Points", lambda r: [phrase(r, 2, 7) for _ in range(r.randint(1, 4))], "")


def contents(rng: random.Random, *, word: bool) -> tuple[list[Column], list[list[Any]]]:
    """Columns and the values of a table's rows."""
    small = rng.random() < 0.3
    columns = [rng.choice(KEYS), *rng.sample(FURTHER, rng.randint(1, 3) if small else rng.randint(2, 7 - 2 * word))]
    if rng.random() < (0.6 if word else 0.3):
        columns.append(rng.choice(LONG))
    if word and rng.random() < 0.25:
        columns.append(LISTS)
    heads: set[str] = set()
    columns = [column for column in columns if column[0] not in heads and not heads.add(column[0])]
    count = rng.randint(2, 4) if small else rng.choice([6, 9, 14, 25, 45 if not word else 20])
    return columns, [[make(rng) for _, make, _ in columns] for _ in range(count)]


def width(text: str) -> float:
    """In the widths of a digit of 11 points."""
    return max((MEASURE.getlength(line) / MEASURE.getlength("0") for line in text.split("\n")), default=0)


def workbook(rng: random.Random, path: Path) -> None:
    """A sheet in one of the ways people set them; nothing of it is cut off by a cell beside."""
    columns, values = contents(rng, word=False)
    book = openpyxl.Workbook()
    sheet: Any = book.active
    font = rng.choice(["Calibri", "Arial", "Liberation Sans"])
    thin = Side(style=rng.choice(["thin", "hair"]))
    borders = rng.choice(["none", "none", "none", "grid", "rows", "head", "frame"])
    top, left = rng.choice([(1, 1), (1, 1), (1, 1), (3, 1), (2, 2), (4, 1)])
    if top > 2:
        sheet.cell(1, left, f"{rng.choice(TOWNS)}: {phrase(rng, 2, 4)}").font = Font(name=font, size=14, bold=True)
    bold, fill, centred = rng.random() < 0.6, rng.random() < 0.3, rng.choice(["left", "center", None, None])
    roomy = rng.choice([0.3, 0.7, 0.7, 1.5, 4])
    tall = rng.choice(["top", "center", "bottom"])
    for c, (head, _, shape) in enumerate(columns):
        letter = get_column_letter(left + c)
        widest = width(head) * (1.1 if bold else 1)
        for r, value in enumerate([head, *(row[c] for row in values)]):
            cell = sheet.cell(top + r, left + c, value if value != "" else None)
            cell.font = Font(name=font, bold=bold and not r)
            if r and shape:
                cell.number_format = shape
                shown = {10: 10, 16: 16, 19: 19}.get(len(shape), 9) if isinstance(value, dt.datetime) else 0
                widest = max(
                    widest, shown, len(f"{value:,.2f}") + 2 if isinstance(value, float) else width(str(value)[:7])
                )
            elif r:
                widest = max(widest, min(width(str(value)), 42))
            wrap = isinstance(value, str) and width(value) > 42
            cell.alignment = Alignment(horizontal=centred if not r else None, wrap_text=wrap or None, vertical=tall)
            ends = r in (0, len(values))
            if borders in {"grid", "rows"}:
                side = thin if borders == "grid" else None
                cell.border = Border(left=side, right=side, top=thin, bottom=thin)
            elif (borders == "head" and not r) or (borders == "frame" and ends):
                cell.border = Border(top=thin if borders == "frame" and not r else None, bottom=thin)
            if fill and not r:
                cell.fill = PatternFill("solid", fgColor="FFDDEBF7")
        sheet.column_dimensions[letter].width = widest + roomy
    sheet.print_options.gridLines = rng.random() < 0.2
    if rng.random() < 0.3:
        sheet.page_setup.orientation = "landscape"
    if rng.random() < 0.4:
        sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
        sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    if rng.random() < 0.3:
        sheet.print_title_rows = f"{top}:{top}"
    book.save(path)


STYLES = ["Table Grid", "Table Grid", "Table Grid", "Normal Table", "Light Shading", "Light List Accent 1",
          "Light Grid", "Medium Shading 1 Accent 2", "Medium List 1", "Medium Grid 1", "Medium Grid 3 Accent 1",
          "Colorful List", "Light Shading Accent 3", "Medium List 2"]  # fmt: skip


def shown(value: Any, shape: str) -> str:
    """A value as text in a Word table."""
    if isinstance(value, dt.datetime):
        codes = {"yyyy": "%Y", "mm": "%m", "dd": "%d", "hh": "%H", "ss": "%S"}
        shape = shape.replace("hh:mm", "hh:%M")
        return value.strftime(re.sub("yyyy|mm|dd|hh|ss", lambda found: codes[found[0]], shape))
    if isinstance(value, float):
        return f"{value:.1%}" if "%" in shape else f"{value:,.2f}"
    return str(value)


def word_file(rng: random.Random, path: Path) -> list[Rows]:
    """A Word file with text and a table or two; the rows of these."""
    document = docx.Document()
    normal: Any = document.styles["Normal"]
    normal.font.name = rng.choice(["Calibri", "Arial", "Times New Roman", "Cambria"])
    normal.font.size = Pt(rng.choice([9, 10, 11]))
    tables: list[Rows] = []
    for _ in range(rng.choice([1, 1, 2])):
        columns, values = contents(rng, word=True)
        document.add_paragraph(phrase(rng, 8, 25) + ".")
        table: Any = document.add_table(rows=1, cols=len(columns))
        style = rng.choice(STYLES)
        if style != "Normal Table":
            table.style = style
        weights = [
            rng.choice([1, 1.5, 2]) * (2 if head in ("Description", "Points", "Action") else 1) for head, *_ in columns
        ]
        table.autofit = rng.random() < 0.4
        rows = [[head for head, *_ in columns]]
        for cell, (head, *_) in zip(table.rows[0].cells, columns, strict=True):
            cell.paragraphs[0].add_run(head).bold = rng.random() < 0.5
        if rng.random() < 0.5:
            table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        right = rng.random() < 0.5
        for own in values:
            row = table.add_row()
            texts: list[str] = []
            for cell, value, (_, _, shape) in zip(row.cells, own, columns, strict=True):
                if isinstance(value, list):
                    for at, item in enumerate(value):
                        paragraph = cell.paragraphs[0] if not at else cell.add_paragraph()
                        paragraph.style = "List Bullet"
                        paragraph.add_run(item)
                    texts.append(" ".join("• " + item for item in value))
                else:
                    texts.append(shown(value, shape))
                    cell.paragraphs[0].add_run(texts[-1])
                    cell.paragraphs[0].alignment = 2 if right and isinstance(value, int | float) else None
            rows.append(texts)
        if not table.autofit:
            for c, weight in enumerate(weights):
                for row in table.rows:
                    row.cells[c].width = Cm(15.2 * weight / sum(weights))
        tables.append(rows)
        document.add_paragraph(phrase(rng, 8, 25) + ".")
    document.save(str(path))
    return tables


def folded(text: str) -> str:
    return re.sub(r"[\s\xad]+", "", text)


def page_texts(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [
            folded(document[at].get_textpage().get_text_range().translate({0xFFFE: "-", 0xF0B7: "•"}))
            for at in range(len(document))
        ]


def trimmed(rows: Rows) -> Rows:
    """Without empty rows and columns around."""
    rows = [[" ".join(cell.split()) for cell in row] for row in rows]
    wide = max(map(len, rows), default=0)
    rows = [row + [""] * (wide - len(row)) for row in rows]
    filled = [r for r, row in enumerate(rows) if any(row)]
    used = [c for c in range(wide) if any(row[c] for row in rows)]
    return [row[used[0] : used[-1] + 1] for row in rows[filled[0] : filled[-1] + 1]] if used else []


def split(cell: str, page: str, after: str) -> tuple[str, str] | None:
    """What of a cell two pages show that follow one another; None where they do not."""
    words = cell.split()
    for at in range(len(words), -1, -1):
        upper, lower = " ".join(words[:at]), " ".join(words[at:])
        if folded(upper) in page and folded(lower) in after:
            return upper, lower
    return None


def on_pages(rows: Rows, texts: list[str], start: int, head: int = 1) -> dict[int, list[Rows]] | None:
    """The ways to read a table on each page it is on, from the page `start` on; None where a cell is on none. A table
    too wide for a page goes on sideways; heads may repeat."""
    first = next((at for at in range(start, len(texts)) if all(folded(c) in texts[at] for c in rows[0][:1])), None)
    if first is None:
        return None
    at, pages = first, dict[int, Rows]()
    for whole in rows:
        row, keys = whole, [folded(cell) for cell in whole if cell]
        if not keys:
            continue
        while at < len(texts) and not all(key in texts[at] for key in keys):
            over = [split(cell, *texts[at : at + 2]) for cell in row] if at + 1 < len(texts) else [None]
            if None not in over:
                pages.setdefault(at, []).append([cell[0] for cell in over if cell])
                row = [cell[1] for cell in over if cell]
                keys = [folded(cell) for cell in row if cell]
            at += 1
        if keys:
            pages.setdefault(at, []).append(row)
    if at < len(texts):
        return {page: [own] if page == first else [own, rows[:head] + own] for page, own in pages.items()}
    sideways: dict[int, list[int]] = {}
    at = first
    for c in range(len(rows[0])):
        keys = [folded(row[c]) for row in rows if row[c]]
        while at < len(texts) and not all(key in texts[at] for key in keys):
            at += 1
        sideways.setdefault(at, []).append(c)
    if at >= len(texts):
        return None
    return {page: [[[row[c] for c in own] for row in rows]] for page, own in sideways.items() if len(own) > 1}


def sheets_entry(tables: list[Rows], texts: list[str]) -> dict[str, Any] | None:
    """The truth of a workbook, each sheet of which begins a page, whatever order they are written in."""
    orders = itertools.permutations(tables) if len(tables) < _MAX_ORDERS else [tables]
    return next((entry for order in orders if (entry := entry_of(order, texts, titled=True))), None)


def entry_of(tables: Iterable[Rows], texts: list[str], *, titled: bool = False) -> dict[str, Any] | None:
    """The truth of a file; None where its text is not that of its tables."""
    pages: dict[str, Any] = {}
    at = 0
    for rows in tables:
        head = next((r for r, row in enumerate(rows) if sum(map(bool, row)) > 1), 0) if titled else 0
        ways = on_pages(rows[head:], texts, at)
        if ways is None:
            return None
        at = min(ways, default=at)
        for page, read in ways.items():
            own = [*read, rows[:head] + read[0]] if head and page == at else read
            empty = [c for c in range(len(own[0][0])) if not any(row[c] for row in own[0])]
            if empty:
                own += [[[t for c, t in enumerate(row) if c not in empty] for row in way] for way in own]
            entry = own[0] if len(own) == 1 else {"either": [[way] for way in own]}
            pages.setdefault(str(page + 1), {"tables": []})["tables"].append(entry)
        at = max(ways, default=at) + titled
    return {"pages": pages} if pages else None


def sheets(path: Path, scratch: Path) -> list[Rows]:
    """The cells of each sheet as LibreOffice shows them."""
    found = list(scratch.glob(f"{path.stem}-*.csv"))
    names = openpyxl.load_workbook(path).sheetnames if path.suffix == ".xlsx" else [""]
    order = {f"{path.stem}-{sheet}.csv": at for at, sheet in enumerate(names)}
    found.sort(key=lambda file: order.get(file.name, 99))
    return [trimmed(list(csv.reader(file.open(encoding="utf-8", newline="")))) for file in found]


def word_tables(path: Path) -> list[Rows] | None:
    """The tables of a Word file; None where one is in another, or too small to be one."""
    found: list[Rows] = []
    for table in docx.Document(str(path)).tables:
        rows: Rows = []
        seen: set[Any] = set()
        for row in table.rows:
            texts: list[str] = []
            cells: list[Any] = list(row.cells)
            for cell in cells:
                if cell.tables:
                    return None
                texts.append("" if cell._tc in seen else " ".join(cell.text.split()))
                seen.add(cell._tc)
            rows.append(texts)
        if not is_table(rows):
            return None
        found.append(rows)
    return found


def is_table(rows: Rows) -> bool:
    """Whether cells are one block with text in most."""
    if len(rows) < 2 or len({*map(len, rows)}) > 1 or not 2 <= len(rows[0]) <= 12 or len(rows) > 80:
        return False
    filled = sum(bool(cell) for row in rows for cell in row)
    first = next((r for r, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    return (
        filled >= 0.5 * len(rows) * len(rows[0]) and all(map(any, rows[first:])) and len(rows) - first > 1
        and not any("###" in cell for row in rows for cell in row)
    )  # fmt: skip


def convert(files: list[Path], form: str, folder: Path) -> None:
    """Has LibreOffice write files in another form, some at a time."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    for at in range(0, len(files), 25):
        command = ["soffice", profile, "--headless", "--convert-to", form, "--outdir", str(folder)]
        subprocess.run([*command, *map(str, files[at : at + 25])], check=False, capture_output=True, timeout=600)


def from_corpus(corpus: Path, rng: random.Random, scratch: Path, count: int) -> list[Path]:
    """Links to workbooks and Word files that no truth names, a few of each project's folder."""
    named = "".join(
        truth.read_text(encoding="utf-8") for truth in (Path(__file__).parents[1] / "pages" / "data").glob("*.json")
    )
    files = [f for f in sorted(corpus.rglob("*")) if f.suffix in (".xlsx", ".ods", ".docx") and f.stem not in named]
    rng.shuffle(files)
    found: list[Path] = []
    for file in files:
        if file.stat().st_size > 300_000 or len(found) >= count:
            continue
        target = scratch / f"corpus-{len(found):03}-{re.sub(r'[^0-9A-Za-z]+', '_', file.stem)}{file.suffix}"
        try:
            if file.suffix == ".docx" and not word_tables(file):
                continue
        except Exception:  # noqa: S112 - the corpus has damaged files
            continue
        shutil.copy(file, target)
        found.append(target)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--count", type=int, default=45)
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    scratch = folder / "made"
    scratch.mkdir(parents=True, exist_ok=True)
    known: dict[str, list[Rows]] = {}
    files: list[Path] = []
    for at in range(arguments.count):
        sheet, word = scratch / f"sheet-{at:02}.xlsx", scratch / f"word-{at:02}.docx"
        workbook(random.Random(f"{arguments.seed} sheet {at}"), sheet)
        known[word.stem] = word_file(random.Random(f"{arguments.seed} word {at}"), word)
        files += [sheet, word]
    files += from_corpus(arguments.corpus, random.Random(arguments.seed), scratch, 3 * arguments.count)
    waiting = [file for file in files if not (scratch / f"{file.stem}.pdf").exists()]
    convert(waiting, "pdf", scratch)
    convert([file for file in waiting if file.suffix != ".docx"], CSV, scratch)
    truth: dict[str, Any] = {}
    for file in files:
        printed = scratch / f"{file.stem}.pdf"
        if not printed.exists():
            continue
        titled = file.suffix != ".docx"
        try:
            tables = sheets(file, scratch) if titled else known.get(file.stem) or word_tables(file)
        except Exception:  # noqa: S112 - the corpus has damaged files
            continue
        texts = page_texts(printed)
        if not tables or len(texts) > 8 or not all(map(is_table, tables)):
            continue
        entry = sheets_entry(tables, texts) if titled else entry_of(tables, texts)
        if entry is not None:
            shutil.copy(printed, folder / printed.name)
            truth[printed.name] = entry | ({"held": True} if hashlib.sha256(file.stem.encode()).digest()[0] % 2 else {})
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
