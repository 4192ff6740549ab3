"""Decides which regions are headings, and of which level, for the whole document at once: from the outline where it
names them, else from size, weight and numbering against the body type."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise, zip_longest

from sidecar_pdf.pdfium.info import OutlineItem
from sidecar_pdf.structure.headings.bylines import byline_of, is_date, letter_lines, tells_author
from sidecar_pdf.structure.headings.candidates import (
    LARGE,
    MAX_CHARS,
    MAX_DEPTH,
    MAX_LINES,
    MUCH_LARGER,
    candidates,
    is_drawn,
    is_label,
    is_no_heading,
    is_told_of,
    is_value,
    leads_elsewhere,
    lists_words,
    looks_like_heading,
)
from sidecar_pdf.structure.headings.company import said_again, without_company
from sidecar_pdf.structure.headings.counted import (
    between_numbers,
    captions_of_articles,
    counts_on,
    labelled_headings,
    lettered_headings,
    lettered_parts,
    numbered_headings,
    ruled_off_headings,
    under_numbers,
)
from sidecar_pdf.structure.headings.edges import (
    folded,
    is_outdented,
    is_running,
    mark_running,
    repeated_lines,
    repeated_on_page,
    show_title,
    text_left,
    within_text,
)
from sidecar_pdf.structure.headings.evidence import doubtful, likely_headings
from sidecar_pdf.structure.headings.levels import (
    Headings,
    StyleKey,
    is_centred,
    is_in_middle,
    put_under_title,
    raise_named,
    set_levels,
    set_title_levels,
    style_key,
)
from sidecar_pdf.structure.headings.side_heads import side_headings
from sidecar_pdf.structure.headings.slides import slide_items, slide_titles
from sidecar_pdf.structure.headings.title_lines import join_title_lines
from sidecar_pdf.structure.headings.titles import italic_headings, spaced_headings, titled_paragraphs, typed_headings
from sidecar_pdf.structure.headings.typewritten import drop_rules, set_typewritten_levels, typewritten_headings
from sidecar_pdf.structure.numbering import WORDED, depth_of, heading_text, is_named, is_numbered, number_and_text
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import (
    Face,
    StyleUsage,
    body_size,
    face,
    is_running_text,
    is_template,
    is_title,
    is_typewritten,
    judge_styles,
    print_size,
    words_in,
)

_LISTED = re.compile(r"(.*[^\s–—-])\s+(?:\d{1,4}|[ivxlc]{1,6})$")
"""A line of a table of contents: a title and its page; behind a dash it is the number of a part."""
_LABELLED = re.compile(r"^[^\W\d_]{3,12}\s(?:\d{1,3}|[IVX]{1,5}|[A-Z])\b[.:]?\s+")
"""What heads of chapters say before their titles, and lists of contents do not: "Chapter 3"."""
_LETTERED = re.compile(r"^[A-Z]\.?\s+")
"""The letter of an appendix."""
# Counts and characters. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
_LISTED_CHARS, _LISTED_EXTRA = 5, 12  # of a title found at the end of an outline entry
_SEVERAL_OUTLINED = 2  # headings of a style in the outline, from which on the style sets headings
_WELL_OUTLINED = 4  # headings in the outline, from which on bold lines it leaves out that end with a colon are labels
_TITLE_WORDS = 9  # of a title in the type of the text
_COVER_LINES, _PARAGRAPH_WORDS = 4, 30  # of a cover, at least; of a paragraph, which it has none of
# Shares.
_TINY = 0.6  # times the size of the text, under which no line is a heading
_SMALLER = 0.88  # times the size of most text of a page: of a paragraph that is another part of its text
_TOLD_LEAD, _TOLD_AMONG = 0.8, 0.5  # of bold lines in capitals or in the middle: over other type; of their style's
_SEVERAL_TAGGED, _MAX_TAGGED = 2, 0.6  # headings of a structure tree that is believed, and share of its paragraphs


def find_headings(pages: list[PageRegions], outline: list[OutlineItem]) -> Headings:
    """The headings of a document; levels are consistent over all its pages, 1 to 6."""
    body = body_size(pages)
    mark_running(pages, body)
    shown = show_title(pages, body)
    join_title_lines(pages, body)
    found = Headings(body, is_typewritten(pages))
    underlined = drop_rules(pages) if found.mono else {}
    listed = _by_page(outline)
    running, styles = repeated_lines(pages), judge_styles(pages, body)
    byline = byline_of(pages)
    tagged, outside = _tagged(pages, styles), set[int]()
    found.levels.update({key: level for key, level in tagged.items() if level and key not in byline})
    found_by_style, others = list[Region](), list[Region]()
    by_outline = _tagged_levels(pages, tagged)
    outlined: Counter[Face] = Counter()
    for number, page in enumerate(pages):
        size = print_size(page, body)
        sizes = _sizes_under(page, size)
        near = [item for at in (number - 1, number, number + 1) for item in listed.get(at, ())]
        above: Region | None = None
        possible = list(candidates(page))
        twin = said_again(page, possible)
        for region in possible:
            named = id(region) in byline or id(region) in twin
            if named or (id(region) not in shown and is_running(region, page, number, running, body)):
                outside.add(id(region))
                continue
            level = _in_outline(region, near, above, body) if near else 0
            if level:
                above = region
                found.levels[id(region)] = level
                by_outline.setdefault(style_key(region), Counter())[level] += 1
                outlined[face(region)] += 1
            elif _is_set_as_heading(region, styles) or looks_like_heading(
                region, sizes.get(id(region), size), bold=styles.body.bold
            ):
                found_by_style.append(region)
            elif is_title(region, body) and not (lists_words(region) or is_told_of(region.text)):
                others.append(region)
    left, apart = text_left(pages), _titles_among_labels(pages, styles) | _titles_of_forms(pages, body)
    found_by_style = [
        r for r in found_by_style
        if face(r) not in styles.labels or r.size >= MUCH_LARGER * body
        or _is_special(r, styles.body) or id(r) in apart
        or is_outdented(r, left) or outlined[face(r)] >= _SEVERAL_OUTLINED
    ]  # fmt: skip
    if outlined.total() >= _WELL_OUTLINED:
        found_by_style = [r for r in found_by_style if r.text[-1:] != ":" or r.size >= LARGE * body]
    found_by_style += _set_as_outlined(others, outlined, styles)
    found_by_style = _untold([*found_by_style, *italic_headings(pages)], tagged, pages, styles)
    pieces = repeated_on_page(pages, body).union(slide_items(pages), *map(within_text, pages))
    found_by_style = [r for r in found_by_style if id(r) not in pieces]
    slides = slide_titles(pages, outside)
    typed = typewritten_headings(pages, underlined, outside) if found.mono else []
    found_by_style += _counted(found_by_style, pages, outside, found, [*typed, *slides])
    found_by_style += spaced_headings(pages, outside, len(found_by_style) + len(found.levels))
    found_by_style += likely_headings(pages, styles, found, outside.union(tagged, pieces, map(id, found_by_style)))
    found_by_style = _without_contents(found_by_style, {title for items in listed.values() for title, _ in items})
    found_by_style = without_company(found_by_style, pages, slides, body)
    found_by_style += _at_last(pages, {*found.levels, *map(id, found_by_style)}, outside, body)
    chosen = {id(r) for r in found_by_style if not _closes(r, pages[-1], found_by_style, body)} - letter_lines(
        pages, body
    )
    chosen -= doubtful(pages, styles, found, chosen)
    found_by_style = [region for page in pages for region in page.regions if id(region) in chosen]
    set_levels(found, found_by_style, by_outline)
    put_under_title(found, pages)
    if found.mono:
        set_typewritten_levels(found, found_by_style, pages, underlined, outside)
    set_title_levels(found, pages, titled_paragraphs(pages, byline, {*found.levels}, bold=styles.body.bold))
    raise_named(found, pages)
    return found


def _at_last(pages: list[PageRegions], known: set[int], outside: set[int], body: float) -> list[Region]:
    """The headings that only those already `known` (ids) tell; see `_plain_title`."""
    told = {id(r): r for r in (*between_numbers(pages, known), *under_numbers(pages, known, outside))}
    return [*told.values(), *_plain_title(pages[0], known, outside, body)]


def _counted(
    known: list[Region], pages: list[PageRegions], outside: set[int], found: Headings, others: list[Region]
) -> list[Region]:
    """The headings that labels, numbers and letters count over the document, and of `others`, not known yet."""
    counted = (
        *labelled_headings(pages, outside),
        *numbered_headings(pages, outside),
        *lettered_parts(pages, found.body),
        *captions_of_articles(pages),
        *side_headings(pages, found.body),
        *ruled_off_headings(pages, found.body),
        *(() if found.mono else typed_headings(pages, outside)),
    )
    own = set(map(id, known))
    all_ = {id(r): r for r in (*counted, *lettered_headings(pages, outside), *others)}
    return [r for key, r in all_.items() if key not in found.levels and key not in own]


def _sizes_under(page: PageRegions, size: float) -> dict[int, float]:
    """The size, in points, of the paragraph right under a bold line, where it is a little smaller than most text of the
    page, which has `size` points: the line is set against it."""
    return {
        id(region): below.size for region, below in pairwise(page.regions)
        if region.bold and is_running_text(below) and below.kind == "text" and not below.bold
        and _SMALLER * size <= below.size < size
    }  # fmt: skip


def _plain_title(page: PageRegions, known: set[int], outside: set[int], body: float) -> list[Region]:
    """The title of a document in the type of its text: on its first page the first line in the middle, over a paragraph
    that begins at the left and under short lines at most, as those of letters, forms and essays; on a cover, which has
    no paragraph, the line it begins with, in capitals. `known` are the ids of headings, over which there is none, and
    `outside` of what runs at the edge of the page or names authors."""
    shown = [r for r in page.regions if r.in_flow and r.kind != "figure"]
    lines = all(r.kind == "text" and words_in(r.text) < _PARAGRAPH_WORDS for r in shown)
    cover = len(shown) >= _COVER_LINES and lines and known.isdisjoint(map(id, shown))
    for title, below in pairwise(shown):
        if is_in_middle(title, page) or (cover and is_centred(title, page)):
            worded = title.alone and is_title(title) and not (id(title) in outside or is_no_heading(title, body))
            short = title.lines == 1 and words_in(title.text) <= _TITLE_WORDS
            text = below.kind == "text" and is_running_text(below) and below.box[0] < title.box[0] - title.size
            capitals = cover and title is shown[0] and title.text.isupper() and not tells_author(title.text)
            return [title] if worded and ((short and text) or capitals) else []
        if cover or id(title) in known or title.lines > 1 or words_in(title.text) > _TITLE_WORDS:
            break
    return []


def _by_page(outline: list[OutlineItem]) -> dict[int, list[tuple[str, int]]]:
    """The entries of an outline, folded and with their levels, by their pages."""
    listed: dict[int, list[tuple[str, int]]] = {}
    for entry in outline:
        if entry.page >= 0:
            listed.setdefault(entry.page, []).append((folded(entry.title), entry.level))
    return listed


def _set_as_outlined(others: list[Region], outlined: Counter[Face], styles: StyleUsage) -> list[Region]:
    """The titles that stand in a style of which the outline names most: an outline may leave out, or reword, a few. In
    a typewriter face it names programs and functions, which lines of listings are set as."""
    count = Counter(face(region) for region in others)
    set_ = {f for f, named in outlined.items() if named >= _SEVERAL_OUTLINED and named >= count[f] and f != styles.body}
    return [region for region in others if face(region) in set_ and not region.mono]


def _tagged(pages: list[PageRegions], styles: StyleUsage) -> dict[int, int]:
    """The level of each paragraph that the structure tree knows, 0 for those it calls no heading; empty where it does
    not tell headings from text. It calls sentences in the type of the text headings where their author gave them such
    a style and undid its looks."""
    texts = [region for page in pages for region in page.regions if region.tag]
    tags = {
        id(r) for r in texts
        if r.tag.startswith("H") and r.lines <= MAX_LINES and not is_drawn(r.text)
        and not (face(r) == styles.body and is_no_heading(r, styles.body.size))
    }  # fmt: skip
    levels = {id(r): int(r.tag[1:]) if id(r) in tags else 0 for r in texts}
    headings = sum(map(bool, levels.values()))
    return levels if _SEVERAL_TAGGED <= headings < _MAX_TAGGED * len(texts) else {}


def _tagged_levels(pages: list[PageRegions], tagged: dict[int, int]) -> dict[StyleKey, Counter[int]]:
    """The levels the structure tree gives headings of each style."""
    levels: dict[StyleKey, Counter[int]] = {}
    for page in pages if tagged else ():
        for region in page.regions:
            if tagged.get(id(region)):
                levels.setdefault(style_key(region), Counter())[tagged[id(region)]] += 1
    return levels


def _untold(
    found_by_style: list[Region], tagged: dict[int, int], pages: list[PageRegions], styles: StyleUsage
) -> list[Region]:
    """The headings less those the structure tree calls none; a title larger than all its headings stays, and one that
    is set as they are, and not as the text, and a numbered item in a style of headings: word processors count such
    headings as items of a list where the author made no style of them."""
    tags = [r for page in pages for r in page.regions if tagged.get(id(r))]
    largest, faces = max((r.size for r in tags), default=0.0), {face(r) for r in tags}
    listed = faces.union(one for one in styles.headings if one.bold)
    return [
        r for r in found_by_style
        if id(r) not in tagged or (not tagged[id(r)] and (
            r.size > largest or (r.bold and r.size >= MUCH_LARGER * styles.body.size)
            or (is_title(r, styles.body.size) and face(r) in (listed if r.tag == "LI" else faces))
        ))
    ]  # fmt: skip


def _without_contents(found_by_style: list[Region], titles: set[str]) -> list[Region]:
    """The headings less lines of a table of contents: those that name another heading, or the outline, with a page."""
    own = {folded(_LABELLED.sub("", region.text)) for region in found_by_style} | titles
    kept: list[Region] = []
    for region in found_by_style:
        match = _LISTED.match(heading_text(region))
        title = _LABELLED.sub("", match[1]) if match else ""
        bare = _LETTERED.sub("", number_and_text(title)[1])
        names = {folded(title), folded(number_and_text(title)[1]), folded(bare)} if match else set[str]()
        if not names & own:
            kept.append(region)
    return kept


def _in_outline(region: Region, near: list[tuple[str, int]], above: Region | None, body: float) -> int:
    """The level the outline gives a line, 0 where it does not name it; what `above`, the heading before, is said again
    in a typewriter face is an example of it, and what is far smaller than the text of `body` points the way through the
    parts of a deck."""
    if region.size < _TINY * body or (region.kind == "list" and not (region.bold or region.marker[:1].isalnum())):
        return 0
    text = folded(heading_text(region))
    if above is not None and region.mono and not region.bold and folded(heading_text(above)) == text:
        return 0
    bare = folded(number_and_text(heading_text(region))[1])
    least = MAX_CHARS if region.mono and not region.bold else _LISTED_CHARS
    for title, level in near:
        if title and (
            title in (text, bare)
            or (len(bare) > least and title.endswith(bare) and len(title) - len(bare) < _LISTED_EXTRA)
        ):
            return min(level, MAX_DEPTH)
    return 0


def _closes(region: Region, last: PageRegions, found: list[Region], body: float) -> bool:
    """Whether a line is the last of the document, which is the title of nothing, unless its number counts on from those
    of other headings, as the last item of an agenda, or others are set in its style, bold or larger than the text of
    `body` points."""
    shown = [r for r in last.regions if r.in_flow]
    if len(shown) < 2 or region is not shown[-1]:
        return False
    alike = sum(face(other) == face(region) for other in found) if region.bold or region.size >= LARGE * body else 0
    return alike < _SEVERAL_OUTLINED and not counts_on(region, found)


def _titles_among_labels(pages: list[PageRegions], styles: StyleUsage) -> set[int]:
    """Bold lines in capitals, or in the middle, or over a label that ends with a colon, in a style that is one of
    labels for its other lines, that nearly always stand over what is set otherwise."""
    lines: Counter[Face] = Counter()
    over: dict[tuple[Face, str], list[bool]] = {}
    near: list[tuple[Region, str]] = []
    for page in pages:
        shown = [r for r in page.regions if r.in_flow]
        for region, below in zip_longest(shown, shown[1:]):
            style = face(region)
            if style not in styles.labels or not region.bold or is_template(region.text):
                continue
            lines[style] += 1
            kind = _told_apart(region, page, below)
            if kind and region.alone and region.text[-1] != ":" and is_title(region):
                alike = below is not None and below.bold and _told_apart(below, page, None) == kind
                over.setdefault((style, kind), []).append(below is not None and not alike)
                near.append((region, kind))
    kept = {
        key for key, leads in over.items()
        if sum(leads) >= _TOLD_LEAD * len(leads) and len(leads) <= _TOLD_AMONG * lines[key[0]]
    }  # fmt: skip
    return {id(region) for region, kind in near if (face(region), kind) in kept}


def _told_apart(region: Region, page: PageRegions, below: Region | None) -> str:
    """What tells a bold line from labels set like it; "" where nothing does."""
    if region.text.isupper():
        return "capitals"
    if is_in_middle(region, page):
        return "middle"
    label = below is not None and below.text[-1:] == ":" and face(below) == face(region)
    return "over a label" if label else ""


def _titles_of_forms(pages: list[PageRegions], body: float) -> set[int]:
    """Bold lines larger than the text, in capitals, in the middle of a page or as large as any on it, whatever little
    they stand over."""
    largest = [max((r.size for r in page.texts()), default=0.0) for page in pages]
    return {
        id(r) for page, size in zip(pages, largest, strict=True) for r in page.regions
        if r.bold and r.size >= LARGE * body and (r.text.isupper() or is_centred(r, page) or r.size >= size)
    }  # fmt: skip


def _is_special(region: Region, text: Face) -> bool:
    """Whether its name, capitals with a number or in the style of running text, a word with a number in bold or
    italics, or a deep number in italics tell a heading, whatever else is set in its style."""
    head = heading_text(region)
    worded = WORDED.match(head) is not None
    plain = region.text.isupper() and (face(region) == text or is_numbered(head) or worded)
    told = (worded and (region.bold or region.italic)) or (region.italic and depth_of(head) > 1)
    return plain or is_named(region) or (told and region.alone and is_title(region))


def _is_set_as_heading(region: Region, styles: StyleUsage) -> bool:
    """Whether a region is a title in a style that sets headings."""
    if region.mono or is_value(region.text) or is_date(region.text) or lists_words(region):
        return False
    small = region.size < LARGE * styles.body.size
    if is_told_of(region.text) or (small and (is_label(region) or leads_elsewhere(region))):
        return False
    return face(region) in styles.headings and is_title(region, styles.body.size)
