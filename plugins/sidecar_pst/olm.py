"""Reads exports of Outlook for Mac (.olm): a zip of XML, a file a message, one for all appointments or contacts of a
folder. Microsoft describes it nowhere; element and attribute names are those that exports have.

An item is found again by where its member begins, so that reading many does not read the directory as often."""

import email.policy
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import IO, Final

from sidecar.api import DamagedError, FormatError, LimitError, Limits, NotFoundError, Source
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_pst.listing import Contents, Item, mail_address, one_line

_ZIP: Final = b"PK\x03\x04"
_ATTACHED: Final = "com.microsoft.__Attachments"
_ITEMS: Final = ("email", "appointment", "contact", "task", "note")
_LOCAL: Final = struct.Struct("<4sHHHHHIIIHH")
"""A member's own header (APPNOTE.TXT 4.3.7)."""
_STORED, _DEFLATED = 0, 8
_CHUNK: Final = 2**16
_RATED: Final = 2**20
"""Members smaller than this may be packed as well as they like."""
_KEPT_BYTES: Final = 32 * 2**20
_NAME: Final = re.compile(r"OPF(?:CalendarEvent|Contact|Task|Note|Message|Recurrence)(?:Copy|Get)?(\w+)")
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SKIPPED: Final = re.compile(r"UUID|ModDate|Zone|Description$|Body|Has[A-Z]|Is[A-Z]|Reminder|Free[A-Z]|Sequence|Flags")
_TITLES: Final = (
    "OPFMessageCopySubject", "OPFCalendarEventCopySummary", "OPFContactCopyDisplayName", "OPFTaskCopyName",
    "OPFNoteCopyTitle",
)  # fmt: skip
_TIMES: Final = (
    "OPFMessageCopySentTime", "OPFMessageCopyReceivedTime", "OPFCalendarEventCopyStartTime", "OPFTaskCopyDueDateTime",
    "OPFNoteCopyModDate", "OPFContactCopyModDate",
)  # fmt: skip
_HEADERS: Final = (
    ("From", "OPFMessageCopyFromAddresses"), ("To", "OPFMessageCopyToAddresses"), ("Cc", "OPFMessageCopyCCAddresses"),
    ("Bcc", "OPFMessageCopyBCCAddresses"), ("Reply-To", "OPFMessageCopyReplyToAddresses"),
)  # fmt: skip
_PLAIN: Final = (
    "OPFMessageCopyBody", "OPFCalendarEventCopyDescriptionPlain", "OPFContactCopyNotesPlain", "OPFTaskCopyNotePlain",
    "OPFNoteCopyText",
)  # fmt: skip
_RICH: Final = ("OPFMessageCopyHTMLBody", "OPFCalendarEventCopyDescription", "OPFContactCopyNotes", "OPFTaskCopyNote")


def is_olm(source: Source) -> bool:
    """Whether a file is named and begins as Outlook for Mac's exports do."""
    return source.suffix == ".olm" and source.head.startswith(_ZIP)


def contents(source: Source, limits: Limits) -> Contents:
    """The items of all folders. Raises DamagedError."""
    items: list[Item] = []
    total = broken = 0
    with source.open() as file:
        try:
            with zipfile.ZipFile(file) as packed:
                members = {info.filename: info for info in packed.infolist()}
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error) as error:
            raise DamagedError(f"{source.name} is damaged: its zip directory cannot be read.") from error
        for name, info in members.items():
            if not name.lower().endswith(".xml") or _ATTACHED in name:
                continue
            try:
                found = list(_items(_member(file, info.header_offset, limits), name))
            except FormatError:
                broken, total = broken + 1, total + 1
                continue
            total += len(found)
            for number, one in enumerate(found):
                files = [members[url].header_offset for url, _, _ in _attachments(one) if url in members]
                identity = ".".join(f"{at:x}" for at in (info.header_offset, number, *files))
                items.append(_item(one, identity, _folder(name), info.file_size if len(found) == 1 else 0))
    if not items and not broken:
        raise DamagedError(f"{source.name} holds no item of Outlook.")
    return Contents("", items[-limits.max_embedded :], total, broken)


def message(source: Source, ref: str, limits: Limits) -> bytes:
    """The item as an internet message. Raises NotFoundError, DamagedError, LimitError."""
    try:
        at, number, *files = [int(one, 16) for one in ref.split(".")]
    except ValueError:
        raise NotFoundError(f"{source.name} holds no item {ref!r}.") from None
    with source.open() as file:
        found = _last.items(source, at)
        if found is None:
            data = _member(file, at, limits)
            found = list(_items(data, source.name))
            if len(data) <= _KEPT_BYTES:
                _last.keep(source, at, found)
        if number >= len(found):
            raise NotFoundError(f"{source.name} holds no item {ref!r}.")
        return _written(found[number], file, files, limits)


class _LastMember:
    """The items of the member that was read last: one holds all contacts, or all events, which are asked for one after
    another."""

    def __init__(self) -> None:
        self._kept: tuple[Source, int, list[XmlElement]] | None = None

    def items(self, source: Source, at: int) -> list[XmlElement] | None:
        """Those of the member that begins there; None where another was the last."""
        if self._kept is None or self._kept[0] is not source or self._kept[1] != at:
            return None
        return self._kept[2]

    def keep(self, source: Source, at: int, items: list[XmlElement]) -> None:
        """Keep them in place of those before."""
        self._kept = source, at, items


_last: Final = _LastMember()


def _member(file: IO[bytes], at: int, limits: Limits) -> bytes:
    """The bytes of the member that begins there. Raises DamagedError, LimitError."""
    if at < 0:  # a directory that is damaged counts from before the file
        raise DamagedError("The directory of the export is damaged.")
    file.seek(at)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(_ZIP):
        raise DamagedError("A member of the export is damaged.")
    _, _, _, method, _, _, _, size, _, name, extra = _LOCAL.unpack(head)
    file.seek(name + extra, 1)
    if method == _STORED and size <= limits.max_file_bytes:
        return file.read(size)
    if method != _DEFLATED:
        raise DamagedError("A member of the export is packed with a method that is not supported.")
    out, packed, unpacker = bytearray(), 0, zlib.decompressobj(-15)
    try:
        while not unpacker.eof and (chunk := unpacker.unconsumed_tail or file.read(_CHUNK)):
            packed += len(chunk)
            out += unpacker.decompress(chunk, _CHUNK * 16)
            if len(out) > min(limits.max_file_bytes, max(packed * limits.max_ratio, _RATED)):
                raise LimitError("A member of the export unpacks to more than is read.")
    except zlib.error as error:
        raise DamagedError("A member of the export is damaged.") from error
    return bytes(out)


def _items(data: bytes, name: str) -> Iterator[XmlElement]:
    root = parse_xml(data, name)
    return root.iter(*(f"{{*}}{kind}" for kind in _ITEMS))


def _folder(name: str) -> tuple[str, ...]:
    """The folders above a member, without those that only say what it holds."""
    steps = [one for one in name.split("/")[:-1] if one and not one.startswith("com.microsoft.__")]
    return tuple(steps[1:] if steps[:1] in (["Accounts"], ["Local"]) else steps)


def _item(one: XmlElement, identity: str, folder: tuple[str, ...], size: int) -> Item:
    addresses = _addresses(one, "OPFMessageCopyFromAddresses") or _addresses(one, "OPFMessageCopySenderAddress")
    sender = ", ".join(addresses) or _first(one, ("OPFCalendarEventCopyOrganizer",))
    return Item(identity, folder, one_line(_first(one, _TITLES)), sender, _time(_first(one, _TIMES)), size)


def _first(one: XmlElement, tags: tuple[str, ...]) -> str:
    """The text of the first of these that says something."""
    return next((text for tag in tags if (text := (one.findtext(f"{{*}}{tag}") or "").strip())), "")


def _time(text: str) -> datetime | None:
    """A time, which is told in UTC without saying so."""
    try:
        time = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _addresses(one: XmlElement, tag: str) -> list[str]:
    held = one.find(f"{{*}}{tag}")
    if held is None:
        return []
    found = [
        mail_address(node.get("OPFContactEmailAddressName", ""), node.get("OPFContactEmailAddressAddress", ""))
        for node in held.iter("{*}emailAddress")
    ]
    return list(filter(None, found)) or list(filter(None, [one_line(held.text or "")]))


def _attachments(one: XmlElement) -> list[tuple[str, str, XmlElement]]:
    """`(member, name, element)` of each file in the item."""
    return [
        (node.get("OPFAttachmentURL", ""), one_line(node.get("OPFAttachmentName", "")) or "attachment", node)
        for node in one.iter("{*}messageAttachment") if node.get("OPFAttachmentURL")
    ]  # fmt: skip


def _written(one: XmlElement, file: IO[bytes], files: list[int], limits: Limits) -> bytes:
    """An item as an internet message."""
    made = EmailMessage(email.policy.SMTP)
    for name, tag in _HEADERS:
        people = _addresses(one, tag) or (_addresses(one, "OPFMessageCopySenderAddress") if name == "From" else [])
        _add(made, name, ", ".join(people))
    _add(made, "Subject", _first(one, _TITLES))
    if time := _time(_first(one, _TIMES)):
        made["Date"] = time
    _add(made, "Message-ID", _first(one, ("OPFMessageCopyMessageID",)))
    plain, rich = _first(one, _PLAIN), _first(one, _RICH)
    if not rich and plain.lstrip()[:1] == "<" and "</" in plain:
        plain, rich = "", plain  # a body in HTML may stand under either name
    facts = "" if one.tag.rpartition("}")[2] == "email" else _facts(one)
    text = "\n\n".join(filter(None, (facts, plain)))
    if text or not rich:
        made.set_content(text, charset="utf-8", cte="base64")
    if rich and not facts:
        (made.add_alternative if text else made.set_content)(rich, subtype="html", charset="utf-8", cte="base64")
    elif rich and not plain:
        made.add_alternative(rich, subtype="html", charset="utf-8", cte="base64")
    for at, (_, name, node) in zip(files, _attachments(one), strict=False):
        main, _, minor = (node.get("OPFAttachmentContentType") or "").lower().partition("/")
        known = main.isalpha() and re.fullmatch(r"[\w.+-]+", minor) and main not in ("multipart", "message")
        data = _member(file, at, limits)
        cid = one_line(node.get("OPFAttachmentContentID", "")).strip("<>")
        made.add_attachment(
            data, maintype=main if known else "application", subtype=minor if known else "octet-stream", filename=name,
            cid=f"<{cid}>" if cid else None,
        )  # fmt: skip
    return made.as_bytes()


def _add(made: EmailMessage, name: str, value: str) -> None:
    if value := one_line(value):
        made[name] = value


def _facts(one: XmlElement) -> str:
    """What an appointment, a contact or a task says, a line each, by the names of its elements."""
    lines: list[str] = []
    for node in one.iter():
        found = _NAME.fullmatch(str(node.tag).rpartition("}")[2])
        text = one_line(node.text or "")
        if found is not None and text and not len(node) and not _SKIPPED.search(found[1]) and len(text) < _CHUNK:
            lines.append(f"{_WORDS.sub(' ', found[1]).capitalize()}: {text}")
        address = node.get("OPFCalendarAttendeeAddress") or node.get("OPFContactEmailAddressAddress")
        if address:
            kind = "Attendee" if node.get("OPFCalendarAttendeeAddress") else "E-mail"
            lines.append(f"{kind}: {mail_address(node.get('OPFCalendarAttendeeName', ''), address)}")
    return "\n".join(dict.fromkeys(lines))
