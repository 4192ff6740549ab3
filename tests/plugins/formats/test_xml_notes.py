"""Notes, maps and diagrams in XML: AbiWord, the Uniform Office Format, Evernote, FreeMind, XMind, MindManager, draw.io
and Dia."""

from __future__ import annotations

import base64
import gzip
import io
import json
import tracemalloc
import zipfile
import zlib
from urllib.parse import quote

import pytest
from contract.conformance import check_embedded, outcome
from sidecar_xml import XmlFormat
from support.formats.plugin_reading import blocks, of, read, spans
from support.formats.xml_documents import EVERNOTE, FREEMIND

from sidecar.api import DamagedError, Heading, LimitError, Limits, ListItem, Paragraph, ParsedDocument, Source, Table
from sidecar.toolkit.markup.chapters import block_text

XML = XmlFormat()
ABIWORD = """<?xml version="1.0"?>
<abiword xmlns:xlink="http://www.w3.org/1999/xlink"><metadata><m key="dc.title">Report</m>
<m key="dc.creator">Ann</m></metadata>
<styles><s type="P" name="Normal"/></styles><section><p style="Heading 1">One</p>
<p>Plain <c props="font-weight:bold">bold</c> and <a xlink:href="https://example.org/"><c>link</c></a><foot>
<p>A note</p></foot></p>
<p listid="7" level="1"><field type="list_label"/>	an item</p>
<table><cell props="left-attach:0; right-attach:1; top-attach:0; bot-attach:1"><p>a</p></cell>
<cell props="left-attach:1; right-attach:2; top-attach:0; bot-attach:1"><p>b</p></cell>
<cell props="left-attach:0; right-attach:2; top-attach:1; bot-attach:2"><p>wide</p></cell></table></section>
</abiword>"""
MODEL = """<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="2" value="&lt;b&gt;Order&lt;/b&gt;&lt;br&gt;placed" vertex="1" parent="1"/>
<UserObject id="3" label="Paid?" owner="Ann">
<mxCell vertex="1" parent="1"/></UserObject><mxCell id="4" value="then" edge="1" source="2" target="3" parent="1"/>
</root></mxGraphModel>"""


def text_of(document: ParsedDocument) -> list[str]:
    return [block_text(block) for block in blocks(document)]


def packed(model: str) -> str:
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(squeezed.compress(quote(model).encode()) + squeezed.flush()).decode()


def xmind(content: str, name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr(name, content)
    return out.getvalue()


BUY = {"title": "Buy", "labels": ["soon"], "children": {"attached": [{"title": "milk"}]}}
TOPIC = {
    "title": "Plan", "children": {"attached": [BUY]},
    "notes": {"plain": {"content": "a remark"}},
}  # fmt: skip
XMINDS = {
    "new": xmind(json.dumps([{"title": "Sheet 1", "rootTopic": TOPIC}]), "content.json"),
    "old": xmind(
        '<xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0"><sheet><topic><title>Plan</title>'
        "<notes><plain>a remark</plain></notes>"
        "<children><topics type='attached'><topic><title>Buy</title><labels><label>soon</label></labels>"
        "<children><topics>"
        "<topic><title>milk</title></topic></topics></children></topic></topics></children></topic>"
        "<title>Sheet 1</title></sheet></xmap-content>",
        "content.xml",
    ),
}


def test_a_text_that_unpacks_to_too_much_is_left_alone() -> None:
    bomb = gzip.compress(b"<abiword>" + b" " * 17_000_000 + b"</abiword>", mtime=0)
    for limits in (Limits(max_ratio=200), Limits(max_expanded_bytes=2**20), Limits(max_memory_bytes=6 * 2**20)):
        with pytest.raises(LimitError, match=r"bomb\.zabw is too large to read"):
            XML.parse(Source.of_bytes(bomb, "bomb.zabw"), limits)


@pytest.mark.parametrize("name", ["a.abw", "a.zabw"])
def test_a_text_of_abiword(name: str) -> None:
    data = gzip.compress(ABIWORD.encode(), mtime=0) if name == "a.zabw" else ABIWORD.encode()
    assert XML.score(Source.of_bytes(data, name)) == 85
    found = read(XML, data, name)
    assert (found.title, found.metadata["author"]) == ("Report", "Ann")
    assert [(one.text, one.level) for one in of(found, Heading)] == [("One", 1)]
    line, note = of(found, Paragraph)
    assert (line.text, note.text) == ("Plain bold and link[1]", "[1] A note")
    assert spans(line.text, line.spans) == [("bold", "bold", ""), ("link", "link", "https://example.org/")]
    assert [one.text for one in of(found, ListItem)] == ["an item"]
    [table] = of(found, Table)
    assert [row[0] for row in table.rows] == ["a", "wide"]
    assert [(merge.row, merge.cols) for merge in table.merges] == [(1, 2)]


def test_text_that_abiword_hides_is_flagged() -> None:
    data = '<abiword><section><p>Seen <c props="display:none">within</c></p><p props="display:none">apart</p></section>'
    found = read(XML, f"{data}</abiword>", "a.abw")
    seen, unseen = of(found, Paragraph)
    assert spans(seen.text, seen.spans) == [("hidden", "within", "")]
    assert (unseen.text, unseen.hidden) == ("apart", True)


UNIFORM = """<?xml version="1.0"?><uof:UOF xmlns:uof="http://schemas.uof.org/cn/2003/uof" xmlns:表="sheets"
 xmlns:字="words" xmlns:图="shapes" xmlns:演="slides"><uof:元数据><uof:标题>Plan</uof:标题></uof:元数据><uof:对象集>
<图:图形 图:标识符="s1"><图:文本内容>{title}</图:文本内容></图:图形>
<图:图形 图:标识符="s2"><图:文本内容>{said}</图:文本内容></图:图形>
</uof:对象集>{main}</uof:UOF>"""


def uniform(main: str) -> ParsedDocument:
    data = UNIFORM.format(main=main, title=line("Sails"), said=line("by sea"))
    assert XML.score(Source.of_bytes(data.encode(), "a.xml")) == 85
    return read(XML, data, "a.uot")


def line(text: str, looks: str = "") -> str:
    return f"<字:段落><字:段落属性>{looks}</字:段落属性><字:句><字:文本串>{text}</字:文本串></字:句></字:段落>"


def test_a_text_of_the_uniform_office_format() -> None:
    """Its title, headings, items, tables, notes and the edges of its pages."""
    found = uniform(
        "<uof:文字处理><字:主体><字:分节><字:节属性><字:页眉>" + line("Draft") + "</字:页眉></字:节属性></字:分节>"
        + line("One", "<字:大纲级别>2</字:大纲级别><字:孤行控制>7</字:孤行控制>")
        + line("an item", '<字:自动编号信息 字:编号级别="1"/>')
        + line("Plain</字:文本串><字:脚注>" + line("A note") + "</字:脚注><字:文本串> text")
        + "<字:文字表><字:行><字:单元格>" + line("a") + "</字:单元格><字:单元格>" + line("b") + "</字:单元格></字:行>"
        "</字:文字表></字:主体></uof:文字处理>"
    )  # fmt: skip
    assert found.title == "Plan"
    assert [(one.text, one.level) for one in of(found, Heading)] == [("One", 2)]
    assert [one.text for one in of(found, ListItem)] == ["an item"]
    assert [one.text for one in of(found, Paragraph)] == ["Plain text", "A note", "Draft"]
    assert of(found, Table)[0].rows == (("a", "b"),)


def test_sheets_and_slides_of_the_uniform_office_format() -> None:
    cell = "<表:单元格{}><表:数据><字:句><字:文本串>{}</字:文本串></字:句></表:数据></表:单元格>"
    row = "<表:行>" + cell.format("", 5) + cell.format(' 表:列号="3"', 7) + "<表:单元格/></表:行>"
    found = uniform(
        f'<uof:电子表格><表:主体><表:工作表 表:名称="Dues"><表:工作表内容>{row}<表:行/></表:工作表内容></表:工作表>'
        '<表:工作表 表:名称="Old" 表:隐藏="true"/></表:主体></uof:电子表格>'
    )
    assert [(one.text, one.hidden) for one in of(found, Heading)] == [("Dues", False), ("Old", True)]
    assert of(found, Table)[0].rows == (("5", "", "7"),)
    found = uniform(
        '<uof:演示文稿><演:主体><演:幻灯片集><演:幻灯片 演:名称="page1"><uof:锚点 uof:图形引用="s2"/>'
        '<uof:锚点 uof:图形引用="s1" uof:占位符="title"/><演:幻灯片备注><uof:锚点 uof:图形引用="none"/></演:幻灯片备注>'
        "</演:幻灯片></演:幻灯片集></演:主体></uof:演示文稿>"
    )
    assert text_of(found) == ["Sails", "by sea"]


UNIFORM_2 = 'xmlns:uof="u" xmlns:表="sheets" xmlns:字="words" xmlns:图="shapes" xmlns:演="slides" xmlns:式样="styles"'


def packed_uniform(name: str, content: str) -> ParsedDocument:
    """A document of UOF 2.0, whose parts lie in a package."""
    parts = {
        "uof.xml": "<uof:UOF_0000 {}/>", "content.xml": content,
        "_meta/meta.xml": "<uof:元数据_5200 {}><uof:标题_5201>Plan</uof:标题_5201></uof:元数据_5200>",
        "styles.xml": '<式样:式样集_990B {}><式样:段落式样_9905 标识符_4100="h2"><字:大纲级别_417C>2</字:大纲级别_417C>'
        "</式样:段落式样_9905></式样:式样集_990B>",
        "graphics.xml": '<图:图形集_7C00 {}><图:图形_8062 标识符_804B="s1"><图:文本_803C><图:内容_8043>'
        f"{line_2('Sails')}</图:内容_8043></图:文本_803C></图:图形_8062></图:图形集_7C00>",
    }  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for part, markup in parts.items():
            package.writestr(part, markup.replace("{}", UNIFORM_2))
    assert XML.score(Source.of_bytes(out.getvalue(), name)) == 85
    return read(XML, out.getvalue(), name)


def line_2(text: str, style: str = "") -> str:
    looks = f'<字:段落属性_419B 式样引用_419C="{style}"/>'
    return f"<字:段落_416B>{looks}<字:句_419D><字:文本串_415B>{text}</字:文本串_415B></字:句_419D></字:段落_416B>"


def test_packages_of_the_uniform_office_format() -> None:
    cells = "".join(f"<字:单元格_41BE>{line_2(one)}</字:单元格_41BE>" for one in "ab")
    rows = f"<字:文字表_416C><字:行_41CD>{cells}</字:行_41CD></字:文字表_416C>"
    words = line_2("One", "h2") + line_2("by sea") + rows
    found = packed_uniform("plan.uot", f"<字:文字处理文档_4225 {{}}>{words}</字:文字处理文档_4225>")
    assert found.title == "Plan"
    assert [(one.text, one.level) for one in of(found, Heading)] == [("One", 2)]
    assert [one.text for one in of(found, Paragraph)] == ["by sea"]
    assert of(found, Table)[0].rows == (("a", "b"),)
    cell = (
        "<表:单元格_E7F2 列号_E7BC='{}'><表:数据_E7B3><字:句_419D><字:文本串_415B>{}</字:文本串_415B></字:句_419D>"
        "</表:数据_E7B3></表:单元格_E7F2>"
    )
    row = f"<表:行_E7F1>{cell.format(1, 5)}{cell.format(3, 7)}</表:行_E7F1>"
    sheets = (
        f'<表:工作表_E825 名称_E822="Dues"><表:工作表内容_E80E>{row}</表:工作表内容_E80E></表:工作表_E825>'
        '<表:工作表_E825 名称_E822="Old" 是否隐藏_E73C="true"/>'
    )
    found = packed_uniform("dues.uos", f"<表:电子表格文档_E826 {{}}>{sheets}</表:电子表格文档_E826>")
    assert [(one.text, one.hidden) for one in of(found, Heading)] == [("Dues", False), ("Old", True)]
    assert of(found, Table)[0].rows == (("5", "", "7"),)
    anchor = '<uof:锚点_C644 图形引用_C62E="s1"><uof:占位符_C626 类型_C627="title"/></uof:锚点_C644>'
    slides = f'<演:幻灯片集_6C0E><演:幻灯片_6C0F 名称_6C0B="1">{anchor}</演:幻灯片_6C0F></演:幻灯片集_6C0E>'
    found = packed_uniform("deck.uop", f"<演:演示文稿文档_6C10 {{}}>{slides}</演:演示文稿文档_6C10>")
    assert [one.text for one in of(found, Heading)] == ["Sails"]


def test_cells_far_from_one_another_in_the_uniform_office_format() -> None:
    """Each stands in its column, and one in the last of a sheet costs no cell for each that is empty before it: 15 KB
    took 39 seconds and 442 MB."""
    cell = "<表:单元格 表:列号='{}'><表:数据><字:句><字:文本串>{}</字:文本串></字:句></表:数据></表:单元格>"

    def sheet(*rows: str) -> ParsedDocument:
        shown = "".join(f"<表:行>{row}</表:行>" for row in rows)
        named = f'<表:工作表 表:名称="Dues"><表:工作表内容>{shown}</表:工作表内容></表:工作表>'
        return uniform(f"<uof:电子表格><表:主体>{named}</表:主体></uof:电子表格>")

    placed = {1: "a", 20: "t", 90: "far", 91: "b"}
    first = of(sheet("".join(cell.format(at, text) for at, text in placed.items())), Table)[0].rows[0]
    assert {at: text for at, text in enumerate(first, 1) if text} == placed
    tracemalloc.start()
    try:
        sheet(*[cell.format(16_384, "z")] * 40)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


def test_an_export_of_evernote() -> None:
    source = Source.of_bytes(EVERNOTE.encode(), "notes.enex")
    assert XML.score(source) == 85
    found = read(XML, EVERNOTE, "notes.enex")
    assert [part.title for part in found.parts] == ["Trip", "Other"]
    said = text_of(found)
    assert said[:4] == ["Trip", "2024-03-01, Ann, #travel", "Pack the tent", "☑ stove"]
    assert [(one.kind, one.alt) for one in found.embedded] == [("image", ""), ("attachment", "list.txt")]
    check_embedded(XML, source, found)
    assert XML.open_embedded(source, found.embedded[1].ref, Limits()).data == b"A note."


def test_a_map_of_freemind() -> None:
    assert XML.score(Source.of_bytes(FREEMIND.encode(), "plan.mm")) == 85
    assert XML.score(Source.of_bytes(b"<map><area/></map>", "plan.mm")) == 0
    found = read(XML, FREEMIND, "plan.mm")
    assert text_of(found) == ["Plan", "Buy", "milk", "rich words", "a remark"]
    assert [one.level for one in of(found, ListItem)] == [0, 1, 0, 0]


@pytest.mark.parametrize("kind", XMINDS)
def test_a_map_of_xmind(kind: str) -> None:
    assert XML.score(Source.of_bytes(XMINDS[kind], "plan.xmind")) == 85
    found = read(XML, XMINDS[kind], "plan.xmind")
    assert text_of(found) == ["Sheet 1", "Plan", "a remark", "Buy", "soon", "milk"]
    with pytest.raises(DamagedError, match="no content"):
        read(XML, xmind("x", "other"), "plan.xmind")


MINDMANAGER = """<?xml version="1.0"?><ap:Map xmlns:ap="http://schemas.mindjet.com/MindManager/Application/2003">
<ap:OneTopic><ap:Topic><ap:SubTopics><ap:Topic><ap:Text PlainText="Budget"/><ap:NotesGroup><ap:NotesXhtmlData
PreviewPlainText="First…"><html xmlns="http://www.w3.org/1999/xhtml"><p>First line</p><p>and <b>second</b></p></html>
</ap:NotesXhtmlData></ap:NotesGroup><ap:Hyperlink Url="https://example.org/"/><ap:TextLabels>
<ap:TextLabel TextLabelName="urgent"/></ap:TextLabels><ap:Task StartDate="2024-03-01T00:00:00" TaskPercentage="50"
Resources="Ann"/></ap:Topic><ap:Topic><ap:Text PlainText="Team"/><ap:NotesGroup>
<ap:NotesXhtmlData PreviewPlainText="Old note"/></ap:NotesGroup></ap:Topic></ap:SubTopics>
<ap:Text PlainText="Plan"/></ap:Topic></ap:OneTopic>
<ap:FloatingTopics><ap:Topic><ap:Text PlainText="Aside"/></ap:Topic></ap:FloatingTopics></ap:Map>"""


def test_a_map_of_mindmanager() -> None:
    data = xmind(MINDMANAGER, "Document.xml")
    assert XML.score(Source.of_bytes(data, "plan.mmap")) == 85
    found = read(XML, data, "plan.mmap")
    assert text_of(found) == [
        "Plan", "Budget", "First line", "and second", "urgent", "Start: 2024-03-01; Done: 50 %; Who: Ann", "Team",
        "Old note", "Aside",
    ]  # fmt: skip
    assert [span.value for span in of(found, ListItem)[1].spans if span.kind == "link"] == ["https://example.org/"]
    with pytest.raises(DamagedError, match=r"no Document\.xml"):
        read(XML, xmind("x", "other"), "plan.mmap")


@pytest.mark.parametrize("inside", [MODEL, packed(MODEL)])
def test_a_diagram_of_drawio(inside: str) -> None:
    data = f'<mxfile host="app"><diagram name="Flow">{inside}</diagram></mxfile>'
    found = read(XML, data, "flow.drawio")
    assert text_of(found) == ["Flow", "Order placed", "Paid?; owner: Ann", "Order placed → Paid?: then"]


@pytest.mark.parametrize("packed_up", [False, True])
def test_a_diagram_of_dia(packed_up: bool) -> None:
    def shape(number: int, text: str, more: str = "") -> str:
        held = (
            f'<dia:composite type="text"><dia:attribute name="string"><dia:string>#{text}#</dia:string></dia:attribute>'
        )
        text = f'<dia:attribute name="text">{held}</dia:composite></dia:attribute>'
        return f'<dia:object type="Flowchart - Box" id="O{number}">{text}{more}</dia:object>'

    ends = '<dia:connections><dia:connection handle="0" to="O0"/><dia:connection handle="1" to="O1"/></dia:connections>'
    picture = '<dia:attribute name="file"><dia:string>#/home/a.png#</dia:string></dia:attribute>'
    data = (
        '<?xml version="1.0"?><dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:layer name="Flow">'
        f"{shape(2, 'then', ends)}{shape(0, 'Order placed', picture)}{shape(1, 'Paid')}</dia:layer></dia:diagram>"
    ).encode()
    found = read(XML, gzip.compress(data) if packed_up else data, "flow.dia")
    assert text_of(found) == ["Flow", "Order placed", "Paid", "Order placed → Paid: then"]


@pytest.mark.parametrize("name", ["a.abw", "a.uot", "notes.enex", "plan.mm", "plan.xmind", "flow.drawio"])
def test_spoiled_ones_are_read_or_refused(name: str) -> None:
    whole = {
        "a.abw": ABIWORD.encode(),
        "a.uot": UNIFORM.format(main="<字:文字处理/>", title=line("x"), said="").encode(),
        "notes.enex": EVERNOTE.encode(),
        "plan.mm": FREEMIND.encode(),
        "plan.xmind": XMINDS["new"],
    }
    data = whole.get(name, f"<mxfile><diagram>{packed(MODEL)}</diagram></mxfile>".encode())
    for at in range(0, len(data), max(len(data) // 15, 1)):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            outcome(XML, Source.of_bytes(spoiled, name), Limits())


def test_places_of_google_earth() -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Trip</name>
<description>Our <![CDATA[<b>plan</b>]]></description>
<Folder><name>Huts</name>
<Placemark><name>Weka Hut</name><description><![CDATA[<p>Six <i>bunks</i></p>]]></description>
<ExtendedData><Data name="beds"><value>6</value></Data>
<SchemaData><SimpleData name="owner">DOC</SimpleData></SchemaData></ExtendedData>
<TimeStamp><when>2024-01-02</when></TimeStamp><Point><coordinates>170.5,-43.2,0</coordinates></Point></Placemark>
<Placemark><name>Track</name><LineString><coordinates>170.5,-43.2 170.6,-43.3</coordinates></LineString></Placemark>
</Folder></Document></kml>"""
    document = read(XML, text, "trip.kml")
    assert [(block.text, block.level) for block in of(document, Heading)] == [("Trip", 1), ("Huts", 2)]
    assert [block.text for block in of(document, Paragraph)] == ["Our plan"]
    assert [block.text for block in of(document, ListItem)] == [
        "Weka Hut (-43.2, 170.5); Six bunks; beds: 6; owner: DOC; 2024-01-02", "Track",
    ]  # fmt: skip


def test_waypoints_and_tracks_of_gpx() -> None:
    text = """<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><name>Walks</name><author><name>Ann</name></author><time>2024-01-02T03:04:05Z</time></metadata>
<wpt lat="-43.2" lon="170.5"><ele>880</ele><name>Hut</name><desc>Six bunks</desc><cmt>Six bunks</cmt></wpt>
<trk><name>To the hut</name><desc>Steep</desc><trkseg><trkpt lat="1" lon="2"><time>2024-01-02T08:00:00Z</time></trkpt>
<trkpt lat="3" lon="4"><time>2024-01-02T09:00:00Z</time></trkpt></trkseg></trk></gpx>"""
    document = read(XML, text, "walks.gpx")
    assert document.title == "Walks"
    assert document.metadata == {"author": "Ann", "created": "2024-01-02T03:04:05Z"}
    assert [block.text for block in of(document, ListItem)] == ["Hut (-43.2, 170.5); Six bunks; 880 m"]
    assert [block.text for block in of(document, Heading)] == ["To the hut"]
    assert [block.text for block in of(document, Paragraph)] == [
        "Steep; 2 points; 2024-01-02T08:00:00Z – 2024-01-02T09:00:00Z"
    ]


def test_many_places_in_many_folders_are_read_in_time() -> None:
    deep = "<Folder>" * 2_000 + "<Placemark><name>Deep</name></Placemark>" * 20_000 + "</Folder>" * 2_000
    document = read(XML, f"<kml xmlns='http://www.opengis.net/kml/2.2'>{deep}</kml>", "a.kml")
    assert len(of(document, ListItem)) == 20_000
