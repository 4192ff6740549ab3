"""Cell styles: which number format every style index of a workbook stands for. Fonts and fills are not read."""

from __future__ import annotations

import re

from sidecar.toolkit.ooxml.markup import attributes, root_of, scannable, transitional
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_xlsx.numfmt import BUILTIN, GENERAL, NumberFormat, compile_format

_BUILTIN = {str(number): code for number, code in BUILTIN.items()}
_START = re.compile(r"<([\w:]+)((?: [^>]*+)?)>")


def read_formats(data: bytes, what: str, epoch: str = "") -> tuple[NumberFormat, ...]:
    """The number format of every entry of `cellXfs` (ECMA-376 part 1 §18.8.10) of a styles part, in order; `epoch` is
    "1904" where the workbook counts its days from there. Raises DamagedError when the part is not XML."""
    codes, numbers = _scanned(data) or _parsed(parse_xml(transitional(data), what))
    compiled: dict[str, NumberFormat] = {}
    for number in numbers:
        if number not in compiled:
            code = codes[number] if number in codes else _BUILTIN.get(number, "")
            compiled[number] = compile_format(code, date1904=epoch == "1904") if code else GENERAL
    return tuple([compiled[number] for number in numbers])


def _scanned(data: bytes) -> tuple[dict[str, str], list[str]] | None:
    """As `_parsed`, from the text; None where the part is written in an unusual way. The two lists read are a tenth of
    it."""
    text = scannable(data)
    root = root_of(text) if text is not None else None
    if text is None or root is None or not text.rstrip().endswith(f"</{root.name}>"):
        return None
    prefix = root.name.rpartition("styleSheet")[0]
    formats = _section(text, f"{prefix}numFmts", f"{prefix}numFmt")
    styles = _section(text, f"{prefix}cellXfs", f"{prefix}xf")
    if formats is None or styles is None:
        return None
    codes = {given.get("numFmtId", ""): given["formatCode"] for given in formats if given.get("formatCode")}
    return codes, [given.get("numFmtId", "0") for given in styles]


def _section(text: str, name: str, entry: str) -> list[dict[str, str]] | None:
    """The attributes of every `entry` in the one element `name`; none where that is absent, None when it is unusual."""
    start = text.find(f"<{name}")
    if start < 0:
        return []
    opening = _START.match(text, start)
    if opening is None or opening[1] != name or text.find(f"<{name}", opening.end()) >= 0:
        return None
    if opening[2].endswith("/"):
        return []
    end = text.find(f"</{name}>", opening.end())
    if end < 0:
        return None
    found: list[dict[str, str]] = []
    for tag, inside in _START.findall(text[opening.end() : end]):
        if tag == entry:
            given = attributes(inside)
            if given is None or "'" in inside or "\n" in inside or "\t" in inside:
                return None
            if inside.count('"') % 2:  # a ">" written plainly, as in the condition "[>=100]", is not the tag's end
                return None
            found.append(given)
    return found


def _parsed(root: XmlElement) -> tuple[dict[str, str], list[str]]:
    """Format codes by id, and the format id of every cell style."""
    codes: dict[str, str] = {}
    numbers: list[str] = []
    for node in root.iterchildren("{*}numFmts"):
        for entry in node.iterchildren("{*}*"):
            if entry.get("formatCode"):
                codes[entry.get("numFmtId", "")] = entry.get("formatCode")
    for node in root.iterchildren("{*}cellXfs"):
        numbers += [entry.get("numFmtId", "0") for entry in node.iterchildren("{*}*")]
    return codes, numbers
