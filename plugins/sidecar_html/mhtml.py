"""Saved pages (MHTML, RFC 2557): the page itself and the files saved with it, found by their address or Content-ID."""

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sidecar.api import DamagedError, Source
from sidecar.toolkit.markup.pictures import InnerFile
from sidecar.toolkit.pictures import HEAD_BYTES

if TYPE_CHECKING:
    from email.message import Message
_FRAMES = re.compile(rb"<frameset\b", re.IGNORECASE)
_SHEETS = re.compile(rb"<x:Name>([^<]{1,100})</x:Name>\s*<x:WorksheetSource\b", re.IGNORECASE)
"""The names of the sheets in the order of their pages."""


def is_mhtml(source: Source) -> bool:
    """Whether a file is a page saved with its pictures."""
    head = source.head.lower()
    return b"multipart/related" in head and b"mime-version:" in head and not head.lstrip().startswith(b"<")


class SavedPage:
    """An opened MHTML file. Raises DamagedError when it holds no page."""

    def __init__(self, data: bytes, name: str) -> None:
        import email.policy  # here: few pages are saved so, and it takes ten milliseconds

        message = email.message_from_bytes(data, policy=email.policy.compat32)
        self._files = [part for part in message.walk() if not part.is_multipart()]
        pages = [part for part in self._files if part.get_content_type() in ("text/html", "application/xhtml+xml")]
        if not pages:
            raise DamagedError(f"{name} is a saved page without any HTML in it.")
        self._pages = pages
        self._page = pages[0]
        self.address = str(self._page.get("Content-Location") or message.get("Snapshot-Content-Location") or "").strip()
        self._by_address: dict[str, int] = {}
        for number, part in enumerate(self._files):
            location = str(part.get("Content-Location") or "").strip()
            if location:
                self._by_address.setdefault(location, number)
                self._by_address.setdefault(urljoin(self.address, location), number)
            identity = str(part.get("Content-ID") or "").strip().strip("<>")
            if identity:
                self._by_address.setdefault(f"cid:{identity}", number)

    def html(self) -> tuple[bytes, str]:
        """The page's bytes and the encoding its MIME header declares; of a workbook that Excel saved, whose page only
        frames them, its sheets under their names."""
        data, encoding = _bytes(self._page), str(self._page.get_content_charset() or "")
        if not _FRAMES.search(data):
            return data, encoding
        names: list[bytes] = _SHEETS.findall(data)
        sheets = [page for page in self._pages[1:] if "tabstrip" not in str(page.get("Content-Location") or "")]
        names += [b""] * (len(sheets) - len(names))
        joined = b"".join(b"<h1>" + name + b"</h1>" + _bytes(page) for name, page in zip(names, sheets, strict=False))
        return joined or data, encoding

    def resolve(self, src: str) -> InnerFile | None:
        """The file saved under an address, as the page names it; None when there is none."""
        number = self._by_address.get(src)
        if number is None:
            number = self._by_address.get(urljoin(self.address, src))
        if number is None:
            return None
        part = self._files[number]
        data = _bytes(part)
        name = str(part.get("Content-Location") or "").partition("?")[0].rpartition("/")[2]
        return InnerFile(f"mime:{number}", name, part.get_content_type(), len(data), data[:HEAD_BYTES])

    def read(self, number: int) -> tuple[bytes, str]:
        """The bytes and declared type of a saved file. Raises IndexError."""
        part = self._files[number]
        return _bytes(part), part.get_content_type()


def _bytes(part: "Message") -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
