"""Makes paragraphs, list items and displayed equations of the lines of one column: where one ends and the next begins,
and how lines join (hyphens, scripts written without spaces).
"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sidecar.api import Span
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.equations import belongs_to_equation, carries_on, gather_equations, is_equation, number_of
from sidecar_pdf.layout.lines import Line, join_lines
from sidecar_pdf.structure.regions import Region
from sidecar_pdf.text.annotations import Link

_BULLET = re.compile(r"([•◦▪‣·●○■□▶►➢➤✓✔❖◆◇–—\-*\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf02d]|\uf06f|o(?=\s+[A-Z]))\s+(?=\S)")
_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[a-zA-Z]|[ivxlIVXL]{1,5})[.)]|\[\d{1,3}\])\s+(?=\S)")
_HEADING = re.compile(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?\s+\S")
"""A number before a heading's words."""
_END = re.compile(r"[.!?:;。！？：；…][\"'”’)\]]*$")
_SMALL_CAPITALS = re.compile(r"CSC\d|SmallCap|SmCap|-SC\b|SCOsF")
_LETTER = re.compile(r"[^\W\d_]")


class _Column(NamedTuple):
    """What is usual in a column: its edges, the distance from line to line and the type size, in points."""

    left: float
    right: float
    lead: float
    size: float
    mono: bool
    """Running text is set in a typewriter face."""


def paragraphs(lines: list[Line], vocabulary: set[str], links: list[Link]) -> list[Region]:
    """The regions of one column, top to bottom. `vocabulary` holds words seen unbroken, to judge hyphens by."""
    if not lines:
        return []
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    lead = _leading(lines)
    mono = sum(line.style.mono for line in lines) > 0.7 * len(lines)
    column = _Column(left, right, lead, max(median(line.size for line in lines), 1.0), mono)
    groups: list[list[Line]] = []
    kinds: list[str] = []
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else None
        kind = "equation" if is_equation(line, left, right, lead, before) else "text"
        start = at == 0 or _breaks(groups[-1], lines, at, column)
        if kinds and (kind == "equation") != (kinds[-1] == "equation"):
            start = not (kinds[-1] == "equation" and belongs_to_equation(groups[-1], line, lead, left))
            kind = kind if start else "equation"
        elif kinds and kind == "equation":
            start = not carries_on(groups[-1], line, lead)
        if start:
            groups.append([line])
            kinds.append(kind)
        else:
            groups[-1].append(line)
    groups, kinds = gather_equations(groups, kinds, lead)
    regions = [_region(group, kind, vocabulary, links, left) for group, kind in zip(groups, kinds, strict=True)]
    for at, region in enumerate(regions):
        above = region.box[1] - regions[at - 1].box[3] if at else 99.0
        below = regions[at + 1].box[1] - region.box[3] if at + 1 < len(regions) else 99.0
        region.alone = above > 0.35 * region.size and below > 0.1 * region.size
    return regions


def _leading(lines: list[Line]) -> float:
    """The usual distance from line to line, in points."""
    steps = [
        b.y1 - a.y1 for a, b in pairwise(lines)
        if abs(a.size - b.size) < 0.6 and 0 < b.y1 - a.y1 < 2.6 * max(a.size, 1.0)
    ]  # fmt: skip
    if steps:
        steps.sort()
        return steps[len(steps) * 2 // 5]
    return 1.25 * max(median(line.size for line in lines), 1.0)


def _breaks(group: list[Line], lines: list[Line], at: int, column: _Column) -> bool:
    """Whether line `at` begins a new paragraph after `group`, in their `column`."""
    line, before = lines[at], group[-1]
    left, right = column.left, column.right
    em = max(line.size, before.size, 1.0)
    first = line.segments[0].words[0]
    if len(line.text) > 12 and first.style.size < 0.82 * line.size and first.text.isdigit() and before.x1 < right - em:
        return True  # a raised number opens a footnote
    pitch = line.y1 - before.y1
    usual = column.lead * max(em / column.size, 1.0)
    if pitch > 1.32 * usual + 0.6 or pitch < -0.5 * em:
        return True
    if line.style.mono and before.style.mono and not column.mono:
        return False  # code: indentation and short lines are its own
    if (
        abs(line.size - before.size) > 0.12 * em
        and min(len(line.text), len(before.text)) > 2
        and not (_has_size(line, before.size) or _has_size(before, line.size))
    ):
        return True
    if (
        line.style.bold != before.style.bold
        and (before.x1 < right - 2 * em or _whole(before) or _whole(line))
        and len(line.text) > 3
    ):
        return True
    if _hangs(group[0], line, before, pitch, usual):
        return False
    if (
        before.style.italic and not line.style.italic and len(group) == 1 and before.x1 < right - 2 * em
        and _whole(before, italic=True) and not _END.search(before.text)
    ):  # fmt: skip
        return True  # a heading in italics
    if line.style.mono != before.style.mono and len(line.segments) == len(before.segments) == 1:
        return True
    if marker_of(line.text) and line.x0 <= group[0].x0 + 2.5 * em and _list_start(group, line, before, right, em):
        return True
    if line.text[:1] in "FTECGASDPfteIБРТСГ图圖図表그표第[<" and match_caption(line.text):
        looks = line.segments[0].words[0].style, before.segments[-1].words[-1].style
        runs_on = before.x1 > right - em and not _END.search(before.text) and looks[0] == looks[1]
        return not runs_on
    listed = marker_of(group[0].text)
    if listed:
        if line.text[:1].islower() and not _END.search(before.text) and line.x0 <= before.x0 + 3 * em:
            return False
        short = before.x1 < right - 0.15 * (right - left)
        if line.x0 < group[0].x0 - 0.5 * em:  # items may be indented at their first line only
            return short or (len(group) > 1 and line.x0 > before.x0 + 0.5 * em)
        return line.x0 < group[0].x0 + 0.4 * em and short
    indent = line.x0 - before.x0
    if _centred(line, left, right, em) and _centred(before, left, right, em):
        return False
    if 0.8 * em < indent < 6 * em and line.x0 - left < 8 * em:
        later = lines[at + 1] if at + 1 < len(lines) else None
        returns = later is None or later.x0 < line.x0 - 0.6 * em
        if returns and (len(group) == 1 or abs(before.x0 - group[-1].x0) < 1):
            return _END.search(before.text) is not None or before.x1 > right - 1.5 * em
    width = right - left
    short = before.x1 < right - max(0.14 * width, 3 * em)
    if short and width > 14 * em and abs(line.x0 - before.x0) < 1.2 * em:
        first = line.text[:1]
        if _END.search(before.text) and not first.islower():
            return True
        if before.x1 < left + 0.55 * width and (first.isupper() or first.isdigit()) and not line.style.bold:
            return True
    return False


def _hangs(opening: Line, line: Line, before: Line, pitch: float, usual: float) -> bool:
    """Whether the line carries on a numbered heading, under where its words begin."""
    number = _HEADING.match(opening.text)
    if not number or not (line.style.bold and before.style.bold) or abs(line.size - before.size) > 0.05 * line.size:
        return False
    if pitch > 1.25 * usual + 0.6 or not (_whole(line) and _whole(before)):
        return False
    words = [word for segment in opening.segments for word in segment.words]
    return len(words) > 1 and abs(words[1].x0 - line.x0) < 0.5 * line.size and line.x0 > opening.x0 + line.size


def _centred(line: Line, left: float, right: float, em: float) -> bool:
    """Whether the line stands in the middle of its column; a full line does."""
    return abs((line.x0 - left) - (right - line.x1)) < 0.8 * em


def _has_size(line: Line, size: float) -> bool:
    """Whether some of the line is set in `size`: a line mostly in another type still runs on."""
    return any(abs(word.style.size - size) < 0.07 * size for segment in line.segments for word in segment.words)


def _whole(line: Line, *, italic: bool = False) -> bool:
    """Whether one weight, or `italic` type, runs through the line; signs and list markers have no say in italics."""
    words = [word for segment in line.segments for word in segment.words]
    if italic:
        return all(word.style.italic for word in words if len(word.text) > 2)
    return all(word.style.bold == line.style.bold for word in words)


def _list_start(group: list[Line], line: Line, before: Line, right: float, em: float) -> bool:
    """A number at the start of a line is a list marker where the list already runs, or where the line above ended."""
    if _BULLET.match(line.text) and line.text[0] not in "-–—*·":
        return True
    if marker_of(group[0].text) and abs(line.x0 - group[0].x0) < 0.7 * em:
        return True
    return before.x1 < right - 3 * em or _END.search(before.text) is not None


def marker_of(text: str) -> str:
    """The list marker a line opens with ("•", "3.", "(a)"), or ""."""
    match = _BULLET.match(text) or _NUMBER.match(text)
    return match[1] if match else ""


def _region(group: list[Line], kind: str, vocabulary: set[str], links: list[Link], left: float) -> Region:
    text, spans = join_lines(group, vocabulary, links)
    box = (min(g.x0 for g in group), min(g.y0 for g in group), max(g.x1 for g in group), max(g.y1 for g in group))
    main = max(group, key=lambda line: len(line.text))
    region = Region("text", text, box, size=main.size, lines=len(group), spans=spans, column_left=left)
    letters = [w for g in group for s in g.segments for w in s.words if _LETTER.search(w.text)]
    region.bold = bool(letters) and all(w.style.bold for w in letters)
    region.italic = bool(letters) and all(w.style.italic for w in letters)
    region.capitals = bool(letters) and all(_SMALL_CAPITALS.search(w.style.font) for w in letters)
    region.mono = all(s.style.mono for g in group for s in g.segments)
    region.hidden = all(s.hidden for g in group for s in g.segments)
    if region.mono:
        region.code = _as_set(group, left)
    if kind == "equation":
        region.kind = "equation"
        region.label = next((number for g in group if (number := number_of(g))), "")
        if region.label:
            region.text = re.sub(r"\s*[(\[]\s?" + re.escape(region.label) + r"\s?[)\]]\s*", " ", text).strip() or text
        region.spans = ()
        return region
    region.caption = match_caption(text)
    marker = "" if region.caption else marker_of(text)
    if marker:
        cut = (_BULLET.match(text) or _NUMBER.match(text) or re.match("", text)).end()  # pyright: ignore[reportOptionalMemberAccess] - one of them matched
        region.kind, region.marker, region.text = (
            "list",
            marker if marker.isprintable() and marker < "\ue000" else "•",
            text[cut:],
        )
        region.spans = tuple(
            Span(s.kind, max(s.start - cut, 0), s.end - cut, s.value) for s in spans if s.end > cut
        )  # fmt: skip
    return region


def _as_set(group: list[Line], left: float) -> str:
    """Monospaced lines with their indentation, in characters of the line's own width."""
    lines: list[str] = []
    for line in group:
        pitch = (line.x1 - line.x0) / max(len(line.text), 1) or line.size * 0.6
        lines.append(" " * max(round((line.x0 - left) / pitch), 0) + line.text.replace("\xad", "-"))
    return "\n".join(lines)
