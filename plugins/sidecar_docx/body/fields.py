"""Fields (ECMA-376 part 1 §17.16): what a field code means for the text it shows, complex fields still open, and
what forms offer.

Only the shown result is text; the code goes into the span. Nothing is computed that Word has not stored."""

import re
from dataclasses import dataclass, field
from typing import Literal

from sidecar.api.model import Note
from sidecar.toolkit.word.conventions import shown_by
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.qualified_names import VAL, W, is_on, whole

_WORD = re.compile(r'"((?:\\.|[^"\\])*)"|“([^”]*)”|(\S+)')
_REFERENCES = frozenset({"REF", "PAGEREF", "NOTEREF", "FTNREF"})
_SILENT = frozenset({"TOC", "INDEX", "XE", "TC", "RD", "TA", "TOA", "BIBLIOGRAPHY", "SET", "ADVANCE", "PRIVATE"})


@dataclass(frozen=True)
class FieldMeaning:
    """What a field code makes of its result: a span of `kind` with `value`, or none; `shown` stands for the result
    of fields Word stores none for."""

    kind: Literal["", "link", "field"] = ""
    value: str = ""
    shown: str = ""


@dataclass
class ComplexField:
    """One open complex field (§17.16.18). While `in_code`, text belongs to the code; `held` keeps what was
    visible text there, in case the field never ends. `start` is where the result begins in the paragraph being read."""

    form: XmlElement | None = None
    code: list[str] = field(default_factory=list[str])
    held: list[str] = field(default_factory=list[str])
    in_code: bool = True
    start: int = 0
    meaning: FieldMeaning = field(default_factory=FieldMeaning)


def meaning_of(code: str) -> FieldMeaning:
    """The meaning of a field code such as `HYPERLINK "https://…" \\l "top"`."""
    code = " ".join(code.split())
    words = [(match[1] or match[2] or match[3] or "").replace("\\\\", "\\") for match in _WORD.finditer(code)]
    if not words:
        return FieldMeaning()
    name = words[0].upper()
    if name == "HYPERLINK":
        return FieldMeaning("link", _target(words[1:]))
    if name in _REFERENCES:
        return FieldMeaning("link", f"#{words[1]}") if len(words) > 1 else FieldMeaning()
    if name in _SILENT:
        return FieldMeaning()
    return FieldMeaning("field", code, shown_by(code))


def _target(words: list[str]) -> str:
    url = anchor = ""
    skip = False
    for index, word in enumerate(words):
        if skip:
            skip = False
        elif word in {"\\l", "\\o", "\\t"}:
            if word == "\\l" and index + 1 < len(words):
                anchor = words[index + 1]
            skip = True
        elif not word.startswith("\\") and not url:
            url = word
    return f"{url}#{anchor}" if anchor else url


def form_value(form: XmlElement | None) -> str:
    """What a legacy form field (`w:ffData`) shows that has no stored result: a check box or the entry chosen."""
    if form is None:
        return ""
    box = form.find(f"{W}checkBox")
    if box is not None:
        state = box.find(f"{W}checked")
        if state is None:
            state = box.find(f"{W}default")
        return "☒" if state is not None and is_on(state.get(VAL)) else "☐"
    choices = form.find(f"{W}ddList")
    if choices is not None:
        entries = [entry.get(VAL, "") for entry in choices.iterchildren(f"{W}listEntry")]
        chosen = choices.find(f"{W}result")
        if chosen is None:
            chosen = choices.find(f"{W}default")
        index = whole(chosen.get(VAL)) if chosen is not None else 0
        return entries[index] if 0 <= index < len(entries) else ""
    text = form.find(f"{W}textInput/{W}default")
    return text.get(VAL, "") if text is not None else ""


def legacy_form_note(form: XmlElement, shown: str) -> Note | None:
    """What a legacy form field (§17.16.17) says besides the value `shown`: entries to choose from, the default text
    and the help that is typed."""
    said = [entry.get(VAL, "") for entry in form.iterfind(f"{W}ddList/{W}listEntry")]
    said += [node.get(VAL, "") for node in form.iterfind(f"{W}textInput/{W}default")]
    typed = (node for tag in ("statusText", "helpText") for node in form.iterchildren(W + tag))
    said += [node.get(VAL, "") for node in typed if node.get(f"{W}type") != "autoText"]  # else the name of a text
    words = ", ".join(dict.fromkeys(word for word in said if word and word != shown))
    name = form.find(f"{W}name")
    return Note(kind="form", text=words, target=name.get(VAL, "") if name is not None else "") if words else None


def form_note(properties: XmlElement) -> Note | None:
    """What a drop-down content control offers, as a note; its chosen value is in the text already (§17.5.2.15)."""
    for kind in ("dropDownList", "comboBox"):
        node = properties.find(W + kind)
        if node is None:
            continue
        items = [item.get(f"{W}displayText") or item.get(VAL, "") for item in node.iterchildren(f"{W}listItem")]
        title = properties.find(f"{W}alias")
        if title is None:
            title = properties.find(f"{W}tag")
        items = [item for item in items if item]
        if items:
            return Note(kind="form", text=", ".join(items), target=title.get(VAL, "") if title is not None else "")
    return None
