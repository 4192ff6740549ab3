"""What lies deep in other things is read, or its file is refused in a sentence: nothing is left out without a word.
Nor does a character that XML has not, in a file that is none, fail the file, or a number the memory."""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
import zipfile
from collections.abc import Callable

import msgspec
import pytest
from contract.package_samples import odf_files
from contract.samples import SAMPLES
from support.formats.processor import processor_limit
from support.formats.xps_files import glyphs, xps
from support.office.docx_files import cell, packed, para, row, styled
from support.office.hancom_documents import hwpx, paragraph
from support.office.visio_drawings import shape, visio

from sidecar.api import Limits, ParsedDocument, Source, Table
from sidecar.toolkit.tables.grid import sheet_grid

DEEP = 300
"""More than anything nests, and than any reader follows; libxml2 ends at 2,048."""
GROUP = '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
BOX = (
    '<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>'
    "<a:p><a:r><a:t>zebra</a:t></a:r></a:p></p:txBody></p:sp>"
)
HANCOM_CELL = '<hp:p paraPrIDRef="0"><hp:run charPrIDRef="0"><hp:tbl><hp:tr><hp:tc><hp:subList>'
HANCOM_END = '</hp:subList><hp:cellAddr colAddr="0" rowAddr="0"/></hp:tc></hp:tr></hp:tbl></hp:run></hp:p>'
HANCOM_BOX = f"<hp:drawText><hp:subList>{paragraph('zebra')}</hp:subList></hp:drawText>"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOX_OF_SLIDE = 'svg:x="1cm" svg:y="1cm" svg:width="5cm" svg:height="2cm"'
INSET = "\\begin_layout Standard\n\\begin_inset Box\nstatus open\n\n"
INSET_END = "\\end_inset\n\\end_layout\n"


def nested(before: str, inner: str, after: str, times: int = DEEP) -> str:
    return before * times + inner + after * times


def put_in(data: bytes, member: str, place: str, text: str) -> bytes:
    """The package with the text before that place of a member."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {name: package.read(name) for name in package.namelist()}
    members[member] = members[member].replace(place.encode(), text.encode() + place.encode(), 1)
    return packed(members)


def read(plugin: str, name: str, data: bytes | str) -> ParsedDocument:
    reader = next(iter(importlib.metadata.entry_points(group="docsidecar.formats", name=plugin))).load()()
    source = Source.of_bytes(data.encode() if isinstance(data, str) else data, name)
    return reader.parse(source, Limits(ocr=False))


FILES: dict[str, Callable[[], bytes | str]] = {
    "docx rows.docx": lambda: styled(
        f"<w:tbl>{nested('<w:sdt><w:sdtContent>', row(cell('zebra')), '</w:sdtContent></w:sdt>')}</w:tbl>" + para("end")
    ),
    "pptx groups.pptx": lambda: put_in(
        SAMPLES["pptx"]()["deck.pptx"], "ppt/slides/slide1.xml", "</p:spTree>", nested(GROUP, BOX, "</p:grpSp>")
    ),
    "odf spans.odt": lambda: put_in(
        odf_files()["text.odt"], "content.xml", "</office:text>",
        f"<text:p>{nested('<text:span>', 'zebra', '</text:span>')}</text:p>",
    ),
    "odf lists.odt": lambda: put_in(
        odf_files()["text.odt"], "content.xml", "</office:text>",
        nested("<text:list><text:list-item>", "<text:p>zebra</text:p>", "</text:list-item></text:list>"),
    ),
    "html formula.html": lambda: f"<p>a</p><math>{nested('<mrow>', '<mi>zebra</mi>', '</mrow>')}</math>",
    "html drawing.html": lambda: f"<p>a</p><svg>{nested('<g>', '<text>zebra</text>', '</g>')}</svg>",
    "image drawing.svg": lambda: (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">'
        + nested("<g>", "<text>zebra</text>", "</g>")
        + "</svg>"
    ),
    "rtf notes.rtf": lambda: r"{\rtf1 Words" + nested(r"{\footnote more ", "zebra", "}") + r"\par}",
    "xml map.mm": lambda: (
        '<map version="1.0">' + nested('<node TEXT="a">', '<node TEXT="zebra"/>', "</node>") + "</map>"
    ),
    "hwpx tables.hwpx": lambda: hwpx(nested(HANCOM_CELL, paragraph("zebra"), HANCOM_END, 150)),
    "hwpx groups.hwpx": lambda: hwpx(
        paragraph('<hp:run charPrIDRef="0">' + nested("<hp:container>", HANCOM_BOX, "</hp:container>") + "</hp:run>")
    ),
    "visio groups.vsdx": lambda: visio(
        [("Flow", nested('<Shape ID="5" Type="Group"><Shapes>', shape(9, "zebra"), "</Shapes></Shape>"), "")]
    ),
    "xps canvases.xps": lambda: xps([nested("<Canvas>", glyphs("zebra", 10, 20), "</Canvas>")]),
    "text boxes.lyx": lambda: (
        "#LyX 2.3 created this file\n\\lyxformat 544\n\\begin_document\n\\begin_body\n"
        + nested(INSET, "\\begin_layout Plain Layout\nzebra\n\\end_layout\n", INSET_END)
        + "\\end_body\n\\end_document\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_what_lies_deep_is_read(name: str) -> None:
    plugin, _, file = name.partition(" ")
    assert "zebra" in repr(read(plugin, file, FILES[name]()).parts)


@pytest.mark.parametrize("times", [1_000, 20_000])
def test_markup_deeper_than_the_parser_goes_is_read_with_all_behind_it(times: int) -> None:
    """It would leave out what is deeper than 2,048 elements, and all behind it, without a word."""
    controls = nested("<w:sdt><w:sdtContent>", para("zebra <!-- no --> &lt;1&gt;"), "</w:sdtContent></w:sdt>", times)
    assert _texts(read("docx", "a.docx", styled(controls + para("behind")))) == ["zebra  <1>", "behind"]
    lists = nested('<itemizedlist x="a>b"><listitem>', "<para>zebra</para>", "</listitem></itemizedlist>", times)
    book = f'<article xmlns="http://docbook.org/ns/docbook"><title>a</title>{lists}<para>behind</para></article>'
    found = repr(read("xml", "a.dbk", book).parts)
    assert "zebra" in found
    assert "behind" in found


def _texts(document: ParsedDocument) -> list[str]:
    return [str(getattr(block, "text", "")) for part in document.parts for block in part.blocks]


@pytest.mark.parametrize("character", ["\x01", "\ufffe"])
def test_characters_that_xml_has_not_fail_no_file(character: str) -> None:
    topic = {"title": f"Zeb{character}ra", "href": character, "notes": {"plain": {"content": f"a{character}"}}}
    maps = packed({"content.json": json.dumps([{"title": character + "a", "rootTopic": topic}]).encode()})
    assert "Zebra" in repr(read("xml", "a.xmind", maps).parts)
    tasks = f"ERMHDR\t20.12\n%T\tTASK\n%F\ttask_id\ttask_code\ttask_name\n%R\t5\tA100\tZeb{character}ra\n%E\n"
    assert "Zebra" in repr(read("xml", "a.xer", tasks + "words " * 50).parts)


def test_a_hancom_table_of_two_cells_far_apart_takes_no_memory_and_keeps_its_words() -> None:
    far = paragraph(
        '<hp:run charPrIDRef="0"><hp:tbl><hp:tr>'
        + "".join(
            f"<hp:tc><hp:subList>{paragraph(word)}</hp:subList>"
            f'<hp:cellAddr colAddr="{at}" rowAddr="{at}"/><hp:cellSpan colSpan="1" rowSpan="1"/></hp:tc>'
            for word, at in (("near", 0), ("zebra", 9_999))
        )
        + "</hp:tr></hp:tbl></hp:run>"
    )
    (table,) = [block for part in read("hwpx", "a.hwpx", hwpx(far)).parts for block in part.blocks]
    assert getattr(table, "rows", None) == (("near",), ("zebra",))


def test_cells_that_span_or_repeat_take_places_as_files_have_cells() -> None:
    """A few bytes may claim thousands of columns, and each row, or each table, may do so again."""
    wide = (
        '<w:tr><w:trPr><w:gridBefore w:val="4000"/></w:trPr><w:tc><w:p><w:r><w:t>zebra</w:t></w:r></w:p></w:tc></w:tr>'
    )
    wide += '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="4096"/></w:tcPr><w:p><w:r><w:t>gnu</w:t></w:r></w:p></w:tc></w:tr>'
    assert _places(read("docx", "a.docx", styled(f"<w:tbl>{wide * 50}</w:tbl>"))) < 50 * 2 * 200
    rows = (
        '<table:table-row table:number-rows-repeated="100000"><table:table-cell table:number-columns-repeated="1000">'
    )
    table = f"<table:table>{rows}<text:p>zebra</text:p></table:table-cell></table:table-row></table:table>"
    often = read("odf", "a.odt", put_in(odf_files()["text.odt"], "content.xml", "</office:text>", table * 200))
    assert _places(often) < 110_000
    assert [notice.code for notice in often.notices if "repeat" in notice.message] == ["truncated_at"]


def test_cells_of_a_row_that_are_far_apart_are_not_joined_by_empty_ones() -> None:
    tables = [
        (at, Table(rows=(("name",), *((f"value {row}",) for row in range(200))), first_col=column))
        for at, column in enumerate((0, 16_383))
    ]
    assert sum(len(row.texts) for row in sheet_grid(tables).rows) < 1_000


def _places(document: ParsedDocument) -> int:
    tables = [block for part in document.parts for block in part.blocks if isinstance(block, Table)]
    assert "zebra" in repr(tables)
    return sum(len(row) for table in tables for row in table.rows)


def test_a_section_of_a_hancom_document_that_is_named_again_and_again_is_read_once() -> None:
    often = put_in(
        hwpx(paragraph("zebra")), "Contents/content.hpf", "</opf:spine>", '<opf:itemref idref="s0"/>' * 2_000
    )
    assert repr(read("hwpx", "a.hwpx", often).parts).count("zebra") == 1


@pytest.mark.parametrize(
    ("name", "member", "place", "piece", "times"),
    [
        ("book.epub", "OEBPS/book.opf", "</metadata>", "<dc:title>a", 20_000),
        ("book.epub", "OEBPS/nav.xhtml", "</nav>", '<a href="text/a.xhtml">a', 20_000),
        ("book.epub", "OEBPS/text/b.xhtml", "<h2", "<h2 id='s'>Two</h2>", 12_000),
        ("text.odt", "content.xml", "</text:tracked-changes>", "<text:changed-region><text:deletion>a", 6_000),
        ("slides.odp", "content.xml", "<draw:page", '<draw:page draw:name="p">', 6_000),
        ("slides.odp", "content.xml", "<draw:frame", f"<draw:frame {BOX_OF_SLIDE}>a</draw:frame>", 4_000),
        ("book.xlsx", "xl/worksheets/sheet1.xml", "<drawing", f'<drawing xmlns:r="{RELATED}" r:id="rId1"/>', 15_000),
        ("book.xlsx", "xl/workbook.xml", "</sheets>", f'<sheet name="n" xmlns:r="{RELATED}" r:id="rId1"/>', 3_000),
        ("deck.pptx", "ppt/presentation.xml", "</p:sldIdLst>", '<p:sldId id="256" r:id="rId7"/>', 8_000),
    ],
)
def test_what_lies_in_one_another_or_is_named_again_is_read_once(
    name: str, member: str, place: str, piece: str, times: int
) -> None:
    """Each of so many elements gave all below it, or had the part that it leads to read again: seconds, and a hundred
    times the text."""
    plugin = next(one for one in ("epub", "odf", "xlsx", "pptx") if name in SAMPLES[one]())
    data = put_in(SAMPLES[plugin]()[name], member, place, piece * times)
    with processor_limit(3.0):
        assert read(plugin, name, data).parts


@pytest.mark.parametrize(
    ("plugin", "name"),
    [
        ("docx", "document.docx"), ("epub", "book.epub"), ("html", "page.html"), ("hwpx", "plan.hwpx"),
        ("image", "drawing.svg"), ("odf", "text.odt"), ("pptx", "deck.pptx"), ("pst", "mac.olm"),
        ("visio", "flow.vsdx"), ("xlsx", "book.xlsx"), ("xml", "book.fb2"), ("xml", "notes.enex"),
    ],
)  # fmt: skip
def test_references_to_two_surrogates_are_one_character_and_to_a_lone_one_none(plugin: str, name: str) -> None:
    """Writers that count in UTF-16 leave them; a tree with one in it has texts that cannot be asked for."""
    document = read(plugin, name, _with_surrogates(SAMPLES[plugin]()[name]))
    told = msgspec.json.encode(document).decode()
    assert "\N{GRINNING FACE}" in told
    assert "\N{GRINNING FACE}\N{GRINNING FACE}" not in told


def _with_surrogates(data: bytes) -> bytes:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return packed({name: _with_surrogates(package.read(name)) for name in package.namelist()})
    if not data.lstrip(b"\xef\xbb\xbf").startswith(b"<"):
        return data
    return re.sub(rb">([^<>&]*[A-Za-z]{3}[^<>&]*)<", rb">\1&#xD83D;&#xDE00;&#xD800;&#56320;<", data)
