"""What the library's tools take and give: argument models they share, and the `outputSchema`s of those whose answers
have a stable structure. Every client pays for both in tokens: descriptions are short, and schemas name what a program
goes on with, not every field.

Lists of documents and outlines have none, so that a client which gives its model structured content alone gets their
lines, at half the tokens of their records."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sidecar.api import UsageError

Schema = Mapping[str, Any]
REMARK_CHARS = 400
"""A remark repeats words of the question, and those may be thousands."""


Limit = Annotated[int, Field(ge=1, le=50)]
Slug = Annotated[str, Field(min_length=1, description="slug or doc_id")]
PageNumber = Annotated[int, Field(ge=1, description="1-based")]


def check_start(start: int, there: int, what: str) -> None:
    """Raises UsageError when `start` lies beyond the last of `there` things; 0 is always right."""
    if start and start >= there:
        raise UsageError(f"start={start} is beyond the end; there are {there:,} {what} (start counts from 0).")


def _object(fields: Mapping[str, object], needed: str = "") -> Schema:
    """An object with those fields, each a JSON Schema or the name of a type; `needed` are those that are always there,
    apart by blanks."""
    typed = {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in fields.items()}
    return {"type": "object", "properties": typed} | ({"required": needed.split()} if needed else {})


def _many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_PLACE = {"document_slug": "string", "doc_id": "string", "uri": "string"}
_MORE = {"remark": "string", "next_start": "integer"}
_LABEL = {"element_label": "string", "page": "integer", "score": "number"}

PASSAGES_FOUND = _object(
    {
        "results": _many(
            _object(
                _PLACE | {"title": "string", "snippet": "string"} | _LABEL, "document_slug doc_id uri title snippet"
            )
        ),
        "ranked": "string",
    }
    | _MORE,
    "results",
)
ELEMENTS_FOUND = _object(
    {
        "results": _many(
            _object(
                _PLACE | {"element_type": "string", "caption": "string"} | _LABEL,
                "document_slug doc_id uri element_label element_type",
            )
        )
    }
    | _MORE,
    "results",
)
DOCUMENT = _object(
    {
        "slug": "string", "doc_id": "string", "title": "string", "path": "string", "parts": "integer",
        "tokens": "integer", "state": "string", "uris": "object",
    },
    "slug doc_id title path state",
)  # fmt: skip
STATUS = _object(
    {
        "state": "string", "pending": "integer", "indexed": "integer", "total": "integer", "states": "object",
        "unreadable": _many(_object({"path": "string", "state": "string", "reason": "string"})),
        "next_start": "integer",
    },
    "state pending indexed total states",
)  # fmt: skip
EMBEDDED = _object(
    {
        "document_slug": "string",
        "total": "integer",
        "resources": _many(
            _object(
                {"uri": "string", "type": "string", "id": "integer", "name": "string", "mime_type": "string"},
                "uri type id",
            )
        ),
        "next_start": "integer",
    },
    "document_slug total resources",
)
