"""The PowerPoint plugin through its public surface: the trial presentation, structure, damage, limits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest
from sidecar_pptx import PptxFormat
from support.office.docx_files import packed
from support.trials.pptx_trial import PLACES, frame, para, parts, png, shape, slide, token, write_trial

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Equation,
    Figure,
    FormatError,
    Heading,
    LimitError,
    Limits,
    ListItem,
    Note,
    NotFoundError,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
    UnsupportedError,
)

FORMAT = PptxFormat()
TABLE_URI = "http://schemas.openxmlformats.org/drawingml/2006/table"
LIMITS = Limits()


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return Source.of(write_trial(tmp_path_factory.mktemp("pptx") / "trial.pptx"))


@pytest.fixture(scope="module")
def document(trial: Source) -> ParsedDocument:
    return FORMAT.parse(trial, LIMITS)


def parse(content: dict[str, str | bytes], limits: Limits = LIMITS) -> ParsedDocument:
    return FORMAT.parse(Source.of_bytes(packed(content), "made.pptx"), limits)


def one_slide(shapes: str) -> ParsedDocument:
    content = parts()
    content["ppt/slides/slide1.xml"] = slide(shapes)
    return parse(content)


def test_cells_say_the_numbers_and_bullets_of_their_paragraphs() -> None:
    dot, count = '<a:buChar char="&#8226;"/>', '<a:buAutoNum type="arabicPeriod"/>'

    def cell(*texts: tuple[str, str]) -> str:
        lines = "".join(
            f"<a:p><a:pPr>{mark}</a:pPr><a:r><a:rPr b='1'/><a:t>{text}</a:t></a:r></a:p>" for mark, text in texts
        )
        return f"<a:tc><a:txBody><a:bodyPr/>{lines}</a:txBody><a:tcPr/></a:tc>"

    cells = cell(("", "Risks"), (dot, "late"), (dot, "dear")) + cell((count, "plan"), (count, "do")) + cell((dot, "12"))
    grid = "<a:tblGrid>" + '<a:gridCol w="1"/>' * 3 + "</a:tblGrid>"
    table = f'<a:graphicData uri="t"><a:tbl>{grid}<a:tr h="1">{cells}</a:tr></a:tbl></a:graphicData>'
    document = one_slide(frame(9, table, (0, 0, 100, 100)))
    (found,) = (block for block in document.parts[0].blocks if isinstance(block, Table))
    assert found.rows == (("Risks\n• late\n• dear", "1. plan\n2. do", "12"),)
    assert [(span.start, span.end) for span in found.cells[0].spans] == [(0, 5), (8, 12), (15, 19)]


@pytest.mark.parametrize("place", PLACES)
def test_every_planted_token_is_found(document: ParsedDocument, place: str) -> None:
    assert token(place) in repr(document), f"lost: {PLACES[place]}"


def test_tokens_come_once_where_the_file_has_two_renderings(document: ParsedDocument) -> None:
    words = repr(document.parts)
    assert "not available" not in words
    assert "fallback picture text" not in words
    assert len(re.findall(token("mastertext"), words)) == 1
    assert len(re.findall(token("layouttext"), words)) == 1


def test_slides_keep_order_size_section_and_hiding(document: ParsedDocument) -> None:
    assert [part.kind for part in document.parts] == ["slide"] * 3
    assert [part.hidden for part in document.parts] == [False, False, True]
    assert document.parts[0].title == token("title")
    assert document.parts[2].title == token("hiddenslide")
    assert (document.parts[0].width, document.parts[0].height) == (720.0, 540.0)
    assert document.parts[1].metadata == {"section": token("section")}
    assert any(n.code == "hidden_content" and "Slide 3" in n.message for n in document.notices)
    assert any(n.code == "external_content" and n.part == 2 for n in document.notices)


def test_bullets_come_from_the_master(document: ParsedDocument) -> None:
    items = [block for block in document.parts[0].blocks if isinstance(block, ListItem)]
    assert [(item.text, item.level, item.marker) for item in items] == [
        (token("bullet"), 0, "•"),
        (token("nested"), 1, "▪"),
    ]
    assert items[0].box == (50.0, 100.0, 650.0, 280.0)


def test_title_is_a_heading_and_subtitle_a_subtitle(document: ParsedDocument) -> None:
    first = document.parts[0].blocks[0]
    assert isinstance(first, Heading)
    assert first.box == (50.0, 10.0, 650.0, 50.0)
    styles = {block.text: block.style for block in document.parts[0].blocks if isinstance(block, Paragraph)}
    assert styles[token("subtitle")] == "subtitle"


def test_links_bold_and_slide_jumps_are_spans(document: ParsedDocument) -> None:
    texts = [block for block in document.parts[0].blocks if isinstance(block, Paragraph)]
    block = next(block for block in texts if token("run") in block.text)
    spans = {span.kind: span for span in block.spans}
    assert block.text[spans["link"].start : spans["link"].end] == token("run")
    assert spans["link"].value.endswith(token("link"))
    assert "bold" in spans
    jump = next(block for block in texts if block.text == "see slide two")
    assert [span.value for span in jump.spans if span.kind == "link"] == ["#slide-2"]


def test_groups_place_their_children_on_the_slide(document: ParsedDocument) -> None:
    blocks = {block.text: block.box for block in document.parts[0].blocks if isinstance(block, Paragraph)}
    assert blocks[token("grouped")] == (100.0, 100.0, 200.0, 120.0)
    assert blocks[token("deepgroup")] == (120.0, 120.0, 220.0, 160.0)


def test_hidden_and_off_slide_shapes_are_flagged(document: ParsedDocument) -> None:
    hidden = {cast("Paragraph", block).text for block in document.parts[0].blocks if block.hidden}
    assert hidden == {token("hiddenshape"), token("offslide")}


def test_furniture_is_set_apart(document: ParsedDocument) -> None:
    notes = {block.text: block.kind for block in document.parts[0].blocks if isinstance(block, Note)}
    assert notes[token("footer")] == "footer"
    assert notes[token("datetext")] == "footer"
    assert "1" not in notes  # the slide's own number, which it is called by anyway
    assert "‹#›" not in notes
    assert notes[token("speaker")] == "speaker"


def test_comments_keep_author_date_target_and_thread(document: ParsedDocument) -> None:
    notes = {b.text: b for part in document.parts for b in part.blocks if isinstance(b, Note) and b.kind == "comment"}
    classic, reply = notes[token("comment")], notes[token("reply")]
    assert (classic.author, classic.date) == (token("commentauthor"), "2024-05-06T07:08:09")
    assert reply.parent == classic.id != ""
    thread, answer = notes[token("thread")], notes[token("threadreply")]
    assert (thread.author, thread.target) == (token("threadauthor"), "Figure 7")
    assert answer.parent == thread.id
    assert (thread.resolved, classic.resolved) == (True, False)


def test_table_merges(document: ParsedDocument) -> None:
    table = next(block for block in document.parts[1].blocks if isinstance(block, Table))
    assert table.rows == ((token("mergedcell"), ""), (token("cell"), "b"), ("", "d"))
    assert {(m.row, m.col, m.rows, m.cols) for m in table.merges} == {(0, 0, 1, 2), (1, 0, 2, 1)}
    assert table.header_rows == 1


def test_smartart_follows_its_connections_even_in_a_loop(document: ParsedDocument) -> None:
    figure = next(b for b in document.parts[1].blocks if isinstance(b, Figure) and token("smartart") in b.text)
    assert figure.text == f"{token('smartart')}\n  {token('smartchild')}"


def test_equations_become_latex(document: ParsedDocument) -> None:
    equation = next(block for block in document.parts[1].blocks if isinstance(block, Equation))
    assert equation.latex.startswith("\\frac{")
    inline = next(b for b in document.parts[1].blocks if isinstance(b, Paragraph) and b.text.startswith("where "))
    assert [inline.text[s.start : s.end] for s in inline.spans if s.kind == "math"] == [token("inlinemath")]


def test_charts_carry_their_data(document: ParsedDocument) -> None:
    charts = {embed.name: embed.chart for embed in document.embedded if embed.kind == "chart"}
    chart = charts["chart1"]
    assert chart is not None
    assert (chart.type, chart.grouping, chart.source) == ("column", "stacked", "Sheet1!A1:B4")
    assert chart.series[0].values == (0.25, None, 0.5)
    assert chart.series[0].format == "0.0%"
    waterfall = charts["chartEx1"]
    assert waterfall is not None
    assert (waterfall.type, waterfall.series[0].values) == ("waterfall", (10.0, -4.0))


def test_elements_are_labelled_and_captioned(document: ParsedDocument) -> None:
    labels = {element.label: element for element in document.elements}
    assert labels["Figure 7"].caption == "the picture of the trial"
    assert not labels["Figure 7"].generated
    assert labels["Figure 7"].embed == ("image", 0)
    assert {"Table p2-1", "Chart p2-1", "Chart p2-2", "Diagram p2-1", "Equation p2-1"} <= set(labels)
    for element in document.elements:
        assert element.page == element.part == 2
        assert element.block
        assert element.context


def test_embedded_bytes_open_with_their_true_type(trial: Source, document: ParsedDocument) -> None:
    opened = {(e.kind, e.name): FORMAT.open_embedded(trial, e.ref, LIMITS) for e in document.embedded if e.ref}
    for embed in document.embedded:
        if embed.ref:
            payload = opened[embed.kind, embed.name]
            assert (payload.media_type, len(payload.data)) == (embed.media_type, embed.size)
    image = opened["image", "image1.png"]
    assert (image.media_type, image.width, image.height, image.data) == ("image/png", 40, 20, png(40, 20))
    assert opened["media", "media1.mp4"].media_type == "video/mp4"
    font = opened["font", token("fontname") + ".ttf"]
    assert (font.media_type, font.data) == ("font/ttf", b"\0\1\0\0 a font")
    assert opened["attachment", token("attachment") + ".xlsx"].data.endswith(b"attached workbook")
    assert opened["attachment", "book.xlsx"].data.endswith(b"the chart's workbook")
    listed = {(embed.kind, embed.name): embed for embed in document.embedded}
    assert listed["image", "image1.png"].alt == token("alttext")
    assert listed["image", "image1.png"].part == 2
    with pytest.raises(NotFoundError):
        FORMAT.open_embedded(trial, "ppt/media/none.png", LIMITS)


def test_properties(document: ParsedDocument) -> None:
    assert document.title == token("doctitle")
    assert document.metadata["author"] == token("docauthor")
    assert document.metadata["custom.project"] == token("doccustom")
    assert "custom.scalecrop" not in document.metadata  # LibreOffice copies it from what the application said
    assert document.metadata["created"] == "2024-01-01T00:00:00Z"


def texts(document: ParsedDocument) -> list[str]:
    return [b.text for b in document.parts[0].blocks if isinstance(b, Heading | Paragraph | ListItem)]


def test_reading_order_corrects_late_additions_but_keeps_columns() -> None:
    late = shape(5, para("late, on top"), box=(50, 10, 600, 30))
    columns = "".join(
        shape(10 + i, para(name), box=(50 + 320 * (i // 2), 100 + 100 * (i % 2), 280, 80))
        for i, name in enumerate(["a1", "a2", "b1", "b2"])
    )
    assert texts(one_slide(columns + late)) == ["late, on top", "a1", "a2", "b1", "b2"]
    rows = "".join(
        shape(10 + i, para(name), box=(50 + 320 * (i % 2), 100 + 100 * (i // 2), 280, 80))
        for i, name in enumerate(["a1", "b1", "a2", "b2"])
    )
    assert texts(one_slide(rows)) == ["a1", "b1", "a2", "b2"]


def test_numbered_lists_count_as_shown() -> None:
    auto = '<a:pPr{}><a:buAutoNum type="{}"{}/></a:pPr>'
    body = (
        para("x", auto.format("", "arabicPeriod", ' startAt="3"'))
        + para("y", auto.format(' lvl="1"', "alphaLcParenR", ""))
        + para("z", auto.format(' lvl="1"', "alphaLcParenR", ""))
        + para("w", auto.format("", "arabicPeriod", ' startAt="3"'))
        + para("v", auto.format(' lvl="1"', "romanUcPeriod", ""))
        + para("plain", "<a:pPr><a:buNone/></a:pPr>")
    )
    blocks = one_slide(shape(5, body, box=(50, 50, 300, 200))).parts[0].blocks
    items = [(b.marker, b.level, b.ordered) for b in blocks if isinstance(b, ListItem)]
    assert items == [("3.", 0, True), ("a)", 1, True), ("b)", 1, True), ("4.", 0, True), ("I.", 1, True)]


def test_prompts_and_empty_placeholders_are_left_out() -> None:
    made = one_slide(shape(2, para("Click to edit the title"), place='<p:ph type="title"/>') + shape(3, para("said")))
    assert texts(made) == ["said"]
    assert made.parts[0].title == "said"


def test_a_box_that_only_counts_slides_says_nothing() -> None:
    number = '<a:p><a:fld id="{1}" type="slidenum"><a:t>4</a:t></a:fld></a:p>'
    assert texts(one_slide(shape(2, number) + shape(3, para("on")))) == ["on"]


def test_a_slide_has_one_title() -> None:
    place = '<p:ph type="title"/>'
    shapes = shape(2, para("low"), place=place, box=(0, 300, 90, 40)) + shape(
        3, para("Top"), place=place, box=(0, 10, 90, 40)
    )
    made = one_slide(shapes)
    assert texts(made) == ["Top", "low"]
    assert isinstance(made.parts[0].blocks[1], Paragraph)


def test_words_of_cells_that_a_merge_covers_are_hidden_and_not_lost() -> None:
    def cell(text: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}><a:txBody><a:bodyPr/>{para(text)}</a:txBody><a:tcPr/></a:tc>"

    row = cell("over both", 'gridSpan="2"') + cell("under it", 'hMerge="1"')
    grid = f'<a:tbl><a:tr h="9">{row}</a:tr><a:tr h="9">{cell("left")}{cell("right")}</a:tr></a:tbl>'
    made = one_slide(frame(5, f'<a:graphicData uri="{TABLE_URI}">{grid}</a:graphicData>', (10, 10, 300, 200)))
    (found,) = [block for block in made.parts[0].blocks if isinstance(block, Table)]
    assert found.rows == (("over both", "under it"), ("left", "right"))
    assert [(one.col, [span.kind for span in one.spans]) for one in found.cells] == [(1, ["hidden"])]
    assert any(notice.code == "hidden_content" and notice.part == 1 for notice in made.notices)


def sized(text: str, size: int) -> str:
    return f'<a:p><a:r><a:rPr sz="{size}"/><a:t>{text}</a:t></a:r></a:p>'


def test_the_largest_words_at_the_top_are_the_title_of_a_slide_without_one() -> None:
    lead = sized("Tides", 2800) + sized("of the Ems", 2800) + sized("measured", 2000)
    low = shape(2, sized("Low water at noon", 2000), box=(40, 300, 600, 90))
    made = one_slide(low + shape(3, lead, box=(40, 30, 600, 120)))
    assert texts(made) == ["Tides of the Ems", "measured", "Low water at noon"]
    assert made.parts[0].title == "Tides of the Ems"
    assert [type(block) for block in made.parts[0].blocks[:3]] == [Heading, Paragraph, Paragraph]


def test_a_slide_is_not_called_by_words_that_nobody_sees() -> None:
    look = '<a:rPr sz="4000"><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr>'
    unseen = shape(2, f"<a:p><a:r>{look}<a:t>Obey</a:t></a:r></a:p>", box=(40, 30, 600, 90))
    part = one_slide(unseen + shape(3, para("Low water"), box=(40, 300, 600, 90))).parts[0]
    assert part.title == "Low water"
    assert [(block.text, block.hidden) for block in part.blocks if isinstance(block, Heading)] == [("Obey", True)]


@pytest.mark.parametrize(
    ("text", "size", "top"), [("Tides", 2800, 400), ("Tides", 2000, 30), ("28.4", 4000, 30), ("Tides " * 30, 4000, 30)]
)
def test_words_below_or_no_larger_or_many_are_no_title(text: str, size: int, top: int) -> None:
    other = shape(3, sized("Low water", 1900), box=(40, 300, 600, 90))
    made = one_slide(shape(2, sized(text, size), box=(40, top, 600, 90)) + other)
    assert not any(isinstance(block, Heading) for block in made.parts[0].blocks)


@pytest.mark.parametrize("scale", ["50000", "50%"])
def test_words_that_a_program_made_smaller_so_that_they_fit_are_no_title(scale: str) -> None:
    large = shape(3, sized("Tides", 2800), box=(40, 30, 600, 120))
    fitted = large.replace("<a:bodyPr/>", f'<a:bodyPr><a:normAutofit fontScale="{scale}"/></a:bodyPr>')
    other = shape(2, sized("Low water", 2000), box=(40, 300, 600, 90))
    assert one_slide(other + large).parts[0].title == "Tides"
    assert not any(isinstance(block, Heading) for block in one_slide(other + fitted).parts[0].blocks)


@pytest.mark.parametrize(("size", "place"), [(1800, ""), (4000, '<p:ph idx="1"/>')])
def test_small_words_alone_and_alone_in_the_place_of_text_are_no_title(size: int, place: str) -> None:
    made = one_slide(shape(2, sized("Then some text", size), box=(40, 30, 600, 90), place=place))
    assert not any(isinstance(block, Heading) for block in made.parts[0].blocks)


def test_a_footer_that_its_layout_has_too_is_no_prompt() -> None:
    content = parts()
    footer = shape(90, para("In house"), place='<p:ph type="ftr" idx="11"/>')
    layout = content["ppt/slideLayouts/slideLayout1.xml"]
    assert isinstance(layout, str)
    content["ppt/slideLayouts/slideLayout1.xml"] = layout.replace("</p:spTree>", f"{footer}</p:spTree>")
    content["ppt/slides/slide1.xml"] = slide(footer)
    notes = [block for block in parse(content).parts[0].blocks if isinstance(block, Note)]
    assert ("footer", "In house") in [(note.kind, note.text) for note in notes]


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize(
    "drawn",
    [
        "{}", "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{}</p:grpSp>", "<!-- <p:sp><p:ph/> -->{}",
        "<p:pic><p:nvPicPr><p:nvPr><p:ph idx='9'/></p:nvPr></p:nvPicPr></p:pic>{}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("tag", ["<p:sp>", "<p:sp useBgFill='1'>", "<q:sp xmlns:q='{}'>", "<p:sp\n>"])
def test_words_of_a_layout_outside_of_its_placeholders_are_told(tag: str, drawn: str, last: bool) -> None:
    content = parts()
    layout = content["ppt/slideLayouts/slideLayout1.xml"]
    assert isinstance(layout, str)
    opened = tag.format(re.findall(r'xmlns:p="([^"]+)"', layout)[0])
    own = shape(90, para("In house")).replace("<p:sp>", opened)
    if ":q" in tag:
        own = re.sub(r"(</?)p:", r"\1q:", own)
    own = drawn.format(own)
    place = "</p:spTree>" if last else "<p:sp>"
    made = layout.replace(place, own + place, 1)
    content["ppt/slideLayouts/slideLayout1.xml"] = made
    notes = [block for part in parse(content).parts for block in part.blocks if isinstance(block, Note)]
    assert "In house" in [note.text for note in notes]


def test_connected_shapes_are_a_diagram() -> None:
    boxes = "".join(shape(i, para(f"step {i}"), box=(50 + i * 100, 100, 80, 40)) for i in (2, 3, 4))
    glue = "".join(
        f"<p:cxnSp><p:nvCxnSpPr><p:cNvPr id='{10 + i}' name='c'/><p:cNvCxnSpPr><a:stCxn id='{i}' idx='0'/>"
        f"<a:endCxn id='{i + 1}' idx='0'/></p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr/></p:cxnSp>"
        for i in (2, 3)
    )
    made = one_slide(boxes + glue)
    diagram = next(element for element in made.elements if element.part == 1)
    assert (diagram.type, diagram.label) == ("diagram", "Diagram p1-1")
    assert diagram.text == "step 2\nstep 3\nstep 4"


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ("ppt/slides/slide1.xml", "damaged_part"),
        ("ppt/notesSlides/notesSlide1.xml", "damaged_part"),
        ("ppt/comments/comment1.xml", "damaged_part"),
        ("ppt/charts/chart1.xml", "damaged_part"),
        ("ppt/diagrams/data1.xml", "damaged_part"),
        ("ppt/slideLayouts/slideLayout1.xml", "damaged_part"),
    ],
)
@pytest.mark.parametrize("broken", [b"", b"\x00\x01 not xml", None])
def test_a_damaged_part_costs_only_itself(part: str, code: str, broken: bytes | None) -> None:
    content = parts()
    if broken is None:
        del content[part]
    else:
        content[part] = broken
    made = parse(content)
    assert code in {notice.code for notice in made.notices}
    assert len(made.parts) == 3
    assert token("cell") in repr(made.parts[1])


def test_hostile_depth_and_loops_end() -> None:
    deep = "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>" * 300 + shape(5, para("deep")) + "</p:grpSp>" * 300
    assert one_slide(deep).parts[0].blocks is not None
    nested = (
        "<mc:AlternateContent><mc:Fallback>" * 200 + shape(5, para("x")) + "</mc:Fallback></mc:AlternateContent>" * 200
    )
    assert len(one_slide(nested).parts) == 3


def test_limits_end_with_a_notice() -> None:
    made = parse(parts(), Limits(max_parts=1))
    assert len(made.parts) == 1
    assert any(notice.code == "truncated_at" for notice in made.notices)
    few = parse(parts(), Limits(max_embedded=2))
    assert len(few.embedded) == 2
    with pytest.raises(LimitError):
        parse(parts(), Limits(max_file_bytes=100))


@pytest.mark.parametrize("cut", [0, 1, 4, 30, 200])
def test_cut_files_are_refused(cut: int) -> None:
    data = packed(parts())[:cut]
    with pytest.raises(FormatError):
        FORMAT.parse(Source.of_bytes(data, "cut.pptx"), LIMITS)


def test_of_a_file_without_its_end_the_slides_that_are_there_are_read() -> None:
    whole = FORMAT.parse(Source.of_bytes(packed(parts()), "whole.pptx"), LIMITS)
    cut = FORMAT.parse(Source.of_bytes(packed(parts())[:-40], "cut.pptx"), LIMITS)
    assert [part.blocks for part in cut.parts] == [part.blocks for part in whole.parts]


def test_flipped_bytes_never_escape() -> None:
    data = bytearray(packed(parts()))
    for at in range(0, len(data), 97):
        broken = bytearray(data)
        broken[at] ^= 0xFF
        try:
            made = FORMAT.parse(Source.of_bytes(bytes(broken), "broken.pptx"), LIMITS)
        except FormatError:
            continue
        assert isinstance(made, ParsedDocument)


def test_other_office_files_are_told_apart() -> None:
    content = parts()
    content["ppt/presentation.xml"] = (
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'/>"
    )
    with pytest.raises(UnsupportedError):
        parse(content)
    with pytest.raises(DamagedError):
        parse({"a.txt": "x"})


def test_protected_files_say_so(tmp_path: Path) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 22 + b"\x09\0\x06\0" + b"\0" * 600
    data = ole + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises((EncryptedError, DamagedError)):
        FORMAT.parse(Source.of_bytes(data, "secret.pptx"), LIMITS)


def test_score_goes_by_content(trial: Source) -> None:
    assert FORMAT.score(trial) >= 60
    renamed = Source.of_bytes(trial.read(), "trial.bin")
    assert FORMAT.score(Source.of_bytes(b"plain words", "notes.txt")) == 0
    assert FORMAT.score(Source.of_bytes(b"plain words", "notes.pptx")) < 50
    assert FORMAT.score(renamed) == 100
    assert FORMAT.parse(renamed, LIMITS).media_type.endswith("presentationml.presentation")


def test_presentations_of_one_template_read_alike_one_after_another() -> None:
    first, second = parse(parts()), parse(parts())
    assert first == second
    assert any(token("mastertext") in repr(part.blocks) for part in second.parts)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", "<p:defaultTextStyle><a:lvl1pPr/></p:defaultTextStyle>"),
        ("<!-- <p:defaultTextStyle> -->", "<p:defaultTextStyle/><!-- </p:defaultTextStyle> -->"),
        ("", "<p:defaultTextStyle>"),
    ],
)
def test_looks_of_text_take_no_slide_with_them(before: str, behind: str) -> None:
    content = parts()
    written = content["ppt/presentation.xml"]
    assert isinstance(written, str)
    begun = written.replace("<p:sldIdLst", f"{before}<p:sldIdLst").replace("<p:sldSz", f"{behind}<p:sldSz")
    content["ppt/presentation.xml"] = begun
    assert begun != written
    assert [part.title for part in parse(content).parts] == [part.title for part in parse(parts()).parts]
