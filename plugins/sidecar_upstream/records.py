"""What upstream servers offer and give, cleaned (`cleaning`); kept in the index's cache as msgpack in this shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

__all__ = ["Entry", "Form", "Item", "Listing"]


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """A resource of an upstream server under its own URI. `generated`: the description is the beginning of its text."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    media_type: str = ""
    size: int | None = None
    modified: str = ""
    generated: bool = False


class Form(msgspec.Struct, array_like=True, frozen=True):
    """A resource template of an upstream server."""

    uri_template: str
    name: str
    title: str = ""
    description: str = ""
    media_type: str = ""


class Item(msgspec.Struct, array_like=True, frozen=True):
    """One content item under the server's own URI; exactly one of `text` and `data` is given."""

    uri: str
    media_type: str
    text: str | None = None
    data: bytes | None = None


@dataclass(frozen=True)
class Listing:
    """What a server offers, by our URIs in their order; `remark` says what is missing from it."""

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    forms: Mapping[str, Form] = field(default_factory=dict[str, Form])
    remark: str = ""
