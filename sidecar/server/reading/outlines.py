"""Tables of contents, of a document or of what lies below one of its parts or sections, in windows.

Only the parts that are asked for are fetched; what is many entries all the same is made in a worker (`heavy_views`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, get_args

from sidecar.api import Address, NotFoundError, OutlineEntry, OutlineWindow, PartKind
from sidecar.server.long_work import HeavyViewError
from sidecar.server.reading.address_query import selector_of
from sidecar.store import Documents
from sidecar.store.documents.views import Version
from sidecar.toolkit.answers.tokens import document_tokens, reading_tokens
from sidecar.views.embedded import Readable, mark_attached_documents
from sidecar.views.outlines import goes_by_sections, outline_entries

ENTRY_CHARS = 100
"""About what an entry of a list takes to make, in bytes to decode."""
_MAX_HERE = 500
"""Parts and sections above which an outline is made in a worker: below it takes under 5 ms."""
_NO_BLOCKS = (0, 0)


class OutlineSpan(NamedTuple):
    """Which entries of an outline are asked for: down to level `depth`, from number `start` on, at most `limit` (None:
    all)."""

    depth: int
    start: int
    limit: int | None


@dataclass(frozen=True)
class OutlineReader:
    """Reads outlines from the store. Raises HeavyViewError before anything is built, unless it is `in_worker`."""

    documents: Documents
    readable: Readable
    in_worker: bool = False

    async def read(self, address: Address, asked: OutlineSpan) -> OutlineWindow:
        """Of a whole document, or of what the entry at another address leads to. Raises NotFoundError."""
        doc, whole, (depth, start, limit) = address.doc, address.scheme == "document", asked
        paged = whole and depth == 0 and not await self._by_sections(doc)  # then every entry is a part
        first, many = (start + 1, limit) if paged else await self._parts_at(address)
        size, embedded = await self.documents.outline_size(doc, first, many)
        embedded = embedded if depth > 0 else 0
        if not self.in_worker and size + embedded > _MAX_HERE:
            raise HeavyViewError
        view = await self.documents.outline(doc, first, many, with_ranges=depth > 0)
        if paged:
            tokens = await self._tokens(doc, view.version)
            return OutlineWindow(tuple(outline_entries(view, doc, 0)), (view.version.parts,), tokens)
        kinds = ("attachment", "chart")
        stored = (await self.documents.embeds(view.version.doc_id, kinds)).embeds if embedded else ()
        if not whole:  # what is attached to the whole is not below one of its parts
            stored = [embed for embed in stored if embed.part is not None]
        attached = mark_attached_documents(stored, self.readable)
        by_parts = not whole and address.scheme != "section"
        entries = outline_entries(view, doc, depth, embeds=attached, pages=by_parts)
        if whole:
            return window(entries, await self._tokens(doc, view.version), asked)
        entries = below(entries, str(address))
        return window(entries, entries[0].tokens, asked)

    async def _by_sections(self, doc: str) -> bool:
        """Whether the outline is one of headings (see `outline_entries`)."""
        version = await self.documents.resolve(doc)
        if version.part_kind != "page":
            return False
        size, _ = await self.documents.outline_size(doc)
        return goes_by_sections(version.part_kind, version.parts, size - version.parts)

    async def _tokens(self, doc: str, version: Version) -> int:
        """What the whole document costs to read; of one without text that is what its record says of its pictures."""
        if version.tokens:
            return reading_tokens(version.tokens, version.title, version.name, version.slug)
        return document_tokens(await self.documents.info(doc), version.slug)

    async def _parts_at(self, at: Address) -> tuple[int, int | None]:
        """The first part an address leads to, and how many there are, None where it leads to all."""
        if at.scheme == "document":
            return 1, None
        if at.scheme == "section":
            _, section = await self.documents.section(at.doc, selector_of(at))
            return section.part, section.end_part - section.part + 1
        if at.scheme not in get_args(PartKind):
            raise _no_entry(str(at))
        view = await self.documents.part(at.doc, selector_of(at), blocks=_NO_BLOCKS)
        return view.part.n, 1


def below(entries: Sequence[OutlineEntry], uri: str) -> Sequence[OutlineEntry]:
    """The entry of that URI and those below it. Raises NotFoundError where the outline has none."""
    at = next((place for place, entry in enumerate(entries) if entry.uri == uri), None)
    if at is None:
        raise _no_entry(uri)
    end = next((place for place in range(at + 1, len(entries)) if entries[place].level <= entries[at].level), None)
    return entries[at:end]


def window(entries: Sequence[OutlineEntry], tokens: int, asked: OutlineSpan) -> OutlineWindow:
    """Those of the entries that are asked for."""
    levels = [0] * (max((entry.level for entry in entries), default=0) + 1)
    for entry in entries:
        levels[entry.level] += 1
    end = None if asked.limit is None else asked.start + asked.limit
    return OutlineWindow(tuple(entries[asked.start : end]), tuple(accumulate(levels)), tokens)


def _no_entry(uri: str) -> NotFoundError:
    return NotFoundError(f"{uri} is not an entry of the outline; get_outline of the document lists them.", uri=uri)
