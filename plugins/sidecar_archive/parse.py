"""Reads an archive as a document: one chapter with a table of the members, each file an attachment of it."""

import mimetypes

from sidecar.api import Embed, EncryptedError, Limits, Notice, Paragraph, ParsedDocument, Part, Payload, Source
from sidecar.toolkit.markup.grid import table_windows
from sidecar_archive.base import Archive, Member, Unpacked
from sidecar_archive.members import open_archive

_HEADS = ("Name", "Size in bytes", "Modified")


def parse(source: Source, limits: Limits, unpacked: Unpacked) -> ParsedDocument:
    """The archive. Raises FormatError."""
    source.check_size(limits)
    with open_archive(source, limits, unpacked) as archive:
        return _document(source, archive, limits)


def open_embedded(source: Source, ref: str, limits: Limits, unpacked: Unpacked) -> Payload:
    """The bytes of a member. Raises NotFoundError, FormatError."""
    with open_archive(source, limits, unpacked) as archive:
        data = archive.read(ref, limits)
        name = next((member.name for member in archive.members if member.ref == ref), "file")
    return Payload(data, _media_type(name), name)


def _document(source: Source, archive: Archive, limits: Limits) -> ParsedDocument:
    members = archive.members
    if members and all(member.closed.startswith("protected") for member in members):
        raise EncryptedError(f"{source.name} is protected by a password; unpack it to index what is in it.")
    shown = members[: limits.max_embedded]
    notices: list[Notice] = []
    if len(members) > len(shown):
        notices.append(Notice("truncated_at", f"Only the first {len(shown):,} members are listed."))
    closed = [member for member in shown if member.closed]
    if closed:
        names = ", ".join(f"{member.name} ({member.closed})" for member in closed[:3]) + ", …" * (len(closed) > 3)
        notices.append(Notice("left_out", f"{len(closed):,} of {len(shown):,} members cannot be opened: {names}."))
    if archive.is_cut:
        notices.append(Notice("damaged_part", "The archive is damaged; what comes after the damage is not listed."))
    sizes = (f"{member.size:,}" if member.size >= 0 else "" for member in shown)
    rows = [_HEADS, *((member.name, size, member.modified) for member, size in zip(shown, sizes, strict=True))]
    count = "1 file" if len(members) == 1 else f"{len(members):,} files"
    blocks = (Paragraph(text=f"An archive of {count}."), *table_windows(rows, header_rows=1))
    return ParsedDocument(
        metadata={"kind": archive.kind},
        parts=(Part(kind="chapter", title=source.name, blocks=blocks),),
        embedded=tuple(_embed(number, member) for number, member in enumerate(m for m in shown if not m.closed)),
        notices=tuple(notices),
    )


def _embed(number: int, member: Member) -> Embed:
    return Embed(
        kind="attachment", id=number, name=member.name, media_type=_media_type(member.name), ref=member.ref,
        size=max(member.size, 0), part=1, block=2,
    )  # fmt: skip


def _media_type(name: str) -> str:
    return mimetypes.guess_type(name.rpartition("/")[2])[0] or "application/octet-stream"
