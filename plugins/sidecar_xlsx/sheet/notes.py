"""What stands beside a sheet's cells, as `Note` blocks: comments and threads, page headers and footers, allowed values,
defined names, and links on empty cells.

Kinds: `comment` (target the cell), `header`/`footer`, `form` (data validation: target the range), `annotation` (defined
names, links and screen tips: target the range)."""

import re
from collections.abc import Iterator, Mapping

from sidecar.api import Note
from sidecar.toolkit.cell_references import parse_range
from sidecar.toolkit.ooxml.hidden_text import HiddenText, with_invisible
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.times import serial_iso
from sidecar.toolkit.xml import XmlElement, unsigned
from sidecar_xlsx.cells.reading import as_typed
from sidecar_xlsx.cells.strings import rich_text
from sidecar_xlsx.sheet.worksheet import Worksheet, children

_HEADER_PART = re.compile(r"&([LCR])", re.IGNORECASE)
_FONT = re.compile(r'&"[^"]*"|&K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|&\d+|&[BIUESXYOHG]')
_UNSEEN = re.compile(
    r"&K(?:[Ff][0-9A-Fa-f]){3}(?:&(?!&|K|[LCR])[^&]*|[^&]|&&)*|&0*[01](?!\d)(?:&(?!&|\d|[LCR])[^&]*|[^&]|&&)*"
)
"""What is in white, or type of one point, up to another of its kind or the next section."""
_FIELD_SHOWN = re.compile(r"\[(?:Page|Pages|Date|Time|File|Tab|Path)\]")
_PAGE_WORDS = re.compile(
    r"\b(?:pages?|seiten?|p[áa]ginas?|strona|sida|side|sivu|стр|страница|of|von|de|di|sur|van|av|af|z|из)\b|[页頁共第]|ページ",
    re.IGNORECASE,
)
_FIELDS = {"P": "[Page]", "N": "[Pages]", "D": "[Date]", "T": "[Time]", "F": "[File]", "A": "[Tab]", "Z": "[Path]"}
_FIELD = re.compile(r"&([PNDTFAZ])(?:[+-]\d+)?", re.IGNORECASE)
_BROKEN = re.compile(r"=?(?:(?:'[^']*'|[^'!,()]*)!)?(?:#REF!|#N/A|#NAME\?)(?:\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?)?")
"""A formula that is nothing but an error."""
_BOUNDS = {
    "between": "between", "notBetween": "not between", "equal": "equal to", "notEqual": "not",
    "greaterThan": "greater than", "lessThan": "less than", "greaterThanOrEqual": "at least",
    "lessThanOrEqual": "at most",
}  # fmt: skip
_THREAD_TWIN = "[Threaded comment]"


def read_persons(package: Package, relationships: Mapping[str, Relationship]) -> dict[str, str]:
    """Display names of those who wrote threaded comments, by id ([MS-XLSX] §2.6.205)."""
    persons: dict[str, str] = {}
    for relationship in relationships.values():
        if relationship.type == "person" and relationship.target in package:
            for node in package.xml(relationship.target):
                if isinstance(node.tag, str):
                    persons[node.get("id", "")] = node.get("displayName", "")
    return persons


def comments(package: Package, sheet: Worksheet, persons: Mapping[str, str], number: int) -> Iterator[Note]:
    """Threaded comments with their replies, then old notes (§18.7) that do not repeat them. Raises DamagedError."""
    threaded: set[str] = set()
    for relationship in sheet.relationships.values():
        if relationship.type != "threadedComment" or relationship.target not in package:
            continue
        for node in children(package.xml(relationship.target), "threadedComment"):
            ref = node.get("ref", "")
            threaded.add(ref)
            text = "".join("".join(child.itertext()) for child in children(node, "text")).strip()
            yield Note(
                kind="comment",
                text=text,
                spans=with_invisible(text, (), sheet.hidden_text),
                id=node.get("id", "").strip("{}"),
                author=persons.get(node.get("personId", ""), ""),
                date=node.get("dT", ""),
                target=ref,
                parent=node.get("parentId", "").strip("{}"),
                resolved=node.get("done") in ("1", "true"),
            )
    for relationship in sheet.relationships.values():
        if relationship.type != "comments" or relationship.target not in package:
            continue
        root = package.xml(relationship.target)
        authors = ["".join(node.itertext()) for node in children(root, "authors", "author")]
        for index, node in enumerate(children(root, "commentList", "comment")):
            text, spans = next((rich_text(body) for body in children(node, "text")), ("", ()))
            ref = node.get("ref", "")
            if not text.strip() or (ref in threaded and text.startswith(_THREAD_TWIN)):
                continue
            spans = with_invisible(text, spans, sheet.hidden_text)
            author = unsigned(node.get("authorId"), len(authors))
            name = authors[author] if author < len(authors) else ""
            yield Note(
                kind="comment",
                text=text,
                id=f"{number}-{index + 1}",
                author="" if name.startswith("tc=") else name,
                target=ref,
                spans=spans,
            )


def headers_and_footers(rest: XmlElement, hidden: HiddenText) -> Iterator[Note]:
    """The sheet's page headers and footers, their sections joined, fields named in brackets (§18.3.1.46, .39); what is
    in white or too small to be read is counted in `hidden`."""
    for group in children(rest, "headerFooter"):
        for node in group:
            if not isinstance(node.tag, str):
                continue
            name = node.tag.rpartition("}")[2]
            text = header_text(node.text or "")
            seen = header_text(_UNSEEN.sub("", node.text or ""))
            kind = "header" if name.endswith("Header") else "footer"
            target = {"even": "even pages", "firs": "first page"}.get(name[:4], "")
            if seen != text:
                hidden.add("colour")
                yield Note(kind=kind, text=text, target=target, hidden=True)
            if seen and not _only_counts(seen):
                yield Note(kind=kind, text=seen, target=target)


def _only_counts(text: str) -> bool:
    """Whether a header says nothing but what any would, as LibreOffice writes into every workbook: the sheet's name
    above, the page below."""
    words = _FIELD_SHOWN.sub(" ", text)
    return words != text and not _PAGE_WORDS.sub("", words).strip(" \n.,/|-–")


def header_text(code: str) -> str:
    """The words of a header code: `&LLeft&CPage &P of &N` → "Left | Page [Page] of [Pages]"."""
    pieces = _HEADER_PART.split(_FONT.sub("", code.replace("&&", "\0")))
    texts = [pieces[0], *pieces[2::2]]
    shown = [_FIELD.sub(lambda match: _FIELDS[match[1].upper()], text).replace("\0", "&").strip() for text in texts]
    return " | ".join(text for text in shown if text)


def validations(rest: XmlElement, *, date1904: bool) -> Iterator[Note]:
    """Allowed values and input messages (§18.3.1.32), those of the 2010 extension too; days count from 1900 or 1904."""
    for node in rest.iter("{*}dataValidation"):
        where = node.get("sqref") or " ".join("".join(child.itertext()) for child in children(node, "sqref"))
        where = " ".join(_single(area) for area in where.split())
        lines: list[str] = []
        formulas = ["".join(child.itertext()).strip() for child in children(node, "formula1")]
        if node.get("type") == "list" and formulas and formulas[0]:
            lines.append(f"Allowed values: {_allowed(formulas[0])}")
        elif node.get("type") not in (None, "none", "list") and formulas:
            lines.append(_bounds(node, formulas[0], date1904=date1904))
        for title, message in (("promptTitle", "prompt"), ("errorTitle", "error")):
            words = ": ".join(text for text in (node.get(title, ""), node.get(message, "")) if text)
            if words:
                lines.append(words)
        if lines:
            yield Note(kind="form", text="\n".join(lines), target=where.strip())


def _single(area: str) -> str:
    first, _, last = area.partition(":")
    return first if first == last else area


def _bounds(node: XmlElement, first: str, *, date1904: bool) -> str:
    """What a validation that is not a list lets through, in words (§18.3.1.32, §18.18.20)."""
    kind = node.get("type", "")
    if kind == "custom":
        return f"Allowed where ={first.removeprefix('=')}"
    bound = node.get("operator", "between")
    limits = [first]
    if bound in {"between", "notBetween"}:
        limits += [text for child in children(node, "formula2") if (text := "".join(child.itertext()).strip())]
    if kind in {"date", "time"}:
        limits = [_as_moment(limit, date1904=date1904) for limit in limits]
    name = {"whole": "whole number", "textLength": "length of text"}.get(kind, kind)
    return f"Allowed {name}: {_BOUNDS.get(bound, bound)} {' and '.join(limits)}".replace(": equal to ", ": ")


def _as_moment(limit: str, *, date1904: bool) -> str:
    """A bound written as the number of a day or a part of one as ISO 8601; formulas stay as they are."""
    try:
        return serial_iso(float(limit), date1904=date1904) or limit
    except ValueError:
        return limit


def _allowed(formula: str) -> str:
    if formula.startswith('"') and formula.endswith('"'):
        return ", ".join(item.strip() for item in formula[1:-1].replace('""', '"').split(","))
    return f"={formula.removeprefix('=')}"


def loose_links(sheet: Worksheet) -> Iterator[Note]:
    """Links that no cell with data carries, and the screen tips of all."""
    carried = {
        (table.first_row + cell.row, table.first_col + cell.col)
        for table in sheet.tables
        for cell in table.cells
        if cell.link
    } if sheet.links else set[tuple[int, int]]()  # fmt: skip
    for link in sheet.links:
        words = [link.tooltip] if link.tooltip else []
        if (link.area.top, link.area.left) not in carried:
            words = [text for text in (link.display, link.target, link.tooltip) if text]
        if words:
            yield Note(kind="annotation", text=" — ".join(words), target=str(link.area))


def table_places(sheet: Worksheet, name: str) -> Iterator[Note]:
    """Where the Excel tables are that no block of rows stands for alone, for they have neighbours at their side."""
    alone = {table.name for table in sheet.tables}
    for region in sheet.regions:
        if region.name not in alone:
            quoted = name.replace("'", "''")
            text = f"Table {region.name} = '{quoted}'!{region.area}"
            if not region.header_rows:
                text += " (no heading row)"
            yield Note(kind="annotation", anchor=region.name, text=text, target=str(region.area))


def table_descriptions(sheet: Worksheet) -> Iterator[Note]:
    """What is said of the Excel tables for those who cannot see them."""
    for region in sheet.regions:
        if region.alt:
            yield Note(kind="annotation", text=region.alt, target=str(region.area))


_LIBREOFFICE = "Excel_BuiltIn_"
"""What LibreOffice puts before the built-in names of old workbooks that it converts."""


def defined_name(name: str, formula: str, comment: str, *, sheet: str, hidden: bool) -> Note | None:
    """A defined name (§18.2.5) as the note shown on the sheet it refers to; None for names Excel keeps for itself and
    for those that stand for an error: what they meant is deleted. Its anchor is the name, `Sheet1!Rate` where it is
    known on one sheet only."""
    if name.startswith(_LIBREOFFICE):
        name = f"_xlnm.{name.removeprefix(_LIBREOFFICE).lstrip('_')}"
    shown = {"_xlnm.Print_Area": "Print area", "_xlnm.Print_Titles": "Print titles"}.get(name, name)
    if shown.startswith(("_xlnm.", "_xlfn", "_xlpm", "_xleta")) or _BROKEN.fullmatch(formula):
        return None
    text = f"{shown} = {as_typed(formula)}"
    if comment:
        text += f" ({comment})"
    ref = formula.rpartition("!")[2]
    area = parse_range(ref)
    key = f"{sheet}!{shown}" if sheet else shown
    return Note(kind="annotation", anchor=key, text=text, target=str(area) if area else "", hidden=hidden)
