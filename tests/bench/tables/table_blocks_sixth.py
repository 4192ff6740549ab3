"""Tables as people lay them out, in five ways to write numbers: what `table_books_sixth` writes into files."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Value = str | int | float | bool | dt.date | None
At = Callable[[int, int], str]

WORDS = {
    "de": ("Summe", "Zwischensumme", "Stand: vorläufig, ohne Gewähr", "Quelle: eigene Erhebung", "k. A."),
    "fr": ("Total général", "Sous-total", "Chiffres provisoires", "Source : service comptable", "n.d."),
    "en": ("Total", "Subtotal", "* preliminary figures", "Source: own survey", "n/a"),
}


@dataclass(frozen=True)
class Tongue:
    """How one kind of author writes numbers, dates and money."""

    language: str
    point: str
    thousands: str
    money: str  # with `#` for the figure
    sheet_money: str
    dates: tuple[str, ...]


TONGUES = {
    "de": Tongue("de", ",", ".", "# €", '#,##0.00\\ "€"', ("%d.%m.%Y", "long", "%Y-%m-%d", "%d.%m.%y")),
    "fr": Tongue("fr", ",", "\u202f", "# €", "#,##0.00\\ [$€-40C]", ("%d/%m/%Y", "long", "%Y-%m-%d")),
    "us": Tongue("en", ".", ",", "$#", '"$"#,##0.00', ("%m/%d/%Y", "%b %d, %Y", "%Y-%m-%d")),
    "uk": Tongue("en", ".", ",", "£#", "[$£-809]#,##0.00", ("%d/%m/%Y", "%d %b %Y", "long")),
    "ch": Tongue("de", ".", "’", "CHF #", '"CHF" #,##0.00', ("%d.%m.%Y", "long")),
}


@dataclass(frozen=True)
class Cell:
    value: Value = None
    style: str = ""
    formula: Callable[[At], str] | None = None


@dataclass
class Column:
    heads: tuple[str, ...]
    style: str
    unit: str = ""

    @property
    def heading(self) -> str:
        return "|".join(self.heads)


@dataclass
class Block:
    """One table: its lines as they stand, and the records among them that count."""

    title: str
    tongue: Tongue
    columns: list[Column]
    date: str
    lines: list[list[Cell]] = field(default_factory=list[list[Cell]])
    merges: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    hidden: set[int] = field(default_factory=set[int])
    heads: set[int] = field(default_factory=set[int])
    records: list[tuple[int, list[Value]]] = field(default_factory=list[tuple[int, list[Value]]])
    notes: list[str] = field(default_factory=list[str])

    def of(self, *styles: str) -> list[int]:
        return [at for at, column in enumerate(self.columns) if column.style in styles]


# What the tables are about ------------------------------------------------------------------------------------------

CITIES = [
    "Köln",
    "Ulm",
    "Bern",
    "Lyon",
    "Graz",
    "Metz",
    "Bonn",
    "Nancy",
    "York",
    "Leeds",
    "Turin",
    "Essen",
    "Basel",
    "Lille",
    "Porto",
    "Gent",
    "Malmö",
    "Jena",
    "Trier",
]
PEOPLE = [
    f"{a} {b}"
    for a in ["Anna", "Ben", "Chloé", "Dörte", "Emil", "Farid"]
    for b in ["Groß", "Hauser", "Lefèvre", "Miller"]
]
GOODS = [f"{a} {b}" for a in ["Ahorn", "Birke", "Eiche", "Stahl", "Kupfer"] for b in ["10 mm", "20 mm", "M8", "Set A"]]
POOLS = {"city": CITIES, "person": PEOPLE, "goods": GOODS}
KINDS = {
    "region": {"de": ["Nord", "Süd", "West"], "fr": ["Nord", "Sud", "Ouest"], "en": ["North", "South", "West"]},
    "dept": {"de": ["Einkauf", "Vertrieb", "IT"], "fr": ["Achats", "Ventes", "RH"], "en": ["Sales", "HR", "Legal"]},
    "store": {"de": ["Halle 1", "Halle 2"], "fr": ["Dépôt A", "Dépôt B"], "en": ["Shed 1", "Shed 2", "Yard"]},
    "firm": {key: ["Adler & Co", "Bülow AG", "Crest Ltd", "O'Hara Inc."] for key in ("de", "fr", "en")},
    "currency": {key: ["EUR", "USD", "CHF"] for key in ("de", "fr", "en")},
    "sensor": {key: ["S1", "S2", "S3"] for key in ("de", "fr", "en")},
}
# title, then columns, each in German, French and English, with what it holds
THEMES = [
    [
        "Umsatz nach Filiale|Ventes par agence|Sales by branch",
        "Filiale|Agence|Branch=key:city",
        "Region|Région|Region=cat:region",
        "Verkaufte Stück|Unités vendues|Units sold=int",
        "Umsatz|Chiffre d'affaires|Revenue=money",
        "Marge|Taux de marge|Margin=pct",
    ],
    [
        "Personalliste|Liste du personnel|Staff list",
        "Pers.-Nr.|Matricule|Staff no.=code",
        "Name|Nom|Name=key:person",
        "Abteilung|Service|Department=cat:dept",
        "Eintritt|Date d'entrée|Joined=date",
        "Gehalt|Salaire|Salary=money",
    ],
    [
        "Lagerbestand|État du stock|Stock on hand",
        "Artikel-Nr.|Réf.|Part no.=art",
        "Bezeichnung|Désignation|Description=key:goods",
        "Lager|Dépôt|Warehouse=cat:store",
        "Bestand|Quantité|On hand=int",
        "Einzelpreis|Prix unitaire|Unit price=money",
        "Gezählt am|Compté le|Counted on=date",
    ],
    [
        "Offene Rechnungen|Factures ouvertes|Open invoices",
        "Rechnung|Facture|Invoice=serial",
        "Kunde|Client|Customer=cat:firm",
        "Datum|Date|Date=date",
        "Währung|Devise|Currency=cat:currency",
        "Nettobetrag|Montant net|Net amount=num",
    ],
    [
        "Messwerte Kühlhaus|Relevés chambre froide|Cold store readings",
        "Messung|Relevé|Reading=serial",
        "Sensor|Capteur|Sensor=cat:sensor",
        "Datum|Date|Date=date",
        "Temperatur|Température|Temperature=signed@°C",
        "Feuchte|Humidité|Humidity=num@g/m³",
    ],
    [
        "Budget und Ist|Budget et réalisé|Budget against actuals",
        "Kostenstelle|Centre de coûts|Cost centre=code",
        "Standort|Site|Site=key:city",
        "Plan|Prévu|Budget=money",
        "Ist|Réalisé|Actual=money",
        "Abweichung|Écart|Variance=paren",
    ],
]
NUMBERS = ("int", "num", "money", "paren", "signed")
SHEET_FORMATS = {"int": "#,##0", "num": "#,##0.00", "paren": "#,##0.00_);(#,##0.00)", "signed": "0.00", "pct": "0.0%"}
PLACE = {"de": 0, "fr": 1, "en": 2}


def values(rng: random.Random, style: str, pool: str, language: str, count: int) -> list[Value]:
    """A column's values, without ties where a question asks for the largest."""
    if style == "key":
        return list(rng.sample(POOLS[pool], count))
    if style == "cat":
        kinds = KINDS[pool][language]
        return [*kinds, *(rng.choice(kinds) for _ in range(count - len(kinds)))]
    if style == "code":
        return [f"{number:05d}" for number in rng.sample(range(12, 9000), count)]
    if style == "art":
        shapes = ("{:04d}", "{:02d}E4", "7-{:02d}", "0{:d}/1")
        return [shapes[at % 4].format(number) for at, number in enumerate(rng.sample(range(10, 99), count))]
    if style == "serial":
        return [f"R-24-{at + 1:03d}" for at in range(count)]
    if style == "date":
        first = dt.date(2024, 1, 28)
        return [first, *(first + dt.timedelta(rng.randrange(8, 300)) for _ in range(count - 1))]
    if style == "pct":
        return [number / 1000 for number in rng.sample(range(11, 480), count)]
    if style == "int":
        return list(rng.sample(range(8, 4800), count))
    low, high = {"signed": (-2400, 900), "paren": (-900000, 900000)}.get(style, (5000, 2500000))
    return [number / 100 for number in rng.sample(range(low, high), count)]


def subject(rng: random.Random, tongue: Tongue, most: int = 16, bare: bool = False) -> tuple[Block, list[list[Value]]]:
    """A table's columns, and its records not yet laid out."""
    title, *columns = rng.choice(THEMES)
    count, made, data = rng.randrange(9, most), list[Column](), list[list[Value]]()
    for column in columns:
        heads, held = column.split("=")
        held, _, unit = held.partition("@")
        style, _, pool = held.partition(":")
        made.append(Column((heads.split("|")[PLACE[tongue.language]],), style, unit))
        data.append(values(rng, style, pool, tongue.language, count))
    if bare and made[-1].style == "paren":
        made, data = made[:-1], data[:-1]
    year = rng.randrange(2021, 2026)
    block = Block(f"{title.split('|')[PLACE[tongue.language]]} {year}", tongue, made, rng.choice(tongue.dates))
    return block, [list(row) for row in zip(*data, strict=True)]


def cells(block: Block, record: Sequence[Value]) -> list[Cell]:
    return [Cell(value, column.style) for value, column in zip(record, block.columns, strict=True)]


def head(block: Block) -> list[Cell]:
    return [Cell(column.heads[-1], "head") for column in block.columns]


def total(block: Block, word: str, records: Sequence[Sequence[Value]], lines: Sequence[int]) -> list[Cell]:
    """A row of sums; its label stands in the first column."""
    row = [Cell(word, "text")]
    for at, column in enumerate(block.columns[1:], 1):
        if column.style not in NUMBERS or column.style == "signed":
            row.append(Cell())
            continue
        figure = round(sum(v for r in records if isinstance(v := r[at], int | float)), 2)

        def added(at_: At, col: int = at, lines: Sequence[int] = tuple(lines)) -> str:
            if len(lines) == lines[-1] - lines[0] + 1:
                return f"=SUM({at_(lines[0], col)}:{at_(lines[-1], col)})"
            return "=" + "+".join(at_(line, col) for line in lines)

        row.append(Cell(figure, column.style, added))
    return row


def put(block: Block, record: Sequence[Value], shown: list[Cell] | None = None) -> int:
    block.lines.append(shown or cells(block, record))
    block.records.append((len(block.lines) - 1, list(record)))
    return len(block.lines) - 1


def put_head(block: Block, row: list[Cell] | None = None) -> None:
    block.heads.add(len(block.lines))
    block.lines.append(row or head(block))


# Layouts ------------------------------------------------------------------------------------------------------------


def plain(rng: random.Random, tongue: Tongue, most: int = 16) -> Block:
    block, records = subject(rng, tongue, most)
    put_head(block)
    for record in records:
        put(block, record)
    return block


def units(rng: random.Random, tongue: Tongue) -> Block:
    """A row of units below the headings."""
    sign = re.sub("[# ]", "", tongue.money)
    block, records = subject(rng, tongue)
    put_head(block)
    shown = {"money": sign, "int": "pcs" if tongue.language == "en" else "Stk.", "pct": "%"}
    put_head(block, [Cell(column.unit or shown.get(column.style), "head") for column in block.columns])
    for record in records:
        put(block, record)
    return block


def totals(rng: random.Random, tongue: Tongue) -> Block:
    block, records = subject(rng, tongue)
    put_head(block)
    lines = [put(block, record) for record in records]
    block.lines.append(total(block, WORDS[tongue.language][0], records, lines))
    block.notes = list(WORDS[tongue.language][2:4])
    return block


def grouped(rng: random.Random, tongue: Tongue) -> tuple[Block, list[tuple[str, list[list[Value]]]]]:
    """A table whose first column is a kind, its records in groups."""
    while True:
        block, records = subject(rng, tongue, 19)
        if kinds := block.of("cat"):
            break
    at = kinds[0]
    order = [at, *(other for other in range(len(block.columns)) if other != at)]
    block.columns = [block.columns[other] for other in order]
    moved = [[record[other] for other in order] for record in records]
    return block, [(str(kind), [r for r in moved if r[0] == kind]) for kind in dict.fromkeys(r[0] for r in moved)]


def subtotals(rng: random.Random, tongue: Tongue) -> Block:
    block, groups = grouped(rng, tongue)
    words, every, sums = WORDS[tongue.language], list[list[Value]](), list[int]()
    put_head(block)
    for kind, records in groups:
        lines = [put(block, record) for record in records]
        word = rng.choice([f"{words[1]} {kind}"])
        block.lines.append(total(block, word, records, lines))
        sums.append(len(block.lines) - 1)
        every += records
    block.lines.append(total(block, words[0], every, sums))
    return block


def merged_labels(rng: random.Random, tongue: Tongue) -> Block:
    """A kind's cell is merged over its rows."""
    block, groups = grouped(rng, tongue)
    put_head(block)
    for _, records in groups:
        first = len(block.lines)
        for at, record in enumerate(records):
            put(block, record, cells(block, record) if not at else [Cell(), *cells(block, record)[1:]])
        if len(records) > 1:
            block.merges.append((first, 0, len(block.lines) - 1, 0))
    return block


def separated(rng: random.Random, tongue: Tongue) -> Block:
    """A blank row between groups."""
    block, groups = grouped(rng, tongue)
    put_head(block)
    for at, (_, records) in enumerate(groups):
        if at:
            block.lines.append([Cell()] * len(block.columns))
        for record in records:
            put(block, record)
    return block


def repeated(rng: random.Random, tongue: Tongue) -> Block:
    """The headings stand again every few rows, as for print."""
    block, records = subject(rng, tongue, 19)
    for at, record in enumerate(records):
        if at % 6 == 0:
            put_head(block)
        put(block, record)
    return block


def sections(rng: random.Random, tongue: Tongue) -> Block:
    """Rows that hold the name of the section below them and nothing else."""
    block, groups = grouped(rng, tongue)
    block.columns = block.columns[1:]
    put_head(block)
    for kind, records in groups:
        block.lines.append([Cell(kind, "head"), *[Cell()] * (len(block.columns) - 1)])
        for record in records:
            put(block, record[1:])
    return block


def hidden(rng: random.Random, tongue: Tongue) -> Block:
    """Some rows are hidden: a reader of the sheet does not see them."""
    block = plain(rng, tongue)
    away = set(rng.sample([line for line, _ in block.records], 3))
    block.hidden |= away
    block.records = [held for held in block.records if held[0] not in away]
    return block


def marks(rng: random.Random, tongue: Tongue) -> Block:
    """Words and dashes where a figure is not known."""
    block, records = subject(rng, tongue)
    put_head(block)
    figures = block.of(*NUMBERS, "pct")
    gone = {(row, rng.choice(figures)): rng.choice([WORDS[tongue.language][4], "–", "-"]) for row in (1, 4, 6)}
    for row, record in enumerate(records):
        shown = cells(block, record)
        for at in figures:
            if mark := gone.get((row, at)):
                record[at], shown[at] = None, Cell(mark, "text")
        put(block, record, shown)
    return block


def crosstab(rng: random.Random, tongue: Tongue, heads: list[Value], styles: str = "num") -> Block:
    """Places down, years or months across."""
    title = {"de": "Verbrauch je Standort", "fr": "Consommation par site", "en": "Consumption by site"}
    label = {"de": "Standort", "fr": "Site", "en": "Site"}[tongue.language]
    texts = [h.strftime("%b %y~%Y-%m-%d") if isinstance(h, dt.date) else str(h) for h in heads]
    columns = [Column((label,), "key"), *(Column((text,), styles) for text in texts)]
    block = Block(title[tongue.language], tongue, columns, tongue.dates[0])
    put_head(block, [Cell(label, "head"), *(Cell(h, "month" if isinstance(h, dt.date) else "year") for h in heads)])
    for place in rng.sample(CITIES, rng.randrange(6, 11)):
        put(block, [place, *(values(rng, styles, "", "", 1)[0] for _ in heads)])
    return block


def years(rng: random.Random, tongue: Tongue) -> Block:
    return crosstab(rng, tongue, list(range(2020, 2020 + rng.randrange(4, 7))))


def months(rng: random.Random, tongue: Tongue) -> Block:
    return crosstab(rng, tongue, [dt.date(2024, month, 1) for month in range(1, 6)], "int")


def losses(rng: random.Random, tongue: Tongue) -> Block:
    """Years across, with losses in parentheses or with a minus."""
    return crosstab(rng, tongue, [2022, 2023, 2024], "paren")


def two_level(rng: random.Random, tongue: Tongue) -> Block:
    """Years above plan and actual, the years' cells merged."""
    subs = {"de": ("Plan", "Ist", "Quote"), "fr": ("Prévu", "Réalisé", "Taux"), "en": ("Plan", "Actual", "Share")}
    subs_ = list(zip(subs[tongue.language], ("money", "money", "pct"), strict=True))[: rng.randrange(2, 4)]
    label = {"de": "Standort", "fr": "Site", "en": "Site"}[tongue.language]
    tops = rng.choice([["2023", "2024"], ["H1", "H2"], ["Inland", "Export", "EU"]])
    columns = [Column((label,), "key"), *(Column((top, name), style) for top in tops for name, style in subs_)]
    block = Block(f"Plan {tops[0]}-{tops[-1]}", tongue, columns, tongue.dates[0])
    span = len(subs_)
    upper = [Cell(label, "head")]
    for at, top in enumerate(tops):
        upper += [Cell(int(top) if top.isdigit() else top, "year"), *[Cell()] * (span - 1)]
        block.merges.append((0, 1 + at * span, 0, (at + 1) * span))
    block.merges.append((0, 0, 1, 0))
    put_head(block, upper)
    put_head(block, [Cell(), *(Cell(column.heads[-1], "head") for column in columns[1:])])
    for place in rng.sample(CITIES, rng.randrange(6, 12)):
        put(block, [place, *(values(rng, column.style, "", "", 1)[0] for column in columns[1:])])
    return block


def computed(rng: random.Random, tongue: Tongue) -> Block:
    """A column of formulas over two others, and a row of sums."""
    heads = {"de": "Artikel|Menge|Preis|Betrag", "fr": "Article|Quantité|Prix|Montant", "en": "Item|Qty|Price|Amount"}
    names = heads[tongue.language].split("|")
    styles = ("key", "int", "money", "money")
    title = {"de": "Bestellung", "fr": "Commande", "en": "Order"}[tongue.language]
    block = Block(title, tongue, [Column((n,), s) for n, s in zip(names, styles, strict=True)], tongue.dates[0])
    put_head(block)
    records, lines = list[list[Value]](), list[int]()
    for name in rng.sample(GOODS, rng.randrange(7, 12)):
        count, cents = rng.randrange(2, 90), rng.randrange(150, 90000)
        record: list[Value] = [name, count, cents / 100, count * cents / 100]
        line = len(block.lines)

        def product(at: At, line: int = line) -> str:
            return f"={at(line, 1)}*{at(line, 2)}"

        lines.append(put(block, record, [*cells(block, record)[:3], Cell(record[3], "money", product)]))
        records.append(record)
    block.lines.append(total(block, WORDS[tongue.language][0], records, lines))
    return block


LAYOUTS: dict[str, Callable[[random.Random, Tongue], Block]] = {
    "plain": plain, "units": units, "totals": totals, "subtotals": subtotals, "merged labels": merged_labels,
    "separated": separated, "repeated heads": repeated, "sections": sections, "hidden": hidden, "filtered": hidden,
    "marks": marks, "years": years, "months": months, "losses": losses, "two-level": two_level, "formulas": computed,
    "titled": totals, "excel table": plain, "named range": plain,
}  # fmt: skip
