"""From a parsed document to the records of the index: nothing a reader could see is lost to search."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.api import (
    Cell,
    ChartData,
    Code,
    Embed,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    ParsedDocument,
    Part,
    Series,
    Span,
    Table,
    decode_blocks,
)
from sidecar.ingest.reading.jobs import Assembly, Outcome, encode
from sidecar.ingest.reading.passages import pieces
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.store import Prepared
from sidecar.store.documents.records import PASSAGE_CHARS
from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.cell_references import EVERYWHERE
from sidecar.views.grid import grid
from sidecar.views.sheets import SheetView, sheet_markdown
from sidecar.views.sources import Origin

WHO = Identity("ab" * 32, 10, "plain", "1", "text/plain")


def of(*blocks: Any, kind: Any = "chapter", limits: Limits | None = None, **more: Any) -> Prepared:
    return prepare(ParsedDocument(parts=(Part(kind=kind, blocks=blocks),), **more), WHO, limits or Limits())


def words(prepared: Prepared) -> str:
    return "\n".join(f"{passage.heading}\n{passage.text}" for passage in prepared.passages)


def test_words_are_found_without_what_is_raised_behind_them() -> None:
    """Marks of notes are no part of a word; raised figures that nobody calls a mark are apart from it, those of units
    are not."""
    prepared = of(
        Paragraph(text="The wells1 were read.", spans=(Span("note", 9, 10, "1-1"),)),
        Paragraph(text="The banks2 of 12 m2 held.", spans=(Span("sup", 9, 10), Span("sup", 18, 19))),
        Paragraph(text="The gauges¹² of 3 cm³ held."),
        Paragraph(
            text="About 105 of 10-6 and 200412.", spans=tuple(Span("sup", *at) for at in ((8, 9), (15, 17), (26, 28)))
        ),
        Table(rows=(("3×105", "x1"),), cells=(Cell(0, 0, spans=(Span("sup", 4, 5),)),)),
    )
    said = words(prepared)
    assert "The wells were read." in said
    assert "The banks 2 of 12 m2 held." in said
    assert "The gauges ¹² of 3 cm³ held." in said
    assert "About 10⁵ of 10⁻⁶ and 2004¹²." in said
    assert "3×10⁵ | x1" in said


def test_what_is_struck_through_is_told_where_it_is_found() -> None:
    cells = (Cell(0, 0, spans=(Span("strike", 0, 3),)),)
    said = words(
        of(Paragraph(text="Now $99 $79", spans=(Span("strike", 4, 7),)), Table(rows=(("$49 $39", "x"),), cells=cells))
    )
    assert "Now ~~$99~~ $79" in said
    assert "~~$49~~ $39 | x" in said


def test_everything_a_reader_sees_is_searchable() -> None:
    chart = ChartData(
        type="bar", title="charttitle", x_title="xaxis", y_title="yaxis", y2_title="y2axis", texts=("trendline",),
        categories=("category",), series=(Series(name="seriesname", values=(1.0,)),),
    )  # fmt: skip
    inner = Table(rows=(("nestedcell",),))
    prepared = of(
        Heading(text="headingtext", number="2.1"),
        Paragraph(text="paragraphtext"),
        ListItem(text="listtext"),
        Code(text="codetext"),
        Equation(text="equationtext", label="(3.2)"),
        Figure(caption="captiontext", alt="alttext", text="figuretext", embed=("chart", 0)),
        Note(kind="comment", text="commenttext", author="commentauthor"),
        Note(kind="footer", text="footertext"),
        Table(
            rows=(("headcell", ""), ("", "shown")),
            header_rows=1,
            caption="tablecaption",
            name="tablename",
            cells=(Cell(row=1, col=0, table=inner), Cell(row=1, col=1, formula='IF(A1,"formulaword","")')),
        ),
        embedded=(
            Embed(kind="chart", id=0, name="c", media_type="x", chart=chart),
            Embed(kind="image", id=0, name="i.png", media_type="image/png", alt="imagealt"),
            Embed(kind="attachment", id=0, name="attachedname.xlsx", media_type="x"),
        ),
        metadata={"author": "authorname", "keywords": "keyword", "created": "2024-01-01", "custom.client": "ownvalue"},
        description="ownsummary",
    )
    found = words(prepared)
    for word in (
        "headingtext", "paragraphtext", "listtext", "codetext", "equationtext", "(3.2)", "captiontext", "alttext",
        "figuretext", "charttitle", "xaxis", "yaxis", "y2axis", "trendline", "category", "seriesname", "commenttext",
        "commentauthor", "footertext", "headcell", "shown", "nestedcell", "formulaword", "tablecaption", "tablename",
        "imagealt", "attachedname.xlsx", "authorname", "keyword", "ownsummary", "client", "ownvalue",
    ):  # fmt: skip
        assert word in found, word
    assert found.count("charttitle") == 1
    assert "2024-01-01" not in found
    assert "custom" not in found


def test_the_number_of_some_page_that_a_footer_keeps_is_not_searched() -> None:
    footer = Note(kind="footer", text="1471", spans=(Span("field", 0, 4, "PAGE"),))
    assert "1471" not in words(of(Paragraph(text="said"), footer))
    assert "1471" in words(of(Paragraph(text="said"), Note(kind="footer", text="1471")))


@pytest.mark.parametrize(
    ("shown", "value", "formula", "searched"),
    [
        ("15%", 0.1523, "", "0.1523"), ("12.35", 12.34567, "", "12.34567"), ("15%", 0.15, "", ""),
        ("0.10", 0.1, "", ""),
        ("1,234.57", 1234.568, "", "1234.568"), ("1,234", 1234, "", "1234"), ("TRUE", True, "", ""),
        ("11698.24", 11698.2415270953, "", ""),
        ("12.35", 12.34567, "A1*2", "=A1*2"), ("$ 1,000", 1000, "", "1000"),
    ],
)  # fmt: skip
def test_a_number_shown_rounded_is_searched_as_it_was_typed(
    shown: str, value: float, formula: str, searched: str
) -> None:
    cell = Cell(row=0, col=0, value=value, formula=formula)
    said = words(of(Table(rows=((shown,),), cells=(cell,)), kind="sheet"))
    assert said.split("⟨")[1:] == ([f"{searched}⟩"] if searched else [])


@pytest.mark.parametrize(
    ("target", "searched"),
    [
        ("https://example.org/setup", "example.org/setup"), ("guide.md#setup", "guide.md#setup"),
        ("#Conclusions", "Conclusions"), ("installing-packages.xhtml#o429", ""), ("../text/part0004.html#anchor", ""),
        ("#page=12", ""), ("#slide-3", ""),
    ],
)  # fmt: skip
def test_where_a_link_leads_is_searched_unless_it_is_a_place_in_a_books_own_files(target: str, searched: str) -> None:
    prepared = of(Paragraph(text="See there", spans=(Span("link", 4, 9, target),)))
    assert words(prepared).split() == ["See", "there", *([searched] if searched else [])]


def test_passages_are_whole_blocks_under_one_heading() -> None:
    prepared = of(
        Paragraph(text="before"),
        Heading(text="One", level=1),
        *(Paragraph(text=f"{number} " + "x" * 400) for number in range(6)),
        Heading(text="Two", level=2),
        Paragraph(text="inside two"),
        Heading(text="Empty", level=2),
    )
    shape = [(p.heading, p.first_block, p.last_block) for p in prepared.passages]
    assert shape == [
        ("", 1, 1), ("One", 2, 5), ("One", 6, 8), ("One › Two", 9, 10), ("One › Empty", 11, 11),
    ]  # fmt: skip
    assert [p.section for p in prepared.passages] == ["", "one", "one", "two", "empty"]
    assert all(len(p.text) <= PASSAGE_CHARS for p in prepared.passages)


def test_sections_have_unique_names_and_reach_to_the_next_of_their_level() -> None:
    parts = (
        Part(kind="chapter", blocks=(Heading(text="A"), Paragraph(text="x" * 100), Heading(text="B", level=2))),
        Part(kind="chapter", blocks=(Paragraph(text="still B"), Heading(text="B", level=2), Heading(text="A"))),
    )
    sections = prepare(ParsedDocument(parts=parts), WHO, Limits()).sections
    assert [(s.id, s.n, s.part, s.block, s.end_part, s.end_block) for s in sections] == [
        ("a", 1, 1, 1, 2, 2), ("b", 0, 1, 3, 2, 1), ("b-2", 0, 2, 2, 2, 2), ("a-2", 2, 2, 3, 2, 3),
    ]  # fmt: skip
    assert sections[0].tokens > sections[1].tokens > 0


LINKED = Table(
    rows=(("Name", "Where"), *((f"row {number}", "here") for number in range(400))),
    cells=tuple(Cell(row=row, col=1, link=f"https://example.org/{row}/of/many") for row in range(1, 401)),
)


@pytest.mark.parametrize(
    "blocks",
    [
        (Table(rows=tuple(tuple(f"{row}.{col}" for col in range(370)) for row in range(11))),),
        (Table(rows=(("Name", "Count"), ("a|b", "12"), ("two\nlines", "7")), first_row=3, first_col=4),),
        (Table(rows=(("left",),) * 90), Table(rows=(("", "right", ""),) * 90, first_col=30)),
        (Table(rows=(("word", "", ""),) * 50, merges=tuple(Merge(row, 0, 1, 3) for row in range(0, 50, 2))),),
        (LINKED, Paragraph(text="Below the table stands " + "a sentence " * 20)),
        (Table(rows=(("Total", ""),), cells=(Cell(row=0, col=1, formula="SUM(A1:A9)", state="not_computed"),)),),
        (Paragraph(text="A sheet without any cell."),),
    ],
    ids=["long-rows", "few", "side-by-side", "merged", "links", "formula", "no-cell"],
)  # fmt: skip
def test_a_sheet_is_said_to_cost_what_its_markdown_does(blocks: tuple[Any, ...]) -> None:
    part = of(*blocks, kind="sheet").parts[0]
    found = grid(blocks, EVERYWHERE, 400_000, whole=True)
    shown = sheet_markdown(SheetView(found, part, Origin("", "", "doc", "", "")))
    assert part.tokens == pytest.approx(estimate_tokens(shown.partition("\n\n")[2]), rel=0.2, abs=4)


def test_an_empty_sheet_is_found_by_a_name_that_somebody_gave_it() -> None:
    names = ("Full", "Archive of 2019", "Attic", "Sheet2", "Tabelle 3", "工作表4")
    parts = tuple(
        Part(kind="sheet", title=name, name=name, blocks=() if number else (Paragraph(text="words"),))
        for number, name in enumerate(names)
    )
    found = prepare(ParsedDocument(parts=parts), WHO, Limits()).passages
    assert [(passage.part, passage.text) for passage in found] == [(1, "words"), (2, "Archive of 2019"), (3, "Attic")]


def test_what_holds_nothing_says_so_whether_it_has_parts_or_none() -> None:
    slides = (Part(kind="slide"), Part(kind="slide"))
    for parts in ((), slides):
        (notice,) = prepare(ParsedDocument(parts=parts), WHO, Limits()).notices
        assert (notice.code, notice.message[:28]) == ("left_out", "No text, table or picture wa")
    assert not prepare(
        ParsedDocument(parts=(*slides, Part(kind="slide", blocks=(Paragraph(text="x"),)))), WHO, Limits()
    ).notices


def test_slides_do_not_belong_under_the_slide_before() -> None:
    parts = (
        Part(kind="slide", title="First", blocks=(Heading(text="First"), Paragraph(text="one"))),
        Part(kind="slide", blocks=(Paragraph(text="two"),)),
    )
    prepared = prepare(ParsedDocument(parts=parts), WHO, Limits())
    assert [(p.heading, p.page) for p in prepared.passages] == [("First", 1), ("", 2)]
    assert (prepared.sections[0].end_part, prepared.sections[0].end_block) == (1, 2)


def test_what_stands_above_a_pages_first_heading_is_not_under_it() -> None:
    """A page is called after a heading on it; a passage that goes on from the page before stands in no such section."""
    first = Part(kind="page", title="Margins", blocks=(Heading(text="Margins"), Paragraph(text="measured")))
    second = Part(
        kind="page", title="Fonts", blocks=(Paragraph(text="goes on"), Heading(text="Fonts"), Paragraph(text="x"))
    )
    named = Part(kind="page", title="Appendix A", blocks=(Paragraph(text="no heading"),))
    prepared = prepare(ParsedDocument(parts=(first, second, named)), WHO, Limits())
    assert [p.heading for p in prepared.passages] == ["Margins", "Margins", "Fonts", "Appendix A › Fonts"]


def test_what_runs_over_the_edges_of_pages_is_searched_once() -> None:
    """Else every page of a chapter answers to the words of its title; what stands on one page alone is found there."""
    heads = ["Whales 1", "Whales 2\nDraft of May", "Dolphins 3", "Whales 4"]
    pages = [
        Part(
            kind="page",
            blocks=(Paragraph(text=f"plain {n}"),),
            metadata={"header": head, "footer": f"{n}", "size": "A4"},
        )
        for n, head in enumerate(heads, 1)
    ]
    prepared = prepare(ParsedDocument(parts=tuple(pages)), WHO, Limits())
    assert [p.text.split("\n") for p in prepared.passages] == [
        ["header: Whales 1", "footer: 1", "size: A4", "plain 1"],
        ["header: Draft of May", "size: A4", "plain 2"],
        ["header: Dolphins 3", "size: A4", "plain 3"],
        ["size: A4", "plain 4"],
    ]


def test_rows_of_a_long_table_keep_their_header() -> None:
    rows = tuple((f"name {number}", f"{number}") for number in range(256))
    blocks = (Table(rows=(("Name", "Count"), *rows), header_rows=1), Table(rows=rows, first_row=257))
    prepared = of(*blocks, kind="sheet")
    assert len(prepared.passages) > 4
    assert all("Name | Count" in p.text for p in prepared.passages[1:])
    assert all(len(p.text) <= PASSAGE_CHARS for p in prepared.passages)
    for number in range(256):
        assert any(f"name {number} | {number}" in p.text.split("\n") for p in prepared.passages)
    part = prepared.parts[0]
    assert (part.rows, part.cols) == (513, 2)
    assert (part.segments[0].first_row, part.segments[-1].last_row) == (0, 512)


def test_segments_hold_all_blocks_in_order() -> None:
    blocks = tuple(Paragraph(text=f"{number} " + "y" * 3000) for number in range(100))
    segments = of(*blocks).parts[0].segments
    assert len(segments) > 3
    assert [s.first_block for s in segments] == [1, *(s.last_block + 1 for s in segments[:-1])]
    assert tuple(block for s in segments for block in decode_blocks(s.data)) == blocks


def test_the_description_is_the_documents_own_or_its_first_words() -> None:
    assert of(Paragraph(text="text"), description="  its own\nsummary ").description == "its own summary"
    long = of(Heading(text="Title"), Paragraph(text="word " * 100)).description
    assert long.startswith("Title word word")
    assert long.endswith("...")
    assert len(long) <= 103
    assert of().description == ""


@pytest.mark.parametrize("bad", ["nul\0here", "half \ud800 pair", "\udcff byte"])
def test_text_no_database_takes_is_cleaned_wherever_it_stands(bad: str) -> None:
    prepared = prepare(
        ParsedDocument(
            title=bad,
            metadata={"author": bad},
            parts=(
                Part(kind="chapter", title=bad, name=bad, blocks=(Heading(text=bad), Paragraph(text=bad))),
                Part(kind="chapter", blocks=(Table(rows=((bad,),)), Figure(alt=bad))),
            ),
            embedded=(Embed(kind="image", id=0, name=bad, media_type="x", alt=bad),),
        ),
        WHO,
        Limits(),
    )
    frame = b"".join(encode(Outcome(kind="read", prepared=prepared)))
    assert b"\xef\xbf\xbd" in frame
    # Encoding would fail on a lone surrogate.
    blocks = [decode_blocks(segment.data) for part in prepared.parts for segment in part.segments]
    assert b"u0000" not in msgspec.json.encode(prepared) + msgspec.json.encode(blocks)
    assert "\ufffd" in prepared.title


def test_limits_cut_and_say_so() -> None:
    parts = tuple(Part(kind="page", blocks=(Paragraph(text="z" * 100),)) for _ in range(10))
    by_parts = prepare(ParsedDocument(parts=parts), WHO, Limits(max_parts=4))
    assert (len(by_parts.parts), [n.code for n in by_parts.notices]) == (4, ["truncated_at"])
    by_text = prepare(ParsedDocument(parts=parts), WHO, Limits(max_text_chars=250))
    assert (len(by_text.parts), by_text.notices[0].code) == (3, "truncated_at")


@given(st.text(alphabet="ab .\n。", max_size=6000))
def test_pieces_lose_nothing_but_white_space(text: str) -> None:
    found = list(pieces(text))
    assert all(0 < len(piece) <= PASSAGE_CHARS for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_large_outcome_travels_in_frames_and_arrives_whole() -> None:
    text = "".join(chr(0x4E00 + number * 7919 % 20000) for number in range(1500))
    parts = tuple(Part(kind="page", blocks=tuple(Paragraph(text=f"{n}{text}") for _ in range(30))) for n in range(60))
    prepared = prepare(ParsedDocument(parts=parts), WHO, Limits())
    outcome = Outcome(kind="read", sha256="x", prepared=prepared)
    frames = list(encode(outcome))
    assert len(frames) > 2
    assert max(map(len, frames)) < 8 * 2**20
    assembly = Assembly()
    arrived = [done for frame in frames if (done := assembly.add(frame)) is not None]
    assert arrived == [outcome]
    small = Outcome(kind="gone")
    assert assembly.add(b"".join(encode(small))) == small
    assert msgspec.msgpack.encode(arrived[0]) == msgspec.msgpack.encode(outcome)
