"""Office documents in a single XML file: flat packages of Word and PowerPoint, and Word 2003 XML; the directories of
packages."""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Any

import docx
import pptx
import pytest
from contract.pictures import PNG
from hypothesis import given
from hypothesis import strategies as st
from sidecar_docx import DocxFormat
from sidecar_pptx import PptxFormat
from support.formats.plugin_reading import of, read, spans

from sidecar.api import DamagedError, Figure, FormatError, Heading, Limits, ListItem, Note, Paragraph, Source, Table
from sidecar.toolkit.ooxml.package import Package

DOCX: Any = DocxFormat()
PPTX: Any = PptxFormat()


def flat(package: bytes, program: str) -> bytes:
    """A package as one XML file."""
    parts = ""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        names = [name for name in archive.namelist() if name != "[Content_Types].xml"]
        types = archive.read("[Content_Types].xml").decode()
        for name in sorted(names, key=lambda name: name != "_rels/.rels"):
            data = archive.read(name)
            found = types.partition(f'PartName="/{name}"')[2].partition('ContentType="')[2].partition('"')[0]
            if name.endswith((".xml", ".rels")):
                body = data.decode("utf-8-sig").partition("?>")[2] or data.decode()
                content = f"<pkg:xmlData>{body}</pkg:xmlData>"
            else:
                content = f"<pkg:binaryData>{base64.b64encode(data).decode()}</pkg:binaryData>"
            parts += f'<pkg:part pkg:name="/{name}" pkg:contentType="{found}">{content}</pkg:part>'
    head = f'<?xml version="1.0" standalone="yes"?><?mso-application progid="{program}"?>'
    return f'{head}<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">{parts}</pkg:package>'.encode()


def test_a_flat_word_document_is_read_as_its_package() -> None:
    made = docx.Document()
    made.add_heading("Numbats", 1)
    made.add_paragraph("They eat termites.")
    made.add_picture(io.BytesIO(PNG))
    out = io.BytesIO()
    made.save(out)
    data = flat(out.getvalue(), "Word.Document")
    source = Source.of_bytes(data, "flat.xml")
    assert (DOCX.score(source), PPTX.score(source)) == (95, 0)
    document, whole = read(DOCX, data, "flat.xml"), read(DOCX, out.getvalue(), "whole.docx")
    assert (document.parts, document.title, document.metadata) == (whole.parts, whole.title, whole.metadata)
    assert DOCX.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_a_flat_presentation_is_read_as_its_package() -> None:
    made: Any = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[0])
    slide.shapes.title.text = "Okapis"
    slide.shapes.add_picture(io.BytesIO(PNG), 0, 0)
    out = io.BytesIO()
    made.save(out)
    data = flat(out.getvalue(), "PowerPoint.Show")
    source = Source.of_bytes(data, "flat.xml")
    assert (PPTX.score(source), DOCX.score(source)) == (95, 0)
    document, whole = read(PPTX, data, "flat.xml"), read(PPTX, out.getvalue(), "whole.pptx")
    assert document.parts == whole.parts
    assert PPTX.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


WORD_2003 = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?><?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:v="urn:schemas-microsoft-com:vml"
 xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:aml="http://schemas.microsoft.com/aml/2001/core"
 xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint" xml:space="preserve">
<o:DocumentProperties><o:Title>Report</o:Title><o:Author>Ann</o:Author></o:DocumentProperties>
<w:lists><w:listDef w:listDefId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:nfc w:val="1"/><w:lvlText w:val="%1."/>
</w:lvl></w:listDef><w:list w:ilfo="1"><w:ilst w:val="0"/></w:list></w:lists>
<w:styles><w:style w:type="paragraph" w:styleId="Kop1"><w:name w:val="heading 1"/></w:style></w:styles>
<w:body><wx:sect><wx:sub-section><w:p><w:pPr><w:pStyle w:val="Kop1"/></w:pPr><w:r><w:t>Numbats</w:t></w:r></w:p>
<w:p><w:r><w:t>They eat </w:t></w:r><w:hlink w:dest="http://example.org/?a=1&amp;b=2"><w:r><w:rPr><w:b/></w:rPr>
<w:t>termites</w:t></w:r></w:hlink><w:r><w:footnote><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>Many.</w:t></w:r></w:p>
</w:footnote></w:r><aml:annotation aml:id="1" w:type="Word.Insertion" aml:author="Bob"
 aml:createdate="2004-01-02T03:04:00Z">
<aml:content><w:r><w:t> daily</w:t></w:r></aml:content></aml:annotation><aml:annotation aml:id="2"
 w:type="Word.Comment.Start"/>
<w:r><w:t>.</w:t></w:r><aml:annotation aml:id="2" w:type="Word.Comment.End"/><w:r><aml:annotation aml:id="2"
 aml:author="Eva" aml:createdate="2004-01-02T03:04:00Z" w:type="Word.Comment"><aml:content>
<w:p><w:r><w:t>Sure?</w:t></w:r>
</w:p></aml:content></aml:annotation></w:r></w:p>
<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><w:ilfo w:val="1"/></w:listPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><w:ilfo w:val="1"/></w:listPr></w:pPr><w:r><w:t>two</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:tcPr><w:vmerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vmerge/></w:tcPr><w:p/></w:tc>
<w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:r><w:pict><w:binData w:name="wordml://01.png">{base64.b64encode(PNG).decode()}</w:binData>
<v:shape style="width:10pt;height:10pt"><v:imagedata src="wordml://01.png" o:title="x"/></v:shape></w:pict></w:r></w:p>
<w:sectPr><w:hdr w:type="odd"><w:p><w:r><w:t>Top of pages</w:t></w:r></w:p></w:hdr></w:sectPr>
</wx:sub-section></wx:sect></w:body></w:wordDocument>""".encode()


def test_word_2003_xml_has_what_a_word_document_has() -> None:
    source = Source.of_bytes(WORD_2003, "old.xml")
    assert (DOCX.score(source), PPTX.score(source)) == (95, 0)
    document = read(DOCX, WORD_2003, "old.xml")
    assert (document.title, document.metadata["author"]) == ("Report", "Ann")
    assert [one.text for one in of(document, Heading)] == ["Numbats"]
    text = of(document, Paragraph)[0]
    assert text.text == "They eat termites daily."
    kinds = [one for one in spans(text.text, text.spans) if one[0] in ("bold", "link", "ins")]
    assert kinds == [
        ("bold", "termites", ""),
        ("link", "termites", "http://example.org/?a=1&b=2"),
        ("ins", " daily", "Bob"),
    ]
    assert [(one.marker, one.text) for one in of(document, ListItem)] == [("I.", "one"), ("II.", "two")]
    [table] = of(document, Table)
    assert table.rows == (("a", "b"), ("", "c"))
    assert [(one.rows, one.cols) for one in table.merges] == [(2, 1)]
    notes = sorted((one.kind, one.text, one.author) for one in of(document, Note))
    assert notes == [("comment", "Sure?", "Eva"), ("footnote", "Many.", ""), ("header", "Top of pages", "")]
    assert len(of(document, Figure)) == 1
    assert DOCX.open_embedded(source, document.embedded[0].ref, Limits()).data == PNG


def test_pictures_of_one_name_and_marks_around_one_another_are_read() -> None:
    picture = b'<w:binData w:name="wordml://1.png">' + base64.b64encode(PNG) + b"</w:binData>"
    deep = b'<aml:annotation w:type="Word.Insertion"><aml:content>'
    run = b"<w:r><w:t>wombats</w:t></w:r>"
    end = b"</aml:content></aml:annotation>"
    data = (
        b'<?mso-application progid="Word.Document"?><w:wordDocument xmlns:v="urn:schemas-microsoft-com:vml" '
        b'xmlns:aml="http://schemas.microsoft.com/aml/2001/core" '
        b'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p>'
        + (b"<w:r><w:pict>" + picture + b'<v:shape><v:imagedata src="wordml://1.png"/></v:shape></w:pict></w:r>') * 2
        + deep * 20 + run + end * 20 + b"</w:p></w:body></w:wordDocument>"
    )  # fmt: skip
    document = read(DOCX, data, "old.xml")
    assert "wombats" in " ".join(block.text for block in of(document, Paragraph))
    assert {embed.media_type for embed in document.embedded} == {"image/png"}


def test_what_is_cut_short_or_empty_is_damaged() -> None:
    empty = b'<p:package xmlns:p="http://schemas.microsoft.com/office/2006/xmlPackage"><a b="/word/"/></p:package>'
    nameless = b'<p:package xmlns:p="http://schemas.microsoft.com/office/2006/xmlPackage"><p:part p:name="/"'
    nameless += b' a="/word/"><p:xmlData><a/></p:xmlData></p:part></p:package>'
    for data in (nameless, WORD_2003[:600], WORD_2003.replace(b"w:body", b"w:bodi"), empty):
        with pytest.raises(DamagedError):
            DOCX.parse(Source.of_bytes(data, "a.xml"), Limits())


def _zip(comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in _MEMBERS.items():
            file.writestr(name, data)
        file.comment = comment
    return out.getvalue()


_MEMBERS = {"word/document.xml": b"<a/>", "word/media/Bild ä.png": b"picture" * 99, "/xl\\sheet1.xml": b""}


@pytest.mark.parametrize(("before", "comment"), [(b"", b""), (b"", b"made by hand"), (b"#!/bin/sh\n", b"")])
def test_the_members_of_a_package_however_its_directory_is_written(before: bytes, comment: bytes) -> None:
    package = Package(Source.of_bytes(before + _zip(comment), "a.docx"), Limits())
    assert [*package.names()] == ["word/document.xml", "word/media/Bild ä.png", "xl/sheet1.xml"]
    assert package.size("WORD/MEDIA/bild ä.png") == 693
    if not before:  # members are read where the directory says that they lie
        assert package.read("word/media/Bild ä.png") == b"picture" * 99


@given(st.data())
def test_a_broken_directory_is_a_damaged_package_or_one_with_other_members(data: st.DataObject) -> None:
    packed = bytearray(_zip())
    directory = packed.index(b"PK\1\2")
    for at in data.draw(st.lists(st.integers(directory, len(packed) - 1), min_size=1, max_size=3)):
        packed[at] = data.draw(st.integers(0, 255))
    try:
        expected = [info.filename for info in zipfile.ZipFile(io.BytesIO(packed)).infolist()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        expected = None
    try:
        found = [*Package(Source.of_bytes(bytes(packed), "a.docx"), Limits()).names()]
    except FormatError:
        return
    if expected is not None:
        assert {name.lower() for name in found} == {_as_part(name).lower() for name in expected}


def _as_part(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")
