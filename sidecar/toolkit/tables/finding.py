"""Finds the relations of a document: every table of every part, with the names and types of its columns.

Types are judged from all rows of a small table and from a sample of a large one; `rows` reads them all."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from sidecar.api import NAVIGATION, Element, ParsedDocument, Part, Table, TableColumn, TableRecord
from sidecar.toolkit.cell_references import column_name
from sidecar.toolkit.tables.body import row_kinds
from sidecar.toolkit.tables.columns import AMBIGUOUS_DATES, Profile, typed_column
from sidecar.toolkit.tables.dates import CLOCK, COMPACT, are_minutes, in_hours, read_day
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow, continue_table, region_of, sheet_grid, table_grids
from sidecar.toolkit.tables.headers import Head, find_head
from sidecar.toolkit.tables.layouts import is_layout, is_piece, is_scattered, named_areas, named_head, parted
from sidecar.toolkit.tables.names import headings_before, safe_name, said_above, unique_names
from sidecar.toolkit.tables.numbers import Hints, document_hints, part_hints
from sidecar.toolkit.tables.regions import find_regions
from sidecar.toolkit.text.character_tables import asked_table

_SAMPLED_ROWS: Final = 1500
"""Tables with more rows are judged by a sample."""
_SAMPLE: Final = 120
"""Rows of each of the samples: at the beginning, in the middle, at the end."""
MAX_TABLES: Final = 2000
"""Relations kept of one document."""
_MAX_COLUMNS: Final = 1000
"""Columns of a relation, which SQLite takes 2,000 of at most; what lies beyond is read as a sheet, and told."""
_PIECES: Final = 6
"""How many small regions, more than there are others and half of them without a head, make the fields of a form."""
_TITLE_ROWS: Final = 5
"""Rows at the top of a region among which a named table may begin."""
_HEADING: Final = 60
"""Characters of what heads a single column; longer ones are the first of several notes."""
_SAMPLE_CHARS: Final = 24


@dataclass(frozen=True)
class Candidate:
    """A table that begins in part `part`, not yet judged; `element` is the labelled table it is, `name` its name."""

    part: int
    grid: Grid
    region: GridRegion
    head: Head
    name: str
    element: Element | None = None
    over: bool = False
    """A named range over cells that another table of the sheet has, too."""
    under: str = ""
    """What stands above a table of a text document: the heading, and the words right before it where they are few."""

    @property
    def table(self) -> GridRegion:
        """The region without what stands above its head."""
        region = self.region
        return GridRegion(region.rows[self.head.first :], region.left, region.right, beyond=region.beyond)

    @property
    def body(self) -> list[GridRow]:
        """The rows below the head."""
        return self.region.rows[self.head.body :]


def find_relations(document: ParsedDocument) -> tuple[TableRecord, ...]:
    """Every relation of a document, in its order."""
    delimited = "delimiter" in document.metadata
    elements = {(one.part, one.block): one for one in document.elements if one.type == "table" and one.block}
    grids = _grids(document.parts)
    found: list[TableRecord] = []
    found_in: list[_PartRelations] = []
    spoken: Hints | None = None
    for number, part in enumerate(document.parts, 1):
        if len(found) >= MAX_TABLES:
            break
        candidates = list(_candidates(number, part, grids[number - 1], elements, delimited=delimited))
        if candidates:
            hints = part_hints(document, part, delimited=delimited)
            if hints is None:
                spoken = spoken or document_hints(document)
                hints = spoken
            found_in.append(_PartRelations(candidates, part, hints, [*_relations(candidates, part, hints)]))
            found += found_in[-1].records
    orders = {column.order for record in found for column in record.columns} & {"dmy", "mdy"}
    if len(orders) == 1:  # what one table tells of day and month holds for the others
        order = orders.pop()
        found = [record for one in found_in for record in one.in_order(order)]
    names = unique_names(record.name for record in found)
    return tuple(_renamed(record, name) for record, name in zip(found[:MAX_TABLES], names, strict=False))


@dataclass(frozen=True)
class _PartRelations:
    """The tables of a part, and the records they were found to be."""

    candidates: Sequence[Candidate]
    part: Part
    hints: Hints
    records: list[TableRecord]

    def in_order(self, order: str) -> list[TableRecord]:
        """The records where ambiguous dates are written in that order."""
        columns = (column for record in self.records for column in record.columns)
        if self.hints.order or not any(column.remark == AMBIGUOUS_DATES for column in columns):
            return self.records
        return [*_relations(self.candidates, self.part, self.hints._replace(order=order))]


def _grids(parts: Sequence[Part]) -> list[list[Grid]]:
    """The grids of each part without a sheet; a table that goes on in the parts after is in its first part's."""
    found: list[list[Grid]] = []
    last: Grid | None = None
    for number, part in enumerate(parts, 1):
        if part.kind == "sheet":
            found.append([])
            last = None
            continue
        tables = _tables(part)
        taken = continue_table(last, number, part.name or part.title, tables) if last is not None else 0
        grids = table_grids(tables[taken:])
        found.append(grids)
        if grids:
            last = grids[-1]
        elif not taken:
            last = None
    return found


def _tables(part: Part) -> list[tuple[int, Table]]:
    """The tables of a part by the numbers of their blocks, those drawn in listings among them. What stands around a web
    page's content holds links to its neighbours, in a table as in a row."""
    if part.metadata.get("kind") == NAVIGATION:
        return []
    return [(number, table) for number, block in enumerate(part.blocks, 1) if (table := asked_table(block))]


def _renamed(record: TableRecord, name: str) -> TableRecord:
    return record if record.name == name else structs.replace(record, name=name)


def _candidates(
    number: int, part: Part, grids: Sequence[Grid], elements: Mapping[tuple[int, int], Element], *, delimited: bool
) -> Iterator[Candidate]:
    if part.kind != "sheet":
        headings = headings_before(part) if grids else []
        for grid in grids:
            whole = region_of(grid.rows)
            region = _narrowed(whole) if whole is not None else None
            if region is not None and _worth(region):
                table = grid.tables[0]
                element = elements.get((number, grid.blocks[0]))
                head = find_head(grid, region, min(region.declared(table), len(region.rows) - 1))
                captioned = bool(table.caption or (element is not None and element.caption))
                if is_layout(grid, region, head, captioned=captioned):
                    continue
                under = said_above(part, grid.blocks[0], headings)
                yield Candidate(number, grid, region, head, table.name, element, under=under)
        return
    tables = _tables(part)
    if not tables:
        return
    grid = sheet_grid(tables)
    found: list[Candidate] = []
    for found_region in (
        parted(grid) if delimited else [part for one in find_regions(grid) for part in _from_named(grid, one)]
    ):
        region = _narrowed(found_region)
        if not _worth(region):
            continue
        table = grid.tables[region.rows[0].window]
        named = table.name if table.first_row == region.rows[0].at else ""
        declared = region.declared(table) if named or delimited else 0
        head = find_head(grid, region, declared)
        if named or delimited or not is_layout(grid, region, head):
            found.append(Candidate(number, grid, region, head, named))
    pieces = [one for one in found if not one.name and is_piece(one.table, one.head)]
    unheaded = sum(one.head.body == one.head.first for one in pieces)
    if len(pieces) >= _PIECES and len(pieces) * 2 > len(found) and unheaded * 2 >= len(pieces):
        found = [one for one in found if one not in pieces]
    yield from _with_names(found, number, part, grid)


def _from_named(grid: Grid, region: GridRegion) -> Iterator[GridRegion]:
    """The region from the first to the last row of the named table in it; the few rows right above are its title, and
    what stands below it is none of it."""
    for at, row in enumerate(region.rows[:_TITLE_ROWS]):
        table = grid.tables[row.window]
        if (
            table.name and table.header_rows and table.first_row == row.at
            and table.first_col <= region.left and region.right < table.first_col + max(map(len, table.rows))
        ):  # fmt: skip
            words = [text for above in region.rows[:at] for text in above.texts if text]
            title = " · ".join(filter(None, (region.title, " ".join(words))))
            end = max(one.first_row + len(one.rows) for one in grid.tables if one.name == table.name)
            rows = [one for one in region.rows[at:] if one.at < end]
            yield GridRegion(rows, region.left, region.right, title)
            below = region_of(region.rows[at + len(rows) :], region.left, region.right)
            if below is not None:
                yield below
            return
    yield region


def _with_names(found: list[Candidate], number: int, part: Part, grid: Grid) -> Iterator[Candidate]:
    """The tables of a sheet, those called by names that the workbook gives to their ranges, and the named ranges that
    none of them is."""
    over: list[Candidate] = []
    for name, area, declared in named_areas(part):
        rows = [row for row in grid.rows if area.top <= row.at <= area.bottom]
        area_region = region_of(rows, area.left, area.right)
        region = _narrowed(area_region) if area_region is not None else None
        if region is None or not _worth(region) or any(name == one.name for one in (*found, *over)):
            continue
        same = next((at for at, one in enumerate(found) if _edges(one.table) == _edges(region)), None)
        if same is None:
            over.append(Candidate(number, grid, region, named_head(grid, region, found, declared), name, over=True))
        elif not found[same].name:
            found[same] = replace(found[same], name=name)
            if declared:
                region.title = found[same].head.title
                found[same] = replace(found[same], region=region, head=find_head(grid, region, declared))
    yield from found
    yield from over


def _worth(region: GridRegion) -> bool:
    """Whether a region may be a table: two columns and two rows, or a column of several."""
    return len(region.rows) > 1 and (region.width > 1 or len(region.rows) > 3)


def _narrowed(region: GridRegion) -> GridRegion:
    """The region, cut where it has more columns than a relation may have."""
    beyond = region.width - _MAX_COLUMNS
    if beyond <= 0:
        return region
    cut = region_of(region.rows, region.left, region.right - beyond) or region
    return GridRegion(cut.rows, region.left, region.right - beyond, region.title, beyond)


def _edges(region: GridRegion) -> tuple[int, int, int, int]:
    return region.rows[0].at, region.left, region.rows[-1].at, region.right


@dataclass(frozen=True)
class _Profiled:
    candidate: Candidate
    titles: tuple[str, ...]
    profiles: list[Profile]


def _relations(candidates: Sequence[Candidate], part: Part, hints: Hints) -> Iterator[TableRecord]:
    """The records of a part's tables: what one column cannot tell of itself, the others do."""
    profiled = [
        _Profiled(candidate, candidate.head.titles, _profiles(candidate, _sampled(candidate.body)))
        for candidate in candidates
    ]
    shared = _common_hints([profile for one in profiled for profile in one.profiles]).over(hints)
    alone = sum(not one.candidate.over for one in profiled) == 1
    for number, one in enumerate(profiled, 1):
        record = _record(one, part, _common_hints(one.profiles).over(shared), number, alone=alone)
        if record is not None:
            yield record


def _profiles(candidate: Candidate, rows: Sequence[GridRow]) -> list[Profile]:
    grid, region = candidate.grid, candidate.region
    profiles = [Profile() for _ in range(region.width)]
    columns = zip(*[grid.texts(row, region.left, region.right) for row in rows], strict=True)
    if not grid.typed:
        for profile, texts in zip(profiles, columns, strict=False):
            profile.look_at(texts)
        return profiles
    held = zip(*[grid.beyond(row, region.left, region.right) for row in rows], strict=True)
    for profile, texts, cells in zip(profiles, columns, held, strict=False):
        profile.look_at(texts, cells)
    return profiles


def _common_hints(profiles: Sequence[Profile]) -> Hints:
    """What the columns agree on."""
    decimals = {profile.decimal for profile in profiles} - {""}
    if not decimals and any(profile.spaced for profile in profiles):  # thousands are not parted by ',' and '.' as well
        decimals = {mark for mark in ".," if any(profile.decimals[f"?{mark}"] for profile in profiles)}
    orders = {profile.order for profile in profiles} - {""}
    return Hints(decimals.pop() if len(decimals) == 1 else "", orders.pop() if len(orders) == 1 else "")


def _sampled(rows: Sequence[GridRow]) -> Sequence[GridRow]:
    if len(rows) <= _SAMPLED_ROWS:
        return rows
    middle = len(rows) // 2
    return [*rows[: 2 * _SAMPLE], *rows[middle : middle + _SAMPLE], *rows[-_SAMPLE:]]


def _record(profiled: _Profiled, part: Part, hints: Hints, number: int, *, alone: bool) -> TableRecord | None:
    candidate = profiled.candidate
    grid, region, head = candidate.grid, candidate.region, candidate.head
    columns = _columns(profiled, hints)
    body = candidate.body
    headed = head.body > head.first
    titled = all(column.title for column in columns)
    named = headed and not (len(columns) == 1 and len(columns[0].title) > _HEADING)
    if (
        not body
        or not (headed or len(body) > 1)
        or not columns
        or (len(columns) == 1 and not candidate.name and not named and (columns[0].type == "text" or not alone))
        or (grid.sheet and len(body) == 1 and not all(column.title for column in columns[1:]))
        or (grid.sheet and not (headed and titled) and not candidate.name and is_scattered(region, body, columns))
    ):
        return None
    sample = _sampled(body)
    kinds = kinds_of(candidate, columns, sample)
    data = [row for row, kind in zip(sample, kinds, strict=True) if kind == "data"]
    apart = len(sample) - len(data)
    if not data:
        return None
    hidden = part.hidden or grid.hidden_rows().issuperset(row.at for row in body)
    if apart:  # a total's words are none of its column's
        judged, columns = columns, _columns(_Profiled(candidate, profiled.titles, _profiles(candidate, data)), hints)
        if [one.type for one in columns] != [one.type for one in judged]:  # the rows are read by the last types
            apart = len(sample) - kinds_of(candidate, columns, sample).count("data")
    first_block, last_block = grid.blocks_of(region.rows[0], body[-1])
    return TableRecord(
        name=_name(candidate, part, number, alone=alone), title=_title(candidate), part=candidate.part,
        first_block=first_block, last_block=last_block,
        first_row=body[0].at, last_row=body[-1].at, header_rows=head.body - head.first, rows=len(body) - apart,
        columns=columns, sheet=grid.sheet, hidden=hidden, decimal=hints.decimal, order=hints.order,
        confidence=min(table.confidence for table in grid.tables), beyond=region.beyond, further=tuple(grid.further),
    )  # fmt: skip


def kinds_of(candidate: Candidate, columns: Sequence[TableColumn], rows: Sequence[GridRow]) -> list[str]:
    """What each of the rows is (`body.RowKind`)."""
    head = candidate.head
    heads = candidate.region.rows[head.first : head.body]
    return [*row_kinds(candidate.grid, candidate.region, rows, heads, columns)]


def _columns(profiled: _Profiled, hints: Hints) -> tuple[TableColumn, ...]:
    candidate = profiled.candidate
    coded = any(profile.codes for profile in profiled.profiles)
    typed = [
        typed_column(profile, title, hints, coded=coded)
        for profile, title in zip(profiled.profiles, profiled.titles, strict=True)
    ]
    region, sheet = candidate.region, candidate.grid.sheet
    hidden = candidate.grid.hidden_columns()
    kept = [
        at for at, (title, profile) in enumerate(zip(profiled.titles, profiled.profiles, strict=True))
        if title or any(profile.kinds.values())
    ]  # fmt: skip
    names = unique_names(
        safe_name(
            profiled.titles[at],
            f"col_{column_name(region.left + at).lower()}" if sheet else f"column_{region.left + at + 1}",
        )
        for at in kept
    )
    return tuple(
        TableColumn(
            name, profiled.titles[at], col=region.left + at, type=typed[at].type, unit=typed[at].unit,
            decimal=typed[at].decimal, order=typed[at].order, samples=_samples(profiled.profiles[at], typed[at].order),
            hidden=region.left + at in hidden, remark=typed[at].remark,
        )
        for name, at in zip(names, kept, strict=True)
    )  # fmt: skip


def _samples(profile: Profile, order: str) -> tuple[str, ...]:
    """As SQL sees them, since literals are written after them."""
    minutes = order == CLOCK and are_minutes(*profile.firsts)
    texts = [in_hours(text.strip()) if minutes and text.count(":") == 1 else text for text in profile.samples]
    return tuple((order == COMPACT and read_day(text.strip())) or text[:_SAMPLE_CHARS] for text in texts)


def _name(candidate: Candidate, part: Part, number: int, *, alone: bool) -> str:
    """An Excel table's own name; else the label of a table, the sheet's name, or the title above it."""
    if candidate.name:
        return safe_name(candidate.name, "table")
    if candidate.element is not None:
        return safe_name(candidate.element.label, "table")
    if candidate.grid.sheet:
        sheet = safe_name(part.name or part.title, "sheet")
        if alone:
            return sheet
        return safe_name(candidate.head.title[:40], f"{sheet}_{number}")
    return f"table_{candidate.part}_{number}"


def _title(candidate: Candidate) -> str:
    caption = candidate.grid.tables[0].caption or (candidate.element.caption if candidate.element else "")
    return " ".join((candidate.head.title or caption or candidate.under).split())[:200]
