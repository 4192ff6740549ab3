"""What classic charts and chartex share: numbers, dates, drawn text and references as a chart part writes them.

Not responsible for the structure of either chart dialect."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sidecar.toolkit.cell_references import cell_name, column_index
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.times import serial_iso
from sidecar.toolkit.xml import XmlElement

_LITERALS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*+(?:\]|\Z)')
_DATE_LETTERS = re.compile(r"[dy]|mmm|h:?mm|m:?ss|\bm/|ge|\bm\b", re.IGNORECASE)
_REFERENCE = re.compile(
    r"(?P<sheet>'(?:[^']|'')+'|[^'!,()]+)!\$?(?P<c1>[A-Z]{1,3})\$?(?P<r1>\d{1,7})(?::\$?(?P<c2>[A-Z]{1,3})\$?(?P<r2>\d{1,7}))?"
)
_MAX_REFERENCES = 12


@dataclass
class PointBudget:
    """How many more slots a chart may open for points it does not hold: a point index is a number anyone can write,
    and one point of index two thousand million must not cost memory."""

    left: int = 4_000_000

    def reserve(self, wanted: int) -> int:
        """`wanted` slots, or 0 when they are more than is left."""
        if wanted > self.left:
            return 0
        self.left -= wanted
        return wanted


def number(value: str | float | None) -> float | None:
    """A finite number, or None for a gap, an error ("#N/A") or words."""
    if value is None:
        return None
    try:
        result = float(value)
    except ValueError:
        return None
    return result if math.isfinite(result) else None


def points_of(
    points: Iterable[XmlElement], value: Callable[[XmlElement], str | None], room: PointBudget
) -> list[str | None]:
    """What stored points say, each at the place it names; places nobody names hold None."""
    found: list[str | None] = []
    for point in points:
        index = int(number(point.get("idx")) or 0)
        gap = index + 1 - len(found)
        if index < 0 or (gap > 0 and room.reserve(gap) < gap):
            continue
        found.extend([None] * gap)
        found[index] = value(point)
    return found


def number_text(value: float) -> str:
    """A number as a person writes it: no trailing ".0", no binary noise, exponent only where it is shorter."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.12g}"


def is_date_format(code: str) -> bool:
    """Whether a number format code (§18.8.31) shows dates or times."""
    bare = _LITERALS.sub("", code.partition(";")[0])
    return bool(bare) and "general" not in bare.lower() and bool(_DATE_LETTERS.search(bare))


def category_label(point: str | float | None, code: str, date1904: bool) -> str:
    """A category as text: dates as ISO 8601, numbers without noise, words as they are."""
    if point is None:
        return ""
    value = number(point)
    if value is None or (isinstance(point, str) and not code and not point.strip().endswith(".0")):
        return str(point).strip()
    return (is_date_format(code) and serial_iso(value, date1904=date1904, midnight=False)) or number_text(value)


def drawn_text(rich: XmlElement) -> str:
    """The text of a `CT_TextBody` as one line: runs joined, breaks and paragraphs as spaces."""
    words: list[str] = []
    for paragraph in rich.iterfind(f"{A}p"):
        for node in paragraph:
            if node.tag == f"{A}br":
                words.append(" ")
            elif isinstance(node.tag, str):
                words.append(node.findtext(f"{A}t") or "")
        words.append(" ")
    return " ".join("".join(words).split())


def source_of(references: Sequence[str]) -> str:
    """The references of a chart as one range ("Sheet1!A1:C5") when together they fill it, else as a list."""
    unique = list(dict.fromkeys(reference.strip().strip("()") for reference in references if reference))
    areas: list[tuple[int, int, int, int]] = []
    sheets: set[str] = set()
    for reference in unique:
        match = _REFERENCE.fullmatch(reference)
        if match is None:
            areas = []
            break
        sheets.add(match["sheet"])
        left, top = column_index(match["c1"]), int(match["r1"]) - 1
        areas.append((left, top, column_index(match["c2"] or match["c1"]), int(match["r2"] or match["r1"]) - 1))
    if areas and len(sheets) == 1:
        left, top = min(a[0] for a in areas), min(a[1] for a in areas)
        right, bottom = max(a[2] for a in areas), max(a[3] for a in areas)
        cells = sum((a[2] - a[0] + 1) * (a[3] - a[1] + 1) for a in areas)
        # The corner above the categories and beside the names is empty; everything else must be in use.
        if (right - left + 1) * (bottom - top + 1) - cells <= 1:
            first, last = cell_name(top, left), cell_name(bottom, right)
            return f"{sheets.pop()}!{first}" if first == last else f"{sheets.pop()}!{first}:{last}"
    return ", ".join(reference.replace("$", "") for reference in unique[:_MAX_REFERENCES])
