"""Nothing is said twice in a view, nothing that is said once is lost, and what figures link to is safe as HTML."""

from __future__ import annotations

import msgspec
import pytest

from sidecar.api import (
    AnyBlock,
    Cell,
    ChartData,
    Embed,
    EmbedKind,
    Figure,
    ListItem,
    Note,
    Paragraph,
    Series,
    Span,
    Table,
)
from sidecar.views.blocks.html import blocks_html
from sidecar.views.blocks.markdown import blocks_markdown
from sidecar.views.blocks.plain import blocks_text
from sidecar.views.blocks.tables import cell_markdown

CAPTION = "Figure 3. The burrow"
YEARS = (2001.0, 2002.0)
CHART = ChartData(
    type="scatter",
    title="Growth",
    x_title="year",
    y_title="metres",
    texts=("a label",),
    series=(Series(name="north", values=(1.0, 2.0), x=YEARS), Series(name="south", values=(3.0, 4.0), x=YEARS)),
)
EMBEDS: dict[tuple[EmbedKind, int], Embed] = {
    ("chart", 0): Embed(kind="chart", id=0, name="chart1", media_type="application/json", chart=CHART),
    ("media", 0): Embed(kind="media", id=0, name="film.mp4", media_type="video/mp4"),
}


def views(*blocks: AnyBlock) -> tuple[str, str, str]:
    return blocks_markdown(blocks, "d", EMBEDS), blocks_text(blocks, EMBEDS), blocks_html(blocks, "d", EMBEDS)


@pytest.mark.parametrize(
    "said",
    [
        Paragraph(text=CAPTION, style="caption"),
        Paragraph(text="Figure 3.\nThe  burrow"),
        Note(kind="textbox", text=CAPTION),
    ],
)
@pytest.mark.parametrize("labelled", [Figure(caption=CAPTION), Table(rows=(("a", "b"),), caption=CAPTION)])
def test_a_caption_with_a_paragraph_of_its_own_is_shown_once(said: AnyBlock, labelled: AnyBlock) -> None:
    for view in views(labelled, said):
        assert " ".join(view.split()).count("The burrow") == 1


def test_a_caption_without_one_is_shown_and_so_is_the_name_of_its_table() -> None:
    far = [Paragraph(text=str(n)) for n in range(9)]
    for view in views(Figure(caption=CAPTION), *far, Paragraph(text=CAPTION)):
        assert view.count("The burrow") == 2
    for view in views(Table(rows=(("a",),), caption="Table 1. Prices", name="tblPrices")):
        assert "Table 1. Prices" in view
        assert "tblPrices" in view


def test_a_chart_says_its_axes_words_and_points_once() -> None:
    markdown, text, html = views(Figure(embed=("chart", 0)))
    for view in (markdown, text, html):
        for word in ("Growth", "metres", "a label", "north", "south"):
            assert word in view
    assert "| year | north | south |\n| --- | --- | --- |\n| 2001 | 1 | 3 |\n| 2002 | 2 | 4 |" in markdown


def test_a_picture_elsewhere_is_linked_and_never_run() -> None:
    markdown, text, html = views(Figure(alt="map", source="https://example.org/map.png"))
    assert "[Figure: map](https://example.org/map.png)" in markdown
    assert "!" not in markdown  # a client that shows it must not fetch it
    assert "https://example.org/map.png" in text
    assert 'href="https://example.org/map.png"' in html
    for hostile in (
        "javascript:alert(1)",
        "java\tscript:x",
        "data:text/html,<script>x</script>",
        '"><script>x</script>',
    ):
        shown = blocks_html([Figure(source=hostile, alt='"><script>'), Table(rows=(("<script>x</script>",),))], "d")
        assert "<script" not in shown
        assert "href" not in shown


def test_media_keep_their_words_and_hidden_text_its_flag_once() -> None:
    assert "[Media: film.mp4](media://d/0) a whale" in views(Figure(embed=("media", 0), alt="a whale"))[0]
    hidden = Paragraph(text="secret", hidden=True, spans=(Span("hidden", 0, 6),))
    for view in views(hidden)[:2]:
        assert view == "[hidden] secret"


def test_running_notes_tell_where_they_differ_and_page_numbers_are_none() -> None:
    page = Note(kind="footer", text="Page 7", spans=(Span("field", 5, 6, "PAGE"),))
    number = Note(kind="footer", text="7", spans=(Span("field", 0, 1, "PAGE \\* MERGEFORMAT"),))
    first = Note(kind="footer", text="Secret", target="first page")
    assert "- Secret (first page)" in views(page, number, first)[0]
    for view in views(page, number, first)[:2]:
        assert "Page 7" in view
        assert not any(line.strip("- ") == "7" for line in view.splitlines())
    assert not any(view.strip() for view in views(number)[:2])


def test_a_box_of_text_stands_where_it_is_anchored_and_after_a_list_it_is_anchored_in() -> None:
    box, late = Note(kind="textbox", text="Mind the gap\nand the step"), Note(kind="textbox", text="late")
    cell = Note(kind="textbox", text="of a sheet", target="B2")
    items = (
        ListItem(text="one", level=0, marker="1.", ordered=True),
        ListItem(text="two", level=0, marker="2.", ordered=True),
    )
    blocks = (Paragraph(text="before"), box, items[0], late, items[1], Paragraph(text="after"), cell)
    assert blocks_markdown(blocks, "doc") == (
        "before\n\n> [Text box] Mind the gap\n> and the step\n\n1. one\n2. two\n\n> [Text box] late\n\nafter\n\n"
        "## Text boxes\n\n**B2**: of a sheet"
    )
    for view in (blocks_text(blocks), blocks_html(blocks, "doc")):
        places = [view.index(words) for words in ("before", "Mind", "one", "two", "late", "after", "of a sheet")]
        assert places == sorted(places)
    assert blocks_markdown((*items, late), "doc").endswith("2. two\n\n> [Text box] late")


def test_a_comment_that_is_settled_is_said_to_be_resolved() -> None:
    comments = (
        Note(kind="comment", id="1", author="Ann", date="2026-01-02", text="Sure?", resolved=True),
        Note(kind="comment", id="2", parent="1", author="Bob", text="Yes."),
    )
    assert "- Ann, 2026-01-02, resolved: Sure?\n  - reply Bob: Yes." in blocks_markdown(comments, "doc")
    assert "Ann 2026-01-02 (resolved): Sure?" in blocks_text(comments)
    assert "Ann 2026-01-02 (resolved): " in blocks_html(comments, "doc")


def test_a_cell_shows_its_formula_where_asked_or_where_nobody_has_calculated_it() -> None:
    money = Cell(row=0, col=0, value=1234.5, format="#,##0.00")
    assert cell_markdown("1,234.50", money) == "1,234.50"
    assert cell_markdown("1,234.50", money, formulas=True) == "1,234.50 (1234.5)"
    assert cell_markdown("TRUE", Cell(row=0, col=0, value=True), formulas=True) == "TRUE"
    total = Cell(row=0, col=0, formula="=SUM(A1:A2)")
    assert cell_markdown("3", total) == "3"
    assert cell_markdown("", total) == ""  # its result is an empty text
    assert "(=SUM(A1:A2))" in cell_markdown("", msgspec.structs.replace(total, state="not_computed"))
