"""Fields (ECMA-376 part 1 §17.16): what a field code means for the text it shows, complex fields still open, and
what forms offer.

Only the shown result is text; the code goes into the span. Nothing is computed that Word has not stored."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from sidecar.api.model import Note
from sidecar.toolkit.word.conventions import FormField, field_text
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.qualified_names import SDT_CONTENT, SDT_PR, VAL, W, decimal_attribute, is_on

_WORD = re.compile(r'"((?:\\.|[^"\\])*)"|“([^”]*)”|(\S+)')
_OWN_PROPERTIES = ("core-properties", "coreProperties", "extended-properties", "coverPageProps", "CoverPageProperties")
"""What is in the binding of a control to one of the document's own properties."""
_MAX_VALUE_CHARS = 80
"""Of a control's value beside its title; all of it stands in the text."""
_MAX_RUNS = 200
"""Runs of a control that its value is taken from."""
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

    form: FormField | None = None
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
    return FieldMeaning("field", code, field_text(code))


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


def legacy_form(data: XmlElement | None) -> FormField | None:
    """The legacy form field that `w:ffData` describes (§17.16.17)."""
    if data is None:
        return None
    typed = (node for tag in ("statusText", "helpText") for node in data.iterchildren(W + tag))
    # The name of an AutoText is no help.
    form = FormField(help=[node.get(VAL, "") for node in typed if node.get(f"{W}type") != "autoText"])
    name, box, choices = data.find(f"{W}name"), data.find(f"{W}checkBox"), data.find(f"{W}ddList")
    form.name = name.get(VAL, "") if name is not None else ""
    if box is not None:
        state = _first(box, "checked", "default")
        form.kind, form.value = "checkbox", int(state is not None and is_on(state.get(VAL)))
    elif choices is not None:
        chosen = _first(choices, "result", "default")
        form.kind, form.value = "dropdown", decimal_attribute(chosen.get(VAL)) if chosen is not None else 0
        form.choices = [entry.get(VAL, "") for entry in choices.iterchildren(f"{W}listEntry")]
    else:
        text = data.find(f"{W}textInput/{W}default")
        form.default = text.get(VAL, "") if text is not None else ""
    return form


def _first(node: XmlElement, *tags: str) -> XmlElement | None:
    return next((found for tag in tags if (found := node.find(W + tag)) is not None), None)


def form_note(control: XmlElement) -> Note | None:
    """What a drop-down content control offers (§17.5.2.15), or what one with a title (§17.5.2.1) holds, as a note; the
    value itself is in the text already. Controls that repeat the file's own properties have their names."""
    properties = child_of(control, SDT_PR)
    if properties is None:
        return None
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
    named, bound = child_of(properties, f"{W}alias"), child_of(properties, f"{W}dataBinding")
    title = named.get(VAL, "").strip() if named is not None else ""
    source = bound.get(f"{W}prefixMappings", "") + bound.get(f"{W}xpath", "") if bound is not None else ""
    content = child_of(control, SDT_CONTENT)
    if not title or content is None or any(name in source for name in _OWN_PROPERTIES):
        return None
    pieces = (node.text or "" if node.tag == f"{W}t" else " " for node in content.iter(f"{W}t", f"{W}p", f"{W}tab"))
    words = " ".join("".join(islice(pieces, _MAX_RUNS)).split())
    if len(words) > _MAX_VALUE_CHARS:
        words = words[: _MAX_VALUE_CHARS - 1] + "…"
    return Note(kind="form", text=words or "(empty)", target=title)
