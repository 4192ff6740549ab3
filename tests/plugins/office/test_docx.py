"""The Word plugin through its public surface: the trial document, what each construct becomes, what it recognises."""

from __future__ import annotations

import msgspec
import pytest
from support.formats.corpus import DOCS as CORPUS
from support.office.docx_files import (
    MAIN,
    REL,
    alternate,
    cell,
    compound,
    drawing,
    field,
    math,
    numbered,
    package,
    para,
    part,
    picture,
    png,
    row,
    run,
    shape,
    styled,
    table,
)
from support.office.docx_reading import FORMAT, LIMITS, blocks, parsed
from support.trials.docx_trial import PLACES, token, trial

from sidecar.api import (
    Code,
    DamagedError,
    EncryptedError,
    Equation,
    Figure,
    FormatError,
    Heading,
    ListItem,
    Merge,
    Note,
    NotFoundError,
    Paragraph,
    ParsedDocument,
    Source,
    Span,
    Table,
)


@pytest.fixture(scope="module")
def document() -> ParsedDocument:
    return parsed(trial(), "trial.docx")


@pytest.mark.parametrize("place", PLACES)
def test_every_planted_token_is_found(document: ParsedDocument, place: str) -> None:
    assert token(place) in msgspec.json.encode(document).decode(), PLACES[place]


def notes(document: ParsedDocument, kind: str) -> list[Note]:
    return [b for chapter in document.parts for b in chapter.blocks if isinstance(b, Note) and b.kind == kind]


def test_comments_carry_author_date_marked_text_and_replies(document: ParsedDocument) -> None:
    first, reply, loose = notes(document, "comment")
    assert (first.author, first.date, first.target, first.parent) == (
        "Ada",
        "2024-05-06T07:08:09Z",
        token("marked"),
        "",
    )
    assert (reply.author, reply.parent) == ("Bob", first.id)
    assert (first.resolved, reply.resolved) == (True, False)  # a reply is settled with what it answers
    assert loose.parent == ""
    marked = next(b for b in document.parts[0].blocks if isinstance(b, Paragraph) and b.text == token("marked"))
    assert marked.spans == (Span("comment", 0, len(marked.text), first.id),)


def test_notes_are_numbered_as_word_shows_them(document: ParsedDocument) -> None:
    assert [(n.kind, n.id) for kind in ("footnote", "endnote") for n in notes(document, kind)] == [
        ("footnote", "1"),
        ("endnote", "i"),
    ]
    calling = next(b for b in document.parts[0].blocks if isinstance(b, Paragraph) and b.text == "Note and")
    assert calling.spans == (Span("note", 4, 4, "1"), Span("note", 8, 8, "i"))


def test_headers_stand_with_the_section_they_begin_in_and_are_told_apart(document: ParsedDocument) -> None:
    shown = {note.text.split("\n")[0]: (note.target, note.hidden) for note in notes(document, "header")}
    assert shown == {
        token("header"): ("section 1", False),
        token("firstheader"): ("section 1, first page", False),
        token("evenheader"): ("section 1, even pages", False),
        token("secondheader"): ("section 2", False),
    }
    assert any(note.text == token("secondheader") for note in document.parts[1].blocks if isinstance(note, Note))


def test_tracked_changes_are_both_readable_and_marked(document: ParsedDocument) -> None:
    block = next(b for b in document.parts[0].blocks if isinstance(b, Paragraph) and token("deleted") in b.text)
    kinds = {block.text[span.start : span.end]: (span.kind, span.value, span.date) for span in block.spans}
    assert kinds == {
        token("inserted"): ("ins", "Ada", "2024-05-06T07:08:09Z"),
        token("deleted"): ("del", "Ada", "2024-05-06T07:08:09Z"),
    }
    assert block.text.split() == [token("inserted"), token("deleted")], "the two words must not run together"
    assert any(notice.code == "tracked_changes" for notice in document.notices)


def test_embedded_bytes_come_out_true(document: ParsedDocument) -> None:
    source = Source.of_bytes(trial(), "trial.docx")
    found = {(e.kind, e.id): e for e in document.embedded}
    image = found["image", 0]
    assert (image.media_type, image.width, image.height, image.alt) == ("image/png", 7, 5, token("alttext"))
    assert FORMAT.open_embedded(source, image.ref, LIMITS).data == png()
    attached = found["attachment", 0]
    assert (attached.name, attached.media_type, attached.size) == (f"{token('attachment')}.txt", "text/plain", 18)
    opened = FORMAT.open_embedded(source, attached.ref, LIMITS)
    assert (opened.data, opened.name) == (b"the attached words", attached.name)
    font = found["font", 0]
    assert font.media_type == "font/ttf"
    assert FORMAT.open_embedded(source, font.ref, LIMITS).data.startswith(b"\0\1\0\0font bytes of the trial document")
    chart = found["chart", 0].chart
    assert chart is not None
    assert (chart.type, chart.categories, chart.series[0].values) == ("column", (token("category"),), (4.5,))
    with pytest.raises(NotFoundError):
        FORMAT.open_embedded(source, "word/media/none.png", LIMITS)


def test_elements_are_labelled_by_caption_or_by_chapter(document: ParsedDocument) -> None:
    labels = {e.label: e for e in document.elements}
    figure, grid = labels["Figure 1"], labels["Table 5"]
    assert (figure.type, figure.embed, figure.generated) == ("figure", ("image", 0), False)
    assert (grid.type, grid.part) == ("table", 2)
    assert isinstance(document.parts[1].blocks[grid.block - 1], Table)
    assert labels["Chart c2-1"].generated
    assert labels["Equation c2-1"].latex == "{" + token("displaymath") + "}^{2}"
    assert labels["Diagram c2-1"].text == token("smartart")


def test_chapters_split_at_the_top_headings_and_a_title_page_joins_the_first(document: ParsedDocument) -> None:
    assert [chapter.title for chapter in document.parts] == [token("chapter"), token("derived")]
    assert document.title == token("title")
    levels = [b.level for b in document.parts[1].blocks if isinstance(b, Heading)]
    assert levels == [1, 3, 2]


def test_lists_count_as_word_counts() -> None:
    body = (
        numbered("a", 2) + numbered("b", 2, 1) + numbered("c", 2, 2) + numbered("d", 2, 1) + numbered("e", 2)
        + numbered("f", 2, 1) + numbered("g", 4) + numbered("h", 4) + numbered("i", 2)
        + numbered("j", 3) + numbered("k", 3, 1) + numbered("l", 3, 2) + numbered("m", 3, 1) + numbered("n", 3, 2)
        + numbered("o", 1) + numbered("p", 99)
    )  # fmt: skip
    items = {b.text: (b.marker, b.level, b.ordered) for b in blocks(styled(body)) if isinstance(b, ListItem)}
    assert items == {
        "a": ("1.", 0, True), "b": ("a)", 1, True), "c": ("(i)", 2, True), "d": ("b)", 1, True), "e": ("2.", 0, True),
        "f": ("a)", 1, True), "g": ("7.", 0, True), "h": ("8.", 0, True), "i": ("9.", 0, True), "j": ("I", 0, True),
        "k": ("1.1", 1, True), "l": ("I.1.1", 2, True), "m": ("1.2", 1, True), "n": ("I.2.2", 2, True),
        "o": ("•", 0, False),
    }  # fmt: skip


def test_a_numbered_heading_keeps_its_number_apart() -> None:
    extra = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="2"/></w:numPr>'
    (heading,) = blocks(styled(para("Scope", "berschrift1", extra)))
    assert heading == Heading(text="Scope", level=1, number="1")


def test_equations_inline_displayed_numbered_and_laid_out() -> None:
    inline, displayed, numbered_one, laid_out = blocks(
        package(
            para(run("let ") + math("a")) + para(math("b")) + para(math("c") + run("\t(3.2)"))
            + table(row(cell(""), cell(para(math("d"))), cell("(7)")))
        )
    )  # fmt: skip
    assert isinstance(inline, Paragraph)
    assert inline.spans == (Span("math", 4, 7, "a^{2}"),)
    assert displayed == Equation(text="b^2", latex="b^{2}")
    assert numbered_one == Equation(text="c^2", latex="c^{2}", label="(3.2)")
    assert laid_out == Equation(text="d^2", latex="d^{2}", label="(7)")


def test_a_displayed_equation_parts_the_text_around_it() -> None:
    found = blocks(package(para(run("before ") + f"<m:oMathPara>{math('x')}</m:oMathPara>" + run(" after"))))
    assert [getattr(block, "text", "") for block in found] == ["before", "x^2", "after"]


def test_field_codes_are_not_text_and_results_span_paragraphs() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "u"</w:instrText></w:r>'
    begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    found = blocks(package(para(begin + run("one")) + para(run("two") + end + run(" three"))))
    assert found == [
        Paragraph(text="one", spans=(Span("link", 0, 3, "u"),)),
        Paragraph(text="two three", spans=(Span("link", 0, 3, "u"),)),
    ]


def test_a_reading_laid_over_a_word_stands_behind_it() -> None:
    begin, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "end"))
    code = "<w:r><w:instrText>EQ \\* jc0 \\o(\\s\\up 19(kana),word)</w:instrText></w:r>"
    [found] = blocks(package(para(run("A ") + begin + code + end)))
    assert getattr(found, "text", "") == "A word(kana)"


def test_nested_fields_and_one_that_never_ends() -> None:
    inner = field("PAGE", run("7"))
    outer = field("X", "").replace('<w:r><w:instrText xml:space="preserve">X</w:instrText></w:r>', f"{inner}")
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("kept")
    texts = [getattr(b, "text", "") for b in blocks(package(para(outer + run("a")) + para(broken) + para("next")))]
    assert texts == ["a", "kept", "next"]


def test_special_characters_and_breaks() -> None:
    content = (
        run("a") + "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/>"
        '<w:t>e\xad\xadf</w:t><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/></w:r>'
    )  # fmt: skip
    assert blocks(package(para(content))) == [Paragraph(text="a\tb\nc-def✓α")]


def test_a_drop_cap_is_the_first_letter_of_the_paragraph_after_it() -> None:
    def begun(kind: str) -> str:
        return para("O", extra=f'<w:framePr w:dropCap="{kind}" w:lines="3"/>')

    rest = "<w:r><w:rPr><w:b/></w:rPr><w:t>nce</w:t></w:r><w:r><w:t> more</w:t></w:r>"
    joined = Paragraph(text="Once more", spans=(Span("bold", 1, 4),))
    grid = table(row(cell(begun("drop") + para(rest)), cell("next")))
    found = blocks(package(begun("drop") + para(rest) + begun("margin") + para("") + para(rest) + grid))
    assert found[:2] == [joined, joined]
    assert isinstance(found[2], Table) and found[2].rows == (("Once more", "next"),)
    apart = blocks(package(begun("none") + para("nce") + begun("drop") + grid + begun("drop")))
    assert [getattr(one, "text", "") for one in apart] == ["O", "nce", "O", "", "O"]


def test_emphasis_merges_over_runs_and_styles_of_runs_hide() -> None:
    body = para(run("bo", "<w:b/>") + run("ld", "<w:b/>") + run(" x", '<w:b w:val="0"/>'))
    assert blocks(package(body)) == [Paragraph(text="bold x", spans=(Span("bold", 0, 4),))]
    (hidden,) = blocks(styled(para(run("gone", '<w:rStyle w:val="Geheim"/>'))))
    assert hidden.hidden


def test_alternate_content_is_read_once_and_floats_follow_their_paragraph() -> None:
    box = alternate(f"<w:r>{drawing(shape('inside'))[5:-6]}</w:r>", run("fallback"))
    found = blocks(package(para(run("around") + box)))
    assert found == [Paragraph(text="around"), Note(kind="textbox", text="inside")]


def test_what_is_said_of_a_shape_stands_beside_its_words_or_for_it() -> None:
    own = shape("inside").replace("<wps:cNvSpPr/>", '<wps:cNvPr id="2" name="b" title="Box" descr="what it is"/>')
    bare = '<wps:wsp><wps:cNvPr id="3" name="c" descr="an arrow"/><wps:spPr/></wps:wsp>'
    found = blocks(package(para(drawing(shape("words"), "of the whole")) + para(drawing(own)) + para(drawing(bare))))
    assert [block for block in found if isinstance(block, (Note, Figure))] == [
        Note(kind="textbox", text="words"),
        Note(kind="annotation", text="of the whole", target="words"),
        Note(kind="textbox", text="inside"),
        Note(kind="annotation", text="Box: what it is", target="inside"),
        Figure(alt="an arrow"),
    ]


def test_where_a_click_on_a_picture_leads_stands_beside_it() -> None:
    click, tip = '<a:hlinkClick r:id="w"{}/>', ' tooltip="Opens the map"'
    linked = picture("i", "the quay").replace('"the quay"/>', f'"the quay">{click.format(tip)}</wp:docPr>')
    linked = linked.replace('name="p"/>', f'name="p">{click.format("")}</pic:cNvPr>')
    old = '<w:r><w:pict><v:rect href="https://example.org/old"><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:rect></w:pict></w:r>'
    relations = {"i": ("image", "media/a.png"), "w": ("hyperlink", "https://example.org/quay")}
    data = package(para(linked) + para(old.format(para("Go"))), {"word/media/a.png": png()}, relations)
    found = [block for block in blocks(data) if isinstance(block, Note) and block.kind == "annotation"]
    assert [(block.target, block.text) for block in found] == [
        ("the quay", "https://example.org/quay — Opens the map"), ("Go", "https://example.org/old"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (r"C:\Users\Ann Lee\Desktop\quay 3.jpg", "quay 3.jpg"), (r"\\share\plans\quay.emf", "quay.emf"),
        ("https://example.org/img/quay.gif?w=3", "quay.gif"), ("http://example.org/x1pxOYw", ""),
        ("The quay / C:\\", "The quay / C:\\"), ("see https://example.org/a.gif", "see https://example.org/a.gif"),
    ],
)  # fmt: skip
def test_of_where_a_picture_is_from_its_file_is_told(written: str, told: str) -> None:
    found = blocks(package(para(drawing(shape("words"), written))))
    assert [block.text for block in found if isinstance(block, Note) and block.kind == "annotation"] == [told][
        : bool(told)
    ]


def test_a_legacy_form_field_tells_its_default_its_choices_and_its_help() -> None:
    char = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'

    def form(inner: str, result: str) -> str:
        data = f'<w:ffData><w:name w:val="Field"/>{inner}</w:ffData>'
        begin = f'<w:r><w:fldChar w:fldCharType="begin">{data}</w:fldChar></w:r>'
        return para(begin + char.format("separate") + result + char.format("end"))

    typed = '<w:helpText w:type="autoText" w:val="nothing"/><w:statusText w:type="text" w:val="as in the passport"/>'
    text = form(typed + '<w:textInput><w:default w:val="your name"/></w:textInput>', run("Ann"))
    entries = '<w:listEntry w:val="red"/><w:listEntry w:val="green"/>'
    choice = form(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>', "")
    assert blocks(package(text + choice)) == [
        Paragraph(text="Ann"),
        Note(kind="form", text="your name, as in the passport", target="Field"),
        Paragraph(text="green"),
        Note(kind="form", text="red", target="Field"),
    ]


def test_a_control_is_told_by_its_name_and_a_notice() -> None:
    found = parsed(package(para('<w:r><w:object><w:control w:name="Accept"/></w:object></w:r>')))
    assert found.parts[0].blocks == (Note(kind="form", text="Accept"),)
    assert [notice.message for notice in found.notices] == ["The ActiveX control Accept is not read."]


def test_pictures_side_by_side_take_their_own_captions() -> None:
    grid = table(
        row(cell(para(picture("r1"))), cell(para(picture("r2")))), row(cell("Figure 1. Left"), cell("Figure 2. Right"))
    )
    found = parsed(
        package(
            grid,
            {"word/media/l.png": png(), "word/media/r.png": png(8, 8)},
            {"r1": ("image", "media/l.png"), "r2": ("image", "media/r.png")},
        )
    )
    assert {e.label: e.embed for e in found.elements} == {"Figure 1": ("image", 0), "Figure 2": ("image", 1)}


def test_a_logo_in_a_header_is_an_image_and_no_element() -> None:
    rels = f'<Relationship Id="rI" Type="{REL}/image" Target="media/logo.png"/>'
    heads = "http://schemas.openxmlformats.org/package/2006/relationships"
    found = parsed(
        package(
            para("text") + '<w:sectPr><w:headerReference w:type="default" r:id="rH"/></w:sectPr>',
            {
                "word/header1.xml": part("hdr", para(picture("rI", "Logo"))),
                "word/_rels/header1.xml.rels": f'<Relationships xmlns="{heads}">{rels}</Relationships>'.encode(),
                "word/media/logo.png": png(),
            },
            {"rH": ("header", "header1.xml")},
        )
    )
    assert [(e.name, e.alt, e.part, e.block) for e in found.embedded] == [("logo.png", "Logo", 1, 2)]
    assert found.elements == ()


def test_headings_nobody_styled_are_found() -> None:
    body = "".join(
        para(run(head, "<w:b/>")) + para("Some text that goes on, as body text does, to a full stop.") * 2
        for head in ("Purpose", "Scope and limits")
    )
    found = parsed(package(body))
    assert [chapter.title for chapter in found.parts] == ["Purpose", "Scope and limits"]
    numbered_ones = "".join(para(f"{n}. Topic {n}") + para("Body text, quite plain and long enough.") for n in (1, 2))
    assert [c.title for c in parsed(package(numbered_ones)).parts] == ["1 Topic 1", "2 Topic 2"]


def test_what_a_list_defines_heads_nothing() -> None:
    term = '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Definition Term"/><w:rPr><w:b/></w:rPr></w:style>'
    styles = part("styles", term)
    body = "".join(
        para(word, style="T") + para("Some text that goes on, as body text does, to a full stop.") * 2
        for word in ("Wombat", "Burrow of one")
    )
    found = parsed(package(body, {"word/styles.xml": styles}, {"rS": ("styles", "styles.xml")}))
    assert [one.title for one in found.parts] == [""]
    assert not [one for one in found.parts[0].blocks if isinstance(one, Heading)]


def test_a_letter_without_headings_is_one_chapter() -> None:
    found = parsed(package("".join(para(f"Line {n} of a plain letter, ending so.") for n in range(9))))
    assert len(found.parts) == 1
    assert not any(isinstance(block, Heading) for block in found.parts[0].blocks)


@pytest.mark.parametrize(("font", "made"), [("Times New Roman", Paragraph), ("Consolas", Code), ("", Code)])
def test_words_in_a_font_of_prose_are_no_listing(font: str, made: type) -> None:
    fonts = f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>' if font else ""
    pasted = para(run("Pasted from a page", fonts), "Code", f"<w:rPr>{fonts}</w:rPr>")
    assert [type(block) for block in blocks(styled(pasted))] == [made]


def test_the_lines_of_a_listing_are_one_block_with_its_blank_lines() -> None:
    def code(text: str) -> str:
        return para(text, "Code")

    body = code("if a:") + code("  b") + code("") + code("c") + para("text") + code("d") + para("") + code("e")
    listing, text, *apart = blocks(styled(body + table(row(cell(code("f") + code("g"))), row(cell("h")))))
    assert (listing, text) == (Code(text="if a:\n  b\n\nc"), Paragraph(text="text"))
    assert apart[:2] == [Code(text="d"), Code(text="e")]
    assert isinstance(apart[2], Table)
    assert apart[2].rows == (("f\ng",), ("h",))
    long = blocks(styled("".join(code(f"{number:09d}") for number in range(5_000))))
    assert len(long) == 3
    assert sum(len(one.text.splitlines()) for one in long if isinstance(one, Code)) == 5_000


def test_anchors_code_and_quotes() -> None:
    body = para('<w:bookmarkStart w:id="1" w:name="_Toc9"/><w:bookmarkStart w:id="2" w:name="here"/>' + run("x"))
    assert blocks(package(body)) == [Paragraph(text="x", anchor="here")]
    assert blocks(styled(para("  y", "Code"))) == [Code(text="  y")]


def test_strict_documents_read_like_transitional_ones() -> None:
    data = package(para("x"))
    import io
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            text = given.read(name).decode()
            text = text.replace(
                "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                "http://purl.oclc.org/ooxml/wordprocessingml/main",
            ).replace(REL, "http://purl.oclc.org/ooxml/officeDocument/relationships")
            made.writestr(name, text)
    assert blocks(out.getvalue()) == [Paragraph(text="x")]


def test_macros_templates_and_media_types() -> None:
    kind = MAIN.replace(
        "openxmlformats-officedocument.wordprocessingml.document.main", "ms-word.document.macroEnabled.main"
    )
    found = parsed(package(para("x"), {"word/vbaProject.bin": b"x"}, main_type=kind), "a.docm")
    assert found.media_type == "application/vnd.ms-word.document.macroEnabled.12"
    assert [notice.code for notice in found.notices] == ["macros"]


def test_an_inserted_word_document_is_kept_as_an_attachment() -> None:
    inner = package(para("inner"))
    found = parsed(
        package('<w:altChunk r:id="rA"/>' + para("x"), {"word/in.docx": inner}, {"rA": ("aFChunk", "in.docx")})
    )
    assert [e.name for e in found.embedded] == ["in.docx"]
    assert "unsupported_content" in [notice.code for notice in found.notices]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<h2>Terms</h2><p>Pay <b>now</b></p><table><tr><th>Fee<th>Sum<tr><td>Rent<td>5</table>"),
        ("a.htm", "<meta charset=windows-1252><h2>Terms</h2><p>Pay <b>now</b></p><table><tr><th>Fee<th>Sum"
         "<tr><td>Rent<td>5</table><p>\u20ac 5".encode("cp1252")),
        ("a.mht", b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
         b"<h2>Terms</h2><p>Pay <b>now</b></p><table><tr><th>Fee<th>Sum<tr><td>Rent<td>5</table>\n--b--\n"),
    ],
)  # fmt: skip
def test_an_inserted_page_is_read_as_a_web_page_is(name: str, data: bytes) -> None:
    body = para("before") + '<w:altChunk r:id="rA"/>' + para("after")
    first, heading, words, table, *more, last = blocks(package(body, {f"word/{name}": data}, {"rA": ("aFChunk", name)}))
    assert (first, last) == (Paragraph(text="before"), Paragraph(text="after"))
    assert heading == Heading(text="Terms", level=2)
    assert words == Paragraph(text="Pay now", spans=(Span("bold", 4, 7),))
    assert isinstance(table, Table)
    assert table.rows == (("Fee", "Sum"), ("Rent", "5"))
    assert more == ([Paragraph(text="€ 5")] if name == "a.htm" else [])


def test_inserted_text_is_read_line_by_line() -> None:
    text = "\ufeffFirst line\r\n\r\n  second \u00e9\n".encode()
    found = blocks(package('<w:altChunk r:id="rA"/>', {"word/a.txt": text}, {"rA": ("aFChunk", "a.txt")}))
    assert found == [Paragraph(text="First line"), Paragraph(text="second é")]


def test_an_equation_numbered_by_a_hash_has_its_number_as_label() -> None:
    formula = "<m:oMath><m:eqArr><m:e><m:r><m:t>x=1#(2)</m:t></m:r></m:e></m:eqArr></m:oMath>"
    (found,) = blocks(package(para(formula)))
    assert found == Equation(text="x=1", latex="x=1", label="(2)")


def test_cells_merged_as_word_97_wrote_them_are_one() -> None:
    cells = [cell("wide", '<w:hMerge w:val="restart"/>'), cell("", "<w:hMerge/>"), cell("", "<w:hMerge/>")]
    (found,) = blocks(package(table(row(*cells), row(cell("a"), cell("b"), cell("c")))))
    assert isinstance(found, Table)
    assert (found.rows, found.merges) == ((("wide", "", ""), ("a", "b", "c")), (Merge(0, 0, 1, 3),))


def test_rows_hidden_or_deleted_are_kept_and_flagged() -> None:
    rows = [
        row(cell("kept")),
        row(cell("gone"), properties="<w:hidden/>"),
        row(cell("cut"), properties='<w:del w:author="A"/>'),
    ]
    (found,) = blocks(package(table(*rows)))
    assert isinstance(found, Table)
    assert found.hidden_rows == (1,)
    assert [(one.row, one.spans) for one in found.cells] == [
        (1, (Span("hidden", 0, 4),)),
        (2, (Span("del", 0, 3, "A"),)),
    ]


@pytest.mark.parametrize("look", ["<w14:textFill><w14:noFill/></w14:textFill>", '<w:fitText w:val="10"/>'])
def test_words_without_ink_or_room_are_flagged(look: str) -> None:
    (found,) = blocks(package(para(run("unseen", look))))
    assert found == Paragraph(text="unseen", hidden=True, spans=(Span("hidden", 0, 6),))


def test_of_alternates_between_paragraphs_the_first_is_read() -> None:
    branches = "<mc:Choice Requires='w14'>{}</mc:Choice><mc:Fallback>{}</mc:Fallback>"
    alternate = f"<mc:AlternateContent>{branches}</mc:AlternateContent>"
    assert blocks(package(alternate.format(para("chosen"), para("other")))) == [Paragraph(text="chosen")]
    assert blocks(package(alternate.format("", para("other")))) == [Paragraph(text="other")]
    drawn = "<v:shape><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape>"
    for choice, shown in ((drawn.format(para("chosen")), "chosen"), ("", "other")):
        within = alternate.format(choice, drawn.format(para("other")))
        found = blocks(package(para(f"<w:r><w:pict>{within}</w:pict></w:r>")))
        assert [block.text for block in found if isinstance(block, (Note, Paragraph))] == [shown]


def test_scores_by_content() -> None:
    word = package(para("x"))
    assert FORMAT.score(Source.of_bytes(word, "a.docx")) == 95
    assert FORMAT.score(Source.of_bytes(word, "a.bin")) == 95
    sheet = word.replace(b"word/document.xml", b"xl/workbook.xml\0\0")
    assert FORMAT.score(Source.of_bytes(sheet, "a.docx")) == 0
    assert FORMAT.score(Source.of_bytes(b"hello", "a.docx")) == 10
    assert FORMAT.score(Source.of_bytes(b"hello", "a.txt")) == 0


def test_a_protected_document_says_so() -> None:
    locked = compound({"EncryptionInfo": b"x", "EncryptedPackage": b"y"})
    assert FORMAT.score(Source.of_bytes(locked, "a.docx")) > 0
    with pytest.raises(EncryptedError, match="password"):
        parsed(locked)
    with pytest.raises(DamagedError, match="without Word text"):
        parsed(compound({"Workbook": b"x"}))


@pytest.mark.tool("soffice")
def test_pages_through_libreoffice() -> None:
    page = FORMAT.picture(Source.of_bytes(package(para("Drawn")), "a.docx"), 1, 72, LIMITS)
    assert page.media_type == "image/png"
    assert page.height > page.width > 400


@pytest.mark.corpus
def test_every_document_of_the_corpus_reads() -> None:
    files = sorted(CORPUS.rglob("*.doc[xm]"))
    assert files
    for file in files:
        source = Source.of(file)
        try:
            found = FORMAT.parse(source, LIMITS)
        except FormatError:
            continue
        for embed in found.embedded:
            if embed.ref:
                assert FORMAT.open_embedded(source, embed.ref, LIMITS).media_type == embed.media_type, (file, embed)


def test_content_controls_tell_their_titles_beside_what_they_hold() -> None:
    def control(title: str, inner: str, more: str = "") -> str:
        return f'<w:sdt><w:sdtPr><w:alias w:val="{title}"/>{more}</w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>'

    bound = '<w:dataBinding w:xpath="/ns0:coreProperties[1]/ns1:title[1]" w:storeItemID="{1}"/>'
    body = (
        para(run("For ") + control("Client", run("Kakapo Ltd")))
        + control("Terms", para("Payment") + para("within " + "many " * 30 + "days"))
        + control("Fax", para("")) + control("Title", para("Offer"), bound)
    )  # fmt: skip
    found = blocks(package(body))
    assert [(note.target, note.text) for note in found if isinstance(note, Note)] == [
        ("Client", "Kakapo Ltd"), ("Terms", ("Payment within " + "many " * 30)[:79] + "…"), ("Fax", "(empty)"),
    ]  # fmt: skip
    assert found[0] == Paragraph(text="For Kakapo Ltd")
