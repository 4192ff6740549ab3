"""The plugin class for archives: recognised by suffix and content, so that no Office package is taken for one."""

from typing import TYPE_CHECKING

from sidecar.api import AttachedBounds, Limits, ParsedDocument, Payload, Source

if TYPE_CHECKING:
    from sidecar_archive.base import Unpacked

_ZIP, _GZIP, _BZIP2, _XZ = b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"
_LZMA = b"\x5d\0\0"
_SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
_HELP_FILE = b"ITSF"
_WARC = b"WARC/"
_RAR, _ZSTD = b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd"
_EMPTY_ZIP = b"PK\x05\x06"
_TAR_MAGIC_AT, _TAR_MAGIC = 257, b"ustar"


class ArchiveFormat:
    """Archives. Their members are documents of their own, within `attached`."""

    name = "archive"
    version = "19"
    media_types: tuple[str, ...] = (
        "application/zip", "application/x-tar", "application/gzip", "application/x-bzip2", "application/x-xz",
        "application/x-7z-compressed", "application/vnd.ms-htmlhelp", "application/vnd.rar", "application/zstd",
        "application/warc",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (
        ".zip", ".tar", ".tgz", ".gz", ".bz2", ".tbz2", ".xz", ".txz", ".lzma", ".tlz", ".7z", ".chm",
        ".rar", ".zst", ".tzst", ".kmz", ".warc", ".wacz", ".textpack", ".cbz", ".cbr", ".cb7", ".cbt",
    )  # fmt: skip
    attached = AttachedBounds(count=500, bytes=64 * 2**20, chars=4_000_000, seconds=60.0, documents=True)

    def __init__(self) -> None:
        self._unpacked: Unpacked | None = None

    def score(self, source: Source) -> int:
        """70 for an archive's first bytes under one of our names, 10 for the name alone. Others' packages (.jar, .apk,
        Office files, e-books) are theirs, whatever they are packed with."""
        if source.suffix not in self.suffixes:
            return 0
        head = source.head
        known = head.startswith(
            (_ZIP, _EMPTY_ZIP, _GZIP, _BZIP2, _XZ, _LZMA, _SEVEN_ZIP, _HELP_FILE, _RAR, _ZSTD, _WARC)
        )
        return 70 if known or head[_TAR_MAGIC_AT:].startswith(_TAR_MAGIC) else 10

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The archive as a document: its members in a table, each file an attachment. Raises FormatError."""
        from sidecar_archive.parse import parse

        return parse(source, limits, self._last())

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A member. Raises NotFoundError, FormatError."""
        from sidecar_archive.parse import open_embedded

        return open_embedded(source, ref, limits, self._last())

    def _last(self) -> "Unpacked":
        from sidecar_archive.base import Unpacked

        self._unpacked = self._unpacked or Unpacked()
        return self._unpacked
