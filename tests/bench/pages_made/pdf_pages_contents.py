"""What the documents of the ninth truth say: tables as offices, laboratories and agencies write them, and pages without
one. A `Page` is a list of paragraphs, headings and tables; producers set it, `pdf_pages_made.py` says what is where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

PROSE = (
    "The figures below were compiled by the district office from returns received before the end of the quarter.",
    "Amounts are stated in thousands unless noted otherwise, and totals may not add up because of rounding.",
    "Please quote the reference number in all correspondence and allow ten working days for a reply.",
    "Measurements were repeated three times on separate days, and the mean of all readings is reported here.",
    "A review of the procedure is planned for next spring, when the remaining sites will have been visited.",
    "Passengers are advised to arrive early, since services may be altered at short notice on public holidays.",
)
PLACES = (
    "Alderton", "Brackwater", "Cold Ashby", "Dunmere", "Eastgate", "Farrow Hill", "Glenside", "Harwick",
    "Inverloch", "Kingsbury Park", "Langford", "Millbrook", "Northolt Road", "Oakham", "Penrose",
)  # fmt: skip
GOODS = (
    "Hex bolt M8 × 40", "Washer, zinc plated", "Ball bearing 6204", "Cable gland PG13", "Pressure gauge 0–10 bar",
    "Safety goggles, clear", "Copper pipe 15 mm", "LED driver 24 V", "Terminal block, 12-way", "Filter cartridge F7",
    "Gasket set for pump", "Timer relay DIN rail", "Paint roller 23 cm", "Thermal paste 5 g",
)  # fmt: skip
NAMES = ("A. Whitlock", "B. Okafor", "C. Lindqvist", "D. Moreau", "E. Tanaka", "F. Castillo", "G. Novak", "H. Byrne")


@dataclass
class Made:
    """A table: `aligns` has `l`, `r` or `c` a column, `spans` are (row, column, rows, columns), `bold` rows, `wraps`
    widths in points of columns whose cells break; `keyed` tables have a first cell that no other row has."""

    rows: list[list[str]]
    aligns: str
    header_rows: int = 1
    spans: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    bold: list[int] = field(default_factory=list[int])
    wraps: dict[int, float] = field(default_factory=dict[int, float])
    keyed: bool = False
    rules: list[int] = field(default_factory=list[int])
    """Rows with a rule above, whatever the look."""

    def covered(self) -> set[tuple[int, int]]:
        return {
            (i, j) for r, c, h, w in self.spans for i in range(r, r + h) for j in range(c, c + w) if (i, j) != (r, c)
        }

    def span(self, row: int, column: int) -> tuple[int, int]:
        return next(((h, w) for r, c, h, w in self.spans if (r, c) == (row, column)), (1, 1))


@dataclass
class Page:
    """`items` are ("h", text), ("p", text), ("t", table), ("pair", [table, table]); `columns` of running text."""

    items: list[tuple[str, Any]]
    columns: int = 1
    size: float = 9.5

    @property
    def tables(self) -> list[Made]:
        return [t for kind, what in self.items for t in ([what] if kind == "t" else what if kind == "pair" else [])]


def _money(r: Random, low: float = 5, high: float = 4000) -> str:
    return f"{r.uniform(low, high):,.2f}"


def _prose(r: Random, sentences: int) -> str:
    return " ".join(r.choice(PROSE) for _ in range(sentences))


def _page(r: Random, title: str, *tables: Any, after: int = 2, **more: Any) -> Page:
    items: list[tuple[str, Any]] = [("h", title), ("p", _prose(r, 2))]
    items += [("pair", t) if isinstance(t, list) else ("t", t) for t in tables]
    return Page([*items, ("p", _prose(r, after))], **more)


def invoice(r: Random) -> Page:
    rows = [["Pos.", "Description", "Qty", "Unit price", "VAT", "Amount"]]
    for at, good in enumerate(r.sample(GOODS, r.randint(4, 8)), 1):
        note = r.choice(("", "", ", delivered to site", ", as agreed by telephone on Monday"))
        rows.append([str(at), good + note, str(r.randint(1, 60)), _money(r, 1, 90), "20%", _money(r)])
    total = len(rows)
    rows += [["", "", "", "", name, _money(r, 3000, 9000)] for name in ("Net", "VAT", "Total")]
    return _page(r, f"Invoice {r.randint(10000, 99999)}", Made(rows, "llrrrr", wraps={1: 150}, rules=[total], bold=[0]))


def statement(r: Random) -> Page:
    rows, balance = [["Date", "Details", "Paid out", "Paid in", "Balance"]], r.uniform(900, 5000)
    for day in sorted(r.sample(range(1, 31), 14)):
        what = r.choice(("Card payment to", "Direct debit", "Transfer from", "Standing order")) + " " + r.choice(PLACES)
        amount = r.uniform(3, 700)
        income = what.startswith("Transfer")
        balance += amount if income else -amount
        out, into = ("", f"{amount:,.2f}") if income else (f"{amount:,.2f}", "")
        rows.append([f"{day:02} Mar", what, out, into, f"{balance:,.2f}" if r.random() < 0.7 else ""])
    return _page(r, "Your account statement", Made(rows, "llrrr", bold=[0], keyed=True))


def timetable(r: Random) -> Page:
    services = r.randint(6, 10)
    rows = [["Station", *[f"{r.choice('ABX')}{r.randint(10, 99)}" for _ in range(services)]]]
    starts = [300 + 47 * at for at in range(services)]
    for at, place in enumerate(r.sample(PLACES, r.randint(8, 12))):
        times = [(s + at * 9) for s in starts]
        rows.append([place, *[f"{t // 60:02}:{t % 60:02}" if r.random() > 0.12 else r.choice("–|") for t in times]])
    return _page(r, "Timetable, Mondays to Fridays", Made(rows, "l" + "c" * services))


def laboratory(r: Random) -> Page:
    rows: list[list[str]] = [["Test", "Result", "Flag", "Unit", "Reference range"]]
    groups = {
        "Haematology": ("Haemoglobin", "White cell count", "Platelets", "Haematocrit"),
        "Clinical chemistry": ("Sodium", "Potassium", "Creatinine", "Urea", "Alanine aminotransferase"),
        "Lipids": ("Total cholesterol", "HDL cholesterol", "Triglycerides"),
    }
    spans: list[tuple[int, int, int, int]] = []
    bold = [0]
    for name, tests in groups.items():
        spans.append((len(rows), 0, 1, 5))
        bold.append(len(rows))
        rows.append([name, "", "", "", ""])
        for test in tests:
            low = r.uniform(1, 90)
            rows.append([test, f"{r.uniform(low * 0.8, low * 2):.1f}", r.choice(("", "", "", "H", "L")),
                         r.choice(("g/L", "mmol/L", "µmol/L", "G/L")), f"{low:.1f} – {low * 1.8:.1f}"])  # fmt: skip
    return _page(r, "Laboratory report", Made(rows, "lrcll", spans=spans, bold=bold))


def prices(r: Random) -> Page:
    rows = [["Item no.", "Article", "Price per piece (EUR)", "", "", "Stock"], ["", "", "1", "10", "100", ""]]
    for good in r.sample(GOODS, 9):
        price = r.uniform(1, 90)
        rows.append([f"{r.randint(100, 999)}-{r.randint(10, 99)}", good, f"{price:.2f}", f"{price * 0.9:.2f}",
                     f"{price * 0.8:.2f}", r.choice(("yes", "no", "3 weeks"))])  # fmt: skip
    spans = [(0, 2, 1, 3), (0, 0, 2, 1), (0, 1, 2, 1), (0, 5, 2, 1)]
    return _page(r, "Price list", Made(rows, "llrrrl", 2, spans, [0, 1], {1: 120}, keyed=True))


def census(r: Random) -> Page:
    rows = [["Region", "Households (1,000)", "", "Persons per household", "", "Change^1"],
            ["", "2011", "2021", "2011", "2021", "%"]]  # fmt: skip
    bold: list[int] = []
    for country, places in (("North", PLACES[:4]), ("South", PLACES[4:9])):
        for place in (country, *places):
            before, after = r.uniform(20, 400), r.uniform(20, 400)
            bold += [len(rows)] if place == country else []
            rows.append([place, f"{before:.1f}", f"{after:.1f}", f"{r.uniform(1.5, 3):.2f}", f"{r.uniform(1.5, 3):.2f}",
                         f"{(after / before - 1) * 100:+.1f}".replace("-", "−")])  # fmt: skip
    return _page(r, "Table 3.2: Households by region", Made(rows, "lrrrrr", 2, [(0, 1, 1, 2), (0, 3, 1, 2)], bold))


def balance(r: Random) -> Page:
    rows, rules, bold = [["", "Note", "2024", "2023"]], list[int](), [0]
    for head, lines in (
        ("Non-current assets", ("Intangible assets", "Property, plant and equipment", "Deferred tax")),
        ("Current assets", ("Inventories", "Trade and other receivables", "Cash and cash equivalents")),
    ):
        bold.append(len(rows))
        rows.append([head, "", "", ""])
        rows += [
            [line, r.choice(("", str(r.randint(3, 24)))), f"{r.randint(100, 90000):,}",
             r.choice(("–", f"({r.randint(100, 9000):,})", f"{r.randint(100, 90000):,}"))]
            for line in lines
        ]  # fmt: skip
        rules.append(len(rows))
        rows.append([f"Total {head.lower()}", "", f"{r.randint(9000, 99000):,}", f"{r.randint(9000, 99000):,}"])
    rules.append(len(rows))
    bold.append(len(rows))
    rows.append(["Total assets", "", f"{r.randint(99000, 199000):,}", f"{r.randint(99000, 199000):,}"])
    return _page(r, "Statement of financial position", Made(rows, "lcrr", bold=bold, rules=rules))


def ledger(r: Random) -> Page:
    rows, bold = [["Voucher", "Date", "Account", "Debit", "Credit"]], [0]
    for month in range(1, 7):
        for _ in range(r.randint(9, 13)):
            debit = r.random() < 0.6
            rows.append([f"V{1000 + len(rows)}", f"2024-{month:02}-{r.randint(1, 28):02}", r.choice(PLACES),
                         _money(r) if debit else "", "" if debit else _money(r)])  # fmt: skip
        bold.append(len(rows))
        rows.append([f"Subtotal {month}", "", "", _money(r, 9000, 20000), _money(r, 9000, 20000)])
    return _page(r, "General ledger", Made(rows, "lllrr", bold=bold, keyed=True))


def results(r: Random) -> Page:
    rows = [["Method", "CIFAR-10", "", "ImageNet", "", "Params"], ["", "Top-1", "Top-5", "Top-1", "Top-5", "(M)"]]
    methods = ("Baseline", "+ augmentation", "ResNet-50 [12]", "ViT-B/16 [7]", "Ours (small)", "Ours (large)")
    rows += [
        [name, *[f"{r.uniform(60, 99):.1f} ± {r.uniform(0, 1):.1f}" for _ in range(4)], f"{r.uniform(1, 90):.1f}"]
        for name in methods
    ]
    return _page(r, "Results", Made(rows, "lccccr", 2, [(0, 1, 1, 2), (0, 3, 1, 2)]), after=6)


def columns(r: Random) -> Page:
    def one() -> Made:
        heads = ["Sample", "n", "Mean", "p"]
        rows = [
            [f"{r.choice('KLM')}{at}", str(r.randint(9, 99)), f"{r.uniform(1, 9):.2f}",
             r.choice(("< .001", f".{r.randint(10, 99)}"))]
            for at in range(1, 7)
        ]  # fmt: skip
        return Made([heads, *rows], "lrrr")

    items: list[tuple[str, Any]] = [("h", "Methods and findings")]
    for _ in range(2):
        items += [("p", _prose(r, 9)), ("t", one()), ("p", _prose(r, 9))]
    return Page(items, columns=2, size=9)


def tax(r: Random) -> Page:
    rows = [["If taxable income is", "", "And you are", "", ""],
            ["At least", "But less than", "Single", "Married filing jointly", "Head of a household"]]  # fmt: skip
    for start in range(41000, 42000, 50):
        tax = (start - 9000) * 0.18
        rows.append([f"{start:,}", f"{start + 50:,}", f"{tax:,.0f}", f"{tax * 0.8:,.0f}", f"{tax * 0.9:,.0f}"])
    return _page(r, "Tax table", Made(rows, "rrrrr", 2, [(0, 0, 1, 2), (0, 2, 1, 3)], [0, 1], keyed=True))


def specification(r: Random) -> Page:
    rows = [
        ["Property", "Value", "Remarks"],
        ["Rated voltage", f"{r.choice((12, 24, 230))} V", "±10 %, measured at the terminals"],
        ["Power consumption", f"{r.uniform(1, 40):.1f} W", "at full load and an ambient temperature of 25 °C"],
        ["Dimensions (W × H × D)", f"{r.randint(50, 300)} × {r.randint(50, 300)} × {r.randint(20, 90)} mm", ""],
        ["Weight", f"{r.randint(100, 900)} g", "without mounting plate"],
        ["Operating temperature", "−20 … +55 °C", "derate by 2 % per kelvin above 45 °C; avoid direct sunlight"],
        ["Protection class", f"IP{r.choice((20, 54, 65))}", "EN 60529"],
        ["Interfaces", "RS-485, Ethernet, USB service port", "optional: CAN"],
    ]  # fmt: skip
    return _page(r, "Technical data", Made(rows, "lll", bold=[0], wraps={0: 110, 1: 110, 2: 150}))


def league(r: Random) -> Page:
    rows = [["#", "Club", "P", "W", "D", "L", "GF", "GA", "GD", "Pts"]]
    for at, place in enumerate(r.sample(PLACES, 10), 1):
        w, d, lost, made, let = (r.randint(1, 20) for _ in range(5))
        rows.append([str(at), place, str(w + d + lost), str(w), str(d), str(lost), str(made * 2), str(let * 2),
                     f"{(made - let) * 2:+}", str(3 * w + d)])  # fmt: skip
    return _page(r, "Final standings", Made(rows, "rlrrrrrrrr", bold=[0]))


def features(r: Random) -> Page:
    heads = ["", "Encryption", "Single sign-on", "Audit trail", "Offline use", "Priority support"]
    body = [[name, *[r.choice(("yes", "no", "add-on")) for _ in heads[1:]]]
            for name in ("Starter", "Team", "Business", "Enterprise", "Government")]  # fmt: skip
    return _page(r, "Plans compared", Made([heads, *body], "lccccc"))


def timesheet(r: Random) -> Page:
    rows = [["Time", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]]
    subjects = ("Mathematics", "Chemistry", "History", "Sports", "French", "Art", "Biology")
    rows += [[f"{hour}:00–{hour}:45", *[r.choice((*subjects, "")) for _ in range(5)]] for hour in range(8, 14)]
    rows[4] = [rows[4][0], "Lunch", "", "", "", ""]
    rows[2][3], rows[3][3] = "Laboratory course", ""
    return _page(r, "Weekly schedule", Made(rows, "lccccc", spans=[(4, 1, 1, 5), (2, 3, 2, 1)], bold=[0]))


def beside(r: Random) -> Page:
    def one(title: str) -> Made:
        own = [[place, f"{r.randint(100, 9999):,}", f"{r.uniform(0, 30):.1f} %"] for place in r.sample(PLACES, 7)]
        return Made([[title, "Votes", "Share"], *own], "lrr", bold=[0])

    return _page(r, "Election results by ward", [one("East"), one("West")])


def menu(r: Random) -> Page:
    rows = [[f"{name} {kind}", f"{r.uniform(3, 20):.2f}"] for kind in ("soup", "salad", "curry")
            for name in ("Tomato", "Lentil", "Spinach")]  # fmt: skip
    return _page(r, "Lunch card", Made([["Dish", "Price (€)"], *rows], "lr", bold=[0]))


def risks(r: Random) -> Page:
    texts = (
        "Key supplier stops delivery for more than four weeks", "Loss of data through failure of the storage system",
        "Approval by the building authority is delayed beyond the start of the heating season",
        "Exchange rates move against us", "Two members of the project team leave within the same quarter",
    )  # fmt: skip
    answers = (
        "Contract with a second source, stock for six weeks",
        "Daily copies at another site; restore tested twice a year",
        "Weekly calls with the authority", "Hedging of 80 % of the volume",
        "Documentation kept up to date, deputies named for all roles, knowledge shared in pairs",
    )  # fmt: skip
    rows = [["No.", "Risk", "P", "I", "Mitigation", "Owner"]]
    rows += [[f"R{at}", text, r.choice("LMH"), r.choice("LMH"), answer, r.choice(NAMES)]
             for at, (text, answer) in enumerate(zip(texts, answers, strict=True), 1)]  # fmt: skip
    return _page(r, "Risk register", Made(rows, "llccll", bold=[0], wraps={1: 130, 4: 130, 5: 60}))


def survey(r: Random) -> Page:
    rows = [["Group", "Statement", "Agree", "Neutral", "Disagree"]]
    spans: list[tuple[int, int, int, int]] = []
    for group in ("Staff", "Visitors", "Residents"):
        spans.append((len(rows), 0, 3, 1))
        for at, text in enumerate(("Opening hours suit me", "Signs are clear", "Good value")):
            agree = r.randint(20, 70)
            rows.append([group if not at else "", text, f"{agree}", f"{(100 - agree) // 3}", f"{(100 - agree) // 2}^*"])
    return _page(r, "Survey, per cent of answers", Made(rows, "llrrr", spans=spans))


def shipping(r: Random) -> Page:
    rows = [["Container", "Port of loading", "ETD", "ETA", "Weight kg", "Seal", "Status"]]
    rows += [[f"{r.choice(('MSKU', 'TGHU', 'OOLU'))}{r.randint(1000000, 9999999)}", r.choice(PLACES), f"{d:02}/04",
              f"{d + 12:02}/05", f"{r.randint(4000, 27000):,}", f"{r.choice('AB')}-{r.randint(100, 999)}",
              r.choice(("on board", "delayed", "customs", "released"))] for d in range(1, 16)]  # fmt: skip
    return _page(r, "Shipping list", Made(rows, "lllrrll", bold=[0], keyed=True))


# Pages without a table.


def letter(r: Random) -> Page:
    lines = [("p", NAMES[1]), ("p", "14 Harbour Lane"), ("p", "Brackwater"), ("p", "2 May 2024"), ("h", "Your enquiry")]
    return Page([*lines, *[("p", _prose(r, 4)) for _ in range(3)], ("p", "Yours sincerely,"), ("p", NAMES[2])])


def article(r: Random) -> Page:
    return Page([x for _ in range(4) for x in (("h", r.choice(PLACES)), ("p", _prose(r, 9)))], columns=2)


def bulleted(r: Random) -> Page:
    items: list[tuple[str, Any]] = [("h", "Agenda"), ("p", _prose(r, 2))]
    items += [("p", f"{at}. {r.choice(PROSE)}") for at in range(1, 7)]
    return Page([*items, *[("p", f"• {text}") for text in r.sample(PROSE, 4)]])


def dialogue(r: Random) -> Page:
    return Page([("h", "Minutes"), *[("p", f"{r.choice(NAMES)}: {r.choice(PROSE)}") for _ in range(12)]])


def references(r: Random) -> Page:
    texts = [
        f"[{at}] {r.choice(NAMES)}, {r.choice(NAMES)}: {r.choice(PROSE)[:60]}. Annals of {r.choice(PLACES)} "
        f"{r.randint(1, 90)}, {r.randint(1990, 2024)}, pp. {r.randint(1, 90)}–{r.randint(91, 200)}."
        for at in range(1, 14)
    ]
    return Page([("h", "References"), *[("p", text) for text in texts]])


CONTENTS: dict[str, Callable[[Random], Page]] = {
    make.__name__: make
    for make in (
        invoice, statement, timetable, laboratory, prices, census, balance, ledger, results, columns, tax,
        specification, league, features, timesheet, beside, menu, risks, survey, shipping,
        letter, article, bulleted, dialogue, references,
    )
}  # fmt: skip
NO_TABLES = (
    ("letter", "typst"), ("letter", "canvas"), ("article", "typst"), ("article", "chromium"), ("bulleted", "platypus"),
    ("bulleted", "cairo"), ("dialogue", "fpdf"), ("dialogue", "chromium"), ("references", "typst"),
    ("references", "platypus"),
)  # fmt: skip
