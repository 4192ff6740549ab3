"""The plugin class for Parquet, Arrow and Avro files, which are told by their first bytes. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Source
from sidecar_parquet import arrow
from sidecar_parquet.thrift import ENCRYPTED, MAGIC

_PARQUET = (MAGIC, ENCRYPTED)
_ARROW = (arrow.MAGIC, arrow.OLD_FEATHER)
_AVRO = b"Obj\1"
_ARROW_SUFFIXES = (".arrow", ".arrows", ".feather")


class ParquetFormat:
    """Parquet files, Arrow's and Avro's: their columns are the columns of a sheet."""

    name = "parquet"
    version = "6"
    media_types: tuple[str, ...] = (
        "application/vnd.apache.parquet", "application/vnd.apache.arrow.file", "application/avro",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".parquet", ".parq", *_ARROW_SUFFIXES, ".avro")

    def score(self, source: Source) -> int:
        """95 for the first bytes of a file of either, 90 for those of a stream under its suffix; 10 for the suffix."""
        if source.head.startswith((*_PARQUET, *_ARROW)):
            return 95
        if source.head.startswith(_AVRO) and b"avro.schema" in source.head[:4096]:
            return 95
        if source.suffix in _ARROW_SUFFIXES and source.head.startswith(arrow.EXTENDED):
            return 90
        return 10 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The table as a document of one sheet. Raises FormatError."""
        if source.head.startswith(_AVRO) or source.suffix == ".avro":
            from sidecar_parquet.avro import parse

            return parse(source, limits)
        parquet = source.head.startswith(_PARQUET) or source.suffix not in _ARROW_SUFFIXES
        if parquet and not source.head.startswith(_ARROW):
            from sidecar_parquet.parse import parse
        else:
            from sidecar_parquet.arrow.parse import parse

        return parse(source, limits)
