"""Builds the `Part` of one sheet from what its parts hold: tables first, then what is drawn, then notes; and collects
its elements, embeds and notices. Damage in one of them costs that one only."""

import dataclasses
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from sidecar.api import AnyBlock, DamagedError, Element, ElementType, Figure, Note, Notice, Part, Table
from sidecar.toolkit.captions import Caption, match_caption
from sidecar.toolkit.cell_references import CellRange, cell_name, parse_range
from sidecar.toolkit.ooxml.chart import chart_of_part, chart_text
from sidecar.toolkit.ooxml.embeds import EmbedEntry, EmbedKey, EmbedRegister
from sidecar.toolkit.ooxml.hidden_text import remove_hidden
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement
from sidecar_xlsx.sheet.drawings import SheetDrawing, corner, on_sheet, read_drawing, read_vml
from sidecar_xlsx.sheet.lookup import ChartCells, SeenTables, caption_beside, table_caption, table_words, words_around
from sidecar_xlsx.sheet.notes import (
    comments,
    headers_and_footers,
    loose_links,
    table_descriptions,
    table_places,
    validations,
)
from sidecar_xlsx.sheet.occlusion import flag_occluded
from sidecar_xlsx.sheet.pivots import pivot_tables, slicers
from sidecar_xlsx.sheet.worksheet import Worksheet, children

_CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_T = TypeVar("_T")
_CONTEXT = 600
_EMBED_CONTEXT = 200
_ELEMENT_TEXT = 4000


@dataclass
class Findings:
    """What the sheets of a workbook add to the document."""

    register: EmbedRegister
    elements: list[Element] = field(default_factory=list[Element])
    notices: list[Notice] = field(default_factory=list[Notice])
    caches: set[str] = field(default_factory=set[str])
    """Pivot cache parts already told of on a sheet."""


@dataclass(frozen=True)
class SheetEntry:
    """A sheet as the workbook lists it. `state` is "visible", "hidden" or "veryHidden"."""

    name: str
    state: str
    part: str
    kind: str = "worksheet"


@dataclass(eq=False)
class SheetBuilder:
    """One sheet in the making."""

    _package: Package
    _entry: SheetEntry
    _number: int
    """Its place among the parts, from 1."""
    _sheet: Worksheet
    _grid: ChartCells
    _findings: Findings
    _seen: SeenTables = field(init=False)
    _blocks: list[AnyBlock] = field(default_factory=list[AnyBlock], init=False)
    _counts: dict[str, int] = field(default_factory=dict[str, int], init=False)

    def build(self, persons: Mapping[str, str], names: Sequence[Note]) -> Part:
        """The part, with comment authors by id from `persons` and the defined names that refer to the sheet. Raises
        ReadWhole where the words of the sheet cannot be told without its cells."""
        for fault in self._sheet.faults:
            self._damaged(fault)
        drawn = self._guarded(self._drawings())
        merges = (parse_range(node.get("ref", "")) for node in children(self._sheet.rest, "mergeCells", "mergeCell"))
        tables = flag_occluded(
            self._package, self._sheet.tables, drawn, self._sheet.hidden_text, (area for area in merges if area)
        )
        self._sheet = dataclasses.replace(self._sheet, tables=tables)
        self._seen = SeenTables(tables)
        self._blocks += tables
        if self._sheet.words is not None:
            self._blocks += self._sheet.words.paragraphs(item.covered for item in drawn if item.covered is not None)
        self._tables()
        seen = {item.text for item in drawn if item.kind == "text"}
        drawn += [item for item in self._guarded(self._vml()) if item.kind != "text" or item.text not in seen]
        for item in drawn:
            try:
                self._draw(item)
            except DamagedError as error:
                self._damaged(str(error))
        self._objects()
        self._blocks += self._guarded(comments(self._package, self._sheet, persons, self._number))
        self._blocks += headers_and_footers(self._sheet.rest, self._sheet.hidden_text)
        self._blocks += validations(self._sheet.rest, date1904=self._sheet.date1904)
        if self._sheet.words is None:  # else no rows tell which links are loose, and which tables stand alone
            self._blocks += loose_links(self._sheet)
        self._blocks += table_descriptions(self._sheet)
        self._pivots()
        self._blocks += self._guarded(slicers(self._package, self._sheet))
        if self._sheet.words is None:
            self._blocks += table_places(self._sheet, self._entry.name)
        self._blocks += names
        if self._entry.state == "veryHidden":  # no menu shows it: it was hidden by a program
            self._blocks = [replace(block, hidden=True) for block in self._blocks]
        return Part(
            kind="sheet",
            name=self._entry.name,
            title=self._entry.name,
            hidden=self._entry.state != "visible",
            blocks=tuple(self._blocks),
            metadata=self._metadata(),
        )

    def _metadata(self) -> dict[str, str]:
        tables = self._sheet.tables
        found: dict[str, str] = {}
        if tables:
            bottom = max(table.first_row + len(table.rows) for table in tables) - 1
            right = max(table.first_col + max(map(len, table.rows), default=1) for table in tables) - 1
            first = cell_name(min(table.first_row for table in tables), min(table.first_col for table in tables))
            found["range"] = f"{first}:{cell_name(bottom, max(right, 0))}"
        if self._entry.state != "visible":
            found["state"] = self._entry.state
        if self._entry.kind != "worksheet":
            found["kind"] = self._entry.kind
        return found

    def _guarded(self, items: Iterator[_T]) -> list[_T]:
        """What an iterator gives until a damaged part ends it."""
        found: list[_T] = []
        try:
            found.extend(items)  # keeps what came before the damage
        except DamagedError as error:
            self._damaged(str(error))
        return found

    def _damaged(self, message: str) -> None:
        self._findings.notices.append(Notice("damaged_part", message, self._number))

    def _drawings(self) -> Iterator[SheetDrawing]:
        charts: set[str] = set()
        for target in self._targets("{*}drawing"):
            for item in read_drawing(self._package, target, self._sheet.hidden_text):
                if item.kind == "chart":
                    if item.ref in charts:
                        continue
                    charts.add(item.ref)
                yield item
        for one in self._sheet.pictures:
            yield SheetDrawing("image", CellRange(one.row, one.col, one.row, one.col), "", one.text, one.picture)
        for target in self._targets("{*}picture"):  # the sheet's background
            yield SheetDrawing("image", None, "background", "", target)

    def _vml(self) -> Iterator[SheetDrawing]:
        for target in self._targets("{*}legacyDrawing", "{*}legacyDrawingHF"):
            yield from read_vml(self._package, target)

    def _targets(self, *tags: str) -> list[str]:
        """The parts that these elements lead to, each once: a few bytes could have one read thousands of times."""
        targets = (self._target(node.get(f"{R}id")) for node in self._sheet.rest.iter(*tags))
        return list(dict.fromkeys(filter(None, targets)))

    def _target(self, key: str | None) -> str:
        relationship = self._sheet.relationships.get(key or "")
        if relationship is None or relationship.external or relationship.target not in self._package:
            return ""
        return relationship.target

    def _tables(self) -> None:
        """Elements: the Excel tables by name, else the sheet's main range."""
        tables = self._sheet.tables
        for region in self._sheet.regions:
            inside = [table for table in tables if _meets(table, region.area)]
            if inside:
                self._table_element(region.name, inside, generated=False)
        if not self._sheet.regions and tables:
            largest = max(tables, key=lambda table: len(table.rows))
            if len(largest.rows) > 1 and max(map(len, largest.rows)) > 1:
                caption = table_caption(self._seen, largest)
                label = caption.label if caption else f"Table s{self._number}-1"
                self._table_element(label, list(tables), generated=caption is None, caption=caption)

    def _table_element(
        self, label: str, tables: list[Table], *, generated: bool, caption: Caption | None = None
    ) -> None:
        first = tables[0]
        self._findings.elements.append(
            Element(
                type="table",
                label=label,
                part=self._number,
                block=self._sheet.tables.index(first) + 1,
                caption=caption.text if caption else self._entry.name,
                context=self._entry.name,
                text=table_words(self._seen, tables, _ELEMENT_TEXT),
                generated=generated,
            )
        )

    def _draw(self, item: SheetDrawing) -> None:
        where = cell_name(item.area.top, item.area.left) if item.area else ""
        block = len(self._blocks) + 1
        if item.kind == "text":
            if item.hidden and not item.spans:
                self._sheet.hidden_text.add("place")
            text = item.text or item.alt
            spans = item.spans if item.text else ()
            self._blocks.append(Note(kind="textbox", text=text, target=where, spans=spans, hidden=item.hidden))
        elif item.kind == "smartart":
            self._blocks.append(Note(kind="smartart", text=item.text, target=where, hidden=item.hidden))
            self._element("diagram", item, item.alt, item.text)
        elif item.kind == "chart":
            self._chart(item, where, block)
        elif item.kind != "panel":
            self._picture(item, where, block)
        if item.kind in ("text", "smartart") and item.text and item.alt and item.alt != item.text:
            self._blocks.append(Note(kind="annotation", text=item.alt, target=where, hidden=item.hidden))
        if item.link:
            self._blocks.append(Note(kind="annotation", text=item.link, target=where, hidden=item.hidden))

    def _chart(self, item: SheetDrawing, where: str, block: int) -> None:
        root = self._package.xml(item.ref)
        unseen = remove_hidden(root, on_sheet(self._sheet.hidden_text))
        data = chart_of_part(self._package, item.ref, root, self._grid.values)
        text = chart_text(data, values=False)
        register = self._findings.register
        name = item.name or posixpath.basename(item.ref)
        size = self._package.size(item.ref)
        entry = register.add("chart", item.ref, name=name, media_type=_CHART_TYPE, size=size)
        if entry is not None:
            entry.chart = entry.chart or data
        key = self._place(entry, block, item.area, item.alt)
        self._blocks.append(Figure(embed=key, alt=item.alt, anchor=where, hidden=item.hidden))
        self._element("chart", item, data.title if data else item.alt, text, key)
        self._blocks += [Note(kind="textbox", text=words, target=where, hidden=True) for words in unseen]

    def _picture(self, item: SheetDrawing, where: str, block: int) -> None:
        entry = self._findings.register.file(item.ref)
        key = self._place(entry, block, item.area, item.alt or item.name, hidden=item.hidden)
        if key is None:
            if "://" in item.ref:
                self._findings.notices.append(
                    Notice("external_content", f"A picture on {self._entry.name} is linked: {item.ref}", self._number)
                )
            return
        self._blocks.append(Figure(embed=key, alt=item.alt or item.name, anchor=where, hidden=item.hidden))
        if key[0] == "image":
            self._element("figure", item, item.alt, item.alt, key)

    def _place(
        self, entry: EmbedEntry | None, block: int, area: CellRange | None, alt: str, *, hidden: bool = False
    ) -> EmbedKey | None:
        """Remember where an embed stands; its key, None for none."""
        if entry is None:
            return None
        context = words_around(self._seen, area, _EMBED_CONTEXT)
        entry.place(self._number, block, alt=alt, context=context, hidden=hidden)
        return entry.key

    def _element(
        self, kind: ElementType, item: SheetDrawing, words: str, text: str, embed: EmbedKey | None = None
    ) -> None:
        """The element that the last block is; `words` are what it is called, `text` what it says."""
        caption = match_caption(words) or caption_beside(self._seen, item.area)
        word = {"chart": "Chart", "diagram": "Diagram"}.get(kind, "Figure")
        count = self._counts[word] = self._counts.get(word, 0) + 1
        around = words_around(self._seen, item.area, _CONTEXT)
        self._findings.elements.append(
            Element(
                type=kind,
                label=caption.label if caption else f"{word} s{self._number}-{count}",
                part=self._number,
                block=len(self._blocks),
                caption=(caption.text if caption else "") or words,
                context=f"{self._entry.name}\n{around}".strip()[:_CONTEXT],
                text=text,
                embed=embed,
                generated=caption is None,
            )
        )

    def _objects(self) -> None:
        """OLE objects and attached files (§18.3.1.59); each may be written twice, as alternate content."""
        done: set[str] = set()
        for node in self._sheet.rest.iter("{*}oleObject"):
            target = self._target(node.get(f"{R}id"))
            program = node.get("progId", "")
            if not target or target in done:
                continue
            done.add(target)
            area = _object_area(node)
            block = len(self._blocks) + 1
            key = self._place(self._findings.register.attachment(target), block, area, program)
            where = cell_name(area.top, area.left) if area else ""
            self._blocks.append(Figure(embed=key, alt=program, anchor=where))

    def _pivots(self) -> None:
        try:
            found = pivot_tables(self._package, self._sheet, self._findings.caches)
        except DamagedError as error:
            self._damaged(str(error))
            return
        for note, cache in found:
            self._blocks.append(note)
            if cache is not None and cache.part not in self._findings.caches:
                self._findings.caches.add(cache.part)
                self._findings.notices.append(cache.notice(self._number))


def _meets(table: Table, area: CellRange) -> bool:
    bottom = table.first_row + len(table.rows) - 1
    right = table.first_col + max(map(len, table.rows), default=1) - 1
    return (
        table.first_row <= area.bottom and bottom >= area.top and table.first_col <= area.right and right >= area.left
    )


def _object_area(node: XmlElement) -> CellRange | None:
    for anchor in node.iter("{*}from"):
        place = corner(anchor)
        if place is not None:
            return CellRange(*place, *place)
    return None
