"""Lists and texts of the fourth trial of tables: what German and French programs export, Word and PDF, web pages, and
figures on slides, in Markdown and in mails that belong together."""

from __future__ import annotations

import datetime as dt
from email.message import EmailMessage
from pathlib import Path

from table_trial_fourth import Held, Made, area, converted, pd, records


def german(made: Made) -> None:
    """What a German accounting program exports: semicolons, decimal commas, cp1252 or a byte order mark."""
    size = made.chance.randrange(40, 90)
    frame = pd.DataFrame(
        {
            "Beleg": [f"{4711 + at:08d}" for at in range(size)],
            "Buchungsdatum": [made.day(made.chance.choice([2023, 2024])) for _ in range(size)],
            "Gegenkonto": [made.chance.choice(["Miete", "Löhne", "Büro", "Kfz-Kosten"]) for _ in range(size)],
            "Betrag": [made.money(-900, 9000) if made.chance.random() > 0.08 else None for _ in range(size)],
            "USt": [made.chance.choice([0.19, 0.07, 0.0]) for _ in range(size)],
            "bezahlt": [made.chance.choice([True, False]) for _ in range(size)],
        }
    )
    gap = made.chance.choice(["", "-", "k. A."])
    lines = ["Beleg;Buchungsdatum;Gegenkonto;Betrag (€);USt;bezahlt"]
    for number, day, account, amount, tax, paid in records(frame):
        shown = gap if amount is None else spelled(amount, ".", ",")
        lines.append(f"{number};{day:%d.%m.%Y};{account};{shown};{tax * 100:.0f} %;{'ja' if paid else 'nein'}")
    encoding = made.chance.choice(["cp1252", "utf-8-sig", "utf-16"])
    (made.folder / "buchungen.csv").write_bytes("\r\n".join([*lines, ""]).encode(encoding))
    held = Held("buchungen.csv", tuple(lines[0].split(";")), size, area(1, 1, size + 1, 6))
    made.ask(
        "sum of a list",
        "SELECT round(sum({b.Betrag (€)}), 2), count({b.Betrag (€)}) FROM {b}",
        (round(frame["Betrag"].sum(), 2), int(frame["Betrag"].count())),
        b=held,
    )
    frame["quarter"] = [f"{day.year}-Q{(day.month + 2) // 3}" for day in frame["Buchungsdatum"]]
    made.ask(
        "by quarter",
        "SELECT year({b.Buchungsdatum}) || '-Q' || ((month({b.Buchungsdatum}) + 2) / 3) AS q, "
        "round(sum({b.Betrag (€)}), 2) FROM {b} WHERE {b.Betrag (€)} IS NOT NULL GROUP BY q ORDER BY q",
        frame.dropna().groupby("quarter")["Betrag"].sum().round(2),
        b=held,
    )
    taxed = frame[frame["USt"] == 0.19]
    made.ask(
        "percent is",
        "SELECT count(*), round(coalesce(sum({b.Betrag (€)} * {b.USt}), 0), 2) FROM {b} WHERE {b.USt} = 0.19",
        (len(taxed), round((taxed["Betrag"] * taxed["USt"]).sum(), 2)),
        b=held,
    )
    open_ = frame[~frame["bezahlt"].astype(bool) & (frame["Betrag"] > 1000)]
    made.ask(
        "yes and no",
        "SELECT {b.Beleg} FROM {b} WHERE {b.bezahlt} = 'nein' AND {b.Betrag (€)} > 1000 ORDER BY 1",
        open_[["Beleg"]],
        b=held,
    )
    parts = frame.groupby("Gegenkonto")["Betrag"].sum() / frame["Betrag"].sum()
    made.ask(
        "share of total",
        "SELECT {b.Gegenkonto}, sum({b.Betrag (€)}) / (SELECT sum({b.Betrag (€)}) FROM {b}) "
        "FROM {b} GROUP BY 1 ORDER BY 1",
        parts,
        b=held,
    )
    days = max(frame["Buchungsdatum"]) - min(frame["Buchungsdatum"])
    made.ask(
        "days between",
        "SELECT julianday(max({b.Buchungsdatum})) - julianday(min({b.Buchungsdatum})) FROM {b}",
        days.days,
        b=held,
    )


def spelled(amount: float, group: str, mark: str) -> str:
    """An amount with those signs."""
    return f"{amount:,.2f}".translate({ord(","): group, ord("."): mark})


def french(made: Made) -> None:
    """A French list: narrow spaces between thousands, day first, and two lines of title above the head."""
    size = made.chance.randrange(25, 60)
    frame = pd.DataFrame(
        {
            "Chantier": [made.chance.choice(["Île", "Côte", "Forêt", "Marché"]) for _ in range(size)],
            "Début": [made.day() for _ in range(size)],
            "Montant": [made.money(800, 90_000) for _ in range(size)],
            "Avancement": [made.chance.randrange(0, 1001) / 1000 for _ in range(size)],
        }
    )
    lines = ["Suivi des chantiers", "", "Chantier;Début;Montant HT (€);Avancement"]
    for site, day, amount, part in records(frame):
        lines.append(
            f"{site};{day:%d/%m/%Y};{spelled(amount, made.chance.choice(' '), ',')};{part * 100:.1f} %".replace(
                f"{part * 100:.1f}", f"{part * 100:.1f}".replace(".", ",")
            )
        )
    (made.folder / "chantiers.csv").write_text("\n".join(lines) + "\n", "utf-8")
    held = Held("chantiers.csv", ("Chantier", "Début", "Montant HT (€)", "Avancement"), size, area(3, 1, size + 3, 4))
    weighted = (frame["Montant"] * frame["Avancement"]).sum() / frame["Montant"].sum()
    made.ask(
        "weighted mean",
        "SELECT sum({c.Montant HT (€)} * {c.Avancement}) / sum({c.Montant HT (€)}) FROM {c}",
        weighted,
        c=held,
    )
    made.ask(
        "median of each",
        "SELECT {c.Chantier}, median({c.Montant HT (€)}) FROM {c} GROUP BY 1 ORDER BY 1",
        frame.groupby("Chantier")["Montant"].median(),
        c=held,
    )
    months = frame.groupby([day.month for day in frame["Début"]])["Montant"].agg(["count", "max"]).reset_index()
    made.ask(
        "by month",
        "SELECT month({c.Début}), count(*), max({c.Montant HT (€)}) FROM {c} GROUP BY 1 ORDER BY 1",
        months,
        c=held,
    )
    made.ask("spread", "SELECT stddev({c.Montant HT (€)}) FROM {c}", frame["Montant"].std(), c=held)
    late = frame[(frame["Début"] >= dt.date(2024, 7, 1)) & (frame["Avancement"] < 0.5)]
    made.ask(
        "two conditions",
        "SELECT count(*) FROM {c} WHERE {c.Début} >= '2024-07-01' AND {c.Avancement} < 0.5",
        len(late),
        c=held,
    )


def report(made: Made) -> None:
    """A Word report whose table of results goes over a page, negatives in brackets; as PDF where LibreOffice is."""
    from docx import Document

    size = made.chance.randrange(45, 60)
    frame = pd.DataFrame(
        {
            "Account": [
                f"{made.chance.choice(['Sales', 'Service', 'Rental', 'Grants'])} {at:02d}" for at in range(size)
            ],
            "Budget": [made.money(100, 9000) for _ in range(size)],
            "Actual": [made.money(100, 9000) for _ in range(size)],
        }
    )
    frame["Variance"] = (frame["Actual"] - frame["Budget"]).round(2)
    document = Document()
    document.add_heading("Budget report", 1)
    document.add_paragraph("Amounts in pounds. Differences below zero stand in brackets.")
    table = document.add_table(1, 4)
    table.style = "Table Grid"
    for cell, head in zip(table.rows[0].cells, frame.columns, strict=True):
        cell.paragraphs[0].add_run(head).bold = True
    for name, *amounts in records(frame):
        shown = [f"{one:,.2f}" if one >= 0 else f"({-one:,.2f})" for one in amounts]
        for cell, text in zip(table.add_row().cells, [name, *shown], strict=True):
            cell.text = text
    document.save(str(made.folder / "budget.docx"))
    name = f"budget{made.suffix('.docx', '.pdf')}"
    converted(made.folder / "budget.docx", Path(name).suffix)
    held = Held(name, tuple(frame.columns), size)
    made.ask(
        "negatives in brackets",
        "SELECT round(sum({r.Variance}), 2), count(*) FROM {r}",
        (round(frame["Variance"].sum(), 2), size),
        r=held,
    )
    over = frame[frame["Actual"] > frame["Budget"] * 1.1]
    made.ask("columns compared", "SELECT count(*) FROM {r} WHERE {r.Actual} > {r.Budget} * 1.1", len(over), r=held)
    kind = frame.groupby(frame["Account"].str.split().str[0])[["Budget", "Actual"]].sum().round(2).reset_index()
    made.ask(
        "first word",
        "SELECT substr({r.Account}, 1, instr({r.Account}, ' ') - 1) AS k, round(sum({r.Budget}), 2), "
        "round(sum({r.Actual}), 2) FROM {r} GROUP BY k ORDER BY k",
        kind,
        r=held,
    )
    worst = frame.sort_values("Variance").head(3)
    made.ask(
        "three worst",
        "SELECT {r.Account}, {r.Variance} FROM {r} ORDER BY {r.Variance} LIMIT 3",
        worst[["Account", "Variance"]],
        r=held,
    )


def page(made: Made) -> None:
    """A web page: a head of two levels by colspan and rowspan, row headers, a foot with totals."""
    towns = made.pick("Aachen, Bergen, Cork, Delft, Evora, Fulda, Gdansk", 6)
    frame = pd.DataFrame({"Town": towns})
    for year in (2020, 2024):
        frame[f"{year} Men"] = [made.chance.randrange(1000, 90_000) for _ in towns]
        frame[f"{year} Women"] = [made.chance.randrange(1000, 90_000) for _ in towns]
    head = (
        "<tr><th rowspan=2>Town</th><th colspan=2>2020</th><th colspan=2>2024</th></tr>"
        "<tr><th>Men</th><th>Women</th><th>Men</th><th>Women</th></tr>"
    )
    body = "".join(
        f"<tr><th scope=row>{row[0]}</th>{''.join(f'<td>{one:,}</td>' for one in row[1:])}</tr>"
        for row in records(frame)
    )
    told = "The census counts all who live in a town on the first of May; for students this is the town they study in."
    foot = f"<tr><td>All towns</td>{''.join(f'<td>{frame[name].sum():,}</td>' for name in frame.columns[1:])}</tr>"
    markup = (
        f"<table><caption>Residents</caption><thead>{head}</thead><tbody>{body}</tbody><tfoot>{foot}</tfoot></table>"
    )
    (made.folder / "residents.html").write_text(f"<!doctype html><h1>Towns</h1><p>{told}</p>{markup}", "utf-8")
    held = Held("residents.html", tuple(frame.columns), len(towns), left_out=1)
    total = frame.assign(t=frame["2024 Men"] + frame["2024 Women"])
    made.ask(
        "two-level head",
        "SELECT {t.Town}, {t.2024 Men} + {t.2024 Women} AS n FROM {t} ORDER BY n DESC",
        total.sort_values("t", ascending=False)[["Town", "t"]],
        t=held,
    )
    made.ask(
        "without the foot",
        "SELECT sum({t.2020 Men}), max({t.2020 Women}) FROM {t}",
        (frame["2020 Men"].sum(), frame["2020 Women"].max()),
        t=held,
    )
    fell = frame[frame["2024 Men"] < frame["2020 Men"]].sort_values("Town")[["Town"]]
    made.ask("fell", "SELECT {t.Town} FROM {t} WHERE {t.2024 Men} < {t.2020 Men} ORDER BY 1", fell, t=held)


def across(made: Made) -> None:
    """Targets on a slide, master data in Markdown, actual figures in a mail: joined by their code."""
    from pptx import Presentation
    from pptx.util import Inches

    codes = [f"K{at}" for at in made.chance.sample(range(10, 99), 6)]
    master = pd.DataFrame(
        {
            "Code": codes,
            "Shop": made.pick("Arcade, Harbour, Station, Castle, Market, Mill, Park", 6),
            "Area m²": [made.chance.randrange(40, 900) for _ in codes],
        }
    )
    target = pd.DataFrame({"Code": codes[:5], "Target": [made.chance.randrange(10, 90) * 1000 for _ in codes[:5]]})
    actual = pd.DataFrame(
        {
            "Code": codes[1:],
            "Sales": [made.money(9000, 90_000) for _ in codes[1:]],
            "Return rate": [made.chance.randrange(0, 300) / 1000 for _ in codes[1:]],
        }
    )
    lines = ["| " + " | ".join(master.columns) + " |", "|---|---|--:|"]
    lines += [f"| `{code}` | **{shop}** | {size} |" for code, shop, size in records(master)]
    (made.folder / "shops.md").write_text("# Shops\n\nAll of them.\n\n" + "\n".join(lines) + "\n\nEnd.\n", "utf-8")
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Targets"  # pyright: ignore[reportOptionalMemberAccess]
    table = slide.shapes.add_table(len(target) + 1, 2, Inches(1), Inches(2), Inches(6), Inches(3)).table
    for at, row in enumerate([list(target.columns), *records(target)]):
        for cell, value in zip(table.rows[at].cells, row, strict=True):
            cell.text = value if isinstance(value, str) else f"€{value:,}"
    deck.save(str(made.folder / "targets.pptx"))
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "till@example.org", "hq@example.org", "Sales of the week"
    mail["Date"] = "Mon, 06 May 2024 10:00:00 +0200"
    mail.set_content("The table is in the HTML part.")
    cells = "".join(
        f"<tr><td>{code}</td><td>{sales:,.2f}</td><td>{rate * 100:.1f}%</td></tr>"
        for code, sales, rate in records(actual)
    )
    head = "".join(f"<td><b>{name}</b></td>" for name in actual.columns)
    mail.add_alternative(f"<p>Dear all,</p><table border=1><tr>{head}</tr>{cells}</table><p>Till</p>", subtype="html")
    (made.folder / "sales.eml").write_bytes(mail.as_bytes())
    m = Held("shops.md", tuple(master.columns), len(master))
    t = Held("targets.pptx", tuple(target.columns), len(target))
    s = Held("sales.eml", tuple(actual.columns), len(actual))
    whole = master.merge(target, on="Code").merge(actual, on="Code")
    whole["met"] = whole["Sales"] / whole["Target"]
    made.ask(
        "three files joined",
        "SELECT {m.Shop}, {s.Sales} / {t.Target} FROM {m} AS m JOIN {t} AS t ON {m.Code} = "
        "{t.Code} JOIN {s} AS s ON {s.Code} = {m.Code} ORDER BY 1",
        whole.sort_values("Shop")[["Shop", "met"]],
        m=m,
        t=t,
        s=s,
    )
    left = master.merge(actual, on="Code", how="left").sort_values("Code")[["Code", "Sales"]]
    made.ask(
        "left join",
        "SELECT {m.Code}, {s.Sales} FROM {m} AS m LEFT JOIN {s} AS s ON {s.Code} = {m.Code} ORDER BY 1",
        left,
        m=m,
        s=s,
    )
    dense = master.merge(actual, on="Code")
    made.ask(
        "per square metre",
        "SELECT round(sum({s.Sales}) / sum({m.Area m²}), 6) FROM {m} AS m JOIN {s} AS s ON {m.Code} = {s.Code}",
        round(dense["Sales"].sum() / dense["Area m²"].sum(), 6),
        m=m,
        s=s,
    )
    made.ask(
        "percent in a mail",
        "SELECT max({s.Return rate}), avg({s.Return rate}) FROM {s}",
        (actual["Return rate"].max(), actual["Return rate"].mean()),
        s=s,
    )
    made.ask("money on a slide", "SELECT sum({t.Target}) FROM {t}", target["Target"].sum(), t=t)


def measured(made: Made) -> None:
    """A log with tabs: moments of ISO 8601, gaps, two sensors."""
    size = 600
    begin = dt.datetime.fromisoformat("2024-03-30T20:00")
    frame = pd.DataFrame(
        {
            "time": [begin + dt.timedelta(minutes=10 * at) for at in range(size)],
            "sensor": [made.chance.choice(["S1", "S2"]) for _ in range(size)],
            "temp": [
                round(made.chance.uniform(-8, 31), 2) if made.chance.random() > 0.03 else None for _ in range(size)
            ],
            "status": [made.chance.choice(["ok", "ok", "ok", "warn"]) for _ in range(size)],
        }
    )
    lines = ["time\tsensor\ttemp_c\tstatus"]
    lines += [
        f"{when:%Y-%m-%dT%H:%M:%S}\t{sensor}\t{'NaN' if temp is None else temp}\t{status}"
        for when, sensor, temp, status in records(frame)
    ]
    (made.folder / "sensors.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    held = Held("sensors.tsv", ("time", "sensor", "temp_c", "status"), size, area(1, 1, size + 1, 4))
    day = frame[(frame["time"].dt.date == dt.date(2024, 3, 31)) & (frame["sensor"] == "S2")]
    made.ask(
        "highest of a day",
        "SELECT max({m.temp_c}) FROM {m} WHERE {m.sensor} = 'S2' AND date({m.time}) = '2024-03-31'",
        day["temp"].max(),
        m=held,
    )
    hours = frame.groupby([one.hour for one in frame["time"]])["temp"].agg(["count", "min"]).reset_index()
    made.ask(
        "by hour",
        "SELECT CAST(strftime('%H', {m.time}) AS INTEGER), count({m.temp_c}), min({m.temp_c}) FROM {m} "
        "GROUP BY 1 ORDER BY 1",
        hours,
        m=held,
    )
    seen = frame.dropna()
    moving = seen["temp"].rolling(3, min_periods=1).mean()
    made.ask(
        "moving mean",
        "SELECT max(a) FROM (SELECT avg({m.temp_c}) OVER (ORDER BY {m.time} ROWS 2 PRECEDING) AS a "
        "FROM {m} WHERE {m.temp_c} IS NOT NULL)",
        moving.max(),
        m=held,
    )
    changes = int((frame["status"] != frame["status"].shift()).iloc[1:].sum())
    made.ask(
        "changes of state",
        "SELECT count(*) FROM (SELECT {m.status} AS s, lag({m.status}) OVER (ORDER BY {m.time}) "
        "AS b FROM {m}) WHERE b IS NOT NULL AND s <> b",
        changes,
        m=held,
    )
    made.ask("quantile", "SELECT quantile({m.temp_c}, 0.9) FROM {m}", frame["temp"].quantile(0.9), m=held)
    warm = frame[frame["status"] == "warn"].groupby("sensor")["time"].max()
    made.ask(
        "last warning",
        "SELECT {m.sensor}, max({m.time}) FROM {m} WHERE {m.status} = 'warn' GROUP BY 1 ORDER BY 1",
        warm,
        m=held,
    )


TEXTS = (german, french, report, page, across, measured)
