"""Workbooks of Gnumeric: XML, mostly compressed (the schema in Gnumeric's sources, "gnumeric.xsd")."""

from typing import Final

from sidecar.api import DamagedError, Limits, Source
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange, parse_range
from sidecar.toolkit.xml import XmlElement, local_name, read_xml, unsigned
from sidecar_xlsx.cells.references import SharedFormula
from sidecar_xlsx.exchanged.book import CollectedBook, Opened, Sheet, finite_number

_EMPTY, _BOOLEAN, _INTEGER, _FLOAT, _ERROR = "10", "20", "30", "40", "50"
"""Types of values; all others are text."""
_STATES: Final = {"GNM_SHEET_VISIBILITY_HIDDEN": "hidden", "GNM_SHEET_VISIBILITY_VERY_HIDDEN": "veryHidden"}
_FACTS: Final = {
    "title": "title", "author": "author", "keywords": "keywords", "comments": "description", "category": "category",
    "subject": "subject", "company": "company", "dc:title": "title", "dc:subject": "subject",
    "dc:description": "description", "meta:initial-creator": "author", "dc:creator": "author",
}  # fmt: skip
_MAX_SPREAD: Final = 200_000
"""Cells whose styles are told by region that are looked up."""


def open_gnumeric(source: Source, limits: Limits) -> Opened:
    """The workbook as a package, and the document's properties. Raises DamagedError, LimitError."""
    root = read_xml(source, limits)
    sheets = [node for node in root.iter() if local_name(node) == "Sheet"]
    if local_name(root) != "Workbook" or not sheets:
        raise DamagedError(f"{source.name} is not a Gnumeric workbook.")
    book = CollectedBook()
    for node in sheets:
        _sheet(node, book)
    return book.package(source, limits), _facts(root)


def _facts(root: XmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in root.iter():
        kind = local_name(item)
        if kind == "Item":  # the properties of versions before 1.9
            texts = ["".join(child.itertext()).strip() for child in item]
            name, value = (texts[0], texts[-1]) if len(texts) > 1 else ("", "")
        elif kind and item.getparent() is not None and local_name(item.getparent()) == "meta":
            name, value = f"{item.prefix}:{kind}", "".join(item.itertext()).strip()
        else:
            continue
        if name in _FACTS and value:
            found.setdefault(_FACTS[name], value)
    return found


def _sheet(node: XmlElement, book: CollectedBook) -> None:
    children = {local_name(child): child for child in node}
    name = children["Name"].text or "" if "Name" in children else ""
    sheet = book.sheet(name, _STATES.get(node.get("Visibility", ""), "visible"))
    formulas: dict[str, SharedFormula] = {}
    codes = _codes(children.get("Styles"))
    for cell in children.get("Cells", ()):
        if local_name(cell) == "Cell":
            _cell(cell, book, sheet, formulas, codes)
    for merged in children.get("MergedRegions", ()):
        area = parse_range(merged.text or "")
        if area is not None:
            sheet.markup.merges.append(area)
    for one in children.get("Objects", ()):
        area = parse_range(one.get("ObjectBound", ""))
        if local_name(one) == "CellComment" and area is not None and one.get("Text"):
            book.comment(sheet, (area.top, area.left), one.get("Author", ""), one.get("Text"))
    _hidden(children, sheet)


def _hidden(children: dict[str, XmlElement], sheet: Sheet) -> None:
    for kind in ("Rows", "Cols"):
        for one in children.get(kind, ()):
            if one.get("Hidden") != "1":
                continue
            first, count = unsigned(one.get("No")), max(unsigned(one.get("Count")), 1)
            if kind == "Rows":
                sheet.markup.hidden_rows.update(range(first, min(first + count, first + _MAX_SPREAD)))
            else:
                sheet.markup.column(first, first + count - 1, width=0, hidden=True)


def _cell(
    node: XmlElement,
    book: CollectedBook,
    sheet: Sheet,
    formulas: dict[str, SharedFormula],
    codes: dict[tuple[int, int], str],
) -> None:
    place = unsigned(node.get("Row")), unsigned(node.get("Col"))
    kind, shared = node.get("ValueType", ""), node.get("ExprID", "")
    content = node.find("{*}Content")
    text = ("".join(node.itertext()) if content is None else content.text or "").strip("\n" if kind else "")
    formula = formulas[shared].at(*place) if shared in formulas else ""
    if text.startswith("=") and not kind:
        formula, text, value = text[1:], "", node.get("Value")
        if shared:
            formulas[shared] = SharedFormula(formula, *place)
        text, kind = (value, node.get("ValueType", "")) if value is not None else ("", _EMPTY)
    area = _filled(node, place) if formula else ""
    code = node.get("ValueFormat", "") or codes.get(place, "")
    if code.startswith("@["):  # the looks of a text
        code = ""
    number = finite_number(text) if kind in (_FLOAT, _INTEGER, "") else None  # older versions tell no type
    if number is not None:
        book.put(sheet, place, number, code, formula, area)
    elif kind == _BOOLEAN:
        book.put(sheet, place, text.upper() == "TRUE", "", formula, area)
    elif kind == _ERROR:
        book.error(sheet, place, text, formula, area)
    elif text:
        book.put(sheet, place, text, "", formula, area)
    elif formula:
        book.put(sheet, place, None, code, formula, area)


def _filled(node: XmlElement, place: tuple[int, int]) -> str:
    """The cells that an array formula fills, which it stands in the first of; "" of any other."""
    rows, cols = (min(unsigned(node.get(name)), most) for name, most in (("Rows", MAX_ROWS), ("Cols", MAX_COLS)))
    row, col = place
    return str(CellRange(row, col, row + rows - 1, col + cols - 1)) if rows and cols else ""


def _codes(styles: XmlElement | None) -> dict[tuple[int, int], str]:
    """The number formats of cells, where regions tell one."""
    found: dict[tuple[int, int], str] = {}
    for region in styles if styles is not None else ():
        style = next((child for child in region if local_name(child) == "Style"), None)
        code = style.get("Format", "") if style is not None else ""
        if code in ("", "General"):
            continue
        first_row, last_row = unsigned(region.get("startRow")), unsigned(region.get("endRow"))
        first_col, last_col = unsigned(region.get("startCol")), unsigned(region.get("endCol"))
        if (last_row - first_row + 1) * (last_col - first_col + 1) > _MAX_SPREAD - len(found):
            continue
        found.update(
            {(row, col): code for row in range(first_row, last_row + 1) for col in range(first_col, last_col + 1)}
        )
    return found
