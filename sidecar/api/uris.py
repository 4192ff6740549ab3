"""Addresses: the URI grammar of documents and their parts, as pure functions. Knows no document, opens nothing.

A document URI is `scheme://{doc}/{segment}/…[.suffix][?query]`. `{doc}` is a slug or a doc_id; segments are
percent-encoded (RFC 3986), and text that is not encoded is accepted all the same, since people and models type it.
A dot before a known suffix inside a name is written `%2E`, so `sheet://book/data%2Ecsv` is the sheet called `data.csv`.
What lies inside an attached document follows its address: `embed://mail/0/image/2` is a picture in the first one."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote, unquote

from sidecar.api.errors import UsageError, shortened
from sidecar.api.model import EmbedKind

_TEXT_SUFFIXES = ("md", "txt", "html")
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "document": (*_TEXT_SUFFIXES, "json"), "chapter": _TEXT_SUFFIXES, "section": _TEXT_SUFFIXES,
    "paragraph": _TEXT_SUFFIXES, "message": _TEXT_SUFFIXES, "sheet": (*_TEXT_SUFFIXES, "csv", "json"),
    "slide": (*_TEXT_SUFFIXES, "png"), "page": (*_TEXT_SUFFIXES, "png"), "chapters": _TEXT_SUFFIXES,
    "slides": _TEXT_SUFFIXES, "pages": _TEXT_SUFFIXES, "sheets": (*_TEXT_SUFFIXES, "csv", "json"), "image": (),
    "chart": ("json", "png", "svg", "md", "txt"), "media": (), "embed": _TEXT_SUFFIXES, "font": (),
    "element": (*_TEXT_SUFFIXES, "json", "png"),
}  # fmt: skip
"""Scheme → the format suffixes its URIs may carry."""

_SEGMENTS: Mapping[str, int] = {"document": 0, "paragraph": 2} | {
    scheme: 1 for scheme in SUFFIXES if scheme not in ("document", "paragraph")
}

MEDIA_TYPES: Mapping[str, str] = {
    "md": "text/markdown", "txt": "text/plain", "html": "text/html", "json": "application/json", "csv": "text/csv",
    "png": "image/png", "svg": "image/svg+xml", "jpeg": "image/jpeg", "webp": "image/webp",
}  # fmt: skip
"""Suffix → MIME type of what a read with that suffix gives."""

OFFICE_TYPES: Mapping[str, str] = {
    "images": "image", "charts": "chart", "embeddings": "embed", "embeds": "embed", "embedded": "embed",
    "fonts": "font", "attachment": "embed", "attachments": "embed",
} | {scheme: scheme for scheme in SUFFIXES if scheme != "document"}  # fmt: skip
"""The `{type}` of `office://{doc}/{type}/{id}` → the scheme it stands for."""

EMBED_KINDS: Mapping[str, EmbedKind] = {
    "image": "image", "chart": "chart", "media": "media", "embed": "attachment", "font": "font",
}  # fmt: skip
"""Scheme → the kind of embedded thing it addresses."""
EMBED_SCHEMES: Mapping[EmbedKind, str] = {kind: scheme for scheme, kind in EMBED_KINDS.items()}
"""The way back."""

MAX_URI_CHARS = 8192
"""A longer URI names nothing; it is refused before it is taken apart."""
_DOC_ID = re.compile(r"[0-9a-f]{12}")
_IN_SHEET = re.compile(r"(?:'((?:[^']|'')+)'|(.+))!(\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?)")
"""A range as formulas write it: "Sales!A1:C3", "'Sales%202024'!$B$2". A "!" of a sheet's name stands encoded in URIs
that `format_uri` writes."""
_APART = re.compile(r"[^\w]+")
"""What stands between the words of a name."""


@dataclass(frozen=True)
class Address:
    """A parsed document URI. `path` holds the decoded segments after `{doc}`; `suffix` is "" when none was given."""

    scheme: str
    doc: str
    path: tuple[str, ...] = ()
    suffix: str = ""
    query: Mapping[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        return format_uri(self.scheme, self.doc, *self.path, suffix=self.suffix, query=self.query)


@lru_cache(maxsize=1024)
def _quoted(text: str, safe: str = "-_~") -> str:
    return quote(text, safe=safe)


def format_uri(
    scheme: str, doc: str, *path: str | int, suffix: str = "", query: Mapping[str, str] | None = None
) -> str:
    """The canonical (percent-encoded, ASCII) URI. The inverse of `parse_uri`."""
    if len(path) == 1 and isinstance(path[0], int) and not suffix and not query:  # what most of an outline is
        return f"{scheme}://{_quoted(doc)}/{path[0]}"
    segments = [_quoted(doc), *[_quoted(str(segment), "-_.~!,") for segment in path]]
    known = SUFFIXES.get(scheme, ())
    stem, dot, tail = segments[-1].rpartition(".")
    if path and dot and tail.lower() in known:
        segments[-1] = f"{stem}%2E{tail}"
    if path and segments[-1] in (".", ".."):
        segments[-1] = segments[-1].replace(".", "%2E")
    uri = f"{scheme}://{'/'.join(segments)}"
    if suffix:
        uri += f".{suffix}"
    if query:
        uri += "?" + "&".join(f"{quote(key, safe='')}={quote(value, safe=':!,-_.')}" for key, value in query.items())
    return uri


def check_uri_length(uri: str) -> None:
    """Raises UsageError when the URI is longer than any that names something."""
    if len(uri) > MAX_URI_CHARS:
        raise UsageError(f"The URI has {len(uri):,} characters; at most {MAX_URI_CHARS:,} are looked at.")


def parse_uri(uri: str) -> Address:
    """Take a document URI apart; `office://` addresses come back as the scheme they stand for.

    Raises:
        UsageError: no such scheme, or the wrong number of segments; the message shows the right form."""
    check_uri_length(uri)
    scheme, separator, rest = uri.strip().partition("://")
    scheme = scheme.lower()
    if not separator:
        raise UsageError(
            f"{shortened(uri)} is not a resource URI; one looks like document://annual-report or chapter://annual-report/2."
        )
    rest, _, query_text = rest.partition("?")
    pairs = (pair.partition("=") for pair in query_text.split("&") if pair)
    query = {unquote(key): unquote(value) for key, _, value in pairs}
    segments = rest.strip("/").split("/")
    if scheme == "office":
        kind = OFFICE_TYPES.get(unquote(segments[1]).lower()) if len(segments) > 2 else None
        if kind is None:
            raise UsageError(
                f"{shortened(uri)} is incomplete; the form is office://{{doc}}/{{type}}/{{id}} with a type such as "
                "image, chart, media, embed, font, sheet, slide or chapter."
            )
        scheme, segments = kind, [segments[0], *segments[2:]]
    if scheme not in SUFFIXES:
        raise UsageError(
            f"{shortened(uri)}: no such scheme; use one of {', '.join(f'{name}://' for name in SUFFIXES)}."
        )
    suffix = ""
    stem, dot, tail = segments[-1].rpartition(".")
    if dot and stem and tail.lower() in SUFFIXES[scheme]:
        segments[-1], suffix = stem, tail.lower()
    wanted = _SEGMENTS[scheme]
    inside = scheme == "embed" and len(segments) % 2 == 0 and all(one in EMBED_KINDS for one in segments[2::2])
    if inside:
        wanted = len(segments) - 1
    elif wanted == 1 and len(segments) > 2:
        segments = [segments[0], "/".join(segments[1:])]  # a name that was typed with its slash unencoded
    if len(segments) != wanted + 1 or not all(segments):
        raise UsageError(f"{shortened(uri)} is incomplete; the form is {_form(scheme)}.")
    if scheme == "sheet" and "range" not in query and (area := _IN_SHEET.fullmatch(segments[1])):
        segments[1], query = area[1].replace("''", "'") if area[1] else area[2], query | {"range": area[3]}
    doc, *path = (unquote(segment) for segment in segments)
    return Address(scheme, doc, tuple(path), suffix, query)


def is_doc_id(text: str) -> bool:
    """Whether the text has the form of a doc_id (12 lower-case hex digits)."""
    return _DOC_ID.fullmatch(text) is not None


def slugify(name: str) -> str:
    """The slug a name would have: lower case, words joined by `-`, `_` kept, any script, at most 80 characters.

    Never empty and never of the form of a doc_id. Uniqueness is the store's concern."""
    text = unicodedata.normalize("NFKC", name).lower()
    slug = _APART.sub("-", text).strip("-")[:80].strip("-")
    if not slug:
        return "document"
    return f"{slug}-doc" if is_doc_id(slug) else slug


def _form(scheme: str) -> str:
    if scheme == "document":
        return "document://{doc}"
    if scheme == "paragraph":
        return "paragraph://{doc}/{chapter}/{paragraph}"
    name = {"section": "id", "sheet": "name", "element": "label", "image": "id", "chart": "id"}.get(scheme, "n")
    return f"{scheme}://{{doc}}/{{{name}}}"
