"""Cuts a document into passages, the unit of search: whole blocks under one heading, split only when too long; and the
words that belong to no block (properties, what it refers to outside itself, what no figure shows).

Also counts characters by block, from which token estimates of parts and sections are made. Knows no database."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from sidecar.api.model import (
    CLERICAL_METADATA,
    NAVIGATION,
    OWN_METADATA,
    PAGE_FURNITURE,
    AnyBlock,
    Embed,
    Figure,
    Heading,
    ParsedDocument,
    Part,
    Table,
)
from sidecar.ingest.reading.sections import SectionOutline
from sidecar.ingest.reading.titles import TITLE_CHARS, informative_description, informative_title
from sidecar.store.documents.records import PASSAGE_CHARS, PassageRecord
from sidecar.toolkit.text import on_one_line
from sidecar.views.grid import cells_of
from sidecar.views.searchable import Embeds, block_text, embed_text, links_and_formulas, placed, placed_at, row_texts

_DIGITS = re.compile(r"\d+")
_HEADER_CHARS = 300
"""A table's heading row is repeated in each of its passages up to this length."""
_LINK_CHARS = 400
"""Link targets stand at the end of their passage, up to this length together, so that they do not lead its snippet."""
_FORMULA_CHARS = 1200
"""LaTeX of the formulas in a passage's text stands there too, up to this length together."""
_ABOVE_CHARS = 200
"""The sentence before a table, and its name and caption, are repeated in each of its passages up to this length."""
_VALUE_CHARS = 2000
_GIVEN_NAME = re.compile(r"(?:[^\W\d]+\s?\d{1,3})?")
"""The name of a sheet that a program gave it ("Sheet2", "Tabelle 3", "工作表1"), or one that looks so, or none."""
_NO_ROWS = (-1, -1)
"""No rows of a sheet."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n|(?<=。)")
_BREAKS = ("\n\n", "\n", ". ", "。", "; ", ", ", " ")
"""Where a long text may be cut, best first."""


@dataclass
class PartText:
    """What was read from one part: its passages, and how many characters stand before each block's end."""

    passages: list[PassageRecord] = field(default_factory=list[PassageRecord])
    ends: list[int] = field(default_factory=lambda: [0])
    shown: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """Embeds whose words are in the text already, because a figure shows them."""
    rows: int = 0
    cols: int = 0
    has_nul: bool = False

    @property
    def chars(self) -> int:
        """Characters of the whole part."""
        return self.ends[-1]


class Cutter:
    """Cuts the parts of one document, in order, since a heading reaches over the parts after it.

    `metadata` is the document's: what it says of the whole, `document_passages` tells, and no part says again."""

    def __init__(self, outline: SectionOutline, embeds: Embeds, metadata: Mapping[str, str]) -> None:
        self._outline = outline
        self._embeds = embeds
        self._metadata = metadata
        self._running: set[str] = set()
        """Lines at the edges of pages that were told, without their numbers."""

    def cut(self, n: int, part: Part) -> PartText:
        """The passages of part `n` (from 1)."""
        read = PartText()
        self._outline.begin(part)
        building = _PassageBuilder(self._outline, n, part, read.passages)
        facts = self._facts_of(part)
        titled = bool(part.blocks) and isinstance(part.blocks[0], Heading)
        if facts and not titled:
            building.add(0, facts, 0)
        if part.kind == "sheet" and not part.blocks and not _GIVEN_NAME.fullmatch(part.title or part.name):
            building.add(0, part.title or part.name, 0)  # an empty sheet is found by the name somebody gave it
        lead = ""
        chars = 0
        for number, block in enumerate(part.blocks, 1):
            if isinstance(block, Heading):
                lead = ""
                building.heading(number, block)
                if facts and number == 1:
                    building.add(1, facts, 0)
                text = block_text(block, self._embeds)
                chars += len(text) + 1
                building.links(block)
            elif isinstance(block, Table):
                chars += building.table(number, block, lead, placed=part.kind == "sheet")
                read.rows = max(read.rows, block.first_row + len(block.rows))
                read.cols = max(read.cols, block.first_col + max(map(len, block.rows), default=0))
            else:
                text = block_text(block, self._embeds)
                if isinstance(block, Figure) and block.embed is not None:
                    read.shown.add(block.embed)
                if text and part.kind == "sheet" and (cells := cells_of(block)) is not None:
                    text = placed(text, cells)
                if text:
                    lead = "" if part.kind == "sheet" else text
                    building.add(number, text, block.page or 0)
                    chars += len(text) + 1
                    building.links(block)
            read.ends.append(chars)
        building.flush()
        if part.metadata.get("kind") == NAVIGATION:
            # Block 0 is where properties stand, which search ranks below what a text says.
            read.passages[:] = [replace(one, first_block=0, last_block=0) for one in read.passages]
        read.has_nul = any("\0" in passage.text or "\0" in passage.heading for passage in read.passages)
        return read

    def _facts_of(self, part: Part) -> str:
        """What the part says of itself that the document does not."""
        return "\n".join(
            f"{key}: {text}"
            for key, value in part.metadata.items()
            if value and key not in CLERICAL_METADATA and self._metadata.get(key) != value
            if (text := self._new_lines(value) if key in PAGE_FURNITURE else value)
        )

    def _new_lines(self, furniture: str) -> str:
        """The lines that no page before has but for the numbers in them: a running head would otherwise make every page
        of a chapter an answer to the words of its title."""
        new: list[str] = []
        for line in furniture.split("\n"):
            if (without_digits := _DIGITS.sub("", line)) not in self._running:
                self._running.add(without_digits)
                new.append(line)
        return "\n".join(new)


class _PassageBuilder:
    """The passage being gathered."""

    def __init__(self, outline: SectionOutline, n: int, part: Part, passages: list[PassageRecord]) -> None:
        self._outline = outline
        self._n = n
        self._own_page = n if part.kind in ("page", "slide") else 0
        self._own_title = on_one_line(part.title or (part.name if part.kind == "sheet" else ""))
        self._passages = passages
        self._texts: list[str] = []
        self._size = 0
        self._first = self._last = 0
        self._page = 0
        self._rows = _NO_ROWS
        self._pending_heading = ""
        self._header = ""
        """The heading row of the last table."""
        self._links: dict[str, None] = {}
        self._formulas: dict[str, None] = {}

    def links(self, block: AnyBlock) -> None:
        """Remember where the text of a block leads to, and its formulas as LaTeX, for the passage it is in."""
        # Most blocks have none, and this is asked of all.
        if block.cells if type(block) is Table else getattr(block, "spans", ()):
            links, formulas = links_and_formulas(block)
            self._links.update(dict.fromkeys(links))
            if formulas:
                self._formulas.update(dict.fromkeys(formulas))

    def heading(self, number: int, block: Heading) -> None:
        self.flush()
        self._outline.enter(self._n, number)
        self._first = self._last = number
        self._page = block.page or 0
        self._pending_heading = block.text

    def add(self, number: int, text: str, page: int, rows: tuple[int, int] = _NO_ROWS) -> None:
        if self._size + len(text) > PASSAGE_CHARS and self._texts:
            self.flush()
        if len(text) > PASSAGE_CHARS:
            for piece in pieces(text):
                self._put(number, piece, page, rows)
                self.flush()
        else:
            self._put(number, text, page, rows)

    def table(self, number: int, block: Table, lead: str, *, placed: bool) -> int:
        """Add a table, led by the last sentence before it (of `lead`), its title and its heading row; how many
        characters it has. Its rows are `placed` in a sheet or stand in a text."""
        lines = row_texts(block)
        if block.header_rows or not block.first_row:  # else a further window of the table before
            self._header = " / ".join(line for line in lines[: block.header_rows] if line)[:_HEADER_CHARS]
        title = " ".join(word for word in (block.name, block.caption) if word)
        if title:
            self.add(number, title, block.page or 0)
        self.links(block)
        above = [text for text in (_last_sentence(lead), title[:_ABOVE_CHARS]) if text]
        first_row = block.first_row if placed else None
        self._add_rows(number, lines, above, block.page or 0, first_row, continued=not block.header_rows)
        return (len(title) + 1 if title else 0) + sum(map(len, lines)) + len(lines)

    def _add_rows(
        self, number: int, lines: Sequence[str], above: Sequence[str], page: int, first_row: int | None, *,
        continued: bool,
    ) -> None:  # fmt: skip
        """Rows, each passage of them led by what stands `above` the table and by its heading row; the first one has it
        already unless the block only continues a table. `first_row` is that of the sheet in which they begin."""
        room = PASSAGE_CHARS - sum(len(text) + 1 for text in above)
        header = self._header
        leading = bool(header)
        gathered = [header] if leading and continued else []
        least, size = len(gathered), len(header) + 1 if gathered else 0
        begin = end = -1
        for at, line in enumerate(lines, first_row or 0):
            if not line:
                continue
            if size + len(line) > room and len(gathered) > least:
                self._gathered(number, gathered, above, page, (begin, end))
                self.flush()
                gathered, least, size = ([header], 1, len(header) + 1) if leading else ([], 0, 0)
                begin = -1
            gathered.append(line)
            size += len(line) + 1
            if first_row is not None:
                begin, end = at if begin < 0 else begin, at
        if len(gathered) > least:
            self._gathered(number, gathered, above, page, (begin, end))

    def _gathered(
        self, number: int, lines: Sequence[str], above: Sequence[str], page: int, rows: tuple[int, int]
    ) -> None:
        """Add lines of rows; where they begin a passage, what stands above the table comes with them."""
        text = "\n".join(lines)
        if not self._texts or self._size + len(text) > PASSAGE_CHARS:
            text = "\n".join((*above, text))
        self.add(number, text, page, rows)

    def flush(self) -> None:
        if not self._texts and self._pending_heading:
            self._texts = [self._pending_heading]  # a heading with nothing under it is found by its own words
        if self._texts:
            section, path = self._outline.current(self._own_title)
            page = self._page or self._own_page
            text = self._texts[0] if len(self._texts) == 1 else "\n".join(self._texts)
            if self._links or self._formulas:
                text = _with_more(_with_more(text, self._links, _LINK_CHARS), self._formulas, _FORMULA_CHARS)
                self._links, self._formulas = {}, {}
            first = max(self._first, 1)
            self._passages.append(
                PassageRecord(self._n, first, max(self._last, first), section, path, text, page, *self._rows)
            )
        self._texts = []
        self._size = 0
        self._first = self._last = self._page = 0
        self._rows = _NO_ROWS
        self._pending_heading = ""

    def _put(self, number: int, text: str, page: int, rows: tuple[int, int]) -> None:
        if not self._first:
            self._first = number
        if not self._page:
            self._page = page
        self._last = number
        if rows[0] >= 0:
            self._rows = (self._rows[0] if self._rows[0] >= 0 else rows[0], max(self._rows[1], rows[1]))
        elif self._rows[0] >= 0 and not placed_at(text)[1:]:
            self._rows = _NO_ROWS  # what follows rows is not read with them: a header of the printed page
        self._pending_heading = ""
        self._texts.append(text)
        self._size += len(text) + 1


def _last_sentence(text: str) -> str:
    """The last sentence of a text, "" for one too long to be repeated."""
    last = _SENTENCES.split(text.strip())[-1]
    return last if len(last) <= _ABOVE_CHARS else ""


def _with_more(text: str, links: Iterable[str], room: int) -> str:
    """The text and, behind it, the targets or formulas that say something it does not, in at most `room` characters."""
    missing: list[str] = []
    for link in links:
        if link not in text and len(link) < room:
            missing.append(link)
            room -= len(link) + 1
    return f"{text}\n{' '.join(missing)}" if missing else text


def pieces(text: str) -> Iterator[str]:
    """Cut a long text into stretches of at most `PASSAGE_CHARS`, at the best break in the second half of each."""
    start = 0
    while len(text) - start > PASSAGE_CHARS:
        end = start + PASSAGE_CHARS
        for mark in _BREAKS:
            found = text.rfind(mark, start + PASSAGE_CHARS // 2, end)
            if found >= 0:
                end = found + len(mark)
                break
        piece = text[start:end].strip()
        if piece:
            yield piece
        start = end
    rest = text[start:].strip()
    if rest:
        yield rest


def document_passages(
    parsed: ParsedDocument, unseen: Sequence[Embed], parts: int, opening: Sequence[PassageRecord]
) -> list[PassageRecord]:
    """Passages beside those of the text, which lead to the document's outline. What the `opening` ones say, as a
    message says whom it is from, is not said again.

    `unseen` are embeds no figure shows: with a part they are found there, without one they belong to the document, as
    its properties do (block 0 of part 1 stands for that)."""
    if not parts:
        return []
    found: list[PassageRecord] = []
    opening_text = "\n".join(f"{one.heading}\n{one.text}" for one in opening)
    lines = [
        f"{key.removeprefix(OWN_METADATA)}: {value[:_VALUE_CHARS]}"
        for key, value in parsed.metadata.items()
        if informative_description(value) and key not in CLERICAL_METADATA and value not in opening_text
    ]
    if informative_description(parsed.description) and parsed.description not in parsed.metadata.values():
        lines.append(parsed.description[:_VALUE_CHARS])
    lines += [notice.message[:_VALUE_CHARS] for notice in parsed.notices if notice.code == "external_content"]
    for embed in unseen:
        text = embed_text(embed)
        if text and embed.part is None:
            lines.append(text)
        elif text:
            part, block = min(max(embed.part or 1, 1), parts), max(embed.block, 1)
            found.append(PassageRecord(part, block, block, "", "", text[: 4 * PASSAGE_CHARS], 0))
    title = informative_title(parsed.title)[:TITLE_CHARS]
    found += [PassageRecord(1, 0, 0, "", title, piece, 0) for piece in pieces("\n".join(dict.fromkeys(lines)))]
    return found
