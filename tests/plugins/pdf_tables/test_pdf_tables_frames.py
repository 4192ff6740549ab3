"""Tables of PDFs beside what else is drawn or filled: stripes under filled heads, rules of other tables, frames around
the page; and cells of several lines between rules."""

from __future__ import annotations

from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.text.segments import sized
from support.formats.pdf_builder import Pdf, grid, lines, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Heading, ParsedDocument, Table

XS = (76.0, 146.0, 286.0, 356.0)
HEADS = ("Date", "Item", "Debit", "Credit")


def document(*content: str) -> ParsedDocument:
    """The reading of a page of these operators."""
    pdf = Pdf()
    pdf.page("".join(content))
    return read_pdf(pdf)


def read(*content: str) -> list[Table]:
    """The tables of such a page."""
    return of(document(*content), Table)


def tables(*content: str) -> list[tuple[tuple[str, ...], ...]]:
    """The rows of each."""
    return [found.rows for found in read(*content)]


def row(y: float, cells: tuple[str, ...], xs: tuple[float, ...] = XS) -> str:
    return "".join(text(x, y, cell) for x, cell in zip(xs, cells, strict=True) if cell)


def filled(top: float, height: float, grey: float = 0.85) -> str:
    """A filled row across the table."""
    return f"{grey} g 72 {top - height} 360 {height} re f 0 g\n"


def entries(count: int) -> list[tuple[str, ...]]:
    return [(f"2004-09-{at + 1:02}", f"Lunch with {at + 2} clients", f"{at + 10}0", "-") for at in range(count)]


def striped(top: float, count: int) -> str:
    """A filled head, the first row and every other one below filled right under it."""
    content = [filled(top, 16, 0.7), row(top - 12, HEADS)]
    for at, cells in enumerate(entries(count)):
        y = top - 16 - 14 * at
        content += [filled(y, 14)] if at % 2 == 0 else []
        content += [row(y - 11, cells)]
    return "".join(content)


def test_filled_heads_that_touch_the_first_filled_row_are_a_row_of_their_own() -> None:
    assert tables(striped(600, 8)) == [(HEADS, *entries(8))]


def test_rules_of_a_narrow_table_do_not_go_on_in_a_wider_one_below() -> None:
    above = ("Product", "Profit"), ("Sprockets", "26"), ("Widgets", "34"), ("Total", "277")
    content = [rule(140, y, 330, y) for y in (720, 704, 660, 640)]
    content += [row(y, cells, (150, 290)) for y, cells in zip((708, 690, 668, 645), above, strict=True)]
    content += [rule(40, 780, 560, 780), rule(40, 440, 560, 440), rule(40, 440, 40, 780), rule(560, 440, 560, 780)]
    content += [rule(71, 600, 433, 600), rule(71, 584, 433, 584), rule(72, 472, 72, 600), rule(432, 472, 432, 600)]
    assert tables(*content, striped(600, 8)) == [above, (HEADS, *entries(8))]


def test_a_frame_that_a_table_touches_has_no_columns_of_it() -> None:
    content = [rule(40, 780, 560, 780), rule(40, 486, 560, 486), rule(40, 486, 40, 780), rule(560, 486, 560, 780)]
    content += [text(48, 740 - 14 * at, "What was paid for in the month is told below, day by day.") for at in range(4)]
    content += [rule(70, 488, 434, 488), rule(72, 488, 72, 600), rule(432, 488, 432, 600)]
    content += [rule(71, 600, 433, 600), rule(71, 584, 433, 584), row(588, HEADS)]
    content += [row(573 - 14 * at, cells) for at, cells in enumerate(entries(6))]
    assert tables(*content) == [(HEADS, *entries(6))]


def test_white_space_parts_no_columns_where_rules_part_rows() -> None:
    ys = [700.0 - 14 * at for at in range(7)]
    names = [(f"cmsTag{at}", "0x6E636f6C ncol", f"cmsType{at}") for at in range(6)]
    content = [grid([72, 232, 372, 532], [*ys, 590])]
    for top, cells in zip(ys, names, strict=False):
        content += [row(top - 10, (cells[0], "0x6E636f6C", "ncol", cells[2]), (76, 236, 300, 376))]
    content += [row(606, ("cmsTag6", "0x6E636f6C", "ncol", "cmsType6 of"), (76, 236, 300, 376)), text(376, 594, "9")]
    assert tables(*content) == [(*names, ("cmsTag6", "0x6E636f6C ncol", "cmsType6 of 9"))]


def test_running_text_in_all_cells_of_a_ruled_row_is_one_row() -> None:
    lines = (
        ("-g <guid>", "OpenSM binds to the port with the guid", "To choose a port without being asked,"),
        ("--guid <guid>", "that was given. If it was not, those of", "which may be done in a script as well, or"),
        ("", "all ports are listed.", "when the system begins."),
    )
    content = [grid([72, 152, 332, 532], [700, 682, 640, 622])]
    content += [row(687, ("Option", "Effect", "When to use"), (76, 156, 336))]
    content += [row(672 - 12 * at, cells, (76, 156, 336)) for at, cells in enumerate(lines)]
    content += [row(627, ("-V", "Says all.", "To find errors."), (76, 156, 336))]
    (found,) = tables(*content)
    assert found[1] == tuple(" ".join(filter(None, cells)) for cells in zip(*lines, strict=True))
    assert len(found) == 3


def test_a_figure_and_its_unit_close_behind_are_one_column() -> None:
    units = ("mHz", "GHz", "THz", "mrad", "MHz", "mV")
    content = [rule(72, y, 372, y) for y in (700, 684, 596)]
    content += [row(689, ("Unit", "Upright", "Bold"), (76, 176, 276))]
    for at, unit in enumerate(units):
        content += [row(672 - 14 * at, (unit, "1.0", unit, "2.5", unit), (76, 176, 191.8, 276, 291.8))]
    heads = ("Unit", "Upright", "Bold")
    assert tables(*content) == [(heads, *((unit, f"1.0 {unit}", f"2.5 {unit}") for unit in units))]


def test_a_paragraph_in_a_cell_under_heads_between_rules_is_a_cell() -> None:
    line = "is used for journals whose papers go over several columns of"
    content = [rule(72, y, 472, y) for y in (700, 684, 520)]
    content += [row(689, ("Value", "Meaning"), (76, 156))]
    keys = ("small", "large", "plain", "cover")
    for at, key in enumerate(keys):
        content += [row(672 - 12 * (at + (7 if at else 0)), (key, f"The {key} form"), (76, 156))]
    content += [text(156, 660 - 12 * at, line) for at in range(6)]
    content += [text(156, 588, "text.")]
    expected = f"The small form {' '.join([line] * 6)} text."
    (found,) = tables(*content)
    assert found[:3] == (("Value", "Meaning"), ("small", expected), ("large", "The large form"))


def test_boxes_as_low_as_small_letters_tell_no_other_size_of_type() -> None:
    style = Style("LinLibertineT", 10.0, False, False, False, False, False, 0)
    for letters, width in ((2, 8.8), (6, 23.9), (1, 3.8)):
        assert sized(style, 4.7, width, letters=letters) == style
    assert sized(style, 4.7, 9.0, letters=4).size < 5  # in a form that scales it


def test_bullets_far_before_their_text_leave_no_flaw() -> None:
    ys = [700.0 - 30 * at for at in range(5)]
    content = [grid([72, 152, 352, 452], ys), row(688, ("Part", "What was done", "Signed"), (76, 156, 356))]
    for top, part in zip(ys[1:], ("Pump", "Valve", "Hose"), strict=False):
        content += [text(76, top - 12, part), text(356, top - 12, "Ada Long")]
        for at, done in enumerate((f"{part} taken apart", "cleaned")):
            y = top - 12 - 12 * at
            content += [f"BT /F1 10 Tf 156 {y} Td (\\267) Tj ET\n", text(174, y, done)]
    (found,) = read(*content)
    assert found.rows[1] == ("Pump", "• Pump taken apart • cleaned", "Ada Long")
    assert found.confidence >= UNCERTAIN_TABLE


def test_sizes_of_paper_and_figures_with_units_are_no_joined_columns() -> None:
    content = [rule(72, y, 372, y) for y in (700, 684, 624)]
    content += [row(689, ("Size", "in inches", "Weight"), (76, 176, 276))]
    sizes = ("8.5 x 11", "8.5 x 14", "8x5", "11 x 17")
    for at, (name, size) in enumerate(zip(("Letter", "Legal", "Ledger", "Tabloid"), sizes, strict=True)):
        content += [
            text(76, 672 - 14 * at, name),
            text(176, 672 - 14 * at, size),
            text(276, 672 - 14 * at, f"{at}.5 mmol"),
        ]
    (found,) = read(*content)
    assert found.rows[1][0] == "Letter"
    assert found.confidence >= UNCERTAIN_TABLE


def test_dates_with_their_times_under_heads_of_two_words_are_no_two_columns() -> None:
    ys = [700.0 - 18 * at for at in range(6)]
    content = [grid([72, 172, 302], ys), row(686, ("Item", "Arrived on"), (76, 176))]
    content += [row(668 - 18 * at, (f"Bolt {at}", f"2024-03-0{at + 1} 1{at}:30"), (76, 176)) for at in range(4)]
    (found,) = read(*content)
    assert found.rows[1] == ("Bolt 0", "2024-03-01 10:30")
    assert found.confidence >= UNCERTAIN_TABLE


def test_names_of_programs_begin_rows_of_ruled_columns_and_take_one_line() -> None:
    content = [grid([72, 172, 402], [700, 682, 628])]
    content += [row(687, ("Function", "Description"), (76, 176))]
    described = ("shows the estimates", "gives standard errors, tests of the", "coefficients", "gives the covariances")
    for at, (name, words) in enumerate(zip(("print()", "summary()", "", "vcov()"), described, strict=True)):
        y = 671 - 12 * at
        content += [f"BT /F3 10 Tf 76 {y} Td ({name.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj ET\n"]
        content += [text(176, y, words)]
    (found,) = tables(*content)
    assert [cells[0] for cells in found] == ["Function", "print()", "summary()", "vcov()"]
    assert found[2][1] == "gives standard errors, tests of the coefficients"


SECTIONS = ("1.1 Purpose of the pump", "1.2 Places where it stands", "1.3 Care in the first year")
WORDS = [
    "The pump lifts water from the lower basin to the upper one whenever",
    "the float in the upper basin has sunk below its mark, day and night,",
    "and stops again by itself as soon as the float has risen to the mark.",
]


def framed(foot: float, body: list[str]) -> str:
    """A frame as large as the page: three cells at its head, three at its foot, between them the body."""
    content = [rule(60, y, 560, y) for y in (760, 730, 700, foot + 20, foot)]
    content += [rule(x, foot, x, 760) for x in (60, 560)]
    content += [rule(x, 700, x, 760) for x in (200, 420)] + [rule(x, foot, x, foot + 20) for x in (180, 300)]
    content += [row(742, ("Works North", "24-01-001", "Page 1 of 1"), (66, 206, 426))]
    content += [row(712, ("Project Pump", "List of properties", "Set up by A. Long"), (66, 206, 426))]
    content += [row(foot + 6, ("Controlled", "Copy 3", "Version 1.00"), (66, 186, 306))]
    return "".join([*content, *body])


def test_a_form_in_a_frame_as_large_as_its_page_is_no_table_but_its_head_and_foot_are() -> None:
    body: list[str] = []
    for at, title in enumerate(SECTIONS):
        y = 660 - 150 * at
        body += [text(66, y, title, size=12, font="F2"), lines(66, y - 20, WORDS), lines(66, y - 70, WORDS)]
    found = document(framed(60, body))
    assert [table.rows for table in of(found, Table)] == [
        (("Works North", "24-01-001", "Page 1 of 1"), ("Project Pump", "List of properties", "Set up by A. Long")),
        (("Controlled", "Copy 3", "Version 1.00"),),
    ]
    titles = [f"{heading.number} {heading.text}" for heading in of(found, Heading)]
    assert titles == list(SECTIONS)


def test_a_table_in_the_body_of_such_a_form_is_read() -> None:
    body = [text(66, 660, SECTIONS[0], size=12, font="F2"), lines(66, 640, WORDS), lines(66, 600, WORDS)]
    body += [grid([100, 250, 350, 450], [500, 480, 460, 440])]
    body += [row(486 - 20 * at, (f"Part {at}", f"{at}4", f"{at}.50"), (106, 256, 356)) for at in range(3)]
    body += [text(66, 380, SECTIONS[1], size=12, font="F2"), lines(66, 360, WORDS)]
    found = document(framed(60, body))
    assert [len(table.rows) for table in of(found, Table)] == [2, 3, 1]
    assert len(of(found, Heading)) == 2


def test_a_tall_table_with_a_note_across_it_stays_one() -> None:
    ys = [760.0 - 22 * at for at in range(31)]
    note = ys[10], ys[13]  # three rows as one across
    content = [rule(60, y, 560, y) for y in ys if not note[1] < y < note[0]]
    content += [rule(x, ys[-1], x, 760) for x in (60, 560)]
    content += [rule(x, top, x, bottom) for x in (200, 420) for top, bottom in ((760, note[0]), (note[1], ys[-1]))]
    content += [lines(66, note[0] - 16, WORDS)]
    named = [at for at in range(30) if at not in (10, 11, 12)]
    content += [row(ys[at] - 15, (f"Pump of hall {at}", f"{at}7 litres", f"{at}.50"), (66, 206, 426)) for at in named]
    (found,) = tables(*content)
    assert len(found) == 28


def sectioned(*sections: tuple[tuple[float, ...], list[tuple[str, ...]]], size: float = 12, font: str = "F2") -> str:
    """A frame as large as the page: in it titles across, bold as a rule, each over rows with columns of their own."""
    content: list[str] = []
    y = 760.0
    for at, (xs, rows) in enumerate(sections):
        content += [text(66, y - 16, f"Part {'ABCD'[at]} of the request", size=size, font=font), rule(60, y, 560, y)]
        y -= 24
        for cells in rows:
            content += [rule(60, y, 560, y), row(y - 25, cells, tuple(x + 6 for x in xs[:-1]))]
            content += [rule(x, y - 40, x, y) for x in xs[1:-1]]
            y -= 40
    content += [rule(60, y, 560, y), *(rule(x, y, x, 760) for x in (60, 560))]
    return "".join(content)


NAMED = [("Surname", "Long"), ("First name", "Ada"), ("Town", "Leeds"), ("Street", "Mill Lane"), ("House", "12 b")]
ORDERED = [("Article", "Colour", "Count", "Price"), *((f"Bolt {at}", "grey", f"{at}2", f"{at}.50") for at in range(4))]


def test_bold_titles_across_a_frame_over_rows_with_columns_of_their_own_part_a_form() -> None:
    found = document(sectioned(((60, 200, 560), NAMED), ((60, 240, 330, 440, 560), ORDERED)))
    assert [table.rows for table in of(found, Table)] == [tuple(NAMED), tuple(ORDERED)]
    assert [heading.text for heading in of(found, Heading)] == ["Part A of the request", "Part B of the request"]


def test_such_titles_over_rows_with_the_same_columns_are_rows_of_one_table() -> None:
    columns = (60.0, 240.0, 330.0, 440.0, 560.0)
    (found,) = tables(sectioned((columns, ORDERED), (columns, ORDERED)))
    assert len(found) == 12


def test_plain_lines_across_on_a_ground_are_rows_of_one_table_whatever_its_columns() -> None:
    sections = ((60.0, 200.0, 560.0), NAMED), ((60.0, 240.0, 330.0, 440.0, 560.0), ORDERED)
    ground = "0.85 g 60 736 500 24 re f 60 512 500 24 re f 0 g\n"
    (found,) = tables(ground, sectioned(*sections, size=10, font="F1"))
    assert len(found) == 12


def test_labels_beside_fields_that_are_drawn_are_no_table() -> None:
    content, fields = list[str](), (("First name:", "Faye"), ("Last name:", "Valentine"), ("Street:", "223B Baker"))
    for at, (label, value) in enumerate(fields):
        top = 700 - 33 * at
        content.append(f"q 0.9 g 165 {top - 20} 156 20 re f Q " + grid([165, 321], [top, top - 20]))
        content += [text(72, top - 14, label), text(175, top - 14, value)]
    assert not tables(*content)


def _coded(codes: list[str]) -> str:
    """Codes and what they stand for, which is short before what begins with a small letter."""
    names = ("avhrr band 1 (0.5500-0.6500)", "MAS band", "hrv band 2 (0.6000-0.7000)", "MODIS")
    return lines(116, 700, codes, lead=22) + lines(159, 700, [names[at % 4] for at in range(len(codes))], lead=22)


def test_codes_before_short_lines_are_no_numbers_of_lines_though_some_begin_with_small_letters() -> None:
    codes = [str(34 + at) for at in range(24)]
    shown = str(document(_coded(codes)).parts[0].blocks)
    assert [code for code in codes if code in shown] == codes


def test_bars_at_both_sides_of_a_page_make_no_table_of_its_text() -> None:
    bars = "q 0.8 g 0.3 w 92 50 7.5 690 re f 467 50 7.5 690 re f 99.5 50 367.5 690 re S 92 50 382.5 690 re S Q\n"
    read = document(bars, text(450, 716, "Contents"), _coded([str(9 + 7 * at) for at in range(28)]))
    assert not of(read, Table)


def test_clauses_in_two_languages_in_padded_cells_are_a_row_each() -> None:
    one = [
        "1. The lease",
        "The landlord lets to the tenant the shop on the",
        "main floors of that building in the oldest streets",
        "here at once.",
    ]
    other = [
        "1. Der Vertrag",
        "Der Vermieter gibt dem Mieter den Laden auf",
        "dem Boden des alten Hauses in dieser Gasse am",
        "Berg heute.",
    ]
    content = grid([72, 312, 552], [700, 640, 580, 520])
    for at in range(3):
        top = 686 - 60 * at
        content += lines(83, top, one) + lines(323, top, other)
    pdf = Pdf()
    pdf.page(content)
    (found,) = of(read_pdf(pdf), Table)
    assert [list(cells) for cells in found.rows] == [[" ".join(one), " ".join(other)]] * 3
