"""The plugin class for books, articles, outlines and feeds in XML, recognised by their first elements, and for boards
in JSON."""

import re
from typing import ClassVar

from sidecar.api import AttachedBounds, Limits, ParsedDocument, Payload, Source

_FIRST = re.compile(
    rb"\s*+(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*+"
    rb"(?>(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*+)?>)\s*+)*+"  # each ends at its first end and no later
    rb"<(?:\w+:)?(FictionBook|opml|article|book|chapter|part|section|refentry|set|"
    rb"page|abiword|awml|UOF|en-export|map|mxfile|mxGraphModel|Project|APIBusinessObjects|kml|gpx|diagram|rss|feed|RDF|xliff|tmx)\b[^>]*>",
    re.DOTALL,
)
_DOCBOOK = (b"docbook.org/ns/docbook", b"/DTD DocBook", b"/DTD Simplified DocBook")
_DOCBOOK_SUFFIXES = (".docbook", ".dbk")
"""Manuals of GNOME and KDE are named so whose document type is a file of their own."""
_JATS = (b"//NLM//DTD", b"//TaxonX//DTD", b"article-type=", b"dtd-version=", b"jats.nlm.nih.gov")


_PLAIN = {
    b"FictionBook": "fictionbook", b"opml": "opml", b"abiword": "abiword", b"awml": "abiword", b"en-export": "evernote",
    b"APIBusinessObjects": "primavera", b"mxfile": "drawio", b"mxGraphModel": "drawio", b"kml": "kml", b"gpx": "gpx",
    b"UOF": "uniform", b"rss": "feed", b"xliff": "xliff", b"tmx": "tmx",
}  # fmt: skip
"""Vocabularies by a first element that no other has."""
_SHARED = {
    b"diagram": ("dia", b"lysator.liu.se/~alla/dia"), b"Project": ("project", b"schemas.microsoft.com/project"),
    b"page": ("mallard", b"projectmallard.org"),
}  # fmt: skip
"""By a first element that other files have too (MSBuild's have `Project`), the vocabulary and the mark in it."""
_FEEDS = {b"feed": b"w3.org/2005/Atom", b"RDF": b"purl.org/rss/1.0/"}
"""Roots that other files have too, and what is near the beginning of a feed's."""
_ZIP = b"PK\x03\x04"
_PACKED = {
    ".zabw": (b"\x1f\x8b", "abiword"), ".xmind": (_ZIP, "xmind"), ".mmap": (_ZIP, "mindmanager"),
    ".mmat": (_ZIP, "mindmanager"), ".dia": (b"\x1f\x8b", "dia"), ".xer": (b"ERMHDR\t", "xer"),
    **dict.fromkeys((".uot", ".uos", ".uop"), (_ZIP, "uniform")),
}  # fmt: skip
"""By suffix, how a file begins that is packed or no XML, and what it holds."""
_BOARDS = (".excalidraw", ".canvas")
_JSON_START = re.compile(rb"\s*\{\s*(?:\"|\})")


class XmlFormat:
    """Books, articles, help, outlines, notes and maps: FictionBook 2, DocBook 4 and 5, JATS, Mallard, OPML, AbiWord,
    the Uniform Office Format, Evernote, FreeMind, XMind, MindManager, draw.io, Dia, Excalidraw, JSON Canvas, plans of
    Microsoft Project and Primavera, places and ways (KML, GPX), feeds (RSS, Atom), translations (XLIFF, TMX)."""

    name = "xml"
    version = "26"
    media_types: tuple[str, ...] = (
        "application/x-fictionbook+xml", "application/docbook+xml", "application/jats+xml",
        "text/x-opml", "application/x-abiword", "application/enex+xml", "application/vnd.xmind.workbook",
        "application/vnd.google-earth.kml+xml", "application/gpx+xml", "application/rss+xml", "application/atom+xml",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (
        ".fb2", *_DOCBOOK_SUFFIXES, ".jats", ".page", ".opml", ".abw", ".awt", ".zabw", ".enex", ".xmind", ".drawio",
        ".kml", ".gpx", ".rss", ".atom", ".xlf", ".xliff", ".tmx",
        ".mmap", ".mmat", ".dia", ".xer", ".pmxml", ".uot", ".uos", ".uop", *_BOARDS,
    )  # fmt: skip
    attached: ClassVar[AttachedBounds] = AttachedBounds()

    def score(self, source: Source) -> int:
        """85 for a first element and the marks of one of the vocabularies; what is anything else others read."""
        return 85 if _kind(source) else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document's chapters. Raises FormatError."""
        from sidecar_xml.parse import parse

        return parse(source, limits, _kind(source))[0]

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that is written into the document. Raises NotFoundError, FormatError."""
        from sidecar_xml.parse import open_embedded

        return open_embedded(source, ref, limits, _kind(source))


def _kind(source: Source) -> str:
    """Which vocabulary a file is written in, "" for none that is known."""
    mark, kind = _PACKED.get(source.suffix, (b"", ""))
    head = source.head
    if kind and head.startswith(mark):
        return kind
    if source.suffix in _BOARDS:
        return "board" if _JSON_START.match(head.removeprefix(b"\xef\xbb\xbf")) else ""
    head = head.replace(b"\0", b"") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head
    found = _FIRST.match(head)
    if found is None:
        return ""
    first, start = found[1], found[0]
    if first in _PLAIN:
        return _PLAIN[first]
    if first in _SHARED:
        kind, mark = _SHARED[first]
        return kind if mark in start else ""
    if first in _FEEDS:
        return "feed" if _FEEDS[first] in head else ""
    if first == b"map":
        return "freemind" if b"version=" in start and b"<node" in head else ""
    if source.suffix in _DOCBOOK_SUFFIXES or any(mark in start for mark in _DOCBOOK):
        return "docbook"
    return "jats" if first == b"article" and any(mark in start for mark in _JATS) else ""
