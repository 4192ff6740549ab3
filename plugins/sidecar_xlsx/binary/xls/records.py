"""Records of a BIFF stream, and the strings in them, which go on in further records ([MS-XLS] 2.1.4, 2.5.293)."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

Reader = TypeVar("Reader")

BOF: Final = 0x809
EOF: Final = 0x0A
_CONTINUE: Final = 0x3C


class Record(NamedTuple):
    """A record: its kind, its content, where it lies in the stream, and the contents of the records it goes on in."""

    kind: int
    data: bytes
    at: int
    more: tuple[bytes, ...] = ()

    @property
    def whole(self) -> bytes:
        """Its content with what it goes on in."""
        return self.data + b"".join(self.more)


def records(stream: bytes, at: int = 0) -> Iterator[Record]:
    """The records from `at` on, to the end of the stream; one that is cut off is given as far as it goes."""
    size = len(stream)
    pending: Record | None = None
    more: list[bytes] = []
    while at + 4 <= size:
        kind, length = struct.unpack_from("<HH", stream, at)
        data = stream[at + 4 : at + 4 + length]
        if kind == _CONTINUE and pending is not None:
            more.append(data)
        else:
            if pending is not None:
                yield pending._replace(more=tuple(more)) if more else pending
            pending, more = Record(kind, data, at), []
        at += 4 + length
    if pending is not None:
        yield pending._replace(more=tuple(more))


def handle(handlers: Mapping[int, Callable[[Reader, Record], None]], reader: Reader, record: Record) -> None:
    """Give a record to the reader's handler of its kind; those of other kinds, and broken ones, are passed over."""
    handler = handlers.get(record.kind)
    if handler is None:
        return
    try:
        handler(reader, record)
    except (struct.error, IndexError):
        return


@dataclass
class RecordReader:
    """Reads numbers and strings of a record one after the other; where characters go on in the next record, a byte
    there says anew how they are written. `encoding` is that of BIFF5, whose strings have no such byte; "" in BIFF8."""

    pieces: tuple[bytes, ...]
    encoding: str = ""
    piece: int = 0
    at: int = 0

    @classmethod
    def of(cls, record: Record, at: int = 0, encoding: str = "") -> "RecordReader":
        """What stands in a record from `at` on."""
        return cls((record.data, *record.more), encoding, 0, at)

    def _settle(self) -> None:
        while self.piece + 1 < len(self.pieces) and self.at >= len(self.pieces[self.piece]):
            self.at -= len(self.pieces[self.piece])
            self.piece += 1

    def take(self, count: int) -> bytes:
        """The next bytes, fewer at the end."""
        found = b""
        while len(found) < count:
            self._settle()
            piece = self.pieces[self.piece][self.at : self.at + count - len(found)]
            if not piece:
                break
            found += piece
            self.at += len(piece)
        return found

    def number(self, size: int) -> int:
        """The next whole number, of `size` bytes."""
        return int.from_bytes(self.take(size), "little")

    def text(self, count_bytes: int = 2) -> str:
        """The next string, whose count of characters takes `count_bytes`; runs and readings are skipped."""
        return self.rich(count_bytes)[0]

    def rich(self, count_bytes: int = 2) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The next string with its runs: the character each begins at and the number of its font."""
        count = self.number(count_bytes)
        if self.encoding:
            return self.take(count).decode(self.encoding, "replace"), ()
        flags = self.number(1)
        runs = self.number(2) if flags & 0x8 else 0
        extended = self.number(4) if flags & 0x4 else 0
        text = self.characters(count, wide=bool(flags & 1))
        raw = self.take(4 * runs)
        found = tuple(struct.unpack_from("<HH", raw, 4 * index) for index in range(len(raw) // 4))
        self.skip(extended)
        return text, found

    def characters(self, count: int, *, wide: bool) -> str:
        """The next `count` characters, of two bytes each where `wide`; a byte says so again in the next record."""
        pieces: list[str] = []
        while count > 0:
            room = len(self.pieces[self.piece]) - self.at
            if room <= 0:
                if self.piece + 1 >= len(self.pieces):
                    break
                self.piece, self.at = self.piece + 1, 1
                wide = bool(self.pieces[self.piece][:1] and self.pieces[self.piece][0] & 1)
                continue
            size = 2 if wide else 1
            taken = min(count, max(room // size, 1))
            raw = self.pieces[self.piece][self.at : self.at + taken * size]
            if wide:  # halves of a pair may stand in two records
                pieces.append(raw[: len(raw) // 2 * 2].decode("utf-16-le", "surrogatepass"))
            else:
                pieces.append(raw.decode("latin-1"))
            self.at += taken * size
            count -= taken
        return "".join(pieces)

    def skip(self, count: int) -> None:
        """Pass over `count` bytes."""
        self.at += count
        self._settle()
