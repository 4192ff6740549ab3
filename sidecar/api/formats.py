"""What a format plugin is: `score` and `parse`, pure and synchronous, run in a worker process.

A format plugin has no database, no event loop and no network. It is declared under the entry-point group
`docsidecar.formats` as a class (or factory) called without arguments, or with its `[plugins.NAME]` settings table
when it accepts one argument named `settings`."""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from sidecar.api.errors import LimitError
from sidecar.api.model import ParsedDocument

SNIFF_BYTES = 8192
"""How many leading bytes `Source.head` holds; enough for every magic number."""
_MIN_TEXT_CHARS = 20_000_000
_MAX_TEXT_RATIO = 100
"""Characters of text for each byte of a file, beyond those that any file may have (`Limits.for_size`)."""


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
    recognise says so with a `no_text_layer` notice, one that met formulas whose results another program could calculate
    with a `not_computed` notice, one that met invisible text it could compare with what is to be seen with an
    `unverified_text` notice, one that met pictures on pages that it could search for words with a `picture_text`
    notice: the file is read again, with it, when all others are searchable."""
    words_only: bool = False
    """Whether many files wait to be found, so that the words of this one will do for now: a reader that can give them
    much sooner without headings, tables and figures gives them so, with a `words_only` notice, and the file is read
    again when the words of all others are searchable. No setting: the indexer decides it."""

    def of_file(self, *, by_member: bool) -> tuple[str, int]:
        """Which of these bounds the size of one file, and how many bytes it is (see `AttachedBounds.by_member`)."""
        return ("max_expanded_bytes", self.max_expanded_bytes) if by_member else ("max_file_bytes", self.max_file_bytes)

    def for_size(self, size: int) -> Limits:
        """These bounds for a file of `size` bytes: a small one whose cells all name one long text, or that is packed
        a thousandfold, has less text than a large one."""
        most = max(_MIN_TEXT_CHARS, _MAX_TEXT_RATIO * size)
        return self if most >= self.max_text_chars else replace(self, max_text_chars=most)


_pread: Callable[[int, int, int], bytes] | None = getattr(os, "pread", None)
"""Not every system has it."""


def _read_at(descriptor: int, count: int, start: int) -> bytes:
    if _pread is not None:
        return _pread(descriptor, count, start)
    os.lseek(descriptor, start, os.SEEK_SET)
    return os.read(descriptor, count)


class _OpenFile(io.RawIOBase):
    """A descriptor read from the start at a position of its own; closing it leaves the descriptor open."""

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor = descriptor
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(start + offset, 0)
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] - as io calls it
        data = _read_at(self._descriptor, len(buffer), self._at)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


@dataclass(frozen=True)
class Source:
    """One file to read, by `open`, `read`, `map` and `head`. `name` is its name for showing.

    `path` names it, and may hold surrogate escapes; it is not to be opened, since what lies there may be another file
    by now, or one outside the folder. `media_type` is what the detector believes ("" when unknown); a plugin judges by
    content all the same."""

    path: Path
    size: int
    media_type: str = ""
    _bytes: bytes | None = field(default=None, repr=False)
    _descriptor: int = field(default=-1, repr=False)

    @classmethod
    def of(cls, path: str | os.PathLike[str], media_type: str = "") -> Source:
        """A source for an existing file that nobody can swap, as in a test. Raises OSError as `os.stat` does."""
        path = Path(path)
        return cls(path, path.stat().st_size, media_type)

    @classmethod
    def of_bytes(cls, data: bytes, name: str, media_type: str = "") -> Source:
        """A source that is not a file: an inner document, or bytes in a test."""
        return cls(Path(name), len(data), media_type, data)

    @classmethod
    def of_descriptor(cls, descriptor: int, name: str, media_type: str) -> Source:
        """A source for an open file, which the caller closes when all is read. Raises OSError as `os.fstat` does."""
        return cls(Path(name), os.fstat(descriptor).st_size, media_type, None, descriptor)

    @property
    def name(self) -> str:
        """The last component of the path, fit to show: bytes that are not UTF-8 are replaced."""
        return os.fsencode(self.path.name).decode("utf-8", "replace")

    @cached_property
    def suffix(self) -> str:
        """Lower-case suffix with its dot: ".docx"; "" where there is none."""
        return self.path.suffix.lower()

    @cached_property
    def head(self) -> bytes:
        """The first `SNIFF_BYTES` bytes, read once."""
        if self._bytes is not None:
            return self._bytes[:SNIFF_BYTES]
        if self._descriptor >= 0:
            return _read_at(self._descriptor, SNIFF_BYTES, 0)
        with self.open() as file:
            return file.read(SNIFF_BYTES)

    def check_size(self, limits: Limits, *, by_member: bool = False) -> None:
        """Raises LimitError when the file is larger than `Limits.of_file` allows."""
        name, most = limits.of_file(by_member=by_member)
        if self.size > most:
            raise LimitError(f"{self.name} has {self.size:,} bytes; {name} is {most:,}.")

    def open(self) -> io.BytesIO | io.BufferedReader:
        """The bytes as a file to read and seek in, from the start. Raises OSError as `open` does."""
        if self._bytes is not None:
            return io.BytesIO(self._bytes)
        if self._descriptor >= 0:
            return io.BufferedReader(_OpenFile(self._descriptor, self.size))
        return self.path.open("rb")

    def read(self, limit: int | None = None) -> bytes:
        """All the bytes. Raises `LimitError` when there are more than `limit`, OSError as `open` does."""
        if limit is not None and self.size > limit:
            raise LimitError(f"{self.name} has {self.size:,} bytes; max_file_bytes is {limit:,}.")
        if self._bytes is not None:
            return self._bytes
        if self._descriptor < 0:
            return self.path.read_bytes()
        # As large as it was when it was opened; one more byte tells that it grows, and where none came there is none.
        data = _read_at(self._descriptor, self.size + 1, 0)
        while len(data) < self.size and (more := _read_at(self._descriptor, self.size + 1 - len(data), len(data))):
            data += more
        return data

    def map(self) -> bytes | mmap.mmap:
        """The bytes as a read-only map (or plain bytes where a map is impossible: empty, or not a file)."""
        if self._bytes is not None or self.size == 0:
            return self.read()
        if self._descriptor >= 0:
            return mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ)
        with self.path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


@dataclass(frozen=True)
class Payload:
    """Bytes with their true type: an embedded object opened, or a picture drawn. `name` is the inner file's own, `note`
    what whoever looks at the picture should know of how it was made."""

    data: bytes
    media_type: str
    name: str = ""
    width: int = 0
    height: int = 0
    note: str = ""


@runtime_checkable
class FormatPlugin(Protocol):
    """Reads one family of formats.

    `name` is a lower-case word, `version` changes whenever the output for the same bytes would change (the index
    then re-reads such files), `suffixes` are lower case with the dot. `score` must be cheap (`source.head`,
    `source.suffix`; never the whole file) and total: 0 declines, 100 is sure by content, 50 by suffix alone."""

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
            FormatError: the bytes cannot be read (see its subclasses). Nothing else may escape."""
        ...


@runtime_checkable
class OpensEmbedded(Protocol):
    """A format plugin that can hand out the bytes behind an `Embed.ref`, read lazily from the file."""

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind `ref`. Raises FormatError, NotFoundError."""
        ...


class LazyFormat:
    """A format plugin that reads with `parse` and `open_embedded` of the module `parse` beside its own module, imported
    when the first file is read: the serving process loads every plugin class and reads nothing."""

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """See `FormatPlugin.parse`."""
        return self._reader().parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """See `OpensEmbedded.open_embedded`."""
        return self._reader().open_embedded(source, ref, limits)

    def _reader(self) -> Any:
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.parse")


@dataclass(frozen=True)
class AttachedBounds:
    """Up to how much of what is attached to one file is searched as its text: documents, bytes and characters of all
    together, and the seconds of processor time after which no further one is begun.

    Where they are `documents` (the members of an archive), each is listed, searched and read as a document of its own,
    called by the file's path and its own name below that; else its words are the file's. A file that is read
    `by_member` and never whole may be as large as `Limits.max_expanded_bytes` (`Limits.of_file`)."""

    count: int = 16
    bytes: int = 16 * 2**20
    chars: int = 400_000
    seconds: float = 20.0
    documents: bool = False
    by_member: bool = False


@runtime_checkable
class HoldsDocuments(OpensEmbedded, Protocol):
    """A format plugin whose files hold others (messages, archives, texts with objects in them): the text of their
    attachments is searched as theirs, within bounds."""

    @property
    def attached(self) -> AttachedBounds:
        """How much is searched."""
        ...


@runtime_checkable
class ShowsPages(Protocol):
    """A format plugin whose files may be pictures of pages, such as scans and faxes: they are recognised by the plugin
    of a format that has pages, as those in its own files are."""

    def as_pages(self, source: Source, limits: Limits) -> Payload | None:
        """The file in that format, a page for each of its parts; None where it shows no pages. Raises FormatError."""
        ...


@runtime_checkable
class DrawsPictures(Protocol):
    """A format plugin that can draw a part: a page or a slide, 1-based. `dpi` is 144 unless a size was asked for.

    Raises `UnavailableError` naming the tool to install when drawing needs one that is absent."""

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """The part as PNG. Raises FormatError, NotFoundError, UnavailableError."""
        ...
