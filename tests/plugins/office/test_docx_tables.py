"""Word tables: merged cells, windows, headings, nesting, and tables that are none."""

from __future__ import annotations

import pytest
from support.office.docx_files import NUMBERING, cell, field, numbered, package, para, part, row, run, styled, table
from support.office.docx_reading import blocks

from sidecar.api import Cell, Heading, ListItem, Merge, Note, Paragraph, Span, Table
from sidecar.views.blocks.markdown import blocks_markdown


def test_merged_cells_across_rows_columns_and_gaps() -> None:
    grid = table(
        row(cell("a", '<w:vMerge w:val="restart"/>'), cell("b", '<w:gridSpan w:val="2"/>')),
        row(cell("", "<w:vMerge/>"), cell("c"), cell("d")),
        row(cell("", "<w:vMerge/>"), cell("e", '<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>')),
        row(cell("f"), cell("", '<w:gridSpan w:val="2"/><w:vMerge/>'), properties=""),
        row(cell("g"), properties='<w:gridBefore w:val="2"/>'),
    )
    (found,) = blocks(package(grid))
    assert isinstance(found, Table)
    assert found.rows == (("a", "b", ""), ("", "c", "d"), ("", "e", ""), ("f", "", ""), ("", "", "g"))
    assert set(found.merges) == {Merge(0, 0, 3, 1), Merge(0, 1, 1, 2), Merge(2, 1, 2, 2)}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('<w:tblCaption w:val="Catch"/><w:tblDescription w:val="in tonnes"/>', "Catch: in tonnes"),
        ('<w:tblDescription w:val="in tonnes"/>', "in tonnes"),
        ('<w:tblCaption w:val="Catch"/><w:tblDescription w:val="Catch"/>', "Catch"),
    ],
)
def test_title_and_description_of_a_table_are_both_told(said: str, name: str) -> None:
    (found,) = blocks(package(table(row(cell("a"), cell("b")), row(cell("c"), cell("d")), properties=said)))
    assert isinstance(found, Table)
    assert found.name == name


def test_text_under_a_vertical_merge_is_hidden_and_not_lost() -> None:
    grid, under = blocks(
        package(table(row(cell("a", '<w:vMerge w:val="restart"/>')), row(cell("under", "<w:vMerge/>"))))
    )
    assert isinstance(grid, Table)
    assert grid.rows == (("a",), ("",))
    assert under == Paragraph(text="under", hidden=True)


def _lines(*texts: str) -> str:
    return cell("".join(map(para, texts)))


_BROKEN = "<w:r><w:rPr><w:b/></w:rPr><w:t>17,542</w:t><w:br/><w:t>8</w:t></w:r><w:r><w:t>25</w:t><w:br/></w:r>"
"""Two numbers and what is before the third, each in a line of one paragraph."""


@pytest.mark.parametrize("figures", [("17,542", "825", "16,717", ""), (f"{_BROKEN}<w:r><w:t>16,717</w:t></w:r>",)])
def test_cells_of_a_line_or_a_paragraph_a_number_are_rows(figures: tuple[str, ...]) -> None:
    labels, year = _lines("", "Income", "Tax due", "Net"), _lines("€", *figures)
    (found,) = blocks(package(table(row(cell(""), cell("2006"), cell("2007")), row(labels, year, _lines("€", "18")))))
    assert isinstance(found, Table)
    assert found.rows[1:] == (
        ("", "€", "€"), ("Income", "17,542", "18"), ("Tax due", "825", ""), ("Net", "16,717", ""),
    )  # fmt: skip


@pytest.mark.parametrize(
    "cells",
    [
        [_lines("Income", "Tax due", "Net"), _lines("17,542", "825")],
        [_lines("Ada", "Quay 3", "Emden"), _lines("Bob", "Quay 4", "Leer")],
        [_lines("Income", "", ""), _lines("17,542", "825", "16,717"), _lines("1", "2", "3")],
        [_lines("Income", "Tax due", "Net"), _lines("1", "2", "<w:r><w:t>3</w:t><w:br/><w:t>4</w:t></w:r>")],
        [_lines("Income", "Tax due", "Net"), _lines("1", '<w:r><w:t>2</w:t><w:br w:type="page"/><w:t>3</w:t></w:r>')],
        [_lines("Income " * 20, "Tax due", "Net"), _lines("1", "2", "3")],
        [_lines(*["Income"] * 101), _lines(*["1"] * 101)],
    ],
)
def test_cells_whose_paragraphs_do_not_stand_beside_numbers_stay_cells(cells: list[str]) -> None:
    (found,) = blocks(package(table(row(*cells), row(*(cell("x") for _ in cells)))))
    assert isinstance(found, Table)
    assert len(found.rows) == 2


def test_a_table_in_a_table_in_a_note() -> None:
    inner = table(row(cell("x"), cell(table(row(cell("deep")), row(cell("down"))) + para(""))))
    notes = {"word/footnotes.xml": part("footnotes", f'<w:footnote w:id="2">{para("see")}{inner}</w:footnote>')}
    found = blocks(
        package(
            para('<w:r><w:t>t</w:t><w:footnoteReference w:id="2"/></w:r>'), notes, {"r": ("footnotes", "footnotes.xml")}
        )
    )
    assert found[1] == Note(kind="footnote", id="1", text="see\nx\ndeep\ndown")


def test_a_table_whose_cells_hold_only_tables_gives_those() -> None:
    first, second, third = (table(row(cell(name), cell("1"))) for name in "abc")
    outer = table(row(cell(first + para("")), cell("")), row(cell(second + para("") + third + para(""))))
    assert [one.rows for one in blocks(package(outer)) if isinstance(one, Table)] == [((n, "1"),) for n in "abc"]
    labelled = table(row(cell("label"), cell(first + para(""))), row(cell(second + para("")), cell("")))
    (kept,) = blocks(package(labelled))
    assert isinstance(kept, Table)
    assert [(one.row, one.table.rows) for one in kept.cells if one.table] == [(0, (("a", "1"),)), (1, (("b", "1"),))]


def test_tables_of_many_rows_come_in_windows() -> None:
    merged = row(cell("m", '<w:vMerge w:val="restart"/>')) + row(cell("", "<w:vMerge/>"))
    grid = table(*[row(cell(f"r{i}")) for i in range(255)], merged, *[row(cell(f"s{i}")) for i in range(50)])
    first, second = blocks(package(grid))
    assert isinstance(first, Table)
    assert isinstance(second, Table)
    assert (len(first.rows), second.first_row, len(second.rows)) == (256, 256, 51)
    assert first.rows[255] == ("m",)


def test_header_rows_links_and_lists_in_cells() -> None:
    link = field('HYPERLINK "https://e.org"', run("site"))
    grid = table(
        row(cell("h1"), cell("h2"), properties="<w:tblHeader/>"),
        row(cell(para(link)), cell(numbered("x", 2) + numbered("y", 2))),
    )
    (found,) = blocks(styled(grid))
    assert isinstance(found, Table)
    assert found.header_rows == 1
    assert found.rows[1] == ("site", "1. x\n2. y")
    assert found.cells == (Cell(row=1, col=0, link="https://e.org", spans=(Span("link", 0, 4, "https://e.org"),)),)


@pytest.mark.parametrize(("marked", "headings"), [(1, 1), (3, 3), (4, 0), (8, 0)])
def test_half_of_a_table_marked_as_headings_names_no_columns(marked: int, headings: int) -> None:
    heading = "<w:tblHeader/>"
    rows = [row(cell(f"a{at}"), cell(f"{at}"), properties=heading if at < marked else "") for at in range(8)]
    (found,) = blocks(package(table(*rows)))
    assert isinstance(found, Table)
    assert found.header_rows == headings


def test_a_table_around_the_whole_page_is_no_table() -> None:
    found = blocks(styled(table(row(cell(para("Intro", "berschrift1") + para("text"))))))
    assert [type(block) for block in found] == [Heading, Paragraph]


def test_one_cell_is_a_box_around_its_words() -> None:
    assert blocks(package(table(row(cell("Read this")))))[0] == Paragraph(text="Read this")


_LOOK = '<w:tblLook w:val="04A0" w:firstRow="1"/>'
"""What Word writes of every new table."""
_PAINTED = (
    '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/></w:style>'
    '<w:style w:type="table" w:styleId="Banded"><w:basedOn w:val="Grid"/><w:tblStylePr w:type="firstRow"><w:rPr><w:b/>'
    "</w:rPr></w:tblStylePr></w:style>"
)


@pytest.mark.parametrize(
    ("first", "style", "heads"),
    [
        ((cell("Name"), cell("Age")), "Grid", 1),
        ((cell("Name:"), cell("Ann")), "Grid", 0),
        ((cell("Name"), cell("")), "Grid", 0),
        ((cell(run("Name", "<w:b/>")), cell("Ann")), "Grid", 0),
        ((cell("word " * 30), cell("Ann")), "Grid", 0),
        ((cell("Name:"), cell("")), "Banded", 1),
    ],
)
def test_the_first_row_heads_a_table_unless_it_is_a_row_of_a_form(
    first: tuple[str, str], style: str, heads: int
) -> None:
    grid = table(row(*first), row(cell("a"), cell("b")), properties=f'<w:tblStyle w:val="{style}"/>{_LOOK}')
    styles = {"word/styles.xml": part("styles", _PAINTED)}
    (found,) = blocks(package(grid, styles, {"s": ("styles", "styles.xml")}))
    assert isinstance(found, Table)
    assert found.header_rows == heads


def test_the_numbered_line_above_a_title_heads_the_chapter() -> None:
    bold = "<w:b/>"
    lines = [
        line
        for number, title in (("I", "DEBTS"), ("II", "GIFTS"))
        for line in (para(run(f"ARTICLE {number}.", bold)), para(run(title, bold)), *[para("All is paid.")] * 3)
    ]
    found = [block for block in blocks(package("".join(lines))) if isinstance(block, Heading)]
    assert [(heading.level, heading.text) for heading in found] == [
        (1, "ARTICLE I."), (2, "DEBTS"), (1, "ARTICLE II."), (2, "GIFTS"),
    ]  # fmt: skip


def test_empty_paragraphs_count_in_their_list_and_show_numbers_in_cells_and_marks_of_notes() -> None:
    ending = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr><w:sectPr/>'
    covered = row(cell(numbered("", 4), "<w:vMerge/>"), cell("Cy"))
    grid = table(
        row(cell(numbered("", 4), '<w:vMerge w:val="restart"/>'), cell("Ada")), covered,
        row(cell(numbered("", 4)), cell(para('<w:r><w:footnoteReference w:id="2"/></w:r>'))),
    )  # fmt: skip
    mark = '<w:r><w:footnoteReference w:id="3"/></w:r>'
    body = para(mark) + numbered("a", 2) + numbered("", 2) + para("", extra=ending) + numbered("c", 2) + grid
    written = "".join(f'<w:footnote w:id="{at}">{para("note")}</w:footnote>' for at in (2, 3))
    parts = {"word/footnotes.xml": part("footnotes", written), "word/numbering.xml": NUMBERING}
    relations = {"r": ("footnotes", "footnotes.xml"), "n": ("numbering", "numbering.xml")}
    found = blocks(package(body, parts, relations))
    (counted,) = (block for block in found if isinstance(block, Table))
    assert found[0] == Paragraph(text="[1]", spans=(Span("note", 0, 3, "1"),))
    items = [(item.marker, item.text) for item in found if isinstance(item, ListItem)]
    assert items == [("1.", "a"), ("3.", "c")]
    assert counted.rows == (("7.", "Ada"), ("", "Cy"), ("8.", "[2]"))
    assert "| 8. | [^2] |" in blocks_markdown([counted], "d", {})
