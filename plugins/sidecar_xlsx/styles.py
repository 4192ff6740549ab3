"""Cell styles: which number format every style index of a workbook stands for. Fonts and fills are not read."""

from __future__ import annotations

from sidecar.api.xml import XmlElement
from sidecar_xlsx.numfmt import BUILTIN, GENERAL, NumberFormat, compile_format


def read_formats(root: XmlElement, *, date1904: bool) -> list[NumberFormat]:
    """The number format of every entry of `cellXfs` (ECMA-376 part 1 §18.8.10), in order."""
    codes: dict[str, str] = {str(number): code for number, code in BUILTIN.items()}
    styles: list[NumberFormat] = []
    compiled: dict[str, NumberFormat] = {}
    for group in root:
        if not isinstance(group.tag, str):
            continue
        name = group.tag.rpartition("}")[2]
        if name == "numFmts":
            for node in group:
                if isinstance(node.tag, str) and node.get("formatCode"):
                    codes[node.get("numFmtId", "")] = node.get("formatCode")
        elif name == "cellXfs":
            for node in group:
                if not isinstance(node.tag, str):
                    continue
                number = node.get("numFmtId", "0")
                if number not in compiled:
                    code = codes.get(number, "")
                    compiled[number] = compile_format(code, date1904=date1904) if code else GENERAL
                styles.append(compiled[number])
    return styles
