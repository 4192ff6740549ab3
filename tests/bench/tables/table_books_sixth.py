"""Files with tables as people make them, in ten formats and four ways to write numbers, and questions about them.

python tests/bench/tables/table_books_sixth.py SEED FOLDER    writes the files and prints the questions with their
answers

Answers are worked out in plain Python from the values the files are written from, never from the files. The rows an
answer comes from are those a reader would point at: row numbers of the sheet or CSV, or of the table in a text (its
first row is 1). LibreOffice, Chromium and xlsxwriter make files where they are installed; else these are left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from table_blocks_sixth import (
    LAYOUTS,
    TONGUES,
    Block,
    Column,
    Tongue,
    Value,
    computed,
    losses,
    marks,
    merged_labels,
    plain,
    put,
    put_head,
    repeated,
    subtotals,
    totals,
    two_level,
    units,
    years,
)  # fmt: skip
from table_questions_sixth import Asked, Held, asks
from table_writers_sixth import (
    Page,
    convert,
    html_page,
    markdown,
    print_page,
    write_csv,
    write_docx,
    write_mail,
    write_notebook,
    write_openpyxl,
    write_pptx,
    write_text,
    write_xlsxwriter,
)  # fmt: skip


@dataclass
class Made:
    """The files written so far, and all that may be asked of each."""

    folder: Path
    drafts: Path
    rng: random.Random
    files: int = 0
    candidates: list[list[Asked]] = field(default_factory=list[list[Asked]])
    waiting: dict[str, list[Path]] = field(default_factory=dict[str, list[Path]])

    def name(self, layout: str, suffix: str) -> str:
        self.files += 1
        return f"{self.files:02d}-{layout.replace(' ', '-')}.{suffix}"

    def offer(self, block: Block, name: str, sheet: str, kind: str, layout: str, base: int) -> None:
        held = Held(name, sheet, block.title, tuple(column.heading for column in block.columns))
        self.candidates.append(asks(self.rng, block, held, kind, layout, base))

    def unplaced(self) -> None:
        """No row numbers are expected of the last table: it goes over pages, has no lines, or is not a table of
        cells."""
        self.candidates[-1] = [replace(one, rows=None) for one in self.candidates[-1]]

    def later(self, suffix: str, name: str) -> Path:
        """Where to draft a file that LibreOffice is to convert."""
        draft = self.drafts / (name.rsplit(".", 1)[0] + ".xlsx")
        self.waiting.setdefault(suffix, []).append(draft)
        return draft


def some_tongue(made: Made, *of: str) -> Tongue:
    return TONGUES[made.rng.choice(of or tuple(TONGUES))]


def book(made: Made, layout: str, producer: str) -> None:
    """A workbook of one table, laid out as said."""
    rng, suffix = made.rng, producer if producer in ("ods", "xls") else "xlsx"
    block = LAYOUTS[layout](rng, some_tongue(made))
    name, titled = made.name(layout, suffix), layout not in ("plain", "repeated heads", "filtered", "hidden")
    page = Page(rng.choice(["Sheet1", "Tabelle1", "Daten 2024", "Übersicht", "Feuil1"]))
    row, column = (rng.randrange(1, 5), rng.randrange(1, 4)) if titled else (1, 1)
    first = page.write(block, row, column, titled, titled)
    area = page.area(block, first, column)
    page.filters = area if layout == "filtered" else ""
    page.tables = {"tblData": area} if layout == "excel table" else {}
    page.named = {"Figures_all": area} if layout == "named range" else {}
    if producer == "xlsxwriter":
        write_xlsxwriter(made.folder / name, [page])
    else:
        write_openpyxl(made.folder / name if producer == "xlsx" else made.later(suffix, name), [page])
    made.offer(block, name, page.name, producer if suffix == "xlsx" else suffix, layout, first)


def several(made: Made, producer: str, beside: bool) -> None:
    """Two or three tables on a sheet, below or beside one another, and one on another sheet."""
    rng, suffix, layout = made.rng, "ods" if producer == "ods" else "xlsx", "side by side" if beside else "stacked"
    name, tongue, page, other = made.name(layout, suffix), some_tongue(made), Page("Blatt A"), Page("Notes")
    kinds = [two_level, years, plain] if rng.random() < 0.5 else [totals, computed, years]
    row = column = 1
    for make in kinds[: 2 if beside else 3]:
        block = make(rng, tongue)
        first = page.write(block, row, column, True, False)
        made.offer(block, name, page.name, producer, layout, first)
        row, column = (row, column + len(block.columns) + 1) if beside else (first + len(block.lines) + 2, column)
    block = losses(rng, tongue)
    made.offer(block, name, other.name, producer, layout, other.write(block, 1, 2, True, True))
    write_openpyxl(made.folder / name if producer == "xlsx" else made.later(suffix, name), [page, other])


def joined(made: Made, apart: bool) -> None:
    """Orders and a price list, on two sheets or as a CSV beside a Word table: what the orders come to."""
    rng, tongue, layout = made.rng, TONGUES["de" if apart else "us"], "join"
    codes = [f"{number:05d}" for number in rng.sample(range(10, 9999), 8)]
    heads = ("Art.-Nr.", "Listenpreis", "Menge", "Kunde") if apart else ("Item no.", "List price", "Qty", "Customer")
    prices = Block(f"{heads[1]} 2024", tongue, [Column((heads[0],), "code"), Column((heads[1],), "money")], "%Y-%m-%d")
    columns = [Column((heads[3],), "cat"), Column((heads[0],), "code"), Column((heads[2],), "int")]
    orders = Block("Orders 2024", tongue, columns, "%Y-%m-%d")
    put_head(prices)
    put_head(orders)
    price = dict(zip(codes, rng.sample(range(150, 99999), 8), strict=True))
    for code, cents in price.items():
        put(prices, [code, cents / 100])
    firms, bought = ["Adler", "Bülow", "Crest"], list[tuple[str, str, int]]()
    for at in range(15):
        bought.append((firms[at % 3], rng.choice(codes[:6]), rng.randrange(1, 40)))
        put(orders, list(bought[-1]))
    first, second = made.name(layout, "csv" if apart else "xlsx"), made.name("prices", "docx") if apart else ""
    sheets = ("1", "") if apart else ("Orders", "Prices")
    pages = [Page("Orders"), Page("Prices")]
    base = pages[0].write(orders, 1, 1, False, False)
    pages[1].write(prices, 1, 1, True, False)
    if apart:
        write_csv(made.folder / first, pages[0], ";", "utf-8-sig", True)
        write_docx(made.folder / second, [prices])
    else:
        write_openpyxl(made.folder / first, pages)
    held = {
        "A": Held(first, sheets[0] * (not apart), orders.title, tuple(c.heading for c in orders.columns)),
        "B": Held(second or first, sheets[1], prices.title, heads[:2]),
    }
    link = f"[A] AS A JOIN [B] AS B ON A.[A:{heads[0]}] = B.[B:{heads[0]}]"
    worth = f"round(sum(A.[A:{heads[2]}] * B.[B:{heads[1]}]), 2)"
    sums = {firm: sum(n * price[code] for who, code, n in bought if who == firm) / 100 for firm in firms}
    by = f"SELECT A.[A:{heads[3]}], {worth} FROM {link} GROUP BY 1 ORDER BY 1"
    idle = [(code,) for code in sorted(set(codes) - {code for _, code, _ in bought})]
    never = f"SELECT [B:{heads[0]}] FROM [B] WHERE [B:{heads[0]}] NOT IN (SELECT [A:{heads[0]}] FROM [A]) ORDER BY 1"
    rows = [base + at for at, _ in orders.records]
    kind = "csv+docx" if apart else "xlsx"
    expected: list[tuple[Value, ...]] = [(firm, round(whole, 2)) for firm, whole in sums.items()]
    made.candidates.append([Asked(kind, layout, "Worth of orders by customer?", by, expected, held, "1=1", rows)])
    made.candidates.append([Asked(kind, layout, "Items never ordered?", never, [*idle], held, "1=1", rows)])


CSVS = [
    ("de", ";", "utf-8", True, plain, False), ("de", ";", "cp1252", True, totals, True),
    ("fr", ";", "utf-8-sig", True, plain, False), ("fr", "\t", "utf-16", False, years, False),
    ("us", ",", "utf-8", True, totals, False), ("uk", ",", "cp1252", False, plain, True),
    ("ch", ";", "utf-8", True, losses, True), ("us", "|", "utf-8", False, marks, False),
    ("de", "\t", "utf-8", False, marks, False), ("us", ",", "utf-8-sig", True, losses, False),
]  # fmt: skip


def texts(made: Made) -> None:
    """The CSVs: separators, encodings, with and without marks of thousands and a title."""
    for tongue, delimiter, encoding, thousands, make, titled in CSVS:
        block = make(made.rng, TONGUES[tongue])
        if encoding == "cp1252":
            block.tongue = replace(block.tongue, thousands="." if tongue == "de" else ",")
        name = made.name(f"{make.__name__}-{tongue}", "tsv" if delimiter == "\t" else "csv")
        page = Page("1")
        first = page.write(block, 1, 1, titled, titled)
        write_csv(made.folder / name, page, delimiter, encoding, thousands)
        made.offer(block, name, "", "csv", f"{make.__name__} {tongue}{' titled' if titled else ''}", first)


Writer = Callable[[Path, Block], None]
WRITERS: dict[str, Writer] = {
    "docx": lambda path, block: write_docx(path, [block]),
    "pptx": lambda path, block: write_pptx(path, [block]),
    "html": lambda path, block: write_text(path, html_page([block], len(block.lines) % 2 > 0)),
    "htm": lambda path, block: write_text(path, html_page([block], False, "td")),
    "md": lambda path, block: write_text(path, markdown(block)),
    "eml": write_mail,
    "ipynb": lambda path, block: write_notebook(path, block, len(block.lines) % 2 > 0),
}
DOCUMENTS = {
    "docx": [plain, totals, two_level, merged_labels, marks, units, subtotals],
    "pptx": [years, totals, two_level],
    "html": [plain, totals, two_level, merged_labels, repeated, subtotals],
    "htm": [plain, years],
    "md": [plain, totals, marks],
    "eml": [plain, totals],
    "ipynb": [plain, years],
}
PRINTED = [plain, totals, two_level, subtotals, losses, marks]


def documents(made: Made) -> None:
    for suffix, layouts in DOCUMENTS.items():
        for make in layouts:
            block = make(made.rng, some_tongue(made))
            name = made.name(make.__name__, suffix)
            WRITERS[suffix](made.folder / name, block)
            made.offer(block, name, "", "html" if suffix == "htm" else suffix, make.__name__.replace("_", " "), 1)


def printed(made: Made) -> None:
    """PDFs: of web pages by Chromium, of Word files by LibreOffice; each table on one page."""
    for at, make in enumerate(PRINTED):
        block = make(made.rng, some_tongue(made))
        tool = ("chromium", "soffice")[at % 2]
        if not shutil.which(tool):
            continue
        name = made.name(make.__name__, "pdf")
        draft = made.drafts / (name[:-4] + (".html" if tool == "chromium" else ".docx"))
        if tool == "chromium":
            write_text(draft, html_page([block]))
            print_page(draft, made.folder / name)
        else:
            write_docx(draft, [block])
            made.waiting.setdefault("pdf", []).append(draft)
        made.offer(block, name, "", "pdf", make.__name__.replace("_", " "), 1)


BOOKS = {
    "xlsx": [*LAYOUTS],
    "xlsxwriter": ["titled", "formulas", "two-level", "excel table", "losses", "filtered", "subtotals"],
    "libre": ["formulas", "totals", "named range"],
    "ods": ["titled", "two-level", "merged labels", "formulas", "subtotals"],
    "xls": ["totals", "years"],
}


def make(folder: Path, seed: int, questions: int = 150) -> list[Asked]:
    """Writes the files of a seed; gives its questions, spread evenly over the tables."""
    with tempfile.TemporaryDirectory() as place:
        made = Made(folder, Path(place), random.Random(seed))
        office = shutil.which("soffice") is not None
        for producer, layouts in BOOKS.items():
            if producer == "xlsxwriter" and importlib.util.find_spec("xlsxwriter") is None:
                continue
            if producer not in ("libre", "ods", "xls") or office:
                for layout in layouts:
                    book(made, layout, producer)
        for producer in ("xlsx", "libre", "ods") if office else ("xlsx",):
            several(made, producer, producer == "xlsx")
        several(made, "xlsx", False)
        texts(made)
        documents(made)
        printed(made)
        joined(made, True)
        joined(made, False)
        return chosen(made, questions)


def chosen(made: Made, questions: int) -> list[Asked]:
    """Has the waiting files converted; of every table one question in turn until there are enough."""
    for suffix, drafts in made.waiting.items():
        convert(drafts, suffix, made.folder)
    for offered in made.candidates:
        made.rng.shuffle(offered)
    turns = max(map(len, made.candidates))
    picked = [offered[turn] for turn in range(turns) for offered in made.candidates if turn < len(offered)]
    return sorted(picked[:questions], key=lambda one: one.tables["A"].file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for one in make(arguments.folder, arguments.seed):
        print(f"{one.tables['A'].file}\t{one.question}\t{one.expected}\trows {one.rows}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
