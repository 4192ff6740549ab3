"""What the web pages of the twelfth truth say: tables of manuals, shops, clubs and offices, written for it, and those
of Markdown and HTML documents of the corpus. A cell is a piece of HTML; `^2` before it spans two rows, `>3` three
columns; a line is a row, `=` closes the head."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lxml import html as lxml_html
from markdown_it import MarkdownIt

OWN = (
    """Option | Type | Default | Description
=
<code>timeout</code> | integer | <code>30</code> | Seconds to wait for the first byte of an answer before \
the request is given up and tried again.
<code>retries</code> | integer | <code>3</code> | How often a request is repeated.
<code>verify</code> | boolean | <code>true</code> | Whether certificates are checked against the list of \
the system. Set it to <code>false</code> for test servers only.
<code>proxy</code> | string | | Address of the proxy, with its port.
<code>max_connections_per_host</code> | integer | <code>8</code> | Upper limit.""",
    """Browser | Version | Released | Notes
=
Chrome | 114 | 30 May 2023 | Full support
Edge | 114 | 2 June 2023 | Full support
Firefox | 125 | 16 April 2024 | Behind the flag <code>dom.element.popover.enabled</code> from 114 on
Opera | 100 | 29 June 2023 | Full support
Safari | 17 | 18 September 2023 | Partial: anchors are not supported""",
    """Plan | Starter | Team | Enterprise
=
Price per month | €0 | €29 | on request
Projects | 3 | 50 | unlimited
Storage | 2 GB | 100 GB | 5 TB
Single sign-on | – | – | ✓
Support | Forum | E-mail, next working day | Telephone, around the clock
Audit log | – | 30 days | 10 years""",
    """Day | Time | Course | Room
=
^3Monday | 08:15–09:45 | Linear Algebra | H 104
10:15–11:45 | Operating Systems | H 2032
14:15–15:45 | Seminar: Compilers | E 020
^2Tuesday | 10:15–11:45 | Statistics | MA 001
12:15–13:45 | Databases | H 104
^2Thursday | 08:15–09:45 | Linear Algebra (exercise) | MA 141
16:15–17:45 | English for engineers | online""",
    """Town | >2Population | >2Unemployed | Area km²
 | 2011 | 2022 | 2011 | 2022 |
=
Aldermoor | 12,480 | 13,905 | 4.1 % | 3.7 % | 22.6
Berrow | 8,211 | 7,940 | 6.8 % | 5.9 % | 48.0
Castle Hythe | 31,076 | 35,512 | 5.2 % | 4.4 % | 17.3
Dunsford | 2,964 | 2,850 | 3.3 % | 3.9 % | 61.9
Total | 54,731 | 60,207 | 5.1 % | 4.5 % | 149.8""",
    """Keys | Action
=
<kbd>Ctrl</kbd> + <kbd>S</kbd> | Save the file
<kbd>Ctrl</kbd> + <kbd>Shift</kbd> + <kbd>P</kbd> | Open the list of commands
<kbd>Alt</kbd> + <kbd>↑</kbd> | Move the line up
<kbd>F2</kbd> | Rename the symbol in all files of the folder that is open
<kbd>Esc</kbd> | Close""",
    """Pos. | Artikel | Menge | Einzelpreis | Gesamt
=
1 | Schreibtischlampe LED, schwarz | 2 | 39,90 € | 79,80 €
2 | Kabelkanal 2 m, weiß, selbstklebend, mit Deckel und Endstücken | 6 | 4,25 € | 25,50 €
3 | Steckdosenleiste 6-fach | 1 | 18,00 € | 18,00 €
>4Zwischensumme | 123,30 €
>4Umsatzsteuer 19 % | 23,43 €
>4<b>Rechnungsbetrag</b> | <b>146,73 €</b>""",
    """Method | Path | Scope | What it does
=
<code>GET</code> | <code>/v2/orders</code> | <code>orders:read</code> | Lists orders, newest first
<code>GET</code> | <code>/v2/orders/{id}</code> | <code>orders:read</code> | One order with its lines, \
shipments and payments
<code>POST</code> | <code>/v2/orders</code> | <code>orders:write</code> | Creates an order
<code>DELETE</code> | <code>/v2/orders/{id}/lines/{line}</code> | <code>orders:write</code> | Takes a line \
out of an order that has not been sent yet""",
    """Position | Team | Pld | W | D | L | GF | GA | GD | Pts
=
1 | Northfield Rovers | 22 | 15 | 4 | 3 | 48 | 19 | +29 | 49
2 | Harbour Athletic | 22 | 14 | 3 | 5 | 41 | 25 | +16 | 45
3 | St Brannock's | 22 | 12 | 6 | 4 | 39 | 22 | +17 | 42
4 | Old Mill United | 22 | 9 | 5 | 8 | 30 | 31 | −1 | 32
5 | Quarry Bank | 22 | 6 | 4 | 12 | 24 | 38 | −14 | 22
6 | Wainfleet Town | 22 | 2 | 4 | 16 | 15 | 62 | −47 | 10""",
    """Year | Title | Role | Director | Notes
=
1987 | <i>The Salt Road</i> | Young Martha | Ellen Varga | Début
1991 | <i>Winter Wheat</i> | Joan | Peter Lindholm | Nominated – Nordic Film Prize for Best Supporting Actress
1994 | <i>Letters to Nobody</i> | Narrator | Ellen Varga | Voice
^2 1999 | <i>Glass</i> | Dr Imre | Sofia Castellano |
<i>Harbour Lights</i> | Mrs Penrose | James Okoro | Television film
2006 | <i>A Map of Rain</i> | Ruth | Sofia Castellano | Won – Golden Lynx""",
    """Variable | Meaning | Example
=
<code>DATABASE_URL</code> | Where the database is found | <code>postgres://app:secret@db.internal:5432/app</code>
<code>LOG_LEVEL</code> | <code>debug</code>, <code>info</code>, <code>warning</code> or <code>error</code> \
| <code>info</code>
<code>SESSION_TTL</code> | Minutes after which a session ends | <code>90</code>
<code>ALLOWED_HOSTS</code> | Names under which the service answers, parted by commas | \
<code>example.org,www.example.org</code>""",
    """Nutrition | per 100 g | per portion (45 g) | % RI*
=
Energy | 1,612 kJ | 725 kJ | 9
 | 383 kcal | 172 kcal |
Fat | 8.0 g | 3.6 g | 5
of which saturates | 1.5 g | 0.7 g | 4
Carbohydrate | 60 g | 27 g | 10
of which sugars | 1.1 g | 0.5 g | 1
Salt | 0.02 g | 0.01 g | 0""",
    """Committee | Members | Meets
=
Finance | Anna Berg (chair)<br>Tom Achebe<br>Li Wei | First Monday, 18:00
Buildings | Carla Moreno (chair)<br>Jon Pryce | Third Wednesday, 17:30
Events | Yusuf Demir (chair)<br>Nora Quist<br>Emil Roth<br>Ada King | As needed
Youth | vacant | Saturdays""",
    """Status | Name | When it is sent
=
200 | OK | The request succeeded.
201 | Created | A new resource was made; its address is in the <code>Location</code> field.
304 | Not Modified | What the client holds is still good.
404 | Not Found | There is nothing at this address, or the caller may not know that there is.
409 | Conflict | The resource was changed meanwhile. Read it again, then repeat the change.
503 | Service Unavailable | Maintenance or overload.""",
    """Train | Stop | Arr. | Dep. | Platform
=
^3IC 512 | Kestrel Cross | | 07:02 | 4
Amberley | 07:41 | 07:43 | 1
Port Sennen | 08:30 | | 2
^3RE 20 | Kestrel Cross | | 07:15 | 9
Bramble Lane | 07:28 | 07:29 | 1
Amberley | 08:04 | | 3""",
    """Sign | Meaning | Points
=
○ | Open, no lock needed | 0
◐ | Open by day | 1
● | Always locked; ask at the desk for the key and sign for it | 3
△ | Alarm, do not enter | –""",
    """Release | Date | Highlights
=
4.2.0 | 2024-03-18 | <ul><li>New editor for templates</li><li>Export to CSV</li></ul>
4.1.3 | 2024-01-09 | <ul><li>Fixes the import of large calendars</li></ul>
4.1.0 | 2023-11-27 | <ul><li>Search in attachments</li><li>Dark theme</li><li>Shortcuts can be changed</li></ul>
4.0.0 | 2023-06-30 | <ul><li>First release of the new series</li></ul>""",
    """Quarter | Revenue | Cost | Margin | Staff
=
Q1 2023 | 1,204.5 | 988.1 | 18.0 % | 61
Q2 2023 | 1,377.0 | 1,002.9 | 27.2 % | 64
Q3 2023 | 1,150.2 | 1,011.4 | 12.1 % | 64
Q4 2023 | 1,622.8 | 1,140.0 | 29.7 % | 66
<b>Year</b> | <b>5,354.5</b> | <b>4,142.4</b> | <b>22.6 %</b> | <b>66</b>""",
    """Ingredient | Amount | Remarks
=
Flour, strong | 500 g | plus some for the table
Water | 340 ml | lukewarm
Fresh yeast | 10 g | or 3 g dried
Salt | 10 g |
Olive oil | 2 tbsp | for the tin; butter will do if there is no oil in the house
Rosemary | 1 sprig | optional""",
    """Species | Scientific name | Wingspan | Status | First record
=
Common swift | <i>Apus apus</i> | 40–44 cm | Summer visitor | 1898
Barn owl | <i>Tyto alba</i> | 80–95 cm | Resident, declining since drains were laid in the lower meadows | 1902
Bittern | <i>Botaurus stellaris</i> | 100–130 cm | Rare winter visitor | 1963
Hobby | <i>Falco subbuteo</i> | 70–84 cm | Passage migrant | 1971
Little egret | <i>Egretta garzetta</i> | 88–106 cm | Resident | 1996""",
    """Command | Short | Explanation
=
<code>docks list</code> | <code>ls</code> | Shows all containers
<code>docks start NAME</code> | | Starts a container that was stopped, with the settings it was made with
<code>docks logs -f NAME</code> | | Follows its output
<code>docks rm NAME…</code> | <code>rm</code> | Removes containers for good""",
    """Contact | Telephone | E-mail
=
Switchboard | +44 1632 960 100 | <a href="#">office@example.org</a>
Admissions | +44 1632 960 118 | <a href="#">admissions@example.org</a>
Library | +44 1632 960 140 | <a href="#">library@example.org</a>
Accommodation and welfare | +44 1632 960 155 | <a href="#">welfare@example.org</a>""",
    """Size | Chest (cm) | Waist (cm) | Hip (cm) | UK | EU | US
=
XS | 80–84 | 62–66 | 86–90 | 6–8 | 34–36 | 2–4
S | 84–88 | 66–70 | 90–94 | 8–10 | 36–38 | 4–6
M | 88–96 | 70–78 | 94–102 | 12–14 | 40–42 | 8–10
L | 96–104 | 78–86 | 102–110 | 16–18 | 44–46 | 12–14""",
    """Property | Value
=
Formula | C<sub>8</sub>H<sub>10</sub>N<sub>4</sub>O<sub>2</sub>
Molar mass | 194.194 g/mol
Density | 1.23 g/cm³, solid
Melting point | 235 to 238 °C
Appearance | Odourless, white needles or powder
Solubility in water | 2.17 g/100 ml (25 °C)<br>18.0 g/100 ml (80 °C)<br>67.0 g/100 ml (100 °C)""",
    """Rank | Athlete | Nation | 1st run | 2nd run | Total | Behind
=
1 | Ilse Maurer | AUT | 58.12 | 57.90 | 1:56.02 |
2 | Kaja Nordvik | NOR | 58.30 | 58.01 | 1:56.31 | +0.29
3 | Chiara Pontello | ITA | 58.04 | 58.55 | 1:56.59 | +0.57
4 | Michelle Favre | SUI | 58.77 | 58.20 | 1:56.97 | +0.95
 | Hana Kolář | CZE | 59.14 | DNF | |""",
    """Risk | Likelihood | Impact | Measure | Owner
=
Supplier fails | 2 | 4 | Second source under contract by autumn; stock for six weeks | Purchasing
Key staff leave | 3 | 3 | Two people know every task | All heads
Flood in the cellar | 1 | 5 | Pumps are tested monthly, and nothing of value stands below 40 cm | Caretaker
Data loss | 1 | 5 | Daily copies, one of them off site | IT""",
    """Datum | Veranstaltung | Ort | Eintritt
=
Fr., 3. Mai | Konzert: Duo Aurora | Rathaussaal | 12 €, ermäßigt 8 €
Sa., 11. Mai | Flohmarkt | Marktplatz | frei
So., 26. Mai | Wanderung „Rund um den Teufelsstein“ mit Einkehr | Treffpunkt Bahnhof, 9 Uhr | 5 €
Do., 6. Juni | Vortrag | Bücherei | frei""",
    """Field | Offset | Size | Content
=
magic | 0x00 | 4 | <code>89 50 4E 47</code>
version | 0x04 | 2 | Always 1
flags | 0x06 | 2 | Bit 0: compressed<br>Bit 1: encrypted<br>Bits 2–15: zero
length | 0x08 | 8 | Bytes of what follows, little endian
checksum | 0x10 | 4 | CRC-32 of all bytes before it""",
    """ | Group A | Group B | p
=
Participants | 48 | 51 |
Age, years (mean ± SD) | 43.2 ± 11.0 | 44.9 ± 12.3 | 0.47
Female | 26 (54 %) | 29 (57 %) | 0.79
Smokers | 9 (19 %) | 14 (27 %) | 0.31
Blood pressure, mmHg | 128/82 | 131/84 | 0.22""",
    """Word | Part of speech | Definition
=
gable | noun | the upper part of a wall under a pitched roof, shaped like a triangle
to glaze | verb | to fit with glass; to cover with a shiny layer
hatch | noun | an opening in a floor, wall or roof, or what closes it
joist | noun | one of the beams that carry a floor
to lag | verb | to wrap pipes so that they keep their warmth""",
)


@dataclass(frozen=True)
class Cell:
    """`html` as written, and what it shows."""

    html: str
    rows: int = 1
    columns: int = 1

    @property
    def text(self) -> str:
        marked = re.sub(r"<(br|/li|/p|/div)\s*/?>", r" <\1>", self.html)  # signs of items are drawn, and no text
        shown = lxml_html.fromstring(f"<div>{marked}</div>").text_content()
        return " ".join(shown.split())


@dataclass(frozen=True)
class Content:
    """The rows of a table, each without the cells that others cover, and how many are its head."""

    rows: tuple[tuple[Cell, ...], ...]
    head: int

    def grid(self) -> list[list[str]]:
        """All rows in full, covered cells empty."""
        covered: set[tuple[int, int]] = set()
        grid: list[dict[int, str]] = [{} for _ in self.rows]
        for r, row in enumerate(self.rows):
            at = 0
            for cell in row:
                while (r, at) in covered:
                    at += 1
                covered |= {(r + i, at + j) for i in range(cell.rows) for j in range(cell.columns)}
                grid[r][at] = cell.text
                at += cell.columns
        width = 1 + max(c for _, c in covered)
        return [[own.get(c, "") for c in range(width)] for own in grid]

    def has_tall(self) -> bool:
        return any(cell.rows > 1 for row in self.rows for cell in row)


def own_contents() -> list[Content]:
    """The tables written here."""
    found: list[Content] = []
    for text in OWN:
        rows: list[tuple[Cell, ...]] = []
        head = 0
        for line in text.splitlines():
            if line == "=":
                head = len(rows)
                continue
            cells: list[Cell] = []
            for piece in line.split("|"):
                tall, wide = re.match(r"\s*\^(\d)", piece), re.match(r"\s*>(\d)", piece)
                body = re.sub(r"^\s*[>^]\d", "", piece).strip()
                cells.append(Cell(body, int(tall[1]) if tall else 1, int(wide[1]) if wide else 1))
            rows.append(tuple(cells))
        found.append(Content(tuple(rows), head))
    return found


def _inner(cell: lxml_html.HtmlElement) -> str:
    """The text of a cell, with its code and lines."""
    for element in cell.iter("script", "style", "img", "svg", "input"):
        element.text, element.attrib["hidden"] = "", ""
    body = lxml_html.tostring(cell, encoding="unicode", with_tail=False)
    body = body.replace("✅", "yes").replace("❌", "no")  # no font here has them
    body = re.sub(r"<(?!/?(?:code|b|i|strong|em|br|sub)\b)[^>]*>", "", body)
    return " ".join(re.sub(r"<(code|b|i|strong|em|br|sub)\b[^>]*>", r"<\1>", body).split())


def corpus_contents(corpus: Path, names: tuple[str, ...], most_rows: int = 16) -> list[Content]:
    """The tables of Markdown and HTML documents, each with its first rows, that have no cells within cells."""
    found: list[Content] = []
    for name in names:
        text = (corpus / name).read_text(encoding="utf-8", errors="replace")
        source = MarkdownIt("gfm-like", {"linkify": False}).render(text) if name.endswith(".md") else text
        for table in lxml_html.fromstring(f"<div>{source}</div>").iter("table"):
            if table.xpath(".//table"):
                continue
            lines = table.xpath(".//tr")[: most_rows + 1]
            rows = [tuple(Cell(_inner(c)) for c in line.xpath("./td|./th")) for line in lines]
            widths = {len(row) for row in rows}
            spanned = table.xpath(".//*[@rowspan>1 or @colspan>1]")
            texts = [cell.text for row in rows for cell in row]
            if len(widths) != 1 or not 1 < len(rows[0]) < 10 or len(rows) < 3 or spanned:
                continue
            if (
                max(map(len, texts)) > 260
                or sum(map(bool, texts)) < 0.6 * len(texts)
                or "\N{REPLACEMENT CHARACTER}" in text
            ):
                continue
            head = int(all(c.tag == "th" for c in lines[0].xpath("./td|./th")))
            content = Content(tuple(rows), head)
            if content not in found:
                found.append(content)
    return found
