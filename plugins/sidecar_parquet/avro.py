"""Reads an Avro object container file as a document of one sheet, after "Apache Avro Specification" 1.11.

Records within records stand in columns of dotted names; arrays, maps and records in them in one cell."""

import bz2
import lzma
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, cast

import msgspec

from sidecar.api import DamagedError, FormatError, LimitError, Limits, Notice, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.unpacking import UNPACKING_FAULTS, ZstdDecompressor, of_snappy, unpack_streams, varint
from sidecar_parquet.schema import (
    ValueFormat,
    decimal_format,
    format_day,
    format_plain,
    number_format,
    time_format,
    timestamp_format,
)

MAGIC: Final = b"Obj\1"
_SYNC: Final = 16
_MAX_CELLS: Final = 1_000_000
"""As of Parquet files."""
_MAX_ITEMS: Final = 5_000_000
"""Values of a file, those of lists and maps among them, which may take no byte each."""
_MAX_BLOCK: Final = 64 * 2**20
"""Bytes that a block may unpack to; writers make them of 16 kB to some MB."""
_CODECS: Final = {
    "deflate": partial(zlib.decompressobj, -15), "zstandard": ZstdDecompressor, "bzip2": bz2.BZ2Decompressor,
    "xz": lzma.LZMADecompressor,
}  # fmt: skip
_MAX_COLUMNS: Final = 5_000
_MAX_DEPTH: Final = 40
_PRIMITIVES: Final = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
_FAULTS: Final = (ValueError, LookupError, TypeError, ArithmeticError, struct.error, RecursionError, FormatError)

Read = Callable[["_Values"], str | None]
"""Reads a value as text; None of bytes that no text shows."""
Group = Callable[["_Values"], list[str | None]]
"""Reads the columns of a record."""


class _Values:
    """The bytes of a block, and how many values may still be read."""

    def __init__(self, data: bytes, left: list[int]) -> None:
        self.data = data
        self.at = 0
        self._left = left

    def number(self) -> int:
        """A whole number with its sign in the last bit. Raises ValueError."""
        value, self.at = varint(self.data, self.at)
        return (value >> 1) ^ -(value & 1)

    def read(self, count: int) -> bytes:
        """The next `count` bytes. Raises ValueError where there are fewer."""
        if count < 0 or self.at + count > len(self.data):
            raise ValueError("a value is cut short")
        self.at += count
        return self.data[self.at - count : self.at]

    def items(self) -> Iterator[None]:
        """Once for each item of an array or a map, which come in blocks."""
        while count := self.number():
            if count < 0:
                count = -count
                self.number()  # the size of the block in bytes
            for _ in range(count):
                self.count()
                yield

    def count(self) -> None:
        """Takes one from the values that may still be read. Raises LimitError."""
        self._left[0] -= 1
        if self._left[0] < 0:
            raise LimitError("it has more values than are read")


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The records as rows of one sheet. Raises FormatError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    if not data.startswith(MAGIC):
        raise DamagedError(f"{source.name} is no Avro file.")
    try:
        head = _Values(data, [_MAX_ITEMS])
        head.at = len(MAGIC)
        facts = {head.read(head.number()): head.read(head.number()) for _ in head.items()}
        schema = msgspec.json.decode(facts.get(b"avro.schema", b""))
        names, read = _Schema().columns(schema, "", 0)
        names = names[:_MAX_COLUMNS]
    except (*_FAULTS, AttributeError, msgspec.DecodeError) as error:
        raise DamagedError(f"{source.name} is a damaged Avro file: its schema cannot be read.") from error
    codec = facts.get(b"avro.codec", b"null").decode("ascii", "replace")
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    faults: list[str] = []
    rows = _rows(data, head.at, names, read, codec, faults)
    sheets.add(source.name.rpartition(".")[0] or source.name, rows)
    if faults:
        sheets.notices.append(Notice("damaged_part", f"Not all records could be read: {faults[0]}."))
    parts = tuple(sheets.parts)
    return ParsedDocument(
        media_type="application/avro", metadata={"columns": str(len(names))}, parts=parts, elements=elements_of(parts),
        notices=tuple(sheets.notices),
    )  # fmt: skip


def _rows(
    data: bytes, at: int, names: list[str], read: Group, codec: str, faults: list[str]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """The names of the columns, then the records."""
    yield tuple(map(without_surrogates, names)), 0
    left = [_MAX_ITEMS]
    sync = data[at : at + _SYNC]
    at += _SYNC
    try:
        while at < len(data):
            block = _Values(data, left)
            block.at = at
            count = block.number()
            packed = block.read(block.number())
            at = block.at + _SYNC
            values = _Values(_unpacked(packed, codec), left)
            for _ in range(count):
                values.count()
                row = read(values)[: len(names)]
                yield tuple(text or "" for text in row), sum(text is None for text in row)
            if data[at - _SYNC : at] != sync:
                raise ValueError("a sync marker between blocks is damaged")
    except _FAULTS as error:
        faults.append(
            str(error) if isinstance(error, FormatError | ValueError) and str(error) else "a value is damaged"
        )


def _unpacked(data: bytes, codec: str) -> bytes:
    """A block as it was before it was packed. Raises ValueError, UnsupportedError."""
    try:
        if codec == "null":
            return data
        if codec == "snappy":
            return of_snappy(data[:-4], _MAX_BLOCK)  # a checksum stands behind it
        if codec not in _CODECS:
            raise UnsupportedError(f"its blocks are packed with {codec[:20]}, which is not supported")
        out = unpack_streams(_CODECS[codec], data, _MAX_BLOCK + 1)
    except UNPACKING_FAULTS as error:
        raise ValueError("a block is damaged") from error
    if len(out) > _MAX_BLOCK:
        raise LimitError("a block unpacks to more bytes than are allowed")
    return out


class _Schema:
    """Makes what reads values of what describes them; types that have names are described once."""

    def __init__(self) -> None:
        self._named: dict[str, Any] = {}
        self._open: set[int] = set()
        """Records whose columns are being made: one that holds itself is no columns of its own."""

    def columns(self, schema: Any, name: str, depth: int) -> tuple[list[str], Group]:
        """The columns of a value, several of a record, and what reads them. Raises ValueError."""
        schema = self._resolved(schema)
        if isinstance(schema, list):
            kinds = [self._resolved(one) for one in cast("list[Any]", schema)]
            records = [at for at, one in enumerate(kinds) if self._is_record(one)]
            if len(kinds) == 2 and len(records) == 1 and "null" in kinds and depth < _MAX_DEPTH:
                names, read = self.columns(kinds[records[0]], name, depth + 1)
                return names, lambda values: read(values) if values.number() == records[0] else [""] * len(names)
        if not self._is_record(schema) or id(schema) in self._open or depth >= _MAX_DEPTH:
            one = self.value(schema, depth)
            return [name or "value"], lambda values: [one(values)]
        self._open.add(id(schema))
        groups = [
            self.columns(field["type"], f"{name}.{field['name']}" if name else str(field["name"]), depth + 1)
            for field in cast("dict[str, Any]", schema)["fields"]
        ]
        self._open.discard(id(schema))
        reads = [read for _, read in groups]
        names = [one for held, _ in groups for one in held]
        if len(names) > _MAX_COLUMNS:
            raise ValueError("too many columns")
        return names, lambda values: [text for read in reads for text in read(values)]

    def value(self, schema: Any, depth: int) -> Read:
        """What reads one value as a text. Raises ValueError."""
        if depth > _MAX_DEPTH:
            raise ValueError("its types are nested too deeply")
        if isinstance(schema, str) and schema not in _PRIMITIVES:
            return self._later(schema, depth)
        schema = self._resolved(schema)
        if isinstance(schema, list):
            reads = [self.value(one, depth + 1) for one in cast("list[Any]", schema)]
            return lambda values: reads[_index(values.number(), len(reads))](values)
        kind = schema if isinstance(schema, str) else schema["type"]
        facts: Mapping[str, Any] = {} if isinstance(schema, str) else schema
        if kind in _PRIMITIVES or kind == "fixed":
            return _primitive(kind, facts)
        if kind == "enum":
            symbols = [str(one) for one in facts["symbols"]]
            return lambda values: symbols[_index(values.number(), len(symbols))]
        if kind == "array":
            item = self.value(facts["items"], depth + 1)
            return lambda values: ", ".join([item(values) or "" for _ in values.items()])
        if kind == "map":
            held = self.value(facts["values"], depth + 1)
            return lambda values: "; ".join([f"{_text(values)}: {held(values) or ''}" for _ in values.items()])
        if kind == "record":
            fields = [(str(field["name"]), self.value(field["type"], depth + 1)) for field in facts["fields"]]
            return lambda values: "; ".join([f"{name}: {read(values) or ''}" for name, read in fields])
        raise ValueError("a type is not known")

    def _later(self, name: str, depth: int) -> Read:
        """Reads a named type, which may hold itself: what reads it is made when the first value is there."""
        made: list[Read] = []

        def read(values: _Values) -> str | None:
            if not made:
                made.append(self.value(self._resolved(name), depth + 1))
            values.count()
            return made[0](values)

        return read

    def _resolved(self, schema: Any) -> Any:
        """The type that a name stands for; what has a name is remembered by it."""
        if isinstance(schema, str):
            return self._named.get(schema, self._named.get(schema.rpartition(".")[2], schema))
        if isinstance(schema, dict):
            facts = cast("dict[str, Any]", schema)
            kind = facts.get("type")
            if kind in ("record", "error", "enum", "fixed"):
                name = str(facts.get("name", ""))
                space = str(facts.get("namespace", ""))
                self._named.setdefault(name, facts)
                self._named.setdefault(f"{space}.{name}" if space else name, facts)
                self._named.setdefault(name.rpartition(".")[2], facts)
                return {**facts, "type": "record"} if kind == "error" else facts
            if isinstance(kind, dict | list):
                return self._resolved(kind)
            if isinstance(kind, str) and kind in self._named:
                return self._named[kind]
            return facts
        if isinstance(schema, list):
            return cast("list[Any]", schema)
        raise ValueError("a type is not known")

    @staticmethod
    def _is_record(schema: Any) -> bool:
        return isinstance(schema, dict) and cast("dict[str, Any]", schema).get("type") == "record"


def _primitive(kind: str, facts: Mapping[str, Any]) -> Read:
    """What reads a value of a plain type, shown as its logical type says."""
    logical = str(facts.get("logicalType", ""))
    if kind == "null":
        return lambda _: ""
    if kind == "boolean":
        return lambda values: "true" if values.read(1) != b"\0" else "false"
    if kind in ("int", "long"):
        format_number = _number_format(logical)
        return lambda values: format_number(values.number())
    if kind in ("float", "double"):
        size, code, digits = (4, "<f", number_format(7)) if kind == "float" else (8, "<d", number_format(15))
        return lambda values: digits(struct.unpack(code, values.read(size))[0])
    if kind == "string":
        return _text
    raw: ValueFormat = decimal_format(int(facts.get("scale", 0))) if logical == "decimal" else format_plain
    if kind == "fixed":
        size = int(facts["size"])
        return lambda values: raw(values.read(size))
    return lambda values: raw(values.read(values.number()))


def _number_format(logical: str) -> ValueFormat:
    if logical == "date":
        return format_day
    unit = {"millis": 10**3, "micros": 10**6, "nanos": 10**9}.get(logical.rpartition("-")[2], 0)
    if unit and logical.startswith("time-"):
        return time_format(unit)
    return timestamp_format(unit) if unit and "timestamp-" in logical else format_plain


def _text(values: _Values) -> str:
    return values.read(values.number()).decode("utf-8", "replace")


def _index(number: int, count: int) -> int:
    if not 0 <= number < count:
        raise ValueError("a value has a type that its schema does not allow")
    return number
