"""Pages, Keynote and Numbers: text with its structure, slides, tables, notes, pictures; damage, passwords, bombs."""

from __future__ import annotations

import contextlib
import gzip
import io
import zipfile

import pytest
from contract.conformance import check_embedded
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sidecar_iwork import IworkFormat
from sidecar_iwork.wire import Message, blocks_unpacked
from support.formats.plugin_reading import of, read
from support.office.docx_files import png
from support.office.iwork_documents import STYLES, Object, keynote, numbers, pages, shape, storage, style
from support.office.iwork_files import Fixed32, Fixed64, iwa, message, package, ref

from sidecar.api import (
    DamagedError,
    EncryptedError,
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
)
from sidecar.api.model import Merge

IWORK = IworkFormat()


def document(data: bytes, name: str, limits: Limits | None = None) -> ParsedDocument:
    return read(IWORK, data, name, limits)


def test_a_pages_document_with_its_structure() -> None:
    found = document(pages(), "report.pages")
    blocks = [block for part in found.parts for block in part.blocks]
    assert found.metadata["application"] == "Pages"
    assert [(b.text, b.level) for b in blocks if isinstance(b, Heading)] == [("Retention", 2)]
    assert [(b.text, b.style) for b in blocks if isinstance(b, Paragraph)] == [
        ("Annual report 😀", "title"), ("Keep records for seven years, see the guide.[3]", ""), ("Last words", ""),
        ("Beside the text: numbat.", ""),
    ]  # fmt: skip
    items = [(b.text, b.level, b.marker, b.ordered) for b in blocks if isinstance(b, ListItem)]
    assert items == [("first", 0, "•", False), ("inner", 1, "–", False), ("one", 0, "1.", True), ("two", 0, "2.", True)]
    paragraph = next(b for b in blocks if isinstance(b, Paragraph) and b.text.startswith("Keep"))
    said = {(span.kind, paragraph.text[span.start : span.end], span.value) for span in paragraph.spans}
    assert said == {
        ("bold", "Keep", ""), ("link", "the guide", "https://example.org/wombat"), ("comment", "records", "1"),
        ("note", "[3]", "3"),
    }  # fmt: skip
    notes = [(n.kind, n.text, n.author, n.date) for n in blocks if isinstance(n, Note)]
    assert notes[:3] == [
        ("comment", "Is this right?", "Ada", "2001-01-02T00:00:00Z"), ("comment", "It is.", "Grace", ""),
        ("footnote", "Since 1999.", "", ""),
    ]  # fmt: skip
    assert notes[-1] == ("header", "Confidential", "", "")
    assert [n[1] for n in notes].count("Confidential") == 1


def test_a_table_with_every_kind_of_cell() -> None:
    found = document(pages(), "report.pages")
    [table] = of(found, Table)
    assert table.rows == (
        ("Region", "Amount", "Day"), ("North\nand east", "-1234", "2001-01-02"), ("TRUE", "1:05:05", "#ERROR"),
        ("", "0.5", "2001-01-02 01:00:00"), ("All of it", "", ""),
    )  # fmt: skip
    assert (table.header_rows, table.caption, table.merges) == (1, "Costs", (Merge(4, 0, 1, 3),))
    assert {(cell.row, cell.col): cell.value for cell in table.cells} == {
        (1, 2): "2001-01-02T00:00:00", (3, 2): "2001-01-02T01:00:00",
    }  # fmt: skip
    about = [n for n in of(found, Note) if n.target == "All of it"]
    assert [n.text for n in about] == ["Is this right?"]


def test_a_picture_is_an_embed_with_its_words() -> None:
    data = pages()
    found = document(data, "report.pages")
    [picture] = found.embedded
    assert (picture.kind, picture.name, picture.media_type, picture.alt) == (
        "image", "capybara-7.png", "image/png", "A capybara",
    )  # fmt: skip
    source = Source.of_bytes(data, "report.pages")
    check_embedded(IWORK, source, found)
    assert IWORK.open_embedded(source, picture.ref, Limits()).data == png()
    with pytest.raises(NotFoundError, match="holds no file"):
        IWORK.open_embedded(source, "Data/other.png", Limits())


def test_a_keynote_presentation() -> None:
    found = document(keynote(), "talk.key")
    assert [(p.kind, p.title, p.hidden, p.width, p.height) for p in found.parts] == [
        ("slide", "The wombat in spring", False, 1024.0, 768.0), ("slide", "Not shown", True, 1024.0, 768.0),
        ("slide", "", False, 1024.0, 768.0),
    ]  # fmt: skip
    first = found.parts[0].blocks
    assert [getattr(block, "text", "") for block in first] == [
        "The wombat in spring", "First point", "Second", "Grouped words", "", "Say it slowly.",
    ]  # fmt: skip
    assert [(b.level, b.marker) for b in first if isinstance(b, ListItem)] == [(0, "•"), (1, "–")]
    assert isinstance(first[-1], Note)
    assert first[-1].kind == "speaker"
    assert found.notices[0].message == "Skipped slides: 2."
    [chart] = found.embedded
    assert chart.chart is not None
    assert chart.chart.type == "column"
    assert chart.chart.categories == ("Q1", "Q2")
    assert [(s.name, s.values) for s in chart.chart.series] == [("2023", (1.0, 2.5)), ("2024", (3.0, None))]
    assert [figure.embed for figure in of(found, Figure)] == [("chart", 0)]


def test_a_numbers_document_has_a_part_for_each_table() -> None:
    found = document(numbers(), "budget.numbers")
    assert [(p.kind, p.name) for p in found.parts] == [("sheet", "Budget – Costs"), ("sheet", "Budget – Others")]
    assert [type(block) for block in found.parts[0].blocks][:2] == [Paragraph, Table]
    assert [table.caption for table in of(found, Table)] == ["Costs", "Others"]


def test_tracked_changes_are_told() -> None:
    change: Object = (2060, {1: 1, 2: ref(91), 3: {1: Fixed64(0.0)}})
    body = storage(
        "Pay within ninetysixty days.", inserted=[(0, 0), (17, 90), (22, 0)], deleted=[(0, 0), (11, 90), (17, 0)]
    )
    found = document(package({"Index/Document.iwa": iwa({
        1: (10_000, {4: ref(2)}), 2: body, 90: change, 91: (2062, {2: ref(31)}), **STYLES,
    })}), "a.pages")  # fmt: skip
    [paragraph] = of(found, Paragraph)
    said = [(span.kind, paragraph.text[span.start : span.end], span.value) for span in paragraph.spans]
    assert said == [("del", "ninety", "Ada"), ("ins", "sixty", "Ada")]


def legacy(body: str, root: str = "sl:document", name: str = "index.xml") -> bytes:
    spaces = "".join(
        f' xmlns:{short}="http://developer.apple.com/namespaces/{full}"'
        for short, full in (("sf", "sf"), ("sfa", "sfa"), ("sl", "sl"), ("key", "keynote2"))
    )
    return package({name: f"<?xml version='1.0'?><{root}{spaces}>{body}</{root}>".encode(), "QuickLook/x": b""})


def test_a_document_of_2009() -> None:
    styles = (
        '<sf:stylesheet><sf:paragraphstyle sfa:ID="s1" sf:name="Heading 2"/>'
        '<sf:paragraphstyle sfa:ID="s2" sf:ident="title-style"/></sf:stylesheet>'
    )
    table = (
        '<sf:tabular-model><sf:grid sf:numrows="2" sf:numcols="2"><sf:datasource>'
        '<sf:t><sf:ct sfa:s="Region"/></sf:t><sf:t><sf:ct sfa:s="Sales"/></sf:t>'
        '<sf:t><sf:ct sfa:s="North"/></sf:t><sf:n sf:v="42"/></sf:datasource></sf:grid></sf:tabular-model>'
    )
    text = (
        '<sf:text-storage sf:kind="header"><sf:text-body><sf:p>Secret</sf:p></sf:text-body></sf:text-storage>'
        '<sf:text-storage sf:kind="body"><sf:text-body><sf:p sf:style="s2">A report<sf:br/></sf:p>'
        '<sf:p sf:style="s1">Sales</sf:p><sf:p>The <sf:span>wombat<sf:lnbr/>rests</sf:span>.'
        f"<sf:attachment>{table}</sf:attachment> After.</sf:p></sf:text-body></sf:text-storage>"
    )
    found = document(legacy(styles + text), "old.pages")
    blocks = [block for part in found.parts for block in part.blocks]
    assert [(type(b).__name__, getattr(b, "text", "")) for b in blocks] == [
        ("Note", "Secret"), ("Paragraph", "A report"), ("Heading", "Sales"),
        ("Paragraph", "The wombat\nrests. After."), ("Table", ""),
    ]  # fmt: skip
    assert of(found, Table)[0].rows == (("Region", "Sales"), ("North", "42"))
    deep = "<sf:span>" * 200 + "x" + "</sf:span>" * 200
    assert document(legacy(f"<sf:p>{deep}</sf:p>"), "deep.pages").parts


def test_a_presentation_of_2009() -> None:
    slide = (
        "<key:slide><key:title-placeholder><sf:p>Spring</sf:p></key:title-placeholder>"
        "<key:body-placeholder><sf:p>Point</sf:p></key:body-placeholder><key:notes><sf:p>Slowly</sf:p></key:notes>"
        "</key:slide>"
    )
    masters = "<key:theme-list><key:slide><sf:p>Master</sf:p></key:slide></key:theme-list>"
    found = document(
        legacy(f"{masters}<key:slide-list>{slide}</key:slide-list>", "key:presentation", "index.apxl"), "a.key"
    )
    assert [(part.kind, part.title) for part in found.parts] == [("slide", "Spring")]
    assert [getattr(block, "text", "") for block in found.parts[0].blocks] == ["Spring", "Point", "Slowly"]
    with pytest.raises(DamagedError, match="not a Pages, Keynote or Numbers"):
        document(package({"index.xml": b"<html/>"}), "a.pages")


def test_what_stands_in_a_place_that_a_slide_of_2009_does_not_draw_is_hidden() -> None:
    slides = "".join(
        f"<key:slide><key:title-placeholder sfa:ID='t'><sf:p>{words}</sf:p></key:title-placeholder>"
        f"<key:body-placeholder sfa:ID='b'><sf:p>{words} text</sf:p></key:body-placeholder>"
        f"<sf:drawables>{refs}</sf:drawables></key:slide>"
        for words, refs in (
            ("Spring", "<sf:title-placeholder-ref sfa:IDREF='t'/><key:body-placeholder-ref sfa:IDREF='b'/>"),
            ("Level 1", ""),
        )
    )
    found = document(legacy(f"<key:slide-list>{slides}</key:slide-list>", "key:presentation", "index.apxl"), "a.key")
    assert [part.title for part in found.parts] == ["Spring", ""]
    assert [(getattr(block, "text", ""), block.hidden) for part in found.parts for block in part.blocks] == [
        ("Spring", False), ("Spring text", False), ("Level 1", True), ("Level 1 text", True),
    ]  # fmt: skip
    assert [notice.code for notice in found.notices] == ["hidden_content"]


def test_an_index_that_is_packed() -> None:
    """Packages that Keynote 2 to '08 wrote."""
    with zipfile.ZipFile(io.BytesIO(legacy("<sf:p>Words</sf:p>"))) as opened:
        index = opened.read("index.xml")
    found = document(package({"index.xml.gz": gzip.compress(index)}), "a.pages")
    assert [block.text for part in found.parts for block in part.blocks if isinstance(block, Paragraph)] == ["Words"]
    with pytest.raises(DamagedError, match="damaged"):
        document(package({"index.xml.gz": b"\x1f\x8bno"}), "a.pages")
    with pytest.raises(LimitError, match="too large"):
        document(
            package({"index.xml.gz": gzip.compress(b"<a>" + b"<b/>" * 5_000_000)}), "a.pages", Limits(max_ratio=100)
        )
    small = Limits(max_expanded_bytes=5000, ocr=False)
    with pytest.raises(LimitError, match="too large"):
        IWORK.parse(Source.of_bytes(package({"index.apxl.gz": gzip.compress(b"<a>" + b" " * 9000)}), "a.key"), small)


def test_slides_whose_tree_is_kept_as_nodes_in_nodes() -> None:
    """In their order, however deep: each node of a chain held the next, and so many calls were open at once."""
    deep = 3000
    objects: dict[int, Object] = {
        1: (1, {2: ref(2)}),
        2: (2, {3: {1: ref(3)}, 4: {1: Fixed32(1024.0), 2: Fixed32(768.0)}}),
        3: (4, {1: [ref(1001), ref(10)]}),
        10: (4, {1: [ref(11), ref(3)], 2: ref(50)}),
        11: (4, {2: ref(51)}),
        **{1000 + at: (4, {1: [ref(1001 + at)]} if at < deep else {2: ref(52)}) for at in range(1, deep + 1)},
        **{50 + at: (5, {5: ref(60 + at)}) for at in range(3)},
        **{60 + at: (7, {1: shape(70 + at)[1]}) for at in range(3)},
        **{70 + at: storage(text, 3) for at, text in enumerate(("Above", "Within", "Deepest"))},
    }
    found = document(package({"Index/Document.iwa": iwa(objects)}), "talk.key")
    assert [part.title for part in found.parts] == ["Deepest", "Above", "Within"]


def test_the_first_keynote() -> None:
    slide = (
        '<slide><drawables><textbox><content>In a box</content></textbox><shape path="M 0 0"/></drawables><bullets>'
        '<bullet level="0"><content>The title</content></bullet><bullet level="1"><content>A point</content></bullet>'
        '<bullet level="2"><content>Below it</content></bullet></bullets><notes>Slowly</notes></slide>'
    )
    masters = "<master-slides><slide><bullets><bullet level='0'><content>No</content></bullet></bullets></slide>"
    theme = f"<theme>{masters}</master-slides></theme>"
    show = f"<presentation version='36'>{theme}<slide-list>{slide}</slide-list></presentation>"
    found = document(package({"presentation.apxl": show.encode()}), "a.key")
    [part] = found.parts
    assert (part.kind, part.title, found.metadata["application"]) == ("slide", "The title", "Keynote")
    assert [(type(b).__name__, getattr(b, "text", ""), getattr(b, "level", None)) for b in part.blocks] == [
        ("Heading", "The title", 1), ("ListItem", "A point", 0), ("ListItem", "Below it", 1),
        ("Paragraph", "In a box", None), ("Note", "Slowly", None),
    ]  # fmt: skip


def test_other_files_are_not_taken() -> None:
    assert IWORK.score(Source.of_bytes(pages(), "a.pages")) == 70
    assert IWORK.score(Source.of_bytes(pages(), "a.zip")) == 0
    assert IWORK.score(Source.of_bytes(b"\x30\x82", "server.key")) == 0
    assert IWORK.score(Source.of_bytes(keynote()[9:], "talk.key")) == 10
    assert IWORK.score(Source.of_bytes(b"words", "a.numbers")) == 10


def test_a_password_an_empty_file_and_another_package_are_told_apart() -> None:
    with pytest.raises(EncryptedError, match=r"a\.pages is protected by a password"):
        document(package({"Index.zip": b"\0" * 50, ".iwpv2": b"x"}), "a.pages")
    with pytest.raises(DamagedError, match="is empty"):
        document(b"", "a.pages")
    with pytest.raises(DamagedError, match="none of the objects"):
        document(package({"word/document.xml": b"<x/>"}), "a.pages")
    with pytest.raises(DamagedError, match="not a Pages, Keynote or Numbers document"):
        document(package({"Index/Document.iwa": iwa({5: (77, {})})}), "a.key")


def test_a_damaged_piece_is_told_and_the_rest_read() -> None:
    data = io.BytesIO(keynote())
    with zipfile.ZipFile(data) as outer, zipfile.ZipFile(io.BytesIO(outer.read("Index.zip"))) as inner:
        members = {name: inner.read(name) for name in inner.namelist()}
    members["Index/Slide-2.iwa"] = b"\1" + members["Index/Slide-2.iwa"]
    found = document(package(members), "talk.key")
    assert len(found.parts) == 2
    assert found.notices[0].code == "damaged_part"
    assert "Slide-2.iwa" in found.notices[0].message
    with pytest.raises(LimitError):
        document(keynote(), "talk.key", Limits(max_file_bytes=500))


def test_snappy_blocks() -> None:
    block = bytes([11, 2 << 2]) + b"abc" + bytes([(8 - 4) << 2 | 1, 3])  # abc, then eight from three back
    framed = b"\0" + len(block).to_bytes(3, "little") + block
    assert blocks_unpacked(framed) == b"abcabcabcab"
    far = bytes([6, 2 << 2]) + b"xyz" + bytes([2 << 2 | 2, 3, 0])
    assert blocks_unpacked(b"\0" + len(far).to_bytes(3, "little") + far) == b"xyzxyz"
    for bad in (b"\1\0\0\0", b"\0\3\0\0\5\1\1", b"\0\2\0\0\xff\xff"):
        with pytest.raises(ValueError, match=r".+"):
            blocks_unpacked(bad)


@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_of_some_kind(data: bytes) -> None:
    found = Message(data)
    for field in range(1, 20):
        for asked in (found.number, found.text, found.refs, found.double, found.numbers, found.single):
            asked(field)
    with contextlib.suppress(ValueError):
        blocks_unpacked(data)


@settings(max_examples=150)
@given(
    st.sampled_from(["pages", "key", "numbers"]),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), max_size=8),
)
@example("numbers", [(678, 57)])  # a table of more columns than there is memory
def test_any_damage_ends_in_a_document_or_a_sentence(kind: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray({"pages": pages, "key": keynote, "numbers": numbers}[kind]())
    for at, value in changes:
        data[at % len(data)] = value
    with contextlib.suppress(FormatError):
        IWORK.parse(Source.of_bytes(bytes(data), f"a.{kind}"), Limits())


def test_a_message_within_itself_ends() -> None:
    assert Message(message({1: {1: {1: 5}}})).message(1).message(1).number(1) == 5
    loop: dict[int, Object] = {
        1: (10_000, {4: ref(2)}), 2: storage("￼", attached=[(0, 3)]), 3: (2003, {1: ref(4)}), 4: shape(2),
        20: style("a", parent=21), 21: style("", parent=20),
    }  # fmt: skip
    assert document(package({"Index/Document.iwa": iwa(loop)}), "a.pages").parts == ()
