"""Builds the trial presentation: a unique token in every place a person can see, hear or attach something.

Written part by part, so that it holds what no library writes (threaded comments, SmartArt, sections, chartex, OLE).
"""

# ruff: noqa: E501  (markup reads best unbroken)
from __future__ import annotations

import struct
import zlib
from pathlib import Path

from support.office.docx_files import packed

NS = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
    'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"'
)
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
C_NS = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
P188 = 'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"'
AC = 'xmlns:ac="http://schemas.microsoft.com/office/drawing/2013/main/command"'

PLACES = {
    "title": "slide title",
    "subtitle": "subtitle placeholder",
    "bullet": "bullet inherited from the master",
    "nested": "second-level bullet",
    "textbox": "text box",
    "run": "second run of a paragraph",
    "fieldtext": "text field",
    "grouped": "shape in a group",
    "deepgroup": "shape in a group in a group",
    "cell": "table cell",
    "mergedcell": "merged table cell",
    "smartart": "SmartArt point",
    "smartchild": "SmartArt child",
    "charttitle": "chart title",
    "chartseries": "chart series name",
    "chartcategory": "chart category",
    "chartxaxis": "category axis title",
    "chartyaxis": "value axis title",
    "chartlabel": "custom data label",
    "cxtitle": "chartex title",
    "cxcategory": "chartex category",
    "alttext": "picture alt text",
    "shapealt": "alt text of a text shape",
    "mediaalt": "alt text of a film",
    "speaker": "speaker notes",
    "comment": "classic comment",
    "commentauthor": "classic comment author",
    "reply": "classic reply",
    "thread": "threaded comment",
    "threadauthor": "threaded comment author",
    "threadreply": "threaded reply",
    "link": "hyperlink target",
    "shapelink": "hyperlink of a whole shape",
    "footer": "footer",
    "datetext": "date placeholder",
    "equation": "equation",
    "inlinemath": "inline equation",
    "hiddenslide": "hidden slide",
    "hiddenshape": "hidden shape",
    "offslide": "shape off the slide",
    "section": "section name",
    "mastertext": "text of the master",
    "layouttext": "text of the layout",
    "linkedpicture": "linked picture",
    "attachment": "name of an attached file",
    "fontname": "embedded font",
    "doctitle": "document title",
    "docauthor": "document author",
    "dockeywords": "document keywords",
    "doccompany": "company",
    "doccustom": "custom property",
    "drawnchart": "text drawn over a chart",
}


def token(place: str) -> str:
    """The word planted in that place; no token is part of another."""
    return f"zq{place}qz"


def png(width: int, height: int) -> bytes:
    """A grey PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def relationships(*rows: tuple[str, str, str]) -> str:
    """A `.rels` part; a target that begins with `http` is external."""
    body = "".join(
        f'<Relationship Id="{key}" Type="{kind if "://" in kind else f"{REL}/{kind}"}" Target="{target}"'
        + (' TargetMode="External"' if target.startswith("http") else "")
        + "/>"
        for key, kind, target in rows
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{body}</Relationships>'


def shape(
    number: int, text: str, *, box: tuple[int, int, int, int] | None = None, place: str = "", more: str = ""
) -> str:
    """A `p:sp`; `text` is its paragraphs as XML, `more` goes into its `p:cNvPr` tag."""
    xfrm = ""
    if box is not None:
        left, top, wide, high = (edge * 12700 for edge in box)
        xfrm = f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{wide}" cy="{high}"/></a:xfrm>'
    attributes, _, inner = more.partition("|")
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Shape {number}" {attributes}>{inner}</p:cNvPr><p:cNvSpPr/>'
        f"<p:nvPr>{place}</p:nvPr></p:nvSpPr><p:spPr>{xfrm}<a:prstGeom prst='rect'><a:avLst/></a:prstGeom></p:spPr>"
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{text}</p:txBody></p:sp>"
    )


def para(text: str, properties: str = "", run: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:rPr lang='en-US'>{run}</a:rPr><a:t>{text}</a:t></a:r></a:p>"


def slide(shapes: str, attributes: str = "") -> str:
    return (
        f"<p:sld {NS} {attributes}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/>"
        f"</p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld></p:sld>"
    )


def frame(number: int, data: str, box: tuple[int, int, int, int]) -> str:
    left, top, wide, high = (edge * 12700 for edge in box)
    return (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{number}" name="Frame {number}"/><p:cNvGraphicFramePr/>'
        f'<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{wide}" cy="{high}"/></p:xfrm>'
        f"<a:graphic>{data}</a:graphic></p:graphicFrame>"
    )


def parts() -> dict[str, str | bytes]:
    """Every part of the trial package by name."""
    t = token
    link = '<a:hlinkClick r:id="rLink"/>'
    jump = '<a:hlinkClick r:id="rJump" action="ppaction://hlinksldjump"/>'
    inner = shape(22, para(t("deepgroup")), box=(10, 10, 50, 20))
    group = (
        "<p:grpSp><p:nvGrpSpPr><p:cNvPr id='20' name='g'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>"
        "<a:off x='1270000' y='1270000'/><a:ext cx='2540000' cy='2540000'/><a:chOff x='0' y='0'/>"
        "<a:chExt cx='1270000' cy='1270000'/></a:xfrm></p:grpSpPr>"
        + shape(21, para(t("grouped")), box=(0, 0, 50, 10))
        + f"<p:grpSp><p:nvGrpSpPr><p:cNvPr id='23' name='h'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{inner}"
        "</p:grpSp></p:grpSp>"
    )
    first = (
        shape(2, para(t("title")), place='<p:ph type="title"/>')
        + shape(3, para(t("subtitle")), place='<p:ph type="subTitle" idx="2"/>', box=(50, 60, 400, 30))
        + shape(4, para(t("bullet")) + para(t("nested"), '<a:pPr lvl="1"/>'), place='<p:ph idx="1"/>')
        + shape(
            5,
            f"<a:p><a:r><a:t>{t('textbox')} </a:t></a:r><a:r><a:rPr b='1'>{link}</a:rPr><a:t>{t('run')}</a:t></a:r><a:r><a:t> </a:t></a:r>"
            f"<a:fld type='datetime1' id='x'><a:t>{t('fieldtext')}</a:t></a:fld></a:p>"
            + para("see slide two", run=jump),
            box=(50, 300, 300, 40),
            more=f'descr="{t("shapealt")}"',
        )
        + group
        + shape(6, para(t("footer")), place='<p:ph type="ftr" idx="11"/>', box=(100, 500, 100, 20))
        + shape(7, para(t("datetext")), place='<p:ph type="dt" idx="10"/>', box=(10, 500, 80, 20))
        + shape(8, para("‹#›"), place='<p:ph type="sldNum" idx="12"/>', box=(600, 500, 80, 20))
        + shape(9, "<a:p/>", place='<p:ph type="body" idx="5"/>')
        + shape(10, para(t("hiddenshape")), box=(50, 400, 100, 20), more='hidden="1"')
        + shape(11, para(t("offslide")), box=(-500, 0, 100, 20))
        + shape(12, para("click here"), box=(400, 300, 100, 20), more='|<a:hlinkClick r:id="rShape"/>')
    )
    table = (
        "<a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/table'><a:tbl><a:tblPr firstRow='1'/>"
        "<a:tblGrid><a:gridCol w='1'/><a:gridCol w='1'/></a:tblGrid>"
        f"<a:tr h='1'><a:tc gridSpan='2'><a:txBody><a:bodyPr/>{para(t('mergedcell'))}</a:txBody></a:tc>"
        "<a:tc hMerge='1'><a:txBody><a:bodyPr/><a:p/></a:txBody></a:tc></a:tr>"
        f"<a:tr h='1'><a:tc rowSpan='2'><a:txBody><a:bodyPr/>{para(t('cell'))}</a:txBody></a:tc>"
        f"<a:tc><a:txBody><a:bodyPr/>{para('b')}</a:txBody></a:tc></a:tr>"
        "<a:tr h='1'><a:tc vMerge='1'><a:txBody><a:bodyPr/><a:p/></a:txBody></a:tc>"
        f"<a:tc><a:txBody><a:bodyPr/>{para('d')}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData>"
    )
    chart = (
        "<a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/chart'>"
        "<c:chart xmlns:c='http://schemas.openxmlformats.org/drawingml/2006/chart' r:id='rChart'/></a:graphicData>"
    )
    cx = (
        "<mc:AlternateContent><mc:Choice Requires='cx'>"
        + frame(
            33,
            "<a:graphicData uri='http://schemas.microsoft.com/office/drawing/2014/chartex'><cx:chart r:id='rCx'/></a:graphicData>",
            (500, 100, 200, 100),
        )
        + "</mc:Choice><mc:Fallback>"
        + shape(33, para("this chart is not available"), box=(500, 100, 200, 100))
        + "</mc:Fallback></mc:AlternateContent>"
    )
    art = (
        "<a:graphicData uri='http://schemas.openxmlformats.org/drawingml/2006/diagram'><dgm:relIds "
        "xmlns:dgm='http://schemas.openxmlformats.org/drawingml/2006/diagram' r:dm='rData'/></a:graphicData>"
    )
    ole = (
        "<a:graphicData uri='http://schemas.openxmlformats.org/presentationml/2006/ole'>"
        "<p:oleObj r:id='rOle' progId='Package' name='Packager'><p:embed/></p:oleObj></a:graphicData>"
    )
    math = (
        "<mc:AlternateContent><mc:Choice Requires='a14'>"
        + shape(
            40,
            f"<a:p><a14:m><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>{t('equation')}</m:t></m:r></m:num>"
            "<m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></a14:m></a:p>"
            f"<a:p><a:r><a:t>where </a:t></a:r><a14:m><m:oMath><m:r><m:t>{t('inlinemath')}</m:t></m:r></m:oMath></a14:m></a:p>",
            box=(50, 200, 200, 60),
        )
        + "</mc:Choice><mc:Fallback>"
        + shape(40, para("fallback picture text"), box=(50, 200, 200, 60))
        + "</mc:Fallback></mc:AlternateContent>"
    )

    def pic(number: int, alt: str, blip: str, extra: str = "") -> str:
        return (
            f"<p:pic><p:nvPicPr><p:cNvPr id='{number}' name='Pic {number}' descr='{alt}'/><p:cNvPicPr/>"
            f"<p:nvPr>{extra}</p:nvPr></p:nvPicPr><p:blipFill>{blip}</p:blipFill><p:spPr><a:xfrm>"
            "<a:off x='635000' y='3810000'/><a:ext cx='1270000' cy='635000'/></a:xfrm></p:spPr></p:pic>"
        )

    second = (
        frame(30, table, (50, 50, 300, 80))
        + frame(31, chart, (50, 150, 200, 100))
        + cx
        + frame(32, art, (500, 300, 200, 100))
        + frame(34, ole, (300, 150, 50, 50))
        + math
        + pic(35, t("alttext"), "<a:blip r:embed='rImage'/>")
        + shape(36, para("Figure 7: the picture of the trial"), box=(50, 352, 300, 20))
        + pic(37, t("mediaalt"), "<a:blip r:embed='rImage'/>", "<a:videoFile r:link='rVideo'/>")
        + pic(38, "", "<a:blip r:link='rLinked'/>")
    )
    sp_tree = (
        "<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>"
    )
    master = (
        f"<p:sldMaster {NS}>{sp_tree}"
        + shape(2, para("Click to edit the title"), place='<p:ph type="title"/>', box=(50, 10, 600, 40))
        + shape(3, para("Click to edit the text"), place='<p:ph type="body" idx="1"/>', box=(50, 100, 600, 180))
        + shape(4, para(t("mastertext")), box=(0, 520, 100, 10))
        + "</p:spTree></p:cSld><p:clrMap bg1='lt1' tx1='dk1' bg2='lt2' tx2='dk2' accent1='accent1' accent2='accent2' accent3='accent3' accent4='accent4' accent5='accent5' accent6='accent6' hlink='hlink' folHlink='folHlink'/><p:sldLayoutIdLst><p:sldLayoutId id='2147483700' r:id='rLayout'/></p:sldLayoutIdLst><p:txStyles><p:titleStyle/><p:bodyStyle><a:lvl1pPr><a:buChar char='•'/></a:lvl1pPr>"
        "<a:lvl2pPr><a:buFont typeface='Wingdings'/><a:buChar char='§'/></a:lvl2pPr></p:bodyStyle><p:otherStyle/></p:txStyles></p:sldMaster>"
    )
    layout = (
        f"<p:sldLayout {NS}>{sp_tree}"
        + shape(2, para("Click to edit the title"), place='<p:ph type="title"/>')
        + shape(3, para("Click to edit the text"), place='<p:ph idx="1"/>')
        + shape(4, para(t("layouttext")), box=(0, 0, 100, 10))
        + "</p:spTree></p:cSld></p:sldLayout>"
    )
    to_layout = ("rLayout", "slideLayout", "../slideLayouts/slideLayout1.xml")
    chart_part = (
        f"<c:chartSpace {C_NS}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{t('charttitle')}</a:t></a:r></a:p></c:rich>"
        "</c:tx></c:title><c:plotArea><c:barChart><c:barDir val='col'/><c:grouping val='stacked'/><c:ser><c:idx val='0'/><c:order val='0'/><c:tx><c:strRef>"
        f"<c:f>Sheet1!$B$1</c:f><c:strCache><c:pt idx='0'><c:v>{t('chartseries')}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        f"<c:dLbls><c:dLbl><c:idx val='0'/><c:tx><c:rich><a:p><a:r><a:t>{t('chartlabel')}</a:t></a:r></a:p></c:rich></c:tx>"
        "</c:dLbl></c:dLbls><c:cat><c:strRef><c:f>Sheet1!$A$2:$A$4</c:f><c:strCache><c:ptCount val='3'/>"
        f"<c:pt idx='0'><c:v>{t('chartcategory')}</c:v></c:pt><c:pt idx='1'><c:v>B</c:v></c:pt><c:pt idx='2'><c:v>C</c:v></c:pt>"
        "</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$B$2:$B$4</c:f><c:numCache>"
        "<c:formatCode>0.0%</c:formatCode><c:ptCount val='3'/><c:pt idx='0'><c:v>0.25</c:v></c:pt><c:pt idx='2'><c:v>0.5</c:v></c:pt>"
        "</c:numCache></c:numRef></c:val></c:ser><c:axId val='1'/><c:axId val='2'/></c:barChart>"
        f"<c:catAx><c:axId val='1'/><c:title><c:tx><c:rich><a:p><a:r><a:t>{t('chartxaxis')}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx>"
        f"<c:valAx><c:axId val='2'/><c:title><c:tx><c:rich><a:p><a:r><a:t>{t('chartyaxis')}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx>"
        "</c:plotArea></c:chart><c:userShapes r:id='rUser'/></c:chartSpace>"
    )
    user_shapes = (
        f"<c:userShapes {C_NS} xmlns:cdr='http://schemas.openxmlformats.org/drawingml/2006/chartDrawing'><cdr:relSizeAnchor>"
        "<cdr:from><cdr:x>0.1</cdr:x><cdr:y>0.1</cdr:y></cdr:from><cdr:to><cdr:x>0.9</cdr:x><cdr:y>0.3</cdr:y></cdr:to><cdr:sp>"
        f"<cdr:txBody><a:p><a:r><a:t>{t('drawnchart')}</a:t></a:r></a:p></cdr:txBody></cdr:sp></cdr:relSizeAnchor></c:userShapes>"
    )
    cx_part = (
        f"<cx:chartSpace {NS}><cx:chartData><cx:data id='0'><cx:strDim type='cat'><cx:lvl ptCount='2'><cx:pt idx='0'>{t('cxcategory')}</cx:pt>"
        "<cx:pt idx='1'>End</cx:pt></cx:lvl></cx:strDim><cx:numDim type='val'><cx:lvl ptCount='2' formatCode='General'>"
        "<cx:pt idx='0'>10</cx:pt><cx:pt idx='1'>-4</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData>"
        f"<cx:v>{t('cxtitle')}</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId='waterfall'>"
        "<cx:dataId val='0'/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>"
    )
    data = (
        "<dgm:dataModel xmlns:dgm='http://schemas.openxmlformats.org/drawingml/2006/diagram' "
        "xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><dgm:ptLst><dgm:pt modelId='0' type='doc'/>"
        f"<dgm:pt modelId='2'><dgm:t><a:bodyPr/>{para(t('smartchild'))}</dgm:t></dgm:pt>"
        f"<dgm:pt modelId='1'><dgm:t><a:bodyPr/>{para(t('smartart'))}</dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst>"
        "<dgm:cxn modelId='8' srcId='1' destId='2' srcOrd='0'/><dgm:cxn modelId='9' srcId='0' destId='1' srcOrd='0'/>"
        "<dgm:cxn modelId='7' srcId='2' destId='1' srcOrd='0'/></dgm:cxnLst></dgm:dataModel>"
    )
    notes = slide(
        shape(2, para(t("speaker")), place='<p:ph type="body" idx="1"/>')
        + shape(3, para("9"), place='<p:ph type="sldNum"/>')
    )
    comments = (
        f"<p:cmLst {NS} xmlns:p15='http://schemas.microsoft.com/office/powerpoint/2012/main'>"
        f"<p:cm authorId='1' dt='2024-05-06T07:08:09' idx='1'><p:pos x='1' y='1'/><p:text>{t('comment')}</p:text></p:cm>"
        f"<p:cm authorId='1' dt='2024-05-07T07:08:09' idx='2'><p:pos x='1' y='1'/><p:text>{t('reply')}</p:text><p:extLst><p:ext uri='x'>"
        "<p15:threadingInfo><p15:parentCm authorId='1' idx='1'/></p15:threadingInfo></p:ext></p:extLst></p:cm></p:cmLst>"
    )
    threads = (
        f"<p188:cmLst {P188} {AC} xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'>"
        "<p188:cm id='{T1}' authorId='{A1}' created='2025-01-02T03:04:05' status='resolved'><ac:txMkLst><ac:spMk id='36' creationId='{0}'/>"
        "<ac:txMk cp='0' len='8'><ac:context len='9' hash='1'/></ac:txMk></ac:txMkLst><p188:replyLst>"
        f"<p188:reply id='{{T2}}' authorId='{{A1}}' created='2025-01-03T03:04:05'><p188:txBody><a:bodyPr/>{para(t('threadreply'))}</p188:txBody>"
        f"</p188:reply></p188:replyLst><p188:txBody><a:bodyPr/>{para(t('thread'))}</p188:txBody></p188:cm></p188:cmLst>"
    )
    presentation = (
        f"<p:presentation {NS}><p:sldMasterIdLst><p:sldMasterId id='2147483699' r:id='rMaster'/></p:sldMasterIdLst><p:sldIdLst>"
        "<p:sldId id='256' r:id='rS1'/><p:sldId id='257' r:id='rS2'/><p:sldId id='258' r:id='rS3'/></p:sldIdLst>"
        "<p:sldSz cx='9144000' cy='6858000'/><p:notesSz cx='6858000' cy='9144000'/><p:embeddedFontLst><p:embeddedFont>"
        f"<p:font typeface='{t('fontname')}'/><p:regular r:id='rFont'/></p:embeddedFont></p:embeddedFontLst>"
        f"<p:extLst><p:ext uri='x'><p14:sectionLst><p14:section name='{t('section')}' id='x'><p14:sldIdLst><p14:sldId id='257'/>"
        "</p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst></p:presentation>"
    )
    core = (
        "<cp:coreProperties xmlns:cp='http://schemas.openxmlformats.org/package/2006/metadata/core-properties' "
        "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:dcterms='http://purl.org/dc/terms/'>"
        f"<dc:title>{t('doctitle')}</dc:title><dc:creator>{t('docauthor')}</dc:creator><cp:keywords>{t('dockeywords')}</cp:keywords>"
        "<dcterms:created>2024-01-01T00:00:00Z</dcterms:created></cp:coreProperties>"
    )
    custom = (
        "<Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/custom-properties' "
        "xmlns:vt='http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes'>"
        "<property name='ScaleCrop'><vt:bool>false</vt:bool></property>"
        f"<property name='Project'><vt:lpwstr>{t('doccustom')}</vt:lpwstr></property></Properties>"
    )
    extended = (
        "<Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'>"
        f"<Company>{t('doccompany')}</Company></Properties>"
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
    return {
        "[Content_Types].xml": content_types(),
        "_rels/.rels": relationships(
            ("r1", "officeDocument", "ppt/presentation.xml"),
            ("r2", f"{package}/core-properties", "docProps/core.xml"),
            ("r3", "extended-properties", "docProps/app.xml"),
            ("r4", "custom-properties", "docProps/custom.xml"),
        ),
        "ppt/presentation.xml": presentation,
        "ppt/_rels/presentation.xml.rels": relationships(
            ("rMaster", "slideMaster", "slideMasters/slideMaster1.xml"),
            ("rS1", "slide", "slides/slide1.xml"),
            ("rS2", "slide", "slides/slide2.xml"),
            ("rS3", "slide", "slides/slide3.xml"),
            ("rFont", "font", "fonts/font1.fntdata"),
            ("rAuthors", "commentAuthors", "commentAuthors.xml"),
            ("rModern", "http://schemas.microsoft.com/office/2018/10/relationships/authors", "authors.xml"),
        ),
        "ppt/commentAuthors.xml": f"<p:cmAuthorLst {NS}><p:cmAuthor id='1' name='{t('commentauthor')}'/></p:cmAuthorLst>",
        "ppt/authors.xml": f"<p188:authorLst {P188}><p188:author id='{{A1}}' name='{t('threadauthor')}'/></p188:authorLst>",
        "ppt/slides/slide1.xml": slide(first),
        "ppt/slides/_rels/slide1.xml.rels": relationships(
            to_layout,
            ("rLink", "hyperlink", f"https://example.org/{t('link')}"),
            ("rShape", "hyperlink", f"https://example.org/{t('shapelink')}"),
            ("rJump", "slide", "slide2.xml"),
            ("rNotes", "notesSlide", "../notesSlides/notesSlide1.xml"),
            ("rComments", "comments", "../comments/comment1.xml"),
        ),
        "ppt/notesSlides/notesSlide1.xml": notes,
        "ppt/comments/comment1.xml": comments,
        "ppt/comments/modern2.xml": threads,
        "ppt/slides/slide2.xml": slide(second),
        "ppt/slides/_rels/slide2.xml.rels": relationships(
            to_layout,
            ("rChart", "chart", "../charts/chart1.xml"),
            ("rCx", "http://schemas.microsoft.com/office/2014/relationships/chartEx", "../charts/chartEx1.xml"),
            ("rData", "diagramData", "../diagrams/data1.xml"),
            ("rOle", "package", "../embeddings/" + t("attachment") + ".xlsx"),
            ("rImage", "image", "../media/image1.png"),
            ("rVideo", "video", "../media/media1.mp4"),
            ("rLinked", "image", f"https://example.org/{t('linkedpicture')}.png"),
            (
                "rThread",
                "http://schemas.microsoft.com/office/2018/10/relationships/comments",
                "../comments/modern2.xml",
            ),
        ),
        "ppt/slides/slide3.xml": slide(shape(2, para(t("hiddenslide")), box=(50, 50, 100, 20)), 'show="0"'),
        "ppt/slides/_rels/slide3.xml.rels": relationships(to_layout),
        "ppt/slideLayouts/slideLayout1.xml": layout,
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relationships(
            ("r1", "slideMaster", "../slideMasters/slideMaster1.xml")
        ),
        "ppt/slideMasters/slideMaster1.xml": master,
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relationships(
            to_layout, ("rTheme", "theme", "../theme/theme1.xml")
        ),
        "ppt/theme/theme1.xml": theme(),
        "ppt/charts/chart1.xml": chart_part,
        "ppt/charts/_rels/chart1.xml.rels": relationships(
            ("rUser", "chartUserShapes", "../drawings/drawing1.xml"), ("rBook", "package", "../embeddings/book.xlsx")
        ),
        "ppt/drawings/drawing1.xml": user_shapes,
        "ppt/charts/chartEx1.xml": cx_part,
        "ppt/diagrams/data1.xml": data,
        "ppt/embeddings/" + t("attachment") + ".xlsx": b"PK\x03\x04 attached workbook",
        "ppt/embeddings/book.xlsx": b"PK\x03\x04 the chart's workbook",
        "ppt/media/image1.png": png(40, 20),
        "ppt/media/media1.mp4": b"\0\0\0\x18ftypmp42" + b"\0" * 40,
        "ppt/fonts/font1.fntdata": eot(b"\0\1\0\0 a font"),
        "docProps/core.xml": core,
        "docProps/app.xml": extended,
        "docProps/custom.xml": custom,
    }


def content_types() -> str:
    """The types of the parts, without which other programs refuse the package."""
    office = "application/vnd.openxmlformats-officedocument"
    parts_of = {
        "ppt/presentation.xml": f"{office}.presentationml.presentation.main+xml",
        "ppt/slides/slide1.xml": f"{office}.presentationml.slide+xml",
        "ppt/slides/slide2.xml": f"{office}.presentationml.slide+xml",
        "ppt/slides/slide3.xml": f"{office}.presentationml.slide+xml",
        "ppt/slideLayouts/slideLayout1.xml": f"{office}.presentationml.slideLayout+xml",
        "ppt/slideMasters/slideMaster1.xml": f"{office}.presentationml.slideMaster+xml",
        "ppt/notesSlides/notesSlide1.xml": f"{office}.presentationml.notesSlide+xml",
        "ppt/comments/comment1.xml": f"{office}.presentationml.comments+xml",
        "ppt/comments/modern2.xml": "application/vnd.ms-powerpoint.comments+xml",
        "ppt/commentAuthors.xml": f"{office}.presentationml.commentAuthors+xml",
        "ppt/authors.xml": "application/vnd.ms-powerpoint.authors+xml",
        "ppt/theme/theme1.xml": f"{office}.theme+xml",
        "ppt/charts/chart1.xml": f"{office}.drawingml.chart+xml",
        "ppt/charts/chartEx1.xml": "application/vnd.ms-office.chartex+xml",
        "ppt/drawings/drawing1.xml": f"{office}.drawingml.chartshapes+xml",
        "ppt/diagrams/data1.xml": f"{office}.drawingml.diagramData+xml",
        "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
        "docProps/app.xml": f"{office}.extended-properties+xml",
        "docProps/custom.xml": f"{office}.custom-properties+xml",
    }
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml",
        "png": "image/png",
        "mp4": "video/mp4",
        "fntdata": "application/x-fontdata",
        "xlsx": f"{office}.spreadsheetml.sheet",
    }
    rows = "".join(f"<Default Extension='{suffix}' ContentType='{kind}'/>" for suffix, kind in defaults.items())
    rows += "".join(f"<Override PartName='/{name}' ContentType='{kind}'/>" for name, kind in parts_of.items())
    return f"<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'>{rows}</Types>"


def theme() -> str:
    """The least theme a master may have."""
    dark, light = "<a:srgbClr val='000000'/>", "<a:srgbClr val='FFFFFF'/>"
    names = ("dk1", "lt1", "dk2", "lt2", *(f"accent{i}" for i in range(1, 7)), "hlink", "folHlink")
    colours = "".join(f"<a:{name}>{light if name.startswith('lt') else dark}</a:{name}>" for name in names)
    font = "<a:latin typeface='Arial'/><a:ea typeface=''/><a:cs typeface=''/>"
    fill = "<a:solidFill><a:schemeClr val='phClr'/></a:solidFill>"
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    return (
        f"<a:theme {NS} name='t'><a:themeElements><a:clrScheme name='c'>{colours}</a:clrScheme><a:fontScheme name='f'>"
        f"<a:majorFont>{font}</a:majorFont><a:minorFont>{font}</a:minorFont></a:fontScheme><a:fmtScheme name='m'>"
        f"<a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>{f'<a:ln>{fill}</a:ln>' * 3}</a:lnStyleLst>"
        f"<a:effectStyleLst>{effect * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst>"
        "</a:fmtScheme></a:themeElements></a:theme>"
    )


def eot(font: bytes) -> bytes:
    """A font wrapped as Embedded OpenType with XOR encryption."""
    header = bytearray(80)
    struct.pack_into("<IIII", header, 0, 80 + len(font), len(font), 0x00020001, 0x10000000)
    struct.pack_into("<H", header, 34, 0x504C)
    return bytes(header) + bytes(byte ^ 0x50 for byte in font)


def write_trial(path: Path) -> Path:
    """The trial presentation at `path`."""
    path.write_bytes(packed(parts()))
    return path
