"""What the tables of the fourteenth truth of `pdf_pages.py` say. A row is a list of texts; `<` is a cell merged into
the one left of it, `^` into the one above; `a^1` is a text with a raised mark; a line break in a text is one in the
cell."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Content:
    """A table: its rows, how many of them are heads, and its columns: `l`, `r`, `c`, or `w` where words wrap. `needs`
    are what a producer must be able to do: `marks`, `spans`, `cjk`, `arabic`, `wide`, `long`."""

    rows: list[list[str]]
    columns: str
    head: int = 1
    needs: frozenset[str] = frozenset()

    def grid(self) -> list[list[str]]:
        """The rows as a reader has them: merged cells are empty but for the first."""
        return [["" if text in ("<", "^") else " ".join(text.split()) for text in row] for row in self.rows]


FIRST = (
    "Nadia",
    "Oskar",
    "Priya",
    "Quentin",
    "Rosalind",
    "Tomasz",
    "Ulrike",
    "Viktor",
    "Wanda",
    "Yannick",
    "Zoe",
    "Abel",
)
LAST = ("Achterberg", "Brandvold", "Castellan", "Dunleavy", "Eastwick", "Farrugia", "Glimmerveen", "Hollis", "Ibarra")
THINGS = (
    "Hex bolt M8",
    "Copper pipe 15 mm",
    "Cable tie",
    "Wall plug",
    "Pressure gauge",
    "Ball valve",
    "Hose clip",
    "Gasket set",
    "Fuse 10 A",
    "Lamp holder",
    "Drill bit",
    "Paint roller",
    "Sanding disc",
    "Door hinge",
)
PLACES = ("Ravenglass", "Seascale", "Whitehaven", "Maryport", "Silloth", "Aspatria", "Wigton", "Dalston", "Carlisle")
PHRASES = (
    "checked by the night shift and signed off",
    "to be replaced before the end of the season",
    "as agreed",
    "no fault found; the noise came from the pump next door",
    "see the note on the last page",
    "pending",
    "works as described in the manual but runs warm after an hour",
    "ordered twice by mistake",
    "in order",
)


def money(r: random.Random, top: int = 9000) -> str:
    return f"{r.randint(100, top * 100) / 100:,.2f}"


def bracketed(r: random.Random) -> str:
    value = r.randint(-900, 2400)
    return f"({-value:,})" if value < 0 else f"{value:,}" if value else "–"


def name(r: random.Random) -> str:
    return f"{r.choice(FIRST)} {r.choice(LAST)}"


def bank_statement(r: random.Random) -> Content:
    rows, balance = [["Date", "Description", "Out", "In", "Balance"]], 1200.0
    for day in sorted(r.sample(range(1, 28), r.randint(7, 12))):
        amount, out = r.randint(300, 60000) / 100, r.random() < 0.6
        balance += -amount if out else amount
        what = r.choice(("Card payment ", "Transfer to ", "Standing order ", "Direct debit ")) + r.choice(PLACES)
        rows.append(
            [f"{day:02} Mar", what, f"{amount:,.2f}" if out else "", "" if out else f"{amount:,.2f}", f"{balance:,.2f}"]
        )
    return Content(rows, "llrrr")


def invoice(r: random.Random) -> Content:
    rows = [["Item", "Qty", "Unit", "Price", "Amount"]]
    rows += [
        [thing, str(r.randint(1, 40)), r.choice(("pc", "m", "box")), money(r, 40), money(r, 900)]
        for thing in r.sample(THINGS, 6)
    ]
    rows += [["Subtotal", "<", "<", "<", money(r)], ["VAT 20 %", "<", "<", "<", money(r, 900)]]
    return Content([*rows, ["Total due", "<", "<", "<", money(r)]], "lrlrr", needs=frozenset({"spans"}))


def timetable(r: random.Random) -> Content:
    rows = [["Station", *(str(r.randint(1000, 9999)) for _ in range(6))]]
    starts = [r.randint(300, 1100) for _ in range(6)]
    for at, place in enumerate(PLACES):
        times = [start + 9 * at + r.randint(0, 3) for start in starts]
        rows.append([place, *(f"{t // 60:02}:{t % 60:02}" if r.random() < 0.85 else "" for t in times)])
    return Content(rows, "lcccccc")


def _value_in(unit: str, r: random.Random) -> str:
    if "°" in unit:
        return f"−{r.randint(5, 30)} … +{r.randint(40, 80)}"
    return f"{r.randint(1, 400) / r.choice((1, 10)):g}" if unit else f"IP{r.randint(40, 68)}"


def specification(r: random.Random) -> Content:
    rows = [["Property", "Value", "Unit"]]
    for prop, unit in (
        ("Rated voltage", "V"),
        ("Output torque", "N·m"),
        ("Mass without cable", "kg"),
        ("Noise level", "dB(A)"),
        ("Duty cycle", "%"),
        ("Ambient temperature", "°C"),
        ("Protection class", ""),
        ("Cable length", "m"),
    ):
        value = _value_in(unit, r)
        rows.append([prop, value, unit])
    return Content(rows, "lrl")


def price_list(r: random.Random) -> Content:
    rows = [["Art. no.", "Description", "Pack", "Net", "Gross"]]
    for at, thing in enumerate(r.sample(THINGS, 10)):
        net = r.randint(80, 9000) / 100
        rows.append(
            [
                f"{r.randint(10, 99)}-{400 + at}",
                thing,
                str(r.choice((1, 5, 10, 50))),
                f"€ {net:.2f}",
                f"€ {net * 1.19:.2f}",
            ]
        )
    return Content(rows, "llrrr")


def exam_results(r: random.Random) -> Content:
    rows = [["Candidate", "Written", "<", "Oral", "<", "Grade"], ["^", "Part A", "Part B", "Part A", "Part B", "^"]]
    rows += [[name(r), *(str(r.randint(20, 100)) for _ in range(4)), r.choice("ABCDE")] for _ in range(8)]
    return Content(rows, "lrrrrc", head=2, needs=frozenset({"spans"}))


def income_statement(r: random.Random) -> Content:
    rows = [["€ thousand", "Note", "2025", "2024", "Change"]]
    rows += [
        [what, str(at + 3) if at % 3 else "", bracketed(r), bracketed(r), f"{r.randint(-400, 600) / 10:+.1f} %"]
        for at, what in enumerate(
            (
                "Revenue",
                "Cost of sales",
                "Gross profit",
                "Selling expenses",
                "Administrative expenses",
                "Other income",
                "Operating profit",
                "Finance costs",
                "Profit before tax",
                "Income tax",
                "Profit for the year",
            )
        )
    ]
    return Content(rows, "lcrrr")


def regional_sales(r: random.Random) -> Content:
    rows = [["Region", "Quarter", "Units", "Revenue"]]
    for region in r.sample(("North", "South", "East", "West", "Islands"), 3):
        rows += [
            ["^" if at else region, f"Q{at + 1}", f"{r.randint(100, 9999):,}", money(r)]
            for at in range(r.randint(2, 4))
        ]
    return Content(rows, "llrr", needs=frozenset({"spans"}))


def grouped_stock(r: random.Random) -> Content:
    rows = [["Part", "In stock", "On order", "Shelf"]]
    for group in ("Fasteners", "Plumbing", "Electrical"):
        rows.append([group, "<", "<", "<"])
        rows += [
            [
                thing,
                str(r.randint(0, 900)),
                r.choice(("", str(r.randint(5, 200)))),
                f"{r.choice('ABC')}{r.randint(1, 40)}",
            ]
            for thing in r.sample(THINGS, 3)
        ]
    return Content(rows, "lrrl", needs=frozenset({"spans"}))


def fault_log(r: random.Random) -> Content:
    rows = [["No.", "Reported", "What was found", "Who"]]
    rows += [
        [
            str(101 + at),
            f"2025-{r.randint(1, 12):02}-{r.randint(1, 28):02}",
            f"{r.choice(THINGS)}: {r.choice(PHRASES)}",
            name(r),
        ]
        for at in range(7)
    ]
    return Content(rows, "llwl")


def glossary(r: random.Random) -> Content:
    terms = {
        "Bleed": "The part of a page that is cut off after printing, so that pictures reach the very edge of "
        "the sheet.",
        "Leading": "How far one line of type stands below another, measured from baseline to baseline.",
        "Kerning": "Bringing two letters nearer to one another than their own widths would.",
        "Recto": "The right-hand page of an open book; it has an odd number.",
        "Widow": "A last line of a paragraph that stands alone at the head of a page.",
        "Signature": "A sheet that is folded and cut to become several pages of a book.",
    }
    return Content([["Term", "Meaning"], *([term, terms[term]] for term in r.sample(sorted(terms), 5))], "lw")


def comparison(r: random.Random) -> Content:
    rows = [["Feature", "Free", "Team", "Enterprise"]]
    rows += [
        [what, *(r.choice(("Yes", "No", "–", "up to 5", "99.9 %", "unlimited")) for _ in range(3))]
        for what in (
            "Projects",
            "Shared folders",
            "Audit log",
            "Single sign-on",
            "Phone support",
            "Own domain",
            "Uptime pledged",
        )
    ]
    return Content(rows, "lccc")


def chemistry(r: random.Random) -> Content:
    rows = [["Sample", "Mass / mg", "pH", "Yield^a", "Melting point / °C"]]
    rows += [
        [
            f"S{at + 1}",
            f"{r.randint(10, 900) / 10:.1f} ± {r.randint(1, 9) / 10}",
            f"{r.randint(20, 120) / 10}",
            f"{r.randint(30, 99)} %" + ("^b" if at == 3 else ""),
            f"{r.randint(60, 300)}–{r.randint(301, 320)}",
        ]
        for at in range(7)
    ]
    return Content(rows, "lrrrc", needs=frozenset({"marks"}))


def weekly_plan(r: random.Random) -> Content:
    rows = [["Time", "Mon", "Tue", "Wed", "Thu", "Fri"]]
    rows += [
        [f"{hour}:00", *(r.choice(("", "Maths", "Art", "Latin", "Sport", "Music")) for _ in range(5))]
        for hour in range(8, 14)
    ]
    return Content(rows, "lccccc")


def census(r: random.Random) -> Content:
    rows = [
        ["Municipality", "Population", "<", "<", "Households", "Density per km²"],
        ["^", "Total", "Men", "Women", "^", "^"],
    ]
    for place in r.sample(PLACES, 7):
        men, women = r.randint(900, 40000), r.randint(900, 40000)
        rows.append(
            [
                place,
                f"{men + women:,}",
                f"{men:,}",
                f"{women:,}",
                f"{(men + women) // 2:,}",
                f"{r.randint(30, 2200) / 10:.1f}",
            ]
        )
    return Content(rows, "lrrrrr", head=2, needs=frozenset({"spans"}))


def nutrition(r: random.Random) -> Content:
    rows = [["Per 100 g", "", "% of daily need"]]
    rows += [
        [what, f"{r.randint(1, 900) / 10:g} {unit}", f"{r.randint(1, 60)} %"]
        for what, unit in (
            ("Energy", "kJ"),
            ("Fat", "g"),
            ("of which saturates", "g"),
            ("Carbohydrate", "g"),
            ("Protein", "g"),
            ("Salt", "g"),
        )
    ]
    return Content(rows, "lrr")


def payroll(r: random.Random) -> Content:
    heads = ["Staff no.", "Name", "Grade", "Hours", "Basic", "Overtime", "Allowance", "Gross", "Tax", "Pension", "Net"]
    rows = [heads]
    rows += [
        [
            f"{7000 + at * 13}",
            name(r),
            f"G{r.randint(1, 9)}",
            str(r.randint(80, 180)),
            *(money(r, 3000) for _ in range(7)),
        ]
        for at in range(9)
    ]
    return Content(rows, "llcr" + "r" * 7, needs=frozenset({"wide"}))


def inventory(r: random.Random) -> Content:
    rows = [["Code", "Article", "Place", "Counted", "Value"]]
    rows += [
        [f"K{3000 + at * 7}", r.choice(THINGS), r.choice(PLACES), str(r.randint(0, 999)), money(r)]
        for at in range(r.randint(55, 80))
    ]
    return Content(rows, "lllrr", needs=frozenset({"long"}))


def minutes_actions(r: random.Random) -> Content:
    rows = [["Action", "Owner", "Due", "State"]]
    for _ in range(6):
        what = r.choice(("Ask for", "Write down", "Send round", "Check"))
        what += f" {r.choice(('three offers', 'the new rules', 'the budget'))}: {r.choice(PHRASES)}"
        rows.append([what, name(r), f"{r.randint(1, 28)}/{r.randint(1, 12)}", r.choice(("open", "done", "late"))])
    return Content(rows, "wlll")


def league(r: random.Random) -> Content:
    rows = [["", "Club", "P", "W", "D", "L", "GF", "GA", "GD", "Pts"]]
    for at, place in enumerate(r.sample(PLACES, 8)):
        goals, against = r.randint(10, 60), r.randint(10, 60)
        rows.append(
            [
                str(at + 1),
                f"{place} {r.choice(('Town', 'Rovers', 'AFC'))}",
                *(str(r.randint(0, 20)) for _ in range(4)),
                str(goals),
                str(against),
                f"{goals - against:+d}".replace("-", "−"),
                str(60 - 5 * at),
            ]
        )
    return Content(rows, "rlrrrrrrrr")


def chinese(r: random.Random) -> Content:
    rows = [["产品", "型号", "数量", "单价", "备注"]]
    rows += [
        [
            what,
            f"{r.choice('ABX')}-{r.randint(100, 999)}",
            str(r.randint(1, 90)),
            f"{r.randint(100, 90000) / 100:.2f}",
            r.choice(("现货", "需订购", "", "两周内交货")),
        ]
        for what in ("水泵", "阀门", "压力表", "电缆", "开关", "轴承")
    ]
    return Content(rows, "llrrl", needs=frozenset({"cjk"}))


def arabic(r: random.Random) -> Content:
    rows = [["Code", "الاسم", "المدينة", "Amount"]]
    rows += [
        [f"R{200 + at}", r.choice(("مضخة", "صمام", "مفتاح", "مصباح")), r.choice(("القاهرة", "بغداد", "عمان")), money(r)]
        for at in range(6)
    ]
    return Content(rows, "lrrr", needs=frozenset({"arabic"}))


def opening_hours(r: random.Random) -> Content:
    rows = [["Branch", "Monday to Friday", "Saturday", "Telephone"]]
    rows += [
        [
            f"{place}\n{r.randint(1, 90)} {r.choice(('Mill Lane', 'High Street', 'Quay Road'))}",
            f"{r.randint(7, 9)}:00–12:30\n13:30–{r.randint(16, 19)}:00",
            r.choice(("closed", "9:00–12:00")),
            f"0{r.randint(1000, 1999)} {r.randint(100000, 999999)}",
        ]
        for place in r.sample(PLACES, 5)
    ]
    return Content(rows, "llll")


def risk_matrix(r: random.Random) -> Content:
    rows = [["Risk", "Likelihood", "Effect", "Measure"]]
    rows += [
        [what, r.choice(("low", "medium", "high")), r.choice(("small", "grave")), r.choice(PHRASES).capitalize() + "."]
        for what in (
            "Fire in the server room",
            "Loss of a supplier",
            "Flooding of the cellar",
            "Theft of devices",
            "Illness of key staff",
        )
    ]
    return Content(rows, "wccw")


CONTENTS: dict[str, Callable[[random.Random], Content]] = {
    made.__name__.replace("_", "-"): made
    for made in (
        bank_statement,
        invoice,
        timetable,
        specification,
        price_list,
        exam_results,
        income_statement,
        regional_sales,
        grouped_stock,
        fault_log,
        glossary,
        comparison,
        chemistry,
        weekly_plan,
        census,
        nutrition,
        payroll,
        inventory,
        minutes_actions,
        league,
        chinese,
        arabic,
        opening_hours,
        risk_matrix,
    )
}
PROSE = (
    "The figures below were put together from the returns of all branches and have not been audited.",
    "Please read this page together with the terms on the back. Prices may change without notice.",
    "Anything not listed here is on hold until the committee meets again in autumn, unless the chair says otherwise.",
    "Enquiries go to the office on the first floor, which is open on weekdays until four in the afternoon.",
)
