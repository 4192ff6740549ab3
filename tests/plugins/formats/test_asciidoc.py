"""AsciiDoc: heads, lists, tables, delimited blocks, admonitions, conditions, links and marks."""

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import blocks, of, read, spans
from support.formats.processor import processor_limit

from sidecar.api import Code, Equation, Figure, Heading, ListItem, Note, Paragraph, ParsedDocument, Table

TEXT = TextFormat()


def _adoc(text: str) -> ParsedDocument:
    return read(TEXT, text, "guide.adoc")


def test_asciidoc() -> None:
    document = read(TEXT, (
        "= Handbook\n:author: Ann\n:toc:\n\n== One ==\nSome text.\n\n[source,java]\n----\n== no heading\n----\n"
        "// unseen\n////\nunseen too\n////\n* first\n* second\n\n=== Deeper\nMore.\n\n....\nnever closed\n"
    ), "n.adoc")  # fmt: skip
    assert (document.title, document.metadata) == ("Handbook", {"author": "Ann"})
    assert [(one.text, one.level) for one in of(document, Heading)] == [("Handbook", 1), ("One", 2), ("Deeper", 3)]
    assert [(one.text, one.language) for one in of(document, Code)] == [("== no heading", "java"), ("never closed", "")]
    assert [one.text for one in of(document, ListItem)] == ["first", "second"]
    assert [one.text for one in of(document, Paragraph)] == ["Some text.", "More."]


def test_the_head_tells_who_and_when() -> None:
    document = _adoc("= Guide\nAnn Doe <ann@example.org>\nv1.2, 2024-03-01: First\n:keywords: quay, crane\n\nText.\n")
    assert document.title == "Guide"
    assert document.metadata == {
        "author": "Ann Doe", "email": "ann@example.org", "version": "1.2", "created": "2024-03-01",
        "keywords": "quay, crane",
    }  # fmt: skip
    assert [one.text for one in of(document, Paragraph)] == ["Text."]


def test_headings_with_lines_under_them() -> None:
    document = _adoc("git-add(1)\n==========\n\nNAME\n----\ngit-add - Add\n\nMore\n~~~~\n\nText\n\n----\ncode\n----\n")
    assert [(one.text, one.level) for one in of(document, Heading)] == [("git-add(1)", 1), ("NAME", 2), ("More", 3)]
    assert [one.text for one in of(document, Code)] == ["code"]


def test_lists_in_one_another_and_what_is_attached_to_items() -> None:
    document = _adoc(
        "* one\ngoes on\n** [x] done\n*** third\n* two\n+\nAttached.\n+\n----\nls\n----\n\n. first\n. second\n"
        ".. inner\n\nBetween.\n\n. again\n"
    )
    assert [(one.text, one.level, one.marker) for one in of(document, ListItem)] == [
        ("one goes on", 0, "•"), ("done", 1, "☑"), ("third", 2, "•"), ("two", 0, "•"), ("Attached.", 0, ""),
        ("first", 1, "1."), ("second", 1, "2."), ("inner", 2, "1."), ("again", 0, "1."),
    ]  # fmt: skip
    assert [one.text for one in of(document, Code)] == ["ls"]
    assert [one.text for one in of(document, Paragraph)] == ["Between."]


def test_terms_and_what_explains_them() -> None:
    document = _adoc(
        "-a::\n--all::\n\tAdd all.\n  Really.\n\nQuay:: A place.\n* with ships\n\nhttps://example.org::text\n"
    )
    found = [(one.text, one.level, [span.kind for span in one.spans]) for one in of(document, ListItem)]
    assert found == [
        ("-a", 0, ["bold"]), ("--all", 0, ["bold"]), ("Add all. Really.", 1, []), ("Quay", 0, ["bold"]),
        ("A place.", 1, []), ("with ships", 1, []),
    ]  # fmt: skip


def test_tables_with_heads_spans_and_other_forms() -> None:
    document = _adoc(
        ".Berths\n|===\n|Name |Depth\n\n|Seven\n|12 \\| 13\n2+|All *closed*\n|===\n\n"
        '[cols="2*",options="header"]\n|===\n|a\n|b\n.2+|tall\n|1\n|2\n|===\n\n'
        '[%header,format=csv]\n|===\nx,"y, z"\n1,2\n|===\n'
    )
    first, second, third = of(document, Table)
    assert (first.rows, first.header_rows) == ((("Name", "Depth"), ("Seven", "12 | 13"), ("All closed", "")), 1)
    assert [(one.row, one.col, one.rows, one.cols) for one in first.merges] == [(2, 0, 1, 2)]
    assert (second.rows, second.header_rows) == ((("a", "b"), ("tall", "1"), ("", "2")), 1)
    assert [(one.row, one.col, one.rows, one.cols) for one in second.merges] == [(1, 0, 2, 1)]
    assert (third.rows, third.header_rows) == ((("x", "y, z"), ("1", "2")), 1)
    assert first.caption == "Berths"


def test_no_cell_stands_where_taller_ones_over_it_reach() -> None:
    document = _adoc(
        '[cols="2*"]\n|===\n2.2+|both\n|a\n|b\n|===\n\n[cols="3*"]\n|===\n|l .3+|tall |r\n3+|wide\n|m |n\n|===\n'
    )
    first, second = of(document, Table)
    assert first.rows == (("both", ""), ("", ""), ("a", "b"))
    assert second.rows == (("l", "tall", "r"), ("wide", "", ""), ("m", "", "n"))
    assert [(one.row, one.col, one.rows, one.cols) for one in second.merges] == [(0, 1, 3, 1), (1, 0, 1, 3)]


def test_marks_links_and_notes() -> None:
    document = _adoc(
        ":port: Emden\n\nA *bold*, _it_, `code` and **un**it in {port} {unknown}; see "
        "https://example.org/a_b[the _site_^], <<quays,Quays>>, https://example.org. "
        "Press kbd:[Ctrl+C].footnote:[As *usual*.] \\*no* 2^10^ x_y_z\n"
    )
    (text,) = of(document, Paragraph)
    assert text.text == (
        "A bold, it, code and unit in Emden {unknown}; see the site, Quays, https://example.org. Press Ctrl+C.[1] "
        "*no* 210 x_y_z"
    )
    assert spans(text.text, text.spans) == [
        ("bold", "bold", ""), ("italic", "it", ""), ("code", "code", ""), ("bold", "un", ""),
        ("link", "the site", "https://example.org/a_b"), ("italic", "site", ""), ("link", "Quays", "#quays"),
        ("link", "https://example.org", "https://example.org"), ("note", "[1]", "1"), ("sup", "10", ""),
    ]  # fmt: skip
    assert [(one.id, one.text) for one in of(document, Note)] == [("1", "As usual.")]


def test_delimited_blocks() -> None:
    document = _adoc(
        "NOTE: Mind the tide.\n\n[WARNING]\n====\nStay off.\n\n* item\n====\n\n"
        "[quote, Ann, Letters]\n____\nSaid.\n____\n\nimage::quay.png[A quay]\n\n"
        "[stem]\n++++\nx^2\n++++\n\n  set in\n    more\n\ninclude::next.adoc[]\n"
    )
    assert [(one.text, one.style) for one in of(document, Paragraph)] == [
        ("Note", ""), ("Mind the tide.", ""), ("Warning", ""), ("Stay off.", ""), ("Said.", "quote"),
        ("— Ann, Letters", "quote"), ("next.adoc", ""),
    ]  # fmt: skip
    assert [(one.source, one.alt) for one in of(document, Figure)] == [("quay.png", "A quay")]
    assert [one.latex for one in of(document, Equation)] == ["x^2"]
    assert [one.text for one in of(document, Code)] == ["set in\n  more"]
    assert [one.text for one in of(document, ListItem)] == ["item"]


def test_what_stands_under_conditions() -> None:
    document = _adoc(
        ":web:\n\nifdef::web[]\nShown.\n\nendif::[]\nifndef::web[]\nUnseen.\nifdef::x[]\nUnseen.\nendif::[]\nUnseen.\n"
        "endif::web[]\nifdef::print[Unseen.]\nLast.\n"
    )
    assert [one.text for one in of(document, Paragraph)] == ["Shown.", "Last."]


@pytest.mark.parametrize(
    "text",
    [
        "[a]\n" * 100_000, "link:a[" * 60_000, "_a" * 200_000, "|===\n" + "500*|a\n" * 20_000,
        "".join("=" * (4 + number % 2000) + "\n" for number in range(5_000)), "ifdef::a[]\n" * 100_000,
    ],
)  # fmt: skip
def test_hostile_text_takes_time_that_grows_with_it(text: str) -> None:
    with processor_limit(20):
        _adoc(text)


def test_values_of_attributes_do_not_multiply_a_text() -> None:
    text = f":a: {'x' * 200}\n\n" + ("{a}" * 1_000 + "\n\n") * 300
    assert sum(len(getattr(block, "text", "")) for block in blocks(_adoc(text))) < 3_000_000


def test_cells_written_once_for_several_do_not_multiply_a_text() -> None:
    text = "|===\n" + ("500*|" + "quay " * 200 + "\n") * 40 + "\n3*|crane\n|===\n"
    cells = [cell for table in of(_adoc(text), Table) for row in table.rows for cell in row]
    assert sum(map(len, cells)) < 500_000
    assert sum("quay" in cell for cell in cells) == 40
