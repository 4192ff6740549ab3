"""Finds the titles of slides: the first line of most pages, in one type, and no smaller than anything else on them. In
a deck that is set bold and large throughout nothing but their place tells them. And what is an item of a list there."""

from collections import Counter
from dataclasses import replace

from sidecar_pdf.structure.headings.levels import StyleKey, style_key
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_title

_SEVERAL = 3  # slides with a title in one type, from which on it is that of titles
_MOST = 0.5  # of the pages wider than high, whose titles have one type
_TOP = 0.3  # of the page height, within which the title of a slide stands


def slide_titles(pages: list[PageRegions], outside: set[int]) -> list[Region]:
    """The titles of slides, and that of the deck on its first page; none where the document is not a deck. `outside`
    are the ids of what runs at the edge of pages, or names authors."""
    wide = [page for page in pages if page.is_slide]
    if len(wide) < max(_SEVERAL, _MOST * len(pages)):
        return []
    titles = [(page, title) for page in wide if (title := _first(page, outside)) is not None]
    counts: Counter[StyleKey] = Counter(style_key(title) for _, title in titles)
    styles = {key for key, count in counts.items() if count >= max(_SEVERAL, _MOST * len(wide))}
    found = [title for _, title in titles if style_key(title) in styles]
    if found:
        found += _cover_title(pages[0], outside)
    return found


def slide_items(pages: list[PageRegions]) -> set[int]:
    """The items of lists on slides that stand under or over another of their list: numbers make no titles of them."""
    found = set[int]()
    for page in pages:
        if page.is_slide:
            sizes = Counter(region.size for region in page.regions if region.kind == "list")
            found.update(id(r) for r in page.regions if r.kind == "list" and sizes[r.size] > 1)
    return found


def _shown(page: PageRegions, outside: set[int]) -> list[Region]:
    return [region for region in page.texts() if id(region) not in outside]


def _first(page: PageRegions, outside: set[int]) -> Region | None:
    """The title a slide begins with: over all else, near its top, and in type that nothing else exceeds."""
    shown = _shown(page, outside)
    first = min(shown, key=lambda region: region.box[1], default=None)
    if first is None or first.kind != "text" or first.box[3] > _TOP * page.height:
        return None
    largest = all(region.size <= first.size for region in shown)
    bare = replace(first, text=first.text.removesuffix(".")) if first.bold else first
    return first if largest and is_title(bare) else None


def _cover_title(page: PageRegions, outside: set[int]) -> list[Region]:
    """The largest of the first page, where nothing else is as large."""
    shown = sorted(_shown(page, outside), key=lambda region: -region.size)
    alone = len(shown) < 2 or shown[1].size < shown[0].size
    return shown[:1] if alone else []
