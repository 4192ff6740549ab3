"""Documents put inside a Word document as they are (`w:altChunk`, ECMA-376 part 1 §17.17.2.1).

Plain text and HTML are read as paragraphs; other formats become an attachment and a notice.
"""

from __future__ import annotations

import email
import email.policy

from sidecar.api.errors import FormatError
from sidecar.api.model import AnyBlock, Heading, Notice, Paragraph
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, etree

_BLOCKS = frozenset(
    {"p", "div", "li", "tr", "table", "ul", "ol", "blockquote", "pre", "section", "article", "br", "dt", "dd"}
)
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_SILENT = frozenset({"script", "style", "head", "title"})


def read_alt_chunk(
    package: Package, part: str, embeds: EmbedRegister, notices: list[Notice], out: list[AnyBlock]
) -> None:
    """Append what the part holds to `out`."""
    try:
        declared = package.content_type(part)
        if declared == "text/plain" or part.lower().endswith(".txt"):
            text = package.read(part).decode("utf-8-sig", "replace")
            out += [Paragraph(text=line.strip()) for line in text.splitlines() if line.strip()]
        elif "html" in declared or part.lower().endswith((".html", ".htm", ".xhtml")):
            out += _html(package.read(part))
        elif declared == "message/rfc822" or part.lower().endswith((".mht", ".mhtml")):
            message = email.message_from_bytes(package.read(part), policy=email.policy.default)
            body = message.get_body(("html", "plain"))
            out += _html(str(body.get_content()).encode()) if body is not None else []
        else:
            embeds.attachment(part)
            notices.append(
                Notice("unsupported_content", f"The inserted document {part} is kept as an attachment, not read.")
            )
    except (FormatError, LookupError, ValueError) as error:
        notices.append(Notice("damaged_part", f"The inserted document {part} cannot be read: {error}."))


def _html(data: bytes) -> list[AnyBlock]:
    root = etree.fromstring(data or b"<p/>", etree.HTMLParser(no_network=True, huge_tree=False))
    if root is None:
        return []
    found: list[AnyBlock] = []
    pieces: list[str] = []
    level = 0

    def flush() -> None:
        text = " ".join("".join(pieces).split())
        pieces.clear()
        if text:
            found.append(Heading(text=text, level=level) if level else Paragraph(text=text))

    silent: XmlElement | None = None
    for event, node in etree.iterwalk(root, events=("start", "end")):
        tag = node.tag
        if event == "start":
            if silent is None and tag in _SILENT:
                silent = node
            if tag in _BLOCKS or tag in _LEVELS:
                flush()
                level = _LEVELS.get(tag, level if tag == "br" else 0)
            if silent is None and isinstance(tag, str):
                pieces.append(node.text or "")
        else:
            if silent is node:
                silent = None
            if tag in _BLOCKS or tag in _LEVELS:
                flush()
                level = 0
            elif tag in {"td", "th"}:
                pieces.append("\t")
            if silent is None:
                pieces.append(node.tail or "")
    flush()
    return found
