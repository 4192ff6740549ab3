"""Reads an Outlook data file as a document: a chapter a folder with a table of its items, each item an attachment."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sidecar.api import AnyBlock, Embed, Limits, NotFoundError, Notice, Paragraph, ParsedDocument, Part, Payload, Source
from sidecar.toolkit.markup.grid import table_windows
from sidecar_pst.database import Database
from sidecar_pst.messages import Item, contents, message

_HEADS = ("Subject", "From", "Date", "Size in bytes")
_LONGEST_NAME = 80
_SOME = 64 * 2**20
_FORBIDDEN = frozenset('/\\:*?"<>|')


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The folders and what is in them. Raises FormatError."""
    source.check_size(limits, by_member=True)
    with source.open() as file:
        # Lists of items read a part of the file, unless its tables lead to the same blocks over and over.
        found = contents(Database(file, source.size, source.name, source.size + _SOME), limits.max_embedded)
    notices: list[Notice] = []
    if found.total > len(found.items) + found.broken:
        notices.append(
            Notice("truncated_at", f"Only the last {len(found.items):,} of {found.total:,} items are listed.")
        )
    if found.broken:
        notices.append(Notice("damaged_part", f"{found.broken:,} of {found.total:,} items are damaged."))
    # The latest come first: what is beyond the bounds of indexing is old.
    oldest = datetime.min.replace(tzinfo=UTC)
    items = sorted(found.items, key=lambda one: (one.date or oldest, one.identity), reverse=True)
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
        metadata={"kind": "pst"},
        parts=tuple(parts) or (Part(kind="chapter", title=source.name, blocks=(about,)),),
        embedded=tuple(_embeds(items, numbers)),
        notices=tuple(notices),
    )


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """An item as an internet message. Raises NotFoundError, FormatError."""
    source.check_size(limits, by_member=True)
    try:
        identity = int(ref, 16)
    except ValueError:
        identity = 0
    with source.open() as file:
        database = Database(file, source.size, source.name, 2 * limits.max_file_bytes)
        node = database.node(identity) if identity & 0x1F == 4 else None
        if node is None:
            raise NotFoundError(f"{source.name} holds no item {ref!r}.")
        return Payload(message(database, node, limits.max_file_bytes), "message/rfc822", "message.eml")


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
    names: dict[int, str] = {}
    for one in sorted(items):
        name = "/".join(filter(None, map(_step, (*one.folder, one.subject or "message"))))
        if f"{name}.eml".lower() in taken:
            name = f"{name} {one.identity:x}"
        names[one.identity] = f"{name}.eml"
        taken.add(names[one.identity].lower())
    return [
        Embed(kind="attachment", id=number, name=names[one.identity], media_type="message/rfc822",
              ref=f"{one.identity:x}", part=parts.get(one.folder))
        for number, one in enumerate(items)
    ]  # fmt: skip


def _step(name: str) -> str:
    """A name as a step of a path on any system."""
    plain = "".join("_" if char in _FORBIDDEN or not char.isprintable() else char for char in name)
    return plain[:_LONGEST_NAME].strip(" .")
