"""Documents put inside a Word document as they are (`w:altChunk`, ECMA-376 part 1 §17.17.2.1).

Plain text and HTML are read as paragraphs; other formats become an attachment and a notice."""

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
            out += _mht(package.read(part))
        else:
            embeds.attachment(part)
            notices.append(
                Notice("unsupported_content", f"The inserted document {part} is kept as an attachment, not read.")
            )
    except (FormatError, LookupError, ValueError) as error:
        notices.append(Notice("damaged_part", f"The inserted document {part} cannot be read: {error}."))


def _mht(data: bytes) -> list[AnyBlock]:
    import email.policy  # few documents hold such a part, and every worker would import it

    body = email.message_from_bytes(data, policy=email.policy.default).get_body(("html", "plain"))
    return _html(str(body.get_content()).encode()) if body is not None else []


def _html(data: bytes) -> list[AnyBlock]:
    root = etree.fromstring(data or b"<p/>", etree.HTMLParser(no_network=True, huge_tree=False))
    if root is None:
        return []
    text = _HtmlText()
    for event, node in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            text.start(node)
        else:
            text.end(node)
    text.end_block()
    return text.found


class _HtmlText:
    """The text of an HTML tree as headings and paragraphs, collected tag by tag."""

    def __init__(self) -> None:
        self.found: list[AnyBlock] = []
        self._pieces: list[str] = []
        self._level = 0
        self._silent: XmlElement | None = None

    def start(self, node: XmlElement) -> None:
        tag = node.tag
        if self._silent is None and tag in _SILENT:
            self._silent = node
        if tag in _BLOCKS or tag in _LEVELS:
            self.end_block()
            self._level = _LEVELS.get(tag, self._level if tag == "br" else 0)
        if self._silent is None and isinstance(tag, str):
            self._pieces.append(node.text or "")

    def end(self, node: XmlElement) -> None:
        tag = node.tag
        if self._silent is node:
            self._silent = None
        if tag in _BLOCKS or tag in _LEVELS:
            self.end_block()
            self._level = 0
        elif tag in {"td", "th"}:
            self._pieces.append("\t")
        if self._silent is None:
            self._pieces.append(node.tail or "")

    def end_block(self) -> None:
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        if text:
            self.found.append(Heading(text=text, level=self._level) if self._level else Paragraph(text=text))
