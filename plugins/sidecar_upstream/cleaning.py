"""Makes what a server says fit to be shown: texts, MIME types, entries of its lists, contents of its resources.

Everything is taken for hostile: types are checked, lengths bounded, control characters removed, and what a content
item is, is decided by its bytes rather than by what the server claims. Pure.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, TypeGuard, cast

import msgspec

from sidecar.api import UnavailableError
from sidecar_upstream.addresses import LONGEST
from sidecar_upstream.records import Entry, Form, Item

__all__ = ["beginning", "clean", "clean_entry", "clean_form", "clean_items", "is_textual"]

NAME_CHARS = 200
DESCRIPTION_CHARS = 500
BEGINNING_CHARS = 100
_LARGEST_SIZE = 2**53 - 1
_MOST_ITEMS = 1000

_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,80}/[A-Za-z0-9!#$&^_.+-]{1,80}(\s*;[ -~]{0,80})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters but tab and line feed; marks that reorder text, which can make one name look like another."""
_PICTURES: Mapping[str, tuple[bytes, ...]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}


def clean(value: object, most: int, *, lines: bool = False) -> str:
    """At most `most` characters that can be shown; "" for anything but a text. One line unless `lines`."""
    if not isinstance(value, str):
        return ""
    text = _UNSEEN.sub(" ", value[: most * 4])
    text = text.strip() if lines else " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def clean_entry(raw: object) -> Entry | None:
    """An entry of `resources/list`; None when there is no usable URI in it."""
    fields = _fields(raw)
    uri = fields.get("uri")
    if not _usable(uri):
        return None
    annotations = _fields(fields.get("annotations"))
    modified = annotations.get("lastModified")
    size = fields.get("size")
    return Entry(
        uri=uri,
        name=clean(fields.get("name"), NAME_CHARS) or clean(uri, NAME_CHARS),
        title=clean(fields.get("title"), NAME_CHARS),
        description=clean(fields.get("description"), DESCRIPTION_CHARS, lines=True),
        media_type=_media_type(fields.get("mimeType")),
        size=size if type(size) is int and 0 <= size <= _LARGEST_SIZE else None,
        modified=modified if isinstance(modified, str) and _DATE.fullmatch(modified) else "",
    )


def clean_form(raw: object) -> Form | None:
    """An entry of `resources/templates/list`; None when there is no usable template in it."""
    fields = _fields(raw)
    template = fields.get("uriTemplate")
    if not _usable(template) or template.count("{") != template.count("}"):
        return None
    return Form(
        uri_template=template,
        name=clean(fields.get("name"), NAME_CHARS) or clean(template, NAME_CHARS),
        title=clean(fields.get("title"), NAME_CHARS),
        description=clean(fields.get("description"), DESCRIPTION_CHARS, lines=True),
        media_type=_media_type(fields.get("mimeType")),
    )


def clean_items(contents: list[Any], uri: str, max_bytes: int) -> tuple[Item, ...]:
    """The content items of a `resources/read`, each with what it really is.

    Raises:
        UnavailableError: they are larger than `max_bytes` together, or one cannot be decoded.
    """
    if len(contents) > _MOST_ITEMS:
        raise UnavailableError(f"its answer has {len(contents):,} parts, more than {_MOST_ITEMS:,}")
    left = max_bytes
    items: list[Item] = []
    for raw in contents:
        item = _item(_fields(raw), uri)
        left -= len(item.data) if item.data is not None else len(item.text or "")
        if left < 0:
            raise UnavailableError(f"its answer is larger than {max_bytes:,} bytes (max_bytes)")
        items.append(item)
    return tuple(items)


def beginning(items: tuple[Item, ...]) -> str:
    """The first characters of a text, as the description of a resource that has none; "" for anything else."""
    text = items[0].text if items else None
    if not text or not text.strip():
        return ""
    return _UNSEEN.sub(" ", text[:BEGINNING_CHARS]) + ("..." if len(text) > BEGINNING_CHARS else "")


def is_textual(media_type: str) -> bool:
    """Whether a resource of that type may be expected to be text; unnamed types may."""
    kind = media_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("json", "xml", "yaml", "toml", "javascript"))


def _item(fields: Mapping[str, Any], uri: str) -> Item:
    own = fields.get("uri")
    if not isinstance(own, str):
        raise UnavailableError("its answer is not valid MCP")
    own = own if _usable(own) else uri
    media_type = _media_type(fields.get("mimeType"))
    text, blob = fields.get("text"), fields.get("blob")
    if isinstance(text, str):
        return Item(own, _text_type(media_type, text), text=text.encode("utf-8", "replace").decode())
    if not isinstance(blob, str):
        raise UnavailableError("its answer holds neither text nor blob")
    try:
        data = base64.b64decode(blob, validate=True)
    except (binascii.Error, ValueError):
        raise UnavailableError("its answer holds a blob that is not base64") from None
    if media_type and is_textual(media_type):
        # Said to be text, sent as bytes: text it is where it can be read as such.
        try:
            decoded = data.decode("utf-8")
        except UnicodeDecodeError:
            return Item(own, "application/octet-stream", data=data)
        if "\0" not in decoded:
            return Item(own, _text_type(media_type, decoded), text=decoded)
    return Item(own, _picture_type(media_type or "application/octet-stream", data), data=data)


def _text_type(media_type: str, text: str) -> str:
    kind = media_type.partition(";")[0].strip().lower()
    if kind.endswith("json"):
        try:
            msgspec.json.decode(text, type=msgspec.Raw)  # checks it without building what it says
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return "text/plain"
    if kind in _PICTURES or kind.startswith(("audio/", "video/")) or kind == "application/octet-stream":
        return "text/plain"
    return media_type or "text/plain"


def _picture_type(media_type: str, data: bytes) -> str:
    """A picture under a wrong type makes model providers refuse the whole conversation."""
    kind = media_type.partition(";")[0].strip().lower()
    if kind not in _PICTURES:
        return media_type
    for real, marks in _PICTURES.items():
        if data.startswith(marks) and (real != "image/webp" or data[8:12] == b"WEBP"):
            return real
    return "application/octet-stream"


def _usable(uri: object) -> TypeGuard[str]:
    return isinstance(uri, str) and 0 < len(uri) <= LONGEST and not any(map(_is_control, uri))


def _is_control(character: str) -> bool:
    return character < " " or (character > "~" and unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"})


def _media_type(value: object) -> str:
    return value if isinstance(value, str) and _MEDIA_TYPE.fullmatch(value) else ""


def _fields(raw: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], raw) if isinstance(raw, dict) else {}
