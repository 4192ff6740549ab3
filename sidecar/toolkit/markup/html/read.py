"""The way in: HTML text to an lxml tree, forgiving as a browser is, with no network and no entities of its own; an
element of the tree to blocks.

The encoding comes from the byte order mark, the page's own declaration, or the bytes (`sidecar.toolkit.text`).
"""

from __future__ import annotations

import re

from sidecar.api.errors import DamagedError
from sidecar.api.model import AnyBlock
from sidecar.toolkit.hidden import mark_sheets
from sidecar.toolkit.markup.html.reader import HtmlReader
from sidecar.toolkit.markup.html.tags import HANDLERS, SILENT
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.xml import XmlElement, etree

__all__ = ["declared_encoding", "parse_html", "read_html"]

_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_KATEX = etree.XPath("//span[contains(@class, 'katex-html')]")
_NOT_XML = bytes((*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F))


def declared_encoding(head: bytes) -> str:
    """The encoding a page declares in its first bytes (WHATWG HTML 13.2.3.2, XML 1.0 4.3.3), "" where none."""
    found = _XML.search(head[:1024]) or _META.search(head[:8192])
    return found[1].decode("ascii", "replace") if found else ""


def parse_html(text: str, name: str) -> XmlElement:
    """The `html` element. Comments and processing instructions are gone, so every node below is an element.

    Raises:
        DamagedError: there is no element at all; `name` names the document.
    """
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True, recover=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace").translate(None, _NOT_XML), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedError(f"{name} holds no readable HTML: {error}.") from error
    if root is None:
        raise DamagedError(f"{name} holds no readable HTML.")
    if "<style" in text or "<STYLE" in text:
        mark_sheets(root)
    # Code of the page is no text, and must not count as any; MathJax alone keeps content in scripts.
    silent = ("style", "template", "noscript") if "math/tex" in text else ("style", "template", "noscript", "script")
    etree.strip_elements(root, *silent, with_tail=False)
    if "katex-html" in text:  # KaTeX draws with spans what its MathML beside them says
        for node in _KATEX(root):
            node.clear(keep_tail=True)
    return root


def read_html(
    root: XmlElement,
    pictures: Pictures,
    left_out: frozenset[XmlElement] = frozenset(),
    hidden: frozenset[XmlElement] = frozenset(),
) -> list[AnyBlock]:
    """The blocks of everything below `root` but the elements `left_out`; those `hidden` are flagged."""
    reader = HtmlReader(HANDLERS, SILENT, pictures, left_out, hidden)
    reader.children(root)
    reader.flush()
    return reader.blocks
