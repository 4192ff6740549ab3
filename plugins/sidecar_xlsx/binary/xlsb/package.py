"""An .xlsb whose binary parts are given as SpreadsheetML when they are read ([MS-XLSB] 2.1.7); all others as they are.

What a part is, its first record tells."""

import posixpath
import struct
from collections.abc import Callable
from functools import cached_property
from typing import Final, TypeVar

from sidecar.api import DamagedError
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.xlsb import pivots
from sidecar_xlsx.binary.xlsb.book import BookPart, External, read_book, read_external
from sidecar_xlsx.binary.xlsb.parts import (
    comments_part,
    metadata_part,
    read_columns,
    strings_part,
    styles_of,
    table_part,
)
from sidecar_xlsx.binary.xlsb.records import first_kind
from sidecar_xlsx.binary.xlsb.sheets import sheet_part

T = TypeVar("T")
_BOOK, _SHEET, _STRINGS, _STYLES, _COMMENTS, _TABLE = 131, 129, 159, 278, 628, 343
"""BrtBeginBook, BrtBeginSheet, BrtBeginSst, BrtBeginStyleSheet, BrtBeginComments, BrtBeginList."""
_CACHE, _PIVOT, _RECORDS, _METADATA = 179, 280, 193, 332
"""BrtBeginPivotCacheDef, BrtBeginSXView, BrtBeginPivotCacheRecords, BrtBeginMetadata."""
_NOT_WRITTEN: Final = frozenset((182, 501))
"""First records of parts that are not given as XML: cached hierarchies, connections."""


class BinaryPackage(Package):
    """An open .xlsb package."""

    main = "xl/workbook.bin"

    def read(self, name: str, limit: int | None = None) -> bytes:
        """A part's bytes, binary ones as SpreadsheetML. Raises as `Package.read` does."""
        data = super().read(name, limit)
        if limit is not None or not name.lower().endswith(".bin"):
            return data
        kind = first_kind(data)
        if kind == _BOOK:
            return self._book.done()
        if kind == _SHEET:
            return sheet_part(data, self._book)
        if kind == _STRINGS:
            return strings_part(data, self._fonts)
        written = {
            _STYLES: lambda: styles_of(data)[0], _COMMENTS: lambda: comments_part(data),
            _TABLE: lambda: table_part(data), _CACHE: lambda: pivots.cache_part(data),
            _PIVOT: lambda: pivots.table_part(data),
            _RECORDS: lambda: pivots.records_part(data, self._fields_of(name)), _METADATA: lambda: metadata_part(data),
        }  # fmt: skip
        try:
            return written[kind]() if kind in written else data
        except struct.error:
            raise DamagedError(f"{name} is cut off within a record.") from None

    def shared(self, name: str, make: Callable[[bytes, str, str], T], how: str = "") -> T:
        """See `Package.shared`; binary parts are made each time."""
        if name.lower().endswith(".bin"):
            return make(markup.part("none", "") if self._is_left_out(name) else self.read(name), name, how)
        return super().shared(name, make, how)

    def xml(self, name: str) -> XmlElement:
        """See `Package.xml`; parts that have no reading are empty."""
        return parse_xml(markup.part("none", ""), name) if self._is_left_out(name) else super().xml(name)

    def _is_left_out(self, name: str) -> bool:
        return name.lower().endswith(".bin") and first_kind(super().read(name)) in _NOT_WRITTEN

    def _fields_of(self, name: str) -> list[pivots.CacheField]:
        """The fields of the cache whose records the part `name` holds."""
        for cache in self.related(self.main_part(), "pivotCacheDefinition"):
            if any(one.target == name for one in self.related(cache.target, "pivotCacheRecords")):
                return pivots.cache_fields(super().read(cache.target))
        return []

    @cached_property
    def _book(self) -> BookPart:
        main = self.main_part()
        return read_book(Package.read(self, main), lambda key, place: self._external(main, key, place), self._tables)

    @cached_property
    def _fonts(self) -> list[str]:
        for relationship in self.related(self.main_part(), "styles"):
            try:
                return styles_of(Package.read(self, relationship.target))[1]
            except DamagedError:
                break
        return []

    def _external(self, main: str, key: str, place: int) -> External:
        """The workbook behind a relationship, which formulas call by its place."""
        relationship = self.relationships(main).get(key)
        if relationship is None or relationship.target not in self:
            return External(f"[{place}]")
        try:
            return read_external(Package.read(self, relationship.target), f"[{place}]")
        except (DamagedError, struct.error):
            return External(f"[{place}]")

    @cached_property
    def _columns(self) -> dict[int, tuple[str, tuple[str, ...]]]:
        found: dict[int, tuple[str, tuple[str, ...]]] = {}
        for name in list(self.names()):
            if "tables" not in posixpath.dirname(name).lower() or not name.lower().endswith(".bin"):
                continue
            try:
                data = Package.read(self, name)
                if first_kind(data) == _TABLE:
                    number, title, columns = read_columns(data)
                    found[number] = (title, columns)
            except (DamagedError, struct.error):
                continue
        return found

    def _tables(self) -> dict[int, tuple[str, tuple[str, ...]]]:
        return self._columns
