"""Conventions of Word that all its formats keep: what a style's name stands for, dates packed into 32 bits, the
instruction of a field, paragraphs of nothing but equations; and legacy form fields: a text to type, a box to check,
entries to choose from (ECMA-376 part 1 §17.16.17; [MS-DOC] 2.9.78; RTF 1.9.1, "Form Fields")."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sidecar.api.model import Equation, Note, Span
from sidecar.toolkit.word.symbols import symbol

OFF_PAGE = -4_000
"""Twips to the left of or above a place from which nothing is on the page."""
FARTHEST_RAISED = 1_000
"""Half-points by which words are raised off every page."""

FormKind = Literal["text", "checkbox", "dropdown"]
KINDS: tuple[FormKind, ...] = ("text", "checkbox", "dropdown")
"""By the number that files have for them."""
UNANSWERED = 25
"""The value of a field that nobody has answered: its default holds."""


@dataclass
class FormField:
    """A field of a form. `value` is the number of the entry chosen, or whether the box is checked."""

    kind: FormKind = "text"
    name: str = ""
    default: str = ""
    value: int = 0
    choices: list[str] = field(default_factory=list[str])
    help: list[str] = field(default_factory=list[str])
    """What is said of it in the line of status and when somebody asks."""

    def shown(self) -> str:
        """What the field shows where no result is stored."""
        if self.kind == "checkbox":
            return "☒" if self.value else "☐"
        if self.kind == "dropdown":
            return self.choices[self.value] if 0 <= self.value < len(self.choices) else ""
        return self.default

    def note(self, shown: str) -> Note | None:
        """What the field says besides the value `shown`; None for nothing."""
        texts = [*self.choices, self.default, *self.help]
        words = ", ".join(dict.fromkeys(word for word in texts if word and word != shown))
        return Note(kind="form", text=words, target=self.name) if words else None


_ROLES = (("quot", "quote"), ("caption", "caption"), ("subtitle", "subtitle"), ("title", "title"), ("toc ", "toc"))
_ARGUMENT = re.compile(r'(?:\\([a-z])\s*)?(?:"([^"]*)"|([^\s"\\]+))|\\[a-z]', re.IGNORECASE)
"""An argument of a field's instruction, and the switch it belongs to."""

_RUBY = re.compile(r"\\o(?:\\a[clrd])?\s*\(\s*\\s\s*\\up\s*\d+\s*\(([^()]*+)\)\s*+[,;]\s*+([^()]*+)\)", re.IGNORECASE)
"""Reading and word of what Word before 2000 laid over a word (ECMA-376 part 1 §17.16.5.17, EQ)."""

_RAISED = re.compile(r"\\s\s*\\(?:up|do|ai|di)\s*\d*\s*\(([^()]*)\)", re.IGNORECASE)
"""Text that an EQ field only raises or lowers."""
_LAST_SIGN = 0xFFFF
_WORDS = re.compile(r'"([^"]*)"|([^\s"]+)')
_MIN_OF_IF = 4
_COMPARISONS: Mapping[str, Callable[[float], bool]] = {
    "=": lambda order: order == 0, "<>": lambda order: order != 0, "<": lambda order: order < 0,
    ">": lambda order: order > 0, "<=": lambda order: order <= 0, ">=": lambda order: order >= 0,
}  # fmt: skip
"""By what the first is more than the second."""


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


def field_text(instruction: str) -> str:
    """What a field shows that has no result beside its instruction: a button its words, a sign that is told by number,
    a text that is quoted or chosen by comparing, an equation its source or, where it lays a reading over a word, both;
    "" for any other field."""
    name, _, rest = instruction.strip().partition(" ")
    if name.upper() in ("MACROBUTTON", "GOTOBUTTON"):
        return rest.strip().partition(" ")[2].strip()
    if name.upper() in _FIELD_RESULTS:
        return _FIELD_RESULTS[name.upper()](rest)
    if name.upper() != "EQ":
        return ""
    ruby = _RUBY.search(rest)
    return f"{ruby[2].strip()}({ruby[1].strip()})" if ruby else _RAISED.sub(r"\1", rest).strip()


def _sign(instruction: str) -> str:
    """The character that a SYMBOL field tells by its number and font (ECMA-376 part 1 §17.16.5.63)."""
    number, font = "", ""
    for switch, quoted, bare in _ARGUMENT.findall(instruction):
        if switch.lower() == "f":
            font = quoted or bare
        elif not switch and not number:
            number = bare or quoted
    try:
        code = int(number, 0)
    except ValueError:
        return ""
    return symbol(code, font) if 0 < code <= _LAST_SIGN else ""


def _quoted(instruction: str) -> str:
    """The text that a QUOTE field quotes."""
    return next((quoted or bare for quoted, bare in _WORDS.findall(instruction)), "")


def _chosen(instruction: str) -> str:
    """The text that an IF field shows (ECMA-376 part 1 §17.16.5.22), where it compares what stands in it."""
    words = [quoted or bare for quoted, bare in _WORDS.findall(instruction)]
    if len(words) < _MIN_OF_IF or words[1] not in _COMPARISONS:
        return ""
    left, right, *texts = words[0], *words[2:]
    try:
        order = float(left) - float(right)
    except ValueError:
        order = float((left > right) - (left < right))
    holds = _COMPARISONS[words[1]](order)
    return texts[0] if holds else "".join(texts[1:2])


_FIELD_RESULTS: Mapping[str, Callable[[str], str]] = {"SYMBOL": _sign, "QUOTE": _quoted, "IF": _chosen}


_NUMBERED = re.compile(r"[(\[]?\s*[A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,3}[a-z]?\s*[)\]]?")


def number_beside(outside: str) -> str | None:
    """The number of a displayed equation, by all that stands in its paragraph besides: "" where that is nothing, None
    where it is more than a number."""
    outside = " ".join(outside.split()).strip(" .,;")
    return outside if not outside or _NUMBERED.fullmatch(outside) else None


def displayed_equations(text: str, spans: tuple[Span, ...], anchor: str) -> list[Equation]:
    """The equations of a paragraph that holds nothing else but perhaps their number; [] for any other."""
    maths = [span for span in spans if span.kind == "math"]
    rest: list[str] = []
    at = 0
    for span in maths:
        rest.append(text[at : span.start])
        at = span.end
    number = number_beside("".join(rest) + text[at:]) if maths else None
    if number is None:
        return []
    return [
        Equation(
            text=text[span.start : span.end], latex=span.value, label=number if span is maths[-1] else "", anchor=anchor
        )
        for span in maths
    ]
