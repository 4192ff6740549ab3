"""What crosses between the indexer and its parse workers: jobs one way, outcomes the other, encoded once; and about
how long a job takes.

A large outcome travels as several frames of a few megabytes, because decoding one holds up the event loop."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec

from sidecar.api.records import DocumentState
from sidecar.store.documents.records import FileStat, PartRecord, PassageRecord, Prepared

LATE: Final = (b".bmp", b".gif", b".heic", b".jpeg", b".jpg", b".png", b".tif", b".tiff", b".webp")
"""Pictures, whose text is recognised: a hundred times the time of other files of their size."""
_TEXT: Final = (0.003, 0.2)
_PICTURE: Final = (0.25, 0.5)
_COSTS: Final[Mapping[str, tuple[float, float]]] = {
    ".pdf": (0.1, 1.4), ".docx": (0.02, 0.3), ".xlsx": (0.03, 1.0), ".pptx": (0.02, 0.1), ".html": (0.005, 0.15),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".webp", ".bmp"), _PICTURE),
}  # fmt: skip
"""Processor seconds a file and a megabyte, on average (`tests/bench/pace/reading_cost.py`)."""
_FRAME_BYTES: Final = 2 * 2**20
"""Aim for the size of one frame: decoding it takes a few milliseconds."""

UNFINISHED: Final = "+unrecognised"
"""Follows the plugin's version while pages wait to be recognised or attachments to be read: whoever meets such a
version reads the file again."""
WORDS: Final = "+words"
"""Follows the plugin's version while only the words of a file were read (see `Limits.words_only`)."""
OutcomeKind = Literal["read", "same", "copy", "failed", "unsupported", "changed", "gone"]
T = TypeVar("T", PartRecord, PassageRecord)


class Loader(msgspec.Struct, frozen=True):
    """How a worker gets the formats: calls `target` ("package.module:function") with `disabled` and `settings`
    (encoded as JSON); it gives an object with `entries`."""

    target: str = "sidecar.registry:load_formats"
    disabled: frozenset[str] = frozenset()
    settings: bytes = b"{}"


class Job(msgspec.Struct, frozen=True, gc=False):
    """One file to read, below the watched `folder` ("" for the directory it lies in). `sha256`, `plugin` and
    `plugin_version` are those of the version in the index, "" for none.

    `copies` are (sha256, plugin, plugin_version, suffix) of indexed files of the same size, and of members of the
    archive it is."""

    path: bytes
    sha256: str = ""
    plugin: str = ""
    plugin_version: str = ""
    copies: tuple[tuple[str, str, str, str], ...] = ()
    slow: bool = False
    """What takes long may be done too: pages without a text layer are recognised."""
    recognise: bool = True
    """False has a `slow` job leave recognition for another one: somebody waits for what is attached."""
    words: bool = False
    """Many files wait: the words of this one will do for now."""
    folder: bytes = b""
    follow_links: bool = False
    """Whether links below the folder are followed (never out of it)."""
    secrets: bool = False
    """Whether private keys and the like may be read."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a job. "read" carries `prepared`; "same" and "copy" need no parsing; "failed" has `state` and
    `reason`; "changed" means that the file was written to meanwhile, "gone" that it is no longer a regular file.

    `stat` is of the content read. `unfinished` says that there is more to read, as `plugin_version` ends: the same file
    is to be read again, as a `slow` job where pages wait to be recognised; `attached` that documents attached to it are
    part of that. `frames` counts the frames that follow with the rest of `prepared`. `name` is that of a member of an
    archive, below it; `members` are those of an archive, and `followed_by` so many of them come behind it, -1 where
    they were not looked at."""

    kind: OutcomeKind
    stat: FileStat = FileStat(0, 0)
    sha256: str = ""
    state: DocumentState = "indexed"
    reason: str = ""
    plugin: str = ""
    plugin_version: str = ""
    prepared: Prepared | None = None
    unfinished: bool = False
    attached: bool = False
    frames: int = 0
    name: str = ""
    members: "tuple[Outcome, ...]" = ()
    followed_by: int = -1


_OUTCOMES = msgspec.msgpack.Decoder(Outcome)
_REST = msgspec.msgpack.Decoder(tuple[list[PartRecord], list[PassageRecord]])


def encode(outcome: Outcome) -> Iterator[bytes]:
    """The frames of an outcome, and of its members behind it. Raises UnicodeEncodeError for text that `prepare` should
    have cleaned."""
    yield from _encode(msgspec.structs.replace(outcome, members=()) if outcome.members else outcome)
    for member in outcome.members:
        yield from _encode(member)


def _encode(outcome: Outcome) -> Iterator[bytes]:
    prepared = outcome.prepared
    if prepared is None or _weight(prepared.parts) + _weight(prepared.passages) <= _FRAME_BYTES:
        yield msgspec.msgpack.encode(outcome)
        return
    rest: list[tuple[list[PartRecord], list[PassageRecord]]] = [(parts, []) for parts in _chunks(prepared.parts)]
    rest += [([], passages) for passages in _chunks(prepared.passages)]
    slim = msgspec.structs.replace(prepared, parts=(), passages=())
    yield msgspec.msgpack.encode(msgspec.structs.replace(outcome, prepared=slim, frames=len(rest)))
    for chunk in rest:
        yield msgspec.msgpack.encode(chunk)


class Assembly:
    """Puts the frames of one outcome after another together, as they come."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._left = 0
        self._parts: list[PartRecord] = []
        self._passages: list[PassageRecord] = []
        self._archive: Outcome | None = None
        self._members: list[Outcome] = []

    def add(self, frame: bytes) -> Outcome | None:
        """The outcome with its members, once its last frame is there."""
        outcome = self._add(frame)
        if outcome is None:
            return None
        if self._archive is None:
            if outcome.followed_by < 1:
                return outcome
            self._archive, self._members = outcome, []
            return None
        self._members.append(outcome)
        if len(self._members) < self._archive.followed_by:
            return None
        archive, self._archive = self._archive, None
        return msgspec.structs.replace(archive, members=tuple(self._members))

    def _add(self, frame: bytes) -> Outcome | None:
        if self._outcome is None:
            outcome = _OUTCOMES.decode(frame)
            if not outcome.frames:
                return outcome
            self._outcome, self._left = outcome, outcome.frames
            self._parts, self._passages = [], []
            return None
        parts, passages = _REST.decode(frame)
        self._parts += parts
        self._passages += passages
        self._left -= 1
        if self._left:
            return None
        outcome, self._outcome = self._outcome, None
        assert outcome.prepared is not None  # noqa: S101 - only those have further frames
        whole = msgspec.structs.replace(outcome.prepared, parts=tuple(self._parts), passages=tuple(self._passages))
        return msgspec.structs.replace(outcome, prepared=whole, frames=0)


def _weight(records: tuple[Any, ...]) -> int:
    return sum(map(_size, records))


def _size(record: PartRecord | PassageRecord) -> int:
    if isinstance(record, PassageRecord):
        return len(record.text) + len(record.heading) + 100
    return sum([len(segment.data) for segment in record.segments]) + 200


def _chunks(records: tuple[T, ...]) -> Iterator[list[T]]:
    chunk: list[T] = []
    size = 0
    for record in records:
        if chunk and size + _size(record) > _FRAME_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(record)
        size += _size(record)
    if chunk:
        yield chunk


def processor_seconds(suffix: str, files: int, size: int) -> float:
    """What reading `files` of a suffix takes, `size` bytes together, by what each kind cost on average; scans,
    whose text has to be recognised, take longer."""
    each, megabyte = _COSTS.get(suffix, _TEXT)
    return files * each + size / 1e6 * megabyte
