"""Tables of business documents: columns of which rows fill one or the other, positions with descriptions of several
lines, heads of which few have two, and sums under the figures they add up."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import row
from support.formats.plugin_reading import of

from sidecar.api import Limits, Source, Table

WIDE, NARROW = 5.56, 2.78  # points: a digit, and a full stop or a comma, of Helvetica at 10


def tables(*content: str) -> list[tuple[tuple[str, ...], ...]]:
    """The rows of the tables of a page of these operators."""
    pdf = Pdf()
    pdf.page("".join(content))
    return [table.rows for table in of(PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits()), Table)]


def ended(x: float, y: float, figure: str) -> str:
    """A figure that ends at a place."""
    return text(x - sum(NARROW if char in ".," else WIDE for char in figure), y, figure)


def account(y: float, day: str, what: str, out: str, paid: str) -> str:
    """A line of a bank's statement."""
    figures = [ended(x, y, figure) for x, figure in ((420, out), (500, paid)) if figure]
    return "".join([text(72, y, day), text(130, y, what), *figures])


def test_columns_of_which_no_row_fills_both_stay_two() -> None:
    heads = "".join(text(x, 700, h, font="F2") for x, h in ((72, "Date"), (130, "Details"), (393, "Out"), (481, "In")))
    rows = [("04.03.", "Northern Water", "31.20", ""), ("05.03.", "Salary for March", "", "1988.40")]
    rows += [("08.03.", "Rent of the yard", "795.00", ""), ("12.03.", "Money back", "", "75.00")]
    rows += [("15.03.", "Cash at the station", "60.00", "")]
    lines = [account(684 - 16 * at, *row) for at, row in enumerate(rows)]
    assert tables(heads, *lines) == [(("Date", "Details", "Out", "In"), *rows)]


def position(y: float, number: str, name: str, amount: str, price: str, total: str) -> str:
    """A line of an invoice's positions."""
    figures = [ended(x, y, figure) for x, figure in ((370, amount), (430, price), (500, total)) if figure]
    return "".join([text(76, y, number) if number else "", text(110, y, name), *figures])


def test_records_between_vertical_rules_begin_where_their_figures_do() -> None:
    xs, ys = (72, 106, 340, 376, 436, 504), (714, 696, 620)
    content = [rule(xs[0], y, xs[-1], y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in xs]
    content += [text(x + 3, 701, head) for x, head in zip(xs, ("No", "Article", "Qty", "Price", "Sum"), strict=False)]
    content += [position(684, "1", "Ball valve", "6", "11.40", "68.40"), position(673, "", "nickel-plated", "", "", "")]
    content += [position(660, "2", "Tee fitting", "12", "3.15", "37.80")]
    content += [position(647, "3", "Freight", "", "9.00", "9.00"), position(636, "", "by road", "", "", "")]
    assert tables(*content) == [
        (
            ("No", "Article", "Qty", "Price", "Sum"),
            ("1", "Ball valve nickel-plated", "6", "11.40", "68.40"),
            ("2", "Tee fitting", "12", "3.15", "37.80"),
            ("3", "Freight by road", "", "9.00", "9.00"),
        )
    ]


GRID = (
    ("1", "Ball valve", "6", "11.40", "68.40"),
    ("2", "Tee fitting", "12", "3.15", "37.80"),
    ("3", "Freight", "1", "9.00", "9.00"),
    ("4", "Pallet", "2", "7.50", "15.00"),
)


def ruled(*below: str) -> list[tuple[tuple[str, ...], ...]]:
    """A table with all its rules, and what stands under it."""
    xs, ys = (72, 106, 340, 376, 436, 504), (714, 698, 682, 666, 650)
    content = [rule(xs[0], y, xs[-1], y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in xs]
    content += [position(702 - 16 * at, *row) for at, row in enumerate(GRID)]
    return tables(*content, *below)


def test_sums_under_the_rules_of_a_table_are_its_rows() -> None:
    below = text(379, 636, "Net"), ended(500, 636, "130.20"), text(379, 620, "Due"), ended(500, 620, "154.94")
    assert ruled(*below) == [(*GRID, ("", "", "", "Net", "130.20"), ("", "", "", "Due", "154.94"))]


def test_sums_of_figures_with_a_unit_behind_are_rows_of_their_table() -> None:
    shares = [(*row[:4], f"{row[4]} %") for row in GRID]
    xs, ys = (72, 106, 340, 376, 436, 504), (714, 698, 682, 666, 650)
    content = [rule(xs[0], y, xs[-1], y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in xs]
    content += [position(702 - 16 * at, *row) for at, row in enumerate(shares)]
    content += [text(379, 636, "Net"), ended(500, 636, "130.20 %"), text(379, 620, "Due"), ended(500, 620, "154.94 %")]
    assert tables(*content) == [(*shares, ("", "", "", "Net", "130.20 %"), ("", "", "", "Due", "154.94 %"))]


def test_a_line_under_a_table_whose_figure_ends_elsewhere_is_no_sum() -> None:
    assert ruled(text(76, 636, "Printed on the third of May, page"), ended(480, 636, "2")) == [GRID]


def test_labels_of_sums_that_reach_over_two_columns_hide_none() -> None:
    heads = ((76, "No"), (110, "Article"), (350, "Qty"), (406, "Price"), (476, "Total"))
    content = [text(x, 700, head, font="F2") for x, head in heads]
    content += [position(686 - 14 * at, *row) for at, row in enumerate(GRID)]
    content += [text(351, 630, "Total to be paid"), ended(500, 630, "130.20")]
    (found,) = tables(*content)
    assert found[:5] == (("No", "Article", "Qty", "Price", "Total"), *GRID)
    assert [cell for cell in found[5] if cell] == ["Total to be paid", "130.20"]
    assert found[5][-1] == "130.20"


def test_the_first_line_of_a_single_head_belongs_to_the_head() -> None:
    heads = ((76, "No"), (110, "Article"), (350, "Qty"), (406, "price"), (476, "Total"))
    content = [text(406, 711, "Net", font="F2"), *(text(x, 700, head, font="F2") for x, head in heads)]
    content += [position(686 - 14 * at, *row) for at, row in enumerate(GRID)]
    assert tables(*content) == [(("No", "Article", "Qty", "Net price", "Total"), *GRID)]


def account_of_year(top: float, title: str, rows: tuple[tuple[str, str], ...]) -> str:
    """A title over its rule, and rows each of which has a border in two pieces below."""
    content = [text(72, top, title, font="F2", size=14), rule(72, top - 8, 504, top - 8)]
    for at, (label, amount) in enumerate(rows):
        y = top - 30 - 24 * at
        content += [
            text(72, y, label),
            ended(504, y, amount),
            rule(72, y - 8, 400, y - 8),
            rule(400, y - 8, 504, y - 8),
        ]
    return "".join(content)


def test_the_first_row_over_borders_in_pieces_and_the_title_of_the_next_table() -> None:
    earned = (("Invoice to the institute", "5085.00"), ("Insurance", "512.40"), ("Hosting", "1274.55"))
    earned = (*earned, ("Profit", "3298.05"))
    owned = (("Account at the bank", "6218.30"), ("Open invoices", "1795.00"), ("Debts", "212.40"))
    content = account_of_year(720, "Profit and loss", earned), account_of_year(584, "What there is", owned)
    assert tables(*content) == [earned, owned]


def test_a_value_and_its_error_are_one_cell() -> None:
    rows = (("Li-6", "-0.26", "0.62"), ("He-3", "-1.48 +/- 0.02", "5.93"), ("Gd-155", "-0.08 +/- 0.01", "1.30"))
    rows = (*rows, ("Lu-176", "-0.57 +/- 0.02", "4.45"), ("Eu-151", "-2.46", "2.10"))
    content = [text(x, 700, head, font="F2") for x, head in ((72, "Nuclide"), (170, "Length"), (320, "Width"))]
    for at, (name, length, width) in enumerate(rows):
        value, sign, error = length.partition(" +/- ")
        y = 684 - 16 * at
        content += [text(72, y, name), text(170, y, value), text(320, y, width)]
        content += [text(220, y, f"{sign.strip()} {error}")] if sign else []
    assert tables(*content) == [(("Nuclide", "Length", "Width"), *rows)]


def test_sums_under_a_rule_whose_labels_and_figures_stand_between_columns_hide_none_of_the_positions_over_them() -> (
    None
):
    positions, sums = tables(
        *(rule(72, y, 520, y) for y in (714, 696, 640, 570)),
        row(700, {76: "Pos", 100: "Number", 180: "Article", 300: "Count", 350: "Price", 430: "Amount", 490: "Tax"}),
        row(684, {76: "1", 100: "TB100A4", 180: "Dividing sheets", 300: "20", 350: "9,90", 430: "198,00", 490: "19"}),
        row(652, {76: "2", 100: "ARNR2", 180: "Yoghurt", 300: "50", 350: "5,50", 430: "275,00", 490: "7"}),
        row(628, {110: "Sum of all articles (net)", 430: "473,00"}),
        row(614, {110: "Sales tax of 7%", 390: "275,00", 435: "19,25"}),
        row(600, {110: "Sales tax of 19%", 390: "198,00", 435: "37,62"}),
        row(580, {110: "Sum of all articles (gross)", 430: "529,87"}),
    )
    assert positions[1] == ("1", "TB100A4", "Dividing sheets", "20", "9,90", "198,00", "19")
    assert sums[1] == ("Sales tax of 7%", "275,00", "19,25")
