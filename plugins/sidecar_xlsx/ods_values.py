"""What cells of OpenDocument sheets hold, beside what they show (ODF 1.3 part 3 §19.386 office:value-type)."""

import re

from sidecar.toolkit.xml import XmlElement

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_VALUES = ("value", "date-value", "time-value", "boolean-value", "string-value")
_DURATION = re.compile(r"PT(?:(\d{1,6})H)?(?:(\d{1,2})M)?(?:(\d{1,2})(?:\.\d*)?S)?")


def value_of(cell: XmlElement, text: str) -> str | float | bool | None:
    """The value, where it says more than the text."""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in ("float", "percentage", "currency"):
        raw = cell.get(f"{_OFFICE}value", "")
        try:
            number = float(raw)
        except ValueError:
            return None
        return None if text in (raw, f"{number:.10g}") else number
    if kind == "date":
        raw = cell.get(f"{_OFFICE}date-value", "")
        return raw if raw != text else None
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") == "true"
    return None


def unshown(cell: XmlElement) -> str:
    """The value of a cell whose text the program left empty: what writes files without showing them does."""
    value = next((shown for kind in _VALUES if (shown := cell.get(f"{_OFFICE}{kind}"))), "")
    kind = cell.get(f"{_OFFICE}value-type")
    if kind == "boolean":
        return value.upper()
    if kind == "date":
        return value.replace("T", " ", 1)
    lasts = _DURATION.fullmatch(value) if kind == "time" else None
    if lasts is None:
        return value
    hours, minutes, seconds = lasts.groups(default="0")
    return f"{hours.zfill(2)}:{minutes.zfill(2)}:{seconds.zfill(2)}"
