"""Gives the headings of a document their levels: from their style, their numbers and the outline, the same over all
pages; which regions are headings `finding` decides. And the title that is printed on the first page, for documents
whose properties give none."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from sidecar_pdf.structure.headings.titles import RunInTitle
from sidecar_pdf.structure.numbering import (
    WORDED,
    depth_of,
    heading_text,
    is_named,
    is_numbered,
    kind_of_number,
    nested_kinds,
)
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import Face, face, is_running_text

StyleKey = tuple[float, bool]
"""Size and weight."""
MAX_DEPTH = 6  # level of a heading
_SEVERAL_PARTS, _MOST_PARTS = 2, 0.5  # numbered parts set as large as the title of the document; share of such lines
_MAX_NESTED = 40  # pairs of styles of one level that are looked at
_RIGHT_UNDER = 2.5  # ems from a heading down to one right under it
_SEVERAL_UNDER = 4  # headings under a title, more of which stand under no other one
_TOP, _FITTED = 0.3, 0.15  # of the height of a slide, where its title stands; of the size of most, by which it differs
_SAME_SIZE = 0.06  # of the body size, by which sizes of one level differ
_OFF_MIDDLE, _FROM_LEFT = 0.02, 4.0  # of the page width, of a line in its middle; ems from the left edge of its column
_LARGER = 1.15  # times the size of running text, at least, of a title that is printed
_TITLE_SIZES = 0.04  # share of its size by which lines of the title may differ
_MAX_CHARS = 250
_MAX_LINES = 2  # headings of that size one after the other: title and its second line
# The four above were chosen on 293 PDFs of the corpus: of those without a title of their own, what is found is theirs.


@dataclass
class Headings:
    """`levels[id(region)]` for the regions that are headings; `body` is the size of running text in points."""

    body: float
    mono: bool = False
    """The running text is set in a typewriter face, which then says nothing of code."""
    levels: dict[int, int] = field(default_factory=dict[int, int])
    titles: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """`titles[id(region)]` for paragraphs that open with a title: how many characters it has, and its level."""

    def title(self, region: Region) -> tuple[int, int]:
        """Characters and level of the title a paragraph opens with; zeros where there is none."""
        return self.titles.get(id(region), (0, 0))

    def level(self, region: Region) -> int:
        """1 to 6; 0 for what is not a heading."""
        return self.levels.get(id(region), 0)


def style_key(region: Region) -> StyleKey:
    """The size, in half points, and the weight of a region."""
    return round(region.size * 2) / 2, region.bold


def set_levels(found: Headings, found_by_style: list[Region], by_outline: dict[StyleKey, Counter[int]]) -> None:
    """The levels of headings found by their style: by size and weight, among those of one style by the kinds of their
    numbers, and by how deep a number goes."""
    ranks = _ranks(found_by_style, by_outline, found.body)
    levels = {id(region): ranks[style_key(region)] for region in found_by_style}
    if not by_outline:
        _nest_faces(levels, found_by_style)
        nested: dict[int, dict[str, int]] = {}
        for rank in set(ranks.values()):
            of_rank = [heading_text(region) for region in found_by_style if ranks[style_key(region)] == rank]
            nested[rank] = nested_kinds([kind_of_number(text) for text in of_rank])
        for region in found_by_style:
            rank = ranks[style_key(region)]
            above = sum(max(kinds.values(), default=0) for other, kinds in nested.items() if other < rank)
            levels[id(region)] += above + nested[rank].get(kind_of_number(heading_text(region)), 0)
        _put_under(levels, found_by_style)
        _level_by_numbers(levels, found_by_style)
    else:
        _level_by_numbers(levels, [region for region in found_by_style if style_key(region) not in by_outline])
    found.levels.update({key: min(max(level, 1), MAX_DEPTH) for key, level in levels.items()})


def _nest_faces(levels: dict[int, int], headings: list[Region]) -> None:
    """Puts headings under others of their level, set otherwise and no larger, a third of which or more stand right over
    one of them, and none of them over those: by size and weight alone a slanted style, or one a little smaller, is the
    same."""
    plain = [region for region in headings if not is_numbered(heading_text(region))]
    uses = Counter(map(face, plain))
    over: Counter[tuple[Face, Face]] = Counter()
    for one, other in pairwise(headings):
        under = -one.size < other.box[1] - one.box[3] < _RIGHT_UNDER * one.size
        if under and levels[id(one)] == levels[id(other)] and other.size <= one.size:
            over[face(one), face(other)] += 1
    for (upper, lower), count in over.most_common(_MAX_NESTED):
        if upper != lower and count >= uses[upper] / 3 and uses[upper] >= _SEVERAL_PARTS <= uses[lower]:
            level = next(levels[id(region)] for region in headings if face(region) == upper)
            same = {id(region) for region in headings if face(region) == lower and levels[id(region)] == level}
            if over[lower, upper] or not same:
                continue
            for region in headings:
                if id(region) in same or levels[id(region)] > level:
                    levels[id(region)] += 1


def put_under_title(found: Headings, pages: list[PageRegions]) -> None:
    """Puts all other headings under the title of the document, where that is the first of the first page and neither a
    numbered part nor one known by its name: set as no other is, alone on a cover, or as large as numbered parts are.
    The slides of a deck have titles beside one another."""
    headings = [region for page in pages for region in page.regions if found.level(region)]
    if 2 * sum(page.is_slide for page in pages) > len(pages):
        _level_slides(found, pages)
        return
    if not headings:
        return
    title, others = headings[0], headings[1:]
    first = [region for region in headings if any(region is other for other in pages[0].regions)]
    text = heading_text(title)
    numbered = kind_of_number(text) or depth_of(text) or WORDED.match(text) or is_named(title)
    if numbered or not first or title.size < max(region.size for region in first):
        return
    beside = [heading_text(region) for region in others if style_key(region) == style_key(title)]
    parts = sum(depth_of(text) == 1 or WORDED.match(text) is not None for text in beside)
    on_cover = len(pages) > 1 and not any(map(is_running_text, pages[0].texts()))
    on_cover = on_cover and [style_key(region) for region in first[1:]] in ([], [style_key(title)])
    apart = is_in_middle(title, pages[0]) and not any(is_in_middle(region, pages[0]) for region in others)
    least = min((found.level(region) for region in others), default=MAX_DEPTH)
    if (not beside or on_cover or apart or parts >= max(_SEVERAL_PARTS, _MOST_PARTS * len(beside))) and others:
        found.levels[id(title)] = 1
        if least == 1 and not _is_followed_by_another(found, others):
            _push_down(found, others)


def _is_followed_by_another(found: Headings, others: list[Region]) -> bool:
    """Whether headings under the title of a document are most of it, before the first that is as high as it is: that
    is the title of another document behind."""
    before = next(at for at, region in enumerate(others) if found.level(region) == 1)
    return before > max(_SEVERAL_UNDER, len(others) / 2)


def _level_slides(found: Headings, pages: list[PageRegions]) -> None:
    """Gives a title at the top of a slide that is a little larger or smaller than most the level of these: programs set
    long titles smaller, so that they fit. The title of the deck stands no deeper."""
    headings = [[region for region in page.regions if found.level(region)] for page in pages]
    tops = [own[0] for page, own in zip(pages, headings, strict=True) if own and own[0].box[3] < _TOP * page.height]
    styles = Counter((region.size, found.level(region)) for region in tops)
    (most, level), count = max(styles.items(), key=lambda item: item[1], default=((0.0, 0), 0))
    if 2 * count <= len(tops):
        return
    for region in tops:
        if region.size != most and abs(region.size - most) <= _FITTED * most:
            found.levels[id(region)] = level
    for region in headings[0][:1]:
        found.levels[id(region)] = min(found.level(region), level)


def is_in_middle(region: Region, page: PageRegions) -> bool:
    """Whether a line stands in the middle of a page, far from its column's left edge."""
    return is_centred(region, page) and region.box[0] - region.column_left > _FROM_LEFT * region.size


def is_centred(region: Region, page: PageRegions) -> bool:
    """Whether the middle of a line is that of the page."""
    return abs(region.box[0] + region.box[2] - page.width) / 2 < _OFF_MIDDLE * page.width


def _push_down(found: Headings, headings: list[Region]) -> None:
    for region in headings:
        found.levels[id(region)] = min(found.level(region) + 1, MAX_DEPTH)


def raise_named(found: Headings, pages: list[PageRegions]) -> None:
    """Lifts an abstract, references and their like to the level of the parts numbered "1", "2", … or named "Chapter 1",
    whatever their size: an abstract is often set small."""
    headings = [region for page in pages for region in page.regions if found.level(region)]
    worded = (found.level(region) for region in headings if WORDED.match(heading_text(region)))
    first = _level_of_parts(found, headings) or min(worded, default=0)
    for region in headings if first else ():
        if is_named(region) and not depth_of(heading_text(region)):
            found.levels[id(region)] = min(found.level(region), first)


def _level_of_parts(found: Headings, headings: list[Region]) -> int:
    """The level of most headings numbered "1", "2", …; 0 where there are not several."""
    levels = Counter(found.level(region) for region in headings if depth_of(heading_text(region)) == 1)
    return levels.most_common(1)[0][0] if levels.total() > 1 else 0


def _put_under(levels: dict[int, int], headings: list[Region]) -> None:
    """Puts headings numbered "A." under those numbered "I." they stand between, whatever their size: small capitals
    are smaller than the italics under them."""
    kinds = [kind_of_number(heading_text(region)) for region in headings]
    depths = nested_kinds(kinds)
    for kind in sorted(depths, key=lambda kind: depths[kind]):
        above = [
            levels[id(r)] for r, other in zip(headings, kinds, strict=True) if other and depths[other] < depths[kind]
        ]
        least = Counter(above).most_common(1)[0][0] + 1 if above else 0
        for region, own in zip(headings, kinds, strict=True):
            if own == kind:
                levels[id(region)] = max(levels[id(region)], least)


def set_title_levels(found: Headings, pages: list[PageRegions], titles: list[RunInTitle]) -> None:
    """The levels of titles that run into their paragraphs: each style of them stands under the headings that most of
    them follow, and under the last one wherever they are, those in italics under those in bold; a number tells by
    itself."""
    first = _level_of_parts(found, [region for page in pages for region in page.regions if found.level(region)])
    for styles in ({"theorem"}, {"bold"}, {"italic"}):
        own = {id(title.region): title for title in titles if title.style in styles}
        above: Counter[int] = Counter()
        under: dict[int, int] = {}
        level = heading = 0
        for page in pages if own else ():
            for region in page.regions:
                if id(region) in own:
                    above[level] += 1
                    under[id(region)] = heading
                else:
                    heading = found.level(region) or heading
                    level = found.level(region) or (found.title(region)[1] if "italic" in styles else 0) or level
        common = above.most_common(1)[0][0] if above else 0
        for key, title in own.items():
            depth = depth_of(title.region.text)
            deep = first + depth - 1 if first and depth > 1 else max(common, under.get(key, 0)) + 1
            found.titles[key] = title.length, min(deep, MAX_DEPTH)
            found.levels.pop(key, None)


def _ranks(found_by_style: list[Region], by_outline: dict[StyleKey, Counter[int]], body: float) -> dict[StyleKey, int]:
    """A level for each style: what the outline says of it, else its place by size among the heading styles."""
    upright = {style_key(region) for region in found_by_style if not region.italic} | by_outline.keys()
    places: dict[StyleKey, int] = {}
    place, largest, bold = 0, float("inf"), False
    for key in sorted({style_key(region) for region in found_by_style} | by_outline.keys(), reverse=True):
        slanted = bold and not key[1] and key not in upright  # italics stand under bold of their size
        if largest - key[0] > _SAME_SIZE * body or slanted:
            place, largest, bold = place + 1, key[0], False
        bold = bold or key[1]
        places[key] = place
    ranks: dict[StyleKey, int] = {}
    for region in found_by_style:
        key = style_key(region)
        if key in by_outline:
            ranks[key] = by_outline[key].most_common(1)[0][0]
        else:
            ranks[key] = places[key]
    return ranks


def _level_by_numbers(levels: dict[int, int], headings: list[Region]) -> None:
    """Levels by how deep numbers go, where some go deeper: those numbered "1", "2", … get the level that most of the
    parts "1" have on which "1.1" follows, or most of all where none does; but steps and clauses numbered anew, in a
    style that has no such part and stands lower, keep theirs."""
    depths = [depth_of(heading_text(region)) for region in headings]
    counted = [(region, depth) for region, depth in zip(headings, depths, strict=True) if depth]
    first = [region for region, depth in counted if depth == 1]
    if not first or len(first) == len(counted):
        return
    parts = [one for (one, depth), (_, deeper) in pairwise(counted) if depth == 1 and deeper == 2]
    usual = Counter(levels[id(region)] for region in parts or first).most_common(1)[0][0]
    styles = {levels[id(region)] for region in parts}
    for region, depth in counted:
        if depth > 1 or levels[id(region)] < usual or levels[id(region)] in styles or not parts:
            levels[id(region)] = usual + depth - 1


def printed_title(pages: list[PageRegions], headings: Headings) -> str:
    """The heading on the first page that is set larger than all other headings of the document; "" where none is, or
    more than two are. On slides, whose titles are alike, that of the first is taken."""
    if not pages:
        return ""
    found = [[region for region in page.regions if headings.level(region) and not region.hidden] for page in pages]
    largest = max((region.size for region in found[0]), default=0.0)
    if not largest or largest < _LARGER * headings.body:  # of text that is all hidden, body text has no size
        return ""
    least = largest * (1 - _TITLE_SIZES)
    title = [region for region in found[0] if region.size >= least]
    elsewhere = any(region.size >= least for page in found[1:] for region in page)
    if len(title) > _MAX_LINES or (elsewhere and not pages[0].is_slide):
        return ""
    regions = pages[0].regions
    if len(title) == _MAX_LINES and regions.index(title[1]) != regions.index(title[0]) + 1:
        return ""
    text = " ".join(" ".join(region.text.split()) for region in title)
    return "" if len(text) > _MAX_CHARS or depth_of(text) or is_named(title[0]) else text
