"""Web pages: content told from chrome, every block and span, tables as drawn, hidden text, saved pages."""

from __future__ import annotations

import base64
import plistlib
import random

import pytest
from contract.conformance import check_embedded
from contract.markup_samples import html_files
from contract.pictures import PNG
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_html import HtmlFormat
from support.formats.plugin_reading import blocks, of, read, read_broken, spans

from sidecar.api import (
    NAVIGATION,
    Code,
    DamagedError,
    Equation,
    Figure,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
)
from sidecar.toolkit.tables.finding import find_relations
from sidecar.views.blocks.markdown import blocks_markdown
from sidecar.views.blocks.plain import blocks_text

HTML = HtmlFormat()
DATA_URL = "data:image/png;base64," + base64.b64encode(PNG).decode()
LONG = "This sentence is part of the article and says something of weight. " * 8


def page(body: str, head: str = "") -> ParsedDocument:
    return read(HTML, f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>", "a.html")


def texts(document: ParsedDocument) -> list[str]:
    return [getattr(block, "text", "") for block in blocks(document)]


@pytest.mark.parametrize("sign", ["&#1;", "&#x1F", "&#65535;", "\uffff", "&#0;", "\f"])
def test_characters_that_xml_has_not_lose_no_page(sign: str) -> None:
    table = f"<table>stray{sign} words<tr><td>cell{sign}</td></tr></table>"
    document = page(f"{table}<pre>a{sign}<br>b{sign}<button>x</button>{sign}</pre>")
    said = blocks_text(blocks(document)).replace(" \n", "\n")  # a form feed is a blank
    assert "stray" in said and "words" in said and "cell" in said and "a\nb" in said


def test_what_a_page_says_of_itself() -> None:
    document = read(HTML, (
        '<html lang="de"><head><title> Der\n Titel </title><meta name="description" content="Worum es geht">'
        '<meta name=author content=Ann>'
        '<meta property="article:published_time" content="2026-01-01"><link rel="canonical" '
        'href="http://e.org/x"></head><body><p>x</html>'
    ), "a.html")  # fmt: skip
    assert (document.title, document.description) == ("Der Titel", "Worum es geht")
    assert document.metadata == {"author": "Ann", "created": "2026-01-01", "language": "de", "url": "http://e.org/x"}


def test_spans() -> None:
    paragraph = of(page(
        '<p>  A <b>bold <i>both</i></b> <a href="http://e.org"> link </a>, <code>code</code> H<sub>2</sub>O '
        'x<sup>2</sup> '
        '<del datetime="2026-01-01">old</del><ins>new</ins> <a href="javascript:x()">dead</a> <q>said</q> <ruby>'
        '漢<rt>kan</rt></ruby>'
        "<br>line&nbsp;two</p>"
    ), Paragraph)[0]  # fmt: skip
    assert paragraph.text == "A bold both link , code H2O x2 oldnew dead “said” 漢(kan)\nline two"
    assert set(spans(paragraph.text, paragraph.spans)) == {
        ("bold", "bold both", ""), ("italic", "both", ""), ("link", "link", "http://e.org"), ("code", "code", ""),
        ("sub", "2", ""), ("sup", "2", ""), ("del", "old", ""), ("ins", "new", ""),
    }  # fmt: skip
    assert next(span.date for span in paragraph.spans if span.kind == "del") == "2026-01-01"


def test_blocks() -> None:
    document = page(
        '<h1 id="top">One</h1>loose<div>in a div</div><blockquote><p>quoted</p></blockquote><hr>'
        '<pre><code class="language-py">a\n  b</code></pre><h2><a name="n"></a>Two</h2><ol start="4"><li>'
        'four<ul><li>inner</li></ul></li>'
        '<li value="9"><p>nine</p><p>more</p></li></ol><ol type="a"><li>x</li></ol><dl><dt>term</dt><dd>means</dd></dl>'
    )  # fmt: skip
    assert [(heading.text, heading.level, heading.anchor) for heading in of(document, Heading)] == [
        ("One", 1, "top"), ("Two", 2, "n"),
    ]  # fmt: skip
    assert [(one.text, one.style) for one in of(document, Paragraph)] == [
        ("loose", ""), ("in a div", ""), ("quoted", "quote"),
    ]  # fmt: skip
    assert (of(document, Code)[0].text, of(document, Code)[0].language) == ("a\n  b", "py")
    assert [(item.text, item.level, item.marker) for item in of(document, ListItem)] == [
        ("four", 0, "4."), ("inner", 1, "•"), ("nine", 0, "9."), ("more", 0, ""), ("x", 0, "a."),
        ("term", 0, "•"), ("means", 1, "•"),
    ]  # fmt: skip


def test_tables_as_drawn() -> None:
    table = of(page(
        "<table id=t><caption>Table 2: Numbers</caption><thead><tr><th>a<th colspan=2>b</thead>"
        "<tr><td rowspan=2>1<td>2<td><a href=u>3</a><tr><td>4<td><ul><li>x<li>y</ul><tfoot><tr><td colspan=3>"
        "sum</tfoot></table>"
    ), Table)[0]  # fmt: skip
    assert table.rows == (("a", "b", ""), ("1", "2", "3"), ("", "4", "• x\n• y"), ("sum", "", ""))
    assert set(table.merges) == {Merge(0, 1, 1, 2), Merge(1, 0, 2, 1), Merge(3, 0, 1, 3)}
    assert (table.header_rows, table.caption, table.name) == (1, "Table 2: Numbers", "t")
    assert [(cell.row, cell.col, cell.link) for cell in table.cells] == [(1, 2, "u")]


def test_a_heading_cell_beside_others_is_the_heading_of_its_row() -> None:
    box = "<table><tr><th colspan=2>Acme</tr><tr><th>Type<td>Public</tr><tr><th>Seat<td>Reno</tr></table>"
    (table,) = of(page(box), Table)
    assert (table.header_rows, table.header_cols) == (1, 1)
    (table,) = of(page("<table><tr><th>Type<th>Seat</tr><tr><td>Public<td>Reno</tr></table>"), Table)
    assert (table.header_rows, table.header_cols) == (1, 0)


def test_a_heading_cell_over_all_columns_below_their_names_is_that_of_the_rows_below() -> None:
    rows = (
        "<tr><th colspan=3>Europe</tr><tr><td>France<td>10<td>7</tr><tr><th colspan=3>Asia</tr><tr><td>Japan<td>2<td>3"
    )
    named = "<tr><th>Country<th>Sold<th>Left</tr>"
    (table,) = of(page(f"<table>{named}{rows}</table>"), Table)
    assert table.header_rows == 1
    (table,) = of(page(f"<table><tr><th colspan=3>Ships</tr>{named}{rows}</table>"), Table)
    assert table.header_rows == 2
    two = "<tr><th rowspan=2>Country<th colspan=2>Pieces</tr><tr><th>Sold<th>Left</tr>"
    (table,) = of(page(f"<table>{two}{rows}</table>"), Table)
    assert table.header_rows == 2


def test_a_table_in_a_cell_is_kept_as_one() -> None:
    document = page(
        "<table><tr><th>outer</th><th>x</th></tr><tr><td>a<table><tr><th>n</th><td>m</td></tr></table></td><td>"
        "b</td></tr></table>"
    )
    outer = of(document, Table)[0]
    assert outer.rows == (("outer", "x"), ("a", "b"))
    assert outer.cells[0].table is not None
    assert outer.cells[0].table.rows == (("n", "m"),)


def test_tables_for_layout_are_read_as_text() -> None:
    document = page(
        f"<table><tr><td><a href=/>menu</a></td><td><h1>Article</h1><p>{LONG}</p><table><tr><td>x</td></tr>"
        f"</table></td></tr></table>"
    )
    assert [type(block).__name__ for block in blocks(document)][:3] == ["Paragraph", "Heading", "Paragraph"]
    assert of(document, Table) == []


def test_a_table_whose_cells_hold_only_tables_gives_those() -> None:
    inner = "<table border=1><tr><th>k<th>v</tr><tr><td>%s<td>1</tr></table>"
    cells = "".join(f"<td><div>{inner % name}</div></td>" for name in "abc")
    assert [table.rows[1] for table in of(page(f"<table><tr>{cells}</tr></table>"), Table)] == [(n, "1") for n in "abc"]
    assert len(of(page(f"<table border=1><tr><td>label</td>{cells}</tr></table>"), Table)) == 1


@settings(max_examples=60)
@given(st.lists(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=5), min_size=1, max_size=8))
def test_any_spans_give_a_grid_without_overlaps(rows: list[list[tuple[int, int]]]) -> None:
    body = "".join(
        "<tr>" + "".join(f"<td colspan={wide} rowspan={tall}>"
        f"c{r}.{c}</td>" for c, (wide, tall) in enumerate(row)) + "</tr>"
        for r, row in enumerate(rows)
    )  # fmt: skip
    for table in of(page(f"<table border=1><tr><th>h</th><th>i</th></tr>{body}</table>"), Table):
        # Every text of the source stands in the grid exactly once, and no cell lies under two merges.
        found = [text for row in table.rows for text in row if text.startswith("c")]
        assert sorted(found) == sorted(f"c{r}.{c}" for r, row in enumerate(rows) for c in range(len(row)))
        covered = [(m.row + y, m.col + x) for m in table.merges for y in range(m.rows) for x in range(m.cols)]
        assert len(covered) == len(set(covered))


def test_long_tables_come_in_windows_with_their_merges() -> None:
    body = "".join(f"<tr>{'<td rowspan=300>m</td>' if n == 100 else ''}<td>{n}</td></tr>" for n in range(600))
    tables = of(page(f"<table><tr><th>a</th><th>b</th></tr>{body}</table>"), Table)
    assert [table.first_row for table in tables] == [0, 256, 512]
    assert [(m.row, m.rows) for table in tables for m in table.merges] == [(101, 155), (0, 145)]


def test_chrome_goes_and_the_article_stays() -> None:
    document = page(
        "<header><a href=/>Logo</a></header><nav><a href=/a>A</a><a href=/b>B</a></nav><div "
        "class='cookie-banner'>We use cookies</div>"
        f"<div id=content><h1>The article</h1><p>{LONG}</p><div class='share-buttons'><a href=x>Share</a></div></div>"
        "<aside class=sidebar><a href=1>Related one</a> <a href=2>Related two</a></aside><footer>© 2026 <a "
        "href=z>Imprint</a></footer>"
    )  # fmt: skip
    content, around = document.parts
    assert [getattr(block, "text", "") for block in content.blocks] == ["The article", LONG.strip()]
    assert [notice.code for notice in document.notices] == ["left_out"]
    # What surrounds the article is kept apart: each text once, behind a heading of the content's highest level.
    assert around.metadata == {"kind": NAVIGATION}
    assert [getattr(block, "text", "") for block in around.blocks] == [
        "Navigation", "Logo", "AB", "We use cookies", "Share", "Related one Related two", "© 2026 Imprint",
    ]  # fmt: skip
    assert isinstance(links := around.blocks[2], Paragraph)
    assert [value for kind, _, value in spans(links.text, links.spans) if kind == "link"] == ["/a", "/b"]


def test_tables_of_links_around_the_content_are_not_asked() -> None:
    sales = "<table><tr><th>Region<th>Sales</tr><tr><td>North<td>10</tr><tr><td>South<td>20</tr></table>"
    links = "<table><tr><td><a href=1>Back</a><td><a href=2>Next</a></tr><tr><td>1 Start<td>3 End</tr></table>"
    document = page(f"<div id=content><h1>x</h1><p>{LONG}</p>{sales}</div><div class=navfooter>{links}</div>")
    assert [record.columns[0].name for record in find_relations(document)] == ["region"]
    assert "Back" in [cell for block in document.parts[1].blocks for row in getattr(block, "rows", ()) for cell in row]


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        ('<a href="#f1" id="r1" role="doc-noteref"><sup>1</sup></a>', '<ol><li id="f1">{}</li></ol>'),
        ('<sup id="r1"><a href="#f1" epub:type="noteref">1</a></sup>', '<aside epub:type="note" id="f1">{}</aside>'),
        ('<a href="#f1" id="r1" data-footnote-ref>[1]</a>', '<div><a name="f1"></a>{}</div>'),
    ],
)
def test_a_marked_note_stands_where_it_is_called(reference: str, note: str) -> None:
    held = note.format('<p>See <i>there</i>. <a href="#r1">↩</a></p><table><tr><td>a<td>b<tr><td>1<td>2</table>')
    document = page(f"<h1>One</h1><p>Word{reference} goes on.</p><h1>Two</h1><p>More.</p>{held}")
    one, two = document.parts
    assert [type(block) for block in one.blocks] == [Heading, Paragraph, Note]
    assert (one.blocks[1].text, one.blocks[2].text) == ("Word[1] goes on.", "See there.")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    assert "Word[^1] goes on." in blocks_markdown(one.blocks, "a")
    assert of(document, Table)[0].rows == (("a", "b"), ("1", "2")) and len(two.blocks) == 3


@pytest.mark.parametrize(
    ("reference", "note"),
    [
        (  # Writer
            '<a name="f1anc" href="#f1sym"><sup>1</sup></a>',
            '<div id="f1"><p><a name="f1sym" href="#f1anc">1</a> See <i>there</i>.</p><p>And here.</p></div>',
        ),
        (  # Word
            '<a href="#_ftn1" name="_ftnref1" title=""><span>[1]</span></a>',
            '<div id=ftn1><p><a href="#_ftnref1" name="_ftn1" title=""><span>[1]</span></a> See there.<br>'
            "And here.</p></div>",
        ),
    ],
)
def test_a_number_that_its_note_leads_back_to_is_that_of_a_note(reference: str, note: str) -> None:
    document = page(f"<h1>One</h1><p>Word{reference} goes on.</p><h1>Two</h1><p>More.</p><hr>{note}")
    one, two = document.parts
    assert [getattr(block, "text", "") for block in one.blocks[1:]] == ["Word[1] goes on.", "See there.\nAnd here."]
    assert isinstance(one.blocks[2], Note) and len(two.blocks) == 2


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ('<a href="n.html#n1"><sup>1</sup></a>', "word[1], and"), ('<sup><a href="#n1">12</a></sup>', "word[12], and"),
        ('<a epub:type="noteref" href="n.xhtml#n1">a</a>', "word[a], and"),
        ('<sup><a href="#n1">[1]</a></sup>', "word[1], and"), ('<sup><a href="n.html">2</a></sup>', "word2, and"),
        ('<sup><a href="#s">see there</a></sup>', "wordsee there, and"),
        (' <sup><a href="#s">a</a></sup>', "word a, and"),
    ],
)  # fmt: skip
def test_the_number_of_a_note_elsewhere_is_no_part_of_the_word_before_it(reference: str, shown: str) -> None:
    document = page(f"<p>A word{reference}, and more.</p>")
    assert texts(document) == [f"A {shown} more."]
    paragraph = of(document, Paragraph)[0]
    assert [kind for kind, *_ in spans(paragraph.text, paragraph.spans) if kind == "link"] == ["link"]


def test_links_that_lead_to_one_another_and_are_no_notes_stay_where_they_are() -> None:
    contents = '<p><a name="t1" href="#s1">1</a></p><h1><a name="s1" href="#t1">1</a> Start</h1><p>Words.</p>'
    cited = '<p>Said<sup id="r1"><a href="#n1">[1]</a></sup></p><ol><li id="n1"><a href="#r1">^</a> Smith</li></ol>'
    both = '<p><a id="a" href="#b">Go on</a></p><p><a id="b" href="#a">Go on</a></p>'
    assert not of(page(contents + cited + both), Note)


def test_a_note_that_is_hidden_or_in_a_table_or_named_twice_loses_no_word() -> None:
    reference = '<a href="#{}" role="doc-noteref">{}</a>'
    names = ("a", "1"), ("b", "2"), ("c", "1"), ("a", "1"), ("e", "3")
    called = "".join(reference.format(*name) for name in names)
    document = page(
        f"<p>Text{called}</p><p id='a' style='display:none'>Hidden words</p><table><tr><td id='b'>Cell<td>x<tr><td>y"
        "<td>z</table><p id='c'>Third <a href='#q'>kept</a></p><p>Plain <a href='#a'>2</a></p><p id='e'></p>"
        f"<p id='d'>{reference.format('d', '9')}</p>"
    )
    notes = {note.id: (note.text, note.hidden) for note in of(document, Note)}
    assert notes == {"1": ("Hidden words", True), "c": ("Third kept", False)}
    assert of(document, Table)[0].rows[0] == ("Cell", "x")
    assert texts(document)[0].replace("[", "").replace("]", "") == "Text12c13"
    assert "9" in texts(document)


def test_what_follows_the_end_of_the_body_is_read() -> None:
    document = page("<p>inside</p></body></html>\n<p>after it</p> and behind")
    assert texts(document) == ["inside", "after it", "and behind"]


def test_when_unsure_everything_stays() -> None:
    assert texts(page("<nav><a href=/a>Only</a> <a href=/b>links</a></nav>")) == ["Only links"]
    assert "By Ann" in texts(
        page(f"<main><div class='meta tag-line'><a href=/ann>By Ann</a></div><p>{LONG}</p></main>")
    )
    kept = texts(page(f"<main><p>tiny</p></main><div><p>{LONG}</p></div>"))
    assert LONG.strip() in kept
    assert "in a banner" in texts(page(f"<main><div role=contentinfo>in a banner</div><p>{LONG}</p></main>"))
    assert "aside that explains" in texts(page(f"<article><aside>aside that explains</aside><p>{LONG}</p></article>"))


def test_scripts_and_styles_are_never_text() -> None:
    document = page(
        "<script>var secret=1</script><style>p{}</style><noscript>enable it</noscript><template>t</template><p>seen</p>"
    )
    assert texts(document) == ["seen"]


def test_hidden_text_is_flagged() -> None:
    document = page("<p>seen</p><div style='display: none'><p>unseen</p></div><p>half <span hidden>ghost</span></p>")
    assert [(one.text, one.hidden) for one in of(document, Paragraph)] == [
        ("seen", False), ("unseen", True), ("half ghost", False),
    ]  # fmt: skip
    last = of(document, Paragraph)[2]
    assert spans(last.text, last.spans) == [("hidden", "ghost", "")]
    assert "hidden_content" in [notice.code for notice in document.notices]


def test_figures_and_pictures() -> None:
    body = (
        f"<figure><img src='{DATA_URL}' alt='drawn'><figcaption>Figure 1. A <i>caption</i></figcaption></figure>"
        f"<p>text</p>"
        "<img src='http://e.org/a.png' alt='Outside'><img src=t.gif width=1 height=1><p>smile <img src=e.png "
        "alt='😀'> there</p>"
        "<svg><title>Chart of sales</title><text>2026</text></svg>"
    )
    document = page(body)
    first, outside, drawing = of(document, Figure)
    assert (first.embed, first.caption) == (("image", 0), "Figure 1. A caption")
    assert (outside.alt, outside.source, outside.embed) == ("Outside", "http://e.org/a.png", None)
    assert (drawing.alt, drawing.text) == ("Chart of sales", "2026")
    assert "smile 😀 there" in texts(document)
    assert document.elements[0].label == "Figure 1"
    source = Source.of_bytes(f"<!DOCTYPE html><html><head></head><body>{body}</body></html>".encode(), "a.html")
    assert check_embedded(HTML, source, document) == 1
    assert HTML.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_formulas() -> None:
    document = page(
        "<p>Let <math><mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math> be.</p>"
        '<math display="block"><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation>'
        '</semantics></math>'
        '<p>old <script type="math/tex">x_1</script></p>'
    )  # fmt: skip
    first, last = of(document, Paragraph)
    assert spans(first.text, first.spans) == [("math", "(a)/(b+1)", r"\frac{a}{b+1}")]
    assert spans(last.text, last.spans) == [("math", "x_1", "x_1")]
    assert of(document, Equation)[0].latex == "E=mc^2"


def test_signs_of_mathematics_are_the_commands_they_are_in_every_format() -> None:
    shown = "<mi>arcsin</mi><mi>θ</mi><mo>∼</mo><mo>⟨</mo><mi>x</mi><mo>−</mo><mi>ℝ</mi><mo>⟩</mo><mtext>50%</mtext>"
    (line,) = of(page(f"<p>As <math>{shown}</math> says.</p>"), Paragraph)
    assert spans(line.text, line.spans)[0][2] == r"\arcsin\theta\sim\langle x-\mathbb{R}\rangle\text{50\%}"


@pytest.mark.parametrize(
    "data",
    [
        "<meta charset=windows-1251><p>Привет, мир</p>".encode("cp1251"),
        "<?xml version='1.0' encoding='koi8-r'?><html><body><p>Привет, мир</p></body></html>".encode("koi8-r"),
        "<html><body><p>Привет, мир</p></body></html>".encode("utf-16"),
        "<meta http-equiv=content-type content='text/html; charset=iso-8859-1'><p>Привет, мир</p>".encode(),
    ],
)
def test_encodings(data: bytes) -> None:
    assert texts(read(HTML, data, "a.html")) == ["Привет, мир"]


def test_saved_pages() -> None:
    data = html_files()["saved.mhtml"]
    document = read(HTML, data, "saved.mhtml")
    assert texts(document)[0] == "Saved"
    assert document.metadata["url"] == "http://example.org/"
    assert of(document, Figure)[0].embed == ("image", 0)
    assert HTML.open_embedded(Source.of_bytes(data, "saved.mhtml"), document.embedded[0].ref, Limits()).data == PNG


def saved(*files: tuple[str, str]) -> bytes:
    """Pages saved in one file, by their addresses, as Word and Excel do under their own suffixes."""
    head = 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\nA Single File Web Page.\n'
    pages = (f'\n--b\nContent-Location: {at}\nContent-Type: text/html; charset="utf-8"\n\n{text}' for at, text in files)
    return (head + "".join(pages) + "\n--b--\n").encode()


def test_documents_that_office_programs_save_as_pages() -> None:
    word = saved(("file:///a.htm", "<html><body><p>Saved words</body></html>"))
    assert HTML.score(Source.of_bytes(word, "a.doc")) == 70
    assert texts(read(HTML, word, "a.doc")) == ["Saved words"]
    sheets = "".join(
        f"<x:ExcelWorksheet><x:Name>{name}</x:Name>\n<x:WorksheetSource HRef='{name}.htm'/></x:ExcelWorksheet>"
        for name in ("Sales", "Costs")
    )
    excel = saved(
        ("file:///b.htm", f"<html><head>{sheets}</head><frameset rows='*,39'><frame src=x></frameset></html>"),
        ("file:///b_files/tabstrip.htm", "<html><body>Tabs</body></html>"),
        *(
            (f"file:///b_files/{name}.htm", f"<html><body><table><tr><td>In<td>{name}<tr><td>x<td>y</table></html>")
            for name in ("1", "2")
        ),
    )
    document = read(HTML, excel, "b.xls")
    assert [part.title for part in document.parts] == ["Sales", "Costs"]
    assert [table.rows for table in of(document, Table)] == [(("In", "1"), ("x", "y")), (("In", "2"), ("x", "y"))]


def test_scores() -> None:
    assert HTML.score(Source.of_bytes(b"<!-- x --><!DOCTYPE html><p>", "a.txt")) == 85
    assert HTML.score(Source.of_bytes(b"<!-- x --><!DOCTYPE html><p>", "a.html")) == 90
    assert HTML.score(Source.of_bytes(b"just text", "a.txt")) == 0
    assert HTML.score(Source.of_bytes(b"<p>x", "a.html")) == 60
    assert HTML.score(Source.of_bytes(bytes(50), "a.html")) == 0


def test_nesting_without_end_is_survived() -> None:
    for tag in ("div", "table><tr><td", "ul><li", "b", "blockquote", "span", "dl><dd", "figure"):
        document = read(HTML, f"<{tag}>" * 400 + "deep inside", "a.html")
        assert any("deep inside" in str(block) for block in blocks(document)), tag


def test_a_caption_may_stand_in_paragraphs() -> None:
    page = "<figure><img src='a.png'><figcaption><p>First <b>bold</b></p><p>Second</p></figcaption></figure>"
    assert [figure.caption for figure in of(read(HTML, page, "a.html"), Figure)] == ["First bold Second"]


def test_what_serves_only_the_screen_is_left_out() -> None:
    document = page(
        f'<div class="navheader"><table><tr><th>Chapter 8</th></tr><tr><td><a href="a">Prev</a></td></tr></table></div>'
        f'<h1>Use<a class="headerlink" href="#use">¶</a></h1><p>{LONG}</p><pre>run it<button>copy</button></pre>'
    )
    content = [block for block in document.parts[0].blocks if getattr(block, "text", "") != LONG.strip()]
    assert [(type(block), getattr(block, "text", "")) for block in content] == [(Heading, "Use"), (Code, "run it")]


def test_cells_without_a_row_and_rows_in_a_form_are_a_tables() -> None:
    document = page(
        "<table><thead><th>id</th><th>name</th></thead><tr><td>1</td><td>Ann</td></tr></table>"
        "<table><form action=x><tr><td>in</td><td>form</td></tr></form></table>"
        "<table><tr><form><td>row</td><td>form</td></form></tr></table>"
    )
    assert [table.rows for table in of(document, Table)] == [
        (("id", "name"), ("1", "Ann")), (("in", "form"),), (("row", "form"),),
    ]  # fmt: skip


def test_what_may_not_stand_between_cells_or_items_is_read_all_the_same() -> None:
    document = page(
        "<table>bare<tr>in a row<td>a</td>between<td>b</td></tr><p>below</p></table>"
        "<ul>before <b>all</b> items<li>item</li>behind it<ul><li>inner</li></ul>last</ul>"
    )
    said = " ".join(" ".join(texts(document)).split())
    assert said == "bare below in a row between before all items item behind it inner last"
    assert of(document, Table)[0].rows == (("a", "b"),)


def test_labels_of_buttons_are_read_but_for_actions_beside_a_headings_words() -> None:
    document = page(
        "<h2><button aria-expanded=false>Who pays?</button></h2><p>The sender pays.</p>"
        "<button class=accordion>How much?</button><p>Five.</p><p>Press <button>Send</button>to go.</p>"
        '<button class="navbar-toggler" aria-expanded=false>Menu</button><h3>Terms <button>Link</button></h3>'
        '<button>Prev</button><button>Next</button><input type=submit value="Order now"><input type=image alt=Pay>'
    )
    assert [block.text for block in of(document, Heading)] == ["Who pays?", "Terms"]
    said = ["The sender pays.", "How much?", "Five.", "Press Send to go.", "Menu", "Prev Next Order now Pay"]
    assert [block.text for block in of(document, Paragraph)] == said


def test_fields_show_their_value_or_what_stands_in_them_and_lists_what_there_is_to_choose() -> None:
    document = page(
        "<form><p>Size <select><option>Choose<optgroup label=Small><option>S<option>XS</optgroup>"
        "<option label=L></option></select></p><p><input placeholder='Your name'><input value=Ann placeholder=Who>"
        "<input type=password value=secret><input type=hidden value=token></p><textarea placeholder=Why>As\nis"
        "</textarea></form>"
    )
    assert texts(document) == ["Size Choose (Small: S, XS, L)", "Your name Ann", "As is"]


def test_controls_in_a_table_leave_its_values_alone() -> None:
    document = page(
        "<table><tr><th><button>Name</button></th><th>Count</th><th>Size</th></tr><tr><td>Nut</td>"
        "<td>120 <button>+</button></td><td><select><option>M3<option selected>M4</select></td></tr></table>"
    )
    assert of(document, Table)[0].rows == (("Name", "Count", "Size"), ("Nut", "120", "M4"))


@pytest.mark.parametrize("role", ["", " role=presentation"])
def test_lists_of_choices_in_a_table_that_places_a_form_keep_all_there_is_to_choose(role: str) -> None:
    document = page(
        f"<table{role}><tr><td>Align</td><td><select><option>Top<option>Middle</select></td></tr>"
        "<tr><td>Width</td><td>10</td></tr></table>"
    )
    cells = [cell for table in of(document, Table) for row in table.rows for cell in row]
    assert "Top (Middle)" in [*texts(document), *cells]


def test_links_of_the_same_words_around_the_content_are_told_apart_by_where_they_lead() -> None:
    links = "".join(f"<li><a href='/{at}'>Read more</a></li>" for at in (1, 2, 2))
    document = page(f"<main><h1>A</h1><p>{LONG}</p></main><footer><ul>{links}</ul></footer>")
    around = [block for block in document.parts[-1].blocks if isinstance(block, ListItem)]
    assert [[span.value for span in block.spans] for block in around] == [["/1"], ["/2"]]


def test_an_element_that_is_never_closed_takes_nothing_with_it() -> None:
    assert texts(page("<p>before</p><embed src=a.swf><p>behind</p><ul><li>item</ul>")) == ["before", "behind", "item"]


def test_words_of_tables_in_tables_in_cells_are_shown() -> None:
    """However deep they stand, and of a second table in a cell too."""
    deep = "<table><tr><th>Labs</th><td>ChatZilla</td></tr></table>"
    middle = f"<table><tr><th>Projects</th><td>Web</td></tr><tr><td colspan=2>{deep}</td></tr></table>"
    rows = f"<tr><th>Group</th><td>One</td></tr><tr><td>A{middle}</td><td>B{middle}{middle}</td></tr>"
    document = page(f"<p>x</p><table>{rows}</table>")
    shown = blocks_markdown(document.parts[0].blocks, "d", {})
    assert shown.count("ChatZilla") == 3
    assert "A [table: Projects / Web; [table: Labs / ChatZilla]]" in shown
    assert blocks_text(document.parts[0].blocks, {}).count("ChatZilla") == 3


def webarchive(page: str, *files: tuple[str, str, bytes], form: plistlib.PlistFormat = plistlib.FMT_BINARY) -> bytes:
    """A page as Safari saves it, with files by address and type."""
    main = {
        "WebResourceData": page.encode("cp1252"), "WebResourceURL": "https://example.org/a/page",
        "WebResourceMIMEType": "text/html", "WebResourceTextEncodingName": "windows-1252",
    }  # fmt: skip
    inner = [{"WebResourceURL": url, "WebResourceMIMEType": kind, "WebResourceData": data} for url, kind, data in files]
    return plistlib.dumps({"WebMainResource": main, "WebSubresources": inner}, fmt=form)


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_a_page_that_safari_saved(form: plistlib.PlistFormat) -> None:
    page = "<html><head><title>Café</title></head><body><h1>Über uns</h1><p>Words</p><img src='x.png'></body></html>"
    data = webarchive(page, ("https://example.org/a/x.png", "image/png", PNG), form=form)
    source = Source.of_bytes(data, "saved.webarchive")
    assert HTML.score(source) == 90
    document = read(HTML, data, "saved.webarchive")
    assert document.title == "Café"
    assert [block.text for block in of(document, Heading)] == ["Über uns"]
    assert document.metadata["url"] == "https://example.org/a/page"
    assert HTML.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_web_archives_that_are_none() -> None:
    sound = webarchive("<html><body><p>Words</p></body></html>")
    for broken in (sound[:40], b"bplist00" + b"\xff" * 90, plistlib.dumps({"a": [1]}), plistlib.dumps([1])):
        with pytest.raises(DamagedError):
            HTML.parse(Source.of_bytes(broken, "a.webarchive"), Limits())
    read_broken(HTML, sound, "a.webarchive", random.Random(3), kept=8, times=300)
    assert HTML.score(Source.of_bytes(sound, "a.plist")) == 0


def test_items_of_lists_that_word_and_outlook_write_as_paragraphs_are_items() -> None:
    def item(level: int, sign: str, text: str) -> str:
        ignored = f"<span><span style='mso-list:Ignore'>{sign}<span>&nbsp;&nbsp;&nbsp; </span></span></span>"
        style = f"text-indent:-18.0pt;mso-list:l0 level{level} lfo1"
        return f'<p class=MsoListParagraph style="{style}"><![if !supportLists]>{ignored}<![endif]>{text}</p>'

    document = page(
        f"<p>Bring:</p>{item(1, '·', 'boots')}{item(2, 'o', 'laces')}{item(1, '1.', 'a map')}<p>Until then</p>"
    )
    assert [(i.text, i.level, i.marker, i.ordered) for i in of(document, ListItem)] == [
        ("boots", 0, "•", False),
        ("laces", 1, "•", False),
        ("a map", 0, "1.", True),
    ]
    assert [paragraph.text for paragraph in of(document, Paragraph)] == ["Bring:", "Until then"]


def test_a_listing_of_nothing_but_blanks_beside_a_figure_fails_no_page() -> None:
    blank = f"<pre>{' ' * 2_000}x</pre>"
    page = f"<p>a</p>{blank}<figure><img src=a.png><figcaption>Figure 1. Quay</figcaption></figure>{blank}"
    assert [one.label for one in read(HTML, page, "a.html").elements] == ["Figure 1"]


def test_formulas_without_tex_have_their_scripts_and_marks() -> None:
    markup = (
        '<math display="block"><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><mo>=</mo>'
        "<mover><mi>y</mi><mo>^</mo></mover><mo>+</mo><mover><mrow><mi>a</mi><mi>b</mi></mrow><mo>¯</mo></mover></math>"
    )
    (equation,) = of(read(HTML, f"<p>so</p>{markup}", "a.html"), Equation)
    assert (equation.text, equation.latex) == ("x_i^2=y\u0302+ab\u0304", r"x_{i}^{2}=\hat{y}+\overline{ab}")
