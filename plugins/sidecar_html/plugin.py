"""The HTML format plugin: recognises pages by content and hands them to the parser. Imports nothing heavy."""

import re

from sidecar.api import LazyFormat, Source
from sidecar.toolkit.text import looks_binary

_HTML = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*+)*+(?:<!doctype\s+html|<html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_TAGS = re.compile(rb"<(?:head|body|title|div|p|h[1-6]|table|ul|ol|a\s|meta|span|br)\b", re.IGNORECASE)
_MHTML = re.compile(rb"^content-type:\s*multipart/related", re.IGNORECASE | re.MULTILINE)
_SNAPSHOT = re.compile(rb"^(?:snapshot-content-location:|from:\s*<?saved by)", re.IGNORECASE | re.MULTILINE)


_HEADERS = re.compile(rb"[A-Za-z][\w-]*:")
_GENERIC_SUFFIXES = ("", ".txt", ".php", ".asp", ".aspx", ".jsp", ".cfm", ".cgi")
"""Suffixes a saved page may have; under any other, a page's beginning counts less than what the suffix says."""
_ARCHIVE = ".webarchive"
_EXPORTED = (".xls", ".doc")
"""Suffixes that programs give to markup which Excel or Word is to open, often without its `<html>`."""


class HtmlFormat(LazyFormat):
    """Web pages (HTML, XHTML) and pages saved with their files (MHTML, Safari's web archives)."""

    name = "html"
    version = "35"
    media_types: tuple[str, ...] = (
        "text/html", "application/xhtml+xml", "multipart/related", "application/x-mimearchive",
        "application/x-webarchive",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".html", ".htm", ".xhtml", ".xht", ".shtml", ".mhtml", ".mht", _ARCHIVE)

    def score(self, source: Source) -> int:
        """85 to 90 for what begins like a page, 60 where the suffix says something else, 50 to 60 by suffix alone."""
        head = source.head
        if source.suffix == _ARCHIVE:
            from sidecar_html.webarchive import is_webarchive

            if is_webarchive(source):
                return 90
        if not head or looks_binary(head):
            return 0
        narrow = head.replace(b"\0", b"")  # UTF-16 pages
        if source.suffix in (".mhtml", ".mht"):
            return 90 if _MHTML.search(narrow) else 55
        own = source.suffix in self.suffixes
        if _HTML.match(narrow):
            # Suffix and beginning agree: no other plugin need be asked, which would take longer than to ask this one.
            return 90 if own else 85 if source.suffix in _GENERIC_SUFFIXES else 60
        if _HEADERS.match(narrow) and _MHTML.search(narrow) and _SNAPSHOT.search(narrow):
            return 85
        if source.suffix in _EXPORTED and _HEADERS.match(narrow) and _MHTML.search(narrow):
            return 70
        if own:
            return 60 if _TAGS.search(narrow) else 50
        return 60 if source.suffix in _EXPORTED and _TAGS.match(narrow.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")) else 0
