"""Markdown views: nothing a document holds can break their structure, and nothing it holds is lost."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.formats.processor import processor_limit

from sidecar.api import (
    AnyBlock,
    Cell,
    ChartData,
    Code,
    Embed,
    Equation,
    Figure,
    Heading,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Series,
    Span,
    Table,
)
from sidecar.api.model import SpanKind
from sidecar.store.documents.records import PartRecord
from sidecar.views.blocks.html import blocks_html, table_html
from sidecar.views.blocks.markdown import blocks_markdown
from sidecar.views.blocks.plain import blocks_text
from sidecar.views.blocks.tables import csv_text, table_markdown
from sidecar.views.inline import marked, plain
from sidecar.views.parts import BlockRange, TextView, render
from sidecar.views.sources import Origin

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
CELLS = st.text(st.sampled_from("ab|\\\n\r`*_<>[]()$&#-\u2028 é漢"), max_size=8)
KINDS: tuple[SpanKind, ...] = (
    "bold",
    "italic",
    "strike",
    "code",
    "link",
    "ins",
    "del",
    "comment",
    "hidden",
    "underline",
)


def show(*blocks: AnyBlock, **options: bool) -> str:
    return blocks_markdown(blocks, "doc", formulas=options.get("formulas", False))


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=5)))
def test_no_cell_text_breaks_out_of_its_cell(rows: list[list[str]]) -> None:
    text = table_markdown(Table(rows=tuple(map(tuple, rows)), header_rows=1))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds = [token.type for token in tokens]
    assert kinds[0] == "table_open"
    assert kinds[-1] == "table_close"
    assert kinds.count("tr_open") == len(rows)
    assert kinds.count("th_open") == len(rows[0])
    assert kinds.count("td_open") == len(rows[0]) * (len(rows) - 1)


@st.composite
def spanned(draw: st.DrawFn) -> tuple[str, tuple[Span, ...]]:
    text = draw(st.text(st.sampled_from("abc déf"), min_size=1, max_size=20))
    edges = st.integers(-2, len(text) + 3)
    spans = draw(st.lists(st.builds(Span, st.sampled_from(KINDS), edges, edges, st.just("v")), max_size=6))
    return text, tuple(spans)


@given(spanned())
def test_spans_in_any_disorder_lose_no_character(given_text: tuple[str, tuple[Span, ...]]) -> None:
    text, spans = given_text
    letters = re.sub(r"[^abcdéf]", "", text)
    for shown in (marked(text, spans), plain(text, spans)):
        bare = re.sub(r"\{>>(?:by )?v<<\}|\]\(v\)| \(v\)|\[v\]|\[hidden: ", "", shown)
        assert re.sub(r"[^abcdéf]", "", bare) == letters


def test_a_heading_that_is_bold_all_over_is_written_without_asterisks() -> None:
    name, note = "Two words ", Span("note", 9, 10, "1")
    bold = (Span("bold", 0, 3), Span("italic", 4, 9), Span("bold", 4, 9), note)
    blocks = [
        Heading(text=name, spans=bold), Paragraph(text=name, spans=bold[:3], style="title"),
        Heading(text=name, spans=bold[:1]), Paragraph(text=name, spans=bold[:1]),
    ]  # fmt: skip
    shown = blocks_markdown(blocks, "a").split("\n\n")
    assert shown == ["# Two *words*[^1]", "# Two *words*", "# **Two** words ", "**Two** words "]


def test_spans_nest_properly_where_they_cross() -> None:
    shown = marked("one two three", (Span("bold", 0, 7), Span("link", 4, 13, "http://x")))
    assert shown == "**one [two](http://x)**[ three](http://x)"


def test_inline_marks() -> None:
    text = "Ann said no yes x2 home"
    spans = (
        Span("comment", 0, 3, "c1"),
        Span("del", 9, 11, "Ann", "2024-01-02"),
        Span("ins", 12, 15, "Bob"),
        Span("math", 16, 18, "x^2"),
        Span("link", 19, 23, "http://a b/(c)"),
    )
    assert marked(text, spans) == (
        "{==Ann==}{>>c1<<} said {--no--}{>>by Ann, 2024-01-02<<} {++yes++}{>>by Bob<<} $x^2$ [home](<http://a b/(c)>)"
    )  # fmt: skip
    assert plain(text, spans) == "Ann[c1] said [-no-] [+yes+] x2 home (http://a b/(c))"


def test_changes_are_signed_once_by_whoever_made_several() -> None:
    spans = (
        Span("del", 0, 6, "Ann", "2024-01-02T10:00:00Z"),
        Span("ins", 6, 11, "Ann", "2024-01-02T10:01:00Z"),
        Span("del", 17, 21, "Bob <<}"),
        Span("ins", 21, 26, "Ann", "2024-01-03T00:00:00Z"),
    )
    assert marked("ninetysixty days fromafter today", spans) == (
        "{--ninety--}{++sixty++}{>>by Ann, 2024-01-02<<} days {--from--}{>>by Bob<<}{++after++}"
        "{>>by Ann, 2024-01-03<<} today"
    )
    assert marked("ab", (Span("ins", 0, 2, "", "2024-01-02"),)) == "{++ab++}", "nobody signed it"


def test_the_raised_mark_of_a_note_is_not_raised_twice() -> None:
    spans = (Span("sup", 5, 6), Span("note", 5, 6, "1"), Span("sup", 9, 10))
    assert marked("Claim1 m s2.", spans[:2]) == "Claim[^1] m s2."
    assert marked("Claim1 m 2.", spans) == "Claim[^1] m <sup>2</sup>."


def test_a_footnote_is_referred_to_and_stands_apart() -> None:
    text = show(
        Paragraph(text="Claim1 holds.", spans=(Span("note", 5, 6, "1"),)),
        Note(kind="footnote", id="1", text="Because."),
        Paragraph(text="After."),
    )
    assert text == "Claim[^1] holds.\n\nAfter.\n\n## Footnotes\n\n[^1]: Because."


def test_replies_stand_below_their_comment() -> None:
    text = show(
        Note(kind="comment", id="c2", text="Indeed.", author="Bob", parent="c1"),
        Note(kind="comment", id="c1", text="Really?", author="Ann", date="2024-05-06T07:08:09", target="the claim"),
        Note(kind="comment", id="c3", text="Lost", parent="gone"),
        Paragraph(text="the claim", spans=(Span("comment", 0, 9, "c1"),)),
    )
    assert text.partition("## Comments\n\n")[2].splitlines() == [
        '- **c1** Ann, 2024-05-06 on "the claim": Really?',
        "  - reply Bob: Indeed.",
        "- Lost",
    ]


def test_comments_that_reply_in_a_circle_end() -> None:
    show(Note(kind="comment", id="a", text="x", parent="b"), Note(kind="comment", id="b", text="y", parent="a"))
    show(Note(kind="comment", id="a", text="x", parent="a"))


def test_merged_cells_repeat_short_text_behind_an_arrow() -> None:
    table = Table(
        rows=(("Region", "2024", ""), ("North", "1", "2"), ("", "3", "4")),
        header_rows=1,
        merges=(Merge(0, 1, 1, 2), Merge(1, 0, 2, 1)),
    )
    assert show(table).splitlines() == [
        "| Region | 2024 | ← 2024 |",
        "| --- | --- | --- |",
        "| North | 1 | 2 |",
        "| ↑ North | 3 | 4 |",
        "",
        "*(← and ↑ mark cells merged with the one to the left or above.)*",
    ]
    long = Table(rows=(("x" * 50, ""), ("a", "b")), merges=(Merge(0, 0, 1, 2),))
    assert f"| {'x' * 50} | ← |" in show(long)


def test_merged_cells_say_no_more_than_a_reader_needs() -> None:
    table = Table(
        rows=(("Name", "", "Total", ""), ("a b", "", "", ""), ("Ann", "", "7", "8")),
        header_rows=1,
        merges=(Merge(0, 0, 1, 2), Merge(1, 0, 1, 2), Merge(1, 2, 1, 2), Merge(2, 0, 1, 2), Merge(0, 2, 1, 2)),
    )
    assert show(table).splitlines()[:4] == [
        "| Name | Total | ← Total |",
        "| --- | --- | --- |",
        "| a b |  |  |",  # a region without words shows nothing
        "| Ann | 7 | 8 |",  # the file's second column begins in no row
    ]
    across = Table(rows=(("h", "i"), ("t", ""), ("u", "v")), header_rows=1, merges=(Merge(1, 0, 1, 2),))
    assert "| t | ← |" in show(across)


def test_formulas_and_nested_tables_show_in_their_cells() -> None:
    inner = Table(rows=(("p", "q"), ("r", "")))
    table = Table(rows=(("7", "see"),), cells=(Cell(0, 0, formula="=SUM(A1:A3)"), Cell(0, 1, table=inner)))
    assert "| 7 (=SUM(A1:A3)) | see [table: p / q; r] |" in show(table, formulas=True)
    assert "SUM" not in show(table)


def test_hidden_things_are_flagged() -> None:
    table = Table(rows=(("a", "b"), ("c", "d")), hidden_rows=(1,), hidden_cols=(0,))
    text = show(Paragraph(text="secret", hidden=True), table)
    assert "[hidden] secret" in text
    assert "| [hidden] a | b |" in text
    assert "| [hidden] c | [hidden] d |" in text


def test_numbering_is_the_documents_own() -> None:
    text = show(
        Heading(text="Scope", level=2, number="2.3"),
        ListItem(text="first", ordered=True, marker="iv."),
        ListItem(text="inner", level=1),
        ListItem(text="next\nline", ordered=True, marker="v."),
    )
    assert text == "## 2.3 Scope\n\niv. first\n  - inner\nv. next\n  line"


def test_what_stands_below_a_numbered_item_is_in_it_for_who_draws_it() -> None:
    text = show(
        ListItem(text="", marker="", level=1),
        ListItem(text="ninth", ordered=True, marker="9."),
        ListItem(text="inner", level=1),
        ListItem(text="innermost", level=2),
        ListItem(text="tenth\nline", ordered=True, marker="10."),
        ListItem(text="deep", level=2),
        ListItem(text="and more", marker=""),
        Paragraph(text="Then"),
        ListItem(text="other", level=1),
    )
    assert text == (
        "9. ninth\n   - inner\n     - innermost\n10. tenth\n    line\n      - deep\n\n    and more\n\nThen\n\n  - other"
    )
    tokens = MarkdownIt("commonmark").parse(text)
    assert [token.level for token in tokens if token.type == "list_item_open"] == [1, 3, 5, 1, 3, 1]


def test_what_is_done_and_what_is_not_is_told() -> None:
    items = (ListItem(text="call", marker="☐"), ListItem(text="order", marker="☑"), ListItem(text="sign", marker="✓"))
    assert show(*items) == "- [ ] call\n- [x] order\n- ✓ sign"
    assert "☑ order" in blocks_html(items, "doc")


def test_text_that_looks_like_markup_stays_text() -> None:
    for text in ("# no heading", "- no item", "1. no item", "> no quote", "```no fence", "---", "+ x", "| a | b |"):
        tokens = MarkdownIt("commonmark").enable("table").parse(show(Paragraph(text=text)))
        assert tokens[0].type == "paragraph_open", text
    code = "a\n```\nb````c"
    tokens = MarkdownIt("commonmark").parse(show(Code(text=code, language="md")))
    assert [(token.type, token.content) for token in tokens] == [("fence", code + "\n")]


def test_figures_and_charts_lead_to_their_bytes() -> None:
    chart = ChartData(
        type="column", title="Sales|x", categories=("Q1", "Q2"), series=(Series(name="North", values=(1.0, None)),)
    )
    embeds = {("chart", 3): Embed(kind="chart", id=3, name="c", media_type="", chart=chart)}
    blocks = [
        Figure(embed=("image", 0), alt="A [map]", caption="Figure 1. Map", text="label"),
        Figure(embed=("chart", 3)),
        Equation(text="E=mc2", latex="E=mc^2", label="(1)"),
    ]
    text = blocks_markdown(blocks, "my doc", embeds)  # pyright: ignore[reportArgumentType] - literal keys
    assert "![A (map)](image://my%20doc/0)\n\n*Figure 1. Map*\n\n> label" in text
    assert (
        "[Chart: Sales|x](chart://my%20doc/3) column chart\n\n|  | North |\n| --- | --- |\n| Q1 | 1 |\n| Q2 |  |"
        in text
    )
    assert "$$E=mc^2$$ (1)" in text


def test_plain_text_has_every_word() -> None:
    blocks = [
        Heading(text="Title", number="1"),
        ListItem(text="item", marker="•"),
        Table(rows=(("a|b", "c\nd"),), caption="Table 1"),
        Figure(embed=("image", 0), alt="alt", caption="cap", text="inside"),
        Note(kind="speaker", text="say this"),
        Equation(text="a+b", label="(2)"),
        Code(text="x = 1\n  y"),
    ]
    text = blocks_text(blocks)
    for word in (
        "1 Title",
        "• item",
        "Table 1\na|b\tc d",
        "alt",
        "cap",
        "inside",
        "Speaker notes:\nsay this",
        "a+b (2)",
    ):
        assert word in text
    assert "x = 1\n  y" in text


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=9), max_size=4), max_size=4))
def test_csv_reads_back(rows: list[list[str]]) -> None:
    import csv
    import io

    rows = [row for row in rows if row]
    assert list(csv.reader(io.StringIO(csv_text(rows)))) == rows


def test_footnotes_of_a_page_follow_its_text_without_a_heading() -> None:
    blocks = (Paragraph(text="Claim."), Note(kind="footnote", text="Because.", id="3-1"), Paragraph(text="After."))
    assert blocks_markdown(blocks, "doc", paged=True) == "Claim.\n\nAfter.\n\n[^3-1]: Because."
    assert blocks_text(blocks, paged=True) == "Claim.\n\nAfter.\n\n[3-1]: Because."


UNCERTAIN = Table(
    rows=(("A", "B"), ("1", "2 3")), confidence=0.31, lines=("A   B", "1 2 ``` 3"), caption="Table 1: Counts"
)


def test_an_uncertain_table_is_said_to_be_one_and_shown_by_its_lines() -> None:
    assert show(UNCERTAIN).splitlines() == [
        "**Table 1: Counts**",
        "",
        "*The rows and columns of this table are uncertain (confidence 0.31); its lines as they stand:*",
        "",
        "````",
        "A   B",
        "1 2 ``` 3",
        "````",
    ]
    assert blocks_text([UNCERTAIN]).splitlines()[1:] == [
        "The rows and columns of this table are uncertain (confidence 0.31); its lines as they stand:",
        "A   B",
        "1 2 ``` 3",
    ]
    html = blocks_html([UNCERTAIN], "doc")
    assert "uncertain (confidence 0.31)" in html
    assert "<pre>A   B\n1 2 ``` 3</pre>" in html


def test_the_weightiest_flaws_of_an_uncertain_table_are_said() -> None:
    flaws = ("a row was left out", "columns stand close", "there are but two rows", "cells have several lines")
    table = msgspec.structs.replace(UNCERTAIN, flaws=flaws)
    said = "(confidence 0.31: a row was left out; columns stand close; there are but two rows)"
    assert all(said in shown for shown in (show(table), blocks_text([table]), blocks_html([table], "doc")))


def test_a_table_that_is_sure_enough_is_shown_as_one() -> None:
    table = msgspec.structs.replace(UNCERTAIN, confidence=0.5, lines=())
    assert "| A | B |" in show(msgspec.structs.replace(table, header_rows=1))
    assert "uncertain" not in show(table) + blocks_text([table]) + blocks_html([table], "doc")


def test_a_further_paragraph_of_an_item_belongs_to_it() -> None:
    items = (
        ListItem(text="one", marker="1.", ordered=True),
        ListItem(text="more", marker="", ordered=True),
        ListItem(text="two", marker="2.", ordered=True),
    )
    assert blocks_markdown(items, "d") == "1. one\n\n   more\n2. two"
    assert blocks_markdown(items[1:2], "d") == "more"


def test_emphasis_in_emphasis_is_marked_once() -> None:
    spans = (Span("bold", 0, 9), Span("bold", 0, 4), Span("italic", 0, 4), Span("bold", 10, 12))
    assert show(Paragraph(text="Term here is", spans=spans)) == "***Term* here is**"


@pytest.mark.parametrize(
    ("text", "spans", "shown"),
    [
        ("the 50th day", (Span("italic", 0, 6), Span("italic", 6, 8), Span("sup", 6, 8), Span("italic", 9, 12)),
         "*the 50<sup>th</sup> day*"),
        ("bold both bold", (Span("bold", 0, 5), Span("bold", 5, 9), Span("italic", 5, 9), Span("bold", 9, 14)),
         "**bold *both* bold**"),
        ("one, two", (Span("bold", 0, 3), Span("bold", 5, 8)), "**one**, **two**"),
        ("one  two", (Span("bold", 0, 3), Span("bold", 5, 8)), "**one**  **two**"),
        ("one two", (Span("bold", 0, 3), Span("italic", 4, 7)), "**one** *two*"),
    ],
)  # fmt: skip
def test_emphasis_that_goes_on_in_the_next_run_is_one(text: str, spans: tuple[Span, ...], shown: str) -> None:
    """A writer begins a run at each change of look; marks of one that touch those of the next are none."""
    assert show(Paragraph(text=text, spans=spans)) == shown


def test_nothing_is_marked_within_code() -> None:
    text = "import lib; now"
    spans = (Span("code", 0, 11), Span("italic", 0, 6), Span("link", 7, 10, "x"), Span("code", 7, 10))
    assert show(Paragraph(text=text, spans=spans)) == "`import `[`lib`](x)`;` now"


def test_many_codes_are_written_in_step_with_their_number() -> None:
    spans = tuple(
        span for at in range(0, 60_000, 3) for span in (Span("code", at, at + 2), Span("bold", at + 1, at + 2))
    )
    with processor_limit(20):  # each span beside each code took minutes
        text = show(Paragraph(text="ab " * 20_000, spans=spans))
    assert text == "`ab` " * 20_000


def test_headers_stand_behind_the_last_of_several_chapters() -> None:
    origin = Origin("Book", "book.docx", "book", "0" * 12, "document://book")
    parts = [
        PartRecord(n, "chapter", title, "", False, 0, 0, 1, 2, 0, 0, {}, ()) for n, title in ((1, "One"), (2, "Two"))
    ]
    header = Note(kind="header", text="Secret")
    ranges = [BlockRange(part, [Heading(text=part.title), header][: 3 - part.n]) for part in parts]
    told = render(TextView(origin, ranges), "md").split("\n\n")[1:]
    assert told == ["# One", "# Two", "## Headers", "- Secret"]


def test_merged_regions_over_one_another_cost_no_more_than_the_table_has_cells() -> None:
    # 2,000 regions that each reach to the table's end and over a million columns: eight million million cells.
    rows = tuple((f"row {number}",) for number in range(2_000))
    merges = tuple(Merge(row=number, col=0, rows=999_999, cols=999_999) for number in range(2_000))
    text = table_markdown(Table(rows=rows, merges=merges))
    assert text.splitlines()[2] == "| row 0 |"
    assert len(text.splitlines()) >= len(rows)
    assert str(table_html(Table(rows=rows, merges=merges))).count("<tr>") == len(rows)


def test_plain_text_tells_raised_figures_from_the_number_before_them() -> None:
    """10⁵ is not 105; letters stay as they are."""
    text = "About 105 of 10-6, the 5th of 200412"
    spans = tuple(Span("sup", *at) for at in ((8, 9), (15, 17), (24, 26), (34, 36), (-3, 2)))
    table = Table(rows=(("3×105", "5"),), cells=(Cell(0, 0, spans=(Span("sup", 4, 5),)),))
    assert blocks_text([Paragraph(text=text, spans=spans), table]) == (
        "About 10⁵ of 10⁻⁶, the 5th of 2004¹²\n\n3×10⁵\t5"
    )


def test_what_is_struck_through_is_told_in_plain_text() -> None:
    struck = Paragraph(text="Now $99 $79 each", spans=(Span("strike", 4, 7),))
    assert blocks_text([struck]) == "Now ~~$99~~ $79 each"
