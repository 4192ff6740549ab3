"""Listings: program text and what a terminal shows, set in a typewriter face among text in another. Blank lines, and
lines that open as the items of a list do, part them into regions, which are put together again here; of single lines
it is told which are listings, and so is program text in other faces, which its signs alone tell."""

import re
from collections.abc import Container
from itertools import pairwise

from sidecar_pdf.layout.lines import Line
from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_typewritten

# Chosen on manuals and vignettes of many producers.
_PROSE_WORDS, _PARAGRAPHS = 6, 3  # words, and count, of paragraphs in another face that tell listings from text
_BLANK_LINES = 2.5  # lines of white space within one listing, at most
_SAME_SIZE = 0.07  # of the size, by which the lines of one listing differ
_MOVED_LINES = 30  # of the part of a listing that is put before or behind the part on another page, at most
_PIXEL = 0.75  # points, of 96 an inch
_COLUMN = 1.0  # points between the left edges of one column
_INDENT = 1.0  # ems by which a single line of a listing is indented, at least, unless a colon leads to it
_SMALLER, _SET_APART = 0.9, 0.1  # times the size of what leads to it; ems of white under it
_SIGN = re.compile(r"[^\s.,;:@'’“”\"-][\s/\\(){}\[\]<>=$|_:][^\s]|^[-$#>/]|[;{}]$")
"""What tells a line of a listing from a name: several words, or a sign of program text."""
_WORDS = re.compile(r"\S\s+\S")
_STATEMENT = re.compile(
    r"(?:(?:break|continue|return)\b.*"
    r"|(?:static|const|unsigned|int|char|void|float|double|long|short|bool|var|let|typedef|struct|extern|using|import"
    r"|package|public|private|protected)\b\W*+\w.*"
    r"|[\w.\[\]>*-]*\w[\])]?\s*[-+*/|&^%]?=\s*\S.*|\w[\w.:>*-]*+(?:\s\w[\w.:>*-]*+)?\s?\(.*\)"
    r"|.*(?:\+\+|--))\s?;(?:\s*(?://|/\*).*)?"
)
"""A statement of the languages that end it with a semicolon."""
_BLOCK = re.compile(
    r".*[)\w=]\s?\{(?:\s*(?://|/\*).*)?|\}(?:[\s;,)].*)?|[\[{(]|[\])}]+[,;]?|//.*|/[*∗].*[*∗]/"
    r"|#\s?(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma)\b.*|</?[\w:!?-]+(?:\s[^<>]*)?>"
    r"|\"[^\"]+\"\s?:.*[,\[{}\]\"\d]|def\s\w+\(.*\):|from\s[\w.]+\simport\s.+"
)
"""What opens or closes a block, a comment, a directive, a tag or a member of an object."""
_OPENING = frozenset('#}/<"[({])df')
"""What `_BLOCK` opens with where it does not end with a brace or a semicolon."""
_MIN_SIGNED, _MOSTLY_SIGNED = 3, 0.5  # lines with such signs, and their share of those of a run
_BETWEEN = 3  # lines without such signs between two that have them, at most
_RUN_LEADING = 2.2  # sizes from baseline to baseline within a run, at most
_TYPED_BLANK = 0.5  # ems of an indent for which a blank stands, of type that is not a typewriter's
_WORD_GAP = 1.0  # ems of white between two words that are more than one blank


def program_runs(lines: list[Line]) -> dict[int, int]:
    """The lines of a column that are program text in a face of letters of all widths, each with the number of the line
    its run begins with."""
    signed = [at for at, line in enumerate(lines) if _is_signed(line)]
    if len(signed) < _MIN_SIGNED:
        return {}
    runs: list[list[int]] = [signed[:1]]
    for at in signed[1:]:
        if _is_run(lines[runs[-1][-1] : at + 1]):
            runs[-1].append(at)
        else:
            runs.append([at])
    found: dict[int, int] = {}
    for run in runs:
        first, last = run[0], run[-1]
        if len(run) >= max(_MIN_SIGNED, _MOSTLY_SIGNED * (last - first + 1)):
            found.update(dict.fromkeys(range(first, last + 1), first))
    return found


def _is_signed(line: Line) -> bool:
    """Whether a line has the signs of program text; a term in a typewriter face before what is said of it has not."""
    text = line.text
    if text[-1] not in "{};" and text[0] not in _OPENING and "//" not in text and "/*" not in text:
        return False  # nearly all lines
    if line.style.mono or line.words[0].style.mono:
        return False
    return any(one.fullmatch(text) for one in (_STATEMENT, _BLOCK))


def _is_run(lines: list[Line]) -> bool:
    """Whether nothing but a few lines close under one another stand between the first and the last of lines."""
    steps = [(below.y1 - above.y1) / max(above.size, 1.0) for above, below in pairwise(lines)]
    return len(lines) <= _BETWEEN + 2 and all(0 < step < _RUN_LEADING for step in steps)


def as_typed(group: list[Line]) -> str:
    """Lines of program text with their indents, in type that is not a typewriter's."""
    left, shown = min(line.x0 for line in group), list[str]()
    for line in group:
        em = max(line.size, 1.0)
        parts = [" " * round((line.x0 - left) / (_TYPED_BLANK * em))]
        for before, word in zip([None, *line.words], line.words, strict=False):
            wide = before is not None and word.x0 - before.x1 > _WORD_GAP * em
            blanks = round((word.x0 - before.x1) / (_TYPED_BLANK * em)) if before is not None and wide else 1
            parts += [" " * blanks if before is not None and not word.joined else "", word.text]
        shown.append("".join(parts))
    return "\n".join(shown)


def join_listings(pages: list[PageRegions], apart: Container[int]) -> None:
    """Makes one region of the parts of each listing, with the blank lines between them. `apart` are the ids of regions
    that are headings. A document that is typewritten throughout has no listings."""
    typewritten = is_typewritten(pages) and not _has_prose(pages, apart)
    for page in pages:
        for region in page.regions if typewritten else ():
            region.code = ""
        kept: list[Region] = []
        for region in page.regions:
            if kept and _is_part(kept[-1], apart) and _is_part(region, apart) and _goes_on(kept[-1], region):
                gap = region.box[1] - kept[-1].box[3]
                _append(kept[-1], region, max(round(gap / _pitch(kept[-1], region)), 0))
            else:
                kept.append(region)
        page.regions = kept
    _join_cut_listings(pages, apart)
    listed = {_type(region) for page in pages for region in page.regions if region.code and region.lines > 1}
    for page in pages:
        kept = page.regions
        for before, region, after in zip([None, *kept], kept, [*kept[1:], None], strict=False):
            alike = _type(region) in listed and _WORDS.search(region.text) is not None
            if (
                region.code
                and region.lines == 1
                and not (_is_part(region, apart) and _is_line(before, region, after, alike=alike))
            ):
                region.code = ""


def _join_cut_listings(pages: list[PageRegions], apart: Container[int]) -> None:
    """Makes one region of a listing that a page end cuts in two, on the page that has more of it; two parts of many
    lines stay where a reader of their pages looks for them."""
    for page, following in pairwise(pages):
        last = next((region for region in reversed(page.regions) if region.in_flow), None)
        first = next((region for region in following.regions if region.in_flow), None)
        if last is None or first is None or not (_is_part(last, apart) and _is_part(first, apart)):
            continue
        if not _is_alike(last, first) or min(last.lines, first.lines) > _MOVED_LINES:
            continue
        overleaf = last.lines < first.lines
        box = (first if overleaf else last).box
        _append(last, first, 0)
        last.box = box
        if overleaf:
            page.regions = [region for region in page.regions if region is not last]
        following.regions = [
            last if region is first else region for region in following.regions if overleaf or region is not first
        ]


def _is_line(before: Region | None, region: Region, after: Region | None, *, alike: bool) -> bool:
    """Whether a single line is a listing: set apart in the text, and indented, led to by a colon, or of several words
    that are set `alike` longer listings. What is said of a term stands under it, indented."""
    if region.kind != "text" or not _SIGN.search(region.text) or any(span.kind == "link" for span in region.spans):
        return False
    if after is not None and after.column_left == region.column_left and after.box[0] > region.box[0] + _INDENT:
        return False
    led = before is not None and before.kind in {"text", "list"} and before.text[-1:] in ":："
    if led and before and after and region.size < _SMALLER * before.size:
        return after.box[1] - region.box[3] > _SET_APART * region.size  # so set that it needs no white above
    return region.alone and (led or alike or region.box[0] > region.column_left + _INDENT * region.size)


def _has_prose(pages: list[PageRegions], apart: Container[int]) -> bool:
    """Whether there are paragraphs in another face than a typewriter's: manuals may hold more listings than text."""
    regions = (region for page in pages for region in page.texts() if not region.mono and id(region) not in apart)
    return sum(region.text.count(" ") >= _PROSE_WORDS for region in regions) >= _PARAGRAPHS


def _is_part(region: Region, apart: Container[int]) -> bool:
    """Whether a region may be lines of a listing."""
    if not region.code or region.kind not in {"text", "list"} or region.caption is not None:
        return False
    return region.in_flow and id(region) not in apart


def _goes_on(listing: Region, region: Region) -> bool:
    gap = region.box[1] - listing.box[3]
    near = _is_alike(listing, region) and -region.size < gap < _BLANK_LINES * _pitch(listing, region)
    return near and _is_on_grid(listing, region)


def _is_on_grid(listing: Region, region: Region) -> bool:
    """Whether the lines of a region are whole lines below those of a listing, as blank lines leave them, where the
    lines of either tell: else the white around the next listing is between. Browsers round places to pixels."""
    model = max(listing, region, key=lambda part: part.code.count("\n"))
    if not model.leading:
        return True
    steps, down = model.code.count("\n"), region.box[3] - listing.box[3]
    off = abs(down - round(down / model.leading) * model.leading)
    return off < _PIXEL * (1 + down / model.leading / steps)


def _type(region: Region) -> tuple[str, int]:
    """The typeface and size of a region."""
    return region.family, round(region.size * 2)


def _is_alike(listing: Region, region: Region) -> bool:
    """Whether two parts of listings are of one size, in columns with one left edge."""
    one_column = abs(listing.column_left - region.column_left) < _COLUMN
    return one_column and abs(listing.size - region.size) < _SAME_SIZE * region.size


def _pitch(listing: Region, region: Region) -> float:
    """From line to line, in points."""
    longer = max(listing, region, key=lambda part: part.lines)
    return max((longer.box[3] - longer.box[1]) / longer.lines, 1.0)


def _append(listing: Region, region: Region, blank: int) -> None:
    """Puts the lines of a region behind those of a listing, after so many blank ones."""
    listing.leading = max(listing, region, key=lambda part: part.code.count("\n")).leading
    listing.code += "\n" * (blank + 1) + region.code
    listing.text = "\n".join(filter(None, (listing.marker, listing.text, region.marker, region.text)))
    listing.kind, listing.marker, listing.spans = "text", "", ()
    listing.lines += region.lines
    listing.box = union(listing.box, region.box)
