"""Shows what is in an Outlook data file: a chapter a folder with a table of its items, each item an attachment."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import formataddr
from typing import NamedTuple

from sidecar.api import AnyBlock, Embed, Limits, Notice, Paragraph, ParsedDocument, Part, Source
from sidecar.toolkit.markup.grid import table_windows

_HEADS = ("Subject", "From", "Date", "Size in bytes")
_MAX_NAME_CHARS = 80
_FORBIDDEN = frozenset('/\\:*?"<>|')


class Item(NamedTuple):
    """An item as lists show it: what finds it again (numbers in hexadecimal, parted by points), its folder's names from
    above, subject, sender, date (None unknown), size in bytes (0 unknown)."""

    identity: str
    folder: tuple[str, ...]
    subject: str
    sender: str
    date: datetime | None
    size: int


class Contents(NamedTuple):
    """What is in a file: its own name, its items (of more than `most` the last), how many there are, and how many of
    those shown could not be read."""

    title: str
    items: list[Item]
    total: int
    broken: int


def listed(found: Contents, kind: str, source: Source, limits: Limits) -> ParsedDocument:
    """The document of what was found in a data file of that kind."""
    notices: list[Notice] = []
    if found.total > len(found.items) + found.broken:
        notices.append(
            Notice("truncated_at", f"Only the last {len(found.items):,} of {found.total:,} items are listed.")
        )
    if found.broken:
        notices.append(Notice("damaged_part", f"{found.broken:,} of {found.total:,} items are damaged."))
    # The latest come first: what is beyond the bounds of indexing is old.
    oldest = datetime.min.replace(tzinfo=UTC)
    items = sorted(found.items, key=lambda one: (one.date or oldest, _number(one)), reverse=True)
    folders: dict[tuple[str, ...], list[Item]] = {}
    for one in items:
        folders.setdefault(one.folder, []).append(one)
    order = sorted(folders)[: limits.max_parts]
    count = "1 item" if found.total == 1 else f"{found.total:,} items"
    about = Paragraph(text=f"An Outlook data file of {count}.")
    parts = [_part(folder, folders[folder], about if not number else None) for number, folder in enumerate(order)]
    numbers = {folder: number for number, folder in enumerate(order, 1)}
    return ParsedDocument(
        title=found.title,
        metadata={"kind": kind},
        parts=tuple(parts) or (Part(kind="chapter", title=source.name, blocks=(about,)),),
        embedded=tuple(_embeds(items, numbers)),
        notices=tuple(notices),
    )


def _part(folder: tuple[str, ...], items: Sequence[Item], about: Paragraph | None) -> Part:
    rows = [_HEADS, *((one.subject, one.sender, _day(one.date), f"{one.size:,}" if one.size else "") for one in items)]
    blocks: list[AnyBlock] = [about] if about else []
    blocks += table_windows(rows, header_rows=1)
    return Part(kind="chapter", title="/".join(folder) or "Items", blocks=tuple(blocks))


def _day(date: datetime | None) -> str:
    return date.isoformat(" ", "minutes").removesuffix("+00:00") if date else ""


def _embeds(items: Sequence[Item], parts: dict[tuple[str, ...], int]) -> list[Embed]:
    """Called as files would be called below the folders; of the same names the earliest item has the plain one."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for one in sorted(items, key=_number):
        name = "/".join(filter(None, map(_step, (*one.folder, one.subject or "message"))))
        if f"{name}.eml".lower() in taken:
            name = f"{name} {one.identity}"
        names[one.identity] = f"{name}.eml"
        taken.add(names[one.identity].lower())
    return [
        Embed(kind="attachment", id=number, name=names[one.identity], media_type="message/rfc822",
              ref=one.identity, part=parts.get(one.folder))
        for number, one in enumerate(items)
    ]  # fmt: skip


def _number(item: Item) -> list[int]:
    """Where the item is in the file, for an order that each reading gives alike."""
    return [int(one, 16) for one in item.identity.split(".")]


def _step(name: str) -> str:
    """A name as a step of a path on any system."""
    plain = "".join("_" if char in _FORBIDDEN or not char.isprintable() else char for char in name)
    return plain[:_MAX_NAME_CHARS].strip(" .")


def one_line(text: str) -> str:
    """The text on one line, without characters that print nothing: it stands in the head of a message."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def mail_address(name: str, address: str) -> str:
    """ "Ann <ann@example.org>"; addresses within an organisation (X.500) say nothing to a reader."""
    name, address = one_line(name), one_line(address)
    if "@" not in address or any(char in address for char in "<>,"):
        return name or address
    try:
        return formataddr((name if name != address else "", address))
    except UnicodeError:
        return f"{name} {address}"
