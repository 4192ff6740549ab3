"""What tools and resources give back, in our own words; `server/` turns them into MCP blocks fit for the client."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Paid = Literal["text", "structured", "both"]
"""Which half of an answer its client's model pays for."""


class ResourceContent(msgspec.Struct, frozen=True):
    """One content item of a resource: exactly one of `text` and `data` is given."""

    uri: str
    media_type: str
    text: str | None = None
    data: bytes | None = None
    metadata: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """What goes along as `_meta`: where the content comes from, unless the reader says it the server does."""


class Text(msgspec.Struct, frozen=True):
    """Text for the model."""

    text: str


class Image(msgspec.Struct, frozen=True):
    """A picture for the model (and, where the client shows it, the user). `uri` is where it can be read again."""

    data: bytes
    media_type: str
    uri: str = ""


class Embedded(msgspec.Struct, frozen=True):
    """A resource handed over whole, with its URI and MIME type."""

    content: ResourceContent


class Link(msgspec.Struct, frozen=True):
    """A resource the client may read later."""

    uri: str
    name: str
    media_type: str = ""
    title: str = ""
    description: str = ""
    size: int | None = None


Content = Text | Image | Embedded | Link


class Result(msgspec.Struct, frozen=True):
    """A tool's answer: `contents` for the model, `structured` for programs; where `contents` is empty the server shows
    `structured` as JSON text. `whole` says that the contents tell all that the structured content tells, so that a
    client whose model is given both may go without it."""

    contents: tuple[Content, ...] = ()
    structured: Mapping[str, Any] | None = None
    whole: bool = True


class ResourceEntry(msgspec.Struct, frozen=True):
    """One line of `resources/list`. `modified` is ISO 8601 in UTC."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    media_type: str = ""
    size: int | None = None
    modified: str = ""
    metadata: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])
