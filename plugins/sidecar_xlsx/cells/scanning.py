"""Worksheet XML read by scanning its text, five times faster than building a tree; odd files are first rewritten.

Knows the shape of `sheetData` (ECMA-376 part 1 §18.3.1.80) and nothing of what cells mean. A sheet is scanned only when
it is written the way spreadsheet programs write it: UTF-8, no comments or CDATA, one prefix or none. Anything else goes
through lxml and comes back in that form, so there is one reading of cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from sidecar.api.errors import DamagedError
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.xml import XmlElement, etree, parse_xml

RawCell = tuple[str, str, str, str, str, str]
"""Column letters, style, type, other attributes, the text of `v`, and what follows or precedes it inside `c`."""

_CHUNK = 1 << 18
_CELL = re.compile(
    r'<c(?: r="([A-Z]{1,3}+)\d++")?+(?: s="(\d++)")?+(?: t="([A-Za-z]++)")?+((?: [\w:]++="[^"]*+")*+)\s?'
    r"(?:/>|>(?:<v>([^<]*+)</v>)?+(.*?)</c>)",
    re.DOTALL,
)
_FILLED = re.compile(
    r'<c r="([A-Z]{1,3}+)\d++"(?: s="(\d++)")?+(?: t="([A-Za-z]++)")?+((?: [\w:]++="[^"]*+")*+)>'
    r"(?:<v>([^<]*+)</v>)?+(.*?)</c>",
    re.DOTALL,
)
"""Cells with content only, when all are named: formatted empty ones may outnumber them a hundredfold."""
_SHEET_DATA = re.compile(rb"<((?:\w+:)?)sheetData\b[^>]*?(/?)>")
_ATTRIBUTE = re.compile(r'(?<![\w:])([\w:]++)="([^"]*+)"')
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True)
class SheetText:
    """A worksheet taken apart: its rows as bytes still to be scanned, and the rest as a tree.

    `cut` says that the rows end before the sheet does; `rewritten` that they went through lxml."""

    rows: bytes
    rest: XmlElement
    cut: bool = False
    rewritten: bool = False


class IrregularRow(Exception):  # not an error: the sheet is read the slow way
    """A row is not written the way the scanner knows."""


def unescape(text: str) -> str:
    """The text scanned character data stands for."""
    return settle(_ENTITY.sub(_entity, text) if "&" in text else text)


def settle(text: str) -> str:
    """Text with `_x000D_` escapes decoded (ECMA-376 part 1 §22.9.2.19, ST_Xstring) and line ends as `\\n`."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")  # what an XML parser would have done
    if "_x" in text:
        text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
        # Escapes spell characters beyond U+FFFF as surrogate pairs; a lone one becomes U+FFFD.
        text = without_surrogates(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _entity(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else "\ufffd"


def attributes(text: str) -> dict[str, str]:
    """The attributes of a start tag's inside."""
    return dict(_ATTRIBUTE.findall(text))


def _is_regular(data: bytes) -> bool:
    """Whether XML may be scanned: UTF-8, nothing that hides or renames elements."""
    head = data[:200]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head:
        return False
    declared = re.search(rb"""encoding=["']([\w-]+)""", head)
    return (declared is None or declared[1].lower() in (b"utf-8", b"us-ascii", b"ascii")) and b"<!" not in data


def split_sheet(data: bytes, what: str) -> SheetText:
    """Split a worksheet part. Raises DamagedError when nothing can be made of it."""
    opening = _SHEET_DATA.search(data) if _is_regular(data) else None
    if opening is None:
        return split_sheet_slowly(data, what)
    prefix, empty = opening[1], opening[2] == b"/"
    if empty:
        return SheetText(b"", parse_xml(data, what))
    closing = b"</%bsheetData>" % prefix
    end = data.rfind(closing)
    if end < 0:
        # Cut short: whole rows are kept, what would follow them is lost.
        rest = parse_xml(data[: opening.start()] + b"</%bworksheet>" % prefix, what)
        return SheetText(_without_prefix(data[opening.end() :], prefix), rest, cut=True)
    rest = parse_xml(data[: opening.start()] + data[end + len(closing) :], what)
    return SheetText(_without_prefix(data[opening.end() : end], prefix), rest)


def _without_prefix(data: bytes, prefix: bytes) -> bytes:
    """Regular markup with a namespace prefix ("x:") taken off its tags; some writers prefix everything."""
    return data.replace(b"<" + prefix, b"<").replace(b"</" + prefix, b"</") if prefix else data


def split_sheet_slowly(data: bytes, what: str) -> SheetText:
    """As `split_sheet`, through lxml, for sheets that may not be scanned. Raises DamagedError."""
    root = parse_xml(data, what)
    if not isinstance(root.tag, str) or root.tag.rpartition("}")[2] not in ("worksheet", "dialogsheet", "macrosheet"):
        raise DamagedError(f"{what} is not a worksheet.")
    space = root.tag.rpartition("}")[0].lstrip("{")
    sheet_data = root.find(f"{{{space}}}sheetData")
    if sheet_data is None:
        return SheetText(b"", root)
    pieces = [_plain(row) for row in sheet_data if isinstance(row.tag, str) and row.tag.endswith("}row")]
    root.remove(sheet_data)
    return SheetText("".join(pieces).encode("utf-8", "replace"), root, rewritten=True)


def _plain(node: XmlElement) -> str:
    """An element written without prefixes, comments or CDATA, its attributes in the order the scanner expects."""
    name = node.tag.rpartition("}")[2]
    given = {str(key).rpartition("}")[2]: value for key, value in node.attrib.items()}
    order = [key for key in ("r", "s", "t") if key in given] if name == "c" else []
    order += [key for key in given if key not in order]
    if name == "c" and "r" in given:
        given["r"] = given["r"].upper()
    start = "".join(f' {key}="{escape(given[key])}"' for key in order)
    inside = escape(node.text or "", quote=False) + "".join(
        _plain(child) for child in node if isinstance(child.tag, str)
    )
    return f"<{name}{start}>{inside}</{name}>"


def scan_rows(rows: bytes, *, checked: bool) -> Iterator[tuple[str, list[RawCell]]]:
    """Each row's attributes (as text) and its cells, in file order, holding a fraction of the sheet at a time.

    Raises:
        Irregular: `checked`, and a row has cells the scanner cannot take apart."""
    at = 0
    size = len(rows)
    find_cells, find_filled = _CELL.findall, _FILLED.findall
    while at < size:
        end = rows.find(b"</row>", at + _CHUNK)
        end = size if end < 0 else end + 6
        chunk = rows[at:end].decode("utf-8", "replace")
        at = end
        found = 0
        for head, inside in _rows(chunk):
            found += 1
            if not inside:
                yield head, []
                continue
            named = inside.count('<c r="')
            if named and named == inside.count("<c"):
                filled = inside.count("</c>")
                cells = find_filled(inside) if filled else []
                if len(cells) == filled:
                    yield head, cells
                    continue
            cells = find_cells(inside)
            if checked and inside.count("<c") != len(cells):
                raise IrregularRow
            yield head, cells
        if checked and found != chunk.count("<row") and at < size:
            raise IrregularRow


def _rows(chunk: str) -> Iterator[tuple[str, str]]:
    """Each whole row's attributes and what it holds; a last one that does not end is left out."""
    pieces = chunk.split("</row>")
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        at = piece.find("<row")
        while at >= 0:
            end = piece.find(">", at)
            if end < 0:
                break
            if piece[end - 1] == "/":
                yield piece[at + 4 : end - 1], ""
                at = piece.find("<row", end)
            else:
                if number < last:
                    yield piece[at + 4 : end], piece[end + 1 :]
                break


def parse_fragment(text: str) -> XmlElement | None:
    """A piece of worksheet markup as a tree without namespaces; None when it is broken."""
    try:
        return etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
