"""Decides which regions are headings, and of which level, for the whole document at once: from the outline where it
names them, else from size, weight and numbering against the body type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sidecar_pdf.pdfium.info import OutlineEntry
from sidecar_pdf.structure.continuation import STEP_MARK, join_title_lines
from sidecar_pdf.structure.headings.bylines import byline_of, cover_names, is_date, letter_lines
from sidecar_pdf.structure.headings.edges import (
    folded,
    is_outdented,
    is_running,
    repeated_lines,
    repeated_on_page,
    text_left,
    within_text,
)
from sidecar_pdf.structure.headings.levels import (
    Headings,
    StyleKey,
    put_under_title,
    raise_named,
    set_levels,
    set_title_levels,
    style_key,
)
from sidecar_pdf.structure.headings.slides import slide_titles
from sidecar_pdf.structure.headings.titles import (
    italic_headings,
    labelled_headings,
    lettered_headings,
    numbered_headings,
    titled_paragraphs,
)
from sidecar_pdf.structure.headings.typewritten import drop_rules, set_typewritten_levels, typewritten_headings
from sidecar_pdf.structure.numbering import (
    ROMAN,
    WORDED,
    depth_of,
    heading_text,
    is_named,
    is_numbered,
    number_and_text,
)
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import (
    Face,
    Styles,
    body_size,
    face,
    is_title,
    is_typewritten,
    judge_styles,
    print_size,
    words_in,
)

_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_PAGE = re.compile(
    r"(?:page|seite|pagina|página|pág\.?|стр\.?|p\.)\s*\d+(?:\s*(?:of|von|de|sur|di|van|из|/)\s*\d+)?", re.I
)
_CLOSED = re.compile(r"[.,;:]$")
_SENTENCE = re.compile(r"[.。]$")

_LISTED = re.compile(r"(.*\S)\s+(?:\d{1,4}|[ivxlc]{1,6})$")
"""A line of a table of contents: a title and its page."""
_LABELLED = re.compile(r"^[^\W\d_]{3,12}\s(?:\d{1,3}|[IVX]{1,5}|[A-Z])\b[.:]?\s+")
"""What heads of chapters say before their titles, and lists of contents do not: "Chapter 3"."""
_LETTERED = re.compile(r"^[A-Z]\.?\s+")
"""The letter of an appendix."""
_ARGUMENTS = re.compile(r"[\[({<]")
"""Opens what a heading that names a function says of its arguments, and the outline leaves out."""
# Counts and characters. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MAX_LINES, _MAX_CHARS = 4, 220  # of a heading
_SENTENCE_WORDS = 10  # of a sentence that is no heading, however large
_LARGE_WORDS, _SHORT_WORDS, _CAPITAL_WORDS, _SHORT_LINES = 30, 16, 12, 2  # of a heading by size, weight, capitals
_LEAST_CAPITALS, _PLAIN_CAPITALS = 5, 6  # letters of a heading in capitals, with a number and without
_LISTED_CHARS, _LISTED_EXTRA, _CALLED_CHARS = 5, 12, 4  # of a title found at the end, or the start, of an outline entry
_NAMED_WORDS = 6  # of a heading that ends with a colon: more are a question of a form
_SEVERAL_OUTLINED = 2  # headings of a style in the outline, from which on the style sets headings
_OVER_LISTINGS = 3  # headings in another face, from which on text in a typewriter face is listings
_WELL_OUTLINED = 4  # headings in the outline, from which on bold lines it leaves out that end with a colon are labels
_SEVERAL_BOLD = 2  # bold headings of a size, from which on plain type of that size is text
_MANY = 40  # headings in one type that may be running text
_DEEPEST = 6  # level of a heading
# Shares.
_COMMON = 0.12  # of all letters: a type this common sets nothing apart
_WHOLLY = 0.9  # of the letters of a type, in lines that look like headings: so it sets nothing else
_BY_OUTLINE = 3  # times as many headings by style as by outline that make the style too common
_SOLID = 0.7  # of a heading's characters that are letters, where nothing but capitals tells it
_LETTERS = 0.4  # of a heading's characters that are letters
# Multiples of the body size.
_MUCH_LARGER = 1.5  # from which on no type is a second size of text
_LARGE, _LARGER, _NOT_SMALLER, _SMALLEST = 1.165, 1.06, 0.95, 0.75  # a heading's by size alone, numbered, bold, centred
_CAPITALS_SIZE = 0.85  # of the body size: bold capitals look no smaller than it, numbers tell bold lines as small
_SEVERAL_TAGGED, _MOST_TAGGED = 2, 0.6  # headings of a structure tree that is believed, and share of its paragraphs
_CENTRED = 2.0  # ems from the left edge of its column

_MEASURE = re.compile(r"\d+(?:[.,]\d+)?\s?(?:ft|in|mm|cm|m|km|kg|lb|kW|Hz|[MG]Hz|ml)\b")
"""A number with its unit, which opens no heading."""
_LISTING = re.compile(r"//|/\*|##|\[\[|>>> |R> |\$ |.*[;{}]$")
"""Lines in a typewriter face: remarks, prompts and statements of listings."""
_ADDRESS = re.compile(r".*\bhttps?://\S+|www\.\S+|\S+@\S+\.\S+|.*\b(?:ISSN|ISBN|DOI)[\s:]*[\dX-]+.*", re.IGNORECASE)
"""Where something is to be found, and nothing else."""
_TYPED_IN = re.compile(r"[%$#>»] ?\w|[-−–‐]{1,2}\w\S*(?:\s|$)")
"""Opens what is typed at a prompt, or the option of a command."""
_ABBREVIATED = re.compile(r"(?:\b\w\.){2,}$")
"""Ends with an abbreviation, and not as a sentence does."""
_QUOTED = re.compile(r"[\"“”„«»].+[.!?…][\"“”«»]")
"""A sentence somebody said, set large among the text."""
_OPEN_END = re.compile(r"\b(?:by|par|por|durch)$")
"""Ends before the name of somebody."""
_FILLED_IN = re.compile(r":\s*[\d./-]+$|^N/?A$|\s\d[\d,.]*[.,]\d\d(?:\s?(?:[€$£]|[A-Z]{3}))?$")
"""A field of a form with the date or number that was entered, or a sum of money."""


def find_headings(pages: list[PageRegions], outline: list[OutlineEntry]) -> Headings:
    """The headings of a document; levels are consistent over all its pages, 1 to 6."""
    body = body_size(pages)
    join_title_lines(pages, body)
    found = Headings(body, is_typewritten(pages))
    underlined = drop_rules(pages) if found.mono else {}
    listed: dict[int, list[tuple[str, int]]] = {}
    for entry in outline:
        if entry.page >= 0:
            listed.setdefault(entry.page, []).append((folded(entry.title), entry.level))
    running, styles = repeated_lines(pages), judge_styles(pages, body)
    byline = byline_of(pages)
    tagged = _tagged(pages)
    found.levels.update({key: level for key, level in tagged.items() if level})
    found_by_style: list[Region] = []
    others: list[Region] = []
    by_outline = _tagged_levels(pages, tagged)
    outlined: Counter[Face] = Counter()
    outside: set[int] = set()
    for number, page in enumerate(pages):
        size = print_size(page, body)
        near = [item for at in (number - 1, number, number + 1) for item in listed.get(at, ())]
        for region in _candidates(page):
            if id(region) in byline or is_running(region, page, number, running, body):
                outside.add(id(region))
                continue
            listed_item = region.kind == "list" and not (region.bold or region.marker[:1].isalnum())
            level = _in_outline(region, near) if near and not listed_item else 0
            if level:
                found.levels[id(region)] = level
                by_outline.setdefault(style_key(region), Counter())[level] += 1
                outlined[face(region)] += 1
            elif _is_set_as_heading(region, styles) or _looks_like_heading(region, size, bold=styles.body.bold):
                found_by_style.append(region)
            elif is_title(region, body):
                others.append(region)
    left = text_left(pages)
    found_by_style = [
        r for r in found_by_style
        if face(r) not in styles.labels or _is_special(r, styles.body) or is_outdented(r, left)
    ]  # fmt: skip
    if outlined.total() >= _WELL_OUTLINED:
        found_by_style = [r for r in found_by_style if r.text[-1:] != ":" or r.size >= _LARGE * body]
    found_by_style += _set_as_outlined(others, outlined, styles)
    found_by_style = _untold([*found_by_style, *italic_headings(pages, body)], tagged, pages)
    found_by_style = _rare(_without_plain(found_by_style, body), pages, by_outline)
    pieces = repeated_on_page(pages).union(*map(within_text, pages))
    found_by_style = [r for r in found_by_style if id(r) not in pieces]
    listings = sum(not region.mono for region in found_by_style) >= _OVER_LISTINGS
    typed = typewritten_headings(pages, underlined, outside) if found.mono and not listings else []
    counted = (labelled_headings(pages, outside), numbered_headings(pages, outside), lettered_headings(pages, outside))
    for told in (*counted, typed, slide_titles(pages, outside)):
        known = {id(r) for r in found_by_style}
        found_by_style += [r for r in told if id(r) not in known and id(r) not in found.levels]
    found_by_style = _without_contents(found_by_style, {title for items in listed.values() for title, _ in items})
    chosen = (
        {id(r) for r in found_by_style if not _closes(r, pages[-1], body)}
        - letter_lines(pages, body)
        - cover_names(pages)
    )
    found_by_style = [region for page in pages for region in page.regions if id(region) in chosen]
    set_levels(found, found_by_style, by_outline)
    put_under_title(found, pages, by_outline)
    if found.mono:
        set_typewritten_levels(found, found_by_style, pages, underlined, outside)
    set_title_levels(found, pages, titled_paragraphs(pages, byline, bold=styles.body.bold))
    raise_named(found, pages)
    return found


def _set_as_outlined(others: list[Region], outlined: Counter[Face], styles: Styles) -> list[Region]:
    """The titles that stand in a style of which the outline names most: an outline may leave out, or reword, a few."""
    count = Counter(face(region) for region in others)
    told = {f for f, named in outlined.items() if named >= _SEVERAL_OUTLINED and named >= count[f] and f != styles.body}
    return [region for region in others if face(region) in told]


def _tagged(pages: list[PageRegions]) -> dict[int, int]:
    """The level of each paragraph that the structure tree knows, 0 for those it calls no heading; empty where it does
    not tell headings from text."""
    texts = [region for page in pages for region in page.regions if region.tag]
    levels = {id(r): int(r.tag[1:]) if r.tag.startswith("H") and r.lines <= _MAX_LINES else 0 for r in texts}
    headings = sum(map(bool, levels.values()))
    return levels if _SEVERAL_TAGGED <= headings < _MOST_TAGGED * len(texts) else {}


def _tagged_levels(pages: list[PageRegions], tagged: dict[int, int]) -> dict[StyleKey, Counter[int]]:
    """The levels the structure tree gives headings of each style."""
    levels: dict[StyleKey, Counter[int]] = {}
    for page in pages if tagged else ():
        for region in page.regions:
            if tagged.get(id(region)):
                levels.setdefault(style_key(region), Counter())[tagged[id(region)]] += 1
    return levels


def _untold(found_by_style: list[Region], tagged: dict[int, int], pages: list[PageRegions]) -> list[Region]:
    """The headings less those the structure tree calls none; a title larger than all its headings stays, and one that
    is set as they are, and not as the text."""
    told = [r for page in pages for r in page.regions if tagged.get(id(r))]
    largest, faces = max((r.size for r in told), default=0.0), {face(r) for r in told}
    return [
        r for r in found_by_style
        if id(r) not in tagged or (not tagged[id(r)] and (r.size > largest or (face(r) in faces and is_title(r))))
    ]  # fmt: skip


def _rare(
    found_by_style: list[Region], pages: list[PageRegions], by_outline: dict[StyleKey, Counter[int]]
) -> list[Region]:
    """The headings less those in a type that is too common to set any apart: a second size of running text, beside
    small print or listings that take up more room."""
    letters: Counter[StyleKey] = Counter()
    for page in pages:
        for region in page.regions:
            if region.kind in {"text", "list"} and not region.running:
                letters[style_key(region)] += len(region.text)
    found, own = Counter[StyleKey](), Counter[StyleKey]()
    for region in found_by_style:
        found[style_key(region)] += 1
        own[style_key(region)] += len(region.text)
    common = {
        key for key, count in found.items()
        if count > _MANY and letters[key] > _COMMON * letters.total() and own[key] < _WHOLLY * letters[key]
        and count > _BY_OUTLINE * by_outline.get(key, Counter[int]()).total()
    }  # fmt: skip
    return [region for region in found_by_style if style_key(region) not in common]


def _without_plain(found_by_style: list[Region], body: float) -> list[Region]:
    """The headings less those only a little larger than the text of `body` points, and no bolder, that do not stand
    alone, where bold ones of their size are headings: such type is a second size of text."""
    bold = Counter(style_key(region)[0] for region in found_by_style if region.bold)
    return [
        region for region in found_by_style
        if region.bold or region.italic or region.capitals or bold[style_key(region)[0]] < _SEVERAL_BOLD
        or region.size > _MUCH_LARGER * body
        or (region.lines == 1 and (region.alone or not is_numbered(heading_text(region))))
    ]  # fmt: skip


def _without_contents(found_by_style: list[Region], titles: set[str]) -> list[Region]:
    """The headings less lines of a table of contents: those that name another heading, or the outline, with a page."""
    own = {folded(_LABELLED.sub("", region.text)) for region in found_by_style} | titles
    kept: list[Region] = []
    for region in found_by_style:
        match = _LISTED.match(heading_text(region))
        bare = _LETTERED.sub("", number_and_text(match[1])[1]) if match else ""
        names = {folded(match[1]), folded(number_and_text(match[1])[1]), folded(bare)} if match else set[str]()
        if not names & own:
            kept.append(region)
    return kept


def _candidates(page: PageRegions) -> Iterator[Region]:
    for region in page.regions:
        outside = region.running or region.hidden or region.caption or region.rotated
        if outside or region.kind not in {"text", "list"} or region.lines > _MAX_LINES:
            continue
        if (
            0 < len(region.text) <= _MAX_CHARS
            and any(char.isalpha() for char in region.text)
            and not _is_drawn(region.text)
            and not _LEADERS.search(region.text)
            and not STEP_MARK.match(region.text)
            and not (_TYPED_IN.match(region.text) and region.kind == "text")
            and not _ADDRESS.fullmatch(region.text)
            and not (region.mono and _LISTING.match(region.text))
        ):
            yield region


def _is_drawn(text: str) -> bool:
    """Whether a line draws with one letter: the notes of a staff in a music font."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= _LEAST_CAPITALS and len(set(letters)) == 1


def _in_outline(region: Region, near: list[tuple[str, int]]) -> int:
    text = folded(heading_text(region))
    bare = folded(number_and_text(heading_text(region))[1])
    called = folded(_ARGUMENTS.split(heading_text(region), maxsplit=1)[0]) if region.bold else ""
    least = _MAX_CHARS if region.mono and not region.bold else _LISTED_CHARS
    for title, level in near:
        if title and (
            title in (text, bare)
            or (len(bare) > least and title.endswith(bare) and len(title) - len(bare) < _LISTED_EXTRA)
            or (len(called) > _CALLED_CHARS and title == called)
        ):
            return min(level, _DEEPEST)
    return 0


def _closes(region: Region, last: PageRegions, body: float) -> bool:
    """Whether a line of the size of the text is the last of the document, which is the title of nothing."""
    shown = [r for r in last.regions if not (r.running or r.hidden or r.rotated)]
    return len(shown) > 1 and region is shown[-1] and region.size < _LARGE * body


def _is_special(region: Region, text: Face) -> bool:
    """Whether small capitals, a deep number, its name, or capitals with a number or in the style of running text tell a
    heading, whatever else is set in its style."""
    told = heading_text(region)
    plain = region.text.isupper() and (face(region) == text or is_numbered(told) or WORDED.match(told) is not None)
    return region.capitals or plain or depth_of(heading_text(region)) > 1 or is_named(region)


def _is_set_as_heading(region: Region, styles: Styles) -> bool:
    """Whether a region is a title in a style that sets headings."""
    if region.mono or _FILLED_IN.search(region.text) or is_date(region.text):
        return False
    return face(region) in styles.headings and is_title(region, styles.body.size)


def _looks_like_heading(region: Region, body: float, *, bold: bool) -> bool:
    """Whether size, weight, numbering or capitals set the region apart from running text of `body` points, which may
    be `bold` itself."""
    text = heading_text(region)
    letters = [char for char in text if char.isalpha()]
    if len(region.text) < 2 or _PAGE.fullmatch(text.strip(" -–|")) or _OPEN_END.search(text):
        return False
    if (region.mono and (region.lines > 1 or region.size < _LARGE * body)) or len(letters) < max(
        2, _LETTERS * len(number_and_text(text)[1].replace(" ", ""))
    ):
        return False
    if (
        _is_filled_in(region, text, body)
        or is_date(text)
        or _MEASURE.match(text)
        or _QUOTED.fullmatch(text)
        or (_SENTENCE.search(text) and words_in(text) > _SENTENCE_WORDS)
    ):
        return False
    if region.size >= _LARGE * body and words_in(text) <= _LARGE_WORDS:
        return not (region.kind == "list" and not region.marker[:1].isalnum())
    if is_named(region) and region.size >= _SMALLEST * body and (region.bold or region.capitals or text.isupper()):
        return True
    numbered = region.bold and region.size >= _LARGER * body and is_numbered(text)
    words, lines = (_LARGE_WORDS, _MAX_LINES) if numbered else (_SHORT_WORDS, _SHORT_LINES)
    if words_in(text) > words or region.lines > lines or not region.alone:
        return False
    most = _CAPITAL_WORDS if text.isupper() else _NAMED_WORDS
    named = region.bold and region.text.endswith(":") and 1 < len(text.split()) <= most and not region.marker
    closed = _CLOSED.search(region.text) and not (is_numbered(text) and _ABBREVIATED.search(text))
    return (named or not closed) and _is_short_heading(region, body, text, letters, bold=bold)


def _is_filled_in(region: Region, text: str, body: float) -> bool:
    """Whether a line ends with what was entered in a form; a long title may, with the number of a grant."""
    title = region.size >= _MUCH_LARGER * body and words_in(text) > _NAMED_WORDS and text.count(":") == 1
    return not title and _FILLED_IN.search(text) is not None


def _is_short_heading(region: Region, body: float, text: str, letters: list[str], *, bold: bool) -> bool:
    """Of a short line set apart: whether it is centred in small capitals, numbered, bold or in capitals."""
    centred = region.box[0] - region.column_left > _CENTRED * region.size
    if centred and ROMAN.match(text) and region.lines == 1:
        return True  # small capitals, whose size is that of small letters in some fonts
    worded = WORDED.match(text) is not None
    named = (text.isupper() and (worded or is_numbered(text))) or (region.bold and worded)
    if centred and region.size >= _SMALLEST * body and (region.capitals or named):
        return True
    listed = region.kind == "list" and not (region.marker[:1].isdigit() or region.marker[:1].isupper())
    all_capitals = len(letters) >= _LEAST_CAPITALS and all(char.isupper() for char in letters)
    numbered = is_numbered(text)
    if region.size < (_CAPITALS_SIZE if region.bold and (all_capitals or numbered) else _NOT_SMALLER) * body or listed:
        return False
    if numbered and region.italic and (region.lines == 1 or depth_of(text) > 1):
        return True
    if region.bold and not bold:
        return not text[:1].islower()
    if region.lines > 1:
        return False
    capitals = len(letters) >= _LEAST_CAPITALS and all(char.isupper() for char in letters)
    capitals = capitals and len(letters) > _SOLID * len(text.replace(" ", ""))
    spelled = capitals and letters[0].lower() != letters[0] and region.kind == "text"
    return (region.size >= _LARGER * body and numbered) or (
        spelled and len(text.split()) <= _CAPITAL_WORDS and (numbered or len(letters) >= _PLAIN_CAPITALS)
    )
