"""Form fields of a page and what they show, where they stand (ISO 32000-1, 12.7.4). Not responsible for the labels
printed beside them (`forms`)."""

import ctypes
import re
from dataclasses import dataclass, field
from itertools import accumulate

from sidecar.api import Box, Note
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.text.segments import COVERED, SOFT_HYPHEN, Word

_BUTTON, _CHECKBOX, _RADIO, _COMBO, _LIST, SIGNATURE = 1, 2, 3, 4, 5, 7
"""pdfium's numbers of the kinds of fields."""
_MULTILINE, _PASSWORD = 1 << 12, 1 << 13
"""Flags of a text field (ISO 32000-1, table 228)."""
_MAX_CHOICES = 200
"""Of a field."""
_SHOWS_TEXT = re.compile(r"T[jJ]|['\"]|\bDo\b")
"""Operators that show text, and that which draws a form (ISO 32000-2, 9.4.3 and 8.8)."""
_OFF = frozenset(("", "Off"))
"""The state of a box that is not ticked (ISO 32000-1, 12.7.4.2.3)."""
CHECKED, UNCHECKED = "[x]", "[ ]"

# How a value is set that no appearance shows.
_LARGEST, _USUAL, _HEIGHT = 12.0, 10.0, 0.7  # points, of one line and of several; of the height of a field
_LETTER = 0.5  # ems that a letter is wide
_LEADING = 1.15  # times the size of type
_INSET = 2.0  # points


@dataclass
class FormField:
    """A field that can be seen: a box or circle to tick, or one that shows `value`, with its place on the page."""

    box: Box
    summary: str = ""
    """It with its name, for where the page has no label for it; "" where that says nothing."""
    name: str = ""
    value: str = ""
    mark: bool = False
    checked: bool = False
    several: bool = False
    """Whether its value may have several lines."""
    drawn: bool = False
    """Whether an appearance may show its value."""
    regenerated: bool = False
    size: float = 0.0
    """Of its type, in points; 0 where its height tells it."""
    shown: list[Word] = field(default_factory=list[Word])
    """The words of its appearance."""
    note: Note | None = None

    def lines(self) -> list[list[Word]]:
        """What a reader sees in it, word by word where it stands: as its appearance shows it where that is its value,
        or another form of it; its value elsewhere, as of a line that is longer than the field."""
        if self.mark:
            return [[Word(CHECKED if self.checked else UNCHECKED, *self.box, NO_STYLE, joined=False)]]
        self.shown = [word for word in self.shown if word.style.mode != COVERED]
        value, shown = _letters(self.value), _letters("".join(word.text for word in self.shown))
        if shown and value == shown:
            tokens = self.value.split()
            if len(tokens) != len(self.shown) and not self.several:  # in combs each letter stands for itself
                return [_spread(tokens, bounding_box(word[1:5] for word in self.shown))]
            return _by_line(self.shown)
        if shown and not (shown in value or (value and self.regenerated)):
            return _by_line(self.shown)
        return self._set()

    def _set(self) -> list[list[Word]]:
        """The value in lines of its own."""
        left, top, right, bottom = self.box
        width, height = max(right - left - 2 * _INSET, 1.0), max(bottom - top, 1.0)
        size = self.size or (_USUAL if self.several else min(_HEIGHT * height, _LARGEST))
        if not self.several:
            tokens = self.value.split()
            middle, tall = (top + bottom) / 2, min(_LEADING * size, height) / 2
            across = min(width, _LETTER * size * len(" ".join(tokens)))
            return [_spread(tokens, (left + _INSET, middle - tall, left + _INSET + across, middle + tall))]
        lines = _wrapped(self.value, max(int(width / (_LETTER * size)), 1))
        lead = min(_LEADING * size, height / max(len(lines), 1))
        found: list[list[Word]] = []
        for at, tokens in enumerate(lines):
            across = min(width, _LETTER * size * len(" ".join(tokens)))
            y = top + at * lead
            found.append(_spread(tokens, (left + _INSET, y, left + _INSET + across, y + lead)))
        return found


def read_field(document: Opened, annotation: int, box: Box) -> FormField | None:
    """The field of a widget; None where it is a button."""
    forms = document.forms
    if not forms:
        return _read_widget(annotation, box)
    kind = raw.field_type(forms, annotation)
    if kind in {_BUTTON, -1, 0}:
        return None
    name = raw.string(raw.field_name, forms, annotation).strip()
    label = raw.string(raw.field_alternate, forms, annotation).strip() or name
    found = FormField(box, name=name if label != name else "")
    if kind in {_CHECKBOX, _RADIO}:
        found.mark, state = True, _state(document, annotation, several=kind == _RADIO)
        found.checked = state not in _OFF
        value = state if kind == _RADIO else "checked" if found.checked else "not checked"
        found.summary = "" if kind == _RADIO and not found.checked else f"{label}: {value}"
    else:
        found.value = value = raw.string(raw.field_value, forms, annotation).strip()
        flags = raw.field_flags(forms, annotation)
        found.several = bool(flags & _MULTILINE) and kind not in {_COMBO, _LIST, SIGNATURE}
        if kind == SIGNATURE:
            value, found.several = value or "signature field", True
        elif kind in {_COMBO, _LIST}:
            found.value, value = _choice(forms, annotation, value)
        elif flags & _PASSWORD:
            found.value = ""
        size = ctypes.c_float()
        found.size = size.value if raw.field_size(forms, annotation, size) and size.value > 0 else 0.0
        found.drawn = kind != _LIST and may_show_text(annotation)
        found.regenerated = bool(found.value) and document.regenerated
        found.summary = f"{label}: {value}".rstrip()
    found.summary = found.summary if label else ""
    return found


def _read_widget(annotation: int, box: Box) -> FormField | None:
    """What the widget of a page shows that was taken out of its form, by its own entries: a box with a state, or a
    value; None of others."""
    kind, value, state, name, alternate = (
        raw.string(raw.annotation_string, annotation, key).strip() for key in (b"FT", b"V", b"AS", b"T", b"TU")
    )
    label = alternate or name
    found = FormField(box, name=name if label != name else "")
    if kind == "Btn" and state:
        found.mark, found.checked = True, state not in _OFF
        value = "checked" if found.checked else "not checked"
    elif kind in {"Tx", "Ch"} and value:
        found.value, found.drawn = value, may_show_text(annotation)
    else:
        return None
    found.summary = f"{label}: {value}" if label else ""
    return found


def _state(document: Opened, annotation: int, *, several: bool) -> str:
    """The state of a box or circle to tick: that of its appearance, or its value where that is to be drawn anew; the
    value of `several` does not tell which of them it is of. pdfium's own answer needs the page of a viewer."""
    state = raw.string(raw.annotation_string, annotation, b"AS")
    if several or (state and state != "Off") or (state and not document.regenerated):
        return state
    return raw.string(raw.field_value, document.forms, annotation)


def may_show_text(annotation: int) -> bool:
    """Whether the appearance of an annotation shows text, or draws what may: one of a field that is not filled in has
    nothing but its frame, and reading the page once more costs time."""
    appearance = raw.octets(raw.annotation_appearance, annotation, 0).decode("utf-16-le", "replace")
    return _SHOWS_TEXT.search(appearance) is not None


def _choice(forms: int, annotation: int, value: str) -> tuple[str, str]:
    """What is chosen in a list, and the same with what there is to choose from (ISO 32000-1, 12.7.4.4)."""
    labels: list[str] = []
    chosen: list[str] = []
    for at in range(min(raw.option_count(forms, annotation), _MAX_CHOICES)):
        label = raw.string(raw.option_label, forms, annotation, at).strip()
        if label:
            labels.append(label)
            if raw.option_selected(forms, annotation, at) == 1:
                chosen.append(label)
    shown = ", ".join(chosen) or value
    return shown, f"{shown} (choices: {', '.join(labels)})".strip() if labels else shown


def _letters(text: str) -> str:
    """A text without what its lines are broken by."""
    return "".join(text.replace(SOFT_HYPHEN, "-").split())


def _wrapped(value: str, most: int) -> list[list[str]]:
    """The words of each line of a value, of at most so many letters."""
    lines: list[list[str]] = []
    for paragraph in value.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        line: list[str] = []
        length = 0
        for word in paragraph.split():
            if line and length + len(word) > most:
                lines.append(line)
                line, length = [], 0
            line.append(word)
            length += len(word) + 1
        if line:
            lines.append(line)
    return lines


def _spread(tokens: list[str], box: Box) -> list[Word]:
    """Words one after the other over the width of a box."""
    left, top, right, bottom = box
    step = (right - left) / max(len(" ".join(tokens)), 1)
    starts = accumulate((len(token) + 1 for token in tokens), initial=0)
    return [
        Word(token, left + step * start, top, left + step * (start + len(token)), bottom, NO_STYLE, joined=False)
        for start, token in zip(starts, tokens, strict=False)
    ]


def _by_line(words: list[Word]) -> list[list[Word]]:
    """Words as read, in lines."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and word.y0 < (lines[-1][-1].y0 + lines[-1][-1].y1) / 2 < word.y1:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines
