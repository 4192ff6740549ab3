"""What serving processes and the gatherer tell each other, and how it is framed on the sockets between them.

A server goes by its key here (`servers.key_of`), since two windows may mean different servers by one name.

Each message is one msgpack record behind its length (4 bytes, big endian). The gatherer has cleaned and bounded
everything it sends, so the serving process spends no time on what a hostile server made up.
"""

from __future__ import annotations

import asyncio
import struct

import msgspec

from sidecar_upstream.servers import Upstream

__all__ = [
    "PROTOCOL", "Answer", "Complete", "Completed", "Described", "Entry", "Event", "Form", "Item", "Page", "Read",
    "Request", "Said", "State", "Updated", "Want", "Wanted", "events", "read_frame", "requests", "write_frame",
]  # fmt: skip

PROTOCOL = 1
"""Raised whenever a record changes: windows of different versions then do not share a gatherer."""
_LENGTH = struct.Struct(">I")
_LARGEST = 256 * 2**20


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


class State(msgspec.Struct, tag=True, frozen=True):
    """How it stands with a server: "connecting", "connected", "down" (tried again in `retry_in` seconds), "refused"
    (a cycle) or "misconfigured". `reaches` holds the sidecars that are reached through it."""

    server: str
    state: str
    error: str = ""
    retry_in: float | None = None
    era: str = ""
    title: str = ""
    reaches: tuple[str, ...] = ()


class Page(msgspec.Struct, tag=True, frozen=True):
    """A piece of a server's listing in the order of our URIs; the listing is complete with the `last` one.

    `keep`: nothing new could be had, the former listing stays.
    """

    server: str
    entries: tuple[Entry, ...]
    forms: tuple[Form, ...] = ()
    remark: str = ""
    last: bool = False
    keep: bool = False


class Described(msgspec.Struct, tag=True, frozen=True):
    """Beginnings of texts, by the server's own URI, for resources that have no description."""

    server: str
    texts: dict[str, str]


class Updated(msgspec.Struct, tag=True, frozen=True):
    """These resources changed, says the server."""

    server: str
    uris: tuple[str, ...]


class Said(msgspec.Struct, tag=True, frozen=True):
    """For our log: what went wrong, or what the server wrote to its standard error; free of credentials."""

    server: str
    lines: tuple[str, ...]


class Answer(msgspec.Struct, tag=True, frozen=True):
    """The answer to `Read`: items, or why not; `missing` when the server knows no such resource."""

    id: int
    items: tuple[Item, ...] = ()
    error: str = ""
    missing: bool = False


class Completed(msgspec.Struct, tag=True, frozen=True):
    """The answer to `Complete`."""

    id: int
    values: tuple[str, ...] = ()


class Wanted(msgspec.Struct, array_like=True, frozen=True):
    """A server as it is to be gathered from: its name is its key, its environment is filled in with these secrets."""

    server: Upstream
    secrets: tuple[str, ...]


class Want(msgspec.Struct, tag=True, frozen=True):
    """From now on the window wants these servers and no others. `chain`: whose upstream it is itself (`cycles`)."""

    servers: tuple[Wanted, ...]
    chain: tuple[str, ...]


class Read(msgspec.Struct, tag=True, frozen=True):
    """Read a resource of a server by its own URI."""

    id: int
    server: str
    uri: str


class Complete(msgspec.Struct, tag=True, frozen=True):
    """Complete a variable of one of a server's own templates."""

    id: int
    server: str
    template: str
    variable: str
    value: str
    others: dict[str, str]


Event = State | Page | Described | Updated | Said | Answer | Completed
Request = Want | Read | Complete


def events() -> msgspec.msgpack.Decoder[Event]:
    """Decodes what the gatherer sends."""
    return msgspec.msgpack.Decoder(Event)


def requests() -> msgspec.msgpack.Decoder[Request]:
    """Decodes what the serving process sends."""
    return msgspec.msgpack.Decoder(Request)


async def read_frame(reader: asyncio.StreamReader) -> bytes | None:
    """The next record's bytes; None when the other side is gone."""
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        return await reader.readexactly(length) if length <= _LARGEST else None
    except (asyncio.IncompleteReadError, OSError):
        return None


def write_frame(writer: asyncio.StreamWriter, record: msgspec.Struct) -> None:
    """Send a record; whoever sends much drains the writer."""
    data = msgspec.msgpack.encode(record)
    writer.write(_LENGTH.pack(len(data)) + data)
