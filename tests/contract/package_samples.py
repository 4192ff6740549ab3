"""Sound files for the formats that are zip packages written by hand: EPUB and OpenDocument."""

from __future__ import annotations

from contract.containers import make_zip
from contract.pictures import PNG

__all__ = ["epub_files", "odf_files"]

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_CONTAINER = f"""<container xmlns="{_OASIS}container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_OPF = """<package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The book</dc:title><dc:creator>Ann</dc:creator>
<dc:language>en</dc:language></metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/>
<item id="p" href="pictures/p.png" media-type="image/png" properties="cover-image"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/></spine></package>"""
_PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{}</body></html>'
_NAVIGATION = """<nav><ol><li><a href="text/a.xhtml">One</a></li>
<li><a href="text/b.xhtml#s">Two</a></li></ol></nav>"""


def epub_files() -> dict[str, bytes]:
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": _OPF,
        "OEBPS/nav.xhtml": _PAGE.format(_NAVIGATION),
        "OEBPS/text/a.xhtml": _PAGE.format("<h1>One</h1><p>Text.</p><img src='../pictures/p.png' alt='P'/>"),
        "OEBPS/text/b.xhtml": _PAGE.format("<p>before</p><h2 id='s'>Two</h2><p>More.</p>"),
    }
    packed = {name: text.encode() for name, text in members.items()} | {"OEBPS/pictures/p.png": PNG}
    return {"book.epub": make_zip(packed, stored=("mimetype",))}


_PREFIXES = ("office", "text", "table", "style", "presentation", "meta")
_NAMESPACES = " ".join(
    [f'xmlns:{prefix}="{_OASIS}{prefix}:1.0"' for prefix in _PREFIXES]
    + [f'xmlns:{prefix}="{_OASIS}{name}:1.0"' for prefix, name in (("draw", "drawing"), ("svg", "svg-compatible"),
                                                                   ("fo", "xsl-fo-compatible"))]
    + ['xmlns:xlink="http://www.w3.org/1999/xlink"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"']
)  # fmt: skip
_MANIFEST = f"""<manifest:manifest xmlns:manifest="{_OASIS}manifest:1.0">
<manifest:file-entry manifest:full-path="Pictures/p.png" manifest:media-type="image/png"/></manifest:manifest>"""
_META = f"""<office:document-meta {_NAMESPACES}><office:meta><dc:title>The text</dc:title>
<dc:creator>Ann</dc:creator></office:meta></office:document-meta>"""
_STYLES = f"""<office:document-styles {_NAMESPACES}><office:master-styles><style:master-page><style:header>
<text:p>Header</text:p></style:header><style:footer-left><text:p>Left</text:p></style:footer-left></style:master-page></office:master-styles></office:document-styles>"""
_BOLD = """<office:automatic-styles><style:style style:name="B" style:family="text">
<style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>"""
_PICTURE = '<draw:frame><draw:image xlink:href="Pictures/p.png"/><svg:title>Alt</svg:title></draw:frame>'
_TEXT = f"""<office:text><text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info>
<dc:creator>Bo</dc:creator><dc:date>2026-01-01T00:00:00</dc:date></office:change-info><text:p>gone</text:p>
</text:deletion></text:changed-region></text:tracked-changes><text:h text:outline-level="1">One</text:h>
<text:p>A <text:span text:style-name="B">bold</text:span> word<text:change text:change-id="c1"/>, a note<text:note
text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Note.</text:p>
</text:note-body></text:note> and a comment<office:annotation office:name="a1"><dc:creator>Cy</dc:creator>
<text:p>Hm.</text:p></office:annotation>.</text:p><text:h text:outline-level="1">Two</text:h><text:p>{_PICTURE}</text:p>
<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list><table:table table:name="T">
<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>ab</text:p></table:table-cell>
<table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell>
<table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></office:text>"""
_PLACE = 'svg:x="1cm" svg:y="{}cm" svg:width="5cm" svg:height="2cm"'
_SLIDES = f"""<office:presentation><draw:page draw:name="p1">
<draw:frame presentation:class="title" {_PLACE.format(1)}><draw:text-box><text:p>Slide</text:p></draw:text-box>
</draw:frame>
<draw:frame {_PLACE.format(4)}><draw:text-box><text:p>Words</text:p></draw:text-box></draw:frame>{_PICTURE}
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>Say it.</text:p></draw:text-box>
</draw:frame></presentation:notes></draw:page></office:presentation>"""


def odf_files() -> dict[str, bytes]:
    return {"text.odt": _package("text", _TEXT), "slides.odp": _package("presentation", _SLIDES)}


def _package(kind: str, body: str) -> bytes:
    content = (
        f"<office:document-content {_NAMESPACES}>{_BOLD}<office:body>{body}</office:body></office:document-content>"
    )
    members = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": content,
        "styles.xml": _STYLES,
        "meta.xml": _META,
        "META-INF/manifest.xml": _MANIFEST,
    }
    packed = {name: text.encode() for name, text in members.items()} | {"Pictures/p.png": PNG}
    return make_zip(packed, stored=("mimetype",))
