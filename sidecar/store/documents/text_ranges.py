"""Cuts long texts without headings into stretches, so that a table of contents leads into them.

From the passages that are searched, hence only of versions that documents show now."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sidecar.store.database.session import Session
from sidecar.store.documents.records import PartRecord, SectionRecord
from sidecar.store.documents.views import TextRange

_LONG = 4000
"""Tokens from which a chapter or section without headings is told by its stretches: about what one answer holds."""
_MIN_TOKENS = 2000
_MAX_RANGES = 12
"""Stretches of one place, of which none has fewer tokens than `_MIN_TOKENS`."""
_REST = 0.5
"""Of a stretch, below which what is left at the end is none of its own."""
_OPENING = 80
_LAST = 2**31 - 1
_KINDS = ("chapter", "message")
_BLOCKS = (
    "SELECT first_block, last_block, length(text), substr(text, 1, ?) FROM passages "
    "WHERE version_id = ? AND part = ? AND first_block BETWEEN ? AND ? AND last_block >= first_block "
    "ORDER BY first_block, id"
)


def text_ranges(
    session: Session, version: int, parts: Sequence[PartRecord], sections: Sequence[SectionRecord]
) -> Iterator[TextRange]:
    """Those of each long chapter or section that has no heading within, in order."""
    kinds = {part.n: part.kind for part in parts}
    for part, first, last, tokens in _without_headings(parts, sections):
        if tokens > _LONG and kinds.get(part) in _KINDS:
            blocks = session.rows(_BLOCKS, (_OPENING, version, part, max(first, 1), last))
            yield from _cut(part, blocks, tokens)


def _without_headings(
    parts: Sequence[PartRecord], sections: Sequence[SectionRecord]
) -> Iterator[tuple[int, int, int, int]]:
    """Part, first and last block, and tokens."""
    opened = {section.part for section in sections}
    for part in parts:
        if part.n not in opened:
            yield part.n, 1, _LAST, part.tokens
    for at, section in enumerate(sections):
        following = sections[at + 1] if at + 1 < len(sections) else None
        if section.end_part == section.part and (following is None or following.level <= section.level):
            yield section.part, section.block, section.end_block, section.tokens


def _cut(part: int, blocks: Sequence[tuple[int, int, int, str]], tokens: int) -> list[TextRange]:
    """Stretches of a place that has `tokens`; a block is in one alone, what little is left in the last."""
    all_chars = sum(length for _, _, length, _ in blocks)
    wanted = max(_MIN_TOKENS, tokens // _MAX_RANGES) / tokens * all_chars
    found: list[TextRange] = []
    begin = end = chars = 0
    opening = ""

    def text_range() -> TextRange:
        return TextRange(part, begin, end, tokens * chars // all_chars, opening)

    for first, last, length, text in blocks:
        if chars >= wanted and first > end:
            found.append(text_range())
            chars = 0
        if not chars:
            begin, opening = first, text
        end, chars = max(end, last), chars + length
    if found and chars < _REST * wanted:
        last = text_range()
        return [*found[:-1], replace(found[-1], last=last.last, tokens=found[-1].tokens + last.tokens)]
    return [*found, text_range()] if chars else found
