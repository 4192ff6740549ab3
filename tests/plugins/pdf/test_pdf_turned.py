"""PDF pages whose text is turned by right angles: by `/Rotate`, by the matrix of the page or of each text, by a type
size below zero, and by several of these at once."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import coded, read_pdf, symbol_font

from sidecar.api import Heading, Paragraph, ParsedDocument, Table

WIDTH, HEIGHT = 612, 792
MATRICES = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}
"""By degrees, counter-clockwise."""
CORNERS = {0: (0, 0), 90: (HEIGHT, 0), 180: (WIDTH, HEIGHT), 270: (0, WIDTH)}
"""Where the bottom left of a page turned by so many degrees goes."""
PROSE = [
    "The survey covers every station along the river from its",
    "source to the delta, and each was visited twice a year by",
    "the same two observers, who noted depth and temperature.",
]
RULED = (
    ("Station", "Spring", "Autumn"),
    ("Upper bridge", "1.25", "2.50"),
    ("Old mill", "0.75", "1.10"),
    ("Ferry", "3.40", "4.05"),
)
OPEN = (("Reach", "Length", "Slope"), ("North", "12.5", "0.3"), ("Middle", "40.1", "0.2"), ("South", "33.8", "0.1"))
EDGES = (72, 200, 300, 400)

WAYS = {
    "page matrix": (1, 1, ""),
    "text matrices": (1, 1, ""),
    "type size below zero": (-1, -1, ""),
    "widths below zero": (-1, 1, "-100 Tz"),
}
"""What turns the page, with the signs of a text matrix's two rows and an operator before it. Where both the matrix and
the type size or the horizontal scale turn a text, one undoes the other (ISO 32000-1, 9.4.4)."""


def words() -> list[tuple[float, float, str, int, str]]:
    """What a page says, bottom up and thus against reading order: x, y, text, size and font, unturned."""
    found: list[tuple[float, float, str, int, str]] = []
    for top, title, rows, lead in ((740, "Stations", RULED, 16), (540, "Methods", OPEN, 14)):
        found.append((72, top, title, 16, "F2"))
        found += [(72, top - 25 - 12 * at, line, 10, "F1") for at, line in enumerate(PROSE)]
        for at, row in enumerate(rows):
            found += [(x + 4, top - 110 - lead * at, cell, 10, "F1") for x, cell in zip(EDGES, row, strict=False)]
    return found[::-1]


def rules() -> list[tuple[float, float, float, float]]:
    level = [(72.0, float(y), 400.0, float(y)) for y in (642, 626, 610, 594, 578, 442, 426, 382)]
    return level + [(float(x), 578.0, float(x), 642.0) for x in EDGES]


def content(way: str, degrees: int) -> str:
    """The page turned by so many degrees counter-clockwise."""
    a, b, c, d = MATRICES[degrees]
    e, f = CORNERS[degrees]
    if way == "page matrix":
        level = "".join(rule(*ends) for ends in rules())
        level += "".join(text(x, y, string, size=size, font=font) for x, y, string, size, font in words())
        return f"q {a} {b} {c} {d} {e} {f} cm\n{level}Q\n"
    along, up, operator = WAYS[way]
    sign = -1 if way == "type size below zero" else 1

    def at(x: float, y: float) -> tuple[float, float]:
        return a * x + c * y + e, b * x + d * y + f

    out = "".join(rule(*at(*ends[:2]), *at(*ends[2:])) for ends in rules())
    for x, y, string, size, font in words():
        matrix = " ".join(str(n) for n in (along * a, along * b, up * c, up * d, *at(x, y)))
        out += f"q BT {operator} /{font} {sign * size} Tf {matrix} Tm ({string}) Tj ET Q\n"
    return out


def parse(way: str, degrees: int, rotate: int, *, more: str = "") -> ParsedDocument:
    pdf = Pdf()
    box = (WIDTH, HEIGHT) if degrees % 180 == 0 else (HEIGHT, WIDTH)
    pdf.page(content(way, degrees) + more, box=f"0 0 {box[0]} {box[1]}", more=f"/Rotate {rotate}")
    return read_pdf(pdf)


def told(document: ParsedDocument) -> list[object]:
    """What a page is told to say, in reading order."""
    found: list[object] = []
    for block in document.parts[0].blocks:
        match block:
            case Heading(level=level, text=title):
                found.append((level, title))
            case Table(rows=rows):
                found.append(rows)
            case Paragraph(text=string):
                found.append(string)
            case _:
                found.append(block)
    return found


SAID = [(1, "Stations"), " ".join(PROSE), RULED, (1, "Methods"), " ".join(PROSE), OPEN]


@pytest.mark.parametrize("rotate", MATRICES)
@pytest.mark.parametrize("degrees", MATRICES)
@pytest.mark.parametrize("way", WAYS)
def test_a_turned_page_is_read_the_way_its_text_runs(way: str, degrees: int, rotate: int) -> None:
    document = parse(way, degrees, rotate)
    assert told(document) == SAID
    plain = parse("page matrix", degrees, rotate).parts[0]
    part = document.parts[0]
    sideways = (degrees + rotate) % 180 != 0
    assert (part.width, part.height) == ((HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT))
    for block, same in zip(part.blocks, plain.blocks, strict=True):
        assert block.box == pytest.approx(same.box, abs=0.5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("degrees", "rotate"), [(90, 0), (270, 0), (180, 0), (0, 90), (0, 180), (180, 90)])
def test_a_few_level_words_do_not_change_how_a_turned_page_is_read(way: str, degrees: int, rotate: int) -> None:
    a, b, c, d = MATRICES[rotate]
    width, height = (WIDTH, HEIGHT) if degrees % 180 == 0 else (HEIGHT, WIDTH)
    x, y = {0: (60, 20), 90: (width - 20, 60), 180: (width - 60, height - 20), 270: (20, height - 60)}[rotate]
    printed = "Printed by the office, March 2021"
    line = f"q BT /F1 9 Tf {a} {b} {c} {d} {x} {y} Tm ({printed}) Tj ET Q\n"
    document = parse(way, degrees, rotate, more=line)
    # at the side of the page as it reads it is furniture, at its head or foot it stands once only and is text
    sideways = (degrees + rotate) % 180 != 0
    assert [said for said in told(document) if said != printed] == SAID
    assert told(document).count(printed) == (0 if sideways else 1)
    assert document.parts[0].metadata.get("margin") == (printed if sideways else None)


def test_a_short_heading_of_vertical_writing_stands_between_its_columns() -> None:
    signs = "川泥海運一部岸返残記録不均等層数潮順序調方法"
    pdf = Pdf()
    font = symbol_font(pdf, "ABCDEF+Any", signs)

    def column(x: float, top: float, said: str, size: float = 10) -> str:
        codes = (f"{0x41 + signs.index(sign):02x}" for sign in said)
        return "".join(coded(x, top - size * at, code, font="S1", size=size) for at, code in enumerate(codes))

    long = [(signs * 3)[at : at + 30] for at in range(3)]
    shown = "".join(column(x - 16 * at, 700, said) for x in (400, 310) for at, said in enumerate(long))
    pdf.page(shown + column(340, 700, "一", 12) + column(340, 670, "方法", 12), fonts={"S1": font})
    said = [getattr(block, "text", "") for block in read_pdf(pdf).parts[0].blocks]
    assert said == ["".join(long), "一方法", "".join(long)]
