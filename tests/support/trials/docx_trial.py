"""The trial document: a unique token in every place of a Word file a person can see or attach something.

Written part by part, so that it holds what no library writes (tracked moves, replies, VML, OLE packages, SmartArt).
"""

# ruff: noqa: E501  (markup reads best unbroken)
from __future__ import annotations

from pathlib import Path

from support.office.docx_files import (
    FONT_KEY,
    NS,
    NUMBERING,
    REL,
    STYLES,
    alternate,
    cell,
    drawing,
    field,
    math,
    numbered,
    obfuscated,
    ole_package,
    package,
    para,
    part,
    picture,
    png,
    row,
    run,
    shape,
    table,
)  # fmt: skip

PLACES = {
    "title": "title paragraph", "chapter": "heading by style", "derived": "heading by a style based on a heading",
    "outline": "heading by outline level", "localised": "heading by a localised style name", "paragraph": "body text",
    "bulletitem": "bulleted list item", "numbereditem": "numbered list item", "legalitem": "multi-level list item",
    "cell": "table cell", "mergedcell": "merged table cell", "nestedcell": "cell of a nested table",
    "cellcontrol": "table cell in a content control", "header": "header", "firstheader": "first-page header",
    "evenheader": "even-page header", "secondheader": "header of another section", "footer": "footer",
    "headertable": "table in a header",
    "footnote": "footnote", "endnote": "endnote", "comment": "comment", "marked": "text a comment marks",
    "reply": "reply to a comment", "looseremark": "comment nothing refers to", "inserted": "tracked insertion",
    "deleted": "tracked deletion", "movedfrom": "tracked move away", "movedto": "tracked move here",
    "deletedrow": "tracked deletion of a row", "textbox": "text box", "vmlbox": "VML text box",
    "wordart": "VML WordArt", "groupshape": "shape in a group", "fallback": "fallback of unreadable content",
    "control": "content control", "inlinecontrol": "inline content control", "dropdown": "chosen drop-down value",
    "choice": "other choice of a drop-down", "field": "result of a field", "simplefield": "result of a simple field",
    "formfield": "drop-down form field", "macrobutton": "text of a macro button", "linktext": "hyperlink text",
    "linktarget": "hyperlink target", "fieldlink": "target of a HYPERLINK field", "anchor": "internal link target",
    "inlinemath": "inline equation", "displaymath": "displayed equation", "figurecaption": "figure caption",
    "tablecaption": "table caption", "alttext": "picture alt text", "vmlalt": "VML picture alt text",
    "shapealt": "alt text of a shape without text", "charttitle": "chart title", "series": "chart series",
    "category": "chart category", "smartart": "SmartArt text", "hidden": "hidden text", "ruby": "ruby text",
    "smarttag": "smart tag", "customxml": "custom XML block", "toc": "table of contents line",
    "author": "document author", "keyword": "document keyword", "company": "company property",
    "custom": "custom property", "attachment": "name of an attached file", "fontname": "name of an embedded font",
    "chunk": "inserted HTML document", "quote": "quotation", "code": "preformatted text",
    "linkedpicture": "place of a linked picture", "tablename": "title of a table",
}  # fmt: skip


def token(place: str) -> str:
    """The token planted at a place: a letter-only word no other place contains."""
    return f"zq{place}qz"


CHART = (
    f"<c:chartSpace {NS}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{token('charttitle')}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    f'<c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:tx><c:strRef><c:f>S!B1</c:f><c:strCache><c:pt idx="0"><c:v>{token("series")}</c:v></c:pt></c:strCache></c:strRef></c:tx>'
    f'<c:cat><c:strRef><c:f>S!A2</c:f><c:strCache><c:pt idx="0"><c:v>{token("category")}</c:v></c:pt></c:strCache></c:strRef></c:cat>'
    '<c:val><c:numRef><c:f>S!B2</c:f><c:numCache><c:pt idx="0"><c:v>4.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>'
).encode()
SMARTART = (
    f'<dgm:dataModel {NS}><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{token("smartart")}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>'
    '<dgm:cxnLst><dgm:cxn modelId="2" srcId="0" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>'
).encode()


def trial_body() -> str:
    t = token
    change = 'w:id="9" w:author="Ada" w:date="2024-05-06T07:08:09Z"'
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rH1"/><w:headerReference w:type="first" r:id="rH2"/>'
        '<w:headerReference w:type="even" r:id="rH3"/><w:footerReference w:type="default" r:id="rF1"/><w:titlePg/></w:sectPr>'
    )
    dropdown = (
        f'<w:sdt><w:sdtPr><w:alias w:val="Colour"/><w:dropDownList><w:listItem w:displayText="{t("dropdown")}" w:value="1"/>'
        f'<w:listItem w:displayText="{t("choice")}" w:value="2"/></w:dropDownList></w:sdtPr><w:sdtContent>{run(t("dropdown"))}</w:sdtContent></w:sdt>'
    )
    form = (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="{t("formfield")}"/></w:ddList></w:ffData></w:fldChar></w:r>'
        '<w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    button = f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>MACROBUTTON NoMacro {t("macrobutton")}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    return "".join((
        para(t("title"), "Titel"),
        para(field('TOC \\o "1-3"', run(t("toc"))), "Verz"),
        para(t("chapter"), "berschrift1"),
        para(f"Body {t('paragraph')} text."),
        numbered(t("bulletitem"), 1), numbered(t("numbereditem"), 2), numbered("I", 3), numbered(t("legalitem"), 3, 1),
        para(run("Note") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + run(" and") + '<w:r><w:endnoteReference w:id="2"/></w:r>'),
        para('<w:commentRangeStart w:id="5"/>' + run(t("marked")) + '<w:commentRangeEnd w:id="5"/><w:r><w:commentReference w:id="5"/></w:r>'),
        para(f"<w:ins {change}>{run(t('inserted'))}</w:ins><w:del {change}><w:r><w:delText>{t('deleted')}</w:delText></w:r></w:del>"),
        para(f"<w:moveFrom {change}>{run(t('movedfrom'))}</w:moveFrom><w:moveTo {change}>{run(t('movedto'))}</w:moveTo>"),
        para(run(t("hidden"), "<w:vanish/>")),
        para(t("quote"), "Zitat"), para(t("code"), "Code"),
        para("", extra=section),
        para(t("derived"), "Firmenkapitel"),
        para(t("localised"), "Ueb3"),
        para(run(t("outline")), extra='<w:outlineLvl w:val="1"/>'),
        para(alternate(f"<w:r>{drawing(shape(t('textbox')))[5:-6]}</w:r>", f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{para(t('textbox'))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>")),
        para(f"<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{para(t('vmlbox'))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"),
        para(f'<w:r><w:pict><v:shape><v:textpath string="{t("wordart")}"/></v:shape></w:pict></w:r>'),
        para(drawing(f"<wpg:wgp>{shape(t('groupshape'))}</wpg:wgp>")),
        para(alternate("", run(t("fallback")))),
        para(drawing("<wps:wsp><wps:spPr/></wps:wsp>", t("shapealt"))),
        f"<w:sdt><w:sdtPr/><w:sdtContent>{para(t('control'))}</w:sdtContent></w:sdt>",
        para(f"<w:sdt><w:sdtContent>{run(t('inlinecontrol'))}</w:sdtContent></w:sdt>" + run(" ") + dropdown),
        para(field("DATE \\@ d", run(t("field"))) + run(" ") + f'<w:fldSimple w:instr="AUTHOR">{run(t("simplefield"))}</w:fldSimple>' + run(" ") + form + run(" ") + button),
        para(f'<w:hyperlink r:id="rL">{run(t("linktext"))}</w:hyperlink><w:hyperlink w:anchor="{t("anchor")}">{run("below")}</w:hyperlink>'),
        para(field(f'HYPERLINK "https://example.org/{t("fieldlink")}"', run("there"))),
        para(run("so ") + math(t("inlinemath")) + run(" holds")),
        para(f"<m:oMathPara>{math(t('displaymath'))}</m:oMathPara>"),
        para(picture("rP", t("alttext"))),
        para(run("Figure ") + f'<w:fldSimple w:instr="SEQ Figure">{run("1")}</w:fldSimple>' + run(f": {t('figurecaption')}"), "Beschriftung"),
        para(f"Table 5. {t('tablecaption')}", "Beschriftung"),
        table(
            row(cell("head"), cell(t("cell"))),
            row(cell(t("mergedcell"), '<w:gridSpan w:val="2"/>')),
            row(cell("x"), cell(table(row(cell("n"), cell(t("nestedcell")))) + para(""))),
            row(cell("y"), f"<w:sdt><w:sdtContent>{cell(t('cellcontrol'))}</w:sdtContent></w:sdt>"),
            row(cell(t("deletedrow")), cell("z"), properties=f"<w:del {change}/>"),
            properties=f'<w:tblCaption w:val="{t("tablename")}"/>',
        ),
        para(f'<w:r><w:pict><v:shape alt="{t("vmlalt")}"><v:imagedata r:id="rP2"/></v:shape></w:pict></w:r>'),
        para(picture("rX", link=True)),
        para(drawing('<c:chart r:id="rC"/>')),
        para(drawing('<dgm:relIds r:dm="rD"/>')),
        para('<w:r><w:object><v:shape><v:imagedata r:id="rP"/></v:shape><o:OLEObject Type="Embed" ProgID="Package" r:id="rO"/></w:object></w:r>'),
        para(f"<w:smartTag>{run(t('smarttag'))}</w:smartTag>{run(' ')}<w:r><w:ruby><w:rt>{run(t('ruby'))}</w:rt><w:rubyBase>{run('base')}</w:rubyBase></w:ruby></w:r>"),
        f"<w:customXml>{para(t('customxml'))}</w:customXml>",
        '<w:altChunk r:id="rA"/>',
        '<w:sectPr><w:headerReference w:type="default" r:id="rH4"/></w:sectPr>',
    ))  # fmt: skip


def trial() -> bytes:
    """The trial document."""
    t = token
    comments = (
        f'<w:comment w:id="5" w:author="Ada" w:date="2024-05-06T07:08:09Z"><w:p w14:paraId="0A"><w:r><w:t>{t("comment")}</w:t></w:r></w:p></w:comment>'
        f'<w:comment w:id="6" w:author="Bob"><w:p w14:paraId="0B"><w:r><w:t>{t("reply")}</w:t></w:r></w:p></w:comment>'
        f'<w:comment w:id="7" w:author="Cyd"><w:p><w:r><w:t>{t("looseremark")}</w:t></w:r></w:p></w:comment>'
    )
    separator = '<w:{0} w:id="0" w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:{0}>'
    parts = {
        "word/styles.xml": STYLES,
        "word/numbering.xml": NUMBERING,
        "word/settings.xml": part("settings", "<w:evenAndOddHeaders/>"),
        "word/footnotes.xml": part(
            "footnotes", separator.format("footnote") + f'<w:footnote w:id="2">{para(t("footnote"))}</w:footnote>'
        ),
        "word/endnotes.xml": part("endnotes", f'<w:endnote w:id="2">{para(t("endnote"))}</w:endnote>'),
        "word/comments.xml": part("comments", comments),
        "word/commentsExtended.xml": f'<w15:commentsEx {NS}><w15:commentEx w15:paraId="0A" w15:done="1"/><w15:commentEx w15:paraId="0B" w15:paraIdParent="0A"/></w15:commentsEx>'.encode(),
        "word/header1.xml": part("hdr", para(t("header")) + table(row(cell("left"), cell(t("headertable"))))),
        "word/header2.xml": part("hdr", para(t("firstheader"))),
        "word/header3.xml": part("hdr", para(t("evenheader"))),
        "word/header4.xml": part("hdr", para(t("secondheader"))),
        "word/footer1.xml": part("ftr", para(t("footer"))),
        "word/media/image1.png": png(),
        "word/media/image2.png": png(9, 4),
        "word/charts/chart1.xml": CHART,
        "word/diagrams/data1.xml": SMARTART,
        "word/embeddings/oleObject1.bin": ole_package(f"{t('attachment')}.txt", b"the attached words"),
        "word/fontTable.xml": part(
            "fonts", f'<w:font w:name="{t("fontname")}"><w:embedRegular r:id="rId1" w:fontKey="{FONT_KEY}"/></w:font>'
        ),
        "word/_rels/fontTable.xml.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{REL}/font" Target="fonts/font1.odttf"/></Relationships>'.encode(),
        "word/fonts/font1.odttf": obfuscated(b"\0\1\0\0" + b"font bytes of the trial document" * 3),
        "word/chunk.html": f"<html><head><title>no</title></head><body><p>{t('chunk')}</p></body></html>".encode(),
        "docProps/core.xml": (
            '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:creator>{t('author')}</dc:creator><cp:keywords>{t('keyword')}</cp:keywords></cp:coreProperties>"
        ).encode(),
        "docProps/app.xml": f'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>{t("company")}</Company></Properties>'.encode(),
        "docProps/custom.xml": (
            '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
            f'<property name="Project"><vt:lpwstr>{t("custom")}</vt:lpwstr></property></Properties>'
        ).encode(),
    }
    relations = {
        "rS": ("styles", "styles.xml"), "rN": ("numbering", "numbering.xml"), "rSet": ("settings", "settings.xml"),
        "rFn": ("footnotes", "footnotes.xml"), "rEn": ("endnotes", "endnotes.xml"), "rCm": ("comments", "comments.xml"),
        "rCe": ("commentsExtended", "commentsExtended.xml"), "rH1": ("header", "header1.xml"),
        "rH2": ("header", "header2.xml"), "rH3": ("header", "header3.xml"), "rH4": ("header", "header4.xml"),
        "rF1": ("footer", "footer1.xml"), "rP": ("image", "media/image1.png"), "rP2": ("image", "media/image2.png"),
        "rX": ("image", f"https://example.org/{t('linkedpicture')}.png"),
        "rL": ("hyperlink", f"https://example.org/{t('linktarget')}"), "rC": ("chart", "charts/chart1.xml"),
        "rD": ("diagramData", "diagrams/data1.xml"), "rO": ("oleObject", "embeddings/oleObject1.bin"),
        "rA": ("aFChunk", "chunk.html"),
    }  # fmt: skip
    return package(trial_body(), parts, relations)


def write_trial(path: Path) -> Path:
    path.write_bytes(trial())
    return path
