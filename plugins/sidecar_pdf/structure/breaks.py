"""Tells where a paragraph ends and the next begins: by leading, type, markers, indents and how lines end."""

from __future__ import annotations

import re

from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import Line, ends_at_margin, fits_on, in_capitals, in_other_families, tab_of, width_of
from sidecar_pdf.structure.columns import BREAK_LEADING, END, FIRST_INDENT, LEADING_SLACK, Step
from sidecar_pdf.structure.numbering import WORDED, is_next_number, is_sure_bullet, marker_of
from sidecar_pdf.text.segments import FIRST_CJK, SOFT_HYPHEN

DRAWN = re.compile(r"([=\-~^*_+#\"'.:—–─═]) ?(?:\1 ?){2,}")
"""A line drawn with characters."""
_LEADERS = re.compile(
    r"(?<![.…])(?<![.…] )(?:[.…] ?){4,}\s?(?:(?:[^\W\d_]{1,7}\.? )?\d{1,4}|[ivxlcIVXLC]{1,6}|[A-Z]?\d*-\d+)$"
)
"""Dots that lead to a page number."""
_HEADING = re.compile(r"(?:\(?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.)]?)\s+\S")  # a number before a heading's words
_LETTER = re.compile(r"[^\W\d_]")
_PANEL = re.compile(r"\([a-hA-H]\)\s")  # of a figure, told in its caption

# Shares and multiples. Chosen on the corpus (recall_pdf.py and pdf_elements.py in tests/bench).
_APART_LEADING = 1.14  # of the leading: a paragraph that ends there, or a short line, is over
_TIERED_LEADING = 1.6  # of the leading: that of a sentence whose formulas push its lines apart
_WIDEST_LEADING, _LINE_WORDS = 2.2, 4  # of the size: that of text set widest; words of a full line of it, at least
_HANGING_LEADING = 1.25  # of the leading: a heading's second line is no further
_RAISED_SIZE = 0.82  # of the line's size: a number this small is raised
_SHORT_LINE, _VERY_SHORT_LINE = 0.14, 0.55  # of the column's width: left over on the right, and filled at most
_MOSTLY, _SHORT_ITEM = 0.75, 0.15  # of it, filled by a line that a long word did not fit on, and left over by an item's
# Ems, of the larger of two lines where they differ.
_BACKWARD = 0.5  # up from the line before: another column or band
_OTHER_SIZE, _EQUAL_SIZE, _HEADING_SIZE = 0.12, 0.07, 0.05  # by which sizes differ, are one, are a heading's own
_FULL_BY_ONE, _SHORT_BY_TWO, _SHORT_BY_THREE = 1.0, 2.0, 3.0  # left over on the right of a full, a short, an ended line
_ITEM_INDENT, _CONTINUED_INDENT = 2.5, 3.0  # of a list marker against the paragraph; of a line that carries an item on
_ITEM_OUTDENT, _ITEM_LEVEL, _ITEM_ALIGNED = 0.5, 0.4, 0.7  # left of the item's first line; level; under its marker
_MAX_INDENT, _MAX_FIRST_LEFT = 6.0, 8.0  # first-line indents: most, most from the column
_SAME_EDGE, _SAME_PITCH = 0.3, 0.015  # between two of one edge; between the pitches of lines that no white parts
_RETURN, _JUSTIFIED = 0.6, 1.5  # back after an indent; left over on the right of a justified line
_SAME_LEFT = 1.2  # between the left edges of one paragraph
_ASIDE, _MIN_WIDTH = 1.0, 14.0  # between lines not under one another; of a column worth judging short lines in
_IN_MIDDLE = 0.2  # of the width of a column, on either side of a short line in its middle
_CENTRED, _HANGING = 0.8, 0.5  # between the margins of a centred line; from the words of a numbered heading
# Characters.
_FOOTNOTE_CHARS, _SIZE_CHARS, _WEIGHT_CHARS, _SIGN_CHARS = 12, 2, 3, 2  # a line judged as such has more than this
_SMALL_WORD, _TITLE_LINES = 4, 2  # a word of fewer ends no sentence as a rule; lines of a title in another family
_FIRST_NUMBERS = ("1", "a", "A", "i", "I")
_CAPTION_INITIALS = "FTECGASDPfteIБРТСГ图圖図表그표第[<"


def breaks(step: Step) -> bool:
    """Whether the line begins a new paragraph: the first of these rules that has something to say decides."""
    for rule in (
        _breaks_by_leading, _breaks_by_type, _breaks_in_word, _breaks_by_face, _breaks_by_marker, _breaks_in_list
    ):  # fmt: skip
        answer = rule(step)
        if answer is not None:
            return answer
    return _breaks_by_indent(step)


def _breaks_by_leading(step: Step) -> bool | None:
    line, column = step.line, step.column
    first = line.segments[0].words[0]
    raised = first.style.size < _RAISED_SIZE * line.size and first.text.isdigit()
    if raised and (_counts_on(step) or (len(line.text) > _FOOTNOTE_CHARS and step.left_over(_FULL_BY_ONE))):
        return True  # a raised number opens a footnote
    furthest = _TIERED_LEADING if _is_tiered(step) else BREAK_LEADING
    if step.pitch < -_BACKWARD * step.em:
        return True
    if step.pitch > furthest * step.leading + LEADING_SLACK and not _runs_on_widely(step):
        return True
    if _LEADERS.search(step.before.text) or _is_entry(step) or step.stacks_titles() or step.changes_type():
        return True  # an entry of a list of contents, or a title under another
    opening, ended = line.words[0].style.bold and not line.style.bold, END.search(step.before.text)
    opening = opening and ended and not step.before.words[-1].style.bold and step.left_over(_SHORT_BY_THREE)
    if opening and line.text[:1].isupper():
        return True  # a title that runs into its paragraph
    drawn = column.mono and (DRAWN.fullmatch(line.text) or DRAWN.fullmatch(step.before.text))
    if drawn or max(line.x0 - step.before.x1, step.before.x0 - line.x1) > _ASIDE * step.em:
        return True
    if line.style.mono and step.before.style.mono and line.words[0].style.mono:
        if len(step.group) > 1 and not step.group[0].style.mono:
            return fits_on(line.words, step.before, column.margin)
        if not column.mono:
            return False  # code: indentation and short lines are its own
    return None


def _runs_on_widely(step: Step) -> bool:
    """Whether a sentence runs on over the end of a full line in text set wider than most of its column: lines of its
    own leading among listings, or under a summary set solid."""
    line, before, em = step.line, step.before, step.em
    if (
        step.pitch > _WIDEST_LEADING * em
        or len(before.words) < _LINE_WORDS
        or marker_of(line)
        or ends_at_margin(before)
    ):
        return False
    alike = line.style.mono == before.style.mono and line.words[0].style.bold == before.words[-1].style.bold
    if abs(line.size - before.size) > _EQUAL_SIZE * em:
        return False
    if not alike or not -_SAME_EDGE * em < before.x0 - line.x0 < _MAX_INDENT * em:
        return False
    last = before.words[-1].text
    leads_on = (
        line.text[:1].islower() or last[-1] == "," or (last.islower() and last.isalpha() and len(last) < _SMALL_WORD)
    )
    goes_on = (leads_on and END.search(before.text) is None) or _is_even(step)
    return goes_on and not fits_on(line.words, before, step.column.margin)


def _is_even(step: Step, slack: float = LEADING_SLACK) -> bool:
    """Whether a line is as far from the one above as that is from the one over it, in the same paragraph."""
    return len(step.group) > 1 and abs(step.pitch - (step.before.y1 - step.group[-2].y1)) < slack


def _is_entry(step: Step) -> bool:
    """Whether dots lead the line to the number of a page, and the line above ends with one over it, without dots."""
    line, before = step.line, step.before
    over = abs(line.x1 - before.x1) < _SAME_EDGE * step.em and before.words[-1].text.isdecimal()
    return over and _LEADERS.search(line.text) is not None


def _is_tiered(step: Step) -> bool:
    """Whether a sentence runs on over lines that fractions or scripts in it push apart."""
    line, before = step.line, step.before
    if step.pitch > _TIERED_LEADING * step.leading + LEADING_SLACK or not line.text[:1].islower():
        return False
    ended = step.left_over(_FULL_BY_ONE) or END.search(before.text)
    return not ended and any(word.style.math for word in (*before.words, *line.words))


def _counts_on(step: Step) -> bool:
    """Whether a line opens with the number after the one that opens its paragraph."""
    opening, number = (one.words[0].text.rstrip(".)") for one in (step.group[0], step.line))
    return is_next_number(opening, number)


def _breaks_by_type(step: Step) -> bool | None:
    """By size and weight."""
    line, before = step.line, step.before
    long = min(width_of(line), width_of(before)) > _SIZE_CHARS or line.y0 > before.y1
    if abs(line.size - before.size) > _OTHER_SIZE * step.em and long:
        shared = _has_size(line, before.size) or _has_size(before, line.size)
        if not shared or in_capitals(line) != in_capitals(before):
            return True
    alike = line.style.bold == before.style.bold or (_is_bold(before) and _is_bold(line))
    other_weight = not alike and len(line.text) > _WEIGHT_CHARS and not _is_cut(step)
    if line.words[0].style.bold == before.words[-1].style.bold:  # a bold title runs into its paragraph within a line
        item = _whole(before) and not _whole(line) and line.x0 > before.x0 + _ITEM_OUTDENT * step.em
        other_weight = item and before.style.bold and len(step.group) == 1
    if step.left_over(_SHORT_BY_THREE) and len(step.group) == 1:
        indented = line.x0 > before.x0 + step.em and in_capitals(before) and not in_capitals(line)
        if indented or (_is_bold(before) and not _runs_on_in_bold(step)):
            return True  # a title over a line that begins plain, or bold under white, or that is indented
    if other_weight and (step.left_over(_SHORT_BY_TWO) or _whole(before) or _whole(line)):
        return True
    return False if _hangs(step) else None


def _runs_on_in_bold(step: Step) -> bool:
    """Whether a line opens as the bold one above does, in its size, and is bold as well, or not set off from it."""
    first = step.line.words[0].style
    if not first.mono and abs(step.line.size - step.before.size) > _EQUAL_SIZE * step.em:
        return False  # a title right under a larger one
    opens_alike = first.bold or (first.mono and any(word.style.mono for word in step.before.words))
    return opens_alike and (_is_bold(step.line) or step.pitch < _APART_LEADING * step.leading)


def _is_cut(step: Step) -> bool:
    """Whether a line carries a sentence on, or closes the bracket that the line before opens."""
    before, line = step.before.text, step.line.text
    bracketed = before.rfind("(") > before.rfind(")") and ")" in line and "(" not in line[: line.find(")")]
    return bracketed or (line[:1].islower() and not END.search(before) and not step.left_over(_FULL_BY_ONE))


def _breaks_in_word(step: Step) -> bool | None:
    """A word that a line breaks goes on in the next, indented or not, as lines of verse do; a full line breaks names
    before a capital as well."""
    broken = step.before.words[-1].text[-1] == SOFT_HYPHEN and step.before.text[-2:-1].isalpha()
    if broken and step.line.text[:1].isupper() and not step.left_over(_FULL_BY_ONE):
        return False
    return False if broken and step.line.text[:1].islower() else None


def _breaks_by_face(step: Step) -> bool | None:
    line, before = step.line, step.before
    if (
        before.style.italic and not line.style.italic and len(step.group) == 1 and step.left_over(_SHORT_BY_TWO)
        and _whole(before, italic=True) and not END.search(before.text) and not line.words[0].style.italic
    ):  # fmt: skip
        return True  # a heading in italics
    apart = line.text[:1].isupper() and not line.words[0].style.mono and all(s.style.mono for s in before.segments)
    if line.style.mono != before.style.mono and (apart or len(line.segments) == len(before.segments) == 1):
        listing = line if line.style.mono else before
        if _goes_on_in_face(step):
            return None
        if all(word.style.mono for word in listing.words if len(word.text) > _SIGN_CHARS):
            return True  # names of functions in a line of text do not make it a listing
    if len(step.group) <= _TITLE_LINES and in_other_families(before, line):
        return True if step.left_over(_FULL_BY_ONE) or _HEADING.match(step.group[0].text) else None
    return None


def _goes_on_in_face(step: Step) -> bool:
    """Whether a line in a typewriter face carries on what the line above ends with, such as an address, or a full line
    in the midst of a sentence."""
    line, before = step.line, step.before
    ended = len(line.words) > 1 and END.search(before.text)
    level, margin, left = abs(line.x0 - before.x0) < _SAME_EDGE * step.em, step.column.margin, step.column.left
    full = before.x1 - left > _MOSTLY * (margin - left) and not fits_on(line.words, before, margin)
    listed = step.later is not None and step.later.words[0].style.mono and not END.search(line.text)
    if not line.style.mono or not _LETTER.search(line.text):
        return False
    return (before.words[-1].style.mono or (level and full and not listed)) and not ended


def _breaks_by_marker(step: Step) -> bool | None:
    """Where the line opens a list item or a caption."""
    group, line, column = step.group, step.line, step.column
    if WORDED.match(line.text) and line.text[:1].isupper() and step.left_over(_FULL_BY_ONE):
        return line.style.bold or line.style != step.before.style or END.search(step.before.text) is not None
    if step.opens_clause():
        return True
    near = line.x0 <= group[0].x0 + _ITEM_INDENT * step.em or is_sure_bullet(line) or _opens_list(step)
    if marker_of(line) and (near or _counts_on(step)) and _list_start(step):
        return True
    if line.text[:1] in _CAPTION_INITIALS and match_caption(line.text):
        before = step.before
        fonts = line.segments[0].words[0].style.font, before.segments[-1].words[-1].style.font
        full = before.x1 > column.right - step.em
        return not (full and not END.search(before.text) and fonts[0] == fonts[1])
    return None


def _breaks_in_list(step: Step) -> bool | None:
    group, line, column, before, em = step.group, step.line, step.column, step.before, step.em
    if not marker_of(group[0]):
        return None
    runs_on = line.text[:1].islower() and not END.search(before.text)
    if runs_on and line.x0 <= before.x0 + _CONTINUED_INDENT * em:
        return False
    if (_returns(step) or _is_apart(step)) and END.search(before.text) and not line.text[:1].islower():
        return True
    if step.leaves_room():
        return True
    short = before.x1 < column.right - _SHORT_ITEM * (column.right - column.left)
    if line.x0 < group[0].x0 - _ITEM_OUTDENT * em:  # items may be indented at their first line only
        return short or (len(group) > 1 and line.x0 > before.x0 + _ITEM_OUTDENT * em)
    return line.x0 < group[0].x0 + _ITEM_LEVEL * em and short


def _breaks_by_indent(step: Step) -> bool:
    """By first-line indents and short last lines."""
    line, later, column, before, em = step.line, step.later, step.column, step.before, step.em
    if (column.mono and _hangs_typed(step)) or step.ends_open() or step.leaves_room():
        return True
    if (hangs := _breaks_hanging(step)) is not None:
        return hangs
    left, right, width, aside = column.left, column.right, column.right - column.left, abs(line.x0 - before.x0)
    if _centred(before, left, right, em):
        if _centred(line, left, right, em):
            return False
    elif _centred(line, left, right, em) and min(line.x0 - left - _IN_MIDDLE * width, aside - _SAME_EDGE * em) > 0:
        return abs(line.x0 + line.x1 - before.x0 - before.x1) > 2 * em  # else two lines of one title in the middle
    indent = line.x0 - before.x0
    ended = END.search(before.text) is not None
    if (ended or step.left_over(_SHORT_BY_THREE)) and (_is_apart(step) or _opens_alike(step)):
        return True
    opens = FIRST_INDENT * em < indent < _MAX_INDENT * em and line.x0 - left < _MAX_FIRST_LEFT * em
    if opens and (later is None or later.x0 < line.x0 - _RETURN * em):
        return ended or before.x1 > right - _JUSTIFIED * em
    short = before.x1 < right - max(_SHORT_LINE * width, _SHORT_BY_THREE * em) and width > _MIN_WIDTH * em
    if not short or abs(indent) >= _SAME_LEFT * em or not fits_on(line.words, before, step.column.margin):
        return False  # or as full as the edge of a ragged column lets it be
    first = line.text[:1]
    very_short = before.x1 < left + _VERY_SHORT_LINE * width
    opens = (first.isupper() or first.isdigit() or (first >= FIRST_CJK and not _is_cut(step))) and not line.style.bold
    return (ended and not first.islower()) or (very_short and opens)


def _opens_alike(step: Step) -> bool:
    """Whether a line is indented as its paragraph's first line is, not as the others, which reach the left edge."""
    line, first, em = step.line, step.group[0], step.em
    others = step.group[1:]
    if not others or abs(line.x0 - first.x0) > _SAME_EDGE * em or line.text[:1].islower():
        return False
    return all(FIRST_INDENT * em < line.x0 - other.x0 < _MAX_INDENT * em for other in others)


def _is_apart(step: Step) -> bool:
    """Whether a little white parts a line from the one above, which no signs of a formula and no small ones make; a
    bold line is a title of what stands under it."""
    if step.pitch < _APART_LEADING * step.leading or step.line.text[:1].islower():
        return False
    slack = LEADING_SLACK if step.pitch > BREAK_LEADING * step.leading else _SAME_PITCH * step.em
    if (step.before.style.bold and not step.line.style.bold) or _is_even(step, slack):
        return False
    least = _RAISED_SIZE * step.em
    return not any(word.style.math or word.style.size < least for word in (*step.before.words, *step.line.words))


def _breaks_hanging(step: Step) -> bool | None:
    """By the edge of lines that hang, by what stands behind terms of a list, and by paragraphs indented whole."""
    line, before, group, em = step.line, step.before, step.group, step.em
    edges, near = step.column.hanging, _SAME_EDGE * em
    outdent = before.x0 - line.x0
    if (tab := tab_of(line)) and (abs(tab - before.x0) < near or abs(tab - tab_of(before)) < near):
        words = line.segments[1].words  # a number in the margin stands beside a sentence that runs on
        if not words[0].text[:1].islower() or END.search(before.text) or fits_on(words, before, step.column.margin):
            return True
    ended = END.search(before.text) is not None
    fits = fits_on(line.words, before, step.column.margin - em)
    if outdent < near and any(abs(line.x0 - edge) < near for edge in edges):
        if outdent < -near:
            return None if fits else False
        return False if group[0].x0 < line.x0 - FIRST_INDENT * em else None
    if line.text[:1].islower() and not ended:
        return None
    if outdent > FIRST_INDENT * em:
        if ended and _returns(step) and abs(line.x0 - group[0].x0) < near:
            return True
        hung = group[0].x0 < before.x0 - FIRST_INDENT * em and any(abs(before.x0 - edge) < near for edge in edges)
        return hung or ((fits or len(group) > 1) and group[0].x0 > line.x0 + outdent / 2) or None
    return True if edges and fits and len(group) == 1 and abs(outdent) < near else None


def _returns(step: Step) -> bool:
    """Whether a line stands left of where all lines of the paragraph but its first do, as the next term of a list does,
    or a paragraph under a list."""
    edge, near = step.before.x0, _SAME_EDGE * step.em
    hung = len(step.group) > 1 and all(abs(other.x0 - edge) < near for other in step.group[1:])
    return hung and step.group[0].x0 < edge - near and step.line.x0 < edge - near


def _hangs_typed(step: Step) -> bool:
    """Whether a typewritten line stands under a short one, such as a title or a term, that it is indented from."""
    line, later, em = step.line, step.later, step.em
    indented = len(step.group) == 1 and em < line.x0 - step.before.x0 and step.left_over(_SHORT_BY_THREE)
    return indented and (later is None or later.x0 > line.x0 - em / 2)


def _hangs(step: Step) -> bool:
    """Whether the line carries on a numbered heading, under where its words begin."""
    line, before, opening = step.line, step.before, step.group[0]
    bold = line.style.bold and before.style.bold
    if not _HEADING.match(opening.text) or not bold or abs(line.size - before.size) > _HEADING_SIZE * line.size:
        return False
    if step.pitch > _HANGING_LEADING * step.leading + LEADING_SLACK or not (_whole(line) and _whole(before)):
        return False
    words = opening.words
    return len(words) > 1 and abs(words[1].x0 - line.x0) < _HANGING * line.size and line.x0 > opening.x0 + line.size


def _centred(line: Line, left: float, right: float, em: float) -> bool:
    """Whether the line stands in the middle of its column; a full line does."""
    return abs((line.x0 - left) - (right - line.x1)) < _CENTRED * em


def _has_size(line: Line, size: float) -> bool:
    """Whether some of the line is set in `size`, marks aside: a line mostly in another type still runs on."""
    return any(
        abs(word.style.size - size) < _EQUAL_SIZE * size and word.text.strip("∗*†‡§¶•◆■▪●") for word in line.words
    )


def _whole(line: Line, *, italic: bool = False) -> bool:
    """Whether one weight, or `italic` type, runs through the line; signs and list markers have no say in italics."""
    if italic:
        return all(word.style.italic for word in line.words if len(word.text) > _SIGN_CHARS)
    return all(word.style.bold == line.style.bold for word in line.words)


def _is_bold(line: Line) -> bool:
    """Whether a line is set in bold, but for names in a typewriter face."""
    bold = any(word.style.bold for word in line.words)
    return bold and all(word.style.bold or word.style.mono for word in line.words)


def _opens_list(step: Step) -> bool:
    """Whether a line opens with the number of a first item, under a line that has room left."""
    return marker_of(step.line).strip("().[]") in _FIRST_NUMBERS and step.left_over(_SHORT_BY_THREE)


def _list_start(step: Step) -> bool:
    """A number at the start of a line is a list marker where the list already runs, or where the line above ended."""
    line, opening = step.line, step.group[0]
    if is_sure_bullet(line):
        return True
    if _PANEL.match(line.text) and match_caption(opening.text):
        return False
    if marker_of(opening):
        if abs(line.x0 - opening.x0) < _ITEM_ALIGNED * step.em or (_counts_on(step) and END.search(step.before.text)):
            return True  # the first item of paragraphs is often not indented, as any behind a heading
        if line.x0 > opening.x0 and (number := marker_of(line).strip("().[]")).isdigit() and number != "1":
            return False  # a day or a year within an item, whose own lists begin with their first number
    return step.left_over(_SHORT_BY_THREE) or END.search(step.before.text) is not None
