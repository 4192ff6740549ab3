"""Annotations of a page: links (as targets for the text they cover), remarks with their author, and where its form
fields stand (ISO 32000-1, 12.5 and 12.7)."""

from dataclasses import dataclass, field

from msgspec.structs import replace

from sidecar.api import Box, Note
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import area
from sidecar_pdf.pdfium.info import Attachment, iso_date, read_attachment
from sidecar_pdf.pdfium.pages import Opened, annotation_at
from sidecar_pdf.text.appearances import LoadedPage, read_appearances
from sidecar_pdf.text.fields import SIGNATURE, FormField, may_show_text, read_field
from sidecar_pdf.text.segments import COVERED, SOFT_HYPHEN, Segment, Word

Link = tuple[Box, str]
"""Where a link can be clicked, and its target."""

_LINK, _FREE_TEXT, _POPUP, _WIDGET, _FILE = 2, 3, 16, 20, 17
_HIDDEN_FLAGS = 2 | 32
_MARKUP = frozenset((9, 10, 11, 12))  # highlight, underline, squiggly, strike-out
_WRITTEN = frozenset((3, 13))  # free text, stamp: what they say may be in their appearance alone
_MAX_MARKED = 600  # characters of marked text
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
    """Remarks, and form fields that cannot be seen; `target` of a remark is the text it marks."""
    silent: list[tuple[Box, Note]] = field(default_factory=list[tuple[Box, Note]])
    """Remarks, with their place on the page as read, of which only their appearance says what they say."""
    filled: list[FormField] = field(default_factory=list[FormField])
    """Form fields that show something."""
    files: list[Attachment] = field(default_factory=list[Attachment])
    """Files that annotations hold."""
    fields: list[Box] = field(default_factory=list[Box])
    """Where form fields stand on the page as read, whose frames are not drawings."""


def read_annotations(page: LoadedPage, segments: list[Segment]) -> PageAnnotations:
    """The annotations of a page. `segments` is its text, to quote what a remark marks."""
    found = PageAnnotations()
    for index in range(min(raw.count_annotations(page.handle), _MAX_ANNOTATIONS)):
        with annotation_at(page.handle, index) as annotation:
            if annotation:
                _read(page, annotation, f"{page.number}-{index}", segments, found)
    drawn = [one for one in found.filled if one.drawn]
    boxes = [*(box for box, _ in found.silent), *(one.box for one in drawn)]
    words = read_appearances(page, boxes)
    for seen, (_, note) in zip(words, found.silent, strict=False):
        if seen:
            found.notes.append(replace(note, text=" ".join(w.text for w in seen), hidden=_are_unseen(seen)))
    for seen, one in zip(words[len(found.silent) :], drawn, strict=True):
        one.shown = seen
        if seen and _are_unseen(seen):
            found.filled.remove(one)
            text = one.summary if one.value else f"{one.summary} {' '.join(w.text for w in seen)}"
            found.notes += [replace(one.note, text=text.strip(), hidden=True)] if one.note else []
    return found


def has_words(page: int) -> bool:
    """Whether the page has annotations that may say something: others than links, and the windows of remarks."""
    for index in range(min(raw.count_annotations(page), _MAX_ANNOTATIONS)):
        with annotation_at(page, index) as annotation:
            if annotation and raw.annotation_subtype(annotation) not in {_LINK, _POPUP}:
                return True
    return False


def _are_unseen(words: list[Word]) -> bool:
    return all(word.style.mode == COVERED for word in words)


def _read(page: LoadedPage, annotation: int, name: str, segments: list[Segment], found: PageAnnotations) -> None:
    document, number, frame = page.document, page.number, page.frame
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
        entry = read_field(document, annotation, box)
        if entry is not None:
            note = Note(
                kind="form", text=entry.summary, id=name, target=entry.name, page=number, box=shown, hidden=hidden
            )
            _take_field(entry, note, found, unseen=hidden or off)
        return
    contents = _text(annotation, b"Contents")
    marked = _marked(segments, box) if kind in _MARKUP else ""
    silent = kind in _WRITTEN and not contents and not hidden and may_show_text(annotation)
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


def _take_field(entry: FormField, note: Note, found: PageAnnotations, *, unseen: bool) -> None:
    """A form field: what it says is words of the page where seen, else a note, but for what is unticked or a label."""
    entry.note = note if entry.summary else entry.note
    if not unseen:
        found.filled.append(entry)
    elif entry.note and not entry.mark and not entry.summary.endswith(":"):
        found.notes.append(entry.note)


def _is_on_page(document: Opened, annotation: int, kind: int) -> bool:
    """Whether an annotation is seen where it stands and nowhere else, as free text and fields are; signatures, which
    may have no place, hold for all of a document."""
    if kind == _WIDGET:
        return not document.forms or raw.field_type(document.forms, annotation) != SIGNATURE
    return kind == _FREE_TEXT


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


def _marked(segments: list[Segment], box: tuple[float, float, float, float]) -> str:
    """The words under a marking."""
    words = [
        word.text for segment in segments for word in segment.words
        if box[0] - 1 <= (word.x0 + word.x1) / 2 <= box[2] + 1 and box[1] - 1 <= (word.y0 + word.y1) / 2 <= box[3] + 1
    ]  # fmt: skip
    return " ".join(words)[:_MAX_MARKED].replace(f"{SOFT_HYPHEN} ", "").replace(SOFT_HYPHEN, "-")
