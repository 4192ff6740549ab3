"""What the tables of `pdf_pages_classes.py` say, class by class. A row is a list of texts; `<` is a cell
merged into the
one left of it, `^` into the one above. What is `DRAWN` is placed point by point."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Item = tuple[Any, ...]
SANS, BOLD = "Helvetica", "Helvetica-Bold"
PROSE = (
    "The committee met twice in the period and looked at every figure below; where a site had not "
    "reported by the end of "
    "the month, the value of the month before was carried forward and is marked in the working papers.",
    "Readings were taken at the hours that the manual asks for. Two instruments were exchanged in the "
    "course of the year, "
    "and both had been compared with the reference before, so that no correction was needed for either of them.",
    "Nothing in this annex changes the budget as it was voted. It shows how the amounts were spread over "
    "the departments, "
    "and what was left at the end of the year, after transfers that the treasurer had allowed.",
    "Members may ask the secretary for the full list. It is kept in the archive of the society for ten "
    "years, and will be "
    "shown to anyone who gives a reason for wanting to see it and leaves a name and an address.",
)
NAMES = (
    "Harbour office", "Water supply", "Street lighting", "Public library", "Fire brigade", "Town museum",
    "Parks and trees",
    "Cemetery", "Swimming bath", "Youth club", "Market hall", "Ferry landing", "Waste depot",
    "School meals", "Bus lines",
)  # fmt: skip
PARTS = (
    "Bracket",
    "Spindle",
    "Cover plate",
    "Drive belt",
    "Bearing",
    "Coupling",
    "Filter mat",
    "Sealing ring",
    "Lever",
    "Hinge pin",
)
HEADS = ("Budget", "Actual", "Change", "Share", "Reserve", "Plan", "Orders", "Stock", "Visits", "Hours")
REGIONS = ("North", "South", "East", "West", "Centre", "Coast")


FORMULAS = (
    "a + b    =   c · d          (1)",
    "f(x)     =   x² + 2x − 1    (2)",
    "E        =   m c²           (3)",
    "y(t)     =   A sin(ω t)     (4)",
    "∂u/∂t    =   k ∂²u/∂x²      (5)",
    "P(A|B)   =   P(B|A) P(A) / P(B)  (6)",
)


@dataclass
class Tab:
    """A table: its rows, how many of them are heads, and its columns: `l`, `r`, `c`, or `w` where words wrap."""

    rows: list[list[str]]
    columns: str
    head: int = 1
    styles: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])

    def grid(self) -> list[list[str]]:
        """The rows as a reader has them: merged cells are empty but for the first."""
        return [
            ["" if text in ("<", "^") else " ".join(text.replace("\u00ad", "").split()) for text in row]
            for row in self.rows
        ]


@dataclass
class Made:
    """A page: its tables, its text around them, and how it looks. `truth` is what a table says where its cells
    do not."""

    tables: list[Tab]
    look: str
    around: tuple[str, str]
    page: str = ""
    css: str = ""
    turned: bool = False
    truth: dict[int, Any] = field(default_factory=dict[int, Any])

    def __post_init__(self) -> None:
        before, after = self.around
        self.page = self.page or f"<p>{before}</p>{'<!--t-->' * len(self.tables)}<p>{after}</p>"


@dataclass
class Placed:
    """Pages of texts and lines, and the tables of each."""

    pages: list[list[Item]]
    truth: list[list[Any]]


def number(r: random.Random, most: int = 99999, least: int = 100) -> str:
    return f"{r.randint(least, most):,}"


def around(r: random.Random) -> tuple[str, str]:
    one, other = r.sample(PROSE, 2)
    return one, other


def body(r: random.Random, rows: int, columns: int, names: tuple[str, ...] = NAMES) -> list[list[str]]:
    return [[name, *(number(r) for _ in range(columns))] for name in r.sample(names, rows)]


def two_heads(r: random.Random, columns: tuple[int, ...]) -> list[list[str]]:
    """Heads of groups over heads, the outer ones as tall as both."""
    top, low = ["Department"], ["^"]
    for region, wide in zip(r.sample(REGIONS, len(columns)), columns, strict=True):
        top += [region, *["<"] * (wide - 1)]
        low += r.sample(HEADS, wide)
    if r.random() < 0.5:
        top.append("Total")
        low.append("^")
    return [top, low]


def filled_head(r: random.Random) -> Made:
    head = two_heads(r, tuple(r.choice((2, 3)) for _ in range(2)))
    wide = len(head[0])
    rows = head + body(r, r.randint(5, 9), wide - 1)
    return Made([Tab(rows, "l" + "r" * (wide - 1), 2)], r.choice(("filled", "filled_gaps", "filled_bands")), around(r))


def three_heads(r: random.Random) -> Made:
    low = [r.choice(HEADS) for _ in range(4)]
    one, two = r.sample(REGIONS, 2)
    rows = [["", "Year of the accounts", "<", "<", "<"], ["", one, "<", two, "<"], ["Department", *low]]
    rows += body(r, r.randint(5, 9), 4)
    return Made([Tab(rows, "lrrrr", 3)], r.choice(("plain", "wide", "lines")), around(r))


def wrapped_labels(r: random.Random) -> Made:
    long = (
        "Contributions received from the districts\nand from other towns",
        "Maintenance of roads, bridges and\npublic squares",
        "Interest and charges of the bank for\nthe loan of the year before",
        "Fees for moorings and\nfor storage ashore",
    )  # fmt: skip
    rows = body(r, r.randint(4, 7), 3)
    for at, text in zip(r.sample(range(len(rows)), 3), r.sample(long, 3), strict=True):
        rows[at][0] = text
    return Made([Tab([["Item", *r.sample(HEADS, 3)], *rows], "lrrr")], r.choice(("plain", "wide", "lines")), around(r))


def totals(r: random.Random) -> Made:
    rows, styles = [["", "2023", "2022"]], dict[tuple[int, int], str]()
    for title in r.sample(("Income", "Expenses", "Assets", "Liabilities"), 2):
        rows.append([title, "", ""])
        own = [(name, r.randint(100, 9999), r.randint(100, 9999)) for name in r.sample(NAMES, r.randint(3, 4))]
        rows += [[name, f"{a:,}", f"{b:,}"] for name, a, b in own]
        rows.append([f"Total {title.lower()}", f"{sum(o[1] for o in own):,}", f"{sum(o[2] for o in own):,}"])
        styles |= {(len(rows) - 1, c): "font-weight:bold;border-top:1px solid" for c in (1, 2)}
    rows.append(["Result", number(r), number(r)])
    styles |= {(len(rows) - 1, c): "border-top:1px solid;border-bottom:3px double" for c in (1, 2)}
    return Made([Tab(rows, "lrr", 1, styles)], r.choice(("plain", "wide")), around(r))


def financial(r: random.Random) -> Made:
    def amount() -> str:
        return r.choice((number(r), number(r), f"({number(r)})", "–"))

    rows = [["", "Note", "2023", "2022", "2021"]]
    rows += [
        [name, r.choice(("", str(r.randint(2, 19)))), amount(), amount(), amount()]
        for name in r.sample(NAMES, r.randint(6, 10))
    ]
    return Made([Tab(rows, "lcrrr")], r.choice(("plain", "lines", "wide")), around(r))


def money_columns(r: random.Random) -> Made:
    """Amounts whose currency has a column of its own, and a head over both."""
    sign = r.choice(("$", "EUR", "£"))
    rows = [["Department", "2023", "<", "2022", "<"]]
    rows += [[name, sign, number(r), sign, number(r)] for name in r.sample(NAMES, r.randint(5, 8))]
    apart = [["" if text == "<" else text for text in row] for row in rows]
    whole = [[rows[0][0], "2023", "2022"], *([n, a + b, c + d] for n, a, b, c, d in rows[1:])]
    made = Made([Tab(rows, "llrlr")], r.choice(("plain", "lines")), around(r))
    made.truth[0] = {"either": [[apart], [whole]]}
    return made


def empty_first(r: random.Random) -> Made:
    """Groups named in a first column that is empty elsewhere."""
    rows = [["", "Part", *r.sample(HEADS, 3)]]
    for region in r.sample(REGIONS, 3):
        own = body(r, r.randint(2, 4), 3, PARTS)
        rows += [[region if not at else "", *row] for at, row in enumerate(own)]
    return Made([Tab(rows, "llrrr")], r.choice(("plain", "lines", "filled", "wide")), around(r))


def heat(value: float) -> str:
    """The colour of a value from -1 to 1."""
    red, blue = (255, 150) if value > 0 else (150, 255)
    return f"rgb({red},{int(235 - 120 * abs(value))},{blue})"


def colour_data(r: random.Random) -> Made:
    """A heat map: the fill of a cell says how large its figure is."""
    rows = [
        ["", *REGIONS[:5]],
        *([name, *(f"{r.uniform(-1, 1):.2f}" for _ in range(5))] for name in r.sample(NAMES, 6)),
    ]
    styles = {
        (at, c): f"background:{heat(float(text))}"
        for at, row in enumerate(rows) if at for c, text in enumerate(row) if c
    }  # fmt: skip
    return Made([Tab(rows, "lccccc", 1, styles)], r.choice(("plain", "wide")), around(r))


def drawn_ticks(r: random.Random) -> Made:
    """Marks that are drawn and no text."""
    tick = '<svg width="12" height="12"><path d="M2 6 L5 10 L10 2" fill="none" stroke="#080" stroke-width="2"/></svg>'
    rows = [["Feature", *r.sample(("Basic", "Standard", "Premium", "Family", "Student"), 3)]]
    rows += [[name, *(r.choice((tick, tick, "")) for _ in range(3))] for name in r.sample(NAMES, 7)]
    for row in rows[1:3]:
        row[3] = r.choice(("10 GB", "2 hours", "5 places"))
    made = Made([Tab(rows, "lccc")], r.choice(("ruled", "lines", "filled_bands")), around(r))
    made.truth[0] = {"either": [[[[sign if t == tick else t for t in row] for row in rows]] for sign in "✓☑✔"]}
    return made


def hyphens(r: random.Random) -> Made:
    """Narrow cells whose words are hyphenated."""
    texts = (
        "Administra\u00adtion of the munici\u00adpal properties", "Compen\u00adsation for environ\u00admental measures",
        "Reim\u00adbursement of trans\u00adporta\u00adtion expenses",
        "Represen\u00adtation at inter\u00adnational confer\u00adences",
        "Long-term main\u00adtenance of infra\u00adstructure",
        "Well-known manu\u00adfacturers of instru\u00admentation",
    )  # fmt: skip
    rows = [
        ["No.", "Purpose", "Amount"],
        *([str(at + 1), text, number(r)] for at, text in enumerate(r.sample(texts, 5))),
    ]
    made = Made([Tab(rows, "lwr")], r.choice(("ruled", "lines", "filled_bands")), around(r))
    made.css = f"td:nth-child(2){{max-width:{r.choice((80, 95, 110))}px;width:90px;hyphens:manual}}"
    return made


def side_by_side(r: random.Random) -> Made:
    tables = [Tab([["Item", *r.sample(HEADS, 2)], *body(r, r.randint(4, 6), 2)], "lrr") for _ in range(2)]
    page = (
        f"<p>{r.choice(PROSE)}</p><p><b>Table 4. Both halves of the year</b></p><div "
        f"class=f><div><!--t--></div><div><!--t--></div></div>"
    )
    css = "div.f{display:flex;gap:34px} div.f td,div.f th{padding-left:5px;padding-right:5px}"
    return Made(tables, r.choice(("ruled", "lines", "filled")), around(r), page, css)


def in_columns(r: random.Random) -> Made:
    """A table in a column of a page beside text, and one in the other column."""
    tables = [Tab([["Item", *r.sample(HEADS, 2)], *body(r, r.randint(4, 7), 2)], "lrr") for _ in range(2)]
    prose = [" ".join(r.sample(PROSE, 3)) for _ in range(4)]
    left, right = f"<p>{prose[0]}</p><!--t--><p>{prose[1]}</p>", f"<!--t--><p>{prose[2]}</p><p>{prose[3]}</p>"
    page = f"<div class=f><div>{left}</div><div>{right}</div></div>"
    css = (
        "div.f{display:flex;gap:24px} div.f>div{width:46%;text-align:justify} div.f td,div.f "
        "th{padding-left:2px;padding-right:4px}"
    )
    return Made(tables, r.choice(("lines", "plain", "ruled", "filled")), around(r), page, css)


def beside_prose(r: random.Random) -> Made:
    """A small table at the side of a paragraph."""
    table = Tab([["Item", "Value"], *body(r, r.randint(4, 7), 1)], "lr")
    page = f"<p>{PROSE[0]}</p><div style='float:right;margin-left:20px'><!--t--></div>" + "".join(
        f"<p>{text}</p>" for text in PROSE[1:]
    )
    return Made([table], r.choice(("lines", "ruled", "filled")), around(r), page)


def form(r: random.Random) -> Made:
    """A form in a grid, labels and values in turn, beside prose."""
    labels = r.sample(
        ("Name", "Street", "Town", "Telephone", "Reference", "Date of entry", "Contact", "Invoice no."), 8
    )
    values = r.sample(
        (
            "Odile Marchetti",
            "Quay 14",
            "Ravenglass",
            "0171 55 203",
            "RF-2231",
            "4 May 2023",
            "H. Lund",
            "88-104",
            "open",
        ),
        8,
    )
    rows = [[labels[at], values[at], labels[at + 1], values[at + 1]] for at in range(0, 8, 2)]
    return Made([Tab(rows, "llll", 0)], "ruled", around(r))


def turned(r: random.Random) -> Made:
    wide = r.randint(4, 6)
    rows = [["Department", *r.sample(HEADS, wide)], *body(r, r.randint(6, 10), wide)]
    return Made([Tab(rows, "l" + "r" * wide)], r.choice(("plain", "lines", "ruled", "filled")), around(r), turned=True)


def control(r: random.Random) -> Made:
    wide = r.randint(3, 5)
    rows = [["Department", *r.sample(HEADS, wide)], *body(r, r.randint(5, 10), wide)]
    return Made([Tab(rows, "l" + "r" * wide)], r.choice(("ruled", "lines", "filled", "plain")), around(r))


def keywords(r: random.Random) -> Made:
    """A short abstract beside keywords: no table."""
    words = r.sample(("harbours", "lighting", "budgets", "water", "libraries", "statistics", "towns"), 5)
    page = (
        f"<h1>On the costs of a town</h1><p>A. Lund, B. Marchetti</p><div class=f><div "
        f"class=k><b>Article info</b><br><i>Keywords:</i><br>{'<br>'.join(words)}</div>"
    )
    page += f"<div class=a><b>Abstract</b><br>{r.choice(PROSE)}</div></div><p>{' '.join(r.sample(PROSE, 3))}</p>"
    css = (
        "div.f{display:flex;gap:20px;border-top:1px solid;border-bottom:1px solid;padding:6px 0} "
        ".k{width:28%} .a{width:70%;text-align:justify}"
    )
    return Made([], "plain", around(r), page, css)


def formulas(r: random.Random) -> Made:
    """Formulas in plain characters: no table."""
    lines = r.sample(FORMULAS, 4)
    page = f"<p>{PROSE[0]}</p>" + "".join(
        f"<pre class=m>{escape_text(line)}</pre><p>{r.choice(PROSE)}</p>" for line in lines[:2]
    )
    page += f"<pre class=m>{chr(10).join(map(escape_text, lines))}</pre><p>{PROSE[2]}</p>"
    return Made([], "plain", around(r), page, "pre.m{font-family:inherit;margin-left:60px;white-space:pre}")


def escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def listing(r: random.Random) -> Made:
    """A listing beside what it prints: no table."""
    source = (
        "for item in items:\n    total += item.price\n    count += 1\nif count:\n    print(total / "
        "count)\nprint(total, count)\nreturn total"
    )
    output = "12.5\n87.5 7\n>>> items[0]\nItem('lever', 9.5)\n>>> len(items)\n7\n>>> exit()"
    page = (
        f"<p>{PROSE[1]}</p><div "
        f"class=f><pre>{escape_text(source)}</pre><pre>{escape_text(output)}</pre></div><p>{r.choice(PROSE)}</p>"
    )
    return Made(
        [],
        "plain",
        around(r),
        page,
        f"div.f{{display:flex;gap:{r.choice((40, 70))}px}} pre{{font:11px 'Liberation Mono'}}",
    )


HTML = ("chromium", "weasyprint")
CONTENTS: dict[str, tuple[Callable[[random.Random], Made], tuple[str, ...]]] = {
    "filled_head": (filled_head, (*HTML, "typst", "office")),
    "three_heads": (three_heads, (*HTML, "typst")),
    "wrapped_labels": (wrapped_labels, (*HTML, "typst")),
    "totals": (totals, (*HTML, "typst")),
    "financial": (financial, (*HTML, "typst", "office")),
    "money_columns": (money_columns, (*HTML, "typst")),
    "empty_first": (empty_first, (*HTML, "typst")),
    "colour_data": (colour_data, HTML),
    "drawn_ticks": (drawn_ticks, HTML),
    "hyphens": (hyphens, HTML),
    "side_by_side": (side_by_side, HTML),
    "in_columns": (in_columns, HTML),
    "beside_prose": (beside_prose, HTML),
    "form": (form, (*HTML, "office")),
    "turned": (turned, ("typst",)),
    "control": (control, (*HTML, "typst", "office")),
    "keywords": (keywords, HTML),
    "formulas": (formulas, HTML),
    "listing": (listing, HTML),
}
"""Each class, and the producers that set it."""


def text(x: float, y: float, words: str, size: float = 9, font: str = SANS, anchor: str = "l") -> Item:
    return "text", x, y, words, size, font, anchor


def prose(r: random.Random, y: float, x: float = 56, chars: int = 100, lines: int = 4) -> list[Item]:
    """Lines of a paragraph, the first at `y`."""
    words, found, line = " ".join(r.sample(PROSE, 3)).split(), list[Item](), ""
    for word in words:
        if len(line) + len(word) > chars:
            found.append(text(x, y + 11 * len(found), line))
            line = ""
        line = f"{line} {word}".strip()
    return found[:lines]


def braces(r: random.Random) -> Placed:
    """Groups of rows, each named beside a brace that is drawn over its rows."""
    items, y = prose(r, 70), 140.0
    heads = r.sample(HEADS, 2)
    items += [text(60, y, "Group", 9, BOLD), text(150, y, "Part", 9, BOLD)] + [
        text(310 + 80 * at, y, h, 9, BOLD, "r") for at, h in enumerate(heads)
    ]
    rows = [["Group", "Part", *heads]]
    y += 16
    for group in r.sample(REGIONS, 3):
        own, top = body(r, r.randint(2, 4), 2, PARTS), y - 8
        for at, row in enumerate(own):
            items += [text(150, y, row[0]), text(310, y, row[1], anchor="r"), text(390, y, row[2], anchor="r")]
            rows.append([group if not at else "", *row])
            y += 13
        low = y - 10
        middle = (top + low) / 2
        items += [text(60, middle + 3, group),
                  ("curve", (144, top), (136, top), (144, middle), (134, middle), (144, middle), (136, low),
                   (144, low))]  # fmt: skip
        y += 5
    return Placed([[*items, *prose(r, y + 20)]], [[rows]])


def glyph_gaps(r: random.Random) -> Placed:
    """Figures whose last digit is set apart, as some programs kern."""
    items, y = prose(r, 70), 140.0
    heads = r.sample(HEADS, 3)
    rows, gap = [["Department", *heads]], r.choice((1.6, 2.1, 2.5))
    items += [text(60, y, "Department", 9, BOLD)] + [
        text(280 + 100 * at, y, h, 9, BOLD, "r") for at, h in enumerate(heads)
    ]
    for name in r.sample(NAMES, r.randint(6, 9)):
        y += 14
        own = [f"{r.randint(1000, 999999):,}.{r.randint(0, 99):02}" for _ in heads]
        items.append(text(60, y, name))
        for at, value in enumerate(own):
            split = r.random() < 0.4
            items.append(
                text(280 + 100 * at - (gap + 5 if split else 0), y, value[:-1] if split else value, anchor="r")
            )
            items += [text(280 + 100 * at, y, value[-1], anchor="r")] if split else []
        rows.append([name, *own])
    rule = ("line", 56, 144, 490, 144, 0.6)
    return Placed([[*items, rule, *prose(r, y + 30)]], [[rows]])


def leaders(r: random.Random) -> Placed:
    """Names and figures with dots between them, all one word."""
    items, y, rows = prose(r, 70), 150.0, list[list[str]]()
    width = r.randint(44, 60)
    for _ in range(r.randint(6, 9)):
        name, value = r.choice(NAMES), number(r)
        items.append(text(60, y, name + "." * (width - len(name) - len(value)) + value, 9, "Courier"))
        rows.append([name, value])
        y += 13
    return Placed([[*items, *prose(r, y + 30)]], [[{"either": [[rows]]}]])


def diagram(r: random.Random) -> Placed:
    """Boxes with words, and lines between them: no table."""
    items, y = prose(r, 70), 150.0
    for at in range(3):
        for c in range(r.choice((2, 3))):
            x = 70 + 150 * c
            items += [("box", x, y, x + 96, y + 30), text(x + 48, y + 18, r.choice(PARTS), 9, SANS, "c")]
            items += [("line", x + 96, y + 15, x + 150, y + 15, 0.7)] if c < 1 else []
            items += [("line", x + 48, y + 30, x + 48, y + 62, 0.7)] if at < 2 else []
        y += 62
    return Placed([[*items, *prose(r, y + 30)]], [[]])


def overleaf(r: random.Random) -> Placed:
    """A table over two pages, whose columns stand elsewhere on the second."""
    heads, pages, truth = r.sample(HEADS, 3), list[list[Item]](), list[list[Any]]()
    names, again = r.sample(NAMES, 12), r.random() < 0.5
    for page in range(2):
        shift, items, y = (
            (0 if not page else r.choice((12, 24, -14))),
            (prose(r, 70) if not page else []),
            (140.0 if not page else 80.0),
        )
        step = 100 + (r.choice((-8, 6)) if page else 0)
        rows = list[list[str]]()
        if not page or again:
            items += [text(70 + shift, y, "Department", 9, BOLD)] + [
                text(290 + shift + step * at, y, h, 9, BOLD, "r") for at, h in enumerate(heads)
            ]
            items.append(("line", 66 + shift, y + 4, 500 + shift, y + 4, 0.6))
            rows, y = [["Department", *heads]], y + 15
        for name in names[6 * page : 6 * page + 6]:
            own = [number(r) for _ in heads]
            items += [text(70 + shift, y, name)] + [
                text(290 + shift + step * at, y, v, anchor="r") for at, v in enumerate(own)
            ]
            rows.append([name, *own])
            y += 14
        items.append(("line", 66 + shift, y - 8, 500 + shift, y - 8, 0.6))
        pages.append(items + (prose(r, y + 20) if page else []))
        truth.append([rows] if not page or not again else [{"either": [[rows], [rows[1:]]]}])
    return Placed(pages, truth)


def signs_apart(r: random.Random) -> Placed:
    """A statement whose signs of dollars stand at the left edge of their column, and brackets hang over its
    right one."""
    items, y = prose(r, 70), 140.0
    rows = [["", "2023", "2022"]]
    items += [
        text(330, y, "2023", 9, BOLD, "r"),
        text(430, y, "2022", 9, BOLD, "r"),
        ("line", 270, y + 3, 434, y + 3, 0.6),
    ]
    names = r.sample(NAMES, r.randint(6, 9))
    for at, name in enumerate(names):
        y, row = y + 14, [name]
        items.append(text(60, y, name))
        for right in (330, 430):
            value = number(r) if r.random() < 0.7 else r.choice((f"({number(r)})", "—"))
            if at in (0, len(names) - 1):
                items.append(text(right - 58, y, "$"))
            open_end = value.endswith(")")
            items.append(text(right, y, value[:-1] if open_end else value, anchor="r"))
            items += [text(right, y, ")")] if open_end else []
            row.append(("$" if at in (0, len(names) - 1) else "") + value)
        rows.append(row)
    items += [("line", 270, y - 10, 334, y - 10, 0.5), ("line", 370, y - 10, 434, y - 10, 0.5)]
    items += [("line", 270, y + d, 334, y + d, 0.5) for d in (3, 5)] + [
        ("line", 370, y + d, 434, y + d, 0.5) for d in (3, 5)
    ]
    return Placed([[*items, *prose(r, y + 30)]], [[rows]])


def sideways(r: random.Random) -> Placed:
    """A table turned by a quarter on an upright page."""
    heads, x = r.sample(HEADS, 4), 120.0
    rows, items = [["Department", *heads]], [("turned", x, 760, "Department", 9, BOLD, "l")]
    items += [("turned", x, 540 - 110 * at, h, 9, BOLD, "r") for at, h in enumerate(heads)]
    for name in r.sample(NAMES, r.randint(6, 10)):
        x += 15
        own = [number(r) for _ in heads]
        items += [
            ("turned", x, 760, name, 9, SANS, "l"),
            *(("turned", x, 540 - 110 * at, v, 9, SANS, "r") for at, v in enumerate(own)),
        ]
        rows.append([name, *own])
    lines = [("line", 124, 765, 124, 205, 0.6), ("line", x + 5, 765, x + 5, 205, 0.6)] if r.random() < 0.5 else []
    return Placed([[*items, *lines]], [[rows]])


def stroked_ticks(r: random.Random) -> Placed:
    """Marks that are drawn in columns under heads, without a grid."""
    heads, y = r.sample(("Basic", "Standard", "Premium", "Family"), 3), 140.0
    rows, items = (
        [["Feature", *heads]],
        [*prose(r, 70), text(60, y, "Feature", 9, BOLD), ("line", 56, y + 4, 480, y + 4, 0.6)],
    )
    items += [text(260 + 80 * at, y, h, 9, BOLD, "c") for at, h in enumerate(heads)]
    for name in r.sample(NAMES, 7):
        y, row = y + 15, [name]
        items.append(text(60, y, name))
        for at in range(3):
            x, kind = 260 + 80 * at, r.choice(("tick", "tick", "", "text" if at == 2 else ""))
            items += [("stroke", (x - 4, y - 3), (x - 1, y), (x + 4, y - 7))] if kind == "tick" else []
            items += [text(x, y, "extra", anchor="c")] if kind == "text" else []
            row.append({"tick": "✓", "text": "extra"}.get(kind, ""))
        rows.append(row)
    items.append(("line", 56, y + 5, 480, y + 5, 0.6))
    ways = [[[[cell.replace("✓", sign) for cell in row] for row in rows]] for sign in "✓☑✔"]
    return Placed([[*items, *prose(r, y + 30)]], [[{"either": ways}]])


def filled_tall(r: random.Random) -> Placed:
    """Two levels of heads on fills that part at the group's lower edge, the outer heads as tall as both, in
    the middle."""
    items, y, colour = prose(r, 70), 130.0, r.choice(((0.8, 0.86, 0.94), (0.85, 0.85, 0.85)))
    heads, group = r.sample(HEADS, 3), r.choice(REGIONS)
    ends = (56, 190, 270, 350, 430, 510)
    gap = r.choice((0, 1.5))
    for left, right, top, low in (
        (56, 190, y, y + 32),
        (190, 430, y, y + 16),
        *((ends[c], ends[c + 1], y + 16, y + 32) for c in (1, 2, 3)),
        (430, 510, y, y + 32),
    ):
        items.append(("fill", left, top, right - gap, low - gap, colour))
    items += [
        text(60, y + 19, "Department", 9, BOLD),
        text(310, y + 11, group, 9, BOLD, "c"),
        text(470, y + 19, "Total", 9, BOLD, "c"),
    ]
    items += [text((ends[c] + ends[c + 1]) / 2, y + 27, heads[c - 1], 9, BOLD, "c") for c in (1, 2, 3)]
    rows, y = [["Department", group, "", "", "Total"], ["", *heads, ""]], y + 44
    for row in body(r, r.randint(5, 8), 4):
        items += [text(60, y, row[0])] + [text(ends[c + 1] - 8, y, row[c], anchor="r") for c in (1, 2, 3, 4)]
        rows.append(row)
        y += 15
    return Placed([[*items, *prose(r, y + 20)]], [[rows]])


DRAWN: dict[str, Callable[[random.Random], Placed]] = {
    "braces": braces,
    "glyph_gaps": glyph_gaps,
    "leaders": leaders,
    "diagram": diagram,
    "overleaf": overleaf,
    "signs_apart": signs_apart,
    "sideways": sideways,
    "stroked_ticks": stroked_ticks,
    "filled_tall": filled_tall,
}
"""Each class that is placed point by point."""
