"""Names of OpenDocument's vocabulary (ODF 1.3 part 3), and lengths and list numbers as it writes them."""

import re

from sidecar.toolkit.word.number_formats import format_number

_BASE = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE = f"{_BASE}office:1.0}}", f"{_BASE}text:1.0}}", f"{_BASE}table:1.0}}"
DRAW, STYLE, META = f"{_BASE}drawing:1.0}}", f"{_BASE}style:1.0}}", f"{_BASE}meta:1.0}}"
PRESENTATION = f"{_BASE}presentation:1.0}}"
DRAWOOO = "{http://openoffice.org/2010/draw}"
LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
FORM = f"{_BASE}form:1.0}}"
FO, SVG = f"{_BASE}xsl-fo-compatible:1.0}}", f"{_BASE}svg-compatible:1.0}}"
XLINK, DC = "{http://www.w3.org/1999/xlink}", "{http://purl.org/dc/elements/1.1/}"

_FORMS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)?$")
_UNITS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75, None: 1.0}


def points(length: str | None) -> float:
    """A length ("2.5cm") in points; 0 where there is none or it is relative."""
    found = _LENGTH.match((length or "").strip())
    return float(found[1]) * _UNITS[found[2]] if found and len(found[1]) < 40 else 0.0


def numeral(number: int, kind: str) -> str:
    """A list number in an ODF number format ("1", "a", "A", "i", "I")."""
    return format_number(number, _FORMS.get(kind, "decimal"))
