"""A document, or a folder, as the answers of tools show it: as a record, and as a line of text."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sidecar.api import EMBED_SCHEMES, DocumentInfo, FolderInfo, Paid, format_uri, slugify
from sidecar.toolkit.answers.budget import abridge, shorten, text_tokens
from sidecar.toolkit.answers.notices import lacking_text, summed_notices
from sidecar.toolkit.answers.tokens import document_tokens
from sidecar_library.schemas import DOCUMENT

_MAX_LINE_TOKENS = 40
"""What a document costs in a list at most, as text."""


def brief(info: DocumentInfo) -> dict[str, object]:
    """A document in one line of a listing."""
    entry: dict[str, object] = {
        "slug": info.slug, "doc_id": info.doc_id, "title": shorten(info.title, 120), "path": info.path,
        "format": info.format, "parts": info.parts, "modified": info.modified, "state": info.state,
    }  # fmt: skip
    if info.part_kind == "message" and (sent := info.metadata.get("created")):
        entry["date"] = sent[:10]
    if info.reason:
        entry["reason"] = shorten(info.reason, 160)
    elif info.doc_id and (lacking := lacking_text(info.notices, info.parts, info.tokens)):
        entry["lacking"] = lacking
    return entry


def full(info: DocumentInfo) -> dict[str, Any]:
    """Everything known about a document, ready for the next call."""
    entry = brief(info) | {
        "title": info.title,
        "reason": info.reason,
        "name": info.name,
        "folder": info.folder,
        "media_type": info.media_type,
        "size": info.size,
        "part_kind": info.part_kind,
        "tokens": document_tokens(info, info.slug) if info.doc_id else None,
        "added": info.added,
        "description": info.description,
        "metadata": {key: shorten(value, 200) for key, value in list(info.metadata.items())[:40]},
        "notices": [
            {"code": notice.code, "message": notice.message} | ({"part": notice.part} if notice.part else {})
            for notice in summed_notices(info.notices)[:20]
        ],
        "elements": dict(info.elements),
        "embedded": dict(info.embedded),
        "uris": uris(info),
    }
    always = DOCUMENT["required"]
    return {key: value for key, value in entry.items() if value not in (None, "", {}, [], ()) or key in always}


def uris(info: DocumentInfo) -> dict[str, str]:
    """The URIs to go on with: the outline, the whole text, the first part, the first embedded of each kind."""
    if not info.doc_id:
        return {}
    found = {"outline": format_uri("document", info.slug), "markdown": format_uri("document", info.slug, suffix="md")}
    if info.part_kind and info.parts:
        found["first_part"] = format_uri(info.part_kind, info.slug, 1)
    for kind, scheme in EMBED_SCHEMES.items():
        if info.embedded.get(kind):
            found[f"first_{kind}"] = format_uri(scheme, info.slug, 0)
    return found


def context_lines(frame: Mapping[str, Any]) -> list[str]:
    """The contexts as text, each a quotation of whoever wrote it."""
    return [f'About {folder}, its owner says: "{context}"' for folder, context in frame.get("contexts", {}).items()]


def folder_record(folder: FolderInfo) -> dict[str, object]:
    """A folder as a record."""
    return {"path": folder.path, "documents": folder.documents}


def document_line(entry: Mapping[str, Any]) -> str:
    """A document as text: its slug, title, name and folder, parts and day (a message's own), and its state where it is
    not simply indexed; in `_MAX_LINE_TOKENS` where it is, the title and folder shorter for it."""
    state = entry.get("lacking", "") if entry["state"] == "indexed" and "reason" not in entry else entry["state"]
    state = f" ({state})" if state else ""
    parts = "1 part" if entry["parts"] == 1 else f"{entry['parts']} parts"
    rest = f"{parts}, {entry.get('date') or entry['modified'][:10]}{state}"
    return _line(entry["slug"], entry["title"], entry["path"], rest)


@lru_cache(maxsize=1024)
def _line(slug: str | None, title: str, path: str, rest: str) -> str:
    """A list asks for each of its lines twice, to fit it and to say it, and the next list for most of them again."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    titled = "" if slugify(title) in {slugify(name), slugify(name.rpartition(".")[0])} else title
    line = ""
    for chars, place in ((60, 2), (60, 1), (40, 1), (40, 0), (20, 0), (0, 0), (0, -1)):
        above = "/".join(folder.rsplit("/", place)[-place:]) + "/" if place > 0 else ""
        facts = (shorten(titled, chars) if chars else "", shorten(above + name, 80) if place >= 0 else "")
        line = f"- {slug or 'no document'}: {', '.join(filter(None, (*facts, rest)))}"
        if text_tokens(line) <= _MAX_LINE_TOKENS:
            break
    return line


def fitted(record: dict[str, Any], budget: int, paid: Paid) -> dict[str, Any]:
    """A document's record within the budget; where to find what was left out."""
    uri = format_uri("document", record["slug"], suffix="json")
    frame = {"remark": f"Shortened to fit the budget; read {uri} for all of it."}
    return abridge(record, budget, whole=("uris", "elements", "embedded"), frame=frame, paid=paid)
