"""Text lines: the segments that share one, and the text of several lines joined, with what becomes of hyphens, of
scripts written without spaces, and of the stretches that look different or lead elsewhere."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal

from sidecar.api import Box, Span, SpanKind
from sidecar.toolkit.text import with_raised
from sidecar_pdf.layout.scripts import SMALLER, is_numerator, may_be_script, raised_as, typed_scripts
from sidecar_pdf.pdfium.fonts import Style, family
from sidecar_pdf.text.annotations import Link
from sidecar_pdf.text.segments import FIRST_CJK, SOFT_HYPHEN, Segment, Vocabulary, Word

_CHARACTER_WIDTH = 0.6  # ems of a character in a typewriter face
_LATIN = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u30ff]")
_OPENING = re.compile(r"[^\w]+|\w{1,2}['’](?=\w)")
"""Quotes and brackets before a word, and an article with an apostrophe."""
_CONJUNCTIONS = frozenset(["und", "oder", "sowie", "bzw", "and", "or", "och", "eller"])
"""Words before which the hyphen of a shared part stands, as in "Wasser- und Abwasser"."""
_COMPOUND_STEMS = frozenset(["half", "self", "well", "quasi", "arrière", "après", "avant", "demi", "vice"])
_COMPOUND_CHARS = 5  # letters of what follows them: "self-ish" and "well-ness" are single words
_CODE = re.compile(r"\w[\d/_]|[/_]\w")
_LEADERS = re.compile(
    r"[ \u00a0]*(?:(?:[.…][ \u00a0]?){5,}|(?:…[ \u00a0]?){2,})[ \u00a0]*"
    r"|(?<=\S)[ \u00a0](?:\.[ \u00a0]?){2,}(?=\d{1,4}$)"
)
_LEADER = " … "

_POINT = re.compile(r"[.,][\"'”’)\]]*")

_LOOKS: Final[dict[SpanKind, Callable[[Style], bool]]] = {
    "bold": attrgetter("bold"), "italic": attrgetter("italic"), "strike": attrgetter("struck"),
}  # fmt: skip
# Shares of heights and widths. Chosen on the corpus (tests/bench/formats/recall_pdf.py).
_OVERLAP, _SCRIPT_OVERLAP = 0.5, 0.38  # of the lower of two on one line; the same of raised and lowered type
_LOWEST, _HIGHEST = 0.8, 1.25  # of a line's height: type of another height is raised or lowered
_OVERPRINTED, _OTHER_LINE = 0.3, 0.25  # of the narrower that overlaps, and by which middles differ, in another line
_MAX_OF_LINE = 300  # segments of a line that are looked at: more of them are printed over one another
_TAB, _CJK_FITS = 1.2, 3.0  # ems of white behind a term; at the end of a full line in scripts written without spaces
_BLANK, _TERM_WORDS = 0.25, 6  # ems; words of a term, or of what stands at the other margin
_TOUCH = 0.05  # ems between a word and the raised mark of a note behind it, without a blank
_POINT_GAP = 0.22  # ems of white before a comma or full stop, of what is not a blank
_MIN_HEIGHT = 0.1  # points
_CAPITALS = 5  # characters of a line that is in capitals
_LINK_TOLERANCE = 1.0  # points around a link in which words belong to it


class Line:
    """Segments that share a line of one column, left to right (right to left where the script runs so)."""

    __slots__ = ("segments", "size", "style", "text", "words", "x0", "x1", "y0", "y1")

    def __init__(self, segments: list[Segment]) -> None:
        first = segments[0]
        if len(segments) > 1:
            rtl = sum(len(s.words) for s in segments if s.rtl) * 2 > sum(len(s.words) for s in segments)
            segments.sort(key=lambda s: s.x0)
            if rtl:
                segments = _rightwards(segments)
            self.x0, self.x1 = min(s.x0 for s in segments), max(s.x1 for s in segments)
            self.y0, self.y1 = min(s.y0 for s in segments), max(s.y1 for s in segments)
            first = max(segments, key=lambda s: s.x1 - s.x0)
            self.text = " ".join(s.text for s in segments)
        else:
            self.x0, self.y0, self.x1, self.y1 = first.x0, first.y0, first.x1, first.y1
            self.text = first.text
        self.segments = segments
        self.style: Style = first.style
        self.size = first.style.size
        self.words = first.words if len(segments) == 1 else [word for segment in segments for word in segment.words]
        """Those of its segments, in reading order."""


def in_capitals(line: Line) -> bool:
    """Whether a line has capitals only, which small capitals that are made of a smaller size are too."""
    return len(line.text) >= _CAPITALS and line.text.isupper()


def differ_in_capitals(one: str, other: str) -> bool:
    """Whether one of two titles is in capitals, and most letters of the other are small."""
    small, large = (other, one) if one.isupper() else (one, other)
    if not large.isupper() or len(large) < _CAPITALS:
        return False
    return 2 * sum(map(str.islower, small)) > sum(map(str.isalpha, small))


def width_of(line: Line) -> int:
    """The characters of a line, those of scripts that write a word with one or two for two."""
    return len(line.text) + sum(char > "\u2e7f" for char in line.text)


def in_other_families(one: Line, other: Line) -> bool:
    """Whether two lines, alike in weight and slope, are set in different families, Latin or other script alike."""
    if one.style[2:4] != other.style[2:4] or one.style.font == other.style.font:
        return False
    families = [
        {family(w.style.font) for w in line.words if (w.text[:1] > "\u2e7f") == asian and _LATIN.search(w.text)}
        for asian in (False, True) for line in (one, other)
    ]  # fmt: skip
    latin, asian = families[:2], families[2:]
    shared = (latin[0] & latin[1]) | (asian[0] & asian[1])
    return not shared and (all(map(bool, latin)) or all(map(bool, asian)))


def fits_on(words: list[Word], before: Line, margin: float) -> bool:
    """Whether the first of a line's words would have fitted on the line before, which its paragraph then ends."""
    return end_with(words, before) < margin


def end_with(words: list[Word], before: Line) -> float:
    """Where the line before would end with the first of these words on it, in points; unparted pieces are one word."""
    first = words[0]
    if first.text[0] >= FIRST_CJK:
        return before.x1 + _CJK_FITS * before.size
    end = next((at for at in range(1, len(words)) if not words[at].joined), len(words))
    return before.x1 + words[end - 1].x1 - first.x0 + _BLANK * before.size


def ends_at_margin(line: Line) -> bool:
    """Whether a line ends with a word or two at the other margin, as the heads of functions in a manual do."""
    if len(line.segments) < 2 or len(line.segments[-1].words) > _TERM_WORDS:
        return False
    return line.segments[-1].x0 - line.segments[-2].x1 > _TAB * line.size


def tab_of(line: Line) -> float:
    """Where what is said of a term begins, behind white space, on the line that the term opens; 0 elsewhere."""
    if len(line.segments) < 2:
        return 0.0
    term, description = line.segments[:2]
    return description.x0 if description.x0 - term.x1 > _TAB * line.size and len(term.words) <= _TERM_WORDS else 0.0


def _rightwards(segments: list[Segment]) -> list[Segment]:
    """The segments of a line that runs right to left, given from the left: neighbours in letters that run left to
    right are read from the left all the same (Unicode Annex 9, rule L2)."""
    ordered: list[Segment] = []
    for leftwards, run in groupby(segments, key=lambda s: not s.rtl and bool(_LATIN.search(s.text))):
        found = list(run)
        ordered[:0] = found if leftwards else found[::-1]
    return ordered


def lines_between(segments: Iterable[Segment], top: float, bottom: float) -> list[Segment]:
    """The segments whose middle stands between two heights."""
    return [s for s in segments if top <= (s.y0 + s.y1) / 2 <= bottom]


def centred_in(boxes: Sequence[Box], segments: Iterable[Segment]) -> Iterator[list[Segment]]:
    """Of each box the segments whose middle lies in it, in their order."""
    middles = [((s.x0 + s.x1) / 2, (s.y0 + s.y1) / 2, s) for s in segments]  # once: there are many boxes on a form
    for x0, y0, x1, y1 in boxes:
        yield [s for x, y, s in middles if y0 <= y <= y1 and x0 <= x <= x1]


def rows_of(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments grouped by the line they stand on, top to bottom; sub- and superscripts join the line they overlap."""
    rows: list[list[Segment]] = []
    row: list[Segment] = []
    top = bottom = 0.0
    for segment in sorted(segments, key=lambda s: (s.y0 + s.y1, s.x0)):
        y0, y1 = segment.y0, segment.y1
        height, tall = y1 - y0, bottom - top
        # min and max cost more, and this runs for every segment many times
        overlap = (y1 if y1 < bottom else bottom) - (y0 if y0 > top else top)
        alike = _LOWEST < height / (tall if tall > _MIN_HEIGHT else _MIN_HEIGHT) < _HIGHEST
        enough = (_OVERLAP if alike else _SCRIPT_OVERLAP) * (tall if tall < height else height)
        if row and overlap > enough and not _collides(row, segment):
            row.append(segment)
            if height > _LOWEST * tall:
                top, bottom = min(top, y0), max(bottom, y1)
        else:
            row = [segment]
            rows.append(row)
            top, bottom = y0, y1
    return rows


def _collides(row: list[Segment], segment: Segment) -> bool:
    """True when the segment overprints the row: tightly leaded lines overlap in height but then also in width."""
    x0, x1 = segment.x0, segment.x1
    for other in row if len(row) <= _MAX_OF_LINE else row[-_MAX_OF_LINE:]:
        if other.x1 <= x0 or other.x0 >= x1:
            continue
        shared = min(other.x1, x1) - max(other.x0, x0)
        if shared > _OVERPRINTED * min(other.x1 - other.x0, x1 - x0):
            middle, other_middle = (segment.y0 + segment.y1) / 2, (other.y0 + other.y1) / 2
            if abs(middle - other_middle) > _OTHER_LINE * (other.y1 - other.y0):
                return True
    return False


def join_lines(
    lines: list[Line], vocabulary: set[str], links: list[Link], begins: list[int] | None = None
) -> tuple[str, tuple[Span, ...]]:
    """The text of the lines as one paragraph, and its bold, italic, struck and linked stretches, and what may call a
    note.
    Where each line begins in the text is put into `begins`."""
    parts: list[str] = []
    length = 0
    marks: list[tuple[int, int, Word]] = []
    called: list[Span] = []
    last, previous = "", lines[0].words[0]
    mixed = _is_mixed(lines)
    for line in lines:
        if begins is not None:
            begins.append(length)
        stretches = [segment.words for segment in line.segments]
        if "−" in line.text or True in [may_be_script(word) for words in stretches for word in words]:
            stretches = [typed_scripts(stretches)]
        for place, words in enumerate(stretches):
            for at, word in enumerate(words):
                token, raised = word.text, _raised_as(word, previous if at or place else None, line)
                if length == 0:
                    separator = ""
                elif at == 0 and place == 0:
                    separator, drop = line_separator(last, token, vocabulary)
                    if drop and not (
                        _is_typed_name(previous, word, line) and (last[:-1] + token).lower() not in vocabulary
                    ):
                        parts[-1] = parts[-1][:-1]
                        length -= 1
                else:
                    close = (at and word.joined) or (token[0] in ".,⁄" and _closes(previous, word, last))
                    touches = word.x0 - previous.x1 < _TOUCH * line.size
                    separator = "" if close or (raised and touches) else " "
                start = length + len(separator)
                parts.append(separator + token)
                length = start + len(token)
                if raised and (raised == "note" or not separator):
                    called.append(Span(raised, start, length, token))
                last, previous = token, word
                if mixed or links:
                    marks.append((start, length, word))
    text = "".join(parts)
    if SOFT_HYPHEN in text:
        text = text.replace(SOFT_HYPHEN, "-")  # a hyphen that stayed: one character for one, so that spans hold
    called = [span for span in called if not is_numerator(text, span.end)]
    text = with_raised(text, [(span.start, span.end) for span in called if span.kind == "sup"])
    called = [span for span in called if span.kind == "note"]
    return text, (*(_looks(marks) if mixed else ()), *_linked(marks, links), *called)


def _raised_as(word: Word, before: Word | None, line: Line) -> Literal["", "note", "sup"]:
    """What a word is that is raised over its `line` behind the word before it, None where it opens the line."""
    if word.style.size >= SMALLER * line.size or len(line.words) == 1:
        return ""
    return raised_as(word, before, line.y0, line.y1)


def _is_typed_name(before: Word, word: Word, line: Line) -> bool:
    """Whether a line ends within a name in a typewriter face, which breaks at its own hyphen, among other text."""
    return before.style.mono and word.style.mono and not line.style.mono


def _closes(before: Word, word: Word, last: str) -> bool:
    """Whether a word is the slash of a fraction set of small figures, or a comma or full stop as near to what stands
    `before` as no blank between words leaves it: the type changes there, or a raised mark stands between."""
    if word.text[0] == "⁄":
        return True
    near = word.x0 - before.x1 < _POINT_GAP * max(word.style.size, before.style.size)
    return near and _POINT.fullmatch(word.text) is not None and last[-1:] not in ".,"


def line_separator(last: str, token: str, vocabulary: set[str]) -> tuple[str, bool]:
    """What to put between the last word of a line and the first of the next, and whether the hyphen goes."""
    end = last[-1:]
    if end in f"-{SOFT_HYPHEN}\u2010" and len(last) > 1 and (last[-2].isalpha() or last[-2].isdigit()):
        stem = last[:-1]
        first = re.match(r"\w+", token)
        if token[:1].islower() and stem[-1:].isalpha():
            word, opening = first[0] if first else token, _OPENING.match(stem)
            own = stem[opening.end() :] if opening else stem
            joined, kept = (own + word).lower(), f"{own}-{word}".lower()
            if word in _CONJUNCTIONS and not vocabulary.intersection((joined, kept)):
                return " ", False
            whole = joined in vocabulary or f"{own.rsplit('-', 1)[-1]}{word}".lower() in vocabulary
            slashed = whole and token.replace("/", "").isalpha()
            code = "://" in stem or (_CODE.search(token) is not None and not slashed)
            code |= isinstance(vocabulary, Vocabulary) and vocabulary.whole and end != "\u2010"
            letter = len(own) == 1  # no word is broken behind its first letter
            compound = letter or "-" in stem or kept in vocabulary or _is_compound(own.lower(), word.lower())
            return "", not code and (whole or not compound)
        return "", first is not None and _is_word_with_capitals(stem, first[0], vocabulary)
    if "://" in last and end in "/_=&?%" and _CODE.search(token):
        return "", False
    if end and end in "–—" and last[-2:-1].isalnum() and token[:1].isalnum():
        return "", False  # dashes without blanks around them
    if _CJK.match(end) and _CJK.match(token):
        return "", False
    return " ", False


def _is_word_with_capitals(stem: str, rest: str, vocabulary: set[str]) -> bool:
    """Whether the halves of a word in capitals, or of a name with capitals within, are known as one word, and not with
    a hyphen between."""
    opening = _OPENING.match(stem)
    own = stem[opening.end() :] if opening else stem
    one = f"{own}{rest}"
    if not one.isalpha() or not (one.isupper() or (rest[0].isupper() and own[-1:].islower())):
        return False
    return one.lower() in vocabulary and f"{own}-{rest}".lower() not in vocabulary


def _is_compound(stem: str, word: str) -> bool:
    """Whether the first part of a word takes a hyphen before any other word, and words of a few letters, which may be
    endings, do not tell."""
    return len(word) >= _COMPOUND_CHARS and stem in _COMPOUND_STEMS


def _is_mixed(lines: list[Line]) -> bool:
    first = lines[0].style
    return any(
        word.style is not first
        and (word.style.bold != first.bold or word.style.italic != first.italic or word.style.struck)
        for line in lines for segment in line.segments for word in segment.words
    )  # fmt: skip


def _looks(marks: list[tuple[int, int, Word]]) -> list[Span]:
    spans: list[Span] = []
    for kind, looks in _LOOKS.items():
        start = end = -1
        for left, right, word in [*marks, (1 << 30, 1 << 30, None)]:
            if word is not None and looks(word.style):
                start = left if start < 0 else start
                end = right
            elif start >= 0:
                spans.append(Span(kind, start, end))
                start = -1
    return spans


def _linked(marks: list[tuple[int, int, Word]], links: list[Link]) -> list[Span]:
    spans: list[Span] = []
    near = _LINK_TOLERANCE
    middles = [(left, right, (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2) for left, right, word in marks]
    top, bottom = min((y for *_, y in middles), default=0.0), max((y for *_, y in middles), default=0.0)
    for box, target in links:
        if box[3] + near < top or bottom < box[1] - near:
            continue  # as most of the links of a page
        start = end = -1
        for left, right, x, y in middles:
            if box[0] - near <= x <= box[2] + near and box[1] - near <= y <= box[3] + near:
                start = left if start < 0 else start
                end = right
        if start >= 0:
            spans.append(Span("link", start, end, target))
    return spans


def shift_spans(spans: Iterable[Span], by: int) -> tuple[Span, ...]:
    """The spans of a text that is moved by so many characters; what then lies before the start is cut off."""
    return tuple(Span(s.kind, max(s.start + by, 0), s.end + by, s.value) for s in spans if s.end + by > 0)


def without_leaders(text: str, spans: tuple[Span, ...]) -> tuple[str, tuple[Span, ...]]:
    """The text with " … " for each row of dots that leads to a page number or is to be written on, and its spans: of
    the characters of a table of contents they are more than half, and say nothing more."""
    if ".." not in text and ". ." not in text and "…" not in text:
        return text, spans  # nearly all
    cuts = [found.span() for found in _LEADERS.finditer(text)]
    if not cuts:
        return text, spans

    def moved(at: int) -> int:
        return at - sum(min(at, end) - start - min(at - start, len(_LEADER)) for start, end in cuts if start < at)

    short = _LEADERS.sub(_LEADER, text).rstrip()
    shifted = (Span(s.kind, moved(s.start), min(moved(s.end), len(short)), s.value) for s in spans)
    return short, tuple(span for span in shifted if span.start < span.end)


def as_set(group: list[Line], left: float) -> str:
    """Monospaced lines with their indentation and their blanks, in characters of the line's own width."""
    lines: list[str] = []
    for line in group:
        chars = sum(len(word.text) for word in line.words)
        width = sum(word.x1 - word.x0 for word in line.words) / chars or line.size * _CHARACTER_WIDTH
        parts, end = list[str](), left
        for at, word in enumerate(line.words):
            blanks = max(round((word.x0 - end) / width), 0 if not at or word.joined else 1)
            parts.append(" " * blanks + word.text)
            end = word.x1
        lines.append("".join(parts).replace(SOFT_HYPHEN, "-"))
    return "\n".join(lines)
