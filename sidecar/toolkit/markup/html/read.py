"""The way in: HTML text to an lxml tree, forgiving as a browser is, with no network and no entities of its own; an
element of the tree to blocks.

The encoding comes from the byte order mark, the page's own declaration, or the bytes (`sidecar.toolkit.text`)."""

import re
from collections.abc import Sequence

from sidecar.api import AnyBlock, DamagedError, Notice
from sidecar.toolkit.markup.html.reader import HtmlReader
from sidecar.toolkit.markup.html.tags import HANDLERS, SILENT
from sidecar.toolkit.markup.notes import notes_placed, page_notes
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.markup.style_sheets import mark_sheets
from sidecar.toolkit.xml import XmlElement, etree, without_unwritable

_META = re.compile(rb"<meta[^>]{0,300}?charset\s*+=\s*+[\"']?\s*+([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_KATEX = etree.XPath("//span[contains(@class, 'katex-html')]")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*+)([^<>]*+)>")
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
"""Elements without an end tag (WHATWG HTML 13.1.2)."""
_MAX_DEPTH = 1000
"""Elements inside one another; libxml2 leaves out what lies deeper than 2,048."""
_FLATTENED = "data-docsidecar-flattened"
"""The attribute of the `html` element of a page that was flattened."""
_BODY_ENDS = re.compile(rb"</(?:body|html)\s*>", re.IGNORECASE)
_NOT_XML = bytes((*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F))
_AS_BLANK = bytes.maketrans(b"\f", b" ")
"""A form feed is white space in HTML, and XML has none."""


def declared_encoding(head: bytes) -> str:
    """The encoding a page declares in its first bytes (WHATWG HTML 13.2.3.2, XML 1.0 4.3.3), "" where none."""
    found = _XML.search(head[:1024]) or _META.search(head[:8192])
    return found[1].decode("ascii", "replace") if found else ""


def parse_html(text: str, name: str, linked: Sequence[str] = ()) -> XmlElement:
    """The `html` element. Comments and processing instructions are gone, so every node below is an element. `linked`
    are the style sheets it links to, as far as they are at hand.

    Raises:
        DamagedError: there is no element at all; `name` names the document."""
    root, complete = _tree(text, name)
    if not complete:
        root, _ = _tree(_flattened(text), name)
        root.set(_FLATTENED, "")
    if linked or "<style" in text or "<STYLE" in text:
        mark_sheets(root, linked)
    # Code of the page is not text, and must not count as any; MathJax alone keeps content in scripts.
    silent = ("style", "template", "noscript") if "math/tex" in text else ("style", "template", "noscript", "script")
    etree.strip_elements(root, *silent, with_tail=False)
    if "katex-html" in text:  # KaTeX draws with spans what its MathML beside them says
        for node in _KATEX(root):
            node.clear(keep_tail=True)
    return root


def depth_notice(root: XmlElement) -> tuple[Notice, ...]:
    """What is said of a page whose elements are nested too deeply."""
    if root.get(_FLATTENED) is None:
        return ()
    message = f"Elements are nested more than {_MAX_DEPTH:,} deep; the text of those below is kept, their form not."
    return (Notice("damaged_part", message),)


def _tree(text: str, name: str) -> tuple[XmlElement, bool]:
    """The `html` element, and whether all of the text is in it: libxml2 stops where elements lie too deep.

    What follows the end of the body belongs to it (WHATWG HTML 13.2.6.4.19 and .22), and libxml2 would lose it."""
    data = without_unwritable(_BODY_ENDS.sub(b"", text.encode("utf-8", "replace")).translate(_AS_BLANK, _NOT_XML))
    parser = etree.HTMLParser(
        encoding="utf-8",
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,
        recover=True,
        collect_ids=False,  # a sixth of the time, for a table of ids that nobody asks
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise DamagedError(f"{name} holds no readable HTML: {error}.") from error
    if root is None:
        raise DamagedError(f"{name} holds no readable HTML.")
    return root, all(error.type != etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log)


def _flattened(text: str) -> str:
    """The page without the tags of elements that lie too deep, in one pass; tags without an end count as open."""
    depth = 0

    def kept(tag: re.Match[str]) -> str:
        nonlocal depth
        if tag[2].lower() in _VOID or tag[3].endswith("/"):
            return tag[0]
        if tag[1]:
            depth = max(depth - 1, 0)
            return tag[0] if depth < _MAX_DEPTH else " "
        depth += 1
        return tag[0] if depth <= _MAX_DEPTH else " "

    return _TAG.sub(kept, text)


def read_html(
    root: XmlElement,
    pictures: Pictures,
    left_out: frozenset[XmlElement] = frozenset(),
    hidden: frozenset[XmlElement] = frozenset(),
) -> list[AnyBlock]:
    """The blocks of everything below `root` but the elements `left_out`; those `hidden` are flagged. Notes stand right
    after the block that first refers to them."""
    found = page_notes(root, hidden)
    reader = HtmlReader(HANDLERS, SILENT, pictures, found)
    reader.left_out = left_out | found.notes.keys()
    reader.special = reader.left_out | hidden
    reader.children(root)
    reader.flush()
    for node, note in found.notes.items():
        reader.blocks += reader.note_blocks(node, note)
    return notes_placed(reader.blocks)
