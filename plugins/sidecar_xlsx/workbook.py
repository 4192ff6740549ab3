"""A SpreadsheetML package (ECMA-376 part 1 §18) read into the document model: sheets in order, shared tables, defined
names, properties, and what is said of the whole workbook."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from sidecar.api import DamagedError, Limits, Note, Notice, ParsedDocument, Part, Table
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.xml import XmlElement, parse_xml, unsigned
from sidecar_xlsx.cells.reading import Workbook
from sidecar_xlsx.cells.references import sheet_ranges
from sidecar_xlsx.cells.rich_values import RichValue, read_rich_values
from sidecar_xlsx.cells.strings import SharedStrings, read_shared_strings
from sidecar_xlsx.cells.styles import CellStyles, read_styles, read_theme
from sidecar_xlsx.cells.visibility import hidden_lines
from sidecar_xlsx.connections import connections_part
from sidecar_xlsx.contradictions import contradiction, unverified_results
from sidecar_xlsx.sheet.lookup import ChartCells
from sidecar_xlsx.sheet.notes import defined_name, read_persons
from sidecar_xlsx.sheet.part import Findings, SheetBuilder, SheetEntry
from sidecar_xlsx.sheet.pivots import PIVOT_CACHE, read_cache, read_records
from sidecar_xlsx.sheet.words import ReadWhole
from sidecar_xlsx.sheet.worksheet import Worksheet, children, read_worksheet

_SHEET_KINDS = {"worksheet", "chartsheet", "dialogsheet", "xlMacrosheet", "xlIntlMacrosheet"}


_WORDS_FIRST_BYTES = 200_000
"""Of the sheets together, from which on the texts of a workbook's cells may come before the rest: measured on 39
workbooks of 65 kB to 14 MB, they take 6 % of the time that reading the cells does, below this 15 and more."""


def read_workbook(package: Package, main: str, limits: Limits) -> ParsedDocument:
    """Read an open .xlsx, .xlsm, .xltx or .xltm package whose workbook is the part `main`. Raises FormatError."""
    return _WorkbookReader(package, replace(limits, words_only=False)).read(main)


def read_words(package: Package, main: str, limits: Limits) -> ParsedDocument | None:
    """The same with the texts of cells alone in place of the tables, and a `words_only` notice; None of a workbook that
    is read as soon, or whose cells may hide something. Raises FormatError."""
    size = sum(map(package.size, package.names("/worksheets/")))
    if not _WORDS_FIRST_BYTES <= size <= limits.max_text_chars:
        return None
    try:
        return _WorkbookReader(package, limits).read(main)
    except ReadWhole:
        return None


@dataclass(frozen=True)
class _Name:
    note: Note
    sheet: int
    """0-based sheet it belongs to."""


class _WorkbookReader:
    def __init__(self, package: Package, limits: Limits) -> None:
        self._package = package
        self._limits = limits
        self._notices: list[Notice] = []

    def read(self, main: str) -> ParsedDocument:
        package = self._package
        relationships = package.relationships(main)
        try:
            root = package.xml(main)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
            root = parse_xml(b"<workbook/>", main)
        entries = self._entries(root, relationships)
        book = self._book(root, relationships)
        sheets = self._verified([self._sheet(entry, number, book) for number, entry in enumerate(entries, 1)], entries)
        tables: dict[str, tuple[Table, ...]] = {
            entry.name.lower(): sheet.tables for entry, sheet in zip(entries, sheets, strict=True)
        }
        findings = Findings(EmbedRegister(package, self._limits), notices=self._notices)
        names = self._names(root, entries)
        persons = self._persons(relationships)
        grid = ChartCells(tables)
        parts = [
            SheetBuilder(package, entry, number, sheet, grid, findings).build(
                persons, [name.note for name in names if name.sheet == number - 1]
            )
            for number, (entry, sheet) in enumerate(zip(entries, sheets, strict=True), 1)
        ]
        parts = self._loose_caches(relationships, findings, parts)
        inside = {entry.name.lower() for entry in entries}
        inside |= {name.note.anchor.rpartition("!")[2].lower() for name in names}
        inside |= {region.name.lower() for sheet in sheets for region in sheet.regions}
        if book.words_only:
            self._notices.append(
                Notice(
                    "words_only", "Only the texts of its cells are read so far; numbers, formulas and tables come soon."
                )
            )
        else:
            parts += self._cached_records(relationships, inside, book.room)
            parts += self._connections(relationships)
        findings.register.add_unplaced(attachments=True)
        self._add_notices(entries, sheets, relationships)
        self._notices += filter(None, [findings.register.macros("workbook")])
        self._notices += book.strings.hidden.notices()
        if book.lost_texts:
            cells = "The text of 1 cell is" if book.lost_texts == 1 else f"The texts of {book.lost_texts:,} cells are"
            self._notices.append(Notice("damaged_part", f"{cells} lost: the workbook's table of texts is damaged."))
        if findings.register.full:
            self._notices.append(
                Notice("truncated_at", f"Only the first {self._limits.max_embedded:,} embedded objects are listed.")
            )
        metadata = read_properties(package, package.relationships(""))
        document = ParsedDocument(
            title=metadata.pop("title", ""),
            description=metadata.pop("description", ""),
            metadata=metadata,
            parts=tuple(parts),
            elements=tuple(findings.elements),
            embedded=findings.register.done(),
            notices=tuple(self._notices),
        )
        return with_drawn_words(document, package.read)

    def _entries(self, root: XmlElement, relationships: dict[str, Relationship]) -> list[SheetEntry]:
        entries: list[SheetEntry] = []
        seen: set[str] = set()
        for node in children(root, "sheets", "sheet"):
            relationship = relationships.get(node.get(f"{R}id", ""))
            name = node.get("name") or f"Sheet{len(entries) + 1}"
            state = node.get("state", "visible")
            part = relationship.target if relationship is not None else ""
            kind = relationship.type if relationship is not None else "worksheet"
            if node.get(f"{R}id") == "" or (relationship is not None and kind not in _SHEET_KINDS):
                continue  # a macro module of old, which has no part
            if part and part in seen:
                continue  # no program writes one twice, and a few bytes could have one read thousands of times
            seen.add(part)
            entries.append(SheetEntry(name, state if state in ("hidden", "veryHidden") else "visible", part, kind))
        if not any(entry.part in self._package for entry in entries):
            # Without relationships to go by, the sheets' usual names still tell.
            found = sorted(
                n for n in self._package.names() if n.lower().startswith("xl/worksheets/") and n.endswith(".xml")
            )
            if found:
                self._notices.append(
                    Notice("damaged_part", "The workbook's list of sheets is broken; the sheets were found by name.")
                )
            known = [entry.name for entry in entries] if len(entries) == len(found) else []
            entries = [
                SheetEntry(known[i] if known else f"Sheet{i + 1}", "visible", part) for i, part in enumerate(found)
            ]
        if not entries:
            raise DamagedError("The workbook has no sheets that can be found.")
        if len(entries) > self._limits.max_parts:
            self._notices.append(
                Notice(
                    "truncated_at", f"Only the first {self._limits.max_parts:,} of {len(entries):,} sheets were read."
                )
            )
            entries = entries[: self._limits.max_parts]
        return entries

    def _theme(self, part: str) -> str:
        """The colours of the workbook's theme for its styles; "" where none can be read."""
        try:
            return self._package.shared(part, read_theme) if part in self._package else ""
        except DamagedError:
            return ""

    def _book(self, root: XmlElement, relationships: dict[str, Relationship]) -> Workbook:
        date1904 = any(node.get("date1904") in ("1", "true", "on") for node in children(root, "workbookPr"))
        strings = SharedStrings()
        styles = CellStyles()
        externals: list[str] = []
        named = {relationship.type: relationship.target for relationship in relationships.values()}
        strings_part = named.get("sharedStrings", "xl/sharedStrings.xml")
        styles_part = named.get("styles", "xl/styles.xml")
        try:
            if strings_part in self._package or "sharedStrings" in named:
                strings = read_shared_strings(self._package.read(strings_part), strings_part)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
        try:
            if styles_part in self._package or "styles" in named:
                how = f"{self._theme(named.get('theme', ''))}/{'1904' if date1904 else ''}"
                styles = self._package.shared(styles_part, read_styles, how)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
        for node in children(root, "externalReferences", "externalReference"):
            relationship = relationships.get(node.get(f"{R}id", ""))
            links = self._package.relationships(relationship.target) if relationship else {}
            externals.append(next((link.target for link in links.values()), ""))
        # Programs that calculate nothing say so by asking for it (§18.2.2); some store zeros in the meantime.
        anew = any(node.get("fullCalcOnLoad") in ("1", "true", "on") for node in children(root, "calcPr"))
        state = "unverified" if anew else ""
        room, words_only = self._limits.max_text_chars, self._limits.words_only
        rich: dict[str, RichValue] = {}
        try:
            rich = read_rich_values(self._package, relationships)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
        return Workbook(strings, styles, date1904, tuple(externals), state, room, words_only, rich)

    def _sheet(self, entry: SheetEntry, number: int, book: Workbook) -> Worksheet:
        """A sheet's part; an empty one, and a notice, where it cannot be read."""
        if book.room < 0:
            text = f"{entry.name} was not read: max_text_chars was reached before it."
            self._notices.append(Notice("truncated_at", text, number))
            return _nothing(entry)
        try:
            if entry.kind == "worksheet" or entry.kind.lower().endswith("macrosheet"):
                sheet = read_worksheet(self._package, entry.part, book)
                if not sheet.complete:
                    self._notices.append(
                        Notice(
                            "truncated_at",
                            f"{entry.name} was read in part: the workbook has more than "
                            f"{self._limits.max_text_chars:,} characters (max_text_chars).",
                            number,
                        )
                    )
                return sheet
            return Worksheet(entry.part, self._package.xml(entry.part), self._package.relationships(entry.part))
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error), number))
            return _nothing(entry)

    def _verified(self, sheets: list[Worksheet], entries: Sequence[SheetEntry]) -> list[Worksheet]:
        """The sheets, with every stored result unverified where one contradicts its formula."""
        if any(not sheet.complete for sheet in sheets):
            return sheets
        for entry, sheet in zip(entries, sheets, strict=True):
            found = contradiction(sheet.tables, partial(self._package.read, sheet.part)) if sheet.tables else ""
            if found:
                text = f"Results stored in the workbook may be old: in {entry.name} {found}."
                self._notices.append(Notice("recalculated", text))
                return [replace(one, tables=unverified_results(one.tables)) for one in sheets]
        return sheets

    def _persons(self, relationships: dict[str, Relationship]) -> dict[str, str]:
        try:
            return read_persons(self._package, relationships)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
            return {}

    def _names(self, root: XmlElement, entries: list[SheetEntry]) -> list[_Name]:
        """Defined names, each on the sheet it refers to (else the sheet it is local to, else the first)."""
        by_name = {entry.name.lower(): index for index, entry in enumerate(entries)}
        found: list[_Name] = []
        for node in children(root, "definedNames", "definedName"):
            formula = "".join(node.itertext()).strip()
            hidden = node.get("hidden") in ("1", "true")
            local = unsigned(node.get("localSheetId"), len(entries))
            scope = local if local < len(entries) else None
            owner = entries[scope].name if scope is not None else ""
            note = defined_name(node.get("name", ""), formula, node.get("comment", ""), sheet=owner, hidden=hidden)
            if note is None:
                continue
            sheet = scope or 0
            areas = sheet_ranges(formula)
            if areas:
                sheet = by_name.get(areas[0][0].lower(), sheet)
            found.append(_Name(note, sheet))
        return found

    def _loose_caches(
        self, relationships: dict[str, Relationship], findings: Findings, parts: list[Part]
    ) -> list[Part]:
        """Pivot caches no sheet's pivot table shows (slicers and data models use them) are told of on the first."""
        notes: list[Note] = []
        for relationship in relationships.values():
            part = relationship.target
            if relationship.type != "pivotCacheDefinition" or part in findings.caches or part not in self._package:
                continue
            try:
                cache = read_cache(self._package, part)
            except DamagedError as error:
                self._notices.append(Notice("damaged_part", str(error)))
                continue
            notes.append(Note(kind="annotation", text=cache.text()))
            self._notices.append(cache.notice(None))
        if not notes:
            return parts
        first = parts[0]
        made = Part(
            kind=first.kind, name=first.name, title=first.title, hidden=first.hidden, metadata=first.metadata,
            blocks=(*first.blocks, *notes),
        )  # fmt: skip
        return [made, *parts[1:]]

    def _cached_records(self, relationships: dict[str, Relationship], inside: Set[str], room: int) -> list[Part]:
        """Sheets of the records of pivot caches whose source, sheet or name, is not `inside` the workbook."""
        parts: list[Part] = []
        for relationship in relationships.values():
            if relationship.type != "pivotCacheDefinition" or relationship.target not in self._package:
                continue
            try:
                cache = read_cache(self._package, relationship.target)
                if {cache.sheet.lower(), cache.named.lower()} & set(inside) or not any(
                    name for name, _ in cache.fields
                ):
                    continue
                tables = read_records(self._package, cache, room)
            except DamagedError as error:
                self._notices.append(Notice("damaged_part", str(error)))
                continue
            if tables:
                name = f"Pivot cache {len(parts) + 1}"
                metadata = {"kind": PIVOT_CACHE, "source": cache.source}
                parts.append(Part(kind="sheet", name=name, title=name, hidden=True, metadata=metadata, blocks=tables))
        return parts

    def _connections(self, relationships: dict[str, Relationship]) -> list[Part]:
        """What is said of where the data come from, as a part of its own."""
        try:
            part = connections_part(self._package, relationships, self._limits)
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
            return []
        return [part] if part is not None else []

    def _add_notices(
        self, entries: list[SheetEntry], sheets: list[Worksheet], relationships: dict[str, Relationship]
    ) -> None:
        for number, (entry, sheet) in enumerate(zip(entries, sheets, strict=True), 1):
            for text in _hidden_sentences(entry, sheet):
                self._notices.append(Notice("hidden_content", text, number))
            self._notices += sheet.hidden_text.notices(number)
        outside = [r.type for r in relationships.values() if r.type in ("externalLink", "connections")]
        if "connections" in outside:
            self._notices.append(Notice("external_content", "The workbook has data connections; none was opened."))
        for relationship in relationships.values():
            if relationship.type == "externalLink":
                targets = [link.target for link in self._package.relationships(relationship.target).values()]
                shown = ", ".join(target for target in targets if target) or "an unnamed workbook"
                self._notices.append(
                    Notice("external_content", f"Formulas refer to another workbook, which was not opened: {shown}.")
                )


def _nothing(entry: SheetEntry) -> Worksheet:
    """Stands for a sheet that could not be read."""
    return Worksheet(entry.part, parse_xml(b"<worksheet/>", entry.name), {})


def _hidden_sentences(entry: SheetEntry, sheet: Worksheet) -> Iterator[str]:
    if entry.state == "veryHidden":
        yield f"The sheet {entry.name} is very hidden: only macros can show it."
    elif entry.state == "hidden":
        yield f"The sheet {entry.name} is hidden."
    sentence = hidden_lines(entry.name, sheet.hidden_rows, sheet.hidden_cols)
    if sentence:
        yield sentence
