"""Tables found in sheets and documents: where they lie, how their columns are called and typed, what stands apart."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sidecar.api import Cell, Code, Heading, Merge, Note, Paragraph, ParsedDocument, Part, Span, Table
from sidecar.toolkit.tables.finding import find_relations
from sidecar.toolkit.tables.rows import Relation, read_relation


def document(*rows: str, delimiter: str = "", **table: Any) -> ParsedDocument:
    """A sheet of these rows, cells parted by `|`; a delimited list where `delimiter` is given."""
    block = Table(rows=tuple(tuple(row.split("|")) if row else () for row in rows), **table)
    part = Part(kind="sheet", name="Data", blocks=(block,))
    return ParsedDocument(parts=(part,), metadata={"delimiter": delimiter} if delimiter else {})


def chapter(*rows: str, **table: Any) -> ParsedDocument:
    """A text with a table of these rows."""
    blocks = document(*rows, **table).parts[0].blocks
    return ParsedDocument(parts=(Part(kind="chapter", blocks=blocks),))


def relations(parsed: ParsedDocument) -> list[Relation]:
    found = find_relations(parsed)
    blocks = {number: list(enumerate(part.blocks, 1)) for number, part in enumerate(parsed.parts, 1)}
    return [read_relation(one, blocks) for one in found]


def only(parsed: ParsedDocument) -> Relation:
    found = relations(parsed)
    assert len(found) == 1
    return found[0]


def values(*texts: str, title: str = "x", delimiter: str = "|") -> tuple[str, list[Any], str]:
    """Type, values and remark of a column of these texts, in a delimited list."""
    relation = only(document(f"name|{title}", *(f"n{at}|{text}" for at, text in enumerate(texts)), delimiter=delimiter))
    column = relation.columns[1]
    return column.type, [row[2] for row in relation.rows], column.remark


PSQL = " name  | qty\n-------+-----\n apple |  10\n pear  |  20\n(2 rows)"
MYSQL = (
    "> SELECT *\n+-------+-----+\n| name  | qty |\n+-------+-----+\n| apple | 10  |\n| pear  | 20  |\n+-------+-----+"
)
PIPES = "| name | qty |\n|:-----|----:|\n| apple | 10 |\n| pear | 20 |"


@pytest.mark.parametrize("text", [PSQL, MYSQL, PIPES], ids=("psql", "mysql", "pipes"))
def test_what_a_database_client_prints_into_a_listing_is_a_table(text: str) -> None:
    parsed = ParsedDocument(parts=(Part(kind="chapter", blocks=(Paragraph(text="So:"), Code(text=text))),))
    relation = only(parsed)
    assert [(one.name, one.type) for one in relation.columns] == [("name", "text"), ("qty", "number")]
    assert relation.rows == [(2, "apple", 10), (3, "pear", 20)]
    assert find_relations(parsed)[0].first_block == 2


@pytest.mark.parametrize(
    "text",
    [
        f"{PSQL}\n\n{PSQL}", "+---+  +---+\n| A |->| B |\n+---+  +---+\n| C |  | D |",
        " a | b\n---+---\n 1 | 2 | 3", " a | b\n---+---\n x+| 2\n y | ",
        " a | b\n" + "-" * 100_000 + "+x\n 1 | 2",
    ],
    ids=("several", "boxes", "uneven", "lines broken", "long"),
)  # fmt: skip
def test_other_listings_are_no_tables(text: str) -> None:
    assert find_relations(ParsedDocument(parts=(Part(kind="chapter", blocks=(Code(text=text),)),))) == ()


def test_tables_below_one_another_in_a_delimited_list_are_tables_each() -> None:
    first, second = ("Machine|Hours", "M1|5", "M2|7"), ("Node|Zone|Load", "N1|X|3", "N2|Y|")
    for between in (("",), ("", "Nodes of the cluster"), ("", "", "")):
        found = relations(document(*first, *between, *second, delimiter="|", header_rows=1))
        assert [[one.name for one in relation.columns] for relation in found] == [
            ["machine", "hours"],
            ["node", "zone", "load"],
        ]
        assert [row[1:] for row in found[0].rows] == [("M1", 5), ("M2", 7)]
        assert [row[1:] for row in found[1].rows] == [("N1", "X", 3), ("N2", "Y", None)]


@pytest.mark.parametrize(
    "rows",
    [
        ("Report|May", "Client|Ann", "", "Day|Sum", "2024-05-01|5", "2024-05-02|6"),
        ("Day|Sum", "2024-05-01|5", "", "2024-05-02|6", "2024-05-03|7"),
        ("Day|Sum", "2024-05-01|5", "", "Day|Sum", "2024-05-02|6"),
        ("Who|Town", "Ann|Bonn", "", "Bo|Graz", "Cy|Rome"),
    ],
)
def test_lines_behind_an_empty_one_are_mostly_of_the_same_table(rows: tuple[str, ...]) -> None:
    only(document(*rows, delimiter="|", header_rows=1))


def test_a_table_goes_on_below_an_empty_row_though_a_code_there_looks_like_a_number() -> None:
    above = ("Store|Code|Stock", "A|0081|5", "A|7-63|6", "A|046/1|7")
    assert len(only(document(*above, "", "B|64E4|8", "B|065/1|9")).rows) == 5


def test_several_rows_that_leave_a_column_empty_and_add_up_are_totals_whatever_they_are_called() -> None:
    rows = ("Ann|R1|10", "Ann|R2|20", "Su mme Ann||30", "Bo|R3|5", "Bo|R4|7", "Su mme Bo||12", "Cy|R5|9", "Cy||1")
    relation = only(document("Who|No|Sum", *rows))
    assert [row[2:] for row in relation.rows] == [("R1", 10), ("R2", 20), ("R3", 5), ("R4", 7), ("R5", 9), (None, 1)]
    assert len(only(document("Who|No|Sum", *rows[:3], *rows[3:5])).rows) == 5


def test_an_average_below_small_groups_and_their_totals_is_no_row() -> None:
    rows = ("X1|10", "X2|20", "Subtotal|30", "Y1|30", "Y2|41", "Subtotal|71", "Average|25.25", "Grand total|101")
    relation = only(document("Item|Value", *rows))
    assert [row[1] for row in relation.rows] == ["X1", "X2", "Y1", "Y2"]


NUMBERS = [
    (("1.234,50", "987,00"), "number", [1234.5, 987.0]),
    (("1,234.50", "987.00"), "number", [1234.5, 987.0]),
    (("1 234,50", "987,00"), "number", [1234.5, 987.0]),
    (("1\u202f234\u202f567", "12"), "number", [1234567, 12]),
    (("1'234.50", "3.25"), "number", [1234.5, 3.25]),
    (("1.234.567", "1.000"), "number", [1234567, 1000]),
    (("1,234", "987"), "number", [1234, 987]),
    (("1.234", "987"), "number", [1234, 987]),
    (("0,125", "1,500"), "number", [0.125, 1.5]),
    (("(1,250.00)", "-3.5", "−2", "4-"), "number", [-1250.0, -3.5, -2, -4]),
    (("1.5e3", "2E-2"), "number", [1500.0, 0.02]),
    (("12,5 %", "7 %"), "percent", [0.125, 0.07]),
    (("$1,200.50", "$3"), "money", [1200.5, 3]),
    (("12,785円", "500万円", "1.5億円"), "money", [12785, 5_000_000, 150_000_000]),
    (("90.6만원", "₩1,200,000"), "money", [906_000, 1_200_000]),
    (("5 元", "12元"), "money", [5, 12]),
    (("5円形", "6円形"), "number", [5, 6]),
    (("1.200,50 €", "-3,00 €"), "money", [1200.5, -3.0]),
    (("CHF 12.50", "CHF 1"), "money", [12.5, 1]),
    (("$800K", "$1.2M", "$2bn"), "money", [800_000, 1_200_000, 2_000_000_000]),
    (("1,2 Mio. €", "350 Tsd. €", "3 k€"), "money", [1_200_000, 350_000, 3000]),
    (("1,5 Mrd.", "250 Mio."), "number", [1_500_000_000, 250_000_000]),
    (("5 m", "7 m"), "number", [5, 7]),
    (("5 mm", "7 mm"), "number", [5, 7]),
    (("21.5 °C", "-3 °C"), "number", [21.5, -3]),
    (("5", "n/a", "–", "7"), "number", [5, None, None, 7]),
    (("5", ":", "7", ":"), "number", [5, None, 7, None]),
    (("5", "‐", "(X)", "*", "7"), "number", [5, None, None, None, 7]),
    (("R$1,200.50", "-R$3"), "money", [1200.5, -3]),
    (("EUR1 200", "-EUR300", "EUR+7"), "money", [1200, -300, 7]),
    (("EURO 5", "EURO 6"), "text", ["EURO 5", "EURO 6"]),
    (("(1.200,50) €", "3,00- €", "4,00 €", "95,- €"), "money", [-1200.5, -3, 4, 95]),
    (("(2.5) %", "3.5 %", "4.5- %"), "percent", [-0.025, 0.035, -0.045]),
    (("1.040,94+", "300,00-"), "number", [1040.94, -300]),
    (("35+", "40+", "7+"), "text", ["35+", "40+", "7+"]),
    (("8.4×10^2", "1.5 x 10^-3", "2·10⁻¹"), "number", [840, 0.0015, 0.2]),
    (("84.2 ± 0.3 mg/L", "3.1 ± 0.2 mg/L", "7 mg/L (± 1)"), "number", [84.2, 3.1, 7]),
    (("7:30", "10:09:30"), "text", ["7:30", "10:09:30"]),
    (("3½", "¼", "2", "1 ¾"), "number", [3.5, 0.25, 2, 1.75]),
    (("1/2", "3 3/4", "2", "1 1/8"), "number", [0.5, 3.75, 2, 1.125]),
    (('5/16"', '1 1/4"'), "number", [0.3125, 1.25]),
    (("3/5", "4/5", "2/5"), "text", ["3/5", "4/5", "2/5"]),
    (("33/4", "1/2"), "text", ["33/4", "1/2"]),
    (("1.2M", "850K", "12"), "number", [1_200_000, 850_000, 12]),
    (("30k", "42.5k"), "number", [30, 42.5]),
]


@pytest.mark.parametrize(("texts", "kind", "expected"), NUMBERS, ids=lambda value: str(value)[:40])
def test_numbers_as_people_write_them(texts: tuple[str, ...], kind: str, expected: list[Any]) -> None:
    assert values(*texts)[:2] == (kind, expected)


DATES = [
    (("31.12.2024", "1.2.2024"), "date", ["2024-12-31", "2024-02-01"]),
    (("31/12/2024", "01/02/2024"), "date", ["2024-12-31", "2024-02-01"]),
    (("12/31/2024", "01/02/2024"), "date", ["2024-12-31", "2024-01-02"]),
    (("2024-12-31", "2024-02-01"), "date", ["2024-12-31", "2024-02-01"]),
    (("31. Dezember 2024", "1. März 2024"), "date", ["2024-12-31", "2024-03-01"]),
    (("31 décembre 2024", "1er août 2024"), "date", ["2024-12-31", "2024-08-01"]),
    (("Dec 31, 2024", "March 1, 2024"), "date", ["2024-12-31", "2024-03-01"]),
    (("31-Dec-24", "1-Mar-99"), "date", ["2024-12-31", "1999-03-01"]),
    (("31.12.2024 13:45", "1.2.2024 08:00:30"), "datetime", ["2024-12-31 13:45:00", "2024-02-01 08:00:30"]),
    (("31.12.2024 13:45", "1.2.2024"), "datetime", ["2024-12-31 13:45:00", "2024-02-01 00:00:00"]),
    (("2024年12月31日", "2024년 2월 1일"), "date", ["2024-12-31", "2024-02-01"]),
    (("8 de noviembre de 2022", "12 de marzo de 2024"), "date", ["2022-11-08", "2024-03-12"]),
    (("8 settembre 2022", "12 marzo 2024"), "date", ["2022-09-08", "2024-03-12"]),
    (("8 de março de 2022", "12 de dezembro de 2024"), "date", ["2022-03-08", "2024-12-12"]),
    (("8 maart 2022", "12 mrt. 2024"), "date", ["2022-03-08", "2024-03-12"]),
    (("enero de 2022", "mayo de 2024"), "date", ["2022-01-01", "2024-05-01"]),
    (("20240131T1030", "20240301T093000Z"), "datetime", ["2024-01-31 10:30:00", "2024-03-01 09:30:00"]),
    (("Mo, 05.02.2024", "Di. 13.02.2024"), "date", ["2024-02-05", "2024-02-13"]),
    (("ab 05.02.2024", "bis 13.02.2024"), "text", ["ab 05.02.2024", "bis 13.02.2024"]),
    (("01.03.2024 10:00 CET", "13.03.2024 11:30 CET"), "datetime", ["2024-03-01 10:00:00", "2024-03-13 11:30:00"]),
    (
        ("2024-03-01 23:30:00Z", "2024-03-02T00:10:00+01:00", "2024-03-01 22:00 EST", "2024-03-05"),
        "datetime",
        ["2024-03-01 23:30:00", "2024-03-01 23:10:00", "2024-03-02 03:00:00", "2024-03-05 00:00:00"],
    ),
    (("2024-03-01T10:00+01:00", "2024-03-02T11:00+01:00"), "datetime", ["2024-03-01 10:00:00", "2024-03-02 11:00:00"]),
    (("12/31/2024 1:05 PM", "01/02/2024 12:00 AM"), "datetime", ["2024-12-31 13:05:00", "2024-01-02 00:00:00"]),
]


@pytest.mark.parametrize(("texts", "kind", "expected"), DATES, ids=lambda value: str(value)[:40])
def test_dates_as_people_write_them(texts: tuple[str, ...], kind: str, expected: list[Any]) -> None:
    assert values(*texts)[:2] == (kind, expected)


SIDES = (
    "CR or DR stands behind some numbers: whether credits or debits are to be subtracted is not said; as_number(x) of "
    "those WHERE x LIKE '%CR' adds up one side"
)
AMBIGUOUS = [
    (("1.234", "5.678"), "ambiguous numbers: '.' may part decimals or thousands, then write replace(x, '.', '')"),
    (("01/02/2024", "03/04/2024"), "ambiguous dates: day or month may come first"),
    (("13/02/2024", "02/13/2024"), "dates of both orders, day first and month first"),
    (("1.234,5", "1,234.5"), "numbers with decimal comma and with decimal point"),
    (("5 €", "5 $"), "mixed units: EUR, USD"),
    (("5 kg", "300 m"), "mixed units: kg, m"),
    (("5 kg", "300 g", "7"), "mixed units: g, kg"),
    (("$5.00 CR", "$7.00"), SIDES),
    (("5.00", "7.00 DR", "8.10 CR"), SIDES),
]


@pytest.mark.parametrize(("texts", "remark"), AMBIGUOUS, ids=lambda value: str(value)[:40])
def test_what_is_ambiguous_stays_text_and_is_said(texts: tuple[str, ...], remark: str) -> None:
    assert values(*texts) == ("text", list(texts), remark)


def test_neighbours_decide_what_a_column_cannot() -> None:
    rows = ["name|a|b|c|d", "x|1.234|5,5|01/02/2024|13/05/2024", "y|5.678|7,25|03/04/2024|14/05/2024"]
    relation = only(document(*rows, delimiter="|"))
    assert relation.rows == [
        (2, "x", 1234, 5.5, "2024-02-01", "2024-05-13"), (3, "y", 5678, 7.25, "2024-04-03", "2024-05-14"),
    ]  # fmt: skip


def test_numbers_that_name_something_stay_text() -> None:
    assert values("00123", "04711")[:2] == ("text", ["00123", "04711"])
    assert values("4111111111111111", "4222222222222222")[0] == "text"
    assert values("yes", "no")[:2] == ("text", ["yes", "no"])
    assert values("WAHR", "FALSCH")[:2] == ("bool", [1, 0])


def test_a_sheet_of_several_tables_with_titles_notes_and_empty_rows() -> None:
    parsed = document(
        "", "|Sales by region", "", "|Region|Q1|Q2||Code|Rate", "|North|1|2||EUR|1.5", "|South|3|4||USD|2.5",
        "|Total|4|6", "", "|provisional figures", "", "|Name|Age", "|Ada|36", "|Alan|41",
    )  # fmt: skip
    found = find_relations(parsed)
    assert [(one.name, one.title, one.first_row, one.last_row, one.columns[0].col) for one in found] == [
        ("sales_by_region", "Sales by region", 4, 6, 1), ("data_2", "", 4, 5, 5),
        ("provisional_figures", "provisional figures", 11, 12, 1),
    ]  # fmt: skip
    first = relations(parsed)[0]
    assert first.rows == [(5, "North", 1, 2), (6, "South", 3, 4)]
    assert [(one.reason, one.count, one.where) for one in first.left_out()] == [("total", 1, "row 7")]


def test_an_empty_row_inside_a_table_and_one_below_its_head_do_not_part_it() -> None:
    parsed = document("Region|Sales|Units", "", "North|1|2", "South|3|4", "East|5|6", "", "West|7|8", "Mid|9|1")
    relation = only(parsed)
    assert [column.name for column in relation.columns] == ["region", "sales", "units"]
    assert [row[0] for row in relation.rows] == [3, 4, 5, 7, 8]


def test_a_head_two_empty_rows_over_its_figures_names_them() -> None:
    relation = only(
        document("Prices of trade", "", "Period|Export|Import", "", "", "1986 Q1|69.8|94.9", "1986 Q2|72.7|97.6")
    )
    assert [column.name for column in relation.columns] == ["period", "export", "import"]
    assert len(relation.rows) == 2


def test_years_over_groups_beside_a_corner_merged_down_are_a_level_of_the_head() -> None:
    merges = (Merge(0, 0, 3, 2), Merge(0, 2, 1, 3), Merge(0, 5, 1, 3), Merge(1, 3, 1, 2), Merge(1, 6, 1, 2))
    rows = (
        "Item||2004|||2005||",
        "||Year|Quarter||Year|Quarter|",
        "|||I|II||I|II",
        "A|Farms|3|1|2|7|3|4",
        "B|Fish|9|4|5|11|5|6",
    )
    relation = only(document(*rows, merges=merges))
    assert [column.name for column in relation.columns][2:] == [
        "y2004_year", "y2004_quarter_i", "y2004_quarter_ii", "y2005_year", "y2005_quarter_i", "y2005_quarter_ii",
    ]  # fmt: skip


def test_rows_of_words_below_an_empty_row_go_on_where_they_say_what_stood_above() -> None:
    rows = [f"sea|depth{at}|m|down" for at in range(5)]
    relation = only(document("Realm|Axis|Unit|Way", *rows, "", "sea|layer|m|down", "sea|zero|m|up"))
    assert len(relation.rows) == 7
    other = relations(document("Realm|Axis|Unit|Way", *rows, "", "Person|Desk|Phone|Floor", "Ada|4|12|2", "Bob|5|13|2"))
    assert [len(one.rows) for one in other] == [5, 2]


def test_an_empty_column_under_one_head_parts_no_table_and_lists_beside_one_another_stay_two() -> None:
    rows = [f"{at}|{90 - at}||{at}-{at + 1}|{at * 3}" for at in range(1, 11)]
    assert len(only(document("Ring|Angle||Range|Cells", *rows)).columns) == 4
    lists = [f"n{at}|{at}||m{at}|{at}" for at in range(1, 11)]
    assert len(relations(document("Name|Points||Club|Goals", *lists))) == 2
    days = [f"2024-01-{at:02}|{at}||2023-01-{at:02}|{at * 2}" for at in range(1, 11)]
    assert len(relations(document("Day|Rain||Day before|Snow", *days))) == 2


def test_a_note_below_a_table_is_no_title_of_the_next() -> None:
    rows = ("Item|Cost", "Pen|3", "Ink|4")
    for note, title in (("¹ with cider", ""), ("Source: INDEC", ""), ("Costs of May", "Costs of May")):
        tables = [chapter(*rows).parts[0].blocks[0] for _ in range(2)]
        part = Part(kind="chapter", blocks=(tables[0], Paragraph(text=note), tables[1]))
        assert find_relations(ParsedDocument(parts=(part,)))[1].title == title


def test_a_title_over_two_rows_is_the_title() -> None:
    found = relations(document("Product at prices", "in thousands", "", "Item|Cost", "Pen|3", "Ink|4", "Cap|5"))
    assert [one.rows[0][1] for one in found] == ["Pen"]
    (record,) = find_relations(
        document("Product at prices", "in thousands", "", "Item|Cost", "Pen|3", "Ink|4", "Cap|5")
    )
    assert record.title == "Product at prices · in thousands"


def test_heads_of_two_levels_are_put_together() -> None:
    merges = (Merge(0, 1, 1, 2), Merge(0, 3, 1, 2), Merge(0, 0, 2, 1))
    parsed = document("Region|2023||2024|", "|Plan|Actual|Plan|Actual", "North|1|2|3|4", "South|5|6|7|8", merges=merges)
    assert [column.name for column in only(parsed).columns] == [
        "region", "y2023_plan", "y2023_actual", "y2024_plan", "y2024_actual",
    ]  # fmt: skip


YEARS = ("2023 H1 Plan", "2023 H1 Actual", "2023 H2 Plan", "2023 H2 Actual", "2024 H1 Plan", "2024 H1 Actual")
SPANS = (
    Merge(0, 0, 3, 1),
    Merge(0, 1, 1, 4),
    Merge(0, 5, 1, 2),
    Merge(1, 1, 1, 2),
    Merge(1, 3, 1, 2),
    Merge(1, 5, 1, 2),
)


@pytest.mark.parametrize(("corner", "below", "merges"), [("Site", "", SPANS), ("", "Site", ())])
def test_heads_of_three_levels_are_put_together_merged_or_written_once(
    corner: str, below: str, merges: tuple[Merge, ...]
) -> None:
    parsed = document(
        f"{corner}|2023||||2024|", "|H1||H2||H1|", f"{below}|Plan|Actual|Plan|Actual|Plan|Actual",
        "North|1|2|3|4|5|6", "South|5|6|7|8|9|1", "West|5|6|7|8|9|1", merges=merges,
    )  # fmt: skip
    assert [column.title for column in only(parsed).columns] == ["Site", *YEARS]


def test_a_line_of_title_in_two_cells_is_no_level_of_the_head() -> None:
    relation = only(document("Report|||Page 1", "City|Area|Count|Note", "A|1|2|x", "B|3|4|y", "C|5|6|z"))
    assert [column.title for column in relation.columns] == ["City", "Area", "Count", "Note"]


def test_a_row_of_units_over_figures_alone_belongs_to_the_head_though_some_are_not_known() -> None:
    relation = only(document("Depth|Pressure|Salinity", "m|dbar|PSU", "0|0.1|34.9", "10|10.2|35", "20|20.3|35.2"))
    assert [(column.type, column.unit) for column in relation.columns] == [
        ("number", "m"), ("number", "dbar"), ("number", "PSU"),
    ]  # fmt: skip
    assert [row[1] for row in relation.rows] == [0, 10, 20]
    relation = only(document("Name|Shirt|Size", "m|red|M", "f|blue|S", "m|red|L"))
    assert len(relation.rows) == 3


@pytest.mark.parametrize("units", ["|[€]|[kg]|", "|EUR|kg|", "Einheit|EUR|kg|"])
def test_a_row_of_units_under_the_head_belongs_to_it(units: str) -> None:
    relation = only(document("Item|Cost|Weight|Count", units, "A|1.50|2|3", "B|3|4|5", "C|5|6|7"))
    assert [(column.type, column.unit) for column in relation.columns] == [
        ("text", ""), ("money", "EUR"), ("number", "kg"), ("number", ""),
    ]  # fmt: skip
    assert [row[0] for row in relation.rows] == [3, 4, 5]


def test_empty_columns_and_rows_made_for_the_eye_part_no_table() -> None:
    relation = only(document(
        "Team||Cost||Share", "Red||5|| 4 %", "Red||7||", "Red||9||6 %", "", "Blue||1||7 %", "Blue||2||8 %",
    ))  # fmt: skip
    assert [column.name for column in relation.columns] == ["team", "cost", "share"]
    assert [row[0] for row in relation.rows] == [2, 3, 4, 6, 7]


def test_keys_with_labels_for_people_below_them_are_one_head() -> None:
    rows = (
        "FirstName|EmailAddress|Phone_no|Job",
        "Staff|||what they do",
        "First name|Email address|Phone no.|Job title",
    )
    relation = only(document(*rows, "Ada|a@b.ch|12|Clerk", "Bo|b@b.ch|15|Smith"))
    assert [column.name for column in relation.columns] == ["first_name", "email_address", "phone_no", "job_title"]
    assert [row[1] for row in relation.rows] == ["Ada", "Bo"]


def test_a_head_of_words_that_is_printed_again_is_the_head() -> None:
    again = only(document("Name|Town|Job", "Ada|Bern|Clerk", "Name|Town|Job", "Bo|Chur|Smith"))
    assert [column.name for column in again.columns] == ["name", "town", "job"]
    assert [row[1] for row in again.rows] == ["Ada", "Bo"]
    assert [row[:2] for row in again.apart] == [(3, "repeated header")]


def test_headings_broken_over_rows_by_hand_are_put_together() -> None:
    relation = only(document(
        "||Cost|Cost||Market", "||Per|Before|Total|Price at", "|Shares|Share|Fees|Cost|May 5, 2000", "Bought in March",
        "Acme|100|$96.12|9,612.50|$9,654.25|$1.00", "Initech|50|$6.50|325.00|$330.00|$2.50",
    ))  # fmt: skip
    titles = ["", "Shares", "Cost Per Share", "Cost Before Fees", "Total Cost", "Market Price at May 5, 2000"]
    assert [column.title for column in relation.columns] == titles
    assert [row[:2] for row in relation.rows] == [(5, "Acme"), (6, "Initech")]


def test_a_word_in_the_corner_alone_is_no_second_row_of_the_head() -> None:
    relation = only(document("|pH|PCO2", "Acidosis||", "Mild|7.3|50", "Severe|7.1|70", header_rows=1))
    assert [column.title for column in relation.columns] == ["", "pH", "PCO2"]


def test_a_declared_head_over_the_whole_width_is_a_title() -> None:
    rows = ("Stock||", "Oslo|4|5", "Bonn|2|3")
    parsed = chapter(*rows, header_rows=1, merges=(Merge(0, 0, 1, 3),))
    assert find_relations(parsed)[0].title == "Stock"
    assert [row[1:] for row in only(parsed).rows] == [("Oslo", 4, 5), ("Bonn", 2, 3)]


def test_columns_of_numbers_side_by_side_without_labels_are_tables_of_their_own() -> None:
    found = find_relations(document("Codes||Rates", *(f"{at}||{at * 2}" for at in range(1, 6))))
    assert [[column.name for column in one.columns] for one in found] == [["codes"], ["rates"]]


def test_what_only_looks_like_a_head_is_a_row() -> None:
    assert len(only(document("Ada|http://a.example", "Alan|http://b.example", "Grace|http://c.example")).rows) == 3
    assert len(only(document("Model|2019", "Other|2021", "Third|2020")).rows) == 3
    parsed = document(
        "Action|", "Swim|Glide", "Fly|", "Quack|", header_rows=1, name="Ducks", merges=(Merge(0, 0, 1, 2),)
    )
    assert [row[1] for row in only(parsed).rows] == ["Swim", "Fly", "Quack"]


def test_units_stand_in_headings_and_dates_do_not() -> None:
    relation = only(document("City|Population (1 July 2022)|Area (km²)|Sales (b)", "A|5|6|7", "B|7|8|9"))
    assert [column.unit for column in relation.columns] == ["", "", "km²", ""]


def test_totals_are_told_from_names_that_look_like_them() -> None:
    rows = [
        "Company|Sales",
        "Total Wine|10",
        "Summer Inc|20",
        "TotalEnergies|30",
        "Gesamt GmbH|5",
        "Subtotal|65",
        "Other|1",
        "Total|66",
    ]
    relation = only(document(*rows))
    assert [row[1] for row in relation.rows] == ["Total Wine", "Summer Inc", "TotalEnergies", "Gesamt GmbH", "Other"]
    assert [(row[0], row[1]) for row in relation.apart] == [(6, "total"), (8, "total")]


def test_a_label_that_is_a_category_is_no_total() -> None:
    rows = [
        "Sex|Year|People",
        *(f"{sex}|{year}|{year % 7}" for year in range(2000, 2012) for sex in ("Total", "F", "M")),
    ]
    assert len(only(document(*rows)).rows) == 36


def test_columns_have_safe_and_unique_names() -> None:
    parsed = document("Order|Margin %|Margin %|2024|#|Ünï (€)|a/b", "x|1|2|3|4|5|6", "y|1|2|3|4|5|6")
    assert [column.name for column in only(parsed).columns] == [
        "order_", "margin_pct", "margin_pct_2", "y2024", "nr", "ünï_eur", "a_b",
    ]  # fmt: skip


def test_values_of_another_kind_are_left_out_with_their_cells() -> None:
    rows = ["Name|Sales", *(f"n{at}|{at}" for at in range(10)), "z|see note", "w|#DIV/0!"]
    relation = only(document(*rows))
    assert relation.rows[-2:] == [(12, "z", None), (13, "w", None)]
    assert [(one.reason, one.where) for one in relation.left_out()] == [
        ("text in the number column sales: 'see note'", "B12"), ("error value in sales", "B13"),
    ]  # fmt: skip


def test_typed_cells_count_by_their_values() -> None:
    cells = (
        Cell(1, 1, 0.125, format="0.0%"), Cell(2, 1, 0.5, format="0.0%"), Cell(1, 2, "2024-01-31"),
        Cell(2, 2, "2024-02-29"), Cell(1, 3, 1234.5, format='#,##0.00 "€"'), Cell(2, 3, 1.0, format='#,##0.00 "€"'),
        Cell(1, 4, formula="=B2*2", state="not_computed"), Cell(2, 4, formula="=B3*2", state="not_computed"),
    )  # fmt: skip
    parsed = document("A|P|D|M|F", "x|12.5%|31-Jan|1,234.50 €|", "y|50.0%|29-Feb|1.00 €|", cells=cells)
    relation = only(parsed)
    assert relation.rows == [(2, "x", 0.125, "2024-01-31", 1234.5, None), (3, "y", 0.5, "2024-02-29", 1.0, None)]
    assert [(column.type, column.unit) for column in relation.columns[1:4]] == [
        ("percent", "%"),
        ("date", ""),
        ("money", "EUR"),
    ]
    assert relation.columns[4].remark == "formula, not computed"


def test_hidden_rows_stand_apart_and_hidden_columns_are_marked() -> None:
    parsed = document("A|B", "x|1", "y|2", "z|3", hidden_rows=(2,), hidden_cols=(1,))
    relation = only(parsed)
    assert [row[0] for row in relation.rows] == [2, 4]
    assert [column.hidden for column in relation.columns] == [False, True]


def test_a_long_table_in_windows_is_one() -> None:
    head = Table(rows=(("Id", "Value"), *((f"k{at}", str(at)) for at in range(1, 256))), header_rows=1)
    rest = [
        Table(rows=tuple((f"k{at}", str(at)) for at in range(start, start + 256)), first_row=start)
        for start in range(256, 5120, 256)
    ]  # fmt: skip
    for kind in ("sheet", "chapter"):
        parsed = ParsedDocument(parts=(Part(kind=kind, name="Long", blocks=(head, *rest)),))
        relation = only(parsed)
        assert len(relation.rows) == 5119
        assert relation.rows[-1] == (5120, "k5119", 5119)


def pages(*tables: Table) -> ParsedDocument:
    return ParsedDocument(parts=tuple(Part(kind="page", blocks=(table,)) for table in tables))


def test_a_table_over_pages_is_one_and_its_total_counts_them_all() -> None:
    head = ("Place", "Height")
    merged = Table(
        rows=(head, ("C", "5"), ("", "6")), header_rows=1, first_row=3, merges=(Merge(1, 0, 2, 1),)
    )  # fmt: skip
    parsed = pages(
        Table(rows=(head, ("A", "1"), ("B", "2")), header_rows=1),
        merged,
        Table(rows=(head, ("D", "7"), ("Total", "21")), header_rows=1, first_row=5),
    )
    relation = only(parsed)
    assert relation.rows == [(2, "A", 1), (3, "B", 2), (4, "C", 5), (5, "C", 6), (6, "D", 7)]
    assert relation.apart == [(7, "total", "Total", "21")]
    (record,) = find_relations(parsed)
    assert (record.part, record.rows, record.last_row) == (1, 5, 6)
    assert [(one.part, one.first_row) for one in record.further] == [(2, 3), (3, 5)]


@pytest.mark.parametrize(
    "second",
    [
        Table(rows=(("Place", "Height"), ("C", "5"), ("D", "6")), header_rows=1),
        Table(rows=(("Place", "Height"), ("C", "5"), ("D", "6")), header_rows=1, first_row=9),
        Table(rows=(("Place", "Height", "Year"), ("C", "5", "7"), ("D", "6", "8")), header_rows=1, first_row=3),
    ],
)
def test_a_table_overleaf_that_does_not_go_on_is_another(second: Table) -> None:
    first = Table(rows=(("Place", "Height"), ("A", "1"), ("B", "2")), header_rows=1)
    assert [len(relation.rows) for relation in relations(pages(first, second))] == [2, 2]
    apart = ParsedDocument(
        parts=(Part(kind="page", blocks=(first,)), Part(kind="page"), Part(kind="page", blocks=(second,)))
    )
    assert len(relations(apart)) == 2


NUMBERED = [
    ("|1|2|3|4", "North|10|20|30|40", "South|50|60|70|80"),
    ("Product|1|2|3|4|Total", "Bolt|10|20|30|40|100", "Nut|5|6|7|8|26"),
    ("1|2|3", "Ada|x|y", "Alan|z|w"),
    ("0|Name|Age|Born", "1|Ada|36|1815-12-10", "1|Alan|41|1912-06-23"),
]


@pytest.mark.parametrize("rows", NUMBERED, ids=lambda rows: rows[0])
def test_a_row_that_counts_its_columns_or_has_a_number_in_the_corner_alone_names_them(rows: tuple[str, ...]) -> None:
    relation = only(document(*rows))
    assert [column.title for column in relation.columns] == rows[0].split("|")
    assert [row[0] for row in relation.rows] == [2, 3]


@pytest.mark.parametrize(
    "rows", [("North|1|2|3|4", "South|5|6|7|8", "West|9|10|11|12"), ("1|Ada|x|y", "2|Alan|z|w", "3|Grace|u|v")]
)
def test_rows_that_count_on_below_or_stand_over_words_are_data(rows: tuple[str, ...]) -> None:
    assert len(only(document(*rows)).rows) == 3


def test_words_under_an_empty_corner_over_figures_go_on_with_a_declared_head() -> None:
    rows = ("Route|North|South", "|Pax|Cargo", "|thousand|tons", "Flights|21|12", "On time|99.8|93", "Late|0|4")
    block = Table(rows=tuple(tuple(row.split("|")) for row in rows), header_rows=1)
    (relation,) = relations(ParsedDocument(parts=(Part(kind="page", blocks=(block,)),)))
    assert [column.title for column in relation.columns] == ["Route", "North Pax thousand", "South Cargo tons"]
    assert [row[0] for row in relation.rows] == [4, 5, 6]


def test_a_head_over_figures_alone_is_over_the_labels_beside_an_empty_column_too() -> None:
    relation = only(document("||Jan|Feb", *(f"Plant {name}||{at}|{at * 2}" for at, name in enumerate("ABCDEF", 1))))
    assert [column.title for column in relation.columns] == ["", "Jan", "Feb"]
    assert len(relation.rows) == 6


def test_a_remark_in_a_row_of_its_own_below_a_table_is_none_of_its_rows_and_a_total_is() -> None:
    rows = ("Deal|Number|Volume|Unit", "Gas|14|15|t", "Power|21|19|t", "Coal|3|8|t", "")
    assert [row[0] for row in only(document(*rows, "Number of new partners|4||")).rows] == [2, 3, 4]
    assert [row[:2] for row in only(document(*rows, "Total|38|42|")).apart] == [(6, "total")]


def test_a_table_below_its_total_and_an_empty_row_goes_on_though_a_column_is_added() -> None:
    relation = only(document(
        "Code|Name|Beds|Used|Share", "-|Everywhere|300|200|66%", "-|Everywhere else|30|20|66%", "",
        "RC9|North|100|50|50%|x", "RGT|South|200|150|75%|y",
    ))  # fmt: skip
    assert [column.name for column in relation.columns] == ["code", "name", "beds", "used", "share", "col_f"]
    assert [row[0] for row in relation.rows] == [2, 3, 5, 6]


def test_labels_of_rows_without_figures_at_the_end_are_rows() -> None:
    relation = only(document("Item|2023|2024", "Sales|7|15", "Fees||", "Interest||", "Premiums||"))
    assert [row[1] for row in relation.rows] == ["Sales", "Fees", "Interest", "Premiums"]


def test_a_note_right_below_labels_and_figures_is_none_of_their_rows() -> None:
    rows = ("Product|Budget", "Lamp|", "Widget|77,422", "Chair|57,410", "Gizmo|", "Notebook stand|")
    relation = only(document(*rows, "Note: excludes returns|", "1) estimated|"))
    assert [row[0] for row in relation.rows] == [2, 3, 4, 5, 6]
    assert [(one.reason, one.where) for one in relation.left_out()] == [("notes", "rows 7, 8")]


def test_a_row_without_figures_that_is_called_as_others_are_is_no_heading() -> None:
    rows = ("Region|Sales|Cost", "Texas|7|3", "Ohio|8|4", "Texas||", "Kent|9|5", "Ohio|3|2", "Texas|1|1")
    relation = only(document(*rows))
    assert [row[1:] for row in relation.rows][2] == ("Texas", None, None)
    assert not relation.headings and not relation.left_out()
    parted = only(document(*rows[:3], "", "Texas", "Kent|9|5", "Ohio|3|2"))
    assert parted.headings == [None, None, "Texas", "Texas"]


def test_years_below_an_empty_row_head_another_table_and_figures_that_are_years_go_on() -> None:
    above = ("Country|Score|Budget", "Germany|46|39918", "France|56|74140", "Italy|51|86054", "")
    found = relations(document(*above, "Status|2020|2021", "open|7772|8574", "paid|2858|6562", "late|2593|4329"))
    assert [[column.title for column in one.columns] for one in found] == [
        ["Country", "Score", "Budget"],
        ["Status", "2020", "2021"],
    ]
    people = ("Name|Born|Joined", "Ada|1985|2010", "Alan|1990|2015", "Grace|1979|2001", "")
    assert len(only(document(*people, "Edsger|1982|2012", "Barbara|1988|2018")).rows) == 5


def test_one_column_of_words_is_a_table_where_it_is_a_list_and_nothing_else() -> None:
    assert [column.title for column in only(document("Name", "Ada", "Alan", "Grace")).columns] == ["Name"]
    assert not relations(document("XLColor.Red", "", "XLColor.Blue", "XLColor.Green", "XLColor.Grey", "XLColor.Tan"))
    assert not relations(document("Item|Cost", "x|1", "y|2", "", "", "", "Ada", "Alan", "Grace", "Edsger"))[1:]
    assert not relations(document("Terms", "Delivery " * 9, "Payment", "Place"))


def test_a_heading_with_a_number_over_an_empty_column_is_one() -> None:
    relation = only(document("SKU|Part 1|Note", "a-b|x|", "c-d|y|", "e-f|x|"))
    assert [column.title for column in relation.columns] == ["SKU", "Part 1", "Note"]
    assert len(only(document("SKU|Part 1|Note 7", "a-b|x|", "c-d|y|", "e-f|x|")).rows) == 3


def test_lines_drawn_with_characters_stand_apart() -> None:
    relation = only(document("Yard|No|Stock", "-----|---|-----", "A|1|5", "B|2|6", "=====|===|=====", "Total||11"))
    assert [row[1:] for row in relation.rows] == [("A", 1, 5), ("B", 2, 6)]
    assert [row[:2] for row in relation.apart] == [(2, "separator line"), (5, "separator line"), (6, "total")]


def test_a_row_of_formulas_without_results_is_a_row_of_data() -> None:
    cells = tuple(Cell(3, col, formula="=A1", state="not_computed") for col in range(3))
    assert len(only(document("Yard|No|Stock", "A|1|5", "B|2|6", "||", cells=cells)).rows) == 3


def test_numbers_written_oddly_in_a_long_column_are_read_as_in_a_short_one() -> None:
    for odd, value in (("5.", None), (".5", 0.5), ("1e3", 1000), ("-0.5", -0.5), ("1.2.3", None), ("12-", -12)):
        kind, found, _ = values(*["7", "8.25"] * 20, odd)
        assert kind == "number" and found[:2] == [7, 8.25]
        short = values("7", odd, "8.25", "9", "10")[1][1]
        assert found[-1] == short
        assert value is None or found[-1] == value


@pytest.mark.parametrize("word", ["All", "Overall", "Alle Hallen", "Tous", "Combined"])
def test_a_total_called_all_is_one_where_it_adds_up(word: str) -> None:
    rows = ("A|5", "B|6", "C|7")
    assert len(only(document("Yard|Stock", *rows, f"{word}|18")).rows) == 3
    assert [row[0] for row in only(document("Yard|Stock", f"{word}|18", *rows)).apart] == [2]
    assert len(only(document("Yard|Stock", *rows, f"{word}|19")).rows) == 4


def test_a_declared_head_of_groups_goes_on_over_the_rows_that_name_their_columns() -> None:
    merges = (Merge(0, 1, 1, 4), Merge(0, 5, 1, 2), Merge(1, 1, 1, 2), Merge(1, 3, 1, 2), Merge(1, 5, 1, 2))
    rows = ("|France||||Export|", "|2023||2024||2023|", "Plant|Volume|Value|Volume|Value|Volume|Value",
            "Leeds|1|2|3|4|5|6", "Basel|7|8|9|1|2|3")  # fmt: skip
    relation = only(chapter(*rows, header_rows=1, merges=merges))
    titles = [column.title for column in relation.columns]
    assert (titles[0], titles[1], titles[4]) == ("Plant", "France 2023 Volume", "France 2024 Value")
    assert len(relation.rows) == 2


def test_a_row_of_sums_that_leaves_the_rest_empty_is_a_subtotal_whatever_it_is_called() -> None:
    relation = only(document(
        "Hall|No|Stock|Cost", "1|a-1|5|10", "1|a-2|6|20", "Zwischens umme 1||11|30", "2|b-1|1|5", "2|b-2|2|6",
        "Zwischens umme 2||3|11", "3|||9", "3|c-1|4|4",
    ))  # fmt: skip
    assert [row[0] for row in relation.rows] == [2, 3, 5, 6, 8, 9]
    assert [row[:2] for row in relation.apart] == [(4, "total"), (7, "total")]


def test_taxes_between_the_totals_below_the_positions_of_an_invoice_are_none_of_these() -> None:
    rows = ("No|Article|Quantity|Amount", "1|Ball valve|2|100.00 €", "2|Tee fitting|20|50.00 €")
    sums = ("||Sum (net)|150.00 €", "||+7% VAT|7.00 €", "||+19% VAT|9.50 €", "||Total|166.50 €")
    relation = only(document(*rows, *sums))
    assert [row[:2] for row in relation.apart] == [(4, "total"), (5, "total"), (6, "total"), (7, "total")]
    assert [column.type for column in relation.columns] == ["number", "text", "number", "money"]


def test_the_totals_row_of_an_excel_table_is_known_by_its_formula() -> None:
    cells = (Cell(3, 1, formula="=SUBTOTAL(109,Stock[Cost])", state="not_computed"),)
    relation = only(document("Item|Cost", "Ink|7", "Pen|5", "Whole|", cells=cells, name="Stock", header_rows=1))
    assert [row[1] for row in relation.rows] == ["Ink", "Pen"]
    assert relation.apart[0][:3] == (4, "total", "Whole")


def test_an_excel_table_beside_another_has_its_heading() -> None:
    block = Table(
        rows=(("Item", "Cost", "", "Names"), ("Ink", "7", "", "Ada"), ("Pen", "5", "", "Alan"), ("", "", "", "Eve"))
    )
    note = Note(kind="annotation", anchor="People", text="Table People = 'Data'!D1:D4")
    parsed = ParsedDocument(parts=(Part(kind="sheet", name="Data", blocks=(block, note)),))
    assert [[column.title for column in one.columns] for one in find_relations(parsed)] == [["Item", "Cost"], ["Names"]]


def test_a_named_range_is_as_wide_as_its_data() -> None:
    (relation,) = find_relations(named(("Report", "Data!$A$1:$K$40")))
    assert (relation.name, relation.header_rows, len(relation.columns)) == ("report", 1, 3)


LAYOUTS = {
    "fields of a form": chapter("Name:|Ada", "Born:|1815", "City:|London"),
    "fields without colons": chapter("Year|2025", "Make|Batman", "Model|Batmobile", "Trim|Limited", "Odometer|1"),
    "fields under what looks like a head": chapter(
        "Insured name|Gabriel Diaz", "Claim|SF-1008", "Phone|(425) 111-1111", "Email|gabriel@example.org", "Policy|A-1"
    ),
    "items of a list": chapter("(i)|The rink.", "(ii)|The binding."),
    "a box with its title": chapter(
        "Acme Corp.|", "Type|Public", "Founded|April in Reno", header_cols=1, merges=(Merge(0, 0, 1, 2),)
    ),
    "links to other pages": chapter("Office|\u2022 A\n\u2022 B\n\u2022 C", "Known|\u2022 D\n\u2022 E\n\u2022 F"),
    "a page laid out": chapter("Dear all,|", "We met.|", "Topic|Parking", "Yours|"),
    "the same word twice": chapter("we|we", "are|are", confidence=0.95),
    "a guess": chapter("Wages|8|x", "|9a|", "Interest||y", confidence=0.3),
    "fields of a sheet": document("Status:|Published", "Contact:|Chris", "Period:|May"),
}


@pytest.mark.parametrize("what", LAYOUTS)
def test_a_form_or_layout_is_no_relation(what: str) -> None:
    assert find_relations(LAYOUTS[what]) == ()


def test_what_a_form_may_look_like_stays_a_relation() -> None:
    for rows in (("Source articles|28,009", "Basic clusters|5,543"), ("LRM|Linear method", "LRS|Linear system")):
        assert find_relations(chapter(*rows))
    assert find_relations(chapter("Key|Value", "Name|Ada", "Born|1815", "Mail|ada@example.org", header_rows=1))
    dense = [f"Ada{at}|clerk|{at}.5" for at in range(6)]
    assert len(only(chapter(*dense, confidence=0.3)).rows) == 6


def test_a_table_whose_columns_a_sparse_sheet_keeps_in_blocks_side_by_side_is_one() -> None:
    left = Table(rows=(("Item", "Units"), ("pump", "3"), ("valve", "5")), header_rows=1)
    right = Table(
        rows=(("Price", "Day"), ("2.5", "x"), ("4", "y")), first_col=2,
        cells=(Cell(row=1, col=0, value=2.5), Cell(row=2, col=0, value=4.0)),
    )  # fmt: skip
    relation = only(ParsedDocument(parts=(Part(kind="sheet", name="Data", blocks=(left, right)),)))
    assert [(one.name, one.type) for one in relation.columns] == [
        ("item", "text"), ("units", "number"), ("price", "number"), ("day", "text"),
    ]  # fmt: skip
    assert relation.rows == [(2, "pump", 3, 2.5, "x"), (3, "valve", 5, 4, "y")]


@pytest.mark.parametrize("beside", [3, 50])
def test_lists_side_by_side_are_tables_of_their_own_however_many_there_are(beside: int) -> None:
    head = "||".join(f"Item {at}|Units {at}" for at in range(beside))
    rows = ("||".join(f"{word} {at}|{at * 10 + number}" for at in range(beside)) for number, word in enumerate("abcd"))
    found = relations(document(head, *rows))
    assert [[column.title for column in one.columns] for one in found] == [
        [f"Item {at}", f"Units {at}"] for at in range(beside)
    ]  # fmt: skip
    assert tuple(found[-1].rows[0][1:]) == (f"a {beside - 1}", (beside - 1) * 10)


def test_the_fields_of_a_form_all_over_a_sheet_are_no_relations() -> None:
    fields = [f"{at}|{at + 3}||{at * 2}|{at}" for at in (21, 40, 77)]
    form = document(*(line for field in fields for line in (field, field, "", "", "")))
    assert find_relations(form) == ()


def named(*notes: tuple[str, str]) -> ParsedDocument:
    """A sheet of sales with a total, and notes of names: the name and what it stands for."""
    rows = ("Region|Units|Price", "North|10|2.5", "South|20|3", "West|5|4", "East|7|1", "Total|42|")
    block = Table(rows=tuple(tuple(row.split("|")) for row in rows))
    told = tuple(Note(kind="annotation", anchor=name, text=f"{name} = {meant}") for name, meant in notes)
    return ParsedDocument(parts=(Part(kind="sheet", name="Data", blocks=(block, *told)),))


def test_a_named_range_is_a_relation_with_the_columns_of_the_table_it_lies_in() -> None:
    sheet, inside, column = find_relations(
        named(("Southern", "Data!$A$3:$B$4"), ("Data!Prices", "Data!$C$2:$C$5"), ("Rate", "Data!$B$2"))
    )
    assert (sheet.name, inside.name, column.name) == ("data", "southern", "prices")
    assert [one.name for one in inside.columns] == ["region", "units"]
    assert (inside.first_row, inside.last_row, inside.rows, inside.header_rows) == (2, 3, 2, 0)
    assert [(one.name, one.type) for one in column.columns] == [("price", "number")]
    _, relation, prices = relations(named(("Southern", "Data!$A$3:$B$4"), ("Prices", "Data!$C$2:$C$5")))
    assert relation.rows == [(3, "South", 20), (4, "West", 5)]
    assert [row[1] for row in prices.rows] == [2.5, 3, 4, 1]


def test_a_name_for_a_table_below_its_title_is_its_name() -> None:
    parsed = named(("Things", "Data!$A$2:$B$4"))
    table = Table(rows=(("Stock", ""), ("Item", "Count"), ("Ink", "7"), ("Pen", "5")))
    part = replace(parsed.parts[0], blocks=(table, *parsed.parts[0].blocks[1:]))
    assert [one.name for one in find_relations(replace(parsed, parts=(part,)))] == ["things"]


def test_a_named_range_wider_than_its_table_has_its_columns() -> None:
    _, wide = find_relations(named(("Wide", "Data!$A$3:$F$4")))
    assert [one.name for one in wide.columns] == ["region", "units", "price"]


def test_a_name_for_a_whole_table_is_its_name() -> None:
    (relation,) = find_relations(named(("SalesBook", "'Data'!$A$1:$C$6")))
    assert (relation.name, relation.rows, relation.header_rows) == ("salesbook", 4, 1)


def test_a_named_range_with_a_head_of_its_own_has_it() -> None:
    found = find_relations(named(("Both", "$Data.$A$1:$B$5")))
    assert [one.name for one in found] == ["data", "both"]
    assert ([one.name for one in found[1].columns], found[1].rows, found[1].header_rows) == (["region", "units"], 4, 1)


@pytest.mark.parametrize(
    "meant",
    [
        "Data!$A$1:$B$2,Data!$C$1:$C$2",
        "SUM(Data!$A$1:$B$5)",
        "Data!$B$2:$B$5*2",
        "Other!A1",
        "#REF!",
        "Data!$A$9:$B$12",
    ],
)
def test_names_that_are_no_rectangle_of_data_are_none(meant: str) -> None:
    assert [one.name for one in find_relations(named(("Odd", meant), ("Print_Area", "Data!$Z$1:$ZZ$9")))] == ["data"]


def test_what_is_printed_is_no_table() -> None:
    note = Note(kind="annotation", anchor="Print area", text="Print area = Data!$A$1:$B$4")
    (part,) = named().parts
    parsed = ParsedDocument(parts=(Part(kind="sheet", name="Data", blocks=(*part.blocks, note)),))
    assert [one.name for one in find_relations(parsed)] == ["data"]


@pytest.mark.parametrize("word", ["Totale", "Totaal", "Итого", "合計", "总计", "합계", "Összesen", "Razem", "Toplam"])
def test_totals_are_told_by_their_words_in_other_languages(word: str) -> None:
    relation = only(document("Name|Value", "a|3", "b|5", "c|9", f"{word}|17"))
    assert ([row[2] for row in relation.rows], relation.apart[0][:3]) == ([3, 5, 9], (5, "total", word))


def test_a_last_row_of_sums_is_a_total_whatever_it_is_called() -> None:
    relation = only(document("Name|Units|Price", "a|3|1.5", "b|5|2", "c|9|4", "Kokku|17|7.5"))
    assert relation.apart == [(5, "total", "Kokku", "17", "7.5")]
    above = only(document("Name|Units|Price|Share", "England|17|7.5|50%", "a|3|1.5|40%", "b|5|2|80%", "c|9|4|30%"))
    assert above.apart == [(2, "total", "England", "17", "7.5", "50%")]
    # One column may add up by chance, and so may none of several.
    assert not only(document("Name|Units", "a|1", "b|2", "c|3", "d|6")).apart
    assert not only(document("Name|Units|Price", "a|3|1.5", "b|5|2", "c|9|4", "d|17|7")).apart


def test_a_remark_in_a_heading_is_no_unit_and_names_of_excels_own_are_no_tables() -> None:
    (relation,) = find_relations(document("Year (range: 3 yrs)|Weight (kg)", "1|2.5", "2|3"))
    assert [(column.name, column.unit) for column in relation.columns] == [
        ("year_range_3_yrs", ""),
        ("weight_kg", "kg"),
    ]
    parsed = named(("_xlcn.Connection1", "Data!$A$1:$C$6"))
    hidden = Note(kind="annotation", anchor="Kept", text="Kept = Data!$A$1:$B$4", hidden=True)
    part = Part(kind="sheet", name="Data", blocks=(*parsed.parts[0].blocks, hidden))
    assert [one.name for one in find_relations(ParsedDocument(parts=(part,)))] == ["data"]


def test_days_in_a_row_head_columns_of_figures_and_a_row_of_days_among_others_does_not() -> None:
    days = tuple(Cell(0, col, value=f"2016-01-{day:02d}") for col, day in enumerate((22, 23, 24)))
    (relation,) = find_relations(document("22 Jan|23 Jan|24 Jan", "3|-15|4", "4|-23|8", "6|-30|2", cells=days))
    assert [(column.title, column.type) for column in relation.columns] == [
        ("22 Jan", "number"), ("23 Jan", "number"), ("24 Jan", "number"),
    ]  # fmt: skip
    below = tuple(Cell(row, col, value=f"2016-0{row + 1}-{20 + col}") for row in range(3) for col in range(3))
    (relation,) = find_relations(document("a|b|c", "d|e|f", "g|h|i", cells=below))
    assert relation.header_rows == 0 and {column.type for column in relation.columns} == {"date"}


def test_years_of_a_calendar_over_merged_cells_group_the_months_below() -> None:
    rows = ("|2015 CY||2015 CY|", "|Jan|Feb|Jan|Feb", "Chicago|1||2|3", "Oakville||2|1|", "Ohio|2|1||4")
    relation = only(document(*rows, merges=(Merge(0, 1, 1, 2), Merge(0, 3, 1, 2))))
    assert [column.title for column in relation.columns][1:3] == ["2015 CY Jan", "2015 CY Feb"]
    assert [column.type for column in relation.columns] == ["text", *["number"] * 4]


def test_a_head_over_an_empty_row_and_a_heading_inside_the_table_is_its_head() -> None:
    rows = ("New deals|Deals|Volume|Unit", "", "Europe", "Gas|15|2143|MMBTU", "Power|20|185|MWh", "Coal|5|195|TONNE")
    relation = only(document(*rows))
    assert [column.title for column in relation.columns] == ["New deals", "Deals", "Volume", "Unit"]
    assert [row[1] for row in relation.rows] == ["Gas", "Power", "Coal"]


def test_groups_that_are_numbered_and_settings_above_do_not_hide_the_head() -> None:
    rates = ("0|0.1|0.2|0.3|0.4", "1|0.2|0.3|0.4|0.5", "2|0.3|0.4|0.5|0.6", "3|0.4|0.5|0.6|0.7")
    grouped = only(document("Table|1||2|", "Sex|M|F|M|F", *rates))
    assert [column.title for column in grouped.columns] == ["Table Sex", "1 M", "1 F", "2 M", "2 F"]
    assert [column.type for column in grouped.columns] == ["number"] * 5 and len(grouped.rows) == 4
    wide = [f"{row}|0.8|0.9" for row in rates]
    given = only(document("a|0.02||c|2||", "b|0.5|||||", "|0|1|2|3|4|5", *wide))
    assert [column.title for column in given.columns] == ["", "0", "1", "2", "3", "4", "5"] and len(given.rows) == 4
    plain = only(document("x|1||2|", "y|3|4|5|6", "z|7|8|9|1", "w|1|2|3|4"))
    assert {column.title for column in plain.columns} == {""}, "figures below figures head nothing"


def test_rows_know_the_headings_inside_the_table_above_them() -> None:
    assets = (
        "Cash|5|6",
        "Assets",
        "Current assets",
        "Stock|1|2",
        "Debtors|3|4",
        "Prepaid|2|2",
        "Fixed assets",
        "Land|7|8",
    )
    relation = only(document("Item|2023|2024", *assets, "Tools|1|1"))
    assert [row[1] for row in relation.rows] == ["Cash", "Stock", "Debtors", "Prepaid", "Land", "Tools"]
    assert relation.headings == [None, *["Assets / Current assets"] * 3, *["Fixed assets"] * 2]
    assert [(one.reason, one.where) for one in relation.left_out()] == [
        ("headings inside the table, in _heading", "rows 3, 4, 8")
    ]
    again = only(document("Item|2023|2024", "Stock|1|2", "Debtors|3|4", "Item|2023|2024", "Land|7|8"))
    assert again.headings == [] and [one.reason for one in again.left_out()] == ["repeated header"]


def test_gaps_are_of_every_kind_when_a_table_goes_on_below_an_empty_row() -> None:
    rows = ("Code|Name|Beds|Late|Share", "-|England|1437|599|-", "-|Wales|87|20|-", "", "RC9|Bedford|15|-|0.4",
            "RGT|Cambridge|10|-|0.2", "RWH|Herts|12|3|0.1")  # fmt: skip
    relation = only(document(*rows))
    assert (relation.columns[0].title, len(relation.rows)) == ("Code", 5)


def test_units_per_another_stand_under_the_head_and_what_has_none_shows_a_dash() -> None:
    relation = only(document("Form|Strength|Impact|Stretch", "-|N/mm 2|J/cm²|%", "Bars|890|27|12", "Rods|1000|31|14"))
    assert [(column.title, column.type, column.unit) for column in relation.columns][:3] == [
        ("Form", "text", ""),
        ("Strength (N/mm 2)", "number", "N/mm 2"),
        ("Impact (J/cm²)", "number", "J/cm²"),
    ]


def test_letters_of_a_number_that_names_something_are_no_unit() -> None:
    assert values("15464SA", "15465SA")[:2] == ("text", ["15464SA", "15465SA"])
    assert values("512MB", "64MB")[:2] == ("number", [512, 64])


def test_notes_over_the_width_of_a_sheet_are_no_table() -> None:
    note = "in which the sales of the parent that are not significant are left out, as are those of other years"
    rows = ("Zone|Sales|Profit", "GC|2677|400", "NA|3167|435", "", "", "", f"(a) First, {note}||",
            f"(b) Then, {note}||", f"(c) Next, {note}||", f"(d) Last, {note}||")  # fmt: skip
    merges = tuple(Merge(row, 0, 1, 3) for row in range(6, 10))
    assert [column.title for column in only(document(*rows, merges=merges)).columns] == ["Zone", "Sales", "Profit"]


def test_subtotals_that_name_their_group_stand_apart_hidden_rows_or_not() -> None:
    rows = ("Unit|Cost|Bills", "Fleet|10|1", "Fleet|20|2", "Fleet total|30|3", "Rent|5|4", "Rent|6|5",
            "Summe Rent|11|9", "Grand total|41|12")  # fmt: skip
    relation = only(document(*rows))
    assert [row[1:] for row in relation.rows] == [("Fleet", 10, 1), ("Fleet", 20, 2), ("Rent", 5, 4), ("Rent", 6, 5)]
    hidden = only(document(*rows, hidden_rows=(2,)))
    assert [row[0] for row in hidden.rows] == [2, 5, 6]
    assert [row[1] for row in hidden.apart] == ["hidden row", "total", "total", "total"]


def test_a_total_adds_up_with_the_rows_that_are_hidden() -> None:
    rows = ("Unit|Cost", "A|10", "B|20", "C|5", "Total costs 2024|35")
    assert [row[1] for row in only(document(*rows, hidden_rows=(2,))).apart] == ["hidden row", "total"]


def spoken(text: str, *rows: str) -> Relation:
    """The table below a sentence."""
    table = Table(rows=tuple(tuple(row.split("|")) for row in rows), header_rows=1)
    return only(ParsedDocument(parts=(Part(kind="chapter", blocks=(Paragraph(text=text), table)),)))


def test_the_language_of_its_sentences_says_how_a_document_writes_numbers() -> None:
    rows = ("Town|People", "Aachen|86,768", "Bergen|93,370")
    english = spoken("The census counts all who live in a town, and those of the region are for this year.", *rows)
    assert [row[2] for row in english.rows] == [86768, 93370]
    german = spoken("Die Werte sind mit der Waage und nicht von Hand für das Gutachten ermittelt.", *rows)
    assert [row[2] for row in german.rows] == [86.768, 93.37]
    (column,) = spoken("Städte und ihre Einwohner", *rows).columns[1:]
    assert column.type == "number" and "was taken to part decimals" in column.remark
    (column,) = spoken("Towns of Norway", *rows).columns[1:]
    assert column.type == "number" and "was taken to part thousands" in column.remark
    (column,) = spoken("Aachen, Bergen.", *rows).columns[1:]
    assert column.type == "text" and column.remark.startswith("ambiguous numbers")


def test_money_has_no_three_decimals() -> None:
    assert values("€90,000", "€12,000")[:2] == ("money", [90000, 12000])
    assert values("90.000 €", "12.000 €")[:2] == ("money", [90000, 12000])
    assert values("0,234 €", "1,234 €")[:2] == ("money", [0.234, 1.234])
    assert values("90,000 kg", "12,000 kg")[0] == "text"


def test_groups_said_in_each_of_their_columns_are_two_levels_of_a_head() -> None:
    rows = ("Layers|Language|TEDs|TEDs|TEDs", "Layers|Language|simple|complex|all", "6|OTSL|0.96|0.93|0.95",
            "4|HTML|0.95|0.9|0.94")  # fmt: skip
    relation = only(document(*rows, header_rows=1, name="t"))
    assert [column.title for column in relation.columns] == [
        "Layers", "Language", "TEDs simple", "TEDs complex", "TEDs all",
    ]  # fmt: skip
    again = only(document("A|B|B", "x|1|2", "y|3|4", header_rows=1, name="t"))
    assert [row[1] for row in again.rows] == ["x", "y"]


def test_groups_within_groups_head_columns_of_words() -> None:
    rows = ("|Class 1|||Class 2||", "|A and B||C|A|B|C", "R1|yes|no||no|yes|yes", "R2||||yes|no|")
    relation = only(document(*rows, header_rows=1, name="t", merges=(Merge(0, 1, 1, 3), Merge(0, 4, 1, 3),
                                                                     Merge(1, 1, 1, 2))))  # fmt: skip
    assert [column.title for column in relation.columns][3:] == ["Class 1 C", "Class 2 A", "Class 2 B", "Class 2 C"]
    assert [row[1] for row in relation.rows] == ["R1", "R2"]


def test_words_over_each_column_head_it_over_an_empty_row() -> None:
    rows = ("Deal #||Originated", "", "QU8654||3/1/2001", "QV5217||3/6/2001", "QV7829||3/7/2001", "QW5601||3/12/2001")
    relation = only(document(*rows))
    assert [column.title for column in relation.columns] == ["Deal #", "Originated"]


def test_a_form_whose_labels_end_in_a_column_of_colons_has_no_head() -> None:
    relation = only(document("kV|:|130|", "Hz|:|134|", "A|:|136 kA|Note 1", "V|:|2 x 136V|"))
    assert len(relation.rows) == 4


def test_keys_and_values_above_a_list_are_its_title() -> None:
    rows = (
        "Ledger|Client 12",
        "Period|1.1.24 - 31.12.24",
        "Account|Day|Text|Amount",
        "4711|1.2.24|Rent|5",
        "4712|3.4.24|Fee|7",
    )
    for parsed in (document(*rows, delimiter="|"), document(*rows)):
        relation = only(parsed)
        assert [column.title for column in relation.columns] == ["Account", "Day", "Text", "Amount"]
        assert relation.rows == [(4, 4711, "2024-02-01", "Rent", 5), (5, 4712, "2024-04-03", "Fee", 7)]


def test_keys_whose_values_have_a_unit_are_a_title_where_they_end_in_a_colon() -> None:
    below = (
        "Account Type:|Uniplus",
        "Day|Text|Paid out|Paid in|Balance",
        "1.2.24|Rent|800|0|200",
        "3.4.24|Fee|7|0|193",
    )
    relation = only(document("Account Number:|1234567890|SGD", *below))
    assert [column.title for column in relation.columns] == ["Day", "Text", "Paid out", "Paid in", "Balance"]
    assert [row[0] for row in relation.rows] == [4, 5]


def test_amounts_of_several_currencies_are_numbers_where_a_column_names_each() -> None:
    cells = tuple(
        Cell(row, 1, value=value, format=shape) for row, value, shape in ((1, 5.5, "0.00 [$€]"), (2, 7, "[$$-409]0.00"))
    )
    named, bare = (
        only(document(f"{head}|Amount", f"{first}|5.50 €", f"{second}|$7.00", cells=cells))
        for head, first, second in (("Currency", "EUR", "USD"), ("Name", "Ada", "Alan"))
    )
    assert (named.columns[1].type, named.columns[1].remark) == ("money", "mixed units: EUR, USD")
    assert [row[2] for row in named.rows] == [5.5, 7]
    assert (bare.columns[1].type, [row[2] for row in bare.rows]) == ("text", ["5.50 €", "$7.00"])


@pytest.mark.parametrize(
    ("shape", "unit"),
    [
        ("#,##0.00 [$€-407]", "EUR"),
        ("[$-409]0.00", ""),
        ("[$$-409]#,##0", "USD"),
        ("[$CHF] 0", "CHF"),
        ('0 "€"', "EUR"),
    ],
)
def test_the_language_of_a_number_format_is_no_currency(shape: str, unit: str) -> None:
    cells = tuple(Cell(row, 1, value=row, format=shape) for row in (1, 2))
    assert only(document("Name|Amount", "Ada|1", "Alan|2", cells=cells)).columns[1].unit == unit


def test_days_among_other_values_are_told_as_sql_compares_them() -> None:
    cells = (Cell(1, 1, value="2024-12-31", format="dd.mm.yyyy"), Cell(2, 1, value=7, format="0"))
    relation = only(document("Property|Model A", "Sold since|31.12.2024", "Weight|7", "Colour|red", cells=cells))
    assert [row[2] for row in relation.rows] == ["2024-12-31", "7", "red"]


def test_the_questions_of_a_survey_are_headings() -> None:
    asked = "Where do you live, and since when, and if you have moved in the last two years, where before that, " * 2
    relation = only(document(f"No.|Name|{asked}", "1|Ada|Leeds", "2|Bea|York", "3|Cy|Hull"))
    assert [column.title for column in relation.columns][:2] == ["No.", "Name"]


def test_a_named_table_begins_below_the_title_right_above_it() -> None:
    title = Table(rows=(("Sales", "of 2024"),))
    table = Table(rows=(("k", "k2"), ("a", "b"), ("c", "d")), header_rows=1, name="Pivot1", first_row=1)
    part = Part(kind="sheet", name="Data", blocks=(title, table))
    relation = only(ParsedDocument(parts=(part,)))
    assert [column.title for column in relation.columns] == ["k", "k2"]
    (record,) = find_relations(ParsedDocument(parts=(part,)))
    assert (record.name, record.title) == ("pivot1", "Sales of 2024")


def test_very_many_islands_are_told_apart_as_few_are() -> None:
    """Remarks and lists some empty rows apart, in a sheet as long as they get; each was compared with all others."""
    island = ("Remark", "", "name|amount", "a|1", "b|2", "", "", "", "")
    few, many = (find_relations(document(*island * count)) for count in (3, 10_000))
    assert [(one.first_row, one.last_row, one.title) for one in few] == [
        (3 + 9 * at, 4 + 9 * at, "Remark") for at in range(3)
    ]
    assert many[:3] == few


def test_the_samples_of_a_column_are_two_different_texts_however_long_they_are() -> None:
    long = "a remark that says a good deal more than a sample shows of it"
    parsed = document(
        "who|remark|sum", f"a|{long}|1", f"b|{long}|2", "c|short|3", cells=(Cell(row=1, col=2, value=1.0),)
    )
    (record,) = find_relations(parsed)
    assert record.columns[1].samples == (long[:24], "short")


def test_names_of_rows_below_levels_of_columns() -> None:
    relation = only(
        document("|Type|LRC||LIC|", "|Basis|C|L|C|L", "Novelty|Aoc||||", "C|CL|1|2|3|4", "I|BOP|5|6|7|8",
                 merges=(Merge(0, 2, 1, 2), Merge(0, 4, 1, 2)))
    )  # fmt: skip
    assert [column.title or column.name for column in relation.columns[:4]] == ["Novelty", "Aoc", "LRC C", "LRC L"]
    assert [row[1:3] for row in relation.rows] == [("C", "CL"), ("I", "BOP")]


def test_what_stands_below_a_named_table_is_none_of_it() -> None:
    named = document("Name|Age", "Ann|7", "Bo|9", header_rows=1, name="People").parts[0].blocks[0]
    notes = document("Some|notes", "|here").parts[0].blocks[0]
    assert isinstance(named, Table)
    assert isinstance(notes, Table)
    part = Part(kind="sheet", name="Data", blocks=(named, replace(notes, first_row=3)))
    people = relations(ParsedDocument(parts=(part,)))[0]
    assert [(column.name, column.type) for column in people.columns[:2]] == [("name", "text"), ("age", "number")]
    assert len(people.rows) == 2


@pytest.mark.parametrize("width", [21, 54, 372])
def test_columns_beyond_the_twentieth_are_of_the_table_too(width: int) -> None:
    rows = ["|".join([name, *(str(at * by) for at in range(1, width))]) for by, name in enumerate(("a", "b", "c"), 1)]
    relation = only(document("|".join(["Name", *(f"Value {at}" for at in range(1, width))]), *rows))
    assert len(relation.columns) == width
    assert relation.columns[-1].name == f"value_{width - 1}"
    assert [row[-1] for row in relation.rows] == [width - 1, 2 * (width - 1), 3 * (width - 1)]


def test_a_table_that_begins_beyond_the_twentieth_column_is_found() -> None:
    found = relations(
        document(*(f"{left}{'|' * 25}{right}" for left, right in (("A|B", "C|D"), ("x|1", "y|2"), ("z|3", "w|4"))))
    )
    assert [[column.name for column in one.columns] for one in found] == [["a", "b"], ["c", "d"]]


def test_a_table_of_more_columns_than_can_be_asked_tells_of_those_beyond() -> None:
    parsed = document("|".join(f"c{at}" for at in range(1200)), *("|".join(map(str, range(1200))) for _ in range(3)))
    (record,) = find_relations(parsed)
    assert (len(record.columns), record.beyond) == (1000, 200)
    (left,) = only(parsed).left_out()
    assert (left.count, left.where) == (200, "ALM to ATD")
    assert "1,000" in left.reason


def test_infinite_values_leave_a_column_of_numbers_one() -> None:
    relation = only(document("run|loss", "a|1.5", "b|INF", "c|-inf", "d|nan", "e|2"))
    assert [column.type for column in relation.columns] == ["text", "number"]
    assert [row[2] for row in relation.rows] == [1.5, None, None, None, 2]
    assert [(one.count, one.where) for one in relation.left_out()] == [(2, "B3, B4")]


def test_sections_that_empty_rows_part_are_one_table_with_their_headings() -> None:
    balance = document(
        "Item|2023|2022", "Assets||", "Cash|10|20", "Stock|5|6", "", "Liabilities||", "Loans|7|8", "Tax|3|4", "",
        "Equity||", "", "Capital|1|2",
    )  # fmt: skip
    relation = only(balance)
    assert [column.title for column in relation.columns] == ["Item", "2023", "2022"]
    assert [row[1] for row in relation.rows] == ["Cash", "Stock", "Loans", "Tax", "Capital"]
    assert relation.headings == ["Assets", "Assets", "Liabilities", "Liabilities", "Equity"]


def test_sections_of_words_and_of_fewer_columns_go_on_with_the_table() -> None:
    relation = only(
        document(
            "|Name|In 2019|In 2018|In 2017|Source",
            "Gross|||||",
            "",
            "Wages|w|1|28|22|x",
            "Other|none||||",
            "Pensions|p||16|15|",
            "",
            "Net|||||",
            "",
            "Wages|n||94|91|z",
            "",
            "Duties|||||",
            "",
            "Old|none||||",
            "New|none||||",
        )
    )
    assert [row[1] for row in relation.rows] == ["Wages", "Other", "Pensions", "Wages", "Old", "New"]
    assert set(relation.headings) == {"Gross", "Net", "Duties"}
    assert [column.type for column in relation.columns] == ["text", "text", "number", "number", "number", "text"]


@pytest.mark.parametrize(
    "second",
    [
        ("Costs||", "Item|2023|2022", "Rent|1|2", "Light|3|4"),
        ("Costs||", "Item|2021|2020", "Rent|1|2", "Light|3|4"),
        ("Notes||", "1|all of them|", "2|some|"),
    ],
)
def test_what_has_a_head_of_its_own_or_other_kinds_is_no_section(second: tuple[str, ...]) -> None:
    first, *_ = relations(document("Item|2023|2022", "Cash|10|20", "Stock|5|6", "", *second))
    assert [row[1] for row in first.rows] == ["Cash", "Stock"]


NUMBERED_HEADS = [
    (("x|1", "4.6|0.2", "6.4|0.21", "7|0.3", "8|0.1", "9|.4"), ["x", "1"]),
    (("Name|1929|1930|1931|1932", "A|1990|2001|5|2", "B|3|2000|1|1", "C|1|9|4|5", "D|7|2|8|4"),
     "Name 1929 1930 1931 1932"),
    (("id|1022|1025", "a|TRUE|FALSE", "b|TRUE|FALSE", "c|TRUE|FALSE", "d|FALSE|TRUE"), ["id", "1022", "1025"]),
    (("a|1", "b|2", "c|3", "d|4", "e|5"), ["", ""]),
    (("Room|101", "Floor|first", "Wing|east", "Key|brass", "Door|oak"), ["", ""]),
    (("3|1|x", "4|2|y", "5|3|z", "6|4|w", "7|5|v"), ["", "", ""]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "titles"), NUMBERED_HEADS)
def test_numbers_name_columns_where_they_stand_apart_from_what_is_below(
    rows: tuple[str, ...], titles: str | list[str]
) -> None:
    wanted = titles.split() if isinstance(titles, str) else titles
    assert [column.title for column in only(document(*rows, delimiter=",")).columns] == wanted


def test_what_stands_in_brackets_below_the_names_is_part_of_them() -> None:
    relation = only(document("name|species|weight", "(at birth)|(office supply type)|(in grams)", "Clippy|clip|0.9"))
    assert [column.title for column in relation.columns] == [
        "name (at birth)", "species (office supply type)", "weight (in grams)",
    ]  # fmt: skip


def test_digits_of_one_length_are_codes_where_one_begins_with_a_nought() -> None:
    assert values("01030", "18790", "26980", "33850", "44444", "55555")[:2] == (
        "text", ["01030", "18790", "26980", "33850", "44444", "55555"],
    )  # fmt: skip
    assert values("7", "12", "1250", "15", "16")[0] == "number"
    many = [f"n|{20000 + at}" for at in range(1599)]  # more than are looked at before they are read
    relation = only(document("name|place", *many, "n|01234", *["n|22222"] * 400, delimiter=","))
    assert (relation.columns[1].type, relation.rows[1599][2]) == ("text", "01234")


def test_rows_of_nothing_but_a_merge_from_above_are_none() -> None:
    relation = only(
        document(
            "Benefit|2018|2017|Note", "Housing|5|6|all of them", "Family|1|2|", "", "Sums|||", "", "Housing|50|60|",
            "Family|10|20|", merges=(Merge(1, 3, 7, 1),),
        )
    )  # fmt: skip
    assert [row[1] for row in relation.rows] == ["Housing", "Family", "Housing", "Family"]
    assert relation.headings == [None, None, "Sums", "Sums"]
    assert {row[4] for row in relation.rows} == {"all of them"}


TOTALS = [
    (("Region|Sales", "|600", "North|100", "South|200", "West|300"), [2]),
    (("Region|Sales", "North|100", "South|200", "West|300", "|600"), [5]),
    (("Region|Sales", "Germany|600", "North|100", "South|200", "West|250", "East|50"), []),
    (("Region|Sales", "North|100", "|200", "South|200", "West|300", "|800"), []),
    (("Region|Sales|Cost", "Germany|100.0|60.1", "North|33.3|10", "South|33.3|20", "West|33.3|25", "East|0|5.1"), [2]),
    (("Region|Sales|Cost", "Germany|10.0|60.1", "North|3.2|10", "South|3.2|20", "West|3.2|25", "East|0|5.1"), []),
]


@pytest.mark.parametrize(("rows", "totals"), TOTALS)
def test_a_row_without_a_name_or_rounded_is_a_total_where_it_is_the_sum(
    rows: tuple[str, ...], totals: list[int]
) -> None:
    assert [row[0] for row in only(document(*rows)).apart] == totals


def test_marks_of_notes_leave_numbers_numbers_and_are_told_of() -> None:
    kind, found, remark = values("1,234*", "567**", "12", "45†", "47 [1]", "48¹")
    assert (kind, found) == ("number", [1234, 567, 12, 45, 47, 48])
    assert remark.startswith("numbers with marks of notes")


def test_marks_of_notes_behind_units_leave_numbers_numbers() -> None:
    kind, found, remark = values("827'839 kr†", "3 kr", "12'000 kr¹", "5.5 krª", "7 kr [2]")
    assert (kind, found) == ("number", [827839, 3, 12000, 5.5, 7])
    assert remark.startswith("numbers with marks of notes")


def test_remarks_in_brackets_behind_many_numbers_leave_them_numbers_and_a_total_a_total() -> None:
    rows = ("Item|Cost|Sold", "Lamp|1,200.50 (1)|7 (1)", "Desk|300.00|5 (2)", "Chair|2.25 (1)|6", "Cover|7.00|9")
    relation = only(chapter(*rows, "Everything|1,509.75|27", header_rows=1))
    assert [row[2:] for row in relation.rows] == [(1200.5, 7), (300, 5), (2.25, 6), (7, 9)]
    assert [row[:2] for row in relation.apart] == [(6, "total")]


def test_thousands_parted_by_spaces_leave_the_comma_to_decimals() -> None:
    rows = ("Item|Weight|Sold", "Lamp|47,702|40 798", "Desk|65,580|67 962", "Chair|37,061|50 214")
    assert [row[2:] for row in only(chapter(*rows, header_rows=1)).rows] == [
        (47.702, 40798), (65.58, 67962), (37.061, 50214)
    ]  # fmt: skip


def test_a_table_reads_its_numbers_by_its_own_before_those_of_others() -> None:
    tables = [
        Table(rows=(("Item", "Weight", "Hours"), ("Lamp", "47,702", "1,5"), ("Desk", "65,580", "2,5")), header_rows=1),
        Table(rows=(("Item", "Weight", "Hours"), ("Lamp", "47,702", "1.5"), ("Desk", "65,580", "2.5")), header_rows=1),
    ]
    parsed = ParsedDocument(parts=(Part(kind="chapter", blocks=(tables[0], Paragraph(text="And:"), tables[1])),))
    assert [one.rows[0][2:] for one in relations(parsed)] == [(47.702, 1.5), (47702, 1.5)]


def test_a_separator_that_only_the_kind_of_a_list_explains_is_told_of() -> None:
    kind, found, remark = values("1,234", "5,678", delimiter=";")
    assert (kind, found) == ("number", [1.234, 5.678])
    assert (
        remark == "',' stands before three digits in each and was taken to part decimals, which nothing else here shows"
    )
    assert values("1,234", "5,678,901", delimiter=";")[1:] == ([1234, 5678901], "")
    assert (
        only(document("name|x", "a|1,234", "b|5,678"))
        .columns[1]
        .remark.endswith("thousands, which nothing else here shows")
    )


def test_the_place_of_a_currency_says_more_than_the_kind_of_document() -> None:
    for sheet in (("52.480 €", "35.000 €"), ("-52.480 EUR", "35.000 EUR"), ("(52.480 €)", "35.000 €")):
        column = only(document("name|x", *(f"n{at}|{text}" for at, text in enumerate(sheet))))
        assert column.rows[0][2] in (52480, -52480), sheet
        assert column.columns[1].remark == ""
    assert values("$52,480", "$35,000", delimiter=";") == ("money", [52480, 35000], "")
    fuel = only(document("name|x", "a|€1.459", "b|€1.523"))
    assert fuel.rows[0][2] == 1.459
    assert "taken to part decimals" in fuel.columns[1].remark
    # Another column that shows how numbers are written is believed before it.
    shown = only(document("name|x|y", "a|52.480 €|1.5", "b|35.000 €|2.25"))
    assert shown.rows[0][2] == 52.48


def test_key_figures_of_a_workbook_are_numbers_though_some_are_percentages() -> None:
    rows = ((120.5, "0.0"), (0.41, "0%"), (9004, "#,##0"), (1250, '#,##0 "€"'), (0.07, "0.0%"))
    cells = tuple(Cell(row=at, col=1, value=value, format=code) for at, (value, code) in enumerate(rows, 1))
    texts = (("Energy", "120.5"), ("Recycled", "41%"), ("Water", "9,004"), ("Cost", "1,250 €"), ("Sick", "7.0%"))
    block = Table(rows=(("Indicator", "2025"), *texts), cells=cells, header_rows=1)
    parsed = ParsedDocument(parts=(Part(kind="sheet", name="KPIs", blocks=(block,)),))
    column = only(parsed).columns[1]
    assert (column.type, column.unit) == ("number", "")
    assert "12.5 % is 0.125" in column.remark
    assert [row[2] for row in only(parsed).rows] == [120.5, 0.41, 9004, 1250, 0.07]
    # Numbers without a format hold no more than their text.
    block = Table(rows=(("Indicator", "2025"), *texts[:2], ("Water", "9004")), cells=cells[1:2], header_rows=1)
    parsed = ParsedDocument(parts=(Part(kind="sheet", name="KPIs", blocks=(block,)),))
    assert [row[2] for row in only(parsed).rows] == [120.5, 0.41, 9004]
    # Texts do not say whether 41 beside "7 %" is one too, and sums of several currencies are none.
    assert values("41", "7 %", "120", "5 %")[0] == "text"


def test_a_currency_among_numbers_without_one_is_told_of() -> None:
    assert values("5", "7 €", "8", "9")[::2] == ("money", "only 1 of 4 values show EUR, the others no unit")
    assert values("5 €", "7", "8", "9")[::2] == ("money", "")
    assert values("5", "7 €", "8", "9", title="Price (€)")[::2] == ("money", "")


def test_margins_of_error_leave_numbers_numbers_and_are_told_of() -> None:
    kind, found, remark = values("84.2 ± 0.3", "79.9±1.1*", "81 (±2)", "7.5 +/- .5", "80")
    assert (kind, found) == ("number", [84.2, 79.9, 81, 7.5, 80])
    assert "margins of error" in remark
    assert values("84.2 ± 0.3 %", "7 % (± 1 %)")[:2] == ("percent", [0.842, 0.07])
    assert values("±0.3", "±0.5")[0] == "text"
    assert values("100", "200r", "300 p", "400", "500")[:2] == ("number", [100, 200, 300, 400, 500])
    assert values("5 g", "500 m", "2 t")[0] == "text"
    assert values("5 kg", "500 g", "2")[0] == "text"
    assert values("(a)", "1 (b)", "2 (c)")[0] == "text"


def test_lakhs_and_crores_are_numbers() -> None:
    assert values("1,23,456.00", "12,345.00", "1,00,00,000")[:2] == ("number", [123456, 12345, 10000000])
    assert values("1,23,45", "1,2,345")[0] == "text"


def test_signs_under_names_of_figures_are_their_units_though_not_all_are_known() -> None:
    relation = only(document("Station|Temp|Wind|Rain", "-|deg C|m/s|mm/day", "A|1|2|3", "B|2|3|4"))
    assert [(column.title, column.unit) for column in relation.columns[1:]] == [
        ("Temp (deg C)", "deg C"), ("Wind (m/s)", "m/s"), ("Rain (mm/day)", "mm/day"),
    ]  # fmt: skip


def test_remarks_scattered_around_a_table_are_none() -> None:
    found = relations(
        document(
            "Name|Age|City|Job", "A|1|x|y", "B|2|x|y", "C|3|x|y", "", "also|||", "|like to||", "||write|", "",
            "",
        )
    )  # fmt: skip
    assert [len(one.rows) for one in found] == [3]


def test_groups_said_over_each_of_their_columns_are_a_level_of_the_head() -> None:
    rows = (",Jan,Jan,Feb,Feb", "[kWh],SA,WT,SA,WT", "00:00,1,2,3,4", "00:15,5,6,7,8")
    relation = only(document(*(row.replace(",", "|") for row in rows), delimiter=",", header_rows=1))
    assert [column.title for column in relation.columns] == ["[kWh]", "Jan SA", "Jan WT", "Feb SA", "Feb WT"]
    assert len(relation.rows) == 2


def test_the_order_of_day_and_month_that_one_sheet_tells_holds_for_the_others() -> None:
    blocks = [
        document(f"Day|Cases|{'Place' * at}", *(f"{day}|{place}|x" for place, day in enumerate(days)))
        .parts[0].blocks
        for at, days in enumerate((("12/06/2021", "05/06/2021"), ("12/06/2021", "29/01/2020")))
    ]  # fmt: skip
    parsed = ParsedDocument(parts=tuple(Part(kind="sheet", name=f"S{at}", blocks=own) for at, own in enumerate(blocks)))
    first, second = relations(parsed)
    assert [row[1] for row in first.rows] == ["2021-06-12", "2021-06-05"]
    assert [row[1] for row in second.rows] == ["2021-06-12", "2020-01-29"]


def test_single_letters_are_no_labels_of_other_letters() -> None:
    relation = only(document("A|B|C", "stuff|more stuff|", "things|more|even more", "a|b|", "one|two|", "1|2|3"))
    assert [row[1] for row in relation.rows][-5:] == ["stuff", "things", "a", "one", "1"]


def test_a_row_of_words_is_no_total() -> None:
    relation = only(document("Method|Whole|Real", "average|float|double", "sum|integer|float", "mode|integer|same"))
    assert [row[1] for row in relation.rows] == ["average", "sum", "mode"]


def test_years_of_the_next_century_behind_others_name_columns() -> None:
    rows = ("|2020|2050|2110", "Baseline|10|12|14", "Low|8|7|5")
    names = [column.title for column in only(document(*rows)).columns]
    assert names == ["", "2020", "2050", "2110"]
    rows = ("2110|5|6|7", "2150|10|12|14", "2190|8|7|5")
    assert not any(column.title for column in only(document(*rows)).columns)


@pytest.mark.parametrize(
    ("texts", "kind", "read", "remark"),
    [
        (("5", "<5", "12", "≥ 30", "7"), "number", [5, None, 12, None, 7], ""),
        (("<5", "<5", "12"), "text", ["<5", "<5", "12"], ""),
        (("0.5", "< 0.001", "0.25"), "number", [0.5, None, 0.25], ""),
        (("Jan 2024", "February 2024", "Sept. 2024"), "date", ["2024-01-01", "2024-02-01", "2024-09-01"], "months"),
        (("März 2024", "Dez 2024"), "date", ["2024-03-01", "2024-12-01"], "months"),
        (("2024年3月", "2024年12月"), "date", ["2024-03-01", "2024-12-01"], "months"),
        (("1991 Jul", "1991 Aug"), "date", ["1991-07-01", "1991-08-01"], "months"),
        (("Jan 2024", "later"), "text", ["Jan 2024", "later"], ""),
        (("Q4 2023", "Q1 2024"), "text", ["Q4 2023", "Q1 2024"], "quarters"),
        (("4Q23", "1Q24"), "text", ["4Q23", "1Q24"], "quarters"),
        (("1 kg", "2 kg"), "number", [1, 2], ""),
        (
            ("01-01-13", "01-04-13", "01-07-13", "01-10-14"),
            "date",
            ["2013-01-01", "2013-04-01", "2013-07-01", "2014-10-01"],
            "",
        ),
        (
            ("04/01/13", "07/01/13", "10/01/14", "01/01/14"),
            "date",
            ["2013-04-01", "2013-07-01", "2014-10-01", "2014-01-01"],
            "",
        ),
        (
            ("01-01-13", "01-04-13", "01-07-13", "01-10-13"),
            "text",
            ["01-01-13", "01-04-13", "01-07-13", "01-10-13"],
            "ambiguous dates",
        ),
        (("50.", "0.", "0.", "-3."), "number", [50, 0, 0, -3], ""),
        (("0.5", "1."), "number", [0.5, 1], ""),
        (("1.", "2.", "3."), "text", ["1.", "2.", "3."], ""),
        (("8.5%*", "3 % [S2][R1]", "4%"), "percent", [0.085, 0.03, 0.04], "numbers with marks"),
        (("974 [S2]", "1,823 [S2]", "12"), "number", [974, 1823, 12], "numbers with marks"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_limits_months_points_and_marks(texts: tuple[str, ...], kind: str, read: list[Any], remark: str) -> None:
    found = values(*texts)
    assert found[:2] == (kind, read)
    assert found[2].startswith(remark) and bool(found[2]) == bool(remark)


def test_months_in_digits_are_months_where_the_heading_says_so() -> None:
    assert values("2024-01", "2024-02", title="Month")[:2] == ("date", ["2024-01-01", "2024-02-01"])
    assert values("2024-01", "2024-02", title="Invoice")[:2] == ("text", ["2024-01", "2024-02"])
    assert values("1949-50", "1950-51", title="Period")[:2] == ("text", ["1949-50", "1950-51"])


def test_a_note_beside_cells_of_blanks_is_none_of_the_data() -> None:
    relation = only(document("State|Code|Total", "Iowa|IA|5", "Ohio|OH|7", "Note: some are counted twice| | "))
    assert [row[1] for row in relation.rows] == ["Iowa", "Ohio"]
    assert [one.reason for one in relation.left_out()] == ["note"]


def test_a_number_before_a_remark_is_taken_and_told() -> None:
    texts = ("1.5 %", "2.0 %", "8.3% (derived)", "n/a", "2.75% / 2.50%", "3 %", "4 %", "5 %", "6 %", "7 %", "8 %")
    relation = only(document("name|rate", *(f"n{at}|{text}" for at, text in enumerate(texts)), delimiter="|"))
    assert [row[2] for row in relation.rows][:5] == [0.015, 0.02, 0.083, None, None]
    assert [(one.reason, one.where) for one in relation.left_out()] == [
        ("number with a remark behind, only the number taken, in rate: '8.3% (derived)'", "B4"),
        ("text in the percent column rate: '2.75% / 2.50%'", "B6"),
    ]


def test_what_stands_above_a_table_of_a_text_is_its_title() -> None:
    (table,) = chapter("Year|Rate", "1|5", "2|6").parts[0].blocks
    long = "These are the rates that were agreed upon when the contract was written, year by year."
    blocks = (
        Heading(text="Lapses"), table, Heading(text="Costs", level=2), Paragraph(text="Men:"), table,
        Paragraph(text=long), table,
    )  # fmt: skip
    found = find_relations(ParsedDocument(parts=(Part(kind="chapter", blocks=blocks),)))
    assert [one.title for one in found] == ["Lapses", "Men · Costs", "Costs"]


def test_empty_cells_below_labels_are_those_labels() -> None:
    rows = ("Arm|Sex|Dose|N", "A|M|1|3", "||2|4", "|F|1|5", "||NA|6", "B|M|1|7", "||2|8", "|F|1|9", "||2|10")
    relation = only(chapter(*rows, header_rows=1))
    assert [row[1:3] for row in relation.rows] == [
        ("A", "M"), ("A", "M"), ("A", "F"), ("A", "F"), ("B", "M"), ("B", "M"), ("B", "F"), ("B", "F"),
    ]  # fmt: skip
    assert [(one.reason, one.count) for one in relation.left_out()] == [
        ("empty cell of arm taken as the label above it", 6), ("empty cell of sex taken as the label above it", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rows",
    [
        ("Arm|Dose", "A|1", "|2", "|3", "A|4", "|5"),  # said twice
        ("Arm|Dose", "|1", "A|2", "|3", "B|4", "|5"),  # does not begin with one
        ("Flag|Dose", "*|1", "|2", "|3", "**|4", "|5"),
        ("Year|Dose", "2020|1", "-|2", "-|3", "2021|4", "-|5"),  # said to be missing
        ("Arm|Sex|Dose", "A|M|1", "||2", "B||3", "|F|4", "||5"),
        ("Arm|Dose", "A|1", "B|2", "C|3", "D|4", "|5"),
    ],
)
def test_empty_cells_elsewhere_stay_empty(rows: tuple[str, ...]) -> None:
    assert any(row[1] is None for row in only(chapter(*rows, header_rows=1)).rows)


def test_empty_cells_of_delimited_lists_stay_empty() -> None:
    rows = ("Arm|Dose", "A|1", "|2", "|3", "B|4", "|5")
    assert [row[1] for row in only(document(*rows, delimiter="|")).rows] == ["A", None, None, "B", None]


def test_empty_cells_below_labels_that_have_their_subtotals_are_those_labels() -> None:
    rows = ("Client|Job|Hours", "Alpha|a|1", "|b|2", "Total Alpha||3", "Beta|c|4", "|d|5", "Beta total||9")
    relation = only(document(*rows, delimiter="|"))
    assert [row[1] for row in relation.rows] == ["Alpha", "Alpha", "Beta", "Beta"]


def test_the_head_of_a_pivot_table_has_the_groups_of_its_columns() -> None:
    rows = (
        "Summe von Menge|Spaltenbeschriftungen", "|2023||2023 Ergebnis|2024||2024 Ergebnis",
        "Zeilenbeschriftungen|A|B||A|B|", "Bern|1|2|3|4|5|9", "Basel|2|2|4|1|1|2", "Gesamtergebnis|3|4|7|5|6|11",
    )  # fmt: skip
    relation = only(document(*rows))
    assert [column.name for column in relation.columns][1:] == [
        "y2023_a", "y2023_b", "y2023_ergebnis", "y2024_a", "y2024_b", "y2024_ergebnis",
    ]  # fmt: skip
    assert [row[1:3] for row in relation.rows] == [("Bern", 1), ("Basel", 2)]


def test_lengths_of_time_are_said_to_be_some() -> None:
    kind, _, remark = values("2m23s", "17s", "1m05s", "59s")
    assert (kind, remark) == ("text", "lengths of time such as 2m23s; hours(x) gives their hours")


def test_many_keys_and_values_above_a_table_are_none_of_it() -> None:
    keys = [f"key {at}|{at}" for at in range(18)]
    rows = ["Activity|shipping", *keys, "Exchanges", "name|amount|unit|type"]
    rows += [f"steel {at}|{at + 0.5}|kg|in" for at in range(8)]
    relation = only(document(*rows))
    assert [(column.name, column.type) for column in relation.columns][:2] == [("name", "text"), ("amount", "number")]
    assert len(relation.rows) == 8


def test_a_table_whose_rows_all_are_hidden_is_kept_and_said_to_be() -> None:
    parsed = document("Name|Sales", *(f"n{at}|{at}" for at in range(6)), hidden_rows=(1, 2, 3, 4, 5, 6))
    (record,) = find_relations(parsed)
    assert record.hidden and record.rows == 6
    parsed = document("Name|Sales", *(f"n{at}|{at}" for at in range(6)), hidden_rows=(1, 2, 3, 4, 5))
    (record,) = find_relations(parsed)
    assert not record.hidden and record.rows == 1


@pytest.mark.parametrize("delimiter", ["", "|"])
def test_three_levels_said_again_over_each_column_name_it_together(delimiter: str) -> None:
    rows = ("|Asia|Asia|Asia|Asia|Europe|Europe|Europe|Europe", "|Men|Men|Women|Women|Men|Men|Women|Women")
    rows += ("Year|Plan|Actual|Plan|Actual|Plan|Actual|Plan|Actual", "2020|1|2|3|4|5|6|7|8", "2021|1|2|3|4|5|6|7|8")
    columns = only(document(*rows, delimiter=delimiter)).columns
    assert [column.title for column in columns][:4] == ["Year", "Asia Men Plan", "Asia Men Actual", "Asia Women Plan"]
    assert {column.type for column in columns} == {"number"}


def test_words_about_a_sheet_are_no_table() -> None:
    assert find_relations(document("Prepared by||||Status", "|Anna||checked|", "", "Draft|||Version|2")) == ()


@pytest.mark.parametrize("numbers", ["1|2|3|4", "(1)|(2)|(3)|(4)"])
@pytest.mark.parametrize("declared", [0, 1, 2])
def test_a_row_that_numbers_the_columns_is_no_data(numbers: str, declared: int) -> None:
    rows = ("Region|Plan|Actual|Rest", numbers, "North|5|7|9", "South|6|8|1", "West|3|4|2")
    relation = only(chapter(*rows, header_rows=declared))
    assert [column.title for column in relation.columns] == ["Region", "Plan", "Actual", "Rest"]
    assert sum(int(row[2] or 0) for row in relation.rows) == 14
    rows = ("Nr|A|B|C", "1|2|3|4", "2|5|6|7", "3|1|2|8")
    assert len(only(chapter(*rows, header_rows=min(declared, 1))).rows) == 3


def test_a_cell_over_the_whole_width_heads_the_rows_below_it() -> None:
    rows = ("Code|Name", "Class 00|", "00000|done", "00001|half", "Class 01|", "01000|warning", "End|")
    merges = tuple(Merge(row, 0, 1, 2) for row in (1, 4, 6))
    relation = only(chapter(*rows, header_rows=1, merges=merges))
    assert [row[1] for row in relation.rows] == ["00000", "00001", "01000"]
    assert relation.headings == ["Class 00", "Class 00", "Class 01"]
    assert [row[1] for row in relation.apart] == ["heading inside the table"] * 2 + ["note"]


def test_a_superscript_behind_a_number_is_no_digit_of_it() -> None:
    raised = Cell(1, 1, spans=(Span("sup", 1, 2),))
    relation = only(chapter("Team|Points", "Reds|42", "Blues|7", "Greens|9", header_rows=1, cells=(raised,)))
    assert [row[2] for row in relation.rows] == [4, 7, 9]
    assert "marks of notes" in relation.columns[1].remark


def test_extremes_below_an_average_are_told_as_totals_are() -> None:
    pupils = ("Pupil|Math|Art", "Eve|80|90", "Tom|60|70", "Max|100|50")
    relation = only(document(*pupils, "Average|80|70", "Max|100|90"))
    assert [row[1] for row in relation.rows] == ["Eve", "Tom", "Max"]
    assert [row[1] for row in only(document(*pupils)).rows] == ["Eve", "Tom", "Max"]


def test_a_table_of_statistics_has_no_totals() -> None:
    labels = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")
    relation = only(document("stat|height|width", *(f"{label}|{at}.5|{at}" for at, label in enumerate(labels, 3))))
    assert [row[1] for row in relation.rows] == [*labels]


def test_a_unit_under_the_head_over_a_missing_figure_is_no_row() -> None:
    relation = only(document("No.|Name|Budget", "||h", "1|Ada|", "2|Alan|751", "3|Grace|", "4|Edsger|323"))
    assert [(column.title, column.unit) for column in relation.columns][2] == ("Budget (h)", "h")
    assert [row[3] for row in relation.rows] == [None, 751, None, 323]


def test_a_table_goes_on_below_an_empty_row_though_its_last_row_lacks_what_the_next_has() -> None:
    rows = ("Customer|Units|Budget", "Ada|6515|2200", "Alan|7277|81771", "Grace|| 6538", "", "Edsger|4836|", "Ada|1|2")
    assert [row[1] for row in only(document(*rows)).rows] == ["Ada", "Alan", "Grace", "Edsger", "Ada"]


def test_rows_are_counted_by_the_types_that_the_columns_have_in_the_end() -> None:
    rows = ("Unit|Land|Price", "a|UK|894.37 kg", "b|UK|695.82 kg", "c|IE|444.8 kg", "TOTAL||2034.99", "1) estimated||")
    parsed = document(*rows, cells=(Cell(4, 2, value=2034.99, format="[$£-809]#,##0.00"),))
    (record,) = find_relations(parsed)
    assert record.rows == len(only(parsed).rows) == 3


@pytest.mark.parametrize("delimiter", ["", ","])
def test_spaces_around_a_text_are_no_part_of_it_and_make_no_value(delimiter: str) -> None:
    relation = only(document("Item|Status", "a|open ", "b| open", "c| ", "d|\u00a0open\n", delimiter=delimiter))
    assert [row[2] for row in relation.rows] == ["open", "open", None, "open"]


def test_labels_alone_in_two_columns_head_the_rows_below_where_they_are_so_from_the_first_on() -> None:
    relation = only(chapter("Item|EUR", "Income|", "Rent|100", "Fees|50", "Costs|", "Wages|70", "Power|20", "Water|5"))
    assert [row[1] for row in relation.rows] == ["Rent", "Fees", "Wages", "Power", "Water"]
    assert list(relation.headings) == ["Income", "Income", "Costs", "Costs", "Costs"]
    missing = only(chapter("Item|EUR", "Rent|100", "Fees|", "Wages|70", "Power|", "Water|5"))
    assert len(missing.rows) == 5


def test_totals_of_small_groups_are_told_where_they_add_up_and_no_label_comes_again() -> None:
    rows = ("A|1", "B|2", "Subtotal|3", "C|5", "D|7", "Subtotal|12", "Total|15")
    relation = only(chapter("Name|EUR", *rows))
    assert [row[1] for row in relation.rows] == ["A", "B", "C", "D"]
    again = only(chapter("Sex|People", "Men|1", "Women|2", "Total|3", "Men|5", "Women|7", "Total|12"))
    assert len(again.rows) >= 5  # "Total" is one of its categories


@pytest.mark.parametrize(("last", "rows"), [("Overall|7.3", 3), ("All|7.5", 3), ("All|9.9", 4), ("Allen|7.3", 4)])
def test_an_average_over_all_is_no_row_and_the_best_of_a_comparison_is_one(last: str, rows: int) -> None:
    assert len(only(chapter("Region|Score", "North|7", "South|6", "West|9", last)).rows) == rows


def test_addresses_and_versions_alike_head_no_others() -> None:
    relation = only(chapter("127.1.0.1|RBL", "127.1.0.2|DUL", "127.1.0.3|RBL and DUL"))
    assert len(relation.rows) == 3
    assert only(chapter("2.6.11|a", "2.6.10|b", "2.6.9|c")).rows[0][1] == "2.6.11"


def test_blank_rows_among_heading_rows_are_not_counted() -> None:
    rows = ("||", "simple||", "package|relative|total", "options|1.0x|3.41s", "keys|1.3x|4.34s", "values|8.1x|27.77s")
    relation = only(chapter(*rows, header_rows=3, merges=(Merge(1, 0, 1, 3),)))
    assert [column.title for column in relation.columns] == ["package", "relative", "total"]
    assert [row[1] for row in relation.rows] == ["options", "keys", "values"]


def test_a_minus_before_a_unit_of_letters_is_one() -> None:
    assert values("7 593,50 kr", "310,25- kr", "12,00 kr", delimiter=";")[1] == [7593.5, -310.25, 12.0]


def test_years_alone_head_rows_that_begin_with_words() -> None:
    rows = ("2023||", "Chair|5|1.5", "Desk|6|2.5", "2024||", "Lamp|7|3.5", "Router|8|4.5")
    relation = only(chapter("Product|Qty|Price", *rows))
    assert [row[1] for row in relation.rows] == ["Chair", "Desk", "Lamp", "Router"]
    assert list(relation.headings) == ["2023", "2023", "2024", "2024"]
    years = only(chapter("Year|Qty|Price", "2021|5|1.5", "2022||", "2023|6|2.5", "2024|7|3.5"))
    assert len(years.rows) == 4


def test_headings_of_two_columns_may_be_cells_over_both_or_not() -> None:
    rows = ("Income|", "Rent|100", "Fees|50", "Costs|", "Wages|70", "Power|20")
    relation = only(chapter("Item|EUR", *rows, merges=(Merge(4, 0, 1, 2),)))
    assert list(relation.headings) == ["Income", "Income", "Costs", "Costs"]


def test_letters_of_notes_behind_units_brackets_and_minus_are_no_part_of_a_number() -> None:
    assert values("54.7 %a", "59.6 %", "60.1 %b")[1] == [0.547, 0.596, 0.601]
    assert values("8915.38", "(473.34)a", "7034.49€c", "12.50-b", title="EUR")[1] == [8915.38, -473.34, 7034.49, -12.5]


def test_numbers_with_remarks_are_figures_of_a_table_and_no_record() -> None:
    rows = ("LSTM|196.1", "kNN|155.0 (1)", "ViT-B/16|113.4", "U-Net|63.8 (1)", "CRF|52.8")
    assert [row[2] for row in only(chapter("Model|Hours", *rows)).rows] == [196.1, 155, 113.4, 63.8, 52.8]


def test_whole_numbers_with_thousands_and_a_point_behind_are_numbers() -> None:
    assert values("13,096.", "19,320.", "162,999.")[1] == [13096, 19320, 162999]


def test_pieces_of_addresses_are_no_words_of_a_language() -> None:
    said = "This is the list of frameworks, with the requests that each of them answers: "
    links = " ".join(f"https://example.com/le/{at} a.{at}@example.com" for at in range(20))
    table = Table(rows=(("Framework", "Requests"), ("Express", "14,200"), ("Koa", "54,272")), header_rows=1)
    parsed = ParsedDocument(parts=(Part(kind="chapter", blocks=(Paragraph(text=said + links), table)),))
    assert [row[2] for row in only(parsed).rows] == [14200, 54272]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("1:02:34", "59:12", "1:10:05"), ["1:02:34", "0:59:12", "1:10:05"]),
        (("3:45", "12:30", "1:02:33", "2:59"), ["0:03:45", "0:12:30", "1:02:33", "0:02:59"]),
        (("1:35", "75:20", "1:04:10"), ["0:01:35", "1:15:20", "1:04:10"]),
        (("8:30", "8:30:15", "17:05"), ["8:30", "8:30:15", "17:05"]),  # of a day
        (("26:30", "41:15", "7:30"), ["26:30", "41:15", "7:30"]),  # worked hours
        (("59:12", "30:00:10"), ["59:12", "30:00:10"]),
    ],
)
def test_times_without_hours_beside_longer_ones_with_hours_are_minutes(
    texts: tuple[str, ...], expected: list[str]
) -> None:
    kind, found, remark = values(*texts, title="Time")
    assert (kind, found) == ("text", expected)
    assert ("those without" in remark) == (expected != list(texts))
    relation = only(document("name|Time", *(f"n{at}|{text}" for at, text in enumerate(texts)), delimiter="|"))
    assert set(relation.columns[1].samples) <= set(expected)


@pytest.mark.parametrize(
    ("texts", "expected", "remark"),
    [
        (("1.2 kg", "800 g", "2.5 kg", "350 g", "7 kg"), [1.2, 0.8, 2.5, 0.35, 7], "g, kg in one column, all in kg"),
        (("1.2 GB", "850 MB", "900 KB", "3 MB"), [1200, 850, 0.9, 3], "GB, KB, MB in one column, all in MB, 1 MB as"),
        (("1,5 km", "250 m", "80 m"), [1500, 250, 80], "km, m in one column, all in m"),
    ],
)
def test_units_of_one_quantity_are_made_one(texts: tuple[str, ...], expected: list[float], remark: str) -> None:
    kind, found, said = values(*texts)
    assert (kind, found) == ("number", expected)
    assert remark in said


def test_units_that_number_formats_show_are_not_multiplied() -> None:
    shown = ((2, "kg"), (300, "g"), (4, "kg"))
    cells = tuple(Cell(at, 1, value, format=f'0.0" {unit}"') for at, (value, unit) in enumerate(shown, 1))
    relation = only(document("Part|Weight", "a|2.0 kg", "b|300.0 g", "c|4.0 kg", cells=cells))
    assert (relation.columns[1].type, relation.columns[1].remark) == ("text", "mixed units: g, kg")


def test_minutes_and_seconds_with_fractions_are_numbers_of_seconds() -> None:
    kind, found, remark = values("27.91", "1:02.33", "9:58.1", "10:02.3", title="Time (s)")
    assert (kind, found) == ("number", [27.91, 62.33, 598.1, 602.3])
    assert "1:02.33" in remark
    assert values("0:27,91", "1:02:03,5")[1] == [27.91, 3723.5]
    assert values("27.91 kg", "1:02.33", "30 kg")[0] == "text"


@pytest.mark.parametrize(
    ("texts", "title", "kind"),
    [
        (("1", "1.1", "1.2", "1.10", "2", "2.1"), "WBS", "text"),  # some were left out
        (("1.8", "1.9", "1.10", "2.0"), "x", "text"),
        (("1", "1.1", "1.2", "1.10", "2", "2.1"), "Price", "number"),
        (("1.30", "1.5", "1.25"), "No", "number"),  # in no order of parts
        (("1.1", "1.2", "1.3"), "Section", "number"),
        (("1.5", "1.45", "1.40"), "Rate", "number"),
    ],
)
def test_numbers_of_parts_are_no_decimals(texts: tuple[str, ...], title: str, kind: str) -> None:
    found = values(*texts, title=title)
    assert found[0] == kind
    assert found[1] == (list(texts) if kind == "text" else [float(text) for text in texts])


def test_amounts_of_merged_cells_are_said_to_come_once_more() -> None:
    merges = (Merge(1, 0, 3, 1), Merge(1, 1, 3, 1), Merge(4, 0, 2, 1), Merge(4, 1, 2, 1), Merge(4, 3, 2, 1))
    rows = ("Order|Freight|Item|Year", "O1|25|a|2023", "||b|2023", "||c|2023", "O2|40|d|2024", "||e|")
    relation = only(document(*rows, merges=merges))
    assert [row[2] for row in relation.rows] == [25, 25, 25, 40, 40]
    assert [(one.column, one.count, one.where) for one in relation.left_out()] == [("freight", 3, "rows 3, 4, 6")]


def test_marks_of_notes_are_no_part_of_a_text() -> None:
    relation = only(document("Nation|Silver", "Norway[a]|8", "Côte d’Ivoire[2][note 3]|1", "Germany|10", "Item [x]|1"))
    assert [row[1] for row in relation.rows] == ["Norway", "Côte d’Ivoire", "Germany", "Item"]
    (said,) = relation.left_out()
    assert (said.count, said.column) == (3, "nation")
    assert "'Norway[a]'" in said.reason
    for texts in (("Item[1]", "Item[2]", "Item[3]", "Other"), ("Ab[1]", "Cd[2]"), ("x[1]", "y"), ("A list [sic]", "B")):
        relation = only(document("Name|Size", *(f"{text}|{at}" for at, text in enumerate(texts))))
        assert [row[1] for row in relation.rows] == list(texts)
    assert only(document("Name|Size", f"{'A[1]' * 100_000}|1", "B|2")).rows[1][1] == "B"
