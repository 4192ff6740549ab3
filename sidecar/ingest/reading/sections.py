"""The sections of a document: headings, what stands under each, and a short name for every one of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sidecar.api import Heading, Part, slugify
from sidecar.ingest.reading.titles import TITLE_CHARS
from sidecar.store.documents.records import HEADINGS_APART, SectionRecord
from sidecar.toolkit.text import on_one_line

_PATH_CHARS = 400
_ID_CHARS = 60
_APART = ("slide", "sheet", "message")
"""Kinds of part that no heading reaches across: a slide does not belong under the slide before it."""


@dataclass
class _Section:
    id: str
    level: int
    title: str
    part: int
    block: int
    path: str
    end_part: int = 0
    end_block: int = 0
    n: int = 0


class SectionOutline:
    """All sections of a document, and which of them one is in while walking through its blocks."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._sections = _find(parts)
        self._at = {(section.part, section.block): section for section in self._sections}
        self._begins: dict[int, list[int]] = {}
        for section in self._sections:
            self._begins.setdefault(section.part, []).append(section.block)
        self._current: _Section | None = None
        self._titled = True

    def begin(self, part: Part) -> None:
        """The walk begins that part."""
        if part.kind in _APART:
            self._current = None
        self._titled = not (part.kind == "page" and _opens_below(part))

    def enter(self, part: int, block: int) -> None:
        """The walk has reached the heading at that place."""
        self._current = self._at.get((part, block), self._current)

    def current(self, part_title: str) -> tuple[str, str]:
        """Id of the section reached and its path of headings; before any heading, the part's own title. A page that is
        called after a heading on it gives its name to nothing above that heading."""
        if self._current is None:
            return "", part_title
        path = self._current.path
        if part_title and self._titled and part_title not in path:
            return self._current.id, f"{part_title}{HEADINGS_APART}{path}"
        return self._current.id, path

    def begins(self, part: int) -> list[int]:
        """The blocks of a part at which sections begin."""
        return self._begins.get(part, [])

    def records(self, tokens: Callable[[int, int, int, int], int]) -> tuple[SectionRecord, ...]:
        """`tokens(part, block, end_part, end_block)` estimates what a stretch of the document costs."""
        return tuple(
            SectionRecord(
                s.id, s.n, s.level, s.title, s.part, s.block, s.end_part, s.end_block,
                tokens(s.part, s.block, s.end_part, s.end_block),
            )
            for s in self._sections
        )  # fmt: skip


def _opens_below(part: Part) -> bool:
    """Whether the part is called after one of its own headings, which reaches from its place on and not over all."""
    return any(type(block) is Heading and block.text.startswith(part.title) for block in part.blocks)


def _find(parts: Sequence[Part]) -> list[_Section]:
    found: list[_Section] = []
    open_sections: list[_Section] = []
    taken: dict[str, int] = {}
    before = (1, 1)
    for n, part in enumerate(parts, 1):
        if part.kind in _APART:
            while open_sections:
                _end(open_sections.pop(), before)
        for number, block in enumerate(part.blocks, 1):
            if type(block) is Heading and (title := on_one_line(block.text)[:TITLE_CHARS]):
                while open_sections and open_sections[-1].level >= block.level:
                    _end(open_sections.pop(), before)
                above = f"{open_sections[-1].path}{HEADINGS_APART}" if open_sections else ""
                numbered = f"{block.number} {title}" if block.number else title
                path = f"{above}{numbered}"[-_PATH_CHARS:]
                section = _Section(_unique(title, taken), block.level, numbered, n, number, path)
                open_sections.append(section)
                found.append(section)
            before = (n, number)
    for section in open_sections:
        _end(section, before)
    top = min((section.level for section in found), default=0)
    count = 0
    for section in found:
        if section.level == top:
            count += 1
            section.n = count
    return found


def _end(section: _Section, place: tuple[int, int]) -> None:
    section.end_part, section.end_block = place


def _unique(title: str, taken: dict[str, int]) -> str:
    """A slug no other section of the document has; a repeated title gets -2, -3, …"""
    base = slugify(title)[:_ID_CHARS].strip("-")
    slug = base
    while slug in taken:
        taken[base] += 1
        slug = f"{base}-{taken[base]}"
    taken[slug] = 1
    return slug
