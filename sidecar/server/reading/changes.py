"""`document://{doc}?changes=SINCE`: what is different between a version of a document and a former one, as Markdown.

Which version there was is the store's to say; how lines are compared and shown is `views.changes`'."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from msgspec import structs

from sidecar.api import Address, NotFoundError, ResourceContent, Table, UsageError, decode_blocks, is_doc_id
from sidecar.api.uris import MEDIA_TYPES
from sidecar.server.reading.address_query import hidden_wanted
from sidecar.server.reading.decoding import stored_bytes
from sidecar.server.reading.grep.lines import ReadPart
from sidecar.store import Documents
from sidecar.store.documents.views import Compared, PartsView, Version
from sidecar.toolkit.provenance import CONTINUES
from sidecar.toolkit.times import since
from sidecar.toolkit.visible import visible
from sidecar.views.blocks.repeats import without_repeats
from sidecar.views.changes import LineChange, PlacedLine, changes_markdown, differences
from sidecar.views.embedded import by_key
from sidecar.views.searchable import Embeds
from sidecar.views.sources import origin, part_title

ASKED = "changes"
"""In the address: a time ("yesterday", "2024-01-31"), a doc_id, the slug or path of another document, or nothing (or
"last") for the version before."""
_LAST = ("", "1", "last", "true", "yes")
_CHARS = 24_000
"""What one answer shows; what is more goes on with `from=`."""
_MAX_LINES = 50_000
"""Lines of a version that are compared."""
_RESULTS_AWAITED = "Formulas are compared without their results: not all are calculated (yet)."


async def changes(
    documents: Documents, uri: str, address: Address, done: Callable[[int, Callable[[], str]], Awaitable[str]]
) -> tuple[ResourceContent, ...]:
    """The differences, from number `from` on. `done` runs what takes long, told how many bytes it goes through.

    Raises:
        UsageError: neither a time nor a document, or not a number. NotFoundError: no such document or version."""
    asked = address.query[ASKED].strip()
    begin = address.query.get("from", "1")
    if not begin.isdecimal() or not 1 <= len(begin) <= len(str(_MAX_LINES)) + 1 or int(begin) < 1:
        raise UsageError(f"from={begin[:20]} is not the number of a change.")
    found, now, before = await documents.compared_parts(address.doc, await _former(documents, asked))
    head = _head(found, address, asked)
    if before is None or found.before is None or found.before.id == found.now.id:
        return (ResourceContent(uri, MEDIA_TYPES["md"], text="\n".join(head)),)
    embeds = [by_key((await documents.embeds(one.doc_id)).embeds) for one in (found.before, found.now)]
    onward: list[str] = []

    def work() -> str:
        hidden = hidden_wanted(address)
        results = not any(_uncomputed(one) for one in (before, now))
        old = _lines(before, before.version.doc_id, embeds[0], hidden=hidden, results=results)
        new = _lines(now, address.doc, embeds[1], hidden=hidden, results=results)
        made = differences(old[:_MAX_LINES], new[:_MAX_LINES])
        lines, following = changes_markdown(made, int(begin), _CHARS)
        opening = [*head, "", _summary(made, now.version, before.version)]
        if not results:
            opening.append(_RESULTS_AWAITED)
        if max(len(old), len(new)) > _MAX_LINES:
            opening.append(f"Only the first {_MAX_LINES:,} lines of each version were compared.")
        if following:
            onward.append(str(replace(address, query={**address.query, "from": str(following)})))
            lines += ["", f"*(Go on with {onward[0]})*"]
        return "\n".join([*opening, *lines])

    text = await done(stored_bytes([*now.parts, *before.parts]), work)
    meta = {CONTINUES: onward[0]} if onward else {}
    return (ResourceContent(uri, MEDIA_TYPES["md"], text=text, metadata=meta),)


async def _former(documents: Documents, asked: str) -> int | str | None:
    """What to compare with, as `Documents.compared_parts` takes it; what names no time may name a document."""
    if asked.lower() in _LAST:
        return None
    if is_doc_id(asked):
        return asked
    try:
        return since(asked)
    except UsageError as no_time:
        try:
            return (await documents.resolve(asked)).doc_id
        except NotFoundError as missing:
            raise UsageError(f"{no_time} {missing}") from missing


def _uncomputed(view: PartsView) -> bool:
    """Whether results of formulas are missing: the file holds none, and they are calculated after all files are read.
    Compared with a version that has them, they would all seem to be gone."""
    blocks = (block for part in view.parts for segment in part.segments for block in decode_blocks(segment.data))
    return any(cell.state == "not_computed" for block in blocks if isinstance(block, Table) for cell in block.cells)


def _head(found: Compared, address: Address, asked: str) -> list[str]:
    now, before = found.now, found.before
    source = origin(now, address.doc, str(replace(address, suffix="", query={})))
    head = [f"# What changed in {' '.join(now.title.split()) or now.name}", "", source.markdown(), ""]
    if before is None:
        since_added = f"; it was first indexed on {_time(found.added)}" if found.added else ""
        since_asked = f" since {asked}" if asked.lower() not in _LAST else ""
        return [*head, f"No other version of it is known{since_asked}{since_added}."]
    if before.id == now.id:
        return [*head, f"Nothing: it is the same as then (doc_id {now.doc_id})."]
    until = f", which was replaced on {_time(found.ended)}" if found.ended else ""
    other = f"{before.name}, " if before.slug != now.slug else ""
    return [*head, f"Compared with {other}document://{before.doc_id}{until}."]


def _summary(made: Sequence[LineChange], now: Version, before: Version) -> str:
    counts = {kind: sum(one.kind == kind for one in made) for kind in ("changed", "added", "removed", "moved")}
    counted = [f"{count:,} lines {kind}" if count != 1 else f"1 line {kind}" for kind, count in counts.items() if count]
    facts = [f"{', '.join(counted) or 'No line of the text is different'}."]
    facts += [f"Title: [-{before.title}-] [+{now.title}+]."] if before.title != now.title else []
    kind = now.part_kind or "part"
    facts += [f"{now.parts} {kind}s, before {before.parts}."] if before.parts != now.parts else []
    return " ".join(facts)


def _lines(view: PartsView, doc: str, embeds: Embeds, *, hidden: bool, results: bool) -> list[PlacedLine]:
    """The lines of all parts as they read with tracked changes accepted."""
    lines: list[PlacedLine] = []
    for part in view.parts:
        title = part_title(part)
        place = f"{part.kind} {part.n}{f': {title}' if title else ''}" if view.version.parts > 1 else title or part.kind
        decoded = (block for segment in part.segments for block in decode_blocks(segment.data))
        blocks = without_repeats([block if hidden else visible(block) for block in decoded])
        for number, block in enumerate(blocks, part.segments[0].first_block if part.segments else 1):
            shown = block if results or not isinstance(block, Table) else _without_results(block)
            for line in ReadPart(doc, part, embeds).lines(shown, number):
                text = line.otherwise or line.text
                if text.strip(" |"):
                    uri = line.uri if line.cells is None else line.cells(0, len(line.text))
                    lines.append(PlacedLine(text, uri, place))
    return lines


def _without_results(table: Table) -> Table:
    rows = [list(row) for row in table.rows]
    for cell in table.cells:
        if cell.formula and cell.row < len(rows) and cell.col < len(rows[cell.row]):
            rows[cell.row][cell.col] = ""
    cells = tuple(structs.replace(cell, value=None) if cell.formula else cell for cell in table.cells)
    return structs.replace(table, rows=tuple(map(tuple, rows)), cells=cells)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "minutes")
