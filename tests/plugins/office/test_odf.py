"""OpenDocument: texts with notes, comments, changes and tables; slides with notes; what LibreOffice itself writes."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from contract.conformance import check_document, check_embedded, check_notes
from contract.containers import make_zip
from contract.package_samples import odf_files
from contract.pictures import PNG
from sidecar_odf import OdfFormat
from support.formats.plugin_reading import of, read, spans

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Source,
    Table,
)

ODF = OdfFormat()
META = "urn:oasis:names:tc:opendocument:xmlns:meta:1.0"


def test_a_text() -> None:
    data = odf_files()["text.odt"]
    document = read(ODF, data, "text.odt")
    assert (document.title, document.metadata) == ("The text", {"author": "Ann"})
    assert [part.title for part in document.parts] == ["One", "Two"]
    paragraph = of(document, Paragraph)[0]
    assert paragraph.text == "A bold wordgone, a note[1] and a comment."
    found = spans(paragraph.text, paragraph.spans)
    assert ("bold", "bold", "") in found
    assert ("del", "gone", "Bo") in found
    assert ("note", "[1]", "f1") in found
    assert ("comment", "", "a1") in found
    notes = {note.kind: note for note in of(document, Note)}
    assert (notes["footnote"].id, notes["footnote"].text) == ("f1", "Note.")
    assert (notes["comment"].author, notes["comment"].text) == ("Cy", "Hm.")
    assert (notes["header"].text, notes["footer"].text) == ("Header", "Left")
    assert of(document, ListItem)[0].text == "item"
    table = of(document, Table)[0]
    assert (table.rows, table.merges, table.name) == ((("ab", ""), ("1", "2")), (Merge(0, 0, 1, 2),), "T")
    source = Source.of_bytes(data, "text.odt")
    assert check_embedded(ODF, source, document) == 1
    assert ODF.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG
    assert of(document, Figure)[0].alt == "Alt"
    assert "tracked_changes" in [notice.code for notice in document.notices]


def test_hidden_text_is_flagged_and_counted() -> None:
    names = ("office", "text", "style")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    spaces += ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>"
        '<style:style style:name="T" style:family="text"><style:text-properties fo:font-size="1pt"/></style:style>'
        '<style:style style:name="V" style:family="text"><style:text-properties text:display="none"/></style:style>'
        '<style:style style:name="S" style:family="text"><style:text-properties fo:font-size="58%"/></style:style>'
        '<style:style style:name="W" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>'
        '<style:style style:name="R" style:family="text">'
        '<style:text-properties fo:color="#ffffff" style:font-relief="embossed"/></style:style>'
        "</office:automatic-styles><office:body><office:text>"
        '<text:p>seen <text:span text:style-name="T">tiny</text:span> <text:span text:style-name="V">gone</text:span> '
        '<text:span text:style-name="S">small</text:span> <text:span text:style-name="W">white</text:span> '
        '<text:span text:style-name="R">in relief</text:span></text:p>'
        '<text:section text:name="s" text:display="none"><text:p>a hidden section</text:p></text:section>'
        "<text:p>on</text:p></office:text></office:body></office:document-content>"
    )
    document = read(ODF, make_zip({"content.xml": content.encode()}), "a.odt")
    first, section, last = of(document, Paragraph)
    assert spans(first.text, first.spans) == [
        ("hidden", "tiny", ""), ("hidden", "gone", ""), ("hidden", "white", ""),
    ]  # fmt: skip
    assert (section.text, section.hidden, last.hidden) == ("a hidden section", True, False)
    notices = [notice.message for notice in document.notices if notice.code == "hidden_content"]
    assert notices == [
        "Text hidden from readers in 4 places (29 characters); left out of views and search, ?hidden=1 shows it."
    ]


def test_a_table_that_holds_nothing_but_another_gives_that_one() -> None:
    names = ("office", "text", "table")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    cell, row = "table:table-cell", "table:table-row"
    content = (
        f"<office:document-content {spaces}><office:body><office:text><table:table><{row}><{cell}>"
        f"<table:table><{row}><{cell}><text:p>inner</text:p></{cell}><{cell}><text:p>x</text:p></{cell}></{row}></table:table>"
        f'</{cell}><{cell} table:number-columns-repeated="9"/></{row}></table:table></office:text></office:body>'
        "</office:document-content>"
    )
    (table,) = of(read(ODF, make_zip({"content.xml": content.encode()}), "a.odt"), Table)
    assert table.rows == (("inner", "x"),)


def test_slides() -> None:
    document = read(ODF, odf_files()["slides.odp"], "slides.odp")
    part = document.parts[0]
    assert (part.kind, part.title, part.name) == ("slide", "Slide", "p1")
    assert [type(block).__name__ for block in part.blocks] == ["Heading", "Paragraph", "Figure", "Note"]
    heading, words, _, note = part.blocks
    assert isinstance(heading, Heading)
    assert isinstance(words, Paragraph)
    assert isinstance(note, Note)
    assert words.box is not None
    assert [round(side) for side in words.box] == [28, 113, 170, 170]
    assert (note.kind, note.text, note.page) == ("speaker", "Say it.", 1)


def test_a_protected_file_is_recognised() -> None:
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
        'manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    )
    data = make_zip(
        {
            "mimetype": b"application/vnd.oasis.opendocument.text",
            "content.xml": b"\x9a\x01",
            "META-INF/manifest.xml": manifest.encode(),
        }
    )
    with pytest.raises(EncryptedError, match="password"):
        ODF.parse(Source.of_bytes(data, "a.odt"), Limits())


def test_a_zip_that_is_no_document() -> None:
    with pytest.raises(DamagedError, match=r"content\.xml"):
        ODF.parse(Source.of_bytes(make_zip({"a": b"x"}), "a.odt"), Limits())
    sheet = make_zip({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}, stored=("mimetype",))
    assert ODF.score(Source.of_bytes(sheet, "a.ods")) == 0
    assert ODF.score(Source.of_bytes(bytes(100), "a.odt")) == 10
    with pytest.raises(DamagedError, match="damaged from its beginning on"):
        ODF.parse(Source.of_bytes(bytes(100), "a.odt"), Limits())


@pytest.mark.tool("soffice")
def test_what_libreoffice_writes(tmp_path: Path) -> None:
    program = shutil.which("soffice")
    assert program is not None
    page = (
        "<html><body><h1>First</h1><p>Text with <b>bold</b> and <a href='http://example.org/'>a link</a>.</p>"
        "<ol><li>one</li><li>two<ul><li>inner</li></ul></li></ol><h1>Second</h1><table border=1><tr><th>a</th>"
        "<th>b</th></tr>"
        "<tr><td colspan=2>wide</td></tr></table></body></html>"
    )
    (tmp_path / "page.html").write_text(page)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    kinds = ["--convert-to", "odt:writer8", "--infilter=HTML (StarWriter)"]
    command = [program, profile, "--headless", *kinds, "--outdir", str(tmp_path), str(tmp_path / "page.html")]
    subprocess.run(command, capture_output=True, timeout=180, check=True)
    document = ODF.parse(Source.of(tmp_path / "page.odt"), Limits())
    check_document(document)
    check_notes(document)
    assert [part.title for part in document.parts] == ["First", "Second"]
    paragraph = of(document, Paragraph)[0]
    assert set(spans(paragraph.text, paragraph.spans)) >= {
        ("bold", "bold", ""),
        ("link", "a link", "http://example.org/"),
    }
    assert [(item.text, item.level, item.marker) for item in of(document, ListItem)] == [
        ("one", 0, "1."), ("two", 0, "2."), ("inner", 1, "•"),
    ]  # fmt: skip
    table = of(document, Table)[0]
    assert table.rows == (("a", "b"), ("wide", ""))
    assert table.merges == (Merge(1, 0, 1, 2),)


def test_repeated_rows_are_written_out_within_bounds() -> None:
    names = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "table", "text")
    )
    row = (
        '<table:table-row table:number-rows-repeated="999999"><table:table-cell table:number-columns-repeated="999">'
        "<text:p>a</text:p></table:table-cell></table:table-row>"
    )
    flat = (
        f'<?xml version="1.0"?><office:document{names} office:version="1.2" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>'
        f"<table:table>{row}</table:table></office:text></office:body></office:document>"
    )
    document = OdfFormat().parse(Source.of_bytes(flat.encode(), "a.fodt"), Limits())
    tables = [block for part in document.parts for block in part.blocks if isinstance(block, Table)]
    assert 0 < sum(len(row) for table in tables for row in table.rows) <= 4_000


def test_properties_of_the_users_own() -> None:
    head = f'xmlns:meta="{META}" xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    own = "".join(  # the first two are copies that LibreOffice makes of what an Office file says
        f'<meta:user-defined meta:name="{name}">{value}</meta:user-defined>'
        for name, value in (("ScaleCrop", "false"), ("Slides", "3"), ("Client", "Kakapo Ltd"))
    )
    said = f"<office:document-meta {head}><office:meta>{own}</office:meta></office:document-meta>"
    with zipfile.ZipFile(io.BytesIO(odf_files()["text.odt"])) as package:
        members = {name: package.read(name) for name in package.namelist()} | {"meta.xml": said.encode()}
    assert read(ODF, make_zip(members), "text.odt").metadata == {"custom.client": "Kakapo Ltd"}


_NAMES = ("office", "text", "style", "table")
_SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _NAMES) + (
    ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
)


def _text(body: str, styles: str = "", common: str = "", more: dict[str, bytes] | None = None) -> bytes:
    """An .odt of that body, its own styles and those of `styles.xml`."""
    content = (
        f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    shared = f"<office:document-styles {_SPACES}><office:styles>{common}</office:styles></office:document-styles>"
    return make_zip({"content.xml": content.encode(), "styles.xml": shared.encode(), **(more or {})})


def test_items_and_headings_have_the_numbers_that_a_reader_sees() -> None:
    styles = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" '
        'style:num-prefix="(" style:num-suffix=")" text:start-value="3"/><text:list-level-style-number text:level="2" '
        'style:num-format="a" style:num-suffix="." text:display-levels="2"/></text:list-style>'
    )
    outline = (
        '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I" '
        'style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
        '</text:outline-style><style:style style:name="Plain" style:family="paragraph" style:list-style-name=""/>'
    )

    def items(texts: str, more: str = "") -> str:
        rows = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in texts)
        return f'<text:list text:style-name="L" {more}>{rows}</text:list>'

    inner = f"<text:list-item><text:list>{items('cd').partition('>')[2]}</text:list-item>"
    body = (
        '<text:h text:outline-level="1">One</text:h><text:h text:outline-level="2">Deep</text:h>'
        '<text:h text:outline-level="1" text:style-name="Plain">Preface</text:h>'
        '<text:h text:outline-level="1">Two</text:h><text:h text:outline-level="2">Deeper</text:h>'
        f'<text:list xml:id="one" text:style-name="L"><text:list-item><text:p>b</text:p></text:list-item>{inner}'
        f"<text:list-item><text:p>e</text:p></text:list-item></text:list><text:p>between</text:p>"
        + items("f", 'text:continue-list="one"')
        + items("g")
    )
    document = read(ODF, _text(body, styles, outline), "a.odt")
    numbers = [(heading.number, heading.text) for heading in of(document, Heading)]
    assert numbers == [("I", "One"), ("I.1", "Deep"), ("", "Preface"), ("II", "Two"), ("II.1", "Deeper")]
    markers = [f"{item.marker} {item.text}" for item in of(document, ListItem)]
    assert markers == ["(3) b", "3.a. c", "3.b. d", "(4) e", "(5) f", "(3) g"]


def test_empty_items_in_cells_show_their_number_and_lone_notes_their_mark() -> None:
    styles = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" '
        'style:num-suffix="."/></text:list-style>'
    )
    note = '<text:note text:id="{0}" text:note-class="footnote"><text:note-body><text:p>{0}</text:p></text:note-body>'
    note += "</text:note>"
    item = '<text:list text:style-name="L" {}><text:list-item><text:p/></text:list-item></text:list>'
    rows = (
        f"<table:table-row><table:table-cell>{item.format(more)}</table:table-cell><table:table-cell><text:p>{said}</text:p>"
        "</table:table-cell></table:table-row>"
        for more, said in (('xml:id="n"', "Ada"), ('text:continue-list="n"', note.format("x")))
    )
    body = f"<text:p>{note.format('y')}</text:p><text:p>said</text:p><table:table>{''.join(rows)}</table:table>"
    document = read(ODF, _text(body, styles), "a.odt")
    assert [(block.text, [span.value for span in block.spans]) for block in of(document, Paragraph)] == [
        ("[y]", ["y"]), ("said", [])
    ]  # fmt: skip
    (table,) = of(document, Table)
    assert table.rows == (("1.", "Ada"), ("2.", "[x]"))
    assert [span.value for cell in table.cells for span in cell.spans] == ["x"]


def test_words_in_the_first_cell_of_a_table_that_is_else_blank_stay() -> None:
    blank = "<table:table-cell><text:p/></table:table-cell>"
    note = "<office:annotation><text:p>noted</text:p></office:annotation>"
    said = f"<table:table-cell><text:p>The only words{note}</text:p></table:table-cell>"
    rows = "".join(f"<table:table-row>{row}</table:table-row>" for row in (said + blank, blank * 2))
    document = read(ODF, _text(f"<table:table>{rows}</table:table>"), "a.odt")
    assert [block.text for block in of(document, Paragraph)] == ["The only words"]
    assert [note.text for note in of(document, Note)] == ["noted"]


def test_words_of_a_table_of_one_cell_on_a_slide_stay() -> None:
    names = {"office": "office", "table": "table", "text": "text", "draw": "drawing"}
    spaces = " ".join(f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for key, name in names.items())
    table = (
        "<table:table><table:table-row><table:table-cell><text:p>In a box</text:p></table:table-cell></table:table-row>"
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:presentation><draw:page><draw:frame>{table}"
        "</table:table><draw:image/></draw:frame></draw:page></office:presentation></office:body></office:document-content>"
    )
    document = read(ODF, make_zip({"content.xml": content.encode()}), "a.odp")
    assert [block.text for part in document.parts for block in part.blocks if isinstance(block, Paragraph)] == [
        "In a box"
    ]


def test_formulas_and_words_over_pictures_on_a_slide() -> None:
    names = {"office": "office", "text": "text", "draw": "drawing"}
    spaces = " ".join(f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for key, name in names.items())
    formula = (
        "<draw:frame><draw:object><math xmlns='http://www.w3.org/1998/Math/MathML'><mi>{0}</mi><mo>=</mo><mn>1</mn>"
        "</math></draw:object><draw:image/></draw:frame>"
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:presentation><draw:page>{formula.format('a')}"
        f"<draw:g>{formula.format('b')}{formula.format('c')}</draw:g><draw:frame><draw:text-box><text:p>so "
        f"{formula.format('d')}</text:p></draw:text-box></draw:frame><draw:frame><draw:image><text:p>over it</text:p>"
        "</draw:image></draw:frame></draw:page></office:presentation></office:body></office:document-content>"
    )
    document = read(ODF, make_zip({"content.xml": content.encode()}), "a.odp")
    assert [block.latex for block in of(document, Equation)] == ["a=1", "b=1", "c=1"]
    assert [block.text for block in of(document, Paragraph)] == ["so d=1", "over it"]


def test_comments_and_edges_of_slides_as_libreoffice_writes_them() -> None:
    names = {"office": "office", "text": "text", "draw": "drawing", "style": "style", "presentation": "presentation"}
    spaces = " ".join(f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for key, name in names.items())
    comment = (
        '<ooo:annotation xmlns:ooo="http://openoffice.org/2009/office" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:creator>Ann</dc:creator><text:p>Really?</text:p></ooo:annotation>"
    )
    used = 'draw:master-page-name="M" presentation:use-footer-name="f" presentation:use-date-time-name="{}"'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles><style:style style:name='d' "
        "style:family='drawing-page'><style:drawing-page-properties presentation:display-footer='false'/></style:style>"
        "</office:automatic-styles><office:body><office:presentation>"
        "<presentation:footer-decl presentation:name='f'>In house</presentation:footer-decl>"
        "<presentation:date-time-decl presentation:name='t' presentation:source='fixed'>May"
        "</presentation:date-time-decl><presentation:date-time-decl presentation:name='n' "
        "presentation:source='current-date'>3</presentation:date-time-decl>"
        f"<draw:page {used.format('t')}>{comment}</draw:page><draw:page draw:style-name='d' {used.format('n')}/>"
        "</office:presentation></office:body></office:document-content>"
    )
    styles = (
        f"<office:document-styles {spaces}><office:master-styles><style:master-page style:name='M'><draw:frame>"
        "<draw:text-box><text:p><presentation:footer/> <presentation:date-time/></text:p></draw:text-box></draw:frame>"
        "</style:master-page></office:master-styles></office:document-styles>"
    )
    document = read(ODF, make_zip({"content.xml": content.encode(), "styles.xml": styles.encode()}), "a.odp")
    assert [(note.kind, note.text, note.author, note.page) for note in of(document, Note)] == [
        ("comment", "Really?", "Ann", 1), ("footer", "In house", "", 1), ("footer", "May", "", 1),
    ]  # fmt: skip


def test_comments_without_a_name_are_told_apart_in_each_cell() -> None:
    said = "<text:p>{0}<office:annotation><text:p>about {0}</text:p></office:annotation></text:p>"
    rows = (f"<table:table-row><table:table-cell>{said.format(at)}</table:table-cell></table:table-row>" for at in "ab")
    body = said.format("x") + f"<table:table>{''.join(rows)}</table:table>"
    document = read(ODF, _text(body), "a.odt")
    about = {note.id: note.text for note in of(document, Note)}
    (table,) = of(document, Table)
    marks = {span.value: table.rows[cell.row][cell.col] for cell in table.cells for span in cell.spans}
    assert sorted(about.values()) == ["about a", "about b", "about x"]
    assert {about[mark]: word for mark, word in marks.items()} == {"about a": "a", "about b": "b"}


def test_comments_tell_what_they_answer_and_that_they_are_resolved_as_libreoffice_writes_it() -> None:
    space = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    asked = (
        f'<office:annotation {space} office:name="a" loext:resolved="true"><text:p>Sure?</text:p></office:annotation>'
    )
    reply = (
        f'<office:annotation {space} office:name="b" loext:parent-name="a"><text:p>Yes.</text:p></office:annotation>'
    )
    found = of(read(ODF, _text(f"<text:p>words{asked}{reply}</text:p>"), "a.odt"), Note)
    assert [(note.id, note.parent, note.resolved) for note in found] == [("a", "", True), ("b", "a", False)]


def test_boxes_notes_and_comments_keep_their_links() -> None:
    spaces = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
    words = '<text:p>see <text:a xlink:href="https://example.org/{0}">{0}</text:a></text:p>'
    link = f"<text:list><text:list-item>{words}</text:list-item></text:list>"
    box = f"<draw:frame><draw:text-box>{link.format('box')}</draw:text-box></draw:frame>"
    foot = f'<text:note text:note-class="footnote"><text:note-body>{link.format("foot")}</text:note-body></text:note>'
    comment = f"<office:annotation><text:p>first</text:p>{link.format('comment')}</office:annotation>"
    found = of(read(ODF, _text(f"<text:p {spaces}>words{box}{foot}{comment}</text:p>"), "a.odt"), Note)
    links = {note.text[span.start : span.end]: span.value for note in found for span in note.spans}
    assert {note.kind for note in found} == {"textbox", "footnote", "comment"}
    assert links == {name: f"https://example.org/{name}" for name in ("box", "foot", "comment")}


@pytest.mark.parametrize(("said", "struck"), [
    ('style:text-line-through-style="solid"', True), ('style:text-line-through-type="single"', True),
    ('style:text-line-through-type="none"', False),
    ('style:text-line-through-style="none" style:text-line-through-type="single"', False),
])  # fmt: skip
def test_words_are_struck_through_however_a_writer_says_it(said: str, struck: bool) -> None:
    style = f'<style:style style:name="S" style:family="text"><style:text-properties {said}/></style:style>'
    (paragraph,) = of(
        read(ODF, _text('<text:p><text:span text:style-name="S">gone</text:span></text:p>', style), "a.odt"), Paragraph
    )
    assert bool(paragraph.spans) == struck


def test_hidden_text_that_libreoffice_keeps_no_result_of_is_given_as_hidden() -> None:
    field = '<text:hidden-text text:condition="ooow:" text:string-value="secret" text:is-hidden="true"/>'
    (paragraph,) = of(read(ODF, _text(f"<text:p>seen {field}</text:p>"), "a.odt"), Paragraph)
    assert (paragraph.text, spans(paragraph.text, paragraph.spans)) == ("seen secret", [("hidden", "secret", "")])


def test_a_bold_first_row_heads_a_table_and_automatic_names_are_no_titles() -> None:
    styles = (
        '<style:style style:name="B" style:family="paragraph"><style:text-properties fo:font-weight="bold"/>'
        "</style:style>"
    )

    def table(name: str, *rows: str) -> str:
        lines = (
            f"<table:table-row>{''.join(f'<table:table-cell>{cell}</table:table-cell>' for cell in row.split('|'))}"
            "</table:table-row>"
            for row in rows
        )
        return f'<table:table table:name="{name}">{"".join(lines)}</table:table>'

    def cells(*texts: str, style: str = "") -> str:
        return "|".join(f'<text:p text:style-name="{style}">{text}</text:p>' for text in texts)

    bold = cells("Name", "Age", style="B")
    body = table("Table1", bold, cells("Ann", "7")) + table("Ages", cells("Ann", style="B") + "|" + cells("7"), bold)
    body += table("Tbl_Rows", cells("a", "b")) + table("Box", cells("Read this"))
    document = read(ODF, _text(body, styles), "a.odt")
    headed, form, rows = of(document, Table)
    assert [block.text for block in of(document, Paragraph)] == ["Read this"]
    assert (headed.header_rows, headed.name) == (1, "")
    assert (form.header_rows, form.name, rows.name) == (0, "Ages", "")


def test_a_title_of_the_properties_is_no_heading() -> None:
    meta = (
        f'<office:document-meta {_SPACES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
        "<dc:title>Old</dc:title></office:meta></office:document-meta>"
    )
    data = _text("<text:p>New</text:p>", more={"meta.xml": meta.encode()})
    document = read(ODF, data, "a.odt")
    assert (document.title, document.parts[0].title) == ("Old", "")


def test_shapes_of_a_slide_come_as_they_are_read() -> None:
    names = {"office": "office", "text": "text", "draw": "drawing"}
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{meant}:1.0"' for name, meant in names.items()
    )
    spaces += ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    frames = "".join(
        f'<draw:frame svg:x="{x}cm" svg:y="{y}cm" svg:width="5cm" svg:height="2cm"><draw:text-box>'
        f"<text:p>{text}</text:p></draw:text-box></draw:frame>"
        for text, x, y in (("right", 9, 1), ("below", 1, 9), ("left", 1, 1))
    )
    content = (
        f'<office:document-content {spaces}><office:body><office:presentation><draw:page draw:name="page1">{frames}'
        "</draw:page></office:presentation></office:body></office:document-content>"
    )
    document = read(ODF, make_zip({"content.xml": content.encode()}), "a.odp")
    assert [block.text for block in of(document, Paragraph)] == ["left", "right", "below"]
    assert document.parts[0].name == ""


def test_headers_of_pages_that_no_text_stands_on_are_left_out() -> None:
    def page(name: str, more: str = "") -> str:
        return (
            f'<style:master-page style:name="{name}" {more}><style:header><text:p>{name} head</text:p></style:header>'
            "</style:master-page>"
        )

    masters = page("Standard") + page("Other") + page("First", 'style:next-style-name="Next"') + page("Next")
    styles = '<style:style style:name="P" style:family="paragraph" style:master-page-name="First"/>'
    document = read(ODF, _text('<text:p text:style-name="P">x</text:p>', styles, masters), "a.odt")
    assert [note.text for note in of(document, Note)] == ["Standard head", "First head", "Next head"]


def test_controls_of_forms_are_told_where_they_stand() -> None:
    controls = (
        '<form:checkbox form:id="a" form:label="I agree" form:current-state="checked"/>'
        '<form:text form:id="b" form:name="place" form:current-value="Wellington"/>'
        '<form:listbox form:id="c"><form:option form:label="Weka"/><form:option form:label="Kea" '
        'form:current-selected="true"/></form:listbox><form:hidden form:id="d" form:value="secret"/>'
    )
    base = "urn:oasis:names:tc:opendocument:xmlns"
    drawn = f'<draw:control xmlns:draw="{base}:drawing:1.0" draw:control='
    shapes = "".join(f'<text:p>{one}{drawn}"{one}"/></text:p>' for one in "abcd")
    forms = f'<office:forms xmlns:form="{base}:form:1.0"><form:form>{controls}</form:form></office:forms>'
    document = read(ODF, _text(forms + shapes), "form.odt")
    assert [(note.text, note.target) for note in of(document, Note) if note.kind == "form"] == [
        ("☑ I agree", ""), ("Wellington", "place"), ("Kea", ""),
    ]  # fmt: skip


def test_what_was_inserted_and_ruby_and_hidden_fields_stand_where_readers_meet_them() -> None:
    change = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>'
        '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Bo</dc:creator></office:change-info></text:insertion>'
        "</text:changed-region></text:tracked-changes>"
    )
    document = read(
        ODF,
        _text(
            f'{change}<text:p>Old <text:change-start text:change-id="c1"/>new words<text:change-end '
            'text:change-id="c1"/> end</text:p><text:p>The <text:ruby><text:ruby-base>漢字</text:ruby-base>'
            "<text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>"
            '<text:p>Known <text:hidden-text text:is-hidden="true">secret</text:hidden-text><text:hidden-text '
            'text:is-hidden="false">told</text:hidden-text><text:user-field-get text:display="none">unseen'
            "</text:user-field-get></text:p>"
        ),
        "a.odt",
    )
    inserted, ruby, fields = of(document, Paragraph)
    assert (inserted.text, spans(inserted.text, inserted.spans)) == ("Old new words end", [("ins", "new words", "Bo")])
    assert ruby.text == "The 漢字(かんじ)"
    assert (fields.text, spans(fields.text, fields.spans)) == (
        "Known secrettoldunseen", [("hidden", "secret", ""), ("hidden", "unseen", "")],
    )  # fmt: skip
    assert "The text holds 1 tracked change; insertions and deletions are both kept." in [
        notice.message for notice in document.notices
    ]
