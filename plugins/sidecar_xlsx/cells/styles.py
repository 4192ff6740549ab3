"""Cell styles: which number format every style index of a workbook stands for. Fonts and fills are not read."""

from __future__ import annotations

from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.xml import XmlElement
from sidecar_xlsx.number_formats.formats import BUILTIN, GENERAL, NumberFormat, compile_format

_BUILTIN = {str(number): code for number, code in BUILTIN.items()}


def read_formats(data: bytes, what: str, epoch: str = "") -> tuple[NumberFormat, ...]:
    """The number format of every entry of `cellXfs` (ECMA-376 part 1 §18.8.10) of a styles part, in order; `epoch` is
    "1904" where the workbook counts its days from there. Raises DamagedError when the part is not XML."""
    codes, numbers = _parsed(parse_part(data, what))
    compiled: dict[str, NumberFormat] = {}
    for number in numbers:
        if number not in compiled:
            code = codes[number] if number in codes else _BUILTIN.get(number, "")
            compiled[number] = compile_format(code, date1904=epoch == "1904") if code else GENERAL
    return tuple([compiled[number] for number in numbers])


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
