"""Builds the trial workbook: raw SpreadsheetML with a token in every place a person can read."""

# ruff: noqa: E501  (markup reads best with one element a line)

from __future__ import annotations

import struct
import zlib

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
THREADED = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
NS = f'xmlns="{MAIN}" xmlns:r="{R}" xmlns:mc="{MC}"'

PLACES = {
    "zqtitleqz": "document title",
    "zqauthorqz": "document author",
    "zqkeywordqz": "document keyword",
    "zqcustomqz": "custom property",
    "zqsheetqz": "sheet name",
    "zqsharedqz": "shared string",
    "zqinlineqz": "inline string",
    "tok & link": "linked cell",
    "zqformulaqz": "text in a formula",
    "zqresultqz": "result of a formula",
    "zqrichqz": "rich text",
    "zqmergedqz": "merged cell",
    "zqprompttitleqz": "title of an input prompt",
    "zqpromptqz": "input prompt",
    "zqerrortitleqz": "title of an error alert",
    "zqerrorqz": "error alert",
    "zqchoiceqz": "data-validation list",
    "zqurlqz": "hyperlink target",
    "zqtooltipqz": "hyperlink tooltip",
    "zqdisplayqz": "hyperlink on an empty cell",
    "zqheaderqz": "page header",
    "zqfooterqz": "page footer",
    "zqevenheaderqz": "even-page header",
    "zqfirstfooterqz": "first-page footer",
    "zqaltqz": "picture alt text",
    "zqcharttitleqz": "chart title",
    "zqaxisqz": "chart axis title",
    "zqseriesqz": "chart series",
    "zqcategoryqz": "chart category",
    "zqtextboxqz": "text box",
    "zqboxaltqz": "alternative text of a text box",
    "zqgroupedqz": "shape in a group",
    "zqcommentqz": "comment",
    "zqcommentauthorqz": "author of a comment",
    "zqthreadqz": "threaded comment",
    "zqreplyqz": "reply to a comment",
    "zqpersonqz": "author of a threaded comment",
    "zqbuttonqz": "form control",
    "zqmovieqz": "media file",
    "zqcolumnqz": "table heading",
    "zqislandqz": "cell apart from the rest",
    "zqtableqz": "Excel table name",
    "zqpivotqz": "pivot table name",
    "zqdatafieldqz": "pivot data field",
    "zqfieldqz": "pivot cache field",
    "zqitemqz": "pivot cache item",
    "zqnameqz": "defined name",
    "zqnamecommentqz": "comment of a defined name",
    "zqconstantqz": "defined constant",
    "zqhiddenqz": "cell of a hidden sheet",
    "zqveryhiddenqz": "cell of a very hidden sheet",
    "zqsheetchartqz": "chart sheet title",
    "zqbookqz": "linked workbook",
    "1,234.50 €": "number as Excel shows it",
    "3/12/2020": "date as Excel shows it",
    "25.60%": "percentage",
    "TRUE": "boolean",
    "#DIV/0!": "error value",
    "2020-03-12": "raw value of a date",
    "1234.5": "raw value of a number",
}
"""Token → the place it is planted in."""


def relationships(*entries: tuple[str, str, str]) -> str:
    """`(id, type, target)`; a target with a scheme is external."""
    lines = "".join(
        f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if ':' in target else ''}/>"
        for key, kind, target in entries
    )
    return f'<Relationships xmlns="{PACKAGE}">{lines}</Relationships>'


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    rows = b"".join(b"\0" + b"\0\0\0" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def anchor(row: int, content: str) -> str:
    return (
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>7</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row}</xdr:row>"
        f"<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff>"
        f"<xdr:row>{row + 4}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>{content}<xdr:clientData/></xdr:twoCellAnchor>"
    )


def shape(text: str, about: str = "") -> str:
    return (
        f'<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="9" name="box" descr="{about}"/></xdr:nvSpPr>'
        f"<xdr:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    )


SHEET1 = f"""<worksheet {NS}><dimension ref="A1:XFD1048576"/>
<cols><col min="4" max="4" hidden="1"/></cols>
<sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>zqinlineqz</t></is></c><c r="C1"><v>2</v></c></row>
<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>1234.5</v></c><c r="C2" s="2"><v>43902</v></c><c r="D2" s="3"><v>0.256</v></c></row>
<row r="3" hidden="1"><c r="A3" t="str"><f>CONCATENATE("zqformulaqz","x")</f><v>zqresultqz</v></c><c r="B3" t="b"><v>1</v></c><c r="C3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>
<row r="4"><c r="A4"><f t="shared" ref="A4:A6" si="0">B4*$C$1</f><v>4</v></c><c r="B4"><v>2</v></c></row>
<row r="5"><c r="A5"><f t="shared" si="0"/><v>6</v></c><c r="B5"><v>3</v></c><c r="C5"><f t="array" ref="C5">SUM(B4:B5)</f><v>5</v></c></row>
<row r="6"><c r="A6" t="inlineStr"><is><r><rPr><b/></rPr><t>zqrichqz</t></r><r><t xml:space="preserve"> run</t></r></is></c></row>
<row r="7"><c r="A7" t="s"><v>2</v></c></row>
<row r="1048576"><c r="XFD1048576" s="1"/></row>
</sheetData>
<mergeCells count="1"><mergeCell ref="A7:C8"/></mergeCells>
<dataValidations count="2"><dataValidation type="list" promptTitle="zqprompttitleqz" prompt="zqpromptqz" errorTitle="zqerrortitleqz" error="zqerrorqz" sqref="B4:B9"><formula1>"zqchoiceqz,other"</formula1></dataValidation>
<dataValidation type="whole" operator="between" sqref="C9"><formula1>11</formula1><formula2>99</formula2></dataValidation></dataValidations>
<hyperlinks><hyperlink ref="A2" r:id="rId1" tooltip="zqtooltipqz"/><hyperlink ref="F30" location="Hidden!A1" display="zqdisplayqz"/></hyperlinks>
<headerFooter differentOddEven="1" differentFirst="1"><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12zqheaderqz&amp;CPage &amp;P of &amp;N</oddHeader><oddFooter>&amp;Rzqfooterqz</oddFooter><evenHeader>zqevenheaderqz</evenHeader><firstFooter>zqfirstfooterqz</firstFooter></headerFooter>
<drawing r:id="rId2"/><legacyDrawing r:id="rId9"/>
<oleObjects><mc:AlternateContent><mc:Choice Requires="x14"><oleObject progId="Package" shapeId="1025" r:id="rId6"/></mc:Choice><mc:Fallback><oleObject progId="Package" shapeId="1025" r:id="rId6"/></mc:Fallback></mc:AlternateContent></oleObjects>
</worksheet>"""

DRAWING = f"""<xdr:wsDr xmlns:xdr="{XDR}" xmlns:a="{A}" xmlns:r="{R}">
{anchor(1, '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture 1" descr="zqaltqz"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic>')}
{anchor(3, f'<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="Chart 1"/></xdr:nvGraphicFramePr><a:graphic><a:graphicData uri="{C}"><c:chart xmlns:c="{C}" r:id="rId2"/></a:graphicData></a:graphic></xdr:graphicFrame>')}
{anchor(9, shape("zqtextboxqz", "zqboxaltqz"))}
{anchor(12, "<xdr:grpSp>" + shape("zqgroupedqz") + "</xdr:grpSp>")}
</xdr:wsDr>"""

OFFICE = "application/vnd.openxmlformats-officedocument"
CONTENT_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/>'
    + "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{OFFICE}.{kind}+xml"/>'
        for name, kind in (
            *((f"worksheets/sheet{n}", "spreadsheetml.worksheet") for n in range(1, 5)),
            ("chartsheets/sheet1", "spreadsheetml.chartsheet"),
            ("sharedStrings", "spreadsheetml.sharedStrings"),
            ("styles", "spreadsheetml.styles"),
            ("comments1", "spreadsheetml.comments"),
            ("tables/table1", "spreadsheetml.table"),
            ("pivotTables/pivotTable1", "spreadsheetml.pivotTable"),
            ("pivotCache/pivotCacheDefinition1", "spreadsheetml.pivotCacheDefinition"),
            ("externalLinks/externalLink1", "spreadsheetml.externalLink"),
            *((f"drawings/drawing{n}", "drawing") for n in (1, 2)),
            *((f"charts/chart{n}", "drawingml.chart") for n in (1, 2)),
        )
    )
    + "</Types>"
)

CHART = f"""<c:chartSpace xmlns:c="{C}" xmlns:a="{A}"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>zqcharttitleqz</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:tx><c:strRef><c:f>Data!$B$1</c:f></c:strRef></c:tx>
<c:cat><c:strRef><c:f>Data!$A$2:$A$3</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>Data!$B$2:$B$3</c:f></c:numRef></c:val></c:ser>
<c:axId val="1"/><c:axId val="2"/></c:barChart>
<c:catAx><c:axId val="1"/><c:title><c:tx><c:rich><a:p><a:r><a:t>zqaxisqz</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx><c:valAx><c:axId val="2"/></c:valAx></c:plotArea></c:chart></c:chartSpace>"""


def trial_parts() -> dict[str, str | bytes]:
    return {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": relationships(
            ("rId1", "officeDocument", "xl/workbook.xml"),
            ("rId2", "core-properties", "docProps/core.xml"),
            ("rId3", "custom-properties", "docProps/custom.xml"),
        ).replace(f"{R}/core", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core"),
        "docProps/core.xml": '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>zqtitleqz</dc:title><dc:creator>zqauthorqz</dc:creator>'
        "<cp:keywords>zqkeywordqz</cp:keywords></cp:coreProperties>",
        "docProps/custom.xml": "<Properties><property name='Client'><v>zqcustomqz</v></property></Properties>",
        "xl/workbook.xml": f'<workbook {NS}><sheets><sheet name="Main zqsheetqz" sheetId="1" r:id="rId1"/>'
        '<sheet name="Data" sheetId="2" r:id="rId2"/><sheet name="Hidden" sheetId="3" state="hidden" r:id="rId3"/>'
        '<sheet name="Deep" sheetId="4" state="veryHidden" r:id="rId4"/><sheet name="Chart" sheetId="5" r:id="rId5"/>'
        '</sheets><externalReferences><externalReference r:id="rId9"/></externalReferences><definedNames>'
        '<definedName name="zqnameqz" comment="zqnamecommentqz">Data!$A$1:$B$3</definedName>'
        "<definedName name=\"zqconstantqz\">42</definedName></definedNames><pivotCaches><pivotCache cacheId=\"1\" r:id=\"rId10\"/></pivotCaches></workbook>",
        "xl/_rels/workbook.xml.rels": relationships(
            *((f"rId{i}", "worksheet", f"worksheets/sheet{i}.xml") for i in range(1, 5)),
            ("rId5", "chartsheet", "chartsheets/sheet1.xml"),
            ("rId6", "sharedStrings", "sharedStrings.xml"),
            ("rId7", "styles", "styles.xml"),
            ("rId8", "person", "persons/person.xml"),
            ("rId9", "externalLink", "externalLinks/externalLink1.xml"),
            ("rId10", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
        ),
        "xl/externalLinks/externalLink1.xml": f"<externalLink {NS}/>",
        "xl/externalLinks/_rels/externalLink1.xml.rels": relationships(("rId1", "externalLinkPath", "file:///zqbookqz.xlsx")),
        "xl/vbaProject.bin": b"\0",
        "xl/styles.xml": f'<styleSheet {NS}><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/>'
        '</numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="10"/>'
        "</cellXfs></styleSheet>",
        "xl/sharedStrings.xml": f"<sst {NS}><si><t>zqsharedqz</t></si><si><t>tok &amp; link</t><rPh sb='0' eb='1'><t>reading</t></rPh></si>"
        "<si><t>zqmergedqz</t></si><si><t>zqseriesqz</t></si><si><t>zqcategoryqz</t></si><si><t>zqhiddenqz</t></si></sst>",
        "xl/worksheets/sheet1.xml": SHEET1,
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(
            ("rId1", "hyperlink", "https://example.org/zqurlqz"),
            ("rId2", "drawing", "../drawings/drawing1.xml"),
            ("rId3", "comments", "../comments1.xml"),
            ("rId4", "threadedComment", "../threadedComments/threadedComment1.xml"),
            ("rId6", "oleObject", "../embeddings/oleObject1.bin"),
            ("rId9", "vmlDrawing", "../drawings/vmlDrawing1.vml"),
        ),
        "xl/comments1.xml": f"<comments {NS}><authors><author>zqcommentauthorqz</author><author>tc={{1}}</author></authors>"
        '<commentList><comment ref="B2" authorId="0"><text><r><t>zqcommentqz</t></r></text></comment>'
        '<comment ref="C2" authorId="1"><text><t>[Threaded comment] zqtwinqz</t></text></comment></commentList></comments>',
        "xl/threadedComments/threadedComment1.xml": f'<ThreadedComments xmlns="{THREADED}">'
        '<threadedComment ref="C2" dT="2024-05-06T07:08:09.00" personId="{P}" id="{1}" done="1"><text>zqthreadqz</text></threadedComment>'
        '<threadedComment ref="C2" dT="2024-05-07T07:08:09.00" personId="{P}" id="{2}" parentId="{1}"><text>zqreplyqz</text>'
        "</threadedComment></ThreadedComments>",
        "xl/persons/person.xml": f'<personList xmlns="{THREADED}"><person displayName="zqpersonqz" id="{{P}}"/></personList>',
        "xl/drawings/drawing1.xml": DRAWING,
        "xl/drawings/_rels/drawing1.xml.rels": relationships(
            ("rId1", "image", "../media/image1.png"), ("rId2", "chart", "../charts/chart1.xml")
        ),
        "xl/drawings/vmlDrawing1.vml": '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        '<v:shape id="b"><v:textbox><div>zqbuttonqz</div></v:textbox><x:ClientData ObjectType="Button"/></v:shape>'
        '<v:shape id="n"><v:textbox><div>zqnoteboxqz</div></v:textbox><x:ClientData ObjectType="Note"/></v:shape></xml>',
        "xl/media/image1.png": png(3, 2),
        "xl/media/image2.png": png(5, 4),
        "xl/media/zqmovieqz.mp4": b"\0\0\0\x18ftypmp42",
        "xl/embeddings/oleObject1.bin": b"%PDF-1.4 zqattachedqz",
        "xl/charts/chart1.xml": CHART,
        "xl/worksheets/sheet2.xml": f'<worksheet {NS}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>zqcolumnqz</t></is></c>'
        '<c r="B1" t="s"><v>3</v></c></row><row r="2"><c r="A2" t="s"><v>4</v></c><c r="B2"><v>7</v></c></row>'
        '<row r="3"><c r="A3" t="inlineStr"><is><t>two</t></is></c><c r="B3"><v>8</v></c></row>'
        '<row r="40"><c r="A40" t="inlineStr"><is><t>zqislandqz</t></is></c></row></sheetData>'
        '<tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>',
        "xl/worksheets/_rels/sheet2.xml.rels": relationships(
            ("rId1", "table", "../tables/table1.xml"), ("rId2", "pivotTable", "../pivotTables/pivotTable1.xml")
        ),
        "xl/tables/table1.xml": f'<table {NS} id="1" name="t" displayName="zqtableqz" ref="A1:B3"/>',
        "xl/pivotTables/pivotTable1.xml": f'<pivotTableDefinition {NS} name="zqpivotqz" cacheId="1" dataCaption="Values"><location ref="D1:E4" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
        '<rowFields count="1"><field x="0"/></rowFields><dataFields><dataField name="zqdatafieldqz" fld="1"/></dataFields>'
        "</pivotTableDefinition>",
        "xl/pivotTables/_rels/pivotTable1.xml.rels": relationships(
            ("rId1", "pivotCacheDefinition", "../pivotCache/pivotCacheDefinition1.xml")
        ),
        "xl/pivotCache/pivotCacheDefinition1.xml": f'<pivotCacheDefinition {NS} recordCount="2"><cacheSource type="worksheet">'
        '<worksheetSource ref="A1:B3" sheet="Data"/></cacheSource><cacheFields><cacheField name="zqfieldqz"><sharedItems>'
        '<s v="zqitemqz"/></sharedItems></cacheField><cacheField name="n"/></cacheFields></pivotCacheDefinition>',
        "xl/worksheets/sheet3.xml": f'<worksheet {NS}><sheetData><row><c t="s"><v>5</v></c><c><v>1</v></c></row></sheetData></worksheet>',
        "xl/worksheets/sheet4.xml": f'<worksheet {NS}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>zqveryhiddenqz</t></is>'
        "</c></row></sheetData></worksheet>",
        "xl/chartsheets/sheet1.xml": f'<chartsheet {NS}><drawing r:id="rId1"/></chartsheet>',
        "xl/chartsheets/_rels/sheet1.xml.rels": relationships(("rId1", "drawing", "../drawings/drawing2.xml")),
        "xl/drawings/drawing2.xml": f'<xdr:wsDr xmlns:xdr="{XDR}" xmlns:a="{A}" xmlns:r="{R}"><xdr:absoluteAnchor>'
        f'<xdr:graphicFrame><a:graphic><a:graphicData uri="{C}"><c:chart xmlns:c="{C}" r:id="rId1"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame></xdr:absoluteAnchor></xdr:wsDr>",
        "xl/drawings/_rels/drawing2.xml.rels": relationships(("rId1", "chart", "../charts/chart2.xml")),
        "xl/charts/chart2.xml": CHART.replace("zqcharttitleqz", "zqsheetchartqz"),
    }  # fmt: skip
