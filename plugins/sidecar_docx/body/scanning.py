"""The body of a document taken apart by scanning its text: plain paragraphs as strings, the rest as one tree.

Most of a document is paragraphs of runs of text; scanning those takes a third of the time and of the memory of a tree.
Knows the shape of a plain paragraph (ECMA-376 part 1 §17.3.1.22) and of a body's children, not what they mean."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sidecar.toolkit.xml import XmlElement, well_formed
from sidecar_docx.qualified_names import W

# "Anything but one character" is what `re` runs fastest. A "<" inside a tag does not get past it: what follows would
# not be markup.
_OPEN = r"(?: [^>]*+(?<!/))?+>"
_CLOSED = r"(?: [^>]*+(?<=/)|/)>"
_EMPTY = rf"<[\w:]++{_CLOSED}"
_RUN = (
    rf"<w:r{_OPEN}(?:<w:rPr>(?:{_EMPTY})*+</w:rPr>|<w:rPr/>)?+"
    rf"(?:<w:t{_OPEN}[^<]*+</w:t>|"
    rf"<w:(?:tab|br|cr|t|noBreakHyphen|softHyphen|ptab|lastRenderedPageBreak){_CLOSED})*+</w:r>"
)
_PROPERTIES = rf"<w:pPr>((?:{_EMPTY}|<([\w:]++){_OPEN}(?:{_EMPTY})*+</\2>)*+)</w:pPr>"
_PARAGRAPH = re.compile(
    rf"\s*+<w:p(?:{_CLOSED}|{_OPEN}(?:{_PROPERTIES}|<w:pPr/>)?+"
    rf"((?:{_RUN}|<w:(?:proofErr|bookmarkStart|bookmarkEnd){_CLOSED})*+)</w:p>)"
)
_TEXT = rf"<w:t({_OPEN})([^<]++)</w:t>"
_PIECE = re.compile(rf"<w:(r){_OPEN}(?:<w:rPr>(.*?)</w:rPr>)?+(?:{_TEXT})?+|{_TEXT}|<w:(\w+)({_CLOSED})")
_DECLARATION = re.compile(r"""\ufeff?<\?xml\s[^<>?]*?(?:encoding=["']([\w-]+)["'][^<>?]*)?\?>\s*""")
_UTF_8 = ("utf-8", "us-ascii", "ascii")
# Characters no XML 1.0 document may hold (§2.2), as UTF-8: a parser stops at them.
_CONTROLS = bytes(code for code in range(0x20) if code not in (0x09, 0x0A, 0x0D))
_ROOT = re.compile(r'<w:document((?:\s+[\w:.-]+="[^"<\n\t]*")*+)\s*>')
_MAIN = f' xmlns:w="{W[1:-1]}"'
_START = re.compile(r"\s*+<([\w:.-]++)(?: [^<>]*+)?+>")
_END = re.compile(r"</w:body>\s*</w:document>\s*")
_MAX_PROPERTIES_BYTES = 4096

Piece = tuple[str, str, str, str, str, str, str, str]
"""What stands in a run or between runs: "r" for a new run, its properties, and the text it begins with (the inside of
the `w:t`'s tag, then the text as written); another text of the run; or the name and the attributes of another mark. ""
for what is none of it. A run and its text in one: most runs are no more, and each piece takes time."""


class PlainParagraph(NamedTuple):
    """A `w:p` of nothing but text: the inside of its `w:pPr`, and what follows that."""

    properties: str
    content: str

    def pieces(self) -> list[Piece]:
        """What stands in its runs and between them, in order."""
        return _PIECE.findall(self.content)


Child = PlainParagraph | XmlElement


def split_body(data: bytes) -> Iterator[Child] | None:
    """The children of the body of a main part, in order; None when it must be read as a tree."""
    text = _decoded(data)
    declared = _DECLARATION.match(text) if text is not None else None
    if text is None or (declared is not None and (declared[1] or "utf-8").lower() not in _UTF_8):
        return None
    begin = declared.end() if declared is not None else 0
    root = _ROOT.match(text, begin)
    if root is None or _MAIN not in root[1]:
        return None
    start, stop = text.find("<w:body>", root.end()), text.rfind("</w:body>")
    if not 0 <= start < stop or not _END.fullmatch(text, stop) or text.find("xmlns:w=", root.end()) >= 0:
        return None
    start += len("<w:body>")
    found: list[PlainParagraph | None] = []
    others: list[str] = []
    at = start
    match = _PARAGRAPH.match
    while at < stop:
        paragraph = match(text, at)
        if paragraph is not None and _is_plain(paragraph[1]):
            found.append(PlainParagraph(paragraph[1] or "", paragraph[3] or ""))
            at = paragraph.end()
        elif (end := _end_of(text, at)) > 0:
            found.append(None)
            others.append(text[at:end])
            at = end
        else:
            break
    if text[at:stop].strip():
        return None
    tree = well_formed(f"{text[begin:start]}{''.join(others)}{text[stop:]}".encode())
    body = tree.find(f"{W}body") if tree is not None else None
    if body is None or len(body) != len(others):
        return None
    return _merged(found, iter(body))


def _decoded(data: bytes) -> str | None:
    """The text of an XML part, line ends as `\\n`; None where it must be parsed: not UTF-8, or with characters XML has
    none of."""
    if len(data.translate(None, _CONTROLS)) != len(data):
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if "\uffff" in text or "\ufffe" in text:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _merged(found: list[PlainParagraph | None], others: Iterator[XmlElement]) -> Iterator[Child]:
    for paragraph in found:
        yield paragraph if paragraph is not None else next(others)


def _is_plain(properties: str | None) -> bool:
    """Whether what a `w:pPr` holds can be read from its text: no section ends there, no references to resolve."""
    return not properties or (
        len(properties) < _MAX_PROPERTIES_BYTES and "w:sectPr" not in properties and "&" not in properties
    )


def _end_of(text: str, at: int) -> int:
    """Where the element that begins at `at` ends; 0 when none does, or it does not end."""
    opening = _START.match(text, at)
    if opening is None:
        return 0
    if text[opening.end() - 2] == "/":
        return opening.end()
    depth = 1
    for tag in _tags(opening[1]).finditer(text, opening.end()):
        if tag[0].startswith("</"):
            depth -= 1
            if not depth:
                return tag.end()
        elif not tag[0].endswith("/>"):
            depth += 1
    return 0


@lru_cache(maxsize=64)
def _tags(name: str) -> re.Pattern[str]:
    """Start and end tags of elements of that name."""
    return re.compile(rf"</{re.escape(name)}>|<{re.escape(name)}(?: [^<>]*+)?+/?>")
