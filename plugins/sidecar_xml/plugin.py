"""The plugin class for books, articles and outlines in XML: recognised by their first elements."""

import re

from sidecar.api import Limits, ParsedDocument, Payload, Source

_FIRST = re.compile(
    rb"\s*+(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*+"
    rb"(?>(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*+)?>)\s*+)*+"  # each ends at its first end and no later
    rb"<(?:\w+:)?(FictionBook|opml|article|book|chapter|part|section|refentry|set)\b[^>]*>",
    re.DOTALL,
)
_DOCBOOK = (b"docbook.org/ns/docbook", b"//DTD DocBook", b"//DTD Simplified DocBook")
_JATS = (b"//NLM//DTD", b"//TaxonX//DTD", b"article-type=", b"dtd-version=", b"jats.nlm.nih.gov")


class XmlFormat:
    """Books, articles and outlines: FictionBook 2, DocBook 4 and 5, JATS, OPML."""

    name = "xml"
    version = "4"
    media_types: tuple[str, ...] = (
        "application/x-fictionbook+xml", "application/docbook+xml", "application/jats+xml",
        "text/x-opml",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".fb2", ".docbook", ".dbk", ".jats", ".opml")

    def score(self, source: Source) -> int:
        """85 for a first element and the marks of one of the vocabularies; what is anything else others read."""
        return 85 if _kind(source.head) else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document's chapters. Raises FormatError."""
        from sidecar_xml.parse import parse

        return parse(source, limits, _kind(source.head))[0]

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that is written into the document. Raises NotFoundError, FormatError."""
        from sidecar_xml.parse import open_embedded

        return open_embedded(source, ref, limits, _kind(source.head))


def _kind(head: bytes) -> str:
    """Which vocabulary a file is written in that begins so: "fictionbook", "opml", "docbook", "jats"; "" for none."""
    head = head.replace(b"\0", b"") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else head
    found = _FIRST.match(head)
    if found is None:
        return ""
    if found[1] in (b"FictionBook", b"opml"):
        return found[1].decode().lower()
    start = found[0]
    if any(mark in start for mark in _DOCBOOK):
        return "docbook"
    return "jats" if found[1] == b"article" and any(mark in start for mark in _JATS) else ""
