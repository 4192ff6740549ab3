"""Word files are scanned where they are written plainly and parsed as trees where not: both must give the same."""

# ruff: noqa: E501  (markup reads best unbroken)

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_docx import DocxFormat
from support.office.docx_files import NUMBERING, STYLES, cell, field, package, para, picture, png, row, run, table

from sidecar.api import FormatError, Limits, ParsedDocument, Source

FORMAT = DocxFormat()
RELATIONS = {
    "rS": ("styles", "styles.xml"),
    "rN": ("numbering", "numbering.xml"),
    "rI": ("image", "media/a.png"),
    "rL": ("hyperlink", "https://example.org/?a=1&amp;b=2"),
}
COMMENT = "<!-- a comment makes a part too unusual to be scanned -->"
LONG = " " * 2**15
"""Space behind the body that makes a part long enough to be scanned."""
TEXTS = st.sampled_from(
    [
        "Plain words",
        "Figure 3: A caption",
        "a &amp; b &lt; c &#x41;&#66;",
        "  spaced  ",
        "",
        "soft\u00adhyphen",
        "Ünï \uf0b7",
        "two\n lines",
    ]
)
LOOKS = st.sampled_from(
    [
        "", "<w:b/>", '<w:b w:val="0"/><w:i/>', '<w:vertAlign w:val="superscript"/>', "<w:vanish/>", '<w:u w:val="single"/>',
        '<w:rStyle w:val="Geheim"/><w:b/>', '<w:rStyle w:val="Geheim"/><w:vanish w:val="false"/>', '<w:b/><w:b w:val="off"/>',
        '<w:color w:val="FF0000"/><w14:ligatures w14:val="all"/>', "<w:strike/><w:dstrike w:val='0'/>",
    ]
)  # fmt: skip
MARKS = st.sampled_from(
    [
        "<w:tab/>", "<w:br/>", '<w:br w:type="page"/>', "<w:cr/>", "<w:noBreakHyphen/>", "<w:softHyphen/>", "<w:t/>",
        "<w:lastRenderedPageBreak/>", '<w:ptab w:relativeTo="margin" w:alignment="right"/>', '<w:sym w:font="Wingdings" w:char="F0FC"/>',
    ]
)  # fmt: skip


@st.composite
def runs(draw: st.DrawFn) -> str:
    inside = "".join(
        draw(
            st.lists(
                st.one_of(
                    MARKS,
                    TEXTS.map(lambda text: f"<w:t>{text}</w:t>"),
                    TEXTS.map(lambda t: f'<w:t xml:space="preserve">{t}</w:t>'),
                ),
                max_size=4,
            )
        )
    )
    look = draw(LOOKS)
    return f'<w:r w:rsidR="00AB12CD">{f"<w:rPr>{look}</w:rPr>" if look else ""}{inside}</w:r>'


BETWEEN = st.sampled_from(
    [
        '<w:bookmarkStart w:id="1" w:name="_Toc1"/><w:bookmarkEnd w:id="1"/>', '<w:bookmarkStart w:id="2" w:name="named"/>',
        '<w:proofErr w:type="spellStart"/>', field('HYPERLINK "https://example.org"', run("linked")), picture("rI", "alt"),
        f'<w:hyperlink r:id="rL">{run("there")}</w:hyperlink>', f'<w:ins w:author="A">{run("new")}</w:ins>',
        '<w:bookmarkStart w:id="3" w:name="a &amp; b"/>',
    ]
)  # fmt: skip
PROPERTIES = st.sampled_from(
    [
        "", '<w:pStyle w:val="berschrift1"/>', '<w:pStyle w:val="Code"/>', '<w:pStyle w:val="Unknown"/>', "<w:pStyle/>",
        '<w:pStyle w:val="Zitat"/><w:outlineLvl w:val="2"/>', '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="2"/></w:numPr>',
        '<w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:b/></w:rPr>', '<w:jc w:val="center"/><w:rPr/>',
        '<w:numPr><w:numId w:val="0"/></w:numPr>', '<w:pStyle w:val="Kreis"/><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs>',
        '<w:sectPr><w:pgSz w:w="1" w:h="2"/></w:sectPr>', '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="Titel"/></w:pPr></w:pPrChange>',
    ]
)  # fmt: skip


@st.composite
def paragraphs(draw: st.DrawFn) -> str:
    properties = draw(PROPERTIES)
    inside = "".join(draw(st.lists(st.one_of(runs(), BETWEEN), max_size=5)))
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else draw(st.sampled_from(['', '<w:pPr/>']))}{inside}</w:p>"


OTHERS = st.sampled_from(
    [
        "<w:p/>", '<w:p w:rsidR="1"/>', table(row(cell("a"), cell(table(row(cell("inner")))))), "\n  ",
        '<w:bookmarkStart w:id="9" w:name="between"/>', f"<w:sdt><w:sdtContent>{para('controlled')}</w:sdtContent></w:sdt>",
        "<m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara>", '<w:sectPr><w:titlePg/></w:sectPr>',
    ]
)  # fmt: skip


def parsed(body: str, styles: bytes = STYLES) -> ParsedDocument:
    parts = {"word/styles.xml": styles, "word/numbering.xml": NUMBERING, "word/media/a.png": png()}
    return FORMAT.parse(Source.of_bytes(package(body + LONG, parts, RELATIONS), "a.docx"), Limits())


def told(document: ParsedDocument) -> object:
    return msgspec.to_builtins(document)


@settings(max_examples=150)
@given(st.lists(st.one_of(paragraphs(), OTHERS), max_size=6))
def test_a_body_says_the_same_scanned_and_parsed(blocks: list[str]) -> None:
    body = "".join(blocks)
    assert told(parsed(body)) == told(parsed(COMMENT + body))


@settings(max_examples=150)
@given(st.lists(st.one_of(paragraphs(), OTHERS), min_size=1, max_size=3), st.data())
def test_a_body_with_a_fault_is_read_as_far_as_a_parser_reads_it(blocks: list[str], data: st.DataObject) -> None:
    body = "".join(blocks)
    at = data.draw(st.integers(0, len(body) - 1))
    broken = (
        body[:at] + data.draw(st.sampled_from(["", "<", ">", "&", '"', "</w:p>", "<w:p>", "\x01"])) + body[at + 1 :]
    )

    def outcome(content: str) -> object:
        try:
            return told(parsed(content))
        except FormatError as error:
            return type(error)

    scanned, tree = outcome(broken), outcome(COMMENT + broken)
    # Where a parser drops what follows a fault, the scanner may keep more; it never keeps less.
    assert len(msgspec.json.encode(scanned)) >= len(msgspec.json.encode(tree)) or scanned == tree


def test_styles_say_the_same_searched_and_parsed() -> None:
    names = ["Normal", "Titel", "berschrift1", "Firmenkapitel", "Ueb3", "Verz", "Zitat", "Code", "Kreis", "Nobody's"]
    body = "".join(para(f"In {name}", name) for name in names) + para(run("hidden", '<w:rStyle w:val="Geheim"/>'))
    expected = told(parsed(body, STYLES.replace(b"<w:style ", COMMENT.encode() + b"<w:style ", 1)))
    assert told(parsed(body)) == expected
    for unusual in (
        STYLES.replace(b'"', b"'"),
        STYLES.replace(b"w:style>", b"w:style >"),
        STYLES.replace(b"\n", b"\r\n") + b"\r\n",
        b"\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?>" + STYLES,
        STYLES.decode().encode("utf-16"),
    ):
        assert told(parsed(body, unusual)) == expected


def test_a_default_style_reaches_paragraphs_that_name_none() -> None:
    quoted = STYLES.replace(b'<w:name w:val="Normal"/>', b'<w:name w:val="Quote"/>')
    assert told(parsed(para("Said"), quoted)) != told(parsed(para("Said")))
    assert told(parsed(para("Said"), quoted)) == told(parsed(COMMENT + para("Said"), quoted))
