"""One message, whatever file it came from: who, when, what, and the files attached."""

from dataclasses import dataclass, field

from sidecar.api import Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.properties import file_time


def is_outlook(source: Source) -> bool:
    """Whether a mail file is Outlook's (an OLE compound file) rather than text."""
    return source.head.startswith(OLE_MAGIC)


def file_time_text(value: bytes) -> str:
    """ISO 8601 of a PtypTime; "" for none."""
    time = file_time(value)
    return time.isoformat(timespec="seconds") if time else ""


def full_address(name: str, address: str) -> str:
    """ "Ann <ann@example.org>", or what there is of it."""
    if not address or address == name:
        return name or address
    return f"{name} <{address}>" if name else address


def is_tnef(head: bytes) -> bool:
    """Whether bytes begin an Outlook envelope ([MS-OXTNEF] 2.1.3.1)."""
    return head.startswith(b"\x78\x9f\x3e\x22")


@dataclass(frozen=True)
class Attachment:
    """A file in a message. `ref` finds it again; `content_id` is what an HTML body calls it."""

    ref: str
    name: str
    media_type: str
    data: bytes = field(repr=False)
    content_id: str = ""


@dataclass(frozen=True)
class Message:
    """Headers decoded to text, bodies as text and HTML ("" where there is none), attachments, messages inside it."""

    subject: str = ""
    sender: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    reply_to: str = ""
    date: str = ""
    """ISO 8601, or as written where it is not understood."""
    date_written: str = ""
    identity: str = ""
    text: str = ""
    html: str = ""
    before: str = ""
    behind: str = ""
    """What mail programs show before and behind the HTML body: text bodies that are not an alternative to it."""
    facts: tuple[tuple[str, str], ...] = ()
    """What an item of Outlook says besides: where and when, of an appointment; (what, text)."""
    attachments: tuple[Attachment, ...] = ()
    inner: "tuple[Message, ...]" = ()
    encrypted: bool = False
    broken: tuple[str, ...] = ()
    """What could not be read, in words."""
