"""Values that a cell of a workbook holds besides its plain one: pictures placed in cells, entities of data types
(stocks, places), and errors newer than the format. The plain value of all of them is `#VALUE!`, of a picture that WPS
Office placed the call of a function.

Source: ECMA-376 part 1 §18.9 (metadata), [MS-XLSX] 2.3.7 (rich values), 2.6 (their parts)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from sidecar.toolkit.cell_references import parse_cell
from sidecar.toolkit.ooxml.drawing import described
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement, unsigned
from sidecar_xlsx.cells.scanning import SheetText, attributes

_PLAIN: Final = re.compile(
    rb"<c ([^<>]{1,300})>(<f\b[^<>]*+(?:(?<=/)>|>[^<>]*+</f>))?+"
    rb"<v>(?:#VALUE!|=DISPIMG\((?:&quot;|\")(ID_\w{1,64})[^<]*+)</v>"
)
_ERRORS: Final = {
    8: "#SPILL!", 9: "#CONNECT!", 10: "#BLOCKED!", 11: "#UNKNOWN!", 12: "#FIELD!", 13: "#CALC!", 14: "#BUSY!",
    18: "#EXTERNAL!", 19: "#TIMEOUT!",
}  # fmt: skip
"""By the `errorType` of an `_error`."""
_PICTURE: Final = "_rvRel:LocalImageIdentifier"
_MAX_TEXT_CHARS: Final = 255
"""Of a value, which any number of cells may have."""
_NONE: Final = 1 << 40


@dataclass(frozen=True)
class RichValue:
    """What a cell shows; `picture` is the part of the picture it shows instead, whose alternative text `text` is."""

    text: str
    picture: str = ""


@dataclass(frozen=True)
class CellPicture:
    """The part of a picture placed in the cell of that row and column, 0-based, and its alternative text."""

    row: int
    col: int
    picture: str
    text: str


def read_rich_values(package: Package, relationships: Mapping[str, Relationship]) -> dict[str, RichValue]:
    """The values of a workbook with these relationships by what cells call them, their `vm`. Raises DamagedError."""
    parts = {one.type: one.target for one in relationships.values() if one.target in package}
    if "cellImage" in parts:
        return _placed_by_wps(package, parts["cellImage"])
    if not {"sheetMetadata", "rdRichValue", "rdRichValueStructure"} <= parts.keys():
        return {}
    keys = [
        [key.get("n", "") for key in node.iterchildren("{*}k")]
        for node in package.xml(parts["rdRichValueStructure"]).iterchildren("{*}s")
    ]
    pictures = _pictures(package, parts["richValueRel"]) if "richValueRel" in parts else []
    values = [_value(node, keys, pictures) for node in package.xml(parts["rdRichValue"]).iterchildren("{*}rv")]
    named = enumerate(_indices(package.xml(parts["sheetMetadata"])), 1)
    return {str(name): value for name, at in named if at < len(values) and (value := values[at]) is not None}


def _placed_by_wps(package: Package, part: str) -> dict[str, RichValue]:
    """The pictures that WPS Office placed in cells by what its function calls them."""
    targets = package.relationships(part)
    found: dict[str, RichValue] = {}
    for node in package.xml(part).iter("{*}pic"):
        named, blip = next(node.iter("{*}cNvPr"), None), next(node.iter("{*}blip"), None)
        target = targets.get(blip.get(f"{R}embed", "")) if blip is not None else None
        if named is not None and target is not None and target.target in package:
            found[named.get("name", "")] = RichValue(described(named)[:_MAX_TEXT_CHARS], target.target)
    return found


def _pictures(package: Package, part: str) -> list[str]:
    """The parts of the pictures that values name by number; "" for one that is not in the package."""
    targets = package.relationships(part)
    found = (targets.get(node.get(f"{R}id", "")) for node in package.xml(part).iterchildren("{*}rel"))
    return [one.target if one is not None and one.target in package else "" for one in found]


def _value(node: XmlElement, keys: Sequence[Sequence[str]], pictures: Sequence[str]) -> RichValue | None:
    """None of a value that says nothing of what is shown."""
    structure = unsigned(node.get("s"), len(keys))
    if structure >= len(keys):
        return None
    texts = ("".join(value.itertext()) for value in node.iterchildren("{*}v"))
    given = dict(zip(keys[structure], texts, strict=False))
    text = given.get("Text", "")[:_MAX_TEXT_CHARS]
    if _PICTURE in given:
        at = unsigned(given[_PICTURE], _NONE)
        return RichValue(text, pictures[at] if at < len(pictures) else "")
    if "WebImageIdentifier" in given:
        return RichValue(text)
    shown = given.get("_DisplayString") or _ERRORS.get(unsigned(given.get("errorType")), "")
    return RichValue(shown[:_MAX_TEXT_CHARS]) if shown else None


def _indices(metadata: XmlElement) -> Iterator[int]:
    """For each entry of the metadata of values, in order, the index of its rich value; one beyond all for another."""
    types = [node.get("name") for node in metadata.iterfind("{*}metadataTypes/{*}metadataType")]
    rich = [
        unsigned(found.get("i"), _NONE) if (found := next(entry.iter("{*}rvb"), None)) is not None else _NONE
        for kind in metadata.iterchildren("{*}futureMetadata") if kind.get("name") == "XLRICHVALUE"
        for entry in kind.iterchildren("{*}bk")
    ]  # fmt: skip
    for entry in metadata.iterfind("{*}valueMetadata/{*}bk"):
        of_values = (
            unsigned(record.get("v"), _NONE) for record in entry.iterchildren("{*}rc")
            if 0 < (kind := unsigned(record.get("t"))) <= len(types) and types[kind - 1] == "XLRICHVALUE"
        )  # fmt: skip
        at = next(of_values, _NONE)
        yield rich[at] if at < len(rich) else _NONE


def with_rich_values(sheet: SheetText, rich: Mapping[str, RichValue]) -> tuple[SheetText, tuple[CellPicture, ...]]:
    """The sheet with its cells' values in place of the plain ones, and the pictures in its cells."""
    if not rich:
        return sheet, ()
    pictures: list[CellPicture] = []

    def shown(found: re.Match[bytes]) -> bytes:
        given = attributes(f" {found[1].decode('utf-8', 'replace')}")
        value = rich.get(found[3].decode() if found[3] else given.get("vm", ""))
        if value is None:
            return found[0]
        place = parse_cell(given.get("r", ""))
        if value.picture and place is not None:
            pictures.append(CellPicture(*place, value.picture, value.text))
        kept = "".join(f' {name}="{given[name]}"' for name in ("r", "s") if name in given)
        return f'<c{kept} t="str">'.encode() + (found[2] or b"") + f"<v>{escape(value.text)}</v>".encode()

    return replace(sheet, rows=_PLAIN.sub(shown, sheet.rows)), tuple(pictures)
