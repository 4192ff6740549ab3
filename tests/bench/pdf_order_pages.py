"""Forty pages of kinds people have, as HTML, with the order their sentences are to be read in.

Each page is a function that writes HTML by a `Sheet`, which keeps the sentences it makes by flow: within a flow the
order is certain, between flows it is not asked. Each is made in two variants, which differ in columns, sizes and rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

PLACES = "harbour orchard quarry museum station library meadow bakery foundry theatre garden lighthouse".split()
WHO = ("board", "council", "school", "tenants", "sailors", "gardeners", "printers", "nurses", "drivers", "bakers")
DID = ("repaired", "measured", "moved", "painted", "counted", "sold", "opened", "closed", "planted", "described")
WHAT = ("a wooden bridge", "the northern gate", "forty chairs", "an old boiler", "the winter timetable", "nine lamps",
        "a stretch of fence", "several maps", "the water meter", "a row of lime trees")  # fmt: skip
WHEN = ("before the frost came", "while the river was low", "after a long debate", "without any delay",
        "as the plan had foreseen", "during the second week", "because the budget allowed it")  # fmt: skip
MORE = ("and nobody asked for more than that", "although two of the members were against it",
        "so that the work could be finished in time", "which the report mentions on its last pages")  # fmt: skip
ARABIC = ("أعلنت", "المدينة", "الجديدة", "عن", "خطة", "كبيرة", "للحدائق", "في", "الشمال", "قبل", "الشتاء", "وقال", "المدير",
          "إن", "العمل", "يبدأ", "بعد", "شهر", "واحد", "من", "اليوم", "على", "الطريق", "القديم")  # fmt: skip
HEBREW = ("העירייה", "הודיעה", "על", "תוכנית", "חדשה", "לגנים", "בצפון", "לפני", "החורף", "המנהל", "אמר", "כי", "העבודה",
          "תתחיל", "אחרי", "חודש", "אחד", "מהיום", "ליד", "הדרך", "הישנה", "והגדולה")  # fmt: skip
JAPANESE = "市は北の公園に新しい計画を発表した冬の前に仕事が始まると所長は古い道について語り橋の修理も春までに終わる予定である人々は喜んだ"


@dataclass
class Sheet:
    """One page being written."""

    number: int
    variant: int
    flows: list[list[str]] = field(default_factory=lambda: [[]])
    labels: list[str] = field(default_factory=list[str])
    """What stands in diagrams."""
    language: str = "en"

    def __post_init__(self) -> None:
        self.random = random.Random(1000 * self.variant + self.number)
        self.made = 0

    def flow(self) -> None:
        """What comes now is in no known order to what came before."""
        self.flows.append([])

    def sentence(self, *, short: bool = False) -> str:
        """A sentence that stands nowhere else on the page."""
        pick, self.made = self.random.choice, self.made + 1
        if self.language in {"ar", "he"}:
            words = self.random.sample(ARABIC if self.language == "ar" else HEBREW, 5 if short else 11)
            made = " ".join(words) + "."
        elif self.language == "ja":
            made = "".join(self.random.sample(JAPANESE, 12 if short else 30)) + "。"
        else:
            made = f"{pick(PLACES).title()} {pick(PLACES)}: the {pick(WHO)} {pick(DID)} {pick(WHAT)}"
            made += "" if short else f" {pick(WHEN)}" + pick(("", "", f", {pick(MORE)}"))
            made += "."
        if any(made in flow for flow in self.flows):
            return self.sentence(short=short)
        self.flows[-1].append(made)
        return escape(made)

    def text(self, sentences: int) -> str:
        """Sentences in a row."""
        return " ".join(self.sentence() for _ in range(sentences))

    def p(self, sentences: int = 3, attributes: str = "") -> str:
        """A paragraph."""
        return f"<p {attributes}>{self.text(sentences)}</p>"

    def title(self, level: int = 2) -> str:
        """A heading."""
        return f"<h{level}>{self.sentence(short=True).rstrip('.')}</h{level}>"

    def items(self, count: int, kind: str = "ul", *, short: bool = True) -> str:
        """A list."""
        return f"<{kind}>" + "".join(f"<li>{self.sentence(short=short)}</li>" for _ in range(count)) + f"</{kind}>"

    def diagram(self, width: int, height: int, boxes: int) -> str:
        """Boxes with labels, joined by arrows."""
        drawn: list[str] = []
        step = width / boxes
        for at in range(boxes):
            x, y = at * step + 4, (at % 2) * (height - 44) + 4
            label = f"{self.random.choice(PLACES).title()} {chr(65 + at)}{self.random.randint(10, 99)}"
            self.labels.append(label)
            frame = f'<rect x="{x}" y="{y}" width="{step - 24}" height="34" fill="none" stroke="#333"/>'
            drawn.append(f'{frame}<text x="{x + 6}" y="{y + 21}" font-size="10">{label}</text>')
            if at:
                drawn.append(f'<path d="M{x - 24} {height / 2} L{x} {height / 2} l-5 -4 m5 4 l-5 4" stroke="#333" fill="none"/>')
            if at % 2:
                self.labels.append(f"flow {at}{self.number}")
                drawn.append(f'<text x="{x - 20}" y="{height / 2 - 5}" font-size="8">{self.labels[-1]}</text>')
        return f'<svg width="{width}" height="{height}">' + "".join(drawn) + "</svg>"


def _html(body: str, style: str = "", page: str = "A4", language: str = "en") -> str:
    way = ' dir="rtl"' if language in {"ar", "he"} else ""
    base = "body{font:10.5pt/1.35 'DejaVu Serif';margin:0}h1{font-size:19pt;margin:.3em 0}h2{font-size:13pt;margin:.6em 0 .2em}p{margin:0 0 .5em}"
    return (
        f'<!doctype html><html lang="{language}"{way}><head><meta charset="utf-8"><title>Page</title>'
        f"<style>@page{{size:{page};margin:16mm}}{base}{style}</style></head><body>{body}</body></html>"
    )


def newsletter(s: Sheet) -> str:
    columns = 3 if s.variant else 2
    body = s.title(1) + f'<div class="c">{s.p(3)}{s.title()}{s.p(4)}{s.p(3)}{s.title()}{s.p(4)}{s.p(5)}{s.title()}{s.p(4)}{s.p(3)}</div>'
    return _html(body, f".c{{columns:{columns};column-gap:{5 + 2 * s.variant}mm;text-align:justify;font-size:9.5pt}}")


def newsletter_box(s: Sheet) -> str:
    text = s.title(1) + f'<div class="c">{s.p(5)}{s.p(4)}'
    main = s.flows[-1]
    s.flow()
    box = f'<aside>{s.title(3)}{s.items(4)}</aside>'
    s.flows.append(main)
    rest = f"{s.p(4)}{s.title()}{s.p(5)}{s.p(4)}{s.p(4)}</div>"
    s.flows.remove(main)
    s.flows.insert(0, main)
    return _html(text + box + rest, ".c{columns:2;column-gap:8mm}aside{break-inside:avoid;border:1px solid #555;"
                 + ("background:#eee;" if s.variant else "") + "padding:2mm;margin:2mm 0}h3{margin:0}")  # fmt: skip


def magazine(s: Sheet) -> str:
    body = s.title(1) + f'<p style="font-size:13pt">{s.sentence()}</p><div class="c"><p class="d">{s.text(5)}</p>{s.p(4)}{s.p(5)}{s.p(4)}'
    main = s.flows[-1]
    s.flow()
    quote = f"<blockquote>{s.sentence(short=True)}</blockquote>"
    s.flows.append(main)
    rest = s.p(5) + s.p(4) + "</div>"
    s.flows = [main, *[f for f in s.flows if f is not main]]
    return _html(body + quote + rest, f".c{{columns:{2 + s.variant};column-gap:6mm}}.d::first-letter{{font-size:30pt;float:left;line-height:.9}}"
                 "blockquote{font:italic 15pt 'DejaVu Serif';border-top:2px solid;border-bottom:2px solid;margin:3mm 0;break-inside:avoid}")


def worksheet(s: Sheet) -> str:
    def exercise(n: int) -> str:
        lines = "".join('<div style="border-bottom:1px solid #777;height:7mm"></div>' for _ in range(2 + s.variant))
        return f'<div style="break-inside:avoid;margin-bottom:3mm"><b>{n}.</b> {s.sentence()}{lines}</div>'
    return _html(s.title(1) + s.p(1) + f'<div class="c">{"".join(exercise(n) for n in range(1, 11))}</div>', ".c{columns:2;column-gap:10mm}")


def exercises(s: Sheet) -> str:
    def one(n: int) -> str:
        asked = s.sentence()
        choices = "".join(f"<div>{c}) {s.sentence(short=True)}</div>" for c in "abc")
        return f'<div class="q"><b>Task {n}</b> <div>{asked}</div>{choices}</div>'
    return _html(s.title(1) + '<div class="g">' + "".join(f'<div>{one(2 * n + 1)}{one(2 * n + 2)}</div>' for n in range(2)) + "</div>" + s.p(2),
                 f".g{{display:grid;grid-template-columns:1fr 1fr;gap:{6 + 6 * s.variant}mm}}.q{{margin-bottom:4mm}}")


def cv_left(s: Sheet) -> str:
    side = "".join(f"{s.title(3)}{s.items(4)}" for _ in range(3))
    s.flow()
    main = s.title(1) + "".join(f"{s.title()}{s.p(2)}{s.items(3, short=False)}" for _ in range(3))
    return _html(f'<div class="g"><div class="s">{side}</div><div>{main}</div></div>',
                 f".g{{display:grid;grid-template-columns:{55 + 8 * s.variant}mm 1fr;gap:8mm}}.s{{background:{'#234;color:#fff' if s.variant else '#eee'};padding:4mm;font-size:9pt}}ul{{padding-left:4mm}}")


def cv_dates(s: Sheet) -> str:
    head, rows = s.title(1), ""
    for n in range(6):
        year = f"{2001 + 3 * n} to {2003 + 3 * n}"
        s.flows[-1].append(year)
        rows += f"<div>{year}</div><div><b>{s.sentence(short=True)}</b>{s.p(2)}</div>"
    return _html(head + f'<div class="g">{rows}</div>', f".g{{display:grid;grid-template-columns:{30 + 6 * s.variant}mm 1fr;gap:3mm}}")


def invoice(s: Sheet) -> str:
    left = "<br>".join(s.sentence(short=True) for _ in range(3))
    s.flow()
    right = "<br>".join(s.sentence(short=True) for _ in range(3))
    s.flow()
    rows = "".join(f"<tr><td>{n}</td><td>{s.sentence(short=True)}</td><td>{n * 3}</td><td>{n * 17}.50</td></tr>" for n in range(1, 6))
    table = f'<table><tr><th>No</th><th>Item</th><th>Pieces</th><th>Sum</th></tr>{rows}</table>'
    end = s.p(2) + s.p(1)
    return _html(f'<h1>Invoice 4711</h1><div class="g"><div>{left}</div><div>{right}</div></div>{table}{end}',
                 ".g{display:grid;grid-template-columns:1fr 1fr;gap:12mm;margin-bottom:8mm}td,th{padding:2mm;text-align:left;"
                 + ("border-bottom:1px solid #999" if s.variant else "border:1px solid #999") + "}table{border-collapse:collapse;width:100%;margin-bottom:6mm}")


def brochure(s: Sheet) -> str:
    boxes: list[str] = []
    head = s.title(1)
    for _ in range(4):
        s.flow()
        boxes.append(f"<div class=b>{s.title(3)}{s.p(4)}</div>")
    return _html(head + '<div class="g">' + "".join(boxes) + "</div>",
                 f".g{{display:grid;grid-template-columns:1fr 1fr;gap:{4 + 4 * s.variant}mm}}.b{{padding:4mm;" + ("background:#dde8f0" if s.variant else "border:1.5px solid #446") + "}h3{margin:0}")


def trifold(s: Sheet) -> str:
    panels = "".join(f"<div>{s.title()}{s.p(3)}{s.items(3)}{s.p(3)}</div>" for _ in range(3))
    return _html(f'<div class="g">{panels}</div>', f".g{{display:grid;grid-template-columns:1fr 1fr 1fr;gap:{8 + 6 * s.variant}mm;font-size:9.5pt}}ul{{padding-left:5mm}}", "A4 landscape")


def slide_two(s: Sheet) -> str:
    body = s.title(1) + f'<div class="g"><div>{s.title()}{s.items(4)}</div><div>{s.title()}{s.items(4 + s.variant)}</div></div>'
    return _html(body, ".g{display:grid;grid-template-columns:1fr 1fr;gap:14mm}body{font:12pt 'DejaVu Sans'}h1{font-size:22pt}h2{font-size:14pt}li{margin-bottom:1mm}", "254mm 143mm")


def slide_diagram(s: Sheet) -> str:
    body = s.title(1) + s.items(2) + s.diagram(700, 150, 4 + s.variant) + f"<p>{s.sentence()}</p>"
    return _html(body, "body{font:12pt 'DejaVu Sans'}h1{font-size:20pt}", "254mm 143mm")


def poster(s: Sheet) -> str:
    head, columns = s.title(1), ""
    for n in range(3):
        columns += f"<div>{s.title()}{s.p(3)}"
        columns += s.diagram(330, 110, 3) if n == 1 else s.items(3)
        columns += f"{s.title()}{s.p(3)}</div>"
    return _html(f'{head}<div class="g">{columns}</div>', f".g{{display:grid;grid-template-columns:1fr 1fr 1fr;gap:{7 + 5 * s.variant}mm}}body{{font-size:12pt}}h1{{font-size:30pt;text-align:center}}", "A2 landscape")


def form(s: Sheet) -> str:
    def row() -> str:
        return f'<div>{s.sentence(short=True)}<div style="border:1px solid #444;height:8mm;margin-top:1mm"></div></div>'
    head = s.title(1)
    rows = [row() for _ in range(8)]
    notes = s.p(2)
    return _html(head + '<div class="g">' + "".join(rows) + "</div>" + notes, f".g{{display:grid;grid-template-columns:1fr 1fr;gap:4mm {6 + 6 * s.variant}mm;font-size:9pt}}")


def paper(s: Sheet) -> str:
    body = s.title(1) + f'<div class="c">{s.title()}{s.p(4)}{s.p(5)}{s.title()}{s.p(5)}'
    main = s.flows[-1]
    s.flow()
    figure = f"<figure>{s.diagram(300, 100, 3)}<figcaption>Figure 1: {s.sentence()}</figcaption></figure>"
    s.flows.append(main)
    body += figure + s.p(5) + s.p(4) + s.title() + s.p(5) + s.p(4) + "</div>"
    s.flows = [main, *[f for f in s.flows if f is not main]]
    return _html(body, f".c{{columns:2;column-gap:{5 + 2 * s.variant}mm;text-align:justify;font-size:9.5pt}}figure{{margin:2mm 0;break-inside:avoid}}figcaption{{font-size:8.5pt}}h1{{text-align:center}}")


def rtl_page(s: Sheet) -> str:
    s.language = "ar" if s.variant else "he"
    body = s.title(1) + f'<div class="c">{s.p(4)}{s.title()}{s.p(4)}{s.items(3)}{s.p(4)}</div>'
    return _html(body, ".c{columns:2;column-gap:9mm}body{font-family:'DejaVu Sans'}", language=s.language)


def rtl_slide(s: Sheet) -> str:
    s.language = "he" if s.variant else "ar"
    body = s.title(1) + f'<div class="g"><div>{s.title()}{s.items(4)}</div><div>{s.title()}{s.items(4)}</div></div>'
    return _html(body, ".g{display:grid;grid-template-columns:1fr 1fr;gap:12mm}body{font:12pt 'DejaVu Sans'}", "254mm 143mm", s.language)


def vertical(s: Sheet) -> str:
    s.language = "ja"
    body = s.title(1) + s.p(5) + s.p(6) + s.p(5 + 3 * s.variant)
    return _html(body, "html{writing-mode:vertical-rl}body{font-family:'Noto Serif CJK JP';font-size:11pt}", language="ja")


def law(s: Sheet) -> str:
    head, rows = s.title(1), ""
    for n in range(1, 8):
        rows += f'<div class="n">{s.variant * 40 + n}</div><div>{s.p(3)}</div>'
    return _html(head + f'<div class="g">{rows}</div>', ".g{display:grid;grid-template-columns:8mm 1fr;gap:1mm 5mm}.n{font-size:8pt;color:#444}")


def side_notes(s: Sheet) -> str:
    head = s.title(1)
    rows = ""
    main = s.flows[-1]
    for _ in range(5):
        s.flows.append(main)
        text = s.p(4)
        s.flows.append([])
        rows += f'<div>{text}</div><div class="n">{s.sentence(short=True)}</div>'
    seen: list[list[str]] = []
    s.flows = [f for f in s.flows if f is main or f] 
    for f in s.flows:
        if not any(f is g for g in seen):
            seen.append(f)
    s.flows = seen
    return _html(head + f'<div class="g">{rows}</div>', f".g{{display:grid;grid-template-columns:1fr {34 + 8 * s.variant}mm;gap:2mm 6mm}}.n{{font-size:8pt;font-style:italic}}")


def letter(s: Sheet) -> str:
    address = "<br>".join(s.sentence(short=True) for _ in range(3))
    s.flow()
    sender = "<br>".join(s.sentence(short=True) for _ in range(4))
    s.flow()
    body = s.p(3) + s.p(4) + s.p(3)
    foot = ""
    for _ in range(3):
        s.flow()
        foot += f'<div>{"<br>".join(s.sentence(short=True) for _ in range(3))}</div>'
    return _html(f'<div class="g"><div style="padding-top:14mm">{address}</div><div class="s">{sender}</div></div><div style="margin-top:14mm">{body}</div><div class="f">{foot}</div>',
                 f".g{{display:grid;grid-template-columns:1fr 62mm;gap:10mm}}.s{{font-size:8pt}}.f{{position:absolute;bottom:0;display:grid;grid-template-columns:1fr 1fr 1fr;gap:{5 + 4 * s.variant}mm;font-size:7pt}}body{{position:relative;height:260mm}}")


KINDS: tuple[Callable[[Sheet], str], ...] = (
    newsletter, newsletter_box, magazine, worksheet, exercises, cv_left, cv_dates, invoice, brochure, trifold,
    slide_two, slide_diagram, poster, form, paper, rtl_page, rtl_slide, vertical, law, side_notes, letter,
)  # fmt: skip


def pages(variant: int) -> list[tuple[str, Sheet, str]]:
    """The name, the sheet and the HTML of every page of a variant (0 or 1)."""
    made: list[tuple[str, Sheet, str]] = []
    for number, kind in enumerate(KINDS):
        sheet = Sheet(number, variant)
        html = kind(sheet)
        made.append((f"{kind.__name__}-{variant}", sheet, html))
    return made
