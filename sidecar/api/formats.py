"""What a format plugin is: `score` and `parse`, pure and synchronous, run in a worker process.

A format plugin has no database, no event loop and no network. It is declared under the entry-point group
`docsidecar.formats` as a class (or factory) called without arguments, or with its `[plugins.NAME]` settings table
when it accepts one argument named `settings`.
"""

from __future__ import annotations

import mmap
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from sidecar.api.errors import LimitError
from sidecar.api.model import ParsedDocument

SNIFF_BYTES = 8192
"""How many leading bytes `Source.head` holds; enough for every magic number."""


@dataclass(frozen=True)
class Limits:
    """Bounds a parse must keep, from `[limits]` of the configuration. The worker enforces time and memory from
    outside; a plugin enforces the rest itself, and raises `LimitError` or stops with a `truncated_at` notice."""

    max_file_bytes: int = 512 * 2**20
    max_expanded_bytes: int = 4 * 2**30
    """Sum of uncompressed sizes a container may claim."""
    max_ratio: int = 1000
    """Uncompressed over compressed size of one container member of more than a megabyte."""
    max_seconds: float = 120.0
    max_memory_bytes: int = 2 * 2**30
    max_text_chars: int = 100_000_000
    max_parts: int = 100_000
    max_embedded: int = 20_000
    max_pixels: int = 100_000_000
    """Pixels of one picture that may be decoded or drawn."""
    ocr: bool = True
    """Whether what has no text may be recognised. A file is first read without, and a plugin that met pages it could
    recognise says so with a `no_text_layer` notice: the file is read again, with it, when all others are searchable."""


@dataclass(frozen=True)
class Source:
    """One file to read. `path` may hold surrogate escapes; `name` is its last component for showing.

    `media_type` is what the detector believes ("" when unknown); a plugin judges by content all the same.
    """

    path: Path
    size: int
    media_type: str = ""
    _override: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, path: str | os.PathLike[str], media_type: str = "") -> Source:
        """A source for an existing file. Raises OSError as `os.stat` does."""
        path = Path(path)
        return cls(path, path.stat().st_size, media_type)

    @classmethod
    def of_bytes(cls, data: bytes, name: str, media_type: str = "") -> Source:
        """A source that is not a file: an inner document, or bytes in a test."""
        return cls(Path(name), len(data), media_type, data)

    @property
    def name(self) -> str:
        """The last component of the path, fit to show: bytes that are no UTF-8 are replaced."""
        return os.fsencode(self.path.name).decode("utf-8", "replace")

    @property
    def suffix(self) -> str:
        """Lower-case suffix with its dot: ".docx"; "" where there is none."""
        return self.path.suffix.lower()

    @cached_property
    def head(self) -> bytes:
        """The first `SNIFF_BYTES` bytes, read once."""
        if self._override is not None:
            return self._override[:SNIFF_BYTES]
        with self.path.open("rb") as file:
            return file.read(SNIFF_BYTES)

    def read(self, limit: int | None = None) -> bytes:
        """All the bytes. Raises `LimitError` when there are more than `limit`, OSError as `open` does."""
        if limit is not None and self.size > limit:
            raise LimitError(f"{self.name} has {self.size:,} bytes; max_file_bytes is {limit:,}.")
        if self._override is not None:
            return self._override
        return self.path.read_bytes()

    def map(self) -> bytes | mmap.mmap:
        """The bytes as a read-only map (or plain bytes where a map is impossible: empty, or not a file)."""
        if self._override is not None or self.size == 0:
            return self.read()
        with self.path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@dataclass(frozen=True)
class Payload:
    """Bytes with their true type: an embedded object opened, or a picture drawn. `name` is the inner file's own."""

    data: bytes
    media_type: str
    name: str = ""
    width: int = 0
    height: int = 0


@runtime_checkable
class FormatPlugin(Protocol):
    """Reads one family of formats.

    `name` is a lower-case word, `version` changes whenever the output for the same bytes would change (the index
    then re-reads such files), `suffixes` are lower case with the dot. `score` must be cheap (`source.head`,
    `source.suffix`; never the whole file) and total: 0 declines, 100 is sure by content, 50 by suffix alone.
    """

    name: str
    version: str
    media_types: tuple[str, ...]
    suffixes: tuple[str, ...]

    def score(self, source: Source) -> int:
        """How sure the plugin is that it reads this file, 0 to 100. Raises nothing but OSError."""
        ...

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """Read the document.

        Raises:
            FormatError: the bytes cannot be read (see its subclasses). Nothing else may escape.
        """
        ...


@runtime_checkable
class OpensEmbedded(Protocol):
    """A format plugin that can hand out the bytes behind an `Embed.ref`, read lazily from the file."""

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind `ref`. Raises FormatError, NotFoundError."""
        ...


@runtime_checkable
class DrawsPictures(Protocol):
    """A format plugin that can draw a part: a page or a slide, 1-based. `dpi` is 144 unless a size was asked for.

    Raises `UnavailableError` naming the tool to install when drawing needs one that is absent.
    """

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """The part as PNG. Raises FormatError, NotFoundError, UnavailableError."""
        ...
