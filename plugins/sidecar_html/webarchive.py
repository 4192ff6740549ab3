"""Pages that Safari saved (.webarchive): a property list with the page, the files saved with it, and those of frames.

The keys are WebKit's (`WebArchive`, `WebResource`): each resource has its bytes, address, type and encoding."""

import plistlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin
from xml.parsers.expat import ExpatError

from sidecar.api import DamagedError, Source
from sidecar.toolkit.markup.pictures import InnerFile
from sidecar.toolkit.pictures import HEAD_BYTES

_SUFFIX: Final = ".webarchive"
_BINARY: Final = b"bplist00"
_MAX_FILES: Final = 10_000
_MAX_DEPTH: Final = 10
"""Frames within frames."""
_FAULTS: Final = (plistlib.InvalidFileException, ExpatError, ValueError, TypeError, KeyError, LookupError,
                  OverflowError, RecursionError, MemoryError)  # fmt: skip
"""What is raised for lists that are none."""


def is_webarchive(source: Source) -> bool:
    """Whether a file is such a page, by its suffix and its first bytes."""
    head = source.head
    return source.suffix == _SUFFIX and (head.startswith(_BINARY) or b"<plist" in head)


class _Resource(NamedTuple):
    data: bytes
    address: str
    media_type: str
    encoding: str


class WebArchive:
    """An opened page. Raises DamagedError when it holds none."""

    def __init__(self, data: bytes, name: str) -> None:
        try:
            loaded: object = plistlib.loads(data)
        except _FAULTS as error:
            raise DamagedError(f"{name} is not a readable web archive: {error}.") from error
        self._files = list(_files(loaded))
        page = next((one for one in self._files if one.media_type in ("", "text/html", "application/xhtml+xml")), None)
        if page is None:
            raise DamagedError(f"{name} is a web archive without a page in it.")
        self._page = page
        self.address = page.address
        self._by_address: dict[str, int] = {}
        for number, file in enumerate(self._files):
            self._by_address.setdefault(file.address, number)

    def html(self) -> tuple[bytes, str]:
        """The page's bytes and its encoding."""
        return self._page.data, self._page.encoding

    def resolve(self, src: str) -> InnerFile | None:
        """The file saved under an address, as the page names it; None when there is none."""
        number = self._by_address.get(urljoin(self.address, src))
        if number is None:
            return None
        file = self._files[number]
        name = file.address.partition("?")[0].rpartition("/")[2]
        return InnerFile(f"mime:{number}", name, file.media_type, len(file.data), file.data[:HEAD_BYTES])

    def read(self, number: int) -> tuple[bytes, str]:
        """The bytes and declared type of a saved file. Raises IndexError."""
        file = self._files[number]
        return file.data, file.media_type


def _files(archive: object, depth: int = 0) -> Iterator[_Resource]:
    """The page, then what was saved with it; what is not a resource is passed over."""
    if not isinstance(archive, dict) or depth > _MAX_DEPTH:
        return
    found: dict[str, object] = archive  # pyright: ignore[reportUnknownVariableType]
    listed = found.get("WebSubresources")
    frames = found.get("WebSubframeArchives")
    resources: list[Any] = [found.get("WebMainResource"), *(listed if isinstance(listed, list) else ())]
    for one in resources[:_MAX_FILES]:
        data = one.get("WebResourceData") if isinstance(one, dict) else None
        if isinstance(data, bytes):
            keys = ("WebResourceURL", "WebResourceMIMEType", "WebResourceTextEncodingName")
            texts = [value if isinstance(value := one.get(key), str) else "" for key in keys]
            yield _Resource(data, *texts)
    if isinstance(frames, list):
        inner: list[object] = frames
        for frame in inner[:100]:
            yield from _files(frame, depth + 1)
