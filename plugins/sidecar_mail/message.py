"""One message, whatever file it came from: who, when, what, and the files attached."""

from __future__ import annotations

from dataclasses import dataclass, field

from sidecar.api import Source

__all__ = ["Attachment", "Message", "is_outlook"]

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_outlook(source: Source) -> bool:
    """Whether a mail file is Outlook's (an OLE compound file) rather than text."""
    return source.head.startswith(_OLE)


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
    date: str = ""
    """ISO 8601, or as written where it is not understood."""
    date_written: str = ""
    identity: str = ""
    text: str = ""
    html: str = ""
    attachments: tuple[Attachment, ...] = ()
    inner: tuple[Message, ...] = ()
    encrypted: bool = False
    broken: tuple[str, ...] = ()
    """What could not be read, in words."""
