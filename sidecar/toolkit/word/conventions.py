"""Conventions of Word that all its formats keep: what a style's name stands for, dates packed into 32 bits, and the
instruction of a field."""

import re
from datetime import datetime

from sidecar.toolkit.word.symbols import symbol

_ROLES = (
    ("quot", "quote"), ("caption", "caption"), ("subtitle", "subtitle"), ("title", "title"), ("toc ", "toc"),
)  # fmt: skip
_ARGUMENT = re.compile(r'(?:\\([a-z])\s*)?(?:"([^"]*)"|([^\s"\\]+))|\\[a-z]', re.IGNORECASE)
"""An argument of a field's instruction, and the switch it belongs to."""

_RUBY = re.compile(r"\\o(?:\\a[clrd])?\s*\(\s*\\s\s*\\up\s*\d+\s*\(([^()]*)\)\s*[,;]\s*([^()]*)\)", re.IGNORECASE)
"""Reading and word of what Word before 2000 laid over a word (ECMA-376 part 1 §17.16.5.17, EQ)."""

_RAISED = re.compile(r"\\s\s*\\(?:up|do|ai|di)\s*\d*\s*\(([^()]*)\)", re.IGNORECASE)
"""Text that an EQ field only raises or lowers."""
_LAST_SIGN = 0xFFFF


def role(name: str) -> str:
    """The `Paragraph.style` that a style's name stands for."""
    lower = name.lower()
    return next((shown for word, shown in _ROLES if word in lower), "")


def moment(number: int) -> str:
    """A DTTM (MS-DOC 2.9.71; RTF 1.9.1, "Track Changes") as ISO 8601, "" where it is none.

    Minute, hour, day, month and years since 1900, in 32 bits."""
    bits = number & 0xFFFFFFFF
    year, month, day = 1900 + (bits >> 20 & 0x1FF), bits >> 16 & 0xF, bits >> 11 & 0x1F
    try:
        # Local to whoever wrote it; the file does not say where that was.
        return datetime(year, month, day, bits >> 6 & 0x1F, bits & 0x3F).isoformat(timespec="minutes")  # noqa: DTZ001
    except ValueError:
        return ""


def hyperlink(instruction: str) -> str:
    """The address that a HYPERLINK field leads to, "" for any other field."""
    name, _, rest = instruction.strip().partition(" ")
    if name.upper() != "HYPERLINK":
        return ""
    address = place = ""
    for switch, quoted, bare in _ARGUMENT.findall(rest):
        if switch.lower() == "l":
            place = quoted or bare
        elif not switch or switch.lower() in "mnh":  # these stand alone
            address = address or quoted or bare
    return address + (f"#{place}" if place else "")


def shown_by(instruction: str) -> str:
    """What a field shows that has no result beside its instruction: a button its words, a sign that is told by number,
    an equation its source or, where it lays a reading over a word, both; "" for any other field."""
    name, _, rest = instruction.strip().partition(" ")
    if name.upper() in ("MACROBUTTON", "GOTOBUTTON"):
        return rest.strip().partition(" ")[2].strip()
    if name.upper() == "SYMBOL":
        return _sign(rest)
    if name.upper() != "EQ":
        return ""
    ruby = _RUBY.search(rest)
    return f"{ruby[2].strip()}({ruby[1].strip()})" if ruby else _RAISED.sub(r"\1", rest).strip()


def _sign(told: str) -> str:
    """The character that a SYMBOL field tells by its number and font (ECMA-376 part 1 §17.16.5.63)."""
    number, font = "", ""
    for switch, quoted, bare in _ARGUMENT.findall(told):
        if switch.lower() == "f":
            font = quoted or bare
        elif not switch and not number:
            number = bare or quoted
    try:
        code = int(number, 0)
    except ValueError:
        return ""
    return symbol(code, font) if 0 < code <= _LAST_SIGN else ""
