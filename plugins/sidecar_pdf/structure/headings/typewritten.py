"""Finds the headings of documents set in one typewriter face, where neither size nor weight tells any: lines underlined
or framed with characters, in capitals, or set apart, that repeat at one indent over running text."""

import re
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sidecar_pdf.structure.breaks import DRAWN
from sidecar_pdf.structure.headings.bylines import is_date
from sidecar_pdf.structure.headings.levels import MAX_DEPTH, Headings, style_key
from sidecar_pdf.structure.numbering import depth_of, heading_text, kind_of_number, nested_kinds
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_running_text, is_title, words_in

_FRAMED = re.compile(r"([^\w\s\"'(\[<]{1,4})\s*\w.*?\1(?=\s|$)")
"""A line enclosed in signs, or that opens with a word that is: "*** Colours ***"."""
_CODE = re.compile(r"[;{}=<>\\]|\w\(|\w_\w|^[#$%/.-]")
"""What commands and listings have, and titles have not."""
_CLOSED = re.compile(r"[.:;,!?][\"')\]]*$")
# Counts. Chosen on typewritten documents of many kinds (tests/bench/pages/pdf_pages.py).
# Lines of one kind over text: told by white space, by more than that, by a line under them.
_PLAIN, _MARKED, _UNDERLINED = 3, 2, 1
_WORDS, _TITLE_LINES, _MIN_CAPITALS = 10, 2, 3  # words of a heading; lines of a title; letters of one in capitals
_TITLE_PIECES = 3  # pieces of the first page among which the title is, after names and numbers of the document
_WIDE, _TOP = 2, 99  # blank lines that set a heading further apart than paragraphs are; above the first line of a page
# Shares.
_LEADING = 0.6  # of the lines of one kind: they stand over text
_COMMON = 0.5, 0.25  # of the pieces of a document: lines of one kind this common are its text; of the plain kind
_RULE_LENGTH = 0.7  # of the longer of a line and the one drawn under it
_CENTRED = 0.06  # of the page width, by which the margins of a centred line differ
# Ems.
_INK, _LINE, _COLUMN = 0.75, 1.13, 0.6  # height of what a line inks, and of a line; width of a character
_INDENTED = 6.0  # from a title to the text under it, at most


class _TypedRegion(NamedTuple):
    """A region with the blank lines above and below it, and the region under it; `under` is the sign a line is drawn
    of right under it."""

    region: Region
    above: int
    below: int
    over: Region | None
    under: str

    @property
    def hangs(self) -> bool:
        """Whether it stands right over something indented from it."""
        over, em = self.over, self.region.size
        return not self.below and over is not None and em < over.box[0] - self.region.box[0] < _INDENTED * em


def drop_rules(pages: list[PageRegions]) -> dict[int, str]:
    """Takes the lines drawn with characters out of the pages. Gives the sign each was drawn of, by the id of the region
    it stood right under."""
    underlined: dict[int, str] = {}
    for page in pages:
        kept: list[Region] = []
        for region in page.regions:
            match = DRAWN.fullmatch(region.text) if region.mono and region.lines == 1 else None
            if match is None or region.marker:
                kept.append(region)
            elif kept and kept[-1].lines == 1 and _is_under(region, kept[-1]):
                underlined[id(kept[-1])] = match[1]
        page.regions = kept
    return underlined


def _is_under(rule: Region, line: Region) -> bool:
    lengths = rule.box[2] - rule.box[0], line.box[2] - line.box[0]
    near = rule.box[1] - line.box[3] < line.size and abs(rule.box[0] - line.box[0]) < line.size
    return near and min(lengths) > _RULE_LENGTH * max(lengths)


def typewritten_headings(pages: list[PageRegions], underlined: dict[int, str], outside: set[int]) -> list[Region]:
    """The headings of a typewritten document that only what it repeats gives away. `underlined` is what `drop_rules`
    gives, `outside` the ids of what runs at the edge of pages, or names authors."""
    pieces = list(_pieces(pages, underlined, outside))
    kinds: dict[tuple[str, int, bool], list[_TypedRegion]] = {}
    for piece in sorted(filter(_may_head, pieces), key=lambda piece: piece.above == _TOP):
        kind, indent = _kind(piece), round(piece.region.box[0] / (_COLUMN * piece.region.size))
        wide = kind in {"plain", "capitals"} and piece.above >= _WIDE
        if piece.above == _TOP:  # nothing tells how far it stands apart
            wide = (kind, indent, True) in kinds
        kinds.setdefault((kind, indent, wide), []).append(piece)
    kinds["hanging", 0, False] = _hanging(pieces)
    heads = {id(piece.region) for alike in kinds.values() for piece in alike}
    found: list[Region] = []
    for (kind, _, wide), alike in kinds.items():
        own = {id(piece.region) for piece in alike}
        leading = [piece.region for piece in alike if _leads(piece, own, heads - own)]
        least = _UNDERLINED if kind.startswith("under") else _PLAIN if kind == "plain" and not wide else _MARKED
        if len(leading) >= max(least, _LEADING * len(alike)) and len(alike) <= max(
            _COMMON[kind == "plain"] * len(pieces), _PLAIN
        ):
            found += leading
    return found


def set_typewritten_levels(
    found: Headings,
    found_by_style: list[Region],
    pages: list[PageRegions],
    underlined: dict[int, str],
    outside: set[int],
) -> None:
    """Adds the title of a typewritten document that has headings, and gives headings of one style their levels: a kind
    stands under one that came before it and comes again after it, and under the title."""
    title = _title(pages, outside) if len(found_by_style) >= _MARKED else None
    if title is not None and any(_is_like(title, region, underlined) for region in found_by_style):
        title = None
    chosen = {id(region) for region in found_by_style} | ({id(title)} if title else set[int]())
    headings = [region for page in pages for region in page.regions if id(region) in chosen]
    if title is not None:
        found.levels.setdefault(id(title), 1)
    if len({style_key(region) for region in headings}) > 1:
        return
    if not all(region.mono for region in headings):
        return  # titles in another face over listings
    kinds = [_kind(_TypedRegion(region, 0, 0, None, underlined.get(id(region), ""))) for region in headings]
    kinds = _beside_numbered(kinds, headings)
    depths = nested_kinds([kind for kind, region in zip(kinds, headings, strict=True) if region is not title])
    for kind, region in zip(kinds, headings, strict=True):
        if region is not title:
            level = (title is not None) + depths[kind] + max(depth_of(heading_text(region)), 1)
            found.levels[id(region)] = min(level, MAX_DEPTH)


def _beside_numbered(kinds: list[str], headings: list[Region]) -> list[str]:
    """The kinds of headings, those without a number that stand before and after all numbered ones, and as far left, as
    numbered too: "Abstract" and "References" are of one rank with "1. Introduction"."""
    at = [place for place, kind in enumerate(kinds) if kind == "digit"]
    if not at or at[-1] - at[0] + 1 > len(at):
        return kinds
    left, em = min(headings[place].box[0] for place in at), headings[at[0]].size
    return [
        "digit" if kind == "plain" and abs(region.box[0] - left) < em / 2 else kind
        for kind, region in zip(kinds, headings, strict=True)
    ]


def _is_like(one: Region, other: Region, underlined: dict[int, str]) -> bool:
    """Whether two headings are set as one: they are of one rank."""
    kinds = {_kind(_TypedRegion(region, 0, 0, None, underlined.get(id(region), ""))) for region in (one, other)}
    return one is not other and len(kinds) == 1 and abs(one.box[0] - other.box[0]) < one.size


def _title(pages: list[PageRegions], outside: set[int]) -> Region | None:
    """The first lines of a document, where they are set as a title: centred, or with blank lines under them; after
    names and numbers of the document only centred."""
    pieces, width = list(_pieces(pages[:1], {}, outside)), pages[0].width
    left, right = (f(p.region.box[at] for p in pieces) for f, at in ((min, 0), (max, 2))) if pieces else (0.0, 0.0)
    for at, piece in enumerate(pieces[:_TITLE_PIECES]):
        region = piece.region
        middle, indented = (region.box[0] + region.box[2]) / 2, region.box[0] > left + _INDENTED * region.size
        off = min(abs(2 * middle - width), abs(2 * middle - left - right) if at and indented else width)
        centred = off < _CENTRED * width
        if region.kind != "text" or region.lines > _TITLE_LINES or is_date(region.text) or _CODE.search(region.text):
            continue
        if is_title(region) and (centred or (piece.below and not at)):
            return region
    return None


def _pieces(pages: list[PageRegions], underlined: dict[int, str], outside: set[int]) -> Iterator[_TypedRegion]:
    shown = [
        (number, region) for number, page in enumerate(pages) for region in page.regions
        if region.in_flow and not region.caption and id(region) not in outside
    ]  # fmt: skip
    line, pitch = _line_and_pitch([region for _, region in shown])
    above = _TOP
    for (number, region), (other, below) in pairwise([*shown, (-1, Region("figure", "", (0.0, 0.0, 0.0, 0.0)))]):
        blank = max(round((below.box[1] - region.box[3] + line) / pitch) - 1, 0) if number == other else _TOP
        yield _TypedRegion(region, above, blank, below if other >= 0 else None, underlined.get(id(region), ""))
        above = blank


def _hanging(pieces: list[_TypedRegion]) -> list[_TypedRegion]:
    """Titles right over text that is indented from them, where some in capitals stand furthest left and the others
    between them and the text, as in manual pages; terms over their definitions have none in capitals."""
    hanging = [piece for piece in pieces if piece.above and piece.hangs and _is_titled(piece.region)]
    capitals = [piece for piece in hanging if _kind(piece) == "capitals"]
    left = min((piece.region.box[0] for piece in capitals), default=0.0)
    inner = {round(piece.over.box[0]) for piece in capitals if piece.over is not None}
    capitals = [piece for piece in capitals if piece.region.box[0] < left + piece.region.size / 2]
    between = [
        piece for piece in hanging
        if piece.over is not None and round(piece.over.box[0]) in inner
        and piece.region.box[0] > left + piece.region.size
    ]  # fmt: skip
    return [*capitals, *between] if len(capitals) >= _PLAIN else []


def _line_and_pitch(regions: list[Region]) -> tuple[float, float]:
    """The height of a line, which is that of its ink where a font tells no more, and from line to line, in points."""
    size = median([region.size for region in regions] or [1.0])
    line = median([r.box[3] - r.box[1] for r in regions if r.lines == 1] or [_INK * size])
    pitches = [(r.box[3] - r.box[1] - line) / (r.lines - 1) for r in regions if r.lines > _TITLE_LINES]
    return line, max(median(pitches) if pitches else _LINE * size, 1.0)


def _may_head(piece: _TypedRegion) -> bool:
    """Whether a line stands apart and has the shape of a title."""
    return bool(piece.above and (piece.below or piece.under)) and _is_titled(piece.region)


def _is_titled(region: Region) -> bool:
    if not region.mono or region.lines > 1:
        return False
    listing = _CODE.search(region.text) and not kind_of_number(heading_text(region))
    return not listing and is_title(region) and words_in(region.text) <= _WORDS


def _kind(piece: _TypedRegion) -> str:
    """What tells a heading, beside the white space around it."""
    text = heading_text(piece.region)
    if piece.under:
        return f"under {piece.under}"
    framed = _FRAMED.match(text)
    if framed:
        return f"framed {framed[1]}"
    letters = [char for char in text if char.isalpha()]
    capitals = len(letters) >= _MIN_CAPITALS and text == text.upper() != text.lower()
    outdented = piece.over is not None and piece.over.box[0] > piece.region.box[0] + piece.region.size
    plain = "outdented" if outdented else "plain"
    return kind_of_number(text) or ("digit" if depth_of(text) else "capitals" if capitals else plain)


def _leads(piece: _TypedRegion, own: set[int], others: set[int]) -> bool:
    """Whether a line stands over text, or over a line of another kind; given are the ids of the lines of its `own` kind
    and of all `others`."""
    below = piece.over
    if piece.hangs and below is not None:
        return True
    if below is None or id(below) in own or below.box[0] < piece.region.box[0] - piece.region.size < below.box[2]:
        return False
    if next((char for char in below.text if char.isalnum()), "").islower() and below.kind == "text":
        return False  # a sentence goes on, or an example stands under it
    if id(below) in others or is_running_text(below) or below.lines > 1 or below.kind == "list":
        return True
    return _CLOSED.search(below.text) is not None or words_in(below.text) > _WORDS
