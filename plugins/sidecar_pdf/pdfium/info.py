"""Facts about the whole file: metadata, outline, page labels, attachments (ISO 32000-1, 14.3, 12.3.3, 12.4.2 and
7.11.4)."""

import ctypes
import mimetypes
import re
from dataclasses import dataclass

from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.pages import Opened

_DATE = re.compile(r"D?:?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([Zz+\-])?(\d\d)?'?(\d\d)?")
_KEYS = (
    (b"Author", "author"), (b"Subject", "subject"), (b"Keywords", "keywords"), (b"Creator", "creator"),
    (b"Producer", "producer"), (b"CreationDate", "created"), (b"ModDate", "modified"),
)  # fmt: skip
_MAX_OUTLINE = 20_000
_MAX_OUTLINE_DEPTH = 12


@dataclass(frozen=True)
class OutlineItem:
    """An entry of the document outline (ISO 32000-2, 12.3.3); `level` from 1."""

    title: str
    level: int
    page: int
    """0-based; -1 where the entry leads to no page."""


@dataclass(frozen=True)
class Attachment:
    """An embedded file (ISO 32000-2, 7.11.4), `size` in bytes. `place` is "3" for the fourth of the document's,
    "2:5" for that of the sixth annotation of page 2."""

    place: str
    name: str
    media_type: str
    size: int


def _as_meant(text: str) -> str:
    """A title some writers give as UTF-8 without saying so (ISO 32000-2, 7.9.2.2.1 wants a byte order mark), which
    then comes out as two or three Latin letters for each accented one."""
    try:
        return text.encode("latin-1").decode("utf-8") if not text.isascii() else text
    except UnicodeError:
        return text


def iso_date(text: str) -> str:
    """A PDF date (ISO 32000-1, 7.9.4) as ISO 8601; text that is none comes back as it is."""
    match = _DATE.match(text.strip())
    if match is None:
        return text.strip()
    year, month, day, hour, minute, second, sign, off_hours, off_minutes = match.groups()
    date = f"{year}-{month or '01'}-{day or '01'}"
    if hour is None:
        return date
    zone = "" if sign is None else "Z" if sign in "Zz" else f"{sign}{off_hours or '00'}:{off_minutes or '00'}"
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{zone}"


def read_metadata(document: Opened) -> tuple[str, dict[str, str]]:
    """`(title, metadata)`; empty entries are left out."""
    handle = document.handle
    metadata: dict[str, str] = {}
    for key, name in _KEYS:
        value = " ".join(raw.string(raw.meta_text, handle, key).split())
        if value:
            metadata[name] = iso_date(value) if name in {"created", "modified"} else value
    version = ctypes.c_int()
    if raw.file_version(handle, version) and version.value:
        metadata["pdf_version"] = f"{version.value // 10}.{version.value % 10}"
    language = raw.string(raw.language, handle).strip()
    if language:
        metadata["language"] = language
    metadata["pages"] = str(document.pages)
    return " ".join(raw.string(raw.meta_text, handle, b"Title").split()), metadata


def read_outline(document: Opened) -> list[OutlineItem]:
    """The bookmarks, flat, in order. Loops in the tree end at the limits of depth and number."""
    entries: list[OutlineItem] = []
    seen: set[int] = set()
    stack: list[tuple[int, int]] = [(raw.first_bookmark(document.handle, None) or 0, 1)]
    while stack and len(entries) < _MAX_OUTLINE:
        mark, level = stack.pop()
        if not mark or mark in seen:
            continue
        seen.add(mark)
        stack.append((raw.next_bookmark(document.handle, mark) or 0, level))
        title = " ".join(_as_meant(raw.string(raw.bookmark_title, mark)).split())
        dest = raw.bookmark_dest(document.handle, mark) or 0
        if not dest:
            action = raw.bookmark_action(mark) or 0
            dest = (raw.action_dest(document.handle, action) or 0) if action else 0
        if title:
            entries.append(OutlineItem(title, level, raw.dest_page(document.handle, dest) if dest else -1))
        if level < _MAX_OUTLINE_DEPTH:
            stack.append((raw.first_bookmark(document.handle, mark) or 0, level + 1))
    return entries


def page_label(document: Opened, index: int) -> str:
    """The page's own number ("iv", "A-3"), "" where the file gives none."""
    return raw.string(raw.page_label, document.handle, index).strip()


def read_attachments(document: Opened, limit: int) -> list[Attachment]:
    """Files embedded in the document; those whose bytes cannot be had are left out."""
    found: list[Attachment] = []
    for index in range(min(raw.attachment_count(document.handle), limit)):
        attachment = read_attachment(raw.get_attachment(document.handle, index) or 0, str(index))
        if attachment is not None:
            found.append(attachment)
    return found


def read_attachment(handle: int, place: str) -> Attachment | None:
    """What is told of an attached file; None where there is none, or its bytes cannot be had."""
    size = ctypes.c_ulong()
    if not handle or not raw.attachment_file(handle, None, 0, size):
        return None
    name = raw.string(raw.attachment_name, handle) or f"attachment-{place.replace(':', '-')}"
    declared = raw.string(raw.attachment_subtype, handle)
    media_type = declared if "/" in declared else mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Attachment(place, name, media_type, size.value)
