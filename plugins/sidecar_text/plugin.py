"""The text format plugins: prose, source code and the light markups, told apart by name, and delimited tables. Imports
nothing heavy.

The first is also the last resort: any file that is text and that no other plugin wants is read here."""

import re

from sidecar.api import Limits, ParsedDocument, Source
from sidecar.toolkit.text import looks_binary
from sidecar_text.languages import FONTS, NOT_PLAIN, POSTSCRIPT, PROPERTY_LIST, SUFFIXES, language_of

_JSON_LINES = (".jsonl", ".ndjson")
_JSON_RECORDS = {".geojson": b'"features"', ".har": b'"log"'}
"""By suffix, what stands near the beginning of such a file."""
_JSON_ARRAY = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"')
_WORKBOOKS = (".xls", ".xlsx")
_PLAIN = (".txt", ".text", ".asc", ".dat")


class TextFormat:
    """Any text no other plugin wants: prose, source code, light markups, LaTeX, subtitles, PostScript and DXF."""

    name = "text"
    version = "35"
    media_types: tuple[str, ...] = (
        "text/plain", "text/x-rst", "text/x-org", "application/json", "application/xml", "application/yaml",
        "application/postscript",
    )  # fmt: skip
    suffixes: tuple[str, ...] = tuple(sorted(SUFFIXES))

    def score(self, source: Source) -> int:
        """60 for a property list and PostScript, 50 for text with a known name or first line, 10 for other text."""
        head = source.head
        if head.startswith((PROPERTY_LIST, *POSTSCRIPT)):
            return 0 if head.startswith(FONTS) else 60
        if looks_binary(head) or head.lstrip().startswith(NOT_PLAIN):
            return 0
        if source.suffix in SUFFIXES or language_of(source.name, head) is not None:
            return 50
        return 10

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document. Raises FormatError."""
        if source.head.startswith(POSTSCRIPT):
            from sidecar_text.typeset.postscript import parse
        else:
            from sidecar_text.parse import parse

        return parse(source, limits)


class CsvFormat:
    """Delimited tables: CSV, TSV, PSV; JSON Lines and JSON arrays of records that are alike, places in GeoJSON, HTTP
    archives."""

    name = "csv"
    version = "27"
    media_types: tuple[str, ...] = ("text/csv", "text/tab-separated-values")
    suffixes: tuple[str, ...] = (".csv", ".tsv", ".tab", ".psv", ".ssv", *_JSON_LINES, *_JSON_RECORDS)

    def score(self, source: Source) -> int:
        """70 for text of one of the suffixes, of JSON Lines for records that are alike; 60 for a JSON array that begins
        with an object, and for plain text that is a table and nothing else; 15 for lines of a table under the name of
        a workbook, as programs export them."""
        if looks_binary(source.head):
            return 0
        if source.suffix in _JSON_LINES:
            from sidecar_text.json_lines import are_alike

            return 70 if are_alike(source) else 0
        if source.suffix in _JSON_RECORDS:
            return 70 if _JSON_RECORDS[source.suffix] in source.head else 0
        if source.suffix in self.suffixes:
            return 70
        if source.suffix == ".json":
            return 60 if _JSON_ARRAY.match(source.head) else 0
        if source.suffix in _PLAIN:
            from sidecar_text.delimited import is_table

            return 60 if is_table(source.head) else 0
        return 15 if source.suffix in _WORKBOOKS and _is_delimited(source.head) else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document. Raises FormatError."""
        if source.suffix in _JSON_LINES:
            from sidecar_text.json_lines import parse
        elif source.suffix in (".json", *_JSON_RECORDS):
            from sidecar_text.json_lines import parse_whole as parse
        else:
            from sidecar_text.delimited import parse

        return parse(source, limits)


def _is_delimited(head: bytes) -> bool:
    """Whether the first two lines with anything in them have a delimiter equally often."""
    lines = [line for line in head.replace(b"\0", b"").splitlines() if line.strip()][:2]
    counts = ({line.count(mark) for line in lines} for mark in (b"\t", b";", b","))
    return any(len(one) == 1 and one != {0} for one in counts)
