"""Package XML read by scanning its text, where it is written the way nearly all programs write it: several times faster
than building a tree. Whatever is unusual is declined with None and read as a tree, so there is one meaning of a part.

Knows relationships and content types (ECMA-376 part 2 §6.5, §7.3) and property parts; nothing of document content.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TRANSITIONAL = "http://schemas.openxmlformats.org/"
STRICT = b"http://purl.oclc.org/ooxml/"

_DECLARATION = re.compile(r"""\ufeff?<\?xml\s[^<>?]*?(?:encoding=["']([\w-]+)["'][^<>?]*)?\?>\s*""")
# Characters no XML 1.0 document may hold (§2.2), as UTF-8: a parser stops at them.
_CONTROLS = bytes(code for code in range(0x20) if code not in (0x09, 0x0A, 0x0D))
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
_REFERENCE = re.compile(r"&(?:(lt|gt|quot|apos|amp)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));")
_ATTRIBUTES = r'((?:\s+[\w:.-]+="[^"<\n\t]*")*+)\s*'
_ROOT = re.compile(rf"<([\w:]+){_ATTRIBUTES}>")
_CHILD = re.compile(rf"\s*<([\w:]+){_ATTRIBUTES}/>")
_VALUE = re.compile(rf"\s*<([\w:]+){_ATTRIBUTES}(?:/>|>([^<]*)</\1\s*>)")
_LIST = re.compile(r"\s*<((?:\w+:)?(?:HeadingPairs|TitlesOfParts))>")
_ATTRIBUTE = re.compile(r'([\w:.-]+)="([^"]*)"')


def scannable(data: bytes) -> str | None:
    """As `decoded`, and None also where comments, CDATA, processing instructions or a DTD may hide markup."""
    if (b"!" in data and b"<!" in data) or data.find(b"<?", 4) >= 0:
        return None
    return decoded(data)


def decoded(data: bytes) -> str | None:
    """The text of an XML part without its declaration, line ends as `\\n`; None where it must be parsed: not UTF-8, ISO
    Strict, or with characters XML has none of."""
    if STRICT in data[:4096] or len(data.translate(None, _CONTROLS)) != len(data):
        return None
    if b"\xef\xbf" in data and (b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data):
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    declared = _DECLARATION.match(text)
    if declared is not None:
        if declared[1] is not None and declared[1].lower() not in ("utf-8", "us-ascii", "ascii"):
            return None
        text = text[declared.end() :]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def unescape(text: str) -> str | None:
    """The text scanned character data stands for; None when a reference in it stands for no character."""
    if "&" not in text:
        return text
    if len(_REFERENCE.findall(text)) != text.count("&"):
        return None
    try:
        return _REFERENCE.sub(_character, text)
    except ValueError:
        return None


def _character(reference: re.Match[str]) -> str:
    """Raises ValueError for what is no character of XML 1.0 (§2.2)."""
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if (code < 0x20 and code not in (0x09, 0x0A, 0x0D)) or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF):
        raise ValueError(code)
    return chr(code)


def attributes(text: str) -> dict[str, str] | None:
    """The attributes written in a start tag, as `unescape` reads them."""
    found: dict[str, str] = dict(_ATTRIBUTE.findall(text))
    if "&" in text:
        for name, value in found.items():
            plain = unescape(value)
            if plain is None:
                return None
            found[name] = plain
    return found


class Root(NamedTuple):
    """A root's start tag: its name as written, its attributes, and where the content begins."""

    name: str
    attributes: dict[str, str]
    end: int


def root_of(text: str) -> Root | None:
    """The start tag `text` begins with; None when it is written in an unusual way, or is empty."""
    match = _ROOT.match(text)
    given = attributes(match[2]) if match is not None else None
    return Root(match[1], given, match.end()) if match is not None and given is not None else None


def empty_children(data: bytes) -> list[tuple[str, dict[str, str]]] | None:
    """`(name, attributes)` of the children of a root that has only empty ones in its own default namespace."""
    text = scannable(data)
    root = root_of(text) if text is not None else None
    if text is None or root is None or ":" in root.name:
        return None
    at = root.end
    found: list[tuple[str, dict[str, str]]] = []
    while child := _CHILD.match(text, at):
        given = attributes(child[2])
        if given is None or ":" in child[1] or "xmlns" in given:
            return None
        found.append((child[1], given))
        at = child.end()
    return found if text[at:].strip() == f"</{root.name}>" else None


def leaf_values(data: bytes) -> list[tuple[str, str]] | None:
    """`({namespace}name, text)` of the children of a root that has only text and empty ones. A child with elements of
    its own declines the whole part, except the two lists of part names every producer writes (§22.2.2)."""
    text = scannable(data)
    root = root_of(text) if text is not None else None
    if text is None or root is None or "xmlns" in text[root.end :]:
        return None
    spaces = {name.removeprefix("xmlns").lstrip(":"): f"{{{value}}}" for name, value in root.attributes.items()}
    at = root.end
    found: list[tuple[str, str]] = []
    while True:
        child = _VALUE.match(text, at)
        if child is None:
            listed = _LIST.match(text, at)
            end = text.find(f"</{listed[1]}>", listed.end()) if listed is not None else -1
            if listed is None or end < 0:
                break
            at = end + len(listed[1]) + 3
            continue
        prefix, _, name = child[1].rpartition(":")
        value = unescape(child[3] or "")
        if value is None or (prefix and prefix not in spaces):
            return None
        found.append((spaces.get(prefix, "") + name, value))
        at = child.end()
    return found if text[at:].strip() == f"</{root.name}>" else None


def transitional(data: bytes) -> bytes:
    """Rewrite ISO Strict namespaces (ECMA-376 part 1, annex A) as Transitional, so plugins know one spelling."""
    if STRICT not in data[:4096]:
        return data
    for strict, loose in (
        ("ooxml/wordprocessingml/main", "wordprocessingml/2006/main"),
        ("ooxml/spreadsheetml/main", "spreadsheetml/2006/main"),
        ("ooxml/presentationml/main", "presentationml/2006/main"),
        ("ooxml/drawingml/", "drawingml/2006/"),
        ("ooxml/officeDocument/math", "officeDocument/2006/math"),
        ("ooxml/officeDocument/relationships", "officeDocument/2006/relationships"),
        ("ooxml/officeDocument/", "officeDocument/2006/"),
        ("ooxml/schemaLibrary/main", "schemaLibrary/2006/main"),
    ):
        data = data.replace(f"http://purl.oclc.org/{strict}".encode(), (_TRANSITIONAL + loose).encode())
    return data
