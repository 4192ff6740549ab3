"""Reads an Arrow file or stream as a document of one sheet: its first rows, as far as there is room for cells."""

import struct
from collections.abc import Iterator
from typing import Final

from sidecar.api import DamagedError, FormatError, Limits, Notice, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.text import without_surrogates
from sidecar_parquet.arrow import EXTENDED, MAGIC, OLD_FEATHER
from sidecar_parquet.arrow.batches import Batch, Values
from sidecar_parquet.arrow.messages import BATCH, DICTIONARY, SCHEMA, Field, Message, fields, messages

_MAX_CELLS: Final = 1_000_000
"""As of Parquet files."""
_FAULTS: Final = (ValueError, IndexError, ArithmeticError, struct.error, FormatError)


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The table as a document of one sheet. Raises FormatError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    if data.startswith(OLD_FEATHER):
        raise UnsupportedError(
            f"{source.name} is of Feather's first version, which is not supported; write it again with a newer program."
        )
    if not data.startswith((MAGIC, EXTENDED)):
        raise DamagedError(f"{source.name} is not an Arrow file.")
    table = _ArrowTable(data)
    if not table.columns:
        raise DamagedError(f"{source.name} is a damaged Arrow file: {table.fault or 'it describes no columns'}.")
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    sheets.add(source.name.rpartition(".")[0] or source.name, table.rows())
    if table.fault:
        sheets.notices.append(Notice("damaged_part", f"Only {table.seen:,} rows could be read: {table.fault}."))
    parts = tuple(sheets.parts)
    return ParsedDocument(
        media_type="application/vnd.apache.arrow.file", metadata={"columns": str(len(table.columns))}, parts=parts,
        elements=elements_of(parts), notices=tuple(sheets.notices),
    )  # fmt: skip


class _ArrowTable:
    """The columns of a file, and its rows batch by batch."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.columns: tuple[Field, ...] = ()
        self.fault = ""
        self.seen = 0
        self._dictionaries: dict[int, Values] = {}
        self._coded: dict[int, Field] = {}
        self._messages = messages(data)
        try:
            first = next(self._messages, None)
            if first is not None and first.kind == SCHEMA:
                self.columns = fields(first.head)
                self._note(self.columns)
        except _FAULTS as error:
            self.fault = _reason(error)

    def _note(self, columns: tuple[Field, ...]) -> None:
        """Remember what the dictionaries hold."""
        for field in columns:
            if field.dictionary >= 0:
                self._coded.setdefault(field.dictionary, field)
            self._note(field.children)

    def rows(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The names of the columns, then the rows."""
        yield tuple(without_surrogates(field.name) for field in self.columns), 0
        left = _MAX_CELLS // len(self.columns) + 1
        try:
            for message in self._messages:
                if message.kind == DICTIONARY:
                    self._dictionary(message)
                elif message.kind == BATCH and left > 0:
                    for row in self._batch(message, left):
                        left -= 1
                        self.seen += 1
                        yield tuple(text or "" for text in row), sum(text is None for text in row)
        except _FAULTS as error:
            self.fault = _reason(error)

    def _batch(self, message: Message, most: int) -> Iterator[tuple[str | None, ...]]:
        batch = Batch(message.head, self._data[message.start : message.end], self._dictionaries)
        return zip(*[batch.column(field, min(batch.length, most)) for field in self.columns], strict=False)

    def _dictionary(self, message: Message) -> None:
        number, inner = message.head.number(0, "q"), message.head.table(1)
        field = self._coded.get(number)
        if inner is None or field is None:
            return
        plain = Field(field.name, field.kind, field.type, None, -1, field.children)
        batch = Batch(inner, self._data[message.start : message.end], self._dictionaries)
        values = batch.column(plain, _MAX_CELLS)
        is_more = bool(message.head.number(2, "B"))
        self._dictionaries[number] = self._dictionaries.get(number, []) + values if is_more else values


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, FormatError | ValueError) and str(error) else "what describes it is damaged"
