"""Annotations of a page: links (as targets for the text they cover), remarks with their author, and form fields with
their values (ISO 32000-1, 12.5 and 12.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from msgspec.structs import replace

from sidecar.api import Box, Note
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Fonts
from sidecar_pdf.pdfium.geometry import PageFrame, area
from sidecar_pdf.pdfium.info import Attachment, iso_date, read_attachment
from sidecar_pdf.pdfium.pages import Opened, annotation_at
from sidecar_pdf.text.appearances import read_appearances
from sidecar_pdf.text.segments import SOFT_HYPHEN, Segment

Link = tuple[Box, str]
"""Where a link can be clicked, and its target."""

_LINK, _FREE_TEXT, _POPUP, _WIDGET, _FILE = 2, 3, 16, 20, 17
_HIDDEN_FLAGS = 2 | 32
_MARKUP = frozenset((9, 10, 11, 12))  # highlight, underline, squiggly, strike-out
_WRITTEN = frozenset((3, 13))  # free text, stamp: what they say may be in their appearance alone
_SHOWS_TEXT = re.compile(r"T[jJ]|['\"]|\bDo\b")
"""Operators that show text, and that which draws a form (ISO 32000-2, 9.4.3 and 8.8)."""
_BUTTON, _CHECKBOX, _RADIO, _COMBO, _LIST, _SIGNATURE = 1, 2, 3, 4, 5, 7
_MAX_CHOICES, _MAX_MARKED = 200, 600  # of a field; characters of marked text
_URI, _REMOTE, _LAUNCH = 3, 2, 4
_MAX_ANNOTATIONS = 5_000
_NAMES = {
    1: "note", 3: "text", 4: "line", 5: "square", 6: "circle", 7: "polygon", 8: "polyline", 9: "highlight",
    10: "underline", 11: "squiggly", 12: "strike-out", 13: "stamp", 14: "caret", 15: "ink", 17: "attached file",
}  # fmt: skip


@dataclass
class PageAnnotations:
    """What is noted on a page (ISO 32000-2, 12.5): links, remarks, form fields."""

    links: list[Link] = field(default_factory=list[Link])
    notes: list[Note] = field(default_factory=list[Note])
    """Remarks and form fields; `target` of a remark is the text it marks."""
    silent: list[tuple[Box, Note]] = field(default_factory=list[tuple[Box, Note]])
    """Remarks and fields, with their place on the page as read, of which only their appearance says what they say."""
    files: list[Attachment] = field(default_factory=list[Attachment])
    """Files that annotations hold."""
    fields: list[Box] = field(default_factory=list[Box])
    """Where form fields stand on the page as read, whose frames are no drawings."""


def read_annotations(
    document: Opened, page: int, number: int, frame: PageFrame, fonts: Fonts, segments: list[Segment]
) -> PageAnnotations:
    """The annotations of a page (1-based `number`). `segments` is its text, to quote what a remark marks."""
    found = PageAnnotations()
    for index in range(min(raw.count_annotations(page), _MAX_ANNOTATIONS)):
        with annotation_at(page, index) as annotation:
            if annotation:
                _read(document, annotation, f"{number}-{index}", number, frame, segments=segments, found=found)
    if found.silent:
        texts = read_appearances(document, page, number, frame, fonts, segments, [box for box, _ in found.silent])
        for text, (_, note) in zip(texts, found.silent, strict=True):
            if text:
                found.notes.append(replace(note, text=f"{note.text} {text}".strip()))
            elif note.text:
                found.notes.append(note)
    return found


def _read(
    document: Opened,
    annotation: int,
    name: str,
    number: int,
    frame: PageFrame,
    *,
    segments: list[Segment],
    found: PageAnnotations,
) -> None:
    kind = raw.annotation_subtype(annotation)
    rect = raw.Rect()
    if kind == _POPUP or not raw.annotation_rect(annotation, rect):
        return
    box = frame.box(
        min(rect.left, rect.right), min(rect.bottom, rect.top), max(rect.left, rect.right), max(rect.bottom, rect.top)
    )
    off = box[2] <= 0 or box[3] <= 0 or box[0] >= frame.width or box[1] >= frame.height or not area(box)
    hidden = bool(raw.annotation_flags(annotation) & _HIDDEN_FLAGS) or (off and _is_on_page(document, annotation, kind))
    if kind == _LINK:
        target = _link_target(document, annotation)
        if target:
            found.links.append((box, target))
        return
    shown = frame.shown(box)
    if kind == _FILE:
        attached = read_attachment(raw.annotation_file(annotation) or 0, name.replace("-", ":"))
        found.files += [attached] if attached else []
    if kind == _WIDGET:
        found.fields.append(box)
        text, label = _field(document, annotation)
        note = Note(kind="form", text=text, id=name, target=label, page=number, box=shown, hidden=hidden)
        if text.endswith(":") and not hidden and _may_show_text(annotation):
            found.silent.append((box, note))
        elif text:
            found.notes.append(note)
        return
    contents = _text(annotation, b"Contents")
    marked = _marked(segments, box) if kind in _MARKUP else ""
    silent = kind in _WRITTEN and not contents and not hidden and _may_show_text(annotation)
    if not contents and not marked and not silent:
        return
    note = Note(
        kind="annotation",
        text=contents or marked,
        id=_text(annotation, b"NM") or name,
        author=_text(annotation, b"T"),
        date=iso_date(_text(annotation, b"M") or _text(annotation, b"CreationDate")),
        target=marked or _NAMES.get(kind, ""),
        parent=_parent(annotation),
        page=number,
        box=shown,
        hidden=hidden,
    )
    if silent:
        found.silent.append((box, note))
    else:
        found.notes.append(note)


def _is_on_page(document: Opened, annotation: int, kind: int) -> bool:
    """Whether an annotation is seen where it stands and nowhere else, as free text and fields are; signatures, which
    may have no place, hold for all of a document."""
    if kind == _WIDGET:
        return not document.forms or raw.field_type(document.forms, annotation) != _SIGNATURE
    return kind == _FREE_TEXT


def _may_show_text(annotation: int) -> bool:
    """Whether the appearance of an annotation shows text, or draws what may: one of a field that is not filled in has
    nothing but its frame, and reading the page once more costs as much as the first time."""
    appearance = raw.octets(raw.annotation_appearance, annotation, 0).decode("utf-16-le", "replace")
    return _SHOWS_TEXT.search(appearance) is not None


def _text(annotation: int, key: bytes) -> str:
    return raw.string(raw.annotation_string, annotation, key).replace("\r\n", "\n").replace("\r", "\n").strip()


def _parent(annotation: int) -> str:
    """The name of the annotation this one answers (`/IRT`)."""
    linked = raw.annotation_linked(annotation, b"IRT") or 0
    if not linked:
        return ""
    try:
        return _text(linked, b"NM")
    finally:
        raw.close_annotation(linked)


def _link_target(document: Opened, annotation: int) -> str:
    link = raw.annotation_link(annotation) or 0
    if not link:
        return ""
    dest = raw.link_dest(document.handle, link) or 0
    if not dest:
        action = raw.link_action(link) or 0
        if not action:
            return ""
        kind = raw.action_type(action)
        if kind == _URI:
            return raw.string(raw.action_uri, document.handle, action, encoding="utf-8")
        if kind in {_REMOTE, _LAUNCH}:
            return raw.string(raw.action_file, action, encoding="utf-8")
        dest = raw.action_dest(document.handle, action) or 0
        if not dest:
            return ""
    page = raw.dest_page(document.handle, dest)
    return f"#page={page + 1}" if page >= 0 else ""


def _field(document: Opened, annotation: int) -> tuple[str, str]:
    """`("name: value", shown label)`; "" where the field is a button or a second radio button that is not chosen."""
    forms = document.forms
    if not forms:
        return "", ""
    kind = raw.field_type(forms, annotation)
    name = raw.string(raw.field_name, forms, annotation).strip()
    label = raw.string(raw.field_alternate, forms, annotation).strip()
    if kind in {_BUTTON, -1} or not (name or label):
        return "", ""
    if kind in {_CHECKBOX, _RADIO}:
        checked = bool(raw.field_checked(forms, annotation))
        if kind == _RADIO and not checked:
            return "", ""
        value = raw.string(raw.field_export, forms, annotation).strip() if kind == _RADIO else ""
        value = value or ("checked" if checked else "not checked")
    else:
        value = raw.string(raw.field_value, forms, annotation).strip()
        if kind == _SIGNATURE:
            value = value or "signature field"
        elif kind in {_COMBO, _LIST}:
            value = _choice(forms, annotation, value)
    return f"{label or name}: {value}".rstrip(), name if label and label != name else ""


def _choice(forms: int, annotation: int, value: str) -> str:
    """What is chosen in a list, and what there is to choose from (ISO 32000-1, 12.7.4.4)."""
    labels: list[str] = []
    chosen: list[str] = []
    for at in range(min(raw.option_count(forms, annotation), _MAX_CHOICES)):
        label = raw.string(raw.option_label, forms, annotation, at).strip()
        if label:
            labels.append(label)
            if raw.option_selected(forms, annotation, at) == 1:
                chosen.append(label)
    shown = ", ".join(chosen) or value
    return f"{shown} (choices: {', '.join(labels)})".strip() if labels else shown


def _marked(segments: list[Segment], box: tuple[float, float, float, float]) -> str:
    """The words under a marking."""
    words = [
        word.text for segment in segments for word in segment.words
        if box[0] - 1 <= (word.x0 + word.x1) / 2 <= box[2] + 1 and box[1] - 1 <= (word.y0 + word.y1) / 2 <= box[3] + 1
    ]  # fmt: skip
    return " ".join(words)[:_MAX_MARKED].replace(f"{SOFT_HYPHEN} ", "").replace(SOFT_HYPHEN, "-")
