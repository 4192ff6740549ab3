"""Decides which drafts are headings, and of which level, for the whole document at once: from the outline where it
names them, else from size, weight and numbering against the body type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar_pdf.pdfium.info import OutlineEntry
from sidecar_pdf.structure.drafts import Draft, DraftPage

_NUMBERED = re.compile(r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})+\.?|\d{1,2}\.?|[A-Z]\.|[IVX]{1,5}\.)\s+(?=[^\W\d_])")
_WORD = re.compile(r"\w+")
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_ROMAN = re.compile(r"[IVX]{1,5}\.\s")
_LETTERED = re.compile(r"[A-HJ-U]\.\s")
_PAGE = re.compile(
    r"(?:page|seite|pagina|página|pág\.?|стр\.?|p\.)\s*\d+(?:\s*(?:of|von|de|sur|di|van|из|/)\s*\d+)?", re.I
)
_CLOSED = re.compile(r"[.,;:]$")

_LISTED = re.compile(r"(.*\S)\s+(?:\d{1,4}|[ivxlc]{1,6})$")
"""A line of a table of contents: a title and its page."""
_ARGUMENTS = re.compile(r"[\[({<]")
"""Opens what a heading that names a function says of its arguments, and the outline leaves out."""
_REPEATED = 4
"""Pages at whose edge one line stands before it is taken for a running head, whatever its type."""
_EDGE = 0.13
_MANY, _COMMON = 40, 0.12
"""How many headings in one type, and what share of all letters in it, make it running text."""

StyleKey = tuple[float, bool]


@dataclass
class Headings:
    """`levels[id(draft)]` for the drafts that are headings; `body` is the size of running text in points."""

    body: float
    mono: bool = False
    """The running text is set in a typewriter face, which then says nothing of code."""
    levels: dict[int, int] = field(default_factory=dict[int, int])

    def level(self, draft: Draft) -> int:
        return self.levels.get(id(draft), 0)


def find_headings(pages: list[DraftPage], outline: list[OutlineEntry]) -> Headings:
    """The headings of a document; levels are consistent over all its pages, 1 to 6."""
    body = _body_size(pages)
    found = Headings(body, _is_typewritten(pages))
    listed: dict[int, list[tuple[str, int]]] = {}
    for entry in outline:
        if entry.page >= 0:
            listed.setdefault(entry.page, []).append((_fold(entry.title), entry.level))
    running = _repeated(pages)
    chosen: list[Draft] = []
    by_outline: dict[StyleKey, Counter[int]] = {}
    for number, page in enumerate(pages):
        near = [item for at in (number - 1, number, number + 1) for item in listed.get(at, ())]
        for draft in _candidates(page):
            if running and _edge_key(draft, page) in running:
                continue
            level = _in_outline(draft, near) if near else 0
            if level:
                found.levels[id(draft)] = level
                by_outline.setdefault(_key(draft), Counter())[level] += 1
            elif _looks_like(draft, body):
                chosen.append(draft)
    chosen = _rare(chosen, pages, by_outline)
    chosen = _without_contents(chosen, {title for items in listed.values() for title, _ in items})
    ranks = _ranks(chosen, by_outline, body)
    first_depth = _first_depth(chosen, ranks)
    roman = [ranks[_key(d)] for d in chosen if _ROMAN.match(heading_text(d))]
    for draft in chosen:
        level = ranks[_key(draft)]
        depth = _depth(heading_text(draft))
        if depth and first_depth and not by_outline:
            level = first_depth + depth - 1
        elif len(roman) > 1 and not by_outline and _LETTERED.match(heading_text(draft)):
            level = max(level, min(roman) + 1)
        found.levels[id(draft)] = min(max(level, 1), 6)
    return found


def heading_text(draft: Draft) -> str:
    return f"{draft.marker} {draft.text}" if draft.marker else draft.text


def number_and_text(text: str) -> tuple[str, str]:
    """`("2.3", "Method")` of "2.3 Method"; the number is "" where the heading has none."""
    match = _NUMBERED.match(text)
    return (match[1].rstrip("."), text[match.end() :]) if match else ("", text)


def _rare(chosen: list[Draft], pages: list[DraftPage], by_outline: dict[StyleKey, Counter[int]]) -> list[Draft]:
    """The headings less those in a type that is too common to set any apart: a second size of running text, beside
    small print or listings that take up more room."""
    letters: Counter[StyleKey] = Counter()
    for page in pages:
        for draft in page.drafts:
            if draft.kind in {"text", "list"} and not draft.margin:
                letters[_key(draft)] += len(draft.text)
    found = Counter(_key(draft) for draft in chosen)
    common = {
        key for key, count in found.items()
        if count > _MANY and letters[key] > _COMMON * letters.total()
        and count > 3 * by_outline.get(key, Counter[int]()).total()
    }  # fmt: skip
    return [draft for draft in chosen if _key(draft) not in common]


def _without_contents(chosen: list[Draft], titles: set[str]) -> list[Draft]:
    """The headings less lines of a table of contents: those that name another heading, or the outline, with a page."""
    own = {_fold(draft.text) for draft in chosen} | titles
    kept: list[Draft] = []
    for draft in chosen:
        match = _LISTED.match(heading_text(draft))
        names = {_fold(match[1]), _fold(number_and_text(match[1])[1])} if match else set[str]()
        if not names & own:
            kept.append(draft)
    return kept


def _repeated(pages: list[DraftPage]) -> set[tuple[str, int]]:
    """Lines that stand at one height at the edge of several pages, as running heads do that change too seldom, or stand
    too close to the text, to be told on the page. Slides repeat their titles, so pages wider than high do not count."""
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        if page.width <= page.height:
            edge = page.height * _EDGE
            counts.update(
                {
                    _edge_key(draft, page) for draft in page.drafts
                    if draft.kind in {"text", "list"} and (draft.box[3] < edge or draft.box[1] > page.height - edge)
                }
            )  # fmt: skip
    return {key for key, count in counts.items() if count >= _REPEATED}


def _edge_key(draft: Draft, page: DraftPage) -> tuple[str, int]:
    return _fold(heading_text(draft)), int(draft.box[1] / max(page.height, 1.0) * 100)


def _body_size(pages: list[DraftPage]) -> float:
    """The size of running text, in points. Listings, often smaller and longer, count where there is little else."""
    weights: Counter[float] = Counter()
    listings: Counter[float] = Counter()
    for page in pages[:400]:
        for draft in page.drafts:
            if draft.kind in {"text", "list"} and not draft.margin and not draft.hidden and draft.size:
                sizes = listings if draft.mono else weights
                sizes[round(draft.size * 4) / 4] += len(draft.text) if draft.lines > 1 else len(draft.text) // 2
    if weights.total() < 0.1 * listings.total():
        weights += listings
    return weights.most_common(1)[0][0] if weights else 10.0


def _is_typewritten(pages: list[DraftPage]) -> bool:
    mono = total = 0
    for page in pages[:400]:
        for draft in page.drafts:
            if draft.kind in {"text", "list"}:
                total += len(draft.text)
                mono += len(draft.text) if draft.mono else 0
    return mono > 0.6 * total


def _candidates(page: DraftPage) -> Iterator[Draft]:
    for draft in page.drafts:
        if draft.kind not in {"text", "list"} or draft.margin or draft.hidden or draft.caption or draft.lines > 4:
            continue
        if (
            0 < len(draft.text) <= 220
            and any(char.isalpha() for char in draft.text)
            and not _LEADERS.search(draft.text)
        ):
            yield draft


def _fold(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _in_outline(draft: Draft, near: list[tuple[str, int]]) -> int:
    text = _fold(heading_text(draft))
    bare = _fold(number_and_text(heading_text(draft))[1])
    called = _fold(_ARGUMENTS.split(heading_text(draft), maxsplit=1)[0]) if draft.bold else ""
    for title, level in near:
        if title and (
            title in (text, bare)
            or (len(bare) > 5 and title.endswith(bare) and len(title) - len(bare) < 12)
            or (len(called) > 4 and title == called)
        ):
            return min(level, 6)
    return 0


def _looks_like(draft: Draft, body: float) -> bool:
    text = heading_text(draft)
    words = text.split()
    letters = [char for char in text if char.isalpha()]
    if len(draft.text) < 2 or _PAGE.fullmatch(text.strip(" -–|")):
        return False
    if draft.mono or len(letters) < 2 or len(letters) < 0.4 * len(text.replace(" ", "")):
        return False
    if draft.size >= 1.18 * body and len(words) <= 30:
        return not (draft.kind == "list" and not draft.marker[:1].isalnum())
    centred = draft.box[0] - draft.column_left > 2 * draft.size
    short = len(words) <= 16 and draft.lines <= 2 and not _CLOSED.search(draft.text)
    if centred and draft.alone and short and draft.size >= 0.75 * body and (draft.capitals or _ROMAN.match(text)):
        return True
    if len(words) > 16 or draft.lines > 2 or _CLOSED.search(draft.text) or draft.size < 0.95 * body or not draft.alone:
        return False
    if draft.kind == "list" and not (draft.marker[:1].isdigit() or draft.marker[:1].isupper()):
        return False
    numbered = _NUMBERED.match(text) is not None
    if draft.lines == 1 and numbered and draft.italic:
        return True
    capitals = len(letters) >= 5 and all(char.isupper() for char in letters) and letters[0].lower() != letters[0]
    if draft.bold:
        return text[:1].isupper() or text[:1].isdigit() or not text[:1].islower()
    return (draft.size >= 1.06 * body and draft.lines == 1 and numbered) or (
        capitals and draft.lines == 1 and draft.kind == "text" and len(words) <= 12 and (numbered or len(letters) >= 6)
    )


def _key(draft: Draft) -> StyleKey:
    return round(draft.size * 2) / 2, draft.bold


def _ranks(chosen: list[Draft], by_outline: dict[StyleKey, Counter[int]], body: float) -> dict[StyleKey, int]:
    """A level for each style: what the outline says of it, else its place by size among the heading styles."""
    sizes: list[float] = []
    for size in sorted({_key(d)[0] for d in chosen} | {key[0] for key in by_outline}, reverse=True):
        if not sizes or sizes[-1] - size > 0.06 * body:
            sizes.append(size)
    ranks: dict[StyleKey, int] = {}
    for draft in chosen:
        key = _key(draft)
        if key in by_outline:
            ranks[key] = by_outline[key].most_common(1)[0][0]
        else:
            ranks[key] = next((at + 1 for at, size in enumerate(sizes) if key[0] >= size - 0.06 * body), len(sizes))
            if by_outline:
                ranks[key] = max(ranks[key], 1)
    return ranks


def _depth(text: str) -> int:
    match = _NUMBERED.match(text)
    return match[1].rstrip(".").count(".") + 1 if match else 0


def _first_depth(chosen: list[Draft], ranks: dict[StyleKey, int]) -> int:
    """The level of headings numbered "1", "2", …, where numbering goes deeper and so tells levels by itself."""
    levels: Counter[int] = Counter()
    deeper = False
    for draft in chosen:
        depth = _depth(heading_text(draft))
        if depth == 1:
            levels[ranks[_key(draft)]] += 1
        deeper = deeper or depth > 1
    return levels.most_common(1)[0][0] if levels and deeper else 0
