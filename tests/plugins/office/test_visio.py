"""Visio drawings: what shapes say, in reading order, how they are connected, and what stands beside them."""

from __future__ import annotations

import contextlib
import struct

import pytest
from contract.containers import compound_file
from contract.pictures import PNG
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_visio import VisioFormat
from support.formats.plugin_reading import blocks, of, read, spans
from support.office.visio_drawings import connection, shape, visio
from support.office_old.visio_binary import chunk, name_field, number_field, vsd
from support.office_old.visio_binary import shape as shape_of

from sidecar.api import (
    DamagedError,
    Figure,
    FormatError,
    LimitError,
    Limits,
    ListItem,
    Note,
    Paragraph,
    ParsedDocument,
    Source,
    UnsupportedError,
)

VISIO = VisioFormat()


def texts(document: ParsedDocument, part: int = 1) -> list[str]:
    return [block.text for block in document.parts[part - 1].blocks if isinstance(block, (Paragraph, ListItem))]


def test_pages_and_their_shapes_from_top_to_bottom() -> None:
    low, left, right = shape(1, "Low", y=1), shape(2, "Left", x=1, y=9), shape(3, "Right", x=5, y=9)
    sheet = "<Cell N='PageWidth' V='8.5'/><Cell N='PageHeight' V='11'/>"
    made = visio([("Overview", low + right + left, ""), ("Detail", shape(1, "Alone"), "")], sheet=sheet)
    document = read(VISIO, made, "plan.vsdx")
    assert [(part.kind, part.title) for part in document.parts] == [("page", "Overview"), ("page", "Detail")]
    assert (document.parts[0].width, document.parts[0].height) == (612, 792)
    assert texts(document) == ["Left", "Right", "Low"]
    assert texts(document, 2) == ["Alone"]


def test_connections_say_what_leads_where() -> None:
    group = shape(5, None, f"<Shapes>{shape(6, 'Archive')}</Shapes>", y=1)
    shapes = shape(1, "Order\nreceived", y=9) + shape(2, "Paid?", y=5) + shape(3, "yes") + shape(4, None) + group
    stray = shape(8, "leads nowhere", y=0)
    connects = connection(3, 1, 2) + connection(4, 2, 5) + connection(8, 2, 77)
    document = read(VISIO, visio([("Flow", shapes + stray, connects)]), "flow.vsdx")
    assert texts(document) == [
        "Order\nreceived", "Paid?", "Archive", "Order received → Paid?: yes", "Paid? → Archive", "leads nowhere",
    ]  # fmt: skip


def test_what_a_shape_does_not_say_its_master_does() -> None:
    model = shape(5, "Database", f"<Shapes>{shape(7, 'Engine')}</Shapes>")
    plain = shape(1, None, f"<Shapes>{shape(2, None, MasterShape='7')}</Shapes>", Master="1", y=9)
    emptied, own = shape(3, "", Master="1", y=8), shape(4, "Ledger", Master="1", y=7)
    document = read(VISIO, visio([("Page-1", plain + emptied + own, "")], masters={"Store": model}), "a.vsdx")
    assert texts(document) == ["Database", "Engine", "Ledger"]


def test_data_links_pictures_and_comments() -> None:
    data = (
        "<Section N='Property'><Row N='cost'><Cell N='Value' V='120'/><Cell N='Label' V='Cost'/></Row>"
        "<Row N='own'><Cell N='Value' V='never'/><Cell N='Invisible' V='1'/></Row></Section>"
        "<Section N='Hyperlink'><Row N='1'><Cell N='Address' V='https://example.org/a'/></Row></Section>"
    )
    picture = shape(
        2, None, "<ForeignData ForeignType='Bitmap'><Rel r:id='rId9'/></ForeignData>", AlternativeText="Logo"
    )
    comments = (
        "<AuthorList><AuthorEntry ID='1' Name='Ann'/></AuthorList><CommentList>"
        "<CommentEntry AuthorID='1' PageID='1' Date='2024-03-01T10:00:00'>Check the cost</CommentEntry></CommentList>"
    )
    made = visio([("P", shape(1, "Server", data, y=5) + picture, "")], comments=comments, picture=PNG)
    document = read(VISIO, made, "a.vsdx")
    first = of(document, Paragraph)[0]
    assert spans(first.text, first.spans) == [("link", "Server", "https://example.org/a")]
    assert [item.text for item in of(document, ListItem)] == ["Cost: 120"]
    note = of(document, Note)[0]
    assert (note.kind, note.text, note.author) == ("comment", "Check the cost", "Ann")
    figure = of(document, Figure)[0]
    assert (figure.embed, figure.alt) == (("image", 0), "Logo")
    payload = VISIO.open_embedded(Source.of_bytes(made, "a.vsdx"), document.embedded[0].ref, Limits())
    assert (payload.data, payload.media_type) == (PNG, "image/png")


def test_hidden_layers_and_texts_are_flagged() -> None:
    rows = "<Row IX='0'><Cell N='Visible' V='0'/></Row><Row IX='1'><Cell N='Visible' V='1'/></Row>"
    sheet = f"<Section N='Layer'>{rows}</Section>"
    shapes = (
        shape(1, "Unseen", "<Cell N='LayerMember' V='0'/>", y=9)
        + shape(2, "Also seen", "<Cell N='LayerMember' V='0;1'/>", y=8)
        + shape(3, "Off", "<Cell N='HideText' V='1'/>", y=7)
    )
    document = read(VISIO, visio([("P", shapes, "")], sheet=sheet), "a.vsdx")
    assert [block.hidden for block in blocks(document)] == [True, False, True]
    assert [notice.code for notice in document.notices] == ["hidden_content"]


def test_backgrounds_come_last() -> None:
    pages = [("Frame", shape(1, "Confidential"), ""), ("Plan", shape(1, "Plan"), "")]
    document = read(VISIO, visio(pages, background=["Frame"]), "a.vsdx")
    assert [(part.title, part.metadata) for part in document.parts] == [("Plan", {}), ("Frame", {"kind": "background"})]


def test_what_is_no_drawing() -> None:
    made = visio([("P", shape(1, "x"), "")])
    assert VISIO.score(Source.of_bytes(made, "a.vsdx")) == 95
    assert VISIO.score(Source.of_bytes(b"PK\3\4 else", "a.zip")) == 0
    with pytest.raises(DamagedError, match=r"a\.vsdx"):
        VISIO.parse(Source.of_bytes(made[:20], "a.vsdx"), Limits())
    assert read(VISIO, made[:-30], "a.vsdx").parts == read(VISIO, made, "a.vsdx").parts  # what is there is read
    deep = "".join(f"<Shape ID='{n}'><Text>{n}</Text><Shapes>" for n in range(300)) + "</Shapes></Shape>" * 300
    document = read(VISIO, visio([("P", deep, "")]), "a.vsdx")
    assert texts(document)[:2] == ["0", "1"]


@pytest.mark.parametrize("packed", [True, False])
def test_older_drawings_say_what_their_shapes_and_masters_do(packed: bool) -> None:
    fields = number_field(1 / 2.54, 69), number_field(0.25, 0x21), number_field(45292.5, form=21), number_field(2.5)
    first = shape_of(1, "Grüße\u2028zwei Zeilen") + shape_of(2, None, master=0, of=7) + shape_of(3, None)
    fields_of = "\ufffc high, \ufffc, on \ufffc, \ufffc"
    made = vsd(
        [("Overview", first), ("Detail", shape_of(1, fields_of, *fields))], [shape_of(7, "Decision")], packed=packed
    )
    document = read(VISIO, made, "plan.vsd")
    assert VISIO.score(Source.of_bytes(made, "plan.vsd")) == VISIO.score(Source.of_bytes(made, "plan.bin")) == 95
    assert [(part.kind, part.title) for part in document.parts] == [("page", "Overview"), ("page", "Detail")]
    assert texts(document) == ["Grüße\nzwei Zeilen", "Decision"]
    assert texts(document, 2) == ["1 cm high, 25%, on 2024-01-01 12:00, 2.5"]


def test_older_drawings_show_names_in_fields() -> None:
    shapes = shape_of(1, "by \ufffc", name_field(4)) + chunk(0x2D, 4, "Ann\0".encode("utf-16-le"), 3)
    assert texts(read(VISIO, vsd([("P", shapes)]), "a.vsd")) == ["by Ann"]


def test_drawings_that_cannot_be_read_say_why() -> None:
    with pytest.raises(UnsupportedError, match="Visio 5 or older"):
        read(VISIO, vsd([("P", b"")], version=5), "a.vsd")
    with pytest.raises(DamagedError, match="not a drawing"):
        read(VISIO, b"words", "a.vsd")
    with pytest.raises(DamagedError, match="without a Visio drawing"):
        read(VISIO, compound_file({"Workbook": b"x"}), "a.vsd")


def test_lists_of_older_drawings_that_lead_to_themselves_end() -> None:
    # The first pointer leads to a list whose pointers lead to that list.
    start = 0x24 + 18
    pointer = struct.pack("<IIIIH", 0x27, 0, start, 16 + 18 * 200, 0x50)
    data = b"Visio (TM) Drawing\r\n\0".ljust(0x24, b"\0") + pointer
    data += struct.pack("<IIiI", 8, 0, 200, 0) + pointer * 200
    whole = bytearray(data)
    whole[0x1A] = 11
    with pytest.raises(LimitError):
        read(VISIO, compound_file({"VisioDocument": bytes(whole)}), "a.vsd")


@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), min_size=1, max_size=8))
@settings(deadline=None)
def test_damaged_older_drawings_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    data = bytearray(vsd([("P", shape_of(1, "words \ufffc", number_field(1.0)))], [shape_of(7, "Decision")]))
    for at, value in changes:
        data[at % len(data)] = value
    with contextlib.suppress(FormatError):
        VISIO.parse(Source.of_bytes(bytes(data), "a.vsd"), Limits())


def vdx(pages: str, masters: str = "", before: str = "") -> bytes:
    """A drawing as Visio 2003 writes it in one XML file."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<VisioDocument xmlns="http://schemas.microsoft.com/visio/2003/core" '
        f'xml:space="preserve">{before}<Masters>{masters}</Masters><Pages>{pages}</Pages></VisioDocument>'
    ).encode()


def old_shape(number: int, text: str = "", inside: str = "", y: float = 1, **more: str) -> str:
    told = " ".join(f'{name}="{value}"' for name, value in more.items())
    words = f"<Text><cp IX='0'/>{text}</Text>" if text else ""
    return f"<Shape ID='{number}' {told}><XForm><PinX>1</PinX><PinY>{y}</PinY></XForm>{inside}{words}</Shape>"


OLD_PAGE = (
    "<PageSheet><PageProps><PageWidth>8.5</PageWidth><PageHeight>11</PageHeight></PageProps>"
    "<Layer IX='0'><Name>Secret</Name><Visible>0</Visible></Layer>"
    "<Annotation IX='1'><ReviewerID>1</ReviewerID><Date>2006-01-02T03:04:05</Date><Comment>Why?</Comment></Annotation>"
    "</PageSheet><Shapes>"
    + old_shape(1, "Low &amp; last", "<Prop NameU='Cost'><Label>Cost</Label><Value Unit='STR'>12</Value></Prop>", y=1)
    + old_shape(2, "First <fld IX='0'>7</fld>", "<Hyperlink><Address>https://example.org</Address></Hyperlink>", y=9)
    + old_shape(3, "Unseen", "<LayerMem><LayerMember>0</LayerMember></LayerMem>", y=5)
    + old_shape(4, "then") + old_shape(5, "", f"<Shapes>{old_shape(6, 'Inner')}</Shapes>", y=0.5, Type="Group")
    + old_shape(7, Master="2", y=0.2)
    + "</Shapes><Connects><Connect FromSheet='4' FromCell='BeginX' ToSheet='2'/>"
    "<Connect FromSheet='4' FromCell='EndX' ToSheet='1'/></Connects>"
)  # fmt: skip


def test_a_drawing_in_xml_of_2003() -> None:
    before = (
        "<DocumentProperties><Title>Plan</Title><Creator>Ann</Creator></DocumentProperties>"
        "<DocumentSheet><Reviewer IX='1'><Name>Bob</Name></Reviewer></DocumentSheet>"
    )
    masters = f"<Master ID='2' Name='Box'><Shapes>{old_shape(5, 'By its master')}</Shapes></Master>"
    pages = (
        "<Page ID='5' Name='Back' Background='1'><Shapes>" + old_shape(1, "Behind") + "</Shapes></Page>"
        f"<Page ID='0' Name='Overview'>{OLD_PAGE}</Page>"
    )
    data = vdx(pages, masters, before)
    assert VISIO.score(Source.of_bytes(data, "plan.vdx")) == 95
    document = read(VISIO, data, "plan.vdx")
    assert [(part.title, part.width) for part in document.parts] == [("Overview", 612), ("Back", 0)]
    assert texts(document) == [
        "First 7", "Unseen", "Low & last", "Cost: 12", "Inner", "By its master", "First 7 → Low & last: then",
    ]  # fmt: skip
    first, unseen = of(document, Paragraph)[:2]
    assert spans(first.text, first.spans) == [("link", "First 7", "https://example.org")]
    assert unseen.hidden
    assert [(note.text, note.author, note.date) for note in of(document, Note)] == [
        ("Why?", "Bob", "2006-01-02T03:04:05")
    ]
    assert (document.title, document.metadata) == ("Plan", {"author": "Ann"})


def test_damaged_drawings_in_xml_of_2003() -> None:
    with pytest.raises(DamagedError):
        VISIO.parse(Source.of_bytes(b"<VisioDocument/>", "a.vdx"), Limits())
    deep = "<Shapes><Shape ID='1'>" * 3_000 + "</Shape></Shapes>" * 3_000
    assert len(read(VISIO, vdx(f"<Page ID='0' Name='P'>{deep}</Page>"), "a.vdx").parts) == 1
    cut = vdx(f"<Page ID='0' Name='P'>{OLD_PAGE}</Page>")
    for end in range(150, len(cut), 97):
        with contextlib.suppress(FormatError):
            VISIO.parse(Source.of_bytes(cut[:end], "a.vdx"), Limits())
