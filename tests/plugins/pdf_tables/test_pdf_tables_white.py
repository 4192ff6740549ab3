"""Tables that nothing but white parts, as office programs print them: type of another size in each column, heads of
several lines drawn cell by cell, full stops for what is missing, and rows that stand in the columns of those above."""

from __future__ import annotations

from sidecar_pdf.layout.tables.borders.drawn_grid import DrawnGrid
from sidecar_pdf.layout.tables.borders.undrawn import with_text_rows
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.text.segments import Segment, Word
from support.formats.pdf_builder import Pdf, compact_font, rule, text
from support.formats.pdf_prose import parsed, read_pdf, table, tables
from support.formats.plugin_reading import of

from sidecar.api import Table

DIGIT = 5.56  # points: the width of a digit of Helvetica at 10 points


def right(x: float, y: float, figure: str) -> str:
    """A figure of digits and full stops that ends at x."""
    return text(x - sum(DIGIT if char.isdigit() else DIGIT / 2 for char in figure), y, figure)


def test_columns_set_in_sizes_of_their_own_are_a_table() -> None:
    rows = tuple(
        (name, maker, size, price)
        for name, maker, size, price in zip(
            ("Riesling", "Muscat", "Traminer", "Pinot", "Cagor"), ("Basso", "Strasz", "Mileste", "Orhei", "Puhoi"),
            ("0.7 l", "0.5 l", "0.7 l", "1 l", "0.7 l"), ("31-00", "24-00", "26-00", "27-50", "12-00"), strict=True,
        )
    )  # fmt: skip
    content = [
        text(x, 700 - 17 * at, cell, size=size, font=font)
        for at, row in enumerate(rows)
        for x, cell, size, font in zip(
            (72, 230, 330, 430), row, (14, 10, 10, 14), ("F1", "F1", "F1", "F2"), strict=True
        )
    ]
    assert table(*content).rows == rows


def test_heads_of_several_lines_drawn_one_by_one_stay_over_their_columns() -> None:
    heads = (("Name of", "product"), ("Maker of", "product"), ("Kind of", "bottle"), ("Price", "in euro"))
    places = (72, 200, 300, 400)
    content = [
        text(x, 700 - 12 * at, line, font="F2")
        for x, lines in zip(places, heads, strict=True) for at, line in enumerate(lines)
    ]  # fmt: skip
    rows = [(f"Wine {at}", f"House {7 * at}", ("tall", "wide")[at % 2], f"{at}1.50") for at in range(1, 7)]
    content += [
        text(x, 692 - 17 * at, cell) for at, row in enumerate(rows, 1) for x, cell in zip(places, row, strict=True)
    ]
    found = table(*content)
    assert found.rows == (tuple(map(" ".join, heads)), *rows)
    assert found.header_rows == 1


def full_stops(pdf: Pdf) -> int:
    """A font of full stops of which the file tells no height, as office programs embed theirs: its ink is all of it."""
    file = pdf.stream(compact_font({46: "period"}), "/Subtype /Type1C")
    descriptor = pdf.add(
        "<< /Type /FontDescriptor /FontName /ABCDEF+Made /Flags 4 /FontBBox [0 -300 1000 900] /ItalicAngle 0 /Ascent 0"
        f" /Descent 0 /CapHeight 900 /StemV 80 /FontFile3 {file} 0 R >>"
    )
    return pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Made /FirstChar 46 /LastChar 46 /Widths [250]"
        f" /FontDescriptor {descriptor} 0 R /Encoding /WinAnsiEncoding >>"
    )


def test_a_full_stop_for_what_is_missing_is_a_cell() -> None:
    rows = [(f"{at}.0000", *(("0.8917", "0.1083") if at % 3 == 0 else (".", ".")), str(30 + at)) for at in range(1, 9)]
    heads = ("Time", "Survival", "Failure", "Left")
    content = [text(x, 720, name, font="F2") for x, name in zip((72, 162, 262, 360), heads, strict=True)]
    content += [
        text(x - 2.5, 700 - 17 * at, cell, font="O1") if cell == "." else right(x, 700 - 17 * at, cell)
        for at, row in enumerate(rows) for x, cell in zip((100, 200, 300, 380), row, strict=True)
    ]  # fmt: skip
    pdf = Pdf()
    font = full_stops(pdf)
    pdf.page("".join(content), fonts={"O1": font})
    (found,) = of(read_pdf(pdf), Table)
    assert found.rows == (heads, *rows)


def test_dots_lower_than_the_foot_of_what_they_lead_on_from_are_its_leaders() -> None:
    rows = (
        ("322 100", "for years (4)", "210"),
        ("322 101", "late fee (7)", "50"),
        ("322 200", "for years (9)", "1350"),
    )
    pdf = Pdf()
    font = full_stops(pdf)
    content: list[str] = []
    for at, (code, name, fee) in enumerate(rows):
        y, far = 700 - 15 * at, 6 * (at == 1)
        content += [text(72, y, code), right(500, y, fee), text(140, y, name), text(200 + far, y, "." * 30, font="O1")]
    pdf.page("".join(content), fonts={"O1": font})
    (found,) = of(read_pdf(pdf), Table)
    assert found.rows == rows


def test_rows_far_apart_that_stand_in_the_columns_of_those_above_are_of_one_table() -> None:
    names = ("for the fourth year", "with a late fee", "for the seventh year", "search", "for the tenth year")
    rows = [(f"322 {at}00", name, f"{at}50") for at, name in enumerate(names, 1)]
    content: list[str] = []
    for y, (code, name, fee) in zip((700, 686, 672, 632, 592), rows, strict=True):
        content += [text(72, y, code), text(140, y, name), right(500, y, fee)]
    assert table(*content).rows == tuple(rows)


def test_dots_for_more_in_two_columns_are_no_leaders() -> None:
    rows = (("Acronym", "Meaning"), ("ODF", "OpenDocument Format"), ("PDF", "Portable Document Format"), ("...", "..."))
    content = [rule(72, y, 330, y) for y in (712, 696, 650)]
    content += [
        text(x, y, cell) for y, row in zip((700, 684, 670, 656), rows, strict=True)
        for x, cell in zip((76, 160), row, strict=True)
    ]  # fmt: skip
    assert table(*content).rows == rows


def test_three_rows_under_the_only_rule_of_a_table_are_rows() -> None:
    rows = (
        ("Operation", "Order"),
        ("Evaluation of values", "first"),
        ("Joining", "eighth"),
        ("Choice of one", "ninth"),
    )
    content = [rule(72, 695, 280, 695)]
    for y, (name, order) in zip((700, 681, 667, 653), rows, strict=True):
        words = name.split()  # set one by one, without a blank, as TeX does
        starts = [76 + 4.9 * (len(" ".join(words[:at])) + (at > 0)) for at in range(len(words))]
        content += [text(x, y, word) for x, word in zip(starts, words, strict=True)] + [text(230, y, order)]
    assert table(*content).rows == rows


def test_a_letter_with_addresses_in_several_sizes_is_no_table() -> None:
    content = [text(72, 700, "To the director", size=14), text(330, 702, "Harbour office", size=9)]
    content += [text(72, 683, "Museum of ferries", size=10), text(330, 683, "Quay 4, second floor", size=14)]
    content += [text(72, 664, "by hand", size=9), text(330, 664, "open in the morning", size=10)]
    content += [text(72, 645, "Ferry lane 9", size=14), text(330, 645, "1200 Havenstad", size=8)]
    assert not tables(*content)


def test_columns_of_text_under_names_in_bold_are_read_one_after_the_other() -> None:
    left = [f"Left line {at} says how the ferry is kept" for at in range(5)]
    right_side = [f"Right line {at} says who may board it" for at in range(5)]
    content = [
        text(72, 700, "Rules of"),
        text(72, 688, "the ferry"),
        text(320, 700, "Rules of"),
        text(320, 688, "the quay"),
    ]
    content += [text(72, 670 - 12 * at, line) for at, line in enumerate(left)]
    content += [text(320, 670 - 12 * at, line) for at, line in enumerate(right_side)]
    document = parsed("".join(content))
    assert not of(document, Table)
    whole = " ".join(getattr(block, "text", "") for part in document.parts for block in part.blocks)
    assert whole.index("Left line 4") < whole.index("Right line 0")


def test_lines_of_cells_are_rows_though_letters_reach_below_some_of_them() -> None:
    """Boxes of letters end where their ink does, in fonts of which the file tells no height."""
    rows = (
        ("Town", "Degree", "Year"),
        ("Calgary", "none", "1981"),
        ("Verona", "price", "1987"),
        ("Derby", "one", "91"),
    )
    xs, ys = [72.0, 180.0, 280.0, 360.0], [100.0, 116.0, 176.0]
    style = NO_STYLE._replace(size=10.0)
    taken: list[Segment] = []
    for at, row in enumerate(rows):
        foot = 112.0 + 14 * at
        for x, cell in zip(xs, row, strict=False):
            ink = foot - 7, foot + (2.2 if set(cell) & set("gyp") else 0)
            taken.append(
                Segment(Word(cell, x + 4, ink[0], x + 4 + 5 * len(cell), ink[1], style, joined=False), len(taken))
            )
    across, down = [(y, xs[0], xs[-1]) for y in ys], [(x, ys[0], ys[-1]) for x in xs]
    assert with_text_rows(DrawnGrid(xs, ys, across, down), taken).rows == len(rows)


def test_a_note_across_the_columns_under_a_table_is_none_of_its_rows() -> None:
    heads = ("Time", "Survival", "Failure", "Failed", "Left")
    rows = [(f"3{at}.0000", f"0.28{at}9", f"0.71{at}1", f"2{at}", f"{9 - at}") for at in range(1, 6)]
    content = [text(x, 717, name, font="F2") for x, name in zip((72, 162, 252, 332, 402), heads, strict=True)]
    content += [
        right(x, 700 - 17 * at, cell)
        for at, row in enumerate(rows) for x, cell in zip((105, 200, 290, 360, 420), row, strict=True)
    ]  # fmt: skip
    content += [
        text(100, 615, "Note:", font="F2"),
        text(162, 615, "The times that are marked were seen in part alone, as all."),
    ]
    assert table(*content).rows == (heads, *rows)


def test_numbered_titles_with_their_pages_are_no_table_though_a_number_stands_close_to_its_title() -> None:
    titles = {
        "Introduction": 1, "Object-oriented design": 2, "Directory structure": 11, "Public interfaces": 13,
        "Coding style": 14, "Error handling": 19, "Memory management": 20, "Threads": 22, "Testing": 23,
        "Additional parameters": 26,
    }  # fmt: skip
    content = [text(72, 720, "Contents", size=14, font="F2")]
    for at, (title, page) in enumerate(titles.items()):
        y = 690 - 22 * at
        content += [text(72, y, str(at + 1), font="F2"), text(86, y, title, font="F2"), right(520, y, str(page))]
    content += [text(72, 470, "Index", font="F2"), right(520, 470, "28")]
    assert not tables(*content)
