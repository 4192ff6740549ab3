"""Resources of upstream servers: our URIs of them, and what servers say of them, made fit to be shown.

Everything is taken for hostile: types are checked, lengths bounded, control characters removed, and what a content
item is, is decided by its bytes rather than by what the server claims. Pure; a server's URI is never resolved by us.

`upstream://{server}/{+uri}`: the server's URI follows as it is (RFC 6570 reserved expansion): only characters that a
URI may not hold are percent-encoded. So `upstream://files/file:///a%20b.txt` is the resource `file:///a b.txt` or
`file:///a%20b.txt` of the server `files`, whichever it listed."""

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from typing import TypeGuard, cast
from urllib.parse import quote, unquote

import msgspec

from sidecar.api import NotFoundError, ResourceContent, ResourceEntry, UnavailableError
from sidecar.toolkit.pictures import HEAD_BYTES, WEB_PICTURES, sniff_image
from sidecar.toolkit.text import UNSEEN, clean, is_textual, media_kind

SCHEME = "upstream"
_MAX_URI_CHARS = 4096
"""Characters of a server's URI that we list; a longer one is a mistake or an attack."""
_KEPT = "%:/?#[]@!$&'()*+,;=-._~"
_NAME_CHARS = 200
_DESCRIPTION_CHARS = 500
_BEGINNING_CHARS = 100
_MAX_SIZE = 2**53 - 1
_MAX_ITEMS = 1000
_OCTETS = "application/octet-stream"
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,80}/[A-Za-z0-9!#$&^_.+-]{1,80}(\s*;[ -~]{0,80})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def prefix(server: str) -> str:
    """What our URIs of that server begin with."""
    return f"{SCHEME}://{server}/"


def address(server: str, uri: str, kept: str = "") -> str:
    """Our URI (ASCII) of the server's resource; in that of a template braces are `kept`."""
    return prefix(server) + quote(uri, safe=_KEPT + kept, errors="replace")


def split_address(uri: str) -> tuple[str, str]:
    """The server's name and what follows it. Raises NotFoundError where it is not of that form."""
    scheme, _, rest = uri.strip().partition("://")
    server, slash, path = rest.partition("/")
    if scheme.lower() != SCHEME or not server or not slash or not path:
        raise NotFoundError(
            f"{uri[:80]} is incomplete; the form is upstream://{{server}}/{{uri of that server}}.", uri=uri
        )
    return unquote(server), path


def clean_entry(raw: object, key: str = "uri", mask: Callable[[str], str] = str) -> ResourceEntry | None:
    """An entry of `resources/list` or, with the key `uriTemplate`, of `resources/templates/list`; None when there is
    no usable URI in it. What people read of it is as `mask` gives it; the server needs its URI as it is."""
    fields = _fields(raw)
    uri = fields.get(key)
    if not _usable(uri) or (key != "uri" and uri.count("{") != uri.count("}")):
        return None
    modified = _fields(fields.get("annotations")).get("lastModified")
    size = fields.get("size")
    return ResourceEntry(
        uri=uri,
        name=mask(clean(fields.get("name"), _NAME_CHARS) or clean(uri, _NAME_CHARS)),
        title=mask(clean(fields.get("title"), _NAME_CHARS)),
        description=mask(clean(fields.get("description"), _DESCRIPTION_CHARS, lines=True)),
        media_type=_media_type(fields),
        size=size if type(size) is int and 0 <= size <= _MAX_SIZE else None,
        modified=modified if isinstance(modified, str) and _DATE.fullmatch(modified) else "",
    )


def clean_items(contents: list[object], uri: str, max_bytes: int) -> tuple[ResourceContent, ...]:
    """The content items of a `resources/read`, each with what it really is. Raises UnavailableError where they are
    larger than `max_bytes` together, or one cannot be decoded."""
    if len(contents) > _MAX_ITEMS:
        raise UnavailableError(f"its answer has {len(contents):,} parts, more than {_MAX_ITEMS:,}")
    left = max_bytes
    items: list[ResourceContent] = []
    for raw in contents:
        item = _item(_fields(raw), uri)
        left -= len(item.data) if item.data is not None else len(item.text or "")
        if left < 0:
            raise UnavailableError(f"its answer is larger than {max_bytes:,} bytes (max_bytes)")
        items.append(item)
    return tuple(items)


def beginning(items: tuple[ResourceContent, ...]) -> str:
    """The first characters of a text, as the description of a resource that has none; "" for anything else."""
    text = items[0].text if items else None
    if not text or not text.strip():
        return ""
    return UNSEEN.sub(" ", text[:_BEGINNING_CHARS]) + ("..." if len(text) > _BEGINNING_CHARS else "")


def _item(fields: Mapping[str, object], uri: str) -> ResourceContent:
    own, text, blob = fields.get("uri"), fields.get("text"), fields.get("blob")
    if not isinstance(own, str):
        raise UnavailableError("its answer is not valid MCP")
    own = own if _usable(own) else uri
    media_type = _media_type(fields)
    if isinstance(text, str):
        return ResourceContent(own, _text_type(media_type, text), text=text.encode("utf-8", "replace").decode())
    if not isinstance(blob, str):
        raise UnavailableError("its answer holds neither text nor blob")
    try:
        data = base64.b64decode(blob, validate=True)
    except (binascii.Error, ValueError):
        raise UnavailableError("its answer holds a blob that is not base64") from None
    if is_textual(media_type):
        # Said to be text, sent as bytes: text it is where it can be read as such.
        try:
            decoded = data.decode("utf-8")
        except UnicodeDecodeError:
            return ResourceContent(own, _OCTETS, data=data)
        if "\0" not in decoded:
            return ResourceContent(own, _text_type(media_type, decoded), text=decoded)
    return ResourceContent(own, _picture_type(media_type or _OCTETS, data), data=data)


def _text_type(media_type: str, text: str) -> str:
    kind = media_kind(media_type)
    if kind.endswith("json"):
        try:
            msgspec.json.decode(text, type=msgspec.Raw)  # checks it without building what it says
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return "text/plain"
    if kind in {"", *WEB_PICTURES, _OCTETS} or kind.startswith(("audio/", "video/")):
        return "text/plain"
    return media_type


def _picture_type(media_type: str, data: bytes) -> str:
    """A picture under a wrong type makes model providers refuse the whole conversation."""
    if media_kind(media_type) not in WEB_PICTURES:
        return media_type
    real = sniff_image(data[:HEAD_BYTES])
    return real.media_type if real is not None and real.media_type in WEB_PICTURES else _OCTETS


def _media_type(fields: Mapping[str, object]) -> str:
    value = fields.get("mimeType")
    return value if isinstance(value, str) and _MEDIA_TYPE.fullmatch(value) else ""


def _usable(uri: object) -> TypeGuard[str]:
    return isinstance(uri, str) and 0 < len(uri) <= _MAX_URI_CHARS and not _CONTROL.search(uri)


def _fields(raw: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], raw) if isinstance(raw, dict) else {}
