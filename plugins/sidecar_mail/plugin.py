"""The mail format plugin: recognises messages by their headers. Imports nothing heavy."""

import re

from sidecar.api import AttachedBounds, LazyFormat, Source
from sidecar.toolkit.text import looks_binary
from sidecar_mail.message import is_outlook, is_tnef
from sidecar_mail.signed import is_enveloped, is_signed

_PROPERTIES = "__properties_version1.0".encode("utf-16-le")
_STREAM = "__substg1.0_".encode("utf-16-le")
_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|received|mime-version|message-id|return-path|delivered-to|reply-to|content-type|sender):",
    re.IGNORECASE | re.MULTILINE,
)


class MailFormat(LazyFormat):
    """Mail: single messages, Outlook messages and envelopes (winmail.dat), mailboxes."""

    name = "mail"
    version = "38"
    media_types: tuple[str, ...] = (
        "message/rfc822", "application/vnd.ms-outlook", "application/mbox", "application/ms-tnef",
    )  # fmt: skip
    attached = AttachedBounds()
    suffixes: tuple[str, ...] = (".eml", ".msg", ".mbox", ".emlx", ".tnef", ".oft", ".p7m")

    def score(self, source: Source) -> int:
        """85 to 90 for headers or what Outlook writes, 60 without a suffix, 50 for other text of a known suffix."""
        head = source.head
        if is_outlook(source):
            named = _PROPERTIES in head or _STREAM in head
            return 90 if named or source.suffix in (".msg", ".oft") else 0
        if is_tnef(head):
            return 90
        if is_signed(head) or is_enveloped(head):
            return 90 if source.suffix in (".p7m", ".eml") else 0
        if not head or (source.suffix and source.suffix not in self.suffixes) or looks_binary(head):
            return 0
        narrow = head.replace(b"\0", b"").replace(b"\r", b"\n")
        if source.suffix in self.suffixes:
            return 85 if _HEADER.search(narrow) else 50
        found = {name.lower() for name in _HEADER.findall(narrow)}
        # A message without the suffix: only when it can hardly be anything else.
        sure = len(found) >= 4 and b"from" in found and found & {b"received", b"message-id", b"mime-version"}
        return 60 if sure else 0
