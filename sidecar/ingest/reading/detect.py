"""The formats of a worker process, loaded once, and which of them reads a file: the highest `score` over its first
bytes; an external plugin wins a tie. The same for a file inside another, with the boundary to its plugin. Not
responsible for finding plugins (`sidecar.registry`)."""

import contextlib
import gc
import hashlib
import logging
import mimetypes
import struct
import traceback
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeVar, cast

import msgspec

from sidecar.api import DamagedError, LimitError, Limits, Payload, SidecarError, Source, UnsupportedError
from sidecar.ingest.reading.jobs import Loader
from sidecar.registry.formats import FormatEntry
from sidecar.workers.main import resolve

if TYPE_CHECKING:
    from sidecar.config import Config  # a worker reads no configuration, and what reads it takes long to load

logger = logging.getLogger(__name__)

T = TypeVar("T")

_SURE: Final = 90
"""From this score on, plugins to which the file's suffix does not belong are not asked."""
_BY_NAME: Final = 50
"""The most a plugin scores for a file of which nothing but the name is one of its own."""
_MARKS: Final = (
    (0, b"\0\1\0\0", "a font"), (0, b"OTTO", "a font"), (0, b"ttcf", "a font"), (0, b"wOFF", "a font"),
    (0, b"wOF2", "a font"), (0, b"MZ", "a program"), (0, b"\x7fELF", "a program"),
    (0, b"\xca\xfe\xba\xbe", "a program"),
    (0, b"\xcf\xfa\xed\xfe", "a program"), (0, b"\xce\xfa\xed\xfe", "a program"), (0, b"\0asm", "a program"),
    (0, b"7z\xbc\xaf'\x1c", "an archive"), (0, b"Rar!\x1a\7", "an archive"), (0, b"\x1f\x8b", "an archive"),
    (0, b"BZh", "an archive"), (0, b"\xfd7zXZ\0", "an archive"), (0, b"\x28\xb5\x2f\xfd", "an archive"),
    (257, b"ustar", "an archive"), (4, b"ftyp", "a film"), (0, b"\x1aE\xdf\xa3", "a film"), (0, b"OggS", "a recording"),
    (0, b"ID3", "a recording"), (0, b"fLaC", "a recording"), (0, b"SQLite format 3\0", "a database"),
)  # fmt: skip
"""(offset, bytes, what it is) of files that a name may belie."""
_UNREAD: Final = {
    ".mpp": ("binary plans of Project", "save it from Project as XML"),
    ".mpt": ("binary plans of Project", "save it from Project as XML"),
    ".dwg": ("AutoCAD's own drawings", "save it as DXF, or plot it to PDF"),
    ".indd": ("layouts of InDesign", "export it as PDF"),
    ".cdr": ("drawings of CorelDRAW", "export it as PDF"),
    ".lwp": ("texts of Word Pro", "save it from LibreOffice as .odt"),
    ".wri": ("texts of Windows Write", "save it from LibreOffice as .odt"),
    ".cwk": ("documents of AppleWorks", "save it from LibreOffice as .odt or .ods"),
    ".sdw": ("texts of StarOffice 5", "save it from LibreOffice as .odt"),
    ".sdc": ("sheets of StarOffice 5", "save it from LibreOffice as .ods"),
}
"""By suffix, documents that no plugin here reads, and what makes them readable."""
_PACKAGE: Final = "application/zip"
_PACKAGE_MARKS: Final = ("[Content_Types].xml", "mimetype", "META-INF/", "Index", "index.")
"""What the names of members of zip packages begin with that are documents."""


class Detector:
    """Holds the formats by suffix: most files are read, rightly, by the one plugin their suffix belongs to."""

    def __init__(self, formats: Sequence[FormatEntry]) -> None:
        self._formats = tuple(formats)
        by_suffix: defaultdict[str, list[FormatEntry]] = defaultdict(list)
        for entry in formats:
            for suffix in entry.suffixes:
                by_suffix[suffix].append(entry)
        self._by_suffix = {suffix: tuple(entries) for suffix, entries in by_suffix.items()}
        self._others: dict[str, tuple[FormatEntry, ...]] = {}

    def expects(self, name: str) -> bool:
        """Whether the suffix of that name is some plugin's."""
        return PurePath(name).suffix.lower() in self._by_suffix

    def detect(self, source: Source) -> FormatEntry | None:
        """The plugin to read the file with; None when all decline. Raises OSError when its head cannot be read."""
        return next(iter(self.readers(source)), None)

    def readers(self, source: Source) -> tuple[FormatEntry, ...]:
        """The plugin to read the file with, and the one its suffix belongs to where that is another: a text may begin
        with the mark of a format, and is one when it turns out not to be in it. () when all decline."""
        expected = self._by_suffix.get(source.suffix, ())
        best, score = _best(expected, source)
        if score < _SURE:
            other, other_score = _best(self._rest(source.suffix), source)
            if other is not None and other_score > score:
                return (other,) if best is None else (other, best)
        return () if best is None else (best,)

    def _rest(self, suffix: str) -> tuple[FormatEntry, ...]:
        """Those whose suffix it is not, put together when asked for: a worker meets with few of the suffixes."""
        if suffix not in self._by_suffix:
            return self._formats
        if suffix not in self._others:
            self._others[suffix] = tuple(entry for entry in self._formats if suffix not in entry.suffixes)
        return self._others[suffix]

    def by_guess(self, entry: FormatEntry, source: Source) -> bool:
        """Whether the plugin was taken for the file though neither suffix nor mark says that it is one of its own."""
        return source.suffix not in entry.suffixes and entry.plugin.score(source) < _SURE


def unread(suffix: str) -> str:
    """Why no plugin takes a file of that lower-case suffix, as a sentence, and what to do where that is known."""
    kind, way_out = _UNREAD.get(suffix, ("", ""))
    return f"No plugin reads {kind}; {way_out}, and that is read." if kind else "No plugin reads this kind of file."


def contradicting_type(readers: Iterable[FormatEntry], source: Source) -> str:
    """What the file is where its name says otherwise: "a font", say; "" of one that has the mark of what it is named
    for, or of nothing known. For files that could not be read: packages are looked into. Raises OSError."""
    readers = tuple(readers)
    if source.head.startswith(b"PK\3\4"):
        if any(_PACKAGE in entry.media_types for entry in readers):
            return ""
        with (
            contextlib.suppress(zipfile.BadZipFile, ValueError, NotImplementedError, struct.error),
            source.open() as file,
            zipfile.ZipFile(file) as members,
        ):
            names = members.namelist()
            return "" if any(name.startswith(_PACKAGE_MARKS) for name in names) else "an archive"
    if any(entry.plugin.score(source) > _BY_NAME for entry in readers):
        return ""
    return next((what for at, mark, what in _MARKS if source.head.startswith(mark, at)), "")


def media_type(entry: FormatEntry, source: Source) -> str:
    """The media type to begin with: what the name suggests where the plugin reads that, else the plugin's first."""
    name = source.name
    guessed = _guessed(name[:1] + name[name.find(".", 1) :] if "." in name[1:] else name)
    if guessed in entry.media_types or not entry.media_types:
        return guessed
    return entry.media_types[0]


@lru_cache(maxsize=256)
def _guessed(name: str) -> str:
    """The media type a name suggests, "" for none; names are cut to their suffixes, so that there are few."""
    return mimetypes.guess_type(name)[0] or ""


def _best(formats: Sequence[FormatEntry], source: Source) -> tuple[FormatEntry | None, int]:
    best: FormatEntry | None = None
    best_score = 0
    for entry in formats:
        try:
            score = entry.plugin.score(source)
        except OSError:
            raise
        except Exception:  # a plugin's score may raise anything; one fault must not hide the file from the others
            logger.exception("format plugin %s failed to score %s", entry.name, source.name)
            continue
        if score > best_score or (score == best_score > 0 and best is not None and best.builtin and not entry.builtin):
            best, best_score = entry, score
    return best, best_score


def loader_of(config: "Config", target: str = "sidecar.registry:load_formats") -> Loader:
    """How a worker gets the formats that a configuration leaves in force."""
    settings = {name: dict(table) for name, table in config.plugin_settings.items()}
    return Loader(target, config.plugins_disabled, msgspec.json.encode(settings))


@lru_cache(maxsize=2)
def detector_of(loader: Loader) -> Detector:
    """The formats as the loader gives them, loaded at the first call."""
    formats = resolve(loader.target)(loader.disabled, msgspec.json.decode(loader.settings))
    # Parsers make garbage by the million objects and rarely cycles; what is loaded by now stays for good.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    return Detector(cast("list[FormatEntry]", formats.entries))


def versions_hash(formats: Iterable[FormatEntry], limits: Limits) -> str:
    """Twelve hex digits that change with any plugin's version and any limit: what others read is another text."""
    versions = ",".join(sorted(f"{entry.name} {entry.version}" for entry in formats))
    return hashlib.sha256(f"{versions} {limits}".encode()).hexdigest()[:12]


@dataclass(frozen=True)
class ReadableFile:
    """A file with the plugin that reads it, what tells the formats of files inside it, and the bounds of reading."""

    entry: FormatEntry
    source: Source
    detector: Detector
    limits: Limits

    def inner(self, payload: Payload) -> "ReadableFile":
        """A file inside it. Raises as `file_of` does."""
        return file_of(self.detector, payload, self.limits)

    def with_media_type(self) -> "ReadableFile":
        """The same with the media type that the plugin reads it as."""
        source = Source.of_bytes(self.source.read(), self.source.name, media_type(self.entry, self.source))
        return replace(self, source=source)


def file_of(detector: Detector, payload: Payload, limits: Limits) -> ReadableFile:
    """The attached bytes and the plugin that reads them. Raises LimitError, UnsupportedError."""
    name = payload.name.replace("\\", "/").rpartition("/")[2].replace("\0", "") or "attachment"
    source = Source.of_bytes(payload.data, name, payload.media_type)
    if source.size > limits.max_file_bytes:
        raise LimitError(f"It has {source.size:,} bytes; limits.max_file_bytes is {limits.max_file_bytes:,}.")
    entry = detector.detect(source)
    if entry is None:
        raise UnsupportedError(f"No plugin reads files of its kind ({payload.media_type or 'unknown'}).")
    return ReadableFile(entry, source, detector, limits)


def guarded(entry: FormatEntry, work: Callable[[], T]) -> T:
    """The boundary to a plugin: its fault is a damaged file. Raises DamagedError."""
    try:
        return work()
    except (SidecarError, OSError, MemoryError):
        raise
    except RecursionError as error:
        raise DamagedError("It is nested too deeply to be read.") from error
    except Exception as error:
        logger.warning("%s", "".join(traceback.format_exception(error)))
        raise DamagedError(f"The {entry.name} plugin failed with {type(error).__name__}.") from error
