"""Documents of OpenOffice.org 1: read as the OpenDocument files that they became."""

from __future__ import annotations

import pytest
from contract.containers import make_zip
from contract.pictures import PNG
from sidecar_odf import OdfFormat
from sidecar_xlsx.plugin import XlsxFormat
from support.formats.plugin_reading import of, read

from sidecar.api import EncryptedError, Figure, Heading, Limits, ListItem, Paragraph, Source, Table

ODF, XLSX = OdfFormat(), XlsxFormat()
_NAMES = " ".join(
    f'xmlns:{short}="http://openoffice.org/2000/{name}"'
    for short, name in (
        ("office", "office"),
        ("style", "style"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
    )
)
_MORE = (
    'xmlns:svg="http://www.w3.org/2000/svg" xmlns:fo="http://www.w3.org/1999/XSL/Format" '
    'xmlns:xlink="http://www.w3.org/1999/xlink"'
)
_BOLD = (
    '<office:automatic-styles><style:style style:name="T1" style:family="text">'
    '<style:properties fo:font-weight="bold"/></style:style></office:automatic-styles>'
)
MANIFEST = '<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">%s</manifest:manifest>'


def package(kind: str, body: str, *, told: bool = True, manifest: str = "") -> bytes:
    content = (
        '<?xml version="1.0"?><!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD" "office.dtd">'
        f"<office:document-content {_NAMES} {_MORE}>{_BOLD}<office:body>{body}</office:body></office:document-content>"
    )
    names = {"mimetype": f"application/vnd.sun.xml.{kind}".encode()} if told else {}
    more = {"content.xml": content.encode(), "META-INF/manifest.xml": (MANIFEST % manifest).encode()}
    return make_zip(names | {"Pictures/a.png": PNG} | more)


@pytest.mark.parametrize("told", [True, False])
def test_texts(told: bool) -> None:
    items = "<text:list-item><text:p>%s</text:p></text:list-item>"
    body = (
        '<text:h text:level="2">Plan</text:h>'
        '<text:p>All <text:span text:style-name="T1">bold</text:span> words</text:p>'
        f"<text:unordered-list>{items % 'one'}</text:unordered-list>"
        f"<text:ordered-list>{items % 'two'}</text:ordered-list>"
        '<text:p><draw:image xlink:href="#Pictures/a.png"/></text:p>'
        '<text:p><draw:image xlink:href="#Pictures/a.png"><svg:desc>A dot</svg:desc></draw:image></text:p>'
    )
    data = package("writer", body, told=told)
    assert ODF.score(Source.of_bytes(data, "a.sxw")) == 100
    assert XLSX.score(Source.of_bytes(data, "a.sxw")) == 0
    document = read(ODF, data, "a.sxw")
    assert [(one.text, one.level) for one in of(document, Heading)] == [("Plan", 2)]
    assert [one.text for one in of(document, ListItem)] == ["one", "two"]
    [paragraph] = [one for one in of(document, Paragraph) if one.text]
    assert paragraph.text == "All bold words"
    assert [(one.kind, paragraph.text[one.start : one.end]) for one in paragraph.spans] == [("bold", "bold")]
    assert [(one.embed, one.alt) for one in of(document, Figure)] == [(("image", 0), ""), (("image", 0), "A dot")]
    assert ODF.open_embedded(Source.of_bytes(data, "a.sxw"), document.embedded[0].ref, Limits()).data == PNG


def test_presentations() -> None:
    page = '<draw:page draw:name="First"><draw:text-box><text:p>Goals</text:p></draw:text-box></draw:page>'
    document = read(ODF, package("impress", page), "a.sxi")
    assert [(part.kind, [one.text for one in part.blocks if isinstance(one, Paragraph | Heading)])
            for part in document.parts] == [("slide", ["Goals"])]  # fmt: skip


def test_spreadsheets() -> None:
    cells = (
        '<table:table-cell table:value-type="float" table:value="2.5"><text:p>2.50</text:p></table:table-cell>'
        "<table:table-cell><text:p>words</text:p></table:table-cell>"
    )
    body = f'<table:table table:name="Costs"><table:table-row>{cells}</table:table-row></table:table>'
    data = package("calc", body)
    assert XLSX.score(Source.of_bytes(data, "a.sxc")) == 100
    assert ODF.score(Source.of_bytes(data, "a.sxc")) == 0
    document = XLSX.parse(Source.of_bytes(data, "a.sxc"), Limits())
    assert [part.title for part in document.parts] == ["Costs"]
    [table] = of(document, Table)
    assert table.rows == (("2.50", "words"),)


def test_a_protected_text_says_so() -> None:
    entry = '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>'
    with pytest.raises(EncryptedError):
        read(ODF, package("writer", "<text:p>x</text:p>", manifest=entry), "a.sxw")
